"""What docs/spec/ says is enough: a reader written from it alone reads every file of ours and finds forged ones, and
its numbers, hashes and draws are ours."""

from __future__ import annotations

import ast
import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.box import BoxFile
from samizdat.kernel.boxfile import write_box
from samizdat.kernel.exercises import exercises
from samizdat.kernel.fairness import Fairness
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import dumps_seat
from samizdat.kernel.moves import Notation
from tests.conftest import DOSE, every_game, label, plain_games
from tests.kernel import test_fairness, test_matchfiles
from tests.kernel.test_own_boxes import edited
from tests.rulebook import RECORDED
from tests.second import reader
from tests.second.tables import FACTS, PAGES, code, rows

OURS = Path(samizdat.__file__).parent
BOXES = {name: (OURS / "games" / name.replace("-", "_") / "box.toml").read_text("utf-8") for name in FACTS}
FILES = sorted(RECORDED.rglob("*.json"))
GAMES = [game for game in every_game() if game.name in FACTS]
PLIES = 120  # of a match that is played here


def read(text: str) -> reader.Reading:
    return reader.read(text, BOXES)


def play(match: Match, seed: int, plies: int = PLIES) -> Match:
    dice = random.Random(seed)
    while not match.over and match.plies < plies:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def agree(match: Match) -> None:
    """The file is read, and is the match: decisions with their numbers, and every draw by the seed."""
    found = read(match.dumps())
    assert [(one.seat, one.text, one.number) for one in found.decisions] == [
        (seat, str(move), move.id) for seat, move in match.moves
    ]
    assert (found.game, found.players, found.seed) == (match.game.name, match.seats, match.seed)
    assert found.dealt is (match.start is None)
    for number, ply in enumerate((match._deal, *match._played)):
        given = found.given.get(number, [])
        assert tuple(given) == ply.script
        drawn = ply.drawn[len(given) :]
        assert reader.draws(found.seed, number, [n for n, _ in drawn]) == [came for _, came in drawn]


def resealed(data: dict[str, Any]) -> str:
    """What a forger would write."""
    return json.dumps({**data, "checksum": reader.checksum(data)})


# --- the reader and the pages -----------------------------------------------------------------------------------


def test_the_reader_imports_nothing_of_ours() -> None:
    for name in ("reader.py", "tables.py"):
        for node in ast.walk(ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [one for one in names if one.startswith(("samizdat", "numpy", "numba"))], name


@pytest.mark.parametrize("name", FACTS)
def test_the_pages_say_of_a_game_what_it_is(name: str) -> None:
    found, told = definitions()[name], FACTS[name]
    assert told.rules == tuple(version for version in range(1, found.version + 1) if found.knows(version))
    assert told.box == found.standard_box.hash == reader.read_box(BOXES[name], name).hash
    assert told.variants == {variant: tuple(counts) for variant, counts in found.variants.items()}
    assert told.reasons == tuple(found.reasons[1:])
    assert list(told.options) == [option.name for option in found.options]
    for option in found.options:
        one = told.options[option.name]
        assert (one.default, one.variants, one.low, one.high) == (
            option.default, option.variants, option.low, option.high,
        )  # fmt: skip
        assert set(one.values) == set(option.choices or ((False, True) if isinstance(option.default, bool) else ()))
    kinds = {
        kind: tuple((one.label, one.capacity) for one in of.args.values()) for kind, of in found.moves.kinds.items()
    }
    assert {kind: one.arguments for kind, one in told.kinds.items()} == kinds
    assert {kind: one.first for kind, one in told.kinds.items()} == found.moves.first


def test_every_game_of_ours_is_on_the_pages() -> None:
    ours = {name for name, found in definitions().items() if found.folder.is_relative_to(OURS)}
    assert set(FACTS) == ours


@pytest.mark.parametrize("name", FACTS)
def test_the_page_says_where_decisions_are_made(name: str) -> None:
    found = definitions()[name]
    text = (
        (PAGES / "notation.md")
        .read_text(encoding="utf-8")
        .partition(f"### {found.title}\n")[2]
        .partition("\n### ")[0]
    )
    for kind, _, _, at in rows(text, "kind", "arguments", "first number", "decided at"):
        points = [point for point in found.points.all if code(kind)[0] in point.takes]
        assert at == "; ".join(f"{point.name.replace('_', ' ')} ({point.rules[0]})" for point in points)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_decision_has_its_number(game: Game) -> None:
    notation: Notation = game.notation
    second = reader.Notation(game.name, reader.read_box(BOXES[game.name], game.name))
    for text, move in notation.by_text.items():
        assert second.number(text) == move.id
    assert {label: list(game.words(label)) for label in second.names} == second.names


def test_the_values_on_the_pages() -> None:
    text = (PAGES / "match-file.md").read_text(encoding="utf-8")
    for seed, ply, told in rows(text, "seed", "ply", "first eight words"):
        source = reader.words(int(code(seed)[0], 16), int(ply))
        assert [f"{next(source):08x}" for _ in range(8)] == code(told)[0].split()
    for seed, ply, ns, told in rows(text, "seed", "ply", "draws of n", "outcomes"):
        outcomes = reader.draws(int(code(seed)[0], 16), int(ply), [int(n) for n in ns.split()])
        assert outcomes == [int(one) for one in told.split()]
    for game, decision, number in rows((PAGES / "notation.md").read_text("utf-8"), "game", "decision", "number"):
        name = code(game)[0]
        second = reader.Notation(name, reader.read_box(BOXES[name], name))
        assert second.number(code(decision)[0]) == int(number)
    (example,) = re.findall(r"```json\n(.*?)```", text, re.S)
    assert [one.text for one in read(example).decisions] == ["bid priest gold", "bid general blackmail"]
    assert samizdat.loads(example).dumps() == example


def test_the_values_of_fair_luck() -> None:
    text = (PAGES.parent / "fair-luck.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| ([a-z, ]+) \| `([0-9a-f]+)` \|$", text, re.M))
    secret, first, last = (
        re.findall(r"secret `(\w{32})`", text)[0],
        *re.findall(r"`([0-9a-f]{64})` from seat|^`([0-9a-f]{64})` from", text, re.M),
    )
    numbers = [[2, "".join(first)], [0, "".join(last)]]
    fair = {"table": "Xk3-table_01", "opened": "2026-11-18T05:31:48Z", "numbers": numbers}
    data: dict[str, Any] = {
        "game": "revolution", "rules": 1, "box": "568783b6386a2059", "variant": "standard", "players": 3,
        "options": {"refund": False, "word": "é", "max_rounds": 2}, "nonce": secret, "fair": fair,
    }  # fmt: skip
    data["commitment"] = reader.fair_commitment(fair["table"], fair["opened"], secret)
    assert data["commitment"] == told["commitment"]
    for count, name in enumerate(("so far, no number", "so far, one", "so far, two")):
        assert reader.so_far(data, numbers[:count]) == told[name]
    assert reader.fair_seed(data) == told["seed"]


# --- files of ours ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_recorded_matches_are_read(file: Path) -> None:
    agree(samizdat.loads(file.read_text(encoding="utf-8")))


@settings(max_examples=60 * DOSE)
@given(st.sampled_from(GAMES), st.integers(0, (1 << 128) - 1), st.integers(0, 1 << 32))
def test_fresh_matches_are_read(game: Game, seed: int, dice: int) -> None:
    agree(play(Match(game, seed), dice))


@settings(max_examples=20 * DOSE)
@given(st.sampled_from(GAMES), st.data())
def test_matches_whose_seed_nobody_chose_are_read(game: Game, data: st.DataObject) -> None:
    seats = data.draw(st.lists(st.integers(0, game.players - 1), unique=True))
    numbers = tuple((seat, data.draw(st.text("0123456789abcdef", min_size=64, max_size=64))) for seat in seats)
    table = data.draw(st.from_regex("[A-Za-z0-9_-]{1,40}", fullmatch=True))
    fairness, secret = Fairness(table, "2026-11-18T05:31:48Z", numbers), data.draw(st.integers(0, (1 << 128) - 1))
    match = Match(game, fairness.seed(game, secret), nonce=secret)
    match.fairness = fairness
    names = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
    match.names = tuple(data.draw(names) for _ in range(game.players))
    agree(play(match, 1, 20))


@pytest.mark.parametrize("name", FACTS)
def test_matches_from_positions_are_read(name: str) -> None:
    for exercise in exercises(definitions()[name])[:6]:
        agree(play(Match(exercise.game, 7, start=exercise.start), 1, 20))


@pytest.mark.parametrize("name", FACTS)
def test_matches_with_luck_given_by_hand_are_read(name: str) -> None:
    """All of it, so that it goes as another match went; or only the first draws of the deal."""
    game = definitions()[name].choose()
    first = play(Match(game, 3), 3, 200)
    drawn = [came for _, came in first._deal.drawn]
    again = Match(game, 4, luck=drawn)
    for ply in first._played:
        again.play(ply.seat, ply.move, [came for _, came in ply.drawn])
    assert again.raw == first.raw
    assert bool(read(again.dumps()).given) is any(ply.drawn for ply in (first._deal, *first._played))
    agree(again)
    agree(Match(game, 4, luck=drawn[: len(drawn) // 2]))


@pytest.mark.parametrize("name", FACTS)
def test_matches_with_boxes_of_ones_own_are_read(name: str) -> None:
    found, tried = definitions()[name], 0
    for seed in range(12):
        text = write_box(edited(found, seed))
        try:
            game = found.choose(box=found.box_from(BoxFile("box.toml", text)))  # type: ignore[arg-type]
        except samizdat.SamizdatError:
            continue
        if game.printed:
            tried += 1
            agree(play(Match(game, seed), seed, 20))
    assert tried


# --- files of others ----------------------------------------------------------------------------------------------

NEED_RULES = {"an illegal move", "a shorter match", "another result", "no result", "luck", "luck of the deal"}


@pytest.mark.parametrize("name", [one[0] for one in test_matchfiles.FORGERIES])
def test_forged_files_are_found(name: str) -> None:
    (changes,) = [one[1] for one in test_matchfiles.FORGERIES if one[0] == name]
    text = test_matchfiles.resealed(**changes)
    if name in NEED_RULES:
        read(text)  # not without the rules, as the page says
    else:
        with pytest.raises(reader.Wrong):
            read(text)


@pytest.mark.parametrize(
    "changes", [one[1] for one in test_fairness.FORGERIES], ids=[one[0] for one in test_fairness.FORGERIES]
)
def test_forged_numbers_are_found(changes: dict[str, Any]) -> None:
    data = copy.deepcopy(test_fairness.DATA)
    data["fair"] = {**data["fair"], **changes}
    with pytest.raises(reader.Wrong):
        read(resealed(data))


@given(st.integers(0, len(test_matchfiles.TEXT) - 1), st.characters())
def test_an_altered_character_is_found(at: int, character: str) -> None:
    altered = test_matchfiles.TEXT[:at] + character + test_matchfiles.TEXT[at + 1 :]
    try:
        found: object = read(altered)
    except reader.Wrong:
        with pytest.raises(samizdat.MatchFileError):
            samizdat.loads(altered)
    else:
        assert found == read(test_matchfiles.TEXT)


LEAVES = st.none() | st.booleans() | st.integers(-2, 5) | st.text(max_size=3) | st.sampled_from(["0", "1", "00"])
SMALL = st.text(max_size=3)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SMALL, inner, max_size=3), max_leaves=5
)
EXAMPLE: dict[str, Any] = json.loads((RECORDED / "revolution" / "max_rounds.json").read_text("utf-8"))


@given(st.sampled_from([*reader.FIELDS, *reader.OPTIONAL]), VALUES)
def test_who_reads_by_the_page_refuses_nothing_that_we_read(name: str, value: Any) -> None:
    """And whatever it lets pass, we refuse for the rules alone."""
    data = {**EXAMPLE, name: value}
    text = resealed(data) if name != "checksum" else json.dumps(data)
    try:
        samizdat.loads(text)
        ours = ""
    except samizdat.MatchFileError as error:
        ours = str(error)
    try:
        read(text)
        passed = True
    except reader.Wrong:
        passed = False
    if not ours:
        assert passed
    elif passed:
        assert re.search(r'"moves", number|"result" is not what|"start"|luck', ours), ours


def test_a_seats_file_is_another_thing() -> None:
    with pytest.raises(reader.Wrong):
        read(dumps_seat(samizdat.game("revolution").match(seed=1), 0))
