"""Feet of the biped that jam (Painleve's paradox), slips that turn back, and limits that are crossed to and fro."""

import numpy as np
import pytest

from hybridsim import Status
from hybridsim_models.biped.body import MOTION, N
from hybridsim_models.biped.contacts import FZ, N_WRENCH
from hybridsim_models.biped.dynamics import N_REACTIONS
from hybridsim_models.biped.friction import slow_speed, stick_margin
from hybridsim_models.biped.jamming import FAR_RATIO, LEAST_RATIO, jam_margin, margin_of
from hybridsim_models.biped.limits import GIVE_WAY, NO_LIMIT, WARN, find_limits, is_warned
from hybridsim_models.biped.plant import boundaries
from hybridsim_models.biped.records import (
    BEGINS,
    FLAT,
    HEEL,
    HOLDS,
    MESSAGE_OF_CAUSE,
    N_BOUNDARIES,
    N_CAUSES,
    N_LIMITS,
    SLIPS,
    TOE,
    B,
    P,
    S,
)
from hybridsim_models.biped.transitions import examine, follow_slips, settle, stick

from .biped_pushes import hard_push, random_push, run_of
from .biped_states import (
    accelerate,
    data_of,
    equations_of,
    feet_in,
    mass_and_bias,
    motion_of,
    random_moving,
    stance_name,
)
from .test_biped_slip import with_slips

SLIPPING = [
    ((FLAT, 0), (SLIPS, HOLDS)),
    ((0, FLAT), (HOLDS, SLIPS)),
    ((TOE, HEEL), (SLIPS, HOLDS)),
    ((TOE, FLAT), (HOLDS, SLIPS)),
    ((FLAT, FLAT), (SLIPS, SLIPS)),
    ((TOE, HEEL), (SLIPS, SLIPS)),
]
IDS = [f"{stance_name(stance)}-{which[0]}{which[1]}" for stance, which in SLIPPING]


def ratio_of(moving):
    """det(A M^-1 E^T) with friction over that without, by numpy; frictionless efforts are those of no friction."""
    slipping = equations_of(moving)
    smooth, forces = np.linalg.solve(slipping.mass, slipping.efforts.T), slipping.efforts.copy()
    at = 0
    for foot in range(2):
        slips = moving.chart >> (9 + 2 * foot) & 3
        stance = moving.chart >> (1 + 2 * foot) & 3
        if slips:
            # the row of a foot that holds has x and y before z: E of the slip is z less friction along the velocity
            holding = equations_of(with_slips(moving, (HOLDS, HOLDS)))
            row = (N_WRENCH - (moving.chart >> 1 & 3 != FLAT) if moving.chart >> 1 & 3 else 0) if foot else 0
            velocity = holding.rows[row : row + 2] @ moving.u
            along = velocity / np.linalg.norm(velocity)
            forces[at] = slipping.efforts[at] - moving.p[P.friction] * along @ holding.rows[row : row + 2]
        at += (3 if stance == FLAT else 2) if slips else (5 if stance == FLAT else 4 if stance else 0)
    rough = np.linalg.solve(slipping.mass, forces.T)
    return np.linalg.det(slipping.rows @ rough) / np.linalg.det(slipping.rows @ smooth)


@pytest.mark.members
@pytest.mark.parametrize("held", ["joints", "ideal"])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize(("stance", "which"), SLIPPING, ids=IDS)
def test_the_ratio_at_which_feet_jam_is_that_of_determinants(stance, which, mode, held):
    for seed, friction in ((1, 0.3), (2, 0.9)):
        moving = random_moving(seed, stance, mode, held, which, friction=friction)
        found = jam_margin(accelerate(moving)[2], moving.instant) + LEAST_RATIO
        assert found == pytest.approx(ratio_of(moving), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("rough", [-0.3, 2.0])
def test_where_the_ratio_changes_its_sign_through_infinity_the_margin_is_continuous_and_zero(rough):
    smooth = np.linspace(-1.0, 1.0, 20001)
    margins = np.array([margin_of(rough, each) for each in smooth])
    ratio = np.divide(rough, smooth, out=np.full_like(smooth, np.inf), where=smooth != 0.0)
    near = abs(ratio) <= FAR_RATIO
    np.testing.assert_array_equal(margins[near], ratio[near] - LEAST_RATIO)
    assert margin_of(rough, 0.0) == 0.0
    assert margin_of(0.0, 0.0) == margin_of(0.0, rough) == -LEAST_RATIO
    assert abs(np.diff(margins)).max() < 2.0 * FAR_RATIO**2 * 1e-4 / abs(rough)
    np.testing.assert_array_equal(np.sign(margins[~near]), np.sign(rough * smooth[~near]))


def test_a_push_on_whose_way_down_joints_cannot_hold_the_yaw_ends_with_a_name():
    """There the ratio goes through infinity."""
    run = run_of(random_push(2030))
    assert run.status is Status.LEFT_CHART, run.message


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize(("stance", "which"), SLIPPING[:4], ids=IDS[:4])
def test_friction_makes_the_pressure_larger_by_this_ratio(stance, which, mode):
    foot = 0 if which[0] else 1
    moving = random_moving(6, stance, mode, "joints", which, friction=0.5)
    p = moving.p.copy()
    p[P.friction] = 0.0
    rough, smooth = (accelerate(each)[1][N_WRENCH * foot + FZ] for each in (moving, moving._replace(p=p)))
    ratio = jam_margin(accelerate(moving)[2], moving.instant) + LEAST_RATIO
    assert rough * ratio == pytest.approx(smooth, rel=1e-9)


def jamming(which, stance=(FLAT, 0), seed=0):
    """A biped in a random motion in which the friction is so large that the ratio is negative."""
    for tried in range(seed, seed + 60):
        moving = random_moving(tried, stance, 0, "joints", which, friction=3.0)
        moving.x[S.slip1_x : S.slip2_y + 1] = 0.6, -0.8, -0.28, 0.96
        moving.x[N : 2 * N] *= 1e-3 if BEGINS in which else 1.0
        if jam_margin(accelerate(moving)[2], moving.instant) < -LEAST_RATIO:
            return moving
    raise AssertionError("none of these jams")


def limits_of(moving):
    limits, forces, motion = np.zeros(N_LIMITS), np.zeros(N_REACTIONS), np.zeros(MOTION)
    find_limits(limits, forces, motion, moving.instant)
    return limits


def test_feet_that_jam_come_to_rest_at_once_and_lose_energy():
    """An impact without a collision: impulses along the ground and across it, no step, no gain."""
    moving = jamming((SLIPS, HOLDS))
    crossed = np.zeros(N_BOUNDARIES)
    crossed[B.jam] = 1.0
    x = moving.x.copy()
    mass, _ = mass_and_bias(data_of(moving.p), moving.q, moving.u, moving.p[P.g])
    feet = follow_slips(moving._replace(x=x).instant, feet_in(0, (FLAT, 0), 1, (SLIPS, HOLDS)), crossed)
    assert feet.foot1.slips == HOLDS
    after = x[N : 2 * N]
    loss = 0.5 * moving.u @ mass @ moving.u - 0.5 * after @ mass @ after
    assert loss > 0.0
    assert x[S.impact_loss] - moving.x[S.impact_loss] == pytest.approx(loss, rel=1e-10)
    rows = equations_of(with_slips(moving, (HOLDS, HOLDS))).rows
    assert np.abs(rows @ after).max() < 1e-12 * np.abs(moving.u).max() * np.abs(rows).sum(1).max()


def test_a_foot_that_jams_as_it_begins_to_slip_leaves_or_the_run_ends_with_its_name():
    moving = jamming((BEGINS, HOLDS))
    none = np.zeros(N_BOUNDARIES)
    moving.p[P.on_lift] = GIVE_WAY
    assert examine(moving.instant, none, True) == B.lift1
    moving.p[P.on_lift] = WARN
    assert examine(moving.instant, none, True) == NO_LIMIT
    assert moving.x[S.cause] == B.jam + 1
    assert MESSAGE_OF_CAUSE[B.jam + 1] > 0


@pytest.mark.exhaustive  # slow; jamming is found by signs in the ordinary run
def test_a_foot_that_would_slip_where_friction_jams_it_has_no_pressure_without_friction():
    """So it leaves the ground, where it is not pressed: at the limit of friction, pressure = pressure without / r."""
    tried = 0
    for seed in range(60):
        moving = random_moving(seed, (FLAT, 0), 0)
        _, forces, _ = accelerate(moving)
        fx, fy, fz = forces[:3]
        if fz < 20.0:
            continue
        p, x = moving.p.copy(), moving.x.copy()
        p[P.friction] = np.hypot(fx, fy) / fz
        x[S.slip1_x], x[S.slip1_y] = -fx / np.hypot(fx, fy), -fy / np.hypot(fx, fy)
        begun = with_slips(moving._replace(x=x, p=p), (BEGINS, HOLDS))
        ratio = jam_margin(accelerate(begun)[2], begun.instant) + LEAST_RATIO
        p_smooth = p.copy()
        p_smooth[P.friction] = 0.0
        smooth = accelerate(begun._replace(p=p_smooth))[1][FZ]
        assert smooth == pytest.approx(ratio * fz, rel=1e-7, abs=1e-7 * fz)
        tried += ratio < 0.0
    assert tried > 0


@pytest.mark.parametrize(("turned", "sign"), [(0.0, 1.0), (-5e-4, 1.0), (-5e-3, -1.0)])
def test_a_slip_that_turns_back_as_it_begins_goes_through_rest(turned, sign):
    moving = random_moving(8, (FLAT, 0), 0, "joints", (BEGINS, HOLDS), friction=0.4)
    slow, x = slow_speed(moving.p), moving.x
    x[S.slip1_x], x[S.slip1_y] = 0.6, -0.8
    stick(x, moving.p, feet_in(0, (FLAT, 0)))
    x[N : N + 2] = turned * slow * 0.6, -turned * slow * 0.8
    motion = motion_of(data_of(moving.p), moving.q, moving.u)
    assert np.sign(stick_margin(motion, moving.instant, 0)) == sign


def test_a_limit_that_warns_does_so_once_until_the_next_sample():
    """A limit that is crossed to and fro makes no event more, which would look like an accumulation."""
    moving = random_moving(3, (FLAT, 0), 0)
    p = moving.p
    p[P.on_slip] = p[P.on_roll] = p[P.on_tip] = p[P.on_twist] = p[P.on_lift] = WARN
    beyond = limits_of(moving)
    limit = next(i for i in range(B.trunk) if beyond[i] < 0.0)
    crossed = np.zeros(N_BOUNDARIES)
    crossed[limit] = 1.0
    examine(moving.instant, crossed, False)
    assert is_warned(moving.x, limit)
    g = np.ones(N_BOUNDARIES)
    boundaries(g, moving.t, moving.x, p, moving.chart, moving.instant.torque, moving.instant.sole_moment)
    assert g[limit] > 0.0
    within = moving._replace(p=p.copy())
    within.p[P.friction], within.p[P.edge], within.p[P.twist_radius] = 1e3, 1e3, 1e3
    other = np.zeros(N_BOUNDARIES)
    other[(limit + 1) % B.trunk] = 1.0
    examine(within.instant, other, False)
    assert is_warned(moving.x, limit), "the crossing of another limit is no sample"
    examine(within.instant, np.zeros(N_BOUNDARIES), False)
    assert bool(is_warned(moving.x, limit)) == (limits_of(within)[limit] <= 0.0)


def test_feet_that_cannot_settle_end_the_run_with_a_name():
    moving = jamming((SLIPS, SLIPS), (FLAT, FLAT))
    x = moving.x.copy()
    moving = moving._replace(x=x)
    still = (lambda *_: 0.0,) * 3
    settle(moving.instant, feet_in(0, (FLAT, FLAT), 1, (SLIPS, SLIPS)), 0, np.zeros(N_BOUNDARIES), *still)
    assert np.isfinite(x).all()
    assert x[S.cause] in range(N_CAUSES + 1)


JAMMED = (15, 193)
"""Pushes whose runs ended at a boundary that jumps, and with a step too small, while no limit knew of jamming."""


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "seed",
    [*JAMMED, 16, 17, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(100, 140))],
)
def test_a_push_ends_in_a_walk_or_at_a_limit_that_has_a_name(seed):
    run = run_of(random_push(seed))
    assert run.status in (Status.FINAL_TIME, Status.LEFT_CHART), run.message


def test_feet_that_jam_in_a_run_come_to_rest_without_a_gain_of_energy():
    run = run_of(hard_push(2304), duration=4.5, record=True)
    assert run.status is Status.LEFT_CHART, run.message
    jam, *_ = (event for event in run.events if "jam" in event.boundaries)
    rows = np.flatnonzero(run.t == jam.t)
    assert run["slip_speed"][rows[0]] > 0.005
    assert run["slip_speed"][rows[-1]] < 1e-12
    assert run["impact_loss"][rows[-1]] > run["impact_loss"][rows[0]]
    assert np.ptp(run["energy_balance"]) < 1e-3


def test_a_limb_that_is_flung_in_the_air_ends_the_run_by_name():
    """Its ankle is bent by a right angle, where no torque about its axis holds the yaw of the foot."""
    run = run_of(hard_push(2135), duration=4.5)
    assert run.status is Status.LEFT_CHART
    assert "is flung" in run.message


def test_a_push_at_a_late_time_ends_alike():
    early, late = (run_of(random_push(JAMMED[0]), first=first) for first in (0.0, 1e6))
    assert late.status is early.status
    assert late.message.split(" (at")[0] == early.message.split(" (at")[0]
