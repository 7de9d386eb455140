"""Rulebooks as people read them: a round at a glance, pictures the board draws, rulings under their rules."""

from __future__ import annotations

import re
from html import unescape

import pytest

from samizdat.kernel.game import definition, definitions
from samizdat.kernel.positions import arranged
from samizdat.kernel.scenes import SceneError, read_scenes
from samizdat.table.language import LANGUAGES
from samizdat.table.pictures import _holds, _resolved, desk_style, pictures, still
from samizdat.table.rulebooks import PLACE, clauses, illustrated, rulebook
from samizdat.table.rulings import rulings_of
from tests.table.conftest import Site

STEPS = (4, 6)  # of a round at a glance
# What a board prints, by the picture that must show it: words of the board's own template and glyphs of its sprite.
MARKS = {
    "revolution": {
        "look": 'class="seats"',
        "refuse": 'class="no"',
        "open": 'class="offers"',
        "town": 'data-id="area-fortress"',
        "bribe": "#g-gold",
    },
    "dual-powers": {
        "objective": 'data-id="card-green_4a"',
        "date": 'class="mon"',
        "score": 'data-id="island-white"',
        "tire": "tired",
        "blockade": "#g-blockade",
    },
    "mali-powstancy": {
        "orders": 'data-id="order-o03"',
        "card": 'class="mcards"',
        "jump": 'class="go s1',
        "soldier": "#g-soldier",
        "time": 'class="road blocked"',
    },
    "war-of-whispers": {
        "loyalties": 'class="wow-loy"',
        "council": 'data-id="post-bear_chancellor"',
        "add": 'data-id="region-bear_2"',
        "attack": 'class="wow-arrow',
        "swap": 'class="up"',
    },
}

CUTOUT = re.compile(r'<div class="cutout".*?(?=</div>\s*<(?:div class="saying"|figcaption))', re.DOTALL)

every_game = pytest.mark.parametrize("name", definitions())
every_book = pytest.mark.parametrize(("name", "code"), [(name, code) for name in definitions() for code in LANGUAGES])


def glance(name: str, code: str) -> list[str]:
    """The pictures of a round at a glance, in their order."""
    found = re.search(r'<ol class="glance">(.*?)</ol>', str(rulebook(name, code).html), re.DOTALL)
    assert found, "no round at a glance"
    steps = re.findall(
        r'<li><div class="drawn" role="img" aria-label="([^"]+)"><!--(\w+)--></div><div class="saying"><strong>[^<]+'
        r"</strong>(.*?)</div></li>",
        found[1],
        re.DOTALL,
    )
    assert len(steps) == found[1].count("<li>")
    assert all(alt and re.search(r'<a href="#', words) for alt, _, words in steps), "a step without its rules"
    return [picture for _, picture, _ in steps]


@every_book
def test_a_round_at_a_glance(name: str, code: str) -> None:
    steps = glance(name, code)
    assert STEPS[0] <= len(steps) <= STEPS[1]
    assert steps == glance(name, "en")
    book = rulebook(name, code)
    assert book.aim
    assert book.lead
    assert book.aim != rulebook(name, "en").aim or code == "en"


@every_book
def test_every_picture_is_drawn_and_shown_once(name: str, code: str) -> None:
    shown = PLACE.findall(str(rulebook(name, code).html))
    assert sorted(shown) == sorted(pictures(name, code))
    assert len(shown) > len(glance(name, code)), "no picture beside a rule"
    assert not PLACE.search(illustrated(name, code))
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", str(rulebook(name, code).html))
    assert len(captions) == len(shown) - len(glance(name, code))
    assert all(captions)


@every_game
def test_pictures_show_the_boards_own_marks(name: str) -> None:
    for code in LANGUAGES:
        drawn = pictures(name, code)
        for picture, mark in MARKS[name].items():
            assert mark in drawn[picture], f"{picture}, {code}"
    assert pictures(name, "pl") != pictures(name, "en")


@every_book
def test_pictures_only_show(name: str, code: str) -> None:
    """Nothing in them can be reached or pressed, or has a name that the page has already."""
    for picture, drawn in pictures(name, code).items():
        assert not re.search(r"<button|<a [^>]*href| tabindex=| role=|<input(?! disabled)", drawn), picture
        assert drawn.startswith('<div class="cutout"')
        assert 'aria-hidden="true"' in drawn[: drawn.index(">")]
    html = str(illustrated(name, code))
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    referred = set(re.findall(r"url\(#(?!p-)([^)]+)\)", html))
    assert referred <= set(ids)


def test_what_a_drawing_refers_to_gets_an_id_of_the_pictures_own() -> None:
    drawn = '<g id="a"><marker id="head"/><line marker-end="url(#head)" fill="url(#p-water)"/></g>'
    assert still(drawn, "x") == (  # type: ignore[arg-type]
        '<g data-id="a"><marker id="x-head"/><line marker-end="url(#x-head)" fill="url(#p-water)"/></g>'
    )


# --- the style sheet of pictures -----------------------------------------------------------------------------


def test_a_picture_knows_one_screen_only() -> None:
    css = (
        ".a{b:c}@media (max-width:719px){.a{b:d}}@media (min-width:1100px){.a{b:e}"
        "@media (max-height:820px){.a{b:f}}}@media print{.a{b:g}}.z{y:x}"
    )
    assert _resolved(css) == ".a{b:c}.a{b:e}@media print{.a{b:g}}.z{y:x}"
    assert _holds("(min-width:1100px) and (max-width:1279px)") is False
    assert _holds("(min-width:720px) and (max-height:900px)") is True


@every_game
def test_the_style_sheet_of_pictures(site: Site, name: str) -> None:
    style = site.browser().get(f"/boards/{name}/pictures.css")
    assert style.headers["content-type"].startswith("text/css")
    assert style.text == desk_style(name)
    assert not re.search(r"@media[^{]*(?:width|height):", style.text)
    assert style.text.count("{") == style.text.count("}")
    assert f'href="/boards/{name}/pictures.css' in site.browser(accept="text/html").get(f"/rules/{name}").text


# --- positions -----------------------------------------------------------------------------------------------


def test_a_position_that_breaks_a_law_is_refused() -> None:
    found = definition("revolution")
    with pytest.raises(SceneError, match=r"R5\.5"):
        arranged(found, {"given": {"bid": {"red": {"general": {"force": 1}}}, "sealed": 1}})
    with pytest.raises(SceneError, match="unknown steps"):
        arranged(found, {"steps": []})


# --- rulings -------------------------------------------------------------------------------------------------


@every_book
def test_rulings_are_folded_under_the_rule_they_are_about(name: str, code: str) -> None:
    html = str(rulebook(name, code).html)
    under = rulings_of(definition(name))
    folds = re.findall(
        r'<li id="([^"]+)">(?:(?!</li>).)*?'
        r'<details class="rulings"><summary>(.*?)</summary><ul>(.*?)</ul></details>',
        html,
        re.DOTALL,
    )
    assert {rule: re.findall(r'<li id="([^"]+)" class="ruling">', items) for rule, _, items in folds} == under
    for rule, summary, _ in folds:
        assert re.findall(r"<b>(.*?)</b>", summary) == under[rule]
    assert '<details class="rulings" open' not in html
    texts = {
        one.number: re.sub(r"<[^>]+>", "", one.html.replace("/rules/" + name, "")) for one in clauses(name, code)
    }
    for rule in under:
        for number in under[rule]:
            inside = re.search(rf'<li id="{re.escape(number)}" class="ruling">(.*?)</li>', html, re.DOTALL)
            assert inside
            assert re.sub(r"<[^>]+>", "", inside[1]).strip() == texts[number].strip()


@every_game
def test_every_ruling_is_under_one_rule_and_in_the_index(name: str) -> None:
    under = rulings_of(definition(name))
    numbers = [one.number for one in clauses(name, "en")]
    found = [number for rule in under.values() for number in rule]
    assert sorted(found) == sorted(set(found))
    assert {number for number in numbers if re.fullmatch(r"A-?\d+", number)} <= set(found) <= set(numbers)
    assert not set(under) & set(found), "a ruling on a ruling"
    html = str(rulebook(name, "en").html)
    index = "".join(re.findall(r'<ul class="index">(.*?)</ul>', html, re.DOTALL))
    assert re.findall(r'<a href="#([^"]+)">', index) == [number for number in numbers if number in found]


@every_book
def test_contents_are_the_headings(site: Site, name: str, code: str) -> None:
    browser = site.browser(accept="text/html")
    browser.post("/preferences", data={"lang": code})
    page = CUTOUT.sub("", browser.get(f"/rules/{name}").text)
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)
    assert contents
    listed = [
        (anchor, unescape(words))
        for anchor, words in re.findall(r'<li><a href="#([^"]+)"[^>]*>(.*?)</a></li>', contents[0])
    ]
    headings = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', page[contents.end() :])
    assert [(anchor, unescape(re.sub(r"<[^>]+>", "", words))) for anchor, words in headings] == listed
    assert page.index("<h1>") < contents.start(), "the title comes first"
    ids = re.findall(r'(?<=\s)id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


# --- worked examples -----------------------------------------------------------------------------------------


@every_book
def test_every_worked_example_stands_under_a_rule_it_is_about(name: str, code: str) -> None:
    html = str(rulebook(name, code).html)
    hosts = {ruling: rule for rule, rulings in rulings_of(definition(name)).items() for ruling in rulings}
    scenes = {scene.name: scene for scene in read_scenes(definition(name))}
    shown = {}
    for rule in re.split(r'(?=<li id="[^"]+">)', html)[1:]:
        number = rule[len('<li id="') : rule.index('">')]
        for scene, inside in re.findall(r'<details class="example" id="([^"]+)">(.*?)</details>', rule, re.DOTALL):
            assert scene not in shown
            shown[scene] = number
            assert f'href="/scenes/{name}/{scene}"' in inside
            assert (scenes[scene].title in unescape(inside)) == (code == "en"), scene
    assert set(shown) == set(scenes)
    for scene, number in shown.items():
        first = scenes[scene].rules[0]
        assert number == hosts.get(first, first)


def test_an_example_can_be_tried(site: Site) -> None:
    page = site.browser(accept="text/html").get("/rules/revolution").text
    link = re.search(r'href="(/scenes/revolution/t06_spy)"', page)
    assert link
    assert site.browser(accept="text/html").get(link[1]).status_code == 200
