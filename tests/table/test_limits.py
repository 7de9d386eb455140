"""Limits: a script that does not stop is told so, and nobody else notices."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

import samizdat
from samizdat.table.app import Greeter
from samizdat.table.house import DAY
from samizdat.table.limits import MINUTE, Crowd, RequestRate
from samizdat.table.players import Visitors
from tests.table.conftest import Browser, Site

OPEN = {"game": "revolution", "seats": [{"kind": "open"}] * 3}
THERE, ELSEWHERE = "203.0.113.7", "198.51.100.9"
SENTENCES = {
    "en": "Too many requests have come from your address; wait a minute, then go on.",
    "it": "troppe richieste",
    "de": "zu viele Anfragen",
    "pl": "zbyt wiele żądań",
}


def opened(browser: Browser) -> int:
    return browser.post("/api/tables", json=OPEN).status_code


# --- tables a day ----------------------------------------------------------------------------------------


def test_programs_open_so_many_tables_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Site(tmp_path, tables_a_day=2)) as site:
        assert [opened(site.browser_at(THERE)) for _ in range(3)] == [201, 201, 429]
        assert opened(site.browser_at(ELSEWHERE)) == 201, "the others are not meant"
        refused = site.browser_at(THERE, **{"accept-language": "pl"}).post("/api/tables", json=OPEN)
        assert refused.json()["error"].startswith("Otwarto już tyle stołów")
    with closing(Site(tmp_path, tables_a_day=2)) as site:
        assert opened(site.browser_at(THERE)) == 429, "a restart forgets nothing"
        late = time.time() + DAY + 1
        monkeypatch.setattr(time, "time", lambda: late)
        assert opened(site.browser_at(THERE)) == 201


def test_programs_on_this_machine_are_not_counted(tmp_path: Path) -> None:
    with closing(Site(tmp_path, tables_a_day=1, requests_a_minute=1)) as site:
        assert [opened(site.browser()) for _ in range(3)] == [201] * 3
        assert opened(site.browser_at("::1")) == 201


def test_the_address_itself_is_not_kept(tmp_path: Path) -> None:
    with closing(Site(tmp_path)) as site:
        assert opened(site.browser_at(THERE)) == 201
    assert not any(THERE.encode() in file.read_bytes() for file in tmp_path.iterdir())


# --- requests a minute -----------------------------------------------------------------------------------


def test_requests_too_many_are_refused_and_nobody_else_waits(tmp_path: Path) -> None:
    with closing(Site(tmp_path, requests_a_minute=5)) as site:
        hasty = site.browser_at(THERE)
        assert [hasty.get("/api/games").status_code for _ in range(6)] == [200] * 5 + [429]
        assert hasty.post("/new/revolution").status_code == 429, "pages and forms are counted, too"
        assert site.browser_at(THERE).get("/").status_code == 429, "another cookie does not help"
        assert hasty.get("/static/table.js").status_code == 429
        assert site.browser_at(ELSEWHERE).get("/api/games").status_code == 200


@pytest.mark.parametrize("code", SENTENCES)
def test_the_refusal_is_a_sentence_in_the_readers_language(tmp_path: Path, code: str) -> None:
    with closing(Site(tmp_path, requests_a_minute=1)) as site:
        asking = site.browser_at(THERE, **{"accept-language": code})
        asking.get("/api/games")
        for accept in ("application/json", "text/html"):
            refused = asking.get("/", headers={"accept": accept})
            assert refused.status_code == 429
            assert 1 <= int(refused.headers["retry-after"]) <= 60
            assert refused.headers["cache-control"] == "no-store"
            words = refused.json()["error"] if accept == "application/json" else refused.text
            assert SENTENCES[code] in words


def test_a_household_is_one_sender_however_many_addresses_it_has(tmp_path: Path) -> None:
    with closing(Site(tmp_path, requests_a_minute=1)) as site:
        asked = ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1", "203.0.113.7", "::ffff:203.0.113.7"]
        statuses = [site.browser_at(address).get("/api/games").status_code for address in asked]
        assert statuses == [200, 429, 200, 200, 429]


def test_whoever_waits_may_go_on() -> None:
    now = 1000.0
    pace = RequestRate(60, lambda: now)
    assert [pace.wait(THERE) for _ in range(60)] == [0.0] * 60
    assert pace.wait(THERE) == pytest.approx(1.0)
    now += 0.9
    assert pace.wait(THERE) == pytest.approx(0.1)
    now += 0.2
    assert pace.wait(THERE) == 0.0
    assert pace.wait(THERE) > 0.5
    now += MINUTE
    assert [pace.wait(THERE) for _ in range(61)].count(0.0) == 60


def test_senders_are_forgotten() -> None:
    now = 1000.0
    pace = RequestRate(60, lambda: now)
    for number in range(500):
        pace.wait(str(number))
    assert len(pace) == 500
    now += MINUTE
    pace.wait(THERE)
    assert len(pace) == 1


def test_no_limit_is_no_limit() -> None:
    pace = RequestRate(0)
    assert not any(pace.wait(THERE) for _ in range(10_000))


# --- streams at once -------------------------------------------------------------------------------------


def test_a_sender_keeps_only_so_many_streams_open() -> None:
    """One that broke off counts no longer, and whoever has too many still gets pages."""
    asyncio.run(_streams())


async def _streams() -> None:
    closing_time = asyncio.Event()
    statuses: list[int] = []

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await closing_time.wait()
        raise ConnectionError("the browser has gone")

    crowd = Crowd(2)
    greeter = Greeter(stream, Visitors("secret", False), RequestRate(0), crowd)

    async def ask(host: str, path: str = "/table/some/events") -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.request"}

        asked = {"method": "GET", "path": path, "headers": [], "query_string": b"", "client": (host, 1)}
        with suppress(ConnectionError):
            await greeter({"type": "http", **asked}, receive, send)

    open_ = [asyncio.create_task(ask(host)) for host in (THERE, THERE, THERE, ELSEWHERE, "127.0.0.1", "127.0.0.1")]
    await asyncio.sleep(0.01)
    assert sorted(statuses) == [200, 200, 200, 200, 200, 429]
    page = asyncio.create_task(ask(THERE, "/table/some"))
    await asyncio.sleep(0.01)
    assert sorted(statuses) == [200, 200, 200, 200, 200, 200, 429], "whoever plays goes on playing"
    closing_time.set()
    await asyncio.gather(*open_, page)
    assert len(crowd) == 0
    statuses.clear()
    await ask(THERE)
    assert statuses == [200]


# --- bodies ------------------------------------------------------------------------------------------------


async def _pieces(size: int) -> AsyncIterator[bytes]:
    """A body that does not say how long it is."""
    for _ in range(0, size, 1024):
        yield b"x" * 1024


def test_what_no_page_of_ours_sends_is_not_even_read(site: Site) -> None:
    """A large text takes seconds to make sense of, and everybody waits."""
    table = site.table(samizdat.game("revolution"))
    decisions = ["/api/tables", f"/api/tables/{table.id}/play", f"/table/{table.id}/move", f"/table/{table.id}/draft"]
    forms = ["/new/revolution", "/preferences", f"/table/{table.id}/sit"]
    for path in decisions + forms:
        kind = "application/json" if path in decisions else "application/x-www-form-urlencoded"
        for content in (b"[" * 70_000, _pieces(70_000)):
            refused = site.browser().post(path, content=content, headers={"content-type": kind})
            assert refused.status_code == 413, path
            assert refused.json()["error"] == "That is larger than anything this table takes."


def test_a_body_is_refused_by_what_it_says_of_itself(site: Site) -> None:
    """Nobody waits for the rest of it."""
    read: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(4):
            read.append(1)
            yield b"x" * 1024

    said = {"content-type": "application/json", "content-length": "70000"}
    assert site.browser().post("/api/tables", content=pieces(), headers=said).status_code == 413
    assert len(read) <= 1


def test_match_files_may_be_larger_than_decisions(site: Site) -> None:
    browser = site.browser(accept="text/html")
    inside = browser.post("/import", files={"file": ("match.json", b"x" * 3_000_000)})
    assert inside.status_code == 422
    assert "cannot be read on from line 1" in inside.text
    assert browser.post("/import", files={"file": ("match.json", b"x" * 6_000_000)}).status_code == 413
