"""A human who wears a robot: its loops, what its actuators do, energy, and what cannot be worn."""

import math

import numpy as np
import pytest

from hybridsim import ConfigError, Evaluator, ModelError, load_config, load_model, simulate
from hybridsim_models.humanoid.body import human
from hybridsim_models.wearable.device import Robot, fit, robot_from, robot_of
from hybridsim_models.wearable.worn import wearer

from .config_runs import CONFIGS, run_of

SETTINGS = load_config(CONFIGS / "wearable" / "walk-2.yaml")
START = {"initial": dict(SETTINGS.initial), "parameters": dict(SETTINGS.parameters)}
TWO = robot_of({})
FITTED = fit(TWO, human())
LEGS, LIMB = ("left", "right"), ("hip", "knee")
HIP_HEIGHT, GRAVITY = 0.972, 9.81


@pytest.fixture(scope="module")
def worn():
    return load_model(CONFIGS / "wearable" / "walk_2.py")


def stepping(worn, **more):
    """Return the first 0.3 s of the walk: the right foot leaves the ground, and swings."""
    known = {**START["parameters"], **more}
    return simulate(worn, initial=START["initial"], parameters=known, final_time=0.3, rtol=1e-9, atol=1e-11)


@pytest.fixture(scope="module")
def steps(worn):
    return {share: stepping(worn, robot_share=share) for share in (0.0, 0.4, 1.0)}


def angles_of(run, leg):
    return np.stack([run[f"{leg}_{joint}"] for joint in LIMB], axis=-1)


def test_the_robot_of_the_config_is_that_of_the_default_design():
    module = load_model(CONFIGS / "wearable" / "walk_2.py")
    assert [name for name in module.states.names if name.startswith("left_joint") and not name.endswith("dot")] == [
        f"left_joint{hinge.joint + 1}" for hinge in FITTED.tree
    ]
    assert FITTED.mass == pytest.approx(0.5 * run_of("wearable/stride.yaml", "final_time=0.01")["mass"][0], rel=1e-3)


def test_links_are_where_newton_puts_them_and_turn_as_the_linkage_says(steps):
    run = steps[1.0]
    assert run["loop_error"].max() < 1e-9
    for leg in LEGS:
        postures = FITTED.linkage.close(angles_of(run, leg))
        rates = np.stack([run[f"{leg}_{joint}dot"] for joint in LIMB], axis=-1)
        turning = np.einsum("nij,nj->ni", postures.transmission, rates)
        for joint, _, _ in FITTED.tree:
            assert run[f"{leg}_joint{joint + 1}"] == pytest.approx(postures.relative[:, joint], abs=1e-8)
            assert run[f"{leg}_joint{joint + 1}dot"] == pytest.approx(turning[:, joint], abs=1e-7)
        own = postures.transmission[:, [joint - 1 for joint in TWO.actuators]]
        assert run[f"{leg}_least_value"] == pytest.approx(np.linalg.svd(own, compute_uv=False)[:, -1], abs=1e-7)


def test_who_does_the_work_changes_nothing_of_the_walk(steps):
    """Torques pass through loops that are closed by forces: that they arrive whole is no matter of course."""
    for share in (0.0, 0.4):
        for name in ("base_x", "base_angle", "left_hip", "right_knee", "right_ankle"):
            assert steps[share][name][-1] == pytest.approx(steps[1.0][name][-1], abs=1e-8)
    assert np.abs(steps[1.0]["left_hip_torque"]).max() == 0.0
    assert np.abs(steps[0.0]["robot_torque"]).max() == 0.0
    assert steps[0.4]["right_knee_torque"][-1] == pytest.approx(0.6 * steps[0.0]["right_knee_torque"][-1], abs=1e-4)
    assert steps[0.4]["right_ankle_torque"][-1] == pytest.approx(steps[0.0]["right_ankle_torque"][-1], abs=1e-4)


def test_torques_of_actuators_and_muscles_together_are_those_of_the_control(steps):
    run, muscles = steps[0.4], steps[0.0]
    for leg in LEGS:
        own = FITTED.linkage.close(angles_of(run, leg)[-1:]).transmission[0, [joint - 1 for joint in TWO.actuators]]
        actuators = [run[f"{leg}_actuator_{k}"][-1] for k in (1, 2)]
        left = [run[f"{leg}_{joint}_torque"][-1] for joint in LIMB]
        whole = [muscles[f"{leg}_{joint}_torque"][-1] for joint in LIMB]
        assert own.T @ actuators + left == pytest.approx(whole, abs=1e-4)
        assert np.abs(actuators).max() > 1.0


def height_of_all(pitch, hip, knee):
    """Return mass times height [kg m] of a human on flat feet, legs alike, and of both robots."""
    thigh, shank = pitch - hip, pitch - hip + knee
    base = 0.072 + 0.45 * (math.cos(thigh) + math.cos(shank))
    body = {"base_z": base, "base_angle": pitch}
    body |= {
        f"{leg}_{joint}": angle for leg in LEGS for joint, angle in (("hip", hip), ("knee", knee), ("ankle", shank))
    }
    total = 70.0 * human().mechanism().centre_of_mass(body)[2]
    poses = FITTED.linkage.close([hip, knee]).bodies[0]
    for link in FITTED.links:
        x0, z0, turn = poses[link]
        for mass, (x, z), _ in FITTED.parts_of(link):
            here = np.array(
                [x0 + math.cos(turn) * x + math.sin(turn) * z, z0 - math.sin(turn) * x + math.cos(turn) * z]
            )
            total += 2.0 * mass * (base - math.sin(pitch) * here[0] + math.cos(pitch) * (here[1] - HIP_HEIGHT))
    return total


def test_a_held_posture_needs_the_torques_of_virtual_work(worn):
    """At rest: potential energy by `Linkage` and centres of mass gives the torques, T^-T times them the actuators'."""
    posture = np.array([0.12, 0.35, 0.5])  # pitch, hip, knee
    step = 1e-5 * np.eye(3)
    slopes = [GRAVITY * (height_of_all(*(posture + d)) - height_of_all(*(posture - d))) / 2e-5 for d in step]
    ankle = 0.5 * slopes[0]
    torques = {"hip": 0.5 * slopes[1] + ankle, "knee": 0.5 * slopes[2] - ankle, "ankle": ankle}
    pitch, hip, knee = posture
    angles = {"hip": hip, "knee": knee, "ankle": pitch - hip + knee}
    base = 0.072 + 0.45 * (math.cos(pitch - hip) + math.cos(pitch - hip + knee))
    initial = {"base_z": base, "base_angle": pitch, "base_xdot": 0.0}
    initial |= {f"{leg}_{joint}": angle for leg in LEGS for joint, angle in angles.items()}
    held = {f"{joint}_angles": [angles[joint] + torques[joint] / 3000.0] * 4 for joint in torques}
    held |= {f"{joint}_stiffness": 3000.0 for joint in torques}
    run = simulate(worn, initial=initial, parameters={**held, "robot_share": 1.0}, final_time=1e-6)
    for name in worn.states.names[:19]:
        assert (run[f"{name}dot"][-1] - run[f"{name}dot"][0]) / 1e-6 == pytest.approx(0.0, abs=2e-3)
    for leg in LEGS:
        assert min(run[f"{leg}0_force"][0], run[f"{leg}1_force"][0]) > 10.0
        own = FITTED.linkage.close(posture[1:]).transmission[0, [joint - 1 for joint in TWO.actuators]]
        expected = np.linalg.solve(own.T, [torques["hip"], torques["knee"]])
        assert [run[f"{leg}_actuator_{k}"][0] for k in (1, 2)] == pytest.approx(expected, abs=1e-4)
        assert run[f"{leg}_ankle_torque"][0] == pytest.approx(ankle, abs=1e-4)
        assert run[f"{leg}_hip_torque"][0] == 0.0


@pytest.mark.exhaustive  # who does the work is compared in the ordinary run
def test_energy_changes_by_work_and_is_lost_at_strikes(steps):
    """Muscles of the ankles, actuators, ligaments of the knees, dampers of the toes and friction do work."""
    ligament = "1e6 * max({0}, 0)**3 * max(1 - {1}, 0) * {1}"
    terms = [f"{leg}_ankle_torque * {leg}_ankledot" for leg in LEGS]
    terms += [f"{leg}_actuator_{k} * {leg}_rate_{k}" for leg in LEGS for k in (1, 2)]
    terms += [f"{foot}_tangential * {foot}_slip" for foot in ("left", "right", "left_toe", "right_toe")]
    terms += [ligament.format(f"({math.radians(-2.0)} - {leg}_knee)", f"{leg}_kneedot") for leg in LEGS]
    terms += [f"-{2.0 * math.sqrt(122.0 * 1e-3)} * {leg}_toedot**2" for leg in LEGS]
    model = CONFIGS / "wearable" / "walk_2.py"
    known = {**START["parameters"], "robot_share": 1.0}
    works = Evaluator(
        model,
        ["frequency"],
        {"work": f"integral({' + '.join(terms)})"},
        initial=START["initial"],
        parameters=known,
        final_time=0.3,
        rtol=1e-9,
        atol=1e-11,
    )
    work, run = works({"frequency": 0.9})["work"], steps[1.0]
    jumps = [i for i in range(1, len(run.t)) if run.t[i] == run.t[i - 1]]
    losses = np.array([run["energy"][i] - run["energy"][i - 1] for i in jumps])
    assert losses.max() < 1e-6
    assert losses.sum() < -1.0
    assert abs(work) > 1.0
    assert run["energy"][-1] - run["energy"][0] - losses.sum() == pytest.approx(work, abs=1e-3)


@pytest.mark.exhaustive  # `test_bundled` runs its config
@pytest.mark.parametrize(
    ("name", "speed"), [("walk-2", 1.320), pytest.param("walk-10", 1.335, marks=pytest.mark.exhaustive)]
)
def test_a_human_with_a_robot_walks_on(name, speed):
    run = run_of(f"wearable/{name}.yaml")
    assert run.t[-1] == 5.0
    assert run["stride_speed"][-1] == pytest.approx(speed, abs=0.01)
    assert run["loop_error"].max() < 1e-8
    assert run["robot_power"].max() > 100.0


def test_a_singular_posture_ends_the_walk_at_an_instant(steps):
    """And the run does not begin, where it is one from the start."""
    values, least = steps[1.0]["left_least_value"], 0.675
    crossing = steps[1.0].t[np.argmax(values < least)]
    assert 0.01 < crossing < 0.1 < min(values[0], steps[1.0]["right_least_value"][0])
    run = run_of("wearable/walk-2.yaml", "final_time=0.3", f"parameters.least={least}")
    assert run.t[-1] == pytest.approx(crossing, abs=1e-3)
    assert run.events[-1].boundaries == ("left_singular",)
    assert run["left_least_value"][-1] == pytest.approx(least, abs=1e-6)
    assert "the robot on the left leg is in a singular posture" in run.message
    assert f"(at t = {run.t[-1]:.6g}"[:-1] in run.message
    with pytest.raises(ConfigError, match="initial state: the robot on the left leg is in a singular posture"):
        run_of("wearable/walk-2.yaml", "parameters.least=2")


def test_a_posture_in_which_loops_do_not_close_is_named(worn):
    initial = {**START["initial"], "left_hip": 2.2, "left_knee": 2.8}
    assert not FITTED.linkage.close([2.2, 2.8], strict=False).closed.all()
    with pytest.raises(Exception, match=r"loop left_joint\d: it is .* m open where the run begins"):
        simulate(worn, initial=initial, parameters=START["parameters"], final_time=0.1)


def robot(**changes):
    """Return the robot of topology 2, with changes."""
    given = {name: getattr(TWO, name) for name in ("edges", "places", "actuators", "limb")}
    return Robot(**{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limb": ("hip", "ankle")}, r"robot: limb: \['hip', 'ankle'\] is no row of joints"),
        ({"limb": "knee"}, r"robot: limb: 'knee' is no row of joints .*as \('knee',\)"),
        ({"bar_mass": 0.0}, r"robot: bar_mass: expected a number greater than 0 \[kg/m\], found 0.0; give"),
        ({"actuators": 2}, r"robot: actuators: expected a row of joints, found 2; write \(2,\)"),
        ({"edges": "03 04 15 26 35"}, "edges: 5 joints of 4 links do not leave the limb its freedom"),
        ({"edges": "03 13 15 26 45 46"}, "edges: these joints lock .* or leave links loose"),
        ({"actuators": (1, 3)}, r"actuators: 1 \(03\), 3 \(15\) cannot move .*knee"),
        ({"actuators": (1,)}, "actuators: expected 2 different joints of 1 to 6"),
        ({"places": [*TWO.places[:4], TWO.places[0], TWO.places[5]]}, "places: the drawing itself is singular"),
        ({"places": [*TWO.places[:4], TWO.places[1], TWO.places[1]]}, "places: the drawing itself is singular"),
    ],
)
def test_a_robot_that_cannot_be_worn_is_refused_by_name(changes, message):
    with pytest.raises((ConfigError, ModelError), match=message):
        fit(robot(**changes), human())


def test_what_is_no_robot_is_not_worn():
    with pytest.raises(ModelError, match="splint: expected a Robot, found None"):
        wearer("splint", human(), None)


def test_what_is_no_design_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"no design 't2_13'.*did you mean"):
        robot_of({"design": "t2_13"})
    with pytest.raises(ModelError, match=r"no parameter 'tors'.*did you mean `torso`"):
        robot_of({"tors": 0.2})
    with pytest.raises(ModelError, match=r"there is no file .*none.yaml"):
        robot_from(tmp_path / "none.yaml")
    with pytest.raises(ModelError, match="is no config of the model wearable"):
        robot_from(CONFIGS / "humanoid" / "walk.yaml")
