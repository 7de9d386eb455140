"""What a cluster costs: games a second for each added worker, and what its driver pays for a game.

    python -m bench.cluster

Two machines with one processor each, both of them this one, on its loopback device. Runs take turns, so that whatever
else the machine does slows all of them alike; the driver's share is processor time, which that does not change much.
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "disabled"}

from ray.cluster_utils import Cluster

from samizdat.bots import warm
from samizdat.kernel.game import Game
from samizdat.lab.arena import Arena, Setting, play, read_entrants
from samizdat.lab.crews import in_order
from samizdat.lab.datasets import Dataset, Numbered, record
from samizdat.lab.kits import pack
from samizdat.lab.random_games import chunks, warm_random_games
from samizdat.lab.ray_crew import RayCrew
from samizdat.lab.simulation import CHUNK
from samizdat.lab.standings import Scoreboard

NODE: dict[str, Any] = {
    "num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False, "node_ip_address": "127.0.0.1",
}  # fmt: skip
SETTING = Setting("revolution", 4, "standard")
BOTS = "novice:simulations=50"
TICKS = os.sysconf("SC_CLK_TCK")


def warm_all(game: Game) -> None:
    warm(game)
    warm_random_games(game)


def nothing(task: int) -> int:
    return task


def seconds_of(pids: list[int]) -> float:
    """Of processor, that other processes have had."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


@dataclass
class Measured:
    """Sums over the turns of one kind of run."""

    what: str
    games: int = 0
    wall: float = 0.0
    driver: float = 0.0
    ray: float = 0.0  # of Ray's own servers

    def line(self) -> str:
        each = 1000 / max(1, self.games)
        return (
            f"{self.what:<34} {self.games:>7} {self.games / self.wall:>9.1f}/s {each * self.driver:>8.3f} ms "
            f"{each * self.ray:>8.3f} ms"
        )


def games(results: Iterator[Any]) -> int:
    return sum(1 for _ in results)


def kinds(crew: RayCrew, number: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Every kind of run: its name, and what runs it and says how many games it was."""
    arena = Arena(SETTING, read_entrants(BOTS), 1)
    turn = len(list(folder.iterdir()))

    def with_most(most: int, run: Any) -> Any:
        def one() -> int:
            crew.most = most
            return int(run())

        return one

    def added_up() -> int:
        board = Scoreboard(arena)
        for result in arena.play(number, crew):
            board.add(result)
        return len(board.results)

    yield "arena, this process", lambda: games(arena.play(number, 1))
    yield "arena, cluster, 1 worker", with_most(1, added_up)
    yield "arena, cluster, 2 workers", with_most(2, added_up)
    data = Dataset(SETTING, read_entrants(BOTS), 1)
    yield "dataset, this process", lambda: games(data.write(number, folder / f"a{turn}", 1))
    yield "dataset, cluster, 2 workers", with_most(2, lambda: games(data.write(number, folder / f"b{turn}", crew)))

    def simulated(workers: int | RayCrew) -> int:
        return sum(one.games for one in chunks(SETTING, 40 * CHUNK, 1, workers))

    yield "sim, this process", lambda: simulated(1)
    yield "sim, cluster, 2 workers", with_most(2, lambda: simulated(crew))
    yield "empty tasks, cluster, 2 workers", with_most(2, lambda: games(in_order(nothing, iter(range(4000)), crew)))


def sizes() -> None:
    """What travels for each game."""
    entrants = read_entrants(BOTS)
    fixture = next(Arena(SETTING, entrants, 1).fixtures(1))
    for what, thing in (
        ("a fixture", fixture),
        ("an arena's result", play(fixture)),
        ("a dataset's game", record(Numbered(0, fixture))),
        ("a simulation's chunk", next(chunks(SETTING, 4096, 1))),
    ):
        text = pickle.dumps(thing)
        begun = time.process_time()
        for _ in range(200):
            pickle.loads(text)
        print(f"{what:<24} {len(text):>8} bytes, read in {(time.process_time() - begun) * 5:.3f} ms")


def main(
    number: Annotated[int, typer.Option("--games", help="of bots, in each run")] = 120,
    turns: Annotated[int, typer.Option(help="of all runs")] = 3,
) -> None:
    """Measure, and print a table: games, games a second, the driver's and Ray's own processor time for a game."""
    sizes()
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    second = cluster.add_node(**NODE)
    servers = [
        one.process.pid
        for node in (cluster.head_node, second)
        for name in ("gcs_server", "raylet")
        for one in node.all_processes.get(name, ())
    ]
    found: dict[str, Measured] = {}
    kit = pack([SETTING], read_entrants(BOTS), warm_all)
    with TemporaryDirectory() as folder, closing(RayCrew(cluster.address, kit)) as crew:
        for _ in range(turns):
            for what, run in kinds(crew, number, Path(folder)):
                one = found.setdefault(what, Measured(what))
                before = time.perf_counter(), time.process_time(), seconds_of(servers)
                one.games += run()
                one.wall += time.perf_counter() - before[0]
                one.driver += time.process_time() - before[1]
                one.ray += seconds_of(servers) - before[2]
                print(one.line(), f"so far; load {os.getloadavg()[0]:.1f}", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    typer.run(main)
