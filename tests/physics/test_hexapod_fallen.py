"""A hexapod that has fallen lies on the corners of its body, on any ground."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hybridsim import Simulation, Status, load_model, sensitivity, simulate
from hybridsim.verification import verify
from hybridsim_models.hexapod.body import find_pose
from hybridsim_models.hexapod.corners import CLEAR_CORNER_HEIGHT, body_gap, corner_gap
from hybridsim_models.hexapod.records import TERRAINS, S
from hybridsim_models.hexapod.terrain import height

from .hexapod_robots import most_events, run_of, thrown_robot
from .hexapod_runs import HILLS, LEGS, defaults, free_fall, packed, walk

MASS, GRAVITY, STIFFNESS, CREEP = 7.0, 9.81, 5e4, 2000.0
WIDTH, LENGTH, HEIGHT = 0.2, 0.4, 0.1
CORNERS = range(8)
PLACES = (
    0.5
    * np.array([[WIDTH, LENGTH, HEIGHT]])
    * [[1.0 if corner >> bit & 1 else -1.0 for bit in range(3)] for corner in CORNERS]
)
UPRIGHT, UPSIDE_DOWN, ASIDE, ON_ITS_NOSE = {"v_y": 0.5}, {"roll": np.pi}, {"roll": 1.5, "v_x": 0.3}, {"pitch": -1.0}


def dropped(final_time, height=0.25, rtol=1e-6, initial=None, **parameters):
    """A robot whose hips are free falls onto its body."""
    return free_fall(final_time, rtol=rtol, initial={"r_z": height, **(initial or {})}, **parameters)


def pushes(run):
    """Normal forces of the corners, one row each [N]."""
    return np.array([run[f"corner_push{corner}"] for corner in CORNERS])


@pytest.mark.parametrize("initial", [UPRIGHT, UPSIDE_DOWN, ASIDE, ON_ITS_NOSE], ids=str)
def test_it_comes_to_rest_where_four_corners_carry_its_weight(initial):
    run = dropped(4.0, initial=initial)
    assert run.status is Status.FINAL_TIME
    carrying = pushes(run)[:, -1]
    assert sorted(carrying > 0.0) == [False] * 4 + [True] * 4
    np.testing.assert_allclose(carrying[carrying > 0.0], 0.25 * MASS * GRAVITY, rtol=1e-9)
    np.testing.assert_allclose(run["r_z"][-1], 0.5 * HEIGHT - 0.25 * MASS * GRAVITY / STIFFNESS, rtol=1e-12)
    np.testing.assert_allclose([run[f"accelerometer_{a}"][-1] for a in "xy"], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.abs(run["accelerometer_z"][-1]), GRAVITY, rtol=1e-12)


def test_lying_still_makes_no_events_and_steps_as_long_as_creep_lets_dp5_take():
    run = dropped(10.0, initial=UPSIDE_DOWN)
    assert run.events.t.max() < 2.0
    fastest = 4.0 * CREEP * 0.25 * (WIDTH**2 + LENGTH**2) / 0.117  # rate at which friction stops the yaw [1/s]
    assert run.statistics["steps"] < 1.1 * 10.0 * fastest / 3.3  # dp5 is stable for steps of 3.3 / rate


def test_on_a_slope_it_creeps_as_viscous_friction_within_the_cone_lets_it():
    slope, mu = 0.1, 0.5
    run = dropped(3.0, initial={"r_x": 2.0, "r_z": 0.5, **UPSIDE_DOWN}, terrain="sloped", terrain_arg1=slope)
    pull, push = np.array([slope, 1.0]) * MASS * GRAVITY / np.hypot(1.0, slope) / 4.0  # of each corner
    speed = pull / CREEP / np.sqrt(1.0 - (pull / (mu * push)) ** 2)
    along = np.hypot(run["v_x"][-1], run["v_z"][-1])
    # Corners downhill carry more: 10 % by the height of the centre, which matters in the second order only.
    assert along == pytest.approx(speed, rel=2e-3)
    assert run["v_x"][-1] < 0.0


def test_a_steeper_slope_than_the_cone_lets_it_slide():
    slope, mu = 0.4, 0.2
    run = dropped(
        3.0, initial={"r_x": 0.0, "r_z": 0.2, **UPSIDE_DOWN}, terrain="sloped", terrain_arg1=slope, body_friction=mu
    )
    late = run.t > 2.0
    ahead = np.polyfit(run.t[late], np.hypot(run["v_x"], run["v_z"])[late], 1)[0]
    assert ahead == pytest.approx(GRAVITY * (slope - mu) / np.hypot(1.0, slope), rel=1e-3)


@pytest.mark.parametrize("terrain", [{}, HILLS], ids=["flat", "hills"])
def test_the_ground_gives_the_body_the_momentum_of_independent_equations(terrain):
    run = walk(1.0, initial={"r_x": 0.4, "r_z": 0.25, "yaw": 0.5, "omega_x": 3.0, **ASIDE}, **terrain)
    model = load_model("hexapod")
    values = defaults(**terrain)
    flying = np.all([run[f"stance{leg}"] == 0.0 for leg in LEGS], axis=0)  # with flight_reaction 0 only the ground acts
    rows = np.flatnonzero(flying & (pushes(run).max(axis=0) > 0.0))[::3]
    assert len(rows) > 10
    for row in rows:
        rates = np.zeros(len(model.states))
        model.functions["vector_field"](rates, run.t[row], run.x[row], packed(values), int(run.chart[row]))
        force, torque = ground_on_body(run, row, terrain)
        state = dict(zip(model.states.names, rates, strict=True))
        acceleration = [state[f"v_{a}"] for a in "xyz"]
        np.testing.assert_allclose(MASS * np.array(acceleration), force - [0.0, 0.0, MASS * GRAVITY], atol=1e-9)
        spin = np.array([run[f"gyro_{a}"][row] for a in "xyz"])
        inertia = np.diag([0.09917, 0.02917, 0.11700])
        turned = rotation_of(run, row).inv().apply([state[f"omega_{a}"] for a in "xyz"])
        np.testing.assert_allclose(inertia @ turned + np.cross(spin, inertia @ spin), torque, atol=1e-9)
        np.testing.assert_allclose([run[f"body_ground_{a}"][row] for a in "xyz"], force, atol=1e-9)


@pytest.mark.members(1)
@pytest.mark.parametrize("terrain", TERRAINS)
def test_above_any_ground_its_height_is_that_of_its_lowest_corner(terrain):
    """The inequality by which a body is clear of the ground holds, a ditch of negative width, a wall, included."""
    chance, low = np.random.default_rng(3), 0
    for _ in range(300):
        first, second, third = chance.normal(size=3) * 10.0 ** chance.uniform(-2.0, 0.0)
        second = abs(second) if terrain == "stairs" else second
        shape = {"terrain_arg1": first, "terrain_arg2": second, "terrain_arg3": third}
        p = packed(defaults(terrain=terrain, edge=chance.uniform(0.01, 1.0), **shape))
        x = np.zeros(len(load_model("hexapod").states))
        x[S.r_x], x[S.r_y] = chance.normal(), chance.choice([first, first + second]) + chance.uniform(-0.3, 0.3)
        x[S.r_z] = height(x[S.r_x], x[S.r_y], p) + chance.uniform(0.0, 0.4)
        x[S.q_w : S.q_w + 4] = Rotation.random(rng=chance).as_quat()
        pose = find_pose(x)
        gaps = [corner_gap(x, p, pose, corner) for corner in CORNERS]
        assert body_gap(x, p, pose) == min(*gaps, CLEAR_CORNER_HEIGHT)
        low += min(gaps) < 0.0
    assert 10 < low < 290


def rotation_of(run, row):
    return Rotation.from_quat([run[f"q_{a}"][row] for a in "xyzw"])


def ground_on_body(run, row, terrain):
    """Force in W, torque about the centre in B, from the formulas of the page."""
    rotation = rotation_of(run, row)
    arms = rotation.apply(PLACES)
    centre, velocity, omega = (np.array([run[f"{name}_{a}"][row] for a in "xyz"]) for name in ("r", "v", "omega"))
    force, torque = np.zeros(3), np.zeros(3)
    for arm in arms:
        x, y, z = centre + arm
        rise, a2, a3 = (terrain.get(f"terrain_arg{k}", 0.0) for k in (1, 2, 3))
        depth = rise * np.sin(a2 * x) * np.cos(a3 * y) - z
        if depth <= 0.0:
            continue
        up = np.array([-rise * a2 * np.cos(a2 * x) * np.cos(a3 * y), rise * a3 * np.sin(a2 * x) * np.sin(a3 * y), 1.0])
        u = velocity + np.cross(omega, arm)
        rate = 2.0 * -up @ u
        lift = STIFFNESS * depth * (rate + np.sqrt(1.0 + rate**2)) * up
        along = u - (u @ up) / (up @ up) * up
        limit, viscous = 0.5 * np.linalg.norm(lift), CREEP * np.linalg.norm(along)
        on_corner = lift - limit * CREEP * along / np.hypot(limit, viscous)
        force += on_corner
        torque += np.cross(arm, on_corner)
    return force, rotation.inv().apply(torque)


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", [0, 3, 8, 23])
def test_motor_work_is_the_change_of_energy_and_the_losses(seed):
    parameters, inputs, initial = thrown_robot(seed)
    run = simulate(
        "hexapod",
        parameters={**parameters, "flight_reaction": 1},
        inputs=inputs,
        initial=initial,
        final_time=1.2,
        rtol=1e-9,
        max_transitions=10**6,
    )
    assert run.status is Status.FINAL_TIME
    assert run.events.count("body_down") > 0
    spent = run["energy"] + sum(run[f"{kind}_loss"] for kind in ("damper", "friction", "impact"))
    lost = run["damper_loss"][-1] + run["friction_loss"][-1]
    assert lost > 10.0
    assert np.ptp(spent - run["motor_work"]) < 1e-6 * (lost + run["motor_work"][-1])


@pytest.mark.members(3)
@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(k, marks=pytest.mark.exhaustive) for k in range(6, 100))])
def test_a_robot_that_is_thrown_goes_on_without_failure(seed):
    run = run_of(thrown_robot(seed), 3.0)
    assert run.status is Status.FINAL_TIME, run.message
    assert run.events.count("body_down") > 0
    assert most_events(run) <= 30
    assert pushes(run).min() > -1e-8  # the ground never pulls
    drags = np.array([run[f"corner_drag{corner}"] for corner in CORNERS])
    assert np.all(drags <= 0.5 * pushes(run) + 1e-8)
    settled = run.t > 2.0
    assert run["r_z"][settled].min() > np.min(run["r_z"] - run["clearance"])  # above the lowest ground
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-8


def test_a_mirrored_fall_mirrors():
    start = {"r_z": 0.4, "v_x": 0.5, "roll": 2.0, "omega_y": 4.0, "omega_z": 1.0, "v_y": 0.4, "pitch": 0.3}
    mirrored = {**start, "v_x": -0.5, "roll": -2.0, "omega_y": -4.0, "omega_z": -1.0}
    one, other = (free_fall(0.8, rtol=1e-10, initial=initial) for initial in (start, mirrored))
    assert one.events.count("body_down") > 0
    np.testing.assert_allclose(one["r_x"][-1], -other["r_x"][-1], atol=1e-7)
    np.testing.assert_allclose(one["r_y"][-1], other["r_y"][-1], atol=1e-7)
    beside = [corner ^ 1 for corner in CORNERS]
    np.testing.assert_allclose(pushes(one)[:, -1], pushes(other)[beside, -1], atol=1e-3)


def test_legs_that_turn_lift_it_again():
    to_the_rear = {f"posture{leg}": -0.5 * np.pi for leg in LEGS}
    simulation = Simulation("hexapod", parameters={"control_type": "held", **to_the_rear}, initial={"r_z": 0.1})
    simulation.advance(3.0)
    assert simulation["r_z"] == pytest.approx(0.5 * HEIGHT, abs=1e-3)
    assert sum(simulation[f"corner_push{corner}"] for corner in CORNERS) == pytest.approx(MASS * GRAVITY, rel=1e-3)
    simulation.inputs.update({f"voltage{leg}": -8.0 for leg in LEGS})
    heights, pressed = [], []
    for t in np.arange(3.0, 4.0, 0.02):
        simulation.advance(t)
        heights.append(simulation["r_z"])
        pressed.append(sum(simulation[f"corner_push{corner}"] for corner in CORNERS))
    assert max(heights) > 2.0 * 0.5 * HEIGHT
    assert min(pressed) == 0.0


@pytest.mark.members(1)
@pytest.mark.parametrize(("begin", "record"), [(0.0, True), (1e6, True), (1e6, {"period": 0.01})], ids=str)
def test_a_fall_is_a_solution_of_the_model_at_any_time(begin, record):
    parameters, inputs, initial = thrown_robot(3)
    run = simulate(
        "hexapod",
        parameters=parameters,
        inputs=inputs,
        initial=initial,
        initial_time=begin,
        final_time=begin + 0.7,
        rtol=1e-6,
        record=record,
    )
    assert run.events.count("body_down") > 0
    assert verify(run).ok


def test_the_rim_of_a_ditch_that_comes_up_between_the_corners_is_counted_as_a_warning():
    run = run_of(thrown_robot(25), 1.0)
    assert run.status is Status.FINAL_TIME
    name = "warning: the body's centre is below the ground, which came up between its corners"
    assert (run.statistics[name] > 0) == (run["clearance"].min() < 0.0)
    assert run.statistics[name] > 0


def test_without_stiffness_the_run_ends_as_the_body_falls_through_the_ground():
    run = dropped(2.0, initial=UPSIDE_DOWN, body_stiffness=0.0)
    assert not run.status.ok
    assert "body toppled over: its centre is below the ground" in run.message
    assert abs(run["clearance"][-1]) < 1e-9


@pytest.mark.exhaustive
@pytest.mark.slow
def test_derivatives_through_a_landing_are_those_of_differences():
    def landed(speed, stiffness=STIFFNESS):
        start = {"r_z": 0.2, "roll": 2.9, "omega_y": 1.0, "v_x": speed, "charge": 0.0}
        return simulate(
            "hexapod",
            parameters={"body_stiffness": stiffness},
            inputs={"phi_o": 0.5 * np.pi},  # legs lie along the body
            initial=start,
            final_time=0.25,
            rtol=1e-10,
            atol=1e-13,
            record=True,
        )

    run = landed(0.3)
    names = [name for event in run.events for name in event.boundaries]
    assert names.count("body_down") == 1
    assert names.count("corner4") == 2  # it leaves the ground, and lands again
    computed = np.asarray(sensitivity(run, ["v_x", "body_stiffness"]).final)
    for column, (step, one, other) in enumerate(
        [(1e-4, landed(0.3 + 1e-4), landed(0.3 - 1e-4)), (50.0, landed(0.3, 50050.0), landed(0.3, 49950.0))]
    ):
        difference = (one.x[-1] - other.x[-1]) / (2.0 * step)
        # Central differences err by step^2 / 6 times the third derivative, and by 1e-12 / step.
        np.testing.assert_allclose(computed[:, column], difference, atol=1e-6 * np.abs(difference).max())
