"""Extremes of quantities within a step: of time and states exactly, of outputs by samples and polynomials through them.

Where the Bernstein coefficients of a polynomial show that it does not leave the extremes so far, nothing is searched;
else the sign changes of their differences isolate the places where it turns (see `events.exact_search`).
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.exact_search import split
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.quantities import (
    EXTREMES,
    MIDDLE,
    N_GAUSS,
    N_KRONROD,
    Span,
    evaluate_inside,
    is_polynomial,
    sample_nodes,
    take_polynomial,
    widen,
    widen_one,
)
from hybridsim.engine.rounding import EPSILON

MAX_SPLITS = 64
"""Most divisions of intervals in the search for the places where a polynomial turns."""

MAX_NEWTON_STEPS = 64
"""Most steps of Newton's method to such a place, of which some may be bisections."""

LAST_NEWTON_CHANGE = 2.0**-28
"""Change of s after which the next step of Newton's method would be rounding."""

QUARTIC = 4
"""Degree of the polynomials through the ends of a part of a step and Gauss's three nodes."""

MAX_PARTS = 4096
"""Most parts of a step that are sampled for the extremes of an output, or for integrals of outputs."""

MAX_PARTS_OF_SLIDE = 64
"""The same in a slide, where the weights of the two charts are differences, with noise that no division resolves."""

MAX_POSTPONED_PARTS = 64
"""Most parts that wait at one time: each division halves the length."""

TRUSTED_DOUBT = 2.0**-15
"""Doubt of a quartic, as a fraction of its spread, from which on the output is evaluated where the quartic turns. The
output there is less than its extremum by about the square of this fraction of the spread."""

NEGLIGIBLE_GAIN = 2.0**-30
"""Part of the range of an output that an extremum must be able to add to be searched for."""


@kernel
def widen_by_polynomial(problem, record, b, span, q):
    """Extend the extremes of a state by those within a span, whose ends count already."""
    base, bound, degree = take_polynomial(problem, record, b, span, q), 0.0, problem.settings.degree
    for d in range(degree):
        bound += abs(b.power[d])
    if base - bound >= b.lowest[q] and base + bound <= b.highest[q]:
        return
    to_bernstein(b, b.bernstein, degree)
    for turn in range(turning_points(b, degree, base, b.lowest[q], b.highest[q])):
        widen_one(b, q, base + polynomial_at(b.power, degree, b.turns[turn]))


@kernel
def polynomial_at(power, n, s):
    """Return power[0] s + ... + power[n - 1] s^n."""
    rise = 0.0
    for d in range(n - 1, -1, -1):
        rise = s * (rise + power[d])
    return rise


@kernel
def to_bernstein(b, table, n):
    """Write the Bernstein coefficients of the polynomial b.power of degree n, over [0, 1], to the first frame."""
    b.frames[0], b.frames[1], b.frames[2] = 0.0, 1.0, 0.0
    for i in range(n):
        total = 0.0
        for d in range(n):
            total += table[i * n + d] * b.power[d]
        b.frames[3 + i] = total


@kernel
def turning_points(b, n, base, lowest, highest):
    """Write to b.turns where in (0, 1) the polynomial of `to_bernstein` may turn; return how many places these are.

    Intervals in which base + polynomial cannot leave [lowest, highest] are passed over.
    """
    frames, size, found, top, splits = b.frames, n + 3, 0, 0, 0
    while top >= 0:
        frame = top * size
        turns, rises = turns_of(frames, frame, n, base, lowest, highest)
        if turns == 1:
            b.turns[found] = turn_between(b.power, n, frames[frame], frames[frame + 1], rises)
            found, top = found + 1, top - 1
        elif turns == 0 or splits == MAX_SPLITS:
            top -= 1
        else:
            split(frames, frame, size, n, 0.5)
            b.turns[found] = frames[frame]  # it may turn just there
            found, top, splits = found + 1, top + 1, splits + 1
    return found


@kernel
def turns_of(frames, frame, n, base, lowest, highest):
    """Return (sign changes of the differences of the coefficients, 0 within the bounds; whether they rise first)."""
    turns, rises, last, outside = 0, False, 0.0, False
    for i in range(n):
        after = frames[frame + 3 + i]
        difference = after - frames[frame + 2 + i]
        outside = outside or base + after > highest or base + after < lowest
        if difference != 0.0:
            if last == 0.0:
                rises = difference > 0.0
            elif (difference > 0.0) != (last > 0.0):
                turns += 1
            last = difference
    return turns if outside else 0, rises


@kernel
def turn_between(power, n, lo, hi, rises):
    """Return where between lo and hi the polynomial turns, once; at lo it rises or falls."""
    s = 0.5 * (lo + hi)
    for _ in range(MAX_NEWTON_STEPS):
        slope, bend = 0.0, 0.0
        for d in range(n - 1, -1, -1):
            bend = bend * s + slope
            slope = slope * s + (d + 1.0) * power[d]
        if (slope > 0.0) == rises:
            lo = s
        else:
            hi = s
        following = s - slope / bend if bend != 0.0 else lo
        if not lo < following < hi:
            following = 0.5 * (lo + hi)
        if abs(following - s) < LAST_NEWTON_CHANGE:
            return following
        s = following
    return s


@kernel
def widen_by_samples(problem, point_state, workspace, record, b, span):
    """Extend the extremes of outputs by those within a span, whose ends and first nodes count already."""
    for q in range(b.sizes.n_quantities):
        if b.wanted[q] & EXTREMES and not is_polynomial(b, q):
            search_parts(problem, point_state, workspace, record, b, span, q)


@kernel
def search_parts(problem, point_state, workspace, record, b, span, q):
    """Divide a span until no part of it can extend the extremes of output q."""
    n_quantities, parts, sampled, top = b.sizes.n_quantities, b.parts, 1, 0
    spare, limit = N_KRONROD * n_quantities, part_limit(record, span)
    push_part(parts, 0, 0.0, 1.0, b.before[q], b.after[q])
    while top >= 0:
        lo, hi, f_lo, f_hi = parts[4 * top], parts[4 * top + 1], parts[4 * top + 2], parts[4 * top + 3]
        first = 0
        if hi - lo < 1.0:
            first, sampled = spare, sampled + 1
            sample_nodes(problem, point_state, workspace, record, b, span, lo, hi - lo, N_GAUSS, first)
        middle, f_middle = 0.5 * (lo + hi), b.nodes[first + MIDDLE * n_quantities + q]
        doubt, spread = fit_quartic(b, q, first, f_lo, f_hi)
        if is_searched(b, q, f_lo, doubt):
            top -= 1
        elif doubt <= TRUSTED_DOUBT * spread or spread <= 64.0 * EPSILON * abs(f_middle):
            part = Span(span.row, span.offset + lo * span.length, (hi - lo) * span.length)
            widen_at_turns(problem, point_state, workspace, record, b, part, q, f_lo)
            top -= 1
        elif sampled >= limit or top + 1 == MAX_POSTPONED_PARTS:
            top -= 1
        else:
            push_part(parts, top, middle, hi, f_middle, f_hi)
            top += 1
            push_part(parts, top, lo, middle, f_lo, f_middle)


@kernel
def part_limit(record, span):
    """Return the most parts of a step that are sampled."""
    return MAX_PARTS if record.adjacent_chart[span.row] == NOWHERE else MAX_PARTS_OF_SLIDE


@kernel
def push_part(parts, top, lo, hi, f_lo, f_hi):
    """Put a part of a span, with the values of an output at its ends, on the stack at `top`."""
    parts[4 * top], parts[4 * top + 1], parts[4 * top + 2], parts[4 * top + 3] = lo, hi, f_lo, f_hi


@kernel
def fit_quartic(b, q, first, f_lo, f_hi):
    """Set b.power, and the first frame, to the quartic through five values of output q in a part of a span.

    Return (its doubt, the spread of the five values). The doubt stands for the Chebyshev coefficient of degree five: it
    is that of degree four, or a quarter of that of degree three, which one of the two can lack by symmetry.
    """
    n_quantities, power = b.sizes.n_quantities, b.power
    lowest, highest = min(f_lo, f_hi), max(f_lo, f_hi)
    for d in range(QUARTIC):
        power[d] = b.quartic[d * QUARTIC + N_GAUSS] * (f_hi - f_lo)
    for node in range(N_GAUSS):
        value = b.nodes[first + node * n_quantities + q]
        lowest, highest = min(lowest, value), max(highest, value)
        for d in range(QUARTIC):
            power[d] += b.quartic[d * QUARTIC + node] * (value - f_lo)
    to_bernstein(b, b.quartic_bernstein, QUARTIC)
    doubt = abs(power[3]) / 128.0 + 0.25 * abs(power[2] + 2.0 * power[3]) / 32.0
    return doubt, highest - lowest


@kernel
def is_searched(b, q, f_lo, doubt):
    """Return whether a quartic with this doubt shows that a part of a span cannot extend the extremes of output q.

    It stays within them, or rises or falls all along, as the slopes of its error are less than 16 times the doubt.
    """
    margin = doubt - NEGLIGIBLE_GAIN * (b.highest[q] - b.lowest[q])
    stays, rises, falls = True, True, True
    for i in range(QUARTIC):
        after = b.frames[3 + i]
        slope = QUARTIC * (after - b.frames[2 + i])
        stays = stays and f_lo + after + margin <= b.highest[q] and f_lo + after - margin >= b.lowest[q]
        rises, falls = rises and slope > 16.0 * doubt, falls and slope < -16.0 * doubt
    return stays or rises or falls or not math.isfinite(doubt)


@kernel
def widen_at_turns(problem, point_state, workspace, record, b, part, q, f_lo):
    """Evaluate the quantities where the quartic turns."""
    for turn in range(turning_points(b, QUARTIC, f_lo, b.lowest[q], b.highest[q])):
        duration = part.offset + b.turns[turn] * part.length
        evaluate_inside(problem, point_state, workspace, record, b, part.row, duration)
        widen(b)
