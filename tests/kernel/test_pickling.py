"""Whatever a process may be handed can be sent to it: records, boxes, games, matches, sights, errors.

What arrives goes on exactly as the original would, also in a process that was started anew and has imported nothing.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import samizdat
from bench.games.outside import CONNECT_FOUR as FOUR
from samizdat.conformance.lab.test_match import random_match, snapshot
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Definition, Game, definitions
from samizdat.kernel.match import Match
from tests.bots.toys import ROSHAMBO
from tests.conftest import label, plain_games

Again = Callable[[Any], Any]


def sent(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


every_way = pytest.mark.parametrize("again", [sent, copy.deepcopy])
every_plain_game = pytest.mark.parametrize("game", plain_games(), ids=label)


def ended(match: Match, seed: int) -> tuple[object, ...]:
    """Play on at random; everything the end can be asked."""
    rng = random.Random(seed)
    while not match.over:
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    return snapshot(match, deep=True)


@every_way
@pytest.mark.parametrize("definition", [*definitions().values(), FOUR, ROSHAMBO], ids=label)
def test_a_definition_stays_itself(definition: Definition, again: Again) -> None:
    assert again(definition) is definition
    assert again(definition.state) is definition.state


@every_way
@every_plain_game
def test_a_match_in_the_middle_goes_on_the_same(game: Game, again: Again) -> None:
    match = random_match(game, 3, plies=40)
    twin = again(match)
    assert snapshot(twin, deep=True) == snapshot(match, deep=True)
    before = bytes(match._state)
    assert ended(twin, 4) == ended(match.copy(), 4)
    assert bytes(match._state) == before, "the copy played on the original's record"


@every_way
@every_plain_game
def test_a_sight_offers_the_same(game: Game, again: Again) -> None:
    match = random_match(game, 5, plies=25)
    for seat in range(game.players):
        sight = match.sight(seat)
        twin = again(sight)
        assert twin.state == sight.state
        assert twin.memory == sight.memory
        assert twin.legal() == sight.legal()


@every_way
def test_a_record_is_copied_not_shared(again: Again) -> None:
    box = samizdat.game("revolution").box.record
    twin = again(box)
    assert twin == box
    twin.token_floor += 1
    assert twin != box


@every_way
@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_a_box_from_a_file_travels_by_its_text(definition: Definition, again: Again, tmp_path: Path) -> None:
    """The file may be gone, or not exist where the game arrives."""
    mine = tmp_path / "mine.toml"
    mine.write_text((definition.folder / "reduced.toml").read_text(encoding="utf-8"), encoding="utf-8")
    game = definition.choose(box=mine, **definition.reduced)
    mine.unlink()
    twin = again(game)
    assert twin.box.record == game.box.record
    assert twin.box.hash == game.box.hash
    assert ended(twin.match(seed=9), 1) == ended(game.match(seed=9), 1)
    standard = sent(definition.choose())
    assert standard.box is definition.standard_box, "the standard box need not travel"


def refusals() -> list[SamizdatError]:
    """One of every kind of error that a game or a match can raise."""
    running, over = samizdat.game("revolution").match(seed=1), random_match(samizdat.game("dual-powers"), 1)
    tries: list[Callable[[], object]] = [
        lambda: samizdat.game("chess"),
        lambda: samizdat.game("revolution", colour="red"),
        lambda: samizdat.game("revolution", box="no/such/box.toml"),
        lambda: samizdat.loads("{"),
        lambda: running.play(0, "castle"),
        lambda: running.play(0, "done"),
        lambda: running.undo(0),
        lambda: running.play(7, "done"),
        lambda: over.play(0, "pass"),
    ]
    found = []
    for attempt in tries:
        with pytest.raises(SamizdatError) as caught:
            attempt()
        found.append(caught.value)
    return found


def every_kind() -> set[type[SamizdatError]]:
    return {samizdat.OptionError, samizdat.BoxError, samizdat.MatchFileError, samizdat.MoveError,
            samizdat.IllegalMove, samizdat.NotYourTurn, samizdat.GameOver}  # fmt: skip


@every_way
def test_errors_say_the_same_elsewhere(again: Again) -> None:
    errors = refusals()
    assert {type(error) for error in errors} == every_kind()
    for error in errors:
        twin = again(error)
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        assert vars(twin) == vars(error)


def refused(match: Match) -> None:
    match.play(0, "done")


@pytest.mark.parametrize("game", [definition.choose() for definition in definitions().values()], ids=label)
def test_a_new_process_plays_on_the_same(game: Game) -> None:
    match = random_match(game, 6, plies=30)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        elsewhere = pool.submit(ended, match, 2).result()
        assert elsewhere == ended(match.copy(), 2)
        if game.name == "revolution":
            with pytest.raises(samizdat.IllegalMove) as caught:
                pool.submit(refused, game.match(seed=1)).result()
            assert caught.value.rule
            assert caught.value.why is not None
