"""What happened, as one seat is told it: in the second person, with its places on the board, and in few words."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

import samizdat
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.match import Match
from samizdat.kernel.telling import Line, Phrase, Word
from samizdat.table.contexts import RUN, folded
from samizdat.table.language import LANGUAGES, Speaker, folders, language, read_catalogue, read_glossary, seat_word
from samizdat.table.marks import marks, seat_names, words
from samizdat.table.page_parts import draw, parts
from samizdat.table.preview import NAMES, position
from samizdat.table.viewing import LogEntry
from tests.conftest import DOSE, label, plain_games

GAMES = list({(game.name, game.variant): game for game in plain_games()}.values())


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def matches(game: Game, count: int = 1) -> Iterator[Match]:
    """Whole random matches."""
    for seed in range(count * DOSE):
        match, dice = game.match(seed), random.Random(seed)
        while not match.over:
            seat = dice.choice(match.turn)
            match.play(seat, dice.choice(match.legal(seat)))
        yield match


def told(match: Match, seat: int) -> list[Line]:
    return match.log(seat)


def inner(thing: Any) -> Iterator[Line | Phrase]:
    """A sentence and those inside it."""
    if isinstance(thing, Line | Phrase):
        yield thing
        for value in thing.values.values():
            yield from inner(value)
    for item in getattr(thing, "items", ()):
        yield from inner(item)


@pytest.mark.parametrize("name", definitions())
def test_sentences_to_you_are_whole(name: str) -> None:
    """Each is one that the game tells, in every language, with the same values and without the seat itself."""
    known = {message.id for message in read_catalogue(folders()[name] / "locale" / "it.po")}
    rows = read_glossary(definitions()[name].folder, "you.csv")
    assert rows
    for row in rows:
        assert row["sentence"] in known, row["sentence"]
        wanted = fields(row["sentence"]) - set(row["whom"].split())
        for code in LANGUAGES:
            assert fields(row[code]) == wanted, row[code]


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_you_are_you(game: Game) -> None:
    """Nobody reads their own name, or the name of their own side, as the subject of a sentence."""
    for match in matches(game):
        for seat in range(game.players):
            own = seat_word(game, seat)
            for code in LANGUAGES:
                say = Speaker(language(code), game, NAMES[: game.players], seat)
                for line in told(match, seat):
                    for one in inner(line):
                        whom = [key for key, value in one.values.items() if value == own]
                        assert not whom or (one.text, " ".join(whom)) in say.language.you[game.name], one
                    assert NAMES[seat] not in say(line), say(line)


@pytest.mark.parametrize("code", LANGUAGES)
def test_sides_are_spoken_of_by_who_plays_them(code: str) -> None:
    """In sentences; a board keeps the name of a faction, and so does a language that would decline a person's."""
    game = samizdat.game("dual-powers")
    say = Speaker(language(code), game, ["Vera", "Fedor"], you=0)
    side = Word("factions", "white")
    assert say(Line("D5.3", "{f} plays {card}.", {"f": side, "card": Word("commands", "red_3")})).startswith("Fedor ")
    assert say.word(side) != "Fedor"
    goes = say(Line("D5.5", "The Will of the People goes to {f}.", {"f": side}))
    assert ("Fedor" in goes) == (code in ("en", "de"))


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_every_line_lights_its_places(game: Game) -> None:
    """What a sentence names and the board draws has an id there: all of those that are on the board now."""
    board, seats = game.definition.board, seat_names(game)
    seen: set[str] = set()
    ids: set[str] = set()
    for match in matches(game):
        for seat in range(game.players):
            for line in told(match, seat):
                found = marks([line], board.MARKS, seats)
                places = [word for word in words(line) if word.table in board.MARKS]
                assert len(found) >= len(set(places)), line
                assert found or not any(word in seats for word in words(line)), line
                seen |= {one for mark in found for one in mark.split(">")}
        for plies in range(0, match.plies + 1, max(1, match.plies // 12)):
            shown = position(replayed(match, plies), 0)
            ids |= set(re.findall(r'id="([^"]+)"', "".join(parts(shown, "en").values())))
    kinds = {one.partition("-")[0] for one in seen}
    assert kinds
    fixed = ("place-", "region-", "post-", "area-", "ch-", "island-", "bridge-")
    missing = {one for one in seen if one.startswith(fixed)} - ids
    assert not missing, missing


def replayed(match: Match, plies: int) -> Match:
    again = match.game.match(match.seed)
    for seat, move in match.moves[:plies]:
        again.play(seat, move)
    return again


def about(game: Game, line: Line) -> tuple[Any, ...]:
    """What makes two lines of a kind."""
    return line.text, line.rule, [word for word in words(line) if word in seat_names(game)]


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_only_runs_are_folded_and_nothing_is_lost(game: Game) -> None:
    for match in matches(game):
        entries = [LogEntry(str(number), line, b"") for number, line in enumerate(told(match, 0))]
        runs = folded(entries, seat_names(game))
        assert [entry for run in runs for entry in run] == entries
        for run in runs:
            assert len(run) == 1 or len(run) >= RUN
            assert all(about(game, entry.line) == about(game, run[0].line) for entry in run)
        for one, other in itertools.pairwise(runs):
            if len(one) >= RUN:
                assert about(game, one[0].line) != about(game, other[0].line), "a run is folded whole"


def test_nobody_controls_is_said_once() -> None:
    game = next(game for game in GAMES if game.name == "war-of-whispers")
    seats = game.box.names["councils"][:6]
    vacant = [Line("R6.3", "Nobody controls the {a}.", {"a": Word("councils", id)}) for id in seats]
    assert [len(run) for run in folded([LogEntry("1", line, b"") for line in vacant], seat_names(game))] == [6]


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_ones_own_decisions_are_no_story(game: Game) -> None:
    """And what others do is one as soon as there is anything to tell of it."""
    dice, match, seen = random.Random(3), game.match(3), set()
    while not match.over and match.plies < 60 * DOSE:
        before = len(match.observations(0))
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
        if len(match.observations(0)) > before:
            story = draw(position(match, 0), "en")["story"]
            assert (story is None) == (seat == 0 or not match.observations(0)[-1].told)
            seen.add(seat == 0)
    assert seen == {True, False} or game.players == 1
