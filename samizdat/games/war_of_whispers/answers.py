"""A War of Whispers: what everything on the board says when pointed at; made from what one seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from samizdat.games.war_of_whispers.answers_map import ON_MAP, empire_of, empire_word, names_of, signed, who
from samizdat.games.war_of_whispers.effects import EFFECTS
from samizdat.games.war_of_whispers.picture import worth_of
from samizdat.kernel.boards import YOU_FIRST, Answer, Said, Seen, Sign, Signs, each, seat_named, told_about
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Word


def answer(game: Game, seen: Seen, about: str) -> Answer | None:
    return told_about(KINDS, game, seen, about)


# --- Cards --------------------------------------------------------------------------------------------------


def _rule(ability: str) -> str:
    return f"C{list(EFFECTS).index(ability) + 1}"


def _cost(game: Game, seen: Seen, ability: str) -> Phrase:
    cost = game.box.text.row("abilities", ability)["cost"]
    held = seen.view["players_at_table"][seen.seat]["cards"] if seen.seat is not None else {}
    cards = Listing([empire_word(id) for id in cost])
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
    return Answer(empire_word(row["empire"]), what, lines, ("R15.1", "R15.2", *map(_rule, row["abilities"])))


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
    does = Phrase("At the end each city of the empire that lies here counts {n}.", {"n": signed(value)})
    now: list[Said] = []
    if seen.seat is not None:
        me = seen.view["players_at_table"][seen.seat]
        empire = me["loyalty"][id]
        values = {
            "empire": empire_word(empire),
            "cities": empire_of(seen.view, empire)["cities"],
            "n": signed(worth_of(game, seen)[id]),
        }
        now.append(Phrase("Yours: {empire}, cities {cities}; worth {n} now.", values))
        now.append(Phrase("Open for good.") if id in me["swapped"] else Phrase("Secret: only you see it."))
    if seen.view["point"] == "over":
        now = now[:1]
    return Answer(Word("slots", id), Phrase("× {n}", {"n": signed(value)}), (does,), ("R16", "R14"), tuple(now))


def _worth(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    worth = worth_of(game, seen)["total"]
    does = Phrase("Cities of each empire times your loyalty to it, added up: your points at the end.")
    return Answer(Phrase("Loyalties"), Phrase("{n} now", {"n": signed(worth)}), (does,), ("R16", "R3.6"))


def _swap(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase(
        "Two of your hidden tokens change places; both then lie open for good. Fewer swapped tokens win a tie."
    )
    return Answer(Phrase("Swap"), Phrase("after each round"), (does,), ("R14", "R16"))


# --- Seats --------------------------------------------------------------------------------------------------


def first_word(seen: Seen, seat: int) -> Said:
    return YOU_FIRST if seat == seen.seat else names_of(seen)[seat]


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
    return Answer(first_word(seen, seat), Word("society", one["society"]), (does,), ("A38", "R6.3"), tuple(now))


def _tokens(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    one = seen.view["players_at_table"][seat]
    shown = [slot for slot in one["loyalty"] if slot in one["swapped"] or seen.view["point"] == "over"]
    pairs = [
        Phrase("{slot} {empire}", {"slot": Word("slots", slot), "empire": empire_word(one["loyalty"][slot])})
        for slot in shown
    ]
    does = Phrase("Five loyalties, from most to least; hatched ones are known to their owner alone.")
    now = Phrase("Open: {pairs}.", {"pairs": Listing(pairs)}) if pairs else Phrase("No loyalty lies open yet.")
    return Answer(first_word(seen, seat), Phrase("loyalties"), (does,), ("R3.6", "R14"), (now,))


def _cards(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    held = seen.view["players_at_table"][seat]["cards"]
    pairs = [Phrase("{empire} {n}", {"empire": empire_word(id), "n": n}) for id, n in held.items() if n]
    does = Phrase("How many cards of which empire somebody holds is open, their faces are not.")
    now = Phrase("Now: {pairs}.", {"pairs": Listing(pairs)}) if pairs else Phrase("No card now.")
    return Answer(first_word(seen, seat), Phrase("cards"), (does,), ("A38", "R15.2"), (now,))


def _agents(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    counts = {other: player["agents_on_board"] for other, player in enumerate(seen.view["players_at_table"])}
    does = Phrase(
        "An agent controls its seat and the vacant ones before it; one is taken back at the start of rounds 2 to 4."
    )
    now = Phrase("On the board: {each}.", {"each": each(seen, names_of(seen), counts)})
    return Answer(
        first_word(seen, seat), Many("{n} agent", "{n} agents", counts[seat]), (does,), ("R6.3", "R5.1"), (now,)
    )


def _first_player(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Places agents first and swaps first; passes on to the left after each round.")
    return Answer(Phrase("First player"), who(seen, seen.view["first_player"]), (does,), ("R5.2", "R12"))


def _hidden(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("In this variant every loyalty that was never turned up counts 1 point.")
    return Answer(Phrase("Hidden loyalties"), Phrase("score sheet"), (does,), ("V2",))


def _total(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Most points win; then fewer swapped tokens, then more cards in hand; then the victory is shared.")
    return Answer(Phrase("Points"), Phrase("score sheet"), (does,), ("R16", "A34"))


KINDS = {
    **ON_MAP, "card": _card, "ability": _ability, "hand": _hand, "slot": _slot, "worth": _worth, "swap": _swap,
    "seat": _seat, "tokens": _tokens, "cards": _cards, "agents": _agents, "first": _first_player, "hidden": _hidden,
    "total": _total, "tie": _total,
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
