"""Leaving a match and ending it: a bot plays on, its owner comes back, somebody resigns, all agree to end."""

from __future__ import annotations

import html
import json
from contextlib import closing
from pathlib import Path

import pytest

import samizdat
from samizdat.kernel.errors import GameOver
from samizdat.kernel.game import Game
from samizdat.table.bots import Bots
from samizdat.table.commands import Play, TakeBack
from samizdat.table.ending import HandOver, Vote
from samizdat.table.page_parts import draw
from samizdat.table.ratings import Ratings
from samizdat.table.seats import Seat, new_key
from samizdat.table.store.accounts import Accounts
from samizdat.table.store.ratings import steps
from samizdat.table.tables import OVER, PLAYING, LiveTable
from samizdat.table.viewing import look
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Site
from tests.table.test_seats import Club, club, told

__all__ = ["club"]
BOTH_DATABASES = True


def leave(club: Club, who: str, seat: int, way: str) -> int:
    answer = getattr(club, who).post(f"/table/{club.table.id}/leave", data={"seat": str(seat), "way": way})
    return int(answer.status_code)


def come_back(club: Club, who: str, seat: int) -> int:
    return int(getattr(club, who).post(f"/table/{club.table.id}/return", data={"seat": str(seat)}).status_code)


# --- a bot plays on --------------------------------------------------------------------------------------


def test_a_seat_is_handed_to_a_bot_and_taken_back(club: Club) -> None:
    key = club.table.chairs[1].key
    assert leave(club, "nadia", 1, "bot") == 303
    chair = club.table.chairs[1]
    assert (chair.kind, chair.holders, chair.key) == ("bot", set(), key)
    assert told(club.table) == [f"Seat 2: Nadia hands over to the bot {chair.name}."]
    assert "Take it back" in club.nadia.get(f"/table/{club.table.id}").text
    assert "Take it back" not in club.piotr.get(f"/table/{club.table.id}").text
    assert come_back(club, "piotr", 1) == come_back(club, "stranger", 1) == 403
    assert come_back(club, "nadia", 1) == 303
    assert club.table.chairs[1].name == "Nadia"
    assert told(club.table)[-1] == "Seat 2: Nadia is back."
    assert leave(club, "nadia", 1, "bot") == 303, "as often as one likes"


def test_its_link_brings_its_owner_back_from_anywhere(club: Club) -> None:
    key = club.table.chairs[1].key
    leave(club, "nadia", 1, "bot")
    assert "plays in your seat" in html.unescape(club.stranger.get(f"/sit/{key}").text)
    assert club.stranger.post(f"/sit/{key}").status_code == 303
    assert club.table.chairs[1].kind == "person"
    assert club.table.chairs[1].name == "Nadia"


def test_who_resigns_does_not_come_back(club: Club) -> None:
    key = club.table.chairs[1].key
    assert leave(club, "nadia", 1, "resign") == 303
    assert told(club.table) == [f"Seat 2: Nadia resigns; the bot {club.table.chairs[1].name} plays on."]
    assert come_back(club, "nadia", 1) == 403
    assert club.nadia.post(f"/sit/{key}").status_code == 404
    assert "Take it back" not in club.nadia.get(f"/table/{club.table.id}").text


@pytest.mark.parametrize("way", ["bot", "resign", "agree", "refuse"])
def test_nobody_leaves_for_others(club: Club, way: str) -> None:
    for who in ("piotr", "stranger", "host"):
        assert leave(club, who, 1, way) == 403
    assert club.nadia.get(f"/table/{club.table.id}/leave?seat=2").status_code == 403
    assert club.table.proposal is None
    assert not club.table.seatings


def test_a_seat_that_the_host_gave_away_is_not_taken_back(club: Club) -> None:
    club.change(1, "bot-novice")
    assert come_back(club, "nadia", 1) == 403
    leave(club, "piotr", 2, "bot")
    club.change(2, "open")
    assert come_back(club, "piotr", 2) == 403


def test_the_ways_to_leave_are_a_page_for_browsers_without_script(club: Club) -> None:
    page = html.unescape(club.nadia.get(f"/table/{club.table.id}/leave?seat=1").text)
    for words in ("Hand over", "Propose it", "Yes, resign", "Only close the page"):
        assert words in page
    assert f'/table/{club.table.id}/leave?seat=1"' in club.nadia.get(f"/table/{club.table.id}?still=true").text


# --- all agree -------------------------------------------------------------------------------------------


def test_all_agree_to_end(club: Club) -> None:
    assert leave(club, "nadia", 1, "agree") == 303
    assert club.table.status == PLAYING
    line = club.table.talk.sheet("seats").lines[-1]
    assert (line.kind, line.name) == ("end", "Nadia")
    assert "Nadia proposes to end now." in club.host.get(f"/table/{club.table.id}/leave?seat=0").text
    assert "proposes" not in club.stranger.get(f"/table/{club.table.id}").text, "who watches is not asked"
    leave(club, "host", 0, "agree")
    assert club.table.status == PLAYING
    leave(club, "piotr", 2, "agree")
    assert club.table.ended
    assert club.table.match is not None
    for browser in (club.host, club.nadia, club.stranger):
        assert "Ended by agreement" in browser.get(f"/table/{club.table.id}").text
    assert "Ended by agreement" in club.nadia.get("/").text
    file = json.loads(club.nadia.get(f"/table/{club.table.id}/file").text)
    assert file["result"] is None
    assert "seed" in file
    seat = club.table.match.turn[0]
    version = club.table.history(seat).version
    command = Play(seat, [club.table.match.legal(seat)[0]], version=version)
    with pytest.raises(GameOver):
        club.site.run(club.site.house.do(club.table, command))
    with pytest.raises(GameOver):
        club.site.run(club.site.house.do(club.table, TakeBack(seat)))
    assert club.nadia.post(f"/table/{club.table.id}/rematch").status_code == 303


def test_one_who_would_rather_play_on_is_enough(club: Club) -> None:
    leave(club, "nadia", 1, "agree")
    assert leave(club, "piotr", 2, "refuse") == 303
    assert [line.kind for line in club.table.talk.sheet("seats").lines] == ["end", "not-end"]
    assert leave(club, "host", 0, "agree") == 403, "once a round"
    assert club.table.status == PLAYING
    before = club.table.round
    while club.table.round == before:
        club.site.wander(club.table, 1)
    assert club.table.proposed is None
    assert leave(club, "host", 0, "agree") == 303, "and again in the next"
    assert club.table.proposed is not None


def test_who_has_left_is_not_asked(club: Club) -> None:
    leave(club, "nadia", 1, "bot")
    leave(club, "piotr", 2, "agree")
    leave(club, "host", 0, "agree")
    assert club.table.ended


def test_an_end_and_a_proposal_are_there_after_a_restart(tmp_path: Path) -> None:
    with closing(Site(tmp_path)) as site:
        one, two = Club(site), Club(site)
        for who, seat in (("host", 0), ("nadia", 1), ("piotr", 2)):
            leave(one, who, seat, "agree")
        leave(two, "nadia", 1, "agree")
        leave(two, "piotr", 2, "bot")
        asked, seatings = two.table.proposal, [vars(seating) for seating in two.table.seatings]
    with closing(Site(tmp_path)) as site:
        assert site.run(site.house.find(one.table.id)).ended
        again = site.run(site.house.find(two.table.id))
        assert again.proposal == asked
        assert [vars(seating) for seating in again.seatings] == seatings


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_every_board_shows_a_match_that_was_ended(site: Site, game: Game) -> None:
    table = site.table(game)
    site.wander(table, 25)
    assert table.match is not None
    if table.match.over:
        return
    site.run(site.house.do(table, Vote("p0", True)))
    assert table.status == OVER
    for viewer in table.viewers:
        shown = draw(look(table, viewer), "en")
        assert "Ended by agreement" in shown["parts"]["status"]
        assert "data-move" not in "".join(shown["parts"].values())
        assert "to act" not in shown["parts"]["seats"]


def test_no_bot_moves_when_all_have_agreed(site: Site) -> None:
    table = site.table(samizdat.game("revolution", players=3), kinds="pbb")
    assert Bots._waits_for(table, 1)
    site.run(site.house.do(table, Vote("p0", True)))
    assert not Bots._waits_for(table, 1)


# --- ratings ---------------------------------------------------------------------------------------------


def rated(site: Site) -> tuple[LiveTable, list[str]]:
    """A rated match of two accounts."""
    people = [Accounts(site.house.store).open(name) for name in ("Nadia", "Piotr")]
    chairs = [Seat("person", "", person, new_key(), {person}) for person in people]
    game = samizdat.game("dual-powers", players=2)
    table = site.run(site.house.open_table(game, chairs, people[0], False, 7))
    site.run(site.house.rate(table))
    return table, people


def test_who_resigns_takes_the_last_place_in_a_rated_match(site: Site) -> None:
    for winner in range(2):
        table, people = rated(site)
        site.wander(table, 5)
        site.run(site.house.do(table, HandOver(winner, people[winner], "Ada", "novice", resign=True)))
        site.wander(table, 10_000)
        assert table.match is not None
        if table.match.winners != (winner,):
            continue
        Ratings(site.house).settle()
        [resigned], [other] = (steps(site.house.store, people[n]) for n in (winner, 1 - winner))
        assert resigned.mu < other.mu, "though the bot has won"
        return
    pytest.fail("nobody won whose seat a bot played")


def test_a_match_that_was_ended_is_not_rated(site: Site) -> None:
    table, people = rated(site)
    for person in people:
        site.run(site.house.do(table, Vote(person, True)))
    assert table.ended
    Ratings(site.house).settle()
    assert not any(steps(site.house.store, person) for person in people)
