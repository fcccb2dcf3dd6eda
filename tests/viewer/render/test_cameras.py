"""Cameras: what they follow, and what the mouse has done to them."""

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkRenderer

from hybridsim import ConfigError
from hybridsim.model.table import Records
from hybridsim.scene import HIDDEN, Body, Camera, Scene, Sphere, placed
from hybridsim.viewer.render.cameras import View


def view(**camera):
    scene = Scene(Records(Body("ball", Sphere(0.1))), ground=None, camera=Camera(**camera))
    return View(vtkRenderer(), scene)


def eye_and_target(a_view):
    return np.array([a_view.camera.GetPosition(), a_view.camera.GetFocalPoint()])


def go(a_view, *position):
    a_view.go_on(np.array([placed(position)]))


def test_a_camera_goes_with_the_body_along_the_axes_it_follows():
    a_view = view(follow="ball", along="xz", at=(0.0, 0.0, 0.5), distance=3.0, view=(0.0, 1.0, 0.0))
    go(a_view, 2.0, 7.0, 1.0)
    assert eye_and_target(a_view) == pytest.approx(np.array([[2.0, -3.0, 1.5], [2.0, 0.0, 1.5]]))


def test_a_camera_that_follows_nothing_stands_still():
    a_view = view(at=(1.0, 0.0, 0.0), distance=3.0, view=(0.0, 1.0, 0.0))
    before = eye_and_target(a_view)
    go(a_view, 2.0, 7.0, 1.0)
    assert (eye_and_target(a_view) == before).all()


def test_a_hidden_body_leaves_the_camera_where_it_was():
    a_view = view(follow="ball", distance=3.0)
    go(a_view, 2.0, 0.0, 0.0)
    before = eye_and_target(a_view)
    a_view.go_on(np.array([HIDDEN]))
    assert (eye_and_target(a_view) == before).all()


def test_side_and_top_look_square_with_x_to_the_right():
    a_view = view(follow="ball", distance=3.0)
    go(a_view, 5.0, 0.0, 1.0)
    for name, sight, up in (("side", (0, 1, 0), (0, 0, 1)), ("top", (0, 0, -1), (0, 1, 0))):
        a_view.set(name)
        eye, target = eye_and_target(a_view)
        assert target - eye == pytest.approx(3.0 * np.array(sight, float))
        assert np.cross(sight, a_view.camera.GetViewUp()) == pytest.approx([1, 0, 0])
        assert a_view.camera.GetViewUp() == pytest.approx(up)
        go(a_view, 6.0, 0.0, 1.0)
        assert eye_and_target(a_view) - [eye, target] == pytest.approx(np.array([[1, 0, 0], [1, 0, 0]]))
        go(a_view, 5.0, 0.0, 1.0)


def test_what_the_mouse_has_done_is_kept_while_following():
    a_view = view(follow="ball", distance=3.0)
    a_view.orbit(0.5, 0.2)
    a_view.pan(0.1, 0.2)
    a_view.zoom(1.5)
    before = eye_and_target(a_view)
    go(a_view, 4.0, 0.0, 0.0)
    assert eye_and_target(a_view) - before == pytest.approx(np.array([[4.0, 0, 0], [4.0, 0, 0]]))
    a_view.set("follow")  # chosen anew, it is the scene's own again
    eye, target = eye_and_target(a_view)
    assert target == pytest.approx([4.0, 0.0, 0.0])
    assert np.linalg.norm(eye - target) == pytest.approx(3.0)


def test_a_free_camera_stays_where_it_was_left():
    a_view = view(follow="ball", distance=3.0)
    go(a_view, 1.0, 0.0, 0.0)
    a_view.set("free")
    before = eye_and_target(a_view)
    go(a_view, 9.0, 0.0, 0.0)
    assert (eye_and_target(a_view) == before).all()
    a_view.orbit(0.3, 0.0)
    turned = eye_and_target(a_view)
    go(a_view, 10.0, 0.0, 0.0)
    assert (eye_and_target(a_view) == turned).all()


def test_turning_keeps_the_distance_and_stops_short_of_straight_above():
    a_view = view(distance=3.0, view=(0.0, 1.0, 0.0))
    a_view.orbit(0.0, 9.0)
    eye, target = eye_and_target(a_view)
    assert np.linalg.norm(eye - target) == pytest.approx(3.0)
    assert 2.99 < eye[2] < 3.0
    assert tuple(a_view.camera.GetViewUp()) == (0.0, 0.0, 1.0)


def test_turning_from_above_keeps_what_is_up_ahead():
    a_view = view(distance=3.0)
    a_view.set("top")
    a_view.orbit(0.0, -0.5)
    eye, _ = eye_and_target(a_view)
    assert eye[0] == pytest.approx(0.0, abs=1e-9)
    assert eye[1] < 0.0 < eye[2]


def test_a_scene_seen_straight_from_above_has_a_camera():
    a_view = view(distance=2.0, view=(0.0, 0.0, -1.0))
    assert eye_and_target(a_view)[0] == pytest.approx([0.0, 0.0, 2.0])
    assert tuple(a_view.camera.GetViewUp()) == (0.0, 1.0, 0.0)


def test_an_unknown_camera_is_named_with_those_there_are():
    with pytest.raises(ConfigError, match="'sid'; did you mean `side`"):
        view().set("sid")
