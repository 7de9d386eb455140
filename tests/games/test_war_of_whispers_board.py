"""A War of Whispers: its board says and shows every decision, and nothing a seat may not know."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samizdat
from samizdat.games.war_of_whispers import board, story
from samizdat.games.war_of_whispers import state as e
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.table.language import read_glossary
from samizdat.table.page_parts import parts, steps
from samizdat.table.preview import position
from samizdat.table.rendering import sentence
from tests.games.test_war_of_whispers import reset_position
from tests.games.whispers import RAVEN, at_seat, play

NAME = "war-of-whispers"
VARIANTS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "advanced": True},
    {"players": 4, "allow_pass": True, "advanced": True},
    {"players": 4, "distinct_devout": True, "point_per_hidden_loyalty": True},
]
BOARDS = ("status", "board", "hand", "seats")
CARDS = {
    "raven": {
        "bear_with_lion": 1, "eagle_with_elephant": 1, "elephant_with_lion": 1, "lion_with_horse": 1,
        "horse_with_bear": 2, "eagle_with_horse": 1,
    }
}  # fmt: skip


def positions(options: dict[str, Any], seed: int, often: float = 1.0) -> Iterator[tuple[Match, random.Random]]:
    """Positions of a random match in which cards are drawn and played more often than by chance."""
    match = samizdat.game(NAME, **options).match(seed)
    rng = random.Random(seed)
    while True:
        if rng.random() < often or match.over:
            yield match, rng
        if match.over:
            return
        seat = rng.choice(match.turn)
        legal = match.legal(seat)
        wanted = [move for move in legal if move.kind == "play" or str(move) in ("act draw", "act attack")]
        match.play(seat, rng.choice(wanted if wanted and rng.random() < 0.5 else legal))


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_decision_has_a_label_of_its_own_and_every_point_a_status(options: dict[str, Any]) -> None:
    points = set()
    for match, _ in positions(options, seed=5):
        board.where(match.game, match.view(None))
        for seat in match.turn:
            shown = position(match, seat)
            points.add(shown.view["point"])
            labels = [
                sentence(board.label(match.game, shown.view, move), "en", match.game) for move in match.legal(seat)
            ]
            assert len(set(labels)) == len(labels), labels
            status = board.status(match.game, shown.seen)
            assert sentence(status.do, "en", match.game).endswith((".", "?"))
            assert status.left is not None
            sentence(status.left, "en", match.game)
    assert {"deploy", "before", "place", "target", "force"} <= points


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_open_decision_can_be_clicked_on_the_board(options: dict[str, Any]) -> None:
    for match, _ in positions(options, seed=8, often=0.08):
        for seat in match.turn:
            shown = position(match, seat)
            drawn = unescape("".join(parts(shown, "en", wanted=BOARDS).values()))
            found = set(re.findall(r'data-(?:move|add)="([^"]+)"', drawn))
            assert set(shown.seen.legal) <= found
        parts(position(match, None), "en")


@pytest.mark.parametrize("ability", board.EFFECTS)
def test_every_card_can_be_played_to_its_end_by_clicking(ability: str) -> None:
    """A hand that can pay for anything: announce one ability, then follow the board until it is resolved."""
    for seed in range(2):
        armies = {"lion_3": 3, "horse_1": 2, "eagle_1": 2, "bear_2": 5}
        match = at_seat("lion_chancellor", 2, army=armies, hand=CARDS, holder={"horse_1": "bear"})
        rng = random.Random(f"{ability} {seed}")
        while match.turn == (RAVEN,) and match.plies < 10:
            shown = position(match, RAVEN)
            drawn = "".join(parts(shown, "en", wanted=BOARDS).values())
            assert all(f'="{move}"' in drawn for move in shown.seen.legal)
            wanted = f"play {ability}"
            match.play(RAVEN, wanted if wanted in shown.seen.legal else rng.choice(shown.seen.legal))


def said(match: Match) -> str:
    """Both sentences of Raven's status line."""
    status = board.status(match.game, position(match, RAVEN).seen)
    assert status.left is not None
    return f"{sentence(status.do, 'en', match.game)} {sentence(status.left, 'en', match.game)}"


def test_a_seat_that_took_no_action_is_not_said_to_have_acted() -> None:
    """A66: the window after it opens all the same."""
    agents = {"eagle_sheriff": "raven", "eagle_chancellor": "rat"}
    match = at_seat("eagle_sheriff", 2, agent=agents, army={"eagle_1": 20}, hand=CARDS)
    assert "nothing to do" in said(match)
    play(match, "pass")
    assert said(match).startswith("Eagle Sheriff takes no action. Go on, or play a card.")
    match = at_seat("lion_chancellor", 2, army={"lion_3": 1}, hand=CARDS)
    play(match, "act attack", "from lion_3", "to horse_1", "number 1", "done")
    assert said(match).startswith("Lion Chancellor has acted. Go on, or play a card.")
    # After a Swap the seat moved to may have nothing to do.
    match = at_seat("horse_chancellor", 2, army={"horse_3": 20}, hand={"raven": {"horse_with_bear": 1}})
    play(match, "act swap", "seat horse_marshal")
    assert "nothing to do: pass; cards can be played after it." in said(match)
    play(match, "pass")
    assert said(match).startswith("Horse Marshal takes no action.")


def test_the_region_a_card_is_used_on_is_named() -> None:
    match = at_seat("lion_chancellor", 2, army={"lion_9": 2, "lion_3": 4, "elephant_3": 2}, hand=CARDS)
    play(match, "act attack", "from lion_9", "to elephant_3", "number 2", "play reinforcements",
         "pay elephant_with_lion", "pay lion_with_horse", "from lion_3")  # fmt: skip
    assert said(match).startswith("Reinforcements from Crownford.")


def test_loyalties_are_secret_until_the_end() -> None:
    match = samizdat.game(NAME, players=2).match(seed=1)
    secret = re.compile(r"<h2>Your loyalties<small[^>]*>[^<]*\bsecret</small>")
    shown = parts(position(match, RAVEN), "en", wanted=("seats",))["seats"]
    assert secret.search(shown)
    *_, (match, _) = positions({"players": 2}, seed=3, often=0.0)
    shown = parts(position(match, RAVEN), "en", wanted=("seats",))["seats"]
    assert "Your loyalties" in shown
    assert "secret" not in shown


def compose_and_seal(match: Match, seat: int, choose: Any) -> tuple[str, ...]:
    """Add what `choose` picks from what is open, until the draft can be sealed."""
    draft: tuple[str, ...] = ()
    for _ in range(40):
        found = position(match, seat, draft).seen.draft
        assert found is not None
        assert found.chosen == draft
        if found.seal is not None:
            return found.seal
        draft += (choose(found.open),)
    raise AssertionError("a draft that never ends")


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_discards_are_composed_in_any_order(data: st.DataObject) -> None:
    match = reset_position()
    for seat in match.turn:
        for move in compose_and_seal(match, seat, lambda open: data.draw(st.sampled_from(open))):
            match.play(seat, move)
    assert match.view(None)["point"] == "swap_loyalty"


DRAFTS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "placing": (["act add"], {"post": "lion_marshal", "army": {"lion_3": 2, "lion_5": 1}}),
    "dispersal": (
        ["play dispersal", "pay bear_with_lion", "pay horse_with_bear", "in lion_3"],
        {"post": "lion_chancellor", "army": {"lion_3": 4}},
    ),
    "redeployment": (
        ["play redeployment", "pay horse_with_bear", "pay horse_with_bear", "empire lion"],
        {"post": "lion_chancellor", "army": {"lion_3": 5, "lion_4": 2}},
    ),
    "fire": (
        ["play alchemists_fire", "pay eagle_with_elephant", "pay elephant_with_lion", "in lion_3"],
        {"post": "lion_chancellor", "army": {"lion_3": 2, "horse_1": 2, "horse_5": 1, "horse_7": 1}},
    ),
}


@pytest.mark.parametrize("name", DRAFTS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_banners_are_composed_in_any_order(name: str, data: st.DataObject) -> None:
    moves, given = DRAFTS[name]
    match = at_seat(given["post"], 2, army=given["army"], hand=CARDS)
    play(match, *moves)
    point = match.view(RAVEN)["point"]
    for move in compose_and_seal(match, RAVEN, lambda open: data.draw(st.sampled_from(open))):
        match.play(RAVEN, move)
    assert match.view(RAVEN)["point"] != point


def test_a_draft_forgets_what_cannot_be() -> None:
    match = reset_position()
    draft = ("discard elephant_with_bear", "discard bear_with_lion", "nonsense", "place bear_1")
    found = position(match, RAVEN, draft).seen.draft
    assert found is not None
    assert found.chosen == ("discard bear_with_lion",)
    assert not found.ready


def other_world(match: Match, seat: int, key: int) -> Match:
    """The same match as the seat sees it, with everything it may not know drawn anew."""
    world = match.copy()
    hidden = engine.hidden(match._box, match._state, seat)
    luck = Luck()
    seed_luck(luck, key)
    match.game.definition.rules.guess(match._box, hidden, luck, seat)
    world._state.become(hidden)
    return world


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_what_is_drawn_depends_on_the_hidden_record_only(options: dict[str, Any]) -> None:
    for match, rng in positions(options, seed=11, often=0.02):
        for seat in range(match.seats):
            true, other = (position(world, seat) for world in (match, other_world(match, seat, rng.getrandbits(64))))
            assert parts(true, "en") == parts(other, "en")


def told_to(match: Match, seat: int | None) -> list[Any]:
    return list(match.observations(seat)[-1].told)


@pytest.mark.parametrize("options", VARIANTS[1:3], ids=str)
def test_revelations_come_from_what_the_viewer_was_told(options: dict[str, Any]) -> None:
    kinds = set()
    for match, _ in positions(options, seed=21, often=0.25):
        for viewer in (None, *range(match.seats)):
            told = told_to(match, viewer)
            number = -1 if viewer is None else viewer
            lines = {str(line) for line in story.tell(match.game, told, number)}
            for reveal in board.reveals(match.game, told, number):
                kinds.add(reveal.data["kind"])
                assert {str(line) for line in reveal.lines} <= lines
            assert len(steps(position(match, viewer), "en")) == len(board.reveals(match.game, told, number))
    assert {"battle", "play", "cities", "token", "total", "end"} <= kinds


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_score_sheet_adds_up(options: dict[str, Any]) -> None:
    *_, (match, _) = positions(options, seed=3, often=0.0)
    assert match.over
    sheet = unescape(parts(position(match, None), "en", wanted=["end"])["end"])
    assert sheet.count("tally") >= 9
    for one in match.view(None)["score_sheet"]:
        assert sum(line["points"] for line in one["tokens"]) + one["hidden"] == one["total"]
        for line in one["tokens"]:
            assert (line["cities"] + line["agents"]) * line["value"] == line["points"]
    winners = position(match, None)
    assert board.picture(match.game, winners.seen)["winners"] == list(match.winners)


def drawn_names(game: Game) -> set[str]:
    tables = (
        "empires",
        "positions",
        "councils",
        "societies",
        "slots",
        "regions",
        "waters",
        "abilities",
        "cards",
        "actions",
    )
    return {f"{table} {id}" for table in tables for id in game.box.text.ids(table)}


def test_every_component_has_its_names() -> None:
    game = samizdat.game(NAME, players=2)
    rows = read_glossary(game.definition.folder)
    assert drawn_names(game) <= {f"{row['table']} {row['id']}" for row in rows}
    assert all(row[code] for row in rows for code in ("en", "it", "de", "pl"))


# --- what moves is seen to move -------------------------------------------------------------------------


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_whatever_changes_its_place_flies_between_elements_of_the_board(options: dict[str, Any]) -> None:
    """Both ends of every flight are drawn, and every agent or army that was told to move has one."""
    moved = (e.DEPLOYS, e.RETRIEVES, e.STATIONS, e.RECALLS, e.SWAPS_SEATS, e.MOVES_AGENT, e.MARCHES, e.PLACES)
    flown = 0
    for match, _ in positions(options, seed=5, often=0.4):
        shown = position(match, 0)
        drawn = parts(shown, "en", wanted=("board", "seats"))
        page = drawn["board"] + drawn["seats"]
        flights = re.findall(r'class="flight" data-from="([^"]+)" data-to="([^"]+)"', drawn["board"])
        told = [one for one in shown.seen.last if one.event in moved]
        assert len(flights) >= len(told)
        for end in (place for flight in flights for place in flight if place != "#march"):
            assert f'id="{end.split()[0][1:]}"' in page, end
        flown += len(flights)
    assert flown > 20


def test_the_arrow_of_an_attack_stays_where_it_began_when_others_join() -> None:
    match = at_seat("lion_chancellor", 2, army={"lion_9": 2, "lion_3": 4, "elephant_3": 2}, hand=CARDS)
    play(match, "act attack", "from lion_9", "to elephant_3", "number 2")
    drawn = board.picture(match.game, position(match, RAVEN).seen)
    (place,) = [(one["x"], one["y"]) for one in drawn["regions"] if one["id"] == "lion_9"]
    assert drawn["arrow"]["from"] == place
    for move in ("play reinforcements", "pay elephant_with_lion", "pay lion_with_horse", "from lion_3", "number 4"):
        play(match, move)
        drawn = board.picture(match.game, position(match, RAVEN).seen)
        assert drawn["arrow"]["from"] == place
        chosen = {one["id"] for one in drawn["regions"] if one["chosen"]}
        assert chosen == {"lion_9", "lion_3"} if move == "from lion_3" else {"lion_9"}
    assert drawn["arrow"]["banners"] == 6


def test_agents_come_from_their_owners_plate() -> None:
    match = samizdat.game(NAME, players=2).match(1)
    seat = match.turn[0]
    move = next(move for move in match.legal(seat) if move.kind == "deploy")
    match.play(seat, move)
    (flight,) = board.picture(match.game, position(match, seat).seen)["flights"]
    assert flight == {
        "agent": seat,
        "from": f"#seat-{seat} .badge",
        "to": f"#post-{move.args['seat']} .slot",
    }


def test_the_button_says_what_it_does() -> None:
    """Nothing here is sealed: placing, lifting, destroying and discarding are named."""
    verbs = set()
    for match, _ in positions({"players": 2}, seed=9):
        for seat in match.turn:
            shown = position(match, seat)
            if shown.seen.draft is not None:
                assert shown.seen.draft.verb is not None
                verbs.add(sentence(shown.seen.draft.verb, "en"))
                assert sentence(shown.seen.draft.verb, "en") in parts(shown, "en", wanted=("status",))["status"]
    assert "Place them" in verbs


def test_battles_are_minor_and_what_was_secret_is_not() -> None:
    kinds: dict[str, bool] = {}
    for match, _ in positions({"players": 4}, seed=4):
        for one in position(match, 0).reveals:
            assert kinds.setdefault(one.data["kind"], one.minor) == one.minor
    assert kinds["battle"]
    assert not any(minor for kind, minor in kinds.items() if kind != "battle")
