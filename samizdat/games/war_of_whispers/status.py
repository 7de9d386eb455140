"""A War of Whispers: the status line, who is to do what."""

from __future__ import annotations

from typing import Any

from samizdat.games.war_of_whispers.points import POINTS
from samizdat.kernel.boards import Seen, Status
from samizdat.kernel.game import Game
from samizdat.kernel.prompts import Prompt, Prompts
from samizdat.kernel.telling import Listing, Many, Phrase, Word, template


def _words(seen: Seen) -> dict[str, Any]:
    """The names of what is being resolved."""
    doing = seen.view["resolving"] or {}
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
    return words


def _plain(do: str, left: str) -> Prompt:
    """Two sentences that need nothing but those names."""

    def status(game: Game, seen: Seen) -> Status:
        words = _words(seen)
        return Status(Phrase(do, words), Phrase(left, words))

    return status


def _deploy(game: Game, seen: Seen) -> Status:
    count = Many("{n} agent left to place", "{n} agents left to place", seen.view["agents_to_place"])
    left = Phrase("{count}; a vacant seat is controlled by the next agent further on.", {"count": count})
    if seen.view["options"]["advanced"]:
        return Status(Phrase("Place an agent on a free council seat or on the map."), left)
    return Status(Phrase("Place an agent on a free council seat."), left)


def _before(game: Game, seen: Seen) -> Status:
    words = _words(seen)
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


def _action(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    do = Phrase("Act as {seat}.", words)
    if any(notation.startswith("act ") for notation in seen.legal):
        return Status(do, Phrase("Take one of its actions; cards can be played after it."))
    return Status(do, Phrase("The seat has nothing to do: pass; cards can be played after it."))


def _target(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    march = Many("{n} banner may march.", "Up to {n} banners may march.", seen.view["resolving"]["may_march"])
    return Status(
        Phrase("Attack for {empire} from {source}. Choose where.", words),
        Phrase("{march} One of them falls at a fortress.", {"march": march}),
    )


def _force(game: Game, seen: Seen) -> Status:
    words = _words(seen)
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


def _join(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    march = Many("{n} banner marches", "{n} banners march", seen.view["resolving"]["banners_attacking"])
    return Status(
        Phrase("{march} on {target}. Fight, or add to the attack.", {**words, "march": march}),
        Phrase("Only cards that join an attack can be played now."),
    )


def _after(game: Game, seen: Seen) -> Status:
    words = _words(seen)
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


def _pay(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    row = next(one for one in game.box.text.tables["abilities"] if one["id"] == seen.view["resolving"]["ability"])
    cost = Listing([Word("empires", id) for id in row["cost"]], "and")
    paid = seen.view["resolving"]["paid"]
    do = Phrase("{ability}: choose the card you discard for it.", words)
    if paid:
        return Status(do, Phrase("Paid: {card}; one more card is due.", {"card": Word("cards", paid)}))
    return Status(do, Phrase("It costs {cost}; one of the cards must show it.", {"cost": cost}))


def _choose_post(game: Game, seen: Seen) -> Status:
    words = _words(seen)
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


def _choose_region(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    do, left = AIMS[seen.view["resolving"]["ability"]]
    return Status(Phrase(do, words), Phrase(left))


def _choose_number(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    numbers = [int(notation.split()[1]) for notation in seen.legal]
    left = Phrase("At most {n}.", {"n": max(numbers)})
    ability = seen.view["resolving"]["ability"]
    if ability == "mercenaries":
        return Status(Phrase("{ability} in {region}. How many banners are destroyed?", words), left)
    if ability == "reinforcements":
        return Status(Phrase("{ability} from {region}. How many banners join the attack?", words), left)
    return Status(Phrase("{ability} from {source} to {target}. How many banners march?", words), left)


def _lift(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    chosen = seen.view["resolving"]["banners_to_place"] + (len(seen.draft.chosen) if seen.draft else 0)
    words["owner"] = Word("empires", seen.view["resolving"]["banners_of"])
    return Status(
        Phrase("{ability}: lift the banners of {owner} that shall stand elsewhere.", words),
        Phrase(
            "Lifted so far: {n}. A conquered region keeps one, and no region may stay above its limit.",
            {"n": chosen},
        ),
    )


def _place(game: Game, seen: Seen) -> Status:
    words = _words(seen)
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


def _burn(game: Game, seen: Seen) -> Status:
    words = _words(seen)
    rest = seen.view["resolving"]["banners_to_place"] - (len(seen.draft.chosen) if seen.draft else 0)
    return Status(
        Phrase("{ability}: destroy enemy banners next to {region}.", words),
        Phrase("Up to {n} more; at least one in all.", {"n": rest}),
    )


def _reset(game: Game, seen: Seen) -> Status:
    assert seen.seat is not None, "a spectator discards nothing"
    rest = seen.view["players_at_table"][seen.seat]["to_discard"] - (len(seen.draft.chosen) if seen.draft else 0)
    do = Phrase("Discard down to {n} cards.", {"n": game.box.text.constants["hand_limit"]})
    if rest == 0:
        return Status(do, Phrase("Enough are chosen: confirm it, or take some back."))
    return Status(do, Phrase("{n} more; everyone discards at once, and only the colours are seen.", {"n": rest}))


PROMPTS = Prompts(
    POINTS,
    {
        "retrieve": _plain(
            template("Take back one of your agents."),
            template("Its seat becomes free for everyone; the agent is placed again in a moment."),
        ),
        "deploy": _deploy,
        "before": _before,
        "action": _action,
        "exchange_seat": _plain(
            template("Choose the seat your agent exchanges with."),
            template("Whoever sits there goes to the seat of the Chancellor; then the new seat acts."),
        ),
        "source": _plain(
            template("Attack for {empire}. Choose from where."),
            template("Regions with banners that may leave and a target next to them are marked."),
        ),
        "target": _target,
        "force": _force,
        "join": _join,
        "place": _place,
        "after": _after,
        "pay": _pay,
        "choose_post": _choose_post,
        "choose_empire": _plain(
            template("{ability}: choose the empire whose banners are rearranged."),
            template("Click the name of its council."),
        ),
        "choose_region": _choose_region,
        "choose_other": _plain(
            template("{ability} from {source}. Choose where to."),
            template("Any other region of {empire} will do, however far."),
        ),
        "choose_number": _choose_number,
        "lift": _lift,
        "burn": _burn,
        "reset": _reset,
        "swap_loyalty": _plain(
            template("Swap two of your hidden loyalties, or keep them."),
            template("Two that are swapped lie open for everyone from now on, and for good."),
        ),
    },
)
status = PROMPTS.status
