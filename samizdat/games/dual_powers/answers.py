"""Dual Powers: what everything on the board says when somebody points at it; made from what one seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samizdat.games.dual_powers.answers_map import ON_MAP, faction_seen, region_of, side_word, strength_told
from samizdat.games.dual_powers.drawing import (
    ACTION_GLYPHS,
    ICONS,
    SPECIAL_GLYPHS,
    View,
    arrival,
    months,
    own_faction,
)
from samizdat.games.dual_powers.show import FACTION_WORDS, points_word
from samizdat.kernel.boards import YOU, Answer, Said, Seen, Sign, Signs, told_about
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template

ARRIVALS = {
    (False, False): template("{days}: the date goes to day {day}."),
    (True, False): template("{days}: the date stops on day {day}, which earns a bonus action."),
    (False, True): template("{days}: the date goes to day {day} of the next month, which brings the Will."),
    (True, True): template("{days}: to day {day} of the next month, which brings the Will and a bonus action."),
}
ACTIONS = {
    "move": template("Recruit up to {n} in {region}, or move one token over a bridge."),
    "double_move": template("Recruit up to {n} in {region}, or move one token one or two steps."),
    "refresh": template("Recruit up to {n} in {region}, or make one exhausted token fresh."),
}
SPECIALS = {
    "inspire": template("Goes into any region, and you may take the Will; the card never comes back."),
    "espionage": template(
        "Goes into any region, and a secret objective may be turned up; the card never comes back."
    ),
    "protest": template("Goes into any region, and the blockade may move; the card never comes back."),
}
SPECIAL_RULES = {"inspire": "D6.8", "espionage": "D6.7", "protest": "D6.6"}


def answer(game: Game, seen: Seen, about: str) -> Answer | None:
    return told_about(KINDS, game, seen, about)


# --- Cards and objectives -----------------------------------------------------------------------------------


def _ahead(game: Game, view: View, days: int) -> Phrase:
    there = arrival(game, view, days)
    text = ARRIVALS[there["bonus"], there["month"]]
    return Phrase(text, {"days": Many("{n} day", "{n} days", days), "day": there["day"]})


def _whereabouts(seen: Seen, id: str) -> Phrase:
    view = seen.view
    own = own_faction(view, seen.seat)
    if own and id in (faction_seen(view, own)["hand"] or ()):
        return Phrase("in your hand")
    if id in view["on_table"]:
        return Phrase("on the table")
    if id in [one["objective"] for one in view["factions"]]:
        return Phrase("objective")
    return Phrase("discarded") if id in view["discarded"] else Phrase("not seen")


def _card(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    card = game.box.text.row("commands", id)
    view = seen.view
    own = own_faction(view, seen.seat)
    region = Word("regions", card["region"])
    text = ACTIONS[card["action"]]
    does: list[Said] = [Phrase(text, {"n": card["recruit"], "region": region})]
    if own and id in (faction_seen(view, own)["hand"] or ()) and view["point"] != "over":
        does.insert(0, _ahead(game, view, card["days"]))
    else:
        does.insert(0, Many("Moves the date by {n} day.", "Moves the date by {n} days.", card["days"]))
    stronger = side_word(region_of(view, card["region"])["stronger"])
    values = {"points": points_word(card["vp"]), "region": region, "who": stronger}
    now = Phrase("As objective: {points} for whoever is stronger in {region}; now: {who}.", values)
    return Answer(Word("commands", id), _whereabouts(seen, id), tuple(does), ("D5.4", "D5.9", "D8.3"), (now,))


def _leader(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = game.box.text.row("leaders", id)
    values = {"fresh": one["fresh"], "tired": one["exhausted"]}
    special = SPECIALS[one["special"]]
    does = (
        Phrase(special),
        Phrase("Strength {fresh}, exhausted {tired}; neutral units there that you lead become fresh.", values),
    )
    now = (_ahead(game, seen.view, one["days"]),) if seen.view["point"] != "over" else ()
    return Answer(Word("leaders", id), Phrase("leader card"), does, ("D6.5", SPECIAL_RULES[one["special"]]), now)


def _objective(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (side,) = words
    one = faction_seen(seen.view, side)
    mine = side == own_faction(seen.view, seen.seat)
    what: Said = YOU if mine else side_word(side)
    if one["objective"]:
        card = game.box.text.row("commands", one["objective"])
        values = {"region": Word("regions", card["region"]), "points": points_word(card["vp"])}
        does = Phrase(
            "At the end of the round {points} go to whoever is stronger in {region}, whoever chose it.", values
        )
        return Answer(
            Phrase("Secret objective"), what, (does,), ("D8.3", "A-16"), (strength_told(seen.view, card["region"]),)
        )
    if one["opposition"]:
        does = Phrase("Made of its cards: the region with most days, and there the card with most points.")
        return Answer(Phrase("Secret objective"), what, (does,), ("S9",))
    hidden = Phrase("Lies face down until the scoring: then its region is scored for whoever is stronger there.")
    empty = Phrase("One command card, never a leader, is laid here face down as the round begins.")
    return Answer(Phrase("Secret objective"), what, (hidden if one["has_objective"] else empty,), ("D4.1", "D8.2"))


def _discards(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    number = len(seen.view["discarded"])
    does = Phrase("Open to everybody; shuffled into a new deck when a card must be drawn and none is left.")
    return Answer(Phrase("Cards"), Many("{n} discarded", "{n} discarded", number), (does,), ("A-30", "D3.2"))


def _tiles_gone(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Tiles of regions that had their unrest; they come back when the stack is empty.")
    return Answer(Phrase("Region tiles"), Phrase("out of the stack"), (does,), ("D9.1", "A-47"))


# --- Seats --------------------------------------------------------------------------------------------------


def _seat(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (seat,) = words
    side = own_faction(seen.view, range(len(FACTION_WORDS))[("0", "1").index(seat)])
    assert side is not None
    return _party(game, seen, [side])


def _party(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (side,) = words
    view = seen.view
    one = faction_seen(view, side)
    mine = side == own_faction(view, seen.seat)
    if one["opposition"]:
        does: Said = Phrase(
            "Plays itself: each of its cards moves the date and brings a unit; exhausted units have strength {n}.",
            {"n": view["difficulty"]},
        )
        rules: tuple[str, ...] = ("S5", "S10")
    else:
        values = {
            "cards": Many("{n} command card", "{n} command cards", one["hand_size"]),
            "n": len(one["leaders_to_come"]),
        }
        does = Phrase("Holds {cards} and {n} of the three leaders.", values)
        rules = ("D3.3", "D9.4")
    now: list[Said] = []
    if view["will_of_the_people"] == side:
        now.append(Phrase("Holds the Will, and so leads the neutral tokens."))
    ahead = [Word("regions", region["id"]) for region in view["regions"] if region["stronger"] == side]
    if ahead:
        now.append(Phrase("Stronger in: {regions}.", {"regions": Listing(ahead)}))
    return Answer(Word("factions", side), YOU if mine else Phrase("faction"), (does,), rules, tuple(now))


def _hand(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (side,) = words
    number = faction_seen(seen.view, side)["hand_size"]
    does = Phrase("How many cards somebody holds is open, which ones is not; one is played in each turn.")
    return Answer(side_word(side), Many("{n} command card", "{n} command cards", number), (does,), ("D3.3", "D5.3"))


# --- The calendar -------------------------------------------------------------------------------------------


def _date(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    view = seen.view
    printed: Any = game.box.record
    does = Phrase(
        "Cards move the day; past day {n} a new month begins and brings the Will to whoever moved it.",
        {"n": printed.month_days},
    )
    what = Phrase("{month}, day {day}", {"month": Word("months", view["month"]), "day": view["day"]})
    return Answer(Phrase("Calendar"), what, (does,), ("D5.4", "D5.5"), (Phrase("Round {n}.", {"n": view["round"]}),))


def _month(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = next(one for one in months(game, seen.view) if one["id"] == id)
    lines: list[Said] = [
        Phrase("Unrest that is scored in this month is worth {points}.", {"points": points_word(one["points"])})
    ]
    rules = ["D8.1"]
    if one["event"] == "trotsky_returns":
        lines.append(Phrase("When it begins, Trotsky returns, neutral, into the region of unrest."))
        rules.append("D5.7")
    elif one["event"] == "trotsky_joins":
        lines.append(Phrase("When it begins, Trotsky, if he is on the board, joins the Soviet."))
        rules.append("D5.8")
    elif one["ends"]:
        lines.append(Phrase("A scoring phase in this month ends the game."))
        rules.append("D10.2")
    what = Phrase("now") if one["now"] else Phrase("over") if one["past"] else Phrase("to come")
    return Answer(Word("months", id), what, tuple(lines), tuple(rules))


def _day(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (number,) = words
    view = seen.view
    printed: Any = game.box.record
    day = [str(one) for one in range(1, printed.month_days + 1)].index(number) + 1
    if day in (printed.bonus_day, printed.month_days):
        does: Said = Phrase("Whoever stops exactly here earns a bonus action: recruit rank 1, move, refresh or draw.")
        rules = ("D5.6", "D6.9")
    elif day >= printed.slide_from:
        does = Phrase(
            "A marker that stops here slides on to day {n} and earns a bonus action.", {"n": printed.month_days}
        )
        rules = ("D5.6", "D6.9")
    else:
        does = Phrase("The day marker moves by the days of each card.")
        rules = ("D5.4", "D5.6")
    now: list[Said] = [Phrase("The date is here.")] if day == view["day"] else []
    own = own_faction(view, seen.seat)
    if own and view["point"] != "over":
        mine = faction_seen(view, own)
        cards: list[tuple[Word, int]] = [
            (Word("commands", id), game.box.text.row("commands", id)["days"]) for id in mine["hand"] or ()
        ]
        cards += [(Word("leaders", id), game.box.text.row("leaders", id)["days"]) for id in mine["leaders_to_come"]]
        reach = [word for word, days in cards if arrival(game, view, days)["day"] == day]
        if reach:
            now.append(Phrase("You reach it with: {cards}.", {"cards": Listing(reach)}))
    return Answer(Phrase("Day {n}", {"n": day}), Phrase("calendar"), (does,), rules, tuple(now))


# --- Solitaire, and the end ---------------------------------------------------------------------------------


def _to_come(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("A card of the opposition, turned up in its next turn: it moves the date and brings one unit.")
    number = seen.view["line_to_come"]
    return Answer(
        Phrase("The opposition"), Many("{n} card to come", "{n} cards to come", number), (does,), ("S5", "S2")
    )


def _sums(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Made of its cards: the region with most days, and there the card with most points.")
    return Answer(Phrase("The opposition"), Phrase("its objective so far"), (does,), ("S9",))


def _scored(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("What was scored in each round, and where the marker lay after it.")
    return Answer(Phrase("Score sheet"), Phrase("round by round"), (does,), ("D8.3", "D8.4"))


KINDS = {
    **ON_MAP, "card": _card, "leader": _leader, "objective": _objective, "discards": _discards, "gone": _tiles_gone,
    "seat": _seat, "side": _party, "hand": _hand, "date": _date, "month": _month, "day": _day, "to-come": _to_come,
    "sums": _sums, "scored": _scored,
}  # fmt: skip


# --- The legend ---------------------------------------------------------------------------------------------


def legend(game: Game) -> tuple[Signs, ...]:
    icons = [ICONS.get(one["icon"], "city") for one in game.box.text.tables["regions"]]
    named: dict[str, list[Word]] = {}
    for icon, id in zip(icons, game.box.names["regions"], strict=True):
        named.setdefault(icon, []).append(Word("regions", id))
    cards = {
        "recruit": Phrase("recruit: units into the card's region, up to this rank"),
        ACTION_GLYPHS["move"]: Phrase("move one token over a bridge"),
        ACTION_GLYPHS["double_move"]: Phrase("move one token one or two steps"),
        ACTION_GLYPHS["refresh"]: Phrase("make an exhausted token fresh"),
        "objective": Phrase("points if the card is an objective"),
        "leader": Phrase("leader: once in a game, into any region"),
        SPECIAL_GLYPHS["inspire"]: Phrase("the Will of the People: its holder leads the neutrals"),
        SPECIAL_GLYPHS["espionage"]: Phrase("turn up a secret objective"),
        SPECIAL_GLYPHS["protest"]: Phrase("the blockade: this bridge is closed"),
        "cards": Phrase("command cards"),
    }
    tokens = {
        "star": Phrase("Soviet"),
        "crown": Phrase("Government"),
        "person": Phrase("neutral: counts for the holder of the Will"),
        "fresh": Phrase("strength while fresh"),
        "exhausted": Phrase("exhausted: the small number counts; scored once more, it leaves"),
        "unrest": Phrase("region of unrest, and its points"),
        "calendar": Phrase("a new month begins"),
    }
    letters = (
        Sign("bars", Phrase("rank: what recruiting it takes"), "▬"),
        Sign("value", Phrase("strength now; small: when exhausted"), "3₂"),
        Sign("bonus", Phrase("a stop on this day earns a bonus action"), "+"),
    )
    return (
        Signs(Phrase("On cards"), tuple(Sign(glyph, says) for glyph, says in cards.items())),
        Signs(
            Phrase("On tokens and the board"), tuple(Sign(glyph, says) for glyph, says in tokens.items()) + letters
        ),
        Signs(
            Phrase("Regions"),
            tuple(Sign(glyph, Listing(ids)) for glyph, ids in named.items() if glyph not in {*cards, *tokens}),
        ),
    )
