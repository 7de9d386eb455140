"""A War of Whispers: why a move is not open, in one sentence with its rule; from the seat's hidden record only."""

from __future__ import annotations

from typing import Any

from samizdat.games.war_of_whispers.box import ABILITY_IDS
from samizdat.games.war_of_whispers.rules_attack import may_send
from samizdat.games.war_of_whispers.rules_banners import above_limit, burns, most_banners, region_fits
from samizdat.games.war_of_whispers.rules_cards import in_window, second_card_fits
from samizdat.games.war_of_whispers.rules_council import action_of, controller, on_map
from samizdat.games.war_of_whispers.rules_hand import cards_of, deck_size, in_hand, payable
from samizdat.games.war_of_whispers.rules_map import active_empire, movable
from samizdat.games.war_of_whispers.state import (
    ACTION_WORDS,
    ADD,
    ANOTHER_VOICE,
    BURN,
    CHANGE_OF_COURT,
    CHOOSE_OTHER,
    CHOOSE_REGION,
    CITY_GARRISON,
    DISPERSAL,
    DRAW,
    EXCHANGE_SEAT,
    FORCE,
    FORCED_MARCH,
    LIFT,
    MERCENARIES,
    MIDNIGHT_OIL,
    NOTHING,
    POPULATE,
    POSITIONS,
    RECRUIT,
    REDEPLOYMENT,
    REINFORCEMENTS,
    UPRISING,
    State,
)
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Word, template

# What is wrong with a region or an empire that a card cannot be used on.
AIMS = {
    FORCED_MARCH: template("banners march from a region of the active empire, and a conquered one keeps a banner."),
    REINFORCEMENTS: template(
        "reinforcements come from a region of the active empire, and a conquered one keeps a banner."
    ),
    CITY_GARRISON: template("a garrison needs a city whose empire has banners in reserve."),
    RECRUIT: template("recruits need an empty region whose empire has banners in reserve."),
    UPRISING: template(
        "an uprising needs an empty region without city or fortress whose empire has banners in reserve."
    ),
    MERCENARIES: template("there is no banner to destroy there."),
    DISPERSAL: template("there is no banner to disperse there."),
}


def rule_of(ability: int) -> str:
    """The rule that describes an ability: C1 to C20."""
    return f"C{ability + 1}"


def why_not(game: Game, s: State, seat: int, move: Move) -> Line:
    """Why a move of a kind that the point asks for is not open to this seat now: one sentence and its rule."""
    reasons: dict[str, Any] = {
        "pass": _pass, "done": _done, "act": _act, "play": _play, "pay": _pay, "seat": _seat, "empire": _empire,
        "number": _number, "from": _from, "to": _to, "in": _in, "place": _place, "burn": _burn,
        "retrieve": _retrieve, "recall": _retrieve, "deploy": _deploy, "station": _station, "discard": _discard,
        "swap": _swap,
    }  # fmt: skip
    line: Line = reasons[move.kind](game, s, seat, move)
    return line


def _index(game: Game, table: str, move: Move, arg: str) -> int:
    return game.box.names[table].index(move.args[arg])


def _word(table: str, id: str) -> Word:
    return Word(table, id)


def _region(game: Game, move: Move) -> tuple[int, dict[str, Word]]:
    return _index(game, "regions", move, "region"), {"region": _word("regions", move.args["region"])}


# --- R5 Agents ------------------------------------------------------------------------------------------


def _retrieve(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line("R5.1", "you have no agent there.")


def _deploy(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line("R5.2", "there is an agent on that seat already.")


def _station(game: Game, s: State, seat: int, move: Move) -> Line:
    region, words = _region(game, move)
    if not s.advanced:
        return Line("R17.1", "agents are placed on the map only with the advanced rule.")
    if (s.stationed[seat] >> region) & 1:
        return Line("R17.2", "you have an agent in {region} already.", words)
    return Line("A43", "you have {most} agents on the map already.", {"most": on_map(s, seat)})


# --- R6 Actions -----------------------------------------------------------------------------------------


def _pass(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line("A1", "the seat can act, so it must.")


def _act(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    kind = ACTION_WORDS.index(move.args["action"])
    action = action_of(printed, s.post, kind)
    empire = s.post // POSITIONS
    if action == NOTHING:
        words = {"seat": _word("councils", game.box.names["councils"][s.post])}
        return Line("R6.4", "that is no action of the {seat}.", words)
    if kind == ADD and s.reserve[empire] == 0:
        return Line("R7.3", "the empire has no banner in reserve.")
    if kind == DRAW and deck_size(printed, s, empire) == 0:
        return Line("A7", "that deck is empty.")
    if kind in (ADD, DRAW):
        return Line("A2", "it would bring nothing.")
    return Line("R10.1", "no region of the empire can attack another, and you cannot pay to open an attack.")


def _seat(game: Game, s: State, seat: int, move: Move) -> Line:
    post = _index(game, "councils", move, "seat")
    if s.point == EXCHANGE_SEAT:
        return Line("R9.1", "the exchange is with another seat of the same council.")
    if s.ability == CHANGE_OF_COURT:
        return Line(rule_of(CHANGE_OF_COURT), "there is an agent on that seat.")
    if post == s.marker:
        return Line("A14", "that is the active seat itself.")
    if controller(s, post) != seat:
        return Line("A14", "you do not control that seat.")
    return Line("A11", "that seat has nothing to do.")


# --- R10 Attack -----------------------------------------------------------------------------------------


def _from(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    region, words = _region(game, move)
    if s.point == LIFT:
        return _lift(game, s, region, words)
    if s.point == CHOOSE_REGION:
        return _aim(game, s, region, words)
    empire = active_empire(s)
    if s.holder[region] != empire:
        return Line("R10.1", "the active empire does not control {region}.", words)
    if s.pressed and region != s.attacked:
        return Line(rule_of(0), "only the survivors of the attack before can press on.")
    if s.army[region] == 0:
        return Line("R10.2", "there is no banner in {region}.", words)
    if movable(printed, s, region) == 0:
        return Line("R10.3", "{region} is conquered; its last banner must stay.", words)
    return Line("R10.1", "{region} has no target next to it.", words)


def _to(game: Game, s: State, seat: int, move: Move) -> Line:
    region, words = _region(game, move)
    if s.point == CHOOSE_OTHER:
        return Line(rule_of(FORCED_MARCH), "the banners march to another region of the active empire.")
    if s.holder[region] == active_empire(s):
        return Line("R10.4", "the active empire controls {region} itself.", words)
    return Line("R10.1", "{region} does not lie next to the source by land.", words)


def _number(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    number = int(move.args["number"])
    if s.point == FORCE:
        most = may_send(printed, s, active_empire(s), s.source)
        if number <= s.army[s.source] and not s.pressed:
            return Line("R10.3", "a conquered region keeps a banner; at most {most} may go.", {"most": most})
        return Line(rule_of(0) if s.pressed else "R10.2", "at most {most} banners can attack.", {"most": most})
    most = most_banners(printed, s)
    words = {"most": most}
    if s.ability != MERCENARIES and number <= s.army[s.used_on] and most == movable(printed, s, s.used_on):
        return Line("R10.3", "a conquered region keeps a banner; at most {most} may go.", words)
    return Line(rule_of(s.ability), "at most {most}.", words)


# --- R7 Placing -----------------------------------------------------------------------------------------


def _place(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    region, words = _region(game, move)
    if s.holder[region] != s.colour:
        rule = "R7.2" if s.ability == NOTHING else rule_of(s.ability)
        return Line(rule, "the empire whose banners these are does not control {region}.", words)
    if s.ability == DISPERSAL and not (printed.near[s.used_on] >> region) & 1:
        return Line(rule_of(DISPERSAL), "{region} does not lie next to the region they leave.", words)
    if s.ability == REDEPLOYMENT and (s.lifted >> region) & 1:
        return Line("A28", "{region} gave banners, so it takes none.", words)
    if s.ability == REDEPLOYMENT and s.army[region] >= printed.limit[region]:
        return Line("A28", "{region} is at its supply limit.", words)
    if s.ability == POPULATE and region == s.cursor - 1:
        return Line(rule_of(POPULATE), "each region gets one banner.")
    if region < s.cursor:
        return Line("A64", "banners are placed in the order of the regions.")
    return Line("A64", "the rest could then not be placed any more in the order of the regions.")


def _burn(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    region, words = _region(game, move)
    if not burns(printed, s, s.used_on, region):
        return Line("C15", "there is no enemy banner in {region}, or it does not lie next to the fire.", words)
    return Line("A64", "banners are destroyed in the order of the regions.")


def _done(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    if s.point == BURN:
        return Line("A60", "at least one banner is destroyed.")
    if above_limit(printed, s, s.colour, 0, printed.regions):
        return Line("A28", "a region holds more than its supply limit.")
    return Line("A59", "a Redeployment that changes nothing cannot be made.")


# --- R15 Cards ------------------------------------------------------------------------------------------


def _play(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    ability = ABILITY_IDS.index(move.args["ability"])
    words = {"ability": _word("abilities", move.args["ability"])}
    if not (in_window(s.point) >> ability) & 1:
        return Line("R15.1", "{ability} cannot be played at this moment.", words)
    if cards_of(s, seat) == 0 or not payable(printed, s, seat, ability, in_hand(printed, s, seat)):
        return Line("R15.2", "you do not hold the cards that {ability} costs.", words)
    if ability in (CHANGE_OF_COURT, ANOTHER_VOICE):
        return Line("C2" if ability == CHANGE_OF_COURT else "A11", "there is no seat to use {ability} on.", words)
    if ability == MIDNIGHT_OIL and s.last == NOTHING:
        return Line("A66", "no action was taken that {ability} could repeat.", words)
    return Line("A59", "{ability} would change nothing.", words)


def _pay(game: Game, s: State, seat: int, move: Move) -> Line:
    printed: Any = game.box.record
    face = _index(game, "cards", move, "card")
    if s.hand[seat, face] == 0:
        return Line("R15.2", "you do not hold that card.")
    wanted = printed.cost_too[s.ability] if s.paid != NOTHING else printed.cost[s.ability]
    if printed.deck[face] != wanted:
        other = {"empire": _word("empires", game.box.names["empires"][wanted])}
        if wanted != printed.cost_too[s.ability] and printed.deck[face] == printed.cost_too[s.ability]:
            return Line("A64", "the card of {empire} is paid first.", other)
        return Line("R15.2", "a card of {empire} is needed.", other)
    if s.paid != NOTHING and face < s.paid and printed.cost[s.ability] == printed.cost_too[s.ability]:
        return Line("A64", "equal cards are paid in the order of the cards.")
    shown = printed.shows[face] | (printed.shows[s.paid] if s.paid != NOTHING else 0)
    if not (shown >> s.ability) & 1 and (s.paid != NOTHING or not second_card_fits(printed, s, seat, face)):
        return Line("A50", "one of the cards must show the ability.")
    return Line("A59", "the cards that are left could not pay for the rest.")


def _in(game: Game, s: State, seat: int, move: Move) -> Line:
    region, words = _region(game, move)
    return _aim(game, s, region, words)


def _aim(game: Game, s: State, region: int, words: dict[str, Word]) -> Line:
    printed: Any = game.box.record
    if region_fits(printed, s, s.ability, region):
        return Line(rule_of(s.ability), "name that region the other way: banners leave it, or they do not.")
    if s.ability in (FORCED_MARCH, REINFORCEMENTS) and s.holder[region] == active_empire(s) and s.army[region] == 1:
        return Line("R10.3", "{region} is conquered; its last banner must stay.", words)
    text = AIMS.get(
        s.ability, template("a banner of the active empire must stand there, with an enemy banner next to it.")
    )
    return Line(rule_of(s.ability), text)


def _empire(game: Game, s: State, seat: int, move: Move) -> Line:
    return Line("A28", "its banners cannot be arranged in another way within the supply limits.")


def _lift(game: Game, s: State, region: int, words: dict[str, Word]) -> Line:
    printed: Any = game.box.record
    if s.holder[region] != s.colour:
        return Line("A28", "that empire does not control {region}.", words)
    if movable(printed, s, region) == 0:
        return Line("A28", "no banner may leave {region}.", words)
    if region < s.cursor:
        return Line("A64", "banners are lifted in the order of the regions.")
    if above_limit(printed, s, s.colour, 0, region):
        return Line("A28", "a region before {region} holds more than its supply limit.", words)
    return Line("A28", "there would be no room for it within the supply limits.")


# --- R13, R14 Reset and Swap ----------------------------------------------------------------------------


def _discard(game: Game, s: State, seat: int, move: Move) -> Line:
    face = _index(game, "cards", move, "card")
    if s.hand[seat, face] == 0:
        return Line("R13", "you do not hold that card.")
    return Line("A64", "cards are discarded in the order of the cards.")


def _swap(game: Game, s: State, seat: int, move: Move) -> Line:
    slot, other = _index(game, "slots", move, "slot"), _index(game, "slots", move, "other")
    if slot >= other:
        return Line("A64", "name two slots, the one with the higher place first.")
    return Line("R14", "only tokens that lie face down can be swapped.")
