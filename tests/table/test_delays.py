"""Who watches with a delay gets everything of an earlier moment, and nothing newer: two matches that differ only in
what is not shown yet are the same to them, to the last byte."""

from __future__ import annotations

import html
import random
from contextlib import closing
from pathlib import Path

import pytest

import samizdat
from samizdat.kernel.game import Game
from samizdat.table.cards import cards
from samizdat.table.clocks import LIVE, MINUTE, Terms
from samizdat.table.commands import Play, TakeBack
from samizdat.table.consent import AskBack
from samizdat.table.delays import DECISIONS, FIVE, ROUND
from samizdat.table.drawings import DRAWINGS, drawn
from samizdat.table.ending import Vote
from samizdat.table.manners import Manners
from samizdat.table.saying import Say
from samizdat.table.seats import Seat, new_key
from samizdat.table.streams import Follower
from samizdat.table.tables import LiveTable
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Site
from tests.table.test_clocks import Hour
from tests.table.test_secrecy import difference, received

BOTH_DATABASES = True
PAGE = {"accept": "text/html", "accept-language": "en"}
CLOCK = Terms(LIVE, 600 * MINUTE, 5.0)


def table_of(site: Site, game: Game, delay: str, player: str = "p0") -> LiveTable:
    site.house.store.remember_player(player, "Ludmila")
    chairs = [Seat("person", "", f"Player {seat}", new_key(), {player}) for seat in range(game.players)]
    opened = site.house.open_table(game, chairs, player, False, 7, manners=Manners(delay=delay), terms=CLOCK)
    return site.run(opened)


def go_on(table: LiveTable, dice: random.Random) -> bool:
    """One decision, without a trace in the database; whether the match goes on."""
    assert table.match is not None
    seat = dice.choice(table.match.turn)
    table.apply(Play(seat, [dice.choice(table.match.legal(seat))]).decide(table))
    return not table.over


@pytest.mark.parametrize("delay", [FIVE, ROUND])
@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_what_is_not_shown_yet_cannot_be_told(site: Site, game: Game, delay: str) -> None:
    """The same match up to some moment, then two ways to go on; as long as who watches has come no further than that,
    everything that is sent to them is the same."""
    Hour(site)
    table, browser = table_of(site, game, delay), site.browser()
    browser.get("/rules/revolution")  # the first answer sets a cookie
    dice, compared = random.Random(5), 0
    for turn in range(3):
        for _ in range(8 + 11 * turn):
            if not go_on(table, dice):
                return
        assert table.match is not None
        assert table.behind is not None
        start, behind = table.match, table.behind.copy()
        worlds = []
        for seed in (1, 2):
            table.match, table.behind, other = start.copy(), behind.copy(), random.Random(seed)
            known = len(start.history(None).observations)
            while not table.over and len(table.match.history(None).observations) < known + 3:
                go_on(table, other)
            DRAWINGS.clear()
            if table.over or len(table.behind.history.observations) > known:
                break
            worlds.append((table.match.raw, table.history(None), list(received(site, browser, table, None))))
        if len(worlds) == 2 and worlds[0][0] != worlds[1][0] and vars(worlds[0][1]) == vars(worlds[1][1]):
            compared += 1
            for (what, one), (_, two) in zip(worlds[0][2], worlds[1][2], strict=True):
                assert one == two, f"who watches can tell what is to come by {what}: {difference(one, two)}"
        table.match, table.behind = start, behind
        DRAWINGS.clear()
    assert compared


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_it_is_what_was_seen_then(site: Site, game: Game) -> None:
    """Five decisions later, and a round when it is over; all of it in the end."""
    five, whole = table_of(site, game, FIVE), table_of(site, game, ROUND)
    now = site.table(game)
    dice = random.Random(3)
    for _ in range(400):
        assert now.match is not None
        if now.match.over:
            break
        seat = dice.choice(now.match.turn)
        move = dice.choice(now.match.legal(seat))
        for table in (five, whole, now):
            table.apply(Play(seat, [move]).decide(table))
        if now.over:
            break
        real = now.history(None).observations
        assert five.history(None).observations == real[: max(1, len(real) - DECISIONS)]
        shown = whole.history(None).observations
        assert shown == real[: len(shown)]
        if len(shown) > 1:
            assert whole._round(whole.history(None)) < now.round or game.name == "dual-powers"
    if now.over:
        for table in (five, whole):
            assert table.history(None).observations == now.history(None).observations
            assert table.history(None).upto == now.history(None).upto


def test_a_stream_brings_each_step_once_and_wakes_for_nothing_else(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=3), FIVE)
    follower = Follower(table, None, table.history(None).version, lambda eyes, n: drawn(table, eyes, n, "en", True))
    follower.due()
    dice, seen = random.Random(1), 0
    for _ in range(30):
        before = table.history(None).version
        go_on(table, dice)
        told = follower.due()
        assert len(told) == table.history(None).version - before
        seen += len(told)
    assert seen > 10
    assert not table.history(None).rewritten


def latest(table: LiveTable) -> int:
    """Who decided last."""
    assert table.match is not None
    return table.match.moves[-1][0]


def test_what_was_not_shown_and_is_taken_back_was_never_there(site: Site) -> None:
    """Nobody who watches learns of it; what they have seen stays, unless it did not happen."""
    table = table_of(site, samizdat.game("war-of-whispers", players=2), FIVE)
    dice = random.Random(1)
    assert table.match is not None
    while table.match.plies < 20 or table.may_undo(latest(table)):
        go_on(table, dice)
    before = table.history(None).version, list(table.history(None).observations)
    site.run(site.house.do(table, AskBack(latest(table), "p0")))
    assert (table.history(None).version, table.history(None).observations) == before
    while table.match.plies > 2:  # far back: now it shows
        ask = TakeBack(latest(table)) if table.may_undo(latest(table)) else AskBack(latest(table), "p0")
        site.run(site.house.do(table, ask))
    assert table.history(None).rewritten
    assert len(table.history(None).observations) <= len(table.match.history(None).observations)


@pytest.mark.parametrize("delay", [FIVE, ROUND])
def test_it_is_the_same_after_a_restart(tmp_path: Path, delay: str) -> None:
    with closing(Site(tmp_path)) as site:
        table = table_of(site, samizdat.game("war-of-whispers", players=2), delay)
        site.wander(table, 60)
        for seat in range(2):
            if table.may_plead(seat) and not table.may_undo(seat):
                site.run(site.house.do(table, AskBack(seat, "p0")))
        site.wander(table, 9)
        then = vars(table.history(None))
    with closing(Site(tmp_path)) as site:
        again = site.run(site.house.find(table.id))
        assert vars(again.history(None)) == then


def test_pages_say_so_and_show_no_clock(site: Site) -> None:
    host, stranger = site.browser(**PAGE), site.browser(**PAGE)
    assert 'name="delay"' in host.get("/new/revolution").text
    form = {
        "variant": "standard",
        "players-standard": "3",
        "seat-0": "open",
        "seat-1": "open",
        "seat-2": "bot-novice",
    }
    assert host.post("/new/revolution", data={**form, "delay": "an hour"}).status_code == 422
    made = host.post("/new/revolution", data={**form, "delay": ROUND, "clock": "live"})
    table = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
    guests = [site.browser(**PAGE) for _ in range(2)]
    for seat, guest in enumerate(guests):
        assert "each round when it is over" in html.unescape(guest.get(f"/sit/{table.chairs[seat].key}").text)
        guest.post(f"/sit/{table.chairs[seat].key}", data={"name": f"Guest {seat}"})
    site.wander(table, 40)
    assert "data-clock" in guests[0].get(f"/table/{table.id}").text
    for browser in (stranger, host):
        for still in ("", "?still=true"):
            page = html.unescape(browser.get(f"/table/{table.id}{still}").text)
            assert "data-clock" not in page
            assert "each round when it is over" in page
        assert browser.get(f"/api/tables/{table.id}").json()["clock"] is None
    key = {"Authorization": f"Bearer {table.chairs[0].key}"}
    assert stranger.get(f"/api/tables/{table.id}", headers=key).json()["clock"] is not None
    [card] = cards(site.house.store, [site.house.store.table(table.id)], table.opened_by, "en", 0.0)
    assert (card.where, card.awaited) == ("", None), "whoever opened it watches as others do"


def test_talk_tells_no_round_to_come(site: Site) -> None:
    table = table_of(site, samizdat.game("revolution", players=3), ROUND)
    while table.round < 3:
        site.wander(table, 1, seed=table.match.plies if table.match else 0)
    table.chairs[1].holders = {"p1"}
    site.run(site.house.do(table, Say("all", 0, "p0", "Ludmila", "hello")))
    assert [line.round for line in table.said(0, "all")] == [3]
    assert [line.round for line in table.said(None, "all")] == [2]


def test_when_it_is_ended_all_is_shown(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=2), FIVE)
    site.wander(table, 30)
    site.run(site.house.do(table, Vote("p0", True)))
    assert table.match is not None
    assert table.history(None).observations == table.match.history(None).observations
    assert not table.delays(None)
