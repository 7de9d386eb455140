"""The examples, installed by pip beside ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import chromium  # noqa: F401 (one for this folder)

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PACKAGES = ("connect_four", "liars_dice", "honest_bot")


@pytest.fixture(scope="session")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages installed in it; nothing is fetched."""
    site, sources = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("sources")
    for name in PACKAGES:
        shutil.copytree(EXAMPLES / name, sources / name)  # building leaves things behind
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps"]
    targets = [str(sources / name) for name in PACKAGES]
    command = [*pip, "--no-build-isolation", "--target", str(site), *targets]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return site
