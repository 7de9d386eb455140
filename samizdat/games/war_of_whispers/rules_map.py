"""A War of Whispers, R2, R7.1 and R11: who controls what, banners and supply."""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import FARM, FORTRESS, Printed
from samizdat.games.war_of_whispers.state import POSITIONS, SUPPLY, State
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.rule import rule


@rule
def active_empire(s: State) -> int:
    """A15: the empire of the seat whose action is taken."""
    return s.post // POSITIONS


@rule
def put(box: Printed, s: State, region: int, banners: int) -> None:
    """Banners of the empire that controls a region come from its reserve (R2.6)."""
    s.army[region] += banners
    s.reserve[s.holder[region]] -= banners


@rule
def take_off(box: Printed, s: State, region: int, banners: int) -> None:
    """Banners leave a region; without any it belongs to its home empire again (R2.3, R2.5)."""
    s.army[region] -= banners
    if s.army[region] == 0:
        s.holder[region] = box.home[region]


@rule
def destroy(box: Printed, s: State, region: int, banners: int) -> None:
    """R2.7: banners go from the map into their empire's reserve."""
    s.reserve[s.holder[region]] += banners
    take_off(box, s, region, banners)


@rule
def movable(box: Printed, s: State, region: int) -> int:
    """R10.3: banners that may leave a region; a conquered one (R2.4) keeps one."""
    if s.holder[region] == box.home[region]:
        return s.army[region]
    return s.army[region] - 1


@rule
def regions_of(box: Printed, s: State, empire: int) -> int:
    """R2.3: the regions an empire controls, as bits."""
    found = 0
    for region in range(box.regions):
        if s.holder[region] == empire:
            found |= 1 << region
    return found


@rule
def empty_regions(box: Printed, s: State) -> int:
    """R2.5: regions without banners, as bits."""
    found = 0
    for region in range(box.regions):
        if s.army[region] == 0:
            found |= 1 << region
    return found


@rule
def controls_any(box: Printed, s: State, empire: int) -> bool:
    for region in range(box.regions):
        if s.holder[region] == empire:
            return True
    return False


@rule
def icons(box: Printed, s: State, empire: int, icon: int) -> int:
    """R7.1, A6: icons of one kind in all regions an empire controls."""
    n = 0
    for region in range(box.regions):
        if s.holder[region] == empire:
            if icon == FARM:
                n += box.farm[region]
            elif icon == FORTRESS:
                n += box.fortress[region]
    return n


@rule
def cities(box: Printed, s: State, empire: int) -> int:
    """R16: cities in regions an empire controls."""
    n = 0
    for region in range(box.regions):
        if s.holder[region] == empire:
            n += box.city[region]
    return n


@rule
def amount(box: Printed, s: State, empire: int, action: int) -> int:
    """R7.1, R8, A5: what a formula yields, rounded down; any icon by any number (A44)."""
    if box.icon[action] == 0:
        return box.amount[action]
    return box.amount[action] * (icons(box, s, empire, box.icon[action]) // box.per[action])


@rule
def check_supply(box: Printed, s: State, luck: Luck, empire: int) -> None:
    """R11, A16, A47: what is above the limit goes back into the reserve of the empire whose turn ends."""
    for region in range(box.regions):
        if s.holder[region] == empire and s.army[region] > box.limit[region]:
            excess = s.army[region] - box.limit[region]
            destroy(box, s, region, excess)
            tell(luck, EVERYONE, SUPPLY, empire, region, excess)
