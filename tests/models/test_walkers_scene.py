"""How the walkers are drawn: where their states say, on a slope that stays."""

import math

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.model.poses import identity_poses
from hybridsim_models.walkers import (
    compass_gait,
    disk_feet,
    kneed_walker,
    rimless_wheel,
    simplest_walker,
    straight_legs,
)
from hybridsim_models.walkers.scene import FOOT_RADIUS

STATES = {
    rimless_wheel: (0.2, 1.0, 0.7),
    simplest_walker: (0.2, -0.3, -0.2, 0.0, 0.7),
    compass_gait: (-0.2, 0.3, 1.0, 0.0, 0.7),
    straight_legs: (-0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 0.7),
    kneed_walker: (0.1, -0.3, 0.2, *[0.0] * 8, 0.7),
}
ROUND_FEET = (straight_legs, kneed_walker)
PARAMETERS = {
    rimless_wheel: {"n": 7, "l": 0.8, "slope": 0.15},
    simplest_walker: {"slope": 0.1},
    compass_gait: {"a": 0.4, "b": 0.3, "m": 2.0, "m_H": 16.0, "slope": 0.12},
    straight_legs: {"l": 0.6, "R": 0.25, "slope": 0.12},
    kneed_walker: {"l_t": 0.4, "eps_K": 0.3, "slope": 0.12},
}


def picture(model, state=None, **values):
    """The poses of the bodies by name, the outputs by name, and the slope."""
    x = list(STATES[model] if state is None else state)
    values = PARAMETERS[model] | values
    p = [values.get(parameter.name, parameter.default) for parameter in model.PARAMETERS]
    poses, y = identity_poses(len(model.SCENE.bodies)), [0.0] * len(model.OUTPUTS)
    model.poses(poses, 0.0, x, p, 0)
    model.outputs(y, 0.0, x, p, 0)
    names = [body.name for body in model.SCENE.bodies]
    return dict(zip(names, poses, strict=True)), dict(zip(model.Y._fields, y, strict=True)), p[model.P.slope]


def along_and_above(point, slope):
    """The place of a point along the slope and above it [m]; downhill is +x."""
    return point @ [math.cos(slope), 0.0, -math.sin(slope)], point @ [math.sin(slope), 0.0, math.cos(slope)]


@pytest.mark.parametrize("model", [model for model in STATES if model not in ROUND_FEET])
def test_the_ground_is_the_slope_and_the_balls_that_stand_for_points_touch_it_from_above(model):
    bodies, _, slope = picture(model)
    p = [PARAMETERS[model].get(each.name, each.default) for each in model.PARAMETERS]
    foot = bodies["foot_0" if model is rimless_wheel else "stance_foot"][:3, 3]
    np.testing.assert_allclose(along_and_above(foot, slope), (0.7, 0.0), atol=1e-15)
    for x in (-1.0, foot[0], 2.0):
        ground = np.array([x, 0.0, model.SCENE.ground.at(np.array(x), np.array(0.0), p)])
        assert along_and_above(ground, slope)[1] == pytest.approx(-FOOT_RADIUS, abs=1e-15)


@pytest.mark.parametrize("model", [simplest_walker, compass_gait])
def test_hip_and_feet_are_where_the_outputs_say(model):
    bodies, y, slope = picture(model)
    hip, stance, swing = (
        np.array(along_and_above(bodies[name][:3, 3], slope)) for name in ("hip", "stance_foot", "swing_foot")
    )
    np.testing.assert_allclose(hip - stance, [y["hip_x"], y["hip_y"]], atol=1e-15)
    np.testing.assert_allclose(swing - stance, [y["foot_x"], y["clearance"]], atol=1e-15)
    assert stance[0] == pytest.approx(0.7, abs=1e-15)
    for leg, foot in (("stance_leg", "stance_foot"), ("swing_leg", "swing_foot")):
        np.testing.assert_allclose(bodies[leg][:3, 3], bodies[foot][:3, 3])
        np.testing.assert_allclose(bodies[leg][:3, 3] + bodies[leg][:3, 2], bodies["hip"][:3, 3])


@pytest.mark.parametrize("model", ROUND_FEET)
def test_round_feet_roll_on_the_slope_and_are_where_the_outputs_say(model):
    bodies, y, slope = picture(model)
    radius = np.linalg.norm(bodies["stance_foot"][:3, 0])
    assert radius == pytest.approx({straight_legs: 0.25, kneed_walker: 0.2}[model])
    p = [PARAMETERS[model].get(each.name, each.default) for each in model.PARAMETERS]
    x = np.array([-1.0, 2.0])
    np.testing.assert_allclose(model.SCENE.ground.at(x, x, p), -math.tan(slope) * x, atol=1e-15)
    hip, stance, swing = (
        np.array(along_and_above(bodies[name][:3, 3], slope)) for name in ("hip", "stance_foot", "swing_foot")
    )
    np.testing.assert_allclose([hip[1], stance[1], swing[1]], [y["hip_z"], radius, radius + y["clearance"]], atol=1e-15)
    assert swing[0] - stance[0] == pytest.approx(y["foot_x"], abs=1e-15)
    assert hip[0] == pytest.approx(0.7 + y["hip_x"], abs=1e-15)


@pytest.mark.parametrize("model", [model for model in STATES if model is not rimless_wheel])
def test_the_slope_stays_at_a_heelstrike(model):
    """The foot that lands is where it was, and so is the hip."""
    values = {each.name: each.default for each in model.PARAMETERS}
    run = simulate(model.MODEL, final_time=12.0, record=True)
    strikes = [event for event in run.events if "heelstrike" in event.boundaries]
    assert len(strikes) > 1
    for event in strikes:
        (before, *_), (after, *_) = (picture(model, x, **values) for x in (event.x_before, event.x_after))
        np.testing.assert_allclose(before["hip"], after["hip"], atol=1e-12)
        np.testing.assert_allclose(before["swing_foot"][:3, 3], after["stance_foot"][:3, 3], atol=1e-12)
    assert strikes[-1].x_after[model.S.walked] > 0.5


def test_the_slope_stays_where_the_wheel_lands_and_where_it_comes_to_rest():
    values = {each.name: each.default for each in rimless_wheel.PARAMETERS} | {"slope": 0.06}
    run = simulate("rimless_wheel", parameters={"slope": 0.06}, initial={"thetadot": 2.0}, final_time=8.0, record=True)
    assert {each for event in run.events for each in event.boundaries} == {"strike_forward", "strike_backward"}
    assert run.events[-1].kind == "zeno"
    for event in run.events:
        (before, *_), (after, *_) = (picture(rimless_wheel, x, **values) for x in (event.x_before, event.x_after))
        np.testing.assert_allclose(before["hub"], after["hub"], atol=1e-6 if event.kind == "zeno" else 1e-9)
        feet = [[each[f"foot_{k}"][:3, 3] for k in range(3)] for each in (before, after)]
        assert min(math.dist(feet[0][k], feet[1][0]) for k in range(3)) < 1e-6


def test_a_bent_knee_is_ahead_of_its_leg_and_a_locked_one_behind_it():
    bodies, *_ = picture(kneed_walker)
    hip = bodies["hip"][:3, 3]
    for side, is_ahead in (("stance", False), ("swing", True)):
        thigh, knee, foot = (bodies[f"{side}_{name}"] for name in ("thigh", "knee", "foot"))
        np.testing.assert_allclose(thigh[:3, 3], knee[:3, 3], atol=1e-15)  # a rod from knee to hip
        np.testing.assert_allclose(knee[:3, 3] + thigh[:3, 2], hip, atol=1e-15)
        assert math.dist(hip, knee[:3, 3]) == pytest.approx(0.4)
        assert math.dist(knee[:3, 3], foot[:3, 3]) == pytest.approx(0.46 - 0.2)
        sideways = np.cross(foot[:3, 3] - hip, knee[:3, 3] - hip)[1]  # about y, which turns what is below backwards
        assert (sideways < 0.0) == is_ahead


def test_the_spheres_of_the_compass_have_one_density_and_the_distances_of_its_masses():
    bodies, _, _ = picture(compass_gait)
    assert bodies["hip"][0, 0] / bodies["stance_mass"][0, 0] == pytest.approx(2.0)  # of 16 kg and 2 kg
    for leg in ("stance", "swing"):
        place = bodies[f"{leg}_mass"][:3, 3]
        assert math.dist(place, bodies[f"{leg}_foot"][:3, 3]) == pytest.approx(0.4)
        assert math.dist(place, bodies["hip"][:3, 3]) == pytest.approx(0.3)


@pytest.mark.parametrize(("n", "drawn"), [(7, 7), (24, 24), (40, 24)])
def test_the_spokes_of_a_wheel_are_evenly_spread_about_the_one_on_the_ground(n, drawn):
    bodies, y, slope = picture(rimless_wheel, n=n, state=(0.15 + 0.02, 1.0, 0.0))
    hub = bodies["hub"][:3, 3]
    spokes = [bodies[f"spoke_{k}"][:3, 2] for k in range(24)]
    shown = [spoke for spoke in spokes if np.linalg.norm(spoke) > 0.0]
    assert len(shown) == drawn
    np.testing.assert_allclose(np.linalg.norm(shown, axis=1), 0.8)
    angles = np.unwrap([math.atan2(spoke[0], spoke[2]) for spoke in shown])
    turns = (angles - 0.17) * n / (2 * math.pi)  # theta is measured from the vertical
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-12)
    assert len({round(turn) % n for turn in turns}) == drawn
    feet = [hub - spoke for spoke in shown]
    heights = sorted(along_and_above(foot, slope)[1] for foot in feet)
    assert heights[0] == pytest.approx(0.0, abs=1e-12)
    assert heights[1] == pytest.approx(y["clearance"])


def test_the_walker_with_disk_feet_stands_on_its_slope_wherever_it_is():
    values = {"slope": 0.12, "W": 0.2}
    p = np.array([values.get(each.name, each.default) for each in disk_feet.PARAMETERS])
    x = np.array([each.default for each in disk_feet.STATES])
    x[disk_feet.S.lean] = 0.1
    ground, names = disk_feet.SCENE.ground, [body.name for body in disk_feet.SCENE.bodies]
    feet = []
    for place in (0.0, 5.0):
        x[disk_feet.S.x], x[disk_feet.S.y] = place, 0.3 * place
        poses = identity_poses(len(names))
        disk_feet.poses(poses, 0.0, x, p, disk_feet.C.left_leg_behind)
        disk = dict(zip(names, poses, strict=True))["right_disk"]
        centre = disk[:3, 3] + 0.5 * disk[:3, 2]  # the pose is at one side of the disk, its z axis leads to the other
        feet.append(centre)
        above = (centre[2] - ground.at(centre[0], centre[1], p)) * math.cos(0.12)
        assert above == pytest.approx(0.3 * math.cos(0.1), abs=1e-12)
    np.testing.assert_allclose(feet[1] - feet[0], [5.0 * math.cos(0.12), 1.5, -5.0 * math.sin(0.12)], atol=1e-12)
