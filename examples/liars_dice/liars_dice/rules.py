"""Liar's Dice: the record and the rules of one round."""

from __future__ import annotations

from typing import Any

from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.points import Point, Points
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score
from samizdat.kernel.telling import template

RULES_VERSION = 1

SEATS, MOST_DICE, FACES = 4, 5, 6
BIDS = SEATS * MOST_DICE * FACES  # a bid's number is (count - 1) * FACES + face - 1: the higher, the higher the bid
NOBODY = -1
REASONS = ("running", "challenge")
RAISES, DOUBTS, SHOWS = 1, 2, 3  # what is told


class State(Record):
    seats: int = scalar(2, SEATS, "L1")
    dice: int = scalar(1, MOST_DICE, "L1: how many each seat rolls")
    turn: int = scalar(0, SEATS - 1, "L2: who decides")
    bids: int = scalar(0, BIDS, "L2: one more than the number of the last bid; 0 before the first")
    loser: int = scalar(NOBODY, SEATS - 1, "L4")
    face: Ints = grid((SEATS, MOST_DICE), 0, FACES, "L1: what lies under each cup; secret until L3; 0: not seen")


MOVES = MoveList(
    Kind("bid", count=Names.numbers("counts", 1, SEATS * MOST_DICE), face=Names.numbers("faces", 1, FACES)),
    Kind("liar"),
)


@rule
def setup(box: Any, s: State, luck: Luck) -> None:
    """L1"""
    s.loser = NOBODY
    guess(box, s, luck, NOBODY)


@rule
def whose_turn(s: State) -> int:
    """L2; L4: nobody's when somebody has lost."""
    return 1 << s.turn if s.loser == NOBODY else 0


@rule
def offers(box: Any, s: State, seat: int, moves: Ints) -> int:
    """L2: every higher bid that so many dice could hold. L3: doubt, once there is a bid."""
    higher = s.seats * s.dice * FACES - s.bids
    for i in range(higher):
        moves[i] = s.bids + i
    if s.bids == 0:
        return higher
    moves[higher] = BIDS  # "liar" comes after all bids
    return higher + 1


@rule
def raise_bid(box: Any, s: State, luck: Luck, seat: int, bid: int) -> None:
    """L2"""
    tell(luck, EVERYONE, RAISES, seat, bid // FACES, bid % FACES)
    s.bids = bid + 1
    s.turn = (s.turn + 1) % s.seats


@rule
def doubt(box: Any, s: State, luck: Luck, seat: int, which: int) -> None:
    """L3, L4"""
    bid = s.bids - 1
    bidder = (seat + s.seats - 1) % s.seats
    there = 0
    for other in range(s.seats):
        for die in range(s.dice):
            there += 1 if s.face[other, die] == bid % FACES + 1 else 0
    tell(luck, EVERYONE, DOUBTS, seat, bidder)
    s.loser = bidder if there < bid // FACES + 1 else seat
    tell(luck, EVERYONE, SHOWS, s.loser, there, bid % FACES)
    reveal(luck)


POINTS = Points(
    MOVES,
    Point(
        0, "turn", ("L2", "L3"), who=whose_turn, offers=offers, takes={"bid": raise_bid, "liar": doubt},
        asks=template("a bid is raised, or doubted."),
    ),
)  # fmt: skip


@rule
def hide(box: Any, s: State, seat: int) -> None:
    """L1: everybody sees the own dice alone, until L3."""
    for other in range(s.seats if s.loser == NOBODY else 0):
        for die in range(s.dice if other != seat else 0):
            s.face[other, die] = 0


@rule
def guess(box: Any, s: State, luck: Luck, seat: int) -> None:
    """Seats bid as they like, so bids tell nothing for sure: every face is as likely."""
    for other in range(s.seats):
        for die in range(s.dice):
            if s.face[other, die] == 0:
                s.face[other, die] = 1 + draw(luck, FACES)


@rule
def score(box: Any, s: State, out: Score) -> None:
    """L4"""
    for seat in range(s.seats):
        out.points[seat] = 0 if seat == s.loser else 1
        out.rank[seat] = 2 if seat == s.loser else 1
    out.reason = 0 if s.loser == NOBODY else 1
