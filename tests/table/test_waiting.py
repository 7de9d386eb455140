"""Long work is done in threads, once for all who ask: nobody's page waits for somebody else's."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.kernel import interpreted
from samizdat.kernel.game import definitions
from samizdat.table import page_parts, replays
from samizdat.table.drawings import DRAWINGS
from samizdat.table.routes import reading
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import Log
from tests.table.conftest import Site

PAGE = {"accept": "text/html"}


def on_the_loop(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[bool]:
    """For each call of a function from now on: whether everybody waited for it."""
    loop, calls, act = threading.get_ident(), [], getattr(owner, name)

    def noted(*args: Any, **values: Any) -> Any:
        calls.append(threading.get_ident() == loop)
        return act(*args, **values)

    monkeypatch.setattr(owner, name, noted)
    return calls


def unread(site: Site, name: str, plies: int) -> LiveTable:
    """A match that nobody has looked at, so far."""
    table = site.table(samizdat.game(name, **({"max_rounds": 2} if name == "revolution" else {})))
    site.wander(table, plies)
    assert table.match is not None
    DRAWINGS.clear()
    return table


@pytest.mark.parametrize("name", definitions())
def test_nobody_waits_while_a_replay_is_worked_out(site: Site, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = unread(site, name, 10_000)
    written = on_the_loop(monkeypatch, Log, "_worded")
    drawn = on_the_loop(monkeypatch, page_parts, "_parts")
    opened = on_the_loop(monkeypatch, replays, "watched")
    browser = site.browser(**PAGE)

    async def all_at_once() -> list[int]:
        address = f"/table/{table.id}/replay"
        asked = [f"{address}?open=true"] * 2 + [f"{address}/7?open=true"] * 2 + [f"{address}?seat=0", address]
        return [answer.status_code for answer in await asyncio.gather(*map(browser.client.get, asked))]

    assert site.run(all_at_once()) == [200] * 6
    assert len(written) == sum(len(table.history(viewer).observations) for viewer in table.viewers)
    assert len(opened) == 1
    assert drawn
    assert not any(written + drawn + opened)


@pytest.mark.parametrize(
    ("path", "long"),
    [
        ("/table/{}", True),
        ("/table/{}/step/3", False),
        ("/table/{}/step/99999", True),
        ("/api/tables/{}/view", False),
        ("/api/tables/{}/log", True),
    ],
)
def test_nobody_waits_for_the_first_page_of_a_long_match(
    site: Site, path: str, long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = unread(site, "dual-powers", 60)
    written = on_the_loop(monkeypatch, Log, "_worded")
    drawn = on_the_loop(monkeypatch, page_parts, "_parts")
    assert site.browser(**PAGE).get(path.format(table.id)).status_code == 200
    assert (len(written) > 10) == long
    assert not any(written + drawn)


def test_nobody_waits_while_a_match_is_played_through_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is read from the store: everybody's history is worked out on the way."""
    with closing(Site(tmp_path)) as site:
        table = site.table(samizdat.game("war-of-whispers", players=2))
        site.wander(table, 40)
    with closing(Site(tmp_path)) as site:
        hidden = on_the_loop(monkeypatch, interpreted, "hidden")
        again = site.run(site.house.find(table.id))
        assert len(hidden) >= 40 * len(table.viewers)
        assert not any(hidden)
        hidden.clear()
        assert [again.history(viewer).observations for viewer in table.viewers] == [
            table.history(viewer).observations for viewer in table.viewers
        ]
        assert not hidden, "and is not worked out again"


@pytest.mark.parametrize("path", ["/rules", "/rules/dual-powers"])
def test_nobody_waits_while_a_rulebook_is_set(site: Site, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = on_the_loop(monkeypatch, reading, "rulebook")
    assert site.browser(**PAGE).get(path).status_code == 200
    assert read
    assert not any(read)
