"""A backup that the host's page asks for: the command itself, in a process of its own, so that playing every match
through again takes no time from anybody at a table. One at a time, whichever process is asked."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from samizdat.kernel.systems import lock, make_polite
from samizdat.table.backups import tell_lost
from samizdat.table.settings import Settings

log = logging.getLogger("samizdat.host")

POLITENESS = 10
KEPT = 14  # in the house's own folder; in one that somebody named, all stay
LOCK = "backup.lock"


class Backing:
    """Makes backups for whoever asks."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.folder = settings, settings.backup_folder
        self._task: asyncio.Task[None] | None = None

    def busy(self) -> bool:
        """Whether one is being made, by any process on this machine."""
        if self._task is not None and not self._task.done():
            return True
        if self.folder is None or not (self.folder / LOCK).exists():
            return False
        held = self._claim(self.folder)
        if held is not None:
            held.close()
        return held is None

    def begin(self) -> bool:
        """Begin one; whether that was possible."""
        if self.folder is None or self.busy():
            return False
        self._task = asyncio.create_task(self._make(self.folder))
        return True

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def finished(self) -> None:
        """Until the one that was begun here is done."""
        if self._task is not None:
            await self._task

    @staticmethod
    def _claim(folder: Path) -> IO[str] | None:
        """The folder is this process's own until it closes what it gets; None if another one has it."""
        folder.mkdir(0o700, parents=True, exist_ok=True)
        held = os.fdopen(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
        try:
            lock(held, wait=False)
        except BlockingIOError:
            held.close()
            return None
        return held

    async def _make(self, folder: Path) -> None:
        began, words = time.time(), "the backup did not begin"
        try:
            held = await asyncio.to_thread(self._claim, folder)
            if held is None:
                return
            try:
                words = await self._run(folder)
            finally:
                held.close()
        except OSError as error:
            words = f"the backup did not begin: {error.strerror}"
        if words:
            log.error("a backup failed")
            await asyncio.to_thread(tell_lost, self.settings, folder, began, words)
        else:
            log.info("a backup was made and proved")

    async def _run(self, folder: Path) -> str:
        """The command; what went wrong, if it did."""
        where = [] if self.settings.database else ["--data", str(self.settings.data)]
        keep = 0 if self.settings.backups else KEPT
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "samizdat", "backup", str(folder), "--keep", str(keep), *where,
            env=os.environ | {"SAMIZDAT_DATABASE_URL": self.settings.database},
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        make_polite(process.pid, POLITENESS)
        try:
            code = await process.wait()
        except asyncio.CancelledError:  # the house closes: half a backup is none
            process.terminate()
            await process.wait()
            raise
        return "" if code == 0 else f"its process ended with {code}"
