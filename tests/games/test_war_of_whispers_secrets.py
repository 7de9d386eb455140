"""A War of Whispers: what is known of hidden cards and tokens, and fair guesses at the rest."""

from __future__ import annotations

import collections
import itertools
import random
from typing import Any

import pytest
from scipy import stats

import samizdat
from samizdat.games.war_of_whispers import laws, rules
from samizdat.kernel.interpreted import acting, hidden, legal_moves
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from tests.conftest import DOSE
from tests.games.test_war_of_whispers import reset_position
from tests.games.whispers import BEAR, RAT, RAVEN, SPIDER, at_seat, play, position, state

cites = pytest.mark.rules
GAME = "war-of-whispers"
PUBLIC = 4  # the row of `ruled_out` that everybody knows


def guessed(match: Match, seat: int, key: int) -> Any:
    s: Any = hidden(match._box, match._state, seat)
    luck = Luck()
    seed_luck(luck, key)
    rules.guess(match._box, s, luck, seat)  # type: ignore[arg-type]
    assert laws.broken(match._box, s) == 0  # type: ignore[arg-type]
    return s


def hand_of(s: Any, seat: int) -> tuple[int, ...]:
    return tuple(s.hand[seat, face] for face in range(20))


def fair(counts: collections.Counter[Any], weights: dict[Any, float], tries: int) -> None:
    """Every outcome comes, none other, and as often as it should."""
    assert set(counts) == set(weights)
    total = sum(weights.values())
    keys = list(weights)
    expected = [tries * weights[key] / total for key in keys]
    assert stats.chisquare([counts[key] for key in keys], expected).pvalue > 1e-4


def possible(s: Any, knower: int, observer: int) -> bool:
    """Whether the true hands agree with what `knower` has ruled out: each card fits a place of its holder."""
    for empire in range(5):
        places: dict[int, list[int]] = collections.defaultdict(list)
        for entry in range(8):
            if s.drawn[empire, entry] >= 0:
                places[s.drawn[empire, entry]].append(entry)
        cards = [
            (seat, face)
            for seat in places
            if seat != observer
            for face in range(4 * empire, 4 * empire + 4)
            for _ in range(s.hand[seat, face])
        ]
        if not fits(s, knower, observer, cards, places):
            return False
    return True


def fits(s: Any, knower: int, observer: int, cards: list[tuple[int, int]], places: dict[int, list[int]]) -> bool:
    """A matching of cards with places, found by trying."""
    if not cards:
        return True
    (seat, face), rest = cards[0], cards[1:]
    own = s.hand[observer, face] if observer >= 0 else 0
    later = sum(1 for _, other in rest if other == face)
    copy = min(2 - own, later + 1) - 1  # of two copies in other hands, one is the better known
    options = {copy, 0} if later == 0 else {copy}
    for which in options:
        for entry in places[seat]:
            if s.ruled_out[knower, face, which] <= entry:
                left = {**places, seat: [place for place in places[seat] if place != entry]}
                if fits(s, knower, observer, rest, left):
                    return True
    return False


@cites(GAME, "A63", "A38")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_truth_is_never_ruled_out(players: int) -> None:
    game = samizdat.game(GAME, players=players)
    known = 0
    for seed in range(6):
        rng = random.Random(seed)
        match = game.match(seed)
        while not match.over:
            seat = rng.choice(match.turn)
            moves = match.legal(seat)
            draws = [move for move in moves if str(move) == "act draw" or move.kind in ("play", "pay")]
            match.play(seat, rng.choice(draws or moves))
            s = state(match)
            if match.view(None)["point"] == "reset":
                continue
            known += sum(s.ruled_out[PUBLIC, face, 1] > 0 for face in range(20))
            for knower in (*range(players), PUBLIC):
                assert possible(s, knower, knower if knower < players else -1)
    assert known > 500


@cites(GAME, "A63", "A38")
def test_hands_are_guessed_evenly() -> None:
    """Two Bear cards in another hand, of the seven that are not in one's own."""
    match = at_seat("bear_sheriff", hand={"raven": {"bear_with_eagle": 1}, "rat": {"bear_with_lion": 2}})
    tries = 2000
    counts = collections.Counter(hand_of(guessed(match, RAVEN, key), RAT) for key in range(tries))
    copies = [0, 1, 1, 2, 2, 3, 3]
    weights: collections.Counter[Any] = collections.Counter()
    for one, two in itertools.combinations(copies, 2):
        hand = [0] * 20
        hand[one] += 1
        hand[two] += 1
        weights[tuple(hand)] += 1
    fair(counts, dict(weights), tries)


@cites(GAME, "A63")
def test_a_card_seen_going_back_is_not_in_older_hands() -> None:
    """Rat drew before Raven's card was seen going back, Spider after it."""
    match = at_seat("lion_sheriff", 3, agent={"lion_chancellor": "raven", "bear_steward": "spider"},
                    hand={"raven": {"lion_with_bear": 1}, "rat": {"lion_with_eagle": 1}})  # fmt: skip
    s = state(match)
    s.drawn[3, 0], s.drawn[3, 1] = RAT, RAVEN
    play(match, "play another_voice", "pay lion_with_bear", "seat lion_steward")
    match.play(RAVEN, "act draw", [1])  # lion_with_bear is back in the deck; Raven draws some Lion card
    tries = 1500
    seen = collections.Counter(hand_of(guessed(match, SPIDER, key), RAT).index(1) for key in range(tries))
    # Of the eight Lion cards Rat may hold seven: not the copy that was seen.
    fair(seen, {12: 1, 13: 2, 14: 2, 15: 2}, tries)
    later = collections.Counter(hand_of(guessed(match, SPIDER, key), RAVEN).index(1) for key in range(tries))
    assert set(later) == {12, 13, 14, 15}
    # Raven drew from the seven that Rat does not hold: the copy that was seen among them for certain.
    fair(later, {12: 2 - 1 / 7, 13: 2 - 2 / 7, 14: 2 - 2 / 7, 15: 2 - 2 / 7}, tries)


@cites(GAME, "A63", "A39")
def test_own_discards_are_remembered_by_their_owner_alone() -> None:
    hand = {"raven": {"bear_with_eagle": 2, "eagle_with_bear": 2, "horse_with_bear": 2}, "rat": {"bear_with_lion": 1}}
    match = at_seat("horse_chancellor", 3, army={"horse_1": 1}, hand=hand)
    s = state(match)
    s.drawn[BEAR, 0], s.drawn[BEAR, 2] = RAT, RAVEN
    play(match, "act attack", "from horse_1", "to bear_3", "number 1", "done", "done", "discard bear_with_eagle")
    assert match.view(None)["point"] == "swap_loyalty"
    tries = 1200
    own = collections.Counter(hand_of(guessed(match, RAVEN, key), RAT).index(1) for key in range(tries))
    assert set(own) == {1, 2, 3}  # one copy is in Raven's hand, the other was when Rat drew
    other = collections.Counter(hand_of(guessed(match, SPIDER, key), RAT).index(1) for key in range(tries))
    assert set(other) == {0, 1, 2, 3}


@cites(GAME, "A63")
def test_an_announced_card_is_payable() -> None:
    match = at_seat("horse_steward", 3, hand={"raven": {"bear_with_eagle": 1, "eagle_with_lion": 1}})
    play(match, "play mercenaries")
    tries = 1500
    counts = collections.Counter(hand_of(guessed(match, SPIDER, key), RAVEN) for key in range(tries))
    weights = {}
    for bear, eagle in itertools.product(range(4), range(4, 8)):
        if bear == 0 or eagle == 4:
            weights[tuple(1 if face in (bear, eagle) else 0 for face in range(20))] = 1.0
    fair(counts, weights, tries)
    play(match, "pay bear_with_eagle")
    second = {hand_of(guessed(match, SPIDER, key), RAVEN).index(1) for key in range(200)}
    assert second == {4, 5, 6, 7}


@cites(GAME, "A39", "R13")
def test_the_reset_in_any_order_keeps_its_secrets() -> None:
    """Random play rarely gets here: all orders of two players' discards, and what everybody can tell on the way."""
    plans = {RAVEN: ["discard bear_with_lion", "discard horse_with_bear"], RAT: ["discard eagle_with_lion"]}
    results = set()
    for order in set(itertools.permutations([RAVEN, RAVEN, RAT])):
        match = reset_position()
        rest = {seat: list(moves) for seat, moves in plans.items()}
        for seat in order:
            keep_secrets(match)
            match.play(seat, rest[seat].pop(0))
        keep_secrets(match)
        results.add(bytes(match._state))
    assert len(results) == 1


def keep_secrets(match: Match) -> None:
    for seat in range(-1, match.seats):
        seen = hidden(match._box, match._state, seat)
        for key in range(20):
            world = guessed(match, seat, key)
            assert bytes(hidden(match._box, world, seat)) == bytes(seen)
            assert acting(world) == acting(seen) == match.turn
            for other in match.turn:
                moves = legal_moves(match._box, world, other, match.game.capacity)
                assert moves
                if other == seat:
                    assert moves == [move.id for move in match.legal(seat)]


@cites(GAME, "A39", "A63")
def test_sealed_discards_are_guessed_evenly() -> None:
    hand = {"raven": {"bear_with_eagle": 2, "eagle_with_bear": 2, "horse_with_bear": 2}, "rat": {"lion_with_bear": 2}}
    hand["rat"] |= {"lion_with_eagle": 2, "lion_with_horse": 2}
    match = at_seat("horse_chancellor", 2, army={"horse_1": 1}, hand=hand)
    play(match, "act attack", "from horse_1", "to bear_3", "number 1", "done", "done", "discard bear_with_eagle")
    assert match.turn == (RAT,)
    kept = collections.Counter()
    tries = 1500
    for key in range(tries):
        s = guessed(match, RAT, key)
        kept[tuple(sum(s.hand[RAVEN, face] for face in range(4 * e, 4 * e + 4)) for e in range(5))] += 1
    fair(kept, {(1, 2, 0, 0, 2): 1, (2, 1, 0, 0, 2): 1, (2, 2, 0, 0, 1): 1}, tries)
    unsealed = guessed(match, RAVEN, 1)
    assert sum(hand_of(unsealed, RAT)) == 6


def board(devout: str, dutiful: str) -> dict[str, str]:
    rest = {"affiliated": "elephant", "unallied": "lion", "opposed": "horse"}
    return {"devout": devout, "dutiful": dutiful, **rest}


@cites(GAME, "R3.6", "R14", "V1")
@pytest.mark.parametrize("distinct", [False, True])
def test_loyalties_are_guessed_evenly(distinct: bool) -> None:
    boards = {"raven": board("bear", "eagle"), "rat": board("eagle", "bear")}
    match = position(2, {"distinct_devout": distinct}, loyalty=boards)
    tries = 1500 * DOSE  # a dozen of each order
    counts = collections.Counter(
        tuple(guessed(match, RAVEN, key).loyalty[RAT, slot] for slot in range(5)) for key in range(tries)
    )
    orders = [order for order in itertools.permutations(range(5)) if not distinct or order[0] != 0]
    fair(counts, dict.fromkeys(orders, 1.0), tries)


@cites(GAME, "V1", "R14")
def test_a_shown_devout_token_tells_of_the_deal() -> None:
    """Rat swapped the Devout token away: it was Eagle, and so Raven's is not; what is there now may be."""
    boards = {"raven": board("bear", "eagle"), "rat": board("bear", "eagle")}
    match = position(2, {"distinct_devout": True}, loyalty=boards, shown={"rat": 3}, sworn=[0, 1])
    seen = {guessed(match, RAT, key).loyalty[RAVEN, 0] for key in range(300)}
    assert seen == {0, 2, 3, 4}


def test_a_spectator_sees_no_hand_and_no_token() -> None:
    match = at_seat("bear_sheriff", hand={"raven": {"bear_with_eagle": 1}})
    for player in match.view(None)["players_at_table"]:
        assert player["hand"] is None
        assert set(player["loyalty"].values()) == {None}
    assert match.view(RAVEN)["players_at_table"][RAVEN]["hand"] == {"bear_with_eagle": 1}
    assert match.view(RAT)["players_at_table"][RAVEN]["cards"]["bear"] == 1
