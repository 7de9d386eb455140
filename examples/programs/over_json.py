"""A program that plays a whole match over the JSON API: `python over_json.py [ADDRESS [GAME]]`.

It takes the first choice that is not a way to end its turn, which is no way to win; put yours into `choose`."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from samizdat.programs.client import Changed, Client

SEATS = {"revolution": 3}  # the others are for two


def choose(now: dict[str, Any]) -> str:
    """A decision, from what the seat knows (`now["view"]`), what happened, and what is open."""
    moves = [one["move"] for one in now["choices"]]
    return next((move for move in moves if " " in move), moves[0])


def main(address: str = "http://localhost:1917", game: str = "revolution") -> None:
    bots = ["random"] * (SEATS.get(game, 2) - 1)
    seat = Client(address).open(game, ["me", *bots], name="Program")
    print(f"{address}/table/{seat.id}")
    while not (now := seat.position(wait=20))["over"]:
        for line in now["happened"]:
            print(f"  {line['text']}")
        if now["acts"]:
            with suppress(Changed):  # somebody who may decide at the same time was quicker: look again
                seat.play(choose(now))
    print(now["says"])


if __name__ == "__main__":
    main(*sys.argv[1:])
