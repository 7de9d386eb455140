"""A warm start: after it nobody's first page compiles anything, and tables of one game share what they can."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.table import page_parts, rendering
from samizdat.table.compiling import Warming
from samizdat.table.fast_jinja import Compiled, FastEnvironment
from samizdat.table.language import LANGUAGES
from samizdat.table.pictures import pictures
from samizdat.table.preview import position
from samizdat.table.warming import warm_pages
from tests.table.conftest import Site


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files of templates as they are compiled, in a process that has compiled nothing yet."""
    names: list[str] = []
    usual = FastEnvironment.compile

    def noted(self: Any, source: Any, name: Any = None, filename: Any = None, *more: Any, **rest: Any) -> Any:
        names.append("/".join(Path(filename).parts[-2:]))
        return usual(self, source, name, filename, *more, **rest)

    def forget() -> None:
        rendering.environment.cache_clear()
        rendering.macros.cache_clear()
        pictures.cache_clear()

    monkeypatch.setattr(FastEnvironment, "compile", noted)
    monkeypatch.setattr(rendering, "COMPILED", Compiled())
    forget()
    yield names
    forget()


def test_a_template_is_compiled_once_for_all_languages_and_never_for_a_visitor(compiled: list[str]) -> None:
    warm_pages()
    boards = {f"{found.folder.name}/board.html.jinja" for found in definitions().values()}
    assert boards < set(compiled)
    assert len(compiled) == len(set(compiled))
    compiled.clear()
    for found in definitions().values():
        match = Match(found.choose(), 7)
        seat = random.Random(7).choice(match.turn)
        for code in LANGUAGES:
            assert page_parts.draw(position(match, seat), code)["parts"]["board"]
    assert compiled == []


def test_no_page_compiles_anything_after_a_warm_start(site: Site, compiled: list[str]) -> None:
    warm_pages()
    compiled.clear()
    browser = site.browser(accept="text/html", cookie="lang=pl")
    for name in definitions():
        for path in ("/", "/rules", f"/rules/{name}", f"/new/{name}", "/table/nothing"):
            assert browser.get(path).text
        table = browser.post(f"/new/{name}").headers["location"]
        assert browser.get(table).status_code == 200
    assert compiled == []


def test_languages_share_code_but_not_words(compiled: list[str]) -> None:
    match = Match(samizdat.game("revolution"), 7)
    shown = {code: page_parts.parts(position(match, 0), code)["status"] for code in LANGUAGES}
    assert len(set(shown.values())) == len(LANGUAGES)
    assert compiled.count("revolution/board.html.jinja") == 1


def test_tables_of_one_game_share_it_and_others_do_not(site: Site) -> None:
    same = [site.table(samizdat.game("revolution", players=3)) for _ in range(2)]
    other = site.table(samizdat.game("revolution", players=3, refund=True))
    assert same[0].game is same[1].game
    assert other.game != same[0].game


def test_what_is_played_is_compiled_before_its_turn(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the first one, and no third; none twice."""
    bots = site.app.state.bots
    bots.warming = warming = Warming(True)
    begun: list[str] = []
    gates = {name: asyncio.Event() for name in definitions()}

    async def warmed(name: str) -> int:
        begun.append(name)
        await gates[name].wait()
        return 0

    async def as_far_as_possible() -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    async def play() -> None:
        bots._begun = True
        everything = asyncio.create_task(warming.compile())
        await as_far_as_possible()
        for table in tables:
            bots.look(table)
            bots.look(table)
        await as_far_as_possible()
        assert begun == [first, last]
        gates[last].set()
        await as_far_as_possible()
        assert begun == [first, last, second]
        assert bots.is_warm(last)
        for gate in gates.values():
            gate.set()
        await everything

    monkeypatch.setattr(warming, "_warmed", warmed)
    first, *_, second, last = definitions()
    tables = [site.table(samizdat.game(name)) for name in (last, second)]
    site.run(play())
    assert sorted(begun) == sorted(definitions())
    assert all(bots.is_warm(name) for name in definitions())
