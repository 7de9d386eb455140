"""What the JSON API says of a table besides its match: clocks, and who asks for a decision back."""

from __future__ import annotations

from pydantic import BaseModel, Field

from samizdat.table.opening import BOT_GOES_ON, OTHERS_SAY
from samizdat.table.seats import Viewer
from samizdat.table.tables import LiveTable


class SeatClock(BaseModel):
    """The time of one seat."""

    seat: int
    left: float = Field(description="seconds that the seat has, at the moment of the answer")
    runs: bool = Field(description="whether they go by now")
    paused: bool = Field(description="whoever sits there is on holiday: they stand still")
    late: int = Field(description="how often its time was over, where a decision may take days")
    out: bool = Field(description="its time is over, and the others may end the match or let it go on")


class ClockInfo(BaseModel):
    """What was agreed about time, and how much everybody has. It follows from what everybody sees: decisions made in
    secret neither stop a clock nor give time back."""

    kind: str = Field(description="`live`: so many seconds in all; `days`: so many for each decision")
    seconds: float
    increment: float = Field(description="seconds that each decision gives back to a live clock")
    time_over: str = Field(description="`bot`: a regular bot goes on; `others`: they end the match or let it go on")
    seats: list[SeatClock]


class PleaInfo(BaseModel):
    """Somebody asks for the last decision of a seat back, and everything since with it."""

    key: str = Field(description="to be sent back with an answer: what is agreed to")
    seat: int = Field(description="who asks")
    opened: bool = Field(description="cards were drawn or something was revealed since; the same luck comes again")
    asked: list[int] = Field(description="the seats that have to agree")
    agreed: list[int]
    refused: list[int]


def clock_info(table: LiveTable, eyes: Viewer, now: float) -> ClockInfo | None:
    """The clock as a viewer may know it: who is behind the match would learn from it what happens now."""
    clock = table.clock
    if clock is None or table.delays(eyes):
        return None
    terms = clock.terms
    return ClockInfo(
        kind=terms.kind, seconds=terms.seconds, increment=terms.increment,
        time_over=OTHERS_SAY if terms.others else BOT_GOES_ON,
        seats=[
            SeatClock(
                seat=seat, left=clock.left(seat, now), runs=clock.goes(seat) and not table.over, paused=dial.paused,
                late=dial.late, out=dial.out,
            )
            for seat, dial in enumerate(clock.dials)
        ],
    )  # fmt: skip


def plea_info(table: LiveTable, eyes: Viewer) -> PleaInfo | None:
    """Who watches is not asked."""
    plea = table.asked_back if eyes is not None else None
    if plea is None:
        return None
    return PleaInfo(
        key=plea.key, seat=plea.by, opened=plea.opened, asked=sorted(table.asked_of(plea)), agreed=sorted(plea.yes),
        refused=sorted(plea.no),
    )  # fmt: skip
