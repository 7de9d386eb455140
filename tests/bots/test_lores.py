"""A lore is an argument of the search: two of them in one process are two searches."""

from __future__ import annotations

from typing import Any

import pytest

from samizdat.bots import bot
from samizdat.bots.compiled import type_of
from samizdat.bots.novice import Novice
from samizdat.bots.thinking import Mind
from samizdat.kernel.errors import OptionError
from samizdat.kernel.lores import NO_LORE, Lore
from samizdat.kernel.rule import rule
from tests.bots.toys import ROSHAMBO


@rule
def rock(box: Any, s: Any, out: Any) -> None:
    """Whoever shows rock has all of the win."""
    for seat in range(s.seats):
        out[seat] = 1.0 if s.shape[seat] == 0 else 0.0


@rule
def scissors(box: Any, s: Any, out: Any) -> None:
    for seat in range(s.seats):
        out[seat] = 1.0 if s.shape[seat] == 2 else 0.0


LORES = {"show rock": Lore(worth=rock), "show scissors": Lore(worth=scissors)}


@pytest.mark.parametrize("order", [1, -1], ids=["rock first", "scissors first"])
def test_two_lores_in_one_process_are_two_searches(order: int) -> None:
    sight = ROSHAMBO.choose().match(seed=1).sight(1)
    for wanted in list(LORES)[::order]:
        found = Mind(lore=LORES[wanted]).think(sight, seed=3, simulations=300)
        assert str(found.best.move) == wanted
    assert Mind().think(sight, seed=3, simulations=300).mixed


def test_a_bot_is_given_a_lore() -> None:
    sight = ROSHAMBO.choose().match(seed=1).sight(1)
    for wanted, lore in LORES.items():
        assert str(bot("expert", simulations=300, seed=1, lore=lore).choose(sight)) == wanted


def test_lores_of_the_same_functions_are_compiled_once() -> None:
    assert type_of(Lore(worth=rock, explore=2.0)) == type_of(LORES["show rock"]) != type_of(LORES["show scissors"])
    assert type_of(Lore()) == type_of(NO_LORE)


def test_functions_of_the_same_name_are_not_taken_for_each_other() -> None:
    def named(share: float) -> Any:
        def worth(box: Any, s: Any, out: Any) -> None:
            for seat in range(s.seats):
                out[seat] = share

        return worth

    one, other = Lore(worth=named(0.0)), Lore(worth=named(1.0))
    assert type_of(one) != type_of(other)
    assert type_of(one) == type_of(one)


def test_an_interpreted_bot_uses_it_as_well() -> None:
    import random

    match = ROSHAMBO.choose().match(seed=1)
    match.play(0, "show paper")
    sight = match.sight(1)
    for wanted, lore in LORES.items():
        assert str(Novice(random.Random(2), lore).choose(sight)) == wanted


def test_a_bot_from_outside_has_no_use_for_it() -> None:
    with pytest.raises(OptionError, match="takes no lore"):
        bot("tests.bots.test_guests:First", lore=NO_LORE)
