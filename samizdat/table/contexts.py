"""What the templates of a board call `c`: one position as one viewer may see it, and helpers that write what a
decision needs to be clickable. Everything here is made from a viewer's hidden record and what it was told."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup, escape

from samizdat.kernel.boards import Composition, Ending, Status, Tab
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Listing, Phrase, Word
from samizdat.table.clocks import LIVE
from samizdat.table.fast_jinja import FRAGMENTS, LONGEST, plain
from samizdat.table.language import Language, Speaker, language
from samizdat.table.marks import marks, seat_names, words
from samizdat.table.rendering import AND, macros, named
from samizdat.table.viewing import LogEntry, PageView

RUN = 3  # lines of one kind that are folded
MOST_READINGS = 4  # of one viewer's log: languages, with help or without, and names as they were
ID = re.compile(r' id="[^"]*"')


class Context:
    """What templates call `c`: the position, and helpers that write what a decision needs to be clickable."""

    def __init__(self, position: PageView, speech: Language, helps: bool) -> None:
        self.position = position
        self.game = position.game
        self.view = position.seen.view
        self.seat = position.seen.seat
        self.acts = position.acts
        self.over = position.over
        names = named([chair.name for chair in position.chairs], speech.code)
        self.chairs = [replace(chair, name=name) for chair, name in zip(position.chairs, names, strict=True)]
        self.helps = helps
        self.draft: Composition | None = position.seen.draft if self.acts else None
        self.module = self.game.definition.board
        self.inks: Sequence[str] = self.module.INKS
        self.own = not position.opened  # whether whoever reads this is the seat itself
        self.you = self.seat if self.own else None
        self.say = Speaker(speech, self.game, [chair.name for chair in self.chairs], self.you)
        self.legal = frozenset(position.seen.legal) if self.acts and self.draft is None else frozenset[str]()
        self.tables = self.game.box.text.tables
        self.plain = (
            self.seat is None
            or position.past
            or position.still
            or self.over
            or position.ended
            or position.frozen is not None
        )  # only looked at
        self.open = frozenset(self.draft.open) if self.draft is not None else frozenset[str]()
        self.spoken = speech.code
        self._seats = seat_names(self.game)
        self._labels: dict[str, str] = {}
        self._words: dict[tuple[str, str, str], str] = {}
        ground = (self.game.name, self.game.variant, self.game.box.hash, speech.code, helps, self.own, self.you)
        self._ground = plain(ground)  # what every block depends on

    # --- the memory --------------------------------------------------------------------------------------

    def keep(self, *key: Any, caller: Any) -> Markup:
        """A block of a template, run only when its key is new: `{% call c.keep("region", r, c.state(n)) %}`. The key
        must hold everything that the block shows, besides the box, the language and whether help is wanted; a block
        whose name is None is not kept."""
        if not FRAGMENTS.on or key[0] is None:
            return Markup(caller())
        whole = self._ground, plain([... if isinstance(one, Undefined) else one for one in key])
        found: Markup | None = FRAGMENTS.get(whole)
        if found is None:
            found = Markup(caller())
            if len(found) < LONGEST:
                FRAGMENTS.put(whole, found)
        return found

    def state(self, notation: str, always: bool = False) -> Any:
        """What `act`, `add` and `take` show of a decision, for the key of a block: whether it is open, and how it is
        called then. `always` for elements that have no fact of their own."""
        if not notation or (self.draft is None and self.plain):
            return None
        open = notation in self.legal or notation in self.open
        chosen = self.draft is not None and notation in self.draft.chosen
        label = self.label(notation) if open or chosen or always else ""
        return (self.draft is not None, open, chosen, label)

    def states(self, kind: str, things: Sequence[str], always: bool = False) -> Any:
        """The same for several decisions of one kind."""
        return [self.state(f"{kind} {thing}", always) for thing in things] if kind else None

    @functools.cached_property
    def people(self) -> list[tuple[str, str, str]]:
        """Who sits at the table, how strong and with how much time, for the key of a block that shows that."""
        return [
            (str(chair.name), f"{chair.kind} {chair.level}", str(self.clock(seat)))
            for seat, chair in enumerate(self.chairs)
        ]

    def clock(self, seat: int | None) -> Markup:
        """The time of a seat, as it stood when it was last read; the page counts on from there (`clocks.js`)."""
        clock = self.position.clock
        if clock is None or seat is None or self.chairs[seat].kind != "person":
            return Markup()
        return Markup(macros(self.spoken, self.game.name)[0].clock(self, clock, seat, clock.dials[seat]))

    def time_left(self, seconds: float) -> str:
        clock = self.position.clock
        return language(self.spoken).time_left(seconds, clock is not None and clock.terms.kind == LIVE)

    def who(self, seat: int) -> str:
        """A seat as whoever reads this calls it."""
        return self.say(Phrase("You")) if seat == self.you else self.chairs[seat].name

    def bot(self, seat: int) -> str:
        """That a bot sits there, and how strong it is."""
        return self.say(Phrase("bot, {level}", {"level": Phrase(self.chairs[seat].level)}))

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """How those at the table are called, for the key of a block that names them."""
        return tuple(str(chair.name) for chair in self.chairs)

    @functools.cached_property
    def pic(self) -> dict[str, Any]:
        return dict(self.module.picture(self.game, self.position.seen))

    @functools.cached_property
    def status(self) -> Status:
        return self.module.status(self.game, self.position.seen)

    def name(self, table: str, id: str, form: str = "") -> str:
        """A component's name in the reader's language."""
        key = (table, id, form)
        found = self._words.get(key)
        if found is None:
            found = self._words[key] = self.say.word(Word(table, id), form)
        return found

    def cite(self, rule: str) -> Markup:
        """A rule's number, linked to its paragraph; nothing for what is not a rule of the game."""
        return _cite(self.game.name, rule)

    def told(self, line: Line) -> Markup:
        """A sentence and its rule."""
        return Markup("{} {}").format(self.say.markup(line), self.cite(line.rule))

    def noted(self, entry: LogEntry) -> Markup:
        """A line of the record, with the places it speaks of; it grows with the match, and what was told before is
        not put into words again."""
        if not FRAGMENTS.on:
            return self._noted(entry)
        key = (entry.key, self._ground, self.names)
        found: Markup | None = FRAGMENTS.get(key)
        if found is None:
            found = self._noted(entry)
            FRAGMENTS.put(key, found)
        return found

    def _noted(self, entry: LogEntry) -> Markup:
        lit = " ".join(self.marks([entry.line]))
        return Markup('<div data-lights="{}">{}</div>').format(lit, self.told(entry.line))

    def marks(self, lines: Sequence[Line]) -> list[str]:
        """The ids of elements that show what some lines speak of."""
        return marks(lines, self.module.MARKS, self._seats)

    def record(self, line: Any) -> Markup:
        """The record, newest first, as the macro `line` writes it; runs of lines that say the same of one thing after
        another stand together. Lines that can change no more are not written again: those before the last run, up to
        where they begin to be news."""
        entries, log = self.position.entries, self.position.log
        ground = (self._ground, self.names)
        settled, written = log.settled.get(ground, ([], ""))
        number = len(settled)
        if not FRAGMENTS.on or entries[:number] != settled or not self._apart(entries, number):
            number, written = 0, ""
        runs = folded(entries[number:], self._seats)
        staying = 0
        while staying < len(runs) - 1 and all(entry.fresh == entries[0].fresh for entry in runs[staying]):
            staying += 1
        told = "".join([line(self, run, False) for run in reversed(runs[:staying])])
        written, number = told + written, number + sum(map(len, runs[:staying]))
        if staying:
            if len(log.settled) >= MOST_READINGS:
                log.settled.clear()
            log.settled[ground] = entries[:number], written
        rest = runs[staying:]
        recent = [line(self, run, run is rest[-1]) for run in reversed(rest)]
        return Markup("".join(recent) + written)

    def _apart(self, entries: Sequence[LogEntry], number: int) -> bool:
        """Whether a run of lines ends before this one, and there is one more."""
        if not number or number >= len(entries):
            return not number
        return _run_of(entries[number - 1], self._seats) != _run_of(entries[number], self._seats)

    def label(self, notation: str) -> str:
        """A decision as a short sentence."""
        found = self._labels.get(notation)
        if found is None:
            move: Move = self.game.notation.read(notation)
            found = self._labels[notation] = self.say(self.module.label(self.game, self.view, move))
        return found

    # --- what can be clicked -----------------------------------------------------------------------------

    def can(self, notation: str) -> bool:
        return notation in self.legal

    def pick(self, *notations: str) -> str:
        """The first of some decisions that is open, or the first of them."""
        return next((one for one in notations if one in self.legal), notations[0])

    def act(self, notation: str, cls: str = "", fact: str = "") -> Markup:
        """Attributes of an element that stands for one decision. It glows where it is open; where it is not, a click
        is refused with the reason. `fact` says what the element is, for those who do not see it."""
        if self.plain:
            return self._plain(cls, fact)
        return self._attributes("data-move", notation, notation in self.legal, cls, fact, self.label)

    def add(self, notation: str, cls: str = "", fact: str = "") -> Markup:
        """The same for something to put into the draft."""
        if self.draft is None:
            return self._plain(cls, fact)
        return self._attributes("data-add", notation, notation in self.open, cls, fact, self.label)

    def adds(self, notations: dict[str, str], cls: str = "", fact: str = "") -> Markup:
        """The same for an element to which one of several things can be added: which one is chosen beforehand, by a
        button with `data-arm`. `notations` maps what is armed to what is then added."""
        if self.draft is None:
            return self._plain(cls, fact)
        open = " ".join(arm for arm, notation in notations.items() if notation in self.open)
        return Markup('class="{}" data-adds="{}" data-open="{}" role="button" tabindex="0" aria-label="{}"').format(
            cls, json.dumps(notations), open, fact
        )

    def take(self, notation: str, cls: str = "", fact: str = "") -> Markup:
        """The same for something to take out of the draft."""
        if self.draft is None or notation not in self.draft.chosen:
            return self._plain(cls, fact)
        return self._attributes("data-take", notation, True, cls, fact, self._taking)

    def _taking(self, notation: str) -> str:
        return self.say(Phrase("take back: {choice}", {"choice": self.label(notation)}))

    @staticmethod
    def _plain(classes: str, fact: str) -> Markup:
        voice = f' role="img" aria-label="{escape(fact)}"' if fact else ""
        return Markup(f'class="{escape(classes)}"{voice}')

    @staticmethod
    def _attributes(name: str, notation: str, open: bool, cls: str, fact: str, label: Any) -> Markup:
        if not open:
            words = fact or label(notation)
            rest = 'role="button" aria-disabled="true" tabindex="-1"'
        else:
            words = "; ".join(part for part in (fact, label(notation)) if part)
            rest = 'role="button" tabindex="0"'
            cls = f"{escape(cls)} legal"
            return Markup(f'class="{cls}" {name}="{escape(notation)}" {rest} aria-label="{escape(words)}"')
        return Markup(f'class="{escape(cls)}" {name}="{escape(notation)}" {rest} aria-label="{escape(words)}"')

    # --- the sections of which one is shown at a time ----------------------------------------------------

    @functools.cached_property
    def tabs(self) -> list[Tab]:
        """The sections that share a place in this variant; record and choices come after them."""
        return [tab for tab in self.module.TABS if not tab.variants or self.game.variant in tab.variants]

    @functools.cached_property
    def opens(self) -> tuple[str, str]:
        """Which section a phone shows now, and how high: half a sheet to decide with, or the whole board."""
        offered = (*self.position.seen.legal, *self.open) if self.acts else ()
        kinds = {choice.partition(" ")[0] for choice in offered}
        with_it = [tab for kind, tab in self.module.SHEET.items() if kind in kinds]
        on_board = kinds - self.module.SHEET.keys() - self.module.BUTTONS.keys()
        return (with_it[0], "half") if with_it and not on_board else (self.tabs[0].name, "peek")

    # --- the list of choices and the buttons -------------------------------------------------------------

    @functools.cached_property
    def choices(self) -> list[tuple[str, str, str]]:
        """Every open decision as (attribute, notation, sentence)."""
        if self.draft is not None:
            adds = [("data-add", one, self.label(one)) for one in self.draft.open if one not in self.draft.chosen]
            again = [("data-add", one, self.label(one)) for one in self.draft.open if one in self.draft.chosen]
            takes = [("data-take", one, self._taking(one)) for one in dict.fromkeys(self.draft.chosen)]
            return adds + again + takes
        return [("data-move", one, self.label(one)) for one in self.position.seen.legal] if self.acts else []

    @functools.cached_property
    def buttons(self) -> list[tuple[str, str, bool]]:
        """Decisions that are buttons of the status line: (notation, sentence, whether it is the confirming one)."""
        kinds = self.module.BUTTONS
        found = []
        for notation in self.position.seen.legal if self.acts and self.draft is None else ():
            kind = notation.partition(" ")[0]
            if kind in kinds:
                found.append((notation, self.label(notation), kinds[kind]))
        return found

    # --- leaving and the end -----------------------------------------------------------------------------

    @property
    def votes(self) -> list[tuple[int, str]]:
        """What every person at the table has said to the proposal to end."""
        asked, people = self.position.proposal, [n for n, chair in enumerate(self.chairs) if chair.kind == "person"]
        if asked is None:
            return []
        return [(seat, "yes" if seat in asked.yes else "no" if seat in asked.no else "") for seat in people]

    @property
    def overdue(self) -> bool:
        """Whether whoever reads this may end the match because somebody's time is over."""
        return bool(self.position.late) and not self.plain and self.seat not in self.position.late

    @property
    def overdue_words(self) -> str:
        names = {"names": Listing([self.chairs[seat].name for seat in sorted(self.position.late)], AND)}
        return self.say(Phrase("The time of {names} is over.", names))

    @functools.cached_property
    def ending(self) -> Ending:
        found: Ending = self.module.ending(self.game, self.view)
        return found

    @functools.cached_property
    def won(self) -> bool:
        """Whether whoever reads this has won, alone or with others."""
        return self.seat in self.ending.winners and self.own and not self.position.several

    @functools.cached_property
    def headline(self) -> str:
        """Who won, and by what."""
        end = self.ending
        if not end.winners:
            return self.say(end.nobody)
        others = [self.chairs[seat].name for seat in end.winners if not self.won or seat != self.seat]
        words = {"names": Listing(others, AND), "by": end.by}
        if self.won:
            if not others:
                return self.say(Phrase("You won, {by}", words))
            shared = Phrase("You, {names} share the victory, {by}", words)
            return self.say(shared if len(others) > 1 else Phrase("You and {names} share the victory, {by}", words))
        shared = Phrase("{names} share the victory, {by}", words)
        return self.say(shared if len(others) > 1 else Phrase("{names} won, {by}", words))

    @functools.cached_property
    def stamp(self) -> str:
        if self.won and len(self.ending.winners) == 1:
            return self.say(Phrase("Victory"))
        if len(self.ending.winners) > 1:
            return self.say(Phrase("Shared"))
        return self.chairs[self.ending.winners[0]].name if self.ending.winners else self.say(Phrase("Lost"))

    @functools.cached_property
    def secrets(self) -> Markup:
        """What each seat alone could see, one beside the other."""
        return Markup(revealed(self.position.secrets, self.spoken))

    # --- what others did ---------------------------------------------------------------------------------

    @property
    def tells(self) -> bool:
        """Whether the latest decision is a story to this viewer: what one did oneself is none."""
        return bool(self.position.told) and not self.position.mine

    @property
    def sequel(self) -> list[list[LogEntry]]:
        """What came of the latest decision, after its first sentence."""
        return folded([LogEntry("", line, b"") for line in self.position.told[1:]], self._seats)

    def waiting(self) -> str:
        """For whom the match waits, or waited: a step back shows a decision of one's own, too."""
        if self.seat in self.view["turn"]:
            return self.say(Phrase("Here you had to decide."))
        names = {"names": Listing([self.chairs[seat].name for seat in self.view["turn"]], AND)}
        if self.position.past:
            return self.say(Phrase("Here the match waited for {names}.", names))
        return self.say(Phrase("Waiting for {names}.", names))


def _run_of(entry: LogEntry, seats: Container[Word]) -> tuple[Any, ...]:
    """What lines of one run have in common."""
    return entry.line.text, entry.line.rule, [word for word in words(entry.line) if word in seats]


def folded(entries: Sequence[LogEntry], seats: Container[Word]) -> list[list[LogEntry]]:
    """Lines in groups: a long run that says the same of one thing after another is one, unless different people did
    it; other lines stand by themselves."""

    runs = [list(run) for _, run in itertools.groupby(entries, lambda entry: _run_of(entry, seats))]
    found: list[list[LogEntry]] = []
    for run in runs:
        found += [run] if len(run) >= RUN else [[entry] for entry in run]
    return found


@functools.cache
def _cite(game: str, rule: str) -> Markup:
    if not rule[:1].isalnum() or not any(letter.isdigit() for letter in rule):
        return Markup()
    return Markup('<cite><a href="/rules/{}#{}">{}</a></cite>').format(game, rule, rule)


def opened(positions: Sequence[PageView], code: str) -> str:
    """What each seat alone could see; takes the place of a hand when a match is over."""
    return f'<div class="hand opened" id="hand">{revealed(positions, code)}</div>'


def revealed(positions: Sequence[PageView], code: str) -> str:
    """What each seat alone could see, one beside the other."""
    assert all(position.opened for position in positions)
    shown = []
    for position in positions:
        frame, game = macros(code, position.game.name)
        shown.append(str(frame.opened(Context(position, language(code), helps=True), game)))
    return ID.sub("", "".join(shown))  # every seat draws the same things, and an id may stand only once on a page
