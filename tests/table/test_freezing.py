"""A table that the host froze, on both databases: nobody decides, everybody there reads why, clocks stand still and
bots pause, until it goes on; in every process, and after a restart."""

from __future__ import annotations

import asyncio
import html
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.table import freezing
from samizdat.table.clocks import DAY
from samizdat.table.commands import Draft, Play, TakeBack
from samizdat.table.declined import NotAllowed
from samizdat.table.drawings import looked_at
from samizdat.table.ending import Vote
from samizdat.table.store import barring
from samizdat.table.store.clocks import due_tables
from samizdat.table.store.schema import frozen
from samizdat.table.tables import LiveTable
from tests.postgres import Postgres
from tests.table.conftest import Site
from tests.table.test_clocks import PAGE, TEN_MINUTES, TWO_DAYS, Hour, clock, look, timed

BOTH_DATABASES = True
WHY = "Two of you quarrel <b>loudly</b>."


def decided(site: Site, table: LiveTable) -> None:
    assert table.match is not None
    seat = table.match.turn[0]
    site.run(site.house.do(table, Play(seat, [table.match.legal(seat)[0]])))


def test_nobody_decides_anything_and_everybody_reads_why(site: Site) -> None:
    table = site.table(samizdat.game("revolution", players=3))
    site.wander(table, 4)
    assert table.match is not None
    plies, seat = table.match.plies, table.match.turn[0]
    sitting, watching = site.browser(**PAGE), site.browser(**PAGE)
    sitting.hold(table, seat)
    assert looked_at(table, seat).acts
    site.run(freezing.freeze(site.house, table.id, WHY))
    commands = Play(seat, [table.match.legal(seat)[0]]), TakeBack(seat), Draft(seat, "clear"), Vote("p0", True)
    for command in commands:
        with pytest.raises(NotAllowed, match="frozen"):
            site.run(site.house.do(table, command))
    body = {"seat": seat, "version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
    refused = sitting.post(f"/table/{table.id}/move", json=body)
    assert refused.status_code == 409
    assert WHY in refused.json()["error"]
    for browser in (sitting, watching):
        page = browser.get(f"/table/{table.id}").text
        assert "Frozen by the host." in page
        assert html.escape(WHY, quote=False) in page, "said as text, never as markup"
        assert "data-move" not in page
    shown = looked_at(table, seat)
    assert not shown.acts
    assert (shown.seen.legal, shown.seen.draft, shown.can_undo, shown.may_plead) == ((), None, False, False)
    position = watching.get(f"/api/tables/{table.id}/position").json()
    assert (position["frozen"], position["choices"]) == (WHY, [])
    assert watching.get(f"/api/tables/{table.id}").json()["frozen"] == WHY
    assert table.match.plies == plies
    assert site.run(freezing.thaw(site.house, table.id))
    assert not site.run(freezing.thaw(site.house, table.id)), "once"
    assert "Frozen" not in sitting.get(f"/table/{table.id}").text
    assert looked_at(table, seat).acts
    decided(site, table)


def test_nobody_sits_down_at_a_table_that_was_frozen_before_its_match_began(site: Site) -> None:
    opener, guest = site.browser(**PAGE), site.browser(**PAGE)
    form = {"variant": "standard", "name": "Ludmila", "seat-0": "me", "seat-1": "open"}
    path = opener.post("/new/dual-powers", data=form).headers["location"]
    site.run(freezing.freeze(site.house, path.removeprefix("/table/"), WHY))
    for browser in (opener, guest):
        page = browser.get(path).text
        assert "Frozen by the host." in page
        assert html.escape(WHY, quote=False) in page
    refused = guest.post(f"{path}/sit", data={"seat": "1", "name": "Borys"})
    assert refused.status_code == 403
    assert "frozen" in refused.text


def test_whose_seat_it_is_stays_its_owners_business(site: Site) -> None:
    """Who sits there comes from another device, sends one away, or deletes everything: nothing of that decides."""
    table = site.table(samizdat.game("revolution", players=3), holder="p9")
    one, two = site.browser(**PAGE), site.browser(**PAGE)
    one.hold(table, 0)
    site.run(freezing.freeze(site.house, table.id, ""))
    two.hold(table, 0)
    assert two.get(f"/table/{table.id}").status_code == 200
    assert one.post(f"/table/{table.id}/browsers", data={"seat": "0"}).status_code == 303
    assert len(table.chairs[0].holders) == 1
    assert one.post("/settings/delete").status_code == 303
    assert table.chairs[0].kind != "person", "whoever goes is gone"
    assert table.frozen == ""


def test_what_was_drawn_before_is_drawn_anew_and_whoever_looks_on_is_woken(site: Site) -> None:
    table = site.table(samizdat.game("revolution", players=3))
    before = dict(table.changes)
    site.run(freezing.freeze(site.house, table.id, ""))
    assert all(table.changes[viewer] > before[viewer] for viewer in table.viewers)


@pytest.mark.parametrize("terms", [TEN_MINUTES, TWO_DAYS], ids=lambda terms: terms.kind)
def test_its_clock_stands_still_however_long_that_takes(site: Site, terms: object) -> None:
    hour, table = Hour(site), timed(site, samizdat.game("war-of-whispers", players=4), terms)  # type: ignore[arg-type]
    [seat] = clock(table).running
    hour.value += 100
    left = clock(table).left(seat, hour.value)
    site.run(freezing.freeze(site.house, table.id, ""))
    hour.value += 9 * DAY
    assert clock(table).left(seat, hour.value) == left
    assert due_tables(site.house.store, hour.value, 9) == []
    look(site)
    assert (table.chairs[seat].kind, clock(table).dials[seat].late) == ("person", 0), "nobody is late meanwhile"
    page = site.browser(**PAGE).get(f"/table/{table.id}").text
    assert "data-ends" not in page, "no page counts on"
    site.run(freezing.thaw(site.house, table.id))
    assert clock(table).left(seat, hour.value) == left
    assert clock(table).goes(seat)
    hour.value += left
    look(site)
    assert table.chairs[seat].kind == "bot" or clock(table).dials[seat].late == 1, "and then time goes by again"


class Slow:
    """Thinks until it is told to answer."""

    def __init__(self, site: Site, table: LiveTable) -> None:
        self.table, self.asked, self.answer = table, asyncio.Event(), asyncio.Event()
        bots = site.app.state.bots
        bots._thinkers, bots._begun = self, True

    async def run(self, work: object, request: dict[str, Any], job: object) -> str:
        self.asked.set()
        await self.answer.wait()
        assert self.table.match is not None
        return str(self.table.match.legal(request["seat"])[0])

    def stop(self) -> None:
        pass


def test_bots_pause_in_the_middle_of_a_thought_and_go_on(site: Site) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=4), kinds="bbbb")
    bots, slow = site.app.state.bots, Slow(site, table)

    async def watched() -> None:
        assert table.match is not None
        bots.look(table)
        await slow.asked.wait()
        await freezing.freeze(site.house, table.id, "")
        slow.answer.set()
        await asyncio.gather(*bots._tasks)
        assert table.match.plies == 0, "what it came to is of no use now"
        bots.look(table)
        assert not bots._busy
        assert table.id not in site.house.store.waiting_for_bots()
        slow.asked.clear()
        slow.answer.clear()
        await freezing.thaw(site.house, table.id)
        await slow.asked.wait()
        await bots.stop()

    site.run(asyncio.wait_for(watched(), 60))


def test_it_holds_after_a_restart(site: Site) -> None:
    table = site.table(samizdat.game("dual-powers"))
    site.run(freezing.freeze(site.house, table.id, WHY))
    for held in (site.house.tables, site.house._held):
        held.clear()
    again = site.run(site.house.find(table.id))
    assert again is not table
    assert again.frozen == WHY
    with pytest.raises(NotAllowed, match="frozen"):
        decided(site, again)


def test_a_frozen_table_calls_nobody(site: Site) -> None:
    table = site.table(samizdat.game("dual-powers"))
    assert [row.id for row in site.house.store.turns_of("p0")] == [table.id]
    site.run(freezing.freeze(site.house, table.id, ""))
    assert site.house.store.turns_of("p0") == []
    site.run(site.house.remove(table.id))
    with site.house.store.reading() as db:
        assert db.execute(frozen.select()).all() == [], "and it goes with its table"


def test_no_process_decides_after_another_one_froze_it(tmp_path: Path, postgresql: Postgres) -> None:
    """Also one that has not heard of it: the number of the event is gone."""
    address = postgresql.fresh()
    with closing(Site(tmp_path, database=address)) as one, closing(Site(tmp_path, database=address)) as other:
        here = one.table(samizdat.game("dual-powers"))
        there = other.run(other.house.find(here.id))
        one.run(freezing.freeze(one.house, here.id, WHY))
        assert there.frozen is None, "it was not told"
        with pytest.raises(NotAllowed, match="frozen"):
            decided(other, there)
        assert there.frozen == WHY
        one.run(freezing.thaw(one.house, here.id))
        decided(other, there)


def test_what_a_command_says_is_heeded_in_a_look(site: Site) -> None:
    table = site.table(samizdat.game("dual-powers"))
    host = site.app.state.host
    barring.freeze(site.house.store, table.id, "first")
    site.run(host.look())
    assert table.frozen == "first"
    barring.freeze(site.house.store, table.id, "second")
    site.run(host.look())
    assert table.frozen == "second"
    barring.unfreeze(site.house.store, table.id)
    site.run(host.look())
    assert table.frozen is None
