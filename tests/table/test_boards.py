"""Boards: every legal decision is in the picture and in the list, in every game, for every seat and language."""

from __future__ import annotations

import random
import re

import pytest

from samizdat.kernel.game import Game
from samizdat.table.boards import board_of
from samizdat.table.commands import Play
from samizdat.table.language import LANGUAGES
from samizdat.table.rendering import PARTS, parts, steps
from samizdat.table.viewing import look
from tests.conftest import DOSE, every_game, label, plain_games
from tests.table.conftest import Site

ATTRIBUTE = re.compile(r'data-(?:move|add|take)="([^"]*)"')
ADDS = re.compile(r'data-adds="([^"]*)" data-open="([^"]*)"')


def offered(html: str) -> set[str]:
    """The decisions that can be clicked in a piece of a page."""
    found = set(ATTRIBUTE.findall(html))
    for notations, open in ADDS.findall(html):
        pairs = dict(re.findall(r"&#34;([^&]*)&#34;: &#34;([^&]*)&#34;", notations))
        found |= {pairs[arm] for arm in open.split()}
    return found


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_decision_is_in_the_picture_and_in_the_list(site: Site, game: Game) -> None:
    table = site.table(game)
    dice = random.Random(game.players)
    buttons = board_of(game.name).BUTTONS
    kinds: set[str] = set()
    for _ in range(150 * DOSE):
        assert table.match is not None
        if table.match.over:
            break
        seat = dice.choice(table.match.turn)
        legal = table.match.legal(seat)
        fresh = {move.kind for move in legal} - kinds
        if fresh or dice.random() < 0.15:
            kinds |= fresh
            position = look(table, seat)
            drawn = parts(position, "en")
            composed = position.seen.draft
            wanted = {str(move) for move in legal} if composed is None else set(composed.open)
            picture = offered(drawn["board"] + drawn["hand"] + drawn["seats"] + drawn["status"])
            assert wanted <= picture, f"not in the picture: {sorted(wanted - picture)[:5]}"
            assert wanted <= offered(drawn["choices"]), f"not in the list: {sorted(wanted - picture)[:5]}"
            labels = re.findall(r"<button data-(?:move|add)=[^>]*>([^<]*)</button>", drawn["choices"])
            assert len(set(labels)) == len(labels), "two decisions read the same"
            assert all(kind in game.definition.moves.first for kind in buttons)
        site.run(site.house.do(table, Play(seat, [dice.choice(legal)])))


@pytest.mark.parametrize("game", every_game(), ids=label)
def test_every_option_can_be_drawn(site: Site, game: Game) -> None:
    table = site.table(game)
    site.wander(table, 25)
    for viewer in table.viewers:
        drawn = parts(look(table, viewer), "en")
        assert all(drawn[part] for part in PARTS)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_whole_match_can_be_drawn_in_every_language(site: Site, game: Game) -> None:
    table = site.table(game)
    assert table.match is not None
    number = 0
    while not table.match.over:
        site.wander(table, 9, seed=number)
        number += 1
        viewer = table.viewers[number % len(table.viewers)]
        code = list(LANGUAGES)[number % len(LANGUAGES)]
        position = look(table, viewer)
        parts(position, code, helps=number % 3 > 0)
        steps(position, code)
    for code in LANGUAGES:
        for viewer in table.viewers:
            position = look(table, viewer)
            drawn = parts(position, code)
            steps(position, code)
            assert "tally" in drawn["end"], "the end has a score sheet that adds up"
