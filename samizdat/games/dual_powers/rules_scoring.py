"""Dual Powers, D7 and D8: strength, and the scoring phase."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_cards import face_down, is_opposition, turn_up_objective
from samizdat.games.dual_powers.rules_opposition import opposition_objective
from samizdat.games.dual_powers.state import (
    COUNTS,
    END_OF_TRACK,
    ENDS,
    FACTIONS,
    GONE,
    LEAVES,
    LEAVES_OPPOSITION,
    LEVELS,
    NEUTRAL,
    NOBODY,
    NONE,
    OVER,
    RED,
    REVEALING,
    REVEALS,
    SCORES,
    SUPPLY,
    TIRES,
    TIRES_OPPOSITION,
    UNREST,
    UNREST_IN,
    WHITE,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.rule import rule

PRINTED_OCTOBER = 6  # the default of unrest_vp_october, which leaves what the box prints

# --- D7 Control and strength --------------------------------------------------------------------------------


@rule
def current_value(box: Printed, s: State, token: int) -> int:
    """D7.2: the strength on the side that lies up."""
    return box.exhausted[token] if s.tired[token] == 1 else box.fresh[token]


# Strength and number of tokens as one number that compares like the two in order (D7.3).
TOKEN_BITS = 8
OWNER_BITS = 20  # room for the strength and the number of all tokens of one owner


@rule
def tally(box: Printed, s: State, region: int) -> int:
    """D7.2: strength and number of the tokens that red, white and the neutrals have in a region, side by side."""
    total = 0
    for token in range(box.tokens):
        if s.at[token] == region:
            total += ((current_value(box, s, token) << TOKEN_BITS) + 1) << (OWNER_BITS * box.faction[token])
    return total


@rule
def share(total: int, owner: int) -> int:
    """What one owner has of a tally."""
    return (total >> (OWNER_BITS * owner)) & ((1 << OWNER_BITS) - 1)


@rule
def unit_there(box: Printed, s: State, faction: int, region: int) -> bool:
    """A-49: whether a unit of the faction is in the region; S5, A-40: opposition units are such units."""
    for token in range(box.tokens):
        if box.unit_of[token] == faction and s.at[token] == region:
            return True
    return is_opposition(s, faction) and opposition_force(box, s, region) > 0


@rule
def opposition_force(box: Printed, s: State, region: int) -> int:
    """S10, A-36: strength and number of the opposition units in a region; X for the exhausted ones."""
    strength = 0
    units = 0
    for level in range(LEVELS):
        fresh = s.opposition[level, region]
        exhausted = s.opposition_tired[level, region]
        strength += fresh * box.level_fresh[level] + exhausted * s.difficulty
        units += fresh + exhausted
    return (strength << TOKEN_BITS) + units


@rule
def force_in(box: Printed, s: State, faction: int, region: int, total: int) -> int:
    """D7.2: what a faction has, given the tally. The holder of the Will of the People adds the neutrals beside a
    token of the own faction (A-9, A-11, A-49); 0 means that there is none (D7.4, A-10)."""
    force = share(total, faction)
    if is_opposition(s, faction):
        force += opposition_force(box, s, region)
    if s.will == faction and force > 0:
        if s.leader_gives_presence == 1 or unit_there(box, s, faction, region):
            force += share(total, NEUTRAL)
    return force


@rule
def force(box: Printed, s: State, faction: int, region: int) -> int:
    """D7.2, D7.3: strength and number of tokens of a faction in a region."""
    return force_in(box, s, faction, region, tally(box, s, region))


@rule
def strength(box: Printed, s: State, faction: int, region: int) -> int:
    """D7.2: the strength of a faction in a region."""
    return force(box, s, faction, region) >> TOKEN_BITS


@rule
def stronger_of(red: int, white: int, will: int) -> int:
    """D7.3: more strength, then more tokens (A-12: one of strength 0 will do), then the Will of the People.

    D7.4: NOBODY without a faction token.
    """
    if red == 0 and white == 0:
        return NOBODY
    if red > white:
        return RED
    if white > red:
        return WHITE
    return will


@rule
def stronger(box: Printed, s: State, region: int) -> int:
    """D7.3, D7.4: the faction with the greater strength in a region, or NOBODY."""
    return stronger_of(force(box, s, RED, region), force(box, s, WHITE, region), s.will)


@rule
def compare(box: Printed, s: State, luck: Luck, region: int) -> int:
    """D7.3, D7.4: the same, told to everyone."""
    total = tally(box, s, region)
    red = force_in(box, s, RED, region, total)
    white = force_in(box, s, WHITE, region, total)
    winner = stronger_of(red, white, s.will)
    tokens = (1 << TOKEN_BITS) - 1
    tell(luck, EVERYONE, COUNTS, region, red >> TOKEN_BITS, red & tokens, white >> TOKEN_BITS, white & tokens, winner)
    return winner


# --- D8 Scoring phase ---------------------------------------------------------------------------------------


@rule
def unrest_points(box: Printed, s: State) -> int:
    """D8.1: what unrest is worth in this month; A-3, A-54: the option counts in the months that end the game."""
    if s.month >= box.first_end and s.unrest_vp_october != PRINTED_OCTOBER:
        return s.unrest_vp_october
    return box.unrest_vp[s.month]


@rule
def resolve_unrest(box: Printed, s: State, luck: Luck) -> None:
    """D8.1: marker 1, and the stronger one chooses. S8: the opposition always takes the points."""
    s.marker[0] = s.unrest
    s.point = REVEALING
    tell(luck, EVERYONE, UNREST_IN, s.unrest)
    winner = compare(box, s, luck, s.unrest)
    if winner == NOBODY:
        return
    if is_opposition(s, winner):
        gain_points(box, s, luck, winner, unrest_points(box, s))
    else:
        s.point = UNREST
        s.decider = winner


@rule
def reveals_first(s: State) -> int:
    """D8.2: the faction with fewer points, after unrest (A-19); on the centre the one without the Will (A-38)."""
    if s.score > 0:
        return WHITE
    if s.score < 0:
        return RED
    return 1 - s.will


@rule
def reveal_objectives(box: Printed, s: State, luck: Luck) -> None:
    """D8.2: marker 2 for the first to reveal, marker 3 for the other. S9: the opposition's follows from its cards."""
    reveal(luck)
    faction = reveals_first(s)
    for number in range(1, FACTIONS + 1):
        if is_opposition(s, faction):
            s.objective[faction] = opposition_objective(box, s)
            s.face_up[faction] = 1 if s.objective[faction] != NONE else 0
        elif face_down(s, faction):
            turn_up_objective(s, faction)
        card = s.objective[faction]
        if card != NONE:
            s.marker[number] = box.region[card]
            tell(luck, EVERYONE, REVEALS, faction, card, box.region[card], number + 1)
        faction = 1 - faction


@rule
def score_objectives(box: Printed, s: State, luck: Luck, first: int) -> None:
    """D8.3: marker 2, then marker 3; the stronger one scores, whoever chose the card (A-16). A-20: or it is over."""
    faction = first
    for number in range(1, FACTIONS + 1):
        if s.marker[number] != NONE and s.point != OVER:
            winner = compare(box, s, luck, s.marker[number])
            if winner != NOBODY:
                gain_points(box, s, luck, winner, box.vp[s.objective[faction]])
        faction = 1 - faction


@rule
def gain_points(box: Printed, s: State, luck: Luck, faction: int, points: int) -> None:
    """D8.4: the marker moves towards the faction. D10.1, A-20: on the last space the game is over at once."""
    step = points if faction == RED else -points
    s.score = max(-box.track, min(box.track, s.score + step))
    tell(luck, EVERYONE, SCORES, faction, points, s.score)
    if s.score == box.track or s.score == -box.track:
        end_game(s, luck, END_OF_TRACK)


@rule
def end_game(s: State, luck: Luck, reason: int) -> None:
    """D10, S11."""
    s.point = OVER
    s.reason = reason
    tell(luck, EVERYONE, ENDS, reason, winner_of(s))


@rule
def winner_of(s: State) -> int:
    """D10.1, D10.2, S11: the side on which the score marker lies; on the centre, the holder of the Will."""
    if s.score > 0:
        return RED
    if s.score < 0:
        return WHITE
    return s.will


@rule
def exhaust(box: Printed, s: State, luck: Luck) -> None:
    """D8.5, A-17: once in every region with a marker: fresh tokens turn, exhausted ones leave the board."""
    marked = 0
    for number in range(FACTIONS + 1):
        if s.marker[number] != NONE:
            marked |= 1 << s.marker[number]
    for token in range(box.tokens):
        if s.at[token] < SUPPLY and (marked >> s.at[token]) & 1:
            if s.tired[token] == 0:
                s.tired[token] = 1
                tell(luck, EVERYONE, TIRES, token, s.at[token])
            else:
                stays = box.is_leader[token] == 0 and box.faction[token] != NEUTRAL
                tell(luck, EVERYONE, LEAVES, token, s.at[token], 1 if stays else 0)
                s.at[token] = SUPPLY if stays else GONE
                s.tired[token] = 0
    for region in range(box.regions):
        if (marked >> region) & 1:
            exhaust_opposition(s, luck, region)


@rule
def exhaust_opposition(s: State, luck: Luck, region: int) -> None:
    """S10, A-35: fresh opposition units turn to X, exhausted ones go back to their supply."""
    for level in range(LEVELS):
        if s.opposition_tired[level, region] > 0:
            tell(luck, EVERYONE, LEAVES_OPPOSITION, level, region, s.opposition_tired[level, region])
        if s.opposition[level, region] > 0:
            tell(luck, EVERYONE, TIRES_OPPOSITION, level, region, s.opposition[level, region])
        s.opposition_tired[level, region] = s.opposition[level, region]
        s.opposition[level, region] = 0
