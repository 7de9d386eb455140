"""Dual Powers: Revolution 1917 by Brett Myers, for 2 players, and alone against the opposition.

The Petrograd Soviet (red) and the Provisional Government (white) struggle for the city from March to October
1917. In every round each side chooses a secret objective and plays four cards, which move the calendar and
recruit, move or refresh units; then the region of unrest and both objectives are scored by strength. Neutral
tokens follow whoever holds the Will of the People. The support track's end wins at once; otherwise its side in
October.

Options (default in brackets): unrest_vp_october [6], A-3; neutral_control_needs_presence [no], A-8;
bonus_move_rank_one_only [no], A-14; october_november_separate [yes], A-4; leader_gives_presence [yes], A-49.
In solitaire also difficulty [1], S1.1, and faction [red], S1.1.

The numbers are those of `rulebook/en.md`: D for the rules of two players, S for the solitaire, A for rulings.
This file holds the course of the game; `rules_cards` D3 and D4, `rules_calendar` D5.4 to D5.8, `rules_actions` D5.9
and D6.1 to D6.8, `rules_tokens` what they need and D7.1, `rules_bonus` D6.9, `rules_scoring` the rest of D7 and D8,
`rules_opposition` what the opposition does, `guess` secrets. What a decision point offers stands next to what taking
it does; `points.py` lists the points.
"""

from __future__ import annotations

from samizdat.games.dual_powers import state as st
from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.guess import guess, hide
from samizdat.games.dual_powers.rules_actions import begin_action, begin_leading
from samizdat.games.dual_powers.rules_calendar import advance_date
from samizdat.games.dual_powers.rules_cards import (
    cards_in_hand,
    draw_card,
    draw_to_hand,
    faction_of,
    is_opposition,
    lay_objective,
    leave_hand,
    note_objective,
    offer_hand,
    seat_of,
)
from samizdat.games.dual_powers.rules_opposition import deal_line, opposition_turn, turn_up_leader
from samizdat.games.dual_powers.rules_scoring import (
    end_game,
    exhaust,
    resolve_unrest,
    reveal_objectives,
    reveals_first,
    score_objectives,
    winner_of,
)
from samizdat.games.dual_powers.state import FACTIONS, NONE, State
from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

__all__ = ["guess", "hide", "score", "setup"]

RULES_VERSION = 1


# --- D1 Setup -----------------------------------------------------------------------------------------------


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    """D1.1-D1.6, and S1.1, S1.2 for the solitaire."""
    for token in range(box.tokens):
        s.at[token] = st.SUPPLY
        if box.faction[token] == st.NEUTRAL:
            s.at[token] = st.GONE
        elif is_opposition(s, box.faction[token]) and box.is_leader[token] == 0:
            s.at[token] = st.GONE  # S1.1: back into the printed box
    s.at[box.trotsky_neutral] = st.WAITING  # D1.4
    s.at[box.trotsky_red] = st.WAITING
    lay_out_neutrals(box, s, luck)
    s.score = 0  # D1.3
    s.will = st.RED
    s.month = 0
    s.day = 1
    s.unrest = draw(luck, box.regions)  # D1.5: the first tile of the shuffled stack, then the second
    s.barred = draw(luck, box.regions - 1)
    if s.barred >= s.unrest:
        s.barred += 1
    s.blockade = box.blocks[s.barred]
    for card in range(box.commands):
        s.where[card] = st.DECK  # D1.6
    s.deck_size = box.commands
    s.card = NONE
    s.leader = NONE
    s.token = NONE
    clear_round(s)
    tell(luck, EVERYONE, st.FIRST_TILES, s.unrest, s.barred, s.blockade)
    s.point = st.NEXT_ROUND
    go_on(box, s, luck)


@rule
def lay_out_neutrals(box: Printed, s: State, luck: Luck) -> None:
    """D1.2: one random neutral unit, fresh, into each region; those left over stay in the printed box (A-56)."""
    left = 0
    for token in range(box.tokens):
        if box.faction[token] == st.NEUTRAL and box.is_leader[token] == 0:
            left += 1
    for region in range(box.regions):
        nth = draw(luck, left)
        for token in range(box.tokens):
            if box.faction[token] == st.NEUTRAL and s.at[token] == st.GONE:
                if nth == 0:
                    s.at[token] = region
                    tell(luck, EVERYONE, st.BEGINS, token, region)
                nth -= 1
        left -= 1


@rule
def clear_round(s: State) -> None:
    """D9.3, D9.4: no marker, no objective, no card in the opposition's line."""
    for number in range(FACTIONS + 1):
        s.marker[number] = NONE
    for faction in range(FACTIONS):
        s.objective[faction] = NONE
        s.face_up[faction] = 0
        s.objective_kept[faction] = 0
    for place in range(st.MOST_DRAWN):
        s.line[place] = NONE
    s.line_size = 0
    s.line_shown = 0
    s.line_kept = 0


# --- D2 Round -----------------------------------------------------------------------------------------------


@rule
def go_on(box: Printed, s: State, luck: Luck) -> None:
    """D2: phase after phase, until somebody must decide or the game is over."""
    while s.point >= st.NEXT_ROUND and s.point != st.OVER:
        if s.point == st.NEXT_ROUND:
            begin_round(box, s, luck)
        elif s.point == st.NEXT_TURN:
            next_turn(box, s, luck)
        elif s.point == st.SCORING:
            resolve_unrest(box, s, luck)
        else:
            finish_scoring(box, s, luck)


@rule
def begin_round(box: Printed, s: State, luck: Luck) -> None:
    """D2: the draw phase, then the objective phase."""
    s.rounds += 1
    tell(luck, EVERYONE, st.ROUND, s.rounds)
    if s.variant == st.SOLITAIRE:
        draw_phase_alone(box, s, luck)
        turn_up_leader(box, s, luck)  # S3
        begin_action_phase(s)
    else:
        draw_phase(box, s, luck)
        s.point = st.OBJECTIVE
        if without_objective(s) == 0:
            begin_action_phase(s)


# --- D3 Draw phase ------------------------------------------------------------------------------------------


@rule
def draw_phase(box: Printed, s: State, luck: Luck) -> None:
    """D3.1: five command cards each; A-28: the holder of the Will of the People draws first."""
    faction = s.will
    for _ in range(FACTIONS):
        for _card in range(box.cards_drawn):
            draw_to_hand(box, s, luck, faction, st.AS_USUAL)
        faction = 1 - faction


@rule
def draw_phase_alone(box: Printed, s: State, luck: Luck) -> None:
    """S2: four cards to hand, a fifth unseen as objective, five unseen for the opposition; in this order (A-28)."""
    for _ in range(box.cards_drawn - 1):
        draw_to_hand(box, s, luck, s.faction, st.AS_USUAL)
    card = draw_card(box, s, luck)
    if card != NONE:
        lay_objective(s, s.faction, card)
        tell(luck, EVERYONE, st.DEALT_OBJECTIVE, s.faction)
    deal_line(box, s, luck)


# --- D4 Objective phase -------------------------------------------------------------------------------------


@rule
def without_objective(s: State) -> int:
    """D4.1: everyone who has a command card (A-51) and no objective yet, as a bit set of seats."""
    seats = 0
    for faction in range(FACTIONS):
        if s.objective[faction] == NONE and s.hand_size[faction] > 0:
            seats |= 1 << seat_of(s, faction)
    return seats


@rule
def offer_objective(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D4.1: any command card in hand."""
    return offer_hand(box, s, faction_of(s, seat), st.CHOOSE_OBJECTIVE, moves)


@rule
def put_objective(box: Printed, s: State, luck: Luck, seat: int, card: int) -> None:
    """D4.1: face down, in any order; when both have chosen, the action phase begins."""
    faction = faction_of(s, seat)
    leave_hand(s, faction, card, st.OBJECTIVE_SPACE)
    lay_objective(s, faction, card)
    note_objective(s, faction)
    tell(luck, 1 << seat, st.SETS_THIS, faction, card)
    tell(luck, EVERYONE & ~(1 << seat), st.SETS_OBJECTIVE, faction)
    if without_objective(s) == 0:
        begin_action_phase(s)


# --- D5 Action phase ----------------------------------------------------------------------------------------


@rule
def begin_action_phase(s: State) -> None:
    """D5.1: the holder of the Will of the People goes first: in solitaire that is the opposition (S3, S4)."""
    s.first = s.will
    s.turns = 0
    s.point = st.NEXT_TURN


@rule
def next_turn(box: Printed, s: State, luck: Luck) -> None:
    """D5.1: turns alternate until both have had four, whoever gains the Will. S4: the opposition has five."""
    if s.turns == 2 * box.turns + s.variant:
        s.point = st.SCORING
        return
    faction = s.first if s.turns % 2 == 0 else 1 - s.first
    s.turns += 1
    s.decider = faction
    if is_opposition(s, faction):
        opposition_turn(box, s, luck)
    elif cards_in_hand(box, s, faction) == 0:
        tell(luck, EVERYONE, st.SKIPS, faction)
    else:
        s.point = st.CARD


@rule
def who_decides(s: State) -> int:
    """D5.1: the seat whose turn it is; D8.1: in the scoring, whoever is stronger in the region of unrest."""
    return 1 << seat_of(s, s.decider)


@rule
def offer_card(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D5.3: any card in hand; A-15: one must be played."""
    faction = faction_of(s, seat)
    n = offer_hand(box, s, faction, st.PLAY, moves)
    for leader in range(box.leaders):
        if box.leader_faction[leader] == faction and s.led[leader] == 0:
            moves[n] = st.LEAD + leader
            n += 1
    return n


@rule
def play_command(box: Printed, s: State, luck: Luck, seat: int, card: int) -> None:
    """D5.2, D5.3: lay a command card, advance the date; then its action."""
    faction = faction_of(s, seat)
    s.card = card
    leave_hand(s, faction, card, st.ON_TABLE)
    if s.variant != st.SOLITAIRE:
        note_objective(s, faction)
        reveal(luck)
    tell(luck, EVERYONE, st.PLAYS, faction, card)
    advance_date(box, s, luck, faction, box.days[card])
    begin_action(box, s)


@rule
def play_leader(box: Printed, s: State, luck: Luck, seat: int, leader: int) -> None:
    """D5.2, D5.3: lay a leader card, which never comes back (D9.4); the date; then its actions."""
    faction = faction_of(s, seat)
    s.leader = leader
    s.led[leader] = 1
    tell(luck, EVERYONE, st.LEADS, faction, leader)
    advance_date(box, s, luck, faction, box.leader_days[leader])
    begin_leading(box, s)


# --- D8 Scoring phase, after unrest -------------------------------------------------------------------------


@rule
def finish_scoring(box: Printed, s: State, luck: Luck) -> None:
    """D8.2-D8.5, then the end of the game (D10.2, S11) or the clean-up."""
    first = reveals_first(s)
    reveal_objectives(box, s, luck)
    score_objectives(box, s, luck, first)
    if s.point == st.OVER:
        return
    exhaust(box, s, luck)
    if s.variant == st.SOLITAIRE:
        if s.rounds == box.solitaire_rounds:
            end_game(s, luck, st.THIRD_ROUND)
    elif s.month >= box.first_end:
        end_game(s, luck, st.OCTOBER)
    if s.point != st.OVER:
        clean_up(box, s, luck)


# --- D9 Clean-up phase --------------------------------------------------------------------------------------


@rule
def clean_up(box: Printed, s: State, luck: Luck) -> None:
    """D9.1-D9.4."""
    move_tiles(box, s, luck)
    for card in range(box.commands):
        if s.where[card] == st.ON_TABLE or s.where[card] == st.OBJECTIVE_SPACE:
            s.where[card] = st.DISCARDED
    clear_round(s)
    tell(luck, EVERYONE, st.CLEARS)
    s.point = st.NEXT_ROUND


@rule
def tiles_left(box: Printed, s: State) -> int:
    """D9.2: how many tiles are in the stack."""
    left = 0
    for region in range(box.regions):
        if s.removed[region] == 0 and region != s.unrest and region != s.barred:
            left += 1
    return left


@rule
def move_tiles(box: Printed, s: State, luck: Luck) -> None:
    """D9.1: Blockade goes to Unrest. D9.2: a new tile from the stack, and the marker on its connection."""
    if tiles_left(box, s) == 0:
        for region in range(box.regions):
            s.removed[region] = 0  # not the two that are on the board
    nth = draw(luck, tiles_left(box, s))
    drawn = NONE
    for region in range(box.regions):
        if s.removed[region] == 0 and region != s.unrest and region != s.barred:
            if nth == 0:
                drawn = region
            nth -= 1
    s.removed[s.unrest] = 1
    s.unrest = s.barred
    s.barred = drawn
    s.blockade = box.blocks[drawn]
    tell(luck, EVERYONE, st.TILES, s.unrest, s.barred, s.blockade)


# --- D10 End of the game ------------------------------------------------------------------------------------


@rule
def score(box: Printed, s: State, out: Score) -> None:
    """D10, S11: the place of the score marker, seen from each seat; while the game runs, who would win now."""
    for seat in range(s.seats):
        faction = faction_of(s, seat)
        out.points[seat] = s.score if faction == st.RED else -s.score
        out.rank[seat] = 1 if winner_of(s) == faction else 2
    out.reason = s.reason
