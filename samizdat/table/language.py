"""Languages: catalogues of sentences, glossaries of components, and a speaker that puts the two together.

Sentences are the English templates themselves, looked up in `locale/<language>.po` of the table and of each game; a
game's own come first at its table, since the same English word may need another gender there.
Components are looked up in a game's `glossary.csv`, by table and id; a language that declines them adds columns
such as `pl:loc`, and its templates ask for that form with `{area:loc}`. `box.csv` names the tables and columns of its
box.
Whoever reads may be one of the seats: a game's `you.csv` has, for each sentence in which a seat stands, how it is put
to that seat itself ("You play card 3.").
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from gettext import c2py
from pathlib import Path
from typing import Any, TypeVar

from babel import Locale
from babel.dates import format_date, format_datetime, format_timedelta
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.units import format_unit
from markupsafe import Markup, escape

from samizdat.kernel.game import Definition, Game, definitions
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Word

LANGUAGES = {"en": "English", "it": "Italiano", "de": "Deutsch", "pl": "Polski"}
LOCALE = "locale"
# Forms in which a person's name stands as it is. Where a language would decline it, the side is spoken of instead.
NAMED = {"en": ("",), "it": ("", "il", "Il"), "de": ("", "nom", "Nom", "acc", "dat"), "pl": ("", "Nom")}
HERE = Path(__file__).parent

T = TypeVar("T")


def folders() -> dict[str, Path]:
    """Where catalogues stand: the table's folder, the kernel's (which refuses files), the bots' (who give reasons for
    hints), and each game's."""
    ours = {"": HERE, "kernel": HERE.parent / "kernel", "bots": HERE.parent / "bots"}
    return ours | {name: found.folder for name, found in definitions().items()}


def read_catalogue(file: Path) -> Catalog:
    with file.open("rb") as stream:
        return read_po(stream)


def read_glossary(folder: Path, name: str = "glossary.csv") -> list[dict[str, str]]:
    """The rows of a game's glossary, or of another of its tables of words; none where there is no such file."""
    file = folder / name
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


class Language:
    """One language: its sentences with their plurals, and its words for components."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.locale = Locale.parse(code)
        self.plural_form: Callable[[int], int] = lambda n: int(n != 1)
        own = {name: self._read(folder) for name, folder in folders().items()}
        self.sentences = {
            name: _merged([found[0] for found in own.values()], own[""][0], own[name][0]) for name in own
        }
        self.plurals = {name: _merged([found[1] for found in own.values()], own[""][1], own[name][1]) for name in own}
        self.glossaries = {name: self._glossary(definition) for name, definition in definitions().items()}
        self.you = {name: self._second_person(definition) for name, definition in definitions().items()}

    def _read(self, folder: Path) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
        """The sentences and the plurals of one folder's catalogue."""
        sentences: dict[str, str] = {}
        plurals: dict[str, tuple[str, ...]] = {}
        file = folder / LOCALE / f"{self.code}.po"
        if self.code == "en" or not file.is_file():
            return sentences, plurals
        catalogue = read_catalogue(file)
        self.plural_form = c2py(catalogue.plural_expr)
        for message in catalogue:
            if isinstance(message.id, tuple):
                forms = tuple(message.string) if isinstance(message.string, tuple | list) else ()
                if all(forms):
                    plurals[message.id[0]] = forms
            elif message.id and message.string:
                sentences[str(message.id)] = str(message.string)
        return sentences, plurals

    def _glossary(self, definition: Definition) -> dict[tuple[str, str, str], str]:
        words: dict[tuple[str, str, str], str] = {}
        for row in [*read_glossary(definition.folder), *read_glossary(definition.folder, "box.csv")]:
            words[row["table"], row["id"], ""] = row[self.code]
            for column, word in row.items():
                if column.startswith(f"{self.code}:") and word:
                    words[row["table"], row["id"], column.partition(":")[2]] = word
        return words

    def _second_person(self, definition: Definition) -> dict[tuple[str, str], str]:
        """Sentences to a seat that stands in them, by the sentence and the values that are the seat."""
        rows = read_glossary(definition.folder, "you.csv")
        return {(row["sentence"], row["whom"]): row[self.code] for row in rows}

    def gettext(self, text: str, game: str = "") -> str:
        return self.sentences[game].get(text, text)

    def ngettext(self, one: str, other: str, n: int, game: str = "") -> str:
        forms = self.plurals[game].get(one)
        if forms is None:
            return one if n == 1 else other
        return forms[min(self.plural_form(n), len(forms) - 1)]

    def word(self, game: str, word: Word, form: str = "") -> str:
        """A component's name, in the wanted form where the glossary has it."""
        words = self.glossaries.get(game, {})
        for wanted in (form, ""):
            if found := words.get((word.table, word.id, wanted)):
                return found
        return str(word)

    def title(self, game: Definition) -> str:
        """How a game is called where the language is spoken: under its own title unless an edition has another."""
        return self.glossaries[game.name].get(("titles", game.name, ""), game.title)

    def ago(self, seconds: int) -> str:
        return format_timedelta(-seconds, add_direction=True, locale=self.locale)

    def time_left(self, seconds: float, live: bool) -> str:
        """On a clock: to the second at a live table, in the largest unit that says enough elsewhere."""
        whole = int(seconds)
        if live:
            hours, minutes = whole // 3600, whole // 60 % 60
            return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
        units = (("day", 86400, 172800), ("hour", 3600, 3600), ("minute", 60, 0))
        unit, length = next((unit, length) for unit, length, least in units if whole >= least)
        return format_unit(whole // length, f"duration-{unit}", "short", locale=self.locale)

    def day(self, when: Any) -> str:
        return format_date(when, "medium", locale=self.locale)

    def moment(self, when: Any) -> str:
        return format_datetime(when, "short", locale=self.locale)


def _merged(all: Sequence[Mapping[str, T]], *first: Mapping[str, T]) -> dict[str, T]:
    """Catalogues laid over one another; the last of `first` is on top."""
    words: dict[str, T] = {}
    for catalogue in (*all, *first):
        words |= catalogue
    return words


@functools.cache
def language(code: str) -> Language:
    """A language by its code; English for one we do not speak."""
    return Language(code if code in LANGUAGES else "en")


def seat_word(game: Game, seat: int) -> Word:
    """The word by which a record speaks of a seat."""
    show = game.definition.show
    return Word(show.SEAT_NAMES, show.seat_id(game, seat))


@dataclass(frozen=True)
class Person:
    """Somebody at the table, by name."""

    name: str


class _Spoken:
    """A value inside a template, put into words when the template asks for it, in the form it asks for."""

    def __init__(self, speaker: Speaker, value: Any, mark: bool) -> None:
        self.speaker, self.value, self.mark = speaker, value, mark

    def __format__(self, form: str) -> str:
        return self.speaker._value(self.speaker._person(self.value, form), form, self.mark)


class Speaker:
    """Says things in one language at one table, where seats have names; to one of them, if it is `you`."""

    def __init__(
        self, language: Language, game: Game | None = None, names: Sequence[str] = (), you: int | None = None
    ) -> None:
        self.language = language
        self.game = game
        self.names = names
        self._game = game.name if game is not None else ""
        self._seats: Mapping[str, int] = {}
        self._sides: Mapping[Word, int] = {}  # of games whose sides are components, too, with names of their own
        if game is not None and names:
            show = game.definition.show
            if show.SEATS_BY_NAME:
                ids = game.box.names[show.SEAT_NAMES]
                self._seats = {id: seat for seat, id in enumerate(ids[: len(names)])}
            else:
                self._sides = {seat_word(game, seat): seat for seat in range(min(len(names), game.players))}
        self._you = seat_word(game, you) if game is not None and you is not None else None

    def __call__(self, thing: Any) -> str:
        """Any thing that is told, as plain text."""
        return self._value(thing, "", mark=False)

    def markup(self, thing: Any) -> Markup:
        """The same as HTML, with the names of components and seats in bold."""
        return Markup(self._value(thing, "", mark=True))  # every part was escaped when it was put in

    def word(self, word: Word, form: str = "") -> str:
        """A component's name, or that of whoever sits in a seat."""
        if self.game is not None and word.table == self.game.definition.show.SEAT_NAMES and word.id in self._seats:
            return self.names[self._seats[word.id]]
        return self.language.word(self._game, word, form)

    def _person(self, value: Any, form: str) -> Any:
        """Who plays a side that a sentence speaks of."""
        if not isinstance(value, Word) or value not in self._sides or form not in NAMED[self.language.code]:
            return value
        return Person(self.names[self._sides[value]])

    def _value(self, value: Any, form: str, mark: bool) -> str:
        if isinstance(value, Person):
            return f"<b>{escape(value.name)}</b>" if mark else value.name
        if isinstance(value, Word):
            text = self.word(value, form)
            return f"<b>{escape(text)}</b>" if mark else text
        if isinstance(value, Line | Phrase):
            template = self._to_you(value) or self.language.gettext(value.text, self._game)
            return self._fill(template, value.values, mark)
        if isinstance(value, Many):
            template = self.language.ngettext(value.one, value.other, value.n, self._game)
            return self._fill(template, {**value.values, "n": value.n}, mark)
        if isinstance(value, Listing):
            return self._listing(value, mark)
        return str(escape(value)) if mark else str(value)

    def _to_you(self, value: Line | Phrase) -> str | None:
        """The template for a listener of whom something is told."""
        if self._you is None:
            return None
        said = self.language.you[self._game]
        whom = [name for name, one in value.values.items() if one == self._you]
        return said.get((value.text, " ".join(whom))) if whom else None

    def _fill(self, template: str, values: Mapping[str, Any], mark: bool) -> str:
        text = str(escape(template)) if mark else template
        return text.format(**{name: _Spoken(self, value, mark) for name, value in values.items()})

    def _listing(self, listing: Listing, mark: bool) -> str:
        words = [self._value(item, "", mark) for item in listing.items]
        if listing.last and len(words) > 1:
            return f"{', '.join(words[:-1])} {self.language.gettext(listing.last, self._game)} {words[-1]}"
        return ", ".join(words)
