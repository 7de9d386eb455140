"""Decision points are declared once and truly; every rule can be found in the rules files by its number."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from samizdat.kernel.flow import DEAL, read_flow
from samizdat.kernel.game import Definition, Game, definitions
from samizdat.lab.count_flow import count_flow
from samizdat.table.flow_picture import flow_picture
from samizdat.table.language import LANGUAGES, language
from tests.conftest import DOSE, label
from tests.rulebook import read_rulebook

GAMES = 4  # whole random games of every variant and number of players
SHORT = 100  # lines

ALL = pytest.mark.parametrize("definition", definitions().values(), ids=label)


def every_choice(definition: Definition) -> list[Game]:
    """Every variant and number of players; every option that is a switch, turned the other way."""
    games = []
    for variant, counts in definition.variants.items():
        for players in counts:
            games.append(definition.choose(players, variant))
        other = {
            option.name: not option.default
            for option in definition.options
            if isinstance(option.default, bool) and option.name in games[-1].options
        }
        games.append(definition.choose_from(other, counts[-1], variant))
    return games


@ALL
def test_what_is_offered_is_what_the_point_takes(definition: Definition) -> None:
    points = definition.points
    met: dict[str, set[str]] = {}
    for game in every_choice(definition):
        for seed in range(GAMES * DOSE):
            match, dice = game.match(seed), random.Random(seed)
            while not match.over:
                seat = dice.choice(match.turn)
                point = points.at(match._state)
                assert match.view(seat)["point"] == point.name
                kinds = {move.kind for move in match.legal(seat)}
                assert kinds <= point.takes.keys(), f"{point.name} offers what it does not take"
                met.setdefault(point.name, set()).update(kinds)
                match.play(seat, dice.choice(match.legal(seat)))
            assert match.view(None)["point"] == "over"
    for flow in read_flow(definition).values():  # what few random games meet: its counts are checked below
        for way in flow.times:
            if way.start != DEAL:
                met.setdefault(way.start, set()).add(way.kind)
    declared = {point.name: set(point.takes) for point in points.all}
    assert met.keys() == declared.keys(), "a point that is never reached"
    assert {name: declared[name] - met[name] for name in declared if declared[name] - met[name]} == {}


@ALL
def test_points_cite_their_rules_and_say_what_they_ask(definition: Definition) -> None:
    points = definition.points
    known = read_rulebook(definition)
    names = [point.name for point in points.all]
    assert len(set(names)) == len(names)
    for point in points.all:
        assert point.rules, point.name
        assert set(point.rules) <= known.keys(), point.name
        assert re.fullmatch(r"[a-z].*\.", point.asks), point.name


@ALL
def test_the_written_code_asks_no_point_twice(definition: Definition) -> None:
    """Each id is compared once in `play`, the last of each chain being what is left."""
    points = definition.points
    for name in ("legal", "play"):
        for function in re.findall(rf"def {name}\w*\(.*?(?=\n\ndef|\Z)", points.source, re.DOTALL):
            asked = re.findall(r"point == (\d+)", function)
            assert len(asked) == len(set(asked))


def rules_files(definition: Definition) -> list[Path]:
    chapters = [*definition.folder.glob("rules*.py"), *definition.folder.glob("guess*.py")]
    return sorted([*chapters, *(definition.folder / name for name in ("points.py", "state.py", "box.py"))])


@ALL
def test_every_rule_is_found_by_its_number(definition: Definition) -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in rules_files(definition))
    missing = [
        number
        for number in read_rulebook(definition)
        if not re.search(rf"(?<![\w.]){re.escape(number)}(?![\w]|\.\d)", text)
    ]
    assert not missing


@ALL
def test_rules_files_refer_to_nothing_that_the_rulebook_lacks(definition: Definition) -> None:
    known = read_rulebook(definition)
    letters = {re.match(r"[A-Z]*-?", number)[0] for number in known}  # type: ignore[index]
    shape = "|".join(sorted(letter or r"\d\." for letter in letters))
    for file in rules_files(definition):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\b([Tt]able|[Ss]ection|§) ?\d", text), f"{file.name} names a table or section"
        cited = set(re.findall(rf"(?<![\w.\"])(?:{shape})\d+(?:\.\d+)*[a-z]?\b", text))
        headings = {number for number in cited if any(one.startswith(f"{number}.") for one in known)}
        assert cited - headings <= known.keys(), file.name


@ALL
def test_a_file_of_rules_does_not_begin_with_a_list_of_all_others(definition: Definition) -> None:
    """What is imported is less than a fifth of it; a short one cannot help it."""
    for file in definition.folder.glob("rules*.py"):
        text = file.read_text(encoding="utf-8")
        imports = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
        lines = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in imports)
        whole = len(text.splitlines())
        assert whole < SHORT or lines < whole / 5, file.name


@ALL
def test_the_stored_flow_is_that_of_the_rules(definition: Definition) -> None:
    """`python -m samizdat.lab.count_flow` counts anew."""
    assert count_flow(definition) == read_flow(definition)


@ALL
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_flow_is_drawn(definition: Definition, code: str) -> None:
    for variant, flow in read_flow(definition).items():
        root = ElementTree.fromstring(flow_picture(definition, variant, language(code), "title"))
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        met = {way.start for way in flow.times} | {way.end for way in flow.times}
        assert {name.replace("_", " ") for name in met} <= set(texts)
        arcs = {(way.start, way.end) for way in flow.times}
        assert len(list(root.iter("{http://www.w3.org/2000/svg}title"))) == len(arcs)
