"""Dual Powers: the board tells every decision, and draws only what a seat may know."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.conformance.walks import walk
from samizdat.games.dual_powers import GAME, board, drawing, geometry
from samizdat.games.dual_powers import state as ids
from samizdat.games.dual_powers.status import PROMPTS
from samizdat.kernel import interpreted as engine
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.telling import Line
from samizdat.table.contexts import Context
from samizdat.table.language import LANGUAGES, language, read_glossary
from samizdat.table.page_parts import parts, steps
from samizdat.table.preview import NAMES, position
from samizdat.table.rendering import sentence

SETTINGS: list[dict[str, Any]] = [
    {},
    {"neutral_control_needs_presence": True, "bonus_move_rank_one_only": True, "october_november_separate": False},
    {"variant": "solitaire", "difficulty": 1},
    {"variant": "solitaire", "difficulty": 6, "faction": "white", "unrest_vp_october": 9},
]
POINTS = ("objective", "card", "action", "recruiting", "moving", "leading", "bonus", "bonus_recruiting",
          "bonus_moving", "unrest")  # fmt: skip


def positions(seed: int, **options: Any) -> Iterator[Match]:
    """A random match, before its first decision and after each."""
    yield from walk(samizdat.game("dual-powers", **options).match(seed), seed)


def marked(text: str) -> set[str]:
    """Every decision that can be clicked in a piece of a page."""
    found = re.findall(r'<[^>]*\bdata-(?:move|add)="([^"]*)"[^>]*>', text)
    return {html.unescape(one) for one in found}


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_every_decision_is_told_and_drawn(options: dict[str, Any]) -> None:
    """At every decision point of whole games: a status, distinct labels, and an element for each open decision."""
    reached = set()
    for seed in range(2):
        for match in positions(seed, **options):
            for seat in match.turn:
                place = position(match, seat)
                status = board.status(match.game, place.seen)
                assert sentence(status.do, "en", match.game, NAMES).endswith(".")
                assert status.left is not None
                sentence(status.left, "en", match.game, NAMES)
                for code in LANGUAGES:
                    c = Context(place, language(code), helps=True)
                    labels = [c.label(notation) for notation in place.seen.legal]
                    assert len(set(labels)) == len(labels), labels
                drawn = parts(place, "en", wanted=("board", "hand", "seats", "status"))
                assert set(place.seen.legal) <= marked("".join(drawn.values())), place.view["point"]
                reached.add(place.view["point"])
    assert reached >= {"card", "action", "moving", "leading"}


def test_random_games_reach_every_decision_point() -> None:
    reached = {match.view(None)["point"] for seed in range(4) for match in positions(seed)}
    assert reached == {*POINTS, "over"}
    assert set(PROMPTS.own) == set(POINTS)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_everything_can_be_drawn_in_every_language(options: dict[str, Any]) -> None:
    """Boards, steps and score sheets, for each seat and for a spectator, with and without helps: a position in one
    language, the end in all of them."""
    codes = list(LANGUAGES)
    for number, match in enumerate(positions(7, **options)):
        if number % 9 == 0 or match.over:
            for seat in (*range(match.seats), None):
                place = position(match, seat)
                for code in codes if match.over else codes[number // 9 % len(codes) :][:1]:
                    for helps in (True, False):
                        assert "</div>" in parts(place, code, helps)["board"]
                    steps(place, code)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_what_is_drawn_depends_on_what_the_seat_knows_alone(options: dict[str, Any]) -> None:
    """Hidden things drawn anew (hands, objectives, deck, the opposition's cards): not a byte of the page differs."""
    dice = random.Random(5)
    compared = 0
    for number, match in enumerate(positions(11, **options)):
        if number % 12 == 0:
            for seat in range(match.seats):
                other = match.copy()
                state = engine.hidden(match._box, match._state, seat)
                luck = Luck()
                seed_luck(luck, dice.getrandbits(128))
                match.game.definition.rules.guess(match._box, state, luck, seat)
                other._state.become(state)
                true, guessed = position(match, seat), position(other, seat)
                assert parts(true, "en") == parts(guessed, "en")
                assert steps(true, "en") == steps(guessed, "en")
                compared += bytes(match._state) != bytes(state)
    assert compared


@given(st.lists(st.integers(0, 7), max_size=6), st.integers(0, 1))
def test_a_later_objective_replaces_the_earlier(order: list[int], seat: int) -> None:
    """D4.1: any card, changed any number of times; sealing gives one decision that the match takes."""
    match = samizdat.game("dual-powers").match(seed=2)
    legal = [str(move) for move in match.legal(seat)]
    draft = [legal[one % len(legal)] for one in order]
    record: Any = match.sight(seat, memory=False).state
    composed = board.compose(match.game, record, seat, tuple(draft))
    assert composed is not None
    assert list(composed.open) == legal
    assert composed.chosen == tuple(draft[-1:])
    assert composed.ready == bool(draft)
    if composed.seal:
        for notation in composed.seal:
            match.play(seat, notation)
        assert match.view(seat)["factions"][seat]["objective"] == draft[-1].split()[1]


def test_only_objectives_are_composed() -> None:
    for match in positions(3):
        for seat in match.turn:
            record: Any = match.sight(seat, memory=False).state
            composed = board.compose(match.game, record, seat, ())
            assert (composed is not None) == (match.view(seat)["point"] == "objective")


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_steps_tell_what_the_viewer_was_told(options: dict[str, Any]) -> None:
    """The steps together are the log of that decision, in its order; an ordinary move has none."""
    shown_steps = 0
    for match in positions(5, **options):
        for seat in (*range(match.seats), None):
            viewer = -1 if seat is None else seat
            told = list(match.observations(seat)[-1].told)
            found = board.reveals(match.game, told, viewer)
            dramatic = any(one.event in board.DRAMA for one in told)
            assert bool(found) == dramatic
            if found:
                lines: list[Line] = [line for step in found for line in step.lines]
                assert lines == match.game.definition.show.tell(match.game, told, viewer)
                shown_steps += len(found)
    assert shown_steps


def test_the_steps_of_a_scoring() -> None:
    """D8: unrest, each objective, each region that is scored, what tires, the tiles, one after the other."""
    kinds: set[str] = set()
    for seed in range(3):
        for match in positions(seed):
            told = list(match.observations(None)[-1].told)
            found = board.reveals(match.game, told, -1)
            kinds |= {step.data["kind"] for step in found}
            counts = [step for step in found if "red" in step.data]
            assert len(counts) == sum(one.event == ids.COUNTS for one in told)
            for step in found:
                assert all(focus in ("date", "support") or "-" in focus for focus in step.focus)
    assert {"count", "objective", "tire", "tiles", "month", "end"} <= kinds


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_the_score_sheet_adds_up(options: dict[str, Any]) -> None:
    """D8.4: every line of the sheet moves the marker by its points (A-20: at most to the end)."""
    for seed in range(3):
        *_, match = positions(seed, **options)
        rows = board.score_rows(match.log(None))
        track = match.view(None)["track"]
        score = 0
        for row in rows:
            if row["side"] is not None:
                score += row["points"] if row["side"].id == "red" else -row["points"]
                score = max(-track, min(track, score))
                assert row["region"] is not None
            assert row["score"] == score
        assert score == match.view(None)["score"]


def test_tokens_stand_apart_and_in_their_island() -> None:
    """In both layouts, whatever number of tokens: no two in one cell, none outside of its island."""
    for spot in geometry.RING:
        for number in range(1, geometry.CELLS[-1].most + 1):
            cells = [geometry.cell(spot, at, number) for at in range(number)]
            for x, y, column, line in (("x", "y", *spot.wide), ("px", "py", *spot.tall)):
                places = {(one[x], one[y]) for one in cells}
                assert len(places) == number
                assert all(column < across < column + 1 and line < down < line + 1 for across, down in places)


def test_neighbours_on_the_ring_lie_side_by_side() -> None:
    """Each bridge joins islands that are neighbours in both layouts."""
    game = samizdat.game("dual-powers")
    spots = drawing._spots(game)
    for one in game.box.text.tables["connections"]:
        here, there = spots[one["one"]], spots[one["other"]]
        for a, b in ((here.wide, there.wide), (here.tall, there.tall)):
            assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def test_every_component_has_a_name_in_every_language() -> None:
    """All ids of all tables that are shown, and no empty cell in a language's own column."""
    names = samizdat.game("dual-powers").box.names
    rows = {(row["table"], row["id"]): row for row in read_glossary(GAME.folder)}
    wanted = [(table, id) for table in ("regions", "connections", "months", "commands", "leaders", "tokens")
              for id in names[table]]  # fmt: skip
    wanted += [("factions", id) for id in ("red", "white")] + [("short", id) for id in ("red", "white")]
    wanted += [("short", id) for id in (*names["leaders"], "trotsky_neutral", "trotsky_red")]
    wanted += [("actions", id) for id in drawing.ACTION_GLYPHS] + [("specials", id) for id in drawing.SPECIAL_GLYPHS]
    assert set(wanted) == set(rows)
    for row in rows.values():
        assert all(row[code] for code in LANGUAGES)
