"""PettingZoo: every game as an agent-environment cycle (`env`) and as a parallel environment (`parallel_env`).

Agents are `player_0`, `player_1`, … An observation is a dict: `observation`, the tensor that
`samizdat.lab.observations` makes from what the seat may know, and `action_mask`, which is also in the info. An
action is the id of a move. The reward comes at the end: the seat's share of the win minus a fair share
(`match.returns`). An action that is not open ends the game with -1 for the agent that chose it and 0 for the others.

Where several seats choose at once, the cycle asks them in seat order, and nobody sees what another chose before
the rules open it. In the parallel environment all agents act in each step; one that has nothing to decide has
a single action open, the last id, which does nothing. How many steps an agent waits tells it how many small
decisions others made: a policy that is to know no more than a person would must not count them.

Opponents (`samizdat.lab.opponents`) may sit at some of the seats: `opponents=[None, "novice", "policy.onnx"]` by
seat, None for an agent's. Then only the agents that are left are the environment's; the others decide as soon as it
is their turn, and are no agents to be seen or rewarded.

Environments run compiled: about 0.03 ms for a step, and ten seconds of compiling when a game is first used on a
machine. `env.unwrapped.match` is the match being played; set it to play on from another one.

`state()` is the true record with all its secrets, laid out like an observation that nobody looks at: for a critic
that trains with hindsight, never for an agent that plays. Environments can be copied and pickled at any moment, in
the middle of an episode too; what arrives plays on the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samizdat.kernel.errors import OptionError, SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.lab.faces import RENDER_MODES, check_render_mode, chosen, table_text, versioned
from samizdat.lab.observations import size
from samizdat.lab.opponents import Opponent, Opponents
from samizdat.lab.single import Single

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.env_logger import EnvLogger
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise SamizdatError("samizdat.lab.pettingzoo needs PettingZoo: pip install 'samizdat[research]'.") from error


Given = Sequence[Opponent | None] | None  # opponents by seat


def env(
    game: Game | str,
    *,
    opponents: Given = None,
    render_mode: str | None = None,
    render_seat: int | None = None,
    **options: Any,
) -> Any:
    """The agent-environment cycle of a game, in PettingZoo's wrapper that refuses calls out of order."""
    return Ordered(Cycle(chosen(game, options), opponents, render_mode, render_seat))


def parallel_env(
    game: Game | str,
    *,
    opponents: Given = None,
    render_mode: str | None = None,
    render_seat: int | None = None,
    **options: Any,
) -> Parallel:
    """The parallel environment of a game."""
    return Parallel(chosen(game, options), opponents, render_mode, render_seat)


class Seats:
    """What both kinds of environment are made of: agents, spaces, the game and what its seats receive."""

    def _sit(
        self, game: Game, actions: int, opponents: Given, render_mode: str | None, render_seat: int | None
    ) -> None:
        self.game = game
        self.opponents = _opponents(game, opponents)
        self.actions = actions  # how many action ids there are
        self.render_mode = check_render_mode(render_mode)
        self.render_seat = render_seat
        self.metadata = {
            "name": f"samizdat_{versioned(game, '_')}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": True,
        }
        self._seats = {f"player_{seat}": seat for seat in range(game.players) if self.opponents.seats[seat] is None}
        self._names = {seat: agent for agent, seat in self._seats.items()}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self._others = sum(1 << seat for seat in range(game.players) if seat not in self._names)
        self._single = Single(game, actions)
        self.state_space = spaces.Box(-1, 1, (size(game, whole=True),), np.float32)
        numbers = size(game)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1, 1, (numbers,), np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def _begin(self, seed: int | None) -> None:
        """Deal the next game in which an agent is asked anything at all."""
        self._single.deal(seed)
        while True:
            if self._others:
                self.opponents.begin(self._single.seed, self._single.episode)
                self._others_play()
            if not self._single.over:
                break
            self._single.deal(None)
        self.agents = list(self.possible_agents)

    def _others_play(self) -> None:
        """Opponents decide until agents alone are asked."""
        single = self._single
        while waiting := single.seats & self._others:
            seat = (waiting & -waiting).bit_length() - 1
            single.decide(seat, self.opponents.decide(single, seat))

    @property
    def match(self) -> Match:
        """The match being played, to be looked at; set it to play on from another one."""
        return self._single.match

    @match.setter
    def match(self, match: Match) -> None:
        self._single.match = match

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do."""
        seat = self._seats[agent]
        return {"observation": self._single.observation(seat), "action_mask": self._single.mask(seat)}

    def _rewards(self) -> dict[str, float]:
        """What the last decision brought each agent."""
        returns = self._single.returns
        return {agent: returns[seat] for agent, seat in self._seats.items()}

    def state(self) -> Any:
        """The true record: the referee's, for training only."""
        return self._single.true_record()

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


def _opponents(game: Game, given: Given) -> Opponents:
    seats = [None] * game.players if given is None else list(given)
    if isinstance(given, str) or len(seats) != game.players or None not in seats:
        raise OptionError(
            f"Opponents are a list with one for each of {game.players} seats, None for at least one agent's."
        )
    return Opponents(game, seats)


class Cycle(Seats, AECEnv):  # type: ignore[misc]  # PettingZoo carries no types
    """The agent-environment cycle: one seat decides at a time."""

    def __init__(self, game: Game, opponents: Given, render_mode: str | None, render_seat: int | None) -> None:
        AECEnv.__init__(self)
        self._sit(game, game.capacity, opponents, render_mode, render_seat)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._infos: dict[str, dict[str, Any]] = {}
        self._ask()
        self._show()

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """The masks of all agents, made when somebody asks for them: `last` wants one."""
        for agent in self.agents:
            self._info(agent)
        return self._infos

    def _info(self, agent: str) -> dict[str, Any]:
        if agent not in self._infos:
            self._infos[agent] = {"action_mask": self._single.mask(self._seats[agent])}
        return self._infos[agent]

    def _ask(self) -> None:
        """Select the first seat that may act."""
        if not self._single.over:
            self.agent_selection = self._names[self._single.first]

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """As PettingZoo defines it, with no more masks than are wanted."""
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        reward, ended, cut = self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent]
        return seen, reward, ended, cut, self._info(agent)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        lawful = self._single.decide(self._seats[agent], action)
        if lawful and self._others:
            self._others_play()
        self._cumulative_rewards[agent] = 0.0
        self._infos = {}
        if lawful and not self._single.over:
            self._ask()
        else:  # until now, everything was 0
            self.rewards = self._rewards()
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        self._show()


class Ordered(OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo carries no types
    """PettingZoo's wrapper, which puts `last` together from what all agents are told: four times what is wanted."""

    def last(self, observe: bool = True) -> Any:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)


class Parallel(Seats, ParallelEnv):  # type: ignore[misc]  # PettingZoo carries no types
    """All agents act in each step; the last action id is "nothing to decide"."""

    def __init__(self, game: Game, opponents: Given, render_mode: str | None, render_seat: int | None) -> None:
        self._sit(game, game.capacity + 1, opponents, render_mode, render_seat)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        self._single.look(self._single.everyone)
        self._show()
        return self._everything()

    def _everything(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observations = {agent: self.observe(agent) for agent in self.agents}
        return observations, {agent: {"action_mask": seen["action_mask"]} for agent, seen in observations.items()}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        # All actions are judged before the first is played: none may depend on another of the same step.
        lawful = self._single.decide_together({self._seats[agent]: actions[agent] for agent in self.agents})
        rewards = self._rewards()
        if lawful and self._others:
            self._others_play()
            rewards = self._rewards() if self._single.over else rewards
            self._single.look(self._single.everyone)
        over = self._single.over or not lawful
        observations, infos = self._everything()
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        self._show()
        return observations, rewards, terminations, truncations, infos
