"""Why: every hint of every game has a reason with a figure, or says that it is about equal; and figures are true.

What a stake measures is counted here once more, from the views of the same imagined worlds.
"""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import samizdat
from samizdat.bots import advice, reasons
from samizdat.bots.advice import Hint, hint
from samizdat.bots.futures import Future, futures
from samizdat.bots.reasons import NOTE, RISKS, WINS, WORLDS, Candidate, Figure, Reason, compared, measure
from samizdat.conformance.walks import walk
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match, Sight, view_of
from samizdat.kernel.stakes import OUT_OF, Stake
from samizdat.kernel.telling import Told
from samizdat.table.hints import composed
from tests.bots.test_advice import Oracle, choosing
from tests.conftest import label, plain_games

SEEDS = tuple(range(4))


def positions(game: Game, seed: int, every: int = 61) -> Iterator[tuple[Match, Sight]]:
    """Positions of a random match in which somebody has a choice."""
    wait = 0
    for match in itertools.islice(walk(game.match(seed), seed), 400):
        wait -= 1
        for seat in match.turn[:1]:
            if wait <= 0 and len(match.legal(seat)) > 1:
                wait = every
                yield match, match.sight(seat)


# --- every hint has a reason ------------------------------------------------------------------------------


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> type[Oracle]:
    class Own(Oracle):
        pass

    monkeypatch.setattr(advice, "Mind", Own)
    monkeypatch.setattr(reasons, "WORLDS", len(SEEDS))
    return Own


def says_something(one: Hint) -> bool:
    """A figure, that it is about equal to another, or that it ends the match."""
    said = [str(why.line) for why in one.why]
    return bool(said) and all(
        any(letter.isdigit() for letter in line) or "bout equal" in line or "at once" in line for line in said
    )


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_hint_has_a_figure_or_says_that_it_is_about_equal(oracle: type[Oracle], game: Game) -> None:
    seen = 0
    for _, sight in positions(game, 3):
        for one in hint(sight, seed=1, complete=composed(sight)):
            assert says_something(one), [str(why.line) for why in one.why]
            assert {why.sign for why in one.why} <= {WINS, RISKS, NOTE}
            assert pickle.loads(pickle.dumps(one)) == one, "hints come from another process"
            seen += 1
    assert seen


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_reasons_follow_from_what_the_seat_sees(oracle: type[Oracle], game: Game) -> None:
    """The same sight, another truth behind it: the same words."""
    for match, sight in itertools.islice(positions(game, 5), 2):
        twin = Sight(match.game, sight.seat, sight.state.copy(), sight.memory)
        told = [[why.line for why in one.why] for one in hint(sight, seed=1)]
        assert told == [[why.line for why in one.why] for one in hint(twin, seed=1)]


# --- figures are true -------------------------------------------------------------------------------------

Counted = Callable[[Game, Future, int, tuple[str, ...]], tuple[float, ...]]


def seen_after(game: Game, after: Future, seat: int) -> Any:
    return view_of(game, after.state, seat)


def of_revolution(game: Game, after: Future, seat: int, key: tuple[str, ...]) -> tuple[float, ...]:
    view, (kind, *rest) = seen_after(game, after, seat), key
    me = view["players_at_table"][seat]
    if kind == "points":
        return (me["points"],)
    if kind == "token":
        return (float(me["held"][rest[0]] > 0),)
    if kind in ("won", "tied"):
        lines = game.definition.show.tell(game, list(after.told), seat)
        about = [line for line in lines if getattr(line.values.get("character"), "id", "") == rest[0]]
        own = game.box.names["owners"][seat]
        if kind == "tied":
            return (float(any("shared" in line.text for line in about)),)
        return (float(any("{seat} wins" in line.text and line.values["seat"].id == own for line in about)),)
    area = next(area for area in view["areas"] if area["id"] == rest[0])
    mine = area["followers"][seat]
    most = max(number for other, number in enumerate(area["followers"][: game.players]) if other != seat)
    if kind == "followers":
        return mine, most
    others = sorted(area["followers"][: game.players], reverse=True)
    leads = others[0] > others[1]
    return (float(leads and mine == others[0]),) if kind == "lead" else (float(leads and mine != others[0]),)


def of_dual_powers(game: Game, after: Future, seat: int, key: tuple[str, ...]) -> tuple[float, ...]:
    view, (kind, *rest) = seen_after(game, after, seat), key
    faction = game.options["faction"] if game.variant == "solitaire" else ("red", "white")[seat]
    other = {"red": "white", "white": "red"}[str(faction)]
    mine = next(one for one in view["factions"] if one["faction"] == faction)
    if kind == "marker":
        return (view["score"] if faction == "red" else -view["score"],)
    if kind == "will":
        return (float(view["will_of_the_people"] == faction),)
    cards = {row["id"]: row for row in game.box.text.tables["commands"]}
    card = cards.get(mine["objective"])
    if kind == "wager":
        return (card["vp"] if card else 0,)
    region = next(one for one in view["regions"] if one["id"] == rest[0])
    if kind == "strength":
        return region["strength"][faction], region["strength"][other]
    holds = float(region["stronger"] == faction)
    if kind == "stronger":
        return (holds,)
    return (card["vp"] * holds if card and card["region"] == rest[0] else 0,)


def of_mali_powstancy(game: Game, after: Future, seat: int, key: tuple[str, ...]) -> tuple[float, ...] | None:
    view, (kind, *rest) = seen_after(game, after, seat), key
    me = view["players_at_table"][seat]
    if kind == "defeat":
        return (float(view["reason"] in ("fourth_token", "third_district")),)
    if kind == "delivered":
        return (float(rest[0] in (me["pile"] or ())),)
    if kind == "failed":
        return (float(rest[0] in view["gone"]),)
    if kind == "carried":
        queued = {one["order"] for row in view["queue"] for one in row}
        return (float(rest[0] in queued and any(scout["carries"] == rest[0] for scout in me["scouts"])),)
    if kind == "arrest":
        names = [scout["name"] for scout in me["scouts"]]
        lines = game.definition.show.tell(game, list(after.told), seat)
        arrested = [line for line in lines if "is arrested" in line.text]
        mine = [line for line in arrested if str(line.values["scout"]) == names[int(rest[0]) - 1]]
        return (float(bool(mine)),)
    return None  # ways, chances and what is told of turns are the lore's and the rules' own


def of_war_of_whispers(game: Game, after: Future, seat: int, key: tuple[str, ...]) -> tuple[float, ...] | None:
    view, (kind, *rest) = seen_after(game, after, seat), key
    if kind in ("points", "now", "rival"):
        seats = [other for other in range(game.players) if other != seat] if kind == "rival" else [seat]
        return (max(worth(game, after, other) for other in seats),)
    me = view["players_at_table"][seat]
    if kind == "cards":
        return (sum(me["cards"].values()),)
    if kind == "secret":
        return (5 - len(me["swapped"]),)
    if kind in ("guard", "held"):
        return None
    regions = [one for one in view["regions"] if one["controlled_by"] == rest[0]]
    if kind == "banners":
        return (sum(one["banners"] for one in regions),)
    if kind == "cities":
        return (next(one["cities"] for one in view["empires"] if one["id"] == rest[0]),)
    posts = [one for one in view["councils"] if one["id"].startswith(f"{rest[0]}_")]
    return (sum(one["controller"] == seat for one in posts),)


def worth(game: Game, after: Future, seat: int) -> float:
    """R16, R17.3, V2: cities and agents on the map, times loyalty; tokens never turned up."""
    view = view_of(game, after.state, seat)
    me = view["players_at_table"][seat]
    cities = {one["id"]: one["cities"] for one in view["empires"]}
    value = {row["id"]: row["value"] for row in game.box.text.tables["slots"]}
    total = 0
    for slot, empire in me["loyalty"].items():
        agents = sum(
            one["agents"].count(seat) for one in view["regions"] if one["controlled_by"] == empire
        )  # fmt: skip
        total += value[slot] * (cities[empire] + agents)
    return total + (5 - len(me["swapped"]) if game.options["point_per_hidden_loyalty"] else 0)


COUNTED: dict[str, Counted | Callable[..., tuple[float, ...] | None]] = {
    "revolution": of_revolution,
    "dual-powers": of_dual_powers,
    "mali-powstancy": of_mali_powstancy,
    "war-of-whispers": of_war_of_whispers,
}
OWN_GAMES = [game for game in plain_games() if game.name in COUNTED]


@pytest.mark.parametrize("game", OWN_GAMES, ids=label)
def test_figures_agree_with_what_is_seen_in_these_worlds(game: Game) -> None:
    compared = 0
    for _, sight in positions(game, 4):
        move = sight.legal()[0]
        worlds = [futures(sight, move, seed, later=True) for seed in SEEDS]
        for figure in measure(sight, sight, move, SEEDS):
            for place, world in enumerate(worlds):
                after = world[-1 if figure.stake.later else 0]
                own = COUNTED[game.name](game, after, sight.seat, figure.stake.key)
                if own is not None:
                    measured = (figure.own[place], *([figure.rival[place]] if figure.rival else []))
                    assert measured == tuple(own), (figure.stake.key, str(sight.legal()[0]))
                    compared += 1
    assert compared > 20


@pytest.mark.parametrize("game", OWN_GAMES, ids=label)
def test_chances_are_chances(game: Game) -> None:
    for _, sight in itertools.islice(positions(game, 2), 3):
        for figure in measure(sight, sight, sight.legal()[0], SEEDS[:2]):
            if figure.stake.chance:
                assert all(0 <= one <= 1 for one in figure.own), figure.stake.key


# --- what is said of figures ------------------------------------------------------------------------------


def stake(worth: float = 1.0, chance: bool = False) -> Stake:
    def nothing(after: Any, told: Sequence[Told]) -> float:
        return 0.0

    return Stake(("thing",), "R1", "Things: {figure}", worth, nothing, chance=chance)


def figure(*values: float, rival: Sequence[float] = (), worth: float = 1.0, chance: bool = False) -> Figure:
    return Figure(stake(worth, chance), values, tuple(rival))


def test_a_difference_that_may_be_luck_is_no_reason() -> None:
    assert Reason(figure(3, 3, 3), figure(1, 1, 1)).gain == 2
    assert Reason(figure(9, 0, 0), figure(0, 0, 0)).gain == 0, "it came in one world of three"
    assert Reason(figure(3.1, 3.1, 3.1), figure(3.0, 3.0, 3.0)).gain == 0, "it would not show"
    assert Reason(figure(3, 3, 3, worth=-2), figure(1, 1, 1, worth=-2)).gain == -4, "less is better"


def test_a_figure_is_said_whole_or_of_ten_or_against_a_rival() -> None:
    assert str(figure(2.6, 2.6).said) == "3"
    assert str(figure(1, 1, 0, 1, chance=True).said) == f"8 of {OUT_OF}"
    assert str(figure(3, 3, rival=(2, 2)).said) == "3 : 2"


def told(monkeypatch: pytest.MonkeyPatch, values: Callable[[int], float]) -> list[list[str]]:
    """The sentences of three hints whose one quantity is this, by place."""
    sight = choosing().sight(0)
    places = {move: place for place, move in enumerate(sight.legal())}

    def measured(_: Sight, __: Sight, last: Any, seeds: Sequence[int]) -> list[Figure]:
        return [figure(*[values(places[last])] * len(seeds))]

    monkeypatch.setattr(reasons, "measure", measured)
    return [[f"{why.sign}: {why.line}" for why in one.why] for one in hint(sight, seed=1)]


def test_the_first_is_compared_with_the_second_and_others_with_the_first(
    oracle: type[Oracle], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(monkeypatch, lambda place: 5.0 - place) == [
        ["wins: Things: 5 (way 2: 4)."],
        ["risks: Things: 4 (way 1: 5)."],
        ["risks: Things: 3 (way 1: 5)."],
    ]


def test_what_cannot_be_told_apart_says_so(oracle: type[Oracle], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Candidate, "clearly_below", lambda own, other: False)
    assert told(monkeypatch, lambda place: 1.0)[:2] == [
        ["note: About equal to way 2: nothing that can be counted differs."],
        ["note: About equal to way 1: nothing that can be counted differs."],
    ]
    found = hint(choosing().sight(0), seed=1)
    assert str(found.summary) == (
        "1, 2 and 3 are about equal, and nothing that can be counted differs: any of them will do."
    )


def test_where_only_chances_differ_these_are_the_reason(
    oracle: type[Oracle], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = told(monkeypatch, lambda place: 1.0)
    assert first == ["note: It wins 97 of 100 games from here (way 2: 87)."]
    assert second == ["note: It wins 87 of 100 games from here (way 1: 97)."]
    found = hint(choosing().sight(0), seed=1)
    assert str(found.summary) == "Only way 1 keeps your chances: the next best costs 10 of 100."


def test_a_better_decision_is_compared_with_what_was_played() -> None:
    """At least one of some positions tells them apart, and then it says so."""
    said = []
    for _, sight in positions(samizdat.game("war-of-whispers"), 4, 17):
        better, played = sight.legal()[0], sight.legal()[-1]
        said += [str(why.line) for why in compared(sight, better, played, random.Random(1))]
        if said:
            break
    assert said
    assert all("(as played: " in line for line in said)
    assert WORLDS >= 10, "so many of ten are said"
