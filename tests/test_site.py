"""The documentation as a site: every link leads somewhere, nothing is fetched from elsewhere, no page is left out."""

from __future__ import annotations

import posixpath
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import typer
import yaml

from samizdat.cli import app
from tests.site import ROOT, build
from tools import site as hook

FETCHING = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "manifest", "prefetch"}
ELSEWHERE = re.compile(r"^(https?:)?//")


class BuiltPage(HTMLParser):
    """What a page can be pointed at by, where it points, and what it fetches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in given}
        self.ids |= {at[name] for name in ("id", "name") if name in at}
        if tag in ("a", "area") and "href" in at:
            self.links.append(at["href"])
        if tag == "link" and set(at.get("rel", "").split()) & FETCHING:
            self.fetched.append(at["href"])
        if tag in ("image", "use") and at.get("href", "") and not at["href"].startswith("#"):
            self.fetched.append(at["href"])
        self.fetched += [
            at[name] for name in ("src", "data", "poster", "background") if name in at and tag != "input"
        ]
        self.fetched += [one.split()[0] for one in at.get("srcset", "").split(",") if one.strip()]
        self.fetched += urls(at.get("style", ""))


def urls(css: str) -> list[str]:
    """What a style sheet fetches."""
    found = re.findall(r"""url\(\s*["']?([^"')]+)""", css) + re.findall(r"""@import\s+["']([^"']+)""", css)
    return [url for url in found if not url.startswith("#")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BuiltPage]:
    """Every page of the site by its path."""
    files = sorted(site.rglob("*.html"))
    return {file.relative_to(site).as_posix(): BuiltPage(file.read_text(encoding="utf-8")) for file in files}


def there(page: str, url: str) -> tuple[str, str]:
    """The path and the place on it that a page's link leads to."""
    parts = urlsplit(url)
    path = unquote(parts.path)
    folder = "" if path.startswith("/") else posixpath.dirname(page)
    target = posixpath.normpath(posixpath.join(folder, path.lstrip("/"))) if path else page
    return ("index.html" if target == "." else target), unquote(parts.fragment)


def test_every_link_anchor_and_image_leads_somewhere(site: Path, pages: dict[str, BuiltPage]) -> None:
    broken = []
    followed = 0
    for page, read in pages.items():
        for url in read.links + read.fetched:
            if urlsplit(url).scheme or ELSEWHERE.match(url):
                continue
            followed += 1
            target, place = there(page, url)
            if not (site / target).is_file() or (
                place and target in pages and place not in pages[target].ids and place != "__skip"
            ):
                broken.append(f"{page}: {url}")
    assert broken == []
    assert followed > 1000


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[str, BuiltPage]) -> None:
    fetched = {(page, url) for page, read in pages.items() for url in read.fetched}
    for sheet in site.rglob("*.css"):
        name = sheet.relative_to(site).as_posix()
        for url in urls(sheet.read_text(encoding="utf-8")):
            fetched.add((name, url))
            if not url.startswith("data:"):
                assert (site / there(name, url)[0]).is_file(), f"{name}: {url}"
    for text in re.findall(
        r"<style[^>]*>(.*?)</style>", "".join(file.read_text() for file in site.rglob("*.html")), re.S
    ):
        fetched |= {("<style>", url) for url in urls(text)}
    assert [one for one in sorted(fetched) if ELSEWHERE.match(one[1])] == []
    assert [one for one in fetched if one[1].endswith(".woff2")], "the fonts are our own"


def named(nav: Any) -> list[str]:
    """The pages of a navigation."""
    if isinstance(nav, str):
        return [nav]
    return [page for one in (nav.values() if isinstance(nav, dict) else nav) for page in named(one)]


def test_every_page_is_in_the_navigation() -> None:
    told = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = named(told["nav"])
    written = {file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")}
    assert len(listed) == len(set(listed))
    assert set(listed) == written | set(hook.ELSEWHERE) | set(hook.MADE)


def test_the_page_of_commands_names_every_command_and_option(site: Path) -> None:
    text = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    commands = dict(hook.walk(typer.main.get_command(app), ()))
    assert len(commands) > 20
    for path, command in commands.items():
        part = text.partition(f'<h2 id="{"-".join(path)}">')[2].partition("<h2 ")[0]
        assert part, path
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert all(f"<code>{word}</code>" in part for word in parameter.opts), (path, parameter.opts)


def test_links_that_leave_the_folder_are_led_to_copies() -> None:
    fenced = "```sh\n[d](../deploy/nginx.conf)\n```\n"
    text = f"[a](../deploy/nginx.conf) [b](hosting.md#backups) [c](../CHANGELOG.md)\n{fenced}"
    led, linked = hook.at_home(text, "docs/x.md", "x.md")
    assert led.startswith("[a](repository/deploy/nginx.conf.txt) [b](hosting.md#backups) [c](changes.md)\n")
    assert led.endswith(fenced)
    assert linked == ["deploy/nginx.conf"]
    assert (
        hook.at_home("[d](docs/architecture.md)", "CONTRIBUTING.md", "contributing.md")[0] == "[d](architecture.md)"
    )


def test_colours_are_the_tables_own() -> None:
    tokens = (hook.STATIC / "tokens.css").read_text(encoding="utf-8")
    made = hook.coloured(tokens)
    assert made.count("{") == made.count("}")
    for block in ('[data-md-color-scheme="carbon"]', ":root {"):
        assert made.count(block) >= 1
    dark = tokens.partition(':root[data-theme="dark"]')[2].partition("}")[0]
    assert dark.strip() in made
    assert "prefers-color-scheme" not in made
