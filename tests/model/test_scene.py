"""Scenes: shapes that make sense, bodies in their places, cameras, and the transforms that `poses` is written with."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from hybridsim import Model, ModelError, Output, Records, State
from hybridsim.model.poses import identity_poses
from hybridsim.model.scene import check_poses
from hybridsim.scene import (
    HIDDEN,
    Arrow,
    Body,
    Box,
    Camera,
    Capsule,
    Cylinder,
    Ground,
    Mesh,
    Scene,
    Sphere,
    Spring,
    between,
    placed,
    turn,
)

from gallery import first_state, unit_slope

BALL = Body("ball", Sphere(0.1))
COORDINATE = st.floats(-10.0, 10.0)
POINT = st.tuples(COORDINATE, COORDINATE, COORDINATE)


def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))


def model(functions=(unit_slope, poses), scene=None, **more):
    functions = {
        {"unit_slope": "vector_field", "first_state": "outputs"}.get(f.__name__, f.__name__): f for f in functions
    }
    return Model("cart", [State("x")], **functions, scene=scene, **more)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Sphere(0.0), "radius must be a positive number"),
        (lambda: Box((1.0, math.nan, 1.0)), "y must be a positive number"),
        (lambda: Capsule(0.1, -1.0), "length must be a positive number"),
        (lambda: Spring(0.1, coils=0), "coils must be a positive number"),
        (lambda: Mesh("hull.stl"), r"relative path; write Path\(__file__\).with_name\('hull.stl'\)"),
        (lambda: Body("left foot", Sphere(0.1)), "a name is an identifier"),
        (lambda: Body("foot", "sphere"), "expected a shape .*Sphere.*found 'sphere'"),
        (lambda: Body("foot", Sphere(0.1), "red"), "written '#rrggbb', not 'red'"),
        (lambda: Body("foot", Sphere(0.1), opacity=2.0), "opacity must be a number from 0 to 1"),
        (
            lambda: Body("foot", Sphere(0.1), kind="leg"),
            "one of body, force, cone, contact, joint, frame, inertia, found 'leg'",
        ),
        (lambda: Ground(height=math.inf), "height must be a finite number"),
        (lambda: Ground(colours=("#ffffff", "blue")), "not 'blue'"),
        (lambda: Camera(along="xw"), "camera: along: expected some of the axes 'xyz', found 'xw'"),
        (lambda: Camera(view=(0.0, 0.0, 0.0)), "view must be a direction"),
        (lambda: Camera(distance=-1.0), "distance must be a positive number"),
        (lambda: Scene([]), "give at least one Body"),
        (lambda: Scene([BALL, BALL]), "'ball' is declared twice"),
        (lambda: Scene([Sphere(0.1)]), "expected Body records"),
        (lambda: Scene([BALL], camera=Camera("bal")), "follows 'bal', which is no body; did you mean `ball`"),
    ],
)
def test_a_scene_that_cannot_be_is_refused_where_it_is_written(wrong, message):
    with pytest.raises(ModelError, match=message):
        wrong()


def test_a_scene_needs_the_function_that_says_where_it_is():
    with pytest.raises(ModelError, match="has a scene but no function `poses"):
        model((unit_slope,), Scene([BALL]))
    with pytest.raises(ModelError, match="a function `poses` but no scene"):
        model()


def test_a_scene_is_a_scene_and_shows_what_is_recorded():
    with pytest.raises(ModelError, match=r"expected a hybridsim\.scene\.Scene"):
        model(scene=[BALL])
    with pytest.raises(ModelError, match=r"'speed' is not recorded.*give some of x"):
        model(scene=Scene([BALL], outputs=("speed",)))
    assert model(scene=Scene([BALL], outputs=["x"])).scene.outputs == ("x",)
    with pytest.raises(ModelError, match=r"'x' is not recorded.*give some of place"):
        model((unit_slope, poses, first_state), Scene([BALL], outputs=("x",)), output_records=[Output("place")])


def test_the_bodies_are_records_in_the_order_of_their_poses():
    scene = Scene([BALL, Body("rod", Cylinder(0.01))])
    assert isinstance(scene.bodies, Records)
    assert [scene.bodies.index(name) for name in ("ball", "rod")] == [0, 1]
    assert dataclasses.replace(scene, ground=None) != scene


@given(POINT, POINT)
def test_between_takes_the_unit_segment_of_z_to_the_two_points(a, b):
    if math.dist(a, b) < 1e-6:
        return
    pose = between(a, b)
    np.testing.assert_allclose(pose @ [0.0, 0.0, 0.0, 1.0], [*a, 1.0], atol=1e-12)
    np.testing.assert_allclose(pose @ [0.0, 0.0, 1.0, 1.0], [*b, 1.0], atol=1e-12)
    lengths = np.linalg.norm(pose[:3, :3], axis=0)
    np.testing.assert_allclose(lengths, [1.0, 1.0, math.dist(a, b)], rtol=1e-9)
    assert not [*check_poses(Scene([Body("rod", Cylinder(0.01))]), pose[None])]


def test_between_along_the_worlds_y_is_a_pose_too():
    for end in ((0.0, 2.0, 0.0), (0.0, -2.0, 0.0), (1e-12, 2.0, 0.0)):
        pose = between((0.0, 0.0, 0.0), end)
        assert not [*check_poses(Scene([Body("rod", Cylinder(0.01))]), pose[None])]
        np.testing.assert_allclose(pose[:3, 2], end)


def test_between_turns_nothing_about_itself_in_a_planar_model():
    # A leg that swings all the way round in the plane y = 0 keeps its own y where the world's is.
    for angle in np.linspace(0.0, 2.0 * math.pi, 50):
        pose = between((0.0, 0.0, 0.0), (math.sin(angle), 0.0, math.cos(angle)))
        np.testing.assert_allclose(pose[:3, 1], [0.0, 1.0, 0.0], atol=1e-15)


def test_nothing_between_a_point_and_itself_is_to_be_seen():
    assert between((1.0, 2.0, 3.0), (1.0, 2.0, 3.0)) is HIDDEN
    assert not HIDDEN.any()
    with pytest.raises(ValueError, match="read-only"):
        HIDDEN[0, 0] = 1.0


@given(POINT, st.floats(-7.0, 7.0))
def test_a_turn_is_the_rotation_about_its_axis(axis, angle):
    length = math.hypot(*axis)
    if length < 1e-3:
        return
    expected = Rotation.from_rotvec(angle * np.array(axis) / length).as_matrix()
    np.testing.assert_allclose(turn(axis, angle), expected, atol=1e-12)


def test_the_name_of_an_axis_is_no_direction():
    with pytest.raises(ValueError, match="expected an axis of three numbers, found 'y'; write turn"):
        turn("y", 0.3)


def test_placed_turns_and_stretches_about_the_place():
    pose = placed((1.0, 2.0, 3.0), turn((0.0, 0.0, 1.0), math.pi / 2), scale=(2.0, 3.0, 4.0))
    corner = pose @ [1.0, 1.0, 1.0, 1.0]
    np.testing.assert_allclose(corner, [1.0 - 3.0, 2.0 + 2.0, 3.0 + 4.0, 1.0], atol=1e-15)
    np.testing.assert_array_equal(placed((0.0, 0.0, 0.0)), np.eye(4))
    np.testing.assert_array_equal(identity_poses(2), [np.eye(4), np.eye(4)])


SHEARED = np.eye(4) + np.outer([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0])
MIRRORED = np.diag([-1.0, 1.0, 1.0, 1.0])
FLAT = np.diag([1.0, 1.0, 0.0, 1.0])
PERSPECTIVE = np.eye(4) + np.outer([0.0, 0.0, 0.0, 1.0], [0.1, 0.0, 0.0, 0.0])
HALF_HIDDEN = np.diag([0.0, 0.0, 0.0, 1.0])


@pytest.mark.parametrize("pose", [SHEARED, MIRRORED, FLAT, PERSPECTIVE, HALF_HIDDEN], ids=str)
def test_what_no_body_can_do_is_no_pose(pose):
    assert "the pose of ball is no transform of a body" in next(check_poses(Scene([BALL]), pose[None]))


def test_a_pose_is_finite_or_hidden():
    assert "not finite" in next(check_poses(Scene([BALL]), np.full((1, 4, 4), math.nan)))
    assert not [*check_poses(Scene([BALL]), HIDDEN[None])]


def test_the_camera_follows_in_its_axes_and_stands_still_in_the_others():
    camera = Camera("ball", along="xz", at=(0.5, 1.0, 0.25), distance=5.0, view=(0.0, 3.0, -4.0))
    np.testing.assert_allclose(camera.focus((10.0, 20.0, 30.0)), [10.5, 1.0, 30.25])
    np.testing.assert_allclose(camera.eye((10.0, 20.0, 30.0)), [10.5, 1.0 - 3.0, 30.25 + 4.0])
    np.testing.assert_allclose(Camera(at=(1.0, 2.0, 3.0)).focus((10.0, 20.0, 30.0)), [1.0, 2.0, 3.0])


def test_the_ground_is_level_or_the_models_own_terrain():
    x, y = np.meshgrid([0.0, 1.0], [2.0, 3.0, 4.0])
    np.testing.assert_array_equal(Ground(height=0.5).at(x, y, np.zeros(1)), np.full((3, 2), 0.5))
    terrain = Ground(height=lambda x, y, p: p[0] * x + y)
    np.testing.assert_array_equal(terrain.at(x, y, np.array([10.0])), 10.0 * x + y)


def test_a_wire_is_thinner_than_its_coil_unless_it_is_given():
    assert Spring(0.08).wire == 0.01
    assert Spring(0.08, wire=0.002).wire == 0.002
    assert Arrow(0.01).radius == 0.01


def test_terrain_that_returns_one_number_is_flat():
    x, y = np.meshgrid(np.arange(3.0), np.arange(2.0), indexing="ij")
    assert Ground(height=lambda x, y, p: p[0]).at(x, y, np.array([0.25])).tolist() == [[0.25, 0.25]] * 3


@pytest.mark.parametrize(
    ("height", "message"),
    [
        (lambda x, y, p: p[7] + x, r"test_scene\.py:\d+: in the height of the ground: IndexError"),
        (lambda x, y, p: x[0], r"test_scene\.py:\d+: `<lambda>`, the height .* of shape \(2,\) for .* \(3, 2\)"),
        (lambda x, y, p: np.where(x > 1, math.nan, 0.0), r"test_scene\.py:\d+: .* is nan at x = 2 m, y = 0 m"),
        (np.hypot, "in the height of the ground: ValueError"),
    ],
)
def test_terrain_that_is_no_height_is_reported_with_file_and_line(height, message):
    x, y = np.meshgrid(np.arange(3.0), np.arange(2.0), indexing="ij")
    with pytest.raises(ModelError, match=message):
        Ground(height=height).at(x, y, np.zeros(1))
