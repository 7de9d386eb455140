"""PettingZoo: every game as an agent-environment cycle (`env`) and as a parallel environment (`parallel_env`).

Agents are `player_0`, `player_1`, … An observation is a dict: `observation`, the tensor that
`samizdat.lab.observations` makes from what the seat may know, and `action_mask`, which is also in the info. An
action is the id of a move. The reward comes at the end: the seat's share of the win minus a fair share
(`match.returns`). An action that is not open ends the game with -1 for the agent that chose it and 0 for the others.

Where several seats choose at once, the cycle asks them in seat order, and nobody sees what another chose before
the rules open it. In the parallel environment all agents act in each step; one that has nothing to decide has
a single action open, the last id, which does nothing. How many steps an agent waits tells it how many small
decisions others made: a policy that is to know no more than a person would must not count them.

`state()` is the true record with all its secrets, laid out like an observation that nobody looks at: for a critic
that trains with hindsight, never for an agent that plays. Environments can be copied and pickled at any moment, in
the middle of an episode too; what arrives plays on the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.lab.faces import (
    ILLEGAL,
    RENDER_MODES,
    Episodes,
    action_mask,
    check_render_mode,
    chosen,
    is_open,
    table_text,
    versioned,
)
from samizdat.lab.observations import Tensors, TrueTensors

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise SamizdatError("samizdat.lab.pettingzoo needs PettingZoo: pip install 'samizdat[research]'.") from error


def env(game: Game | str, *, render_mode: str | None = None, render_seat: int | None = None, **options: Any) -> Any:
    """The agent-environment cycle of a game, in PettingZoo's wrapper that refuses calls out of order."""
    return OrderEnforcingWrapper(Cycle(chosen(game, options), render_mode, render_seat))


def parallel_env(
    game: Game | str, *, render_mode: str | None = None, render_seat: int | None = None, **options: Any
) -> Parallel:
    """The parallel environment of a game."""
    return Parallel(chosen(game, options), render_mode, render_seat)


class Seats:
    """What both kinds of environment are made of: agents, spaces, the match and what its seats receive."""

    game: Game
    match: Match
    actions: int  # how many action ids there are

    def _sit(self, game: Game, actions: int, render_mode: str | None, render_seat: int | None) -> None:
        self.game = game
        self.actions = actions
        self.render_mode = check_render_mode(render_mode)
        self.render_seat = render_seat
        self.metadata = {
            "name": f"samizdat_{versioned(game, '_')}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": True,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._episodes = Episodes()
        self._tensors = Tensors(game)
        self._true_tensors = TrueTensors(game)
        self.state_space = spaces.Box(-1, 1, (self._true_tensors.size,), np.float32)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1, 1, (self._tensors.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        self.match = self._episodes.begin(self.game, seed)
        self.agents = list(self.possible_agents)

    def _mask(self, agent: str) -> Any:
        return action_mask(self.match, self._seats[agent], self.actions)

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do."""
        sight = self.match.sight(self._seats[agent], memory=False)
        return {"observation": self._tensors.of(sight), "action_mask": self._mask(agent)}

    def state(self) -> Any:
        """The true record: the referee's, for training only."""
        return self._true_tensors.of(self.match)

    def _rewards(self, offenders: list[str]) -> dict[str, float]:
        """Zeros while the match runs, its returns at the end; or what actions that are not open cost."""
        if offenders:
            return {agent: ILLEGAL if agent in offenders else 0.0 for agent in self.possible_agents}
        return dict(zip(self.possible_agents, self.match.returns, strict=True))

    def render(self) -> str | None:
        """The table as a spectator sees it, or the seat given as `render_seat`."""
        if self.render_mode is None:
            return None
        text = table_text(self.match, self.render_seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to close; calling it is part of PettingZoo's manners."""


class Cycle(Seats, AECEnv):  # type: ignore[misc]  # PettingZoo carries no types
    """The agent-environment cycle: one seat decides at a time."""

    def __init__(self, game: Game, render_mode: str | None, render_seat: int | None) -> None:
        AECEnv.__init__(self)
        self._sit(game, game.capacity, render_mode, render_seat)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()
        self._show()

    def _ask(self) -> None:
        """Select the first seat that may act."""
        if self.match.turn:
            self.agent_selection = self.possible_agents[self.match.turn[0]]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        offenders = [] if is_open(self.match, seat, action) else [agent]
        if not offenders:
            self.match.play(seat, int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._rewards(offenders)
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, self.match.over or bool(offenders))
        self._ask()
        if self.terminations[agent]:
            self.agent_selection = self.agents[0]
        self._show()


class Parallel(Seats, ParallelEnv):  # type: ignore[misc]  # PettingZoo carries no types
    """All agents act in each step; the last action id is "nothing to decide"."""

    def __init__(self, game: Game, render_mode: str | None, render_seat: int | None) -> None:
        self._sit(game, game.capacity + 1, render_mode, render_seat)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        self._show()
        return self._everything()

    def _mask(self, agent: str) -> Any:
        mask = super()._mask(agent)
        mask[-1] = not mask.any()
        return mask

    def _everything(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observations = {agent: self.observe(agent) for agent in self.agents}
        return observations, {agent: {"action_mask": seen["action_mask"]} for agent, seen in observations.items()}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        deciding = {self.possible_agents[seat]: seat for seat in self.match.turn}
        # All actions are judged before the first is played: none may depend on another of the same step.
        offenders = [agent for agent in self.agents if not self._may(agent, actions[agent])]
        if not offenders:
            for agent, seat in deciding.items():
                self.match.play(seat, int(actions[agent]))
        over = self.match.over or bool(offenders)
        observations, infos = self._everything()
        rewards = self._rewards(offenders)
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        self._show()
        return observations, rewards, terminations, truncations, infos

    def _may(self, agent: str, action: Any) -> bool:
        seat = self._seats[agent]
        return is_open(self.match, seat, action) if seat in self.match.turn else bool(action == self.game.capacity)
