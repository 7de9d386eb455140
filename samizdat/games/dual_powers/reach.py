"""Dual Powers: what can come about with one box, one choice of options and one or two players."""

from __future__ import annotations

from typing import Any

import numpy as np

from samizdat.games.dual_powers.state import (
    COMMANDS,
    FACTIONS,
    GONE,
    LEADERS,
    LEVELS,
    MOST_DRAWN,
    NONE,
    OCTOBER,
    OUT_OF_SIGHT,
    REGIONS,
    THIRD_ROUND,
    TOKENS,
    UNSEEN,
)
from samizdat.kernel.game import Game
from samizdat.kernel.reach import NEVER, Reach, first, fixed, members, up_to


def most_rounds(printed: Any, players: int) -> int:
    """S11: solitaire has a fixed number of rounds. With two players the calendar ends the game.

    After the draw phase the hands together hold at least twice the cards of one draw, so one of them holds at least
    that many and its owner plays a card in every turn of the round. A round thus takes at least as many days as that,
    and the month that ends the game is reached within the days of all months before it.
    """
    if players == 1:
        return int(printed.solitaire_rounds)
    days = [printed.days[card] for card in range(printed.commands)]
    days += [printed.leader_days[leader] for leader in range(printed.leaders)]
    return int(-(-printed.first_end * printed.month_days // (printed.turns * min(days))))


def october_comes(printed: Any, variant: str) -> bool:
    """D10.2: whether the month that ends a game of two is ever reached. The solitaire is over before (S11): in its
    nine turns a round (S4) average cards, with a slide in every month (D5.6), do not move the date so far. Of the
    cards in our box it would take the 27 highest, almost in one order."""
    if variant != "solitaire":
        return True
    plays = printed.solitaire_rounds * (2 * printed.turns + 1)
    days = sum(printed.days[card] for card in range(printed.commands)) / printed.commands
    return bool(plays * days >= printed.first_end * printed.slide_from)


def november_differs(printed: Any) -> bool:
    """A-4: whether the months that end the game differ in their points or in what happens as they begin."""
    ends = range(printed.first_end, printed.months)
    return len({(printed.unrest_vp[month], printed.event[month]) for month in ends}) > 1


def reach(game: Game) -> dict[str, Reach]:
    printed: Any = game.box.record
    cards = printed.commands
    tokens = first(printed.tokens, TOKENS, 1)
    recruits = max(printed.recruit[card] for card in range(cards))
    separate = game.options["october_november_separate"]
    found = {
        "rounds": up_to(most_rounds(printed, game.players)),
        "turns": up_to(2 * printed.turns),
        "reason": up_to(OCTOBER),
        "card": Reach(NONE, cards - 1),
        "leader": Reach(NONE, printed.leaders - 1),
        "value": up_to(recruits),
        "token": Reach(NONE, printed.tokens - 1),
        "score": Reach(-printed.track, printed.track),
        "month": up_to(printed.months - 1 if separate else printed.first_end),
        "day": Reach(1, printed.month_days),
        "unrest": up_to(printed.regions - 1),
        "barred": up_to(printed.regions - 1),
        "removed": up_to(first(printed.regions, REGIONS, 1)),
        "blockade": up_to(printed.connections - 1),
        "marker": Reach(NONE, printed.regions - 1),
        "at": up_to(tokens * GONE),
        "tired": up_to(tokens),
        "led": up_to(first(printed.leaders, LEADERS, 1)),
        "opposition": NEVER,
        "opposition_tired": NEVER,
        "where": up_to(first(cards, COMMANDS, OUT_OF_SIGHT)),
        "objective": Reach(UNSEEN, cards - 1),
        "hand_size": up_to(cards),
        "deck_size": up_to(cards),
        "line": fixed(NONE),
        "line_size": NEVER,
        "line_shown": NEVER,
        "line_kept": NEVER,
        "kept": up_to(members(cards)),
        "kept_by": up_to(cards),
    }
    if game.players == 1:
        found |= _alone(game, tokens)
    return found | _shuffled(game)


def _alone(game: Game, tokens: Any) -> dict[str, Reach]:
    """S1 to S10: what differs in the solitaire."""
    printed: Any = game.box.record
    faction: int = game.blank().faction  # type: ignore[attr-defined]
    own = np.arange(FACTIONS) == faction
    # S1.1: units of the faction that was not chosen go back into the printed box.
    boxed = [
        token < printed.tokens and printed.faction[token] == 1 - faction and printed.is_leader[token] == 0
        for token in range(TOKENS)
    ]
    levels = np.array([[printed.level_count[level]] for level in range(LEVELS)]) * first(printed.regions, REGIONS, 1)
    return {
        "turns": up_to(2 * printed.turns + 1),  # S4
        "reason": up_to(THIRD_ROUND),
        "first": fixed(1 - faction),  # S3, S4
        "at": Reach(np.where(boxed, GONE, 0), tokens * GONE),
        "tired": up_to(np.where(boxed, 0, tokens)),
        "opposition": up_to(levels),
        "opposition_tired": up_to(levels),
        "hand_size": up_to(own * printed.commands),
        "line": Reach(first(printed.cards_drawn, MOST_DRAWN, UNSEEN, NONE),
                      first(printed.cards_drawn, MOST_DRAWN, printed.commands - 1, NONE)),
        "line_size": up_to(printed.cards_drawn),
        "line_shown": up_to(printed.cards_drawn),
        "line_kept": up_to(printed.cards_drawn),
        "kept_by": up_to(own * printed.commands),
        "objective_kept": up_to(own.astype(int)),
    }  # fmt: skip


def _shuffled(game: Game) -> dict[str, Reach]:
    """D3.2: the deck is shuffled anew only for a card more than it had. A round draws for both factions (D3.1, S2),
    and one card at most for each turn that somebody decides and for unrest (D6.9, D8.1)."""
    printed: Any = game.box.record
    drawn = 2 * printed.cards_drawn + game.players * printed.turns + 1
    beyond = most_rounds(printed, game.players) * drawn - printed.commands
    if beyond > 0:
        return {"reshuffles": up_to(beyond)}
    found = dict.fromkeys(("reshuffles", "kept", "kept_by", "objective_kept", "line_kept"), NEVER)
    return found | (
        {"line_size": fixed(printed.cards_drawn)} if game.players == 1 else {}
    )  # S2: never short of cards
