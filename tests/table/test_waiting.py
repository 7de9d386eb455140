"""Long work is done in threads, once for all who ask: nobody's page waits for somebody else's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

import samizdat
from samizdat.kernel import interpreted
from samizdat.kernel.game import definitions
from samizdat.table import house, rendering, replays
from samizdat.table.chronicle import Chronicle
from samizdat.table.house import FAR_BEHIND, LiveTable
from samizdat.table.routes import reading
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
    table.match._observed.clear()
    table.chronicles.clear()
    table.pictures.clear()
    return table


@pytest.mark.parametrize("name", definitions())
def test_nobody_waits_while_a_replay_is_worked_out(site: Site, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = unread(site, name, 10_000)
    written = on_the_loop(monkeypatch, Chronicle, "_step")
    drawn = on_the_loop(monkeypatch, rendering, "_parts")
    opened = on_the_loop(monkeypatch, replays, "watched")
    hidden = on_the_loop(monkeypatch, interpreted, "hidden")
    browser = site.browser(**PAGE)

    async def all_at_once() -> list[int]:
        address = f"/table/{table.id}/replay"
        asked = [f"{address}?open=true"] * 2 + [f"{address}/7?open=true"] * 2 + [f"{address}?seat=0", address]
        return [answer.status_code for answer in await asyncio.gather(*map(browser.client.get, asked))]

    assert site.run(all_at_once()) == [200] * 6
    assert len(written) == sum(len(table.chronicle(viewer).steps) for viewer in table.viewers)
    assert len(opened) == 1
    assert drawn
    assert hidden
    assert not any(written + drawn + opened + hidden)


@pytest.mark.parametrize(
    "path", ["/table/{}", "/table/{}/step/3", "/table/{}/step/99999", "/api/tables/{}/view", "/api/tables/{}/log"]
)
def test_nobody_waits_for_the_first_page_of_a_long_match(
    site: Site, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = unread(site, "dual-powers", 60)
    written = on_the_loop(monkeypatch, Chronicle, "_step")
    drawn = on_the_loop(monkeypatch, rendering, "_parts")
    assert site.browser(**PAGE).get(path.format(table.id)).status_code == 200
    assert len(written) > FAR_BEHIND
    assert not any(written + drawn)


@pytest.mark.parametrize("path", ["/rules", "/rules/dual-powers"])
def test_nobody_waits_while_a_rulebook_is_set(site: Site, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = on_the_loop(monkeypatch, reading, "rulebook")
    assert site.browser(**PAGE).get(path).status_code == 200
    assert read
    assert not any(read)


def meanwhile(site: Site, table: LiveTable, monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Let something happen while a spectator's chronicle is being written."""
    written, begun, go_on = house._written, threading.Event(), threading.Event()

    def slow(*args: Any) -> Any:
        begun.set()
        assert go_on.wait(20)
        return written(*args)

    async def both() -> None:
        monkeypatch.setattr(house, "_written", slow)
        task = asyncio.create_task(table.write_up(None))
        await asyncio.to_thread(begun.wait, 20)
        monkeypatch.setattr(house, "_written", written)
        try:
            found = act()
            if found is not None:
                await found
        finally:
            go_on.set()
        await task

    site.run(both())


def as_written_anew(table: LiveTable) -> bool:
    assert table.match is not None
    steps = [step.observed for step in table.chronicle(None).steps]
    return steps == list(table.match.observations(None)) == list(again(table).observations(None))


def again(table: LiveTable) -> samizdat.Match:
    assert table.match is not None
    twin = samizdat.Match(table.game, table.seed)
    for seat, move in table.match.moves:
        twin.play(seat, move)
    return twin


def test_a_match_that_goes_on_while_it_is_written_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = unread(site, "war-of-whispers", 40)

    assert table.match is not None
    seat = table.match.turn[0]
    table.chronicle(seat)  # whoever decides has looked

    def play() -> Any:
        assert table.match is not None
        return site.house.play(table, seat, [table.match.legal(seat)[0]], None)

    meanwhile(site, table, monkeypatch, play)
    assert table.match is not None
    assert table.match.plies == 41
    assert as_written_anew(table)


def test_what_is_taken_back_while_it_is_written_up_is_not_in_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = unread(site, "war-of-whispers", 40)
    number = 0
    while not any(table.may_undo(seat) for seat in range(4)):
        site.wander(table, 1, seed=(number := number + 1))
    table.chronicles.clear()
    assert table.match is not None
    now = table.match.copy()
    now.undo(next(seat for seat in range(4) if table.may_undo(seat)))

    def rewind() -> None:
        table.rewind(now)

    meanwhile(site, table, monkeypatch, rewind)
    assert table.chronicle(None).rewritten == table.chronicle(None).version
    assert as_written_anew(table)
