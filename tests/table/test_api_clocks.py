"""Clocks and pleas over the JSON API: what was agreed, what everybody has left, and who has to answer."""

from __future__ import annotations

import random

import samizdat
from samizdat.programs.client import Client, SeatAtTable
from samizdat.table.clocks import LIVE, MINUTE, Terms
from samizdat.table.commands import Play
from samizdat.table.tables import LiveTable
from tests.programs.conftest import client
from tests.table.conftest import Browser, Site
from tests.table.test_clocks import TEN_MINUTES, Hour, clock, timed
from tests.table.test_clocks import look as pass_by

__all__ = ["client"]
BOTH_DATABASES = True


def key(table: LiveTable, seat: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {table.chairs[seat].key}"}


def test_every_answer_says_how_much_time_is_left(site: Site) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("war-of-whispers", players=2), TEN_MINUTES)
    browser = site.browser()
    assert table.match is not None
    [acts] = table.match.turn
    hour.value += 90.0
    for path in ("", "/view", "/position"):
        for headers in ({}, key(table, 0)):
            told = browser.get(f"/api/tables/{table.id}{path}", headers=headers).json()["clock"]
            assert {name: told[name] for name in ("kind", "seconds", "increment", "time_over")} == {
                "kind": "live", "seconds": 600.0, "increment": 5.0, "time_over": "bot",
            }  # fmt: skip
            assert [one["left"] for one in told["seats"]] == [510.0 if seat == acts else 600.0 for seat in range(2)]
            assert [one["runs"] for one in told["seats"]] == [seat == acts for seat in range(2)]
    plain = site.table(samizdat.game("war-of-whispers", players=2))
    assert browser.get(f"/api/tables/{plain.id}").json()["clock"] is None


def test_it_is_described(site: Site) -> None:
    found = site.app.openapi()["components"]["schemas"]
    assert set(found["SeatClock"]["properties"]) == {"seat", "left", "runs", "paused", "late", "out"}
    assert all("description" in one for name, one in found["SeatClock"]["properties"].items() if name != "seat")
    assert "time_over" in found["ClockInfo"]["properties"]


def test_programs_end_a_match_or_let_it_go_on(site: Site) -> None:
    hour, browser = Hour(site), site.browser()
    table = timed(site, samizdat.game("war-of-whispers", players=3), Terms(LIVE, 10 * MINUTE, 5.0, others=True))

    def say(seat: int, end: bool) -> int:
        path = f"/api/tables/{table.id}/time-over"
        return browser.post(path, json={"end": end}, headers=key(table, seat)).status_code

    assert say(0, True) == 403, "nobody is late"
    assert table.match is not None
    [late] = table.match.turn
    first, second = (seat for seat in range(3) if seat != late)
    hour.value += 11 * MINUTE
    pass_by(site)
    told = browser.get(f"/api/tables/{table.id}").json()["clock"]
    assert [one["out"] for one in told["seats"]] == [seat == late for seat in range(3)]
    assert say(late, False) == 403
    assert say(first, False) == 200
    assert not clock(table).out
    hour.value += 11 * MINUTE
    pass_by(site)
    assert say(first, True) == 200
    assert not table.over
    assert say(second, True) == 200
    assert table.over


def test_programs_are_asked_for_a_decision_back(site: Site, client: Client) -> None:
    table = timed(site, samizdat.game("war-of-whispers", players=2), TEN_MINUTES)
    seats = [
        SeatAtTable(client.ask, table.id, n, chair.key, "war-of-whispers") for n, chair in enumerate(table.chairs)
    ]
    dice = random.Random(2)
    while not any(table.may_plead(one) and not table.may_undo(one) for one in range(2)):
        assert table.match is not None
        [acts] = table.match.turn
        site.run(site.house.do(table, Play(acts, [dice.choice(table.match.legal(acts))])))
    asker = next(one for one in range(2) if table.may_plead(one) and not table.may_undo(one))
    other = 1 - asker
    seats[asker].ask_back()
    assert browser_sees(site.browser(), table) is None, "who watches is not asked"
    plea = seats[other].position(wait=20)["plea"]
    assert plea["asked"] == [other]
    assert plea["seat"] == asker
    assert table.match is not None
    last = table.match.last_of(asker)
    seats[other].answer_back(plea, True)
    assert table.match.plies == last
    assert seats[other].position()["plea"] is None


def browser_sees(browser: Browser, table: LiveTable) -> object:
    return browser.get(f"/api/tables/{table.id}/position").json()["plea"]
