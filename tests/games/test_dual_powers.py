"""Dual Powers, D1 to D5 and D8 to D10: the course of a match, as far as the scenes do not already hold it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.games.dual_powers import rules, rules_scoring
from samizdat.kernel.luck import seed_luck
from tests.games.petrograd import (
    acting,
    alone,
    cites,
    edited_box,
    open_to,
    parts,
    play_all,
    random_play,
    rules_told,
    small_box,
    table,
    turn_of,
)

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
    for move, rule in (("play blue_2", "D5.3"), ("lead lenin", "D9.4"), ("lead lvov", "D1.1"), ("pass", "D5.2"),
                       ("objective green_2", "D5.2"), ("draw", "D5.2")):  # fmt: skip
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


@cites("dual-powers", "D5.5", "D7.1", "A-24")
def test_the_will_goes_at_once_to_whoever_moves_the_month() -> None:
    """In time for the action of the same card; whoever has it keeps it, and nothing is said."""
    at = {"n1": "green", "w1": "green"}
    given = turn_of("white", where={"red_4a": "white_hand", "blue_4a": "red_hand"}, day=28, at=at, will="red")
    match = table(given | {"blockade": "brown"})
    match.play(1, "play red_4a")
    assert match.view(None)["will_of_the_people"] == "white"
    assert {"move n1", "move w1"} <= open_to(match, 1)
    assert [line.rule for line in match.log(None) if "Will of the People" in str(line)] == ["D5.5"]
    holder = table(given | {"will": "white"})
    holder.play(1, "play red_4a")
    assert holder.view(None)["will_of_the_people"] == "white"
    assert not any("Will of the People" in str(line) for line in holder.log(None))
    short = table(given | {"day": 20})
    short.play(1, "play red_4a")
    assert short.view(None)["will_of_the_people"] == "red", "the month has not moved"


@cites("dual-powers", "D5.6", "A-23")
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


@cites("dual-powers", "D3.1", "D6.2", "D6.3", "D6.4", "D6.9")
def test_the_log_cites_what_was_done_and_not_what_looks_like_it() -> None:
    """A token that moves does so by Move, Double Move or as bonus action; so with refreshing and drawing."""
    at = {"r1": "red", "r2": "red"}
    ready: dict[str, Any] = {"at": at, "will": "white", "blockade": "brown", "bonus": 1}
    for card, rule in (("green_4a", "D6.2"), ("green_2", "D6.3")):
        match = table(acting("red", card, **ready))
        play_all(match, "red move r1", "red to green", "red move r2", "red to green")
        told = rules_told(match)
        assert told["Red moves R1 from Red to Green."] == rule
        assert told["Red moves R2 from Red to Green."] == "D6.9"
    match = table(acting("red", "green_3", **ready, tired={"r1": 1, "r2": 1}))
    play_all(match, "red refresh r1", "red refresh r2")
    told = rules_told(match)
    assert told["Red refreshes R1 in Red."] == "D6.4"
    assert told["Red refreshes R2 in Red."] == "D6.9"
    match = table(acting("red", "green_3", **ready))
    play_all(match, "red pass", "red draw")
    assert rules_told(match, 1)["Red draws 1 card."] == "D6.9"
    assert rules_told(match, 1)["Red draws 5 cards."] == "D3.1"


@cites("dual-powers", "D5.9", "D6.2", "D6.3", "S7", "A-25")
@pytest.mark.parametrize(
    ("given", "before", "move", "rule"),
    [
        (acting("red", "green_4a", at={"r1": "red"}, blockade="brown"), "move r1", "to red", "D6.2"),
        (acting("red", "green_2", at={"r1": "red"}, blockade="brown"), "move r1", "to red", "A-25"),
        (acting("red", "green_4a", at={"r1": "red"}, blockade="brown"), "move r1", "to blue", "D6.2"),
        (acting("red", "green_2", at={"r1": "red"}, blockade="brown"), "move r1", "to white", "D6.3"),
        (turn_of("red", at={"r1": "red"}), "lead lenin", "to green", "D5.9"),
        (turn_of("red", at={"r1": "red"}), "lead lenin", "move r1", "D5.9"),
        (acting("red", "green_4a", at={"r1": "red"}), "", "draw", "D5.9"),
        (acting("red", "green_4a", at={"r1": "red"}), "", "organize", "D5.9"),
    ],
)
def test_refusals_cite_the_rule_that_applies(given: dict[str, Any], before: str, move: str, rule: str) -> None:
    match = table(given)
    if before:
        match.play(0, before)
    with pytest.raises(samizdat.IllegalMove) as caught:
        match.play(0, move)
    assert caught.value.rule == rule


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
    rules_scoring.resolve_unrest(*parts(match))
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
    rules_scoring.resolve_unrest(*parts(match))
    assert "organize" not in open_to(match)
    for move in ("organize", "pass"):
        with pytest.raises(samizdat.IllegalMove, match=r"D8\.1"):
            match.play(0, move)


# --- D9 Clean-up ----------------------------------------------------------------------------------------------


@cites("dual-powers", "D9.3", "D9.4", "A-30")
def test_clean_up_discards_openly() -> None:
    given = {"point": "scoring", "unrest": "green", "at": {"r8": "green"}, "where": {"blue_3": "table"},
             "objective": {"red": "green_4a", "white": "green_5b"}}  # fmt: skip
    match = table(given)
    rules_scoring.resolve_unrest(*parts(match))
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
    rules_scoring.resolve_unrest(*parts(match))
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
