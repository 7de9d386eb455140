"""Mali Powstańcy, 2.15: what is hidden, and fair guesses at it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from scipy import stats

import samizdat
from samizdat.games.mali_powstancy import GAME
from samizdat.games.mali_powstancy.guess import keep_any, objectives_at
from samizdat.games.mali_powstancy.state import (
    DEALT,
    DELIVERED,
    GONE,
    IN_BOX,
    KEPT,
    NONE,
    PILE,
)
from samizdat.kernel.interpreted import hidden
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from tests.games.warsaw import (
    BOX,
    FAR,
    NAME,
    NAMES,
    at,
    cites,
    order,
    position,
    state,
    turn,
)

# --- 2.15 Secrets ---------------------------------------------------------------------------------------------


@cites(NAME, "2.15", "A45", "S7")
def test_delivered_orders_are_numbers_to_others() -> None:
    given = turn(
        "red",
        at=at(red={1: "r29_2"}),
        place={"o06": "space_1", "o10": "delivered_orange"},
        carries=at(red={1: "o06"}),
    )
    match = position(players=3, given=given)
    match.play(0, "step 1 port")
    assert [player["delivered"] for player in match.view(2)["players_at_table"]] == [1, 1, 0]
    assert [player["pile"] for player in match.view(2)["players_at_table"]] == [None, None, []]
    assert match.view(0)["players_at_table"][0]["pile"] == ["o06"]
    seen: Any = hidden(BOX, state(match), 2)
    assert seen.place[order("o06")] == seen.place[order("o10")] == PILE
    assert any("worth 15" in str(line) for line in match.log(0))
    for viewer in (1, 2, None):
        assert not any("Plac Wilsona → Port" in str(line) or "15" in str(line) for line in match.log(viewer))
        assert any("delivers an order" in str(line) for line in match.log(viewer))


@cites(NAME, "2.15", "S9")
def test_objectives_are_shown_at_the_end_and_returned_ones_never() -> None:
    match = position("extended", given=turn("orange", order=["red", "orange"], victory=4))
    assert match.view(0)["players_at_table"][1]["objectives"] is None
    assert len(match.view(0)["players_at_table"][0]["objectives"]) == 3
    assert len(match.view(0)["players_at_table"][0]["objectives_not_kept"]) == 3
    match.play(1, "end")
    assert match.reason == "victory_card"
    for viewer in (0, 1, None):
        players = match.view(viewer)["players_at_table"]
        assert [len(player["objectives"]) for player in players] == [3, 3]
    assert match.view(0)["players_at_table"][1]["objectives_not_kept"] is None
    seen: Any = hidden(BOX, state(match), 0)
    assert all(seen.objective[number] != DEALT + 1 for number in range(BOX.objectives))
    assert sum(seen.objective[number] == IN_BOX for number in range(BOX.objectives)) == 24 - 6 - 3
    assert not match.can_undo(1)


@cites(NAME, "2.5.1", "2.15")
def test_a_chosen_card_is_secret_until_all_have_chosen() -> None:
    match = samizdat.game(NAME, players=3).match(2)
    match.play(1, "card 4")
    assert match.view(1)["players_at_table"][1]["card"] == "4"
    assert match.view(0)["players_at_table"][1]["card"] is None
    assert match.view(0)["players_at_table"][1]["has_chosen"]
    assert match.view(0)["players_at_table"][1]["hand"] == ["1", "2", "3", "4", "5"]
    assert match.can_undo(1)
    match.play(0, "card 5")
    match.play(2, "card 1")
    assert [player["card"] for player in match.view(None)["players_at_table"]] == ["5", "4", "1"]
    assert not match.can_undo(2)


# --- Fair guesses ---------------------------------------------------------------------------------------------


def guesses(match: Match, seat: int, number: int) -> list[Any]:
    """Worlds drawn from what a seat knows."""
    found = []
    for seed in range(number):
        world: Any = hidden(BOX, state(match), seat)
        fresh = Luck()
        seed_luck(fresh, seed + (7 << 40))
        GAME.rules.guess(BOX, world, fresh, seat)
        found.append(world)
    return found


def assert_even(outcomes: list[Any], kinds: int) -> None:
    """All kinds of outcome occur, equally often as far as chance allows."""
    counts = Counter(outcomes)
    assert len(counts) == kinds
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


@cites(NAME, "2.15")
def test_guessed_cards_are_even() -> None:
    match = samizdat.game(NAME, players=3).match(1)
    match.play(1, "card 2")
    worlds = guesses(match, 0, 1000)
    assert_even([world.chosen[1] for world in worlds], 5)
    assert all(world.chosen[2] == NONE for world in worlds)  # not chosen yet
    assert all(world.chosen[1] == 1 for world in guesses(match, 1, 5))


@cites(NAME, "2.11.5", "2.15")
def test_guessed_cards_on_top_are_even_and_name_no_district_that_had_fallen() -> None:
    given = turn(chosen={"red": "4"}, failures={"zoliborz": 2}, at=at(red=FAR, orange=FAR, green=FAR), rounds=2)
    match = position("extended", players=3, given=given)
    keep = [order(id) for id in ("o08", "o09", "o10", "o11", "o01", "o07")]  # the last two name Żoliborz
    for number in range(BOX.orders):
        if number not in keep:
            state(match).place[number] = GONE
    state(match).above, state(match).under = 4, 2
    match.play(0, "gossip", [0, 4])  # o01 is removed; then o11 and o08
    if state(match).looked < 2:
        pytest.fail("two cards should have been seen")
    worlds = guesses(match, 1, 1200)
    unseen = 4  # o08 to o11; o07 may still be there but cannot have been kept on top
    assert_even([(world.top[0], world.top[1]) for world in worlds], unseen * (unseen - 1))
    assert {world.top[0] for world in guesses(match, 0, 20)} == {state(match).top[0]}


@cites(NAME, "A45", "S7")
def test_guessed_piles_are_even() -> None:
    place = {
        "o01": "delivered_orange",
        "o02": "delivered_orange",
        "o03": "delivered_orange",
        "o04": "delivered_green",
    }
    match = position(players=3, given=turn(place={**place, "o05": "delivered_red"}))
    worlds = guesses(match, 0, 800)
    piles = [tuple(world.place[order(id)] for id in place) for world in worlds]
    assert_even(piles, 4)
    assert all(world.place[order("o05")] == DELIVERED for world in worlds)
    two = position(given=turn(place={"o01": "delivered_orange"}))
    assert guesses(two, 0, 1)[0].place[order("o01")] == DELIVERED + 1


@cites(NAME, "2.10.3", "2.15")
def test_guessed_objectives_are_even() -> None:
    match = samizdat.game(NAME, variant="extended", players=2).match(3)
    worlds = guesses(match, -1, 500)
    holders = [number for world in worlds for number in range(BOX.objectives) if world.objective[number] == DEALT + 1]
    assert_even(holders, 24)
    assert all(world.objective[number] < KEPT for world in worlds for number in range(BOX.objectives))


@cites(NAME, "2.10.3", "S3")
def test_a_guessed_choice_of_objectives_is_even() -> None:
    match = samizdat.game(NAME, variant="extended", players=2).match(3)
    s = state(match)
    for number in range(BOX.objectives):
        s.objective[number] = IN_BOX
    for id in ("j01", "j02", "j03", "j07", "j13", "j19"):
        s.objective[NAMES["objectives"].index(id)] = DEALT + 1
    kept = []
    for seed in range(1500):
        world = s.copy()
        fresh = Luck()
        seed_luck(fresh, seed)
        keep_any(BOX, world, fresh, 1)
        kept.append(objectives_at(BOX, world, KEPT + 1))
    # one of j01 and j03 (j02 reads like j01), and two of three others; or the three others
    assert_even(kept, 2 * 3 + 1)
