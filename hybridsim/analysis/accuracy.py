"""How exact the numbers of an orbit are, and with how many digits they are printed.

The orbit is corrected once with steps that are more exact, a thirtieth of the tolerances or half of the fixed step:
what changes is the error of its steps. What these leave, and rounding, is estimated: the strides of a period end within
d = rtol |x| + atol and what the derivative A of the return map makes of it, so that the orbit is wrong by (1 - A)^-1 d,
its period by what this changes, and a multiplier by the error of A times its condition number, 1 / |a e| of its left
and right eigenvectors of size 1. What is lost where times are rounded, late, is measured if the model knows no time
but that of its clock: the same strides are made at time 0.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import FAMILY_RANK_TOLERANCE, shortest_step
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import problem_of
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, sizes_of
from hybridsim.analysis.stride import StrideError
from hybridsim.model.contract import may_read_time
from hybridsim.typing import FloatArray

CURVATURE = 3.0
"""Change of a derivative of the return map, in its own size, as the states change by theirs."""

MORE_EXACT, SMALLEST_TOLERANCE = 30.0, 1e-14
"""How much smaller the tolerances of more exact steps are, and the least relative one."""

MOST_DIGITS = 14
"""Digits that are printed at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Estimated errors: of the state, the largest of them in its sizes, of period, multipliers, times and ways."""

    x: FloatArray
    relative: float
    period: float
    multipliers: FloatArray
    events: FloatArray
    displacement: FloatArray


def errors_of(orbit: Orbit) -> Errors:
    """Estimate how exact an orbit is."""
    engine, here = orbit.config.engine, problem_of(orbit, ())
    rtol, atol = engine.rtol, engine.atol
    exact = max(rtol / MORE_EXACT, SMALLEST_TOLERANCE), atol / MORE_EXACT
    corrected = _corrected(orbit, *exact)
    if corrected is None:
        return _of_steps(orbit, here, rtol, atol)
    left = _of_steps(orbit, here, *(exact if engine.tableau.adaptive else (0.0, 0.0)))
    problem, found = corrected
    events = [event.t for event in orbit.events], [event.t for event in dataclasses.replace(orbit, found=found).events]
    if len(events[0]) != len(events[1]):
        return _of_steps(orbit, here, rtol, atol)
    x = 2.0 * np.abs(problem.miss(orbit.found.x0, found.x0))
    ways = found.x - found.x0 + found.moved, np.array([*orbit.displacement.values()])
    moved = 2.0 * np.abs(ways[0][orbit.free_states.translations] - ways[1])
    multipliers = problem.multipliers(found)
    change = [float(np.abs(multipliers - value).min(initial=np.inf)) for value in orbit.multipliers]
    return Errors(
        left.x + x,
        left.relative + float((x / _sizes(orbit, rtol, atol)).max(initial=0.0)),
        left.period + 2.0 * abs(found.duration - orbit.period),
        left.multipliers + 2.0 * np.array(change),
        left.events + 2.0 * np.abs(np.subtract(*events)),
        left.displacement + moved,
    )


def _corrected(orbit: Orbit, rtol: float, atol: float) -> tuple[Problem, Return] | None:
    """Return an orbit after one step of Newton's method with steps that are more exact, None if there is none."""
    engine = orbit.config.engine
    changed = {"rtol": rtol, "atol": atol}
    if not engine.tableau.adaptive:
        changed = {key: 0.5 * step for key in ("first_step", "max_step") if (step := getattr(engine, key)) is not None}
    config = dataclasses.replace(orbit.config, engine=engine.model_copy(update=changed))
    problem = problem_of(dataclasses.replace(orbit, config=config), ())
    u = problem.x[problem.free.free] / problem.sizes
    try:
        step = shortest_step(problem.equations(problem.make_strides(u)))
        return problem, problem.settle(problem.make_strides(u + step))
    except StrideError:
        return None


def _of_steps(orbit: Orbit, problem: Problem, rtol: float, atol: float) -> Errors:
    """Estimate the errors of an orbit from the tolerances of its steps, and rounding."""
    found, states = orbit.found, orbit.free_states
    free, away = states.free, states.translations
    rounding, n_events = float(np.finfo(float).eps), len(orbit.events)
    sizes = _sizes(orbit, rtol, atol)
    late = float(np.spacing(abs(orbit.config.initial_time) + orbit.period))
    of_times, of_duration = _of_rounded_times(problem, found)
    groups = problem.return_map.groups
    clock = [] if of_times is None or groups is None else groups.clock
    sizes[clock] = orbit.period  # the size of an instant is no scale
    of_step = (rtol + rounding * sum(len(stride.rows.t) for stride in found.strides)) * sizes + atol
    of_step[clock] = late  # no step changes these
    if of_times is None:
        of_step += late * (n_events + 1) * _largest_slopes(found)
        of_times, of_duration = np.zeros(len(of_step)), late * (n_events + 1)
    of_period = of_step + np.abs(found.by_state) @ of_step + of_times
    matrix = problem.equations(found).jacobian  # with the quantities that choose an orbit of a family
    inverse = np.linalg.pinv(matrix, rcond=FAMILY_RANK_TOLERANCE)[:, : len(free)]
    by_error = inverse * problem.sizes[:, None] / problem.sizes
    x = of_period.copy()
    x[free] = of_step[free] + np.abs(by_error) @ of_period[free]
    parts = x / sizes
    period = float(np.abs(found.duration_by_state[free] @ by_error) @ of_period[free])
    period += orbit.period * float(np.max(of_step / sizes, initial=rounding)) + of_duration
    # Only states that return tell the multipliers: what others gather in a period comes from these, and stays there.
    of_free, units = float(np.max(parts[free], initial=rounding)), sizes[free] / sizes[free, None]
    matrix = found.by_state[np.ix_(free, free)] * units
    values, right = np.linalg.eig(matrix)
    conditions = np.linalg.norm(right, axis=0) * np.linalg.norm(np.linalg.pinv(right), axis=1)
    nearest = [int(np.argmin(np.abs(values - value))) for value in orbit.multipliers]
    multipliers = CURVATURE * of_free * np.linalg.norm(matrix) * conditions[nearest]
    displacement = of_period[away] + np.abs(found.by_state[np.ix_(away, free)] @ by_error) @ of_period[free]
    displacement += of_free * np.abs([*orbit.displacement.values()])
    relative = float(np.max(parts, initial=rounding))
    return Errors(x, relative, period, multipliers, np.full(n_events, period), displacement)


def _of_rounded_times(problem: Problem, found: Return) -> tuple[FloatArray | None, float]:
    """Return by how much strides end elsewhere as they begin late, (n_states,), and how much longer they take, twice.

    None if they begin at 0, or cannot do so as the model depends on time.
    """
    return_map, stride_map = problem.return_map, problem.return_map.stride_map
    begin, groups, x = stride_map.config.initial_time, return_map.groups, found.x0
    if groups is not None and groups.clock:
        x = x - begin * groups.shift_with_time(found.strides[0])
    elif may_read_time(stride_map.model.functions):
        return None, 0.0
    if not begin:
        return None, 0.0
    stride_map.begin_at(0.0)
    try:
        end, strides = return_map.plain(x, found.chart0)
    except StrideError:
        return None, 0.0
    finally:
        stride_map.begin_at(begin)
    longer = sum(stride.duration for stride in strides) - found.duration
    return 2.0 * np.abs(problem.miss(x, end) - problem.miss(found.x0, found.x)), 2.0 * abs(longer)


def _sizes(orbit: Orbit, rtol: float, atol: float) -> FloatArray:
    """Return the sizes of the states, (n_states,), to which errors are compared: one below atol / rtol has none."""
    found = dataclasses.replace(orbit.found, shifts={})  # rtol is relative to where a state is
    rests = ~np.any([stride.rows.x.any(axis=0) for stride in found.strides], axis=0)
    least = atol / rtol if rtol else 0.0
    return np.where(rests & (least > 0.0), least, np.maximum(sizes_of(found), least))


def _largest_slopes(found: Return) -> FloatArray:
    """Return how fast the states change at most from row to row, (n_states,) [state unit/s]."""
    slopes = np.zeros(len(found.x0))
    for stride in found.strides:
        step = np.diff(stride.rows.t)
        change = np.abs(np.diff(stride.rows.x, axis=0))[step > 0.0]
        slopes = np.maximum(slopes, (change / step[step > 0.0, None]).max(axis=0, initial=0.0))
    return slopes


def rounded(value: float, error: float) -> str:
    """Return a number with the digits that are known, 0 if none is."""
    if not abs(value) > error:
        return "0"
    digits = min(MOST_DIGITS, math.floor(math.log10(abs(value))) - math.floor(math.log10(max(error, 1e-300))))
    return f"{value:.{max(digits, 1)}g}"
