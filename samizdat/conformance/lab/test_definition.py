"""A game says all that it must say of itself."""

from __future__ import annotations

import pickle

import pytest

import samizdat
from samizdat.conformance.games import chosen, label
from samizdat.kernel import contract
from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.scoring import MOST_SEATS

ALL = pytest.mark.parametrize("definition", chosen(), ids=label)


@ALL
def test_it_is_found_by_its_name(definition: Definition) -> None:
    assert definitions()[definition.name] is definition
    assert definition.title
    assert set(samizdat.games()[definition.name]["options"]) == {option.name for option in definition.options}
    assert definition.version > 0


@ALL
def test_the_contract_is_whole(definition: Definition) -> None:
    rules = contract.RULES_OF[definition.state]
    assert all(callable(vars(rules)[name]) for name in contract.CONTRACT)
    assert callable(definition.laws.broken)
    assert definition.laws.LAWS
    assert "seats" in definition.state.fields, "the state says for how many it was dealt"
    assert all(1 <= count <= MOST_SEATS for counts in definition.variants.values() for count in counts)


@ALL
def test_every_field_says_why(definition: Definition) -> None:
    for record in (definition.state, definition.printed):
        for name, field in record.fields.items():
            assert field.why, f"{record.__name__}.{name} does not say where its bounds come from"
            assert field.low <= field.high


@ALL
def test_every_option_reaches_the_state(definition: Definition) -> None:
    for variant in definition.variants:
        for option in definition.options:
            if option.variants and variant not in option.variants:
                continue
            for value in option.extremes():
                game = definition.choose_from({option.name: value}, variant=variant)
                assert game.options[option.name] == value
                if option.name in definition.state.fields:
                    assert dict(game.blank().items())[option.name] == option.number(value)


@ALL
def test_it_travels_to_other_processes(definition: Definition) -> None:
    assert pickle.loads(pickle.dumps(definition)) is definition
    game = definition.choose()
    assert pickle.loads(pickle.dumps(game)) == game


@ALL
def test_points_take_what_they_offer_and_cite_rules(definition: Definition) -> None:
    kinds = set(definition.moves.kinds)
    for point in definition.points.all:
        assert point.rules, point.name
        assert point.asks, point.name
        assert set(point.takes) <= kinds, f"{point.name} takes decisions that there are none of"
