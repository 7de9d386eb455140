"""Taking back by consent: every other person agrees; everything since goes with it; files and clocks stay right."""

from __future__ import annotations

import html
import json
import random
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

import samizdat
from samizdat.conformance.walks import walk
from samizdat.kernel.game import Game
from samizdat.kernel.matchfile import loads
from samizdat.table.clocks import DAYS, LIVE, MINUTE, Terms
from samizdat.table.commands import Play
from samizdat.table.consent import AnswerBack, AskBack
from samizdat.table.declined import NotAllowed, Stale
from samizdat.table.ending import HandOver
from samizdat.table.events import TookBack
from samizdat.table.journal import GoingBack
from samizdat.table.page_parts import parts
from samizdat.table.store.messages import PLEA, TURN, Outbox
from samizdat.table.store.schema import messages
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import look
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Site
from tests.table.test_clocks import DAY, Hour, timed
from tests.table.test_seats import Club, club

__all__ = ["club"]
BOTH_DATABASES = True


def table_of(site: Site, game: Game, terms: Terms | None = None, kinds: str = "") -> LiveTable:
    """A running match, each seat a person's of its own (`p0`, `p1`, ...) or a bot's."""
    return timed(site, game, terms or Terms(DAYS, 7 * DAY), kinds)


def until_it_needs_consent(site: Site, table: LiveTable, seed: int = 3) -> int:
    """Play on until somebody could only ask for a decision back; who that is."""
    dice = random.Random(seed)
    while True:
        assert table.match is not None
        assert not table.match.over
        for seat in range(table.game.players):
            if table.may_plead(seat) and not table.may_undo(seat):
                return seat
        seat = dice.choice(table.match.turn)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))


def agree(site: Site, table: LiveTable, *seats: int, yes: bool = True) -> None:
    for seat in seats:
        assert table.plea is not None
        plea = table.asked_back
        assert plea is not None
        site.run(site.house.do(table, AnswerBack(f"p{seat}", plea.key, yes)))


def others(table: LiveTable, seat: int) -> list[int]:
    return [other for other in range(table.game.players) if other != seat]


# --- the match -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_a_match_goes_back_to_where_it_was(game: Game) -> None:
    """A law of all games: positions, files and what everybody knows are those before the decision."""
    dice = random.Random(5)
    for match in walk(game.match(5), 5):
        if match.plies > 60:
            break
        if dice.random() < 0.8:
            continue
        for viewer in (None, *range(game.players)):
            match.history(viewer)
        seat = dice.randrange(game.players)
        last = match.last_of(seat)
        if last is None:
            continue
        then, twin = match.copy(), match.copy()
        then._go_back(last)
        twin.take_back(seat)
        assert (twin.raw, twin.moves) == (then.raw, then.moves)
        for viewer in (None, *range(game.players)):
            assert twin.observations(viewer) == then.observations(viewer)
            assert twin.history(viewer).version >= match.history(viewer).version
        assert loads(twin.dumps()).moves == then.moves
        for who, move in match.moves[last:]:  # the same luck comes again
            twin.play(who, move)
        assert twin.raw == match.raw


# --- who is asked ----------------------------------------------------------------------------------------


def test_everybody_agrees_and_it_is_as_if_nothing_had_been(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=3))
    seat = until_it_needs_consent(site, table)
    assert table.match is not None
    before, last = table.match.plies, table.match.last_of(seat)
    site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    first, second = others(table, seat)
    agree(site, table, first)
    assert table.match.plies == before, "one is not enough"
    event = site.run(site.house.do(table, AnswerBack(f"p{second}", table.asked_back.key, True)))  # type: ignore[union-attr]
    assert isinstance(event, TookBack)
    assert table.match.plies == last
    assert seat in table.match.turn
    assert table.plea is None
    assert site.house.store.journal(table.id)[-1] == GoingBack(seat), "the journal keeps it"
    kinds = [line.kind for line in table.talk.sheet("seats").lines]
    assert kinds == ["back", "went"]
    assert not table.talk.sheet("all").lines, "who watches is not told what the seats agree on"
    with pytest.raises(Stale):
        site.run(site.house.do(table, AnswerBack(f"p{first}", "0.0.0", True)))


def test_one_who_lets_it_stand_is_enough(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=3))
    seat = until_it_needs_consent(site, table)
    site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    first, second = others(table, seat)
    agree(site, table, first, yes=False)
    plies = table.match.plies if table.match else 0
    with pytest.raises(Stale):
        site.run(site.house.do(table, AnswerBack(f"p{second}", table.plea.key, True)))  # type: ignore[union-attr]
    with pytest.raises(NotAllowed):
        site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    assert table.match is not None
    assert table.match.plies == plies
    while table.plea is not None:  # until whoever asked has decided again
        site.wander(table, 1, seed=table.match.plies)
    assert table.match.plies > plies


def test_agreement_given_before_something_came_out_does_not_count(site: Site) -> None:
    """In Revolution! bids are opened by the last one: who agreed before has not agreed to that."""
    table = table_of(site, samizdat.game("revolution", players=3))
    dice = random.Random(2)
    match = table.match
    assert match is not None
    seat = until_it_needs_consent(site, table)
    site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    asked = table.asked_back
    assert asked is not None
    assert not asked.opened
    first = others(table, seat)[0]
    agree(site, table, first)
    key = asked.key
    while table.asked_back is not None and not table.asked_back.opened:
        assert table.match is not None
        turn = [one for one in table.match.turn if one != seat]
        one = dice.choice(turn)
        site.run(site.house.do(table, Play(one, [dice.choice(table.match.legal(one))])))
    plea = table.asked_back
    assert plea is not None
    assert not plea.yes
    with pytest.raises(Stale):
        site.run(site.house.do(table, AnswerBack(f"p{others(table, seat)[1]}", key, True)))


def test_bots_agree_and_so_does_whoever_shares_the_screen(site: Site) -> None:
    for kinds in ("pbb", "ppp"):
        table = site.table(samizdat.game("war-of-whispers", players=3), kinds=kinds)
        seat = until_it_needs_consent(site, table)
        assert table.match is not None
        last = table.match.last_of(seat)
        site.run(site.house.do(table, AskBack(seat, "p0")))
        assert table.match.plies == last
        assert not table.talk.sheet("seats").lines, "they are at one screen"


def test_who_leaves_is_not_waited_for(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=3))
    seat = until_it_needs_consent(site, table)
    site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    first, second = others(table, seat)
    agree(site, table, first)
    site.run(site.house.do(table, HandOver(second, f"p{second}", "Ada", "novice")))
    assert "Take back" in look_text(table, seat)
    agree(site, table, seat)
    assert table.plea is None


def test_when_whoever_asks_leaves_nobody_asks_any_more(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=3))
    seat = until_it_needs_consent(site, table)
    site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    assert table.asked_back is not None
    site.run(site.house.do(table, HandOver(seat, f"p{seat}", "Boris", "novice")))
    assert table.asked_back is None


def look_text(table: LiveTable, viewer: int | None) -> str:
    return parts(look(table, viewer), "en", wanted=("back",))["back"]


def test_where_results_count_nothing_is_taken_back(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=2))
    seat = until_it_needs_consent(site, table)
    table.rated = True
    assert not table.may_plead(seat)
    with pytest.raises(NotAllowed, match="rated"):
        site.run(site.house.do(table, AskBack(seat, f"p{seat}")))


def test_nobody_asks_or_answers_for_others(club: Club) -> None:
    path = f"/table/{club.table.id}/back"
    for way in ("ask", "agree", "refuse"):
        for browser in (club.piotr, club.stranger, club.host):
            assert browser.post(path, data={"seat": "1", "way": way, "plea": "1.0.0"}).status_code == 403
    assert club.table.plea is None


def test_what_may_be_taken_back_alone_is_not_asked_for(site: Site) -> None:
    table = table_of(site, samizdat.game("revolution", players=3))
    assert table.match is not None
    site.run(site.house.do(table, Play(0, [table.match.legal(0)[0]])))
    assert table.may_undo(0)
    with pytest.raises(NotAllowed, match="without asking"):
        site.run(site.house.do(table, AskBack(0, "p0")))


# --- pages -----------------------------------------------------------------------------------------------


def test_pages_ask_and_say_what_came_out(club: Club) -> None:
    table = club.table
    seat = None
    dice = random.Random(4)
    while seat is None:
        assert table.match is not None
        one = dice.choice(table.match.turn)
        club.site.run(club.site.house.do(table, Play(one, [dice.choice(table.match.legal(one))])))
        seat = next((s for s in (0, 1, 2) if table.may_plead(s) and not table.may_undo(s)), None)
    browsers = (club.host, club.nadia, club.piotr)
    asker, answering = browsers[seat], [n for n in range(3) if n != seat]
    assert "Ask for it back" in asker.get(f"/table/{table.id}/leave?seat={seat}").text
    assert asker.post(f"/table/{table.id}/back", data={"seat": str(seat), "way": "ask"}).status_code == 303
    name = table.chairs[seat].name
    for n in answering:
        page = html.unescape(browsers[n].get(f"/table/{table.id}?seat={n}").text)
        assert f"{name} asks to take back their last decision" in page
        assert ("What was seen stays seen" in page) == table.plea.opened  # type: ignore[union-attr]
    watching = html.unescape(club.stranger.get(f"/table/{table.id}").text)
    assert "asks to take" not in watching, "who watches is not asked"
    assert "data-asked" not in look_text(table, None), "nor told over a stream"
    assert table.match is not None
    last = table.match.last_of(seat)
    for n in answering:
        key = table.asked_back.key  # type: ignore[union-attr]
        data = {"seat": str(n), "way": "agree", "plea": key}
        assert browsers[n].post(f"/table/{table.id}/back", data=data).status_code == 303
    assert table.match.plies == last


# --- files, restarts, other processes, clocks, messages --------------------------------------------------


def test_after_a_restart_everything_is_as_it_was(tmp_path: Path) -> None:
    game = samizdat.game("war-of-whispers", players=3)
    with closing(Site(tmp_path)) as site:
        table = table_of(site, game)
        for seed in range(3):
            seat = until_it_needs_consent(site, table, seed)
            site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
            if seed < 2:
                agree(site, table, *others(table, seat))
                site.wander(table, 9, seed)
        assert table.match is not None
        known = {viewer: (table.history(viewer).version, table.history(viewer).rewritten) for viewer in table.viewers}
        raw, plea, clock = table.match.raw, table.plea, table.clock
    with closing(Site(tmp_path)) as site:
        again = site.run(site.house.find(table.id))
        assert again.match is not None
        assert (again.match.raw, again.plea, again.clock) == (raw, plea, clock)
        for viewer in again.viewers:
            assert (again.history(viewer).version, again.history(viewer).rewritten) == known[viewer]


def test_the_file_of_such_a_match_verifies(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=2))
    for seed in range(4):
        seat = until_it_needs_consent(site, table, seed)
        site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
        agree(site, table, *others(table, seat))
        site.wander(table, 20, seed)
    site.wander(table, 10_000)
    assert table.over
    text = site.run(site.house.file(table, None))
    match = loads(text)
    assert match.over
    assert match.commitment == json.loads(text)["commitment"] == table.commitment


@pytest.mark.parametrize("kind", [LIVE, DAYS])
def test_nobody_gains_time_by_it(site: Site, kind: str) -> None:
    hour = Hour(site)
    terms = Terms(LIVE, 10 * MINUTE, 5.0) if kind == LIVE else Terms(DAYS, 2 * DAY)
    table = table_of(site, samizdat.game("war-of-whispers", players=2), terms)
    dice = random.Random(9)
    assert table.match is not None
    for _ in range(60):
        seat = dice.choice(table.match.turn)
        then = table.clock.left(seat, hour.value) if table.clock else 0.0
        hour.value += 10.0
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
        other = 1 - seat
        if not table.may_plead(seat) or table.may_undo(seat) or seat in table.match.turn:
            continue
        hour.value += 7.0
        site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
        agree(site, table, other)
        assert table.clock is not None
        assert table.clock.left(seat, hour.value) <= then - 10.0
        assert table.clock.running == table.match.turn
        return
    pytest.fail("nothing had to be asked for")


def test_whoever_is_away_is_told(site: Site) -> None:
    table = table_of(site, samizdat.game("war-of-whispers", players=3))
    outbox = Outbox(site.house.store)
    for player in ("p0", "p1", "p2"):
        outbox.add_way(player, "hook", f"http://127.0.0.1:9/{player}", "", "hook", confirmed=True)
    seat = until_it_needs_consent(site, table)
    first, second = others(table, seat)
    site.run(site.house.do(table, AskBack(seat, f"p{seat}")))
    assert waiting(site, PLEA) == {f"p{first}", f"p{second}"}
    assert outbox.still_asked(f"p{first}", table.id)
    agree(site, table, first)
    assert not outbox.still_asked(f"p{first}", table.id)
    assert outbox.still_asked(f"p{second}", table.id)
    agree(site, table, second)
    assert not outbox.still_asked(f"p{second}", table.id)
    assert f"p{seat}" in waiting(site, TURN), "it is the asker's turn again, and another one brought that about"


def waiting(site: Site, kind: str) -> set[str]:
    with site.house.store.reading() as db:
        return set(db.execute(select(messages.c.player).where(messages.c.kind == kind)).scalars())
