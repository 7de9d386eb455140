"""A calendar of deadlines, as RFC 5545 has it: until when somebody has to decide, table by table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

WIDEST = 75  # octets of a line
LASTS = timedelta(minutes=15)


@dataclass(frozen=True)
class Deadline:
    """Until when somebody has to decide at a table."""

    id: str
    words: str
    link: str
    at: float  # by the clock on the wall, if the house stays open


def calendar(name: str, deadlines: Iterable[Deadline], now: float) -> str:
    """The whole file."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Samizdat//Deadlines//EN", "METHOD:PUBLISH"]
    lines += [f"X-WR-CALNAME:{_text(name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    for one in deadlines:
        moment = datetime.fromtimestamp(one.at, UTC)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{one.id}@samizdat",
            f"DTSTAMP:{_moment(datetime.fromtimestamp(now, UTC))}",
            f"DTSTART:{_moment(moment - LASTS)}",
            f"DTEND:{_moment(moment)}",
            f"SUMMARY:{_text(one.words)}",
            f"DESCRIPTION:{_text(one.link)}",
            f"URL:{one.link}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _moment(when: datetime) -> str:
    return f"{when:%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    for sign in ("\\", ";", ","):
        words = words.replace(sign, f"\\{sign}")
    return " ".join(words.split())


def _folded(line: str) -> str:
    """A long line goes on in the next, which begins with a space; no letter is cut in two."""
    parts, length = [""], 0
    for letter in line:
        size = len(letter.encode())
        if length + size > WIDEST:
            parts.append(" ")
            length = 1
        parts[-1] += letter
        length += size
    return "\r\n".join(parts)
