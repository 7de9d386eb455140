"""What a process does again and again while the house is open."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Chore:
    """Begun when the house opens, broken off when it closes. `_run` goes on for ever, whatever goes wrong in it."""

    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        raise NotImplementedError
