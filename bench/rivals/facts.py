"""What every row must agree with before its rate counts.

Counts are exact. Those of Kuhn and Leduc came out the same from OpenSpiel and pgx (chance nodes: OpenSpiel
alone has them), those of Connect Four from OpenSpiel and the bitboard (the two deepest: the bitboard alone
went that far). Leduc with blinds is RLCard's alone. Mean lengths and returns of the card games are exact too,
from their whole trees; those of Connect Four are from 2,000,000,000 bitboard games, with standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import hypot

from bench.rivals.measured import Counts, Measured

CONNECT_FOUR = "connect_four"
KUHN = "kuhn"
LEDUC = "leduc"
LEDUC_BLINDS = "leduc_blinds"

# The first six counts from the empty board are powers of seven and would not notice a broken rule: no column
# can be full and no four can be complete. Full columns show from the seventh on, wins from the eighth.
START_PERFT = (7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572, 268_031_646)

# So two positions more, chosen such that leaving out any one of the four directions changes the count: MIDDLE
# is rich in threats; LATE has full columns, and its six last moves fill the board.
MIDDLE = (4, 2, 5, 3, 4, 5, 2, 4, 3, 6, 3, 2)
MIDDLE_PERFT = (7, 42, 259, 1_412, 8_657, 45_450)
LATE = tuple(map(int, "010321164025314215350664566612334005"))
LATE_PERFT = (4, 14, 42, 88, 119, 92)


@dataclass(frozen=True)
class Facts:
    """A game: its counts, and what uniformly random play does in it, from the first mover's side."""

    counts: Counts
    mean_length: float
    length_error: float
    mean_return: float
    return_error: float


def _perft_counts() -> Counts:
    positions = {"start": START_PERFT, "middle": MIDDLE_PERFT, "late": LATE_PERFT}
    return {
        f"{position} {depth}": Fraction(count)
        for position, counts in positions.items()
        for depth, count in enumerate(counts, start=1)
    }


def _card_game(counts: Counts) -> Facts:
    return Facts(counts, float(counts["mean length"]), 0.0, float(counts["mean return"]), 0.0)


FACTS = {
    CONNECT_FOUR: Facts(_perft_counts(), 21.31261, 0.00017, 0.11400, 0.00002),
    KUHN: _card_game(
        {
            "chance": Fraction(4),
            "decisions": Fraction(24),
            "terminals": Fraction(30),
            "mean length": Fraction(9, 4),
            "mean return": Fraction(1, 8),
        }
    ),
    LEDUC: _card_game(
        {
            "chance": Fraction(157),
            "decisions": Fraction(3780),
            "terminals": Fraction(5520),
            "mean length": Fraction(65, 16),
            "mean return": Fraction(-5, 64),
        }
    ),
    # RLCard's rules, with the small blind in a given seat. Folding more often ends more games but asks nobody
    # more, so the decisions are as many as in Leduc; the ends and lengths tell the two apart.
    LEDUC_BLINDS: _card_game(
        {
            "decisions": Fraction(3780),
            "terminals": Fraction(6780),
            "mean length": Fraction(208, 81),
            "mean return": Fraction(-137, 729),
        }
    ),
}

# A hundred comparisons a run: chance alone goes beyond this about once in ten thousand runs.
TOLERATED_ERRORS = 5.0


def disagreements(game: str, run: Measured, counts: Counts) -> list[str]:
    """Why a row does not count; an empty list means that it played this game."""
    facts = FACTS[game]
    found = [
        f"{what}: {count}, not {facts.counts.get(what, 'known')}"
        for what, count in counts.items()
        if count != facts.counts.get(what)
    ]
    if not counts:
        found.append("nothing was counted")
    for what, value, error, fact, fact_error in (
        ("mean length", run.mean_length, run.length_error, facts.mean_length, facts.length_error),
        ("mean return", run.mean_return, run.return_error, facts.mean_return, facts.return_error),
    ):
        if abs(value - fact) > TOLERATED_ERRORS * hypot(error, fact_error):
            found.append(f"random games: {what} {value:.4f} ± {error:.4f}, not {fact:.4f}")
    return found
