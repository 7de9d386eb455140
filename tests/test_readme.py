"""The README credits whom it must, and the page on how it is built names what there is; what they show is run by
`test_snippets.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from samizdat.kernel.game import definitions

ROOT = Path(__file__).parents[1]
ONE_PAGE = 100  # lines
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_readme_credits_every_game() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for definition in definitions().values():
        assert definition.title in text
        for designer in definition.designers.split(" and "):
            assert designer.split(", ")[0] in text
    assert "unofficial implementation" in text
    assert (ROOT / "docs" / "table.png").exists()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files(name: str) -> None:
    """Those of docs/ are followed on the site."""
    links = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []


def test_the_page_on_how_it_is_built_names_files_that_there_are() -> None:
    rooms = (ROOT / room for room in ("samizdat", "tests"))
    known = {f"/{path.relative_to(ROOT).as_posix()}" for room in rooms for path in room.rglob("*.*")}
    named = re.findall(r"`([\w/]+\.(?:py|js|toml))`", ARCHITECTURE)
    assert len(named) > 20
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in known)] == []


def test_its_glossary_has_every_word_once_and_it_is_one_page() -> None:
    rows = re.findall(r"^\| (?!word \|)(.+?) \|", ARCHITECTURE.partition("## Words")[2], re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]
    assert len(set(words)) == len(words) > 40
    assert len(ARCHITECTURE.splitlines()) <= ONE_PAGE
