"""Revolution!: every numbered rule and ruling that the scenes do not already hold."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import samizdat
from samizdat.games.revolution import rules, state
from samizdat.games.revolution.guess import lay_a_fair_bid
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.state import (
    APOTHECARY,
    BLACKMAIL,
    EMPTY,
    EVALUATION,
    FORCE,
    GOLD,
    NOBODY,
    OVER,
    PERSUASION,
    SPY,
    TOKENS,
    State,
)
from samizdat.kernel.game import Game, definition
from samizdat.kernel.interpreted import legal_moves, scored
from samizdat.kernel.luck import Luck, begin, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.reach import out_of_reach, reach_of
from samizdat.kernel.scenes import Scene, set_scene
from tests.rulebook import RECORDED

cites = pytest.mark.rules


def new(**options: Any) -> Match:
    return samizdat.game("revolution", **{"players": 3, **options}).match(seed=1)


def dealt(players: int = 3, **options: Any) -> tuple[Any, Any, Luck]:
    """A box, a state after set-up and luck, for calling rules directly."""
    game = samizdat.game("revolution", players=players, **options)
    s: Any = game.blank()
    luck = Luck()
    seed_luck(luck, 5)
    rules.setup(game.box.record, s, luck)
    return game.box.record, s, luck


def bid(match: Match, seat: int, *tokens: str) -> None:
    """Lay tokens written like "priest F2 G1" and seal."""
    letters = {"F": "force", "B": "blackmail", "G": "gold"}
    for offer in tokens:
        character, *parts = offer.split()
        for part in parts:
            for _ in range(int(part[1:])):
                match.play(seat, f"bid {character} {letters[part[0]]}")
    match.play(seat, "done")


# --- R1 Setup -------------------------------------------------------------------------------------------


@cites("revolution", "R1.1", "R1.2", "R1.3", "R1.4")
@pytest.mark.parametrize("players", [3, 4])
def test_setup(players: int) -> None:
    match = new(players=players)
    view = match.view(None)
    assert len(view["players_at_table"]) == players
    for player in view["players_at_table"]:
        assert player["points"] == 0
        assert player["held"] == {"force": 1, "blackmail": 1, "gold": 3}
        assert player["followers_in_stock"] == 25
    assert sum(area["empty"] for area in view["areas"]) == 43
    assert all(sum(area["followers"]) == 0 for area in view["areas"])


@cites("revolution", "R1.1", "A-20")
@pytest.mark.parametrize("players", [1, 2, 5, 0, -1, True, "4"])
def test_only_three_or_four(players: Any) -> None:
    with pytest.raises(samizdat.OptionError, match="3 or 4 players"):
        samizdat.game("revolution", players=players)


@cites("revolution", "R1.2", "A-21")
def test_scores_have_no_upper_limit() -> None:
    box, s, luck = dealt()
    s.points[0] = 399
    for character in range(box.characters):
        rules.take_reward(box, s, luck, character, 0)
    assert s.points[0] == 399 + 33
    assert State.fields["points"].high > 100_000


@cites("revolution", "A-19")
def test_disputed_numbers() -> None:
    match = new()
    characters = {row["id"]: row for row in match.game.box.text.tables["characters"]}
    areas = {row["id"]: row for row in match.game.box.text.tables["areas"]}
    assert characters["magistrate"]["vp"] == 1
    assert areas["town_hall"]["spaces"] == 7
    assert sum(row["spaces"] for row in areas.values()) == 43
    assert sum(row["vp"] for row in areas.values()) == 245
    assert sum(row["vp"] for row in characters.values()) == 33
    assert [sum(row[token] for row in characters.values()) for token in ("force", "blackmail", "gold")] == [3, 4, 8]


# --- R2 Strength ----------------------------------------------------------------------------------------

offers = st.tuples(st.integers(0, 200), st.integers(0, 200), st.integers(0, state.MOST_TOKENS))


@cites("revolution", "R2.1", "R2.2", "R2.3", "R6.2", "A-3", "A-4", "A-25")
@given(st.lists(offers, min_size=3, max_size=4))
def test_strongest_is_the_single_lexicographic_maximum(bids: list[tuple[int, int, int]]) -> None:
    _, s, _ = dealt(players=len(bids))
    for seat, offer in enumerate(bids):
        for token in range(TOKENS):
            s.bid[seat, 4, token] = offer[token]
    best = max(bids)
    winners = [seat for seat, offer in enumerate(bids) if offer == best and any(offer)]
    assert rules.strongest(s, 4) == (winners[0] if len(winners) == 1 else NOBODY)


# --- R3, R4 Round ---------------------------------------------------------------------------------------


@cites("revolution", "R3", "R7.3", "R4.1", "A-23")
def test_a_round_and_the_next() -> None:
    match = new()
    assert match.turn == (0, 1, 2), "everybody bids at once"
    bid(match, 2, "printer F1 B1 G3")
    bid(match, 0, "priest F1 B1 G3")
    assert match.view(1)["round"] == 1
    held = [player["held"] for player in match.view(1)["players_at_table"]]
    assert held == [{"force": 1, "blackmail": 1, "gold": 3}] * 3, "holdings stay visible while the bids are secret"
    bid(match, 1, "merchant F1 B1 G3")
    assert match.view(1)["round"] == 2
    assert match.turn == (0, 1, 2)
    assert [player["points"] for player in match.view(None)["players_at_table"]] == [6, 3, 10]
    assert [player["held"]["gold"] for player in match.view(None)["players_at_table"]] == [5, 5, 5]


# --- R5 Persuasion --------------------------------------------------------------------------------------


@cites("revolution", "R5.1", "R5.8")
def test_bids_are_secret_until_all_are_sealed() -> None:
    match = new()
    bid(match, 0, "priest F1 B1 G3")
    for viewer in (1, 2, None):
        players = match.view(viewer)["players_at_table"]
        assert players[0]["bid"] is None
        assert players[0]["sealed"]
    assert match.view(0)["players_at_table"][0]["bid"] == {"priest": {"force": 1, "blackmail": 1, "gold": 3}}
    bid(match, 1, "printer F1 B1 G3")
    assert not any("Priest" in str(line) for line in match.log(2))
    bid(match, 2, "merchant F1 B1 G3")
    assert any(str(line).startswith("Priest: Red 1 force + 1 blackmail + 3 gold") for line in match.log(2))


@cites("revolution", "R5.2", "R5.5", "A-1", "A-26")
@pytest.mark.parametrize(
    ("before", "move", "rule"),
    [
        ([], "done", "R5.2"),
        ([], "bid general force", "R5.5"),
        ([], "bid rogue blackmail", "R5.5"),
        ([], "bid mercenary gold", "R5.2"),
        (["bid priest force"], "bid priest force", "R5.2"),
        (["bid priest gold"], "bid general gold", "A-26"),
        (["bid priest gold"], "bid priest force", "A-26"),
        (["bid printer force"], "bid mercenary gold", "R5.2"),  # nobody after the Mercenary takes Blackmail
        (["bid printer force", "bid printer blackmail"], "bid spy blackmail", "R5.2"),
        ([], "pass", "R5.1"),
        ([], "take tavern red", "R5.1"),
    ],
)
def test_illegal_bids_are_refused(before: list[str], move: str, rule: str) -> None:
    match = new()
    for earlier in before:
        match.play(0, earlier)
    with pytest.raises(samizdat.IllegalMove) as caught:
        match.play(0, move)
    assert caught.value.rule == rule


@cites("revolution", "R5.3", "A-1")
def test_a_seventh_character_is_refused() -> None:
    match = new()
    bid(match, 0, "aristocrat F1", "merchant B1 G3")
    bid(match, 1, "priest F1 B1 G3")
    bid(match, 2, "printer F1 B1 G3")
    assert match.view(0)["left_to_lay"] == {"force": 0, "blackmail": 0, "gold": 8}
    for character in ("general", "captain", "innkeeper", "magistrate", "priest", "aristocrat"):
        match.play(0, f"bid {character} gold")
    with pytest.raises(samizdat.IllegalMove, match="at most 6 townspeople") as caught:
        match.play(0, "bid merchant gold")
    assert caught.value.rule == "R5.3"
    match.play(0, "bid aristocrat gold")


@cites("revolution", "R5.3")
def test_six_characters_at_most() -> None:
    box, s, _ = dealt()
    s.held[0, GOLD], s.left[0, FORCE], s.left[0, BLACKMAIL], s.left[0, GOLD] = 9, 0, 0, 9
    s.held[0, FORCE] = s.held[0, BLACKMAIL] = 0
    luck = Luck()
    for character in range(6):
        POINTS.play(box, s, luck, 0, state.BID + character * TOKENS + GOLD)
    assert legal_moves(box, s, 0, 80) == [state.BID + 5 * TOKENS + GOLD], "a seventh character is not offered"


@cites("revolution", "A-26")
def test_opening_boards() -> None:
    """17,836 boards from the opening hand: 7 places for Force, 7 for Blackmail, three Gold over twelve characters."""
    assert boards_by_decisions((1, 1, 3), 3) == 17_836 == 7 * 7 * math.comb(14, 3)


@cites("revolution", "R5.2", "R5.3", "R5.5", "A-26")
@pytest.mark.parametrize(
    "hand", [(0, 0, 5), (1, 0, 4), (2, 1, 2), (0, 3, 2), (3, 0, 4), (2, 2, 4), (0, 0, 8), (1, 1, 6)]
)
def test_every_legal_board_has_exactly_one_path(hand: tuple[int, int, int]) -> None:
    assert boards_by_decisions(hand, 3) == boards_by_counting(hand)


def boards_by_decisions(hand: tuple[int, int, int], players: int) -> int:
    """Count the ways to enter a bid, by playing all of them."""
    game = samizdat.game("revolution", players=players)
    depth = sum(hand) + 1
    s: Any = game.blank()
    luck = Luck()
    rules.setup(game.box.record, s, luck)
    for token in range(TOKENS):
        s.held[0, token] = s.left[0, token] = hand[token]
    states = np.zeros(depth + 1, State.dtype)
    states[0] = s.array[0]
    return int(
        game.definition.native.perft(
            game.box.record.array, states, np.zeros(1, Luck.dtype), 0, game.moves_buffer(rows=depth + 1), depth,
            np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64),
        )
    )  # fmt: skip


def boards_by_counting(hand: tuple[int, int, int]) -> int:
    """The same number from the definition of a legal board, sharing no code with the rules."""
    text = samizdat.game("revolution").box.text
    refuses = [(row["no_force"], row["no_blackmail"]) for row in text.tables["characters"]]
    ways: dict[tuple[int, int, int, int], int] = {(*hand, 6): 1}
    for no_force, no_blackmail in refuses:
        after: dict[tuple[int, int, int, int], int] = {}
        for (force, blackmail, gold, room), number in ways.items():
            for f, b, g in itertools.product(range(force + 1), range(blackmail + 1), range(gold + 1)):
                if (f and no_force) or (b and no_blackmail) or (f + b + g and not room):
                    continue
                key = (force - f, blackmail - b, gold - g, room - (f + b + g > 0))
                after[key] = after.get(key, 0) + number
        ways = after
    return sum(number for (force, blackmail, gold, _), number in ways.items() if force + blackmail + gold == 0)


@cites("revolution", "R5.4")
def test_any_mixture_on_one_character() -> None:
    match = new()
    bid(match, 0, "priest F1 B1 G3")
    bid(match, 1, "printer F1 G1", "apothecary B1 G2")
    bid(match, 2, "spy F1", "apothecary B1", "mercenary G3")
    laid = [player["bid"] for player in match.view(None)["players_at_table"]]
    assert laid == [
        {"priest": {"force": 1, "blackmail": 1, "gold": 3}},
        {"printer": {"force": 1, "blackmail": 0, "gold": 1}, "apothecary": {"force": 0, "blackmail": 1, "gold": 2}},
        {
            "spy": {"force": 1, "blackmail": 0, "gold": 0},
            "apothecary": {"force": 0, "blackmail": 1, "gold": 0},
            "mercenary": {"force": 0, "blackmail": 0, "gold": 3},
        },
    ]
    assert match.turn == (2,), "the Spy finds Red's follower in the Cathedral"
    match.play(2, "pass")
    assert "Apothecary: Yellow 1 blackmail + 2 gold, Green 1 blackmail. Yellow wins." in [
        str(line) for line in match.log(None)
    ]
    assert [player["points"] for player in match.view(None)["players_at_table"]] == [6, 10, 3]


@cites("revolution", "R5.6", "R5.7", "A-2", "A-15")
def test_clean_up_order() -> None:
    """Seven characters, one of them with a refused token only: after R5.6 six are left, and R5.7 removes nothing."""
    box, s, luck = dealt(refund=True)
    for character in (0, 1, 2, 3, 4, 5):
        s.bid[0, character, GOLD] = 1
    s.bid[0, 8, FORCE] = 1
    assert rules.remove_refused(box, s, 0) == 1
    assert rules.remove_beyond_limit(box, s, 0) == 0
    s.bid[0, 11, GOLD] = 2
    assert rules.remove_beyond_limit(box, s, 0) == 2
    s.point = EVALUATION
    rules.evaluate(box, s, luck)
    assert s.held[0, FORCE] == 2, "won from General and Captain; the refused Force does not come back (A-15)"


# --- R6 Evaluation --------------------------------------------------------------------------------------


@cites("revolution", "R6.1", "A-5", "A-11")
def test_evaluation_order_and_gains() -> None:
    """The Merchant fills the Market before the Spy of the same round empties a place there; gains wait."""
    box, s, luck = dealt()
    for seat, character in ((0, 6), (1, 9)):
        s.bid[seat, character, GOLD] = 1
    market = 5
    s.followers[market, 2] = box.spaces[market] - 1
    s.stock[2] -= box.spaces[market] - 1
    s.point = EVALUATION
    rules.evaluate(box, s, luck)
    assert s.point == SPY
    assert s.settling == 9
    assert s.chooser == 1
    assert rules.empty_spaces(box, s, market) == 0
    assert s.gained[0, GOLD] == 5
    assert s.held[0, GOLD] == 3, "what was won cannot be used this round"
    POINTS.play(box, s, luck, 1, state.TAKE + market * state.OWNERS + 0)
    assert s.followers[market, 1] == 1, "replaced the follower that came in this round"


@cites("revolution", "R6.2")
def test_no_offer_no_winner() -> None:
    box, s, luck = dealt()
    s.point = EVALUATION
    rules.evaluate(box, s, luck)
    assert [s.points[seat] for seat in range(3)] == [0, 0, 0]
    assert sum(s.stock[seat] for seat in range(3)) == 75


@cites("revolution", "R6.3")
def test_every_reward_of_the_table() -> None:
    printed = {
        "general": (1, 1, 0, 0, "fortress"), "captain": (1, 1, 0, 0, "harbor"), "innkeeper": (3, 0, 1, 0, "tavern"),
        "magistrate": (1, 0, 1, 0, "town_hall"), "priest": (6, 0, 0, 0, "cathedral"),
        "aristocrat": (5, 0, 0, 3, "plantation"), "merchant": (3, 0, 0, 5, "market"), "printer": (10, 0, 0, 0, None),
        "rogue": (0, 0, 2, 0, None), "spy": (0, 0, 0, 0, None), "apothecary": (0, 0, 0, 0, None),
        "mercenary": (3, 1, 0, 0, None),
    }  # fmt: skip
    names = samizdat.game("revolution").box.names
    for character, name in enumerate(names["characters"]):
        box, s, luck = dealt()
        rules.take_reward(box, s, luck, character, 1)
        vp, force, blackmail, gold, area = printed[name]
        assert s.points[1] == vp
        assert [s.gained[1, token] for token in range(TOKENS)] == [force, blackmail, gold]
        placed = [names["areas"][a] for a in range(box.areas) if s.followers[a, 1]]
        assert placed == ([area] if area else [])
        assert s.stock[1] == 25 - len(placed)


@cites("revolution", "R6.3", "A-6")
def test_no_follower_left() -> None:
    box, s, luck = dealt()
    s.stock[0] = 0
    rules.take_reward(box, s, luck, 2, 0)
    assert s.points[0] == 3
    assert s.gained[0, BLACKMAIL] == 1
    assert s.followers[6, 0] == 0


@cites("revolution", "R6.4", "A-7", "A-8")
def test_spy_without_stock_or_target_has_no_effect() -> None:
    box, s, luck = dealt()
    s.bid[0, 9, GOLD] = 1
    s.point = EVALUATION
    assert rules.open_places(box, s, 0, SPY) == 0, "an empty city has no target"
    s.followers[0, 1] = 3
    assert rules.open_places(box, s, 0, SPY) != 0
    assert rules.open_places(box, s, 1, SPY) == 0, "own followers are no targets"
    s.stock[0] = 0
    assert rules.open_places(box, s, 0, SPY) == 0, "no follower in stock"
    rules.evaluate(box, s, luck)
    assert s.point == PERSUASION


@cites("revolution", "R6.5", "A-9", "A-10", "A-30")
def test_apothecary_exchanges() -> None:
    box, s, luck = dealt(apothecary_empty=False)
    s.followers[3, 1] = 2
    assert rules.open_places(box, s, 0, APOTHECARY) == 0, "one colour in one area: nothing to exchange"
    s.followers[5, 1] = 1
    assert rules.open_places(box, s, 0, APOTHECARY) == 0, "one colour in two areas: nothing would change"
    s.followers[5, 2] = 1
    first = 3 * state.OWNERS + 1
    assert rules.open_places(box, s, 0, APOTHECARY) == 1 << first
    s.apothecary_empty = 1
    s.first = first
    targets = rules.open_places(box, s, 0, state.EXCHANGE)
    expected = {area * state.OWNERS + EMPTY for area in (4, 5, 6)} | {5 * state.OWNERS + 2}
    assert targets == sum(1 << place for place in expected)
    s.point = state.EXCHANGE
    s.chooser = 0
    s.settling = 11
    rules.exchange(box, s, luck, 0, 6 * state.OWNERS + EMPTY)
    assert (s.followers[3, 1], s.followers[6, 1]) == (1, 1), "the follower moved to the empty space"


@cites("revolution", "A-30", "A-12")
def test_empty_first_place() -> None:
    box, s, luck = dealt(apothecary_empty=True)
    s.followers[6, 2] = 1
    s.first = 0 * state.OWNERS + EMPTY
    s.settling = 11
    rules.exchange(box, s, luck, 0, 6 * state.OWNERS + 2)
    assert (s.followers[0, 2], s.followers[6, 2]) == (1, 0)


@cites("revolution", "R6.6", "R6.7")
def test_specials_work_in_full_areas_and_bids_go_to_the_supply() -> None:
    box, s, luck = dealt()
    s.followers[6, 1] = 4
    s.bid[0, 9, FORCE] = 1
    s.bid[1, 7, GOLD] = 2
    s.point = EVALUATION
    rules.evaluate(box, s, luck)
    assert s.point == SPY
    POINTS.play(box, s, luck, 0, state.TAKE + 6 * state.OWNERS + 1)
    assert (s.followers[6, 0], s.followers[6, 1]) == (1, 3)
    assert s.rounds == 2
    assert all(s.bid[seat, who, token] == 0 for seat in range(3) for who in range(12) for token in range(3))
    assert [s.held[1, token] for token in range(TOKENS)] == [0, 0, 5], "the tokens that were bid are gone"


# --- R7, R8 Donations and the end -----------------------------------------------------------------------


@cites("revolution", "R7.2")
@given(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)))
def test_donations_fill_up_to_five_with_gold(hand: tuple[int, int, int]) -> None:
    box, s, luck = dealt()
    for token in range(TOKENS):
        s.held[0, token] = hand[token]
    rules.donations(box, s, luck)
    missing = max(0, 5 - sum(hand))
    assert [s.held[0, token] for token in range(TOKENS)] == [hand[0], hand[1], hand[2] + missing]


@cites("revolution", "R7.1", "R8.1", "A-27")
@pytest.mark.parametrize(
    ("filled", "rounds", "reason"),
    [(43, 5, "city_full"), (43, 60, "city_full"), (42, 60, "max_rounds"), (42, 59, None)],
)
def test_ends(filled: int, rounds: int, reason: str | None) -> None:
    box, s, luck = dealt()
    left = filled
    for area in range(box.areas):
        here = min(left, box.spaces[area])
        s.followers[area, area % 3] = here
        left -= here
    s.rounds = rounds
    s.point = EVALUATION
    rules.evaluate(box, s, luck)
    if reason is None:
        assert s.point == PERSUASION
        assert s.held[0, GOLD] == 5, "donations"
    else:
        assert s.point == OVER
        assert state.REASONS[s.reason] == reason
        assert s.held[0, GOLD] == 0, "no donations"


@cites("revolution", "R8.2", "A-22")
@given(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)))
def test_leftover_tokens_score(hand: tuple[int, int, int]) -> None:
    box, s, _ = dealt()
    s.point = OVER
    for seat in range(3):
        for token in range(TOKENS):
            s.held[seat, token] = hand[token] if seat == 0 else 0
    assert scored(box, s).points[0] == 5 * hand[0] + 3 * hand[1] + hand[2]


@cites("revolution", "R8.3")
@given(st.lists(st.integers(0, 8), min_size=4, max_size=4))
def test_majorities(followers: list[int]) -> None:
    box, s, _ = dealt(players=4)
    for seat, number in enumerate(followers):
        s.followers[0, seat] = number
    leaders = [seat for seat in range(4) if followers[seat] == max(followers) > 0]
    assert rules.majority(box, s, 0) == (leaders[0] if len(leaders) == 1 else NOBODY)


@cites("revolution", "R8.4")
@given(st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_highest_total_wins(points: list[int]) -> None:
    box, s, _ = dealt(players=4)
    s.point = OVER
    for seat in range(4):
        s.points[seat] = points[seat]
        for token in range(TOKENS):
            s.held[seat, token] = 0
    ranks = scored(box, s).rank
    assert [ranks[seat] for seat in range(4)] == [1 + sum(other > own for other in points) for own in points]


# --- R9 Options -----------------------------------------------------------------------------------------


@cites("revolution", "R9.1", "A-13", "A-29")
def test_refunds_accumulate_beyond_120_gold() -> None:
    """Seat 1 wins the Merchant with one Gold and loses the Priest with the rest: four more Gold every round."""
    box, s, luck = dealt(refund=True, max_rounds=200)
    s.held[1, FORCE] = s.held[1, BLACKMAIL] = 0
    for _ in range(31):
        held = s.held[1, GOLD]
        s.bid[1, 6, GOLD] = 1
        s.bid[1, 4, GOLD] = held - 1
        s.bid[2, 4, FORCE] = 1
        s.point = EVALUATION
        rules.evaluate(box, s, luck)
        assert s.held[1, GOLD] == held - 1 + 5 or held < 5, "the losing offer comes back, the winning one does not"
    assert s.held[1, GOLD] > 120


@cites("revolution", "A-29")
def test_the_widest_hand_still_fits() -> None:
    """The bound of every token field is reached by writing it, bidding it and settling it, on both engines."""
    most = state.MOST_TOKENS
    _, s, _ = dealt(refund=True)
    for token in range(TOKENS):
        s.bid[0, 4, token] = most
    assert rules.strength(s, 0, 4) > rules.strength(s, 1, 4)
    assert rules.strongest(s, 4) == 0
    s.held[0, GOLD] = most
    with pytest.raises((OverflowError, ValueError)):
        s.held[0, GOLD] = 1 << 15
    s.points[0] = state.MOST_POINTS
    assert s.points[0] == state.MOST_POINTS


@cites("revolution", "R9.2", "A-16", "A-17", "A-32")
def test_domination_by_the_spy_locks_at_once() -> None:
    box, s, luck = dealt(domination=True)
    tavern = 6
    s.followers[tavern, 0] = 3
    s.followers[tavern, 1] = 1
    s.followers[0, 1] = 1
    s.bid[0, 9, GOLD] = 1
    s.bid[1, 10, GOLD] = 1
    s.point = EVALUATION
    rules.evaluate(box, s, luck)
    assert s.point == SPY
    assert not rules.locked(box, s, tavern)
    POINTS.play(box, s, luck, 0, state.TAKE + tavern * state.OWNERS + 1)
    assert rules.locked(box, s, tavern)
    assert s.point == PERSUASION, (
        "the Apothecary of the same round finds nothing: the Tavern is locked, for its owner too"
    )
    s.point = OVER
    assert rules.area_score(box, s, tavern) == 30
    s.domination = 0
    assert rules.area_score(box, s, tavern) == 20


@cites("revolution", "A-16")
def test_a_dominated_area_is_locked_for_its_owner_too() -> None:
    box, s, _ = dealt(domination=True)
    tavern = 6
    s.followers[tavern, 0] = box.spaces[tavern]
    s.followers[0, 1] = 1
    for seat in range(3):
        assert rules.open_places(box, s, seat, APOTHECARY) == 0, (
            "Red's own Tavern is all that could be exchanged with"
        )
        assert rules.open_places(box, s, seat, SPY) == (0 if seat == 1 else 1 << (0 * state.OWNERS + 1))
    s.domination = 0
    assert rules.open_places(box, s, 0, APOTHECARY) == 1 << (0 * state.OWNERS + 1)


# --- What is said ---------------------------------------------------------------------------------------


def special(point: str, followers: dict[str, dict[str, int]], **options: Any) -> Match:
    """Red has won the Spy or the Apothecary and is asked."""
    given = {
        "point": point, "chooser": "red", "settling": point, "sealed": 7, "followers": followers,
        "bid": {"red": {point: {"gold": 5}}},
    }  # fmt: skip
    scene = Scene(Path("special"), "", "", (), {"players": 3, "max_rounds": 1, **options}, given, [], False)
    return set_scene(definition("revolution"), scene)


def told(match: Match) -> dict[str, str]:
    """The lines of the log, each with the rule it cites."""
    return {str(line): line.rule for line in match.log(None)}


@cites("revolution", "A-7", "A-9")
@pytest.mark.parametrize(("point", "rule"), [("spy", "A-7"), ("apothecary", "A-9")])
def test_a_special_left_idle_cites_its_own_ruling(point: str, rule: str) -> None:
    match = special(point, {"market": {"yellow": 1}, "tavern": {"green": 1}})
    match.play(0, "pass")
    assert told(match)[f"Red leaves the {point.title()} idle."] == rule


@cites("revolution", "A-7", "A-9", "R7.1", "A-27")
def test_specials_without_work_and_the_last_round_cite_their_rulings() -> None:
    match = new(max_rounds=1)
    bid(match, 0, "spy F1", "apothecary B1 G3")
    bid(match, 1, "printer F1 B1 G3")
    bid(match, 2, "printer F1 B1 G3")
    said = told(match)
    assert said["The Spy finds nothing to do for Red."] == "A-7"
    assert said["The Apothecary finds nothing to do for Red."] == "A-9"
    assert said["The game ends: the last round is over."] == "A-27"
    full = samizdat.loads((RECORDED / "revolution" / "city_full.json").read_text(encoding="utf-8"))
    assert told(full)["The game ends: the city is full."] == "R8.1"


@cites("revolution", "R6.5", "A-30")
@pytest.mark.parametrize(("second", "rule"), [("green", "R6.5"), ("empty", "A-30")])
def test_an_exchange_with_an_empty_space_cites_the_option(second: str, rule: str) -> None:
    match = special("apothecary", {"market": {"yellow": 1}, "tavern": {"green": 1}}, apothecary_empty=True)
    match.play(0, "take market yellow")
    match.play(0, f"take tavern {second}")
    assert told(match)[f"Red exchanges places: Yellow in the Market, {second.title()} in the Tavern."] == rule


@cites("revolution", "R6.4", "A-7", "A-9", "A-10")
@pytest.mark.parametrize(
    ("point", "before", "move", "rule", "words"),
    [
        ("spy", [], "take tavern empty", "R6.4", "only a follower"),
        ("spy", [], "take market red", "A-7", "not your own"),
        ("apothecary", [], "take tavern empty", "A-10", "only a follower"),
        ("apothecary", [], "take tavern green", "A-9", "begin with the other one"),
        ("apothecary", [], "take tavern yellow", "A-9", "begin with the other one"),
        ("apothecary", ["take market red"], "take market yellow", "A-9", "would change nothing"),
        ("apothecary", ["take market yellow"], "take tavern yellow", "A-9", "would change nothing"),
        ("apothecary", ["take market yellow"], "take harbor green", "A-9", "begins with its earlier area"),
    ],
)  # fmt: skip
def test_refusals_of_the_specials(point: str, before: list[str], move: str, rule: str, words: str) -> None:
    followers = {"harbor": {"green": 1}, "market": {"red": 1, "yellow": 1}, "tavern": {"yellow": 1, "green": 1}}
    match = special(point, followers)
    for earlier in before:
        match.play(0, earlier)
    with pytest.raises(samizdat.IllegalMove, match=words) as caught:
        match.play(0, move)
    assert caught.value.rule == rule


@cites("revolution", "A-9")
def test_nobody_is_told_to_begin_with_one_who_has_no_partner() -> None:
    """Yellow in the Tavern could only change places with Yellow in the Market, which would change nothing."""
    match = special("apothecary", {"market": {"yellow": 1}, "tavern": {"yellow": 1, "green": 1}})
    with pytest.raises(samizdat.IllegalMove, match="no exchange with Yellow in the Tavern would change anything"):
        match.play(0, "take tavern yellow")
    assert [str(move) for move in match.legal(0)] == ["pass", "take market yellow"]


# --- The sampler ----------------------------------------------------------------------------------------


def all_boards(game: Game, hand: tuple[int, int, int]) -> list[bytes]:
    """Every legal board for a hand, by brute force."""
    box: Any = game.box.record
    found: list[bytes] = []
    s: Any = game.blank()
    luck = Luck()
    rules.setup(box, s, luck)
    for token in range(TOKENS):
        s.held[1, token] = s.left[1, token] = hand[token]
    stack = [s]
    while stack:
        here = stack.pop()
        moves = legal_moves(box, here, 1, game.capacity)
        for move in moves:
            if move == state.DONE:
                found.append(here.array["bid"][0, 1].tobytes())
            else:
                there = here.copy()
                POINTS.play(box, there, luck, 1, move)
                stack.append(there)
    return found


@cites("revolution", "R5.1", "A-26")
@pytest.mark.parametrize("hand", [(1, 1, 1), (0, 2, 1), (2, 0, 1), (1, 0, 2), (0, 0, 3)])
def test_a_guessed_bid_is_any_legal_board_equally_often(hand: tuple[int, int, int]) -> None:
    """Support by brute force, frequencies by a chi-square test."""
    game = samizdat.game("revolution", players=3)
    boards = all_boards(game, hand)
    assert len(boards) == len(set(boards)) == boards_by_counting(hand)
    lay = game.definition.native.compile(lay_many)
    per_board = 30
    draws = per_board * len(boards)
    s: Any = game.blank()
    luck = Luck()
    rules.setup(game.box.record, s, luck)
    for token in range(TOKENS):
        s.held[1, token] = hand[token]
    states = np.zeros(1, State.dtype)
    bids = np.zeros((draws, 12, 3), State.dtype["bid"].base)
    lay(game.box.record.array, s.array, states, np.zeros(1, Luck.dtype), bids)
    counts: dict[bytes, int] = dict.fromkeys(boards, 0)
    for row in bids:
        counts[row.tobytes()] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


@cites("revolution", "R5.1", "A-26")
@pytest.mark.parametrize("hand", [(3, 4, 8), (2, 2, 9), (0, 0, 40), (6, 5, 30)])
def test_a_guessed_large_hand_uses_six_characters_as_often_as_it_should(hand: tuple[int, int, int]) -> None:
    """For hands with too many boards to list: how many characters are bid on, against exact counts."""
    game = samizdat.game("revolution", players=3)
    lay = game.definition.native.compile(lay_many)
    draws = 4000
    s: Any = game.blank()
    rules.setup(game.box.record, s, Luck())
    for token in range(TOKENS):
        s.held[1, token] = hand[token]
    bids = np.zeros((draws, 12, 3), State.dtype["bid"].base)
    lay(game.box.record.array, s.array, np.zeros(1, State.dtype), np.zeros(1, Luck.dtype), bids)
    assert (bids.sum(axis=1) == hand).all()
    used = (bids.sum(axis=2) > 0).sum(axis=1)
    exact = characters_used(hand)
    total = sum(exact.values())
    often = [people for people in exact if exact[people] / total * draws >= 5]
    seen = [int((used == people).sum()) for people in often]
    wanted = [exact[people] / total * draws for people in often]
    seen.append(draws - sum(seen))
    wanted.append(draws - sum(wanted))
    if wanted[-1] < 1e-6:
        assert seen.pop() == 0
        wanted.pop()
    if len(seen) > 1:
        assert stats.chisquare(seen, wanted).pvalue > 1e-4


def characters_used(hand: tuple[int, int, int]) -> dict[int, int]:
    """How many legal boards bid on 1, 2, … 6 characters, from the definition."""
    text = samizdat.game("revolution").box.text
    refuses = [(row["no_force"], row["no_blackmail"]) for row in text.tables["characters"]]
    ways: dict[tuple[int, int, int, int], int] = {(*hand, 0): 1}
    for no_force, no_blackmail in refuses:
        after: dict[tuple[int, int, int, int], int] = {}
        for (force, blackmail, gold, people), number in ways.items():
            for f in range(1 if no_force else force + 1):
                for b in range(1 if no_blackmail else blackmail + 1):
                    for g in range(gold + 1):
                        if f + b + g and people == 6:
                            break
                        key = (force - f, blackmail - b, gold - g, people + (f + b + g > 0))
                        after[key] = after.get(key, 0) + number
        ways = after
    return {people: number for (f, b, g, people), number in ways.items() if f + b + g == 0}


# Each row: how many characters, how many a player may bid on, and the hand. Who refuses what is drawn.
EXTREMES = [
    (12, 12, (100, 100, 100)),
    (12, 12, (120, 120, 120)),
    (12, 12, (state.MOST_TOKENS, state.MOST_TOKENS, state.MOST_TOKENS)),
    (12, 11, (0, 100, state.MOST_TOKENS)),
    (12, 6, (200, 200, 1000)),
    (12, 2, (100, 100, 100)),
    (9, 7, (100, 1, 0)),
    (4, 3, (3, 100, 2)),
    (1, 1, (100, 100, 100)),
]


@cites("revolution", "R5.1", "R5.3", "A-26", "A-29")
@pytest.mark.parametrize(("characters", "most", "hand"), EXTREMES)
@pytest.mark.parametrize("fussy", [0.0, 0.3])
def test_a_guessed_bid_is_fair_with_any_box_and_hand(
    characters: int, most: int, hand: tuple[int, int, int], fussy: float, tmp_path: Path
) -> None:
    """It ends, interpreted and compiled, and who is bid on comes as often as an independent count says."""
    rng = random.Random(f"{characters} {most} {hand} {fussy}")
    refuses = [(rng.random() < fussy, rng.random() < fussy) for _ in range(characters - 1)] + [(False, False)]
    game = samizdat.game("revolution", players=3, box=a_box(tmp_path, refuses, most))
    s: Any = game.blank()
    luck = Luck()
    rules.setup(game.box.record, s, luck)
    for token in range(TOKENS):
        s.held[1, token] = hand[token]
    alone = s.copy()
    lay_a_fair_bid(game.box.record, alone, luck, 1)
    draws = 1000
    bids = np.zeros((draws, 12, 3), State.dtype["bid"].base)
    lay = game.definition.native.compile(lay_many)
    lay(game.box.record.array, s.array, np.zeros(1, State.dtype), np.zeros(1, Luck.dtype), bids)
    assert (np.vstack([bids, alone.array["bid"][:, 1]]).sum(axis=1) == hand).all()
    for who, (no_force, no_blackmail) in enumerate(refuses):
        assert not (no_force and bids[:, who, FORCE].any())
        assert not (no_blackmail and bids[:, who, BLACKMAIL].any())
    bid_on = (bids.sum(axis=2) > 0) @ (1 << np.arange(12))
    boards = boards_by_people(refuses, most, hand)
    total = sum(boards.values())
    heap_of = {people: rng.randrange(12) for people in boards}  # so that each heap is met often enough to compare
    wanted, seen = [0.0] * 12, [0] * 12
    for people, number in boards.items():
        wanted[heap_of[people]] += float(Fraction(number * draws, total))
    for people in bid_on.tolist():
        seen[heap_of[people]] += 1  # a KeyError: no legal board bids on these
    rare = [heap for heap in range(12) if wanted[heap] < 5]
    often = [heap for heap in range(12) if wanted[heap] >= 5]
    for row in (wanted, seen):
        row[often[0]] += sum(row[heap] for heap in rare)  # type: ignore[operator]
    if len(often) > 1:
        assert stats.chisquare([seen[heap] for heap in often], [wanted[heap] for heap in often]).pvalue > 1e-4


def a_box(folder: Path, refuses: list[tuple[bool, bool]], most: int) -> Path:
    """A box with so many characters, who refuse this; all else is small."""
    rows = "".join(
        f'["c{who}", {str(force).lower()}, {str(blackmail).lower()}, 1, 0, 0, 0, "square", "", "rulebook"],\n'
        for who, (force, blackmail) in enumerate(refuses)
    )
    head = 'provenance = "reconstructed"\nsource = "a test"\n'
    columns = '"no_force", "no_blackmail", "vp", "force", "blackmail", "gold", "area", "special", "provenance"'
    path = folder / "extreme.toml"
    path.write_text(
        'game = "revolution"\n'
        f'[areas]\n{head}columns = ["id", "spaces", "vp"]\nrows = [\n["square", 1, 1],\n]\n'
        f'[characters]\n{head}columns = ["id", {columns}]\nrows = [\n{rows}]\n'
        f'[colours]\n{head}columns = ["id"]\nrows = [\n["red"], ["blue"], ["green"], ["white"],\n]\n'
        f'[tokens]\n{head}columns = ["id", "start", "vp"]\n'
        'rows = [\n["force", 100, 1],\n["blackmail", 100, 1],\n["gold", 100, 1],\n]\n'
        f"[constants]\n{head}followers = 1\nmost_characters = {most}\ntoken_floor = 1\ndomination_vp = 0\n",
        encoding="utf-8",
    )
    return path


def boards_by_people(refuses: list[tuple[bool, bool]], most: int, hand: tuple[int, int, int]) -> dict[int, int]:
    """How many legal boards bid on exactly these characters (a bit set), by inclusion and exclusion over all sets."""

    def spread_over(tokens: int, people: int) -> int:
        return math.comb(tokens + people - 1, people - 1) if people else int(tokens == 0)

    count = len(refuses)
    boards = [0] * (1 << count)
    for people in range(1 << count):
        here = [refuses[who] for who in range(count) if (people >> who) & 1]
        takers = (sum(not force for force, _ in here), sum(not blackmail for _, blackmail in here), len(here))
        boards[people] = math.prod(itertools.starmap(spread_over, zip(hand, takers, strict=True)))
    for who in range(count):
        for people in range(1 << count):
            if (people >> who) & 1:
                boards[people] -= boards[people ^ (1 << who)]
    return {people: number for people, number in enumerate(boards) if number and people.bit_count() <= most}


def lay_many(boxes: Any, given: Any, states: Any, lucks: Any, bids: Any) -> None:
    for i in range(len(bids)):
        states[0] = given[0]
        lucks[0].key[0] = 99
        begin(lucks[0], i)
        lay_a_fair_bid(boxes[0], states[0], lucks[0], 1)
        for character in range(12):
            for token in range(3):
                bids[i, character, token] = states[0].bid[1, character, token]


def test_refunds_widen_the_reach_and_stay_within_it() -> None:
    """A-29: in every round one player wins the Merchant's Gold with one token and loses the Priest with the rest."""
    known = definition("revolution")
    game = known.choose(3, refund=True, max_rounds=40)
    s: Any = game.match(seed=3)._state
    luck = Luck()
    while s.reason == 0:
        s.bid[1, 6, GOLD] = 1
        s.bid[1, 4, GOLD] = s.held[1, GOLD] - 1
        s.bid[2, 4, FORCE] = 1
        s.point = EVALUATION
        rules.evaluate(game.box.record, s, luck)
        assert out_of_reach(game, s.array) is None
    assert s.rounds == 40
    plain = reach_of(known.choose(3, max_rounds=40))["held"].high
    assert s.held[1, GOLD] > 10 * plain[1, GOLD]
    assert s.held[1, GOLD] > reach_of(game)["held"].high[1, GOLD] // 3, "and the bound is not far off"
