"""What the walking controller follows, its plan, and what its law promises: all in plain Python."""

import numpy as np
import pytest

from hybridsim.multibody import rotation_of, spin_row
from hybridsim_models.biped.body import TREE, F, N, Q
from hybridsim_models.biped.contacts import FX, FY, FZ, N_WRENCH, TX, TY, X, Y, Z
from hybridsim_models.biped.control import records as control
from hybridsim_models.biped.control.goal import Goal
from hybridsim_models.biped.control.goals import Sample, lift, next_foothold, swing
from hybridsim_models.biped.control.law import BodyProperties, find_torques
from hybridsim_models.biped.control.plan import (
    DOUBLE,
    HOLD,
    PLAN_SIZE,
    SEGMENT_SIZE,
    SHIFT,
    SINGLE,
    STOPPING,
    Gait,
    Moment,
    Place,
    Print,
    duration_of,
    target_at,
    write_segments,
)
from hybridsim_models.biped.control.references import Reference, follow, quintic, resting
from hybridsim_models.biped.records import FLAT, HEEL, STANCE_BITS, TOE, P, S

from .biped_states import Moving, accelerate, data_of, outputs_of, parameters, random_moving, stance_name

GAIT = Gait(0.4, 0.16, False, 0.6, 0.2, 0.4, 1.0, 1.0, 3.18, -0.15, 0.0, -0.1, 1.0, 0.0)
HEEL_OFF = GAIT._replace(heel_off=0.75)
WHERE = {HOLD: 5, SHIFT: 5, SINGLE: 4, DOUBLE: 4, STOPPING: 0}
"""Phases, with the steps that are left."""


@pytest.mark.parametrize("seed", range(5))
def test_a_quintic_meets_its_ends_and_is_a_polynomial_of_fifth_degree(seed):
    rng = np.random.default_rng(seed)
    start, end, duration = Reference(*rng.normal(size=3)), Reference(*rng.normal(size=2), 0.4), rng.uniform(0.1, 2.0)
    times = duration * np.array([0.0, 0.15, 0.35, 0.6, 0.8, 0.99])
    values = [quintic(start, end, duration, t) for t in times]
    polynomial = np.polynomial.Polynomial.fit(times, [each.value for each in values], 5, domain=[0.0, duration])
    for order, part in enumerate(("value", "rate", "rate2")):
        derivative = polynomial.deriv(order)
        size = max(1.0, *np.abs([getattr(each, part) for each in values]))
        np.testing.assert_allclose(
            derivative(times), [getattr(each, part) for each in values], rtol=0, atol=1e-9 * size
        )
        assert derivative(0.0) == pytest.approx(start[order], abs=1e-9 * size)
        assert derivative(duration) == pytest.approx(end[order], abs=1e-8 * size)
    late = quintic(start, end, duration, duration + 0.5)
    assert late == pytest.approx((end.value + 0.5 * end.rate, end.rate, 0.0))


def moment(phase, elapsed):
    feet = Print(0.0, -0.08, 0.0), Print(0.35, 0.09, 0.0)
    return Moment(phase, elapsed, Place(-0.1, 0.01), *feet, 1.0, WHERE[phase])


@pytest.mark.parametrize("gait", [GAIT, HEEL_OFF])
@pytest.mark.parametrize("phase", WHERE)
def test_the_divergent_component_of_a_plan_runs_away_from_its_centre_of_pressure(phase, gait):
    """xi' = w0 (xi - p) within each phase."""
    step, duration = 1e-4, duration_of(phase, gait)
    for elapsed in np.linspace(0.05, 0.95, 7) * duration:
        before, now, after = (target_at(moment(phase, elapsed + h), gait) for h in (-step, 0.0, step))
        for axis in range(2):
            rate = (after.xi[axis] - before.xi[axis]) / (2.0 * step)
            assert rate == pytest.approx(gait.rate * (now.xi[axis] - now.p[axis]), abs=1e-6)


@pytest.mark.parametrize("gait", [GAIT, HEEL_OFF])
@pytest.mark.parametrize(("phase", "following"), [(HOLD, SHIFT), (SINGLE, DOUBLE)])
def test_plans_of_phases_that_follow_each_other_meet(phase, following, gait):
    """A plan that is made anew where a phase begins is that of the phase before, if the feet are where it had them."""
    at_end = target_at(moment(phase, duration_of(phase, gait) - 1e-12), gait)
    begun = moment(following, 0.0)._replace(start=at_end.p, steps=WHERE[phase])
    anew = target_at(begun, gait)
    np.testing.assert_allclose([*anew.xi, *anew.p], [*at_end.xi, *at_end.p], rtol=0, atol=1e-10)


def test_where_the_heel_rises_the_plan_is_at_the_toe_and_stays_there():
    """And from step to step it is the same, of a step that stands on foot 1 as of one to come."""
    last = HEEL_OFF.heel_off * HEEL_OFF.single
    for elapsed in (last, last + 0.5 * (HEEL_OFF.single - last), HEEL_OFF.single):
        assert target_at(moment(SINGLE, elapsed), HEEL_OFF).p == Place(HEEL_OFF.last, -0.08)
    assert target_at(moment(SINGLE, 0.9 * last), HEEL_OFF).p.x < HEEL_OFF.last
    closing = moment(SINGLE, last)._replace(steps=0)
    assert target_at(closing, HEEL_OFF) == target_at(closing, GAIT)  # the last step lands flat
    segments, here = np.zeros(PLAN_SIZE), moment(DOUBLE, HEEL_OFF.double)
    count = write_segments(segments, here, HEEL_OFF)
    rows = segments[: SEGMENT_SIZE * count].reshape(count, SEGMENT_SIZE)
    single, rising, double = rows[1:4]
    assert (single[0], rising[0], double[0]) == pytest.approx((last, HEEL_OFF.single - last, HEEL_OFF.double))
    np.testing.assert_allclose(single[1:], [0.2, 0.09, 0.35, 0.09], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rising[1:], [0.35, 0.09, 0.35, 0.09], rtol=0, atol=1e-12)
    assert rows[:, 0].sum() == pytest.approx(4 * (HEEL_OFF.single + HEEL_OFF.double) - HEEL_OFF.double + HEEL_OFF.stop)


def test_before_a_stop_the_plan_has_steps_that_are_shorter_and_shorter():
    """Of the three steps to begin after this double support, with two that slow down: 2/3, 1/3, and none."""
    slowing, segments, here = GAIT._replace(slowing=2.0), np.zeros(PLAN_SIZE), moment(DOUBLE, 0.0)._replace(steps=3)
    count = write_segments(segments, here, slowing)
    rows = segments[: SEGMENT_SIZE * count].reshape(count, SEGMENT_SIZE)
    begins = rows[1::3, 1] - slowing.first  # single supports, of which each has two segments, and then a double one
    np.testing.assert_allclose(begins, 0.35 + 0.4 * np.array([0.0, 2.0 / 3.0, 1.0]), rtol=0, atol=1e-12)
    assert rows[-1, 3] == pytest.approx(0.75 + slowing.rest)  # it rests between feet that are beside each other
    assert next_foothold(here.foot1, 1.0, slowing, 1).x == pytest.approx(0.4 / 3.0)
    assert next_foothold(here.foot1, 1.0, slowing, 3).x == next_foothold(here.foot1, 1.0, GAIT, 1).x == 0.4


SWINGS = {"swing_part": 0.8, "landing_forward": 0.5, "apex_part": 0.3, "descent_part": 0.7, "landing_speed": 0.1}


def test_an_ankle_swings_as_its_parameters_say():
    """It is highest at its part of single support, sinks steadily at the end, and is over its foothold then."""
    x, p = np.zeros(len(control.STATES)), np.zeros(max(control.P) + 1)
    for name, value in {**SWINGS, "clearance": 0.12, "single_time": 0.6, "leaving_pitch": 0.5}.items():
        p[getattr(control.P, name)] = value
    x[control.S.ankle_x_start], x[control.S.ankle_z_start], x[control.S.pitch2_start] = -0.3, 0.15, 0.5
    body = BodyProperties(FLAT << 1, 73.0, 9.81, 1.75, 0.0, 0.0, 0.0)

    def at(elapsed):
        sample = Sample(elapsed, p, body, False, GAIT, None, None)
        end = Reference(0.2 - 0.5 * 0.2 * 0.6, 0.5, 0.0)
        return swing(x, sample, 0, end), lift(x, sample, 0.09, elapsed)

    ahead, height = zip(*map(at, np.linspace(0.0, 0.6, 601)), strict=True)
    assert ahead[0].value == -0.3
    assert [ahead[i].value for i in (480, 600)] == pytest.approx([0.2 - 0.06, 0.2])
    assert ahead[600].rate == 0.5
    heights = np.array([each.value for each in height])
    assert np.argmax(heights) == 180
    assert heights[180] == pytest.approx(0.039 * 1.75 + 0.12)
    x[control.S.pitch2_start] = 0.0  # it leaves flat, as in the first step
    assert at(0.45 * 0.6)[1].value == pytest.approx(0.039 * 1.75 + 0.12)
    assert at(0.3 * 0.6)[1].value < 0.185  # later
    np.testing.assert_allclose(heights[421:], 0.09 + 0.1 * (0.6 - np.linspace(0.0, 0.6, 601)[421:]), rtol=0, atol=1e-12)


LAW_STANCES = [(FLAT, 0), (TOE, 0), (TOE, HEEL), (TOE, FLAT), (FLAT, FLAT)]


def commanded(seed, stance, turned):
    """Return a biped with the torques that the law finds for some goal, and the goal."""
    moving = random_moving(seed, stance, turned=turned, g=9.81)
    p = parameters()
    p[P.mass], p[P.stature] = moving.p[P.mass], moving.p[P.stature]
    x, torques = moving.x.copy(), np.zeros(14)
    x[N : 2 * N] *= 0.2
    here = outputs_of(moving._replace(x=x, p=p))
    goal = Goal(
        cop_x=here["com_x"] + 0.02,
        cop_y=here["com_y"] - 0.01,
        share=0.3,
        flat1=stance[0] == FLAT,
        flat2=stance[1] == FLAT,
        toe_ahead=0.19,
        height=Reference(here["com_z"] + 0.004, 0.01, 0.5),
        centre_z=here["com_z"],
        pitch1=resting(x[Q.foot1_y] + 0.05),
        pitch2=resting(0.1),
        ankle_x=resting(0.1),
        ankle_y=resting(0.2),
        ankle_z=resting(0.1),
        trunk_turn=x[S.trunk_turn],
        foot2_turn=x[S.foot2_turn],
    )
    stance = moving.chart & STANCE_BITS
    body = BodyProperties(stance, p[P.mass], p[P.g], p[P.stature], 0.0, 0.0, 0.0)
    find_torques(torques, x[:N], x[N : 2 * N], data_of(p), body, goal, False)
    p[P.push_x : P.push_z + 1] = 0.0
    return Moving(0.0, x, p, stance, torques[:12], torques[12:]), goal, here


def moments_about_own_axes(along_x_and_y, motion, turned):
    """Return the moments of foot 2 along and across it."""
    across = np.array(rotation_of(motion, F.foot2).y[:2]) if turned else np.array([0.0, 1.0])
    across /= np.linalg.norm(across)
    return np.array([[across[1], -across[0]], across]) @ along_x_and_y


@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("stance", LAW_STANCES, ids=stance_name)
def test_at_the_instant_of_a_sample_the_plant_does_what_the_law_wants(stance, turned):
    """Of the plant: centre of pressure, height, trunk, pitch of hinges, and how the feet share the load."""
    moving, goal, before = commanded(2, stance, turned)
    udot, forces, motion = accelerate(moving)
    y = outputs_of(moving)
    size = moving.p[P.mass] * moving.p[P.g]
    assert y["cop_x"] == pytest.approx(goal.cop_x, abs=1e-9)
    assert y["cop_y"] == pytest.approx(goal.cop_y, abs=1e-9)
    height = follow(goal.height, before["com_z"], before["com_vz"], 150.0, 24.0)
    assert (y["fz1"] + y["fz2"]) == pytest.approx(moving.p[P.mass] * (moving.p[P.g] + height), rel=1e-9)

    def rate_and_acceleration(frame, axis):
        row = np.zeros(N + 1)
        spin_row(row, motion, TREE, 0, frame, axis)
        return row[:N] @ moving.u, row[:N] @ udot + row[N]

    for axis, angle in ((X, y["trunk_roll"]), (Y, y["trunk_pitch"])):
        rate, turning = rate_and_acceleration(F.hat, axis)
        assert turning == pytest.approx(follow(resting(0.0), angle, rate, 200.0, 28.0), abs=1e-7)
    for frame, wanted in ((F.hat, goal.trunk_turn), (F.foot2, goal.foot2_turn)):
        assert rate_and_acceleration(frame, Z)[1] == pytest.approx(wanted, abs=1e-9)
    if stance[0] == TOE:
        wanted = follow(goal.pitch1, moving.q[Q.foot1_y], moving.u[Q.foot1_y], 400.0, 40.0)
        assert udot[Q.foot1_y] == pytest.approx(wanted, rel=1e-8)
    if stance[1]:
        one, two = forces[:N_WRENCH], forces[N_WRENCH : 2 * N_WRENCH].copy()
        two[TX:] = moments_about_own_axes(two[TX:], motion, turned)
        for kind in (FX, FY, TX):
            assert (1.0 - goal.share) * two[kind] == pytest.approx(goal.share * one[kind], abs=1e-9 * size)
        if FLAT in stance:
            assert (1.0 - goal.share) * two[FZ] == pytest.approx(goal.share * one[FZ], abs=1e-9 * size)
        if stance[0] != FLAT:
            assert one[TY] == pytest.approx(0.0, abs=1e-9 * size)
        if stance[1] != FLAT and stance[0] != FLAT:
            assert two[TY] == pytest.approx(0.0, abs=1e-9 * size)
