"""A War of Whispers, R3.6 and R14: the loyalty tokens, dealt and swapped."""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.state import (
    EMPIRES,
    KEEPS_LOYALTY,
    PASS_MOVE,
    SLOTS,
    SWAP_MOVE,
    SWAPS_LOYALTY,
    State,
)
from samizdat.kernel.bits import size
from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- R3.6 The deal ----------------------------------------------------------------------------------------


@rule
def deal_loyalties(s: State, luck: Luck) -> None:
    """R3.6: five tokens on five slots, at random; V1: with the option, no Devout token twice."""
    taken = 0
    for seat in range(s.seats):
        for slot in range(SLOTS):
            s.loyalty[seat, slot] = slot
        if s.distinct_devout == 1:
            devout = draw(luck, EMPIRES - seat)
            for empire in range(EMPIRES):
                if (taken >> empire) & 1 == 0:
                    if devout == 0:
                        exchange_tokens(s, seat, 0, empire)
                        break
                    devout -= 1
            taken |= 1 << s.loyalty[seat, 0]
        for slot in range(s.distinct_devout, SLOTS - 1):
            exchange_tokens(s, seat, slot, slot + draw(luck, SLOTS - slot))
        s.sworn[seat] = s.loyalty[seat, 0]


@rule
def exchange_tokens(s: State, seat: int, slot: int, other: int) -> None:
    token = s.loyalty[seat, slot]
    s.loyalty[seat, slot] = s.loyalty[seat, other]
    s.loyalty[seat, other] = token


# --- R14 Swap ---------------------------------------------------------------------------------------------


@rule
def swapped(s: State, seat: int) -> int:
    """A35: loyalty tokens turned up by swapping."""
    return size(s.shown[seat])


@rule
def offer_swaps(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R14, A49: one pair of tokens that lie face down, or none."""
    moves[0] = PASS_MOVE
    n = 1
    for slot in range(SLOTS):
        for other in range(slot + 1, SLOTS):
            if (s.shown[seat] >> slot) & 1 == 0 and (s.shown[seat] >> other) & 1 == 0:
                moves[n] = SWAP_MOVE + slot * SLOTS + other
                n += 1
    return n


@rule
def keep_loyalties(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """R14: nobody has to swap."""
    tell(luck, EVERYONE, KEEPS_LOYALTY, seat)
    s.step += 1


@rule
def swap_loyalties(box: Printed, s: State, luck: Luck, seat: int, pair: int) -> None:
    """R14: both tokens change slots and lie face up for good."""
    slot = pair // SLOTS
    other = pair % SLOTS
    exchange_tokens(s, seat, slot, other)
    s.shown[seat] |= (1 << slot) | (1 << other)
    reveal(luck)
    tell(luck, EVERYONE, SWAPS_LOYALTY, seat, slot, s.loyalty[seat, slot], other, s.loyalty[seat, other])
    s.step += 1
