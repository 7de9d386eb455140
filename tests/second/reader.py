"""Reads and checks match files by docs/spec/ alone. It knows no rules: what was open is not its to say."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.second.tables import FACTS, Facts

LONGEST = 64 * 1024 * 1024
FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": str, "version": int, "game": str, "rules": int, "box": str, "variant": str, "players": int,
    "options": dict, "seed": str, "nonce": str, "commitment": str, "moves": list, "luck": dict,
    "result": (dict, type(None)), "checksum": str,
}  # fmt: skip
OPTIONAL: dict[str, type] = {"printed": str, "seats": list, "start": dict, "fair": dict}
ORIGINS = ("rulebook", "public", "reconstructed", "copy")


class Wrong(Exception):
    """The file is not one; says what is wrong."""


@dataclass(frozen=True)
class Decision:
    seat: int
    text: str
    number: int


@dataclass(frozen=True)
class Reading:
    """What a file says, as far as that needs no rules."""

    game: str
    players: int
    seed: int
    decisions: tuple[Decision, ...]
    given: dict[int, list[int]]
    result: Any
    dealt: bool


def must(good: bool, what: str) -> None:
    if not good:
        raise Wrong(what)


def digits(text: object, count: int) -> bool:
    return isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{count}}}", text) is not None


def whole(value: object) -> bool:
    return type(value) is int


# --- the text ------------------------------------------------------------------------------------------------


def parsed(text: str) -> dict[str, Any]:
    must(len(text) <= LONGEST, "too long")

    def no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        must(len({name for name, _ in pairs}) == len(pairs), "a field stands twice")
        return dict(pairs)

    def refuse(_: str) -> Any:
        raise Wrong("a number that is not whole")

    try:
        data = json.loads(text, object_pairs_hook=no_doubles, parse_float=refuse, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"no JSON: {error}") from None
    must(isinstance(data, dict), "no object")
    found: dict[str, Any] = data
    return found


SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def quoted(text: str) -> str:
    return '"' + "".join(SHORT.get(one) or (one if one >= " " else f"\\u{ord(one):04x}") for one in text) + '"'


def canonical(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    return "{" + ",".join(f"{quoted(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def checksum(data: Mapping[str, Any]) -> str:
    return sha256(canonical({name: value for name, value in data.items() if name != "checksum"}))


# --- boxes and notation ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    tables: dict[str, list[dict[str, Any]]]
    constants: dict[str, int]

    @property
    def hash(self) -> str:
        text = json.dumps([self.tables, self.constants], sort_keys=True, ensure_ascii=True)
        return sha256(text)[:16]

    def ids(self, table: str) -> list[str]:
        return [row["id"] for row in self.tables[table]]


def read_box(text: str, game: str) -> Box:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Wrong(f"the box is no TOML: {error}") from None
    must(data.get("game") == game, "a box of another game")
    tables, beside = {}, {"provenance", "source", *ORIGINS}
    try:
        for name, table in data.items():
            if isinstance(table, dict) and name != "constants":
                tables[name] = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    except (KeyError, TypeError, ValueError) as error:
        raise Wrong(f"the box has a table that is none: {error}") from None
    constants = {name: value for name, value in data.get("constants", {}).items() if name not in beside}
    return Box(tables, constants)


def in_toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(in_toml(one) for one in value)}]"
    return canonical(value).replace("\x7f", "\\u007f")


def written_box(text: str, standard: str) -> str:
    """The one way to write a box."""
    data, order = (
        tomllib.loads(text),
        [name for name, one in tomllib.loads(standard).items() if isinstance(one, dict)],
    )
    lines = [f"game = {in_toml(data['game'])}", f"name = {in_toml(data['name'])}"]
    for name in [*(one for one in order if one != "constants"), *(["constants"] if "constants" in order else [])]:
        table = data[name]
        lines += [
            "",
            f"[{name}]",
            f"provenance = {in_toml(table['provenance'])}",
            f"source = {in_toml(table['source'])}",
        ]
        lines += [f"{origin} = {in_toml(table[origin])}" for origin in ORIGINS if table.get(origin)]
        if name == "constants":
            rest = {key: value for key, value in table.items() if key not in ("provenance", "source", *ORIGINS)}
            lines += [f"{key} = {value}" for key, value in rest.items()]
        else:
            rows = [f"    {in_toml(row)}," for row in table["rows"]]
            lines += [
                f"columns = {in_toml(table['columns'])}",
                *(["rows = [", *rows, "]"] if rows else ["rows = []"]),
            ]
    return "\n".join(lines) + "\n"


def names(game: str, label: str, box: Box) -> list[str]:
    """The names that an argument ranges over, in their order."""
    fixed = {
        ("revolution", "tokens"): ["force", "blackmail", "gold"],
        ("mali-powstancy", "scouts"): ["1", "2", "3"],
        ("mali-powstancy", "pairs"): ["1+2", "1+3", "2+3"],
        ("war-of-whispers", "kinds"): ["add", "draw", "attack", "swap"],
        ("war-of-whispers", "numbers"): [str(number) for number in range(1, 21)],
    }
    if (game, label) in fixed:
        return fixed[game, label]
    if (game, label) == ("revolution", "owners"):
        return [*box.ids("colours"), "empty"]
    if (game, label) == ("dual-powers", "tokens"):
        return [id for table in ("units", "neutral_units", "leaders", "trotsky") for id in box.ids(table)]
    if (game, label) == ("mali-powstancy", "cards"):
        return [str(row["value"]) for row in box.tables["cards"]]
    if (game, label) == ("mali-powstancy", "spaces"):
        on = [row["route"] for row in box.tables["blanks"]]
        return box.ids("locations") + [f"{id}_{i + 1}" for id in box.ids("routes") for i in range(on.count(id))]
    return box.ids(label)


class Notation:
    """Decisions of a game with a box, and their numbers."""

    def __init__(self, game: str, box: Box) -> None:
        self.kinds = FACTS[game].kinds
        labels = {label for kind in self.kinds.values() for label, _ in kind.arguments}
        self.names = {label: names(game, label, box) for label in labels}

    def number(self, text: str) -> int:
        word, *given = text.split(" ")
        must(word in self.kinds, f"there is no kind {word!r}")
        kind, number = self.kinds[word], 0
        must(len(given) == len(kind.arguments), f"{text!r} has not its arguments")
        for name, (label, capacity) in zip(given, kind.arguments, strict=True):
            must(name in self.names[label], f"{name!r} is not among the {label}")
            number = number * capacity + self.names[label].index(name)
        return kind.first + number


# --- luck ------------------------------------------------------------------------------------------------------

WORD = 0xFFFFFFFF
ROTATIONS = ((10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20))  # as published


def threefry(key: Sequence[int], counter: Sequence[int]) -> list[int]:
    """Threefry-4x32 with 20 rounds."""
    keys = [*key, 0x1BD11BDA ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    x = [(one + keys[i]) & WORD for i, one in enumerate(counter)]
    for number in range(20):
        left, right = ROTATIONS[number % 8]
        for target, source, by in ((0, 1, left), (2, 3, right)):
            x[target] = (x[target] + x[source]) & WORD
            x[source] = (((x[source] << by) | (x[source] >> (32 - by))) & WORD) ^ x[target]
        x[1], x[3] = x[3], x[1]
        if number % 4 == 3:
            turn = number // 4 + 1
            x = [(one + keys[(turn + i) % 5]) & WORD for i, one in enumerate(x)]
            x[3] = (x[3] + turn) & WORD
    return x


def words(seed: int, ply: int) -> Iterator[int]:
    key = [(seed >> (32 * i)) & WORD for i in range(4)]
    block = 0
    while True:
        yield from threefry(key, (ply, block, 0, 0))
        block += 1


def draws(seed: int, ply: int, ns: Sequence[int]) -> list[int]:
    """What comes of draws of one of n, one after the other in one ply."""
    source, found = words(seed, ply), []
    for n in ns:
        if n == 1:
            found.append(0)
        elif n <= 1 << 31:
            product = next(source) * n
            while product & WORD < ((1 << 32) - n) % n:
                product = next(source) * n
            found.append(product >> 32)
        else:
            limit, value = (1 << 62) // n * n, 1 << 62
            while value >= limit:
                a = next(source)
                value = ((a >> 1) << 31) + (next(source) >> 1)
            found.append(value % n)
    return found


# --- seed and commitment -----------------------------------------------------------------------------------------


def digest(about: str, *lines: str) -> str:
    return sha256("".join(f"{line}\n" for line in (f"samizdat fair luck 1: {about}", *lines)))


def commitment(seed: str, nonce: str) -> str:
    return hashlib.sha256(b"samizdat seed\0" + bytes.fromhex(seed) + bytes.fromhex(nonce)).hexdigest()


def fair_commitment(table: str, opened: str, secret: str) -> str:
    return digest("commitment", f"table {table}", f"opened {opened}", f"secret {secret}")


def so_far(data: Mapping[str, Any], numbers: Sequence[Sequence[Any]]) -> str:
    told = [f"{name} {data[name]}" for name in ("commitment", "game", "rules", "box", "variant", "players")]
    given = [f"number {seat} {digest('number', number)}" for seat, number in numbers]
    return digest("so far", *told, f"options {canonical(data['options'])}", *given)


def fair_seed(data: Mapping[str, Any]) -> str:
    numbers = data["fair"]["numbers"]
    given = [f"number {seat} {number}" for seat, number in numbers]
    return digest("seed", f"secret {data['nonce']}", f"so far {so_far(data, numbers)}", *given)[:32]


def check_fair(data: Mapping[str, Any]) -> None:
    fair = data["fair"]
    must(set(fair) == {"table", "opened", "numbers"}, "fair has other fields")
    must(isinstance(fair["table"], str) and bool(re.fullmatch("[A-Za-z0-9_-]{1,40}", fair["table"])), "fair: table")
    day = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
    must(isinstance(fair["opened"], str) and bool(re.fullmatch(day, fair["opened"])), "fair: opened")
    must(isinstance(fair["numbers"], list), "fair: numbers")
    for one in fair["numbers"]:
        pair = isinstance(one, list) and len(one) == 2 and whole(one[0]) and 0 <= one[0] < data["players"]
        must(pair and digits(one[1], 64), "fair: a number")
    seats = [seat for seat, _ in fair["numbers"]]
    must(len(seats) == len(set(seats)), "fair: a seat twice")
    must("start" not in data, "fair, but not dealt")
    must(data["commitment"] == fair_commitment(fair["table"], fair["opened"], data["nonce"]), "commitment")
    must(data["seed"] == fair_seed(data), "seed does not follow")


# --- the file ------------------------------------------------------------------------------------------------------


def read(text: str, boxes: Mapping[str, str]) -> Reading:
    """A file, checked as far as the pages go; `boxes` are the texts of the standard boxes."""
    data = parsed(text)
    must(data.get("format") == "samizdat-match", "format")
    for name in data:
        must(name in FIELDS or name in OPTIONAL, f"field {name!r} does not belong here")
    for name, kind in FIELDS.items():
        must(name in data and isinstance(data[name], kind) and not isinstance(data[name], bool), f"field {name}")
    for name, kind in OPTIONAL.items():
        must(name not in data or isinstance(data[name], kind), f"field {name}")
    must(data["version"] == 1, "version")
    try:
        must(data["checksum"] == checksum(data), "checksum")
    except UnicodeEncodeError:
        raise Wrong("half a character") from None
    except RecursionError:
        raise Wrong("nested too deeply") from None
    must(data["game"] in FACTS, "game")
    facts = FACTS[data["game"]]
    check_chosen(data, facts)
    standard = boxes[data["game"]]
    box = read_box(data.get("printed", standard), data["game"])
    must(box.hash == data["box"], "box")
    if "printed" in data:
        must(data["box"] != facts.box, "printed, but the standard box")
        must(written_box(data["printed"], standard) == data["printed"], "printed in another way")
    for name in ("seed", "nonce"):
        must(digits(data[name], 32), name)
    if "fair" in data:
        check_fair(data)
    else:
        must(data["commitment"] == commitment(data["seed"], data["nonce"]), "commitment")
    if "start" in data:
        check_start(data["start"])
    if "seats" in data:
        good = all(isinstance(name, str) and len(name) <= 60 for name in data["seats"])
        must(good and len(data["seats"]) == data["players"], "seats")
    decisions = tuple(check_moves(data, Notation(data["game"], box)))
    check_result(data["result"], facts, data["players"])
    return Reading(
        data["game"], data["players"], int(data["seed"], 16), decisions, check_luck(data), data["result"],
        "start" not in data,
    )  # fmt: skip


def check_chosen(data: Mapping[str, Any], facts: Facts) -> None:
    must(data["rules"] in facts.rules, "rules")
    must(data["variant"] in facts.variants and data["players"] in facts.variants[data["variant"]], "players")
    open_here = {
        name: one for name, one in facts.options.items() if not one.variants or data["variant"] in one.variants
    }
    for name, value in data["options"].items():
        if (data["game"], name) == ("revolution", "deals"):
            must(isinstance(value, bool), "option deals")
        else:
            must(name in open_here and open_here[name].allows(value), f"option {name}")
    must(open_here.keys() <= data["options"].keys(), "an option is missing")


def check_moves(data: Mapping[str, Any], notation: Notation) -> Iterator[Decision]:
    for move in data["moves"]:
        must(isinstance(move, str), "a decision that is no text")
        seat, _, text = move.partition(" ")
        must(re.fullmatch("0|[1-9]", seat) is not None and int(seat) < data["players"], f"seat of {move!r}")
        yield Decision(int(seat), text, notation.number(text))


def check_luck(data: Mapping[str, Any]) -> dict[int, list[int]]:
    given = {}
    for ply, outcomes in data["luck"].items():
        must(re.fullmatch("0|[1-9][0-9]{0,8}", ply) is not None and int(ply) <= len(data["moves"]), "luck: ply")
        must(isinstance(outcomes, list) and 1 <= len(outcomes) <= 512, "luck: outcomes")
        must(all(whole(one) and 0 <= one < 1 << 62 for one in outcomes), "luck: an outcome")
        given[int(ply)] = outcomes
    return given


def check_start(start: Mapping[str, Any]) -> None:
    must(set(start) == {"version", "scene", "position"}, "start has other fields")
    must(whole(start["version"]) and start["version"] == 1, "start: version")
    must(isinstance(start["scene"], str) and bool(re.fullmatch("[a-z0-9_]{0,60}", start["scene"])), "start: scene")
    must(isinstance(start["position"], dict), "start: position")

    def numbers(value: Any) -> bool:
        return all(map(numbers, value)) if isinstance(value, list) else whole(value)

    must(all(numbers(value) for value in start["position"].values()), "start: a field that is no number")


def check_result(result: Any, facts: Facts, players: int) -> None:
    if result is None:
        return
    must(set(result) == {"reason", "scores", "ranks"}, "result has other fields")
    must(isinstance(result["reason"], str) and result["reason"] in facts.reasons, "reason")
    for name in ("scores", "ranks"):
        good = isinstance(result[name], list) and len(result[name]) == players and all(map(whole, result[name]))
        must(good, name)
    must(all(1 <= rank <= players + 1 for rank in result["ranks"]), "ranks")
