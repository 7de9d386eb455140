"""Closed tables: those of rules, boxes or games that this program does not have. They cannot be played on; what was
decided there can be read, and taken along for a program that has them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.fairness import read_fairness
from samizdat.kernel.matchfile import FORMAT, FORMAT_VERSION, SEAT_FORMAT, commitment, sealed
from samizdat.table.declined import NoTable
from samizdat.table.journal import Decision, GoingBack, JournalEntry
from samizdat.table.store.store import Store


@dataclass(frozen=True)
class ClosedTable:
    """What is stored of a table, as far as one reader may know it: all of it once the match is over, before that what
    the reader's own seat decided."""

    row: Any
    names: tuple[str, ...]
    seat: int | None  # the reader's
    decisions: tuple[tuple[int, Decision], ...]  # with their numbers, from 1
    printed: str | None  # the box, where it is not the one that everybody has

    @property
    def over(self) -> bool:
        return bool(self.row.status == "over")


def closed_table(store: Store, id: str, player: str) -> ClosedTable:
    """A table as one reader may know it. Whoever holds several seats on one screen sees none of their decisions."""
    row = store.table(id)
    if row is None:
        raise NoTable("There is no such table; the link may be incomplete.")
    held = [seat for seat, holders in store.holders(id).items() if player in holders]
    seat = held[0] if len(held) == 1 else None
    decided = enumerate(_standing(store.journal(id)), 1)
    seen = tuple((n, one) for n, one in decided if row.status == "over" or one.seat == seat)
    printed = store.printed(row.printed) if row.printed else None
    return ClosedTable(row, tuple(chair.name for chair in store.seats(id)), seat, seen, printed)


def _standing(entries: Sequence[JournalEntry]) -> list[Decision]:
    """The decisions that were not taken back."""
    standing: list[Decision] = []
    for entry in entries:
        if isinstance(entry, Decision):
            standing.append(entry)
        else:
            last = max((n for n, one in enumerate(standing) if one.seat == entry.seat), default=len(standing))
            del standing[last : None if isinstance(entry, GoingBack) else last + 1]
    return standing


def file_of(table: ClosedTable) -> str:
    """The file that the program with those rules would have written; of a match that still runs only what is known
    without its rules: the seat's own decisions."""
    row = table.row
    about = {"version": FORMAT_VERSION, "game": row.game, "rules": row.rules, "box": row.box}
    if table.printed is not None:
        about["printed"] = table.printed
    if not table.over:
        moves = [one.move for _, one in table.decisions]
        seat = {"format": SEAT_FORMAT, **about, "seat": table.seat, "view": None, "log": [], "moves": moves}
        return json.dumps(seat, indent=1, ensure_ascii=False) + "\n"
    fairness = read_fairness(row.fair, row.players) if row.fair else None
    return sealed(
        {
            "format": FORMAT,
            **about,
            "variant": row.variant,
            "players": row.players,
            "options": row.options,
            "seats": list(table.names),
            **({"start": row.start} if row.start else {}),
            **({"fair": row.fair} if row.fair else {}),
            "seed": row.seed,
            "nonce": row.nonce,
            "commitment": commitment(int(row.seed, 16), int(row.nonce, 16), fairness),
            "moves": [f"{one.seat} {one.move}" for _, one in table.decisions],
            "luck": {str(n): list(one.luck) for n, one in table.decisions if one.luck},
            "result": row.result,
        }
    )
