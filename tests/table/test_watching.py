"""Who may watch a table: everybody with the link, whoever has or had a seat, or nobody besides the seats."""

from __future__ import annotations

import html
import re

import pytest

from samizdat.table.delays import ROUND
from samizdat.table.ending import Vote
from samizdat.table.manners import LINK, NOBODY, SEATED
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site
from tests.table.test_attackers import routes
from tests.table.test_clocks import Hour

PAGE = {"accept": "text/html", "accept-language": "en"}


class Room:
    """A host with a bot and two guests, one of whom has left since."""

    def __init__(self, site: Site, watch: str, game: str = "revolution", **more: str) -> None:
        self.host, self.nadia, self.piotr, self.stranger = (site.browser(**PAGE) for _ in range(4))
        seats = {"seat-0": "me", "seat-1": "open", "seat-2": "open", "seat-3": "bot-novice"}
        form = {"variant": "standard", "players-standard": "4", "name": "Ludmila", "watch": watch, **seats, **more}
        made = self.host.post(f"/new/{game}", data=form)
        self.table: LiveTable = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
        self.before = html.unescape(self.nadia.get(f"/sit/{self.table.chairs[1].key}").text)
        for browser, seat in ((self.nadia, 1), (self.piotr, 2)):
            browser.post(f"/sit/{self.table.chairs[seat].key}", data={"name": "somebody"})
        self.piotr.post(f"/table/{self.table.id}/leave", data={"seat": "2", "way": "resign"})

    def sees(self, browser: Browser) -> set[int]:
        """How everything is answered that shows somebody a match without a seat."""
        id = self.table.id
        paths = ("", "/step/0", "/file", "/talk", "/about?what=seat 0&step=0")
        found = {browser.get(f"/table/{id}{path}").status_code for path in paths}
        return found | {browser.get(f"/api/tables/{id}/{path}").status_code for path in ("view", "log")}


@pytest.mark.parametrize(
    ("watch", "seen"),
    [(LINK, {"stranger", "piotr", "nadia"}), (SEATED, {"piotr", "nadia"}), (NOBODY, {"nadia"})],
)
def test_only_those_watch_who_may(site: Site, watch: str, seen: set[str]) -> None:
    room = Room(site, watch)
    for who in ("stranger", "piotr", "nadia"):
        page = getattr(room, who).get(f"/table/{room.table.id}").status_code
        assert page == (200 if who in seen else 403), who
    if watch != LINK:
        assert room.sees(room.stranger) == {403}
        assert "while" in room.before, "whoever sits down is told before"
    assert room.host.get(f"/table/{room.table.id}").status_code == 200


def told(site: Site, browser: Browser, table: LiveTable) -> dict[str, tuple[int, str]]:
    """What every address that has to do with a table answers, of routes to come, too."""
    found = {}
    for method, path in routes(site.app):
        if method == "GET" and "{id}" in path and not path.endswith("/events"):  # they have no end
            asked = re.sub(r"\{\w+(:\w+)?\}", "0", path.replace("{id}", table.id))
            answer = browser.get(asked)
            found[path] = answer.status_code, answer.text
    return found


@pytest.mark.parametrize("watch", [SEATED, NOBODY])
def test_nothing_that_is_answered_to_others_changes_with_the_match(site: Site, watch: str) -> None:
    """A law: whatever a stranger asks, before and after some decisions, is answered by the same, to the letter."""
    room = Room(site, watch, clock="live")
    room.stranger.get("/rules/revolution")  # the first answer sets a cookie
    site.wander(room.table, 3)
    before = told(site, room.stranger, room.table)
    version = room.table.history(0).version
    while room.table.round == 1:
        site.wander(room.table, 1, seed=room.table.match.plies if room.table.match else 0)
    assert room.table.history(0).version > version
    after = told(site, room.stranger, room.table)
    assert {path for path in before if before[path] != after[path]} == set()
    assert len(before) > 20


def test_nor_with_what_is_not_shown_yet(site: Site) -> None:
    """The same of a table that everybody watches with a delay, while the round goes on."""
    Hour(site)
    room = Room(site, LINK, "war-of-whispers", clock="live", delay=ROUND)
    room.stranger.get("/rules/revolution")
    while room.table.round < 2:
        site.wander(room.table, 1, seed=room.table.match.plies if room.table.match else 0)
    assert room.table.match is not None
    before, known = told(site, room.stranger, room.table), len(room.table.match.history(None).observations)
    site.wander(room.table, 5)
    assert len(room.table.match.history(None).observations) == known + 5, "five that everybody at the table sees"
    after = told(site, room.stranger, room.table)
    assert {path for path in before if before[path] != after[path]} == set()


def test_when_it_is_over_everybody_with_the_link_sees_it(site: Site) -> None:
    room = Room(site, NOBODY)
    for seat in (0, 1):
        [player] = room.table.chairs[seat].holders
        site.run(site.house.do(room.table, Vote(player, True)))
    assert room.table.over
    assert room.sees(room.stranger) == {200}


def test_streams_are_not_opened_to_who_may_not_watch(site: Site) -> None:
    room = Room(site, NOBODY)
    for query in ("", "?looking=true"):
        assert room.stranger.get(f"/table/{room.table.id}/events{query}").status_code == 403
    assert room.stranger.get(f"/api/tables/{room.table.id}/events").status_code == 403


def test_a_form_that_nobody_was_shown_opens_no_table(site: Site) -> None:
    form = {"variant": "standard", "players-standard": "3", "seat-0": "me", "watch": "everybody"}
    assert site.browser(**PAGE).post("/new/revolution", data=form).status_code == 422
