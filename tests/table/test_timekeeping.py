"""Looking after clocks, on both databases: when time is over, what was agreed happens once; a house that is closed or
a clock that jumps costs nobody time."""

from __future__ import annotations

import html
from contextlib import closing
from pathlib import Path

import pytest

import samizdat
from samizdat.table.clocks import DAY, HOUR
from samizdat.table.commands import Play
from samizdat.table.drawings import drawn, looked_at
from samizdat.table.house_time import MOST, HouseTime
from tests.table.conftest import Browser, Site
from tests.table.test_clocks import PAGE, TEN_MINUTES, TWO_DAYS, Hour, clock, look, timed

BOTH_DATABASES = True


# --- run out ---------------------------------------------------------------------------------------------


def test_when_time_is_over_a_bot_sits_down_once_and_the_seat_can_be_taken_back(site: Site) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("war-of-whispers", players=4), TEN_MINUTES)
    [late] = clock(table).running
    hour.value += 599
    look(site)
    assert table.chairs[late].kind == "person"
    hour.value += 1
    look(site)
    look(site)
    assert (table.chairs[late].kind, table.chairs[late].level) == ("bot", "regular")
    assert len(table.seatings) == 1
    told = [str(entry.line) for entry in looked_at(table, None).entries]
    assert any(f"the time of Player {late} is over" in line for line in told)
    assert clock(table).running == (), "the time of bots does not go by"
    others = [one for one in range(4) if one != late]
    stranger, owner = site.browser(**PAGE), site.browser(**PAGE)
    stranger.hold(table, others[0])
    assert stranger.post(f"/table/{table.id}/return", data={"seat": late}).status_code == 403
    as_player(site, owner, f"p{late}")
    page = html.unescape(owner.get(f"/table/{table.id}").text)
    assert "plays in your seat" in page
    assert owner.post(f"/table/{table.id}/return", data={"seat": late}).status_code == 303
    assert table.chairs[late].holders == {f"p{late}"}
    assert clock(table).left(late, hour.value) == 120.0
    assert "is back" in str(looked_at(table, None).entries[-1].line)


def as_player(site: Site, browser: Browser, player: str) -> None:
    """A browser that is known as somebody."""
    visitors = site.app.state.visitors
    browser.client.cookies.set("samizdat", visitors._signer.dumps(player))


def test_who_is_late_by_days_is_reminded_and_has_as_much_again_once(site: Site) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("war-of-whispers", players=4), TWO_DAYS)
    [late] = clock(table).running
    hour.value += 2 * DAY - 11 * HOUR
    look(site)
    assert clock(table).dials[late].reminded
    assert clock(table).dials[late].late == 0
    hour.value += 11 * HOUR
    look(site)
    assert clock(table).dials[late].late == 1
    assert clock(table).left(late, hour.value) == 2 * DAY
    assert "was late once" in drawn(table, None, None, "en", True)["parts"]["seats"]
    hour.value += 2 * DAY
    look(site)
    assert table.chairs[late].kind == "bot"


def test_several_processes_come_to_one_end(postgresql: object, tmp_path: Path) -> None:
    address = postgresql.fresh()  # type: ignore[attr-defined]
    one, two = (Site(tmp_path / name, database=address) for name in ("one", "two"))
    with closing(one), closing(two):
        hour = Hour(one)
        Hour(two, 1000.0 + 600)
        table = timed(one, samizdat.game("war-of-whispers", players=3), TEN_MINUTES)
        [late] = clock(table).running
        same = two.run(two.house.find(table.id))
        hour.value += 600
        look(two)
        look(one)
        one.run(one.house.keep_up(table))
        assert table.chairs[late] == same.chairs[late]
        assert len(table.seatings) == len(same.seatings) == 1
        assert clock(table) == clock(same)


def test_a_clock_survives_a_restart_as_it_stood(site: Site) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("mali-powstancy", players=3), TEN_MINUTES, "pbp")
    for step in range(25):
        assert table.match is not None
        hour.value += step
        seat = table.match.turn[0]
        site.run(site.house.do(table, Play(seat, [table.match.legal(seat)[0]])))
        assert site.house._read(table.id).clock == table.clock


# --- the time of the house -------------------------------------------------------------------------------


class Hands:
    """The clock on the wall of a host, and a process's steady one."""

    def __init__(self, time: HouseTime) -> None:
        self.time, self.wall, self.steady = time, 5000.0, 0.0
        time.wall, time.steady = lambda: self.wall, lambda: self.steady
        time._begin()

    def go(self, seconds: float, wall: float | None = None) -> float:
        """Time goes by, on the wall perhaps otherwise; the time of the house then."""
        self.steady += seconds
        self.wall += seconds if wall is None else wall
        self.time.add()
        return self.time.now()


@pytest.fixture
def hands(site: Site) -> Hands:
    return Hands(HouseTime(site.house.store))


def test_the_time_of_the_house_goes_on_while_it_is_served(hands: Hands) -> None:
    assert [hands.go(10.0) for _ in range(3)] == [10.0, 20.0, 30.0]
    hands.steady += 4
    assert hands.time.now() == 34.0


def test_a_wall_clock_that_jumps_costs_nobody_time(hands: Hands) -> None:
    assert hands.go(10.0) == 10.0
    assert hands.go(10.0, wall=90 * DAY) == 20.0
    assert hands.go(10.0, wall=-90 * DAY) == 20.0
    assert hands.go(10.0) == 30.0


def test_a_process_that_slept_did_not_serve(hands: Hands) -> None:
    hands.go(10.0)
    assert hands.go(8 * HOUR) == 10.0
    hands.steady += 8 * HOUR
    assert hands.time.now() == 10.0 + MOST, "it cannot be written down, so it stands still"


def test_a_night_without_a_process_is_no_time(site: Site, hands: Hands) -> None:
    assert hands.go(20.0) == 20.0
    again = Hands(HouseTime(site.house.store))
    again.wall = hands.wall + 8 * HOUR
    again.time._begin()
    assert again.time.now() == 20.0
    assert again.go(5.0) == 25.0


def test_two_processes_count_every_second_once(site: Site, hands: Hands) -> None:
    other = Hands(HouseTime(site.house.store))
    for _ in range(4):
        hands.go(10.0)
        other.go(10.0)
    assert other.time.now() == 40.0
