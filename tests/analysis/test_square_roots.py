"""What is born where an impact is grazed, against closed forms and an integrator that shares nothing with this one."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import hybridsim

NORDMARK = Path(__file__).with_name("nordmark.py")


def one_period(start, omega, zeta, gap, restitution, amplitude):
    """Integrate a period of the impact oscillator; returns where it ends, and how often it hits the wall."""

    def slope(t, x):
        return x[1], amplitude * math.cos(omega * t) - x[0] - 2.0 * zeta * x[1]

    def top(t, x):
        return x[1]

    top.terminal, top.direction = True, -1.0
    t, x, end, impacts = 0.0, np.array(start), 2.0 * math.pi / omega, 0
    while True:  # an impact is looked for before each top of x, however shallow
        run = solve_ivp(slope, (t, end), x, "DOP853", events=top, rtol=1e-12, atol=1e-13 * gap, dense_output=True)
        t, x = run.t[-1], run.y[:, -1].copy()
        if x[0] > gap:
            t = brentq(lambda t, run=run: run.sol(t)[0] - gap, run.t[np.argmin(run.y[0])], t, xtol=1e-15, rtol=1e-14)
            x = run.sol(t) * np.array([1.0, -restitution])
            impacts += 1
        elif run.status == 0:
            return x, impacts


def oscillator_branch(omega, zeta, gap, restitution, to=1.1, max_strides=1):
    grazing = gap * math.hypot(1.0 - omega**2, 2.0 * zeta * omega)
    values = {"omega": omega, "zeta": zeta, "gap": gap, "restitution": restitution}
    orbit = hybridsim.find_orbit(
        "impact_oscillator", parameters=values | {"amplitude": 0.9 * grazing}, section="period"
    )
    return hybridsim.continue_orbit(orbit, "amplitude", to=to * grazing, max_strides=max_strides), grazing, values


OSCILLATORS = [
    (2.2, 0.05, 1.0, 0.8, 1),
    (0.6, 0.1, 0.3, 0.8, -1),
    pytest.param(2.2, 0.05, 1000.0, 0.8, 1, marks=pytest.mark.exhaustive),
    pytest.param(1.5, 0.3, 1.0, 0.5, -1, marks=pytest.mark.exhaustive),
    pytest.param(3.5, 0.6, 1.0, 0.8, 1, marks=pytest.mark.exhaustive),
    pytest.param(3.1, 0.02, 1.0, 0.8, 1, marks=pytest.mark.exhaustive),
]


@pytest.mark.members(1)
@pytest.mark.parametrize(("omega", "zeta", "gap", "restitution", "side"), OSCILLATORS)
def test_the_orbit_with_an_impact_is_followed_from_the_grazing(omega, zeta, gap, restitution, side):
    branch, grazing, values = oscillator_branch(omega, zeta, gap, restitution)
    first = branch.bifurcations[0]
    assert (first.kind, first.type, first.boundary) == ("grazing", "square root", "impact")
    assert first.value == pytest.approx(grazing, rel=1e-8)
    said = "goes on beyond it, with an impact more" if side > 0 else "meet and vanish there"
    assert said in branch.notes[0]
    points, born = branch.points, np.flatnonzero(branch.points["curve"] == 1)
    near = born[:3]
    assert (np.sign(points["amplitude"][near] - grazing) == side).all()
    assert (np.abs(points["amplitude"][near] / grazing - 1.0) < 0.01).all()
    assert (np.abs(points["multiplier_0"][near]) > 3.0).all()  # near by, the slope of the root is large
    for row in born[:: max(len(born) // 5, 1)]:
        start = points["x"][row], points["v"][row]
        end, impacts = one_period(start, **values, amplitude=points["amplitude"][row])
        assert impacts == 1
        growth = max(abs(points["multiplier_0"][row]), 1.0)  # of the errors of both integrations
        np.testing.assert_allclose(end, start, atol=3e-11 * growth * gap)


@pytest.mark.exhaustive  # the other way round is in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(("omega", "zeta", "restitution"), [(2.2, 0.05, 0.8), (0.6, 0.1, 0.8)])
def test_from_the_orbit_with_an_impact_that_without_is_found(omega, zeta, restitution):
    branch, grazing, values = oscillator_branch(omega, zeta, 1.0, restitution)
    row = np.flatnonzero(branch.points["curve"] == 1)[6]
    amplitude, start = branch.points["amplitude"][row], {name: branch.points[name][row] for name in ("x", "v")}
    orbit = hybridsim.find_orbit(
        "impact_oscillator", parameters=values | {"amplitude": amplitude}, section="period", initial=start
    )
    assert ("impact",) in [event.boundaries for event in orbit.events]
    back = hybridsim.continue_orbit(orbit, "amplitude", to=0.9 * grazing, back_to=1.1 * grazing)
    grazings = [each.value for each in back.bifurcations if each.type == "square root"]
    np.testing.assert_allclose(grazings, [grazing], rtol=1e-6)
    # The steady oscillation without impacts reaches as far as gap * amplitude / grazing.
    a, b = 1.0 - omega**2, 2.0 * zeta * omega
    steady = np.column_stack([a, omega * b]) / (a * a + b * b) * back.points["amplitude"][:, None]
    found = np.column_stack([back.points["x"], back.points["v"]])
    quiet = np.abs(found - steady).max(axis=1) < 1e-8
    assert quiet.sum() > 5
    assert back.points["amplitude"][quiet].min() < 0.95 * grazing


def map_branch(lam, e=1.0, d=0.0, unit=1.0, max_strides=2, begin=-0.1, to=0.1):
    parameters = {"lam": lam, "m": begin, "e": e, "d": d, "unit": unit}
    orbit = hybridsim.find_orbit(
        NORDMARK, parameters=parameters, section="cycle", initial={"y": begin / (1.0 - lam) * unit}
    )
    return hybridsim.continue_orbit(orbit, "m", to=to, max_strides=max_strides)


@pytest.mark.members(1)
@pytest.mark.parametrize(("lam", "d", "unit"), [(0.2, 0.0, 1.0), (0.5, 0.3, 1e3), (0.8, -0.2, 1e-2), (-0.4, 0.5, 1.0)])
def test_orbits_with_one_impact_have_their_closed_forms(lam, d, unit):
    branch = map_branch(lam, d=d, unit=unit)
    assert branch.bifurcations[0].value == pytest.approx(0.0, abs=1e-9)
    points = branch.points
    single = (points["strides"] == 1) & (points["m"] > 1e-6)
    m = points["m"][single]
    s = np.sqrt(points["y"][single] / unit + d * m)
    assert len(m) > 5
    np.testing.assert_allclose((1.0 - lam) * (s * s - d * m), m - s, atol=1e-9)
    twice = points["strides"] == 2
    assert twice.any()
    for visits, m in zip(points.visits[twice, :2, 0] / unit, points["m"][twice], strict=True):
        high, low = max(visits), min(visits)
        if low + d * m < 0.0:
            assert low == pytest.approx(lam * high + m - math.sqrt(high + d * m), abs=1e-9)
            assert high == pytest.approx(lam * low + m, abs=1e-9)


def growth_exponents(lam):
    """Return Lyapunov exponents of the map at many values of m, from its orbits."""
    m = np.exp(np.linspace(math.log(1e-4), math.log(1e-2), 400))
    y, total = np.zeros_like(m), np.zeros_like(m)
    for n in range(6000):
        inside = y > 0.0
        root = np.sqrt(np.where(inside, y, 1.0))
        if n >= 2000:
            total += np.log(np.abs(lam - np.where(inside, 0.5 / root, 0.0)))
        y = lam * y + m - np.where(inside, root, 0.0)
    return total / 4000.0


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("lam", "said", "least", "most"),
    [
        (0.2, "without chaos (period adding)", 0.0, 0.0),
        (0.5, "and chaos between them", 0.05, 0.9),
        (0.8, "chaos begins right at the grazing", 0.97, 1.0),
    ],
)
def test_what_is_said_to_attract_beyond_the_grazing_does(lam, said, least, most):
    branch = map_branch(lam, max_strides=1)
    assert said in branch.notes[0]
    assert least <= np.mean(growth_exponents(lam) > 0.0) <= most


def test_nothing_is_said_to_attract_where_the_orbits_vanish():
    branch = map_branch(0.5, e=-1.0)  # y = lam y + m + sqrt(y): for m < 0 only
    assert "meet and vanish there" in branch.notes[0]
    assert not any(word in branch.notes[0] for word in ("chaos", "stable cycles"))
    other = branch.points["curve"] == 1
    s = np.sqrt(branch.points["y"][other])
    np.testing.assert_allclose(0.5 * s * s - s, branch.points["m"][other], atol=1e-9)


@pytest.mark.exhaustive  # the shortest is in the ordinary run
def test_a_longer_cycle_with_one_impact_becomes_stable_where_its_window_begins():
    # s^2 (1 - lam^2) = (1 + lam) m - lam s; the multiplier lam (lam - 1 / (2 s)) is -1 where s = lam / (2 (1 + lam^2)).
    lam = 0.2
    branch = map_branch(lam, max_strides=2)
    s = lam / (2.0 * (1.0 + lam * lam))
    flip = (s * s * (1.0 - lam * lam) + lam * s) / (1.0 + lam)
    flips = [each.value for each in branch.bifurcations if each.kind == "flip" and each.strides == 2]
    assert min(abs(value - flip) for value in flips) < 1e-9


@pytest.mark.exhaustive  # a matter of one sentence
def test_a_curve_that_ends_as_the_impact_comes_at_the_section_says_so():
    branch, grazing, _ = oscillator_branch(0.6, 0.1, 0.3, 0.8)
    born = branch.points["curve"] == 1
    end = branch.points["amplitude"][born][-1]
    assert end < grazing
    assert branch.points["x"][born][-1] == pytest.approx(0.3, abs=1e-9)  # a period begins at the wall
    assert f"curve 1 ends at amplitude = {end:.9g}: there impact happens at the section" in branch.notes[-1]


@pytest.mark.exhaustive
def test_the_kneed_walkers_gait_ends_where_its_knee_no_longer_bends():
    # Just after the heelstrike the shank must lag behind the thigh, or the knee is straight at once. The minima of the
    # foot's height, which the model records, come and go on the way and are no bifurcations.
    orbit = hybridsim.find_orbit("kneed_walker", section="heelstrike")
    branch = hybridsim.continue_orbit(orbit, "slope", to=0.06)
    (end,) = [each for each in branch.bifurcations if each.kind == "grazing"]
    assert (end.type, end.boundary) == ("jump", "kneestrike")
    names = end.orbit.model.states.names
    thigh, shank = (end.x[names.index(name)] for name in ("thetadot_th", "thetadot_sh"))
    assert shank == pytest.approx(thigh, abs=1e-6)
    assert "the curve ends: beyond it kneestrike happens at quite another time" in branch.notes[-1]
