"""Random hybrid automata whose flows have closed forms, and where they must go, computed without the engine.

One model whose coefficients are all parameters, so that it is compiled once. In each chart q relaxes, r drifts, and
(u, v) turn. A boundary is a combination of the states, minus its value where the epoch began, plus a margin: what the
coefficients are, an epoch begins inside. Those of the kind `patient` may begin outside.
"""

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from hybridsim import Boundary, Chart, Model, Parameter, Records, State, simulate

CHARTS, TERMS = 5, 5
BOUNDARIES = Records(
    Boundary("affine", degree=1),
    Boundary("quadratic", degree=2),
    Boundary("bounded", second_derivative_bound=1e3),
    Boundary("sampled"),
    Boundary("sampled_too"),
    Boundary("patient_affine", degree=1, armed="when_positive"),
    Boundary("patient", armed="when_positive"),
)
K = len(BOUNDARIES)
AFFINE = ("affine", "patient_affine")  # of their combinations, the product is left out
STATES = Records(
    *(State(name) for name in "qruv"),
    *(State(f"level{k}", continuous=False) for k in range(K)),
)
LEVEL = 4  # index of the first level
PARAMETERS = Records(
    Parameter("field", (0.0,) * (CHARTS * 4), "1/s", "of each chart: how fast q relaxes, to what; drift; turning"),
    Parameter("term", (0.0,) * (CHARTS * K * TERMS), "", "of each boundary: its weights of q, r, u, v, q u"),
    Parameter("margin", (0.0,) * (CHARTS * K), "", "what a boundary is where its chart begins"),
    Parameter("active", (0.0,) * (CHARTS * K)),
    Parameter("next", (0.0,) * (CHARTS * K), "", "the chart behind a boundary"),
    Parameter("kick", (0.0,) * (K * 4), "", "what a boundary adds to half of each state"),
)
P = PARAMETERS.indices


def combined(x, p, chart, k):
    """The combination of the states that a boundary looks at."""
    first = int(p[P.term]) + (chart * K + k) * TERMS
    return (
        p[first] * x[0] + p[first + 1] * x[1] + p[first + 2] * x[2] + p[first + 3] * x[3] + p[first + 4] * x[0] * x[2]
    )


def vector_field(xdot, t, x, p, chart):
    first = int(p[P.field]) + 4 * chart
    xdot[0] = p[first] * (p[first + 1] - x[0])
    xdot[1] = p[first + 2]
    xdot[2] = -p[first + 3] * x[3]
    xdot[3] = p[first + 3] * x[2]


def boundaries(g, t, x, p, chart):
    for k in range(K):
        if p[int(p[P.active]) + chart * K + k] > 0.0:
            g[k] = combined(x, p, chart, k) - x[LEVEL + k]


def begin_epoch(x_new, p, chart):
    """Set the levels such that each boundary is at its margin."""
    for k in range(K):
        x_new[LEVEL + k] = combined(x_new, p, chart, k) - p[int(p[P.margin]) + chart * K + k]


def transition(x_new, t, x, p, chart, crossed):
    """That of the first boundary that crosses."""
    k = 0
    while not crossed[k]:
        k += 1
    for i in range(4):
        x_new[i] = 0.5 * x[i] + p[int(p[P.kick]) + 4 * k + i]
    begun = int(p[int(p[P.next]) + chart * K + k])
    begin_epoch(x_new, p, begun)
    return begun


def initial_chart(x_new, t, x, p):
    begin_epoch(x_new, p, 0)
    return 0


MODEL = Model(
    "automaton",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    charts=Records(*(Chart(f"chart_{c}") for c in range(CHARTS))),
    boundary_records=BOUNDARIES,
)


class Automaton:
    """Random coefficients; `run` simulates it, `expected` says where an epoch must end."""

    def __init__(self, rng):
        self.field = np.stack(
            [rng.uniform(0.2, 3.0, CHARTS), *rng.uniform(-1.5, 1.5, (2, CHARTS)), rng.uniform(-6.0, 6.0, CHARTS)],
            axis=1,
        )
        self.field *= rng.random((CHARTS, 4)) < 0.8  # of some, a state rests
        self.term = rng.uniform(-1.0, 1.0, (CHARTS, K, TERMS)) * (rng.random((CHARTS, K, TERMS)) < 0.6)
        self.term[:, [BOUNDARIES.index(name) for name in AFFINE], 4] = 0.0
        self.margin = rng.uniform(0.05, 2.0, (CHARTS, K))
        patient = np.array([record.armed == "when_positive" for record in BOUNDARIES])
        self.margin *= np.where(patient & (rng.random((CHARTS, K)) < 0.5), -0.5, 1.0)
        self.active = 1.0 * (rng.random((CHARTS, K)) < 0.6)
        self.next = rng.integers(CHARTS, size=(CHARTS, K))
        self.kick = rng.uniform(-0.7, 0.7, (K, 4))
        self.start = rng.uniform(-0.7, 0.7, 4)

    def run(self, duration, **keywords):
        """A run of so many seconds."""
        begin = keywords.get("initial_time", 0.0)
        return simulate(
            MODEL,
            parameters={name: getattr(self, name).ravel().tolist() for name in PARAMETERS.names},
            initial=dict(zip("qruv", self.start.tolist(), strict=True)),
            final_time=begin + duration,
            **keywords,
        )

    def flow(self, chart, x, after):
        """The states (n, 4) some times after the state x (4,), by the closed forms."""
        rate, level, drift, turning = self.field[chart]
        angle = turning * after
        cos, sin = np.cos(angle), np.sin(angle)
        q = level + (x[0] - level) * np.exp(-rate * after)
        return np.stack([q, x[1] + drift * after, cos * x[2] - sin * x[3], sin * x[2] + cos * x[3]], axis=-1)

    def value(self, chart, x, k, after):
        """Boundary k some times after an epoch began at x."""
        term = self.term[chart, k]

        def combination(states):
            return states @ term[:4] + term[4] * states[..., 0] * states[..., 2]

        return combination(self.flow(chart, x, after)) - combination(x) + self.margin[chart, k]

    def crossings(self, chart, x, k, duration, near):
        """When boundary k first falls to zero after an epoch began at x, or inf, and when it came `near` to zero."""
        after = np.linspace(0.0, duration, 40 + int(400 * duration))
        value = self.value(chart, x, k, after)
        added = []
        side = np.sign(value[1:-1])
        towards = (side * value[1:-1] <= side * value[:-2]) & (side * value[1:-1] <= side * value[2:])
        for i in np.flatnonzero(towards & (abs(value[1:-1]) < 0.02)) + 1:
            options = {"bounds": (after[i - 1], after[i + 1]), "method": "bounded", "options": {"xatol": 1e-12}}
            added.append(minimize_scalar(lambda s, sign=side[i - 1]: sign * self.value(chart, x, k, s), **options).x)
        extreme = np.array(added)
        grazes = extreme[abs(self.value(chart, x, k, extreme)) < near] if added else extreme
        after = np.sort(np.concatenate([after, extreme]))
        value = self.value(chart, x, k, after)
        falls = np.flatnonzero((value[:-1] > 0.0) & (value[1:] <= 0.0))
        if not len(falls):
            return np.inf, grazes
        i = falls[0]
        root = brentq(lambda s: self.value(chart, x, k, s), after[i], after[i + 1], xtol=1e-14, rtol=1e-14)
        return root, grazes

    def expected(self, chart, x, duration, near):
        """When and at which boundary an epoch from x ends, (inf, -1) if not within its duration.

        None where that cannot be said within `near`: another boundary touches zero before, or crosses at the same time,
        or the one that crosses does it too slowly.
        """
        active = np.flatnonzero(self.active[chart])
        found = [(*self.crossings(chart, x, k, duration, near), k) for k in active]
        root, _, k = min(found, key=lambda each: each[0], default=(np.inf, None, -1))
        end = min(root, duration)
        if any((grazes < end + 1e-3).any() for _, grazes, _ in found):
            return None
        if any(each != k and abs(other - root) < 1e-5 for other, _, each in found if root < np.inf):
            return None
        if root < np.inf and abs(self.rate(chart, x, k, root)) < 1e-2:
            return None
        return root, k if root < np.inf else -1

    def rate(self, chart, x, k, after):
        """How fast boundary k changes, by a difference."""
        return (self.value(chart, x, k, after + 1e-6) - self.value(chart, x, k, after - 1e-6)) / 2e-6

    def jump(self, chart, x, k):
        """The chart and the state behind boundary k, reached at x (4,)."""
        return self.next[chart, k], 0.5 * x + self.kick[k]
