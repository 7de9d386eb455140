"""When a bot's answer is released: at a moment that follows from what everybody can see.

A search takes longer where there is more to choose from, and what there is to choose from may be secret. So the time
that a bot takes is fixed before it thinks, by its level, the spectator's view and a jitter drawn from the table's id
and the number of that view; thinking fills it, and what is found sooner waits. The time is that until everybody sees
something of the bot again. Decisions that nobody else can notice, such as the tokens of a bid, are made within it:
neither how many they were nor how long each took shows.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from math import ceil

from samizdat.bots import EXPERT_SECONDS, REGULAR_SECONDS
from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.records import Record

# For one decision; a bot from outside has the time of an expert.
THINKING = {"random": 0.0, "novice": 0.0, "regular": REGULAR_SECONDS, "expert": EXPERT_SECONDS, "reflex": 0.0}
UNPREPARED = (
    0.75  # seconds for one decision at least, while the search is not compiled: whoever answers then is slower
)
GRACE = {
    "random": 0.05,
    "novice": 0.25,
    "regular": 0.25,
    "expert": 0.25,
    "reflex": 0.25,
}  # that any answer takes, even a forced one
LONGEST = 12.0  # seconds until something is seen of a bot
JITTER = 0.1  # part of the thinking: bots that begin together do not all answer at the same instant
WORLDS = 12  # that everybody holds possible, in which the decisions of a bot are counted
MOST_DECISIONS = 40  # that nobody notices, one after the other


@dataclass
class Pace:
    """The time from one thing that everybody sees of a bot to the next."""

    until: float  # when the next is released
    decisions: int  # that this takes, at most as far as everybody knows
    step: float  # an answer that comes late waits for the next of these
    made: int = 0

    def next_until(self, now: float) -> float:
        """Until when the next decision may be thought about, so that there is as much time for those that follow;
        also for some that nobody expects, as being late would tell of them."""
        left = self.decisions - self.made
        return now + max(0.0, self.until - now) / (left if left > 0 else 2)

    def release(self, now: float) -> float:
        """When an answer that is there now may be seen."""
        return self.until + self.step * max(0, ceil((now - self.until) / self.step))


def public_seed(table: str, step: int, seat: int) -> int:
    """The same for everybody who looks on."""
    return int.from_bytes(hashlib.blake2b(f"{table} {step} {seat}".encode(), digest_size=16).digest())


def decisions(game: Game, public: Record, seat: int, seed: int) -> tuple[float, int]:
    """How many decisions a seat makes until everybody sees something of them, in worlds that are possible for a
    spectator: those with a choice on average (0: everybody knows that nothing is to be chosen), and all at most."""
    box, shown, rng = game.box.record, bytes(public), random.Random(seed)
    choices = most = 0
    for _ in range(WORLDS):
        world, luck = public.copy(), Luck()
        seed_luck(luck, rng.getrandbits(128))
        contract.guess(box, world, luck, SPECTATOR)
        for ply in range(1, MOST_DECISIONS + 1):
            moves = engine.legal_moves(box, world, seat, game.capacity)
            choices += len(moves) > 1
            engine.decide(box, world, luck, ply, seat, rng.choice(moves))
            if seat not in engine.acting(world) or bytes(engine.hidden(box, world, SPECTATOR)) != shown:
                break
        most = max(most, ply)
    return choices / WORLDS, most


def thinking_time(level: str, prepared: bool) -> float:
    """The seconds that a bot takes for one decision; `prepared`: its search is compiled."""
    own = THINKING.get(level, EXPERT_SECONDS)
    return own if prepared or level == "random" else max(own, UNPREPARED)


def pace(game: Game, level: str, prepared: bool, public: Record, seat: int, seed: int, now: float) -> Pace:
    """The pace of a bot that has to decide from now on; everybody can know all of this."""
    each = thinking_time(level, prepared)
    choices, most = decisions(game, public, seat, seed) if each else (0.0, 1)
    thinking = min(LONGEST, each * max(1.0, choices)) if choices else 0.0
    grace = GRACE.get(level, GRACE["expert"])
    stretched = thinking * (1.0 + JITTER * random.Random(seed).random())
    return Pace(now + grace + stretched, most, grace)
