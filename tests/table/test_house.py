"""Decisions at a table: stored before anybody is told, refused without a trace, and read again as they were."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import samizdat
from samizdat.kernel.errors import IllegalMove, NotYourTurn
from samizdat.kernel.game import Game
from samizdat.table.commands import Draft, Play, Seal, TakeBack
from samizdat.table.declined import Stale
from samizdat.table.store.schema import journal
from samizdat.table.tables import LiveTable
from tests.conftest import label, plain_games
from tests.table.conftest import Site

BOTH_DATABASES = True


def facts(site: Site, table: LiveTable) -> tuple[object, ...]:
    """Everything that a refused decision must leave as it was."""
    assert table.match is not None
    with site.house.store.engine.connect() as db:
        lines = db.execute(journal.select()).all()
    row = site.house.store.table(table.id)
    versions = tuple(table.history(viewer).version for viewer in table.viewers)
    return table.match.raw, table.match.plies, tuple(lines), tuple(row or ()), versions


def test_a_decision_that_cannot_be_stored_did_not_happen(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("war-of-whispers"))
    site.wander(table, 5)
    before = facts(site, table)

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(site.house.store, "append", full)
    assert table.match is not None
    seat = table.match.turn[0]
    with pytest.raises(OSError, match="no space"):
        site.run(site.house.do(table, Play(seat, [table.match.legal(seat)[0]])))
    assert facts(site, table) == before


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_stale_doubled_and_illegal_decisions_change_nothing(site: Site, game: Game) -> None:
    table = site.table(game)
    site.wander(table, 12)
    assert table.match is not None
    seat = table.match.turn[0]
    version = table.history(seat).version
    moves = table.match.legal(seat)
    before = facts(site, table)
    with pytest.raises(Stale):
        site.run(site.house.do(table, Play(seat, [moves[0]], version=version - 1)))
    closed = next(id for id in range(game.capacity) if id not in [move.id for move in moves])
    with pytest.raises((IllegalMove, samizdat.MoveError)):
        site.run(site.house.do(table, Play(seat, [closed], version=version)))
    idle = [other for other in range(game.players) if other not in table.match.turn]
    if idle:
        with pytest.raises(NotYourTurn):
            site.run(site.house.do(table, Play(idle[0], [moves[0]])))
    assert facts(site, table) == before
    site.run(site.house.do(table, Play(seat, [moves[0]], version=version)))
    after = facts(site, table)
    assert after != before
    with pytest.raises(Stale):
        site.run(site.house.do(table, Play(seat, [moves[0]], version=version)))
    assert facts(site, table) == after


def test_several_decisions_are_all_played_or_none(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    before = facts(site, table)
    assert table.match is not None
    good = table.match.legal(0)[0]
    with pytest.raises(IllegalMove):
        site.run(site.house.do(table, Play(0, [good, "bid general force"])))
    assert facts(site, table) == before


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_table_is_read_again_as_it_was(tmp_path: Path, game: Game) -> None:
    """After a crash: same position, same versions to act on, same record; taking back is part of the journal."""
    site = Site(tmp_path)
    table = site.table(game)
    dice = random.Random(5)
    undone = 0
    for _ in range(60):
        assert table.match is not None
        if table.match.over:
            break
        seat = dice.choice(table.match.turn)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
        if table.match.can_undo(seat) and dice.random() < 0.4:
            site.run(site.house.do(table, TakeBack(seat)))
            undone += 1
    assert undone
    site.close()
    again = Site(tmp_path)
    read = again.run(again.house.find(table.id))
    assert read.match is not None
    assert table.match is not None
    assert read.match.raw == table.match.raw
    for viewer in table.viewers:
        assert read.history(viewer).observations == table.history(viewer).observations
    again.close()


def test_what_a_seat_does_in_secret_does_not_exist_for_others(site: Site) -> None:
    """A bid half entered, and a draft: no version, no event, no difference for anybody else."""
    table = site.table(samizdat.game("revolution"))
    before = {viewer: (table.history(viewer).version, table.changes.get(viewer, 0)) for viewer in table.viewers}
    assert table.match is not None
    composed = table.composition(0)
    assert composed is not None
    site.run(site.house.do(table, Draft(0, "add", composed.open[0])))
    site.run(site.house.do(table, Play(1, [table.match.legal(1)[0]])))
    for viewer in (None, 2, 3):
        assert (table.history(viewer).version, table.changes.get(viewer, 0)) == before[viewer]
    assert table.changes[0] > before[0][1]
    assert table.history(1).version > before[1][0]


def test_the_lobby_does_not_tell_when_something_was_done_in_secret(site: Site) -> None:
    """It says how long ago a table changed: for everybody, only by what everybody could see."""
    table = site.table(samizdat.game("revolution"))
    assert table.match is not None

    def changed() -> float:
        row = site.house.store.table(table.id)
        assert row is not None
        return float(row.changed)

    before = changed()
    for _ in range(3):
        site.run(site.house.do(table, Play(0, [table.match.legal(0)[0]])))
    site.run(site.house.do(table, TakeBack(0)))
    site.run(site.house.do(table, Draft(1, "add", str(table.match.legal(1)[0]))))
    assert changed() == before
    while 0 in table.match.turn:
        site.run(site.house.do(table, Play(0, [table.match.legal(0)[0]])))
    assert changed() > before, "that a bid is sealed is seen by all"


def test_a_draft_is_kept_taken_back_and_sealed(tmp_path: Path) -> None:
    site = Site(tmp_path)
    table = site.table(samizdat.game("revolution"))
    for _ in range(2):
        composed = table.composition(0)
        assert composed is not None
        site.run(site.house.do(table, Draft(0, "add", composed.open[-1])))
    composed = table.composition(0)
    assert composed is not None
    chosen = composed.chosen
    site.run(site.house.do(table, Draft(0, "take", chosen[0])))
    site.close()

    again = Site(tmp_path)  # a reload, and even a restart of the server
    table = again.run(again.house.find(table.id))
    composed = table.composition(0)
    assert composed is not None
    assert composed.chosen == chosen[1:]
    with pytest.raises(NotYourTurn):
        again.run(again.house.do(table, Seal(0)))
    while (composed := table.composition(0)) is not None and not composed.ready:
        again.run(again.house.do(table, Draft(0, "add", composed.open[0])))
    again.run(again.house.do(table, Seal(0, version=table.history(0).version)))
    assert table.match is not None
    assert 0 not in table.match.turn
    assert again.house.store.drafts(table.id) == {}
    again.close()
