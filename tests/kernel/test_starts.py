"""Matches that begin from a position: what their files carry, what is refused, and what they prove."""

from __future__ import annotations

import copy
import functools
import json
import random
from typing import Any

import pytest

import samizdat
from samizdat.kernel.exercises import Exercise, exercises
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum, dumps, dumps_seat
from samizdat.kernel.scenes import expect, read_scenes
from samizdat.kernel.starts import read_start, written
from tests.conftest import DOSE

# The worked examples of each dossier, by their numbers.
EXAMPLES = {
    "revolution": [f"T-{number}" for number in range(1, 14)],
    "dual-powers": [*(f"E-{letter}" for letter in "ABCDEFGH"), *(f"E-{number}" for number in range(1, 24))],
    "mali-powstancy": [*(f"EX{number}" for number in range(1, 11)), *(f"X{number}" for number in range(1, 17))],
    "war-of-whispers": [f"TC-{number:02}" for number in range(1, 36)],
}
ALL = [(name, one) for name, found in definitions().items() for one in exercises(found)]


def label(case: tuple[str, Exercise]) -> str:
    return f"{case[0]}-{case[1].name}"


def played(match: Match, seed: int = 5) -> Match:
    """To the end, at random."""
    dice = random.Random(seed)
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def resealed(text: str, **changes: Any) -> str:
    """The file with some fields changed and a fitting checksum: what a forger would write."""
    data = {**json.loads(text), **changes}
    data["checksum"] = checksum(data)
    return json.dumps(data)


@pytest.fixture(scope="module")
def spy() -> Match:
    [exercise] = [one for _, one in ALL if one.name == "t06_spy"]
    return Match(exercise.game, 7, start=exercise.start)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_worked_example_is_a_scene(name: str) -> None:
    assert {scene.example for scene in read_scenes(definitions()[name])} == set(EXAMPLES[name])


@pytest.mark.parametrize("case", ALL, ids=map(label, ALL))
def test_the_answer_is_what_the_rules_allow_and_the_example_expects(case: tuple[str, Exercise]) -> None:
    _, exercise = case
    match = exercise.match()
    for seat, move, luck in exercise.script:
        assert move in map(str, match.legal(seat)), f"{move} is not open to seat {seat}"
        match.play(seat, move, luck)
    offered = set(map(str, exercise.match().legal(exercise.seat)))
    assert set(exercise.offered) <= offered
    assert exercise.answer == () or exercise.script[0][0] == exercise.seat
    if exercise.puzzle is None and exercise.after is None and exercise.script:
        [scene] = [one for one in read_scenes(exercise.game.definition) if one.name == exercise.name]
        expect(match, scene.steps[-1].get("expect", {}), exercise.name)


@functools.cache
def starting(name: str) -> list[Exercise]:
    """Those of a game that can be played on from."""
    return [one for game, one in ALL if game == name and one.start is not None]


@pytest.mark.parametrize("name", definitions())
def test_most_scenes_and_all_puzzles_are_played_on_from_files_that_say_so(name: str) -> None:
    found = starting(name)
    assert all(one in found for game, one in ALL if game == name and one.puzzle)
    assert len(found) > 0.6 * sum(game == name for game, _ in ALL)
    for exercise in found[:: 1 if DOSE > 1 else 5]:
        match = Match(exercise.game, 7, start=exercise.start)
        text = dumps(match)
        again = samizdat.loads(text)
        assert dumps(again) == text
        assert again.start is not None
        assert again.start.scene == exercise.name
        assert again.raw == bytes(again.start.position) == match.raw


def test_it_can_be_neither_verified_nor_taken_for_a_dealt_one(spy: Match) -> None:
    over = played(spy.copy())
    verdict = samizdat.verify(dumps(over))
    assert not verdict.good
    assert "not verifiable, unrated" in str(verdict.why)
    assert dumps(samizdat.loads(dumps(over))) == dumps(over)
    data = json.loads(dumps(over))
    del data["start"]
    data["checksum"] = checksum(data)
    with pytest.raises(samizdat.MatchFileError):
        samizdat.loads(json.dumps(data))


def test_a_seats_file_has_no_start(spy: Match) -> None:
    """It holds everybody's secrets."""
    assert "start" not in json.loads(dumps_seat(spy, 0))


def forged(start: dict[str, Any], **fields: Any) -> dict[str, Any]:
    twin = copy.deepcopy(start)
    twin["position"].update(fields)
    return twin


def test_hostile_starts_are_refused_with_a_sentence(spy: Match) -> None:
    text = dumps(spy)
    start = json.loads(text)["start"]
    followers = start["position"]["followers"]
    worse = [[9, *row[1:]] for row in followers]
    for bad, words in {
        "nothing": (None, "must hold a version"),
        "list": ([1, 2], "must hold a version"),
        "more": (start | {"seed": 1}, "must hold a version"),
        "version": (start | {"version": 2}, "version 2; this program reads version 1"),
        "flag": (start | {"version": True}, "must|version"),
        "name": (start | {"scene": "../../etc"}, "no name of a scene"),
        "position": (start | {"position": 3}, "must hold a version"),
        "unknown": (forged(start, wealth=3), "has no .wealth"),
        "chosen": (forged(start, seats=2), "has no .seats"),
        "shape": (forged(start, followers=followers[:-1]), "whole shape"),
        "ragged": (forged(start, followers=[*followers[:-1], followers[-1][:-1]]), "whole shape"),
        "fraction": (forged(start, chooser=1.0), "whole shape"),
        "flagged": (forged(start, chooser=True), "whole shape"),
        "huge": (forged(start, chooser=10**30), "numbers from"),
        "negative": (forged(start, chooser=-1), "numbers from"),
        "out of reach": (forged(start, chooser=99), "numbers from|cannot come about"),
        "law": (forged(start, followers=worse), "breaks a law|cannot come about"),
        "over": (forged(start, point=4, bid=[[[0, 0, 0]] * 14] * 4), "."),
    }.values():
        with pytest.raises(samizdat.MatchFileError, match=words):
            samizdat.loads(resealed(text, start=bad))


@pytest.mark.parametrize("name", definitions())
def test_a_start_with_any_number_changed_is_refused_or_can_be_played(name: str) -> None:
    """No forger gets further than a match that the rules know how to go on with."""
    dice = random.Random(17)
    starts = starting(name)
    taken, tries = 0, 60 * DOSE
    for _ in range(tries):
        exercise = dice.choice(starts)
        assert exercise.start is not None
        start = written(exercise.game, exercise.start)
        field = dice.choice(list(start["position"]))
        value = start["position"][field]
        grid = value
        while isinstance(grid, list) and isinstance(grid[0], list):
            grid = dice.choice(grid)
        if isinstance(grid, list):
            grid[dice.randrange(len(grid))] = dice.choice((-1, 0, 1, 2, 7, 60, 127))
        else:
            start["position"][field] = dice.choice((-1, 0, 1, 2, 7, 60, 127))
        try:
            found = read_start(exercise.game, start)
        except samizdat.MatchFileError:
            continue
        taken += 1
        match = Match(exercise.game, 3, start=found)
        for _ in range(12):
            if match.over:
                break
            seat = dice.choice(match.turn)
            match.play(seat, dice.choice(match.legal(seat)))
    assert 0 < taken < tries


def test_undo_goes_back_to_the_start_and_no_further() -> None:
    [exercise] = [one for _, one in ALL if one.name == "tc13_three_against_two"]
    match = Match(exercise.game, 7, start=exercise.start)
    match.play(0, "act attack")
    match.play(0, "from horse_1")
    match.undo(0)
    match.undo(0)
    assert match.raw == bytes(exercise.opening)
    assert not match.can_undo(0)
