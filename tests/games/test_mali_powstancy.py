"""Mali Powstańcy, 2.1 to 2.6: set-up, movement, orders; what the scenes do not already hold."""

from __future__ import annotations

import random
import tomllib
from itertools import pairwise

import pytest

import samizdat
from samizdat.games.mali_powstancy import GAME
from samizdat.games.mali_powstancy.rules_time import time_phase
from samizdat.games.mali_powstancy.state import (
    DEALT,
    ENTRY,
    GONE,
    HAND,
    KEPT,
    NONE,
    ORDERS,
    OVER,
    SCOUTS,
    TURN,
)
from samizdat.kernel.interpreted import scored
from samizdat.kernel.match import Match
from tests.conformance.test_perft import PERFT
from tests.games.warsaw import (
    BOX,
    FAR,
    NAME,
    NAMES,
    at,
    cites,
    luck,
    moves,
    order,
    position,
    refused,
    space,
    state,
    turn,
)


@pytest.mark.parametrize(("variant", "point", "empty"), [
    ("extended", "objective", "rounds chooser acting points_left spent jumps acted taken dropped first face scout "
     "looked_fallen failing resolving falling reason"),
    ("extended", "card", "acting first face looked_fallen failing resolving falling reason"),
    ("extended", "turn", "first face failing resolving falling reason"),
    ("extended", "failure", "first face resolving falling reason"),
    ("base", "card", "acting acted first looked looked_fallen under fallen failing resolving falling reason"),
    ("base", "entry", "spent jumps acted taken dropped first looked under fallen failing resolving reason"),
    ("base", "red", "acted first looked looked_fallen under fallen failing resolving falling reason"),
])  # fmt: skip
def test_fields_that_are_not_in_use_are_empty(variant: str, point: str, empty: str) -> None:
    """Records are keys of trees: what was left behind in any of these would be found."""
    match, dice = samizdat.game(NAME, players=3, variant=variant).match(seed=2), random.Random(2)
    while match.view(None)["point"] != point:
        if match.over:
            match = match.game.match(seed=dice.getrandbits(32))
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    assert GAME.laws.broken(BOX, state(match)) == 0
    for field in empty.split():
        s = state(match).copy()
        setattr(s, field, getattr(s, field) + 1)
        assert GAME.laws.broken(BOX, s), field


# --- 2.1, 2.2 Terms and set-up --------------------------------------------------------------------------------


@cites(NAME, "2.1.1", "2.1.2", "2.1.4", "A4", "A48")
def test_the_map_has_seventeen_locations_and_fifty_blanks() -> None:
    assert BOX.locations == 17
    assert BOX.spaces == 67
    assert NAMES["spaces"][:17] == NAMES["locations"]
    assert {name.rsplit("_", 1)[0] for name in NAMES["spaces"][17:]} <= set(NAMES["routes"])
    for number in range(BOX.spaces):
        assert BOX.degree[number] == 2 or number < 17
        assert 0 <= BOX.district[number] < 7
    crossing = [route for route in range(BOX.routes) if bin(BOX.passes[route]).count("1") == 2]
    assert crossing  # a route may run through two districts
    r08 = NAMES["routes"].index("r08")
    assert BOX.length[r08] == 1
    assert BOX.distance[space("bank_polski"), space("budynek_pasty")] == 1


@cites(NAME, "2.1.3")
def test_distances_of_the_dossier() -> None:
    pairs = {
        ("plac_wilsona", "port"): 15,
        ("cytadela", "stary_mokotow"): 13,
        ("starowka", "palacyk_michla"): 5,
        ("bank_polski", "plac_trzech_krzyzy"): 3,
        ("sggw", "port"): 6,
        ("palacyk_michla", "port"): 12,
        ("r28_2", "przyczolek_czerniakowski"): 1,
        ("r18_2", "browary_warszawskie"): 2,
        ("r28_2", "r28_2"): 0,
    }
    for (one, other), steps in pairs.items():
        assert BOX.distance[space(one), space(other)] == BOX.distance[space(other), space(one)] == steps


@cites(NAME, "2.2.1", "2.2.2", "2.2.3", "2.2.4", "2.2.5", "2.14", "A46", "A47")
@pytest.mark.parametrize(("players", "deck", "first"), [(2, 12, 1), (3, 16, 2), (4, 20, 2)])
def test_base_set_up(players: int, deck: int, first: int) -> None:
    starts = set()
    for seed in range(30):
        match = samizdat.game(NAME, players=players).match(seed)
        view = match.view(None)
        starts.add(view["start_player"])
        assert view["soldier"] == "plac_narutowicza"
        assert view["deck"]["cards"] == deck - first
        assert len(view["queue"]) == 5
        assert len(view["queue"][0]) == first
        assert view["victory_card"] is None
        for player in view["players_at_table"]:
            assert player["hand"] == ["1", "2", "3", "4", "5"]
            places = [scout["at"] for scout in player["scouts"]]
            assert places == ["plac_wilsona", "budynek_pasty", "stary_mokotow"]
    assert starts == set(range(players))


@cites(NAME, "2.10.1", "2.10.2", "2.10.3", "2.10.4", "A26")
@pytest.mark.parametrize(("players", "under"), [(2, 24), (3, 18), (4, 12)])
def test_extended_set_up(players: int, under: int) -> None:
    match = samizdat.game(NAME, variant="extended", players=players).match(5)
    s = state(match)
    assert match.turn == tuple(range(players))
    assert s.soldier == NONE
    assert (s.under, s.above) == (under, 42 - under)
    for seat in range(players):
        mine = [number for number in range(BOX.objectives) if s.objective[number] == DEALT + seat]
        assert len(mine) == 6
        assert len({BOX.objective_colour[number] for number in mine}) >= 3
        for _ in range(3):
            match.play(seat, match.legal(seat)[0])
        kept = [number for number in range(BOX.objectives) if state(match).objective[number] == KEPT + seat]
        assert len({BOX.objective_colour[number] for number in kept}) == 3
    assert len(match.view(0)["queue"]) == 4
    assert match.view(0)["round"] == 1


@cites(NAME, "2.10.3", "S3")
def test_a_hand_of_two_colours_is_dealt_again() -> None:
    """X16 with the cards dealt one by one: blue, blue, brown, brown, brown, blue for red."""
    game = samizdat.game(NAME, variant="extended", players=2)
    poor = [0, 0, 4, 4, 4, 0]  # j01, j02, j07, j08, j09, j03, each by its place among those left
    match = Match(game, 1, [0, *poor])
    told = [str(line) for line in match.log(None)]
    assert sum("dealt again" in line for line in told) >= 1
    lawful = Match(game, 1, [0, 0, 0, 4, 4, 8, 0])  # the fifth card is grey
    assert not any("dealt again" in str(line) for line in lawful.log(None))
    assert moves(lawful, 0) == ["keep j01", "keep j03"]  # j02 reads like j01
    assert refused(lawful, 0, "keep j02") == "S3"
    assert refused(lawful, 0, "keep j14") == "2.10.3"
    assert refused(lawful, 0, "keep j07") == "S3"  # then only grey would be left
    lawful.play(0, "keep j01")
    assert refused(lawful, 0, "keep j03") == "2.10.3"
    assert refused(lawful, 0, "card 1") == "2.10.3"
    lawful.play(0, "keep j07")
    assert refused(lawful, 0, "keep j01") == "S3"


# --- 2.3 to 2.5 The round -------------------------------------------------------------------------------------


@cites(NAME, "2.3", "2.7.2", "2.8.7")
def test_the_phases_of_a_round() -> None:
    match = samizdat.game(NAME, players=2).match(4)
    first = match.view(None)["start_player"]
    for seat in (0, 1):
        match.play(seat, "card 1")
    while match.view(None)["round"] == 1 and not match.over:
        match.play(match.turn[0], match.legal(match.turn[0])[0])
    told = [line.rule for line in match.log(None)]
    for earlier, later in (("2.4.1", "2.5.1"), ("2.5.2", "2.5.3"), ("2.5.3", "2.7.2"), ("2.7.2", "2.8.7")):
        assert told.index(earlier) < told.index(later)
    assert match.view(None)["start_player"] == (first + 1) % 2


@cites(NAME, "2.5.1", "2.5.9")
def test_cards_come_back_when_all_are_played() -> None:
    match = samizdat.game(NAME, players=2, variant="extended").match(6)
    for seat in (0, 1):
        for _ in range(3):
            match.play(seat, match.legal(seat)[0])
    for number in range(1, 8):
        left = 5 - (number - 1) % 5
        assert match.view(None)["round"] == number
        assert [len(player["hand"]) for player in match.view(None)["players_at_table"]] == [left, left]
        for seat in (1, 0):
            if left < 5:
                assert refused(match, seat, "card 1") == "2.5.9"
            match.play(seat, match.legal(seat)[0])
        while match.view(None)["point"] != "card":
            match.play(match.turn[0], match.legal(match.turn[0])[0])


@cites(NAME, "2.5.4", "2.5.7", "2.5.8", "A21")
def test_escaped_scouts_enter_first_and_almost_anywhere() -> None:
    given = turn("red", point="entry", at=at(red={1: HAND, 3: HAND}), blocked={"r28": 1})
    match = position(given=given)
    assert moves(match, 0, "enter") == moves(match, 0)
    assert len(match.legal(0)) == 67 - 1 - 2
    assert refused(match, 0, "enter plac_narutowicza") == "2.5.7"
    assert refused(match, 0, "enter r28_1") == "2.5.8"
    assert refused(match, 0, "end") == "2.5.4"
    match.play(0, "enter r10_1")
    assert state(match).point == ENTRY
    match.play(0, "enter r10_1")
    assert state(match).point == TURN
    assert [state(match).at[0, scout] for scout in range(SCOUTS)] == [
        space("r10_1"),
        space("budynek_pasty"),
        space("r10_1"),
    ]


@cites(NAME, "2.5.3")
def test_points_may_stay_unused_and_do_not_carry_over() -> None:
    match = position(given=turn("red", order=["red", "orange"], chosen={"red": "5", "orange": "2"}))
    assert state(match).points_left == 5
    match.play(0, "end")
    assert match.turn == (1,)
    assert state(match).points_left == 2


@cites(NAME, "A2", "A57")
def test_a_limit_of_jumps() -> None:
    match = position(max_jumps_per_turn=1, given=turn())
    match.play(0, "jump 1 cytadela")
    assert not moves(match, 0, "jump")
    assert moves(match, 0, "step")
    assert refused(match, 0, "jump 2 bank_polski") == "A2"
    squad = position("extended", max_jumps_per_turn=1, given=turn(chosen={"red": "2"}))
    squad.play(0, "squad 1 cytadela")
    assert moves(squad, 0, "jump")
    squad.play(0, "jump 1 wytwornia_papierow")
    assert not moves(squad, 0, "jump")
    assert len(moves(position(given=turn()), 0, "jump")) == 8  # no limit, but for the step of S1


@cites(NAME, "S1", "A4")
def test_between_adjacent_locations_a_step_is_enough() -> None:
    match = position("extended", given=turn(chosen={"red": "2"}))
    assert "step 2 bank_polski" in moves(match, 0)
    assert "squad 2 bank_polski" in moves(match, 0)
    assert refused(match, 0, "jump 2 bank_polski") == "S1"


# --- 2.6 Orders -----------------------------------------------------------------------------------------------


@cites(NAME, "2.6.3", "A58")
def test_dropping_and_taking_again() -> None:
    match = position(
        given=turn(at=at(red={1: "plac_wilsona", 2: "plac_wilsona"}), place={"o06": "space_1", "o05": "space_1"})
    )
    match.play(0, "take 1 o06")
    assert refused(match, 0, "drop 2") == "2.6.3"
    match.play(0, "drop 1")
    assert refused(match, 0, "take 1 o06") == "A58"  # not twice in one turn
    match.play(0, "take 1 o05")
    match.play(0, "drop 1")
    assert refused(match, 0, "take 2 o05") == "A58"
    assert not moves(match, 0, "take", "drop")
    later = position(given=turn(at=at(red={1: "plac_wilsona"}), place={"o06": "space_1"}, carries=at(red={1: "o06"})))
    later.play(0, "drop 1")
    later.play(0, "take 1 o06")
    assert refused(later, 0, "drop 1") == "A58"
    away = position(given=turn(at=at(red={1: "cytadela"}), place={"o06": "space_1"}, carries=at(red={1: "o06"})))
    away.play(0, "drop 1")
    assert refused(away, 0, "take 1 o06") == "2.6.1"  # only at the origin


@cites(NAME, "2.6.1", "2.6.2", "A19")
def test_taking_in_passing_on_foot() -> None:
    given = turn(at=at(red={1: "r09_1"}), place={"o18": "space_3", "o21": "space_1"})
    match = position(given=given)
    match.play(0, "step 1 bank_polski")
    match.play(0, "take 1 o18")
    match.play(0, "step 1 r07_1")
    assert state(match).carries[0, 0] == order("o18")
    jump = position(given=turn(at=at(red={1: "budynek_pasty"}), place={"o22": "space_1"}))
    jump.play(0, "jump 1 plac_trzech_krzyzy")  # nothing between the two ends is touched
    assert not moves(jump, 0, "take")


@cites(NAME, "2.6.2")
def test_one_order_for_a_scout() -> None:
    match = position(given=turn(place={"o06": "space_1", "o05": "space_1"}))
    match.play(0, "take 1 o06")
    assert refused(match, 0, "take 1 o05") == "2.6.2"


@cites(NAME, "A20", "A60")
def test_nobody_takes_in_another_turn() -> None:
    match = position(given=turn(place={"o06": "space_1"}))
    with pytest.raises(samizdat.NotYourTurn):
        match.play(1, "take 1 o06")


@cites(NAME, "A24", "2.9.1")
def test_the_round_of_the_last_delivery_is_played_to_its_end() -> None:
    given = turn(
        order=["red", "orange"],
        at=at(red={1: "r29_2", 2: "cytadela", 3: "cytadela"}, orange=dict.fromkeys((1, 2, 3), "cytadela")),
        place={"o06": "space_5"},
        carries=at(red={1: "o06"}),
        above=0,
    )
    match = position(given=given)
    match.play(0, "step 1 port")
    assert not match.over
    match.play(0, "end")
    match.play(1, "end", [0])
    assert match.reason == "last_order"
    assert match.scores == [15, 0]


# --- Islands --------------------------------------------------------------------------------------------------


@cites(NAME, "A49")
def test_fallen_districts_may_cut_the_board_in_two() -> None:
    """With Wola and Powiśle lost, Żoliborz cannot be left, and an order inside it can still be served."""
    given = turn(
        "red",
        failures={"wola": 2, "powisle": 2},
        at=at(red={1: "plac_wilsona", 2: "port", 3: "port"}, orange=FAR),
    )
    match = position("extended", given=given)
    s = state(match)
    reach, edge = {s.at[0, 0]}, [s.at[0, 0]]
    while edge:
        here = edge.pop()
        for i in range(BOX.degree[here]):
            near = BOX.adjacent[here, i]
            if near not in reach and not (s.fallen >> BOX.district[near]) & 1:
                reach.add(near)
                edge.append(near)
    assert {NAMES["districts"][BOX.district[number]] for number in reach} == {"zoliborz"}
    match.play(0, "jump 1 cytadela")
    assert refused(match, 0, "jump 1 wytwornia_papierow") == "2.12.3"


# --- Every position -------------------------------------------------------------------------------------------


@cites(NAME, "2.5.5", "2.5.5a", "2.5.5b", "2.5.6", "2.5.7", "2.5.8", "2.12.3d", "S1")
@pytest.mark.parametrize("variant", ["base", "extended"])
def test_steps_and_jumps_against_the_tables_of_the_box(variant: str) -> None:
    """Along random games, the open steps and jumps are those a reader of the map would list."""
    rows = GAME.standard_box.text.tables
    chains = {
        row["id"]: [row["a"], *(f"{row['id']}_{i}" for i in range(1, row["length"])), row["b"]]
        for row in rows["routes"]
    }
    district = {row["id"]: row["district"] for row in rows["locations"]}
    seen: dict[str, int] = {}
    for blank in rows["blanks"]:
        seen[blank["route"]] = seen.get(blank["route"], 0) + 1
        district[f"{blank['route']}_{seen[blank['route']]}"] = blank["district"]
    rng = random.Random(3)
    checked = 0
    for seed in range(4):
        match = samizdat.game(NAME, variant=variant, players=3).match(seed)
        while not match.over:
            seat = rng.choice(match.turn)
            view = match.view(seat)
            if view["point"] == "turn" and view["deciding"]["points_left"]:
                open_now = set()
                for number, scout in enumerate(view["players_at_table"][seat]["scouts"], start=1):
                    for route, chain in chains.items():
                        if route in view["blocked"] or scout["at"] not in chain:
                            continue
                        for one, other in [*pairwise(chain), *pairwise(chain[::-1])]:
                            if (
                                one == scout["at"]
                                and other != view["soldier"]
                                and district[other] not in view["fallen"]
                            ):
                                open_now.add(f"step {number} {other}")
                        ends = (chain[0], chain[-1])
                        if scout["at"] in ends and len(chain) > 2:
                            other = ends[1 - ends.index(scout["at"])]
                            lost = any(district[one] in view["fallen"] for one in chain)
                            if other != view["soldier"] and not lost:
                                open_now.add(f"jump {number} {other}")
                assert set(moves(match, seat, "step", "jump")) == open_now
                checked += 1
            match.play(seat, rng.choice(match.legal(seat)))
    assert checked > 100


@cites(NAME, "2.8.1", "A53")
def test_time_empties_the_last_space_and_moves_the_others() -> None:
    match = position(given=turn(place={"o01": "space_5", "o02": "space_4", "o03": "space_1"}))
    time_phase(BOX, state(match), luck())
    places = [state(match).place[order(id)] for id in ("o01", "o02", "o03")]
    assert places == [GONE, 5, 2]


@cites(NAME, "2.9.4")
def test_running_scores_count_delivered_orders() -> None:
    match = position(given=turn(place={"o06": "delivered_red"}))
    out = scored(BOX, state(match))
    assert [out.points[seat] for seat in (0, 1)] == [15, 0]
    assert match.winners == ()
    assert state(match).point != OVER
    assert BOX.orders <= ORDERS


@cites(NAME, "2.5.3", "2.5.5", "S1")
def test_turns_are_counted_by_a_plain_walker() -> None:
    """All ways to spend three points from the starting places, ending the turn at any moment."""
    soldier, steps, jumps = "plac_narutowicza", {}, {}  # type: ignore[var-annotated]
    for row in GAME.standard_box.text.tables["routes"]:
        chain = [row["a"], *(f"{row['id']}_{i}" for i in range(1, row["length"])), row["b"]]
        for one, other in [*pairwise(chain), *pairwise(chain[::-1])]:
            steps.setdefault(one, []).append(other)
        if len(chain) > 2:
            jumps.setdefault(row["a"], []).append(row["b"])
            jumps.setdefault(row["b"], []).append(row["a"])

    def turns(team: tuple[str, ...], points: int) -> int:
        if points == 0:
            return 1
        total = 1
        for scout, here in enumerate(team):
            for there in steps[here] + jumps.get(here, []):
                if there != soldier:
                    total += turns((*team[:scout], there, *team[scout + 1 :]), points - 1)
        return total

    stored = tomllib.loads((PERFT / "mali-powstancy.toml").read_text(encoding="utf-8"))["position"]
    counts = {position["name"]: position["count"] for position in stored}
    start = ("plac_wilsona", "budynek_pasty", "stary_mokotow")
    assert turns(start, 3) == counts["every turn of the opening with three points"]
