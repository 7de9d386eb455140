"""Whether a finished match is as it should be: `verify` replays its file and says so, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.fairness import check_receipt, read_receipt, who_made_it
from samizdat.kernel.matchfile import loads
from samizdat.kernel.telling import Listing, Many, Phrase

PLIES_NAMED = 8  # of those whose luck was given
FROM_A_POSITION = Phrase(
    "This match began from a prepared position, not from a deal: not verifiable, unrated. Its decisions can be "
    "replayed, but nobody can tell who prepared it, and how."
)
RECEIPT_FITS = Phrase("The receipt fits: its number was used, and all before it stood fixed when it came.")


@dataclass(frozen=True)
class Verdict:
    """What `verify` says: yes or no, and why, to be said in any language; and who could have chosen the seed."""

    good: bool
    why: Phrase | Many | str
    luck: Phrase | None = None  # of a match that is as it should be
    receipt: Phrase | None = None  # and of a receipt that fits it


def verify(text: str, box: str | Path | None = None, receipt: str | None = None) -> Verdict:
    """Replay a finished match and say whether every outcome follows from the seed, and the result from the moves;
    with a browser's receipt also whether what that browser added is in it."""
    try:
        match = loads(text, box)
    except SamizdatError as error:
        return Verdict(False, error.args[0])
    if match.start is not None:
        return Verdict(False, FROM_A_POSITION)
    if not match.over:
        return Verdict(False, Phrase("The match is not finished: nobody has won yet."))
    if given := match.scripted:  # whoever knows the seed could write any luck under its hash
        named = [*given[:PLIES_NAMED], *(["…"] if len(given) > PLIES_NAMED else [])]
        return Verdict(
            False,
            Many(
                "Not every outcome follows from the seed: luck was given by hand in ply {plies}.",
                "Not every outcome follows from the seed: luck was given by hand in plies {plies}.",
                len(given),
                {"plies": Listing(named)},
            ),
        )
    facts = {"hash": match.commitment[:16], "scores": Listing(match.scores)}
    luck = who_made_it(match.fairness, match.game, match.names)
    if receipt is not None:
        try:
            wrong = check_receipt(read_receipt(receipt), match.fairness, match.game, match.commitment)
        except SamizdatError as error:
            wrong = error.args[0]
        if wrong is not None:
            return Verdict(False, wrong)
    return Verdict(
        True,
        Many(
            "{n} decision replayed; all luck follows from the seed, which fits the hash {hash}… published before "
            "the first; scores {scores}.",
            "{n} decisions replayed; all luck follows from the seed, which fits the hash {hash}… published before "
            "the first; scores {scores}.",
            match.plies,
            facts,
        ),
        luck,
        None if receipt is None else RECEIPT_FITS,
    )
