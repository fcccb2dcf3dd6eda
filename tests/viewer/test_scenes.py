"""The bodies of the bundled models are where the models' states and outputs put them."""

import math
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config, load_model, simulate
from hybridsim.model.registry import available_models
from hybridsim.viewer import Replay

CONFIGS = Path(__file__).parents[2] / "configs"
BUNDLED = [name for name, entry in available_models().items() if entry.module.startswith("hybridsim_models.")]


def frames(replay, n=200):
    return [replay.frame(t) for t in np.linspace(replay.begin, replay.end, n)]


def centre(replay, frame, body):
    return frame.poses[replay.scene.bodies.index(body)][:3, 3]


def ends(replay, frame, body):
    """Where the unit segment of a body that is stretched lies: (2, 3) [m]."""
    pose = frame.poses[replay.scene.bodies.index(body)]
    return np.array([pose[:3, 3], pose[:3, 3] + pose[:3, 2]])


def of_config(name):
    config = load_config(next(CONFIGS.glob(f"**/{name}.yaml")))
    return Replay(Simulation.from_config(config).run())


@pytest.fixture(scope="module")
def runner():
    return of_config("slip")


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_model_has_a_scene(name):
    assert load_model(name).scene is not None


def test_the_spring_of_the_runner_reaches_from_foot_to_body_and_has_the_length_of_the_leg(runner):
    for frame in frames(runner):
        foot, body = ends(runner, frame, "spring")
        np.testing.assert_allclose(body, [frame.outputs["x"], 0.0, frame.outputs["y"]], atol=1e-12)
        np.testing.assert_array_equal(centre(runner, frame, "hopper"), [frame.outputs["x"], 0.0, frame.outputs["y"]])
        assert math.dist(foot, body) == pytest.approx(frame.outputs["leg_length"], rel=1e-12)
        leg = body - foot
        assert math.atan2(leg[0], leg[2]) == pytest.approx(frame.outputs["leg_angle"], rel=1e-9)
        np.testing.assert_array_equal(ends(runner, frame, "rod"), ends(runner, frame, "spring"))


def test_the_sleeve_of_the_leg_keeps_its_length_and_the_spring_is_compressed_by_a_tenth(runner):
    lengths = [np.linalg.norm(np.diff(ends(runner, frame, "sleeve"), axis=0)) for frame in frames(runner)]
    np.testing.assert_allclose(lengths, 0.4, rtol=1e-12)
    springs = [np.linalg.norm(np.diff(ends(runner, frame, "spring"), axis=0)) for frame in frames(runner, 2000)]
    assert max(springs) <= 1.0 + 1e-9
    assert 0.8 < min(springs) < 0.9


def test_the_foot_does_not_move_in_stance(runner):
    feet = {}
    for frame in frames(runner, 2000):
        foot = ends(runner, frame, "spring")[0]
        if frame.outputs["leg_force"] > 0.0:
            assert foot[2] == pytest.approx(0.0, abs=1e-12)
            stride = sum(runner.events.crossed[runner.events.t <= frame.t, 1])
            feet.setdefault(stride, set()).add(tuple(foot))
        np.testing.assert_allclose(centre(runner, frame, "foot"), foot + np.array([0.0, 0.0, 0.04]), atol=1e-15)
    assert len(feet) == 30
    assert all(len(places) == 1 for places in feet.values())


def test_the_foot_of_a_mirrored_leg_never_goes_below_the_ground():
    # At liftoff the foot is on the ground, and mirrored it is as high. (A leg that is held may reach into it: see the
    # boundary `touchdown`, which waits.)
    replay = Replay(simulate("slip", final_time=2.0, rtol=1e-10))
    assert min(ends(replay, frame, "spring")[0][2] for frame in frames(replay, 1000)) > -1e-9


def test_the_leg_does_not_jump_at_touchdown(runner):
    for t in runner.events.t[runner.events.crossed[:, 1]]:
        before, after = (ends(runner, runner.frame(t, side), "spring") for side in (True, False))
        np.testing.assert_allclose(before, after, atol=1e-12)


def test_the_arrow_of_the_leg_force_is_as_long_as_the_force_and_is_there_in_stance_alone(runner):
    for frame in frames(runner):
        foot, body = ends(runner, frame, "spring")
        start, tip = ends(runner, frame, "leg_force")
        weights = frame.outputs["leg_force"] / (80.0 * 9.81)
        assert np.linalg.norm(tip - start) == pytest.approx(0.25 * weights, abs=1e-12)
        if weights > 0.0:
            np.testing.assert_array_equal(start, body)
            np.testing.assert_allclose(np.cross(tip - start, body - foot), 0.0, atol=1e-12)
            assert (tip - start) @ (body - foot) > 0.0


def test_a_leg_shorter_than_its_sleeve_has_no_sleeve_sticking_out():
    replay = Replay(simulate("slip", initial={"y": 0.3, "xdot": 0.0, "touchdown_angle": 0.0}, final_time=0.05))
    for frame in frames(replay, 10):
        foot, body = ends(replay, frame, "spring")
        end = ends(replay, frame, "sleeve")[0]
        assert foot[2] < end[2] < body[2]


@pytest.mark.parametrize("name", ["bouncing_ball", "two_walls"])
def test_a_ball_is_above_its_floor_and_touches_it_in_a_bounce(name):
    replay = of_config(name)
    radius = replay.scene.bodies["ball"].shape.radius
    for frame in frames(replay):
        assert centre(replay, frame, "ball")[2] >= radius - 1e-9
    bounce = replay.events.t[replay.events.crossed[:, 0]][0]
    assert centre(replay, replay.frame(bounce), "ball")[2] == pytest.approx(radius, abs=1e-9)


def test_a_ball_between_walls_touches_them_when_it_bounces_off():
    replay = of_config("two_walls")
    radius = replay.scene.bodies["ball"].shape.radius
    for wall, column, side in (("left_wall", 1, 1.0), ("right_wall", 2, -1.0)):
        thickness = replay.scene.bodies[wall].shape.size[0]
        for t in replay.events.t[replay.events.crossed[:, column]]:
            frame = replay.frame(t)
            face = centre(replay, frame, wall)[0] + side * 0.5 * thickness
            assert centre(replay, frame, "ball")[0] - face == pytest.approx(side * radius, abs=1e-9)


def test_the_ball_leaves_the_table_at_its_edge():
    replay = of_config("table_ball")
    radius = replay.scene.bodies["ball"].shape.radius
    for frame in frames(replay):
        top = frame.poses[replay.scene.bodies.index("top")]
        edge = top[0, 3] + 0.5 * top[0, 0]
        assert edge == pytest.approx(3.0)
        x, _, z = centre(replay, frame, "ball")
        assert z - radius >= -1e-9 if frame.chart != "falling" else x >= edge - 1e-9


def test_blocks_touch_in_collisions_and_never_lie_in_each_other_or_the_wall():
    replay = Replay(simulate("galperin", final_time=5.0))
    bodies = replay.scene.bodies

    def span(frame, name):
        pose, size = frame.poses[bodies.index(name)], bodies[name].shape.size[0]
        return pose[0, 3] + 0.5 * size * pose[0, 0] * np.array([-1.0, 1.0])

    for frame in frames(replay):
        wall, light, heavy = (span(frame, name) for name in ("wall", "light", "heavy"))
        assert wall[1] <= light[0] + 1e-12
        assert light[1] <= heavy[0] + 1e-12
    for t in replay.events.t[replay.events.crossed[:, 1]]:
        frame = replay.frame(t)
        assert span(frame, "light")[1] == pytest.approx(span(frame, "heavy")[0], abs=1e-9)


def test_of_two_springs_the_mass_touches_one():
    replay = of_config("bilinear_oscillator")
    half = 0.5 * replay.scene.bodies["mass"].shape.size[0]
    for frame in frames(replay):
        x = frame.outputs["x"]
        left, right = (ends(replay, frame, name)[1][0] for name in ("left_spring", "right_spring"))
        assert left == pytest.approx(min(x, 0.0) - half)
        assert right == pytest.approx(max(x, 0.0) + half)


@pytest.mark.parametrize("name", ["dry_friction", "stick_slip"])
def test_the_spring_is_as_long_as_the_block_is_away_and_pulls_it_back(name):
    replay = of_config(name)
    wall = ends(replay, replay.frame(0.0), "spring")[0]
    for frame in frames(replay):
        x = frame.outputs["x"]
        assert centre(replay, frame, "block")[0] == x
        start, end = ends(replay, frame, "spring")
        np.testing.assert_array_equal(start, wall)
        assert end[0] == pytest.approx(x - 0.15)
        force = np.diff(ends(replay, frame, "spring_force"), axis=0)[0]
        assert force[0] * x <= 0.0


def test_a_block_that_sticks_rides_with_the_slats_of_its_belt():
    replay = of_config("stick_slip")
    stuck = [frame for frame in frames(replay, 2000) if frame.chart == "stick"]
    slats = [replay.scene.bodies.index(f"slat_{n}") for n in range(12)]
    offsets = [(frame.poses[slats, 0, 3] - frame.outputs["x"]) / 0.4 for frame in stuck if frame.t < 2.0]
    phases = np.exp(2j * np.pi * np.array(offsets))
    np.testing.assert_allclose(phases, phases[0, 0], atol=1e-9)


def test_the_lamp_of_the_thermostat_is_on_while_it_heats():
    replay = of_config("relay")
    on, off = (replay.scene.bodies.index(f"lamp_{name}") for name in ("on", "off"))
    for frame in frames(replay):
        lit = frame.chart == "on"
        assert (frame.poses[on].any(), frame.poses[off].any()) == (lit, not lit)
        top = ends(replay, frame, "column")[1][2]
        assert top == pytest.approx(1.0 + 3.0 * frame.outputs["y"])


def test_the_projectile_passes_the_sheet_of_its_level_at_the_events():
    replay = of_config("projectile")
    for event in replay.events:
        frame = replay.frame(event.t)
        assert centre(replay, frame, "projectile")[2] == pytest.approx(centre(replay, frame, "level")[2], abs=1e-9)
