"""The table's own files name no game: what belongs to one stands in its folder."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from samizdat.kernel.game import Definition, definitions
from samizdat.table import rendering
from tests.conftest import label

TABLE = Path(rendering.__file__).parent
SUFFIXES = {".py", ".jinja", ".js", ".css", ".svg", ".po"}
OTHERS = ("idiomorph.min.js",)  # not ours
STANDARD = "standard"  # any game may call its only variant so
SYMBOL = re.compile(r'<symbol id="g-([\w-]+)"')
SELECTOR = re.compile(r"[.#]([A-Za-z][\w-]*)")


def texts(folder: Path, *suffixes: str) -> dict[Path, str]:
    files = [file for file in folder.rglob("*") if file.suffix in (suffixes or SUFFIXES) and file.name not in OTHERS]
    return {file: file.read_text(encoding="utf-8") for file in sorted(files)}


@cache
def own_code() -> str:
    """Everything of the table but its sprite and its style sheets, which only define."""
    own = texts(TABLE, ".py", ".jinja", ".js")
    return "\n".join(text for file, text in own.items() if file.name != "sprite.html.jinja")


@cache
def code_of(name: str) -> str:
    return "\n".join(texts(definitions()[name].folder, ".py", ".jinja").values())


def names_of(definition: Definition) -> list[str]:
    """A game's name, folder, title and variants."""
    titles = [definition.title, *re.split(r"[:!] ?", definition.title)]
    variants = [variant for variant in definition.variants if variant != STANDARD]
    return [name for name in (definition.name, definition.snake, *titles, *variants) if name]


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_no_file_of_the_table_names_a_game_or_its_variants(definition: Definition) -> None:
    names = re.compile("|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names_of(definition)), re.I)
    found = {
        f"{file.relative_to(TABLE)}: {match[0]}"
        for file, text in texts(TABLE).items()
        for match in names.finditer(text)
        if not (match[0] == "base" and file.suffix in (".py", ".jinja", ".js"))  # base.html.jinja, and base classes
    }
    assert not found


def used_by(glyph: str) -> list[str]:
    quoted = re.compile(rf"[\"']{re.escape(glyph)}[\"']|g-{re.escape(glyph)}\b")
    return [name for name in definitions() if quoted.search(code_of(name))]


def test_every_glyph_of_the_table_is_its_own_or_several_games() -> None:
    sprite = (TABLE / "templates" / "sprite.html.jinja").read_text(encoding="utf-8")
    kernel = "\n".join(texts(TABLE.parent / "kernel", ".py").values())
    for glyph in SYMBOL.findall(sprite):
        called = re.compile(rf"[\"']{re.escape(glyph)}[\"']")
        ours = called.search(own_code()) or called.search(kernel)
        assert ours or len(used_by(glyph)) > 1, f"{glyph} belongs to {used_by(glyph) or 'nobody'}"


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_no_game_draws_what_it_does_not_use(definition: Definition) -> None:
    drawn = SYMBOL.findall((definition.folder / "glyphs.svg").read_text(encoding="utf-8"))
    words = "\n".join([code_of(definition.name), (definition.folder / "box.toml").read_text(encoding="utf-8")])
    unused = [glyph for glyph in drawn if not re.search(rf"[\"'](?:{glyph}|{glyph.replace('-', '_')})[\"']", words)]
    assert not unused


@pytest.mark.parametrize("sheet", sorted((TABLE / "static").glob("*.css")), ids=lambda file: file.name)
def test_no_style_of_the_table_is_for_one_game_alone(sheet: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    classes = {name for rule in re.findall(r"([^{}]+)\{", text) for name in SELECTOR.findall(rule)}
    lonely = {}
    for name in classes:
        said = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        pictures = [found.folder / "poster.svg" for found in definitions().values()]
        if said.search(own_code()) or any(said.search(file.read_text(encoding="utf-8")) for file in pictures):
            continue
        games = [game for game in definitions() if said.search(code_of(game))]
        if len(games) < 2:
            lonely[name] = games
    assert not lonely
