"""Revolution!: what everything on the board says when somebody points at it; made from what one seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.revolution.answers_map import ON_MAP, each_seat, points_word, standing, who
from samizdat.games.revolution.picture import PICTURES, SPECIALS, TASTES, best_offer, offers_for, with_areas
from samizdat.games.revolution.show import TOKEN_WORDS, gains
from samizdat.games.revolution.status import laid, left_to_lay
from samizdat.kernel.boards import NOBODY, YOU_FIRST, Answer, Said, Seen, Sign, Signs, seat_named, told_about
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template

STRENGTHS = {
    "force": template(
        "The strongest token: one beats any pile of Blackmail and Gold; against Force, more Force wins."
    ),
    "blackmail": template("One beats any pile of Gold; any Force beats any pile of it."),
    "gold": template(
        "The weakest token: any Blackmail or Force beats any pile of it; among Gold, the larger pile wins."
    ),
}
DEEDS = {
    "replace": template("Put one of your followers in the place of any rival's, in a full area, too."),
    "swap": template("Exchange any two followers, whoever they belong to."),
}


def answer(game: Game, seen: Seen, about: str) -> Answer | None:
    return told_about(KINDS, game, seen, about)


# --- The twelve and their tokens ----------------------------------------------------------------------------


def _tokens(tokens: Mapping[str, int]) -> Listing | Phrase:
    return gains(0, *(tokens[word] for word in TOKEN_WORDS)) if any(tokens.values()) else Phrase("nothing")


def _token(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.tables["tokens"][TOKEN_WORDS.index(id)]
    players = seen.view["players_at_table"]
    holders = {seat: player["held"][id] for seat, player in enumerate(players) if player["held"][id]}
    now: list[Said] = []
    if seen.draft is not None:
        now.append(
            Phrase(
                "You have {n} of {all} left to lay.",
                {"n": left_to_lay(seen)[id], "all": holders.get(seen.seat or 0, 0)},
            )
        )
    elif holders:
        now.append(Phrase("At the table: {each}.", {"each": each_seat(seen, holders)}))
    now.append(
        Many("Left over at the end, it counts {n} point.", "Left over at the end, it counts {n} points.", row["vp"])
    )
    return Answer(Word("tokens", id), Phrase("token"), (Phrase(STRENGTHS[id]),), ("R2.2", "R8.2"), tuple(now))


def _bid(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    most = game.box.text.constants["most_characters"]
    does = Phrase(
        "Every token must be laid, on {n} townspeople at most; a sealed bid cannot be changed.", {"n": most}
    )
    sealed = [who(seen, seat) for seat, player in enumerate(seen.view["players_at_table"]) if player["sealed"]]
    now: tuple[Said, ...] = ()
    if seen.view["point"] == "persuasion":
        now = (Phrase("Sealed: {names}.", {"names": Listing(sealed) if sealed else NOBODY}),)
    return Answer(Phrase("Bid"), Phrase("in secret"), (does,), ("R5.2", "R5.3"), now)


def _person(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    number = game.box.names["characters"].index(id)
    row = game.box.text.tables["characters"][number]
    brings: list[Any] = list(gains(row["vp"], *(row[word] for word in TOKEN_WORDS)).items)
    if row["area"]:
        brings.append(Phrase("a follower into the {area}", {"area": Word("areas", row["area"])}))
    special = row["special"]
    if special:
        brings.append(Phrase(SPECIALS[special]))
    taste = Phrase(TASTES[bool(row["no_force"]), bool(row["no_blackmail"])])
    does: list[Said] = [Phrase("Brings {brings}; {taste}.", {"brings": Listing(brings), "taste": taste})]
    if special:
        does.append(Phrase(DEEDS[special]))
    rules = [{"replace": "R6.4", "swap": "R6.5"}.get(special, "R6.3")]
    if row["no_force"] or row["no_blackmail"]:
        rules.append("R5.5")
    now = [_offered(seen, id)]
    if row["area"]:
        now.append(standing(game, seen, row["area"], named=True))
    what = Phrase("{n} of {all} townspeople", {"n": number + 1, "all": len(game.box.names["characters"])})
    return Answer(
        Word("characters", id), what, tuple(does), tuple(rules), tuple(one for one in now if one)[: 3 - len(does)]
    )


def _offered(seen: Seen, character: str) -> Said | None:
    """What lies on a townsperson, as far as this seat sees it."""
    if seen.view["point"] in ("spy", "apothecary", "exchange"):
        offers = offers_for(seen.view, character)
        if not offers:
            return Phrase("Nobody offered anything.")
        each = each_seat(seen, {one["seat"]: _tokens(one["tokens"]) for one in offers})
        best = best_offer(offers)
        if best is None:
            return Phrase("Offers: {each}. The best is shared, so nobody wins.", {"each": each})
        if best == seen.seat:
            return Phrase("Offers: {each}. Yours is the best.", {"each": each})
        return Phrase("Offers: {each}. The best: {who}.", {"each": each, "who": who(seen, best)})
    mine = laid(seen).get(character)
    if mine is None or not any(mine.values()):
        return None
    offer = {word: mine[word] for word in TOKEN_WORDS}
    if offer["force"]:
        return Phrase("You offer {offer}: only an offer with Force can beat it.", {"offer": _tokens(offer)})
    if offer["blackmail"]:
        return Phrase("You offer {offer}: Force beats it, or more Blackmail.", {"offer": _tokens(offer)})
    return Phrase("You offer {offer}: one Blackmail or Force beats it.", {"offer": _tokens(offer)})


# --- Seats and points ---------------------------------------------------------------------------------------


def _capital(seen: Seen, seat: int) -> Said:
    return YOU_FIRST if seat == seen.seat else who(seen, seat)


def _seat(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    one = seen.view["players_at_table"][seat]
    held = Phrase(
        "Tokens: {tokens}. Followers in stock: {n}.", {"tokens": _tokens(one["held"]), "n": one["followers_in_stock"]}
    )
    led = [Word("areas", area["id"]) for area in seen.view["areas"] if area["leads"] == seat]
    now: list[Said] = [Phrase("Leads: {areas}.", {"areas": Listing(led)}) if led else Phrase("Leads in no area yet.")]
    if seen.view["point"] == "persuasion":
        now.append(Phrase("The bid is sealed.") if one["sealed"] else Phrase("The bid is not sealed yet."))
    return Answer(_capital(seen, seat), points_word(one["points"]), (held,), ("R4.1",), tuple(now))


def _stock(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    number = seen.view["players_at_table"][seat]["followers_in_stock"]
    does = Phrase("Followers not yet in town; without one, nothing can move in, and the Spy has no effect.")
    return Answer(
        _capital(seen, seat),
        Many("{n} follower in stock", "{n} followers in stock", number),
        (does,),
        ("R6.3", "A-8"),
    )


def _score(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    points = seen.view["players_at_table"][seat]["points"]
    does = Phrase(
        "Points from townspeople count at once and are never lost; areas and leftover tokens follow at the end."
    )
    now: tuple[Said, ...] = ()
    if seen.view["point"] != "over":
        now = (Phrase("With the areas as they stand now: {n}.", {"n": with_areas(game, seen.view)[seat]}),)
    return Answer(_capital(seen, seat), points_word(points), (does,), ("R1.2", "R8.3"), now)


def _held(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    does = Phrase("Everybody sees what the others hold; all of it must be laid in a bid.")
    return Answer(
        _capital(seen, seat),
        Phrase("tokens"),
        (does,),
        ("R4.1", "R5.2"),
        (Phrase("Now: {tokens}.", {"tokens": _tokens(seen.view["players_at_table"][seat]["held"])}),),
    )


def _gained(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    floor = game.box.text.constants["token_floor"]
    does = Phrase("Won in this round, for the next one; Gold then fills the hand up to {n}.", {"n": floor})
    return Answer(
        _capital(seen, seat),
        Phrase("next round"),
        (does,),
        ("R6.3", "R7.2"),
        (Phrase("So far: {tokens}.", {"tokens": _tokens(seen.view["players_at_table"][seat]["gained"])}),),
    )


def _screen(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    does = Phrase("Whoever bids does so in secret: all boards are opened together when the last one is sealed.")
    return Answer(_capital(seen, seat), Phrase("screen"), (does,), ("R5.1", "R5.8"))


def _track(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Each disc lies at its owner's points; the track grows with the highest score.")
    points = {seat: player["points"] for seat, player in enumerate(seen.view["players_at_table"])}
    return Answer(
        Phrase("Score track"),
        Phrase("points so far"),
        (does,),
        ("R1.2",),
        (Phrase("{each}.", {"each": each_seat(seen, points)}),),
    )


def _leftover(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    worth = [
        Phrase("{token} {n}", {"token": Word("tokens", row["id"]), "n": row["vp"]})
        for row in game.box.text.tables["tokens"]
    ]
    does = Phrase("Tokens gained in the last round count as points: {worth}.", {"worth": Listing(worth)})
    return Answer(Phrase("Leftover tokens"), Phrase("score sheet"), (does,), ("R8.2",))


def _total(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("The highest total wins; equal totals share the victory.")
    return Answer(Phrase("Total"), Phrase("score sheet"), (does,), ("R8.4",))


KINDS = {
    **ON_MAP, "token": _token, "bid": _bid, "person": _person, "seat": _seat, "stock": _stock, "score": _score,
    "held": _held, "gained": _gained, "screen": _screen, "track": _track, "leftover": _leftover, "total": _total,
}  # fmt: skip


# --- The legend ---------------------------------------------------------------------------------------------


def legend(game: Game) -> tuple[Signs, ...]:
    named: dict[str, list[Word]] = {}
    for id in game.box.names["areas"]:
        named.setdefault(id.replace("_", "-"), []).append(Word("areas", id))
    for id in game.box.names["characters"]:
        named.setdefault(PICTURES.get(id, "person"), []).append(Word("characters", id))
    offers = (
        Sign("force", Phrase("Force: beats everything but more Force")),
        Sign("blackmail", Phrase("Blackmail: beats any pile of Gold")),
        Sign("gold", Phrase("Gold: the more, the better")),
        Sign("refused", Phrase("crossed out: this person refuses the token"), "╱"),
    )
    rewards = (
        Sign("point", Phrase("points, at once")),
        Sign("follower", Phrase("one follower moves into the area beside it")),
        Sign("swap", Phrase("Apothecary: exchange any two followers")),
        Sign("tied", Phrase("tied: nobody wins it"), "="),
        Sign("blockade", Phrase("one colour fills this area: locked")),
        Sign("move", Phrase("takes the place of the one before")),
    )
    places = tuple(Sign(glyph, Listing(words)) for glyph, words in named.items())
    return (
        Signs(Phrase("What you offer"), offers),
        Signs(Phrase("What they bring"), rewards),
        Signs(Phrase("Areas and townspeople"), places),
    )
