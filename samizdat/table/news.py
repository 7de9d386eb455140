"""Who is to be told of what happens at a table, wherever they are: that it is their turn, and little else.

Nothing here is more than the one who is told may know, and nothing of a hand."""

from __future__ import annotations

from collections.abc import Iterable

from samizdat.table import journal
from samizdat.table.events import (
    Begun,
    Event,
    Lapsed,
    Played,
    Pleaded,
    RanOut,
    Reminded,
    SeatChanged,
    TookBack,
    Voted,
    WentOn,
)
from samizdat.table.store.messages import BEGUN, ENDED, LATE, OUT, OVERDUE, PLEA, REMINDER, TAKEN, TURN, News
from samizdat.table.tables import LiveTable


def news_of(table: LiveTable, event: Event) -> list[News]:
    """What an event is to people at a table that has not been changed by it yet."""
    match event:
        case Begun():
            return [News(BEGUN, _people(table, range(len(table.chairs))))]
        case Played() | TookBack():
            before = table.match.turn if table.match is not None else ()
            decided = _people(table, [event.seat])  # who decided looks on
            if isinstance(event, TookBack) and event.agreed:
                decided = frozenset({event.agreed})
            if not event.match.turn:
                return [News(ENDED, _people(table, range(len(table.chairs))) - decided)]
            called = [seat for seat in event.match.turn if seat not in before]
            return [News(TURN, _people(table, called) - decided)]
        case SeatChanged() if event.seating is not None and event.seating.how == journal.LATE:
            return [News(TAKEN, event.seating.held)]
        case Pleaded() if not event.plea.no:
            return [News(PLEA, _people(table, table.asked_of(event.plea) - event.plea.yes))]
        case RanOut():
            late = _people(table, [event.seat])
            return [News(OUT, late), News(OVERDUE, _people(table, range(len(table.chairs))) - late)]
        case WentOn():
            return [News(TURN, _people(table, [event.seat]) - {event.player})]
        case Voted() if event.ended:
            return [News(ENDED, _people(table, range(len(table.chairs))) - {event.player})]
        case Reminded():
            return [News(REMINDER, _people(table, [event.seat]))]
        case Lapsed():
            return [News(LATE, _people(table, [event.seat]))]
        case _:
            return []


def _people(table: LiveTable, seats: Iterable[int]) -> frozenset[str]:
    """Whoever holds some seats."""
    return frozenset(player for seat in seats for player in table.chairs[seat].holders)
