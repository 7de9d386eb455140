"""Revolution!: its board, drawn from what one seat may know."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from samizdat.games.revolution.show import TOKEN_WORDS, gains, tell, tokens_of
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
    PERSUASION,
    PLACES_FOLLOWER,
    REFUNDED,
    REPLACES,
    REWARD,
    ROUND,
    TIES,
    TOKENS,
    TOKENS_SCORE,
    WINS,
    State,
)
from samizdat.games.revolution.town import FIRST_ROW, HEIGHT, PITCH, SHORE, WIDTH, Plot, berth, percent, plots, spaces
from samizdat.kernel.boards import Composition, Reveal, Seen, Status
from samizdat.kernel.errors import MoveError
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word, template

GLYPH = "town-hall"
INKS = ("red", "yellow", "green", "blue")
BLURB = Phrase("Bid in secret for twelve townspeople; hold the town when its last space is filled.")
DOCK = (
    ("bid", "hand", Phrase("Bid")),
    ("town", "town-hall", Phrase("Town")),
    ("seats", "person", Phrase("Seats")),
    ("record", "log", Phrase("Record")),
)
BUTTONS = {"done": True, "pass": False}
CHOOSING = ("spy", "apothecary", "exchange")  # the points at which a place in town is named

PICTURES = {
    "general": "medal",
    "captain": "wheel",
    "innkeeper": "tavern",
    "magistrate": "market",
    "priest": "cathedral",
    "aristocrat": "crown",
    "merchant": "stall",
    "printer": "press",
    "rogue": "mask",
    "spy": "spy",
    "apothecary": "flask",
    "mercenary": "attack",
}
PHASES = {
    "persuasion": template("Round {round} · Persuasion"),
    "spy": template("Round {round} · Evaluation: the Spy"),
    "apothecary": template("Round {round} · Evaluation: the Apothecary"),
    "exchange": template("Round {round} · Evaluation: the Apothecary"),
    "over": template("Round {round} · The end"),
}
TASTES = {
    (False, False): template("takes every token"),
    (True, False): template("refuses Force"),
    (False, True): template("refuses Blackmail"),
    (True, True): template("takes Gold only"),
}
SPECIALS = {"replace": template("replaces a follower"), "swap": template("exchanges two followers")}
EMPTY_SPACE = "empty"  # the owner of a space that has none


def where(game: Game, view: Any) -> Phrase:
    point = view["point"]
    return Phrase(PHASES[point], {"round": view["round"]})


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


# --- The status line ------------------------------------------------------------------------------------


def status(game: Game, seen: Seen) -> Status:
    view = seen.view
    point = view["point"]
    if point == "persuasion":
        return _bidding(game, seen)
    if point == "over":
        return Status(Phrase("The game is over."))
    chooser = view["players_at_table"][view["turn"][0]]
    character = {"character": Word("characters", view["settling"])}
    if point == "spy":
        stock = Many("{n} follower", "{n} followers", chooser["followers_in_stock"])
        return Status(
            Phrase("You have won the {character}: choose another player's follower to replace.", character),
            Phrase(
                "It goes back to its owner and one of yours takes its place; you have {stock} in stock. Or leave it.",
                {"stock": stock},
            ),
        )
    if point == "apothecary":
        return Status(
            Phrase("You have won the {character}: choose the first of two that change places.", character),
            Phrase(
                "Begin with the area that has the smaller number; the second comes from a later one. Or leave it."
            ),
        )
    first = game.notation.read(view["exchange_from"])
    place = {"area": Word("areas", first.args["area"]), "owner": Word("owners", first.args["owner"])}
    return Status(
        Phrase("Choose what changes places with {owner} in the {area}.", place),
        Phrase("It must be another colour in a later area, or nothing would change."),
    )


def _bidding(game: Game, seen: Seen) -> Status:
    constants = game.box.text.constants
    mine = laid(seen)
    left = left_to_lay(seen)
    held = seen.view["players_at_table"][seen.seat]["held"] if seen.seat is not None else left
    writing = [
        Word("owners", player["colour"])
        for seat, player in enumerate(seen.view["players_at_table"])
        if seat != seen.seat and not player["sealed"]
    ]
    counts = {
        "left": Phrase("{left} of {all} tokens left", {"left": left.total(), "all": sum(held.values())}),
        "people": Phrase(
            "{used} of {most} townspeople used", {"used": len(mine), "most": constants["most_characters"]}
        ),
        "others": Phrase("still writing: {names}", {"names": Listing(writing)})
        if writing
        else Phrase("everybody else has sealed"),
    }
    if not left.total():
        return Status(
            Phrase("All your tokens are laid: seal your bid, or take some back."),
            Phrase("{people} · {others}", counts),
        )
    tokens = Listing(
        [tokens_of(token, left[word]) for token, word in enumerate(TOKEN_WORDS) if left[word]], template("and")
    )
    return Status(
        Phrase("Your bid: lay {tokens} on the townspeople.", {"tokens": tokens}),
        Phrase("{left}, all must be laid · {people} · {others}", counts),
    )


def laid(seen: Seen) -> dict[str, Counter[str]]:
    """The viewer's own tokens on the townspeople, those of its draft included."""
    mine: dict[str, Counter[str]] = {}
    if seen.seat is None:
        return mine
    for character, offer in (seen.view["players_at_table"][seen.seat]["bid"] or {}).items():
        mine[character] = Counter(offer)
    for notation in seen.draft.chosen if seen.draft else ():
        _, character, token = notation.split()
        mine.setdefault(character, Counter())[token] += 1
    return mine


def left_to_lay(seen: Seen) -> Counter[str]:
    left = Counter(dict.fromkeys(TOKEN_WORDS, 0))
    left.update(seen.view["left_to_lay"] or {})
    left.subtract(notation.split()[2] for notation in (seen.draft.chosen if seen.draft else ()))
    return left


# --- The draft of a bid ---------------------------------------------------------------------------------


def compose(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition | None:
    """A-26: a person lays tokens in any order; the finished board goes to the match in evaluation order."""
    if s.point != PERSUASION or (s.sealed >> seat) & 1:
        return None
    laying = Laying(game.box.record, s, seat)
    chosen: list[Move] = []
    for notation in draft:
        try:
            move = game.notation.read(notation)
        except MoveError:
            continue
        place = move.id - game.definition.moves.first["bid"]
        if move.kind == "bid" and laying.takes_and_completes(*divmod(place, TOKENS)):
            laying.lay(*divmod(place, TOKENS))
            chosen.append(move)
    first = game.definition.moves.first["bid"]
    open = tuple(
        str(game.notation.move(first + character * TOKENS + token))
        for character in range(laying.characters)
        for token in range(TOKENS)
        if laying.takes_and_completes(character, token)
    )
    seal = None
    if not any(laying.left):
        seal = (*(str(move) for move in sorted(chosen, key=lambda move: move.id)), "done")
    return Composition(tuple(str(move) for move in chosen), open, seal)


class Laying:
    """Tokens being laid in any order, on top of those that the match already knows of (A-26)."""

    def __init__(self, printed: Any, s: State, seat: int) -> None:
        self.printed = printed
        self.characters: int = printed.characters
        self.left = [s.left[seat, token] for token in range(TOKENS)]
        self.room = printed.most_characters - s.people[seat]
        self.earliest = s.cursor[seat] if s.people[seat] else 0
        self.bid_on = {s.cursor[seat] // TOKENS} if s.people[seat] else set[int]()

    def accepts(self, character: int, token: int) -> bool:
        """R5.5; and nothing before the last token that the match has."""
        return not self.printed.refuses[character, token] and character * TOKENS + token >= self.earliest

    def lay(self, character: int, token: int) -> None:
        self.left[token] -= 1
        if character not in self.bid_on:
            self.bid_on.add(character)
            self.room -= 1

    def takes_and_completes(self, character: int, token: int) -> bool:
        """Whether a token may go there and all the others somewhere after it (R5.2, R5.3)."""
        is_new = character not in self.bid_on
        if self.left[token] == 0 or not self.accepts(character, token) or (is_new and self.room == 0):
            return False
        wanted = {kind for kind in range(TOKENS) if self.left[kind] > (kind == token)}
        return self._can_be_laid(wanted, self.bid_on | {character}, self.room - is_new)

    def _can_be_laid(self, kinds: set[int], bid_on: set[int], room: int) -> bool:
        """Whether somebody takes each kind: those bid on already, or as many new ones as there is room for."""
        kinds = {kind for kind in kinds if not any(self.accepts(who, kind) for who in bid_on)}
        if not kinds:
            return True
        others = {
            frozenset(kind for kind in kinds if self.accepts(who, kind))
            for who in range(self.characters)
            if who not in bid_on
        }
        return any(
            kinds <= frozenset().union(*some)
            for size in range(1, min(room, len(kinds)) + 1)
            for some in itertools.combinations(others, size)
        )


# --- The picture ----------------------------------------------------------------------------------------


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    view = seen.view
    seats = len(view["players_at_table"])
    held = view["players_at_table"][seen.seat]["held"] if seen.seat is not None else {}
    left = left_to_lay(seen)
    laying = seen.seat is not None and view["left_to_lay"] is not None
    taken = sum(sum(area["followers"]) for area in view["areas"])
    areas = _areas(game, seen)
    return {
        "size": (WIDTH, HEIGHT),
        "shore": SHORE,
        "choosing": view["point"] in CHOOSING,
        "tokens": TOKEN_WORDS,
        "tray": [{"id": word, "left": left[word] if laying else 0, "of": held.get(word, 0)} for word in TOKEN_WORDS],
        "armed": next((word for word in TOKEN_WORDS if left[word]), None) if seen.draft else None,
        "characters": _characters(game, seen),
        "areas": areas,
        "routes": _routes(game, seen, areas),
        "berths": [
            {**berth(seat, seats), "stock": player["followers_in_stock"]}
            for seat, player in enumerate(view["players_at_table"])
        ],
        "taken": taken,
        "spaces": taken + sum(area["empty"] for area in view["areas"]),
        "track": _track(view),
        "with_areas": _with_areas(game, view),
        "sheet": _sheet(game, view) if view["point"] == "over" else None,
    }


def _characters(game: Game, seen: Seen) -> list[dict[str, Any]]:
    """The twelve: what is printed on each, what lies there, and what became of the offers."""
    view = seen.view
    rows = game.box.text.tables["characters"]
    ids = [row["id"] for row in rows]
    now = ids.index(view["settling"]) if view["settling"] else -1
    opened = view["point"] in CHOOSING
    mine = laid(seen)
    before = _outcomes(seen.last)
    found = []
    for number, row in enumerate(rows):
        id = row["id"]
        offers = _offers(view, id) if opened else []
        best = _best(offers)
        tokens = {word: mine.get(id, Counter())[word] for word in TOKEN_WORDS}
        found.append(
            {
                "id": id,
                "number": number + 1,
                "glyph": PICTURES.get(id, "person"),
                "refuses": [word for word in TOKEN_WORDS[:2] if row[f"no_{word}"]],
                "vp": row["vp"],
                "gives": [(word, row[word]) for word in TOKEN_WORDS if row[word]],
                "area": row["area"],
                "special": row["special"],
                "mine": tokens,
                "offers": offers,
                "best": best,
                "settled": opened and number < now,
                "now": number == now,
                "before": None if opened else before.get(number),
                "fact": _fact(row, tokens, offers),
            }
        )
    return found


def _offers(view: Any, character: str) -> list[dict[str, Any]]:
    """The open offers for one character."""
    return [
        {"seat": seat, "colour": player["colour"], "tokens": player["bid"][character]}
        for seat, player in enumerate(view["players_at_table"])
        if player["bid"] and character in player["bid"]
    ]


def _best(offers: Sequence[Mapping[str, Any]]) -> int | None:
    """R6.2: the seat with the single strongest offer."""
    strengths = sorted(([offer["tokens"][word] for word in TOKEN_WORDS], offer["seat"]) for offer in offers)
    if not strengths or (len(strengths) > 1 and strengths[-1][0] == strengths[-2][0]):
        return None
    return int(strengths[-1][1])


def _outcomes(last: Sequence[Told]) -> dict[int, dict[str, Any]]:
    """What became of each character in the latest decision, where it was settled then."""
    found: dict[int, dict[str, Any]] = {}
    for one in last:
        if one.event == WINS:
            found[one.args[0]] = {"seat": one.args[1]}
        elif one.event == TIES:
            found[one.args[0]] = {"seat": None}
    return found


def _fact(row: Mapping[str, Any], mine: Mapping[str, int], offers: Sequence[Mapping[str, Any]]) -> Phrase:
    """A townsperson as a whole fact, for those who do not see the card."""
    brings: list[Any] = list(gains(row["vp"], *(row[word] for word in TOKEN_WORDS)).items)
    if row["area"]:
        brings.append(Phrase("a follower into the {area}", {"area": Word("areas", row["area"])}))
    special = row["special"]
    if special:
        brings.append(Phrase(SPECIALS[special]))
    card = Phrase(
        "{character}: {taste}; brings {brings}",
        {
            "character": Word("characters", row["id"]),
            "taste": Phrase(TASTES[bool(row["no_force"]), bool(row["no_blackmail"])]),
            "brings": Listing(brings),
        },
    )
    if offers:
        said = [
            Phrase("{seat} {offer}", {"seat": Word("owners", one["colour"]), "offer": _tokens(one["tokens"])})
            for one in offers
        ]
        return Phrase("{card}; offers: {offers}", {"card": card, "offers": Listing(said)})
    if any(mine.values()):
        return Phrase("{card}; your offer: {offer}", {"card": card, "offer": _tokens(mine)})
    return card


def _tokens(tokens: Mapping[str, int]) -> Listing:
    return gains(0, *(tokens[word] for word in TOKEN_WORDS))


# The town


def _areas(game: Game, seen: Seen) -> list[dict[str, Any]]:
    view = seen.view
    rows = game.box.text.tables["areas"]
    fresh = _arrivals(game, seen)
    found = []
    for number, (row, area, plot) in enumerate(zip(rows, view["areas"], plots(game.box.names["areas"]), strict=True)):
        places = spaces(plot, row["spaces"])
        most = max(area["followers"])
        found.append(
            {
                "id": row["id"],
                "number": number + 1,
                "glyph": row["id"].replace("_", "-"),
                "vp": row["vp"],
                "outline": plot.outline,
                "pattern": plot.pattern,
                **_anchor(plot),
                "size": min(1.0, _pitch(places) / PITCH),
                "groups": list(_groups(game, seen, number, places, fresh)),
                "leads": area["leads"],
                "tied": area["leads"] is None and most > 0,
                "locked": bool(view["options"]["domination"]) and area["dominated_by"] is not None,
                "fact": Phrase(
                    "{area}, worth {points}, {taken} of {spaces} spaces taken",
                    {
                        "area": Word("areas", row["id"]),
                        "points": Many("{n} point", "{n} points", row["vp"]),
                        "taken": row["spaces"] - area["empty"],
                        "spaces": row["spaces"],
                    },
                ),
            }
        )
    return found


def _anchor(plot: Plot) -> dict[str, float]:
    return {"x": percent(plot.x, WIDTH), "y": percent(plot.y, HEIGHT)}


def _pitch(places: Sequence[tuple[float, float]]) -> float:
    return abs(places[1][0] - places[0][0]) if len(places) > 1 else PITCH


def _groups(
    game: Game,
    seen: Seen,
    area: int,
    places: Sequence[tuple[float, float]],
    fresh: Mapping[tuple[int, int], list[Any]],
) -> Iterator[dict[str, Any]]:
    """Followers of one colour in an area stand together, and so do the empty spaces behind them (A-6)."""
    here = seen.view["areas"][area]
    start = 0
    for owner, number in enumerate((*here["followers"], here["empty"])):
        empty = owner == len(here["followers"])
        colour = EMPTY_SPACE if empty else game.box.names["owners"][owner]
        id = here["id"]
        arrived = fresh.get((area, owner), [])
        notation = f"take {id} {colour}"
        words = {"area": Word("areas", id), "owner": Word("owners", colour)}
        if number:
            yield {
                "seat": None if empty else owner,
                "colour": colour,
                "notation": notation,
                "runs": _runs(places[start : start + number]),
                "pieces": [
                    {
                        "id": f"f-{id}-{colour}-{index}",
                        "x": places[start + index][0],
                        "y": places[start + index][1],
                        # The newest stand last.
                        "origin": arrived[index - number] if number - index <= len(arrived) else None,
                        "chosen": index == number - 1 and seen.view["exchange_from"] == notation,
                    }
                    for index in range(number)
                ],
                "fact": Many("{n} empty space in the {area}", "{n} empty spaces in the {area}", number, words)
                if empty
                else Many(
                    "{n} follower of {owner} in the {area}", "{n} followers of {owner} in the {area}", number, words
                ),
            }
        start += number


def _runs(places: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    """Spaces side by side, to be marked together: the middle of each run and how many they are."""
    rows: dict[float, list[float]] = {}
    for x, y in places:
        rows.setdefault(y, []).append(x)
    return [{"x": (xs[0] + xs[-1]) / 2, "y": y, "number": len(xs)} for y, xs in rows.items()]


def _arrivals(game: Game, seen: Seen) -> dict[tuple[int, int], list[dict[str, float]]]:
    """Which followers the latest decision moved, by area and owner, and from where."""
    seats = len(seen.view["players_at_table"])
    anchors = [{**_anchor(plot), "dx": 0, "dy": FIRST_ROW} for plot in plots(game.box.names["areas"])]
    moved: list[tuple[int, int, dict[str, float]]] = []
    for one in seen.last:
        a, b, c, d, e, _ = one.args
        if one.event == PLACES_FOLLOWER:
            moved.append((a, b, berth(b, seats)))
        elif one.event == REPLACES:
            moved.append((b, a, berth(a, seats)))
        elif one.event == EXCHANGES:
            moved += [(d, c, anchors[b]), (b, e, anchors[d])]
    found: dict[tuple[int, int], list[dict[str, float]]] = {}
    for area, owner, origin in moved:
        if owner < seats:
            found.setdefault((area, owner), []).append(origin)
    return found


def _routes(game: Game, seen: Seen, areas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """From where lines are drawn: the Spy's own stock, or what was chosen first; and the latest exchange."""
    view = seen.view
    names, owners = game.box.names["areas"], game.box.names["owners"]
    origin: dict[str, float] | None = None
    if view["point"] == "spy":
        origin = berth(view["turn"][0], len(view["players_at_table"]))
    elif view["point"] == "exchange":
        first = game.notation.read(view["exchange_from"])
        origin = _spot(areas, first.args["area"], first.args["owner"])
    done = []
    for one in seen.last:
        if one.event == EXCHANGES:
            _, area, owner, other_area, other_owner, _ = one.args
            ends = _spot(areas, names[other_area], owners[owner]), _spot(areas, names[area], owners[other_owner])
            if all(ends):
                done.append(ends)
    return {"origin": origin, "done": done}


def _spot(areas: Sequence[Mapping[str, Any]], id: str, colour: str) -> dict[str, float] | None:
    """Where the last of one colour stands in an area; None if another decision has taken it away since."""
    area = next(area for area in areas if area["id"] == id)
    for group in area["groups"]:
        if group["colour"] == colour:
            piece = group["pieces"][-1]
            return {"x": area["x"], "y": area["y"], "dx": piece["x"], "dy": piece["y"]}
    return None


# Points


def _track(view: Any) -> dict[str, Any]:
    """The score track, as long as it must be, and where the discs lie; discs on one spot lie on each other."""
    points = [
        view["score_sheet"][seat]["total"] if view["point"] == "over" else player["points"]
        for seat, player in enumerate(view["players_at_table"])
    ]
    top = 100 * (max(points) // 100 + 1)
    discs = []
    for seat, number in enumerate(points):
        below = sum(abs(other - number) < top / 40 for other in points[:seat])
        discs.append({"at": percent(number, top), "points": number, "below": below})
    return {"top": top, "marks": [top * tenth // 10 for tenth in range(11)], "discs": discs}


def _with_areas(game: Game, view: Any) -> list[int]:
    """Each seat's points if the areas were scored now (R8.3)."""
    totals = [player["points"] for player in view["players_at_table"]]
    for row, area in zip(game.box.text.tables["areas"], view["areas"], strict=True):
        if area["leads"] is not None:
            dominated = view["options"]["domination"] and area["dominated_by"] is not None
            totals[area["leads"]] += row["vp"] + (game.box.text.constants["domination_vp"] if dominated else 0)
    return totals


def _sheet(game: Game, view: Any) -> dict[str, Any]:
    """R8.2-R8.4, line by line, with what the sum is after each line."""
    scores = view["score_sheet"]
    sums = [0] * len(scores)
    lines = []

    def line(name: Phrase | Word, glyph: str, gained: list[int], tokens: list[Any] | None = None) -> None:
        for seat, points in enumerate(gained):
            sums[seat] += points
        lines.append(
            {
                "name": name,
                "glyph": glyph,
                "gained": gained,
                "sums": list(sums),
                "tokens": tokens,
            }
        )

    line(Phrase("Score track"), "point", [score["track"] for score in scores])
    leftover = [player["held"] for player in view["players_at_table"]]
    line(Phrase("Leftover tokens"), "gold", [score["tokens"] for score in scores], leftover)
    for id in game.box.names["areas"]:
        line(Word("areas", id), id.replace("_", "-"), [score["areas"].get(id, 0) for score in scores])
    totals = [score["total"] for score in scores]
    return {"lines": lines, "totals": totals, "best": max(totals)}


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


def reveals(game: Game, told: list[Told], viewer: int) -> list[Reveal]:
    """R6: the townspeople one by one, what the Spy or the Apothecary did, donations; R8: tokens, then each area."""
    steps = {CHARACTER: _person, DEED: _deed, DONATIONS: _donations, TOKENS_SCORED: _tokens_scored, AREA: _area}
    return [
        steps[kind](game, group, tuple(tell(game, group, viewer)))
        for kind, group in _chapters(told)
        if any(one.event != ROUND for one in group)  # a round that begins is nothing to stop at
    ]


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
    return Reveal(lines, tuple(f"area-{place['area']}" for place in places), data)


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
