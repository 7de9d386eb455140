"""Gymnasium: one seat of a game as an environment (`env`), and thousands of games at once (`VectorEnv`).

Observations, masks, rewards and what an action that is not open costs are those of `samizdat.lab.pettingzoo`.
Importing this module registers `samizdat/<game>-v<rules version>` for every game, for `gymnasium.make` and
`gymnasium.make_vec`.

Episode e after `reset(seed=s)` is game e of a simulation with seed s, so that it can be replayed as a match with
seed `s + (e << 64)`; with random opponents the single and the vectorised environment play the very same games.

Opponents (`samizdat.lab.opponents`) are one for all other seats, or a list by seat with None for the agent's own:
"random", a bot as the arena writes it (`novice`, `regular:simulations=50`, `my.py:Agent`, `policy.onnx`), a policy,
or a function from a Sight to a move. Random ones are compiled; policies are asked for all games of a batch at once;
any other is asked game by game, as fast as it thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.arguments import clip, whole
from samizdat.kernel.errors import OptionError, SamizdatError
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.luck import fresh_seed
from samizdat.kernel.match import Match
from samizdat.lab import vector
from samizdat.lab.faces import (
    RENDER_MODES,
    SEEDS,
    check_env_seed,
    check_render_mode,
    chosen,
    table_text,
    versioned,
)
from samizdat.lab.observations import size
from samizdat.lab.opponents import Opponent, Opponents, by_seat
from samizdat.lab.single import Single

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise SamizdatError("samizdat.lab.gymnasium needs Gymnasium: pip install 'samizdat[research]'.") from error

Observation = dict[str, Any]
Given = Opponent | Sequence[Opponent | None]  # opponents as they are given


def _check_agent(game: Game, seat: int) -> int:
    number = whole(seat)
    if number is None or not 0 <= number < game.players:
        raise OptionError(f"The agent's seat is a number from 0 to {game.players - 1}, not {clip(seat)}.")
    return number


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
    opponents: Given = "random",
    *,
    render_mode: str | None = None,
    **options: Any,
) -> SeatEnv:
    """One seat of a game against opponents."""
    return SeatEnv(game, seat, opponents, render_mode=render_mode, **options)


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game; the opponents decide until the seat must act or the game is over."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        seat: int = 0,
        opponents: Given = "random",
        *,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = chosen(game, options)
        self.seat = _check_agent(self.game, seat)
        self.opponents = Opponents(self.game, by_seat(self.game, [self.seat], opponents))
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {**self.metadata, "name": versioned(self.game, "_")}
        self.observation_space = _space(self.game)
        self.action_space = spaces.Discrete(self.game.capacity)
        self._single = Single(self.game, self.game.capacity)
        self._at_random = self.seat if self.opponents.at_random else vector.NOBODY

    @property
    def match(self) -> Match:
        """The match being played, to be looked at; set it to play on from another one."""
        return self._single.match

    @match.setter
    def match(self, match: Match) -> None:
        self._single.match = match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        seed = None if seed is None else check_env_seed(seed)
        super().reset(seed=seed)
        self._deal(seed)
        while self._single.over:  # a game that ended before the agent was asked anything
            self._deal(None)
        self._show()
        return self._receive()

    def _deal(self, seed: int | None) -> None:
        self._single.deal(seed, self._at_random)
        if self._at_random == vector.NOBODY:
            self.opponents.begin(self._single.seed, self._single.episode)
            self._others_play()

    @property
    def episode(self) -> int:
        """The number of the game being played, counted from the last seed."""
        return self._single.episode

    def _others_play(self) -> None:
        single = self._single
        while single.seats and not single.seats >> self.seat & 1:
            single.decide(single.first, self.opponents.decide(single, single.first))

    def _receive(self) -> tuple[Observation, dict[str, Any]]:
        mask = self._single.mask(self.seat)
        return {"observation": self._single.observation(self.seat), "action_mask": mask}, {"action_mask": mask.copy()}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        single = self._single
        lawful = single.decide(self.seat, action, self._at_random)
        reward = float(single.arrays.rewards[0, self.seat])
        if lawful and self._at_random == vector.NOBODY:
            self._others_play()
            reward = float(single.arrays.rewards[0, self.seat])
        observation, info = self._receive()
        self._show()
        return observation, reward, not lawful or single.over, False, {**info, "illegal": not lawful}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are open; Stable-Baselines' MaskablePPO asks for it by this name."""
        return self._single.mask(self.seat).astype(np.bool_)

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
    """Many games of one seat, stepped in compiled code.

    A game that ends is followed by the next one in the same step; its last observation is then in
    `infos["final_obs"]`. The arrays a step returns are always the same memory, written anew by the next step:
    hand them to PyTorch as they are (`torch.from_numpy`), copy what must last, or ask for `copy=True`.

    Policies as opponents answer for all games together. Those that draw their moves (`:sampled`) do so in the order
    of the games, so that a batch of another size plays other games. Opponents that want a Sight are asked game by
    game, as `SeatEnv` does: the same numbers, as fast as they think.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seat: int = 0,
        opponents: Given = "random",
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
        self.opponents = Opponents(self.game, by_seat(self.game, [self.seat], opponents))
        self._singles: list[SeatEnv] = []
        self._in_rows = not self.opponents.at_random and self.opponents.in_rows
        if not self.opponents.at_random and not self._in_rows:
            self._singles = [SeatEnv(self.game, self.seat, opponents) for _ in range(num_envs)]

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes."""
        return {**vars(self), "arrays": vector.held(self.arrays)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        held = state.pop("arrays")
        vars(self).update(state)
        self.arrays = vector.arrays(self.game, self.num_envs)
        vector.hold(self.arrays, held)

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
            self.opponents.begin(int(a.seeds[0]), 0)
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
        a, ends = self.arrays, (self.seat, False, 0, 0, game.players, game.fair_seats)
        if not self._in_rows:
            vector.step(game, a, self._actions, anew, self.seat)
            return
        step = vector.compiled(game.definition.native)
        waiting = step(a, self._actions, vector.ANEW_ASKING if anew else vector.STEP_ASKING, *ends)
        while waiting:
            self.opponents.answer(a.seats, a.observations, a.masks, self._actions)
            waiting = step(a, self._actions, vector.ANSWER, *ends)

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
