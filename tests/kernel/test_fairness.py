"""Fair luck: the seed follows from all that went into it, and from nothing else; whatever is changed is noticed."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.kernel.fairness import Fairness
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum

NUMBERS = (hashlib.sha256(b"one").hexdigest(), hashlib.sha256(b"two").hexdigest())
SECRET = int("c0ffee" * 5 + "11", 16)
GAME = samizdat.game("revolution", players=3, max_rounds=2)
FAIR = Fairness("Xk3-table_01", "2026-11-18T05:31:48Z", ((2, NUMBERS[0]), (0, NUMBERS[1])))


def played(fairness: Fairness | None = FAIR) -> Match:
    """A finished match, dealt from a seed that nobody chose."""
    seed = fairness.seed(GAME, SECRET) if fairness else 7
    match = Match(GAME, seed, nonce=SECRET)
    match.fairness, match.names = fairness, ("Ludmila", "Oskar", "Irena")
    dice = random.Random(3)
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    return match


MATCH = played()
TEXT = MATCH.dumps()
DATA: dict[str, Any] = json.loads(TEXT)
RECEIPT = {
    "format": "samizdat-receipt", "table": FAIR.table, "opened": FAIR.opened, "commitment": MATCH.commitment,
    "so_far": FAIR.so_far(GAME, MATCH.commitment, 1), "number": NUMBERS[1], "at": "2026-11-18T05:32:00Z",
}  # fmt: skip


def resealed(data: dict[str, Any]) -> str:
    """What a forger would write: every hash that he can make fits."""
    return json.dumps({**data, "checksum": checksum(data)})


def test_the_document_has_these_values() -> None:
    """Those of `docs/fair-luck.md`, by which a second implementation is tested; written out here by hand."""
    lines = ["samizdat fair luck 1: commitment", f"table {FAIR.table}", f"opened {FAIR.opened}"]
    lines += [f"secret {SECRET:032x}", ""]
    assert FAIR.commitment(SECRET) == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    box = SimpleNamespace(hash="568783b6386a2059")
    options = {"refund": False, "max_rounds": 2, "word": "é"}
    game: Any = SimpleNamespace(name="revolution", rules=1, box=box, variant="standard", players=3, options=options)
    text = (Path(__file__).parents[2] / "docs" / "fair-luck.md").read_text(encoding="utf-8")
    commitment = FAIR.commitment(SECRET)
    steps = [FAIR.so_far(game, commitment, numbers) for numbers in range(3)]
    for value in (commitment, *steps, f"{FAIR.seed(game, SECRET):032x}"):
        assert value in text, value


def test_a_file_is_read_and_written_again_byte_for_byte() -> None:
    assert samizdat.loads(TEXT).dumps() == TEXT
    verdict = samizdat.verify(TEXT, receipt=json.dumps(RECEIPT))
    assert verdict.good
    assert "in this order: Irena, Ludmila." in str(verdict.luck)
    assert "No number came from: Oskar" in str(verdict.luck)
    assert "The receipt fits" in str(verdict.receipt)


@pytest.mark.parametrize("fairness", [None, Fairness(FAIR.table, FAIR.opened)], ids=["of old", "without a number"])
def test_without_numbers_the_host_alone_made_the_seed(fairness: Fairness | None) -> None:
    verdict = samizdat.verify(played(fairness).dumps())
    assert verdict.good
    assert "The host alone made the seed" in str(verdict.luck)


def flipped(hexadecimal: str, bit: int) -> str:
    return f"{int(hexadecimal, 16) ^ (1 << bit):0{len(hexadecimal)}x}"


@given(st.sampled_from(["seed", "nonce", "commitment", 0, 1]), st.integers(0, 127))
def test_any_bit_of_any_part_is_noticed_and_named(part: str | int, bit: int) -> None:
    data = copy.deepcopy(DATA)
    if isinstance(part, str):
        data[part] = flipped(data[part], bit)
    else:
        data["fair"]["numbers"][part][1] = flipped(data["fair"]["numbers"][part][1], bit)
    verdict = samizdat.verify(resealed(data))
    assert not verdict.good
    named = {"nonce": "commitment", "commitment": "commitment"}.get(str(part), "seed")
    assert f'Field "{named}"' in str(verdict.why)


SWAPPED = [[0, NUMBERS[1]], [2, NUMBERS[0]]]
FORGERIES: list[tuple[str, dict[str, Any], str]] = [
    (
        "another table",
        {"table": "another"},
        'Field "commitment" is not the hash of the table, its time and the nonce',
    ),
    ("another time", {"opened": "2026-11-18T05:31:49Z"}, 'Field "commitment"'),
    ("a number left out", {"numbers": [[2, NUMBERS[0]]]}, 'Field "seed" does not follow'),
    ("a number too many", {"numbers": [*DATA["fair"]["numbers"], [1, NUMBERS[0]]]}, 'Field "seed" does not follow'),
    ("another order", {"numbers": SWAPPED}, 'Field "seed" does not follow'),
    ("another seat", {"numbers": [[1, NUMBERS[0]], [0, NUMBERS[1]]]}, 'Field "seed" does not follow'),
    ("no numbers", {"numbers": []}, 'Field "seed" does not follow'),
    ("a seat twice", {"numbers": [[0, NUMBERS[0]], [0, NUMBERS[1]]]}, '"numbers" must be a list of different seats'),
    ("no such seat", {"numbers": [[3, NUMBERS[0]]]}, '"numbers" must be'),
    ("a seat below none", {"numbers": [[-1, NUMBERS[0]]]}, '"numbers" must be'),
    ("a true seat", {"numbers": [[True, NUMBERS[0]]]}, '"numbers" must be'),
    ("a short number", {"numbers": [[0, "abc"]]}, '"numbers" must be'),
    ("capitals", {"numbers": [[0, NUMBERS[0].upper()]]}, '"numbers" must be'),
    ("no list", {"numbers": "x"}, '"numbers" must be'),
    ("no time", {"opened": "yesterday"}, '"opened" cannot be “yesterday”'),
    ("a table with lines", {"table": "a\nsecret 0"}, '"table" cannot be'),
    ("something more", {"hats": 1}, 'Field "fair" must hold'),
]


@pytest.mark.parametrize(("changes", "message"), [one[1:] for one in FORGERIES], ids=[one[0] for one in FORGERIES])
def test_forged_parts(changes: dict[str, Any], message: str) -> None:
    forged = resealed({**DATA, "fair": {**DATA["fair"], **changes}})
    with pytest.raises(samizdat.MatchFileError) as caught:
        samizdat.loads(forged)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("fair", [None, 7, [], {}, "x"])
def test_the_field_is_whole(fair: Any) -> None:
    with pytest.raises(samizdat.MatchFileError, match='Field "fair" must hold'):
        samizdat.loads(resealed({**DATA, "fair": fair}))


def test_without_its_field_the_file_is_forged() -> None:
    """Nobody passes a seed off as one of a host alone."""
    data = {key: value for key, value in DATA.items() if key != "fair"}
    assert 'Field "commitment"' in str(samizdat.verify(resealed(data)).why)


def test_the_game_is_part_of_the_seed() -> None:
    """Another game, or the same with other options, has other luck."""
    others = [
        samizdat.game("revolution", players=4, max_rounds=2),
        samizdat.game("revolution", players=3, max_rounds=3),
        samizdat.game("dual-powers"),
    ]
    seeds = {FAIR.seed(game, SECRET) for game in (GAME, *others)}
    assert len(seeds) == 4


@given(st.integers(0, 2), st.sampled_from([0, 1, 2, 3]))
def test_who_leaves_takes_the_number_along(seat: int, other: int) -> None:
    assert FAIR.plus(seat, NUMBERS[0]).without(seat) == FAIR.without(seat)
    assert FAIR.plus(seat, NUMBERS[0]).seats[-1] == seat
    assert len(FAIR.plus(seat, NUMBERS[0]).plus(seat, NUMBERS[1]).numbers) == len({*FAIR.seats, seat})


RECEIPTS: list[tuple[str, dict[str, Any], str]] = [
    ("of another table", {"table": "another"}, "The receipt is of another table"),
    ("with another hash", {"commitment": "0" * 64}, "the host's secret was changed after it was given"),
    ("that was not used", {"number": "0" * 64}, "The number of the receipt was not used"),
    ("after which others changed", {"so_far": "0" * 64}, "what stood fixed before it was changed after it came"),
    ("that is none", {"format": "x"}, "Not a receipt"),
    ("with half a number", {"number": "0"}, 'Not a receipt: "number" cannot be'),
]


@pytest.mark.parametrize(("changes", "message"), [one[1:] for one in RECEIPTS], ids=[one[0] for one in RECEIPTS])
def test_a_receipt_that_does_not_fit(changes: dict[str, Any], message: str) -> None:
    verdict = samizdat.verify(TEXT, receipt=json.dumps({**RECEIPT, **changes}))
    assert not verdict.good
    assert message in str(verdict.why)


@pytest.mark.parametrize("text", ["", "[", "[]", "x" * 5000, "[" * 3000])
def test_what_is_no_receipt(text: str) -> None:
    assert "Not a receipt" in str(samizdat.verify(TEXT, receipt=text).why)


def test_whoever_opened_the_table_saw_nothing_before() -> None:
    opener = {**RECEIPT, "number": NUMBERS[0], "so_far": ""}
    assert samizdat.verify(TEXT, receipt=json.dumps(opener)).good


def test_a_host_who_changes_an_earlier_number_is_found_by_a_later_receipt() -> None:
    """Playing along with the first seat, the host tries numbers for it after the last one has come: the file is
    whole, but the last browser has seen what stood before it."""
    tried = Fairness(FAIR.table, FAIR.opened, ((2, "f" * 64), FAIR.numbers[1]))
    text = played(tried).dumps()
    assert samizdat.verify(text).good
    verdict = samizdat.verify(text, receipt=json.dumps(RECEIPT))
    assert "was changed after it came" in str(verdict.why)
