"""What a viewer is shown, and the drawings of it: what is fresh, and that one reader is not shown another's page."""

from __future__ import annotations

import json
import re

import pytest

import samizdat
from samizdat.kernel.game import definitions
from samizdat.table.commands import TakeBack
from samizdat.table.drawings import drawn
from samizdat.table.page_parts import draw
from samizdat.table.streams import Follower
from samizdat.table.viewing import look
from tests.table.conftest import Site


def test_fresh_is_what_came_after_ones_own_last_decision(site: Site) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2))
    old = [0, 0]  # lines that each had heard when it last decided
    heard = 0
    for number in range(60):
        site.wander(table, 1, seed=number)
        assert table.match is not None
        decided = table.match.moves[-1][0]
        old[decided] = len(look(table, decided).entries)
        for viewer in range(2):
            fresh = [entry.fresh for entry in look(table, viewer).entries]
            assert fresh == [False] * old[viewer] + [True] * (len(fresh) - old[viewer])
            heard += sum(fresh)
    assert heard


@pytest.mark.parametrize("name", definitions())
def test_the_round_by_itself_is_the_round_of_the_view(site: Site, name: str) -> None:
    table = site.table(samizdat.game(name))
    site.wander(table, 60)
    show, state = table.game.definition.show, table.game.definition.state
    for one in table.history(0).observations:
        hidden = state.from_bytes(one.seen)
        assert show.round_of(table.game, hidden, 0) == show.view(table.game, hidden, 0)["round"]


def test_a_picture_is_kept_for_its_language_and_its_help(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    wanted = [(code, helps) for code in ("en", "pl") for helps in (True, False)]
    fresh = [draw(look(table, 0, None), code, helps) for code, helps in wanted]
    assert all(one != other for i, one in enumerate(fresh) for other in fresh[:i])
    for _ in range(2):
        assert [drawn(table, 0, None, code, helps) for code, helps in wanted] == fresh


OFFERS = re.compile(r"<[^>]*data-(?:move|adds?|take|arm|seal|clear|undo|hint)\b[^>]*>")


@pytest.mark.parametrize("name", definitions())
def test_whoever_can_only_read_is_offered_nothing(site: Site, name: str) -> None:
    """Browsers without script are sent there: no button, for no eye and no screen reader, that would be dead."""
    table = site.table(samizdat.game(name))
    browser = site.browser(accept="text/html")
    browser.hold(table, 0)
    for number in range(6):
        offered = OFFERS.findall(browser.get(f"/table/{table.id}?seat=0").text)
        assert OFFERS.findall(browser.get(f"/table/{table.id}?seat=0&still=true").text) == []
        assert table.match is not None
        assert offered or 0 not in table.match.turn
        site.wander(table, 1, seed=number)


def test_a_spectator_is_offered_nothing(site: Site) -> None:
    """Not even what the first seat may do, as far as everybody can see that."""
    table = site.table(samizdat.game("war-of-whispers", players=2))
    asked = 0
    for number in range(12):
        site.wander(table, 1, seed=number)
        assert look(table, None).seen.legal == ()
        asked += bool(look(table, 0).seen.legal)
    assert asked


def test_whoever_was_away_while_something_was_taken_back_jumps_to_the_present(site: Site) -> None:
    """Steps that no longer lead to the position are not shown, and what led to it was revealed before."""
    table = site.table(samizdat.game("war-of-whispers", players=2))
    site.wander(table, 8)
    assert table.match is not None
    while not table.may_undo(seat := table.match.moves[-1][0]):
        site.wander(table, 1)
        assert table.match is not None
    version = table.history(None).version
    assert version > 4
    revealed = {"steps": [{"html": "a reveal", "focus": []}]}
    follower = Follower(table, None, version - 3, lambda eyes, step: drawn(table, eyes, step, "en", True) | revealed)
    site.run(site.house.do(table, TakeBack(seat)))
    history = table.history(None)
    assert history.rewritten == history.version > version
    (event,) = follower.due()
    sent = json.loads(event.decode().partition("data: ")[2])
    assert (sent["version"], sent["steps"]) == (history.version, None)
    assert sent["parts"] == drawn(table, None, None, "en", True)["parts"]
