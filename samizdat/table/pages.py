"""Pages: what every template is given besides its own things."""

from __future__ import annotations

import errno
from typing import Any

from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.exceptions import HTTPException

from samizdat.kernel.errors import GameOver, IllegalMove, MoveError, NotYourTurn
from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Line, Phrase
from samizdat.table.cards import outcome
from samizdat.table.closed import ClosedTable
from samizdat.table.declined import NoTable, NotAllowed, Stale
from samizdat.table.house import House
from samizdat.table.language import Speaker, language
from samizdat.table.players import Visitor
from samizdat.table.rendering import named, page
from samizdat.table.scripts import fingerprint, needed
from samizdat.table.store.store import Store
from samizdat.table.tables import LiveTable
from samizdat.table.versions import OtherRules

# The sentences of errors that people meet, to be said in their language.
SENTENCES = {
    Stale: Phrase("The position has changed since; look again and decide anew."),
    NoTable: Phrase("There is no such table; the link may be incomplete."),
    NotAllowed: Phrase("Only the seat's owner, or whoever opened the table, may do that."),
    GameOver: Phrase("The match is over; nobody decides any more."),
}


LONGEST_SENTENCE = 600  # characters: a refusal is never as long as what it refuses
STATUSES = {
    404: Phrase("There is no such page."),
    405: Phrase("That cannot be done here."),
    413: Phrase("That is larger than anything this table takes."),
    422: Phrase("This request cannot be understood; nothing was changed."),
    500: Phrase("Something went wrong at the table; try again."),
}
DISK_FULL = Phrase("The disk of this server is full. Nothing was changed; try again later.")
DATABASE_BUSY = Phrase("The database of this server is busy. Nothing was changed; try again later.")
DATABASE_BROKEN = Phrase("The database of this server does not work just now. Nothing was changed; try again later.")
DATABASE_DAMAGED = Phrase(
    "The database of this server is damaged where this is written. Nothing was changed; tell whoever runs the "
    "server, who has backups."
)
DAMAGE = ("malformed", "not a database", "invalid page", "corrupt")  # words of SQLite and PostgreSQL
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def trouble(error: Exception) -> Phrase | None:
    """What is wrong with the server's disk or database, if that is what an error is about."""
    if isinstance(error, OSError):
        return DISK_FULL if error.errno in NO_ROOM else None
    if isinstance(error, DatabaseError) and any(sign in str(error.orig) for sign in DAMAGE):
        return DATABASE_DAMAGED
    if isinstance(error, OperationalError):
        words = str(error.orig)
        return DISK_FULL if "full" in words else DATABASE_BUSY if "locked" in words else DATABASE_BROKEN
    return DATABASE_BUSY if isinstance(error, NoConnection) else None


class Pages:
    """Renders whole pages for a visitor."""

    def __init__(self, house: House, store: Store) -> None:
        self.house = house
        self.store = store

    def render(self, template: str, visitor: Visitor, **context: Any) -> str:
        return page(
            template, visitor.language, theme=visitor.theme, helps=visitor.helps, revelations=visitor.revelations,
            pace=visitor.pace, sound=visitor.sound, signed_in=bool(visitor.session), own_name=visitor.name,
            static="/static", boards="/boards", fingerprint=fingerprint(), scripts=f"/static/v-{fingerprint()}",
            needed=needed, **({"back": visitor.path} | context),
        )  # fmt: skip

    def error(self, visitor: Visitor, status: int, sentence: str) -> str:
        return self.render("error.html.jinja", visitor, status=status, sentence=sentence, back="/")

    def closed(self, visitor: Visitor, table: ClosedTable, error: OtherRules) -> str:
        """A table that cannot be played on here: why, who sat there, and what was decided."""
        known = definitions().get(table.row.game)
        title = language(visitor.language).title(known) if known else table.row.game
        names, why = named(table.names, visitor.language), self.explain(error, visitor.language)[0]
        ranks = table.row.result["ranks"] if table.row.result else []
        won = [name for name, rank in zip(names, ranks, strict=False) if rank == 1]
        return self.render(
            "closed.html.jinja", visitor, table=table, title=title, names=names, why=why,
            result=outcome(won, visitor.language) if table.row.result else "",
        )  # fmt: skip

    def explain(self, error: Exception, code: str, table: LiveTable | None = None) -> tuple[str, str]:
        """An error as a sentence in the reader's language, and the rule it cites, if any. It may repeat what somebody
        sent: of that, only so much, and only what a page can hold."""
        words, rule = self._explained(error, code, table)
        if len(words) > LONGEST_SENTENCE:
            words = words[: LONGEST_SENTENCE - 1] + "…"
        return words.encode("utf-8", "backslashreplace").decode(), rule

    @staticmethod
    def _explained(error: Exception, code: str, table: LiveTable | None) -> tuple[str, str]:
        game = table.game if table else getattr(error, "game", None)
        say = Speaker(language(code), game, named(table.names, code) if table else ())
        if isinstance(error, IllegalMove) and isinstance(error.why, Line):
            return say(Phrase("Not possible now: {why}", {"why": error.why})), error.rule
        if isinstance(error, MoveError) and table is not None:  # no page of ours sends what is no move
            return say(STATUSES[422]), ""
        if error.args and isinstance(error.args[0], Phrase):
            return say(error.args[0]), ""
        if wrong := trouble(error):
            return say(wrong), ""
        for kind, phrase in SENTENCES.items():
            if isinstance(error, kind):
                return say(phrase), ""
        if isinstance(error, HTTPException):
            return say(STATUSES.get(error.status_code, STATUSES[422])), ""
        if isinstance(error, IllegalMove):
            return say(Phrase("There is nothing you may take back.")), ""
        if isinstance(error, NotYourTurn) and table is not None:
            return say(Phrase("It is not your turn.")), ""
        return str(error), ""
