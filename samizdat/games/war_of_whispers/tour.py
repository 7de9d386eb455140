"""A War of Whispers: the first game step by step, and the step up to agents on the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.war_of_whispers.picture import count, yield_of
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase, Word, template
from samizdat.kernel.tours import FIRST, Slip, Step, Tour, asked_at

PLAYERS = 3  # two bots are enough to watch the first time

# What a loyalty is worth, by its sign.
LOVED = template("Every {empire} city is worth {value} to you.")
HATED = template("Each {empire} city costs you {value}.")


def _empire(id: str) -> Word:
    return Word("empires", id)


def _mine(seen: Seen) -> Mapping[str, Any]:
    found: Mapping[str, Any] = seen.view["players_at_table"][seen.seat or 0]
    return found


def _loyalties(game: Game, seen: Seen) -> list[tuple[str, int]]:
    """The seat's own loyalties, the dearest first."""
    held = _mine(seen)["loyalty"]
    values = [(held[row["id"]], int(row["value"])) for row in game.box.text.tables["slots"] if held[row["id"]]]
    return sorted(values, key=lambda one: -one[1])


def _dearest(game: Game, seen: Seen) -> str:
    return next(iter(_loyalties(game, seen)), (game.box.names["empires"][0], 0))[0]


def _own_posts(seen: Seen) -> list[str]:
    return [post["id"] for post in seen.view["councils"] if post["agent"] == seen.seat]


def _council(post: str) -> str:
    return post.rpartition("_")[0]


def _aim(game: Game, seen: Seen) -> Slip:
    rounds = game.box.text.constants["rounds"]
    return Slip(
        Phrase("The aim"),
        (
            Phrase("You own no empire."),
            Phrase("You pull strings in their councils, and bet in secret on who will end with the most cities."),
        ),
        ("R1", "R16"),
        ("loyalties",),
        goal=Phrase("Cities × your loyalty, added up after {rounds} rounds. Most points win.", {"rounds": rounds}),
    )


def _secret(game: Game, seen: Seen) -> Slip:
    loyalties = _loyalties(game, seen)
    said = [
        Phrase(LOVED if value > 0 else HATED, {"empire": _empire(empire), "value": abs(value)})
        for empire, value in (*loyalties[:2], *loyalties[-1:])
        if value
    ]
    return Slip(
        Phrase("Your secret"),
        (*said, Phrase("Nobody else can see this.")),
        ("R3.6", "R16"),
        ("loyalties",),
    )


def _councils(game: Game, seen: Seen) -> Slip:
    empire = _dearest(game, seen)
    return Slip(
        Phrase("Five councils"),
        (
            Phrase("Empires act one after the other, and within each council the seats in their order."),
            Phrase("The signs on a seat say what it may do."),
        ),
        ("R6.1", "R6.2"),
        (f"council-{empire}",),
    )


def _place(game: Game, seen: Seen) -> Slip:
    empire = _dearest(game, seen)
    last = game.box.text.tables["positions"][-1]["id"]
    return Slip(
        Phrase("Place an agent"),
        (
            Phrase("You may sit in anybody's council."),
            Phrase("**An empty seat obeys the next agent below it**, so one at the bottom can run all four."),
        ),
        ("R5.2", "R6.3"),
        (f"post-{empire}_{last}", f"council-{empire}"),
        todo=Phrase("Take a seat with red corners. {empire} is worth most to you.", {"empire": _empire(empire)}),
    )


def _sits(game: Game, seen: Seen) -> Slip:
    title, rules = Phrase("One agent, several seats"), ("R6.3",)
    mine = _own_posts(seen)
    if not mine:
        idle = Phrase("An agent acts for its own seat and for every empty one above it.")
        return Slip(title, (idle,), rules, ("councils",))
    post = mine[-1]
    council = [one for one in seen.view["councils"] if _council(one["id"]) == _council(post)]
    runs = sum(one["controller"] == seen.seat for one in council)
    values = {"seat": Word("councils", post), "empire": _empire(_council(post)), "runs": runs}
    said = [
        Phrase("You act {runs} times in the council of {empire}.", values)
        if runs > 1
        else Phrase("You act once in the council of {empire}.", values)
    ]
    if not post.endswith(game.box.names["positions"][0]):  # nobody sits above the first
        said.append(Phrase("That is so until somebody slips in above."))
    return Slip(
        title,
        tuple(said),
        rules,
        (f"council-{_council(post)}",),
        done=Phrase("Your agent sits as {seat}.", values),
    )


def _empires_act(game: Game, seen: Seen) -> Slip:
    marker = seen.view["marker"]
    return Slip(
        Phrase("Now the empires act"),
        (
            Phrase("The marker goes from seat to seat; whoever controls it decides."),
            Phrase("The record keeps what happens."),
        ),
        ("R6.1", "R6.3"),
        (f"council-{_council(marker)}",) if marker else ("councils",),
    )


def _acts(game: Game, seen: Seen) -> Slip:
    title, rules = Phrase("Your seat acts"), ("R6.4", "R7.1")
    resolving = seen.view["resolving"]
    if not resolving:
        idle = Phrase("A seat takes one of its actions: add banners, draw cards, attack, exchange seats.")
        return Slip(title, (idle,), rules, ("councils",))
    post = resolving["seat"]
    row = next(one for one in game.box.text.tables["councils"] if one["id"] == post)
    actions = {one["id"]: one for one in game.box.text.tables["actions"]}
    added = [yield_of(seen.view, row, actions[id]) for id in row["actions"] if actions[id]["kind"] == "add"]
    said = [Phrase("Each sign is one action; the number after = is what it brings just now.")]
    if added:
        values = {"banners": count(_council(post), added[0] or 0)}
        said.insert(0, Phrase("It can add {banners}.", values))
    return Slip(
        title, tuple(said), rules, (f"post-{post}",), todo=Phrase("Choose one of the actions with red corners.")
    )


def _where_to(game: Game, seen: Seen) -> Slip:
    constants = game.box.text.constants
    values = {"room": constants["supply_limit"], "more": constants["supply_limit_with_farm"]}
    regions = [notation.split()[1] for notation in seen.legal if notation.startswith("place ")]
    return Slip(
        Phrase("Where to?"),
        (
            Phrase("{room} banners can live in a region, {more} where there is a farm.", values),
            Phrase("More than that goes home when the empire's turn ends."),
        ),
        ("R7.2", "R11"),
        tuple(f"region-{region}" for region in regions[:1]) or ("map",),
        todo=Phrase("Tap regions with red corners, one banner at a time.") if regions else None,
    )


def _attack(game: Game, seen: Seen) -> Slip:
    regions = [notation.split()[1] for notation in seen.legal if notation.split()[0] in ("from", "to")]
    return Slip(
        Phrase("Attack"),
        (
            Phrase("Banners fall one for one; a fortress takes one first."),
            Phrase("Whoever has banners left holds the region, and its city."),
        ),
        ("R10.1", "R10.5", "R10.6", "R10.7"),
        tuple(f"region-{region}" for region in regions[:1]) or ("map",),
        todo=Phrase("First where it starts, then the target, then how many.") if regions else None,
    )


def _end_of_round(game: Game, seen: Seen) -> Slip:
    left = game.box.text.constants["rounds"] - seen.view["round"]
    return Slip(
        Phrase("End of the round"),
        (
            Phrase("You may swap two of your loyalties – but then everybody sees both, for good."),
            Phrase("Rounds to go: {left}. Now you know it all; **Hint** helps when you are stuck.", {"left": left}),
        ),
        ("R14",),
        ("loyalties",),
    )


def _bot_acts(game: Game, seen: Seen) -> bool:
    return seen.view["resolving"] is not None and seen.seat not in seen.view["turn"]


# --- agents on the map ------------------------------------------------------------------------------------


def _on_the_map(game: Game, seen: Seen) -> Slip:
    most = game.box.text.constants["agents_on_map"]
    return Slip(
        Phrase("Agents on the map"),
        (
            Phrase("An agent may also go into a region, where it sits in no council."),
            Phrase("At most {most} of yours, never two in one region.", {"most": most}),
        ),
        ("R17.1", "R17.2"),
        ("map",),
        todo=Phrase("Place an agent on a council or on the map."),
    )


def _map_scores(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("What it is worth"),
        (
            Phrase("At the end each of your agents on the map counts, for you alone, as one more city there."),
            Phrase("So it earns where an empire dear to you will stand at the end."),
        ),
        ("R17.3",),
        ("map",),
    )


def _came_back(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("And back again"),
        (
            Phrase("From the second round on an agent is taken back before agents are placed."),
            Phrase("Those on the map may come back, too."),
        ),
        ("R5.1", "R17.4"),
        ("map",),
    )


TOURS = {
    FIRST: Tour(
        PLAYERS,
        (
            Step("aim", _aim),
            Step("secret", _secret),
            Step("councils", _councils),
            Step("place", _place),
            Step("sits", _sits, lambda game, seen: bool(_own_posts(seen))),
            Step("empires_act", _empires_act, _bot_acts, at_once=True),
            Step("acts", _acts, asked_at("before", "action"), at_once=True),
            Step("where_to", _where_to, asked_at("place")),
            Step("attack", _attack, asked_at("source", "target")),
            Step("end_of_round", _end_of_round, asked_at("swap_loyalty"), at_once=True),
        ),
        minutes=6,
    ),
    "advanced": Tour(
        PLAYERS,
        (
            Step("on_the_map", _on_the_map),
            Step("map_scores", _map_scores),
            Step("came_back", _came_back, asked_at("retrieve"), at_once=True),
        ),
        minutes=4,
        title=Phrase("Step up: agents on the map"),
        options={"advanced": True},
    ),
}
