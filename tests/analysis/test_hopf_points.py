"""Hopf points by closed forms, and the orbits that begin there."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from smooth_fields import LORENZ, MODEL, VAN_DER_POL

import hybridsim
from hybridsim import ConfigError, Model, Parameter, Records, State

BRUSSELATOR_MODEL = Path(__file__).with_name("brusselator.py")
SIGMA, BETA = 10.0, 8.0 / 3.0


def lyapunov(matrix, second, third=lambda u, v, w: np.zeros(len(u))):
    """Kuznetsov (2004), equation 5.62, from the derivatives of a field as multilinear functions; returns w and l1."""
    values, vectors = np.linalg.eig(matrix)
    i = int(np.argmax(values.imag))
    w, e = values[i].imag, vectors[:, i]
    left_values, left = np.linalg.eig(matrix.T)
    a = left[:, np.argmin(abs(left_values - values[i]))]
    a = a / (a @ e)
    h = np.linalg.solve(matrix, second(e, e.conj()))
    k = np.linalg.solve(2j * w * np.eye(len(e)) - matrix, second(e, e))
    return w, (a @ (third(e, e, e.conj()) - 2.0 * second(e, h) + second(e.conj(), k))).real / (2.0 * w)


def lorenz_hopf():
    """The Hopf point of the Lorenz equations: r, w, l1, and the slope of the real part, from the cubic equation."""
    r = SIGMA * (SIGMA + BETA + 3.0) / (SIGMA - BETA - 1.0)
    x = math.sqrt(BETA * (r - 1.0))
    matrix = np.array([[-SIGMA, SIGMA, 0.0], [1.0, -1.0, -x], [x, x, -BETA]])
    w, l1 = lyapunov(matrix, lambda u, v: np.array([0.0, -u[0] * v[2] - u[2] * v[0], u[0] * v[1] + u[1] * v[0]]))
    s = 1j * w
    by_r = BETA * s + 2.0 * SIGMA * BETA
    return r, w, l1, (-by_r / (3.0 * s * s + 2.0 * (SIGMA + BETA + 1.0) * s + BETA * (r + SIGMA))).real


@pytest.mark.members(1)
@pytest.mark.parametrize("rate", [1.0, 1e3, 1e-3])
@pytest.mark.parametrize("guess", [0.1, 3.0])
def test_lorenz_has_a_pitchfork_and_two_subcritical_hopf_points(rate, guess):
    rest = hybridsim.find_equilibrium(
        MODEL, parameters={"field": LORENZ, "r": 0.5, "rate": rate}, initial=dict.fromkeys("abc", guess)
    )
    assert (rest.stable, rest.family) == (True, 0)
    np.testing.assert_allclose([*rest.x.values()], 0.0, atol=1e-15)
    branch = hybridsim.continue_equilibrium(rest, "r", to=30.0)
    r, w, l1, slope = lorenz_hopf()
    pitchfork, *hopf = branch.bifurcations
    assert (pitchfork.kind, pitchfork.type) == ("branch", "pitchfork")
    assert pitchfork.value == pytest.approx(1.0, abs=1e-12)
    for each in hopf:
        assert (each.kind, each.type, each.side) == ("hopf", "subcritical", -1)
        assert each.value == pytest.approx(r, rel=1e-13)
        assert each.omega == pytest.approx(rate * w, rel=1e-12)
        assert each.slope == pytest.approx(rate * slope, rel=1e-9)
        assert each.coefficient == pytest.approx(l1, rel=1e-6)
        assert abs(each.equilibrium.x["a"]) == pytest.approx(math.sqrt(BETA * (r - 1.0)), rel=1e-12)
        assert not each.equilibrium.stable
    assert {math.copysign(1.0, each.equilibrium.x["a"]) for each in hopf} == {1.0, -1.0}
    assert not branch.notes
    on = branch.points["a"] > 1e-6
    np.testing.assert_allclose(branch.points["a"][on] ** 2, BETA * (branch.points["r"][on] - 1.0), rtol=1e-9)
    assert (branch.points["stable"][on] == (branch.points["r"][on] < r - 1e-9)).all()


@pytest.mark.exhaustive  # others begin at their Hopf point in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e4])
@pytest.mark.parametrize("a", [1.0, 0.8])
def test_the_orbits_of_the_brusselator_begin_at_its_hopf_point(unit, a):
    rest = hybridsim.find_equilibrium(
        BRUSSELATOR_MODEL, parameters={"a": a, "b": 1.2, "unit": unit}, initial={"x": 1.1 * a * unit, "y": unit}
    )
    assert [*rest.x.values()] == pytest.approx([a * unit, 1.2 / a * unit], rel=1e-13)
    branch = hybridsim.continue_equilibrium(rest, "b", to=3.0)
    (hopf,) = branch.bifurcations
    b = 1.0 + a * a

    def second(u, v):
        value = 2.0 * b / a * u[0] * v[0] + 2.0 * a * (u[0] * v[1] + u[1] * v[0])
        return np.array([value, -value])

    def third(u, v, w):
        value = 2.0 * (u[0] * v[0] * w[1] + u[0] * v[1] * w[0] + u[1] * v[0] * w[0])
        return np.array([value, -value])

    w, l1 = lyapunov(np.array([[b - 1.0, a * a], [-b, -a * a]]), second, third)
    assert w == pytest.approx(a, rel=1e-12)
    assert (hopf.kind, hopf.type, hopf.side) == ("hopf", "supercritical", 1)
    assert hopf.value == pytest.approx(b, rel=1e-13)
    assert [hopf.omega, hopf.slope] == pytest.approx([a, 0.5], rel=1e-10)  # the trace is b - 1 - a^2
    assert hopf.coefficient * unit**2 == pytest.approx(l1, rel=1e-8)

    orbits = hybridsim.continue_orbit(hopf, "b", to=b + 0.2)
    first = orbits.orbit
    assert orbits.points["stable"].all()
    assert not orbits.bifurcations + orbits.notes
    excess = first.parameters["b"] - b
    assert 0.0 < excess < 0.01
    e = np.array([a * a, 1j * a - b + 1.0]) / np.linalg.norm([a * a, 1j * a - b + 1.0])  # (A - i a) e = 0
    predicted = 2.0 * math.sqrt(-0.5 * excess / (l1 * a)) * abs(e[0]) * unit
    swing = 0.5 * np.ptp(np.concatenate([stride.rows.x[:, 0] for stride in first.found.strides]))
    assert swing == pytest.approx(predicted, rel=0.05)
    assert first.period == pytest.approx(2.0 * math.pi / a, rel=excess)

    back = hybridsim.continue_orbit(hybridsim.find_orbit(**_same(first, b + 0.2)), "b", to=b - 0.1)
    assert back.bifurcations[0].kind == "hopf"
    assert back.bifurcations[0].value == pytest.approx(b, rel=1e-12)
    assert back.bifurcations[0].coefficient * unit**2 == pytest.approx(l1, rel=1e-7)
    again = hybridsim.continue_orbit(back.bifurcations[0], "b", to=b + 0.2)
    assert again.points["period"][-1] == pytest.approx(orbits.points["period"][-1], rel=1e-10)


def _same(orbit, b):
    """Return keywords that find the orbit at another parameter: the section stays, as the equilibrium's x does."""
    sizes = np.abs([*orbit.x.values()])
    return {
        "model": BRUSSELATOR_MODEL,
        "parameters": {**orbit.parameters, "b": b},
        "section": orbit.section,
        "initial": dict(zip(orbit.x, sizes * [1.0, 1.2], strict=True)),
        "atol": 1e-13 * sizes.min(),
    }


def test_the_amplitude_of_the_first_orbit_is_that_of_the_normal_form_to_second_order():
    rest = hybridsim.find_equilibrium(BRUSSELATOR_MODEL, parameters={"b": 1.5}, initial={"x": 1.0, "y": 1.5})
    (hopf,) = hybridsim.continue_equilibrium(rest, "b", to=2.5).bifurcations
    errors = []
    for b in (2.001, 2.004):
        orbit = hybridsim.find_orbit(
            BRUSSELATOR_MODEL,
            parameters={"b": b},
            section=hybridsim.Section(state="x", value=1.0),
            initial={"x": 1.0, "y": b + 2.0 * math.sqrt(b - 2.0)},
        )
        x = _harmonic(orbit)
        predicted = math.sqrt(-hopf.slope * (b - hopf.value) / (hopf.coefficient * hopf.omega)) / math.sqrt(3.0)
        errors.append(abs(x / predicted - 1.0))  # |e_x|^2 = 1/3: e = (1, -1 + i) / sqrt 3
    assert errors[1] < 5.0 * errors[0] < 0.05  # in proportion to the distance


def _harmonic(orbit):
    """Return the size of the first Fourier coefficient of x along an orbit."""
    run = hybridsim.simulate(
        BRUSSELATOR_MODEL,
        parameters=orbit.parameters,
        initial=orbit.x,
        final_time=orbit.period,
        record=orbit.period / 1000.0,
        method="dop853",
        rtol=1e-11,
        atol=1e-12,
    )
    return abs(np.mean(run.x[:1000, 0] * np.exp(-2j * math.pi * run.t[:1000] / orbit.period)))


def test_a_hopf_point_can_be_left_through_another_parameter():
    rest = hybridsim.find_equilibrium(BRUSSELATOR_MODEL, parameters={"b": 1.5}, initial={"x": 1.0, "y": 1.5})
    (hopf,) = hybridsim.continue_equilibrium(rest, "b", to=2.5).bifurcations
    orbits = hybridsim.continue_orbit(hopf, "a", to=0.9)  # b = 2 is beyond 1 + a^2 for smaller a
    assert orbits.points["stable"].all()
    with pytest.raises(ConfigError, match="to: the orbits that begin at a = 1 exist for smaller values; give one, or"):
        hybridsim.continue_orbit(hopf, "a", to=1.1)
    with pytest.raises(ConfigError, match="brusselator has no parameter 'c'"):
        hybridsim.continue_orbit(hopf, "c", to=1.1)


def test_a_subcritical_hopf_point_gives_unstable_orbits_on_its_own_side():
    r, *_ = lorenz_hopf()
    rest = hybridsim.find_equilibrium(
        MODEL, parameters={"field": LORENZ, "r": 20.0}, initial={"a": 7.0, "b": 7.0, "c": 19.0}
    )
    (hopf,) = hybridsim.continue_equilibrium(rest, "r", to=28.0).bifurcations
    orbits = hybridsim.continue_orbit(hopf, "r", to=22.0)
    assert not orbits.points["stable"].any()
    assert (orbits.points["r"] < r).all()
    assert orbits.points["r"][-1] == 22.0
    with pytest.raises(ConfigError, match=r"exist for smaller values"):
        hybridsim.continue_orbit(hopf, "r", to=26.0)


def ordered_lorenz(i, j, k):
    """The Lorenz equations, whose x, y and z are the states i, j and k."""

    def field(xdot, t, x, p, chart):
        xdot[i] = 10.0 * (x[j] - x[i])
        xdot[j] = x[i] * (p[0] - x[k]) - x[j]
        xdot[k] = x[i] * x[j] - 8.0 / 3.0 * x[k]

    names = [name for _, name in sorted(zip((i, j, k), "xyz", strict=True))]
    states = Records(*(State(name, 1.0) for name in names))
    return Model("ordered", states, vector_field=field, parameters=Records(Parameter("r", 20.0)))


@pytest.mark.exhaustive  # a matter of one state more
@pytest.mark.parametrize("n", [2, pytest.param(6, marks=pytest.mark.exhaustive)])
def test_the_order_of_the_states_does_not_matter(n):
    found = []
    for order in [*itertools.permutations(range(3))][:: 6 // n]:
        rest = hybridsim.find_equilibrium(ordered_lorenz(*order), initial={"x": 7.0, "y": 7.0, "z": 19.0})
        (hopf,) = hybridsim.continue_equilibrium(rest, "r", to=28.0).bifurcations
        orbits = hybridsim.continue_orbit(hopf, "r", to=24.0)
        found.append([hopf.value, hopf.omega, 1e4 * hopf.coefficient, orbits.points["period"][-1]])
    np.testing.assert_allclose(found, np.broadcast_to(found[0], (n, 4)), rtol=1e-6)


def landau_field(xdot, t, x, p, chart):
    u, v = x[0] / p[1], x[1] / p[1]
    growth = p[0] + p[2] * (u * u + v * v)
    xdot[0] = p[1] * (growth * u - v)
    xdot[1] = p[1] * (u + growth * v)


LANDAU = Model(
    "landau",
    Records(State("x"), State("y")),
    vector_field=landau_field,
    parameters=Records(Parameter("q", -1.0), Parameter("unit", 1.0), Parameter("cubic", -1.0)),
)


UNITS = [(1.0, 0.0), *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in ((1e-4, 0.0), (1e3, 100.0)))]


@pytest.mark.exhaustive  # slow; a subcritical Hopf point has its orbits in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("cubic", [-1.0, 1.0])
@pytest.mark.parametrize(("unit", "x"), UNITS)
def test_circles_around_zero_begin_and_end_at_their_hopf_point(unit, x, cubic, tmp_path):
    """In polar coordinates r' = q r + cubic r^3, angle' = 1: circles with r^2 = -q / cubic, and l1 = 2 cubic."""
    parameters = {"unit": unit, "cubic": cubic}
    rest = hybridsim.find_equilibrium(LANDAU, parameters=parameters, initial={"x": x})
    (hopf,) = hybridsim.continue_equilibrium(rest, "q", to=1.0).bifurcations
    assert (hopf.type, hopf.side) == (("supercritical", 1) if cubic < 0.0 else ("subcritical", -1))
    assert hopf.value == pytest.approx(0.0, abs=1e-14)
    assert hopf.coefficient * unit**2 == pytest.approx(2.0 * cubic, rel=1e-9)
    orbits = hybridsim.continue_orbit(hopf, "q", to=0.3 * hopf.side)
    radius = np.hypot(orbits.points["x"], orbits.points["y"]) / unit
    np.testing.assert_allclose(radius**2, -orbits.points["q"] / cubic, rtol=1e-7, atol=1e-8)
    assert (orbits.points["stable"] == (cubic < 0.0)).all()

    large = hybridsim.find_orbit(
        LANDAU,
        parameters={**parameters, "q": 0.5 * hopf.side},
        section=hybridsim.Section(state="x", value=0.0),
        initial={"y": -math.sqrt(0.5) * unit},
        atol=1e-13 * unit,
    )
    hybridsim.continue_orbit(large, "q", to=-0.3 * hopf.side).save(tmp_path / "branch.h5")
    branch = hybridsim.load_branch(tmp_path / "branch.h5", LANDAU)
    (end,) = branch.bifurcations
    assert (end.kind, end.type, end.side) == ("hopf", hopf.type, hopf.side)
    assert end.value == pytest.approx(0.0, abs=1e-14)
    assert not branch.notes
    again = hybridsim.continue_orbit(end, "q", to=0.1 * hopf.side)
    assert again.points["period"][-1] == pytest.approx(2.0 * math.pi, rel=1e-9)


def test_a_degenerate_hopf_point_says_so():
    """Van der Pol: r multiplies all that is nonlinear, so that at r = 0 the whole plane is filled by orbits."""
    rest = hybridsim.find_equilibrium(MODEL, parameters={"field": VAN_DER_POL, "r": -0.5}, initial={"a": 0.1, "b": 0.1})
    (hopf,) = hybridsim.continue_equilibrium(rest, "r", to=0.5).bifurcations
    assert (hopf.type, hopf.side) == ("degenerate", 0)
    assert hopf.value == pytest.approx(0.0, abs=1e-13)
    assert [hopf.omega, hopf.slope] == pytest.approx([1.0, 0.5], rel=1e-10)
