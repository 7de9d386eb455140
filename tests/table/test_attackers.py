"""Attackers: what nobody who means harm may reach, whatever route they take.

Here stands what holds for every route, those of tomorrow included: they are found by walking the application. What is
particular to one part stands with that part; `ELSEWHERE` says where.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

import samizdat
from samizdat.kernel.boxfile import write_box
from samizdat.kernel.game import definitions
from samizdat.table.seats import new_key
from samizdat.table.store.schema import metadata
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site
from tests.table.forms import PAGE

TESTS = Path(__file__).parents[1]
ELSEWHERE = {
    "posts that another site makes a browser send": (
        "table/test_forms.py::test_another_site_cannot_post_in_ones_name",
        "table/test_accounts.py::test_a_foreign_page_signs_nobody_in_or_out",
    ),
    "cookies that a script or a wire can read": (
        "table/test_cookies.py::test_the_setting_holds_for_every_cookie",
        "table/test_accounts.py::test_a_session_is_a_secret_cookie_with_a_new_token_each_time",
    ),
    "finding out who has an account": (
        "table/test_accounts.py::test_a_wrong_password_and_an_unknown_name_are_told_apart_by_nothing",
        "table/test_accounts.py::test_tries_at_a_name_are_counted_whether_it_exists_or_not",
    ),
    "passing for the host": (
        "table/test_host_page.py::test_to_everybody_else_there_is_no_such_page",
        "table/test_host_page.py::test_a_link_lets_one_browser_in_once_and_looking_does_not_use_it_up",
        "table/test_host_page.py::test_links_and_rights_end_by_themselves",
        "table/test_host_page.py::test_another_site_cannot_post_in_the_hosts_name",
    ),
    "asking without end": (
        "table/test_limits.py::test_requests_too_many_are_refused_and_nobody_else_waits",
        "table/test_limits.py::test_programs_open_so_many_tables_a_day",
        "table/test_forms.py::test_a_visitor_opens_so_many_tables_a_day",
        "table/test_accounts.py::test_tries_from_an_address_are_counted",
        "table/test_own_boxes.py::test_nobody_keeps_more_boxes_than_one_person_may",
    ),
    "bodies, streams and connections without end": (
        "table/test_limits.py::test_what_no_page_of_ours_sends_is_not_even_read",
        "table/test_limits.py::test_a_sender_keeps_only_so_many_streams_open",
        "table/test_wire.py::test_a_head_has_a_size",
        "table/test_wire.py::test_all_together_have_only_so_many_connections",
    ),
    "clients that send or read slowly": (
        "table/test_wire.py::test_half_a_request_is_not_waited_for",
        "table/test_wire.py::test_those_who_send_half_make_room_for_the_others",
        "table/test_wire.py::test_whoever_does_not_read_is_not_waited_for",
    ),
    "hostile names": (
        "table/test_opening.py::test_hostile_names_are_only_text",
        "table/test_seats.py::test_names_in_the_record_are_only_text",
        "table/test_forms.py::test_names_of_a_file_are_names_like_others",
        "table/test_invitations.py::test_hostile_names_are_only_drawn",
    ),
    "hostile match files and boxes": (
        "table/test_files.py::test_a_strange_file_is_refused_in_a_sentence",
        "table/test_forms.py::test_what_is_no_match_file_is_refused_in_the_lobby",
        "table/test_own_boxes.py::test_hostile_files_are_refused_in_a_sentence",
    ),
    "leading somebody away from here": (
        "table/test_forms.py::test_preferences_lead_nowhere_else",
        "table/test_accounts.py::test_signing_in_leads_nowhere_else",
    ),
}


@pytest.mark.parametrize("danger", ELSEWHERE)
def test_what_is_held_elsewhere_is_there(danger: str) -> None:
    for place in ELSEWHERE[danger]:
        file, _, name = place.partition("::")
        tree = ast.parse((TESTS / file).read_text())
        assert any(isinstance(one, ast.FunctionDef) and one.name == name for one in tree.body), place


# --- every route -----------------------------------------------------------------------------------------


def routes(app: FastAPI) -> list[tuple[str, str]]:
    """Every method and path of the application, however deep its routers lie."""
    found: set[tuple[str, str]] = set()

    def walk(those: Any) -> None:
        for one in those:
            if inner := getattr(one, "original_router", None):
                walk(inner.routes)
            elif methods := getattr(one, "methods", None):
                found.update((method, one.path) for method in methods - {"HEAD"})

    walk(app.routes)
    return sorted(found)


class Victims:
    """Tables, a box and an account of people who mean no harm."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.owner, self.member = site.browser(**PAGE), site.browser(**PAGE)
        self.owner.post("/account", data={"name": "Ludmila", "password": "four words in a row"})
        self.table = self._running()
        self.key = new_key()  # of no seat
        self.box = "nobodys"
        found = definitions()["revolution"]
        brought = self.owner.post(
            "/boxes/upload",
            data={"game": "revolution"},
            files={"file": ("box.toml", write_box(found.standard_box.text))},
        )
        if brought.status_code == 303:
            self.box = brought.headers["location"].split("/")[3]

    def _running(self) -> LiveTable:
        """One at which both sit, and a bot."""
        form = {"players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": "bot-random", "name": "Ludmila"}
        address = self.owner.post("/new/revolution", data=form).headers["location"]
        table = self.site.run(self.site.house.find(address.split("/")[2]))
        self.member.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
        assert table.match is not None
        return table

    def filled(self, path: str, **otherwise: str) -> str:
        """A route's path to things of theirs."""
        known = {"id": self.table.id, "key": self.key, "number": "0", "step": "0", "game": "revolution", "code": "en"}
        if path.startswith("/box/"):
            known["id"] = self.box
        known |= {"name": "revolution", "seat": "0", "page": "nobody"} | otherwise
        return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: known.get(found[1], "x"), path)

    def rows(self) -> Counter[tuple[Any, ...]]:
        """Everything that is stored."""
        with self.site.house.store.engine.begin() as db:
            return Counter(
                (table.name, *map(repr, row))
                for table in metadata.tables.values()
                for row in db.execute(select(table))
            )


@pytest.fixture
def victims(site: Site) -> Victims:
    return Victims(site)


JSON, FORM, PARTS = "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
PLAUSIBLE = {
    "seat": "0",
    "kind": "bot-random",
    "name": "Eve",
    "change": "clear",
    "gone": "",
    "act": "show",
    "sure": "yes",
}
HALF = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"game": "revo'
BODIES: dict[str, tuple[str, bytes]] = {
    "nothing": (FORM, b""),
    "a form that could be meant": (FORM, str(httpx.QueryParams(PLAUSIBLE)).encode()),
    "a decision that could be meant": (JSON, b'{"seat": 0, "version": 0, "move": "pass", "change": "clear"}'),
    "no text": (FORM, b"seat=%00&name=\xff\xfe&=&=%ff%c0%80"),
    "half of json": (JSON, b'{"seat": 0, "version'),
    "nothing of json": (JSON, b"null"),
    "numbers that are none": (JSON, b'{"seat": 1e400, "version": NaN, "move": "\\ud800"}'),
    "numbers too great": (JSON, b'{"seat": -' + b"9" * 4000 + b', "version": ' + b"9" * 4000 + b', "move": ""}'),
    "other types": (JSON, b'{"seat": [], "version": {}, "move": 7, "seats": "me", "options": [[]]}'),
    "too deep": (JSON, b"[" * 30_000),
    "too large": (JSON, b'"' + b"x" * 70_000 + b'"'),
    "half of a file": (PARTS, HALF),
    "a file without an end": ("multipart/form-data", HALF),
}  # fmt: skip


MEANT = {what: body for what, body in BODIES.items() if "could be meant" in what}


def attack(browser: Browser, method: str, path: str, body: tuple[str, bytes]) -> httpx.Response:
    kind, content = body
    return browser.site.run(
        browser.client.request(method, path, content=content, headers={"content-type": kind, "accept": JSON})
    )


def harmless(answer: httpx.Response, what: str) -> None:
    """An answer that people can live with: no error of the server, and one sentence at most."""
    assert answer.status_code < 500, f"{what}: {answer.status_code} {answer.text[:300]}"
    assert "Traceback" not in answer.text, what
    if answer.status_code >= 400 and answer.headers.get("content-type", "").startswith(JSON):
        assert len(answer.json()["error"]) < 700, what


def untouched(victims: Victims, before: Counter[tuple[Any, ...]], what: str) -> None:
    """Whatever was stored is there as it was; an attacker may add things of their own."""
    gone = before - victims.rows()
    assert not gone, f"{what} changed {list(gone)[:3]}"


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # starlette lets go of half a file late
@pytest.mark.parametrize("who", ["stranger", "member"])
def test_no_post_to_any_route_changes_what_is_anothers(victims: Victims, who: str) -> None:
    """Whatever its body: a stranger's, or that of somebody who sits elsewhere at the same table."""
    site = victims.site
    posts = [path for method, path in routes(site.app) if method == "POST"]
    assert len(posts) > 30, "routes are found another way now"
    before = victims.rows()
    attacker, bodies = (site.browser(**PAGE), BODIES) if who == "stranger" else (victims.member, MEANT)
    if who == "member":  # what is stored of themselves is theirs
        [own] = victims.table.chairs[1].holders
        before = Counter({row: count for row, count in before.items() if repr(own) not in row})
        posts = [path for path in posts if not path.startswith("/settings/")]
    for path in posts:
        for what, body in bodies.items():
            harmless(attack(attacker, "POST", victims.filled(path), body), f"{path}, {what}")
        untouched(victims, before, path)
    assert victims.table.chairs[0].name == "Ludmila"


NAMES = ("nowhere", "%00", "..%2f..%2fetc%2fpasswd", "a" * 3000, "%F0%9F%92%A3", "0", "-1", "9" * 400)
QUERY = (
    "?seat=99999999999999999999&step=-1&number=x&invite=-5&lang=..&v=%00&next=//evil&back=%0d%0aa:b&box=%00&since=-9"
)


def test_no_address_is_an_error_of_the_server(victims: Victims) -> None:
    """Paths to what is not there, and questions that nobody asks, at every route that is read."""
    stranger = victims.site.browser(accept=JSON)
    before = victims.rows()
    for method, path in routes(victims.site.app):
        if method != "GET":
            continue
        if not path.endswith("/events"):  # a stream of something that is there has no end
            harmless(stranger.get(victims.filled(path) + QUERY), path)
        for name in NAMES if "{" in path else ():
            there = re.sub(r"\{[^}]+\}", name, path)
            harmless(stranger.get(there), there[:80])
    untouched(victims, before, "a look")


def test_no_method_but_its_own_does_anything(victims: Victims) -> None:
    stranger, before = victims.site.browser(accept=JSON), victims.rows()
    known = set(routes(victims.site.app))
    for path in {path for _, path in known}:
        for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
            answer = attack(stranger, method, victims.filled(path), BODIES["a form that could be meant"])
            assert ((method, path) in known) or answer.status_code in (404, 405), f"{method} {path}"
    untouched(victims, before, "another method")


def test_no_other_site_posts_to_any_route(victims: Victims) -> None:
    """In the name of the very owner of the table, who happens to look at a hostile page."""
    before = victims.rows()
    for method, path in routes(victims.site.app):
        if method == "POST":
            for foreign in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
                answer = victims.owner.post(victims.filled(path), data=PLAUSIBLE, headers=foreign)
                assert answer.status_code == 403, path
    assert victims.rows() == before


# --- pages -----------------------------------------------------------------------------------------------


def pages(victims: Victims) -> Iterator[tuple[str, httpx.Response]]:
    """Every page, as the owner of everything reads it."""
    for method, path in routes(victims.site.app):
        if method == "GET" and not path.endswith("/events"):
            answer = victims.owner.get(victims.filled(path))
            saved = "attachment" in answer.headers.get("content-disposition", "")
            if answer.headers.get("content-type", "").startswith("text/html") and not saved:
                yield path, answer


def test_no_page_carries_a_script_of_its_own(victims: Victims) -> None:
    """The policy forbids it, and no page needs an exception: nothing that somebody smuggles in would run."""
    seen = 0
    for path, page in pages(victims):
        seen += 1
        policy = dict(part.strip().partition(" ")[::2] for part in page.headers["content-security-policy"].split(";"))
        assert policy.get("script-src", policy["default-src"]) == "'self'", path
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'", path
        assert policy["form-action"] == "'self'", path
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "same-origin", "a seat's link is a secret"
        for attributes in re.findall(r"<script\b([^>]*)>", page.text):
            assert 'src="/' in attributes or 'type="application/json"' in attributes, f"{path}: {attributes}"
        assert not re.search(r"<[a-z][^>]*\son[a-z]+\s*=", page.text), path
        assert "javascript:" not in page.text, path
    assert seen > 15


def test_links_cannot_be_guessed(victims: Victims) -> None:
    """A seat's has 144 random bits, a table's 72; and no two begin alike."""
    keys = [new_key() for _ in range(200)]
    assert {len(key) for key in keys} == {24}
    assert len({key[:6] for key in keys}) == 200
    assert len(victims.table.id) == 12


# --- what is told apart ----------------------------------------------------------------------------------


def told(answer: httpx.Response, *own: str) -> tuple[int, str]:
    """An answer without what the asker sent."""
    text = answer.text
    for word in own:
        text = text.replace(word, "…")
    return answer.status_code, text


def test_a_link_that_was_is_like_one_that_never_was(victims: Victims) -> None:
    table, stranger = victims.table, victims.site.browser(**PAGE)
    dead = table.chairs[2].key
    victims.owner.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "bot-novice"})
    assert table.chairs[2].key != dead
    never = new_key()
    for method in ("GET", "POST"):
        was, is_none = (
            told(attack(stranger, method, f"/sit/{key}", BODIES["nothing"]), key) for key in (dead, never)
        )
        assert was == is_none
        assert was[0] == 404
    assert told(stranger.get(f"/go?link={dead}"), dead) == told(stranger.get(f"/go?link={never}"), never)


def test_a_box_of_somebody_else_is_like_none(victims: Victims) -> None:
    stranger = victims.site.browser(**PAGE)
    assert victims.box != "nobodys"
    for method, path in routes(victims.site.app):
        if path.startswith("/box/{name}/{id}"):
            theirs, none = (
                told(attack(stranger, method, victims.filled(path, id=id), BODIES["nothing"]), id)
                for id in (victims.box, "a" * len(victims.box))
            )
            assert theirs == none, path


def test_a_key_of_another_table_is_like_no_key(victims: Victims) -> None:
    table, other = victims.table, victims.site.table(samizdat.game("revolution"))
    program = victims.site.browser()
    answers = {
        told(program.get(f"/api/tables/{table.id}/view", headers={"authorization": f"Bearer {key}"}), key)
        for key in (other.chairs[0].key, new_key(), "")
    }
    assert len({status for status, _ in answers}) == 1
    assert len(answers) <= 2, "a key that is none, and none at all"


def test_a_refusal_does_not_say_what_the_seat_could_do(victims: Victims) -> None:
    """A stranger who decides for a seat learns nothing of its hand, whatever is sent."""
    table = victims.table
    assert table.match is not None
    legal = [str(move) for move in table.match.legal(0)]
    moves = [legal[0], legal[-1], "bid priest blackmail blackmail", "nonsense", ""]
    for attacker in (victims.site.browser(accept=JSON), victims.member):
        answers = {
            told(attacker.post(f"/table/{table.id}/move", json={"seat": 0, "version": version, "move": move}))
            for move, version in itertools.product(moves, (0, table.history(0).version, 10**6))
        }
        assert len(answers) == 1
        assert answers.pop()[0] == 403
    assert table.match.plies == 0


# --- out of their turn -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", definitions())
def test_decisions_that_come_late_twice_or_in_another_order(site: Site, name: str) -> None:
    """A seat's own posts, sent again as they were: each is refused with a sentence, and nothing changes."""
    table = site.table(samizdat.game(name))
    owner = site.browser(accept=JSON)
    owner.hold(table, *range(table.game.players))
    sent: list[dict[str, Any]] = []
    assert table.match is not None
    while len(sent) < 6:
        seat = table.match.turn[0]
        body = {"seat": seat, "version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
        assert owner.post(f"/table/{table.id}/move", json=body).status_code == 200
        sent.append(body)
        again = owner.post(f"/table/{table.id}/move", json=body)
        assert again.status_code == 409, "twice"
        assert again.json()["stale"]
    plies, before = table.match.plies, site.house.store.journal(table.id)
    for body in [*reversed(sent), *sent]:
        for act in ("move", "undo", "seal", "draft"):
            answer = owner.post(
                f"/table/{table.id}/{act}", json={"change": "clear", **body, "version": body["version"]}
            )
            assert answer.status_code == 409, f"{act} {body}"
            assert answer.json()["error"]
        late = body | {"version": body["version"] + 1000}
        assert owner.post(f"/table/{table.id}/move", json=late).status_code == 409, "from a position yet to come"
    assert table.match.plies == plies
    assert site.house.store.journal(table.id) == before
