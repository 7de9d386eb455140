"""Dual Powers: other boxes, boxes that are refused, options, and the bounds of the longest games."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.games.dual_powers import GAME, laws
from samizdat.games.dual_powers.box import read_box
from samizdat.games.dual_powers.state import DECK, DISCARDED, GONE, HAND, NEUTRAL, OBJECTIVE, OVER, RED, SUPPLY, WHITE
from samizdat.kernel.errors import BoxError
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scenes import number
from samizdat.kernel.scoring import Score
from samizdat.lab.simulation import Simulation
from tests.games.petrograd import BOX, cites, edited_box, random_play, small_box, table, turn_of, where

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
        ('"command_cards", 48', '"command_cards", 47', "but the tables list 48"),
        ('["r10", "red",   3', '["r1",  "red",   3', "used twice"),
        ('["n6", 1', '["w3", 1', "would mean two things among the tokens"),
        ('["green",  "green",  "red", ', '["green",  "green",  "green", ', "joins Green with itself"),
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
    with pytest.raises(BoxError, match="no connection leads to Brown"):
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


@pytest.mark.parametrize("cards", [10, 11, 16])
def test_the_bound_holds_in_the_smallest_decks(tmp_path: Path, cards: int) -> None:
    """Cards pile up in hands, draws fail, turns are skipped; the calendar still ends the game in time."""
    results = Simulation(samizdat.game("dual-powers", box=small_box(tmp_path, cards)), 3).play(400)
    assert (results.lengths > 0).all()
    assert results.states["reshuffles"].max() > 4


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
