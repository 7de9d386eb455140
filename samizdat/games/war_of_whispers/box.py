"""A War of Whispers: the printed numbers, read from a box file into a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from samizdat.games.war_of_whispers.state import (
    ABILITIES,
    ACTION_WORDS,
    ACTIONS,
    ATTACK,
    COPIES,
    DECK,
    EMPIRES,
    FACES,
    MIDNIGHT_OIL,
    MOST_AGENTS,
    MOST_BANNERS,
    MOST_ROUNDS,
    MOST_VALUE,
    NOTHING,
    POSITIONS,
    POSTS,
    REGIONS,
    SEATS,
    SLOTS,
)
from samizdat.kernel.box import PROVENANCE, Box, BoxFile, BoxText, Column, Constant, Table
from samizdat.kernel.boxfile import read_box_text
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.telling import Phrase, Word

NO_ICON, FARM, FORTRESS = 0, 1, 2
ICONS = ("", "farm", "fortress")
CHOICES = 2  # actions a council seat may offer
BOARD = (1400, 1000)

ABILITY_IDS = (
    "press_on", "change_of_court", "vanguard", "another_voice", "forced_march",
    "scorched_earth", "swoop", "grand_vanguard", "city_garrison", "redeployment",
    "mercenaries", "recruit", "subjugate", "dispersal", "alchemists_fire",
    "populate", "armada", "reinforcements", "uprising", "midnight_oil",
)  # fmt: skip
# When each may be played (W1 to W5): what an ability does fits only that window.
WINDOWS = (
    "attack_after", "replace", "attack_add", "replace", "open",
    "attack_after", "attack_target", "attack_add", "open", "open",
    "open", "open", "attack_after", "open", "open",
    "open", "attack_target", "attack_add", "open", "action_after",
)  # fmt: skip
# Abilities that count banners.
COUNTED = (
    "vanguard", "grand_vanguard", "city_garrison", "mercenaries", "recruit", "alchemists_fire", "populate",
    "reinforcements", "uprising",
)  # fmt: skip


class Printed(Record):
    """The components, as the rules read them."""

    regions: int = scalar(1, REGIONS, "R2.2: how many there are")
    home: Ints = grid(REGIONS, 0, EMPIRES - 1, "R2.2: the empire in whose colour a region is printed")
    city: Ints = grid(REGIONS, 0, 1, "R2.9")
    farm: Ints = grid(REGIONS, 0, 1, "R2.9")
    fortress: Ints = grid(REGIONS, 0, 1, "R2.9")
    start: Ints = grid(REGIONS, 0, MOST_BANNERS, "R3.4: banners at the start")
    limit: Ints = grid(REGIONS, 0, MOST_BANNERS, "R11: supply limit of a region")
    near: Ints = grid(REGIONS, 0, (1 << REGIONS) - 1, "R10.1: regions next to a region, as bits")
    kind: Ints = grid(ACTIONS, 0, len(ACTION_WORDS) - 1, "Add, Draw, Attack or Swap Agent")
    amount: Ints = grid(ACTIONS, 0, MOST_BANNERS, "R7.1, R8")
    icon: Ints = grid(ACTIONS, 0, len(ICONS) - 1, "R7.1, R8: the icon counted")
    per: Ints = grid(ACTIONS, 0, REGIONS, "R8: icons needed for each amount")
    action: Ints = grid((POSTS, CHOICES), NOTHING, ACTIONS - 1, "R6.4: what a council seat offers")
    value: Ints = grid(SLOTS, -MOST_VALUE, MOST_VALUE, "R16: points for each city of the empire on this slot")
    faces: int = scalar(1, FACES, "R3.3: different cards")
    copies: Ints = grid(FACES, 0, COPIES, "R3.3: how often each is there")
    deck: Ints = grid(FACES, 0, EMPIRES - 1, "the deck a card belongs to")
    cards: Ints = grid(EMPIRES, 0, DECK, "R3.3: cards in a deck")
    shows: Ints = grid(FACES, 0, (1 << ABILITIES) - 1, "abilities on a card, as bits")
    cost: Ints = grid(ABILITIES, 0, EMPIRES - 1, "R15.2: the first card of the cost")
    cost_too: Ints = grid(ABILITIES, NOTHING, EMPIRES - 1, "R15.2: the second card of the cost, if any")
    effect: Ints = grid(ABILITIES, 0, MOST_BANNERS, "banners an ability adds, moves or destroys")
    rounds: int = scalar(1, MOST_ROUNDS, "R4")
    banners: int = scalar(1, MOST_BANNERS, "R2.1")
    deploys: Ints = grid(SEATS + 1, 0, MOST_AGENTS, "R5.2: agents placed each round, by number of players")
    hand_limit: int = scalar(0, DECK * EMPIRES, "R13")
    agents_on_map: int = scalar(0, MOST_AGENTS, "R17.2")


_ID = Column("id", "id")
_NAME = Column("name", "text")
_PROVENANCE = Column("provenance", "text", choices=PROVENANCE)
TABLES = (
    Table("empires", (_ID, Column("colour", "text")), EMPIRES, EMPIRES),
    Table("positions", (_ID,), POSITIONS, POSITIONS),
    Table("societies", (_ID, _NAME, Column("colour", "text")), SEATS, SEATS),
    Table("slots", (_ID, Column("value", "int", -MOST_VALUE, MOST_VALUE)), SLOTS, SLOTS),
    Table(
        "regions",
        (
            _ID,
            _NAME,
            Column("empire", "ref", table="empires"),
            Column("city", "flag"),
            Column("farm", "flag"),
            Column("fortress", "flag"),
            Column("banners", "int", 0, MOST_BANNERS),
        ),
        EMPIRES,
        REGIONS,
    ),
    Table(
        "borders",
        (Column("one", "ref", table="regions"), Column("other", "ref", table="regions")),
        1,
        REGIONS * (REGIONS - 1) // 2,
    ),
    Table(
        "waters",
        (_ID, Column("name", "text", drawn=True), Column("coast", "refs", table="regions", drawn=True)),
        0,
        REGIONS,
    ),
    Table(
        "outlines",
        (
            Column("region", "ref", table="regions", drawn=True),
            Column("x", "int", 0, BOARD[0], drawn=True),
            Column("y", "int", 0, BOARD[1], drawn=True),
            Column("outline", "ints", 0, 10 * max(BOARD), drawn=True),
        ),
        0,
        REGIONS,
    ),
    Table(
        "actions",
        (
            _ID,
            Column("kind", "text", choices=ACTION_WORDS),
            Column("amount", "int", 0, MOST_BANNERS),
            Column("icon", "text", choices=ICONS),
            Column("per", "int", 0, REGIONS),
        ),
        1,
        ACTIONS,
    ),
    Table(
        "councils",
        (
            _ID,
            Column("empire", "ref", table="empires"),
            Column("position", "ref", table="positions"),
            Column("actions", "refs", table="actions"),
        ),
        POSTS,
        POSTS,
    ),
    Table(
        "abilities",
        (
            _ID,
            _NAME,
            Column("cost", "refs", table="empires"),
            Column("window", "text", choices=tuple(sorted(set(WINDOWS)))),
            Column("amount", "int", 0, MOST_BANNERS),
            _PROVENANCE,
        ),
        ABILITIES,
        ABILITIES,
    ),
    Table(
        "cards",
        (
            _ID,
            Column("empire", "ref", table="empires"),
            Column("partner", "ref", table="empires"),
            Column("copies", "int", 1, COPIES),
            Column("abilities", "refs", table="abilities"),
        ),
        1,
        FACES,
    ),
)
CONSTANTS = (
    Constant("rounds", 1, MOST_ROUNDS),
    Constant("banners", 1, MOST_BANNERS),
    Constant("agents", 1, MOST_AGENTS),
    Constant("deploy_2_players", 1, MOST_AGENTS),
    Constant("deploy_3_players", 1, MOST_AGENTS),
    Constant("deploy_4_players", 1, MOST_AGENTS),
    Constant("supply_limit", 1, MOST_BANNERS),
    Constant("supply_limit_with_farm", 1, MOST_BANNERS),
    Constant("hand_limit", 0, DECK * EMPIRES),
    Constant("agents_on_map", 0, MOST_AGENTS),
)


def read_box(source: Path | BoxFile) -> Box:
    """Read a box file for A War of Whispers; BoxError names what cannot be played."""
    text = read_box_text(source, "war-of-whispers", TABLES, CONSTANTS)
    printed = Printed()
    _fill_map(text, printed)
    _fill_borders(text, printed)
    _fill_councils(text, printed)
    _fill_abilities(text, printed)
    _fill_cards(text, printed)
    _fill_constants(text, printed)
    _check_map(text, printed)
    names = {
        table: text.ids(table)
        for table in ("empires", "positions", "societies", "slots", "regions", "councils", "abilities", "cards")
    }
    return Box(text.name, printed, text, names)


def _fill_map(text: BoxText, printed: Printed) -> None:
    printed.regions = len(text.tables["regions"])
    plain, farm = text.constants["supply_limit"], text.constants["supply_limit_with_farm"]
    for number, row in enumerate(text.tables["regions"]):
        printed.home[number] = text.index("empires", row["empire"])
        printed.city[number] = row["city"]
        printed.farm[number] = row["farm"]
        printed.fortress[number] = row["fortress"]
        printed.start[number] = row["banners"]
        printed.limit[number] = farm if row["farm"] else plain
    for slot, row in enumerate(text.tables["slots"]):
        printed.value[slot] = row["value"]
    drawn = [row["region"] for row in text.tables["outlines"]]
    for number, row in enumerate(text.tables["outlines"]):
        if drawn.count(row["region"]) > 1:
            why = Phrase("{region} is drawn twice", {"region": Word("regions", row["region"])})
            raise text.refuse("outlines", number, why, "region")
        if len(row["outline"]) % 2 or len(row["outline"]) < 6:
            why = Phrase("must be a list of at least three corners x, y")
            raise text.refuse("outlines", number, why, "outline")


def _fill_borders(text: BoxText, printed: Printed) -> None:
    """R10.1; A45, A46: which regions lie next to each other, like where cities stand, is the box file's word."""
    for number, row in enumerate(text.tables["borders"]):
        one, other = text.index("regions", row["one"]), text.index("regions", row["other"])
        if one == other:
            words = {"region": Word("regions", row["one"])}
            raise text.refuse("borders", number, Phrase("{region} cannot lie next to itself (R10.1)", words), "other")
        if (printed.near[one] >> other) & 1:
            words = {"one": Word("regions", row["one"]), "other": Word("regions", row["other"])}
            raise text.refuse("borders", number, Phrase("{one} and {other} stand here twice", words), "other")
        printed.near[one] |= 1 << other
        printed.near[other] |= 1 << one


def _fill_councils(text: BoxText, printed: Printed) -> None:
    for number, row in enumerate(text.tables["actions"]):
        printed.kind[number] = ACTION_WORDS.index(row["kind"])
        printed.amount[number] = row["amount"]
        printed.icon[number] = ICONS.index(row["icon"])
        printed.per[number] = max(1, row["per"])
        counts = row["kind"] in ("add", "draw")
        if counts and row["amount"] == 0:
            words = {"action": Word("actions", row["id"])}
            why = Phrase("{action} must have an amount of 1 or more (R7.1, R8)", words)
            raise text.refuse("actions", number, why, "amount")
        if (row["icon"] != "") != (row["per"] > 0):
            why = Phrase("an icon and the number it is counted by go together (R7.1, R8)")
            raise text.refuse("actions", number, why, "per")
        if not counts and (row["amount"] or row["icon"]):
            words = {"action": Word("actions", row["id"])}
            raise text.refuse("actions", number, Phrase("{action} counts nothing (R9, R10)", words), "amount")
    for number, row in enumerate(text.tables["councils"]):
        empire, position = text.index("empires", row["empire"]), text.index("positions", row["position"])
        if number != empire * POSITIONS + position:
            why = Phrase("the seats stand by empire, then by position (R6.1, R6.2)")
            raise text.refuse("councils", number, why, "position")
        if not 1 <= len(row["actions"]) <= CHOICES:
            why = Phrase("a seat has 1 to {most} actions (R6.4)", {"most": CHOICES})
            raise text.refuse("councils", number, why, "actions")
        kinds = [printed.kind[text.index("actions", id)] for id in row["actions"]]
        if len(set(kinds)) < len(kinds):
            why = Phrase("the two actions of a seat must be of different kinds (R6.4)")
            raise text.refuse("councils", number, why, "actions")
        if kinds[-1] > ATTACK and position != POSITIONS - 1:
            why = Phrase("only the last seat of a council swaps agents (R9)")
            raise text.refuse("councils", number, why, "actions")
        for choice in range(CHOICES):
            printed.action[number, choice] = NOTHING
        for choice, id in enumerate(sorted(row["actions"], key=lambda id: printed.kind[text.index("actions", id)])):
            printed.action[number, choice] = text.index("actions", id)


def _fill_abilities(text: BoxText, printed: Printed) -> None:
    for number, row in enumerate(text.tables["abilities"]):
        if row["id"] != ABILITY_IDS[number]:
            words = {"ability": Word("abilities", ABILITY_IDS[number])}
            raise text.refuse("abilities", number, Phrase("must be {ability}; the order is fixed", words), "id")
        if row["window"] != WINDOWS[number]:
            words = {"ability": Word("abilities", row["id"]), "window": Word("windows", WINDOWS[number])}
            why = Phrase("{ability} is played in the window “{window}” (R15.1)", words)
            raise text.refuse("abilities", number, why, "window")
        if (row["id"] in COUNTED) != (row["amount"] > 0):
            counts = row["id"] in COUNTED
            why = Phrase("must be 1 or more") if counts else Phrase("must be 0, since it counts nothing")
            raise text.refuse("abilities", number, why, "amount")
        if row["id"] == "populate" and row["amount"] != 1:
            raise text.refuse("abilities", number, Phrase("Populate adds 1 banner to each region"), "amount")
        if not 1 <= len(row["cost"]) <= 2:
            raise text.refuse("abilities", number, Phrase("a cost is one or two cards (R15.2)"), "cost")
        cost = sorted(text.index("empires", id) for id in row["cost"])
        if number == MIDNIGHT_OIL and len(set(cost)) < 2:
            why = Phrase("must cost cards of two empires, or it could be repeated for ever")
            raise text.refuse("abilities", number, why, "cost")
        printed.cost[number] = cost[0]
        printed.cost_too[number] = cost[1] if len(cost) == 2 else NOTHING
        printed.effect[number] = row["amount"]


def _fill_cards(text: BoxText, printed: Printed) -> None:
    printed.faces = len(text.tables["cards"])
    costs = [row["cost"] for row in text.tables["abilities"]]
    deck = -1
    for number, row in enumerate(text.tables["cards"]):
        empire = text.index("empires", row["empire"])
        if empire < deck:
            why = Phrase("the cards stand by deck, in the order of the empires")
            raise text.refuse("cards", number, why, "empire")
        if row["partner"] == row["empire"]:
            raise text.refuse("cards", number, Phrase("the partner is another empire (A50)"), "partner")
        deck = empire
        printed.deck[number] = empire
        printed.copies[number] = row["copies"]
        printed.cards[empire] += row["copies"]
        if printed.cards[empire] > DECK:
            why = Phrase("a deck has at most {most} cards (R3.3)", {"most": DECK})
            raise text.refuse("cards", number, why, "copies")
        for id in row["abilities"]:
            ability = text.index("abilities", id)
            allowed = ([row["empire"]], [row["empire"]] * 2)
            if costs[ability] not in allowed and sorted(costs[ability]) != sorted([row["empire"], row["partner"]]):
                words = {"ability": Word("abilities", id)}
                why = Phrase("{ability} cannot be paid with this card and its partner (R15.2)", words)
                raise text.refuse("cards", number, why, "abilities")
            printed.shows[number] |= 1 << ability


def _fill_constants(text: BoxText, printed: Printed) -> None:
    c = text.constants
    printed.rounds, printed.banners, printed.hand_limit = c["rounds"], c["banners"], c["hand_limit"]
    printed.agents_on_map = c["agents_on_map"]
    for players in range(2, SEATS + 1):
        key = f"deploy_{players}_players"
        printed.deploys[players] = c[key]
        most = c[key] + (c["rounds"] - 1) * (c[key] - 1)  # one comes back before each later deployment (R5.1)
        if most > c["agents"]:
            words = {"needed": most, "found": c["agents"]}
            why = Phrase("{needed} agents would be needed, a society has {found} (R3.1)", words)
            raise text.refuse("constants", key, why)
        if most * players > POSTS:
            words = {"n": most * players, "most": POSTS}
            raise text.refuse("constants", key, Phrase("{n} agents do not fit on {most} council seats (A37)", words))
    if c["supply_limit_with_farm"] < c["supply_limit"]:
        why = Phrase("a farm raises the supply limit (R2.9)")
        raise text.refuse("constants", "supply_limit_with_farm", why)


def _check_map(text: BoxText, printed: Printed) -> None:
    placed = [0] * EMPIRES
    owned = [0] * EMPIRES
    rows: list[dict[str, Any]] = text.tables["regions"]
    for number in range(printed.regions):
        placed[printed.home[number]] += printed.start[number]
        owned[printed.home[number]] += 1
        if printed.start[number] > printed.limit[number]:
            words: dict[str, Any] = {"region": Word("regions", rows[number]["id"])}
            why = Phrase("{region} starts above its supply limit (R11)", words)
            raise text.refuse("regions", number, why, "banners")
    for empire, id in enumerate(text.ids("empires")):
        if owned[empire] == 0:
            why = Phrase("{empire} has no home region (R2.2)", {"empire": Word("empires", id)})
            raise text.refuse("regions", "rows", why, "empire")
        if placed[empire] > printed.banners:
            start = {"empire": Word("empires", id), "n": placed[empire], "most": printed.banners}
            why = Phrase("{empire} starts with {n} of {most} banners (R3.4)", start)
            raise text.refuse("regions", "rows", why, "banners")
    reached = 1
    for _ in range(printed.regions):
        for number in range(printed.regions):
            if (reached >> number) & 1:
                reached |= printed.near[number]
    for number in range(printed.regions):
        if not (reached >> number) & 1:
            words = {"region": Word("regions", rows[number]["id"]), "start": Word("regions", rows[0]["id"])}
            why = Phrase("{region} cannot be reached from {start} (R10.1)", words)
            raise text.refuse("regions", number, why, "id")
