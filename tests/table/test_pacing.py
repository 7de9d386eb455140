"""When a bot answers: what it holds does not change it, and whatever it thinks fits into it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import samizdat
from samizdat.conformance.walks import another_world, walk
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.match import Match
from samizdat.table.bots import Bots
from samizdat.table.pacing import GRACE, JITTER, LONGEST, THINKING, Pace, decisions, pace, public_seed
from samizdat.table.tables import LiveTable
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Site


def public(match: Match) -> Any:
    return engine.hidden(match.game.box.record, match._state, SPECTATOR)


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_the_moment_is_the_same_in_every_world_that_looks_the_same(game: Game) -> None:
    for match in walk(game.match(3), 3):
        if match.over or match.plies > 120:
            break
        if match.plies % 7 == 0:
            seat, other = match.turn[-1], another_world(match, None, match.plies)
            found = [pace(game, "expert", True, public(one), seat, 5, 0.0) for one in (match, other)]
            assert found[0] == found[1]


def test_where_the_number_of_choices_is_secret_one_takes_as_long_as_several() -> None:
    """A War of Whispers: whether there is a card in hand that could be played is nobody else's business."""
    game = samizdat.game("war-of-whispers", players=4)
    secret: set[bool] = set()
    for match in walk(game.match(0), 0):
        if match.plies > 280:
            break
        seat = match.turn[0]
        worlds = [match, *(another_world(match, None, number) for number in range(6))]
        alone = [len(world.legal(seat)) == 1 for world in worlds]
        if len(set(alone)) > 1:
            secret.add(alone[0])
            assert pace(game, "expert", True, public(match), seat, match.plies, 0.0).until > THINKING["expert"]
    assert secret == {True, False}, "both were seen"


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_what_everybody_knows_to_be_forced_is_answered_quickly(game: Game) -> None:
    quick = slow = 0
    for match in walk(game.match(1), 1):
        if match.over:
            break
        if match.plies % 3:
            continue
        seat = match.turn[0]
        found = pace(game, "expert", True, public(match), seat, match.plies, 10.0).until - 10.0
        if decisions(game, public(match), seat, match.plies)[0] == 0:
            quick += 1
            assert found == GRACE["expert"]
        else:
            slow += 1
            assert THINKING["expert"] < found <= LONGEST * (1 + JITTER) + GRACE["expert"]
    assert slow
    assert quick or game.name == "revolution"


def test_a_novice_without_a_search_has_more_time() -> None:
    """It looks ahead in Python then, which takes longer the more there is to choose from."""
    match = next(match for match in walk(samizdat.game("mali-powstancy").match(1), 1) if len(match.legal(0)) > 1)

    def taken(level: str, prepared: bool) -> float:
        return pace(match.game, level, prepared, public(match), 0, 1, 0.0).until

    assert taken("novice", False) > taken("novice", True) == GRACE["novice"]
    assert taken("random", False) == GRACE["random"]
    assert taken("expert", False) == taken("expert", True)


def test_a_bid_is_one_answer_however_many_tokens_are_in_it() -> None:
    """R5.2: everybody knows how many tokens there are to lay; nobody, how many of them left a choice."""
    match = samizdat.game("revolution", players=3).match(1)
    choices, most = decisions(match.game, public(match), 0, 1)
    assert 2 < choices <= 5
    assert most == 6, "and that it is enough"


def test_a_pace_leaves_time_for_what_is_to_come() -> None:
    own = Pace(until=12.0, decisions=4, step=0.5)
    assert own.next_until(0.0) == 3.0
    own.made = 2
    assert own.next_until(6.0) == 9.0
    own.made = 3
    assert own.next_until(6.0) == 12.0
    own.made = 4
    assert own.next_until(6.0) == 9.0, "one that nobody expected"
    assert own.next_until(13.0) == 13.0


def test_what_comes_late_does_not_tell_how_late() -> None:
    own = Pace(until=3.0, decisions=1, step=0.5)
    assert own.release(0.1) == own.release(3.0) == 3.0
    assert own.release(3.01) == own.release(3.5) == 3.5


def test_the_seed_is_everybodys() -> None:
    assert public_seed("table", 3, 1) == public_seed("table", 3, 1)
    assert len({public_seed("table", 3, 1), public_seed("table", 4, 1), public_seed("table", 3, 0)}) == 3


# --- at the table -----------------------------------------------------------------------------------------


class Clock:
    """Time at a table whose bots think as long as the test says."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch, table: LiveTable, thinks: Any) -> None:
        self.now = 0.0
        self.seen: list[float] = []  # when everybody saw something
        bots: Bots = site.app.state.bots
        do = site.house.do

        async def run(work: Any, request: dict[str, Any], job: Any) -> str:
            moves = self.match(table).legal(request["seat"])
            self.now += thinks(len(moves), job)
            return str(moves[0])

        async def until(moment: float) -> None:
            self.now = max(self.now, moment)

        async def played(*args: Any) -> None:
            before = len(self.match(table).observations(None))
            await do(*args)
            if len(self.match(table).observations(None)) > before:
                self.seen.append(self.now)

        monkeypatch.setattr(bots, "clock", lambda: self.now)
        monkeypatch.setattr(bots, "run", run)
        monkeypatch.setattr(bots, "_until", until)
        monkeypatch.setattr(site.house, "do", played)

    @staticmethod
    def match(table: LiveTable) -> Match:
        assert table.match is not None
        return table.match


def quickly(choices: int, job: Any) -> float:
    return 0.001


def by_choices(choices: int, job: Any) -> float:
    """As a search does: nothing to choose takes no time, and otherwise all there is."""
    return 0.001 if choices == 1 else float(min(job.seconds, job.until - job.asked))


@pytest.mark.parametrize("name", ["war-of-whispers", "revolution", "mali-powstancy"])
def test_how_long_a_bot_thinks_is_not_seen(site: Site, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """An expert answered after 1.1 s with one choice and after 2.7 s with several, where nobody may know which."""
    variant = "extended" if name == "mali-powstancy" else None
    times = []
    for thinks in (quickly, by_choices):
        with monkeypatch.context() as patch:
            table = site.table(samizdat.game(name, players=3, variant=variant), kinds="bbb")
            table.id = "the same"
            for chair in table.chairs:
                chair.level = "expert"
            clock = Clock(site, patch, table, thinks)
            dice = random.Random(1)
            patch.setattr(site.house, "_keep", stored)
            for _ in range(25):
                turn = clock.match(table).turn
                if turn:
                    site.run(site.app.state.bots._act(table, dice.choice(turn)))
            times.append(clock.seen)
    assert len(times[0]) > 20
    assert times[0] == times[1]


async def stored(*_: Any, **__: Any) -> None:
    """Nothing is written: two tables have one id here."""


def test_hidden_decisions_are_made_at_once_and_the_last_one_waits(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = site.table(samizdat.game("revolution", players=3), kinds="bpp")
    table.chairs[0].level = "expert"
    clock = Clock(site, monkeypatch, table, quickly)
    site.run(site.app.state.bots._act(table, 0))
    assert clock.match(table).plies == 6, "five tokens, and that it is enough"
    assert len(clock.seen) == 1
    assert clock.seen[0] > 2 * THINKING["expert"]
