"""Fair luck at the table: promised before anybody sits down, added to by each who does, told after the last
decision."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import samizdat
from samizdat.kernel.fairness import check_receipt, read_receipt
from samizdat.table import tickets
from samizdat.table.commands import ChangeSeat
from samizdat.table.exporting import archive
from samizdat.table.seats import Seat, new_key
from samizdat.table.tables import LiveTable
from samizdat.table.tickets import Tickets
from tests.table.conftest import Browser, Site

BOTH_DATABASES = True
PAGE = {"accept": "text/html"}
SHORT = {"house-max_rounds": "2", "players-standard": "3", "seat-0": "me"}


class Sitter:
    """A browser as `static/luck.js` makes it: it asks what stands fixed, keeps a receipt, and sends a number."""

    def __init__(self, site: Site) -> None:
        self.site, self.browser = site, site.browser(**PAGE)
        self.receipt: dict[str, Any] = {}

    def opened(self, path: str = "/new/revolution", **form: str) -> LiveTable:
        ticket = self.browser.get("/api/luck").json()
        number = self._keep(ticket | {"id": ticket["table"], "so_far": ""})
        sent = {"number": number, "ticket": ticket["ticket"], "name": "Ludmila", **form}
        return self._led(self.browser.post(path, data=sent))

    def sat(self, table: LiveTable, seat: int, **form: str) -> LiveTable:
        """On an open seat, by its link."""
        stands = self.browser.get(f"/api/tables/{table.id}").json()
        sent = {"number": self._keep(stands), "so_far": stands["so_far"], "name": "Oskar", **form}
        return self._led(self.browser.post(f"/sit/{table.chairs[seat].key}", data=sent))

    def _keep(self, stands: dict[str, Any]) -> str:
        known = {"table": stands["id"], "commitment": stands["commitment"], "so_far": stands["so_far"]}
        self.receipt = {"format": "samizdat-receipt", "number": secrets.token_hex(32), **known}
        return str(self.receipt["number"])

    def _led(self, answer: Any) -> LiveTable:
        assert answer.status_code == 303, answer.text
        return self.site.run(self.site.house.find(answer.headers["location"].split("/")[2].split("?")[0]))

    def wrong(self, table: LiveTable) -> str:
        """What the receipt finds wrong with a match; "" if it fits."""
        found = check_receipt(read_receipt(json.dumps(self.receipt)), table.fairness, table.game, table.commitment)
        return str(found or "")


def finish(site: Site, table: LiveTable) -> str:
    """Play on to the end; the file."""
    site.wander(table, 10_000)
    return site.browser().get(f"/table/{table.id}/file").text


def test_two_people_and_a_bot(site: Site) -> None:
    """The whole way: from the ticket to the file that verifies with both receipts."""
    one, two = Sitter(site), Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "open", "seat-2": "bot-random"})
    assert table.id == one.receipt["table"]
    promised = table.commitment
    assert promised == one.receipt["commitment"]
    room = two.browser.get(f"/table/{table.id}").text
    assert promised in room
    assert "The seat of Ludmila has added a number" in room
    two.sat(table, 1)
    assert table.match is not None, "everybody sits: it is dealt"
    assert table.fairness is not None
    assert table.fairness.seats == [0, 1]
    assert table.commitment == promised
    assert table.seed == table.match.seed == table.fairness.seed(table.game, table.nonce)
    text = finish(site, table)
    assert json.loads(text)["commitment"] == promised
    for sitter in (one, two):
        verdict = samizdat.verify(text, receipt=json.dumps(sitter.receipt))
        assert verdict.good, verdict.why
        assert "The receipt fits" in str(verdict.receipt)
        assert "in this order: Ludmila, Oskar." in str(verdict.luck)
    player = next(iter(table.chairs[1].holders))
    kept = site.run(archive(site.house, site.app.state.accounts, player))
    assert json.dumps(json.loads(text)["fair"]["numbers"][1][1]) in unzipped(kept), "the export has the whole file"
    replay = two.browser.get(f"/table/{table.id}/replay").text
    for shown in (promised, f"{table.nonce:032x}", one.receipt["number"], two.receipt["number"]):
        assert shown in replay
    assert "The seed was made from the host" in replay
    assert "What it does not prove" in replay


def test_a_table_against_bots_begins_at_once_with_a_number(site: Site) -> None:
    sitter = Sitter(site)
    table = sitter.opened()
    assert table.match is not None
    assert table.fairness is not None
    assert len(table.fairness.seats) == 1
    assert sitter.wrong(table) == ""


def test_a_shuffled_seat_keeps_its_number(site: Site) -> None:
    sitter = Sitter(site)
    table = sitter.opened(**SHORT, shuffle="on")
    mine = next(seat for seat, chair in enumerate(table.chairs) if chair.kind == "person")
    assert table.fairness is not None
    assert table.fairness.seats == [mine]


def test_without_a_script_there_is_no_number(site: Site) -> None:
    browser = site.browser(**PAGE)
    answer = browser.post("/new/revolution", data={**SHORT, "seat-1": "bot-random", "seat-2": "bot-random"})
    table = site.run(site.house.find(answer.headers["location"].split("/")[2]))
    assert table.fairness is not None
    assert table.fairness.seats == []
    assert "The host alone made the seed" in str(samizdat.verify(finish(site, table)).luck)
    assert "The host alone made the seed" in browser.get(f"/table/{table.id}/replay").text


def test_a_hot_seat_has_one_number(site: Site) -> None:
    table = Sitter(site).opened(**SHORT, **{"seat-1": "here", "seat-2": "here"})
    assert table.fairness is not None
    assert table.fairness.seats == [0]


def test_a_seat_that_is_freed_before_the_deal_loses_its_number(site: Site) -> None:
    one, two, three = Sitter(site), Sitter(site), Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "open", "seat-2": "open"})
    two.sat(table, 1)
    site.run(site.house.do(table, ChangeSeat(1, "open", "")))
    assert table.fairness is not None
    assert table.fairness.seats == [0]
    three.sat(table, 1)
    site.run(site.house.do(table, ChangeSeat(2, "bot", "Ada", level="random")))
    assert table.fairness.seats == [0, 1]
    assert [one.wrong(table), three.wrong(table)] == ["", ""]
    assert "was not used" in two.wrong(table)


def test_a_seat_that_changes_hands_while_the_match_runs_changes_no_luck(site: Site) -> None:
    one = Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "bot-random", "seat-2": "bot-random"})
    before = table.fairness
    site.run(site.house.do(table, ChangeSeat(0, "open", "")))
    two = Sitter(site)
    two.sat(table, 0)
    assert table.fairness == before
    assert samizdat.verify(finish(site, table), receipt=json.dumps(one.receipt)).good


def test_a_number_for_what_no_longer_stands_is_left_out(site: Site) -> None:
    """Somebody sat down in between: the browser could not check what came before its own."""
    one, two = Sitter(site), Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "open", "seat-2": "open"})
    late = one.browser.get(f"/api/tables/{table.id}").json()["so_far"]
    two.sat(table, 1)
    Sitter(site).sat(table, 2, so_far=late)
    assert table.match is not None
    assert table.fairness is not None
    assert table.fairness.seats == [0, 1]


NONSENSE = ["", "x", "0" * 63, "0" * 65, "F" * 64, "é" * 64, "0" * 64 + "\n"]


def test_a_number_that_is_none_is_left_out(site: Site) -> None:
    for number in NONSENSE:
        table = Sitter(site).opened(number=number)
        assert table.fairness is not None
        assert table.fairness.seats == []


def test_a_ticket_leads_to_one_table(site: Site) -> None:
    """The same form once more finds the table; with another's ticket somebody gets a table of another promise."""
    one, two = Sitter(site), Sitter(site)
    table = one.opened(**SHORT)
    ticket = site.app.state.tickets._made(table.fairness.table, table.fairness.opened).text if table.fairness else ""
    assert one.opened(**SHORT, ticket=ticket) is table
    other = two.opened(**SHORT, ticket=ticket)
    assert other is not table
    assert other.commitment != table.commitment
    assert other.fairness is not None
    assert other.fairness.seats == [], "the number was made for another promise"


def test_the_same_form_twice_in_one_moment(site: Site) -> None:
    ticket = site.app.state.tickets.new()
    site.house.store.remember_player("p0", "Ludmila")
    game = samizdat.game("revolution", players=3)
    chairs = site.table(game).chairs

    async def both() -> list[LiveTable]:
        forms = (
            site.house.open_table(game, fresh(chairs), "p0", False, ticket=ticket, number="a" * 64) for _ in "ab"
        )
        return await asyncio.gather(*forms)

    one, other = site.run(both())
    assert one.id == other.id == ticket.fairness.table


def fresh(chairs: list[Any]) -> list[Any]:
    return [Seat(chair.kind, chair.level, chair.name, new_key(), set(chair.holders)) for chair in chairs]


def test_tickets_are_ours_and_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Tickets("one"), Tickets("another")
    ticket = ours.new()
    assert ours.read(ticket.text) == ticket
    assert theirs.read(ticket.text) is None
    id, opened, seal = ticket.text.split(".")
    assert ours.read(f"{id}.{opened}.{'0' * 64}") is None
    assert ours.read(f"{id[:-1]}{'a' if id[-1] != 'a' else 'b'}.{opened}.{seal}") is None
    for nothing in (None, 7, "", "x" * 1000, f"{id}.2026-99-99T99:99:99Z.{seal}"):
        assert ours.read(nothing) is None
    old = f"{datetime.now(UTC) - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    monkeypatch.setattr(tickets, "now", lambda: old)
    assert ours.read(ours.new().text) is None
    assert f"{ticket.secret:032x}" not in ticket.text
    assert ours._made(id, opened).secret != theirs._made(id, opened).secret


def test_a_rematch_has_the_number_of_whoever_asks(site: Site) -> None:
    one = Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "bot-random", "seat-2": "bot-random"})
    finish(site, table)
    again = one.opened(f"/table/{table.id}/rematch")
    assert again.id != table.id
    assert again.match is not None
    assert again.fairness is not None
    assert again.fairness.seats == [2]
    assert one.wrong(again) == ""
    assert again.match.seed != table.seed
    used = one.opened(f"/table/{again.id}/rematch") if finish(site, again) else again
    assert used.id not in (table.id, again.id)


def test_programs_add_numbers_too(site: Site) -> None:
    browser = site.browser()
    ticket = browser.get("/api/luck").json()
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "dual-powers", "seats": seats, "ticket": ticket["ticket"], "number": "a" * 64}
    made = browser.post("/api/tables", json=body).json()
    assert (made["id"], made["commitment"], made["opened"]) == (
        ticket["table"], ticket["commitment"], ticket["opened"],
    )  # fmt: skip
    assert made["numbers"] == [0]
    joined = browser.post(f"/api/tables/{made['id']}/join", json={"number": "b" * 64, "so_far": made["so_far"]})
    assert joined.json()["numbers"] == [0, 1]
    assert joined.json()["status"] == "playing"
    assert browser.post("/api/tables", json={**body, "ticket": "x"}).status_code == 403
    assert browser.post("/api/tables", json={**body, "number": "x"}).status_code == 422
    described = browser.get("/api/openapi.json").json()["components"]["schemas"]
    assert {"ticket", "number"} <= set(described["NewTable"]["properties"])
    assert {"number", "so_far"} <= set(described["Join"]["properties"])


def test_an_imported_match_keeps_its_record(site: Site) -> None:
    one = Sitter(site)
    text = finish(site, one.opened(**SHORT))
    answer = one.browser.post("/import", files={"file": ("m.json", text)})
    brought = site.run(site.house.find(answer.headers["location"].split("/")[2]))
    assert brought.id != one.receipt["table"]
    again = json.loads(one.browser.get(f"/table/{brought.id}/file").text)
    assert {k: again[k] for k in ("fair", "seed", "nonce", "commitment")} == {
        k: json.loads(text)[k] for k in ("fair", "seed", "nonce", "commitment")
    }
    assert samizdat.verify(json.dumps(again), receipt=json.dumps(one.receipt)).good


def test_a_table_that_is_read_again_is_the_same(site: Site) -> None:
    one = Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "open", "seat-2": "bot-random"})
    read = site.house._read(table.id)
    assert (read.fairness, read.commitment, read.so_far) == (table.fairness, table.commitment, table.so_far)
    Sitter(site).sat(table, 1)
    read = site.house._read(table.id)
    assert read.match is not None
    assert table.match is not None
    assert (read.fairness, read.seed, read.match.raw) == (table.fairness, table.seed, table.match.raw)


def told(site: Site, table: LiveTable, browser: Browser) -> str:
    """All that a browser can be told of a table while nothing is revealed."""
    paths = ["/", f"/table/{table.id}", f"/api/tables/{table.id}", f"/api/tables/{table.id}/view", "/api/luck"]
    paths += [f"/table/{table.id}/{rest}" for rest in ("file", "cover", "browsers", "replay", "delete")]
    paths += [f"/sit/{chair.key}" for chair in table.chairs]
    return "".join(browser.get(path).text for path in paths)


def test_nothing_of_the_secret_is_told_before_the_end(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    one, two = Sitter(site), Sitter(site)
    table = one.opened(**SHORT, **{"seat-1": "open", "seat-2": "open"})
    strangers = [one.browser, two.browser, site.browser(**PAGE)]
    said = "".join(told(site, table, browser) for browser in strangers)
    two.sat(table, 1)
    said += "".join(told(site, table, browser) for browser in strangers)
    Sitter(site).sat(table, 2)
    said += "".join(told(site, table, browser) for browser in strangers)
    site.wander(table, 20)
    said += "".join(told(site, table, browser) for browser in strangers)
    player = next(iter(table.chairs[0].holders))
    kept = site.run(archive(site.house, site.app.state.accounts, player))
    said += unzipped(kept) + caplog.text
    hidden = {"secret": f"{table.nonce:032x}", "seed": f"{table.seed:032x}"}
    hidden |= {"one's number": one.receipt["number"], "the other's": two.receipt["number"]}
    assert [name for name, value in hidden.items() if value in said] == []
    assert table.commitment in said


def unzipped(archive: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(archive)) as found:
        return "".join(found.read(name).decode() for name in found.namelist())


def test_the_check_as_a_file_needs_no_server(site: Site) -> None:
    browser = site.browser(**PAGE)
    answer = browser.get("/fair/samizdat-check.html")
    assert 'filename="samizdat-check.html"' in answer.headers["content-disposition"]
    assert "src=" not in answer.text.replace("src=[^", "")
    assert "<link" not in answer.text
    assert "samizdat fair luck 1" in answer.text
    assert browser.get("/fair").status_code == 200
