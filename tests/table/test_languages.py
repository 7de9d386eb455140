"""Four languages: a game's own words come first at its table, and the frame's are the same everywhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from samizdat.kernel.game import Game, definitions
from samizdat.kernel.telling import Many, Phrase, Word
from samizdat.table.board_files import board_of
from samizdat.table.language import HERE, LANGUAGES, LOCALE, Language, Speaker, folders, language, read_catalogue
from tests.conftest import label, plain_games
from tests.texts import problems

TRANSLATED = [code for code in LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("name", definitions())
def test_a_games_own_words_come_first_at_its_table(code: str, name: str) -> None:
    found = definitions()[name]
    file = found.folder / LOCALE / f"{code}.po"
    say = Speaker(language(code), found.choose())
    for message in read_catalogue(file):
        if isinstance(message.id, str) and message.id and message.string and "{" not in message.id:
            assert say(Phrase(message.id)) == message.string


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_frame_speaks_the_tables_words(code: str) -> None:
    for message in read_catalogue(HERE / LOCALE / f"{code}.po"):
        if isinstance(message.id, str) and message.id:
            assert language(code).gettext(message.id) == message.string


def test_plurals_follow_the_language() -> None:
    say = Speaker(language("pl"))
    forms = {n: say(Many("%(num)s row", "%(num)s rows", n)) for n in (1, 2, 5, 12, 22, 25)}
    assert [forms[n].split()[1] for n in forms] == ["wiersz", "wiersze", "wierszy", "wierszy", "wiersze", "wierszy"]


def test_a_title_is_translated_where_an_edition_has_another() -> None:
    titles = {code: language(code).title(definitions()["war-of-whispers"]) for code in LANGUAGES}
    assert titles == dict.fromkeys(LANGUAGES, "A War of Whispers") | {"pl": "Wojna Szeptów"}
    assert language("pl").title(definitions()["revolution"]) == "Revolution!"


def test_english_is_itself() -> None:
    assert language("en").gettext("Rules") == "Rules"
    assert language("xx").code == "en"


@pytest.mark.parametrize("folder", folders().values(), ids=lambda folder: str(folder.name))
def test_no_text_is_missing(folder: Path) -> None:
    """Every text of the code and the templates stands in every catalogue, and nothing else does."""
    assert list(problems(folder)) == []


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_component_has_a_name_in_every_language(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a match tells or offers is in the game's glossary; nothing falls back to an id."""
    asked: set[tuple[str, str]] = set()
    spoken = Language.word

    def listen(self: Language, name: str, word: Word, form: str = "") -> str:
        if not hasattr(word, "text"):  # a component that the box itself names
            asked.add((word.table, word.id))
        return spoken(self, name, word, form)

    monkeypatch.setattr(Language, "word", listen)
    say = Speaker(language("pl"), game)
    module = board_of(game.name)
    match = game.match(7)
    dice = random.Random(7)
    while not match.over:
        seat = dice.choice(match.turn)
        moves = match.legal(seat)
        view = match.view(seat)
        for move in dice.sample(moves, min(3, len(moves))):
            say(module.label(game, view, move))
        match.play(seat, dice.choice(moves))
    for seat in (None, *range(game.players)):
        for line in match.log(seat):
            say(line)
    assert asked
    for code in LANGUAGES:
        words = language(code).glossaries[game.name]
        missing = sorted(one for one in asked if not words.get((*one, "")))
        assert not missing, f"{code}: no name for {missing[:5]}"
