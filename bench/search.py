"""The search, measured: `python -m bench.search`, also part of `make bench`.

- Connect Four: simulations per second against OpenSpiel's C++ MCTS with random rollouts, in turns, on one core, from
  the same empty board, with the same number of simulations in each search.
- Every game of the table: information-set simulations per second of processor time, from openings.
- How punctual a bot is: the time of whole decisions, by the clock on the wall, over the budget it was given.
- Kuhn and Leduc: the exploitability of what the search plays, by OpenSpiel's own tool and in its units, of two
  strategies: that of one long search over the whole game, and that of a bot which searches anew at each decision.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Annotated, Any

import numpy as np
import pyspiel
import typer
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
from rich.console import Console

from bench.games import chips, kuhn, leduc
from bench.games.outside import CONNECT_FOUR
from samizdat.bots import bot
from samizdat.bots.compiled import native
from samizdat.bots.search import Style, knows, search, set_up, simulation
from samizdat.bots.search_tree import clear, plant, scatter, slot_of
from samizdat.bots.thinking import Mind
from samizdat.kernel import interpreted as engine
from samizdat.kernel.contract import setup
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.loops import begin_game
from samizdat.kernel.luck import Luck, RecordingLuck, begin
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.records import Record

RATIO = "mcts_vs_openspiel_cpp"
RESULTS = Path(__file__).resolve().parent / "results.json"
SIMULATIONS = 20_000  # in one search of Connect Four
UCT = 1.4
OPENINGS = 4  # positions of each game, reached by random play
OPENING_PLIES = 30
BUDGET = 0.25  # seconds for a decision whose time is measured
TIMED = 100  # such decisions in each game
SELF_PLAY = (10_000, 100_000, 1_000_000)  # simulations of one search over a whole game of cards
ANEW = 10_000  # simulations of a bot at each decision
CARDS = {"kuhn_poker": kuhn.GAME.choose(), "leduc_poker": leduc.GAME.choose(variant="standard")}

console = Console()


# --- Connect Four -------------------------------------------------------------


def connect_four_rates(repetitions: int, seed: int) -> tuple[list[float], list[float]]:
    """Simulations per second of processor time, ours and theirs, turn by turn."""
    game = CONNECT_FOUR.choose()
    lore = game.definition.lore
    run = native(game.definition, lore).compile(search)
    desk, tree, style = set_up(game.definition.state, game.capacity), plant(), Style(seat=0, hidden=0, explore=UCT)
    start = game.blank()
    engine.deal(game.box.record, start, Luck())
    desk.root[0] = start.array[0]
    run(lore, game.box.record.array, desk, tree, style, seed, 0, SIMULATIONS)
    theirs = pyspiel.load_game("connect_four")
    rates: tuple[list[float], list[float]] = ([], [])
    for turn in range(repetitions):
        clear(tree)
        before = process_time()
        run(lore, game.box.record.array, desk, tree, style, seed + turn, 0, SIMULATIONS)
        between = process_time()
        _openspiel_bot(theirs, seed + turn).mcts_search(theirs.new_initial_state())
        rates[0].append(SIMULATIONS / (between - before))
        rates[1].append(SIMULATIONS / (process_time() - between))
    return rates


def _openspiel_bot(game: pyspiel.Game, seed: int) -> pyspiel.MCTSBot:
    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
        uct_c=UCT,
        max_simulations=SIMULATIONS,
        max_memory_mb=1000,
        solve=False,
        seed=seed,
        verbose=False,
    )


# --- The games of the table ---------------------------------------------------


def simulation_rates(seed: int, simulations: int = 4000) -> dict[str, int]:
    """Information-set simulations per second of each game with its default options."""
    rates = {}
    for name, definition in definitions().items():
        found = []
        for sight in _openings(definition.choose(), seed):
            mind = Mind()
            mind.think(sight, seed, simulations=10)
            before = process_time()
            mind.think(sight, seed, simulations=simulations)
            found.append(simulations / (process_time() - before))
        rates[name] = round(statistics.median(found))
    return rates


def _openings(game: Game, seed: int) -> Iterator[Sight]:
    for number in range(OPENINGS):
        match, dice = Match(game, seed + number), Random(seed + number)
        while match.plies < OPENING_PLIES or len(match.legal(match.turn[0])) == 1:
            match.play(match.turn[0], dice.choice(match.legal(match.turn[0])))
        yield match.sight(match.turn[0])


def punctuality(seed: int) -> dict[str, Any]:
    """Decisions of an expert with a small budget, where being late is hardest to avoid: time over budget."""
    dice, over = Random(seed), []
    for definition in definitions().values():
        match, late = Match(definition.choose(), seed), []
        own = bot("expert", seconds=BUDGET, seed=seed)
        own.choose(match.sight(match.turn[0]))
        while len(late) < TIMED:
            if match.over:
                match = Match(definition.choose(), seed + len(late))
            seat = match.turn[0]
            moves = match.legal(seat)
            if len(moves) > 1:
                sight = match.sight(seat)
                before = perf_counter()
                own.choose(sight)
                late.append((perf_counter() - before) / BUDGET)
            match.play(seat, dice.choice(moves))
        over += late
    median, most = np.percentile(over, [50, 99])
    return {
        "budget_s": BUDGET, "decisions": len(over), "median_over_budget": round(float(median), 3),
        "p99_over_budget": round(float(most), 3), "worst_over_budget": round(max(over), 3),
        "load_average": round(os.getloadavg()[0], 1),
    }  # fmt: skip


# --- Kuhn and Leduc -----------------------------------------------------------


def self_play(
    lore: Any, boxes: Any, desk: Any, tree: Any, style: Any, seed: int, first: int, count: int
) -> None:  # fmt: skip
    """Simulations that begin with the deal: every seat's strategy for the whole game, in one tree."""
    for number in range(first, first + count):
        begin_game(desk.luck[0], desk.dice[0], seed, number)
        for i in range(len(desk.world_words)):
            desk.world_words[i] = desk.root_words[i]
        setup(boxes[0], desk.world[0], desk.luck[0])
        simulation(lore, boxes[0], desk, tree, style)


def look_up(boxes: Any, desk: Any, tree: Any, seat: int, memory: int, move: int) -> tuple[int, int]:
    """The node of what a seat knows in desk.world, and what it remembers after a move there."""
    key = knows(boxes[0], desk.world_words, desk.sight, desk.sight_words, seat, memory, 1)
    return slot_of(tree.nodes, key), scatter(key, move)


@dataclass(frozen=True)
class Place:
    """One decision of OpenSpiel's game with the same decision of ours."""

    theirs: pyspiel.State
    ours: Record
    past: tuple[tuple[int, Record, int], ...]  # (seat, state, move) of the decisions so far


def places(name: str) -> Iterator[Place]:
    """Every decision of a game of cards, walked through in both engines."""
    pending: list[tuple[pyspiel.State, tuple[int, ...]]] = [(pyspiel.load_game(name).new_initial_state(), ())]
    while pending:
        state, cards = pending.pop()
        if state.is_chance_node():
            pending.extend((state.child(card), (*cards, card)) for card in state.legal_actions())
        else:
            yield from _decisions(name, state, _dealt(CARDS[name], cards), ())


def _dealt(game: Game, cards: tuple[int, ...]) -> Record:
    s: Any = game.blank()
    engine.deal(game.box.record, s, Luck())
    for seat, card in enumerate(cards):
        s.card[seat] = card
    return s  # type: ignore[no-any-return]


def _decisions(name: str, state: pyspiel.State, ours: Record, past: tuple[Any, ...]) -> Iterator[Place]:
    if state.is_terminal():
        return
    yield Place(state, ours, past)
    box, seat = CARDS[name].box.record, state.current_player()
    for action in state.legal_actions():
        child = state.child(action)
        outcomes = list(enumerate(child.legal_actions())) if child.is_chance_node() else [(0, None)]
        for index, card in outcomes:
            after, luck = ours.copy(), RecordingLuck()
            begin(luck, 0)
            luck.scripted, luck.script[0] = 1, index
            engine.decide(box, after, luck, 1, seat, action)
            further = child if card is None else child.child(card)
            yield from _decisions(name, further, after, (*past, (seat, ours, action)))


def whole_game(name: str, simulations: tuple[int, ...], seed: int) -> dict[int, float]:
    """Exploitability of the average strategies of one search, after so many simulations."""
    game = CARDS[name]
    compiler = native(game.definition, chips.LORE)
    run, find = compiler.compile(self_play), compiler.compile(look_up)
    box = game.box.record.array
    desk, tree = set_up(game.definition.state, game.capacity), plant(1 << 12, 1 << 13)
    style = Style(seat=0, mix=1, recall=1)
    desk.root[0] = game.blank().array[0]
    found, done = {}, 0
    for goal in simulations:
        run(chips.LORE, box, desk, tree, style, seed, done, goal - done)
        done = goal
        table = policy.TabularPolicy(pyspiel.load_game(name))
        for place in places(name):
            seat, memory = place.theirs.current_player(), 0
            for other, before, move in place.past:
                if other == seat:
                    desk.world[0] = before.array[0]
                    _, memory = find(box, desk, tree, seat, memory, move)
            desk.world[0] = place.ours.array[0]
            node = tree.nodes[find(box, desk, tree, seat, memory, 0)[0]]
            span = slice(int(node["first"]), int(node["first"]) + int(node["n"]))
            if node["visits"]:
                played = tree.mixes["played"][span]
                _write(table, place.theirs, tree.edges["move"][span], played / played.sum())
        found[goal] = float(exploitability.exploitability(pyspiel.load_game(name), table))
    return found


def at_each_decision(name: str, simulations: int, seed: int) -> float:
    """Exploitability of a bot that mixes everywhere and searches anew at each decision, from what it then sees."""
    game = CARDS[name]
    table = policy.TabularPolicy(pyspiel.load_game(name))
    mind, known = Mind({"mix": 1}, plant(1 << 14, 1 << 16), chips.LORE), set()
    for place in places(name):
        seat, text = place.theirs.current_player(), place.theirs.information_state_string()
        if text not in known:
            known.add(text)
            clear(mind.tree)
            hidden = engine.hidden(game.box.record, place.ours, seat)
            verdict = mind.think(Sight(game, seat, hidden, ()), seed, simulations=simulations)
            moves = np.array([option.move.id for option in verdict.options])
            _write(table, place.theirs, moves, np.array([option.played for option in verdict.options]))
    return float(exploitability.exploitability(pyspiel.load_game(name), table))


def _write(table: policy.TabularPolicy, state: pyspiel.State, moves: Any, shares: Any) -> None:
    row = table.action_probability_array[table.state_index(state)]
    row[:] = 0.0
    row[moves] = shares


# --- Reporting ----------------------------------------------------------------


def measured(repetitions: int, seed: int) -> dict[str, Any]:
    """Everything, as `bench/results.json` keeps it."""
    ours, theirs = connect_four_rates(repetitions, seed)
    return {
        RATIO: round(statistics.median(own / their for own, their in zip(ours, theirs, strict=True)), 2),
        "connect_four_simulations_per_s": {
            "ours": round(statistics.median(ours)),
            "openspiel_cpp": round(statistics.median(theirs)),
        },
        "information_set_simulations_per_s": simulation_rates(seed),
        "punctuality": punctuality(seed),
        "exploitability": {
            name: {
                "uniform": round(_uniform(name), 4),
                "whole_game": {str(n): round(value, 4) for n, value in whole_game(name, SELF_PLAY, seed).items()},
                "anew_at_each_decision": {str(ANEW): round(at_each_decision(name, ANEW, seed), 4)},
            }
            for name in CARDS
        },
    }


def _uniform(name: str) -> float:
    game = pyspiel.load_game(name)
    return float(exploitability.exploitability(game, policy.TabularPolicy(game)))


def main(
    repetitions: Annotated[int, typer.Option(help="Turns of Connect Four.", min=1)] = 9,
    seed: Annotated[int, typer.Option(help="Seed of all searches.", min=0)] = 1,
) -> None:
    """Measure the search and keep the numbers in bench/results.json."""
    found = measured(repetitions, seed)
    console.print_json(data=found)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results["search"] = found
    results.setdefault("ratios", {})[RATIO] = found[RATIO]
    RESULTS.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
