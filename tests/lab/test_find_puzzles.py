"""Puzzles: each is judged again by the search that found it; a small dose here, a long one with SAMIZDAT_DOSE."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.puzzles import Puzzle, read_puzzles
from samizdat.lab.find_puzzles import MANY, MARGIN, holds, main, search, tables
from tests.conftest import DOSE

SIMULATIONS = 2_500 if DOSE == 1 else MANY
CASES = [(found, one) for found in definitions().values() for one in read_puzzles(found)]


@pytest.mark.parametrize("found", definitions().values(), ids=definitions())
def test_a_game_has_six_puzzles_from_easy_to_hard(found: Definition) -> None:
    puzzles = read_puzzles(found)
    assert len(puzzles) >= 6
    assert [one.novice for one in puzzles] == sorted((one.novice for one in puzzles), reverse=True)
    assert len({one.name for one in puzzles}) == len(puzzles)


@pytest.mark.parametrize(("found", "puzzle"), CASES, ids=[f"{found.name}-{one.name}" for found, one in CASES])
def test_one_decision_is_clearly_best(found: Definition, puzzle: Puzzle) -> None:
    assert puzzle.margin >= MARGIN
    assert puzzle.start["scene"] == puzzle.name
    assert holds(found, puzzle, SIMULATIONS) is None


def test_a_wrong_answer_is_noticed() -> None:
    found = definitions()["revolution"]
    puzzle = read_puzzles(found)[2]
    assert "is better than" in str(holds(found, replace(puzzle, answer=puzzle.second), SIMULATIONS))
    assert "other decisions" in str(holds(found, replace(puzzle, chances={puzzle.answer: (1.0, 0.0)}), SIMULATIONS))
    assert "exact" in str(holds(found, replace(puzzle, exact=True), SIMULATIONS))


def test_the_tool_finds_such_positions(capsys: pytest.CaptureFixture[str]) -> None:
    game = tables(definitions()["revolution"])[0]
    [one, *_] = list(search(game, 106))
    share, error = one["chances"][one["answer"]]
    assert share - error > max(a + b for move, (a, b) in one["chances"].items() if move != one["answer"])
    if DOSE > 1:
        main(["revolution"])
        assert capsys.readouterr().out.count("holds, by") == len(read_puzzles(game.definition))
