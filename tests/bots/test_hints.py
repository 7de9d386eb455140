"""Hints and reviews made from a verdict that is known: what is said of it is exact."""

from __future__ import annotations

from typing import Any

import pytest

import samizdat
from samizdat.bots import hints
from samizdat.bots.hints import hint, review
from samizdat.bots.thinking import Option, Verdict
from samizdat.kernel.match import Match, Sight
from tests.walks import walk

MIXED = (0.5, 0.3, 0.2)  # how often the first decisions are played


class Oracle:
    """Thinks nothing: the first decision promises most, each further one 0.1 less, and was tried less often."""

    mixed = False

    def __init__(self, style: dict[str, Any] | None = None) -> None:
        self.style = style

    def think(self, sight: Sight, seed: int, seconds: float | None, simulations: int | None) -> Verdict:
        options = []
        for i, move in enumerate(sight.legal()):
            played = (MIXED[i] if i < len(MIXED) else 0.0) if self.mixed else float(i == 0)
            options.append(Option(move, max(1, 400 - 100 * i), max(0.0, 0.97 - 0.1 * i), played))
        return Verdict(tuple(options), 1000, self.mixed)


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> type[Oracle]:
    class Own(Oracle):
        pass

    monkeypatch.setattr(hints, "Mind", Own)
    return Own


def choosing() -> Match:
    """Dual Powers, at a choice of more than three."""
    return next(match for match in walk(samizdat.game("dual-powers").match(4), 4) if len(match.legal(0)) > 3)


def test_the_three_best_come_first_with_their_intervals(oracle: type[Oracle]) -> None:
    sight = choosing().sight(0)
    found = hint(sight, seed=1)
    assert [one.move for one in found] == sight.legal()[:3]
    assert [one.simulations for one in found] == [400, 300, 200]
    for one, share in zip(found, (0.97, 0.87, 0.77), strict=True):
        error = Option(one.move, one.simulations, share, 0.0).error
        assert one.chance == pytest.approx(share)
        assert (one.low, one.high) == (pytest.approx(share - error), pytest.approx(min(1.0, share + error)))


def test_a_reason_names_what_a_decision_does_more_for_than_the_others(
    oracle: type[Oracle], monkeypatch: pytest.MonkeyPatch
) -> None:
    sight = choosing().sight(0)
    terms = hints.advice(hints.read_lore(sight.game.definition), "TERMS")
    first = sight.legal()[0]
    measured = [0.0] * len(terms)
    monkeypatch.setattr(hints, "_terms", lambda sight, move, rng: [*measured[1:], 3.0 if move == first else 1.0])
    best, second, _ = hint(sight, seed=1)
    assert best.why.rule == terms[-1].rule
    assert best.why.values["term"].text == terms[-1].text
    assert "imagined games" in str(second.why)


def test_what_is_mixed_says_how_often(oracle: type[Oracle]) -> None:
    oracle.mixed = True
    assert [one.why.values["percent"] for one in hint(choosing().sight(0), seed=1)] == [50, 30, 20]


@pytest.mark.parametrize("mixed", [False, True])
def test_a_cost_is_what_the_decision_brought_less(oracle: type[Oracle], mixed: bool) -> None:
    oracle.mixed = mixed
    *_, match = walk(samizdat.game("dual-powers").match(4), 4)
    found = review(match, 1)
    assert found.moments
    for moment in found.moments:
        legal = match.past_sight(1, moment.ply).legal()
        verdict = Oracle.think(oracle(), match.past_sight(1, moment.ply), 0, None, None)
        shares = {option.move: option.share for option in verdict.options}
        chance = sum(option.played * option.share for option in verdict.options) if mixed else shares[legal[0]]
        assert match.moves[moment.ply] == (1, moment.played)
        assert moment.best == legal[0]
        assert moment.chance == pytest.approx(chance)
        assert moment.cost == pytest.approx(max(0.0, chance - shares[moment.played]))
    surely = sorted((moment.cost - moment.error for moment in found.moments), reverse=True)
    assert [moment.cost - moment.error for moment in found.costly] == surely[:3]
