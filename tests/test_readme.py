"""The README credits whom it must; what it shows is run by `test_snippets.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from samizdat.kernel.game import definitions

ROOT = Path(__file__).parents[1]


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
