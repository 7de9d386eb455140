"""The whole benchmark in one run: `python -m bench`, which `make bench` calls.

Our games and the rivals' are measured side by side. The bitboard and OpenSpiel take turns with our kernel in
this process, on one core, and a ratio is the median of those of the turns: whatever else the machine does
then slows both. Rivals that bring threads or many imports run in processes of their own, with our kernel
measured right before and after. A row counts only if its node counts, mean lengths and mean returns are those
of the game (`bench.rivals.facts`); the same is asked of our rows.

A whole run appends a line to `bench/log.md` and writes `bench/results.json`; a run with --only just prints.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from bench import ours, search
from bench.rivals import isolated
from bench.rivals.facts import disagreements
from bench.rivals.measured import Counts, Measured
from bench.rivals.rows import ROWS, Row
from samizdat.kernel.game import definitions

FOLDER = Path(__file__).resolve().parent
PACKAGES = ("numba", "numpy", "open_spiel", "jax", "pgx", "pettingzoo", "rlcard")
APART = 3  # repetitions of a row in a process of its own, where most of the time goes into starting it
TAKES_TURNS = ("bitboard", "bitboard_one_draw", "openspiel_cpp", "openspiel_python")

console = Console()


@dataclass
class Line:
    """One rival in one game, against us."""

    row: Row
    ratio: float | None = None  # our games per second over theirs; None where the row does not count
    ours: float = 0.0
    theirs: float = 0.0
    objections: list[str] = field(default_factory=list)
    missing: str = ""
    note: str = ""

    @property
    def key(self) -> str:
        return f"{self.row.game}_vs_{self.row.rival}"


# --- Measuring ----------------------------------------------------------------


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on the last core it may use; children started later get all of them back."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def counted(row: Row) -> tuple[Counts, str]:
    """A row's counts, or why there are none."""
    try:
        return row.count(), ""
    except ImportError as error:
        return {}, str(error)


def objections(row: Row, runs: list[Measured], counts: Counts) -> list[str]:
    """Why a row does not count, each reason once."""
    return list(dict.fromkeys(text for run in runs for text in disagreements(row.game, run, counts)))


def turns(own: Row, rivals: list[Row], seconds: float, repetitions: int, seed: int) -> tuple[list[Line], list[str]]:
    """Our row and those that take turns with it; and what is to be said against our own."""
    lines = {row.name: Line(row) for row in rivals}
    counts: dict[str, Counts] = {own.name: own.count()}
    for name, line in lines.items():
        counts[name], line.missing = counted(line.row)
    present = [own, *(line.row for line in lines.values() if not line.missing)]
    runs: dict[str, list[Measured]] = {row.name: [] for row in present}
    with one_core():
        for turn in range(repetitions):
            for row in present:
                runs[row.name].append(row.measure(seconds, seed + turn))
    for name, line in lines.items():
        if line.missing:
            continue
        pairs = list(zip(runs[own.name], runs[name], strict=True))
        line.ours = median(runs[own.name])
        line.theirs = median(runs[name])
        line.ratio = statistics.median(mine.games_per_s / theirs.games_per_s for mine, theirs in pairs)
        line.objections = objections(line.row, runs[name], counts[name])
        line.note = runs[name][0].note
    return list(lines.values()), objections(own, runs[own.name], counts[own.name])


def apart(own: Row, rival: Row, seconds: float, repetitions: int, seed: int) -> Line:
    """A rival in a process of its own, between two measurements of ours."""
    line = Line(rival)
    with one_core():
        mine = [own.measure(seconds, seed)]
    found = isolated.result(rival.name, seconds, min(repetitions, APART), seed)
    with one_core():
        mine.append(own.measure(seconds, seed + 1))
    if found.failure:
        line.missing = found.failure
        return line
    line.ours = median(mine)
    line.theirs = found.median_games_per_s
    line.ratio = line.ours / line.theirs
    line.objections = list(dict.fromkeys(found.objections))
    line.note = found.best.note
    return line


def median(runs: list[Measured]) -> float:
    return statistics.median(run.games_per_s for run in runs)


def measure_game(name: str, rivals: list[Row], seconds: float, repetitions: int, seed: int) -> list[Line]:
    """All rivals of one game; if our own row does not count, none of them does."""
    own = ours.ROWS[name]
    here = [row for row in rivals if row.rival in TAKES_TURNS]
    console.print(f"{name}: taking turns with {', '.join(row.rival for row in here) or 'nobody'}")
    lines, own_objections = turns(own, here, seconds, repetitions, seed)
    for row in rivals:
        if row not in here:
            console.print(f"{name}: {row.rival}, in a process of its own")
            lines.append(apart(own, row, seconds, repetitions, seed))
    for line in lines:
        line.objections += [f"ours: {text}" for text in own_objections]
        if line.objections:
            line.ratio = None
    return lines


def decisions_per_s(seconds: float, repetitions: int, seed: int) -> dict[str, list[float]]:
    """Random play of every game of the table with its default options: a rate for each repetition."""
    rates: dict[str, list[float]] = {}
    for name, definition in definitions().items():
        console.print(f"{name}: decisions per second")
        with one_core():
            rates[name] = ours.decision_rates(definition.choose(), seconds, repetitions, seed)
    return rates


# --- Reporting ----------------------------------------------------------------


def times(ratio: float) -> str:
    """A ratio with three digits that matter."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def print_lines(lines: list[Line]) -> None:
    table = Table(title="Random games per second: ours over theirs", title_justify="left")
    for heading in ("game", "rival", "theirs", "ours", "ratio", "what was run"):
        table.add_column(heading, justify="right" if heading in ("theirs", "ours", "ratio") else "left")
    for line in lines:
        verdict = line.note
        if line.missing:
            verdict = f"missing: {line.missing}"
        elif line.objections:
            verdict = "does not count: " + "; ".join(line.objections)
        ratio = "-" if line.ratio is None else times(line.ratio)
        style = "yellow" if line.ratio is None or line.ratio < 1 else None
        table.add_row(
            line.row.game, line.row.rival, f"{line.theirs:,.0f}", f"{line.ours:,.0f}", ratio, verdict, style=style
        )
    console.print(table)


def print_rates(rates: dict[str, list[float]]) -> None:
    table = Table(title="Decisions per second of processor time", title_justify="left")
    for heading in ("game", "median", "best"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name, found in rates.items():
        table.add_row(name, f"{statistics.median(found):,.0f}", f"{max(found):,.0f}")
    console.print(table)


def machine() -> str:
    """This machine in words: cores, processor, and how busy it is."""
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [text.split(":", 1)[1].strip() for text in cpuinfo.read_text().splitlines() if "model name" in text]
        model = names[0] if names else model
    return f"{len(os.sched_getaffinity(0))} cores, {model}, load {os.getloadavg()[0]:.1f} at the end"


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "missing"
    return found


def read_gpu() -> Any:
    """What `bench/gpu.py` last measured on a machine with a card, if that was kept."""
    file = FOLDER / "gpu.json"
    return json.loads(file.read_text()) if file.exists() else None


def write_results(lines: list[Line], rates: dict[str, list[float]], searched: dict[str, Any]) -> None:
    ratios = {line.key: None if line.ratio is None else round(line.ratio, 4) for line in lines}
    results = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": machine(),
        "versions": versions(),
        "ratios": {**ratios, search.RATIO: searched[search.RATIO]},
        "games_per_s": {line.key: {"ours": round(line.ours), "theirs": round(line.theirs)} for line in lines},
        "missing": {line.key: line.missing for line in lines if line.missing},
        "does_not_count": {line.key: line.objections for line in lines if line.objections},
        "decisions_per_s": {name: round(statistics.median(found)) for name, found in rates.items()},
        "decisions_per_s_best": {name: round(max(found)) for name, found in rates.items()},
        "search": searched,
        "gpu": read_gpu(),
    }
    (FOLDER / "results.json").write_text(json.dumps(results, indent=2) + "\n")


LOG_HEAD = """# Benchmark log

One line a run of `make bench`, the oldest first, losses kept. A ratio is our random games per second over the
rival's, on one core unless the rival's name says otherwise; below 1 we are the slower one. Decisions are those of
the table's own games under random play, per second of one core's processor time.
"""


def log_run(lines: list[Line], rates: dict[str, list[float]], searched: dict[str, Any]) -> None:
    parts = [f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", machine()]
    parts.append(", ".join(f"{package} {version}" for package, version in versions().items()))
    for game in dict.fromkeys(line.row.game for line in lines):
        parts.append(f"**{game}** " + ", ".join(_in_words(line) for line in lines if line.row.game == game))
    speeds = (f"{name} {statistics.median(found) / 1e6:.1f} M" for name, found in rates.items())
    parts.append("**decisions/s** " + ", ".join(speeds))
    parts.append(f"**search** openspiel_cpp {times(searched[search.RATIO])}")
    log = FOLDER / "log.md"
    text = log.read_text() if log.exists() else LOG_HEAD
    log.write_text(f"{text}\n- {' · '.join(parts)}\n")


def _in_words(line: Line) -> str:
    if line.missing:
        return f"{line.row.rival} missing"
    if line.ratio is None:
        return f"{line.row.rival} does not count"
    return f"{line.row.rival} {times(line.ratio)}{' (slower)' if line.ratio < 1 else ''}"


def main(
    seconds: Annotated[float, typer.Option(help="How long each row plays in each repetition.", min=0.05)] = 1.0,
    only: Annotated[str, typer.Option(help="Rows whose name contains this, like leduc/pgx or openspiel.")] = "",
    repetitions: Annotated[int, typer.Option(help="Turns of each row.", min=1)] = 5,
    seed: Annotated[int, typer.Option(help="Seed of all random games.", min=0)] = 1,
) -> None:
    """Measure our kernel against its rivals, side by side, and the games of the table."""
    chosen = [row for name, row in ROWS.items() if only in name]
    lines: list[Line] = []
    for name in ours.ROWS:
        rivals = [row for row in chosen if row.game == name]
        if rivals:
            lines += measure_game(name, rivals, seconds, repetitions, seed)
    if lines:
        print_lines(lines)
    elif only:
        console.print(f"No row's name contains {only!r}; there are {', '.join(ROWS)}.")
        raise typer.Exit(2)
    if not only:
        rates = decisions_per_s(seconds, repetitions, seed)
        print_rates(rates)
        console.print("the search: Connect Four, the games of the table, Kuhn and Leduc")
        with one_core():
            searched = search.measured(repetitions, seed)
        console.print_json(data=searched)
        write_results(lines, rates, searched)
        log_run(lines, rates, searched)


if __name__ == "__main__":
    typer.run(main)
