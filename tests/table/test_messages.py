"""Messages to people who are not at the table, against stand-ins on loopback: what is told and to whom, that it
arrives at least once and at most once more, what its owner reads when it does not, and when nobody is told."""

from __future__ import annotations

import email
import email.policy
import json
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from sqlalchemy import func, select, update

import samizdat
from samizdat.table.clocks import DAY, HOUR, Terms
from samizdat.table.commands import Play
from samizdat.table.postman import MOST_FAILURES
from samizdat.table.seats import Seat, new_key
from samizdat.table.store import messages as outboxes
from samizdat.table.store.messages import LEASE, Outbox
from samizdat.table.store.schema import messages, ways
from samizdat.table.tables import LiveTable
from samizdat.table.transports import signature
from tests.table.conftest import Browser, Site
from tests.table.standins import Taken, mail_server, post_server
from tests.table.test_clocks import PAGE, TEN_MINUTES, TWO_DAYS, Hour, clock, look

BOTH_DATABASES = True
SETTINGS = {"private_hooks": True, "mail_from": "table@samizdat.test", "smtp": "smtp://127.0.0.1:9"}
NOTICES = "/settings/notices"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits."""
    monkeypatch.setattr(outboxes, "DELAYS", dict.fromkeys(outboxes.DELAYS, 0.0))


@pytest.fixture
def hooks() -> Iterator[Taken]:
    with post_server() as taken:
        yield taken


class Two:
    """A host and a guest at a table for two, where the one who is not to act waits elsewhere."""

    def __init__(self, site: Site, terms: Terms | None = None) -> None:
        self.site, self.browsers = site, [site.browser(**PAGE), site.browser(**PAGE)]
        for number, browser in enumerate(self.browsers):
            browser.post("/preferences", data={"name": f"Player {number}"})
        game = samizdat.game("war-of-whispers", players=2)
        chairs = [Seat("open", "", "", new_key()) for _ in range(2)]
        self.ids = [self._id(browser) for browser in self.browsers]
        self.table: LiveTable = site.run(site.house.open_table(game, chairs, self.ids[0], False, 7, terms=terms))
        for seat, browser in enumerate(self.browsers):
            browser.post(f"/sit/{self.table.chairs[seat].key}", data={"name": f"Player {seat}"})
        assert self.table.match is not None

    def _id(self, browser: Browser) -> str:
        return str(self.site.app.state.visitors._signer.loads(browser.client.cookies["samizdat"]))

    @property
    def acting(self) -> int:
        assert self.table.match is not None
        return self.table.match.turn[0]

    @property
    def waiting(self) -> Browser:
        return self.browsers[1 - self.acting]

    def decide(self) -> None:
        """Whoever is to act decides, until it is the other's turn."""
        begun = self.acting
        while self.acting == begun:
            assert self.table.match is not None
            move = self.table.match.legal(begun)[0]
            self.site.run(self.site.house.do(self.table, Play(begun, [move])))


@pytest.fixture
def two(site: Site) -> Two:
    found = Two(site)
    clear(site)
    return found


def clear(site: Site) -> None:
    with site.house.store.engine.begin() as db:
        db.execute(messages.delete())


def go_round(site: Site) -> int:
    return site.run(site.app.state.postman.go_round())


def hooked(browser: Browser, hooks: Taken) -> None:
    assert browser.post(f"{NOTICES}/hook", data={"url": f"{hooks.url}/told"}).status_code == 303


def waiting(site: Site) -> int:
    with site.house.store.engine.connect() as db:
        return db.execute(select(func.count()).select_from(messages)).scalar_one()


def later(site: Site, seconds: float) -> None:
    """Time goes by for everything that waits."""
    with site.house.store.engine.begin() as db:
        moved = {"due": messages.c.due - seconds, "lease": messages.c.lease - seconds}
        db.execute(update(messages).values(**moved))
        db.execute(update(ways).values(used=ways.c.used - seconds))


# --- what is told, and to whom ---------------------------------------------------------------------------


def test_whoever_is_to_act_is_told_and_nobody_else(site: Site, two: Two, hooks: Taken) -> None:
    told = two.waiting
    for browser in two.browsers:
        hooked(browser, hooks)
    two.decide()
    assert go_round(site) == 1
    [(path, headers, body)] = hooks.posts
    message = json.loads(body)
    assert path == "/told"
    assert message["kind"] == "turn"
    assert message["text"] == "It is your turn: A War of Whispers"
    assert message["link"] == f"http://table/table/{two.table.id}"
    [secret] = [way.secret for way in Outbox(site.house.store).ways(two._id(told))]
    signed = signature(secret, headers["samizdat-time"], body)
    assert headers["samizdat-signature"] == f"sha256={signed}"
    assert set(message) == {"id", "kind", "table", "link", "text"}, "nothing of the match itself"
    assert waiting(site) == 0
    assert go_round(site) == 0


def test_who_decides_before_it_is_sent_is_not_told(site: Site, two: Two, hooks: Taken) -> None:
    hooked(two.waiting, hooks)
    two.decide()
    two.decide()
    go_round(site)
    assert hooks.posts == []
    assert waiting(site) == 0


def test_people_at_one_screen_are_not_told_of_each_other(site: Site, two: Two, hooks: Taken) -> None:
    mine = two.browsers[0]
    mine.hold(two.table, 1)
    hooked(mine, hooks)
    two.decide()
    assert waiting(site) == 0


def test_a_match_that_begins_and_one_that_ends_is_told(site: Site, hooks: Taken) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    seats = {"seat-0": "me", "seat-1": "open", "seat-2": "bot-random"}
    hooked(host, hooks)
    made = host.post("/new/revolution", data={"variant": "standard", "players-standard": "3", **seats})
    table = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
    assert waiting(site) == 0
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    go_round(site)
    assert [json.loads(body)["kind"] for _, _, body in hooks.posts] == ["begun"]


def test_who_is_late_is_told_and_so_is_who_lost_a_seat(site: Site, hooks: Taken) -> None:
    hour, two = Hour(site), Two(site, TWO_DAYS)
    hooked(two.browsers[two.acting], hooks)
    for seconds in (DAY + 14 * HOUR, 11 * HOUR, 2 * DAY):
        hour.value += seconds
        look(site)
        go_round(site)
    assert [json.loads(body)["kind"] for _, _, body in hooks.posts] == ["reminder", "late", "taken"]


def test_a_secret_decision_tells_nobody(site: Site, hooks: Taken) -> None:
    """Revolution!: that somebody laid a token is nobody's business."""
    mine = site.browser(**PAGE)
    hooked(mine, hooks)
    game = samizdat.game("revolution", players=3)
    table = site.table(game)
    mine.hold(table, 1)
    clear(site)
    assert table.match is not None
    site.run(site.house.do(table, Play(0, [table.match.legal(0)[0]])))
    assert waiting(site) == 0


# --- at least once, and at most once more ----------------------------------------------------------------


def test_a_process_that_dies_while_sending_leaves_it_to_another_once(site: Site, two: Two, hooks: Taken) -> None:
    hooked(two.waiting, hooks)
    two.decide()
    outbox = Outbox(site.house.store)
    for _ in range(3):
        assert len(outbox.take(10)) == 1, "and then the process is gone, before it sent anything"
        assert outbox.take(10) == [], "it is still that process's"
        later(site, LEASE + 1)
    for _ in range(2):
        [letter] = outbox.take(10)
        assert outbox.begin(letter), "and then it is gone, and nobody knows what it did"
        later(site, LEASE + 1)
    assert not outbox.begin(letter), "whoever was slow does not send it a third time"
    assert outbox.take(10) == [], "two may have arrived by now"
    assert waiting(site) == 0


def test_what_was_told_and_what_it_tells_of_are_stored_together(site: Site, two: Two, hooks: Taken) -> None:
    """A disk that is full takes neither."""
    hooked(two.waiting, hooks)

    def full(*_: object) -> None:
        raise OSError("full")

    assert two.table.match is not None
    before = two.table.match.plies
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(outboxes, "_put_down", full)
        with pytest.raises(OSError, match="full"):
            two.decide()
    assert two.table.match.plies >= before
    assert site.house._read(two.table.id).match.plies == two.table.match.plies  # type: ignore[union-attr]
    assert waiting(site) == 0


def test_what_fails_is_tried_again_later_and_its_owner_reads_why(site: Site, two: Two, hooks: Taken) -> None:
    told = two.waiting
    hooked(told, hooks)
    hooks.status = 503
    two.decide()
    pauses = []
    for _ in range(MOST_FAILURES):
        assert go_round(site) == 1
        assert go_round(site) == 0
        with site.house.store.engine.connect() as db:
            due = db.execute(select(messages.c.due)).scalar()
        pauses.append(round((due or time.time()) - time.time()))
        later(site, 7 * HOUR)
    assert pauses == [60, 240, 960, 3840, 15360, 0]
    assert waiting(site) == 0
    assert len(hooks.posts) == MOST_FAILURES
    assert len({json.loads(body)["id"] for _, _, body in hooks.posts}) == 1, "its reader can tell that it is one"
    assert "The server answered 503." in told.get(NOTICES).text
    hooks.status = 200
    two.decide()
    two.decide()
    go_round(site)
    assert "The server answered" not in told.get(NOTICES).text


def test_nobody_there_is_an_error_that_can_be_read(site: Site, two: Two) -> None:
    told = two.waiting
    assert told.post(f"{NOTICES}/hook", data={"url": "http://127.0.0.1:9/"}).status_code == 303
    two.decide()
    go_round(site)
    assert "The server cannot be reached" in told.get(NOTICES).text


# --- push ------------------------------------------------------------------------------------------------


def subscribed(browser: Browser, endpoint: str) -> tuple[Any, bytes]:
    """A browser that wants to be told, and the keys it reads with."""
    key, auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {
        name: urlsafe_b64encode(value).decode().rstrip("=") for name, value in (("p256dh", point), ("auth", auth))
    }
    answer = browser.post(f"{NOTICES}/push", json={"endpoint": endpoint, "keys": keys})
    assert answer.status_code == 200, answer.text
    return key, auth


def test_a_browser_can_read_what_is_pushed_and_its_service_knows_us(site: Site, two: Two, hooks: Taken) -> None:
    told = two.waiting
    key, auth = subscribed(told, f"{hooks.url}/push/1")
    two.decide()
    go_round(site)
    [(path, headers, body)] = hooks.posts
    read = json.loads(http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm"))
    assert path == "/push/1"
    assert read["title"] == "It is your turn: A War of Whispers"
    assert read["body"] == f"With Player {1 - two.acting}."
    assert headers["content-encoding"] == "aes128gcm"
    assert Vapid02.verify(headers["authorization"])
    shown = re.search(r'data-push="([\w-]+)"', told.get(NOTICES).text)
    assert shown is not None
    assert headers["authorization"].endswith(f"k={shown[1]}"), "the key that the browser was told"


def test_a_browser_that_is_gone_is_forgotten(site: Site, two: Two, hooks: Taken) -> None:
    told = two.waiting
    subscribed(told, f"{hooks.url}/push/1")
    hooks.status = 410
    two.decide()
    go_round(site)
    assert Outbox(site.house.store).ways(two._id(told)) == []
    assert waiting(site) == 0


def test_the_worker_of_the_site_brings_in_what_shows_messages(site: Site) -> None:
    answer = site.browser().get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    [script] = re.findall(r'importScripts\("([^"]+)"\)', answer.text)
    assert site.browser().get(script).status_code == 200


# --- letters ---------------------------------------------------------------------------------------------


@pytest.fixture
def mails(site: Site) -> Iterator[Taken]:
    with mail_server() as taken:
        postman = site.app.state.postman
        object.__setattr__(postman.settings, "smtp", taken.url)
        yield taken


def link_in(letter: str, what: str) -> str:
    found = email.message_from_string(letter, policy=email.policy.default)
    [link] = re.findall(rf"http://table(/{what}/[\w-]+)", found.get_content())
    return str(link)


def test_letters_come_once_an_address_is_confirmed_and_stop_with_a_click(site: Site, two: Two, mails: Taken) -> None:
    told = two.waiting
    assert told.post(f"{NOTICES}/mail", data={"address": "nadia@example.org"}).status_code == 303
    two.decide()
    go_round(site)
    assert len(mails.letters) == 1, "only what asks"
    confirm = link_in(mails.letters[0], "confirm")
    stranger = site.browser(**PAGE)
    stranger.get(confirm)  # a program that looks into letters opens every link
    two.decide()
    assert waiting(site) == 0
    assert stranger.post(confirm).status_code == 200
    two.decide()
    go_round(site)
    letter = email.message_from_string(mails.letters[-1], policy=email.policy.default)
    assert letter["subject"] == "It is your turn: A War of Whispers"
    assert letter["to"] == "nadia@example.org"
    assert letter["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    stop = str(letter["list-unsubscribe"]).strip("<>").removeprefix("http://table")
    program = site.browser()
    assert program.post(stop, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert program.post(stop, data={"List-Unsubscribe": "One-Click"}).status_code == 404
    assert Outbox(site.house.store).ways(two._id(told)) == []


def test_one_letter_a_day_says_how_many_tables_wait(site: Site, two: Two, mails: Taken) -> None:
    told = two.waiting
    told.post(f"{NOTICES}/mail", data={"address": "nadia@example.org"})
    go_round(site)
    told.post(link_in(mails.letters[0], "confirm"))
    later(site, DAY)
    two.decide()
    go_round(site)
    assert len(mails.letters) == 2
    two.decide()
    two.decide()
    go_round(site)
    assert len(mails.letters) == 2
    assert waiting(site) == 1
    later(site, DAY)
    go_round(site)
    assert len(mails.letters) == 3


def test_a_letter_that_is_refused_for_good_is_not_tried_again(site: Site, two: Two, mails: Taken) -> None:
    told = two.waiting
    mails.refuses = "550 nobody"
    told.post(f"{NOTICES}/mail", data={"address": "nobody@example.org"})
    go_round(site)
    assert waiting(site) == 0
    assert "did not take the address (550)" in told.get(NOTICES).text


# --- left alone ------------------------------------------------------------------------------------------


def test_one_switch_stops_everything_and_nothing_comes_afterwards(site: Site, two: Two, hooks: Taken) -> None:
    told = two.waiting
    hooked(told, hooks)
    two.decide()
    told.post(f"{NOTICES}/stop", data={"stopped": "on"})
    assert waiting(site) == 0
    two.decide()
    two.decide()
    assert waiting(site) == 0
    assert "Everything is stopped" in told.get(NOTICES).text
    told.post(f"{NOTICES}/stop", data={"stopped": "off"})
    two.decide()
    two.decide()
    go_round(site)
    assert len(hooks.posts) == 1


def test_what_comes_in_quiet_hours_is_sent_when_they_end(site: Site, two: Two, hooks: Taken) -> None:
    told = two.waiting
    hooked(told, hooks)
    now = time.gmtime()
    hours = {"from": f"{now.tm_hour:02}:00", "to": f"{(now.tm_hour + 2) % 24:02}:00", "zone": "UTC"}
    assert told.post(f"{NOTICES}/hours", data=hours).status_code == 303
    two.decide()
    assert go_round(site) == 1
    assert hooks.posts == []
    assert waiting(site) == 1
    assert go_round(site) == 0, "it was put off"
    told.post(f"{NOTICES}/hours", data={"from": "", "to": "", "zone": "UTC"})
    later(site, 2 * HOUR)
    go_round(site)
    assert len(hooks.posts) == 1


def test_a_live_clock_does_not_wait_for_quiet_hours_nor_write_letters(site: Site, hooks: Taken) -> None:
    two = Two(site, TEN_MINUTES)
    clear(site)
    told = two.waiting
    hooked(told, hooks)
    told.post(f"{NOTICES}/mail", data={"address": "nadia@example.org"})
    [mail] = [way for way in Outbox(site.house.store).ways(two._id(told)) if way.kind == "mail"]
    clear(site)
    Outbox(site.house.store).confirm(mail.id)
    told.post(f"{NOTICES}/hours", data={"from": "00:00", "to": "23:59", "zone": "UTC"})
    assert clock(two.table).terms == TEN_MINUTES
    two.decide()
    assert waiting(site) == 1
    go_round(site)
    assert len(hooks.posts) == 1
