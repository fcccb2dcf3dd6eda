"""Scenes that follow from a mechanism and its contacts, without a line of code: poses by geometry, and pictures."""

import math

import numpy as np
import pytest
from contacts.linkages import chain, cradle, on_a_swing, rolling_disk
from PIL import Image

from hybridsim import simulate
from hybridsim.contacts import Circle, Disk, Patch, Plane, Sphere, contact_model
from hybridsim.model.scene import check_poses
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic, Revolute, scene_of
from hybridsim.scene import Box
from hybridsim.scene import Sphere as Ball
from hybridsim.viewer import Replay, ViewOptions
from hybridsim.viewer.export import record

G = 9.81
BLOCK = Mechanism(Body("block", Planar("block", normal="y"), mass=2.0, inertia=(0.4 / 6, 0.52 / 6, 0.2 / 6)))
CORNERS = ((-0.2, 0.0, -0.3), (0.2, 0.0, -0.3))


def block(slope=0.0, friction=0.8):
    patch = Patch("base", "block", CORNERS, friction=friction, plane=Plane(slope=slope))
    initial = {"block_x": -0.3 * math.sin(slope), "block_z": 0.3 * math.cos(slope), "block_angle": -slope}
    return contact_model("block", BLOCK, [patch], initial=initial)


def poses_of(model, t=0.1, **settings):
    replay = Replay(simulate(model, final_time=0.2, **settings), model)
    return dict(zip(model.scene.bodies.names, replay.frame(t).poses, strict=True)), replay


def shown(poses, point):
    """What a point is drawn as."""
    return [what for what in ("open", "holds", "slips") if poses[f"{point}_{what}"].any()]


def test_links_lead_from_joint_to_joint():
    rod = {"mass": 1.0, "centre": (0.0, 0.0, -0.5), "inertia": (1 / 12, 1 / 12, 0.0)}
    mechanism = Mechanism(
        Body("upper", Revolute("hip", "y"), **rod),
        Body("lower", Revolute("knee", "y", place=(0.0, 0.0, -1.0)), parent="upper", **rod),
    )
    scene, pose = scene_of(mechanism)
    q = {"hip": 0.4, "knee": 0.7}
    T = np.tile(np.eye(4), (len(scene.bodies), 1, 1))
    pose(T, 0.0, [0.4, 0.7, 0.0, 0.0], [], 0)
    found = dict(zip(scene.bodies.names, T, strict=True))
    knee = mechanism.position(q, "lower")
    pin = found["lower_joint"]
    np.testing.assert_allclose(middle_of(pin), knee, atol=1e-15)
    np.testing.assert_allclose(pin[:3, 2] / np.linalg.norm(pin[:3, 2]), (0.0, 1.0, 0.0), atol=1e-15)  # along the axis
    np.testing.assert_allclose(found["lower_link"][:3, 3], 0.5 * knee, atol=1e-15)
    np.testing.assert_allclose(found["lower_link"][:3, 2], knee, atol=1e-15)  # its length is that of its shape
    np.testing.assert_allclose(found["lower"][:3, 3], mechanism.position(q, "lower", (0.0, 0.0, -0.5)), atol=1e-15)
    assert scene.bodies["lower"].shape.size[2] == pytest.approx(1.0)  # a rod of 1 m has these moments of inertia
    assert not list(check_poses(scene, T))


def test_a_body_has_the_ellipsoid_with_its_moments_of_inertia_and_the_axes_of_its_joint():
    """Of a uniform ellipsoid with semi-axes a, b, c they are m (b^2 + c^2) / 5 and so on."""
    inertia, centre = (0.5, 0.7, 0.9, 0.05, 0.02, 0.1), (0.1, 0.2, -0.3)
    body = Body("body", Revolute("hip", "y"), mass=2.0, centre=centre, inertia=inertia)
    scene, pose = scene_of(Mechanism(body))
    T = np.tile(np.eye(4), (len(scene.bodies), 1, 1))
    pose(T, 0.0, [0.4, 0.0], [], 0)
    found = dict(zip(scene.bodies.names, T, strict=True))
    half = found["body_inertia"][:3, :3]
    second = 2.0 / 5.0 * half @ half.T
    turn = Mechanism(body).rotation({"hip": 0.4}, "body")
    np.testing.assert_allclose(np.trace(second) * np.eye(3) - second, turn @ body.inertia_matrix() @ turn.T, atol=1e-12)
    np.testing.assert_allclose(found["body_inertia"][:3, 3], turn @ centre, atol=1e-15)
    for axis, along in zip("xyz", turn.T, strict=True):
        arrow = found[f"body_{axis}_axis"]
        np.testing.assert_allclose(arrow[:3, 3], 0.0, atol=1e-15)
        np.testing.assert_allclose(arrow[:3, 2] / np.linalg.norm(arrow[:3, 2]), along, atol=1e-15)
    assert {each.kind for each in scene.bodies} == {"body", "frame", "inertia"}


@pytest.mark.exhaustive  # slow; the camera sees the end of what hangs
def test_a_camera_that_stands_still_sees_masses_wherever_they_are_in_a_run():
    """Two masses that fall freely, from places 2 m apart: each falls by half of g t^2, 5 m in 1.01 s."""
    places = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    masses = [Body(f"m{i}", Prismatic(f"z{i}", "z", place=place), mass=1.0) for i, place in enumerate(places)]
    deep = Patch("deep", "m0", [(0.0, 0.0, 0.0)], plane=Plane(z=-20.0))
    model = contact_model("masses", Mechanism(*masses), [deep])
    replay = Replay(simulate(model, final_time=1.0096, initial={"z0": 2.0}), model=model)
    camera, right = replay.scene.camera, np.cross(replay.scene.camera.view, (0.0, 0.0, 1.0))
    up = np.cross(right, camera.view)
    for t in np.linspace(0.0, replay.end, 7):
        for place in replay.frame(t).poses[:2, :3, 3]:
            ray = place - camera.eye((0.0, 0.0, 0.0))
            depth = ray @ camera.view / np.linalg.norm(camera.view)
            for across in (right, up):
                assert abs(ray @ across) / np.linalg.norm(across) < math.tan(math.radians(15)) * depth
    assert replay.frame(replay.end).poses[1, 2, 3] == pytest.approx(-0.5 * 9.81 * 1.0096**2, abs=1e-9)
    assert replay.model.scene.camera.distance < camera.distance


@pytest.mark.parametrize("n", [1, 5])
def test_the_camera_looks_at_the_middle_of_what_hangs_and_sees_its_end(n):
    scene, _ = scene_of(chain(n))
    camera = scene.camera
    np.testing.assert_allclose(camera.at, (0.0, 0.0, -0.5 * n), atol=1e-12)
    assert camera.distance * math.tan(math.radians(15)) > 0.5 * n


def test_the_camera_follows_what_moves_and_sees_its_feet_wherever_it_is():
    leg = Body("leg", Planar("leg", normal="y"), mass=1.0, centre=(0.0, 0.0, -0.2), inertia=(0.01, 0.01, 0.001))
    foot = (0.0, 0.0, -1.0)
    scene, pose = scene_of(Mechanism(leg), points=[("leg", foot)])
    T = np.tile(np.eye(4), (len(scene.bodies), 1, 1))
    pose(T, 0.0, [30.0, -4.0, 0.0, 0.0, 0.0, 0.0], [], 0)
    camera, position = scene.camera, T[scene.bodies.index(scene.camera.follow)][:3, 3]
    half_height = camera.distance * math.tan(math.radians(15))
    for z in (-4.0, -5.0):
        assert abs(z - camera.focus(position)[2]) < 0.9 * half_height
    assert camera.focus(position)[0] == pytest.approx(30.0, abs=1e-12)


def test_what_points_do_can_be_told_without_colours():
    bodies = block().scene.bodies
    shapes = {type(bodies[f"base_0_{what}"].shape) for what in ("open", "holds", "slips")}
    assert len(shapes) == 3
    assert {bodies[f"base_0_{what}"].kind for what in ("open", "holds", "slips")} == {"contact"}


def test_points_are_coloured_by_what_they_do():
    resting, _ = poses_of(block())
    assert shown(resting, "base_0") == shown(resting, "base_1") == ["holds"]
    sliding, _ = poses_of(block(slope=0.4, friction=0.2))
    assert shown(sliding, "base_0") == shown(sliding, "base_1") == ["slips"]
    flying, _ = poses_of(block(), initial={"block_z": 1.0})
    assert shown(flying, "base_0") == shown(flying, "base_1") == ["open"]
    assert not flying["base_0_force"].any()


def test_arrows_of_forces_add_up_to_the_weight_on_a_slope():
    """Their sum is vertical and as long as the scale says; they begin where the points are."""
    poses, replay = poses_of(block(slope=0.2))
    arrows = sum(poses[f"base_{i}_force"][:3, 2] for i in range(2))
    box = replay.scene.bodies["block"].shape.size
    np.testing.assert_allclose(arrows, (0.0, 0.0, 0.8 * max(box)), atol=1e-9)
    corner = BLOCK.position(replay.frame(0.1).x[:3], "block", CORNERS[0])
    np.testing.assert_allclose(poses["base_0_force"][:3, 3], corner, atol=1e-12)
    assert not list(check_poses(replay.scene, replay.frame(0.1).poses))


def test_the_ground_is_the_plane():
    model = block(slope=0.2)
    replay = Replay(simulate(model, final_time=0.1), model)
    x = np.array([-1.0, 0.0, 2.0])
    p = [10.0, 1e-6, 0.8, 0.8, 0.0, 0.0, 0.0, 0.2]
    np.testing.assert_allclose(replay.scene.ground.at(x, 0.0 * x, p), x * math.tan(0.2), rtol=1e-12)


@pytest.mark.exhaustive  # points are coloured by what they do in the ordinary run
def test_a_picture_has_green_points_that_hold_and_grey_ones_in_flight(tmp_path):
    green, model = {}, block()
    for name, height in (("down", 0.3), ("up", 1.0)):
        replay = Replay(simulate(model, initial={"block_z": height}, final_time=0.1), model)
        options = ViewOptions(size=(640, 400), at=0.05, camera="side", strips=False)
        (file,) = record([replay], tmp_path / f"{name}.png", options, None)
        with Image.open(file) as picture:
            rgb = np.asarray(picture.convert("RGB")).astype(int)[:300]
        green[name] = (rgb[..., 1] > 30 + np.maximum(rgb[..., 0], rgb[..., 2])).sum()
    assert green["down"] > 4
    assert green["up"] == 0


@pytest.mark.exhaustive  # hard points are in the ordinary run
def test_soft_points_are_coloured_too_and_their_arrows_carry_the_weight():
    """A block on a hard edge and a soft one, at rest and thrown along."""
    springs = {"stiffness": 1e4, "damping": 100.0, "tangential": {"stiffness": 1e4, "damping": 50.0}, "friction": 0.3}
    contacts = [Patch("hard", "block", CORNERS[:1], friction=0.3), Patch("soft", "block", CORNERS[1:], **springs)]
    tilt = math.atan(0.5 * 2.0 * G / 1e4 / 0.4)
    initial = {"block_z": 0.3 * math.cos(tilt) - 0.2 * math.sin(tilt), "block_angle": tilt}
    model = contact_model("on_both", BLOCK, contacts, initial=initial)
    resting, replay = poses_of(model)
    assert shown(resting, "hard_0") == shown(resting, "soft_1") == ["holds"]
    arrows = sum(resting[f"{each}_force"][:3, 2] for each in ("hard_0", "soft_1"))
    weight = 0.8 * max(replay.scene.bodies["block"].shape.size)
    np.testing.assert_allclose(arrows, (0.0, 0.0, weight), atol=0.1 * weight)
    thrown, _ = poses_of(model, initial={**initial, "block_xdot": 2.0})
    assert shown(thrown, "soft_1") == ["slips"]
    force = thrown["soft_1_force"][:3, 2]
    assert force[0] == pytest.approx(-0.3 * force[2], rel=1e-9)
    flying, _ = poses_of(model, initial={"block_z": 1.0})
    assert shown(flying, "soft_1") == ["open"]
    assert not flying["soft_1_force"].any()


def test_the_arrow_of_a_soft_ball_in_space_points_against_its_slip():
    plane = Plane(slope=0.2, heading=0.7)
    springs = {"stiffness": 1e4, "damping": 20.0, "tangential": {"stiffness": 1e4, "damping": 50.0}, "friction": 0.3}
    ball = Mechanism(Body("ball", Free("ball"), mass=1.0, inertia=(0.004, 0.004, 0.004)))
    model = contact_model("soft_ball", ball, [Sphere("rim", "ball", 0.1, plane=plane, **springs)])
    poses, _ = poses_of(model, initial={"ball_z": 0.1, "ball_xdot": 1.0, "ball_ydot": -2.0}, t=0.02)
    normal = -np.array([math.sin(0.2) * math.cos(0.7), math.sin(0.2) * math.sin(0.7), -math.cos(0.2)])
    force = poses["rim_0_force"][:3, 2]
    pressure = force @ normal
    friction = force - pressure * normal
    slip = np.array([1.0, -2.0, 0.0]) - normal * (normal @ [1.0, -2.0, 0.0])
    assert np.linalg.norm(friction) == pytest.approx(0.3 * pressure, rel=1e-9)
    assert friction @ slip == pytest.approx(-np.linalg.norm(friction) * np.linalg.norm(slip), rel=0.05)


def middle_of(pose):
    """The middle of a cylinder, which begins where its pose is."""
    return pose[:3, 3] + 0.5 * pose[:3, 2]


def test_a_disk_is_drawn_round_its_centre_and_touches_below_it():
    model = rolling_disk()
    poses, replay = poses_of(model, initial={"disk_xdot": 1.0})
    x, z = replay.frame(0.1).x[:2]
    assert shown(poses, "rim_0") == ["slips"]
    np.testing.assert_allclose(middle_of(poses["rim_0_disk"]), (x, 0.0, z), atol=1e-12)
    np.testing.assert_allclose(poses["rim_0_slips"][:3, 3], (x, 0.0, z - 0.5), atol=1e-12)
    assert model.scene.bodies["rim_0_disk"].shape.radius == 0.5
    angle = replay.frame(0.1).x[2]
    spoke = poses["rim_0_spokes"][:3, 0]  # turns with the disk
    np.testing.assert_allclose(np.abs(spoke), np.abs([np.cos(angle), 0.0, np.sin(angle)]), atol=1e-9)
    assert abs(angle) > 1e-3
    tilt = poses["rim_0_force"][0, 2] / poses["rim_0_force"][2, 2]
    assert tilt == pytest.approx(-0.2, rel=1e-9)  # the force leans back by the friction coefficient
    assert not list(check_poses(replay.scene, replay.frame(0.1).poses))


@pytest.mark.parametrize(
    ("moment", "height", "shape"),
    [(0.5, 0.0, Ball), (1.0, 0.0, Ball), (1.02, 0.0, Box), (0.5, 0.7, Ball), (0.5, 0.72, Box)],
)
def test_no_box_hides_a_disk_or_circle_that_is_as_large(moment, height, shape):
    """A disk has half of m r^2, a ring all of it: no mass within has more, about its centre (Steiner)."""
    mass, radius, place = 3.0, 0.2, (0.0, 0.0, 0.2 * height)
    inertia = np.multiply((0.5, 1.0, 0.5), moment * mass * radius**2)
    wheel = Body("wheel", Planar("wheel", normal="y"), mass=mass, inertia=inertia, centre=place)
    mechanism = Mechanism(wheel, Body("rider", Planar("rider", normal="y"), mass=1.0, inertia=(0.1, 0.1, 0.1)))
    points, tread = [(0.0, 0.0, -radius)], Circle("tread", radius=radius)
    rounds = [Disk("rim", "wheel", radius), Patch("foot", "rider", points, plane=tread, on="wheel")]
    for contact in (*rounds, Patch("edge", "wheel", points)):
        bodies = contact_model("wheel", mechanism, [contact]).scene.bodies
        assert isinstance(bodies["wheel"].shape, shape if contact in rounds else Box)
        assert isinstance(bodies["rider"].shape, Box)


def test_forces_between_bodies_follow_the_plane_that_moves():
    """A disk slips on a plank that swings: its force leans back from the plank's normal by the friction."""
    poses, replay = poses_of(on_a_swing(disk=True), initial={"rider_xdot": 3.0})
    frame = replay.frame(0.1)
    plank = poses["plank"][:3, :3]
    along, normal = (plank[:, i] / np.linalg.norm(plank[:, i]) for i in (0, 2))
    assert abs(along[2]) > 1e-3
    assert shown(poses, "rim_0") == ["slips"]
    force = poses["rim_0_force"][:3, 2]
    assert force @ along / (force @ normal) == pytest.approx(-0.6, rel=1e-9)
    np.testing.assert_allclose(poses["rim_0_slips"][:3, 3], middle_of(poses["rim_0_disk"]) - 0.2 * normal, atol=1e-12)
    assert not list(check_poses(replay.scene, frame.poses))


def test_balls_of_a_cradle_have_no_ground_and_touch_at_their_edges():
    model = cradle(3, "in_turn")
    poses, replay = poses_of(model)
    assert replay.scene.ground is None
    assert shown(poses, "touch0_0") == ["open"]
    np.testing.assert_allclose(poses["touch0_0_open"][:3, 3], (-0.45, 0.0, 0.0), atol=1e-12)


@pytest.mark.exhaustive  # disks and bodies have their shapes in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("model", [rolling_disk, lambda: on_a_swing(disk=True), lambda: cradle(3, "in_turn")])
def test_a_picture_of_a_disk_and_of_bodies_on_bodies(tmp_path, model):
    made = model()
    replay = Replay(simulate(made, final_time=0.3), made)
    options = ViewOptions(size=(640, 400), at=0.2, camera="side", strips=False)
    (file,) = record([replay], tmp_path / f"{made.name}.png", options, None)
    with Image.open(file) as picture:
        assert np.ptp(np.asarray(picture.convert("L")).astype(int)) > 100  # there is something to see
