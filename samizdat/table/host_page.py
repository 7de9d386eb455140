"""What the host's page shows: how the house fares, in one sentence first; its tables, what it told last, what is
kept of it, and who is kept out.

Of a match it says what somebody says who watches it, under the table's own rule about who may: nothing where nobody
may, and nothing before it is shown to those who are behind. Never a hand, never a link to a seat.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from babel.units import format_unit
from markupsafe import Markup

from samizdat.kernel.telling import Many, Phrase
from samizdat.table.backing import Backing
from samizdat.table.backups import last_backups
from samizdat.table.cards import Card, cards
from samizdat.table.clocks import DAY, LIVE
from samizdat.table.course import Faring, faring
from samizdat.table.house import House
from samizdat.table.house_log import OVERTYPED
from samizdat.table.language import Language, language
from samizdat.table.manners import LINK, Manners
from samizdat.table.plots import course_plot
from samizdat.table.rendering import called, sentence
from samizdat.table.reports import Complaint, list_reports
from samizdat.table.retention import kept_for
from samizdat.table.store.barring import frozen_tables, named_bans, running_tables
from samizdat.table.store.clocks import stored_clocks
from samizdat.table.store.faring import SLOT, SLOTS, last_lines, slot_of
from samizdat.table.store.hosts import browsers

A_PAGE = 12  # tables
LINES = 14  # of the log
SHOWN = 4  # backups
OLD = 8 * DAY  # a backup that is older is a worry

WELL = Phrase("The house is well")
FAILED_BACKUP = Phrase("The last backup failed")
NO_BACKUP = Phrase("There is no backup yet")
NO_THINKERS = Phrase("Nobody thinks for the bots")


@dataclass(frozen=True)
class Tile:
    """One number and its course over a day."""

    title: str
    number: str
    small: str
    plot: Markup


@dataclass(frozen=True)
class TableLine:
    """A table as its host may see it."""

    card: Card
    pace: str
    where: str  # as a spectator knows it; nothing where there may be none
    watched: bool  # whether whoever has the link may watch
    froze: str  # since when nobody decides there
    why: str


@dataclass(frozen=True)
class ToldLine:
    """What was told once, or several times in a row."""

    moment: str
    level: str
    parts: Sequence[str]  # something is overtyped between two of them
    times: int


@dataclass(frozen=True)
class KeptOut:
    """Somebody who is not let in."""

    whom: str
    name: str
    kind: str  # "account", "guest" or "network"
    until: str
    why: str


def read(house: House, backing: Backing, code: str, page: int) -> dict[str, Any]:
    """Everything, in one language; in a thread."""
    now, speech = time.time(), language(code)
    fares, reports, made = faring(house, now), list_reports(house.store), last_backups(house.store, SHOWN)
    return {
        "fares": fares, "tiles": _tiles(fares, speech), "numbers": _numbers(fares, now),
        "headline": _say(headline(house, fares, reports, made, now), code), "up": _up(fares, now, speech),
        "version": version("samizdat"), "memory": _size(fares.memory, speech),
        "lines": _tables(house, code, page), "page": page, "pages": -(-fares.tables // A_PAGE),
        "frozen": len(frozen_tables(house.store)), "log": _log(house, speech),
        "backups": [(one, _size(one.bytes, speech), *_when(one.made, now, speech)) for one in made],
        "reports": [_report(one, now, code) for one in reports], "kept_out": _kept_out(house, now, code),
        "kept_for": kept_for(house.store), "busy": backing.busy(), "can_back_up": backing.folder is not None,
        "browsers": [(one.agent, _when(one.used, now, speech)[0]) for one in browsers(house.store)],
    }  # fmt: skip


def headline(house: House, fares: Faring, reports: Sequence[Complaint], made: Sequence[Any], now: float) -> Any:
    """The one sentence: what a host has to look after first, or that there is nothing."""
    last = made[0] if made else None
    if last is not None and last.error is not None:
        return FAILED_BACKUP
    if last is not None and last.unproved:
        return Many(
            "{n} table of the last backup could not be proved", "{n} tables of the last backup could not be proved",
            last.unproved,
        )  # fmt: skip
    if fares.failed:
        return Many("{n} answer failed lately", "{n} answers failed lately", fares.failed)
    if fares.processes and not fares.places:
        return NO_THINKERS
    if reports:
        return Many("{n} report waits for you", "{n} reports wait for you", len(reports))
    if last is None:
        return NO_BACKUP if _is_old(house, now) else WELL
    if last.made < now - OLD:
        days = int((now - last.made) // DAY)
        return Many("The last backup is {n} day old", "The last backup is {n} days old", days)
    return WELL


def _is_old(house: House, now: float) -> bool:
    """Whether something is here that somebody would miss: a table of yesterday or before."""
    return any(row.made < now - DAY for row in running_tables(house.store, 0, A_PAGE))


def _say(thing: Any, code: str) -> str:
    return sentence(thing, code)


def _when(moment: float, now: float, speech: Language) -> tuple[str, str]:
    """How long ago, and to the minute."""
    return speech.ago(max(1, int(now - moment))), speech.moment(datetime.fromtimestamp(moment, UTC))


def _size(count: int, speech: Language) -> str:
    return format_unit(max(1, round(count / 1e6)), "digital-megabyte", "short", locale=speech.locale)


def _up(fares: Faring, now: float, speech: Language) -> str:
    """For how long the house is open."""
    return speech.time_left(max(60.0, now - fares.began), live=False)


# --- the numbers -----------------------------------------------------------------------------------------


def _tiles(fares: Faring, speech: Language) -> list[Tile]:
    code, course = speech.code, fares.course
    waited: Any = Many("{n} bot waited for a place", "{n} bots waited for a place", fares.waited)
    if not fares.waited:
        waited = Phrase("nobody waits")
    places = Many("of {n} place", "of {n} places", fares.places)
    return [
        Tile(_say(Phrase("tables open"), code), str(fares.tables),
             _say(Phrase("{n} live", {"n": fares.live}), code), course_plot(course["tables"])),
        Tile(_say(Phrase("boards looked at"), code), str(fares.boards),
             _say(Phrase("{n} by spectators", {"n": fares.watching}), code), course_plot(course["boards"])),
        Tile(_say(Phrase("answer of a decision"), code), "–" if fares.below is None else f"{fares.below} ms",
             _say(Phrase("too few to say") if fares.below is None else Phrase("95 of 100 below"), code),
             course_plot(course["answers"])),
        Tile(_say(Phrase("bots thinking"), code), f"{fares.busy:.0%}",
             f"{_say(places, code)} · {_say(waited, code)}",
             course_plot(course["thinking"])),
    ]  # fmt: skip


def _numbers(fares: Faring, now: float) -> list[tuple[str, int, str, str, str]]:
    """The chart in numbers: half hours at which something was there, the latest first."""
    first, course = slot_of(now) - SLOTS + 1, fares.course
    found = []
    for n in reversed(range(SLOTS)):
        tables, boards, took, thinking = (course[name][n] for name in ("tables", "boards", "answers", "thinking"))
        if tables or boards or took or thinking:
            moment = datetime.fromtimestamp((first + n) * SLOT, UTC).strftime("%H:%M")
            took_words = f"{took:.0f} ms" if took else "–"
            found.append((moment, int(tables), f"{boards:.1f}", took_words, f"{thinking:.1f}"))
    return found


# --- tables ----------------------------------------------------------------------------------------------


def _tables(house: House, code: str, page: int) -> list[TableLine]:
    rows = running_tables(house.store, page * A_PAGE, A_PAGE)
    shown = cards(house.store, rows, "", code, house.time.now())  # as nobody in particular
    clocks = stored_clocks(house.store, {row.id: row.players for row in rows})
    found, now, speech = [], time.time(), language(code)
    for row, card in zip(rows, shown, strict=True):
        clock = clocks.get(row.id)
        if clock is None:
            pace = _say(Phrase("no clock"), code)
        elif clock.terms.kind == LIVE:
            pace = _say(Phrase("live"), code)
        else:
            pace = _say(Many("{n} day", "{n} days", int(clock.terms.seconds // DAY)), code)
        watched = row.status != "playing" or Manners.read(row.manners).watch == LINK
        froze = _when(row.froze, now, speech)[0] if row.froze is not None else ""
        if row.status == "playing":
            where = card.where if watched else ""
        else:
            where = _say(Many("{n} free seat", "{n} free seats", card.open), code)
        found.append(TableLine(card, pace, where, watched, froze, row.why or ""))
    return found


# --- what was told, reported, and who is kept out --------------------------------------------------------


def _log(house: House, speech: Language) -> list[ToldLine]:
    """The latest first; what was told several times in a row stands there once."""
    found: list[ToldLine] = []
    for row in last_lines(house.store, 20 * LINES):
        parts = tuple(row.words.split(OVERTYPED))
        if found and (found[-1].level, found[-1].parts) == (row.level, parts):
            found[-1] = ToldLine(found[-1].moment, row.level, parts, found[-1].times + 1)
        elif len(found) == LINES:
            break
        else:
            found.append(ToldLine(_clock(row.at, speech), row.level, parts, 1))
    return found


def _clock(at: float, speech: Language) -> str:
    """The time of a day; of an earlier day, the day with it."""
    moment = datetime.fromtimestamp(at, UTC)
    if moment.date() == datetime.now(UTC).date():
        return moment.strftime("%H:%M:%S")
    return speech.moment(moment)


def _report(one: Complaint, now: float, code: str) -> dict[str, Any]:
    return {
        "id": one.id, "by": called(one.reporter, code), "about": called(one.about, code), "why": one.why,
        "words": [(called(line["name"], code), line["text"]) for line in one.words],
        "ago": _when(one.at, now, language(code))[0],
    }  # fmt: skip


def _kept_out(house: House, now: float, code: str) -> list[KeptOut]:
    speech = language(code)
    found = []
    for row, name, account in named_bans(house.store, now):
        kind = "network" if not name else "account" if account else "guest"
        until = "" if row.until is None else speech.moment(datetime.fromtimestamp(row.until, UTC))
        found.append(KeptOut(row.whom, called(name, code) if name else row.whom, kind, until, row.why))
    return found
