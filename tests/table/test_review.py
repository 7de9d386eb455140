"""What a sceptical reader tried: races, late answers, seats given away, lost connections, hostile requests."""

from __future__ import annotations

import asyncio

import pytest

import samizdat
from samizdat.kernel.errors import GameOver
from tests.table.conftest import Site


# --- after the end -------------------------------------------------------------------------------------------


def test_nothing_is_taken_back_after_the_end_when_the_seed_is_out(site: Site) -> None:
    """Revolution's last decision reveals nothing: its match could go on with every secret known."""
    tried = 0
    for seed in range(6):
        table = site.table(samizdat.game("revolution", max_rounds=1), seed=seed)
        site.wander(table, 1000, seed)
        assert table.match is not None
        assert table.match.over
        for seat in range(4):
            tried += table.match.can_undo(seat)
            assert not table.position(seat).can_undo
            with pytest.raises(GameOver):
                site.run(site.house.undo(table, seat, None))
        assert table.status == "over"
    assert tried
