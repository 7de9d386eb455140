"""Whole matches in a real browser: against bots, at one screen, over a link, on a phone, by keyboard alone."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import APIResponse, Route, expect

from samizdat.conformance.walks import walk
from samizdat.kernel.game import Game, definition
from samizdat.kernel.match import Match
from tests.browser.conftest import MODULE, READY, RETRIES, Person, table_id
from tests.conftest import DOSE

# Every game and variant, with options that keep a match short where the game has such.
SETTINGS = [
    pytest.param("revolution", {"players-standard": "3", "house-max_rounds": "2"}, id="revolution"),
    pytest.param("dual-powers", {"variant": "standard"}, id="dual-powers"),
    pytest.param("dual-powers", {"variant": "solitaire"}, id="dual-powers-solitaire"),
    pytest.param("mali-powstancy", {"variant": "base", "players-base": "2"}, id="mali-powstancy"),
    pytest.param("mali-powstancy", {"variant": "extended", "players-extended": "2"}, id="mali-powstancy-extended"),
    pytest.param("war-of-whispers", {"players-standard": "2"}, id="war-of-whispers"),
]
BOTS = {"seat-0": "me", **{f"seat-{seat}": "bot-random" for seat in range(1, 4)}}


def play(person: Person, name: str, most: int = 900) -> None:
    """So many decisions, or to the end."""
    for number in range(most):
        person.ready()
        if person.over:
            break
        if number == 8:
            person.picture(name)
        person.decide(pick=number * 7)


DECISION = "[data-move], [data-add], [data-adds], [data-take]"
TITLES = [SETTINGS[0], SETTINGS[1], SETTINGS[3], SETTINGS[5]]  # the variants' boards are played in test_access.py


def late(game: Game, plies: int) -> Match:
    """A random match, so many decisions before its end."""
    *_, whole = walk(game.match(seed=5), 5)
    match = game.match(seed=5)
    for seat, move in whole.moves[:-plies]:
        match.play(seat, move)
    return match


# The games as a file of a match names their options, and how many decisions before the end somebody takes over.
ENDS = [
    pytest.param("revolution", {"players": 3, "max_rounds": 2}, 1000, id="revolution"),  # all of a short match
    pytest.param("dual-powers", {}, 30, id="dual-powers"),
    pytest.param("mali-powstancy", {"players": 2}, 30, id="mali-powstancy"),
    pytest.param("war-of-whispers", {"players": 2}, 30, id="war-of-whispers"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), TITLES)
def test_a_person_against_bots(person: Person, game: str, options: dict[str, str]) -> None:
    """In `make soak` whole matches; here their beginnings, as the ends follow below."""
    person.open(game, **BOTS, **options)
    play(person, game, most=24 if DOSE == 1 else 900)
    expect(person.page.locator("#record li").nth(5)).to_be_attached()
    if person.over:
        person.page.wait_for_selector("#end .tally")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "plies"), ENDS[1:])  # the first is played whole above
def test_the_end_of_a_match_against_bots(person: Person, game: str, options: dict[str, int], plies: int) -> None:
    person.take_over(late(definition(game).choose(**options), plies))
    play(person, f"{game}-late")
    person.page.wait_for_selector("#end .tally")
    person.picture(f"{game}-end")


FOCUSED = f"document.activeElement.matches({DECISION!r})"


def play_by_keyboard(person: Person, most: int) -> int:
    """So many decisions, or to the end; how many there were. No click: `b` goes to the board, arrows move between
    places, `c` goes to the list of choices, Enter decides, `s` seals, Escape skips."""
    keys = person.page.keyboard
    decided = 0

    def is_ready() -> bool:
        if person.page.locator("#curtain:not([hidden])").count():
            keys.press("Escape")
        return bool(person.page.evaluate(READY))

    for number in range(most):
        person.await_(is_ready, "there is something to do")
        if person.over:
            break
        if decided:  # the focus did not go away with what was decided
            person.until("document.activeElement !== document.body")
        before = person.mark()
        if person.page.locator("#status [data-seal]:not([aria-disabled=true])").count():
            keys.press("s")
        else:
            if number % 3 and person.page.locator("#board .legal:visible, #hand .legal:visible").count():
                keys.press("b")
                for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft")[: number % 4]:
                    keys.press(arrow)
            else:
                keys.press("c")
                for _ in range(number % 5):
                    keys.press("Tab")
            person.await_(lambda: not person.module("keys.js", "tapping()"))  # who taps on decides nothing
            if not person.page.evaluate(FOCUSED):
                keys.press("b")  # past the end of the list
            if not person.page.evaluate(FOCUSED):
                continue  # the page has changed meanwhile
            keys.press("Enter")
        person.changed(before)
        decided += 1
    return decided


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), TITLES[1:])  # the first is short: below it is played whole
def test_the_beginning_of_a_match_by_keyboard_alone(person: Person, game: str, options: dict[str, str]) -> None:
    person.open(game, **BOTS, **options)
    assert play_by_keyboard(person, most=14) >= 10


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "plies"), ENDS)
def test_the_end_of_a_match_by_keyboard_alone(person: Person, game: str, options: dict[str, int], plies: int) -> None:
    """From a late position on, as everything between it and the beginning is more of the same decisions."""
    person.take_over(late(definition(game).choose(**options), plies))
    assert play_by_keyboard(person, most=900) > 0
    person.page.wait_for_selector("#end .tally")


@pytest.mark.slow
def test_two_browsers_over_a_link(person: Person, another: Person) -> None:
    """One opens a table on a computer, the other sits down by its link on a phone; each sees what the other does."""
    person.open("dual-powers", **{"seat-0": "me", "seat-1": "open"})
    another.go(person.page.locator("#invite-1").input_value())
    another.page.fill("input[name=name]", "Sergej")
    another.page.locator("button[type=submit], button.go").last.click()
    another.arrive()
    person.arrive()

    def asked() -> list[Person]:
        for one in (person, another):
            one.skip()
        return [one for one in (person, another) if one.page.locator("#status.acts").count()]

    for number in range(20):
        person.await_(asked, "somebody is to decide")
        one = asked()[0]
        one.ready()
        one.decide(pick=number)
    another.picture("phone-dual-powers")
    another.until("document.documentElement.scrollWidth <= 390")  # the page does not scroll sideways on a phone

    def records_agree() -> bool:
        for one in (person, another):
            one.skip()
        return person.page.locator("#record li").count() == another.page.locator("#record li").count()

    person.await_(records_agree)


def test_hot_seat_covers_the_screen_between_players(person: Person) -> None:
    person.open(
        "revolution",
        **{"players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "here", "name-1": "Nadia"},
    )
    seats = set()
    for _ in range(2):
        assert "/cover" in person.page.url
        assert person.page.locator("#board").count() == 0, "nothing of the match is on the cover"
        ready = person.page.locator("main a[href*='seat=']").first
        seats.add(ready.get_attribute("href"))
        ready.click()
        person.arrive()
        for number in range(40):
            if "/cover" in person.page.url or not person.page.locator("#status.acts").count():
                break
            person.decide(pick=number)
        person.page.wait_for_selector("main.covered")
    assert len(seats) == 2, "each time another player is asked"


def test_whoever_says_ready_just_when_something_happens_is_let_through(person: Person) -> None:
    """A bot has bid, so the cover would be drawn anew: that broke off the way to the board."""
    heard: list[str] = []
    person.page.on("requestfailed", lambda asked: heard.append(asked.url) if "/events" in asked.url else None)
    person.open("revolution", **{"players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "bot-random"})

    def dawdle(route: Route) -> None:
        person.await_(lambda: bool(heard), "the cover has heard of it, and closed its stream")
        route.continue_()

    person.page.route("**/table/*?seat=0", dawdle)
    person.page.get_by_role("link", name="ready").first.click(no_wait_after=True)
    person.arrive()
    person.page.unroute("**/table/*?seat=0")


def test_hot_seat_hides_the_board_while_the_cover_is_on_its_way(person: Person) -> None:
    person.open("revolution", **{"players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "here"})
    person.page.locator("main a[href*='seat=']").first.click()
    person.arrive()
    asked = []

    def never_come(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=204)  # the browser stays where it is

    person.page.route("**/cover", never_come)
    while person.page.locator("#status.acts").count():
        person.decide()
    person.page.wait_for_selector("#board", state="hidden")
    person.await_(lambda: asked)
    person.settle()
    assert len(asked) == 1, "a page that leaves twice breaks off the first leave"


def test_a_hot_seat_kept_by_the_browser_is_asked_for_again(person: Person) -> None:
    """Whoever goes back to a page that the browser has kept gets it from the server, which knows whose turn it is."""
    person.open("revolution", **{"players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "here"})
    person.page.locator("main a[href*='seat=']").first.click()
    person.arrive()
    person.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert not person.page.locator("#board").is_visible()
    with person.page.expect_navigation():
        person.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(person.page.locator("#board")).to_be_visible()


def test_whoever_seals_last_at_one_screen_is_told_what_the_bids_were(person: Person) -> None:
    """Between the steps of one's own bid nobody is to act; that is no reason to cover the screen."""
    person.open("revolution", **{"players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "here"})
    for last in (False, False, True):
        person.page.locator("main a[href*='seat=']").first.click()
        person.arrive()
        while person.page.locator("#status.acts").count() and person.page.locator("#curtain[hidden]").count():
            person.decide()
        if not last:
            person.page.wait_for_selector("main.covered")
    person.page.wait_for_selector("#curtain:not([hidden])")


TOLD = f"""async () => {{ // two steps come at once, and the first is told
  const [{{ shown }}, {{ take }}] = await Promise.all(["here.js", "telling.js"].map({MODULE}));
  const status = document.getElementById("status").outerHTML;
  const old = "<section id='status'>old</section>";
  const version = shown.version;
  shown.known = version + 2;
  take({{ version: version + 1, parts: {{ status: old }}, steps: [{{ html: "", focus: [] }}] }});
  take({{ version: version + 2, parts: {{ status }}, steps: [] }});
}}"""


def test_now_ends_what_is_being_told(person: Person) -> None:
    """Whoever goes to the present in the middle of a revelation stays there."""
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    version = int(person.version())

    def later(route: Route) -> None:
        answer = route.fetch(max_retries=RETRIES)
        route.fulfill(response=answer, json=answer.json() | {"version": version + 2})

    person.page.route("**/step/1000000*", later)
    person.page.evaluate(TOLD)
    person.page.wait_for_selector("#curtain:not([hidden])")
    person.page.locator("[data-history=now]").first.dispatch_event("click")
    person.page.wait_for_selector("#curtain", state="hidden")
    person.await_(lambda: person.module("here.js", "shown.version") == version + 2)
    person.settle()
    assert person.module("here.js", "shown.version") == version + 2
    assert person.module("telling.js", "waiting()") == 0
    assert person.page.locator("#status.acts").count(), "the board went back to what was being told"


def test_a_rematch_is_told_at_the_old_table(person: Person) -> None:
    *_, match = walk(definition("dual-powers").choose().match(seed=4), 4)
    person.take_over(match)
    person.page.wait_for_selector("#status[data-over]")
    assert not person.page.locator("#status a.btn").count()
    begun = person.page.request.post(f"{person.page.url.split('?')[0]}/rematch", max_retries=RETRIES)
    assert begun.ok, begun.text()
    person.page.locator("#status a.btn").click()
    person.page.wait_for_selector("#board, main.covered")
    assert table_id(person.page.url) == table_id(begun.url)


def test_a_lost_connection_is_said_and_mended(person: Person) -> None:
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.page.route("**/events?*", lambda route: route.abort())
    person.module("stream.js", "listen()")
    expect(person.page.locator("#refusal")).to_contain_text("No connection since")
    person.page.unroute("**/events?*")
    person.page.wait_for_selector("#table:not(.offline)")
    expect(person.page.locator("#refusal")).to_be_hidden()
    person.decide()
    person.errors.clear()  # the browser writes the lost connection down


def test_a_stream_that_fell_silent_is_opened_again(person: Person) -> None:
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.module("stream.js", "hangUp()")
    person.decide()


def test_a_reload_in_mid_turn_keeps_the_draft(person: Person) -> None:
    person.open("revolution", **BOTS)
    person.ready()
    person.decide()
    person.decide(pick=2)
    laid = person.page.locator("#board [data-take]")
    expect(laid).to_have_count(2)
    person.page.reload()
    expect(laid).to_have_count(2)
    laid.first.dispatch_event("click")
    expect(laid).to_have_count(1)


def test_a_refused_click_says_why_and_links_the_rule(person: Person) -> None:
    person.take_clock()
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.decide()  # whoever begins finds every seat free; a taken one is closed
    person.ready()
    closed = person.page.locator("#board [data-move][aria-disabled=true], #hand [data-move][aria-disabled=true]")
    closed.first.dispatch_event("click")
    person.page.wait_for_selector("#refusal:not([hidden]) a")
    link = person.page.locator("#refusal a").get_attribute("href") or ""
    person.page.clock.fast_forward(4_000)
    assert person.page.locator("#refusal a").is_visible(), "it is there as long as one reads"
    person.go(link)
    anchor = link.partition("#")[2]
    assert person.page.evaluate(f"document.getElementById({anchor!r}) !== null")


def test_stepping_back_shows_the_match_as_it_was(person: Person) -> None:
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    for number in range(4):
        person.decide(pick=number)
        person.ready()
    now = person.page.locator("#record li").count()
    person.page.locator("[data-history=first]").first.dispatch_event("click")
    person.page.wait_for_selector("#table.past")
    person.until("(now) => document.querySelectorAll('#record li').length < now", now)
    expect(person.page.locator("#board .legal")).to_have_count(0)
    person.page.locator("[data-history=now]").first.dispatch_event("click")
    person.page.wait_for_selector("#table:not(.past)")
    expect(person.page.locator("#record li")).to_have_count(now)


def test_the_language_is_switched_in_mid_match(person: Person) -> None:
    person.open("mali-powstancy", **BOTS, **{"players-base": "2"})
    person.ready()
    english = person.page.locator("#status").inner_text()
    for code in ("it", "de", "pl"):
        form = {"lang": code, "back": "/"}
        person.page.request.post(f"{person.table.address}/preferences", form=form, max_retries=RETRIES)
        person.page.reload()
        assert person.page.evaluate("document.documentElement.lang") == code
        assert person.page.locator("#status").inner_text() != english


def test_what_happens_on_the_way_back_from_history_is_not_lost(person: Person) -> None:
    """A step that arrives while the present is being fetched is shown after it."""
    opened = person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    address = f"{person.table.address}/table/{table_id(opened)}"
    for number in range(3):
        person.ready()
        person.decide(pick=number)
    person.ready()
    move = person.page.locator("#choices [data-move]").first.get_attribute("data-move")
    version = int(person.version())
    person.page.locator("[data-history=first]").first.dispatch_event("click")
    person.page.wait_for_selector("#table.past")

    def late(route: Route) -> None:
        answer = route.fetch(max_retries=RETRIES)
        data = {"seat": 0, "version": version, "move": move}
        played = person.page.request.post(f"{address}/move", data=data, max_retries=RETRIES)
        assert played.ok, played.text()
        person.await_(
            lambda: person.module("here.js", "shown.known > given", version)
        )  # what was asked for comes late
        route.fulfill(response=answer)

    person.page.route("**/step/1000000*", late)
    person.page.locator("[data-history=now]").first.dispatch_event("click")

    def goes_on() -> bool:
        person.skip()
        return int(person.version()) > version

    person.await_(goes_on)
    person.settle()
    assert goes_on(), "the page shows a position that has passed"


def test_a_double_click_is_one_decision(person: Person) -> None:
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    posts: list[str] = []
    person.page.on("request", lambda asked: posts.append(asked.url) if asked.url.endswith("/move") else None)
    button = person.page.locator("#choices [data-move]").first
    button.dispatch_event("click", {"detail": 1})
    person.settle()
    person.page.locator("[data-move]").first.dispatch_event("click", {"detail": 2})
    person.settle()
    assert len(posts) == 1


TWICE = """() => { // a second press about the same position is a slip
  const place = document.querySelector("#choices [data-move]");
  place.click();
  place.click();
}"""


def test_a_decision_follows_though_the_answer_to_the_last_one_is_late(person: Person) -> None:
    """The stream may show the next position before the answer is here; what is decided then is not lost."""
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        answer = route.fetch(max_retries=RETRIES)
        if held:
            route.fulfill(response=answer)
        else:
            held.append((route, answer))

    person.page.route("**/move", hold)
    posts: list[str] = []
    person.page.on("request", lambda asked: posts.append(asked.url) if asked.url.endswith("/move") else None)
    for number in range(2):
        before = person.version()
        person.page.evaluate(TWICE)
        if number:
            person.settle()
            assert len(posts) == 1, "it waits for the answer"
            person.await_(lambda: held)  # the stream may be quicker than the answer
            route, answer = held[0]
            route.fulfill(response=answer)
        person.until("(old) => document.getElementById('status').dataset.version !== old", before)
        person.ready()
    person.settle()
    assert len(posts) == 2


def test_seal_pressed_while_the_last_token_is_on_its_way_seals_once(person: Person) -> None:
    person.open("revolution", **BOTS, **{"players-standard": "3", "house-max_rounds": "2"})
    person.ready()
    while not person.page.locator("#status [data-seal]:not([aria-disabled=true])").count():
        person.decide()
    version = int(person.version())
    person.page.locator("#board [data-take]").first.dispatch_event("click")
    person.page.wait_for_selector("#status [data-seal][aria-disabled=true]")

    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    person.page.route("**/draft", hold)
    sealed: list[str] = []
    person.page.on("request", lambda asked: sealed.append(asked.url) if asked.url.endswith("/seal") else None)
    person.page.locator("#choices [data-add]").first.dispatch_event("click")
    person.await_(lambda: person.module("deciding.js", "sending()"))
    for _ in range(3):  # an impatient hand
        person.page.locator("#status [data-seal]").dispatch_event("click")
    person.await_(lambda: held)
    person.settle()
    assert len(held) == 1
    assert not sealed, "the token is laid first"
    with person.page.expect_response("**/seal") as answer:
        held[0].continue_()
    assert answer.value.ok, answer.value.text()
    person.until("(old) => Number(document.getElementById('status').dataset.version) > old", version)
    assert len(sealed) == 1


def test_tokens_laid_by_a_quick_hand_all_arrive(person: Person) -> None:
    person.open("revolution", **BOTS)
    person.ready()
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    person.page.route("**/draft", hold)
    places = person.page.locator("#choices [data-add]")
    names = [places.nth(number).get_attribute("data-add") for number in (0, 20)]
    for name in names:
        person.page.locator(f"#choices [data-add='{name}']").dispatch_event("click")
    person.await_(lambda: asked)
    person.settle()
    assert len(asked) == 1, "one after the other"
    asked[0].continue_()
    person.until("document.querySelectorAll('#board [data-take]').length === 2")


TAPPED = f"""async (early) => {{
  const [{{ reveal }}, {{ sending }}] = await Promise.all(["telling.js", "deciding.js"].map({MODULE}));
  const shown = reveal([{{ html: "<p>Something is told.</p>", focus: [] }}]);
  const enter = {{ key: "Enter", bubbles: true, cancelable: true }};
  const press = (on) => on.dispatchEvent(new KeyboardEvent("keydown", enter));
  const next = document.querySelector("#curtain [data-next]");
  press(next);
  next.click(); // what a browser makes of the key
  await shown;
  const now = performance.now.bind(performance);
  if (!early) performance.now = () => now() + 1000;
  const place = document.querySelector("#board .legal");
  place.focus();
  press(place);
  return sending();
}}"""


def test_tapping_through_revelations_decides_nothing(person: Person) -> None:
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    before = person.version()
    assert not person.page.evaluate(TAPPED, True)
    assert person.version() == before
    assert person.page.evaluate(TAPPED, False), "later the same key decides"


WATCHED = """
  window.streams = [];
  window.steps = [];
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      streams.push(this);
      this.addEventListener("step", (message) => steps.push(JSON.parse(message.data).version));
    }
  };
"""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
STREAMS = "streams.filter((one) => one.readyState !== EventSource.CLOSED).length"


def test_a_hidden_tab_gives_its_stream_back_and_misses_nothing(person: Person) -> None:
    """Six connections to a host are all a browser has; a seventh table must not wait for a tab nobody looks at."""
    person.run_first(WATCHED)
    opened = person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    address = f"{person.table.address}/table/{table_id(opened)}"
    person.ready()
    first = int(person.version())
    person.page.evaluate("steps.length = 0")  # a quick bot may have decided already
    assert person.page.evaluate(STREAMS) == 1
    for _ in range(2):
        person.page.evaluate(HIDE, True)
        assert person.page.evaluate(STREAMS) == 0
        move = person.page.locator("#choices [data-move]").first.get_attribute("data-move")
        data = {"seat": 0, "version": int(person.version()), "move": move}
        played = person.page.request.post(f"{address}/move", data=data, max_retries=RETRIES)
        assert played.ok, played.text()
        person.page.evaluate(HIDE, False)
        assert person.page.evaluate(STREAMS) == 1
        person.until("(version) => version === 0 || steps.includes(version)", played.json()["version"])
        person.ready()
    seen = person.page.evaluate("steps")
    assert seen == list(range(first + 1, first + 1 + len(seen))), "a step was missed or came twice"
    assert seen[-1] == int(person.version())
    record = person.page.locator("#record").inner_text()
    person.page.reload()
    assert person.page.locator("#record").inner_text() == record


def test_the_title_of_a_hidden_tab_tells_whose_turn_it_is(person: Person, another: Person) -> None:
    person.take_clock()
    person.open("war-of-whispers", **{"players-standard": "2", "seat-0": "me", "seat-1": "open"})
    another.go(person.page.locator("#invite-1").input_value())
    another.page.locator("button.go").last.click()
    another.arrive()
    person.arrive()

    def comes_round() -> int:
        if another.page.locator("#status.acts").count():
            another.ready()
            another.decide()
        return person.page.locator("#status.acts").count()

    person.await_(comes_round)
    person.until("document.title.startsWith('● ')")
    while person.page.locator("#status.acts").count():
        person.decide()
    person.until("!document.title.startsWith('● ')")
    person.page.evaluate(HIDE, True)
    asked = "fetch(`${location.pathname}/turn?seat=1`).then((answer) => answer.json())"
    while another.page.evaluate(asked)["yours"]:
        another.ready()
        another.decide()
    with person.page.expect_response(lambda answer: "/turn?" in answer.url):
        person.page.clock.run_for(21_000)
    person.until("document.title.startsWith('● ')")


def test_a_hidden_waiting_room_hears_of_the_guest_when_it_is_shown(person: Person, another: Person) -> None:
    person.run_first(WATCHED)
    person.open("dual-powers", **{"seat-0": "me", "seat-1": "open"})
    person.page.evaluate(HIDE, True)
    assert person.page.evaluate(STREAMS) == 0
    another.go(person.page.locator("#invite-1").input_value())
    another.page.locator("button.go").last.click()
    another.arrive()
    assert person.page.locator("#board").count() == 0
    person.page.evaluate(HIDE, False)
    person.page.wait_for_selector("#board")


# --- what a page does by itself -------------------------------------------------------------------------

WATCH = """() => {
  window.flown = 0;
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    flown += added.filter((node) => node.classList?.contains("flying")).length;
  }).observe(document.body, { childList: true });
}"""


def deploy(person: Person) -> None:
    """Place the first agents of a match of A War of Whispers."""
    person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
    person.ready()
    person.page.evaluate(WATCH)
    for number in range(2):
        person.decide(pick=number * 5)
        person.ready()


def test_pieces_that_change_their_place_are_seen_to_fly(lively: Person) -> None:
    deploy(lively)
    lively.until("flown >= 2")
    lively.until("document.querySelector('.flying') === null")


def test_who_wants_no_motion_sees_none(person: Person) -> None:
    deploy(person)
    assert person.page.evaluate("flown") == 0


ONE_CLICK = """([bids, number]) => { // true when the bids are told, or the round goes on without
  if (!document.getElementById("curtain").hidden || document.getElementById("where").innerText !== bids) return true;
  const legal = [...document.querySelectorAll("#board .legal:not([data-take])")];
  const seal = document.querySelector("#status [data-seal]:not([aria-disabled=true])");
  const next = seal ?? legal[number % legal.length];
  next?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return false;
}"""


@pytest.mark.parametrize(("wanted", "told"), [("all", True), ("off", False)])
def test_revelations_are_told_to_those_who_want_them(person: Person, wanted: str, told: bool) -> None:
    person.context.add_cookies([{"name": "revelations", "value": wanted, "url": person.table.address}])
    person.open("revolution", **BOTS, **{"players-standard": "3", "house-max_rounds": "2"})
    person.ready()
    bids = person.page.locator("#where").inner_text()
    clicks = itertools.count(0, 5)
    person.await_(lambda: person.page.evaluate(ONE_CLICK, [bids, next(clicks)]))
    if told:
        person.page.wait_for_selector("#curtain:not([hidden])")
    else:
        person.settle()
        assert not person.page.locator("#curtain:not([hidden])").count()
