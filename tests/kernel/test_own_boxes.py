"""Boxes of one's own, for every game: refused in a sentence with row and field, or played to the end; written, read
and replayed elsewhere they are the same."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.box import CONSTANTS, COPY, BoxFile, BoxText, Column
from samizdat.kernel.boxfile import write_box
from samizdat.kernel.errors import BoxError, MatchFileError
from samizdat.kernel.game import Definition, Game, box_of, definitions
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum, loads
from samizdat.kernel.verdicts import verify
from samizdat.table.boxes import house_text
from tests.conftest import DOSE, label

GAMES = [found for found in definitions().values() if found.read_box is not None]
SHORT = {"revolution": {"max_rounds": 2}}  # by chance the town fills after dozens of rounds only
MOST_PLIES = 2000  # of a match played here; boxes of long ones are only dealt


def other_value(dice: random.Random, text: BoxText, column: Column, old: Any) -> Any:
    """Another value for a field: mostly one that the field could have, now and then one that it cannot."""
    if dice.random() < 0.08:
        return dice.choice([-7, 99_999, "", "nobody", True, [], ["nobody"], "Żółw"])
    if column.kind == "flag":
        return not old
    if column.choices:
        return dice.choice(column.choices)
    if column.kind == "int":
        near = old + dice.choice([-2, -1, 1, 2]) if isinstance(old, int) else column.low
        return dice.choice([near, near, near, dice.randint(column.low, column.high)])
    if column.kind == "ref":
        return dice.choice(text.ids(column.table))
    if column.kind == "refs":
        return [dice.choice(text.ids(column.table)) for _ in range(dice.randint(0, 3))]
    return old if column.kind != "text" else dice.choice(["", "Another name", "“\\\x7f\n"])


def edited(found: Definition, seed: int) -> BoxText:
    """Everybody's box with some of its values changed, rows taken out or doubled."""
    dice, text = random.Random(seed), house_text(found)
    for _ in range(dice.randint(1, 4)):
        if dice.random() < 0.2:
            constant = dice.choice(text.layout.constants)
            old = text.constants[constant.name]
            text.constants[constant.name] = dice.choice([old - 1, old + 1, constant.low, constant.high, -1])
            continue
        table = dice.choice([one for one in text.layout.tables if text.tables[one.name]])
        rows = text.tables[table.name]
        number = dice.randrange(len(rows))
        if dice.random() < 0.1:
            del rows[number]
        elif dice.random() < 0.05:
            rows.append(dict(rows[number]))
        else:
            column = dice.choice(table.columns)
            rows[number] = {
                **rows[number], column.name: other_value(dice, text, column, rows[number][column.name])
            }  # fmt: skip
    return text


def read(found: Definition, text: BoxText) -> samizdat.BoxError | Any:
    return found.box_from(BoxFile("mine.toml", write_box(text)))


def named(found: Definition, error: BoxError) -> None:
    """A refusal says where: the table, and the row or the field as far as it is about one."""
    words = str(error)
    assert words.startswith("mine.toml")
    assert "\n" not in words
    assert words.isprintable()
    assert f"[{error.table}]" in words
    known = {table.name: table for table in found.standard_box.text.layout.tables}
    if error.row is not None:
        assert f"row {error.row + 1}" in words
        assert not error.column or error.column in words
    if error.table == CONSTANTS:
        assert error.column in found.standard_box.text.constants
    elif error.column:
        assert error.column in [column.name for column in known[error.table].columns]
    assert error.row is not None or error.column or "row" in words


def to_the_end(match: Match, seed: int) -> Match:
    dice = random.Random(seed)
    while not match.over and match.plies < MOST_PLIES:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
        assert match.game.definition.laws.broken(match.game.box.record, match._state) == 0
    assert match.plies <= match.game.longest
    return match


def some_game(found: Definition, box: Any, seed: int) -> Game:
    dice = random.Random(seed)
    variant = dice.choice(list(found.variants))
    return found.choose(dice.choice(found.variants[variant]), variant, box, **SHORT.get(found.name, {}))


@pytest.mark.parametrize("found", GAMES, ids=label)
@settings(max_examples=25 * DOSE)
@given(seed=st.integers(0, 1 << 30))
def test_any_edit_is_played_to_the_end_or_refused_by_row_and_field(found: Definition, seed: int) -> None:
    try:
        box = read(found, edited(found, seed))
    except BoxError as error:
        named(found, error)
        return
    assert to_the_end(some_game(found, box, seed).match(seed), seed).plies


@pytest.mark.parametrize("found", GAMES, ids=label)
@settings(max_examples=20 * DOSE)
@given(seed=st.integers(0, 1 << 30))
def test_written_and_read_again_it_is_the_same_box(found: Definition, seed: int) -> None:
    try:
        box = read(found, edited(found, seed))
    except BoxError:
        return
    again = read(found, box.text)
    assert again.hash == box.hash
    assert write_box(again.text) == write_box(box.text)
    assert again.record == box.record


@pytest.mark.parametrize("found", GAMES, ids=label)
def test_the_hash_is_of_what_is_printed_alone(found: Definition) -> None:
    """Who says so, and what the owner calls it, change nothing; any number does. So it is in another process."""
    text = house_text(found)
    table = next(one for one in text.layout.tables if one.facts)
    text.name = "Mine"
    text.marks[table.name] = {text.address(table.name, 0): COPY}
    marked = read(found, text)
    assert marked.hash == found.standard_box.hash
    name = next(iter(text.constants))
    text.constants[name] = next(
        value for value in (text.constants[name] + 1, text.constants[name] - 1) if _good(found, text, name, value)
    )
    changed = read(found, text)
    assert changed.hash != found.standard_box.hash
    code = (
        "import sys; from samizdat.kernel.game import box_of; "
        f"print(box_of({found.name!r}, sys.stdin.read()).hash)"
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code], input=write_box(text), capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == changed.hash, done.stderr


def _good(found: Definition, text: BoxText, name: str, value: int) -> bool:
    before = text.constants[name]
    text.constants[name] = value
    try:
        read(found, text)
    except BoxError:
        return False
    finally:
        text.constants[name] = before
    return True


def test_where_a_value_comes_from() -> None:
    """What is said of one value counts before its row, its column and its table."""
    found = definitions()["revolution"]
    areas = next(table for table in found.standard_box.text.layout.tables if table.name == "areas")
    spaces, vp = areas.facts
    text = house_text(found)
    told = lambda row, column: text.origin("areas", row, column)  # noqa: E731
    assert [told(4, spaces), told(4, vp)] == ["public", "rulebook"], "the Plantation's points alone"
    assert told(3, spaces) == "rulebook", "all of the Cathedral"
    text.marks["areas"] = {".vp": "reconstructed", "fortress": COPY, "harbor.vp": COPY}
    assert [told(0, spaces), told(0, vp), told(2, vp), told(2, spaces), told(1, vp)] == [
        COPY, COPY, COPY, "public", "reconstructed",
    ]  # fmt: skip
    again = read(found, text).text
    assert again.marks["areas"] == text.marks["areas"]


def test_a_mark_goes_with_its_row_but_a_slip_is_refused() -> None:
    found = definitions()["revolution"]
    text = write_box(house_text(found))
    assert 'rulebook = ["cathedral", "plantation.vp"]' in text
    gone = text.replace('"cathedral", "plantation.vp"', '"castle", "plantation.vp"')
    assert "castle" not in found.box_from(BoxFile("mine.toml", gone)).text.marks["areas"]
    for slip in ('"plantation.points"', '".points"'):
        with pytest.raises(BoxError, match=r"\[areas\] rulebook: there is no “.*points” in this table"):
            found.box_from(BoxFile("mine.toml", text.replace('"plantation.vp"', slip)))
    with pytest.raises(BoxError, match=r"\[constants\] public: there is no “hats”"):
        found.box_from(BoxFile("mine.toml", text.replace('public = ["followers"]', 'public = ["hats"]')))
    with pytest.raises(BoxError, match=r"\[areas\] rulebook: must be a list of texts, not 3"):
        found.box_from(
            BoxFile("mine.toml", text.replace('rulebook = ["cathedral", "plantation.vp"]', "rulebook = 3"))
        )


# --- match files -----------------------------------------------------------------------------------------


def own_match(found: Definition, seed: int = 5, over: bool = True) -> Match:
    """A match with the box that everybody has for solvers: it is another one than everybody's."""
    game = found.choose(box="reduced")
    match = game.match(seed)
    return to_the_end(match, seed) if over else match


@pytest.mark.parametrize("found", GAMES, ids=label)
def test_a_stranger_replays_a_match_with_its_box(found: Definition, tmp_path: Path) -> None:
    """In a process that has nothing but the file."""
    match = own_match(found)
    file = tmp_path / "match.json"
    file.write_text(match.dumps(), encoding="utf-8")
    again = loads(file.read_text(encoding="utf-8"))
    assert again.dumps() == match.dumps()
    assert verify(match.dumps()).good
    for command in ("replay", "verify"):
        done = subprocess.run(
            [sys.executable, "-m", "samizdat", command, str(file)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert box_of(found.name, json.loads(match.dumps())["printed"]).hash == match.game.box.hash


@pytest.mark.parametrize("found", GAMES, ids=label)
def test_everybodys_box_need_not_travel(found: Definition) -> None:
    assert "printed" not in json.loads(found.choose().match(1).dumps())
    assert "printed" not in json.loads(found.choose().match(1).dumps_seat(0))
    running = own_match(found, over=False)
    assert json.loads(running.dumps_seat(0))["printed"] == running.game.printed, "no secret: everybody may read it"
    assert loads(running.dumps()).game.box.hash == running.game.box.hash


def forged(match: Match, **fields: Any) -> str:
    data = {**json.loads(match.dumps()), **fields}
    data["checksum"] = checksum(data)
    return json.dumps(data)


def test_a_box_that_does_not_fit_its_match_is_refused() -> None:
    found = definitions()["revolution"]
    match = own_match(found)
    printed = match.game.printed
    assert printed is not None
    floor = match.game.box.text.constants["token_floor"]
    other = printed.replace(f"token_floor = {floor}", f"token_floor = {floor + 1}")
    assert other != printed
    refusals = {
        r'Field "printed": the box in it \(\w{16}\) is not the one': {"printed": other},
        r'Field "printed": the box in it cannot be played: .*\[constants\] token_floor: must be a whole number': {
            "printed": printed.replace(f"token_floor = {floor}", "token_floor = 0")
        },
        r'Field "printed" has the wrong type': {"printed": 3},
        r'Field "printed" is not what this program would write': {"printed": "# a remark\n" + printed},
    }
    for words, fields in refusals.items():
        with pytest.raises(MatchFileError, match=words):
            loads(forged(match, **fields))
    standard = found.choose(max_rounds=1).match(1)
    with pytest.raises(MatchFileError, match="is not what this program would write"):
        loads(forged(standard, printed=write_box(standard.game.box.text)))
    data = json.loads(match.dumps())
    del data["printed"]
    data["checksum"] = checksum(data)
    with pytest.raises(MatchFileError, match="another box"):
        loads(json.dumps(data))
