"""The rows: who plays what, and how each is asked. Libraries are imported only when a row is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from bench.rivals import facts
from bench.rivals.measured import Counts, Measured, Played, Tree, timed, tree_counts

Perft = Callable[[int, tuple[int, ...]], int]


@dataclass(frozen=True)
class Row:
    """One rival in one game. `cores` is None where it may use all that the machine has."""

    game: str
    rival: str
    cores: int | None
    measure: Callable[[float, int], Measured]
    count: Callable[[], Counts]

    @property
    def name(self) -> str:
        return f"{self.game}/{self.rival}"


def _perft_counts(perft: Perft, start_depth: int) -> Counts:
    """The counts from the three positions of `facts`, as deep as the rival's speed allows."""
    counts = {f"start {depth}": Fraction(perft(depth, ())) for depth in range(1, start_depth + 1)}
    counts["middle 4"] = Fraction(perft(4, facts.MIDDLE))
    counts["late 6"] = Fraction(perft(6, facts.LATE))
    return counts


# --- OpenSpiel ----------------------------------------------------------------


def _openspiel_rows(game: str, name: str) -> list[Row]:
    def from_python(seconds: float, seed: int) -> Measured:
        from bench.rivals import openspiel

        return openspiel.from_python(name, seconds, seed)

    def from_cpp(seconds: float, seed: int) -> Measured:
        from bench.rivals import openspiel

        return openspiel.from_cpp(name, seconds, seed)

    def count() -> Counts:
        from bench.rivals import openspiel

        if game == facts.CONNECT_FOUR:
            return _perft_counts(openspiel.perft, 8)
        return tree_counts(openspiel.tree(name))

    return [
        Row(game, "openspiel_cpp", 1, from_cpp, count),
        Row(game, "openspiel_python", 1, from_python, count),
    ]


# --- pgx ----------------------------------------------------------------------


def _pgx_rows(game: str, name: str) -> list[Row]:
    def measure(seconds: float, seed: int) -> Measured:
        from bench.rivals import pgx_cpu

        return pgx_cpu.random_games(name, seconds, seed)

    def count() -> Counts:
        from bench.rivals import pgx_cpu

        if game == facts.CONNECT_FOUR:
            return _perft_counts(pgx_cpu.perft, 6)
        return tree_counts(pgx_cpu.tree(name))

    return [Row(game, "pgx", 1, measure, count), Row(game, "pgx_all_cores", None, measure, count)]


# --- PettingZoo and RLCard ----------------------------------------------------


def _pettingzoo_row(game: str, name: str) -> Row:
    def measure(seconds: float, seed: int) -> Measured:
        from bench.rivals import pettingzoo_aec

        return pettingzoo_aec.random_games(name, seconds, seed)

    def count() -> Counts:
        from bench.rivals import pettingzoo_aec

        if game == facts.CONNECT_FOUR:
            return _perft_counts(pettingzoo_aec.perft, 4)
        # PettingZoo's Leduc is RLCard's engine in a wrapper, and only the engine can step back.
        return tree_counts(_rlcard_tree())

    return Row(game, "pettingzoo", 1, measure, count)


def _rlcard_tree() -> Tree:
    from bench.rivals import rlcard_env

    return rlcard_env.tree()


def _rlcard_row() -> Row:
    def measure(seconds: float, seed: int) -> Measured:
        from bench.rivals import rlcard_env

        return rlcard_env.random_games(seconds, seed)

    return Row(facts.LEDUC_BLINDS, "rlcard", 1, measure, lambda: tree_counts(_rlcard_tree()))


# --- The bitboard -------------------------------------------------------------


def _bitboard_row(rival: str, one_draw: bool) -> Row:
    def measure(seconds: float, seed: int) -> Measured:
        from bench import bitboard

        playouts = bitboard.playouts_one_draw if one_draw else bitboard.playouts
        part = 0

        def play(games: int) -> Played:
            nonlocal part
            part += 1
            moves, squares, first, second = playouts(seed << 32 | part, games)
            return Played(games, moves, squares, first - second, first + second)

        return timed(play, seconds, "hand-written Numba" + (", one draw a move" if one_draw else ""))

    def count() -> Counts:
        from bench import bitboard

        return _perft_counts(bitboard.perft, 9)

    return Row(facts.CONNECT_FOUR, rival, 1, measure, count)


ROWS = {
    row.name: row
    for row in (
        _bitboard_row("bitboard", one_draw=False),
        _bitboard_row("bitboard_one_draw", one_draw=True),
        *_openspiel_rows(facts.CONNECT_FOUR, "connect_four"),
        *_pgx_rows(facts.CONNECT_FOUR, "connect_four"),
        _pettingzoo_row(facts.CONNECT_FOUR, "classic/connect_four-v3"),
        *_openspiel_rows(facts.KUHN, "kuhn_poker"),
        *_pgx_rows(facts.KUHN, "kuhn_poker"),
        *_openspiel_rows(facts.LEDUC, "leduc_poker"),
        *_pgx_rows(facts.LEDUC, "leduc_holdem"),
        _rlcard_row(),
        _pettingzoo_row(facts.LEDUC_BLINDS, "classic/leduc_holdem-v4"),
    )
}
