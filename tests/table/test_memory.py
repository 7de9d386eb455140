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
MATCHES = 2
BOXES = [(name, variant) for name, found in definitions().items() for variant in found.variants]


@pytest.fixture(autouse=True)
def fresh_memory() -> Iterator[None]:
    MEMORY.clear()
    yield
    MEMORY.on = True
    MEMORY.clear()


def looks(match: Match, dice: random.Random) -> Iterator[Position]:
    """One position as everybody sees it, with and without a draft, now and as a step of the past, at tables with
    other names: all that a key could forget, side by side."""
    for seat in (None, *range(match.seats)):
        shown = [position(match, seat)]
        composed = shown[0].seen.draft
        if composed is not None and composed.open:
            shown.append(position(match, seat, (dice.choice(composed.open),)))
        for one in shown:
            for names in NAMES:
                chairs = [Chair(names[i], dice.choice(("person", "bot"))) for i in range(match.seats)]
                yield replace(one, chairs=chairs)
        yield replace(shown[0], past=not match.over)


def positions(name: str, variant: str, dice: random.Random) -> Iterator[list[Position]]:
    """Some positions of random matches."""
    found = definitions()[name]
    for _ in range(MATCHES):
        match = Match(found.choose(dice.choice(list(found.variants[variant])), variant, None), dice.getrandbits(60))
        while not match.over and match.plies < 160:
            if dice.random() < 0.08:
                yield list(looks(match, dice))
            seat = dice.choice(match.turn)
            match.play(seat, dice.choice(match.legal(seat)))
        yield list(looks(match, dice))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), BOXES)
def test_with_and_without(name: str, variant: str) -> None:
    dice = random.Random(f"{name} {variant}")
    for shown in positions(name, variant, dice):
        code = dice.choice(("en", "pl", "de"))
        wanted = [(one, helps) for one in dice.sample(shown, min(len(shown), 8)) for helps in (True, False)]
        dice.shuffle(wanted)
        for one, helps in wanted:
            MEMORY.on = False
            bare = parts(one, code, helps)
            MEMORY.on = True
            drawn = picture(one, code, helps)
            for part, html in bare.items():
                assert drawn["parts"][part] == html, (part, one.seen.seat, code, helps, one.version)
            assert drawn["steps"] == steps(one, code)
    assert len(MEMORY) > 0


def test_nothing_is_kept_while_it_is_off() -> None:
    MEMORY.on = False
    match = Match(definitions()["revolution"].choose(), 7)
    parts(position(match, 0), "en")
    assert len(MEMORY) == 0


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
