"""Fair luck: a seed that nobody chose. `docs/fair-luck.md` has the protocol, for whoever writes it once more.

A host makes a secret and publishes its hash, the commitment, before anybody sits down. Each browser adds a number of
its own when it does, and sees in `so_far` that all before it stands fixed. The seed follows from all of them; the
secret and the numbers come out after the last decision.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import MatchFileError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import SEED_BITS
from samizdat.kernel.telling import Listing, Phrase

PROTOCOL = "samizdat fair luck 1"
RECEIPT = "samizdat-receipt"
HASH = re.compile(r"[0-9a-f]{64}")
NUMBER = HASH  # 256 bits
TABLE = re.compile(r"[A-Za-z0-9_-]{1,40}")
OPENED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)  # UTC
LONGEST_RECEIPT = 4096  # characters

ALONE = Phrase(
    "The host alone made the seed: nothing was changed after its hash was published, but nobody can tell whether "
    "other seeds were tried before."
)


def digest(about: str, *lines: str) -> str:
    """The hash of a text: the protocol and what the hash is of, then one line for each thing that enters it."""
    text = "".join(f"{line}\n" for line in (f"{PROTOCOL}: {about}", *lines))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Fairness:
    """What the seed of a match follows from, besides the secret of its host and what is played."""

    table: str
    opened: str  # when the secret was made
    numbers: tuple[tuple[int, str], ...] = ()  # seats and what their browsers added, in the order it came

    def commitment(self, secret: int) -> str:
        """What the host publishes before anybody sits down."""
        return digest("commitment", f"table {self.table}", f"opened {self.opened}", f"secret {_hex(secret)}")

    def so_far(self, game: Game, commitment: str, numbers: int | None = None) -> str:
        """What stands fixed after so many numbers, in one hash that gives none of them away."""
        options = json.dumps(dict(game.options), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return digest(
            "so far", f"commitment {commitment}", f"game {game.name}", f"rules {game.rules}", f"box {game.box.hash}",
            f"variant {game.variant}", f"players {game.players}", f"options {options}",
            *(f"number {seat} {digest('number', number)}" for seat, number in self.numbers[:numbers]),
        )  # fmt: skip

    def seed(self, game: Game, secret: int) -> int:
        """The seed of the match: the first half of a hash of everything."""
        standing = self.so_far(game, self.commitment(secret))
        numbers = (f"number {seat} {number}" for seat, number in self.numbers)
        found = digest("seed", f"secret {_hex(secret)}", f"so far {standing}", *numbers)
        return int(found[: SEED_BITS // 4], 16)

    def without(self, seat: int) -> Fairness:
        """Somebody else will sit there."""
        return Fairness(self.table, self.opened, tuple(one for one in self.numbers if one[0] != seat))

    def plus(self, seat: int, number: str) -> Fairness:
        """Somebody sat down there, whose browser added a number."""
        return Fairness(self.table, self.opened, (*self.without(seat).numbers, (seat, number)))

    @property
    def seats(self) -> list[int]:
        """Whose browsers added a number, the last one last."""
        return [seat for seat, _ in self.numbers]

    def written(self) -> dict[str, Any]:
        """As match files and the database have it."""
        numbers = [[seat, number] for seat, number in self.numbers]
        return {"table": self.table, "opened": self.opened, "numbers": numbers}


def _hex(secret: int) -> str:
    return f"{secret:0{SEED_BITS // 4}x}"


def read_fairness(data: Any, players: int) -> Fairness:
    """The field "fair" of a match file; MatchFileError says what is wrong with it."""
    if not isinstance(data, Mapping) or set(data) != {"table", "opened", "numbers"}:
        raise MatchFileError(Phrase('Field "fair" must hold a table, when it was opened, and numbers.'))
    for name, form in (("table", TABLE), ("opened", OPENED)):
        if not isinstance(data[name], str) or not form.fullmatch(data[name]):
            wrong = {"name": name, "value": clip(data[name])}
            raise MatchFileError(Phrase('Field "fair": "{name}" cannot be {value}.', wrong))
    numbers = data["numbers"] if isinstance(data["numbers"], list) else [data["numbers"]]
    seats = [one[0] for one in numbers if _is_number(one) and one[0] < players]
    if len(seats) != len(numbers) or len(set(seats)) != len(seats):
        raise MatchFileError(
            Phrase('Field "fair": "numbers" must be a list of different seats, each with 64 hexadecimal digits.')
        )
    return Fairness(data["table"], data["opened"], tuple((seat, number) for seat, number in numbers))


def _is_number(one: object) -> bool:
    """Whether this is a seat and what its browser added."""
    if not isinstance(one, list) or len(one) != 2 or type(one[0]) is not int or one[0] < 0:
        return False
    return isinstance(one[1], str) and NUMBER.fullmatch(one[1]) is not None


def who_made_it(fairness: Fairness | None, game: Game, names: tuple[str, ...]) -> Phrase:
    """Who could have chosen the seed. Seats are called as their owners are now; who sat there when the cards were
    dealt is not for a file to say."""
    if fairness is None or not fairness.numbers:
        return ALONE
    called = [_called(seat, names) for seat in range(game.players)]
    gave = {"gave": Listing([called[seat] for seat in fairness.seats])}
    others = [name for seat, name in enumerate(called) if seat not in fairness.seats]
    if not others:
        return Phrase(
            "The seed was made from the host's secret, which was fixed first, and numbers from the browsers at these "
            "seats, in this order: {gave}. Nobody could choose it, unless the host worked together with whoever gave "
            "the last number.",
            gave,
        )
    return Phrase(
        "The seed was made from the host's secret, which was fixed first, and numbers from the browsers at these "
        "seats, in this order: {gave}. No number came from: {others}. Nobody could choose it, unless the host worked "
        "together with whoever gave the last number.",
        gave | {"others": Listing(others)},
    )


def _called(seat: int, names: tuple[str, ...]) -> object:
    return names[seat] if names and names[seat] else Phrase("seat {seat}", {"seat": seat})


# --- receipts --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Receipt:
    """What a browser keeps of a table when it sits down there."""

    table: str
    commitment: str  # as it was published then
    so_far: str  # what stood fixed before; empty for whoever opened the table
    number: str


def read_receipt(text: str) -> Receipt:
    """A receipt as browsers save it."""
    try:
        data = json.loads(text) if len(text) <= LONGEST_RECEIPT else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != RECEIPT:
        raise MatchFileError(Phrase('Not a receipt: its field "format" must be "{format}".', {"format": RECEIPT}))
    forms = {"table": TABLE, "commitment": HASH, "so_far": re.compile(f"|{HASH.pattern}"), "number": NUMBER}
    for name, form in forms.items():
        if not isinstance(data.get(name), str) or not form.fullmatch(data[name]):
            wrong = {"name": name, "value": clip(data.get(name))}
            raise MatchFileError(Phrase('Not a receipt: "{name}" cannot be {value}.', wrong))
    return Receipt(*(data[name] for name in forms))


def check_receipt(receipt: Receipt, fairness: Fairness | None, game: Game, commitment: str) -> Phrase | None:
    """Why a match is not the one that a receipt is of, or not as it says; None if it is."""
    if fairness is None:
        return Phrase("The receipt cannot be checked: the host alone made the seed of this match.")
    if receipt.table != fairness.table:
        return Phrase("The receipt is of another table.")
    if receipt.commitment != commitment:
        return Phrase(
            "The receipt has another hash than the match: the host's secret was changed after it was given."
        )
    place = next((n for n, (_, number) in enumerate(fairness.numbers) if number == receipt.number), None)
    if place is None:
        return Phrase("The number of the receipt was not used.")
    if receipt.so_far and receipt.so_far != fairness.so_far(game, commitment, place):
        return Phrase("The number of the receipt was used, but what stood fixed before it was changed after it came.")
    return None
