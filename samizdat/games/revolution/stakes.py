"""Revolution!: what a bid, the Spy or the Apothecary may win or lose, measured when the round is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samizdat.games.revolution.box import Printed
from samizdat.games.revolution.lore import IN_HAND, LASTING, favour
from samizdat.games.revolution.rules import empty_spaces, majority
from samizdat.games.revolution.show import TOKEN_WORDS
from samizdat.games.revolution.state import BLACKMAIL, FORCE, NOBODY, PERSUASION, TIES, TOKENS, WINS, State
from samizdat.kernel.game import Game
from samizdat.kernel.stakes import Stake
from samizdat.kernel.telling import Told, Word, template

A_TIE = 0.3  # of a favour: that nobody gets it is better than that somebody else does


def stakes(game: Game, s: State, seat: int) -> list[Stake]:
    box: Printed = game.box.record  # type: ignore[assignment]
    names = game.box.names
    found = [
        Stake(
            ("points",), "R6.3", template("After this round: {figure} points on the track"), 1.0,
            lambda after, told: float(after.points[seat]),
        )
    ]  # fmt: skip
    if s.point == PERSUASION:
        for character in range(box.characters):
            found += _favours(box, s, seat, character, Word("characters", names["characters"][character]))
        for token in (FORCE, BLACKMAIL):
            found.append(_token(seat, token, {"token": Word("tokens", TOKEN_WORDS[token])}))
    for area in range(box.areas):
        found += _areas(box, s, seat, area, Word("areas", names["areas"][area]))
    return found


def _favours(box: Printed, s: State, seat: int, character: int, name: Word) -> list[Stake]:
    """R6.2: who wins a character; a tie gives it to nobody."""
    worth, words = favour(box, s, character), {"character": name}

    def won(after: State, told: Sequence[Told]) -> float:
        return float(any(one.event == WINS and one.args[:2] == (character, seat) for one in told))

    def tied(after: State, told: Sequence[Told]) -> float:
        return float(any(one.event == TIES and one.args[0] == character for one in told))

    return [
        Stake(
            ("won", name.id), "R6.2", template("{character}: you win in {figure}"), worth, won, chance=True,
            values=words,
        ),
        Stake(
            ("tied", name.id), "R6.2", template("{character}: a tie, and nobody wins, in {figure}"), -A_TIE * worth,
            tied, chance=True, values=words,
        ),
    ]  # fmt: skip


def _token(seat: int, token: int, words: dict[str, Any]) -> Stake:
    """R4.1: what is in hand for the next round; every token instead of a Gold."""
    return Stake(
        ("token", words["token"].id), "R4.1", template("{token}: in your hand next round in {figure}"),
        IN_HAND[token] - IN_HAND[TOKENS - 1], lambda after, told: float(after.held[seat, token] > 0),
        chance=True, values=words,
    )  # fmt: skip


def _areas(box: Printed, s: State, seat: int, area: int, name: Word) -> list[Stake]:
    """R8.3: the more spaces are left, the less a lead is worth today."""
    worth = LASTING * box.area_vp[area] / (1.0 + empty_spaces(box, s, area)) ** 0.5
    words = {"area": name, "points": box.area_vp[area]}
    return [
        Stake(
            ("lead", name.id), "R8.3", template("{area}, worth {points}: you lead in {figure}"), worth,
            lambda after, told: float(majority(box, after, area) == seat), chance=True, values=words,
        ),
        Stake(
            ("rival", name.id), "R8.3", template("{area}, worth {points}: somebody else leads in {figure}"),
            -worth / 2, lambda after, told: float(majority(box, after, area) not in (seat, NOBODY)), chance=True,
            values=words,
        ),
        Stake(
            ("followers", name.id), "R8.3",
            template("{area}, worth {points}: your followers against the next best are {figure}"), worth / 4,
            lambda after, told: float(after.followers[area, seat]),
            rival=lambda after, told: float(max(after.followers[area, o] for o in range(after.seats) if o != seat)),
            values=words,
        ),
    ]  # fmt: skip
