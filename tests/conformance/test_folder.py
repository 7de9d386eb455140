"""A game folder has everything it must have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import samizdat
from samizdat.kernel import contract
from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.scenes import read_scenes
from tests.conftest import label
from tests.rulebook import RECORDED, read_rulebook

REDUCED = Path(__file__).parents[1] / "reduced"
FILES = (
    "__init__.py", "box.toml", "reduced.toml", "box.py", "state.py", "rules.py", "laws.py", "show.py", "scenes",
    "rulebook/en.md", "board.py", "board.html.jinja", "board.css", "poster.svg", "glossary.csv", "box.csv",
    "locale/it.po", "locale/de.po", "locale/pl.po",
)  # fmt: skip
SHOW = ("view", "round_of", "why_not", "tell", "FIGURES", "SEAT_NAMES", "WORDS", "AXES")


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
class TestFolder:
    def test_files(self, definition: Definition) -> None:
        missing = [file for file in FILES if not (definition.folder / file).exists()]
        assert not missing, f"{definition.name} lacks {missing}"

    def test_contract_and_show(self, definition: Definition) -> None:
        rules = contract.RULES_OF[definition.state]
        missing = [name for name in contract.CONTRACT if not callable(getattr(rules, name, None))]
        missing += [name for name in SHOW if not hasattr(definition.show, name)]
        assert not missing
        assert callable(definition.laws.broken)
        assert len(definition.laws.LAWS) > 1

    def test_box_states_its_provenance(self, definition: Definition) -> None:
        for table, (provenance, source) in definition.standard_box.text.provenance.items():
            assert provenance in ("rulebook", "public", "reconstructed"), table
            assert source, f"[{table}] names no source"

    def test_the_reduced_box_is_smaller(self, definition: Definition) -> None:
        small = definition.choose(box="reduced")
        assert small.longest < definition.choose(small.players, small.variant).longest
        assert small.match(1).turn
        assert (REDUCED / f"{definition.name}.toml").exists()

    def test_every_field_says_why(self, definition: Definition) -> None:
        for record in (definition.state, definition.printed):
            for name, field in record.fields.items():
                assert field.why, f"{record.__name__}.{name} does not say where its bounds come from"
                assert field.low <= field.high

    def test_a_recorded_match_for_every_end(self, definition: Definition) -> None:
        ends = {
            json.loads(path.read_text())["result"]["reason"] for path in (RECORDED / definition.name).glob("*.json")
        }
        assert ends == set(definition.reasons[1:])

    def test_scenes_exist_and_are_named_apart(self, definition: Definition) -> None:
        scenes = read_scenes(definition)
        assert scenes
        assert len({scene.title for scene in scenes}) == len(scenes)
        known = read_rulebook(definition)
        for scene in scenes:
            assert set(scene.rules) <= set(known), f"{scene.name} cites rules that the rulebook does not have"

    def test_retired_options_are_read_and_not_offered(self, definition: Definition) -> None:
        for option in definition.retired:
            assert option.name not in definition.state.fields, "it would change the game"
            assert option.name not in samizdat.games()[definition.name]["options"]
            for value in option.extremes():
                with pytest.raises(samizdat.OptionError, match=f"no longer offers the option {option.name}"):
                    definition.choose(**{option.name: value})  # type: ignore[arg-type]
                usual = definition.choose()
                old = definition.recall(
                    usual.players, usual.variant, None, {option.name: value, **usual.options}, usual.rules
                )
                assert list(old.options.items()) == [(option.name, value), *usual.options.items()]
                assert old.anew() == usual
                assert bytes(old.blank().array) == bytes(usual.blank().array)
            with pytest.raises(samizdat.OptionError, match=f"Option {option.name} is"):
                definition.recall(usual.players, usual.variant, None, {option.name: None}, usual.rules)

    def test_options_are_listed(self, definition: Definition) -> None:
        listed = samizdat.games()[definition.name]
        assert set(listed["options"]) == {option.name for option in definition.options}
        known = read_rulebook(definition)
        for option in definition.options:
            assert option.rule in known, f"option {option.name} cites {option.rule}, which the rulebook does not have"
