"""An orbit that shrinks to an equilibrium ends at its Hopf point, whatever the states do that do not swing with it."""

import itertools

import numpy as np
import pytest

import hybridsim
from hybridsim import Model, Parameter, Records, State


def vector_field(xdot, t, x, p, chart):
    u, v, w = x[0] / p[2], x[1] / p[3], x[2] / p[4]
    xdot[0] = p[2] * (1.0 - (p[0] + 1.0) * u + u * u * v)
    xdot[1] = p[3] * (p[0] * u - u * u * v)
    xdot[2] = p[4] * p[1] * (p[5] * u - w)


UNITS = ("unit_x", "unit_y", "unit_z")
WITH_THIRD_STATE = Model(
    "with_third_state",
    Records(State("x"), State("y"), State("z")),
    vector_field=vector_field,
    parameters=Records(
        Parameter("b"), Parameter("rate", 1.0), *(Parameter(unit, 1.0) for unit in UNITS), Parameter("drive", 0.0)
    ),
)
"""The Brusselator at a = 1, whose x drives, or does not drive, a third state; its Hopf point is at b = 2."""


def followed(section, value, to, start=0.0, **parameters):
    """Find the orbit near its section and follow it to smaller b."""
    units = [parameters.get(unit, 1.0) for unit in UNITS]
    b = parameters["b"]
    begin = {"x": (1.0, b + 1.0), "y": (0.5, b)}[section]
    orbit = hybridsim.find_orbit(
        WITH_THIRD_STATE,
        parameters=parameters,
        section=hybridsim.Section(state=section, value=value * units["xyz".index(section)]),
        initial=dict(zip("xyz", np.multiply((*begin, start), units).tolist(), strict=True)),
        max_time=100.0,
        atol=1e-12 * min(units),
    )
    return hybridsim.continue_orbit(orbit, "b", to=to)


RUNS = [*itertools.product((2.3, 2.5), (0.1, 10.0), (0.0, 0.1, 1.0), (1.9, 1.0))]


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("b", "rate", "start", "to"),
    [pytest.param(*run, marks=() if i % 4 == 1 else pytest.mark.exhaustive) for i, run in enumerate(RUNS)],
)
def test_a_state_that_has_decayed_does_not_hide_the_hopf_point(b, rate, start, to):
    branch = followed("x", 1.0, to, start, b=b, rate=rate)
    (hopf,) = branch.bifurcations
    assert (hopf.kind, hopf.type) == ("hopf", "supercritical")
    assert hopf.value == pytest.approx(2.0, rel=1e-12)
    assert branch.notes == ()
    assert branch.points["stable"][branch.points["b"] > 2.0 + 1e-5].all()


@pytest.mark.members(1)
@pytest.mark.parametrize("drive", [0.0, 1.0])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_nor_does_the_unit_of_a_state(unit, size, drive):
    branch = followed("x", 1.0, 1.9, 0.1, b=2.3, rate=3.0, drive=drive, **{unit: size})
    (hopf,) = branch.bifurcations
    assert (hopf.kind, hopf.type, branch.notes) == ("hopf", "supercritical", ())
    assert hopf.value == pytest.approx(2.0, rel=1e-12)


@pytest.mark.members(1)
@pytest.mark.parametrize(("b", "rate"), [(2.3, 0.1), (2.5, 1.0), (2.4, 10.0)])
@pytest.mark.parametrize("to", [1.9, 1.0])
def test_where_the_orbit_only_touches_its_section_it_does_not_turn_round(b, rate, to):
    """In the plane of the section the curve turns round there, to the crossings in the other direction."""
    branch = followed("y", b, to, b=b, rate=rate, drive=1.0 if rate == 10.0 else 0.0)
    assert branch.bifurcations == ()
    (note,) = branch.notes
    assert f"there the section, y rising through {b}, is only touched" in note
