"""Opening a table over the JSON API: what the form of a new table asks, as data, checked by the form's own checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field
from starlette.requests import Request

from samizdat.bots import offered
from samizdat.kernel.arguments import clip
from samizdat.kernel.box import Box
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Definition, Game, definition
from samizdat.table.clocks import Terms
from samizdat.table.declined import NotAllowed
from samizdat.table.limits import sender
from samizdat.table.manners import LINK, Manners
from samizdat.table.names import clean_name
from samizdat.table.opening import (
    BOT_GOES_ON,
    BOT_NAMES,
    DAYS_EACH,
    INCREMENTS,
    ME,
    MINUTES,
    USUAL_DAYS,
    USUAL_INCREMENT,
    USUAL_MINUTES,
    FormError,
    Wish,
    check_rated,
    chosen_manners,
    chosen_terms,
    shuffled,
)
from samizdat.table.routes.asking import boxes_for, chosen_box, house, stored, visitor, visitors
from samizdat.table.seats import Seat, new_key

Number = Annotated[
    str | None,
    Field(
        pattern="^[0-9a-f]{64}$",
        description="256 random bits of your own, which become part of the luck (docs/fair-luck.md)",
    ),
]


class NewSeat(BaseModel):
    """How a seat of a new table is filled."""

    kind: str = Field(
        "open", pattern="^(me|open|bot)$", description="`me` gives you its key; `open` waits for others"
    )
    level: str = Field("novice", description="of a bot")
    name: str = Field("", max_length=60)


class NewClock(BaseModel):
    """A clock as the form of a new table offers it."""

    kind: str = Field(max_length=20, description="`live`: so many minutes in all; `days`: so many for each decision")
    minutes: int = Field(int(USUAL_MINUTES), description=f"of a live clock: {', '.join(MINUTES)}")
    increment: int = Field(
        int(USUAL_INCREMENT), description=f"seconds that each decision gives back to it: {', '.join(INCREMENTS)}"
    )
    days: int = Field(int(USUAL_DAYS), description=f"for each decision: {', '.join(DAYS_EACH)}")
    time_over: str = Field(
        BOT_GOES_ON, max_length=20, description="`bot`: a regular bot goes on; `others`: they end the match or not"
    )


class NewTable(BaseModel):
    """A table to open."""

    game: str
    variant: str | None = None
    options: dict[str, bool | int | str] = {}
    box: str = Field("", max_length=200, description="the key of a box, as `GET /api/games` lists them")
    seats: list[NewSeat] = Field(min_length=1, max_length=8)
    shuffle: bool = Field(False, description="who sits where is drawn")
    public: bool = Field(False, description="open seats are shown in the lobby")
    clock: NewClock | None = None
    watch: str = Field(
        LINK,
        max_length=20,
        description="who may watch: `link` (everybody with it), `seats` (who has or had one), `nobody`",
    )
    delay: str = Field(
        "",
        max_length=20,
        description="what they see: all at once, or `five` decisions later, or each `round` when it is over",
    )
    private: bool = Field(False, description="two seats may talk alone, where the game has that (`private_talk`)")
    rated: bool = Field(False, description="the result counts; needs an account, and nobody but people at the seats")
    ticket: str | None = Field(None, max_length=200, description="from `GET /api/luck`; `number` needs one")
    number: Number = None


@dataclass(frozen=True)
class Chosen:
    """What somebody wants to open, checked."""

    game: Game
    chairs: list[Seat]
    manners: Manners
    terms: Terms | None


async def program(request: Request) -> str:
    """The player that a program is: the account, if it is signed in as a browser is."""
    who = visitor(request)
    if who.session:
        return who.id
    player = visitors(request).program(sender(request))
    await stored(house(request).store.remember_player, player, "API")
    return player


async def chosen(request: Request, wanted: NewTable, player: str) -> Chosen:
    """What the request asks for; OptionError in the form's own words where the form would not have it."""
    found = definition(wanted.game)
    known = {option.name for option in found.options}
    for name in wanted.options:
        if name not in known:
            raise OptionError(f"{found.name} has no option {clip(name)}; it has {', '.join(sorted(known))}.")
    if wanted.private and not found.private_talk:
        raise OptionError(f"{found.name} has no private talk; leave `private` out.")
    wish = _wish(found, wanted)
    boxes = await stored(boxes_for, request, found) if wanted.box else []
    try:
        game = _game(found, wanted, chosen_box(wish, boxes))
        chairs = _chairs(wanted, player)
        manners, terms = chosen_manners(wish), chosen_terms(wish)
        if wanted.rated:
            check_rated(game, chairs, bool(visitor(request).session))
    except FormError as error:  # which for a page is another matter: it keeps what was typed
        raise OptionError(error.args[0]) from None
    return Chosen(game, shuffled(chairs) if wanted.shuffle else chairs, manners, terms)


def _game(found: Definition, wanted: NewTable, box: Box | None) -> Game:
    return found.choose(len(wanted.seats), wanted.variant, box, **wanted.options)


def _wish(found: Definition, wanted: NewTable) -> Wish:
    """The same as the form would say it: what is not ticked is not sent."""
    form: dict[str, Any] = {"seat-0": ME, "watch": wanted.watch, "delay": wanted.delay, "box": wanted.box}
    if (clock := wanted.clock) is not None:
        form |= {"clock": clock.kind or "none", "minutes": str(clock.minutes), "increment": str(clock.increment)}
        form |= {"days": str(clock.days), "time-over": clock.time_over or "none"}
    ticked = {"private": wanted.private, "rated": wanted.rated}
    return Wish(found, form | {name: "on" for name, on in ticked.items() if on})


def _chairs(wanted: NewTable, player: str) -> list[Seat]:
    chairs = []
    for number, seat in enumerate(wanted.seats):
        if seat.kind == "bot":
            if seat.level not in offered():
                raise NotAllowed(f"There is no level {seat.level[:20]!r}; there are {', '.join(offered())}.")
            chairs.append(Seat("bot", seat.level, BOT_NAMES[number], new_key()))
        elif seat.kind == "me":
            name = clean_name(seat.name, f"Program {number + 1}")
            chairs.append(Seat("person", "", name, new_key(), {player}))
        else:
            chairs.append(Seat("open", "", "", new_key()))
    return chairs
