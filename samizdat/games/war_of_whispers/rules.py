"""A War of Whispers by Jeremy Stoltzfus, for 2 to 4 players.

R1: five empires fight over forty regions; nobody owns one. Secret societies place agents on the seats of their
councils, act for them, and hold a hidden loyalty to each. After four rounds every empire's cities count for
everybody by that loyalty.

Options (default in brackets): advanced [no], R17, agents on the map; allow_pass [no], A1, A58; distinct_devout
[no], V1, no two players begin devoted to the same empire; point_per_hidden_loyalty [no], V2.

The numbers are those of `rulebook/en.md`: R for rules, W for windows, C for abilities of cards, A for rulings, V for
variants. The chapters: rules_map.py (R2, R7, R11), rules_hand.py (R8, R13, R15.2-R15.5), rules_attack.py (R10),
rules_council.py (R5-R9), rules_cards.py (R15, W) and rules_banners.py (C: what abilities do with banners),
rules_loyalty.py (R3.6, R14), rules_scoring.py (R16, R17), rules_secrets.py (what is hidden). What a decision point
offers stands next to what taking it does; `points.py` lists the points. Here: the course of the game. A step that
needs no decision leaves a point such as NEXT_SEAT behind, and `go_on` takes it from there.
"""

from __future__ import annotations

from samizdat.games.war_of_whispers import state
from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_attack import fight
from samizdat.games.war_of_whispers.rules_council import (
    begin_deployment,
    controller,
    in_turn,
    some_action_available,
)
from samizdat.games.war_of_whispers.rules_hand import begin_reset, cards_of, discard_together
from samizdat.games.war_of_whispers.rules_loyalty import deal_loyalties, swapped
from samizdat.games.war_of_whispers.rules_map import check_supply
from samizdat.games.war_of_whispers.rules_scoring import end_game, score
from samizdat.games.war_of_whispers.rules_secrets import guess, hide
from samizdat.games.war_of_whispers.state import State
from samizdat.kernel.luck import EVERYONE, Luck, draw, tell
from samizdat.kernel.rule import rule

__all__ = ["RULES_VERSION", "guess", "hide", "score", "setup"]

RULES_VERSION = 2  # 1 had no window after a pass (A66), and Scorched Earth could strike twice (A55)


# --- R3 Setup ---------------------------------------------------------------------------------------------


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    """R3.3-R3.6: reserves and decks, the printed banners, a first player, loyalty tokens face down."""
    for empire in range(state.EMPIRES):
        s.reserve[empire] = box.banners
        for entry in range(state.DECK):
            s.drawn[empire, entry] = state.NOBODY
    for region in range(box.regions):
        s.holder[region] = box.home[region]
        s.army[region] = box.start[region]
        s.reserve[box.home[region]] -= box.start[region]
    for post in range(state.POSTS):
        s.agent[post] = state.NOBODY
    clear_the_table(s)
    s.first = draw(luck, s.seats)
    deal_loyalties(s, luck)
    s.point = state.NEXT_ROUND
    go_on(box, s, luck)


# --- R4 The round -----------------------------------------------------------------------------------------


@rule
def the_player(s: State) -> int:
    """The one who deploys or swaps, or controls the active seat; A8: nobody answers with cards."""
    return 1 << s.player


@rule
def go_on(box: Printed, s: State, luck: Luck) -> None:
    """Do what needs no decision, until somebody must be asked. Whether a seat is asked is public (A62)."""
    while True:
        if s.point == state.NEXT_ROUND:
            begin_round(box, s, luck)
        elif s.point == state.NEXT_SEAT:
            next_seat(box, s, luck)
        elif s.point == state.BEFORE and idle(box, s):
            tell(luck, EVERYONE, state.IDLE, s.marker, s.player)
            s.point = state.NEXT_SEAT
        elif s.point == state.ACTION and idle(box, s):
            s.point = state.AFTER
        elif s.point == state.JOIN and cards_of(s, s.player) == 0:
            s.point = state.COMBAT
        elif s.point == state.COMBAT:
            fight(box, s, luck)
        elif s.point == state.AFTER and cards_of(s, s.player) == 0:
            s.point = state.NEXT_SEAT
        elif s.point == state.MARK_ROUND:
            mark_round(box, s, luck)
        elif s.point == state.RESET and s.shedding == 0:
            discard_together(box, s, luck)
        elif s.point == state.SWAP_LOYALTY and s.step == s.seats:
            s.point = state.NEXT_ROUND
        elif s.point == state.SWAP_LOYALTY and swapped(s, in_turn(s)) > state.SLOTS - 2:
            s.step += 1
        elif s.point == state.SWAP_LOYALTY:
            s.player = in_turn(s)
            return
        else:
            return


@rule
def begin_round(box: Printed, s: State, luck: Luck) -> None:
    """R4; R3.2, R14: the next turn marker goes to Start."""
    s.rounds += 1
    clear_the_table(s)
    tell(luck, EVERYONE, state.ROUND, s.rounds, s.first)
    begin_deployment(box, s)


@rule
def clear_the_table(s: State) -> None:
    """Nothing is being resolved."""
    s.last = state.NOTHING
    s.ability = state.NOTHING
    s.paid = state.NOTHING
    s.used_on = state.NOWHERE
    s.source = state.NOWHERE
    s.target = state.NOWHERE
    s.attacked = state.NOWHERE
    s.left = 0
    s.killed = 0
    s.reach = 0
    s.window = 0
    s.colour = 0
    s.cursor = 0


# --- R6 Empire Turns --------------------------------------------------------------------------------------


@rule
def next_seat(box: Printed, s: State, luck: Luck) -> None:
    """R6.1, R6.2: the marker goes on; after a Chancellor the supply of that empire is checked (R6.5)."""
    clear_the_table(s)
    if s.marker % state.POSITIONS == state.POSITIONS - 1 and s.marker != state.NOBODY:
        check_supply(box, s, luck, s.marker // state.POSITIONS)
    s.marker += 1
    if s.marker == state.POSTS:
        s.marker = 0
        s.post = 0
        s.point = state.MARK_ROUND
        return
    s.post = s.marker
    owner = controller(s, s.marker)
    if owner == state.NOBODY:
        tell(luck, EVERYONE, state.VACANT, s.marker)
        return
    s.player = owner
    s.point = state.BEFORE
    tell(luck, EVERYONE, state.ACTIVE, s.marker, owner)


@rule
def idle(box: Printed, s: State) -> bool:
    """A62: the controller has no card, and the seat nothing to do."""
    return cards_of(s, s.player) == 0 and not some_action_available(box, s, s.post)


@rule
def end_activation(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """W5: no more cards are played; the marker goes on."""
    s.point = state.NEXT_SEAT


# --- R12 Mark the Round -----------------------------------------------------------------------------------


@rule
def mark_round(box: Printed, s: State, luck: Luck) -> None:
    """R12, A32: the first player token goes on; A33: after the last round the game ends here."""
    s.first = (s.first + 1) % s.seats
    tell(luck, EVERYONE, state.MARKS, s.rounds, s.first)
    if s.rounds == box.rounds:
        end_game(box, s, luck)
        return
    begin_reset(box, s)
