"""Boards: every open decision is on the board and in the list; every page is drawn from what its reader may know."""

from __future__ import annotations

import functools
import random
import re

import pytest

from samizdat.conformance.games import DOSE, every_game, full_tables, label, plain_games
from samizdat.conformance.walks import another_world, walk
from samizdat.kernel.game import Game
from samizdat.table.language import LANGUAGES
from samizdat.table.page_parts import PARTS, parts, steps
from samizdat.table.preview import position
from samizdat.table.rendering import environment

ATTRIBUTE = re.compile(r'data-(?:move|add|take)="([^"]*)"')
ADDS = re.compile(r'data-adds="([^"]*)" data-open="([^"]*)"')
USED = re.compile(r'href="#g-([\w-]+)"')
LOOKED_AT = 0.15  # of all positions
LATER = 25  # decisions, when there is something on every board
COMPARED = 16 * DOSE  # positions of a match that are drawn in another world, too, or so


@functools.cache
def signs(game: str) -> set[str]:
    """The glyphs that a page of this game has: the table's and its own."""
    drawn = (environment("en").get_template(name) for name in ("sprite.html.jinja", f"{game}/glyphs.svg"))
    return set(re.findall(r'<symbol id="g-([\w-]+)"', "".join(one.render() for one in drawn)))


def offered(html: str) -> set[str]:
    """The decisions that can be clicked in a piece of a page."""
    found = set(ATTRIBUTE.findall(html))
    for notations, open in ADDS.findall(html):
        pairs = dict(re.findall(r"&#34;([^&]*)&#34;: &#34;([^&]*)&#34;", notations))
        found |= {pairs[arm] for arm in open.split()}
    return found


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_every_decision_is_on_the_board_and_in_the_list(game: Game) -> None:
    dice, kinds = random.Random(game.players), set[str]()
    for match in walk(game.match(game.players), game.players):
        if match.over or match.plies > 150 * DOSE:
            break
        seat = dice.choice(match.turn)
        fresh = {move.kind for move in match.legal(seat)} - kinds
        if not fresh and dice.random() > LOOKED_AT:
            continue
        kinds |= fresh
        seen = position(match, seat)
        drawn = parts(seen, "en")
        draft = seen.seen.draft
        wanted = {str(move) for move in match.legal(seat)} if draft is None else set(draft.open)
        picture = offered(drawn["board"] + drawn["hand"] + drawn["seats"] + drawn["status"])
        assert wanted <= picture, f"not on the board: {sorted(wanted - picture)[:5]}"
        assert wanted <= offered(drawn["choices"]), "not in the list"
        assert set(USED.findall("".join(drawn.values()))) <= signs(game.name), "a sign that nobody drew"
        labels = re.findall(r"<button data-(?:move|add)=[^>]*>([^<]*)</button>", drawn["choices"])
        assert len(set(labels)) == len(labels), "two decisions read the same"
        assert seen.seen.view["round"] >= 0, "the record counts its lines by rounds"


@pytest.mark.parametrize("game", full_tables(every_game()), ids=label)
def test_every_way_of_setting_up_can_be_drawn(game: Game) -> None:
    for match in walk(game.match(3), 3):
        if match.plies in (0, LATER):
            for viewer in (*range(game.players), None):
                drawn = parts(position(match, viewer), "en")
                assert all(drawn[part] for part in PARTS)
        if match.plies == LATER:
            break


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_a_match_is_drawn_in_every_language_to_its_end(game: Game) -> None:
    viewers, codes = (*range(game.players), None), list(LANGUAGES)
    for match in walk(game.match(4), 4):
        if match.plies % 9 == 0 or match.over:
            seen = position(match, viewers[match.plies % len(viewers)])
            code = codes[match.plies % len(codes)]
            parts(seen, code, helps=match.plies % 3 > 0)
            steps(seen, code)
    most = max(len(viewers), len(codes)) * DOSE
    pairs = {(viewers[number % len(viewers)], codes[number % len(codes)]) for number in range(most)}
    for viewer, code in sorted(pairs, key=str):
        drawn = parts(position(match, viewer), code)
        assert "tally" in drawn["end"], "the end has a score sheet"
        assert set(USED.findall("".join(drawn.values()))) <= signs(game.name), "a sign that nobody drew"


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_pages_hold_nothing_that_their_reader_may_not_know(game: Game) -> None:
    """Drawn in another world that looks the same to the reader, a page is the same."""
    dice = random.Random(8)
    share = min(LOOKED_AT, COMPARED / sum(1 for _ in walk(game.match(6), 6)))
    for match in walk(game.match(6), 6):
        if match.over or dice.random() > share:
            continue
        for viewer in (*range(game.players), None):
            twin = another_world(match, viewer, dice.getrandbits(64))
            shown = [parts(position(one, viewer), "en", wanted=BARE) for one in (match, twin)]
            assert shown[0] == shown[1]


BARE = ("where", "strip", "board", "hand", "seats", "choices")  # the record and undo follow from the match's history
