"""Hours and days on which somebody wants to be left alone, by the clock where they are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

UTC = "UTC"
HOLIDAYS_A_YEAR = 30  # days
LONGEST_AHEAD = 400  # days from now that holidays can begin
MINUTES_A_DAY = 24 * 60


@cache
def zones() -> tuple[str, ...]:
    """The names of all time zones that are places."""
    return (UTC, *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


def zone_of(name: str) -> ZoneInfo:
    """A time zone; that of nobody in particular for a name that is none."""
    return ZoneInfo(name if name in zones() else UTC)


def quiet_until(reach: Any, now: float) -> float | None:
    """When the quiet hours that somebody has just now end; None while they have none."""
    if reach is None or reach.quiet_from is None or reach.quiet_from == reach.quiet_to:
        return None
    there = datetime.fromtimestamp(now, zone_of(reach.zone))
    minute = there.hour * 60 + there.minute
    gone, lasts = (minute - reach.quiet_from) % MINUTES_A_DAY, (reach.quiet_to - reach.quiet_from) % MINUTES_A_DAY
    if gone >= lasts:
        return None
    return now + 60.0 * float(lasts - gone) - there.second


def today(zone: str, now: float) -> date:
    return datetime.fromtimestamp(now, zone_of(zone)).date()


def days_taken(holidays: Iterable[tuple[date, date]], year: int) -> int:
    """How many days of a year somebody has taken off."""
    taken = set()
    for first, last in holidays:
        taken |= {first + timedelta(day) for day in range((last - first).days + 1)}
    return sum(day.year == year for day in taken)
