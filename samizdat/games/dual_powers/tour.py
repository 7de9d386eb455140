"""Dual Powers: the first game step by step, and the step up to the solitaire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.dual_powers.drawing import own_faction
from samizdat.games.dual_powers.show import FACTION_WORDS
from samizdat.games.dual_powers.state import LEAVES, SCORES, TIRES
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Many, Phrase, Word
from samizdat.kernel.tours import FIRST, Slip, Step, Tour, asked_at

View = Mapping[str, Any]


def _mine(game: Game, seen: Seen) -> View:
    word = own_faction(seen.view, seen.seat) or FACTION_WORDS[0]
    return next(one for one in seen.view["factions"] if one["faction"] == word)


def _command(game: Game, card: str) -> View | None:
    return next((row for row in game.box.text.tables["commands"] if row["id"] == card), None)


def _own_region(game: Game, seen: Seen) -> View | None:
    """A region with a unit or leader of one's own."""
    word = _mine(game, seen)["faction"]
    return next((one for one in seen.view["regions"] if any(token["owner"] == word for token in one["tokens"])), None)


def _region(id: str) -> Word:
    return Word("regions", id)


def _aim(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("The aim"),
        (Phrase("Points drag this one marker to and fro: every point you score is a point your rival loses."),),
        ("D8.4", "D10.1", "D10.2"),
        ("support",),
        goal=Phrase("Have the marker on your side after October, or pull it to your end of the track at once."),
    )


def _objective(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("A secret place to win"),
        (
            Phrase("Lay one card face down. At the end its region is scored – for whoever is stronger there."),
            Phrase("So choose one you mean to hold."),
        ),
        ("D4.1", "D8.3"),
        ("hand",),
        todo=Phrase("Choose a card, then seal it."),
    )  # fmt: skip


def _two_things(game: Game, seen: Seen) -> Slip:
    hand = [card for card in _mine(game, seen)["hand"] or () if _command(game, card)]
    said = [
        Phrase("Its **days** move the calendar."),
        Phrase("Then comes **one** action: recruit in its region, or the action printed below."),
    ]
    if hand:
        row = _command(game, hand[0])
        assert row
        values = {"days": Many("{n} day", "{n} days", row["days"]), "region": _region(row["region"])}
        said.append(Phrase("This one: {days}, recruiting in {region}.", values))
    return Slip(
        Phrase("A card does two things"),
        tuple(said),
        ("D5.2", "D5.9"),
        tuple(f"card-{card}" for card in hand[:1]) or ("hand",),
        todo=Phrase("Play any card with red corners."),
    )


def _recruit(game: Game, seen: Seen) -> Slip:
    card = seen.view["card"]
    row = _command(game, card) if card else None
    said = [Phrase("Rank is the number of little bars on a unit.")]
    at = ("board",)
    if row:
        values = {"value": seen.view["recruit_value_left"] or row["recruit"], "region": _region(row["region"])}
        said.insert(0, Phrase("You may put units whose ranks add up to {value} into {region}.", values))
        at = (f"island-{row['region']}",)
    return Slip(
        Phrase("Recruit, or act"), tuple(said), ("D6.1",), at, todo=Phrase("Tap a unit of yours, or take the action.")
    )


def _strength(game: Game, seen: Seen) -> Slip:
    region = _own_region(game, seen)
    said = [Phrase("The **big number** counts now; the small one is what is left when the token is exhausted.")]
    if region:
        word = _mine(game, seen)["faction"]
        other = next(one for one in FACTION_WORDS if one != word)
        values = {
            "region": _region(region["id"]),
            "mine": region["strength"].get(word, 0),
            "theirs": region["strength"].get(other, 0),
        }
        said.append(Phrase("In {region} it stands {mine} : {theirs} for you.", values))
    return Slip(
        Phrase("Strength"), tuple(said), ("D7.2", "D7.3"), (f"island-{region['id']}",) if region else ("board",)
    )


def _will(game: Game, seen: Seen) -> Slip:
    mine = seen.view["will_of_the_people"] == _mine(game, seen)["faction"]
    return Slip(
        Phrase("The Will of the People"),
        (
            Phrase("You hold it now.") if mine else Phrase("Your rival holds it now."),
            Phrase("It leads the neutrals: they count for its holder wherever he or she has a token."),
            Phrase("It goes to whoever turns the month."),
        ),
        ("D5.5", "D7.1", "D7.2"),
        ("tile-will",),
    )


def _bonus_days(game: Game, seen: Seen) -> Slip:
    constants = game.box.text.constants
    values = {"middle": constants["bonus_day"], "last": constants["month_days"], "day": seen.view["day"]}
    return Slip(
        Phrase("Stop on the right day"),
        (
            Phrase("Landing on day {middle} or {last} earns a bonus action. It is day {day}.", values),
            Phrase("The bars under the days are within reach of your cards."),
        ),
        ("D5.6", "D6.9"),
        ("date",),
    )


def _leaders(game: Game, seen: Seen) -> Slip:
    left = _mine(game, seen)["leaders_to_come"]
    return Slip(
        Phrase("Leaders, once a game"),
        (
            Phrase("A leader goes into **any** region, with a special action on top."),
            Phrase("But the card never comes back."),
        ),
        ("D6.5", "D9.4"),
        tuple(f"card-{leader}" for leader in left[:1]) or ("hand",),
    )


def _scoring(game: Game, seen: Seen) -> Slip:
    unrest = seen.view["unrest"]
    return Slip(
        Phrase("Scoring"),
        (
            Phrase("Three regions are scored: the one in unrest, then both secret ones."),
            Phrase("Whoever is stronger there takes the points; if it is equal, more tokens decide."),
        ),
        ("D8.1", "D8.2", "D8.3", "D7.3"),
        (f"island-{unrest}",) if unrest else ("support",),
    )


def _exhausted(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("Exhausted"),
        (
            Phrase("Where a marker lay, fresh tokens turn over and exhausted ones leave."),
            Phrase("That is a round: four cards each, then again. **Hint** helps when you are stuck."),
        ),
        ("D8.5", "D9.1"),
        ("board",),
    )


def _turn_of(number: int) -> Any:
    """This seat's so-and-so-many-th turn in the action phase."""

    def here(game: Game, seen: Seen) -> bool:
        view = seen.view
        return bool(view["point"] == "card" and seen.seat in view["turn"] and view["turns_begun"] >= 2 * number - 1)

    return here


def _placed(game: Game, seen: Seen) -> bool:
    return seen.view["point"] != "objective" and _own_region(game, seen) is not None


def _told(*events: int) -> Any:
    return lambda game, seen: any(one.event in events for one in seen.last)


# --- the solitaire ----------------------------------------------------------------------------------------


def _alone(game: Game, seen: Seen) -> Slip:
    rounds = game.box.text.constants["solitaire_rounds"]
    return Slip(
        Phrase("Alone against the city"),
        (Phrase("The opposition plays itself, by rules of its own."),),
        ("S11",),
        ("support",),
        goal=Phrase("Have the marker on your side after {rounds} rounds.", {"rounds": rounds}),
    )


def _its_turn(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("The opposition's turn"),
        (
            Phrase("Its next card is turned up, the date advances, and a unit comes into that region."),
            Phrase("It has every other turn, first and last."),
        ),
        ("S4", "S5"),
        ("board",),
    )


def _its_luck(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("What helps it"),
        (
            Phrase("If it stops on a bonus day, one more unit comes into the region of unrest."),
            Phrase("If it turns the month, it takes the Will."),
        ),
        ("S6",),
        ("date",),
    )


def _its_objective(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("Its objective"),
        (
            Phrase("The days of its cards of this round are added up by region; the largest sum is its objective."),
            Phrase("So you see it coming: watch what it has played."),
        ),
        ("S9",),
        ("board",),
    )


TOURS = {
    FIRST: Tour(
        2,
        (
            Step("aim", _aim),
            Step("objective", _objective),
            Step("two_things", _two_things, _turn_of(1), at_once=True),
            Step("recruit", _recruit, asked_at("action", "recruiting")),
            Step("strength", _strength, _placed),
            Step("will", _will, _turn_of(2)),
            Step("bonus_days", _bonus_days, _turn_of(3)),
            Step("leaders", _leaders, _turn_of(4)),
            Step("scoring", _scoring, _told(SCORES), at_once=True),
            Step("exhausted", _exhausted, _told(TIRES, LEAVES), at_once=True),
        ),
        minutes=4,
    ),
    "solitaire": Tour(
        1,
        (
            Step("alone", _alone),
            Step("its_turn", _its_turn),
            Step("its_luck", _its_luck, asked_at("action", "recruiting")),
            Step("its_objective", _its_objective, _turn_of(2)),
        ),
        minutes=1,
        title=Phrase("Step up: solitaire"),
        variant="solitaire",
    ),
}
