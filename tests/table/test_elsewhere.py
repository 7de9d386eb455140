"""Tables that wait for somebody elsewhere, in the bar of every page."""

from __future__ import annotations

import re

import samizdat
from samizdat.table.clocks import Terms
from samizdat.table.seats import Seat, new_key
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site
from tests.table.test_clocks import PAGE, TEN_MINUTES, TWO_DAYS, Hour
from tests.table.test_timekeeping import as_player


def waits(site: Site, player: str, terms: Terms | None) -> LiveTable:
    """A match in which somebody is to act."""
    site.house.store.remember_player(player, "Ludmila")
    chairs = [Seat("person", "", "Ludmila", new_key(), {player})]
    chairs += [Seat("bot", "random", f"Bot {seat}", new_key()) for seat in (1, 2)]
    game = samizdat.game("revolution", players=3)
    return site.run(site.house.open_table(game, chairs, player, False, 7, terms=terms))


def listed(browser: Browser, here: str = "") -> list[str]:
    """The tables that the bar leads to, in order."""
    return re.findall(
        r'class="btn" href="/table/([\w-]+)"', browser.get(f"/elsewhere?here={here}", headers=PAGE).text
    )


def test_tables_call_in_the_order_of_the_time_that_is_left(site: Site) -> None:
    hour, mine = Hour(site), site.browser(**PAGE)
    as_player(site, mine, "p0")
    free, days, live = (waits(site, "p0", terms) for terms in (None, TWO_DAYS, TEN_MINUTES))
    waits(site, "p1", TEN_MINUTES)
    hour.value += 60
    assert listed(mine) == [live.id, days.id, free.id]
    assert listed(mine, here=live.id) == [days.id, free.id]
    text = mine.get("/elsewhere", headers=PAGE).text
    assert "9:00 left" in text
    assert "<b>3</b>" in text
    lobby = mine.get("/").text
    assert lobby.index(f"/table/{live.id}") < lobby.index(f"/table/{days.id}") < lobby.index(f"/table/{free.id}")
    assert "9:00 left" in lobby


def test_whoever_nothing_waits_for_sees_nothing(site: Site) -> None:
    waits(site, "p0", None)
    assert site.browser(**PAGE).get("/elsewhere").text.strip() == ""


def test_every_page_has_a_place_for_it(site: Site) -> None:
    table, mine = waits(site, "p0", None), site.browser(**PAGE)
    as_player(site, mine, "p0")
    for path in ("/", "/rules", "/settings", "/new/revolution", f"/table/{table.id}"):
        assert 'id="elsewhere"' in mine.get(path).text, path
