"""What the entry points of `entry` compute, and the inputs that hold at a row of the `Columns` c."""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
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


def evaluate_weights(problem, state, workspace, c, slides, n, width):
    """Set y[row] to the weight of chart[row] in a slide between it and adjacent_chart[row] along surface[row].

    `state` is a copy of the run's scalars: evaluating a run must not change it.
    """
    for row in range(n):
        state.chart, state.adjacent_chart, state.surface = c.chart[row], slides.adjacent_chart[row], slides.surface[row]
        for m in range(width):
            slides.x_here[m] = c.x[row * width + m]
        c.y[row] = weight_at(problem, state, workspace, c.t[row], slides.x_here, slides.step[row])
