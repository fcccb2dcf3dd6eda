"""What is nothing but rounding: a state, or an output of a function, that would be 0 in exact arithmetic.

How far the ground is below a foot that it holds may be 1e-17 m here and -3e-17 m there. Such a number has no size to
which anything could be compared: it does not return in its own size, and its derivatives are rounding as well. It is
told by evaluations where arguments differ in their last bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from hybridsim.analysis.stride import StrideError
from hybridsim.simulation.row_arguments import Given
from hybridsim.typing import FloatArray

NUDGES = tuple(sign * k * 2.0**-46 for sign in (1, -1) for k in (3, 4, 5))
"""Parts of states and time by which they are moved: some of their last bits."""

ROUNDED_OUTPUT = 0.1
"""An output that they change by this part of itself, over all places, is rounding. At one place it may be a switch."""

ROUNDED_STATE = 1e-6
"""A state that they change by this part of its size in a stride cannot return exactly."""


def nudged(values: FloatArray, by: float) -> FloatArray:
    """Return values with other last bits; whole numbers stay, as they may count, or say which phase this is."""
    return np.where(values == np.round(values), values, values * (1.0 + by))


def exact_values(evaluate: Callable[[Given], FloatArray], given: Given) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Evaluate outputs at places, and find which of the values are numbers, of outputs that are more than rounding.

    Parameters
    ----------
    evaluate : callable
        Returns values of n outputs, or their derivatives, (n_places, n, ...); not finite where a chart has none.
    given : Given
        The places.
    """
    here, arrays = evaluate(given), given.arrays
    known, axes = np.isfinite(here), (0, *range(2, here.ndim))
    one, change = np.where(known, here, 0.0), np.zeros(here.shape[1])
    for by in NUDGES:
        beside = evaluate(Given(given.n, arrays | {name: nudged(arrays[name], by) for name in ("t", "x")}))
        beside = np.where(known & np.isfinite(beside), beside, one)
        change = np.maximum(change, np.abs(beside - one).sum(axis=axes))
    exact = change <= ROUNDED_OUTPUT * np.abs(one).sum(axis=axes)
    return here, np.asarray(known & exact.reshape(-1, *[1] * (here.ndim - 2)))


def resolved_sizes(
    sizes: FloatArray,
    strides: Callable[[FloatArray, int], Iterator[tuple[FloatArray, int]]],
    x: FloatArray,
    chart: int,
) -> FloatArray:
    """Return the sizes of the states along strides, (n_states,), with 1 for those that are rounding.

    They change in a stride from (x, chart) on both sides: on one side alone a border may be. `strides(x, chart)` yields
    where each stride ends, first of all.
    """
    try:
        end, *ends = [next(strides(nudged(x, by), chart))[0] for by in (0.0, *NUDGES)]
    except StrideError:
        return sizes
    changes = np.abs(np.array(ends) - end)
    change = np.minimum(changes[:3].max(axis=0), changes[3:].max(axis=0))
    return np.where(change > ROUNDED_STATE * sizes, 1.0, sizes)
