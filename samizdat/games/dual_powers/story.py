"""Dual Powers: the log, one sentence for each thing that the rules told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samizdat.games.dual_powers import state as st
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word

FACTION_WORDS = ("red", "white")
SOLITAIRE = "solitaire"
# Why the Will changes sides: the rule for a player, and for the opposition of the solitaire.
WHY_WILL = (("D5.5", "S6"), ("D6.8", "D6.8"), ("S3", "S3"))
MOVES_BY = ("D6.2", "D6.3", "D6.9")


def tell(game: Game, told: list[Told], viewer: int) -> list[Line]:
    """The log lines of one decision; cards dealt one after the other make one line."""
    lines: list[Line] = []
    at = 0
    while at < len(told):
        one = told[at]
        if one.event in (st.DRAWS, st.DRAWS_UNSEEN):
            last = at
            while last + 1 < len(told) and _same_draw(told[last + 1], one):
                last += 1
            lines.append(_drawn(game, told[at : last + 1]))
            at = last + 1
        else:
            lines.append(_sentence(game, one))
            at += 1
    return lines


def _same_draw(other: Told, one: Told) -> bool:
    faction, _, by, *_ = one.args
    return other.event == one.event and (other.args[0], other.args[2]) == (faction, by)


def _drawn(game: Game, draws: list[Told]) -> Line:
    faction, _, by, *_ = draws[0].args
    commands = game.box.names["commands"]
    cards: Listing | Many = Many("{n} card", "{n} cards", len(draws))
    if draws[0].event == st.DRAWS:
        cards = Listing([Word("commands", commands[one.args[1]]) for one in draws])
    rule = "D6.9" if by == st.AS_BONUS else "S2" if game.variant == SOLITAIRE else "D3.1"
    return Line(rule, "{f} draws {cards}.", {"f": _faction(faction), "cards": cards})


def _faction(faction: int) -> Word:
    return Word("factions", FACTION_WORDS[faction])


def _sentence(game: Game, one: Told) -> Line:
    return SENTENCES[one.event](Teller(game), *one.args)


class Teller:
    """The names of a box's components, and which rules are those of the solitaire."""

    def __init__(self, game: Game) -> None:
        self.names = game.box.names
        self.alone = game.variant == SOLITAIRE
        self.own = game.options.get("faction")

    def rule(self, faction: int, usual: str, opposition: str) -> str:
        """The rule for both factions, or the one for the opposition of the solitaire."""
        return opposition if self.alone and FACTION_WORDS[faction] != self.own else usual

    def card(self, card: int) -> Word:
        return Word("commands", self.names["commands"][card])

    def token(self, token: int) -> Word:
        return Word("tokens", self.names["tokens"][token])

    def leader(self, leader: int) -> Word:
        return Word("leaders", self.names["leaders"][leader])

    def region(self, region: int) -> Word:
        return Word("regions", self.names["regions"][region])

    def connection(self, connection: int) -> Word:
        return Word("connections", self.names["connections"][connection])

    def month(self, month: int) -> Word:
        return Word("months", self.names["months"][month])


def _counts(say: Teller, region: int, red: int, red_tokens: int, white: int, white_tokens: int, winner: int) -> Line:
    values: dict[str, Any] = {
        "region": say.region(region),
        "one": _faction(st.RED), "red": red, "red_tokens": _tokens(red_tokens),
        "other": _faction(st.WHITE), "white": white, "white_tokens": _tokens(white_tokens),
    }  # fmt: skip
    if winner == st.NOBODY:
        return Line(
            "D7.4",
            "Strength in {region}: {one} {red} with {red_tokens}, {other} {white} with {white_tokens}."
            " Nobody is stronger.",
            values,
        )
    return Line(
        "D7.3",
        "Strength in {region}: {one} {red} with {red_tokens}, {other} {white} with {white_tokens}."
        " {winner} is stronger.",
        values | {"winner": _faction(winner)},
    )


def _tokens(n: int) -> Many:
    return Many("{n} token", "{n} tokens", n)


def _scores(faction: int, points: int, score: int) -> Line:
    place = Phrase("in the middle")
    if score:
        place = Phrase("at {n} for {side}", {"n": abs(score), "side": _faction(st.RED if score > 0 else st.WHITE)})
    values = {
        "f": _faction(faction), "points": Many("{n} point", "{n} points", points), "place": place, "score": score,
    }  # fmt: skip
    return Line("D8.4", "{f} scores {points}: the marker stands {place}.", values)


def _leaves(say: Teller, token: int, region: int, stays: int) -> Line:
    values = {"token": say.token(token), "region": say.region(region)}
    if stays:
        return Line("D8.5", "{token} goes back from {region} to the supply.", values)
    return Line("D8.5", "{token} leaves {region} and the game.", values)


def _ends(say: Teller, reason: int, winner: int) -> Line:
    values = {"winner": _faction(winner)}
    if reason == st.END_OF_TRACK:
        rule = "S11" if say.alone else "D10.1"
        return Line(rule, "The score marker has reached the end of the track: {winner} wins.", values)
    if reason == st.OCTOBER:
        return Line("D10.2", "The last month is scored: {winner} wins.", values)
    return Line("S11", "The last round is scored: {winner} wins.", values)


def _many(rule: str, many: Many) -> Line:
    """A sentence of which every word depends on a number."""
    return Line(rule, "{sentence}", {"sentence": many})


SENTENCES: dict[int, Callable[..., Line]] = {
    st.ROUND: lambda say, n, *_: Line("D2", "Round {round}.", {"round": n}),
    st.RESHUFFLES: lambda say, n, *_: _many(
        "D3.2",
        Many(
            "The {n} discarded card is shuffled into a new deck.",
            "The {n} discarded cards are shuffled into a new deck.", n,
        ),
    ),
    st.SETS_OBJECTIVE: lambda say, f, *_: Line("D4.1", "{f} puts an objective face down.", {"f": _faction(f)}),
    st.SETS_THIS: lambda say, f, card, *_: Line(
        "D4.1", "{f} puts {card} face down as objective.", {"f": _faction(f), "card": say.card(card)},
    ),
    st.DEALT_OBJECTIVE: lambda say, f, *_: Line("S2", "An unseen card is the objective of {f}.", {"f": _faction(f)}),
    st.DEALT_LINE: lambda say, n, *_: _many(
        "S2",
        Many(
            "{n} unseen card lies ready for the opposition.", "{n} unseen cards lie ready for the opposition.", n,
        ),
    ),
    st.PLAYS: lambda say, f, card, *_: Line("D5.3", "{f} plays {card}.", {"f": _faction(f), "card": say.card(card)}),
    st.LEADS: lambda say, f, leader, *_: Line(
        "D5.3", "{f} plays the leader card {leader}.", {"f": _faction(f), "leader": say.leader(leader)},
    ),
    st.SKIPS: lambda say, f, *_: Line("A-51", "{f} has no card to play and skips the turn.", {"f": _faction(f)}),
    st.DAY: lambda say, day, month, *_: Line(
        "D5.4", "The date is {month}, day {day}.", {"month": say.month(month), "day": day},
    ),
    st.MONTH: lambda say, month, *_: Line("D5.4", "A new month begins: {month}.", {"month": say.month(month)}),
    st.WILL: lambda say, f, why, *_: Line(
        say.rule(f, *WHY_WILL[why]),
        "The Will of the People goes to {f}.", {"f": _faction(f)},
    ),
    st.TROTSKY_IS_BACK: lambda say, region, *_: Line(
        "D5.7", "Trotsky returns from exile: he is in {region}, neutral.", {"region": say.region(region)},
    ),
    st.TROTSKY_IS_RED: lambda say, region, *_: Line(
        "D5.8", "Trotsky joins the Bolsheviks in {region}: he is red now.", {"region": say.region(region)},
    ),
    st.TROTSKY_IS_LOST: lambda say, *_: Line("D5.8", "Trotsky has left the game and joins nobody.", {}),
    st.EARNS: lambda say, f, day, *_: Line(
        say.rule(f, "D5.6", "S6"), "Day {day} earns {f} a bonus action.", {"f": _faction(f), "day": day},
    ),
    st.RECRUITS: lambda say, f, token, region, *_: Line(
        "D6.1", "{f} recruits {token} in {region}.",
        {"f": _faction(f), "token": say.token(token), "region": say.region(region)},
    ),
    st.BONUS_RECRUITS: lambda say, f, token, region, *_: Line(
        "D6.9", "{f} recruits {token} in {region} as bonus action.",
        {"f": _faction(f), "token": say.token(token), "region": say.region(region)},
    ),
    st.MOVES_TOKEN: lambda say, f, token, start, region, by, *_: Line(
        MOVES_BY[by], "{f} moves {token} from {start} to {region}.",
        {"f": _faction(f), "token": say.token(token), "start": say.region(start), "region": say.region(region)},
    ),
    st.REFRESHES: lambda say, f, token, region, by, *_: Line(
        "D6.9" if by == st.AS_BONUS else "D6.4", "{f} refreshes {token} in {region}.",
        {"f": _faction(f), "token": say.token(token), "region": say.region(region)},
    ),
    st.PLACES: lambda say, f, token, region, *_: Line(
        "D6.5", "{f} puts {token} into {region}.",
        {"f": _faction(f), "token": say.token(token), "region": say.region(region)},
    ),
    st.STIRS: lambda say, leader, token, *_: Line(
        "D6.5", "{token} becomes fresh beside {leader}.", {"token": say.token(token), "leader": say.token(leader)},
    ),
    st.BLOCKS: lambda say, f, connection, *_: Line(
        "D6.6", "{f} moves the blockade to the connection {connection}.",
        {"f": _faction(f), "connection": say.connection(connection)},
    ),
    st.SPIES: lambda say, f, spied, card, *_: Line(
        "S7" if say.alone else "D6.7", "{f} turns up the objective of {spied}: {card}.",
        {"f": _faction(f), "spied": _faction(spied), "card": say.card(card)},
    ),
    st.ORGANIZES: lambda say, f, card, *_: Line(
        "S7", "{f} organizes and turns up the own objective: {card}.", {"f": _faction(f), "card": say.card(card)},
    ),
    st.DECLINES: lambda say, f, *_: Line("A-15", "{f} declines the rest of the action.", {"f": _faction(f)}),
    st.DECLINES_BONUS: lambda say, f, *_: Line("A-15", "{f} declines the bonus action.", {"f": _faction(f)}),
    st.TURNS_UP_LEADER: lambda say, leader, region, *_: Line(
        "S3", "The opposition turns up {leader}, who goes to {region}.",
        {"leader": say.leader(leader), "region": say.region(region)},
    ),
    st.TURNS_UP_CARD: lambda say, card, *_: Line("S5", "The opposition turns up {card}.", {"card": say.card(card)}),
    st.ADDS_UNIT: lambda say, level, region, bonus, *_: Line(
        "S6" if bonus else "S5", "The opposition adds a unit of level {level} in {region}.",
        {"level": level + 1, "region": say.region(region)},
    ),
    st.NO_UNIT_LEFT: lambda say, region, *_: Line(
        "A-34", "The opposition has no unit left for {region}.", {"region": say.region(region)},
    ),
    st.UNREST_IN: lambda say, region, *_: Line(
        "D8.1", "Unrest in {region}: marker 1.", {"region": say.region(region)},
    ),
    st.TAKES_BONUS: lambda say, f, *_: Line("D8.1", "{f} takes a bonus action for unrest.", {"f": _faction(f)}),
    st.REVEALS: lambda say, f, card, region, number, *_: Line(
        say.rule(f, "D8.2", "S9"), "The objective of {f} is {card}: marker {number} in {region}.",
        {"f": _faction(f), "card": say.card(card), "region": say.region(region), "number": number},
    ),
    st.COUNTS: _counts,
    st.SCORES: lambda say, f, points, score, *_: _scores(f, points, score),
    st.TIRES: lambda say, token, region, *_: Line(
        "D8.5", "{token} in {region} is exhausted.", {"token": say.token(token), "region": say.region(region)},
    ),
    st.LEAVES: lambda say, token, region, stays, *_: _leaves(say, token, region, stays),
    st.TIRES_OPPOSITION: lambda say, level, region, units, *_: _many(
        "S10",
        Many(
            "{n} opposition unit of level {level} in {region} is exhausted.",
            "{n} opposition units of level {level} in {region} are exhausted.",
            units, {"level": level + 1, "region": say.region(region)},
        ),
    ),
    st.LEAVES_OPPOSITION: lambda say, level, region, units, *_: _many(
        "A-35",
        Many(
            "{n} opposition unit of level {level} goes back from {region} to its supply.",
            "{n} opposition units of level {level} go back from {region} to their supply.",
            units, {"level": level + 1, "region": say.region(region)},
        ),
    ),
    st.TILES: lambda say, unrest, barred, connection, *_: Line(
        "D9.2", "Unrest is now in {unrest}; the tile {barred} closes the connection {connection}.",
        {"unrest": say.region(unrest), "barred": say.region(barred), "connection": say.connection(connection)},
    ),
    st.FIRST_TILES: lambda say, unrest, barred, connection, *_: Line(
        "D1.5", "Unrest begins in {unrest}; the tile {barred} closes the connection {connection}.",
        {"unrest": say.region(unrest), "barred": say.region(barred), "connection": say.connection(connection)},
    ),
    st.BEGINS: lambda say, token, region, *_: Line(
        "D1.2", "{token} begins in {region}.", {"token": say.token(token), "region": say.region(region)},
    ),
    st.CLEARS: lambda say, *_: Line("D9.4", "Played cards and objectives are discarded.", {}),
    st.ENDS: lambda say, reason, winner, *_: _ends(say, reason, winner),
}  # fmt: skip
