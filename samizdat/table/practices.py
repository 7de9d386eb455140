"""A scene that was opened in one process, in another one: laid out anew and gone through act by act."""

from __future__ import annotations

from typing import Any

from samizdat.table.commands import Play, TakeBack
from samizdat.table.events import Drafted, Event, Played, TookBack, Turned
from samizdat.table.lessons import lesson
from samizdat.table.practice import SCENE, PracticeTable
from samizdat.table.seats import Seat
from samizdat.table.store.scenes import OpenScenes
from samizdat.table.tables import LiveTable

Act = list[Any]


def written(event: Event) -> Act:
    """What happened at a scene, as it is stored."""
    match event:
        case Played():
            return ["play", event.seat, *(one.move for one in event.entries)]
        case TookBack():
            return ["back", event.seat]
        case Drafted():
            return ["draft", event.seat, *event.draft]
        case Turned():
            return ["turn", event.act]
    raise TypeError(f"{type(event).__name__} does not happen at a scene")


def happened(table: PracticeTable, act: Act) -> Event:
    """The same again, at a table that has come as far."""
    match act:
        case ["play", seat, *moves]:
            return Play(seat, moves).decide(table)
        case ["back", seat]:
            return TakeBack(seat).decide(table)
        case ["draft", seat, *draft]:
            return Drafted(seat, tuple(draft))
        case ["turn", turned]:
            return Turned(turned)
    raise ValueError("an act that no scene knows")


class SharedScenes:
    """The scenes that somebody has open in any process."""

    def __init__(self, kept: OpenScenes) -> None:
        self.kept = kept

    def add(self, table: LiveTable) -> None:
        assert isinstance(table, PracticeTable)
        game, scene, keys = table.game.name, table.exercise.name, [chair.key for chair in table.chairs]
        self.kept.add(table.id, table.opened_by, game, scene, table.names, keys)

    def keep(self, table: LiveTable, event: Event) -> None:
        assert isinstance(table, PracticeTable)
        acts = [*table.acts, written(event)]
        self.kept.keep(table.id, acts)
        table.acts = acts

    def events(self, id: str) -> int | None:
        return self.kept.events(id) if id.startswith(SCENE) else None

    def read(self, id: str) -> LiveTable | None:
        """A scene as it stands, whoever made the last act."""
        row = self.kept.read(id) if id.startswith(SCENE) else None
        exercise = lesson(row.game, row.scene) if row is not None else None
        if row is None or exercise is None:
            return None
        table = PracticeTable(exercise, row.names, row.player)
        table.id = id
        for seat, key in enumerate(row.keys):
            chair: Seat = table.chairs[seat]
            chair.key = key
        for act in row.acts:
            table.apply(happened(table, act))
        table.acts, table.events = row.acts, row.events
        return table
