"""The shadows of bodies are where the bodies are, on every ground, as dark as the formula says."""

import math

import numpy as np
import pytest

from hybridsim.model.table import Records
from hybridsim.scene import HIDDEN, Body, Box, Camera, Ground, Scene, Sphere, placed, turn
from hybridsim.viewer.render import shadows
from hybridsim.viewer.render.stage import GHOST_OPACITY

from .projection import RED, pixel_of


def stairs(x, y, p):
    """Steps of 0.1 m, 0.5 m deep, whose walls are 0.01 m thick."""
    return 0.1 * (np.floor(y / 0.5) + np.clip(y / 0.5 % 1.0 * 50.0, 0.0, 1.0) - 1.0)


def walls(begin, end, p):
    foot = 0.5 * np.arange(math.ceil(begin / 0.5), math.floor(end / 0.5))
    return np.sort(np.concatenate([foot, foot + 0.01]))


@pytest.mark.exhaustive  # a long body has its shadow in the ordinary run
def test_a_body_that_rises_keeps_a_shadow_below_it_which_fades(staged):
    scene = Scene(
        Records(Body("ball", Sphere(0.2), RED)),
        ground=Ground(colours=("#ffffff", "#ffffff")),
        camera=Camera(distance=4.0, view=(0.0, 1.0, -1.0)),
    )
    stage = staged(scene)
    darkest = []
    for height in (0.3, 0.8, 1.6):
        stage.set_poses([np.array([placed((0.0, 0.0, height))])])
        column, row = pixel_of((0.0, -0.12, 0.0), stage)
        picture = stage.screenshot().astype(int)
        darkest.append(picture[round(row) - 4 : round(row) + 5, round(column)].max(axis=1).min())
    assert darkest[0] < darkest[1] < darkest[2] < 250


@pytest.mark.members(1)
@pytest.mark.parametrize("camera", [(0.0, 1.0, -1.0), (0.0, 0.05, -1.0), (1.0, 0.3, -0.4)])
def test_a_shadow_lies_on_both_sides_of_a_step(staged, camera):
    x, y, radius, z = 0.1, 0.53, 0.3, 1.0
    scene = Scene(
        Records(Body("ball", Sphere(radius), RED, opacity=0.0)),
        ground=Ground(stairs, colours=("#a0a0a0", "#a0a0a0"), edges=walls),
        camera=Camera(distance=3.0, view=camera, at=(0.0, 0.5, 0.1)),
    )
    stage = staged(scene)
    pictures = {}
    for name, pose in (("with", placed((x, y, z))), ("without", HIDDEN)):
        stage.set_poses([np.array([pose])])
        pictures[name] = stage.screenshot().astype(float)
    darkness = shadows.MAX_SHADOW_OPACITY / (1.0 + (z - radius - stairs(x, y, ())) / (shadows.FADING_RISE * radius))
    for dx, dy in ((0.0, -0.06), (0.0, -0.15), (0.1, 0.04), (-0.15, -0.1), (0.0, 0.2), (0.1, 0.25), (0.0, -0.37)):
        place = x + dx, y + dy
        column, row = pixel_of((*place, float(stairs(*place, ()))), stage)
        seen_with, seen_without = (pictures[name][round(row), round(column), 1] for name in ("with", "without"))
        inside = max(1.0 - math.hypot(dx, dy) ** 2 / (shadows.SHADOW_REACH * radius) ** 2, 0.0)
        assert seen_with / seen_without == pytest.approx(1.0 - darkness * inside**2, abs=0.015), (dx, dy)


def test_a_picture_is_drawn_before_any_body_has_been_posed(staged, capfd):
    stage = staged(Scene(Records(Body("ball", Sphere(0.3), RED)), camera=Camera(distance=4.0, view=(0.0, 1.0, -1.0))))
    stage.screenshot()
    assert "ERR" not in capfd.readouterr().err  # VTK reports there a program that does not compile


def test_a_long_body_that_is_turned_has_a_long_shadow_that_is_turned(staged):
    scene = Scene(
        Records(Body("plank", Box((2.0, 0.2, 0.1)), RED, opacity=0.0)),
        ground=Ground(colours=("#a0a0a0", "#a0a0a0")),
        camera=Camera(distance=4.0, view=(0.0, 0.001, -1.0)),
    )
    stage = staged(scene)
    stage.set_poses([np.array([placed((0.0, 0.0, 0.3), turn((0.0, 0.0, 1.0), 0.25 * math.pi))])])
    picture = stage.screenshot().astype(float)[..., 1]
    along, across = (pixel_of((0.6, side * 0.6, 0.0), stage) for side in (1.0, -1.0))
    bright = picture[round(across[1]), round(across[0])]
    assert picture[round(along[1]), round(along[0])] < 0.95 * bright
    assert bright == pytest.approx(picture[0, 0], abs=3.0)


def test_the_shadows_of_ghosts_fall_on_the_ground_of_the_first_run(staged):
    scene = Scene(
        Records(Body("ball", Sphere(0.3), RED, opacity=0.0)),
        ground=Ground(colours=("#a0a0a0", "#a0a0a0")),
        camera=Camera(distance=4.0, view=(0.0, 1.0, -1.0)),
    )
    stage = staged(scene, scene, scene)
    places = [(-0.7, 0.0, 0.3), (0.0, 0.0, 0.3), (0.7, 0.0, 0.3)]
    stage.set_poses([np.array([placed(place)]) for place in places])
    picture = stage.screenshot().astype(float)[..., 1]
    darkness = []
    for x, _, _ in places:
        column, row = pixel_of((x, 0.0, 0.0), stage)
        darkness.append(1.0 - picture[round(row), round(column)] / picture[round(row), 10])
    ghost = GHOST_OPACITY * shadows.MAX_SHADOW_OPACITY
    assert darkness == pytest.approx([shadows.MAX_SHADOW_OPACITY, ghost, ghost], abs=0.015)
