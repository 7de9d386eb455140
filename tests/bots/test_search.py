"""The search and its tree where they can go wrong unseen: memory of another position, and secrets on the way."""

from __future__ import annotations

import random

import pytest

import samizdat
from samizdat.bots.search import Style
from samizdat.bots.search_tree import clear, half_full, plant
from samizdat.bots.thinking import Mind
from samizdat.bots.uncommit import before_the_others
from samizdat.conformance.walks import walk
from samizdat.games.mali_powstancy import lore
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.lores import EXPLORE
from samizdat.kernel.luck import Dice, Luck, begin_dice, seed_luck
from samizdat.kernel.match import Match
from tests.bots.toys import ROSHAMBO
from tests.conftest import DOSE, label, plain_games


def choosing(seed: int, **options: str) -> Match:
    """Dual Powers, at a choice of the first seat."""
    match = samizdat.game("dual-powers", **options).match(seed)  # type: ignore[arg-type]
    return next(match for match in walk(match, seed) if match.plies > 10 and len(match.legal(0)) > 1)


def test_how_a_search_goes_is_the_games_to_say_and_the_bots_to_change() -> None:
    def style(mind: Mind, name: str) -> Style:
        return mind._sit_down(samizdat.game(name, players=2).match(1).sight(0))[1]

    assert style(Mind(), "dual-powers").explore == EXPLORE
    assert style(Mind(), "mali-powstancy").explore == lore.EXPLORE != EXPLORE
    assert style(Mind({"explore": 2.0}), "mali-powstancy").explore == 2.0


# --- the tree ---------------------------------------------------------------------------------------------


def test_a_cleared_tree_is_an_empty_one() -> None:
    mind = Mind(tree=plant(slots=64, edges=512))
    mind.think(choosing(1).sight(0), seed=1, simulations=10)
    assert mind.tree.used.all()
    clear(mind.tree)
    assert not mind.tree.used.any()
    assert not mind.tree.nodes["n"].any()


def test_a_tree_that_is_half_full_begins_anew() -> None:
    """Otherwise the next position would find no room, and nothing could be said about it."""
    mind = Mind(tree=plant(slots=16, edges=512))
    mind.think(choosing(1).sight(0), seed=1, simulations=200)
    assert half_full(mind.tree)
    other = choosing(2).sight(0)
    verdict = mind.think(other, seed=1, simulations=30)
    assert [option.move for option in verdict.options] == other.legal()
    assert sum(option.visits for option in verdict.options) == 30


def test_another_game_begins_with_an_empty_tree() -> None:
    mind = Mind()
    mind.think(choosing(1).sight(0), seed=1, simulations=50)
    mind.think(choosing(1, variant="solitaire").sight(0), seed=1, simulations=5)
    assert mind.tree.used[0] <= 5


# --- what nobody may know ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_what_is_suspected_stays_within_what_the_seat_may_know(game: Game) -> None:
    """A lore may change what was guessed, never what is known, and the world stays a lawful one."""
    definition, box, rng = game.definition, game.box.record, random.Random(7)
    for seed in range(DOSE):
        for match in walk(game.match(seed), seed):
            if not match.over and rng.random() > 0.1:
                continue
            for seat in range(game.players):
                world, luck, dice = engine.hidden(box, match._state, seat), Luck(), Dice()
                known = bytes(world)
                seed_luck(luck, rng.getrandbits(128))
                begin_dice(dice, rng.getrandbits(64), 0)
                definition.rules.guess(box, world, luck, seat)
                definition.lore.suspect(box, world, dice, seat)
                assert definition.laws.broken(box, world) == 0
                assert bytes(engine.hidden(box, world, seat)) == known


def test_the_other_does_not_see_what_was_chosen_in_secret() -> None:
    """Rock, paper, scissors is even. Against somebody who saw the shape first it would be lost."""
    match = ROSHAMBO.choose().match(seed=1)
    verdict = Mind().think(match.sight(1), seed=5, simulations=20_000)
    assert verdict.mixed
    assert sum(option.played * option.share for option in verdict.options) == pytest.approx(0.5, abs=0.1)


def test_a_mixed_choice_is_never_settled_early() -> None:
    """How often each shape was tried says nothing about how often it will be."""
    mind = Mind()
    match = ROSHAMBO.choose().match(seed=1)
    mind.think(match.sight(1), seed=5, simulations=50)
    mixed = [int(node) for node in mind.tree.nodes["mixed"].nonzero()[0]]
    assert mixed
    assert not any(mind._settled(node, left=0.0) for node in mixed)


def test_a_verdict_plays_each_decision_as_often_as_its_own_edge_says() -> None:
    mind = Mind()
    sight = ROSHAMBO.choose().match(seed=1).sight(1)
    mind.think(sight, seed=5, simulations=50)
    nodes = mind.tree.nodes
    root = next(int(node) for node in nodes["mixed"].nonzero()[0] if nodes[node]["seat"] == 1)
    mind._edges(root)[1]["played"] = (6, 3, 1)
    found = mind._result(sight, root, 50)
    assert {str(option.move): option.played for option in found.options} == {
        "show rock": pytest.approx(0.6), "show paper": pytest.approx(0.3), "show scissors": pytest.approx(0.1)
    }  # fmt: skip
    assert str(found.best.move) == "show rock"


def test_a_bid_half_laid_is_laid_before_the_others_bid() -> None:
    """Two tokens of the seat's own stay where they are; the bid that another has sealed is open again."""
    match = samizdat.game("revolution", players=3).match(seed=1)
    while 0 in match.turn:
        match.play(0, match.legal(0)[0])
    for _ in range(2):
        match.play(1, match.legal(1)[0])
    late = match.sight(1)
    assert match.turn == (1, 2)
    found = before_the_others(late)
    assert engine.acting(found) == (0, 1, 2)
    open_to_it = engine.legal_moves(late.game.box.record, found, 1, late.game.capacity)
    assert open_to_it == [move.id for move in late.legal()]
