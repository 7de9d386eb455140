"""Revolution! by Philip duBarry, for 3 or 4 players.

Every round all players lay their tokens in secret on twelve townspeople; the strongest offer wins each one's
favour: points, tokens for the next round, a follower in one of seven areas. When the city is full, areas are
scored by majority.

Options (default in brackets): refund [no], R9.1; domination [no], R9.2; apothecary_empty [no], A-30;
max_rounds [60], A-27.

Left to the table: what players promise each other (R9.3, A-18), private talk (A-31), and the seat that runs out of
time (A-24), for which a bot bids (A-28).

The numbers are those of `rulebook/en.md`: R for rules, A for rulings. What a decision point offers stands next to
what taking it does; `points.py` lists the points.
"""

from __future__ import annotations

from samizdat.games.revolution.box import NO_SPECIAL, REPLACE, Printed
from samizdat.games.revolution.guess import lay_a_fair_bid
from samizdat.games.revolution.state import (
    APOTHECARY,
    AREA_SCORES,
    AREA_TIED,
    BID,
    BLACKMAIL,
    CITY_FULL,
    COLUMN,
    DECLINES,
    DONATION,
    DONE,
    EMPTY,
    ENDS,
    EVALUATION,
    EXCHANGE,
    EXCHANGES,
    FORCE,
    GOLD,
    IDLE,
    LONELY,
    MAX_ROUNDS,
    NO_ROOM,
    NOBODY,
    OFFERS,
    OPENS,
    OVER,
    OWNERS,
    PASS,
    PERSUASION,
    PLACES_FOLLOWER,
    REFUNDED,
    REPLACES,
    REWARD,
    ROUND,
    SEALS,
    SPY,
    TAKE,
    TIES,
    TOKENS,
    TOKENS_SCORE,
    WINS,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

RULES_VERSION = 1


# --- R1 Setup ---------------------------------------------------------------------------------------------


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    """R1.1-R1.4: followers in stock, scores at 0, the starting tokens, an empty city."""
    for seat in range(s.seats):
        s.stock[seat] = box.followers
        for token in range(TOKENS):
            s.held[seat, token] = box.start[token]
    begin_round(box, s, luck)


# --- R2 Strength of an offer ------------------------------------------------------------------------------


@rule
def strength(s: State, seat: int, character: int) -> int:
    """R2.1, R2.2: Force before Blackmail before Gold; one number that compares like the three in order (R2.3: equal
    ones are tied). 0: no offer."""
    return (
        (s.bid[seat, character, FORCE] << 40)
        | (s.bid[seat, character, BLACKMAIL] << 20)
        | s.bid[seat, character, GOLD]
    )


@rule
def strongest(s: State, character: int) -> int:
    """R6.2: the seat with the single strongest offer. A tie for the best blocks everybody (A-3, A-4, A-25)."""
    best = 0
    winner = NOBODY
    for seat in range(s.seats):
        offer = strength(s, seat, character)
        if offer > best:
            best = offer
            winner = seat
        elif offer == best:
            winner = NOBODY
    return winner


# --- R3, R4 Round and spying ------------------------------------------------------------------------------


@rule
def begin_round(box: Printed, s: State, luck: Luck) -> None:
    """R4.1: what everybody holds lies open; R5.1: then the screens go up."""
    s.rounds += 1
    s.point = PERSUASION
    s.sealed = 0
    s.settling = 0
    for seat in range(s.seats):
        for token in range(TOKENS):
            s.left[seat, token] = s.held[seat, token]
    tell(luck, EVERYONE, ROUND, s.rounds)


# --- R5 Persuasion ----------------------------------------------------------------------------------------


@rule
def offer_persuasion(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R5.2-R5.5: the next token, at or after the last one in evaluation order (A-26); "done" when none is left.

    A token is offered only if the rest can still be laid (R5.2). Gold always can, since nobody refuses it; Force and
    Blackmail need somebody who takes them, here or later, and room for that somebody under R5.3. All of this is
    said in bit sets of characters, which is what makes it quick.
    """
    force = s.left[seat, FORCE]
    blackmail = s.left[seat, BLACKMAIL]
    gold = s.left[seat, GOLD]
    if force + blackmail + gold == 0:
        moves[0] = DONE
        return 1
    cursor = s.cursor[seat]
    here = cursor // TOKENS
    room = box.most_characters - s.people[seat]
    same = (1 << here) if s.people[seat] > 0 else 0  # whoever got the last token may get more
    fresh = box.everyone & ~((1 << here) - 1) & ~same if room > 0 else 0
    one_more = (same if room > 0 else 0) | (fresh if room > 1 else 0)  # after these, room for one more is left
    two_more = (same if room > 1 else 0) | (fresh if room > 2 else 0)
    force_later = one_more & box.before_force if force > 0 else box.everyone
    blackmail_later = one_more & box.before_blackmail if blackmail > 0 else box.everyone
    both_later = force_later & blackmail_later
    if force > 0 and blackmail > 0:
        both_later = (one_more & box.before_both) | (two_more & box.before_force & box.before_blackmail)

    gets_force = (fresh | (same if cursor % TOKENS == FORCE else 0)) & box.takes_force
    gets_force &= box.takes_blackmail | blackmail_later if force > 0 else 0
    gets_blackmail = (fresh | (same if cursor % TOKENS <= BLACKMAIL else 0)) & box.takes_blackmail
    gets_blackmail &= force_later if blackmail > 0 else 0
    gets_gold = (fresh | same) & both_later if gold > 0 else 0
    n = 0
    for character in range(here, box.characters):
        # Written always, kept if it counts: the processor need not guess.
        moves[n] = BID + character * TOKENS + FORCE
        n += (gets_force >> character) & 1
        moves[n] = BID + character * TOKENS + BLACKMAIL
        n += (gets_blackmail >> character) & 1
        moves[n] = BID + character * TOKENS + GOLD
        n += (gets_gold >> character) & 1
    return n


@rule
def unsealed(s: State) -> int:
    """R5.1: everybody who has not announced completion."""
    return ((1 << s.seats) - 1) & ~s.sealed


@rule
def announce_completion(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """R5.8: the last to do so opens all boards."""
    s.sealed |= 1 << seat
    tell(luck, EVERYONE, SEALS, seat)
    if s.sealed == (1 << s.seats) - 1:
        reveal(luck)
        tell(luck, EVERYONE, OPENS)
        s.point = EVALUATION


@rule
def lay_token(box: Printed, s: State, luck: Luck, seat: int, place: int) -> None:
    """R5.1: one token on one character."""
    character = place // TOKENS
    token = place % TOKENS
    if s.people[seat] == 0 or character > s.cursor[seat] // TOKENS:
        s.people[seat] += 1
    s.bid[seat, character, token] += 1
    s.left[seat, token] -= 1
    s.cursor[seat] = place


@rule
def remove_refused(box: Printed, s: State, seat: int) -> int:
    """R5.6, for cardboard and tests only (A-1): tokens a character refuses go to the supply; how many."""
    removed = 0
    for character in range(box.characters):
        for token in range(TOKENS):
            if box.refuses[character, token] == 1:
                removed += s.bid[seat, character, token]
                s.bid[seat, character, token] = 0
    return removed


@rule
def remove_beyond_limit(box: Printed, s: State, seat: int) -> int:
    """R5.7, after R5.6 (A-2): only the first characters in evaluation order count; how many tokens went."""
    removed = 0
    people = 0
    for character in range(box.characters):
        if strength(s, seat, character) == 0:
            continue
        people += 1
        if people > box.most_characters:
            for token in range(TOKENS):
                removed += s.bid[seat, character, token]
                s.bid[seat, character, token] = 0
    return removed


# --- R6 Evaluation ----------------------------------------------------------------------------------------


@rule
def go_on(box: Printed, s: State, luck: Luck) -> None:
    """From one settled character to the next, as long as nobody is asked anything."""
    if s.point == EVALUATION:
        evaluate(box, s, luck)


@rule
def evaluate(box: Printed, s: State, luck: Luck) -> None:
    """R6.1: settle one character after the other, and pause where the Spy or the Apothecary asks its winner."""
    while s.settling < box.characters:
        character = s.settling
        winner = strongest(s, character)
        tell_offers(s, luck, character, winner)
        if winner != NOBODY:
            take_reward(box, s, luck, character, winner)
            if box.special[character] != NO_SPECIAL:
                point = SPY if box.special[character] == REPLACE else APOTHECARY
                if open_places(box, s, winner, point):
                    s.point = point
                    s.chooser = winner
                    return
                tell(luck, EVERYONE, IDLE, winner, character)
        s.settling += 1
    end_of_evaluation(box, s, luck)


@rule
def tell_offers(s: State, luck: Luck, character: int, winner: int) -> None:
    """R5.8, R6.2: the offers for one character, and whose favour it is."""
    offers = 0
    for seat in range(s.seats):
        if strength(s, seat, character) > 0:
            offers += 1
            tell(
                luck, EVERYONE, OFFERS, character, seat,
                s.bid[seat, character, FORCE], s.bid[seat, character, BLACKMAIL], s.bid[seat, character, GOLD],
            )  # fmt: skip
    if winner != NOBODY:
        tell(luck, EVERYONE, WINS, character, winner)
    elif offers > 0:
        tell(luck, EVERYONE, TIES, character)
    else:
        tell(luck, EVERYONE, LONELY, character)


@rule
def take_reward(box: Printed, s: State, luck: Luck, character: int, winner: int) -> None:
    """R6.3: points at once, tokens for the next round (A-5), a follower if there is one and room for it."""
    s.points[winner] += box.vp[character]
    for token in range(TOKENS):
        s.gained[winner, token] += box.reward[character, token]
    tell(
        luck, EVERYONE, REWARD, character, winner, box.vp[character],
        box.reward[character, FORCE], box.reward[character, BLACKMAIL], box.reward[character, GOLD],
    )  # fmt: skip
    area = box.area[character]
    if area < 0:
        return
    if s.stock[winner] > 0 and empty_spaces(box, s, area) > 0:
        s.followers[area, winner] += 1
        s.stock[winner] -= 1
        tell(luck, EVERYONE, PLACES_FOLLOWER, area, winner)
    else:
        tell(luck, EVERYONE, NO_ROOM, area, winner)


@rule
def empty_spaces(box: Printed, s: State, area: int) -> int:
    """A-6: an area is a number of followers of each colour; its spaces are all alike."""
    empty = box.spaces[area]
    for seat in range(s.seats):
        empty -= s.followers[area, seat]
    return empty


@rule
def locked(box: Printed, s: State, area: int) -> bool:
    """R9.2, A-16, A-17, A-32: with the option, an area filled by one colour can no longer be touched."""
    if s.domination == 0:
        return False
    return dominator(box, s, area) != NOBODY


@rule
def dominator(box: Printed, s: State, area: int) -> int:
    """A-32: the seat whose followers fill every space of an area."""
    for seat in range(s.seats):
        if s.followers[area, seat] == box.spaces[area]:
            return seat
    return NOBODY


@rule
def open_places(box: Printed, s: State, seat: int, point: int) -> int:
    """R6.4-R6.6: the places that the Spy or the Apothecary may name for this seat, also where an area has been full
    since this very round (A-11).

    A place is a colour in an area where it has a follower; a set of them is a bit set. Followers of a dominated area
    are out of reach (R9.2); empty spaces count only with A-30.
    """
    places = 0
    for area in range(box.areas):
        if locked(box, s, area):
            continue
        empty = box.spaces[area]
        for owner in range(s.seats):
            followers = s.followers[area, owner]
            empty -= followers
            if followers > 0:
                places |= 1 << (area * OWNERS + owner)
        if empty > 0 and s.apothecary_empty == 1:
            places |= 1 << (area * OWNERS + EMPTY)
    if point == SPY:
        return spy_targets(s, seat, places)
    if point == APOTHECARY:
        return first_places(box, places)
    return partners(places, s.first)


@rule
def offer_places(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R6.4, R6.5: one of the open places. Both specials may be declined (A-7, A-9), but not half an exchange."""
    places = open_places(box, s, seat, s.point)
    n = 0
    if s.point != EXCHANGE:
        moves[0] = PASS
        n = 1
    for place in range(box.areas * OWNERS):
        moves[n] = TAKE + place
        n += (places >> place) & 1
    return n


@rule
def winner_decides(s: State) -> int:
    """R6.4, R6.5: whoever won the character."""
    return 1 << s.chooser


@rule
def leave_idle(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A-7, A-9: the winner need not use the Spy or the Apothecary."""
    tell(luck, EVERYONE, DECLINES, seat, s.settling)
    s.settling += 1
    s.point = EVALUATION


# R6.4 The Spy


@rule
def spy_targets(s: State, spy: int, places: int) -> int:
    """R6.4, A-7, A-8: other players' followers; none if the Spy has no follower in stock to put there."""
    if s.stock[spy] == 0:
        return 0
    return places & ~(COLUMN << spy) & ~(COLUMN << EMPTY)


@rule
def replace_follower(box: Printed, s: State, luck: Luck, seat: int, place: int) -> None:
    """R6.4: the follower goes back to its owner, one's own takes its place; then the evaluation goes on."""
    area = place // OWNERS
    owner = place % OWNERS
    s.followers[area, owner] -= 1
    s.stock[owner] += 1
    s.followers[area, seat] += 1
    s.stock[seat] -= 1
    tell(luck, EVERYONE, REPLACES, seat, area, owner)
    s.settling += 1
    s.point = EVALUATION


# R6.5 The Apothecary


@rule
def partners(places: int, first: int) -> int:
    """R6.5, A-9: what may change places with the first: within one area or one colour nothing would change.

    The first is the one whose area comes earlier in the order of the box, so that each exchange is named in one way
    only.
    """
    up_to_its_area = (1 << ((first // OWNERS + 1) * OWNERS)) - 1
    return places & ~up_to_its_area & ~(COLUMN << (first % OWNERS))


@rule
def first_places(box: Printed, places: int) -> int:
    """R6.5: the places that have a partner; the Apothecary names one of them, or none (A-9)."""
    found = 0
    for place in range(box.areas * OWNERS):
        if (places >> place) & 1 and partners(places, place):
            found |= 1 << place
    return found


@rule
def begin_exchange(box: Printed, s: State, luck: Luck, seat: int, place: int) -> None:
    """A-9: once begun it is finished."""
    s.first = place
    s.point = EXCHANGE


@rule
def exchange(box: Printed, s: State, luck: Luck, seat: int, place: int) -> None:
    """R6.5, R6.6: the two change places; neither goes back to a stock."""
    area = s.first // OWNERS
    owner = s.first % OWNERS
    other_area = place // OWNERS
    other_owner = place % OWNERS
    if owner != EMPTY:
        s.followers[area, owner] -= 1
        s.followers[other_area, owner] += 1
    if other_owner != EMPTY:
        s.followers[other_area, other_owner] -= 1
        s.followers[area, other_owner] += 1
    tell(luck, EVERYONE, EXCHANGES, seat, area, owner, other_area, other_owner)
    s.first = 0
    s.settling += 1
    s.point = EVALUATION


# R6.7 The end of the evaluation


@rule
def end_of_evaluation(box: Printed, s: State, luck: Luck) -> None:
    """R6.7: all tokens that were bid go to the supply; R9.1: losing offers come back. Then R7.1."""
    if s.refund == 1:
        refund(box, s, luck)
    for seat in range(s.seats):
        for character in range(box.characters):
            for token in range(TOKENS):
                s.bid[seat, character, token] = 0
    for seat in range(s.seats):
        for token in range(TOKENS):
            s.held[seat, token] = s.gained[seat, token]
            s.gained[seat, token] = 0
        s.cursor[seat] = 0
        s.people[seat] = 0
    if city_is_full(box, s):
        end_game(box, s, luck, CITY_FULL)
    elif s.rounds == s.max_rounds:
        end_game(box, s, luck, MAX_ROUNDS)
    else:
        donations(box, s, luck)
        begin_round(box, s, luck)


@rule
def refund(box: Printed, s: State, luck: Luck) -> None:
    """R9.1: every offer that did not win comes back, a tied best one too (A-14); what R5.6 and R5.7 took lies in no
    offer any more (A-15)."""
    for character in range(box.characters):
        winner = strongest(s, character)
        for seat in range(s.seats):
            if seat == winner:
                continue
            for token in range(TOKENS):
                tokens = s.bid[seat, character, token]
                s.gained[seat, token] += tokens
                if tokens > 0:
                    tell(luck, EVERYONE, REFUNDED, seat, token, tokens)


# --- R7 Donations -----------------------------------------------------------------------------------------


@rule
def donations(box: Printed, s: State, luck: Luck) -> None:
    """R7.2: whoever has fewer than five tokens for the next round takes Gold up to five, of which there is no end
    (A-13). Then R7.3."""
    for seat in range(s.seats):
        tokens = s.held[seat, FORCE] + s.held[seat, BLACKMAIL] + s.held[seat, GOLD]
        if tokens < box.token_floor:
            s.held[seat, GOLD] += box.token_floor - tokens
            tell(luck, EVERYONE, DONATION, seat, box.token_floor - tokens)


# --- R8 End and final scoring -----------------------------------------------------------------------------


@rule
def city_is_full(box: Printed, s: State) -> bool:
    """R8.1, checked once a round (A-12)."""
    for area in range(box.areas):
        if empty_spaces(box, s, area) > 0:
            return False
    return True


@rule
def end_game(box: Printed, s: State, luck: Luck, reason: int) -> None:
    """R7.1: no donations. The points of R8.2 and R8.3 are counted by `score`."""
    s.point = OVER
    s.reason = reason
    tell(luck, EVERYONE, ENDS, reason)
    for seat in range(s.seats):
        tell(luck, EVERYONE, TOKENS_SCORE, seat, tokens_score(box, s, seat))
    for area in range(box.areas):
        leader = majority(box, s, area)
        if leader == NOBODY:
            tell(luck, EVERYONE, AREA_TIED, area)
        else:
            tell(luck, EVERYONE, AREA_SCORES, area, leader, area_score(box, s, area))


@rule
def tokens_score(box: Printed, s: State, seat: int) -> int:
    """R8.2: the tokens gained in the last round, and with R9.1 the refunded ones."""
    total = 0
    for token in range(TOKENS):
        total += s.held[seat, token] * box.token_vp[token]
    return total


@rule
def majority(box: Printed, s: State, area: int) -> int:
    """R8.3: the seat with strictly more followers than every other."""
    most = 0
    leader = NOBODY
    for seat in range(s.seats):
        if s.followers[area, seat] > most:
            most = s.followers[area, seat]
            leader = seat
        elif s.followers[area, seat] == most:
            leader = NOBODY
    return leader


@rule
def area_score(box: Printed, s: State, area: int) -> int:
    """R8.3, and R9.2 for an area that one player fills alone."""
    if locked(box, s, area):
        return box.area_vp[area] + box.domination_vp
    return box.area_vp[area]


@rule
def score(box: Printed, s: State, out: Score) -> None:
    """R8.2-R8.4 (the order does not matter, A-22): while the game runs, the points on the track."""
    for seat in range(s.seats):
        out.points[seat] = s.points[seat]
        if s.point == OVER:
            out.points[seat] += tokens_score(box, s, seat)
    if s.point == OVER:
        for area in range(box.areas):
            leader = majority(box, s, area)
            if leader != NOBODY:
                out.points[leader] += area_score(box, s, area)
    for seat in range(s.seats):
        out.rank[seat] = 1
        for other in range(s.seats):
            if out.points[other] > out.points[seat]:
                out.rank[seat] += 1
    out.reason = s.reason


# --- What is hidden ---------------------------------------------------------------------------------------


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    """R5.1: other players' boards stand behind screens until R5.8; what they hold stays visible (R4.1, A-23)."""
    if s.point != PERSUASION:
        return
    for other in range(s.seats):
        if other != seat:
            clear_bid(box, s, other)


@rule
def clear_bid(box: Printed, s: State, seat: int) -> None:
    for token in range(TOKENS):
        s.left[seat, token] = 0
        for character in range(box.characters):
            s.bid[seat, character, token] = 0
    s.cursor[seat] = 0
    s.people[seat] = 0


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """A sealed bid could be any legal board, each as likely as the other; an unsealed one is not laid yet."""
    if s.point != PERSUASION:
        return
    for other in range(s.seats):
        if other != seat:
            for token in range(TOKENS):
                s.left[other, token] = s.held[other, token]
            if (s.sealed >> other) & 1:
                lay_a_fair_bid(box, s, luck, other)
