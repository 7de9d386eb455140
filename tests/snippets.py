"""The blocks of code that README.md and docs/ show, and a room in which those of one page are run, in their order.

What is run otherwise than shown, or not run, is listed in `snippets.toml` with its reason; nothing else is.
"""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import yaml
from markdown_it import MarkdownIt

from samizdat.kernel import kept
from tools.wheel import copied

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LISTED: dict[str, list[dict[str, str]]] = tomllib.loads((Path(__file__).parent / "snippets.toml").read_text("utf-8"))
SERVES = re.compile(r"^(\.venv/bin/)?samizdat serve\b")
ADDRESS = "http://localhost:1917"
PATIENCE = 120.0  # seconds until a server answers


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """One block of a page: what it is written in, its text, and where it begins."""

    page: str
    language: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    def listed(self, kind: str) -> dict[str, str] | None:
        """What `snippets.toml` says of it under such a heading."""
        return next((one for one in LISTED[kind] if one["page"] == self.page and one["begins"] in self.opening), None)

    @property
    def opening(self) -> str:
        return self.text.lstrip().splitlines()[0]

    @property
    def dosed(self) -> str:
        """The text with what is run instead of what is shown."""
        text = self.text
        for one in LISTED["dose"]:
            if one["page"] == self.page:
                text = text.replace(one["shown"], one["run"])
        return text


def blocks(page: Path) -> list[Block]:
    """Every block of a page, fenced or indented, in its order."""
    read = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    found = [token for token in read if token.type in ("fence", "code_block")]
    return [
        Block(named(page), token.info.strip() or token.type, token.content, token.map[0] + 1)
        for token in found
        if token.map is not None
    ]


def inline(page: Path) -> list[str]:
    """The spans of code in a page's sentences."""
    found = []
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        found += [child.content for child in token.children or [] if child.type == "code_inline"]
    return found


class Unrun(AssertionError):
    """A block that is neither run nor listed."""


@dataclass
class Room:
    """A copy of the repository in which the blocks of one page are run; what one of them leaves, the next finds."""

    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    said: str = ""
    server: subprocess.Popen[bytes] | None = None
    port: int = 0

    def __enter__(self) -> Room:
        copied(self.folder)
        for name in ("examples", "deploy", "Makefile", "requirements"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, self.folder / name)
        beside = self.folder / "beside.pth"
        beside.write_text(sysconfig.get_path("purelib") + "\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.end_server()

    def end_server(self) -> None:
        if self.server is not None:
            self.server.terminate()
            self.server.wait(60)

    @property
    def environment(self) -> dict[str, str]:
        """Of somebody who has just come: no settings, and what they install found before what the tests have."""
        ours = {
            name: value for name, value in os.environ.items() if not name.startswith(("SAMIZDAT_", "XDG_", "PYTEST"))
        }
        path = os.pathsep.join([str(self.folder / ".venv" / "bin"), str(Path(sys.executable).parent), ours["PATH"]])
        return ours | {
            "PATH": path, "HOME": str(self.folder), "COLUMNS": "200", "SAMIZDAT_CACHE": str(kept.cache_root()),
            "BESIDE": str(self.folder / "beside.pth"), "RECORDED": str(ROOT / "tests" / "recorded"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INDEX": "1",
        }  # fmt: skip

    def run(self, block: Block) -> None:
        """Run a block, or hold it against what it must agree with."""
        if block.language == "python":
            self.python(block)
        elif block.language == "sh":
            self.shell(block)
        elif block.language == "text":
            self.printed(block)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "yaml":
            assert yaml.safe_load(block.text)
        else:
            raise Unrun(f"{block}: a block of {block.language!r} is neither run nor listed in tests/snippets.toml")

    def python(self, block: Block) -> None:
        with inside(self.folder), without_torch():
            if ">>>" not in block.text:
                exec(compile(block.dosed, str(block), "exec"), self.names)  # our own page
                return
            test = doctest.DocTestParser().get_doctest(block.dosed, self.names, str(block), block.page, block.line)
            told: list[str] = []
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            failed = runner.run(test, out=told.append, clear_globs=False).failed
            self.names |= test.globs
            assert not failed, "".join(told)

    def shell(self, block: Block) -> None:
        self.said = ""
        waiting: list[str] = []
        for line in block.dosed.splitlines():
            if SERVES.match(line):
                self.script(block, waiting)
                self.serve(line)
                waiting = []
            else:
                waiting.append(line)
        self.script(block, waiting)

    def script(self, block: Block, lines: list[str]) -> None:
        text = "\n".join(lines).replace(ADDRESS, f"http://127.0.0.1:{self.port}")
        done = subprocess.run(
            ["sh", "-e", "-c", text],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        self.said += done.stdout

    def serve(self, line: str) -> None:
        """Start a server and wait until it answers; it ends with the page, or when the next one begins."""
        self.end_server()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        words = [word for word in ("--no-browser", "--no-warm") if word not in line]
        command = f"exec {line} {' '.join(words)} --port {self.port}"
        with (self.folder / "server.log").open("ab") as log:
            self.server = subprocess.Popen(
                ["sh", "-c", command], cwd=self.folder, env=self.environment, stdout=log, stderr=log
            )
        end = time.monotonic() + PATIENCE
        while not answers(f"http://127.0.0.1:{self.port}/ready"):
            told = (self.folder / "server.log").read_text()
            assert self.server.poll() is None, told
            assert time.monotonic() < end, told
            time.sleep(0.1)

    def printed(self, block: Block) -> None:
        """What the last commands printed has these lines, in this order."""
        said = iter([" ".join(line.split()) for line in self.said.splitlines()])
        for line in block.text.splitlines():
            assert " ".join(line.split()) in said, f"{block}: nobody printed {line!r}\n{self.said[-3000:]}"


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=10):
            return True
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def without_torch() -> Iterator[None]:
    """PyTorch is nothing that we install: where it is not there, a stand-in takes arrays."""
    missing = importlib.util.find_spec("torch") is None
    if missing:
        stand_in: Any = ModuleType("torch")
        stand_in.from_numpy = lambda array: array
        sys.modules["torch"] = stand_in
    try:
        yield
    finally:
        if missing:
            del sys.modules["torch"]


def bare(code: str) -> str:
    """Code without comments and spaces, as an excerpt is compared with what it is from."""
    lines = [re.sub(r"(^|\s)#.*$", "", line) for line in code.splitlines()]
    return re.sub(r",(?=[)\]}])", "", re.sub(r"\s+", "", "".join(lines)))


def is_excerpt(block: Block, file: Path) -> bool:
    """Whether all of a block stands in a file in this order; a line of dots stands for what was left out."""
    rest = bare(file.read_text(encoding="utf-8"))
    for piece in re.split(r"^\s*\.\.\.\s*$", block.text, flags=re.MULTILINE):
        _, found, rest = rest.partition(bare(piece))
        if not found and bare(piece):
            return False
    return True
