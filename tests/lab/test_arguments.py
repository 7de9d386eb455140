"""Arguments of the research faces: NumPy's numbers are numbers, anything else is refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import OptionError
from samizdat.lab import gymnasium, pettingzoo
from samizdat.lab.arena import Arena, Setting, read_entrants
from samizdat.lab.faces import check_env_seed
from samizdat.lab.simulation import Simulation

SEEDS: list[Any] = [-1, 1 << 63, 10**5000, 1.5, "7", True, None, "\ud800", [3], np.array([3]), np.float64(3)]


@pytest.mark.parametrize("seed", SEEDS, ids=clip)
def test_no_such_seed(seed: Any) -> None:
    game = gymnasium.env("revolution").game
    for ask in (
        check_env_seed,
        lambda seed: Simulation(game, seed),
        lambda seed: Arena(Setting("revolution"), read_entrants("random"), seed),
    ):
        with pytest.raises(OptionError, match=r"seed .* a whole number from 0 to 2") as caught:
            ask(seed)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("junk", [-1, 4, 10**5000, 1.0, "0", True, None, "\ud800", "x" * 10_000, []], ids=clip)
def test_no_such_game_seat_opponent_or_mode(junk: Any) -> None:
    asked: list[dict[str, Any]] = [{"game": junk}, {"seat": junk}, {"opponents": junk}]
    if junk is not None:
        asked += [{"render_mode": junk}, {"variant": junk}, {"players": junk}] if junk != 4 else []
    for wish in asked:
        with pytest.raises(OptionError) as caught:
            gymnasium.env(**{"game": "revolution", **wish})
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 300


def test_numpys_seats_and_seeds() -> None:
    theirs: Any = gymnasium.env("revolution", seat=np.int64(1), players=np.int64(3))  # type: ignore[arg-type]
    plain = gymnasium.env("revolution", seat=1, players=3)
    seen = [env.reset(seed=seed)[0] for env, seed in ((theirs, np.int64(5)), (plain, 5))]
    assert (seen[0]["observation"] == seen[1]["observation"]).all()
    assert theirs.match.seed == plain.match.seed == 5
    cycle = pettingzoo.env("revolution")
    cycle.reset(seed=np.uint32(5))
    assert cycle.unwrapped.match.seed == 5
