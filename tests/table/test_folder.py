"""The data folder: one server at a time, and nobody else reads in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import samizdat
from samizdat.table.settings import ServeError, Settings, default_data
from tests.table.conftest import Site

HOLD = """
import pathlib, sys
from samizdat.table.settings import Settings
claim = Settings(pathlib.Path(sys.argv[1])).prepare()
print("held", flush=True)
sys.stdin.read()
"""


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_two_servers_on_one_folder_are_refused(tmp_path: Path) -> None:
    with closing(Site(tmp_path)) as site:
        table = site.table(samizdat.game("revolution"))
        with pytest.raises(ServeError, match=r"already served.*--data"):
            Site(tmp_path)
        site.wander(table, 3)  # the first one does not notice
    Site(tmp_path).close()


def test_the_folder_is_free_when_its_server_was_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(ServeError, match=f"by process {other.pid}"):
            Settings(tmp_path).prepare()
        other.send_signal(signal.SIGKILL)
        other.wait()
    Settings(tmp_path).prepare().close()


def test_a_server_that_could_not_begin_lets_the_folder_go(tmp_path: Path) -> None:
    (tmp_path / "samizdat.db").write_bytes(b"this is a text, and a rather long one at that" * 40)
    with pytest.raises(ServeError, match="cannot be opened"):
        Site(tmp_path)
    (tmp_path / "samizdat.db").unlink()
    Site(tmp_path).close()


def test_nobody_else_reads_what_is_stored(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    before = os.umask(0)
    try:
        with closing(Site(folder)) as site:
            site.wander(site.table(samizdat.game("revolution")), 2)
            assert {file.name for file in folder.iterdir()} >= {"samizdat.db", "samizdat.db-wal", "secret.key"}
            assert {file.name: mode(file) for file in folder.iterdir()} == {
                file.name: 0o600 for file in folder.iterdir()
            }
    finally:
        os.umask(before)
    assert mode(folder) == 0o700


def test_files_of_an_older_program_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = default_data()
    Site(folder).close()
    copy = folder / "samizdat-0001-20260101-000000.db"
    copy.touch()
    for file in folder.iterdir():
        file.chmod(0o644)
    folder.chmod(0o755)
    Site(folder).close()
    assert {mode(file) for file in folder.iterdir()} == {0o600}
    assert mode(folder) == 0o700


def test_a_folder_that_was_there_keeps_its_own_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Site(tmp_path).close()
    assert mode(tmp_path) == 0o755, "it may hold other things, too"
    assert {mode(file) for file in tmp_path.iterdir()} == {0o600}
