"""Invitations: a link as a QR code, and what may be read beside a link to a table before it is opened.

Messengers, and whoever looks over a shoulder, read that: it is made from who sits where and, when the match is over,
from who won. Nothing of a running match is in it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import segno
from markupsafe import Markup

from samizdat.kernel.telling import Listing, Phrase
from samizdat.table.board_files import board_of
from samizdat.table.drawings import looked_at
from samizdat.table.language import language
from samizdat.table.opening import variant_words
from samizdat.table.page_parts import result
from samizdat.table.rendering import AND, called, sentence
from samizdat.table.tables import OPEN, OVER, LiveTable

ENDED, ENDED_LATE = Phrase("Ended by agreement"), Phrase("Ended, as time was over")
QUIET = 4  # squares of white around a code, so that cameras find it


@dataclass(frozen=True)
class LinkPreview:
    """What is read beside a link to a table."""

    game: str
    title: str  # in one line, with the game's
    headline: str
    plain: str  # the same without a name: for letters that cannot be drawn
    lines: tuple[str, ...]
    seats: tuple[str, ...]  # the colour of each that is taken, "" where nobody sits

    @property
    def about(self) -> str:
        return " · ".join(self.lines)

    @property
    def version(self) -> str:
        """Changes with what is in it: messengers keep pictures by their address."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]


def link_preview(table: LiveTable, host: str, code: str) -> LinkPreview:
    """What may be read of a table in some language. `host` is whoever keeps it."""
    game, board = table.game, board_of(table.game.name)
    names = [called(chair.name, code) for chair in table.chairs]
    title = language(code).title(game.definition)
    what = (
        title
        if len(game.definition.variants) == 1
        else f"{title}, {sentence(variant_words(board, game.variant), code)}"
    )
    inks = tuple("" if chair.kind == "open" else board.INKS[seat] for seat, chair in enumerate(table.chairs))
    if table.status == OPEN:
        sitting = Phrase("{count} of {all} sit", {"count": sum(map(bool, inks)), "all": len(inks)})
        plain = sentence(Phrase("A seat is kept for you"), code)
        kept = sentence(Phrase("{name} keeps you a seat", {"name": called(host, code)}), code) if host else plain
        return LinkPreview(game.name, f"{kept}: {title}", kept, plain, (what, sentence(sitting, code)), inks)
    if not table.watched_by(None):  # whoever may not look on is not told who plays
        return LinkPreview(game.name, title, title, title, (what,), ("",) * len(inks))
    people = sentence(Listing([name for name in names if name], AND), code)
    if table.status == OVER and not table.ended:
        won = result(looked_at(table, None), code)
        return LinkPreview(game.name, f"{title}: {won}", won, title, (what, people), inks)
    ended = ENDED_LATE if table.ended_late else ENDED
    running = sentence(ended if table.ended else Phrase("A match is being played"), code)
    return LinkPreview(game.name, f"{title}: {running}", title, title, (people, running), inks)


def qr_code(link: str, label: str) -> Markup:
    """A link as a square that a camera reads, black on white in any theme."""
    svg = segno.make_qr(link, error="m").svg_inline(
        border=QUIET, omitsize=True, dark="#1C1B20", light="#fff", svgclass="qr-code", lineclass=None
    )
    return Markup('<svg role="img" aria-label="{}" ').format(label) + Markup(svg.removeprefix("<svg "))
