"""Where in a step does a boundary first fall to zero? Each certificate has its own search.

`exact`: a polynomial, whose Bernstein coefficients isolate every root. `bounded`: a march that a bound on the second
derivative keeps from jumping over a root. `sampled`: values and slopes, dips followed to their minimum.

Each search returns an interval (lo, hi) of theta with G > 0 at lo, G <= 0 at hi and, as far as it can find out, no root
before lo; or (-1, -1).
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import boolean, integer, pair, real
from hybridsim.engine.events.bounded_search import search_bounded
from hybridsim.engine.events.exact_search import far_from_zero, nodes_are_clear, search_exact
from hybridsim.engine.events.fall import Fall
from hybridsim.engine.events.sampled_search import doubt_of_halves, ends_and_middle, halves_are_clear, search_sampled
from hybridsim.engine.memory import ARMED, BOUNDED, EXACT


@kernel
def surely_no_root(problem, state, workspace, i, n):
    """Return whether it is certain that an armed boundary has no root and no touch; decides most steps cheaply."""
    if workspace.trigger_state[i] != ARMED or problem.certificate[i] == BOUNDED:
        return False
    if problem.certificate[i] != EXACT:
        g, r = ends_and_middle(workspace, Fall(i, 0.0, 1.0, False), state.step)
        first, second = halves_are_clear(g, r, doubt_of_halves(g, r) + problem.touch_threshold[i])
        return first and second
    if problem.degree[i] > 1:
        return far_from_zero(problem, workspace, i, n)
    return nodes_are_clear(problem, workspace, i, n)


@routine(pair, integer, integer, real, real, real, boolean)
def next_fall(problem, state, workspace, i, n, start, level, orientation, strict):
    """Return the first interval (lo, hi) after theta = start in which orientation (g - level) falls to 0, or (-1, -1).

    `strict` demands that it falls below zero; n is the degree in theta of an exact boundary i. state.theta_guess says
    where in the interval it falls, as far as that is known.
    """
    state.theta_guess = np.nan
    fall = Fall(i, level, orientation, strict)
    if problem.certificate[i] == EXACT:
        return search_exact(problem, state, workspace, n, start, fall)
    if problem.certificate[i] == BOUNDED:
        return search_bounded(problem, state, workspace, start, fall)
    return search_sampled(problem, state, workspace, start, fall)
