"""An inquiry: which arms play, how many deals, and when it is enough.

inquiry = Inquiry([Arm("the house box", Setting("some-game"), bot)], seed=0)
for one in inquiry.play(400, Path("study"), workers=2): ...
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

from samizdat.kernel.arguments import SIM_SEED_BITS, check_seed
from samizdat.kernel.game import Game
from samizdat.lab.crews import Crew, in_order
from samizdat.lab.study.comparing import NumberLine, is_settled
from samizdat.lab.study.keeping import KeptMatches
from samizdat.lab.study.playing import Arm, Noted, note, tasks


class Inquiry:
    """All matches of one study. With a question (`lines`) the second arm is the first one changed, and it ends when
    all lines are settled; without, further arms are bots of other strength."""

    def __init__(
        self, arms: Sequence[Arm], seed: int = 0, lines: Sequence[NumberLine] = (), stop: bool = True
    ) -> None:
        self.arms, self.lines, self.stop = list(arms), list(lines), stop
        self.seed = check_seed(seed, SIM_SEED_BITS)
        self.matches: list[Noted] = []
        self.stopped = False  # before all was played
        self.found = 0  # matches that an earlier run had played

    @property
    def game(self) -> Game:
        return self.arms[0].setting.game()

    @property
    def compares(self) -> bool:
        return bool(self.lines)

    def of(self, arm: int) -> list[Noted]:
        return [one for one in self.matches if one.arm == arm]

    def play(self, games: int, folder: Path, workers: int | Crew = 1) -> Generator[int, None, None]:
        """Play so many matches of every arm, or as many as the question needs; says after each how many there are.
        Close the iterator to stop: what was played is kept in the folder, and the next run goes on from there."""
        total = games * len(self.arms)
        with KeptMatches(folder, self.arms, self.seed) as kept:
            for one in kept.matches[:total]:
                if self._take(one, total):
                    break
            self.found = len(self.matches)
            yield self.found
            if self.stopped or self.found >= total:
                return
            coming = tasks(self.arms, self.seed, games, len(kept.matches))
            with closing(in_order(note, coming, workers)) as playing:
                for one in playing:
                    kept.add(one)
                    settled = self._take(one, total)
                    yield len(self.matches)
                    if settled:
                        return

    def _take(self, one: Noted, total: int) -> bool:
        """Take in a match; True if it was the last that is needed."""
        self.matches.append(one)
        if self.stop and self.lines and len(self.matches) < total:
            self.stopped = is_settled(self.lines, self.matches, self.arms)
        return self.stopped
