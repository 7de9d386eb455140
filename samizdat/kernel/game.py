"""Games: what a folder under `samizdat/games` or a package outside ours defines, and one with its options chosen."""

from __future__ import annotations

import functools
import importlib
import inspect
import logging
import pickle
import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel import all_open, no_laws
from samizdat.kernel.arguments import clip, whole
from samizdat.kernel.blank import Blank, blank_box
from samizdat.kernel.boards import Board
from samizdat.kernel.box import Box, BoxFile
from samizdat.kernel.boxfile import write_box
from samizdat.kernel.contract import RULES_OF, register
from samizdat.kernel.errors import BoxError, OptionError
from samizdat.kernel.lores import NO_LORE, Lore
from samizdat.kernel.luck import fresh_seed
from samizdat.kernel.moves import Move, MoveList, Notation
from samizdat.kernel.options import Option, read_options
from samizdat.kernel.plain_board import PlainBoard
from samizdat.kernel.points import Points
from samizdat.kernel.reach import Reach
from samizdat.kernel.records import Record
from samizdat.kernel.shows import SEATS, PlainShow, Show
from samizdat.kernel.stakes import Stake
from samizdat.kernel.studies import Study
from samizdat.kernel.telling import Line, Listing, Phrase, template

if TYPE_CHECKING:
    from samizdat.kernel.match import Match
    from samizdat.kernel.native import Native
    from samizdat.kernel.tours import Tour

REDUCED = "reduced"  # the box of this name is the small one beside a game's own
OUTSIDE = "samizdat.games"  # the entry points by which packages outside ours announce games

log = logging.getLogger("samizdat.games")


@dataclass(frozen=True)
class Past:
    """An earlier version of the rules. Matches that began under it go on under it: the state's field `rules` names it
    (and is 0 under the present ones). Positions that the program of that day stored can still be read."""

    version: int
    added: Mapping[str, int] = field(default_factory=dict)  # fields its record did not have, and what stands for them
    differs: tuple[str, ...] = ()  # fields that meant something else in it

    def read(self, kind: type[Record], stored: bytes) -> Record:
        """A position as it was stored then, or since."""
        then = kind.without(*self.added)
        old = np.frombuffer(stored, then if len(stored) == then.itemsize else kind.dtype)
        state: Any = kind()
        for name in kind.fields:
            state.array[name] = old[name] if name in (old.dtype.names or ()) else self.added[name]
        state.rules = self.version
        return state  # type: ignore[no-any-return]

    def agrees(self, stored: bytes, state: Record) -> bool:
        """Whether a position stored then is this one, as far as both say the same things."""
        then = self.read(type(state), stored)
        compared = state.fields.keys() - set(self.differs)
        return all(np.array_equal(then.array[name], state.array[name]) for name in compared)


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A game, as its folder or package defines it. Whatever has a default here, a small game need not have."""

    name: str  # as users write it: dual-powers
    title: str
    designers: str = ""
    publishers: str = ""
    variants: Mapping[str, tuple[int, ...]]  # variant -> numbers of players; the first variant is the default
    options: tuple[Option, ...] = ()
    state: type[Record]
    printed: type[Record] = Blank
    moves: MoveList
    points: Points
    reasons: tuple[str, ...]
    read_box: Callable[[Path | BoxFile], Box] | None = None  # None: nothing is printed that a file could change
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of a game without a box file
    rules: ModuleType
    laws: ModuleType = no_laws
    show: Show = field(default_factory=PlainShow)
    board: Board = field(default_factory=PlainBoard)
    lore: Lore = NO_LORE
    tours: Mapping[str, Tour] = field(default_factory=dict)  # guided matches, by name (kernel/tours.py)
    study: Study = field(default_factory=Study)  # what is counted in many matches
    stakes: Callable[[Game, Any, int], list[Stake]] = lambda game, s, seat: []  # what a decision may win or lose
    longest: Callable[[Box, Mapping[str, Any], int], int]  # bound on decisions: box, options, players
    fair_seats: Callable[[str, int], int] = lambda variant, players: players  # the solitaire counts as two
    all_may_lose: bool = False  # whether a match can end in a common defeat
    all_open: bool = False  # whether nothing is ever hidden from anybody
    reduced: Mapping[str, Any] = field(default_factory=dict)  # players, variant, options for reduced.toml
    private_talk: str = ""  # the rule by which seats may talk alone, where a table wants it
    retired: tuple[Option, ...] = ()  # options no longer offered, which changed nothing; old matches carry them
    past: tuple[Past, ...] = ()  # earlier versions of the rules that can still be played
    # What fields can hold in one game (kernel/reach.py).
    reach: Callable[[Game], Mapping[str, Reach]] = lambda game: {}
    # Fields of which no seat ever sees another seat's row, and how many of their rows are seats'; the rest is public.
    own_rows: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for other in RULES_OF:
            if other is not self.state and other.dtype == self.state.dtype:
                # Compiled code knows a record by its layout alone.
                raise TypeError(f"its state has the same fields as that of {other.__module__}: rename one of them")
        nothing_hidden = {"hide": all_open.hide, "guess": all_open.guess} if self.all_open else {}
        register(self.state, SimpleNamespace(**{**nothing_hidden, **vars(self.rules)}), self.points, self.laws)

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to other processes by where it stands: modules cannot travel, and it is the same everywhere."""
        rules = self.rules.__name__
        for module in (rules, rules.rpartition(".")[0]):
            for name, value in vars(sys.modules[module]).items():
                if value is self:
                    return _standing, (module, name)
        raise pickle.PicklingError(f"{self.name} stands neither in the module of its rules nor in its folder.")

    @property
    def folder(self) -> Path:
        return Path(str(self.rules.__file__)).parent

    @property
    def snake(self) -> str:
        """Its name where a dash cannot stand."""
        return self.name.replace("-", "_")

    @property
    def version(self) -> int:
        return int(self.rules.RULES_VERSION)

    @functools.cached_property
    def native(self) -> Native:
        """The compiled loops of this game; importing the compiler waits until somebody asks."""
        from samizdat.kernel.native import Native

        return Native(*self.compiled_from)

    @functools.cached_property
    def compiled_from(self) -> tuple[Path | str, ...]:
        """What compiled code is made from: the modules of its rules and laws, and what follows from its points."""
        rules, laws = Path(str(self.rules.__file__)), Path(str(self.laws.__file__))
        others = {Path(inspect.getfile(function)) for function in self.points.functions} - {rules}
        return rules, laws, *sorted(others), self.points.source

    @functools.cached_property
    def standard_box(self) -> Box:
        if self.read_box is not None:
            return self.read_box(self.folder / "box.toml")
        most = max(max(counts) for counts in self.variants.values())
        seats = {SEATS: tuple(f"seat_{number}" for number in range(1, most + 1))}
        return blank_box(self.name, {**seats, **self.names})

    def box_from(self, source: Path | BoxFile) -> Box:
        """The box of a file of somebody's own."""
        if self.read_box is None:
            words = {"game": self.name}
            raise BoxError(Phrase("{game} is played with nothing printed, so no box file can change it.", words))
        return self.read_box(source)

    def choose(
        self,
        players: int | None = None,
        variant: str | None = None,
        box: str | Path | Box | None = None,
        **options: Any,
    ) -> Game:
        """The game with its variant, players, box and options chosen; OptionError names the bad one.

        The box "reduced" is the one that the game ships for exact solvers, small enough only with the players,
        variant and options that its definition names; those given here come first.
        """
        return self.choose_from(options, players, variant, box)

    def choose_from(
        self,
        options: Mapping[str, Any],
        players: int | None = None,
        variant: str | None = None,
        box: str | Path | Box | None = None,
    ) -> Game:
        """The same with the options in a mapping, as files and forms bring them: a name may be any text."""
        path = None if box is None or isinstance(box, Box) else _path(box)
        if str(path) == REDUCED:
            usual = dict(self.reduced)
            few, kind = usual.pop("players", None), usual.pop("variant", None)
            return self.choose_from(
                {**usual, **{name: value for name, value in options.items() if value is not None}},
                few if players is None else players,
                kind if variant is None else variant,
                self.folder / "reduced.toml",
            )
        if variant is None:
            variant = next(iter(self.variants))
        if not isinstance(variant, str) or variant not in self.variants:
            words = {"game": self.name, "variant": clip(variant), "known": Listing(list(self.variants))}
            raise OptionError(Phrase("{game} has no variant {variant}; it has {known}.", words))
        variant = str(variant)
        counts = self.variants[variant]
        number = counts[-1] if players is None else whole(players)
        if number is None or number not in counts:
            words = {
                "game": self.name,
                "variant": variant,
                "given": clip(players),
                "known": Listing(counts, template("or")),
            }
            raise OptionError(Phrase("{game} ({variant}) is for {known} players, not {given}.", words))
        for option in self.retired:
            if option.name in options:
                words = {"game": self.name, "name": option.name}
                raise OptionError(
                    Phrase("{game} no longer offers the option {name}: it changed nothing. Leave it out.", words)
                )
        chosen = read_options(self.name, variant, self.options, options)
        printed = self.standard_box if path is None else self.box_from(path)
        if isinstance(box, Box):
            printed = self._own(box)
        return Game(self, variant, number, chosen, printed, self.version)

    def _own(self, box: Box) -> Box:
        """A box that was read before, if it is one of this game."""
        if not isinstance(box.record, self.printed):
            raise BoxError(Phrase("“{name}” is no box for {game}.", {"name": box.name, "game": self.name}))
        return box

    def read_state(self, stored: bytes, rules: int) -> Record:
        """A stored position of a match of some version of the rules."""
        past = self.before(rules)
        return past.read(self.state, stored) if past else self.state.from_bytes(stored)

    def can_read(self, stored: bytes, rules: int) -> bool:
        """Whether a stored position has the size of one."""
        past = self.before(rules)
        sizes = {self.state.dtype.itemsize} | ({self.state.without(*past.added).itemsize} if past else set())
        return len(stored) in sizes

    def before(self, rules: int) -> Past | None:
        """An earlier version of the rules."""
        return next((past for past in self.past if past.version == rules), None)

    def knows(self, rules: int) -> bool:
        """Whether matches of this version of the rules can be played here."""
        return rules == self.version or self.before(rules) is not None

    def recall(
        self, players: int, variant: str, box: str | Path | Box | None, options: Mapping[str, Any], rules: int
    ) -> Game:
        """The game of a match file or a stored table, as it was chosen when it began, under the rules of that day.

        What has been retired since stays with it, and its options keep their order: a match that is read and written
        again is the same text.
        """
        kept = {option.name: option.read(options[option.name]) for option in self.retired if option.name in options}
        others = {name: value for name, value in options.items() if name not in kept}
        game = self.choose_from(others, players, variant, box)
        values = {**game.options, **kept}
        return replace(game, options={name: values[name] for name in dict.fromkeys([*options, *values])}, rules=rules)


@dataclass(frozen=True)
class Game:
    """A game with everything chosen that is chosen before the deal; `match` begins to play it."""

    definition: Definition
    variant: str
    players: int
    options: Mapping[str, bool | int | str]
    box: Box
    rules: int  # the version that the match is played under

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to other processes without what was worked out; the standard box is there already."""
        box = None if self.box is self.definition.standard_box else self.box
        return _chosen, (self.definition, self.variant, self.players, dict(self.options), box, self.rules)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Nothing in it ever changes."""
        return self

    @functools.cached_property
    def name(self) -> str:
        return self.definition.name

    @functools.cached_property
    def printed(self) -> str | None:
        """Its box as a file, for whoever has only the one that everybody has; None if it is that one."""
        return None if self.box.hash == self.definition.standard_box.hash else write_box(self.box.text)

    @functools.cached_property
    def notation(self) -> Notation:
        """Its decisions, by id and as they are written."""
        return self.definition.moves.bind(self.box.names)

    def words(self, label: str) -> tuple[str, ...]:
        """The names that stand under a label: of the box, of the show, or of an enumeration that moves range over."""
        kinds = self.definition.moves.kinds.values()
        fixed = {names.label: names.fixed for kind in kinds for names in kind.args.values()}
        return {**fixed, **self.definition.show.WORDS, **self.box.names}[label]

    @functools.cached_property
    def capacity(self) -> int:
        """How many move ids there are."""
        return self.definition.moves.count

    @functools.cached_property
    def longest(self) -> int:
        """No match of this game has more decisions than this."""
        return self.definition.longest(self.box, self.options, self.players)

    def anew(self) -> Game:
        """The same game for a new match: under the present rules, without what has been retired since."""
        retired = {option.name for option in self.definition.retired}
        kept = {name: value for name, value in self.options.items() if name not in retired}
        return replace(self, options=kept, rules=self.definition.version)

    @property
    def house_rules(self) -> tuple[Line, ...]:
        """What was agreed to be played otherwise than usual: a sentence each, with its rule."""
        return tuple(
            option.says(self.options[option.name])
            for option in self.definition.options
            if not option.setup and self.options.get(option.name, option.default) != option.default
        )

    @property
    def fair_seats(self) -> int:
        return self.definition.fair_seats(self.variant, self.players)

    def blank(self) -> Record:
        """A state with its options written in, before the deal."""
        s: Any = self.definition.state()
        s.seats = self.players
        if "variant" in s.fields:
            s.variant = list(self.definition.variants).index(self.variant)
        if self.rules != self.definition.version:
            s.rules = self.rules
        known = {option.name: option for option in self.definition.options}
        for name, value in self.options.items():
            if name in s.fields:
                setattr(s, name, known[name].number(value))
        return s  # type: ignore[no-any-return]

    def why_not(self, hidden: Record, seat: int, move: Move) -> Line:
        """Why a move is not open to a seat, in one sentence with its rule; from the seat's hidden record only."""
        point = self.definition.points.at(hidden)
        if move.kind not in point.takes:
            return Line(point.rules[0], point.asks)
        line: Line = self.definition.show.why_not(self, hidden, seat, move)
        return line

    def moves_buffer(self, rows: int | None = None) -> npt.NDArray[np.int16]:
        """Room for the legal moves of one seat (or of `rows`), for compiled loops."""
        return np.zeros(self.capacity if rows is None else (rows, self.capacity), np.int16)

    def match(self, seed: int | None = None) -> Match:
        """Deal a new match. The same seed and the same moves give the same match, always."""
        from samizdat.kernel.match import Match

        return Match(self, fresh_seed() if seed is None else seed)


def _path(box: object) -> Path:
    if not isinstance(box, str | Path):
        raise BoxError(f"A box is the path of a file, not {clip(box)}.")
    return Path(box)


def _standing(module: str, name: str) -> Definition:
    """A definition that comes from another process."""
    found: Definition = getattr(importlib.import_module(module), name)
    return found


def _chosen(
    definition: Definition, variant: str, players: int, options: Mapping[str, bool | int | str], box: Box | None,
    rules: int,
) -> Game:  # fmt: skip
    """A game that comes from another process."""
    return Game(definition, variant, players, options, definition.standard_box if box is None else box, rules)


@functools.lru_cache(maxsize=64)
def box_of(name: str, printed: str | None) -> Box:
    """The box that a game was played with (`Game.printed`); one for all who play with the same."""
    found = definition(name)
    return found.standard_box if printed is None else found.box_from(BoxFile("box.toml", printed))


@functools.cache
def definitions() -> dict[str, Definition]:
    """Every game there is, by the name users write: our folders, then those that installed packages announce. A
    package that cannot be read is left out and named in the log; nobody else's game suffers from it."""
    found: dict[str, Definition] = {}
    for module in pkgutil.iter_modules(importlib.import_module("samizdat.games").__path__):
        definition: Definition = importlib.import_module(f"samizdat.games.{module.name}").GAME
        found[definition.name] = definition
    for entry in sorted(entry_points(group=OUTSIDE)):
        try:
            announced = _announced(entry)
        except Exception as error:
            log.error("The game announced as %s (%s) is left out: %s", entry.name, entry.value, error)
            continue
        if found.setdefault(announced.name, announced) is not announced:
            log.error("The game announced as %s (%s) is left out: there is another one.", entry.name, entry.value)
    return found


def _announced(entry: EntryPoint) -> Definition:
    definition = entry.load()
    if not isinstance(definition, Definition):
        raise TypeError("it is no Definition")
    if definition.name != entry.name:
        raise ValueError(f"it calls itself {definition.name}")
    if not definition.rules.__package__:
        raise ValueError("its rules stand in no package, where its rulebook and pictures would be looked for")
    return definition


def definition(name: object) -> Definition:
    """A game by name; OptionError lists what there is."""
    found = definitions().get(name) if isinstance(name, str) else None
    if found is None:
        words = {"name": clip(name), "known": Listing(list(definitions()))}
        raise OptionError(Phrase("There is no game {name}; there are {known}.", words))
    return found


def rulebook_text(definition: Definition, code: str = "en") -> tuple[str, str]:
    """The rulebook of a game as Markdown, and its language: the one asked for, or English, or else what its rules say
    of themselves."""
    folder = definition.folder / "rulebook"
    for found in (code, "en"):
        if (folder / f"{found}.md").is_file():
            return found, (folder / f"{found}.md").read_text(encoding="utf-8")
    return "en", f"# {definition.title}\n\n{inspect.getdoc(definition.rules) or ''}\n"
