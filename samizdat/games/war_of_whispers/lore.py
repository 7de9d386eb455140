"""A War of Whispers: advice for bots. Loyalties times cities, and who may still change that."""

from __future__ import annotations

import math
from typing import Any

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.lore_loyalties import suspect
from samizdat.games.war_of_whispers.rules_hand import cards_of
from samizdat.games.war_of_whispers.rules_map import active_empire, cities
from samizdat.games.war_of_whispers.rules_scoring import final_points
from samizdat.games.war_of_whispers.state import (
    ACT_MOVE,
    ATTACK,
    BEFORE,
    DEPLOY,
    DEPLOY_MOVE,
    FORCE,
    NUMBER_MOVE,
    PAY_MOVE,
    PLACE_MOVE,
    PLAY_MOVE,
    POSITIONS,
    POSTS,
    RECALL_MOVE,
    REGIONS,
    RETRIEVE,
    RETRIEVE_MOVE,
    SLOTS,
    STATION_MOVE,
    SWAP_MOVE,
    TARGET,
    TO_MOVE,
    State,
)
from samizdat.kernel.chances import chances
from samizdat.kernel.lores import Lore
from samizdat.kernel.rule import rule

HORIZON = 30  # decisions: the rest of an empire's turn and some more
BELIEVED = (0.65, -0.1)  # more shows in what others do than `suspect` sees

A_COUNCIL_SEAT = 0.4  # points for the ear of an empire, for each point of loyalty
A_CARD = 0.5
STRANGERS = 2.0  # what a seat gains by ruling an empire that it wishes ill


@rule
def loyalty_to(box: Printed, s: State, seat: int, empire: int) -> int:
    """R3.6: what a city of the empire is worth to the seat; 0 where its token is not known."""
    for slot in range(SLOTS):
        if s.loyalty[seat, slot] == empire:
            return box.value[slot]
    return 0


@rule
def from_cities(box: Printed, s: State, seat: int) -> float:
    """R16: the points that the map would give now."""
    return float(final_points(box, s, seat))


@rule
def in_councils(box: Printed, s: State, seat: int) -> float:
    """R6: the seat's agents, by how much it cares about what their empires do; none act after the last round."""
    total = 0.0
    for post in range(POSTS):
        if s.agent[post] == seat and (s.rounds < box.rounds or post >= s.marker):
            loyalty = loyalty_to(box, s, seat, post // POSITIONS)
            total += A_COUNCIL_SEAT * (loyalty if loyalty > 0 else STRANGERS)
    return total


@rule
def from_cards(box: Printed, s: State, seat: int) -> float:
    """R15: cards to play."""
    return A_CARD * cards_of(s, seat)


@rule
def quiet(box: Printed, s: State) -> bool:
    """Nothing is being resolved."""
    return s.point == BEFORE or s.point == DEPLOY or s.point == RETRIEVE


@rule
def evaluate(box: Printed, s: State, out: Any) -> None:
    """R4: the more council seats are still to act, the more can happen to the cities."""
    for seat in range(s.seats):
        out[seat] = from_cities(box, s, seat) + in_councils(box, s, seat) + from_cards(box, s, seat)
    to_act = (box.rounds - s.rounds) * POSTS + POSTS - max(0, s.marker)
    chances(out, s.seats, 1.5 + math.sqrt(float(to_act)))


@rule
def conquest(box: Printed, s: State, seat: int, empire: int, region: int) -> float:
    """R16: what it brings the seat if the empire takes the region."""
    if box.city[region] == 0:
        return 0.2
    return float(loyalty_to(box, s, seat, empire) - loyalty_to(box, s, seat, s.holder[region]))


@rule
def swap_gain(box: Printed, s: State, seat: int, slot: int, other: int) -> float:
    """R14: points that the swap would bring if nothing else changed."""
    more = cities(box, s, s.loyalty[seat, other]) - cities(box, s, s.loyalty[seat, slot])
    return float((box.value[slot] - box.value[other]) * more)


@rule
def prior(box: Printed, s: State, seat: int, moves: Any, n: int, weights: Any) -> None:
    """R5, R6, R10, R14: serve the empires one is loyal to, and turn the others against each other."""
    for i in range(n):
        move = moves[i]
        weights[i] = 1.0
        if move >= SWAP_MOVE:
            slot = (move - SWAP_MOVE) // SLOTS
            weights[i] = 0.1 * math.exp(0.5 * swap_gain(box, s, seat, slot, (move - SWAP_MOVE) % SLOTS))
        elif DEPLOY_MOVE <= move < STATION_MOVE:
            loyalty = loyalty_to(box, s, seat, (move - DEPLOY_MOVE) // POSITIONS)
            weights[i] = 1.0 + (loyalty if loyalty > 0 else 1.0)
        elif RETRIEVE_MOVE <= move < RECALL_MOVE:
            weights[i] = 1.0 / (1.0 + max(0, loyalty_to(box, s, seat, (move - RETRIEVE_MOVE) // POSITIONS)))
        elif s.point == TARGET:
            region = move - TO_MOVE
            weights[i] = math.exp(0.5 * conquest(box, s, seat, active_empire(s), region))
            if s.army[region] >= s.army[s.source]:
                weights[i] *= 0.4
        elif s.point == FORCE:
            enough = move - NUMBER_MOVE + 1 > s.army[s.target] + box.fortress[s.target]
            weights[i] = 3.0 if enough else 1.0
        elif PLACE_MOVE <= move < PLACE_MOVE + REGIONS:
            weights[i] = 1.0 + 2.0 * box.city[move - PLACE_MOVE]
        elif PLAY_MOVE <= move < PAY_MOVE:
            weights[i] = 0.5
        elif move == ACT_MOVE + ATTACK:
            weights[i] = 1.5


LORE = Lore(
    evaluate=evaluate,
    prior=prior,
    quiet=quiet,
    horizon=HORIZON,
    suspect=suspect,
    believed=BELIEVED,
)
