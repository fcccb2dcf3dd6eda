"""Vectors of some doubles (SIMD lanes): the loops over states load, combine and store four doubles at a time.

Given bare pointers, a compiler must assume that they overlap, and does not vectorise the loops; explicit vectors need
no assumption. Without compilation a vector is an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.deferred import Deferred
from hybridsim.engine.compiler.options import JIT

LANES = 4
"""Doubles in a vector of the engine."""


class Operations(NamedTuple):
    """What compiled code does with vectors.

    Attributes
    ----------
    zeros : callable
        `zeros()` makes the vector of zeros.
    load : callable
        `load(data, index)` reads it from data[index:].
    store : callable
        `store(data, index, lanes)` writes it to data[index:].
    plus : callable
        `plus(lanes, factor, more)` returns lanes + factor * more.
    """

    zeros: Callable[..., Any]
    load: Callable[..., Any]
    store: Callable[..., Any]
    plus: Callable[..., Any]


def operations(count: int) -> Operations:
    """Make the operations on vectors of so many doubles."""
    if JIT:
        compiled: Any = {name: Deferred("vectors", name, count) for name in Operations._fields}
        return Operations(**compiled)
    return _interpreted_operations(count)


def _interpreted_operations(count: int) -> Operations:
    def zeros():
        return np.zeros(count)

    def load(data, index):
        return data[index : index + count].copy()

    def store(data, index, lanes):
        data[index : index + count] = lanes

    def plus(lanes, factor, more):
        return lanes + factor * more

    return Operations(zeros, load, store, plus)


zeros, load, store, plus = operations(LANES)


fused: Any = Deferred("vectors", "fused") if JIT else lambda number, factor, more: number + factor * more
"""`fused(number, factor, more)` is number + factor * more, rounded once where the processor can."""
