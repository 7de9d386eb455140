"""A War of Whispers: the rules and rulings that the scenes and the tests of the cards do not already hold."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.games.war_of_whispers import laws, rules_council
from samizdat.games.war_of_whispers.rules_map import amount, icons
from samizdat.games.war_of_whispers.rules_scoring import how_decided
from samizdat.games.war_of_whispers.state import (
    ABILITIES,
    DEPLOY,
    MOVES,
    NOBODY,
    OVER,
    PLAY_MOVE,
    POSTS,
    REASONS,
    RESET,
    RETRIEVE,
    State,
)
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.match import Match
from samizdat.lab.simulation import Simulation
from tests.games.whispers import (
    BEAR,
    EAGLE,
    HORSE,
    LION,
    RAT,
    RAVEN,
    SPIDER,
    army,
    at_seat,
    holder,
    legal,
    play,
    position,
    refused,
    region,
    reserve,
    state,
    word,
)

cites = pytest.mark.rules
GAME = "war-of-whispers"


def new(players: int = 4, seed: int = 1, **options: Any) -> Match:
    return samizdat.game(GAME, players=players, **options).match(seed=seed)


def random_match(match: Match, seed: int, stop: str | None = None) -> Match:
    """Play on at random, to the end or to the first time a decision point is reached."""
    rng = random.Random(seed)
    while not match.over and word(match) != stop:
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    return match


# --- R2 to R4 -----------------------------------------------------------------------------------------------


@cites(GAME, "R3.1", "R3.2", "R3.3", "R3.5", "R3.6", "R18", "A38")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup(players: int) -> None:
    firsts = set()
    for seed in range(40):
        match = new(players, seed)
        view = match.view(None)
        assert view["round"] == 1
        firsts.add(view["first_player"])
        assert [empire["deck"] for empire in view["empires"]] == [8] * 5
        assert [empire["cities"] for empire in view["empires"]] == [1, 2, 2, 3, 4]
        assert len(view["regions"]) == 40
        assert len(view["councils"]) == 20
        for seat, player in enumerate(view["players_at_table"]):
            assert player["agents_on_board"] == 0
            assert set(player["loyalty"].values()) == {None}
            own = match.view(seat)["players_at_table"][seat]["loyalty"]
            assert sorted(own.values()) == sorted(match.game.box.names["empires"])
    assert firsts == set(range(players))


@cites(GAME, "R3.6")
def test_loyalties_are_dealt_evenly() -> None:
    counts = np.zeros((5, 5))
    for seed in range(600):
        s = state(new(2, seed))
        for slot in range(5):
            counts[slot, s.loyalty[0, slot]] += 1
    assert abs(counts / 600 - 0.2).max() < 0.07


@cites(GAME, "V1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_distinct_devout(players: int) -> None:
    seen = set()
    for seed in range(80):
        s = state(new(players, seed, distinct_devout=True))
        devouts = [s.loyalty[seat, 0] for seat in range(players)]
        assert len(set(devouts)) == players
        seen.update(devouts)
    assert seen == set(range(5))
    shared = 0
    for seed in range(80):
        s = state(new(players, seed))
        shared += len({s.loyalty[seat, 0] for seat in range(players)}) < players
    assert shared


@cites(GAME, "R4", "R12", "A32", "A33", "A51", "R14")
def test_the_phases_of_a_round() -> None:
    rng = random.Random(3)
    match = new(4)
    order: list[tuple[int, str]] = []
    firsts = []
    while not match.over:
        seat = rng.choice(match.turn)
        view = match.view(None)
        phase = {"retrieve": "retrieve", "deploy": "deploy", "reset": "reset", "swap_loyalty": "swap"}.get(
            view["point"], "empires"
        )
        if not order or order[-1] != (view["round"], phase):
            order.append((view["round"], phase))
        if phase == "deploy" and len(firsts) < view["round"]:
            firsts.append(view["first_player"])
        match.play(seat, rng.choice(match.legal(seat)))
    kept = [step for step in order if step[1] != "reset"]
    assert kept == [
        (1, "deploy"), (1, "empires"), (1, "swap"),
        (2, "retrieve"), (2, "deploy"), (2, "empires"), (2, "swap"),
        (3, "retrieve"), (3, "deploy"), (3, "empires"), (3, "swap"),
        (4, "retrieve"), (4, "deploy"), (4, "empires"),
    ]  # fmt: skip
    assert firsts == [(firsts[0] + n) % 4 for n in range(4)]


@pytest.mark.parametrize(("point", "empty"), [
    ("deploy", "marker post last window ability paid used_on source target attacked force pressed reach left killed "
     "colour todo cursor lifted shedding reason"),
    ("before", "step last ability paid used_on source target attacked force pressed reach left killed todo cursor "
     "lifted shedding reason"),
    ("target", "step ability paid used_on target attacked force pressed left killed todo cursor lifted"),
    ("join", "step ability paid used_on attacked pressed left killed todo cursor lifted"),
    ("after", "step ability paid used_on source target force pressed reach todo cursor lifted"),
    ("swap_loyalty", "marker post last window ability used_on attacked force left colour todo lifted shedding"),
])  # fmt: skip
def test_fields_that_are_not_in_use_are_empty(point: str, empty: str) -> None:
    """Records are keys of trees: what was left behind in any of these would be found."""
    match = random_match(new(3), 5, point)
    assert laws.broken(match._box, match._state) == 0  # type: ignore[arg-type]
    for field in empty.split():
        s: Any = match._state.copy()
        setattr(s, field, getattr(s, field) + 1)
        assert laws.broken(match._box, s), field  # type: ignore[arg-type]


# --- R5, R17 Agents -----------------------------------------------------------------------------------------


@cites(GAME, "R5.1")
@pytest.mark.parametrize("present", range(16))
def test_whoever_has_no_agent_takes_none_back(present: int) -> None:
    """The others do, each once and in their order; then agents are deployed."""
    game = samizdat.game(GAME, players=4)
    box, s = game.box.record, game.match(seed=1)._state
    s.rounds, s.first = 2, 3
    for post in range(POSTS):
        s.agent[post] = post if post < 4 and present >> post & 1 else NOBODY
    took = []
    rules_council.begin_deployment(box, s)
    while s.point == RETRIEVE:
        took.append(s.player)
        rules_council.retrieve_from_seat(box, s, Luck(), s.player, s.player)
    assert took == [seat for seat in (3, 0, 1, 2) if present >> seat & 1]
    assert (s.point, s.player, s.step) == (DEPLOY, 3, 0)


@cites(GAME, "R5.1", "R5.2", "R5.3", "A36", "A37", "R18")
@pytest.mark.parametrize(("players", "counts"), [(2, [3, 5, 7, 9]), (3, [2, 3, 4, 5]), (4, [2, 3, 4, 5])])
def test_agents_on_the_board(players: int, counts: list[int]) -> None:
    """TC-31 in a whole game."""
    rng = random.Random(players)
    match = new(players)
    found: dict[int, list[int]] = {}
    while not match.over:
        view = match.view(None)
        if view["point"] == "before":
            found[view["round"]] = [player["agents_on_board"] for player in view["players_at_table"]]
        if view["point"] in ("retrieve", "deploy"):
            assert "pass" not in legal(match, match.turn[0])
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    assert found == {round + 1: [count] * players for round, count in enumerate(counts)}


@cites(GAME, "R17.1", "R17.2", "R17.4", "A42", "A43")
def test_agents_on_the_map() -> None:
    match = new(2, advanced=True)
    first, second = match.turn[0], 1 - match.turn[0]
    match.play(first, "station bear_1")
    match.play(second, "station bear_1")  # another player's agent does not matter
    assert refused(match, "station bear_1", first) == "R17.2"
    match.play(first, "station horse_3")
    match.play(second, "deploy bear_sheriff")
    assert refused(match, "station bear_2", first) == "A43"
    match.play(first, "deploy bear_marshal")
    match.play(second, "deploy bear_steward")
    view = match.view(None)
    assert view["regions"][0]["agents"] == [0, 1]
    assert [seat["controller"] for seat in view["councils"][:4]] == [second, second, first, None]  # A42
    s = state(match)
    s.rounds, s.step, s.point = 2, 0, 0
    s.player = s.first
    retrievals = legal(match, s.first)
    assert "recall bear_1" in retrievals
    match.play(s.first, "recall bear_1")
    assert match.view(None)["regions"][0]["agents"] == [1 - s.first]


@cites(GAME, "R17.1")
def test_no_agents_on_the_map_without_the_advanced_rule() -> None:
    match = new(2)
    assert refused(match, "station bear_1", match.turn[0]) == "R17.1"


@cites(GAME, "A42")
def test_change_of_court_stays_off_the_map() -> None:
    match = at_seat("bear_sheriff", options={"advanced": True}, hand={"raven": {"eagle_with_bear": 1}})
    play(match, "play change_of_court", "pay eagle_with_bear")
    assert all(move.startswith("seat ") for move in legal(match))


@cites(GAME, "R17.3", "A41", "R16")
@pytest.mark.parametrize(("slot", "value"), [(0, 4), (1, 3), (2, 2), (3, 0), (4, -1)])
def test_an_agent_on_the_map_is_a_city_more(slot: int, value: int) -> None:
    tokens = ["eagle", "elephant", "lion", "horse"]
    tokens.insert(slot, "bear")
    slots = ("devout", "dutiful", "affiliated", "unallied", "opposed")
    given: dict[str, Any] = {
        "point": "over", "reason": "points", "rounds": 4, "army": {},
        "loyalty": {"raven": dict(zip(slots, tokens, strict=True)), "rat": dict(zip(slots, tokens, strict=True))},
    }  # fmt: skip
    plain = position(options={"advanced": True}, **given)
    with_agent = position(options={"advanced": True}, stationed={"raven": 1 << 5}, **given)  # the Bear city
    assert plain.scores[RAVEN] == plain.scores[RAT]
    assert with_agent.scores[RAVEN] == plain.scores[RAVEN] + value
    assert with_agent.scores[RAT] == plain.scores[RAT]


# --- R6 to R8 Seats, Add, Draw ------------------------------------------------------------------------------


@cites(GAME, "R6.1", "R6.2", "R6.5", "R11")
def test_seats_act_in_order_and_supply_is_checked_after_each_empire() -> None:
    agents = {f"{empire}_chancellor": "raven" for empire in ("bear", "eagle", "elephant")}
    match = at_seat("bear_sheriff", agent=agents, army={"bear_1": 5, "eagle_1": 9})
    visited = []
    while word(match) == "before" and match.turn == (RAVEN,):
        visited.append(state(match).marker)
        play(match, "act add" if "act add" in legal(match) else "act swap")
        while word(match) != "before" or state(match).marker == visited[-1]:
            play(match, str(match.legal(RAVEN)[-1]))
        if visited[-1] == 3:
            assert army(match, "bear_1") <= 4
            assert army(match, "eagle_1") == 9
    assert visited == list(range(12))
    assert army(match, "eagle_1") <= 6


@cites(GAME, "R7.1", "R8", "A5", "A6")
def test_formulas_at_the_start() -> None:
    """The yields of all seats in the starting position, as the board shows them."""
    match = new(4)
    box, s = match.game.box.record, state(match)
    yields = [
        [amount(box, s, post // 4, box.action[post, choice]) for choice in range(2) if box.action[post, choice] >= 0]  # type: ignore[attr-defined, arg-type]
        for post in range(20)
    ]
    bear, eagle, elephant, lion, horse = (yields[4 * empire : 4 * empire + 3] for empire in range(5))
    assert bear == [[2, 0], [2, 1], [4, 0]]  # attacks have no amount
    assert eagle == [[2], [4, 2], [2, 0]]
    assert elephant == [[2], [2, 1], [3, 0]]
    assert lion == [[3, 1], [2, 1], [4]]
    assert horse == [[2], [2, 1], [2, 0]]


@cites(GAME, "R7.1", "A6", "A5")
def test_icons_are_counted_wherever_the_empire_is() -> None:
    match = position(army={"eagle_1": 1, "lion_1": 1, "bear_2": 1}, holder={"eagle_1": "bear", "lion_1": "bear"})
    box: Any = match.game.box.record
    assert icons(box, state(match), BEAR, 1) == 4  # two at home, two conquered; Icemarch has farm and fortress
    assert icons(box, state(match), BEAR, 2) == 4
    assert icons(box, state(match), EAGLE, 1) == 3
    assert amount(box, state(match), EAGLE, 5) == 1  # one card for every 2 farms, rounded down
    assert amount(box, state(match), BEAR, 5) == 2


@cites(GAME, "R7.2", "A3", "A4", "A64")
def test_added_banners_may_be_split_or_not() -> None:
    for regions in (["bear_4", "bear_4"], ["bear_5", "bear_6"]):
        match = at_seat("bear_steward")
        play(match, "act add")
        assert refused(match, "place eagle_1") == "R7.2"
        play(match, *(f"place {id}" for id in regions))
        assert sum(state(match).army[n] for n in range(6)) == 11
    match = play(at_seat("bear_steward"), "act add", "place bear_2")
    assert refused(match, "place bear_1") == "A64"


@cites(GAME, "R7.3", "A2", "R6.4")
def test_nothing_to_add() -> None:
    match = at_seat("eagle_steward", army={"eagle_1": 20})
    assert refused(match, "act add") == "R7.3"
    assert legal(match) == {"act draw"}
    taken = {"eagle_1": 1, "eagle_4": 1, "eagle_6": 1, "eagle_7": 1}
    match = at_seat("eagle_steward", army=taken, holder=dict.fromkeys(taken, "bear"),
                    hand={"raven": {"horse_with_bear": 1}})  # fmt: skip
    assert refused(match, "act add") == "A2"  # no farm left
    assert refused(match, "act draw") == "A2"
    assert refused(match, "act swap") == "R6.4"
    assert "pass" in legal(match)


@cites(GAME, "R8", "A7")
def test_draw_from_a_small_deck() -> None:
    eagles = {f"eagle_with_{two}": 2 for two in ("bear", "elephant", "lion")}
    match = at_seat("eagle_steward", hand={"rat": {**eagles, "eagle_with_horse": 1}})
    play(match, "act draw")  # four farms would give two cards
    assert state(match).held[RAVEN, EAGLE] == 1
    assert state(match).hand[RAVEN, 7] == 1
    match = at_seat("eagle_steward", hand={"rat": {**eagles, "eagle_with_horse": 2}})
    assert refused(match, "act draw") == "A7"


@cites(GAME, "R8", "R15.5")
def test_every_card_nobody_holds_may_be_drawn() -> None:
    found = set()
    for seed in range(60):
        match = at_seat("lion_sheriff", hand={"rat": {"lion_with_bear": 2, "lion_with_eagle": 1}})
        match.seed = seed
        match.play(RAVEN, "act draw", [seed % 5])
        found |= {face for face in range(20) if state(match).hand[RAVEN, face]}
    assert found == {13, 14, 15}


# --- A1, A58 Passing ----------------------------------------------------------------------------------------


@cites(GAME, "A1", "A58")
def test_passing() -> None:
    assert refused(at_seat("bear_sheriff"), "pass") == "A1"
    match = at_seat("bear_sheriff", options={"allow_pass": True})
    assert legal(match) == {"pass", "act add", "act attack"}
    play(match, "pass")
    assert state(match).marker != 0


@cites(GAME, "A58", "A56")
@pytest.mark.parametrize(("marker", "hand", "way"), [
    ("bear_sheriff", "eagle_with_bear", ("play change_of_court", "pay eagle_with_bear", "seat bear_steward")),
    ("bear_sheriff", "lion_with_bear", ("play another_voice", "pay lion_with_bear", "seat bear_chancellor")),
    ("bear_chancellor", "lion_with_bear", ("act swap", "seat bear_marshal")),
])  # fmt: skip
def test_passing_after_a_replacement_or_a_swap(marker: str, hand: str, way: tuple[str, ...]) -> None:
    agents = {"bear_sheriff": "raven", "bear_chancellor": "raven"}
    for allowed in (False, True):
        match = at_seat(marker, options={"allow_pass": allowed}, agent=agents,
                        hand={"raven": {hand: 1, "elephant_with_bear": 1}})  # fmt: skip
        play(match, *way)
        assert ("pass" in legal(match)) == allowed
        if allowed:
            play(match, "pass")
            assert word(match) == "after"


# --- R10 Attack ---------------------------------------------------------------------------------------------


@cites(GAME, "R10.1", "R10.2", "R10.3", "A20")
def test_refused_sources() -> None:
    match = at_seat("bear_marshal", army={"horse_1": 1, "bear_3": 2, "bear_6": 3}, holder={"horse_1": "bear"})
    assert refused(match, "act attack") == "R10.1"  # Grimwatch has no enemy beside it any more
    match = at_seat("bear_marshal", army={"horse_1": 1, "bear_2": 2, "bear_6": 3}, holder={"horse_1": "bear"})
    play(match, "act attack")
    assert refused(match, "from horse_1") == "R10.3"
    assert refused(match, "from bear_1") == "R10.2"
    assert refused(match, "from bear_6") == "R10.1"
    assert refused(match, "from lion_2") == "R10.1"
    assert legal(match) == {"from bear_2"}


@cites(GAME, "R10.6", "R10.7")
@pytest.mark.parametrize("defenders", [0, 1, 2])
def test_a_combat_is_told_where_somebody_falls(defenders: int) -> None:
    match = at_seat("lion_chancellor", army={"lion_3": 3, **({"horse_1": defenders} if defenders else {})})
    play(match, "act attack", "from lion_3", "to horse_1", "number 3")
    told = [line.rule for line in match.log(None) if line.rule.startswith("R10")]
    assert told == ["R10.2", *["R10.6"] * (defenders > 0), "R10.7"]


@cites(GAME, "A48", "R10.7", "R10.8")
@pytest.mark.parametrize(("attackers", "defenders"), [(1, 3), (2, 2), (3, 1)])
def test_no_region_is_shared(attackers: int, defenders: int) -> None:
    match = at_seat("horse_marshal", army={"horse_1": 5, "horse_2": defenders}, holder={"horse_2": "bear"})
    play(match, "act attack", "from horse_1", "to horse_2", f"number {attackers}")
    assert holder(match, "horse_2") == ("bear" if defenders > attackers else "horse")
    assert army(match, "horse_2") == abs(attackers - defenders)
    assert reserve(match, HORSE) + reserve(match, BEAR) == 40 - 5 - defenders + 2 * min(attackers, defenders)


@cites(GAME, "R2.7", "R2.5", "R10.7")
def test_an_emptied_region_goes_home() -> None:
    match = at_seat("lion_chancellor", army={"lion_3": 2, "horse_7": 2}, holder={"horse_7": "bear"})
    play(match, "act attack", "from lion_3", "to horse_7", "number 2")
    assert holder(match, "horse_7") == "horse"
    assert holder(match, "lion_3") == "lion"
    assert reserve(match, LION) == reserve(match, BEAR) == 20


@cites(GAME, "A45", "A46", "R10.1")
def test_the_map() -> None:
    match = new(2)
    box: Any = match.game.box.record

    def near(one: str, other: str) -> bool:
        return bool((box.near[region(match, one)] >> region(match, other)) & 1)

    assert near("elephant_5", "elephant_7")
    assert not near("elephant_4", "elephant_6")
    assert box.city[region(match, "eagle_1")] == 1
    assert box.city[region(match, "eagle_4")] == 0
    assert not near("bear_2", "horse_1")  # Border Lake
    assert not near("bear_3", "lion_2")
    assert not near("lion_4", "lion_7")  # Lion Mere
    assert not near("lion_5", "lion_6")
    assert sum(box.near[n].bit_count() for n in range(40)) == 2 * 69


# --- R9 Swap Agent ------------------------------------------------------------------------------------------


@cites(GAME, "A17", "R9.1")
def test_swap_with_an_own_agent_or_an_empty_seat() -> None:
    match = at_seat("bear_chancellor", agent={"bear_chancellor": "raven", "bear_marshal": "raven"})
    play(match, "act swap")
    assert legal(match) == {"seat bear_sheriff", "seat bear_steward", "seat bear_marshal"}
    play(match, "seat bear_marshal")
    assert [state(match).agent[post] for post in range(4)] == [-1, -1, RAVEN, RAVEN]
    match = play(
        at_seat("bear_chancellor"), "act swap", "seat bear_steward", "act add", "place bear_1", "place bear_1"
    )
    assert [state(match).agent[post] for post in range(4)] == [-1, RAVEN, -1, -1]
    assert state(match).marker > 3


# --- R13, R14 Reset and Swap --------------------------------------------------------------------------------


def reset_position() -> Match:
    hands = {
        "raven": {"bear_with_eagle": 2, "bear_with_lion": 2, "lion_with_bear": 2, "horse_with_bear": 1},
        "rat": {"eagle_with_bear": 2, "eagle_with_lion": 2, "eagle_with_horse": 2},
        "spider": {"elephant_with_bear": 2},
    }
    match = at_seat("horse_chancellor", 3, army={"horse_1": 1}, hand=hands)
    s = state(match)
    s.first = 1
    return play(match, "act attack", "from horse_1", "to bear_3", "number 1", "done", "done")


@cites(GAME, "R13", "A39", "A64")
def test_reset() -> None:
    match = reset_position()
    assert word(match) == "reset"
    assert match.turn == (RAVEN, RAT)
    assert refused(match, "discard elephant_with_bear") == "R13"
    view = match.view(RAT)
    play(match, "discard bear_with_lion")
    assert match.view(RAT) == view  # nothing is seen of it yet
    assert refused(match, "discard bear_with_eagle") == "A64"
    play(match, "discard horse_with_bear")
    assert match.turn == (RAT,)
    match.play(RAT, "discard eagle_with_lion")
    assert word(match) == "swap_loyalty"
    cards = match.view(RAT)["players_at_table"][RAVEN]["cards"]
    assert cards == {"bear": 3, "eagle": 0, "elephant": 0, "lion": 2, "horse": 0}  # colours are seen
    log = [str(line) for line in match.log(RAT)]
    assert not any("Bear With Lion" in line for line in log)  # faces are not
    assert any("Raven discards cards of Bear: 1." in line for line in log)
    assert not match.can_undo(RAT)


@cites(GAME, "R13", "A64")
def test_enough_cards_must_be_left_to_discard() -> None:
    match = reset_position()
    moves = legal(match)
    assert "discard horse_with_bear" not in moves  # it is the last card, and two must go
    assert refused(match, "discard horse_with_bear") == "A64"


@cites(GAME, "R14", "A49", "A32", "A35", "A61", "A64")
def test_swapping_loyalties() -> None:
    match = reset_position()
    play(match, "discard bear_with_lion", "discard horse_with_bear")
    match.play(RAT, "discard eagle_with_lion")
    assert match.turn == (SPIDER,)  # Rat held the token in this round; it has gone on
    before = [state(match).loyalty[SPIDER, slot] for slot in range(5)]
    assert refused(match, "swap opposed devout", SPIDER) == "A64"
    match.play(SPIDER, "swap devout opposed")
    after = [state(match).loyalty[SPIDER, slot] for slot in range(5)]
    assert after == [before[4], *before[1:4], before[0]]
    assert match.turn == (RAVEN,)  # one pair only
    seen = match.view(RAT)["players_at_table"][SPIDER]
    names = match.game.box.names["empires"]
    assert seen["loyalty"] == {
        "devout": names[after[0]], "dutiful": None, "affiliated": None, "unallied": None, "opposed": names[after[4]],
    }  # fmt: skip
    assert seen["swapped"] == ["devout", "opposed"]
    assert not match.can_undo(SPIDER)


@cites(GAME, "R14", "A35", "A61")
def test_tokens_face_up_are_not_swapped_again() -> None:
    match = reset_position()
    state(match).shown[SPIDER] = 0b10001
    play(match, "discard bear_with_lion", "discard horse_with_bear")
    match.play(RAT, "discard eagle_with_lion")
    assert refused(match, "swap devout dutiful", SPIDER) == "R14"
    assert len(legal(match, SPIDER)) == 4
    match = reset_position()
    state(match).shown[SPIDER] = 0b11011
    play(match, "discard bear_with_lion", "discard horse_with_bear")
    match.play(RAT, "discard eagle_with_lion")
    assert match.turn == (RAVEN,)  # Spider has one token left and is not asked


# --- R16 The end --------------------------------------------------------------------------------------------

ORDER = ("devout", "dutiful", "affiliated", "unallied", "opposed")


def final(shown: dict[str, int], cards: dict[str, int], options: dict[str, Any] | None = None) -> Match:
    """Four players with the same loyalties and so the same points."""
    board = dict(zip(ORDER, ("bear", "eagle", "elephant", "lion", "horse"), strict=True))
    seats = ("raven", "rat", "spider", "serpent")
    faces = ("bear_with_eagle", "eagle_with_bear", "lion_with_bear", "horse_with_bear")
    hands = {seat: {faces[n]: cards.get(seat, 0)} for n, seat in enumerate(seats)}
    boards = dict.fromkeys(seats, board)
    return position(4, options, point="over", rounds=4, army={}, loyalty=boards, shown=shown, hand=hands)


@cites(GAME, "R16", "A34", "A35", "A61")
@pytest.mark.parametrize(("shown", "cards", "ranks", "reason"), [
    ({}, {}, [1, 1, 1, 1], "shared"),
    ({"raven": 3}, {"raven": 2}, [4, 1, 1, 1], "shared"),
    ({"rat": 3, "spider": 3, "serpent": 15}, {}, [1, 2, 2, 4], "fewer_swaps"),
    ({}, {"rat": 1, "spider": 2}, [3, 2, 1, 3], "more_cards"),
    ({"raven": 3}, {"raven": 2, "rat": 1}, [4, 1, 2, 2], "more_cards"),
])  # fmt: skip
def test_ties(shown: dict[str, int], cards: dict[str, int], ranks: list[int], reason: str) -> None:
    match = final(shown, cards)
    assert len(set(match.scores)) == 1
    assert match.ranks == ranks
    assert REASONS[how_decided(match.game.box.record, state(match))] == reason  # type: ignore[arg-type]


@cites(GAME, "V2")
def test_a_point_for_each_hidden_token() -> None:
    shown = {"rat": 0b11, "spider": 0b1111}
    plain = final(shown, {})
    match = final(shown, {}, {"point_per_hidden_loyalty": True})
    assert [match.scores[seat] - plain.scores[seat] for seat in range(4)] == [5, 3, 1, 5]


@cites(GAME, "R16", "A67")
def test_nobody_has_points_before_the_end() -> None:
    match = random_match(new(3), 4, stop="swap_loyalty")
    assert match.scores == [0, 0, 0]
    random_match(match, 5)
    sheet = match.view(None)["score_sheet"]
    assert [line["total"] for line in sheet] == match.scores
    assert all(None not in player["loyalty"].values() for player in match.view(None)["players_at_table"])
    assert sum(empire["cities"] for empire in match.view(None)["empires"]) == 12


# --- The course of whole games ------------------------------------------------------------------------------


@cites(GAME, "R1")
def test_figures_of_random_games() -> None:
    game = samizdat.game(GAME, players=4)
    results = Simulation(game, 5).play(300)
    figures = {name: figure(results.states) for name, figure in game.definition.show.FIGURES.items()}
    cities = [figures[f"cities of {word}"] for word in ("Bear", "Eagle", "Elephant", "Lion", "Horse")]
    assert (sum(cities) == 12).all()
    for number in range(20):
        s, points = results.states[number], results.scores["points"][number, :4]
        slots = [list(s["loyalty"][seat]).index(HORSE) for seat in range(4)]
        most = [points[seat] for seat in range(4) if slots[seat] == min(slots)]
        assert figures["points if loyal to Horse"][number] == pytest.approx(sum(most) / len(most))
    for name in ("points of the first player", "points of the last player"):
        assert set(figures[name]) <= set(np.unique(results.scores["points"][:, :4]))


def test_every_point_and_every_ability_is_reached_by_random_play() -> None:
    """So the random games of the conformance suite hold all of the rules but the Reset: random hands stay small."""
    game = samizdat.game(GAME, players=3, advanced=True)
    points: set[int] = set()
    moves: set[int] = set()
    states, acted = np.zeros(2000, State.dtype), np.zeros((2000, 3), np.int64)
    for number in range(4000):
        states[0] = game.blank().array[0]
        length = game.definition.native.trace(
            game.box.record.array, states, np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype), 8, number,
            game.moves_buffer(), acted,
        )  # fmt: skip
        points.update(states["point"][: length + 1].tolist())
        moves.update(acted[:length, 1].tolist())
    kinds = {game.notation.move(move).kind for move in moves}
    assert {move - PLAY_MOVE for move in moves if 0 <= move - PLAY_MOVE < ABILITIES} == set(range(ABILITIES))
    assert points | {RESET} == set(range(OVER + 1))
    assert kinds | {"discard"} == set(MOVES.kinds)


def test_the_bound_is_far_above_what_happens() -> None:
    for players in (2, 3, 4):
        game = samizdat.game(GAME, players=players)
        lengths = Simulation(game, 3).play(400).lengths
        assert lengths.max() < game.longest < 200_000


def test_the_record_is_small() -> None:
    assert State.dtype.itemsize < 600
