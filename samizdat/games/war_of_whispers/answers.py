"""A War of Whispers: what everything on the board says when pointed at; made from what one seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from samizdat.games.war_of_whispers.effects import EFFECTS
from samizdat.games.war_of_whispers.picture import ICONS, View, count, numbers_of, worth_of, yield_of
from samizdat.games.war_of_whispers.state import POSITIONS
from samizdat.kernel.boards import (
    NOBODY,
    YOU,
    YOU_FIRST,
    Answer,
    Said,
    Seen,
    Sign,
    Signs,
    each,
    seat_named,
    told_about,
)
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template

LAND = {
    "city": template("a city, which scores for whoever holds it at the end"),
    "farm": template("a farm, with room for {n} banners"),
    "fortress": template("a fortress, which destroys one banner of every attack"),
}


def answer(game: Game, seen: Seen, about: str) -> Answer | None:
    return told_about(KINDS, game, seen, about)


def _empire_of(view: View, id: str) -> View:
    return next(one for one in view["empires"] if one["id"] == id)


def _empire(id: str) -> Word:
    return Word("empires", id)


def _names(seen: Seen) -> list[Said]:
    return [Word("societies", player["society"]) for player in seen.view["players_at_table"]]


def _who(seen: Seen, seat: int | None) -> Said:
    return NOBODY if seat is None else YOU if seat == seen.seat else _names(seen)[seat]


def _first(seen: Seen, seat: int) -> Said:
    return YOU_FIRST if seat == seen.seat else _names(seen)[seat]


def _value(game: Game, seen: Seen, empire: str) -> int | None:
    """What a city of an empire is worth to this seat; None for whoever has no loyalties."""
    if seen.seat is None:
        return None
    loyalty = seen.view["players_at_table"][seen.seat]["loyalty"]
    slot = next((slot for slot, one in loyalty.items() if one == empire), None)
    return None if slot is None else int(game.box.text.row("slots", slot)["value"])


def _signed(number: int) -> str:
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
        "empire": _empire(now["controlled_by"]),
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
        agents = Listing([_who(seen, seat) for seat in now["agents"]])
        lines.append(Phrase("Counts as one more city for the agents here: {names}.", {"names": agents}))
        rules.append("R17.3")
    elif row["city"] and (value := _value(game, seen, now["controlled_by"])) is not None:
        lines.append(
            Phrase(
                "Its city counts {n} for you while the {empire} holds it.",
                {"n": _signed(value), "empire": values["empire"]},
            )
        )
        rules.append("R16")
    what = Phrase("{empire} land", {"empire": _empire(row["empire"])})
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


def _empire_answer(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = _empire_of(seen.view, id)
    does = Phrase("Nobody owns it: its four seats act from the Sheriff to the Chancellor, each for its controller.")
    now: list[Said] = []
    value = _value(game, seen, id)
    if value is not None:
        sum = _signed(value * one["cities"])
        now.append(
            Phrase("Each of its cities counts {value} for you: {sum} now.", {"value": _signed(value), "sum": sum})
        )
    values = {"regions": one["regions"], "farms": one["farms"], "fortresses": one["fortresses"]}
    now.append(Phrase("Regions {regions}, farms {farms}, fortresses {fortresses}.", values))
    return Answer(
        _empire(id), Many("{n} city", "{n} cities", one["cities"]), (does,), ("R6.1", "R6.2", "R16"), tuple(now)
    )


def _reserve(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    number = _empire_of(seen.view, id)["reserve"]
    does = Phrase("Banners that are not on the map. Added banners come from here; destroyed ones come back.")
    return Answer(
        _empire(id), Many("{n} banner in reserve", "{n} banners in reserve", number), (does,), ("R2.1", "R7.3")
    )


def _deck(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    number = _empire_of(seen.view, id)["deck"]
    does = Phrase("Drawn from by actions of this council; played and discarded cards are shuffled back at once.")
    return Answer(
        _empire(id), Many("{n} card in the deck", "{n} cards in the deck", number), (does,), ("R8", "R15.5")
    )


def _icons(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    one = _empire_of(seen.view, id)
    does = Phrase("Farms and fortresses in all its regions: some actions bring more for each of them.")
    what = Phrase("farms {farms}, fortresses {fortresses}", {"farms": one["farms"], "fortresses": one["fortresses"]})
    return Answer(_empire(id), what, (does,), ("R7.1", "R8"))


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
        now.append(Phrase("Agent here: {who}.", {"who": _who(seen, here["agent"])}))
    elif here["controller"] is not None:
        now.append(Phrase("Vacant: obeys the next agent further on: {who}.", {"who": _who(seen, here["controller"])}))
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


# --- Cards --------------------------------------------------------------------------------------------------


def _rule(ability: str) -> str:
    return f"C{list(EFFECTS).index(ability) + 1}"


def _cost(game: Game, seen: Seen, ability: str) -> Phrase:
    cost = game.box.text.row("abilities", ability)["cost"]
    held = seen.view["players_at_table"][seen.seat]["cards"] if seen.seat is not None else {}
    cards = Listing([_empire(id) for id in cost])
    if seen.seat is None:
        return Phrase("Costs: {cards}.", {"cards": cards})
    enough = all(held[id] >= n for id, n in Counter(cost).items())
    return (
        Phrase("Costs: {cards}. You hold enough.", {"cards": cards})
        if enough
        else Phrase("Costs: {cards}. You hold too few.", {"cards": cards})
    )


def _card(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("cards", id)
    lines = tuple(
        Phrase("{ability}: {effect}", {"ability": Word("abilities", one), "effect": EFFECTS[one]})
        for one in row["abilities"]
    )
    what = Phrase("one of these, for its cost")
    return Answer(_empire(row["empire"]), what, lines, ("R15.1", "R15.2", *map(_rule, row["abilities"])))


def _ability(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    when = Phrase("Played before, during or after an action of a seat you control.")
    return Answer(
        Word("abilities", id), Phrase("ability"), (EFFECTS[id], when), (_rule(id), "R15.1"), (_cost(game, seen, id),)
    )


def _hand(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    limit = game.box.text.constants["hand_limit"]
    does = Phrase("Any number during a round; at its end you discard down to {n}.", {"n": limit})
    return Answer(Phrase("Cards"), Phrase("faces are secret"), (does,), ("R13", "A38"))


# --- Loyalties ----------------------------------------------------------------------------------------------


def _slot(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    value = game.box.text.row("slots", id)["value"]
    does = Phrase("At the end each city of the empire that lies here counts {n}.", {"n": _signed(value)})
    now: list[Said] = []
    if seen.seat is not None:
        me = seen.view["players_at_table"][seen.seat]
        empire = me["loyalty"][id]
        values = {
            "empire": _empire(empire),
            "cities": _empire_of(seen.view, empire)["cities"],
            "n": _signed(worth_of(game, seen)[id]),
        }
        now.append(Phrase("Yours: {empire}, cities {cities}; worth {n} now.", values))
        now.append(Phrase("Open for good.") if id in me["swapped"] else Phrase("Secret: only you see it."))
    if seen.view["point"] == "over":
        now = now[:1]
    return Answer(Word("slots", id), Phrase("× {n}", {"n": _signed(value)}), (does,), ("R16", "R14"), tuple(now))


def _worth(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    worth = worth_of(game, seen)["total"]
    does = Phrase("Cities of each empire times your loyalty to it, added up: your points at the end.")
    return Answer(Phrase("Loyalties"), Phrase("{n} now", {"n": _signed(worth)}), (does,), ("R16", "R3.6"))


def _swap(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase(
        "Two of your hidden tokens change places; both then lie open for good. Fewer swapped tokens win a tie."
    )
    return Answer(Phrase("Swap"), Phrase("after each round"), (does,), ("R14", "R16"))


# --- Seats --------------------------------------------------------------------------------------------------


def _seat(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    one = seen.view["players_at_table"][seat]
    values = {"cards": sum(one["cards"].values()), "agents": one["agents_on_board"], "swapped": len(one["swapped"])}
    does = Phrase("Cards {cards}, agents on the board {agents}, loyalties turned up {swapped}.", values)
    runs = [Word("councils", post["id"]) for post in seen.view["councils"] if post["agent"] == seat]
    now: list[Said] = [
        Phrase("Sits as: {seats}.", {"seats": Listing(runs)}) if runs else Phrase("Sits in no council.")
    ]
    if seat == seen.view["first_player"]:
        now.append(Phrase("First player of this round."))
    return Answer(_first(seen, seat), Word("society", one["society"]), (does,), ("A38", "R6.3"), tuple(now))


def _tokens(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    one = seen.view["players_at_table"][seat]
    shown = [slot for slot in one["loyalty"] if slot in one["swapped"] or seen.view["point"] == "over"]
    pairs = [
        Phrase("{slot} {empire}", {"slot": Word("slots", slot), "empire": _empire(one["loyalty"][slot])})
        for slot in shown
    ]
    does = Phrase("Five loyalties, from most to least; hatched ones are known to their owner alone.")
    now = Phrase("Open: {pairs}.", {"pairs": Listing(pairs)}) if pairs else Phrase("No loyalty lies open yet.")
    return Answer(_first(seen, seat), Phrase("loyalties"), (does,), ("R3.6", "R14"), (now,))


def _cards(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    held = seen.view["players_at_table"][seat]["cards"]
    pairs = [Phrase("{empire} {n}", {"empire": _empire(id), "n": n}) for id, n in held.items() if n]
    does = Phrase("How many cards of which empire somebody holds is open, their faces are not.")
    now = Phrase("Now: {pairs}.", {"pairs": Listing(pairs)}) if pairs else Phrase("No card now.")
    return Answer(_first(seen, seat), Phrase("cards"), (does,), ("A38", "R15.2"), (now,))


def _agents(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    counts = {other: player["agents_on_board"] for other, player in enumerate(seen.view["players_at_table"])}
    does = Phrase(
        "An agent controls its seat and the vacant ones before it; one is taken back at the start of rounds 2 to 4."
    )
    now = Phrase("On the board: {each}.", {"each": each(seen, _names(seen), counts)})
    return Answer(
        _first(seen, seat), Many("{n} agent", "{n} agents", counts[seat]), (does,), ("R6.3", "R5.1"), (now,)
    )


def _first_player(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Places agents first and swaps first; passes on to the left after each round.")
    return Answer(Phrase("First player"), _who(seen, seen.view["first_player"]), (does,), ("R5.2", "R12"))


def _hidden(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("In this variant every loyalty that was never turned up counts 1 point.")
    return Answer(Phrase("Hidden loyalties"), Phrase("score sheet"), (does,), ("V2",))


def _total(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Most points win; then fewer swapped tokens, then more cards in hand; then the victory is shared.")
    return Answer(Phrase("Points"), Phrase("score sheet"), (does,), ("R16", "A34"))


KINDS = {
    "region": _region, "march": _march, "number": _number, "round": _round, "empire": _empire_answer,
    "reserve": _reserve, "deck": _deck, "icons": _icons, "post": _post, "card": _card, "ability": _ability,
    "hand": _hand, "slot": _slot, "worth": _worth, "swap": _swap, "seat": _seat, "tokens": _tokens, "cards": _cards,
    "agents": _agents, "first": _first_player, "hidden": _hidden, "total": _total, "tie": _total,
}  # fmt: skip


# --- The legend ---------------------------------------------------------------------------------------------


def legend(game: Game) -> tuple[Signs, ...]:
    seats = (
        Sign("banner", Phrase("banners: added, or in reserve")),
        Sign("draw", Phrase("draw a card of this empire")),
        Sign("attack", Phrase("attack a neighbouring region")),
        Sign("swap", Phrase("exchange agents with another seat and act there; or two loyalties")),
        Sign("per", Phrase("for each of the sign after it; a number: for so many of them"), "/"),
        Sign("yield", Phrase("so many just now"), "=2"),
        Sign("cards", Phrase("cards in the deck")),
    )
    land = (
        Sign("city", Phrase("city: scores at the end")),
        Sign("farm", Phrase("farm: room for {n} banners", {"n": game.box.text.constants["supply_limit_with_farm"]})),
        Sign("fortress", Phrase("fortress: one attacker falls")),
        Sign("limit", Phrase("too many: the rest goes home after the empire's turn"), "≤4"),
        Sign("close", Phrase("the attack does not take it")),
    )
    people = (
        Sign("agent", Phrase("agents on the board")),
        Sign("spy", Phrase("this loyalty lies open")),
        Sign("crown", Phrase("first player of the round")),
        *(Sign(id, Word("society", id)) for id in game.box.names["societies"]),
        *(Sign(id, Word("empires", id)) for id in game.box.names["empires"]),
    )
    return (
        Signs(Phrase("Council seats"), seats),
        Signs(Phrase("On the map"), land),
        Signs(Phrase("People and empires"), people),
    )
