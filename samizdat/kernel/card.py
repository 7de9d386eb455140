"""What the GPU engine asks of numba-cuda beyond calling it: the module itself, records in memory of words, indices.

Needs the `gpu` extra and an NVIDIA card; nothing here is imported before somebody asks for the card.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba.extending import overload

from samizdat.kernel import checked
from samizdat.kernel.errors import SamizdatError


def load_cuda() -> Any:
    """The numba.cuda module, if there is a card to run on; otherwise one clear sentence."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda 0.30 asks NumPy for a name it dropped
    try:
        from numba import cuda
    except ImportError as error:
        raise SamizdatError(f"The GPU engine needs numba-cuda: pip install 'samizdat[gpu]' ({error}).") from None
    if not cuda.is_available():  # type: ignore[no-untyped-call]
        raise SamizdatError("The GPU engine found no NVIDIA card on this machine.")
    if checked.CHECKED:
        check_on_the_card()
    return cuda


def say_wild(index: int, size: int, place: int) -> int:
    """What `within` does on the card, which cannot raise: it prints its numbers and takes the first element."""
    if index < 0 or index >= size:
        print("wild index:", place, index, size)
        return 0
    return index


@functools.cache
def check_on_the_card() -> None:
    overload(checked.within, target="cuda", strict=False)(lambda index, size, place: say_wild)


def record_at() -> Any:
    """`record_at(words, at, like)` in a kernel: the record that lies in an array of words, of the type of `like`."""
    from numba.cuda import types
    from numba.cuda.extending import intrinsic

    arrays = _indexing()

    @intrinsic
    def record_at(context: Any, words: Any, at: Any, like: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = arrays.make_array(signature.args[0])(context, builder, args[0])
            return builder.bitcast(builder.gep(array.data, [args[1]]), context.get_value_type(like))

        return like(words, types.int64, like), code  # type: ignore[attr-defined]

    return record_at


def _indexing() -> Any:
    """numba-cuda's module of arrays, found by name: the attribute of its parent is NumPy."""
    importlib.import_module("numba.cuda.np.arrayobj")
    return sys.modules["numba.cuda.np.arrayobj"]


@contextmanager
def plain_indices() -> Iterator[None]:
    """Compile what is compiled meanwhile without Python's reading of a negative index, which costs a tenth.

    No rule uses one: the interpreter refuses it, and so does the checked mode, in which nothing is changed here.
    """
    try:
        arrays = _indexing()
        usual = arrays.fix_integer_index
    except (ImportError, AttributeError):  # another numba-cuda: slower, and as right
        yield
        return

    def plain(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        from numba.cuda import types

        return context.cast(builder, index, kind, types.intp)  # type: ignore[attr-defined]

    arrays.fix_integer_index = plain
    try:
        yield
    finally:
        arrays.fix_integer_index = usual
