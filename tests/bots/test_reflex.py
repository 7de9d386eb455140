"""Who has taught itself a game: it sees what its seat sees, plays what is open, and says where it has not learnt."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from samizdat.bots import LEARNT, LEVELS, Novice, bot, by_the_lore, knows, offered, searches
from samizdat.bots.network import drawn, shape_for
from samizdat.bots.reflex import SELDOM, read, reader
from samizdat.bots.weights import LARGEST, Weights, about, read_weights, shipped, shipped_file, shipped_files
from samizdat.bots.weights import write_weights as write
from samizdat.conformance.lab.test_secrets import other_world
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definition, definitions
from samizdat.kernel.match import Match
from tests.conftest import label, plain_games
from tests.test_cli import run

REVOLUTION = definition("revolution").choose(players=3)


def untaught(game: Game, seed: int = 1) -> Weights:
    """A network of random numbers, which is as good for most of what is asked here."""
    shape = shape_for(game)
    numbers = drawn(shape, np.random.default_rng(seed))
    numbers += np.random.default_rng(seed).standard_normal(shape.count, np.float32) * np.float32(0.1)
    return Weights(about(game, shape), shape, numbers)


def choices(game: Game, seed: int) -> list[Match]:
    """Positions of a random match in which somebody has a choice."""
    rng, match, found = random.Random(seed), game.match(seed), []
    while not match.over and len(found) < 12:
        seat = match.turn[0]
        if len(match.legal(seat)) > 1 and rng.random() < 0.3:
            found.append(match.copy())
        match.play(seat, rng.choice(match.legal(seat)))
    return found


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_it_decides_by_what_its_seat_may_know(game: Game) -> None:
    """The same chances in another world that looks the same; all for what is open, and together 1."""
    rng, learnt = random.Random(3), read(game, untaught(game))
    for match in choices(game, 4):
        seat = match.turn[0]
        sight = match.sight(seat)
        found = learnt.chances(sight)
        assert [move for move, _ in found] == sight.legal()
        assert sum(chance for _, chance in found) == pytest.approx(1, abs=1e-5)
        world = other_world(match, seat, rng)
        assert learnt.chances(world.sight(seat)) == found
        assert learnt.forecast(world.sight(seat)) == learnt.forecast(sight)
        assert len(learnt.forecast(sight)) == game.players


def test_what_it_finds_hardly_likely_is_never_played() -> None:
    sight = choices(REVOLUTION, 2)[0].sight(0)
    learnt = read(REVOLUTION, untaught(REVOLUTION))
    chances = dict(learnt.chances(sight))
    rng = random.Random(1)
    played = [learnt.choose(sight, rng) for _ in range(3000)]
    enough = SELDOM * max(chances.values())
    kept = {move: chance for move, chance in chances.items() if chance >= enough}
    assert set(played) <= set(kept)
    for move, chance in kept.items():
        assert played.count(move) / 3000 == pytest.approx(chance / sum(kept.values()), abs=0.04)


# --- what the package ships --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(definitions()))
def test_weights_fit_the_games_they_are_named_after(name: str) -> None:
    files = shipped_files(definition(name))
    assert sum(path.stat().st_size for path in files) <= LARGEST
    for path in files:
        variant, _, players = path.stem.rpartition("-")
        game = definition(name).choose(variant=variant, players=int(players))
        assert shipped_file(game) == path
        found = shipped(game)
        assert found is not None, f"{path.name} was learnt under other rules, or before observations changed"
        assert found.about["steps"] > 1_000_000


def test_a_level_is_offered_where_somebody_has_learnt_the_game() -> None:
    for one in definitions().values():
        assert set(LEARNT) <= set(offered())
        assert ("reflex" in offered(one)) == bool(shipped_files(one))
        assert offered(one)[: len(LEVELS)] == LEVELS
    assert "reflex" in offered(REVOLUTION.definition)


def test_with_another_box_or_rule_it_plays_by_the_lore_and_says_so() -> None:
    assert knows("reflex", REVOLUTION)
    assert by_the_lore("reflex", REVOLUTION) is None
    assert not searches("reflex", REVOLUTION)
    for game in (
        definition("revolution").choose(players=3, refund=True),
        definition("revolution").choose(box="reduced"),
    ):
        assert reader(game) is None
        assert not knows("reflex", game)
        assert searches("reflex", game)
        assert "has not learnt Revolution!" in str(by_the_lore("reflex", game))
        sight = choices(game, 1)[0].sight(0)
        playing = bot("reflex", seed=5)
        assert playing.choose(sight) in sight.legal()
        assert playing.found is not None
        assert playing.found.simulations == 50
    assert knows("expert", REVOLUTION)
    assert by_the_lore("novice", REVOLUTION) is None


def test_the_same_seed_plays_the_same_match() -> None:
    def played() -> list[str]:
        match, seats = REVOLUTION.match(8), [bot("reflex", seed=seat) for seat in range(3)]
        while not match.over and match.plies < 120:
            seat = match.turn[0]
            match.play(seat, seats[seat].choose(match.sight(seat)))
        assert all(one.found is None for one in seats)  # nobody has searched
        return [str(move) for _, move in match.moves]

    assert played() == played()


# --- in the arena --------------------------------------------------------------------------------------------


def test_in_the_arena_with_weights_of_the_package_or_from_a_file(tmp_path: Path) -> None:
    shutil.copy(shipped_file(REVOLUTION), tmp_path / "mine.npz")
    outputs = []
    for name in ("reflex", f"{tmp_path / 'mine.npz'}:reflex"):
        arena = ("arena", "revolution", "--players", "3", "--bots", f"{name},random", "-n", "6", "--workers", "1")
        done = run(*arena)
        assert done.returncode == 0, done.stderr
        assert "has not learnt" not in done.stdout
        outputs.append(next(line for line in done.stdout.splitlines() if "random" in line).split("│")[3])
    assert outputs[0] == outputs[1]  # the same games: bots draw from the seat, not from their names
    done = run("arena", "revolution", "--players", "3", "-o", "refund=yes", "--bots", "reflex,random", "-n", "3",
               "--workers", "1")  # fmt: skip
    assert "reflex has not learnt" in done.stdout


def test_files_that_hold_no_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_text("hello")
    for name in ("bad.npz", "none.npz"):
        with pytest.raises(OptionError, match=name):
            bot(f"{tmp_path / name}:reflex")


def test_weights_are_written_and_read_alike(tmp_path: Path) -> None:
    kept = untaught(REVOLUTION)
    write(tmp_path / "w.npz", kept.about, kept.numbers)
    found = read_weights(tmp_path / "w.npz")
    assert found.shape == kept.shape
    assert found.numbers == pytest.approx(kept.numbers, rel=1e-3, abs=1e-6)
    assert found.fit(REVOLUTION)


def test_an_impatient_one_need_not_wait_for_the_search() -> None:
    game = definition("revolution").choose(players=3, refund=True)
    sight = choices(game, 1)[0].sight(0)
    assert bot("reflex", seed=1).choose(sight, patient=False) in sight.legal()
    assert Novice(random.Random(1)).choose(sight) in sight.legal()
