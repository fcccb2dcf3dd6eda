"""What the picture of the biped shows is what its outputs say, whichever of its feet is foot 1."""

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from hybridsim.model.poses import identity_poses
from hybridsim.model.scene import check_poses
from hybridsim_models.biped.body import N
from hybridsim_models.biped.impacts import exchange
from hybridsim_models.biped.outputs import outputs
from hybridsim_models.biped.posture import pose
from hybridsim_models.biped.records import (
    AFTER,
    DURING,
    FLAT,
    HEEL,
    INPUTS,
    OUTPUTS,
    PARAMETERS,
    STATES,
    TOE,
    Feet,
    Foot,
    P,
    Y,
    chart_of,
)
from hybridsim_models.biped.scene import SCENE, poses

STANCES = [(FLAT, FLAT), (FLAT, 0), (TOE, 0), (TOE, HEEL), (TOE, FLAT), (HEEL, TOE)]
STATURE, MASS, SOLE_WIDTH = 1.6, 60.0, 0.055 * 1.6
FORCES = [body.name for body in SCENE.bodies if body.kind != "body"]


def feet_in(mode, *contacts):
    return Feet(mode, *(Foot(each, 1, 0) for each in contacts))


def parameters(**values):
    """Of a body that is smaller and lighter than that of the table."""
    values = {"stature": STATURE, "mass": MASS, "start_height": 0.86, "start_cop": 0.07} | values
    p = [record.default for record in (*PARAMETERS, *INPUTS)]
    for name, value in values.items():
        p[PARAMETERS.index(name)] = value
    return [0.0 if isinstance(value, str) else value for value in p]


def standing(p, unrest=0.0):
    """The states of the initial posture, with random changes."""
    x = np.zeros(len(STATES))
    assert pose(x, p) == 0
    x[: 2 * N] += unrest * np.random.default_rng(3).uniform(-1.0, 1.0, 2 * N)
    return x


def torque(t, side, joint):
    """Straightens knees and pulls at hips, more at the left leg."""
    return (0.0, 3.0, 0.0, 60.0 + 20.0 * side, 5.0, -30.0)[joint]


def sole_moment(t, side):
    return 0.0


def picture(x, p, feet, push=AFTER):
    """The poses of the bodies by name, and the outputs by name."""
    chart = chart_of(feet, push)
    placed, y = identity_poses(len(SCENE.bodies)), np.zeros(len(OUTPUTS))
    outputs(y, 0.0, x, p, chart, torque, sole_moment)
    poses(placed, 0.0, x, p, chart, y)
    assert not [*check_poses(SCENE, placed)]
    return dict(zip(SCENE.bodies.names, placed, strict=True)), Y._make(y)._asdict()


@pytest.fixture(scope="module", params=[(mode, *stance) for mode in (0, 1) for stance in STANCES], ids=str)
def moving(request):
    mode, foot1, foot2 = request.param
    p = parameters(start_step=0.2)
    return picture(standing(p, 0.05), p, feet_in(mode, foot1, foot2))


def ends(bodies, name, length):
    """The ends of a limb that is centred in its frame, the lower one first."""
    frame = bodies[name]
    return [frame[:3, 3] + side * frame[:3, 2] * 0.5 * length for side in (-1.0, 1.0)]


def point(y, name):
    return np.array([y[f"{name}_{axis}"] for axis in "xyz"])


@pytest.mark.members(5)
@pytest.mark.members(5)
@pytest.mark.parametrize("side", ["right", "left"])
def test_limbs_meet_at_joints_and_are_bent_as_the_outputs_say(moving, side):
    bodies, y = moving
    foot, knee, hip = (SCENE.bodies[f"{name}_{side}"].shape for name in ("sole", "shank", "thigh"))
    thigh, shank = ends(bodies, f"thigh_{side}", hip.length), ends(bodies, f"shank_{side}", knee.length)
    np.testing.assert_allclose(thigh[0], shank[1], atol=1e-12)
    np.testing.assert_allclose(bodies[f"knee_{side}"][:3, 3], shank[1], atol=1e-12)
    np.testing.assert_allclose(bodies[f"ankle_{side}"][:3, 3], shank[0], atol=1e-12)
    along, across = (bodies[f"{name}_{side}"][:3, :3] * 1.75 / STATURE for name in ("thigh", "shank"))
    assert math.acos(along[:, 2] @ across[:, 2]) == pytest.approx(y[f"knee_{side}"], abs=1e-9)
    sole = bodies[f"sole_{side}"]
    bottom = sole[:3, 3] - 0.5 * foot.size[2] * sole[:3, 2]
    for end, name in ((-0.5, "heel"), (0.5, "toe")):
        place = bottom + end * foot.size[0] * sole[:3, 0]
        np.testing.assert_allclose(place, point(y, f"{name}_{side}"), atol=1e-12)


def test_each_side_has_its_own_colour_and_lies_on_its_side(moving):
    bodies, _ = moving
    names = [body.name for body in SCENE.bodies if body.name.endswith(("_right", "_left")) and body.kind == "body"]
    for name in names:
        if name.endswith("_right"):
            left = name.replace("_right", "_left")
            assert bodies[name][1, 3] < bodies[left][1, 3]
    assert SCENE.bodies["thigh_right"].colour != SCENE.bodies["thigh_left"].colour


def test_arrows_are_the_forces_of_the_ground_at_the_centres_of_pressure(moving):
    bodies, y = moving
    shown = {side: bodies[f"ground_{side}"] for side in ("right", "left") if bodies[f"ground_{side}"].any()}
    for side, arrow in shown.items():
        assert arrow[2, 2] * MASS * 9.81 / 0.7 == pytest.approx(y[f"fz_{side}"])
        assert arrow[2, 3] == 0.0
    assert {side for side in ("right", "left") if y[f"fz_{side}"] > 0.01 * MASS * 9.81} == set(shown)
    total = sum(arrow[:3, 2] for arrow in shown.values()) * MASS * 9.81 / 0.7
    if all(y[f"fz_{side}"] >= 0.0 for side in ("right", "left")):
        np.testing.assert_allclose(total, [y[f"f{axis}1"] + y[f"f{axis}2"] for axis in "xyz"], atol=1e-9)
        np.testing.assert_allclose(bodies["pressure"][:2, 3], [y["cop_x"], y["cop_y"]], atol=1e-9)
    np.testing.assert_allclose(bodies["centre"][:2, 3], [y["com_x"], y["com_y"]], atol=1e-12)


def test_the_arrow_of_a_foot_ends_in_the_open_end_of_its_cone_of_friction(moving):
    bodies, _ = moving
    for side in ("right", "left"):
        cone, arrow = bodies[f"cone_{side}"], bodies[f"ground_{side}"]
        assert cone.any() == arrow.any()
        if arrow.any():
            x, y, z = np.linalg.solve(cone[:3, :3], arrow[:3, 2])
            assert z == pytest.approx(1.0, rel=1e-9)
            assert np.hypot(x, y) == pytest.approx(np.hypot(*arrow[:2, 2]) / (0.6 * arrow[2, 2]), rel=1e-9)
            np.testing.assert_array_equal(cone[:3, 3], arrow[:3, 3])


def test_arrows_are_seen_in_most_stances():
    p = parameters()
    bodies, y = picture(standing(p), p, feet_in(0, FLAT, FLAT))
    assert min(y["fz_right"], y["fz_left"]) > 0.1 * MASS * 9.81
    assert bodies["ground_right"].any()
    assert bodies["ground_left"].any()


@pytest.mark.members(3)
@pytest.mark.members(3)
@pytest.mark.parametrize("stance", STANCES)
def test_nothing_changes_when_the_feet_exchange_their_names(stance):
    p = parameters(start_step=0.25, start_pitch1=0.2, start_pitch2=-0.1)
    x = standing(p)
    before, _ = picture(x, p, feet_in(0, *stance))
    exchange(x, p, feet_in(0, *stance))
    after, _ = picture(x, p, feet_in(1, *stance[::-1]))
    for name in before:
        if name not in FORCES:
            np.testing.assert_allclose(after[name], before[name], atol=1e-9)


def test_the_edges_of_the_support_are_those_of_the_hull_of_what_is_on_the_ground(moving):
    bodies, _ = moving
    edges = [bodies[f"support{i}"] for i in range(8) if bodies[f"support{i}"].any()]
    corners, ways = np.array([edge[:2, 3] for edge in edges]), np.array([edge[:2, 2] for edge in edges])
    np.testing.assert_allclose(corners + ways, np.roll(corners, -1, axis=0), atol=1e-12)
    assert len(ConvexHull(corners).vertices) == len(corners)


@pytest.mark.parametrize(("foot", "length"), [(FLAT, 0.2581 / 1.741), (TOE, 0.27 * 0.2581 / 1.741)])
def test_the_support_of_one_foot_is_its_sole_or_its_toes(foot, length):
    p = parameters()
    bodies, y = picture(standing(p), p, feet_in(0, foot, 0))
    corners = np.array([bodies[f"support{i}"][:2, 3] for i in range(4)])
    np.testing.assert_allclose(np.ptp(corners, axis=0), [length * STATURE, SOLE_WIDTH])
    assert np.min(corners[:, 0]) == pytest.approx(y["heel_right_x" if foot == FLAT else "toe_right_x"])
    assert np.mean(corners[:, 1]) == pytest.approx(y["toe_right_y"])
    assert not bodies["support4"].any()


def test_toes_lie_flat_where_their_foot_stands_on_them():
    p = parameters(start_step=0.2, start_pitch1=0.3)
    bodies, _ = picture(standing(p), p, feet_in(0, TOE, FLAT))
    toes, sole = bodies["toes_right"], bodies["sole_right"]
    np.testing.assert_allclose(toes[:3, 2] * 1.75 / STATURE, [0.0, 0.0, 1.0], atol=1e-9)
    assert math.asin(-sole[2, 0] * 1.75 / STATURE) == pytest.approx(0.3)
    assert toes[2, 3] - 0.5 * SCENE.bodies["toes_right"].shape.size[2] * toes[2, 2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("mode", [0, 1])
def test_a_push_is_an_arrow_from_the_trunk_on(mode):
    p = parameters()
    p[P.push_x], p[P.push_y] = 100.0, -50.0
    x, feet = standing(p), feet_in(mode, FLAT, FLAT)
    bodies, _ = picture(x, p, feet, DURING)
    arrow, thigh = bodies["push"], SCENE.bodies["thigh_right"].shape
    np.testing.assert_allclose(arrow[:3, 2] * MASS * 9.81 / 1.4, [100.0, -50.0, 0.0], atol=1e-12)
    hips = np.mean([ends(bodies, f"thigh_{side}", thigh.length)[1] for side in ("right", "left")], axis=0)
    trunk = hips + np.array([0.0, 0.0, 0.3272 / 1.75 * STATURE])  # of an upright body
    np.testing.assert_allclose(arrow[:3, 3], trunk, atol=1e-4)
    assert not picture(x, p, feet, AFTER)[0]["push"].any()
