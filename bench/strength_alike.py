"""Whether other sources of ours play alike: `python -m bench.strength_alike COMMIT`.

The league takes hours, and `bench.strength` begins a pairing anew when the sources of the bots or of its game have
changed, also where nobody plays differently for it. This takes the rows that COMMIT's sources made and plays the
first deal of each with those sources and with the present ones, both on this machine. Where the scores, the ranks and
the number of each seat's decisions are the same, the row counts as made by the present sources, and says so. Not
while `bench.strength` runs: it would write the rows as it has read them.

    python -m bench.strength_alike --played FILE

takes results that the present sources have begun anew elsewhere: where every deal that both played came out the same,
the row with more deals is kept, otherwise the new one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bench.strength import FOLDER, THEN, command, read_results, write_results

# Only names that older sources have, too.
PLAY = """
import json, sys
from bench.strength import pairings
from samizdat.lab.arena import play
asked = json.loads(sys.argv[1])
for pairing in pairings([]):
    if asked is None:
        print(json.dumps([pairing.key, pairing.made_of]), flush=True)
    elif pairing.key in asked:
        played = [play(fixture) for fixture in pairing.fixtures(0)]
        told = [[result.points, result.ranks, result.decisions] for result in played]
        print(json.dumps([pairing.key, told]), flush=True)
"""
console = Console()


def tell(sources: Path, asked: list[str] | None) -> dict[str, Any]:
    """What some sources say of pairings: what they are made of, or how the games of their first deals end."""
    told = subprocess.run(
        [sys.executable, "-c", PLAY, json.dumps(asked)],
        cwd=sources, env={**os.environ, "PYTHONPATH": str(sources)}, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return dict(json.loads(line) for line in told.stdout.splitlines())


def main(
    commit: Annotated[str, typer.Argument(help="whose sources made the rows, as git names it")] = "",
    pairing: Annotated[str, typer.Option(help="Only pairings whose name contains this.")] = "",
    played: Annotated[Path | None, typer.Option(help="Results that the present sources have begun anew.")] = None,
) -> None:
    """Keep what older sources played, where the present ones play alike."""
    root = FOLDER.parent
    if played is not None:
        data = read_results()
        anew = json.loads(played.read_text(encoding="utf-8"))["pairings"]
        for key, row in anew.items():
            data["pairings"][key] = longer(data["pairings"].get(key), row)
        write_results(data)
        return
    with tempfile.TemporaryDirectory() as folder:
        older = Path(folder) / "sources"
        add = ["git", "worktree", "add", "-q", "--detach", str(older), commit]
        if subprocess.run(add, cwd=root, check=False).returncode:
            raise typer.BadParameter(f"git cannot check out {commit!r}; name a commit of this repository.")
        try:
            compare(root, older, pairing)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(older)], cwd=root, check=True)


def longer(old: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """Of two rows of one pairing the one with more deals, if all deals that both have came out the same."""
    if old is None or len(old["deals"]) <= len(new["deals"]):
        return new
    if not new["deals"] or any(old["deals"].get(deal, shares) != shares for deal, shares in new["deals"].items()):
        return new
    return {**old, "made_of": new["made_of"], "command": THEN.join([old["command"], new["command"]])}


def compare(root: Path, older: Path, pairing: str) -> None:
    """Row by row, written at once: a run that is cut off has not been in vain."""
    then, now = tell(older, None), tell(root, None)
    data = read_results()
    rows = data["pairings"]
    asked = [key for key, row in rows.items() if pairing in key and row["made_of"] == then.get(key) != now.get(key)]
    console.print(f"{len(asked)} of {len(rows)} rows were made by those sources and not by these.")
    for key in asked:
        if tell(older, [key]) != tell(root, [key]):
            console.print(f"[bold]Not alike[/]: {key}")
            continue
        console.print(f"Alike: {key}")
        rows[key]["made_of"] = now[key]
        rows[key]["command"] = THEN.join([rows[key]["command"], command("bench.strength_alike")])
        write_results(data)


if __name__ == "__main__":
    typer.run(main)
