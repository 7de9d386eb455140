"""A War of Whispers: boxes that cannot be played are refused by name, and edited ones play."""

from __future__ import annotations

from pathlib import Path

import pytest

import samizdat
from samizdat.games.war_of_whispers import rules
from samizdat.games.war_of_whispers.box import read_box
from samizdat.kernel.errors import BoxError
from tests.games.test_war_of_whispers import new, random_match
from tests.games.whispers import ELEPHANT, RAVEN, at_seat, play, state

cites = pytest.mark.rules
GAME = "war-of-whispers"
TEXT = (Path(rules.__file__).parent / "box.toml").read_text(encoding="utf-8")


def edited(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    text = TEXT
    for old, fresh in changes:
        assert old in text, old
        text = text.replace(old, fresh, 1)
    path = tmp_path / "box.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("old", "fresh", "said"), [
    ('["bear_1",     "bear_2"]', '["bear_1",     "bear_1"]', "next to itself"),
    ('["bear_1",     "bear_4"]', '["bear_2",     "bear_1"]', "twice"),
    ('["add_2",                   "add",    2', '["add_2",                   "add",    0', "amount of 1 or more"),
    ('"add",    1, "farm",     1]', '"add",    1, "farm",     0]', "go together"),
    ('["attack",                  "attack", 0', '["attack",                  "attack", 2', "counts nothing"),
    ('["bear_sheriff",        "bear",     "sheriff"', '["bear_sheriff",        "eagle",     "sheriff"', "by empire"),
    ('["add_1_per_farm", "attack"]', '["add_1_per_farm", "add_2"]', "different kinds"),
    ('["add_1_per_farm", "attack"]', "[]", "1 to 2 actions"),
    ('["add_1_per_farm", "attack"]', '["add_1_per_farm", "swap_agent"]', "only the last seat"),
    ('"attack_after",  0, "public"', '"open",  0, "public"', "played in the window"),
    ('"attack_add",    1, "public"', '"attack_add",    0, "public"', "1 or more"),
    ('["lion", "horse"],        "action_after"', '["horse", "horse"],        "action_after"', "repeated for ever"),
    ('"eagle",    2, ["press_on"', '"bear",    2, ["press_on"', "another empire"),
    ('"scorched_earth", "mercenaries"]', '"scorched_earth", "populate"]', "cannot be paid"),
    ("agents = 9", "agents = 8", "agents would be needed"),
    ("deploy_4_players = 2", "deploy_4_players = 3", "agents would be needed|do not fit"),
    ("supply_limit_with_farm = 6", "supply_limit_with_farm = 3", "raises the supply limit"),
    ("rounds = 4", "rounds = 5", "from 1 to 4"),
    ("banners = 20 ", "banners = 8 ", "starts with"),
    ('"bear",     false, false, true,  3]', '"bear",     false, false, true,  5]', "above its supply limit"),
    ('    ["bear_5",     "bear_6"],\n', "", "cannot be reached"),
    ('["bear_1",     809', '["bear_2",     809', "drawn twice"),
])  # fmt: skip
def test_refused_boxes(tmp_path: Path, old: str, fresh: str, said: str) -> None:
    with pytest.raises(BoxError, match=said):
        read_box(edited(tmp_path, (old, fresh)))


def test_abilities_have_a_fixed_order(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ('["press_on",        "', '["change_of_court", "x'), ('["change_of_court", "C', '["press_on", "C')
    )
    with pytest.raises(BoxError, match="the order is fixed"):
        read_box(path)


@cites(GAME, "A44")
def test_drawing_for_every_two_fortresses(tmp_path: Path) -> None:
    """The form that stands on no seat of the board plays if a seat is given it."""
    path = edited(tmp_path, ('["draw_1_per_3_fortresses", "add_2"]', '["draw_1_per_2_fortresses", "add_2"]'))
    for taken, cards in (({}, 1), ({"eagle_2": 1}, 2)):  # three fortresses at home; a fourth conquered
        match = at_seat(
            "elephant_steward", options={"box": path}, army=taken, holder=dict.fromkeys(taken, "elephant")
        )
        play(match, "act draw")
        assert state(match).held[RAVEN, ELEPHANT] == cards
    assert random_match(samizdat.game(GAME, players=2, box=path).match(seed=1), 3).over


def test_a_shorter_game_ends_after_its_last_round(tmp_path: Path) -> None:
    path = edited(tmp_path, ("rounds = 4", "rounds = 2"))
    match = random_match(samizdat.game(GAME, players=3, box=path).match(seed=2), 1)
    assert match.view(None)["round"] == 2
    assert match.game.longest < new(3).game.longest


def test_the_box_names_everything() -> None:
    names = samizdat.game(GAME).box.names
    assert [len(names[table]) for table in ("regions", "councils", "cards", "abilities")] == [40, 20, 20, 20]
