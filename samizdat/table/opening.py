"""Opening a table: what the form says, as a game with its options and people on its seats."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from samizdat.bots import knows, offered
from samizdat.kernel.boards import Board
from samizdat.kernel.box import Box
from samizdat.kernel.errors import OptionError, SamizdatError
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.options import Option
from samizdat.kernel.telling import Phrase
from samizdat.table.clocks import DAY, DAYS, LIVE, MINUTE, Terms
from samizdat.table.delays import AT_ONCE, DELAYS, FIVE, ROUND
from samizdat.table.house_rules import HOUSE_RULE, offers
from samizdat.table.manners import LINK as LINK_ALONE
from samizdat.table.manners import NOBODY, SEATED, WATCHERS, Manners
from samizdat.table.names import clean_name
from samizdat.table.rendering import sentence
from samizdat.table.seats import Seat, new_key

BOT_NAMES = ("Ada", "Boris", "Celina", "Dmitri", "Elvira", "Fedor", "Greta", "Hugo")
USUAL_LEVEL = "novice"  # what somebody meets who chose nothing

ME, HERE, LINK, BOT = "me", "here", "open", "bot-"

STANDARD = "standard"
CLOCKS = (LIVE, DAYS, "")  # the kinds that the form offers; the last is none
MINUTES, INCREMENTS, DAYS_EACH = ("10", "20", "30"), ("5", "10", "30"), ("1", "2", "3", "7")
BOT_GOES_ON, OTHERS_SAY = "bot", "others"  # when somebody's time is over
USUAL_MINUTES, USUAL_INCREMENT, USUAL_DAYS = "20", "10", "2"
BOT_WORDS = {
    "random": Phrase("Bot, random: plays anything"),
    "novice": Phrase("Bot, novice: greedy and a little careless"),
    "regular": Phrase("Bot, regular: thinks for half a second"),
    "expert": Phrase("Bot, expert: thinks for three seconds"),
    "reflex": Phrase("Bot, reflex: taught itself the game, answers at once"),
}
LEVEL_NAMES = {
    "random": Phrase("random"),
    "novice": Phrase("novice"),
    "regular": Phrase("regular"),
    "expert": Phrase("expert"),
    "reflex": Phrase("reflex"),
}


WATCHED = {
    LINK_ALONE: Phrase("Everybody with the link may watch."),
    SEATED: Phrase("Only who has or had a seat may watch while the match runs."),
    NOBODY: Phrase("Nobody but the seats sees the match while it runs."),
}


DELAYED = {
    AT_ONCE: Phrase("Everything at once"),
    FIVE: Phrase("Everything five decisions later"),
    ROUND: Phrase("Each round when it is over"),
}


def variant_words(board: Board, variant: str) -> Phrase:
    """How a variant is called: as its game says."""
    if variant in board.VARIANTS:
        return board.VARIANTS[variant]
    return Phrase("Standard game") if variant == STANDARD else Phrase("{name}", {"name": variant.replace("_", " ")})


def level_words(level: str, game: Game | None = None) -> Phrase:
    """A bot as the form offers it; for a certain game, also whether it plays as its level says."""
    if game is not None and not knows(level, game):
        return Phrase(
            "Bot, {level}: by rules of thumb, has not learnt this box or these rules", {"level": level_name(level)}
        )
    return BOT_WORDS.get(level) or Phrase("Bot from outside: {name}", {"name": level})


def level_name(level: str, game: Game | None = None) -> Phrase:
    if game is not None and not knows(level, game):
        return Phrase(
            "{level} (by rules of thumb: has not learnt this box or these rules)", {"level": level_name(level)}
        )
    return LEVEL_NAMES.get(level) or Phrase("{name}", {"name": level})


class FormError(SamizdatError):
    """Something in the form cannot be; its Phrase says what to change."""


@dataclass(frozen=True)
class Wish:
    """The form of a new table: what was sent, or what stands in it before anybody has touched it."""

    definition: Definition
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def touched(self) -> bool:
        """Whether this is the whole form: a button in the lobby sends nothing and means the usual table."""
        return "seat-0" in self.given

    def text(self, name: str, otherwise: str = "") -> str:
        value = self.given.get(name)
        return value if isinstance(value, str) else otherwise

    @property
    def variant(self) -> str:
        return self.text("variant") or next(iter(self.definition.variants))

    def players(self, variant: str) -> str:
        """The number of players of a variant: each has its own row of numbers in the form."""
        return self.text(f"players-{variant}") or str(self.definition.variants[variant][-1])

    def seat(self, seat: int) -> str:
        return self.text(f"seat-{seat}") or (ME if seat == 0 else f"{BOT}{USUAL_LEVEL}")

    def on(self, name: str, otherwise: bool) -> bool:
        return name in self.given if self.touched else otherwise

    def option(self, option: Option) -> bool | str:
        """The value of an option. A house rule that is on or off is ticked where it is not as usual."""
        name = f"{HOUSE_RULE}{option.name}"
        if isinstance(option.default, bool):
            return self.on(name, False) != option.default
        return self.text(name) or str(option.default)

    @property
    def box(self) -> str:
        """The box to play with, by its key; none is the one that everybody has."""
        return self.text("box")

    @property
    def clock(self) -> str:
        return self.text("clock")

    @property
    def minutes(self) -> str:
        return self.text("minutes") or USUAL_MINUTES

    @property
    def increment(self) -> str:
        return self.text("increment") or USUAL_INCREMENT

    @property
    def days(self) -> str:
        return self.text("days") or USUAL_DAYS

    @property
    def time_over(self) -> str:
        return self.text("time-over") or BOT_GOES_ON

    @property
    def most(self) -> int:
        return max(max(counts) for counts in self.definition.variants.values())


def chosen_game(wish: Wish, box: Box | None = None) -> Game:
    """The game that the form asks for; FormError in the reader's words where something is out of range."""
    found, variant = wish.definition, wish.variant
    if variant not in found.variants:
        raise FormError(Phrase("This game has no such variant."))
    wanted = wish.players(variant)
    if wanted not in map(str, found.variants[variant]):
        raise FormError(Phrase("This variant is not for that number of players."))
    options: dict[str, Any] = {}
    for offer in offers(found, box or found.standard_box):  # what cannot matter with it stays as usual
        option = offer.option
        if variant not in offer.variants:
            continue
        value = wish.option(option)
        try:
            options[option.name] = value if isinstance(value, bool) else option.parse(value)
        except OptionError as error:
            if option.choices:
                raise FormError(error.args[0]) from None
            words = {"option": Phrase(option.help, {"n": "…"}), "low": option.low, "high": option.high}
            raise FormError(Phrase("“{option}” must be a whole number from {low} to {high}.", words)) from None
    return found.choose(int(wanted), variant, box, **options)


def chosen_manners(wish: Wish) -> Manners:
    """What the form says of talk and of those who watch."""
    watch = wish.text("watch", LINK_ALONE)
    if watch not in WATCHERS:
        raise FormError(
            Phrase("A table is watched by everybody with the link, by who has or had a seat, or by nobody.")
        )
    delay = wish.text("delay", AT_ONCE)
    if delay not in DELAYS:
        raise FormError(
            Phrase("Who watches sees the match at once, five decisions later, or each round when it is over.")
        )
    return Manners(bool(wish.definition.private_talk) and wish.on("private", False), watch, delay)


def chosen_terms(wish: Wish) -> Terms | None:
    """The clock that the form asks for, if any."""
    if wish.clock not in CLOCKS or wish.minutes not in MINUTES or wish.increment not in INCREMENTS:
        raise FormError(Phrase("There is no such clock; choose one of those in the form."))
    if wish.days not in DAYS_EACH:
        raise FormError(Phrase("There is no such clock; choose one of those in the form."))
    if wish.time_over not in (BOT_GOES_ON, OTHERS_SAY):
        raise FormError(Phrase("There is no such clock; choose one of those in the form."))
    others = wish.time_over == OTHERS_SAY
    if wish.clock and others and wish.on("rated", False):
        raise FormError(Phrase("In a rated match a bot goes on for whoever is late: an end would count for nobody."))
    if wish.clock == LIVE:
        return Terms(LIVE, int(wish.minutes) * MINUTE, float(wish.increment), others)
    return Terms(DAYS, int(wish.days) * DAY, others=others) if wish.clock == DAYS else None


def check_rated(game: Game, chairs: Sequence[Seat], account: bool) -> None:
    """Whether a match may count: people who can be told apart at every seat, and a box that all can see."""
    if not account:
        raise FormError(Phrase("Sign in to open a rated table, or open it unrated."))
    kinds = [chair.kind for chair in chairs]
    if game.players < 2 or "bot" in kinds or kinds.count("person") > 1:
        raise FormError(Phrase("A rated match has a person at every seat: yourself, and the others by link."))
    if game.printed:
        raise FormError(Phrase("A rated match is played with everybody's box."))


def chosen_chairs(wish: Wish, game: Game, player: str, name: str, code: str) -> list[Seat]:
    """Each seat as the form says: mine, somebody else's here (hot-seat), open (by link) or a bot's."""
    bots = iter(random.SystemRandom().sample(BOT_NAMES, len(BOT_NAMES)))
    kinds = [wish.seat(seat) for seat in range(game.players)]
    if kinds.count(ME) > 1:
        raise FormError(
            Phrase("You can have one seat of your own; for the others here, choose “another person here”.")
        )
    chairs = []
    for seat, kind in enumerate(kinds):
        if kind == ME:
            chairs.append(Seat("person", "", name, new_key(), {player}))
        elif kind == HERE:
            other = clean_name(wish.text(f"name-{seat}"), f"{sentence(Phrase('Player'), code)} {seat + 1}")
            chairs.append(Seat("person", "", other, new_key(), {player}))
        elif kind == LINK:
            chairs.append(Seat("open", "", "", new_key()))
        elif kind.startswith(BOT) and kind.removeprefix(BOT) in offered():
            chairs.append(Seat("bot", kind.removeprefix(BOT), next(bots), new_key()))
        else:
            raise FormError(Phrase("A seat is yours, another person's, or a bot's."))
    return shuffled(chairs) if wish.on("shuffle", False) else chairs


def shuffled(chairs: Sequence[Seat]) -> list[Seat]:
    """In an order that nobody can foresee."""
    return random.SystemRandom().sample(list(chairs), len(chairs))
