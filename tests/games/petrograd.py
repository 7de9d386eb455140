"""Dual Powers: positions and boxes for its tests, written as scenes write them."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.games.dual_powers import GAME, laws, rules_scoring, show
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import write

cites = pytest.mark.rules
BOX = GAME.folder / "box.toml"
FACTIONS = ("red", "white")


def table(given: dict[str, Any], box: Path | None = None, **options: Any) -> Match:
    """A match at a position described like a scene's."""
    match = samizdat.game("dual-powers", box=box, **options).match(seed=3)
    write(match.game, match._state, given)
    show.arrange(match.game, match._state, given)  # type: ignore[arg-type]
    assert laws.broken(match._box, match._state) == 0  # type: ignore[arg-type]
    return match


def alone(given: dict[str, Any], **options: Any) -> Match:
    return table(given, variant="solitaire", **options)


def turn_of(who: str, **given: Any) -> dict[str, Any]:
    return {"point": "card", "first": who, "decider": who, "turns": 1, **given}


def acting(who: str, card: str, **given: Any) -> dict[str, Any]:
    return {"point": "action", "first": who, "decider": who, "turns": 1, "card": card, **given}


def parts(match: Match) -> tuple[Any, Any, Luck]:
    """Box, state and luck, for calling rules directly."""
    luck = Luck()
    seed_luck(luck, 5)
    return match._box, match._state, luck


def strengths(match: Match, region: str) -> tuple[int, int]:
    found = next(one for one in match.view(None)["regions"] if one["id"] == region)["strength"]
    return found["red"], found["white"]


def tokens_of(match: Match, faction: int, region: str) -> int:
    box, s, _ = parts(match)
    return rules_scoring.force(box, s, faction, match.game.box.names["regions"].index(region)) & 255


def where(match: Match, token: str) -> str:
    s: Any = match._state
    return match.game.box.names["places"][s.at[match.game.box.names["tokens"].index(token)]]


def tired(match: Match, token: str) -> bool:
    s: Any = match._state
    return bool(s.tired[match.game.box.names["tokens"].index(token)])


def open_to(match: Match, seat: int = 0) -> set[str]:
    return {str(move) for move in match.legal(seat)}


def rules_told(match: Match, viewer: int | None = 0) -> dict[str, str]:
    """The lines of the log, each with the rule it cites."""
    return {str(line): line.rule for line in match.log(viewer)}


def play_all(match: Match, *moves: str) -> None:
    for text in moves:
        who, _, move = text.partition(" ")
        match.play(FACTIONS.index(who) if match.seats == 2 else 0, move)


def random_play(match: Match, seed: int, until: Any = None) -> Match:
    rng = random.Random(seed)
    while not match.over and (until is None or not until(match)):
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def edited_box(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the box file with some text replaced."""
    text = BOX.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "edited.toml"
    path.write_text(text, encoding="utf-8")
    return path


def small_box(folder: Path, cards: int) -> Path:
    """The box with only some command cards, every fourth of the list first: the deck runs out all the time."""
    text = BOX.read_text(encoding="utf-8")
    rows = re.findall(r'^    \["\w+", +"\w+", +\d, \d, "\w+", +\d, "reconstructed"\],.*\n', text, re.MULTILINE)
    assert len(rows) == 48
    kept = [row for start in range(4) for row in rows[start::4]][:cards]
    for row in rows:
        if row not in kept:
            text = text.replace(row, "")
    path = folder / f"small{cards}.toml"
    path.write_text(text.replace('"command_cards", 48', f'"command_cards", {cards}'), encoding="utf-8")
    return path
