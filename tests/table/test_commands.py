"""Commands and events: deciding changes nothing, what happened changes everything it should, once."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.table.commands import ChangeSeat, Command, Draft, Hold, Play, Seal, TakeBack, TakeSeat
from samizdat.table.journal import Decision, TakingBack
from samizdat.table.store.schema import journal
from samizdat.table.tables import LiveTable
from tests.conftest import label, plain_games
from tests.table.conftest import Site

BOTH_DATABASES = True


def known(table: LiveTable) -> tuple[object, ...]:
    """All that anybody can learn of a table."""
    assert table.match is not None
    histories = [table.history(viewer) for viewer in table.viewers]
    return (
        table.match.raw, table.match.moves, table.status, table.journaled, list(table.chairs), list(table.seatings),
        dict(table.drafts), dict(table.changes), [(one.version, list(one.observations)) for one in histories],
        [set(chair.holders) for chair in table.chairs],
    )  # fmt: skip


def commands(table: LiveTable, seat: int, dice: random.Random) -> list[Command]:
    assert table.match is not None
    moves, composed = table.match.legal(seat), table.composition(seat)
    other = (seat + 1) % table.game.players
    return [
        Play(seat, [dice.choice(moves)]),
        Play(seat, [moves[0], "nonsense"]),
        Play(seat, [moves[0]], version=-1),
        Play(other, [moves[0]]),
        TakeBack(seat),
        Seal(seat),
        Draft(seat, "add", composed.open[0] if composed and composed.open else str(moves[0])),
        Draft(seat, "clear"),
        ChangeSeat(other, "bot", "Ada", level="random"),
        ChangeSeat(other, "open", ""),
        TakeSeat(seat, "Nadia", "p9"),
        Hold(seat, table.chairs[seat].key, "p0"),
        Hold(seat, "another", "p0"),
    ]


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_deciding_changes_nothing_and_doing_what_was_decided(site: Site, game: Game) -> None:
    """Each command, again and again: decided without a trace; done, it leaves what deciding said it would."""
    table = site.table(game)
    site.house.store.remember_player("p9", "Nadia")
    dice, done, refused = random.Random(2), set(), set()
    for _ in range(60):
        assert table.match is not None
        if table.match.over:
            break
        command = dice.choice(commands(table, dice.choice(table.match.turn), dice))
        free = [seat for seat in range(game.players) if table.may_undo(seat)]
        if free and dice.random() < 0.4:
            command = TakeBack(free[0])
        before = known(table)
        try:
            command.decide(table)
        except SamizdatError:
            assert known(table) == before
            with pytest.raises(SamizdatError):
                site.run(site.house.do(table, command))
            assert known(table) == before
            refused.add(type(command))
            continue
        assert known(table) == before
        assert site.run(site.house.do(table, command)) is not None
        done.add(type(command))
    assert {Play, TakeBack, ChangeSeat, Hold} <= done
    assert {Play, Hold} <= refused


def test_taking_back_is_a_line_of_its_own(tmp_path: Path) -> None:
    """In memory it is no decision; on disk it is a line without a move, as it was from the first."""
    site = Site(tmp_path)
    table = site.table(samizdat.game("revolution"))
    assert table.match is not None
    move = str(table.match.legal(1)[0])
    site.run(site.house.do(table, Play(1, [move])))
    site.run(site.house.do(table, TakeBack(1)))
    assert site.house.store.journal(table.id) == [Decision(1, move), TakingBack(1)]
    with site.house.store.engine.connect() as db:
        rows: list[Any] = list(db.execute(journal.select()))
    assert [(row.n, row.seat, row.move, row.luck) for row in rows] == [(0, 1, move, None), (1, 1, "", None)]
    site.close()
