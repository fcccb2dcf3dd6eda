"""Impacts of the biped's feet, and the exchange of their names."""

import numpy as np
import pytest
from scipy.optimize import brentq

from hybridsim.multibody import angular_momentum, momentum, point_of, rotation_of, spin_of, velocity_of
from hybridsim_models.biped.body import ORIGIN, TREE, F, N, Q, U, heel2
from hybridsim_models.biped.contacts import TX
from hybridsim_models.biped.impacts import collide, exchange
from hybridsim_models.biped.records import FLAT, HEEL, TOE, P, S, chart_of, feet_of
from hybridsim_models.biped.transitions import EXCHANGE, obey

from .biped_states import (
    data_of,
    equations_of,
    feet_in,
    mass_and_bias,
    motion_of,
    outputs_of,
    random_moving,
    stance_name,
)

LANDINGS = [
    ((FLAT, 0), (TOE, HEEL)),
    ((TOE, 0), (TOE, HEEL)),
    ((TOE, HEEL), (TOE, FLAT)),
    ((FLAT, 0), (FLAT, FLAT)),
    ((0, 0), (0, HEEL)),
    ((0, 0), (FLAT, 0)),
]
"""Stances before and after an impact."""


def landed(before, stance, seed, mode, held="joints"):
    """Return a biped before and after an impact, with the rows of constraints of the new stance."""
    moving = random_moving(seed, before, mode, held)
    chart = chart_of(feet_in(mode, stance), 0)
    x = moving.x.copy()
    collide(x, moving.p, feet_in(mode, stance))
    return moving, moving._replace(x=x, chart=chart), equations_of(moving._replace(chart=chart)).rows


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize(
    ("before", "stance"), LANDINGS, ids=[f"{stance_name(a)}-to-{stance_name(b)}" for a, b in LANDINGS]
)
def test_an_impact_brings_to_rest_what_lands_and_loses_the_energy_of_the_change_of_speed(before, stance, mode):
    """All rows are ideal: the impulse is A^T times the reactions, whatever `held` says, so that no energy is gained."""
    ends = []
    for held in ("joints", "ideal"):
        moving, after, rows = landed(before, stance, 5, mode, held)
        mass, _ = mass_and_bias(data_of(moving.p), moving.q, moving.u, moving.p[P.g])
        change = after.u - moving.u
        assert np.abs(change).max() > 0.01
        assert np.abs(rows @ after.u).max() < 1e-13 * np.abs(moving.u).max() * np.abs(rows).sum(1).max()
        loss = 0.5 * moving.u @ mass @ moving.u - 0.5 * after.u @ mass @ after.u
        assert loss > 0.0
        assert loss == pytest.approx(0.5 * change @ mass @ change, rel=1e-11)
        assert after.x[S.impact_loss] - moving.x[S.impact_loss] == pytest.approx(loss, rel=1e-11)
        impulse = mass @ change
        multipliers = np.linalg.lstsq(rows.T, impulse, rcond=None)[0]
        np.testing.assert_allclose(rows.T @ multipliers, impulse, rtol=0, atol=1e-11 * np.abs(impulse).max())
        if held == "joints" and stance[0]:
            assert after.x[S.impulse1_z] == pytest.approx(multipliers[2], abs=1e-10 * np.abs(multipliers).max())
        ends.append(after.x)
    assert np.array_equal(*ends)


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_heel_2_is_at_rest_after_it_has_struck_the_ground(seed, mode):
    moving, after, _ = landed((TOE, 0), (TOE, HEEL), seed, mode)
    place = heel2(moving.p[P.stature])
    before, now = (velocity_of(motion_of(data_of(each.p), each.q, each.u), F.foot2, place) for each in (moving, after))
    assert np.linalg.norm(before) > 0.1
    assert np.linalg.norm(now) < 1e-14 * 100.0 * np.linalg.norm(before)


@pytest.mark.parametrize("seed", range(4))
def test_with_foot_1_released_the_angular_momentum_about_heel_2_changes_by_roll_and_yaw_moments_only(seed):
    """The ground keeps foot 2 from rolling, and what has no coordinate or shall not yaw has a moment about z."""
    moving, after, rows = landed((TOE, 0), (0, HEEL), seed, 0)
    data = data_of(moving.p)
    first, last = (motion_of(data, each.q, each.u) for each in (moving, after))
    about = point_of(first, F.foot2, heel2(moving.p[P.stature]))
    old, new = (np.array(angular_momentum(each, TREE, data, about)) for each in (first, last))
    mass, _ = mass_and_bias(data, moving.q, moving.u, moving.p[P.g])
    multipliers = np.linalg.lstsq(rows.T, mass @ (after.u - moving.u), rcond=None)[0]
    size = np.abs(old).max()
    assert new[1] == pytest.approx(old[1], abs=1e-11 * size)
    assert new[0] - old[0] == pytest.approx(multipliers[TX], abs=1e-11 * size)
    assert abs(new[2] - old[2]) > 1e-6 * size


def before_an_exchange(seed, stance, mode):
    """Return a biped whose foot 2 has no yaw, as foot 1 has none: that is when feet exchange their names."""
    moving = random_moving(seed, stance, mode)
    x, data = moving.x.copy(), data_of(moving.p)

    def yaw(angle):
        x[Q.ankle2_z] = angle
        return rotation_of(motion_of(data, x[:N], x[N : 2 * N]), F.foot2).y.x

    x[Q.ankle2_z] = brentq(yaw, -1.2, 1.2, xtol=1e-16, rtol=1e-15)
    for _ in range(2):  # the rate of the yaw about the foot's own axis, linear in that of ankle2_z
        motion = motion_of(data, x[:N], x[N : 2 * N])
        axis = np.cross((1.0, 0.0, 0.0), rotation_of(motion, F.foot2).y)
        hinge = np.zeros(N)
        hinge[U.ankle2_zdot] = 1.0
        turning = np.array(spin_of(motion_of(data, x[:N], hinge), F.foot2))
        x[N + U.ankle2_zdot] -= axis @ spin_of(motion, F.foot2) / (axis @ turning)
    return moving._replace(x=x)


def seen(moving):
    """What is there to see from the world: points, attitude, energies, mass centre, momentum."""
    y, mirror = outputs_of(moving), np.array([1.0, 1.0 - 2.0 * (moving.chart & 1), 1.0])
    data = data_of(moving.p)
    motion = motion_of(data, moving.q, moving.u)
    points = [name for name in y if name.startswith(("heel", "toe", "com", "trunk", "kinetic", "potential"))]
    angles = [name for name in y if name.startswith(("hip_", "knee_", "ankle_")) and "torque" not in name]
    about = -mirror * np.array(angular_momentum(motion, TREE, data, ORIGIN)) * mirror.prod()
    return np.array([*(y[name] for name in points + angles), *(mirror * momentum(motion, TREE, data)), *about])


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", [(TOE, FLAT), (TOE, HEEL), (FLAT, FLAT)], ids=stance_name)
def test_the_exchange_of_the_feet_changes_nothing_but_names(stance, mode):
    moving = before_an_exchange(7, stance, mode)
    x = moving.x.copy()
    exchange(x, moving.p, feet_of(moving.chart))
    exchanged = moving._replace(x=x, chart=chart_of(feet_in(1 - mode, stance[::-1]), 0))
    before, after = seen(moving), seen(exchanged)
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-12 * np.abs(before).max())
    assert np.abs(x - moving.x).max() > 0.1
    exchange(x, moving.p, feet_of(moving.chart))
    np.testing.assert_allclose(x, moving.x, rtol=0, atol=1e-13)


def test_a_hinged_foot_that_becomes_foot_1_stops_on_its_toe():
    moving = before_an_exchange(9, (TOE, HEEL), 0)
    p = moving.p.copy()
    p[P.feet] = 1.0
    x = moving.x.copy()
    feet = obey(x, p, feet_of(moving.chart), EXCHANGE)
    assert (feet.mode, feet.foot1.contact, feet.foot2.contact) == (1, TOE, 0)
    assert np.abs(x[N + U.toe_xdot : N + U.foot1_xdot + 1]).max() < 1e-13
    assert x[S.impact_loss] > moving.x[S.impact_loss]
