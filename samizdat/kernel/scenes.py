"""Scenes: the worked examples of a rulebook as data, played by the tests and by people in their browsers.

A scene file says what is given, what is played and what is expected::

    title = "The Spy turns a tie"
    ask = "Yellow has the Spy. Which follower should go?"
    example = "T-6"
    rules = ["R6.4", "A-7"]     # the one that it is about first: the rulebook shows it there

    [game]
    players = 3

    [given]                     # fields of the state, by name; the game's `arrange` fills in what follows
    point = "spy"
    chooser = "yellow"
    followers.cathedral = { yellow = 3, blue = 3, green = 1 }

    [[step]]
    say = "Yellow replaces a blue follower in the Cathedral."
    play = ["yellow take cathedral blue"]
    refuse = [["yellow take cathedral yellow", "A-7"]]     # tried first: each is refused, citing that rule
    expect.followers.cathedral = { yellow = 4, blue = 2 }

A step may also `call` a function of the rules that no decision reaches (`call = ["remove_refused", "green"]`),
give `luck` (outcomes for the draws of its last decision), and expect `turn`, `scores`, `winners`, `reason` and
`legal` (a table of seats with the full list of notations) besides fields of the state. Whoever tries the scene makes
the first decisions of it, or those of the seat that `yours` names; `kernel/exercises.py` says how.
"""

from __future__ import annotations

import inspect
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samizdat.kernel.errors import IllegalMove, SamizdatError
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match

RESULTS = ("turn", "scores", "winners", "reason", "legal", "over")


class SceneError(AssertionError):
    """A scene that did not go as written."""


@dataclass(frozen=True)
class Scene:
    """One worked example."""

    path: Path
    title: str
    ask: str
    example: str
    rules: tuple[str, ...]
    options: dict[str, Any]
    given: dict[str, Any]
    steps: list[dict[str, Any]]
    lawless: bool  # the example shows a board that the rules never let happen
    yours: str  # the seat that decides, where it is not the first one that does

    @property
    def name(self) -> str:
        return self.path.stem


def read_scenes(definition: Definition) -> list[Scene]:
    """All scenes of a game, in the order of their file names."""
    return [read_scene(path) for path in sorted((definition.folder / "scenes").glob("*.toml"))]


def read_scene(path: Path) -> Scene:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    unknown = set(data) - {"title", "ask", "example", "rules", "game", "given", "step", "lawless", "yours"}
    if unknown:
        raise SceneError(f"{path}: unknown {', '.join(sorted(unknown))}")
    for step in data["step"]:
        unknown = set(step) - {"say", "play", "refuse", "expect", "call", "luck"}
        if unknown:
            raise SceneError(f"{path}: unknown {', '.join(sorted(unknown))} in a step")
    return Scene(
        path, data["title"], data["ask"], data["example"], tuple(data["rules"]), data.get("game", {}),
        data.get("given", {}), data["step"], data.get("lawless", False), data.get("yours", ""),
    )  # fmt: skip


def play_scene(definition: Definition, scene: Scene) -> Match:
    """Play a scene and hold it to what it expects; the match at its end."""
    match = set_scene(definition, scene)
    for number, step in enumerate(scene.steps, start=1):
        where = f"{scene.name}, step {number}"
        _refuse(match, step.get("refuse", []), where)
        moves = step.get("play", [])
        for i, text in enumerate(moves):
            seat, move = seat_and_move(match.game, text)
            match.play(seat, move, step.get("luck", []) if i == len(moves) - 1 else [])
        if "call" in step:
            call(match, step["call"])
        expect(match, step.get("expect", {}), where)
    return match


def set_scene(definition: Definition, scene: Scene) -> Match:
    """A match at the position the scene begins with."""
    match = definition.choose(**scene.options).match(seed=0)
    write(match.game, match._state, scene.given)
    if scene.given:
        definition.show.arrange(match.game, match._state, scene.given)
    law = definition.laws.broken(match.game.box.record, match._state)
    if law and not scene.lawless:
        raise SceneError(f"{scene.name}: what is given breaks a law: {definition.laws.LAWS[law]}")
    return match


def _axis(game: Game, label: str) -> tuple[str, ...]:
    """The names along one axis of a field, or of the values of a field: a table of the box, or fixed words."""
    return game.words(label)


def number(game: Game, label: str | None, value: Any) -> int:
    """A value of a scene as the record holds it: a number, or a word of the axis it belongs to."""
    if isinstance(value, str):
        if label is None:
            raise SceneError(f"{value!r} stands where a number is expected")
        names = _axis(game, label)
        return names.index(value) if value in names else int(value)
    return int(value)


def flatten(game: Game, data: dict[str, Any]) -> list[tuple[str, tuple[int, ...], int]]:
    """Nested tables of a scene as (field, index, value)."""
    found: list[tuple[str, tuple[int, ...], int]] = []
    for field, value in data.items():
        axes: tuple[str | None, ...] = game.definition.show.AXES.get(field, ())
        shape = game.definition.state.fields[field].shape
        labels = axes[: len(shape)]
        value_label = axes[len(shape)] if len(axes) > len(shape) else None
        _flatten(game, field, value, labels, len(shape), value_label, (), found)
    return found


def _flatten(
    game: Game, field: str, value: Any, labels: tuple[str | None, ...], depth: int, value_label: str | None,
    index: tuple[int, ...], found: list[tuple[str, tuple[int, ...], int]],
) -> None:  # fmt: skip
    if len(index) == depth:
        found.append((field, index, number(game, value_label, value)))
        return
    label = labels[len(index)] if len(index) < len(labels) else None
    entries = enumerate(value) if isinstance(value, list) else value.items()
    for key, inner in entries:
        at = key if isinstance(key, int) else number(game, label, key)
        _flatten(game, field, inner, labels, depth, value_label, (*index, at), found)


def write(game: Game, state: Any, data: dict[str, Any]) -> None:
    for field, index, value in flatten(game, data):
        if index:
            getattr(state, field)[index if len(index) > 1 else index[0]] = value
        else:
            setattr(state, field, value)


def seat_and_move(game: Game, text: str) -> tuple[int, str]:
    """`yellow take cathedral blue` as a seat and a decision."""
    who, _, move = text.partition(" ")
    return number(game, game.definition.show.SEAT_NAMES, who), move


def _refuse(match: Match, refusals: list[list[str]], where: str) -> None:
    for text, rule in refusals:
        seat, move = seat_and_move(match.game, text)
        before = bytes(match._state)
        try:
            match.play(seat, move)
        except IllegalMove as error:
            if error.rule != rule:
                raise SceneError(f"{where}: {text} was refused by {error.rule}, not {rule}: {error}") from None
        except SamizdatError as error:
            if rule != type(error).__name__:
                raise SceneError(f"{where}: {text}: {type(error).__name__} instead of {rule}") from None
        else:
            raise SceneError(f"{where}: {text} was allowed")
        if bytes(match._state) != before:
            raise SceneError(f"{where}: refusing {text} changed the state")


def call(match: Match, called: list[Any]) -> None:
    """A function of the rules that no decision reaches."""
    function = getattr(match.game.definition.rules, called[0])
    luck = Luck()
    seed_luck(luck, 0)
    own = {"box": match.game.box.record, "s": match._state, "luck": luck}
    given = [number(match.game, match.game.definition.show.SEAT_NAMES, value) for value in called[1:]]
    args = [own[name] if name in own else given.pop(0) for name in inspect.signature(function).parameters]
    function(*args)


def expect(match: Match, expected: dict[str, Any], where: str) -> None:
    """SceneError if a match is not as it should be."""
    game = match.game
    fields = {name: value for name, value in expected.items() if name not in RESULTS}
    for field, index, value in flatten(game, fields):
        grid = getattr(match._state, field)
        found = grid[index if len(index) > 1 else index[0]] if index else grid
        if found != value:
            raise SceneError(f"{where}: {field}{list(index) if index else ''} is {found}, expected {value}")
    seat_names = game.definition.show.SEAT_NAMES
    for name in RESULTS:
        if name not in expected:
            continue
        wanted: Any = expected[name]
        found = getattr(match, name) if name != "legal" else None
        if name == "legal":
            wanted = {number(game, seat_names, seat): sorted(moves) for seat, moves in wanted.items()}
            found = {seat: sorted(str(move) for move in match.legal(seat)) for seat in wanted}
        elif name in ("turn", "winners"):
            wanted = tuple(number(game, seat_names, seat) for seat in wanted)
        if found != wanted:
            raise SceneError(f"{where}: {name} is {found}, expected {wanted}")
