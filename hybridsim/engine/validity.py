"""The model's own check of a state, `validate`: warnings are counted, an error ends the run where it begins."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import VALIDATE, boolean, call_validate, pointer, real
from hybridsim.engine.rounding import INSTANT_SPACINGS, spacing
from hybridsim.engine.runge_kutta import extend, extension_at
from hybridsim.engine.stages import copy

WARNING_SEVERITY, ERROR_SEVERITY = 1, 2
"""Severities of a message: it is counted; it ends the run."""


@kernel
def is_invalid(problem, state, workspace, t, x):
    """Return whether the model reports an error at (t, x); a warning is counted."""
    code = message_number(problem, state, t, x)
    if code == 0:
        return False
    workspace.warning_count[code] += 1
    state.end_message = code
    return problem.severity[code] == ERROR_SEVERITY


@kernel
def message_number(problem, state, t, x):
    """Return the number of the message that `validate` reports, 0 for none, n_messages + 1 for any other number."""
    if not problem.settings.has_validate:
        return 0
    code = call_validate(problem.functions[VALIDATE], t, x, problem.p, state.chart)
    return code if 0 <= code <= problem.settings.n_messages else problem.settings.n_messages + 1


@kernel
def has_left_chart(problem, state, workspace, crossed):
    """Return whether the state is invalid at the end of the step or at an event; if so, set state.t and workspace.x."""
    if crossed:
        invalid = is_invalid(problem, state, workspace, state.t_event, workspace.x_event)
        return invalid and leave_chart(problem, state, workspace, state.t_event, workspace.x_event, INSTANT_SPACINGS)
    invalid = is_invalid(problem, state, workspace, state.t_new, workspace.x_new)
    return invalid and leave_chart(problem, state, workspace, state.t_new, workspace.x_new, 0.0)


@routine(boolean, real, pointer, real)
def leave_chart(problem, state, workspace, t_end, x_end, allowance):
    """Set state.t and workspace.x to the first float of t where the state is invalid, found by bisection.

    On a boundary a state may be invalid by rounding: within `allowance` spacings of t before the event it is not, and
    the result is False.
    """
    extend(problem, state, workspace)
    inside, outside = state.t_start, t_end
    while np.nextafter(inside, np.inf) < outside:
        t = inside + 0.5 * (outside - inside)
        extension_at(problem, workspace, (t - state.t_start) / state.step, workspace.x_search)
        code = message_number(problem, state, t, workspace.x_search)
        if problem.severity[code] == ERROR_SEVERITY:
            outside, state.end_message = t, code
        else:
            inside = t
    if t_end - outside < allowance * spacing(t_end):
        return False
    state.t = outside
    copy(problem.settings, x_end, workspace.x)
    if outside < t_end:
        extension_at(problem, workspace, (outside - state.t_start) / state.step, workspace.x)
    return True
