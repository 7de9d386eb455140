"""How sure a study is: intervals hold the truth as often as they say, also for those who look again and again."""

from __future__ import annotations

import random

import numpy as np
import pytest

from samizdat.lab.arena import Setting
from samizdat.lab.study.counting import all_choices, leads, spread, wins_by_seat
from samizdat.lab.study.doubt import LEAST, Estimate, lasting_mean, lasting_share, mean, settled, share, student
from samizdat.lab.study.findings import fairness, number, signed, worth_of
from samizdat.lab.study.playing import Noted

FEW, MANY = 60, 400  # matches of a synthetic figure, and synthetic figures
GAME = Setting("revolution", 4).game()
TALLIES = len(GAME.definition.study.counted(GAME))


def test_students_quantiles() -> None:
    """Against the printed tables, two-sided 5 %."""
    for degrees, exact in ((9, 2.262), (19, 2.093), (59, 2.001), (399, 1.966)):
        assert student(0.05, degrees) == pytest.approx(exact, abs=0.005)


@pytest.mark.parametrize("chances", [(0.25, 0.25, 0.25, 0.25), (0.05, 0.15, 0.3, 0.5)])
def test_the_rows_of_a_figure_hold_the_truth_together(chances: tuple[float, ...]) -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(MANY):
        winners = rng.choices(range(4), chances, k=FEW)
        rows = [share([float(winner == seat) for winner in winners], 4) for seat in range(4)]
        held += all(row.low <= chance <= row.high for row, chance in zip(rows, chances, strict=True))
    assert held >= 0.93 * MANY


def test_means_hold_the_truth() -> None:
    rng = np.random.default_rng(1)
    held = [(one := mean(list(rng.normal(3, 5, 25)))).low <= 3 <= one.high for _ in range(1000)]
    assert 0.93 <= np.mean(held) <= 0.97


def test_who_looks_again_and_again_is_seldom_misled() -> None:
    """Nothing moves, and yet each look might find something: at most one run in twenty does."""
    rng = np.random.default_rng(2)
    misled = 0
    for _ in range(300):
        differences = list(rng.normal(0, 4, 300))
        looks = [lasting_mean(differences[:n], 0.05) for n in range(LEAST, 301, 10)]
        misled += any(look.low > 0 or look.high < 0 for look in looks)
    assert misled <= 0.05 * 300


def test_the_same_for_shares() -> None:
    """The interval of betting remembers every look before."""
    rng = np.random.default_rng(3)
    misled = 0
    for _ in range(150):
        one = lasting_share(list(rng.choice([-1.0, 0.0, 1.0], 200, p=[0.2, 0.6, 0.2])), 0.05)
        misled += one.low > 0 or one.high < 0
    assert misled <= 0.05 * 150


def test_what_moves_is_found_and_what_does_not_is_said_to_be_the_same() -> None:
    rng = np.random.default_rng(4)
    assert settled(lasting_mean(list(rng.normal(2, 3, 200)), 0.05), small=0.5) == "up"
    assert settled(lasting_mean(list(rng.normal(-2, 3, 200)), 0.05), small=0.5) == "down"
    assert settled(lasting_mean(list(rng.normal(0, 1, 400)), 0.05), small=0.5) == "same"
    assert settled(lasting_mean([5.0] * (LEAST - 1), 0.05), small=0.5) is None
    assert settled(lasting_share([1.0] * 60, 0.05), small=0.1) == "up"
    assert settled(lasting_share([0.0] * 400, 0.05), small=0.1) == "same"
    assert settled(lasting_share([0.0] * 40, 0.05), small=0.01) is None, "forty deals do not say that finely"


# --- Made-up matches, of which the truth is known -----------------------------


def made_up(rng: random.Random, favour: float, n: int = 400) -> list[Noted]:
    """In each match one seat alone has the first thing of the first tally, and wins more often by so much."""
    found = []
    for deal in range(n):
        has = rng.randrange(4)
        others = [seat for seat in range(4) if seat != has]
        winner = has if rng.random() < 0.25 + favour else rng.choice(others)
        counts: list[dict[int, list[int]]] = [{} for _ in range(TALLIES)]
        counts[0] = {0: [int(seat == has) for seat in range(4)], 1: [1, 1, 1, 1], 2: [1, 0, 0, 0]}
        ranks = [1 if seat == winner else 2 for seat in range(4)]
        points = [10 if seat == winner else 5 for seat in range(4)]
        ahead = [1 << rng.randrange(4), 1 << winner]
        found.append(
            Noted(deal, deal, 0, points, ranks, "city_full", 9, 2, [0, 1, 2, 3], ahead, counts, counts, {}, {})
        )
    return found


@pytest.mark.parametrize("favour", [0.0, 0.2, -0.2])
def test_what_a_choice_is_worth_holds_the_truth(favour: float) -> None:
    rng = random.Random(5)
    held = 0
    for _ in range(25):
        matches = made_up(rng, favour, 200)
        found = all_choices(GAME, matches, str)[0].worths
        worths = {worth.label: worth for worth in found}
        one = worths["Fortress"]
        held += one.moves.low <= favour <= one.moves.high
        assert found[0].label == "Town Hall", "the most frequent first"
        assert worths["Town Hall"].moves.matches == 0, "what all have alike says nothing"
        assert worths["Harbor"].same_seats
        assert not worths["Harbor"].beyond
    assert held >= 23


def test_headlines_say_what_is_there_and_what_is_not() -> None:
    rng = random.Random(6)
    found = worth_of(all_choices(GAME, made_up(rng, 0.3), str))
    assert found.title == "Fortress goes with winning"
    assert "400 matches" in found.text
    assert worth_of(all_choices(GAME, made_up(rng, -0.2), str)).title == "Fortress goes with losing"
    assert worth_of(all_choices(GAME, made_up(rng, 0.0), str)).title == "No choice stands out"
    fair = dict(zip("ABCD", wins_by_seat(made_up(rng, 0.0)), strict=True))
    assert fairness(fair, {}).title == "No seat is favoured"
    assert (
        fairness(fair, {"the first to begin": Estimate(0.4, 0.35, 0.45, 400)}).title
        == "The first to begin is favoured"
    )
    assert fairness(fair | {"D": Estimate(0.1, 0.06, 0.14, 400)}, {}).title == "D is worse off"


def test_the_lead_is_that_of_whoever_is_alone_ahead() -> None:
    found = leads(made_up(random.Random(7), 0.0))
    assert found[0].wins.low <= 0.25 <= found[0].wins.high
    assert found[-1].wins.value == 1
    assert {one.alone for one in found} == {1.0}


def test_a_distribution_holds_every_match() -> None:
    for values in ([0.0], [3.0, -17.0, 250.0], [float(n) for n in range(1000)], [-3.0, -2.0]):
        one = spread(values)
        assert sum(one.counts) == len(values)
        assert len(one.counts) == len(one.labels) <= 20
        assert one.first <= min(values)


def test_numbers_are_written_for_people() -> None:
    assert (number(-0.04), number(-2.5), number(1234.5)) == ("0.0", "−2.5", "1,234.5")
    assert (signed(0.0), signed(-0.01), signed(2.0)) == ("0.0", "0.0", "+2.0")
