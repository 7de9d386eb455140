"""Mali Powstańcy: the board tells every decision, composes secret choices, and draws only what a seat may know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.conformance.walks import another_world, walk
from samizdat.games.mali_powstancy import GAME, board, chart
from samizdat.games.mali_powstancy.labels import LABELS
from samizdat.games.mali_powstancy.points import POINTS
from samizdat.games.mali_powstancy.status import PROMPTS
from samizdat.kernel.boards import Reveal
from samizdat.kernel.match import Match
from samizdat.table.language import LANGUAGES, read_glossary
from samizdat.table.page_parts import parts, steps
from samizdat.table.preview import NAMES as PEOPLE
from samizdat.table.preview import position as shown
from samizdat.table.rendering import sentence
from tests.games.warsaw import BOX, FAR, NAME, NAMES, at, cites, order, position, space, state, turn

SETTINGS = [(variant, players) for variant in GAME.variants for players in (2, 3, 4)]


def positions(seed: int, variant: str, players: int) -> Iterator[Match]:
    """A random match, before its first decision and after each."""
    yield from walk(samizdat.game(NAME, players=players, variant=variant).match(seed), seed)


# --- Every decision point -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "players"), SETTINGS)
def test_every_decision_has_its_own_label_and_every_point_a_status(variant: str, players: int) -> None:
    for seed in range(3):
        for match in positions(seed, variant, players):
            for seat in match.turn:
                one = shown(match, seat)
                labels = [
                    str(board.label(match.game, one.view, match.game.notation.read(move))) for move in one.seen.legal
                ]
                assert len(set(labels)) == len(labels)
                status = board.status(match.game, one.seen)
                assert str(status.do)
                assert str(status.left)
                assert str(board.where(match.game, one.view))


def test_every_decision_point_has_a_status_and_a_phase() -> None:
    assert {*PROMPTS.own, "over"} == set(board.PHASES) == set(POINTS.words)
    assert set(LABELS) == set(GAME.moves.kinds)


@pytest.mark.parametrize(("variant", "players"), SETTINGS)
def test_every_decision_is_in_the_picture(variant: str, players: int) -> None:
    kinds: set[str] = set()
    for match in positions(players, variant, players):
        for seat in match.turn:
            fresh = {move.kind for move in match.legal(seat)} - kinds
            if not fresh:
                continue
            kinds |= fresh
            one = shown(match, seat)
            drawn = parts(one, "en")
            picture = "".join(drawn[part] for part in ("status", "board", "hand", "seats"))
            found = set(re.findall(r'data-(?:move|add)="([^"]*)"', picture))
            assert set(one.seen.legal) <= found
            ids = re.findall(r'\sid="([^"]*)"', "".join(drawn.values()))
            assert len(set(ids)) == len(ids)


@cites(NAME, "2.6.1", "2.6.3")
def test_orders_are_taken_at_their_origin_and_dropped_at_their_tile() -> None:
    given = turn(
        at=at(red={1: "plac_wilsona", 2: "plac_wilsona", 3: "port"}, orange=FAR),
        place={"o06": "space_1", "o41": "space_2"},
        carries=at(red={3: "o41"}),
        chosen={"red": "2"},
    )
    match = position(given=given)
    drawn = parts(shown(match, 0), "en")["board"]
    for move in ("take 1 o06", "take 2 o06", "drop 3"):
        assert f'data-move="{move}"' in drawn
    assert "no way is left" not in parts(shown(match, 0), "en")["hand"]


@cites(NAME, "2.15", "A45")
def test_the_points_of_others_are_not_drawn() -> None:
    place = {"o06": "delivered_orange", "o10": "delivered_red"}
    match = position(players=3, given=turn("red", place=place, at=at(red=FAR, orange=FAR, green=FAR)))
    seats = parts(shown(match, 0), "en")["seats"]
    assert re.search(r"#g-point.*?<b>4</b>", seats, re.S)
    assert seats.count("#g-point") == 1
    assert "#g-point" not in parts(shown(match, None), "en")["seats"]


# --- Helps ----------------------------------------------------------------------------------------------------


@cites(NAME, "2.1.3", "2.5.5", "2.5.8")
def test_the_way_to_a_destination_goes_round_what_is_closed() -> None:
    given = turn(at=at(red={1: "aleja_szucha", 2: "port", 3: "port"}, orange=FAR), place={}, blocked=[])
    view = position(given=given).view(0)
    game = samizdat.game(NAME, players=2)
    o36 = order("o36")  # to Przyczółek Czerniakowski
    assert chart.far(game, view, "aleja_szucha", o36) == {"steps": 3, "points": 1}
    assert chart.far(game, view | {"blocked": ["r28"]}, "aleja_szucha", o36) == {"steps": 5, "points": 2}
    assert chart.far(game, view | {"fallen": ["czerniakow"]}, "aleja_szucha", o36) is None
    assert chart.far(game, view | {"soldier": "przyczolek_czerniakowski"}, "aleja_szucha", o36) is None


def test_helps_can_be_switched_off() -> None:
    given = turn(
        at=at(red={1: "port", 2: "port", 3: "port"}, orange=FAR), place={"o41": "space_2"}, carries=at(red={1: "o41"})
    )
    one = shown(position(given=given), 0)
    with_helps, without = parts(one, "en"), parts(one, "en", helps=False)
    assert "steps</em>" in with_helps["hand"]
    assert "<em>" not in without["hand"]
    assert 'id="goal-1"' in with_helps["board"]
    assert 'id="goal-1"' not in without["board"]


# --- Choices that all make at once ----------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["card 1", "card 2", "card 3", "card 4", "card 5", "card 9"]), max_size=6))
def test_one_card_is_chosen_and_a_later_one_takes_its_place(draft: list[str]) -> None:
    match = samizdat.game(NAME, players=2).match(4)
    composed = board.compose(match.game, match.sight(0, memory=False).state, 0, tuple(draft))  # type: ignore[arg-type]
    assert composed is not None
    assert set(composed.open) == {f"card {number}" for number in range(1, 6)}
    last = [card for card in draft[-1:] if card in composed.open]
    assert list(composed.chosen) == last
    assert composed.ready == bool(last)
    if composed.seal:
        match.play(0, composed.seal[0])
        assert match.view(0)["players_at_table"][0]["has_chosen"]


@cites(NAME, "2.10.3", "S3")
@given(st.integers(0, 200), st.data())
def test_objectives_are_composed_in_any_order_and_sealed_in_theirs(seed: int, data: st.DataObject) -> None:
    match = samizdat.game(NAME, players=2, variant="extended").match(seed)
    record: Any = match.sight(1, memory=False).state
    draft: tuple[str, ...] = ()
    rows = {row["id"]: row for row in GAME.standard_box.text.tables["objectives"]}
    for _ in range(8):
        composed = board.compose(match.game, record, 1, draft)
        assert composed is not None
        colours = [rows[one.split()[1]]["colour"] for one in composed.chosen]
        assert len(set(colours)) == len(colours) <= BOX.objectives_kept
        assert composed.ready == (len(colours) == BOX.objectives_kept)
        assert not set(composed.open) & set(composed.chosen)
        choices = [*composed.open, *composed.chosen]
        change = data.draw(st.sampled_from(choices))
        draft = (
            tuple(one for one in composed.chosen if one != change)
            if change in composed.chosen
            else (*composed.chosen, change)
        )
    while (composed := board.compose(match.game, record, 1, draft)) and not composed.ready:
        new = [
            one
            for one in composed.open
            if rows[one.split()[1]]["colour"] not in {rows[other.split()[1]]["colour"] for other in composed.chosen}
        ]
        draft = (*composed.chosen, data.draw(st.sampled_from(new)))
    assert composed is not None
    for move in composed.seal or ():
        assert move in [str(legal) for legal in match.legal(1)]
        match.play(1, move)
    assert 1 not in match.turn
    kept = match.view(1)["players_at_table"][1]["objectives"]
    assert {f"keep {id}" for id in kept} == set(composed.chosen)


def test_nothing_is_composed_outside_secret_choices() -> None:
    match = position(given=turn(at=at(red=FAR, orange=FAR)))
    assert board.compose(match.game, match.sight(0, memory=False).state, 0, ("card 1",)) is None  # type: ignore[arg-type]
    choosing = samizdat.game(NAME, players=2).match(4)
    choosing.play(0, "card 1")
    assert board.compose(choosing.game, choosing.sight(0, memory=False).state, 0, ()) is None  # type: ignore[arg-type]


# --- Secrets --------------------------------------------------------------------------------------------------


@cites(NAME, "2.15", "A45")
@pytest.mark.parametrize("variant", GAME.variants)
def test_what_is_drawn_depends_on_what_the_seat_knows(variant: str) -> None:
    for ply, match in enumerate(positions(8, variant, 3)):
        if ply % 12:
            continue
        for viewer in (0, 2, None):
            one, other = shown(match, viewer), shown(another_world(match, viewer, ply), viewer)
            assert parts(one, "en") == parts(other, "en")
            assert steps(one, "en") == steps(other, "en")


def test_reveals_come_from_what_the_viewer_heard() -> None:
    game = samizdat.game(NAME, players=3, variant="extended")
    match = game.match(3)
    everything = list(match._deal.told)
    for viewer in (0, 1, 2, -1):
        told = [one for one in everything if one.heard_by(viewer)]
        assert board.reveals(game, everything, viewer) == board.reveals(game, told, viewer)
    assert board.reveals(game, everything, 0) != board.reveals(game, everything, 1)


def kinds(found: list[Reveal]) -> list[str]:
    return [str(one.data["kind"]) for one in found]


@cites(NAME, "2.7.4", "2.4.1")
def test_an_arrest_is_followed_step_by_step() -> None:
    given = turn(
        "orange", order=["red", "orange"], soldier="browary_warszawskie", place={"o01": "space_1"}, above=4,
        at=at(red={1: "bank_polski", 2: "port", 3: "port"}, orange=FAR),
    )  # fmt: skip
    match = position(given=given)
    match.play(1, "end", [2])  # a black 3
    told = list(match.observations(0)[-1].told)
    found = board.reveals(match.game, told, 0)
    assert kinds(found) == ["die", "march", "orders"]
    assert found[0].data["die"] == {"colour": "black", "number": 3}
    assert found[1].data["caught"] == [(0, "red_1")]
    assert found[1].focus == ("soldier", "scout-red_1")
    assert state(match).soldier == space("bank_polski")


def test_plain_moves_reveal_nothing() -> None:
    match = position(given=turn(at=at(red={1: "port", 2: "port", 3: "port"}, orange=FAR)))
    match.play(0, "jump 1 stary_mokotow")
    assert board.reveals(match.game, list(match.observations(1)[-1].told), 1) == []
    drawn = parts(shown(match, 1), "en")["board"]
    assert "geo was" in drawn  # the latest move is marked
    assert "lastmove" in drawn


# --- The end --------------------------------------------------------------------------------------------------


@cites(NAME, "2.13.3")
def test_the_score_sheet_adds_up_line_by_line() -> None:
    place = {"o06": "delivered_red", "o10": "delivered_red", "o11": "delivered_orange"}
    given = turn("orange", order=["red", "orange"], victory=4, place=place, at=at(red=FAR, orange=FAR))
    match = position("extended", given=given)
    match.play(1, "end")
    drawn = parts(shown(match, 0), "en")["end"]
    sections = drawn.split('<section class="tallies')[1:]
    for seat, section in enumerate(sections):
        numbers = [int(number) for number in re.findall(r"<b>(\d+)</b>", section)]
        orders = match.view(0)["players_at_table"][seat]["pile"]
        *lines, total = numbers
        assert lines[len(orders)] == sum(lines[: len(orders)])
        assert total == sum(lines[len(orders) :]) == match.scores[seat]
    assert sections[0].startswith(" won")


# --- Words ----------------------------------------------------------------------------------------------------


def test_every_component_is_in_the_glossary() -> None:
    rows = {(row["table"], row["id"]): row for row in read_glossary(GAME.folder)}
    for table in ("districts", "locations", "colours"):
        for id in NAMES[table]:
            assert all(rows[table, id][code] for code in LANGUAGES)
    for table in ("scouts", "objective_colours"):
        for row in GAME.standard_box.text.tables[table]:
            assert all(rows[table, row["id"]][code] for code in LANGUAGES)
            if "name" in row:
                assert rows[table, row["id"]]["en"] == row["name"]
    for card in GAME.standard_box.text.tables["cards"]:
        assert not card["action"] or rows["cards", str(card["value"])]["pl"] == card["title"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_match_can_be_told_in_every_language(code: str) -> None:
    for variant in GAME.variants:
        *_, match = positions(2, variant, 3)
        for line in match.log(0):
            assert "{" not in sentence(line, code, match.game, PEOPLE[:3])
