"""A table opened over the JSON API is the table that the form would have opened, or is refused in its words."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest

from samizdat.kernel.boxfile import write_box
from samizdat.kernel.game import definitions
from samizdat.programs.client import Client, Refused
from samizdat.table import passwords
from samizdat.table.clocks import DAY
from samizdat.table.delays import FIVE, ROUND
from samizdat.table.manners import NOBODY, SEATED
from samizdat.table.tables import LiveTable
from tests.kernel.test_own_boxes import edited
from tests.programs.conftest import client
from tests.table.conftest import Browser, Site
from tests.table.test_profiles import played_out, signed_in, steps

__all__ = ["client"]
BOTH_DATABASES = True
PAGE = {"accept": "text/html", "accept-language": "en"}
FIELDS: dict[str, list[Any]] = {  # what the form offers, and what it does not
    "kind": [None, None, "live", "live", "days", "days", "hourglass", ""],
    "minutes": [None, 10, 20, 30, 11, -1],
    "increment": [None, 5, 10, 30, 7],
    "days": [None, 1, 2, 3, 7, 4],
    "time_over": [None, "bot", "others", "nobody"],
    "watch": [None, "link", SEATED, NOBODY, "everybody"],
    "delay": [None, "", FIVE, ROUND, "an hour"],
    "private": [False, True],
    "rated": [False, True],
    "public": [False, True],
    "level": [None, "novice"],
}


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", passwords.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def as_form(wish: dict[str, Any]) -> dict[str, str]:
    names = {"kind": "clock", "time_over": "time-over"}
    last = f"bot-{wish['level']}" if wish["level"] else "open"
    form = {"variant": "standard", "players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": last}
    for name, value in wish.items():
        if value is True:
            form[name] = "on"
        elif value not in (None, False) and name != "level":
            form[names.get(name, name)] = str(value)
    return form


def as_json(wish: dict[str, Any]) -> dict[str, Any]:
    last = {"kind": "bot", "level": wish["level"]} if wish["level"] else {"kind": "open"}
    told = {name: value for name, value in wish.items() if value is not None}
    clock = {name: told[name] for name in ("kind", "minutes", "increment", "days", "time_over") if name in told}
    asked = {name: told[name] for name in ("watch", "delay", "private", "rated", "public") if name in told}
    if wish["kind"] is not None:
        asked["clock"] = clock
    return {"game": "revolution", "seats": [{"kind": "me"}, {"kind": "open"}, last], **asked}


def facts(table: LiveTable) -> dict[str, Any]:
    terms = table.clock.terms if table.clock else None
    seats = [(chair.kind, chair.level) for chair in table.chairs]
    return {"terms": terms, "manners": table.manners, "rated": table.rated, "public": table.public, "seats": seats}


@pytest.mark.parametrize("account", [False, True], ids=["guest", "account"])
def test_it_is_what_the_form_would_have_opened(site: Site, account: bool) -> None:
    """A law over what the form takes and what it does not: the same table, or the same sentence."""
    dice, browser = random.Random(18), signed_in(site, "Ludmila") if account else site.browser()
    opened = refused = 0
    for _ in range(80):
        usual = dice.random() < 0.6
        wish = {name: dice.choice(values[:-1] if usual else values) for name, values in FIELDS.items()}
        if wish["kind"] is None:  # the form has the fields of a clock even where it has none
            wish |= dict.fromkeys(("minutes", "increment", "days", "time_over"))
        elif wish["kind"] == "":
            wish["kind"] = "none"
        by_form = browser.post("/new/revolution", data=as_form(wish), headers=PAGE)
        by_json = browser.post("/api/tables", json=as_json(wish))
        if by_form.status_code == 303:
            assert by_json.status_code == 201, (wish, by_json.text)
            id = re.sub(".*/table/", "", by_form.headers["location"])
            one, other = (site.run(site.house.find(found)) for found in (id, by_json.json()["id"]))
            assert facts(one) == facts(other), wish
            told = by_json.json()
            assert {name: told[name] for name in ("watch", "delay", "private", "rated", "public")} == {
                **vars(one.manners), "rated": one.rated, "public": one.public,
            }  # fmt: skip
            opened += 1
        else:
            assert (by_form.status_code, by_json.status_code) == (422, 400), (wish, by_json.text)
            assert by_json.json()["error"] in html.unescape(by_form.text), wish
            refused += 1
    assert min(opened, refused) > 10


def test_a_match_that_a_script_opened_is_rated(site: Site) -> None:
    """Signed in as a browser is; the same request sent twice is one table, and its match counts once."""
    people = [signed_in(site, name) for name in ("Ludmila", "Fedor", "Greta")]
    ticket = people[0].get("/api/luck").json()["ticket"]
    wanted = {"game": "revolution", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}
    wanted |= {"rated": True, "ticket": ticket}
    answers = [people[0].post("/api/tables", json=wanted) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201], answers[1].text
    assert answers[0].json()["id"] == answers[1].json()["id"]
    table = site.run(site.house.find(answers[0].json()["id"]))
    for seat, other in enumerate(people[1:], 1):
        joined = other.post(f"/api/tables/{table.id}/join", json={"name": f"Nr {seat}"})
        assert joined.status_code == 201
    played_out(site, table)
    assert len(steps(site)) == 3
    assert table.id in people[1].get("/", headers=PAGE).text, "it is among the tables of the account"


def test_the_form_of_a_rated_table_may_come_twice(site: Site) -> None:
    host = signed_in(site, "Ludmila")
    ticket = host.get("/api/luck").json()["ticket"]
    form = {"variant": "standard", "players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    sent = [host.post("/new/revolution", data=form | {"rated": "on", "ticket": ticket}) for _ in range(2)]
    assert [one.status_code for one in sent] == [303, 303]
    assert sent[0].headers["location"] == sent[1].headers["location"]


def test_a_program_without_an_account_is_told_so(client: Client) -> None:
    with pytest.raises(Refused, match="Sign in to open a rated table"):
        client.open("revolution", ["me", "open", "open"], rated=True)
    with pytest.raises(Refused, match="dual-powers has no private talk"):
        client.open("dual-powers", ["me", "open"], private=True)


def test_a_program_opens_a_table_with_everything(site: Site, client: Client) -> None:
    clock = {"kind": "days", "days": 3, "time_over": "others"}
    seat = client.open(
        "revolution", ["me", "novice", "novice"], clock=clock, watch=SEATED, delay=ROUND, private=True, shuffle=True
    )
    told = client.ask("GET", seat.path, key=seat.key)
    assert (told["watch"], told["delay"], told["private"], told["rated"]) == (SEATED, ROUND, True, False)
    assert (told["clock"]["seconds"], told["clock"]["time_over"]) == (3 * DAY, "others")
    assert seat.position()["clock"]["kind"] == "days"
    with pytest.raises(Refused, match="no spectators"):
        client.ask("GET", f"{seat.path}/view")


def test_seats_are_shuffled(client: Client) -> None:
    drawn = {client.open("revolution", ["me", "novice", "novice", "novice"], shuffle=True).seat for _ in range(24)}
    assert len(drawn) > 1
    assert {client.open("revolution", ["me", "novice", "novice"]).seat for _ in range(4)} == {0}


def own_box(browser: Browser) -> str:
    """A box of one's own, brought as a file; its key."""
    found = definitions()["dual-powers"]
    text = write_box(edited(found, 3)).replace(found.standard_box.name, "Third printing").encode()
    brought = browser.post("/boxes/upload", files={"file": ("mine.toml", text, "application/toml")}, headers=PAGE)
    assert brought.status_code == 303, brought.text
    [game] = [one for one in browser.get("/api/games").json() if one["name"] == "dual-powers"]
    [box] = game["boxes"]
    assert box["name"] == "Third printing"
    return str(box["key"])


def test_a_table_is_opened_with_a_box(site: Site) -> None:
    mine, other = site.browser(**PAGE), site.browser(**PAGE)
    mine.get("/")
    wanted = {"game": "dual-powers", "seats": [{"kind": "me"}, {"kind": "open"}], "box": own_box(mine)}
    opened = mine.post("/api/tables", json=wanted)
    assert opened.status_code == 201, opened.text
    assert site.run(site.house.find(opened.json()["id"])).game.box.name == "Third printing"
    refused = other.post("/api/tables", json=wanted)
    assert (refused.status_code, "That box is not there" in refused.json()["error"]) == (400, True)
    assert [one["boxes"] for one in other.get("/api/games").json()] == [[]] * len(definitions())
