"""Mali Powstańcy, 2.15: what is hidden, and fair guesses at it."""

from __future__ import annotations

from typing import Any

import samizdat
from samizdat.games.mali_powstancy.state import (
    DEALT,
    IN_BOX,
    PILE,
)
from samizdat.kernel.interpreted import hidden
from tests.games.warsaw import (
    BOX,
    NAME,
    at,
    cites,
    order,
    position,
    state,
    turn,
)

# --- 2.15 Secrets ---------------------------------------------------------------------------------------------


@cites(NAME, "2.15", "A45", "S7")
def test_delivered_orders_are_numbers_to_others() -> None:
    given = turn(
        "red",
        at=at(red={1: "r29_2"}),
        place={"o06": "space_1", "o10": "delivered_orange"},
        carries=at(red={1: "o06"}),
    )
    match = position(players=3, given=given)
    match.play(0, "step 1 port")
    assert [player["delivered"] for player in match.view(2)["players_at_table"]] == [1, 1, 0]
    assert [player["pile"] for player in match.view(2)["players_at_table"]] == [None, None, []]
    assert match.view(0)["players_at_table"][0]["pile"] == ["o06"]
    seen: Any = hidden(BOX, state(match), 2)
    assert seen.place[order("o06")] == seen.place[order("o10")] == PILE
    assert any("worth 15" in str(line) for line in match.log(0))
    for viewer in (1, 2, None):
        assert not any("O06" in str(line) or "15" in str(line) for line in match.log(viewer))
        assert any("delivers an order" in str(line) for line in match.log(viewer))


@cites(NAME, "2.15", "S9")
def test_objectives_are_shown_at_the_end_and_returned_ones_never() -> None:
    match = position("extended", given=turn("orange", order=["red", "orange"], victory=4))
    assert match.view(0)["players_at_table"][1]["objectives"] is None
    assert len(match.view(0)["players_at_table"][0]["objectives"]) == 3
    assert len(match.view(0)["players_at_table"][0]["objectives_not_kept"]) == 3
    match.play(1, "end")
    assert match.reason == "victory_card"
    for viewer in (0, 1, None):
        players = match.view(viewer)["players_at_table"]
        assert [len(player["objectives"]) for player in players] == [3, 3]
    assert match.view(0)["players_at_table"][1]["objectives_not_kept"] is None
    seen: Any = hidden(BOX, state(match), 0)
    assert all(seen.objective[number] != DEALT + 1 for number in range(BOX.objectives))
    assert sum(seen.objective[number] == IN_BOX for number in range(BOX.objectives)) == 24 - 6 - 3
    assert not match.can_undo(1)


@cites(NAME, "2.5.1", "2.15")
def test_a_chosen_card_is_secret_until_all_have_chosen() -> None:
    match = samizdat.game(NAME, players=3).match(2)
    match.play(1, "card 4")
    assert match.view(1)["players_at_table"][1]["card"] == "4"
    assert match.view(0)["players_at_table"][1]["card"] is None
    assert match.view(0)["players_at_table"][1]["has_chosen"]
    assert match.view(0)["players_at_table"][1]["hand"] == ["1", "2", "3", "4", "5"]
    assert match.can_undo(1)
    match.play(0, "card 5")
    match.play(2, "card 1")
    assert [player["card"] for player in match.view(None)["players_at_table"]] == ["5", "4", "1"]
    assert not match.can_undo(2)
