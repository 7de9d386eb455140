"""Studies: what is counted adds up, the same luck is the same, and a report says how sure it is of everything."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from samizdat.conformance.games import full_tables, label, plain_games
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.kernel.studies import DECISIONS, plain_tallies
from samizdat.lab.arena import Setting, read_entrants
from samizdat.lab.study.command import prepare
from samizdat.lab.study.comparing import compare, lines_of
from samizdat.lab.study.inquiry import Inquiry
from samizdat.lab.study.keeping import FILE
from samizdat.lab.study.page import page, write
from samizdat.lab.study.playing import Arm, Counter, Noted, note, tasks
from samizdat.lab.study.report_writer import StudyReport, write_report

RANDOM = read_entrants("random")[0]
DEALS = 3
GAMES = full_tables(plain_games())
SHORT = Setting("revolution", 3, "standard", (("max_rounds", 1),))
LONGER = Setting("revolution", 3, "standard", (("max_rounds", 2),))


def setting(game: Game) -> Setting:
    return Setting(game.name, game.players, game.variant)


def seats(game: Game) -> list[str]:
    return [f"seat {seat + 1}" for seat in range(game.players)]


@pytest.fixture(scope="module", params=GAMES, ids=label)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Inquiry:
    """A few random matches of every game, each twice with nothing changed."""
    game: Game = request.param
    arms = [Arm(name, setting(game), RANDOM) for name in ("as it is", "as it is, again")]
    inquiry = Inquiry(arms, seed=4, lines=lines_of(game, seats(game)))
    assert list(inquiry.play(DEALS, tmp_path_factory.mktemp("study"))) == list(range(2 * DEALS + 1))
    return inquiry


def told(inquiry: Inquiry) -> StudyReport:
    return write_report(inquiry, str, seats(inquiry.game), "samizdat study")


# --- Laws over all games ------------------------------------------------------


def test_what_is_noted_adds_up(played: Inquiry) -> None:
    game = played.game
    for one in played.matches:
        assert sum(one.shares) == pytest.approx(0 if 1 not in one.ranks else 1)
        assert sorted(one.order) == list(range(game.players))
        assert one.reason in game.definition.reasons[1:]
        assert all(0 < mask < 1 << game.players for mask in one.ahead)
        assert one.ahead, "somebody is ahead before the end"
        for tally, counts in zip(game.definition.study.counted(game), one.counts, strict=True):
            assert all(thing < len(tally.things(game)) for thing in counts)
        for counts, possible in zip(one.counts, one.open, strict=True):
            for thing in possible.keys() & counts.keys():
                assert all(n <= most for n, most in zip(counts[thing], possible[thing], strict=True))
        for seat in range(game.players):
            assert not one.parts or sum(part[seat] for part in one.parts.values()) == one.points[seat]
    for number, tally in enumerate(game.definition.study.counted(game)):
        could = any(one.open[number] for one in played.matches)
        assert could <= any(one.counts[number] for one in played.matches), f"{tally.title}: never chosen"
        assert could <= bool(tally.kinds)


def test_every_decision_is_counted_once(played: Inquiry) -> None:
    """Also those that could have been made: nothing is chosen that was not open."""
    game = played.game
    match, tallies = Match(game, 9, nonce=0), plain_tallies(game)
    counter, bot = Counter(game, tallies), RANDOM.bot(5)
    while not match.over:
        seat = match.turn[0]
        moves = match.legal(seat)
        move = bot.choose(match.sight(seat))
        counter.offered(seat, [one.id for one in moves])
        counter.chosen(seat, move.id)
        match.play(seat, move)
    for tally, counts, possible in zip(tallies, counter.counts, counter.open, strict=True):
        made = [(seat, move) for seat, move in match.moves if move.kind in tally.kinds]
        assert sum(map(sum, counts.values())) == len(made)
        if tally.names == DECISIONS:
            assert len(made) == match.plies
        for thing, by_seat in counts.items():
            assert all(n <= most for n, most in zip(by_seat, possible[thing], strict=True))


def test_a_match_written_down_is_read_again(played: Inquiry) -> None:
    for one in played.matches:
        assert Noted.from_json(json.loads(json.dumps(one.to_json()))) == one


def test_the_same_luck_brings_the_same_match(played: Inquiry) -> None:
    """Two arms that differ in nothing play the same matches, and nothing can have moved."""
    for here, there in zip(played.of(0), played.of(1), strict=True):
        assert replace(there, number=here.number, arm=here.arm) == here
    for one in compare(played.lines, played.matches):
        assert one.change.value == 0
        assert one.verdict is None, "three deals settle nothing"


def test_another_seed_brings_another_match(played: Inquiry) -> None:
    (other,) = (note(task) for task in tasks(played.arms[:1], seed=5, deals=1))
    assert replace(other, number=0) != played.matches[0]


class Checked(HTMLParser):
    """Reads a page, and holds that every tag is closed where it should be."""

    VOID = ("meta", "path", "rect", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.figures: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_a_page_needs_nothing_else_and_names_its_matches(played: Inquiry) -> None:
    report = told(played)
    text = page(report)
    Checked(text)
    assert len(text.encode()) < 300_000
    assert not re.search(r"(src|href)=|url\((?!data:|#)|<script|@import", text)
    assert len(report.findings) == 4
    for section in report.sections:
        for figure in section.figures:
            for one in filter(None, (figure, figure.below)):
                assert re.search(r"\d (matches|deals)", one.caption), one.title
                assert one.rows
                assert all(len(row) == len(one.head) for row in one.rows)
    shown = [one for section in report.sections for figure in section.figures
             for one in filter(None, (figure, figure.below))]  # fmt: skip
    assert text.count("<tr>") == sum(len(one.rows) + 1 for one in shown)
    assert text.count("The chart in numbers") == text.count("<details>") == text.count('role="img"')


# --- Files --------------------------------------------------------------------


def run(folder: Path, deals: int = 4, workers: int = 1, upto: int | None = None) -> Inquiry:
    """A study in a folder; with `upto`, interrupted after so many matches."""
    inquiry = Inquiry([Arm("one", SHORT, RANDOM), Arm("two", LONGER, RANDOM)], 1, lines_of(SHORT.game(), "ABC"))
    playing = inquiry.play(deals, folder, workers)
    for done in playing:
        if done == upto:
            playing.close()
            break
    return inquiry


def test_any_number_of_processes_writes_the_same_bytes(tmp_path: Path) -> None:
    alone, together = run(tmp_path / "one"), run(tmp_path / "two", workers=2)
    assert (tmp_path / "one" / FILE).read_bytes() == (tmp_path / "two" / FILE).read_bytes()
    assert page(told(alone)) == page(told(together))


def test_an_interrupted_study_goes_on(tmp_path: Path) -> None:
    """Also when the last line was cut off in the middle."""
    run(tmp_path / "whole")
    run(tmp_path / "parts", upto=3)
    with (tmp_path / "parts" / FILE).open("a", encoding="utf-8") as file:
        file.write('{"number":3,"deal":1,"points":[' + 20_000 * "1,")
    again = run(tmp_path / "parts")
    assert again.found == 3
    assert (tmp_path / "parts" / FILE).read_bytes() == (tmp_path / "whole" / FILE).read_bytes()
    assert run(tmp_path / "parts").found == 8, "nothing is left to play"
    assert len(run(tmp_path / "parts", deals=5).matches) == 10, "more can be asked for"


def test_ink_is_the_data_and_nothing_is_red(tmp_path: Path) -> None:
    report = told(run(tmp_path, deals=25))  # enough for every kind of chart to draw something
    charts = [figure.chart for section in report.sections for figure in section.figures if figure.chart]
    kinds = {mark.kind for chart in charts for mark in chart.marks}
    assert kinds == {"ink", "wash", "doubt", "fair", "mean", "other", "rule", "label", "axis", "number", "note"}
    style = (Path(page.__code__.co_filename).parent / "page.css").read_text()
    assert not [rule for rule in re.findall(r"\.[bst]-[^}]*}", style) if "--act" in rule]


def test_another_study_is_not_overwritten(tmp_path: Path) -> None:
    run(tmp_path)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(OptionError, match="holds another study"):
        list(Inquiry([Arm("one", SHORT, RANDOM)], seed=2).play(1, tmp_path))
    (tmp_path / FILE).write_bytes(before + b"{}\n")
    with pytest.raises(OptionError, match="damaged"):
        run(tmp_path)


def test_every_chart_is_a_file_of_its_own(tmp_path: Path) -> None:
    written = write(told(run(tmp_path)), tmp_path)
    assert {path.suffix for path in written} == {".html", ".svg"}
    assert (
        len(written)
        == len(set(written))
        == 1 + sum(bool(figure.chart) for section in told(run(tmp_path)).sections for figure in section.figures)
    )
    for path in written[1:]:
        assert path.read_text().startswith("<svg xmlns=")
    pictures = [path for path in write(told(run(tmp_path, deals=1)), tmp_path, png=True) if path.suffix == ".png"]
    assert pictures
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_the_reports_of_our_games_are_small_and_listed() -> None:
    folder = Path(__file__).parents[2] / "docs" / "studies"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    found = sorted(path.name for path in folder.glob("*.html"))
    assert {f"{game.name}.html" for game in GAMES} <= set(found)
    assert found == sorted(set(re.findall(r"\((\S+\.html)\)", listed)))
    assert all((folder / name).stat().st_size < 300_000 for name in found)


# --- Questions ----------------------------------------------------------------


def test_it_stops_when_the_question_is_settled(tmp_path: Path) -> None:
    """One round more is seen after the fewest deals that say anything; that it lasts longer is all that was asked."""
    game, changed = SHORT.game(), LONGER.game()
    asking = prepare(game, changed, None, [RANDOM], 0, seats(game), ["rounds"], stop=True)
    *_, last = asking.play(100, tmp_path)
    assert asking.stopped
    assert last == 60
    (moved,) = compare(asking.lines, asking.matches)
    assert (moved.verdict, moved.before, moved.after) == ("up", 1, 2)
    assert told(asking).findings[1].title == "Rounds: more"


def test_what_cannot_be_asked_is_said() -> None:
    game = SHORT.game()
    for changed, bots, ask, why in (
        (game, [RANDOM], [], "Nothing is changed"),
        (None, [RANDOM], ["rounds"], "name a box or an option"),
        (LONGER.game(), [RANDOM, replace(RANDOM, level="novice")], [], "one bot"),
        (LONGER.game(), [RANDOM], ["beauty"], "no line 'beauty'|no line “beauty”|no line beauty"),
    ):
        with pytest.raises(OptionError, match=why):
            prepare(game, changed, None, bots, 0, seats(game), ask, stop=True)


def test_bots_of_different_strength_play_the_same_deals(tmp_path: Path) -> None:
    arms = [Arm("it", SHORT, RANDOM), Arm("it", SHORT, replace(RANDOM, level="novice", simulations=2))]
    inquiry = Inquiry(arms, seed=3)
    list(inquiry.play(2, tmp_path))
    assert [one.deal for one in inquiry.of(0)] == [one.deal for one in inquiry.of(1)] == [0, 1]
    assert "What bots of different strength make of it" in [section.title for section in told(inquiry).sections]
