"""Leaderboards: what bots did in an arena, as a file that others can check by playing it again.

The file says who played (with the hashes of what made them), what (with the hash of the box), from which seed, how
each game ended, and the command that made it. `check` looks at each of these in turn and plays games anew: bots
bounded by simulations, and policies, must come to the same results to the last point. A bot bounded by seconds
depends on the machine; its games are not played again, and that is said.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from samizdat.bots import LEARNT, LEVELS, Guest, guests
from samizdat.kernel.arguments import clip
from samizdat.kernel.box import BoxFile
from samizdat.kernel.errors import OptionError
from samizdat.lab.arena import Arena, Entrant, Fixture, Result, Setting, play, read_entrants
from samizdat.lab.crews import in_order
from samizdat.lab.standings import Scoreboard

FORMAT = "samizdat leaderboard 1"
DIGITS = 6  # of shares: more would tell one machine's libraries from another's


def repeats(entrant: Entrant) -> bool:
    """Whether a bot plays the same game again: nothing that it does depends on a clock, as far as we can know."""
    bot = entrant.bot(0)
    return (entrant if isinstance(bot, Guest) else bot).seconds is None


def file_hash(entrant: Entrant) -> str | None:
    """The hash of the file that a bot from outside is, or stands in; ours come with the version."""
    where, _, what = entrant.level.rpartition(":")
    if what in LEARNT:
        file = Path(where) if where else None
    elif entrant.level in LEVELS:
        file = None
    else:
        file = guests.file_of(entrant.level) or _source(entrant.level)
    try:
        return None if file is None else hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return None


def _source(name: str) -> Path | None:
    """Where a bot of a package is written, if it is written in Python."""
    try:
        return Path(inspect.getfile(guests.maker(name)))
    except TypeError:
        return None


def contents(board: Scoreboard, command: str) -> dict[str, Any]:
    """What the file says."""
    from importlib.metadata import version

    arena, game = board.arena, board.arena.setting.game()
    said = {
        "format": FORMAT,
        "samizdat": version("samizdat"),
        "command": command,
        "game": game.name,
        "variant": game.variant,
        "players": game.players,
        "options": dict(game.options),
        "rules_version": game.rules,
        "box": asdict(arena.setting.box) if isinstance(arena.setting.box, BoxFile) else arena.setting.box,
        "box_hash": game.box.hash,
        "seed": arena.seed,
        "stopped_early": board.stopped,
        "bots": [
            {"bot": str(one), "sha256": file_hash(one), "repeats": repeats(one)} for one in arena.entrants
        ],
        "line_up": [str(one) for one in arena.given],
        "standings": standings_of(board),
        "results": [_row(result) for result in board.complete],
    }  # fmt: skip
    return {**said, "sha256": seal(said)}


def standings_of(board: Scoreboard) -> list[dict[str, Any]]:
    return [
        {
            "bot": str(one.entrant),
            "games": one.games,
            "share": round(one.share, DIGITS),
            "low": round(one.low, DIGITS),
            "high": round(one.high, DIGITS),
        }
        for one in board.standings()
    ]


def _row(result: Result) -> dict[str, Any]:
    """One game, by seat; times are the machine's and no part of it."""
    fixture = result.fixture
    return {
        "deal": fixture.deal,
        "line_up": fixture.line_up,
        "rotation": fixture.rotation,
        "points": list(result.points),
        "ranks": list(result.ranks),
        "reason": result.reason,
        "decisions": list(result.decisions),
    }


def seal(said: dict[str, Any]) -> str:
    """A hash of everything else: it notices accidents and the careless; whoever seals anew is caught by playing."""
    kept = {name: value for name, value in said.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def text_of(said: dict[str, Any]) -> str:
    """The file, with a line for each game."""
    rows = ",\n".join(f"  {json.dumps(row)}" for row in said["results"])
    head = json.dumps({**said, "results": "ROWS"}, indent=1, ensure_ascii=False)
    return head.replace('"results": "ROWS"', f'"results": [\n{rows}\n ]' if rows else '"results": []') + "\n"


def write(board: Scoreboard, path: Path, command: str) -> None:
    try:
        path.write_text(text_of(contents(board, command)), encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{path}: the leaderboard cannot be written: {error.strerror}.") from None


# --- Checking -----------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    holds: bool
    text: str


class Leaderboard:
    """A file that was read, and whether it holds."""

    def __init__(self, path: Path) -> None:
        try:
            self.text = path.read_text(encoding="utf-8")
            self.said: dict[str, Any] = json.loads(self.text)
            if self.said["format"] != FORMAT:
                raise ValueError
            self.rows: list[dict[str, Any]] = self.said["results"]
            box = BoxFile(**self.said["box"]) if isinstance(self.said["box"], dict) else self.said["box"]
            self.setting = Setting(
                self.said["game"], self.said["players"], self.said["variant"],
                tuple(self.said["options"].items()), box,
            )  # fmt: skip
            line_up = ",".join(self.said["line_up"])
        except OSError as error:
            raise OptionError(f"{path}: there is no leaderboard to be read: {error.strerror}.") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise OptionError(f"{path} is no leaderboard of ours ({FORMAT}).") from None
        self.arena = Arena(self.setting, read_entrants(line_up), self.said["seed"])

    def findings(self, games: int | None, workers: int, seed: int = 0) -> Iterator[Finding]:
        """Everything that can be looked at; so many of the games are played again, or all."""
        yield Finding(
            seal(self.said) == self.said.get("sha256"),
            "its seal fits its contents" if seal(self.said) == self.said.get("sha256")
            else "its seal does not fit: it was changed after it was written",
        )  # fmt: skip
        yield from self._same_things()
        try:
            board, repeated = self._stated()
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            yield Finding(False, "its results are not those of the games it names")
            return
        yield _compared("standings follow from its results", standings_of(board), self.said.get("standings"))
        again = random.Random(seed).sample(repeated, len(repeated) if games is None else min(games, len(repeated)))
        others = len(board.results) - len(repeated)
        different = [
            result.fixture
            for result in in_order(play, iter([one.fixture for one in again]), workers)
            if _row(result) != self.rows[self._at(result.fixture)]
        ]
        if again:
            one = min(different, key=self._at, default=None)
            yield Finding(
                not different,
                f"{len(again):,} of {len(board.results):,} games, played again, ended the same to the last point"
                if one is None
                else f"{len(different):,} of {len(again):,} games ended differently when played again, the first of "
                f"them deal {one.deal}, line-up {one.line_up}, rotation {one.rotation}",
            )
        if others:
            yield Finding(True, f"{others:,} games cannot be played again: a bot in them goes by the clock")
        if not different and len(again) == len(board.results):
            board.stopped = bool(self.said.get("stopped_early"))
            same = text_of(contents(board, str(self.said.get("command")))) == self.text
            yield Finding(
                same, "written anew, the file is the same byte for byte" if same else "written anew, the file differs"
            )

    def _same_things(self) -> Iterator[Finding]:
        """Rules, box and bots are what they were."""
        game = self.setting.game()
        yield _compared("rules are of the same version", game.rules, self.said.get("rules_version"))
        yield _compared("box is the same", game.box.hash, self.said.get("box_hash"))
        known = {bot.get("bot"): bot for bot in self.said.get("bots", [])}
        for entrant in self.arena.entrants:
            stated = known.get(str(entrant), {}).get("sha256")
            if stated is not None or file_hash(entrant) is not None:
                yield _compared(f"bot {clip(entrant.level)} is the same file", file_hash(entrant), stated)

    def _at(self, fixture: Fixture) -> int:
        """The place of a game in the file: deal by deal, as an arena plays them."""
        players = self.setting.game().players
        return (fixture.deal * len(self.arena.line_ups) + fixture.line_up) * players + fixture.rotation

    def _stated(self) -> tuple[Scoreboard, list[Result]]:
        """The results as the file has them, and those of them that can be played again."""
        board, repeated = Scoreboard(self.arena), []
        players = self.setting.game().players
        for row, fixture in zip(self.rows, self.arena.fixtures(len(self.rows)), strict=True):
            if [row["deal"], row["line_up"], row["rotation"]] != [fixture.deal, fixture.line_up, fixture.rotation]:
                raise ValueError
            for part in ("points", "ranks", "decisions"):
                if len(row[part]) != players:
                    raise ValueError
            result = Result(
                fixture, tuple(row["points"]), tuple(row["ranks"]), row["reason"], tuple(row["decisions"]),
                ((),) * players,
            )  # fmt: skip
            board.add(result)
            if all(map(repeats, fixture.seats)):
                repeated.append(result)
        board.stopped = bool(self.said.get("stopped_early"))
        return board, repeated


def _compared(what: str, now: Any, stated: Any) -> Finding:
    if now == stated:
        return Finding(True, f"its {what}")
    return Finding(False, f"its {what}: not so, {clip(now)} here, {clip(stated)} in the file")
