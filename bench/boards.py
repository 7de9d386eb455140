"""How long a board takes to draw, and what its page weighs."""

from __future__ import annotations

import random
import re
import statistics
import time

import httpx

from samizdat.kernel.game import definitions
from samizdat.table.page_parts import parts
from samizdat.table.preview import position, random_match


def drawing() -> dict[str, float]:
    """Milliseconds to draw all parts of a board in a running match: each position is new, most of it is not."""
    found = {}
    for name in definitions():
        match = random_match(name, 7, 30, {})
        dice = random.Random(7)
        spent = []
        while not match.over and match.plies < 80:
            seat = dice.choice(match.turn)
            match.play(seat, dice.choice(match.legal(seat)))
            for viewer in (0, 1):
                shown = position(match, viewer)
                started = time.process_time()
                parts(shown, "en")
                spent.append(time.process_time() - started)
        found[name] = round(1000 * statistics.median(spent), 2)
    return found


async def weigh(port: int) -> dict[str, float]:
    """Kilobytes of a board's page on a first visit, compressed, fonts aside."""
    found = {}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", follow_redirects=True, timeout=60) as client:
        for name in definitions():
            page = await client.post(
                f"/new/{name}",
                data={"name": "A", "seat-0": "me"} | {f"seat-{seat}": "bot-random" for seat in (1, 2, 3)},
            )
            assert 'id="board"' in page.text, page.url
            total = int(page.headers.get("content-length", len(page.content)))
            for link in re.findall(r'(?:href|src)="(/(?:static|boards)/[^"]+)"', page.text):
                if "fonts/" not in link:
                    answer = await client.get(link)
                    total += int(answer.headers.get("content-length", len(answer.content)))
            found[name] = round(total / 1024, 1)
    return found
