"""Revolution!: every numbered rule and ruling that the scenes do not already hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.games.revolution import rules, state
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.state import (
    APOTHECARY,
    BLACKMAIL,
    EMPTY,
    EVALUATION,
    FORCE,
    GOLD,
    NOBODY,
    PERSUASION,
    SPY,
    TOKENS,
    State,
)
from samizdat.kernel.interpreted import hidden, legal_moves
from samizdat.kernel.luck import Luck
from tests.games.town import bid, boards_by_counting, cites, dealt, new

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


@cites("revolution", "R5.1")
def test_a_board_behind_its_screen_is_as_if_nothing_lay_on_it() -> None:
    """Whether a bid is begun, half laid or sealed: all that a record holds of it is wiped for everybody else."""
    match = new()
    untouched = [hidden(match._box, match._state, viewer) for viewer in (-1, 1)]
    match.play(0, "bid priest gold")
    match.play(0, "bid spy force")
    assert [hidden(match._box, match._state, viewer) for viewer in (-1, 1)] == untouched
    for field in ("bid", "left", "cursor", "people"):
        assert not untouched[0].array[field].any(), field
    assert hidden(match._box, match._state, 0) != hidden(match._box, match._state, -1)


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
