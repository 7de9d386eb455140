"""A War of Whispers: the twenty abilities, in every window where they may be played and refused in all others."""

from __future__ import annotations

import itertools

import pytest

from samizdat.kernel.match import Match
from tests.games.whispers import (
    BEAR,
    EAGLE,
    ELEPHANT,
    HORSE,
    LION,
    RAVEN,
    army,
    at_seat,
    holder,
    legal,
    pay_any,
    play,
    refused,
    region,
    reserve,
    resolve,
    state,
    word,
)

cites = pytest.mark.rules
GAME = "war-of-whispers"

OPEN = {
    "forced_march", "city_garrison", "redeployment", "mercenaries", "recruit", "dispersal", "alchemists_fire",
    "populate", "uprising",
}  # fmt: skip
IN_WINDOW = {
    "before": OPEN | {"change_of_court", "another_voice"},
    "source": {"swoop", "armada"},
    "join": {"vanguard", "grand_vanguard", "reinforcements"},
    "after": OPEN | {"press_on", "scorched_earth", "subjugate", "midnight_oil"},
    "action": set(),
    "exchange_seat": set(),
    "target": set(),
    "force": set(),
    "pay": set(),
    "choose_region": set(),
    "choose_number": set(),
    "choose_post": set(),
    "lift": set(),
    "place": set(),
    "burn": set(),
}
ABILITIES = sorted(set().union(*IN_WINDOW.values()))
ALL_CARDS = {
    f"{one}_with_{two}": 1 for one, two in itertools.permutations(("bear", "eagle", "elephant", "lion", "horse"), 2)
}
ATTACK = ("act attack", "from horse_1", "to horse_2", "number 5", "done")
# How to get from the start of the seat to each decision point.
WAY = {
    "before": (),
    "source": ATTACK[:1],
    "target": ATTACK[:2],
    "force": ATTACK[:3],
    "join": ATTACK[:4],
    "after": ATTACK,
    "action": ("play another_voice", "pay lion_with_bear", "seat bear_chancellor"),
    "exchange_seat": ("play another_voice", "pay lion_with_bear", "seat bear_chancellor", "act swap"),
    "pay": ("play forced_march",),
    "choose_region": ("play forced_march", "pay horse_with_bear"),
    "choose_number": ("play mercenaries", "pay bear_with_eagle", "pay eagle_with_bear", "in horse_1"),
    "choose_post": ("play change_of_court", "pay eagle_with_bear"),
    "lift": ("play redeployment", "pay horse_with_bear", "pay horse_with_eagle", "empire horse"),
    "place": ("act add",),
    "burn": ("play alchemists_fire", "pay eagle_with_elephant", "pay elephant_with_bear", "in horse_1"),
}


def rich() -> Match:
    """Raven holds one of each card and acts for Bear where every ability could do something."""
    return at_seat(
        "bear_marshal", 2, agent={"bear_marshal": "raven", "bear_chancellor": "raven"},
        army={"horse_1": 7, "horse_2": 2, "horse_3": 1, "lion_2": 2, "bear_1": 2, "eagle_1": 2},
        holder={"horse_1": "bear"}, hand={"raven": ALL_CARDS},
    )  # fmt: skip


# --- Section W: windows -----------------------------------------------------------------------------------


@cites(GAME, "R15.1", "R15.3", "R15.4", "W1", "W2", "W3", "W4", "W5", "A8", "A9", "A10", "A53", "A56", "A65")
@pytest.mark.parametrize("point", WAY)
@pytest.mark.parametrize("ability", ABILITIES)
def test_every_ability_in_every_window(ability: str, point: str) -> None:
    match = play(rich(), *WAY[point])
    assert word(match) == point
    assert match.turn == (RAVEN,)  # A8: nobody else is asked, whatever they hold
    if ability in IN_WINDOW[point]:
        resolve(match, ability)
    else:
        rule = refused(match, f"play {ability}")
        if point in ("before", "source", "join", "after"):
            assert rule == "R15.1"


@cites(GAME, "R15.2", "A59")
@pytest.mark.parametrize("point", ["before", "source", "join", "after"])
def test_no_ability_without_its_cards(point: str) -> None:
    """One card of another empire is not enough for anything that costs more; nothing at all pays for nothing."""
    for ability in IN_WINDOW[point]:
        match = play(rich(), *WAY[point])
        s = state(match)
        for face in range(20):
            s.hand[RAVEN, face] = 0
        assert refused(match, f"play {ability}") == "R15.2"


@cites(GAME, "R15.2", "A50", "A64")
def test_costs_are_paid_with_chosen_cards() -> None:
    match = play(rich(), "play mercenaries")
    assert legal(match) == {f"pay bear_with_{two}" for two in ("eagle", "elephant", "lion", "horse")}
    assert refused(match, "pay eagle_with_bear") == "A64"
    assert refused(match, "pay lion_with_bear") == "R15.2"
    play(match, "pay bear_with_lion")  # does not show Mercenaries: the Eagle card must
    assert legal(match) == {"pay eagle_with_bear"}
    assert refused(match, "pay eagle_with_lion") == "A50"
    match = play(rich(), "play mercenaries", "pay bear_with_eagle")
    assert len(legal(match)) == 4
    match = play(rich(), "play redeployment", "pay horse_with_eagle")
    assert legal(match) == {"pay horse_with_elephant", "pay horse_with_lion"}
    assert refused(match, "pay horse_with_bear") == "A64"
    assert refused(match, "pay horse_with_eagle") == "R15.2"


@cites(GAME, "A50")
def test_one_of_the_cards_must_show_the_ability() -> None:
    match = at_seat("bear_marshal", hand={"raven": {"bear_with_lion": 1, "eagle_with_lion": 1}})
    assert refused(match, "play mercenaries") == "R15.2"
    match = at_seat("bear_marshal", hand={"raven": {"bear_with_lion": 1, "eagle_with_bear": 1}})
    assert "play mercenaries" in legal(match)


@cites(GAME, "R15.5", "A40")
def test_paid_cards_go_back_before_the_effect() -> None:
    """Midnight Oil repeats a Draw from a deck that only its own cost has filled."""
    lions = {f"lion_with_{two}": 2 for two in ("bear", "eagle", "elephant", "horse")}
    hand = {"raven": {**lions, "lion_with_horse": 1, "horse_with_bear": 1}}
    match = at_seat("lion_sheriff", hand=hand)
    play(match, "act draw")
    assert state(match).hand[RAVEN, 15] == 2  # the last Lion card
    assert state(match).held[RAVEN, LION] == 8
    play(match, "play midnight_oil", "pay lion_with_horse", "pay horse_with_bear")
    assert state(match).held[RAVEN, LION] == 8
    assert state(match).hand[RAVEN, 15] == 2  # it was the only card there was


@cites(GAME, "A62")
def test_a_player_with_cards_is_always_asked() -> None:
    useless = {"raven": {"elephant_with_bear": 1}}
    match = at_seat("horse_marshal", army={"horse_3": 20}, hand=useless)
    assert legal(match) == {"pass"}
    match = at_seat("eagle_sheriff", hand=useless)
    play(match, "act add", "place eagle_1", "place eagle_1")
    assert legal(match) == {"done"}
    match = at_seat("bear_marshal", army={"bear_3": 2}, hand={"raven": {"horse_with_bear": 1}})
    play(match, "act attack", "from bear_3", "to horse_1", "number 1")
    assert word(match) == "join"
    assert legal(match) == {"done"}


@cites(GAME, "A62", "A2")
def test_an_idle_seat_without_cards_is_skipped() -> None:
    match = at_seat(
        "horse_sheriff", agent={"horse_sheriff": "raven", "horse_chancellor": "rat"}, army={"horse_3": 18}
    )
    play(match, "act add", "place horse_3", "place horse_3")
    # Steward: the reserve is empty, two farms give a card; Marshal: nothing to attack, nothing to add.
    assert state(match).marker == 17
    assert legal(match, 1) == {"act draw"}
    match.play(1, "act draw")
    play(match, "done", seat=1)
    assert state(match).marker == 18  # Rat holds a card now, so Rat is asked
    assert legal(match, 1) >= {"pass"}


# --- A66: cards after a seat that took no action ----------------------------------------------------------


def nothing_to_do(hand: dict[str, int], **options: bool) -> Match:
    """The Eagle Sheriff may only add banners, and all twenty stand in Redcliff."""
    agents = {"eagle_sheriff": "raven", "eagle_steward": "rat", "eagle_chancellor": "rat"}
    return at_seat("eagle_sheriff", options=options, agent=agents, army={"eagle_1": 20}, hand={"raven": hand})


MERCENARIES = ("play mercenaries", "pay bear_with_eagle", "pay eagle_with_bear", "in eagle_1", "number 2")


@cites(GAME, "A66", "A1", "W5")
def test_a_seat_that_had_to_pass_may_play_cards_after_it() -> None:
    hand = {"bear_with_eagle": 1, "eagle_with_bear": 1, "lion_with_bear": 1}
    match = nothing_to_do(hand)
    assert refused(match, "act add") == "R7.3"
    play(match, "pass")
    assert (word(match), state(match).marker) == ("after", 4)
    play(match, *MERCENARIES)
    assert reserve(match, EAGLE) == 2  # an action would be possible now, but the time for it is over
    assert legal(match) == {"done"}
    assert refused(match, "act add") == "R15.1"
    play(match, "done")
    assert state(match).marker == 5
    # The same card before it makes an action possible, and then it must be taken.
    match = play(nothing_to_do(hand), *MERCENARIES)
    assert refused(match, "pass") == "A1"
    assert "act add" in legal(match)


@cites(GAME, "A66", "C20", "A18")
def test_midnight_oil_needs_an_action() -> None:
    hand = {"bear_with_eagle": 1, "eagle_with_bear": 1, "lion_with_horse": 1, "horse_with_lion": 1}
    match = play(nothing_to_do(hand), "pass")
    assert refused(match, "play midnight_oil") == "A66"
    play(match, *MERCENARIES)
    assert refused(match, "play midnight_oil") == "A66"  # two banners in reserve now, but nothing was taken to repeat


@cites(GAME, "A66", "W4", "A53")
def test_what_refers_to_an_attack_needs_one() -> None:
    match = play(nothing_to_do(ALL_CARDS), "pass")
    assert not legal(match) & {"play press_on", "play scorched_earth", "play subjugate"}


@cites(GAME, "A66", "A62")
def test_whether_a_seat_that_passed_is_asked_again_is_public() -> None:
    """By the number of its cards, not by what they are."""
    match = play(nothing_to_do({"elephant_with_bear": 1}), "pass")
    assert (word(match), legal(match)) == ("after", {"done"})
    match = nothing_to_do({"eagle_with_bear": 1})
    play(match, "play change_of_court", "pay eagle_with_bear", "seat horse_sheriff")
    play(match, "act add", "place horse_1", "place horse_1")
    assert state(match).marker == 5  # the last card is gone: nobody asks


@cites(GAME, "A66", "A52")
def test_an_attack_that_only_a_card_would_open_may_be_left_for_cards_after_it() -> None:
    hand = {"eagle_with_horse": 1, "horse_with_bear": 1}
    match = at_seat("horse_marshal", army={"horse_4": 2, "horse_3": 18}, hand={"raven": hand})
    assert "act attack" in legal(match)
    play(match, "pass", "play forced_march", "pay horse_with_bear", "from horse_4", "to horse_1", "number 2")
    assert (word(match), army(match, "horse_1")) == ("after", 2)
    assert legal(match) == {"done"}


@cites(GAME, "A66", "A58")
def test_a_seat_that_may_decline_to_act_has_the_same_window() -> None:
    hand = {"bear_with_eagle": 1, "eagle_with_bear": 1, "lion_with_horse": 1, "horse_with_lion": 1}
    match = play(nothing_to_do(hand, allow_pass=True), *MERCENARIES, "pass")
    assert word(match) == "after"
    assert refused(match, "play midnight_oil") == "A66"


# --- Abilities of the first kind --------------------------------------------------------------------------


def attacked(hand: dict[str, int], **given: object) -> Match:
    """Bear has attacked from Northsteppe with 4 of 6 against 2: two survivors in Saddlebourn."""
    setting = {"army": {"horse_1": 6, "horse_2": 2}, "holder": {"horse_1": "bear"}, **given}
    match = at_seat("bear_marshal", hand={"raven": hand}, **setting)
    return play(match, "act attack", "from horse_1", "to horse_2", "number 4", "done")


@cites(GAME, "C1", "A21", "A54", "R10.3")
def test_press_on_chains() -> None:
    match = attacked({"bear_with_lion": 2, "bear_with_eagle": 1, "bear_with_elephant": 1})
    play(match, "play press_on", "pay bear_with_eagle", "from horse_2")
    assert refused(match, "number 1") == "R10.1"
    play(match, "to horse_3")
    assert legal(match) == {"number 1"}  # one of the two must stay
    assert refused(match, "number 2") == "C1"
    play(match, "number 1", "done")
    assert holder(match, "horse_2") == "bear"
    assert army(match, "horse_3") == 0  # the fortress took it
    assert "play press_on" not in legal(match)
    assert refused(match, "play scorched_earth") == "A59"  # the latest attack has left nobody


@cites(GAME, "C1", "A55")
def test_press_on_with_survivors_only() -> None:
    match = attacked({"bear_with_lion": 1, "lion_with_bear": 2})
    play(match, "play city_garrison", "pay lion_with_bear", "pay lion_with_bear", "in horse_2")
    assert army(match, "horse_2") == 5
    play(match, "play press_on", "pay bear_with_lion", "from horse_2", "to horse_4")
    assert legal(match) == {"number 1", "number 2"}  # both survivors may go, the garrison stays
    assert refused(match, "number 3") == "C1"


@cites(GAME, "A55")
def test_survivors_that_left_no_longer_count() -> None:
    match = attacked({"bear_with_horse": 1, "horse_with_bear": 2, "bear_with_lion": 1})
    play(match, "play dispersal", "pay bear_with_horse", "pay horse_with_bear", "in horse_2", "place horse_1",
         "place horse_1")  # fmt: skip
    assert refused(match, "play press_on") == "A59"
    play(match, "play forced_march", "pay horse_with_bear", "from horse_1", "to bear_1", "number 1")
    assert refused(match, "play press_on") == "A59"


@cites(GAME, "C2", "A57", "A13", "A11")
def test_change_of_court_onto_the_active_seat() -> None:
    hand = {"raven": {"eagle_with_bear": 2}}
    match = at_seat("bear_sheriff", agent={"bear_chancellor": "raven", "bear_marshal": "raven"}, hand=hand)
    play(match, "play change_of_court", "pay eagle_with_bear")
    assert refused(match, "seat bear_chancellor") == "C2"
    play(match, "seat bear_sheriff")
    assert state(match).agent[0] == RAVEN
    assert state(match).agent[2] == -1
    assert legal(match) == {"act add", "act attack"}
    assert refused(match, "play change_of_court") == "A56"  # one replacement for each seat
    play(match, "act add", "place bear_1", "place bear_1", "done")
    assert state(match).marker == 1  # the Steward acts in its own time, through the Chancellor now
    assert match.turn == (RAVEN,)


@cites(GAME, "A13", "A16")
def test_the_new_seat_acts_again_in_its_own_time() -> None:
    match = at_seat("bear_sheriff", agent={"bear_sheriff": "raven", "eagle_chancellor": "rat"},
                    army={"eagle_1": 6}, hand={"raven": {"eagle_with_bear": 1}})  # fmt: skip
    play(match, "play change_of_court", "pay eagle_with_bear", "seat eagle_sheriff", "act add", "place eagle_4",
         "place eagle_4")  # fmt: skip
    assert army(match, "eagle_4") == 2
    assert state(match).marker == 4  # nobody is left in the Bear council
    assert match.turn == (RAVEN,)
    play(match, "act add", "place eagle_2", "place eagle_2")
    assert army(match, "eagle_2") == 2


@cites(GAME, "A16")
def test_supply_of_an_empire_that_acted_out_of_turn() -> None:
    agents = {"horse_chancellor": "raven", "lion_sheriff": "rat"}
    match = at_seat("horse_chancellor", agent=agents, army={"lion_2": 4}, hand={"raven": {"eagle_with_bear": 1}})
    play(match, "play change_of_court", "pay eagle_with_bear", "seat lion_steward", "act add", "place lion_2",
         "place lion_2")  # fmt: skip
    assert army(match, "lion_2") == 6


@cites(GAME, "A11", "A12", "R6.3")
def test_change_of_court_to_a_seat_with_nothing_to_do() -> None:
    match = at_seat("bear_sheriff", army={"eagle_1": 20}, hand={"raven": {"eagle_with_bear": 2}})
    play(match, "play change_of_court", "pay eagle_with_bear", "seat eagle_sheriff")
    assert legal(match) == {"pass"}
    play(match, "pass")
    assert word(match) == "after"
    play(match, "done")
    assert state(match).marker >= 4


@cites(GAME, "C4", "A14", "A11")
def test_another_voice_needs_another_seat_with_something_to_do() -> None:
    given = {"agent": {"bear_sheriff": "raven", "eagle_sheriff": "raven", "eagle_chancellor": "rat"},
             "hand": {"raven": {"lion_with_bear": 1}}}  # fmt: skip
    match = at_seat("bear_sheriff", **given)
    play(match, "play another_voice", "pay lion_with_bear")
    assert refused(match, "seat bear_sheriff") == "A14"
    assert refused(match, "seat eagle_steward") == "A14"
    play(match, "seat eagle_sheriff", "act add", "place eagle_1", "place eagle_1")
    assert army(match, "eagle_1") == 4
    third = {"agent": {"bear_sheriff": "raven", "horse_sheriff": "raven", "eagle_sheriff": "raven"}}
    match = at_seat("bear_sheriff", army={"eagle_1": 20, "horse_3": 20}, **{**given, **third})
    assert refused(match, "play another_voice") == "A11"


@cites(GAME, "C4", "A14")
def test_another_voice_through_the_same_agent() -> None:
    match = at_seat("bear_sheriff", agent={"bear_chancellor": "raven"}, hand={"raven": {"lion_with_bear": 1}})
    play(match, "play another_voice", "pay lion_with_bear", "seat bear_marshal", "act add")
    assert state(match).todo == 4


@cites(GAME, "C4", "A18", "R9.2")
def test_another_voice_may_swap_in_another_council() -> None:
    hand = {"raven": {"lion_with_bear": 1}}
    match = at_seat("bear_sheriff", agent={"bear_sheriff": "raven", "horse_chancellor": "raven"}, hand=hand)
    play(match, "play another_voice", "pay lion_with_bear", "seat horse_chancellor", "act swap", "seat horse_steward",
         "act draw")  # fmt: skip
    assert state(match).agent[17] == RAVEN
    assert state(match).agent[19] == -1
    assert state(match).held[RAVEN, HORSE] == 1


@cites(GAME, "C5")
def test_forced_march_is_for_the_active_empire() -> None:
    match = at_seat("horse_steward", army={"horse_4": 2, "bear_1": 1}, hand={"raven": {"horse_with_bear": 1}})
    play(match, "play forced_march", "pay horse_with_bear")
    assert refused(match, "from bear_1") == "C5"
    assert refused(match, "from horse_5") == "C5"
    play(match, "from horse_4")
    assert refused(match, "to bear_1") == "C5"
    assert refused(match, "to horse_4") == "C5"
    play(match, "to horse_8", "number 1", "pass" if "pass" in legal(match) else "act add")
    assert army(match, "horse_8") == 1


# --- Joining an attack ------------------------------------------------------------------------------------


@cites(GAME, "C3", "C8", "A60", "A20")
@pytest.mark.parametrize(("ability", "card", "left", "joins"), [
    ("vanguard", "elephant_with_bear", 10, 1), ("grand_vanguard", "elephant_with_bear", 10, 3),
    ("grand_vanguard", "elephant_with_bear", 2, 2), ("vanguard", "elephant_with_bear", 1, 1),
])  # fmt: skip
def test_vanguard(ability: str, card: str, left: int, joins: int) -> None:
    hand = {"raven": {card: 2, "horse_with_bear": 1}}
    match = at_seat("bear_marshal", army={"horse_1": 20 - left}, holder={"horse_1": "bear"}, hand=hand)
    play(match, "act attack", "from horse_1", "to horse_2", "number 1", f"play {ability}")
    pay_any(match)
    assert state(match).force == 1 + joins
    assert reserve(match, BEAR) == left - joins


@cites(GAME, "A59", "A20")
def test_vanguard_needs_a_reserve() -> None:
    match = at_seat("bear_marshal", army={"horse_1": 20}, holder={"horse_1": "bear"},
                    hand={"raven": {"elephant_with_bear": 2}})  # fmt: skip
    play(match, "act attack", "from horse_1", "to horse_2")
    assert "number 0" not in legal(match)
    play(match, "number 1")
    assert refused(match, "play vanguard") == "A59"
    assert legal(match) == {"done"}


@cites(GAME, "C18", "A60")
def test_reinforcements_from_the_source_itself() -> None:
    hand = {"elephant_with_lion": 1, "lion_with_bear": 1, "horse_with_bear": 1}
    match = at_seat("bear_marshal", army={"bear_3": 9}, hand={"raven": hand})
    play(match, "act attack", "from bear_3", "to horse_1", "number 1", "play reinforcements",
         "pay elephant_with_lion", "pay lion_with_bear", "from bear_3")  # fmt: skip
    assert refused(match, "number 7") == "C18"
    play(match, "number 6", "done")
    assert army(match, "horse_1") == 7
    assert army(match, "bear_3") == 2


@cites(GAME, "C18", "W3", "R10.1")
def test_reinforcements_leave_the_attack_where_it_came_from() -> None:
    """The table goes on to see the attack from Grimwatch, while and after others come from Icemarch."""
    hand = {"elephant_with_lion": 1, "lion_with_bear": 1, "horse_with_bear": 1}
    match = at_seat("bear_marshal", army={"bear_3": 3, "bear_2": 5}, hand={"raven": hand})
    play(match, "act attack", "from bear_3", "to horse_1", "number 2")
    for move in ("play reinforcements", "pay elephant_with_lion", "pay lion_with_bear", "from bear_2", "number 4"):
        play(match, move)
        resolving = match.view(None)["resolving"]
        assert (resolving["source"], resolving["target"]) == ("bear_3", "horse_1")
        assert resolving["used_on"] == ("bear_2" if move == "from bear_2" else None)
    assert resolving["banners_attacking"] == 6
    assert str(match.log(None)[-1]) == "Bear adds to the attack from Bear 2: 4."


@cites(GAME, "R15.4")
@pytest.mark.parametrize("ability", sorted(OPEN))
def test_a_card_leaves_no_region_named_behind(ability: str) -> None:
    match = rich()
    resolve(match, ability)
    resolving = match.view(None)["resolving"]
    assert (resolving["used_on"], resolving["source"], resolving["target"]) == (None, None, None)


@cites(GAME, "A19")
def test_a_fortress_counts_once_and_again_for_an_extra_attack() -> None:
    hand = {"elephant_with_bear": 2, "bear_with_lion": 1}
    match = at_seat("bear_marshal", army={"bear_2": 8, "lion_2": 1}, hand={"raven": hand})
    play(
        match, "act attack", "from bear_2", "to lion_2", "number 6", "play vanguard", "pay elephant_with_bear", "done"
    )
    assert army(match, "lion_2") == 7 - 1 - 1  # the fortress once, and one defender
    assert reserve(match, BEAR) == 20 - 2 - 5
    play(match, "play press_on", "pay bear_with_lion", "from lion_2", "to lion_3", "number 4", "done")
    assert army(match, "lion_3") == 4  # no fortress there


@cites(GAME, "A19")
def test_a_fortress_serves_whoever_holds_it_and_when_empty() -> None:
    match = at_seat("lion_chancellor", army={"lion_3": 3, "lion_2": 1}, holder={"lion_2": "bear"})
    play(match, "act attack", "from lion_3", "to lion_2", "number 2")
    assert army(match, "lion_2") == 0
    assert holder(match, "lion_2") == "lion"
    match = at_seat("lion_chancellor", army={"lion_3": 3})
    play(match, "act attack", "from lion_3", "to horse_5", "number 3")
    assert army(match, "horse_5") == 2


# --- Opening targets --------------------------------------------------------------------------------------


@cites(GAME, "C7", "A30", "A59", "A65")
def test_swoop() -> None:
    match = at_seat("lion_chancellor", army={"lion_5": 3, "elephant_4": 1, "lion_9": 1},
                    hand={"raven": {"eagle_with_bear": 2, "eagle_with_lion": 2}})  # fmt: skip
    play(match, "act attack")
    assert legal(match) == {"from lion_9", "play swoop"}
    play(match, "play swoop", "pay eagle_with_bear", "pay eagle_with_bear")
    assert [str(line) for line in match.log(None) if line.rule == "A59"] == ["Swoop opens new targets."]
    assert legal(match) == {"from lion_5", "from lion_9"}
    assert refused(match, "play swoop") == "A59"  # it would open nothing more
    play(match, "from lion_5")
    assert refused(match, "to elephant_4") == "R10.1"  # not empty
    assert refused(match, "to lion_1") == "R10.4"
    play(match, "to bear_6", "number 3", "done")
    assert army(match, "bear_6") == 2
    assert holder(match, "bear_6") == "lion"


@cites(GAME, "C7", "C17", "A30", "A31")
def test_ordinary_targets_stay_open_and_armada_adds_to_swoop() -> None:
    hand = {"eagle_with_bear": 2, "eagle_with_horse": 1, "horse_with_bear": 1}
    match = at_seat("lion_chancellor", army={"lion_9": 2, "elephant_3": 1, "horse_6": 2}, hand={"raven": hand})
    play(match, "act attack", "play swoop", "pay eagle_with_bear", "pay eagle_with_bear")
    assert "play armada" in legal(match)
    play(match, "play armada", "pay eagle_with_horse", "pay horse_with_bear", "from lion_9")
    targets = {move.removeprefix("to ") for move in legal(match)}
    assert targets == {id for id in match.game.box.names["regions"] if not id.startswith("lion")}
    play(match, "to horse_6", "number 2")
    assert holder(match, "horse_6") == "horse"
    assert army(match, "horse_6") == 0


@cites(GAME, "C17", "A31", "A52", "A1")
def test_an_attack_that_needs_a_card_may_be_taken_or_left() -> None:
    hand = {"raven": {"eagle_with_horse": 1, "horse_with_bear": 1}}
    match = at_seat("horse_marshal", army={"horse_4": 2, "horse_3": 18}, hand=hand)
    assert legal(match) == {"pass", "act attack", "play change_of_court", "play forced_march"}
    play(match, "act attack")
    assert legal(match) == {"play armada"}
    play(
        match, "play armada", "pay eagle_with_horse", "pay horse_with_bear", "from horse_4", "to eagle_7", "number 2"
    )
    assert holder(match, "eagle_7") == "horse"
    match = at_seat("horse_marshal", army={"horse_4": 2}, hand=hand)
    assert refused(match, "pass") == "A1"  # it can add banners


@cites(GAME, "A52", "C4")
def test_another_voice_counts_an_attack_that_can_be_opened() -> None:
    agents = {"bear_sheriff": "raven", "horse_marshal": "raven", "horse_chancellor": "rat", "bear_chancellor": "rat"}
    hand = {"lion_with_bear": 1, "eagle_with_horse": 1, "horse_with_bear": 1}
    match = at_seat("bear_sheriff", agent=agents, army={"horse_3": 20}, hand={"raven": hand})
    play(match, "play another_voice", "pay lion_with_bear", "seat horse_marshal")
    assert legal(match) == {"pass", "act attack"}
    play(match, "act attack")
    assert legal(match) == {"play armada"}


# --- Open abilities, before and after the action ----------------------------------------------------------


def before_or_after(when: str, hand: dict[str, int], **given: object) -> Match:
    """Raven acts for Horse through its Steward, and may play cards before or after adding two banners."""
    match = at_seat("horse_steward", hand={"raven": hand}, **given)
    if when == "after":
        play(match, "act add", "place horse_9", "place horse_9")
    return match


both = pytest.mark.parametrize("when", ["before", "after"])


@cites(GAME, "C9", "A26", "R2.6")
@both
def test_city_garrison(when: str) -> None:
    match = before_or_after(when, {"lion_with_bear": 2}, army={"lion_5": 1, "bear_1": 18}, holder={"lion_5": "bear"})
    play(match, "play city_garrison", "pay lion_with_bear", "pay lion_with_bear")
    assert refused(match, "in horse_3") == "C9"
    play(match, "in lion_5")
    assert army(match, "lion_5") == 2  # one banner of Bear was left
    assert reserve(match, BEAR) == 0


@cites(GAME, "C10", "A28", "A64")
@both
def test_redeployment(when: str) -> None:
    given = {"army": {"lion_3": 2, "bear_1": 4, "bear_2": 6, "bear_3": 1}, "holder": {"lion_3": "bear"}}
    match = before_or_after(when, {"horse_with_bear": 2}, **given)
    play(match, "play redeployment", "pay horse_with_bear", "pay horse_with_bear")
    assert refused(match, "empire eagle") == "A28"  # no banner
    play(match, "empire bear")
    assert refused(match, "done") == "A59"
    play(match, "from bear_1", "from bear_1", "from lion_3")
    assert refused(match, "from bear_2") == "A64"
    assert refused(match, "from lion_3") == "A28"  # the last of a conquered region
    play(match, "done")
    assert refused(match, "place bear_1") == "A28"  # it gave
    assert refused(match, "place bear_2") == "A28"  # at its limit
    assert refused(match, "place horse_1") == "C10"
    play(match, "place bear_3", "place bear_6")
    assert refused(match, "place bear_3") == "A64"
    play(match, "place bear_6")
    assert [army(match, id) for id in ("bear_1", "bear_2", "bear_3", "bear_6", "lion_3")] == [2, 6, 2, 2, 1]
    assert reserve(match, BEAR) == 20 - 13


@cites(GAME, "A28", "A59")
def test_redeployment_must_end_within_the_limits() -> None:
    match = at_seat("horse_steward", army={"bear_1": 9, "bear_2": 1}, hand={"raven": {"horse_with_bear": 2}})
    play(match, "play redeployment", "pay horse_with_bear", "pay horse_with_bear", "empire bear")
    assert legal(match) == {"from bear_1"}
    assert refused(match, "from bear_2") == "A28"
    play(match, *["from bear_1"] * 4)
    assert refused(match, "done") == "A28"
    play(match, "from bear_1", "done")
    play(match, *["place bear_2"] * 5)
    assert army(match, "bear_2") == 6
    # Bear holds one region only, above its limit: nothing can be arranged.
    homes = {f"bear_{n}": 1 for n in range(2, 7)}
    match = at_seat("horse_steward", army={"bear_1": 9, "horse_1": 1, **homes}, holder=dict.fromkeys(homes, "lion"),
                    hand={"raven": {"horse_with_bear": 2}})  # fmt: skip
    play(match, "play redeployment", "pay horse_with_bear", "pay horse_with_bear")
    assert refused(match, "empire bear") == "A28"
    assert refused(match, "empire lion") == "A28"  # one banner each, none may leave


@cites(GAME, "C11", "A27")
@both
def test_mercenaries(when: str) -> None:
    match = before_or_after(when, {"bear_with_eagle": 1, "eagle_with_lion": 1}, army={"lion_3": 5})
    play(match, "play mercenaries", "pay bear_with_eagle", "pay eagle_with_lion")
    assert refused(match, "in lion_5") == "C11"
    play(match, "in lion_3")
    assert refused(match, "number 4") == "C11"
    play(match, "number 2")
    assert army(match, "lion_3") == 3
    assert reserve(match, LION) == 17


@cites(GAME, "C12", "A26")
@both
def test_recruit(when: str) -> None:
    given = {"army": {"lion_3": 1, "lion_2": 18}}
    match = before_or_after(when, {"bear_with_elephant": 1, "elephant_with_bear": 1}, **given)
    play(match, "play recruit", "pay bear_with_elephant", "pay elephant_with_bear")
    assert refused(match, "in lion_3") == "C12"
    play(match, "in lion_5")
    assert army(match, "lion_5") == 1  # a short reserve
    assert holder(match, "lion_5") == "lion"


@cites(GAME, "C19", "A26")
@both
def test_uprising(when: str) -> None:
    match = before_or_after(when, {"elephant_with_horse": 1, "horse_with_bear": 1}, army={"eagle_3": 0})
    play(match, "play uprising", "pay elephant_with_horse", "pay horse_with_bear")
    assert refused(match, "in bear_6") == "C19"  # city and fortress
    assert refused(match, "in eagle_2") == "C19"  # fortress
    play(match, "in eagle_3")
    assert army(match, "eagle_3") == 4
    assert reserve(match, EAGLE) == 16


@cites(GAME, "C14", "A29", "R15.6")
@both
def test_dispersal_may_abandon_a_conquered_region(when: str) -> None:
    given = {"army": {"horse_1": 3, "bear_3": 4}, "holder": {"horse_1": "bear"}}
    match = before_or_after(when, {"bear_with_horse": 1, "horse_with_lion": 1}, **given)
    play(match, "play dispersal", "pay bear_with_horse", "pay horse_with_lion")
    assert refused(match, "in bear_6") == "C14"
    play(match, "in horse_1", *["place bear_3"] * 3)
    assert holder(match, "horse_1") == "horse"
    assert army(match, "bear_3") == 7  # supply is not checked now


@cites(GAME, "C15", "A24", "A60", "A64")
@both
def test_alchemists_fire(when: str) -> None:
    given = {"army": {"horse_1": 1, "bear_3": 2, "lion_2": 2, "lion_3": 4, "horse_2": 1}}
    match = before_or_after(when, {"eagle_with_elephant": 1, "elephant_with_lion": 1}, **given)
    play(match, "play alchemists_fire", "pay eagle_with_elephant", "pay elephant_with_lion")
    assert refused(match, "in bear_3") == "C15"
    assert refused(match, "in horse_2") == "C15"  # no enemy beside it
    play(match, "in horse_1")
    assert refused(match, "done") == "A60"
    play(match, "burn bear_3", "burn lion_2", "burn lion_2")
    assert refused(match, "burn bear_3") == "A64"
    assert refused(match, "burn horse_2") == "C15"
    play(match, "burn lion_3", "burn lion_3")
    assert [army(match, id) for id in ("horse_1", "bear_3", "lion_2", "lion_3")] == [1, 1, 0, 2]
    match = before_or_after(when, {"eagle_with_elephant": 1, "elephant_with_lion": 1}, **given)
    play(match, "play alchemists_fire", "pay eagle_with_elephant", "pay elephant_with_lion", "in horse_1",
         "burn lion_3", "done")  # fmt: skip
    assert army(match, "lion_3") == 3


@cites(GAME, "C16", "A25", "A64")
@both
def test_populate(when: str) -> None:
    match = before_or_after(when, {"eagle_with_lion": 1, "lion_with_bear": 1}, army={"lion_3": 1},
                            holder={"lion_3": "horse"})  # fmt: skip
    resolve(match, "populate")
    assert army(match, "lion_3") == 2
    assert army(match, "horse_1") == 1
    assert reserve(match, HORSE) == (20 - 1 - 11 if when == "before" else 20 - 3 - 11)


@cites(GAME, "C16", "A25", "A64")
def test_populate_with_a_short_reserve() -> None:
    match = before_or_after("before", {"eagle_with_lion": 1, "lion_with_bear": 1}, army={"horse_1": 17})
    play(match, "play populate", "pay eagle_with_lion", "pay lion_with_bear", "place horse_2")
    assert refused(match, "place horse_2") == "C16"
    assert refused(match, "place horse_1") == "A64"
    assert refused(match, "place bear_1") == "C16"
    assert refused(match, "place horse_10") == "A64"  # the third would find no region
    play(match, "place horse_9", "place horse_10")
    assert reserve(match, HORSE) == 0
    assert word(match) == "before"  # the action is still to come


# --- After an attack --------------------------------------------------------------------------------------


@cites(GAME, "C13", "A23", "A60", "C6", "A22")
def test_subjugate_counts_what_scorched_earth_destroyed_and_may_be_repeated() -> None:
    hand = {"bear_with_lion": 2, "bear_with_eagle": 2, "lion_with_bear": 2}
    match = at_seat(
        "bear_marshal", army={"horse_1": 3, "horse_3": 4}, holder={"horse_1": "bear"}, hand={"raven": hand}
    )
    play(match, "act attack", "from horse_1", "to horse_3", "number 2", "done")
    assert state(match).killed == 1  # one fell to the fortress, one for one
    play(match, "play scorched_earth", "pay bear_with_eagle", "pay bear_with_eagle")
    assert army(match, "horse_3") == 0
    play(match, "play subjugate", "pay bear_with_lion", "pay lion_with_bear")
    assert state(match).todo == 4
    play(match, *["place bear_1"] * 4)
    play(match, "play subjugate", "pay bear_with_lion", "pay lion_with_bear", *["place bear_2"] * 4)
    assert army(match, "bear_1") == 4
    assert army(match, "bear_2") == 4


@cites(GAME, "A23", "A59")
def test_subjugate_does_not_count_own_losses() -> None:
    match = at_seat("bear_marshal", army={"horse_1": 3}, holder={"horse_1": "bear"},
                    hand={"raven": {"bear_with_lion": 1, "lion_with_bear": 1}})  # fmt: skip
    play(match, "act attack", "from horse_1", "to horse_3", "number 2", "done")
    assert refused(match, "play subjugate") == "A59"


# --- Midnight Oil -----------------------------------------------------------------------------------------


OIL = {"lion_with_horse": 2, "horse_with_lion": 2}


@cites(GAME, "C20", "A18", "W5", "A53", "A59")
def test_midnight_oil_repeats_with_fresh_choices() -> None:
    match = at_seat("bear_marshal", army={"bear_3": 4, "bear_2": 2, "horse_1": 1, "lion_2": 0},
                    hand={"raven": {**OIL, "bear_with_lion": 2}})  # fmt: skip
    play(match, "act attack", "from bear_3", "to horse_1", "number 3", "done")
    assert "play subjugate" in legal(match)
    play(match, "play midnight_oil", "pay lion_with_horse", "pay horse_with_lion")
    assert word(match) == "source"
    play(match, "from bear_2", "to lion_2", "number 2", "done")
    assert refused(match, "play subjugate") == "A59"  # only the latest attack counts, and it destroyed nobody
    play(match, "play midnight_oil", "pay lion_with_horse", "pay horse_with_lion", "from horse_1", "to horse_2",
         "number 1", "done")  # fmt: skip
    assert holder(match, "horse_2") == "bear"


@cites(GAME, "C20", "A18")
def test_midnight_oil_repeats_the_formula_of_the_seat() -> None:
    match = at_seat("bear_marshal", army={"bear_1": 1}, hand={"raven": OIL})
    play(match, "act add", *["place bear_1"] * 4, "play midnight_oil", "pay lion_with_horse", "pay horse_with_lion")
    assert state(match).todo == 4
    play(match, *["place bear_2"] * 4)
    assert army(match, "bear_2") == 4


@cites(GAME, "A18", "A60", "A17", "A66")
def test_midnight_oil_after_a_swap() -> None:
    match = at_seat("horse_chancellor", army={}, hand={"raven": OIL})
    play(match, "act swap", "seat horse_marshal", "act add", "place horse_3", "place horse_3", "play midnight_oil",
         "pay lion_with_horse", "pay horse_with_lion")  # fmt: skip
    assert state(match).todo == 2  # the Marshal's action, not the exchange
    match = at_seat("horse_chancellor", army={"horse_3": 20}, hand={"raven": OIL})
    play(match, "act swap", "seat horse_marshal")
    assert legal(match) == {"pass"}
    play(match, "pass")
    assert word(match) == "after"
    assert refused(match, "play midnight_oil") == "A66"


@cites(GAME, "A59", "A52", "C20")
def test_midnight_oil_must_leave_what_the_attack_needs() -> None:
    """The Horse card that Armada needs cannot pay for Midnight Oil if no ordinary attack is left."""
    hand = {"eagle_with_bear": 1, "horse_with_eagle": 1, "horse_with_bear": 1, "lion_with_horse": 1}
    given = {"army": {"horse_10": 2, "horse_4": 3}, "hand": {"raven": hand}}
    match = at_seat("horse_chancellor", **given)
    play(match, "act attack", "from horse_10", "to elephant_1", "number 2", "done")
    assert holder(match, "elephant_1") == "horse"
    assert army(match, "elephant_1") == 1  # it cannot leave; Foalfields has no enemy beside it
    play(match, "play midnight_oil", "pay lion_with_horse")
    assert legal(match) == {"pay horse_with_bear"}
    assert refused(match, "pay horse_with_eagle") == "A59"
    play(match, "pay horse_with_bear")
    assert legal(match) == {"play armada"}
    play(match, "play armada", "pay eagle_with_bear", "pay horse_with_eagle", "from horse_4", "to bear_6", "number 3")
    assert holder(match, "bear_6") == "horse"


@cites(GAME, "C13", "C16", "A60", "A3")
def test_every_reserve_may_be_short() -> None:
    match = at_seat("bear_marshal", army={"horse_1": 19, "horse_2": 3}, holder={"horse_1": "bear"},
                    hand={"raven": {"bear_with_lion": 1, "lion_with_bear": 1}})  # fmt: skip
    play(match, "act attack", "from horse_1", "to horse_2", "number 18", "done")
    assert reserve(match, BEAR) == 4
    play(match, "play subjugate", "pay bear_with_lion", "pay lion_with_bear")
    assert state(match).todo == 3
    assert reserve(match, ELEPHANT) == 20
    assert region(match, "horse_2") == 31
