"""Means and deviations of quantities over time, step by step.

Time and states are polynomials within a step: their means and variances follow from the coefficients. Outputs are
integrated by Gauss's and by Kronrod's rule, in parts of a step that are halved where the two rules disagree.
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.extremes import MAX_POSTPONED_PARTS, part_limit
from hybridsim.engine.quantities import (
    DEVIATION,
    INTEGRALS,
    MIDDLE,
    N_GAUSS,
    N_KRONROD,
    is_polynomial,
    sample_nodes,
    take_polynomial,
)
from hybridsim.engine.rounding import EPSILON

GAUSS_WEIGHTS = 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0
KRONROD_WEIGHTS = (
    *(0.1342440449341667, 0.2254582693292371, 0.1342440449341667),
    *(0.0523281130132336, 0.2006987073879811, 0.2006987073879811, 0.0523281130132336),
)
"""Weights of `NODES` in the rules of three nodes, exact up to degree 5, and of seven nodes, exact up to degree 11."""


@kernel
def integrate_polynomial(problem, record, b, span, q):
    """Add a span to the mean and the variance of time or a state.

    The covariance of s^i and s^j on [0, 1] is 1 / (i + j + 1) - 1 / (i + 1) / (j + 1).
    """
    degree = problem.settings.degree
    mean, variance = take_polynomial(problem, record, b, span, q), 0.0
    for d in range(degree):
        mean += b.power[d] / (d + 2.0)
        b.power[d] *= (d + 1.0) / (d + 2.0)
    for d in range(degree):
        for other in range(degree):
            variance += b.power[d] * b.power[other] / (d + other + 3.0)
    add_part(b, q, span.length, mean, max(variance, 0.0) + 0.0 * variance)


@kernel
def add_part(b, q, length, mean, variance):
    """Add a part of a run, with its mean and variance, to those of quantity q (West 1979)."""
    total = b.weight[q] + length
    share, change = length / total, mean - b.mean[q]
    b.mean[q] += share * change if math.isfinite(b.mean[q]) else mean
    b.square[q] += length * variance + change * (b.weight[q] * share) * change
    b.weight[q] = total


@kernel
def integrate_samples(problem, point_state, workspace, record, b, span):
    """Add a span to the means and variances of outputs; their values at its nodes are in b.nodes."""
    parts, sampled, top = b.parts, 1, 0
    spare, limit = N_KRONROD * b.sizes.n_quantities, part_limit(record, span)
    parts[0], parts[1] = 0.0, 1.0
    while top >= 0:
        lo, width, first = parts[2 * top], parts[2 * top + 1], 0
        if width < 1.0:
            first, sampled = spare, sampled + 1
            sample_nodes(problem, point_state, workspace, record, b, span, lo, width, N_KRONROD, first)
        is_last = sampled >= limit or top + 1 == MAX_POSTPONED_PARTS
        if is_last or rules_agree(problem.settings, b, first, width):
            for q in range(b.sizes.n_quantities):
                if b.wanted[q] & INTEGRALS and not is_polynomial(b, q):
                    _, mean, _, variance, _ = by_both_rules(b, q, first)
                    add_part(b, q, width * span.length, mean, variance)
            top -= 1
        else:
            parts[2 * top], parts[2 * top + 1] = lo + 0.5 * width, 0.5 * width
            top += 1
            parts[2 * top], parts[2 * top + 1] = lo, 0.5 * width


@kernel
def rules_agree(settings, b, first, width):
    """Return whether both rules agree on the mean and the variance of all outputs in a part of this width of a step.

    They may differ by rtol of the size of the output so far, or of its variance; that of one without any is rounding.
    """
    for q in range(b.sizes.n_quantities):
        if b.wanted[q] & INTEGRALS and not is_polynomial(b, q):
            gauss, mean, gauss_variance, variance, size = by_both_rules(b, q, first)
            variance_so_far = b.square[q] / b.weight[q] if b.weight[q] > 0.0 else 0.0
            scale = max(size, math.sqrt(b.mean[q] * b.mean[q] + variance_so_far))
            if width * abs(mean - gauss) > settings.atol + settings.rtol * scale:
                return False
            floor = (settings.atol + 64.0 * EPSILON * size) ** 2
            allowed = settings.rtol * max(variance, variance_so_far) + floor
            if b.wanted[q] & DEVIATION and width * abs(variance - gauss_variance) > allowed:
                return False
    return True


@kernel
def by_both_rules(b, q, first):
    """Return the means of output q by Gauss's and Kronrod's rule, its variances by both, and its largest size."""
    n, gauss, size = b.sizes.n_quantities, 0.0, 0.0
    middle = b.nodes[first + MIDDLE * n + q]
    mean = middle
    for node in range(N_KRONROD):
        value = b.nodes[first + node * n + q]
        mean += KRONROD_WEIGHTS[node] * (value - middle)  # the mean of a constant is the constant
        size = max(size, abs(value))
    gauss_variance, variance = 0.0, 0.0
    for node in range(N_KRONROD):
        difference = b.nodes[first + node * n + q] - mean
        variance += KRONROD_WEIGHTS[node] * difference * difference
        if node < N_GAUSS:
            gauss += GAUSS_WEIGHTS[node] * difference
            gauss_variance += GAUSS_WEIGHTS[node] * difference * difference
    return mean + gauss, mean, gauss_variance, variance, size
