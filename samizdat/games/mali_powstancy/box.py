"""Mali Powstańcy: the printed components, read from a box file into a record, with every distance of the map."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import Any

from samizdat.games.mali_powstancy.state import (
    CARDS,
    DEGREE,
    DISTRICTS,
    DRAWS,
    FACES,
    LOCATIONS,
    MOST_OBJECTIVES,
    MOST_POINTS,
    MOST_STEPS,
    OBJECTIVE_COLOURS,
    OBJECTIVES,
    ORDERS,
    QUEUE,
    ROUTES,
    SCOUTS,
    SEATS,
    SPACES,
)
from samizdat.kernel.box import PROVENANCE, Box, BoxFile, BoxText, Column, Constant, Table
from samizdat.kernel.boxfile import read_box_text
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.telling import Phrase, Word

ACTIONS = ("", "pals", "squad", "exchange", "gossip")
NO_ACTION, PALS_ACTION, SQUAD_ACTION, EXCHANGE_ACTION, GOSSIP_ACTION = range(5)
OBJECTIVE_TYPES = ("most_from", "most_orders", "districts", "most_important")
MOST_FROM, MOST_ORDERS, COVERS_DISTRICTS, MOST_IMPORTANT = range(4)
VARIANTS = ("base", "extended")
MOST_LENGTH = SPACES
BOARD = 10_000  # the largest coordinate of a drawing


class Printed(Record):
    """The components, as the rules read them."""

    locations: int = scalar(2, LOCATIONS, "2.1.1; A48: the printed box has 17")
    spaces: int = scalar(2, SPACES, "2.1.1: locations and blanks")
    routes: int = scalar(1, ROUTES, "2.1.2")
    orders: int = scalar(1, ORDERS, "2.2.3, 2.10.2: in all")
    cards: int = scalar(1, CARDS, "2.2.1: movement cards of a player")
    faces: int = scalar(1, FACES, "2.7.2: of the die")
    objectives: int = scalar(1, OBJECTIVES, "2.10.3: in all")

    district: Ints = grid(SPACES, 0, DISTRICTS - 1, "2.1.4")
    route_of: Ints = grid(SPACES, -1, ROUTES - 1, "2.1.2: the route a blank lies on; -1 for a location")
    degree: Ints = grid(SPACES, 0, DEGREE, "2.5.5: adjacent spaces")
    adjacent: Ints = grid((SPACES, DEGREE), 0, SPACES - 1, "2.5.5: which ones, ascending")
    by_route: Ints = grid((SPACES, DEGREE), 0, ROUTES - 1, "2.8.5: the route a step to them uses")
    neighbours: Ints = grid(LOCATIONS, 0, DEGREE, "2.1.2, A3: neighbouring locations")
    neighbour: Ints = grid((LOCATIONS, DEGREE), 0, LOCATIONS - 1, "2.1.2: which ones, ascending")
    along: Ints = grid((LOCATIONS, DEGREE), 0, ROUTES - 1, "2.1.2: the route that joins them")
    ends: Ints = grid((ROUTES, 2), 0, LOCATIONS - 1, "2.1.2: the locations a route joins")
    length: Ints = grid(ROUTES, 0, MOST_LENGTH, "2.1.2: steps from end to end; 1 without blanks (A4)")
    passes: Ints = grid(ROUTES, 0, (1 << DISTRICTS) - 1, "2.1.4, A42: districts of a route with its ends, a bit set")
    holds_token: Ints = grid((ROUTES, DISTRICTS), 0, 1, "A8: a token may stand on this route in this district")
    distance: Ints = grid((SPACES, SPACES), 0, SPACES - 1, "2.1.3, A11: on the empty board")
    journey: Ints = grid((SPACES, LOCATIONS), 0, SPACES - 1, "2.5.5: movement points, on the empty board")
    start: Ints = grid(LOCATIONS, 0, 1, "2.2.2: starting locations")
    begins: Ints = grid((SEATS, SCOUTS), 0, LOCATIONS - 1, "2.2.2, A47: where every scout begins")
    soldier: int = scalar(0, LOCATIONS - 1, "2.2.4: where the soldier begins")

    origin: Ints = grid(ORDERS, 0, LOCATIONS - 1, "2.6.1")
    destination: Ints = grid(ORDERS, 0, LOCATIONS - 1, "2.6.4")
    order_points: Ints = grid(ORDERS, 0, MOST_POINTS, "2.9.2")
    names: Ints = grid(ORDERS, 0, (1 << DISTRICTS) - 1, "2.12.3: districts of origin and destination, as a bit set")
    starting: Ints = grid(LOCATIONS, 0, ORDERS, "2.6.1: orders that start at a location")
    order_from: Ints = grid((LOCATIONS, ORDERS), 0, ORDERS - 1, "2.6.1: which ones, ascending")

    card_points: Ints = grid(CARDS, 0, MOST_STEPS, "2.5.3")
    action: Ints = grid(CARDS, 0, len(ACTIONS) - 1, "2.11")
    red: Ints = grid(FACES, 0, 1, "2.7.4, 2.7.5: a red number")
    number: Ints = grid(FACES, 0, MOST_STEPS, "2.7.4, 2.7.5")

    objective_colour: Ints = grid(OBJECTIVES, 0, OBJECTIVE_COLOURS - 1, "2.10.3")
    objective_type: Ints = grid(OBJECTIVES, 0, len(OBJECTIVE_TYPES) - 1, "2.13.4")
    objective_district: Ints = grid(OBJECTIVES, -1, DISTRICTS - 1, "2.13.4a")
    objective_covers: Ints = grid(OBJECTIVES, 0, DISTRICTS, "2.13.4c")
    objective_points: Ints = grid(OBJECTIVES, 0, MOST_POINTS, "2.13.3")
    copy_of: Ints = grid(OBJECTIVES, 0, OBJECTIVES - 1, "the first card that reads the same")
    objectives_dealt: int = scalar(1, MOST_OBJECTIVES, "2.10.3")
    objectives_kept: int = scalar(1, MOST_OBJECTIVES, "2.10.3")

    base_deck: Ints = grid(SEATS + 1, 0, ORDERS, "2.2.3: by number of players")
    under_victory: Ints = grid(SEATS + 1, 0, ORDERS, "2.10.2, A26: by number of players")
    draws: Ints = grid((len(VARIANTS), SEATS + 1, 2), 0, DRAWS, "2.4.1: by players, in even and odd rounds")
    queue: Ints = grid(len(VARIANTS), 1, QUEUE, "2.8.1, 2.8.2, 2.10.4: spaces of the queue")
    bonus: Ints = grid(SCOUTS + 1, 0, MOST_POINTS, "2.9.2: by scouts on starting locations")
    small_tokens: int = scalar(1, ORDERS, "2.8.3")
    large_tokens: int = scalar(1, DISTRICTS, "2.12.3a")
    base_defeat: int = scalar(1, ORDERS, "2.8.4")
    extended_defeat: int = scalar(1, DISTRICTS, "2.12.4")


def _from(name: str) -> Column:
    return Column(name, "text", choices=PROVENANCE)


PLACED = (Column("x", "int", 0, BOARD, drawn=True), Column("y", "int", 0, BOARD, drawn=True))
TABLES = (
    Table("districts", (Column("id", "id"), Column("name", "text"), Column("label", "ints", 0, BOARD, drawn=True),
                        Column("outline", "ints", 0, BOARD, drawn=True)), least=1, most=DISTRICTS),
    Table("locations", (Column("id", "id"), Column("name", "text", source="name_from"),
                        Column("gloss", "text", drawn=True),
                        Column("district", "ref", table="districts", source="district_from"),
                        Column("start", "flag"), Column("soldier", "flag"), *PLACED,
                        _from("name_from"), _from("district_from")), least=2, most=LOCATIONS),
    Table("routes", (Column("id", "id"), Column("a", "ref", table="locations", source="neighbours_from"),
                     Column("b", "ref", table="locations", source="neighbours_from"),
                     Column("length", "int", 1, MOST_LENGTH, source="length_from"),
                     Column("bend", "ints", 0, BOARD, drawn=True), _from("neighbours_from"), _from("length_from")),
          least=1, most=ROUTES),
    Table("blanks", (Column("route", "ref", table="routes"),
                     Column("district", "ref", table="districts", source="district_from"), *PLACED,
                     _from("district_from")),
          least=0, most=SPACES),
    Table("orders", (Column("id", "id"), Column("origin", "ref", table="locations", source="pair_from"),
                     Column("destination", "ref", table="locations", source="pair_from"),
                     Column("points", "int", 0, MOST_POINTS, source="points_from"),
                     _from("pair_from"), _from("points_from")), least=1, most=ORDERS),
    Table("cards", (Column("value", "int", 0, 99), Column("points", "int", 0, MOST_STEPS),
                    Column("title", "text"), Column("action", "text", choices=ACTIONS)), least=1, most=CARDS),
    Table("die", (Column("colour", "text", choices=("black", "red")), Column("number", "int", 1, MOST_STEPS),
                  _from("provenance")), least=1, most=FACES),
    Table("colours", (Column("id", "id"),), least=SEATS, most=SEATS),
    Table("scouts", (Column("id", "id"), Column("colour", "ref", table="colours"),
                     Column("name", "text", source="name_from"), Column("start", "ref", table="locations"),
                     _from("name_from")),
          least=SEATS * SCOUTS, most=SEATS * SCOUTS),
    Table("objective_colours", (Column("id", "id"),), least=1, most=OBJECTIVE_COLOURS),
    Table("objectives", (Column("id", "id"), Column("colour", "ref", table="objective_colours"),
                         Column("type", "text", choices=OBJECTIVE_TYPES),
                         Column("district", "ref", table="districts", optional=True),
                         Column("districts", "int", 0, DISTRICTS), Column("points", "int", 0, MOST_POINTS)),
          least=1, most=OBJECTIVES),
    Table("tables", (Column("players", "int", 2, SEATS), Column("base_deck", "int", 1, ORDERS),
                     Column("base_odd", "int", 1, DRAWS), Column("base_even", "int", 1, DRAWS),
                     Column("under_victory", "int", 0, ORDERS), Column("extended_odd", "int", 1, DRAWS),
                     Column("extended_even", "int", 1, DRAWS)), least=SEATS - 1, most=SEATS - 1),
    Table("return_bonus", (Column("scouts", "int", 1, SCOUTS), Column("points", "int", 0, MOST_POINTS)),
          least=SCOUTS, most=SCOUTS),
    Table("river", (Column("id", "id"), Column("line", "ints", 0, BOARD, drawn=True)), least=0, most=2),
)  # fmt: skip
CONSTANTS = (
    Constant("base_queue", 1, QUEUE),
    Constant("extended_queue", 1, QUEUE),
    Constant("small_tokens", 1, ORDERS),
    Constant("large_tokens", 1, DISTRICTS),
    Constant("base_defeat", 1, ORDERS),
    Constant("extended_defeat", 1, DISTRICTS),
    Constant("objectives_dealt", 1, MOST_OBJECTIVES),
    Constant("objectives_kept", 1, MOST_OBJECTIVES),
)


def read_box(source: Path | BoxFile) -> Box:
    """Read a box file for Mali Powstańcy; BoxError names what cannot be played."""
    text = read_box_text(source, "mali-powstancy", TABLES, CONSTANTS)
    printed = Printed()
    blanks = _fill_map(text, printed)
    _fill_distances(text, printed)
    _fill_starts(text, printed)
    _fill_orders(text, printed)
    _fill_cards_and_die(text, printed)
    _fill_objectives(text, printed)
    _fill_tables(text, printed)
    locations = text.ids("locations")
    names = {
        "districts": text.ids("districts"),
        "locations": locations,
        "spaces": (*locations, *blanks),
        "routes": text.ids("routes"),
        "orders": text.ids("orders"),
        "cards": tuple(str(row["value"]) for row in text.tables["cards"]),
        "colours": text.ids("colours"),
        "objectives": text.ids("objectives"),
    }
    return Box(text.name, printed, text, names)


def _fill_map(text: BoxText, printed: Printed) -> tuple[str, ...]:
    """Spaces, routes and what lies next to what; the names of the blanks."""
    locations = text.tables["locations"]
    printed.locations = len(locations)
    printed.routes = len(text.tables["routes"])
    printed.spaces = len(locations) + len(text.tables["blanks"])
    if len(locations) + len(text.tables["blanks"]) > SPACES:
        words: dict[str, Any] = {"n": printed.spaces, "most": SPACES}
        why = Phrase("{n} spaces in all; this game plays with up to {most}", words)
        raise text.refuse("blanks", "rows", why, "route")
    for place in range(SPACES):
        printed.route_of[place] = -1
    for number, row in enumerate(locations):
        printed.district[number] = text.index("districts", row["district"])
    steps: dict[int, list[tuple[int, int]]] = {space: [] for space in range(printed.spaces)}
    jumps: dict[int, list[tuple[int, int]]] = {location: [] for location in range(len(locations))}
    pairs: set[frozenset[int]] = set()
    names: list[str] = []
    for number, row in enumerate(text.tables["routes"]):
        a, b = text.index("locations", row["a"]), text.index("locations", row["b"])
        if a == b:
            raise text.refuse("routes", number, Phrase("a route joins two different locations (2.1.2)"), "b")
        if frozenset((a, b)) in pairs:
            ends = {"one": Word("locations", row["a"]), "other": Word("locations", row["b"])}
            raise text.refuse(
                "routes", number, Phrase("{one} and {other} are joined by another route already", ends), "b"
            )
        pairs.add(frozenset((a, b)))
        blanks = [row for row in text.tables["blanks"] if row["route"] == text.ids("routes")[number]]
        if len(blanks) != row["length"] - 1:
            words = {"needed": row["length"] - 1, "found": len(blanks)}
            why = Phrase("its length needs {needed} blanks, [blanks] has {found}", words)
            raise text.refuse("routes", number, why, "length")
        chain = [a, *(len(locations) + len(names) + i for i in range(len(blanks))), b]
        for blank, space in zip(blanks, chain[1:-1], strict=True):
            printed.district[space] = text.index("districts", blank["district"])
            printed.route_of[space] = number
        names.extend(f"{row['id']}_{i + 1}" for i in range(len(blanks)))
        for near, far in pairwise(chain):
            steps[near].append((far, number))
            steps[far].append((near, number))
        jumps[a].append((b, number))
        jumps[b].append((a, number))
        printed.ends[number, 0], printed.ends[number, 1] = a, b
        printed.length[number] = row["length"]
        for space in chain:
            printed.passes[number] |= 1 << printed.district[space]
        for space in chain[1:-1]:
            printed.holds_token[number, printed.district[space]] = 1
        if not blanks and printed.district[a] == printed.district[b]:
            printed.holds_token[number, printed.district[a]] = 1
    for location, found in jumps.items():
        if len(found) > DEGREE:
            why = Phrase("{n} routes meet here; at most {most} may", {"n": len(found), "most": DEGREE})
            raise text.refuse("locations", location, why, "id")
        printed.neighbours[location] = len(found)
        for i, (other, route) in enumerate(sorted(found)):
            printed.neighbour[location, i], printed.along[location, i] = other, route
    for space, found in steps.items():
        printed.degree[space] = len(found)
        for i, (other, route) in enumerate(sorted(found)):
            printed.adjacent[space, i], printed.by_route[space, i] = other, route
    return tuple(names)


def _fill_distances(text: BoxText, printed: Printed) -> None:
    """2.1.3: the smallest number of steps between any two spaces. 2.5.5: of steps and jumps, to any location."""
    steps = {
        space: [printed.adjacent[space, i] for i in range(printed.degree[space])] for space in range(printed.spaces)
    }
    steps_and_jumps = {space: list(near) for space, near in steps.items()}
    for place in range(printed.locations):
        steps_and_jumps[place] += [printed.neighbour[place, i] for i in range(printed.neighbours[place])]
    for source in range(printed.spaces):
        far = _far_from(source, steps)
        if len(far) < printed.spaces:
            lost = next(number for number in range(printed.locations) if number not in far)
            start = Word("locations", text.ids("locations")[0])
            raise text.refuse("locations", lost, Phrase("no way leads here from {start}", {"start": start}), "id")
        for space, count in far.items():
            printed.distance[source, space] = count
        points = _far_from(source, steps_and_jumps)
        for location in range(printed.locations):
            printed.journey[source, location] = points[location]


def _far_from(source: int, near: dict[int, list[int]]) -> dict[int, int]:
    """How many moves away every space is that can be reached, by breadth-first search."""
    far = {source: 0}
    waiting = deque([source])
    while waiting:
        space = waiting.popleft()
        for other in near[space]:
            if other not in far:
                far[other] = far[space] + 1
                waiting.append(other)
    return far


def _fill_starts(text: BoxText, printed: Printed) -> None:
    starts = [number for number, row in enumerate(text.tables["locations"]) if row["start"]]
    soldiers = [number for number, row in enumerate(text.tables["locations"]) if row["soldier"]]
    if len(soldiers) != 1:
        why = Phrase("one location is the soldier's (2.2.4), not {n}", {"n": len(soldiers)})
        raise text.refuse("locations", "rows", why, "soldier")
    printed.soldier = soldiers[0]
    if soldiers[0] in starts:
        why = Phrase("scouts may not begin on the soldier's space (2.5.7)")
        raise text.refuse("locations", soldiers[0], why, "start")
    for location in starts:
        printed.start[location] = 1
    team = [0] * SEATS
    for number, row in enumerate(text.tables["scouts"]):
        seat = text.index("colours", row["colour"])
        start = text.index("locations", row["start"])
        if team[seat] == SCOUTS:
            words = {"colour": Word("colours", row["colour"]), "most": SCOUTS}
            raise text.refuse("scouts", number, Phrase("{colour}: more than {most} scouts (2.1.5)", words), "colour")
        if start not in starts:
            words = {"place": Word("locations", row["start"])}
            raise text.refuse("scouts", number, Phrase("{place} is not a starting location (2.2.2)", words), "start")
        printed.begins[seat, team[seat]] = start
        team[seat] += 1
    used = {printed.district[location] for location in range(printed.locations)}
    if len(used) < text.constants["extended_defeat"]:
        why = Phrase("locations lie in {n} districts only (2.12.4)", {"n": len(used)})
        raise text.refuse("constants", "extended_defeat", why)


def _fill_orders(text: BoxText, printed: Printed) -> None:
    printed.orders = len(text.tables["orders"])
    for number, row in enumerate(text.tables["orders"]):
        origin = text.index("locations", row["origin"])
        destination = text.index("locations", row["destination"])
        if origin == destination:
            raise text.refuse("orders", number, Phrase("origin and destination must differ (2.6.4)"), "destination")
        printed.origin[number] = origin
        printed.destination[number] = destination
        printed.order_points[number] = row["points"]
        printed.names[number] = (1 << printed.district[origin]) | (1 << printed.district[destination])
        printed.order_from[origin, printed.starting[origin]] = number
        printed.starting[origin] += 1


def _fill_cards_and_die(text: BoxText, printed: Printed) -> None:
    printed.cards = len(text.tables["cards"])
    before = -1
    for number, row in enumerate(text.tables["cards"]):
        if row["value"] <= before:
            why = Phrase("cards stand in ascending order of their values (2.5.2)")
            raise text.refuse("cards", number, why, "value")
        before = row["value"]
        printed.card_points[number] = row["points"]
        printed.action[number] = ACTIONS.index(row["action"])
    printed.faces = len(text.tables["die"])
    for number, row in enumerate(text.tables["die"]):
        printed.red[number] = row["colour"] == "red"
        printed.number[number] = row["number"]


def _fill_objectives(text: BoxText, printed: Printed) -> None:
    printed.objectives = len(text.tables["objectives"])
    dealt, kept = text.constants["objectives_dealt"], text.constants["objectives_kept"]
    printed.objectives_dealt, printed.objectives_kept = dealt, kept
    first: dict[tuple[object, ...], int] = {}
    of_colour: dict[str, int] = {}
    for number, row in enumerate(text.tables["objectives"]):
        if (row["type"] == "most_from") != bool(row["district"]):
            why = Phrase("a district is named by the type “most from”, and by no other (2.13.4)")
            raise text.refuse("objectives", number, why, "district")
        if (row["type"] == "districts") != bool(row["districts"]):
            why = Phrase("a number of districts is for the type “districts”, otherwise 0 (2.13.4)")
            raise text.refuse("objectives", number, why, "districts")
        printed.objective_colour[number] = text.index("objective_colours", row["colour"])
        printed.objective_type[number] = OBJECTIVE_TYPES.index(row["type"])
        printed.objective_district[number] = text.index("districts", row["district"])
        printed.objective_covers[number] = row["districts"]
        printed.objective_points[number] = row["points"]
        reads = (row["colour"], row["type"], row["district"], row["districts"], row["points"])
        printed.copy_of[number] = first.setdefault(reads, number)
        of_colour[row["colour"]] = of_colour.get(row["colour"], 0) + 1
    if kept > dealt:
        why = Phrase("nobody can keep {kept} of {dealt} (2.10.3)", {"kept": kept, "dealt": dealt})
        raise text.refuse("constants", "objectives_kept", why)
    if SEATS * dealt > printed.objectives:
        words = {"players": SEATS, "needed": SEATS * dealt, "found": printed.objectives}
        why = Phrase("{players} players need {needed} of {found} cards", words)
        raise text.refuse("constants", "objectives_dealt", why)
    if sum(cards >= SEATS for cards in of_colour.values()) < kept:
        words = {"colours": kept, "cards": SEATS}
        why = Phrase("{colours} colours need {cards} cards each, or no deal may satisfy everybody (2.10.3)", words)
        raise text.refuse("objectives", "rows", why, "colour")


def _fill_tables(text: BoxText, printed: Printed) -> None:
    for number, row in enumerate(text.tables["tables"]):
        players = row["players"]
        if players != number + 2:
            why = Phrase("this row is for {n} players (2.14)", {"n": number + 2})
            raise text.refuse("tables", number, why, "players")
        for key in ("base_deck", "under_victory"):
            if row[key] > printed.orders:
                words = {"value": row[key], "orders": printed.orders}
                raise text.refuse("tables", number, Phrase("is {value}, but there are {orders} orders", words), key)
        printed.base_deck[players] = row["base_deck"]
        printed.under_victory[players] = row["under_victory"]
        for variant, name in enumerate(VARIANTS):
            printed.draws[variant, players, 0] = row[f"{name}_even"]
            printed.draws[variant, players, 1] = row[f"{name}_odd"]
    for number, row in enumerate(text.tables["return_bonus"]):
        if row["scouts"] != number + 1:
            why = Phrase("this row is for {n} scouts (2.9.2)", {"n": number + 1})
            raise text.refuse("return_bonus", number, why, "scouts")
        printed.bonus[row["scouts"]] = row["points"]
    for variant, name in enumerate(VARIANTS):
        printed.queue[variant] = text.constants[f"{name}_queue"]
    printed.small_tokens = text.constants["small_tokens"]
    printed.large_tokens = text.constants["large_tokens"]
    printed.base_defeat = text.constants["base_defeat"]
    printed.extended_defeat = text.constants["extended_defeat"]
    needed = max(printed.base_defeat, len(text.tables["districts"]))
    if printed.small_tokens < needed:
        why = Phrase("up to {n} may be needed (2.8.4, 2.12.2)", {"n": needed})
        raise text.refuse("constants", "small_tokens", why)
    if printed.large_tokens < printed.extended_defeat:
        why = Phrase("up to {n} may be needed (2.12.4)", {"n": printed.extended_defeat})
        raise text.refuse("constants", "large_tokens", why)
