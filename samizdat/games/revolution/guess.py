"""Revolution!: a fair guess at a sealed bid, each legal board as likely as any other.

Counting boards: choose which characters get Force and which get Blackmail (each at least one token), then
spread the Gold over those and over some further characters. Characters differ only in what they refuse, so
there are few cases, each with a product of binomials for its number of boards. One case is drawn by weight,
and within it everything is drawn evenly: no rejection, and no more steps than there are tokens.
"""

from __future__ import annotations

from samizdat.games.revolution.box import Printed
from samizdat.games.revolution.state import BLACKMAIL, FORCE, GOLD, TOKENS, State
from samizdat.kernel.bits import least, size
from samizdat.kernel.luck import Luck, draw
from samizdat.kernel.rule import rule

# Boards of the base game are counted exactly. Hands that only long games with refunds or other boxes can
# reach have more boards than 64 bits hold, so a count is a *rounded number*: its first COUNTED bits, and above them
# how often it was halved to fit. What fits is exact and written like any other number; of what does not, at most
# one part in two to the power of 29 is lost wherever two are multiplied.
COUNTED = 46
HALVED = 48
COUNT = (1 << HALVED) - 1


@rule
def rounded(count: int, halved: int) -> int:
    """A rounded number from a count below 2**62 and how often that was halved already."""
    while count >> COUNTED:
        count >>= 1
        halved += 1
    return (halved << HALVED) | count


@rule
def times(one: int, other: int) -> int:
    """The product of two rounded numbers."""
    halved = (one >> HALVED) + (other >> HALVED)
    one &= COUNT
    other &= COUNT
    if one == 0 or other == 0:
        return 0
    while one > (1 << 61) // other:
        if one > other:
            one >>= 1
        else:
            other >>= 1
        halved += 1
    return rounded(one * other, halved)


@rule
def plus(one: int, other: int) -> int:
    """The sum of two rounded numbers."""
    halved = max(one >> HALVED, other >> HALVED)
    return rounded(halved_to(one, halved) + halved_to(other, halved), halved)


@rule
def halved_to(one: int, halved: int) -> int:
    """The count of a rounded number, once it has been halved so often."""
    return (one & COUNT) >> min(halved - (one >> HALVED), COUNTED)


@rule
def choose(n: int, k: int) -> int:
    """How many ways to choose k of n, as a rounded number."""
    if k < 0 or n < k:
        return 0
    ways = 1
    halved = 0
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
        while ways >> COUNTED:
            ways >>= 1
            halved += 1
    return (halved << HALVED) | ways


@rule
def ways_exactly(tokens: int, people: int) -> int:
    """How many ways to give `people` characters at least one each of `tokens` like tokens."""
    if people == 0:
        return 1 if tokens == 0 else 0
    return choose(tokens - 1, people - 1)


@rule
def ways_with_new(gold: int, people: int, others: int, new: int) -> int:
    """Ways to spread Gold: any number on `people` who are bid on already, at least one on `new` of the others."""
    if people + new == 0:
        return 1 if gold == 0 else 0
    return times(choose(others, new), choose(gold + people - 1, people + new - 1))


@rule
def ways_gold(gold: int, people: int, characters: int, room: int) -> int:
    total = 0
    for new in range(min(room, characters - people) + 1):
        total = plus(total, ways_with_new(gold, people, characters - people, new))
    return total


@rule
def some_of(luck: Luck, people: int, wanted: int) -> int:
    """A random subset of `wanted` characters out of a set, all equally likely."""
    left = size(people)
    chosen = 0
    character = 0
    while wanted > 0:
        if (people >> character) & 1:
            if draw(luck, left) < wanted:
                chosen |= 1 << character
                wanted -= 1
            left -= 1
        character += 1
    return chosen


@rule
def spread(s: State, luck: Luck, seat: int, token: int, tokens: int, people: int) -> None:
    """Lay `tokens` on the characters in a set, at least one on each, all ways equally likely."""
    if people == 0:
        return
    character = least(people)
    gaps = tokens - 1
    cuts = size(people) - 1
    s.bid[seat, character, token] += 1
    while gaps > 0:
        if cuts > 0 and draw(luck, gaps) < cuts:
            cuts -= 1
            character += 1
            while (people >> character) & 1 == 0:
                character += 1
        s.bid[seat, character, token] += 1
        gaps -= 1


@rule
def weight(
    force: int, blackmail: int, gold: int, f_only: int, b_only: int, both: int, characters: int, most: int,
    f1: int, f2: int, b1: int, b2: int, union: int,
) -> int:  # fmt: skip
    """Boards with Force on f1 of those who refuse Blackmail and f2 of those who take both, Blackmail likewise on
    b1 and b2, and `union` of those who take both bid on; a rounded number."""
    people = f1 + b1 + union
    if people > most:
        return 0
    tokens = times(ways_exactly(force, f1 + f2), ways_exactly(blackmail, b1 + b2))
    if tokens == 0:
        return 0
    sets = (
        choose(f_only, f1)
        * choose(b_only, b1)
        * choose(both, union)
        * choose(union, f2)
        * choose(f2, f2 + b2 - union)
    )
    return times(times(sets, tokens), ways_gold(gold, people, characters, most - people))


@rule
def lay_a_fair_bid(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Lay everything this seat holds, every legal board being equally likely."""
    force = s.held[seat, FORCE]
    blackmail = s.held[seat, BLACKMAIL]
    gold = s.held[seat, GOLD]
    both_people = box.takes_force & box.takes_blackmail
    force_people = box.takes_force & ~both_people
    blackmail_people = box.takes_blackmail & ~both_people
    f_only = size(force_people)
    b_only = size(blackmail_people)
    both = size(both_people)
    most = box.most_characters
    characters = box.characters
    total = 0
    chosen = -1
    laid = False
    adding = True
    while not laid:  # first add up the weights, then find the case that was drawn
        for f1 in range(min(f_only, force) + 1):
            for f2 in range(min(both, force - f1) + 1):
                for b1 in range(min(b_only, blackmail) + 1):
                    for b2 in range(min(both, blackmail - b1) + 1):
                        for union in range(max(f2, b2), min(both, f2 + b2) + 1):
                            w = weight(
                                force, blackmail, gold, f_only, b_only, both, characters, most, f1, f2, b1, b2, union
                            )
                            if adding:
                                total = plus(total, w)
                                continue
                            w = halved_to(w, total >> HALVED)
                            if chosen >= 0 and chosen < w:
                                lay_case(
                                    box, s, luck, seat, force_people, blackmail_people, both_people,
                                    f1, f2, b1, b2, union,
                                )  # fmt: skip
                                laid = True
                            chosen -= w
        # Rounded down one by one, the weights may fall short of their sum: whoever drew the gap draws again.
        adding = False
        if not laid:
            chosen = draw(luck, total & COUNT)
    s.left[seat, FORCE] = 0
    s.left[seat, BLACKMAIL] = 0
    s.left[seat, GOLD] = 0
    finish(box, s, seat)


@rule
def lay_case(
    box: Printed, s: State, luck: Luck, seat: int, force_people: int, blackmail_people: int, both_people: int,
    f1: int, f2: int, b1: int, b2: int, union: int,
) -> None:  # fmt: skip
    """Draw who gets what within one case, evenly, and lay the tokens."""
    force = s.held[seat, FORCE]
    blackmail = s.held[seat, BLACKMAIL]
    gold = s.held[seat, GOLD]
    most = box.most_characters
    shared = some_of(luck, both_people, union)
    forced = some_of(luck, shared, f2)
    overlap = some_of(luck, forced, f2 + b2 - union)
    f_set = forced | some_of(luck, force_people, f1)
    b_set = (shared & ~forced) | overlap | some_of(luck, blackmail_people, b1)
    spread(s, luck, seat, FORCE, force, f_set)
    spread(s, luck, seat, BLACKMAIL, blackmail, b_set)
    people = f1 + b1 + union
    others = box.characters - people
    new = new_people(luck, gold, people, others, min(most - people, others))
    taken = f_set | b_set
    g_set = some_of(luck, ((1 << box.characters) - 1) & ~taken, new)
    if people + new == 0:
        return
    # At least one each for the new ones, any number for the others: lend the others one and take it back.
    spread(s, luck, seat, GOLD, gold + people, taken | g_set)
    for character in range(box.characters):
        if (taken >> character) & 1:
            s.bid[seat, character, GOLD] -= 1


@rule
def new_people(luck: Luck, gold: int, people: int, others: int, room: int) -> int:
    """How many of the others get Gold, drawn by the ways to spread it."""
    total = ways_gold(gold, people, people + others, room)
    chosen = draw(luck, total & COUNT)
    new = 0
    while chosen >= halved_to(ways_with_new(gold, people, others, new), total >> HALVED):
        chosen -= halved_to(ways_with_new(gold, people, others, new), total >> HALVED)
        new += 1
        if new > room:  # the gap that rounding left
            chosen = draw(luck, total & COUNT)
            new = 0
    return new


@rule
def finish(box: Printed, s: State, seat: int) -> None:
    """The cursor and the count of characters that go with a laid bid (A-26)."""
    for character in range(box.characters):
        laid = False
        for token in range(TOKENS):
            if s.bid[seat, character, token] > 0:
                laid = True
                s.cursor[seat] = character * TOKENS + token
        if laid:
            s.people[seat] += 1
