"""What a program that plays asks for, in words: where it stands, what it may decide, what happened since, the rules.

One answer holds what a page shows to the same seat, so that a language model, or any program, needs nothing else."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.requests import Request

from samizdat.kernel.game import definition
from samizdat.kernel.telling import Phrase
from samizdat.table.contexts import Context
from samizdat.table.declined import NoTable
from samizdat.table.drawings import looked_at, word_ahead
from samizdat.table.freezing import frozen_words
from samizdat.table.language import language
from samizdat.table.routes.api import Key, LogLine, seat_of, viewer
from samizdat.table.routes.api_parts import ClockInfo, PleaInfo, clock_info, plea_info
from samizdat.table.routes.asking import house
from samizdat.table.rulebooks import Clause, clauses, rulebook
from samizdat.table.seats import Viewer
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import PageView

router = APIRouter(prefix="/api")

LONGEST_WAIT = 25.0  # seconds: proxies give up on an answer after 30

Spoken = Annotated[str, Query(pattern="^(en|de|it|pl)$", description="the language of all words")]


class ChoiceInfo(BaseModel):
    """A decision that is open to the seat."""

    move: str = Field(description="in notation, as `play` takes it")
    words: str


class PositionInfo(BaseModel):
    """Where a seat stands, in words: the same that a page would show it."""

    version: int
    acts: bool = Field(description="whether this seat is to decide now")
    over: bool
    frozen: str | None = Field(description="what the host says, where nobody may decide for now; else null")
    turn: list[int]
    says: str = Field(description="what is to do, for whom the match waits, or who won and by what")
    choices: list[ChoiceInfo]
    whole: bool = Field(description="`happened` begins with the match: nothing was known before, or the past changed")
    happened: list[LogLine]
    view: dict[str, Any] = Field(description="all and only what this seat may know")
    clock: ClockInfo | None = Field(description="null without a clock, and to who watches with a delay")
    plea: PleaInfo | None = Field(description="somebody asks for a decision back; null to who watches")


class HeldSeat(BaseModel):
    """Which seat a key opens."""

    seat: int
    game: str


class RuleInfo(BaseModel):
    """One numbered rule."""

    number: str
    part: str
    text: str


class RulesInfo(BaseModel):
    """The rulebook of a game, rule by rule."""

    title: str
    aim: str
    rules: list[RuleInfo]


@router.get("/tables/{id}/position")
async def position(
    request: Request,
    id: str,
    since: Annotated[int, Query(ge=0, description="the version that is known already")] = 0,
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT, description="seconds to wait for a newer one, or for one's turn")
    ] = 0,
    lang: Spoken = "en",
    key: Key = None,
) -> PositionInfo:
    """Where the seat stands. With `wait`, the answer comes when the seat is to decide, the match is over, or
    somebody asks it for a decision back, or something happened that it can see; or else after so many seconds."""
    here = house(request)
    table = await here.find(id)
    await _until_it_matters(table, viewer(table, key), since, wait)
    await word_ahead(table, viewer(table, key))
    eyes = viewer(table, key)  # asked again: the seat may have been given to somebody else meanwhile
    shown = looked_at(table, eyes)
    beside = {"clock": clock_info(table, eyes, here.time.now()), "plea": plea_info(table, eyes)}
    return await asyncio.to_thread(_told, shown, beside, table.history(eyes).rewritten, since, lang)


async def _until_it_matters(table: LiveTable, eyes: Viewer, since: int, wait: float) -> None:
    """Woken as streams are, by nothing that the viewer cannot see."""

    def nothing_new() -> bool:
        if table.match is None:
            return True
        plea = plea_info(table, eyes)
        if plea is not None and eyes in plea.asked and eyes not in (*plea.agreed, *plea.refused):
            return False
        asked = eyes in table.match.turn and table.frozen is None
        return table.history(eyes).version <= since and not asked and not table.over

    listener = asyncio.Event()
    table.listeners.setdefault(eyes, set()).add(listener)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                while nothing_new():
                    await listener.wait()
                    listener.clear()
    finally:
        table.listeners[eyes].discard(listener)


def _told(shown: PageView, beside: dict[str, Any], rewritten: int, since: int, code: str) -> PositionInfo:
    c = Context(shown, language(code), helps=False)
    behind = shown.version - since
    whole = behind < 0 or since < rewritten or behind >= len(shown.heard)
    steps = shown.log.read(shown.heard)
    fresh = shown.entries if whole else [one for step in steps[len(steps) - behind :] for one in step.entries]
    if c.acts:
        says = " ".join(c.say(part) for part in (c.status.do, c.status.left) if part)
    elif shown.frozen is not None:
        says = c.say(frozen_words(shown.frozen))
    else:
        says = f"{c.headline}." if c.over else c.waiting()
    return PositionInfo(
        version=shown.version, acts=c.acts, over=c.over, frozen=shown.frozen, turn=list(shown.view["turn"]),
        says=says,
        choices=[ChoiceInfo(move=one, words=c.label(one)) for one in shown.seen.legal],
        whole=whole,
        happened=[LogLine(number=one.label, rule=one.line.rule, text=c.say(one.line)) for one in fresh],
        view=shown.view, **beside,
    )  # fmt: skip


@router.get("/tables/{id}/seat")
async def seat(request: Request, id: str, key: Key = None) -> HeldSeat:
    """The seat whose key is sent: for a program that comes back."""
    table = await house(request).find(id)
    return HeldSeat(seat=seat_of(table, key), game=table.game.name)


@router.get("/games/{name}/rules")
async def rules(name: str, lang: Spoken = "en") -> RulesInfo:
    """Every numbered rule of a game."""
    found = definition(name).name
    book = await asyncio.to_thread(rulebook, found, lang)
    return RulesInfo(title=book.title, aim=book.aim, rules=[_plain(one) for one in clauses(found, lang)])


@router.get("/games/{name}/rules/{number}")
async def rule(name: str, number: str, lang: Spoken = "en") -> RuleInfo:
    """One rule, by the number that the log and refusals cite."""
    for one in await asyncio.to_thread(clauses, definition(name).name, lang):
        if one.number == number:
            return _plain(one)
    raise NoTable(Phrase("There is no such rule."))


def _plain(clause: Clause) -> RuleInfo:
    text = clause.html.striptags().removeprefix(clause.number).lstrip(". ")
    return RuleInfo(number=clause.number, part=clause.part, text=text)
