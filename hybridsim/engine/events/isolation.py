"""Where in a step does a boundary first fall to zero? One search for each way in which that can be decided.

`exact`: a polynomial, whose Bernstein coefficients isolate every root. `bounded`: a second derivative bound, a march
that cannot jump over a root. `sampled`: values and slopes on subintervals, dips followed to their minimum.

In this file theta in [0, 1] is the place within the step, and G = orientation * (g - floor): the search is always for
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
def value_at(problem, now, work, i, orientation, theta):
    """G at theta; leaves the state there in work.x_trial."""
    extension_at(problem, work, theta, work.x_trial)
    evaluate(problem, now, work, work.g_trial, now.t_start + theta * now.step, work.x_trial)
    return orientation * (work.g_trial[i] - work.floor[i])


@kernel
def probe(problem, now, work, i, orientation, theta):
    """G and dG/dtheta at theta."""
    value = value_at(problem, now, work, i, orientation, theta)
    return value, orientation * rate_here(problem, now, work, i, theta)


@routine(real, integer, real)
def rate_here(problem, now, work, i, theta):
    """dg/dtheta at theta, where work.x_trial is: a central difference over 2^-12 of the step.

    It errs by 1e-8 of the third derivative, and by a few thousand roundings of the state: both move a minimum so
    little that its depth changes by no more than rounding. Where it leaves the domain of g, a one-sided one.
    """
    problem, work = loaded(problem), loaded(work)
    extension_slope_at(problem, work, theta, work.slope)
    t = now.t_start + theta * now.step
    dt = span(t, now.step, 2.0**-13)
    delta = dt / now.step
    after = shifted_value(problem, now, work, i, t + dt, delta)
    rate = (after - shifted_value(problem, now, work, i, t - dt, -delta)) / (2.0 * delta)
    if math.isfinite(rate):
        return rate
    dt = span(t, now.step, 2.0**-24)
    delta = dt / now.step
    return (shifted_value(problem, now, work, i, t + dt, delta) - work.g_trial[i]) / delta


@kernel
def shifted_value(problem, now, work, i, t, delta):
    """The boundary at time t and the state work.x_trial, moved along its slope."""
    shift(problem.settings, delta, work.slope, 0, work.x_trial, work.x_stage)
    evaluate(problem, now, work, work.g_shift, t, work.x_stage)
    return work.g_shift[i]


@kernel
def surely_no_root(problem, now, work, i, n):
    """The cheap test that settles most steps: is an armed boundary clear of zero, and of a touch, beyond doubt?"""
    if work.latch[i] != ARMED or problem.kind[i] == BOUNDED:
        return False
    clearance = problem.clearance[i]
    if problem.kind[i] != EXACT:
        g, r = ends_and_middle(work, i, 1.0, now.step)
        doubt = doubt_of_halves(g, r) + clearance
        first = surely_clear(0.5, g[0] - doubt, r[0], g[1] - doubt, r[1])
        return first and surely_clear(0.5, g[1] - doubt, r[1], g[2] - doubt, r[2])
    if problem.degree[i] > 1:
        return far_from_zero(problem, work, i, n)
    for node in range(1, n + 1):
        if not clearance < work.g_nodes[i + node * problem.settings.n_watched] < np.inf:
            return False
    return True


# Exact: the boundary is a polynomial of degree n in theta.


@kernel
def sample_nodes(problem, now, work, degree):
    """Boundary values that determine every boundary of this degree, a row of g_nodes for each node.

    An affine boundary at the control points of the extension gives its Bernstein coefficients without any
    conversion; higher degrees are sampled at Chebyshev points.
    """
    settings = problem.settings
    n, n_watched = degree * settings.degree, settings.n_watched
    for node in range(1, n):
        row = degree * settings.n_nodes + node
        for m in range(0, settings.moving, LANES):
            rise = weighted_sum(problem.node_weights, row * settings.degree, settings.degree, work.q, m, settings.width)
            store(work.x_trial, m, plus(load(work.x_start, m), 1.0, rise))
        t = now.t_start + problem.nodes[row] * now.step
        evaluate_into(problem, now, work, work.g_nodes, node * n_watched, t, work.x_trial)
    for a in range(now.n_active):
        i = work.active[a]
        work.g_nodes[i], work.g_nodes[i + n * n_watched] = work.g_start[i], work.g_end[i]


@kernel
def control_points(problem, now, work, i, n, orientation):
    """The Bernstein coefficients of G over the step, into the first frame of the stack; are all positive?"""
    degree, n_watched, size = problem.degree[i], problem.settings.n_watched, problem.settings.n_nodes
    clear, total = True, 0.0
    for row in range(n + 1):
        value = work.g_nodes[i + row * n_watched]
        if degree > 1 and 0 < row < n:
            value = 0.0
            for node in range(n + 1):
                value += problem.bernstein[(degree * size + row) * size + node] * work.g_nodes[i + node * n_watched]
        work.stack[row + 2] = orientation * (value - work.floor[i])
        clear = clear and (row == 0 or work.stack[row + 2] > 0.0)
        total += work.stack[row + 2]
    if not math.isfinite(total):
        now.fault = NOT_FINITE
    work.stack[0], work.stack[1] = 0.0, 1.0
    return clear


@kernel
def far_from_zero(problem, work, i, n):
    """Do the values at the nodes alone prove that an armed boundary has no root?

    Between its values at n + 1 Chebyshev points a polynomial strays at most by the Lebesgue constant L from their
    mean level, L <= 1 + 2 / pi ln(n + 1) < 2.81 for n <= 16 (Trefethen 2013, theorem 15.2): a lowest value above
    (L - 1) / 2 of their spread leaves no room for a root.
    """
    lowest, highest, total = np.inf, -np.inf, 0.0
    for node in range(n + 1):
        value = work.g_nodes[i + node * problem.settings.n_watched]
        lowest, highest, total = min(lowest, value), max(highest, value), total + value
    # A nan or an infinity is not far from zero.
    return lowest - problem.clearance[i] > 0.91 * (highest - lowest) + 0.0 * total


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
def search_exact(problem, now, work, i, n, start, orientation, strict):
    """The first interval with exactly one root of G after theta = start (Lane and Riesenfeld 1981), or (-1, -1)."""
    if control_points(problem, now, work, i, n, orientation) or now.fault != NONE:
        return -1.0, -1.0
    stack, size = work.stack, n + 3
    now.falling = orientation > 0.0 and never_rises(stack, n)
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
            if hi == 1.0 or fell(value_at(problem, now, work, i, orientation, hi), strict):
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
def search_bounded(problem, now, work, i, start, orientation, strict):
    """March from theta = start by steps that the second derivative bound proves free of roots."""
    bound = problem.second_derivative_bound[i] * now.step * now.step
    at_end = orientation * (work.g_end[i] - work.floor[i])
    lo = start
    value, rate = probe(problem, now, work, i, orientation, lo)
    from_end, least, marches = 0.0, NARROW, 0
    if not fell(at_end, strict):
        _, rate_at_end = probe(problem, now, work, i, orientation, 1.0)
        from_end = reach(at_end, -rate_at_end, bound)
    while lo < 1.0:
        ahead = reach(value, rate, bound)
        if not math.isfinite(value + rate):
            now.fault = NOT_FINITE
            return -1.0, -1.0
        if lo + ahead + from_end > 1.0 and from_end > 0.0:
            return -1.0, -1.0
        marches += 1
        if marches == MAX_MARCHES:
            least = LONGEST_CREEP
        if ahead < least / 64.0 or ahead < NARROW or (marches >= MAX_MARCHES and ahead < least):
            # At rest on zero nothing proves that it stays there: creep away, ever faster, until the proof goes on.
            if least > reach(problem.settings.stop_precision, abs(rate), bound):
                now.crept = 1
            ahead, least = least, min(2.0 * least, LONGEST_CREEP)
        elif marches < MAX_MARCHES:
            least = NARROW
        hi = min(lo + ahead, 1.0)
        if hi == 1.0:
            if fell(at_end, strict):
                return lo, 1.0
            return -1.0, -1.0
        value, rate = probe(problem, now, work, i, orientation, hi)
        if fell(value, strict):
            return lo, hi
        lo = hi
    return -1.0, -1.0


# Sampled: values and slopes.


@kernel
def sample_middle(problem, now, work):
    """Values and slopes in the middle and at the end of the step (those at its start are known)."""
    settings = problem.settings
    extension_at(problem, work, 0.5, work.x_trial)
    extension_slope_at(problem, work, 0.5, work.slope)
    for m in range(settings.width):
        work.slope[m] /= now.step
    t = now.t_start + 0.5 * now.step
    evaluate(problem, now, work, work.g_middle, t, work.x_trial)
    slopes(problem, now, work, t, work.x_trial, work.slope, 0, work.g_middle, work.slope_middle, now.step)
    last = settings.stages * settings.width
    slopes(problem, now, work, now.t_new, work.x_new, work.k, last, work.g_end, work.slope_end, -now.step)


@kernel
def ends_and_middle(work, i, orientation, step):
    """G and dG/dtheta at the start, in the middle and at the end of the step."""
    floor, scale = work.floor[i], orientation * step
    g_start, g_middle, g_end = work.g_start[i] - floor, work.g_middle[i] - floor, work.g_end[i] - floor
    return (
        (orientation * g_start, orientation * g_middle, orientation * g_end),
        (scale * work.slope_start[i], scale * work.slope_middle[i], scale * work.slope_end[i]),
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
def search_sampled(problem, now, work, i, start, orientation, strict):
    """Search the step from theta = start: halves that are surely clear are skipped, the others cut into eighths.

    On an eighth the cubic through values and slopes is trusted: one sign change brackets a root, a dip is followed
    to its minimum.
    """
    stack, top = work.stack, -1
    if start == 0.0:
        g, r = ends_and_middle(work, i, orientation, now.step)
        doubt = doubt_of_halves(g, r)
        if not math.isfinite(doubt):
            now.fault = NOT_FINITE
            return -1.0, -1.0
        _, middle = probe(problem, now, work, i, orientation, 0.5)
        if not surely_clear(0.5, g[1] - doubt, r[1], g[2] - doubt, r[2]):
            top += 1
            _, end = probe(problem, now, work, i, orientation, 1.0)
            push(stack, top, 1.0, 0.5, g[1], middle, 1.0, g[2], end)
        if not surely_clear(0.5, g[0] - doubt, r[0], g[1] - doubt, r[1]):
            top += 1
            _, first = probe(problem, now, work, i, orientation, 0.0)
            push(stack, top, 1.0, 0.0, g[0], first, 0.5, g[1], middle)
    else:
        at_end = orientation * (work.g_end[i] - work.floor[i])
        ga, sa = probe(problem, now, work, i, orientation, start)
        _, end = probe(problem, now, work, i, orientation, 1.0)
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
            gc, sc = probe(problem, now, work, i, orientation, cut)
            if not math.isfinite(gc + sc):
                now.fault = NOT_FINITE
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
def next_fall(problem, now, work, i, n, start, orientation, strict):
    """The first interval after theta = start in which G falls to zero, or (-1, -1)."""
    problem, work = loaded(problem), loaded(work)
    if problem.kind[i] == EXACT:
        return search_exact(problem, now, work, i, n, start, orientation, strict)
    if problem.kind[i] == BOUNDED:
        return search_bounded(problem, now, work, i, start, orientation, strict)
    return search_sampled(problem, now, work, i, start, orientation, strict)
