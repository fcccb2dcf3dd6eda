"""Search of a step for a boundary of which nothing is declared: values and slopes, and cubics through them.

A cubic is trusted on eighths of the step, and only if its distance from zero exceeds its doubt: how far the cubic of
the interval before was from what the boundary turned out to be.
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.boundary_values import evaluate, slopes
from hybridsim.engine.events.fall import MIN_INTERVAL, NOT_FINITE, UNRESOLVED, Fall, fell
from hybridsim.engine.events.perturbation import least_rounding_effect, rounding_effect
from hybridsim.engine.events.shared_samples import sample
from hybridsim.engine.memory import ARMED, SAMPLED
from hybridsim.engine.runge_kutta import extension_at, extension_slope_at

MAX_EVALUATIONS = 64
"""Most evaluations of the boundary in one search."""

MAX_HALVINGS = 12
"""How often steps are halved to resolve a boundary: one that jumps is resolved by no step."""

MAX_DIVISIONS = 12.0
"""Most divisions of a step down to an interval whose cubic remains in doubt."""

MAX_DOUBT = 0.5
"""Distance of a boundary in the middle of a step from the cubic through its ends, as a fraction of the spread of its
values, above which the step does not resolve it."""

ROUNDED_SLOPES = 512.0
"""Doubt that may be rounding, as a multiple of that of a value. Slopes are differences over 2^-12 of a step, and count
a quarter: rounding at both of their ends may make 2^11 of it, and no shorter step makes less."""

CANCELLED = 64.0
"""How many times more than two perturbations of all states show rounding is taken for, as some of it may cancel in
them. What is still more is no rounding; a step is at worst made shorter than need be."""

FRAME_SIZE = 8
"""Numbers kept for an interval: theta, value and slope at both ends, how often the step has been divided, and how wrong
the cubic may be there."""

NEWTON_STEPS = 6
"""Steps of Newton's method to where the cubic of the last interval falls: its root is a guess, not the result."""

DECLINE_OF_DOUBT = 0.25
"""Doubt of the cubic of a part of an interval, as a fraction of the error of the cubic of the whole. The error falls by
the fourth power of the length where the boundary is smooth; this leaves room where it is not."""


@kernel
def sample_middle(problem, state, workspace):
    """Evaluate boundaries and their rates in the middle and at the end of the step (those at its start are known)."""
    settings = problem.settings
    extension_at(problem, workspace, 0.5, workspace.x_search)
    extension_slope_at(problem, workspace, 0.5, workspace.slope)
    for m in range(settings.width):
        workspace.slope[m] /= state.step
    t, x, h = state.t_start + 0.5 * state.step, workspace.x_search, state.step
    evaluate(problem, state, workspace, workspace.g_middle, t, x)
    slopes(problem, state, workspace, t, x, workspace.slope, 0, workspace.g_middle, workspace.slope_middle, h)
    last, g, rates = settings.stages * settings.width, workspace.g_end, workspace.slope_end
    slopes(problem, state, workspace, state.t_new, workspace.x_new, workspace.k, last, g, rates, -h)


@kernel
def ends_and_middle(workspace, fall, step):
    """Return G and dG/dtheta at the start, in the middle and at the end of the step."""
    i, sign, level, scale = fall.boundary, fall.orientation, fall.level, fall.orientation * step
    return (
        (
            sign * (workspace.g_start[i] - level),
            sign * (workspace.g_middle[i] - level),
            sign * (workspace.g_end[i] - level),
        ),
        (scale * workspace.slope_start[i], scale * workspace.slope_middle[i], scale * workspace.slope_end[i]),
    )


@kernel
def doubt_of_halves(g, r):
    """Return how wrong the cubics of the halves may be: the distance of the middle from the cubic of the step."""
    value = g[1] - 0.5 * (g[0] + g[2]) - 0.125 * (r[0] - r[2])
    rate = r[1] - 1.5 * (g[2] - g[0]) + 0.25 * (r[0] + r[2])
    return abs(value) + 0.25 * abs(rate)


@kernel
def is_resolved(problem, state, workspace, i):
    """Return whether three values and slopes resolve sampled boundary i in the step, or show it clear of zero.

    If it oscillates within the step, the middle is far from the cubic through the ends: by more than half of the spread
    of its values where a step covers a period or more.
    """
    g, r = ends_and_middle(workspace, Fall(i, 0.0, 1.0, False), state.step)
    return is_smooth(problem, state, workspace, i, doubt_of_halves(g, r), g)


@kernel
def is_smooth(problem, state, workspace, i, doubt, g):
    """Return whether this doubt about boundary i, of three values g, is small, within rounding, or far from zero."""
    spread = max(max(g[0], g[1]), g[2]) - min(min(g[0], g[1]), g[2])
    nearest = min(min(abs(g[0]), abs(g[1])), abs(g[2]))
    if doubt <= MAX_DOUBT * spread or 4.0 * doubt < nearest:
        return True
    rounding = least_rounding_effect(problem, state, workspace, i)
    if doubt <= ROUNDED_SLOPES * rounding or doubt > CANCELLED * ROUNDED_SLOPES * rounding:
        return doubt <= ROUNDED_SLOPES * rounding
    rounding = rounding_effect(problem, state, workspace, i, state.t_new, workspace.x_new, workspace.x_start)
    return doubt <= ROUNDED_SLOPES * rounding


@kernel
def may_halve(problem, state):
    """Return whether the step may be halved to resolve a boundary."""
    return problem.settings.adaptive and state.halvings < MAX_HALVINGS


@kernel
def any_unresolved(problem, state, workspace):
    """Return whether the step does not resolve one of the sampled boundaries."""
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.certificate[i] == SAMPLED and not is_resolved(problem, state, workspace, i):
            return True
    return False


@kernel
def surely_clear(width, ga, sa, gb, sb):
    """Return whether the cubic's control values, from two ends and slopes, exceed a quarter of their spread."""
    c1, c2 = ga + width * sa / 3.0, gb - width * sb / 3.0
    lowest, highest = min(min(ga, gb), min(c1, c2)), max(max(ga, gb), max(c1, c2))
    return lowest > 0.25 * (highest - lowest)


@kernel
def halves_are_clear(g, r, doubt):
    """Return whether the first and the second half of the step are surely clear of zero."""
    first = surely_clear(0.5, g[0] - doubt, r[0], g[1] - doubt, r[1])
    return first, surely_clear(0.5, g[1] - doubt, r[1], g[2] - doubt, r[2])


@kernel
def exclude_roots(problem, state, workspace, degree):
    """Return whether the samples of the step show that no boundary with this degree comes near zero in it.

    Three values and two rates determine an affine boundary along an extension of degree four, and so its Bernstein
    coefficients, between which it stays. They are trusted where they are far from zero: the rates are differences.
    """
    if not state.n_sampled or degree * problem.settings.degree > 4 or problem.settings.series_order != 0:
        return False
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == degree:
            g, r = ends_and_middle(workspace, Fall(i, 0.0, 1.0, False), state.step)
            second, fourth = g[0] + 0.25 * r[0], g[2] - 0.25 * r[2]
            third = (16.0 * g[1] - g[0] - 4.0 * second - 4.0 * fourth - g[2]) / 6.0
            lowest = min(min(min(g[0], g[2]), min(second, fourth)), third)
            highest = max(max(max(g[0], g[2]), max(second, fourth)), third)
            if workspace.trigger_state[i] != ARMED or not lowest - problem.touch_threshold[i] > highest - lowest:
                return False
    return True


@kernel
def push(stack, top, divisions, doubt, a, ga, sa, b, gb, sb):
    """Put the interval from a to b, with values and slopes of G at its ends, on the stack at `top`."""
    frame = FRAME_SIZE * top
    stack[frame], stack[frame + 1], stack[frame + 2] = a, ga, sa
    stack[frame + 3], stack[frame + 4], stack[frame + 5] = b, gb, sb
    stack[frame + 6], stack[frame + 7] = divisions, doubt


@kernel
def push_halves(problem, state, workspace, fall):
    """Put the halves of the step that are not surely clear on the stack; returns the index of the top one."""
    g, r = ends_and_middle(workspace, fall, state.step)
    doubt, top = doubt_of_halves(g, r), -1
    if not math.isfinite(doubt):
        state.fault = NOT_FINITE
        return top
    first_clear, second_clear = halves_are_clear(g, r, doubt)
    _, middle = sample(problem, state, workspace, fall, 0.5)
    if not second_clear:
        top += 1
        _, end = sample(problem, state, workspace, fall, 1.0)
        push(workspace.stack, top, 1.0, DECLINE_OF_DOUBT * doubt, 0.5, g[1], middle, 1.0, g[2], end)
    if not first_clear:
        top += 1
        _, start = sample(problem, state, workspace, fall, 0.0)
        push(workspace.stack, top, 1.0, DECLINE_OF_DOUBT * doubt, 0.0, g[0], start, 0.5, g[1], middle)
    return top


@kernel
def push_rest(problem, state, workspace, start, fall):
    """Put the rest of the step from theta = start on the stack; returns the index of the top interval."""
    at_end = fall.orientation * (workspace.g_end[fall.boundary] - fall.level)
    ga, sa = sample(problem, state, workspace, fall, start)
    _, end = sample(problem, state, workspace, fall, 1.0)
    push(workspace.stack, 0, 0.0, 0.0, start, max(ga, 0.0), sa, 1.0, at_end, end)
    return 0


@kernel
def search_sampled(problem, state, workspace, start, fall):
    """Return the first interval (lo, hi) in which G falls after theta = start, or (-1, -1).

    Halves of the step that are surely clear are skipped.
    """
    if start == 0.0:
        top = push_halves(problem, state, workspace, fall)
    else:
        top = push_rest(problem, state, workspace, start, fall)
    return search_intervals(problem, state, workspace, top, fall)


@kernel
def search_intervals(problem, state, workspace, top, fall):
    """Return the first interval (lo, hi) in which G falls, of those on the stack up to index `top`, or (-1, -1).

    They are divided until their cubics are trusted: one sign change brackets a root, a dip is followed to its minimum.
    """
    stack, samples = workspace.stack, 0
    while top >= 0:
        frame = FRAME_SIZE * top
        a, ga, sa = stack[frame], stack[frame + 1], stack[frame + 2]
        b, gb, sb = stack[frame + 3], stack[frame + 4], stack[frame + 5]
        divisions, doubt = stack[frame + 6], stack[frame + 7]
        cut = where_to_cut(divisions, doubt, a, ga, sa, b, gb, sb, fall.strict)
        if cut == a or (samples >= MAX_EVALUATIONS and not fell(gb, fall.strict)):
            top -= 1
        elif cut == b or samples >= MAX_EVALUATIONS:
            if not fall.strict:  # what counts only below zero may start at about zero, and seem to fall at once
                state.theta_guess = a + (b - a) * root_of_cubic(ga, (b - a) * sa, gb, (b - a) * sb)
            return a, b
        else:
            gc, sc = sample(problem, state, workspace, fall, cut)
            if not math.isfinite(gc + sc):
                state.fault = NOT_FINITE
                return -1.0, -1.0
            samples += 1
            doubt = error_of_cubic(cut, gc, sc, a, ga, sa, b, gb, sb)
            whole = divisions == 0.0 and may_halve(problem, state)
            if whole and not is_smooth(problem, state, workspace, fall.boundary, doubt, (ga, gc, gb)):
                state.fault = UNRESOLVED
                return -1.0, -1.0
            doubt *= DECLINE_OF_DOUBT
            push(stack, top, divisions + 1.0, doubt, cut, gc, sc, b, gb, sb)
            top += 1
            push(stack, top, divisions + 1.0, doubt, a, ga, sa, cut, gc, sc)
    return -1.0, -1.0


@kernel
def error_of_cubic(c, gc, sc, a, ga, sa, b, gb, sb):
    """Return how far the cubic from a to b is from value gc and slope sc at c, where the boundary was evaluated."""
    width = b - a
    s = (c - a) / width
    cubic, quadratic = 2.0 * (ga - gb) + width * (sa + sb), 3.0 * (gb - ga) - width * (2.0 * sa + sb)
    value = ga + s * (width * sa + s * (quadratic + s * cubic))
    rate = width * sa + s * (2.0 * quadratic + 3.0 * s * cubic)
    return abs(gc - value) + 0.25 * abs(width * sc - rate)


@kernel
def where_to_cut(divisions, doubt, a, ga, sa, b, gb, sb, strict):
    """Return where to divide the interval next; a if there is no root in it, b if it brackets exactly one."""
    width = b - a
    below = fell(gb, strict)
    if divisions > 1.0 and surely_clear(width, ga - doubt, sa, gb - doubt, sb):
        return a
    middle = a + 0.5 * width
    if width < MIN_INTERVAL:
        return b if below else a
    if divisions < 3.0:
        return middle
    c1, c2 = ga + width * sa / 3.0, gb - width * sb / 3.0
    if divisions < MAX_DIVISIONS and min(abs(c1), abs(c2)) < doubt:
        return middle
    if below:
        return middle if fell(c1, strict) and not fell(c2, strict) else b
    if not fell(c1, strict) and not fell(c2, strict):
        return a
    if sa < 0.0 < sb:
        return a + width * dip(ga, width * sa, gb, width * sb) if width > 1e-7 else a
    return middle if divisions < MAX_DIVISIONS else a


@kernel
def dip(ga, sa, gb, sb):
    """Return where a cubic on [0, 1] has its minimum, kept within 0.05 to 0.95.

    Its values at the ends are ga and gb, its slopes there sa < 0 < sb.
    """
    cubic = 2.0 * (ga - gb) + sa + sb
    quadratic = 3.0 * (gb - ga) - 2.0 * sa - sb
    root = math.sqrt(max(quadratic * quadratic - 3.0 * cubic * sa, 0.0))
    s = -sa / (quadratic + root) if quadratic + root > 0.0 else 0.5
    return min(max(s, 0.05), 0.95)


@kernel
def root_of_cubic(ga, sa, gb, sb):
    """Return where a cubic on [0, 1] falls to zero: about there, by the secant and Newton's method, kept within.

    Its values at the ends are ga >= 0 >= gb, its slopes there sa and sb.
    """
    cubic, quadratic = 2.0 * (ga - gb) + sa + sb, 3.0 * (gb - ga) - 2.0 * sa - sb
    low, high, s = 0.0, 1.0, ga / (ga - gb) if ga > gb else 0.5  # both are 0 where it is 0 throughout
    for _ in range(NEWTON_STEPS):
        value = ga + s * (sa + s * (quadratic + s * cubic))
        rate = sa + s * (2.0 * quadratic + 3.0 * s * cubic)
        low, high = (s, high) if value > 0.0 else (low, s)
        s = s - value / rate if rate != 0.0 else 0.5 * (low + high)
        if not low <= s <= high:
            s = 0.5 * (low + high)
    return s
