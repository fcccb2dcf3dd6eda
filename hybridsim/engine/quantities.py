"""Quantities of a run that metrics follow, at its rows and within its steps: time, states, outputs and extra outputs.

Within a step, time and states are polynomials, whose coefficients are known; the others are functions that must be
called. A place in the part of a step that counts is s in [0, 1].
"""

from __future__ import annotations

from typing import NamedTuple

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import OUTPUTS, call_extra_output, call_outputs
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.sliding import weight_at

TIME_SOURCE, STATE_SOURCE, OUTPUT_SOURCE, EXTRA_OUTPUT_SOURCE = range(4)
"""Sources of quantities, `Batch.source`. The first two are polynomials within a step."""

EXTREMES, INTEGRALS, DEVIATION = 1, 2, 4
"""Sum of what is wanted of a quantity over time, besides its values at the end and at events: `Batch.wanted`. The mean
and the integral need INTEGRALS, the standard deviation needs DEVIATION, too."""

NODES = (
    *(0.5 - 0.5 * 0.6**0.5, 0.5, 0.5 + 0.5 * 0.6**0.5),
    *(0.5 - 0.4802456343540101, 0.5 - 0.2171218746734013, 0.5 + 0.2171218746734013, 0.5 + 0.4802456343540101),
)
"""Gauss's three nodes on [0, 1], then the four that Kronrod adds (Kronrod 1965)."""

MIDDLE = 1
"""Index of the node halfway."""

N_GAUSS, N_KRONROD = 3, 7


class Span(NamedTuple):
    """The part of a step that counts."""

    row: int  # where the step begins
    offset: float  # how long after it what counts begins [s]
    length: float  # how long it lasts [s]


@kernel
def is_polynomial(b, q):
    """Return whether quantity q is time or a state."""
    return b.source[q] <= STATE_SOURCE


@kernel
def set_point_chart(point_state, chart, adjacent_chart, surface):
    """Set the chart of the point that is evaluated, or the slide between two charts."""
    point_state.chart, point_state.adjacent_chart, point_state.surface = chart, adjacent_chart, surface


@kernel
def take_state(problem, b, states, row):
    """Copy a row of states to b.x_here."""
    n = problem.settings.n_states
    for m in range(n):
        b.x_here[m] = states[row * n + m]


@kernel
def evaluate_polynomials(b, t, x):
    """Evaluate the quantities that are time or states."""
    for q in range(b.sizes.n_quantities):
        if b.source[q] == TIME_SOURCE:
            b.quantity[q] = t
        elif b.source[q] == STATE_SOURCE:
            b.quantity[q] = x[b.source_index[q]]


@kernel
def evaluate_quantities(problem, point_state, workspace, b, t, x, step):
    """Evaluate all quantities at one point of the run, in the chart or slide set in `point_state`."""
    sizes, chart, adjacent_chart, weight = b.sizes, point_state.chart, point_state.adjacent_chart, 1.0
    evaluate_polynomials(b, t, x)
    if adjacent_chart != NOWHERE:
        weight = weight_at(problem, point_state, workspace, t, x, step)
    if sizes.calls_outputs:
        outputs_at(problem, b, b.y, t, x, chart)
        if adjacent_chart != NOWHERE:
            outputs_at(problem, b, b.y_adjacent, t, x, adjacent_chart)
            for m in range(sizes.n_outputs):
                b.y[m] = weight * b.y[m] + (1.0 - weight) * b.y_adjacent[m]
    for q in range(sizes.n_quantities):
        source, index = b.source[q], b.source_index[q]
        if source == OUTPUT_SOURCE:
            b.quantity[q] = b.y[index]
        elif source == EXTRA_OUTPUT_SOURCE:
            value = call_extra_output(b.extra_outputs[index], t, x, problem.p, chart)
            if adjacent_chart != NOWHERE:
                adjacent_value = call_extra_output(b.extra_outputs[index], t, x, problem.p, adjacent_chart)
                value = weight * value + (1.0 - weight) * adjacent_value
            b.quantity[q] = value


@kernel
def outputs_at(problem, b, y, t, x, chart):
    """Set y to the outputs of the model in a chart."""
    for m in range(b.sizes.n_outputs):
        y[m] = 0.0
    call_outputs(problem.functions[OUTPUTS], y, 0, t, x, 0, problem.p, chart)


@kernel
def evaluate_inside(problem, point_state, workspace, record, b, row, duration):
    """Evaluate all quantities within the step that begins at a row, a duration after it."""
    settings, step = problem.settings, record.step[row]
    n, degree, theta = settings.n_states, settings.degree, duration / record.step[row]
    set_point_chart(point_state, record.chart[row], record.adjacent_chart[row], record.surface[row])
    # The polynomial of `runge_kutta.extension_at`, which needs padded vectors; rows of the log have no padding.
    for m in range(n):
        rise = 0.0
        for d in range(degree - 1, -1, -1):
            rise = theta * (rise + record.extension[(row * degree + d) * n + m])
        b.x_here[m] = record.x[row * n + m] + rise
    evaluate_quantities(problem, point_state, workspace, b, record.t[row] + duration, b.x_here, step)


@kernel
def sample_nodes(problem, point_state, workspace, record, b, span, lo, width, n, first):
    """Write the quantities at the first n nodes of the part of a span from s = lo on to b.nodes[first:]."""
    for node in range(n):
        duration = span.offset + span.length * (lo + width * NODES[node])
        evaluate_inside(problem, point_state, workspace, record, b, span.row, duration)
        widen(b)
        for q in range(b.sizes.n_quantities):
            b.nodes[first + node * b.sizes.n_quantities + q] = b.quantity[q]


@kernel
def widen(b):
    """Extend the extremes to the quantities evaluated last."""
    for q in range(b.sizes.n_quantities):
        if b.wanted[q] & EXTREMES:
            widen_one(b, q, b.quantity[q])


@kernel
def widen_one(b, q, value):
    """Extend the extremes of quantity q to a value; nan stays nan."""
    if value < b.lowest[q] or value != value:
        b.lowest[q] = value
    if value > b.highest[q] or value != value:
        b.highest[q] = value


@kernel
def take_polynomial(problem, record, b, span, q):
    """Set b.power to the coefficients of s, s^2, ... of time or a state in a span; return the value at s = 0."""
    settings, row, index = problem.settings, span.row, b.source_index[q]
    n, degree, begin = settings.n_states, settings.degree, span.offset / record.step[row]
    if b.source[q] == TIME_SOURCE:
        for d in range(degree):
            b.power[d] = 0.0
        b.power[0] = span.length
        return record.t[row] + span.offset
    for d in range(degree):
        b.power[d] = record.extension[(row * degree + d) * n + index]
    base = record.x[row * n + index]
    if begin > 0.0:
        base += shift_polynomial(b.power, degree, begin)
    ratio, factor = span.length / record.step[row], 1.0
    for d in range(degree):
        factor *= ratio
        b.power[d] *= factor
    return base


@kernel
def shift_polynomial(power, n, begin):
    """Move the origin of power[0] s + ... + power[n - 1] s^n to `begin`, by Horner's scheme; return the value there."""
    rise = 0.0
    for k in range(n):
        for d in range(n - 2, max(k - 1, 0) - 1, -1):
            power[d] += begin * power[d + 1]
        if k == 0:
            rise = begin * power[0]
    return rise
