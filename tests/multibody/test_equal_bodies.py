"""Two bodies with the masses that `equalize` adds have one mass, one centre of mass and one moment of inertia."""

import numpy as np
import pytest

from hybridsim import ModelError
from hybridsim.multibody import PlanarBody, equalize


def sums(body, added):
    """Mass, first and second moment about the hinge of a body with point masses."""
    points = [(body.mass, body.centre), *((each.mass, each.place) for each in added)]
    moments = [sum(mass * place**power for mass, place in points) for power in range(3)]
    return np.array(moments) + np.array([0.0, 0.0, body.inertia])


@pytest.mark.parametrize("seed", range(20))
def test_both_bodies_are_the_same_with_the_added_masses(seed):
    rng = np.random.default_rng(seed)
    bodies = [PlanarBody(rng.uniform(0.5, 2.0), rng.uniform(-0.1, 0.4), rng.uniform(0.0, 0.05)) for _ in range(2)]
    found = equalize(*bodies, distance=0.15)
    first, second = (sums(body, [each for each in found.added if each.body == i]) for i, body in enumerate(bodies))
    np.testing.assert_allclose(first, second, rtol=1e-12)
    mass, centre, inertia = found.body
    np.testing.assert_allclose(first, [mass, mass * centre, inertia + mass * centre**2], rtol=1e-12)
    assert all(each.mass > 0.0 for each in found.added)
    assert centre == pytest.approx(max(bodies).centre, rel=1e-12)  # of the heavier one


def test_equal_bodies_need_no_masses():
    body = PlanarBody(1.0, 0.2, 0.03)
    assert equalize(body, body, distance=0.1) == ((), body)


@pytest.mark.parametrize(
    ("first", "distance", "message"),
    [
        (PlanarBody(0.0, 0.2, 0.03), 0.1, "mass of the first body must be positive"),
        (PlanarBody(1.0, 0.2, -0.03), 0.1, "moment of inertia of the first body must not be negative"),
        (PlanarBody(1.0, 0.2, 0.03), 0.0, "distance of the added masses must be positive"),
        (PlanarBody(1.0, 0.3, 0.03), 0.1, "different centres of mass"),
        (PlanarBody("1", 0.3, 0.03), 0.1, "mass of the first body"),
    ],
)
def test_what_cannot_be_equalized_is_refused(first, distance, message):
    with pytest.raises(ModelError, match=message):
        equalize(first, PlanarBody(1.0, 0.2, 0.03), distance)
