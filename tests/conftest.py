"""Shared by all tests: which games there are, and every way of setting one up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from samizdat.conformance.games import DOSE, all_options, every_game, full_tables, label, plain_games
from tests.postgres import Postgres, postgres

__all__ = ["DOSE", "all_options", "every_game", "full_tables", "label", "plain_games"]

settings.register_profile(
    "samizdat",
    max_examples=60 * DOSE,
    deadline=None,  # machines are noisy: no test asserts a time
    derandomize=DOSE == 1,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("samizdat")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no worker is left alone with it at the end; then what a browser drives,
    all of it together, so that it is started once. That, but nothing else, is run once more when it fails, and named
    in the end. What needs PyTorch is left to `make test-torch`, also where PyTorch happens to be installed."""

    def driven(item: pytest.Item) -> bool:
        return "chromium" in getattr(item, "fixturenames", ())

    if config.option.markexpr != "torch":
        for item in items:
            if item.get_closest_marker("torch"):
                item.add_marker(pytest.mark.skip(reason="make test-torch"))
    for item in filter(driven, items):
        item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: 1 if driven(item) else 0 if item.get_closest_marker("slow") else 2)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgres]:
    """A PostgreSQL server, for whoever asks."""
    with postgres() as server:
        yield server
