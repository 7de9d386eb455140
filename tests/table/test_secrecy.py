"""Secrecy over the wire: everything a browser or a program can receive, in two worlds that differ only in what the
seat may not know, is the same to the last byte: pages, events, JSON, files, refusals, headers, sizes."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import samizdat
from samizdat.conformance.walks import another_world
from samizdat.kernel.errors import MoveError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.table import cards
from samizdat.table.commands import Play
from samizdat.table.drawings import DRAWINGS, drawn
from samizdat.table.hearing import Ear, Listener
from samizdat.table.manners import Manners
from samizdat.table.page_parts import parts
from samizdat.table.pointing import answer
from samizdat.table.seats import Viewer
from samizdat.table.streams import Follower
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import look
from tests.conftest import DOSE, full_tables, label, plain_games
from tests.table.conftest import Browser, Site

ABOUT = re.compile(r'data-about="([^"]*)"')
ASKED = {"card", "leader", "objective", "order", "ability", "slot", "tokens", "cards", "hand", "person", "scout"}


def put(table: LiveTable, match: Match) -> None:
    """Let the table play on in that world."""
    table.match = match
    DRAWINGS.clear()


def received(site: Site, browser: Browser, table: LiveTable, viewer: Viewer) -> Iterator[tuple[str, object]]:
    """Everything this viewer can be sent."""
    seat = "" if viewer is None else f"?seat={viewer}"
    paths = [f"/table/{table.id}{seat}", f"/table/{table.id}/cover", f"/table/{table.id}/file{seat}", "/"]
    steps = len(table.history(viewer).observations)
    paths += [f"/table/{table.id}/step/{number}{seat}" for number in (0, steps // 2, steps - 1)]
    for path in paths:
        answer = browser.get(path)
        yield path, (answer.status_code, sorted(answer.headers.items()), answer.content)
    key = {} if viewer is None else {"Authorization": f"Bearer {table.chairs[viewer].key}"}
    for path in ("", "/view", "/legal", "/log", "/position", f"/position?since={steps // 2}"):
        answer = browser.get(f"/api/tables/{table.id}{path}", headers=key)
        yield path, (answer.status_code, sorted(answer.headers.items()), answer.content)
    yield "answers", answers(browser, table, viewer)
    follower = Follower(table, viewer, 0, lambda eyes, step: drawn(table, eyes, step, "en", True))
    yield "events", follower.due()
    if viewer is not None:
        version = table.history(viewer).version
        closed = list(range(table.game.capacity))
        random.Random(1).shuffle(closed)
        legal = {move.id for move in table.match.legal(viewer)} if table.match else set()
        for id in [id for id in closed if id not in legal][:5]:
            try:
                move = str(table.game.notation.move(id))
            except MoveError:  # an id for a component that this box does not have
                continue
            body = {"seat": viewer, "version": version, "move": move}
            answer = browser.post(f"/table/{table.id}/move", json=body)
            assert answer.status_code == 409
            yield f"refused {move}", (sorted(answer.headers.items()), answer.content)
        assert table.match is not None
        yield "undo", table.match.can_undo(viewer)


def answers(browser: Browser, table: LiveTable, viewer: Viewer) -> dict[str, object]:
    """What pointing can tell this viewer: about all that is drawn, and about every component of the box by every name
    under which something is asked, whether it is in sight or not."""
    position = look(table, viewer)
    asked = set(ABOUT.findall("".join(parts(position, "en").values())))
    names = sorted({name for table in table.game.box.names.values() for name in table})
    kinds = sorted({about.partition(" ")[0] for about in asked} | ASKED)
    told: dict[str, object] = {}
    for about in sorted(asked | {f"{kind} {name}" for kind in kinds for name in names}):
        told[about] = answer(position, about)
    seat = "" if viewer is None else f"&seat={viewer}"
    for about in sorted(asked)[::9]:
        page = browser.get(f"/table/{table.id}/about?what={about}&step={position.step}{seat}")
        told[f"{about}, over the wire"] = (page.status_code, sorted(page.headers.items()), page.content)
    return told


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_two_worlds_look_the_same_to_the_last_byte(site: Site, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "time", SimpleNamespace(time=lambda: 2e9))  # "so long ago" must not differ
    table = site.table(game, kinds="bbbb")
    compared = different = 0
    browsers: dict[Viewer, Browser] = {viewer: site.browser() for viewer in table.viewers}
    browsers[None].get("/rules/revolution")  # the first answer sets a cookie
    for seat in range(game.players):
        table.chairs[seat].kind = "person"
        browsers[seat].hold(table, seat)
    for round_ in range(2 * DOSE):
        site.wander(table, 9 + 14 * round_, seed=round_)
        assert table.match is not None
        truth = table.match
        if truth.over:
            break
        for viewer in table.viewers:
            put(table, truth)
            mine = list(received(site, browsers[viewer], table, viewer))
            other = another_world(truth, viewer, 100 + round_)
            put(table, other)
            theirs = list(received(site, browsers[viewer], table, viewer))
            compared += 1
            different += other.raw != truth.raw
            for (what, one), (_, two) in zip(mine, theirs, strict=True):
                assert one == two, f"viewer {viewer} can tell two worlds apart by {what}: {difference(one, two)}"
        put(table, truth)
    assert compared
    assert different or game.players == 1 or game.name == "mali-powstancy"  # little is secret there


class Overheard:
    """Four seats, of which two talk alone, and whoever does not."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.table = site.table(samizdat.game("revolution", players=4), kinds="bbbb")
        self.table.manners = Manners(private=True)
        self.browsers: dict[Viewer, Browser] = {viewer: site.browser() for viewer in self.table.viewers}
        self.browsers[None].get("/rules/revolution")  # the first answer sets a cookie
        for seat in range(4):
            self.table.chairs[seat].kind = "person"
            self.browsers[seat].hold(self.table, seat)
        self.others: tuple[Viewer, ...] = (None, 2, 3)
        self.streams = {viewer: self.stream(viewer) for viewer in self.table.viewers}
        self.woken = {viewer: asyncio.Event() for viewer in self.table.viewers}
        for viewer, woken in self.woken.items():
            self.table.listeners[viewer] = {woken}

    def stream(self, viewer: Viewer) -> Follower:
        def draw(eyes: Viewer, step: int | None) -> dict[str, Any]:
            return drawn(self.table, eyes, step, "en", True)

        ear = Ear(self.table, Listener("somebody", viewer, "en"))
        follower = Follower(self.table, viewer, self.table.history(viewer).version, draw, ear=ear)
        follower.due()
        return follower

    def received(self, viewer: Viewer) -> dict[str, object]:
        """Everything that a viewer can be sent, talk with it; and what refusals say of sheets that are not theirs."""
        browser, path = self.browsers[viewer], f"/table/{self.table.id}"
        seat = {} if viewer is None else {"seat": str(viewer)}
        found = dict(received(self.site, browser, self.table, viewer))
        found["changes"] = self.table.changes[viewer]
        found["stream"] = self.stream(viewer).due(), Ear(self.table, Listener("p", viewer, "en")).cursor
        for what in ("/talk", "/talk/0-1/0", "/talk/0-1/1", "/talk/seats/0"):
            answer = browser.get(f"{path}{what}", params=seat)
            found[what] = answer.status_code, sorted(answer.headers.items()), answer.content
        for what in ("/talk", "/stamp", "/line"):
            data = {"sheet": "0-1", "n": "0", "stamp": "medal", "act": "report", "words": "what?", **seat}
            answer = browser.post(f"{path}{what}", data=data)
            found[f"{what} refused"] = answer.status_code, sorted(answer.headers.items()), answer.content
            assert answer.status_code == 403
        return found

    def say(self, seat: int, words: str) -> None:
        data = {"sheet": "0-1", "seat": str(seat), "words": words}
        assert self.browsers[seat].post(f"/table/{self.table.id}/talk", data=data).status_code == 200


@pytest.mark.rules("revolution", "R9.3")
def test_what_two_say_alone_changes_no_byte_for_the_others(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing said, something said, something longer, a stamp on it: pages, streams, numbers, refusals and the
    moments of events are the same to everybody else."""
    monkeypatch.setattr(cards, "time", SimpleNamespace(time=lambda: 2e9))
    table = Overheard(site)
    silent = {viewer: table.received(viewer) for viewer in table.others}

    def stamped() -> None:
        data = {"sheet": "0-1", "seat": "1", "n": "0", "stamp": "medal"}
        assert table.browsers[1].post(f"/table/{table.table.id}/stamp", data=data).status_code == 200

    worlds: list[Callable[[], None]] = [
        lambda: table.say(0, "psst"),
        lambda: table.say(1, "a longer answer " * 12),
        stamped,
    ]
    for world in worlds:
        for woken in table.woken.values():
            woken.clear()
        world()
        assert {viewer for viewer, woken in table.woken.items() if woken.is_set()} == {0, 1}, "the moment of an event"
        assert table.streams[0].due(), "they hear it themselves"
        assert table.streams[1].due()
        for viewer in table.others:
            assert table.streams[viewer].due() == []
            now = table.received(viewer)
            for what, one in silent[viewer].items():
                assert now[what] == one, f"viewer {viewer} can tell by {what}: {difference(now[what], one)}"


def difference(one: object, two: object) -> str:
    """Where two answers part ways."""
    a, b = str(one), str(two)
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"…{a[max(0, at - 150) : at + 100]}… against …{b[at : at + 100]}…"


def hiding(game: Game) -> list[str]:
    """Kinds of decision that others make in secret."""
    return {"revolution": ["bid"], "dual-powers": ["objective"]}.get(game.name, []) if game.players > 1 else []


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_what_others_commit_in_secret_changes_no_byte(site: Site, game: Game) -> None:
    """Another seat decides this or that; whoever cannot see the difference receives the same bytes."""
    table = site.table(game, kinds="bbbb")
    browser = site.browser()
    browser.get("/rules/revolution")  # the first answer sets a cookie
    dice = random.Random(4)
    hidden = 0
    for _ in range(20 * DOSE):
        assert table.match is not None
        if table.match.over:
            break
        truth = table.match
        seat = dice.choice(truth.turn)
        moves = truth.legal(seat)
        if len(moves) > 1:
            one, two = truth.copy(), truth.copy()
            one.play(seat, moves[0])
            two.play(seat, moves[-1])
            if one.observations(None) == two.observations(None) and one.raw != two.raw:
                hidden += 1
                put(table, one)
                first = list(received(site, browser, table, None))
                put(table, two)
                assert list(received(site, browser, table, None)) == first
                put(table, truth)
        site.run(site.house.do(table, Play(seat, [dice.choice(moves)])))
    assert hidden or len(hiding(game)) == 0
