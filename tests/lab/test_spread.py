"""What docs/observations.md says of how observations spread, held against the games as they are."""

from __future__ import annotations

import numpy as np
import pytest

from samizdat.kernel.game import Game
from samizdat.lab.observations import varying
from tests.conftest import label, plain_games
from tests.lab.spread import (
    CAUSES,
    SPREAD_HEAD,
    by_field,
    causes,
    name_of,
    on_the_page,
    share,
    spread,
    still_fields,
    still_table,
)

TOLERANCE = 3  # points: a change of the rules may move a few numbers


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_everything_that_cannot_vary_has_one_cause(game: Game) -> None:
    found = np.stack(list(causes(game).values()))
    assert list(causes(game)) == list(CAUSES)
    assert np.array_equal(found.sum(0), ~varying(game))


def test_the_page_says_what_cannot_vary() -> None:
    assert on_the_page("still") == still_table()
    assert on_the_page("fields") == still_fields()


def stated(game: Game) -> dict[str, str]:
    """The row of a game in the table of how numbers spread."""
    for line in on_the_page("spread").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[:3] == [str(part) for part in name_of(game)]:
            return dict(zip(SPREAD_HEAD, cells, strict=True))
    raise AssertionError(f"{label(game)} is not on the page")


@pytest.mark.slow
@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_page_says_how_the_rest_spreads(game: Game) -> None:
    row, found, can = stated(game), spread(game), varying(game)
    moving = ~found.still
    assert not (moving & ~can).any(), "what cannot vary moved"
    assert np.abs(np.concatenate((found.low, found.high))).max() <= 1
    measured = {
        "can vary, did not": share(can & found.still, can),
        "below 0.02": share(found.small, moving),
        "crushed": share(found.crushed, moving),
    }
    for name, value in measured.items():
        assert abs(int(row[name].removesuffix(" %")) - value) <= TOLERANCE, (name, value)
    assert abs(float(row["median"]) - float(np.median(found.deviation[moving]))) < 0.03
    for name, mask in (("did not move", can & found.still), ("deviation below 0.02", found.small)):
        missing = [field for field, *_ in by_field(game, mask) if f"`{field}`" not in row[name]]
        assert not missing, f"{name}: {missing} not on the page; python -m tests.lab.spread --update"
