"""A War of Whispers: what bots make of the agents and points of others, whose loyalties they cannot see."""

from __future__ import annotations

import collections
import itertools
import math
from typing import Any

import pytest

import samizdat
from samizdat.conformance.walks import walk
from samizdat.games.war_of_whispers import laws, lore, lore_loyalties, rules
from samizdat.games.war_of_whispers.rules_map import cities
from samizdat.games.war_of_whispers.rules_scoring import agents_in
from samizdat.games.war_of_whispers.state import BEFORE
from samizdat.kernel.interpreted import hidden
from samizdat.kernel.luck import Dice, Luck, begin_dice, seed_luck
from samizdat.kernel.match import Match
from tests.games.test_war_of_whispers_secrets import fair
from tests.games.whispers import RAT, RAVEN, state

cites = pytest.mark.rules
NAME = "war-of-whispers"
VALUES = (4, 3, 2, 0, -1)  # R16: of a city, by slot
DEVOUT, ENEMY = 0, 4


def met(rounds: int, seed: int, shown: int = 0, **options: Any) -> Match:
    """A random match in a round, with so many tokens of the Rat face up."""
    for number in range(seed, seed + 200):
        begun = samizdat.game(NAME, **{"players": 2, **options}).match(number)
        for match in walk(begun, number):
            s = state(match)
            if s.rounds == rounds and s.point == BEFORE and int(s.shown[RAT]).bit_count() == shown:
                return match
    raise AssertionError("no such match")


def suspected(match: Match, key: int, times: int = 1) -> Any:
    """A world as the Raven may imagine it: nothing that it knows is changed, and no law broken."""
    s: Any = hidden(match._box, match._state, RAVEN)
    luck, dice = Luck(), Dice()
    seed_luck(luck, key)
    begin_dice(dice, key, 1)
    rules.guess(match._box, s, luck, RAVEN)  # type: ignore[arg-type]
    for _ in range(times):
        lore.suspect(match._box, s, dice, RAVEN)  # type: ignore[arg-type]
    assert laws.broken(match._box, s) == 0  # type: ignore[arg-type]
    assert bytes(hidden(match._box, s, RAVEN)) == bytes(hidden(match._box, match._state, RAVEN))
    return s


def tokens(s: Any, seat: int) -> tuple[int, ...]:
    return tuple(int(s.loyalty[seat, slot]) for slot in range(5))


def likely(match: Match, seat: int) -> dict[tuple[int, ...], float]:
    """All ways in which a seat's tokens may lie, and how likely each is, reckoned from the position alone."""
    s = state(match)
    stationed = [agents_in(match._box, s, seat, empire) for empire in range(5)]  # type: ignore[arg-type]
    agents = [
        sum(s.agent[4 * empire + place] == seat for place in range(4)) + stationed[empire] for empire in range(5)
    ]
    held = [cities(match._box, s, empire) + stationed[empire] for empire in range(5)]  # type: ignore[arg-type]
    found = {}
    for way in itertools.permutations(range(5)):
        if all(way[slot] == s.loyalty[seat, slot] for slot in range(5) if (s.shown[seat] >> slot) & 1):
            odds = sum(0.125 * value * abs(value) * agents[empire] for value, empire in zip(VALUES, way, strict=True))
            if s.rounds > 1:
                odds += sum(0.55 * value * held[empire] for value, empire in zip(VALUES, way, strict=True))
            found[way] = math.exp(odds)
    total = sum(found.values())
    return {way: weight / total for way, weight in found.items()}


def compare(match: Match, tries: int = 1500) -> None:
    """The Rat's tokens are suspected as often as they are likely; what hardly ever comes is counted together."""
    weights = likely(match, RAT)
    counts = collections.Counter(tokens(suspected(match, key, times=6), RAT) for key in range(tries))
    joined: collections.Counter[Any] = collections.Counter()
    expected: collections.Counter[Any] = collections.Counter()
    for way, weight in weights.items():
        name = way if tries * weight >= 5 else "rare"
        joined[name] += counts[way]
        expected[name] += weight
    assert joined.total() == tries
    fair(joined, dict(expected), tries)


@cites(NAME, "R3.6", "R14", "A38")
@pytest.mark.parametrize(("rounds", "shown"), [(2, 2), (3, 2), (2, 0)])
def test_tokens_are_suspected_as_often_as_agents_and_points_make_them_likely(rounds: int, shown: int) -> None:
    compare(met(rounds, seed=rounds, shown=shown))


@cites(NAME, "R3.6")
def test_one_time_is_enough() -> None:
    """A world is suspected once in each simulation: by then the first guess is all but forgotten."""
    match = met(2, seed=2)
    weights, tries = likely(match, RAT), 1500
    counts = collections.Counter(tokens(suspected(match, key), RAT) for key in range(tries))
    chance = sum(math.sqrt(weight / tries) for weight in weights.values()) / 2  # of so few tries, at most
    assert sum(abs(counts[way] / tries - weight) for way, weight in weights.items()) / 2 < chance + 0.05


@cites(NAME, "R5.2", "R16")
def test_agents_tell_in_the_first_round_and_points_once_tokens_could_be_swapped() -> None:
    match = met(1, seed=1)
    s = state(match)
    for post in range(20):
        s.agent[post] = RAT if post in (0, 1) else -1  # two at the first empire's council
    held = lore_loyalties.cities_of_all(match._box, s)
    agents = lore_loyalties.agents_at_all(s, RAT)

    def tells(slot: int, empire: int) -> float:
        return float(lore_loyalties.tells(match._box, s, slot, empire, held, agents))

    assert tells(DEVOUT, 0) > tells(1, 0) > tells(2, 0) > 0.0 > tells(ENEMY, 0)
    assert {tells(slot, empire) for slot in range(5) for empire in range(1, 5)} == {0.0}
    s.rounds = 2
    for empire in range(1, 5):
        assert tells(DEVOUT, empire) == pytest.approx(4 * 0.55 * cities(match._box, s, empire))


@cites(NAME, "V1")
def test_devout_tokens_that_must_differ_are_suspected_too() -> None:
    """laws.broken holds each world to it; agents tell here as elsewhere."""
    match = met(1, seed=5, players=4, distinct_devout=True)
    s = state(match)
    own = int(s.loyalty[RAVEN, DEVOUT])
    wanted = next(empire for empire in range(5) if empire != own)
    posts = [post for post in range(20) if s.agent[post] == RAT]
    for place, post in enumerate(posts):  # all of the Rat's agents to one council
        other = 4 * wanted + place
        s.agent[post], s.agent[other] = s.agent[other], s.agent[post]
    devoted = [int(suspected(match, key).loyalty[RAT, DEVOUT]) for key in range(300)]
    assert devoted.count(wanted) > 120  # evenly it would be 75
    assert own not in devoted


@cites(NAME, "R17.1", "R17.3")
def test_an_agent_on_the_map_tells_like_one_in_a_council_and_is_a_city() -> None:
    match = next(found for seed in range(50) if state(found := met(2, seed, advanced=True)).stationed[RAT])
    compare(match)
