"""A client that plays a language model's part over the Model Context Protocol: `python over_mcp.py [ADDRESS]`.

It starts `samizdat mcp` as an assistant would, asks for the rules, opens a table, and decides by what it reads: a
model does the same with more thought."""

from __future__ import annotations

import asyncio
import re
import sys

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

MOST_DECISIONS = 2_000
CHOICE = re.compile(r"^- ([a-z_0-9 -]+): ", re.MULTILINE)


def text(result: CallToolResult) -> str:
    said = "\n".join(one.text for one in result.content if isinstance(one, TextContent))
    if result.is_error:
        raise SystemExit(said)
    return said


def choose(told: str) -> str | None:
    """The notation of a choice, from the text that the table told; None where there is none."""
    choices = CHOICE.findall(told.partition("Open to you")[2])
    return next((move for move in choices if " " in move), choices[0]) if choices else None


async def play(address: str) -> str:
    command = StdioServerParameters(command=sys.executable, args=["-m", "samizdat", "mcp", "--server", address])
    async with Client(command) as model:
        print(text(await model.call_tool("rules", {"game": "dual-powers"})).splitlines()[1])
        told = text(await model.call_tool("open_table", {"game": "dual-powers", "seats": ["me", "random"]}))
        table = re.search(r"^Table (\S+),", told, re.MULTILINE)
        assert table is not None, told
        for _ in range(MOST_DECISIONS):
            move = choose(told)
            if move is None:
                break
            told = text(await model.call_tool("decide", {"table": table[1], "move": move}))
        return told


if __name__ == "__main__":
    print(asyncio.run(play(*(sys.argv[1:] or ["http://localhost:1917"]))))
