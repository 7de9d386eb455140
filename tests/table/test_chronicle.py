"""Chronicles and the pictures made from them: what is fresh, and that one reader is not shown another's page."""

from __future__ import annotations

import json

import samizdat
from samizdat.table.rendering import picture
from samizdat.table.streams import Follower, drawn
from tests.table.conftest import Site


def test_fresh_is_what_came_after_ones_own_last_decision(site: Site) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2))
    old = [0, 0]  # lines that each had heard when it last decided
    heard = 0
    for number in range(60):
        site.wander(table, 1, seed=number)
        assert table.match is not None
        decided = table.match.moves[-1][0]
        old[decided] = len(table.chronicle(decided).entries())
        for viewer in range(2):
            fresh = [entry.fresh for entry in table.chronicle(viewer).entries()]
            assert fresh == [False] * old[viewer] + [True] * (len(fresh) - old[viewer])
            heard += sum(fresh)
    assert heard


def test_a_picture_is_kept_for_its_language_and_its_help(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    wanted = [(code, helps) for code in ("en", "pl") for helps in (True, False)]
    fresh = [picture(table.position(0, None), code, helps) for code, helps in wanted]
    assert all(one != other for i, one in enumerate(fresh) for other in fresh[:i])
    for _ in range(2):
        assert [drawn(table, 0, None, code, helps) for code, helps in wanted] == fresh


def test_a_spectator_is_offered_nothing(site: Site) -> None:
    """Not even what the first seat may do, as far as everybody can see that."""
    table = site.table(samizdat.game("war-of-whispers", players=2))
    asked = 0
    for number in range(12):
        site.wander(table, 1, seed=number)
        seen = table.chronicle(None).steps[-1].seen
        assert table.chronicle(None).legal(seen) == []
        assert table.chronicle(None).notations(seen) == ()
        asked += bool(table.chronicle(0).notations(table.chronicle(0).steps[-1].seen))
    assert asked


def test_whoever_was_away_while_something_was_taken_back_jumps_to_the_present(site: Site) -> None:
    """Steps that no longer lead to the position are not shown, and what led to it was revealed before."""
    table = site.table(samizdat.game("war-of-whispers", players=2))
    site.wander(table, 8)
    assert table.match is not None
    while not table.may_undo(seat := table.match.moves[-1][0]):
        site.wander(table, 1)
        assert table.match is not None
    chronicle = table.chronicle(None)
    assert chronicle.version > 4
    revealed = {"steps": [{"html": "a reveal", "focus": []}]}
    follower = Follower(
        table, None, chronicle.version - 3, lambda eyes, step: drawn(table, eyes, step, "en", True) | revealed
    )
    site.run(site.house.undo(table, seat, None))
    assert chronicle.rewritten == chronicle.version
    (event,) = follower.due()
    sent = json.loads(event.decode().partition("data: ")[2])
    assert (sent["version"], sent["steps"]) == (chronicle.version, None)
    assert sent["parts"] == drawn(table, None, None, "en", True)["parts"]
