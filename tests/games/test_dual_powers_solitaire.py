"""Dual Powers, section S: the solitaire and its opposition."""

from __future__ import annotations

import random

import numpy as np
import pytest

import samizdat
from samizdat.games.dual_powers import laws, rules, rules_opposition, rules_scoring, show
from samizdat.games.dual_powers.state import NONE, RED, WHITE
from samizdat.kernel.luck import Dice, Luck, RecordingLuck
from samizdat.kernel.scoring import Score
from samizdat.kernel.telling import heard
from tests.games.petrograd import (
    FACTIONS,
    alone,
    cites,
    open_to,
    parts,
    play_all,
    rules_told,
    strengths,
    table,
    tired,
    tokens_of,
    turn_of,
    where,
)
from tests.rulebook import RECORDED


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
    luck = RecordingLuck()
    rules_opposition.opposition_turn(match._box, match._state, luck)  # type: ignore[arg-type]
    told = {str(line): line.rule for line in show.tell(match.game, list(heard(luck)), 0)}
    assert told["The Will of the People goes to White."] == "S6"
    match = alone({**given, "day": 31})
    rules.go_on(*parts(match))
    assert match.view(0)["will_of_the_people"] == "white", "passing 31 takes the Will"
    assert match.view(0)["trotsky"]["trotsky_neutral"] == "blue"
    match.play(0, "lead lenin")
    match.play(0, "inspire")
    assert match.view(0)["will_of_the_people"] == "red"


@cites("dual-powers", "S2", "S6", "S9", "S11")
@pytest.mark.parametrize("recorded", ["third_round", "solitaire_end_of_track"])
def test_the_log_cites_the_rules_of_the_solitaire(recorded: str) -> None:
    match = samizdat.loads((RECORDED / "dual-powers" / f"{recorded}.json").read_text(encoding="utf-8"))
    own = str(match.game.options["faction"]).title()
    met = set()
    for text, rule in rules_told(match).items():
        if "The objective of" in text:
            assert rule == ("D8.2" if f"of {own} is" in text else "S9")
        elif " earns " in text:
            assert rule == ("D5.6" if f"earns {own}" in text else "S6")
        elif " draws " in text:
            assert rule in ("S2", "D6.9")
        elif " wins." in text:
            assert rule == "S11"
        else:
            continue
        met.add(rule)
    assert met >= {"S2", "S6", "S9", "S11", "D8.2"}


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
    match = alone({name: value for name, value in given.items() if name != "objective"})
    play_all(match, "red play green_2", "red pass")
    with pytest.raises(samizdat.IllegalMove, match=r"you have no objective in this round. \(A-51\)"):
        match.play(0, "organize")
    match = alone(given)
    match.play(0, "lead stalin")
    match.play(0, "spy")
    assert match.view(0)["factions"][0]["objective"] == "blue_7"
    assert rules_told(match)["Red turns up the objective of Red: Blue 7."] == "S7"
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


@cites("dual-powers", "A-40", "A-49")
@pytest.mark.parametrize("faction", ["red", "white"])
@pytest.mark.parametrize(
    ("units", "leader", "option", "counts"),
    [(1, False, False, True), (1, True, False, True), (0, True, False, False), (0, True, True, True),
     (0, False, True, False)],
)  # fmt: skip
def test_opposition_units_make_neutrals_count_for_it(
    faction: str, units: int, leader: bool, option: bool, counts: bool
) -> None:
    """A unit is a unit, also one of the opposition; a leader alone is one only with the option."""
    other = "white" if faction == "red" else "red"
    at = {"n3": "green"} | ({"kerensky" if other == "white" else "lenin": "green"} if leader else {})
    given = {"at": at, "will": other, "opposition": {"level_1": {"green": units}}, "line": []}
    match = alone(given, faction=faction, leader_gives_presence=option)
    without = alone(given | {"at": at | {"n3": "gone"}}, faction=faction, leader_gives_presence=option)
    number = ("red", "white").index(other)
    neutral = tokens_of(match, number, "green") - tokens_of(without, number, "green")
    assert neutral == (1 if counts else 0)
    assert (strengths(match, "green")[number] > strengths(without, "green")[number]) == counts


@cites("dual-powers", "A-33")
def test_the_opposition_leader_refreshes_nothing() -> None:
    match = alone({"unrest": "green", "at": {"n5": "green"}, "tired": {"n5": 1}, "will": "white", "line": []})
    rules_opposition.turn_up_leader(*parts(match))
    assert tired(match, "n5")


@cites("dual-powers", "S10", "A-35", "D8.5")
def test_the_opposition_is_exhausted_where_a_marker_lies() -> None:
    given = {
        "at": {}, "opposition": {"level_1": {"green": 2, "white": 1}, "level_3": {"green": 1}},
        "opposition_tired": {"level_2": {"green": 1}, "level_3": {"green": 2}, "level_1": {"white": 1}},
        "line": [],
    }  # fmt: skip
    match = alone(given)
    box, s, _ = parts(match)
    luck = RecordingLuck()
    green, white = (match.game.box.names["regions"].index(region) for region in ("green", "white"))
    s.marker[RED] = green
    supplies = [rules_opposition.opposition_supply(box, s, level) for level in range(3)]
    rules_scoring.exhaust(box, s, luck)
    assert [s.opposition[level, green] for level in range(3)] == [0, 0, 0], "the fresh ones turn"
    assert [s.opposition_tired[level, green] for level in range(3)] == [2, 0, 1]
    after = [rules_opposition.opposition_supply(box, s, level) for level in range(3)]
    assert [now - then for now, then in zip(after, supplies, strict=True)] == [0, 1, 2], "those on X go back"
    assert (s.opposition[0, white], s.opposition_tired[0, white]) == (1, 1), "no marker lies there"
    lines = show.tell(match.game, list(heard(luck)), 0)
    assert [(line.rule, str(line)) for line in lines] == [
        ("S10", "2 opposition units of level 1 in Green are exhausted."),
        ("A-35", "1 opposition unit of level 2 goes back from Green to its supply."),
        ("A-35", "2 opposition units of level 3 go back from Green to their supply."),
        ("S10", "1 opposition unit of level 3 in Green is exhausted."),
    ]


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
