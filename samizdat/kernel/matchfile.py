"""Match files: one JSON text that replays exactly, or is refused with the reason.

The referee's file holds everything. A seat's file holds what that seat may know, and cannot be loaded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from samizdat.kernel.arguments import clip, shorten, wholes
from samizdat.kernel.box import Box, BoxFile
from samizdat.kernel.boxfile import write_box
from samizdat.kernel.errors import (
    BoxError,
    GameOver,
    IllegalMove,
    MatchFileError,
    NotYourTurn,
    OptionError,
    SamizdatError,
)
from samizdat.kernel.fairness import Fairness, read_fairness
from samizdat.kernel.game import Definition, Game, definition
from samizdat.kernel.luck import SEED_BITS
from samizdat.kernel.match import Match
from samizdat.kernel.starts import Start, read_start, written
from samizdat.kernel.telling import Phrase

FORMAT = "samizdat-match"
SEAT_FORMAT = "samizdat-seat"
FORMAT_VERSION = 1
LONGEST_FILE = 64 * 1024 * 1024  # characters; far beyond any match

FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": str, "version": int, "game": str, "rules": int, "box": str, "variant": str, "players": int,
    "options": dict, "seed": str, "nonce": str, "commitment": str, "moves": list, "luck": dict,
    "result": (dict, type(None)), "checksum": str,
}  # fmt: skip


# The names of those who played; the box itself, where it is not the one that everybody has; the position of a match
# that was not dealt; what the seed follows from, where browsers could add to it.
OPTIONAL = ("seats", "printed", "start", "fair")
LONGEST_NAME = 60  # characters


def commitment(seed: int, nonce: int, fairness: Fairness | None = None) -> str:
    """The hash a table publishes before the first decision; seed and nonce come out after the last. Where browsers
    add to the seed there is none yet: then the nonce is the secret, and the hash is of that."""
    if fairness is not None:
        return fairness.commitment(nonce)
    size = SEED_BITS // 8
    secret = b"samizdat seed\0" + seed.to_bytes(size, "big") + nonce.to_bytes(size, "big")
    return hashlib.sha256(secret).hexdigest()


def checksum(data: Mapping[str, Any]) -> str:
    """A hash of everything in the file but the checksum itself."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    return hashlib.sha256(_plain(rest).encode()).hexdigest()


def _plain(data: object) -> str:
    """Data in the one way there is to write it, so that 1.0 is not 1, as it would be to Python."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def result(match: Match) -> dict[str, Any] | None:
    if not match.over:
        return None
    return {"reason": match.reason, "scores": match.scores, "ranks": match.ranks}


def dumps(match: Match) -> str:
    """The referee's file of a match. Read and written again it is the same, byte for byte."""
    game = match.game
    plies = (match._deal, *match._played)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "game": game.name,
        "rules": game.rules,
        "box": game.box.hash,
        **({"printed": game.printed} if game.printed else {}),
        "variant": game.variant,
        "players": game.players,
        "options": dict(game.options),
        **({"seats": list(match.names)} if match.names else {}),
        **({"start": written(game, match.start)} if match.start else {}),
        **({"fair": match.fairness.written()} if match.fairness else {}),
        "seed": f"{match.seed:032x}",
        "nonce": f"{match.nonce:032x}",
        "commitment": match.commitment,
        "moves": [f"{seat} {move}" for seat, move in match.moves],
        "luck": {str(number): list(ply.script) for number, ply in enumerate(plies) if ply.script},
        "result": result(match),
    }
    return sealed(data)


def sealed(data: Mapping[str, Any]) -> str:
    """The text of a referee's file, with its checksum."""
    return json.dumps({**data, "checksum": checksum(data)}, indent=1, ensure_ascii=False) + "\n"


def dumps_seat(match: Match, seat: int | None) -> str:
    """What a seat may take away: its view, its log and its own moves."""
    view = match.view(seat)
    data = {
        "format": SEAT_FORMAT,
        "version": FORMAT_VERSION,
        "game": match.game.name,
        "rules": match.game.rules,
        "box": match.game.box.hash,
        **({"printed": match.game.printed} if match.game.printed else {}),
        "seat": view["seat"],
        "view": view,
        "log": [[line.rule, str(line)] for line in match.log(seat)],
        "moves": [str(move) for other, move in match.moves if other == seat],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read_fields(text: str) -> dict[str, Any]:
    """The file as plain data, every field present and of its type, and the checksum right."""
    if not isinstance(text, str):
        raise MatchFileError(Phrase("A match file is a text, not {kind}.", {"kind": type(text).__name__}))
    if len(text) > LONGEST_FILE:
        raise MatchFileError(Phrase("Not a match file: it is longer than any match could be."))
    try:
        return _checked(_parsed(text))
    except RecursionError:
        raise MatchFileError(Phrase("Not a match file: it is nested too deeply.")) from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise MatchFileError(
            Phrase("Not a whole match file: it cannot be read on from line {line}, column {column}.", place)
        ) from None
    except ValueError as error:
        why = (
            error.args[0]
            if isinstance(error.args[0], Phrase)
            else Phrase("a number in it is longer than any match's.")
        )
        raise MatchFileError(Phrase("Not a match file: {why}", {"why": why})) from None


def _checked(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, SEAT_FORMAT):
        raise MatchFileError(Phrase('Not a match file: its field "format" must be "{format}".', {"format": FORMAT}))
    if data["format"] == SEAT_FORMAT:
        raise MatchFileError(Phrase("This is a seat's file; only the referee's file can be loaded or verified."))
    if data.get("version") != FORMAT_VERSION:
        versions = {"given": clip(data.get("version")), "known": FORMAT_VERSION}
        raise MatchFileError(Phrase('Field "version" is {given}; this program reads version {known}.', versions))
    for name, kind in FIELDS.items():
        if name not in data:
            raise MatchFileError(Phrase('Field "{name}" is missing.', {"name": name}))
        if not isinstance(data[name], kind) or isinstance(data[name], bool):
            wrong = {"name": name, "value": clip(data[name])}
            raise MatchFileError(Phrase('Field "{name}" has the wrong type: {value}.', wrong))
    for name in data:
        if name not in FIELDS and name not in OPTIONAL:
            raise MatchFileError(Phrase("Field {name} does not belong into a match file.", {"name": clip(name)}))
    try:
        fits = data["checksum"] == checksum(data)
    except UnicodeEncodeError as error:
        half = {"half": shorten(error.object[error.start])}
        raise MatchFileError(
            Phrase("Not a match file: it holds half a character ({half}), which no text can.", half)
        ) from None
    if not fits:
        raise MatchFileError(Phrase('Field "checksum" does not fit the rest: the file was altered or damaged.'))
    return data


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError(Phrase("a field stands twice."))
    return data


def _no_constant(name: str) -> Any:
    raise ValueError(Phrase("{name} is no number.", {"name": name}))


def _hex(data: Mapping[str, Any], name: str) -> int:
    value = data[name]
    if len(value) != SEED_BITS // 4 or any(digit not in "0123456789abcdef" for digit in value):
        wrong = {"name": name, "digits": SEED_BITS // 4, "value": clip(value)}
        raise MatchFileError(Phrase('Field "{name}" must be {digits} hexadecimal digits, not {value}.', wrong))
    return int(value, 16)


def _luck(data: Mapping[str, Any]) -> dict[int, list[int]]:
    luck: dict[int, list[int]] = {}
    for ply, outcomes in data["luck"].items():
        good = ply.isascii() and ply.isdigit() and len(ply) < 10 and ply == str(int(ply))
        if not good or not isinstance(outcomes, list) or not outcomes or wholes(outcomes) is None:
            wrong = {"ply": clip(ply)}
            raise MatchFileError(Phrase('Field "luck": {ply} must be a ply with a list of outcomes.', wrong))
        luck[int(ply)] = outcomes
    return luck


def _names(data: Mapping[str, Any], game: Game) -> tuple[str, ...]:
    """How those who played are called; () if nobody wrote that down."""
    names = data.get("seats", [])
    good = isinstance(names, list) and all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in names)
    if not good or ("seats" in data and len(names) != game.players):
        wrong = {"players": game.players, "value": clip(data["seats"])}
        raise MatchFileError(Phrase('Field "seats" must be a list of {players} names, not {value}.', wrong))
    return tuple(names)


def _start(data: Mapping[str, Any], game: Game) -> Start | None:
    """The position that the match begins with; None if it was dealt."""
    if "start" not in data:
        return None
    start = read_start(game, data["start"])
    if _plain(written(game, start)) != _plain(data["start"]):  # one way to write it, so that a file stays the same
        raise MatchFileError(Phrase('Field "start" names what need not be named: a field as it is before the deal.'))
    return start


def loads(text: str, box: str | Path | None = None) -> Match:
    """Read a referee's file and replay it. MatchFileError says what is wrong; nothing is ever half-loaded."""
    data = read_fields(text)
    try:
        found = definition(data["game"])
        if not found.knows(data["rules"]):
            versions = {"game": found.name, "given": shorten(data["rules"]), "known": found.version}
            raise MatchFileError(
                Phrase(
                    'Field "rules": the match was played under version {given} of the rules of {game}; '
                    "this program has version {known}.",
                    versions,
                )
            )
        printed = _carried(found, data) if box is None and "printed" in data else box
        game = found.recall(data["players"], data["variant"], printed, data["options"], data["rules"])
    except OptionError as error:
        why = {"why": error.args[0]}
        raise MatchFileError(Phrase("The match file asks for what does not exist: {why}", why)) from None
    if game.box.hash != data["box"]:
        boxes = {"given": clip(data["box"]), "known": game.box.hash}
        raise MatchFileError(
            Phrase(
                'Field "box": the match was played with another box ({given}, not {known}); '
                "that box is needed to read it.",
                boxes,
            )
        )
    seed, nonce, luck = _hex(data, "seed"), _hex(data, "nonce"), _luck(data)
    fairness = read_fairness(data["fair"], game.players) if "fair" in data else None
    if commitment(seed, nonce, fairness) != data["commitment"]:
        raise MatchFileError(
            Phrase('Field "commitment" is not the hash of seed and nonce.')
            if fairness is None
            else Phrase('Field "commitment" is not the hash of the table, its time and the nonce.')
        )
    if fairness is not None and fairness.seed(game, nonce) != seed:
        raise MatchFileError(Phrase('Field "seed" does not follow from the nonce, the game and the numbers.'))
    if any(ply > len(data["moves"]) for ply in luck):
        raise MatchFileError(Phrase('Field "luck" names a ply that was not played.'))
    start = _start(data, game)
    if start is not None and fairness is not None:
        raise MatchFileError(Phrase('Field "fair" does not belong into a match that was not dealt.'))
    try:
        match = Match(game, seed, luck.get(0, []), nonce, start)
    except SamizdatError as error:
        raise MatchFileError(Phrase('Field "luck", ply 0: {why}', {"why": error.args[0]}), game) from None
    for number, entry in enumerate(data["moves"], start=1):
        seat, _, move = entry.partition(" ") if isinstance(entry, str) else ("", "", "")
        if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
            raise _no_move(number, entry)
        try:
            played = match.decide(int(seat), move, luck.get(number, []))
        except SamizdatError as error:
            wrong = {"number": number, "why": _refusal(match, int(seat), move, error)}
            raise MatchFileError(Phrase('Field "moves", number {number}: {why}', wrong), game) from None
        if entry != f"{int(seat)} {played}":  # a file has one way to write a move, so that it stays
            raise _no_move(number, entry)
    if _plain(data["result"]) != _plain(result(match)):
        raise MatchFileError(Phrase('Field "result" is not what the moves lead to.'), game)
    match.names = _names(data, game)
    match.fairness = fairness
    return match


def _carried(found: Definition, data: Mapping[str, Any]) -> Box:
    """The box that a file brings along."""
    if not isinstance(data["printed"], str):
        wrong = {"name": "printed", "value": clip(data["printed"])}
        raise MatchFileError(Phrase('Field "{name}" has the wrong type: {value}.', wrong))
    try:
        box = found.box_from(BoxFile("box.toml", data["printed"]))
    except BoxError as error:
        why = {"why": error.args[0]}
        raise MatchFileError(Phrase('Field "printed": the box in it cannot be played: {why}', why)) from None
    if box.hash != data["box"]:
        boxes = {"given": clip(data["box"]), "found": box.hash}
        raise MatchFileError(
            Phrase(
                'Field "printed": the box in it ({found}) is not the one that the match was played with ({given}).',
                boxes,
            )
        )
    if box.hash == found.standard_box.hash or write_box(box.text) != data["printed"]:  # a file has one way to say it
        raise MatchFileError(Phrase('Field "printed" is not what this program would write there.'))
    return box


def _no_move(number: int, entry: object) -> MatchFileError:
    wrong = {"number": number, "entry": clip(entry)}
    return MatchFileError(Phrase('Field "moves", number {number}: {entry} is not a seat and a move.', wrong))


def _refusal(match: Match, seat: int, move: str, error: SamizdatError) -> object:
    """Why a decision of a file could not be played, to be said in any language."""
    if isinstance(error, IllegalMove):
        words = {"move": str(match.game.notation.read(move)), "why": error.why, "rule": error.rule}
        return Phrase("{move} is not possible now: {why} ({rule})", words)
    if seat >= match.seats:
        return Phrase(
            "There is no seat {seat}; seats are numbered 0 to {last}.", {"seat": seat, "last": match.seats - 1}
        )
    if isinstance(error, NotYourTurn | GameOver):
        return Phrase("Seat {seat} has nothing to decide now.", {"seat": seat})
    return error.args[0]
