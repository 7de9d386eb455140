"""One word for one thing in each language: what the glossary decided is never said otherwise, on any page.

`tests/terms.csv` lists words that were used beside the glossary's term: where (a folder of texts, or all), what must
never be said (a pattern of whole words), what to say instead, and which term of the glossary decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from samizdat.table.language import LANGUAGES, LOCALE, folders, read_catalogue, read_glossary

TERMS = read_glossary(Path(__file__).parents[1], "terms.csv")


def said(folder: Path, code: str) -> Iterator[str]:
    """Every text of a folder in one language: its catalogue, its tables of words, its rulebook."""
    catalogue = folder / LOCALE / f"{code}.po"
    if catalogue.is_file():
        for message in read_catalogue(catalogue):
            if message.id:
                yield from [message.string] if isinstance(message.string, str) else message.string or ()
    for table in ("glossary.csv", "you.csv"):
        for row in read_glossary(folder, table):
            yield from (text for column, text in row.items() if column.split(":")[0] == code)
    rulebook = folder / "rulebook" / f"{code}.md"
    if rulebook.is_file():
        yield from re.split(r"\n(?=- |#)|\n\n", rulebook.read_text(encoding="utf-8"))


def wrong(term: dict[str, str]) -> Iterator[str]:
    never = re.compile(rf"(?<![\w{{])(?:{term['never']})(?![\w}}])")
    for name, folder in folders().items():
        if term["where"] in ("*", name):
            for text in said(folder, term["language"]):
                if found := never.search(" ".join(text.split())):
                    yield f"{name}: {found[0]!r} in {text!r}"


@pytest.mark.parametrize("term", TERMS, ids=lambda term: f"{term['language']} {term['where']} {term['say']}")
def test_the_glossary_decides(term: dict[str, str]) -> None:
    found = list(wrong(term))
    assert not found, f"say {term['say']} ({term['why']}):\n" + "\n".join(found)


def test_the_table_names_languages_and_folders_that_exist() -> None:
    assert {term["language"] for term in TERMS} <= set(LANGUAGES)
    assert {term["where"] for term in TERMS} <= {"*", *folders()}


def test_a_wrong_word_is_found() -> None:
    """The law can fail: a word that catalogue, rulebook and tables of words do say is found in each of them."""
    found = "\n".join(wrong({"language": "it", "where": "mali-powstancy", "never": "ordine|percorso"}))
    assert "{seat} mette il gettone piccolo numero {tokens} sul percorso" in found  # the catalogue
    assert "Metti il gettone piccolo numero {tokens} sul percorso" in found  # you.csv
    assert "- **2.8.5**" in found  # the rulebook
