"""The host's word, as every process of the server knows it: who is kept out, which tables are frozen.

A command says so in the database, whichever process does that; servers look there every few seconds. Meanwhile what
nobody looks at leaves the memory.
"""

from __future__ import annotations

import asyncio
import logging
import time
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from samizdat.table.chores import Chore
from samizdat.table.freezing import heed
from samizdat.table.house import House
from samizdat.table.retention import let_go_daily
from samizdat.table.store.barring import banned, frozen_tables
from samizdat.table.sweeping import Sweeper

log = logging.getLogger("samizdat.host")

EVERY = 5.0  # seconds
MANY = 50  # tables that leave at once: then the memory is handed back to the system


class Host(Chore):
    """What the host said last."""

    def __init__(self, house: House, idle: float, sweeper: Sweeper) -> None:
        self.house, self.idle, self.sweeper = house, idle, sweeper
        self.networks: list[tuple[IPv4Network | IPv6Network, float | None]] = []
        self.players: dict[str, float | None] = {}
        self.frozen: dict[str, str] = {}  # tables, with what was said to those there

    def keeps_out(self, address: str, player: str) -> bool:
        """Whether whoever asks is kept out now."""
        now = time.time()
        if player in self.players and _runs(self.players[player], now):
            return True
        where = _place(address) if self.networks else None
        return where is not None and any(where in network and _runs(until, now) for network, until in self.networks)

    @staticmethod
    def includes(whom: str, address: str) -> bool:
        """Whether a network, if it is one, has an address in it."""
        try:
            return _place(address) in ip_network(whom)
        except (ValueError, TypeError):
            return False

    def read(self) -> None:
        """What is in the database by now."""
        networks, people = [], {}
        for row in banned(self.house.store, time.time()):
            try:
                networks.append((ip_network(row.whom), row.until))
            except ValueError:
                people[row.whom] = row.until
        self.networks, self.players = networks, people
        self.frozen = {row.table: row.why for row in frozen_tables(self.house.store)}

    async def look(self) -> None:
        before = self.frozen
        await asyncio.to_thread(self.read)
        await heed(self.house, before, self.frozen)
        if (gone := await asyncio.to_thread(let_go_daily, self.house.store)) is not None:
            told = len(gone.finished), len(gone.abandoned), len(gone.guests)
            log.info("let go: %d finished tables, %d that never began, %d guests", *told)
        await self.house.look_for_removed()
        if self.house.forget_idle(self.idle) >= MANY:
            self.sweeper.ask()

    # --- as long as the house is open --------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:  # the database is away: what was said last holds until it is back
                log.warning("what the host says cannot be read (%s)", type(error).__name__)
            await asyncio.sleep(EVERY)


def _place(address: str) -> IPv4Address | IPv6Address | None:
    try:
        where = ip_address(address)
    except ValueError:
        return None
    return getattr(where, "ipv4_mapped", None) or where


def _runs(until: float | None, now: float) -> bool:
    return until is None or until > now
