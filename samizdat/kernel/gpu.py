"""The GPU engine: the same rules compiled by numba-cuda, millions of games regrouped again and again.

Threads of a card run in groups of 32 that share one program counter, so games side by side should stand at the same
decision point. A launch plays one or a few decisions of every game; then the games are sorted by where they stand
(`count`, `scan`, `place`: a counting sort). While it is played, a record lies in the memory that a block of threads
shares: rules read and write single bytes all over it, and anything farther away would be waited for. Blocks move
whole records as words, neighbouring threads neighbouring words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from samizdat.kernel import card, contract, loops
from samizdat.kernel.bits import lowest
from samizdat.kernel.game import Game
from samizdat.kernel.luck import WORD, Dice, Luck, begin, below
from samizdat.kernel.native import register_rules
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import MOST_SEATS, Score

SHARED = 40_000  # bytes of records that a block keeps at most: several blocks then lie on a processor of the card
CHUNK = 4096  # games that a block sorts
LOOKS = 4  # launches between two looks at how many games are left
FEW_POINTS = 4  # a game with so few points is at the same one as its neighbours anyhow


@dataclass(frozen=True)
class Launch:
    """How a game is played on a card; what does best is looked for by `python -m bench.gpu --sweep`."""

    threads: int  # in a block
    registers: int  # of a thread
    together: int  # decisions at most before games are regrouped
    stay: bool  # regroup a game as soon as it has come to another point or seat
    sorters: int = 256  # threads in a block that regroups

    @classmethod
    def of(cls, game: Game) -> Launch:
        size = game.definition.state.dtype.itemsize
        threads = 128
        while threads > 1 and threads * size > SHARED:
            threads //= 2
        if len(game.definition.points.all) <= FEW_POINTS:
            return cls(threads, registers=64, together=64, stay=False)
        return cls(threads, registers=128 if threads < 128 else 80, together=2, stay=True)


@rule
def stand_at_point(s: Any, seats: int) -> int:
    """Where a game stands: those at the same place are neighbours in the next launch."""
    return s.point * MOST_SEATS + lowest(seats)  # type: ignore[no-any-return]


@rule
def stand_anywhere(s: Any, seats: int) -> int:
    """The same for a game of one point, whose state does not name it."""
    return lowest(seats)


@dataclass(frozen=True)
class CardBatch:
    """Games on the card: what is played, how far, and in which order."""

    words: Any  # the records, a row a game
    plies: Any
    scores: Any
    lengths: Any
    keys: Any  # where each of the games in order stands
    orders: tuple[Any, Any]  # numbers of the games not yet over; and the next such list
    live: Any  # how many they are
    were: Any  # and before they were regrouped
    counts: Any  # how many stand at each key
    cursors: Any  # where the next game of a key goes


class Gpu:
    """Plays batches of random games of one game on the card and leaves the results there."""

    def __init__(self, game: Game, launch: Launch | None = None) -> None:
        self.cuda = card.load_cuda()
        register_rules()
        self.game = game
        self.launch = launch or Launch.of(game)
        state = game.definition.state.dtype
        self.word = np.dtype(f"i{next(width for width in (8, 4, 2, 1) if state.itemsize % width == 0)}")
        self.size = state.itemsize // self.word.itemsize  # words of a record
        points = game.definition.points
        self.keys = (1 if points.over is None else max(points.by_id) + 1) * MOST_SEATS + 1  # the last: it is over
        blank = game.blank().array
        # What every kernel that plays is given: the box, and a blank state as a record and as words.
        self.given = [self.cuda.to_device(array) for array in (game.box.record.array, blank, blank.view(self.word))]
        self._deal, self._advance, self._finish = self._players()
        self._count, self._scan, self._place = self._sorters()

    def _players(self) -> tuple[Any, Any, Any]:
        """The kernels that run rules: deal, play some decisions, score."""
        cuda, record = self.cuda, card.record_at()
        threads, registers = self.launch.threads, self.launch.registers
        together, stay = self.launch.together, self.launch.stay
        size, room, word = self.size, self.size * threads, numba.from_dtype(self.word)
        luck_type, dice_type = numba.from_dtype(Luck.dtype), numba.from_dtype(Dice.dtype)
        capacity, most, over, too_long = self.game.capacity, self.game.longest, self.keys - 1, loops.TOO_LONG
        stand = stand_anywhere if self.game.definition.points.over is None else stand_at_point

        @cuda.jit(max_registers=registers)  # type: ignore[untyped-decorator]
        def deal(
            boxes: Any, blank: Any, options: Any, words: Any, plies: Any, order: Any, seed: int, first: int
        ) -> None:
            records = cuda.shared.array(room, word)
            me, i, start = cuda.threadIdx.x, cuda.grid(1), cuda.blockIdx.x * threads
            for at in range(me, room, threads):
                records[at] = options[at % size]
            cuda.syncthreads()
            if i < plies.shape[0]:
                luck = cuda.local.array(1, luck_type)
                dice = cuda.local.array(1, dice_type)
                loops.begin_game(luck[0], dice[0], seed, first + i)
                contract.setup(boxes[0], record(records, me * size, blank[0]), luck[0])
                plies[i] = 0
                order[i] = i
            cuda.syncthreads()
            for at in range(me, room, threads):
                row = at // size
                if start + row < plies.shape[0]:
                    words[start + row, at - row * size] = records[at]

        @cuda.jit(max_registers=registers)  # type: ignore[untyped-decorator]
        def advance(
            boxes: Any, blank: Any, options: Any, words: Any, plies: Any, order: Any, live: Any, keys: Any,
            seed: int, first: int,
        ) -> None:  # fmt: skip
            records = cuda.shared.array(room, word)
            games = cuda.shared.array(threads, numba.int32)
            me, t = cuda.threadIdx.x, cuda.grid(1)
            i = int(order[t]) if t < live[0] else -1
            games[me] = i
            cuda.syncthreads()
            for at in range(me, room, threads):
                row = at // size
                if games[row] >= 0:
                    records[at] = words[games[row], at - row * size]
            cuda.syncthreads()
            if i >= 0:
                luck = cuda.local.array(1, luck_type)
                dice = cuda.local.array(1, dice_type)
                moves = cuda.local.array(capacity, numba.int16)
                s = record(records, me * size, blank[0])
                loops.begin_game(luck[0], dice[0], seed, first + i)
                dice_start, stride = dice[0].at, dice[0].stride
                ply = int(plies[i])
                seats = contract.seats_to_act(s)
                here = over if seats == 0 or ply >= most else stand(s, seats)
                was = here
                for _ in range(together):
                    if here == over or (stay and here != was):
                        break
                    ply += 1
                    n = contract.legal(boxes[0], s, lowest(seats), moves)
                    begin(luck[0], ply)
                    # After so many decisions the dice have rolled so far (`luck.roll`).
                    chosen = moves[below((dice_start + ply * stride) & WORD, n)]
                    contract.play(boxes[0], s, luck[0], lowest(seats), chosen)
                    seats = contract.seats_to_act(s)
                    here = over if seats == 0 or ply >= most else stand(s, seats)
                plies[i] = ply
                keys[t] = here
            cuda.syncthreads()
            for at in range(me, room, threads):
                row = at // size
                if games[row] >= 0:
                    words[games[row], at - row * size] = records[at]

        @cuda.jit(max_registers=registers)  # type: ignore[untyped-decorator]
        def finish(boxes: Any, blank: Any, options: Any, words: Any, plies: Any, scores: Any, lengths: Any) -> None:
            records = cuda.shared.array(room, word)
            me, i, start = cuda.threadIdx.x, cuda.grid(1), cuda.blockIdx.x * threads
            for at in range(me, room, threads):
                row = at // size
                if start + row < plies.shape[0]:
                    records[at] = words[start + row, at - row * size]
            cuda.syncthreads()
            if i < plies.shape[0]:
                s = record(records, me * size, blank[0])
                contract.score(boxes[0], s, scores[i])
                lengths[i] = plies[i] if contract.seats_to_act(s) == 0 else too_long

        return deal, advance, finish

    def _sorters(self) -> tuple[Any, Any, Any]:
        """The kernels that regroup: how many games stand where, where each group begins, and there they go."""
        cuda, keys_there_are, over, sorters = self.cuda, self.keys, self.keys - 1, self.launch.sorters

        @cuda.jit  # type: ignore[untyped-decorator]
        def count(keys: Any, live: Any, counts: Any) -> None:
            mine = cuda.shared.array(keys_there_are, numba.int32)
            me = cuda.threadIdx.x
            for key in range(me, keys_there_are, sorters):
                mine[key] = 0
            cuda.syncthreads()
            end = min((cuda.blockIdx.x + 1) * CHUNK, live[0])
            for t in range(cuda.blockIdx.x * CHUNK + me, end, sorters):
                cuda.atomic.add(mine, keys[t], 1)
            cuda.syncthreads()
            for key in range(me, keys_there_are, sorters):
                if mine[key] != 0:
                    cuda.atomic.add(counts, key, mine[key])

        @cuda.jit  # type: ignore[untyped-decorator]
        def scan(counts: Any, cursors: Any, live: Any, were: Any) -> None:
            were[0] = live[0]
            total = 0
            for key in range(keys_there_are):
                cursors[key] = total
                if key != over:
                    total += counts[key]
                counts[key] = 0
            live[0] = total

        @cuda.jit  # type: ignore[untyped-decorator]
        def place(keys: Any, were: Any, cursors: Any, order: Any, to: Any) -> None:
            mine = cuda.shared.array(keys_there_are, numba.int32)
            me = cuda.threadIdx.x
            for key in range(me, keys_there_are, sorters):
                mine[key] = 0
            cuda.syncthreads()
            end = min((cuda.blockIdx.x + 1) * CHUNK, were[0])
            for t in range(cuda.blockIdx.x * CHUNK + me, end, sorters):
                cuda.atomic.add(mine, keys[t], 1)
            cuda.syncthreads()
            for key in range(me, over, sorters):
                if mine[key] != 0:
                    mine[key] = cuda.atomic.add(cursors, key, mine[key])
            cuda.syncthreads()
            for t in range(cuda.blockIdx.x * CHUNK + me, end, sorters):
                if keys[t] != over:
                    to[cuda.atomic.add(mine, keys[t], 1)] = order[t]

        return count, scan, place

    def batch(self, games: int) -> CardBatch:
        """Room on the card for so many games."""

        def room(shape: int | tuple[int, int], kind: Any) -> Any:
            return self.cuda.to_device(np.zeros(shape, kind))

        return CardBatch(
            words=room((games, self.size), self.word), plies=room(games, np.int32), scores=room(games, Score.dtype),
            lengths=room(games, np.int64), keys=room(games, np.int16),
            orders=(room(games, np.int32), room(games, np.int32)), live=room(1, np.int32), were=room(1, np.int32),
            counts=room(self.keys, np.int32), cursors=room(self.keys, np.int32),
        )  # fmt: skip

    def simulate(self, batch: CardBatch, seed: int, first: int = 0) -> None:
        """Play one game into each row of a batch; returns when the card has finished."""
        threads, sorters = self.launch.threads, self.launch.sorters
        left, now = len(batch.lengths), 0
        blocks = _parts(left, threads)
        batch.live.copy_to_device(np.array([left], np.int32))
        with card.plain_indices():  # kernels are compiled when they are first launched
            self._deal[blocks, threads](*self.given, batch.words, batch.plies, batch.orders[0], seed, first)
            while left:
                for _ in range(LOOKS):
                    order, to = batch.orders[now], batch.orders[1 - now]
                    self._advance[_parts(left, threads), threads](
                        *self.given, batch.words, batch.plies, order, batch.live, batch.keys, seed, first
                    )
                    self._count[_parts(left, CHUNK), sorters](batch.keys, batch.live, batch.counts)
                    self._scan[1, 1](batch.counts, batch.cursors, batch.live, batch.were)
                    self._place[_parts(left, CHUNK), sorters](batch.keys, batch.were, batch.cursors, order, to)
                    now = 1 - now
                left = int(batch.live.copy_to_host()[0])
            self._finish[blocks, threads](*self.given, batch.words, batch.plies, batch.scores, batch.lengths)
        self.cuda.synchronize()

    def results(self, games: int, seed: int, first: int = 0) -> tuple[npt.NDArray[Any], ...]:
        """States, scores and lengths of so many games, copied back."""
        batch = self.batch(games)
        self.simulate(batch, seed, first)
        states = batch.words.copy_to_host().view(self.game.definition.state.dtype).reshape(games)
        return states, batch.scores.copy_to_host(), batch.lengths.copy_to_host()


def _parts(number: int, size: int) -> int:
    return (number + size - 1) // size
