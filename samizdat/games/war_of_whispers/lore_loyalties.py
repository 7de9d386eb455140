"""A War of Whispers: advice for bots, part 2: what others do tells whom they serve.

Fitted to 690 games of bots (docs/strength.md), and then believed a little less: people are not bots.
"""

from __future__ import annotations

import math

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_loyalty import exchange_tokens
from samizdat.games.war_of_whispers.state import OVER, POSITIONS, POSTS, SLOTS, State
from samizdat.kernel.luck import WORD, Dice, pick
from samizdat.kernel.rule import rule

AN_AGENT = 0.125  # what an agent tells, for the square of a slot's value
A_POINT = 0.55  # what a point tells, once tokens could be swapped
SWEEPS = 2  # through all pairs of slots: by then a guess has forgotten how it began
BITS = 8  # for a number of cities or agents


@rule
def cities_of_all(box: Printed, s: State) -> int:
    """R16: the cities of every empire, BITS bits for each."""
    found = 0
    for region in range(box.regions):
        found += box.city[region] << BITS * s.holder[region]
    return found


@rule
def agents_at_all(s: State, seat: int) -> int:
    """R5.2: the agents of a seat in every empire's council, BITS bits for each."""
    found = 0
    for post in range(POSTS):
        if s.agent[post] == seat:
            found += 1 << BITS * (post // POSITIONS)
    return found


@rule
def stationed_at_all(box: Printed, s: State, seat: int) -> int:
    """R17.1: the agents of a seat in every empire's regions, BITS bits for each; R17.3: each is a city more to it."""
    found = 0
    if s.stationed[seat] != 0:
        for region in range(box.regions):
            if (s.stationed[seat] >> region) & 1:
                found += 1 << BITS * s.holder[region]
    return found


@rule
def tells(box: Printed, s: State, slot: int, empire: int, cities: int, agents: int) -> float:
    """How much speaks for an empire's token on a slot. R5: agents go where loyalty lies; R14: whoever kept a token
    there had no reason to swap it."""
    value, shift = box.value[slot], BITS * empire
    odds = AN_AGENT * value * abs(value) * ((agents >> shift) % (1 << BITS))
    if s.rounds > 1:
        odds += A_POINT * value * ((cities >> shift) % (1 << BITS))
    return odds


@rule
def gain(box: Printed, s: State, seat: int, slot: int, other: int, cities: int, agents: int) -> float:
    """How much more would speak for two tokens of a seat if they lay the other way round."""
    here, there = s.loyalty[seat, slot], s.loyalty[seat, other]
    swapped = tells(box, s, slot, there, cities, agents) + tells(box, s, other, here, cities, agents)
    return swapped - tells(box, s, slot, here, cities, agents) - tells(box, s, other, there, cities, agents)


@rule
def may_swear(s: State, seat: int, empire: int) -> bool:
    """V1: with the option, no two seats begin devoted to the same empire."""
    if s.distinct_devout == 1:
        for other in range(s.seats):
            if other != seat and s.sworn[other] == empire:
                return False
    return True


@rule
def settle_tokens(box: Printed, s: State, dice: Dice, seat: int, cities: int, agents: int) -> None:
    """One by one, two tokens face down are laid either way, as often as each is likely while the others stay (a Gibbs
    sampler)."""
    for slot in range(SLOTS):
        for other in range(slot + 1, SLOTS):
            if (s.shown[seat] >> slot) & 1 == 0 and (s.shown[seat] >> other) & 1 == 0:
                if slot == 0 and not may_swear(s, seat, s.loyalty[seat, other]):
                    continue
                odds = gain(box, s, seat, slot, other, cities, agents)
                if pick(dice, WORD) * (1.0 + math.exp(-odds)) < WORD:
                    exchange_tokens(s, seat, slot, other)
                    if slot == 0:
                        s.sworn[seat] = s.loyalty[seat, 0]


@rule
def suspect(box: Printed, s: State, dice: Dice, seat: int) -> None:
    """R3.6: lay the tokens that others have face down as they may lie, by their agents, the cities, and the tokens
    that they have turned up; at the end all are known."""
    if s.point == OVER:
        return
    cities = cities_of_all(box, s)
    for other in range(s.seats):
        if other != seat:
            stationed = stationed_at_all(box, s, other)
            agents = agents_at_all(s, other) + stationed
            for _ in range(SWEEPS):
                settle_tokens(box, s, dice, other, cities + stationed, agents)
