"""Dual Powers: the printed numbers, read from a box file into a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from samizdat.games.dual_powers.state import (
    COMMANDS,
    CONNECTIONS,
    FACTIONS,
    LEADERS,
    LEVELS,
    MONTH_DAYS,
    MONTHS,
    MOST_DIFFICULTY,
    MOST_DRAWN,
    MOST_OPPOSITION,
    MOST_RANK,
    MOST_ROUNDS,
    MOST_STRENGTH,
    MOST_TRACK,
    MOST_TURNS,
    MOST_VP,
    NEUTRAL,
    NOBODY,
    RED,
    REGIONS,
    TOKENS,
    TROTSKY_JOINS,
    TROTSKY_RETURNS,
    UNITS,
)
from samizdat.kernel.box import PROVENANCE, Box, BoxFile, BoxText, Column, Constant, Table
from samizdat.kernel.boxfile import read_box_text
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.telling import Phrase, Word

OWNERS = ("red", "white", "neutral")
ACTIONS = ("move", "double_move", "refresh")
SPECIALS = ("protest", "espionage", "inspire")
EVENTS = ("", "trotsky_returns", "trotsky_joins")


class Printed(Record):
    """The components, as the rules read them."""

    regions: int = scalar(1, REGIONS, "D1.2, D1.5: a neutral unit and a tile for each; A-1: none of them is yellow")
    connections: int = scalar(1, CONNECTIONS, "D1.5, D6.2")
    months: int = scalar(1, MONTHS, "D1.3, D5.4")
    leaders: int = scalar(0, LEADERS, "D1.1")
    tokens: int = scalar(1, TOKENS, "D1.1, D1.2, D1.4: units, neutral units, leaders, Trotsky neutral and red")
    commands: int = scalar(1, COMMANDS, "D1.6")

    blocks: Ints = grid(REGIONS, 0, CONNECTIONS - 1, "D1.5: the connection that a region's tile closes")
    joins: Ints = grid((CONNECTIONS, 2), 0, REGIONS - 1, "D6.2: the two regions of a connection")
    unrest_vp: Ints = grid(MONTHS, 0, MOST_VP, "D8.1")
    event: Ints = grid(MONTHS, 0, len(EVENTS) - 1, "D5.7, D5.8")
    first_end: int = scalar(0, MONTHS - 1, "D10.2: the first month that ends the game; so do all later ones")

    faction: Ints = grid(TOKENS, RED, NEUTRAL, "D7.1: whose token it is")
    unit_of: Ints = grid(TOKENS, NOBODY, FACTIONS - 1, "D6.1: the faction that can recruit it, or NOBODY")
    units_from: Ints = grid(FACTIONS, 0, TOKENS, "D6.1: a faction's units are all from here on...")
    units_to: Ints = grid(FACTIONS, 0, TOKENS, "D6.1: ... and before here")
    is_leader: Ints = grid(TOKENS, 0, 1, "D8.5: leaders leave the game, units go back to the supply")
    rank: Ints = grid(TOKENS, 0, MOST_RANK, "D6.1, A-50: the bars; 1 for neutral units, 0 for leaders")
    fresh: Ints = grid(TOKENS, 0, MOST_STRENGTH, "D7.2")
    exhausted: Ints = grid(TOKENS, 0, MOST_STRENGTH, "D7.2")
    trotsky_neutral: int = scalar(0, TOKENS - 1, "D5.7: his first token")
    trotsky_red: int = scalar(0, TOKENS - 1, "D5.8: his second token")

    leader_token: Ints = grid(LEADERS, 0, TOKENS - 1, "D6.5: the token of a leader card")
    leader_faction: Ints = grid(LEADERS, 0, FACTIONS - 1, "D1.1")
    leader_days: Ints = grid(LEADERS, 0, MONTH_DAYS, "D5.4")
    special: Ints = grid(LEADERS, 0, len(SPECIALS) - 1, "D6.6-D6.8")

    region: Ints = grid(COMMANDS, 0, REGIONS - 1, "D6.1, D8.2")
    days: Ints = grid(COMMANDS, 0, MONTH_DAYS, "D5.4")
    recruit: Ints = grid(COMMANDS, 0, MOST_RANK, "D6.1, S5")
    action: Ints = grid(COMMANDS, 0, len(ACTIONS) - 1, "D5.9")
    vp: Ints = grid(COMMANDS, 0, MOST_VP, "D8.3")

    level_count: Ints = grid(LEVELS, 0, MOST_OPPOSITION, "S1.1")
    level_fresh: Ints = grid(LEVELS, 0, MOST_STRENGTH, "S5")

    track: int = scalar(1, MOST_TRACK, "D10.1")
    month_days: int = scalar(2, MONTH_DAYS, "D5.4")
    slide_from: int = scalar(2, MONTH_DAYS, "D5.6")
    bonus_day: int = scalar(1, MONTH_DAYS, "D5.6")
    cards_drawn: int = scalar(2, MOST_DRAWN, "D3.1, S2")
    turns: int = scalar(1, MOST_TURNS, "D5.1")
    solitaire_rounds: int = scalar(1, MOST_ROUNDS, "S11")


SOURCE = Column("provenance", "text", choices=PROVENANCE)
FRESH = Column("fresh", "int", 0, MOST_STRENGTH)
EXHAUSTED = Column("exhausted", "int", 0, MOST_STRENGTH)
COUNTED = (
    "region_tiles", "command_cards", "red_leaders", "white_leaders", "trotsky_tokens", "red_units", "white_units",
    "neutral_units", "opposition_units", "difficulty_tokens",
)  # fmt: skip

TABLES = (
    Table("contents", (Column("id", "id"), Column("count", "int", 0, 100), SOURCE), least=len(COUNTED), most=40),
    Table("regions",
          (Column("id", "id"), Column("icon", "text", drawn=True), Column("blocks", "ref", table="connections"),
           SOURCE),
          least=3, most=REGIONS),
    Table("connections",
          (Column("id", "id"), Column("one", "ref", table="regions"), Column("other", "ref", table="regions"),
           SOURCE),
          least=2, most=CONNECTIONS),
    Table("months",
          (Column("id", "id"), Column("unrest_vp", "int", 0, MOST_VP), Column("event", "text", choices=EVENTS),
           Column("ends", "flag"), SOURCE),
          least=2, most=MONTHS),
    Table("leaders",
          (Column("id", "id"), Column("name", "text"), Column("faction", "text", choices=OWNERS[:FACTIONS]),
           Column("days", "int", 1, MONTH_DAYS), FRESH, EXHAUSTED, Column("special", "text", choices=SPECIALS),
           SOURCE),
          least=0, most=LEADERS),
    Table("trotsky", (Column("id", "id"), Column("faction", "text", choices=OWNERS), FRESH, EXHAUSTED, SOURCE),
          least=2, most=2),
    Table("units",
          (Column("id", "id"), Column("faction", "text", choices=OWNERS[:FACTIONS]),
           Column("rank", "int", 1, MOST_RANK), FRESH, EXHAUSTED, SOURCE),
          least=0, most=UNITS),
    Table("neutral_units", (Column("id", "id"), FRESH, EXHAUSTED, SOURCE), least=3, most=UNITS),
    Table("opposition",
          (Column("id", "id"), Column("level", "int", 1, LEVELS), Column("count", "int", 0, MOST_OPPOSITION), FRESH,
           SOURCE),
          least=LEVELS, most=LEVELS),
    Table("difficulty",
          (Column("id", "id"), Column("front", "int", 1, MOST_DIFFICULTY), Column("back", "int", 1, MOST_DIFFICULTY),
           SOURCE),
          least=MOST_DIFFICULTY // 2, most=MOST_DIFFICULTY),
    Table("commands",
          (Column("id", "id"), Column("region", "ref", table="regions"), Column("days", "int", 1, MONTH_DAYS),
           Column("recruit", "int", 1, MOST_RANK), Column("action", "text", choices=ACTIONS),
           Column("vp", "int", 0, MOST_VP), SOURCE),
          least=4, most=COMMANDS),
)  # fmt: skip
CONSTANTS = (
    Constant("track", 1, MOST_TRACK),
    Constant("month_days", 2, MONTH_DAYS),
    Constant("slide_from", 2, MONTH_DAYS),
    Constant("bonus_day", 1, MONTH_DAYS),
    Constant("cards_drawn", 2, MOST_DRAWN),
    Constant("turns", 1, MOST_TURNS),
    Constant("solitaire_rounds", 1, MOST_ROUNDS),
)


def read_box(source: Path | BoxFile) -> Box:
    """Read a box file for Dual Powers; BoxError names what cannot be played."""
    text = read_box_text(source, "dual-powers", TABLES, CONSTANTS)
    printed = Printed()
    _fill_city(text, printed)
    _fill_calendar(text, printed)
    _fill_tokens(text, printed)
    _fill_cards(text, printed)
    for constant in CONSTANTS:
        setattr(printed, constant.name, text.constants[constant.name])
    _check_counts(text)
    _check_city(text, printed)
    _check_calendar(text)
    _check_cards(text, printed)
    names = {
        "regions": text.ids("regions"),
        "connections": text.ids("connections"),
        "months": text.ids("months"),
        "commands": text.ids("commands"),
        "leaders": text.ids("leaders"),
        "tokens": _token_ids(text),
        "levels": text.ids("opposition"),
        "places": _place_names(text),
    }
    return Box(text.name, printed, text, names)


def _token_ids(text: BoxText) -> tuple[str, ...]:
    """All tokens that can move, in one order: units, neutral units, leaders, Trotsky neutral, Trotsky red."""
    return tuple(id for table in ("units", "neutral_units", "leaders", "trotsky") for id in text.ids(table))


def _place_names(text: BoxText) -> tuple[str, ...]:
    """Where a token can be, as the state counts places: the regions, then supply, waiting and gone."""
    ids = text.ids("regions")
    return (*ids, *(f"nowhere_{place}" for place in range(len(ids), REGIONS)), "supply", "waiting", "gone")


def _fill_city(text: BoxText, printed: Printed) -> None:
    printed.regions = len(text.tables["regions"])
    printed.connections = len(text.tables["connections"])
    for number, row in enumerate(text.tables["regions"]):
        printed.blocks[number] = text.index("connections", row["blocks"])
    for number, row in enumerate(text.tables["connections"]):
        printed.joins[number, 0] = text.index("regions", row["one"])
        printed.joins[number, 1] = text.index("regions", row["other"])


def _fill_calendar(text: BoxText, printed: Printed) -> None:
    printed.months = len(text.tables["months"])
    printed.first_end = next((number for number, row in enumerate(text.tables["months"]) if row["ends"]), 0)
    for number, row in enumerate(text.tables["months"]):
        printed.unrest_vp[number] = row["unrest_vp"]
        printed.event[number] = EVENTS.index(row["event"])


def _fill_tokens(text: BoxText, printed: Printed) -> None:
    ids = _token_ids(text)
    token = 0
    for faction in range(FACTIONS):
        printed.units_from[faction] = len(text.tables["units"])
    for table in ("units", "neutral_units", "leaders", "trotsky"):
        for number, row in enumerate(text.tables[table]):
            if token == TOKENS:
                why = Phrase("this game plays with at most {most} units and leaders", {"most": TOKENS})
                raise text.refuse(table, number, why, "id")
            printed.faction[token] = OWNERS.index(row.get("faction", "neutral"))
            printed.unit_of[token] = printed.faction[token] if table == "units" else NOBODY
            if table == "units":
                faction = printed.faction[token]
                printed.units_to[faction] = token + 1
                printed.units_from[faction] = min(printed.units_from[faction], token)
            printed.is_leader[token] = table in ("leaders", "trotsky")
            printed.rank[token] = row.get("rank", 1 if table == "neutral_units" else 0)
            printed.fresh[token] = row["fresh"]
            printed.exhausted[token] = row["exhausted"]
            token += 1
    printed.tokens = len(ids)
    printed.trotsky_neutral, printed.trotsky_red = len(ids) - 2, len(ids) - 1
    printed.leaders = len(text.tables["leaders"])
    for number, row in enumerate(text.tables["leaders"]):
        printed.leader_token[number] = ids.index(row["id"])
        printed.leader_faction[number] = OWNERS.index(row["faction"])
        printed.leader_days[number] = row["days"]
        printed.special[number] = SPECIALS.index(row["special"])
    for number, row in enumerate(text.tables["opposition"]):
        printed.level_count[number] = row["count"]
        printed.level_fresh[number] = row["fresh"]


def _fill_cards(text: BoxText, printed: Printed) -> None:
    printed.commands = len(text.tables["commands"])
    for number, row in enumerate(text.tables["commands"]):
        printed.region[number] = text.index("regions", row["region"])
        printed.days[number] = row["days"]
        printed.recruit[number] = row["recruit"]
        printed.action[number] = ACTIONS.index(row["action"])
        printed.vp[number] = row["vp"]


def _check_counts(text: BoxText) -> None:
    """What the box says it contains is what the tables list."""
    found = {
        "region_tiles": len(text.tables["regions"]),
        "command_cards": len(text.tables["commands"]),
        "trotsky_tokens": len(text.tables["trotsky"]),
        "neutral_units": len(text.tables["neutral_units"]),
        "opposition_units": sum(row["count"] for row in text.tables["opposition"]),
        "difficulty_tokens": len(text.tables["difficulty"]),
    }
    for faction in OWNERS[:FACTIONS]:
        for table in ("leaders", "units"):
            found[f"{faction}_{table}"] = sum(row["faction"] == faction for row in text.tables[table])
    for id in COUNTED:
        if id not in text.ids("contents"):
            raise text.refuse("contents", "rows", Phrase("{id} is missing", {"id": id}), "id")
        number = text.index("contents", id)
        count = text.tables["contents"][number]["count"]
        if count != found[id]:
            words = {"count": count, "what": Word("contents", id), "found": found[id]}
            why = Phrase("counts {count} ({what}), but the tables list {found}", words)
            raise text.refuse("contents", number, why, "count")


def _check_city(text: BoxText, printed: Printed) -> None:
    for number, row in enumerate(text.tables["connections"]):
        if row["one"] == row["other"]:
            why = Phrase("joins {region} with itself", {"region": Word("regions", row["one"])})
            raise text.refuse("connections", number, why, "other")
    reached = {0}
    for _ in range(printed.regions):
        for connection in range(printed.connections):
            ends = {printed.joins[connection, 0], printed.joins[connection, 1]}
            if ends & reached:
                reached |= ends
    for number, row in enumerate(text.tables["regions"]):
        if number not in reached:
            why = Phrase("no connection leads to {region} (D6.2)", {"region": Word("regions", row["id"])})
            raise text.refuse("regions", number, why, "id")
    if len(text.tables["neutral_units"]) < printed.regions:
        raise text.refuse("neutral_units", "rows", Phrase("every region begins with a neutral unit (D1.2)"))
    if [row["faction"] for row in text.tables["trotsky"]] != ["neutral", "red"]:
        raise text.refuse("trotsky", 0, Phrase("Trotsky is first neutral, then red (D1.4)"), "faction")


def _check_calendar(text: BoxText) -> None:
    months = text.tables["months"]
    if months[0]["event"] or months[0]["ends"]:
        why = Phrase("nothing happens in the month that the game begins in (D1.3)")
        raise text.refuse("months", 0, why, "event" if months[0]["event"] else "ends")
    if not months[-1]["ends"]:
        raise text.refuse("months", len(months) - 1, Phrase("the last month must end the game (D10.2)"), "ends")
    over = False
    events: list[int] = []
    for number, row in enumerate(months):
        if over and not row["ends"]:
            words: dict[str, Any] = {"month": Word("months", row["id"])}
            why = Phrase("{month} comes after a month that ends the game (D10.2)", words)
            raise text.refuse("months", number, why, "ends")
        over = row["ends"]
        if row["event"]:
            events.append(EVENTS.index(row["event"]))
        if events not in ([], [TROTSKY_RETURNS], [TROTSKY_RETURNS, TROTSKY_JOINS]):
            why = Phrase("Trotsky returns once, and later joins the Bolsheviks (D5.7, D5.8)")
            raise text.refuse("months", number, why, "event")
    constants = text.constants
    for name in ("slide_from", "bonus_day"):
        if constants[name] > constants["month_days"]:
            why = Phrase("a month has only {days} days", {"days": constants["month_days"]})
            raise text.refuse("constants", name, why)
    if constants["slide_from"] <= constants["bonus_day"] < constants["month_days"]:
        raise text.refuse("constants", "bonus_day", Phrase("the marker would slide over it (D5.6)"))
    for table in ("commands", "leaders"):
        for number, row in enumerate(text.tables[table]):
            if row["days"] > constants["month_days"]:
                days = {"days": row["days"], "most": constants["month_days"]}
                why = Phrase("{days} days are more than a month has ({most}); a card takes at most one (D5.4)", days)
                raise text.refuse(table, number, why, "days")
    levels = [row[side] for row in text.tables["difficulty"] for side in ("front", "back")]
    if sorted(set(levels)) != list(range(1, MOST_DIFFICULTY + 1)):
        why = Phrase("the tokens must show the levels 1 to {most} (S1.1)", {"most": MOST_DIFFICULTY})
        raise text.refuse("difficulty", "rows", why, "front")
    if [row["level"] for row in text.tables["opposition"]] != list(range(1, LEVELS + 1)):
        why = Phrase("the levels are 1 to {most}, in this order (S5)", {"most": LEVELS})
        raise text.refuse("opposition", "rows", why, "level")


def _check_cards(text: BoxText, printed: Printed) -> None:
    if printed.turns + 1 != printed.cards_drawn:
        why = Phrase("one objective and the turns use up the cards drawn (D3.3, S2)")
        raise text.refuse("constants", "turns", why)
    if printed.commands < 2 * printed.cards_drawn:
        why = Phrase("the first draw needs {n} cards (D3.1)", {"n": 2 * printed.cards_drawn})
        raise text.refuse("commands", "rows", why)
