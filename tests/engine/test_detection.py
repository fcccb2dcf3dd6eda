"""No event is missed or invented, and the first one is found: thousands of random guards, most of them near-tangent.

Each family is tried where t and x begin at 0, and where they begin at 1e6 and 1.7e9 (seconds since 1970): there, the
tests require what the spacings of t and x leave to decide.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import hybridsim
from hybridsim import Boundary, Parameter

from gallery import clock, decline

MODEL = hybridsim.load_model(str(Path(__file__).parent / "guards.py"))
GUARDS = {name: place for place, name in enumerate(MODEL.charts.names)}
EPSILON = np.finfo(float).eps


LARGE = (0.0, 1e6, 1.7e9)
BEGINNINGS = [(t, x) for t in LARGE for x in LARGE]
OTHER_BEGINNINGS = BEGINNINGS[1:]


def spacing(beginning):
    """The coarser of the spacings of t and x there."""
    return np.spacing(max(beginning))


def crossings(chart, beginning=(0.0, 0.0), **parameters):
    """How long after the beginning it crosses, within one step of 1 s of the classic method; the clock is exact."""
    t, x = beginning
    run = hybridsim.simulate(
        MODEL,
        parameters={"start_chart": GUARDS[chart], **parameters},
        initial={"x": x},
        initial_time=t,
        final_time=t + 1.0,
        method="rk4",
        first_step=1.0,
        record=False,
    )
    assert run.status is hybridsim.Status.FINAL_TIME
    return [event.t - t for event in run.events if event.kind == "crossing"]


def dips(rng, n):
    """Places and depths: half of them cross, with depths from 1e-13 to 1e-2; half stay above by as little."""
    depth = 10.0 ** rng.uniform(-13, -2, n) * rng.choice([-1.0, 1.0], n)
    return zip(rng.uniform(0.15, 0.95, n), depth, rng.uniform(0.0, 3.0, n), rng.uniform(0.0, 1.0, n), strict=True)


def falling_root(place, depth):
    """Where (x - place)^2 - depth falls through zero after x = 0, if it does."""
    first = place - np.sqrt(max(depth, 0.0))
    return first if depth > 0.0 and first > 0.0 else None


def tolerance(depth, beginning=(0.0, 0.0)):
    """A root moves by the rounding of the guard over its slope, and by that of t and x."""
    return 40.0 * EPSILON / np.sqrt(abs(depth)) + 4.0 * EPSILON + 4.0 * spacing(beginning)


def decidable(depth, beginning):
    """Return whether a dip, or what is left of one, is deeper than the rounding of a guard of slopes up to 16.

    And are the two roots, 2 sqrt(depth) apart, farther apart than eight spacings?
    """
    return abs(depth) > max(16.0 * spacing(beginning), (4.0 * spacing(beginning)) ** 2)


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize("n", [200, pytest.param(500, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("chart", ["quartic_exact", "quartic_bounded", "quartic_sampled"])
def test_near_tangent_double_roots_of_quartics_are_all_found_and_none_is_invented(chart, n):
    rng = np.random.default_rng(1)
    for place, depth, shape, centre in dips(rng, n):
        found = crossings(chart, place=place, depth=depth, shape=shape, centre=centre, scale=1.0)
        expected = falling_root(place, depth)
        assert len(found) == (expected is not None), (place, depth, shape, centre)
        if expected is not None:
            assert found[0] == pytest.approx(expected, abs=tolerance(depth))


@pytest.mark.members
@pytest.mark.parametrize("n", [40, pytest.param(150, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("beginning", OTHER_BEGINNINGS)
@pytest.mark.parametrize("chart", ["quartic_exact", "quartic_bounded", "quartic_sampled", "root"])
def test_near_tangent_double_roots_far_from_zero_are_missed_by_rounding_alone(chart, beginning, n):
    rng = np.random.default_rng(11)
    for place, depth, shape, centre in dips(rng, n):
        if not decidable(depth, beginning):
            continue
        there = {"place": beginning[1] + place, "centre": beginning[1] + centre, "shape": 0.1 + shape}
        found = crossings(chart, beginning, depth=depth, scale=1.0, **there)
        expected = falling_root(there["place"] - beginning[1], depth)
        assert len(found) == (expected is not None), (place, depth, shape, centre)
        if expected is not None:
            assert found[0] == pytest.approx(expected, abs=4.0 * tolerance(depth, beginning))


def test_a_dip_that_lasts_a_few_spacings_of_t_is_left_again():
    """It is 9e-7 s long, where t moves by 2.4e-7 s; declined, it may be seen more than once but not for ever."""
    shape = {"shape": 1.2439504834237458, "centre": 0.03695969800069676, "scale": 1.0}
    found = crossings("quartic_bounded", (1.7e9, 0.0), place=0.8229823941539095, depth=2.0097879854377302e-13, **shape)
    assert 1 <= len(found) <= 4
    assert found == pytest.approx([0.8229823941539095] * len(found), abs=4.0 * np.spacing(1.7e9))


@pytest.mark.exhaustive  # those of quartics are in the ordinary run
@pytest.mark.parametrize("n", [200, pytest.param(500, marks=pytest.mark.exhaustive)])
def test_near_tangent_double_roots_of_a_leg_length_are_all_found_and_none_is_invented(n):
    rng = np.random.default_rng(2)
    for place, depth, shape, _ in dips(rng, n):
        found = crossings("root", place=place, depth=depth, shape=0.1 + shape, scale=1.0)
        expected = falling_root(place, depth)
        assert len(found) == (expected is not None), (place, depth, shape)
        if expected is not None:
            assert found[0] == pytest.approx(expected, abs=4.0 * tolerance(depth))


class Tones:
    """A guard of two tones, and its slope."""

    def __init__(self, rng):
        self.a1, self.a2 = rng.uniform(0.2, 1.0), rng.uniform(0.05, 1.0)
        self.w1, self.w2 = rng.uniform(0.5, 4.0), rng.uniform(4.0, 9.0)
        self.f1, self.f2 = rng.uniform(0.0, 2.0 * np.pi, 2)
        self.lift = 0.0

    def __call__(self, x):
        return self.lift + self.a1 * np.cos(self.w1 * x + self.f1) + self.a2 * np.cos(self.w2 * x + self.f2)

    def extrema(self):
        """How many there are within the step."""
        x = np.linspace(0.0, 1.0, 400)
        first, second = (
            self.a1 * self.w1 * np.sin(self.w1 * x + self.f1),
            self.a2 * self.w2 * np.sin(self.w2 * x + self.f2),
        )
        return np.count_nonzero(np.diff(np.sign(first + second)))


def near_tangent_tones(rng, n, shallowest=1e-6):
    """Guards that start positive, with up to three extrema in the step and an inner minimum near zero."""
    while n > 0:
        guard = Tones(rng)
        place = lowest(guard)
        if guard.extrema() > 3 or place in (0.0, 1.0):
            continue
        guard.lift = -guard(place) - 10.0 ** rng.uniform(np.log10(shallowest), -0.5) * rng.choice([-1.0, 1.0])
        if guard(0.0) > 0.0:
            n -= 1
            yield guard


def lowest(guard):
    """The minimum over the step, to rounding, and where it is."""
    grid = np.linspace(0.0, 1.0, 401)
    place = grid[np.argmin(guard(grid))]
    bounds = (max(place - 0.005, 0.0), min(place + 0.005, 1.0))
    inner = minimize_scalar(guard, bounds=bounds, method="bounded", options={"xatol": 1e-9}).x
    return min((0.0, 1.0, float(inner)), key=guard)


def falling_roots(guard):
    """All falls through zero on a grid far finer than the guard's features."""
    grid = np.linspace(0.0, 1.0, 20001)
    values = guard(grid)
    places = np.flatnonzero((values[:-1] > 0.0) & (values[1:] <= 0.0))
    return [brentq(guard, grid[i], grid[i + 1], xtol=1e-15) for i in places]


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, pytest.param(1500, marks=pytest.mark.exhaustive)])
def test_guards_with_two_tones_and_up_to_three_extrema_in_the_step_are_decided_right(n):
    for guard in near_tangent_tones(np.random.default_rng(3), n):
        found, expected = crossings("tones", **vars(guard)), falling_roots(guard)
        assert len(found) == len(expected), vars(guard)
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-9)


@pytest.mark.members(1)
@pytest.mark.parametrize("beginning", OTHER_BEGINNINGS)
def test_guards_with_two_tones_far_from_zero_are_decided_right(beginning):
    """The phases w x + f, w < 9, are rounded twice, like x: 20 spacings; ten times that is to be decided."""
    rough = 20.0 * spacing(beginning)
    for guard in near_tangent_tones(np.random.default_rng(13), 100, max(10.0 * rough, 1e-6)):
        there = vars(guard) | {"f1": guard.f1 - guard.w1 * beginning[1], "f2": guard.f2 - guard.w2 * beginning[1]}
        found = crossings("tones", beginning, **there)
        assert len(found) == len(falling_roots(guard)), there
        np.testing.assert_allclose(guard(np.array(found)), 0.0, rtol=0.0, atol=rough)


@pytest.mark.members(1)
@pytest.mark.parametrize("beginning", OTHER_BEGINNINGS)
def test_affine_guards_far_from_zero_are_found_to_the_last_bits(beginning):
    rng = np.random.default_rng(14)
    for place in rng.uniform(0.0, 1.0, 50):
        found = crossings("affine", beginning, place=beginning[1] + place, scale=10.0 ** rng.uniform(-6, 6))
        assert found == pytest.approx([place], abs=2.0 * spacing(beginning))


def test_affine_guards_are_found_to_the_last_bits():
    rng = np.random.default_rng(4)
    for place in rng.uniform(0.0, 1.0, 200):
        found = crossings("affine", place=place, scale=10.0 ** rng.uniform(-6, 6))
        assert found == pytest.approx([place], abs=2.0 * EPSILON)


def waiting(g, t, x, p, chart):
    """Rises at `rise`, dips below zero for a moment around `place`."""
    dip = (x[0] - p[1]) * (x[0] - p[1]) - p[2]
    g[0] = (x[0] - p[0]) * dip * (1.0 + p[3] * (x[0] - p[4]) * (x[0] - p[4]))


def test_after_a_boundary_has_become_positive_the_step_is_searched_as_finely_as_before():
    # Of 3000 random ones like these, quarters of the rest of the step missed 46.
    shapes = [(0.39787331457149017, 0.430463534664959, 1.337059229037804e-05, 27.677959080456226, 0.902881155174481)]
    shapes += [(0.05120642845714359, 0.12325202763425933, 4.954605891109145e-06, 9.936365876042501, 0.6387182191618228)]

    names = ("rise", "place", "depth", "shape", "centre")
    boundary = Boundary("dip", armed="when_positive")
    model = clock(waiting, boundary, transition=decline, parameters=[Parameter(name) for name in names])
    for shape in shapes:
        parameters = dict(zip(names, shape, strict=True))
        run = hybridsim.simulate(model, parameters=parameters, final_time=1.0, method="rk4", first_step=1.0)
        falls = [event.t for event in run.events if event.kind == "crossing"]
        assert falls == pytest.approx([shape[1] - np.sqrt(shape[2])], abs=1e-9)
