"""Bots from outside: found by package, file or entry point, told their budget, and held to the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.bots import guests
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from tests.bots.toys import ROSHAMBO

HERE = "tests.bots.test_guests"


class First:
    """Takes what is offered first."""

    def choose(self, sight: Sight) -> Move:
        return sight.legal()[0]


class Told:
    """Says what it was told, and answers by number."""

    def __init__(self, seconds: float = 9.0, seed: int = 9) -> None:
        self.told = (seconds, seed)

    def choose(self, sight: Sight) -> int:
        return sight.legal()[-1].id


def paper(**budget: Any) -> Any:
    """A function makes bots as well as a class does."""

    class Paper:
        def choose(self, sight: Sight) -> str:
            return "show paper"

    return Paper()


class Cheat:
    def __init__(self, answer: Any = "show lizard") -> None:
        self.answer = answer

    def choose(self, sight: Sight) -> Any:
        return self.answer


class Mute:
    pass


def sight() -> Sight:
    return ROSHAMBO.choose().match(seed=1).sight(0)


def test_a_bot_is_anything_that_chooses(tmp_path: Path) -> None:
    assert str(samizdat.bot(f"{HERE}:First").choose(sight())) == "show rock"
    assert str(samizdat.bot(f"{HERE}:Told").choose(sight())) == "show scissors"
    assert str(samizdat.bot(f"{HERE}:paper", seconds=1.0).choose(sight())) == "show paper"
    file = tmp_path / "mine.py"
    file.write_text("class Agent:\n    def choose(self, sight):\n        return sight.legal()[1]\n")
    assert str(samizdat.bot(f"{file}:Agent").choose(sight())) == "show paper"


def test_it_is_told_what_it_takes() -> None:
    agent: Any = guests.make(f"{HERE}:Told", 2.0, None, 5)
    assert agent.told == (2.0, 5)
    assert guests.make(f"{HERE}:First", None, None, 5)
    with pytest.raises(OptionError, match="takes no simulations"):
        samizdat.bot(f"{HERE}:Told", simulations=5)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nobody", "There is no level “nobody”; there are random"),
        ("no_such_package:Bot", "cannot be read: No module named 'no_such_package'"),
        (f"{HERE}:Nobody", "there is no “Nobody” in it"),
        (f"{HERE}:HERE", "there is no “HERE” in it"),
        (f"{HERE}:Mute", r"has no choose\(sight\)"),
        ("/no/such.py:Bot", "cannot be read"),
        (":", "There is no bot"),
        ("x:", "There is no bot"),
    ],
)
def test_one_that_is_none_is_refused_in_a_sentence(name: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        samizdat.bot(name)


@pytest.mark.parametrize("answer", ["show lizard", 77, None, "", b"show rock", 2.5])
def test_what_is_not_open_is_not_played(answer: Any) -> None:
    guest = samizdat.bots.Guest("cheat", Cheat(answer))
    with pytest.raises(IllegalMove, match="The bot “cheat” chose"):
        guest.choose(sight())


def test_it_is_not_asked_where_nothing_is_to_choose() -> None:
    guest = samizdat.bots.Guest("cheat", Cheat())
    match = ROSHAMBO.choose().match(seed=1)
    match.play(0, "show rock")
    with pytest.raises(IllegalMove, match="nothing to decide"):
        guest.choose(match.sight(0))
