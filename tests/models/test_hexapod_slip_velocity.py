"""The velocity at which a toe slips, against dense trials from rest to free sliding, for random legs."""

import itertools
import math

import numpy as np
import pytest

from hybridsim import load_model
from hybridsim.model.parameters import pack_parameters
from hybridsim_models.hexapod.branches import N_SAMPLES, fast_slide, find_rise, slope_on, slow_slide, way_of
from hybridsim_models.hexapod.legs import Leg
from hybridsim_models.hexapod.motor import Hip, hip_torque
from hybridsim_models.hexapod.nearest_root import course_on, find_nearest_root, slope_at
from hybridsim_models.hexapod.records import P
from hybridsim_models.hexapod.search import find_root, scan_from_rest, slide_freely
from hybridsim_models.hexapod.slide import TORQUE_STEP, reduce_slide, torque_line_at, try_at
from hybridsim_models.hexapod.vectors import Vector

MODEL = load_model("hexapod")
DEFAULTS = {record.name: record.default for record in (*MODEL.parameters, *MODEL.inputs)}


def random_slide(rng, friction, bend):
    """The equations of a leg in a random posture, loaded and moved at random, on random ground."""
    p = pack_parameters(
        MODEL,
        DEFAULTS
        | {"friction": friction, "friction_coeff": 10.0 ** rng.uniform(-1.3, 0.7)}
        | {"creep_limit": 10.0 ** rng.uniform(-1.0, 1.7), "creep_damping": 10.0 ** rng.uniform(1.0, 3.5)},
    )
    theta, phi, rho = rng.normal(0.0, 0.1), rng.normal(0.0, 0.9), rng.uniform(0.12, 0.17)
    reach, demand = rho * math.cos(theta), rng.normal(0.0, 6.0)
    leg = Leg(
        0,
        Vector(0.0, 0.0, -0.15),
        Vector(*rng.normal(0.0, 0.7, 3)),
        Vector(math.sin(theta), math.cos(theta) * math.sin(phi), -math.cos(theta) * math.cos(phi)),
        Vector(math.cos(theta), -math.sin(theta) * math.sin(phi), math.sin(theta) * math.cos(phi)),
        Vector(0.0, math.cos(phi), math.sin(phi)),
        rho,
        theta,
        phi,
        reach,
        rng.normal(25.0, 15.0),
        rng.normal(0.0, 2.0),
        12.0 * 10.0 ** rng.uniform(-1.0, 0.3),
        0.12,
    )
    empty = int(rng.random() < 0.1)
    hip = Hip(0.0, p, 0, phi, empty, lambda _t, _i, _phi, rate: demand - 0.67 * rate - bend * rate * abs(rate))
    x, y = rng.normal(0.0, 0.3, 2)
    size = 1.0 / math.sqrt(1.0 + x * x + y * y)
    return reduce_slide(leg, hip, Vector(-x * size, -y * size, size))


def first_root(slide, n=100):
    """The root nearest to rest by n trials, or None; and whether the drag at rest exceeds the resistance."""
    z = 1.0 - np.linspace(0.0, 1.0, n) ** 2
    trials = [try_at(slide, torque_line_at(slide, slide.rest_rate), place) for place in z]
    for slower, faster in itertools.pairwise(trials):
        if slower.surplus > 0.0 >= faster.surplus:
            return find_root(slide, faster, slower), trials[0].surplus > 0.0
    return None, trials[0].surplus > 0.0


def slope_of(slide, z):
    """The slope of drag - resistance at z, on the line on which tau is there."""
    trial = try_at(slide, torque_line_at(slide, slide.rest_rate), z)
    return slope_at(slide, course_on(slide, trial.line), z)


@pytest.mark.parametrize(("friction", "bend"), [("creep", 0.0), ("coulomb", 0.0), ("creep", 0.01)])
def test_a_toe_slips_at_the_velocity_nearest_to_rest(friction, bend):
    """With a torque that is no line, it may not be found, but no other is."""
    rng, n_found = np.random.default_rng(7), 0
    for _ in range(150):
        slide = random_slide(rng, friction, bend)
        nearest, found, _ = find_nearest_root(slide)
        root, slips = first_root(slide)
        assert found == (slips and root is not None) or bend != 0.0
        if found:
            np.testing.assert_allclose([nearest.u1, nearest.u2], [root.u1, root.u2], rtol=1e-7, atol=1e-9)
            n_found += 1
    assert n_found > 50


@pytest.mark.parametrize("friction", ["creep", "coulomb"])
def test_a_toe_that_begins_to_slip_has_no_velocity_yet(friction):
    """Where drag and friction are in balance at rest, exactly or to within rounding on either side of it."""
    rng, n_exact, n_toes = np.random.default_rng(5), 0, 0
    while n_toes < 300:
        slide = random_slide(rng, friction, 0.0)
        rest = try_at(slide, torque_line_at(slide, slide.rest_rate), 1.0)
        p, push = slide.hip.p, slide.n0 - slide.lift * hip_torque(slide.hip, slide.rest_rate)
        if push < 0.1:
            continue
        p[P.friction_coeff] = (rest.surplus + p[P.friction_coeff] * push) / push
        p[P.friction_coeff] *= 1.0 + rng.integers(-3, 4) * 2.0**-52
        n_toes += 1
        n_exact += try_at(slide, torque_line_at(slide, slide.rest_rate), 1.0).surplus == 0.0
        trial = slow_slide(slide)
        assert math.hypot(trial.u1, trial.u2) < 1e-10
    assert n_exact > 10


@pytest.mark.parametrize("seed", [4336, 17233, 47936, 2574, 20194])
def test_a_pair_of_roots_between_two_trials_is_found(seed):
    """In the first three, the trials show another root, which is farther from rest; in the others, none."""
    slide = random_slide(np.random.default_rng(seed), "creep", 0.0)
    scan = scan_from_rest(slide, 0.0)
    nearest, _, _ = find_nearest_root(slide)
    speed = math.hypot(nearest.u1, nearest.u2)
    if scan.push > 0.0 and scan.drag > 0.0:
        shown = find_root(slide, scan.faster, scan.slower)
        assert speed < 0.5 * math.hypot(shown.u1, shown.u2)
    root, _ = first_root(slide, 1000)
    np.testing.assert_allclose([nearest.u1, nearest.u2], [root.u1, root.u2], rtol=1e-7)


def test_a_rise_of_drag_over_friction_is_located_and_the_fast_root_lies_beyond_it():
    """For random legs, against 2,000 trials: minimum and maximum of a rise, and the root beyond it."""
    rng, places, n_rises, n_fast = np.random.default_rng(3), np.linspace(1.0, 0.0, 2001), 0, 0
    for _ in range(400):
        slide = random_slide(rng, "creep", 0.0)
        line, rise = torque_line_at(slide, slide.rest_rate), find_rise(slide, slide_freely(slide), 1.0)
        low, high = rise.end, find_rise(slide, slide_freely(slide), -1.0).end
        sampled = max(-slope_of(slide, z) for z in np.linspace(1.0, 0.0, N_SAMPLES + 1))
        if max(sampled, rise.rate) <= 0.0:
            continue
        surplus = np.array([try_at(slide, line, z).surplus for z in places])
        if not surplus[0] > 0.0 > surplus[-1] or np.diff(surplus).max() <= 0.0:  # a slope at a kink of tau may be wrong
            continue
        assert rise.rate >= sampled - 1e-6 * abs(sampled)  # its place is known to PLACE_TOLERANCE
        assert low.z > high.z
        assert low.surplus < high.surplus
        for end, sign in ((low, 1.0), (high, -1.0)):
            # An extremum at a kink of tau is located within TORQUE_STEP of the hip's speed.
            around = np.abs(places - end.z) < 2e-3
            assert (sign * (surplus[around] - end.surplus) > -1e-3 * np.ptp(surplus)).all()
        n_rises += 1
        if high.surplus > 0.0 and rise.rate > 1e-3:
            fast = fast_slide(slide)
            assert abs(fast.surplus) < 1e-9
            assert not (surplus[places < fast.z] > 1e-9).any()
            n_fast += 1
    assert n_rises > 10
    assert n_fast > 5


def test_the_way_to_free_sliding_knows_on_which_line_the_torque_is():
    """Its slope is that of differences, where the torque is on one line, on two, and on a third one between these."""
    rng, step, n_lines = np.random.default_rng(5), 1e-6, set()
    for _ in range(300):
        slide = random_slide(rng, "creep", 0.0)
        way, slopes = way_of(slide, slide_freely(slide)), set()
        for z in rng.uniform(0.01, 0.99, 10):
            after, before = try_at(slide, way.rest_line, z + step), try_at(slide, way.rest_line, z - step)
            expected = (after.surplus - before.surplus) / (2.0 * step)
            rate = slide.rest_rate + slide.h1 * after.u1 + slide.h2 * after.u2
            lower, here, upper = (hip_torque(slide.hip, rate + k * TORQUE_STEP) for k in (-1, 0, 1))
            if abs(lower - 2.0 * here + upper) > 1e-9:  # at a kink of tau, its slope is not known
                continue
            assert slope_on(slide, way, z) == pytest.approx(expected, rel=1e-4)  # tau is known to TORQUE_TOLERANCE
            slopes.add(round(after.line.slope, 6))
        n_lines.add(len(slopes))
    assert {1, 2, 3} <= n_lines


def test_the_slope_of_drag_over_friction_is_that_of_differences():
    rng = np.random.default_rng(0)
    for friction in ("creep", "coulomb"):
        for _ in range(100):
            slide, z, step = random_slide(rng, friction, 0.0), rng.uniform(0.02, 0.98), 1e-6
            line = torque_line_at(slide, slide.rest_rate)
            after, before = try_at(slide, line, z + step).surplus, try_at(slide, line, z - step).surplus
            expected = (after - before) / (2.0 * step)
            assert slope_of(slide, z) == pytest.approx(expected, rel=1e-5, abs=1e-5)
