"""Arguments of the Python face: refused at once in one sentence, or taken and working to the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.arguments import check_seed, clip, printable, shorten, whole
from samizdat.kernel.match import Match
from samizdat.kernel.moves import Move

HUGE = 10**5000  # more digits than Python writes


class Unwritable:
    """Something that cannot even be repeated in a refusal."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


JUNK: list[Any] = [
    None, True, False, -1, 3.0, 1.5, float("nan"), float("inf"), HUGE, -HUGE, "", "\0", "\ud800", "x" * 100_000,
    "²", "3", "a\nb", b"3", [], [3], [HUGE], {}, (), {3}, object(), Unwritable(), 3j, np.float64(3), np.bool_(True),
    np.array([3, 4]), np.array([]), np.array(3.5), range(3), Path("x"), int, Move(0, "done", {}),
]  # fmt: skip
SHORT = 600  # characters: a refusal repeats what it refuses, but not all of it


def sentence(error: BaseException) -> str:
    """What a refusal says: one line that any file, page and terminal can take, and not a long one."""
    text = str(error)
    assert text.strip()
    assert len(text) < SHORT
    assert text.isprintable(), text
    text.encode()
    return text


def refused(error: type[samizdat.SamizdatError], call: Any, *args: Any, **values: Any) -> str:
    with pytest.raises(error) as caught:
        call(*args, **values)
    return sentence(caught.value)


# --- what is said of a value -----------------------------------------------------------------------------


def test_a_value_is_repeated_as_it_was_given_and_cut() -> None:
    assert clip("revolution ") == "“revolution ”"
    assert clip("a\nb\x1b[1m\ud800") == r"“a\nb\x1b[1m\ud800”"
    assert clip(3.0) == "3.0"
    assert clip("x" * 1000) == f"“{'x' * 59}…”"
    assert len(clip(["x"] * 1000)) < 70
    assert shorten("done") == "done"
    assert clip(HUGE) == "a number of 5,001 digits"
    assert clip(-HUGE) == "a number of 5,001 digits"
    assert clip([HUGE]) == "[a number of 5,001 digits]"
    assert clip(Unwritable()).startswith("<Unwritable instance at ")
    assert printable("Mali Powstańcy: [x] :smile:") == "Mali Powstańcy: [x] :smile:"


def test_a_value_without_bottom_is_repeated() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(clip(deep)) < 70


@pytest.mark.parametrize("number", [np.int8(3), np.int64(3), np.uint64(3), np.array(3), 3])
def test_whole_numbers_of_any_library(number: Any) -> None:
    assert whole(number) == 3
    assert type(whole(number)) is int


@pytest.mark.parametrize("value", [True, np.bool_(True), 3.0, np.float32(3), "3", None, np.array([3])])
def test_what_is_no_whole_number(value: Any) -> None:
    assert whole(value) is None


# --- choosing a game -------------------------------------------------------------------------------------


def test_the_name_is_repeated_as_it_was_given() -> None:
    said = refused(samizdat.OptionError, samizdat.game, "revolution ")
    assert said.startswith("There is no game “revolution ”; there are dual-powers, mali-powstancy, revolution")


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_no_such_choice(junk: Any) -> None:
    refused(samizdat.OptionError, samizdat.game, junk)
    if junk is not None:
        refused(samizdat.OptionError, samizdat.game, "revolution", players=junk)
        refused(samizdat.OptionError, samizdat.game, "revolution", variant=junk)
        refused(samizdat.BoxError, samizdat.game, "revolution", box=junk)
    refused(samizdat.OptionError, samizdat.game, "revolution", max_rounds=junk)
    if not isinstance(junk, bool | np.bool_):
        refused(samizdat.OptionError, samizdat.game, "revolution", refund=junk)
    refused(samizdat.OptionError, samizdat.game, "dual-powers", variant="solitaire", faction=junk)
    if junk is not None:
        refused(samizdat.OptionError, samizdat.game("revolution").match, junk)


def test_refusals_name_what_was_given_and_what_is_possible() -> None:
    game = samizdat.game
    assert "3 or 4 players, not 3.0" in refused(samizdat.OptionError, game, "revolution", players=3.0)
    assert "has no variant []; it has standard" in refused(samizdat.OptionError, game, "revolution", variant=[])
    assert "has no variant “blitz”" in refused(samizdat.OptionError, game, "revolution", variant="blitz")
    assert "path of a file, not 3" in refused(samizdat.BoxError, game, "revolution", box=3)
    assert "no file can have this name" in refused(samizdat.BoxError, game, "revolution", box="\0")
    said = refused(samizdat.OptionError, game, "revolution", **{"x" * 1000: 1})
    assert "…; it has " in said
    assert "max_rounds" in said
    said = refused(samizdat.OptionError, game, "dual-powers", variant="solitaire", faction="blue")
    assert said == "Option faction is one of red, white, not “blue”."


@given(st.text() | st.binary() | st.integers() | st.floats() | st.lists(st.integers()) | st.none(), st.integers(0, 4))
def test_noise_in_place_of_choices(noise: Any, place: int) -> None:
    name = ("players", "variant", "box", "max_rounds", "refund")[place]
    try:
        samizdat.game("revolution", **{name: noise})
    except samizdat.SamizdatError as error:
        sentence(error)


def test_numpys_numbers_choose_a_game_and_play_it() -> None:
    game = samizdat.game(
        "revolution", players=np.int64(3), variant=np.str_("standard"), max_rounds=np.int16(2), refund=np.True_
    )
    plain = samizdat.game("revolution", players=3, max_rounds=2, refund=True)
    assert game == plain
    assert [type(value) for value in game.options.values()] == [type(value) for value in plain.options.values()]
    match = game.match(seed=np.uint64(7))  # type: ignore[arg-type]
    while not match.over:
        seat: Any = np.int64(match.turn[0])
        match.play(seat, np.int64(match.legal(seat)[-1].id))
    text = match.dumps()
    assert samizdat.verify(text).good
    assert samizdat.loads(text).dumps() == text
    first: Any = np.int64(0)
    assert json.loads(match.dumps_seat(first)) == json.loads(match.dumps_seat(0))
    assert json.dumps(match.view(first)) == json.dumps(match.view(0))
    assert [str(line) for line in match.log(first)] == [str(line) for line in match.log(0)]
    assert match.observations(first) == match.observations(0)
    assert match.sight(first).seat == 0
    assert type(match.sight(first).seat) is int


# --- playing ---------------------------------------------------------------------------------------------


@pytest.fixture(name="match")
def _match() -> Match:
    return samizdat.game("dual-powers", variant="solitaire").match(seed=3)


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_no_such_seat_move_or_luck(match: Match, junk: Any) -> None:
    before, file = match.raw, match.dumps()
    for ask in (match.legal, match.sight, match.can_undo, match.undo):
        refused(samizdat.NotYourTurn, ask, junk)
    if junk is not None:  # a spectator
        for ask in (match.view, match.log, match.observations, match.dumps_seat, match.history):
            refused(samizdat.NotYourTurn, ask, junk)
    move = match.legal(0)[0]
    refused(samizdat.NotYourTurn, match.play, junk, move)
    refused(samizdat.MoveError, match.play, 0, junk)
    if not (isinstance(junk, list | tuple | np.ndarray) and np.size(junk) == 0):
        refused(samizdat.MoveError, match.play, 0, move, luck=junk)
    refused(samizdat.MoveError, match.play, 0, move, luck=[junk])
    assert (match.raw, match.dumps(), match.turn) == (before, file, (0,))


@given(st.text() | st.binary() | st.integers() | st.floats() | st.lists(st.integers() | st.text()) | st.none())
def test_noise_in_place_of_seats_moves_and_luck(noise: Any) -> None:
    match = samizdat.game("dual-powers", variant="solitaire").match(seed=3)
    move = match.legal(0)[0]
    for arguments in ((noise, move), (0, noise), (0, move, noise), (0, move, [noise])):
        try:
            match.copy().play(*arguments)
        except samizdat.SamizdatError as error:
            sentence(error)


def drawing(match: Match) -> tuple[Move, int]:
    """Play on until a decision draws luck; that decision, and how many outcomes its first draw has."""
    while True:
        for move in match.legal(0):
            trial = match.copy()
            trial.play(0, move)
            if trial._played[-1].drawn and trial._played[-1].drawn[0][0] > 1:
                return move, trial._played[-1].drawn[0][0]
        match.play(0, match.legal(0)[0])


def test_luck_may_be_numpys(match: Match) -> None:
    move, possible = drawing(match)
    twin = match.copy()
    match.play(0, move, luck=np.array([possible - 1]))  # type: ignore[arg-type]
    twin.play(0, move, luck=[possible - 1])
    assert match.raw == twin.raw
    assert match.dumps() == twin.dumps()


@pytest.mark.parametrize("outcome", [1 << 62, (1 << 62) + 1, 1 << 63, 1 << 64, HUGE], ids=clip)
def test_no_such_outcome(match: Match, outcome: int) -> None:
    move, possible = drawing(match)
    before = match.raw
    said = refused(samizdat.MoveError, match.play, 0, move, luck=[outcome])
    assert said.endswith(f"of draw 1 is not among its {possible} outcomes.")
    assert match.raw == before


def test_a_move_is_what_its_words_say() -> None:
    match = samizdat.game("revolution").match(seed=1)
    one, other = match.legal(0)[:2]
    said = refused(samizdat.MoveError, match.play, 0, Move(one.id, other.kind, other.args))
    assert said.startswith(f"Move number {one.id} is “{one}”, but Move(id={one.id}, kind='{other.kind}', ")
    refused(samizdat.MoveError, match.play, 0, Move(one.id, one.kind, {}))
    refused(samizdat.MoveError, match.play, 0, Move("x", one.kind, one.args))  # type: ignore[arg-type]
    refused(samizdat.MoveError, match.play, 0, Move(one.id, None, None))  # type: ignore[arg-type]
    assert match.plies == 0
    twin: Any = Move(np.int64(one.id), one.kind, dict(one.args))  # type: ignore[arg-type]
    match.play(0, twin)
    assert match.moves == [(0, one)]


def test_the_same_words_in_another_game_are_not_the_same_move() -> None:
    """A box may order its components differently: a Move of one game is not taken for that of another."""
    match = samizdat.game("revolution").match(seed=1)
    stranger = samizdat.game("dual-powers").match(seed=1).legal(0)[0]
    refused(samizdat.MoveError, match.play, 0, stranger)


# --- seeds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, 1 << 128, 1.5, "7", None, True, HUGE, np.float64(3), "\ud800"], ids=clip)
def test_bad_seeds(seed: object) -> None:
    assert "seed must be a whole number from 0 to 2**128 - 1" in refused(samizdat.OptionError, check_seed, seed)


def test_good_seeds() -> None:
    assert check_seed(np.int32(7)) == check_seed(7) == 7
    assert check_seed((1 << 128) - 1) == (1 << 128) - 1
