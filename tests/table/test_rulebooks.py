"""The rules inside the site: every number that a log or a refusal cites has its paragraph."""

from __future__ import annotations

import ast
import re

import pytest

from samizdat.kernel.box import PROVENANCE
from samizdat.kernel.game import Definition, definition, definitions
from samizdat.table.rulebooks import components, rulebook
from tests.rulebook import read_rulebook
from tests.table.conftest import Site

NUMBER = re.compile(r"[A-Z]+-?\d+(?:\.\d+)*[a-z]?|\d+\.\d+(?:\.\d+)*[a-z]?")
NO_SENTENCES = ("box.py", "state.py")  # their numbers are those of tables and constants
PAGE = {"accept": "text/html"}


def cited(found: Definition) -> dict[str, str]:
    """Every rule number that stands as a text of its own in a game's sentences, refusals, boards and options."""
    numbers: dict[str, str] = {}
    for file in sorted(found.folder.glob("*.py")):
        if file.name in NO_SENTENCES:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and NUMBER.fullmatch(node.value):
                numbers.setdefault(node.value, f"{file.name}:{node.lineno}")
    return numbers


@pytest.mark.parametrize("name", definitions())
def test_every_cited_number_has_an_anchor(name: str) -> None:
    numbers = cited(definition(name))
    assert len(numbers) > 10
    lost = {number: where for number, where in numbers.items() if number not in rulebook(name, "en").numbers}
    assert not lost


@pytest.mark.parametrize("name", definitions())
def test_every_rule_of_the_file_has_exactly_one_anchor(name: str) -> None:
    book = rulebook(name, "en")
    assert set(read_rulebook(definition(name))) == book.numbers
    anchors = re.findall(r' id="([^"]+)"', str(book.html))
    assert len(anchors) == len(set(anchors))
    links = set(re.findall(r'href="#([^"]+)"', str(book.html)))
    assert links <= set(anchors)


@pytest.mark.parametrize("name", definitions())
def test_the_page_shows_contents_rules_and_where_the_components_come_from(site: Site, name: str) -> None:
    page = site.browser(**PAGE).get(f"/rules/{name}")
    assert page.status_code == 200
    for anchor, _ in rulebook(name, "en").headings:
        assert f'href="#{anchor}"' in page.text
    for number in rulebook(name, "en").numbers:
        assert f'id="{number}"' in page.text
    box = definition(name).standard_box.text
    assert {one.provenance for one in components(name)} <= set(PROVENANCE)
    reconstructed = [table for table, (kind, _) in box.provenance.items() if kind == "reconstructed"]
    assert page.text.count("reconstructed by us") == len(reconstructed)


def test_a_rule_that_cites_another_links_to_it() -> None:
    assert '<a href="#A36">A36</a>' in str(rulebook("war-of-whispers", "en").html)


def test_a_language_without_a_rulebook_reads_english_and_is_told(site: Site) -> None:
    assert rulebook("revolution", "xx").language == "en"


def test_the_index_names_every_game(site: Site) -> None:
    page = site.browser(**PAGE).get("/rules")
    for name in definitions():
        assert f'href="/rules/{name}"' in page.text


def test_rules_of_no_game_are_not_found(site: Site) -> None:
    page = site.browser(**PAGE).get("/rules/chess")
    assert page.status_code == 404
    assert "There is no such game." in page.text
