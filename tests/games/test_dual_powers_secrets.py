"""Dual Powers: the sampler against every world that agrees with what a seat was told, listed one by one.

The lists are made from the told events alone, by rules of their own (a card drawn unseen may be any card of the deck,
and so on), in boxes so small that the deck is shuffled all the time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import samizdat
from samizdat.games.dual_powers import state as st
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.telling import Told
from tests.games.petrograd import small_box

cites = pytest.mark.rules
Cards = frozenset[int]
World = tuple[Any, Any, Cards]  # hand or line of the other side, face-down objective, deck


class Worlds:
    """What one seat can still believe: all worlds that agree with what it heard."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.all: set[World] = {(frozenset(), None, frozenset(range(cards)))}
        self.table: set[int] = set()
        self.discards: set[int] = set()

    def keep(self, worlds: Iterable[World]) -> None:
        self.all = set(worlds)

    def own_draw(self, card: int) -> None:
        self.keep((hand, goal, deck - {card}) for hand, goal, deck in self.all if card in deck)

    def shuffle(self) -> None:
        self.keep((hand, goal, frozenset(self.discards)) for hand, goal, deck in self.all if not deck)
        self.discards = set()

    def clear(self) -> None:
        self.discards |= self.table
        self.table = set()
        self.keep((hand, None, deck) for hand, goal, deck in self.all)


class TwoPlayers(Worlds):
    """Seat's worlds: the other hand (a set), the other objective while face down, the deck."""

    def __init__(self, cards: int, seat: int) -> None:
        super().__init__(cards)
        self.seat = seat

    def hear(self, told: Told) -> None:
        event, who, card = told.event, told.args[0], told.args[1]
        if event == st.DRAWS:
            self.own_draw(card)
        elif event == st.DRAWS_UNSEEN:
            self.keep((hand | {one}, goal, deck - {one}) for hand, goal, deck in self.all for one in deck)
        elif event == st.RESHUFFLES:
            self.shuffle()
        elif event == st.SETS_OBJECTIVE:
            self.keep((hand - {one}, one, deck) for hand, _, deck in self.all for one in hand)
        elif event == st.PLAYS:
            self.table.add(card)
            if who != self.seat:
                self.keep((hand - {card}, goal, deck) for hand, goal, deck in self.all if card in hand)
        elif event in (st.SPIES, st.REVEALS):
            shown = told.args[2] if event == st.SPIES else card
            whose = told.args[1] if event == st.SPIES else who
            self.table.add(shown)
            if whose != self.seat:
                self.keep((hand, None, deck) for hand, goal, deck in self.all if goal in (shown, None))
        elif event == st.CLEARS:
            self.clear()

    def world_of(self, s: Any) -> World:
        other = 1 - self.seat
        hand = frozenset(card for card in range(self.cards) if s.where[card] == st.HAND + other)
        goal = s.objective[other] if s.objective[other] != st.NONE and not s.face_up[other] else None
        return hand, goal, frozenset(card for card in range(self.cards) if s.where[card] == st.DECK)


class Alone(Worlds):
    """The solitaire player's worlds: the opposition's cards to come (in order), the own objective, the deck."""

    def __init__(self, cards: int, seat: int) -> None:
        super().__init__(cards)
        self.keep(((), goal, deck) for _, goal, deck in self.all)
        self.drawing = False

    def deal(self, cards: int) -> None:
        """The next cards of the line, unseen, one after the other."""
        for _ in range(cards):
            self.keep((((*line, one)), goal, deck - {one}) for line, goal, deck in self.all for one in deck)

    def hear(self, told: Told) -> None:
        event, card = told.event, told.args[1]
        some = next(iter(self.all))
        if event == st.DRAWS:
            self.own_draw(card)
        elif event == st.DEALT_OBJECTIVE:
            self.keep((line, one, deck - {one}) for line, _, deck in self.all for one in deck)
            self.drawing = True
        elif event == st.RESHUFFLES:
            if self.drawing:
                self.deal(len(some[2]))
            self.shuffle()
        elif event == st.DEALT_LINE:
            self.deal(told.args[0] - len(some[0]))
            self.drawing = False
        elif event == st.TURNS_UP_CARD:
            self.table.add(told.args[0])
            self.keep((line[1:], goal, deck) for line, goal, deck in self.all if line[0] == told.args[0])
        elif event == st.PLAYS:
            self.table.add(card)
        elif event in (st.SPIES, st.ORGANIZES, st.REVEALS):
            shown = told.args[2] if event == st.SPIES else card
            if event != st.REVEALS or told.args[0] == st.RED:
                self.table.add(shown)
                self.keep((line, None, deck) for line, goal, deck in self.all if goal in (shown, None))
        elif event == st.CLEARS:
            self.clear()

    def world_of(self, s: Any) -> World:
        line = tuple(s.line[place] for place in range(s.line_shown, s.line_size))
        goal = s.objective[0] if s.objective[0] != st.NONE and not s.face_up[0] else None
        return line, goal, frozenset(card for card in range(self.cards) if s.where[card] == st.DECK)


def follow(match: Match, minds: dict[int, Any], heard: int) -> int:
    plies = [match._deal, *match._played]
    for ply in plies[heard:]:
        for seat, mind in minds.items():
            for told in ply.told:
                if told.heard_by(seat):
                    mind.hear(told)
    return len(plies)


def guesses(match: Match, mind: Any, seat: int, count: int, seed: int) -> Counter[World]:
    found: Counter[World] = Counter()
    luck = Luck()
    hidden = engine.hidden(match._box, match._state, seat)
    for number in range(count):
        s: Any = hidden.copy()
        seed_luck(luck, seed * 100_000 + number)
        match.game.definition.rules.guess(match._box, s, luck, seat)
        found[mind.world_of(s)] += 1
    return found


def likely(rng: random.Random, moves: list[Any]) -> Any:
    """A random move, but a card is drawn whenever one can be: that is what shuffles the deck."""
    draws = [move for move in moves if move.kind in ("draw", "spy")]
    return draws[0] if draws and rng.random() < 0.8 else rng.choice(moves)


@cites("dual-powers", "A-53", "A-30", "D3.2", "D4.1")
@pytest.mark.parametrize(("cards", "options"), [(11, {}), (12, {}), (14, {}), (10, {"variant": "solitaire"}),
                                                (11, {"variant": "solitaire"})])  # fmt: skip
def test_the_sampler_spreads_evenly_over_all_possible_worlds(
    tmp_path: Path, cards: int, options: dict[str, Any]
) -> None:
    game = samizdat.game("dual-powers", box=small_box(tmp_path, cards), **options)
    kind: Any = Alone if options else TwoPlayers
    worst, tested, remembered = 1.0, 0, 0
    for seed in range(3 if game.players == 2 else 12):
        match = game.match(seed=seed)
        minds = {seat: kind(cards, seat) for seat in range(game.players)}
        rng = random.Random(seed)
        heard = 0
        while not match.over:
            heard = follow(match, minds, heard)
            for seat, mind in minds.items():
                true: Any = match._state
                assert mind.world_of(true) in mind.all, "the true world must be possible"
                if rng.random() > 0.3 / game.players:
                    continue
                worlds = mind.all
                count = 30 * len(worlds) if len(worlds) <= 40 else 30
                found = guesses(match, mind, seat, count, match.plies * 2 + seat)
                assert set(found) <= worlds, "a guess that cannot be"
                tested += 1
                remembered += true.kept > 0
                if 1 < len(worlds) <= 40:
                    worst = min(worst, stats.chisquare([found[world] for world in worlds]).pvalue)
            seat = rng.choice(match.turn)
            match.play(seat, likely(rng, match.legal(seat)))
    assert tested > 15
    assert remembered > 5
    assert worst > 1e-5


@cites("dual-powers", "A-53", "D4.1")
def test_one_hidden_hand_evenly() -> None:
    """The full box: each unseen card is as often in the other hand, as objective and in the deck as it should be."""
    match = samizdat.game("dual-powers").match(seed=8)
    for seat in (0, 1):
        match.play(seat, match.legal(seat)[0])
    places: Counter[int] = Counter()
    mind = TwoPlayers(48, 0)
    rounds = 1500
    for (hand, goal, _), times in guesses(match, mind, 0, rounds, 1).items():
        for card in hand:
            places[card] += times
        places[goal + 100] += times
    own = [card for card in range(48) if match._state.where[card] == st.RED_HAND or match._state.objective[0] == card]  # type: ignore[attr-defined]
    unseen = [card for card in range(48) if card not in own]
    assert len(unseen) == 43
    assert not any(places[card] or places[card + 100] for card in own)
    assert stats.chisquare([places[card] for card in unseen]).pvalue > 1e-5
    assert stats.chisquare([places[card + 100] for card in unseen]).pvalue > 1e-5


@cites("dual-powers", "A-53")
@pytest.mark.parametrize("variant", ["standard", "solitaire"])
@pytest.mark.parametrize("cards", [10, 13, 20])
def test_nothing_leaks_and_every_law_holds_in_a_small_deck(tmp_path: Path, variant: str, cards: int) -> None:
    """The compiled secrecy check over whole games in which hands hold most of the cards."""
    game: Game = samizdat.game("dual-powers", variant=variant, box=small_box(tmp_path, cards))
    definition = game.definition
    states = np.zeros(5, definition.state.dtype)
    states[4] = game.blank().array[0]
    found = np.zeros(4, np.int64)
    raw = states.view(np.uint8).reshape(5, definition.state.dtype.itemsize)
    checked = definition.native.check_secrets(
        game.box.record.array, states, raw, np.zeros(2, Luck.dtype), np.zeros(2, Dice.dtype), 5, 0, 40,
        game.players, game.moves_buffer(rows=2), game.longest, found,
    )  # fmt: skip
    assert found[3] == 0, found
    assert checked > 1000


@cites("dual-powers", "A-53")
def test_a_shuffle_is_remembered_until_the_cards_are_seen(tmp_path: Path) -> None:
    """After a shuffle the view names the cards that cannot be in the deck, and forgets each one that is played."""
    match = samizdat.game("dual-powers", box=small_box(tmp_path, 12)).match(seed=2)
    rng = random.Random(2)
    shuffled = 0
    while not match.over:
        view = match.view(0)
        known = set(view["known_not_in_deck"])
        if view["reshuffles"]:
            shuffled += bool(known)
        assert not known & set(view["on_table"])
        assert not known & set(view["discarded"])
        assert match.view(None)["known_not_in_deck"] == match.view(1)["known_not_in_deck"], "everyone knows the same"
        seat = rng.choice(match.turn)
        match.play(seat, likely(rng, match.legal(seat)))
    assert shuffled
