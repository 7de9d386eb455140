"""Accounts: a guest becomes one and keeps everything, other browsers sign in, and nobody learns who exists."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

import samizdat
from samizdat.table import passwords
from samizdat.table.commands import ChangeSeat
from samizdat.table.passwords import new_paper, paper_digest, read_paper, words
from samizdat.table.players import Visitors
from samizdat.table.sessions import COOKIE
from samizdat.table.store.belonging import named
from samizdat.table.store.schema import holders, seatings, sessions, tries
from tests.table.conftest import Browser, Site

PASSWORD = "barricade under snow"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", passwords.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords._nobody.cache_clear()


def account(browser: Browser, name: str = "Ludmila") -> str:
    """An account with a password; the name to sign in with."""
    answer = browser.post("/account", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == "/account/paper"
    found = re.search(r"ludmila-\d{4}", browser.get("/settings").text)
    assert found is not None
    return found[0]


def sign_in(browser: Browser, login: str, password: str = PASSWORD) -> int:
    return browser.post("/sign-in", data={"login": login, "password": password}).status_code


def test_a_guest_becomes_an_account_and_keeps_the_tables(site: Site) -> None:
    guest, other = site.browser(), site.browser()
    guest.post("/preferences", data={"name": "Ludmila"})
    opened = guest.post("/new/revolution").headers["location"]
    table = site.run(site.house.find(opened.removeprefix("/table/")))
    [before] = table.chairs[0].holders
    old = guest.client.cookies["samizdat"]
    login = account(guest)
    assert before not in table.chairs[0].holders, "the table in memory has moved along"
    assert table.opened_by in table.chairs[0].holders
    assert opened in guest.get("/").text
    stored = site.house.store.holders(table.id)
    assert stored[0] == {table.opened_by}
    # another browser signs in and sits there, too
    assert opened not in other.get("/").text
    assert sign_in(other, login) == 303
    assert opened in other.get("/").text
    assert table.chairs[0].key in other.get(opened).text, "only whoever holds a seat is given its link"
    # what the guest's cookie was worth went with it
    thief = site.browser()
    thief.client.cookies.set("samizdat", old)
    assert opened not in thief.get("/").text


def test_every_column_that_names_a_player_moves_along(site: Site) -> None:
    """Also those of tables that do not know of accounts yet."""
    store = site.house.store
    table = site.table(samizdat.game("revolution", players=3), holder="p0")
    site.run(site.house.do(table, _freed(1)))
    site.run(site.house.do(table, _freed(2)))
    store.keep_solved("p0", "revolution", "first")
    store.remember_player("acc", "Ludmila")
    store.keep_solved("acc", "revolution", "first")
    store.hold(table.id, 0, "acc")  # both hold it: one of the two stays
    site.run(site.house.come_along("p0", "acc"))
    with store.engine.connect() as db:
        for where, column in named():
            assert not db.execute(select(column).where(column == "p0")).all(), where.name
        assert [row.player for row in db.execute(select(holders))] == ["acc"]
        assert [row.held for row in db.execute(select(seatings))] == [["acc"], ["acc"]]
    assert table.owners(1) == {"acc"}
    assert table.opened_by == "acc"


def _freed(seat: int) -> ChangeSeat:
    return ChangeSeat(seat, "open", "")


def test_a_wrong_password_and_an_unknown_name_are_told_apart_by_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = account(site.browser())
    stranger = site.browser()
    checked: list[str] = []
    verify = passwords._hasher.verify

    def spy(hash: str, password: str) -> bool:
        checked.append(hash)
        return verify(hash, password)

    spying = type("Spy", (), {"verify": staticmethod(spy), "hash": staticmethod(passwords._hasher.hash)})
    monkeypatch.setattr(passwords, "_hasher", spying)
    wrong = stranger.post("/sign-in", data={"login": login, "password": "not the one"})
    unknown = stranger.post("/sign-in", data={"login": "nobody-1234", "password": "not the one"})
    assert wrong.status_code == unknown.status_code == 422
    assert wrong.text.replace(login, "") == unknown.text.replace("nobody-1234", "")
    costs = [hash.rsplit("$", 2)[0] for hash in checked]
    assert len(costs) == 2, "a password was checked for both"
    assert costs[0] == costs[1], "with the same work"


@pytest.mark.parametrize("exists", [True, False])
def test_tries_at_a_name_are_counted_whether_it_exists_or_not(site: Site, exists: bool) -> None:
    login = account(site.browser()) if exists else "ludmila-0000"
    seen = [sign_in(site.browser_at(f"203.0.113.{n}"), login, "wrong") for n in range(12)]
    assert seen == [422] * 10 + [429] * 2
    assert sign_in(site.browser_at("203.0.113.99"), login) == 429, "not even with the right one"


def test_tries_from_an_address_are_counted(site: Site) -> None:
    guesser = site.browser_at("203.0.113.5")
    seen = [guesser.post("/sign-in/paper", data={"words": f"{n}"}).status_code for n in range(42)]
    assert seen == [422] * 40 + [429] * 2
    assert site.browser_at("203.0.113.6").post("/sign-in/paper", data={"words": "x"}).status_code == 422
    with site.house.store.engine.connect() as db:
        assert not any("203" in row.key for row in db.execute(select(tries))), "whose address it is stands nowhere"


def test_signing_in_forgets_the_tries_before(site: Site) -> None:
    login = account(site.browser())
    for _ in range(3):
        browser = site.browser()
        assert [sign_in(browser, login, "wrong") for _ in range(8)] == [422] * 8
        assert sign_in(browser, login) == 303


def test_the_paper_key_signs_in_and_new_words_end_it(site: Site) -> None:
    owner, other = site.browser(), site.browser()
    account(owner)

    def fresh() -> list[str]:
        shown = owner.post("/account/paper").text
        found = re.search(r'class="code words".*?</p>', shown, re.S)
        assert found is not None
        return re.findall(r"<span[^>]*>([a-z]+)</span>", found[0])

    first = fresh()
    assert len(first) == 8
    with site.house.store.engine.connect() as db:
        assert " ".join(first) not in str(db.exec_driver_sql("SELECT * FROM accounts").all())
    typed = " ".join(word[:4].upper() for word in first)
    assert other.post("/sign-in/paper", data={"words": typed}).status_code == 303
    assert "ludmila-" in other.get("/settings").text
    second = fresh()
    assert site.browser().post("/sign-in/paper", data={"words": " ".join(first)}).status_code == 422
    assert site.browser().post("/sign-in/paper", data={"words": " ".join(reversed(second))}).status_code == 422
    assert site.browser().post("/sign-in/paper", data={"words": " ".join(second)}).status_code == 303


@given(
    st.lists(st.sampled_from(sorted(words().values())), min_size=8, max_size=8), st.sampled_from([" ", ", ", " · "])
)
def test_a_paper_key_is_read_however_it_is_typed(chosen: list[str], between: str) -> None:
    paper = tuple(chosen)
    assert read_paper(between.join(paper)) == paper
    assert read_paper(between.join(word[:4].title() for word in paper)) == paper
    assert read_paper(between.join(paper[:7])) is None
    assert read_paper(between.join((*paper, "abandon"))) is None


def test_paper_words_are_told_apart_by_four_letters() -> None:
    assert len(words()) == 2048
    assert len({paper_digest(new_paper()) for _ in range(50)}) == 50


def test_sessions_are_listed_and_ended(site: Site) -> None:
    first = site.browser(**{"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"})
    phone = site.browser(
        **{"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile Safari/604.1"}
    )
    login = account(first)
    assert sign_in(phone, login) == 303
    page = first.get("/settings").text
    assert "Firefox, Linux" in page
    assert "Safari, iPhone" in page
    assert first.post("/settings/sign-out").status_code == 303
    assert login not in phone.get("/settings").text
    assert login in first.get("/settings").text
    first.post("/sign-out")
    assert login not in first.get("/settings").text
    with site.house.store.engine.connect() as db:
        assert not db.execute(select(sessions)).all()


def test_a_stream_ends_with_its_session(site: Site) -> None:
    browser = site.browser()
    login = account(browser)
    opened = browser.post("/new/revolution").headers["location"]
    other = site.browser()
    sign_in(other, login)
    table = site.run(site.house.find(opened.removeprefix("/table/")))

    async def watch() -> str:
        version = table.history(0).version
        async with other.client.stream("GET", f"{opened}/events?seat=0&since={version}") as answer:
            assert answer.status_code == 200
            return (await answer.aread()).decode()

    async def both() -> str:
        # the stream of this transport is read when it has ended: it has to, or this test never does
        watching = asyncio.create_task(watch())
        while not table.listeners.get(0):
            await asyncio.sleep(0)
        await browser.client.post("/settings/sign-out")
        return await watching

    assert "event: reload" in site.run(both())


@pytest.mark.parametrize("path", ["/account/password", "/account/paper", "/settings/passkey"])
def test_keys_change_only_after_somebody_has_shown_who_they_are(site: Site, path: str) -> None:
    browser = site.browser()
    login = account(browser)
    with site.house.store.engine.begin() as db:
        db.exec_driver_sql("UPDATE sessions SET proved = 0")
    site.app.state.sessions.forget()
    answer = browser.post(path, data={"password": "a stolen browser", "id": "x"})
    assert answer.headers["location"].startswith("/sign-in?next=")
    assert sign_in(site.browser(), login) == 303, "the password is the old one"
    assert sign_in(browser, login) == 303
    assert browser.get("/account/paper").status_code == 200


def test_what_a_browser_had_as_a_guest_comes_along_when_its_owner_says_so(site: Site) -> None:
    login = account(site.browser())
    shared = site.browser()
    opened = shared.post("/new/revolution").headers["location"]
    sign_in(shared, login)
    assert opened not in shared.get("/").text, "somebody else may have played there"
    assert shared.post("/account/bring").status_code == 303
    assert opened in shared.get("/").text


def test_a_session_is_a_secret_cookie_with_a_new_token_each_time(tmp_path: Path) -> None:
    with closing(Site(tmp_path, secure=True)) as site:
        browser = site.browser_at("127.0.0.1")
        answer = browser.post("/account", data={"name": "Ludmila", "password": PASSWORD})
        [cookie] = [one for one in answer.headers.get_list("set-cookie") if one.startswith(COOKIE)]
        assert "; HttpOnly" in cookie
        assert "; Secure" in cookie
        assert "samesite=lax" in cookie.lower()
        token = cookie.split("=")[1].split(";")[0]
        with site.house.store.engine.connect() as db:
            assert token not in str(db.execute(select(sessions)).all()), "a copy of the database signs nobody in"


def test_a_foreign_page_signs_nobody_in_or_out(site: Site) -> None:
    login = account(site.browser())
    for headers in ({"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://evil"}):
        for path in ("/sign-in", "/sign-in/paper", "/sign-in/passkey/ask", "/account", "/sign-out", "/account/bring"):
            answer = site.browser().post(path, data={"login": login, "password": PASSWORD}, headers=headers)
            assert answer.status_code == 403
            assert COOKIE not in answer.headers.get("set-cookie", "").replace("samizdat=", "")


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"])
def test_signing_in_leads_nowhere_else(site: Site, next: str) -> None:
    login = account(site.browser())
    answer = site.browser().post("/sign-in", data={"login": login, "password": PASSWORD, "next": next})
    assert answer.headers["location"] == "/you"


HOSTILE = [{}, {"id": "x"}, {"id": 5, "response": []}, {"id": "x", "response": {"clientDataJSON": "e30"}},
           {"id": "x" * 9000, "response": {"clientDataJSON": "!"}}]  # fmt: skip


@pytest.mark.parametrize("answer", HOSTILE)
@pytest.mark.parametrize("path", ["/sign-in/passkey", "/account/passkey"])
def test_what_is_no_passkey_is_refused(site: Site, path: str, answer: object) -> None:
    told = site.browser().post(path, json={"answer": answer})
    assert told.status_code == 403, told.text
    assert "passkey" in told.json()["error"]


def test_short_passwords_are_refused_with_a_sentence(site: Site) -> None:
    answer = site.browser().post("/account", data={"name": "Ludmila", "password": "short"})
    assert answer.status_code == 422
    assert "at least 10 characters" in answer.text


def test_counted_keys_are_keyed() -> None:
    assert Visitors("one" * 20, False).sealed("a") != Visitors("two" * 20, False).sealed("a")
