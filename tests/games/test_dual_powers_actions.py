"""Dual Powers, D6 and D7: what actions do, who controls what, and how strong it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import samizdat
from samizdat.games.dual_powers import rules_actions, rules_cards, rules_tokens
from samizdat.games.dual_powers.state import AS_BONUS, PROTEST_SPECIAL, RED, WHITE
from tests.games.petrograd import (
    acting,
    cites,
    edited_box,
    open_to,
    parts,
    play_all,
    strengths,
    table,
    tired,
    tokens_of,
    turn_of,
    where,
)

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
        reached |= rules_tokens.one_step(box, s, reached)
        steps += 1
    assert steps == 5


@cites("dual-powers", "A-26", "A-46")
@pytest.mark.parametrize(("connections", "possible"), [(1, False), (2, True), (6, True)])
def test_a_blockade_needs_another_connection_to_go_to(connections: int, possible: bool) -> None:
    game = samizdat.game("dual-powers")
    box, state = game.box.record.copy(), game.blank()
    box.connections = connections
    state.leader = next(leader for leader in range(6) if box.special[leader] == PROTEST_SPECIAL)
    assert rules_actions.special_possible(box, state, RED) == possible


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


@cites("dual-powers", "D6.5", "A-6", "A-7")
def test_a_leader_stirs_neutral_units_there_and_no_others() -> None:
    at = {"n5": "green", "r1": "green", "w1": "green", "n3": "blue"}
    match = table(turn_of("red", at=at, tired=dict.fromkeys(at, 1), will="red"))
    play_all(match, "red lead zinoviev", "red place green")
    assert [token for token in at if not tired(match, token)] == ["n5"]


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
    told = [str(line) for line in match.log(1) if line.rule == "D6.9"]
    assert told == ["Red recruits R3 in Purple as bonus action."]


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
    rules_cards.draw_to_hand(box, s, luck, RED, AS_BONUS)
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
