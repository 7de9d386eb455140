"""Cards: tables as the lobby shows them, from what is stored of them and what everybody may know."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from samizdat.kernel import interpreted as engine
from samizdat.kernel.boards import Words
from samizdat.kernel.game import Game, definition, definitions
from samizdat.kernel.match import SPECTATOR, view_of
from samizdat.kernel.telling import Listing, Phrase
from samizdat.table.boards import board_of
from samizdat.table.house_rules import agreed
from samizdat.table.language import language
from samizdat.table.rendering import AND, called, sentence
from samizdat.table.store.store import Store
from samizdat.table.versions import OTHER_RULES, OtherRules, game_of

MOST_IN_WORDS = 60  # tables whose phase is worked out; older ones in the list go without


@dataclass(frozen=True)
class SeatSign:
    """One seat on a card."""

    name: str
    kind: str
    ink: str
    acts: bool
    mine: bool


@dataclass(frozen=True)
class Card:
    """A table as the lobby shows it."""

    id: str
    title: str
    glyph: str
    status: str
    yours: bool  # it waits for this browser
    where: str
    seats: tuple[SeatSign, ...]
    house_rules: tuple[str, ...]
    ago: str
    moment: str
    changed: float

    @property
    def open(self) -> int:
        return sum(seat.kind == "open" for seat in self.seats)

    @property
    def sits(self) -> bool:
        return any(seat.mine for seat in self.seats)

    @property
    def others(self) -> list[str]:
        """Who else sits there."""
        return [seat.name for seat in self.seats if not seat.mine and seat.kind != "open"]

    @property
    def awaited(self) -> Phrase | None:
        """Whom else it waits for."""
        names = [seat.name for seat in self.seats if seat.acts and not seat.mine and seat.kind != "open"]
        return Phrase("Waiting for {names}.", {"names": Listing(names, AND)}) if names else None


def cards(store: Store, rows: Iterable[Any], player: str, code: str) -> list[Card]:
    """The tables of some rows, as one player reads them."""
    rows = [row for row in rows if row.game in definitions()]
    ids = [row.id for row in rows]
    chairs, held = store.seats_of(ids), store.held_by(player, ids)
    found = []
    for number, row in enumerate(rows):
        mine = held.get(row.id, set())
        names = [called(chair.name, code) for chair in chairs[row.id]]
        game = _game(row)
        acting, where = ((), "") if number >= MOST_IN_WORDS else _position(row, game, tuple(names), code)
        module = board_of(row.game)
        waits = game is not None and row.status == "playing"
        yours = waits and any((row.acting >> seat) & 1 for seat in mine)
        signs = tuple(
            SeatSign(names[seat], chair.kind, module.INKS[seat], seat in acting, seat in mine)
            for seat, chair in enumerate(chairs[row.id])
        )
        speech = language(code)
        title = speech.title(definitions()[row.game]).partition(":")[0]
        found.append(
            Card(
                row.id, title, module.GLYPH, row.status, yours, where, signs,
                tuple(words for words, _ in agreed(game, code)) if game else (),
                speech.ago(max(1, int(time.time() - row.changed))),
                speech.moment(datetime.fromtimestamp(row.changed, UTC)), row.changed,
            )
        )  # fmt: skip
    return found


def _game(row: Any) -> Game | None:
    """The game of a table; None if this program has other rules."""
    try:
        return game_of(row)
    except OtherRules:
        return None


def _position(row: Any, game: Game | None, names: tuple[str, ...], code: str) -> tuple[tuple[int, ...], str]:
    """Who is to act and where the match stands, as a spectator knows it."""
    if row.status == "open":
        return (), ""
    if row.result:
        return (), _outcome([name for name, rank in zip(names, row.result["ranks"], strict=True) if rank == 1], code)
    if game is None:
        return (), sentence(OTHER_RULES, code)
    options = json.dumps(row.options, sort_keys=True)
    acting, phrase = _seen(row.game, row.players, row.variant, options, row.rules, row.state)
    return acting, sentence(phrase, code, game, names)


@functools.lru_cache(maxsize=2000)
def _seen(
    name: str, players: int, variant: str, options: str, rules: int, state: bytes
) -> tuple[tuple[int, ...], Words]:
    game = definition(name).recall(players, variant, None, json.loads(options), rules)
    hidden = engine.hidden(game.box.record, game.definition.read_state(state, rules), SPECTATOR)
    view = view_of(game, hidden, None)
    return tuple(view["turn"]), board_of(name).where(game, view)


def _outcome(winners: list[str], code: str) -> str:
    if not winners:
        return sentence(Phrase("Everyone lost"), code)
    return sentence(Phrase("Won by {names}", {"names": Listing(winners, AND)}), code)
