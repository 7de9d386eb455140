"""The shelf: what each game says of itself before anybody has played it."""

from __future__ import annotations

import html
import re

import pytest

from samizdat.kernel.boards import LEARNING
from samizdat.kernel.game import definitions
from samizdat.table.board_files import board_of
from tests.table.conftest import Site

FACTS = {  # of Revolution! and of A War of Whispers
    "en": ("3–4 players", "60 min", "30–60 min", "How hard to learn: 2 of 5, easy", "4 of 5, takes a match"),
    "it": ("3–4 giocatori", "60 min", "30–60 min", "Da imparare: 2 su 5, facile", "4 su 5, serve una partita"),
    "de": ("3–4 Spieler", "60 Min.", "30–60 Min.", "Zu lernen: 2 von 5, leicht", "4 von 5, nach einer Partie"),
    "pl": ("3–4 graczy", "60 min", "30–60 min", "Trudność nauki: 2 z 5, łatwa", "4 z 5, dopiero po partii"),
}


@pytest.mark.parametrize("code", FACTS)
def test_each_game_says_how_long_it_takes_and_how_hard_it_is_to_learn(site: Site, code: str) -> None:
    page = html.unescape(site.browser(accept="text/html", cookie=f"lang={code}").get("/").text)
    cards = {
        re.findall(r'action="/new/([\w-]+)"', card)[0]: card
        for card in page.partition('class="pos"')[2].partition("</section>")[0].split('<li class="po">')[1:]
    }
    assert set(cards) == set(definitions())
    players, hour, half, easy, hard = FACTS[code]
    assert all(fact in cards["revolution"] for fact in (players, f">{hour}<", easy))
    assert all(fact in cards["war-of-whispers"] for fact in (f">{half}<", hard))
    for name, card in cards.items():
        board = board_of(name)
        assert card.count('<i class="f">') == board.EFFORT.learning
        assert card.count("<i") == len(LEARNING)


@pytest.mark.parametrize("name", definitions())
def test_a_games_effort_is_a_number_of_minutes_and_a_step_of_the_scale(name: str) -> None:
    effort = board_of(name).EFFORT
    assert 0 < effort.minutes[0] <= effort.minutes[1]
    assert 1 <= effort.learning <= len(LEARNING)
