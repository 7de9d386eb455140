"""Hints and reviews made from a verdict that is known: what is said of it is exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log
from typing import Any

import pytest

import samizdat
from samizdat.bots import advice, reviews
from samizdat.bots.advice import SEARCHES, hint
from samizdat.bots.calibration import calibrated
from samizdat.bots.reasons import NOTE
from samizdat.bots.reviews import COSTLY, review
from samizdat.bots.thinking import JudgedMove, SearchResult, together
from samizdat.conformance.walks import walk
from samizdat.games.mali_powstancy.board import compose as objectives
from samizdat.games.revolution.board import compose
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.moves import Move

MIXED = (0.5, 0.3, 0.2)  # how often the first decisions are played


class Oracle:
    """Thinks nothing: the first decision promises most, each further one 0.1 less, and was tried less often."""

    mixed = False
    visits = 400  # of the first decision

    def __init__(self, style: dict[str, Any] | None = None) -> None:
        self.style = style

    def forget(self) -> None:
        pass

    def think(self, sight: Sight, seed: int, seconds: float | None, simulations: int | None) -> SearchResult:
        options, moves = [], sight.legal()
        assert len(moves) > 1, "a search has no tree where nothing is to be chosen"
        for i, move in enumerate(moves):
            played = (MIXED[i] if i < len(MIXED) else 0.0) if self.mixed else float(i == 0)
            options.append(JudgedMove(move, max(0, self.visits - 100 * i), max(0.0, 0.97 - 0.1 * i), played))
        return SearchResult(tuple(options), 1000, self.mixed)


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> type[Oracle]:
    class Own(Oracle):
        pass

    for module in (advice, reviews):
        monkeypatch.setattr(module, "Mind", Own)
    return Own


def choosing() -> Match:
    """Dual Powers, at a choice of more than three."""
    return next(match for match in walk(samizdat.game("dual-powers").match(4), 4) if len(match.legal(0)) > 3)


def test_the_three_best_come_first_with_their_intervals(oracle: type[Oracle]) -> None:
    sight = choosing().sight(0)
    found = hint(sight, seed=1)
    assert [one.move for one in found] == sight.legal()[:3]
    assert [one.simulations for one in found] == [SEARCHES * visits for visits in (400, 300, 200)]
    for one, share in zip(found, (0.97, 0.87, 0.77), strict=True):
        error = JudgedMove(one.move, one.simulations, share, 0.0).error
        assert one.chance == pytest.approx(share)
        assert (one.low, one.high) == (pytest.approx(share - error), pytest.approx(min(1.0, share + error)))


def test_what_was_never_tried_is_not_advised(oracle: type[Oracle]) -> None:
    oracle.visits = 150
    assert len(hint(choosing().sight(0), seed=1)) == 2


# --- several searches as one ------------------------------------------------------------------------------


def verdict_of(visits: int, share: float) -> SearchResult:
    return SearchResult((JudgedMove(choosing().legal(0)[0], visits, share, 1.0),), visits, False)


def test_searches_that_disagree_are_less_sure() -> None:
    alike = together([verdict_of(100, 0.4), verdict_of(100, 0.4)]).best
    apart = together([verdict_of(100, 0.3), verdict_of(100, 0.5)]).best
    assert alike.share == pytest.approx(apart.share)
    assert alike.visits == apart.visits == 200
    assert alike.error == pytest.approx(JudgedMove(alike.move, 200, 0.4, 1.0).error)
    assert apart.error > 0.19, "two searches, 0.2 apart: the mean may be off by as much"


def seen_by(move: Move, *searches: tuple[int, float]) -> JudgedMove:
    """A decision as independent searches saw it, each with its visits and the share it found."""
    verdicts = [SearchResult((JudgedMove(move, visits, share, 1.0),), visits, False) for visits, share in searches]
    return together(verdicts).options[0]


def test_one_search_that_settled_does_not_outvote_the_doubt_of_others() -> None:
    move = choosing().legal(0)[0]
    settled = seen_by(move, (4900, 0.6), (30, 0.5), (30, 0.5), (30, 0.5))
    agreed = seen_by(move, (4900, 0.6), (30, 0.6), (30, 0.6), (30, 0.6))
    assert settled.share == pytest.approx(agreed.share, abs=0.01)
    assert settled.error > 3 * agreed.error


def test_what_one_search_alone_has_tried_is_not_surest() -> None:
    move = choosing().legal(0)[0]
    lone = seen_by(move, (4000, 0.6), (0, 0.0), (0, 0.0), (0, 0.0))
    assert lone.share == 0.6
    assert lone.error > seen_by(move, (1000, 0.6), (1000, 0.6), (1000, 0.6), (1000, 0.6)).error


def test_a_search_that_tried_more_counts_more() -> None:
    assert together([verdict_of(300, 0.4), verdict_of(100, 0.2)]).best.share == pytest.approx(0.35)


# --- why --------------------------------------------------------------------------------------------------


def test_what_is_mixed_says_how_often(oracle: type[Oracle]) -> None:
    oracle.mixed = True
    notes = [why.line for one in hint(choosing().sight(0), seed=1) for why in one.why if why.sign == NOTE]
    assert [line.values["percent"] for line in notes if "percent" in line.values] == [50, 30, 20]


# --- choices that are made of several decisions -----------------------------------------------------------


def test_a_bid_is_advised_as_a_whole(oracle: type[Oracle]) -> None:
    match = samizdat.game("revolution", players=3).match(7)
    sight = match.sight(0)

    def complete(line: Sequence[Move]) -> bool:
        draft = compose(match.game, sight.state, 0, tuple(str(move) for move in line))  # type: ignore[arg-type]
        return draft is not None and draft.seal is not None

    found = hint(sight, seed=1, complete=complete)
    assert [one.move for one in found] == [one.line[0] for one in found] == sight.legal()[:3]
    for one in found:
        assert len(one.line) == 5, "a bid of five tokens"
        bidding = samizdat.game("revolution", players=3).match(7)
        for move in (*one.line, "done"):
            bidding.play(0, move)
    assert match.legal(0) == sight.legal(), "nothing was played"


def keeping(seed: int) -> tuple[Match, Callable[[Sequence[Move]], bool]]:
    """Mali Powstańcy at the choice of objectives, and whether some cards are all that are kept."""
    match = samizdat.game("mali-powstancy", players=2, variant="extended").match(seed)
    state = match.sight(0).state

    def complete(line: Sequence[Move]) -> bool:
        draft = objectives(match.game, state, 0, tuple(str(move) for move in line))  # type: ignore[arg-type]
        return draft is not None and draft.seal is not None

    return match, complete


def test_what_is_forced_begins_every_line(oracle: type[Oracle]) -> None:
    """2.10.3: with few colours in hand one card is sure to be kept, and the others are still a choice."""
    dealt = (keeping(seed) for seed in range(100))
    match, complete = next(one for one in dealt if len(one[0].legal(0)) == 1)
    found = hint(match.sight(0), seed=1, complete=complete)
    assert len(found) > 1
    for one in found:
        assert one.line[0] == one.move == match.legal(0)[0]
        assert len(one.line) == 3
        assert one.simulations > 0


def test_a_choice_without_any_is_said_to_be_none(oracle: type[Oracle]) -> None:
    """2.10.3: a hand of three colours, of each one kind of card, is kept as it is; deal 1004 is the first."""
    match, complete = keeping(1004)
    (found,) = hint(match.sight(0), seed=1, complete=complete)
    assert (found.simulations, len(found.line)) == (0, 3)


# --- a look back ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mixed", [False, True])
def test_a_cost_is_what_the_decision_brought_less(oracle: type[Oracle], mixed: bool) -> None:
    oracle.mixed = mixed
    *_, match = walk(samizdat.game("dual-powers").match(4), 4)
    found = review(match, 1)
    assert found.moments
    for moment in found.moments:
        legal = match.past_sight(1, moment.ply).legal()
        verdict = Oracle.think(oracle(), match.past_sight(1, moment.ply), 0, None, None)
        options = {option.move: option for option in verdict.options}
        chance = sum(option.played * option.share for option in verdict.options) if mixed else options[legal[0]].share
        assert match.moves[moment.ply] == (1, moment.played)
        assert moment.best == legal[0]
        assert moment.chance == pytest.approx(chance)
        if options[moment.played].visits:
            assert moment.cost == pytest.approx(max(0.0, chance - options[moment.played].share))


def test_only_what_surely_cost_something_is_shown(oracle: type[Oracle]) -> None:
    *_, match = walk(samizdat.game("dual-powers").match(4), 4)
    found = review(match, 1)
    assert len(found.costly) == COSTLY
    assert all(moment.cost > moment.error for moment in found.costly)
    costs = [moment.cost for moment in found.costly]
    assert costs == sorted(costs, reverse=True)
    oracle.visits = 1  # of the first decision, and none of the others: nothing is known
    assert review(match, 1).costly == ()


def test_what_seemed_costly_is_thought_about_again(oracle: type[Oracle], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many estimates the highest is mostly one that was too high; a second look does not repeat the error."""
    *_, match = walk(samizdat.game("dual-powers").match(4), 4)

    def relenting(*_: Any) -> SearchResult:
        sight = _[1]
        return SearchResult(tuple(JudgedMove(move, 1000, 0.5, 1.0) for move in sight.legal()), 4000, False)

    monkeypatch.setattr(reviews, "several_times", relenting)
    assert review(match, 1).costly == ()


# --- chances that come true -------------------------------------------------------------------------------


def shares(*shares: float) -> SearchResult:
    """Of a game for two."""
    moves = choosing().legal(0)
    return SearchResult(
        tuple(JudgedMove(moves[i], 100, share, 0.0, 0.01) for i, share in enumerate(shares)), 400, False
    )


def believing(game: Game, line: tuple[float, float]) -> Game:
    """The same game with a lore that says how far its chances are off."""
    definition = game.definition
    return replace(game, definition=replace(definition, lore=replace(definition.lore, believed=line)))


def test_chances_are_believed_as_far_as_the_lore_says() -> None:
    game = believing(choosing().game, (0.5, -1.0))
    found = calibrated(game, shares(0.0, 0.2, 0.5, 0.8, 1.0)).options
    assert found[2].share == pytest.approx(1 / (1 + exp(1.0))), "a fair share, believed a little less"
    assert found[3].share == pytest.approx(1 / (1 + exp(1.0 - 0.5 * log(4)))), "log odds of 0.8: log 4"
    assert [option.share for option in found] == sorted(option.share for option in found), "the order stays"
    assert all(0.0 < option.share < 1.0 for option in found)
    flatter = found[2].share * (1 - found[2].share) * 0.5 / 0.25  # the slope of the curve there
    assert found[2].error == pytest.approx(flatter * shares(0.5).options[0].error, rel=1e-3)


def test_what_is_sure_stays_sure_when_it_is_believed() -> None:
    """A correction that never changes which of two is better must not blur that one is."""
    match = choosing()
    first, other, *_ = match.legal(0)
    verdict = SearchResult(
        (JudgedMove(first, 14_000, 0.42, 1.0), JudgedMove(other, 1_000, 0.30, 0.0, 1e-4)), 15_000, False
    )
    game = believing(match.game, (0.3, -0.2))
    for before, after in zip(verdict.options, calibrated(game, verdict).options, strict=True):
        assert after.error / before.error == pytest.approx(0.25, abs=0.1), "as much less as chances differ less"
    best, worse = calibrated(game, verdict).options
    assert best.share - worse.share > best.error + worse.error


def test_without_such_a_word_a_search_is_believed() -> None:
    verdict = shares(0.2, 0.7)
    assert calibrated(choosing().game, verdict) is verdict


def test_hints_and_reviews_show_what_is_believed(oracle: type[Oracle]) -> None:
    *_, match = walk(samizdat.game("dual-powers").match(4), 4)
    sight, plain = choosing().sight(0), review(match, 1)
    sight = replace(sight, game=believing(sight.game, (0.5, -1.0)))
    match.game = sight.game
    assert hint(sight, seed=1)[0].chance == pytest.approx(1 / (1 + exp(1.0 - 0.5 * log(0.97 / 0.03))))
    less = review(match, 1)
    assert all(now.chance < before.chance for now, before in zip(less.moments, plain.moments, strict=True))
