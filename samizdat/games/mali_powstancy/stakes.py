"""Mali Powstańcy: what a card, a way or an order may win or lose, measured when the round is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.lore import A_FAILURE, PACE
from samizdat.games.mali_powstancy.lore_forecasts import A_RETURN, likely_met
from samizdat.games.mali_powstancy.lore_ways import team_way
from samizdat.games.mali_powstancy.rules_map import carrier
from samizdat.games.mali_powstancy.rules_orders import is_active
from samizdat.games.mali_powstancy.rules_scoring import return_score
from samizdat.games.mali_powstancy.state import (
    ARRESTS,
    CARD,
    DELIVERED,
    FOURTH_TOKEN,
    GONE,
    KEPT,
    NONE,
    OBJECTIVE,
    SCOUTS,
    THIRD_DISTRICT,
    TURN_BEGINS,
    State,
)
from samizdat.games.mali_powstancy.words import named, scout_word
from samizdat.kernel.game import Game
from samizdat.kernel.stakes import Stake
from samizdat.kernel.telling import Told, template

THE_CITY = 30.0  # points that not everybody loses is worth
AN_ARREST = 4.0
CARRIED = 0.4  # of an order's points
A_RIVALS = 0.5
A_POINT, A_TURN = 0.8, 0.5  # of movement, and for acting before one more


def stakes(game: Game, s: State, seat: int) -> list[Stake]:
    box: Printed = game.box.record  # type: ignore[assignment]
    if s.point == OBJECTIVE:
        return [_objective(game, box, seat, objective) for objective in range(box.objectives)]
    found = [
        Stake(
            ("defeat",), "2.9.4", template("Everybody loses in {figure}"), -THE_CITY,
            lambda after, told: float(after.reason in (FOURTH_TOKEN, THIRD_DISTRICT)), chance=True,
        ),
        Stake(
            ("home",), "2.9.2", template("Your scouts on starting locations: {figure} points if it ended now"),
            A_RETURN, lambda after, told: float(return_score(box, after, seat)),
        ),
    ]  # fmt: skip
    if s.point == CARD:
        found += _card(seat)
    for scout in range(SCOUTS):
        found.append(_arrest(game, seat, scout))
    for order in range(box.orders):
        if is_active(s, order):
            found += _order(game, box, s, seat, order)
    return found


def _objective(game: Game, box: Printed, seat: int, objective: int) -> Stake:
    """2.10.3, 2.13.3: an objective that is kept, by how likely it is met."""
    id = game.box.names["objectives"][objective]

    def met(after: State, told: Sequence[Told]) -> float:
        return likely_met(box, after, seat, objective) if after.objective[objective] == KEPT + seat else 0.0

    return Stake(
        ("objective", id), "2.13.3", template("“{objective}”, {points} points: you meet it in {figure}"),
        box.objective_points[objective], met, chance=True,
        values={"objective": named(game, "objectives", id), "points": box.objective_points[objective]},
    )  # fmt: skip


def _card(seat: int) -> list[Stake]:
    """2.5.2, 2.5.3: what a movement card brings, and how many act before it."""

    def points(after: State, told: Sequence[Told]) -> float:
        return float(next((one.args[1] for one in told if one.event == TURN_BEGINS and one.args[0] == seat), 0))

    def earlier(after: State, told: Sequence[Told]) -> float:
        turns = [one.args[0] for one in told if one.event == TURN_BEGINS]
        return float(turns.index(seat) if seat in turns else 0)

    return [
        Stake(("movement",), "2.5.3", template("Your movement points this round: {figure}"), A_POINT, points),
        Stake(("earlier",), "2.5.2", template("Teams that act before you: about {figure}"), -A_TURN, earlier),
    ]


def _arrest(game: Game, seat: int, scout: int) -> Stake:
    """2.7.4: the soldier reaches a scout."""

    def arrested(after: State, told: Sequence[Told]) -> float:
        return float(any(one.event == ARRESTS and one.args[:2] == (seat, scout) for one in told))

    return Stake(
        ("arrest", str(scout + 1)), "2.7.4", template("{scout}: arrested in {figure}"), -AN_ARREST, arrested,
        chance=True, values={"scout": scout_word(game, seat, scout)},
    )  # fmt: skip


def _order(game: Game, box: Printed, s: State, seat: int, order: int) -> list[Stake]:
    """2.6, 2.8: who delivers an order, whether it fails, and how far it is to go."""
    points, id = box.order_points[order], game.box.names["orders"][order]
    words: dict[str, Any] = {"order": named(game, "orders", id), "points": points}

    def delivered(after: State, told: Sequence[Told]) -> float:
        return float(after.place[order] == DELIVERED + seat)

    def lost(after: State, told: Sequence[Told]) -> float:
        return float(after.place[order] >= DELIVERED and after.place[order] != DELIVERED + seat)

    def carried(after: State, told: Sequence[Told]) -> float:
        return float(is_active(after, order) and carrier(after, seat, order) != NONE)

    def failed(after: State, told: Sequence[Told]) -> float:
        return float(after.place[order] == GONE)

    def to_go(after: State, told: Sequence[Told]) -> float:
        if after.place[order] == DELIVERED + seat:
            return 0.0
        return float(team_way(box, after if is_active(after, order) else s, seat, order))

    return [
        Stake(
            ("delivered", id), "2.6.4", template("{order}, {points} points: you deliver it this round in {figure}"),
            points + A_FAILURE / 4, delivered, chance=True, values=words,
        ),
        Stake(
            ("lost", id), "2.6.4",
            template("{order}, {points} points: another team delivers it this round in {figure}"),
            -A_RIVALS * points, lost, chance=True, values=words,
        ),
        Stake(
            ("carried", id), "2.6.1", template("{order}, {points} points: you carry it after this round in {figure}"),
            CARRIED * points, carried, chance=True, values=words,
        ),
        Stake(
            ("failed", id), "2.8.3", template("{order}: it fails this round in {figure}"), -A_FAILURE, failed,
            chance=True, values=words,
        ),
        Stake(
            ("way", id), "2.5.5",
            template("{order}, {points} points: {figure} movement points to go after this round"),
            -CARRIED * points / (2 * PACE), to_go, values=words,
        ),
    ]  # fmt: skip
