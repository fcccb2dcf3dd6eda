"""The compiled loop over many runs of one model.

The loop calls the same `advance` as a single run, so both agree to the last bit. Before each run the engine's memory is
restored to what it was before the first; then the values of this run are written into it.
"""

from __future__ import annotations

from hybridsim.engine.batch import INITIAL, PARAMETER, REAL_SETTING
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import INITIAL_CHART, call_initial_chart
from hybridsim.engine.entry import call_machine
from hybridsim.engine.landing import set_chart
from hybridsim.engine.metrics import conclude, forget_metrics, observe
from hybridsim.engine.state import STATE_DTYPE
from hybridsim.engine.status import GO_ON

STATE_WORDS = STATE_DTYPE.itemsize // 8


def run_batch(problem, state, workspace, record, point_state, b, n):
    """Make n runs, or fewer if `b.stop` is set meanwhile; return how many were made.

    b is a Batch; `point_state` is a copy of `state` in which the metrics set the chart of the point that they evaluate.
    """
    for run in range(n):
        outcome = begin(problem, state, workspace, b, run)
        if outcome != GO_ON:
            observe(problem, state, point_state, workspace, record, b, run, outcome)
        while outcome == GO_ON:
            outcome = call_machine(b.sizes.address, b.sizes.state_address, b.sizes.chunk)
            observe(problem, state, point_state, workspace, record, b, run, outcome)
            if b.stop[0] != 0:
                return run
        conclude(problem, state, point_state, workspace, b, run, outcome)
    return n


@kernel
def begin(problem, state, workspace, b, run):
    """Restore the memory from before the first run; then set the values of this run and find its initial chart."""
    sizes = b.sizes
    for m in range(sizes.n_reals):
        b.reals[m] = b.reals_before[m]
    for m in range(sizes.n_words):
        b.words[m] = b.words_before[m]
    for m in range(STATE_WORDS):
        b.state[m] = b.state_before[m]
    for a in range(sizes.n_axes):
        assign(problem, workspace, b, b.axis_target[a], b.axis_index[a], b.values[run * sizes.n_axes + a])
    forget_metrics(problem, b, run)
    return settle(problem, state, workspace, b)


@kernel
def assign(problem, workspace, b, target, index, value):
    """Set one value of an axis."""
    if target == PARAMETER:
        problem.p[index] = value
    elif target == INITIAL:
        workspace.x[index] = value
    elif target == REAL_SETTING:
        b.settings_reals[index] = value
    else:
        b.settings_words[index] = int(value)


@kernel
def settle(problem, state, workspace, b):
    """Let the model finalise the initial state and chart; returns GO_ON or the code of a Status."""
    settings = problem.settings
    for m in range(settings.width):
        b.x_here[m] = workspace.x[m]
    chart = state.chart
    if b.sizes.has_initial_chart:
        chart = call_initial_chart(problem.functions[INITIAL_CHART], workspace.x, state.t, b.x_here, problem.p)
    outcome = set_chart(settings, state, workspace, chart)
    if outcome != GO_ON:
        return outcome
    for s in range(settings.n_stops):
        workspace.stop_side[s] = side(workspace.x[problem.stop_state[s]] - problem.stop_value[s])
    return GO_ON


@kernel
def side(difference):
    """The sign of a difference: 1.0, -1.0 or 0.0."""
    if difference > 0.0:
        return 1.0
    return -1.0 if difference < 0.0 else 0.0
