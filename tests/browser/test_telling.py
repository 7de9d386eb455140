"""While something is told, while one looks back, and without a script, nothing looks as if it could be decided."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import MODULE, Person, Table, someone, table_id
from tests.browser.test_playing import BOTS, TITLES

# A revelation as the stream brings it: the page tells it and then shows a position that is the old one.
STEP = f"""async ([steps, more]) => {{
  const status = document.getElementById("status").outerHTML;
  const [{{ shown }}, {{ take }}] = await Promise.all(["here.js", "telling.js"].map({MODULE}));
  shown.known = shown.version + 1;
  take({{ version: shown.known, parts: {{ status }}, steps, more }});
}}"""
TOLD = [[{"html": "<p>Something is told.</p>", "focus": []}], False]
KINDS = ("move", "add", "adds", "take", "arm", "seal", "clear", "undo", "hint")
OPEN = ", ".join(f"[data-{kind}]" for kind in KINDS)
ALIVE = f"""() => [...document.querySelectorAll("{OPEN}")]
  .filter((one) => one.checkVisibility() && !one.closest("[inert]")).length"""
# What says "you may" in red: crop marks, of HTML and of drawings.
MARKS = """() => {
  const all = [...document.querySelectorAll("#main *, #status *")].filter((one) => one.checkVisibility());
  const drawn = all.filter((one) => one.matches(".lg") && one.getBoundingClientRect().width);
  const edged = (one) => getComputedStyle(one, "::after").content !== "none";
  const laid = all.filter((one) => one.matches(".legal, .mark, [data-adds]") && !one.closest("svg") && edged(one));
  const red = getComputedStyle(document.documentElement).getPropertyValue("--act");
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.background = red;
  const act = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const buttons = all.filter((one) => one.matches(".btn.go") && getComputedStyle(one).backgroundColor === act);
  return drawn.length + laid.length + buttons.length;
}"""


@pytest.mark.parametrize(("game", "options"), TITLES)
def test_nothing_is_alive_while_something_is_told(person: Person, game: str, options: dict[str, str]) -> None:
    person.open(game, **BOTS, **options)
    person.ready()
    person.await_(lambda: person.page.evaluate(ALIVE) > 0 and person.page.evaluate(MARKS) > 0)
    posts: list[str] = []
    person.page.on("request", lambda asked: posts.append(asked.url) if asked.method == "POST" else None)
    person.page.evaluate(STEP, TOLD)
    person.page.wait_for_selector("#curtain:not([hidden])")
    assert person.page.evaluate(ALIVE) == 0
    assert person.page.evaluate(MARKS) == 0
    expect(person.page.locator("#status")).to_contain_text("What happened is being told.", use_inner_text=True)
    for key in ("s", "u", "h"):
        person.page.keyboard.press(key)
    person.page.evaluate(f"for (const one of document.querySelectorAll('{OPEN}')) one.click?.()")
    assert posts == []
    assert person.page.locator("#hint").is_hidden()
    person.page.locator("#curtain [data-next]").click()
    person.page.wait_for_selector("#curtain", state="hidden")
    person.await_(lambda: person.page.evaluate(ALIVE) > 0, "afterwards one can decide again")
    assert posts == []


def test_between_two_steps_of_one_decision_nobody_is_asked(person: Person) -> None:
    """More is to come: the position that is shown meanwhile has passed already."""
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.page.evaluate(STEP, [[], True])
    person.await_(lambda: person.page.evaluate(ALIVE) == 0)
    person.page.evaluate(STEP, [[], False])
    person.await_(lambda: person.page.evaluate(ALIVE) > 0)


@pytest.mark.parametrize(("game", "options"), TITLES)
def test_a_look_back_says_that_it_is_one(person: Person, game: str, options: dict[str, str]) -> None:
    person.open(game, **BOTS, **options)
    person.ready()
    enough = int(person.version()) + 3  # steps to look back at, whoever has made them
    while int(person.version()) < enough and not person.over:
        person.decide()
        person.ready()
    person.page.locator("[data-history=first]").first.dispatch_event("click")
    person.page.wait_for_selector("#table.past")
    said = set()
    for _ in range(4):
        said.add(person.page.locator("#status [role=status]").inner_text())
        step = person.page.locator("#history-step").inner_text()
        person.page.locator("[data-history=forward]").first.dispatch_event("click")
        person.until("(old) => document.getElementById('history-step').innerText !== old", step)
        if not person.page.locator("#table.past").count():
            break
    assert all(re.match(r"You are looking at step \d+ of \d+", one) for one in said), said
    assert len(said) > 1


def test_without_a_script_the_board_does_not_look_alive(table: Table, chromium: Browser, person: Person) -> None:
    person.open("mali-powstancy", **BOTS, **{"players-base": "2"})
    person.ready()
    person.await_(lambda: person.page.evaluate(MARKS) > 0, "with one, there is something to decide")
    address = f"{table.address}/table/{table_id(person.page.url)}"
    cookies = person.context.cookies()
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    context.add_cookies([{**cookie, "url": table.address, "domain": None, "path": None} for cookie in cookies])  # type: ignore[typeddict-item,misc]
    try:
        page = context.new_page()
        page.goto(address)
        page.wait_for_url("**still=true")  # it leads there by itself
        notice = page.locator(".notice").first
        expect(notice).to_be_visible()
        box = notice.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 844, "it is in sight at once"
        assert page.evaluate(MARKS) == 0
        assert page.evaluate(ALIVE) == 0
        assert not page.locator("[data-history]").first.is_visible()
        assert page.locator("[data-hint]").count() == 0 or not page.locator("[data-hint]").first.is_visible()
    finally:
        context.close()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_file_that_cannot_be_read_says_so_in_sight(table: Table, chromium: Browser, size: tuple[int, int]) -> None:
    with someone(table, chromium, *size) as person:
        person.go("/")
        file = {"name": "match.json", "mimeType": "application/json", "buffer": b"{"}
        person.page.locator(".linked summary").click()
        person.page.set_input_files("#file", file)  # type: ignore[arg-type]
        person.page.locator("form[action='/import'] button").click()
        wrong = person.page.locator("#wrong-file")
        wrong.wait_for()
        box = wrong.bounding_box()
        assert box
        assert 0 <= box["y"] <= size[1] - box["height"]
        person.errors.clear()  # the browser writes the refusal down
