"""How strong the bots are: `python -m bench.strength` writes docs/strength.md and bench/strength.json.

For each game, variant and number of players: novice against random, regular against novice, expert against regular;
one stronger bot among weaker ones, every deal in all rotations of the seats. In the solitaire both play the same deal
alone: a win beats a defeat, then points decide, equal ones share. Budgets are counted in simulations, so that the
machine does not matter; `--scale` changes them, on both sides of a pairing alike (not against random, which has
none). Deals count in their own order up to the first that is not finished, so that short games have no head start
when the time is up.

What was played is kept: the next run goes on where this one stopped, unless the budgets or the sources of the bots or
of the game have changed; then a pairing begins anew (`bench.strength_alike` keeps it, if bots play as before).
`--openspiel` plays against OpenSpiel's own search instead (see `bench.strength_openspiel`).
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import json
import os
import platform
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from samizdat import bots
from samizdat.bots import thinking
from samizdat.kernel.game import definition, definitions
from samizdat.kernel.native import sources
from samizdat.lab.arena import Entrant, Fixture, Result, Setting, fixtures_of_deal, play
from samizdat.lab.crews import in_order
from samizdat.lab.standings import clustered_interval, shares_of

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "strength.json"
PAGE = FOLDER.parent / "docs" / "strength.md"
# An expert at the table thinks for 3 seconds: in every game more than 100 times the simulations of a regular. Whole
# games of that would take days, so both are scaled down to a tenth, and the expert to 100 times that.
LADDER: dict[tuple[str, str], tuple[int, int | None]] = {
    ("novice", "random"): (bots.NOVICE_SIMULATIONS, None),
    ("regular", "novice"): (bots.REGULAR_SIMULATIONS, bots.NOVICE_SIMULATIONS),
    ("expert", "regular"): (10 * bots.REGULAR_SIMULATIONS, bots.REGULAR_SIMULATIONS // 10),
}
GOAL = 1.2  # times the fair share, for the lower end of the interval
SAVE_EVERY = 10.0  # seconds
SEED = 1917
THEN = "; then "  # between the commands that a row owes its games to
PARTS = ("pairings", "openspiel")
LOST, OPEN = "-", "?"  # in the file: a common defeat; a deal that is not finished

BEGIN, END = "<!-- league: begin (python -m bench.strength) -->", "<!-- league: end -->"
INTRODUCTION = f"""\
## The league

Written by `python -m bench.strength`; the numbers behind it, a letter for each game, are in
`bench/strength.json`.

One stronger bot among weaker ones, every deal in all rotations of the seats with the same seed. A shared win counts
as a share, a common defeat (Mali Powstańcy) as nobody's; the last column leaves common defeats out. The solitaire is
a comparison: both play the same deal alone; a win beats a defeat, then points decide. Budgets are simulations for
each decision, of the stronger and of the weaker; an expert at the table has 150 to 700 times as many as a regular
(bench/results.json), here 100 times, against a tenth of a regular's. Intervals are Wilson's at 95 %, with a deal as a
cluster: the number of games is divided by the design effect of its rotations, never by less than 1. Games that were
not finished when the time was up count for nobody. The goal: the lower end of the interval at least {GOAL} fair
shares.
"""
AGAINST_OPENSPIEL = """\
## Against OpenSpiel's own IS-MCTS

Our `expert` against `open_spiel.python.algorithms.ismcts.ISMCTSBot` with random rollouts, playing through our
OpenSpiel face, two seats, each deal from both. OpenSpiel's bot of this kind is written in Python and asks our rules
through its Python interface (its C++ one cannot be given a sampler of hidden states for a Python game), so it makes
few simulations in the same time: that is what equal wall-clock time compares. Equal numbers of simulations compare
the searches themselves. Budgets are small for the same reason.
"""

console = Console()


@functools.cache
def fingerprint(setting: Setting) -> str:
    """Changes with the sources of the bots and of a game, not with the machine: simulations do not depend on it."""
    found = definition(setting.name)
    parts = [bots, thinking, found.rules, found.laws, *found.lore.rules]
    digest = hashlib.sha256()
    for file in sources(*(Path(inspect.getfile(module)) for module in parts)):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


@dataclass(frozen=True)
class Pairing:
    """One question: is the first bot stronger among others of the second kind?"""

    setting: Setting
    strong: Entrant
    weak: Entrant

    @property
    def key(self) -> str:
        where = f"{self.setting.name} {self.setting.variant} {self.setting.players}"
        return f"{where}: {self.strong.level} among {self.weak.level}"

    @property
    def alone(self) -> bool:
        return self.setting.players == 1

    def fixtures(self, deal: int) -> list[Fixture]:
        players = self.setting.game().players
        lines = [(self.strong,), (self.weak,)] if self.alone else [(self.strong, *[self.weak] * (players - 1))]
        return list(fixtures_of_deal(self.setting, lines, SEED, deal))

    def shares(self, results: list[Result]) -> list[float | None]:
        """What the stronger one got of a deal: a number for each game, None where all lost together; one number for
        the solitaire's comparison."""
        if not self.alone:
            played = sorted(results, key=lambda one: one.fixture.rotation)
            gains = shares_of(played)[self.strong]
            return [gain if 1 in one.ranks else None for gain, one in zip(gains, played, strict=True)]
        own, other = sorted(results, key=lambda one: one.fixture.line_up)
        mine, theirs = ((one.ranks[0] == 1, one.points[0]) for one in (own, other))
        return [0.5 if mine == theirs else float(mine > theirs)]

    @property
    def made_of(self) -> str:
        """Changes with the budgets and with the sources of the bots and of the game."""
        return f"{self.strong} {self.weak} {fingerprint(self.setting)}"


@dataclass
class Played:
    """What is known of a pairing so far."""

    pairing: Pairing
    deals: dict[int, list[float | None]] = field(default_factory=dict)
    command: str = ""
    open: dict[int, list[Result]] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        deal = result.fixture.deal
        self.open.setdefault(deal, []).append(result)
        if len(self.open[deal]) == len(self.pairing.fixtures(deal)):
            self.deals[deal] = self.pairing.shares(self.open.pop(deal))

    @property
    def counting(self) -> list[list[float | None]]:
        """The deals up to the first that is not finished."""
        return [self.deals[deal] for deal in itertools.takewhile(self.deals.__contains__, itertools.count())]

    def to_json(self) -> dict[str, Any]:
        setting = self.pairing.setting
        shares = [[share or 0.0 for share in deal] for deal in self.counting]
        won = [[share for share in deal if share is not None] for deal in self.counting]
        won = [deal for deal in won if deal]
        games, fair = sum(map(len, shares)), 1 / setting.game().fair_seats
        low, high = clustered_interval(shares)
        won_low, won_high = clustered_interval(won)
        return {
            "game": setting.name, "variant": setting.variant, "players": setting.players,
            "strong": str(self.pairing.strong), "weak": str(self.pairing.weak), "games": games,
            "share": _mean(shares), "low": round(low, 4), "high": round(high, 4), "fair": round(fair, 4),
            "low_over_fair": round(low / fair, 3), "reached": bool(games and low >= GOAL * fair),
            "lost_by_all": games - sum(map(len, won)), "won_share": _mean(won), "won_low": round(won_low, 4),
            "won_high": round(won_high, 4), "made_of": self.pairing.made_of, "command": self.command,
            "deals": {str(deal): shares for deal, shares in sorted(self.deals.items())},
        }  # fmt: skip


def _mean(deals: list[list[float]]) -> float:
    games = sum(map(len, deals))
    return round(sum(map(sum, deals)) / games, 4) if games else 0.0


def pairings(only: list[str], scale: float = 1.0) -> list[Pairing]:
    """Every question, the cheapest step of the ladder first; both sides scaled alike where both have a budget."""
    return [
        Pairing(Setting(found.name, players, variant), *_sides(strong, weak, scale))
        for strong, weak in LADDER
        for found in definitions().values()
        if not only or found.name in only
        for variant, counts in found.variants.items()
        for players in counts
    ]


def _sides(strong: str, weak: str, scale: float) -> tuple[Entrant, Entrant]:
    more, less = LADDER[strong, weak]
    if less is None:
        return Entrant(strong, simulations=more), Entrant(weak)
    return Entrant(strong, simulations=round(scale * more)), Entrant(weak, simulations=max(1, round(scale * less)))


def to_play(table: Iterable[Played], games: int) -> Iterator[tuple[str, Fixture]]:
    """All pairings in turn, a deal at a time, until each has its number of games."""
    for deal in range(games):
        for one in table:
            size = 1 if one.pairing.alone else len(one.pairing.fixtures(deal))
            if deal not in one.deals and deal * size < games:
                yield from ((one.pairing.key, fixture) for fixture in one.pairing.fixtures(deal))


def play_for(task: tuple[str, Fixture]) -> tuple[str, Result]:
    """Runs in any process: a game, and the pairing it was played for."""
    key, fixture = task
    return key, play(fixture)


def compile_search(name: str) -> None:
    bots.warm(definition(name).choose())


# --- Keeping ------------------------------------------------------------------


def read_results() -> dict[str, Any]:
    if not RESULTS.exists():
        return {"pairings": {}, "openspiel": {}}
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {part: {key: unpacked(row, kept["commands"]) for key, row in kept[part].items()} for part in PARTS}


def packed(row: dict[str, Any], commands: list[str]) -> dict[str, Any]:
    """A row as it is kept: commands by their numbers, a letter for each game (how many shared the win, 0 or LOST)."""

    def letter(share: float | None) -> str:
        return LOST if share is None else str(round(1 / share)) if share else "0"

    own = row["command"].split(THEN)
    commands += [one for one in own if one not in commands]
    last = max(map(int, row["deals"]), default=-1)
    deals = ["".join(map(letter, row["deals"].get(str(deal), []))) or OPEN for deal in range(last + 1)]
    return {**row, "command": [commands.index(one) for one in own], "deals": " ".join(deals)}


def unpacked(row: dict[str, Any], commands: list[str]) -> dict[str, Any]:
    def share(letter: str) -> float | None:
        return None if letter == LOST else 1 / int(letter) if letter != "0" else 0.0

    deals = {
        str(deal): [share(letter) for letter in letters]
        for deal, letters in enumerate(row["deals"].split())
        if letters != OPEN
    }
    return {**row, "command": THEN.join(commands[number] for number in row["command"]), "deals": deals}


def write_results(data: dict[str, Any]) -> None:
    """Both files, the numbers in one step, so that a run that is cut off leaves a whole file; a line for each row."""
    commands: list[str] = []
    parts = []
    for part in PARTS:
        rows = (f"  {json.dumps(key)}: {json.dumps(packed(row, commands))}" for key, row in data[part].items())
        parts.append(f' "{part}": {{\n' + ",\n".join(rows) + "\n }")
    draft = RESULTS.with_suffix(".part")
    lines = ",\n".join(f"  {json.dumps(one)}" for one in commands)
    draft.write_text("{\n" + ",\n".join([*parts, f' "commands": [\n{lines}\n ]']) + "\n}\n", encoding="utf-8")
    draft.replace(RESULTS)
    before, _, rest = (PAGE.read_text(encoding="utf-8") if PAGE.exists() else "").partition(BEGIN)
    after = rest.partition(END)[2].strip()
    text = "\n\n".join(part for part in (before.strip(), f"{BEGIN}\n{league(data)}{END}", after) if part)
    PAGE.write_text(text + "\n", encoding="utf-8")


def machine() -> str:
    """What kind of machine this is."""
    model, cpuinfo = platform.machine(), Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [text.split(":", 1)[1].split() for text in cpuinfo.read_text().splitlines() if "model name" in text]
        model = " ".join(names[0][:2]) if names else model
    return f"{os.cpu_count()} cores, {model}"


def command(module: str = "bench.strength") -> str:
    """The command that runs now, with where and when."""
    written = shlex.join(["python", "-m", module, *sys.argv[1:]])
    return f"{written}  # {machine()}, {datetime.now(UTC):%Y-%m-%d}"


def league(data: dict[str, Any]) -> str:
    """Our part of the page, from the numbers alone; the rest of it is written by hand and left alone."""
    lines = [INTRODUCTION]
    rows = list(data["pairings"].values())
    if rows:
        lines += [f"Reached: {sum(row['reached'] for row in rows)} of {len(rows)}.", ""]
        lines += _table(
            (
                "game", "players", "pairing", "simulations", "games", "wins", "95 %", "fair", "low ÷ fair",
                f"≥ {GOAL}", "lost by all", "of games somebody won",
            ),
            [
                (
                    f"{row['game']} ({row['variant']})", row["players"],
                    f"{row['strong'].split(':')[0]} among {row['weak'].split(':')[0]}",
                    f"{_budget(row['strong'])} : {_budget(row['weak'])}", row["games"],
                    f"{row['share']:.1%}", f"{row['low']:.1%} to {row['high']:.1%}", f"{row['fair']:.1%}",
                    f"{row['low_over_fair']:.2f}", "yes" if row["reached"] else "no", row["lost_by_all"] or "",
                    _of_the_won(row),
                )
                for row in sorted(rows, key=lambda row: (row["game"], row["variant"], row["players"]))
            ],
        )  # fmt: skip
    if data["openspiel"]:
        lines += _openspiel_part(list(data["openspiel"].values()))
    every = [row["command"].split(THEN) for row in [*rows, *data["openspiel"].values()] if row["command"]]
    commands = dict.fromkeys(itertools.chain(*every))
    lines += ["### Commands", "", "```"]
    return "\n".join([*lines, *commands, "```", ""])


def _of_the_won(row: dict[str, Any]) -> str:
    if not row["lost_by_all"]:
        return ""
    return f"{row['won_share']:.0%} ({row['won_low']:.0%} to {row['won_high']:.0%})"


def _budget(entrant: str) -> str:
    return entrant.partition("simulations=")[2] or "–"


def _openspiel_part(rows: list[dict[str, Any]]) -> list[str]:
    return [
        AGAINST_OPENSPIEL,
        *_table(
            ("game", "budget for each decision", "games", "our wins", "95 %", "simulations: ours", "theirs", "goal"),
            [
                (
                    f"{row['game']} ({row['variant']})", row["budget"], row["games"], f"{row['share']:.1%}",
                    f"{row['low']:.1%} to {row['high']:.1%}", row["ours_simulations"], row["theirs_simulations"],
                    f"{row['goal']:.0%}: {'yes' if row['share'] >= row['goal'] else 'no'}",
                )
                for row in rows
            ],
        ),
    ]  # fmt: skip


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[str]:
    body = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body, ""]


# --- Running ------------------------------------------------------------------


def climb(asked: list[Pairing], games: int, minutes: float, workers: int) -> None:
    """Play the ladder until everything is played or the time is up."""
    deadline = monotonic() + 60 * minutes
    data = read_results()
    table: dict[str, Played] = {}
    for pairing in asked:
        old = data["pairings"].get(pairing.key, {})
        if old.get("made_of") == pairing.made_of:
            deals = {int(deal): shares for deal, shares in old["deals"].items()}
            table[pairing.key] = Played(pairing, deals, old["command"])
        else:
            table[pairing.key] = Played(pairing)
    with console.status("Compiling each game's search, or reading it from disk"):
        names = dict.fromkeys(one.pairing.setting.name for one in table.values())
        for _ in in_order(compile_search, iter(names), min(workers, len(names))):
            pass
    left = list(to_play(table.values(), games))
    own, saved = command(), monotonic()

    def save() -> None:
        for key, one in table.items():
            if one.counting:
                data["pairings"][key] = one.to_json()
        write_results(data)

    try:
        with Progress(console=console) as progress, closing(in_order(play_for, iter(left), workers)) as playing:
            task = progress.add_task("games", total=len(left))
            for key, result in playing:
                progress.advance(task)
                table[key].add(result)
                if own not in table[key].command:
                    table[key].command = THEN.join(filter(None, [table[key].command, own]))
                if monotonic() - saved > SAVE_EVERY:
                    save()
                    saved = monotonic()
                if monotonic() > deadline:
                    break
    except KeyboardInterrupt:
        console.print("Interrupted: what was played is kept.")
    finally:
        save()


def main(
    only: Annotated[list[str] | None, typer.Option(help="Only this game; may be given several times.")] = None,
    pairing: Annotated[
        list[str] | None,
        typer.Option(help="Only pairings whose name, as in strength.json, contains this or another one given."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games for each pairing, rounded up to whole deals.")] = 400,
    minutes: Annotated[float, typer.Option(help="Stop after so many minutes.")] = 15.0,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    scale: Annotated[float, typer.Option(help="Budgets times this, on both sides alike.")] = 1.0,
    openspiel: Annotated[bool, typer.Option("--openspiel", help="Only against OpenSpiel's own search.")] = False,
    seconds: Annotated[float, typer.Option(help="With --openspiel: equal time for each decision.")] = 1.0,
    simulations: Annotated[int, typer.Option(help="With --openspiel: equal simulations.")] = 50,
) -> None:
    """Measure the bots' strength; see the first page of this module."""
    chosen = [definition(name).name for name in only or []]
    if openspiel:
        from bench import strength_openspiel

        strength_openspiel.measure(chosen, games, minutes, workers, seconds, simulations)
        return
    asked = [one for one in pairings(chosen, scale) if any(part in one.key for part in pairing or [""])]
    climb(asked, games, minutes, workers)


if __name__ == "__main__":
    typer.run(main)
