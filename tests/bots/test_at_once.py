"""What ends the match at once: a win is never passed over, and no loss is walked into while there is another way."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import samizdat
from bench.games import kuhn
from samizdat.bots import bot
from samizdat.bots.advice import hint
from samizdat.bots.at_once import OPEN, WON, sensible
from samizdat.bots.calibration import calibrated
from samizdat.bots.novice import Novice
from samizdat.bots.thinking import JudgedMove, Mind, SearchResult
from samizdat.kernel.game import definition
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.scenes import Scene, set_scene

SEEDS = range(12)
SEARCHING = ("novice", "regular", "expert")


def last_decision(**given: Any) -> Match:
    """Revolution!, 3 seats, in the last round: red has won the Apothecary, and nobody the Mercenary. To pass ends the
    match (A-9); whoever names a follower has still to name the other one."""
    game = {"players": 3, "max_rounds": 1}
    begun = {"point": "apothecary", "settling": "apothecary", "chooser": "red", "sealed": 7}
    bids = {"bid": {"red": {"apothecary": {"gold": 5}}}}
    return set_scene(
        definition("revolution"), Scene(Path(), "", "", "", (), game, {**begun, **bids, **given}, [], False, "")
    )


def ahead() -> Match:
    """Red leads in two areas, and has won unless an exchange gives one of them away."""
    return last_decision(
        followers={
            "fortress": {"red": 3, "green": 2, "yellow": 1},
            "town_hall": {"red": 2, "green": 1},
            "harbor": {"green": 2, "yellow": 1},
            "tavern": {"yellow": 1, "green": 1},
        }
    )


def behind() -> Match:
    """Green has won if nothing changes; only one exchange in many gives red the Fortress."""
    return last_decision(
        followers={
            "fortress": {"red": 2, "green": 3, "yellow": 1},
            "town_hall": {"green": 1, "yellow": 1},
            "harbor": {"green": 1, "yellow": 1},
            "tavern": {"red": 1, "yellow": 1},
        }
    )


def after(match: Match, *moves: str) -> Match:
    twin = match.copy()
    for move in moves:
        twin.play(twin.turn[0], move)
    return twin


@pytest.mark.parametrize("level", SEARCHING)
@pytest.mark.parametrize("simulations", [1, 30, 300])
def test_a_win_at_once_is_always_taken(level: str, simulations: int) -> None:
    """An expert with 3,000 simulations took “fortress green” where “pass” won."""
    match = ahead()
    assert after(match, "pass").winners == (0,)
    for seed in SEEDS:
        assert str(bot(level, simulations=simulations, seed=seed).choose(match.sight(0))) == "pass"


@pytest.mark.parametrize("level", SEARCHING)
@pytest.mark.parametrize("simulations", [1, 30])
def test_a_loss_at_once_is_never_chosen_while_the_match_can_go_on(level: str, simulations: int) -> None:
    match = behind()
    assert 0 not in after(match, "pass").winners
    for seed in SEEDS:
        assert str(bot(level, simulations=simulations, seed=seed).choose(match.sight(0))) != "pass"


def test_the_one_exchange_that_wins_is_found() -> None:
    match = after(behind(), "take fortress green")
    winning = [move for move in match.legal(0) if after(match, str(move)).winners == (0,)]
    assert 0 < len(winning) < len(match.legal(0))
    for seed in SEEDS:
        assert bot("novice", simulations=1, seed=seed).choose(match.sight(0)) in winning


def test_so_does_a_bot_whose_search_is_not_compiled() -> None:
    for seed in SEEDS:
        assert str(Novice(Random(seed)).choose(ahead().sight(0))) == "pass"
        assert str(Novice(Random(seed)).choose(behind().sight(0))) != "pass"


def test_a_hint_says_so() -> None:
    first, *others = hint(ahead().sight(0), seconds=None, simulations=40, seed=1)
    assert str(first.move) == "pass"
    assert [str(why.line) for why in first.why] == ["It wins the match at once."]
    assert first.chance > 0.99
    assert not [why for other in others for why in other.why if "at once" in str(why.line)]
    assert all(str(one.move) != "pass" for one in hint(behind().sight(0), seconds=None, simulations=400, seed=1)[:1])


def test_a_chance_that_was_not_estimated_is_not_corrected() -> None:
    """A War of Whispers, whose estimates are known to be too good: a win at once is a win all the same."""
    game = samizdat.game("war-of-whispers")
    move = game.match(1).legal(game.match(1).turn[0])[0]
    sure, likely = JudgedMove(move, 64, 1.0, 1.0, known=WON), JudgedMove(move, 64, 0.99, 0.0)
    found = calibrated(game, SearchResult((sure, likely), 64, False))
    assert found.options[0].share == 1.0
    assert found.options[1].share != 0.99


# --- what is hidden ---------------------------------------------------------------------------------------


def facing_a_bet(card: int) -> Sight:
    """Kuhn's poker: the other has bet; whether a call wins depends on the other's card."""
    game = kuhn.GAME.choose()
    for seed in range(100):
        match = game.match(seed)
        match.play(0, "bet")
        sight = match.sight(1)
        if match._state.card[1] == card:  # type: ignore[attr-defined]
            return sight
    raise AssertionError("no such deal")


@pytest.mark.parametrize(("card", "known"), [(0, 0.0), (1, OPEN), (2, WON)])
def test_only_what_is_the_same_in_every_world_is_known(card: int, known: float) -> None:
    """Whoever passes has lost; to call wins with the best card, loses with the worst, and may do either otherwise."""
    found = {str(option.move): option.known for option in Mind().think(facing_a_bet(card), 1, simulations=20).options}
    assert found == {"pass": 0.0, "bet": known}


# --- what may be chosen -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "left"),
    [
        ([OPEN, OPEN], [0, 1]),
        ([OPEN, WON, 0.0, WON], [1, 3]),
        ([OPEN, 0.0, OPEN], [0, 2]),
        ([0.0, 0.0], [0, 1]),
        ([0.5, OPEN, 0.0], [0, 1]),  # a shared win, unless there is more to be had
        ([0.5, 0.25, 0.0], [0]),
    ],
)
def test_what_is_left_to_choose(known: list[float], left: list[int]) -> None:
    assert sensible(known) == left
