"""The benchmark's games on our kernel: the numbers that make a row count, and the laws of every game.

None of this needs a rival's package.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from bench import ours
from bench.games import leduc
from bench.games.common import HIDDEN, SHOWDOWN
from bench.rivals import facts
from bench.rivals.measured import Tree
from samizdat.conformance.walks import native_trace, plain_trace
from samizdat.kernel import interpreted as engine
from samizdat.kernel import loops
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import Batch
from samizdat.kernel.luck import Dice, Luck, begin_dice, pick, seed_luck
from samizdat.kernel.scoring import Score
from samizdat.lab.simulation import Simulation
from tests.conftest import DOSE

GAMES = list(ours.GAMES.items())
CARD_GAMES = [facts.KUHN, facts.LEDUC, facts.LEDUC_BLINDS]
every = pytest.mark.parametrize("game", [game for _, game in GAMES], ids=[name for name, _ in GAMES])


# --- The same games as the rivals' --------------------------------------------


@pytest.mark.parametrize(
    ("opening", "expected"),
    [((), facts.START_PERFT[:8]), (facts.MIDDLE, facts.MIDDLE_PERFT), (facts.LATE, facts.LATE_PERFT)],
    ids=["start", "middle", "late"],
)
def test_connect_four_counts(opening: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert tuple(ours.perft(depth, opening) for depth in range(1, len(expected) + 1)) == expected


def test_connect_four_ends_when_the_board_is_full() -> None:
    assert ours.perft(7, facts.LATE) == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (facts.KUHN, Tree(4, 24, 30, Fraction(9, 4), Fraction(1, 8))),
        (facts.LEDUC, Tree(157, 3780, 5520, Fraction(65, 16), Fraction(-5, 64))),
        (facts.LEDUC_BLINDS, Tree(157, 3780, 6780, Fraction(208, 81), Fraction(-137, 729))),
    ],
)
def test_whole_trees(name: str, expected: Tree) -> None:
    assert ours.tree(ours.GAMES[name]) == expected


@pytest.mark.parametrize("name", [name for name, _ in GAMES])
def test_random_games_have_the_known_means(name: str) -> None:
    results = Simulation(ours.GAMES[name], 12).play(200_000 * DOSE)
    known = facts.FACTS[name]
    for values, mean in (
        (results.lengths, known.mean_length),
        (results.scores["points"][:, 0].astype(np.int64), known.mean_return),
    ):
        assert abs(values.mean() - mean) < 5 * values.std() / sqrt(len(values))


# --- The laws of every game ---------------------------------------------------


@every
def test_interpreted_equals_native(game: Game) -> None:
    for number in range(40 * DOSE):
        native, acted = native_trace(game, 4, number)
        plain, plain_acted = plain_trace(game, 4, number, len(acted))
        assert np.array_equal(acted, plain_acted)
        assert [bytes(plain[ply]) for ply in range(len(native))] == [one.tobytes() for one in native]
        assert game.definition.state.out_of_bounds(native) is None


@every
def test_simulated_games_are_those_of_the_interpreter(game: Game) -> None:
    results = Simulation(game, 9).play(20)
    for number in range(20):
        states, scores = Batch(game.definition.state, 1), Batch(Score, 1)
        lengths = [0]
        loops.simulate(
            [game.box.record], [game.blank()], states, scores, lengths, [Luck()], [Dice()], 9, number,
            [0] * game.capacity, game.longest,
        )  # fmt: skip
        assert bytes(states[0]) == results.states[number].tobytes()
        assert bytes(scores[0]) == results.scores[number].tobytes()
        assert lengths[0] == results.lengths[number]


@every
def test_laws_hold_after_every_decision(game: Game) -> None:
    games = 20_000 * DOSE
    found = np.zeros(3, np.int64)
    lengths = np.zeros(games, np.int64)
    scores = np.zeros(games, Score.dtype)
    game.definition.native.simulate_lawful(
        game.box.record.array, game.blank().array, np.zeros(games, game.definition.state.dtype), scores, lengths,
        np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype), 3, 0, game.moves_buffer(), game.longest, found,
    )  # fmt: skip
    assert found[2] == 0, game.definition.laws.LAWS[found[2]]
    assert (lengths > 0).all()
    assert set(scores["reason"].tolist()) == set(range(1, len(game.definition.reasons)))


@every
def test_no_channel_leaks(game: Game) -> None:
    states = np.zeros(5, game.definition.state.dtype)
    states[4] = game.blank().array[0]
    found = np.zeros(4, np.int64)
    raw = states.view(np.uint8).reshape(5, game.definition.state.dtype.itemsize)
    game.definition.native.check_secrets(
        game.box.record.array, states, raw, np.zeros(2, Luck.dtype), np.zeros(2, Dice.dtype), 8, 0, 2_000 * DOSE,
        game.players, game.moves_buffer(rows=2), game.longest, found,
    )  # fmt: skip
    assert found[3] == 0


@every
def test_a_match_can_be_played_and_replayed(game: Game) -> None:
    match = game.match(5)
    while not match.over:
        match.play(match.turn[0], match.legal(match.turn[0])[0])
    assert match.reason in game.definition.reasons[1:]
    assert sum(match.scores) == 0


# --- Secrets ------------------------------------------------------------------


@pytest.mark.parametrize("name", CARD_GAMES)
def test_a_fold_shows_no_card_and_a_showdown_both(name: str) -> None:
    game = ours.GAMES[name]
    ends = Simulation(game, 2).play(200)
    seen = set()
    for one in ends.states:
        s = game.definition.state(np.array([one]))
        shown = engine.hidden(game.box.record, s, -1).card
        hidden = [shown[seat] == HIDDEN for seat in range(2)]
        seen.add(s.reason)
        assert hidden == [s.reason != SHOWDOWN] * 2
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("name", "moves", "seat", "expected"),
    [
        (facts.KUHN, ["pass"], 1, 2),
        (facts.KUHN, ["pass"], -1, 6),
        (facts.LEDUC, ["call"], 0, 5),
        (facts.LEDUC, ["call", "call"], 0, 4),
        (facts.LEDUC, ["call", "call"], -1, 20),
        (facts.LEDUC_BLINDS, ["raise", "call"], 1, 4),
    ],
)
def test_a_guess_is_fair(name: str, moves: list[str], seat: int, expected: int) -> None:
    """Every deal that fits what the seat sees comes, and each as often: chi-square at five standard deviations."""
    game = ours.GAMES[name]
    match = game.match(6)
    for move in moves:
        match.play(match.turn[0], move)
    hidden = engine.hidden(match._box, match._state, seat)
    found: Counter[tuple[int, ...]] = Counter()
    times = 1000 * expected
    for seed in range(times):
        world, luck = hidden.copy(), Luck()
        seed_luck(luck, seed)
        game.definition.rules.guess(match._box, world, luck, seat)
        found[tuple(world.card)] += 1
        assert seat < 0 or world.card[seat] == match._state.card[seat]
    assert len(found) == expected
    square = sum((count - 1000) ** 2 / 1000 for count in found.values())
    assert square < expected - 1 + 5 * sqrt(2 * (expected - 1))


# --- Rules at their edges -----------------------------------------------------


def test_a_stone_falls_to_the_lowest_empty_cell() -> None:
    match = ours.GAMES[facts.CONNECT_FOUR].match(1)
    for column in (4, 4, 4):
        match.play(match.turn[0], f"drop {column}")
    assert match._state.taken == 0b111 << (3 * ours.GAMES[facts.CONNECT_FOUR].definition.rules.HEIGHT)


def test_leduc_stakes_reach_their_bound() -> None:
    for name, most in ((facts.LEDUC, 13), (facts.LEDUC_BLINDS, leduc.MOST_STAKE)):
        match = ours.GAMES[name].match(1)
        for move in ("raise", "raise", "call", "raise", "raise"):
            match.play(match.turn[0], move)
        assert max(match._state.stake) == most


# --- The picker ---------------------------------------------------------------


def test_picks_are_even_and_games_do_not_share_them() -> None:
    """Pairs of consecutive picks, and of the same pick in neighbouring games: chi-square at five deviations."""
    games, picks, sides = 4000, 12, 7
    drawn = np.zeros((games, picks), np.int64)
    dice = Dice()
    for number in range(games):
        begin_dice(dice, 1, number)
        drawn[number] = [pick(dice, sides) for _ in range(picks)]
    for first, second in ((drawn[:, :-1], drawn[:, 1:]), (drawn[:-1], drawn[1:])):
        pairs = np.bincount((first * sides + second).ravel(), minlength=sides * sides)
        expected = first.size / sides**2
        square = ((pairs - expected) ** 2 / expected).sum()
        assert square < sides**2 - 1 + 5 * sqrt(2 * (sides**2 - 1))
