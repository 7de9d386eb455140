"""Cards: tables as the lobby shows them, from what is stored of them and what everybody may know."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from typing import Any

from samizdat.kernel import interpreted as engine
from samizdat.kernel.boards import Words
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.match import view_of
from samizdat.kernel.plain_board import PlainBoard
from samizdat.kernel.telling import Listing, Phrase
from samizdat.table.board_files import board_of
from samizdat.table.clocks import LIVE, Clock
from samizdat.table.house_rules import agreed
from samizdat.table.language import Language, language
from samizdat.table.manners import Manners
from samizdat.table.rendering import AND, called, sentence
from samizdat.table.store.clocks import stored_clocks
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
    left: float = inf  # seconds that the reader has to decide
    left_words: str = ""

    @property
    def urgency(self) -> tuple[float, float]:
        """In which order tables call: by the time left, then by how lately they changed."""
        return self.left, -self.changed

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


def cards(store: Store, rows: Iterable[Any], player: str, code: str, now: float) -> list[Card]:
    """The tables of some rows, as one player reads them at a moment of the house."""
    rows = list(rows)
    ids = [row.id for row in rows]
    clocks = stored_clocks(store, {row.id: row.players for row in rows if row.status == "playing"})
    chairs, held = store.seats_of(ids), store.held_by(player, ids)
    found = []
    for number, row in enumerate(rows):
        mine = held.get(row.id, set())
        names = [called(chair.name, code) for chair in chairs[row.id]]
        game = _game(row, store)
        behind = not mine and row.status == "playing" and Manners.read(row.manners).delay  # who opened it may watch
        hidden = number >= MOST_IN_WORDS or behind
        acting, where = ((), "") if hidden else _position(row, game, tuple(names), code)
        changed = row.made if behind else row.changed
        known = definitions().get(row.game)  # a game from outside may have gone
        glyph, inks = (known.board.GLYPH, known.board.INKS) if known else (PlainBoard.GLYPH, PlainBoard.INKS)
        waits = game is not None and row.status == "playing"
        yours = waits and any((row.acting >> seat) & 1 for seat in mine)
        signs = tuple(
            SeatSign(names[seat], chair.kind, inks[seat], seat in acting, seat in mine)
            for seat, chair in enumerate(chairs[row.id])
        )
        speech = language(code)
        left, told = _left(clocks.get(row.id), [seat for seat in mine if (row.acting >> seat) & 1], now, speech)
        title = speech.title(known).partition(":")[0] if known else row.game
        found.append(
            Card(
                row.id, title, glyph, row.status, yours, where, signs,
                tuple(words for words, _ in agreed(game, code)) if game else (),
                speech.ago(max(1, int(time.time() - changed))),
                speech.moment(datetime.fromtimestamp(changed, UTC)), changed,
                left, told,
            )
        )  # fmt: skip
    return found


def _left(clock: Clock | None, seats: Iterable[int], now: float, speech: Language) -> tuple[float, str]:
    """How long somebody has to decide, with the seats that are to."""
    if clock is None:
        return inf, ""
    left = min((clock.left(seat, now) for seat in seats), default=inf)
    return left, "" if left == inf else speech.time_left(left, clock.terms.kind == LIVE)


def _game(row: Any, store: Store) -> Game | None:
    """The game of a table; None if this program has other rules."""
    try:
        return game_of(row, store.printed)
    except OtherRules:
        return None


def _position(row: Any, game: Game | None, names: tuple[str, ...], code: str) -> tuple[tuple[int, ...], str]:
    """Who is to act and where the match stands, as a spectator knows it."""
    if row.status == "open":
        return (), ""
    if row.result:
        return (), outcome([name for name, rank in zip(names, row.result["ranks"], strict=True) if rank == 1], code)
    if row.status == "over":
        late = row.proposal and row.proposal.get("late")
        return (), sentence(Phrase("Ended, as time was over") if late else Phrase("Ended by agreement"), code)
    if game is None:
        return (), sentence(OTHER_RULES, code)
    acting, phrase = _seen(_Chosen(game), row.state)
    return acting, sentence(phrase, code, game, names)


class _Chosen:
    """A game by what was chosen: something that a memory can be asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        options = json.dumps(dict(game.options), sort_keys=True)
        self._key = (game.name, game.players, game.variant, options, game.rules, game.box.hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Chosen) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@functools.lru_cache(maxsize=2000)
def _seen(chosen: _Chosen, state: bytes) -> tuple[tuple[int, ...], Words]:
    game = chosen.game
    hidden = engine.hidden(game.box.record, game.definition.read_state(state, game.rules), SPECTATOR)
    view = view_of(game, hidden, None)
    return tuple(view["turn"]), board_of(game.name).where(game, view)


def outcome(winners: list[str], code: str) -> str:
    """Who won, in the reader's language."""
    if not winners:
        return sentence(Phrase("Everyone lost"), code)
    return sentence(Phrase("Won by {names}", {"names": Listing(winners, AND)}), code)
