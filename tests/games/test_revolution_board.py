"""Revolution!: the board tells every decision, composes bids exactly, and draws only what a seat may know."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samizdat
from samizdat.conformance.walks import walk
from samizdat.games.revolution import board, rules
from samizdat.games.revolution.guess import lay_a_fair_bid
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.state import PERSUASION, TOKENS
from samizdat.kernel.boards import Composition
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import legal_moves
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.telling import Word
from samizdat.table.language import LANGUAGES, language, read_glossary
from samizdat.table.page_parts import parts, steps
from samizdat.table.preview import position
from samizdat.table.rendering import sentence

SETTINGS: list[dict[str, Any]] = [
    {"players": 3, "max_rounds": 4},
    {"players": 4, "max_rounds": 4},
    {"players": 4, "max_rounds": 4, "refund": True, "domination": True, "apothecary_empty": True},
]


def positions(seed: int, **options: Any) -> Iterator[Match]:
    """A random match, before its first decision and after each."""
    yield from walk(samizdat.game("revolution", **options).match(seed), seed)


BROUGHT = {
    "en": ("brings the right to replace a follower", "brings the right to exchange two followers"),
    "it": ("porta il diritto di rimpiazzare un seguace", "porta il diritto di scambiare di posto due seguaci"),
    "de": ("bringt das Recht, einen Gefolgsmann auszutauschen", "bringt das Recht, zwei Gefolgsleute zu vertauschen"),
    "pl": ("nagroda: prawo zastąpienia zwolennika", "nagroda: prawo zamiany miejscami dwóch zwolenników"),
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_the_specials_bring_is_a_sentence(code: str) -> None:
    shown = position(samizdat.game("revolution").match(1), 0)
    page = "".join(parts(shown, code).values())
    assert all(text in page for text in BROUGHT[code])


# --- every decision point -------------------------------------------------------------------------------


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_every_decision_has_its_own_label_and_its_place_on_the_board(options: dict[str, Any]) -> None:
    dice = random.Random(1)
    points = set()
    for match in positions(5, **options):
        for seat in match.turn:
            shown = position(match, seat)
            point = shown.view["point"]
            points.add(point)
            labels = [
                str(board.label(match.game, shown.view, match.game.notation.read(one))) for one in shown.seen.legal
            ]
            assert len(set(labels)) == len(labels)
            status = board.status(match.game, shown.seen)
            assert str(status.do)
            assert str(status.left)
            assert str(board.where(match.game, shown.view))
            if point != "persuasion" or dice.random() < 0.1:
                page = "".join(parts(shown, "en").values()).replace("&#34;", '"')
                for one in shown.seen.legal:
                    assert f'"{one}"' in page or one == "done", (one, point)
    assert points == {"persuasion", "spy", "apothecary", "exchange"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_can_say_and_draw_it(code: str) -> None:
    dice = random.Random(2)
    for match in positions(9, players=4, max_rounds=3, refund=True):
        if match.over or match.view(None)["point"] != "persuasion" or dice.random() < 0.05:
            for seat in (None, 0, 1):
                shown = position(match, seat)
                page = "".join(parts(shown, code).values()) + "".join(step["html"] for step in steps(shown, code))
                assert "{" not in page.replace('data-adds="{', ""), "a template without its values"


def test_every_component_has_a_name_in_every_language() -> None:
    folder = samizdat.game("revolution").definition.folder
    rows = {(row["table"], row["id"]): row for row in read_glossary(folder)}
    box = samizdat.game("revolution").box
    shown = [("owners", id) for id in box.names["owners"]]
    shown += [(table, row["id"]) for table in ("areas", "characters", "tokens") for row in box.text.tables[table]]
    for table, id in shown:
        for code in LANGUAGES:
            assert rows[table, id][code]
            assert language(code).word("revolution", Word(table, id)) == rows[table, id][code]


def test_a_row_of_townspeople_from_another_box_is_drawn_too() -> None:
    """Areas that we have no land for take the land that is left."""
    game = samizdat.game("revolution")
    reduced = game.definition.choose(box=game.definition.folder / "reduced.toml", **game.definition.reduced)
    match = reduced.match(3)
    page = parts(position(match, 0), "en")["board"]
    assert 'id="ch-printer"' in page
    assert 'id="area-tavern"' in page


# --- the draft of a bid ---------------------------------------------------------------------------------


def bidding(hand: tuple[int, int, int], seed: int = 1) -> tuple[Game, Any, Luck]:
    """A table at which seat 0 holds these tokens and has laid none."""
    game = samizdat.game("revolution", players=3)
    s: Any = game.blank()
    luck = Luck()
    seed_luck(luck, seed)
    rules.setup(game.box.record, s, luck)  # type: ignore[arg-type]
    for token in range(TOKENS):
        s.held[0, token] = s.left[0, token] = hand[token]
    return game, s, luck


def composed(game: Game, s: Any, draft: list[str]) -> Composition:
    found = board.compose(game, s, 0, tuple(draft))
    assert found is not None
    return found


def play_sealed(game: Game, s: Any, seal: tuple[str, ...]) -> None:
    """Everything that a sealed draft sends is legal in the match when it comes."""
    for notation in seal:
        move = game.notation.read(notation)
        assert move.id in legal_moves(game.box.record, s, 0, game.capacity)
        POINTS.play(game.box.record, s, Luck(), 0, move.id)  # type: ignore[arg-type]
    assert s.sealed & 1


hands = st.tuples(st.integers(0, 5), st.integers(0, 6), st.integers(0, 9)).filter(any)


@pytest.mark.rules("revolution", "R5.2", "R5.3", "R5.5", "A-26")
@given(hands, st.randoms(use_true_random=False), st.integers(0, 6))
def test_a_draft_never_gets_stuck_and_its_seal_is_legal(hand: tuple[int, int, int], dice: Any, before: int) -> None:
    """Whatever is added in whatever order, also on top of what the match already has."""
    game, s, luck = bidding(hand)
    for _ in range(min(before, sum(hand) - 1)):
        legal = legal_moves(game.box.record, s, 0, game.capacity)
        POINTS.play(game.box.record, s, luck, 0, dice.choice(legal))  # type: ignore[arg-type]
    draft: list[str] = []
    for _ in range(sum(s.left[0, token] for token in range(TOKENS))):
        now = composed(game, s, draft)
        assert now.seal is None
        draft.append(dice.choice(now.open))
    done = composed(game, s, draft)
    assert list(done.chosen) == draft
    assert done.open == ()
    assert done.seal is not None
    play_sealed(game, s, done.seal)


@pytest.mark.rules("revolution", "R5.2", "R5.3", "R5.5", "A-26")
@given(hands, st.randoms(use_true_random=False), st.integers(1, 10**6))
def test_every_legal_board_can_be_composed_in_any_order(hand: tuple[int, int, int], dice: Any, seed: int) -> None:
    game, s, luck = bidding(hand, seed)
    lay_a_fair_bid(game.box.record, s, luck, 0)  # type: ignore[arg-type]
    first = game.definition.moves.first["bid"]
    wanted = [
        str(game.notation.move(first + character * TOKENS + token))
        for character in range(12)
        for token in range(TOKENS)
        for _ in range(s.bid[0, character, token])
    ]
    draft = list(wanted)
    dice.shuffle(draft)
    game, s, _ = bidding(hand)
    for number, notation in enumerate(draft):
        assert notation in composed(game, s, draft[:number]).open
    assert composed(game, s, draft).seal == (*wanted, "done")


def test_what_does_not_fit_into_a_draft_is_left_out() -> None:
    game, s, _ = bidding((1, 0, 2))
    draft = [
        "bid general force",
        "bid priest force",
        "bid priest force",
        "nonsense",
        "take tavern red",
        "bid spy gold",
    ]
    assert composed(game, s, draft).chosen == ("bid priest force", "bid spy gold")


def test_nothing_is_composed_once_a_bid_is_sealed_or_bids_lie_open() -> None:
    game, s, _ = bidding((0, 0, 1))
    s.sealed = 1
    assert board.compose(game, s, 0, ()) is None
    s.sealed, s.point = 0, PERSUASION + 1
    assert board.compose(game, s, 0, ()) is None


def test_a_laid_token_can_be_taken_back_and_more_can_be_laid() -> None:
    match = samizdat.game("revolution", players=3).match(1)
    shown = position(match, 0, ("bid priest gold", "bid priest gold", "bid printer force"))
    page = parts(shown, "en")["board"]
    assert 'data-take="bid priest gold"' in page
    assert 'data-take="bid printer force"' in page
    assert 'data-open="blackmail gold"' in page
    status = board.status(match.game, shown.seen)
    assert str(status.do) == "Your bid: lay 1 blackmail and 1 gold on the townspeople."
    assert str(status.left).startswith("2 of 5 tokens left, all must be laid · 2 of 6 townspeople used")


# --- secrets --------------------------------------------------------------------------------------------


@pytest.mark.rules("revolution", "R5.1")
def test_what_is_drawn_depends_on_what_the_seat_knows() -> None:
    """The same page in the true world and in worlds guessed from what the seat sees."""
    dice = random.Random(4)
    differed = 0
    for match in positions(4, players=4, max_rounds=3):
        if dice.random() < 0.15:
            for seat in (0, 2):
                truth = position(match, seat)
                for key in range(2):
                    world = match.copy()
                    state = match.sight(seat).state
                    luck = Luck()
                    seed_luck(luck, key)
                    rules.guess(match._box, state, luck, seat)  # type: ignore[arg-type]
                    world._state.become(state)
                    again = position(world, seat)
                    assert parts(again, "en") == parts(truth, "en")
                    differed += bytes(world._state) != bytes(match._state)
    assert differed > 20


# --- reveals --------------------------------------------------------------------------------------------


@pytest.mark.rules("revolution", "R6.1")
def test_the_twelve_are_revealed_in_their_order_in_every_round() -> None:
    for viewer in (None, 2):
        shown: list[int] = []
        rounds = 0
        heard = 0
        for match in positions(6, players=4, max_rounds=5, refund=True):
            observed = match.observations(viewer)
            if len(observed) == heard:
                continue
            heard = len(observed)
            told = list(observed[-1].told)
            log = {str(line) for line in match.log(viewer)}
            for reveal in board.reveals(match.game, told, -1 if viewer is None else viewer):
                assert all(str(line) in log for line in reveal.lines), "a step says only what the record says"
                assert reveal.lines
                if reveal.data["kind"] == "character":
                    shown += [row["number"] for row in reveal.data["rows"]]
            rounds = match.view(viewer)["round"]
        assert shown == list(range(1, 13)) * rounds


def test_a_round_is_seen_in_four_clicks() -> None:
    """What matters of it: the Spy and the Apothecary cut it, and what they do is told in the status line."""
    most = 0
    for seed in range(12):
        clicks: Counter[int] = Counter()
        heard = 1
        for match in positions(seed, players=4, max_rounds=6):
            observed = match.observations(0)
            if len(observed) > heard and not match.over:
                heard = len(observed)
                shown = board.reveals(match.game, list(observed[-1].told), 0)
                evaluated = match.view(0)["round"] - (match.view(0)["point"] == "persuasion")
                clicks[evaluated] += sum(not reveal.minor for reveal in shown)
        most = max(most, *clicks.values())
    assert 2 <= most <= 4


def test_an_ordinary_decision_reveals_nothing() -> None:
    match = samizdat.game("revolution", players=3).match(1)
    assert not position(match, 0).reveals
    for notation in ("bid priest force", "bid priest blackmail", *["bid spy gold"] * 3, "done"):
        match.play(0, notation)
        assert not position(match, 0).reveals
        assert not position(match, 1).reveals


def test_a_step_names_the_winner_and_what_it_brings() -> None:
    match = samizdat.game("revolution", players=3).match(1)
    for seat, bids in enumerate((["priest force"], ["priest blackmail"], ["rogue gold"])):
        rest = {"force": 1, "blackmail": 1, "gold": 3}
        for bid in bids:
            rest[bid.split()[1]] -= 1
        whole = sorted(
            [f"bid {bid}" for bid in bids]
            + [f"bid printer {token}" for token, number in rest.items() for _ in range(number)],
            key=lambda one: match.game.notation.read(one).id,
        )
        for notation in (*whole, "done"):
            match.play(seat, notation)
    reveals = board.reveals(match.game, list(match.observations(2)[-1].told), 2)
    page, priest = next((page, row) for page in reveals for row in page.data["rows"] if row["id"] == "priest")
    assert priest["winner"] == 0
    assert [offer["seat"] for offer in priest["offers"]] == [0, 1]
    assert {"ch-priest", "area-cathedral"} <= set(page.focus)
    html = [step["html"] for step in steps(position(match, 2), "en")]
    assert any("Priest" in one and "wins" in one for one in html)


@pytest.mark.rules("revolution", "R8.2", "R8.3")
def test_the_score_sheet_adds_up() -> None:
    for options in SETTINGS:
        *_, match = positions(8, **options)
        sheet = board.picture(match.game, position(match, None).seen)["sheet"]
        assert sheet["lines"][-1]["sums"] == sheet["totals"] == match.scores
        assert [sum(line["gained"][seat] for line in sheet["lines"]) for seat in range(match.seats)] == match.scores
        end = parts(position(match, None), "en")["end"]
        assert end.count('class="tally') == len(sheet["lines"]) + 1
        assert sentence(sheet["lines"][0]["name"], "en") == "Score track"


def test_followers_that_just_moved_are_marked_and_come_from_somewhere() -> None:
    marked = 0
    for match in positions(7, players=4, max_rounds=4):
        shown = position(match, 0)
        picture = board.picture(match.game, shown.seen)
        moved = [
            piece
            for area in picture["areas"]
            for group in area["groups"]
            for piece in group["pieces"]
            if piece["origin"]
        ]
        marked += len(moved)
        ids = [piece["id"] for area in picture["areas"] for group in area["groups"] for piece in group["pieces"]]
        assert len(set(ids)) == len(ids) == picture["spaces"]
    assert marked
