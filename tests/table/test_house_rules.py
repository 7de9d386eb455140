"""House rules: every one is offered in a sentence with its rule, and whoever sits at the table sees which are on."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

import samizdat
from samizdat.kernel.game import Definition, box_of, definitions
from samizdat.table.house_rules import MOST_OPEN, OptionWords, agreed, offers
from samizdat.table.language import LANGUAGES, language
from tests.table.conftest import Site
from tests.table.forms import PAGE, form, opened

EACH = pytest.mark.parametrize("found", definitions().values(), ids=list(definitions()))
ALL_LANGUAGES = pytest.mark.parametrize("code", LANGUAGES)

# Revolution! with its two printed optional rules; and one whose default is on (A18), with a number (A2).
CASES: list[tuple[str, dict[str, str], dict[str, Any], list[str]]] = [
    (
        "revolution",
        {"house-refund": "on", "house-domination": "on"},
        {"refund": True, "domination": True},
        ["R9.1", "R9.2"],
    ),
    (
        "mali-powstancy",
        {"house-deliver_by_forced_move": "on", "house-max_jumps_per_turn": "1"},
        {"deliver_by_forced_move": False, "max_jumps_per_turn": 1},
        ["A2", "A18"],
    ),
]


def november_of_its_own() -> str:
    """A box in which unrest in November is worth more than in October."""
    text = (definitions()["dual-powers"].folder / "box.toml").read_text(encoding="utf-8")
    assert text.count('["november",    6,') == 1
    return text.replace('["november",    6,', '["november",    8,')


def visible(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


@EACH
@ALL_LANGUAGES
def test_every_option_is_offered_in_a_sentence_with_its_rule(site: Site, found: Definition, code: str) -> None:
    """Each in the reader's language, in the variants where it matters; its number leads to the rulebook."""
    browser = site.browser(**{**PAGE, "accept-language": code})
    page = browser.get(f"/new/{found.name}").text
    words = OptionWords(found.name, code)
    for offer in offers(found):
        before, after = words.around(offer)
        assert before.strip() in visible(page)
        assert after.strip() in visible(page)
        rows = re.findall(r'<div class="opt" data-only="([^"]*)">(.*?)</div>', page, re.S)
        [(variants, row)] = [row for row in rows if f'name="house-{offer.option.name}"' in row[1]]
        assert variants.split() == list(offer.variants)
        assert f'href="/rules/{found.name}#{offer.option.rule}"' in row
        if code != "en":
            assert language(code).gettext(offer.option.help, found.name) != offer.option.help
    assert 'id="R9.1"' in browser.get("/rules/revolution").text


def test_what_cannot_matter_is_not_offered() -> None:
    """A-3, A-4: the solitaire is over before October, and October and November print the same; A2: nobody has more
    than five points to spend."""
    shown = {offer.option.name: offer for offer in offers(definitions()["dual-powers"])}
    assert "october_november_separate" not in shown
    assert shown["unrest_vp_october"].variants == ("standard",)
    other = box_of("dual-powers", november_of_its_own())
    assert "october_november_separate" in {offer.option.name for offer in offers(definitions()["dual-powers"], other)}
    jumps = next(o for o in offers(definitions()["mali-powstancy"]) if o.option.name == "max_jumps_per_turn")
    assert jumps.values == (0, 1, 2, 3, 4)


def test_the_usual_value_is_marked(site: Site) -> None:
    page = visible(site.browser(**PAGE).get("/new/mali-powstancy").text)
    assert "no limit (as ruled)" in page
    assert "as ruled: 60" in visible(site.browser(**PAGE).get("/new/revolution").text)


def test_many_are_folded(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert max(len(offers(found)) for found in definitions().values()) <= MOST_OPEN
    assert "More house rules" not in site.browser(**PAGE).get("/new/revolution").text
    monkeypatch.setattr(OptionWords, "most", 2)
    page = site.browser(**PAGE).get("/new/revolution").text
    assert page.index("house-domination") < page.index("More house rules") < page.index("house-apothecary_empty")


@pytest.mark.parametrize(("name", "ticked", "values", "rules"), CASES, ids=[case[0] for case in CASES])
@ALL_LANGUAGES
def test_which_are_on_is_seen_everywhere(
    site: Site, name: str, ticked: dict[str, str], values: dict[str, Any], rules: list[str], code: str
) -> None:
    """In the lobby and the waiting room before one sits down, by a seat's link, at the table, and in the file."""
    browser, guest, other = (site.browser(**{**PAGE, "accept-language": code}) for _ in range(3))
    variant = next(iter(definitions()[name].variants))
    data = form(variant, 3, **{"seat-1": "open", "public": "on"}, **ticked)
    table = opened(site, browser.post(f"/new/{name}", data=data))
    assert {key: table.game.options[key] for key in values} == values
    said = agreed(table.game, code)
    assert [rule for _, rule in said] == rules

    def shown(page: str) -> bool:
        return all(words in visible(page) for words, _ in said)

    assert shown(guest.get("/").text)
    room = guest.get(f"/table/{table.id}").text
    assert shown(room)
    assert all(f'href="/rules/{name}#{rule}"' in room for rule in rules)
    assert shown(guest.get(f"/sit/{table.chairs[1].key}").text)
    guest.post(f"/table/{table.id}/sit", data={"seat": "1", "name": "Nadia"})
    for seat in (browser, guest, other):
        assert shown(seat.get(f"/table/{table.id}").text)
    file = browser.get(f"/table/{table.id}/file").json()  # what this seat knows, while the match runs
    assert file["view"]["options"].items() >= values.items()


def test_it_is_seen_in_the_replay(site: Site) -> None:
    browser = site.browser(**PAGE)
    table = opened(site, browser.post("/new/revolution", data=form(**{"house-max_rounds": "1"})))
    assert ("The game ends at the latest after round 1.", "A-27") in agreed(table.game, "en")
    site.wander(table, 10_000)
    assert browser.get(f"/table/{table.id}/file").json()["options"]["max_rounds"] == 1
    assert "The game ends at the latest after round 1." in visible(browser.get(f"/table/{table.id}/replay").text)


@EACH
def test_the_usual_game_has_none(found: Definition) -> None:
    """Neither has a set-up that must be chosen: a solitaire of some strength is no house rule."""
    for variant in found.variants:
        assert found.choose(variant=variant).house_rules == ()
    solitaire = samizdat.game("dual-powers", variant="solitaire", difficulty=4, faction="white")
    assert solitaire.house_rules == ()
