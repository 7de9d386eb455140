"""Opponents inside environments: who plays the seats that are no agent's.

An opponent is a bot as the arena writes it (`novice`, `regular:simulations=50`, `my.py:Agent`, `policy.onnx`), a
policy (`samizdat.lab.policies`), anything else with `choose(sight)`, or a function from a Sight to a move. Bots that
are named are made anew for every game, from the seed of the environment, the number of the game and the seat: the
same seeds give the same games, as long as their thinking is bounded by simulations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from samizdat.bots import Bot, Guest
from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import IllegalMove, MoveError, OptionError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Sight
from samizdat.lab.arena import SEED_BITS, Entrant, read_entrants
from samizdat.lab.policies import Uniform
from samizdat.lab.single import Single

RANDOM = "random"

Opponent = str | Callable[[Sight], Any] | Any  # a name, a function, or an object with `choose` or `actions`


def by_seat(game: Game, agents: Sequence[int], wanted: Opponent | Sequence[Opponent | None]) -> list[Opponent | None]:
    """The opponent of each seat: one for all that are no agent's, or a list by seat with None for an agent's."""
    if isinstance(wanted, list | tuple):
        if len(wanted) != game.players:
            raise OptionError(
                f"Opponents are a list with one for each of {game.players} seats, None for an agent's, "
                f"not with {len(wanted)}."
            )
        for seat, one in enumerate(wanted):
            if (one is None) != (seat in agents):
                who = "needs an opponent" if one is None else "is the agent's: its opponent is None"
                raise OptionError(f"Seat {seat} {who}.")
        return list(wanted)
    if wanted is None:
        raise OptionError("Opponents are wanted: random, or a bot's name.")
    return [None if seat in agents else wanted for seat in range(game.players)]


class Opponents:
    """Those at one table, or at many where all of them answer to rows of numbers."""

    def __init__(self, game: Game, seats: Sequence[Opponent | None]) -> None:
        self.game = game
        self.seats = [None if one is None else _checked(game, one) for one in seats]
        self.now: list[Any] = list(self.seats)  # as they play this game

    @property
    def at_random(self) -> bool:
        """Whether all of them play anything: compiled code does that by itself."""
        return all(isinstance(one, Entrant) and one.level == RANDOM for one in self.seats if one is not None)

    @property
    def in_rows(self) -> bool:
        """Whether all of them decide from observations and masks alone."""
        return all(one is None or answers_rows(_for_a_game(one, 0, 0, 0)) for one in self.seats)

    def begin(self, seed: int, episode: int) -> None:
        """Before each game: bots that were named are made anew."""
        for seat, one in enumerate(self.seats):
            self.now[seat] = _for_a_game(one, seed, episode, seat)

    def decide(self, single: Single, seat: int) -> int:
        """What the opponent on a seat does now."""
        return decision(self.now[seat], single, seat)

    def answer(self, asked: Any, observations: Any, masks: Any, actions: Any) -> None:
        """Write the actions of all games of a batch in which one of them is asked."""
        for seat, one in enumerate(self.now):
            rows = np.flatnonzero(asked == seat) if one is not None else ()
            if len(rows):
                chosen = one.actions(observations[rows], masks[rows])
                if not masks[rows, chosen].all():
                    raise IllegalMove(f"The opponent on seat {seat} chose an action that is not open to it.", "bots")
                actions[rows] = chosen


def _checked(game: Game, one: Opponent) -> Any:
    """An opponent that can be one, a name as an entrant."""
    if isinstance(one, str):
        if "," in one:
            raise OptionError(f"Several opponents are a list by seat, not {clip(one)}.")
        entrant = read_entrants(one)[0]
        entrant.bot(0).check(game)
        return entrant
    if not any(callable(getattr(one, name, None)) for name in ("choose", "actions", "__call__")):
        raise OptionError(
            f"An opponent is a bot's name, something with choose(sight), or a function from a Sight to a move, "
            f"not {clip(one)}."
        )
    if callable(check := getattr(one, "check", None)):
        check(game)
    return one


def _for_a_game(one: Any, seed: int, episode: int, seat: int) -> Any:
    """An opponent for one game; a policy as what answers to rows."""
    if not isinstance(one, Entrant):
        return one
    text = f"{seed} {episode} {seat}"
    own = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> (64 - SEED_BITS)
    if one.level == RANDOM:
        return Uniform(own)
    bot: Bot = one.bot(own)
    return bot.agent if isinstance(bot, Guest) and answers_rows(bot.agent) else bot


def answers_rows(one: Any) -> bool:
    """Whether an opponent decides from observations and masks alone, for many games at once."""
    return callable(getattr(one, "actions", None))


def decision(one: Any, single: Single, seat: int) -> int:
    """What an opponent does now, held to the rules."""
    if answers_rows(one):
        action = int(one.actions(single.observation(seat)[None], single.mask(seat)[None])[0])
        if not single.mask(seat)[action]:
            raise IllegalMove(f"The opponent on seat {seat} chose action {action}, which is not open to it.", "bots")
        return action
    sight = single.match.sight(seat)
    answer = one.choose(sight) if callable(getattr(one, "choose", None)) else one(sight)
    try:
        move = single.game.notation.read(answer)
    except MoveError as error:
        raise IllegalMove(f"The opponent on seat {seat} chose what is no move: {error}", "bots") from None
    if not single.mask(seat)[move.id]:
        raise IllegalMove(f"The opponent on seat {seat} chose {move}, which is not open to it.", "bots")
    return move.id
