"""A War of Whispers: everything that changes, the moves, and the capacities both are made for."""

from __future__ import annotations

from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.records import Ints, Record, grid, scalar

# Capacities: a box may hold fewer regions, cards or rounds, never more; empires, positions and slots are fixed.
SEATS = 4
EMPIRES = 5
POSITIONS = 4
POSTS = EMPIRES * POSITIONS  # council seats, empire by empire
SLOTS = 5
REGIONS = 40
FACES = 20
COPIES = 2
DECK = 8  # cards of one empire
ACTIONS = 11
ABILITIES = 20
MOST_ROUNDS = 4
MOST_BANNERS = 20
MOST_AGENTS = 9
MOST_VALUE = 10  # points for a city, up or down, on any slot of any box
# R16, R17.3, V2: every region with a city, every agent on the map, every slot at its best; one more for each token.
MOST_POINTS = MOST_VALUE * (REGIONS + MOST_AGENTS) * SLOTS + SLOTS
NOBODY = -1
NOWHERE = -1
NOTHING = -1

# Kinds of council action (R7, R8, R10, R9).
ADD, DRAW, ATTACK, SWAP_AGENT = range(4)
ACTION_WORDS = ("add", "draw", "attack", "swap")

# The abilities of the cards, in the order of C1 to C20.
PRESS_ON, CHANGE_OF_COURT, VANGUARD, ANOTHER_VOICE, FORCED_MARCH = range(5)
SCORCHED_EARTH, SWOOP, GRAND_VANGUARD, CITY_GARRISON, REDEPLOYMENT = range(5, 10)
MERCENARIES, RECRUIT, SUBJUGATE, DISPERSAL, ALCHEMISTS_FIRE = range(10, 15)
POPULATE, ARMADA, REINFORCEMENTS, UPRISING, MIDNIGHT_OIL = range(15, 20)

# Decision points (points.py). The five windows of R15.1 are BEFORE (W1), SOURCE (W2), JOIN (W3) and AFTER (W4 and W5
# in one, A53).
RETRIEVE, DEPLOY, BEFORE, ACTION, EXCHANGE_SEAT = range(5)
SOURCE, TARGET, FORCE, JOIN, AFTER = range(5, 10)
PAY, CHOOSE_POST, CHOOSE_EMPIRE, CHOOSE_REGION, CHOOSE_OTHER, CHOOSE_NUMBER = range(10, 16)
LIFT, PLACE, BURN, RESET, SWAP_LOYALTY, OVER = range(16, 22)
# Where nobody decides: `go_on` in rules.py leaves these before a decision ends.
NEXT_SEAT, COMBAT, MARK_ROUND, NEXT_ROUND = range(22, 26)

# How first place was decided (R16).
REASONS = ("running", "points", "fewer_swaps", "more_cards", "shared")
BY_POINTS, BY_FEWER_SWAPS, BY_MORE_CARDS, SHARED = range(1, 5)

# Cards that open targets of an attack (bits of `reach`).
REACH_EMPTY, REACH_ALL = 1, 2


class State(Record):
    """One game. Fields marked secret are wiped by `hide` for whoever may not know them."""

    seats: int = scalar(2, SEATS, "R18")
    advanced: int = scalar(0, 1, "R17")
    allow_pass: int = scalar(0, 1, "A1, A58")
    distinct_devout: int = scalar(0, 1, "V1")
    point_per_hidden_loyalty: int = scalar(0, 1, "V2")

    rules: int = scalar(0, 1, "the earlier version of the rules that the match began under; 0: the present ones")

    point: int = scalar(RETRIEVE, NEXT_ROUND, "the decision point the table is at")
    reason: int = scalar(0, len(REASONS) - 1, "R16: how first place was decided")
    rounds: int = scalar(0, MOST_ROUNDS, "R4: the round being played, counted from 1")
    first: int = scalar(0, SEATS - 1, "R3.5, R12: who holds the first player token")
    player: int = scalar(0, SEATS - 1, "who decides: deploys, controls the active seat, or may swap")
    step: int = scalar(0, SEATS * MOST_AGENTS, "R5, R14: decisions taken in this phase")

    holder: Ints = grid(REGIONS, 0, EMPIRES - 1, "R2.3: the empire that controls a region")
    army: Ints = grid(REGIONS, 0, MOST_BANNERS, "R2.1: banners in a region, all of its holder (A48)")
    reserve: Ints = grid(EMPIRES, 0, MOST_BANNERS, "R2.1: banners not on the map")
    agent: Ints = grid(POSTS, NOBODY, SEATS - 1, "R5.2: whose agent sits on a council seat")
    stationed: Ints = grid(SEATS, 0, (1 << REGIONS) - 1, "R17.1: regions with an agent of this society, as bits")
    loyalty: Ints = grid((SEATS, SLOTS), NOBODY, EMPIRES - 1, "R3.6: the token on each slot; secret until shown")
    shown: Ints = grid(SEATS, 0, (1 << SLOTS) - 1, "R14: slots whose tokens were turned up by swapping, as bits")
    sworn: Ints = grid(SEATS, NOBODY, EMPIRES - 1, "V1: the Devout token of the deal; secret like that slot")

    hand: Ints = grid((SEATS, FACES), 0, COPIES, "R8: cards in hand; secret")
    held: Ints = grid((SEATS, EMPIRES), 0, DECK, "A38: cards in hand by deck, for everyone to see")
    drawn: Ints = grid((EMPIRES, DECK), NOBODY, SEATS - 1, "A63: who holds the cards of a deck, oldest draw first")
    ruled_out: Ints = grid(
        (SEATS + 1, FACES, COPIES), 0, DECK, "A63: the oldest entries of `drawn` this copy is known not to be; "
        "by who knows it, everybody last; a seat's own row is secret"
    )  # fmt: skip
    shedding: int = scalar(0, (1 << SEATS) - 1, "R13: seats that still have to discard, as bits")
    shed: Ints = grid(SEATS, 0, FACES - 1, "A39: the face last discarded in this Reset; secret")

    cities: Ints = grid(EMPIRES, 0, REGIONS, "R16: cities of each empire, counted at the end")
    points: Ints = grid(SEATS, -MOST_POINTS, MOST_POINTS, "R16: points, counted at the end")

    # What is being resolved: the seat at the marker, the position acted for, the card, the attack, the rest to do.
    marker: int = scalar(NOBODY, POSTS, "R6.2: the active seat")
    post: int = scalar(0, POSTS - 1, "A15: the seat whose action is taken; its empire is the active empire")
    last: int = scalar(NOTHING, ACTIONS - 1, "A18: the Add, Draw or Attack taken last, for Midnight Oil")
    window: int = scalar(0, AFTER, "R15.4: where the card was played, and where play goes on after it")
    ability: int = scalar(NOTHING, ABILITIES - 1, "R15.4: the ability being paid and resolved")
    paid: int = scalar(NOTHING, FACES - 1, "R15.2: the first of two cards, if paid")
    used_on: int = scalar(NOWHERE, REGIONS - 1, "R15.4: the region a card is used on, while it is resolved")
    source: int = scalar(NOWHERE, REGIONS - 1, "R10.1, C5: the region an attack or a march starts from")
    target: int = scalar(NOWHERE, REGIONS - 1, "R10.1, C5: the region it goes to")
    force: int = scalar(0, MOST_BANNERS, "R10.2: banners in the attack, on their way")
    pressed: int = scalar(0, 1, "A21: this attack is made by the survivors of the last one")
    reach: int = scalar(0, 3, "A30, A31: targets opened by cards for this attack")
    left: int = scalar(0, MOST_BANNERS, "A55: banners of the latest attack still in its target")
    killed: int = scalar(0, MOST_BANNERS, "A23: enemy banners destroyed in the latest attack")
    attacked: int = scalar(NOWHERE, REGIONS - 1, "A53: the target of the latest attack, while cards may refer to it")
    colour: int = scalar(0, EMPIRES - 1, "the empire whose banners are being placed")
    todo: int = scalar(0, MOST_BANNERS, "banners still to be placed, or that may still be destroyed")
    cursor: int = scalar(0, REGIONS, "A64: the first region that may still be named")
    lifted: int = scalar(0, (1 << REGIONS) - 1, "A28: regions that gave banners in this Redeployment, as bits")


POST_NAMES = Names("councils", POSTS)
REGION_NAMES = Names("regions", REGIONS)
EMPIRE_NAMES = Names("empires", EMPIRES)
CARD_NAMES = Names("cards", FACES)
ABILITY_NAMES = Names("abilities", ABILITIES)
SLOT_NAMES = Names("slots", SLOTS)
NUMBERS = Names.numbers("numbers", 1, MOST_BANNERS)

MOVES = MoveList(
    Kind("pass"),
    Kind("done"),
    Kind("act", action=Names.of("kinds", *ACTION_WORDS)),
    Kind("play", ability=ABILITY_NAMES),
    Kind("pay", card=CARD_NAMES),
    Kind("seat", seat=POST_NAMES),
    Kind("empire", empire=EMPIRE_NAMES),
    Kind("number", number=NUMBERS),
    Kind("from", region=REGION_NAMES),
    Kind("to", region=REGION_NAMES),
    Kind("in", region=REGION_NAMES),
    Kind("place", region=REGION_NAMES),
    Kind("burn", region=REGION_NAMES),
    Kind("retrieve", seat=POST_NAMES),
    Kind("recall", region=REGION_NAMES),
    Kind("deploy", seat=POST_NAMES),
    Kind("station", region=REGION_NAMES),
    Kind("discard", card=CARD_NAMES),
    Kind("swap", slot=SLOT_NAMES, other=SLOT_NAMES),
)
PASS_MOVE = MOVES.first["pass"]
DONE_MOVE = MOVES.first["done"]
ACT_MOVE = MOVES.first["act"]
PLAY_MOVE = MOVES.first["play"]
PAY_MOVE = MOVES.first["pay"]
SEAT_MOVE = MOVES.first["seat"]
EMPIRE_MOVE = MOVES.first["empire"]
NUMBER_MOVE = MOVES.first["number"]
FROM_MOVE = MOVES.first["from"]
TO_MOVE = MOVES.first["to"]
IN_MOVE = MOVES.first["in"]
PLACE_MOVE = MOVES.first["place"]
BURN_MOVE = MOVES.first["burn"]
RETRIEVE_MOVE = MOVES.first["retrieve"]
RECALL_MOVE = MOVES.first["recall"]
DEPLOY_MOVE = MOVES.first["deploy"]
STATION_MOVE = MOVES.first["station"]
DISCARD_MOVE = MOVES.first["discard"]
SWAP_MOVE = MOVES.first["swap"]

# What the rules tell while they are played, with the numbers that go with it.
ROUND = 0  # round, first player
RETRIEVES = 1  # seat, council seat
RECALLS = 2  # seat, region
DEPLOYS = 3  # seat, council seat
STATIONS = 4  # seat, region
VACANT = 5  # council seat
IDLE = 6  # council seat, controller
ACTIVE = 7  # council seat, controller
PASSES = 8  # seat, council seat
ADDS = 9  # empire, how many
PLACES = 10  # empire, region, how many
DRAWS = 11  # seat, empire, how many
DRAWS_CARD = 12  # seat, card
SWAPS_SEATS = 13  # seat, from council seat, to council seat, other owner
ATTACKS = 14  # empire, from, to, how many
JOINS = 15  # empire, how many, from region or NOWHERE for the reserve, by which ability
FORTRESS = 16  # region, empire
FIGHTS = 17  # region, attackers lost, defenders lost, defending empire
TAKES = 18  # region, empire, how many
HOLDS = 19  # region, empire, how many
EMPTIED = 20  # region, home empire
SUPPLY = 21  # empire, region, how many
PLAYS = 22  # seat, ability
PAYS = 23  # seat, card
MOVES_AGENT = 24  # seat, from council seat, to council seat
USES_SEAT = 25  # seat, council seat
MARCHES = 26  # empire, from, to, how many
DESTROYS = 27  # empire, region, how many
DISPERSES = 28  # empire, region, how many
GOES_HOME = 29  # empire, how many
LIFTS = 30  # empire, region
OPENS_TARGETS = 31  # ability
REPEATS = 32  # action
MARKS = 33  # round, new first player
DISCARDS = 34  # seat, empire, how many
DISCARDS_CARD = 35  # seat, card
SWAPS_LOYALTY = 36  # seat, slot, empire now there, other slot, empire now there
KEEPS_LOYALTY = 37  # seat
LOYALTY = 38  # seat, slot, empire
CITIES = 39  # empire, how many
SCORES = 40  # seat, points
ENDS = 41  # reason
