"""Every rule number of every rulebook is cited by a test or a scene, or excused in writing."""

from __future__ import annotations

import pytest

from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.scenes import read_scenes
from tests.conftest import label
from tests.rulebook import excuses, gaps, read_rulebook


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_no_rule_without_a_test(definition: Definition, request: pytest.FixtureRequest) -> None:
    cited: dict[str, list[str]] = {}
    for item in request.session.items:
        for mark in item.iter_markers("rules"):
            if mark.args[0] == definition.name:
                for number in mark.args[1:]:
                    cited.setdefault(number, []).append(item.nodeid)
    if not cited:
        pytest.skip("only the whole test run can tell")
    for scene in read_scenes(definition):
        for number in scene.rules:
            cited.setdefault(number, []).append(scene.name)
    assert gaps(definition, cited) == []
    assert set(cited) <= set(read_rulebook(definition)), "a test cites a rule that does not exist"
    assert set(excuses(definition.name)) <= set(read_rulebook(definition))
