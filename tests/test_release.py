"""What a release says of itself is the same everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from samizdat.kernel.game import definitions

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_is_of_this_version() -> None:
    assert {"cff-version", "message", "title", "authors", "version", "date-released", "license"} <= set(CITATION)
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["type"] == "software"
    assert str(CITATION["version"]) == PROJECT["version"]
    assert CITATION["license"] == PROJECT["license"]
    assert all(author.get("name") or author.get("family-names") for author in CITATION["authors"])
    for definition in definitions().values():
        if definition.folder.is_relative_to(ROOT / "samizdat"):
            assert definition.title in CITATION["abstract"]


def test_the_changes_of_this_version_are_written_down() -> None:
    heads = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    dated = dict(found.groups() for head in heads if (found := re.fullmatch(r"(\S+) \((.+)\)", head)))
    assert dated[PROJECT["version"]] == str(CITATION["date-released"])
    assert next(head for head in heads if head != "Next").startswith(PROJECT["version"])
