"""Dual Powers: everything that changes, the moves, and the capacities both are made for."""

from __future__ import annotations

from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.records import Ints, Record, grid, scalar

# Capacities: a box may hold fewer, never more.
FACTIONS = 2
REGIONS = 6
CONNECTIONS = 15  # every pair of six regions
MONTHS = 8
MONTH_DAYS = 31
COMMANDS = 48
LEADERS = 6
UNITS = 26  # red, white and neutral
TOKENS = UNITS + LEADERS + 2  # and Trotsky twice
LEVELS = 3
MOST_OPPOSITION = 20  # opposition units of one level, in any box
MOST_RANK = 3
MOST_STRENGTH = 20  # of one token, in any box
MOST_VP = 20  # of one card or one month, in any box
MOST_TRACK = 60
MOST_DRAWN = 6
MOST_TURNS = 5
MOST_DIFFICULTY = 6
# D10.2: after so many days the calendar has come to its end, and every round takes at least one day (D5.4).
MOST_ROUNDS = MONTHS * MONTH_DAYS

RED, WHITE, NEUTRAL = 0, 1, 2
NOBODY = -1
NONE = -1  # no card, no leader, no token, no region
UNSEEN = -2  # in a hidden record: a card that lies face down

STANDARD, SOLITAIRE = 0, 1

# Where a token is, besides the regions 0 to 5.
SUPPLY = REGIONS  # D1.1
WAITING = REGIONS + 1  # D1.4: Trotsky, above the calendar
GONE = REGIONS + 2  # D8.5: out of the game

# Where a command card is.
DECK, DISCARDED, ON_TABLE, RED_HAND, WHITE_HAND, OBJECTIVE_SPACE, PILE, OUT_OF_SIGHT = range(8)
HAND = RED_HAND  # plus the faction

# What a command card prints besides Recruit (D5.9), and a leader card (D6.6-D6.8).
MOVE_ACTION, DOUBLE_MOVE, REFRESH_ACTION = 0, 1, 2
PROTEST_SPECIAL, ESPIONAGE, INSPIRE_SPECIAL = 0, 1, 2

# What happens when the month marker enters a month.
NO_EVENT, TROTSKY_RETURNS, TROTSKY_JOINS = 0, 1, 2

# Decision points, then the steps that need no decision, then the end.
OBJECTIVE, CARD, ACTION, RECRUITING, MOVING, LEADING, BONUS, BONUS_RECRUITING, BONUS_MOVING, UNREST = range(10)
NEXT_ROUND, NEXT_TURN, SCORING, REVEALING, OVER = range(10, 15)

# what a leader card still offers.
PLACE_OPEN, SPECIAL_OPEN = 1, 2

# Why a game ended.
REASONS = ("running", "end_of_track", "october", "third_round")
END_OF_TRACK, OCTOBER, THIRD_ROUND = 1, 2, 3


class State(Record):
    """One game. Fields marked secret are wiped by `hide` for those who may not know them.

    What belongs to a player is kept by faction: seat 0 is red and seat 1 white; in solitaire the one seat is
    the faction it chose, and the other faction is the opposition.
    """

    seats: int = scalar(1, FACTIONS, "D1.1")
    variant: int = scalar(STANDARD, SOLITAIRE, "S1")
    difficulty: int = scalar(0, MOST_DIFFICULTY, "S1.1: X; 0 with two players")
    faction: int = scalar(RED, WHITE, "S1.1: the faction of the one seat in solitaire")
    unrest_vp_october: int = scalar(0, MOST_VP, "A-3")
    neutral_control_needs_presence: int = scalar(0, 1, "A-8")
    bonus_move_rank_one_only: int = scalar(0, 1, "A-14")
    october_november_separate: int = scalar(0, 1, "A-4")
    leader_gives_presence: int = scalar(0, 1, "A-49")

    point: int = scalar(OBJECTIVE, OVER, "the decision point the table is at")
    reason: int = scalar(0, len(REASONS) - 1, "why the game ended")
    rounds: int = scalar(0, MOST_ROUNDS, "the round being played, counted from 1")
    turns: int = scalar(0, 2 * MOST_TURNS + 1, "D5.1, S4: turns begun in this action phase")
    first: int = scalar(RED, WHITE, "D5.1: who has the first turn of this action phase")
    decider: int = scalar(RED, WHITE, "the faction that decides, or whose turn it is")
    card: int = scalar(NONE, COMMANDS - 1, "D5.3: the command card of this turn")
    leader: int = scalar(NONE, LEADERS - 1, "D5.3: the leader card of this turn")
    still_open: int = scalar(0, PLACE_OPEN | SPECIAL_OPEN, "A-5: what the leader card still offers")
    value: int = scalar(0, MOST_RANK, "D6.1: recruit value not yet used")
    token: int = scalar(NONE, TOKENS - 1, "D6.1-D6.3: the token recruited last, or about to move")
    bonus: int = scalar(0, 1, "D5.6: a bonus action is earned")

    score: int = scalar(-MOST_TRACK, MOST_TRACK, "D8.4: the score marker, + towards red")
    will: int = scalar(RED, WHITE, "D1.3: who holds the Will of the People")
    month: int = scalar(0, MONTHS - 1, "D5.4")
    day: int = scalar(1, MONTH_DAYS, "D5.4")
    unrest: int = scalar(0, REGIONS - 1, "D1.5: the tile on Unrest")
    barred: int = scalar(0, REGIONS - 1, "D1.5: the tile on Blockade")
    removed: Ints = grid(REGIONS, 0, 1, "D9.1: tiles taken off the board")
    blockade: int = scalar(0, CONNECTIONS - 1, "D1.5: the connection with the blockade marker")
    marker: Ints = grid(3, NONE, REGIONS - 1, "D8.1, D8.2: where the objective markers lie")

    at: Ints = grid(TOKENS, 0, GONE, "D1.1: the region of each token, or where else it is")
    tired: Ints = grid(TOKENS, 0, 1, "D8.5: exhausted side up")
    led: Ints = grid(LEADERS, 0, 1, "D5.3, S3: leader cards that were played or turned up")
    opposition: Ints = grid((LEVELS, REGIONS), 0, MOST_OPPOSITION, "S5: fresh opposition units")
    opposition_tired: Ints = grid((LEVELS, REGIONS), 0, MOST_OPPOSITION, "S10: exhausted opposition units")

    where: Ints = grid(COMMANDS, DECK, OUT_OF_SIGHT, "D3: the place of each command card; secret")
    objective: Ints = grid(FACTIONS, UNSEEN, COMMANDS - 1, "D4.1: the objective, NONE or UNSEEN; secret")
    face_up: Ints = grid(FACTIONS, 0, 1, "D6.7, S7: the objective was turned up")
    hand_size: Ints = grid(FACTIONS, 0, COMMANDS, "D3.3: command cards in hand")
    deck_size: int = scalar(0, COMMANDS, "D3.2: command cards in the deck")
    line: Ints = grid(MOST_DRAWN, UNSEEN, COMMANDS - 1, "S2, S5: the opposition's cards in order; secret")
    line_size: int = scalar(0, MOST_DRAWN, "S2: cards dealt to the opposition in this round")
    line_shown: int = scalar(0, MOST_DRAWN, "S5: how many of them are turned up")

    # What everyone can work out when the deck is shuffled anew: it was empty, so whatever is neither
    # discarded nor on the table was in a hand or face down just then, and stays there until it is seen.
    kept: int = scalar(0, (1 << COMMANDS) - 1, "A-53: cards known not to be in the deck, as a bit set")
    kept_by: Ints = grid(FACTIONS, 0, COMMANDS, "A-53: how many of them a faction has (in solitaire: in hand)")
    objective_kept: Ints = grid(FACTIONS, 0, 1, "A-53: the face-down objective must be one of them")
    line_kept: int = scalar(0, MOST_DRAWN, "A-53: so many first cards of the opposition's line are among them")
    reshuffles: int = scalar(0, MOST_ROUNDS * 4 * MOST_DRAWN, "D3.2: how often the deck was shuffled anew")


CARD_NAMES = Names("commands", COMMANDS)
TOKEN_NAMES = Names("tokens", TOKENS)

MOVES = MoveList(
    Kind("objective", card=CARD_NAMES),
    Kind("play", card=CARD_NAMES),
    Kind("lead", leader=Names("leaders", LEADERS)),
    Kind("recruit", token=TOKEN_NAMES),
    Kind("move", token=TOKEN_NAMES),
    Kind("refresh", token=TOKEN_NAMES),
    Kind("to", region=Names("regions", REGIONS)),
    Kind("place", region=Names("regions", REGIONS)),
    Kind("protest", connection=Names("connections", CONNECTIONS)),
    Kind("spy"),
    Kind("inspire"),
    Kind("draw"),
    Kind("organize"),
    Kind("score"),
    Kind("pass"),
)
CHOOSE_OBJECTIVE = MOVES.first["objective"]
PLAY = MOVES.first["play"]
LEAD = MOVES.first["lead"]
RECRUIT = MOVES.first["recruit"]
MOVE = MOVES.first["move"]
REFRESH = MOVES.first["refresh"]
TO = MOVES.first["to"]
PLACE = MOVES.first["place"]
PROTEST = MOVES.first["protest"]
SPY = MOVES.first["spy"]
INSPIRE = MOVES.first["inspire"]
DRAW = MOVES.first["draw"]
ORGANIZE = MOVES.first["organize"]
SCORE = MOVES.first["score"]
PASS = MOVES.first["pass"]

# What the rules tell while they are played.
ROUND, DRAWS, DRAWS_UNSEEN, RESHUFFLES, SETS_OBJECTIVE, SETS_THIS, DEALT_OBJECTIVE, DEALT_LINE = range(8)
PLAYS, LEADS, SKIPS, DAY, MONTH, WILL, TROTSKY_IS_BACK, TROTSKY_IS_RED, TROTSKY_IS_LOST, EARNS = range(8, 18)
RECRUITS, MOVES_TOKEN, REFRESHES, PLACES, STIRS, BLOCKS, SPIES, ORGANIZES, DECLINES, DECLINES_BONUS = range(18, 28)
TURNS_UP_LEADER, TURNS_UP_CARD, ADDS_UNIT, NO_UNIT_LEFT = range(28, 32)
UNREST_IN, TAKES_BONUS, REVEALS, COUNTS, SCORES = range(32, 37)
TIRES, LEAVES, TIRES_OPPOSITION, LEAVES_OPPOSITION, TILES, CLEARS, ENDS = range(37, 44)
BONUS_RECRUITS, BEGINS, FIRST_TILES = range(44, 47)

# Why the Will of the People changed sides (D5.5, D6.8, S3).
BY_MONTH, BY_LEADER, BY_SOLITAIRE = 0, 1, 2

# What a token is moved or refreshed by, or a card drawn: its usual rule, a Double Move (D6.3), a bonus action (D6.9).
AS_USUAL, TWICE, AS_BONUS = 0, 1, 2
