"""Clocks: everybody's is a function of what everybody sees; a house that is closed or a clock that jumps costs nobody
time; and when time is over, what was agreed happens once."""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from pathlib import Path

import pytest

import samizdat
from samizdat.conformance.walks import walk
from samizdat.kernel import interpreted as engine
from samizdat.kernel.errors import IllegalMove
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.table.clocks import DAY, DAYS, LIVE, MINUTE, Clock, Terms, fresh_clock
from samizdat.table.commands import Play, TakeBack
from samizdat.table.seats import Seat, new_key
from samizdat.table.tables import LiveTable
from samizdat.table.timekeeping import Timekeeper
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Site, new_data

TEN_MINUTES = Terms(LIVE, 10 * MINUTE, 5.0)
TWO_DAYS = Terms(DAYS, 2 * DAY)
PAGE = {"accept": "text/html", "accept-language": "en"}


class Hour:
    """The time of a house that a test sets."""

    def __init__(self, site: Site, value: float = 1000.0) -> None:
        self.value = value
        site.house.time.now = lambda: self.value  # type: ignore[method-assign]


def timed(site: Site, game: Game, terms: Terms, kinds: str = "") -> LiveTable:
    """A running match, each seat of it a person's of its own, or a bot's."""
    chairs = []
    for seat in range(game.players):
        player = f"p{seat}"
        site.house.store.remember_player(player, f"Player {seat}")
        if kinds[seat : seat + 1] == "b":
            chairs.append(Seat("bot", "random", f"Bot {seat}", new_key()))
        else:
            chairs.append(Seat("person", "", f"Player {seat}", new_key(), {player}))
    return site.run(site.house.open_table(game, chairs, "p0", False, 7, terms=terms))


def clock(table: LiveTable) -> Clock:
    assert table.clock is not None
    return table.clock


def look(site: Site) -> None:
    site.run(Timekeeper(site.house).look())


# --- what everybody can see ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_who_is_to_act_is_known_to_everybody(game: Game) -> None:
    """Clocks run by it: were it a secret, they would tell."""
    for match in walk(game.match(5), 5):
        if match.plies > 150:
            break
        for viewer in (SPECTATOR, *range(game.players)):
            assert engine.acting(engine.hidden(game.box.record, match._state, viewer)) == match.turn


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_a_clock_tells_nothing_of_what_was_decided_in_secret(site: Site, game: Game) -> None:
    """The same match twice: what shows happens at the same moments, what does not at others. Nobody can tell."""
    hour, dice = Hour(site), random.Random(11)
    tables = [timed(site, game, TEN_MINUTES) for _ in range(2)]
    moves, secret = random.Random(3), 0
    for step in range(70):
        first = tables[0].match
        assert first is not None
        if first.over:
            break
        seat = moves.choice(first.turn)
        move = moves.choice(first.legal(seat))
        twin = first.copy()
        twin.play(seat, move)
        shows = twin.history(None).version != first.history(None).version
        for table in tables:
            before = clock(table)
            hour.value = 1000.0 + 3 * step + (0.0 if shows else 2 * dice.random())
            site.run(site.house.do(table, Play(seat, [move])))
            assert shows or clock(table) is before
        secret += not shows
        assert clock(tables[0]) == clock(tables[1])
    assert secret or game.name != "revolution", "bids are laid in secret"


def test_a_bid_that_is_laid_token_by_token_gains_nothing_until_it_is_sealed(site: Site) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("revolution", players=3), TEN_MINUTES)
    match = table.match
    assert match is not None
    begun = clock(table)
    assert begun.running == (0, 1, 2), "everybody bids at once"
    while 0 in match.turn:
        hour.value += 10
        site.run(site.house.do(table, Play(0, [match.legal(0)[0]])))
        match = table.match
        assert match is not None
    sealed = clock(table)
    spent = hour.value - 1000.0
    assert sealed.running == (1, 2)
    assert sealed.left(0, hour.value + 99) == 600 - spent + 5
    assert sealed.left(1, hour.value) == 600 - spent


@pytest.mark.parametrize("terms", [TEN_MINUTES, TWO_DAYS], ids=lambda terms: terms.kind)
def test_deciding_and_taking_back_gains_no_time(site: Site, terms: Terms) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("mali-powstancy", players=3), terms)
    took = 0
    for _ in range(40):
        match = table.match
        assert match is not None
        seat = match.turn[0]
        hour.value += 7
        left = clock(table).left(seat, hour.value)
        site.run(site.house.do(table, Play(seat, [match.legal(seat)[0]])))
        try:
            site.run(site.house.do(table, TakeBack(seat)))
        except IllegalMove:
            continue
        if clock(table).running and seat in clock(table).running:
            took += 1
            assert clock(table).left(seat, hour.value) <= left
        match = table.match
        assert match is not None
        site.run(site.house.do(table, Play(seat, [match.legal(seat)[-1]])))
    assert took


def test_a_dial_gives_no_time_for_a_clock_that_was_set_back() -> None:
    at = fresh_clock(TEN_MINUTES, 2).waiting_for([0])
    later = at.charged(50.0)
    assert later.left(0, 20.0) == later.left(0, 50.0) == 550.0
    assert later.charged(20.0).at == 50.0


# --- at the table ----------------------------------------------------------------------------------------


def test_a_table_is_opened_with_a_clock_that_all_see(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    seats = {"variant": "standard", "players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": "bot-random"}
    made = host.post("/new/revolution", data=seats | {"clock": "live", "minutes": "30", "increment": "5"})
    table = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
    assert clock(table).terms == Terms(LIVE, 1800.0, 5.0)
    words = "Live clock: 30 minutes for each seat, and 5 seconds for every decision."
    assert words in guest.get(f"/sit/{table.chairs[1].key}").text
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    page = guest.get(f"/table/{table.id}").text
    assert page.count('role="timer"') == 3, "in the status line, and on each plate of a person"
    assert "data-house=" in page
    still = guest.get(f"/table/{table.id}?still=true").text
    assert ">30:00<" in still or ">29:5" in still


@pytest.mark.parametrize(
    "wrong", [{"clock": "hours"}, {"clock": "live", "minutes": "1"}, {"clock": "days", "days": "0"}]
)
def test_a_clock_that_is_not_offered_is_refused(site: Site, wrong: dict[str, str]) -> None:
    browser = site.browser(**PAGE)
    answer = browser.post("/new/revolution", data={"variant": "standard", "players-standard": "3", **wrong})
    assert answer.status_code == 422
    assert "There is no such clock" in answer.text


def test_a_rematch_has_the_same_clock(site: Site) -> None:
    table = timed(site, samizdat.game("revolution", players=3), TWO_DAYS)
    again = site.run(site.house.rematch(table))
    assert clock(again).terms == TWO_DAYS


def test_old_data_has_no_clocks(tmp_path: Path) -> None:
    shutil.copytree(new_data(), tmp_path, dirs_exist_ok=True)
    with closing(Site(tmp_path)) as site:
        table = site.table(samizdat.game("revolution", players=3))
        assert site.house._read(table.id).clock is None


def test_nobody_is_late_who_decided_or_at_a_table_without_a_clock(site: Site) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("war-of-whispers", players=2), TEN_MINUTES)
    [seat] = clock(table).running
    hour.value += 599
    assert table.match is not None
    site.run(site.house.do(table, Play(seat, [table.match.legal(seat)[0]])))
    free = site.table(samizdat.game("revolution", players=3))
    hour.value += 4
    look(site)
    assert [chair.kind for chair in (*table.chairs, *free.chairs)] == ["person"] * 5
    assert free.clock is None
