"""Bots: legal, bounded, repeatable, blind to what a seat may not know, and better than nothing."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.bots import LEVELS, bot
from samizdat.bots.advice import hint
from samizdat.bots.novice import Novice
from samizdat.bots.reviews import review
from samizdat.bots.search_tree import plant
from samizdat.bots.thinking import Mind
from samizdat.bots.uncommit import before_the_others
from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match, Sight
from tests.bots.toys import ROSHAMBO

GAMES = [
    definition.choose(players=players, variant=variant)
    for definition in definitions().values()
    for variant, counts in definition.variants.items()
    for players in counts
]


def name_of(game: Game) -> str:
    return f"{game.name}-{game.variant}-{game.players}"


def somewhere(game: Game, seed: int) -> Sight:
    """What a seat with a choice sees, at a random point of a random match."""
    rng = random.Random(seed)
    match = game.match(seed=seed)
    wanted = rng.randrange(40)
    while not match.over:
        seat = rng.choice(match.turn)
        moves = match.legal(seat)
        if len(moves) > 1 and match.plies >= wanted:
            return match.sight(seat)
        match.play(seat, rng.choice(moves))
    return somewhere(game, seed + 1000)


def finished(game: Game, seats: list[samizdat.Bot], seed: int) -> Match:
    match = game.match(seed=seed)
    while not match.over:
        seat = match.turn[0]
        match.play(seat, seats[seat].choose(match.sight(seat)))
    return match


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_level_plays_legally_anywhere(game: Game) -> None:
    for seed in range(3):
        sight = somewhere(game, seed)
        open_to_it = {move.id for move in sight.legal()}
        for level in LEVELS:
            assert bot(level, simulations=20, seed=seed).choose(sight).id in open_to_it
        assert Novice(random.Random(seed)).choose(sight).id in open_to_it


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_a_choice_rests_on_the_sight_alone(game: Game) -> None:
    """In another world that looks the same to the seat, a bot with the same seed decides the same."""
    for seed in range(3):
        sight = somewhere(game, seed)
        luck = Luck()
        seed_luck(luck, seed)
        other = sight.state.copy()
        contract.guess(game.box.record, other, luck, sight.seat)
        same = Sight(game, sight.seat, engine.hidden(game.box.record, other, sight.seat), sight.memory)
        for level in LEVELS[1:]:
            choices = [bot(level, simulations=60, seed=seed).choose(seen) for seen in (sight, same)]
            assert choices[0] == choices[1]


@pytest.mark.parametrize("game", GAMES[:1], ids=name_of)
def test_the_budget_of_simulations_is_exact(game: Game) -> None:
    for simulations in (1, 17, 500):
        assert Mind().think(somewhere(game, 1), seed=1, simulations=simulations).simulations == simulations


def test_memory_is_bounded_and_a_full_tree_still_answers() -> None:
    game = GAMES[0]
    mind = Mind(tree=plant(slots=64, edges=256))
    verdict = mind.think(somewhere(game, 2), seed=3, simulations=2000)
    assert mind.tree.used[0] <= 32
    assert mind.tree.used[1] <= 256
    assert sum(option.visits for option in verdict.options) == 2000


def test_the_tree_is_kept_between_decisions_of_a_match() -> None:
    game = GAMES[0]
    match, mind = game.match(seed=4), Mind()
    while len(match.legal(match.turn[0])) == 1:
        match.play(match.turn[0], match.legal(match.turn[0])[0])
    mind.think(match.sight(match.turn[0]), seed=1, simulations=300)
    before = mind.tree.used[0]
    verdict = mind.think(match.sight(match.turn[0]), seed=2, simulations=100)
    assert mind.tree.used[0] >= before
    assert sum(option.visits for option in verdict.options) == 400


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copied_bot_plays_on_the_same(again: Any) -> None:
    """With what it has thought of so far: environments with bots in them are copied in the middle of a match."""
    match, player = samizdat.game("dual-powers").match(3), bot("regular", simulations=40, seed=1)
    for _ in range(6):
        match.play(match.turn[0], player.choose(match.sight(match.turn[0])))
    twin = again(player)
    for _ in range(6):
        sight = match.sight(match.turn[0])
        choice = player.choose(sight)
        assert twin.choose(sight) == choice
        assert twin.found == player.found, "every number of its search"
        match.play(sight.seat, choice)


def test_several_who_decide_at_once_are_not_foreseen() -> None:
    """Rock, paper, scissors: each a third of the time, though `guess` says that the other has shown rock."""
    game = ROSHAMBO.choose()
    match = game.match(seed=1)
    match.play(0, "show rock")
    late = match.sight(1)
    assert engine.acting(before_the_others(late)) == (0, 1)
    verdict = Mind().think(late, seed=5, simulations=20_000)
    assert verdict.mixed
    for option in verdict.options:
        assert abs(option.played - 1 / 3) < 0.1
    choices = {str(bot("expert", simulations=2000, seed=seed).choose(late)) for seed in range(12)}
    assert len(choices) > 1


def test_novice_beats_random() -> None:
    game = samizdat.game("dual-powers")
    won = 0.0
    for number in range(12):
        seats = [bot("random", seed=number), bot("random", seed=number)]
        seats[number % 2] = bot("novice", seed=number)
        won += number % 2 in finished(game, seats, number // 2).winners
    assert won >= 8


def test_the_solitaire_is_played_too() -> None:
    game = samizdat.game("dual-powers", variant="solitaire")
    assert finished(game, [bot("regular", simulations=30, seed=1)], 1).over


def test_bad_wishes_are_refused_by_name() -> None:
    with pytest.raises(OptionError, match="grandmaster"):
        bot("grandmaster")
    with pytest.raises(OptionError, match="seconds"):
        bot("expert", seconds=0)
    match = samizdat.game("war-of-whispers").match(seed=1)
    idle = next(seat for seat in range(match.seats) if seat not in match.turn)
    with pytest.raises(IllegalMove):
        bot("random").choose(match.sight(idle))


UNFIT: list[dict[str, Any]] = [
    {"level": []}, {"level": np.array(["expert", "novice"])}, {"level": "x" * 10_000}, {"level": None},
    {"seconds": "x"}, {"seconds": True}, {"seconds": float("nan")}, {"seconds": float("inf")}, {"seconds": -1},
    {"seconds": 10**400}, {"seconds": 1j}, {"seconds": np.array([1.0, 2.0])},
    {"simulations": 1.5}, {"simulations": "9"}, {"simulations": 0}, {"simulations": True}, {"simulations": 10**400},
    {"seed": -1}, {"seed": 1.5}, {"seed": "x"}, {"seed": True}, {"seed": 1 << 128},
]  # fmt: skip


@pytest.mark.parametrize("wish", UNFIT, ids=clip)
def test_arguments_that_are_none_are_refused_at_once(wish: dict[str, Any]) -> None:
    """A bot that is made can play: what it cannot work with is refused when it is asked for."""
    with pytest.raises(OptionError) as caught:
        bot(**{"level": "expert", **wish})
    assert next(iter(wish)) in str(caught.value)
    assert len(str(caught.value)) < 200
    if "level" not in wish:
        sight = somewhere(samizdat.game("dual-powers"), 3)
        with pytest.raises(OptionError):
            hint(sight, **{"seconds": None, "simulations": 10, **wish})


def test_somebody_who_thinks_must_be_told_for_how_long() -> None:
    game = samizdat.game("dual-powers", variant="solitaire")
    match = finished(game, [bot("random", seed=2)], 2)
    with pytest.raises(OptionError, match="seconds or simulations"):
        hint(somewhere(game, 3), seconds=None)
    with pytest.raises(OptionError, match="seconds or simulations"):
        review(match, 0, seconds_per_decision=None)
    for seat in (1, -1, "0", True):
        with pytest.raises(samizdat.NotYourTurn, match="There is no seat"):
            review(match, seat, seconds_per_decision=None, simulations=1)  # type: ignore[arg-type]


def test_numpys_numbers_are_numbers_to_a_bot() -> None:
    sight = somewhere(samizdat.game("dual-powers"), 3)
    plain = bot("regular", simulations=30, seed=5)
    theirs: Any = bot("regular", np.float16(60), np.int64(30), np.uint8(5))  # type: ignore[arg-type]
    assert (type(theirs.seconds), type(theirs.simulations)) == (float, int)
    assert theirs.choose(sight) == plain.choose(sight)


def test_without_patience_nobody_waits_for_the_compiler() -> None:
    import subprocess
    import sys

    code = (
        "import samizdat, sys; from samizdat import bots; game = samizdat.game('revolution'); "
        "move = samizdat.bot('expert', seed=1).choose(game.match(1).sight(0), patient=False); "
        "print(bots.ready(game), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_hints_are_honest() -> None:
    sight = somewhere(samizdat.game("dual-powers"), 3)
    hints = hint(sight, seconds=None, simulations=400, seed=1)
    assert 1 <= len(hints) <= 3
    assert {found.move.id for found in hints} <= {move.id for move in sight.legal()}
    for found in hints:
        assert 0.0 <= found.low <= found.chance <= found.high <= 1.0
        assert found.simulations > 0
        assert all(str(why.line).endswith(".") for why in found.why)
    fewer = hint(sight, seconds=None, simulations=40, seed=1)[0]
    assert fewer.high - fewer.low > hints[0].high - hints[0].low


def test_a_review_judges_by_what_the_seat_knew() -> None:
    game = samizdat.game("dual-powers", variant="solitaire")
    match = finished(game, [bot("random", seed=2)], 2)
    found = review(match, 0, seconds_per_decision=None, simulations=40)
    decisions = [ply for ply in range(match.plies) if len(match.past_sight(0, ply).legal()) > 1]
    assert [moment.ply for moment in found.moments] == decisions
    assert len(found.costly) <= 3
    assert all(0.0 <= moment.chance <= 1.0 for moment in found.moments)
    assert all(moment.played == match.moves[moment.ply][1] for moment in found.moments)
