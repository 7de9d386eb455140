"""Settings of a table: where it keeps its data, and the secret it signs cookies with."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from samizdat.kernel.errors import SamizdatError


class ServeError(SamizdatError):
    """The table cannot be opened; says what to do."""


def default_data() -> Path:
    """The user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "samizdat"


@dataclass(frozen=True)
class Settings:
    """What `samizdat serve` was told."""

    data: Path
    database: str = ""  # an SQLAlchemy address; a file in the data folder unless given
    bot_workers: int = 1
    warm: bool = True  # compile the bots' search at once; without, bots compile nothing and think less
    secure: bool = False  # cookies over https only
    tables_a_day: int = 100  # that one visitor may open
    imports_a_day: int = 50  # matches that one visitor may bring as files
    requests_a_minute: int = 3000  # that one address may send: a full club room behind it; 0 is any number

    @property
    def address(self) -> str:
        return self.database or f"sqlite:///{self.data / 'samizdat.db'}"

    def prepare(self) -> None:
        """Make the data folder; ServeError if that cannot be."""
        try:
            self.data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ServeError(
                f"The data folder {self.data} cannot be made ({error.strerror}); choose another with --data."
            ) from None

    def secret(self) -> str:
        """The key that signs cookies: made once, readable by its owner only."""
        file = self.data / "secret.key"
        try:
            if not file.exists() or not file.stat().st_size:  # a full disk may have left nothing in it
                fresh = file.with_suffix(".new")
                handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(handle, "w") as stream:
                    stream.write(secrets.token_urlsafe(48))
                fresh.replace(file)
            return file.read_text()
        except OSError as error:
            raise ServeError(f"{file} cannot be read or written ({error.strerror}); choose another --data.") from None
