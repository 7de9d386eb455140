"""What a sceptical reader tried: races, late answers, seats given away, lost connections, hostile requests."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.requests import Request

import samizdat
from samizdat.kernel.errors import GameOver
from samizdat.kernel.match import view_of
from samizdat.table import at_hand, streams
from samizdat.table.bots import Bots
from samizdat.table.commands import ChangeSeat, Draft, Hold, Play, TakeBack, TakeSeat
from samizdat.table.declined import NoTable, NotAllowed, Stale
from samizdat.table.drawings import DRAWINGS, MOST_DRAWN, drawn
from samizdat.table.events import Event, SeatChanged
from samizdat.table.pacing import Pace
from samizdat.table.routes import api, play
from samizdat.table.seats import Seat, Viewer, new_key
from samizdat.table.streams import Follower, follow
from samizdat.table.tables import LiveTable
from samizdat.table.turns import Job
from samizdat.table.viewing import look
from tests.table.conftest import Site

# --- after the end -------------------------------------------------------------------------------------------


def test_nothing_is_taken_back_after_the_end_when_the_seed_is_out(site: Site) -> None:
    """Revolution's last decision reveals nothing: its match could go on with every secret known."""
    tried = 0
    for seed in range(6):
        table = site.table(samizdat.game("revolution", max_rounds=1), seed=seed)
        site.wander(table, 1000, seed)
        assert table.match is not None
        assert table.match.over
        for seat in range(4):
            tried += table.match.can_undo(seat)
            assert not look(table, seat).can_undo
            with pytest.raises(GameOver):
                site.run(site.house.do(table, TakeBack(seat)))
        assert table.status == "over"
    assert tried


# --- seats that change hands ---------------------------------------------------------------------------------


async def listened(stream: AsyncIterator[bytes], seconds: float = 0.05) -> list[bytes]:
    """What a stream sends until it falls silent; its end is an empty message."""
    heard: list[bytes] = []
    while True:
        try:
            heard.append(await asyncio.wait_for(anext(stream), seconds))
        except StopAsyncIteration:
            return [*heard, b""]
        except TimeoutError:
            return heard


def watching(table: LiveTable, viewer: Viewer, allowed: Callable[[], bool] = lambda: True) -> AsyncIterator[bytes]:
    draw = lambda viewer, step: drawn(table, viewer, step, "en", True)  # noqa: E731
    return follow(table, Follower(table, viewer, table.history(viewer).version, draw, allowed))


@pytest.fixture
def caught(monkeypatch: pytest.MonkeyPatch) -> list[AsyncIterator[bytes]]:
    """Streams that are asked for end at once, since the tests' browsers read answers whole; what each would send."""
    streams: list[AsyncIterator[bytes]] = []

    def catch(table: LiveTable, follower: Follower, *rest: Any, **more: Any) -> AsyncIterator[bytes]:
        streams.append(follow(table, follower, *rest, **more))
        return empty()

    async def empty() -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"

    for module in (play, api):
        monkeypatch.setattr(module, "follow", catch)
    return streams


@pytest.mark.parametrize("path", ["/table/{}/events?seat=1&since=0", "/api/tables/{}/events"])
def test_the_stream_of_a_former_holder_ends(site: Site, path: str, caught: list[AsyncIterator[bytes]]) -> None:
    table = site.table(samizdat.game("revolution"))
    browser = site.browser()
    browser.hold(table, 1)
    key = table.chairs[1].key
    assert browser.get(path.format(table.id), headers={"Authorization": f"Bearer {key}"}).status_code == 200

    async def given_away() -> tuple[list[bytes], list[bytes]]:
        open_ = caught[0]
        first = [await anext(open_), await anext(open_)]
        await site.house.do(table, ChangeSeat(1, "bot", "Ada", level="random"))
        return first, await listened(open_, 2)

    first, after = site.run(given_away())
    assert b"event: step" in first[1]
    assert after == [b"event: reload\ndata: {}\n\n", b""]


@pytest.mark.parametrize("name", ["dual-powers", "war-of-whispers"])
def test_a_program_is_sent_every_step_with_what_it_heard(
    site: Site, name: str, caught: list[AsyncIterator[bytes]]
) -> None:
    """Step by step from the deal on: what the seat saw then, and the lines that the log has of it."""
    table = site.table(samizdat.game(name))
    site.wander(table, 20)
    browser = site.browser()
    key = {"Authorization": f"Bearer {table.chairs[1].key}"}
    assert browser.get(f"/api/tables/{table.id}/events", headers=key).status_code == 200
    sent = [one for one in site.run(listened(caught[0], 2)) if b"event: step" in one]
    steps = [json.loads(one.decode().partition("data: ")[2]) for one in sent]
    history = table.history(1)
    assert [step["version"] for step in steps] == list(range(1, history.version + 1))
    seen = [table.game.definition.state.from_bytes(one.seen) for one in history.observations]
    assert [step["parts"]["view"] for step in steps] == [
        json.loads(json.dumps(view_of(table.game, one, 1))) for one in seen
    ]
    log = browser.get(f"/api/tables/{table.id}/log", headers=key).json()["lines"]
    assert [line for step in steps for line in step["steps"]] == log
    assert log


def test_a_page_that_looks_on_becomes_a_seat(site: Site, caught: list[AsyncIterator[bytes]]) -> None:
    """Somebody looks on in one tab and sits down in another."""
    table = site.table(samizdat.game("revolution"))
    site.run(site.house.do(table, ChangeSeat(1, "open", "")))
    browser = site.browser()
    path = f"/table/{table.id}/events?looking=true&since={table.history(None).version}"
    assert browser.get(path).status_code == 200
    assert site.run(listened(caught[0])) == [b"retry: 1000\n\n"]
    assert browser.get(path).status_code == 200

    async def sat_down() -> list[bytes]:
        open_ = caught[1]
        await anext(open_)
        waiting = asyncio.ensure_future(anext(open_))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await browser.client.post(f"/table/{table.id}/sit", data={"seat": "1", "name": "Nadia"})
        return [await asyncio.wait_for(waiting, 10)]

    assert site.run(sat_down()) == [b"event: reload\ndata: {}\n\n"]
    assert browser.get(path).status_code == 200
    assert b"event: reload\ndata: {}\n\n" in site.run(listened(caught[2], 2)), "one that is opened later"


def test_two_who_sit_down_at_once_do_not_share_a_seat(site: Site) -> None:
    game = samizdat.game("revolution")
    for name in ("p0", "p1", "p2"):
        site.house.store.remember_player(name, name)
    chairs = [Seat("open" if seat == 1 else "bot", "", f"{seat}", new_key()) for seat in range(game.players)]
    table = site.run(site.house.open_table(game, chairs, "p0", False))

    async def both() -> list[Event | BaseException | None]:
        one = site.house.do(table, TakeSeat(1, "One", "p1"))
        two = site.house.do(table, TakeSeat(1, "Two", "p2"))
        return await asyncio.gather(one, two, return_exceptions=True)

    first, second = site.run(both())
    assert isinstance(first, SeatChanged)
    assert first.chair is table.chairs[1]
    assert isinstance(second, NotAllowed)
    assert table.chairs[1].name == "One"
    assert site.house.store.holders(table.id)[1] == {"p1"}


def test_whoever_sits_at_a_table_takes_no_second_seat_of_it(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    guest = site.browser()
    guest.hold(table, 1)
    site.run(site.house.do(table, ChangeSeat(2, "open", "")))
    answer = guest.post(f"/table/{table.id}/sit", data={"seat": "2"})
    assert answer.status_code == 403
    assert "somebody who was not at this table" in answer.json()["error"]
    assert table.chairs[2].kind == "open"


def test_a_key_that_stopped_working_lets_nobody_in(site: Site) -> None:
    """The seat is given away while its old link is being opened."""
    table = site.table(samizdat.game("revolution"))
    site.house.store.remember_player("late", "Late")
    key = table.chairs[1].key

    async def race() -> list[object]:
        give = site.house.do(table, ChangeSeat(1, "person", "Next", "p0"))
        return await asyncio.gather(give, site.house.do(table, Hold(1, key, "late")), return_exceptions=True)

    assert isinstance(site.run(race())[1], NoTable)
    assert table.chairs[1].holders == {"p0"}
    assert site.house.store.holders(table.id)[1] == {"p0"}


def test_a_late_answer_does_not_decide_for_whoever_sits_there_now(site: Site) -> None:
    table = site.table(samizdat.game("revolution"), kinds="pbpp")
    assert table.match is not None
    version, bot, move = table.history(1).version, table.chairs[1], table.match.legal(1)[0]
    site.run(site.house.do(table, ChangeSeat(1, "person", "Nadia", "p0")))
    with pytest.raises(Stale):
        site.run(site.house.do(table, Play(1, [move], version=version, by=bot)))

    async def race() -> list[object]:
        """The former holder's post waits while the seat is given away."""
        give = site.house.do(table, ChangeSeat(2, "person", "Nadia", "p0"))
        post = site.house.do(table, Play(2, [move]))
        return await asyncio.gather(give, post, return_exceptions=True)

    assert isinstance(site.run(race())[1], Stale)
    assert table.match.plies == 0


def test_a_draft_is_not_left_to_the_next_one(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    composed = table.composition(1)
    assert composed is not None
    site.run(site.house.do(table, Draft(1, "add", composed.open[0])))
    site.run(site.house.do(table, ChangeSeat(1, "person", "Nadia", "p0")))
    composed = table.composition(1)
    assert composed is not None
    assert composed.chosen == ()
    assert site.house.store.drafts(table.id) == {}


# --- what others do in secret --------------------------------------------------------------------------------


def test_secret_decisions_move_neither_heartbeat_nor_cache(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision that a viewer cannot see does not put off the heartbeat of its stream or make its page slower."""
    monkeypatch.setattr(streams, "HEARTBEAT", 0.5)
    table = site.table(samizdat.game("revolution"))
    drawn(table, None, None, "en", True)
    kept = DRAWINGS.of(table, None).drawings

    async def beats() -> None:
        stream = watching(table, None)
        await anext(stream)
        beat = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.3)
        assert table.match is not None
        await site.house.do(table, Play(1, [table.match.legal(1)[0]]))
        put_off = asyncio.ensure_future(asyncio.sleep(streams.HEARTBEAT))
        first, _ = await asyncio.wait({beat, put_off}, return_when=asyncio.FIRST_COMPLETED)
        assert beat in first
        assert b"event: beat" in await beat

    site.run(beats())
    assert DRAWINGS.of(table, None).drawings is kept
    assert kept


# --- tables that are read again ------------------------------------------------------------------------------


def test_there_is_never_a_second_copy_of_a_table_in_use(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_hand, "MOST_WEIGHT", 0)
    table = site.table(samizdat.game("revolution"))
    for _ in range(3):
        site.table(samizdat.game("revolution"))
    assert table.id not in site.house.tables
    assert site.run(site.house.find(table.id)) is table
    id, table = table.id, site.table(samizdat.game("revolution"))
    site.table(samizdat.game("revolution"))
    assert site.run(site.house.find(id)).id == id


@pytest.mark.parametrize("name", ["revolution", "war-of-whispers"])
def test_versions_survive_a_restart(site: Site, name: str) -> None:
    """What was taken back still counts: an old version must not come to mean another position."""
    table = site.table(samizdat.game(name))
    dice = random.Random(8)
    undone = 0
    for _ in range(40):
        assert table.match is not None
        seat = dice.choice(table.match.turn)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
        if table.may_undo(seat) and dice.random() < 0.5:
            site.run(site.house.do(table, TakeBack(seat)))
            undone += 1
    assert undone
    wanted = {
        viewer: (table.history(viewer).observations, list(look(table, viewer).entries)) for viewer in table.viewers
    }
    versions = {viewer: (table.history(viewer).version, table.history(viewer).rewritten) for viewer in table.viewers}
    read = LiveTable(site.house.store.table(table.id), table.game, table.chairs)
    read.recall(site.house.store.journal(table.id))
    for viewer in table.viewers:
        history = read.history(viewer)
        assert (history.version, history.rewritten) == versions[viewer]
        assert (history.observations, list(look(read, viewer).entries)) == wanted[viewer]


# --- streams -------------------------------------------------------------------------------------------------


def test_a_browser_that_comes_back_is_sent_the_changes_that_are_no_steps(site: Site) -> None:
    """A seat changed hands or a draft grew while the connection was lost."""
    table = site.table(samizdat.game("revolution"))
    browser = site.browser()
    browser.hold(table, 0)
    page = browser.get(f"/table/{table.id}?seat=0").text
    change = int(page.partition('data-change="')[2].partition('"')[0])
    version = table.history(0).version

    async def first(**headers: str) -> list[bytes]:
        visitor = SimpleNamespace(id="p0", language="en", helps=True, session="")
        known = [(b"last-event-id", b"%d" % version)] if headers else []
        request = Request({"type": "http", "app": site.app, "headers": known, "state": {"visitor": visitor}})
        answer = await play.events(request, table.id, version, 0, change)
        return await listened(answer.body_iterator)  # type: ignore[attr-defined]

    assert site.run(first()) == [b"retry: 1000\n\n"]
    assert b"refresh" in site.run(first(last="1"))[1]
    site.run(site.house.do(table, ChangeSeat(2, "person", "Somebody Else", "p0")))
    assert b"Somebody Else" in site.run(first())[1]


def test_a_long_walk_through_a_match_fills_no_memory(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    site.wander(table, 60)
    for step in range(len(table.history(1).observations) - 1):
        drawn(table, 1, step, "en", True)
    assert 1 < len(DRAWINGS.of(table, 1).drawings) <= MOST_DRAWN


# --- hostile requests, and what goes wrong -------------------------------------------------------------------


def test_a_seat_number_of_any_length_is_refused(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    answer = site.browser().post(f"/table/{table.id}/sit", data={"seat": "9" * 5000})
    assert answer.status_code == 403


@pytest.mark.parametrize("name", ["box", "players", "self", "variant", "nothing", "\ud800"])
def test_options_that_are_none_are_refused_by_name(site: Site, name: str) -> None:
    body: dict[str, Any] = {"game": "revolution", "seats": [{"kind": "me"}] * 4, "options": {name: "x"}}
    answer = site.browser().post("/api/tables", content=json.dumps(body))
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


def test_what_is_larger_than_anything_is_not_read(site: Site) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="match.json"\r\n\r\n'
        for _ in range(200):
            yield b"x" * 65536

    for path, kind in (("/import", "multipart/form-data; boundary=b"), ("/api/tables", "application/json")):
        answer = site.browser().post(path, content=endless(), headers={"content-type": kind})
        assert answer.status_code == 413
        assert "larger than anything" in answer.json()["error"]


@pytest.mark.parametrize(("code", "word"), [("en", "cannot be understood"), ("de", "nicht verstanden")])
def test_what_cannot_be_understood_is_a_page_in_the_readers_language(site: Site, code: str, word: str) -> None:
    table = site.table(samizdat.game("revolution"))
    answer = site.browser(accept="text/html", cookie=f"lang={code}").get(f"/table/{table.id}?seat=queen")
    assert answer.status_code == 422
    assert word in answer.text
    assert '<main id="main"' in answer.text


def test_a_failure_is_one_sentence_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("revolution"))
    monkeypatch.setattr(site.house, "find", lambda id: 1 / 0)
    transport = httpx.ASGITransport(app=site.app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url="http://table")
    answer = site.run(client.get(f"/table/{table.id}"))
    assert answer.status_code == 500
    assert answer.json() == {"error": "Something went wrong at the table; try again."}


def test_a_draft_that_is_not_finished_says_so(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    browser = site.browser()
    browser.hold(table, 0)
    body = {"seat": 0, "version": table.history(0).version}
    answer = browser.post(f"/table/{table.id}/seal", json=body)
    assert "still missing" in answer.json()["error"]
    answer = browser.post(f"/table/{table.id}/move", json=body | {"move": "nonsense"})
    assert "cannot be understood" in answer.json()["error"]


# --- bots ----------------------------------------------------------------------------------------------------


def test_a_bot_that_fails_does_not_stop_the_match(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = site.table(samizdat.game("revolution"), kinds="pbpp")
    bots: Bots = site.app.state.bots
    assert table.match is not None
    moves = [str(move) for move in table.match.legal(1)]

    async def run(work: object, request: dict[str, Any], job: Job) -> str:
        if request["level"] != "random" or tried:
            raise ValueError("bid general force")
        tried.append(1)
        return moves[0]

    tried: list[int] = []
    monkeypatch.setattr(bots, "run", run)
    table.chairs[1].level = "expert"
    site.run(bots._decide(table, 1, Pace(0.0, 1, 0.25)))
    assert table.match.plies == 1
    assert "general" not in caplog.text


def test_after_a_restart_only_tables_that_wait_for_a_bot_are_read(site: Site) -> None:
    waits = site.table(samizdat.game("revolution"), kinds="pbpp")
    site.table(samizdat.game("revolution"))
    assert site.house.store.waiting_for_bots() == [waits.id]


def test_the_host_does_not_take_a_running_hand(site: Site) -> None:
    """While the match runs, whoever opened the table may free a seat or give it to a bot, not look into its hand."""
    host = site.browser()
    host.post("/new/dual-powers", data={"name": "A", "seat-0": "me", "seat-1": "bot-random"})
    [id] = site.house.tables
    answer = host.post(f"/table/{id}/seats", data={"seat": "1", "kind": "here", "name": "B"})
    assert answer.status_code == 403
    assert site.house.tables[id].chairs[1].kind == "bot"
    assert host.get(f"/table/{id}?seat=1").headers["location"] == f"/table/{id}"
    assert host.get(f"/table/{id}/step/0?seat=1").status_code == 403
    assert host.post(f"/table/{id}/seats", data={"seat": "1", "kind": "open"}).status_code == 303
    assert site.house.tables[id].chairs[1].kind == "open"
    key = site.house.tables[id].chairs[1].key
    assert host.post(f"/sit/{key}").status_code == 403, "nor by the link for whoever is invited"
    assert site.browser().post(f"/sit/{key}", data={"name": "B"}).status_code == 303
