"""Revolution!: the sampler of sealed bids, against boards counted in other ways."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import samizdat
from samizdat.games.revolution import rules, state
from samizdat.games.revolution.guess import lay_a_fair_bid
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.state import (
    BLACKMAIL,
    EVALUATION,
    FORCE,
    GOLD,
    TOKENS,
    State,
)
from samizdat.kernel.game import Game, definition
from samizdat.kernel.interpreted import legal_moves
from samizdat.kernel.luck import Luck, begin
from samizdat.kernel.reach import out_of_reach, reach_of
from tests.games.town import boards_by_counting, cites

# --- The sampler ----------------------------------------------------------------------------------------


def all_boards(game: Game, hand: tuple[int, int, int]) -> list[bytes]:
    """Every legal board for a hand, by brute force."""
    box: Any = game.box.record
    found: list[bytes] = []
    s: Any = game.blank()
    luck = Luck()
    rules.setup(box, s, luck)
    for token in range(TOKENS):
        s.held[1, token] = s.left[1, token] = hand[token]
    stack = [s]
    while stack:
        here = stack.pop()
        moves = legal_moves(box, here, 1, game.capacity)
        for move in moves:
            if move == state.DONE:
                found.append(here.array["bid"][0, 1].tobytes())
            else:
                there = here.copy()
                POINTS.play(box, there, luck, 1, move)
                stack.append(there)
    return found


@cites("revolution", "R5.1", "A-26")
@pytest.mark.parametrize("hand", [(1, 1, 1), (0, 2, 1), (2, 0, 1), (1, 0, 2), (0, 0, 3)])
def test_a_guessed_bid_is_any_legal_board_equally_often(hand: tuple[int, int, int]) -> None:
    """Support by brute force, frequencies by a chi-square test."""
    game = samizdat.game("revolution", players=3)
    boards = all_boards(game, hand)
    assert len(boards) == len(set(boards)) == boards_by_counting(hand)
    lay = game.definition.native.compile(lay_many)
    per_board = 30
    draws = per_board * len(boards)
    s: Any = game.blank()
    luck = Luck()
    rules.setup(game.box.record, s, luck)
    for token in range(TOKENS):
        s.held[1, token] = hand[token]
    states = np.zeros(1, State.dtype)
    bids = np.zeros((draws, 12, 3), State.dtype["bid"].base)
    lay(game.box.record.array, s.array, states, np.zeros(1, Luck.dtype), bids)
    counts: dict[bytes, int] = dict.fromkeys(boards, 0)
    for row in bids:
        counts[row.tobytes()] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


@cites("revolution", "R5.1", "A-26")
@pytest.mark.parametrize("hand", [(3, 4, 8), (2, 2, 9), (0, 0, 40), (6, 5, 30)])
def test_a_guessed_large_hand_uses_six_characters_as_often_as_it_should(hand: tuple[int, int, int]) -> None:
    """For hands with too many boards to list: how many characters are bid on, against exact counts."""
    game = samizdat.game("revolution", players=3)
    lay = game.definition.native.compile(lay_many)
    draws = 4000
    s: Any = game.blank()
    rules.setup(game.box.record, s, Luck())
    for token in range(TOKENS):
        s.held[1, token] = hand[token]
    bids = np.zeros((draws, 12, 3), State.dtype["bid"].base)
    lay(game.box.record.array, s.array, np.zeros(1, State.dtype), np.zeros(1, Luck.dtype), bids)
    assert (bids.sum(axis=1) == hand).all()
    used = (bids.sum(axis=2) > 0).sum(axis=1)
    exact = characters_used(hand)
    total = sum(exact.values())
    often = [people for people in exact if exact[people] / total * draws >= 5]
    seen = [int((used == people).sum()) for people in often]
    wanted = [exact[people] / total * draws for people in often]
    seen.append(draws - sum(seen))
    wanted.append(draws - sum(wanted))
    if wanted[-1] < 1e-6:
        assert seen.pop() == 0
        wanted.pop()
    if len(seen) > 1:
        assert stats.chisquare(seen, wanted).pvalue > 1e-4


def characters_used(hand: tuple[int, int, int]) -> dict[int, int]:
    """How many legal boards bid on 1, 2, … 6 characters, from the definition."""
    text = samizdat.game("revolution").box.text
    refuses = [(row["no_force"], row["no_blackmail"]) for row in text.tables["characters"]]
    ways: dict[tuple[int, int, int, int], int] = {(*hand, 0): 1}
    for no_force, no_blackmail in refuses:
        after: dict[tuple[int, int, int, int], int] = {}
        for (force, blackmail, gold, people), number in ways.items():
            for f in range(1 if no_force else force + 1):
                for b in range(1 if no_blackmail else blackmail + 1):
                    for g in range(gold + 1):
                        if f + b + g and people == 6:
                            break
                        key = (force - f, blackmail - b, gold - g, people + (f + b + g > 0))
                        after[key] = after.get(key, 0) + number
        ways = after
    return {people: number for (f, b, g, people), number in ways.items() if f + b + g == 0}


# Each row: how many characters, how many a player may bid on, and the hand. Who refuses what is drawn.
EXTREMES = [
    (12, 12, (100, 100, 100)),
    (12, 12, (120, 120, 120)),
    (12, 12, (state.MOST_TOKENS, state.MOST_TOKENS, state.MOST_TOKENS)),
    (12, 11, (0, 100, state.MOST_TOKENS)),
    (12, 6, (200, 200, 1000)),
    (12, 2, (100, 100, 100)),
    (9, 7, (100, 1, 0)),
    (4, 3, (3, 100, 2)),
    (1, 1, (100, 100, 100)),
]


@cites("revolution", "R5.1", "R5.3", "A-26", "A-29")
@pytest.mark.parametrize(("characters", "most", "hand"), EXTREMES)
@pytest.mark.parametrize("fussy", [0.0, 0.3])
def test_a_guessed_bid_is_fair_with_any_box_and_hand(
    characters: int, most: int, hand: tuple[int, int, int], fussy: float, tmp_path: Path
) -> None:
    """It ends, interpreted and compiled, and who is bid on comes as often as an independent count says."""
    rng = random.Random(f"{characters} {most} {hand} {fussy}")
    refuses = [(rng.random() < fussy, rng.random() < fussy) for _ in range(characters - 1)] + [(False, False)]
    game = samizdat.game("revolution", players=3, box=a_box(tmp_path, refuses, most))
    s: Any = game.blank()
    luck = Luck()
    rules.setup(game.box.record, s, luck)
    for token in range(TOKENS):
        s.held[1, token] = hand[token]
    alone = s.copy()
    lay_a_fair_bid(game.box.record, alone, luck, 1)
    draws = 1000
    bids = np.zeros((draws, 12, 3), State.dtype["bid"].base)
    lay = game.definition.native.compile(lay_many)
    lay(game.box.record.array, s.array, np.zeros(1, State.dtype), np.zeros(1, Luck.dtype), bids)
    assert (np.vstack([bids, alone.array["bid"][:, 1]]).sum(axis=1) == hand).all()
    for who, (no_force, no_blackmail) in enumerate(refuses):
        assert not (no_force and bids[:, who, FORCE].any())
        assert not (no_blackmail and bids[:, who, BLACKMAIL].any())
    bid_on = (bids.sum(axis=2) > 0) @ (1 << np.arange(12))
    boards = boards_by_people(refuses, most, hand)
    total = sum(boards.values())
    heap_of = {people: rng.randrange(12) for people in boards}  # so that each heap is met often enough to compare
    wanted, seen = [0.0] * 12, [0] * 12
    for people, number in boards.items():
        wanted[heap_of[people]] += float(Fraction(number * draws, total))
    for people in bid_on.tolist():
        seen[heap_of[people]] += 1  # a KeyError: no legal board bids on these
    rare = [heap for heap in range(12) if wanted[heap] < 5]
    often = [heap for heap in range(12) if wanted[heap] >= 5]
    for row in (wanted, seen):
        row[often[0]] += sum(row[heap] for heap in rare)  # type: ignore[operator]
    if len(often) > 1:
        assert stats.chisquare([seen[heap] for heap in often], [wanted[heap] for heap in often]).pvalue > 1e-4


def a_box(folder: Path, refuses: list[tuple[bool, bool]], most: int) -> Path:
    """A box with so many characters, who refuse this; all else is small."""
    rows = "".join(
        f'["c{who}", {str(force).lower()}, {str(blackmail).lower()}, 1, 0, 0, 0, "square", "", "rulebook"],\n'
        for who, (force, blackmail) in enumerate(refuses)
    )
    head = 'provenance = "reconstructed"\nsource = "a test"\n'
    columns = '"no_force", "no_blackmail", "vp", "force", "blackmail", "gold", "area", "special", "provenance"'
    path = folder / "extreme.toml"
    path.write_text(
        'game = "revolution"\n'
        f'[areas]\n{head}columns = ["id", "spaces", "vp"]\nrows = [\n["square", 1, 1],\n]\n'
        f'[characters]\n{head}columns = ["id", {columns}]\nrows = [\n{rows}]\n'
        f'[colours]\n{head}columns = ["id"]\nrows = [\n["red"], ["blue"], ["green"], ["white"],\n]\n'
        f'[tokens]\n{head}columns = ["id", "start", "vp"]\n'
        'rows = [\n["force", 100, 1],\n["blackmail", 100, 1],\n["gold", 100, 1],\n]\n'
        f"[constants]\n{head}followers = 1\nmost_characters = {most}\ntoken_floor = 1\ndomination_vp = 0\n",
        encoding="utf-8",
    )
    return path


def boards_by_people(refuses: list[tuple[bool, bool]], most: int, hand: tuple[int, int, int]) -> dict[int, int]:
    """How many legal boards bid on exactly these characters (a bit set), by inclusion and exclusion over all sets."""

    def spread_over(tokens: int, people: int) -> int:
        return math.comb(tokens + people - 1, people - 1) if people else int(tokens == 0)

    count = len(refuses)
    boards = [0] * (1 << count)
    for people in range(1 << count):
        here = [refuses[who] for who in range(count) if (people >> who) & 1]
        takers = (sum(not force for force, _ in here), sum(not blackmail for _, blackmail in here), len(here))
        boards[people] = math.prod(itertools.starmap(spread_over, zip(hand, takers, strict=True)))
    for who in range(count):
        for people in range(1 << count):
            if (people >> who) & 1:
                boards[people] -= boards[people ^ (1 << who)]
    return {people: number for people, number in enumerate(boards) if number and people.bit_count() <= most}


@cites("revolution", "R5.1")
@pytest.mark.parametrize("sealed", range(16))
def test_only_sealed_bids_are_guessed(sealed: int) -> None:
    """Whatever seats have sealed already; one's own board is left as it is."""
    game = samizdat.game("revolution", players=4)
    s: Any = game.blank()
    rules.setup(game.box.record, s, Luck())
    s.sealed = sealed
    rules.guess(game.box.record, s, Luck(), 2)
    for seat in (0, 1, 3):
        laid = s.array["bid"][0, seat].sum(axis=0).tolist()
        held, left = ([int(hand[seat, token]) for token in range(TOKENS)] for hand in (s.held, s.left))
        assert laid == (held if sealed >> seat & 1 else [0] * TOKENS)
        assert left == ([0] * TOKENS if sealed >> seat & 1 else held)
    assert not s.array["bid"][0, 2].any()


def lay_many(boxes: Any, given: Any, states: Any, lucks: Any, bids: Any) -> None:
    for i in range(len(bids)):
        states[0] = given[0]
        lucks[0].key[0] = 99
        begin(lucks[0], i)
        lay_a_fair_bid(boxes[0], states[0], lucks[0], 1)
        for character in range(12):
            for token in range(3):
                bids[i, character, token] = states[0].bid[1, character, token]


def test_refunds_widen_the_reach_and_stay_within_it() -> None:
    """A-29: in every round one player wins the Merchant's Gold with one token and loses the Priest with the rest."""
    known = definition("revolution")
    game = known.choose(3, refund=True, max_rounds=40)
    s: Any = game.match(seed=3)._state
    luck = Luck()
    while s.reason == 0:
        s.bid[1, 6, GOLD] = 1
        s.bid[1, 4, GOLD] = s.held[1, GOLD] - 1
        s.bid[2, 4, FORCE] = 1
        s.point = EVALUATION
        rules.evaluate(game.box.record, s, luck)
        assert out_of_reach(game, s.array) is None
    assert s.rounds == 40
    plain = reach_of(known.choose(3, max_rounds=40))["held"].high
    assert s.held[1, GOLD] > 10 * plain[1, GOLD]
    assert s.held[1, GOLD] > reach_of(game)["held"].high[1, GOLD] // 3, "and the bound is not far off"
