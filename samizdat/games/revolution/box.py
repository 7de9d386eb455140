"""Revolution!: the printed numbers, read from a box file into a record."""

from __future__ import annotations

from pathlib import Path

from samizdat.games.revolution.state import (
    AREAS,
    BLACKMAIL,
    CHARACTERS,
    FORCE,
    GOLD,
    MOST_FOLLOWERS,
    MOST_REWARD,
    MOST_START,
    MOST_VP,
    SEATS,
    TOKENS,
)
from samizdat.kernel.box import PROVENANCE, Box, BoxFile, BoxText, Column, Constant, Table
from samizdat.kernel.boxfile import read_box_text
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.telling import Phrase, Word

NO_SPECIAL, REPLACE, SWAP = 0, 1, 2
SPECIALS = ("", "replace", "swap")
EVERYONE = (1 << CHARACTERS) - 1


class Printed(Record):
    """The components, as the rules read them."""

    characters: int = scalar(1, CHARACTERS, "R6.1: in the order in which they are settled")
    areas: int = scalar(1, AREAS, "R8.1")
    refuses: Ints = grid((CHARACTERS, TOKENS), 0, 1, "R5.5: this character refuses this token")
    vp: Ints = grid(CHARACTERS, 0, MOST_VP, "R6.3; A-19: 1 for the Magistrate")
    reward: Ints = grid((CHARACTERS, TOKENS), 0, MOST_REWARD, "R6.3: tokens for the next round")
    area: Ints = grid(CHARACTERS, -1, AREAS - 1, "R6.3: where the follower goes; -1 for nowhere")
    special: Ints = grid(CHARACTERS, 0, len(SPECIALS) - 1, "R6.4, R6.5")
    spaces: Ints = grid(AREAS, 0, MOST_FOLLOWERS, "R8.1; A-19: 7 in the Town Hall")
    area_vp: Ints = grid(AREAS, 0, MOST_VP, "R8.3")
    start: Ints = grid(TOKENS, 0, MOST_START, "R1.3")
    token_vp: Ints = grid(TOKENS, 0, MOST_VP, "R8.2")
    followers: int = scalar(0, MOST_FOLLOWERS, "R1.1")
    most_characters: int = scalar(1, CHARACTERS, "R5.3")
    token_floor: int = scalar(1, MOST_START, "R7.2")
    domination_vp: int = scalar(0, MOST_VP, "R9.2")
    everyone: int = scalar(0, EVERYONE, "all characters, as a bit set")
    takes_force: int = scalar(0, EVERYONE, "R5.5: the characters that take Force, as a bit set")
    takes_blackmail: int = scalar(0, EVERYONE, "R5.5: the characters that take Blackmail")
    before_force: int = scalar(0, EVERYONE, "A-26: the characters after whom somebody still takes Force")
    before_blackmail: int = scalar(0, EVERYONE, "A-26: after whom somebody still takes Blackmail")
    before_both: int = scalar(0, EVERYONE, "A-26: after whom somebody still takes either")


TABLES = (
    Table("areas", (Column("id", "id"), Column("spaces", "int", 1, MOST_FOLLOWERS), Column("vp", "int", 0, MOST_VP)),
          least=1, most=AREAS),
    Table(
        "characters",
        (
            Column("id", "id"),
            Column("no_force", "flag"),
            Column("no_blackmail", "flag"),
            Column("vp", "int", 0, MOST_VP),
            Column("force", "int", 0, MOST_REWARD),
            Column("blackmail", "int", 0, MOST_REWARD),
            Column("gold", "int", 0, MOST_REWARD),
            Column("area", "ref", table="areas", optional=True),
            Column("special", "text", choices=SPECIALS),
            Column("provenance", "text", choices=PROVENANCE),
        ),
        least=1,
        most=CHARACTERS,
    ),
    Table("colours", (Column("id", "id"),), least=SEATS, most=SEATS),
    Table("tokens", (Column("id", "id"), Column("start", "int", 0, MOST_START), Column("vp", "int", 0, MOST_VP)),
          least=TOKENS, most=TOKENS),
)  # fmt: skip
CONSTANTS = (
    Constant("followers", 1, MOST_FOLLOWERS),
    Constant("most_characters", 1, CHARACTERS),
    Constant("token_floor", 1, MOST_START),
    Constant("domination_vp", 0, MOST_VP),
)


def read_box(source: Path | BoxFile) -> Box:
    """Read a box file for Revolution!; BoxError names what cannot be played."""
    text = read_box_text(source, "revolution", TABLES, CONSTANTS)
    printed = Printed()
    _fill_areas_and_tokens(text, printed)
    _fill_characters(text, printed)
    _check(text, printed)
    names = {
        "characters": text.ids("characters"),
        "areas": text.ids("areas"),
        "owners": (*text.ids("colours"), "empty"),
    }
    return Box(text.name, printed, text, names)


def _fill_areas_and_tokens(text: BoxText, printed: Printed) -> None:
    for number, row in enumerate(text.tables["areas"]):
        printed.spaces[number] = row["spaces"]
        printed.area_vp[number] = row["vp"]
    for number, row in enumerate(text.tables["tokens"]):
        printed.start[number] = row["start"]
        printed.token_vp[number] = row["vp"]
    printed.areas = len(text.tables["areas"])
    printed.followers = text.constants["followers"]
    printed.most_characters = text.constants["most_characters"]
    printed.token_floor = text.constants["token_floor"]
    printed.domination_vp = text.constants["domination_vp"]


def _fill_characters(text: BoxText, printed: Printed) -> None:
    printed.characters = len(text.tables["characters"])
    for number, row in enumerate(text.tables["characters"]):
        printed.refuses[number, FORCE] = row["no_force"]
        printed.refuses[number, BLACKMAIL] = row["no_blackmail"]
        printed.vp[number] = row["vp"]
        printed.reward[number, FORCE] = row["force"]
        printed.reward[number, BLACKMAIL] = row["blackmail"]
        printed.reward[number, GOLD] = row["gold"]
        printed.area[number] = text.index("areas", row["area"])
        printed.special[number] = SPECIALS.index(row["special"])
        printed.everyone |= 1 << number
        printed.takes_force |= (not row["no_force"]) << number
        printed.takes_blackmail |= (not row["no_blackmail"]) << number
    printed.before_force = _below_the_last(printed.takes_force)
    printed.before_blackmail = _below_the_last(printed.takes_blackmail)
    printed.before_both = _below_the_last(printed.takes_force & printed.takes_blackmail)


def _below_the_last(people: int) -> int:
    """All places before the last one in a bit set."""
    return (1 << people.bit_length() >> 1) - 1 if people else 0


def _check(text: BoxText, printed: Printed) -> None:
    """What must hold for every hand to be playable and every game to be able to end."""
    ids = text.ids("tokens")
    if ids != ("force", "blackmail", "gold"):
        why = Phrase("the tokens are force, blackmail and gold, in this order (R2.2)")
        raise text.refuse("tokens", 0, why, "id")
    if not printed.takes_force or not printed.takes_blackmail:
        why = Phrase("somebody must take Force and somebody Blackmail (R5.2)")
        raise text.refuse("characters", "rows", why, "no_blackmail" if printed.takes_force else "no_force")
    if not printed.takes_force & printed.takes_blackmail and printed.most_characters < 2:
        why = Phrase("must be 2 or more, since nobody takes both Force and Blackmail (R5.2)")
        raise text.refuse("constants", "most_characters", why)
    if sum(printed.start[token] for token in range(TOKENS)) == 0:
        raise text.refuse("tokens", "rows", Phrase("a player must begin with at least one token (R1.3)"), "start")
    fed = {row["area"] for row in text.tables["characters"]}
    for number, row in enumerate(text.tables["areas"]):
        if row["id"] not in fed:
            why = Phrase("no character puts followers into {area} (R6.3)", {"area": Word("areas", row["id"])})
            raise text.refuse("areas", number, why, "id")
    spaces = sum(printed.spaces[area] for area in range(printed.areas))
    if 3 * printed.followers < spaces:
        why = Phrase("three players need at least {n} each to fill the city", {"n": -(-spaces // 3)})
        raise text.refuse("constants", "followers", why)
