"""The biped on curves: what the exchange of turned feet leaves as it is, how far it turns, and what must not matter."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim.multibody import angular_momentum, momentum, rotation_of, spin_of
from hybridsim_models.biped.body import ORIGIN, TREE, F, N, U
from hybridsim_models.biped.control import records as control
from hybridsim_models.biped.control.plan import Gait, Moment, Place, Print, corner_of, foothold, next_corner, target_at
from hybridsim_models.biped.control.turning import follow_frame
from hybridsim_models.biped.impacts import exchange
from hybridsim_models.biped.records import FLAT, HEEL, TOE, S, chart_of, feet_of, foot1_of, foot2_of, slips

from .biped_states import data_of, feet_in, motion_of, outputs_of, random_moving, stance_name

RATE, STEPS, STEP_TIME = 0.3, 3, 0.8
"""Of the runs: to the left [rad/s]; steps before the last one; their time [s]."""
LAG = STEPS * 60.0 * RATE * STEP_TIME / (0.95 * 0.6) ** 3 * 0.001 / 400.0
"""How far the feet may lag behind in all [rad]: a quintic polynomial ends with the jerk 60 angle / time^3, of which
accelerations that are held for a sample of 2 ms lack 1 ms, against a stiffness of 400 1/s^2."""
BETWEEN = np.arange(0.005, 5.5, 0.01)
"""Times between samples and between rows."""
PLACES, VECTORS = ("com", "cop", "heel_left", "toe_right", "xi", "cop_goal"), ("com_v", "f{}1", "f{}2", "t{}1", "t{}2")
"""Outputs with components along x and y, by what is before them."""


def walked(initial=None, **changes):
    inputs = {name: changes.pop(name) for name in ("turn_rate", "force_x", "force_y") if name in changes}
    simulation = hybridsim.Simulation(
        "biped",
        parameters={"steps": STEPS} | changes,
        initial=initial or {},
        record=0.01,
        method="tsit5",
        rtol=1e-8,
        final_time=5.6,
    )
    simulation.inputs.update({"turn_rate": RATE} | inputs)
    return simulation.run()


@pytest.fixture(scope="module")
def walk():
    run = walked()
    assert run.status == hybridsim.Status.FINAL_TIME, run.message
    return run


def plane(run, name, at=slice(None)):
    """Return an output along x and y, (2, n)."""
    names = [name.format(axis) if "{}" in name else f"{name}{axis}" for axis in "xy"]
    return np.array([run[each if each in run.outputs.names else f"{each}_now"][at] for each in names])


def seen(moving):
    """What is there to see in the world: points, attitude, energies, momentum."""
    y, mirror = outputs_of(moving), np.array([1.0, 1.0 - 2.0 * (moving.chart & 1), 1.0])
    data = data_of(moving.p)
    motion = motion_of(data, moving.q, moving.u)
    heading = moving.x[S.heading]
    turn = np.array(
        [[math.cos(heading), -math.sin(heading), 0.0], [math.sin(heading), math.cos(heading), 0.0], [0.0, 0.0, 1.0]]
    )
    origin = np.array([moving.x[S.origin_x], moving.x[S.origin_y], 0.0])
    along = turn @ (mirror * momentum(motion, TREE, data))
    spinning = turn @ (mirror.prod() * mirror * angular_momentum(motion, TREE, data, ORIGIN)) + np.cross(origin, along)
    names = [name for name in y if name.startswith(("heel", "toe", "com", "trunk", "kinetic", "potential"))]
    angles = [name for name in y if name.startswith(("hip_", "knee_", "ankle_")) and "torque" not in name]
    return np.array([*(y[name] for name in names + angles), *along, *spinning])


def before_an_exchange(stance, mode):
    """Return a biped with a yaw of foot 2 that does not change, as foot 1 has none, somewhere in the world."""
    moving = random_moving(7, stance, mode, turned=1)
    x, data = moving.x.copy(), data_of(moving.p)
    x[S.heading], x[S.origin_x], x[S.origin_y] = 2.3, -4.0, 7.0
    x[S.slip2_x], x[S.slip2_y] = 0.6, 0.8
    for _ in range(2):  # the rate of the yaw about the foot's own axis, linear in that of ankle2_z
        motion = motion_of(data, x[:N], x[N : 2 * N])
        across = np.array(rotation_of(motion, F.foot2).y)
        axis = np.cross([across[1], -across[0], 0.0], across)
        hinge = np.zeros(N)
        hinge[U.ankle2_zdot] = 1.0
        turning = np.array(spin_of(motion_of(data, x[:N], hinge), F.foot2))
        x[N + U.ankle2_zdot] -= axis @ spin_of(motion, F.foot2) / (axis @ turning)
    return moving._replace(x=x)


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", [(TOE, FLAT), (TOE, HEEL), (FLAT, FLAT)], ids=stance_name)
def test_the_frame_turns_at_an_exchange_and_nothing_else_does(stance, mode):
    moving = before_an_exchange(stance, mode)
    x = moving.x.copy()
    exchange(x, moving.p, feet_of(moving.chart))
    after = moving._replace(x=x, chart=chart_of(feet_in(1 - mode, stance[::-1])._replace(turned=1), 0))
    expected = seen(moving)
    np.testing.assert_allclose(seen(after), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert abs(x[S.heading] - 2.3) > 0.05
    way = [[each[f"slip{foot}_x"], each[f"slip{foot}_y"]] for foot, each in ((2, named(moving.x)), (1, named(x)))]
    old, new = (in_world(pair, state, of) for pair, state, of in zip(way, (moving.x, x), (mode, 1 - mode), strict=True))
    np.testing.assert_allclose(new, old, rtol=0, atol=1e-14)


def named(x):
    return dict(zip(S._fields, x.tolist(), strict=False))


def in_world(pair, x, mode):
    """Return a pair of numbers of the own frame, as a complex number in the world."""
    return complex(pair[0], (1.0 - 2.0 * mode) * pair[1]) * np.exp(1j * x[S.heading])


def test_energy_is_accounted_for_on_a_curve_and_what_the_ground_holds_is_at_rest(walk):
    assert np.ptp(walk["energy_balance"]) < 1e-7  # J, of 700
    assert walk["impact_loss"][-1] > 0.0
    assert walk["drift_speed"].max() < 1e-9


def test_it_turns_as_far_as_it_shall_and_ends_with_feet_side_by_side(walk):
    angle = STEPS * STEP_TIME * RATE
    assert walk.events.count("heel2_down") == STEPS + 1
    assert walk["heading"][-1] == pytest.approx(angle, abs=LAG)
    assert walk["trunk_yaw"][-1] == pytest.approx(angle, abs=1e-3)
    ways = {side: plane(walk, f"toe_{side}_", -1) - plane(walk, f"heel_{side}_", -1) for side in ("left", "right")}
    for way in ways.values():
        assert math.atan2(way[1], way[0]) == pytest.approx(angle, abs=LAG)
    apart = plane(walk, "toe_left_", -1) - plane(walk, "toe_right_", -1)
    turned = apart @ [math.cos(angle), math.sin(angle)], apart @ [-math.sin(angle), math.cos(angle)]
    assert turned == pytest.approx((0.0, 0.16), abs=0.02)


def test_each_foot_stands_as_far_turned_as_the_steps_before_it(walk):
    """A flat sole keeps its heading; from foot to foot it grows by the turn of a step."""
    for side, first in (("right", 1), ("left", 2)):
        way = plane(walk, f"toe_{side}_") - plane(walk, f"heel_{side}_")
        foot = np.where(walk.chart & 1 == (side == "left"), foot1_of(walk.chart), foot2_of(walk.chart))
        flat = np.unwrap(np.arctan2(way[1], way[0]))[foot == FLAT] / (RATE * STEP_TIME)
        np.testing.assert_allclose(flat, np.round(flat), rtol=0, atol=LAG / (RATE * STEP_TIME))
        assert {0.0, float(first)} <= {*np.round(flat)}


def test_no_one_sided_condition_is_violated_on_a_curve(walk):
    foot1, foot2 = foot1_of(walk.chart), foot2_of(walk.chart)
    assert {(FLAT, FLAT), (FLAT, 0), (TOE, HEEL), (TOE, FLAT)} <= set(zip(foot1.tolist(), foot2.tolist(), strict=True))
    assert (walk["fz1"][foot1 > 0] > 5.0).all()
    assert (walk["fz2"][foot2 > 0] > 5.0).all()
    assert walk["friction_used"].max() < 0.2
    assert walk["sole_margin"].min() > 0.01
    assert not walk["warned"].any()
    assert not (slips(walk.chart, 0) | slips(walk.chart, 1)).any()


def test_soles_in_the_air_are_level_across_while_they_turn(walk):
    data = data_of(np.array([walk.parameters[name] for name in ("mass", "stature")] + [9.81, 1.0, 0.0, 1.0]))
    rolls = [
        rotation_of(motion_of(data, x[:N], x[N : 2 * N]), F.foot2).y.z
        for x, phase in zip(walk.x[::20], walk["walk_phase"][::20], strict=True)
        if phase == 2
    ]
    assert len(rolls) > 20
    assert np.abs(rolls).max() < 1e-9


def test_a_turn_to_the_right_is_the_mirror_image(walk):
    mirrored = walked(turn_rate=-RATE, start_mode="left")
    np.testing.assert_allclose(mirrored.t, walk.t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(mirrored.x[:, : 2 * N], walk.x[:, : 2 * N], rtol=0, atol=1e-9)
    assert mirrored["heading"] == pytest.approx(-walk["heading"], abs=1e-12)
    for name in ("com_x", "com_vx", "kinetic"):
        np.testing.assert_allclose(mirrored[name], walk[name], rtol=0, atol=1e-9)
    for name in ("com_y", "cop_y", "tz1", "trunk_yaw", "xi_y_now"):
        np.testing.assert_allclose(mirrored[name], -walk[name], rtol=0, atol=1e-9)
    for axis, sign in (("x", 1.0), ("y", -1.0)):
        np.testing.assert_allclose(mirrored[f"heel_left_{axis}"], sign * walk[f"heel_right_{axis}"], rtol=0, atol=1e-9)


@pytest.mark.exhaustive  # its mirror image is in the ordinary run
def test_where_and_which_way_it_begins_does_not_matter():
    """Under a steady force in the world, which turns with the biped's heading in the one of the runs."""
    heading, origin, force = 2.0, np.array([30.0, -7.0]), np.array([2.0, 1.5])
    turn = np.array([[math.cos(heading), -math.sin(heading)], [math.sin(heading), math.cos(heading)]])
    there = {"heading": heading, "origin_x": origin[0], "origin_y": origin[1]}
    walk = walked(force_x=force[0], force_y=force[1])
    along = turn @ force
    run = walked(there, force_x=along[0], force_y=along[1])
    assert run.status == hybridsim.Status.FINAL_TIME, run.message
    np.testing.assert_allclose(run.at(BETWEEN)[:, :N], walk.at(BETWEEN)[:, :N], rtol=0, atol=1e-9)
    for name in (*(f"{place}_" for place in PLACES), *VECTORS):
        shift = origin[:, None] if name[:-1] in PLACES else 0.0
        np.testing.assert_allclose(plane(run, name), turn @ plane(walk, name) + shift, rtol=0, atol=1e-6)
    np.testing.assert_allclose(run["trunk_yaw"], walk["trunk_yaw"] + heading, rtol=0, atol=1e-9)
    assert run["push_work"][-1] == pytest.approx(walk["push_work"][-1], abs=1e-9)
    assert abs(walk["push_work"][-1]) > 0.1


GAIT = Gait(0.4, 0.16, False, 0.6, 0.2, 0.4, 1.0, 1.0, 3.18, -0.15, 0.0, -0.1, 1.0, 0.3)


def test_feet_stand_beside_the_corners_of_a_polygon():
    """Sides are as long as steps; feet stand across from their corners, and point halfway between two sides."""
    corner, at, support, side = Print(0.1, 0.0, 0.0), complex(0.1, 0.0), Print(0.1, -0.08, 0.0), 1.0
    for step in range(1, 5):
        before, at = support, at + 0.4 * np.exp(0.3j * (step - 0.5))
        corner = next_corner(corner, GAIT, False)
        support = foothold(corner, support, side, GAIT)
        place = at + 1j * 0.08 * side * np.exp(0.3j * step)
        assert support == pytest.approx((place.real, place.imag, 0.3 * step), abs=1e-14)
        assert foothold(next_corner(corner, GAIT, True), support, -side, GAIT).yaw == corner.yaw
        if step == 1:
            moment = Moment(3, 0.0, Place(0.0, 0.0), before, support, side, 4)
            assert corner_of(moment) == pytest.approx(corner, abs=1e-14)
        side = -side


def test_the_plan_is_the_same_seen_from_the_frame_that_has_turned():
    """Where the feet exchange: at the end of double support, and at the beginning of the next step."""
    foot1, foot2 = Print(0.0, -0.08, 0.0), foothold(next_corner(Print(0.0, 0.0, 0.0), GAIT, False), None, 1.0, GAIT)
    moment = Moment(3, GAIT.double, Place(0.0, -0.08), foot1, foot2, 1.0, 4)
    end, corner = target_at(moment, GAIT), corner_of(moment)
    standing = Print(corner.x, 0.08, 0.0)
    landing = foothold(next_corner(Print(corner.x, 0.0, 0.0), GAIT, False), standing, -1.0, GAIT)
    start = target_at(Moment(2, 0.0, Place(corner.x - 0.15, 0.08), standing, landing, -1.0, 3), GAIT)
    for old, new in ((end.p, start.p), (end.xi, start.xi)):
        turned = complex(corner.x, corner.y) + (complex(*new) - corner.x) * np.exp(1j * corner.yaw)
        assert complex(*old) == pytest.approx(turned, abs=1e-12)


def test_what_the_controller_remembers_stays_where_it_is_in_the_world():
    x, rng = np.zeros(len(control.STATES)), np.random.default_rng(3)
    x[:] = rng.uniform(-1.0, 1.0, len(x))
    before, now = x.copy(), (2.0, 5.0, -3.0)
    follow_frame(x, *now, True)
    at = [getattr(control.S, f"{name}_seen") for name in ("heading", "origin_x", "origin_y")]
    frames = [tuple(each[at].tolist()) for each in (before, x)]
    assert frames[1] == now
    for name in ("plan_x", "cop_plan_x", "cart_x", "cart_x_rate", "cart_x_rate2", "cart_x_rate3"):
        first = getattr(control.S, name)
        place = "rate" not in name
        old, new = (
            complex(*each[first : first + 2]) * np.exp(1j * frame[0]) + place * complex(*frame[1:])
            for each, frame in zip((before, x), frames, strict=True)
        )
        assert new == pytest.approx(old, abs=1e-14)
