"""Pointing answers: whatever carries a meaning on a board has something to say, in every language, by a rule that the
book has; and what it says is asked of what the viewer may know (tests/table/test_secrecy.py compares two worlds)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from samizdat.kernel.boards import Answer
from samizdat.kernel.game import Definition, Game, definitions
from samizdat.table import rendering
from samizdat.table.board_files import board_file
from samizdat.table.commands import Draft, Play
from samizdat.table.contexts import opened
from samizdat.table.language import LANGUAGES, Speaker, language
from samizdat.table.page_parts import parts
from samizdat.table.pointing import DRAWN, answer, answered, beside, legend, legend_of
from samizdat.table.rulebooks import clauses, rulebook
from samizdat.table.viewing import PageView, look
from tests.conftest import DOSE, every_game, full_tables, label, plain_games
from tests.table.conftest import Site

WALKED = ("strip", "board", "hand", "seats", "end")
VOID = {"br", "img", "input", "hr", "link", "meta"}
DECISIONS = ("data-move", "data-add", "data-adds", "data-take", "data-arm")
PIECES = {"pl", "back", "tok", "card", "seat", "badge"}  # pieces that are no glyph: shapes, hidden things, cards
# A tool with its own words; a piece on its way between two steps; a poster; the sentence that ends a match.
TOOLS = {"zoom", "flight", "lino", "finale"}
GLYPH = re.compile(r"#g-([a-z-]+)")
SPRITE = (Path(rendering.__file__).parent / "templates" / "sprite.html.jinja").read_text(encoding="utf-8")


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def __str__(self) -> str:
        return f"<{self.tag} {self.attributes}> {self.text.strip()}"

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    def around(self) -> Iterator[Element]:
        one: Element | None = self
        while one is not None:
            yield one
            one = one.parent

    def inside(self) -> Iterator[Element]:
        for child in self.children:
            yield child
            yield from child.inside()

    @property
    def about(self) -> str | None:
        return next((one.attributes["data-about"] for one in self.around() if "data-about" in one.attributes), None)

    @property
    def glyph(self) -> str | None:
        found = GLYPH.fullmatch(self.attributes.get("href", ""))
        return found[1] if found else None

    @property
    def means(self) -> bool:
        """Whether it carries a meaning: a glyph, a number, a piece, something with a name, a choice."""
        if any(one.classes & TOOLS or one.tag == "defs" for one in self.around()):
            return False
        told = self.attributes.keys() & {"id", "aria-label", "title", *DECISIONS}
        digits = any(letter.isdigit() for letter in self.text)
        return bool(self.glyph or told or digits or self.classes & PIECES)

    @property
    def holds(self) -> bool:
        """Whether it is only the frame around things that answer."""
        named = not (self.attributes.keys() & set(DECISIONS)) and not any(letter.isdigit() for letter in self.text)
        return named and any("data-about" in one.attributes for one in self.inside())


class Reader(HTMLParser):
    """A piece of a page as a tree."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.at.tag == tag, f"{self.at} is closed by </{tag}>"
            assert self.at.parent is not None
            self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.text += data


def read(html: str) -> list[Element]:
    reader = Reader()
    reader.feed(html)
    assert reader.at is reader.root
    return list(reader.root.inside())


def drawn(position: PageView, code: str = "en", helps: bool = True) -> list[Element]:
    """Everything on the board, in the hand, of the seats and on the score sheet; what others held in the end answers
    through their eyes, and is looked at by itself."""
    made = parts(position, code, helps)
    found = [one for part in WALKED for one in read(made[part])[1:]]  # the first is the part itself
    return [one for one in found if not any("data-through" in two.attributes for two in one.around())]


def check(position: PageView, elements: list[Element], said: dict[str, set[str]]) -> None:
    """Every meaning has an answer there; `said` collects what was asked about, by its first word."""
    signs = {sign.glyph for group in legend_of(position.game) for sign in group.signs}
    for one in elements:
        if not one.means or one.holds:
            continue
        assert one.about is not None, f"nothing to say about {one} in {[str(two)[:90] for two in one.around()][1:4]}"
        if one.glyph:
            assert one.glyph in signs, f"the legend has no {one.glyph}"
    for about in {one.attributes["data-about"] for one in elements if "data-about" in one.attributes}:
        found = answer(position, about)
        assert found is not None, f"no answer about {about!r}"
        check_answer(position.game, about, found)
        said.setdefault(about.split(" ")[0], set()).add(about)


def check_answer(game: Game, about: str, found: Answer) -> None:
    assert 1 <= len(found.does) + len(found.now) <= 3, f"{about}: one to three lines"
    assert found.does, about
    assert found.rules, about
    for rule in found.rules:
        assert rule in rulebook(game.name, "en").numbers, f"{about} cites {rule}"


def spoken(position: PageView, abouts: set[str]) -> None:
    """The words themselves, in every language."""
    for code in LANGUAGES:
        for about in abouts:
            html = answered(position, about, code)
            assert html is not None
            words = re.sub(r"<[^>]+>", " ", html)
            wrong = [sign for sign in ("{", " None ", ": .", "  .") if sign in words]
            assert not wrong, f"{about} in {code}: {words}"


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_every_meaning_answers(site: Site, game: Game) -> None:
    table = site.table(game)
    dice = random.Random(game.players)
    points: set[str] = set()
    said: dict[str, set[str]] = {}
    for _ in range(220 * DOSE):
        assert table.match is not None
        if table.match.over:
            break
        seat = dice.choice(table.match.turn)
        point = str(look(table, seat).view["point"])
        if point not in points or dice.random() < 0.08:
            for viewer in (seat, dice.choice(table.viewers)):
                position = look(table, viewer)
                heard: dict[str, set[str]] = {}
                check(position, drawn(position), heard)
                if point not in points and viewer == seat:
                    spoken(position, {about for abouts in heard.values() for about in sorted(abouts)[:3]})
                for kind, abouts in heard.items():
                    said.setdefault(kind, set()).update(abouts)
            points.add(point)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
    assert said


@pytest.mark.parametrize("game", full_tables(every_game()), ids=label)
def test_with_every_option(site: Site, game: Game) -> None:
    table = site.table(game)
    site.wander(table, 25)
    for helps in (True, False):
        position = look(table, 0)
        check(position, drawn(position, helps=helps), {})


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_the_end_and_what_was_secret(site: Site, game: Game) -> None:
    short: dict[str, Any] = {"max_rounds": 4} if game.name == "revolution" else {}
    game = game.definition.choose(game.players, game.variant, **short)
    table = site.table(game)
    assert table.match is not None
    number = 0
    while not table.match.over:
        site.wander(table, 40, seed=number)
        number += 1
    for viewer in (None, 0):
        position = look(table, viewer)
        said: dict[str, set[str]] = {}
        check(position, drawn(position), said)
        spoken(position, {about for abouts in said.values() for about in abouts})
    for seat in range(game.players):
        position = replace(look(table, seat), opened=True)
        check(position, read(opened([position], "en"))[1:], {})


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_a_draft_answers(site: Site, game: Game) -> None:
    """What lies in a draft is no decision yet, and speaks as well."""
    table = site.table(game)
    dice = random.Random(5)
    tried = 0
    for _ in range(60):
        assert table.match is not None
        if table.match.over or tried == 3:
            break
        seat = dice.choice(table.match.turn)
        composed = table.composition(seat)
        if composed is not None:
            tried += 1
            for _ in range(3):
                composed = table.composition(seat)
                assert composed is not None
                if not composed.open:
                    break
                site.run(site.house.do(table, Draft(seat, "add", dice.choice(composed.open))))
                position = look(table, seat)
                check(position, drawn(position), {})
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_what_is_not_there_has_no_answer(site: Site, game: Game) -> None:
    table = site.table(game)
    site.wander(table, 12)
    position = look(table, 0)
    kinds = {one.attributes["data-about"].split(" ")[0] for one in drawn(position) if "data-about" in one.attributes}
    for kind in kinds:
        for rest in ("-99", "99", "nobody", "\u0663", "1 2 3 4", "__class__"):
            found = answer(position, f"{kind} {rest}")
            assert found is None or answer(position, kind) is not None, f"{kind} {rest}: {found}"
    for about in ("", " ", "nothing", "seat", "seat  0", "x" * 120):
        assert answer(position, about) is None


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_the_legend(game: Game) -> None:
    """Each sign once, drawn by a picture that there is, in words of every language."""
    glyphs = [sign.glyph for group in legend_of(game) for sign in group.signs]
    assert len(set(glyphs)) == len(glyphs)
    sprite = SPRITE + board_file(game.definition, "glyphs.svg").read_text(encoding="utf-8")
    for group in legend_of(game):
        for sign in group.signs:
            assert sign.letters or sign.glyph in DRAWN or f'id="g-{sign.glyph}"' in sprite, sign
    for code in LANGUAGES:
        html = legend(game, code)
        read(html)
        say = Speaker(language(code), game)
        assert all(say(sign.says) for group in legend_of(game) for sign in group.signs)


@pytest.mark.parametrize("definition", list(definitions().values()), ids=label)
def test_every_rule_can_be_read_beside_the_board(site: Site, definition: Definition) -> None:
    browser = site.browser()
    for code in LANGUAGES:
        for number in rulebook(definition.name, code).numbers:
            found = beside(definition.name, number, code)
            assert found is not None
            assert found.cited.number == number
            assert found.cited in found.shown
    for clause in clauses(definition.name, "en")[::9]:
        page = browser.get(f"/rules/{definition.name}/{clause.number}")
        assert page.status_code == 200
        assert 'class="cited"' in page.text
        read(page.text)
    assert browser.get(f"/rules/{definition.name}/Z99").status_code == 404
    assert browser.get("/rules/no-game/R1").status_code == 404


@pytest.mark.parametrize("definition", list(definitions().values()), ids=label)
def test_asking_the_table(site: Site, definition: Definition) -> None:
    """One's own seat, a past step, and nobody else's eyes."""
    game = definition.choose()
    table = site.table(game, kinds="p" + "b" * (game.players - 1))
    mine, other = site.browser(), site.browser()
    mine.get("/")
    mine.hold(table, 0)
    site.wander(table, 10)
    asked = f"/table/{table.id}/about?what=seat 0&step="
    steps = len(table.history(0).observations)
    for step in (0, steps - 1, steps + 50, -3):
        answer = mine.get(f"{asked}{step}&seat=0")
        assert answer.status_code == 200
        assert "<strong>" in answer.text
    assert other.get(f"{asked}0&seat=0").status_code == 403
    assert other.get(f"{asked}0").status_code == 200
    assert mine.get(f"/table/{table.id}/about?what=nothing&step=0&seat=0").status_code == 204
    assert mine.get(f"/table/{table.id}/about?what={'x' * 200}&step=0&seat=0").status_code == 422
    assert mine.get(f"/table/{table.id}/legend").status_code == 200
    assert mine.get(f"/table/{table.id}/replay/0/about?what=seat 0&seat=1").status_code == 403, "it still runs"
