"""The scripts of our pages: modules of one concern each, whose own tests run in the browser they are written for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, Route, expect

from samizdat.table.preview import main as preview
from samizdat.table.scripts import STATIC, fingerprint, imports, needed
from tests.browser.conftest import Person, Table, someone
from tests.browser.test_playing import BOTS

UNITS = Path(__file__).parent / "units"
WORKERS = {"service-worker.js", "push.js"}  # no modules: they run beside the pages
MODULES = sorted(file.name for file in STATIC.glob("*.js") if ".min." not in file.name and file.name not in WORKERS)
ENTRY = re.compile(r'js\.module\(scripts, needed, "([\w.]+)"\)')


def entries(template: str = "*") -> set[str]:
    """The modules that pages begin with."""
    pages = (STATIC.parent / "templates").glob(f"{template}.html.jinja")
    return {name for page in pages for name in ENTRY.findall(page.read_text())}


@pytest.mark.parametrize("file", sorted(file.name for file in UNITS.glob("*.js") if file.name != "units.js"))
def test_units(person: Person, file: str) -> None:
    def give(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(path=UNITS / name, content_type="text/javascript")

    person.page.route("**/units/*.js", give)
    person.go("/static/icon.svg")  # any page of the site, with nothing on it
    script = """async (file) => {
      const [{ failures }, tests] = await Promise.all([import("/units/units.js"), import(`/units/${file}`)]);
      return [Object.keys(tests.default).length, await failures(tests.default)];
    }"""
    count, failed = person.page.evaluate(script, file)
    assert count
    assert failed == {}


def test_every_module_is_used_and_imports_point_one_way() -> None:
    assert {name for entry in entries() for name in needed(entry)} == set(MODULES)
    for entry in entries():
        order = needed(entry)
        for place, name in enumerate(order):
            assert set(imports(name)) <= set(order[:place]), f"{name} imports in a circle"


def test_no_module_has_a_global() -> None:
    for name in MODULES:
        text = (STATIC / name).read_text()
        assert not re.search(r"\b(?:window|globalThis|self)\.\w+ *=[^=]", text), name
        assert len(text.splitlines()) <= 200, f"{name} no longer reads in one sitting"


def test_addresses_of_modules_change_with_what_lies_behind_them(person: Person) -> None:
    """Those that a module imports, too, and a page names all of them, to be fetched side by side."""
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url.removeprefix(person.table.address)))
    person.open("dual-powers", **{"seat-0": "me", "seat-1": "bot-random"})
    person.ready()
    modules = [address for address in asked if address.endswith(".js")]
    version = f"/static/v-{fingerprint()}/"
    assert all(address.startswith(version) for address in modules), modules
    begun = (entries("base") | entries("table")) - {"coach.js"}  # nobody is guided here
    wanted = {name for entry in begun for name in needed(entry)}
    assert sorted(address.removeprefix(version) for address in modules) == sorted(wanted), "each is fetched once"
    html = person.page.content()
    named = set(re.findall(r'<link rel="modulepreload" href="[^"]*/([\w.]+)">', html))
    assert named == wanted - begun


def test_a_page_on_disk_carries_its_modules(
    table: Table, chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "page.html"
    monkeypatch.setattr("sys.argv", ["preview", "revolution", "--plies", "9", "--out", str(out)])
    preview()
    with someone(table, chromium, 1366, 768) as person:
        person.page.goto(out.as_uri())
        person.arrive()
        expect(person.page.locator("#tabs [aria-selected=true]")).not_to_have_count(0)  # the frame is alive
        person.errors = [error for error in person.errors if "ERR_FAILED" not in error and "font" not in error]


@pytest.mark.parametrize("game", ["revolution", "dual-powers", "mali-powstancy", "war-of-whispers"])
def test_the_first_page_of_a_board_is_light(person: Person, game: str) -> None:
    """All that a browser fetches for it, compressed as it comes, fonts aside."""
    fetched: list[Request] = []

    def keep(request: Request) -> None:
        fetched.append(request)

    person.page.on("requestfinished", keep)
    person.open(game, **BOTS)
    person.ready()
    sizes = {
        request.url.removeprefix(person.table.address): request.sizes()["responseBodySize"]
        for request in fetched
        if "/fonts/" not in request.url
    }
    assert sum(sizes.values()) < 150_000, sorted(sizes.items(), key=lambda one: -one[1])
