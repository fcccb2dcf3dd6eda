"""Iterator 3: was there a crossing in this step, and when? The first one, to the last bit of t.

Every accepted step is looked into on its continuous extension, by what its boundaries declare:
`exact` (a polynomial: Bernstein coefficients isolate every root), `bounded` (a second derivative bound: a march that
cannot jump over a root), `sampled` (values and slopes on subintervals, minima searched). Candidates are refined to
adjacent floats; those within a few spacings of t cross together.

In this file theta in [0, 1] is the place within the step, and G = orientation * (g - floor): the search is always
for a fall of G, and a boundary that waits to become positive is first searched upside down.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.boundaries import EPSILON, SPACINGS, evaluate, evaluate_into, slopes, spacing
from hybridsim.engine.lanes import LANES, load, plus, store
from hybridsim.engine.memory import BOUNDED, EXACT, RESTING, WAITING
from hybridsim.engine.runge_kutta import copy, extend, extension_at, extension_slope_at, weighted_sum
from hybridsim.engine.signatures import iterator, kernel, routine

NONE, FOUND, NOT_FINITE, DISCONTINUOUS, NOT_LOCATED = range(5)

MAX_PROBES = 64
MAX_SPLITS = 256
NARROW = 2.0**-48
"""Intervals of theta below this are not split further: only rounding lives there."""


@iterator
def find_crossing(problem, now, work):
    """Look into the step from now.t_start to now.t_new; fills now.t_event, work.x_event and work.crossed."""
    evaluate(problem, now, work, work.g_end, now.t_new, work.x_new)
    for a in range(now.n_active):
        i = work.active[a]
        if not math.isfinite(work.g_end[i]):
            now.detail = i
            return NOT_FINITE
        work.root[i] = now.t_new if now.t_new >= work.time_target[i] else np.inf
    if now.groups:
        extend(problem, now, work)
        fault = search(problem, now, work)
        if fault != NONE:
            return fault
    return earliest(problem, now, work)


@iterator
def search(problem, now, work):
    """Crossing times of all searched boundaries, into work.root (inf = none in this step)."""
    settings = problem.settings
    if now.sampled:
        now.sampled_steps += 1
        sample_middle(problem, now, work)
    elif now.bounded:
        now.bounded_steps += 1
    else:
        now.exact_steps += 1
    now.fault = NONE
    for degree in range(5):
        if not now.groups >> degree & 1:
            continue
        if degree > 0:
            sample_nodes(problem, now, work, degree)
        for a in range(now.n_active):
            i = work.active[a]
            if problem.degree[i] != degree or (degree > 0 and is_clear(problem, work, i, degree * settings.degree)):
                continue
            work.root[i] = first_root(problem, now, work, i, degree * settings.degree)
            if now.fault != NONE:
                now.detail = i
                return now.fault
    return NONE


@kernel
def is_clear(problem, work, i, n):
    """Do the Bernstein coefficients of boundary i say that it does not fall to zero in this step?"""
    return control_points(problem, work, i, n, -1.0 if work.latch[i] == WAITING else 1.0)


@routine
def first_root(problem, now, work, i, n):
    """When boundary i first falls to zero within the step, or inf. A waiting one must rise above zero before."""
    resting = work.latch[i] == RESTING
    orientation = -1.0 if work.latch[i] == WAITING else 1.0
    start = 0.0
    while True:
        strict = resting or orientation < 0.0
        if problem.kind[i] == EXACT:
            lo, hi = search_exact(problem, now, work, i, n, start, orientation, strict)
        elif problem.kind[i] == BOUNDED:
            lo, hi = search_bounded(problem, now, work, i, start, orientation, strict)
        else:
            lo, hi = search_sampled(problem, now, work, i, start, orientation, strict)
        if lo < 0.0:
            return np.inf
        if orientation > 0.0:
            if resting:
                lo = leave_rest(problem, now, work, i, lo, hi)
            return refine(problem, now, work, i, lo, hi, strict)
        orientation, start = 1.0, hi


@kernel
def leave_rest(problem, now, work, i, lo, hi):
    """A resting boundary that has been positive before it fell fires at zero, not where it started from."""
    for theta in (0.5 * hi, lo):
        if work.floor[i] < 0.0:
            extension_at(problem, work, theta, work.x_trial)
            evaluate(problem, now, work, work.g_trial, now.t_start + theta * now.step, work.x_trial)
            if work.g_trial[i] > 0.0:
                work.floor[i] = 0.0
                lo = theta
    return lo


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


@kernel
def rate_here(problem, now, work, i, theta):
    """dg/dtheta at theta, where value_at has just been."""
    extension_slope_at(problem, work, theta, work.slope)
    delta = 2.0**-24
    for m in range(problem.settings.width):
        work.x_stage[m] = work.x_trial[m] + delta * work.slope[m]
    evaluate(problem, now, work, work.g_shift, now.t_start + (theta + delta) * now.step, work.x_stage)
    return (work.g_shift[i] - work.g_trial[i]) / delta


# Exact: the boundary is a polynomial of degree n in theta.


@kernel
def sample_nodes(problem, now, work, degree):
    """Boundary values inside the step that determine every boundary of this degree, one row of g_nodes per node.

    An affine boundary at the control points of the extension gives its Bernstein coefficients without any
    conversion; higher degrees are sampled at Chebyshev points.
    """
    settings = problem.settings
    for node in range(1, degree * settings.degree):
        row = degree * settings.n_nodes + node
        for m in range(0, settings.moving, LANES):
            rise = weighted_sum(problem.node_weights, row * settings.degree, settings.degree, work.q, m, settings.width)
            store(work.x_trial, m, plus(load(work.x_start, m), 1.0, rise))
        t = now.t_start + problem.nodes[row] * now.step
        evaluate_into(problem, now, work, work.g_nodes, node * settings.n_watched, t, work.x_trial)


@kernel
def control_points(problem, work, i, n, orientation):
    """The Bernstein coefficients of G over the step, into the first frame of the stack; are all positive?"""
    settings = problem.settings
    n_watched = settings.n_watched
    for node in range(1, n):
        work.control[node] = work.g_nodes[i + node * n_watched]
    work.control[0], work.control[n] = work.g_start[i], work.g_end[i]
    if problem.degree[i] > 1:
        convert(problem, work, problem.degree[i], n)
    clear = True
    for row in range(n + 1):
        work.stack[row + 2] = orientation * (work.control[row] - work.floor[i])
        clear = clear and (row == 0 or work.stack[row + 2] > 0.0)
    work.stack[0], work.stack[1] = 0.0, 1.0
    return clear


@kernel
def convert(problem, work, degree, n):
    """Values at the nodes, in work.control, become Bernstein coefficients; those at the ends are the same."""
    settings = problem.settings
    first, width = degree * settings.n_nodes * settings.n_nodes, settings.n_nodes
    for m in range(0, n + 1, LANES):
        store(work.stack, m, weighted_sum(work.control, 0, n + 1, problem.bernstein, first + m, width))
    for row in range(1, n):
        work.control[row] = work.stack[row]


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
def search_exact(problem, now, work, i, n, start, orientation, strict):
    """The first interval with exactly one root of G after theta = start (Lane and Riesenfeld 1981), or (-1, -1)."""
    if control_points(problem, work, i, n, orientation):
        return -1.0, -1.0
    stack, size = work.stack, n + 3
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
    from_end, least = 0.0, NARROW
    if not fell(at_end, strict):
        extension_at(problem, work, 1.0, work.x_trial)
        evaluate(problem, now, work, work.g_trial, now.t_new, work.x_trial)
        from_end = reach(at_end, -orientation * rate_here(problem, now, work, i, 1.0), bound)
    while lo < 1.0:
        ahead = reach(value, rate, bound)
        if lo + ahead + from_end > 1.0 and from_end > 0.0:
            return -1.0, -1.0
        if ahead < least:  # at rest on zero; creep away ever faster
            ahead, least = least, 2.0 * least
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
    slopes(problem, now, work, now.t_new, work.x_new, work.k, last, work.g_end, work.slope_end, now.step)


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
    sign, floor = orientation, work.floor[i]
    g0, r0 = sign * (work.g_start[i] - floor), sign * work.slope_start[i] * now.step
    gm, rm = sign * (work.g_middle[i] - floor), sign * work.slope_middle[i] * now.step
    g1, r1 = sign * (work.g_end[i] - floor), sign * work.slope_end[i] * now.step
    stack, top = work.stack, -1
    if start == 0.0:
        # How far the middle lies off the cubic through the ends tells how far to trust the cubics of the halves.
        doubt = abs(gm - 0.5 * (g0 + g1) - 0.125 * (r0 - r1)) + 0.25 * abs(rm - 1.5 * (g1 - g0) + 0.25 * (r0 + r1))
        if not surely_clear(0.5, gm - doubt, rm, g1 - doubt, r1):
            top += 1
            push(stack, top, 1.0, 0.5, gm, rm, 1.0, g1, r1)
        if not surely_clear(0.5, g0 - doubt, r0, gm - doubt, rm):
            top += 1
            push(stack, top, 1.0, 0.0, g0, r0, 0.5, gm, rm)
    else:
        ga, sa = probe(problem, now, work, i, orientation, start)
        top = 0
        push(stack, 0, 1.0, start, max(ga, 0.0), sa, 1.0, g1, r1)
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


# Refinement.


@kernel
def refine(problem, now, work, i, lo, hi, strict):
    """The first of the two adjacent floats in t between which G falls (Chandrupatla 1997), with G <= 0.

    `a` is the newest point, `b` the other end of the bracket, `c` the one before.
    """
    settings = problem.settings
    b = now.t_start + lo * now.step
    a = now.t_new if hi == 1.0 else now.t_start + hi * now.step
    gb, ga = time_value(problem, now, work, i, b), time_value(problem, now, work, i, a)
    c, gc, fraction = b, gb, 0.5
    if fell(gb, strict):
        return b
    iterations = 0
    while np.nextafter(min(a, b), np.inf) < max(a, b):
        if iterations == settings.max_stop_iterations:
            now.fault = NOT_LOCATED
            return np.inf
        iterations += 1
        t = a + fraction * (b - a)
        if t <= min(a, b):
            t = np.nextafter(min(a, b), np.inf)
        if t >= max(a, b):
            t = np.nextafter(max(a, b), -np.inf)
        g = time_value(problem, now, work, i, t)
        if fell(g, strict) == fell(ga, strict):
            c, gc = a, ga
        else:
            c, gc = b, gb
            b, gb = a, ga
        a, ga = t, g
        fraction = next_fraction(a, ga, b, gb, c, gc)
    now.refinements += iterations
    if not fell(ga, strict):
        a, ga = b, gb
    if -ga > settings.stop_precision:
        theta = (a - now.t_start) / now.step
        value_at(problem, now, work, i, 1.0, theta)
        rate = abs(rate_here(problem, now, work, i, theta)) / now.step
        if -ga > settings.stop_precision + rate * SPACINGS * spacing(a):
            now.fault = DISCONTINUOUS
    return a


@kernel
def next_fraction(a, ga, b, gb, c, gc):
    """Where between a and b to look next: inverse quadratic interpolation where it is safe, else the middle."""
    least = spacing(max(abs(a), abs(b))) / abs(b - a)
    fraction = 0.5
    if c != b and gc != ga:
        xi, phi = (a - b) / (c - b), (ga - gb) / (gc - gb)
        if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            fraction = ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb)
    return min(max(fraction, least), 1.0 - least)


@kernel
def time_value(problem, now, work, i, t):
    """G at time t; at the end of the step from the state the step computed."""
    if t == now.t_new:
        return work.g_end[i] - work.floor[i]
    return value_at(problem, now, work, i, 1.0, (t - now.t_start) / now.step)


# Ties.


@kernel
def earliest(problem, now, work):
    """The earliest crossing and all that cross at the same instant: one jump, at the latest of their times."""
    first = np.inf
    for a in range(now.n_active):
        first = min(first, work.root[work.active[a]])
    if first == np.inf:
        return NONE
    instant = first + SPACINGS * EPSILON * max(abs(first), now.step)
    now.t_event = first
    for a in range(now.n_active):
        i = work.active[a]
        work.crossed[i] = work.root[i] <= instant
        if work.crossed[i]:
            now.t_event = max(now.t_event, work.root[i])
            if work.root[i] == first:
                now.certificate = problem.kind[i]
    if now.t_event == now.t_new:
        copy(problem.settings, work.x_new, work.x_event)
    else:
        extension_at(problem, work, (now.t_event - now.t_start) / now.step, work.x_event)
    return FOUND
