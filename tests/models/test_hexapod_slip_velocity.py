"""The velocity at which a toe slips, against dense trials from rest to free sliding, for random legs."""

import itertools
import math

import numpy as np
import pytest

from hybridsim import load_model
from hybridsim.model.parameters import pack_parameters
from hybridsim_models.hexapod.legs import Leg
from hybridsim_models.hexapod.motor import Hip
from hybridsim_models.hexapod.nearest_root import find_nearest_root
from hybridsim_models.hexapod.search import find_root, scan_from_rest
from hybridsim_models.hexapod.slide import reduce_slide, torque_line_at, try_at
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


@pytest.mark.parametrize(("friction", "bend"), [("creep", 0.0), ("coulomb", 0.0), ("creep", 0.01)])
def test_a_toe_slips_at_the_velocity_nearest_to_rest(friction, bend):
    """With a torque that is no line, it may not be found, but no other is."""
    rng, n_found = np.random.default_rng(7), 0
    for _ in range(150):
        slide = random_slide(rng, friction, bend)
        nearest, found = find_nearest_root(slide)
        root, slips = first_root(slide)
        assert found == (slips and root is not None) or bend != 0.0
        if found:
            np.testing.assert_allclose([nearest.u1, nearest.u2], [root.u1, root.u2], rtol=1e-7, atol=1e-9)
            n_found += 1
    assert n_found > 50


@pytest.mark.parametrize("seed", [4336, 17233, 47936, 2574, 20194])
def test_a_pair_of_roots_between_two_trials_is_found(seed):
    """In the first three, the trials show another root, which is farther from rest; in the others, none."""
    slide = random_slide(np.random.default_rng(seed), "creep", 0.0)
    scan = scan_from_rest(slide, 0.0)
    nearest, _ = find_nearest_root(slide)
    speed = math.hypot(nearest.u1, nearest.u2)
    if scan.push > 0.0 and scan.drag > 0.0:
        shown = find_root(slide, scan.faster, scan.slower)
        assert speed < 0.5 * math.hypot(shown.u1, shown.u2)
    root, _ = first_root(slide, 1000)
    np.testing.assert_allclose([nearest.u1, nearest.u2], [root.u1, root.u2], rtol=1e-7)
