"""When somebody's time is over and the others have the word: they end the match, or let it go on."""

from __future__ import annotations

import html
import random
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

import samizdat
from samizdat.table.clocks import DAY, DAYS, LIVE, MINUTE, Terms
from samizdat.table.commands import Play
from samizdat.table.declined import NotAllowed
from samizdat.table.ending import GoOn, Vote
from samizdat.table.page_parts import parts
from samizdat.table.store.messages import ENDED, OUT, OVERDUE, Outbox
from samizdat.table.store.schema import messages
from samizdat.table.tables import OVER, PLAYING, LiveTable
from samizdat.table.viewing import look
from tests.table.conftest import Site
from tests.table.test_clocks import PAGE, Hour, clock, timed
from tests.table.test_clocks import look as pass_by

BOTH_DATABASES = True
LIVE_OTHERS = Terms(LIVE, 10 * MINUTE, 5.0, others=True)
DAYS_OTHERS = Terms(DAYS, 2 * DAY, others=True)


def table_of(site: Site, terms: Terms, kinds: str = "") -> LiveTable:
    return timed(site, samizdat.game("war-of-whispers", players=3), terms, kinds)


def run_out(site: Site, hour: Hour, table: LiveTable) -> int:
    """Let the time of whoever is to act go by; who that is."""
    assert table.match is not None
    [seat] = table.match.turn
    hour.value += clock(table).left(seat, hour.value) + 1
    pass_by(site)
    if clock(table).terms.kind == DAYS and not clock(table).dials[seat].out:
        assert clock(table).dials[seat].late == 1, "once there is as much again"
        hour.value += clock(table).left(seat, hour.value) + 1
        pass_by(site)
    return seat


def told(site: Site, kind: str) -> set[str]:
    with site.house.store.reading() as db:
        return set(db.execute(select(messages.c.player).where(messages.c.kind == kind)).scalars())


def status(table: LiveTable, viewer: int | None) -> str:
    return html.unescape(parts(look(table, viewer), "en", wanted=("status",))["status"])


@pytest.mark.parametrize("terms", [LIVE_OTHERS, DAYS_OTHERS], ids=["live", "days"])
def test_the_others_end_the_match(site: Site, terms: Terms) -> None:
    hour, table = Hour(site), table_of(site, terms)
    for player in ("p0", "p1", "p2"):
        Outbox(site.house.store).add_way(player, "hook", f"http://127.0.0.1:9/{player}", "", "hook", confirmed=True)
    late = run_out(site, hour, table)
    first, second = (seat for seat in range(3) if seat != late)
    assert table.late == {late}
    assert table.chairs[late].kind == "person", "no bot sits down"
    assert told(site, OUT) == {f"p{late}"}
    assert told(site, OVERDUE) == {f"p{first}", f"p{second}"}
    assert "End the match" in status(table, first)
    assert "End the match" not in status(table, late)
    assert "the others may end" in status(table, late)
    assert "End the match" not in status(table, None)
    pass_by(site)
    assert table.late == {late}
    assert clock(table).due is None, "it is said once"
    with pytest.raises(NotAllowed):
        site.run(site.house.do(table, Vote(f"p{late}", False)))
    site.run(site.house.do(table, Vote(f"p{first}", True)))
    assert table.status == PLAYING, "of the others all must want it"
    site.run(site.house.do(table, Vote(f"p{second}", True)))
    assert table.status == OVER
    assert table.ended_late == {late}
    assert told(site, ENDED) == {f"p{late}", f"p{first}"}
    for viewer in table.viewers:
        assert f"The time of Player {late} is over." in status(table, viewer)
        assert "Ended, as time was over" in status(table, viewer)


@pytest.mark.parametrize("terms", [LIVE_OTHERS, DAYS_OTHERS], ids=["live", "days"])
def test_or_they_let_it_go_on(site: Site, terms: Terms) -> None:
    hour, table = Hour(site), table_of(site, terms)
    late = run_out(site, hour, table)
    other = (late + 1) % 3
    with pytest.raises(NotAllowed):
        site.run(site.house.do(table, GoOn(late, f"p{late}")))
    with pytest.raises(NotAllowed):
        site.run(site.house.do(table, GoOn(other, f"p{other}")))
    site.run(site.house.do(table, GoOn(late, f"p{other}")))
    assert not table.late
    assert clock(table).left(late, hour.value) == (2 * MINUTE if terms.kind == LIVE else terms.seconds)
    assert clock(table).goes(late)
    assert run_out(site, hour, table) == late, "and again"
    assert table.late == {late}


def test_whoever_is_late_may_still_decide(site: Site) -> None:
    hour, table = Hour(site), table_of(site, LIVE_OTHERS)
    late = run_out(site, hour, table)
    site.run(site.house.do(table, Vote(f"p{(late + 1) % 3}", True)))
    assert table.match is not None
    while not table.may_undo(late) and table.late:
        move = random.Random(1).choice(table.match.legal(late))
        site.run(site.house.do(table, Play(late, [move])))
    assert not table.late
    site.run(site.house.do(table, Vote(f"p{(late + 2) % 3}", True)))
    assert table.status == PLAYING, "it was asked because of the time; now whoever was late is asked, too"
    site.run(site.house.do(table, Vote(f"p{late}", True)))
    assert table.ended
    assert not table.ended_late


def test_a_refusal_of_before_does_not_bind_them(site: Site) -> None:
    hour, table = Hour(site), table_of(site, LIVE_OTHERS)
    assert table.match is not None
    [late] = table.match.turn
    first, second = (seat for seat in range(3) if seat != late)
    site.run(site.house.do(table, Vote(f"p{first}", True)))
    site.run(site.house.do(table, Vote(f"p{late}", False)))
    assert run_out(site, hour, table) == late
    site.run(site.house.do(table, Vote(f"p{first}", True)))
    site.run(site.house.do(table, Vote(f"p{second}", True)))
    assert table.ended_late == {late}


def test_among_bots_alone_a_bot_goes_on(site: Site) -> None:
    hour = Hour(site)
    table = table_of(site, LIVE_OTHERS, kinds="pbb")
    assert table.match is not None
    while table.match.turn != (0,):
        site.wander(table, 1, seed=table.match.plies)
    hour.value += 11 * MINUTE
    pass_by(site)
    assert table.chairs[0].kind == "bot"


def test_it_is_there_after_a_restart(tmp_path: Path) -> None:
    with closing(Site(tmp_path)) as site:
        hour, table = Hour(site), table_of(site, DAYS_OTHERS)
        late = run_out(site, hour, table)
        before = table.clock
    with closing(Site(tmp_path)) as site:
        again = site.run(site.house.find(table.id))
        assert again.late == {late}
        assert again.clock == before


def test_the_form_offers_it_and_pages_say_it(site: Site) -> None:
    browser = site.browser(**PAGE)
    assert 'name="time-over"' in browser.get("/new/war-of-whispers").text
    form = {"variant": "standard", "players-standard": "2", "seat-0": "me", "seat-1": "open", "clock": "live"}
    made = browser.post("/new/war-of-whispers", data={**form, "time-over": "others"})
    assert made.status_code == 303
    room = html.unescape(browser.get(made.headers["location"]).text)
    assert "the others may end the match, or let it go on" in room
    table = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
    assert clock(table).terms.others
    assert browser.post("/new/war-of-whispers", data={**form, "time-over": "nobody"}).status_code == 422
    wrong = browser.post("/new/war-of-whispers", data={**form, "time-over": "others", "rated": "on"})
    assert wrong.status_code == 422
    assert "In a rated match a bot goes on" in html.unescape(wrong.text)


def test_over_the_page(site: Site) -> None:
    hour, table = Hour(site), table_of(site, LIVE_OTHERS)
    late = run_out(site, hour, table)
    other = (late + 1) % 3
    browser = site.browser(**PAGE)
    browser.hold(table, other)
    answer = browser.post(f"/table/{table.id}/leave", data={"seat": str(other), "way": "go-on"})
    assert answer.status_code == 303
    assert not table.late
