"""What is born at a Hopf point does not depend on the units of the states, each with its own, and of time."""

import itertools

import numpy as np
import pytest

import hybridsim
from hybridsim import Model, Parameter, Records, State

SIZES = (1e-6, 1.0, 1e6)
UNITS = ("unit_x", "unit_y", "unit_z")


def vector_field(xdot, t, x, p, chart):
    u, v, w = x[0] / p[0], x[1] / p[1], x[2] / p[2]
    square = u * u + v * v
    growth = p[4] + w + p[5] * square
    xdot[0] = p[3] * p[0] * (growth * u - v)
    xdot[1] = p[3] * p[1] * (u + growth * v)
    xdot[2] = p[3] * p[2] * (0.5 * p[5] * square - w)


MODEL = Model(
    "rings",
    Records(State("x"), State("y"), State("z")),
    vector_field=vector_field,
    parameters=Records(
        *(Parameter(name, 1.0) for name in (*UNITS, "rate")),
        Parameter("q", -1.0),
        Parameter("cubic", -1.0),
    ),
)
"""In polar coordinates r' = (q + w) r + cubic r^3, and w goes to cubic r^2 / 2: circles with r^2 = -q / (1.5 cubic)."""


def hopf_of(**parameters):
    rest = hybridsim.find_equilibrium(MODEL, parameters=parameters)
    branch = hybridsim.continue_equilibrium(rest, "q", to=1.0)
    (hopf,) = branch.bifurcations
    assert (hopf.kind, branch.notes) == ("hopf", ())
    assert hopf.value == pytest.approx(0.0, abs=1e-14)
    return hopf


ALL_UNITS = [
    *itertools.product((1e-3, 1.0, 1e3), repeat=3),
    *(np.where(np.eye(3) == 1.0, size, 1.0)[i].tolist() for i in range(3) for size in (1e-6, 1e6)),
]


@pytest.mark.members
@pytest.mark.parametrize(
    ("x", "y", "z"),
    [pytest.param(*each, marks=() if i % 5 == 0 else pytest.mark.exhaustive) for i, each in enumerate(ALL_UNITS)],
)
@pytest.mark.parametrize("rate", [1e-4, 1.0, 1e5])
@pytest.mark.parametrize("cubic", [-1.0, 1.0])
def test_whether_the_orbit_is_stable_does_not_depend_on_units(x, y, z, rate, cubic):
    hopf = hopf_of(unit_x=x, unit_y=y, unit_z=z, rate=rate, cubic=cubic)
    assert hopf.type == ("supercritical" if cubic < 0.0 else "subcritical")
    assert hopf.side == -np.sign(cubic)
    assert [hopf.omega, hopf.slope] == pytest.approx([rate, rate], rel=1e-12)
    # e = (x, -i y) / hypot(x, y), so that the radius is 2 s / hypot(x, y), and q = -1.5 cubic r^2 = -l1 s^2.
    assert hopf.coefficient * (x * x + y * y) == pytest.approx(6.0 * cubic, rel=1e-7)


@pytest.mark.members(4)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("size", SIZES)
def test_what_vanishes_at_the_hopf_point_is_degenerate_in_all_units(unit, size):
    """The radius is multiplied by a term that is zero for q = 0 only."""

    def field(xdot, t, x, p, chart):
        u, v = x[0] / p[0], x[1] / p[1]
        xdot[0] = p[0] * v
        xdot[1] = p[1] * (p[4] * (1.0 - u * u) * v - u)
        xdot[2] = -x[2]

    model = Model("oscillator", MODEL.states, vector_field=field, parameters=MODEL.parameters)
    rest = hybridsim.find_equilibrium(model, parameters={unit: size})
    (hopf,) = hybridsim.continue_equilibrium(rest, "q", to=0.7).bifurcations
    assert (hopf.kind, hopf.type, hopf.side) == ("hopf", "degenerate", 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("unit", "size"),
    [
        ("unit_x", 1e6),
        ("unit_y", 1e-6),
        ("unit_z", 1e6),
    ],
)
def test_orbits_begin_in_all_units(unit, size):
    hopf = hopf_of(**{unit: size})
    orbits = hybridsim.continue_orbit(hopf, "q", to=0.3)
    sizes = [size if unit == name else 1.0 for name in UNITS]
    radius = np.hypot(orbits.points["x"] / sizes[0], orbits.points["y"] / sizes[1])
    np.testing.assert_allclose(radius**2, orbits.points["q"] / 1.5, rtol=1e-6)
    assert orbits.points["stable"].all()
