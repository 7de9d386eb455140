"""Mali Powstańcy: what bots believe of ways, of orders that come too late, and of partners who do not help."""

from __future__ import annotations

from typing import Any

import pytest

from samizdat.games.mali_powstancy import lore, lore_forecasts, lore_ways
from samizdat.games.mali_powstancy.box import COVERS_DISTRICTS, MOST_FROM, MOST_ORDERS
from samizdat.games.mali_powstancy.rules_orders import names_fallen
from samizdat.games.mali_powstancy.state import DELIVERED, GONE, HAND, KNOWN, PRISON, UNSEEN
from samizdat.kernel.match import Match
from tests.games.warsaw import BOX, NAME, at, cites, order, position, space, state, turn


def weights(match: Match) -> dict[str, float]:
    """How promising each open decision looks to the seat that is to act."""
    seat = match.turn[0]
    moves = match.legal(seat)
    found = [0.0] * len(moves)
    lore.prior(BOX, state(match), seat, [move.id for move in moves], len(moves), found)
    return {str(move): weight for move, weight in zip(moves, found, strict=True)}


def failures_ahead(s: Any) -> float:
    return float(lore_forecasts.prospects(BOX, s, [0.0] * s.seats))


def danger(s: Any) -> float:
    return float(lore_forecasts.danger(BOX, s, failures_ahead(s)))


def red_turn(points: int = 3, variant: str = "base", **given: Any) -> Match:
    return position(variant, given=turn("red", points_left=points, **given))


@cites(NAME, "2.5.5b")
def test_a_long_route_is_one_point_away() -> None:
    s = state(position())
    here, there = space("plac_wilsona"), space("palacyk_michla")
    assert BOX.distance[here, there] == 5
    assert lore_ways.way(BOX, s, here, there) == 1


@cites(NAME, "2.5.8", "2.12.3d")
def test_a_closed_way_costs_a_detour() -> None:
    here, there = space("plac_wilsona"), space("palacyk_michla")
    blocked = state(position(given={"blocked": {"r05": 1}, "tokens": 1}))
    assert lore_ways.way(BOX, blocked, here, there) == 1 + lore_ways.DETOUR
    fallen = state(position("extended"))
    fallen.tokens, fallen.fallen = 1, 1 << BOX.district[there]
    assert lore_ways.way(BOX, fallen, here, there) == 1 + lore_ways.DETOUR


@cites(NAME, "2.5.5", "2.6.1")
def test_a_carrier_jumps_and_does_not_walk() -> None:
    match = red_turn(place={"o01": 1}, at=at(red={1: "cytadela"}), carries={"red": {"1": "o01"}})
    found = weights(match)
    best = max(found, key=lambda move: found[move])
    assert best.startswith("jump 1 ")
    assert found["step 1 r02_1"] < found[best] / 10


@cites(NAME, "2.6.1")
def test_two_scouts_of_a_team_do_not_go_for_one_order() -> None:
    """Scout 2 at the PAST building is as near to o18, at the Bank Polski, as it can be; scout 3 stays away."""
    s = state(red_turn(place={"o18": 1}))
    assert lore.errand(BOX, s, 0, 1)[0] == space("bank_polski")
    assert lore.errand(BOX, s, 0, 2)[0] != space("bank_polski")


@cites(NAME, "2.5.4")
def test_an_escaped_scout_enters_where_an_order_waits() -> None:
    match = position(given=turn("red", point="entry", points_left=3, at=at(red={1: HAND}), place={"o39": 2}))
    found = weights(match)
    assert max(found, key=lambda move: found[move]) == "enter port"


@cites(NAME, "2.7.5", "A16")
def test_the_red_move_counts_steps() -> None:
    """The soldier's die gives steps, not jumps: the blank on the way is nearer than the location behind it."""
    given = turn("red", point="red", scout=0, points_left=2, place={"o01": 1})
    match = position(given={**given, "at": at(red={1: "cytadela"}), "carries": {"red": {"1": "o01"}}})
    found = weights(match)
    assert found["step 1 r02_1"] > found["step 1 r01_1"]


@cites(NAME, "2.11.5", "A56")
def test_an_action_does_not_interrupt_a_turn() -> None:
    given = {"chosen": {"red": "4"}, "points_left": 2, "place": {"o18": 1}}
    assert weights(position("extended", given=turn("red", spent=0, **given)))["gossip"] == 1.0
    assert weights(position("extended", given=turn("red", spent=2, **given)))["gossip"] == lore.IDLE


@cites(NAME, "2.8.1", "2.8.4")
def test_an_order_whose_carrier_is_too_far_away_is_in_danger() -> None:
    """o06 goes from Plac Wilsona to the port, and is due now."""
    given = {"rounds": 1, "place": {"o06": 5}, "carries": {"red": {"1": "o06"}}}
    near = state(position(given={**given, "at": at(red={1: "przyczolek_czerniakowski"})}))
    far = state(position(given={**given, "at": at(red={1: "cytadela"})}))
    assert failures_ahead(far) > 0.6 > failures_ahead(near)
    assert danger(far) > danger(near)


@cites(NAME, "2.15")
def test_only_teams_that_deliver_are_relied_on() -> None:
    idle = state(position(given={"rounds": 9, "place": {"o18": 1}}))
    busy = idle.copy()
    busy.deliveries[1] = 3
    assert lore_ways.trust(idle, 1) == pytest.approx(1 / 9)
    assert lore_ways.trust(busy, 1) == 1.0
    assert danger(busy) < danger(idle)


@cites(NAME, "2.10.3")
def test_a_game_that_has_not_begun_can_be_judged() -> None:
    out = [0.0] * 4
    lore.evaluate(BOX, state(position("extended")), out)
    assert 0.0 < out[0] < 1.0


@cites(NAME, "2.6.1")
def test_an_order_that_cannot_come_in_time_is_hardly_taken() -> None:
    """o06 is five jumps long."""
    late = weights(red_turn(1, place={"o06": 5}, at=at(red={1: "plac_wilsona"})))
    fresh = weights(red_turn(1, place={"o06": 1}, at=at(red={1: "plac_wilsona"})))
    assert BOX.journey[space("plac_wilsona"), BOX.destination[order("o06")]] == 5
    assert late["take 1 o06"] < fresh["take 1 o06"] / 5


def shares(s: Any) -> list[float]:
    """Points of active orders that each seat may expect."""
    points = [0.0] * s.seats
    lore_forecasts.prospects(BOX, s, points)
    return points


@cites(NAME, "2.6.4")
def test_an_order_is_a_race() -> None:
    """Both carry o06 from Plac Wilsona to the port: whoever is nearer may expect most of its points, never more."""
    given = {"place": {"o06": 2}, "carries": {"red": {"1": "o06"}, "orange": {"1": "o06"}}}
    ahead, behind = at(red={1: "cytadela"}), at(orange={1: "przyczolek_czerniakowski"})
    alone = shares(state(position(players=2, given={**given, "at": ahead, "carries": {"red": {"1": "o06"}}})))
    raced = shares(state(position(players=2, given={**given, "at": {**ahead, **behind}})))
    assert raced[0] < alone[0] / 3
    assert raced[1] > raced[0]
    assert sum(raced) < BOX.order_points[order("o06")]


@cites(NAME, "2.6.2", "2.7.4")
def test_a_team_in_prison_delivers_nothing() -> None:
    locked = {"red": {str(scout): PRISON for scout in (1, 2, 3)}}
    assert shares(state(position(players=2, given={"place": {"o06": 2}, "at": locked})))[0] == 0.0


@cites(NAME, "2.4.1")
def test_whoever_is_near_where_orders_may_come_from_may_expect_more() -> None:
    s = state(position(players=2))
    even, moved = [0.0, 0.0], [0.0, 0.0]
    lore_forecasts.outlook(BOX, s, even)
    assert even[0] == pytest.approx(even[1])
    for scout in range(3):  # all in one far corner
        s.at[0, scout] = space("port")
    lore_forecasts.outlook(BOX, s, moved)
    assert moved[0] < moved[1]
    assert sum(moved) == pytest.approx(sum(even))
    s.above = 0
    nothing = [0.0, 0.0]
    lore_forecasts.outlook(BOX, s, nothing)
    assert nothing == [0.0, 0.0]


@cites(NAME, "2.13.4")
@pytest.mark.parametrize("number", range(BOX.objectives))
def test_every_delivery_makes_an_objective_likelier_or_leaves_it(number: int) -> None:
    """And none is certain but districts that were reached."""
    s = state(position("extended", players=2))
    before = lore_forecasts.likely_met(BOX, s, 0, number)
    assert 0.0 < before < 1.0
    risen = False
    for delivered in range(BOX.orders):
        s.place[delivered] = DELIVERED
        s.deliveries[0] += 1
        after = lore_forecasts.likely_met(BOX, s, 0, number)
        assert after >= before
        risen, before = risen or after > before, after
    assert risen
    assert (before == 1.0) == (BOX.objective_type[number] == COVERS_DISTRICTS)


@cites(NAME, "2.13.4")
def test_what_others_deliver_endangers_an_objective() -> None:
    s = state(position("extended", players=2))
    most_orders = next(n for n in range(BOX.objectives) if BOX.objective_type[n] == MOST_ORDERS)
    before = lore_forecasts.likely_met(BOX, s, 0, most_orders)
    s.deliveries[1] = 2
    assert lore_forecasts.likely_met(BOX, s, 0, most_orders) < before


@cites(NAME, "2.13.4", "A43")
def test_a_tie_at_nothing_meets_no_objective_when_little_is_to_come() -> None:
    s = state(position("extended", players=2))
    most_from = next(n for n in range(BOX.objectives) if BOX.objective_type[n] == MOST_FROM)

    def likely(above: int) -> float:
        s.above = above
        return float(lore_forecasts.likely_met(BOX, s, 0, most_from))

    assert likely(0) < 0.1 < likely(2) < likely(8)


def expected(s: Any) -> float:
    points = [0.0] * s.seats
    lore_forecasts.outlook(BOX, s, points)
    return sum(points)


@cites(NAME, "2.4.1", "2.12.3")
def test_no_order_is_expected_that_names_a_fallen_district() -> None:
    """Whether it is still in the deck makes no difference; of the others it does."""
    s = state(position("extended", players=2))
    s.fallen = int(BOX.names[order("o06")])  # two districts
    for number in range(BOX.orders):
        if s.place[number] == UNSEEN:
            before = expected(s)
            s.place[number] = GONE
            assert (expected(s) == before) == names_fallen(BOX, number, s.fallen), number
            s.place[number] = UNSEEN


@cites(NAME, "2.4.1", "2.11.5")
def test_orders_that_were_looked_at_are_expected_for_certain() -> None:
    s = state(position("extended", players=2))
    best = max(range(BOX.orders), key=lambda n: int(BOX.order_points[n]))
    before = expected(s)
    s.place[best] = KNOWN
    rest = [int(BOX.order_points[n]) for n in range(BOX.orders) if s.place[n] == UNSEEN]
    others = (lore_forecasts.NEXT_ORDERS - 1) * sum(rest) / len(rest)
    assert before < expected(s) == pytest.approx(lore_forecasts.OUTLOOK * (int(BOX.order_points[best]) + others))


@cites(NAME, "2.5.4", "2.7.1")
def test_an_escaped_scout_is_wherever_it_is_needed() -> None:
    s = state(position(players=2, given={"place": {"o06": 2}}))
    wilson = space("plac_wilsona")
    carried = int(BOX.journey[wilson, space("port")])

    def reckoned(where: int) -> tuple[int, int]:
        s.at[0, 0], s.at[0, 1], s.at[0, 2] = where, PRISON, PRISON
        return lore_ways.team_way(BOX, s, 0, order("o06")), lore_forecasts.readiness(BOX, s, 0, wilson)

    assert reckoned(HAND) == reckoned(wilson) == (carried, 0)
    assert reckoned(PRISON) == (lore_ways.FAR, lore_ways.FAR)
