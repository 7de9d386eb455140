"""Everything a decision needs is in sight: at every size, no page scrolls while a match runs.

Positions of random matches of every game and variant, at as many different decision points as they come by; whole
matches in `make soak`. What is measured is where things stand and how large they are, not how they look.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.table.preview import position, whole_page
from tests.browser.conftest import Table, stage
from tests.conftest import DOSE, label, plain_games

WIDE = ((1366, 768), (1440, 900), (1920, 1080))
PHONE = ((360, 740), (390, 844), (430, 932), (844, 390))
POINTS = 3 * DOSE  # decision points looked at of each game, besides the first two

MEASURE = (Path(__file__).parent / "measure.js").read_text()

NEEDED = {  # what must be there at every decision, on a wide screen and on a phone
    "revolution": (
        ["#bid .tray", ".twelve", ".town", ".ruler", "#seats .seat"],
        [".town", "#strip li", ".tray"],
    ),
    "dual-powers": (["#support", ".city", ".hnd", ".obj", "#seats .seat", ".cal"], ["#support", ".city", ".obj"]),
    "mali-powstancy": (["#city", "#orders", "#team", "#cards", "#seats .seat"], ["#city", "#team"]),
    "war-of-whispers": (["#map", "#councils", "#loyalties", "#hand .panel", "#seats .seat"], ["#map", "#loyalties"]),
}


def decision_points(game: Game) -> Iterator[tuple[str, Match, int]]:
    """Positions in which a seat is to decide, each with a kind of decision that was not seen before."""
    seen: set[tuple[str, ...]] = set()
    for seed in range(12 * DOSE):
        match, dice = game.match(seed), random.Random(seed)
        while not match.over:
            seat = dice.choice(match.turn)
            legal = match.legal(seat)
            kinds = tuple(sorted({move.kind for move in legal}))
            if kinds not in seen:
                seen.add(kinds)
                yield " ".join(kinds), match.copy(), seat
            match.play(seat, dice.choice(legal))


def show(page: Page, table: Table, match: Match, seat: int, code: str) -> None:
    stage(page, table, whole_page(position(match, seat), code, "light", "/static", "/boards"))


def fullest() -> list[Game]:
    """Every game and variant with as many players as it takes."""
    return list({(game.name, game.variant): game for game in plain_games()}.values())


def sizes(number: int) -> tuple[tuple[int, int], ...]:
    """Where the point with this number is looked at: a screen and two phones by turns; in `make soak` everywhere."""
    if DOSE > 1:
        return (*WIDE, *PHONE)
    return (WIDE[number % len(WIDE)], PHONE[number % len(PHONE)], PHONE[(number + 2) % len(PHONE)])


@pytest.mark.parametrize("game", fullest(), ids=label)
def test_everything_a_decision_needs_is_in_sight(table: Table, chromium: Browser, game: Game) -> None:
    wrong: dict[str, Any] = {}
    page = chromium.new_page(reduced_motion="reduce")
    points = list(decision_points(game))
    dice = random.Random(DOSE)
    looked_at = points[:2] + dice.sample(points[2:], min(POINTS, len(points) - 2))
    for number, (kinds, match, seat) in enumerate(looked_at):
        code = dice.choice(["en", "it", "de", "pl"])
        for width, height in sizes(number):
            page.set_viewport_size({"width": width, "height": height})
            show(page, table, match, seat, code)
            narrow = width < 1100
            needed = ["#status [role=status]", *NEEDED[game.name][narrow]]
            found = page.evaluate(MEASURE, [needed, narrow])
            if found:
                wrong[f"{width}×{height}, {code}, seat {seat}: {kinds}"] = found
    page.close()
    assert not wrong, "\n".join(f"{where}: {what}" for where, what in wrong.items())
