"""Vectors of derivatives, eight of which fill one register of AVX-512, or two of AVX2; dual numbers in memory."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.lanes import operations
from hybridsim.typing import FloatArray

DUAL_LANES = 8
"""Derivatives of a dual number."""

DUAL_SIZE = 16
"""Doubles that a dual number takes in memory: the value, seven that pad it, eight derivatives."""

FIRST_LANE = 8
"""Index of the first derivative among the doubles of a dual number."""

DUAL_ALIGNMENT = 64
"""Of a dual number in memory [byte]."""

zeros, load, store, plus = operations(DUAL_LANES)


def duals(n: int) -> FloatArray:
    """Make n dual numbers.

    Parameters
    ----------
    n : int
        How many.

    Returns
    -------
    (n, DUAL_SIZE) array
        Zeros, aligned as compiled code expects: the value is in column 0, the derivatives from column FIRST_LANE on.
    """
    return aligned_zeros(n * DUAL_SIZE).reshape(n, DUAL_SIZE)


def aligned_zeros(n: int) -> FloatArray:
    """Make n doubles, all zero, aligned as vectors are."""
    doubles = np.zeros(max(n, 1) + DUAL_ALIGNMENT // 8)
    first = (-doubles.ctypes.data % DUAL_ALIGNMENT) // 8
    return doubles[first : first + n]
