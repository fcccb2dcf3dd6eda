"""What the entry points of `entry` compute: calls of a model's functions, one at each row of the `Columns` c."""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import (
    BOUNDARIES,
    INITIAL_CHART,
    OUTPUTS,
    TRANSITION,
    VALIDATE,
    VECTOR_FIELD,
    call_initial_chart,
    call_outputs,
    call_transition,
    call_validate,
    call_vector_field,
)
from hybridsim.engine.entry import call_machine
from hybridsim.engine.sliding import weight_at


def run(address, state_address, number):
    """Call a routine: `advance`, `cut` or `resume`."""
    return call_machine(address, state_address, number)


@kernel
def hold(c, row):
    """Write the inputs held at a row to p."""
    n = c.input_indices[0]
    for i in range(n):
        c.p[c.input_indices[1 + i]] = c.held[c.which[row] * n + i]


def evaluate_outputs(c, n, width, n_outputs):
    """Set y[row] = outputs(t[row], x[row], chart[row])."""
    for row in range(n):
        hold(c, row)
        call_outputs(c.functions[OUTPUTS], c.y, row * n_outputs, c.t[row], c.x, row * width, c.p, c.chart[row])


def evaluate_slopes(c, n, width):
    """Set y[row] = vector_field(t[row], x[row], chart[row])."""
    for row in range(n):
        at = row * width
        hold(c, row)
        call_vector_field(c.functions[VECTOR_FIELD], c.y, at, c.t[row], c.x, at, c.p, c.chart[row])


def evaluate_weights(problem, state, workspace, c, slides, n, width):
    """Set y[row] to the weight of chart[row] in a slide between it and adjacent_chart[row] along surface[row].

    `state` is a copy of the run's scalars: evaluating a run must not change it.
    """
    for row in range(n):
        state.chart, state.adjacent_chart, state.surface = c.chart[row], slides.adjacent_chart[row], slides.surface[row]
        for m in range(width):
            slides.x_here[m] = c.x[row * width + m]
        c.y[row] = weight_at(problem, state, workspace, c.t[row], slides.x_here, slides.step[row])


def evaluate_boundaries(c, n, width, n_boundaries):
    """Set y[row] = boundaries(t[row], x[row], chart[row]); inactive boundaries leave y as it is."""
    for row in range(n):
        hold(c, row)
        call_outputs(c.functions[BOUNDARIES], c.y, row * n_boundaries, c.t[row], c.x, row * width, c.p, c.chart[row])


def apply_transitions(c, n, width, n_boundaries):
    """Set x_new[row] and answer[row] = transition(t[row], x[row], chart[row], crossed[row])."""
    for row in range(n):
        hold(c, row)
        for m in range(width):
            c.x_here[m] = c.x[row * width + m]
            c.x_there[m] = c.x_here[m]
        for i in range(n_boundaries):
            c.crossed_here[i] = c.crossed[row * n_boundaries + i]
        c.answer[row] = call_transition(
            c.functions[TRANSITION], c.x_there, c.t[row], c.x_here, c.p, c.chart[row], c.crossed_here
        )
        for m in range(width):
            c.x_new[row * width + m] = c.x_there[m]


def evaluate_validity(c, n, width):
    """Set answer[row] = validate(t[row], x[row], chart[row])."""
    for row in range(n):
        for m in range(width):
            c.x_here[m] = c.x[row * width + m]
        hold(c, row)
        c.answer[row] = call_validate(c.functions[VALIDATE], c.t[row], c.x_here, c.p, c.chart[row])


def find_initial_chart(c):
    """Let the model finalise the state y, which begins as a copy of x; returns its chart."""
    return call_initial_chart(c.functions[INITIAL_CHART], c.y, c.t[0], c.x, c.p)
