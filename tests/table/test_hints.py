"""Hints at the table: from what the seat knows and nothing else, for the seat that asks and nobody else."""

from __future__ import annotations

import asyncio
import itertools
import re
import threading
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.bots.advice import Advice, hint
from samizdat.bots.reviews import JudgedDecision, Review
from samizdat.conformance.walks import walk
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.table import hints
from samizdat.table.compiling import WARMINGS
from samizdat.table.hints import Hints, composed, in_words, laid
from samizdat.table.tables import LiveTable
from samizdat.table.turns import Job
from tests.conftest import full_tables, label, plain_games
from tests.games.whispers import at_seat, play, word
from tests.table.conftest import Browser, Site
from tests.table.test_secrecy import another_world, put

TINY = {"seconds": None, "simulations": 40}
GAME = "dual-powers"


@pytest.fixture
def thinking(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The bots' processes are this one, with tiny budgets; what they were asked."""
    asked: list[dict[str, Any]] = []

    async def here(work: Any, request: dict[str, Any], job: Job) -> Any:
        asked.append(request)
        return work(request)

    bots = site.app.state.bots
    monkeypatch.setattr(bots, "run", here)
    monkeypatch.setattr(bots, "run_aside", here)
    monkeypatch.setattr(bots, "is_warm", lambda name: True)
    monkeypatch.setattr(hints, "HINT", TINY)
    monkeypatch.setattr(hints, "REVIEW", {"seconds_per_decision": None, "simulations": 3})
    return asked


def seated(site: Site, plies: int = 12) -> tuple[LiveTable, Browser, int]:
    """A running match, and the browser of the seat that is to decide, with a choice."""
    table = site.table(samizdat.game(GAME))
    site.wander(table, plies)
    while len(current(table).legal(current(table).turn[0])) < 2:
        site.wander(table, 1)
    seat = current(table).turn[0]
    browser = site.browser()
    browser.hold(table, seat)
    return table, browser, seat


def current(table: LiveTable) -> Match:
    assert table.match is not None
    return table.match


def ask(browser: Browser, table: LiveTable, seat: int) -> Any:
    return browser.post(f"/table/{table.id}/hint", json={"seat": seat})


def test_three_decisions_with_chances_and_reasons(site: Site, thinking: list[Any]) -> None:
    table, browser, seat = seated(site)
    answer = ask(browser, table, seat)
    assert answer.status_code == 200, answer.text
    found = answer.json()["hints"]
    assert 1 <= len(found) <= 3
    for one in found:
        assert len(one["labels"]) == 1
        assert one["draft"] == []
        assert one["why"]
        assert all(reason["text"].endswith(".") for reason in one["why"])
        assert 0 <= one["chance"] <= 100
        assert 0 < one["error"] <= 100
    assert ask(browser, table, seat).json() == answer.json()
    assert len(thinking) == 1, "the same question is answered once"


def test_a_bid_is_advised_whole_and_can_be_tried_before_it_is_sealed(site: Site, thinking: list[Any]) -> None:
    table = site.table(samizdat.game("revolution", players=3))
    browser = site.browser()
    browser.hold(table, 0)
    found = ask(browser, table, 0).json()["hints"]
    for one in found:
        assert len(one["draft"]) == 5
        assert 1 <= len(one["labels"]) <= 5
        browser.post(f"/table/{table.id}/draft", json={"seat": 0, "change": "clear"})
        for notation in one["draft"]:
            added = browser.post(f"/table/{table.id}/draft", json={"seat": 0, "change": "add", "notation": notation})
            assert added.status_code == 200, added.text
        composition = table.composition(0)
        assert composition is not None
        assert composition.seal is not None
    assert 0 in current(table).turn, "nothing was sealed"


def test_a_hint_speaks_the_readers_language(site: Site, thinking: list[Any]) -> None:
    table, browser, seat = seated(site)
    english = ask(browser, table, seat).json()["hints"]
    polish = site.browser(**{"accept-language": "pl"})
    polish.hold(table, seat)
    translated = ask(polish, table, seat).json()["hints"]
    assert [one["chance"] for one in english] == [one["chance"] for one in translated]
    assert all(own["why"] != other["why"] for own, other in zip(english, translated, strict=True))
    assert [one["places"] for one in english] == [one["places"] for one in translated]


def test_a_hint_is_the_same_in_every_world_the_seat_may_be_in(site: Site, thinking: list[Any]) -> None:
    table, browser, seat = seated(site)
    first, other = current(table), another_world(current(table), seat, 5)
    assert first.raw != other.raw
    answers = []
    for world in (first, other):
        put(table, world)
        site.app.state.hints = Hints(site.app.state.bots)
        answers.append(ask(browser, table, seat).content)
    assert answers[0] == answers[1]
    assert thinking[0] == thinking[1], "what a bot's process is told holds nothing that the seat does not know"


def test_others_learn_nothing(site: Site, thinking: list[Any]) -> None:
    table, browser, seat = seated(site)

    def facts() -> list[tuple[int, int]]:
        return [(table.history(viewer).version, table.changes.get(viewer, 0)) for viewer in table.viewers]

    before, raw = facts(), current(table).raw
    ask(browser, table, seat)
    assert facts() == before
    assert current(table).raw == raw
    stranger = site.browser()
    assert ask(stranger, table, seat).status_code == 403


def test_no_hint_for_whoever_waits(site: Site, thinking: list[Any]) -> None:
    table, browser, seat = seated(site)
    idle = next(other for other in range(table.game.players) if other not in current(table).turn)
    browser.hold(table, idle)
    answer = ask(browser, table, idle)
    assert answer.status_code == 409
    assert answer.json() == {"error": "There is a hint only for whoever is to decide now."}
    assert not thinking
    page = site.browser(accept="text/html")
    page.hold(table, idle)
    assert '<button class="btn" data-hint ' not in page.get(f"/table/{table.id}?seat={idle}").text
    page.hold(table, seat)
    assert '<button class="btn" data-hint ' in page.get(f"/table/{table.id}?seat={seat}").text


def test_until_the_search_is_compiled_there_is_a_sentence(site: Site) -> None:
    table, browser, seat = seated(site)
    answer = ask(browser, table, seat)
    assert answer.status_code == 202
    assert "still being prepared" in answer.json()["wait"]


def test_where_the_search_is_never_compiled_nobody_is_told_to_wait(tmp_path: Path) -> None:
    cold = Site(tmp_path, warm=False)
    table, browser, seat = seated(cold)
    advice = ask(browser, table, seat)
    cold.wander(table, 10_000)
    look_back = browser.get(f"/table/{table.id}/review?seat={seat}")
    cold.close()
    for answer in (advice, look_back):
        assert answer.status_code == 409
        assert "not prepared" in answer.json()["error"]


def test_a_search_that_cannot_be_compiled_is_given_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    bots = site.app.state.bots
    tried = []

    async def warmed(name: str) -> int:
        tried.append(name)
        return 0 if name != "dual-powers" else -9

    monkeypatch.setattr(bots.warming, "_warmed", warmed)
    site.run(bots.warming.compile())
    assert tried.count("dual-powers") == WARMINGS
    assert bots.stays_cold("dual-powers")
    assert not bots.stays_cold("revolution")
    assert bots.is_warm("revolution")


def test_a_long_thought_is_awaited_without_blocking(
    site: Site, thinking: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, browser, seat = seated(site)
    gate = asyncio.Event()

    async def slowly(work: Any, request: dict[str, Any], job: Job) -> Any:
        await gate.wait()
        return work(request)

    monkeypatch.setattr(site.app.state.bots, "run", slowly)
    monkeypatch.setattr(hints, "PATIENCE", 0.05)
    answer = ask(browser, table, seat)  # comes although the thought waits at the gate
    assert answer.status_code == 202
    assert answer.json() == {"wait": "Thinking …"}
    assert not gate.is_set()
    gate.set()
    monkeypatch.setattr(hints, "PATIENCE", 60)
    assert ask(browser, table, seat).status_code == 200


def test_a_hint_is_asked_for_in_the_name_of_whoever_asks(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its turn at the processor is that of the person, not that of whoever opened the table and many others."""
    table, _, seat = seated(site)
    jobs: list[Job] = []

    async def noted(work: Any, request: dict[str, Any], job: Job) -> Any:
        jobs.append(job)
        return Advice()

    monkeypatch.setattr(site.app.state.bots, "run", noted)
    monkeypatch.setattr(site.app.state.bots, "is_warm", lambda name: True)
    table.chairs[seat].holders = {"guest"}
    site.run(site.app.state.hints.tips(table, seat))
    assert [(job.visitor, job.person) for job in jobs] == [("guest", True)]
    assert table.opened_by != "guest"


def test_many_who_ask_do_not_take_away_the_place_of_one_who_waits(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _, seat = seated(site)
    gate, begun = asyncio.Event(), []

    async def slowly(work: Any, request: dict[str, Any], job: Job) -> Any:
        begun.append(request["seat"])
        await gate.wait()
        return Advice()

    monkeypatch.setattr(site.app.state.bots, "run", slowly)
    monkeypatch.setattr(site.app.state.bots, "is_warm", lambda name: True)
    monkeypatch.setattr(hints, "PATIENCE", 0.0)
    monkeypatch.setattr(hints, "MOST_KEPT", 3)
    asked = site.app.state.hints
    for version in range(8):
        table.history(seat).version = version
        with pytest.raises(hints.NotReady):
            site.run(asked.tips(table, seat))
    table.history(seat).version = 0
    with pytest.raises(hints.NotReady):
        site.run(asked.tips(table, seat))
    assert len(begun) == 8, "the first is still the first"
    gate.set()
    for version in range(8):
        table.history(seat).version = version
        site.run(asyncio.sleep(0))
        assert site.run(asked.tips(table, seat)).tips == ()
    assert len(asked._kept) <= 3


# --- after the game ---------------------------------------------------------------------------------------


def test_a_finished_match_is_looked_back_at(site: Site, thinking: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "PATIENCE", 600)
    table = site.table(samizdat.game(GAME))
    stranger = site.browser()
    assert stranger.get(f"/table/{table.id}/review?seat=0").status_code == 403
    site.wander(table, 10_000)
    page = site.browser(accept="text/html").get(f"/table/{table.id}/replay").text
    assert page.count("data-review=") == 2
    answer = stranger.get(f"/table/{table.id}/review?seat=1")
    assert answer.status_code == 200, answer.text
    html = answer.json()["html"]
    assert "<polyline" in html
    assert html.count("<li>") <= 3
    places = [int(step) for step in re.findall(r'data-to="(\d+)"', html)]
    moves = current(table).moves
    assert all(moves[place][0] == 1 for place in places), "only the chosen seat's decisions"
    asked = len(thinking)
    assert stranger.get(f"/table/{table.id}/review?seat=1").json() == answer.json()
    assert len(thinking) == asked, "it is worked out once"
    parts = [request["plies"] for request in thinking if "plies" in request]
    assert all(len(part) <= hints.AT_ONCE for part in parts)
    assert len(parts) > 1, "whoever waits hears how far it has come"
    assert stranger.get(f"/table/{table.id}/review?seat=7").status_code == 403


def looked_back(
    site: Site, monkeypatch: pytest.MonkeyPatch, judged: list[JudgedDecision], costly: list[JudgedDecision]
) -> None:
    """Whoever looks back is told this, in parts."""

    async def aside(work: Any, request: dict[str, Any], job: Job) -> Any:
        if work is hints.to_judge:
            return [moment.ply for moment in judged]
        if work is hints.judged:
            return [moment for moment in judged if moment.ply in request["plies"]]
        assert request["moments"] == judged
        return costly

    monkeypatch.setattr(site.app.state.bots, "run_aside", aside)


def test_whoever_waits_for_a_look_back_hears_how_far_it_has_come(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game(GAME))
    site.wander(table, 10_000)
    gate = asyncio.Event()
    plies = list(range(2 * hints.AT_ONCE + 1))

    async def aside(work: Any, request: dict[str, Any], job: Job) -> Any:
        if work is hints.to_judge:
            return plies
        if request.get("plies", [0])[0] >= hints.AT_ONCE:
            await gate.wait()
        if work is hints.most_costly:
            return []
        match = current(table)
        return [
            JudgedDecision(ply, 0.5, match.moves[ply][1], match.moves[ply][1], 0.0, 0.1) for ply in request["plies"]
        ]

    monkeypatch.setattr(site.app.state.bots, "run_aside", aside)
    monkeypatch.setattr(site.app.state.bots, "is_warm", lambda name: True)
    monkeypatch.setattr(hints, "PATIENCE", 0.5)
    answer = site.browser().get(f"/table/{table.id}/review?seat=1")
    assert answer.status_code == 202
    assert (answer.json()["done"], answer.json()["all"]) == (hints.AT_ONCE, len(plies))
    assert f"{hints.AT_ONCE} of {len(plies)}" in answer.json()["wait"]
    gate.set()
    monkeypatch.setattr(hints, "PATIENCE", 600)
    assert "html" in site.browser().get(f"/table/{table.id}/review?seat=1").json()


def test_a_look_back_is_a_chart_a_table_and_what_cost_most(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game(GAME))
    site.wander(table, 10_000)
    match = current(table)
    plies = [ply for ply, (seat, _) in enumerate(match.moves) if seat == 1][:3]
    moments = []
    for ply, chance in zip(plies, (0.5, 0.25, 0.75), strict=True):
        move = match.moves[ply][1]
        moments.append(JudgedDecision(ply, chance, move, match.game.notation.move((move.id + 1) % 2), 0.12, 0.04))

    looked_back(site, monkeypatch, moments, [moments[1]])
    monkeypatch.setattr(site.app.state.bots, "is_warm", lambda name: True)
    monkeypatch.setattr(hints, "PATIENCE", 600)
    html = site.browser().get(f"/table/{table.id}/review?seat=1").json()["html"]
    points = re.findall(r'<polyline points="([^"]*)"', html)[0].split()
    assert points == [f"{ply},{100 - chance:.1f}" for ply, chance in zip(plies, (50, 25, 75), strict=True)]
    assert re.findall(r"<tr><td><a [^>]*>(\d+)</a></td><td>(\d+) %</td>", html) == [
        (str(ply), chance) for ply, chance in zip(plies, ("50", "25", "75"), strict=True)
    ]
    assert re.findall(r'class="dot" style="left:([\d.]+)%;bottom:([\d.]+)%"[^>]*>(\d)<', html) == [
        (str(round(100 * plies[1] / match.plies, 2)), "25.0", "1")
    ]
    assert "−12 % <small>± 4</small>" in html
    assert f'data-to="{plies[1]}" data-through="1"' in html
    assert "25 % → 13 %" in html
    assert "2 other decisions cost nothing that could be noticed." in html
    page = site.browser(accept="text/html")
    page.hold(table, 1)
    assert f'/table/{table.id}/replay?seat=1#review"' in page.get(f"/table/{table.id}").text


def test_a_look_back_does_not_hold_up_the_event_loop(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing the match down and looking at its past both replay it: that is done in threads, and once."""
    table = site.table(samizdat.game(GAME))
    site.wander(table, 10_000)
    match, loop, threads = current(table), threading.get_ident(), []
    ply, (seat, move) = next((i, one) for i, one in enumerate(match.moves) if one[0] == 1)
    other = next(one for one in match.past_sight(seat, ply).legal() if one.id != move.id)

    moment = JudgedDecision(ply, 0.5, move, other, 0.2, 0.1)
    looked_back(site, monkeypatch, [moment], [moment])
    for name in ("dumps", "past_sight"):
        usual = getattr(Match, name)

        def noted(self: Match, *args: Any, usual: Any = usual, name: str = name) -> Any:
            threads.append((name, threading.get_ident() == loop))
            return usual(self, *args)

        monkeypatch.setattr(Match, name, noted)
    monkeypatch.setattr(site.app.state.bots, "is_warm", lambda name: True)
    for _ in range(2):
        found = site.run(site.app.state.hints.look_back(table, 1))
    assert [regret.step for regret in found.costly] == [ply]
    assert threads == [("dumps", False), ("past_sight", False)]


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_whatever_is_advised_can_be_played(game: Game) -> None:
    """A law of all games: at any decision, alone or one of several that belong together."""
    for seed in range(3):
        for match in itertools.islice(walk(game.match(seed), seed), seed, 200, 47):
            for seat in match.turn[:1]:
                sight = match.sight(seat)
                for one in hint(sight, None, 40, seed, composed(sight)):
                    assert 0 <= one.low <= one.chance <= one.high <= 1
                    assert one.line[0] == one.move
                    twin = match.copy()
                    for move in one.line:
                        twin.play(seat, move)


def test_what_may_go_on_is_advised_to_its_end() -> None:
    """A24, A60: one to five banners burn. A draft of one can be sealed; advice says all, or that it is enough."""
    cards = {"raven": {"eagle_with_elephant": 1, "elephant_with_lion": 1}}
    banners = {"horse_1": 1, "bear_3": 2, "lion_2": 2, "lion_3": 4}
    match = at_seat("bear_marshal", army=banners, holder={"horse_1": "bear"}, hand=cards)
    play(match, "play alchemists_fire", "pay eagle_with_elephant", "pay elephant_with_lion", "in horse_1")
    sight = match.sight(0)
    found = hint(sight, None, 40, 1, composed(sight))
    assert any(len(one.line) > 1 for one in found)
    for one in found:
        assert word(play(match.copy(), *(str(move) for move in one.line))) != "burn"
        assert "done" not in [str(move) for move in laid(one.line)]


def test_a_cost_that_nobody_would_notice_is_none() -> None:
    match = samizdat.game(GAME).match(3)
    while not match.over:
        seat = match.turn[0]
        match.play(seat, match.legal(seat)[0])
    ply, played = next((ply, move) for ply, (seat, move) in enumerate(match.moves) if seat == 0)
    best = next(move for move in match.past_sight(0, ply).legal() if move != played)
    for cost, shown in ((0.004, 0), (0.02, 1)):
        moment = JudgedDecision(ply, 1.0, played, best, cost, 0.001)
        assert len(in_words(match, 0, Review((moment,), (moment,))).costly) == shown
