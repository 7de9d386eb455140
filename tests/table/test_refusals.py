"""Whatever is sent: one sentence, never a traceback, and never as long as what it refuses."""

from __future__ import annotations

import html
import sqlite3
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

import samizdat
from tests.table.conftest import Browser, Site

PAGE = {"accept": "text/html", "accept-language": "en"}
LONGEST = 2_000  # characters of an answer to a program


def tables(browser: Browser, body: str) -> tuple[int, str]:
    answer = browser.post("/api/tables", content=body.encode(), headers={"content-type": "application/json"})
    assert len(answer.text) < LONGEST
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize(
    "body",
    [
        r'{"game": "\ud800", "seats": [{}, {}, {}]}',
        r'{"game": "revolution", "variant": "\ud800", "seats": [{}, {}, {}]}',
        r'{"game": "revolution", "options": {"\ud800": 1}, "seats": [{}, {}, {}]}',
        r'{"game": "revolution", "options": {"max_rounds": "\ud800"}, "seats": [{}, {}, {}]}',
        r'{"game": "revolution", "options": {"\ud800": []}, "seats": [{}, {}, {}]}',
        r'{"game": "revolution", "seats": [{"kind": "\ud800"}, {}, {}]}',
        r'{"game": "revolution", "seats": [{"kind": "bot", "level": "\ud800"}, {}, {}]}',
        '{"game": "revolution", "options": {"max_rounds": ' + "9" * 5000 + '}, "seats": [{}, {}, {}]}',
        '{"game": "revolution", "options": {"max_rounds": ' + "9" * 4000 + '}, "seats": [{}, {}, {}]}',
        '{"game": "' + "x" * 30_000 + '", "seats": [{}, {}, {}]}',
        '{"game": "revolution", "variant": "' + "x" * 30_000 + '", "seats": [{}, {}, {}]}',
        '{"game": "revolution", "options": {"' + "x" * 30_000 + '": 1}, "seats": [{}, {}, {}]}',
        '{"game": "revolution", "options": {"' + "x" * 30_000 + '": []}, "seats": [{}, {}, {}]}',
        '{"game": "revolution", "options": {"max_rounds": "' + "x" * 30_000 + '"}, "seats": [{}, {}, {}]}',
        "[" * 20_000,
        '{"a":' * 8_000,
        "\x00",
    ],
    ids=lambda body: ascii(body[:60]),
)
def test_a_program_that_sends_nonsense_is_told_so(site: Site, body: str) -> None:
    status, words = tables(site.browser(), body)
    assert status in (400, 403, 422)
    assert words.endswith((".", "…"))
    assert not site.house.tables


def test_a_decision_that_is_no_text_is_refused(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    program = site.browser(authorization=f"Bearer {table.chairs[0].key}")
    for path in (f"/api/tables/{table.id}/play", f"/table/{table.id}/move", f"/table/{table.id}/draft"):
        body = r'{"seat": 0, "version": 1, "move": "\ud800", "change": "add", "notation": "\ud800"}'
        answer = program.post(path, content=body.encode(), headers={"content-type": "application/json"})
        assert answer.status_code in (400, 403, 409, 422)
        assert answer.json()["error"]


@pytest.mark.parametrize("number", ["²", "--5", "9" * 5000, "-", "5-", "1e3", "0x5"])
def test_what_is_no_number_comes_back_in_the_form(site: Site, number: str) -> None:
    data = {"name": "Ludmila", "seat-0": "me", "house-max_rounds": number}
    answer = site.browser(**PAGE).post("/new/revolution", data=data)
    assert answer.status_code == 422
    assert "must be a whole number from 1 to" in html.unescape(answer.text)
    assert not site.house.tables


@pytest.mark.parametrize("charset", ["unicode_escape", "utf-7", "utf-16", "punycode", "nonsense"])
def test_forms_in_strange_alphabets(site: Site, charset: str) -> None:
    """Whoever sends a form names its alphabet; some of Python's make half characters of plain letters."""
    fields = {"name": r"\ud800", "seat-0": "me", "seat-1": r"\ud800", "house-max_rounds": r"\ud800"}
    parts = "".join(f'--x\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items())
    kind = {"content-type": f"multipart/form-data; boundary=x; charset={charset}"}
    for path in ("/new/revolution", "/preferences", "/import"):
        answer = site.browser(**PAGE).post(path, content=f"{parts}--x--\r\n".encode(), headers=kind)
        assert answer.status_code in (303, 400, 422)


@pytest.mark.parametrize(
    "content", [b"", b"--x\r\n", b"--x\r\nnonsense\r\n\r\n--x--\r\n", b"x" * 4000, b"--x\r\n\r\n" * 3000]
)
def test_forms_that_are_none(site: Site, content: bytes) -> None:
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded"):
        for path in ("/new/revolution", "/import"):
            answer = site.browser(**PAGE).post(path, content=content, headers={"content-type": kind})
            assert answer.status_code in (303, 400, 413, 422)


# --- the disk and the database -----------------------------------------------------------------------------


def failure(words: str) -> OperationalError:
    return OperationalError("INSERT", {}, sqlite3.OperationalError(words))


TROUBLE: list[tuple[Exception, str, str]] = [
    (failure("database or disk is full"), "The disk of this server is full", "Festplatte"),
    (OSError(28, "No space left on device"), "The disk of this server is full", "Festplatte"),
    (failure("database is locked"), "The database of this server is busy", "beschäftigt"),
    (failure("disk I/O error"), "The database of this server does not work", "funktioniert"),
]


@pytest.mark.parametrize(("error", "words", "german"), TROUBLE, ids=lambda one: str(one)[:40])
def test_a_disk_or_database_in_trouble_says_so_in_words(
    site: Site, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str, german: str
) -> None:
    table = site.table(samizdat.game("war-of-whispers"))
    assert table.match is not None
    seat = table.match.turn[0]
    browser = site.browser(accept="application/json")
    browser.hold(table, seat)

    def fails(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(site.house.store, "append", fails)
    body = {"seat": seat, "version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
    answer = browser.post(f"/table/{table.id}/move", json=body)
    assert answer.status_code == 503
    assert answer.json()["error"].startswith(words)
    assert answer.json()["error"].endswith("Nothing was changed; try again later.")
    browser.client.cookies.set("lang", "de")
    assert german in browser.post(f"/table/{table.id}/move", json=body).json()["error"]
    assert table.match.plies == 0
    monkeypatch.undo()
    assert browser.post(f"/table/{table.id}/move", json=body).status_code == 200


def test_pages_say_it_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise failure("database or disk is full")

    monkeypatch.setattr(site.house.store, "add_table", fails)
    answer = site.browser(**PAGE).post("/new/revolution")
    assert answer.status_code == 503
    assert "The disk of this server is full" in answer.text
    assert '<main id="main"' in answer.text


def test_a_database_that_somebody_else_locks(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real one: whoever copies the file by hand, say."""
    table = site.table(samizdat.game("war-of-whispers"))
    assert table.match is not None
    seat = table.match.turn[0]
    site.house.store.writer.do(lambda db: db.exec_driver_sql("PRAGMA busy_timeout=10"))
    file = site.house.store.engine.url.database
    assert file is not None
    body = {"version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
    program = site.browser(authorization=f"Bearer {table.chairs[seat].key}")
    other = sqlite3.connect(file, isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        answer = program.post(f"/api/tables/{table.id}/play", json=body)
        assert answer.status_code == 503
        assert answer.json()["error"].startswith("The database of this server is busy")
    finally:
        other.close()
    assert program.post(f"/api/tables/{table.id}/play", json=body).status_code == 200
