"""Starts: the position from which a match begins that was not dealt.

A match file carries it as its field "start"::

    {"version": 1, "scene": "t06_spy", "position": {"point": 1, "followers": [[0, 3, 0, 0], ...], ...}}

`scene` names where the position comes from, if anywhere. `position` has the fields of the game's state by name, each
a number or nested lists of its whole shape; a field that is not named is as it is before the deal. What was chosen
before the deal (players, variant, options) stands elsewhere in the file, and not here.

Whoever writes a file can write any numbers, and compiled code checks no index. So a start from a file is taken only
if every value is within its game's reach, no law is broken, somebody is to decide, what everybody sees of it can be
worked out, and a few matches can be played on from it by the interpreter, which checks indices, every law
holding after each decision.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from samizdat.kernel import interpreted as engine
from samizdat.kernel.arguments import clip, whole
from samizdat.kernel.errors import MatchFileError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.reach import chosen_before_the_deal, out_of_reach
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Phrase

START_VERSION = 1
FIELDS = ("version", "scene", "position")
NAME = re.compile(r"[a-z0-9_]{0,60}")
SPECTATOR = -1
TRIALS, LONGEST_TRIAL = 3, 80  # matches that are tried, and decisions of each
WRONG = (IndexError, ValueError, OverflowError, ZeroDivisionError, KeyError)  # no rule was made for such numbers


@dataclass(frozen=True)
class Start:
    """A position, and the name of the scene it comes from ("" if from none)."""

    position: Record
    scene: str = ""


def written(game: Game, start: Start) -> dict[str, Any]:
    """A start as a match file and a database hold it."""
    blank, chosen = game.blank(), chosen_before_the_deal(game)
    position = {
        name: start.position.array[name][0].tolist()
        for name in game.definition.state.fields
        if name not in chosen and not np.array_equal(start.position.array[name], blank.array[name])
    }
    return {"version": START_VERSION, "scene": start.scene, "position": position}


def read_start(game: Game, data: object, trusted: bool = False) -> Start:
    """The start that some data means; MatchFileError says in one sentence why it is none. What this program itself
    has written is trusted: no matches are played on from it."""
    if not isinstance(data, Mapping) or sorted(data) != sorted(FIELDS) or not isinstance(data["position"], Mapping):
        raise MatchFileError(Phrase('Field "start" must hold a version, a scene and a position.'))
    if whole(data["version"]) != START_VERSION:
        versions = {"given": clip(data["version"]), "known": START_VERSION}
        raise MatchFileError(
            Phrase('Field "start" is of version {given}; this program reads version {known}.', versions)
        )
    scene = data["scene"]
    if not isinstance(scene, str) or not NAME.fullmatch(scene):
        raise MatchFileError(Phrase('Field "start": {name} is no name of a scene.', {"name": clip(scene)}))
    state = game.blank()
    for name, value in data["position"].items():
        _fill(game, state, name, value)
    _check(game, state)
    if not trusted and not all(_goes_on(game, state, seed) for seed in range(TRIALS)):
        raise _impossible(game)
    return Start(state, scene)


def _fill(game: Game, state: Record, name: str, value: object) -> None:
    field = game.definition.state.fields.get(name)
    if field is None or name in chosen_before_the_deal(game):
        raise MatchFileError(Phrase('Field "start": a position has no {name}.', {"name": clip(name)}))
    flat = _flat(value, field.shape)
    if flat is None or not all(field.low <= one <= field.high for one in flat):
        wrong = {"name": name, "low": field.low, "high": field.high}
        raise MatchFileError(
            Phrase('Field "start": {name} must have its whole shape, with numbers from {low} to {high}.', wrong)
        )
    state.array[name][0] = np.reshape(np.array(flat, np.int64), field.shape)


def _flat(value: object, shape: tuple[int, ...]) -> list[int] | None:
    """The numbers of nested lists of that shape, in order; None if they are something else."""
    if not shape:
        return [value] if isinstance(value, int) and not isinstance(value, bool) else None
    if not isinstance(value, list) or len(value) != shape[0]:
        return None
    found: list[int] = []
    for one in value:
        inner = _flat(one, shape[1:])
        if inner is None:
            return None
        found += inner
    return found


def _impossible(game: Game) -> MatchFileError:
    return MatchFileError(Phrase('Field "start": this position cannot come about in the game.'), game)


def _goes_on(game: Game, start: Record, seed: int) -> bool:
    """Whether a match played on at random goes by the rules, as far as it is tried."""
    box, state, dice, luck = game.box.record, start.copy(), random.Random(seed), Luck()
    seed_luck(luck, seed)
    try:
        for ply in range(1, LONGEST_TRIAL):
            seats = engine.acting(state)
            if not seats:
                break
            seat = dice.choice(seats)
            moves = engine.legal_moves(box, state, seat, game.capacity)
            if not moves or game.definition.laws.broken(box, state):
                return False
            engine.decide(box, state, luck, ply, seat, dice.choice(moves))
        engine.scored(box, state)
    except WRONG:
        return False
    return not out_of_reach(game, state.array)


def _check(game: Game, state: Record) -> None:
    impossible = _impossible(game)
    if out_of_reach(game, state.array):
        raise impossible
    box = game.box.record
    try:
        law = game.definition.laws.broken(box, state)
        if not law:
            for viewer in (SPECTATOR, *range(game.players)):
                engine.hidden(box, state, viewer)
            deciding = {seat: engine.legal_moves(box, state, seat, game.capacity) for seat in engine.acting(state)}
    except WRONG:
        raise impossible from None
    if law:
        broken = {"law": str(game.definition.laws.LAWS[law])}
        raise MatchFileError(Phrase('Field "start": the position breaks a law of the game ({law}).', broken), game)
    if not deciding or not all(deciding.values()):
        raise MatchFileError(Phrase('Field "start": nobody has anything to decide in this position.'), game)
