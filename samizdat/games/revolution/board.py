"""Revolution!: its board, drawn from what one seat may know."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Any

from samizdat.games.revolution.answers import answer, legend
from samizdat.games.revolution.drafts import compose
from samizdat.games.revolution.ending import ending
from samizdat.games.revolution.picture import EMPTY_SPACE, PICTURES, picture
from samizdat.games.revolution.show import TOKEN_WORDS, tell
from samizdat.games.revolution.state import (
    AREA_SCORES,
    AREA_TIED,
    DECLINES,
    DONATION,
    ENDS,
    EXCHANGES,
    IDLE,
    LONELY,
    NO_ROOM,
    OFFERS,
    PLACES_FOLLOWER,
    REFUNDED,
    REPLACES,
    REWARD,
    ROUND,
    TIES,
    TOKENS_SCORE,
    WINS,
)
from samizdat.games.revolution.status import status
from samizdat.kernel.boards import TABLE, Effort, Reveal, Tab
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Phrase, Told, Word, template

__all__ = [
    "BLURB", "BUTTONS", "EFFORT", "GLYPH", "INKS", "MARKS", "SHEET", "TABS", "VARIANTS", "answer", "compose",
    "ending", "label", "legend", "origin", "picture", "reveals", "status", "where",
]  # fmt: skip

GLYPH = "town-hall"
INKS = ("red", "yellow", "green", "blue")
BLURB = Phrase("Bid in secret for twelve townspeople; hold the town when its last space is filled.")
EFFORT = Effort(minutes=(60, 60), learning=2)  # published as an hour; 760 words of rules, one kind of decision
TABS = (Tab("people", "crown", Phrase("The twelve"), holds=True), TABLE)
VARIANTS: dict[str, Phrase] = {}  # the standard game alone
SHEET = {"bid": "people", "done": "people"}
MARKS = {"characters": "ch-{}", "areas": "area-{}"}
BUTTONS = {"done": True, "pass": False}
PHASES = {
    "persuasion": template("Round {round} · Persuasion"),
    "spy": template("Round {round} · Evaluation: the Spy"),
    "apothecary": template("Round {round} · Evaluation: the Apothecary"),
    "exchange": template("Round {round} · Evaluation: the Apothecary"),
    "over": template("Round {round} · The end"),
}


def where(game: Game, view: Any) -> Phrase:
    point = view["point"]
    return Phrase(PHASES[point], {"round": view["round"]})


def origin(game: Game, view: Any, move: Move) -> str:
    """Tokens come from the hand, followers from the stock."""
    return ""


def label(game: Game, view: Any, move: Move) -> Phrase:
    if move.kind == "bid":
        words = {"token": Word("tokens", move.args["token"]), "character": Word("characters", move.args["character"])}
        return Phrase("{token} on the {character}", words)
    if move.kind == "done":
        return Phrase("Seal the bid")
    if move.kind == "pass":
        return Phrase("Leave the {character} idle", {"character": Word("characters", view["settling"] or "spy")})
    place = {"area": Word("areas", move.args["area"]), "owner": Word("owners", move.args["owner"])}
    if view["point"] == "spy":
        return Phrase("Replace {owner} in the {area}", place)
    if view["point"] == "apothecary":
        return Phrase("First of the exchange: {owner} in the {area}", place)
    return Phrase("Second of the exchange: {owner} in the {area}", place)


# --- Reveals --------------------------------------------------------------------------------------------

CHARACTER, DEED, DONATIONS, TOKENS_SCORED, AREA = "character", "deed", "donations", "tokens", "area"
CHAPTERS = {
    OFFERS: CHARACTER, WINS: CHARACTER, TIES: CHARACTER, LONELY: CHARACTER, REWARD: CHARACTER,
    PLACES_FOLLOWER: CHARACTER, NO_ROOM: CHARACTER, IDLE: CHARACTER,
    REPLACES: DEED, EXCHANGES: DEED, DECLINES: DEED,
    REFUNDED: DONATIONS, DONATION: DONATIONS, ROUND: DONATIONS,
    ENDS: TOKENS_SCORED, TOKENS_SCORE: TOKENS_SCORED,
    AREA_SCORES: AREA, AREA_TIED: AREA,
}  # fmt: skip


PAGE = {CHARACTER: 6, AREA: 4}  # on one page: at most four of a round, which a Spy and an Apothecary cut in three


def reveals(game: Game, told: list[Told], viewer: int) -> list[Reveal]:
    """R6: the townspeople one by one, what the Spy or the Apothecary did, donations; R8: tokens, then each area."""
    steps = {CHARACTER: _person, DEED: _deed, DONATIONS: _donations, TOKENS_SCORED: _tokens_scored, AREA: _area}
    found = [
        steps[kind](game, group, tuple(tell(game, group, viewer)))
        for kind, group in _chapters(told)
        if any(one.event != ROUND for one in group)  # a round that begins is nothing to stop at
    ]
    return _paged(found)


def _paged(found: Sequence[Reveal]) -> list[Reveal]:
    """Several of one kind on a page, so that a round is seen in a few of them."""
    pages: list[Reveal] = []
    for kind, group in itertools.groupby(found, lambda reveal: str(reveal.data["kind"])):
        some = list(group)
        if kind not in PAGE:
            pages += some
            continue
        size = ceil(len(some) / ceil(len(some) / PAGE[kind]))  # pages of about the same length
        pages += [_page(kind, some[at : at + size]) for at in range(0, len(some), size)]
    return pages


def _page(kind: str, some: Sequence[Reveal]) -> Reveal:
    lines = tuple(line for reveal in some for line in reveal.lines)
    focus = tuple(dict.fromkeys(id for reveal in some for id in reveal.focus if not reveal.minor))
    data = {"kind": kind, "rows": [reveal.data for reveal in some]}
    return Reveal(lines, focus, data, pictured=True, minor=all(reveal.minor for reveal in some))


def _chapters(told: Sequence[Told]) -> list[tuple[str, list[Told]]]:
    """What was told, cut where a reader turns the page; who sealed a bid is left to the record."""
    found: list[tuple[str, list[Told]]] = []
    subject = -1
    for one in told:
        kind = CHAPTERS.get(one.event)
        if kind is None:
            continue
        before = subject
        if one.event in (OFFERS, LONELY, AREA_SCORES, AREA_TIED):
            subject = one.args[0]
        if found and found[-1][0] == kind and subject == before:
            found[-1][1].append(one)
        else:
            found.append((kind, [one]))
    return found


def _person(game: Game, group: Sequence[Told], lines: tuple[Line, ...]) -> Reveal:
    """R6.2, R6.3: the offers for one character, who wins it and what it brings."""
    number = group[0].args[0]
    row = game.box.text.tables["characters"][number]
    events = {one.event: one for one in group}
    offers = [
        {"seat": one.args[1], "tokens": dict(zip(TOKEN_WORDS, one.args[2:5], strict=True))}
        for one in group
        if one.event == OFFERS
    ]
    data = {
        "kind": CHARACTER,
        "id": row["id"],
        "number": number + 1,
        "glyph": PICTURES.get(row["id"], "person"),
        "offers": offers,
        "winner": events[WINS].args[1] if WINS in events else None,
        "tied": TIES in events,
        "vp": row["vp"],
        "gives": [(word, row[word]) for word in TOKEN_WORDS if row[word]],
        "area": row["area"],
        "full": NO_ROOM in events,
        "special": row["special"],
    }
    focus = (f"ch-{row['id']}", *((f"area-{row['area']}",) if PLACES_FOLLOWER in events else ()))
    return Reveal(lines, focus, data, minor=not offers)


def _deed(game: Game, group: Sequence[Told], lines: tuple[Line, ...]) -> Reveal:
    """R6.4, R6.5: what the Spy or the Apothecary did for its winner."""
    one = group[0]
    areas, owners = game.box.names["areas"], game.box.names["owners"]
    places: list[dict[str, Any]] = []
    if one.event == REPLACES:
        places = [{"area": areas[one.args[1]], "gone": one.args[2], "come": one.args[0]}]
    elif one.event == EXCHANGES:
        _, area, owner, other_area, other_owner, _ = one.args
        places = [
            {"area": areas[area], "gone": owner, "come": other_owner},
            {"area": areas[other_area], "gone": other_owner, "come": owner},
        ]
    data = {"kind": DEED, "places": places, "empty": owners.index(EMPTY_SPACE)}
    return Reveal(lines, tuple(f"area-{place['area']}" for place in places), data, minor=True)


def _donations(game: Game, group: Sequence[Told], lines: tuple[Line, ...]) -> Reveal:
    """R7.2, R9.1: what everybody receives before the next round."""
    gifts: dict[int, Counter[str]] = {}
    for one in group:
        if one.event == REFUNDED:
            gifts.setdefault(one.args[0], Counter())[TOKEN_WORDS[one.args[1]]] += one.args[2]
        elif one.event == DONATION:
            gifts.setdefault(one.args[0], Counter())["gold"] += one.args[1]
    rows = [{"seat": seat, "tokens": {word: gifts[seat][word] for word in TOKEN_WORDS}} for seat in sorted(gifts)]
    return Reveal(lines, tuple(f"seat-{row['seat']}" for row in rows), {"kind": DONATIONS, "gifts": rows}, minor=True)


def _tokens_scored(game: Game, group: Sequence[Told], lines: tuple[Line, ...]) -> Reveal:
    """R8.2: the tokens that are left over."""
    scores = [{"seat": one.args[0], "points": one.args[1]} for one in group if one.event == TOKENS_SCORE]
    return Reveal(
        lines, tuple(f"seat-{score['seat']}" for score in scores), {"kind": TOKENS_SCORED, "scores": scores}
    )


def _area(game: Game, group: Sequence[Told], lines: tuple[Line, ...]) -> Reveal:
    """R8.3: whose area it is."""
    one = group[0]
    scored = one.event == AREA_SCORES
    data = {
        "kind": AREA,
        "area": one.args[0],
        "winner": one.args[1] if scored else None,
        "points": one.args[2] if scored else 0,
    }
    return Reveal(lines, (f"area-{game.box.names['areas'][one.args[0]]}",), data)
