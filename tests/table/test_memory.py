"""The memory of fragments: what comes out of it is what would have been drawn without it, to the byte."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from samizdat.conformance.games import DOSE
from samizdat.conformance.walks import walk
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.table import contexts
from samizdat.table.fast_jinja import FRAGMENTS, Fragments, plain
from samizdat.table.page_parts import draw, parts, steps
from samizdat.table.preview import position
from samizdat.table.viewing import PageView, SeatView

NAMES = (("Ada", "Bolek", "Cyd", "Dora"), ("<b>Eva</b>", "Fritz & Co", "Gino", "Halina"))
KINDS = ("person", "bot")
LANGUAGES = ("en", "pl", "de")
MATCHES = DOSE
PLIES = 30 * DOSE  # looked at; the rest of a match is played unseen, up to its end
OFTEN = 4  # plies from one look through everybody's eyes to the next
BOXES = [(name, variant) for name, found in definitions().items() for variant in found.variants]
every_box = pytest.mark.parametrize(("name", "variant"), BOXES)
Look = tuple[PageView, str, bool]  # in which language, and whether help is wanted


class Doubtful(Fragments):
    """Hands nothing out, and notices when one key stands for two fragments."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn: dict[Any, Any] = {}

    def get(self, key: Any) -> Any:
        return None

    def put(self, key: Any, value: Any) -> None:
        assert self.drawn.setdefault(key, value) == value


@pytest.fixture(autouse=True)
def fresh_memory() -> Iterator[None]:
    FRAGMENTS.clear()
    yield
    FRAGMENTS.on = True
    FRAGMENTS.clear()


def seated(shown: PageView, names: Sequence[str], kinds: Sequence[str]) -> PageView:
    return replace(shown, chairs=[SeatView(names[i], kinds[i % len(kinds)]) for i in range(len(shown.chairs))])


def others(match: Match, look: Look, dice: random.Random) -> Iterator[Look]:
    """The same position with one thing changed: all that a key could forget, one by one."""
    shown, code, helps = look
    for seat in (None, *range(match.seats)):
        yield seated(position(match, seat), NAMES[0], KINDS), code, helps
    composed = shown.seen.draft
    if composed is not None and composed.open:
        drafted = position(match, shown.seen.seat, (dice.choice(composed.open),))
        yield seated(drafted, NAMES[0], KINDS), code, helps
    yield replace(shown, past=not match.over), code, helps
    yield seated(shown, NAMES[1], KINDS), code, helps
    yield seated(shown, NAMES[0], KINDS[::-1]), code, helps
    yield shown, dice.choice(LANGUAGES[1:]), helps
    yield shown, code, not helps


def looks(name: str, variant: str, dice: random.Random) -> Iterator[Look]:
    """Random matches, decision by decision, mostly through the same eyes: from one look to the next little changes,
    so that two fragments that differ in one thing alone do turn up."""
    found = definitions()[name]
    for _ in range(MATCHES):
        match = Match(found.choose(dice.choice(list(found.variants[variant])), variant, None), dice.getrandbits(60))
        eyes = dice.choice(range(match.seats))
        while True:
            look = (seated(position(match, eyes), NAMES[0], KINDS), LANGUAGES[0], True)
            yield look
            if match.over or match.plies % OFTEN == 0:
                yield from others(match, look, dice)
            if match.over:
                break
            if match.plies == PLIES:
                *_, match = walk(match, dice.getrandbits(60))
                continue
            seat = dice.choice(match.turn)
            match.play(seat, dice.choice(match.legal(seat)))


@pytest.mark.slow
@every_box
def test_a_key_stands_for_one_fragment(name: str, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Doubtful()
    monkeypatch.setattr(contexts, "FRAGMENTS", memory)
    for shown, code, helps in looks(name, variant, random.Random(f"{name} {variant}")):
        draw(shown, code, helps)
    assert len(memory.drawn) > 100


@every_box
def test_with_and_without(name: str, variant: str) -> None:
    dice = random.Random(f"{name} {variant}")
    for shown, code, helps in itertools.islice(looks(name, variant, dice), 0, None, 7):
        FRAGMENTS.on = False
        bare = parts(shown, code, helps)
        FRAGMENTS.on = True
        drawn = draw(shown, code, helps)
        for part, html in bare.items():
            assert drawn["parts"][part] == html, (part, shown.seen.seat, code, helps, shown.version)
        assert drawn["steps"] == steps(shown, code)
    assert len(FRAGMENTS) > 0


def test_nothing_is_kept_while_it_is_off() -> None:
    FRAGMENTS.on = False
    match = Match(definitions()["revolution"].choose(), 7)
    parts(position(match, 0), "en")
    assert len(FRAGMENTS) == 0


def test_the_memory_is_bounded() -> None:
    memory = Fragments(most=10)
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
