"""Fair luck in browsers: two people add numbers, keep receipts, and check a match, also from disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Person, Table, someone, table_id

RECEIPTS = "() => JSON.parse(localStorage.getItem('luck-receipts'))"


def line(place: Locator, name: str) -> Locator:
    return place.locator(f"[data-line={name}]")


def open_by_hand(person: Person) -> str:
    """A table as the page's own form opens it."""
    person.go("/new/revolution")
    person.page.locator("#players-standard-3").check(force=True)
    person.page.locator("[name=seat-1]").select_option("open")
    person.page.locator("[name=seat-2]").select_option("bot-random")
    person.page.locator("[name=house-max_rounds]").evaluate("(field) => { field.value = 1; }")  # a short match
    person.page.locator(".send button").click()
    person.page.wait_for_selector(".waiting")
    return table_id(person.page.url)


def test_two_people_check_that_nobody_chose_the_luck(table: Table, chromium: Browser, tmp_path: Path) -> None:
    with someone(table, chromium, 1440, 900) as host, someone(table, chromium, 390, 844) as guest:
        id = open_by_hand(host)
        [mine] = host.page.evaluate(RECEIPTS)
        assert mine["table"] == id
        expect(host.page.locator("main")).to_contain_text("has added a number")
        guest.go(host.page.locator("#invite-1").input_value())
        guest.page.get_by_role("button", name="Sit down").click()
        guest.arrive()
        [theirs] = guest.page.evaluate(RECEIPTS)
        assert theirs["table"] == id
        assert theirs["commitment"] == mine["commitment"]
        for seat in ("0", "1"):  # bots play it to the end
            host.led(f"/table/{id}/seats", form={"seat": seat, "kind": "bot-random"})
        guest.await_(lambda: guest.page.request.get(f"{table.address}/table/{id}/replay").ok, "the match is over")
        for person in (host, guest):  # a board that asked for its events just when its seat was given away
            person.errors = [error for error in person.errors if "403 (Forbidden)" not in error]

        guest.go(f"/table/{id}/replay")
        proof = guest.page.locator("#proof")
        expect(line(proof, "receipt-used")).to_be_visible()
        proof.get_by_role("button", name="Recompute it in this browser").click()
        for name in ("checksum-good", "commitment-good", "seed-good", "receipt-used", "left"):
            expect(line(proof, name)).to_be_visible()
        with guest.page.expect_download() as saved:
            proof.get_by_text("Save your receipt").click()
        receipt = tmp_path / "receipt.json"
        saved.value.save_as(receipt)
        assert json.loads(receipt.read_text()) == theirs

        match = host.page.request.get(f"{table.address}/table/{id}/file").text()
        check = tmp_path / "check.html"
        check.write_text(host.page.request.get(f"{table.address}/fair/samizdat-check.html").text())
        check_from_disk(host, check, match, receipt)


def check_from_disk(person: Person, check: Path, match: str, receipt: Path) -> None:
    """No server: a page from disk, files from disk."""
    person.page.goto(check.as_uri())
    found = person.page.locator("[data-found]")
    person.page.locator("[name=receipt]").set_input_files(receipt)
    give(person, match)
    for name in ("checksum-good", "commitment-good", "seed-good", "receipt-used", "left"):
        expect(line(found, name)).to_be_visible()
    data: dict[str, Any] = json.loads(match)
    give(person, json.dumps(data | {"seed": "0" * 32}))
    expect(line(found, "seed-bad")).to_be_visible()
    expect(line(found, "checksum-bad")).to_be_visible()
    data["fair"]["numbers"].pop()
    give(person, json.dumps(data))
    expect(line(found, "receipt-unused")).to_be_visible()
    give(person, "{}")
    expect(line(found, "none")).to_be_visible()
    expect(line(found, "seed-bad")).to_be_hidden()


def give(person: Person, match: str) -> None:
    file = {"name": "match.json", "mimeType": "application/json", "buffer": match.encode()}
    person.page.locator("[name=match]").set_input_files(file)  # type: ignore[arg-type]
