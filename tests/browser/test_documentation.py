"""The documentation in a browser: our colours and letters, no wider than a phone, found by words offline."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.site import build

PAGES = ("index", "start/players", "hosting", "spec/match-file", "reference/commands", "reference/python", "404")
WIDE, PHONE = 1440, 390
THEIRS = {"landmark-unique", "scrollable-region-focusable"}  # Material's buttons beside code, and around wide tables


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = build(tmp_path_factory.mktemp("site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("width", "scheme", "ground"), [(PHONE, "light", "rgb(239, 233, 220)"), (WIDE, "dark", "rgb(18, 19, 25)")]
)
def test_pages_are_ours_and_fetch_nothing_from_elsewhere(
    chromium: Browser, address: str, width: int, scheme: str, ground: str
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        page.goto(f"{address}/{name}.html")
        expect(page.locator("body")).to_have_css("background-color", ground)
        assert page.evaluate("document.documentElement.scrollWidth") == width, name
        page.evaluate("document.fonts.ready")
        assert page.evaluate("document.fonts.check('800 20px \"Sofia Sans Extra Condensed\"')"), name
        found = [one for one in Axe().run(page, ".md-content").response["violations"] if one["id"] not in THEIRS]
        assert found == [], (name, [(one["id"], one["nodes"][0]["html"]) for one in found])
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    context.close()


def test_pages_are_found_by_words(chromium: Browser, address: str) -> None:
    context = chromium.new_context(viewport={"width": WIDE, "height": 844})
    page = context.new_page()
    page.goto(f"{address}/index.html")
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("commitment")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    links = page.locator(".md-search-result__link").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert any("fair-luck.html" in link for link in links), links
    context.close()
