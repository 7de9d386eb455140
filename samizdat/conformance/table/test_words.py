"""What people read: the shelf, the rulebook, and rule numbers that lead somewhere."""

from __future__ import annotations

import re

import pytest

from samizdat.conformance.games import chosen, label, plain_games
from samizdat.conformance.walks import walk
from samizdat.kernel.boards import LEARNING
from samizdat.kernel.game import Definition, Game
from samizdat.table.rendering import environment
from samizdat.table.rulebooks import components, rulebook

ALL = pytest.mark.parametrize("definition", chosen(), ids=label)
RULE = re.compile(r"[A-Za-z]*-?[0-9][\w.-]*")  # the number of a rule, not the name of a game


@ALL
def test_the_shelf_can_speak_of_it(definition: Definition) -> None:
    board = definition.board
    most = max(max(counts) for counts in definition.variants.values())
    assert len(board.INKS) >= most
    assert len(set(board.INKS[:most])) == most, "two seats have the same ink"
    assert str(board.BLURB)
    assert 0 < board.EFFORT.minutes[0] <= board.EFFORT.minutes[1]
    assert 1 <= board.EFFORT.learning <= len(LEARNING)
    assert set(board.VARIANTS) <= set(definition.variants)
    assert set(board.BUTTONS) | set(board.SHEET) <= set(definition.moves.kinds)
    assert set(board.SHEET.values()) <= {tab.name for tab in board.TABS}


@ALL
def test_its_signs_are_drawn_once(definition: Definition) -> None:
    """A game's own glyphs have names that the table does not use, and its sign is one of both."""
    env = environment("en")
    shared, own = (
        set(re.findall(r'<symbol id="g-([\w-]+)"', env.get_template(name).render()))
        for name in ("sprite.html.jinja", f"{definition.name}/glyphs.svg")
    )
    assert not shared & own
    assert definition.board.GLYPH in shared | own
    assert env.get_template(f"{definition.name}/poster.svg").render(found=definition).strip().startswith("<svg")


@ALL
def test_the_rules_can_be_read(definition: Definition) -> None:
    book = rulebook(definition.name, "en")
    assert book.lead or book.html
    assert book.title
    assert components(definition.name) is not None


@ALL
def test_points_and_options_cite_rules_that_exist(definition: Definition) -> None:
    known = rulebook(definition.name, "en").numbers
    if not known:
        pytest.skip("its rulebook has no numbers")
    cited = {option.rule for option in definition.options}
    cited |= {number for point in (definition.points.all if definition.points else ()) for number in point.rules}
    assert cited <= known


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_record_cites_rules_that_exist(game: Game) -> None:
    known = rulebook(game.name, "en").numbers
    if not known:
        pytest.skip("its rulebook has no numbers")
    *_, match = walk(game.match(2), 2)
    cited = {line.rule for seat in (*range(game.players), None) for line in match.log(seat)}
    assert {rule for rule in cited if RULE.fullmatch(rule)} <= known
