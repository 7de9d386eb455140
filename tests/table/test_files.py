"""Match files at the table: taken away, brought back, forged; a sentence for whatever is wrong with one."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest

import samizdat
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum
from samizdat.table.tables import LiveTable
from tests.table.conftest import Site

PAGE = {"accept": "text/html", "accept-language": "en"}


def solitaire(by_hand: bool) -> Match:
    """A finished match; if by hand, the first outcome that a decision drew was given rather than drawn."""
    match = samizdat.game("dual-powers", variant="solitaire").match(seed=5)
    while not match.over:
        move = match.legal(0)[0]
        trial = match.copy()
        trial.play(0, move)
        drawn = trial._played[-1].drawn
        match.play(0, move, luck=[drawn[0][1]] if by_hand and drawn and not match.scripted else [])
    return match


def brought(site: Site, file: str) -> LiveTable:
    """The table of a match that somebody brought."""
    answer = site.browser(**PAGE).post("/import", files={"file": ("match.json", file.encode())})
    assert answer.status_code == 303, answer.text
    return site.run(site.house.find(answer.headers["location"].rpartition("/")[2]))


def test_a_table_has_one_file(site: Site) -> None:
    """What the table hands out, what its match writes, and what comes back from another table are the same bytes."""
    table = site.table(samizdat.game("revolution", max_rounds=1))
    site.wander(table, 10_000)
    assert table.match is not None
    file = site.browser(**PAGE).get(f"/table/{table.id}/file").text
    assert json.loads(file)["commitment"] == table.commitment
    assert table.match.dumps() == file
    there = brought(site, file)
    assert there.match is not None
    assert there.match.dumps() == file
    site.house.tables.clear()
    site.house._held.clear()
    again = site.run(site.house.find(table.id))
    assert again is not table
    assert site.run(site.house.file(again, None)) == file


def test_luck_given_by_hand_is_not_proved_by_a_seed(site: Site) -> None:
    for by_hand in (False, True):
        match = solitaire(by_hand)
        table = brought(site, match.dumps())
        page = html.unescape(site.browser(**PAGE).get(f"/table/{table.id}/replay").text)
        assert ("Yes: seed, decisions and result belong together." in page) != by_hand
        assert ("No: this match cannot be played again from its seed." in page) == by_hand
        if by_hand:
            assert f"luck was given by hand in ply {match.scripted[0]}." in page


STRANGE: list[tuple[str, dict[str, Any]]] = [
    ("half a character", {"nonce": "\ud800"}),
    ("does not belong", {"\ud800" * 1000: 1}),
    ("half a character", {"game": "\ud800" * 1000}),
    ("There is no game “xxx", {"game": "x" * 1000}),
    ("outcomes of luck were given", {"luck": {"1": [1 << 63]}}),
    ("has no option", {"options": {"x" * 100_000: 1}}),
    ("has no option players", {"options": {"players": 3}}),
]


@pytest.mark.parametrize(("said", "changes"), STRANGE, ids=[one[0] for one in STRANGE])
def test_a_strange_file_is_refused_in_a_sentence(site: Site, said: str, changes: dict[str, Any]) -> None:
    data = json.loads(samizdat.game("revolution").match(seed=3).dumps())
    data["moves"] = ["0 bid general gold"]
    data |= changes
    try:
        data["checksum"] = checksum(data)
    except UnicodeEncodeError:
        data["checksum"] = ""
    answer = site.browser(**PAGE).post("/import", files={"file": ("match.json", json.dumps(data).encode())})
    assert answer.status_code == 422
    assert said in html.unescape(answer.text)
    assert "x" * 100 not in answer.text


@pytest.mark.parametrize("value", ["²", "--5", "9" * 5000, "-", "٣"])
def test_a_number_that_is_none_is_refused_by_the_form(site: Site, value: str) -> None:
    browser = site.browser(**PAGE)
    sent = {"variant": "standard", "players-standard": "3", "seat-0": "me", "house-max_rounds": value}
    answer = browser.post("/new/revolution", data=sent)
    assert answer.status_code == 422
    assert "must be a whole number from 1 to 200" in html.unescape(answer.text)


def test_a_choice_that_is_none_is_refused_by_the_form(site: Site) -> None:
    sent = {"variant": "solitaire", "players-solitaire": "1", "seat-0": "me", "house-faction": "blue"}
    answer = site.browser(**PAGE).post("/new/dual-powers", data=sent)
    assert answer.status_code == 422
    assert "is one of red, white, not “blue”" in html.unescape(answer.text)


@pytest.mark.parametrize(
    "wanted",
    [{"game": "\ud800"}, {"options": {"\ud800": 1}}, {"variant": "\ud800"}, {"options": {"max_rounds": "²"}},
     {"options": {"players": 3}}, {"game": "x" * 10_000}, {"options": {"x" * 10_000: 1}}],
    ids=ascii,
)  # fmt: skip
def test_a_program_is_told_what_does_not_exist(site: Site, wanted: dict[str, Any]) -> None:
    body = {"game": "revolution", "seats": [{"kind": "me"}] * 3, **wanted}
    answer = site.browser().post(
        "/api/tables", content=json.dumps(body), headers={"content-type": "application/json"}
    )
    assert answer.status_code in (400, 422), answer.text
    assert len(answer.text) < 600
