"""Kajita's preview control of the biped's plan, against other solutions of the same task, and in walks."""

from itertools import pairwise

import numpy as np
import pytest

from hybridsim_models.biped.control.plan import (
    DOUBLE,
    PLAN_SIZE,
    SEGMENT_SIZE,
    SHIFT,
    SINGLE,
    STOPPING,
    Gait,
    Moment,
    Place,
    Print,
    before,
    write_segments,
)
from hybridsim_models.biped.control.preview import (
    AHEAD,
    JERK_WEIGHT,
    SAMPLE,
    SAMPLES,
    STATE_GAINS,
    Cart,
    jerk_of,
    preview_gains,
    roll_cart,
)

GAIT = Gait(0.4, 0.16, False, 0.6, 0.2, 0.4, 1.0, 1.0, 3.18, -0.15, 0.0, -0.1, 1.0, 0.0)


def least_squares(start, plan, sample, weight):
    """Return the best jerks over a finite time, from all responses of the cart to them, in units of w0."""
    count = len(plan)
    carts = [Cart(*start)]
    pulses = [roll_cart(Cart(0.0, 0.0, 0.0), 1.0, sample)]
    for _ in range(count):
        carts.append(roll_cart(carts[-1], 0.0, sample))
        pulses.append(roll_cart(pulses[-1], 0.0, sample))
    free = np.array([cart.x - cart.a for cart in carts[1:]])
    response = np.array([cart.x - cart.a for cart in pulses[:count]])
    matrix = np.array([np.concatenate([response[k::-1], np.zeros(count - 1 - k)]) for k in range(count)])
    system = np.vstack([matrix, np.sqrt(weight) * np.eye(count)])
    return np.linalg.lstsq(system, np.concatenate([plan - free, np.zeros(count)]), rcond=None)[0]


@pytest.mark.members(1)
@pytest.mark.parametrize(("sample", "weight"), [(0.1, 1e-2), (0.05, 1e-3), (0.2, 1.0)])
def test_the_first_jerk_is_that_of_the_best_sequence_of_jerks(sample, weight):
    """The plan rests after half of the time, as the preview supposes of what it does not see."""
    rng = np.random.default_rng(1)
    seen = 200
    plan = rng.normal(size=seen)
    start = rng.normal(size=3)
    gains, ahead = preview_gains(sample, weight, seen)
    best = least_squares(start, np.concatenate([plan, np.full(3 * seen // 2, plan[-1])]), sample, weight)
    assert ahead @ plan - gains @ start == pytest.approx(best[0], rel=1e-9)


CORNERS, VALUES = np.array([0.0, 1.0, 1.5, 3.0, 3.4, 5.0]), np.array([0.13, -0.13, 0.64, 0.1, -0.54, 0.36])
"""A plan of straight lines that rests after its last corner, in units of w0."""


def divergent(t):
    """Return the divergent component of this plan."""
    xi, pieces = VALUES[-1], list(pairwise(CORNERS))
    for start, end in reversed(pieces):
        if end > t:
            first = max(start, t)
            xi = before(np.interp(first, CORNERS, VALUES), np.interp(end, CORNERS, VALUES), xi, end - first, 1.0)
    return xi


@pytest.mark.parametrize(("weight", "sample"), [(1e-3, 0.005), (1e-4, 0.002)])
def test_where_jerk_costs_little_the_cart_has_the_plan_and_its_divergent_component(weight, sample):
    """For weights r that go to zero, p is the plan smoothed by exp(-|t| / sqrt(r)) / (2 sqrt(r)).

    So at a corner between lines whose slopes differ by D it is off by D sqrt(r) / 2, and xi by sums of D r.
    """
    gains, ahead = preview_gains(sample, weight, int(12.0 / sample))
    times = sample * np.arange(int(18.0 / sample))
    plan = np.interp(times, CORNERS, VALUES)
    cart = Cart(0.3, divergent(0.0) - 0.3, 0.3 - VALUES[0])
    off_p, off_xi = [], []
    for k in range(int(6.0 / sample)):
        cart = roll_cart(cart, ahead @ plan[k + 1 : k + 1 + len(ahead)] - gains @ cart, sample)
        off_p.append(cart.x - cart.a - plan[k + 1])
        off_xi.append(cart.x + cart.v - divergent(times[k + 1]))
    bends = np.abs(np.diff(np.diff(VALUES) / np.diff(CORNERS), append=0.0))
    assert np.max(np.abs(off_p)) == pytest.approx(0.5 * np.sqrt(weight) * bends.max(), rel=0.05)
    assert np.max(np.abs(off_xi)) < 1.1 * weight * bends.sum()


@pytest.mark.parametrize(
    ("phase", "elapsed"), [(SHIFT, 0.3), (SINGLE, 0.1), (SINGLE, 0.7), (DOUBLE, 0.05), (STOPPING, 0.4)]
)
def test_the_cart_sees_the_segments_of_the_walk_in_real_units(phase, elapsed):
    """The jerk is that of the gains, with the plan at the samples of the preview; a kilometre ahead, too."""
    for away in (0.0, 1000.0):
        moment = Moment(
            phase,
            elapsed,
            Place(away - 0.1, 0.01),
            Print(away, -0.08, 0.0),
            Print(away + 0.35, 0.09, 0.0),
            1.0,
            0 if phase == STOPPING else 2,
        )
        segments = np.zeros(PLAN_SIZE)
        count = write_segments(segments, moment, GAIT)
        rows = segments[: SEGMENT_SIZE * count].reshape(count, SEGMENT_SIZE)
        ends = np.cumsum(rows[:, 0])
        seen = SAMPLE / GAIT.rate * np.arange(1, SAMPLES + 1)
        for axis, place in ((0, away), (1, 0.0)):
            corners = np.column_stack([rows[:, 1 + axis], rows[:, 3 + axis]]).ravel()
            times = np.column_stack([ends - rows[:, 0], ends - 1e-12]).ravel()
            plan = np.interp(seen, times, corners)
            cart = Cart(place + 0.02, 0.3, -0.4)
            state = np.array([0.02, cart.v / GAIT.rate, cart.a / GAIT.rate**2])
            wanted = GAIT.rate**3 * (AHEAD @ (plan - place) - STATE_GAINS @ state)
            assert jerk_of(cart, segments, count, axis, GAIT.rate) == pytest.approx(wanted, rel=1e-7)


def test_the_gains_of_the_walk_are_those_of_its_sample_and_weight():
    gains, ahead = preview_gains(SAMPLE, JERK_WEIGHT, 2 * SAMPLES)
    np.testing.assert_allclose(STATE_GAINS, gains, rtol=1e-12)
    np.testing.assert_allclose(AHEAD[:-1], ahead[: SAMPLES - 1], rtol=0, atol=1e-12 * gains[0])
    assert AHEAD.sum() == pytest.approx(gains[0], rel=1e-12)
    assert ahead[SAMPLES:].sum() < 1e-3 * gains[0]  # what is not seen weighs little
