"""Every command and snippet that README.md and docs/ show is run, or listed with its reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from samizdat.cli import app
from tests.snippets import LISTED, PAGES, ROOT, Block, Room, Unrun, blocks, inline, is_excerpt, named
from tools.site import walk

ALL = [block for page in PAGES for block in blocks(page)]
COMMANDS = dict(walk(typer.main.get_command(app), ()))
GROUPS = {path[0] for path in COMMANDS}


def runs(block: Block) -> bool:
    return not any(block.listed(kind) for kind in ("unrun", "elsewhere", "excerpt"))


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if any(map(runs, blocks(page)))], ids=named)
def test_what_a_page_shows_runs(page: Path, tmp_path: Path) -> None:
    with Room(tmp_path) as room:
        for block in filter(runs, blocks(page)):
            room.run(block)


@pytest.mark.parametrize("one", LISTED["excerpt"], ids=lambda one: one["begins"])
def test_excerpts_are_what_stands_there(one: dict[str, str]) -> None:
    (block,) = [block for block in ALL if block.listed("excerpt") is one]
    assert is_excerpt(block, ROOT / one["of"]), f"{block} is not in {one['of']}"


@pytest.mark.parametrize("one", LISTED["elsewhere"], ids=lambda one: one["begins"])
def test_what_other_tests_run_is_run_there(one: dict[str, str]) -> None:
    file, _, name = one["test"].partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.M), one["test"]


def test_nothing_is_listed_that_is_not_there() -> None:
    for kind in ("unrun", "elsewhere", "excerpt"):
        for one in LISTED[kind]:
            assert [block for block in ALL if block.listed(kind) is one], f"{kind}: {one['page']}: {one['begins']}"
    for one in LISTED["dose"]:
        shown = [block for block in ALL if block.page == one["page"] and one["shown"] in block.text and runs(block)]
        assert shown, f"dose: {one['page']}: {one['shown']}"
    assert all(one["why"] for one in LISTED["unrun"] + LISTED["dose"])


def wrong(words: list[str]) -> str:
    """What is wrong with the words after `samizdat`; "" if there is such a command, with all its options."""
    path = next((tuple(words[:n]) for n in (2, 1) if tuple(words[:n]) in COMMANDS), None)
    if path is None:
        return "" if words in ([name] for name in GROUPS) else f"there is no command {words[:2]}"
    there = {word for one in COMMANDS[path].params for word in (*one.opts, *one.secondary_opts)} | {"--help"}
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    return f"{' '.join(path)} has no {given - there}" if given - there else ""


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_exist_wherever_they_are_named(page: Path) -> None:
    """Also those in sentences, and in blocks that cannot be run here."""
    spans = [span for span in inline(page) if re.match(r"samizdat [a-z]", span)]
    lines = [line for block in blocks(page) if not runs(block) for line in block.text.splitlines()]
    for line in lines:
        if (found := re.search(r"(?:^|[\s/])(samizdat ([a-z-]+).*)", line)) and found[2] in GROUPS:
            spans.append(found[1].partition(" #")[0])
    found = {span: wrong(re.split(r"[\s\[\]|]+", span)[1:]) for span in spans}
    assert {span: why for span, why in found.items() if why} == {}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_targets_of_make_exist_wherever_they_are_named(page: Path) -> None:
    shown = [line for block in blocks(page) for line in block.text.splitlines()] + inline(page)
    targets = {found[1] for line in shown if (found := re.match(r"make ([a-z]+)\b", line))}
    there = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert targets <= set(there)


def test_a_block_that_nobody_runs_is_red(tmp_path: Path) -> None:
    with Room(tmp_path) as room:
        for language in ("fence", "code_block", "console", "bash"):
            with pytest.raises(Unrun):
                room.run(Block("docs/x.md", language, "true\n", 1))
        with pytest.raises(AssertionError):
            room.run(Block("docs/x.md", "sh", "false\n", 1))
        with pytest.raises(AssertionError):
            room.run(Block("docs/x.md", "python", ">>> 1 + 1\n3\n", 1))
        room.run(Block("docs/x.md", "sh", "echo one two\n", 1))
        with pytest.raises(AssertionError):
            room.run(Block("docs/x.md", "text", "one three\n", 1))
    assert not is_excerpt(
        Block("docs/x.md", "python", "GAME = Nothing()\n", 1), ROOT / "examples/honest_bot/honest.py"
    )
