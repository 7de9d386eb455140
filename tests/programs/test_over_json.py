"""A program at a table over the JSON API: it is told in words what a page would show it, and nothing else."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

import samizdat
from samizdat.kernel.fairness import check_receipt, read_receipt
from samizdat.kernel.game import Game, definitions
from samizdat.programs.client import Changed, Client, OverHttp, Refused, SeatAtTable
from samizdat.table.commands import Play
from samizdat.table.rulebooks import clauses
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Site


def seats_of(client: Client, game: Game) -> list[SeatAtTable]:
    """A table at which every seat is a program's."""
    first = client.open(game.name, ["me", *["open"] * (game.players - 1)], variant=game.variant)
    return [first, *(client.join(first.id, f"Program {seat}") for seat in range(1, game.players))]


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_a_match_is_played_by_what_is_told(client: Client, site: Site, game: Game) -> None:
    """Every choice is in words, each is taken, and what happened is told once, in order, as the log has it."""
    dice = random.Random(7)
    seats = seats_of(client, game)
    heard: dict[int, list[str]] = {one.seat: [] for one in seats}
    for _ in range(60):
        acting = []
        for one in seats:
            now = one.position()
            heard[one.seat] = ([] if now["whole"] else heard[one.seat]) + [line["text"] for line in now["happened"]]
            log = client.ask("GET", f"{one.path}/log", key=one.key)
            assert [line["number"] for line in now["happened"]] == [
                line["number"] for line in log["lines"][len(log["lines"]) - len(now["happened"]) :]
            ]
            assert len(heard[one.seat]) == len(log["lines"])
            assert now["view"] == client.ask("GET", f"{one.path}/view", key=one.key)["view"]
            moves = client.ask("GET", f"{one.path}/legal", key=one.key)["moves"]
            assert [offered["move"] for offered in now["choices"]] == moves
            assert all(offered["words"] for offered in now["choices"])
            assert now["says"]
            assert now["acts"] is (one.seat in now["turn"])
            if now["acts"]:
                acting.append((one, now))
        if not acting:
            break
        one, now = dice.choice(acting)
        one.play(dice.choice(now["choices"])["move"])


def test_a_program_adds_a_number_to_the_luck_and_keeps_a_receipt(client: Client, site: Site) -> None:
    seats = seats_of(client, samizdat.game("revolution", players=3))
    table = site.run(site.house.find(seats[0].id))
    assert table.fairness is not None
    assert table.fairness.seats == [0, 1, 2]
    for one in seats:
        receipt = read_receipt(json.dumps(one.receipt))
        assert check_receipt(receipt, table.fairness, table.game, table.commitment) is None


def test_what_was_taken_back_is_told_from_the_beginning(client: Client) -> None:
    one, other, _ = seats_of(client, samizdat.game("revolution", players=3))
    assert one.position()["whole"]
    one.play("bid priest gold")
    assert not one.position()["whole"]
    one.take_back()
    assert one.position()["whole"]
    other.position()
    assert other.position()["happened"] == []


def test_whoever_waits_is_woken_by_what_it_can_see_and_by_nothing_else(client: Client, site: Site) -> None:
    """R5: bids are secret until all are made."""
    game = samizdat.game("revolution", players=3)
    table = site.table(game)
    browser = site.browser()

    async def play() -> None:
        path, version = f"/api/tables/{table.id}/position", table.history(None).version
        waiting = asyncio.create_task(browser.client.get(path, params={"since": version, "wait": 20}))
        while not table.listeners.get(None):
            await asyncio.sleep(0)
        assert table.match is not None
        while table.history(None).version == version:
            assert not waiting.done()
            seat = table.match.turn[0]
            await site.house.do(table, Play(seat, [table.match.legal(seat)[-1]]))
            for _ in range(20):
                await asyncio.sleep(0)
        told = (await waiting).json()
        assert told["version"] == table.history(None).version
        assert told["happened"]
        assert not table.listeners[None], "nobody is left behind"

    site.run(play())


def test_words_come_in_the_language_that_is_asked_for(client: Client) -> None:
    seat = seats_of(client, samizdat.game("dual-powers"))[0]
    said = {lang: seat.position(lang=lang)["choices"][0]["words"] for lang in ("en", "de", "it", "pl")}
    assert len(set(said.values())) == 4


@pytest.mark.parametrize("name", definitions())
def test_rules_are_read_by_number(client: Client, name: str) -> None:
    book = client.rules(name)
    assert [one["number"] for one in book["rules"]] == [one.number for one in clauses(name, "en")]
    assert book["aim"]
    one = book["rules"][3]
    assert client.ask("GET", f"/api/games/{name}/rules/{one['number']}") == one
    assert not one["text"].startswith(one["number"])
    with pytest.raises(Refused, match="There is no such rule"):
        client.ask("GET", f"/api/games/{name}/rules/Z99")


def test_refusals_are_the_tables_own_sentences(client: Client, site: Site) -> None:
    seat = seats_of(client, samizdat.game("revolution", players=3))[0]
    seat.position()
    with pytest.raises(Refused, match=r"the General cannot be forced. \(R5.5\)"):
        seat.play("bid general force")
    with pytest.raises(Refused, match="has no option"):
        client.open("revolution", ["me", "open", "open"], options={"nothing": True})
    with pytest.raises(Refused, match='One of the seats is "me"'):
        client.open("revolution", ["novice"] * 3)
    with pytest.raises(Refused, match="Only the seat's owner"):
        client.again(seat.id, "nothing")
    assert client.again(seat.id, seat.key).seat == 0
    waiting = client.open("dual-powers", ["me", "open"])
    with pytest.raises(Refused, match="has not begun"):
        waiting.position()


def test_a_decision_that_comes_too_late_decides_nothing(client: Client) -> None:
    seats = seats_of(client, samizdat.game("dual-powers"))
    acting = next(one for one in seats if one.position()["acts"])
    choice = acting.position()["choices"][0]["move"]
    acting.version -= 1
    with pytest.raises(Changed, match="has changed since"):
        acting.play(choice)
    acting.position()
    acting.play(choice)


def test_where_nobody_answers_one_sentence_says_so() -> None:
    with pytest.raises(Refused, match="does not answer as a table does"):
        Client("http://127.0.0.1:1").games()
    with pytest.raises(Refused, match="does not answer as a table does"):
        OverHttp("nonsense")("GET", "/api/games")
