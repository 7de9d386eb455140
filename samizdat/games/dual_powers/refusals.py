"""Dual Powers: why a move is not open now, in one sentence with the number of its rule."""

from __future__ import annotations

from typing import Any

from samizdat.games.dual_powers.rules_actions import (
    bit,
    controlled,
    in_scoring,
    open_regions,
    steps_of_card,
    whole_city,
)
from samizdat.games.dual_powers.rules_cards import faction_of
from samizdat.games.dual_powers.state import (
    ACTION,
    BONUS_RECRUITING,
    CARD,
    LEADING,
    MOVING,
    NEUTRAL,
    NONE,
    OBJECTIVE,
    PLACE_OPEN,
    RECRUITING,
    REFRESH_ACTION,
    SOLITAIRE,
    SPECIAL_OPEN,
    SUPPLY,
    UNREST,
    State,
)
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Word

ONLY_LEADERS = ("place", "protest", "spy", "inspire")
SPECIAL_MOVES = ("protest", "spy", "inspire")  # in the order of the specials in the state


def why_not(game: Game, s: State, seat: int, move: Move) -> Line:
    """Why a move of this game is not open to this seat now: one sentence and its rule."""
    faction = faction_of(s, seat)
    if s.point == OBJECTIVE:
        return _why_not_objective(move)
    if s.point == CARD:
        return _why_not_card(game, s, faction, move)
    if move.kind in ("objective", "play", "lead"):
        rule = "D4.1" if move.kind == "objective" else "D5.2"
        return Line(rule, "cards are not chosen now; the step that was begun comes first.")
    if s.point == BONUS_RECRUITING:
        return Line("D6.9", "say into which region the unit goes.")
    if s.point == LEADING:
        return _why_not_leading(game, s, move)
    if move.kind == "to":
        return _why_not_to(game, s, move)
    if s.token >= 0 and s.point != RECRUITING:
        return Line("D6.2", "the token is chosen; say where it goes.")
    if s.point in (ACTION, RECRUITING):
        return _why_not_action(game, s, faction, move)
    return _why_not_bonus(game, s, faction, move)


def _why_not_objective(move: Move) -> Line:
    if move.kind == "objective":
        return Line("D4.1", "{card} is not in your hand.", {"card": Word("commands", move.args["card"])})
    return Line("D4.1", "first everyone puts a command card face down as objective.")


def _why_not_card(game: Game, s: State, faction: int, move: Move) -> Line:
    if move.kind == "play":
        return Line("D5.3", "{card} is not in your hand.", {"card": Word("commands", move.args["card"])})
    if move.kind == "lead":
        printed: Any = game.box.record
        leader = game.box.names["leaders"].index(move.args["leader"])
        words = {"leader": Word("leaders", move.args["leader"])}
        if printed.leader_faction[leader] != faction:
            return Line("D1.1", "{leader} is a leader of the other faction.", words)
        return Line("D9.4", "{leader} was played already; leader cards never come back.", words)
    if move.kind == "pass":
        return Line("A-15", "a card must be played in every turn.")
    if move.kind == "objective":
        return Line("D4.1", "objectives are chosen at the beginning of the round only.")
    return Line("D5.2", "play a card first.")


def _why_not_to(game: Game, s: State, move: Move) -> Line:
    printed: Any = game.box.record
    if s.token < 0 or s.point == RECRUITING:
        return Line("D6.2", "choose the token first.")
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


def _why_not_leading(game: Game, s: State, move: Move) -> Line:
    printed: Any = game.box.record
    if move.kind == "place":
        return Line("D6.5", "the leader was placed already.")
    if move.kind not in SPECIAL_MOVES:
        return Line("D5.9", "a leader card offers Leader Recruit and its special action only.")
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


def _why_not_action(game: Game, s: State, faction: int, move: Move) -> Line:
    printed: Any = game.box.record
    if move.kind in ONLY_LEADERS:
        return Line("D5.9", "only a leader card offers that.")
    if move.kind in ("draw", "organize"):
        return Line("D6.9" if move.kind == "draw" else "S7", "that is a bonus action.")
    if move.kind == "score":
        return Line("D8.1", "points for unrest are taken in the scoring phase.")
    if move.kind == "recruit":
        return _why_not_recruit(game, s, faction, move, s.value)
    if s.point == RECRUITING:
        return Line("D5.9", "you have begun to recruit; the card gives one or the other, not both.")
    if (move.kind == "refresh") != (printed.action[s.card] == REFRESH_ACTION):
        return Line("D5.9", "the card does not offer that action.")
    return _why_not_token(game, s, faction, move)


def _why_not_recruit(game: Game, s: State, faction: int, move: Move, value: int) -> Line:
    printed: Any = game.box.record
    token = game.box.names["tokens"].index(move.args["token"])
    words: dict[str, Any] = {"token": Word("tokens", move.args["token"]), "value": value}
    if printed.is_leader[token]:
        return Line("D6.5", "{token} is a leader and comes with a leader card only.", words)
    if printed.unit_of[token] != faction:
        return Line("D6.1", "{token} is not a unit of your faction.", words)
    if s.at[token] != SUPPLY:
        return Line("D6.1", "{token} is not in your supply.", words)
    if printed.rank[token] > value:
        if s.point in (ACTION, RECRUITING):
            return Line("D6.1", "{token} is of a higher rank than the recruit value of {value} that is left.", words)
        return Line("A-13", "a bonus recruit takes a unit of rank 1, and {token} is not.", words)
    return Line("A-52", "units are recruited in the order of the box; {token} comes before the last one.", words)


def _why_not_token(game: Game, s: State, faction: int, move: Move) -> Line:
    """Move and Refresh, as actions or bonus actions."""
    printed: Any = game.box.record
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


def _why_not_bonus(game: Game, s: State, faction: int, move: Move) -> Line:
    if move.kind in ONLY_LEADERS:
        return Line("D6.9", "that is no bonus action.")
    if move.kind == "score":
        return Line("D8.1", "points for unrest are taken in the scoring phase.")
    if move.kind == "pass":
        return Line("A-44", "take the points or one bonus action.")
    if move.kind == "draw":
        return Line("A-29", "no card is left to draw.")
    if move.kind == "organize":
        if s.variant != SOLITAIRE:
            return Line("S7", "Organize exists in the solitaire only.")
        if s.point == UNREST and in_scoring(s):
            return Line("A-45", "Organize is a bonus action of your turn, not of unrest.")
        if s.objective[faction] == NONE:
            return Line("A-51", "you have no objective in this round.")
        return Line("A-46", "your objective lies face up already.")
    if move.kind == "recruit":
        return _why_not_recruit(game, s, faction, move, 1)
    return _why_not_token(game, s, faction, move)
