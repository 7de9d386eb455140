"""Dual Powers: every numbered rule and ruling that the scenes do not already hold."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.games.dual_powers import GAME, laws, rules, rules_actions, rules_opposition, rules_scoring, show
from samizdat.games.dual_powers.box import read_box
from samizdat.games.dual_powers.state import (
    DECK,
    DISCARDED,
    GONE,
    HAND,
    NEUTRAL,
    NONE,
    OBJECTIVE,
    OVER,
    RED,
    SUPPLY,
    WHITE,
)
from samizdat.kernel.errors import BoxError
from samizdat.kernel.luck import Dice, Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import number, write
from samizdat.kernel.scoring import Score
from samizdat.lab.simulation import Simulation

cites = pytest.mark.rules
BOX = GAME.folder / "box.toml"
FACTIONS = ("red", "white")


def table(given: dict[str, Any], box: Path | None = None, **options: Any) -> Match:
    """A match at a position described like a scene's."""
    match = samizdat.game("dual-powers", box=box, **options).match(seed=3)
    write(match.game, match._state, given)
    show.arrange(match.game, match._state, given)  # type: ignore[arg-type]
    assert laws.broken(match._box, match._state) == 0  # type: ignore[arg-type]
    return match


def alone(given: dict[str, Any], **options: Any) -> Match:
    return table(given, variant="solitaire", **options)


def turn_of(who: str, **given: Any) -> dict[str, Any]:
    return {"point": "card", "first": who, "decider": who, "turns": 1, **given}


def acting(who: str, card: str, **given: Any) -> dict[str, Any]:
    return {"point": "action", "first": who, "decider": who, "turns": 1, "card": card, **given}


def parts(match: Match) -> tuple[Any, Any, Luck]:
    """Box, state and luck, for calling rules directly."""
    luck = Luck()
    seed_luck(luck, 5)
    return match._box, match._state, luck


def strengths(match: Match, region: str) -> tuple[int, int]:
    found = next(one for one in match.view(None)["regions"] if one["id"] == region)["strength"]
    return found["red"], found["white"]


def tokens_of(match: Match, faction: int, region: str) -> int:
    box, s, _ = parts(match)
    return rules_scoring.force(box, s, faction, match.game.box.names["regions"].index(region)) & 255


def where(match: Match, token: str) -> str:
    s: Any = match._state
    return match.game.box.names["places"][s.at[match.game.box.names["tokens"].index(token)]]


def tired(match: Match, token: str) -> bool:
    s: Any = match._state
    return bool(s.tired[match.game.box.names["tokens"].index(token)])


def open_to(match: Match, seat: int = 0) -> set[str]:
    return {str(move) for move in match.legal(seat)}


def play_all(match: Match, *moves: str) -> None:
    for text in moves:
        who, _, move = text.partition(" ")
        match.play(FACTIONS.index(who) if match.seats == 2 else 0, move)


def random_play(match: Match, seed: int, until: Any = None) -> Match:
    rng = random.Random(seed)
    while not match.over and (until is None or not until(match)):
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def edited_box(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the box file with some text replaced."""
    text = BOX.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "edited.toml"
    path.write_text(text, encoding="utf-8")
    return path


def small_box(folder: Path, cards: int) -> Path:
    """The box with only some command cards, every fourth of the list first: the deck runs out all the time."""
    text = BOX.read_text(encoding="utf-8")
    rows = re.findall(r'^    \["\w+", +"\w+", +\d, \d, "\w+", +\d, "reconstructed"\],.*\n', text, re.MULTILINE)
    assert len(rows) == 48
    kept = [row for start in range(4) for row in rows[start::4]][:cards]
    for row in rows:
        if row not in kept:
            text = text.replace(row, "")
    path = folder / f"small{cards}.toml"
    path.write_text(text.replace('"command_cards", 48', f'"command_cards", {cards}'), encoding="utf-8")
    return path


# --- D1 Setup -------------------------------------------------------------------------------------------------


@cites("dual-powers", "D1.1", "D1.2", "D1.3", "D1.4", "D1.5", "D1.6")
def test_setup() -> None:
    for seed in range(20):
        match = samizdat.game("dual-powers").match(seed=seed)
        view = match.view(None)
        for side in view["factions"]:
            assert len(side["supply"]) == 10
            assert len(side["leaders_to_come"]) == 3
        for region in view["regions"]:
            assert [token["owner"] for token in region["tokens"]] == ["neutral"]
            assert not region["tokens"][0]["exhausted"]
        assert view["score"] == 0
        assert view["will_of_the_people"] == "red"
        assert (view["month"], view["day"]) == ("march_april", 1)
        assert view["trotsky"] == {"trotsky_neutral": "waiting", "trotsky_red": "waiting"}
        assert view["markers"] == [None, None, None]
        assert view["unrest"] != view["blockade_tile"]
        assert view["blockade"] == view["blockade_tile"], "in this box a tile closes the connection of its colour"
        assert view["deck"] == 38


@cites("dual-powers", "D1.2", "D1.5", "D1.6")
def test_setup_is_random() -> None:
    views = [samizdat.game("dual-powers").match(seed=seed).view(0) for seed in range(60)]
    assert len({view["unrest"] for view in views}) == 6
    assert len({view["blockade_tile"] for view in views}) == 6
    assert len({view["regions"][0]["tokens"][0]["id"] for view in views}) == 6
    assert len({card for view in views for card in view["factions"][0]["hand"]}) == 48


# --- D2-D4 Round, draw, objective -----------------------------------------------------------------------------


@cites("dual-powers", "D2", "D9.3", "D9.4")
def test_phases_follow_each_other() -> None:
    """The log of a whole match: in every round the rules of the phases come in their order."""
    match = random_play(samizdat.game("dual-powers").match(seed=2), 2)
    order = {"D2": 0, "D3.1": 1, "D4.1": 2, "D5.3": 3, "D8.1": 4, "D8.2": 5, "D9.2": 6, "D9.4": 7}
    phase, rounds = 0, 0
    for line in match.log(None):
        if line.rule == "D2":
            rounds += 1
            phase = 0
        elif line.rule in order and rounds:
            assert order[line.rule] >= phase or line.rule == "D3.1", line  # a card drawn as a bonus comes later
            phase = max(phase, order[line.rule])
    assert rounds == match.view(None)["round"]


@cites("dual-powers", "D3.1", "D3.3", "D6.9")
def test_hands_grow_by_bonus_draws_only() -> None:
    """E-21: eight cards after every draw phase, and one more for each bonus draw so far."""
    for seed in range(6):
        match = samizdat.game("dual-powers").match(seed=seed)
        rng = random.Random(seed)
        bonus = [0, 0]
        drawn_in = 0
        while not match.over:
            view = match.view(None)
            if view["point"] == "objective" and view["round"] != drawn_in:
                drawn_in = view["round"]
                for seat, side in enumerate(view["factions"]):
                    assert side["hand_size"] + len(side["leaders_to_come"]) == 8 + bonus[seat]
            seat = rng.choice(match.turn)
            moves = match.legal(seat)
            move = next((one for one in moves if one.kind == "draw"), rng.choice(moves))
            bonus[seat] += move.kind == "draw"
            match.play(seat, move)
        assert sum(bonus) > 0


@cites("dual-powers", "D3.2", "A-30", "A-48")
def test_the_deck_is_shuffled_when_a_card_is_wanted(tmp_path: Path) -> None:
    match = samizdat.game("dual-powers", box=small_box(tmp_path, 12)).match(seed=4)
    assert match.view(0)["deck"] == 2
    rng = random.Random(1)
    while match.view(0)["round"] == 1:
        seat = match.turn[0]
        match.play(seat, rng.choice([one for one in match.legal(seat) if one.kind not in ("draw", "lead")]))
    view = match.view(0)
    assert view["reshuffles"] == 1, "ten of twelve cards were drawn; two and ten discarded ones were left"
    assert view["deck"] == 2
    assert view["discarded"] == []


@cites("dual-powers", "A-48")
def test_an_empty_deck_alone_is_not_shuffled(tmp_path: Path) -> None:
    match = samizdat.game("dual-powers", box=small_box(tmp_path, 10)).match(seed=4)
    assert match.view(0)["deck"] == 0
    assert match.view(0)["reshuffles"] == 0


@cites("dual-powers", "D4.1", "D4.2")
def test_objectives_are_secret_and_command_cards() -> None:
    match = samizdat.game("dual-powers").match(seed=1)
    assert match.turn == (0, 1)
    assert all(move.kind == "objective" for move in match.legal(0))
    hand = match.view(0)["factions"][0]["hand"]
    assert open_to(match, 0) == {f"objective {card}" for card in hand}
    with pytest.raises(samizdat.IllegalMove, match=r"D4\.1"):
        match.play(0, "lead lenin")
    match.play(0, f"objective {hand[0]}")
    assert match.view(0)["factions"][0]["objective"] == hand[0], "one's own may be looked at"
    for other in (1, None):
        side = match.view(other)["factions"][0]
        assert side["objective"] is None
        assert side["has_objective"]
        assert side["hand"] is None
    assert match.turn == (1,)
    held = match.view(1)["factions"][1]["hand"]
    foreign = next(card for card in match.game.box.names["commands"] if card not in held)
    with pytest.raises(samizdat.IllegalMove, match=r"D4\.1"):
        match.play(1, f"objective {foreign}")


# --- D5 Action phase ------------------------------------------------------------------------------------------


@cites("dual-powers", "D5.1")
def test_turns_alternate_though_the_will_changes() -> None:
    match = table({"point": "objective", "will": "white"})
    for seat in (1, 0):
        match.play(seat, match.legal(seat)[0])
    order = []
    rng = random.Random(3)
    while match.view(None)["round"] == 1 and match.view(None)["point"] != "unrest":
        if match.view(None)["point"] == "card":
            order.append(match.turn[0])
            assert match.turn[0] == (1, 0)[(len(order) - 1) % 2]
        moves = match.legal(match.turn[0])
        match.play(match.turn[0], next((one for one in moves if one.kind in ("lead", "inspire")), rng.choice(moves)))
    assert order == [1, 0] * 4


@cites("dual-powers", "D5.3", "D9.4", "A-15")
def test_one_card_of_the_hand_must_be_played() -> None:
    match = table(turn_of("red", where={"green_2": "red_hand", "blue_2": "white_hand"}, led={"lenin": 1}))
    assert open_to(match) == {"play green_2", "lead stalin", "lead zinoviev"}
    for move, rule in (("play blue_2", "D5.3"), ("lead lenin", "D9.4"), ("lead lvov", "D1.1"), ("pass", "A-15"),
                       ("objective green_2", "D4.1"), ("draw", "D5.2")):  # fmt: skip
        with pytest.raises(samizdat.IllegalMove) as caught:
            match.play(0, move)
        assert caught.value.rule == rule


@cites("dual-powers", "A-15", "A-46")
def test_a_card_may_be_played_when_nothing_is_possible() -> None:
    """No unit fits, no token is exhausted: the action is passed over, the date moves all the same."""
    units = {f"r{n}": "brown" for n in range(1, 11)}
    match = table(turn_of("red", where={"green_3": "red_hand"}, at=units, day=2, will="white"))
    match.play(0, "play green_3")
    assert match.turn == (1,)
    assert match.view(None)["day"] == 5


@cites("dual-powers", "A-15")
def test_action_and_calendar_bonus_may_be_declined() -> None:
    match = table(turn_of("red", where={"green_2": "red_hand"}, day=13, at={"r1": "red"}))
    match.play(0, "play green_2")
    match.play(0, "pass")
    assert match.view(None)["point"] == "bonus"
    match.play(0, "pass")
    assert match.turn == (1,)


@cites("dual-powers", "D5.5", "A-23")
def test_one_stop_earns_one_bonus() -> None:
    match = table(turn_of("red", where={"green_2": "red_hand"}, day=13, at={"r1": "red"}))
    play_all(match, "red play green_2", "red pass", "red draw")
    assert match.turn == (1,), "the bonus action does not earn another one"


@cites("dual-powers", "D5.4", "A-4")
def test_the_month_cannot_leave_november() -> None:
    for month, separate, after in (("october", True, "november"), ("november", True, "november"),
                                   ("october", False, "october")):  # fmt: skip
        given = turn_of("white", where={"green_2": "white_hand"}, day=31, month=month, will="red")
        match = table(given, october_november_separate=separate)
        match.play(1, "play green_2")
        view = match.view(None)
        assert (view["month"], view["day"]) == (after, 2)
        assert view["will_of_the_people"] == "white", "the Will comes even if the marker stays"


@cites("dual-powers", "D5.9")
def test_a_command_card_gives_one_action_only() -> None:
    given = acting("red", "green_4a", at={"r1": "red"}, will="white", blockade="brown")
    match = table(given)
    play_all(match, "red move r1", "red to brown")
    assert match.turn == (1,)
    match = table(acting("red", "green_3", at={"r1": "red"}, tired={"r1": 1}))
    assert "refresh r1" in open_to(match)
    assert not any(move.startswith("move") for move in open_to(match))


# --- D6 Actions -----------------------------------------------------------------------------------------------


@cites("dual-powers", "D6.4", "D7.1")
def test_refresh() -> None:
    given = acting("red", "green_3", at={"r1": "red", "r5": "blue", "w1": "red", "n5": "green"},
                   tired={"r1": 1, "w1": 1, "n5": 1}, will="red")  # fmt: skip
    match = table(given)
    assert {move for move in open_to(match) if move.startswith("refresh")} == {"refresh r1", "refresh n5"}
    for move, rule in (("refresh r5", "D6.4"), ("refresh w1", "D7.1"), ("refresh r2", "D6.4"), ("move r1", "D5.9")):
        with pytest.raises(samizdat.IllegalMove) as caught:
            match.play(0, move)
        assert caught.value.rule == rule
    match.play(0, "refresh r1")
    assert not tired(match, "r1")
    assert match.turn == (1,)


@cites("dual-powers", "D6.3")
def test_double_move_is_one_token() -> None:
    match = table(acting("red", "green_2", at={"r1": "red", "r2": "red"}, blockade="brown"))
    play_all(match, "red move r1", "red to green")
    assert match.turn == (1,)
    assert where(match, "r2") == "red"


@cites("dual-powers", "D6.2", "D6.3")
def test_the_way_round_the_ring_is_five_steps() -> None:
    """E-23: with the blockade between green and red, red is five steps away from green."""
    match = table({"blockade": "green", "at": {"r1": "green"}})
    box, s, _ = parts(match)
    reached, steps = 1 << s.at[0], 0
    while not reached >> 0 & 1:  # region 0 is red
        reached |= rules_actions.one_step(box, s, reached)
        steps += 1
    assert steps == 5


@cites("dual-powers", "D6.7", "A-27", "A-46")
def test_espionage() -> None:
    given = turn_of("red", objective={"red": "green_2", "white": "blue_2"})
    match = table(given)
    assert match.view(0)["factions"][1]["objective"] is None
    match.play(0, "lead stalin")
    match.play(0, "spy")
    for viewer in (0, 1, None):
        assert match.view(viewer)["factions"][1]["objective"] == "blue_2"
    assert match.view(1)["factions"][0]["objective"] is None
    assert not match.can_undo(0)
    match = table({**given, "face_up": {"white": 1}})
    match.play(0, "lead stalin")
    assert "spy" not in open_to(match)
    with pytest.raises(samizdat.IllegalMove, match="A-27"):
        match.play(0, "spy")


@cites("dual-powers", "D6.8", "A-46")
def test_inspire_is_not_offered_to_the_holder_of_the_will() -> None:
    match = table(turn_of("red", will="red"))
    match.play(0, "lead lenin")
    assert "inspire" not in open_to(match)
    with pytest.raises(samizdat.IllegalMove, match="A-46"):
        match.play(0, "inspire")


@cites("dual-powers", "A-5", "D6.6")
def test_leader_actions_may_be_left_out() -> None:
    match = table(turn_of("red", blockade="green"))
    play_all(match, "red lead zinoviev", "red protest red", "red pass")
    assert where(match, "zinoviev") == "supply"
    assert match.turn == (1,)
    match = table(turn_of("red", blockade="green"))
    play_all(match, "red lead zinoviev", "red place red", "red pass")
    assert match.view(None)["blockade"] == "green"


@cites("dual-powers", "D6.9", "A-13")
def test_bonus_recruit() -> None:
    given = turn_of("red", where={"green_2": "red_hand"}, day=13, at={"r1": "red", "r2": "red"}, will="white")
    match = table(given)
    play_all(match, "red play green_2", "red pass")
    assert {move for move in open_to(match) if move.startswith("recruit")} == {"recruit r3", "recruit r4"}
    match.play(0, "recruit r3")
    assert open_to(match) == {f"to {region}" for region in match.game.box.names["regions"]}
    with pytest.raises(samizdat.IllegalMove, match=r"D6\.9"):
        match.play(0, "pass")
    match.play(0, "to purple")
    assert where(match, "r3") == "purple"
    assert not tired(match, "r3")


@cites("dual-powers", "A-32")
def test_the_blockade_does_not_hinder_recruiting() -> None:
    match = table(acting("red", "green_4a", blockade="green", at={}))
    match.play(0, "recruit r1")
    assert where(match, "r1") == "green"


@cites("dual-powers", "A-29", "A-46")
def test_nothing_to_draw(tmp_path: Path) -> None:
    hands = dict.fromkeys(samizdat.game("dual-powers").box.names["commands"], "white_hand")
    given = turn_of("red", where=hands | {"green_2": "red_hand"}, day=13, at={"r1": "red"})
    match = table(given)
    play_all(match, "red play green_2", "red pass")
    assert "draw" not in open_to(match)
    with pytest.raises(samizdat.IllegalMove, match="A-29"):
        match.play(0, "draw")
    box, s, luck = parts(match)
    before = bytes(s)
    rules.draw_to_hand(box, s, luck, RED)
    assert bytes(s) == before


@cites("dual-powers", "A-14", "A-50")
def test_bonus_moves_of_rank_one_only() -> None:
    at = {"r1": "red", "r5": "red", "stalin": "red", "n1": "blue", "trotsky_neutral": "blue"}
    given = turn_of("red", where={"green_2": "red_hand"}, day=13, at=at, month="may_june", will="red")
    for option in (False, True):
        match = table(given, bonus_move_rank_one_only=option)
        match.play(0, "play green_2")
        moved = {"move r1", "move r5", "move stalin", "move n1", "move trotsky_neutral"}
        assert {move for move in open_to(match) if move.startswith("move")} == moved, "the action is not limited"
        match.play(0, "pass")
        limited = moved - {"move r5"} if option else moved
        assert {move for move in open_to(match) if move.startswith("move")} == limited
        if option:
            with pytest.raises(samizdat.IllegalMove, match="A-14"):
                match.play(0, "move r5")


# --- D7 Control and strength ----------------------------------------------------------------------------------


@cites("dual-powers", "D7.1", "A-8", "A-50")
def test_control_of_neutrals() -> None:
    at = {"r1": "red", "n1": "red", "n2": "blue"}
    for option, will, neutrals in ((False, "red", {"n1", "n2"}), (True, "red", {"n1"}), (False, "white", set())):
        given = acting("red", "green_4a", at=at, will=will)
        match = table(given, neutral_control_needs_presence=option)
        moves = {move.removeprefix("move ") for move in open_to(match) if move.startswith("move")}
        assert moves == neutrals | {"r1"}
    match = table(acting("red", "green_4a", at=at, will="red"), neutral_control_needs_presence=True)
    with pytest.raises(samizdat.IllegalMove, match="A-8"):
        match.play(0, "move n2")
    leader = turn_of("red", at={"n5": "green"}, tired={"n5": 1}, will="red")
    match = table(leader, neutral_control_needs_presence=True)
    play_all(match, "red lead zinoviev", "red place green")
    assert not tired(match, "n5"), "the leader just placed gives presence"


@cites("dual-powers", "D7.2", "D7.3", "A-9", "A-11", "A-49")
def test_what_makes_neutrals_count() -> None:
    both = {"n3": "green", "n5": "green"}
    for own, option, expected in (
        ({"r1": "green"}, True, (3, 3)), ({"lenin": "green"}, True, (6, 3)), ({"lenin": "green"}, False, (4, 1)),
        ({"r1": "green"}, False, (3, 3)), ({}, True, (0, 0)),
    ):  # fmt: skip
        match = table({"at": both | own, "will": "red"}, leader_gives_presence=option)
        assert (strengths(match, "green")[0], tokens_of(match, RED, "green")) == expected
    match = table({"at": both | {"trotsky_neutral": "green"}, "will": "red", "month": "may_june"})
    assert strengths(match, "green") == (0, 0), "neutral Trotsky does not make neutrals count"
    given = {"at": both | {"trotsky_red": "green", "trotsky_neutral": "gone"}, "will": "red", "month": "august"}
    assert strengths(table(given), "green")[0] == 6, "red Trotsky does"


@cites("dual-powers", "D7.2", "D7.3")
def test_strengths_of_the_worked_examples() -> None:
    match = table({"at": {"r6": "purple", "n1": "purple"}, "will": "red"})
    assert strengths(match, "purple") == (3, 0)  # E-D
    brown = dict.fromkeys(("r8", "r3", "r1", "w5", "w6"), "brown")
    match = table({"at": brown, "tired": {"r1": 1}, "will": "white"})
    assert strengths(match, "brown") == (4, 4)  # E-E
    assert (tokens_of(match, RED, "brown"), tokens_of(match, WHITE, "brown")) == (3, 2)
    for will, expected, tokens in (("white", 0, 1), ("red", 1, 2)):  # E-8, E-9
        match = table({"at": {"r1": "green", "n5": "green"}, "tired": {"r1": 1}, "will": will})
        assert strengths(match, "green") == (expected, 0)
        assert tokens_of(match, RED, "green") == tokens
    for exhausted, expected in ((0, 5), (1, 6)):  # E-16, E-17
        match = table({"at": {"lenin": "green", "n5": "green"}, "tired": {"n5": exhausted}, "will": "red"})
        assert strengths(match, "green")[0] == expected


# --- D8 Scoring -----------------------------------------------------------------------------------------------


@cites("dual-powers", "D8.1", "A-3", "A-54")
def test_points_for_unrest_by_month(tmp_path: Path) -> None:
    values = {"march_april": 2, "may_june": 2, "july": 3, "august": 4, "september": 5, "october": 6, "november": 6}
    for month, points in values.items():
        assert table({"month": month}).view(None)["unrest_points"] == points
        seven = table({"month": month}, unrest_vp_october=7)
        assert seven.view(None)["unrest_points"] == (7 if points == 6 else points)
    box = edited_box(tmp_path, ('["october",     6,', '["october",     9,'))
    assert table({"month": "october"}, box=box).view(None)["unrest_points"] == 9, "the default leaves the box alone"


@cites("dual-powers", "A-16", "A-18", "A-19")
def test_unrest_bonus_counts_for_the_objectives() -> None:
    given = {
        "point": "scoring", "unrest": "brown", "blockade": "green", "will": "white",
        "at": {"w5": "brown", "w1": "white", "r1": "purple"}, "objective": {"red": "purple_4a", "white": "blue_2"},
    }  # fmt: skip
    match = table(given)
    rules.resolve_unrest(*parts(match))
    play_all(match, "white move w5", "white to purple")
    assert match.view(None)["score"] == -3, "White came to purple in time and takes the points of Red's objective"


@cites("dual-powers", "D8.2", "A-51")
def test_a_missing_objective_is_skipped() -> None:
    match = table({"point": "revealing", "objective": {"white": "blue_2"}, "at": {"r1": "blue"}})
    rules.finish_scoring(*parts(match))
    assert match.view(None)["score"] == 2


@cites("dual-powers", "A-45", "A-44", "S7")
def test_organize_is_no_bonus_for_unrest() -> None:
    match = alone({"point": "scoring", "unrest": "green", "at": {"r1": "green"}, "objective": {"red": "blue_2"},
                   "will": "red", "line": []})  # fmt: skip
    rules.resolve_unrest(*parts(match))
    assert "organize" not in open_to(match)
    with pytest.raises(samizdat.IllegalMove, match="A-45"):
        match.play(0, "organize")
    with pytest.raises(samizdat.IllegalMove, match="A-44"):
        match.play(0, "pass")


# --- D9 Clean-up ----------------------------------------------------------------------------------------------


@cites("dual-powers", "D9.3", "D9.4", "A-30")
def test_clean_up_discards_openly() -> None:
    given = {"point": "scoring", "unrest": "green", "at": {"r8": "green"}, "where": {"blue_3": "table"},
             "objective": {"red": "green_4a", "white": "green_5b"}}  # fmt: skip
    match = table(given)
    rules.resolve_unrest(*parts(match))
    match.play(0, "score")
    for viewer in (0, 1, None):
        view = match.view(viewer)
        assert set(view["discarded"]) == {"blue_3", "green_4a", "green_5b"}
        assert view["markers"] == [None, None, None]
        assert view["on_table"] == []


@cites("dual-powers", "D9.1", "D9.2", "A-2", "A-47")
def test_tiles_when_the_stack_is_empty() -> None:
    seen = set()
    for seed in range(40):
        removed = {"blue": 1, "white": 1, "purple": 1, "brown": 1}
        match = table({"unrest": "red", "barred": "green", "removed": removed})
        box, s, luck = parts(match)
        seed_luck(luck, seed)
        rules.move_tiles(box, s, luck)
        view = match.view(None)
        assert view["unrest"] == "green"
        assert view["tiles_removed"] == ["red"], "the others form the new stack"
        seen.add(view["blockade_tile"])
    assert seen == {"blue", "white", "purple", "brown"}


# --- D10 The end ----------------------------------------------------------------------------------------------


@cites("dual-powers", "D10.2", "D10.1")
def test_the_side_of_the_marker_wins() -> None:
    for score, winner in ((1, 0), (-1, 1)):
        match = table({"point": "revealing", "month": "november", "score": score})
        rules.finish_scoring(*parts(match))
        assert match.winners == (winner,)
        assert match.reason == "october"
        assert match.returns[winner] == 0.5
    match = table({"point": "revealing", "month": "september", "score": 3})
    rules.finish_scoring(*parts(match))
    assert not match.over


@cites("dual-powers", "D10.1", "A-20")
def test_unrest_alone_can_end_the_game() -> None:
    match = table({"point": "scoring", "unrest": "green", "score": -13, "at": {"w1": "green"},
                   "objective": {"red": "green_4a", "white": "blue_2"}})  # fmt: skip
    rules.resolve_unrest(*parts(match))
    match.play(1, "score")
    assert match.reason == "end_of_track"
    assert match.winners == (1,)
    assert match.view(0)["factions"][1]["objective"] is None, "objectives stay face down"


# --- A-51 -----------------------------------------------------------------------------------------------------


@cites("dual-powers", "A-51")
def test_without_cards_choice_and_turn_are_skipped() -> None:
    everything = dict.fromkeys(samizdat.game("dual-powers").box.names["commands"], "red_hand")
    led = {"kerensky": 1, "kornilov": 1, "lvov": 1}
    match = table({"point": "objective", "where": everything, "led": led})
    assert match.turn == (0,), "White has no command card for an objective"
    match.play(0, "objective green_2")
    assert match.turn == (0,)
    match.play(0, "play green_3")
    while match.view(None)["point"] != "card":
        match.play(0, "pass")
    assert match.turn == (0,), "White's turn was skipped"
    assert any(line.rule == "A-51" for line in match.log(None))


# --- Solitaire ------------------------------------------------------------------------------------------------


@cites("dual-powers", "S1.1", "S1.2", "S2", "S3", "S4")
@pytest.mark.parametrize("faction", FACTIONS)
def test_solitaire_setup(faction: str) -> None:
    leaders = set()
    for seed in range(30):
        match = samizdat.game("dual-powers", variant="solitaire", faction=faction, difficulty=2).match(seed=seed)
        view = match.view(0)
        own, other = (0, 1) if faction == "red" else (1, 0)
        assert view["factions"][other]["opposition"]
        assert view["factions"][other]["supply"] == []
        assert len(view["factions"][own]["supply"]) == 10
        assert view["factions"][own]["hand_size"] == 4
        assert view["factions"][own]["has_objective"]
        assert view["factions"][own]["objective"] is None, "nobody has seen it"
        assert len(view["line"]) == 1
        assert view["line_to_come"] == 4
        assert view["turns_begun"] == 2
        assert sum(view["opposition_supply"].values()) in (25, 26)
        assert view["will_of_the_people"] == FACTIONS[other] or view["month"] != "march_april"
        (leader,) = view["factions"][other]["leaders_played"]
        assert where(match, leader) == view["unrest"]
        leaders.add(leader)
    assert len(leaders) == 3


@cites("dual-powers", "S5", "S6", "A-41")
def test_an_opposition_turn() -> None:
    given = {"point": "next_turn", "first": "white", "decider": "red", "turns": 0, "day": 11, "will": "red",
             "unrest": "blue", "at": {"r1": "red"}, "line": ["purple_4a", "red_2"], "line_shown": 0}  # fmt: skip
    match = alone(given)
    rules.go_on(*parts(match))
    view = match.view(0)
    assert view["day"] == 15
    regions = {region["id"]: region["opposition"] for region in view["regions"]}
    assert regions["purple"] == [{"level": 2, "fresh": 1, "exhausted": 0}]
    assert regions["blue"] == [{"level": 1, "fresh": 1, "exhausted": 0}], "the bonus unit comes to the unrest"
    assert view["will_of_the_people"] == "red"
    match = alone({**given, "day": 31})
    rules.go_on(*parts(match))
    assert match.view(0)["will_of_the_people"] == "white", "passing 31 takes the Will"
    assert match.view(0)["trotsky"]["trotsky_neutral"] == "blue"
    match.play(0, "lead lenin")
    match.play(0, "inspire")
    assert match.view(0)["will_of_the_people"] == "red"


@cites("dual-powers", "S4", "D5.1")
def test_the_opposition_has_five_turns_and_the_last() -> None:
    match = samizdat.game("dual-powers", variant="solitaire").match(seed=5)
    rng = random.Random(5)
    turns = 0
    while not match.over and match.view(0)["round"] == 1:
        if match.view(0)["point"] == "card":
            turns += 1
            assert len(match.view(0)["line"]) == turns
        match.play(0, rng.choice(match.legal(0)))
    assert turns == 4
    told = [line.rule for line in match.log(0)]
    first_round = told[: told.index("D8.1")]
    assert first_round.count("S5") >= 10  # five cards turned up, five units added


@cites("dual-powers", "S7", "A-46")
def test_organize_and_espionage_turn_up_the_own_objective() -> None:
    given = turn_of("red", where={"green_2": "red_hand"}, objective={"red": "blue_7"}, day=13, at={"r1": "red"},
                    line=["white_2"], turns=2, first="white")  # fmt: skip
    match = alone(given)
    assert match.view(0)["factions"][0]["objective"] is None
    play_all(match, "red play green_2", "red pass")
    assert "organize" in open_to(match)
    match.play(0, "organize")
    assert match.view(0)["factions"][0]["objective"] == "blue_7"
    match = alone({**given, "face_up": {"red": 1}})
    play_all(match, "red play green_2", "red pass")
    with pytest.raises(samizdat.IllegalMove, match="A-46"):
        match.play(0, "organize")
    match = alone(given)
    match.play(0, "lead stalin")
    match.play(0, "spy")
    assert match.view(0)["factions"][0]["objective"] == "blue_7"
    match = table(turn_of("red", where={"green_2": "red_hand"}, day=13, at={"r1": "red"}))
    play_all(match, "red play green_2", "red pass")
    with pytest.raises(samizdat.IllegalMove, match="S7"):
        match.play(0, "organize")


@cites("dual-powers", "S9")
@pytest.mark.parametrize(
    ("line", "objective"),
    [
        (["red_2", "red_4a", "purple_4a", "brown_5a", "purple_2"], "purple_4a"),  # E-H
        (["red_7", "green_2", "green_3", "blue_2", "white_2"], "red_7"),  # most days
        (["red_5a", "green_2", "green_3", "blue_2", "white_2"], "green_3"),  # five days each, more cards
        (["green_2", "green_3", "red_5b", "blue_2", "white_2"], "green_3"),  # the same, whatever comes last
        (["red_4a", "green_4a", "blue_4a", "white_4a", "purple_2"], "white_4a"),  # the last among the tied
        (["red_4b", "red_4a", "green_2", "blue_2", "white_2"], "red_4b"),  # most points
        (["red_3", "red_4a", "green_2", "blue_2", "white_2"], "red_4a"),
    ],
)
def test_opposition_objective(line: list[str], objective: str) -> None:
    match = alone({"line": line, "line_shown": 5})
    box, s, _ = parts(match)
    assert rules_opposition.opposition_objective(box, s) == match.game.box.names["commands"].index(objective)


@cites("dual-powers", "S10", "A-36", "A-40")
@pytest.mark.parametrize("difficulty", range(1, 7))
def test_strength_of_the_opposition(difficulty: int) -> None:
    given = {
        "at": {"kerensky": "green", "n3": "green", "lvov": "blue", "n5": "white"}, "tired": {"lvov": 1},
        "opposition": {"level_2": {"green": 2}}, "opposition_tired": {"level_3": {"green": 1, "white": 1}},
        "will": "white", "line": [],
    }  # fmt: skip
    match = alone(given, difficulty=difficulty)
    assert strengths(match, "green")[1] == 4 + 2 + 2 + difficulty + 1, "leader, units, X, and the neutral"
    assert strengths(match, "blue")[1] == 2, "a leader has his own exhausted value"
    assert strengths(match, "white")[1] == difficulty + 1, "an opposition unit makes neutrals count"
    match = alone({**given, "will": "red"}, difficulty=difficulty)
    assert strengths(match, "white")[1] == difficulty


@cites("dual-powers", "A-33")
def test_the_opposition_leader_refreshes_nothing() -> None:
    match = alone({"unrest": "green", "at": {"n5": "green"}, "tired": {"n5": 1}, "will": "white", "line": []})
    rules_opposition.turn_up_leader(*parts(match))
    assert tired(match, "n5")


@cites("dual-powers", "A-34")
def test_a_missing_level_is_replaced_by_a_lower_one() -> None:
    full = {"level_3": {"red": 5, "blue": 4}, "level_2": {"red": 8}}
    match = alone({"opposition": full, "line": []})
    box, s, luck = parts(match)
    for expected in (1, 0, 0):  # one of level 2 is left, then level 1
        before = [s.opposition[level, 1] for level in range(3)]
        rules_opposition.add_unit(box, s, luck, 3, 1, 0)
        after = [s.opposition[level, 1] for level in range(3)]
        assert [b - a for a, b in zip(before, after, strict=True)] == [int(level == expected) for level in range(3)]
    for _ in range(20):
        rules_opposition.add_unit(box, s, luck, 3, 1, 0)
    assert sum(rules_opposition.opposition_supply(box, s, level) for level in range(3)) == 0


@cites("dual-powers", "A-38")
def test_order_of_revealing_alone() -> None:
    for score, will, first in ((2, "red", WHITE), (-2, "red", RED), (0, "white", RED), (0, "red", WHITE)):
        _, s, _ = parts(alone({"score": score, "will": will, "line": []}))
        assert rules_scoring.reveals_first(s) == first


@cites("dual-powers", "S11")
def test_october_does_not_end_the_solitaire() -> None:
    match = alone({"point": "revealing", "rounds": 2, "month": "october", "score": 1, "line": []})
    rules.finish_scoring(*parts(match))
    assert not match.over
    match = alone({"point": "revealing", "rounds": 3, "month": "may_june", "score": -1, "line": []})
    rules.finish_scoring(*parts(match))
    assert match.reason == "third_round"
    assert match.winners == ()
    assert match.returns == [-0.5]


@cites("dual-powers", "A-28", "A-55")
def test_order_of_drawing() -> None:
    match = table({"will": "white"})
    box, s, luck = parts(match)
    deal = [line for line in match.log(0) if line.rule == "D3.1"]
    assert str(deal[0]).startswith("Red draws"), "Red holds the Will in the first round"
    few = dict.fromkeys(match.game.box.names["commands"], "discard")
    few |= dict.fromkeys(match.game.box.names["commands"][:41], "table")
    match = table({"will": "white", "where": few})
    box, s, luck = parts(match)
    rules.draw_phase(box, s, luck)
    assert [s.hand_size[RED], s.hand_size[WHITE]] == [2, 5], "seven cards: White draws all five first"
    match = alone({"where": few})
    box, s, luck = parts(match)
    rules.draw_phase_alone(box, s, luck)
    assert (s.hand_size[RED], s.objective[RED] != NONE, s.line_size) == (4, True, 2)
    order = [s.line[place] for place in range(2)]
    for card in order:
        rules_opposition.opposition_turn(box, s, luck)
        assert s.line[s.line_shown - 1] == card


@cites("dual-powers", "A-37")
def test_red_trotsky_belongs_to_a_red_opposition() -> None:
    given = {"at": {"trotsky_red": "green", "trotsky_neutral": "gone"}, "month": "august", "line": []}
    match = alone({**given, "faction": "white"}, faction="white")
    assert strengths(match, "green") == (4, 0)
    assert match.view(0)["factions"][0]["opposition"]


# --- Box ------------------------------------------------------------------------------------------------------


@cites("dual-powers", "A-56")
def test_a_smaller_city_plays(tmp_path: Path) -> None:
    """Five regions, a shorter track, other numbers: the rules follow, and the laws hold."""
    text = BOX.read_text(encoding="utf-8")
    text = re.sub(r'    \["brown(_\w+)?", .*\n', "", text)
    text = text.replace('["red",    "red",    "brown", ', '["red",    "red",    "purple",')
    text = text.replace('"region_tiles", 6', '"region_tiles", 5').replace(
        '"command_cards", 48', '"command_cards", 40'
    )
    text = text.replace("track = 15", "track = 9").replace(
        '"Grigory Zinoviev",      "red",   3,', '"Zinoviev", "red", 8,'
    )
    path = tmp_path / "five.toml"
    path.write_text(text, encoding="utf-8")
    for options in ({}, {"variant": "solitaire", "difficulty": 5}):
        game = samizdat.game("dual-powers", box=path, **options)  # type: ignore[arg-type]
        for seed in range(5):
            match = random_play(game.match(seed=seed), seed)
            assert laws.broken(match._box, match._state) == 0  # type: ignore[arg-type]
            assert abs(match.view(None)["score"]) <= 9
            assert len(match.view(None)["regions"]) == 5
            gone = [id for id in ("n1", "n2", "n3", "n4", "n5", "n6") if where(match, id) == "gone"]
            assert gone, "one neutral unit was left over"
    match = table(turn_of("red"), box=path)
    match.play(0, "lead zinoviev")
    assert match.view(None)["day"] == 9


@cites("dual-powers", "A-56")
def test_an_opposition_without_leaders(tmp_path: Path) -> None:
    text = BOX.read_text(encoding="utf-8")
    text = re.sub(r'    \["(kornilov|lvov)", .*\n', "", text).replace('"white_leaders", 3', '"white_leaders", 1')
    path = tmp_path / "one.toml"
    path.write_text(text, encoding="utf-8")
    match = random_play(samizdat.game("dual-powers", variant="solitaire", box=path).match(seed=1), 1)
    assert match.over


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"command_cards", 48', '"command_cards", 47', "counts 47 command_cards, but the tables list 48"),
        ('["r10", "red",   3', '["r1",  "red",   3', "used twice"),
        ('["n6", 1', '["w3", 1', "used for another token"),
        ('["green",  "green",  "red", ', '["green",  "green",  "green", ', "joins green with itself"),
        ('["red_2",     "red",    2', '["red_2",     "pink",   2', "is not in [regions]"),
        ('["red_2",     "red",    2', '["red_2",     "red",    0', "from 1 to 31"),
        ("track = 15", "track = 0", "track"),
        ("turns = 4 ", "turns = 3 ", "use up the cards drawn"),
        ("bonus_day = 15", "bonus_day = 30", "slide over"),
        ("slide_from = 29", "slide_from = 32", "from 2 to 31"),
        ('["march_april", 2, "",                false', '["march_april", 2, "",                true', "begins in"),
        ('["november",    6, "",                true', '["november",    6, "",                false', "last month"),
        ('["july",        3, "",                false', '["july",        3, "trotsky_joins",   false', "Trotsky"),
        ('["token_c", 5, 6', '["token_c", 5, 5', "levels 1 to 6"),
        ('["level_3", 3,', '["level_3", 2,', "in this order"),
        ('["trotsky_red",     "red"', '["trotsky_red",     "white"', "first neutral, then red"),
        ('"espionage", "reconstructed"],\n    ["zin', '"singing", "reconstructed"],\n    ["zin', "special"),
        ('["player_aids", 2, "rulebook"]', '["player_aids", 2, "guess"]', "provenance"),
        ('    ["region_tiles", 6, "rulebook"],\n', "", "region_tiles is missing"),
        ('["purple", "purple", "white", ', '["purple", "purple", "brown", ', ""),
    ],
)  # fmt: skip
def test_bad_boxes_are_refused_by_name(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    path = edited_box(tmp_path, (old, new))
    if not complaint:
        read_box(path)  # a map with a dead end is a map
        return
    with pytest.raises(BoxError, match=re.escape(complaint)) as caught:
        read_box(path)
    assert "edited.toml" in str(caught.value)


def test_an_island_is_refused(tmp_path: Path) -> None:
    path = edited_box(tmp_path, ('"red",    "red",    "brown", ', '"red",    "red",    "green", '),
                      ('"brown",  "brown",  "purple",', '"brown",  "red",    "purple",'))  # fmt: skip
    with pytest.raises(BoxError, match="no connection leads to brown"):
        read_box(path)


def test_the_box_holds_the_dossier() -> None:
    """The totals that the component tables state."""
    box: Any = GAME.standard_box.record
    cards = range(box.commands)
    assert sum(box.days[card] for card in cards) == 216
    assert Counter(box.recruit[card] for card in cards) == {1: 18, 2: 18, 3: 12}
    assert Counter(box.action[card] for card in cards) == {0: 18, 1: 12, 2: 18}
    assert Counter(box.vp[card] for card in cards) == {2: 6, 3: 18, 4: 12, 5: 12}
    assert all(box.recruit[card] + box.vp[card] == box.days[card] + 1 for card in cards)
    for faction in (RED, WHITE):
        units = [token for token in range(box.tokens) if box.unit_of[token] == faction]
        assert (sum(box.fresh[t] for t in units), sum(box.exhausted[t] for t in units)) == (19, 12)
        leaders = [leader for leader in range(box.leaders) if box.leader_faction[leader] == faction]
        assert sum(box.leader_days[leader] for leader in leaders) == 12
        assert sum(box.fresh[box.leader_token[leader]] for leader in leaders) == 10
        assert sum(box.exhausted[box.leader_token[leader]] for leader in leaders) == 5
    neutral = [t for t in range(box.tokens) if box.faction[t] == NEUTRAL and not box.is_leader[t]]
    assert sorted(box.exhausted[t] for t in neutral) == [0, 0, 1, 1, 2, 2]


# --- Options and worth ----------------------------------------------------------------------------------------


def test_options() -> None:
    listed = samizdat.games()["dual-powers"]
    assert listed["variants"] == {"standard": [2], "solitaire": [1]}
    assert samizdat.game("dual-powers", variant="solitaire").fair_seats == 2
    for bad in (
        {"difficulty": 3}, {"variant": "solitaire", "difficulty": 7}, {"variant": "solitaire", "faction": "pink"},
        {"unrest_vp_october": -1}, {"players": 3},
    ):  # fmt: skip
        with pytest.raises(samizdat.OptionError):
            samizdat.game("dual-powers", **bad)  # type: ignore[arg-type]


def test_every_refusal_of_a_random_game_cites_a_rule_of_the_rulebook() -> None:
    known = set(re.findall(r"^- \*\*([A-Z0-9.-]+)\*\*", (GAME.folder / "rulebook/en.md").read_text(), re.MULTILINE))
    rng = random.Random(6)
    cited: set[str] = set()
    for options in (
        {},
        {"variant": "solitaire"},
        {"bonus_move_rank_one_only": True, "neutral_control_needs_presence": True},
    ):
        match = samizdat.game("dual-powers", **options).match(seed=6)  # type: ignore[arg-type]
        moves = [move for move in match.game.notation.all if move is not None]
        while not match.over:
            seat = rng.choice(match.turn)
            legal = {move.id for move in match.legal(seat)}
            for move in rng.sample(moves, 12):
                if move.id not in legal:
                    with pytest.raises(samizdat.IllegalMove) as caught:
                        match.play(seat, move)
                    cited.add(caught.value.rule)
            match.play(seat, rng.choice(match.legal(seat)))
        cited |= {line.rule for viewer in (0, None) for line in match.log(viewer)}
    assert cited <= known


def test_scenes_cover_every_worked_example() -> None:
    examples = {
        path.read_text().split('example = "')[1].split('"')[0] for path in (GAME.folder / "scenes").glob("*.toml")
    }
    assert examples == {f"E-{letter}" for letter in "ABCDEFGH"} | {f"E-{n}" for n in range(1, 24)}


def test_axes_name_places() -> None:
    game = samizdat.game("dual-powers")
    assert number(game, "places", "supply") == SUPPLY
    assert number(game, "places", "gone") == GONE
    assert number(game, "points", "objective") == OBJECTIVE
    assert number(game, "points", "over") == OVER
    assert number(game, "card_places", "discard") == DISCARDED
    assert number(game, "card_places", "white_hand") == HAND + WHITE
    assert number(game, "card_places", "deck") == DECK


@cites("dual-powers", "S1.1")
@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("difficulty", range(1, 7))
def test_every_solitaire_is_lawful(faction: str, difficulty: int) -> None:
    """Every difficulty with either faction: laws after every decision, a named end within the bound, bounds held."""
    game = samizdat.game("dual-powers", variant="solitaire", faction=faction, difficulty=difficulty)
    batch = 500
    states, scores = np.zeros(batch, game.definition.state.dtype), np.zeros(batch, Score.dtype)
    lengths, found = np.zeros(batch, np.int64), np.zeros(3, np.int64)
    game.definition.native.simulate_lawful(
        game.box.record.array, game.blank().array, states, scores, lengths,
        np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype), 7, 0, game.moves_buffer(), game.longest, found,
    )  # fmt: skip
    assert found[2] == 0, laws.LAWS[found[2]]
    assert (lengths > 0).all()
    assert set(np.unique(scores["reason"])) <= {1, 3}
    assert game.definition.state.out_of_bounds(states) is None


@pytest.mark.parametrize("cards", [10, 11, 16])
def test_the_bound_holds_in_the_smallest_decks(tmp_path: Path, cards: int) -> None:
    """Cards pile up in hands, draws fail, turns are skipped; the calendar still ends the game in time."""
    results = Simulation(samizdat.game("dual-powers", box=small_box(tmp_path, cards)), 3).play(400)
    assert (results.lengths > 0).all()
    assert results.states["reshuffles"].max() > 4


@cites("dual-powers", "A-31")
def test_recruiting_counts_ranks(tmp_path: Path) -> None:
    box = edited_box(
        tmp_path,
        ('["r1",  "red",   1, 1, 0', '["r1",  "red",   1, 9, 0'),
        ('["r5",  "red",   2, 2, 0', '["r5",  "red",   2, 1, 0'),
    )
    match = table(acting("red", "green_2", at={}, will="white"), box=box)
    assert {"recruit r1", "recruit r2"} <= open_to(match)
    assert "recruit r5" not in open_to(match)
    match.play(0, "recruit r1")
    assert strengths(match, "green") == (9, 0)


@cites("dual-powers", "A-2", "A-47", "A-56", "A-34")
@pytest.mark.parametrize("variant", ["standard", "solitaire"])
def test_the_longest_games_of_the_largest_box(tmp_path: Path, variant: str) -> None:
    """A track and a calendar as long as they may be: decks, tiles, leaders and opposition units all run out."""
    cards = "\n".join(line for line in BOX.read_text(encoding="utf-8").splitlines() if '"reconstructed"],' in line)
    slow = re.sub(r'(\["\w+_\w+", +"\w+", +)\d', r"\g<1>1", cards)
    december = '    ["december",    6, "",                true,  "reconstructed"],\n]\n\n[leaders]'
    path = edited_box(
        tmp_path, *zip(cards.splitlines(), slow.splitlines(), strict=True), ("track = 15", "track = 60"),
        ("solitaire_rounds = 3 ", "solitaire_rounds = 60 "), ("]\n\n[leaders]", december),
        ('["level_1", 1, 9', '["level_1", 1, 20'), ('"opposition_units", 27', '"opposition_units", 38'),
    )  # fmt: skip
    game = samizdat.game("dual-powers", variant=variant, box=path)
    batch = 150
    states, scores = np.zeros(batch, game.definition.state.dtype), np.zeros(batch, Score.dtype)
    lengths, found = np.zeros(batch, np.int64), np.zeros(4, np.int64)
    lucks, dices = np.zeros(2, Luck.dtype), np.zeros(2, Dice.dtype)
    game.definition.native.simulate_lawful(
        game.box.record.array, game.blank().array, states, scores, lengths, lucks, dices, 7, 0, game.moves_buffer(),
        game.longest, found,
    )  # fmt: skip
    assert found[2] == 0, laws.LAWS[found[2]]
    assert (lengths > 0).all()
    assert game.definition.state.out_of_bounds(states) is None
    assert states["rounds"].max() > 7, "the stack of tiles was shuffled anew"
    assert states["reshuffles"].max() > 1
    sights = np.zeros(5, game.definition.state.dtype)
    sights[4] = game.blank().array[0]
    game.definition.native.check_secrets(
        game.box.record.array, sights, sights.view(np.uint8).reshape(5, -1), lucks, dices, 5, 0, 10, game.players,
        game.moves_buffer(rows=2), game.longest, found,
    )  # fmt: skip
    assert found[3] == 0, found


@cites("dual-powers", "D4.1", "D5.1")
def test_nobody_has_the_turn_while_objectives_are_chosen() -> None:
    """Both choose in any order, in every round; the turns of the round before are over."""
    match = samizdat.game("dual-powers").match(seed=1)
    rng = random.Random(1)
    seen = set()
    while not match.over:
        view = match.view(None)
        if view["point"] == "objective":
            seen.add(view["round"])
            assert (view["decides"], view["turns_begun"]) == (None, 0)
        seat = match.turn[0]
        match.play(seat, rng.choice(match.legal(seat)))
    assert len(seen) > 1
