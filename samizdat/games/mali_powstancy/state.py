"""Mali Powstańcy: everything that changes, the moves, and the capacities both are made for."""

from __future__ import annotations

from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.records import Ints, Record, grid, scalar

# Capacities: a box may hold fewer, never more.
SEATS = 4
SCOUTS = 3  # 2.1.5: in a team
LOCATIONS = 24
SPACES = 96  # locations first, then the blanks of the first route, of the second, and so on
ROUTES = 40
DEGREE = 8  # routes that meet at one location
DISTRICTS = 8
ORDERS = 48
CARDS = 6  # movement cards of one player
FACES = 12
OBJECTIVES = 32
OBJECTIVE_COLOURS = 8
QUEUE = 6  # spaces of the queue
DRAWS = 3  # orders that one Orders phase may reveal

MOST_STEPS = 9  # movement points of a card, or the number on a face, in any box
MOST_POINTS = 99  # points of one order, objective or bonus, in any box
MOST_OBJECTIVES = 8  # objectives dealt to one player, in any box
# 2.4.1: at least one order a round comes from the deck, and the last card leaves after the whole queue.
MOST_ROUNDS = ORDERS + QUEUE + 1

NONE = -1
BASE, EXTENDED = 0, 1

# Where a scout is besides on a space.
PRISON = -1  # 2.7.4
HAND = -2  # 2.7.1: escaped, to be put back in the owner's next turn

# Where an order is. 1 to QUEUE are the spaces of the queue; DELIVERED + seat is the pile of that seat.
UNSEEN = 0  # in the deck, or in the base variant left in the box: nobody can tell which
KNOWN = QUEUE + 1  # on top of the deck, looked at with card 4
GONE = QUEUE + 2  # failed, or removed with a fallen district
PILE = QUEUE + 3  # delivered by somebody: a seat that does not own the pile sees no more (A45)
DELIVERED = QUEUE + 4

# Where the Victory card is: 1 to QUEUE are the spaces of the queue.
NO_VICTORY = -1  # the base variant plays without it
IN_DECK = 0
LEFT = QUEUE + 1  # 2.13.2: it has left the queue

# Where an objective is.
IN_BOX = 0
DEALT = 1  # DEALT + seat: dealt to that seat and not kept (yet)
KEPT = DEALT + SEATS  # KEPT + seat: kept by that seat

FELL = 2  # 2.12.3: the failures that make a district fall

# Decision points.
OBJECTIVE, CARD, ENTRY, TURN, EXCHANGE, HUNT, WAY, RED, FAILURE, TOKEN, REFUGE, OVER = range(12)

# Why a game ended.
REASONS = ("running", "last_order", "victory_card", "fourth_token", "third_district")
LAST_ORDER, VICTORY_CARD, FOURTH_TOKEN, THIRD_DISTRICT = 1, 2, 3, 4


class State(Record):
    """One game. Fields marked secret are wiped or thinned by `hide`."""

    seats: int = scalar(2, SEATS, "2.14")
    variant: int = scalar(BASE, EXTENDED, "2.2, 2.10")
    max_jumps_per_turn: int = scalar(0, MOST_STEPS, "A2; 0 for no limit")
    deliver_by_forced_move: int = scalar(0, 1, "A18")
    red_move_may_jump: int = scalar(0, 1, "A16")

    point: int = scalar(OBJECTIVE, OVER, "the decision point the table is at")
    reason: int = scalar(0, len(REASONS) - 1, "why the game ended")
    rounds: int = scalar(0, MOST_ROUNDS, "2.3: the round being played, counted from 1")
    start_player: int = scalar(0, SEATS - 1, "2.2.5, 2.8.7")
    chooser: int = scalar(0, SEATS - 1, "the seat that decides, where only one may")
    ready: int = scalar(0, (1 << SEATS) - 1, "2.5.1, 2.10.3: the seats that have made their secret choice")

    hand: Ints = grid(SEATS, 0, (1 << CARDS) - 1, "2.5.9: movement cards not yet played, as a bit set")
    chosen: Ints = grid(SEATS, -1, CARDS - 1, "2.5.1: the card of this round; secret until all have chosen")
    order: Ints = grid(SEATS, 0, SEATS - 1, "2.5.2: the seats in the order in which they act")
    acting: int = scalar(0, SEATS, "2.5.2: how many seats have finished their turn")

    points_left: int = scalar(0, MOST_STEPS, "2.5.3, 2.7.5: movement points, or steps of the red move")
    spent: int = scalar(0, MOST_STEPS, "A56: points spent in this turn")
    jumps: int = scalar(0, MOST_STEPS, "A2: jumps bought in this turn")
    acted: int = scalar(0, 1, "2.11.1: the action of the card is used")
    taken: int = scalar(0, (1 << ORDERS) - 1, "A58: orders taken in this turn, as a bit set")
    dropped: int = scalar(0, (1 << ORDERS) - 1, "A58: orders dropped in this turn, as a bit set")
    first: int = scalar(-1, ORDERS - 1, "2.11.4: the order that is about to change places")

    at: Ints = grid((SEATS, SCOUTS), HAND, SPACES - 1, "2.1.5: the space of every scout")
    carries: Ints = grid((SEATS, SCOUTS), -1, ORDERS - 1, "2.6.1: the order under a scout's tile")
    soldier: int = scalar(-1, SPACES - 1, "2.2.4; nowhere in the extended variant")
    face: int = scalar(0, FACES - 1, "2.7.2: the face that was rolled")
    scout: int = scalar(0, SCOUTS - 1, "2.7.3, 2.8.6: the scout of the chooser that is hunted, walks or flees")

    place: Ints = grid(ORDERS, UNSEEN, DELIVERED + SEATS - 1, "2.1.6, 2.6.4: where every order is; partly secret")
    deliveries: Ints = grid(SEATS, 0, ORDERS, "2.15: how many orders each seat has delivered")
    above: int = scalar(0, ORDERS, "2.2.3, 2.10.2: orders in the deck, above the Victory card")
    under: int = scalar(0, ORDERS, "2.10.2: orders in the deck under the Victory card")
    victory: int = scalar(NO_VICTORY, LEFT, "2.13.1")
    looked: int = scalar(0, DRAWS, "2.11.5: orders on top of the deck that were looked at")
    top: Ints = grid(DRAWS, -1, ORDERS - 1, "2.11.5: which ones, the next first; secret")
    seen: Ints = grid(SEATS, 0, DRAWS, "2.11.5: how many of them, from the first on, each seat has looked at")
    looked_fallen: int = scalar(0, (1 << DISTRICTS) - 1, "2.11.5: the districts that had fallen when they looked")

    blocked: Ints = grid(ROUTES, 0, 1, "2.8.5: routes with a small token")
    tokens: int = scalar(0, ORDERS, "2.8.3, A7: small tokens on the board or beside it")
    failures: Ints = grid(DISTRICTS, 0, FELL, "2.12.2, 2.12.3: failed orders to each district")
    fallen: int = scalar(0, (1 << DISTRICTS) - 1, "2.12.3: fallen districts, as a bit set")
    failing: int = scalar(0, (1 << ORDERS) - 1, "2.8.1, A53: failed orders still to be resolved, as a bit set")
    resolving: int = scalar(-1, ORDERS - 1, "A9: the failed order that is being resolved")
    falling: int = scalar(0, 1, "2.12.3: it made a district fall")

    objective: Ints = grid(OBJECTIVES, IN_BOX, KEPT + SEATS - 1, "2.10.3: where every objective is; secret")


SCOUT_NAMES = Names.numbers("scouts", 1, SCOUTS)
SPACE_NAMES = Names("spaces", SPACES)
LOCATION_NAMES = Names("locations", LOCATIONS)
ORDER_NAMES = Names("orders", ORDERS)

MOVES = MoveList(
    Kind("keep", objective=Names("objectives", OBJECTIVES)),
    Kind("card", card=Names("cards", CARDS)),
    Kind("enter", space=SPACE_NAMES),
    Kind("end"),
    Kind("take", scout=SCOUT_NAMES, order=ORDER_NAMES),
    Kind("drop", scout=SCOUT_NAMES),
    Kind("step", scout=SCOUT_NAMES, space=SPACE_NAMES),
    Kind("jump", scout=SCOUT_NAMES, location=LOCATION_NAMES),
    Kind("pals", pair=Names.of("pairs", "1+2", "1+3", "2+3")),
    Kind("squad", scout=SCOUT_NAMES, location=LOCATION_NAMES),
    Kind("exchange", order=ORDER_NAMES),
    Kind("with", order=ORDER_NAMES),
    Kind("gossip"),
    Kind("hunt", scout=SCOUT_NAMES),
    Kind("way", space=SPACE_NAMES),
    Kind("fail", order=ORDER_NAMES),
    Kind("block", route=Names("routes", ROUTES)),
    Kind("refuge", location=LOCATION_NAMES),
)
KEEP = MOVES.first["keep"]
PLAY_CARD = MOVES.first["card"]
ENTER = MOVES.first["enter"]
END = MOVES.first["end"]
TAKE = MOVES.first["take"]
DROP = MOVES.first["drop"]
STEP = MOVES.first["step"]
JUMP = MOVES.first["jump"]
PALS = MOVES.first["pals"]
SQUAD = MOVES.first["squad"]
EXCHANGE_ORDER = MOVES.first["exchange"]
WITH = MOVES.first["with"]
GOSSIP = MOVES.first["gossip"]
HUNT_SCOUT = MOVES.first["hunt"]
GO_WAY = MOVES.first["way"]
FAIL = MOVES.first["fail"]
BLOCK = MOVES.first["block"]
FLEE = MOVES.first["refuge"]

# Why an order comes from the deck: the Orders phase (2.4.1), a failure (2.12.2), a district's fall (2.12.3b), another
# order that was removed (A32), a failure where nothing was left to lose (A51).
DUE, FOR_A_FAILURE, FOR_A_DISTRICT, FOR_ANOTHER, FOR_NOTHING = range(5)

# What the rules tell while they are played.
STARTS, DEALS, DEALS_AGAIN, KEEPS, HAS_KEPT = range(5)
ROUND, REVEALS, VICTORY_APPEARS, REMOVES, NO_ORDERS, HAS_CHOSEN, SHOWS_CARD = range(5, 12)
TURN_BEGINS, ENTERS, STEPS, JUMPS, TAKES, DROPS, DELIVERS, EARNS, TURN_ENDS = range(12, 21)
SWAPS, ESCORTED, EXCHANGES, LOOKS, SEES, SEES_VICTORY = range(21, 27)
ESCAPES, ROLLS, NEAREST, NOBODY_OUTSIDE, MARCHES, ARRESTS, RED_MOVE, RED_ENDS = range(27, 35)
FAILS, TOKEN_ON_ROUTE, TOKEN_BESIDE, DISTRICT_FALLS, NOTHING_TO_LOSE, FLEES = range(35, 41)
VICTORY_LEAVES, MARKER, ENDS, ORDERS_SCORE, RETURN_SCORE, OBJECTIVE_SCORE = range(41, 47)
