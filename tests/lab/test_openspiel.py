"""OpenSpiel's own tests, bots and solvers, unmodified, on every game; and our promises to them."""

from __future__ import annotations

import math
import pickle
import random
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Definition, Game, definitions
from samizdat.kernel.match import Match
from samizdat.lab.tree import RECALL, Memory, Node, Tree
from tests.conftest import DOSE, label, plain_games
from tests.enumeration import Count, Enumeration

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra: research)")

from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts  # noqa: E402

import samizdat.lab.openspiel as face  # noqa: E402

REDUCED = Path(__file__).parents[1] / "reduced"
SMALL = 100_000  # nodes that a test may walk
# Games that random play makes long: cut short, the rest is more of the same.
SHORTER = {"revolution": {"max_rounds": 4}}


def name_of(game: Game) -> str:
    """The string that loads a game in OpenSpiel, cut short where random play is long."""
    params = {"players": game.players, "variant": game.variant} | SHORTER.get(game.name, {})
    text = ",".join(f"{name}={value}" for name, value in params.items())
    return f"{face.PREFIX}{game.definition.snake}({text})"


def smallest_games() -> list[Game]:
    """Every variant with its smallest number of players."""
    return [
        definition.choose(min(counts), variant)
        for definition in definitions().values()
        for variant, counts in definition.variants.items()
    ]


def reduced(definition: Definition) -> Any:
    return pyspiel.load_game(f"{face.PREFIX}{definition.snake}(box=reduced)")


def stored(definition: Definition) -> dict[str, Any]:
    return tomllib.loads((REDUCED / f"{definition.name}.toml").read_text(encoding="utf-8"))


def small(definition: Definition) -> bool:
    nodes = stored(definition)
    return int(nodes["decisions"] + nodes["chances"] + nodes["ends"]) <= SMALL


every_definition = pytest.mark.parametrize("definition", definitions().values(), ids=label)


def without_reduced_boxes() -> list[Game]:
    """Variants other than a game's first, which has a small box of its own to be played through."""
    return [game for game in smallest_games() if game.variant != next(iter(game.definition.variants))]


every_smallest = pytest.mark.parametrize("game", smallest_games(), ids=label)
every_small = pytest.mark.parametrize(
    "definition", [definition for definition in definitions().values() if small(definition)], ids=label
)


def states(game: Any, seed: int) -> list[Any]:
    """Every state of one random game."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    found = [state.clone()]
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        found.append(state.clone())
    return found


def decisions(game: Any, seed: int, most: int) -> list[Any]:
    """Some states of a random game where somebody decides among several things."""
    found = [state for state in states(game, seed) if state.current_player() >= 0 and len(state.legal_actions()) > 1]
    return random.Random(seed).sample(found, min(most, len(found)))


# --- loading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_game_loads(game: Game) -> None:
    loaded = pyspiel.load_game(name_of(game))
    assert loaded.num_players() == game.players
    assert loaded.num_distinct_actions() == game.capacity
    assert loaded.max_utility() - loaded.min_utility() == 1.0
    again = pyspiel.load_game(str(loaded))
    assert str(again) == str(loaded)
    assert again.samizdat.options == loaded.samizdat.options


def test_parameters_that_do_not_exist_are_refused() -> None:
    definition = next(iter(definitions().values()))
    name = face.PREFIX + definition.snake
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game(f"{name}(colour=mauve)")
    with pytest.raises(SamizdatError):
        pyspiel.load_game(f"{name}(players=77)")


def test_an_edited_box_can_be_named(tmp_path: Path) -> None:
    definition = next(iter(definitions().values()))
    mine = tmp_path / "mine.toml"
    mine.write_text((definition.folder / "box.toml").read_text(encoding="utf-8"), encoding="utf-8")
    loaded = pyspiel.load_game(f"{face.PREFIX}{definition.snake}(box={mine})")
    assert loaded.samizdat.box.hash == definition.standard_box.hash


# --- OpenSpiel's own tests and bots, unmodified -----------------------------------------------------------


@every_smallest
def test_random_sim_test(game: Game) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name_of(game)), num_sims=DOSE, serialize=True, verbose=False)


@every_definition
def test_random_sim_test_on_the_reduced_box(definition: Definition) -> None:
    pyspiel.random_sim_test(reduced(definition), num_sims=3 * DOSE, serialize=True, verbose=False)


@every_definition
def test_playthrough_of_the_reduced_box(definition: Definition) -> None:
    name = f"{face.PREFIX}{definition.snake}(box=reduced)"
    text = generate_playthrough.playthrough(name, None, seed=1)
    assert "IsTerminal() = True" in text
    assert f'ToString() = "{name}"' in text


@pytest.mark.slow
@pytest.mark.parametrize("game", smallest_games() if DOSE > 1 else without_reduced_boxes(), ids=label)
def test_playthrough(game: Game) -> None:
    assert "IsTerminal() = True" in generate_playthrough.playthrough(name_of(game), None, seed=1)


@every_smallest
def test_search_bots(game: Game) -> None:
    """The second asserts itself that every sampled world has the information state of the true one."""
    loaded = pyspiel.load_game(name_of(game))
    rng = np.random.RandomState(4)
    rollouts = mcts.RandomRolloutEvaluator(1, rng)
    bots = [
        mcts.MCTSBot(loaded, 1.0, 3, rollouts, random_state=rng),
        ismcts.ISMCTSBot(loaded, rollouts, 1.0, 4, random_state=rng),
    ]
    for state in decisions(loaded, 8, most=2):
        for bot in bots:
            assert bot.step(state) in state.legal_actions()


def test_compiled_bots_treat_our_games_like_the_python_games_of_openspiel() -> None:
    """In OpenSpiel 2.0.2 that is a segmentation fault on both; nor can the information-set bot take a resampler."""
    code = (
        "import sys, pyspiel, open_spiel.python.games, samizdat.lab.openspiel\n"
        "game = pyspiel.load_game(sys.argv[1])\n"
        "bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 3, 10, False, 1, False)\n"
        "state = game.new_initial_state()\n"
        "assert bot.step(state) in state.legal_actions()\n"
    )
    ours = f"{face.PREFIX}{next(name for name in definitions() if '-' not in name)}(box=reduced)"
    ends = [subprocess.run([sys.executable, "-c", code, name], capture_output=True, check=False).returncode
            for name in ("python_tic_tac_toe", ours)]  # fmt: skip
    assert ends[0] == ends[1]
    assert not hasattr(pyspiel.ISMCTSBot, "set_resampler"), "hand it SamizdatState.resample_from_infostate"


# --- exact solvers on the reduced boxes -------------------------------------------------------------------


def walk(state: Any) -> Count:
    """Count a tree as OpenSpiel sees it."""
    if state.is_terminal():
        return Count(ends=1)
    total = Count(chances=1) if state.is_chance_node() else Count(decisions=1)
    for action in state.legal_actions():
        total += walk(state.child(action))
    return total


@pytest.mark.slow
@every_small
def test_reduced_trees_and_their_solvers(definition: Definition) -> None:
    """Node counts by two ways, then counterfactual regret and exact best responses."""
    known = stored(definition)
    assert known["by"]
    wanted = Count(known["decisions"], known["chances"], known["ends"])
    game = reduced(definition)
    assert Enumeration(game.samizdat).whole() == wanted
    assert walk(game.new_initial_state()) == wanted
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True)
    assert uniform == pytest.approx(known["nash_conv_of_uniform_play"], abs=1e-6)
    solver = pyspiel.CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    solved = pyspiel.nash_conv(game, solver.average_policy(), False)
    assert 0 <= solved < uniform


@pytest.mark.parametrize(
    "definition", [definition for definition in definitions().values() if not small(definition)], ids=label
)
def test_reduced_trees_too_large_to_walk(definition: Definition) -> None:
    """All deals are alike: the tree below one of them, times their number."""
    known = stored(definition)
    game = reduced(definition)
    rng = random.Random(3)
    for _ in range(3):
        state = game.new_initial_state()
        deals, chances = 1, 0
        while state.is_chance_node():
            chances += deals
            deals *= len(state.legal_actions())
            state.apply_action(rng.choice(state.legal_actions()))
        below = Enumeration(game.samizdat).below(state.node.position.record)
        assert walk(state) == below
        assert below.chances == 0
        assert (deals, chances) == (known["deals"], known["chances"])
        assert (deals * below.decisions, deals * below.ends) == (known["decisions"], known["ends"])


# --- information states and resampling --------------------------------------------------------------------


@every_smallest
def test_resampled_worlds_look_the_same(game: Game) -> None:
    """Strings, tensors, turn and legal actions of the seat are those of the true world."""
    loaded = pyspiel.load_game(name_of(game))
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for state in states(loaded, 21)[:: 1 if game.players == 1 else 7]:
        for seat in range(game.players):
            other = state.resample_from_infostate(seat, sampler)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            if state.current_player() == seat:
                assert other.current_player() == seat
                assert other.legal_actions() == state.legal_actions()
            assert other.history() == []
            copy = pickle.loads(pickle.dumps(other))
            assert copy.information_state_string(seat) == state.information_state_string(seat)
            assert str(copy) == str(other)


@every_definition
def test_some_worlds_differ(definition: Definition) -> None:
    """A resampler that hands back the truth would pass every other test."""
    game = reduced(definition)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    different = 0
    for seed in range(5):
        for state in decisions(game, seed, most=20):
            worlds = {str(state.resample_from_infostate(state.current_player(), sampler)) for _ in range(4)}
            different += len(worlds) > 1
    assert different


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_memories_are_the_observations_of_the_match(game: Game) -> None:
    """The tree, outcome by outcome, and the referee with the same luck: every seat remembers the same."""
    rng = random.Random(6)
    tree = Tree(game)
    node, script = deal(tree, rng)
    match = Match(game, 0, script)
    for ply in range(80):
        assert bytes(node.position.record) == bytes(match._state)
        if ply % 16 == 0 or match.over:
            for seat in range(game.players):
                assert_remembers(node.position.memory(seat), match, seat)
        if match.over:
            break
        assert node.turn == match.turn[0]
        seat, move = match.turn[0], rng.choice(node.moves)
        node, script = fall(tree, tree.child(node, move), rng)
        match.play(seat, move, script)


def deal(tree: Tree, rng: random.Random) -> tuple[Node, tuple[int, ...]]:
    return fall(tree, tree.root, rng)


def fall(tree: Tree, node: Node, rng: random.Random) -> tuple[Node, tuple[int, ...]]:
    """Let the luck of a decision fall at random; where that leads, and the script of it."""
    script: tuple[int, ...] = ()
    while node.pending is not None:
        script = (*node.pending.script, rng.randrange(node.pending.outcomes))
        node = tree.child(node, script[-1])
    return node, script


def assert_remembers(memory: Memory, match: Match, seat: int) -> None:
    observed = match.observations(seat)
    assert memory.steps == len(observed)
    assert memory.recent == tuple(reversed(observed))[:RECALL]


@every_small
def test_information_states_are_named_by_what_was_observed(definition: Definition) -> None:
    """In the whole tree: two decision nodes of a seat have the same string exactly if it observed the same."""
    tree = Tree(definition.choose(box="reduced"), keep=face.KEPT)
    rng = random.Random(2)
    by_name: dict[bytes, Any] = {}
    by_past: dict[Any, bytes] = {}

    def visit(node: Node, pasts: tuple[tuple[Any, ...], ...]) -> None:
        """Follow some branches, with every seat's past kept in full."""
        if node.pending is None:
            now = [node.position.memory(seat) for seat in range(tree.game.players)]
            pasts = tuple(
                past if past and past[0] == memory.steps else (memory.steps, past, *memory.recent[:1])
                for past, memory in zip(pasts, now, strict=True)
            )
            if node.turn is None:
                return
            name, past = now[node.turn].name, (node.turn, pasts[node.turn])
            assert by_name.setdefault(name, past) == past
            assert by_past.setdefault(past, name) == name
            branches = node.moves
        else:
            branches = list(range(node.pending.outcomes))
        for action in rng.sample(branches, min(2, len(branches))):
            visit(tree.child(node, action), pasts)

    visit(tree.root, ((),) * tree.game.players)
    assert len(by_name) > 20


@every_smallest
def test_own_decisions_are_told_apart(game: Game) -> None:
    """Whatever a seat decides, it remembers which; and nothing is seen while luck still falls."""
    loaded = pyspiel.load_game(name_of(game))
    for state in decisions(loaded, 31, most=12):
        seat = state.current_player()
        names = set()
        for action in state.legal_actions():
            child = state.child(action)
            if child.is_chance_node():
                assert child.information_state_string(seat) == state.information_state_string(seat)
            while child.is_chance_node():
                child.apply_action(0)
            names.add(child.information_state_string(seat))
        assert len(names) == len(state.legal_actions())


# --- the promises of the game type ------------------------------------------------------------------------


@every_smallest
def test_returns_and_chances_are_as_promised(game: Game) -> None:
    loaded = pyspiel.load_game(name_of(game))
    path = states(loaded, 41)
    for state in path:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [outcome for outcome, _ in outcomes] == list(range(len(outcomes)))
            assert math.isclose(sum(chance for _, chance in outcomes), 1.0)
            assert 1 < len(outcomes) <= face.MOST_OUTCOMES
    returns = path[-1].returns()
    assert all(loaded.min_utility() <= value <= loaded.max_utility() for value in returns)
    if loaded.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM:
        assert math.isclose(sum(returns), 0.0, abs_tol=1e-9)


def test_zero_sum_is_promised_where_it_holds() -> None:
    for game in plain_games():
        zero_sum = pyspiel.load_game(name_of(game)).get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
        assert zero_sum == (game.players == game.fair_seats and not game.definition.all_may_lose)
