"""Boards, measured: nothing covers a name or a tap, no word leaves its card, and nothing moves between two taps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser

from samizdat.kernel.boards import Composition
from samizdat.table.language import LANGUAGES
from samizdat.table.preview import position, random_match, whole_page
from samizdat.table.viewing import PageView
from tests.browser.conftest import Person, Table, someone
from tests.browser.conftest import stage as show
from tests.browser.test_telling import MARKS
from tests.conftest import DOSE
from tests.games.warsaw import at, turn
from tests.games.warsaw import position as in_warsaw
from tests.games.whispers import RAVEN, at_seat, play

SIZES = ((320, 640), (390, 844), (1366, 768), (1440, 900))
PHONES = SIZES[:2]
SILENT = "window.EventSource = class extends EventTarget { close() {} };"  # there is no table behind a staged page


@pytest.fixture(scope="module")
def viewer(table: Table, chromium: Browser) -> Iterator[Person]:
    """Somebody who looks at positions without a match: pages as `samizdat.table.preview` makes them."""
    with someone(table, chromium, 1440, 900) as found:
        found.run_first(SILENT)
        yield found


def stage(viewer: Person, shown: PageView, code: str = "en") -> None:
    show(viewer.page, viewer.table, whole_page(shown, code, "light", "/static", "/boards"))


# --- positions that are hard to draw ---------------------------------------------------------------------


def acting() -> PageView:
    """A War of Whispers: a seat with two actions, and a hand."""
    hand = {"raven": {"bear_with_lion": 2, "eagle_with_elephant": 1, "lion_with_horse": 1}}
    armies = {"lion_3": 13, "eagle_1": 12, "eagle_5": 2, "bear_2": 5, "horse_1": 2}
    return position(at_seat("eagle_marshal", 4, army=armies, hand=hand), RAVEN)


def placing(draft: tuple[str, ...] = ("place eagle_7", "place eagle_5")) -> PageView:
    """A War of Whispers: banners laid in High Aerie and its neighbour."""
    match = play(at_seat("eagle_marshal", 4, army={"eagle_1": 2, "eagle_5": 2, "eagle_6": 1}), "act add")
    return position(match, RAVEN, draft)


def placed_everywhere(banners: int) -> PageView:
    """A War of Whispers: the sign of drafted banners in every region, more than any match has at once."""
    shown = placing()
    ids = shown.game.box.names["regions"]
    regions = [{**region, "banners": banners} for region in shown.view["regions"]]
    draft = Composition(tuple(f"place {id}" for id in ids), (), None)
    return replace(shown, seen=replace(shown.seen, view={**shown.view, "regions": regions}, draft=draft))


def crowded() -> PageView:
    """Mali Powstańcy: scouts and orders together at the northern places, one scout chosen."""
    scouts = at(
        red={1: "plac_wilsona", 2: "plac_wilsona", 3: "cytadela"},
        orange={1: "plac_wilsona", 2: "budynek_pasty", 3: "sggw"},
        green={1: "palacyk_michla", 2: "stary_mokotow", 3: "plac_wilsona"},
        violet={1: "elektrownia_powisle", 2: "plac_trzech_krzyzy", 3: "starowka"},
    )
    orders = {"o03": "space_1", "o05": "space_2", "o13": "space_3", "o19": "space_1", "o31": "space_4"}
    return position(in_warsaw(players=4, given=turn(at=scouts, place=orders)), 0)


def ordered_everywhere() -> PageView:
    """Mali Powstańcy: two orders at every place, more than any match has at once."""
    shown = crowded()
    orders: dict[str, list[Any]] = {}
    for row in shown.game.box.text.tables["orders"]:
        found = {name: row[name] for name in ("origin", "destination", "points")} | {"order": row["id"], "tiles": []}
        orders[row["origin"]] = [*orders.get(row["origin"], []), found][:2]
    queue = [list(chain(*orders.values())), *shown.view["queue"][1:]]
    return replace(shown, seen=replace(shown.seen, view={**shown.view, "queue": queue}))


def somewhere(game: str, plies: int, seed: int = 7, **options: Any) -> PageView:
    match = random_match(game, seed, plies, options)
    return position(match, (match.turn or (0,))[0])


SCENES = {
    "whispers, acting": acting,
    "whispers, placing": placing,
    "whispers, laid everywhere": lambda: placed_everywhere(0),
    "whispers, laid on banners": lambda: placed_everywhere(3),
    "whispers, deploying": lambda: somewhere("war-of-whispers", 3, players=4),
    "whispers, late": lambda: somewhere("war-of-whispers", 150, players=4, advanced=True),
    "warsaw, crowded": crowded,
    "warsaw, orders everywhere": ordered_everywhere,
    "warsaw, late": lambda: somewhere("mali-powstancy", 90, players=4),
    "warsaw, extended": lambda: somewhere("mali-powstancy", 60, players=3, variant="extended"),
    "town, bidding": lambda: somewhere("revolution", 60, players=4),
    "town, spying": lambda: somewhere("revolution", 157, seed=6, players=4),
    "petrograd": lambda: somewhere("dual-powers", 40),
    "petrograd, recruiting": lambda: somewhere("dual-powers", 6, seed=4),
    "petrograd, alone": lambda: somewhere("dual-powers", 21, variant="solitaire"),
}


def languages(scene: str) -> list[str]:
    """The first scene of each board is looked at in every language, others in English and one more by turns; in
    `make soak` all."""
    board, scenes = scene.partition(",")[0], list(SCENES)
    first = next(one for one in scenes if one.partition(",")[0] == board)
    codes = list(LANGUAGES)
    return codes if DOSE > 1 or scene == first else [codes[0], codes[1 + scenes.index(scene) % (len(codes) - 1)]]


# --- what must not lie on what ---------------------------------------------------------------------------

# Each pair: two selectors, whose elements must not overlap unless they belong to the same owner, and the narrowest
# screen that has room for that.
PIECES = ".wow-bn, .wow-ic, .wow-spy, .wow-added"
POSTS = ".wow-post, .wow-cn .hd"
APART = {
    "war-of-whispers": (
        "[data-add], [data-take], .wow-region, .wow-post",
        [(".wow-name", ".wow-name", 0), (PIECES, f".wow-name, {PIECES}", 360), (POSTS, POSTS, 0)],
    ),
    "mali-powstancy": (
        ".at",
        [
            (".loc", ".loc, .dist, .spot:not(.small), .tag .card, .tag .lg, .picked rect, .go:has([r='22']) .lg", 0),
            (".tag .card", ".spot:not(.small)", 360),
            (".man .pl", ".loc, .tag .card", 360),
            (".tag .card", ".tag .card", 360),
        ],
    ),
    "revolution": (".at", [(".town .nm, .town .vp", ".town .nm, .town .vp, .grp .pl, .grp .space", 0)]),
    "dual-powers": (
        ".tkn, .at",
        [(".over .nm", ".over .nm, .over .tk .body", 720), (".over .tk .body", ".over .tk .body", 360)],
    ),
}
OVERLAPS = """([owners, pairs]) => {
  // The box of a word is as high as its letters may be; ink fills less of it.
  const inked = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const air = element instanceof SVGTextElement ? (bottom - top) * 0.2 : 0;
    return { element, owner: element.closest(owners) ?? element, left, right, top: top + air, bottom: bottom - air };
  };
  const seen = (selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width).map(inked);
  const called = (one) => `${one.owner.id} ${one.element.textContent.trim() || one.element.getAttribute("class")}`;
  const found = [];
  for (const [first, second, narrowest] of pairs) {
    if (innerWidth < narrowest) continue;
    for (const a of seen(first)) {
      for (const b of seen(second)) {
        const told = (one) => one.owner.dataset.add ?? one.owner.dataset.take; // a region, and what is laid there
        const same = a.owner === b.owner || (told(a) && told(a) === told(b));
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (!same && wide > 2 && high > 2) found.push(`${called(a)} × ${called(b)} (${wide | 0} by ${high | 0} px)`);
      }
    }
  }
  return [...new Set(found)];
}"""

# Words stay inside these, and on the page.
CARDS = (
    ".btn, .status, .panel > h2, .seat, .wow-post, .wow-cn .hd, .wow-res, .wow-card, .wow-num, .wow-loy li,"
    " .wow-swap, .wow-track li, .ch, .tk, .isl .head, .card, .tile, .mon li, .mcard, .tiles button, .ord, .objective,"
    " .mp-team .row, .mp-pile li"
)
LEAVES = """(cards) => {
  const walker = document.createTreeWalker(document.getElementById("table"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const words = walker.currentNode;
    const holder = words.parentElement;
    if (!words.data.trim() || holder.closest("svg, .vh, dialog, .drop") || !holder.checkVisibility()) continue;
    const card = holder.closest(cards);
    const clipped = [];
    for (let one = holder; one && one !== card; one = one.parentElement) clipped.push(getComputedStyle(one).overflow);
    if (!card || clipped.some((how) => how !== "visible")) continue;
    const range = document.createRange();
    range.selectNodeContents(words);
    const inside = card.getBoundingClientRect();
    for (const line of range.getClientRects()) {
      const across = Math.max(inside.left - line.left, line.right - inside.right);
      const out = Math.max(across, inside.top - line.top - 3, line.bottom - inside.bottom - 3);
      if (out > 1) found.push(`${words.data.trim()} leaves ${card.className} by ${out.toFixed()} px`);
    }
  }
  return [...new Set(found)];
}"""

# Names by which seats, people, tokens and regions are told apart: none is cut short, in no language.
NAMES = ".wow-post .sn, .wow-cn .hd > span, .ch strong, .tk small, .isl .head b"
CUT = """(names) => [...document.querySelectorAll(names)]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
  .map((one) => `${one.textContent.trim()} is cut (${one.clientWidth} of ${one.scrollWidth} px)`)"""

# The name of a leader stands in the leader's island.
OUTSIDE = """() => [...document.querySelectorAll(".over .in .nm")].filter((name) => {
  const { left, width, top, height } = name.getBoundingClientRect();
  const x = left + width / 2;
  const island = [...document.querySelectorAll(".isl")].map((one) => one.getBoundingClientRect())
    .find((one) => one.left < x && x < one.right && one.top < top && top < one.bottom);
  return island && top + height * 0.8 > island.bottom - 2;
}).map((name) => `${name.textContent} leaves its island`)"""

# A finger on the middle of something that can be chosen hits it, once it is in sight.
MISSED = """() => {
  const found = [];
  for (const place of document.querySelectorAll("#board .legal, #hand .legal, #seats .legal, #status .btn")) {
    if (!place.checkVisibility() || getComputedStyle(place).pointerEvents === "none") continue;
    const marks = [...place.querySelectorAll(".lg")].filter((mark) => mark.getBoundingClientRect().width);
    if (place.matches(".go") && !marks.length) continue; // a way of another scout than the chosen one
    const target = place.closest(".wow-take") ? place.querySelector(".wow-added") : marks[0] ?? place;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const same = hit?.closest(`[data-move="${place.dataset.move}"]`) && place.dataset.move;
    const called = place.id || place.textContent.trim();
    if (!place.contains(hit) && !same) found.push(`${called} lies under ${hit?.closest("[id]")?.id}`);
  }
  return found;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_covers_a_name_a_piece_or_a_tap(viewer: Person, scene: str) -> None:
    shown = SCENES[scene]()
    flaws: dict[str, list[str]] = {}
    for code in languages(scene):
        stage(viewer, shown, code)
        for width, height in SIZES:
            viewer.resize(width, height)
            viewer.module("sheet.js", "openSheet(true)")
            found = viewer.page.evaluate(LEAVES, CARDS)
            found += viewer.page.evaluate(CUT, NAMES)
            # On a phone what stands on a map is read there whole.
            viewer.page.evaluate("document.getElementById('main').dataset.sheet = 'peek'")
            found += viewer.page.evaluate(OVERLAPS, list(APART[shown.game.name]))
            found += viewer.page.evaluate(OUTSIDE)
            found += viewer.page.evaluate(MISSED)
            if found:
                flaws[f"{code}, {width}"] = found
    assert not flaws, "\n".join(f"{where}: {'; '.join(found)}" for where, found in flaws.items())


def test_a_council_seat_that_acts_does_not_double_its_row(viewer: Person) -> None:
    stage(viewer, acting())
    for width, height in SIZES[2:]:
        viewer.resize(width, height)
        heights = viewer.page.evaluate("[...document.querySelectorAll('.wow-post')].map((post) => post.offsetHeight)")
        assert max(heights) <= 1.4 * min(heights), f"{width}: {heights}"
        assert sorted(heights)[15] == min(heights), "the other councils keep theirs"


@pytest.mark.parametrize("scene", SCENES)
def test_a_board_has_no_marks_where_nothing_can_be_chosen(viewer: Person, scene: str) -> None:
    """As the server sends it, before a script has run, and while something is told."""
    stage(viewer, SCENES[scene]())
    there = viewer.page.evaluate(MARKS)
    assert there > 0 or scene.startswith("whispers, laid")
    viewer.page.evaluate("document.getElementById('table').classList.add('still')")
    assert viewer.page.evaluate(MARKS) == 0
    viewer.page.evaluate("document.getElementById('table').classList.remove('still')")
    assert viewer.page.evaluate(MARKS) == there
    viewer.module("telling.js", "asleep(true)")
    assert viewer.page.evaluate(MARKS) == 0


# --- nothing moves between two taps ----------------------------------------------------------------------

WHERE = """() => Object.fromEntries([...document.querySelectorAll("#board [id], #hand [id]")].map((element) => {
  const { left, top } = element.getBoundingClientRect();
  return [element.id, [Math.round(left), Math.round(top)]];
}))"""


def places(viewer: Person) -> dict[str, list[int]]:
    found: dict[str, list[int]] = viewer.page.evaluate(WHERE)
    return found


def begun(game: str, **options: Any) -> Callable[[tuple[str, ...]], PageView]:
    """The first choice of a match, which all make at once, as far as it is put together."""
    return lambda draft: position(random_match(game, 7, 0, options), 0, draft)


DRAFTS = {
    "whispers": placing,
    "town": begun("revolution", players=4),
    "warsaw": begun("mali-powstancy", players=4),
    "petrograd": begun("dual-powers"),
}


@pytest.mark.parametrize("scene", DRAFTS)
def test_nothing_moves_while_a_choice_is_put_together(viewer: Person, scene: str) -> None:
    """Whoever lays a second token where the first one lies finds the place where it was."""
    drafts: list[tuple[str, ...]] = [()]
    while len(drafts) < 5:
        draft = DRAFTS[scene](drafts[-1]).seen.draft
        assert draft is not None
        if not draft.open:
            break
        drafts.append((*drafts[-1], draft.open[len(drafts) * 3 % len(draft.open)]))
    assert len(drafts) > 1
    for width, height in SIZES:
        viewer.resize(width, height)
        before: dict[str, list[int]] = {}
        for draft in drafts:
            stage(viewer, DRAFTS[scene](draft))
            viewer.page.evaluate("scrollTo(0, 0)")
            now = places(viewer)
            moved = {id for id in now if id in before and before[id] != now[id] and not id.startswith("laid-")}
            assert not moved, f"{width}, {draft}: {moved}"
            before = now


def test_the_second_tap_on_a_map_hits_what_the_first_one_showed(viewer: Person) -> None:
    """What a place is lies over the status line, so the map stays; and a place that is closed is not offered."""
    scenes = {
        ".wow-region": position(play(at_seat("eagle_marshal", 4, army={"eagle_1": 4}), "act attack"), RAVEN),
        ".town .grp": somewhere("revolution", 157, seed=6, players=4),
    }
    for width, height in PHONES:
        viewer.resize(width, height)
        for selector, shown in scenes.items():
            stage(viewer, shown)
            for closed in (False, True):
                places_ = f"{selector}:is([aria-disabled=true])" if closed else f"{selector}.legal"
                if not viewer.page.locator(places_).count():
                    continue
                before = places(viewer)
                viewer.page.locator(places_).first.dispatch_event("click")
                told = viewer.page.locator("#refusal").inner_text()
                assert ("tap again" in told) == (not closed), told
                assert places(viewer) == before, f"{selector} moves at {width}"


def test_a_refusal_moves_nothing(viewer: Person) -> None:
    words = "Not possible now: " + "a reason that is longer than the status line is wide, with all that it says; " * 3
    for shown in (acting(), crowded(), somewhere("revolution", 60, players=4), somewhere("dual-powers", 40)):
        stage(viewer, shown)
        for width, height in SIZES:
            viewer.resize(width, height)
            viewer.module("refusal.js", "refusal(null)")
            before = places(viewer)
            viewer.module("refusal.js", "refusal({ error: given, rule: 'R1', link: '/rules' })", words)
            assert viewer.page.locator("#refusal a").is_visible()
            assert places(viewer) == before, f"{shown.game.name} moves at {width}"
            box = viewer.page.locator("#refusal a").bounding_box()
            assert box
            assert 0 <= box["x"] <= width - box["width"]


def test_the_chosen_scout_is_not_under_the_status_line(viewer: Person) -> None:
    """On a phone a map that has room between status line and foot is shown whole."""
    viewer.resize(390, 844)
    stage(viewer, crowded())
    viewer.until("[...document.querySelectorAll('.picked')].some((one) => one.getBoundingClientRect().width)")
    top, status, bottom, foot = viewer.page.evaluate("""() => {
      const picked = [...document.querySelectorAll(".picked")].find((one) => one.getBoundingClientRect().width);
      const box = (one) => one.getBoundingClientRect();
      const acts = document.querySelector("#status .acts");
      return [box(picked).top, box(document.getElementById("status")).bottom, box(picked).bottom, box(acts).top];
    }""")
    assert status <= top
    assert bottom <= foot


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_status_that_is_cut_is_told_whole_where_it_has_the_focus(viewer: Person, code: str) -> None:
    stage(viewer, crowded(), code)
    for width, height in SIZES:
        viewer.resize(width, height)
        status = viewer.page.locator("#status [role=status]")
        assert viewer.page.locator("#status > p:visible").count() == 1
        before = places(viewer)
        status.focus()
        cut = "(one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1"
        assert not status.evaluate(cut), f"{width}"
        assert places(viewer) == before
        status.blur()
