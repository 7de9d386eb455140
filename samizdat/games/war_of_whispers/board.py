"""A War of Whispers: its board, drawn from what one seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.war_of_whispers import state as e
from samizdat.games.war_of_whispers.answers import answer, legend
from samizdat.games.war_of_whispers.drafts import compose
from samizdat.games.war_of_whispers.effects import EFFECTS
from samizdat.games.war_of_whispers.ending import ending
from samizdat.games.war_of_whispers.picture import inks_of, picture, yield_of
from samizdat.games.war_of_whispers.state import ABILITIES
from samizdat.games.war_of_whispers.story import tell
from samizdat.kernel.boards import TABLE, Effort, Reveal, Seen, Status, Tab
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word, template

__all__ = [
    "BLURB", "BUTTONS", "EFFECTS", "EFFORT", "GLYPH", "INKS", "MARKS", "SHEET", "TABS", "VARIANTS", "answer",
    "compose", "ending", "label", "legend", "origin", "picture", "reveals", "status", "where",
]  # fmt: skip

GLYPH = "agent"
INKS = ("white", "orange", "black", "purple")
BLURB = Phrase("Five empires fight; no one owns them. Whisper in their councils, hide your loyalties.")
EFFORT = Effort(minutes=(30, 60), learning=4)  # published as half an hour to an hour; 2,210 words of rules
TABS = (
    Tab("councils", "crown", Phrase("Councils"), holds=True),
    Tab("hand", "cards", Phrase("Cards"), holds=True),
    TABLE,
)
VARIANTS: dict[str, Phrase] = {}  # the standard game alone
SHEET = {
    "act": "councils", "seat": "councils", "empire": "councils", "retrieve": "councils", "recall": "councils",
    "deploy": "councils", "station": "councils", "play": "hand", "pay": "hand", "discard": "hand",
}  # fmt: skip
MARKS = {"regions": "region-{}", "councils": "post-{}"}
BUTTONS = {"done": True, "pass": False, "act": False}

View = Mapping[str, Any]


def where(game: Game, view: View) -> Phrase:
    words = {"round": view["round"], "rounds": game.box.text.constants["rounds"]}
    if view["marker"]:
        return Phrase("Round {round} of {rounds} · {seat}", {**words, "seat": Word("councils", view["marker"])})
    return Phrase("Round {round} of {rounds} · {phase}", {**words, "phase": PHASES[view["point"]]})


PHASES = {
    "retrieve": Phrase("Deploy Agents"),
    "deploy": Phrase("Deploy Agents"),
    "reset": Phrase("Reset"),
    "swap_loyalty": Phrase("Swap"),
    "over": Phrase("The end"),
}


# --- The status line ------------------------------------------------------------------------------------


def status(game: Game, seen: Seen) -> Status:
    """What to do, and what is left and why."""
    view = seen.view
    doing = view["resolving"] or {}
    words: dict[str, Any] = {
        name: Word(table, doing[name])
        for name, table in (
            ("empire", "empires"), ("ability", "abilities"), ("source", "regions"), ("target", "regions")
        )
        if doing.get(name)
    }  # fmt: skip
    if doing:
        words["seat"] = Word("councils", doing["seat"])
    if doing.get("used_on"):
        words["region"] = Word("regions", doing["used_on"])
    if view["point"] in STATUS:
        found: Status = STATUS[view["point"]](game, seen, words)
        return found
    do, left = SIMPLE[view["point"]]
    return Status(Phrase(do, words), Phrase(left, words))


# Points whose two sentences need nothing but the names of what is being resolved.
SIMPLE: dict[str, tuple[str, str]] = {
    "retrieve": (
        template("Take back one of your agents."),
        template("Its seat becomes free for everyone; the agent is placed again in a moment."),
    ),
    "exchange_seat": (
        template("Choose the seat your agent exchanges with."),
        template("Whoever sits there goes to the seat of the Chancellor; then the new seat acts."),
    ),
    "source": (
        template("Attack for {empire}. Choose from where."),
        template("Regions with banners that may leave and a target next to them are marked."),
    ),
    "choose_empire": (
        template("{ability}: choose the empire whose banners are rearranged."),
        template("Click the name of its council."),
    ),
    "choose_other": (
        template("{ability} from {source}. Choose where to."),
        template("Any other region of {empire} will do, however far."),
    ),
    "swap_loyalty": (
        template("Swap two of your hidden loyalties, or keep them."),
        template("Two that are swapped lie open for everyone from now on, and for good."),
    ),
}


def _deploy(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    count = Many("{n} agent left to place", "{n} agents left to place", seen.view["agents_to_place"])
    left = Phrase("{count}; a vacant seat is controlled by the next agent further on.", {"count": count})
    if seen.view["options"]["advanced"]:
        return Status(Phrase("Place an agent on a free council seat or on the map."), left)
    return Status(Phrase("Place an agent on a free council seat."), left)


def _before(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    acts = any(notation.startswith("act ") for notation in seen.legal)
    plays = any(notation.startswith("play ") for notation in seen.legal)
    do = Phrase("Act as {seat}.", words)
    if acts and plays:
        return Status(do, Phrase("Take one of its actions, or play a card first."))
    if acts:
        return Status(do, Phrase("Take one of its actions; there is no card for you to play before it."))
    if plays:
        return Status(do, Phrase("The seat has nothing to do; play a card or pass."))
    return Status(do, Phrase("The seat has nothing to do, and no card of yours fits: pass."))


def _action(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    do = Phrase("Act as {seat}.", words)
    if any(notation.startswith("act ") for notation in seen.legal):
        return Status(do, Phrase("Take one of its actions; cards can be played after it."))
    return Status(do, Phrase("The seat has nothing to do: pass; cards can be played after it."))


def _target(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    march = Many("{n} banner may march.", "Up to {n} banners may march.", seen.view["resolving"]["may_march"])
    return Status(
        Phrase("Attack for {empire} from {source}. Choose where.", words),
        Phrase("{march} One of them falls at a fortress.", {"march": march}),
    )


def _force(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    target = seen.view["resolving"]["target"]
    region = next(one for one in seen.view["regions"] if one["id"] == target)
    row = next(one for one in game.box.text.tables["regions"] if one["id"] == target)
    defend = Many("{n} banner defends it", "{n} banners defend it", region["banners"])
    do = Phrase("{empire} attacks {target} from {source}. How many banners march?", words)
    if not region["banners"]:
        if row["fortress"]:
            return Status(do, Phrase("Nobody defends it, but its fortress destroys one attacker."))
        return Status(do, Phrase("Nobody defends it."))
    if row["fortress"]:
        return Status(do, Phrase("{defend}, and its fortress destroys one attacker.", {"defend": defend}))
    return Status(do, Phrase("{defend}.", {"defend": defend}))


def _join(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    march = Many("{n} banner marches", "{n} banners march", seen.view["resolving"]["banners_attacking"])
    return Status(
        Phrase("{march} on {target}. Fight, or add to the attack.", {**words, "march": march}),
        Phrase("Only cards that join an attack can be played now."),
    )


def _after(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    acted = seen.view["resolving"]["action"] is not None
    plays = any(notation.startswith("play ") for notation in seen.legal)
    do = Phrase(AFTER_ALL[acted, plays], words)
    if seen.view["resolving"]["latest_attack"]:
        return Status(do, Phrase("Cards that refer to the attack can be played until something else begins."))
    return Status(do, Phrase("The next seat acts as soon as you are done."))


# By whether the seat acted (A66) and whether there is a card to play.
AFTER_ALL: dict[tuple[bool, bool], str] = {
    (True, True): template("{seat} has acted. Go on, or play a card."),
    (True, False): template("{seat} has acted."),
    (False, True): template("{seat} takes no action. Go on, or play a card."),
    (False, False): template("{seat} takes no action."),
}


def _pay(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    row = next(one for one in game.box.text.tables["abilities"] if one["id"] == seen.view["resolving"]["ability"])
    cost = Listing([Word("empires", id) for id in row["cost"]], "and")
    paid = seen.view["resolving"]["paid"]
    do = Phrase("{ability}: choose the card you discard for it.", words)
    if paid:
        return Status(do, Phrase("Paid: {card}; one more card is due.", {"card": Word("cards", paid)}))
    return Status(do, Phrase("It costs {cost}; one of the cards must show it.", {"cost": cost}))


def _choose_post(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    if seen.view["resolving"]["ability"] == "change_of_court":
        return Status(
            Phrase("{ability}: choose the free seat your agent moves to.", words),
            Phrase("You then take an action of that seat instead."),
        )
    return Status(
        Phrase("{ability}: choose another seat that you control.", words),
        Phrase("You take one of its actions instead; it still acts in its own time."),
    )


AIMS: dict[str, tuple[str, str]] = {
    "forced_march": (
        template("{ability}: choose the region the banners leave."),
        template("A conquered region keeps a banner."),
    ),
    "reinforcements": (
        template("{ability}: choose the region that sends banners into the attack."),
        template("A conquered region keeps a banner."),
    ),
    "city_garrison": (
        template("{ability}: choose a region with a city."),
        template("It gets banners of the empire that controls it."),
    ),
    "recruit": (
        template("{ability}: choose an empty region."),
        template("It gets banners of the empire that controls it."),
    ),
    "uprising": (
        template("{ability}: choose an empty region without city or fortress."),
        template("It gets banners of the empire that controls it."),
    ),
    "mercenaries": (
        template("{ability}: choose the region whose banners are destroyed."),
        template("You say how many in a moment."),
    ),
    "dispersal": (
        template("{ability}: choose the region that all banners leave."),
        template("With no region of their empire next to it they go back to the reserve."),
    ),
    "alchemists_fire": (
        template("{ability}: choose the region the fire starts from."),
        template("Enemy banners next to it can be destroyed; none is lost in it."),
    ),
}


def _choose_region(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    do, left = AIMS[seen.view["resolving"]["ability"]]
    return Status(Phrase(do, words), Phrase(left))


def _choose_number(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    numbers = [int(notation.split()[1]) for notation in seen.legal]
    left = Phrase("At most {n}.", {"n": max(numbers)})
    ability = seen.view["resolving"]["ability"]
    if ability == "mercenaries":
        return Status(Phrase("{ability} in {region}. How many banners are destroyed?", words), left)
    if ability == "reinforcements":
        return Status(Phrase("{ability} from {region}. How many banners join the attack?", words), left)
    return Status(Phrase("{ability} from {source} to {target}. How many banners march?", words), left)


def _lift(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    chosen = seen.view["resolving"]["banners_to_place"] + (len(seen.draft.chosen) if seen.draft else 0)
    words["owner"] = Word("empires", seen.view["resolving"]["banners_of"])
    return Status(
        Phrase("{ability}: lift the banners of {owner} that shall stand elsewhere.", words),
        Phrase(
            "Lifted so far: {n}. A conquered region keeps one, and no region may stay above its limit.",
            {"n": chosen},
        ),
    )


def _place(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    rest = seen.view["resolving"]["banners_to_place"] - (len(seen.draft.chosen) if seen.draft else 0)
    words["owner"] = Word("empires", seen.view["resolving"]["banners_of"])
    do = Phrase("Place the banners of {owner} in its regions.", words)
    if rest == 0:
        return Status(do, Phrase("All have a place: confirm it, or take some back."))
    count = {"count": Many("{n} banner is left", "{n} banners are left", rest)}
    return Status(do, Phrase(WHERE_TO.get(seen.view["resolving"]["ability"], WHERE_TO[""]), count))


WHERE_TO = {
    "dispersal": template("{count}; next to where they stood."),
    "redeployment": template("{count}; within the supply limits."),
    "populate": template("{count}; one for each region."),
    "": template("{count}; all in one region or apart."),
}


def _burn(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    rest = seen.view["resolving"]["banners_to_place"] - (len(seen.draft.chosen) if seen.draft else 0)
    return Status(
        Phrase("{ability}: destroy enemy banners next to {region}.", words),
        Phrase("Up to {n} more; at least one in all.", {"n": rest}),
    )


def _reset(game: Game, seen: Seen, words: dict[str, Any]) -> Status:
    assert seen.seat is not None, "a spectator discards nothing"
    rest = seen.view["players_at_table"][seen.seat]["to_discard"] - (len(seen.draft.chosen) if seen.draft else 0)
    do = Phrase("Discard down to {n} cards.", {"n": game.box.text.constants["hand_limit"]})
    if rest == 0:
        return Status(do, Phrase("Enough are chosen: confirm it, or take some back."))
    return Status(do, Phrase("{n} more; everyone discards at once, and only the colours are seen.", {"n": rest}))


STATUS: dict[str, Any] = {
    "deploy": _deploy,
    "before": _before,
    "action": _action,
    "target": _target,
    "force": _force,
    "join": _join,
    "after": _after,
    "pay": _pay,
    "choose_post": _choose_post,
    "choose_region": _choose_region,
    "choose_number": _choose_number,
    "lift": _lift,
    "place": _place,
    "burn": _burn,
    "reset": _reset,
}


# --- Decisions ------------------------------------------------------------------------------------------


def origin(game: Game, view: Any, move: Move) -> str:
    """R10.1, C5: the region that banners attack or march from."""
    source = (view["resolving"] or {}).get("source")
    return f"region-{source}" if move.kind == "to" and source else ""


def label(game: Game, view: View, move: Move) -> Phrase | Many:
    """One decision as a short sentence."""
    doing = view["resolving"] or {}
    if move.kind in ("done", "pass"):
        return STOPS.get((move.kind, view["point"]), STOPS[move.kind, ""])
    if move.kind == "act":
        return _label_act(game, view, move)
    if move.kind == "seat":
        text = SEATS.get(doing.get("ability") or "", SEATS[""])
        return Phrase(text, {"seat": Word("councils", move.args["seat"])})
    if move.kind == "number":
        return _label_number(doing.get("ability"), int(move.args["number"]))
    if move.kind == "swap":
        words = {name: Word("slots", move.args[name]) for name in ("slot", "other")}
        return Phrase("Swap {slot} and {other}", words)
    text, table = LABELS[move.kind]
    return Phrase(text, {"it": Word(table, next(iter(move.args.values())))})


LABELS: dict[str, tuple[str, str]] = {
    "play": (template("Play {it}"), "abilities"),
    "pay": (template("Pay with {it}"), "cards"),
    "discard": (template("Discard {it}"), "cards"),
    "empire": (template("Rearrange the banners of {it}"), "empires"),
    "from": (template("From {it}"), "regions"),
    "to": (template("To {it}"), "regions"),
    "in": (template("In {it}"), "regions"),
    "place": (template("A banner to {it}"), "regions"),
    "burn": (template("Destroy a banner in {it}"), "regions"),
    "recall": (template("Take the agent back from {it}"), "regions"),
    "station": (template("An agent to {it}"), "regions"),
    "retrieve": (template("Take the agent back from the seat {it}"), "councils"),
    "deploy": (template("An agent to the seat {it}"), "councils"),
}
STOPS = {
    ("done", "join"): Phrase("Fight"),
    ("done", "lift"): Phrase("Lift no more"),
    ("done", "burn"): Phrase("Burn no more"),
    ("done", ""): Phrase("Go on"),
    ("pass", "swap_loyalty"): Phrase("Keep them"),
    ("pass", ""): Phrase("Pass"),
}
SEATS = {
    "change_of_court": template("Move the agent to the seat {seat}"),
    "another_voice": template("Act through the seat {seat}"),
    "": template("Exchange with the seat {seat}"),
}


def _label_number(ability: str | None, n: int) -> Many:
    if ability == "mercenaries":
        return Many("Destroy {n} banner", "Destroy {n} banners", n)
    if ability == "reinforcements":
        return Many("{n} banner joins", "{n} banners join", n)
    return Many("{n} banner marches", "{n} banners march", n)


def _label_act(game: Game, view: View, move: Move) -> Phrase | Many:
    tables = game.box.text.tables
    row = next(row for row in tables["councils"] if row["id"] == view["resolving"]["seat"])
    kind = move.args["action"]
    action = next((one for one in tables["actions"] if one["id"] in row["actions"] and one["kind"] == kind), None)
    n = yield_of(view, row, action) if action else None
    if kind == "add" and n is not None:
        return Many("Add {n} banner", "Add {n} banners", n)
    if kind == "draw" and n is not None:
        return Many("Draw {n} card", "Draw {n} cards", n)
    return Phrase("Attack") if kind == "attack" else Phrase("Swap the agent")


# --- Revelations ----------------------------------------------------------------------------------------


def reveals(game: Game, told: Sequence[Told], viewer: int) -> list[Reveal]:
    """Attacks with losses, cards played or drawn, loyalties; the end token by token."""
    steps: list[Reveal] = []
    if any(one.event in (e.FORTRESS, e.FIGHTS) for one in told):
        steps.append(_battle(game, told, viewer))
    for one in told:
        if one.event == e.PLAYS and one.args[0] != viewer and one.args[1] < ABILITIES:
            ability = game.box.names["abilities"][one.args[1]]
            cost = next(row["cost"] for row in game.box.text.tables["abilities"] if row["id"] == ability)
            data = {"kind": "play", "ability": ability, "effect": EFFECTS[ability], "cost": cost}
            steps.append(Reveal(_lines(game, [one], viewer), (f"seat-{one.args[0]}",), data))
        elif one.event == e.DRAWS_CARD:
            data = {"kind": "card", "card": game.box.names["cards"][one.args[1]]}
            steps.append(Reveal(_lines(game, [one], viewer), ("hand",), data))
        elif one.event == e.SWAPS_LOYALTY and one.args[0] != viewer:
            empires, slots = game.box.names["empires"], game.box.names["slots"]
            pairs = [(slots[one.args[1]], empires[one.args[2]]), (slots[one.args[3]], empires[one.args[4]])]
            steps.append(
                Reveal(_lines(game, [one], viewer), (f"seat-{one.args[0]}",), {"kind": "swap", "pairs": pairs})
            )
    return steps + _end(game, told, viewer)


def _lines(game: Game, told: Sequence[Told], viewer: int) -> tuple[Line, ...]:
    return tuple(tell(game, list(told), viewer))


def _battle(game: Game, told: Sequence[Told], viewer: int) -> Reveal:
    """One attack: who met whom, who fell, who holds the region."""
    shown = [one for one in told if one.event in BATTLE]
    inks = list(inks_of(game).items())
    region = next(one.args[0] for one in shown if one.event in (e.FORTRESS, e.FIGHTS))
    data: dict[str, Any] = {"kind": "battle", "fortress": False, "lost": 0, "attacker": None, "defender": None}
    for one in shown:
        if one.event == e.ATTACKS:
            data["attacker"] = inks[one.args[0]]
        elif one.event == e.FORTRESS:
            data["fortress"], data["attacker"] = True, inks[one.args[1]]
        elif one.event == e.FIGHTS:
            data["lost"], data["defender"] = one.args[1], inks[one.args[3]]
        elif one.event == e.TAKES:
            data["attacker"], data["left"] = inks[one.args[1]], (inks[one.args[1]], one.args[2])
        elif one.event == e.HOLDS:
            data["left"] = (inks[one.args[1]], one.args[2])
        elif one.event == e.EMPTIED:
            data["left"] = None
    data["region"] = game.box.names["regions"][region]
    return Reveal(_lines(game, shown, viewer), (f"region-{data['region']}",), data, minor=True)


BATTLE = (e.ATTACKS, e.JOINS, e.FORTRESS, e.FIGHTS, e.TAKES, e.HOLDS, e.EMPTIED)


def _end(game: Game, told: Sequence[Told], viewer: int) -> list[Reveal]:
    """R16: the cities of the empires, then every loyalty token with what it scores, then the sum of each seat."""
    cities = {one.args[0]: one.args[1] for one in told if one.event == e.CITIES}
    if not cities:
        return []
    counted = [one for one in told if one.event == e.CITIES]
    inks = list(inks_of(game).items())
    table = [(*inks[empire], number) for empire, number in cities.items()]
    steps = [Reveal(_lines(game, counted, viewer), ("councils",), {"kind": "cities", "cities": table})]
    values = [row["value"] for row in game.box.text.tables["slots"]]
    total = 0
    for one in told:
        focus = (f"seat-{one.args[0]}",)
        if one.event == e.LOYALTY:
            seat, slot, empire = one.args[:3]
            points = values[slot] * cities[empire]
            total += points
            data: dict[str, Any] = {
                "kind": "token", "seat": seat, "slot": game.box.names["slots"][slot], "empire": inks[empire],
                "cities": cities[empire], "value": values[slot], "points": points, "total": total,
            }  # fmt: skip
            steps.append(Reveal(_lines(game, [one], viewer), focus, data))
        elif one.event == e.SCORES:
            # What the tokens do not explain comes from agents on the map (R17.3) and hidden tokens (V2).
            data = {"kind": "total", "seat": one.args[0], "points": one.args[1], "more": one.args[1] - total}
            steps.append(Reveal(_lines(game, [one], viewer), focus, data))
            total = 0
    ending = [one for one in told if one.event == e.ENDS]
    return [*steps, Reveal(_lines(game, ending, viewer), ("end",), {"kind": "end"})]
