"""No option without effect: whatever is offered when a table is opened makes another game in some match, with the
same luck and the same dice; and what is said to make none does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from samizdat.conformance.games import chosen, label
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.options import Option, Value
from samizdat.lab.simulation import Simulation

CHUNK = 500  # matches compared at a time
MOST = 60_000  # within so many a difference is found; a rare one needs some ten thousand
NONE = 2_000  # so many matches show that there is no difference

ALL = pytest.mark.parametrize("definition", chosen(), ids=label)


def differ(one: Game, other: Game, most: int) -> bool:
    """Whether two games ever end otherwise when they are played from the same seeds by the same dice. Only how they
    end is compared: a field in which nothing but the option itself is written down would differ at once."""
    mine, theirs = Simulation(one), Simulation(other)
    for first in range(0, most, CHUNK):
        a, b = mine.play(CHUNK, first), theirs.play(CHUNK, first)
        if not (np.array_equal(a.scores, b.scores) and np.array_equal(a.lengths, b.lengths)):
            return True
    return False


def ways(definition: Definition) -> list[tuple[str, int, Option]]:
    return [
        (variant, players, option)
        for variant, counts in definition.variants.items()
        for players in counts
        for option in definition.options
        if not option.variants or variant in option.variants
    ]


def telling(option: Option, values: tuple[Value, ...]) -> list[Value]:
    """The values to compare with the default: all, or of many numbers the outermost."""
    others = [value for value in values if value != option.default]
    return others if option.listed else sorted({others[0], others[-1]})


def played(definition: Definition, players: int, variant: str, **options: Any) -> Game:
    return definition.choose_from(options, players, variant)


@ALL
def test_what_is_offered_makes_a_difference(definition: Definition) -> None:
    printed = definition.standard_box.record
    for variant, players, option in ways(definition):
        usual = played(definition, players, variant)
        for value in telling(option, found) if (found := option.values(printed, variant)) else []:
            other = played(definition, players, variant, **{option.name: value})
            assert differ(usual, other, MOST), f"{variant}, {players} players: {option.name}={value} changes nothing"


@ALL
def test_what_is_not_offered_makes_none(definition: Definition) -> None:
    printed = definition.standard_box.record
    for variant, players, option in ways(definition):
        offered = option.values(printed, variant)
        for value in set(option.extremes()) - set(offered) - {option.default}:
            usual = played(definition, players, variant)
            other = played(definition, players, variant, **{option.name: value})
            assert not differ(usual, other, NONE), f"{variant}: {option.name}={value} is kept back, but matters"


@ALL
def test_every_option_has_a_sentence_and_a_rule(definition: Definition) -> None:
    for option in definition.options:
        assert option.help, option.name
        assert option.rule, option.name
        for value in option.extremes():
            assert str(option.says(value)).strip()
