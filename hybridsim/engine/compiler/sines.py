"""Sines of many numbers at once: a polynomial without branches, which the compiler makes vectors of.

The same operations in Python and in machine code, where products and sums are rounded one by one, give the same bits,
whatever the library of the system. On dual numbers, `sines_one_by_one` takes its place.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

FAR = 1e6
"""Beyond this, arguments are reduced by the sine of `math`: multiples of the pieces of pi would no longer be exact."""

PI_HIGH = float.fromhex("0x1.921fb544p+1")
PI_MIDDLE = float.fromhex("0x1.0b4611a6p-33")
PI_LOW = float.fromhex("0x1.3198a2e037073p-68")
"""Three pieces of pi; the first two have 32 bits, so that products with 20 bits are exact (Cody and Waite 1980)."""

INVERSE_PI = 1.0 / math.pi
C3, C5, C7, C9, C11, C13, C15, C17, C19, C21 = ((-1) ** k / math.factorial(2 * k + 1) for k in range(1, 11))
"""Taylor's coefficients: beyond the last one less than 2e-18 is left where the argument is at most pi/2."""


def sines(values: Any, n: Any, shift: Any) -> None:
    """Replace numbers by their sines, or by their cosines; the error is at most 2.3e-16, and 4e-16 beyond FAR.

    Parameters
    ----------
    values : (n,) array
        The numbers [rad].
    n : int
        How many.
    shift : float
        0.0 for sines; 0.5 for cosines, the sines half of pi further on.
    """
    far = 0
    for i in range(n):
        far += abs(values[i]) > FAR
    if far:
        for i in range(n):
            x = values[i]
            if abs(x) > FAR:
                nearer = math.nan if math.isinf(x) else x
                values[i] = math.asin(math.sin(nearer)) if shift == 0.0 else math.acos(math.cos(nearer))
    for i in range(n):
        x = values[i]
        turns = np.floor(x * INVERSE_PI + (0.5 + shift))
        k = turns - shift
        r = ((x - k * PI_HIGH) - k * PI_MIDDLE) - k * PI_LOW
        s = r * r
        inner = C13 + s * (C15 + s * (C17 + s * (C19 + s * C21)))
        series = s * (C3 + s * (C5 + s * (C7 + s * (C9 + s * (C11 + s * inner)))))
        sign = 1.0 - 2.0 * (turns - 2.0 * np.floor(0.5 * turns))
        values[i] = sign * (r + r * series)


def sines_one_by_one(values: Any, n: Any, shift: Any) -> None:
    """Do the same with numbers that have functions of `math`; for the arguments see `sines`."""
    for i in range(n):
        values[i] = math.sin(values[i]) if shift == 0.0 else math.cos(values[i])
