"""What the picture of the hexapod shows is what its states mean."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hybridsim import load_model, simulate
from hybridsim.model.scene import check_poses
from hybridsim.viewer import Replay
from hybridsim_models.hexapod import scene, terrain
from hybridsim_models.hexapod.records import PARAMETERS, P

HIPS = [(0.1, -0.2, 0.0), (0.15, 0.0, 0.0), (0.1, 0.2, 0.0), (-0.1, -0.2, 0.0), (-0.15, 0.0, 0.0), (-0.1, 0.2, 0.0)]
"""Where SimSect's rc file has the hips, in the body's frame [m]: right rear, middle, front; left."""
HILLS = {"terrain": "sinusoid", "terrain_arg1": 0.02, "terrain_arg2": 3.0, "terrain_arg3": 2.0}


def run_of(**more):
    return simulate("hexapod", final_time=1.2, max_transitions=10**6, **more)


@pytest.fixture(scope="module")
def replay():
    """It starts turned and rolled a little, on hills: nothing is aligned with anything."""
    return Replay(run_of(parameters=HILLS, initial={"yaw": 0.7, "roll": 0.1, "r_z": 0.2}))


@pytest.fixture(scope="module")
def moments(replay):
    return [replay.frame(t) for t in np.linspace(0.0, replay.end, 150)]


def pose(replay, moment, body):
    return moment.poses[replay.scene.bodies.index(body)]


def state(replay, moment, *names):
    return np.array([moment.x[replay.model.states.index(name)] for name in names])


def toe_of(replay, moment, leg):
    return state(replay, moment, *(f"f{leg}_{axis}" for axis in "xyz"))


def hip_of(replay, moment, leg):
    attitude = Rotation.from_quat(state(replay, moment, "q_x", "q_y", "q_z", "q_w"))
    return state(replay, moment, "r_x", "r_y", "r_z") + attitude.apply(HIPS[leg])


def bits(moment):
    """The fields of a chart, from the lamps that the head-up line shows: the first one is that of bit 0."""
    words = moment.chart.split()
    return {
        name: sum(1 << bit for bit, lamp in enumerate(lamps) if lamp == "●")
        for name, lamps in zip(words[::2], words[1::2], strict=True)
    }


@pytest.mark.parametrize(
    ("force", "initial"),
    [({"force_z": -20.0}, {}), ({"force_z": 20.0}, {"roll": np.pi}), ({}, {"roll": 0.5 * np.pi, "r_z": 0.3})],
    ids=str,
)
def test_what_is_drawn_along_an_axis_of_the_body_has_a_pose(force, initial):
    run = simulate("hexapod", inputs=force, initial=initial, final_time=1e-3)
    replay = Replay(run)
    arrow = pose(replay, replay.frame(0.0), "push")
    np.testing.assert_allclose(arrow[:3, 2], [0.0, 0.0, 0.6 * force.get("force_z", 0.0) / (7.0 * 9.81)], atol=1e-15)
    assert not [*check_poses(replay.scene, replay.frame(0.0).poses)]


def test_all_poses_are_those_of_bodies(replay, moments):
    for moment in moments:
        assert not [*check_poses(replay.scene, moment.poses)]


def test_toes_are_where_the_states_say(replay, moments):
    for moment in moments:
        for leg in range(6):
            np.testing.assert_array_equal(pose(replay, moment, f"toe{leg}")[:3, 3], toe_of(replay, moment, leg))


def test_each_leg_reaches_from_its_hip_to_its_toe(replay, moments):
    points = np.array([line.split()[1:] for line in _mesh() if line.startswith("v ")], float)
    ends = points[np.argmin(points[:, 2])], points[np.argmax(points[:, 2])]
    assert [abs(end[2] - z) < 0.004 for end, z in zip(ends, (0.0, 0.17), strict=True)] == [True, True]
    for moment in moments:
        for leg in range(6):
            turned = pose(replay, moment, f"leg{leg}")
            first, last = (turned @ (0.0, 0.0, z, 1.0) for z in (0.0, 0.17))
            np.testing.assert_allclose(first[:3], hip_of(replay, moment, leg), atol=1e-12)
            np.testing.assert_allclose(last[:3], toe_of(replay, moment, leg), atol=1e-12)


def _mesh():
    return next(body for body in scene.SCENE.bodies if body.name == "leg0").shape.file.read_text().splitlines()


def test_a_leg_that_points_down_is_bent_to_the_rear(replay, moments):
    for moment in moments:
        attitude = Rotation.from_quat(state(replay, moment, "q_x", "q_y", "q_z", "q_w"))
        for leg in range(6):
            if abs(moment.outputs[f"phi{leg}"]) < 0.5:
                bend = attitude.inv().apply(pose(replay, moment, f"leg{leg}")[:3, 1])
                assert bend[1] < 0.0


@pytest.mark.parametrize("length", [0.14, 0.15, 0.16, 0.17])
def test_a_leg_bends_more_the_shorter_it_is_and_keeps_its_length_along_the_bend(length):
    s = np.linspace(0.0, 1.0, 2001)
    parabola = {L: np.stack([L * s, 4.0 * scene.bow(L) * s * (1.0 - s)], axis=1) for L in (length, 0.17)}
    along = {L: np.linalg.norm(np.diff(points, axis=0), axis=1).sum() for L, points in parabola.items()}
    assert along[length] == pytest.approx(along[0.17], rel=0.02)
    assert scene.bow(length) >= scene.bow(0.17)
    assert scene.bow(0.17) == pytest.approx(0.045)
    assert scene.bow(1.0) > 0.0


def test_arrows_are_the_forces_of_the_ground_three_tenths_of_a_metre_for_each_body_weight(replay, moments):
    longest = 0.0
    for moment in moments:
        for leg in range(6):
            # what the ground does to the toe: it accelerates the toe, too
            force = sum(
                np.array([moment.outputs[f"{of}{leg}_{axis}"] for axis in "xyz"]) for of in ("ground", "inertia")
            )
            arrow = pose(replay, moment, f"ground{leg}")
            np.testing.assert_allclose(arrow[:3, 2], 0.3 * force / (7.0 * 9.81), atol=1e-9)
            longest = max(longest, np.linalg.norm(arrow[:3, 2]))
            if force.any():
                np.testing.assert_array_equal(arrow[:3, 3], toe_of(replay, moment, leg))
    assert longest > 0.05


def test_arrows_end_inside_the_rim_of_their_cone_of_friction_if_and_only_if_the_toe_does_not_exceed_it(replay, moments):
    inside_of = {True: 0, False: 0}
    for moment in moments:
        for leg in range(6):
            cone, arrow = pose(replay, moment, f"cone{leg}"), pose(replay, moment, f"ground{leg}")
            push, drag = (moment.outputs[f"{name}{leg}"] for name in ("push", "drag"))
            assert cone.any() == bool(push)
            if push:
                x, y, z = np.linalg.solve(cone[:3, :3], arrow[:3, 2])
                assert z == pytest.approx(1.0, rel=1e-9)
                assert np.hypot(x, y) == pytest.approx(drag / (0.5 * push), abs=1e-9)
                inside_of[drag <= 0.5 * push] += 1
    assert min(inside_of.values()) > 10


def test_a_disc_lies_under_each_toe_that_stands_or_slips_and_under_no_other(replay, moments):
    seen = set()
    for moment in moments:
        fields = bits(moment)
        for leg in range(6):
            stands, slips = (bool(fields[name] >> leg & 1) for name in ("stance", "slip"))
            shown = pose(replay, moment, f"stands{leg}").any(), pose(replay, moment, f"slips{leg}").any()
            assert shown == (stands and not slips, stands and slips)
            seen.add(shown)
    assert len(seen) == 3


def test_discs_lie_flat_on_the_ground(replay, moments):
    for moment in moments:
        for name in (f"{kind}{leg}" for kind in ("stands", "slips") for leg in range(6)):
            disc = pose(replay, moment, name)
            if disc.any():
                x, y, _ = disc[:3, 3]
                normal = (-0.06 * np.cos(3 * x) * np.cos(2 * y), 0.04 * np.sin(3 * x) * np.sin(2 * y), 1.0)
                np.testing.assert_allclose(np.cross(disc[:3, 2], normal), 0.0, atol=1e-12)


TERRAINS = {
    "flat": {},
    "sinusoid": {"terrain_arg1": 0.2, "terrain_arg2": 1.1, "terrain_arg3": 0.7},
    "sloped": {"terrain_arg1": 0.1, "terrain_arg2": -0.2, "terrain_arg3": 0.3},
    "ditchedflat": {"terrain_arg1": 0.5, "terrain_arg2": 0.4, "terrain_arg3": 0.1},
    "height_map": {"height_map": [15, 31, *np.random.default_rng(1).random(465)], "map_height": 0.3},
    "stairs": {"terrain_arg1": 0.2, "terrain_arg2": 0.3, "terrain_arg3": 0.05},
    "rough": {"terrain_arg1": 0.05, "terrain_arg2": 0.2, "terrain_arg3": 7},
}


@pytest.mark.parametrize("kind", TERRAINS)
def test_the_ground_of_the_picture_is_the_ground_of_the_toes(kind):
    model = load_model("hexapod")
    values = {parameter.name: parameter.default for parameter in PARAMETERS} | TERRAINS[kind]
    heights = values.pop("height_map")
    p = np.zeros(len(PARAMETERS))
    p[PARAMETERS.index("terrain")] = PARAMETERS["terrain"].choices.index(kind)
    for name, value in values.items():
        if not isinstance(value, str):
            p[PARAMETERS.index(name)] = value
    p[P.height_map] = len(p)
    p = np.concatenate([p, heights])
    places = np.random.default_rng(2).uniform(-4.0, 4.0, (400, 2))
    places[:100] = np.linspace(0.3, 1.1, 100)[:, None]  # walls and edges
    places[100:120] *= 0.002  # the edge of the slope
    expected = [terrain.height(x, y, p.tolist()) for x, y in places.tolist()]
    np.testing.assert_allclose(model.scene.ground.at(*places.T, p), expected, rtol=1e-13, atol=1e-15)


def test_the_hull_is_the_box_whose_corners_touch_the_ground():
    sizes = {"body_width": 0.3, "body_length": 0.5, "body_height": 0.15}
    lying = Replay(run_of(parameters={"control_type": "held", **sizes}, initial={"r_z": 0.12, "roll": 3.0}))
    moment = lying.frame(lying.end)
    hull, size = pose(lying, moment, "hull"), np.array(lying.scene.bodies["hull"].shape.size)
    corners = [
        (hull @ (*(0.5 * size * signs), 1.0))[:3]
        for signs in np.ndindex(2, 2, 2)
        for signs in [2 * np.array(signs) - 1]
    ]
    height = sorted(corner[2] for corner in corners)
    np.testing.assert_allclose(height[:4], -0.25 * 7.0 * 9.81 / 5e4, rtol=1e-3)
    np.testing.assert_allclose(height[4:], 0.15 + height[0], rtol=1e-6)
    for axis, extent in enumerate(sizes.values()):
        assert np.linalg.norm(hull[:3, axis]) * size[axis] == pytest.approx(extent)


def test_the_two_tripods_have_two_colours(replay):
    colours = [replay.scene.bodies[f"leg{leg}"].colour for leg in range(6)]
    assert colours == colours[:2] * 3
    assert colours[0] != colours[1]


def test_the_camera_goes_with_the_ground_below_the_body_and_not_with_its_trot():
    slope = {"terrain": "sloped", "terrain_arg2": 0.1}
    climbing = Replay(run_of(parameters=slope, initial={"r_y": 1.0, "r_z": 0.3, "pitch": 0.1}))
    for t in np.linspace(0.0, climbing.end, 20):
        moment = climbing.frame(t)
        x, y, z = pose(climbing, moment, "focus")[:3, 3]
        np.testing.assert_array_equal([x, y], state(climbing, moment, "r_x", "r_y"))
        assert z == pytest.approx(0.1 * y, rel=1e-12)


def test_hips_at_odd_places_still_make_a_body():
    odd = {f"attach{leg}_{axis}": 0.0 for leg in range(6) for axis in "xy"}
    replay = Replay(simulate("hexapod", parameters=odd, final_time=0.01, max_transitions=10**6))
    assert not [*check_poses(replay.scene, replay.frame(0.0).poses)]
