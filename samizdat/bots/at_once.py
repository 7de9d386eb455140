"""What a decision brings at once: where it ends the match, however that ends.

A search tries most what promises most, and among several ways to win it may keep to one that first leads on: no
number of simulations tells it that the match could be over. So every open decision is first played in one world that
the seat holds possible; one that ends the match there is played in more of them. What brings the same share of the
win in all of these is known, as far as worlds can be sampled, and is not left to the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samizdat.bots.asking_lore import settle
from samizdat.kernel.contract import play, seats_to_act
from samizdat.kernel.luck import begin
from samizdat.kernel.rule import rule

WORLDS = 64  # in which a decision must bring the same; one that fails in a twentieth of all passes 1 time in 27
OPEN = -1.0  # the match goes on, or worlds differ
WON = 1.0  # the whole win: nothing else can bring more


@rule
def at_once(lore: Any, box: Any, s: Any, luck: Any, result: Any, out: Any, seat: int, move: int) -> float:
    """Play a decision; the seat's share of the win if that ends the match, else OPEN."""
    begin(luck, 1)
    play(box, s, luck, seat, move)
    if seats_to_act(s) != 0:
        return OPEN
    settle(lore, box, s, result, out)
    return float(out[seat])


def sensible(known: Sequence[float]) -> list[int]:
    """The places of the decisions that may be chosen at all, by what each brings at once (or OPEN): only a win if
    there is one, never less than another surely brings, and no loss if the match can go on."""
    best = max(known)
    if best >= WON:
        return [i for i, share in enumerate(known) if share >= WON]
    left = [i for i, share in enumerate(known) if share == OPEN or share == best > 0.0]
    return left or list(range(len(known)))
