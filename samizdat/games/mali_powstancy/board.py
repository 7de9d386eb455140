"""Mali Powstańcy: its board, drawn from what one seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from samizdat.games.mali_powstancy import chart
from samizdat.games.mali_powstancy import state as events
from samizdat.games.mali_powstancy.answers import answer, legend
from samizdat.games.mali_powstancy.ending import ending
from samizdat.games.mali_powstancy.guess import is_first_copy, objectives_at
from samizdat.games.mali_powstancy.labels import label, origin
from samizdat.games.mali_powstancy.picture import picture
from samizdat.games.mali_powstancy.state import CARD, DEALT, KEPT, OBJECTIVE, State
from samizdat.games.mali_powstancy.status import status
from samizdat.games.mali_powstancy.words import tell
from samizdat.kernel.boards import TABLE, Composition, Effort, Reveal, Tab, one_of
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Line, Phrase, Told

__all__ = [
    "BLURB", "BUTTONS", "EFFORT", "GLYPH", "INKS", "MARKS", "SHEET", "TABS", "VARIANTS", "answer", "compose",
    "ending", "label", "legend", "origin", "picture", "reveals", "status", "where",
]  # fmt: skip

GLYPH = "scout"
INKS = ("red", "orange", "green", "purple")
BLURB = Phrase("Three scouts each carry orders through Warsaw in August 1944, before the city is lost.")
EFFORT = Effort(minutes=(30, 60), learning=3)  # rulebook: base 30 minutes, extended 60; 1,180 words of base rules
TABS = (
    Tab("hand", "cards", Phrase("Cards"), holds=True),
    Tab("orders", "order", Phrase("Orders")),
    Tab("goals", "objective", Phrase("Goals"), ("extended",)),
    TABLE,
)
SHEET = {"keep": "goals", "card": "hand", "with": "orders", "fail": "orders"}
MARKS = {
    "locations": "place-{}", "spaces": "place-{}", "scouts": "scout-{}", "orders": "order-{}", "routes": "route-{}",
    "districts": "district-{}", "objectives": "objective-{}",
}  # fmt: skip
BUTTONS = {"end": True}

VARIANTS = {"base": Phrase("Base game"), "extended": Phrase("Extended game")}
IN_THE_BAR = {"base": Phrase("base game"), "extended": Phrase("extended game")}
PHASES = {
    "objective": Phrase("secret objectives"),
    "card": Phrase("choosing cards"),
    "entry": Phrase("movement"),
    "turn": Phrase("movement"),
    "exchange": Phrase("movement"),
    "hunt": Phrase("the soldier"),
    "way": Phrase("the soldier"),
    "red": Phrase("the soldier"),
    "failure": Phrase("time"),
    "token": Phrase("time"),
    "refuge": Phrase("time"),
    "over": Phrase("the end"),
}


def where(game: Game, view: Any) -> Phrase:
    known = {"variant": IN_THE_BAR[game.variant], "phase": PHASES[view["point"]]}
    if not view["round"]:
        return Phrase("{variant} · {phase}", known)
    return Phrase("{variant} · round {round}, {phase}", known | {"round": view["round"]})


# --- Choices that all make at once ----------------------------------------------------------------------------


def compose(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition | None:
    """2.5.1: one movement card; 2.10.3: the objectives to keep."""
    if (s.ready >> seat) & 1:
        return None
    if s.point == CARD:
        hand = [id for number, id in enumerate(game.box.names["cards"]) if (s.hand[seat] >> number) & 1]
        return one_of([f"card {id}" for id in hand], draft)
    return _compose_objectives(game, s, seat, draft) if s.point == OBJECTIVE else None


def _compose_objectives(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition:
    """2.10.3: different colours; one of a colour that is chosen takes the other's place. S3: sealed in order."""
    printed: Any = game.box.record
    ids = game.box.names["objectives"]
    kept = objectives_at(printed, s, KEPT + seat)
    cards = objectives_at(printed, s, DEALT + seat) | kept
    colour = {number: printed.objective_colour[number] for number in range(printed.objectives)}
    held = [number for number in colour if (kept >> number) & 1]
    choices = [
        number
        for number in colour
        if (cards >> number) & 1
        and not kept >> number
        and is_first_copy(printed, number, cards)
        and colour[number] not in [colour[other] for other in held]
    ]
    size = printed.objectives_kept - len(held)
    sets = [set(some) for some in combinations(choices, size) if len({colour[one] for one in some}) == size]

    def with_one_more(chosen: Iterable[int], number: int) -> list[int]:
        return [*(one for one in chosen if colour[one] != colour[number]), number]

    def fits(some: Iterable[int]) -> bool:
        return any(set(some) <= whole for whole in sets)

    chosen: list[int] = []
    for notation in draft:
        number = next((one for one in choices if notation == f"keep {ids[one]}"), None)
        if number is not None and fits(with_one_more(chosen, number)):
            chosen = with_one_more(chosen, number)
    open = tuple(
        f"keep {ids[number]}" for number in choices if number not in chosen and fits(with_one_more(chosen, number))
    )
    seal = tuple(f"keep {ids[number]}" for number in sorted(chosen)) if len(chosen) == size else None
    return Composition(tuple(f"keep {ids[number]}" for number in chosen), open, seal)


# --- What a decision revealed ---------------------------------------------------------------------------------

# Each step begins with one of these events and goes on with those that may follow it.
STEPS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "deal": ((events.STARTS, events.DEALS_AGAIN, events.DEALS), (events.DEALS, events.DEALS_AGAIN)),
    "cards": ((events.SHOWS_CARD,), (events.SHOWS_CARD,)),
    "gossip": ((events.SEES, events.SEES_VICTORY), (events.SEES, events.SEES_VICTORY, events.REMOVES)),
    "die": ((events.ROLLS,), (events.NEAREST, events.RED_MOVE)),
    "march": ((events.MARCHES,), (events.ARRESTS,)),
    "waits": ((events.NOBODY_OUTSIDE,), ()),
    "failed": ((events.FAILS,), (events.FAILS,)),
    "token": ((events.TOKEN_ON_ROUTE, events.TOKEN_BESIDE), (events.FLEES, events.DELIVERS, events.EARNS)),
    "falls": (
        (events.DISTRICT_FALLS, events.NOTHING_TO_LOSE),
        (events.FLEES, events.DELIVERS, events.EARNS),
    ),
    "orders": (
        (events.ROUND, events.REVEALS, events.REMOVES, events.VICTORY_APPEARS, events.NO_ORDERS),
        (events.REVEALS, events.REMOVES, events.VICTORY_APPEARS, events.NO_ORDERS),
    ),
    "victory": ((events.VICTORY_LEAVES,), ()),
    "end": ((events.ENDS,), ()),
    "score": ((events.ORDERS_SCORE,), (events.RETURN_SCORE, events.OBJECTIVE_SCORE)),
}
MINOR = ("deal", "waits", "orders")  # the board shows the same
BEGINS = {event: name for name, (first, _) in STEPS.items() for event in first}


def reveals(game: Game, told: list[Told], viewer: int) -> list[Reveal]:
    """Cards turned up, the soldier's walk, failed and new orders, the score of each team; nothing for plain moves."""
    steps: list[tuple[str, list[Told]]] = []
    for one in told:
        if not one.heard_by(viewer):
            continue
        if steps and one.event in STEPS[steps[-1][0]][1]:
            steps[-1][1].append(one)
        elif one.event in BEGINS:
            steps.append((BEGINS[one.event], [one]))
    return [_reveal(game, name, group, viewer) for name, group in steps]


def _reveal(game: Game, name: str, told: list[Told], viewer: int) -> Reveal:
    lines: list[Line] = tell(game, told, viewer)
    focus: list[str] = []
    data: dict[str, Any] = {"kind": name, "cards": [], "die": None, "orders": [], "caught": [], "seat": None}
    names = game.box.names
    for one in told:
        if one.event == events.REVEALS:
            focus.append(f"order-{names['orders'][one.args[0]]}")
        elif one.event in (events.ARRESTS, events.FLEES):
            focus.append(f"scout-{chart.scout_id(game.box, one.args[0], one.args[1])}")
        elif one.event == events.MARCHES:
            focus.append("soldier")
        elif one.event == events.TOKEN_ON_ROUTE:
            focus.append(f"route-{names['routes'][one.args[1]]}")
        elif one.event == events.DISTRICT_FALLS:
            focus.append(f"district-{names['districts'][one.args[0]]}")
        elif one.event in (events.SHOWS_CARD, events.ORDERS_SCORE):
            focus.append(f"seat-{one.args[0]}")
    data |= _pictured(game, name, told)
    return Reveal(tuple(lines), tuple(focus), data, minor=name in MINOR)


def _pictured(game: Game, name: str, told: Sequence[Told]) -> dict[str, Any]:
    """What the picture of a step shows."""
    names = game.box.names
    if name == "cards":
        return {"cards": [(one.args[0], names["cards"][one.args[1]]) for one in told]}
    if name == "die":
        row = game.box.text.tables["die"][told[0].args[1]]
        return {"die": {"colour": row["colour"], "number": row["number"]}}
    if name in ("orders", "failed", "gossip"):
        shown = (events.REVEALS, events.FAILS, events.SEES)
        return {"orders": [names["orders"][one.args[0]] for one in told if one.event in shown]}
    if name == "march":
        caught = [one for one in told if one.event == events.ARRESTS]
        return {"caught": [(one.args[0], chart.scout_id(game.box, one.args[0], one.args[1])) for one in caught]}
    if name == "score":
        return {"seat": told[0].args[0]}
    return {}
