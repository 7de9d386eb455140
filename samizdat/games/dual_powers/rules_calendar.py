"""Dual Powers, D5.4 to D5.8: the calendar, the Will of the People, and Trotsky."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.state import (
    BY_MONTH,
    DAY,
    EARNS,
    GONE,
    MONTH,
    SUPPLY,
    TROTSKY_IS_BACK,
    TROTSKY_IS_LOST,
    TROTSKY_IS_RED,
    TROTSKY_JOINS,
    TROTSKY_RETURNS,
    WILL,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.rule import rule


@rule
def advance_date(box: Printed, s: State, luck: Luck, faction: int, days: int) -> None:
    """D5.4: the day marker goes forward. D5.6: it slides to the last day, and may earn one bonus (A-22, A-23)."""
    day = s.day + days
    if day > box.month_days:
        day -= box.month_days
        advance_month(box, s, luck, faction)
    if day >= box.slide_from:
        day = box.month_days
    s.day = day
    tell(luck, EVERYONE, DAY, s.day, s.month)
    if day == box.bonus_day or day == box.month_days:
        s.bonus = 1
        tell(luck, EVERYONE, EARNS, faction, day)


@rule
def last_month(box: Printed, s: State) -> int:
    """A-4: the space the month marker cannot leave; with October and November as one, that is October."""
    if s.october_november_separate == 1:
        return box.months - 1
    return box.first_end


@rule
def advance_month(box: Printed, s: State, luck: Luck, faction: int) -> None:
    """D5.5: the Will of the People goes to the active faction first (A-24); A-4: also when the marker must stay."""
    take_will(s, luck, faction, BY_MONTH)
    if s.month == last_month(box, s):
        return
    s.month += 1
    tell(luck, EVERYONE, MONTH, s.month)
    if box.event[s.month] == TROTSKY_RETURNS:
        trotsky_returns(box, s, luck)
    elif box.event[s.month] == TROTSKY_JOINS:
        trotsky_joins(box, s, luck)


@rule
def take_will(s: State, luck: Luck, faction: int, why: int) -> None:
    """The Will of the People changes sides: by the month (D5.5), a leader (D6.8) or S3; and may come back (A-41)."""
    if s.will != faction:
        s.will = faction
        tell(luck, EVERYONE, WILL, faction, why)


@rule
def trotsky_returns(box: Printed, s: State, luck: Luck) -> None:
    """D5.7: neutral Trotsky, fresh (A-24), into the region of unrest."""
    s.at[box.trotsky_neutral] = s.unrest
    tell(luck, EVERYONE, TROTSKY_IS_BACK, s.unrest)


@rule
def trotsky_joins(box: Printed, s: State, luck: Luck) -> None:
    """D5.8: red Trotsky takes the place and the state of the neutral one, or leaves the game with him.

    A-37: he is Red's, also where the opposition is red.
    """
    neutral = box.trotsky_neutral
    if s.at[neutral] < SUPPLY:
        s.at[box.trotsky_red] = s.at[neutral]
        s.tired[box.trotsky_red] = s.tired[neutral]
        s.at[neutral] = GONE
        s.tired[neutral] = 0
        tell(luck, EVERYONE, TROTSKY_IS_RED, s.at[box.trotsky_red])
    else:
        s.at[box.trotsky_red] = GONE
        tell(luck, EVERYONE, TROTSKY_IS_LOST)
