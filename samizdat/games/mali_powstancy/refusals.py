"""Mali Powstańcy: why a decision is not open, in one sentence with the number of its rule.

Made from a hidden record, so that a refusal tells nothing the seat may not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samizdat.games.mali_powstancy.box import (
    EXCHANGE_ACTION,
    GOSSIP_ACTION,
    PALS_ACTION,
    SQUAD_ACTION,
)
from samizdat.games.mali_powstancy.guess import colours_of, is_first_copy, objectives_at
from samizdat.games.mali_powstancy.rules_actions import spaces_in_use
from samizdat.games.mali_powstancy.rules_map import carrier, has_fallen
from samizdat.games.mali_powstancy.rules_movement import may_jump
from samizdat.games.mali_powstancy.rules_orders import is_active, orders_due
from samizdat.games.mali_powstancy.rules_soldier import nearest_distance, scout_distance
from samizdat.games.mali_powstancy.rules_time import is_safe
from samizdat.games.mali_powstancy.state import (
    BASE,
    DEALT,
    KEPT,
    NONE,
    RED,
    State,
)
from samizdat.games.mali_powstancy.words import named
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Many


def why_not(game: Game, s: State, seat: int, move: Move) -> Line:
    """Why a move of a kind that the point asks for is not open to this seat now: one sentence and its rule."""
    return REFUSALS[move.kind](game, s, seat, move)


def _index(game: Game, table: str, id: str) -> int:
    return game.box.names[table].index(id)


def _word(game: Game, table: str, id: str) -> dict[str, Any]:
    return {"it": named(game, table, id)}


# --- Secret choices -------------------------------------------------------------------------------------------


def _keep(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    objective = _index(game, "objectives", move.args["objective"])
    it = _word(game, "objectives", move.args["objective"])
    kept = objectives_at(printed, s, KEPT + seat)
    cards = objectives_at(printed, s, DEALT + seat) | kept
    if not (cards >> objective) & 1:
        return Line("2.10.3", "the objective “{it}” was not dealt to you.", it)
    if kept >> objective:
        return Line("S3", "objectives are kept in the order of their numbers.")
    if not is_first_copy(printed, objective, cards):
        return Line("S3", "you hold another copy of “{it}”; keep that one.", it)
    if colours_of(printed, kept | (1 << objective)) == colours_of(printed, kept):
        return Line("2.10.3", "you keep one of that colour already.")
    return Line("S3", "not enough colours would be left among the later cards.")


def _card(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line("2.5.9", "card {card} is played; it comes back when all are.", {"card": move.args["card"]})


# --- Movement -------------------------------------------------------------------------------------------------


def _closed(game: Game, s: State, route: int, space: int) -> Line | None:
    """What keeps a scout from going along a route to a space."""
    if route != NONE and s.blocked[route]:
        return Line("2.5.8", "route {it} is blocked.", _word(game, "routes", game.box.names["routes"][route]))
    if space == s.soldier:
        return Line("2.5.7", "the soldier stands there.")
    if has_fallen(game.box.record, s, space):  # type: ignore[arg-type]
        return Line("2.12.3", "that district has fallen.")
    return None


def _enter(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    space = _index(game, "spaces", move.args["space"])
    return _closed(game, s, printed.route_of[space], space) or Line("2.5.4", "the scout cannot enter there.")


def _scout(s: State, seat: int, move: Move) -> tuple[int, int]:
    """The scout a move names, and where it is."""
    scout = int(move.args["scout"]) - 1
    return scout, s.at[seat, scout]


def _no_points(game: Game, s: State, seat: int) -> Line | None:
    if s.points_left > 0:
        return None
    printed: Any = game.box.record
    if s.acted and 0 < s.spent < printed.card_points[s.chosen[seat]]:
        return Line("A56", "the action came in between; the rest of the points is lost.")
    return Line("2.5.3", "no movement points are left.")


def _not_this_scout(s: State, scout: int, space: int) -> Line | None:
    if s.point == RED and scout != s.scout:
        return Line("2.7.5", "only scout {scout} may walk now.", {"scout": s.scout + 1})
    if space < 0:
        return Line("2.7.6", "this scout is in prison.")
    return None


def _step(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    scout, here = _scout(s, seat, move)
    if found := _no_points(game, s, seat) or _not_this_scout(s, scout, here):
        return found
    to = _index(game, "spaces", move.args["space"])
    for i in range(printed.degree[here]):
        if printed.adjacent[here, i] == to:
            return _closed(game, s, printed.by_route[here, i], to) or Line("2.5.5", "that step is not possible.")
    return Line("2.5.5", "{it} is not next to the scout.", _word(game, "spaces", move.args["space"]))


def _along(game: Game, s: State, here: int, to: int, id: str) -> Line:
    """Why a scout cannot jump from one space to a location."""
    printed: Any = game.box.record
    if here >= printed.locations:
        return Line("2.5.6", "a scout on a blank space cannot jump.")
    for i in range(printed.neighbours[here]):
        if printed.neighbour[here, i] == to:
            if found := _closed(game, s, printed.along[here, i], to):
                return found
            if printed.passes[printed.along[here, i]] & s.fallen:
                return Line("A42", "the route leads through a fallen district.")
            return Line("S1", "there is no blank between the two: a step does the same.")
    return Line("2.1.2", "{it} is not a neighbouring location.", _word(game, "locations", id))


def _jump(game: Game, s: State, seat: int, move: Move) -> Line:
    scout, here = _scout(s, seat, move)
    if s.point == RED and not s.red_move_may_jump:
        return Line("A16", "after a red number a scout walks and does not jump.")
    if found := _no_points(game, s, seat) or _not_this_scout(s, scout, here):
        return found
    if not may_jump(s):
        most = Many("{n} jump is allowed", "{n} jumps are allowed", s.max_jumps_per_turn)
        return Line("A2", "at most {most} in a turn.", {"most": most})
    return _along(game, s, here, _index(game, "locations", move.args["location"]), move.args["location"])


# --- Orders ---------------------------------------------------------------------------------------------------


def _take(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    scout, here = _scout(s, seat, move)
    order = _index(game, "orders", move.args["order"])
    it = _word(game, "orders", move.args["order"])
    if found := _not_this_scout(s, scout, here):
        return found
    if not is_active(s, order):
        return Line("2.1.6", "{it} does not lie in the queue.", it)
    if here != printed.origin[order]:
        return Line("2.6.1", "the scout is not at the origin of {it}.", it)
    if s.carries[seat, scout] != NONE:
        return Line("2.6.2", "a scout carries one order at most.")
    if carrier(s, seat, order) != NONE:
        return Line("2.6.2", "another scout of your team carries {it}.", it)
    return Line("A58", "you have taken {it} in this turn already.", it)


def _drop(game: Game, s: State, seat: int, move: Move) -> Line:
    scout, _ = _scout(s, seat, move)
    if s.carries[seat, scout] == NONE:
        return Line("2.6.3", "this scout carries no order.")
    return Line("A58", "you have dropped this order in this turn already.")


# --- Actions --------------------------------------------------------------------------------------------------


def _no_action(game: Game, s: State, seat: int, action: int) -> Line | None:
    """Why the action of a card cannot be used at all."""
    printed: Any = game.box.record
    number = {PALS_ACTION: "2.11.2", SQUAD_ACTION: "2.11.3", EXCHANGE_ACTION: "2.11.4", GOSSIP_ACTION: "2.11.5"}
    if s.variant == BASE:
        return Line("2.11.1", "cards have actions in the extended variant only.")
    if printed.action[s.chosen[seat]] != action:
        return Line(number[action], "the card you played does not allow that.")
    if s.acted:
        return Line("2.11.1", "the action of your card is used.")
    return None


def _pals(game: Game, s: State, seat: int, move: Move) -> Line:
    if found := _no_action(game, s, seat, PALS_ACTION):
        return found
    one, other = (int(scout) - 1 for scout in move.args["pair"].split("+"))
    if s.at[seat, one] == s.at[seat, other]:
        return Line("A55", "the two stand on one space; nothing would change.")
    return Line("2.11.2", "the two do not stand in one district.")


def _squad(game: Game, s: State, seat: int, move: Move) -> Line:
    if found := _no_action(game, s, seat, SQUAD_ACTION):
        return found
    _, here = _scout(s, seat, move)
    return _along(game, s, here, _index(game, "locations", move.args["location"]), move.args["location"])


def _exchange(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    if found := _no_action(game, s, seat, EXCHANGE_ACTION):
        return found
    order = _index(game, "orders", move.args["order"])
    if not is_active(s, order):
        return Line("2.1.6", "{it} does not lie in the queue.", _word(game, "orders", move.args["order"]))
    if (spaces_in_use(printed, s) >> (s.place[order] + 1)) & 1:
        return Line("S2", "name the deeper of the two orders first.")
    return Line("A36", "no order lies in a space next to its own.")


def _with(game: Game, s: State, seat: int, move: Move) -> Line:
    it = _word(game, "orders", move.args["order"])
    return Line("A35", "{it} does not lie in the space before the other order.", it)


def _gossip(game: Game, s: State, seat: int, move: Move) -> Line:
    if found := _no_action(game, s, seat, GOSSIP_ACTION):
        return found
    printed: Any = game.box.record
    if orders_due(printed, s, s.rounds + 1) == 0:
        return Line("A37", "no Orders phase will reveal anything.")
    return Line("A55", "the next Orders phase will reveal nothing you do not know.")


# --- The soldier and time -------------------------------------------------------------------------------------


def _hunt(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    scout, _ = _scout(s, seat, move)
    if scout_distance(printed, s, seat, scout) != nearest_distance(printed, s):
        return Line("2.7.3", "another scout is nearer to the soldier.")
    return Line("S4", "this scout cannot walk, or stands with one that you may name.")


def _way(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line("A13", "no shortest way leads the soldier to {it} now.", _word(game, "spaces", move.args["space"]))


def _fail(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line(
        "A9", "{it} is not among the orders that have just failed.", _word(game, "orders", move.args["order"])
    )


def _block(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    route = _index(game, "routes", move.args["route"])
    it = _word(game, "routes", move.args["route"])
    end = printed.destination[s.resolving]
    if end not in (printed.ends[route, 0], printed.ends[route, 1]):
        return Line("2.8.3", "{it} does not start at the destination of the failed order.", it)
    if s.blocked[route]:
        return Line("2.8.5", "{it} is blocked already.", it)
    return Line("A8", "{it} has no space for the token in the destination's district.", it)


def _refuge(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    location = _index(game, "locations", move.args["location"])
    if not is_safe(printed, s, location):
        return Line("A10", "that location is not safe.")
    return Line("2.8.6", "another safe location is nearer.")


# For each kind of decision but "end", which is never refused where it belongs.
REFUSALS: dict[str, Callable[[Game, State, int, Move], Line]] = {
    "keep": _keep,
    "card": _card,
    "enter": _enter,
    "take": _take,
    "drop": _drop,
    "step": _step,
    "jump": _jump,
    "pals": _pals,
    "squad": _squad,
    "exchange": _exchange,
    "with": _with,
    "gossip": _gossip,
    "hunt": _hunt,
    "way": _way,
    "fail": _fail,
    "block": _block,
    "refuge": _refuge,
}
