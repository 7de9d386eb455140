"""The tests that OpenSpiel, PettingZoo and Gymnasium ship, unmodified, on our games; docs/peers.md lists them.

PettingZoo's that need no more than an environment stand in test_pettingzoo.py, Gymnasium's in test_gymnasium.py.
"""

from __future__ import annotations

import importlib
import re
import unittest
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from samizdat.kernel.game import Definition, definitions
from samizdat.lab.tree import Node, Tree
from tests.conftest import DOSE, label
from tests.lab.test_openspiel import reduced, small, stored

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra: research)")

import samizdat.lab.openspiel as face  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of what OpenSpiel's own games import
    import open_spiel
    from absl import flags
    from open_spiel.integration_tests import api_test, playthrough_test
    from open_spiel.python.algorithms import generate_playthrough
    from open_spiel.python.tests import games_sim_test, pyspiel_test

    flags.FLAGS(["tests", f"--test_only_games={face.PREFIX}"])

PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
every_definition = pytest.mark.parametrize("definition", definitions().values(), ids=label)
SMALL = [definition for definition in definitions().values() if small(definition)]
every_small = pytest.mark.parametrize("definition", SMALL, ids=label)
# OpenSpiel's test walks every node eight times, in Python: larger trees wait for a longer dose.
PATIENTLY = [definition for definition in SMALL if DOSE > 1 or stored(definition)["decisions"] <= 10_000]


def flat(tests: Any) -> Iterator[unittest.TestCase]:
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def passed(tests: list[unittest.TestCase]) -> int:
    """Run tests of unittest; how many there were, all of which passed."""
    result = unittest.TestResult()
    unittest.TestSuite(tests).run(result)
    wrong = [f"{test.id()}\n{text}" for test, text in (*result.errors, *result.failures)]
    assert not wrong, "\n".join(wrong)
    return result.testsRun


def short_name(definition: Definition) -> str:
    return face.PREFIX + definition.snake


# --- OpenSpiel --------------------------------------------------------------------------------------------


@pytest.mark.slow
@every_definition
def test_games_sim_test(definition: Definition) -> None:
    """Games, game types and states pickled and serialized, clones, utilities; with every number of players."""
    loader = unittest.defaultTestLoader
    ours = [test for test in flat(loader.loadTestsFromModule(games_sim_test)) if short_name(definition) in test.id()]
    counts = {players for counts in definition.variants.values() for players in counts}
    by_players = len(counts) if max(counts) > 2 else 0  # OpenSpiel varies the players from three on
    assert passed(ours) == 1 + by_players


@pytest.mark.slow
@every_definition
def test_api_test_on_parts_of_the_tree(definition: Definition) -> None:
    """Its test case is made for every registered game: lengths, wrong players, observations public and private."""
    loader = unittest.defaultTestLoader
    made = flat(api_test.load_tests(loader, None, None))
    assert passed([test for test in made if short_name(definition) in test.id()]) == 5


@pytest.mark.slow
@pytest.mark.parametrize("definition", PATIENTLY, ids=label)
def test_api_test_on_whole_trees(definition: Definition) -> None:
    """Its test case for games that can be walked, on our reduced boxes. It wants to be told how many nodes and
    information states there are: the nodes are known (tests/reduced), the others are counted by our own tree."""
    known, game, name = stored(definition), reduced(definition), short_name(definition)
    case: Any = type("FullTree", (api_test.EnforceAPIOnFullTreeBase,), {"game": game, "game_name": name})
    api_test.TOTAL_NUM_STATES[name] = known["chances"], known["decisions"], known["ends"]
    api_test.PERFECT_RECALL_NUM_STATES[name] = information_states(Tree(game.samizdat, keep=face.KEPT))
    assert passed(list(flat(unittest.defaultTestLoader.loadTestsFromTestCase(case)))) == 8


def information_states(tree: Tree) -> int:
    """How many there are, by the names of our own tree."""
    names = set()

    def visit(node: Node) -> None:
        if node.pending is None and node.turn is None:
            return
        if node.pending is None:
            names.add((node.turn, node.position.memory(node.turn or 0).name))
        for action in range(node.pending.outcomes) if node.pending else node.moves:
            visit(tree.child(node, action))

    visit(tree.root)
    return len(names)


@every_definition
def test_playthrough_test(definition: Definition, tmp_path: Path) -> None:
    """A playthrough written down is the same when played again. Those of OpenSpiel's games do not come with it."""
    name = f"{short_name(definition)}(box=reduced)"
    written = generate_playthrough.playthrough(name, None, seed=3)
    (tmp_path / "ours.txt").write_text(written, encoding="utf-8")
    playthrough_test.PlaythroughTest("run_test").run_test(str(tmp_path), "ours.txt")


def test_pyspiel_test_with_our_games_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of its tests knows every game by name, and so fails with anybody's; the others do not mind ours. They ask
    the environment what the library was built with; a wheel has said so nowhere else."""
    built = "ON" if "repeated_poker" in pyspiel.registered_names() else "OFF"
    monkeypatch.setenv("OPEN_SPIEL_BUILD_WITH_ACPC", built)
    loader = unittest.defaultTestLoader
    tests = list(flat(loader.loadTestsFromTestCase(pyspiel_test.PyspielTest)))
    closed = "test_registered_names_contains_expected_games"
    assert passed([test for test in tests if closed not in test.id()]) == len(tests) - 1
    with pytest.raises(AssertionError, match=face.PREFIX):
        passed([test for test in tests if closed in test.id()])


@every_small
def test_game_transforms_test(definition: Definition) -> None:
    """What its tests do to games of their own, done to ours: a cached tree, and one seat's start elsewhere."""
    cached = pyspiel.convert_to_cached_tree(reduced(definition))
    for _ in range(3):
        state = cached.new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
        assert len(state.returns()) == cached.num_players()


# --- The page ---------------------------------------------------------------------------------------------


def walks_over_all_games(folder: Path) -> set[str]:
    """Test modules that look at every registered game, ours among them; the others name those they test."""
    asks = re.compile(r"registered_(games|names)\(")
    return {file.stem for file in folder.glob("*_test.py") if asks.search(file.read_text(encoding="utf-8"))}


def on_the_page(package: str) -> dict[str, str]:
    """Module to verdict, as the tables of docs/peers.md say."""
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(rf"^\| `{re.escape(package)}\.([\w.]+)` \| ([^|]+) \|", text, re.MULTILINE)
    return {module: verdict.strip() for module, verdict in rows}


def test_the_page_lists_every_test_of_openspiel_that_could_apply() -> None:
    root = Path(open_spiel.__file__).parent
    for package in ("python.tests", "integration_tests"):
        assert set(on_the_page(f"open_spiel.{package}")) >= walks_over_all_games(root.joinpath(*package.split(".")))


@pytest.mark.parametrize(
    ("package", "most"),
    [("pettingzoo.test", "*_test.py"), ("pettingzoo.test", "*_benchmark.py"), ("gymnasium.utils", "*check*.py"),
     ("gymnasium.utils", "*match*.py"), ("gymnasium.utils", "performance.py")],
)  # fmt: skip
def test_the_page_lists_every_test_that_comes_with_the_others(package: str, most: str) -> None:
    folder = Path(str(importlib.import_module(package).__file__)).parent
    assert set(on_the_page(package)) >= {file.stem for file in folder.glob(most)}


def test_what_the_page_lists_exists() -> None:
    for package in ("pettingzoo.test", "gymnasium.utils", "open_spiel.python.tests", "open_spiel.integration_tests"):
        folder = importlib.import_module(package.split(".")[0]).__path__[0]
        for module, verdict in on_the_page(package).items():
            assert Path(folder, *package.split(".")[1:], f"{module}.py").exists(), module
            assert verdict in ("yes", "in part", "no"), module
