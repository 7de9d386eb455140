"""What each test costs, in seconds of processor with all processes that it started: a plugin for pytest.

    python -m pytest -p bench.costs [...]

At the end it says what the files cost, the dearest first, and writes every test into the file that SAMIZDAT_COSTS
names, where it names one. What a test starts for all (a server, a browser) is counted for the one that asks first.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.processes import processor

PROPERTY = "processor"
SHOWN = 25  # files


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.user_properties.append(("began", processor(os.getpid())))
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    used = processor(os.getpid()) - float(dict(item.user_properties)["began"])
    item.user_properties[:] = [(PROPERTY, max(0.0, used))]  # less than nothing where a browser has ended


class Costs:
    """What the reports of all workers say."""

    def __init__(self) -> None:
        self.tests: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            for name, value in report.user_properties:
                if name == PROPERTY:
                    self.tests[report.nodeid] = self.tests.get(report.nodeid, 0.0) + float(str(value))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        files: Counter[str] = Counter()
        for test, seconds in self.tests.items():
            files[test.partition("::")[0]] += seconds  # type: ignore[assignment]
        terminalreporter.section(f"{sum(files.values()):.0f} seconds of processor, {len(self.tests)} tests")
        for file, cost in files.most_common(SHOWN):
            terminalreporter.write_line(f"{cost:8.1f} {file}")
        if path := os.environ.get("SAMIZDAT_COSTS"):
            Path(path).write_text(json.dumps(self.tests, indent=1), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of xdist tells the one that started it
        config.pluginmanager.register(Costs())
