"""Several processes on one database: any of them serves any table, and together they are as one."""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.kernel.errors import SamizdatError
from samizdat.table.commands import ChangeSeat, Draft, Hold, Play, TakeBack, TakeSeat
from samizdat.table.consent import AskBack
from samizdat.table.declined import Stale
from samizdat.table.delays import DECISIONS, FIVE, ROUND
from samizdat.table.manners import Manners
from samizdat.table.practice import PracticeTable
from samizdat.table.saying import Say, Stamp
from samizdat.table.seats import Seat, new_key
from samizdat.table.store.notices import listen
from samizdat.table.store.store import CHANNEL
from samizdat.table.streams import MOST_STEPS, Follower, follow
from samizdat.table.tables import LiveTable
from samizdat.table.talk import ALL, SEATS, STAMPS
from tests.conftest import DOSE
from tests.postgres import Postgres
from tests.table.conftest import Site


@pytest.fixture
def club(postgresql: Postgres, tmp_path: Path) -> Iterator[list[Site]]:
    """Three servers on one database."""
    address = postgresql.fresh()
    sites = [Site(tmp_path, database=address) for _ in range(3)]
    yield sites
    for site in sites:
        site.close()


def here(site: Site, id: str) -> LiveTable:
    return site.run(site.house.find(id))


def facts(table: LiveTable) -> dict[str, Any]:
    """All that anybody could tell of a table."""
    seats = [(chair.kind, chair.name, chair.key, chair.level, sorted(chair.holders)) for chair in table.chairs]
    known = {"seats": seats, "status": table.status, "drafts": table.drafts, "events": table.events}
    known["talk"] = {name: sheet.lines for name, sheet in table.talk.sheets.items() if sheet.lines}
    if table.match is not None:
        histories = [table.history(viewer) for viewer in table.viewers]
        known["match"] = table.match.dumps()
        known["seen"] = [(one.version, one.rewritten, one.observations) for one in histories]
        known["log"] = [(vars(one), one.plies) for one in table.seatings]
    return known


def anything(dice: random.Random, table: LiveTable) -> Any:
    """Something that people do at a table, possible or not."""
    seat = dice.randrange(table.game.players)
    acts = {"play": 12, "back": 4, "draft": 4, "bot": 1, "free": 1, "take": 2, "hold": 1, "say": 3, "stamp": 3}
    act = dice.choices(list(acts), list(acts.values()))[0]
    if act == "play" and table.match is not None and table.match.turn:
        seat = dice.choice(table.match.turn)
        return Play(seat, [dice.choice(table.match.legal(seat))], version=table.history(seat).version)
    if act == "draft" and table.match is not None and (composed := table.composition(seat)) and composed.open:
        return Draft(seat, dice.choice(["add", "clear"]), dice.choice(composed.open))
    if act == "say":
        return Say(*dice.choice([(SEATS, seat), (ALL, seat), (ALL, None)]), "p0", "Ludmila", f"words {dice.random()}")
    if act == "stamp":
        return Stamp(dice.choice([SEATS, ALL]), seat, "p0", dice.randrange(3), dice.choice(STAMPS))
    if act == "back":
        return TakeBack(seat)
    if act == "take":
        return TakeSeat(seat, "Halina", "p1")
    if act == "hold":
        return Hold(seat, table.chairs[seat].key, "p1")
    return ChangeSeat(seat, "bot", "Ada", level="random") if act == "bot" else ChangeSeat(seat, "open", "")


@pytest.mark.parametrize("name", ["revolution", "dual-powers"])
def test_whoever_is_asked_every_process_knows_the_same(club: list[Site], name: str) -> None:
    """A law: whatever is done at a table in one process, all others then know it to the letter, as does one that
    reads the table for the first time."""
    dice = random.Random(5)
    for site in club:
        site.house.store.remember_player("p1", "Halina")
    for _ in range(DOSE):
        id = club[0].table(samizdat.game(name), seed=dice.getrandbits(64)).id
        kept = [here(site, id) for site in club]  # streams hold on to their table, and must find it changed
        for _ in range(60):
            site = dice.choice(club)
            with suppress(SamizdatError):
                site.run(site.house.do(here(site, id), anything(dice, here(site, id))))
        for site, table in zip(club, kept, strict=True):
            assert here(site, id) is table
            assert facts(table) == facts(kept[0])
        club[2].house.tables.clear()
        club[2].house._held.clear()
        assert facts(here(club[2], id)) == facts(kept[0])


def test_of_two_that_decide_at_once_one_is_late(club: list[Site]) -> None:
    """The second is refused with the words that it would hear in one process, and the first stands."""
    one, other = club[:2]
    table = one.table(samizdat.game("war-of-whispers", players=2))
    for _ in range(20):
        mine, theirs = here(one, table.id), here(other, table.id)
        assert mine.match is not None
        if mine.match.over:
            break
        seat = mine.match.turn[0]
        asked = Play(seat, [mine.match.legal(seat)[0]], version=mine.history(seat).version)
        before, heard = mine.match.plies, []

        def decide(site: Site, copy: LiveTable, asked: Play = asked, heard: list[object] = heard) -> None:
            try:
                heard.append(site.run(site.house.do(copy, asked)))
            except Stale as error:
                heard.append(str(error))

        threads = [threading.Thread(target=decide, args=pair) for pair in ((one, mine), (other, theirs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [one for one in heard if isinstance(one, str)] == [
            "The position has changed since; look again and decide anew."
        ]
        assert here(one, table.id).match.plies == here(other, table.id).match.plies == before + 1  # type: ignore[union-attr]


def test_a_command_is_decided_on_what_is_there_now(club: list[Site]) -> None:
    """A copy that is behind neither refuses what has become possible nor allows what no longer is."""
    one, other = club[:2]
    table = one.table(samizdat.game("war-of-whispers", players=2))
    behind = here(other, table.id)
    one.run(one.house.do(table, ChangeSeat(1, "open", "")))
    other.house.store.remember_player("p9", "Halina")
    other.run(other.house.do(behind, TakeSeat(1, "Halina", "p9")))
    assert behind.chairs[1].name == "Halina"
    with pytest.raises(SamizdatError, match="That seat is taken"):
        one.run(one.house.do(table, TakeSeat(1, "Borys", "p9")))


def test_numbers_are_added_in_any_process(club: list[Site]) -> None:
    """A ticket of one opens a table in another, a third takes a seat there: all know the same promise and luck."""
    one, other, third = club
    game, player = samizdat.game("war-of-whispers", players=2), "p7"
    ticket = other.app.state.tickets.read(one.app.state.tickets.new().text)
    other.house.store.remember_player(player, "Ludmila")
    chairs = [Seat("person", "", "Ludmila", new_key(), {player}), Seat("open", "", "", new_key())]
    opened = other.house.open_table(game, chairs, player, False, ticket=ticket, number="a" * 64)
    id = other.run(opened).id
    promised = {(here(site, id).commitment, here(site, id).so_far) for site in club}
    assert len(promised) == 1
    [(_, so_far)] = promised
    third.run(third.house.do(here(third, id), TakeSeat(1, "Halina", player, "b" * 64, so_far)))
    tables = [here(site, id) for site in club]
    assert all(table.fairness is not None and table.fairness.seats == [0, 1] for table in tables)
    assert len({table.match.dumps() for table in tables if table.match is not None}) == 1
    assert {table.commitment for table in tables} == {ticket.commitment}


def test_two_who_ask_for_a_rematch_meet(club: list[Site]) -> None:
    one, other = club[:2]
    table = one.table(samizdat.game("war-of-whispers", players=2))
    found: list[str] = []

    def ask(site: Site, copy: LiveTable) -> None:
        found.append(site.run(site.house.rematch(copy)).id)

    threads = [threading.Thread(target=ask, args=(site, here(site, table.id))) for site in (one, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]


async def first_of(stream: Any, kind: bytes) -> bytes:
    async for event in stream:
        if kind in event:
            return bytes(event)
    raise AssertionError("the stream ended")


def test_a_stream_hears_of_what_another_process_did(club: list[Site], postgresql: Postgres) -> None:
    """Also of what was told while the database was away."""
    one, other = club[:2]
    table = one.table(samizdat.game("war-of-whispers", players=2))
    copy = here(other, table.id)

    def told(notice: str) -> None:
        id, _, events = notice.rpartition(" ")
        other.house.heard(id, int(events))

    async def watch() -> None:
        listening = asyncio.create_task(listen(other.house.store.engine, {CHANNEL: told}, other.house.look_around))
        follower = Follower(copy, None, copy.history(None).version, lambda *_: {"parts": {}, "steps": []})
        stream = follow(copy, follower)
        try:
            for _ in range(3):
                await asyncio.to_thread(public, one, table.id)
                assert b"step" in await first_of(stream, b"event: step")
            postgresql.stop()
            postgresql.start()
            await asyncio.to_thread(public, one, table.id)
            assert b"step" in await first_of(stream, b"event: step")
        finally:
            listening.cancel()

    other.run(watch())


@pytest.mark.parametrize("delay", [FIVE, ROUND])
def test_who_watches_behind_elsewhere_gets_what_the_delay_allows(club: list[Site], delay: str) -> None:
    """Decisions, and what is taken back, arrive at one process, the stream of who watches is at another: it brings
    each step that the delay has let through once, nothing newer, and nothing where it lets nothing through; a third
    process that reads the table for the first time is as far behind."""
    one, other, third = club
    one.house.store.remember_player("p0", "Ludmila")
    game, dice = samizdat.game("war-of-whispers", players=2), random.Random(8)
    chairs = [Seat("person", "", f"Player {seat}", new_key(), {"p0"}) for seat in range(2)]
    table = one.run(one.house.open_table(game, chairs, "p0", False, 7, manners=Manners(delay=delay)))
    copy = here(other, table.id)
    history = copy.history(None)
    follower = Follower(copy, None, history.version, lambda _, n: {"parts": {"step": n}, "steps": []})
    follower.due()
    heard, rewritten, furthest = history.version, history.rewritten, 1

    async def told() -> int:
        """As a notice of the first process has it; how many steps the stream brings."""
        other.house.heard(table.id, table.events)
        await asyncio.gather(*other.house._behind.values())
        return sum(b"event: step" in event for event in follower.due())

    for _ in range(90):
        match = table.match
        assert match is not None
        if match.over:
            break
        seat = dice.choice(match.turn)
        last = match.moves[-1][0] if match.moves else 0
        if match.plies > 12 and dice.random() < (0.3 if delay == FIVE else 0.1):
            one.run(one.house.do(table, TakeBack(last) if table.may_undo(last) else AskBack(last, "p0")))
        else:
            one.run(one.house.do(table, Play(seat, [dice.choice(match.legal(seat))])))
        steps, history = other.run(told()), copy.history(None)
        if history.rewritten == rewritten:
            passed = history.version - heard
            assert steps == (passed if passed <= MOST_STEPS else 1), "each once, a whole round at once, nothing else"
        heard, rewritten = history.version, history.rewritten
        real = table.match.history(None).observations if table.match else []
        shown = history.observations
        assert shown == real[: len(shown)], "nothing that did not happen"
        assert vars(history) == vars(table.history(None)), "as far as in the process that decides"
        furthest = max(furthest, len(real) - DECISIONS)
        if delay == FIVE and not rewritten:
            assert len(shown) == furthest, "what was shown stays where something newer was taken back"
    assert len(copy.history(None).observations) > 5
    assert here(other, table.id) is copy
    assert vars(here(third, table.id).history(None)) == vars(table.history(None))


def public(site: Site, id: str) -> None:
    """Random decisions until a spectator sees something."""
    table = here(site, id)
    before = table.history(None).version
    while table.history(None).version == before:
        site.wander(table, 1)


def test_a_page_of_one_process_is_no_page_of_another(club: list[Site]) -> None:
    """What changed without a step is counted by each process for itself: their counts never meet by chance."""
    table = club[0].table(samizdat.game("revolution"))
    assert len({here(site, table.id).changes[None] for site in club}) == len(club)


def test_a_scene_is_tried_wherever_the_next_press_arrives(club: list[Site]) -> None:
    """Every press goes to another process; what was tried, shown and begun again holds in all of them."""
    first = club[0].browser(accept="text/html")
    page = first.get("/scenes/revolution/t06_spy").text
    [id] = set(re.findall(r"scene-[\w-]{8,}", page))
    seat = club[0].house.fleeting[id].held_by(club[0].house.fleeting[id].opened_by)[0]
    browsers = [site.browser(accept="text/html") for site in club]
    for browser in browsers:
        browser.client.cookies = first.client.cookies
    streamed = here(club[2], id)
    for act, browser in zip(("show", "again", None, "show", "more", "again"), [*browsers, *browsers], strict=True):
        answer = browser.post(f"/table/{id}/scene", json={"seat": seat, "act": act})
        assert answer.status_code == 200, answer.text
    table = here(club[1], id)
    assert isinstance(table, PracticeTable)
    move = table.exercise.answer[0]
    body = {"seat": seat, "version": table.history(seat).version, "move": move}
    assert browsers[0].post(f"/table/{id}/move", json=body).status_code == 200
    assert browsers[2].post(f"/table/{id}/move", json=body).status_code == 409
    assert browsers[1].get(f"/table/{id}").status_code == 303
    copies = [here(site, id) for site in club]
    assert copies[2] is streamed
    for copy in copies:
        assert isinstance(copy, PracticeTable)
        assert (facts(copy)["seen"], copy.made, copy.standing) == (facts(table)["seen"], table.made, table.standing)
