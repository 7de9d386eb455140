"""A War of Whispers, A55: who of a region fought in the latest attack, counted again banner by banner.

The rules keep one number: of those who fought and still stand. Here they are followed on their own, from what the map
shows before and after each decision: others leave and fall first, whoever comes is another, and Scorched Earth takes
those who fought and nobody else.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass

import pytest

from samizdat.games.war_of_whispers.rules_hand import cards_of
from samizdat.kernel.match import Match
from tests.games.test_war_of_whispers_cards import attacked
from tests.games.whispers import BEAR, RAVEN, army, at_seat, holder, legal, play, refused, reserve, state, word

cites = pytest.mark.rules
GAME = "war-of-whispers"
EMPIRES = ("bear", "eagle", "elephant", "lion", "horse")
AFTER = (
    "forced_march", "city_garrison", "redeployment", "mercenaries", "recruit", "dispersal", "alchemists_fire",
    "populate", "uprising", "press_on", "scorched_earth", "subjugate", "midnight_oil",
)  # fmt: skip
EVERY_CARD = {f"{one}_with_{two}": 2 for one, two in itertools.permutations(EMPIRES, 2)}


# --- By hand ----------------------------------------------------------------------------------------------


def garrison(match: Match) -> Match:
    return play(match, "play city_garrison", "pay lion_with_bear", "pay lion_with_bear", "in horse_2")


@cites(GAME, "A55", "C6", "C1", "C13")
def test_scorched_earth_takes_those_who_fought_and_strikes_once() -> None:
    match = garrison(attacked({"bear_with_lion": 2, "bear_with_eagle": 2, "bear_with_horse": 1, "lion_with_bear": 2}))
    assert army(match, "horse_2") == 5
    play(match, "play scorched_earth", "pay bear_with_eagle", "pay bear_with_eagle")
    assert army(match, "horse_2") == 3  # the garrison
    assert refused(match, "play scorched_earth") == "A59"
    assert refused(match, "play press_on") == "A59"


def test_matches_of_the_first_rules_are_scorched_twice_as_they_were() -> None:
    """Version 1 took those who did not fight for those who did; matches that began with it go on so."""
    match = garrison(attacked({"bear_with_lion": 2, "bear_with_eagle": 2, "bear_with_horse": 1, "lion_with_bear": 2}))
    state(match).rules = 1
    play(match, "play scorched_earth", "pay bear_with_eagle", "pay bear_with_eagle")
    assert army(match, "horse_2") == 3
    assert "play scorched_earth" in legal(match)


@cites(GAME, "A55", "C6", "A23")
def test_subjugate_is_not_paid_for_banners_that_did_not_fight() -> None:
    """Three attack four in a city; of the defenders one is left, and is joined by a garrison."""
    match = at_seat(
        "bear_marshal", army={"horse_1": 4, "horse_2": 4}, holder={"horse_1": "bear"},
        hand={"raven": {"bear_with_lion": 2, "bear_with_eagle": 2, "lion_with_bear": 2, "lion_with_eagle": 2}},
    )  # fmt: skip
    play(match, "act attack", "from horse_1", "to horse_2", "number 3", "done")
    garrison(match)
    play(match, "play scorched_earth", "pay bear_with_eagle", "pay bear_with_eagle")
    assert (army(match, "horse_2"), holder(match, "horse_2")) == (3, "horse")
    assert refused(match, "play scorched_earth") == "A59"
    play(match, "play subjugate", "pay bear_with_lion", "pay lion_with_eagle")
    assert state(match).todo == 4  # three in the combat, one in the fire


@cites(GAME, "A55", "C6")
@pytest.mark.parametrize(("fallen", "fighters"), [(1, 2), (2, 2), (3, 2), (4, 1), (5, 0)])
def test_the_others_fall_first(fallen: int, fighters: int) -> None:
    """Two survivors and a garrison of three: of five banners some fall to Mercenaries."""
    match = garrison(attacked({"bear_with_lion": 2, "bear_with_eagle": 2, "eagle_with_bear": 2, "lion_with_bear": 2}))
    for number in (min(fallen, 3), fallen - 3):
        if number > 0:
            play(match, "play mercenaries", "pay bear_with_eagle", "pay eagle_with_bear", "in horse_2")
            play(match, f"number {number}")
    if fighters == 0:
        assert refused(match, "play scorched_earth") == "A59"
        return
    play(match, "play scorched_earth", "pay bear_with_lion", "pay bear_with_lion")
    assert army(match, "horse_2") == 5 - fallen - fighters
    assert holder(match, "horse_2") == ("bear" if fallen < 3 else "horse")


# --- By a model of its own, in random sequences of cards --------------------------------------------------

REFERRING = {"play press_on", "play scorched_earth", "play subjugate"}


@dataclass
class Model:
    """The region of the latest attack: banners that fought, others beside them, enemies destroyed in it."""

    region: str
    empire: str
    fought: int
    destroyed: int
    enemy: bool  # those who fought and still stand are the defenders
    others: int = 0

    def see(self, match: Match, scorching: bool) -> None:
        """One decision has changed the map."""
        if holder(match, self.region) != self.empire:
            self.empire = holder(match, self.region)
            self.lose(self.fought + self.others, scorching)
        change = army(match, self.region) - self.fought - self.others
        if change > 0:
            self.others += change
        elif change < 0:
            self.lose(-change, scorching)

    def lose(self, banners: int, scorching: bool) -> None:
        if scorching and banners:
            assert banners == self.fought, "Scorched Earth destroys all who fought, and nobody else"
            self.destroyed += banners if self.enemy else 0
            self.fought = 0
            return
        first = min(banners, self.others)
        self.others -= first
        self.fought -= banners - first

    def hold(self, match: Match) -> None:
        """What the window after the attack says of those who fought is what the model says."""
        latest = match.view(None)["resolving"]["latest_attack"]
        assert latest == {"region": self.region, "left": self.fought, "enemies_destroyed": self.destroyed}
        closed = set()
        if self.fought == 0:
            closed |= {"play press_on", "play scorched_earth"}
        if self.enemy:
            closed |= {"play press_on"}
        if self.destroyed == 0:
            closed |= {"play subjugate"}
        assert not legal(match) & closed

    def hold_pressing(self, match: Match) -> None:
        """C1, A21: only those who fought press on, and a conquered region keeps a banner, be it another."""
        conquered = not self.region.startswith("bear")
        most = min(self.fought, self.fought + self.others - conquered)
        assert legal(match) == {f"number {n + 1}" for n in range(most)}


def before_combat(match: Match) -> Model:
    """What the combat that is about to be fought must leave (R10.5, R10.6)."""
    s, box = state(match), match.game.box
    row = box.text.tables["regions"][s.target]
    attackers, defenders = s.force - row["fortress"], army(match, row["id"])
    lost = min(attackers, defenders)
    if attackers > defenders:
        return Model(row["id"], "bear", attackers - lost, lost, enemy=False)
    empire = holder(match, row["id"]) if defenders > lost else row["empire"]
    return Model(row["id"], empire, defenders - lost, lost, enemy=True)


def start(rng: random.Random) -> Match:
    """Bear's Marshal among cities and fortresses of others, and a region of its own to win back; all forty cards."""
    armies = {"horse_1": rng.randint(4, 8), "bear_2": rng.randint(2, 5), "horse_4": 1, "lion_5": 2, "horse_5": 1}
    foes = {region: rng.randint(0, 4) for region in ("horse_2", "horse_3", "lion_2", "lion_3")}
    holders = {"horse_1": "bear", "bear_1": "eagle"}
    match = at_seat("bear_marshal", army={**armies, **foes, "bear_1": 2}, holder=holders, hand={"raven": EVERY_CARD})
    return play(match, "act attack")


def choose(match: Match, model: Model | None, rng: random.Random) -> str:
    """Cards rather than none, often those that refer to the attack, and its region rather than others."""
    moves = sorted(legal(match))
    there = [move for move in moves if model is not None and move.split()[-1] == model.region]
    plays = [move for move in moves if move.startswith("play ")]
    referring = [move for move in plays if move in REFERRING]
    for wanted, how_often in ((there, 0.6), (referring, 0.15), (plays, 0.97 if word(match) == "after" else 0.2)):
        if wanted and rng.random() < how_often:
            return rng.choice(wanted)
    return rng.choice(moves)


def walk(rng: random.Random, seen: Counter[str]) -> None:
    """One activation with many cards, each decision held against the model."""
    match, model, ability = start(rng), None, ""
    while state(match).marker == 2 and cards_of(state(match), RAVEN) > 4:
        point = word(match)
        if model is not None and point == "after":
            model.hold(match)
            seen["beside others"] += model.fought > 0 and model.others > 0
            seen["only others"] += model.fought == 0 and model.others > 0
        if model is not None and point == "force":
            model.hold_pressing(match)
            seen["pressed beside others"] += model.others > 0
        move = choose(match, model, rng)
        if move.startswith("play "):
            ability = move.removeprefix("play ")
            seen[ability] += point == "after"
        if point == "force" or ability == "midnight_oil":
            model = None  # A54: another attack begins
        if point == "join" and move == "done":
            model = before_combat(match)
        reserved = reserve(match, BEAR)
        play(match, move)
        if model is None:
            continue
        if ability == "subjugate" and point == "pay" and word(match) == "place":
            assert state(match).todo == min(model.destroyed, reserved)
        model.see(match, scorching=ability == "scorched_earth" and point == "pay")


@cites(GAME, "A53", "A54", "A55", "C1", "C6", "C13", "A21", "A22", "A23")
def test_those_who_fought_are_counted_in_any_sequence_of_cards() -> None:
    seen: Counter[str] = Counter()
    for number in range(120):
        walk(random.Random(number), seen)
    assert seen["beside others"] > 100, dict(seen)
    assert seen["only others"] > 50, dict(seen)
    assert seen["pressed beside others"] > 10, dict(seen)
    assert all(seen[card] > 10 for card in AFTER), dict(seen)
