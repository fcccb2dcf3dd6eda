"""How a run of the biped begins, what is refused then, and feet that are struck, pulled or stopped, in plain Python."""

import numpy as np
import pytest

from hybridsim.multibody import centre_of_mass, kinematics, velocity_of
from hybridsim_models.biped.body import DATA, MOTION, TREE, Build, F, Q, describe, heel1, heel2, toe1, toe2
from hybridsim_models.biped.control import records as control
from hybridsim_models.biped.control import walking
from hybridsim_models.biped.dynamics import Instant, build_of
from hybridsim_models.biped.friction import slow_speed
from hybridsim_models.biped.impacts import collide, strike
from hybridsim_models.biped.limits import GIVE_WAY
from hybridsim_models.biped.records import (
    BEGINS,
    FLAT,
    HEEL,
    HOLDS,
    MESSAGES,
    N_BOUNDARIES,
    SLIPS,
    STATES,
    TOE,
    B,
    P,
    S,
    feet_of,
)
from hybridsim_models.biped.transitions import examine, follow_slips, initial_chart, validate

from .biped_states import N, feet_in, outputs_of, parameters, random_moving


def no_torque(*arguments):
    return 0.0


def begun(changes, **values):
    """Return chart, state and message of a start without torques."""
    x, p = np.array([each.default for each in STATES], float), parameters(on_lift="warn", on_slip="warn", **values)
    for name, value in changes.items():
        x[STATES.index(name)] = value
    x_new = x.copy()
    chart = initial_chart(x_new, 0.0, x, p, no_torque, no_torque, no_torque)
    code = validate(0.0, x_new, p, chart)
    return chart, x_new, MESSAGES[code - 1].text if code else ""


@pytest.mark.parametrize(("mode", "sides"), [(0, ("right", "left")), (1, ("left", "right"))])
def test_messages_name_the_feet_as_people_do(mode, sides):
    """Foot 1 is the right one in the right mode, else the left one; a warning has the same words."""
    x, p = np.array([each.default for each in STATES], float), parameters()
    for number, side in enumerate(sides):
        for limit, what in ((B.lift1, "foot"), (B.knee1, "knee")):
            x[S.cause] = limit + number + 1
            text = MESSAGES[validate(0.0, x, p, mode) - 1].text
            assert f"the {side} {what}" in text
        x[S.cause], x[S.warned] = 0.0, float(1 << (B.lift1 + number))
        warning = MESSAGES[validate(0.0, x, p, mode) - 1]
        assert warning.severity == "warning"
        assert f"the {side} foot" in warning.text
    x[S.warned] = 0.0
    assert validate(0.0, x, p, mode) == 0


def test_a_start_in_posture_stands_where_the_parameters_say():
    chart, x, _ = begun({}, on_tip="warn", on_roll="warn")
    assert (feet_of(chart).foot1.contact, feet_of(chart).foot2.contact) == (FLAT, FLAT)
    assert x[Q.knee1] < -0.1
    again, same, _ = begun({"posed": 1.0, **dict(zip(STATES.names, x[:N].tolist(), strict=False))}, on_tip="warn")
    assert again == chart
    np.testing.assert_array_equal(same[:N], x[:N])


@pytest.mark.parametrize(
    ("changes", "values", "message"),
    [
        ({}, {"start_height": 1.2}, "the legs do not reach"),
        ({}, {"start_step": 1.9}, "the legs do not reach"),
        ({}, {"start_width": 2.5}, "the legs do not reach"),
        ({}, {"start_height": 0.3}, "cannot be folded so far"),
        ({"knee1": -0.5}, {}, "set `posed` to 1"),
        ({"posed": 1.0, "toe_z": 0.5, "knee1": -0.5, "knee2": 0.5}, {}, "not those of feet on the ground"),
        ({"posed": 1.0, "toe_z": -1e-4, "knee1": -0.5, "knee2": 0.5}, {}, "not those of feet on the ground"),
        ({"posed": 1.0, "foot1_x": 0.1, "knee1": -0.5, "knee2": 0.5}, {}, "not those of feet on the ground"),
        ({"posed": 1.0}, {}, "the right knee is straight"),
    ],
)
def test_a_start_that_cannot_be_is_refused(changes, values, message):
    assert message in begun(changes, **values)[2]


def level(t):
    return 0.0


def test_a_walk_higher_than_the_straight_body_is_refused():
    q, u, motion, data = np.zeros(N), np.zeros(N), np.zeros(MOTION), np.zeros(DATA)
    describe(data, Build(60.0, 1.6, 1.0, 0.0, 1.0))
    kinematics(motion, TREE, data, q, u)
    straight = centre_of_mass(motion, TREE, data).z  # all angles are zero
    for height, code in ((1.001 * straight, 1), (0.999 * straight, 0)):
        p = np.zeros(len(control.P))
        p[control.P.walk_height], p[control.P.descent_part] = height, 1.0
        assert walking.validate(0.0, q, p, 0, lambda t: 1.6, level, level) == code


def instant_of(moving):
    return Instant(moving.t, moving.x, moving.p, moving.chart, no_torque, no_torque)


@pytest.mark.parametrize("foot", [0, 1])
def test_a_slip_that_an_impact_makes_fast_is_under_way(foot):
    """Its direction is that of the velocity then, however it began."""
    which = (BEGINS, HOLDS) if foot == 0 else (HOLDS, BEGINS)
    none = np.zeros(N_BOUNDARIES)
    for seed in range(10):
        moving = random_moving(seed, (FLAT, FLAT), slipping=which)
        moving.x[S.slip1_x : S.slip2_y + 1] = 1.0, 0.0, 1.0, 0.0
        feet = follow_slips(instant_of(moving), feet_of(moving.chart), none)
        name = "toe_xdot" if foot == 0 else None
        slips = (feet.foot1, feet.foot2)[foot].slips
        assert slips in (SLIPS, HOLDS)
        if name and moving.x[STATES.index(name)] > slow_speed(moving.p):
            assert slips == SLIPS


def test_a_slip_below_half_the_slow_speed_ends_and_takes_no_impulse_from_the_records():
    moving = random_moving(2, (FLAT, FLAT), slipping=(SLIPS, HOLDS))
    moving.x[N : 2 * N] *= 1e-7
    moving.x[S.impulse1_z] = 3.0
    feet = follow_slips(instant_of(moving), feet_of(moving.chart), np.zeros(N_BOUNDARIES))
    assert feet.foot1.slips == HOLDS
    assert moving.x[S.impulse1_z] == 3.0
    assert moving.x[STATES.index("toe_xdot")] == pytest.approx(0.0, abs=1e-18)


def rising_speeds(moving, foot, contact):
    """Return how fast the points rise at which this foot stands [m/s]."""
    motion, data, h = np.zeros(MOTION), np.zeros(DATA), moving.p[P.stature]
    describe(data, build_of(moving.p))
    kinematics(motion, TREE, data, moving.x[:N], moving.x[N : 2 * N])
    frame, toe, heel = ((F.foot1, toe1, heel1), (F.foot2, toe2, heel2))[foot]
    return [velocity_of(motion, frame, place(h)).z for place, point in ((toe, TOE), (heel, HEEL)) if contact & point]


@pytest.mark.members(1)
@pytest.mark.parametrize("n", [12, pytest.param(45, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    ("stance", "landing", "after_without"),
    [
        ((TOE, 0), (TOE, HEEL), (0, HEEL)),
        ((FLAT, 0), (FLAT, FLAT), (0, FLAT)),
        ((HEEL, 0), (HEEL, HEEL), (0, HEEL)),
        ((0, FLAT), (TOE, FLAT), (TOE, 0)),
        ((0, HEEL), (FLAT, HEEL), (FLAT, 0)),
    ],
)
def test_a_foot_at_which_an_impact_would_pull_leaves_if_all_of_it_is_thrown_up_by_a_millimetre(
    stance, landing, after_without, n
):
    """The speeds after are those of an impact in which it never stood; otherwise, or without the policy, it is held."""
    foot, outcomes = int(stance[0] == 0), []
    before, both, without = (feet_in(0, each) for each in (stance, landing, after_without))
    for seed in range(n):
        moving = random_moving(seed, stance)
        moving.x[N : 2 * N] *= 30.0 ** (seed % 3)  # the faster the impact, the faster is what it throws up
        held, free, struck, stopped = (moving.x.copy() for _ in range(4))
        collide(held, moving.p, both)
        assert strike(stopped, moving.p, before, both) == both
        np.testing.assert_array_equal(stopped, held)
        collide(free, moving.p, without)
        p = moving.p.copy()
        p[P.on_lift] = GIVE_WAY
        feet = strike(struck, p, before, both)
        speed = min(rising_speeds(moving._replace(x=free), foot, stance[foot]))
        flies, pulls = max(speed, 0.0) ** 2 / (2.0 * p[P.g]) > 1e-3, held[(S.impulse1_z, S.impulse2_z)[foot]] < 0.0
        assert feet == (without if pulls and flies else both)
        np.testing.assert_array_equal(struck, free if pulls and flies else held)
        outcomes.append((pulls, flies))
    assert min(outcomes.count(kind) for kind in [(True, True), (True, False), (False, False)]) > 0, outcomes


@pytest.mark.parametrize(
    ("stance", "roll", "ends"), [((FLAT, 0), 0.0, False), ((TOE, 0), -0.1, True), ((0, FLAT), 0.0, True)]
)
def test_a_foot_that_stands_rolled_ends_the_run(stance, roll, ends):
    moving = random_moving(4, stance, on_lift="warn", on_slip="warn", on_roll="warn", on_tip="warn")
    moving.x[Q.foot1_x] = roll if stance[0] else moving.x[Q.foot1_x]  # foot 2 has any attitude
    examine(instant_of(moving), np.zeros(N_BOUNDARIES), True)
    cause = int(moving.x[S.cause])
    assert (cause != 0 and "on an edge" in MESSAGES[cause - 1].text) == ends


@pytest.mark.members
@pytest.mark.parametrize("stance", [(FLAT, 0), (0, FLAT), (TOE, FLAT)])
@pytest.mark.parametrize("stature", [1.2, 1.74, 1.75, 1.76, 2.1])
def test_the_margin_of_a_sole_is_that_to_its_nearest_edge(stance, stature):
    """Edges of the sole, as part of the stature: 0.0553 wide, 0.1490 long, the toe hinge at 0.73 of it."""
    length, width = stature * 0.2594 / 1.75, stature * 0.0963 / 1.75
    along_edges = 0
    for seed in range(20):
        y = outputs_of(random_moving(seed, stance, stature=stature))
        expected = []
        for foot, ahead_of in ((1, 0.73 * length), (2, 0.0)):
            fz, across = y[f"fz{foot}"], abs(y[f"tx{foot}"] / y[f"fz{foot}"]) if y[f"fz{foot}"] else 0.0
            if not stance[foot - 1]:
                continue
            margins = [0.5 * width - across]
            if stance[foot - 1] == FLAT:
                along = ahead_of - y[f"ty{foot}"] / fz
                margins += [along, length - along]
                along_edges += min(margins[1:]) < margins[0]
            expected.append(min(margins))
        assert y["sole_margin"] == pytest.approx(
            min(0.5 * width, *expected), abs=2e-4 * stature + 1e-3 * abs(min(expected))
        )
    assert along_edges > 0
