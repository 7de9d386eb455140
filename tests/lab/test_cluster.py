"""A real cluster of two machines (both are this one): the same bytes as of one process, also when one is killed."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

# Before Ray is read: nothing leaves this machine, nor even its loopback device.
os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "disabled",
}

import ray
from ray.cluster_utils import Cluster

from samizdat.bots import warm
from samizdat.kernel.errors import IllegalMove
from samizdat.kernel.game import definition
from samizdat.lab import kits
from samizdat.lab.arena import Arena, Setting, play, read_entrants
from samizdat.lab.crews import CrewError, in_order
from samizdat.lab.datasets import DECISIONS, MATCHES, Dataset
from samizdat.lab.kits import Kit, pack
from samizdat.lab.random_games import chunks
from samizdat.lab.ray_crew import RayCrew
from samizdat.lab.simulation import CHUNK
from samizdat.lab.study.inquiry import Inquiry
from samizdat.lab.study.keeping import FILE
from samizdat.lab.study.playing import Arm
from tests.test_cli import run

pytestmark = pytest.mark.slow

SHORT = Setting("revolution", 3, "standard", (("max_rounds", 1),))
BOTS = "novice:simulations=20,random"
SMALL: dict[str, Any] = {
    "num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False, "node_ip_address": "127.0.0.1",
}  # fmt: skip


class Machines:
    """Two machines, and whoever works there for this process: it has one connection at a time."""

    def __init__(self) -> None:
        self.cluster = Cluster(initialize_head=True, head_node_args=SMALL)
        self.second: Any = None
        self.hired: RayCrew | None = None

    @property
    def address(self) -> str:
        """Of both; one that was killed is replaced."""
        if self.second is None:
            self.second = self.cluster.add_node(**SMALL)
        return str(self.cluster.address)

    def kill_second(self) -> None:
        """As a machine dies: everything of it at once."""
        for processes in self.second.all_processes.values():
            for one in processes:
                os.kill(one.process.pid, signal.SIGKILL)
        self.cluster.remove_node(self.second, allow_graceful=False)
        self.second = None

    def crew(self) -> RayCrew:
        address = self.address
        if self.hired is None:
            self.hired = RayCrew(address, pack([SHORT], read_entrants(BOTS), warm))
        return self.hired

    def dismiss(self) -> None:
        if self.hired is not None:
            self.hired.close()
        self.hired = None


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    found = Machines()
    yield found
    found.dismiss()
    found.cluster.shutdown()


@pytest.fixture
def crew(machines: Machines) -> RayCrew:
    return machines.crew()


@pytest.fixture
def address(machines: Machines) -> str:
    """For a command that connects by itself."""
    machines.dismiss()
    return machines.address


# --- The same bytes -----------------------------------------------------------


def facts(arena: Arena, games: int, workers: int | RayCrew) -> list[tuple[object, ...]]:
    """All but how long bots thought."""
    played = arena.play(games, workers)
    return [(one.fixture, one.points, one.ranks, one.reason, one.decisions) for one in played]


def test_an_arena_plays_the_same_games(crew: RayCrew) -> None:
    arena = Arena(SHORT, read_entrants(BOTS), 5)
    assert facts(arena, 30, crew) == facts(arena, 30, 1)


def test_a_dataset_is_the_same_bytes(crew: RayCrew, tmp_path: Path) -> None:
    for name, workers in (("here", 1), ("there", crew)):
        wanted = Dataset(SHORT, read_entrants(BOTS), 3)
        assert list(wanted.write(8, tmp_path / name, workers)) == [*range(1, 9)]
    for file in (MATCHES, DECISIONS):
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()


def test_a_study_is_the_same_bytes(crew: RayCrew, tmp_path: Path) -> None:
    arms = [Arm(bot.level, SHORT, bot) for bot in read_entrants(BOTS)]
    for name, workers in (("here", 1), ("there", crew)):
        assert list(Inquiry(arms, 2).play(6, tmp_path / name, workers))[-1] == 12
    assert (tmp_path / "here" / FILE).read_bytes() == (tmp_path / "there" / FILE).read_bytes()


def test_a_simulation_says_the_same(crew: RayCrew) -> None:
    def said(workers: int | RayCrew) -> list[str]:
        reports = chunks(SHORT, 2 * CHUNK + 100, 7, workers)
        return [json.dumps(report.to_json(SHORT.game())) for report in reports]

    assert said(crew) == said(1)


# --- What goes wrong ----------------------------------------------------------


def test_a_machine_that_is_killed_loses_no_game_and_brings_none_twice(
    crew: RayCrew, machines: Machines, capfd: pytest.CaptureFixture[str]
) -> None:
    arena = Arena(SHORT, read_entrants(BOTS), 6)
    found, total = [], 90
    with closing(arena.play(total, crew)) as playing:
        for one in playing:
            found.append((one.fixture, one.points, one.ranks, one.reason, one.decisions))
            if len(found) == 20:
                machines.kill_second()
    assert found == facts(arena, total, 1)
    assert capfd.readouterr().out == "", "what Ray says of it does not stand among results"


def nothing(task: object) -> object:
    return task


def poison(number: int) -> int:
    """Nobody survives number 3."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_task_that_kills_every_worker_ends_with_a_sentence(crew: RayCrew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("samizdat.lab.crews.TRIES", 2)
    with pytest.raises(CrewError, match=r"2 workers died over the same task, so it is not tried again: 3"):
        list(in_order(poison, iter(range(6)), crew))
    assert list(in_order(nothing, iter(range(3)), crew)) == [0, 1, 2], "the others work on"


def refuse(number: int) -> int:
    raise IllegalMove("Nothing of the kind.", "R1.2")


def test_what_a_task_fails_with_comes_back_as_it_was(crew: RayCrew) -> None:
    with pytest.raises(IllegalMove, match="Nothing of the kind") as failed:
        list(in_order(refuse, iter(range(3)), crew))
    assert "in refuse" in failed.value.__notes__[0]


def test_giving_up_ends_what_is_under_way(crew: RayCrew) -> None:
    """Otherwise whoever comes next would wait for bots that think for an hour."""
    for fixture in Arena(SHORT, read_entrants("expert:seconds=3600"), 1).fixtures(3):
        crew.begin(play, [fixture])
    crew.give_up()
    assert list(in_order(nothing, iter(range(3)), crew)) == [0, 1, 2]


# --- What travels -------------------------------------------------------------

AGENT = """
class Agent:
    def __init__(self, seed=0):
        self.seed = seed

    def choose(self, sight):
        moves = sight.legal()
        return moves[self.seed % len(moves)]
"""


def test_a_box_and_a_bot_of_ones_own_travel(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under names that only the folder has in which the command was given."""
    monkeypatch.chdir(tmp_path)
    printed = (definition("dual-powers").folder / "box.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(printed.replace("track = 15", "track = 9"), encoding="utf-8")
    Path("my.py").write_text(AGENT, encoding="utf-8")
    told = []
    for out, words in (("here.parquet", ["--workers", "1"]), ("there.parquet", ["--cluster", address])):
        command = [
            "arena",
            "dual-powers",
            "--bots",
            "my.py:Agent,random",
            "-n",
            "6",
            "--box",
            "mine.toml",
            "--no-stop",
        ]
        done = run(*command, "--out", out, *words)
        assert done.returncode == 0, done.stderr
        table = pyarrow.parquet.read_table(out)
        told.append((table.drop_columns("seconds").to_pylist(), table.schema.metadata))
    assert told[0] == told[1]
    assert len(told[0][0]) == 6


def shown() -> list[list[str]]:
    """The commands of the page, with fewer games."""
    text = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
    found = [shlex.split(line)[1:] for line in text.splitlines() if re.match(r"samizdat .* --cluster ", line)]
    for words in found:
        words[words.index("--games") + 1] = "2"
    return found


@pytest.mark.parametrize("words", shown(), ids=lambda words: words[0])
def test_the_commands_of_the_page_run(
    words: list[str], address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAY_ADDRESS", address)  # what `auto` finds first, and not somebody else's cluster
    if words[-1] != "auto":
        words = [*words[:-1], address]
    done = run(*words)
    assert done.returncode == 0, done.stderr


def test_a_machine_with_another_samizdat_is_refused(
    address: str, machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not by other metadata on the path: those of the repository's own folder, where there are any, would come first.
    (tmp_path / "sitecustomize.py").write_text(
        "from importlib import metadata\n"
        "true = metadata.version\n"
        "metadata.version = lambda name: '9.9' if name == 'samizdat' else true(name)\n",
        encoding="utf-8",
    )
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        third = machines.cluster.add_node(**SMALL)
    try:
        done = run("sim", "revolution", "--games", "10", "--cluster", address)
    finally:
        machines.cluster.remove_node(third, allow_graceful=False)
    assert done.returncode == 2
    assert re.search(r"^samizdat: The machine 127\.0\.0\.1 of the cluster has samizdat 9\.9, and here", done.stderr)
    assert done.stderr.count("\n") == 1


def test_another_ray_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ray, "__version__", "1.0")
        done = run("sim", "revolution", "--games", "10", "--cluster", address)
    assert done.returncode == 2
    assert done.stderr.startswith("samizdat: The cluster has another Ray or Python than this machine")
    assert done.stderr.count("\n") == 1


def test_kits_name_the_first_thing_that_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMIZDAT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "my.py").write_text(AGENT)
    kit = pack([SHORT], read_entrants(f"{tmp_path / 'my.py'}:Agent,random"), None)
    kit.unpack("It")
    for fact in kit.facts:
        other = Kit(kit.settings, kit.bots, None, kit.facts | {fact: "x"}, kit.files)
        with pytest.raises(CrewError, match=rf"^It has {re.escape(fact)} .*, and here it is x: "):
            other.unpack("It")
    for settings, bots, why in (
        ((Setting("chess"),), (), "There is no game"),
        ((SHORT,), ("nowhere:Bot",), "No module named 'nowhere'"),
    ):
        with pytest.raises(CrewError, match=rf"^It cannot play this: .*{why}"):
            Kit(settings, bots, None).unpack("It")


def test_fingerprints_see_every_change(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("A = 1")
    before = kits.fingerprint(kits._files(tmp_path))
    (tmp_path / "rules.py").write_text("A = 2")
    (tmp_path / "notes.txt").write_text("no part of it")
    assert kits.fingerprint(kits._files(tmp_path)) != before


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("127.0.0.1:1", r"No Ray cluster answers at “127.0.0.1:1” \(.*refused.*\); `ray start --head` begins one"),
        ("127.0.0.1:x", r"“127.0.0.1:x” is no address of a cluster: write HOST:PORT"),
        ("127.0.0.1:99999", r"No Ray cluster answers at “127.0.0.1:99999”"),
        ("", r"“” is no address of a cluster"),
        ("ray://127.0.0.1:10001", r"“ray://127.0.0.1:10001” is no address of a cluster: write HOST:PORT"),
    ],
)
def test_an_address_where_nobody_is(where: str, sentence: str) -> None:
    done = run("sim", "revolution", "--games", "10", "--cluster", where)
    assert done.returncode == 2
    assert re.search(sentence, done.stderr)
    assert done.stderr.count("\n") == 1


def test_without_ray_a_sentence_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "samizdat.lab.ray_crew")
    done = run("sim", "revolution", "--games", "10", "--cluster", "auto")
    assert (done.returncode, done.stderr) == (
        2, "samizdat: A cluster needs a package more: pip install 'samizdat[cluster]'.\n",
    )  # fmt: skip


def test_nobody_else_reads_ray() -> None:
    code = (
        "import sys; from samizdat.cli import app; "
        "app(['arena', 'revolution', '--bots', 'random', '-n', '4'], standalone_mode=False); "
        "print('ray' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")
