"""Revolution!: everything that changes, the moves, and the capacities both are made for."""

from __future__ import annotations

from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.records import Ints, Record, grid, scalar

# Capacities: a box may hold fewer, never more.
SEATS = 4
CHARACTERS = 12
AREAS = 7
TOKENS = 3
FORCE, BLACKMAIL, GOLD = 0, 1, 2
NOBODY = -1

MOST_ROUNDS = 200  # the largest max_rounds
MOST_REWARD = 10  # tokens of one kind that one character may give, in any box
MOST_VP = 120  # points that one character, one area or one token may give, in any box
MOST_FOLLOWERS = 120  # spaces in one area, or followers of one colour, in any box
MOST_START = 100  # tokens of one kind that a player may begin with, and the token floor, in any box

# with refunds a hand has no bound but the number of rounds. In one round a player gains at most every
# reward of one kind, and donations only ever fill up to the floor.
MOST_TOKENS = MOST_START + MOST_START + MOST_ROUNDS * CHARACTERS * MOST_REWARD
# R6.3 in every round, then R8.2 and R8.3: 3 kinds of token and 7 areas.
MOST_POINTS = MOST_VP * (MOST_ROUNDS * CHARACTERS + AREAS) + TOKENS * MOST_VP * MOST_TOKENS

# Places on the board: a follower of some seat in some area, or an empty space there.
EMPTY = SEATS
OWNERS = SEATS + 1
PLACES = AREAS * OWNERS
COLUMN = sum(1 << (area * OWNERS) for area in range(AREAS))  # the first owner's places, as a bit set

# Decision points; nobody decides anything at EVALUATION, where one settled character leads to the next.
PERSUASION, SPY, APOTHECARY, EXCHANGE, OVER, EVALUATION = 0, 1, 2, 3, 4, 5

# Why a game ended.
REASONS = ("running", "city_full", "max_rounds")
CITY_FULL, MAX_ROUNDS = 1, 2


class State(Record):
    """One game. Fields marked secret are wiped by `hide` for other seats until the bids are opened."""

    seats: int = scalar(3, SEATS, "R1.1, A-20")
    refund: int = scalar(0, 1, "R9.1")
    domination: int = scalar(0, 1, "R9.2")
    apothecary_empty: int = scalar(0, 1, "A-30")
    max_rounds: int = scalar(1, MOST_ROUNDS, "A-27")

    point: int = scalar(PERSUASION, EVALUATION, "the decision point the table is at")
    reason: int = scalar(0, len(REASONS) - 1, "why the game ended")
    rounds: int = scalar(0, MOST_ROUNDS, "the round being played, counted from 1")
    sealed: int = scalar(0, (1 << SEATS) - 1, "R5.8: the seats that have announced completion")
    settling: int = scalar(0, CHARACTERS, "R6.1: the character being settled")
    chooser: int = scalar(0, SEATS - 1, "R6.4, R6.5: the seat that decides for the Spy or the Apothecary")
    first: int = scalar(0, PLACES - 1, "R6.5: the first place of the exchange")

    points: Ints = grid(SEATS, 0, MOST_POINTS, "R1.2, R6.3: victory points so far; no upper limit (A-21)")
    held: Ints = grid((SEATS, TOKENS), 0, MOST_TOKENS, "R4.1: tokens shown at the start of the round")
    gained: Ints = grid((SEATS, TOKENS), 0, MOST_TOKENS, "R6.3: tokens kept apart for the next round")
    followers: Ints = grid((AREAS, SEATS), 0, MOST_FOLLOWERS, "R6.3: followers on the board")
    stock: Ints = grid(SEATS, 0, MOST_FOLLOWERS, "R1.1: followers not on the board")

    bid: Ints = grid((SEATS, CHARACTERS, TOKENS), 0, MOST_TOKENS, "R5.1: tokens laid; secret")
    left: Ints = grid((SEATS, TOKENS), 0, MOST_TOKENS, "R5.2: tokens still to be laid; secret")
    cursor: Ints = grid(SEATS, 0, CHARACTERS * TOKENS - 1, "A-26: where the last token went; secret")
    people: Ints = grid(SEATS, 0, CHARACTERS, "R5.3: characters with a token on them; secret")


CHARACTER_NAMES = Names("characters", CHARACTERS)
TOKEN_NAMES = Names.of("tokens", "force", "blackmail", "gold")
AREA_NAMES = Names("areas", AREAS)
OWNER_NAMES = Names("owners", OWNERS)

MOVES = MoveList(
    Kind("bid", character=CHARACTER_NAMES, token=TOKEN_NAMES),
    Kind("done"),
    Kind("pass"),
    Kind("take", area=AREA_NAMES, owner=OWNER_NAMES),
)
BID = MOVES.first["bid"]
DONE = MOVES.first["done"]
PASS = MOVES.first["pass"]
TAKE = MOVES.first["take"]

# What the rules tell while they are played.
SEALS, OPENS, OFFERS, WINS, TIES, LONELY, REWARD, PLACES_FOLLOWER, NO_ROOM, REPLACES, EXCHANGES, DECLINES = range(12)
IDLE, REFUNDED, DONATION, ROUND, ENDS, TOKENS_SCORE, AREA_SCORES, AREA_TIED = range(12, 20)
