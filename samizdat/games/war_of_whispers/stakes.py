"""A War of Whispers: what an agent, an action or a swap may win or lose: cities, councils, banners, then points."""

from __future__ import annotations

from typing import Any

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.lore import A_CARD, A_COUNCIL_SEAT, STRANGERS, loyalty_to
from samizdat.games.war_of_whispers.rules_council import controller
from samizdat.games.war_of_whispers.rules_hand import cards_of
from samizdat.games.war_of_whispers.rules_loyalty import swapped
from samizdat.games.war_of_whispers.rules_map import cities
from samizdat.games.war_of_whispers.rules_scoring import final_points
from samizdat.games.war_of_whispers.state import EMPIRES, POSITIONS, SLOTS, SWAP_LOYALTY, State
from samizdat.kernel.game import Game
from samizdat.kernel.stakes import Stake
from samizdat.kernel.telling import Word, template

A_BANNER = 0.12  # points for each point of loyalty
A_SECRET = 0.6
A_RIVAL = 0.6  # of a point more for the best of the others


def stakes(game: Game, s: State, seat: int) -> list[Stake]:
    box: Printed = game.box.record  # type: ignore[assignment]

    def best_of_the_others(after: State, told: Any) -> float:
        return float(max(final_points(box, after, other) for other in range(after.seats) if other != seat))

    found = [
        Stake(
            ("points",), "R16", template("Your cities are worth about {figure} points when others have acted"), 1.0,
            lambda after, told: float(final_points(box, after, seat)), later=True,
        ),
        Stake(
            ("rival",), "R16", template("The best of the others: about {figure} points when others have acted"),
            -A_RIVAL, best_of_the_others, later=True,
        ),
        Stake(
            ("cards",), "R15.1", template("Cards in your hand: {figure}"), A_CARD,
            lambda after, told: float(cards_of(after, seat)),
        ),
        Stake(
            ("secret",), "R14", template("Your loyalties that nobody has seen: {figure}"), A_SECRET,
            lambda after, told: float(SLOTS - swapped(after, seat)),
        ),
    ]  # fmt: skip
    if s.point == SWAP_LOYALTY:
        found.append(
            Stake(
                ("now",),
                "R16",
                template("Your cities are worth {figure} points as they lie"),
                1.0,
                lambda after, told: float(final_points(box, after, seat)),
            )
        )
    names = game.box.names["empires"]
    for empire in range(EMPIRES):
        found += _empire(box, s, seat, empire, {"empire": Word("empires", names[empire])})
    for region in range(box.regions):
        words = {"region": Word("regions", game.box.names["regions"][region])}
        if loyalty_to(box, s, seat, s.holder[region]) > 0:  # of others, fewer banners would be better
            found += _region(box, s, seat, region, words | {"empire": Word("empires", names[s.holder[region]])})
    return found


def _region(box: Printed, s: State, seat: int, region: int, words: dict[str, Any]) -> list[Stake]:
    """R10, R16: what stands in a region against its strongest neighbour of another empire, and who has its city."""
    holder, loyalty = s.holder[region], loyalty_to(box, s, seat, s.holder[region])
    near = [one for one in range(box.regions) if (box.near[region] >> one) & 1]

    def guard(after: State, told: Any) -> float:
        return float(after.army[region] if after.holder[region] == holder else 0)

    def threat(after: State, told: Any) -> float:
        return float(max((after.army[one] for one in near if after.holder[one] != holder), default=0))

    found = [
        Stake(
            ("guard", words["region"].id), "R10.2",
            template("{region}: {empire} stands there with {figure} against the strongest neighbour"),
            A_BANNER * loyalty * (1 + 2 * box.city[region]), guard, rival=threat, values=words,
        )
    ]  # fmt: skip
    if box.city[region] == 1:
        found.append(
            Stake(
                ("held", words["region"].id), "R16",
                template("{region}, a city: still held by {empire} in {figure} when others have acted"),
                float(loyalty), lambda after, told: float(after.holder[region] == holder), chance=True, later=True,
                values=words,
            )
        )  # fmt: skip
    return found


def _empire(box: Printed, s: State, seat: int, empire: int, words: dict[str, Any]) -> list[Stake]:
    """R6.3, R16: cities count by the own loyalty, banners and councils by what they may do for it."""
    loyalty, id = loyalty_to(box, s, seat, empire), words["empire"].id
    return [
        Stake(
            ("cities", id), "R16", template("{empire}: {figure} cities, each worth {value} to you"), float(loyalty),
            lambda after, told: float(cities(box, after, empire)), values={**words, "value": loyalty},
        ),
        Stake(
            ("council", id), "R6.3", template("{empire}: you direct {figure} of its council seats"),
            A_COUNCIL_SEAT * (loyalty if loyalty > 0 else STRANGERS),
            lambda after, told: float(
                sum(controller(after, post) == seat for post in range(empire * POSITIONS, (empire + 1) * POSITIONS))
            ),
            values=words,
        ),
        Stake(
            ("banners", id), "R2.1", template("{empire}: {figure} banners on the map"), A_BANNER * loyalty,
            lambda after, told: float(
                sum(after.army[region] for region in range(box.regions) if after.holder[region] == empire)
            ),
            values=words,
        ),
    ]  # fmt: skip
