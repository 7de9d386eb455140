"""Mali Powstańcy: the box, its checks, and the rules on other maps than ours."""

from __future__ import annotations

import itertools
import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.games.mali_powstancy import GAME
from samizdat.games.mali_powstancy.box import read_box
from samizdat.games.mali_powstancy.rules_soldier import is_on_the_way
from samizdat.games.mali_powstancy.rules_time import drive_out, is_safe, refuge_distance
from samizdat.games.mali_powstancy.state import REFUGE, SEATS, SPACES
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score
from tests.games.warsaw import BOX, NAME, NAMES, cites, luck

STANDARD = tomllib.loads((GAME.folder / "box.toml").read_text(encoding="utf-8"))


def write(path: Path, data: dict[str, Any]) -> Path:
    """A box file from its tables."""
    lines = [f"game = {json.dumps(data['game'])}", f"name = {json.dumps(data['name'])}"]
    for name, table in data.items():
        if not isinstance(table, dict):
            continue
        lines.append(f"[{name}]")
        for key, value in table.items():
            if key == "rows":
                lines += ["rows = [", *(f"    {json.dumps(row, ensure_ascii=False)}," for row in value), "]"]
            else:
                lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def copy_of_the_box() -> dict[str, Any]:
    return json.loads(json.dumps(STANDARD))  # type: ignore[no-any-return]


def another_city(rng: random.Random) -> dict[str, Any]:
    """A random connected map with random orders, and limits so high that random games go on for long."""
    data = copy_of_the_box()
    places = [f"place_{i}" for i in range(rng.randint(5, 14))]
    districts = data["districts"]["rows"][: rng.randint(4, 7)]
    data["districts"]["rows"] = districts
    ids = [row[0] for row in districts]
    here = {place: ids[i] if i < len(ids) else rng.choice(ids) for i, place in enumerate(places)}
    data["locations"]["rows"] = [
        [place, place, "", here[place], i < 3, i == 3, 0, 0, "reconstructed", "reconstructed"]
        for i, place in enumerate(places)
    ]
    pairs = {(rng.choice(places[:i]), places[i]) for i in range(1, len(places))}
    pairs |= {pair for pair in itertools.combinations(places, 2) if rng.random() < 0.15}
    degree = dict.fromkeys(places, 0)
    routes, blanks = [], []
    for number, (a, b) in enumerate(sorted(pairs)):
        if max(degree[a], degree[b]) >= 8 or len(places) + len(blanks) > 85:
            continue
        degree[a] += 1
        degree[b] += 1
        length = rng.choice((1, 1, 2, 2, 3, 4))
        routes.append([f"r{number}", a, b, length, [], "reconstructed", "reconstructed"])
        blanks += [[f"r{number}", rng.choice(ids), 0, 0, "reconstructed"] for _ in range(length - 1)]
    data["routes"]["rows"], data["blanks"]["rows"] = routes, blanks
    ends = [rng.sample(places, 2) for _ in range(42)]
    data["orders"]["rows"] = [
        [f"o{i}", a, b, rng.randint(1, 20), "reconstructed", "reconstructed"] for i, (a, b) in enumerate(ends)
    ]
    for number, row in enumerate(data["scouts"]["rows"]):
        row[3] = places[number % 3]
    for row in data["objectives"]["rows"]:
        row[3] = row[3] and rng.choice(ids)
    data["constants"] |= {"small_tokens": 48, "base_defeat": 48, "extended_defeat": 4, "large_tokens": 7}
    return data


# --- The standard box -----------------------------------------------------------------------------------------


@cites(NAME, "2.2.1", "2.14")
def test_the_box_is_complete() -> None:
    tables = GAME.standard_box.text.tables
    assert len(tables["orders"]) == 42
    assert len(tables["objectives"]) == 24
    assert len(tables["scouts"]) == 12
    assert [row["points"] for row in tables["cards"]] == [1, 2, 3, 4, 5]
    assert len({row["name"] for row in tables["scouts"]}) == 12
    assert GAME.standard_box.text.constants["small_tokens"] == 7


@cites(NAME, "2.1.3")
def test_orders_join_every_pair_of_districts_and_pay_the_distance() -> None:
    pairs = set()
    for number in range(BOX.orders):
        start, end = BOX.origin[number], BOX.destination[number]
        pairs.add((BOX.district[start], BOX.district[end]))
        assert BOX.order_points[number] == BOX.distance[start, end]
    assert pairs == {(a, b) for a in range(7) for b in range(7) if a != b}


@cites(NAME, "A8")
def test_every_location_has_a_route_for_a_token_in_its_district() -> None:
    for location in range(BOX.locations):
        routes = [r for r in range(BOX.routes) if location in (BOX.ends[r, 0], BOX.ends[r, 1])]
        assert any(BOX.holds_token[route, BOX.district[location]] for route in routes), NAMES["locations"][location]


# --- Other maps -----------------------------------------------------------------------------------------------


@cites(NAME, "2.1.3", "2.5.5", "2.7.4", "2.8.6", "A11", "A13")
@pytest.mark.parametrize("seed", range(8))
def test_distances_ways_and_refuges_on_any_map(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    box: Any = read_box(write(tmp_path / "city.toml", another_city(rng))).record
    spaces = range(box.spaces)
    near = [{box.adjacent[space, i] for i in range(box.degree[space])} for space in spaces]
    far = [[0 if a == b else 1 if b in near[a] else 1000 for b in spaces] for a in spaces]
    for k, a, b in itertools.product(spaces, repeat=3):  # Floyd and Warshall
        far[a][b] = min(far[a][b], far[a][k] + far[k][b])
    assert all(far[a][b] == box.distance[a, b] for a in spaces for b in spaces)
    points = [list(row) for row in far]
    for route in range(box.routes):
        one, other = box.ends[route, 0], box.ends[route, 1]
        points[one][other] = points[other][one] = 1
    for k, a, b in itertools.product(range(box.locations), spaces, spaces):  # a jump joins locations
        points[a][b] = min(points[a][b], points[a][k] + points[k][b])
    assert all(points[a][b] == box.journey[a, b] for a in spaces for b in range(box.locations))

    s: Any = samizdat.game(NAME, players=2, box=tmp_path / "city.toml").match(1)._state
    for _ in range(20):
        s.soldier, s.at[0, 0], s.face = rng.choice(spaces), rng.choice(spaces), rng.randrange(box.faces)
        s.chooser = s.scout = 0
        steps = box.number[s.face]
        if far[s.soldier][s.at[0, 0]] <= steps:
            continue
        ways = {(s.soldier,)}
        for _ in range(far[s.soldier][s.at[0, 0]]):
            ways = {(*way, step) for way in ways for step in near[way[-1]]}
        ends = {way[steps] for way in ways if way[-1] == s.at[0, 0]}
        assert {space for space in spaces if is_on_the_way(box, s, space)} == ends
    for space in spaces:
        s.soldier = rng.randrange(box.locations)
        safe = [location for location in range(box.locations) if is_safe(box, s, location)]
        assert safe == [location for location in range(box.locations) if location != s.soldier]
        assert refuge_distance(box, s, space) == min(far[space][location] for location in safe)


@cites(NAME, "2.8.6", "A52")
@pytest.mark.parametrize("seed", range(4))
def test_everybody_leaves_a_blocked_route_on_any_map(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = write(tmp_path / "city.toml", another_city(rng))
    match = samizdat.game(NAME, players=4, box=path).match(1)
    s: Any = match._state
    box: Any = match.game.box.record
    blanks = [space for space in range(box.spaces) if box.route_of[space] >= 0]
    for seat, scout in itertools.product(range(SEATS), range(3)):
        s.at[seat, scout] = rng.choice(blanks)
    s.blocked[box.route_of[s.at[0, 0]]] = 1
    while drive_out(box, s, luck()):
        assert s.point == REFUGE
        choices = match.legal(s.chooser)
        assert len(choices) > 1
        s.at[s.chooser, s.scout] = box.locations - 1 if rng.random() < 0.5 else 0
    assert all(s.blocked[box.route_of[s.at[seat, 0]]] == 0 for seat in range(SEATS) if s.at[seat, 0] >= box.locations)


@pytest.mark.parametrize("seed", range(6))
def test_laws_and_secrets_hold_on_any_map(seed: int, tmp_path: Path) -> None:
    """Long random games on other maps, with dozens of tokens and several fallen districts."""
    path = write(tmp_path / "city.toml", another_city(random.Random(seed)))
    for variant, players in itertools.product(("base", "extended"), (2, 3, 4)):
        game = samizdat.game(NAME, variant=variant, players=players, box=path)
        states, scores = np.zeros(30, GAME.state.dtype), np.zeros(30, Score.dtype)
        lengths, found = np.zeros(30, np.int64), np.zeros(4, np.int64)
        lucks, dices = np.zeros(2, Luck.dtype), np.zeros(2, Dice.dtype)
        GAME.native.simulate_lawful(
            game.box.record.array, game.blank().array, states, scores, lengths, lucks, dices, seed, 0,
            game.moves_buffer(), game.longest, found,
        )  # fmt: skip
        assert found[2] == 0, f"game {found[0]}, ply {found[1]}: {GAME.laws.LAWS[found[2]]}"
        assert (lengths > 0).all()
        assert GAME.state.out_of_bounds(states) is None
        worlds = np.zeros(5, GAME.state.dtype)
        worlds[4] = game.blank().array[0]
        GAME.native.check_secrets(
            game.box.record.array, worlds, worlds.view(np.uint8).reshape(5, -1), lucks, dices, seed, 0, 3, players,
            game.moves_buffer(rows=2), game.longest, found,
        )  # fmt: skip
        assert found[3] == 0, f"game {found[0]}, ply {found[1]}, seat {found[2]}: channel {found[3]}"


# --- What is refused ------------------------------------------------------------------------------------------


def _set(table: str, row: int, column: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def edit(data: dict[str, Any]) -> None:
        data[table]["rows"][row][data[table]["columns"].index(column)] = value

    return edit


def _constant(name: str, value: int) -> Callable[[dict[str, Any]], None]:
    def edit(data: dict[str, Any]) -> None:
        data["constants"][name] = value

    return edit


def _too_many_blanks(data: dict[str, Any]) -> None:
    data["routes"]["rows"][0][3] += SPACES - 67 + 1
    data["blanks"]["rows"] += [["r01", "wola", 0, 0, "reconstructed"]] * (SPACES - 67 + 1)


def _cut_off(data: dict[str, Any]) -> None:
    data["routes"]["rows"] = [row for row in data["routes"]["rows"] if "port" not in row[1:3]]
    routes = [row[0] for row in data["routes"]["rows"]]
    data["blanks"]["rows"] = [row for row in data["blanks"]["rows"] if row[0] in routes]


def _nine_routes(data: dict[str, Any]) -> None:
    joined = {frozenset(row[1:3]) for row in data["routes"]["rows"]}
    free = [
        row[0] for row in data["locations"]["rows"] if frozenset((row[0], "port")) not in joined and row[0] != "port"
    ]
    data["routes"]["rows"] += [
        [f"x{i}", "port", place, 1, [], "reconstructed", "reconstructed"] for i, place in enumerate(free[:7])
    ]


def _port_like_a_blank(data: dict[str, Any]) -> None:
    data.update(json.loads(json.dumps(data).replace('"port"', '"r10_1"')))


BAD_BOXES = {
    "a route joins two different": _set("routes", 0, "b", "plac_wilsona"),
    "joined by another route": _set("routes", 1, "b", "plac_wilsona"),
    "its length needs 2 blanks": _set("routes", 0, "length", 3),
    "plays with up to": _too_many_blanks,
    "would mean two things among the spaces; choose another id": _port_like_a_blank,
    "routes meet here": _nine_routes,
    "no way leads here": _cut_off,
    "one location is the soldier's": _set("locations", 1, "soldier", True),
    "may not begin on the soldier's": _set("locations", 11, "start", True),
    "more than 3 scouts": _set("scouts", 3, "colour", "red"),
    "is not a starting location": _set("scouts", 3, "start", "port"),
    "origin and destination must differ": _set("orders", 0, "destination", "cytadela"),
    "ascending order of their values": _set("cards", 1, "value", 1),
    "a district is named by the type": _set("objectives", 0, "district", "wola"),
    "a number of districts is for the type": _set("objectives", 6, "districts", 4),
    "nobody can keep": _constant("objectives_kept", 7),
    "4 players need": _constant("objectives_dealt", 7),
    "colours need 4 cards each": _constant("objectives_kept", 5),
    "this row is for 2 players": _set("tables", 0, "players", 3),
    "but there are 42 orders": _set("tables", 0, "base_deck", 43),
    "this row is for 1 scouts": _set("return_bonus", 0, "scouts", 2),
    "up to 7 may be needed": _constant("small_tokens", 6),
    "up to 3 may be needed": _constant("large_tokens", 2),
    "is not in [locations]": _set("orders", 0, "origin", "praga"),
    "must be a whole number": _set("die", 0, "number", 0),
}


@pytest.mark.parametrize("message", BAD_BOXES)
def test_a_box_that_cannot_be_played_is_refused_by_name(message: str, tmp_path: Path) -> None:
    data = copy_of_the_box()
    BAD_BOXES[message](data)
    with pytest.raises(samizdat.BoxError, match=r"line \d+") as caught:
        read_box(write(tmp_path / "bad.toml", data))
    assert message in str(caught.value)


def test_too_few_districts_for_a_defeat(tmp_path: Path) -> None:
    data = copy_of_the_box()
    for row in data["locations"]["rows"]:
        row[3] = "wola"
    with pytest.raises(samizdat.BoxError, match="locations lie in 1 districts only"):
        read_box(write(tmp_path / "bad.toml", data))
