"""Box files: refused with file, line and field; edited ones play."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.box import Box
from samizdat.kernel.errors import BoxError
from samizdat.kernel.game import Definition, definition, definitions
from tests.conftest import label

REVOLUTION = definition("revolution")
TEXT = (REVOLUTION.folder / "box.toml").read_text(encoding="utf-8")


def read(tmp_path: Path, text: str | bytes) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    REVOLUTION.read_box(path)


EDITS = [
    ("spaces out of range", '["tavern", 4, 20]', '["tavern", 0, 20]', r"line 19: \[areas\] row 7, spaces: must be"),
    ("a word for a number", '["tavern", 4, 20]', '["tavern", "four", 20]', r"\[areas\] row 7, spaces: must be"),
    ("a missing value", '["tavern", 4, 20]', '["tavern", 4]', r"\[areas\] row 7: must have 3 values"),
    ("an id twice", '["tavern", 4, 20]', '["market", 4, 20]', r"\[areas\] row 7, id: “market” is used twice"),
    (
        "an unknown area",
        '"fortress",   "",',
        '"castle",   "",',
        r"line 30: \[characters\] row 1, area: “castle” is not",
    ),
    ("an unknown special", '"replace"', '"poison"', r"row 10, special: must be one of"),
    (
        "no feeder",
        '0, 0, 5, "market",     ""',
        '0, 0, 5, "",     ""',
        r"\[areas\] row 6, id: no character puts followers",
    ),
    ("provenance", 'provenance = "rulebook"', 'provenance = "hearsay"', r"\[tokens\] provenance: must be one of"),
    ("columns", '["id", "spaces", "vp"]', '["id", "vp", "spaces"]', r"\[areas\] columns: must be"),
    (
        "constant range",
        "most_characters = 6",
        "most_characters = 13",
        r"\[constants\] most_characters: must be a whole",
    ),
    ("constant missing", "token_floor = 5", "", r"\[constants\]: token_floor is missing"),
    ("unknown constant", "token_floor = 5", "token_floor = 5\nhats = 2", r"\[constants\] hats: unknown"),
    (
        "too few followers",
        "followers = 25",
        "followers = 14",
        r"\[constants\] followers: three players need at least 15",
    ),
    ("unknown table", "[constants]", "[hats]\nx = 1\n[constants]", r"\[hats\]: unknown"),
    ("token order", '["force",     1, 5]', '["guile",     1, 5]', r"\[tokens\] row 1, id: the tokens are force"),
    ("no Force at the start", "1, 5],\n", "0, 5],\n", None),
    ("an ambiguous id", '["green"]', '["empty"]', r"\[colours\] row 3: “empty” would mean two things among the own"),
    ("another game", 'game = "revolution"', 'game = "chess"', "this is not a box for revolution"),
    ("broken TOML", "[areas]", "[areas", r"not valid TOML: .*line 7"),
    (
        "a number without end",
        '["tavern", 4, 20]',
        f'["tavern", {"9" * 5000}, 20]',
        r"my.toml, line 19: \[areas\] row 7, spaces: must be a whole number from 1 to 120, not 999",
    ),
    (
        "a constant without end",
        "token_floor = 5",
        f"token_floor = {'9' * 5000}",
        r"my.toml, line \d+: \[constants\] token_floor: must be a whole number",
    ),
    ("sixteen digits", '["tavern", 4, 20]', f'["tavern", 0x{"f" * 9000}, 20]', r"row 7, spaces: must be .* digits"),
    ("a source in digits", 'source = "', f'source = {"9" * 5000} #"', r"\[\w+\] source: must be a text"),
    ("a name in digits", 'name = "Revolution!"', f"name = {'9' * 5000}", r"my.toml, line 2: name must be a text"),
    ("a game in digits", 'game = "revolution"', f"game = {'9' * 5000}", "this is not a box for revolution"),
    ("a key of many parts", "[areas]", ".".join("a" * 40) + " = 1\n[areas]", r"my.toml, line 7: a key of more than"),
    ("quoted parts", "[areas]", " . ".join(['"a"', "'b'"] * 20) + " = 1\n[areas]", r"line 7: a key of more than"),
    ("a header of many parts", "[areas]", f"[{'.'.join('a' * 40)}]\n[areas]", r"my.toml, line 7: a key of more than"),
    ("parts within braces", "[areas]", f"x = {{ {'.'.join('a' * 40)} = 1 }}\n[areas]", r"line 7: a key of more than"),
    ("a long unknown table", "[constants]", f"[{'x' * 9000}]\ny = 1\n[constants]", r"\[xxx.*…\]: unknown"),
    ("a long unknown key", "token_floor = 5", f"{'x' * 9000} = 5", r"\[constants\] xxx.*…: unknown"),
    ("a key of two lines", "token_floor = 5", '"x\\ny" = 5', r"\[constants\] x\\ny: unknown"),
    ("a table twice", "[constants]", f"[{'x' * 9000}]\n[{'x' * 9000}]", r"not valid TOML: .*… \(at line \d+, col"),
]


@pytest.mark.parametrize(("old", "new", "message"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_edits(old: str, new: str, message: str | None, tmp_path: Path) -> None:
    assert old in TEXT
    edited = TEXT.replace(old, new, 1)
    if message is None:
        read(tmp_path, edited)
        return
    with pytest.raises(BoxError, match=message) as caught:
        read(tmp_path, edited)
    assert "my.toml" in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500 + len(str(tmp_path))


def test_a_large_file_is_not_even_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of 26,000 parts (104 KB) took 2.6 GB; so would many shorter ones, in a file of any size."""
    monkeypatch.setattr("tomllib.loads", lambda text: pytest.fail("parsed"))
    with pytest.raises(BoxError, match=r"my.toml, line 1: a key of more than 16 parts"):
        read(tmp_path, "abc." * 26_000 + "d = 1")
    with pytest.raises(BoxError, match=r"my.toml: larger than 256 KB"):
        read(tmp_path, "# a remark\n" * 30_000)
    with pytest.raises(BoxError, match="larger than 256 KB"):
        REVOLUTION.read_box(Path("/dev/zero"))


def test_dots_in_texts_and_numbers_are_no_keys(tmp_path: Path) -> None:
    text = TEXT.replace('source = "', f'source = "{"etc. " * 60}{"." * 200}{"1.5, " * 60}', 1)
    assert text != TEXT
    read(tmp_path, f"# {'.' * 200}\n# {'a ' * 200}\n" + text)


# Patterns that match in many rows: the first that the box's own check refuses.
WHOLE_COLUMNS = [
    (
        "nobody takes force",
        r'(\["\w+", +)(true|false)',
        r"\1true",
        6,
        r"\[characters\] rows: somebody must take Force",
    ),
    ("nobody takes blackmail", r'(\["\w+", +\w+, +)(true|false)', r"\1true", 6, r"and somebody Blackmail \(R5\.2\)"),
    (
        "nobody takes both",
        "false, false",
        "true, false",
        1,
        r"most_characters: must be 2 or more, since nobody takes",
    ),
    ("nobody takes both, two may be bid on", "false, false", "true, false", 2, None),
    ("no tokens at all", r'("(force|blackmail|gold)", +)\d', r"\g<1>0", 6, r"\[tokens\] rows: .* at least one token"),
]


@pytest.mark.parametrize(
    ("old", "new", "most", "message"), [edit[1:] for edit in WHOLE_COLUMNS], ids=[edit[0] for edit in WHOLE_COLUMNS]
)
def test_hands_that_nobody_could_lay_are_refused(
    old: str, new: str, most: int, message: str | None, tmp_path: Path
) -> None:
    edited, times = re.subn(old, new, TEXT.replace("most_characters = 6", f"most_characters = {most}"))
    assert times > 1
    if message is None:
        read(tmp_path, edited)
        return
    with pytest.raises(BoxError, match=message):
        read(tmp_path, edited)


@given(st.binary(max_size=400))
def test_noise_is_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    with pytest.raises(BoxError):
        read(tmp_path_factory.mktemp("box"), data)


@given(st.integers(0, len(TEXT)), st.integers(0, 60), st.text(max_size=12))
def test_damaged_boxes_are_refused_or_play(
    tmp_path_factory: pytest.TempPathFactory, at: int, cut: int, insert: str
) -> None:
    """Whatever happens to a box file: either one clear sentence, or a box with which a game can be played."""
    path = tmp_path_factory.mktemp("box") / "my.toml"
    path.write_text(TEXT[:at] + insert + TEXT[at + cut :], encoding="utf-8", errors="replace")
    refusal = None
    try:
        game = samizdat.game("revolution", players=3, box=path, max_rounds=2)
    except BoxError as error:
        refusal = str(error)
    if refusal is not None:
        assert "my.toml" in refusal
        assert "\n" not in refusal
        return
    rng = random.Random(0)
    match = game.match(1)
    while not match.over:
        seat = match.turn[0]
        match.play(seat, rng.choice(match.legal(seat)))


def test_a_smaller_box_plays(tmp_path: Path) -> None:
    """Three areas, four characters, two of which may be bid on: the same code, to the end, under the same laws."""
    text = TEXT
    for area in ("fortress", "town_hall", "harbor", "cathedral"):
        text = "\n".join(line for line in text.splitlines() if f'["{area}"' not in line)
    for who in ("general", "captain", "magistrate", "priest", "printer", "rogue", "mercenary", "spy"):
        text = "\n".join(line for line in text.splitlines() if f'["{who}"' not in line)
    text = text.replace("most_characters = 6", "most_characters = 2")
    path = tmp_path / "small.toml"
    path.write_text(text, encoding="utf-8")
    game = samizdat.game("revolution", players=3, box=path)
    laws = game.definition.laws
    for seed in range(5):
        rng = random.Random(seed)
        match = game.match(seed)
        while not match.over:
            seat = rng.choice(match.turn)
            match.play(seat, rng.choice(match.legal(seat)))
            assert laws.broken(game.box.record, match._state) == 0
        assert match.plies <= game.longest
        assert samizdat.loads(match.dumps()).scores == match.scores
        assert samizdat.loads(match.dumps(), box=path).scores == match.scores


@pytest.mark.parametrize("found", definitions().values(), ids=label)
def test_comments_do_not_change_the_hash_but_numbers_do(found: Definition, tmp_path: Path) -> None:
    text = (found.folder / "box.toml").read_text(encoding="utf-8")
    path = tmp_path / "same.toml"
    path.write_text("# a remark\n" + text.replace("columns =", "columns   ="), encoding="utf-8")
    assert found.read_box(path).hash == found.standard_box.hash


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(BoxError, match="cannot be read"):
        REVOLUTION.read_box(tmp_path / "none.toml")
    with pytest.raises(BoxError, match="UTF-8"):
        read(tmp_path, b"\xff\xfe\x00")
    with pytest.raises(BoxError, match=r"nested too deeply|not valid TOML"):
        read(tmp_path, "game = " + "[" * 5000)


@pytest.mark.parametrize("found", definitions().values(), ids=label)
def test_no_id_makes_two_moves_read_the_same(found: Definition, tmp_path: Path) -> None:
    """A word that the game itself uses, or another table, as an id: refused, or every move still has its own text."""
    text = (found.folder / "box.toml").read_text(encoding="utf-8")
    tables = {name: rows for name, rows in found.standard_box.text.tables.items() if "id" in rows[0]}
    ids = {row["id"] for rows in tables.values() for row in rows}
    kinds = found.moves.kinds.values()
    own = {kind.name for kind in kinds} | {
        word for kind in kinds for names in kind.args.values() for word in names.fixed
    }
    derived = {word for words in found.standard_box.names.values() for word in words} - ids
    words = sorted(own)[:2] + sorted(derived)[:1] + sorted(derived)[-3:] + [rows[0]["id"] for rows in tables.values()]
    for table, rows in tables.items():
        for word in words:
            path = tmp_path / "my.toml"
            path.write_text(text.replace(f'"{rows[-1]["id"]}"', f'"{word}"'), encoding="utf-8")
            try:
                box = found.read_box(path)
            except BoxError:
                continue
            for names in box.names.values():
                assert len(set(names)) == len(names), f"[{table}]: {word}"
    notation = found.moves.bind(found.standard_box.names)
    assert len(notation.by_text) == sum(move is not None for move in notation.all)


def test_names_that_no_table_gives_are_held_apart_too() -> None:
    box = REVOLUTION.standard_box
    with pytest.raises(BoxError, match=r"\[hats\]: “top” would mean two things among the hats"):
        Box(box.name, box.record, box.text, {"hats": ("top", "top")})
