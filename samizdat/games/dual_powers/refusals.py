"""Dual Powers: why a move is not open now, in one sentence with the number of its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samizdat.games.dual_powers.rules_actions import steps_of_card
from samizdat.games.dual_powers.rules_cards import faction_of
from samizdat.games.dual_powers.rules_tokens import bit, controlled, open_regions, whole_city
from samizdat.games.dual_powers.state import (
    ACTION,
    MOVING,
    NEUTRAL,
    NONE,
    PLACE_OPEN,
    RECRUITING,
    REFRESH_ACTION,
    SOLITAIRE,
    SPECIAL_OPEN,
    SUPPLY,
    State,
)
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Word

SPECIAL_MOVES = ("protest", "spy", "inspire")  # in the order of the specials in the state


def why_not(game: Game, s: State, seat: int, move: Move) -> Line:
    """Why a move of a kind that the point asks for is not open to this seat now: one sentence and its rule.

    Declining is open wherever it is asked for, and so are the points for unrest and every region for a bonus unit.
    """
    return REASONS[move.kind](game, s, faction_of(s, seat), move)


def _why_not_objective(game: Game, s: State, faction: int, move: Move) -> Line:
    return Line("D4.1", "{card} is not in your hand.", {"card": Word("commands", move.args["card"])})


def _why_not_play(game: Game, s: State, faction: int, move: Move) -> Line:
    return Line("D5.3", "{card} is not in your hand.", {"card": Word("commands", move.args["card"])})


def _why_not_lead(game: Game, s: State, faction: int, move: Move) -> Line:
    printed: Any = game.box.record
    leader = game.box.names["leaders"].index(move.args["leader"])
    words = {"leader": Word("leaders", move.args["leader"])}
    if printed.leader_faction[leader] != faction:
        return Line("D1.1", "{leader} is a leader of the other faction.", words)
    return Line("D9.4", "{leader} was played already; leader cards never come back.", words)


def _why_not_recruit(game: Game, s: State, faction: int, move: Move) -> Line:
    printed: Any = game.box.record
    by_card = s.point in (ACTION, RECRUITING)
    value = s.value if by_card else 1
    token = game.box.names["tokens"].index(move.args["token"])
    words: dict[str, Any] = {"token": Word("tokens", move.args["token"]), "value": value}
    if printed.is_leader[token]:
        return Line("D6.5", "{token} is a leader and comes with a leader card only.", words)
    if printed.unit_of[token] != faction:
        return Line("D6.1", "{token} is not a unit of your faction.", words)
    if s.at[token] != SUPPLY:
        return Line("D6.1", "{token} is not in your supply.", words)
    if printed.rank[token] > value:
        if by_card:
            return Line("D6.1", "{token} is of a higher rank than the recruit value of {value} that is left.", words)
        return Line("A-13", "a bonus recruit takes a unit of rank 1, and {token} is not.", words)
    return Line("A-52", "units are recruited in the order of the box; {token} comes before the last one.", words)


def _why_not_token(game: Game, s: State, faction: int, move: Move) -> Line:
    """Move and Refresh, as actions or bonus actions."""
    printed: Any = game.box.record
    if s.point == ACTION and (move.kind == "refresh") != (printed.action[s.card] == REFRESH_ACTION):
        return Line("D5.9", "the card does not offer that action.")
    token = game.box.names["tokens"].index(move.args["token"])
    words = {"token": Word("tokens", move.args["token"])}
    if s.at[token] >= SUPPLY:
        return Line("D6.2" if move.kind == "move" else "D6.4", "{token} is not on the board.", words)
    owner = printed.faction[token]
    if owner not in (faction, NEUTRAL) or (owner == NEUTRAL and s.will != faction):
        return Line("D7.1", "you do not control {token}.", words)
    pairs = controlled(printed, s, faction, whole_city(printed))
    if not pairs & bit(owner, s.at[token]):
        return Line("A-8", "you control neutral tokens only beside a token of your faction.", words)
    if move.kind == "refresh":
        return Line("D6.4", "{token} is fresh.", words)
    if not open_regions(printed, s) >> s.at[token] & 1:
        return Line("D6.2", "no open connection leads away from {token}.", words)
    return Line("A-14", "a bonus move takes a unit of rank 1 or a leader, and {token} is neither.", words)


def _why_not_to(game: Game, s: State, faction: int, move: Move) -> Line:
    printed: Any = game.box.record
    region = game.box.names["regions"].index(move.args["region"])
    words = {
        "token": Word("tokens", game.box.names["tokens"][s.token]),
        "region": Word("regions", move.args["region"]),
    }
    twice = s.point == MOVING and steps_of_card(printed, s) == 2
    if region == s.at[s.token]:
        return Line("A-25" if twice else "D6.2", "{token} must end in another region.", words)
    if {printed.joins[s.blockade, 0], printed.joins[s.blockade, 1]} == {region, s.at[s.token]}:
        return Line("D6.2", "the blockade closes the way from there to {region}.", words)
    if twice:
        return Line("D6.3", "{region} is more than two open steps away.", words)
    return Line("D6.2", "no open connection leads there in one step.", words)


def _why_not_place(game: Game, s: State, faction: int, move: Move) -> Line:
    return Line("D6.5", "the leader was placed already.")


def _why_not_special(game: Game, s: State, faction: int, move: Move) -> Line:
    printed: Any = game.box.record
    if move.kind != SPECIAL_MOVES[printed.special[s.leader]]:
        words = {"leader": Word("leaders", game.box.names["leaders"][s.leader])}
        return Line("D5.9", "that is not the special action of {leader}.", words)
    if move.kind == "protest" and s.still_open & SPECIAL_OPEN:
        return Line("A-26", "the blockade marker lies there already; it must go to another connection.")
    if s.still_open & PLACE_OPEN and move.kind == "spy":
        return Line("A-27", "there is no face-down objective to turn up.")
    if s.still_open & PLACE_OPEN and move.kind == "inspire":
        return Line("A-46", "you hold the Will of the People, or took it with this card.")
    return Line("A-46", "the special action was used, or would change nothing.")


def _why_not_draw(game: Game, s: State, faction: int, move: Move) -> Line:
    return Line("A-29", "no card is left to draw.")


def _why_not_organize(game: Game, s: State, faction: int, move: Move) -> Line:
    if s.variant != SOLITAIRE:
        return Line("S7", "Organize exists in the solitaire only.")
    if s.objective[faction] == NONE:
        return Line("A-51", "you have no objective in this round.")
    return Line("A-46", "your objective lies face up already.")


REASONS: dict[str, Callable[[Game, State, int, Move], Line]] = {
    "objective": _why_not_objective,
    "play": _why_not_play,
    "lead": _why_not_lead,
    "recruit": _why_not_recruit,
    "move": _why_not_token,
    "refresh": _why_not_token,
    "to": _why_not_to,
    "place": _why_not_place,
    "protest": _why_not_special,
    "spy": _why_not_special,
    "inspire": _why_not_special,
    "draw": _why_not_draw,
    "organize": _why_not_organize,
}
