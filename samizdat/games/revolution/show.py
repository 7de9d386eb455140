"""Revolution!: what a seat sees, in plain data and in sentences; made from its hidden record only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.games.revolution.box import REPLACE
from samizdat.games.revolution.guess import finish
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.rules import (
    area_score,
    dominator,
    empty_spaces,
    majority,
    open_places,
    partners,
    tokens_score,
)
from samizdat.games.revolution.state import (
    APOTHECARY,
    AREA_SCORES,
    AREA_TIED,
    BLACKMAIL,
    CITY_FULL,
    DECLINES,
    DONATION,
    EMPTY,
    ENDS,
    EXCHANGE,
    EXCHANGES,
    FORCE,
    GOLD,
    IDLE,
    LONELY,
    NO_ROOM,
    NOBODY,
    OFFERS,
    OPENS,
    OVER,
    OWNERS,
    PERSUASION,
    PLACES_FOLLOWER,
    REASONS,
    REFUNDED,
    REPLACES,
    REWARD,
    ROUND,
    SEALS,
    SPY,
    TIES,
    TOKENS,
    TOKENS_SCORE,
    WINS,
    State,
)
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.shows import seat_id
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word, template

__all__ = [
    "AXES",
    "FIGURES",
    "SEATS_BY_NAME",
    "SEAT_NAMES",
    "WORDS",
    "arrange",
    "round_of",
    "seat_id",
    "tell",
    "view",
    "why_not",
]

TOKEN_WORDS = ("force", "blackmail", "gold")
IN_A_ROW = {2: template("{first} + {second}"), 3: template("{first} + {second} + {third}")}
ENDINGS = {"city_full": template("the city is full"), "max_rounds": template("the last round is over")}

# How scenes name things: seats by colour, and the axes (then the values) of the state's fields.
SEAT_NAMES = "owners"
SEATS_BY_NAME = True
WORDS = {"tokens": TOKEN_WORDS, "points": POINTS.words}
AXES = {
    "point": ("points",),
    "chooser": ("owners",),
    "settling": ("characters",),
    "points": ("owners",),
    "held": ("owners", "tokens"),
    "gained": ("owners", "tokens"),
    "followers": ("areas", "owners"),
    "stock": ("owners",),
    "bid": ("owners", "characters", "tokens"),
    "left": ("owners", "tokens"),
    "people": ("owners",),
}

# What `samizdat sim` reports of finished games besides points and lengths: one number a game.
FIGURES: dict[str, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = {
    "rounds": lambda states: states["rounds"].astype(np.int64),
    "followers on the board": lambda states: states["followers"].sum(axis=(1, 2)),
}


def round_of(game: Game, s: State, seat: int) -> int:
    """The round that lines of the record are counted by."""
    return int(s.rounds)


def view(game: Game, s: State, seat: int) -> dict[str, Any]:
    """Everything on the table, and the seat's own board behind its screen."""
    printed: Any = game.box.record
    seats = range(s.seats)
    characters = game.box.names["characters"]
    data: dict[str, Any] = {
        "point": POINTS.words[s.point],
        "round": s.rounds,
        "settling": characters[s.settling] if s.point in (SPY, APOTHECARY, EXCHANGE) else None,
        "players_at_table": [
            {
                "colour": game.box.names["owners"][other],
                "points": s.points[other],
                "followers_in_stock": s.stock[other],
                "sealed": bool((s.sealed >> other) & 1),
                "held": _tokens(s.held, other),
                "gained": _tokens(s.gained, other),
                "bid": _bid(game, s, other) if s.point != PERSUASION or other == seat else None,
            }
            for other in seats
        ],
        "areas": [
            {
                "id": id,
                "followers": [s.followers[area, other] for other in seats],
                "empty": empty_spaces(printed, s, area),
                "leads": _nobody(majority(printed, s, area)),
                "dominated_by": _nobody(dominator(printed, s, area)),
            }
            for area, id in enumerate(game.box.names["areas"])
        ],
        "left_to_lay": _tokens(s.left, seat) if s.point == PERSUASION and seat >= 0 else None,
        "exchange_from": str(game.notation.move(game.definition.moves.first["take"] + s.first))
        if s.point == EXCHANGE
        else None,
        "reason": REASONS[s.reason] if s.point == OVER else None,
    }
    if s.point == OVER:
        data["score_sheet"] = score_sheet(game, s)
    return data


def arrange(game: Game, s: State, given: dict[str, Any]) -> None:
    """Fill in what follows from a scene's given fields: stocks, what is held and left, cursors."""
    printed: Any = game.box.record
    for seat in range(s.seats):
        if "stock" not in given:
            s.stock[seat] = printed.followers - sum(s.followers[area, seat] for area in range(printed.areas))
        if "bid" in given:
            s.people[seat] = s.cursor[seat] = 0
            finish(printed, s, seat)
            for token in range(TOKENS):
                laid = sum(s.bid[seat, who, token] for who in range(printed.characters))
                s.left[seat, token] = s.left[seat, token] if "left" in given else 0
                s.held[seat, token] = laid + s.left[seat, token]
        elif "held" in given:
            for token in range(TOKENS):
                s.left[seat, token] = s.held[seat, token] if s.point == PERSUASION else 0


def score_sheet(game: Game, s: State) -> list[dict[str, Any]]:
    """R8.2-R8.4: what each seat scored, line by line."""
    printed: Any = game.box.record
    sheet = []
    for seat in range(s.seats):
        areas = {
            id: area_score(printed, s, area)
            for area, id in enumerate(game.box.names["areas"])
            if majority(printed, s, area) == seat
        }
        tokens = tokens_score(printed, s, seat)
        total = s.points[seat] + tokens + sum(areas.values())
        sheet.append({"track": s.points[seat], "tokens": tokens, "areas": areas, "total": total})
    return sheet


def _nobody(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _tokens(grid: Any, seat: int) -> dict[str, int]:
    return {word: grid[seat, token] for token, word in enumerate(TOKEN_WORDS)}


def _bid(game: Game, s: State, seat: int) -> dict[str, dict[str, int]]:
    """Characters with an offer of this seat, and the offer."""
    return {
        id: {word: s.bid[seat, character, token] for token, word in enumerate(TOKEN_WORDS)}
        for character, id in enumerate(game.box.names["characters"])
        if any(s.bid[seat, character, token] for token in range(TOKENS))
    }


# --- Refusals -------------------------------------------------------------------------------------------


def why_not(game: Game, s: State, seat: int, move: Move) -> Line:
    """Why a move of a kind that the point asks for is not open to this seat now: one sentence and its rule."""
    if s.point == PERSUASION:
        return _why_not_bid(game, s, seat, move)
    area = game.box.names["areas"].index(move.args["area"])
    owner = game.box.names["owners"].index(move.args["owner"])
    words = {"area": Word("areas", move.args["area"]), "owner": Word("owners", move.args["owner"])}
    if owner == EMPTY and not (s.apothecary_empty and s.point != SPY):
        return Line("R6.4" if s.point == SPY else "A-10", "an empty space cannot be chosen, only a follower.")
    printed: Any = game.box.record
    if owner == EMPTY:
        if empty_spaces(printed, s, area) == 0:
            return Line("A-30", "the {area} has no empty space.", words)
    elif owner >= s.seats or s.followers[area, owner] == 0:
        return Line("R6.4" if s.point == SPY else "R6.5", "{owner} has no follower in the {area}.", words)
    elif s.domination and dominator(printed, s, area) != NOBODY:
        return Line("R9.2", "the {area} is dominated; its followers cannot be touched.", words)
    if s.point == SPY:
        return Line("A-7", "the Spy replaces another player's follower, not your own.")
    if s.point == APOTHECARY:
        place = area * OWNERS + owner
        begins = open_places(printed, s, seat, APOTHECARY)
        if any((begins >> other) & 1 and partners(1 << place, other) for other in range(place)):
            return Line(
                "A-9",
                "no later area holds anything to exchange with {owner} in the {area}; begin with the other one.",
                words,
            )
        return Line("A-9", "no exchange with {owner} in the {area} would change anything.", words)
    if owner == s.first % OWNERS or area == s.first // OWNERS:
        return Line("A-9", "an exchange within one colour or one area would change nothing.")
    return Line("A-9", "an exchange begins with its earlier area; what comes second stands in a later one.")


def _why_not_bid(game: Game, s: State, seat: int, move: Move) -> Line:
    if move.kind == "done":
        left = sum(s.left[seat, token] for token in range(TOKENS))
        return Line("R5.2", "every token must be laid; {left}.", {"left": Many("{n} is left", "{n} are left", left)})
    printed: Any = game.box.record
    character = game.box.names["characters"].index(move.args["character"])
    token = TOKEN_WORDS.index(move.args["token"])
    words = {"character": Word("characters", move.args["character"]), "token": Word("tokens", move.args["token"])}
    if s.left[seat, token] == 0:
        return Line("R5.2", "you have no {token} left to lay.", words)
    if printed.refuses[character, token]:
        if token == FORCE:
            return Line("R5.5", "the {character} cannot be forced.", words)
        return Line("R5.5", "the {character} cannot be blackmailed.", words)
    place = character * TOKENS + token
    if s.people[seat] and place < s.cursor[seat]:
        return Line("A-26", "a bid enters in evaluation order, Force before Blackmail before Gold.")
    if s.people[seat] == printed.most_characters and character > s.cursor[seat] // TOKENS:
        return Line("R5.3", "at most {most} townspeople may be bid on.", {"most": printed.most_characters})
    return Line("R5.2", "the rest of your tokens could then no longer be laid.")


# --- The record -----------------------------------------------------------------------------------------


def tell(game: Game, told: list[Told], viewer: int) -> list[Line]:
    """The log lines of one decision. Offers for one character and what became of them make one line."""
    lines: list[Line] = []
    offers: list[Phrase] = []
    for one in told:
        if one.event == OFFERS:
            _, seat, force, blackmail, gold, _ = one.args
            offers.append(
                Phrase("{seat} {offer}", {"seat": _seat(game, seat), "offer": _offer(force, blackmail, gold)})
            )
        elif one.event in (WINS, TIES):
            lines.append(_outcome(game, one, Listing(offers)))
            offers = []
        elif found := _sentence(game, one):
            lines.append(found)
    return lines


def _outcome(game: Game, one: Told, offers: Listing) -> Line:
    values = {"character": _character(game, one.args[0]), "offers": offers}
    if one.event == TIES:
        return Line("R6.2", "{character}: {offers}. The best offer is shared, so nobody wins.", values)
    return Line("R6.2", "{character}: {offers}. {seat} wins.", {**values, "seat": _seat(game, one.args[1])})


def _sentence(game: Game, one: Told) -> Line | None:
    a, b, c, d, e, f = one.args
    values: dict[str, Any]
    if one.event == ROUND:
        return Line("R3", "Round {round}.", {"round": a})
    if one.event == SEALS:
        return Line("R5.8", "{seat} has sealed a bid.", {"seat": _seat(game, a)})
    if one.event == OPENS:
        return Line("R5.8", "All bids are opened.")
    if one.event == LONELY:
        return Line("R6.2", "{character}: no offer.", {"character": _character(game, a)})
    if one.event == REWARD:
        values = {"seat": _seat(game, b), "reward": gains(c, d, e, f)}
        return Line("R6.3", "{seat} takes {reward}.", values) if c or d or e or f else None
    if one.event == PLACES_FOLLOWER:
        values = {"seat": _seat(game, b), "area": _area(game, a)}
        return Line("R6.3", "{seat} puts a follower into the {area}.", values)
    if one.event == NO_ROOM:
        return Line("R6.3", "{seat} puts nobody into the {area}.", {"seat": _seat(game, b), "area": _area(game, a)})
    if one.event == REPLACES:
        values = {"seat": _seat(game, a), "area": _area(game, b), "owner": _seat(game, c)}
        return Line("R6.4", "{seat} replaces a follower of {owner} in the {area}.", values)
    if one.event == EXCHANGES:
        values = {
            "seat": _seat(game, a), "area": _area(game, b), "owner": _seat(game, c),
            "other_area": _area(game, d), "other_owner": _seat(game, e),
        }  # fmt: skip
        rule = "A-30" if EMPTY in (c, e) else "R6.5"
        return Line(
            rule, "{seat} exchanges places: {owner} in the {area}, {other_owner} in the {other_area}.", values
        )
    if one.event == DECLINES:
        values = {"seat": _seat(game, a), "character": _character(game, b)}
        return Line(_optional(game, b), "{seat} leaves the {character} idle.", values)
    if one.event == IDLE:
        values = {"seat": _seat(game, a), "character": _character(game, b)}
        return Line(_optional(game, b), "The {character} finds nothing to do for {seat}.", values)
    if one.event == REFUNDED:
        return Line("R9.1", "{seat} takes back {tokens}.", {"seat": _seat(game, a), "tokens": tokens_of(b, c)})
    if one.event == DONATION:
        return Line(
            "R7.2", "{seat} receives {gold} in donations.", {"seat": _seat(game, a), "gold": tokens_of(GOLD, b)}
        )
    if one.event == ENDS:
        rule = "R8.1" if a == CITY_FULL else "A-27"
        return Line(rule, "The game ends: {why}.", {"why": Phrase(ENDINGS[REASONS[a]])})
    if one.event == TOKENS_SCORE:
        values = {"seat": _seat(game, a), "points": Many("{n} point", "{n} points", b)}
        return Line("R8.2", "{seat} scores {points} for tokens.", values)
    if one.event == AREA_SCORES:
        values = {"area": _area(game, a), "seat": _seat(game, b), "points": Many("{n} point", "{n} points", c)}
        return Line("R8.3", "{area}: {seat} scores {points}.", values)
    if one.event == AREA_TIED:
        return Line("R8.3", "{area}: nobody leads.", {"area": _area(game, a)})
    raise ValueError(f"event {one.event} has no sentence")


def _optional(game: Game, character: int) -> str:
    """The ruling by which a special may be left idle: the Spy's or the Apothecary's."""
    printed: Any = game.box.record
    return "A-7" if printed.special[character] == REPLACE else "A-9"


def _seat(game: Game, seat: int) -> Word:
    return Word("owners", game.box.names["owners"][seat])


def _area(game: Game, area: int) -> Word:
    return Word("areas", game.box.names["areas"][area])


def _character(game: Game, character: int) -> Word:
    return Word("characters", game.box.names["characters"][character])


def _offer(*offered: int) -> Phrase | Many:
    """What somebody offers for a character."""
    parts = [tokens_of(token, number) for token, number in enumerate(offered) if number]
    if len(parts) == 1:
        return parts[0]
    names = ("first", "second", "third")
    return Phrase(IN_A_ROW[len(parts)], dict(zip(names, parts, strict=False)))


def tokens_of(token: int, number: int) -> Many:
    """Some tokens of one kind."""
    if token == FORCE:
        return Many("{n} force", "{n} force", number)
    if token == BLACKMAIL:
        return Many("{n} blackmail", "{n} blackmail", number)
    return Many("{n} gold", "{n} gold", number)


def gains(points: int, *tokens: int) -> Listing:
    """Points and tokens; nothing is said of what does not come."""
    words: list[Many] = [Many("{n} point", "{n} points", points)] if points else []
    return Listing(words + [tokens_of(token, number) for token, number in enumerate(tokens) if number])
