"""The memory of drawn parts: never older than what there is to see, and never larger than allowed."""

from __future__ import annotations

import gc
import random

import pytest

import samizdat
from samizdat.kernel.game import definitions
from samizdat.table import drawings
from samizdat.table.commands import ChangeSeat, Play, TakeBack
from samizdat.table.drawings import DRAWINGS, drawn
from samizdat.table.page_parts import draw
from samizdat.table.viewing import Log, look
from tests.table.conftest import Site


@pytest.mark.parametrize("name", definitions())
def test_what_is_kept_is_what_would_be_drawn_now(site: Site, name: str) -> None:
    """Whatever happens between two looks: decisions, some taken back, and changes of seats."""
    table = site.table(samizdat.game(name))
    dice, undone = random.Random(4), 0
    for number in range(40):
        assert table.match is not None
        if table.match.over:
            break
        seat = dice.choice(table.match.turn)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
        if table.may_undo(seat) and dice.random() < 0.5:
            site.run(site.house.do(table, TakeBack(seat)))
            undone += 1
        if number % 9 == 4:
            other = dice.randrange(table.game.players)
            site.run(site.house.do(table, ChangeSeat(other, "bot", f"Ada{number}", level="random")))
        for viewer in (None, seat):
            assert drawn(table, viewer, None, "en", True) == draw(look(table, viewer), "en", True)
    assert undone


@pytest.mark.parametrize("name", definitions())
def test_a_log_is_the_same_however_it_was_read(site: Site, name: str) -> None:
    """All at once, or a piece at a time, with things taken back in between."""
    table = site.table(samizdat.game(name))
    dice, log = random.Random(6), Log(table.game, 0)
    for _ in range(60):
        assert table.match is not None
        if table.match.over:
            break
        seat = dice.choice(table.match.turn)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
        if table.may_undo(seat) and dice.random() < 0.4:
            log.read(table.history(0).observations)  # somebody has read it
            site.run(site.house.do(table, TakeBack(seat)))
        heard = table.history(0).observations
        upto = dice.randint(1, len(heard)) if dice.random() < 0.5 else len(heard)
        assert log.read(heard[:upto]) == Log(table.game, 0).read(heard[:upto])


def test_what_was_put_into_words_is_not_put_into_words_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table, calls, worded = site.table(samizdat.game("dual-powers")), [], Log._worded
    monkeypatch.setattr(Log, "_worded", lambda *given: calls.append(1) or worded(*given))
    for number in range(20):
        site.wander(table, 1, seed=number)
        for code in ("en", "de"):
            drawn(table, None, None, code, True)
        assert len(calls) == len(table.history(None).observations)


def test_drawings_leave_by_their_weight(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    DRAWINGS.clear()
    tables = [site.table(samizdat.game("revolution"), seed=seed) for seed in range(4)]
    for table in tables[:2]:
        drawn(table, None, None, "en", True)
    first = DRAWINGS.of(tables[0], None)
    assert first.weight > 20_000
    assert first.drawings
    monkeypatch.setattr(DRAWINGS, "most", 3.5 * first.weight)  # logs stay longer
    for table in tables[2:]:
        drawn(table, None, None, "en", True)
    assert len(DRAWINGS) == 3
    assert DRAWINGS.of(tables[0], None).drawings, "asked for since"
    assert not DRAWINGS.of(tables[1], None).drawings
    monkeypatch.setattr(DRAWINGS, "most", 0)
    drawn(tables[3], 0, None, "en", True)
    assert len(DRAWINGS) == 1, "whoever looks just now"


def test_logs_stay_longer_than_drawings(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    DRAWINGS.clear()
    tables = [site.table(samizdat.game("revolution"), seed=seed) for seed in range(3)]
    for table in tables:
        site.wander(table, 9)
        drawn(table, None, None, "en", True)
    logs = [DRAWINGS.of(table, None).log for table in tables]
    monkeypatch.setattr(DRAWINGS, "most", DRAWINGS.weight - 1)
    drawn(tables[2], 0, None, "en", True)
    assert not DRAWINGS.of(tables[0], None).drawings
    assert [DRAWINGS.of(table, None).log for table in tables] == logs
    assert DRAWINGS.weight == sum(shelf.weight for shelf in DRAWINGS._shelves.values())


def test_a_drawing_is_of_one_table_and_not_of_one_that_was_read_again(site: Site) -> None:
    """The count of changes begins anew when a table is read; what was drawn before is not meant."""
    table = site.table(samizdat.game("revolution"))
    site.run(site.house.do(table, ChangeSeat(1, "bot", "Ada", level="random")))
    change = table.changes[None]
    assert "Ada" in drawn(table, None, None, "en", True)["parts"]["seats"]
    again = site.house._read(table.id)
    again.chairs[1].name, again.changes[None] = "Borys", change
    assert "Borys" in drawn(again, None, None, "en", True)["parts"]["seats"]


def test_drawings_leave_with_their_table(site: Site) -> None:
    DRAWINGS.clear()
    table, other = (site.table(samizdat.game("revolution"), seed=seed) for seed in range(2))
    drawn(table, None, None, "en", True)
    site.house.tables.clear()
    del table
    gc.collect()
    drawn(other, None, None, "en", True)
    assert len(DRAWINGS) == 1


def test_both_memories_together_are_as_large_as_before() -> None:
    from samizdat.table import at_hand

    assert at_hand.MOST_WEIGHT + drawings.MOST_WEIGHT == 256 * 1024 * 1024
