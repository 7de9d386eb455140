"""Templates take a short way through Jinja, and print what they would print on the long one; a stream is woken."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest
from jinja2 import Environment, UndefinedError
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context

from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.table import rendering
from samizdat.table.fast_jinja import FRAGMENTS, Compiled, FastEnvironment, field
from samizdat.table.page_parts import draw
from samizdat.table.preview import position
from samizdat.table.streams import Bell

DECISIONS = 40


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Nothing that was drawn is remembered; the function forgets what is compiled."""

    def forget() -> None:
        rendering.environment.cache_clear()
        rendering.macros.cache_clear()
        monkeypatch.setattr(rendering, "COMPILED", Compiled())

    monkeypatch.setattr(FRAGMENTS, "on", False)
    forget()
    yield forget
    rendering.environment.cache_clear()
    rendering.macros.cache_clear()


@pytest.mark.parametrize("name", definitions())
def test_the_short_way_prints_what_the_long_one_prints(
    name: str, forgetful: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As jinja2 itself compiles it, to the letter: every part, all seats and who looks on, whatever the point."""
    dice, match = random.Random(name), Match(definitions()[name].choose(), 7)
    shown, short = [], []
    for number in range(DECISIONS):
        if match.over:
            break
        seat = dice.choice(match.turn)
        if number % 4 == 0:
            shown += [position(match, viewer) for viewer in (None, seat)]
        match.play(seat, dice.choice(match.legal(seat)))
    short = [draw(one, "en") for one in shown]
    monkeypatch.setattr(FastEnvironment, "code_generator_class", CodeGenerator)
    monkeypatch.setattr(FastEnvironment, "context_class", Context)
    monkeypatch.setattr(FastEnvironment, "_generate", Environment._generate)
    forgetful()
    assert [draw(one, "en") for one in shown] == short


def test_what_is_not_there_can_be_asked_for_and_not_printed() -> None:
    env = rendering.environment("en")
    there = env.from_string(
        "{% if thing.other is defined %}yes{% else %}no{% endif %}{{ thing.items()|list|length }}"
    )
    assert there.render(thing={"items": 1}) == "no1", "methods of a dict stay what they are"
    with pytest.raises(UndefinedError):
        env.from_string("{{ thing.other }}").render(thing={"one": 1})
    assert not field({}, "other")
    assert field({"one": 1}, "one") == field(type("Thing", (), {"one": 1}), "one") == 1


def test_a_bell_rings_once_and_a_limit_is_no_ring() -> None:
    async def wait() -> list[bool]:
        bell, clock = Bell(), asyncio.get_running_loop()
        bell.set()
        bell.set()
        heard = [await bell.wait(clock.time() + 60), await bell.wait(clock.time())]
        clock.call_soon(bell.set)
        return [*heard, await bell.wait(clock.time() + 60)]

    assert asyncio.run(wait()) == [True, False, True]
