"""What whoever runs a server can see of it: that it lives, that it can serve, its numbers and its log."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

import samizdat
from samizdat.table import metrics
from samizdat.table.logs import JsonLines
from samizdat.table.supervising import SHARED_METRICS
from tests.table.conftest import Site


def test_a_server_says_whether_it_lives_and_can_serve(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = site.browser()
    assert browser.get("/health").text == "alive\n"
    assert browser.get("/ready").status_code == 200

    def away() -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(site.house.store, "ping", away)
    assert browser.get("/ready").status_code == 503
    assert browser.get("/health").status_code == 200


def test_numbers_are_for_whoever_has_the_token(tmp_path: Path) -> None:
    with closing(Site(tmp_path / "without")) as site:
        assert site.browser().get("/metrics").status_code == 404
        assert site.browser(authorization="Bearer ").get("/metrics").status_code == 404
    with closing(Site(tmp_path / "with", metrics_token="geheim")) as site:
        table = site.table(samizdat.game("revolution"))
        site.wander(table, 8)
        for seat, chair in enumerate(table.chairs):
            assert site.browser().get(f"/sit/{chair.key}").status_code == 200, seat
        for wrong in ("", "Bearer", "Bearer wrong", "Bearer ü"):
            headers = {"authorization": wrong.encode()} if wrong else {}
            assert site.browser().get("/metrics", headers=headers).status_code == 404
        text = site.browser(authorization="Bearer geheim").get("/metrics").text
    assert 'samizdat_events_total{kind="Played"}' in text
    assert 'route="/sit/{key}"' in text
    secrets = [table.id, *(chair.key for chair in table.chairs)]
    assert not [secret for secret in secrets if secret in text]


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [JsonLines().format(record) for record in caplog.records]


def test_requests_are_logged_by_their_pattern_alone(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    table = site.table(samizdat.game("revolution"))
    with caplog.at_level(logging.INFO, logger="samizdat.requests"):
        browser = site.browser(accept="application/json")
        browser.hold(table, 0)
        assert table.match is not None
        move = str(table.match.legal(0)[0])
        body = {"seat": 0, "version": table.history(0).version, "move": move}
        assert browser.post(f"/table/{table.id}/move", json=body).status_code == 200
        assert browser.get("/nowhere/at/all").status_code == 404
    lines = [json.loads(line) for line in logged(caplog) if "samizdat.requests" in line]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/sit/{key}", 303), ("POST", "/table/{id}/move", 200), ("GET", "other", 404),
    ]  # fmt: skip
    written = "\n".join(logged(caplog))
    assert not [secret for secret in (table.id, table.chairs[0].key, move) if secret in written]


def test_an_error_is_logged_without_its_words() -> None:
    try:
        raise ValueError("bid priest force")
    except ValueError:
        words, told = "Exception in ASGI application\n", sys.exc_info()
        record = logging.LogRecord("uvicorn.error", logging.ERROR, __file__, 1, words, (), told)
    line = json.loads(JsonLines().format(record))
    assert line["error"] == "ValueError"
    assert "test_running.py" in line["at"][0]
    assert "priest" not in json.dumps(line)


def test_numbers_are_read_while_a_process_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file is empty until it has written how much of it is used."""
    begun = tmp_path / "counter_1.db"
    begun.touch()
    monkeypatch.setenv(SHARED_METRICS, str(tmp_path))
    monkeypatch.setattr(metrics.time, "sleep", lambda seconds: begun.unlink(missing_ok=True))
    assert metrics.exposition() == b""
