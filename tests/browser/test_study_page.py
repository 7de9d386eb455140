"""The report of a study in a browser: no file but its own, no wider than a phone, and readable by everybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from samizdat.lab.arena import Setting, read_entrants
from samizdat.lab.study.comparing import lines_of
from samizdat.lab.study.inquiry import Inquiry
from samizdat.lab.study.page import write
from samizdat.lab.study.playing import Arm
from samizdat.lab.study.report_writer import write_report

SEATS = ("Red", "Yellow", "Green")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report of short matches, before and after a change."""
    folder: Path = tmp_path_factory.mktemp("study")
    settings = [Setting("revolution", 3, "standard", (("max_rounds", rounds),)) for rounds in (1, 2)]
    arms = [Arm(name, setting, read_entrants("random")[0]) for name, setting in zip("AB", settings, strict=True)]
    inquiry = Inquiry(arms, 0, lines_of(settings[0].game(), SEATS))
    list(inquiry.play(30, folder))
    return write(write_report(inquiry, str, SEATS, "samizdat study"), folder)[0].as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1440, "dark")])
def test_a_report_is_one_file_that_everybody_can_read(
    chromium: Browser, address: str, width: int, scheme: str
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    for summary in page.get_by_text("The chart in numbers").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert [url for url in asked if not url.startswith("data:")] == [address]
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()
    context.close()
