"""Rulebooks in other languages: the rules of the English one under the same numbers, all of them translated."""

from __future__ import annotations

import re

import pytest

from samizdat.kernel.game import definition, definitions
from samizdat.table.language import LANGUAGES, language
from samizdat.table.rulebooks import CITED, clauses, illustrated, rulebook
from tests.table.conftest import Site

BOOKS = [
    (name, file.stem)
    for name, found in definitions().items()
    for file in sorted((found.folder / "rulebook").glob("*.md"))
    if file.stem != "en"
]
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
PART = re.compile(r"^(?:(?:[A-Z]+-?\d+|\d+\.\d+)(?= )|[A-Z](?= [A-Z]))")  # a heading's own number, as in "R4 Spying"
CODE = re.compile(r"`[^`]*`")
GROUPED = re.compile(r"(?<=\d)[ ,.\u00a0\u202f](?=\d{3}\b)")  # 17,836 and its like

# Words that an English sentence hardly does without, and that neither Italian nor German nor Polish writes like this.
ENGLISH = re.compile(
    r"\b(?:the|and|of|with|that|this|which|from|are|is|when|their|its|has|have|each|where|whoever)\b", re.IGNORECASE
)
LEAST_ENGLISH = 0.1  # of the words of an English rulebook: less, and the list above finds nothing
SHORTEST, LONGEST = 0.5, 2.5  # a translated rule, measured by the letters of the English one

every_book = pytest.mark.parametrize(("name", "code"), BOOKS, ids=[f"{name}-{code}" for name, code in BOOKS])


def written(name: str, code: str) -> str:
    return (definition(name).folder / "rulebook" / f"{code}.md").read_text(encoding="utf-8")


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html).strip()


def rules_of(name: str, code: str) -> dict[str, str]:
    """Number to text of every rule, as the reader sees it but without its number."""
    return {one.number: plain(one.html).removeprefix(one.number).strip() for one in clauses(name, code)}


def english_in(text: str) -> list[str]:
    return ENGLISH.findall(CODE.sub("", text))


def cells(text: str) -> list[int]:
    """How many cells each row of each table has, in the order of the book."""
    return [line.count("|") for line in text.splitlines() if line.startswith("|")]


def test_there_are_translated_books() -> None:
    assert BOOKS
    assert {code for _, code in BOOKS} <= set(LANGUAGES)


@every_book
def test_who_reads_in_a_language_gets_its_book(site: Site, name: str, code: str) -> None:
    assert rulebook(name, code).title == language(code).title(definition(name))
    browser = site.browser(accept="text/html")
    browser.post("/preferences", data={"lang": code})
    page = browser.get(f"/rules/{name}").text
    assert f'<div class="text" lang="{code}">' in page
    assert str(illustrated(name, code)) in page


@every_book
def test_numbers_are_those_of_the_english_book_in_the_same_order(name: str, code: str) -> None:
    assert [one.number for one in clauses(name, code)] == [one.number for one in clauses(name, "en")]


@every_book
def test_headings_and_tables_are_those_of_the_english_book(name: str, code: str) -> None:
    ours, theirs = (
        [
            (level, found[0] if level != "#" and (found := PART.match(words)) else "")
            for level, words in HEADING.findall(text)
        ]
        for text in (written(name, code), written(name, "en"))
    )
    assert ours == theirs
    assert all(words.strip() for _, words in rulebook(name, code).headings)
    assert cells(written(name, code)) == cells(written(name, "en"))


@every_book
def test_no_paragraph_is_empty_or_cut_short(name: str, code: str) -> None:
    paragraphs = re.findall(r"<(p|li|td|th)(?: [^>]*)?>(.*?)</\1>", str(rulebook(name, code).html), re.DOTALL)
    assert all(plain(inside) for _, inside in paragraphs)
    english = rules_of(name, "en")
    for number, text in rules_of(name, code).items():
        assert SHORTEST < len(text) / len(english[number]) < LONGEST, f"{number}: {text}"


@every_book
def test_every_cited_number_exists_in_the_book(name: str, code: str) -> None:
    text = CODE.sub("", written(name, code))
    parts = {found[0] for _, words in HEADING.findall(text) if (found := PART.match(words))}
    assert set(CITED.findall(text)) <= rulebook(name, code).numbers | parts


@every_book
def test_a_rule_cites_and_counts_what_the_english_one_does(name: str, code: str) -> None:
    ours = rules_of(name, code)
    for number, text in rules_of(name, "en").items():
        assert set(CITED.findall(text)) <= set(CITED.findall(ours[number])), number
        counted, said = (set(re.findall(r"\d+", GROUPED.sub("", one))) for one in (text, ours[number]))
        assert counted <= said, f"{number}: {ours[number]}"
    assert sorted(CODE.findall(written(name, code))) == sorted(CODE.findall(written(name, "en")))


@every_book
def test_no_english_is_left_over(name: str, code: str) -> None:
    title = rulebook(name, "en").title
    assert not english_in(written(name, code).replace(title, ""))
    english = rules_of(name, "en")
    assert not [number for number, text in rules_of(name, code).items() if text == english[number]]


@pytest.mark.parametrize("name", definitions())
def test_english_would_be_noticed(name: str) -> None:
    text = written(name, "en")
    assert len(english_in(text)) > LEAST_ENGLISH * len(text.split())
