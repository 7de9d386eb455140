"""The arena: fair pairings, honest intervals, a stop that is rarely wrong, and files that say what was played."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from samizdat.kernel.errors import OptionError
from samizdat.lab import arena_files
from samizdat.lab.arena import (
    Arena,
    Entrant,
    Fixture,
    Result,
    Setting,
    fixtures_of_deal,
    line_ups,
    play,
    read_entrants,
)
from samizdat.lab.report import share_interval
from samizdat.lab.standings import (
    EVEN,
    Scoreboard,
    anytime_interval,
    clustered_interval,
    design_effect,
    ratings,
    settled,
)

SHORT = Setting("revolution", 4, "standard", (("max_rounds", 1),))
SMALL = Setting("revolution", 3, "standard", (("max_rounds", 1),))
A, B, C, D = (Entrant("random", simulations=number) for number in (1, 2, 3, 4))  # random, under four names


def played(arena: Arena, games: int, workers: int = 1) -> Scoreboard:
    board = Scoreboard(arena)
    for result in arena.play(games, workers):
        board.add(result)
    return board


def pretended(arena: Arena, deal: int, winner: Entrant) -> list[Result]:
    """A deal that one bot wins from every seat."""
    return [
        Result(
            fixture, (0,) * len(fixture.seats), tuple(1 if seat == winner else 2 for seat in fixture.seats), "told",
            (1,) * len(fixture.seats), ((0.5,),) * len(fixture.seats),
        )
        for fixture in fixtures_of_deal(arena.setting, arena.line_ups, arena.seed, deal)
    ]  # fmt: skip


# --- pairings ---------------------------------------------------------------------------------------------


def test_every_bot_sits_on_every_seat_of_every_deal() -> None:
    arena = Arena(SHORT, [A, B, C, D])
    fixtures = list(arena.fixtures(10))
    assert len(fixtures) == 12, "10 games are rounded up to 3 whole deals"
    for deal in range(3):
        own = [fixture for fixture in fixtures if fixture.deal == deal]
        assert len({fixture.match_seed for fixture in own}) == 1
        for seat in range(4):
            assert {fixture.seats[seat] for fixture in own} == {A, B, C, D}
    assert len({fixture.match_seed for fixture in fixtures}) == 3


def test_fewer_bots_than_seats_are_one_among_others() -> None:
    assert line_ups([A, B], 4) == [(A, B, B, B)]
    assert line_ups([A], 3) == [(A, A, A)]
    seats = [fixture.seats.index(A) for fixture in Arena(SHORT, [A, B]).fixtures(4)]
    assert sorted(seats) == [0, 1, 2, 3]


def test_more_bots_than_seats_meet_in_every_choice() -> None:
    assert line_ups([A, B, C], 2) == [(A, B), (A, C), (B, C)]
    games = Counter(seat for fixture in Arena(SMALL, [A, B, C, D]).fixtures(1) for seat in fixture.seats)
    assert set(games.values()) == {9}, "each of four is in three of the four line-ups, three rotations each"


def test_the_same_seed_gives_the_same_games_on_any_number_of_processes() -> None:
    def facts(seed: int, workers: int) -> list[tuple[object, ...]]:
        board = played(Arena(SMALL, [A, B], seed), 6, workers)
        return [(one.fixture, one.points, one.ranks, one.reason, one.decisions) for one in board.complete]

    assert facts(5, 1) == facts(5, 2)
    assert facts(5, 1) != facts(6, 1)


def test_rotations_of_a_deal_begin_alike() -> None:
    for name in ("revolution", "war-of-whispers"):
        setting = Setting(name)
        fixtures = Arena(setting, [A, B], 3).fixtures(1)
        dealt = {setting.game().match(fixture.match_seed).raw for fixture in fixtures}
        assert len(dealt) == 1


def test_shared_wins_are_shares_and_common_defeats_nobodys() -> None:
    def shares(*ranks: int) -> tuple[float, ...]:
        fixture = Fixture(SHORT, 0, 0, 0, 0, (A, B, B, B))
        return Result(fixture, (0,) * 4, ranks, "told", (0,) * 4, ((),) * 4).shares

    assert shares(1, 2, 1, 4) == (0.5, 0.0, 0.5, 0.0)
    assert shares(2, 2, 2, 2) == (0.0,) * 4
    board = Scoreboard(Arena(SHORT, [A, B]))
    for result in pretended(board.arena, 0, A):
        board.add(result)
    assert [(one.entrant, one.games, one.share) for one in board.standings()] == [(A, 4, 1.0), (B, 4, 0.0)]


def test_a_game_alone_is_played_against_itself() -> None:
    board = played(Arena(Setting("dual-powers", 1, "solitaire"), [A, B]), 2)
    assert board.fair == 0.5
    assert [one.games for one in board.standings()] == [1, 1]
    assert all(one.rating is None for one in board.standings())


def test_decisions_and_times_are_told_by_seat() -> None:
    result = play(next(Arena(SHORT, [A, B]).fixtures(1)))
    assert all(result.decisions)
    assert all(0 < len(times) <= number for times, number in zip(result.times, result.decisions, strict=True))
    assert all(second >= 0 for times in result.times for second in times)


# --- intervals --------------------------------------------------------------------------------------------


def test_independent_games_have_wilsons_interval() -> None:
    """The example of Newcombe (1998), method 3: 81 of 263 are 25.53 % to 36.62 %."""
    low, high = clustered_interval([[1.0]] * 81 + [[0.0]] * 182)
    assert (low, high) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert (low, high) == pytest.approx(share_interval(81, 263), abs=1e-9)


def test_rotations_that_agree_count_once() -> None:
    deals = [[1.0, 1.0, 1.0, 1.0]] * 30 + [[0.0] * 4] * 20
    assert design_effect(deals) == pytest.approx(4, rel=0.05)
    low, high = clustered_interval(deals)
    assert (low, high) == pytest.approx(share_interval(30, 50), abs=0.01)
    assert design_effect([[1.0, 0.0]] * 50) == 1.0, "never surer than independent games"
    assert clustered_interval([[1.0, 1.0]])[0] < 0.25, "one deal tells nearly nothing"


def test_the_interval_holds_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        strength = rng.beta(4, 6, size=60)  # deals differ: their rotations agree more often than chance
        deals = [(rng.random(4) < p).astype(float).tolist() for p in strength]
        low, high = clustered_interval(deals)
        held += low <= 0.4 <= high
    assert held >= 0.92 * 400


# --- stopping ---------------------------------------------------------------------------------------------


def first_stop(coins: list[float], fair: float) -> str | None:
    """What is concluded first by somebody who looks after every single deal."""
    for seen in range(1, len(coins) + 1):
        verdict = settled(coins[:seen], fair)
        if verdict:
            return verdict
    return None


def test_fair_coins_are_rarely_called_unfair() -> None:
    rng = random.Random(7)
    wrong = sum(
        first_stop([float(rng.random() < fair) for _ in range(150)], fair) in ("above", "below")
        for fair in (0.5, 0.25)
        for _ in range(60)
    )
    assert wrong <= 0.05 * 120


def test_what_is_clear_is_settled_soon_and_rightly() -> None:
    rng = random.Random(8)
    for share, fair, expected in ((0.9, 0.5, "above"), (0.6, 0.25, "above"), (0.05, 0.25, "below")):
        found = [first_stop([float(rng.random() < share) for _ in range(200)], fair) for _ in range(10)]
        assert found.count(expected) >= 9
    even = [0.45, 0.55] * 400
    assert settled(even, 0.5) == "even"
    assert settled(even[:6], 0.5) is None
    assert settled([], 0.5) is None


def test_the_interval_after_a_stop_holds_in_spite_of_it() -> None:
    rng = random.Random(9)
    held = 0
    for _ in range(60):
        coins = [float(rng.random() < 0.65) for _ in range(120)]
        stop = next((seen for seen in range(1, 121) if settled(coins[:seen], 0.5)), 120)
        low, high = anytime_interval(coins[:stop])
        held += low <= 0.65 <= high
    assert held >= 57


def test_an_arena_stops_only_when_every_bot_is_settled() -> None:
    board = Scoreboard(Arena(SHORT, [A, B]))
    stops = []
    for deal in range(25):
        for result in pretended(board.arena, deal, A):
            finished = board.add(result)
        assert finished
        stops.append(board.is_settled)
    assert not stops[0]
    assert stops[-1]
    alone = Scoreboard(Arena(SHORT, [A]))
    for result in (one for deal in range(25) for one in pretended(alone.arena, deal, A)):
        alone.add(result)
    assert not alone.is_settled, "one bot asks no question"
    assert 0 < EVEN < 1


def test_deals_count_in_their_own_order() -> None:
    """A short game that overtakes a long one waits for it."""
    board = Scoreboard(Arena(SMALL, [A, B]))
    for result in pretended(board.arena, 1, A):
        assert not board.add(result)
    assert board.finished_deals == 0
    assert board.complete == []
    *most, last = pretended(board.arena, 0, B)
    assert not any(board.add(result) for result in most)
    assert board.add(last)
    assert board.finished_deals == 2
    assert board.series(A) == [0.0, 1.0]


def test_ratings_put_winners_above_losers() -> None:
    arena = Arena(SHORT, [A, B])
    found = ratings([result for deal in range(10) for result in pretended(arena, deal, A)])
    assert found[A][0] > found[B][0] + 5
    assert found[A][1] < 25 / 3


# --- files and the command line ---------------------------------------------------------------------------


def test_parquet_round_trip(tmp_path: Path) -> None:
    board = played(Arena(SHORT, [A, B], 4), 8)
    arena_files.write_parquet(board, tmp_path / "games.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "games.parquet")
    rows = table.to_pylist()
    assert len(rows) == 8
    for row, result in zip(rows, board.complete, strict=True):
        match = SHORT.game().match(int(row["seed"], 16))
        assert match.seed == result.fixture.match_seed
        assert tuple(row["points"]) == result.points
        assert tuple(row["ranks"]) == result.ranks
        assert tuple(row["decisions"]) == result.decisions
        assert row["reason"] == result.reason
        assert row["seats"] == [str(entrant) for entrant in result.fixture.seats]
        assert row["levels"] == ["random"] * 4
        assert row["seconds"] == pytest.approx([sum(times) for times in result.times])
    told = json.loads(table.schema.metadata[b"samizdat"])
    assert (told["game"], told["players"], told["arena_seed"]) == ("revolution", 4, 4)


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    board = played(Arena(SMALL, [A, B]), 6)
    arena_files.draw_plot(board, tmp_path / "shares.svg")
    assert "<svg" in (tmp_path / "shares.svg").read_text()
    with pytest.raises(OptionError, match="cannot be written"):
        arena_files.draw_plot(board, tmp_path / "shares.nothing")


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "samizdat", "arena", *args], capture_output=True, text=True, check=False
    )


def test_the_command(tmp_path: Path) -> None:
    out, plot = tmp_path / "games.parquet", tmp_path / "shares.png"
    done = run(
        "revolution", "--bots", "random,random:simulations=2", "--games", "9", "--players", "3", "-o", "max_rounds=1",
        "--workers", "1", "--no-stop", "--out", str(out), "--plot", str(plot),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "9 games, 3 deals; a fair share is 33.3%" in done.stdout
    assert pyarrow.parquet.read_table(out).num_rows == 9
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["revolution", "--bots", "genius"], "There is no bot “genius”; there are random"),
        (["revolution", "--bots", "novice:depth=3"], "budget is seconds=NUMBER or simulations=NUMBER"),
        (["revolution", "--bots", "novice:seconds=soon"], "seconds are a number, not “soon”"),
        (["revolution", "--bots", "novice:simulations=-2"], "simulations must be a whole number from 1 to"),
        (["revolution", "--bots", "novice", "--seconds", "1", "--simulations", "2"], "not both"),
        (["chess", "--bots", "novice"], "There is no game “chess”"),
        (["revolution", "--bots", "random", "--seed", "-1"], "seed must be a whole number"),
        (["revolution", "--bots", "random", "--out", "/nowhere/at/all.parquet"], "results cannot be written there"),
    ],
)
def test_mistakes_are_answered_with_a_sentence(args: list[str], sentence: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_what_is_not_installed_is_named() -> None:
    arena_files.check_installed("openskill", "pyarrow", "matplotlib")
    with pytest.raises(OptionError, match=r"needs no_such_package, which pip install 'samizdat\[research\]' brings"):
        arena_files.check_installed("no_such_package")


def test_budgets_are_for_those_who_search_and_name_none() -> None:
    found = read_entrants("random, novice, expert:seconds=2", simulations=30)
    assert [str(entrant) for entrant in found] == ["random", "novice:simulations=30", "expert:seconds=2"]
