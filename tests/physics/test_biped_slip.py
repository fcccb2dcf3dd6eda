"""Feet of the biped that slip: Coulomb's law in the equations, where a slip begins and ends, and runs on ice."""

import numpy as np
import pytest

import hybridsim
from hybridsim_models.biped.body import N
from hybridsim_models.biped.contacts import FX, FZ, N_GROUND, N_WRENCH, TY, partition_of
from hybridsim_models.biped.friction import begin_slip, slow_speed
from hybridsim_models.biped.records import (
    BEGINS,
    FLAT,
    HEEL,
    HOLDS,
    SLIPS,
    TOE,
    P,
    S,
    chart_of,
    feet_of,
    push_of,
    slips,
)

from .biped_states import accelerate, equations_of, feet_in, random_moving, stance_name

SLIPPING = [
    ((FLAT, 0), (SLIPS, HOLDS)),
    ((TOE, 0), (SLIPS, HOLDS)),
    ((0, FLAT), (HOLDS, SLIPS)),
    ((TOE, HEEL), (SLIPS, HOLDS)),
    ((TOE, FLAT), (HOLDS, SLIPS)),
    ((FLAT, FLAT), (SLIPS, SLIPS)),
    ((FLAT, FLAT), (BEGINS, HOLDS)),
    ((TOE, FLAT), (HOLDS, BEGINS)),
]
"""What is on the ground, and which feet slip; the ground holds them at toe 1 and heel 2."""
IDS = [f"{stance_name(stance)}-{'and'.join(str(i + 1) for i in range(2) if which[i])}" for stance, which in SLIPPING]


def with_slips(moving, which):
    """Return the biped in the chart in which its feet slip like this."""
    feet = feet_of(moving.chart)
    standing = feet_in(feet.mode, (feet.foot1.contact, feet.foot2.contact), 1, which)
    return moving._replace(chart=chart_of(standing, push_of(moving.chart)))


@pytest.mark.members
@pytest.mark.parametrize("held", ["joints", "ideal"])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize(("stance", "which"), SLIPPING, ids=IDS)
def test_a_foot_that_slips_obeys_newton_and_coulomb(stance, which, mode, held):
    """With the reactions as applied forces at the feet, the equations hold; the rows of the same stance know where."""
    moving = random_moving(3, stance, mode, held, which, friction=0.4)
    moving.x[S.slip1_x : S.slip2_y + 1] = 0.6, -0.8, -0.28, 0.96  # where the slips began, unit vectors
    moving.x[N : 2 * N] *= 1e-3 if BEGINS in which else 1.0  # a slip that begins is slow
    refuse_other_laws(moving, stance, which)


def refuse_other_laws(moving, stance, which):
    """Compare accelerations and forces with the laws of Newton and Coulomb."""
    udot, forces, _ = accelerate(moving)
    slipping = equations_of(moving)
    assert slipping.rows @ udot == pytest.approx(-slipping.drifts, abs=1e-9 * np.abs(udot).max())
    holding = equations_of(with_slips(moving, (HOLDS, HOLDS)))
    ground = [i for foot in range(2) if stance[foot] for i in range(N_WRENCH * foot, N_WRENCH * (foot + 1))]
    ground = [i for i in ground if i % N_WRENCH != TY or stance[i // N_WRENCH] == FLAT]
    held_forces = forces[N_GROUND : N_GROUND + len(holding.efforts) - len(ground)]
    reactions = holding.efforts.T @ np.concatenate([forces[ground], held_forces])
    rest = holding.mass @ udot + holding.bias - holding.applied - reactions
    assert np.abs(rest).max() < 1e-10 * np.abs(holding.mass @ udot).max()
    for foot in np.flatnonzero(which):
        row = N_WRENCH if foot and stance[0] == FLAT else (N_WRENCH - 1 if foot and stance[0] else 0)
        velocity, force = holding.rows[row : row + 2] @ moving.u, forces[N_WRENCH * foot :]
        if which[foot] == BEGINS:
            velocity += slow_speed(moving.p) * moving.x[S.slip1_x + 2 * foot : S.slip1_x + 2 * foot + 2]
        expected = -moving.p[P.friction] * force[FZ] * velocity / np.linalg.norm(velocity)
        np.testing.assert_allclose(force[FX:FZ], expected, rtol=1e-11, atol=1e-11 * abs(force[FZ]))


def pivot_of(moving):
    """The determinant of the efforts at the speeds that are eliminated first; it is linear in friction."""
    efforts, holding = equations_of(moving).efforts, equations_of(with_slips(moving, (HOLDS, HOLDS)))
    velocity = holding.rows[N_WRENCH : N_WRENCH + 2] @ moving.u
    along = velocity / np.linalg.norm(velocity)
    efforts[N_WRENCH] -= moving.p[P.friction] * along @ holding.rows[N_WRENCH : N_WRENCH + 2]
    return np.linalg.det(efforts[:, partition_of(moving.chart).dependent])


def test_a_force_through_the_axis_of_a_hip_leaves_no_speed_undetermined():
    """There the speed of this joint, which is eliminated elsewhere, does no work with the ground's force on foot 2."""
    stance, which, tried = (FLAT, FLAT), (HOLDS, SLIPS), 0
    for seed in range(12):
        moving = random_moving(seed, stance, seed % 2, "joints", which, friction=0.0)
        smooth = pivot_of(moving)
        moving.p[P.friction] = 1.0
        moving.p[P.friction] = friction = smooth / (smooth - pivot_of(moving))
        if 0.05 < friction < 1.0:
            tried += 1
            assert abs(pivot_of(moving)) < 1e-12 * abs(smooth)
            refuse_other_laws(moving, stance, which)
    assert tried > 1


@pytest.mark.members(1)
@pytest.mark.parametrize("foot", [0, 1])
@pytest.mark.parametrize("mode", [0, 1])
def test_where_a_slip_begins_nothing_jumps(foot, mode):
    """At the limit of friction, a foot that holds and one that begins to slip move alike."""
    stance, which = ((FLAT, FLAT), (BEGINS, HOLDS) if foot == 0 else (HOLDS, BEGINS))
    tried = 0
    for seed in range(40):
        moving = random_moving(seed, stance, mode)
        udot, forces, _ = accelerate(moving)
        fx, fy, fz = forces[N_WRENCH * foot : N_WRENCH * foot + 3]
        if fz < 20.0:
            continue  # the ground would pull
        p, x = moving.p.copy(), moving.x.copy()
        p[P.friction] = np.hypot(fx, fy) / fz
        begin_slip(x, forces, foot)
        begun, _, _ = accelerate(with_slips(moving._replace(x=x, p=p), which))
        np.testing.assert_allclose(begun, udot, rtol=0, atol=1e-8 * np.abs(udot).max())
        tried += 1
    assert tried > 5


def ran(seconds=3.0, first=0.0, **changes):
    run = hybridsim.simulate(
        "biped",
        parameters={"steps": 0, "on_slip": "slip"} | changes,
        initial_time=first,
        final_time=first + seconds,
        record=0.01,
        method="tsit5",
        rtol=1e-8,
    )
    assert run.status in (hybridsim.Status.FINAL_TIME, hybridsim.Status.LEFT_CHART), run.message
    return run


def test_on_ice_the_mass_centre_has_the_momentum_of_the_push():
    run = ran(1.3, friction=0.0, push_x=60.0, push_y=-35.0)
    after = run.t > 1.1 + 1e-9
    assert after.sum() > 10
    np.testing.assert_allclose(run["com_vx"][after], 60.0 * 0.1 / 73.0, rtol=1e-9)
    np.testing.assert_allclose(run["com_vy"][after], -35.0 * 0.1 / 73.0, rtol=1e-9)
    np.testing.assert_allclose(run["com_vx"][run.t < 1.0], 0.0, atol=1e-12)
    assert run["slip_loss"][-1] == 0.0


@pytest.fixture(scope="module")
def pushed():
    return ran(friction=0.1, push_x=250.0, push_y=-60.0)


def test_a_push_makes_feet_slip_until_friction_stops_them(pushed):
    assert pushed.status == hybridsim.Status.FINAL_TIME, pushed.message
    both = [slips(pushed.chart, foot) for foot in range(2)]
    begun, over = (both[0] > 0) & (both[1] > 0), (both[0] == HOLDS) & (both[1] == HOLDS)
    assert begun.any()
    assert over[-1]
    assert over[0]
    fast = pushed["slip_speed"] > 2.0 * slow_speed({P.g: 9.81, P.stature: 1.75})
    np.testing.assert_allclose(pushed["friction_used"][fast], 0.1, rtol=1e-9)
    assert pushed["friction_used"].max() < 0.1 + 1e-9
    assert np.hypot(pushed["toe_right_x"][-1], pushed["toe_right_y"][-1] + 0.08) > 0.01


def test_a_slip_takes_the_energy_of_its_friction(pushed):
    assert np.ptp(pushed["energy_balance"]) < 1e-8
    alone = (slips(pushed.chart, 0) == SLIPS) & (slips(pushed.chart, 1) == HOLDS)
    t, power = pushed.t[alone], 0.1 * pushed["fz1"][alone] * pushed["slip_speed"][alone]
    lost = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t))
    assert lost == pytest.approx(np.ptp(pushed["slip_loss"][alone]), rel=1e-2)
    assert lost > 0.01


def test_a_slip_in_a_mirror_and_at_a_late_time_is_the_same(pushed):
    mirrored = ran(friction=0.1, push_x=250.0, push_y=60.0, start_mode="left", push_start=1e6 + 1.0, first=1e6)
    assert mirrored["slip_loss"][-1] == pytest.approx(pushed["slip_loss"][-1], rel=1e-6)
    assert mirrored["toe_left_x"][-1] == pytest.approx(pushed["toe_right_x"][-1], abs=1e-7)
    assert mirrored["toe_left_y"][-1] == pytest.approx(-pushed["toe_right_y"][-1], abs=1e-7)


@pytest.mark.members(1)
@pytest.mark.parametrize("friction", [0.09, 0.05])
def test_a_walk_on_slippery_ground_goes_on_or_ends_with_what_has_happened(friction):
    """The walk needs a coefficient of 0.11."""
    run = ran(4.0, steps=24, friction=friction, on_lift="release")
    assert run["slip_loss"][-1] > 1.0
    assert run["slip_speed"].max() > 0.1
    assert np.ptp(run["energy_balance"]) < 1e-6
