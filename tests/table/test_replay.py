"""A finished match once more: for everybody with the link, with nothing hidden, and only when it is over."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

import samizdat
from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Word
from samizdat.kernel.verdicts import verify
from samizdat.table import replays
from samizdat.table.language import Speaker, language
from samizdat.table.replays import Replay
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import look
from tests.table.conftest import Site

PAGE = {"accept": "text/html"}
SHORT: dict[str, dict[str, Any]] = {"revolution": {"max_rounds": 2}}  # quick tests


def finished(site: Site, name: str) -> LiveTable:
    table = site.table(samizdat.game(name, **SHORT.get(name, {})))
    site.wander(table, 10_000)
    assert table.match is not None
    assert table.match.over
    return table


def replay_of(site: Site, table: LiveTable) -> Replay:
    return site.run(site.app.state.replays.of(table))


def test_a_running_match_has_no_replay(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    site.wander(table, 30)
    browser = site.browser(**PAGE)
    browser.hold(table, 0)
    for path in ("replay", "replay/3", "replay?seat=1", "replay?open=true", "replay/3?open=true"):
        answer = browser.get(f"/table/{table.id}/{path}")
        assert answer.status_code == 403
        assert "The match still runs" in answer.text


def test_replays_leave_memory_by_how_long_they_are(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a long match is as large as many of short ones; the latest stays, however long it is."""
    tables = [finished(site, name) for name in ("revolution", "dual-powers", "revolution")]
    plies = [table.match.plies for table in tables if table.match is not None]
    kept = site.app.state.replays._kept
    for most, left in ((sum(plies), 3), (sum(plies) - 1, 2), (0, 1)):
        monkeypatch.setattr(replays, "MOST_KEPT", most)
        found = [replay_of(site, table) for table in tables]
        assert list(kept) == [table.id for table in tables[-left:]]
        assert replay_of(site, tables[-1]) is found[-1], "the latest is not worked through again"


@pytest.mark.parametrize("name", definitions())
def test_a_stranger_steps_through_everybodys_sight(site: Site, name: str) -> None:
    table = finished(site, name)
    stranger = site.browser(**PAGE)
    assert table.match is not None
    last = table.match.plies
    page = stranger.get(f"/table/{table.id}/replay?step={last // 2}")
    assert page.status_code == 200
    assert page.text.count('id="move-') == last + 1
    assert f"{table.seed:032x}" in page.text
    assert f"{table.nonce:032x}" in page.text
    assert table.commitment in page.text
    assert "Yes: seed, decisions and result belong together." in page.text
    told = re.search(r'"og:title" content="[^"]+: [^"]*(won|share|fallen|wins)[^"]*"', page.text)
    assert told, "a link says who won"
    for seat in (*range(table.game.players), None):
        through = "" if seat is None else f"&seat={seat}"
        assert html.unescape(page.text).count(f"/replay?step={last // 2}{through}")
        for step in (0, 1, last // 2, last):
            answer = stranger.get(f"/table/{table.id}/replay/{step}?{through.lstrip('&')}").json()
            assert (answer["step"], answer["last"]) == (step, last)
            assert set(answer["parts"]) == {"where", "board", "hand", "seats", "end"}
            assert 'class="legal' not in answer["parts"]["board"]


def test_an_imported_match_proves_less_than_one_played_here(site: Site) -> None:
    """Whoever imports a match may have chosen its seed: the hash in the file was published by nobody."""
    table = finished(site, "revolution")
    assert table.match is not None
    imported = site.run(site.house.import_match(table.match.dumps(), "p0", "Ludmila"))
    here, there = (site.browser(**PAGE).get(f"/table/{one.id}/replay").text for one in (table, imported))
    assert "Published before the first decision" in here
    assert "prove only that they belong together" not in here
    assert "Published before the first decision" not in there
    assert "prove only that they belong together" in there


@pytest.mark.parametrize("name", definitions())
def test_everything_open_shows_what_each_seat_saw_side_by_side(site: Site, name: str) -> None:
    table = finished(site, name)
    stranger = site.browser(**PAGE)
    last = table.match.plies  # type: ignore[union-attr]
    for step in (1, last // 2, last):
        shown = stranger.get(f"/table/{table.id}/replay/{step}?open=true").json()["parts"]
        blind = stranger.get(f"/table/{table.id}/replay/{step}").json()["parts"]
        assert shown["hand"].count("<section data-through=") == table.game.players
        for chair in table.chairs:
            assert f"{chair.name}</h2>" in shown["hand"]
        assert ' id="' not in shown["hand"].removeprefix('<div class="hand opened" id="hand">'), "ids stand only once"
        assert {part: shown[part] for part in shown if part != "hand"} == {
            part: blind[part] for part in blind if part != "hand"
        }


def test_everything_open_has_the_cards_of_both_hands(site: Site) -> None:
    table = finished(site, "dual-powers")
    moment = replay_of(site, table).moments[40]
    shown = site.browser(**PAGE).get(f"/table/{table.id}/replay/40?open=true").json()["parts"]["hand"]
    held = []
    for seat in range(2):
        view = look(table, seat, moment.steps[seat]).view
        held += [card for one in view["factions"] for card in one["hand"] or ()]
    assert len(held) > 5
    say = Speaker(language("en"), table.game)
    for card in held:
        assert say.word(Word("commands", card)) in html.unescape(shown)


def test_steps_beyond_the_ends_are_the_ends(site: Site) -> None:
    table = finished(site, "revolution")
    browser = site.browser()
    assert browser.get(f"/table/{table.id}/replay/999999").json()["step"] == table.match.plies  # type: ignore[union-attr]
    assert browser.get(f"/table/{table.id}/replay/-5").json()["step"] == 0
    assert browser.get(f"/table/{table.id}/replay/3?seat=77").status_code == 200


@pytest.mark.parametrize("name", definitions())
def test_the_record_holds_every_line_that_anybody_heard(site: Site, name: str) -> None:
    table = finished(site, name)
    moments = replay_of(site, table).moments
    shown = {str(line) for moment in moments for line in moment.lines}
    shown |= {str(one.line) for moment in moments for one in moment.private}
    for viewer in table.viewers:
        heard = {str(entry.line) for entry in look(table, viewer).entries}
        assert heard <= shown
        assert moments[-1].steps[viewer] == len(table.history(viewer).observations) - 1


def test_every_decision_stands_there_in_words(site: Site) -> None:
    table = finished(site, "dual-powers")
    replay = replay_of(site, table)
    assert table.match is not None
    assert [moment.seat for moment in replay.moments] == [None, *(seat for seat, _ in table.match.moves)]
    assert all(moment.decision for moment in replay.moments[1:])


def test_the_whole_match_can_be_taken_away_and_verified(site: Site) -> None:
    table = finished(site, "war-of-whispers")
    page = site.browser(**PAGE).get(f"/table/{table.id}/replay")
    link = re.search(r'href="(/table/[^"]+/file)"', page.text)
    assert link
    file = site.browser().get(link[1])
    assert verify(file.text).good


def test_the_finished_board_leads_to_the_replay(site: Site) -> None:
    table = finished(site, "revolution")
    page = site.browser(**PAGE).get(f"/table/{table.id}").text
    assert f'<a class="btn" href="/table/{table.id}/replay?open=true">' in page
    assert 'id="end"></div>' not in page  # while it is empty, what follows it is out of sight


def test_while_a_match_runs_its_end_is_empty(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    assert 'id="end"></div>' in site.browser(**PAGE).get(f"/table/{table.id}").text
