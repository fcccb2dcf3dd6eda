"""Where in a step does a boundary first fall to zero? One search for each way in which that can be decided.

`exact`: a polynomial, whose Bernstein coefficients isolate every root. `bounded`: a second derivative bound, a march
that cannot jump over a root. `sampled`: values and slopes on subintervals, dips followed to their minimum.

In this file theta in [0, 1] is the place within the step, and G = orientation * (g - level): the search is always for
a fall of G. Each search returns an interval (lo, hi) with G > 0 at lo, G <= 0 at hi and, as far as it can tell, no
root before lo; or (-1, -1). `strict` asks for G < 0: of a boundary that rests on its zero.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from hybridsim.engine.compiler.lanes import LANES, load, plus, store
from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import boolean, integer, kernel, real
from hybridsim.engine.events.latching import evaluate, evaluate_into, shift, slopes, span
from hybridsim.engine.memory import ARMED, BOUNDED, EXACT
from hybridsim.engine.runge_kutta import extension_at, extension_slope_at, weighted_sum

NONE, FOUND, NOT_FINITE, DISCONTINUOUS, NOT_LOCATED = range(5)
"""What looking into a step finds."""

MAX_MARCHES, LONGEST_CREEP = 256, 1.0 / 64.0
"""After so many proved steps the bounded search makes unproved ones; how long they may be, in theta."""

MAX_PROBES = 64
MAX_SPLITS = 256
NARROW = 2.0**-48
"""Intervals of theta below this are not split further: only rounding lives there."""


@kernel
def fell(value, strict):
    return value < 0.0 if strict else value <= 0.0


@kernel
def value_at(problem, state, workspace, i, orientation, theta):
    """G at theta; leaves the state there in workspace.x_trial."""
    extension_at(problem, workspace, theta, workspace.x_trial)
    evaluate(problem, state, workspace, workspace.g_trial, state.t_start + theta * state.step, workspace.x_trial)
    return orientation * (workspace.g_trial[i] - workspace.trigger_level[i])


@kernel
def probe(problem, state, workspace, i, orientation, theta):
    """G and dG/dtheta at theta."""
    value = value_at(problem, state, workspace, i, orientation, theta)
    return value, orientation * rate_here(problem, state, workspace, i, theta)


@routine(real, integer, real)
def rate_here(problem, state, workspace, i, theta):
    """dg/dtheta at theta, where workspace.x_trial is: a central difference over 2^-12 of the step.

    It errs by 1e-8 of the third derivative, and by a few thousand roundings of the state: both move a minimum so
    little that its depth changes by no more than rounding. Where it leaves the domain of g, a one-sided one.
    """
    problem, workspace = loaded(problem), loaded(workspace)
    extension_slope_at(problem, workspace, theta, workspace.slope)
    t = state.t_start + theta * state.step
    dt = span(t, state.step, 2.0**-13)
    delta = dt / state.step
    after = shifted_value(problem, state, workspace, i, t + dt, delta)
    rate = (after - shifted_value(problem, state, workspace, i, t - dt, -delta)) / (2.0 * delta)
    if math.isfinite(rate):
        return rate
    dt = span(t, state.step, 2.0**-24)
    delta = dt / state.step
    return (shifted_value(problem, state, workspace, i, t + dt, delta) - workspace.g_trial[i]) / delta


@kernel
def shifted_value(problem, state, workspace, i, t, delta):
    """The boundary at time t and the state workspace.x_trial, moved along its slope."""
    shift(problem.settings, delta, workspace.slope, 0, workspace.x_trial, workspace.x_stage)
    evaluate(problem, state, workspace, workspace.g_shift, t, workspace.x_stage)
    return workspace.g_shift[i]


@kernel
def surely_no_root(problem, state, workspace, i, n):
    """The cheap test that settles most steps: is an armed boundary clear of zero, and of a touch, beyond doubt?"""
    if workspace.trigger_state[i] != ARMED or problem.certificate[i] == BOUNDED:
        return False
    threshold = problem.touch_threshold[i]
    if problem.certificate[i] != EXACT:
        g, r = ends_and_middle(workspace, i, 1.0, state.step)
        doubt = doubt_of_halves(g, r) + threshold
        first = surely_clear(0.5, g[0] - doubt, r[0], g[1] - doubt, r[1])
        return first and surely_clear(0.5, g[1] - doubt, r[1], g[2] - doubt, r[2])
    if problem.degree[i] > 1:
        return far_from_zero(problem, workspace, i, n)
    for node in range(1, n + 1):
        if not threshold < workspace.g_nodes[i + node * problem.settings.n_watched] < np.inf:
            return False
    return True


# Exact: the boundary is a polynomial of degree n in theta.


@kernel
def sample_nodes(problem, state, workspace, degree):
    """Boundary values that determine every boundary of this degree, a row of g_nodes for each node.

    An affine boundary at the control points of the extension gives its Bernstein coefficients without any
    conversion; higher degrees are sampled at Chebyshev points.
    """
    settings = problem.settings
    n, n_watched = degree * settings.degree, settings.n_watched
    for node in range(1, n):
        row = degree * settings.n_nodes + node
        for m in range(0, settings.moving, LANES):
            rise = weighted_sum(
                problem.node_weights, row * settings.degree, settings.degree, workspace.q, m, settings.width
            )
            store(workspace.x_trial, m, plus(load(workspace.x_start, m), 1.0, rise))
        t = state.t_start + problem.nodes[row] * state.step
        evaluate_into(problem, state, workspace, workspace.g_nodes, node * n_watched, t, workspace.x_trial)
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.g_nodes[i], workspace.g_nodes[i + n * n_watched] = workspace.g_start[i], workspace.g_end[i]


@kernel
def control_points(problem, state, workspace, i, n, orientation):
    """The Bernstein coefficients of G over the step, into the first frame of the stack; are all positive?"""
    degree, n_watched, size = problem.degree[i], problem.settings.n_watched, problem.settings.n_nodes
    clear, total = True, 0.0
    for row in range(n + 1):
        value = workspace.g_nodes[i + row * n_watched]
        if degree > 1 and 0 < row < n:
            value = 0.0
            for node in range(n + 1):
                value += (
                    problem.bernstein[(degree * size + row) * size + node] * workspace.g_nodes[i + node * n_watched]
                )
        workspace.stack[row + 2] = orientation * (value - workspace.trigger_level[i])
        clear = clear and (row == 0 or workspace.stack[row + 2] > 0.0)
        total += workspace.stack[row + 2]
    if not math.isfinite(total):
        state.fault = NOT_FINITE
    workspace.stack[0], workspace.stack[1] = 0.0, 1.0
    return clear


@kernel
def far_from_zero(problem, workspace, i, n):
    """Do the values at the nodes alone prove that an armed boundary has no root?

    Between its values at n + 1 Chebyshev points a polynomial strays at most by the Lebesgue constant L from their
    mean level, L <= 1 + 2 / pi ln(n + 1) < 2.81 for n <= 16 (Trefethen 2013, theorem 15.2): a lowest value above
    (L - 1) / 2 of their spread leaves no room for a root.
    """
    lowest, highest, total = np.inf, -np.inf, 0.0
    for node in range(n + 1):
        value = workspace.g_nodes[i + node * problem.settings.n_watched]
        lowest, highest, total = min(lowest, value), max(highest, value), total + value
    # A nan or an infinity is not far from zero.
    return lowest - problem.touch_threshold[i] > 0.91 * (highest - lowest) + 0.0 * total


@kernel
def split(stack, frame, size, n, theta):
    """Cut the interval in `frame` at the fraction theta (de Casteljau): the right part stays, the left goes on top."""
    left = frame + size
    cut = stack[frame] + theta * (stack[frame + 1] - stack[frame])
    stack[left], stack[left + 1] = stack[frame], cut
    stack[frame] = cut
    for r in range(n + 1):
        stack[left + 2 + r] = stack[frame + 2]
        for k in range(n - r):
            stack[frame + 2 + k] += theta * (stack[frame + 3 + k] - stack[frame + 2 + k])


@kernel
def sign_changes(stack, frame, n, strict):
    """How often the coefficients change sign. The first counts as positive: what is left of it has been cleared."""
    changes, below = 0, False
    for k in range(1, n + 1):
        now_below = fell(stack[frame + 2 + k], strict)
        changes += now_below != below
        below = now_below
    return changes, below


@kernel
def never_rises(stack, n):
    """Do the coefficients prove that the boundary falls all along the step? Then it has no minimum in it."""
    for k in range(n):
        if stack[2 + k] < stack[3 + k]:
            return False
    return True


@kernel
def search_exact(problem, state, workspace, i, n, start, orientation, strict):
    """The first interval with exactly one root of G after theta = start (Lane and Riesenfeld 1981), or (-1, -1)."""
    if control_points(problem, state, workspace, i, n, orientation) or state.fault != NONE:
        return -1.0, -1.0
    stack, size = workspace.stack, n + 3
    state.falling = orientation > 0.0 and never_rises(stack, n)
    top = 0
    if start > 0.0:
        split(stack, 0, size, n, start)
    splits = 0
    while top >= 0:
        frame = top * size
        lo, hi = stack[frame], stack[frame + 1]
        changes, below = sign_changes(stack, frame, n, strict)
        narrow = hi - lo < NARROW or splits == MAX_SPLITS
        if changes == 0 or (narrow and not below):
            top -= 1
        elif changes == 1 or narrow:
            # Coefficients are rounded; the boundary itself has the last word.
            if hi == 1.0 or fell(value_at(problem, state, workspace, i, orientation, hi), strict):
                return lo, hi
            top -= 1
        else:
            split(stack, frame, size, n, 0.5)
            splits += 1
            top += 1
    return -1.0, -1.0


# Bounded: |d2g/dt2| <= M.


@kernel
def reach(value, rate, bound):
    """How far G stays positive for certain: the root of value + rate s - bound s^2 / 2."""
    if bound <= 0.0:
        return np.inf if rate >= 0.0 else -value / rate
    return (rate + math.sqrt(rate * rate + 2.0 * bound * max(value, 0.0))) / bound


@kernel
def search_bounded(problem, state, workspace, i, start, orientation, strict):
    """March from theta = start by steps that the second derivative bound proves free of roots."""
    bound = problem.second_derivative_bound[i] * state.step * state.step
    at_end = orientation * (workspace.g_end[i] - workspace.trigger_level[i])
    lo = start
    value, rate = probe(problem, state, workspace, i, orientation, lo)
    from_end, least, marches = 0.0, NARROW, 0
    if not fell(at_end, strict):
        _, rate_at_end = probe(problem, state, workspace, i, orientation, 1.0)
        from_end = reach(at_end, -rate_at_end, bound)
    while lo < 1.0:
        ahead = reach(value, rate, bound)
        if not math.isfinite(value + rate):
            state.fault = NOT_FINITE
            return -1.0, -1.0
        if lo + ahead + from_end > 1.0 and from_end > 0.0:
            return -1.0, -1.0
        marches += 1
        if marches == MAX_MARCHES:
            least = LONGEST_CREEP
        if ahead < least / 64.0 or ahead < NARROW or (marches >= MAX_MARCHES and ahead < least):
            # At rest on zero nothing proves that it stays there: creep away, ever faster, until the proof goes on.
            if least > reach(problem.settings.stop_precision, abs(rate), bound):
                state.crept = 1
            ahead, least = least, min(2.0 * least, LONGEST_CREEP)
        elif marches < MAX_MARCHES:
            least = NARROW
        hi = min(lo + ahead, 1.0)
        if hi == 1.0:
            if fell(at_end, strict):
                return lo, 1.0
            return -1.0, -1.0
        value, rate = probe(problem, state, workspace, i, orientation, hi)
        if fell(value, strict):
            return lo, hi
        lo = hi
    return -1.0, -1.0


# Sampled: values and slopes.


@kernel
def sample_middle(problem, state, workspace):
    """Values and slopes in the middle and at the end of the step (those at its start are known)."""
    settings = problem.settings
    extension_at(problem, workspace, 0.5, workspace.x_trial)
    extension_slope_at(problem, workspace, 0.5, workspace.slope)
    for m in range(settings.width):
        workspace.slope[m] /= state.step
    t = state.t_start + 0.5 * state.step
    evaluate(problem, state, workspace, workspace.g_middle, t, workspace.x_trial)
    slopes(
        problem,
        state,
        workspace,
        t,
        workspace.x_trial,
        workspace.slope,
        0,
        workspace.g_middle,
        workspace.slope_middle,
        state.step,
    )
    last = settings.stages * settings.width
    slopes(
        problem,
        state,
        workspace,
        state.t_new,
        workspace.x_new,
        workspace.k,
        last,
        workspace.g_end,
        workspace.slope_end,
        -state.step,
    )


@kernel
def ends_and_middle(workspace, i, orientation, step):
    """G and dG/dtheta at the start, in the middle and at the end of the step."""
    level, scale = workspace.trigger_level[i], orientation * step
    g_start, g_middle, g_end = workspace.g_start[i] - level, workspace.g_middle[i] - level, workspace.g_end[i] - level
    return (
        (orientation * g_start, orientation * g_middle, orientation * g_end),
        (scale * workspace.slope_start[i], scale * workspace.slope_middle[i], scale * workspace.slope_end[i]),
    )


@kernel
def doubt_of_halves(g, r):
    """How far the middle lies off the cubic through the ends tells how far to trust the cubics of the halves."""
    value = g[1] - 0.5 * (g[0] + g[2]) - 0.125 * (r[0] - r[2])
    rate = r[1] - 1.5 * (g[2] - g[0]) + 0.25 * (r[0] + r[2])
    return abs(value) + 0.25 * abs(rate)


@kernel
def surely_clear(width, ga, sa, gb, sb):
    """Are the control values of the cubic through two ends and slopes positive by a quarter of their spread?"""
    c1, c2 = ga + width * sa / 3.0, gb - width * sb / 3.0
    lowest, highest = min(min(ga, gb), min(c1, c2)), max(max(ga, gb), max(c1, c2))
    return lowest > 0.25 * (highest - lowest)


@kernel
def push(stack, top, depth, a, ga, sa, b, gb, sb):
    frame = 7 * top
    stack[frame], stack[frame + 1], stack[frame + 2] = a, ga, sa
    stack[frame + 3], stack[frame + 4], stack[frame + 5] = b, gb, sb
    stack[frame + 6] = depth


@kernel
def search_sampled(problem, state, workspace, i, start, orientation, strict):
    """Search the step from theta = start: halves that are surely clear are skipped, the others cut into eighths.

    On an eighth the cubic through values and slopes is trusted: one sign change brackets a root, a dip is followed
    to its minimum.
    """
    stack, top = workspace.stack, -1
    if start == 0.0:
        g, r = ends_and_middle(workspace, i, orientation, state.step)
        doubt = doubt_of_halves(g, r)
        if not math.isfinite(doubt):
            state.fault = NOT_FINITE
            return -1.0, -1.0
        _, middle = probe(problem, state, workspace, i, orientation, 0.5)
        if not surely_clear(0.5, g[1] - doubt, r[1], g[2] - doubt, r[2]):
            top += 1
            _, end = probe(problem, state, workspace, i, orientation, 1.0)
            push(stack, top, 1.0, 0.5, g[1], middle, 1.0, g[2], end)
        if not surely_clear(0.5, g[0] - doubt, r[0], g[1] - doubt, r[1]):
            top += 1
            _, first = probe(problem, state, workspace, i, orientation, 0.0)
            push(stack, top, 1.0, 0.0, g[0], first, 0.5, g[1], middle)
    else:
        at_end = orientation * (workspace.g_end[i] - workspace.trigger_level[i])
        ga, sa = probe(problem, state, workspace, i, orientation, start)
        _, end = probe(problem, state, workspace, i, orientation, 1.0)
        top = 0
        push(stack, 0, 0.0, start, max(ga, 0.0), sa, 1.0, at_end, end)
    probes = 0
    while top >= 0:
        frame = 7 * top
        a, ga, sa = stack[frame], stack[frame + 1], stack[frame + 2]
        b, gb, sb = stack[frame + 3], stack[frame + 4], stack[frame + 5]
        depth = stack[frame + 6]
        cut = where_to_cut(depth, a, ga, sa, b, gb, sb, strict)
        if cut == a or (probes >= MAX_PROBES and not fell(gb, strict)):
            top -= 1
        elif cut == b or probes >= MAX_PROBES:
            return a, b
        else:
            gc, sc = probe(problem, state, workspace, i, orientation, cut)
            if not math.isfinite(gc + sc):
                state.fault = NOT_FINITE
                return -1.0, -1.0
            probes += 1
            push(stack, top, depth + 1.0, cut, gc, sc, b, gb, sb)
            top += 1
            push(stack, top, depth + 1.0, a, ga, sa, cut, gc, sc)
    return -1.0, -1.0


@kernel
def where_to_cut(depth, a, ga, sa, b, gb, sb, strict):
    """Where to cut the interval next; a = there is no root in it, b = it brackets exactly one."""
    width = b - a
    below = fell(gb, strict)
    if depth > 1.0 and surely_clear(width, ga, sa, gb, sb):
        return a
    middle = a + 0.5 * width
    if width < NARROW:
        return b if below else a
    if depth < 3.0:
        return middle
    c1, c2 = ga + width * sa / 3.0, gb - width * sb / 3.0
    if below:
        return middle if fell(c1, strict) and not fell(c2, strict) else b
    if not fell(c1, strict) and not fell(c2, strict):
        return a
    if sa < 0.0 < sb:
        return a + width * dip(ga, width * sa, gb, width * sb) if width > 1e-7 else a
    return middle if depth < 8.0 else a


@kernel
def dip(ga, sa, gb, sb):
    """Where in (0, 1) the cubic with these ends and slopes, falling then rising, has its minimum."""
    cubic = 2.0 * (ga - gb) + sa + sb
    quadratic = 3.0 * (gb - ga) - 2.0 * sa - sb
    root = math.sqrt(max(quadratic * quadratic - 3.0 * cubic * sa, 0.0))
    s = -sa / (quadratic + root) if quadratic + root > 0.0 else 0.5
    return min(max(s, 0.05), 0.95)


@routine(types.UniTuple(real, 2), integer, integer, real, real, boolean)
def next_fall(problem, state, workspace, i, n, start, orientation, strict):
    """The first interval after theta = start in which G falls to zero, or (-1, -1)."""
    problem, workspace = loaded(problem), loaded(workspace)
    if problem.certificate[i] == EXACT:
        return search_exact(problem, state, workspace, i, n, start, orientation, strict)
    if problem.certificate[i] == BOUNDED:
        return search_bounded(problem, state, workspace, i, start, orientation, strict)
    return search_sampled(problem, state, workspace, i, start, orientation, strict)
