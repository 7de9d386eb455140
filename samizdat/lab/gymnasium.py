"""Gymnasium: one seat of a game as an environment (`env`), and thousands of games at once (`VectorEnv`).

Observations, masks, rewards and what an action that is not open costs are those of `samizdat.lab.pettingzoo`.
Importing this module registers `samizdat/<game>-v<rules version>` for every game, for `gymnasium.make` and
`gymnasium.make_vec`.

Episode e after `reset(seed=s)` is game e of a simulation with seed s, so that it can be replayed as a match with
seed `s + (e << 64)`; with random opponents the single and the vectorised environment play the very same games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.arguments import clip, whole
from samizdat.kernel.errors import OptionError, SamizdatError
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.luck import Dice, begin_dice, fresh_seed, pick
from samizdat.kernel.match import Match, Sight
from samizdat.lab import vector
from samizdat.lab.faces import (
    ILLEGAL,
    RENDER_MODES,
    SEEDS,
    Episodes,
    action_mask,
    check_env_seed,
    check_render_mode,
    chosen,
    is_open,
    table_text,
    versioned,
)
from samizdat.lab.observations import Tensors, size

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise SamizdatError("samizdat.lab.gymnasium needs Gymnasium: pip install 'samizdat[research]'.") from error

Observation = dict[str, Any]
Opponents = Callable[[Sight], Any] | str


def _check_agent(game: Game, seat: int) -> int:
    number = whole(seat)
    if number is None or not 0 <= number < game.players:
        raise OptionError(f"The agent's seat is a number from 0 to {game.players - 1}, not {clip(seat)}.")
    return number


def _check_opponents(opponents: Opponents) -> Opponents:
    if not callable(opponents) and opponents != "random":
        raise OptionError(f'Opponents are "random" or a function from a Sight to a move, not {clip(opponents)}.')
    return opponents


def _space(game: Game) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-1, 1, (size(game),), np.float32),
            "action_mask": spaces.Box(0, 1, (game.capacity,), np.int8),
        }
    )


def env(
    game: Game | str,
    seat: int = 0,
    opponents: Opponents = "random",
    *,
    render_mode: str | None = None,
    **options: Any,
) -> SeatEnv:
    """One seat of a game against opponents: "random", or a function from a Sight to a move (a bot's `choose`)."""
    return SeatEnv(game, seat, opponents, render_mode=render_mode, **options)


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game; the opponents decide until the seat must act or the game is over."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        seat: int = 0,
        opponents: Opponents = "random",
        *,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = chosen(game, options)
        self.seat = _check_agent(self.game, seat)
        self.opponents = _check_opponents(opponents)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {**self.metadata, "name": versioned(self.game, "_")}
        self.observation_space = _space(self.game)
        self.action_space = spaces.Discrete(self.game.capacity)
        self.match: Match
        self._tensors = Tensors(self.game)
        self._episodes = Episodes()
        self._dice = Dice()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        seed = None if seed is None else check_env_seed(seed)
        super().reset(seed=seed)
        self._deal(seed)
        while self.match.over:  # a game that ended before the agent was asked anything
            self._deal(None)
        self._show()
        return self._receive()

    def _deal(self, seed: int | None) -> None:
        self.match = self._episodes.begin(self.game, seed)
        begin_dice(self._dice, self._episodes.seed or 0, self._episodes.number)
        self._others_play()

    @property
    def episode(self) -> int:
        """The number of the game being played, counted from the last seed."""
        return self._episodes.number

    def _others_play(self) -> None:
        match = self.match
        while not match.over and self.seat not in match.turn:
            other = match.turn[0]
            if callable(self.opponents):
                match.play(other, self.opponents(match.sight(other)))
            else:
                moves = match.legal(other)
                match.play(other, moves[pick(self._dice, len(moves))])

    def _receive(self) -> tuple[Observation, dict[str, Any]]:
        mask = action_mask(self.match, self.seat, self.game.capacity)
        tensor = self._tensors.of(self.match.sight(self.seat, memory=False))
        return {"observation": tensor, "action_mask": mask}, {"action_mask": mask.copy()}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        illegal = not is_open(self.match, self.seat, action)
        if not illegal:
            self.match.play(self.seat, int(action))
            self._others_play()
        reward = ILLEGAL if illegal else self.match.returns[self.seat]
        observation, info = self._receive()
        self._show()
        return observation, reward, illegal or self.match.over, False, {**info, "illegal": illegal}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are open; Stable-Baselines' MaskablePPO asks for it by this name."""
        return action_mask(self.match, self.seat, self.game.capacity).astype(np.bool_)

    def render(self) -> str | None:
        """The table as the agent's seat sees it."""
        if self.render_mode is None:
            return None
        text = table_text(self.match, self.seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class VectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many games of one seat, stepped in compiled code while the opponents play at random.

    A game that ends is followed by the next one in the same step; its last observation is then in
    `infos["final_obs"]`. The arrays a step returns are always the same memory, written anew by the next step:
    hand them to PyTorch as they are (`torch.from_numpy`), copy what must last, or ask for `copy=True`.

    Opponents given as a function are asked game by game, as `SeatEnv` does: the same numbers, as fast as they think.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seat: int = 0,
        opponents: Opponents = "random",
        *,
        copy: bool = False,
        **options: Any,
    ) -> None:
        self.game = chosen(game, options)
        self.seat = _check_agent(self.game, seat)
        self.num_envs = num_envs
        self.copy = copy
        self.metadata = {
            "name": versioned(self.game, "_"),
            "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
        }
        self.single_observation_space = _space(self.game)
        self.single_action_space = spaces.Discrete(self.game.capacity)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.arrays = vector.arrays(self.game, num_envs)
        self.arrays.seeds[:] = -1
        self._truncated = np.zeros(num_envs, np.bool_)
        self._actions = np.zeros(num_envs, np.int64)
        self._singles: list[SeatEnv] = []
        if callable(_check_opponents(opponents)):
            self._singles = [SeatEnv(self.game, self.seat, opponents) for _ in range(num_envs)]

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: what the arrays hold, as some of them are views of others."""
        held = self.arrays._asdict()
        del held["boxes"]  # the game's own, read-only
        return {**vars(self), "arrays": held}

    def __setstate__(self, state: dict[str, Any]) -> None:
        held = state.pop("arrays")
        vars(self).update(state)
        self.arrays = vector.arrays(self.game, self.num_envs)
        for name, array in held.items():
            getattr(self.arrays, name)[...] = array

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew: environment i with seed `seed + i`, or with the i-th of a list; without, the next episodes."""
        a = self.arrays
        if seed is None and a.seeds[0] < 0:
            seed = fresh_seed() % (SEEDS - self.num_envs)
        if seed is not None:
            if isinstance(seed, Sequence | np.ndarray):
                seeds = list(seed)
            else:
                seeds = [check_env_seed(seed) + i for i in range(self.num_envs)]
            if len(seeds) != self.num_envs:
                raise OptionError(f"There are {self.num_envs} environments, but {len(seeds)} seeds.")
            a.seeds[:] = [check_env_seed(one) for one in seeds]
            a.episodes[:] = -1
        self._advance(anew=True)
        return self._received(), {"action_mask": self._given(a.masks)}

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        a = self.arrays
        if a.seeds[0] < 0:
            raise gymnasium.error.ResetNeeded("Call reset before the first step.")
        if np.shape(actions) != (self.num_envs,):
            raise OptionError(f"There are {self.num_envs} environments, but actions have shape {np.shape(actions)}.")
        self._actions[:] = actions
        self._advance(anew=False)
        infos: dict[str, Any] = {"action_mask": self._given(a.masks), "illegal": self._given(a.illegal)}
        if a.terminated.any():
            infos["final_obs"] = self._given(a.finals)
            infos["_final_obs"] = self._given(a.terminated)
        return (
            self._received(), self._given(a.rewards[:, self.seat]), self._given(a.terminated),
            self._given(self._truncated), infos,
        )  # fmt: skip

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are open in each game, by the name that Stable-Baselines asks for."""
        masks: npt.NDArray[np.bool_] = self.arrays.masks.astype(np.bool_)
        return masks

    def _advance(self, anew: bool) -> None:
        game = self.game
        if self._singles:
            for i in range(self.num_envs):
                self._advance_single(i, anew)
            return
        step = vector.compiled(game.definition.native)
        step(self.arrays, self._actions, anew, self.seat, False, game.players, game.fair_seats)

    def _advance_single(self, i: int, anew: bool) -> None:
        """One game by itself, into the arrays; what `vector.step_games` does."""
        a, single = self.arrays, self._singles[i]
        a.rewards[i], a.terminated[i], a.illegal[i] = 0.0, False, False
        if not anew:
            seen, a.rewards[i, self.seat], a.terminated[i], _, info = single.step(int(self._actions[i]))
            a.illegal[i] = info["illegal"]
        if a.terminated[i]:
            a.finals[i] = seen["observation"]
        if anew or a.terminated[i]:
            seen, _ = single.reset(seed=int(a.seeds[i]) if a.episodes[i] < 0 else None)
            a.episodes[i] = single.episode
        a.observations[i], a.masks[i] = seen["observation"], seen["action_mask"]

    def _received(self) -> Observation:
        return {"observation": self._given(self.arrays.observations), "action_mask": self._given(self.arrays.masks)}

    def _given(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self.copy else array


def register() -> None:
    """Make every game known to Gymnasium by its versioned id."""
    for name, found in definitions().items():
        gymnasium.register(
            f"samizdat/{versioned(found.choose(), '-')}",
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:VectorEnv",
            disable_env_checker=True,
            kwargs={"game": name},
        )


register()
