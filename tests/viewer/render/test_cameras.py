"""Cameras follow bodies, and keep what the mouse has changed."""

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkRenderer

from hybridsim import ConfigError
from hybridsim.model.table import Records
from hybridsim.scene import HIDDEN, Body, Camera, Scene, Sphere, placed
from hybridsim.viewer.render.cameras import SubplotCamera


def camera_of(**options):
    scene = Scene(Records(Body("ball", Sphere(0.1))), ground=None, camera=Camera(**options))
    return SubplotCamera(vtkRenderer(), scene)


def eye_and_target(camera):
    return np.array([camera.camera.GetPosition(), camera.camera.GetFocalPoint()])


def go(camera, *position):
    camera.follow(np.array([placed(position)]))


def test_a_camera_goes_with_the_body_along_the_axes_it_follows():
    camera = camera_of(follow="ball", along="xz", at=(0.0, 0.0, 0.5), distance=3.0, view=(0.0, 1.0, 0.0))
    go(camera, 2.0, 7.0, 1.0)
    assert eye_and_target(camera) == pytest.approx(np.array([[2.0, -3.0, 1.5], [2.0, 0.0, 1.5]]))


def test_a_camera_that_follows_nothing_stands_still():
    camera = camera_of(at=(1.0, 0.0, 0.0), distance=3.0, view=(0.0, 1.0, 0.0))
    before = eye_and_target(camera)
    go(camera, 2.0, 7.0, 1.0)
    assert (eye_and_target(camera) == before).all()


def test_a_hidden_body_leaves_the_camera_where_it_was():
    camera = camera_of(follow="ball", distance=3.0)
    go(camera, 2.0, 0.0, 0.0)
    before = eye_and_target(camera)
    camera.follow(np.array([HIDDEN]))
    assert (eye_and_target(camera) == before).all()


@pytest.mark.parametrize("view", [(1.0, -0.4, -0.38), (-1.0, 0.2, 0.0)])
def test_what_is_seen_along_x_rather_than_along_y_is_seen_from_the_side_with_y_to_the_right(view):
    camera = camera_of(distance=3.0, view=view)
    camera.set("side")
    eye, target = eye_and_target(camera)
    assert target - eye == pytest.approx([-3.0, 0.0, 0.0])
    assert np.cross(target - eye, camera.camera.GetViewUp()) == pytest.approx([0.0, 3.0, 0.0])


def test_side_and_top_look_square_with_x_to_the_right():
    camera = camera_of(follow="ball", distance=3.0)
    go(camera, 5.0, 0.0, 1.0)
    for name, sight, up in (("side", (0, 1, 0), (0, 0, 1)), ("top", (0, 0, -1), (0, 1, 0))):
        camera.set(name)
        eye, target = eye_and_target(camera)
        assert target - eye == pytest.approx(3.0 * np.array(sight, float))
        assert np.cross(sight, camera.camera.GetViewUp()) == pytest.approx([1, 0, 0])
        assert camera.camera.GetViewUp() == pytest.approx(up)
        go(camera, 6.0, 0.0, 1.0)
        assert eye_and_target(camera) - [eye, target] == pytest.approx(np.array([[1, 0, 0], [1, 0, 0]]))
        go(camera, 5.0, 0.0, 1.0)


def test_what_the_mouse_has_done_is_kept_while_following():
    camera = camera_of(follow="ball", distance=3.0)
    camera.orbit(0.5, 0.2)
    camera.pan(0.1, 0.2)
    camera.zoom(1.5)
    before = eye_and_target(camera)
    go(camera, 4.0, 0.0, 0.0)
    assert eye_and_target(camera) - before == pytest.approx(np.array([[4.0, 0, 0], [4.0, 0, 0]]))
    camera.set("follow")  # chosen anew, it is the scene's own again
    eye, target = eye_and_target(camera)
    assert target == pytest.approx([4.0, 0.0, 0.0])
    assert np.linalg.norm(eye - target) == pytest.approx(3.0)


def test_a_free_camera_stays_where_it_was_left():
    camera = camera_of(follow="ball", distance=3.0)
    go(camera, 1.0, 0.0, 0.0)
    camera.set("free")
    before = eye_and_target(camera)
    go(camera, 9.0, 0.0, 0.0)
    assert (eye_and_target(camera) == before).all()
    camera.orbit(0.3, 0.0)
    turned = eye_and_target(camera)
    go(camera, 10.0, 0.0, 0.0)
    assert (eye_and_target(camera) == turned).all()


def test_turning_keeps_the_distance_and_stops_short_of_straight_above():
    camera = camera_of(distance=3.0, view=(0.0, 1.0, 0.0))
    camera.orbit(0.0, 9.0)
    eye, target = eye_and_target(camera)
    assert np.linalg.norm(eye - target) == pytest.approx(3.0)
    assert 2.99 < eye[2] < 3.0
    assert tuple(camera.camera.GetViewUp()) == (0.0, 0.0, 1.0)


def test_turning_from_above_keeps_what_is_up_ahead():
    camera = camera_of(distance=3.0)
    camera.set("top")
    camera.orbit(0.0, -0.5)
    eye, _ = eye_and_target(camera)
    assert eye[0] == pytest.approx(0.0, abs=1e-9)
    assert eye[1] < 0.0 < eye[2]


def test_a_scene_seen_straight_from_above_has_a_camera():
    camera = camera_of(distance=2.0, view=(0.0, 0.0, -1.0))
    assert eye_and_target(camera)[0] == pytest.approx([0.0, 0.0, 2.0])
    assert tuple(camera.camera.GetViewUp()) == (0.0, 1.0, 0.0)


def test_an_unknown_camera_is_named_with_those_there_are():
    with pytest.raises(ConfigError, match="'sid'; did you mean `side`"):
        camera_of().set("sid")
