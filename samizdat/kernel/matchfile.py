"""Match files: one JSON text that replays exactly, or is refused with the reason.

The referee's file holds everything. A seat's file holds what that seat may know, and cannot be loaded.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samizdat.kernel.errors import MatchFileError, OptionError, SamizdatError
from samizdat.kernel.game import definition
from samizdat.kernel.luck import SEED_BITS
from samizdat.kernel.match import Match
from samizdat.kernel.moves import clip

FORMAT = "samizdat-match"
SEAT_FORMAT = "samizdat-seat"
FORMAT_VERSION = 1
LONGEST_FILE = 64 * 1024 * 1024  # characters; far beyond any match

FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": str, "version": int, "game": str, "rules": int, "box": str, "variant": str, "players": int,
    "options": dict, "seed": str, "nonce": str, "commitment": str, "moves": list, "luck": dict,
    "result": (dict, type(None)), "checksum": str,
}  # fmt: skip


def commitment(seed: int, nonce: int) -> str:
    """The hash a table publishes before the first decision; seed and nonce come out after the last."""
    size = SEED_BITS // 8
    secret = b"samizdat seed\0" + seed.to_bytes(size, "big") + nonce.to_bytes(size, "big")
    return hashlib.sha256(secret).hexdigest()


def checksum(data: Mapping[str, Any]) -> str:
    """A hash of everything in the file but the checksum itself."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def result(match: Match) -> dict[str, Any] | None:
    if not match.over:
        return None
    return {"reason": match.reason, "scores": match.scores, "ranks": match.ranks}


def dumps(match: Match, nonce: int | None = None) -> str:
    """The referee's file of a match."""
    if nonce is None:
        nonce = secrets.randbits(SEED_BITS)
    game = match.game
    plies = (match._deal, *match._history)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "game": game.name,
        "rules": game.definition.version,
        "box": game.box.hash,
        "variant": game.variant,
        "players": game.players,
        "options": dict(game.options),
        "seed": f"{match.seed:032x}",
        "nonce": f"{nonce:032x}",
        "commitment": commitment(match.seed, nonce),
        "moves": [f"{seat} {move}" for seat, move in match.moves],
        "luck": {str(number): list(ply.script) for number, ply in enumerate(plies) if ply.script},
        "result": result(match),
    }
    data["checksum"] = checksum(data)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def dumps_seat(match: Match, seat: int | None) -> str:
    """What a seat may take away: its view, its log and its own moves."""
    data = {
        "format": SEAT_FORMAT,
        "version": FORMAT_VERSION,
        "game": match.game.name,
        "rules": match.game.definition.version,
        "box": match.game.box.hash,
        "seat": seat,
        "view": match.view(seat),
        "log": [[line.rule, str(line)] for line in match.log(seat)],
        "moves": [str(move) for other, move in match.moves if other == seat],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read_fields(text: str) -> dict[str, Any]:
    """The file as plain data, every field present and of its type, and the checksum right."""
    if not isinstance(text, str):
        raise MatchFileError(f"A match file is a text, not {type(text).__name__}.")
    if len(text) > LONGEST_FILE:
        raise MatchFileError("Not a match file: it is longer than any match could be.")
    try:
        data = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise MatchFileError(
            f"Not a whole match file: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except (RecursionError, ValueError) as error:
        raise MatchFileError(f"Not a match file: {clip(str(error))}.") from None
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, SEAT_FORMAT):
        raise MatchFileError(f'Not a match file: its field "format" must be "{FORMAT}".')
    if data["format"] == SEAT_FORMAT:
        raise MatchFileError("This is a seat's file; only the referee's file can be loaded or verified.")
    if data.get("version") != FORMAT_VERSION:
        raise MatchFileError(
            f'Field "version" is {clip(data.get("version"))}; this program reads version {FORMAT_VERSION}.'
        )
    for name, kind in FIELDS.items():
        if name not in data:
            raise MatchFileError(f'Field "{name}" is missing.')
        if not isinstance(data[name], kind) or isinstance(data[name], bool):
            raise MatchFileError(f'Field "{name}" has the wrong type: {clip(data[name])}.')
    for name in data:
        if name not in FIELDS:
            raise MatchFileError(f"Field {clip(name)} does not belong into a match file.")
    if data["checksum"] != checksum(data):
        raise MatchFileError('Field "checksum" does not fit the rest: the file was altered or damaged.')
    return data


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a field stands twice")
    return data


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _hex(data: Mapping[str, Any], name: str) -> int:
    value = data[name]
    if len(value) != SEED_BITS // 4 or any(digit not in "0123456789abcdef" for digit in value):
        raise MatchFileError(f'Field "{name}" must be {SEED_BITS // 4} hexadecimal digits, not {clip(value)}.')
    return int(value, 16)


def _luck(data: Mapping[str, Any]) -> dict[int, list[int]]:
    luck: dict[int, list[int]] = {}
    for ply, outcomes in data["luck"].items():
        good = ply.isascii() and ply.isdigit() and len(ply) < 10 and isinstance(outcomes, list)
        if not good or any(isinstance(one, bool) or not isinstance(one, int) or one < 0 for one in outcomes):
            raise MatchFileError(f'Field "luck": {clip(ply)} must be a ply with a list of outcomes.')
        luck[int(ply)] = outcomes
    return luck


def loads(text: str, box: str | Path | None = None) -> Match:
    """Read a referee's file and replay it. MatchFileError says what is wrong; nothing is ever half-loaded."""
    match, _ = _replay(text, box)
    return match


def _replay(text: str, box: str | Path | None) -> tuple[Match, dict[str, Any]]:
    data = read_fields(text)
    try:
        found = definition(data["game"])
        if data["rules"] != found.version:
            raise MatchFileError(
                f'Field "rules": the match was played under version {data["rules"]} of the rules of {found.name}; '
                f"this program has version {found.version}."
            )
        game = found.choose(data["players"], data["variant"], box, **data["options"])
    except OptionError as error:
        raise MatchFileError(f"The match file asks for what does not exist: {error}") from None
    except TypeError:
        raise MatchFileError('Field "options" must hold the names of options.') from None
    if game.box.hash != data["box"]:
        raise MatchFileError(
            f'Field "box": the match was played with another box ({clip(data["box"])}, not {game.box.hash}); '
            "give that box file with box=."
        )
    seed, nonce, luck = _hex(data, "seed"), _hex(data, "nonce"), _luck(data)
    if commitment(seed, nonce) != data["commitment"]:
        raise MatchFileError('Field "commitment" is not the hash of seed and nonce.')
    if any(ply > len(data["moves"]) for ply in luck):
        raise MatchFileError('Field "luck" names a ply that was not played.')
    try:
        match = Match(game, seed, luck.get(0, []))
    except SamizdatError as error:
        raise MatchFileError(f'Field "luck", ply 0: {error}') from None
    for number, entry in enumerate(data["moves"], start=1):
        seat, _, move = entry.partition(" ") if isinstance(entry, str) else ("", "", "")
        if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
            raise MatchFileError(f'Field "moves", number {number}: {clip(entry)} is not a seat and a move.')
        try:
            match.play(int(seat), move, luck.get(number, []))
        except SamizdatError as error:
            raise MatchFileError(f'Field "moves", number {number}: {error}') from None
    if data["result"] != result(match):
        raise MatchFileError('Field "result" is not what the moves lead to.')
    return match, data


@dataclass(frozen=True)
class Verdict:
    """What `verify` says: yes or no, and why."""

    good: bool
    why: str


def verify(text: str, box: str | Path | None = None) -> Verdict:
    """Replay a finished match and say whether seed, moves and result belong together."""
    try:
        match, data = _replay(text, box)
    except SamizdatError as error:
        return Verdict(False, str(error))
    if not match.over:
        return Verdict(False, f"The match is not finished: {match.plies} decisions, and nobody has won yet.")
    return Verdict(
        True,
        f"{match.plies} decisions replayed; the seed fits the hash {data['commitment'][:16]}… published before "
        f"the first; {match.reason}, scores {', '.join(map(str, match.scores))}.",
    )
