"""Every address of the table, whatever is sent to it: an answer or a refusal, never a failure of our own.

Routes, their parameters, what their bodies hold and the fields of their forms are found, not listed: whatever is
added is held to it, too.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute

import samizdat
import samizdat.table
from samizdat.table.backing import Backing
from samizdat.table.commands import ChangeSeat
from samizdat.table.store import hosts
from samizdat.table.tables import OVER
from tests.conftest import DOSE
from tests.table.conftest import Browser, Site

HERE = Path(samizdat.table.__file__).parent
READS = re.compile(r'form(?:\.get\(|\[)"([\w-]+)"|name="([\w-]+)"')
FIELDS = sorted(
    {one or two
     for file in (*HERE.glob("templates/*.jinja"), *HERE.glob("*.py"), *HERE.glob("routes/*.py"))
     for one, two in READS.findall(file.read_text(encoding="utf-8"))}
    | {"seat-0", "seat-1", "name-1", "players-standard", "house-max_rounds", "house-refund"}
)  # fmt: skip
TEXTS = [
    "", " ", "0", "1", "-1", "²", "--5", "9" * 5000, "1e9", str(1 << 63), "null", "\0", "\x1b[2J", "a\nb",
    "../../etc", "%00", "<script>", "{{ 7 * 7 }}", "\u202e", "ß" * 300, "x" * 4000, "'; DROP TABLE tables",
    "//elsewhere", "standard",
]  # fmt: skip
VALUES = [
    r'"\ud800"', r'"\u0000"', '""', "0", "-1", "9" * 4000, "1e999", str(1 << 63), "null", "true", "0.5", '"²"',
    "[" * 300 + "]" * 300, '{"a":' * 300 + "1" + "}" * 300, r'{"\ud800": "\ud800"}', r'{"id": "\ud800", "type": 3}',
    r'["\ud800"]', '[{"kind": "bot", "level": "novice"}]', '"' + "x" * 4000 + '"',
]  # fmt: skip


def routes(site: Site) -> list[APIRoute]:
    """All but streams, which are never done answering. Those that make a guest of an account, or of the host, come
    last."""
    parts = [getattr(one, "original_router", None) for one in site.app.routes]
    found = [route for part in parts if part is not None for route in part.routes]
    assert len(found) > 80
    found = [route for route in found if not route.path.endswith("/events")]
    return sorted(found, key=lambda route: route.path in ("/sign-out", "/settings/delete", "/host/leave"))


def address(route: APIRoute, known: dict[str, str], dice: random.Random) -> str:
    """Of something that exists, mostly; with any parameters."""

    def part(name: str) -> str:
        return known[name] if name in known and dice.random() < 0.8 else quote(dice.choice(TEXTS) or "x", safe="")

    path = re.sub(r"{(\w+)}", lambda one: part(one[1]), route.path)
    asked = {one.name: dice.choice(TEXTS) for one in route.dependant.query_params if dice.random() < 0.8}
    return path + "?" + "&".join(f"{name}={quote(value)}" for name, value in asked.items())


def sent(route: APIRoute, dice: random.Random) -> dict[str, Any]:
    """One body: values where the route takes them, a form, or files where a form has texts."""
    way = dice.randrange(4)
    if way == 0 or (route.body_field is not None and way < 3):
        fields: Any = getattr(route.body_field and route.body_field.field_info.annotation, "model_fields", ())
        named = ", ".join(f'"{name}": {dice.choice(VALUES)}' for name in fields if dice.random() < 0.9)
        return {"content": f"{{{named}}}".encode(), "headers": {"content-type": "application/json"}}
    form = {name: dice.choice(TEXTS) for name in FIELDS if dice.random() < 0.7}
    if way < 3:
        return {"data": form}
    content = dice.choice([b"", b"\xff\xfe", b"{}", b"[" * 3000, b"\0" * 100, b'title = "x"'])
    named = [name for name in FIELDS if dice.random() < 0.5]
    return {"data": form, "files": {name: (dice.choice(["x", "", "..", "x.json"]), content) for name in named}}


def failed(browser: Browser, method: str, path: str, body: dict[str, Any]) -> str:
    """What is wrong with the answer; nothing, if it is one."""
    try:
        answer = browser.site.run(browser.client.request(method, path, **body))
    except Exception as error:  # whatever it was, nobody outside should be able to cause it
        return f"{method} {path[:90]}: {error!r:.300}\n    {body!a:.600}"
    return f"{method} {path[:90]}: {answer.text[:200]}" if answer.status_code >= 500 else ""


@pytest.mark.parametrize("who", ["a guest", "an account", "the host"])
def test_no_request_makes_a_route_fail(site: Site, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dice, wrong = random.Random(who), []
    browser = site.browser(accept=dice.choice(["text/html", "application/json"]))
    if who == "an account":
        assert browser.post("/account", data={"name": "Ludmila", "password": "a long enough one"}).status_code == 303
    found = routes(site)
    if who == "the host":
        monkeypatch.setattr(Backing, "begin", lambda _: dice.random() < 0.5)  # no process for each
        assert browser.post(f"/host/enter/{hosts.new_link(site.house.store)}").status_code == 303
        found = [route for route in found if route.path.startswith(("/host", "/table/{id}"))]
    game = samizdat.game("revolution", players=3, max_rounds=1)
    for route in found:
        table = site.table(game, seed=dice.randrange(99))
        site.wander(table, dice.choice([0, 5, 60]))
        browser.hold(table, 0)
        if dice.random() < 0.5 and table.status != OVER:
            site.run(site.house.do(table, ChangeSeat(2, "open", "")))
        known = {"id": table.id, "name": "revolution", "key": table.chairs[1].key, "number": "1", "scene": "t06_spy"}
        if who == "the host":  # others would become it
            known["secret"] = hosts.new_link(site.house.store)
        for method in route.methods or ():
            for _ in range((5 if method == "POST" else 2) * DOSE):
                body = sent(route, dice) if method == "POST" else {}
                wrong.append(failed(browser, method, address(route, known, dice), body))
    assert not any(wrong), "\n".join(filter(None, wrong))
