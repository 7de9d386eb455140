"""A server of the Model Context Protocol (`samizdat mcp`): a language model opens tables, sits down, reads what its
seat may know, the choices in words and the rules by number, and decides.

It talks to a table as any program does, over the JSON API, and so knows no more than a browser at the same seat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from samizdat.programs.client import Changed, Client, Refused, SeatAtTable

T = TypeVar("T")

WAIT = 20.0  # seconds that one question to the table may stay open
PATIENCE = 120.0  # seconds after which a tool answers, whoever's turn it is
MOST_RULES = 12  # found by one search

INSTRUCTIONS = """Samizdat is a table for board games with hidden information. Call `games`, then `open_table` (or
`join_table` with the id of somebody's table). Every answer says where your seat stands, what happened since, and the
decisions open to you, each with its notation; decide with `decide`, giving that notation exactly. Numbers in brackets
are rules: `rules` reads them. What you are not told is secret from your seat."""


def in_words(seat: SeatAtTable, now: Mapping[str, Any]) -> str:
    """A position as a text."""
    lines = [f"Table {seat.id}, {seat.game}, you are seat {seat.seat}."]
    if now["happened"]:
        lines += ["", "The match so far:" if now["whole"] else "Since you looked last:"]
        lines += [f"- {one['text']}" + (f" ({one['rule']})" if one["rule"] else "") for one in now["happened"]]
    lines += ["", now["says"]]
    if now["clock"]:
        left = [f"seat {one['seat']} {one['left']:.0f} s" + " (over)" * one["out"] for one in now["clock"]["seats"]]
        lines += [f"Time left: {', '.join(left)}."]
    if (plea := now["plea"]) and seat.seat in plea["asked"] and seat.seat not in plea["agreed"] + plea["refused"]:
        since = " Something came out since: what was seen stays seen." if plea["opened"] else ""
        lines += [f"Seat {plea['seat']} asks to take back its last decision.{since} Call `answer_back`."]
    if now["choices"]:
        lines += ["", "Open to you (notation: what it means):"]
        lines += [f"- {one['move']}: {one['words']}" for one in now["choices"]]
    return "\n".join(lines)


def _values(thing: Any, indent: str = "") -> list[str]:
    """What a seat sees, as an outline: shorter than JSON, and read as easily."""
    if isinstance(thing, Mapping):
        pairs: list[tuple[Any, Any]] = list(thing.items())
    elif isinstance(thing, list):
        pairs = list(enumerate(thing))
    else:
        return [f"{indent}{thing}"]
    lines = []
    for name, value in pairs:
        if isinstance(value, Mapping | list) and value and not _flat(value):
            lines += [f"{indent}{name}:", *_values(value, indent + "  ")]
        else:
            lines.append(f"{indent}{name}: {_flatly(value)}")
    return lines


def _flat(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(one, Mapping | list) for one in value)


def _flatly(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) and value else str(value)


class Sitting:
    """The seats that a model holds, each under its table's id."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._seats: dict[str, SeatAtTable] = {}

    def sits(self, seat: SeatAtTable) -> SeatAtTable:
        self._seats[seat.id] = seat
        return seat

    def at(self, table: str) -> SeatAtTable:
        if table not in self._seats:
            raise Refused(f"You have no seat at table {table[:40]!r}; open one, join it, or come back with its key.")
        return self._seats[table]

    def until_my_turn(self, seat: SeatAtTable, patience: float) -> dict[str, Any]:
        """The position in which the seat is to decide, or the match is over, or patience ended; everything that was
        told on the way to it stands in it."""
        told: list[Any] = []
        end, whole = time.monotonic() + patience, False
        while True:
            left = end - time.monotonic()
            now = seat.position(max(0.0, min(WAIT, left)))
            if now["whole"]:
                told = []
            told, whole = told + now["happened"], whole or now["whole"]
            asked = now["plea"] is not None and seat.seat in now["plea"]["asked"]
            if now["acts"] or now["over"] or asked or left <= 0:
                return now | {"happened": told, "whole": whole}


async def _asked(work: Callable[[], T]) -> T:
    """Asked in a thread; what a table refuses is told to the model in the table's own words."""
    try:
        return await asyncio.to_thread(work)
    except Refused as error:
        raise ToolError(str(error)) from None


def server(client: Client, patience: float = PATIENCE) -> MCPServer:
    """The server, with everything that a model can do."""
    sitting = Sitting(client)
    found = MCPServer("samizdat", instructions=INSTRUCTIONS)

    def told(seat: SeatAtTable) -> str:
        return in_words(seat, sitting.until_my_turn(seat, patience))

    @found.tool()
    async def games() -> str:
        """Every game with its variants, numbers of players and options."""
        return "\n".join(_values(await _asked(client.games)))

    @found.tool()
    async def open_table(
        game: str,
        seats: list[str],
        name: str = "",
        variant: str = "",
        options: dict[str, bool | int | str] | None = None,
        clock: dict[str, int | str] | None = None,
        watch: str = "link",
        delay: str = "",
        private: bool = False,
    ) -> str:
        """Open a table and sit down. `seats` has one word for each seat, in their order: "me" once, for the others
        "open" (somebody joins by the table's id) or a bot's level: random, novice, regular, expert or reflex. A
        `clock` is {"kind": "live", "minutes": 20, "increment": 10} or {"kind": "days", "days": 2}; who may `watch` is
        "link", "seats" or "nobody", with a `delay` of "five" decisions or a "round"; `private` lets two seats talk
        alone."""

        def work() -> str:
            agreed: dict[str, Any] = {"clock": clock, "watch": watch, "delay": delay, "private": private}
            seat = sitting.sits(client.open(game, seats, name, variant or None, options, **agreed))
            head = f"Your key for coming back to table {seat.id} is {seat.key}; tell it nobody.\n\n"
            if "open" in seats:
                return f"{head}Table {seat.id} waits for others to sit down; call `wait` then."
            return head + told(seat)

        return await _asked(work)

    @found.tool()
    async def join_table(table: str, name: str = "", key: str = "") -> str:
        """Take an open seat of a table by the table's id; with the key of a seat, come back to that one."""

        def work() -> str:
            seat = sitting.sits(client.again(table, key) if key else client.join(table, name))
            return f"You sit in seat {seat.seat} of table {seat.id}; your key for coming back is {seat.key}."

        return await _asked(work)

    @found.tool()
    async def wait(table: str) -> str:
        """Where your seat stands, once you are to decide or the match is over; or after two minutes."""
        return await _asked(lambda: told(sitting.at(table)))

    @found.tool()
    async def look(table: str) -> str:
        """All that your seat sees of the board now, and what is open to you."""

        def work() -> str:
            seat = sitting.at(table)
            now = seat.position()
            return "\n".join([in_words(seat, now), "", "What you see:", *_values(now["view"])])

        return await _asked(work)

    @found.tool()
    async def decide(table: str, move: str) -> str:
        """Decide, in the notation of one of the choices; answers when you are to decide again."""

        def work() -> str:
            seat = sitting.at(table)
            try:
                seat.play(move)
            except Changed as error:
                return f"Nothing was decided. {error}\n\n{told(seat)}"
            return told(seat)

        return await _asked(work)

    @found.tool()
    async def take_back(table: str) -> str:
        """Take your last decision back, where that is still free."""

        def work() -> str:
            seat = sitting.at(table)
            seat.take_back()
            return told(seat)

        return await _asked(work)

    @found.tool()
    async def ask_back(table: str) -> str:
        """Ask the others for your last decision back, where it is not free any more."""

        def work() -> str:
            seat = sitting.at(table)
            seat.ask_back()
            return told(seat)

        return await _asked(work)

    @found.tool()
    async def answer_back(table: str, agree: bool) -> str:
        """Agree to somebody who asks to take a decision back, or let it stand."""

        def work() -> str:
            seat = sitting.at(table)
            plea = seat.position()["plea"]
            if plea is None:
                raise Refused("Nobody asks for a decision back.")
            seat.answer_back(plea, agree)
            return told(seat)

        return await _asked(work)

    @found.tool()
    async def rules(game: str, number: str = "", search: str = "") -> str:
        """The rules of a game: one by its number, those that hold some words, or the aim and all numbers by part."""

        def work() -> str:
            book = client.rules(game)
            if number or search:
                return _some_rules(book, number.strip("() ."), search)
            parts: dict[str, list[str]] = {}
            for one in book["rules"]:
                parts.setdefault(one["part"], []).append(one["number"])
            return "\n".join(
                [book["title"], book["aim"], "", *(f"{part}: {', '.join(n)}" for part, n in parts.items())]
            )

        return await _asked(work)

    return found


def _some_rules(book: Mapping[str, Any], number: str, search: str) -> str:
    words = search.casefold().split()
    hits = [
        one
        for one in book["rules"]
        if one["number"] == number or (words and all(word in one["text"].casefold() for word in words))
    ]
    if not hits:
        raise Refused(f"There is no rule {number or search!r} in {book['title']}; ask without one for all numbers.")
    more = [f"… and {len(hits) - MOST_RULES} more."] if len(hits) > MOST_RULES else []
    return "\n".join([f"{one['number']} ({one['part']}): {one['text']}" for one in hits[:MOST_RULES]] + more)
