"""Revolution!: what the town says when somebody points at it; made from what one seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.revolution.picture import EMPTY_SPACE
from samizdat.kernel.boards import NOBODY, YOU, Answer, Said, Seen, each
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template


def names_of(seen: Seen) -> list[Said]:
    return [Word("owners", player["colour"]) for player in seen.view["players_at_table"]]


def who(seen: Seen, seat: int) -> Said:
    return YOU if seat == seen.seat else names_of(seen)[seat]


def each_seat(seen: Seen, numbers: Mapping[int, Any]) -> Listing:
    return each(seen, names_of(seen), numbers)


def points_word(number: int) -> Many:
    return Many("{n} point", "{n} points", number)


def standing(game: Game, seen: Seen, id: str, named: bool = False) -> Said:
    """Who would score an area now."""
    number = game.box.names["areas"].index(id)
    area, row = seen.view["areas"][number], game.box.text.tables["areas"][number]
    followers = {seat: n for seat, n in enumerate(area["followers"]) if n}
    values: dict[str, Any] = {
        "area": Word("areas", id),
        "points": points_word(row["vp"]),
        "each": each_seat(seen, followers),
    }
    leads = area["leads"]
    if not followers:
        return (
            Phrase("{area}: nobody stands there yet; worth {points}.", values)
            if named
            else Phrase("Nobody stands here yet.")
        )
    if leads is None:
        text = (
            template("{area}: {each}. Tied: its {points} would go to nobody.")
            if named
            else template("{each}. Tied: its {points} would go to nobody.")
        )
        return Phrase(text, values)
    if leads == seen.seat:
        return (
            Phrase("{area}: {each}. You lead, for {points}.", values)
            if named
            else Phrase("{each}. You lead, for {points}.", values)
        )
    values["who"] = who(seen, leads)
    return (
        Phrase("{area}: {each}. {who} leads, for {points}.", values)
        if named
        else Phrase("{each}. {who} leads, for {points}.", values)
    )


def _area(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    number = game.box.names["areas"].index(id)
    row, area = game.box.text.tables["areas"][number], seen.view["areas"][number]
    does: Said = Phrase(
        "Whoever has most followers here scores {points} at the end; a tie scores nothing.",
        {"points": points_word(row["vp"])},
    )
    free: Said = Phrase("{n} of {all} spaces are free.", {"n": area["empty"], "all": row["spaces"]})
    rules = ["R8.3"]
    if seen.view["options"]["domination"]:
        rules.append("R9.2")
        if area["dominated_by"] is not None:
            extra = game.box.text.constants["domination_vp"]
            free = Phrase("All spaces show one colour: locked for good, and worth {n} more.", {"n": extra})
    return Answer(Word("areas", id), Phrase("area"), (does,), tuple(rules), (standing(game, seen, id), free))


def _followers(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    id, colour = words
    number = game.box.names["areas"].index(id)
    area = seen.view["areas"][number]
    owner = game.box.names["owners"].index(colour)
    if colour == EMPTY_SPACE:
        bringers = [Word("characters", row["id"]) for row in game.box.text.tables["characters"] if row["area"] == id]
        free = sum(one["empty"] for one in seen.view["areas"])
        return Answer(
            Word("areas", id),
            Many("{n} empty space", "{n} empty spaces", area["empty"]),
            (Phrase("Filled by whoever wins: {people}.", {"people": Listing(bringers) if bringers else NOBODY}),),
            ("R6.3", "R8.1"),
            (
                Many(
                    "{n} space is free in the whole town; when none is, the game ends.",
                    "{n} spaces are free in the whole town; when none is, the game ends.",
                    free,
                ),
            ),
        )
    mine = owner == seen.seat
    what = (
        Many("{n} follower of yours", "{n} followers of yours", area["followers"][owner])
        if mine
        else Many(
            "{n} follower of {owner}",
            "{n} followers of {owner}",
            area["followers"][owner],
            {"owner": Word("owners", colour)},
        )
    )
    does = Phrase("They stay for good: only the Spy and the Apothecary change what stands in town.")
    return Answer(Word("areas", id), what, (does,), ("R6.6", "R8.3"), (standing(game, seen, id),))


def _town(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    spaces = sum(row["spaces"] for row in game.box.text.tables["areas"])
    free = sum(area["empty"] for area in seen.view["areas"])
    does = Phrase("The game ends after the evaluation in which the last of {all} spaces is taken.", {"all": spaces})
    return Answer(
        Phrase("The town"),
        points_word(sum(row["vp"] for row in game.box.text.tables["areas"])),
        (does,),
        ("R8.1",),
        (Many("{n} space is still free.", "{n} spaces are still free.", free),),
    )


ON_MAP = {"area": _area, "followers": _followers, "town": _town}
