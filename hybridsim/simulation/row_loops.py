"""Machine code that evaluates one function of a model at n rows, or differentiates it there on dual numbers."""

from __future__ import annotations

import math
from ctypes import addressof, c_char
from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE, duals, load, store, zeros
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.compiler.routines import loaded, table_of
from hybridsim.engine.compiler.signatures import (
    BOUNDARIES,
    INITIAL_CHART,
    SLIDING_FIELD,
    TRANSITION,
    VALIDATE,
    call_initial_chart,
    call_outputs,
    call_sliding_field,
    call_transition,
    call_validate,
)
from hybridsim.engine.memory import NO_INPUTS, NOWHERE
from hybridsim.typing import FloatArray, IntArray

TIME, STATE, PARAMETER = range(3)
"""Kinds of variables: entries of `Rows.kind`."""

SIZES = np.dtype(
    [(name, "i8") for name in ("address", "which", "n_states", "n_results", "n_boundaries", "n_p", "n_variables")]
)


class Rows(NamedTuple):
    """A function, n rows of what it takes and of what it gives, and one row as it takes and gives it.

    The last arrays hold doubles, the first of them, where the function is evaluated, and dual numbers where it is
    differentiated.
    """

    sizes: Any
    t: FloatArray  # (n,) times [s]
    x: FloatArray  # (n, n_states)
    chart: IntArray  # (n,)
    adjacent_chart: IntArray  # (n,) second charts of slides, for `sliding_field`
    crossed: IntArray  # (n, n_boundaries) 1 for boundaries that cross, for `transition`
    held: FloatArray  # (k, n_held) values of parameters and inputs that vary
    input_indices: IntArray  # their number, then the index of each in p
    which: IntArray  # (n,) the row of `held` that holds at each row
    y: FloatArray  # (n, n_results) what the function writes
    answer: IntArray  # (n,) what it returns
    jacobian: FloatArray  # (n, n_results, n_variables)
    constants: FloatArray  # (n_p,) parameters and inputs
    kind: IntArray  # (n_variables,) TIME, STATE or PARAMETER
    place: IntArray  # (n_variables,) the variable's index in x or p
    units: FloatArray  # (DUAL_LANES, DUAL_LANES) the identity
    flags: IntArray  # (n_boundaries,) the boundaries that cross at one row
    t_here: FloatArray  # (1, DUAL_SIZE)
    x_here: FloatArray  # (n_states, DUAL_SIZE)
    p_here: FloatArray  # (n_p, DUAL_SIZE)
    y_here: FloatArray  # (n_results, DUAL_SIZE)


GIVEN = ("t", "x", "chart", "adjacent_chart", "crossed")
"""The arrays of one row that a caller gives, which are copied: to find the address of an array takes longer."""


def make_rows(sizes: Any, constants: FloatArray, kind: IntArray, place: IntArray) -> Rows:
    """Make the arrays for one row.

    Parameters
    ----------
    sizes : (1,) array of SIZES
        The function and its sizes.
    constants : (n_p,) array
        Parameters and inputs.
    kind, place : (n_variables,) int arrays
        The variables of derivatives.

    Returns
    -------
    Rows
        The arrays; in place of `y`, `answer` and `jacobian` there will be those of the caller.
    """
    numbers = scalars(sizes)
    return Rows(
        sizes=sizes,
        t=np.zeros(1),
        x=np.zeros((1, numbers.n_states)),
        chart=np.zeros(1, np.int64),
        adjacent_chart=np.full(1, NOWHERE),
        crossed=np.zeros((1, numbers.n_boundaries), np.int64),
        held=NO_INPUTS[0],
        input_indices=NO_INPUTS[1],
        which=np.zeros(1, np.int64),
        y=np.zeros(1),
        answer=np.zeros(1, np.int64),
        jacobian=np.zeros(1),
        constants=constants,
        kind=np.append(kind, 0),
        place=np.append(place, 0),
        units=np.eye(DUAL_LANES),
        flags=np.zeros(max(numbers.n_boundaries, 1), np.int64),
        t_here=duals(1),
        x_here=duals(numbers.n_states),
        p_here=duals(numbers.n_p),
        y_here=duals(numbers.n_results),
    )


class Loop:
    """One of the two loops, with the memory that one thread needs for one function.

    Parameters
    ----------
    entry : Entry
        `evaluate_rows` or `differentiate_rows`.
    rows : Rows
        Its arrays, for one row.
    variables : tuple
        Names, kinds and indices of the variables of derivatives.
    """

    def __init__(self, entry: Entry, rows: Rows, variables: tuple[tuple[str, ...], IntArray, IntArray]) -> None:
        self._entry, self._rows, self.variables = entry, rows, variables
        if JIT:
            self._function = entry.c_function(rows, 0)
            self._own = table_of(rows)
            self._table = self._own.copy()
            self._address = _address(self._table)

    def __call__(self, n: int, given: dict[str, Any]) -> None:
        """Evaluate at n rows; `given` are entries of `Rows`: contiguous arrays, or numbers for one row.

        All that the function takes must be there: `chart`, for a transition `crossed`, for a slide `adjacent_chart`.
        """
        if not JIT:
            self._entry(self._rows._replace(**{name: np.atleast_1d(value) for name, value in given.items()}), n)
            return
        self._table[:] = self._own
        for name, value in given.items():
            if n == 1 and name in GIVEN:
                getattr(self._rows, name)[:] = value
            else:
                self._table[INDEX[name]] = _address(value)
        self._function(self._address, n)


INDEX = {name: index for index, name in enumerate(Rows._fields)}


def _address(array: Any) -> int:
    """Return the address of an array's numbers; where it may be written to, in a quarter of the time."""
    writable = array.size and array.flags.writeable
    return addressof(c_char.from_buffer(array)) if writable else int(array.ctypes.data)


@kernel
def copy(source, first, target, start, n):
    """Copy n numbers."""
    for i in range(n):
        target[start + i] = source[first + i]


@kernel
def place(c, row, size):
    """Write state, parameters and flags of a row as numbers of `size` doubles."""
    for m in range(c.sizes.n_states):
        c.x_here[m * size] = c.x[row * c.sizes.n_states + m]
    n_held = c.input_indices[0]
    for i in range(n_held):
        c.p_here[c.input_indices[1 + i] * size] = c.held[c.which[row] * n_held + i]
    if c.sizes.which == TRANSITION:
        copy(c.crossed, row * c.sizes.n_boundaries, c.flags, 0, c.sizes.n_boundaries)


@kernel
def prepare_results(c, size):
    """Set the results to what they are where the function writes nothing: the state, infinity for a boundary, or 0."""
    which, n_results = c.sizes.which, c.sizes.n_results
    changes_state = which == TRANSITION or which == INITIAL_CHART
    for m in range(n_results * size):
        c.y_here[m] = c.x_here[m] if changes_state else 0.0
    if which == BOUNDARIES:
        for i in range(n_results):
            c.y_here[i * size] = math.inf


@kernel
def call(c, row, t):
    """Call the function at time t, a number, or an array of one dual number; returns its answer, or 0."""
    address, which, y, x, p = c.sizes.address, c.sizes.which, c.y_here, c.x_here, c.p_here
    if which == TRANSITION:
        return call_transition(address, y, t, x, p, c.chart[row], c.flags)
    if which == INITIAL_CHART:
        return call_initial_chart(address, y, t, x, p)
    if which == SLIDING_FIELD:
        call_sliding_field(address, y, 0, t, x, p, c.chart[row], c.adjacent_chart[row])
        return 0
    call_outputs(address, y, 0, t, x, 0, p, c.chart[row])  # vector_field and boundaries take the same arguments
    return 0


def evaluate(rows, n):
    """Set y[row] and answer[row] to what the function writes and returns."""
    c = loaded(rows)
    n_results = c.sizes.n_results
    copy(c.constants, 0, c.p_here, 0, c.sizes.n_p)
    for row in range(n):
        place(c, row, 1)
        if c.sizes.which == VALIDATE:
            c.answer[row] = call_validate(c.sizes.address, c.t[row], c.x_here, c.p_here, c.chart[row])
        else:
            prepare_results(c, 1)
            c.answer[row] = call(c, row, c.t[row])
            copy(c.y_here, 0, c.y, row * n_results, n_results)


@kernel
def seed(c, first, of_units):
    """Give up to eight variables from `first` on the derivatives 1 with respect to themselves, or 0 if not `of_units`.

    A whole vector is stored at once: the processor would wait for one made of parts.
    """
    for number in range(first, min(first + DUAL_LANES, c.sizes.n_variables)):
        lanes = load(c.units, (number - first) * DUAL_LANES) if of_units else zeros()
        i = c.place[number] * DUAL_SIZE + FIRST_LANE
        if c.kind[number] == TIME:
            store(c.t_here, FIRST_LANE, lanes)
        elif c.kind[number] == STATE:
            store(c.x_here, i, lanes)
        else:
            store(c.p_here, i, lanes)


@kernel
def keep(c, row, first, size):
    """Copy values and derivatives by up to eight variables to the results of a row; `size` is that of all Jacobians.

    Of fewer than eight a whole vector is stored, if what lies behind them is written later.
    """
    n_results, n = c.sizes.n_results, c.sizes.n_variables
    for i in range(n_results):
        c.y[row * n_results + i] = c.y_here[i * DUAL_SIZE]
        at, lanes = (row * n_results + i) * n + first, i * DUAL_SIZE + FIRST_LANE
        if n - first >= DUAL_LANES or (first == 0 and at + DUAL_LANES <= size):
            store(c.jacobian, at, load(c.y_here, lanes))
        else:
            copy(c.y_here, lanes, c.jacobian, at, n - first)


def differentiate(rows, n):
    """Set y[row], answer[row] and jacobian[row] to values and derivatives: a call for each eight variables.

    Before and after a row, the first eight variables are seeded: with one call, which is most often enough, none of the
    seeds moves.
    """
    c = loaded(rows)
    n_variables = c.sizes.n_variables
    size = n * c.sizes.n_results * n_variables
    for i in range(c.sizes.n_p):
        c.p_here[i * DUAL_SIZE] = c.constants[i]
    for first in range(DUAL_LANES, n_variables, DUAL_LANES):
        seed(c, first, False)  # plain Python may have raised an error in an earlier call
    seed(c, 0, True)
    for row in range(n):
        c.t_here[0] = c.t[row]
        place(c, row, DUAL_SIZE)
        for first in range(0, max(n_variables, 1), DUAL_LANES):
            prepare_results(c, DUAL_SIZE)
            c.answer[row] = call(c, row, c.t_here)
            keep(c, row, first, size)
            if n_variables > DUAL_LANES:
                seed(c, first, False)
                seed(c, first + DUAL_LANES if first + DUAL_LANES < n_variables else 0, True)


evaluate_rows = Entry("hybridsim.simulation.row_loops:evaluate")
differentiate_rows = Entry("hybridsim.simulation.row_loops:differentiate")
