"""None missed, none invented, the first and not a later one: thousands of random guards, most of them near-tangent."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import hybridsim

MODEL = hybridsim.load_model(str(Path(__file__).parent / "guards.py"))
GUARDS = {name: place for place, name in enumerate(MODEL.charts.names)}
EPSILON = np.finfo(float).eps


def crossings(chart, **parameters):
    """Crossing times within [0, 1], found in one step of the classic method; the clock itself is exact."""
    run = hybridsim.simulate(
        MODEL,
        parameters={"start_chart": GUARDS[chart], **parameters},
        initial={"x": 0.0},
        final_time=1.0,
        method="rk4",
        first_step=1.0,
        record=False,
    )
    assert run.status is hybridsim.Status.FINAL_TIME
    return [event.t for event in run.events if event.kind == "crossing"]


def dips(rng, n):
    """Places and depths: half of them cross, with depths from 1e-13 to 1e-2; half stay above by as little."""
    depth = 10.0 ** rng.uniform(-13, -2, n) * rng.choice([-1.0, 1.0], n)
    return zip(rng.uniform(0.15, 0.95, n), depth, rng.uniform(0.0, 3.0, n), rng.uniform(0.0, 1.0, n), strict=True)


def falling_root(place, depth):
    """Where (x - place)^2 - depth falls through zero after x = 0, if it does."""
    first = place - np.sqrt(max(depth, 0.0))
    return first if depth > 0.0 and first > 0.0 else None


def tolerance(depth):
    """A root moves by the rounding of the guard over its slope."""
    return 40.0 * EPSILON / np.sqrt(abs(depth)) + 4.0 * EPSILON


@pytest.mark.parametrize("chart", ["quartic_exact", "quartic_bounded", "quartic_sampled"])
def test_near_tangent_double_roots_of_quartics_are_all_found_and_none_is_invented(chart):
    rng = np.random.default_rng(1)
    for place, depth, shape, centre in dips(rng, 500):
        found = crossings(chart, place=place, depth=depth, shape=shape, centre=centre, scale=1.0)
        expected = falling_root(place, depth)
        assert len(found) == (expected is not None), (place, depth, shape, centre)
        if expected is not None:
            assert found[0] == pytest.approx(expected, abs=tolerance(depth))


def test_near_tangent_double_roots_of_a_leg_length_are_all_found_and_none_is_invented():
    rng = np.random.default_rng(2)
    for place, depth, shape, _ in dips(rng, 500):
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


def near_tangent_tones(rng, n):
    """Guards that start positive, with up to three extrema in the step and an inner minimum near zero."""
    while n > 0:
        guard = Tones(rng)
        place = lowest(guard)
        if guard.extrema() > 3 or place in (0.0, 1.0):
            continue
        guard.lift = -guard(place) - 10.0 ** rng.uniform(-6, -0.5) * rng.choice([-1.0, 1.0])
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


def test_guards_with_two_tones_and_up_to_three_extrema_in_the_step_are_decided_right():
    for guard in near_tangent_tones(np.random.default_rng(3), 1500):
        found, expected = crossings("tones", **vars(guard)), falling_roots(guard)
        assert len(found) == len(expected), vars(guard)
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-9)


def test_affine_guards_are_found_to_the_last_bits():
    rng = np.random.default_rng(4)
    for place in rng.uniform(0.0, 1.0, 200):
        found = crossings("affine", place=place, scale=10.0 ** rng.uniform(-6, 6))
        assert found == pytest.approx([place], abs=2.0 * EPSILON)
