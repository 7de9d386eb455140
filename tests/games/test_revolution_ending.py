"""Revolution!, R7 to R9 and what is said: donations, the end, options, and sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.games.revolution import rules, state
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.state import (
    APOTHECARY,
    BLACKMAIL,
    EVALUATION,
    FORCE,
    GOLD,
    NOBODY,
    OVER,
    PERSUASION,
    SPY,
    TOKENS,
)
from samizdat.kernel.interpreted import scored
from samizdat.kernel.luck import RecordingLuck
from samizdat.kernel.match import Match
from tests.games.town import bid, cites, dealt, new, special
from tests.rulebook import RECORDED

# --- R7, R8 Donations and the end -----------------------------------------------------------------------


@cites("revolution", "R7.2")
@given(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)))
def test_donations_fill_up_to_five_with_gold(hand: tuple[int, int, int]) -> None:
    box, s, _ = dealt()
    heard = RecordingLuck()
    for token in range(TOKENS):
        s.held[0, token] = hand[token]
    rules.donations(box, s, heard)
    missing = max(0, 5 - sum(hand))
    assert heard.told == (missing > 0), "nobody is told of a donation of nothing"
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
