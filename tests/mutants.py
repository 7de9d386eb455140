"""Change the rules of a game one small thing at a time, and see whether its tests notice.

python -m tests.mutants [GAME ...] [--sample N] [--seed S] [--processes P]

A mutant is one function of the rules with one comparison, number, operator, branch or statement changed. Each is put
in place of the true function in a process of its own and meets what the game is held to: its recorded matches and
their logs, the laws of random games and of secrecy, its own tests; where these run compiled code, it is compiled from
the changed rules. One that none of them notices is compared with the true rules in more random games, and in what
seats see and guess on the way: where it differs, tests are missing; where it does not, it may change nothing at all.
Those that change nothing for a reason that can be named stand in `tests/equivalent.toml`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import hashlib
import io
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import tomllib
import types
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from samizdat.kernel import contract, loops
from samizdat.kernel.bits import nth, size
from samizdat.kernel.game import Definition, Game, definition, definitions
from samizdat.kernel.interpreted import Batch, hidden
from samizdat.kernel.luck import Dice, Luck, RecordingLuck, begin, pick, seed_luck
from samizdat.kernel.matchfile import loads
from samizdat.kernel.scoring import Score
from samizdat.kernel.verdicts import verify
from samizdat.lab.report import share_interval
from tests.conftest import DOSE, every_game, plain_games
from tests.recorded_logs import log_of, told

HERE = Path(__file__).parent
SHOWN = ("_board", "_lore")  # tests of what is shown and advised: rules are held by the others
EQUIVALENT = HERE / "equivalent.toml"
SAMPLE = 60  # mutants of a game, drawn from all
COMPARED = 2  # random games of each way of setting up the game, for mutants that nothing noticed
OFTEN = 19  # decisions from one look at what everybody sees and guesses to the next
PATIENCE = 3  # times as long as the true rules take, then a mutant goes round in circles
OTHER = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip

HOUR = 3600  # seconds

FOUND, CHANGED, SAME = "found", "changed", "same"


@dataclass(frozen=True)
class Mutant:
    """One change of one function."""

    module: str
    function: str
    place: int  # of the changed node among those of the function that can be changed
    line: int
    what: str

    @property
    def name(self) -> str:
        return f"{self.module.rpartition('.')[2]}.{self.function}: {self.what}"


def changes(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, Callable[[], None]]]:
    """Every node that can be changed, the change in words, and what makes it."""
    skipped = {id(node) for part in (function.args, function.returns, *function.decorator_list) if part
               for node in ast.walk(part)}  # fmt: skip
    within = {id(node): statement for statement in ast.walk(function) if isinstance(statement, ast.stmt)
              for node in ast.walk(statement)}  # fmt: skip
    for node in ast.walk(function):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
            yield node, f"`{ast.unparse(node)}` compares otherwise", functools.partial(_other_comparison, node)
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in OTHER:
            yield node, f"`{ast.unparse(node)}` with another operator", functools.partial(_other_operator, node)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            line = ast.unparse(within[id(node)]).partition("\n")[0]
            yield node, f"{node.value} + 1 in `{line}`", functools.partial(setattr, node, "value", node.value + 1)
        elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
            yield node, f"not `{ast.unparse(node.test)}`", functools.partial(_negate, node)
        for body in (getattr(node, name, None) for name in ("body", "orelse")):
            for at, statement in enumerate(body if isinstance(body, list) else []):
                if isinstance(statement, (ast.Assign, ast.AugAssign)) or (
                    isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
                ):
                    gone = functools.partial(body.__setitem__, at, ast.copy_location(ast.Pass(), statement))
                    yield statement, f"without `{ast.unparse(statement)}`", gone


def _other_comparison(node: ast.Compare) -> None:
    node.ops[0] = OTHER[type(node.ops[0])]()


def _other_operator(node: ast.BinOp | ast.AugAssign | ast.BoolOp) -> None:
    node.op = OTHER[type(node.op)]()


def _negate(node: ast.If | ast.IfExp | ast.While) -> None:
    node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)


def rules_of(game: Definition) -> dict[str, types.ModuleType]:
    """The modules of a game's folder that its rules are made of, by name."""
    package = game.rules.__name__.rpartition(".")[0]
    return {
        name: module
        for name, module in sorted(sys.modules.items())
        if name.rpartition(".")[0] == package and Path(str(module.__file__)).stem.startswith(("rules", "guess"))
    }


def functions(module: types.ModuleType) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def mutants(game: Definition) -> list[Mutant]:
    """Every change of every function, each with a name of its own."""
    found = []
    for module, source in rules_of(game).items():
        for name, function in functions(source).items():
            times: Counter[str] = Counter()
            for place, (node, what, _) in enumerate(changes(function)):
                times[what] += 1
                again = f" ({times[what]})" if times[what] > 1 else ""
                found.append(Mutant(module, name, place, int(getattr(node, "lineno", 0)), what + again))
    return found


def put_in_place(mutant: Mutant) -> None:
    """From now on this process plays by the changed rules, whoever calls them."""
    module = sys.modules[mutant.module]
    function = copy.deepcopy(functions(module)[mutant.function])
    list(changes(function))[mutant.place][2]()
    function.decorator_list = []
    tree = ast.fix_missing_locations(ast.Module([function], []))
    code = compile(tree, str(module.__file__), "exec")
    true = getattr(module, mutant.function)
    (true.__code__,) = (part for part in code.co_consts if isinstance(part, types.CodeType))


# --- What a game is held to ------------------------------------------------------------------------------


def settings_of(game: Definition) -> list[Game]:
    return [one for one in plain_games() if one.definition is game]


def hold_recorded(game: Definition) -> None:
    for file in sorted((HERE / "recorded" / game.name).glob("*.json")):
        text = file.read_text(encoding="utf-8")
        verdict = verify(text)
        assert verdict.good, verdict.why
        assert told(loads(text)) == log_of(file).read_text(encoding="utf-8"), file.name


def hold_laws(game: Definition) -> None:
    for one in settings_of(game):
        states, scores, found = Batch(game.state, 1), Batch(Score, 1), [0, 0, 0]
        loops.simulate_lawful(
            [one.box.record], [one.blank()], states, scores, [0], [Luck()], [Dice()], 1944, 0, [0] * one.capacity,
            one.longest, found,
        )  # fmt: skip
        assert found == [0, 0, 0], found
        assert game.state.out_of_bounds(states[0].array) is None


def hold_secrets(game: Definition) -> None:
    """The secrecy law, which the conformance suite holds compiled, at some positions of a game of each sort."""
    rows = np.zeros(4, game.state.dtype)
    raw, states = rows.view(np.uint8).reshape(4, -1), Batch(game.state, 0)
    states.records = [game.state(rows[at : at + 1]) for at in range(4)]
    for one in settings_of(game):
        moves = np.zeros((2, one.capacity), np.int64)
        for ply, state, _ in walked(one, 0):
            if ply < OFTEN or ply % OFTEN == 0:
                states[0] = state
                for seat in range(-1, one.players):
                    luck = Luck()
                    seed_luck(luck, ply)
                    leak = loops.check_sight([one.box.record], states, raw, luck, moves, seat)
                    assert leak == loops.SECRETS_HOLD, (ply, seat, leak)


def hold_tests(game: Definition) -> None:
    found = sorted((HERE / "games").glob(f"test_{game.folder.name}*.py"))
    files = [str(file) for file in found if not file.stem.endswith(SHOWN)]
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        ended = pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", *files])
    assert ended == pytest.ExitCode.OK, said.getvalue()


def hold(game: Definition) -> None:
    hold_recorded(game)
    hold_laws(game)
    hold_secrets(game)
    hold_tests(game)


def played(game: Definition) -> str:
    """A fingerprint of random games of every way of setting this one up, with all that is told, and with what seats
    see and guess on the way."""
    digest = hashlib.sha256()
    for one in (one for one in every_game() if one.definition is game):
        for number in range(COMPARED):
            for ply, state, luck in walked(one, number):
                digest.update(bytes(luck))
                if ply % OFTEN == 0 or contract.seats_to_act(state) == 0:
                    digest.update(sights(one, state, ply))
            score = Score()
            contract.score(one.box.record, state, score)
            digest.update(bytes(state) + bytes(score))
    return digest.hexdigest()


def walked(game: Game, number: int) -> Iterator[tuple[int, Any, RecordingLuck]]:
    """A random game: the position and what was told before its first decision, and after each."""
    box, state, luck, dice, moves = game.box.record, game.blank(), RecordingLuck(), Dice(), [0] * game.capacity
    loops.begin_game(luck, dice, 15, number)
    contract.setup(box, state, luck)
    for ply in range(game.longest):
        yield ply, state, luck
        seats = contract.seats_to_act(state)
        if seats == 0:
            return
        seat = nth(seats, pick(dice, size(seats)))
        move = moves[pick(dice, contract.legal(box, state, seat, moves))]
        luck.told = luck.asked = luck.revealed = 0
        begin(luck, ply + 1)
        contract.play(box, state, luck, seat, move)


def sights(game: Game, state: Any, key: int) -> bytes:
    """What everybody sees of a position, and guesses that it is."""
    found = b""
    for seat in range(-1, game.players):
        luck = Luck()
        seed_luck(luck, key)
        begin(luck, 1)
        seen = hidden(game.box.record, state, seat)
        found += bytes(seen)
        contract.guess(game.box.record, seen, luck, seat)
        found += bytes(seen)
    return found


# --- One process for each mutant -------------------------------------------------------------------------


def in_a_child(work: Callable[[], Any], seconds: int) -> Any:
    """What some work comes to in a copy of this process; None if it fails, or takes more of the processor's time."""
    there, here = multiprocessing.Pipe(duplex=False)
    compiled = tempfile.mkdtemp()
    child = os.fork()
    if child == 0:
        try:
            os.environ["SAMIZDAT_CACHE"] = compiled  # what is compiled here is found by nobody else
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            with open(os.devnull, "w", encoding="utf-8") as nothing:
                os.dup2(nothing.fileno(), 1)
                os.dup2(nothing.fileno(), 2)
            here.send(work())
        finally:
            os._exit(0)
    here.close()
    try:
        return there.recv()
    except EOFError:  # it ended without a word
        return None
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        there.close()
        shutil.rmtree(compiled, ignore_errors=True)


def judge(asked: tuple[str, Mutant, str, int]) -> str:
    """What becomes of a mutant."""
    name, mutant, true, seconds = asked
    game = definition(name)

    def held() -> bool:
        put_in_place(mutant)
        hold(game)
        return True

    def plays() -> str:
        put_in_place(mutant)
        return played(game)

    if not in_a_child(held, seconds):
        return FOUND
    return SAME if in_a_child(plays, seconds) == true else CHANGED


def _told(mutant: Mutant, came: str) -> str:
    if came != FOUND:
        print(f"{came}: {mutant.name} (line {mutant.line})", flush=True)
    return came


def run(game: Definition, sample: int, seed: int, processes: int) -> list[tuple[Mutant, str]]:
    """Mutants drawn from all that may matter, and what became of each."""
    known = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get(game.name, {})
    everything = [mutant for mutant in mutants(game) if mutant.name not in known]
    chosen = random.Random(seed).sample(everything, min(sample, len(everything)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    assert in_a_child(lambda: [hold(game)], HOUR), "the true rules do not pass"
    seconds = 5 + int(PATIENCE * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before))
    true = in_a_child(lambda: played(game), HOUR)
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        judged = pool.imap(judge, [(game.name, one, true, seconds) for one in chosen])
        return [(mutant, _told(mutant, came)) for mutant, came in zip(chosen, judged, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(definitions()))
    parser.add_argument("--sample", type=int, default=SAMPLE * DOSE, help="so many mutants of each game")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    wish = parser.parse_args()
    os.environ["NUMBA_OPT"] = "1"  # what is compiled for a mutant is run once
    for name in wish.games:
        game = definition(name)
        hold_laws(game)  # everything is imported and read before the first copy of this process is made
        judged = run(game, wish.sample, wish.seed, wish.processes)
        count = Counter(came for _, came in judged)
        matter = count[FOUND] + count[CHANGED]
        low, high = share_interval(count[FOUND], matter)
        print(
            f"{name}: of {len(judged)} mutants out of {len(mutants(game))}, {count[FOUND]} were found; "
            f"{count[CHANGED]} more play differently, {count[SAME]} do not in the games compared. "
            f"Found of those that change behaviour: {count[FOUND] / max(1, matter):.1%} ({low:.1%} to {high:.1%}).",
            flush=True,
        )


if __name__ == "__main__":
    main()
