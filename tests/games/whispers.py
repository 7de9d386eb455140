"""Positions of A War of Whispers for the tests: given like those of scenes."""

from __future__ import annotations

from typing import Any

import samizdat
from samizdat.games.war_of_whispers import laws
from samizdat.games.war_of_whispers.show import arrange
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import write

RAVEN, RAT, SPIDER, SERPENT = range(4)
BEAR, EAGLE, ELEPHANT, LION, HORSE = range(5)


def position(players: int = 2, options: dict[str, Any] | None = None, **given: Any) -> Match:
    """A match at a position; fields as in the [given] table of a scene."""
    game = samizdat.game("war-of-whispers", players=players, **(options or {}))
    match = game.match(seed=0)
    write(game, match._state, given)
    arrange(game, match._state, given)
    law = laws.broken(game.box.record, match._state)  # type: ignore[arg-type]
    assert law == 0, laws.LAWS[law]
    return match


def at_seat(post: str, players: int = 2, options: dict[str, Any] | None = None, **given: Any) -> Match:
    """Raven's agent sits on a council seat that becomes active."""
    given = {"point": "before", "agent": {post: "raven"}, **given}
    return position(players, options, marker=post, **given)


def play(match: Match, *moves: str, seat: int = RAVEN) -> Match:
    for move in moves:
        match.play(seat, move)
    return match


def legal(match: Match, seat: int = RAVEN) -> set[str]:
    return {str(move) for move in match.legal(seat)}


def refused(match: Match, move: str, seat: int = RAVEN) -> str:
    """The rule that forbids a move."""
    before = bytes(match._state)
    try:
        match.play(seat, move)
    except samizdat.IllegalMove as error:
        assert bytes(match._state) == before
        return error.rule
    raise AssertionError(f"{move} was allowed")


def region(match: Match, id: str) -> int:
    return match.game.box.names["regions"].index(id)


def army(match: Match, id: str) -> int:
    s: Any = match._state
    return int(s.army[region(match, id)])


def holder(match: Match, id: str) -> str:
    s: Any = match._state
    return match.game.box.names["empires"][s.holder[region(match, id)]]


def reserve(match: Match, empire: int) -> int:
    s: Any = match._state
    return int(s.reserve[empire])


def state(match: Match) -> Any:
    return match._state


def word(match: Match) -> str:
    """The decision point, by name."""
    return str(match.view(None)["point"])


def pay_any(match: Match, seat: int = RAVEN) -> None:
    """Pay for the announced ability with the first cards that do."""
    while word(match) == "pay":
        match.play(seat, match.legal(seat)[0])


def resolve(match: Match, ability: str, seat: int = RAVEN) -> None:
    """Announce, pay and resolve an ability with the first choice at every step."""
    match.play(seat, f"play {ability}")
    pay_any(match, seat)
    steps = 0
    while state(match).ability >= 0:
        match.play(seat, match.legal(seat)[0])
        steps += 1
        assert steps < 60
