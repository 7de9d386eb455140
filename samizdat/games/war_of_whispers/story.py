"""A War of Whispers: the log. Every event the rules tell has its sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samizdat.games.war_of_whispers import state as e
from samizdat.games.war_of_whispers.refusals import rule_of
from samizdat.games.war_of_whispers.state import NOBODY, NOWHERE, REASONS
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Line, Phrase, Told, Word, template

# For each event: the rule, the sentence with its arguments {a}, {b}, ..., and what table each of them names a row of
# ("" for a number).
SENTENCES: dict[int, tuple[str, str, tuple[str, ...]]] = {
    e.ROUND: ("R4", template("Round {a}; {b} is the first player."), ("", "societies")),
    e.RETRIEVES: ("R5.1", template("{a} takes the agent back from the {b}."), ("societies", "councils")),
    e.RECALLS: ("R5.1", template("{a} takes the agent back from {b}."), ("societies", "regions")),
    e.DEPLOYS: ("R5.2", template("{a} places an agent on the {b}."), ("societies", "councils")),
    e.STATIONS: ("R17.1", template("{a} places an agent in {b}."), ("societies", "regions")),
    e.VACANT: ("R6.3", template("Nobody controls the {a}."), ("councils",)),
    e.IDLE: ("A62", template("The {a}, controlled by {b}, has nothing to do."), ("councils", "societies")),
    e.ACTIVE: ("R6.3", template("The {a} acts, controlled by {b}."), ("councils", "societies")),
    e.PASSES: ("A1", template("{a} lets the {b} pass."), ("societies", "councils")),
    e.ADDS: ("R7.1", template("{a} adds banners: {b}."), ("empires", "")),
    e.PLACES: ("R7.2", template("{a} banners to {b}: {c}."), ("empires", "regions", "")),
    e.DRAWS: ("R8", template("{a} draws from the deck of {b}: {c}."), ("societies", "empires", "")),
    e.DRAWS_CARD: ("R8", template("{a} draws {b}."), ("societies", "cards")),
    e.ATTACKS: ("R10.2", template("{a} attacks from {b} to {c} with {d}."), ("empires", "regions", "regions", "")),
    e.FORTRESS: ("R10.5", template("The fortress of {a} destroys a banner of {b}."), ("regions", "empires")),
    e.FIGHTS: (
        "R10.6",
        template("Combat in {a}: {b} of the attackers and {c} of {d} fall."),
        ("regions", "", "", "empires"),
    ),
    e.TAKES: ("R10.7", template("{b} takes {a} with {c}."), ("regions", "empires", "")),
    e.HOLDS: ("R10.7", template("{b} holds {a} with {c}."), ("regions", "empires", "")),
    e.EMPTIED: ("R10.7", template("{a} is empty and belongs to {b}."), ("regions", "empires")),
    e.SUPPLY: (
        "R11",
        template("{a} cannot supply {b}; banners back to the reserve: {c}."),
        ("empires", "regions", ""),
    ),
    e.PAYS: ("R15.2", template("{a} discards {b}."), ("societies", "cards")),
    e.MOVES_AGENT: (
        "C2",
        template("{a} moves the agent from the {b} to the {c}."),
        ("societies", "councils", "councils"),
    ),
    e.USES_SEAT: ("C4", template("{a} acts through the {b}."), ("societies", "councils")),
    e.MARCHES: ("C5", template("{a} marches from {b} to {c} with {d}."), ("empires", "regions", "regions", "")),
    e.DESTROYS: ("R2.7", template("{a} loses banners in {b}: {c}."), ("empires", "regions", "")),
    e.DISPERSES: ("C14", template("{a} leaves {b}; banners dispersed: {c}."), ("empires", "regions", "")),
    e.GOES_HOME: ("C14", template("{a} has no region beside it; banners back to the reserve: {b}."), ("empires", "")),
    e.LIFTS: ("C10", template("{a} lifts a banner from {b}."), ("empires", "regions")),
    e.OPENS_TARGETS: ("A59", template("{a} opens new targets."), ("abilities",)),
    e.REPEATS: ("C20", template("The action is taken again: {a}."), ("actions",)),
    e.MARKS: ("R12", template("Round {a} is marked; {b} is the new first player."), ("", "societies")),
    e.DISCARDS: ("A39", template("{a} discards cards of {b}: {c}."), ("societies", "empires", "")),
    e.DISCARDS_CARD: ("R13", template("{a} chooses to discard {b}."), ("societies", "cards")),
    e.SWAPS_LOYALTY: (
        "R14",
        template("{a} swaps loyalties: {b} is now {c}, {d} is now {e}."),
        ("societies", "slots", "empires", "slots", "empires"),
    ),
    e.KEEPS_LOYALTY: ("R14", template("{a} swaps nothing."), ("societies",)),
    e.LOYALTY: ("R16", template("{a}, {b}: {c}."), ("societies", "slots", "empires")),
    e.CITIES: ("R16", template("{a} has cities: {b}."), ("empires", "")),
    e.SCORES: ("R16", template("{a} has {b} points."), ("societies", "")),
}
ENDINGS = {
    "points": Phrase("by points"),
    "fewer_swaps": Phrase("by fewer swapped tokens"),
    "more_cards": Phrase("by more cards in hand"),
    "shared": Phrase("by nothing: the victory is shared"),
}


def tell(game: Game, told: list[Told], viewer: int) -> list[Line]:
    """The log lines of one decision."""
    return [_line(game, one) for one in told]


def _line(game: Game, one: Told) -> Line:
    if one.event in SPECIAL:
        return SPECIAL[one.event](game, one.args)
    rule, text, tables = SENTENCES[one.event]
    return Line(rule, text, {"abcdef"[i]: _value(game, table, one.args[i]) for i, table in enumerate(tables)})


def _value(game: Game, table: str, number: int) -> Any:
    if table == "":
        return number
    ids = game.box.text.ids(table)
    return Word(table, ids[number])


def _plays(game: Game, args: tuple[int, ...]) -> Line:
    values = {"seat": _value(game, "societies", args[0]), "ability": _value(game, "abilities", args[1])}
    return Line(rule_of(args[1]), "{seat} plays {ability}.", values)


def _joins(game: Game, args: tuple[int, ...]) -> Line:
    values = {"empire": _value(game, "empires", args[0]), "banners": args[1]}
    if args[2] == NOWHERE:
        return Line(rule_of(args[3]), "{empire} adds to the attack from the reserve: {banners}.", values)
    values["region"] = _value(game, "regions", args[2])
    return Line(rule_of(args[3]), "{empire} adds to the attack from {region}: {banners}.", values)


def _swaps_seats(game: Game, args: tuple[int, ...]) -> Line:
    values = {
        "seat": _value(game, "societies", args[0]),
        "one": _value(game, "councils", args[1]),
        "two": _value(game, "councils", args[2]),
    }
    if args[3] == NOBODY:
        return Line("R9.1", "{seat} moves the agent from the {one} to the {two}.", values)
    values["other"] = _value(game, "societies", args[3])
    return Line("R9.1", "{seat} moves the agent from the {one} to the {two}; that of {other} goes there.", values)


def _ends(game: Game, args: tuple[int, ...]) -> Line:
    return Line("R16", "The game is decided {how}.", {"how": ENDINGS[REASONS[args[0]]]})


SPECIAL: dict[int, Callable[[Game, tuple[int, ...]], Line]] = {
    e.PLAYS: _plays,
    e.JOINS: _joins,
    e.SWAPS_SEATS: _swaps_seats,
    e.ENDS: _ends,
}
