"""The memory of fragments: what comes out of it is what would have been drawn without it, to the byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.table.preview import position
from samizdat.table.quick import MEMORY, Memory, plain
from samizdat.table.rendering import Chair, Position, parts, picture, steps

NAMES = (("Ada", "Bolek", "Cyd", "Dora"), ("<b>Eva</b>", "Fritz & Co", "Gino", "Halina"))
BOXES = [(name, variant) for name, found in definitions().items() for variant in found.variants]


@pytest.fixture(autouse=True)
def fresh_memory() -> Iterator[None]:
    MEMORY.clear()
    yield
    MEMORY.on = True
    MEMORY.clear()


def positions(name: str, variant: str, dice: random.Random) -> Iterator[Position]:
    """Positions of one random match, as several viewers see them, with drafts, at tables with other names."""
    found = definitions()[name]
    game = found.choose(dice.choice(list(found.variants[variant])), variant, None)
    match = Match(game, dice.getrandbits(60))
    while True:
        if match.over or match.plies < 6 or dice.random() < 0.12:
            for seat in (None, *range(match.seats)):
                shown = position(match, seat)
                if shown.seen.draft and shown.seen.draft.open and dice.random() < 0.7:
                    shown = position(match, seat, (dice.choice(shown.seen.draft.open),))
                kinds = [dice.choice(("person", "bot")) for _ in range(match.seats)]
                names = dice.choice(NAMES)
                chairs = [Chair(names[i], kinds[i]) for i in range(match.seats)]
                yield replace(shown, chairs=chairs, past=not match.over and dice.random() < 0.15)
        if match.over or match.plies > 140:
            return
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))


@pytest.mark.parametrize(("name", "variant"), BOXES)
def test_with_and_without(name: str, variant: str) -> None:
    dice = random.Random(f"{name} {variant}")
    shown = [one for _ in range(2) for one in positions(name, variant, dice)]
    wanted = [(one, dice.choice(("en", "pl", "de")), dice.random() < 0.6) for one in shown]
    wanted = dice.sample(wanted, min(len(wanted), 90))
    MEMORY.on = False
    bare = [parts(one, code, helps) for one, code, helps in wanted]
    assert len(MEMORY) == 0
    MEMORY.on = True
    order = [*range(len(wanted)), *range(len(wanted))]
    dice.shuffle(order)
    for number in order:
        one, code, helps = wanted[number]
        drawn = picture(one, code, helps)
        for part, html in bare[number].items():
            assert drawn["parts"][part] == html, (part, one.seen.seat, code, helps, one.version)
        assert drawn["steps"] == steps(one, code)
    assert len(MEMORY) > 0


def test_the_memory_is_bounded() -> None:
    memory = Memory(most=10)
    for number in range(100):
        memory.put(number, str(number))
        memory.get(99 - number)
        assert len(memory) <= 10
    assert memory.get(99) == "99"
    assert memory.get(1) is None


def test_a_key_says_all_it_is() -> None:
    assert plain({"a": [1, True]}) != plain({"a": [1, 1]})
    shared = "word" * 3
    assert plain([shared, shared]) == plain(["word" * 3, "".join(["word"] * 3)])
    with pytest.raises(TypeError, match="part of a key"):
        plain([object()])
