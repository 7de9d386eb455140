"""Mali Powstańcy, 2.7 to 2.9: the soldier, time and the end of the base game."""

from __future__ import annotations

import pytest

from samizdat.games.mali_powstancy.rules_scoring import return_score
from samizdat.games.mali_powstancy.state import (
    CARD,
    DELIVERED,
    HAND,
    NONE,
    PRISON,
    RED,
    SCOUTS,
    UNSEEN,
    WAY,
)
from tests.games.warsaw import (
    BOX,
    COLOURS,
    FAR,
    NAME,
    NAMES,
    at,
    cites,
    moves,
    order,
    position,
    refused,
    space,
    state,
    turn,
)

# --- 2.7 The soldier ------------------------------------------------------------------------------------------


@cites(NAME, "2.7.3")
def test_the_latest_player_is_hunted_first() -> None:
    for who in ("red", "orange"):
        other = "orange" if who == "red" else "red"
        teams = at(red={1: "r20_1", 2: "port", 3: "port"}, orange={1: "r21_1", 2: "port", 3: "port"})
        match = position(given=turn(who, order=[other, who], at=teams))
        match.play(COLOURS[who], "end", [0])
        assert state(match).at[COLOURS[who], 0] == PRISON
        assert state(match).at[COLOURS[other], 0] != PRISON


@cites(NAME, "A12", "2.7.4")
def test_tokens_do_not_stop_the_soldier() -> None:
    match = position(given=turn("orange", order=["red", "orange"], blocked={"r20": 1}))
    match.play(1, "end", [2])
    assert state(match).soldier == space("r10_1")


@cites(NAME, "A13")
def test_the_hunted_player_chooses_between_shortest_ways() -> None:
    """From Pałacyk Michla to Dworzec Pocztowy it is five spaces by Browary and by Plac Narutowicza."""
    teams = at(red={1: "dworzec_pocztowy", 2: "port", 3: "port"}, orange=FAR)
    match = position(given=turn("orange", order=["red", "orange"], soldier="palacyk_michla", at=teams))
    match.play(1, "end", [2])
    assert state(match).point == WAY
    assert moves(match, 0) == ["way browary_warszawskie", "way plac_narutowicza"]
    assert refused(match, 0, "way starowka") == "A13"
    assert refused(match, 0, "end") == "A13"
    match.play(0, "way plac_narutowicza")
    assert state(match).soldier == space("plac_narutowicza")
    near = position(
        given=turn(
            "orange",
            order=["red", "orange"],
            soldier="r18_1",
            at=at(red={1: "browary_warszawskie", 2: "port", 3: "port"}, orange=FAR),
        )
    )
    near.play(1, "end", [2])  # he arrives whichever way he takes: nothing to choose
    assert state(near).at[0, 0] == PRISON


@cites(NAME, "A14", "2.7.1")
def test_without_scouts_nothing_is_rolled() -> None:
    nobody = dict.fromkeys((1, 2, 3), PRISON)
    match = position(given=turn("orange", order=["red", "orange"], at=at(red=nobody, orange=nobody)))
    match.play(1, "end")
    assert not any(line.rule == "2.7.2" for line in match.log(None))
    assert any(line.rule == "A14" for line in match.log(None))
    assert state(match).soldier == space("plac_narutowicza")
    assert all(state(match).at[seat, scout] == HAND for seat in (0, 1) for scout in range(SCOUTS))


@cites(NAME, "A15")
def test_the_soldier_stops_at_the_first_scouts() -> None:
    teams = at(red={1: "r20_1", 2: "dworzec_pocztowy", 3: "port"}, orange=FAR)
    match = position(given=turn("orange", order=["red", "orange"], at=teams))
    match.play(1, "end", [2])
    assert state(match).soldier == space("r20_1")
    assert state(match).at[0, 1] == space("dworzec_pocztowy")


@cites(NAME, "A16", "S6")
def test_a_red_move_may_jump_with_the_option() -> None:
    given = turn("red", order=["orange", "red"], at=at(red={1: "dworzec_pocztowy", 2: "port", 3: "port"}, orange=FAR))
    match = position(red_move_may_jump=True, max_jumps_per_turn=1, given=given)
    match.play(0, "end", [4])
    assert "jump 1 browary_warszawskie" in moves(match, 0)
    match.play(0, "jump 1 browary_warszawskie")
    assert state(match).points_left == 1
    assert not moves(match, 0, "jump")
    assert refused(match, 0, "jump 1 bank_polski") == "A2"
    match.play(0, "step 1 r09_1")
    assert state(match).point == CARD
    plain = position(given=given)
    plain.play(0, "end", [4])
    assert not moves(plain, 0, "jump")


@cites(NAME, "S4", "2.7.3")
def test_who_is_asked_when_scouts_share_a_space() -> None:
    teams = at(red={1: "r20_1", 2: "r20_1", 3: "r22_2"}, orange=FAR)
    black = position(given=turn("red", order=["orange", "red"], at=teams))
    black.play(0, "end", [0])
    assert moves(black, 0) == ["hunt 1", "hunt 3"]
    assert refused(black, 0, "hunt 2") == "S4"
    red = position(given=turn("red", order=["orange", "red"], at=teams))
    red.play(0, "end", [3])
    assert moves(red, 0) == ["hunt 1", "hunt 2", "hunt 3"]
    hemmed = at(red={1: "port", 2: "cytadela", 3: "cytadela"}, orange=dict.fromkeys((1, 2, 3), "cytadela"))
    stuck = position(given=turn("red", order=["orange", "red"], soldier="r29_2", at=hemmed, blocked={"r27": 1}))
    stuck.play(0, "end", [3])  # the nearest scout is shut in at Port: no decision
    assert state(stuck).point == CARD
    assert any("cannot move" in str(line) for line in stuck.log(None))


@cites(NAME, "2.7.5")
def test_the_red_move_is_over_when_its_steps_are_walked() -> None:
    """Never before, unless its owner says so: whoever walked somewhere can walk back, even out of a dead end."""
    teams = at(red={1: "r29_2", 2: "cytadela", 3: "cytadela"}, orange=dict.fromkeys((1, 2, 3), "cytadela"))
    given = turn("red", order=["orange", "red"], at=teams, soldier="przyczolek_czerniakowski", blocked={"r27": 1})
    match = position(given=given)
    match.play(0, "end", [5])
    for here, back in (("port", "r29_2"), ("r29_2", "port")):
        match.play(0, f"step 1 {here}")
        assert state(match).point == RED
        assert f"step 1 {back}" in moves(match, 0)
    match.play(0, "step 1 port")
    assert state(match).point == CARD, "three steps for a red 3"
    assert {line.rule for line in match.log(None) if " steps from " in str(line)} == {"2.7.5"}
    short = position(given=given)
    short.play(0, "end", [3])
    short.play(0, "step 1 port")
    assert state(short).point == CARD, "one step for a red 1"
    early = position(given=given)
    early.play(0, "end", [5])
    early.play(0, "end")
    assert state(early).point == CARD


@cites(NAME, "2.7.5", "S6")
def test_a_scout_that_jumped_into_a_dead_end_may_only_stop() -> None:
    """Port behind the soldier: r27 is blocked, the soldier stands on r29, and the one jump is spent."""
    teams = at(red={1: "przyczolek_czerniakowski", 2: "cytadela", 3: "cytadela"},
               orange=dict.fromkeys((1, 2, 3), "cytadela"))  # fmt: skip
    given = turn("red", order=["orange", "red"], at=teams, soldier="r29_2", blocked={"r27": 1})
    match = position(red_move_may_jump=True, max_jumps_per_turn=1, given=given)
    match.play(0, "end", [5])
    match.play(0, "jump 1 port")
    assert moves(match, 0) == ["end"]
    assert refused(match, 0, "step 2 r02_1") == "2.7.5"


@cites(NAME, "2.7.1", "2.7.5")
def test_whoever_just_escaped_is_not_said_to_be_in_prison() -> None:
    teams = at(red={1: "dworzec_pocztowy", 2: "port", 3: -1}, orange=FAR)
    match = position(given=turn("red", order=["orange", "red"], at=teams))
    match.play(0, "end", [5])
    assert state(match).at[0, 2] == HAND
    assert refused(match, 0, "step 3 port") == "2.7.5"


# --- 2.8 Time -------------------------------------------------------------------------------------------------


@cites(NAME, "A5", "A6")
def test_a_route_without_blanks_can_be_blocked() -> None:
    match = position(given=turn("orange", order=["red", "orange"], place={"o02": "space_5"}))
    match.play(1, "end", [0])
    assert moves(match, 1) == ["block r07", "block r08", "block r09"]
    match.play(1, "block r08")
    match.play(0, "card 1")
    match.play(1, "card 2")
    assert refused(match, 0, "step 2 bank_polski") == "2.5.8"
    extended = position("extended", given=turn("orange", order=["red", "orange"], place={"o02": "space_4"}))
    extended.play(1, "end")
    assert moves(extended, 1) == ["block r07", "block r08", "block r09"]


@cites(NAME, "A7", "2.8.4")
def test_a_token_beside_the_location_counts() -> None:
    given = turn("orange", order=["red", "orange"], blocked={"r27": 1, "r29": 1}, place={"o06": "space_5"})
    match = position(given=given)
    match.play(1, "end", [0])
    assert state(match).tokens == 3
    assert sum(state(match).blocked[route] for route in range(BOX.routes)) == 2
    assert not match.over
    last = position(given={**given, "blocked": {"r27": 1, "r29": 1, "r01": 1}})
    last.play(1, "end", [0])
    assert last.reason == "fourth_token"


@cites(NAME, "A8", "2.12.2")
def test_extended_tokens_stand_in_the_right_district() -> None:
    match = position("extended", given=turn("orange", order=["red", "orange"], place={"o15": "space_4"}))
    match.play(1, "end")
    assert moves(match, 1) == ["block r03", "block r04"]  # r02 has its blank in Żoliborz
    assert refused(match, 1, "block r02") == "A8"
    one = position(
        "extended",
        given=turn(
            "orange", order=["red", "orange"], place={"o15": "space_4"}, blocked={"r04": 1}, failures={"ochota": 1}
        ),
    )
    one.play(1, "end")  # one choice is no choice
    assert state(one).blocked[NAMES["routes"].index("r03")] == 1
    assert refused(position("base", given=turn()), 0, "pals 1+2") == "2.11.1"


@cites(NAME, "A10", "A11", "2.8.6")
def test_refuge_avoids_the_soldier_by_distance_alone() -> None:
    """Behind the soldier on Plac Wilsona lies Cytadela, three spaces away; Pałacyk Michla is four away."""
    given = turn(
        "orange",
        order=["red", "orange"],
        soldier="plac_wilsona",
        place={"o31": "space_5"},
        at=at(red={1: "r05_1", 2: "port", 3: "port"}, orange=FAR),
    )
    match = position(given=given)
    match.play(1, "end", [3])
    match.play(0, "end")  # the red number is not used
    match.play(1, "block r05")
    assert state(match).at[0, 0] == space("cytadela")


@cites(NAME, "A18")
@pytest.mark.parametrize("forced", [True, False])
def test_delivering_by_a_forced_move(forced: bool) -> None:
    given = turn(
        "orange",
        order=["red", "orange"],
        place={"o23": "space_5", "o12": "space_2"},
        at=at(red={1: "r28_2", 2: "cytadela", 3: "cytadela"}),
        carries=at(red={1: "o12"}),
    )
    match = position(given=given, deliver_by_forced_move=forced)
    match.play(1, "end", [0])
    match.play(1, "block r28")
    assert state(match).at[0, 0] == space("przyczolek_czerniakowski")
    assert state(match).deliveries[0] == forced
    assert state(match).place[order("o12")] == (DELIVERED if forced else 3)
    assert state(match).carries[0, 0] == (NONE if forced else order("o12"))


@cites(NAME, "A52", "A18")
@pytest.mark.parametrize("start", ["red", "orange"])
def test_the_first_team_to_flee_delivers(start: str) -> None:
    """The new start player is not yet named: teams flee clockwise from the one of this round."""
    given = turn(
        "orange",
        order=["red", "orange"],
        start_player=start,
        place={"o23": "space_5", "o12": "space_2"},
        at=at(red={1: "r28_2", 2: "cytadela", 3: "cytadela"}, orange={1: "r28_2", 2: "cytadela", 3: "cytadela"}),
        carries=at(red={1: "o12"}, orange={1: "o12"}),
    )
    match = position(given=given)
    match.play(1, "end", [0])
    match.play(1, "block r28")
    assert state(match).place[order("o12")] == DELIVERED + COLOURS[start]


@cites(NAME, "A53", "2.8.3")
def test_a_failed_order_is_not_saved_by_a_forced_move() -> None:
    """Red's scout carries an order that fails in this phase and is driven to its destination."""
    given = turn(
        "orange",
        order=["red", "orange"],
        place={"o12": "space_5"},
        at=at(red={1: "r28_2", 2: "cytadela", 3: "cytadela"}),
        carries=at(red={1: "o12"}),
    )
    match = position(given=given)
    match.play(1, "end", [0])
    assert state(match).carries[0, 0] == NONE
    match.play(1, "block r28")
    assert state(match).at[0, 0] == space("przyczolek_czerniakowski")
    assert state(match).deliveries[0] == 0


@cites(NAME, "A25", "2.9.4", "S8")
def test_the_fourth_token_with_the_last_order_is_a_defeat() -> None:
    given = turn(
        "orange",
        order=["red", "orange"],
        blocked={"r01": 1, "r02": 1, "r03": 1},
        place={"o23": "space_5", "o06": "delivered_red"},
        above=0,
    )
    match = position(given=given)
    match.play(1, "end", [0])
    assert match.reason == "fourth_token"
    assert match.winners == ()
    assert match.returns == [-0.5, -0.5]
    assert 1 not in match.ranks
    assert match.scores == [15, 0]  # readable, but worth nothing


@cites(NAME, "A9")
def test_base_failures_in_the_order_the_last_mover_likes() -> None:
    match = position(given=turn("orange", order=["red", "orange"], place={"o05": "space_5", "o23": "space_5"}))
    match.play(1, "end", [0])
    assert moves(match, 1) == ["fail o05", "fail o23"]
    match.play(1, "fail o23")
    match.play(1, "block r24")  # SGGW to Aleja Szucha
    assert moves(match, 1) == ["block r22", "block r23", "block r25"]
    assert refused(match, 1, "block r24") == "2.8.5"


# --- 2.9 The end ----------------------------------------------------------------------------------------------


@cites(NAME, "A22", "2.9.2")
def test_return_bonus_counts_scouts_on_the_board_only() -> None:
    match = position(
        given=turn(at=at(red={1: "budynek_pasty", 2: PRISON, 3: HAND}, orange={1: "r01_1", 2: "starowka", 3: "port"}))
    )
    assert return_score(BOX, state(match), 0) == 1
    assert return_score(BOX, state(match), 1) == 0


@cites(NAME, "2.9.3")
def test_ties_are_broken_by_the_number_of_orders() -> None:
    given = turn(
        "orange",
        order=["red", "orange"],
        at=at(red=FAR, orange=FAR),
        above=0,
        place={"o07": "delivered_red", "o10": "delivered_red", "o18": "delivered_orange", "o19": "gone"},
    )
    more = position(players=2, lawless=True, given={**given, "place": {**given["place"], "o18": "delivered_orange"}})
    state(more).place[order("o18")] = UNSEEN
    state(more).place[order("o05")] = DELIVERED + 1  # 11 points with one card, as red with two
    more.play(1, "end", [0])
    assert more.scores == [11, 11]
    assert more.winners == (0,)
    state(more).place[order("o05")] = UNSEEN
    state(more).place[order("o20")] = DELIVERED + 1
    state(more).place[order("o16")] = DELIVERED + 1
    state(more).deliveries[1] = 2
    assert more.scores == [11, 11]
    assert more.winners == (0, 1)
    assert more.returns == [0.0, 0.0]
