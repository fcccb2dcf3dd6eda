"""What counts as rounding, and nothing else."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.signatures import kernel

EPSILON = 2.0**-52
SPACINGS = 4.0
"""How many spacings of t count as one instant: what rounding can move a crossing by."""


@kernel
def spacing(t):
    return np.nextafter(abs(t), np.inf) - abs(t)
