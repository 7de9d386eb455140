"""The API as its own description has it (OpenAPI): whatever is asked, within it or not, is answered as described.

Questions are thought up by schemathesis and asked in-process; `SAMIZDAT_DOSE` asks more of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

import samizdat
from samizdat.table.tables import LiveTable
from tests.conftest import DOSE
from tests.table.conftest import Site
from tests.table.test_attackers import harmless

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: str(mode.value))
def test_whatever_is_asked_is_answered(site: Site, mode: GenerationMode) -> None:
    """Of every operation, those of tomorrow included. A table that is there, too, half of the time; and nothing is
    played at it by whoever has no seat."""
    table = site.table(samizdat.game("revolution"))
    schema = schemathesis.openapi.from_dict(site.app.openapi())
    asked = Counter[str]()
    for found in schema.get_all_operations():
        operation = found.ok()
        streams = operation.path.endswith("/events")  # they have no end
        takes = operation.method == "post"  # what is wrong on purpose needs a body to be wrong in
        if not streams and (mode.is_positive or takes):
            ask_all(site, table, operation, mode, asked)
    assert len(asked) > (8 if mode.is_positive else 3)
    assert table.match is not None
    assert table.match.plies == 0


def ask_all(site: Site, table: LiveTable, operation: Any, mode: GenerationMode, asked: Counter[str]) -> None:
    browser, label = site.browser(), operation.label
    there = {"id": table.id, "name": table.game.name}

    @settings(max_examples=6 * DOSE, deadline=None, database=None, derandomize=DOSE == 1,
              phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case) -> None:
        asked[label] += 1
        if asked[label] % 2 and case.path_parameters:
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
