"""From a fresh clone to bots at full strength: how long whoever comes first waits.

    python -m bench.first [GAME ...] [--here | --installed PYTHON] [--sim]

For each game (Revolution!, and the one with the most rules, where none is named): the repository is cloned into an
empty folder and `make play` run there, with nothing compiled; with --here nothing is installed, and this Python
serves the clone. The first page is asked for until it comes. Then a table against bots is opened, as a click does,
and a hint asked for until it comes: hints and strong bots are the same search. All in seconds of the clock. What else
was busy is part of them, so the seconds of processor of all processes until then stand beside them; they hold the
search of another game, which is compiled at the same time.

With --sim instead: the first result of `samizdat sim GAME -n 1000`, with nothing compiled and again with what the
first one left behind. From a wheel: `make wheel`, an environment with `pip install dist/*.whl`, and --installed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from bench.processes import processor

ROOT = Path(__file__).resolve().parents[1]
USUAL = ("revolution", "war-of-whispers")
PATIENCE = 1800  # seconds


def until(browser: httpx.Client, method: str, path: str, **given: object) -> httpx.Response:
    """Ask again and again until there is an answer."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            answer = browser.request(method, path, **given)  # type: ignore[arg-type]
            if answer.status_code == httpx.codes.OK:
                return answer
        except httpx.TransportError:  # nobody listens yet, or the answer takes long
            pass
        time.sleep(0.2)
    raise SystemExit(f"{path} has no answer after {PATIENCE} seconds")


def measured(game: str, python: str, cloned: bool) -> dict[str, object]:
    """What whoever opens this game first waits for; with a Python, or in one that `make play` sets up."""
    with tempfile.TemporaryDirectory() as room:
        clone = Path(room) / "clone"
        clone.mkdir()
        if cloned:
            subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        environment = os.environ | {"SAMIZDAT_CACHE": f"{room}/compiled", "PYTHONPATH": str(clone)}
        serving = ["--no-browser", "--port", str(port), "--data", f"{room}/data"]
        started = time.monotonic()
        alone = [python, "-m", "samizdat", "serve", *serving]
        made = ["make", "play", f"SERVE={' '.join(serving)}"]
        server = subprocess.Popen(alone if python else made, env=environment, cwd=clone)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as browser:
                until(browser, "GET", "/")
                page, before = time.monotonic(), processor(server.pid)
                seats = {f"seat-{seat}": "me" if seat == 0 else "bot-expert" for seat in range(4)}
                opened = browser.post(f"/new/{game}", data=seats)
                table = opened.headers["location"].partition("?")[0]
                until(browser, "POST", f"{table}/hint", json={"seat": 0})
                strong = time.monotonic()
                used = processor(server.pid) - before
        finally:
            server.terminate()
            server.wait()
    return {
        "game": game,
        "first page after seconds": round(page - started, 1),
        "a searched hint after so many more": round(strong - page, 1),
        "of processor": round(used, 1),
    }


def simulated(game: str, python: str, path: str) -> dict[str, object]:
    """The first result of a simulation, and the second; seconds of the clock, and of processor."""
    found: dict[str, object] = {"game": game}
    with tempfile.TemporaryDirectory() as room:
        environment = os.environ | {"SAMIZDAT_CACHE": f"{room}/compiled", "PYTHONPATH": path}
        for when in ("nothing compiled", "again"):
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            command = [python, "-m", "samizdat", "sim", game, "-n", "1000"]
            subprocess.run(command, env=environment, cwd=room, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            found |= {when: round(time.monotonic() - started, 1), f"{when}, of processor": round(used, 1)}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=USUAL)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--here", action="store_true", help="this Python serves the clone, and nothing is installed")
    how.add_argument("--installed", metavar="PYTHON", default="", help="no clone: an environment with a wheel in it")
    parser.add_argument("--sim", action="store_true", help="instead: the first result of a simulation")
    wish = parser.parse_args()
    python = sys.executable if wish.here else wish.installed
    for game in wish.games:
        if wish.sim:
            path = "" if wish.installed else str(ROOT)
            print(json.dumps(simulated(game, python or sys.executable, path)), flush=True)
            continue
        print(json.dumps(measured(game, python, cloned=not wish.installed)), flush=True)


if __name__ == "__main__":
    main()
