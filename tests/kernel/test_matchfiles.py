"""Match files: altered, truncated and nonsensical ones are refused whole, with the field named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum, commitment
from tests.rulebook import RECORDED

TEXT = (RECORDED / "revolution" / "max_rounds.json").read_text(encoding="utf-8")
DATA: dict[str, Any] = json.loads(TEXT)


def resealed(**changes: Any) -> str:
    """The file with some fields changed and a fitting checksum: what a forger would write."""
    data = {**DATA, **changes}
    try:
        data["checksum"] = checksum(data)
    except (UnicodeEncodeError, RecursionError):
        data["checksum"] = "0" * 64  # nothing fits what cannot be written
    return json.dumps(data)


def deep(levels: int) -> dict[str, Any]:
    """A value inside a value, and so on."""
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"refund": found}
    return found


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
    ("luck of none", {"luck": {"1": []}}, 'Field "luck"'),
    ("luck of a ply written twice", {"luck": {"1": [0], "01": [0]}}, 'Field "luck": “01” must be a ply'),
    ("luck beyond any record", {"luck": {"1": [1 << 63]}}, "outcomes of luck were given"),
    ("luck beyond any number", {"luck": {"0": [10**4000]}}, 'Field "luck", ply 0'),
    ("too much luck", {"luck": {"1": [0] * 600}}, "at most 512 outcomes"),
    ("a seat with a nought", {"moves": [f"0{DATA['moves'][0]}", *DATA["moves"][1:]]}, "is not a seat and a move"),
    ("a move with spaces", {"moves": [f"{DATA['moves'][0]} ", *DATA["moves"][1:]]}, "is not a seat and a move"),
    ("a long illegal move", {"moves": [f"0 {' ' * 10_000}done"]}, "number 1: done is not possible now"),
    (
        "a result in floats",
        {"result": {**DATA["result"], "ranks": [float(rank) for rank in DATA["result"]["ranks"]]}},
        '"result"',
    ),
    ("an option that is none", {"options": {"players": 3}}, "has no option players"),
    ("an option without end", {"options": {"x" * 10_000: 3}}, "has no option xxx.*…; it has"),
    ("a value without end", {"options": {"refund": "x" * 10_000}}, "is True or False, not “xxx.*…”"),
    ("rules without end", {"rules": 10**4000}, "under version a number of 4,001 digits of the rules"),
    ("half a character", {"nonce": "\ud800"}, "half a character"),
    ("half a character in a name", {"\ud800": 1}, r"Field “\\ud800” does not belong"),
    ("half a character in a move", {"moves": ["0 \ud800"]}, "half a character"),
    ("a field without bottom", {"options": deep(900)}, "nested too deeply|True or False, not {.*[.]{3}"),
    ("an extra field", {"hats": 1}, "does not belong"),
]


@pytest.mark.parametrize(("changes", "message"), [one[1:] for one in FORGERIES], ids=[one[0] for one in FORGERIES])
def test_forgeries(changes: dict[str, Any], message: str) -> None:
    text = resealed(**changes)
    with pytest.raises(samizdat.MatchFileError, match=message) as caught:
        samizdat.loads(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    verdict = samizdat.verify(text)
    assert not verdict.good
    assert str(verdict.why) == str(caught.value)


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


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)  # halves of characters, too
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=8,
)


@given(st.sampled_from([field for field in DATA if field != "checksum"]), ANYTHING)
def test_noise_in_a_field(field: str, value: Any) -> None:
    """Whatever a forger puts into a field: one sentence."""
    text = resealed(**{field: value})
    with pytest.raises(samizdat.MatchFileError) as caught:
        samizdat.loads(text)
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 400
    assert str(samizdat.verify(text).why) == said


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": NaN}', '{"format": 1, "format": 2}', 7, None, b"{}"])
def test_hostile_texts(text: Any) -> None:
    with pytest.raises(samizdat.MatchFileError):
        samizdat.loads(text)


def test_a_number_without_end_is_refused_in_a_sentence_of_our_own() -> None:
    with pytest.raises(samizdat.MatchFileError, match="a number in it is longer than any match's"):
        samizdat.loads('{"format": ' + "9" * 5000 + "}")


def test_the_commitment_binds_seed_and_nonce() -> None:
    one, two = (json.loads(Match(samizdat.game("revolution"), 5, nonce=nonce).dumps()) for nonce in (1, 2))
    assert one["commitment"] != two["commitment"]
    assert one["commitment"] == commitment(5, 1)


@pytest.mark.parametrize("deals", [True, False])
def test_an_option_that_is_no_longer_offered_stays_in_its_file(deals: bool) -> None:
    """What the recorded matches carry: they are read and verified, and written again in the same words and order."""
    text = resealed(options={**DATA["options"], "deals": deals})
    assert samizdat.verify(text).good
    again = json.loads(samizdat.loads(text).dumps())
    assert list(again["options"].items()) == list({**DATA["options"], "deals": deals}.items())
    assert list(again["options"]) == ["refund", "domination", "deals", "apothecary_empty", "max_rounds"]
    assert "deals" not in json.loads(samizdat.game("revolution").match(1).dumps())["options"]


def test_every_match_has_a_nonce_of_its_own_and_keeps_it() -> None:
    one, two = (samizdat.game("revolution").match(seed=5) for _ in range(2))
    assert one.nonce != two.nonce
    assert one.dumps() == one.dumps() == one.copy().dumps() != two.dumps()
    before = one.nonce
    one.play(0, one.legal(0)[0])
    one.undo(0)
    assert one.nonce == before


# --- a file read and written again, and what is verified -------------------------------------------------


RECORDS = sorted(RECORDED.glob("*/*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_read_and_written_again_is_the_same_bytes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert samizdat.loads(text).dumps() == text


def by_hand(*wanted: int) -> Match:
    """A finished solitaire in which the first draw of some plies (0 is the deal) was given rather than drawn."""
    game, plies = samizdat.game("dual-powers", variant="solitaire"), set(wanted)
    match = Match(game, 7)
    if 0 in plies:
        match = Match(game, 7, luck=[match._deal.drawn[0][1]])
    while not match.over:
        move = match.legal(0)[0]
        trial = match.copy()
        trial.play(0, move)
        drawn = trial._played[-1].drawn
        given = match.plies + 1 in plies or (-1 in plies and match.plies > 0)
        match.play(0, move, luck=[drawn[0][1]] if given and drawn else [])
    return match


def test_scripted_luck_is_read_and_written_again() -> None:
    match = by_hand(0, -1)
    assert len(match.scripted) > 2
    assert samizdat.loads(match.dumps()).dumps() == match.dumps()


def test_verified_means_that_every_outcome_follows_from_the_seed() -> None:
    """Even outcomes that would have come anyway: whoever gave them could have given others."""
    assert samizdat.verify(by_hand().dumps()).good
    deal = samizdat.verify(by_hand(0).dumps())
    assert not deal.good
    assert str(deal.why) == "Not every outcome follows from the seed: luck was given by hand in ply 0."
    match = by_hand(0, -1)
    several = samizdat.verify(match.dumps())
    assert not several.good
    assert f"by hand in plies 0, {match.scripted[1]}, " in str(several.why)
    assert len(str(several.why)) < 200
    assert samizdat.loads(match.dumps()).scores == match.scores, "it is still read and replayed"


def test_a_published_seed_does_not_lend_its_name_to_other_luck() -> None:
    """Who knows seed and nonce of a finished match can write another deal under the same hash."""
    honest = by_hand()
    first = honest._deal.drawn[0]
    forged = Match(honest.game, honest.seed, [(first[1] + 1) % first[0]], honest.nonce)
    while not forged.over:
        forged.play(0, forged.legal(0)[0])
    one, other = json.loads(honest.dumps()), json.loads(forged.dumps())
    assert one["commitment"] == other["commitment"]
    assert samizdat.verify(honest.dumps()).good
    assert not samizdat.verify(forged.dumps()).good


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
