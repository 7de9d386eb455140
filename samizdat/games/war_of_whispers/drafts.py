"""A War of Whispers: choices of several pieces, composed in any order before they are sealed.

Discarding (R13) is a choice that all make at once. Placing, burning and lifting banners belong to one seat; the match
takes them in the order of the regions (A64), which a person at a table need not know, so they are composed as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from samizdat.games.war_of_whispers.rules_banners import above_limit, burns, may_lift, room_for
from samizdat.games.war_of_whispers.rules_map import take_off
from samizdat.games.war_of_whispers.state import (
    ALCHEMISTS_FIRE,
    BURN,
    DISPERSAL,
    LIFT,
    PLACE,
    POPULATE,
    REDEPLOYMENT,
    RESET,
    State,
)
from samizdat.kernel.boards import Composition
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase

Draft = tuple[str, ...]

# What the button says that ends a choice: nothing here is a secret but what is discarded.
VERBS = {
    "discard": Phrase("Discard them"),
    "place": Phrase("Place them"),
    "burn": Phrase("Destroy them"),
    "from": Phrase("Lift them"),
}


def compose(game: Game, s: State, seat: int, draft: Draft) -> Composition | None:
    """The draft of this seat; None where a decision is made with one click."""
    printed: Any = game.box.record
    if s.point == RESET:
        excess = sum(s.hand[seat, face] for face in range(printed.faces)) - printed.hand_limit
        room = {face: s.hand[seat, face] for face in range(s.shed[seat], printed.faces)}
        return _several(game, "discard", "cards", room, excess, draft)
    if s.point == PLACE and s.todo > 1:
        return _several(game, "place", "regions", _places(game, s), s.todo, draft)
    if s.point == BURN and s.todo == printed.effect[ALCHEMISTS_FIRE]:
        return _fire(game, s, draft)
    if s.point == LIFT and s.todo == 0:
        return _lift(game, s, draft)
    return None


def _several(game: Game, kind: str, table: str, room: dict[int, int], wanted: int, draft: Draft) -> Composition:
    """Exactly so many of some things, each at most as often as there is room."""
    names = game.box.names[table]
    words = {f"{kind} {names[number]}": number for number in room}
    chosen: list[str] = []
    for choice in draft:
        if choice in words and len(chosen) < wanted and chosen.count(choice) < room[words[choice]]:
            chosen.append(choice)
    full = len(chosen) >= wanted
    open = () if full else tuple(word for word, number in words.items() if chosen.count(word) < room[number])
    seal = tuple(sorted(chosen, key=words.__getitem__)) if full else None
    return Composition(tuple(chosen), open, seal, VERBS[kind])


def _places(game: Game, s: State) -> dict[int, int]:
    """How many banners each region may get."""
    printed: Any = game.box.record
    room: dict[int, int] = {}
    for region in range(s.cursor, printed.regions):
        if s.holder[region] != s.colour:
            continue
        most = s.todo
        if s.ability == POPULATE:
            most = 1
        elif s.ability == DISPERSAL:
            most = s.todo if (printed.near[s.used_on] >> region) & 1 else 0
        elif s.ability == REDEPLOYMENT:
            most = 0 if (s.lifted >> region) & 1 else room_for(printed, s, region)
        if most > 0:
            room[region] = most
    return room


def _regions(game: Game, kind: str, draft: Draft) -> list[int]:
    """The regions a draft names, in its order."""
    ids = game.box.names["regions"]
    words = [choice.split() for choice in draft]
    return [ids.index(word[1]) for word in words if len(word) == 2 and word[0] == kind and word[1] in ids]


def _in_order(game: Game, kind: str, chosen: list[int], more: Callable[[int], bool]) -> tuple[Draft, Draft]:
    """The chosen regions as decisions, and those that may be added."""
    ids = game.box.names["regions"]
    return (
        tuple(f"{kind} {ids[region]}" for region in chosen),
        tuple(f"{kind} {id}" for region, id in enumerate(ids) if more(region)),
    )


def _fire(game: Game, s: State, draft: Draft) -> Composition:
    """A24, A60: one to five enemy banners beside the fire; "done" where the match would ask for more."""
    printed: Any = game.box.record
    left = {region: s.army[region] for region in range(printed.regions) if burns(printed, s, s.used_on, region)}
    chosen: list[int] = []
    for region in _regions(game, "burn", draft):
        if left.get(region, 0) > 0 and len(chosen) < s.todo:
            left[region] -= 1
            chosen.append(region)
    full = len(chosen) == s.todo
    notations, open = _in_order(game, "burn", chosen, lambda region: not full and left.get(region, 0) > 0)
    if not chosen:
        return Composition(notations, open, None, VERBS["burn"])
    sealed, _ = _in_order(game, "burn", sorted(chosen), lambda region: False)
    asked = not full and any(banners > 0 and region >= max(chosen) for region, banners in left.items())
    return Composition(notations, open, (*sealed, "done") if asked else sealed, VERBS["burn"])


def _lift(game: Game, s: State, draft: Draft) -> Composition:
    """A28: banners of a Redeployment; sealed once no region is above its limit."""
    printed: Any = game.box.record
    after: Any = s.copy()
    chosen: list[int] = []
    for region in _regions(game, "from", draft):
        if may_lift(printed, after, s.colour, region):
            _take_up(printed, after, region)
            chosen.append(region)
    notations, open = _in_order(game, "from", chosen, lambda region: may_lift(printed, after, s.colour, region))
    if not chosen or not _lifts_in_order(game, s, Counter(chosen)):
        return Composition(notations, open, None, VERBS["from"])
    sealed, _ = _in_order(game, "from", sorted(chosen), lambda region: False)
    return Composition(notations, open, (*sealed, "done"), VERBS["from"])


def _take_up(printed: Any, s: Any, region: int) -> None:
    take_off(printed, s, region, 1)
    s.todo += 1
    s.lifted |= 1 << region


def _lifts_in_order(game: Game, s: State, chosen: Counter[int]) -> bool:
    """Whether the match takes these banners one by one in the order of the regions, and then no more."""
    printed: Any = game.box.record
    after: Any = s.copy()
    for region in sorted(chosen.elements()):
        if not may_lift(printed, after, s.colour, region) or above_limit(printed, after, s.colour, 0, region):
            return False
        _take_up(printed, after, region)
    return not above_limit(printed, after, s.colour, 0, printed.regions)
