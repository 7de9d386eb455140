"""Compiled code is found again, and made anew when its sources change; a second process starts without compiling."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from samizdat.kernel import loops
from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.native import sources, sources_hash
from tests.conftest import label
from tests.warm import longest_first


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_an_edit_to_any_rules_file_is_noticed(definition: Definition, tmp_path: Path) -> None:
    folder = tmp_path / definition.folder.name
    shutil.copytree(definition.folder, folder)
    modules = (folder / "rules.py", folder / "laws.py")
    before = sources_hash(*modules)
    for file, matters in (
        ("rules.py", True),
        ("laws.py", True),
        ("state.py", True),
        ("show.py", False),
    ):
        text = (folder / file).read_text()
        (folder / file).write_text(text + "\n# an edit\n")
        assert (sources_hash(*modules) != before) == matters
        (folder / file).write_text(text)
    assert sources_hash(*modules) == before


def test_what_a_loop_calls_counts_as_its_source() -> None:
    names = {file.name for file in sources(Path(str(loops.__file__)))}
    assert {"loops.py", "luck.py", "contract.py", "records.py", "rule.py"} <= names
    assert "match.py" not in names


COUNT_COMPILATIONS = """
import numba.core.compiler as compiler
import sys
compiled = 0
original = compiler.compile_extra
def counting(*args, **kwargs):
    global compiled
    compiled += 1
    return original(*args, **kwargs)
compiler.compile_extra = counting
import numba.core.dispatcher as dispatcher
import samizdat
from samizdat.lab.simulation import Simulation
Simulation(samizdat.game(sys.argv[1]), 1).play(2)
print(compiled)
"""


def test_a_second_process_does_not_compile() -> None:
    counts = [
        int(
            subprocess.run(
                [sys.executable, "-c", COUNT_COMPILATIONS, longest_first()[-1]],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for _ in range(2)
    ]
    assert counts[1] == 0, f"compiled {counts[1]} functions again"
