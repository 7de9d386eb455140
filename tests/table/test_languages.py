"""Four languages: a game's own words come first at its table, and the frame's are the same everywhere."""

from __future__ import annotations

import pytest

from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Many, Phrase
from samizdat.table.language import HERE, LANGUAGES, LOCALE, Speaker, language, read_catalogue

TRANSLATED = [code for code in LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("name", definitions())
def test_a_games_own_words_come_first_at_its_table(code: str, name: str) -> None:
    found = definitions()[name]
    file = found.folder / LOCALE / f"{code}.po"
    if not file.is_file():
        pytest.skip("not translated yet")
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


def test_english_is_itself() -> None:
    assert language("en").gettext("Rules") == "Rules"
    assert language("xx").code == "en"
