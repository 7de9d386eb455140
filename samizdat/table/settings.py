"""Settings of a table: where it keeps its data and for whom, and the secret it signs cookies with."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.systems import lock

DATABASE, SECRET = "samizdat.db", "secret.key"


class ServeError(SamizdatError):
    """The table cannot be opened; says what to do."""


def default_data() -> Path:
    """The user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "samizdat"


def fresh_secret() -> str:
    """A key that cookies can be signed with."""
    return secrets.token_urlsafe(48)


def write_secret(file: Path, secret: str) -> None:
    """Whole or not at all, and readable by its owner only."""
    fresh = file.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(secret)
    fresh.replace(file)


class Claim:
    """A data folder is this server's alone: two would each keep matches in memory that the other one changes. The
    lock ends with the process, however that ended."""

    def __init__(self, folder: Path) -> None:
        file = folder / "samizdat.lock"
        try:
            self._lock = os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+")
            try:
                lock(self._lock, wait=False)
            except BlockingIOError:
                other = self._lock.read().strip()
                self._lock.close()
                raise ServeError(
                    f"The data folder {folder} is already served{f' by process {other}' if other else ''}; end that "
                    "server, or choose another folder with --data."
                ) from None
            self._lock.truncate(0)
            print(os.getpid(), file=self._lock, flush=True)
        except OSError as error:
            raise ServeError(
                f"{file} cannot be locked ({error.strerror}); choose another folder with --data."
            ) from None

    def close(self) -> None:
        self._lock.close()


@dataclass(frozen=True)
class Settings:
    """What `samizdat serve` was told."""

    data: Path
    database: str = ""  # the address of a database; a file in the data folder unless given
    bot_workers: int = 1  # processes that think for bots; 0, where others do that that share the database
    warm: bool = True  # compile the bots' search at once; without, bots compile nothing and think less
    secure: bool = False  # cookies over https only
    tables_a_day: int = 100  # that one visitor may open
    imports_a_day: int = 50  # matches that one visitor may bring as files
    boxes: tuple[Path, ...] = ()  # box files that everybody here may play with
    metrics_token: str = ""  # that whoever reads the server's numbers must bring; without one nobody can
    log_json: bool = False
    idle_seconds: float = 600.0  # that a table stays in memory when nobody looks at it
    smtp: str = ""  # the mail server, as an address: smtp://user:password@host:587; without one no letters are sent
    mail_from: str = ""  # whom letters come from
    private_hooks: bool = False  # whether messages may go to addresses that are not public: for tests, and for clubs
    backups: Path | None = None  # where the host's page puts backups
    requests_a_minute: int = 3000  # that one address may send: a full club room behind it; 0 is any number

    @property
    def address(self) -> str:
        return self.database or f"sqlite:///{self.data / DATABASE}"

    @property
    def backup_folder(self) -> Path | None:
        """Where a backup may be put: a folder that somebody named, or one in the house's own, which nobody else
        reads. Without either there is none."""
        return self.backups or (None if self.database else self.data / "backups")

    @property
    def shared(self) -> bool:
        """Whether the database is a server's, which several processes use; nothing is kept in a folder then."""
        return bool(self.database) and not self.database.startswith("sqlite")

    def prepare(self) -> Claim | None:
        """Make the data folder, if there is to be one, and claim it; nobody else may read in it. ServeError if that
        cannot be."""
        if self.shared:
            return None
        try:
            self.data.mkdir(0o700, parents=True, exist_ok=True)
            if self.data == default_data():  # one that somebody chose may hold other things
                self.data.chmod(0o700)
            claim = Claim(self.data)
            if not self.database:
                (self.data / DATABASE).touch(0o600)  # what SQLite puts beside it gets the same mode
            for file in (*self.data.glob("samizdat*"), *self.data.glob(SECRET)):
                file.chmod(0o600)
        except OSError as error:
            raise ServeError(
                f"The data folder {self.data} cannot be made or written ({error.strerror}); "
                "choose another with --data."
            ) from None
        return claim

    def secret(self) -> str:
        """The key that signs cookies: made once, readable by its owner only."""
        file = self.data / SECRET
        try:
            if not file.exists() or not file.stat().st_size:  # a full disk may have left nothing in it
                write_secret(file, fresh_secret())
            return file.read_text(encoding="utf-8")
        except OSError as error:
            raise ServeError(f"{file} cannot be read or written ({error.strerror}); choose another --data.") from None
