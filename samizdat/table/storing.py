"""What is stored of an event: the journal, the seats, what was said, the clock, and messages to who is not there."""

from __future__ import annotations

import time

from samizdat.table.clocks import LIVE, Clock
from samizdat.table.events import (
    Begun,
    Drafted,
    Event,
    Held,
    Played,
    Pleaded,
    Revoked,
    SeatChanged,
    Spoken,
    Stamped,
    TookBack,
    Voted,
)
from samizdat.table.importing import stored_state
from samizdat.table.news import news_of
from samizdat.table.store.clocks import keep_clock
from samizdat.table.store.messages import tell
from samizdat.table.store.store import Store
from samizdat.table.store.talk import keep_line, keep_stamp
from samizdat.table.tables import OVER, PLAYING, LiveTable


def keep(store: Store, table: LiveTable, event: Event, clock: Clock | None) -> None:
    """Write down what came of a command at a table that has not been changed by it yet."""
    match event:
        case Played() | TookBack():
            values = {"status": PLAYING if event.match.turn else OVER, **stored_state(event.match)}
            drop = [event.seat] if isinstance(event, Played) and event.seat in table.drafts else []
            if isinstance(event, TookBack) and event.agreed:
                drop = list(table.drafts)
            if table.plea is not None and table.plea.by == event.seat:
                values["plea"] = None
            public = None in event.noticed
            store.append(table.id, table.journaled, event.entries, drop, public, **values)
            if isinstance(event, TookBack) and event.line is not None:
                keep_line(store, table.id, event.line, table.events + 1)
        case Pleaded():
            store.set_table(table.id, plea=event.plea.written())
            if event.line is not None:
                keep_line(store, table.id, event.line, table.events + 1)
        case Begun():
            rules = {"rules": table.game.rules, "box": table.game.box.hash}  # those it is dealt by
            dealt = {"status": PLAYING, "seed": f"{event.match.seed:032x}"}
            values = {**dealt, "changed": time.time(), **rules, **stored_state(event.match)}
            store.set_table(table.id, **values)
        case Drafted():
            store.keep_draft(table.id, event.seat, event.draft)
        case SeatChanged():
            chair, number = event.chair, len(table.seatings)
            values = {"kind": chair.kind, "level": chair.level, "name": chair.name, "key": chair.key}
            fair = None
            if event.fairness is not None and event.fairness != table.fairness:
                fair = event.fairness.written()
            left = (event.left, event.link)
            store.set_seat(table.id, event.seat, event.player, event.seating, number, fair, left, **values)
        case Held():
            store.hold(table.id, event.seat, event.player)
        case Revoked():
            store.revoke(table.id, event.seat, event.gone, event.key)
        case Spoken():
            keep_line(store, table.id, event.line, table.events + 1)
        case Voted():
            values = {"proposal": event.proposal.written()}
            if event.ended:
                values |= {"status": OVER, "changed": time.time()}
            store.set_table(table.id, **values)
            if event.line is not None:
                keep_line(store, table.id, event.line, table.events + 1)
        case Stamped():
            put = (event.line, event.player, event.stamp, event.on)
            keep_stamp(store, table.id, *put, table.events + 1)
    if clock is not None and clock is not table.clock:
        keep_clock(store, table.id, clock)
    tell(store, table.id, news_of(table, event), clock is not None and clock.terms.kind == LIVE)
