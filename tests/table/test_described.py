"""The API as its own description has it (OpenAPI): whatever is asked, within it or not, is answered as described.

Questions are thought up by schemathesis and asked in-process; `SAMIZDAT_DOSE` asks more of them.
"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

import samizdat
from tests.conftest import DOSE
from tests.table.conftest import Site
from tests.table.test_attackers import harmless

OPERATIONS = (
    "GET /api/games", "POST /api/tables", "GET /api/tables/{id}", "POST /api/tables/{id}/join",
    "GET /api/tables/{id}/view", "GET /api/tables/{id}/legal", "GET /api/tables/{id}/log",
    "POST /api/tables/{id}/play", "POST /api/tables/{id}/undo", "GET /api/tables/{id}/seat",
    "GET /api/tables/{id}/position", "GET /api/games/{name}/rules", "GET /api/games/{name}/rules/{number}",
)  # fmt: skip
STREAMS = {"GET /api/tables/{id}/events"}  # have no end
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]


def described(site: Site) -> dict[str, Any]:
    """Every operation of the API by its name."""
    schema = schemathesis.openapi.from_dict(site.app.openapi())
    return {one.ok().label: one.ok() for one in schema.get_all_operations()}


def test_every_operation_is_asked(site: Site) -> None:
    assert set(described(site)) == set(OPERATIONS) | STREAMS


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        (label, mode)
        for label in OPERATIONS
        for mode in GenerationMode
        if mode.is_positive or label.startswith("POST")
    ],
)
def test_whatever_is_asked_is_answered(site: Site, label: str, mode: GenerationMode) -> None:
    """A table that is there, too, half of the time; and nothing is played at it by whoever has no seat."""
    table = site.table(samizdat.game("revolution"))
    operation, browser = described(site)[label], site.browser()
    asked = 0

    @settings(max_examples=6 * DOSE, deadline=None, database=None, derandomize=DOSE == 1,
              phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case) -> None:
        nonlocal asked
        asked += 1
        there = {"id": table.id, "name": table.game.name}
        if asked % 2 and case.path_parameters:
            case.path_parameters = {name: there.get(name, value) for name, value in case.path_parameters.items()}
        sent = case.as_transport_kwargs(base_url="http://table")
        for ours in ("verify", "cookies", "files"):
            sent.pop(ours, None)
        data = sent.pop("data", None)
        sent["content"] = data if isinstance(data, bytes | str) else None
        answer = site.run(browser.client.request(**sent))
        harmless(answer, f"{label} {sent}")
        if answer.status_code < 400:
            case.validate_response(answer, checks=CHECKS)

    ask()
    assert asked
    assert table.match is not None
    assert table.match.plies == 0
