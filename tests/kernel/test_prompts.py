"""Status lines follow the decision points of a game."""

from __future__ import annotations

from typing import Any

import pytest

from samizdat.games.war_of_whispers import GAME
from samizdat.games.war_of_whispers.status import PROMPTS
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import definitions
from samizdat.kernel.prompts import Prompts


def test_our_games_word_every_point_in_the_order_of_its_declaration() -> None:
    assert list(PROMPTS.own) == [point.name for point in GAME.points.all]


@pytest.mark.parametrize("name", sorted(definitions()))
def test_a_point_without_words_is_asked_as_declared(name: str) -> None:
    found = definitions()[name]
    plain = Prompts(found.points, {})
    for point in found.points.all:
        seen: Any = Seen({"point": point.name}, 0, (), None, ())
        assert point.asks in str(plain.status(found.choose(), seen).do)


def test_a_name_that_no_point_has_is_refused() -> None:
    with pytest.raises(TypeError, match="of these names: deploi"):
        Prompts(GAME.points, {"deploi": PROMPTS.own["deploy"]})
