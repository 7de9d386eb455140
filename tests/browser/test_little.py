"""With little: without a script, on a slow network, on a narrow screen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

import samizdat
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from tests.browser.conftest import PATIENCE, RETRIES, Person, Table
from tests.browser.test_fit import decision_points, fullest, show
from tests.browser.test_layout import APART, OVERLAPS
from tests.browser.test_playing import BOTS
from tests.conftest import label


@pytest.fixture
def scriptless(table: Table, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, locale="en-GB", java_script_enabled=False, base_url=table.address
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def played(game: str, **options: Any) -> Match:
    """A whole match by chance."""
    match, dice = samizdat.game(game, **options).match(seed=11), random.Random(3)
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def brought(page: Page, address: str, match: Match) -> str:
    """The address of the table of a match that comes from a file."""
    file: FilePayload = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
    answer = page.request.post(f"{address}/import", multipart={"file": file}, max_retries=RETRIES)
    assert answer.ok, answer.text()[:2000]
    return answer.url.partition("?")[0].removesuffix("/replay")


def test_without_a_script_one_reads_rules_and_is_told_what_playing_needs(scriptless: Page) -> None:
    scriptless.goto("/")
    scriptless.get_by_role("link", name="Rules: Revolution!").click()
    expect(scriptless.locator("#R5\\.3")).to_be_visible()
    scriptless.goto("/")
    scriptless.get_by_role("button", name="Play Revolution! against bots now").click()
    told = scriptless.get_by_role("note")
    expect(told).to_contain_text("Playing needs JavaScript")
    expect(told.get_by_role("link", name="Read the rules")).to_be_visible()
    expect(scriptless.locator("#board .twelve")).to_be_visible()
    expect(scriptless.locator("#record li").first).to_be_visible()
    expect(scriptless.locator("#status .btn:visible")).to_have_count(0)
    assert scriptless.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_a_script_one_steps_through_a_match_that_is_over(scriptless: Page, table: Table) -> None:
    address = brought(scriptless, table.address, played("war-of-whispers"))
    scriptless.goto(address)
    expect(scriptless.locator("#end .finale h2")).to_contain_text("won")
    scriptless.get_by_role("link", name="Watch it again").first.click()
    expect(scriptless.locator("#at")).to_contain_text("step 0 of")
    scriptless.get_by_role("link", name="Next move").click()
    expect(scriptless.locator("#at")).to_contain_text("step 1 of")
    scriptless.locator("#move-30 a").first.click()
    expect(scriptless.locator("#at")).to_contain_text("step 30 of")
    expect(scriptless.locator("#map")).to_be_visible()
    for wants_a_script in ("#play", "#slider", "#review"):
        expect(scriptless.locator(wants_a_script)).to_be_hidden()
    tall = scriptless.evaluate("document.documentElement.scrollHeight")
    assert tall < 12_000, f"the page is {tall} px long: something unseen lengthens it"


# --- a slow network --------------------------------------------------------------------------------------


def test_a_press_is_seen_at_once_and_sent_once(person: Person) -> None:
    """While the answer is on its way, what was pressed shows it, a line says it, and pressing again sends nothing."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.page.route("**/move", hold)
    choice = person.page.locator("#councils .legal").first
    choice.click()
    expect(person.page.locator("#councils .sent[aria-busy=true]")).to_have_count(1)
    expect(person.page.locator("#refusal")).to_have_text("Sending …")
    person.page.locator("#councils .legal").nth(1).click()
    person.settle()
    assert len(held) == 1
    before = person.version()
    held[0].continue_()
    expect(person.page.locator("#status")).not_to_have_attribute("data-version", before)
    expect(person.page.locator(".sent")).to_have_count(0)
    expect(person.page.locator("#refusal")).to_be_hidden()


def test_a_decision_that_was_not_sent_is_said_and_can_be_made_again(person: Person) -> None:
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.page.route("**/move", lambda route: route.abort())
    person.page.locator("#councils .legal").first.click()
    expect(person.page.locator("#refusal")).to_contain_text("was not sent. Choose again")
    expect(person.page.locator(".sent")).to_have_count(0)
    person.page.unroute("**/move")
    person.decide()
    person.errors.clear()  # the browser writes the broken request down


PRESSED_AGAIN = """async (button) => { // whether each sending would have been kept back; all are, here
  const kept = [];
  const until = async (number) => { while (kept.length < number) await new Promise(requestAnimationFrame); };
  addEventListener("submit", (event) => { kept.push(event.defaultPrevented); event.preventDefault(); });
  button.click();
  const busy = button.getAttribute("aria-busy");
  button.click(); // while the browser's number is made
  await until(3);
  button.click(); // while the page is on its way
  await until(5);
  return [busy, ...kept];
}"""


def test_a_form_is_sent_once(person: Person) -> None:
    """Presses on a slow network do not open two tables: of five sendings, presses and those with the browser's number
    for the luck of the table, one goes through."""
    person.go("/")
    play = person.page.get_by_role("button", name="Play Dual Powers")
    assert play.evaluate(PRESSED_AGAIN) == ["true", True, True, False, True, True]


# --- a narrow screen -------------------------------------------------------------------------------------

NARROW = 320
LEAVES = """() => { // what is wider than the screen and lies in nothing that scrolls
  const clips = (one) => one !== document.documentElement && getComputedStyle(one).overflowX !== "visible";
  const clipped = (one) => {
    for (let at = one.parentElement; at; at = at.parentElement) if (clips(at)) return true;
    return false;
  };
  const out = [...document.querySelectorAll("body *")].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width && one.checkVisibility() && !one.closest(".vh, .skip") && (right > innerWidth + 1 || left < -1);
  });
  return out.filter((one) => !clipped(one)).map((one) => one.outerHTML.slice(0, 120));
}"""


@pytest.fixture
def narrow(table: Table, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(
        viewport={"width": NARROW, "height": 640}, locale="en-GB", reduced_motion="reduce", base_url=table.address
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.mark.parametrize("game", fullest(), ids=label)
def test_on_a_narrow_screen_nothing_of_a_board_overlaps(narrow: Page, table: Table, game: Game) -> None:
    for kinds, match, seat in list(decision_points(game))[:3]:
        show(narrow, table, match, seat, "de")  # long words
        found = narrow.evaluate(LEAVES)
        narrow.evaluate("document.getElementById('main').dataset.sheet = 'peek'")
        found += narrow.evaluate(OVERLAPS, list(APART[game.name]))
        assert not found, f"{kinds}: {found}"


def test_on_a_narrow_screen_no_page_is_wider(narrow: Page, table: Table) -> None:
    paths = ["/", "/new/mali-powstancy", "/rules", "/rules/dual-powers", "/nowhere"]
    for game in ("revolution", "dual-powers", "mali-powstancy", "war-of-whispers"):
        short = {"max_rounds": 4} if game == "revolution" else {}
        over = brought(narrow, table.address, played(game, **short))
        paths += [over, f"{over}/replay?step=30&open=true"]
    for path in paths:
        narrow.goto(path)
        assert narrow.evaluate("document.documentElement.scrollWidth") <= NARROW, path
        assert not narrow.evaluate(LEAVES), path
