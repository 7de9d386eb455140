"""Streams: after any losses of connection a browser has seen every step once, in order, and shows the present."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from samizdat.kernel.game import Game
from samizdat.table.commands import TakeBack
from samizdat.table.drawings import drawn
from samizdat.table.seats import Viewer
from samizdat.table.streams import Follower
from samizdat.table.tables import LiveTable
from tests.conftest import label, plain_games
from tests.table.conftest import Site
from tests.table.splicing import joined


class Screen:
    """A browser's side of a stream: it keeps the parts it was sent and its last event's id."""

    def __init__(self, table: LiveTable, viewer: Viewer) -> None:
        self.table, self.viewer = table, viewer
        self.version = table.history(viewer).version
        self.parts = dict(self.present())
        self.seen: list[int] = []
        self.connect()

    def present(self) -> dict[str, str]:
        parts: dict[str, str] = drawn(self.table, self.viewer, None, "en", True)["parts"]
        return parts

    def connect(self) -> None:
        draw = lambda viewer, step: drawn(self.table, viewer, step, "en", True)  # noqa: E731
        self.follower = Follower(self.table, self.viewer, self.version, draw)
        self.sent: dict[str, str] = {}  # over this connection
        self.told: dict[str, str] = {}  # and these to the letter: a splice belongs to one of them
        if self.version == self.table.history(self.viewer).version:
            self.follower.sent = dict(self.present())
            self.sent = dict(self.present())

    def receive(self, upto: int | None = None) -> None:
        """Take in what is due; a connection lost in the middle swallows the rest."""
        for event in self.follower.due()[:upto]:
            fields = dict(line.split(": ", 1) for line in event.decode().strip().split("\n"))
            data: dict[str, Any] = json.loads(fields["data"])
            for name, part in data["parts"].items():
                if not isinstance(part, str):
                    data["parts"][name] = joined(self.told[name], part)
            self.told |= data["parts"]
            assert not self.sent.items() & data["parts"].items(), "what the browser has is not sent again"
            self.sent |= data["parts"]
            self.parts |= data["parts"]
            if self.version < self.table.history(self.viewer).rewritten:
                assert data["steps"] is None, "what was taken back is not revealed, nothing moves or is told twice"
            if "id" in fields:
                assert int(fields["id"]) == data["version"]
                self.seen.append(data["version"])
                self.version = data["version"]


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_nothing_is_missed_or_repeated(site: Site, game: Game) -> None:
    table = site.table(game)
    dice = random.Random(11)
    screens = [Screen(table, viewer) for viewer in table.viewers]
    first = {screen.viewer: screen.version for screen in screens}
    for _ in range(25):
        site.wander(table, dice.randrange(1, 4), seed=dice.randrange(1000))
        for screen in screens:
            if dice.random() < 0.3:
                screen.receive(upto=dice.randrange(2))
                screen.connect()
            elif dice.random() < 0.8:
                screen.receive()
    for screen in screens:
        screen.connect()
        screen.receive()
        last = table.history(screen.viewer).version
        assert screen.seen == list(range(first[screen.viewer] + 1, last + 1))
        assert screen.parts == screen.present()


def test_after_taking_back_a_browser_shows_the_present(site: Site) -> None:
    import samizdat

    table = site.table(samizdat.game("war-of-whispers"))
    screen = Screen(table, None)
    dice = random.Random(2)
    for _ in range(40):
        site.wander(table, 1, seed=dice.randrange(1000))
        assert table.match is not None
        seat = next((seat for seat in range(4) if table.match.can_undo(seat)), None)
        if seat is not None and dice.random() < 0.5:
            site.run(site.house.do(table, TakeBack(seat)))
        if dice.random() < 0.5:
            screen.receive()
    screen.receive()
    assert screen.parts == screen.present()
    assert screen.seen == sorted(set(screen.seen))
