"""New tables as the database keeps them, before anything is played."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from samizdat.kernel.game import Game
from samizdat.table.seats import Seat
from samizdat.table.store.store import key_of
from samizdat.table.tables import OPEN
from samizdat.table.tickets import Ticket, fresh_ticket


def table_row(id: str, game: Game, opened_by: str, public: bool, seed: int) -> dict[str, Any]:
    """A table whose seed is known."""
    return {
        "id": id, "game": game.name, "variant": game.variant, "players": game.players,
        "options": dict(game.options), "rules": game.rules, "box": game.box.hash, "public": public,
        "opened_by": opened_by, "status": OPEN, "seed": f"{seed:032x}", "nonce": secrets.token_hex(16),
        "acting": 0, "plies": 0, "state": None, "result": None, "rematch": None, "imported": False,
        "printed": key_of(game.printed) if game.printed else None,
        "start": None, "fair": None, "manners": None, "proposal": None,
        "plea": None,
    }  # fmt: skip


def fair_row(
    game: Game, chairs: Sequence[Seat], opened_by: str, public: bool, ticket: Ticket | None = None, number: str = ""
) -> dict[str, Any]:
    """A table whose seed is made when the cards are dealt. A number is taken only with the ticket that it was made
    for, and belongs to the first seat of whoever sent it."""
    known = ticket or fresh_ticket()
    fairness = known.fairness
    mine = next((seat for seat, chair in enumerate(chairs) if opened_by in chair.holders), None)
    if ticket is not None and number and mine is not None:
        fairness = fairness.plus(mine, number)
    row = table_row(fairness.table, game, opened_by, public, 0)
    return row | {"nonce": f"{known.secret:032x}", "fair": fairness.written()}
