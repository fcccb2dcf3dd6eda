"""What counts as rounding, and nothing else."""

from __future__ import annotations

from hybridsim.engine.compiler.signatures import kernel

EPSILON = 2.0**-52
SPACINGS = 4.0
"""How many spacings of t count as one instant: what rounding can move a crossing by."""


@kernel
def spacing(t):
    """From |t| to the next float: 3/4 to 3/2 of it are added, and rounded. (numpy's is a call into a library.)"""
    return (abs(t) + 0.75 * EPSILON * abs(t)) - abs(t)
