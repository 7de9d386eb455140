"""Tours: every step can be read in every position, in every language; values are those of the position."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from samizdat.kernel.boards import Seen
from samizdat.kernel.game import definitions
from samizdat.kernel.tours import FIRST, Progress, Tour
from samizdat.table.board_files import board_of
from samizdat.table.guides import slip, toured_game, tours_of
from samizdat.table.language import LANGUAGES, Speaker, language
from samizdat.table.page_parts import draw
from samizdat.table.viewing import Log, PageView, SeatView
from tests.conftest import DOSE
from tests.rulebook import read_rulebook

ALL = [(name, tour) for name in definitions() for tour in tours_of(name)]
EVERY = pytest.mark.parametrize(("name", "tour"), ALL, ids=["-".join(one) for one in ALL])
MOST = 10  # steps of a tour
MATCHES = 4  # random ones, in which every moment comes at least once


def positions(name: str, tour: Tour, seed: int) -> Iterator[PageView]:
    """A random match of a tour as its first seat sees it: drafts grow by one choice at a time."""
    return (position for _, position in walk(name, tour, seed))


def walk(name: str, tour: Tour, seed: int) -> Iterator[tuple[int | None, PageView]]:
    """The same, with who has just chosen something."""
    game = toured_game(definitions()[name], next(key for key, one in tours_of(name).items() if one is tour))
    match, dice = game.match(seed), random.Random(seed)
    chairs = [SeatView(f"P{seat}", "bot" if seat else "person") for seat in range(game.players)]
    compose = board_of(name).compose

    def position(draft: tuple[str, ...] = ()) -> PageView:
        step = match.observations(0)[-1]
        acts = 0 in match.turn
        made = compose(game, match._state, 0, draft) if acts else None
        legal = tuple(str(move) for move in match.legal(0)) if acts else ()
        seen = Seen(match.view(0), 0, legal, made, tuple(step.told))
        return PageView(game, seen, chairs, Log(game, 0), (), 1, over=match.over)

    yield None, position()
    while not match.over:
        draft: tuple[str, ...] = ()
        seat = dice.choice(match.turn)
        now = position()
        while seat == 0 and now.seen.draft is not None and now.seen.draft.seal is None and now.seen.draft.open:
            draft = (*draft, dice.choice(now.seen.draft.open))
            now = position(draft)
            yield seat, now
        sealed = now.seen.draft.seal if seat == 0 and now.seen.draft is not None else None
        kinds = sorted({move.kind for move in match.legal(seat)})
        kind = dice.choice(kinds)  # every kind as likely: what is seldom open is tried then
        open_ = [str(move) for move in match.legal(seat) if move.kind == kind]
        for move in sealed or [dice.choice(open_)]:
            match.play(seat, move)
        yield seat, position()


@EVERY
def test_every_step_can_be_read_in_every_position(name: str, tour: str) -> None:
    found = tours_of(name)[tour]
    assert 1 <= len(found.steps) <= MOST
    known = read_rulebook(definitions()[name])
    for seed in range(DOSE):
        for number, position in enumerate(positions(name, found, seed)):
            for code in LANGUAGES if number % 7 == 0 else ("en",):
                say = Speaker(language(code), position.game, [chair.name for chair in position.chairs])
                for step in range(len(found.steps)):
                    said = slip(found, Progress(shown=step), position, say)
                    text = " ".join(str(part) for part in (said["title"], said["goal"] or "", *said["text"]))
                    assert not re.search(r"\{|\*\*|None", text), text
                    assert set(said["rules"]) <= known.keys()
                    assert said["rules"]


@EVERY
def test_steps_point_at_what_is_there(name: str, tour: str) -> None:
    """When its moment comes, something that a step points at is on the page."""
    found = tours_of(name)[tour]
    say = None
    for seed in range(DOSE):
        progress = Progress()
        for number, position in enumerate(positions(name, found, seed), 1):
            say = say or Speaker(language("en"), position.game, [chair.name for chair in position.chairs])
            now = progress.follow(found, position.game, position.seen, number)
            if now == progress:
                continue
            progress = now
            page = "".join(str(part) for part in draw(position, "en", True)["parts"].values())
            ids = set(re.findall(r'\bid="([^"]+)"', page))
            said = slip(found, progress, position, say)
            assert ids & set(said["at"]), (found.steps[progress.shown].name, said["at"])


@EVERY
def test_a_match_passes_through_its_tour(name: str, tour: str) -> None:
    """Without pressing anything but what the match needs, every step that has a moment meets it."""
    found = tours_of(name)[tour]
    met = set()
    for seed in range(MATCHES * DOSE):
        progress = Progress()
        for number, position in enumerate(positions(name, found, seed), 1):
            before = progress.met
            progress = progress.follow(found, position.game, position.seen, number)
            assert progress.met & before == before
            met.add(progress.shown)
    moments = {number for number, step in enumerate(found.steps) if step.when is not None}
    assert moments <= met, [found.steps[number].name for number in moments - met]


WORDS = 200  # read in a minute
OWN = 10.0  # seconds for a choice of one's own
TOLD = 2.4  # seconds in which a decision of somebody else is told, slowly


def minutes(name: str, tour: Tour, seed: int) -> float:
    """How long a newcomer takes until every step was read."""
    seconds, progress, read = 0.0, Progress(), set[int]()
    for number, (seat, position) in enumerate(walk(name, tour, seed), 1):
        seconds += 0 if seat is None else TOLD if seat else OWN
        say = Speaker(language("en"), position.game, [chair.name for chair in position.chairs])
        while True:
            if progress.shown not in read:
                said = slip(tour, progress, position, say)
                heads = (said[part] or "" for part in ("title", "goal", "done", "todo"))
                seconds += 60 * len(" ".join([*heads, *said["text"]]).split()) / WORDS
                read.add(progress.shown)
            after = progress.shown + 1
            if after < len(tour.steps) and tour.steps[after].when is None:
                progress = progress.turn(tour, after, number)
            elif (later := progress.follow(tour, position.game, position.seen, number)) != progress:
                progress = later
            else:
                break
        if len(tour.steps) - 1 in read:
            break
    return seconds / 60


@EVERY
def test_a_tour_takes_as_long_as_its_button_says(name: str, tour: str) -> None:
    found = tours_of(name)[tour]
    taken = [minutes(name, found, seed) for seed in range(8)]
    mean = sum(taken) / len(taken)
    assert abs(mean - found.minutes) < 1, f"{mean:.1f} minutes"


def test_turning_and_putting_away() -> None:
    tour = tours_of("revolution")[FIRST]
    progress = Progress().turn(tour, 1, 0).turn(tour, 2, 5)
    assert progress == Progress(0b111, 2, acts=5)
    assert progress.turn(tour, 0, 5) == Progress(0b111, 0, acts=5), "what was shown counts as shown"
    last = len(tour.steps) - 1
    after = progress.turn(tour, last, 5).turn(tour, last + 1, 5)
    assert (after.shown, after.folded) == (last, True)


@EVERY
def test_what_others_do_turns_no_slip(name: str, tour: str) -> None:
    found = tours_of(name)[tour]
    for position in positions(name, found, 1):
        here = Progress(acts=7)
        after = here.follow(found, position.game, position.seen, 7)
        assert after == here or found.steps[after.shown].at_once
