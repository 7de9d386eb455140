"""The end of a match: who won and by what, for each who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import samizdat
from samizdat.conformance.walks import walk
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.table.contexts import Context
from samizdat.table.language import LANGUAGES, language
from samizdat.table.page_parts import parts
from samizdat.table.viewing import Log, PageView, SeatView, look
from tests.conftest import label, plain_games
from tests.table.conftest import Site

NAMES = ("Ludmila", "Fedor", "Ada", "Celina", "Hugo", "Hela")


def shown(game: Game, view: Any, seat: int | None, several: bool = False) -> PageView:
    chairs = [SeatView(NAMES[i], "person") for i in range(game.players)]
    seen = Seen(view, seat, (), None, ())
    return PageView(game, seen, chairs, Log(game, seat), (), 0, over=True, several=several)


def headline(game: Game, view: Any, seat: int | None, code: str = "en", several: bool = False) -> str:
    return Context(shown(game, view, seat, several), language(code), helps=True).headline


def finished(game: Game) -> Iterator[Match]:
    for seed in range(3):
        *_, match = walk(game.match(seed), seed)
        assert match.over
        yield match


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_end_names_who_won_by_the_rules(game: Game) -> None:
    """A law of all games: winners are those of rank 1; each reads "you" of its own victory, in every language."""
    for match in finished(game):
        winners = [seat for seat, rank in enumerate(match.ranks) if rank == 1]
        view = match.view(None)
        ending = game.definition.board.ending(game, view)
        assert list(ending.winners) == winners
        assert ending.how
        assert (ending.nobody is None) == bool(winners)
        for seat in (None, *range(game.players)):
            said = headline(game, view, seat)
            assert said.startswith("You") == (seat in winners)
            for other in winners:
                assert (NAMES[other] in said) == (other != seat)
            if ending.by is not None:
                assert str(ending.by) in said
            assert not headline(game, view, seat, several=True).startswith("You"), "nobody in particular is you"
            assert len({headline(game, view, seat, code) for code in LANGUAGES}) == len(LANGUAGES)


def whispers(reason: str, **columns: list[int]) -> tuple[Game, Any]:
    """A finished match with these columns of its score sheet."""
    game = samizdat.game("war-of-whispers", players=3)
    *_, match = walk(game.match(1), 1)
    view = match.view(None)
    for seat, line in enumerate(view["score_sheet"]):
        line.update({name: column[seat] for name, column in columns.items()})
    return game, {**view, "reason": reason}


@pytest.mark.parametrize(
    ("reason", "columns", "said"),
    [
        ("points", {"total": [25, 24, 3]}, "You won, 25 to 24"),
        ("fewer_swaps", {"total": [25, 25, 3], "swapped": [0, 2, 0]}, "You won, by fewer swaps"),
        ("more_cards", {"total": [9, 9, 3], "swapped": [0, 0, 0], "cards": [4, 1, 5]}, "You won, by more cards"),
        ("shared", {"total": [9, 9, 3], "swapped": [0, 0, 0], "cards": [4, 4, 5]},
         "You and Fedor share the victory, 9 each"),
    ],
)  # fmt: skip
def test_whispers_are_decided_by_points_swaps_or_cards(reason: str, columns: Any, said: str) -> None:
    game, view = whispers(reason, **columns)
    assert headline(game, view, 0) == said
    assert headline(game, view, None) == said.replace("You and Fedor share", "Ludmila and Fedor share").replace(
        "You won", "Ludmila won"
    )


def test_equal_points_in_revolution_are_a_shared_victory() -> None:
    game = samizdat.game("revolution", players=3, max_rounds=2)
    *_, match = walk(game.match(1), 1)
    view = match.view(None)
    for line in view["score_sheet"]:
        line["total"] = 40
    assert headline(game, view, 1) == "You, Ludmila and Ada share the victory, 40 each"
    view["score_sheet"][2]["total"] = 41
    assert headline(game, view, 1) == "Ada won, 41 to 40"


def test_orders_decide_equal_points_in_warsaw_and_a_fall_decides_all() -> None:
    game = samizdat.game("mali-powstancy", players=2)
    *_, match = walk(game.match(1), 1)
    view = match.view(None)
    sheet = {"orders": 20, "return_bonus": 7, "objectives": {}, "total": 27}
    tied = {**view, "reason": "last_order", "score_sheet": [dict(sheet), dict(sheet)]}
    tied["players_at_table"] = [{**one, "delivered": 4 + i} for i, one in enumerate(view["players_at_table"])]
    assert headline(game, tied, 0) == "Fedor won, by more orders"
    lost = {**view, "reason": "fourth_token"}
    lost.pop("score_sheet", None)
    assert headline(game, lost, 0) == "Warsaw has fallen: everybody loses"


def test_the_solitaire_is_won_by_the_one_seat_or_by_the_opposition() -> None:
    game = samizdat.game("dual-powers", variant="solitaire")
    *_, match = walk(game.match(1), 1)
    view = match.view(0)
    own = next(one["faction"] for one in view["factions"] if not one["opposition"])
    other = {"red": "white", "white": "red"}[own]
    assert headline(game, {**view, "winner": own, "reason": "third_round", "score": 4}, 0) == (
        "You won, by 4 on the score track"
    )
    assert headline(game, {**view, "winner": other, "reason": "third_round", "score": 0}, 0) == (
        "The opposition won, by the Will of the People"
    )


@pytest.mark.parametrize("name", ["dual-powers", "war-of-whispers"])
def test_what_was_secret_is_shown_only_when_it_is_over(site: Site, name: str) -> None:
    table = site.table(samizdat.game(name))
    site.wander(table, 30)
    assert look(table, None).secrets == ()
    assert 'id="end"></div>' in parts(look(table, None), "en")["end"]
    site.wander(table, 100_000)
    found = look(table, None)
    assert len(found.secrets) == table.game.players
    assert look(table, None, 3).secrets == (), "a look back at what was still secret shows nothing more"
    end = parts(found, "en")["end"]
    assert end.count('class="badge"') >= table.game.players
    assert f"/table/{table.id}/replay?open=true" in end
    assert "/rematch" not in end, "a spectator has no seat to play again"
