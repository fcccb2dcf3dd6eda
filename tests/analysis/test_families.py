"""Families of orbits and of equilibria, and isolated ones at a bifurcation, where derivatives lose a rank as well."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, Section, State

AT_BIFURCATION = "the orbit is at a bifurcation, or deviations keep their size"

FOLD, TRANSCRITICAL, SUPERCRITICAL, SUBCRITICAL, DEGENERATE, LINEAR = range(6)
ISOLATED = {
    "fold": FOLD,
    "transcritical": TRANSCRITICAL,
    "supercritical pitchfork": SUPERCRITICAL,
    "subcritical pitchfork": SUBCRITICAL,
    "degenerate pitchfork": DEGENERATE,
}
"""Maps of one variable with a multiplier of 1 at u = r = 0, an isolated orbit."""

PARAMETERS = Records(
    Parameter("r", 0.0),
    Parameter("kind", 0.0),
    Parameter("unit", 1.0),
    Parameter("place", 0.0),
    Parameter("decay", 0.5),
    Parameter("angle", 0.0),
    Parameter("bend", 0.0),
    Parameter("growth", 0.0),
)


def held(xdot, t, x, p, chart):
    xdot[0] = 1.0


def tick(g, t, x, p, chart):
    g[0] = 1.0 - x[0]


def image(u, r, kind):
    """The map of one variable."""
    if kind == FOLD:
        return u + r - u * u
    if kind == LINEAR:
        return (1.0 + r) * u
    if kind == TRANSCRITICAL:
        return u + r * u - u * u
    return u + r * u + (-(u**5) if kind == DEGENERATE else u**3 if kind == SUBCRITICAL else -(u**3))


def alone(x_new, t, x, p, chart, crossed):
    """u at its bifurcation, v decays: in any unit, and with an origin elsewhere."""
    u, v = (x[1] - p[3]) / p[2], (x[2] - p[3]) / p[2]
    x_new[1], x_new[2] = p[3] + p[2] * image(u, p[0], p[1]), p[3] + p[2] * p[4] * v
    x_new[0] = x[0] - 1.0
    return chart


def alone_last(x_new, t, x, p, chart, crossed):
    v, u = (x[1] - p[3]) / p[2], (x[2] - p[3]) / p[2]
    x_new[2], x_new[1] = p[3] + p[2] * image(u, p[0], p[1]), p[3] + p[2] * p[4] * v
    x_new[0] = x[0] - 1.0
    return chart


def beside(x_new, t, x, p, chart, crossed):
    """The curve B = bend A^2 of the plane (A, B), turned: each of its points stays where it is; and u beside it."""
    c, s, u = math.cos(p[5]), math.sin(p[5]), x[3] / p[2]
    a, b = (c * x[1] + s * x[2]) / p[2], (c * x[2] - s * x[1]) / p[2]
    left = 0.5 * (b - p[6] * a * a)
    a, b = (1.0 + p[7]) * a + left, p[6] * a * a + left
    x_new[1], x_new[2] = p[2] * (c * a - s * b), p[2] * (s * a + c * b)
    x_new[3] = p[2] * (u + (1.0 + 0.3 * a) * (image(u, p[0], p[1]) - u))
    x_new[0] = x[0] - 1.0
    return chart


def map_model(names, transition):
    return Model(
        "map",
        [State("phase"), *(State(name) for name in names)],
        vector_field=held,
        boundaries=tick,
        transition=transition,
        parameters=PARAMETERS,
        boundary_records=Records(Boundary("tick", degree=1)),
    )


ALONE, ALONE_LAST = map_model(("u", "v"), alone), map_model(("v", "u"), alone_last)
BESIDE = map_model(("a", "b", "u"), beside)


def find(model, parameters, **initial):
    return hybridsim.find_orbit(model, section="tick", parameters=parameters, initial=initial)


@pytest.mark.members(2)
@pytest.mark.parametrize("model", [ALONE, ALONE_LAST], ids=["first", "last"])
@pytest.mark.parametrize("decay", [0.5, -0.8])
@pytest.mark.parametrize(("unit", "place"), [(1.0, 0.0), (1e-6, 0.0), (1e4, 0.0), (1.0, 3.0), (1e-3, -2e-3)])
@pytest.mark.parametrize("kind", ISOLATED)
def test_an_isolated_orbit_at_a_bifurcation_is_no_family_and_not_called_stable(kind, unit, place, decay, model):
    given = {"kind": ISOLATED[kind], "unit": unit, "place": place, "decay": decay}
    for begin in (0.0, 0.3) if unit < 1e3 else (0.3,):  # what is exactly zero has the size 1
        orbit = find(model, given, u=place + begin * unit, v=place + 0.1 * unit)
        assert (orbit.family, orbit.stable) == (0, None)
        assert AT_BIFURCATION in orbit.warnings[0]
        np.testing.assert_allclose(sorted(orbit.multipliers.real), sorted([1.0, decay]), atol=1e-7)


@pytest.mark.parametrize("kind", ISOLATED)
def test_an_orbit_at_a_bifurcation_that_grows_otherwise_is_unstable(kind):
    orbit = find(ALONE, {"kind": ISOLATED[kind], "decay": 1.5}, u=0.0)
    assert (orbit.family, orbit.stable) == (0, False)
    assert AT_BIFURCATION in orbit.warnings[0]


@pytest.mark.members
@pytest.mark.parametrize("bend", [0.0, 0.7, -2.0])
@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0])
@pytest.mark.parametrize(("unit", "a", "b"), [(1.0, 1.0, 0.5), (1e-6, 1.0, 0.5), (1e4, -0.3, 0.6)])
def test_a_family_is_one_straight_or_bent_and_whatever_its_direction(bend, angle, unit, a, b):
    given = {"kind": LINEAR, "r": -0.5, "bend": bend, "angle": angle, "unit": unit}
    c, s = math.cos(angle), math.sin(angle)
    orbit = find(BESIDE, given, a=(c * a - s * b) * unit, b=(s * a + c * b) * unit)
    assert (orbit.family, orbit.stable, orbit.warnings) == (1, True, ())


@pytest.mark.parametrize("unit", [1.0, 1e-6])
@pytest.mark.parametrize("bend", [0.0, 0.7])
@pytest.mark.parametrize("kind", [kind for kind in ISOLATED if kind != "degenerate pitchfork"])
def test_a_bifurcation_beside_a_family_leaves_the_family_its_dimension(kind, bend, unit):
    given = {"kind": ISOLATED[kind], "bend": bend, "angle": 0.4, "unit": unit}
    orbit = find(BESIDE, given, a=0.6 * unit, b=0.8 * unit, u=0.0)
    assert (orbit.family, orbit.stable) == (1, None)
    assert AT_BIFURCATION in orbit.warnings[0]


@pytest.mark.parametrize("to", [5e-4, 0.2])
def test_beside_the_value_at_which_a_line_of_states_is_a_family_they_are_none(to):
    given = {"kind": LINEAR, "r": -0.5, "angle": 0.4}
    assert find(BESIDE, given, a=0.4, b=0.5).stable is True
    zero = find(BESIDE, given, a=0.0, b=0.0)
    assert (zero.family, zero.stable) == (1, True)
    points = hybridsim.continue_orbit(zero, "growth", to=to, back_to=-to).points
    away = points["growth"] != 0.0
    assert away.sum() > 5
    np.testing.assert_allclose(points["a"], 0.0, atol=1e-12)
    assert (points["stable"][away] == (points["growth"][away] < 0.0)).all()


def towards_a_line(xdot, t, x, p, chart):
    xdot[0] = x[1] - x[0] + p[0] * x[0]
    xdot[1] = x[0] - x[1]


@pytest.mark.parametrize("to", [1e-3, 0.5, -1e-3, -0.5])
def test_equilibria_beside_a_family_at_one_value_are_stable_only_if_they_are(to):
    model = Model(
        "line", [State("a", 0.0), State("b", 0.0)], vector_field=towards_a_line, parameters=[Parameter("q", 0.0)]
    )
    rest = hybridsim.find_equilibrium(model)
    assert (rest.family, rest.stable) == (1, True)
    points = hybridsim.continue_equilibrium(rest, "q", to=to).points
    beside = points["q"] != 0.0
    assert (points["stable"][beside] == (to < 0.0)).all()
    np.testing.assert_allclose(points["a"], 0.0, atol=1e-12)


def cubic(xdot, t, x, p, chart):
    xdot[0] = p[0] * x[0] + p[1] * x[0] ** 3 + p[2] * x[0] ** 2
    xdot[1] = -x[1]


@pytest.mark.parametrize("terms", [{"cubic": 1.0}, {"cubic": -1.0}, {"square": 1.0}])
def test_an_equilibrium_at_a_bifurcation_is_no_family(terms):
    model = Model(
        "cubic",
        [State("a", 0.0), State("b", 0.3)],
        vector_field=cubic,
        parameters=[Parameter("q", 0.0), Parameter("cubic", 0.0), Parameter("square", 0.0)],
    )
    rest = hybridsim.find_equilibrium(model, parameters=terms)
    assert (rest.family, rest.stable) == (0, None)


@pytest.mark.members(1)
@pytest.mark.parametrize(("kind", "to"), [("supercritical pitchfork", 0.2), ("subcritical pitchfork", -0.4)])
def test_from_an_orbit_at_a_bifurcation_its_curves_are_followed(kind, to):
    branch = hybridsim.continue_orbit(find(ALONE, {"kind": ISOLATED[kind]}, u=0.0), "r", to=to)
    assert [(each.kind, each.value) for each in branch.bifurcations] == [("branch", pytest.approx(0.0, abs=1e-9))]
    ends = [branch.points["u"][branch.points["curve"] == curve][-1] for curve in (0, 1, 2)]
    np.testing.assert_allclose(sorted(ends), [-math.sqrt(abs(to)), 0.0, math.sqrt(abs(to))], atol=1e-9)


@pytest.mark.parametrize("place", [0.0, 3.0])
def test_from_an_orbit_at_a_fold_one_side_is_followed(place):
    points = hybridsim.continue_orbit(find(ALONE, {"kind": FOLD, "place": place}, u=place, v=place), "r", to=0.5).points
    assert points["r"][-1] == 0.5
    np.testing.assert_allclose((points["u"] - place) ** 2, points["r"], atol=1e-9)


def free_oscillator(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0]


@pytest.mark.parametrize("begin", [(1.0, 0.5), (0.0, 0.0)])
def test_where_multipliers_stay_on_the_circle_nothing_is_decided(begin):
    model = Model("oscillator", [State("x", begin[0]), State("v", begin[1])], vector_field=free_oscillator)
    orbit = hybridsim.find_orbit(model, section=Section(time=1.0))
    assert (orbit.family, orbit.stable) == (0, None)
    np.testing.assert_allclose(np.abs(orbit.multipliers), 1.0, atol=1e-12)
