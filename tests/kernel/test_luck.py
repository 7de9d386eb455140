"""Luck: known answers, exact fairness, scripts, and the dice of random play."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from samizdat.kernel import luck
from samizdat.kernel.luck import WORD, Dice, Luck, RecordingLuck, begin, draw, pick, seed_luck
from samizdat.kernel.native import register_rules

# Known answers of Threefry-4x32 with 20 rounds, as published with the generator.
PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)
PI_KEY = (0xA4093822, 0x299F31D0, 0x082EFA98, 0xEC4E6C89)
KNOWN = [
    ((0, 0, 0, 0), (0, 0, 0, 0), (0x9C6CA96A, 0xE17EAE66, 0xFC10ECD4, 0x5256A7D8)),
    ((WORD,) * 4, (WORD,) * 4, (0x2A881696, 0x57012287, 0xF6C7446E, 0xA16A6732)),
    (PI, PI_KEY, (0x59CD1DBB, 0xB8879579, 0x86B5D00C, 0xAC8B6D84)),
]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_threefry_known_answers(counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]) -> None:
    one = Luck()
    for i in range(4):
        one.key[i] = key[i]
    luck.threefry(one, *counter)
    assert tuple(one.words[i] for i in range(4)) == expected


def draws(lucks: Any, ns: Any, out: Any) -> None:
    for i in range(len(ns)):
        out[i] = draw(lucks[0], ns[i])


def picks(dices: Any, ns: Any, out: Any) -> None:
    for i in range(len(ns)):
        out[i] = pick(dices[0], ns[i])


@given(st.integers(0, 2**128 - 1), st.lists(st.integers(1, 2**62), min_size=1, max_size=40))
def test_interpreted_and_native_draws_agree(seed: int, ns: list[int]) -> None:
    compiled = native_draws()
    one = Luck()
    seed_luck(one, seed)
    begin(one, 3)
    many = one.array.copy()
    out = np.zeros(len(ns), np.int64)
    compiled(many, np.array(ns, np.int64), out)
    assert [draw(one, n) for n in ns] == out.tolist()
    assert all(0 <= value < n for value, n in zip(out.tolist(), ns, strict=True))
    assert bytes(one) == many.tobytes()


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1), st.lists(st.integers(1, 1000), min_size=1, max_size=40))
def test_interpreted_and_native_dice_agree(seed: int, stream: int, ns: list[int]) -> None:
    one = Dice()
    luck.begin_dice(one, seed, stream)
    many = one.array.copy()
    out = np.zeros(len(ns), np.int64)
    native_picks()(many, np.array(ns, np.int64), out)
    assert [pick(one, n) for n in ns] == out.tolist()
    assert bytes(one) == many.tobytes()


_compiled: dict[str, Any] = {}


def native_draws() -> Any:
    if "draws" not in _compiled:
        register_rules()
        _compiled["draws"] = numba.njit(draws)
    return _compiled["draws"]


def native_picks() -> Any:
    if "picks" not in _compiled:
        register_rules()
        _compiled["picks"] = numba.njit(picks)
    return _compiled["picks"]


@pytest.mark.parametrize("n", [2, 3, 6, 7, 52, 1000])
def test_draws_and_dice_are_fair(n: int) -> None:
    size = 400_000
    out = np.zeros(size, np.int64)
    one = Luck()
    seed_luck(one, n)
    native_draws()(one.array, np.full(size, n), out)
    assert stats.chisquare(np.bincount(out, minlength=n)).pvalue > 1e-5
    dice = Dice()
    luck.begin_dice(dice, n, 0)
    native_picks()(dice.array, np.full(size, n), out)
    assert stats.chisquare(np.bincount(out, minlength=n)).pvalue > 1e-5
    pairs = out[0::2] * n + out[1::2]
    if n <= 52:
        assert stats.chisquare(np.bincount(pairs, minlength=n * n)).pvalue > 1e-5


def test_dice_streams_do_not_resemble_each_other() -> None:
    """The first picks of many games of one simulation: uniform, and their pairs too."""
    register_rules()
    firsts = []
    for stream in range(20_000):
        dice = Dice()
        luck.begin_dice(dice, 7, stream)
        firsts.append((pick(dice, 6), pick(dice, 6)))
    counts = np.bincount([a * 6 + b for a, b in firsts], minlength=36)
    assert stats.chisquare(counts).pvalue > 1e-5


def test_large_draws_are_exact_at_the_edge() -> None:
    """Just above half of the range, every second word must be thrown away; the rest is uniform."""
    one = Luck()
    seed_luck(one, 1)
    n = (1 << 61) + 1
    values = [draw(one, n) for _ in range(2000)]
    assert max(values) < n
    low = sum(value < n // 2 for value in values)
    assert 850 < low < 1150


def test_a_ply_has_its_own_luck() -> None:
    one, other = Luck(), Luck()
    seed_luck(one, 5)
    seed_luck(other, 5)
    begin(one, 4)
    first = [draw(one, 1000) for _ in range(9)]
    begin(other, 3)
    draw(other, 1000)
    begin(other, 4)
    assert [draw(other, 1000) for _ in range(9)] == first, "what was drawn earlier does not matter"
    seed_luck(other, 6)
    begin(other, 4)
    assert [draw(other, 1000) for _ in range(9)] != first


def test_scripts_are_used_first_and_noted() -> None:
    one = RecordingLuck()
    seed_luck(one, 1)
    one.scripted = 2
    one.script[0], one.script[1] = 4, 0
    assert [draw(one, 5), draw(one, 3)] == [4, 0]
    third = draw(one, 7)
    assert one.asked == 3
    assert [one.possible[i] for i in range(3)] == [5, 3, 7]
    assert [one.came[i] for i in range(3)] == [4, 0, third]
    bare = Luck()
    seed_luck(bare, 1)
    assert draw(bare, 7) == third, "what is not scripted is drawn as without a script"
