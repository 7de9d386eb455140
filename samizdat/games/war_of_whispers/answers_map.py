"""A War of Whispers: what the map and the councils say when pointed at; made from what one seat may know."""

from __future__ import annotations

from collections.abc import Sequence

from samizdat.games.war_of_whispers.picture import ICONS, View, count, numbers_of, yield_of
from samizdat.games.war_of_whispers.state import POSITIONS
from samizdat.kernel.boards import NOBODY, YOU, Answer, Said, Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template

LAND = {
    "city": template("a city, which scores for whoever holds it at the end"),
    "farm": template("a farm, with room for {n} banners"),
    "fortress": template("a fortress, which destroys one banner of every attack"),
}


def empire_of(view: View, id: str) -> View:
    return next(one for one in view["empires"] if one["id"] == id)


def empire_word(id: str) -> Word:
    return Word("empires", id)


def names_of(seen: Seen) -> list[Said]:
    return [Word("societies", player["society"]) for player in seen.view["players_at_table"]]


def who(seen: Seen, seat: int | None) -> Said:
    return NOBODY if seat is None else YOU if seat == seen.seat else names_of(seen)[seat]


def value_of(game: Game, seen: Seen, empire: str) -> int | None:
    """What a city of an empire is worth to this seat; None for whoever has no loyalties."""
    if seen.seat is None:
        return None
    loyalty = seen.view["players_at_table"][seen.seat]["loyalty"]
    slot = next((slot for slot, one in loyalty.items() if one == empire), None)
    return None if slot is None else int(game.box.text.row("slots", slot)["value"])


def signed(number: int) -> str:
    return str(number).replace("-", "−")


# --- The map ------------------------------------------------------------------------------------------------


def _region(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("regions", id)
    now = next(one for one in seen.view["regions"] if one["id"] == id)
    constants = game.box.text.constants
    limit = constants["supply_limit_with_farm" if row["farm"] else "supply_limit"]
    icons = [Phrase(LAND[icon], {"n": limit}) for icon in ICONS if row[icon]]
    does: Said = Phrase("It has {icons}.", {"icons": Listing(icons)})
    if not icons:
        does = Phrase("No city, farm or fortress; room for {n} banners.", {"n": limit})
    needs = now["banners"] + bool(row["fortress"]) + 1
    values = {
        "empire": empire_word(now["controlled_by"]),
        "banners": count(now["controlled_by"], now["banners"]),
        "n": needs,
    }
    lines: list[Said] = [
        Phrase("{banners}; to take it, an attack needs {n}.", values)
        if now["banners"]
        else Phrase("Empty, of the {empire}; to take it, an attack needs {n}.", values)
    ]
    rules = ["R10.5", "R10.6"]
    if now["banners"] > limit:
        over = Many(
            "Above its limit: {n} banner goes home after the {empire}'s turn.",
            "Above its limit: {n} banners go home after the {empire}'s turn.",
            now["banners"] - limit,
            values,
        )
        lines.append(over)
        rules.append("R11")
    elif now["agents"]:
        agents = Listing([who(seen, seat) for seat in now["agents"]])
        lines.append(Phrase("Counts as one more city for the agents here: {names}.", {"names": agents}))
        rules.append("R17.3")
    elif row["city"] and (value := value_of(game, seen, now["controlled_by"])) is not None:
        lines.append(
            Phrase(
                "Its city counts {n} for you while the {empire} holds it.",
                {"n": signed(value), "empire": values["empire"]},
            )
        )
        rules.append("R16")
    what = Phrase("{empire} land", {"empire": empire_word(row["empire"])})
    return Answer(Word("regions", id), what, (does,), tuple(rules), tuple(lines))


def _march(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    doing = seen.view["resolving"] or {}
    does = Phrase("One attacker falls at a fortress, then one for one; whoever is left over holds the region.")
    now: tuple[Said, ...] = ()
    if doing.get("source") and doing.get("target"):
        ends = {"source": Word("regions", doing["source"]), "target": Word("regions", doing["target"])}
        now = (Phrase("From {source} to {target}.", ends),)
    return Answer(Phrase("March"), Phrase("banners on their way"), (does,), ("R10.5", "R10.6", "R10.7"), now)


def _number(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (number,) = words
    one = next(one for one in numbers_of(game, seen) if str(one["n"]) == number)
    does = Phrase("So many banners go. Out of a conquered region one must stay behind.")
    now: tuple[Said, ...] = ()
    if one["outcome"] == "takes":
        now = (Many("Takes it: {n} banner is left.", "Takes it: {n} banners are left.", one["left"]),)
    elif one["outcome"] == "holds":
        now = (Many("Beaten off: {n} defender is left.", "Beaten off: {n} defenders are left.", one["left"]),)
    elif one["outcome"]:
        now = (Phrase("Nobody is left: the region is empty and goes to its home empire."),)
    return Answer(Many("{n} banner", "{n} banners", one["n"]), Phrase("to choose"), (does,), ("R10.2", "R10.3"), now)


def _round(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (number,) = words
    rounds = game.box.text.constants["rounds"]
    turn = [str(one) for one in range(1, rounds + 1)].index(number) + 1
    does = Phrase(
        "Each round agents are placed, then the empires act in order; after round {n} the game ends.", {"n": rounds}
    )
    now = Phrase("Now: round {n}.", {"n": seen.view["round"]})
    return Answer(Phrase("Round {n}", {"n": turn}), Phrase("round track"), (does,), ("R4", "R12"), (now,))


# --- Empires and councils -----------------------------------------------------------------------------------


def _empire(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = empire_of(seen.view, id)
    does = Phrase("Nobody owns it: its four seats act from the Sheriff to the Chancellor, each for its controller.")
    now: list[Said] = []
    value = value_of(game, seen, id)
    if value is not None:
        sum = signed(value * one["cities"])
        now.append(
            Phrase("Each of its cities counts {value} for you: {sum} now.", {"value": signed(value), "sum": sum})
        )
    values = {"regions": one["regions"], "farms": one["farms"], "fortresses": one["fortresses"]}
    now.append(Phrase("Regions {regions}, farms {farms}, fortresses {fortresses}.", values))
    return Answer(
        empire_word(id), Many("{n} city", "{n} cities", one["cities"]), (does,), ("R6.1", "R6.2", "R16"), tuple(now)
    )


def _reserve(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    number = empire_of(seen.view, id)["reserve"]
    does = Phrase("Banners that are not on the map. Added banners come from here; destroyed ones come back.")
    return Answer(
        empire_word(id), Many("{n} banner in reserve", "{n} banners in reserve", number), (does,), ("R2.1", "R7.3")
    )


def _deck(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    number = empire_of(seen.view, id)["deck"]
    does = Phrase("Drawn from by actions of this council; played and discarded cards are shuffled back at once.")
    return Answer(
        empire_word(id), Many("{n} card in the deck", "{n} cards in the deck", number), (does,), ("R8", "R15.5")
    )


def _icons(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = empire_of(seen.view, id)
    does = Phrase("Farms and fortresses in all its regions: some actions bring more for each of them.")
    what = Phrase("farms {farms}, fortresses {fortresses}", {"farms": one["farms"], "fortresses": one["fortresses"]})
    return Answer(empire_word(id), what, (does,), ("R7.1", "R8"))


def _post(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    posts = list(game.box.names["councils"])
    number = posts.index(id)
    row, here = game.box.text.tables["councils"][number], seen.view["councils"][number]
    actions: list[Said] = []
    for name in row["actions"]:
        action = game.box.text.row("actions", name)
        brings = yield_of(seen.view, row, action)
        word = Word("actions", name)
        actions.append(word if brings is None else Phrase("{action} (now {n})", {"action": word, "n": brings}))
    does = (
        Phrase("One of: {actions}.", {"actions": Listing(actions)})
        if len(actions) > 1
        else Phrase("{actions}.", {"actions": Listing(actions)})
    )
    now: list[Said] = []
    if here["agent"] is not None:
        now.append(Phrase("Agent here: {who}.", {"who": who(seen, here["agent"])}))
    elif here["controller"] is not None:
        now.append(Phrase("Vacant: obeys the next agent further on: {who}.", {"who": who(seen, here["controller"])}))
    else:
        now.append(Phrase("Vacant, and no agent further on: it does nothing."))
    if here["agent"] is None and seen.seat is not None and seen.view["point"] in ("deploy", "retrieve"):
        start = number - number % POSITIONS
        first = next(
            (post + 1 for post in reversed(range(start, number)) if seen.view["councils"][post]["agent"] is not None),
            start,
        )
        taken = Listing(
            [
                Word("positions", game.box.text.tables["councils"][post]["position"])
                for post in range(first, number + 1)
            ]
        )
        now.append(Phrase("An agent of yours here would run: {seats}.", {"seats": taken}))
    what = Phrase("seat {n} of {all}", {"n": number % POSITIONS + 1, "all": POSITIONS})
    return Answer(Word("councils", id), what, (does,), ("R6.3", "R6.4"), tuple(now))


ON_MAP = {
    "region": _region, "march": _march, "number": _number, "round": _round, "empire": _empire, "reserve": _reserve,
    "deck": _deck, "icons": _icons, "post": _post,
}  # fmt: skip
