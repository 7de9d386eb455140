"""OpenSpiel's face of every game: importing this module registers `python_samizdat_<game>`.

    import pyspiel
    import samizdat.lab.openspiel
    game = pyspiel.load_game("python_samizdat_revolution(players=3,max_rounds=5)")

Parameters: `players` (0: as many as the game is usually for), `variant`, `box` (a path, or `reduced` for the small
box that the game ships for exact solvers, with the options it is meant for), and the options of the game by name.
OpenSpiel fills in parameters that are not given, so one that is given at its usual value counts as not given.

The games are sequential to OpenSpiel: whoever chooses at the same time commits in seat order, unseen. Luck is
explicit, and the rules run compiled (see `samizdat.lab.tree`). Information states are perfect recall: their
strings are a 128-bit name of the seat's whole sequence of observations, so equal strings mean equal sequences.
Returns are each seat's share of the win minus a fair share.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import pyspiel

from samizdat.kernel.game import REDUCED, Definition, Game, definitions
from samizdat.kernel.luck import SCRIPT
from samizdat.kernel.match import Sight
from samizdat.kernel.records import Record
from samizdat.lab import observations
from samizdat.lab.tree import NAME_BYTES, RECALL, Tree

PREFIX = "python_samizdat_"
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
KEPT = 100_000  # nodes of a reduced tree, about 2 kB each
MOST_OUTCOMES = 256  # of a single draw: no deck, die or stack of any box has more


def parameters(definition: Definition) -> dict[str, bool | int | str]:
    """The parameters of a game with the values that stand for "as usual"."""
    usual: dict[str, bool | int | str] = {"players": 0, "variant": next(iter(definition.variants)), "box": ""}
    return usual | {option.name: option.default for option in definition.options}


def game_type(definition: Definition, zero_sum: bool) -> Any:
    counts = [count for counts in definition.variants.values() for count in counts]
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=PREFIX + definition.snake,
        long_name=definition.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(definition),
    )


def is_zero_sum(game: Game) -> bool:
    """Whether somebody at the table always wins what the others lose."""
    return game.fair_seats == game.players and not game.definition.all_may_lose


class SamizdatGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its options chosen; each game has a subclass that names it."""

    definition: ClassVar[Definition]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        usual = parameters(self.definition)
        given = {name: value for name, value in (params or {}).items() if value != usual.get(name)}
        self.samizdat = self.definition.choose(**given)
        self._reduced = given.get("box") == REDUCED
        zero_sum = is_zero_sum(self.samizdat)
        fair_share = 1 / self.samizdat.fair_seats
        info = pyspiel.GameInfo(
            num_distinct_actions=self.samizdat.capacity,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.samizdat.players,
            min_utility=-fair_share,
            max_utility=1 - fair_share,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.samizdat.longest,
        )
        super().__init__(game_type(self.definition, zero_sum), info, given)

    @functools.cached_property
    def tree(self) -> Tree:
        return Tree(self.samizdat, keep=KEPT if self._reduced else 0)

    def new_initial_state(self) -> SamizdatState:
        return SamizdatState(self)

    def max_chance_nodes_in_history(self) -> int:
        return (self.samizdat.longest + 1) * SCRIPT

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SeatObserver | None:
        """What one seat knows, with or without its past; None for other ways of cutting knowledge up."""
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SeatObserver(self.samizdat, kind.perfect_recall)


class SamizdatState(pyspiel.State):  # type: ignore[misc]
    """A node of the tree. OpenSpiel copies what is in here by deepcopy and pickle."""

    def __init__(self, game: SamizdatGame) -> None:
        super().__init__(game)
        self.node = game.tree.root

    @property
    def _tree(self) -> Tree:
        tree: Tree = self.get_game().tree
        return tree

    def current_player(self) -> int:
        if self.node.pending is not None:
            return CHANCE
        turn = self.node.turn
        return TERMINAL if turn is None else turn

    def is_terminal(self) -> bool:
        return self.node.pending is None and self.node.turn is None

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.moves

    def chance_outcomes(self) -> list[tuple[int, float]]:
        pending = self.node.pending
        assert pending is not None
        if pending.outcomes > MOST_OUTCOMES:
            raise RuntimeError(f"{pending.outcomes} outcomes; OpenSpiel was promised {MOST_OUTCOMES} at most")
        return [(outcome, 1 / pending.outcomes) for outcome in range(pending.outcomes)]

    def _apply_action(self, action: int) -> None:
        self.node = self._tree.child(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"luck {action}"
        return str(self._tree.game.notation.move(action))

    def returns(self) -> list[float]:
        tree = self._tree
        return evened(tree.returns(self.node)) if self.is_terminal() else [0.0] * tree.game.players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SamizdatState:
        """Another state that the player cannot tell from this one; without history, as no true one led there."""
        seed = 0
        for _ in range(4):
            seed = seed << 32 | int(sampler() * 0xFFFFFFFF)
        state: SamizdatState = self.get_game().new_initial_state()
        state.node = self._tree.resample(self.node, player, seed)
        return state

    def __str__(self) -> str:
        """The true record, for whoever debugs a solver."""
        pending = self.node.pending
        luck = f" pending: {pending.seat} {pending.move} {pending.script}" if pending else ""
        return written(self.node.position.record) + luck


def evened(returns: list[float]) -> list[float]:
    """The same returns, those of winners rounded once, not twice: OpenSpiel's tests want a sum of exactly 0."""
    winners, losers = sum(value > 0 for value in returns), sum(value < 0 for value in returns)
    return [losers / (winners * len(returns)) if value > 0 and losers else value for value in returns]


def written(record: Record) -> str:
    """The fields of a record that hold anything."""
    full = (name for name in record.fields if record.array[name].any())
    return " ".join(f"{name}={record.array[name][0].tolist()}".replace(" ", "") for name in full)


class SeatObserver:
    """OpenSpiel's observer: writes what a seat knows into `tensor`, of which `dict` holds the named parts.

    observation: what the seat sees, laid out as `samizdat.lab.observations` says; all 0 before the deal. With
    perfect recall instead: name, the bits of the name of all that the seat has observed, and recent, its last
    observations, newest first, each with the seat's own decision, if it was one, in front.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self._game = game
        self._perfect_recall = perfect_recall
        self._tensors = observations.Tensors(game)
        self._seen = functools.lru_cache(RECALL * game.players)(self._look)
        shapes: dict[str, tuple[int, ...]] = {"observation": (self._tensors.size,)}
        if perfect_recall:
            shapes = {"name": (8 * NAME_BYTES,), "recent": (RECALL, 1 + self._tensors.size)}
        self.tensor = np.zeros(sum(math.prod(shape) for shape in shapes.values()), np.float32)
        self.dict: dict[str, observations.Floats] = {}
        start = 0
        for name, shape in shapes.items():
            stop = start + math.prod(shape)
            self.dict[name] = self.tensor[start:stop].reshape(shape)
            start = stop

    def _look(self, player: int, seen: bytes) -> observations.Floats:
        return self._tensors.of(Sight(self._game, player, self._game.definition.state.from_bytes(seen), ()))

    def set_from(self, state: SamizdatState, player: int) -> None:
        memory = state.node.position.memory(player)
        self.tensor.fill(0)
        if self._perfect_recall:
            self.dict["name"][:] = np.unpackbits(np.frombuffer(memory.name, np.uint8))
            for row, one in zip(self.dict["recent"], memory.recent, strict=False):
                if one.move is not None:
                    row[0] = (one.move + 1) / self._game.capacity
                row[1:] = self._seen(player, one.seen)
        elif memory.recent:
            self.dict["observation"][:] = self._seen(player, memory.recent[0].seen)

    def string_from(self, state: SamizdatState, player: int) -> str:
        memory = state.node.position.memory(player)
        if self._perfect_recall:
            return f"seat {player}: {memory.steps} {memory.name.hex()}"
        if not memory.recent:
            return f"seat {player}: nothing dealt"
        return f"seat {player}: {written(self._game.definition.state.from_bytes(memory.recent[0].seen))}"


def register(definition: Definition) -> None:
    """Make a game known to OpenSpiel: by a class of its own, which stands in this module, to be pickled by name."""
    name = f"Samizdat_{definition.snake}"
    # A class, not a bound function: OpenSpiel's registry lets go of it after Python has ended.
    globals()[name] = type(name, (SamizdatGame,), {"definition": definition, "__module__": __name__})
    pyspiel.register_game(game_type(definition, zero_sum=not definition.all_may_lose), globals()[name])


for _definition in definitions().values():
    register(_definition)
