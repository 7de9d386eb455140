"""Match files: altered, truncated and nonsensical ones are refused whole, with the field named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.matchfile import checksum, commitment, dumps
from tests.rulebook import RECORDED

TEXT = (RECORDED / "revolution" / "max_rounds.json").read_text(encoding="utf-8")
DATA: dict[str, Any] = json.loads(TEXT)


def resealed(**changes: Any) -> str:
    """The file with some fields changed and a fitting checksum: what a forger would write."""
    data = {**DATA, **changes}
    data["checksum"] = checksum(data)
    return json.dumps(data)


FORGERIES = [
    ("game", {"game": "chess"}, "There is no game"),
    ("rules", {"rules": 99}, 'Field "rules"'),
    ("box", {"box": "0" * 16}, "another box"),
    ("variant", {"variant": "blitz"}, "has no variant"),
    ("players", {"players": 7}, "is for 3 or 4 players"),
    ("option", {"options": {"hats": True}}, "has no option hats"),
    ("option value", {"options": {"refund": 1}}, "Option refund is True or False"),
    ("seed", {"seed": "xyz"}, 'Field "seed" must be 32 hexadecimal digits'),
    ("another seed", {"seed": "0" * 32}, 'Field "commitment"'),
    ("nonce", {"nonce": "F" * 32}, 'Field "nonce"'),
    ("a move", {"moves": ["0 castle", *DATA["moves"][1:]]}, 'Field "moves", number 1: “castle” is no move'),
    ("no seat", {"moves": ["done", *DATA["moves"][1:]]}, 'Field "moves", number 1'),
    ("not a text", {"moves": [7]}, 'Field "moves", number 1'),
    ("an illegal move", {"moves": ["0 done"]}, r"number 1: done is not possible now: every token must be laid.*R5.2"),
    ("a strange seat", {"moves": ["9 done"]}, "There is no seat 9"),
    ("a shorter match", {"moves": DATA["moves"][:-1]}, 'Field "result"'),
    (
        "another result",
        {"result": {"reason": "city_full", "scores": [1, 2, 3, 4], "ranks": [1, 2, 3, 4]}},
        '"result"',
    ),
    ("no result", {"result": None}, 'Field "result"'),
    ("luck", {"luck": {"1": [3]}}, "outcomes of luck were given"),
    ("luck of no ply", {"luck": {"99999": [0]}}, "a ply that was not played"),
    ("luck of the deal", {"luck": {"0": [1]}}, 'Field "luck", ply 0'),
    ("luck nonsense", {"luck": {"x": [0]}}, 'Field "luck"'),
    ("an extra field", {"hats": 1}, "does not belong"),
]


@pytest.mark.parametrize(("changes", "message"), [one[1:] for one in FORGERIES], ids=[one[0] for one in FORGERIES])
def test_forgeries(changes: dict[str, Any], message: str) -> None:
    text = resealed(**changes)
    with pytest.raises(samizdat.MatchFileError, match=message):
        samizdat.loads(text)
    assert not samizdat.verify(text).good


@pytest.mark.parametrize("field", list(DATA))
def test_every_field_is_needed_and_typed(field: str) -> None:
    data = {key: value for key, value in DATA.items() if key != field}
    with pytest.raises(samizdat.MatchFileError, match=field):
        samizdat.loads(json.dumps(data))
    with pytest.raises(samizdat.MatchFileError):
        samizdat.loads(json.dumps({**DATA, field: 3.5}))


@given(st.integers(1, len(TEXT) - 2))
def test_truncated_files(length: int) -> None:
    with pytest.raises(samizdat.MatchFileError):
        samizdat.loads(TEXT[:length])


@given(st.integers(0, len(TEXT) - 1), st.characters())
def test_one_altered_character(at: int, character: str) -> None:
    """An alteration is noticed, unless it is white space between the fields."""
    altered = TEXT[:at] + character + TEXT[at + 1 :]
    try:
        same = json.loads(altered) == DATA
    except ValueError:
        same = False
    if same:
        samizdat.loads(altered)
    else:
        with pytest.raises(samizdat.MatchFileError):
            samizdat.loads(altered)


@given(st.text(max_size=200) | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner:
       st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10).map(json.dumps))  # fmt: skip
def test_noise(text: str) -> None:
    with pytest.raises(samizdat.MatchFileError):
        samizdat.loads(text)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": NaN}', '{"format": 1, "format": 2}', 7, None, b"{}"])
def test_hostile_texts(text: Any) -> None:
    with pytest.raises(samizdat.MatchFileError):
        samizdat.loads(text)


def test_a_number_without_end_is_refused_in_a_sentence_of_our_own() -> None:
    with pytest.raises(samizdat.MatchFileError, match="a number in it is longer than any match's"):
        samizdat.loads('{"format": ' + "9" * 5000 + "}")


def test_the_commitment_binds_seed_and_nonce() -> None:
    match = samizdat.game("revolution").match(seed=5)
    one, two = (json.loads(dumps(match, nonce)) for nonce in (1, 2))
    assert one["commitment"] != two["commitment"]
    assert one["commitment"] == commitment(5, 1)


def test_luck_that_nobody_asks_for_is_refused() -> None:
    """Revolution! draws nothing, so giving luck is an error that changes nothing."""
    match = samizdat.game("revolution").match(seed=5)
    before = match.dumps()
    with pytest.raises(samizdat.MoveError, match="outcomes of luck were given"):
        match.play(0, match.legal(0)[0], luck=[0])
    assert json.loads(match.dumps())["moves"] == json.loads(before)["moves"] == []
    assert match.turn == (0, 1, 2, 3)


# --- names ---------------------------------------------------------------------------------------------------

NAMES = ("Ludmila", "Żółć", "")


def with_names() -> str:
    match = samizdat.game("revolution", players=3).match(seed=5)
    match.play(0, match.legal(0)[0])
    match.names = NAMES
    return match.dumps()


def test_names_travel_in_the_file() -> None:
    text = with_names()
    match = samizdat.loads(text)
    assert match.names == NAMES
    assert json.loads(text)["seats"] == list(NAMES)
    again = json.loads(match.copy().dumps())
    assert again["seats"] == list(NAMES)
    assert "seats" not in json.loads(samizdat.game("revolution").match(seed=5).dumps()), "nobody need have one"


@pytest.mark.parametrize(
    "seats", ["Ludmila", {}, 3, None, [], ["a", "b"], ["a", "b", 3], ["a", "b", "c" * 61]], ids=str
)
def test_names_that_are_none_are_refused(seats: object) -> None:
    data = json.loads(with_names()) | {"seats": seats}
    data["checksum"] = checksum(data)
    with pytest.raises(samizdat.MatchFileError, match='Field "seats" must be a list of 3 names'):
        samizdat.loads(json.dumps(data))
