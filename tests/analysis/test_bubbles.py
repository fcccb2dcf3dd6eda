"""Each orbit is on one curve of a branch, and none is missing: families of maps whose doubled orbits form bubbles.

u -> f(u), f(x) = -b x + q x^2 + s x^3 with b = a - (p - middle)^2, in a unit and moved along with p. The orbits of two
strides are roots of the polynomial (f(f(x)) - x) / (f(x) - x). At b = 1 the fixed point 0 has the multiplier -1.
"""

import numpy as np
import pytest
from numpy.polynomial import Polynomial

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, State

NAMES = ("p", "a", "q", "s", "middle", "shift", "unit")


def clock(xdot, t, x, p, chart):
    xdot[1] = 1.0


def tick(g, t, x, p, chart):
    g[0] = 1.0 - x[1]


def cubic(x_new, t, x, p, chart, crossed):
    y, d = x[0] / p[6] - p[5] * p[0], p[0] - p[4]
    x_new[0] = p[6] * (-(p[1] - d * d) * y + p[2] * y * y + p[3] * y * y * y + p[5] * p[0])
    x_new[1] = x[1] - 1.0
    return chart


BUBBLES = Model(
    "bubbles",
    Records(State("u"), State("clock")),
    vector_field=clock,
    boundaries=tick,
    transition=cubic,
    parameters=Records(*(Parameter(name) for name in NAMES)),
    boundary_records=Records(Boundary("tick", degree=1)),
)


def random_parameters(seed):
    rng = np.random.default_rng(seed)
    return {
        "a": rng.uniform(1.1, 1.25),
        "q": rng.uniform(-0.4, 0.4),
        "s": rng.choice([-1.0, 1.0]),
        "middle": rng.uniform(-0.2, 0.2),
        "shift": rng.uniform(-1.0, 1.0),
        "unit": 10.0 ** rng.uniform(-3.0, 3.0),
    }


def number_of_doubled_orbits(values, p):
    f = Polynomial([0.0, (p - values["middle"]) ** 2 - values["a"], values["q"], values["s"]])
    x = Polynomial([0.0, 1.0])
    roots = ((f(f) - x) // (f - x)).roots()
    real = roots[np.abs(roots.imag) < 1e-9].real
    return int(np.sum((np.abs(real) < 0.95) & (np.abs(f(real)) < 0.95))) // 2


def passes(branch, strides, p):
    """Return how often curves of orbits of so many strides pass a value of the parameter."""
    points, count = branch.points, 0
    for number in {*points["curve"][points["strides"] == strides]}:
        values = points["p"][points["curve"] == number] - p
        count += int(np.sum(values[:-1] * values[1:] < 0.0))
    return count


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(24))
def test_each_orbit_is_on_one_curve_and_none_is_missing(seed):
    values = random_parameters(seed)
    begin, to = values["middle"] - 0.7, values["middle"] + 0.75
    if seed % 2:
        begin, to = to, begin
    orbit = hybridsim.find_orbit(
        BUBBLES,
        parameters=values | {"p": begin},
        section="tick",
        initial={"u": values["unit"] * values["shift"] * begin},
    )
    branch = hybridsim.continue_orbit(orbit, "p", to=to, max_strides=2)
    flips = sorted(each.value for each in branch.bifurcations if each.strides == 1)
    half = np.sqrt(values["a"] - 1.0)
    np.testing.assert_allclose(flips, values["middle"] + np.array([-half, half]), atol=1e-8)
    for share in (0.03, 0.11, 0.2, 0.31, 0.43, 0.5123, 0.66, 0.79, 0.93):
        p = begin + share * (to - begin)
        assert passes(branch, 1, p) == 1
        assert passes(branch, 2, p) == number_of_doubled_orbits(values, p), (values, p)
