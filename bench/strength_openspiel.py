"""Our search against OpenSpiel's own, through our OpenSpiel face: `python -m bench.strength --openspiel`.

OpenSpiel's state is the referee; our bot is handed the sight of a match that follows it, luck and all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean
from time import monotonic, perf_counter
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from rich.progress import Progress

from bench import strength
from samizdat.bots import Bot
from samizdat.bots.thinking import Mind, SearchResult
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match, Sight
from samizdat.lab.arena import Setting
from samizdat.lab.crews import in_order
from samizdat.lab.openspiel import PREFIX
from samizdat.lab.standings import clustered_interval
from samizdat.lab.tree import Tree

SEATS = 2
UCT = 1.0  # returns are a share of the win: between them lies 1
FEWEST = 2  # simulations after which OpenSpiel's bot has anything to choose by: the first only opens the root
GOALS = {"seconds": 0.9, "simulations": 0.55}


@dataclass(frozen=True)
class Duel:
    """One game: the budget of both, which deal, and where we sit."""

    setting: Setting
    kind: str  # seconds or simulations, for each decision
    budget: float
    deal: int
    seat: int

    @property
    def key(self) -> str:
        return f"{self.setting.name} {self.setting.variant}: {self.budget:g} {self.kind}"


@dataclass(frozen=True)
class Outcome:
    """How a duel ended: our share of the win, and how much both searched at a decision on average."""

    duel: Duel
    share: float
    ours: float
    theirs: float


class Theirs(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot; it knows only numbers of simulations, so a time limit is held from outside."""

    def __init__(self, game: pyspiel.Game, kind: str, budget: float, seed: int) -> None:
        rng = np.random.RandomState(seed)
        number = int(budget) if kind == "simulations" else 1
        super().__init__(game, mcts.RandomRolloutEvaluator(1, rng), UCT, number, random_state=rng)
        self.seconds = budget if kind == "seconds" else None
        self.searched: list[int] = []

    def run_search(self, state: pyspiel.State) -> Any:
        """As in OpenSpiel, but for as long as there is time."""
        actions = state.legal_actions()
        if len(actions) == 1:
            return [(actions[0], 1.0)]
        if self.seconds is None:
            self.searched.append(self._max_simulations)
            return super().run_search(state)
        began, done = perf_counter(), 0
        self.reset()
        self._root_node = self.create_new_node(state)
        while done < FEWEST or perf_counter() - began < self.seconds:
            self.run_simulation(self.sample_root_state(state))
            done += 1
        self.searched.append(done)
        return self.get_final_policy(state, self._root_node)


class Counted(Mind):
    """A mind that notes how many simulations it made."""

    def think(
        self, sight: Sight, seed: int, seconds: float | None = None, simulations: int | None = None
    ) -> SearchResult:  # fmt: skip
        verdict = super().think(sight, seed, seconds, simulations)
        SEARCHED.append(verdict.simulations)
        return verdict


SEARCHED: list[int] = []  # by our bot in the duel that this process plays


def play(duel: Duel) -> Outcome:
    """One game to its end; runs in any process."""
    name = f"{PREFIX}{duel.setting.game().definition.snake}"
    game = pyspiel.load_game(name, {"players": SEATS, "variant": duel.setting.variant})
    rng = random.Random(f"{strength.SEED} {duel.deal}")  # the same luck of the deal for both seats
    state = game.new_initial_state()
    budget: dict[str, Any] = {duel.kind: duel.budget if duel.kind == "seconds" else int(duel.budget)}
    SEARCHED.clear()
    ours = Bot("expert", rng=random.Random(rng.getrandbits(62)), mind=Counted(), **budget)
    theirs = Theirs(game, duel.kind, duel.budget, rng.getrandbits(31))
    match: Match | None = None
    while not state.is_terminal():
        seat, move = state.current_player(), -1
        if match is not None:
            move = ours.choose(match.sight(seat)).id if seat == duel.seat else int(theirs.step(state))
            state.apply_action(move)
        script = _fall(state, rng)
        if match is None:
            match = Match(duel.setting.game(), 0, script)
        else:
            match.play(seat, move, script)
    share = state.returns()[duel.seat] + 1 / SEATS
    return Outcome(duel, share, fmean(SEARCHED), fmean(theirs.searched))


def _fall(state: pyspiel.State, rng: random.Random) -> tuple[int, ...]:
    """Let all luck fall that a decision waits for; what fell, as a match takes it."""
    script: tuple[int, ...] = ()
    while state.is_chance_node():
        outcome = rng.randrange(len(state.chance_outcomes()))
        script = (*state.node.pending.script, outcome)
        state.apply_action(outcome)
    return script


def settings(only: list[str]) -> list[Setting]:
    """Every game for two, in its first variant of that kind."""
    found = []
    for definition in definitions().values():
        variants = [variant for variant, counts in definition.variants.items() if SEATS in counts]
        if variants and (not only or definition.name in only):
            found.append(Setting(definition.name, SEATS, variants[0]))
    return found


def duels(chosen: list[Setting], games: int, budgets: dict[str, float], rows: dict[str, Any]) -> Iterator[Duel]:
    """All that is to be played, games and budgets in turn."""
    for deal in range((games + 1) // SEATS):
        for kind, budget in budgets.items():
            for setting in chosen:
                for seat in range(SEATS):
                    duel = Duel(setting, kind, budget, deal, seat)
                    if str(deal) not in rows.get(duel.key, {}).get("deals", {}):
                        yield duel


def measure(only: list[str], games: int, minutes: float, workers: int, seconds: float, simulations: int) -> None:
    """Play until everything is played or the time is up; what was played is kept."""
    deadline = monotonic() + 60 * minutes
    data = strength.read_results()
    rows: dict[str, Any] = data["openspiel"]
    for key, row in list(rows.items()):
        if row["made_of"] != strength.fingerprint(Setting(row["game"], SEATS, row["variant"])):
            del rows[key]  # of other bots than those of today
    left = list(duels(settings(only), games, {"seconds": seconds, "simulations": simulations}, rows))
    waiting: dict[tuple[str, int], list[Outcome]] = {}
    with strength.console.status("Compiling each game's search and tree, or reading them from disk"):
        for setting in settings(only):
            strength.compile_search(setting.name)
            Tree(setting.game())  # the steps of OpenSpiel's search
    try:
        with Progress(console=strength.console) as progress, closing(in_order(play, iter(left), workers)) as done:
            task = progress.add_task("games", total=len(left))
            for outcome in done:
                progress.advance(task)
                duel = outcome.duel
                pair = waiting.setdefault((duel.key, duel.deal), [])
                pair.append(outcome)
                if len(pair) == SEATS:
                    rows[duel.key] = _row(duel, rows.get(duel.key), pair)
                    strength.write_results(data)
                if monotonic() > deadline:
                    break
    except KeyboardInterrupt:
        strength.console.print("Interrupted: what was played is kept.")


def _row(duel: Duel, old: dict[str, Any] | None, pair: list[Outcome]) -> dict[str, Any]:
    """The row of a budget with one deal more."""
    deals = {**(old["deals"] if old else {}), str(duel.deal): [one.share for one in pair]}
    effort = [*(old["effort"] if old else []), *([round(one.ours), round(one.theirs)] for one in pair)]
    low, high = clustered_interval(list(deals.values()))
    games = sum(map(len, deals.values()))
    return {
        "game": duel.setting.name, "variant": duel.setting.variant, "budget": f"{duel.budget:g} {duel.kind}",
        "games": games, "share": round(sum(map(sum, deals.values())) / games, 4), "low": round(low, 4),
        "high": round(high, 4), "goal": GOALS[duel.kind], "ours_simulations": round(fmean(e[0] for e in effort)),
        "theirs_simulations": round(fmean(e[1] for e in effort)), "command": strength.command(), "deals": deals,
        "effort": effort, "made_of": strength.fingerprint(duel.setting),
    }  # fmt: skip
