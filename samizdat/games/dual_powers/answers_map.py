"""Dual Powers: what the city and its tokens say when somebody points at them."""

from __future__ import annotations

from collections.abc import Sequence

from samizdat.games.dual_powers.drawing import (
    View,
    own_faction,
    place_of,
    token_facts,
)
from samizdat.games.dual_powers.show import points_word
from samizdat.kernel.boards import NOBODY, Answer, Said, Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Many, Phrase, Word


def side_word(word: str | None) -> Said:
    return NOBODY if word is None else Word("short", word)


def faction_seen(view: View, word: str) -> View:
    return next(one for one in view["factions"] if one["faction"] == word)


def region_of(view: View, id: str) -> View:
    return next(one for one in view["regions"] if one["id"] == id)


def strength_told(view: View, id: str) -> Phrase:
    region = region_of(view, id)
    values = {"red": side_word("red"), "white": side_word("white"), "who": side_word(region["stronger"])}
    numbers = {"a": region["strength"]["red"], "b": region["strength"]["white"]}
    return Phrase("Strength: {red} {a}, {white} {b}. Stronger now: {who}.", {**values, **numbers})


def _region(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    view = seen.view
    now: list[Said] = [strength_told(view, id)]
    mine = _own_objective(seen)
    if view["unrest"] == id:
        now.append(
            Phrase("Unrest: {points} at the end of the round.", {"points": points_word(view["unrest_points"])})
        )
    elif mine is not None and game.box.text.row("commands", mine)["region"] == id:
        now.append(
            Phrase(
                "Your objective: {points} for whoever is stronger.",
                {"points": points_word(game.box.text.row("commands", mine)["vp"])},
            )
        )
    does = Phrase("Tokens add up their numbers; neutrals count for the holder of the Will, beside an own token.")
    return Answer(Word("regions", id), Phrase("region"), (does,), ("D7.2", "D7.3"), tuple(now))


def _own_objective(seen: Seen) -> str | None:
    own = own_faction(seen.view, seen.seat)
    found: str | None = faction_seen(seen.view, own)["objective"] if own else None
    return found


def _marker(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (number,) = words
    region = seen.view["markers"][(1, 2, 3).index(int(number))]
    does = Phrase("Scored in this phase: marker 1 for unrest, 2 and 3 for the objectives. Then its tokens tire.")
    return Answer(
        Phrase("Marker {n}", {"n": int(number)}),
        Word("regions", region),
        (does,),
        ("D8.3", "D8.5"),
        (strength_told(seen.view, region),),
    )


def _bridge(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = game.box.text.row("connections", id)
    closed = seen.view["blockade"] == id
    does = Phrase("A move goes over one bridge, a double move over up to two.")
    now = Phrase("Closed by the blockade.") if closed else Phrase("Open.")
    return Answer(Word("connections", one["id"]), Phrase("bridge"), (does,), ("D6.2", "D6.3"), (now,))


def _blockade(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("No token moves over this bridge; recruiting is not hindered.")
    return Answer(Phrase("Blockade"), Word("connections", seen.view["blockade"]), (does,), ("D6.2", "A-32"))


def _tile(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (kind,) = words
    return TILES[kind](game, seen)


def _unrest(game: Game, seen: Seen) -> Answer:
    view = seen.view
    does = Phrase(
        "Scored first: whoever is stronger there takes {points} or a bonus action.",
        {"points": points_word(view["unrest_points"])},
    )
    return Answer(
        Phrase("Unrest"), Word("regions", view["unrest"]), (does,), ("D8.1",), (strength_told(view, view["unrest"]),)
    )


def _barred(game: Game, seen: Seen) -> Answer:
    view = seen.view
    does = Phrase("The next region of unrest; when its tile came, it closed the bridge of its colour.")
    now = Phrase("Closed now: {bridge}.", {"bridge": Word("connections", view["blockade"])})
    return Answer(Phrase("Blockade"), Word("regions", view["blockade_tile"]), (does,), ("D9.1", "D9.2"), (now,))


def _will(game: Game, seen: Seen) -> Answer:
    does = Phrase("Its holder leads all neutral tokens, is stronger in a draw, and wins on the centre at the end.")
    now = Phrase(
        "Now: {who}. It goes to whoever turns the month.", {"who": side_word(seen.view["will_of_the_people"])}
    )
    return Answer(
        Phrase("Will of the People"),
        side_word(seen.view["will_of_the_people"]),
        (does,),
        ("D7.1", "D7.3", "D5.5"),
        (now,),
    )


def _deck(game: Game, seen: Seen) -> Answer:
    number = seen.view["deck"]
    does = Phrase("Cards are drawn from it as a round begins; when it is empty, the discards are shuffled.")
    return Answer(Phrase("Deck"), Many("{n} card", "{n} cards", number), (does,), ("D3.1", "D3.2"))


TILES = {"unrest": _unrest, "blockade": _barred, "will": _will, "deck": _deck}


def _support(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    view = seen.view
    score = view["score"]
    does = Phrase("Each point moves the marker one space; on the last space of a side, that side wins at once.")
    if score:
        who = side_word("red" if score > 0 else "white")
        now = Phrase(
            "{who} leads by {n}; {left} more would win.",
            {"who": who, "n": abs(score), "left": view["track"] - abs(score)},
        )
        if view["point"] == "over":
            now = Phrase("{who} leads by {n}.", {"who": who, "n": abs(score)})
    else:
        now = Phrase(
            "On the centre: at the end the Will would decide, for {who}.",
            {"who": side_word(view["will_of_the_people"])},
        )
    return Answer(Phrase("Support"), Phrase("track"), (does,), ("D8.4", "D10.1"), (now,))


def _space(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    """A space of the support track, counted as the score is: above zero on the Soviet's side."""
    (number,) = words
    size = seen.view["track"]
    space = range(-size, size + 1)[[str(one) for one in range(-size, size + 1)].index(number)]
    side = "red" if space > 0 else "white" if space < 0 else None
    if abs(space) == size:
        does = Phrase("The last space: when the marker reaches it, {who} wins at once.", {"who": side_word(side)})
    elif side is None:
        does = Phrase("The centre: with the marker here at the end, the holder of the Will wins.")
    else:
        does = Phrase("With the marker on this side at the end, {who} wins.", {"who": side_word(side)})
    away = abs(space - seen.view["score"])
    now = Many("The marker is {n} point from here.", "The marker is {n} points from here.", away) if away else None
    rules = ("D10.1",) if abs(space) == size else ("D10.2",) if game.variant == "standard" else ("S11",)
    return Answer(
        Phrase("Space {n}", {"n": abs(space)}), side_word(side) if side else Phrase("track"), (does,), rules,
        (now if now is not None else Phrase("The marker is here."),),
    )  # fmt: skip


# --- Tokens -------------------------------------------------------------------------------------------------


def _token(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    view = seen.view
    facts = token_facts(game, id)
    region = place_of(view, id)
    values = {"fresh": facts["fresh"], "tired": facts["exhausted"], "rank": facts["rank"]}
    rules = ["D8.5"]
    if facts["faction"] == "neutral":
        does = Phrase(
            "Neutral: strength {fresh}, exhausted {tired}, for the holder of the Will beside an own token.", values
        )
        rules.insert(0, "D7.1")
    elif facts["leader"]:
        does = Phrase("Leader: strength {fresh}, exhausted {tired}; once off the board, never back.", values)
        rules.append("D5.8" if id.startswith("trotsky") else "D6.5")
    else:
        does = Phrase("Unit: strength {fresh}, exhausted {tired}; takes {rank} of a card's recruit value.", values)
        rules.insert(0, "D6.1")
    now: list[Said] = []
    if region is None:
        what: Said = Phrase("in the supply")
    else:
        tired = any(one["id"] == id and one["exhausted"] for one in region_of(view, region)["tokens"])
        what = Phrase("exhausted") if tired else Phrase("fresh")
        leaves = Phrase("Exhausted: if its region is scored, it leaves the board.")
        now.append(leaves if tired else Phrase("Fresh: if its region is scored, it turns to its exhausted side."))
        if facts["faction"] == "neutral":
            now.append(Phrase("Led now by: {who}.", {"who": side_word(view["will_of_the_people"])}))
    return Answer(Word("tokens", id), what, (does,), tuple(rules), tuple(now))


def _pile(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    """S5, S10: units of the opposition, on the board (`red-2-x`) or in its supply (`level_2`)."""
    (id,) = words
    view = seen.view
    level = int(id.split("_")[1]) if id.startswith("level_") else int(id.split("-")[1])
    printed = game.box.text.tables["opposition"][range(1, 4).index(level)]
    values = {"fresh": printed["fresh"], "tired": view["difficulty"], "level": level}
    does = Phrase(
        "Level {level}: strength {fresh}, exhausted {tired}; the opposition never moves or refreshes.", values
    )
    if id.startswith("level_"):
        what = Many("{n} in the supply", "{n} in the supply", view["opposition_supply"][id])
        now = Phrase("One comes for each card of the opposition with recruit value {level}.", values)
    else:
        region, _, side = id.split("-")
        units = next(one for one in region_of(view, region)["opposition"] if one["level"] == level)
        what = Many("{n} here", "{n} here", units[{"o": "fresh", "x": "exhausted"}[side]])
        now = (
            Phrase("Exhausted: if its region is scored, it leaves the board.")
            if side == "x"
            else Phrase("Fresh: if its region is scored, it turns to its exhausted side.")
        )
    return Answer(Phrase("The opposition"), what, (does,), ("S5", "S10"), (now,))


def _supply(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (side,) = words
    one = faction_seen(seen.view, side)
    does = Phrase(
        "Units and leaders that are not on the board; everybody may look. Recruiting brings units from here."
    )
    now = Many("{n} unit is left.", "{n} units are left.", len(one["supply"]))
    return Answer(side_word(side), Phrase("supply"), (does,), ("D1.1", "D6.1"), (now,))


ON_MAP = {
    "region": _region, "marker": _marker, "bridge": _bridge, "blockade": _blockade, "tile": _tile,
    "support": _support, "space": _space, "token": _token, "pile": _pile, "supply": _supply,
}  # fmt: skip
