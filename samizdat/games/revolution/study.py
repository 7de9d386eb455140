"""Revolution!: what a designer would count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.revolution.rules import majority, tokens_score
from samizdat.games.revolution.show import score_sheet
from samizdat.games.revolution.state import WINS, State
from samizdat.kernel.game import Game
from samizdat.kernel.studies import Study, Tally


def areas_led(game: Game, s: State) -> list[list[int]]:
    """R8.3"""
    printed: Any = game.box.record
    leaders = [majority(printed, s, area) for area in range(printed.areas)]
    return [[int(leader == seat) for seat in range(s.seats)] for leader in leaders]


def parts(game: Game, s: State) -> Mapping[str, Sequence[int]]:
    """R8.2-R8.4"""
    sheet = score_sheet(game, s)
    return {
        "on the track": [one["track"] for one in sheet],
        "for tokens": [tokens_score(game.box.record, s, seat) for seat in range(s.seats)],  # type: ignore[arg-type]
        "for areas": [sum(one["areas"].values()) for one in sheet],
    }


STUDY = Study(
    tallies=(
        Tally("Areas led at the end", "areas", ended=areas_led),
        Tally("Townspeople won", "characters", "once for each offer that won", told={WINS: (1, 0)}),
        Tally("Townspeople bid for", "characters", "once for each token laid", kinds={"bid": "character"}),
        Tally("Tokens laid", "tokens", "once for each token laid", kinds={"bid": "token"}),
    ),
    parts=parts,
    ends={"city_full": "a full town", "max_rounds": "the last round"},
)
