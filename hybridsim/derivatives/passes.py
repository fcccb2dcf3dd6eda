"""Derivatives of one function of a model at one point, eight directions in each pass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DOUBLES, FIRST_LANE, LANES, aligned, duals, load, store, zeros
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.routines import loaded
from hybridsim.engine.compiler.signatures import (
    INITIAL_CHART,
    SLIDING_FIELD,
    TRANSITION,
    call_initial_chart,
    call_outputs,
    call_sliding_field,
    call_transition,
)
from hybridsim.typing import FloatArray, IntArray

TIME, STATE, PARAMETER = range(3)
"""Kinds of variables: entries of `Passes.kind`."""


class Passes(NamedTuple):
    """The arrays of a function on dual numbers, and of its derivatives."""

    y: FloatArray  # (n_results, DOUBLES) dual numbers
    t: FloatArray  # (1, DOUBLES)
    x: FloatArray  # (width, DOUBLES)
    p: FloatArray  # (n_parameters, DOUBLES)
    flags: IntArray  # boundaries that cross, for a transition
    kind: IntArray  # (n,) TIME, STATE or PARAMETER
    place: IntArray  # (n,) the variable's index in x or p
    jacobian: FloatArray  # (n_passes, n_results, LANES) derivatives, where one pass is not enough
    units: FloatArray  # (LANES, LANES) the identity
    numbers: IntArray  # chart, adjacent chart, n_results, n, and the answer of the function


class Point(NamedTuple):
    """Where a function is differentiated: time [s], state (width,), packed parameters, chart and what else it takes."""

    t: float
    x: FloatArray
    p: FloatArray
    chart: int
    adjacent_chart: int = -1
    crossed: IntArray | None = None


def partials(
    address: int, which: int, n_results: int, point: Point, kind: IntArray, index: IntArray
) -> tuple[FloatArray, FloatArray, int]:
    """Evaluate a function and its partial derivatives.

    Parameters
    ----------
    address : int
        Address of the function on dual numbers.
    which : int
        Which function of the contract it is: an index of `signatures.FUNCTION_INDEX`.
    n_results : int
        Length of the array that it writes.
    point : Point
        Where.
    kind, index : (n,) int arrays
        The variables: TIME, STATE or PARAMETER, and the index of each in x or p.

    Returns
    -------
    values : (n_results,) array
        What the function writes; for functions that change a state, entries that it does not write are those of x.
    jacobian : (n_results, n) array
        The derivatives.
    answer : int
        What the function returns; 0 for functions that return nothing.
    """
    passes = make_passes(n_results, point, kind, index)
    _differentiate(passes, address, which)
    in_lanes = passes.y[:, FIRST_LANE:] if len(kind) <= LANES else passes.jacobian.transpose(1, 0, 2)
    jacobian = in_lanes.reshape(n_results, -1)[:, : len(kind)]
    return passes.y[:, 0].copy(), np.ascontiguousarray(jacobian), int(passes.numbers[4])


def make_passes(n_results: int, point: Point, kind: IntArray, index: IntArray) -> Passes:
    """Make the arrays; for the arguments see `partials`."""
    count = -(-max(len(kind), 1) // LANES)
    passes = Passes(
        y=duals(n_results),
        t=duals(1),
        x=duals(len(point.x)),
        p=duals(max(len(point.p), 1)),
        flags=np.zeros(1, np.int64) if point.crossed is None else point.crossed.astype(np.int64),
        kind=np.append(kind, 0),
        place=np.append(index, 0),
        jacobian=aligned(count * n_results * LANES).reshape(count, n_results, LANES),
        units=aligned(LANES * LANES).reshape(LANES, LANES),
        numbers=np.array([point.chart, point.adjacent_chart, n_results, len(kind), 0]),
    )
    passes.t[0, 0], passes.x[:, 0], passes.p[: len(point.p), 0] = point.t, point.x, point.p
    passes.units[:] = np.eye(LANES)
    return passes


@kernel
def call_on_duals(c, address, which):
    """Call a function of the contract on dual numbers; returns its answer, or 0."""
    y, t, x, p, chart = c.y, c.t, c.x, c.p, c.numbers[0]
    if which == TRANSITION:
        return call_transition(address, y, t, x, p, chart, c.flags)
    if which == INITIAL_CHART:
        return call_initial_chart(address, y, t, x, p)
    if which == SLIDING_FIELD:
        call_sliding_field(address, y, 0, t, x, p, chart, c.numbers[1])
        return 0
    call_outputs(address, y, 0, t, x, 0, p, chart)
    return 0


@kernel
def seed(c, first, of_units):
    """Give up to eight variables from `first` on the derivatives 1 with respect to themselves, or 0 if not `of_units`.

    A whole vector is stored at once: the processor would wait for one made of parts.
    """
    for number in range(first, min(first + LANES, c.numbers[3])):
        lanes = load(c.units, (number - first) * LANES) if of_units else zeros()
        i = c.place[number] * DOUBLES + FIRST_LANE
        if c.kind[number] == TIME:
            store(c.t, FIRST_LANE, lanes)
        elif c.kind[number] == STATE:
            store(c.x, i, lanes)
        else:
            store(c.p, i, lanes)


@kernel
def differentiate_all(c, address, which):
    """Differentiate with respect to all variables, a pass for each eight of them.

    Before and after, the first eight variables are seeded: with one pass, which is most often enough, none of the
    seeds moves, and the derivatives stay in y. The results are zero before each pass, as a function may add to them;
    `make_passes` made them so for the first one.
    """
    n_results, n = c.numbers[2], c.numbers[3]
    changes_state = which == TRANSITION or which == INITIAL_CHART
    for first in range(0, max(n, 1), LANES):
        if changes_state or first > 0:
            for m in range(0, n_results * DOUBLES, LANES):
                store(c.y, m, load(c.x, m) if changes_state else zeros())
        c.numbers[4] = call_on_duals(c, address, which)
        if n > LANES:
            for i in range(n_results):
                store(c.jacobian, first * n_results + i * LANES, load(c.y, i * DOUBLES + FIRST_LANE))
            seed(c, first, False)
            seed(c, first + LANES if first + LANES < n else 0, True)


def differentiate(passes, address, which):
    """Differentiate the function at this address."""
    c = loaded(passes)
    seed(c, 0, True)
    differentiate_all(c, address, which)


_differentiate = Entry("hybridsim.derivatives.passes:differentiate")
