"""A wheel and a source distribution carry everything, and play in an environment that has none of our sources."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sysconfig
import tarfile
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from samizdat.kernel import kept
from samizdat.programs.client import Client
from tools.packages import build
from tools.wheel import ROOT

LANGUAGES = ("en", "de", "it", "pl")


def ours() -> set[str]:
    """Every file of the package, as it is kept."""
    told = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "samizdat"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return {name for name in told.split("\0") if name and (ROOT / name).exists()}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def sdist(packages: tuple[Path, Path]) -> Path:
    return packages[0]


@pytest.fixture(scope="module")
def wheel(packages: tuple[Path, Path]) -> Path:
    return packages[1]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no list of files")
def test_a_wheel_carries_every_file_of_the_package(wheel: Path) -> None:
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    assert sorted(ours() - carried) == []
    about = {name.partition(".dist-info/")[2] for name in carried if ".dist-info/" in name}
    assert {"METADATA", "entry_points.txt", "licenses/LICENSE"} <= about
    assert not [name for name in carried if not name.startswith("samizdat")]
    assert not [name for name in carried if name.endswith((".pyc", ".code"))]


def test_a_source_distribution_says_whose_it_is(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", "PKG-INFO"} <= names


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment in it; what the package depends on is seen there, and our sources are not."""
    folder = tmp_path_factory.mktemp("home")
    venv.create(folder / "venv", with_pip=False)
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    shutil.unpack_archive(wheel, site, "zip")  # that is all that installing a wheel of Python code does
    (site / "zz.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def environment(home: Path) -> dict[str, str]:
    kept_here = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SAMIZDAT", "XDG_"))
    }
    return kept_here | {"HOME": str(home), "COLUMNS": "200", "SAMIZDAT_CACHE": str(kept.cache_root())}


def samizdat(home: Path, *words: str) -> str:
    done = subprocess.run(
        [home / "venv" / "bin" / "python", "-m", "samizdat", *words],
        cwd=home, env=environment(home), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_commands_of_a_wheel(home: Path) -> None:
    python = [home / "venv" / "bin" / "python", "-c", "import samizdat; print(samizdat.__file__)"]
    where = subprocess.run(python, cwd=home, env=environment(home), capture_output=True, text=True, check=True).stdout
    assert Path(where.strip()).is_relative_to(home), "these are our sources"
    listed = samizdat(home, "games")
    for name in ("revolution", "dual-powers", "mali-powstancy", "war-of-whispers"):
        assert name in listed
        assert len(samizdat(home, "rules", name)) > 3000
    assert "R5.5" in samizdat(home, "rules", "revolution", "R5.5")
    assert json.loads(samizdat(home, "sim", "revolution", "-n", "100", "--json"))["games"] == 100


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [home / "venv" / "bin" / "python", "-m", "samizdat", "serve", "--no-browser", "--no-warm"]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--port", str(port)], cwd=home, env=environment(home), stdout=log, stderr=log
        )
    try:
        for _ in range(1200):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=10):
                    break
            except OSError:
                assert server.poll() is None, (home / "log").read_text()
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)
    assert "Traceback" not in (home / "log").read_text(), (home / "log").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["revolution", "dual-powers", "mali-powstancy", "war-of-whispers"])
def test_a_wheel_serves_lobby_tables_and_rules(address: str, game: str) -> None:
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def read(path: str, lang: str = "en") -> str:
        asked = urllib.request.Request(address + path, headers={"Accept-Language": lang})
        with visitor.open(asked, timeout=120) as answer:
            text: str = answer.read().decode(errors="replace")
            return text

    lobby = read("/")
    for path in set(re.findall(r'(?:href|src)="(/static/[^"#]+)', lobby)):
        assert read(path), path
    for lang in LANGUAGES:
        page = read(f"/rules/{game}", lang)
        assert f'lang="{lang}"' in page
        assert len(page) > 10_000
    seats = ["me", *["novice"] * 3]
    count = {"revolution": 4, "dual-powers": 2, "mali-powstancy": 4, "war-of-whispers": 4}[game]
    table = Client(address).open(game, seats[:count])
    page = read(f"/table/{table.id}")
    assert 'id="board"' in page
    assert "<svg" in page
