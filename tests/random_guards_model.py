"""One run through many random guards whose roots are known: each lasts a second, then the transition draws the next.

The guards are drawn by a generator within the model, so that a million of them take one compiled run. Called from
Python, the same function gives the roots that must be found.
"""

import math

import numpy as np

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State

N_ROOTS = 6
STATES = Records(
    State("x", 0.0, "s"),
    *(State(name, continuous=False) for name in ("generator", "index", "kind", "n", "sign", "scale", "a", "w", "f")),
    *(State(f"root{k}", continuous=False) for k in range(N_ROOTS)),
)
PARAMETERS = Records(
    Parameter("seed", 1),
    Parameter("begin", 0.0, "s"),
    Parameter("drawn_kind"),
    Parameter("start_chart"),
)
CHARTS = Records(Chart("sampled"), Chart("exact"), Chart("bounded"), Chart("loose"))
S, P, C = STATES.indices, PARAMETERS.indices, CHARTS.indices

EIGHTHS, FEW, DIP, LEG, TONE, CLUSTER = range(6)
"""Kinds of guards: roots at multiples of 1/8; up to three roots anywhere; a dip that ends a little above or below zero;
the same of the length of a leg; a wave of up to 1.4 periods; three to six roots within a tenth of the second."""

LARGEST_SECOND_DERIVATIVE, FAR_TOO_LARGE = 200.0, 2e8

MULTIPLIER, MODULUS = 16807.0, 2147483647.0


def uniform(x, low, high):
    """Draw the next number of the generator (Park and Miller 1988), whose seed is a state."""
    x[S.generator] = (MULTIPLIER * x[S.generator]) % MODULUS
    return low + (high - low) * x[S.generator] / MODULUS


def draw(x, p):
    """Draw the next guard into the state x."""
    x[S.index] += 1.0
    x[S.kind] = p[P.drawn_kind]
    x[S.sign], x[S.scale] = 1.0, math.pow(10.0, uniform(x, -3.0, 0.0))
    x[S.a], x[S.w], x[S.f] = uniform(x, 0.0, 1.0), uniform(x, 1.0, 9.0), uniform(x, 0.0, 6.28)
    if x[S.kind] == EIGHTHS:
        x[S.n] = 2.0
        x[S.root0] = math.floor(uniform(x, 1.0, 4.0)) / 8.0
        x[S.root1] = math.floor(uniform(x, 4.0, 8.0)) / 8.0
    elif x[S.kind] == FEW:
        x[S.n] = math.floor(uniform(x, 1.0, 4.0))
        for k in range(3):
            x[S.root0 + k] = uniform(x, 0.01, 0.99)
    elif x[S.kind] in (DIP, LEG):
        # Half the distance of the roots, negative if there are none.
        x[S.root0], x[S.root1] = uniform(x, 0.2, 0.8), math.pow(10.0, uniform(x, -5.0, -1.0))
        if uniform(x, 0.0, 1.0) < 0.3:
            x[S.root1] = -x[S.root1]
        x[S.root2] = uniform(x, 0.01, 1.0)
    elif x[S.kind] == TONE:
        x[S.root0] = uniform(x, -0.9, 0.9)
        x[S.sign] = 1.0 if math.cos(x[S.f]) > x[S.root0] else -1.0
    else:
        x[S.n] = math.floor(uniform(x, 3.0, 7.0))
        left = uniform(x, 0.01, 0.89)
        for k in range(N_ROOTS):
            x[S.root0 + k] = left + uniform(x, 0.0, 0.1)


def guard(x):
    """The guard that the state describes, with a sign that makes it positive before each of its roots."""
    kind, here = x[S.kind], x[S.x]
    if kind == TONE:
        return x[S.sign] * x[S.scale] * (math.cos(x[S.w] * here + x[S.f]) - x[S.root0])
    if kind in (DIP, LEG):
        distance, half = here - x[S.root0], x[S.root1]
        square = half * half if half > 0.0 else -half * half
        if kind == DIP:
            return x[S.sign] * x[S.scale] * (distance * distance - square)
        leg = math.sqrt(distance * distance + x[S.root2])
        return x[S.sign] * x[S.scale] * (leg - math.sqrt(max(x[S.root2] + square, 0.0)))
    value = x[S.sign] * x[S.scale]
    if kind != EIGHTHS:
        value *= math.exp(x[S.a] * math.sin(0.3 * x[S.w] * here + x[S.f]))
    for k in range(N_ROOTS):
        if k < x[S.n]:
            value *= x[S.root0 + k] - here
    return value


def roots(x):
    """Where the guard that the state describes changes its sign within its second."""
    kind, n = x[S.kind], int(x[S.n])
    if kind == TONE:
        angle = math.acos(x[S.root0])
        turns = [2.0 * math.pi * k + side * angle for k in range(4) for side in (-1.0, 1.0)]
        return sorted(here for turn in turns if 0.0 < (here := (turn - x[S.f]) / x[S.w]) < 1.0)
    if kind in (DIP, LEG):
        return [x[S.root0] - x[S.root1], x[S.root0] + x[S.root1]] if x[S.root1] > 0.0 else []
    return sorted(x[S.root0 : S.root0 + n])


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = p[P.begin] + x[S.index] - t
    if chart == C.sampled:
        g[1] = guard(x)
    elif chart == C.exact:
        g[2] = guard(x)
    elif chart == C.bounded:
        g[3] = guard(x)
    else:
        g[4] = guard(x)


def transition(x_new, t, x, p, chart, crossed):
    if crossed[0]:
        x_new[S.x] = t - (p[P.begin] + x[S.index])
        draw(x_new, p)
    else:
        x_new[S.sign] = -x[S.sign]
    return chart


def initial_chart(x_new, t, x, p):
    x_new[S.generator] = p[P.seed]
    draw(x_new, p)
    return int(p[P.start_chart])


MODEL = Model(
    "random_guards",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=Records(
        Boundary("second", time=True),
        Boundary("sampled"),
        Boundary("exact", degree=2),
        Boundary("bounded", second_derivative_bound=LARGEST_SECOND_DERIVATIVE),
        Boundary("loose", second_derivative_bound=FAR_TOO_LARGE),
    ),
)


def search(chart, kind, n_guards, begin=0.0, seed=1, **engine):
    """Run through random guards of one kind.

    Returns their number of roots, how many are lost, how many crossings are invented, and the largest error of a time
    [s]. A second in which the number of crossings is wrong counts with the difference; its times are not compared.
    """
    values = {"seed": seed, "begin": begin, "drawn_kind": kind}
    values["start_chart"] = CHARTS.names.index(chart)
    run = hybridsim.simulate(
        MODEL,
        parameters=values,
        initial_time=begin,
        final_time=begin + n_guards,
        max_step=1.0,
        first_step=1.0,
        max_transitions=100 * n_guards,
        record=False,
        **engine,
    )
    assert run.status.name == "FINAL_TIME", run.message
    crossed = np.asarray(run.events.crossed)[:, 1:].any(axis=1) & (np.asarray(run.events.kind) == "crossing")
    return compare(np.asarray(run.events.t)[crossed], begin, expected_roots(values, n_guards))


def expected_roots(values, n_guards):
    """The roots of each guard, from the functions of the model called as plain Python."""
    x, p = [0.0] * len(STATES), [float(values[name]) for name in PARAMETERS.names]
    x[S.generator] = p[P.seed]
    guards = []
    for _ in range(n_guards):
        draw(x, p)
        guards.append(roots(x))
    return guards


def compare(times, begin, guards):
    """Compare crossings with the roots of guards; see `search`. Roots within four spacings of t are one instant."""
    instant = 4.0 * np.spacing(begin + len(guards))
    decidable = np.array([len(found) < 2 or np.diff(found).min() > instant for found in guards])
    counts = np.array([len(found) for found in guards])
    seconds = np.clip(np.floor(times - begin).astype(int), 0, len(guards) - 1)
    difference = np.where(decidable, np.bincount(seconds, minlength=len(guards)) - counts, 0)
    right = decidable & (difference == 0)
    expected = [begin + k + root for k in np.nonzero(right)[0] for root in guards[k]]
    error = np.abs(times[right[seconds]] - expected).max(initial=0.0)
    return counts[decidable].sum(), -difference[difference < 0].sum(), difference[difference > 0].sum(), error


def largest_error(kind, end):
    """How far a root may be from its exact time by rounding [s]: a spacing of t; of a leg, also of its length.

    The length of a leg, up to 1.01 and rounded three times, changes at a root at least at the rate 1e-5.
    """
    return np.spacing(end) + (3.0 * np.finfo(float).eps / 1e-5 if kind == LEG else 0.0)
