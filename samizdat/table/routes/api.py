"""The public JSON API: what a program needs to sit at a table. The same rules and the same secrets as for browsers.

A seat is held by its key, sent as `Authorization: Bearer KEY`; without one, a program sees what spectators see.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Header
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from samizdat.kernel.game import definitions
from samizdat.table.commands import Play, TakeBack, TakeSeat
from samizdat.table.consent import AnswerBack, AskBack
from samizdat.table.declined import NotAllowed
from samizdat.table.drawings import looked_at, said, view_at, word_ahead
from samizdat.table.ending import NOT_LATE, GoOn, Vote
from samizdat.table.names import clean_name
from samizdat.table.routes.api_opening import NewTable, Number, chosen, program
from samizdat.table.routes.api_parts import ClockInfo, PleaInfo, clock_info, plea_info
from samizdat.table.routes.asking import boxes_for, check_watching, house, stored, tickets
from samizdat.table.seats import Viewer
from samizdat.table.streams import Follower, follow
from samizdat.table.tables import LiveTable

router = APIRouter(prefix="/api")

Key = Annotated[str | None, Header(alias="Authorization", description="Bearer and the seat's key")]


class LuckTicket(BaseModel):
    """A table that nobody has opened yet, whose secret is fixed: its hash is the commitment."""

    table: str
    opened: str
    commitment: str
    ticket: str = Field(description="to be sent with `POST /api/tables` within half an hour, once")


class SeatInfo(BaseModel):
    """One seat as everybody sees it; `key` only in answers to whoever just got it."""

    seat: int
    kind: str
    name: str
    level: str = ""
    key: str | None = None


class TableInfo(BaseModel):
    """A table as everybody sees it."""

    id: str
    game: str
    variant: str
    players: int
    options: dict[str, bool | int | str]
    box: str = Field(description="the hash of what is printed; `/table/{id}/box/file` is the box itself")
    status: str
    foreknown: bool = Field(description="an imported match that still runs: whoever brought it may know its seed")
    prepared: bool = Field(description="begun from a position, not dealt: it can be neither verified nor rated")
    commitment: str = Field(description="hash of the table's secret, published before anybody sits down")
    opened: str | None = Field(description="when that secret was made; null where the host alone made the seed")
    numbers: list[int] = Field(description="the seats whose numbers are part of the luck, in the order they came")
    so_far: str = Field(description="hash of what stands fixed by now; whoever joins with a number sends it back")
    seats: list[SeatInfo]
    public: bool
    watch: str = Field(description="who may watch: `link` (all who have it), `seats` (who has or had one), `nobody`")
    delay: str = Field(description="how far behind they are: ``, `five` decisions, or until the `round` is over")
    private: bool = Field(description="two seats may talk alone")
    rated: bool
    turn: list[int] = Field(description="who is to act; without a seat's key, as far as who watches has come")
    clock: ClockInfo | None = Field(description="null without a clock, and to who watches with a delay")
    frozen: str | None = Field(description="what the host says, where nobody may decide for now; else null")


class Join(BaseModel):
    """Taking an open seat."""

    name: str = Field("", max_length=60)
    seat: int | None = None
    number: Number = None
    so_far: str = Field(
        "", max_length=64, description="as the table said; if it has changed since, the number is left out"
    )


class Choice(BaseModel):
    """One decision, with the version of the position it was made in."""

    move: str = Field(max_length=120)
    version: int


class Undo(BaseModel):
    """Taking the last decision back."""

    version: int


class Version(BaseModel):
    """The position after a decision."""

    version: int


class View(BaseModel):
    """All and only what a seat may know."""

    version: int
    view: dict[str, Any]
    clock: ClockInfo | None = Field(description="null without a clock, and to who watches with a delay")
    plea: PleaInfo | None = Field(description="somebody asks for a decision back; null to who watches")


class Legal(BaseModel):
    """The decisions open to the seat, in notation."""

    version: int
    moves: list[str]


class LogLine(BaseModel):
    """One line of the log."""

    number: str = Field(description="round and line; `·` for what is no part of the match: a change of a seat")
    rule: str
    text: str


class MatchLog(BaseModel):
    """The log of the match, as the seat heard it."""

    version: int
    lines: list[LogLine]


class Plead(BaseModel):
    """To ask for one's last decision back, or to answer somebody who does."""

    way: str = Field(pattern="^(ask|agree|refuse)$")
    plea: str = Field("", max_length=40, description="of an answer: the key of the plea, as it was told")


class TimeOver(BaseModel):
    """What one of the others wants when somebody's time is over."""

    end: bool = Field(description="end the match, or let it go on")


def info(table: LiveTable, now: float, eyes: Viewer = None, keys: dict[int, str] | None = None) -> TableInfo:
    game, seen = table.game, eyes is not None or table.watched_by(None)
    return TableInfo(
        id=table.id, game=game.name, variant=game.variant, players=game.players, options=dict(game.options),
        box=game.box.hash,
        status=table.status, foreknown=table.foreknown, prepared=table.prepared, commitment=table.commitment,
        opened=table.fairness.opened if table.fairness else None,
        numbers=table.fairness.seats if table.fairness else [],
        so_far=table.so_far,
        public=table.public, **vars(table.manners), rated=table.rated,
        turn=list(table.turn(eyes)) if table.match and not table.over and seen else [],
        clock=clock_info(table, eyes, now) if seen else None, frozen=table.frozen,
        seats=[
            SeatInfo(seat=seat, kind=chair.kind, name=chair.name, level=chair.level, key=(keys or {}).get(seat))
            for seat, chair in enumerate(table.chairs)
        ],
    )  # fmt: skip


def viewer(table: LiveTable, key: str | None) -> Viewer:
    """The seat whose key this is; nobody's eyes without one."""
    if key is None:
        check_watching(table, None)
        return None
    bare = key.removeprefix("Bearer ").strip()
    for seat, chair in enumerate(table.chairs):
        if chair.kind == "person" and chair.key == bare:
            return seat
    raise NotAllowed("That key opens no seat of this table.")


def seat_of(table: LiveTable, key: str | None) -> int:
    seat = viewer(table, key)
    if seat is None:
        raise NotAllowed("Send the seat's key as Authorization: Bearer KEY.")
    return seat


def holder(table: LiveTable, seat: int) -> str:
    """The player whose seat it is."""
    return min(table.chairs[seat].holders)


@router.get("/games")
async def games(request: Request) -> list[dict[str, Any]]:
    """Every game with its variants, numbers of players and options, and the boxes that you may play it with besides
    everybody's."""
    return [
        {
            "name": found.name,
            "title": found.title,
            "private_talk": bool(found.private_talk),
            "boxes": [
                {"key": one.key, "name": one.box.name, "hash": one.box.hash}
                for one in await stored(boxes_for, request, found)
            ],
            "variants": {variant: list(counts) for variant, counts in found.variants.items()},
            "options": [
                {"name": option.name, "default": option.default, "help": option.help, "rule": option.rule}
                for option in found.options
            ],
        }
        for found in definitions().values()
    ]


@router.post("/tables", status_code=201)
async def create(request: Request, wanted: NewTable) -> TableInfo:
    """Open a table. The match begins as soon as no seat is open."""
    here = house(request)
    player = await program(request)
    wish = await chosen(request, wanted, player)
    await here.check_limit(player)
    ticket = tickets(request).read(wanted.ticket)
    if wanted.ticket and ticket is None:
        raise NotAllowed("That ticket is not one of ours, or too old; ask for another one.")
    table = await here.open_table(
        wish.game, wish.chairs, player, wanted.public, ticket=ticket, number=wanted.number or "",
        manners=wish.manners, terms=wish.terms,
    )  # fmt: skip
    if wanted.rated:
        await here.rate(table)
    keys = {seat: chair.key for seat, chair in enumerate(table.chairs) if chair.kind == "person"}
    return info(table, here.time.now(), next(iter(keys), None), keys)


@router.get("/luck")
async def luck(request: Request) -> LuckTicket:
    """A ticket for a new table: whoever opens it with a number of its own knows that the secret was fixed before."""
    new = tickets(request).new()
    return LuckTicket(
        table=new.fairness.table, opened=new.fairness.opened, commitment=new.commitment, ticket=new.text
    )


@router.get("/tables/{id}")
async def look(request: Request, id: str, key: Key = None) -> TableInfo:
    here = house(request)
    table = await here.find(id)
    return info(table, here.time.now(), None if key is None else viewer(table, key))


@router.post("/tables/{id}/join", status_code=201)
async def join(request: Request, id: str, wanted: Join) -> TableInfo:
    """Take an open seat; the answer holds its key."""
    here = house(request)
    table = await here.find(id)
    free = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "open"]
    seat = wanted.seat if wanted.seat is not None else next(iter(free), -1)
    if seat not in free:
        raise NotAllowed("That seat is taken, or no seat of this table is open.")
    player = await program(request)
    name = clean_name(wanted.name, f"Program {seat + 1}")
    await here.do(table, TakeSeat(seat, name, player, wanted.number or "", wanted.so_far))
    return info(table, here.time.now(), seat, {seat: table.chairs[seat].key})


@router.get("/tables/{id}/view")
async def view(request: Request, id: str, key: Key = None) -> View:
    here = house(request)
    table = await here.find(id)
    eyes = viewer(table, key)
    return View(
        version=table.history(eyes).version, view=view_at(table, eyes),
        clock=clock_info(table, eyes, here.time.now()), plea=plea_info(table, eyes),
    )  # fmt: skip


@router.get("/tables/{id}/legal")
async def legal(request: Request, id: str, key: Key = None) -> Legal:
    table = await house(request).find(id)
    shown = looked_at(table, seat_of(table, key))
    return Legal(version=shown.version, moves=list(shown.seen.legal))


@router.get("/tables/{id}/log")
async def log(request: Request, id: str, key: Key = None) -> MatchLog:
    table = await house(request).find(id)
    shown = looked_at(table, viewer(table, key))
    lines = [
        LogLine(number=entry.label, rule=entry.line.rule, text=str(entry.line))
        for entry in await asyncio.to_thread(lambda: shown.entries)
    ]
    return MatchLog(version=shown.version, lines=lines)


@router.post("/tables/{id}/play")
async def play(request: Request, id: str, decision: Choice, key: Key = None) -> Version:
    """Play one decision. Refused if it is not open (why, with the rule), or made in an older position."""
    here = house(request)
    table = await here.find(id)
    seat = seat_of(table, key)
    await here.do(table, Play(seat, [decision.move], version=decision.version))
    return Version(version=table.history(seat).version)


@router.post("/tables/{id}/undo")
async def undo(request: Request, id: str, taken: Undo, key: Key = None) -> Version:
    """Take the last decision back, where that is still free."""
    here = house(request)
    table = await here.find(id)
    seat = seat_of(table, key)
    await here.do(table, TakeBack(seat, version=taken.version))
    return Version(version=table.history(seat).version)


@router.post("/tables/{id}/back")
async def back(request: Request, id: str, wanted: Plead, key: Key = None) -> Version:
    """Ask for the seat's last decision back when others have acted on it, or answer to that: once every other person
    agrees, it is taken back, and everything since with it."""
    here = house(request)
    table = await here.find(id)
    seat = seat_of(table, key)
    player = holder(table, seat)
    if wanted.way == "ask":
        await here.do(table, AskBack(seat, player))
    else:
        await here.do(table, AnswerBack(player, wanted.plea, wanted.way == "agree"))
    return Version(version=table.history(seat).version)


@router.post("/tables/{id}/time-over")
async def time_over(request: Request, id: str, wanted: TimeOver, key: Key = None) -> Version:
    """Somebody's time is over, and the others have the word: end the match, which all of them must want, or let it go
    on, which one of them may."""
    here = house(request)
    table = await here.find(id)
    seat = seat_of(table, key)
    if not table.late:
        raise NotAllowed(NOT_LATE)
    if wanted.end:
        await here.do(table, Vote(holder(table, seat), True))
    for late in () if wanted.end else sorted(table.late):
        await here.do(table, GoOn(late, holder(table, seat)))
    return Version(version=table.history(seat).version)


@router.get("/tables/{id}/events", response_class=Response)
async def events(request: Request, id: str, since: int = 0, key: Key = None) -> Response:
    """Server-sent events: `step` with version, view, new lines of the log and the clock as it stood when it last
    changed, `beat` every 15 seconds in which nothing else is sent; resumes after Last-Event-ID."""
    here = house(request)
    table = await here.find(id)
    await word_ahead(table, viewer(table, key))
    eyes = viewer(table, key)
    last = request.headers.get("last-event-id", "")
    version = int(last) if last.isascii() and last.isdigit() and len(last) < 9 else since

    def draw(eyes: Viewer, number: int | None) -> dict[str, Any]:
        last = len(table.history(eyes).observations) - 1 if number is None else number
        lines = [
            {"number": one.label, "rule": one.line.rule, "text": str(one.line)} for one in said(table, eyes, last)
        ]
        parts: dict[str, Any] = {"view": view_at(table, eyes, last)}
        clock = clock_info(table, eyes, table.clock.at) if table.clock is not None else None
        if clock is not None:
            parts["clock"] = clock.model_dump()
        return {"parts": parts, "steps": lines}

    chair = None if eyes is None else table.chairs[eyes]
    follower = Follower(table, eyes, version, draw, lambda: eyes is None or table.chairs[eyes] is chair)
    stream = follow(table, follower, started=table.match is not None)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
