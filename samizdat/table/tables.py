"""A table in memory: who sits there, the match, and how it changes by what happens.

Nothing here refuses anything (`commands.py` does), stores anything (`house.py`) or draws anything (`viewing.py`).
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from samizdat.kernel import interpreted as engine
from samizdat.kernel.boards import Composition
from samizdat.kernel.errors import NotYourTurn
from samizdat.kernel.fairness import Fairness, read_fairness
from samizdat.kernel.game import Game
from samizdat.kernel.history import History
from samizdat.kernel.match import Match, view_of
from samizdat.kernel.matchfile import commitment
from samizdat.kernel.starts import Start, read_start
from samizdat.kernel.telling import Phrase
from samizdat.table.clocks import Clock
from samizdat.table.delays import Behind
from samizdat.table.events import (
    Begun,
    Drafted,
    Event,
    Held,
    Lapsed,
    Paused,
    Played,
    Pleaded,
    RanOut,
    Revoked,
    SeatChanged,
    Spoken,
    Stamped,
    TookBack,
    Voted,
    WentOn,
)
from samizdat.table.journal import Decision, GoingBack, JournalEntry, Seating
from samizdat.table.manners import LINK, SEATED, Manners
from samizdat.table.pleas import Plea
from samizdat.table.proposals import Proposal
from samizdat.table.seats import Seat, Viewer
from samizdat.table.talk import LINE_WEIGHT, Saying, Talk, heard, readers, sheets_of

OPEN, PLAYING, OVER = "open", "playing", "over"
TABLE_WEIGHT, PLY_WEIGHT, OBSERVATION_WEIGHT = 20_000, 900, 400  # bytes, besides the records
NOT_BEGUN = Phrase("The match has not begun; the table still has open seats.")
# When a table is read again: what belongs to this process, and what nobody is told of by itself.
OWN = {"chairs", "lock", "listeners", "changes", "found", "ending", "talk"}
SILENT = {"id", "game", "start", "viewers", "match", "behind", "journaled", "seatings", "drafts", "events"}


class Waiting(Protocol):
    """Whoever waits for something to happen at a table."""

    def set(self) -> None: ...


class LiveTable:
    """One table in memory."""

    fleeting = False  # nothing of it is ever stored
    still = False  # nobody decides anything here: something is only shown

    def __init__(self, row: Any, game: Game, chairs: list[Seat]) -> None:
        self.id: str = row.id
        self.game = game
        self.chairs = chairs
        self.opened_by: str = row.opened_by
        self.public: bool = row.public
        self.status: str = row.status
        self.seed = int(row.seed, 16)
        self.nonce = int(row.nonce, 16)
        self.fairness: Fairness | None = None if row.fair is None else read_fairness(row.fair, game.players)
        self.rematch: str | None = row.rematch
        self.clock: Clock | None = None  # none: nobody is ever late here
        self.rated = False  # its match counts for the ratings of those who sit here
        self.frozen: str | None = None  # what the host says to those here, where nobody may decide for now
        self.gone = False  # whoever opened it took it away
        self.ending = False  # this process ends: whoever looks on is to ask another one, or the next
        self.imported: bool = row.imported
        self.manners = Manners.read(row.manners)
        self.talk = Talk()
        self.proposal = Proposal.read(row.proposal)  # to end the match, the last one
        self.plea = Plea.read(row.plea)  # to take something back, the last one
        self.start: Start | None = None if row.start is None else read_start(game, row.start, trusted=True)
        self.match: Match | None = None
        self.behind = Behind(self.manners.delay) if self.manners.delay else None  # what is shown to who watches
        self.journaled = 0  # lines of the journal
        self.seatings: list[Seating] = []  # changes of seats while the match runs
        self.drafts: dict[int, tuple[str, ...]] = {}
        self.viewers: tuple[Viewer, ...] = (None, *range(game.players))
        self.lock = asyncio.Lock()
        self.listeners: dict[Viewer, set[Waiting]] = {}
        # Changes of seats and of the viewer's own draft: no decisions of the match. Each process counts from a number
        # of its own, lest a page that another one made seem to be up to date here.
        self.changes: dict[Viewer, int] = dict.fromkeys(self.viewers, random.getrandbits(30))
        self.found = time.monotonic()  # when it was last asked for
        self.events: int = row.events  # stored of this table, as far as this copy knows

    @property
    def commitment(self) -> str:
        return commitment(self.seed, self.nonce, self.fairness)

    @property
    def so_far(self) -> str:
        """What stands fixed of the luck by now, in one hash; empty where browsers cannot add to it."""
        return self.fairness.so_far(self.game, self.commitment) if self.fairness else ""

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.chairs]

    @property
    def foreknown(self) -> bool:
        """Whether somebody can know what luck will bring: the seed of an imported match stands in its file."""
        return self.imported and self.status != OVER

    @property
    def prepared(self) -> bool:
        """Whether the match began from a position rather than from a deal: it cannot be verified, nor be rated."""
        return self.start is not None

    @property
    def over(self) -> bool:
        """Whether nobody decides anything here any more."""
        return self.status == OVER

    @property
    def ended(self) -> bool:
        """Whether all agreed to end before the match was over, or all but those who were late."""
        return self.over and self.match is not None and bool(self.match.turn)

    @property
    def late(self) -> frozenset[int]:
        """The seats of people whose time is over, where the others say what happens."""
        out = self.clock.out if self.clock is not None else frozenset[int]()
        return frozenset(seat for seat in out if self.chairs[seat].kind == "person")

    @property
    def ended_late(self) -> frozenset[int]:
        """Whose time was over when the others ended the match."""
        return self.proposal.late if self.ended and self.proposal is not None else frozenset()

    @property
    def proposed(self) -> Proposal | None:
        """The proposal to end of this round."""
        asked = self.proposal
        return asked if asked is not None and not self.over and asked.round == self.round else None

    @property
    def asked_back(self) -> Plea | None:
        """The plea that stands. What was agreed to before something came out has to be agreed to again."""
        plea = self.plea
        if plea is None or self.match is None or self.over:
            return None
        last = self.match.last_of(plea.by)
        if last is None or any(one.seat == plea.by for one in self.seatings[plea.seatings :]):
            return None
        if not plea.opened and self.match.opened_since(last):
            return replace(plea, opened=True, yes=frozenset())
        return plea

    def asked_of(self, plea: Plea) -> set[int]:
        """The seats that a plea needs: of people who do not share a screen with whoever asks."""
        asker = self.chairs[plea.by].holders
        return {
            seat for seat, chair in enumerate(self.chairs) if chair.kind == "person" and not chair.holders & asker
        }

    def held_by(self, player: str) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if player in chair.holders]

    def owners(self, seat: int) -> frozenset[str]:
        """Whose hand a seat's is: the players who held it last."""
        return next((one.held for one in reversed(self.seatings) if one.seat == seat and one.held), frozenset())

    def was_here(self, player: str) -> bool:
        """Whether somebody is at this table, or was since the match began."""
        known = [*(chair.holders for chair in self.chairs), *(one.held for one in self.seatings), {self.opened_by}]
        return any(player in those for those in known)

    def watched_by(self, player: str | None) -> bool:
        """Whether somebody may look on; when the match is over, everybody with the link may."""
        manners = self.manners
        if self.match is None or self.over or manners.watch == LINK:
            return True
        if player is None:
            return False
        sits = bool(self.held_by(player)) or player == self.opened_by
        return sits or (manners.watch == SEATED and self.was_here(player))

    @property
    def weight(self) -> int:
        """About how many bytes this table takes: decisions, and what everybody saw of them."""
        if self.match is None:
            return TABLE_WEIGHT
        said = LINE_WEIGHT * len(self.talk)
        size = self.game.definition.state.dtype.itemsize
        seen = sum(len(self.match.history(viewer).observations) for viewer in self.viewers)
        return TABLE_WEIGHT + said + self.match.plies * (size + PLY_WEIGHT) + seen * (size + OBSERVATION_WEIGHT)

    # --- what a seat may know and do ---------------------------------------------------------------------

    def history(self, viewer: Viewer) -> History:
        """What a viewer has learned of the match so far; whoever watches may be some way behind."""
        if self.match is None:
            raise NotYourTurn(NOT_BEGUN)
        if viewer is None and self.behind is not None:
            return self.behind.history
        return self.match.history(viewer)

    def delays(self, viewer: Viewer) -> bool:
        """Whether a viewer is behind the match."""
        return viewer is None and self.behind is not None and not self.over

    def turn(self, viewer: Viewer) -> tuple[int, ...]:
        """The seats that are to act, as far as a viewer has come."""
        return engine.acting(self.game.definition.state.from_bytes(self.history(viewer).seen))

    def _keep_behind(self) -> None:
        """The match went on: so does what is shown to who watches."""
        if self.behind is not None and self.match is not None:
            self.behind.follow(self.match, self.over)

    def may_undo(self, seat: int) -> bool:
        """Whether a seat may take something back: never after the end, when seed and secrets are out."""
        return self.match is not None and not self.over and self.match.can_undo(seat)

    def may_plead(self, seat: int) -> bool:
        """Whether a seat that may take nothing back alone may ask for its last decision: where nothing is counted."""
        if self.match is None or self.over or self.fleeting or self.rated or self.chairs[seat].kind != "person":
            return False
        return self.match.last_of(seat) is not None and self.asked_back is None

    def opened_since(self, seat: int) -> bool:
        """Whether something was drawn or revealed since the last decision of a seat."""
        last = self.match.last_of(seat) if self.match is not None else None
        return self.match is not None and last is not None and self.match.opened_since(last)

    def composition(self, seat: int) -> Composition | None:
        """The seat's draft, if there is something to compose now; worked out from what the seat sees."""
        hidden = self.game.definition.state.from_bytes(self.history(seat).seen)
        if seat not in engine.acting(hidden):
            return None
        composed: Composition | None = self.game.definition.board.compose(
            self.game, hidden, seat, self.drafts.get(seat, ())
        )
        return composed

    def luck_of(self, match: Match, seat: int, move: object) -> Sequence[int]:
        """What luck is to bring to a decision before anything is drawn: at a table where people play, nothing."""
        return ()

    @property
    def round(self) -> int:
        """The round that everybody at the table sees."""
        if self.match is None:
            raise NotYourTurn(NOT_BEGUN)
        return self._round(self.match.history(None))

    def _round(self, history: History) -> int:
        hidden = self.game.definition.state.from_bytes(history.seen)
        return int(view_of(self.game, hidden, None)["round"])

    # --- what is said ------------------------------------------------------------------------------------

    @property
    def people(self) -> int:
        """How many sit here apart from each other: those at one screen need no sheet to talk."""
        return len({frozenset(chair.holders) for chair in self.chairs if chair.kind == "person"})

    def sheets(self, viewer: Viewer) -> list[str]:
        """The sheets of talk that a viewer reads."""
        return list(sheets_of(viewer, self.game.players, self.manners.private))

    def said(self, viewer: Viewer, sheet: str) -> list[Saying]:
        """What a viewer reads on one of its sheets. To who is behind, nothing was said in a round to come."""
        lines = [line for line in self.talk.sheet(sheet).lines if heard(line, viewer, self.seatings)]
        if not self.delays(viewer):
            return lines
        now = self._round(self.history(viewer))
        return [replace(line, round=min(line.round, now)) for line in lines]

    def talks(self, viewer: Viewer) -> bool:
        """Whether there is anybody to talk to for a viewer, or anything to read."""
        if self.fleeting or self.match is None:
            return False
        alone = self.people < (1 if viewer is None else 2)
        return not alone or any(self.said(viewer, sheet) for sheet in self.sheets(viewer))

    def _hear(self, *lines: Saying) -> None:
        """Lines are new, or have changed: whoever may read them is woken, and nobody else."""
        for line in lines:
            viewers = readers(line.sheet, self.game.players)
            quiet = {viewer for viewer in viewers if not self.talks(viewer)}
            self.talk.sheet(line.sheet).put(line)
            for viewer in viewers:
                self.notify(viewer, change=viewer in quiet)

    # --- how it changes ----------------------------------------------------------------------------------

    def dealt(self) -> Match:
        """The match at its beginning; everybody watches it from there. The seed is made when the cards are dealt."""
        fresh = self.fairness if self.status == OPEN else None
        seed = fresh.seed(self.game, self.nonce) if fresh else self.seed
        match = Match(self.game, seed, nonce=self.nonce, start=self.start)
        match.fairness = self.fairness
        for viewer in self.viewers:
            match.history(viewer)
        return match

    def recall(
        self, entries: Sequence[JournalEntry], seatings: Sequence[Seating] = (), known: LiveTable | None = None
    ) -> None:
        """The match from its journal, with every viewer's versions as they were: a browser that comes back after a
        restart must not take another position for the one it knows. Of a table that is `known` as it was, only what
        came since is given."""
        self.match = self.dealt() if known is None or known.match is None else known.match.copy()
        if known is not None and known.match is not None and known.behind is not None:
            self.behind = known.behind.copy()
        elif self.behind is not None:
            self.behind.follow(self.match, over=False)
        if known is not None:
            self.journaled, self.seatings = known.journaled, [replace(one) for one in known.seatings]
        coming = list(reversed(seatings))
        for entry in entries:
            self._seat_again(coming)
            if isinstance(entry, Decision):
                self.match.play(entry.seat, entry.move, entry.luck)
            elif isinstance(entry, GoingBack):
                self._forget_since(entry.seat)
                self.match.take_back(entry.seat)
            else:
                self._forget_last(entry.seat)
                self.match.undo(entry.seat)
            self.journaled += 1
            if self.behind is not None:
                self.behind.follow(self.match, over=False)
        self._keep_behind()
        self._seat_again(coming)
        self.match.names = tuple(self.names)

    def _seat_again(self, coming: list[Seating]) -> None:
        """Changes of seats that came before this line of the journal, in their place."""
        assert self.match is not None
        while coming and coming[-1].after <= self.journaled:
            self.seatings.append(coming.pop())
            self.seatings[-1].plies = self.match.plies

    def _forget_last(self, seat: int) -> None:
        """The last decision of a seat goes: changes of seats after it move up by one."""
        assert self.match is not None
        last = max(number for number, (who, _) in enumerate(self.match.moves) if who == seat)
        for seating in self.seatings:
            seating.plies -= seating.plies > last

    def _forget_since(self, seat: int) -> None:
        """The last decision of a seat goes, and everything since: changes of seats after it come right after what is
        left."""
        assert self.match is not None
        last = self.match.last_of(seat) or 0
        for seating in self.seatings:
            seating.plies = min(seating.plies, last)

    def apply(self, event: Event) -> None:
        """Something happened, and is stored: the table changes by it, and those who look on are woken."""
        match event:
            case Begun():
                self.status, self.match, self.seed = PLAYING, event.match, event.match.seed
                self.match.names = tuple(self.names)
                self._keep_behind()
                self.notify(change=True)
            case Played() | TookBack():
                if isinstance(event, Played):
                    self.drafts.pop(event.seat, None)
                elif event.agreed:
                    self._forget_since(event.seat)
                    self.drafts = {}  # they were of a position that is gone
                else:
                    self._forget_last(event.seat)
                if self.plea is not None and self.plea.by == event.seat:
                    self.plea = None
                self.status = PLAYING if event.match.turn else OVER
                self.journaled += len(event.entries)
                self.match = event.match
                self._keep_behind()
                if event.noticed:  # to the others nothing happened: no event, and nothing drawn anew
                    self.notify(*event.noticed)
                if isinstance(event, TookBack) and event.line is not None:
                    self._hear(event.line)
            case Drafted():
                self.drafts[event.seat] = event.draft
                if not event.draft:  # as it is stored
                    del self.drafts[event.seat]
                self.notify(event.seat, change=True)
            case SeatChanged():
                self.chairs[event.seat] = event.chair
                self.fairness = event.fairness
                if event.left is not None:
                    self.chairs[event.left].key, self.chairs[event.left].keyed = event.link, time.time()
                if event.seating is not None:
                    self.seatings.append(event.seating)
                if self.match is not None:
                    self.match.names = tuple(self.names)
                self.drafts.pop(event.seat, None)
                self.notify(change=True)
            case Spoken() | Stamped():
                self._hear(event.line)
            case Voted():
                self.proposal = event.proposal
                if event.ended:
                    self.status = OVER
                    self._keep_behind()
                if event.line is not None:
                    self._hear(event.line)
                self.notify(change=True)
            case Pleaded():
                self.plea = event.plea
                if event.line is not None:
                    self._hear(event.line)
                self.notify(change=True)
            case Held():
                self.chairs[event.seat].holders.add(event.player)
            case Revoked():
                self.chairs[event.seat].holders -= event.gone
                self.chairs[event.seat].key = event.key
                self.notify(change=True)
            case Lapsed() | RanOut() | WentOn() | Paused():
                self.notify(change=True)

    def become(self, fresh: LiveTable) -> None:
        """Other processes changed the table: it is as it was read now, and those who can tell are woken."""
        before, changed = self.match, False
        for seat, chair in enumerate(fresh.chairs):
            own = self.chairs[seat]
            if replace(own, holders=chair.holders) == chair:
                own.holders, own.keyed = chair.holders, chair.keyed  # whoever sits there is the same
            else:
                self.chairs[seat], changed = chair, True
        drafted = [seat for seat in range(self.game.players) if self.drafts.get(seat) != fresh.drafts.get(seat)]
        said = self.talk.others(fresh.talk)
        for name, value in vars(fresh).items():
            if name not in OWN:
                changed = changed or (name not in SILENT and getattr(self, name) != value)
                setattr(self, name, value)
        self._hear(*said)
        if changed or before is None:
            self.notify(change=True)
            return
        assert self.match is not None
        for viewer in self.viewers:
            if viewer in drafted:
                self.notify(viewer, change=True)
            elif before.history(viewer).version != self.match.history(viewer).version:
                self.notify(viewer)

    def renamed(self, told: Sequence[Seating]) -> None:
        """Who changed seats, as they are called by now: names and whose browser it was may change afterwards."""
        for one, now in zip(self.seatings, told, strict=False):
            one.name, one.was, one.held = now.name, now.was, now.held

    def notify(self, *viewers: Viewer, change: bool = False) -> None:
        """Wake those who look on."""
        for viewer in viewers or self.viewers:
            self.changes[viewer] = self.changes.get(viewer, 0) + change
            for listener in self.listeners.get(viewer, ()):
                listener.set()
