"""Mali Powstańcy, 2.11 to 2.13: actions, failures, the Victory card and objectives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.games.mali_powstancy import GAME, rules
from samizdat.games.mali_powstancy.rules_scoring import is_met
from samizdat.games.mali_powstancy.state import (
    DELIVERED,
    GONE,
    LEFT,
    NONE,
    QUEUE,
    TURN,
    UNSEEN,
)
from samizdat.kernel.interpreted import hidden
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import Scene, set_scene
from tests.games.warsaw import (
    BOX,
    FAR,
    NAME,
    NAMES,
    at,
    cites,
    count,
    luck,
    moves,
    order,
    position,
    refused,
    state,
    turn,
)

# --- 2.11 Actions ---------------------------------------------------------------------------------------------


@cites(NAME, "2.11.1", "A56")
def test_the_rest_of_the_points_is_lost_when_the_action_comes_between() -> None:
    match = position("extended", given=turn(chosen={"red": "2"}))
    match.play(0, "step 1 r01_1")
    assert state(match).points_left == 1
    match.play(0, "squad 2 dworzec_pocztowy")
    assert state(match).points_left == 0
    assert refused(match, 0, "step 1 cytadela") == "A56"
    first = position("extended", given=turn(chosen={"red": "2"}))
    first.play(0, "squad 2 dworzec_pocztowy")
    assert state(first).points_left == 2
    first.play(0, "end")  # the action, and the points, are optional


@cites(NAME, "2.11.6")
def test_card_five_has_no_action() -> None:
    match = position("extended", given=turn(chosen={"red": "5"}, at=at(red={1: "sggw"})))
    assert not moves(match, 0, "pals", "squad", "exchange", "gossip")
    assert refused(match, 0, "squad 1 stary_mokotow") == "2.11.3"
    assert refused(match, 0, "exchange o01") == "2.11.4"


@cites(NAME, "A55", "2.11.2")
def test_pals_on_one_space_are_not_offered() -> None:
    match = position("extended", given=turn(chosen={"red": "1"}, at=at(red={1: "port", 2: "port", 3: "r29_1"})))
    assert moves(match, 0, "pals") == ["pals 1+3", "pals 2+3"]
    assert refused(match, 0, "pals 1+2") == "A55"


@cites(NAME, "2.11.3", "2.11.7")
def test_a_squad_delivers_and_obeys_the_rules_of_jumps() -> None:
    given = turn(
        chosen={"red": "2"},
        at=at(red={1: "przyczolek_czerniakowski", 2: "r10_1", 3: "dworzec_pocztowy"}),
        place={"o24": "space_1", "o41": "space_1"},
        carries=at(red={1: "o24"}),
        blocked={"r20": 1},
        failures={"ochota": 1},
    )
    match = position("extended", given=given)
    assert refused(match, 0, "squad 2 dworzec_pocztowy") == "2.5.6"
    assert refused(match, 0, "squad 3 plac_narutowicza") == "2.5.8"
    match.play(0, "squad 1 port")
    assert state(match).deliveries[0] == 1
    match.play(0, "take 1 o41")  # arriving by an action allows taking, too


@cites(NAME, "2.11.4", "A35", "A36", "2.13.1")
def test_exchanging_orders() -> None:
    given = turn(
        chosen={"red": "3"},
        place={"o01": "space_1", "o02": "space_2", "o03": "space_2", "o05": "space_4"},
        victory=3,
        under=20,
        above=18,
        carries=at(red={2: "o02"}),
    )
    match = position("extended", given=given)
    assert moves(match, 0, "exchange") == ["exchange o02", "exchange o03"]
    assert refused(match, 0, "exchange o05") == "A36"  # only the Victory card lies before it
    match.play(0, "exchange o02")
    assert moves(match, 0) == ["with o01"]
    match.play(0, "with o01")
    assert state(match).place[order("o02")] == 1
    assert state(match).carries[0, 1] == order("o02")  # tiles travel with their cards
    assert state(match).victory == 3


@cites(NAME, "2.11.5", "2.15", "A38")
def test_gossip_is_remembered_by_those_who_looked() -> None:
    match = position(
        "extended",
        players=3,
        given=turn(chosen={"red": "4", "orange": "4"}, order=["red", "orange", "green"], rounds=2),
    )
    match.play(0, "gossip", [3, 0])
    assert match.view(0)["deck"]["next"] == ["o04", "o01"]
    assert match.view(1)["deck"]["next"] is None
    assert match.view(None)["deck"]["next"] is None
    assert match.view(2)["deck"]["looked_by"] == [0]
    assert not match.can_undo(0)
    assert any("Cytadela → Dworzec Pocztowy" in str(line) for line in match.log(0))
    assert not any("Cytadela → Dworzec Pocztowy" in str(line) for line in match.log(1))
    blind: Any = hidden(BOX, state(match), 2)
    assert [blind.top[i] for i in range(2)] == [NONE, NONE]
    assert blind.place[order("o04")] == UNSEEN
    match.play(0, "end")
    match.play(1, "gossip")
    assert match.view(1)["deck"]["next"] == ["o04", "o01"]
    match.play(1, "end")
    match.play(2, "end")
    assert {order_["order"] for order_ in match.view(None)["queue"][0]} == {"o04", "o01"}


@cites(NAME, "2.11.5")
def test_gossip_removes_orders_of_fallen_districts() -> None:
    match = position(
        "extended", given=turn(chosen={"red": "4"}, failures={"zoliborz": 2}, at=at(red=FAR, orange=FAR))
    )
    match.play(0, "gossip", [0, 0, 5])  # o01 and o02 start in Żoliborz; the sixth of the rest is o08
    assert [state(match).place[order(id)] for id in ("o01", "o02")] == [GONE, GONE]
    assert match.view(0)["deck"]["next"] == ["o08"]
    assert sum("removed" in str(line) for line in match.log(1)) == 2


@cites(NAME, "A37", "A55")
def test_gossip_needs_something_to_see() -> None:
    match = position("extended", given=turn(chosen={"red": "4"}, under=42))
    assert state(match).above == 0
    assert refused(match, 0, "gossip") == "A55"  # the only card to come is the Victory card, as everybody knows
    gone = position("extended", given=turn(chosen={"red": "4"}, victory=2))
    assert refused(gone, 0, "gossip") == "A37"
    again = position("extended", given=turn(chosen={"red": "4"}))
    again.play(0, "gossip")
    assert refused(again, 0, "gossip") == "2.11.1"
    known = {"place": {"o08": "known"}, "looked": 1, "top": ["o08"], "seen": [1, 0]}
    nothing_new = position("extended", given=turn(chosen={"red": "4"}) | known)
    assert refused(nothing_new, 0, "gossip") == "A55"
    news = position("extended", given=turn("orange", chosen={"orange": "4"}) | known)
    assert "gossip" in moves(news, 1), "what Red has seen is new to Orange"


@cites(NAME, "2.11.4", "A36", "S2")
def test_why_an_order_cannot_be_exchanged() -> None:
    """S2 where the other order is the one to name first, A36 where there is none."""
    for places, rule in (
        ({"o01": "space_1", "o02": "space_2"}, "S2"),
        ({"o01": "space_1", "o02": "space_3"}, "A36"),
        ({"o01": "space_1"}, "A36"),
        ({"o01": "space_3", "o02": "space_4"}, "S2"),
        ({"o01": "space_4", "o02": "space_2"}, "A36"),
        ({"o02": "space_4"}, "2.1.6"),
    ):
        match = position("extended", given=turn(chosen={"red": "3"}, place=places))
        assert refused(match, 0, "exchange o01") == rule, places


def new_orders(match: Match) -> list[str]:
    """The rules by which new orders came, as the log cites them."""
    return [line.rule for line in match.log(None) if str(line).startswith("New order")]


# --- 2.12 Failures --------------------------------------------------------------------------------------------


@cites(NAME, "2.12.2", "2.12.1")
def test_a_first_failure_brings_a_new_order() -> None:
    match = position("extended", given=turn("orange", order=["red", "orange"], place={"o15": "space_4"}))
    above = state(match).above
    match.play(1, "end")
    match.play(1, "block r03")
    assert state(match).failures[NAMES["districts"].index("powisle")] == 1
    assert state(match).above == above - 2  # the new order, and the next Orders phase
    assert new_orders(match)[-2:] == ["2.12.2", "2.4.1"]
    assert count(match, 1) == 2


@cites(NAME, "2.12.3a", "2.12.3b", "A32", "A33", "A31")
def test_a_fallen_district_takes_its_orders_along() -> None:
    """Wola falls. The new order comes first; an order that names Wola makes way for the next one."""
    given = turn(
        "orange",
        order=["red", "orange"],
        failures={"wola": 1},
        place={"o01": "space_4", "o07": "space_1"},
        at=at(red=FAR, orange=FAR),
    )
    match = position("extended", given=given)
    # Unseen are o02-o06, o08 and on. New: o08 names Wola, then o02. For o07: o09 names Wola, then o03. At last o04.
    match.play(1, "end", [5, 0, 4, 0, 0])
    wola = NAMES["districts"].index("wola")
    assert state(match).fallen == 1 << wola
    assert match.view(None)["fallen"] == ["wola"]
    assert [state(match).place[order(id)] for id in ("o01", "o07", "o08", "o09")] == [GONE] * 4
    assert [state(match).place[order(id)] for id in ("o02", "o03", "o04")] == [1, 1, 1]
    assert new_orders(match)[-3:] == ["2.12.3b", "A32", "2.4.1"]


@cites(NAME, "2.12.3c", "2.12.3d", "A42")
def test_a_fallen_district_is_closed() -> None:
    given = turn("red", at=at(red={1: "starowka", 2: "bank_polski", 3: "plac_narutowicza"}), failures={"wola": 2})
    match = position("extended", given=given)
    assert refused(match, 0, "step 1 r06_1") == "2.12.3"
    assert refused(match, 0, "jump 1 palacyk_michla") == "2.12.3"
    assert "step 2 r09_1" in moves(match, 0)  # this blank lies in Śródmieście
    assert refused(match, 0, "jump 2 browary_warszawskie") == "2.12.3"
    assert "step 3 r21_1" in moves(match, 0)


@cites(NAME, "2.12.4", "2.12.5", "A30")
def test_the_third_district_loses_at_once() -> None:
    given = turn(
        "orange",
        order=["red", "orange"],
        failures={"wola": 2, "zoliborz": 2, "ochota": 1},
        place={"o04": "space_4"},
        at=at(red=FAR, orange=FAR),
        victory=4,
    )
    match = position("extended", given=given)
    match.play(1, "end")
    assert state(match).victory == LEFT  # it leaves in the same phase; the defeat prevails
    assert match.reason == "third_district"
    assert match.winners == ()
    two = position("extended", given={**given, "victory": 0, "failures": {"wola": 2, "ochota": 1}})
    start = state(two).start_player
    two.play(1, "end")
    assert not two.over
    assert state(two).start_player == 1 - start


@cites(NAME, "A30")
def test_failures_are_resolved_before_the_victory_card_ends_the_game() -> None:
    given = turn("orange", order=["red", "orange"], place={"o15": "space_4"}, victory=4, at=at(red=FAR, orange=FAR))
    match = position("extended", given=given)
    match.play(1, "end")
    assert not match.over
    match.play(1, "block r04")
    assert match.reason == "victory_card"
    assert state(match).tokens == 1


@cites(NAME, "A51")
def test_nothing_more_to_lose() -> None:
    given = turn(
        "orange",
        order=["red", "orange"],
        failures={"wola": 1},
        place={"o01": "space_4", "o14": "space_4", "o20": "space_4"},
        at=at(red=FAR, orange=FAR),
    )
    match = position("extended", given=given)
    match.play(1, "end")
    above = state(match).above
    match.play(1, "fail o14")
    assert above - state(match).above >= 1  # the new order of the fall
    match.play(1, "fail o01")  # the last one follows by itself
    assert state(match).failures[NAMES["districts"].index("wola")] == 2
    assert state(match).tokens == 1
    told = [str(line) for line in match.log(None) if line.rule == "A51"]
    assert [text.startswith("New order") for text in told] == [False, True, False, True], "each brings a new order"
    assert count(match, 1) == 4  # three new orders, and the next round's


@cites(NAME, "A50", "2.12.3e")
def test_an_order_from_a_fallen_district_is_lost_when_let_go() -> None:
    given = turn(
        "red",
        order=["red", "orange"],
        failures={"zoliborz": 2},
        place={"o06": "space_2"},
        at=at(red=FAR, orange=FAR),
        carries=at(red={1: "o06"}, orange={1: "o06"}),
    )
    match = position(
        "extended",
        lawless=True,
        given={**given, "at": at(red=dict.fromkeys((1, 2, 3), "r29_2"), orange=dict.fromkeys((1, 2, 3), "r29_2"))},
    )
    match.play(0, "drop 1")
    assert state(match).place[order("o06")] == 2  # orange still carries it
    match.play(0, "end")
    before = count(match, 1)
    match.play(1, "drop 1")
    assert state(match).place[order("o06")] == GONE
    assert count(match, 1) == before + 1
    carried = position(
        "extended",
        given={**given, "at": at(red={1: "r29_2", 2: "port", 3: "port"}, orange=FAR), "carries": at(red={1: "o06"})},
    )
    carried.play(0, "step 1 port")
    assert state(carried).deliveries[0] == 1  # it can still be delivered


@cites(NAME, "A34", "2.4.2")
def test_an_empty_deck_gives_nothing() -> None:
    given = turn("orange", order=["red", "orange"], place={"o15": "space_4"}, victory=1, at=at(red=FAR, orange=FAR))
    match = position("extended", given=given)
    for number in range(BOX.orders):
        if state(match).place[number] == UNSEEN:
            state(match).place[number] = GONE
    state(match).above = state(match).under = 0
    match.play(1, "end")
    match.play(1, "block r03")
    assert count(match, 1) == 0
    assert GAME.laws.broken(BOX, state(match)) == 0


# --- 2.13 The Victory card ------------------------------------------------------------------------------------


@cites(NAME, "2.13.1", "2.13.2", "A26")
@pytest.mark.parametrize(("players", "appears", "over"), [(4, 16, 19), (3, 17, 20), (2, 19, 22)])
def test_without_failures_the_game_has_a_known_length(players: int, appears: int, over: int) -> None:
    """X11: every order is delivered as soon as it lies in the queue."""
    match = samizdat.game(NAME, variant="extended", players=players).match(1)
    for seat in range(players):
        for _ in range(3):
            match.play(seat, match.legal(seat)[0])
    s = state(match)
    seen = 0
    while not match.over:
        if s.victory == 1 and not seen:
            seen = s.rounds
        for number in range(BOX.orders):
            if 1 <= s.place[number] <= QUEUE:
                s.place[number] = DELIVERED
                s.deliveries[0] += 1
        for seat in range(players):
            match.play(seat, match.legal(seat)[0])
        while match.turn and s.point == TURN:
            match.play(match.turn[0], "end")
    assert (seen, s.rounds) == (appears, over)


@cites(NAME, "A28", "A27")
def test_the_second_card_is_revealed_with_the_victory_card() -> None:
    match = position("extended", players=4, given={"point": "card", "place": {}, "under": 42})
    s = state(match)
    rules.begin_round(BOX, s, luck())
    assert s.victory == 1
    assert count(match, 1) == 1
    assert s.under == 41
    rules.begin_round(BOX, s, luck())
    assert s.under == 41  # no Orders phase any more


@cites(NAME, "A29", "A54", "A27")
def test_the_victory_card_as_an_extra_order() -> None:
    given = turn("orange", order=["red", "orange"], place={"o15": "space_4", "o01": "space_4"}, under=40)
    match = position("extended", given=given)
    match.play(1, "end")
    match.play(1, "fail o15")
    match.play(1, "block r03")
    assert state(match).victory == 1  # it was the card due for the first failure
    assert count(match, 1) == 0
    match.play(1, "block r18")
    assert count(match, 1) == 1  # the second one's comes from under it
    assert state(match).rounds == 2
    assert state(match).victory == 1
    assert state(match).under == 39  # and there was no Orders phase


# --- 2.13.4 Objectives ----------------------------------------------------------------------------------------


def with_piles(**piles: str) -> Any:
    place = {id: f"delivered_{colour}" for colour, ids in piles.items() for id in ids.split()}
    return state(position("extended", players=3, given=turn(place=place)))


@cites(NAME, "2.13.4", "2.13.4a", "A43", "A44")
def test_most_orders_from_a_district() -> None:
    ochota = NAMES["objectives"].index("j11")
    s = with_piles(red="o25 o26", orange="o27", green="o01 o02 o03")
    s.failures[NAMES["districts"].index("ochota")] = 2  # fallen later: they still count
    assert [is_met(BOX, s, seat, ochota) for seat in range(3)] == [True, False, False]
    s = with_piles(red="o25", orange="o27")
    assert [is_met(BOX, s, seat, ochota) for seat in range(3)] == [True, True, False]
    s = with_piles(red="o01")
    assert not any(is_met(BOX, s, seat, ochota) for seat in range(3))


@cites(NAME, "2.13.4b", "2.13.4e", "A43")
def test_most_orders() -> None:
    most = NAMES["objectives"].index("j21")
    s = with_piles(red="o01 o02", orange="o06 o03", green="o10")
    assert [is_met(BOX, s, seat, most) for seat in range(3)] == [True, True, False]
    assert not any(is_met(BOX, with_piles(), seat, most) for seat in range(3))


@cites(NAME, "2.13.4c")
def test_orders_to_many_districts() -> None:
    s = with_piles(red="o07 o14 o16 o11 o21", orange="o01 o20 o26")
    reached = [
        [is_met(BOX, s, seat, NAMES["objectives"].index(id)) for id in ("j01", "j03", "j05")] for seat in (0, 1)
    ]
    assert reached == [[True, True, False], [False, False, False]]


@cites(NAME, "2.13.4d", "A59", "A43")
def test_the_most_important_order() -> None:
    best = NAMES["objectives"].index("j23")
    s = with_piles(red="o12", orange="o39 o10", green="o13")  # 11, 11 and 10 points
    assert [is_met(BOX, s, seat, best) for seat in range(3)] == [True, True, False]
    assert not any(is_met(BOX, with_piles(), seat, best) for seat in range(3))


@cites(NAME, "2.13.3")
def test_the_score_sheet_adds_up() -> None:
    given = turn(
        "orange", order=["red", "orange"], victory=4, place={"o06": "delivered_red", "o10": "delivered_orange"}
    )
    match = position("extended", given=given)
    match.play(1, "end")
    sheet = match.view(None)["score_sheet"]
    assert [line["total"] for line in sheet] == match.scores
    for line in sheet:
        assert line["total"] == line["orders"] + line["return_bonus"] + sum(line["objectives"].values())
    assert [line["return_bonus"] for line in sheet] == [7, 7]


CARD_FOUR_TWICE = {
    "point": "turn", "order": ["red", "green", "orange", "violet"], "chooser": "orange",
    "chosen": {"orange": "4", "violet": "4"}, "failures": {"mokotow": 2},
    "at": {"red": {"3": "port"}, "orange": {"3": "port"}, "green": {"3": "port"},
           "violet": {"1": "cytadela", "3": "port"}},
    "carries": {"violet": {"1": "o31"}}, "place": {"o31": "space_2"},
}  # fmt: skip


@pytest.mark.rules("mali-powstancy", "2.11.5", "2.15", "A50")
def test_each_seat_remembers_only_the_cards_it_looked_at() -> None:
    """Between two looks a card leaves the deck (A50): who looks later sees further, the first one does not."""
    name = Path("card 4 twice")
    options = {"players": 4, "variant": "extended"}
    match = set_scene(GAME, Scene(name, "", "", "", (), options, CARD_FOUR_TWICE, [], False, ""))
    orange, violet = 1, 3
    match.play(orange, "gossip")
    first = match.view(orange)["deck"]["next"]
    assert len(first) == 2
    match.play(orange, "end")
    match.play(violet, "drop 1")
    assert match.view(orange)["deck"]["next"] == first[1:]
    match.play(violet, "gossip")
    assert match.view(violet)["deck"]["next"][:1] == first[1:]
    assert len(match.view(violet)["deck"]["next"]) == 2
    assert match.view(orange)["deck"]["next"] == first[1:], "orange never saw the card that moved up"
    assert match.view(None)["deck"]["next"] is None


@pytest.mark.rules("mali-powstancy", "2.5.3", "A56")
def test_an_action_before_or_after_all_points_loses_none() -> None:
    for decisions in (("squad 1 cytadela", "step 1 r01_1", "step 1 plac_wilsona"),
                  ("step 1 r01_1", "step 1 plac_wilsona", "squad 1 cytadela")):  # fmt: skip
        given = {
            "point": "turn", "order": ["orange", "red", "green", "violet"], "chooser": "orange",
            "chosen": {"orange": "2"},
        }  # fmt: skip
        options = {"players": 4, "variant": "extended"}
        match = set_scene(GAME, Scene(Path("card 2"), "", "", "", (), options, given, [], False, ""))
        for move in decisions:
            match.play(1, move)
        with pytest.raises(samizdat.IllegalMove) as caught:
            match.play(1, "step 1 r01_1")
        assert caught.value.rule == "2.5.3"
