"""Profiles: ratings count each match once and whoever began it, numbers state their doubt, and nobody else reads them
unless they are shown."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

import samizdat
from samizdat.table import figures, passwords
from samizdat.table.commands import ChangeSeat
from samizdat.table.figures import bars, wilson
from samizdat.table.plots import bar_plot, line_plot, share_plot
from samizdat.table.ratings import ENOUGH, MIDDLE, RatingPoint, Ratings, updated
from samizdat.table.seats import new_key
from samizdat.table.store.ratings import Strength
from samizdat.table.store.schema import accounts, rated, rating_steps
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site

PASSWORD = "barricade under snow"
RATED = {"variant": "standard", "players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
RATED |= {"rated": "on", "name": "Ludmila"}


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", passwords.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def signed_in(site: Site, name: str) -> Browser:
    browser = site.browser()
    assert browser.post("/account", data={"name": name, "password": PASSWORD}).status_code == 303
    return browser


def rated_table(site: Site, host: Browser, *others: Browser) -> LiveTable:
    answer = host.post("/new/revolution", data=RATED)
    assert answer.status_code == 303, answer.text
    table = site.run(site.house.find(answer.headers["location"].removeprefix("/table/")))
    for seat, other in enumerate(others, 1):
        assert other.post(f"/table/{table.id}/sit", data={"seat": str(seat), "name": f"Nr {seat}"}).status_code == 303
    return table


def played_out(site: Site, table: LiveTable, seed: int = 3) -> None:
    site.wander(table, 10_000, seed)
    assert table.match is not None
    assert table.match.over
    site.app.state.ratings.settle()


def steps(site: Site) -> list[Any]:
    with site.house.store.engine.connect() as db:
        return list(db.execute(select(rating_steps).order_by(rating_steps.c.n)))


# --- ratings ---------------------------------------------------------------------------------------------


STRENGTHS = st.one_of(st.none(), st.builds(Strength, st.floats(10, 40), st.floats(1, 8)))


@given(st.data(), st.integers(2, 4))
def test_a_better_rank_never_costs_and_every_match_makes_surer(data: st.DataObject, seats: int) -> None:
    before = data.draw(st.lists(STRENGTHS, min_size=seats, max_size=seats))
    ranks = data.draw(st.permutations(range(1, seats + 1)))
    after = updated(before, ranks)
    for old, new, rank in zip(before, after, ranks, strict=True):
        known = old or Strength(25.0, 25 / 3)
        assert new.sigma <= math.hypot(known.sigma, 25 / 300), "a little is forgotten between two matches"
        assert rank != 1 or new.mu >= known.mu
        assert rank != seats or new.mu <= known.mu
    swapped = updated(before[::-1], list(ranks)[::-1])[::-1]
    assert all(abs(a.mu - b.mu) < 1e-9 for a, b in zip(after, swapped, strict=True)), "where one sits does not matter"


def test_a_rated_match_counts_once_for_everybody(site: Site) -> None:
    people = [signed_in(site, name) for name in ("Ludmila", "Fedor", "Elvira")]
    table = rated_table(site, *people)
    played_out(site, table)
    [first, *_] = counted = steps(site)
    assert len(counted) == 3
    assert table.match is not None
    mus = {row.player: row.mu for row in counted}
    ranks = {next(iter(chair.holders)): rank for chair, rank in zip(table.chairs, table.match.ranks, strict=True)}
    assert sorted(mus, key=lambda player: -mus[player]) == sorted(ranks, key=lambda player: ranks[player])
    for _ in range(2):
        site.app.state.ratings.settle()
    assert steps(site) == counted
    assert first.n == 1
    page = people[0].get("/you").text
    assert "1 rated match" in page
    assert str(MIDDLE) not in page, "words, before there are enough for a number"


def test_a_match_of_a_process_that_died_is_counted_later(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [signed_in(site, name) for name in ("Ludmila", "Fedor", "Elvira")]
    table = rated_table(site, *people)
    with monkeypatch.context() as dead:
        dead.setattr(Ratings, "settle", lambda self: None)
        site.wander(table, 10_000)
        assert steps(site) == []
    people[1].get("/you")
    assert len(steps(site)) == 3


@pytest.mark.parametrize("left", ["handed over", "account gone"])
def test_whoever_leaves_keeps_the_result(site: Site, left: str) -> None:
    people = [signed_in(site, name) for name in ("Ludmila", "Fedor", "Elvira")]
    table = rated_table(site, *people)
    [fedor] = table.chairs[1].holders
    site.wander(table, 10)
    if left == "handed over":
        site.run(site.house.do(table, ChangeSeat(1, "bot", "Boris", level="random")))
    else:
        people[1].post("/settings/delete")
    assert table.chairs[1].kind == "bot"
    played_out(site, table)
    assert fedor in {row.player for row in steps(site)}


def test_it_does_not_count_with_a_guest(site: Site) -> None:
    table = rated_table(site, signed_in(site, "Ludmila"), signed_in(site, "Fedor"), site.browser())
    played_out(site, table)
    assert steps(site) == []
    with site.house.store.engine.connect() as db:
        assert db.execute(select(rated.c.settled)).scalar_one() is not None


def test_nobody_plays_against_themselves_for_points(site: Site) -> None:
    me = signed_in(site, "Ludmila")
    with site.house.store.engine.connect() as db:
        login = db.execute(select(accounts.c.login)).scalar_one()
    table = rated_table(site, me, signed_in(site, "Fedor"))
    again = site.browser()
    again.post("/preferences", data={"name": "Ludmila, too"})
    again.post(f"/table/{table.id}/sit", data={"seat": "2", "name": "Ludmila, too"})
    again.post("/sign-in", data={"login": login, "password": PASSWORD})
    again.post("/account/bring")  # a guest's seat that becomes the same account's
    played_out(site, table)
    assert steps(site) == []


@pytest.mark.parametrize(
    "form", [{"seat-1": "bot-random"}, {"seat-1": "here", "name-1": "Fedor"}, {"seat-0": "bot-random"}]
)
def test_a_rated_table_has_a_person_at_every_seat(site: Site, form: dict[str, str]) -> None:
    answer = signed_in(site, "Ludmila").post("/new/revolution", data=RATED | form)
    assert answer.status_code == 422
    assert "A rated match has a person at every seat" in answer.text


def test_a_rated_table_is_opened_by_an_account_and_its_seats_are_their_owners(site: Site) -> None:
    assert site.browser().post("/new/revolution", data=RATED).status_code == 422
    host, other, third = signed_in(site, "Ludmila"), signed_in(site, "Fedor"), signed_in(site, "Elvira")
    table = rated_table(site, host, other, third)
    assert host.post(f"/table/{table.id}/seats", data={"seat": "1", "kind": "bot-random"}).status_code == 403
    assert host.post(f"/table/{table.id}/seats", data={"seat": "0", "kind": "bot-random"}).status_code == 303


# --- numbers ---------------------------------------------------------------------------------------------


@given(st.integers(1, 400), st.floats(0, 1))
def test_doubt_holds_the_share_and_shrinks(n: int, value: float) -> None:
    low, high = wilson(value, n)
    assert -1e-12 <= low <= value + 1e-12
    assert value - 1e-12 <= high <= 1
    closer = wilson(value, 4 * n)
    assert closer[1] - closer[0] < high - low


@given(st.lists(st.integers(-3000, 3000), min_size=1, max_size=60))
def test_bars_hold_every_score_once(scores: list[int]) -> None:
    told = bars(scores)
    assert sum(told.counts) == len(scores)
    assert len(told.counts) <= figures.MOST_BARS
    for n, count in enumerate(told.counts):
        low = told.first + n * told.step
        assert count == sum(low <= score < low + told.step for score in scores)
    assert "NaN" not in bar_plot(told, "points", "mean")


def test_plots_carry_names_as_text(site: Site) -> None:
    hostile = "<script>alert(1)</script>\"'"
    row = figures.Share(hostile[:17], 20, 0.5, 0.3, 0.7, 0.25)
    drawn = share_plot([row], hostile, "{n}")
    assert "<script" not in drawn
    assert line_plot([RatingPoint(1500, 300, "t", 0.0)]).count("<svg") == 1


def finished(site: Site, browser: Browser, number: int) -> None:
    """So many finished matches of a browser against bots: one that was played, and others like it, in which the seats
    came in another order."""
    browser.get("/")
    player = site.app.state.visitors._signer.loads(browser.client.cookies["samizdat"])
    table = site.table(samizdat.game("revolution", players=3), holder=player, kinds="pbb")
    site.wander(table, 10_000)
    store = site.house.store
    row = store.table(table.id)
    assert row is not None
    known = {name: value for name, value in row._mapping.items() if name not in ("id", "made", "changed")}
    for n in range(1, number):
        result = {key: value[n % 3 :] + value[: n % 3] for key, value in row.result.items() if key != "reason"}
        chairs = [{"seat": seat.seat, "kind": seat.kind, "level": seat.level, "name": seat.name, "key": new_key()}
                  for seat in store.seats(table.id)]  # fmt: skip
        copy = {**known, "id": new_key()[:12], "result": {"reason": row.result["reason"], **result}}
        store.add_table(copy, chairs, [(0, player)])


def test_the_profile_counts_matches_and_filters_them(site: Site) -> None:
    browser = site.browser()
    browser.post("/preferences", data={"name": "Ludmila"})
    assert "No match says anything yet" in browser.get("/you").text
    finished(site, browser, 3)
    assert "3 matches say little" in browser.get("/you").text
    finished(site, browser, 8)
    page = browser.get("/you").text
    assert "How often you win" in page
    assert "The chart in numbers" in page
    lines = len(re.findall(r'class="gm"', page))
    assert lines == 11
    won = len(re.findall(r'class="gm"', browser.get("/you?result=won").text))
    lost = len(re.findall(r'class="gm"', browser.get("/you?result=lost").text))
    assert won + lost == lines
    assert won == len(re.findall(r'class="res won"', page))
    assert not re.findall(r'class="gm"', browser.get("/you?opponent=Nobody").text)
    assert len(re.findall(r'class="gm"', browser.get("/you?opponent=bot+1").text)) == lines
    assert not re.findall(r'class="gm"', browser.get("/you?game=dual-powers").text)
    for hostile in ("game=<script>", "result=x", "page=-1", "page=99999999", "period=7", "opponent=%00<b>"):
        answer = browser.get(f"/you?{hostile}")
        assert answer.status_code == 200
        assert "<script>" not in answer.text
        assert "<b>" not in answer.text.split('id="matches"')[1].split("</form>")[0]


def test_a_profile_is_shown_by_its_owner_alone_and_names_no_match(site: Site) -> None:
    people = [signed_in(site, name) for name in ("Ludmila", "Fedor", "Elvira")]
    table = rated_table(site, *people)
    played_out(site, table)
    [me] = table.chairs[0].holders
    with site.house.store.engine.connect() as db:
        address = f"/people/{db.execute(select(accounts.c.page).where(accounts.c.player == me)).scalar_one()}"
    stranger = site.browser()
    hidden = stranger.get(address)
    assert hidden.status_code == stranger.get("/people/nothing-here").status_code == 404
    assert hidden.json() == stranger.get("/people/nothing-here").json(), "nobody learns whose it would be"
    assert stranger.post("/you/show", data={"shown": "on"}).headers["location"].startswith("/sign-in")
    people[0].post("/you/show", data={"shown": "on"})
    page = stranger.get(address).text
    assert "Ludmila" in page
    assert "1 rated match" in page
    for secret in (table.id, "Fedor", "Elvira", "Nr 1", me):
        assert secret not in page
    people[0].post("/you/show")
    assert stranger.get(address).status_code == 404


def test_enough_is_what_the_pages_say() -> None:
    assert (figures.ENOUGH, ENOUGH) == (10, 15)
