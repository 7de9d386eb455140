"""Tables that the host froze: everything stays as it is, clocks stand still, bots pause, everybody there reads why.

It is in the database, so it holds in every process and after a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.telling import Phrase
from samizdat.table.store import barring

if TYPE_CHECKING:
    from samizdat.table.house import House

FROZEN = Phrase(
    "The host has frozen this table: everything stays as it is, clocks stand still, and nothing is decided here for "
    "now."
)
FROZEN_WHY = Phrase("{frozen} The host says: {why}")


def frozen_words(why: str) -> Phrase:
    """What everybody at a frozen table reads."""
    return Phrase(FROZEN_WHY.text, {"frozen": FROZEN, "why": why}) if why else FROZEN


async def freeze(house: House, id: str, why: str) -> None:
    """When this returns, nothing is decided there any more, whichever process is asked."""
    await asyncio.to_thread(barring.freeze, house.store, id, why, house.time.now())
    await house.read_again(id)


async def thaw(house: House, id: str) -> bool:
    """Whether it was frozen; its bots go on."""
    was = await asyncio.to_thread(barring.unfreeze, house.store, id, house.time.now())
    if was:
        await _go_on(house, id)
    return was


async def heed(house: House, before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """What another program said meanwhile, of which a file tells nobody: tables here are read again where they
    differ, and those that go on do so."""
    for id, why in house.known_frozen().items():
        if why != now.get(id):
            with suppress(SamizdatError):
                await house.read_again(id)
    for id in before.keys() - now.keys():
        await _go_on(house, id)


async def _go_on(house: House, id: str) -> None:
    with suppress(SamizdatError):  # of other rules, or gone meanwhile
        await house.read_again(id)
        house.on_change(await house.find(id))
