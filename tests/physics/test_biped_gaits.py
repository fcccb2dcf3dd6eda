"""Gaits and pushes of the biped against those of an independent prototype of the same body and control law.

The prototype (numeric Kane equations, RK4 with steps of 1 ms, a sample every 2 ms) walked with the figures below. The
bands are: speed 3 %, peaks 15 %, pushes 20 %.
"""

from typing import NamedTuple

import numpy as np
import pytest

import hybridsim

WEIGHT = 73.0 * 9.81
FASTER = {
    "step_length": 0.5,
    "single_time": 0.5,
    "double_time": 0.16,
    "walk_height": 0.955,
    "bounce": 0.015,
    "start_height": 0.955,
}
TANDEM = {
    "steps": 0,
    "start_step": 0.22 + 0.1894,  # 0.22 m from toe 1 to heel 2
    "start_pitch1": 0.3,
    "start_pitch2": -0.2,
    "start_cop": 0.0947,
    "start_height": 0.95,
    "walk_height": 0.95,
}


class Figures(NamedTuple):
    """What the prototype found: speed [m/s], friction, yaw moment [N m], torques about y and at the hip [N m/kg]."""

    speed: float
    friction: float
    yaw_moment: float
    ankle: float
    knee: float
    hip: float
    hip_x: float
    knee_angles: tuple[float, float]
    load: tuple[float, float]
    margin: float = 0.025
    """Least distance of a centre of pressure to an edge of its sole that is accepted in single support [m]."""


WALK = Figures(0.489, 0.11, 15.0, 1.30, 1.40, 0.74, 0.76, (29.0, 60.0), (0.94, 1.06))
GAITS = {
    "walk": ({}, WALK),
    "kajita": ({"preview": "kajita"}, WALK),
    "faster": (
        FASTER,
        Figures(0.747, 0.18, 26.0, 1.40, 1.79, 1.39, 0.78, (24.0, 63.0), (0.86, 1.14), 0.02),
    ),  # prototype: 0.029
}


def run_of(final_time, record=False, **parameters):
    return hybridsim.simulate("biped", parameters=parameters, final_time=final_time, method="tsit5", record=record)


class Walk(NamedTuple):
    """A run, the rows at which steps land, and which rows belong to steps that repeat."""

    run: object
    landings: np.ndarray
    steady: slice
    figures: Figures


OTHER_GAITS = [pytest.param(each, marks=pytest.mark.exhaustive) for each in ("kajita", "faster")]


@pytest.fixture(scope="module", params=["walk", *OTHER_GAITS])
def walk(request):
    parameters, figures = GAITS[request.param]
    run = run_of(24.0, **parameters)  # a row before and after each of the controller's samples, every 2 ms
    assert run.status.ok
    phase = run["walk_phase"]
    landings = np.flatnonzero((phase[:-1] == 2) & (phase[1:] == 3)) + 1
    return Walk(run, landings, slice(landings[6], landings[-5]), figures)


def test_it_makes_24_steps_that_become_alike_and_comes_to_rest(walk):
    run = walk.run
    feet = np.maximum(run["heel_right_x"], run["heel_left_x"])[walk.landings]
    assert len(feet) == 24
    lengths, durations = np.diff(feet), np.diff(run.t[walk.landings])
    assert np.ptp(lengths[-9:-4]) < 0.02 * np.mean(lengths)
    assert np.mean(lengths[6:-4]) / np.mean(durations[6:-4]) == pytest.approx(walk.figures.speed, rel=0.03)
    assert abs(run["com_vx"][-1]) < 1e-3


def test_soles_and_friction_have_the_margins_of_the_prototype(walk):
    run, steady = walk.run, walk.steady
    single = run["walk_phase"][steady] == 2
    assert np.min(run["sole_margin"][steady][single]) > walk.figures.margin
    assert np.max(run["friction_used"][steady]) == pytest.approx(walk.figures.friction, rel=0.15)
    assert np.max(np.abs(run["tz1"][steady])) == pytest.approx(walk.figures.yaw_moment, rel=0.15)
    assert np.min(run["fz1"][steady]) > 5.0
    assert np.min(run["fz2"][steady][~single]) > 5.0
    total = (run["fz_right"] + run["fz_left"])[steady] / WEIGHT
    low, high = walk.figures.load
    assert np.min(total) == pytest.approx(low, abs=0.15 * (1.0 - low))
    assert np.max(total) == pytest.approx(high, abs=0.15 * high)


def test_joints_have_the_torques_and_angles_of_the_prototype(walk):
    run, steady, figures = walk.run, walk.steady, walk.figures
    for joint, peak in (("ankle", figures.ankle), ("knee", figures.knee), ("hip", figures.hip)):
        assert np.max(np.abs(run[f"{joint}_torque_left"][steady])) / 73.0 == pytest.approx(peak, rel=0.15)
    sideways = max(np.max(np.abs(run[f"torque_hip{leg}_x"][steady])) for leg in (1, 2))
    assert sideways / 73.0 == pytest.approx(figures.hip_x, rel=0.15)
    angles = np.degrees(run["knee_right"][steady])
    assert (np.min(angles), np.max(angles)) == pytest.approx(figures.knee_angles, abs=2.0)


def test_a_sample_every_10_ms_is_enough_to_walk():
    run = run_of(9.0, steps=6, sample_time=0.01)
    assert run.status.ok
    assert run["steps_to_go"][-1] == 0.0


@pytest.mark.exhaustive  # `test_biped_walk` has one half as tall
@pytest.mark.members(1)
@pytest.mark.parametrize(
    "change",
    [
        {"hat_factor": 1.1, "hat_shift": 0.02, "inertia_factor": 1.2},
        {"hat_factor": 0.9},
        {"hat_factor": 1.1},
        {"hat_shift": 0.02},
        {"inertia_factor": 1.2},
    ],
)
def test_another_body_than_the_controller_believes_in_walks(change):
    run = run_of(9.0, steps=6, **change)
    assert run.status.ok
    assert run["steps_to_go"][-1] == 0.0


DIRECTIONS = {"forward": (1.0, 0.0), "back": (-1.0, 0.0), "left": (0.0, 1.0), "right": (0.0, -1.0)}
PUSHES = {
    "standing": (6.0, {"steps": 0}, {"forward": 328.0, "back": 141.0, "left": 234.0, "right": 234.0}),
    "hinged": (6.0, {"steps": 0, "feet": "hinged"}, {"forward": 325.0, "back": 150.0, "left": 238.0, "right": 238.0}),
    "tandem": (6.0, TANDEM, {"forward": 103.0, "back": 103.0, "left": 75.0, "right": 75.0}),
    # into the third step on the left foot, when it walks steadily
    "walk": (
        12.0,
        {"steps": 8, "push_start": 4.8},
        {"forward": 288.0, "back": 275.0, "left": 75.0, "right": 100.0},
    ),
    "faster": (
        11.0,
        {"steps": 9, "push_start": 4.194, **FASTER},
        {"forward": 338.0, "back": 300.0, "left": 75.0, "right": 113.0},
    ),
}
DIRECTIONS_OF = {
    "standing": ("back",),
    "hinged": (),
    "tandem": ("left",),
    "walk": ("left",),
    "faster": (),
}
CASES = [
    pytest.param(name, direction, marks=() if direction in DIRECTIONS_OF[name] else pytest.mark.exhaustive)
    for name in PUSHES
    for direction in DIRECTIONS
]
"""Standing along, in tandem across, and walking across."""


@pytest.mark.exhaustive  # pushes of the config are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(("name", "direction"), CASES)
def test_it_bears_pushes_as_hard_as_the_prototype_does(name, direction):
    final_time, parameters, table = PUSHES[name]
    x, y = DIRECTIONS[direction]
    for factor, survives in ((0.8, True), (1.25, False)):
        size = factor * table[direction]
        run = run_of(final_time, push_x=size * x, push_y=size * y, **parameters)
        assert run.status.name == ("FINAL_TIME" if survives else "LEFT_CHART"), run.message
        if survives:
            assert np.hypot(run["com_vx"][-1], run["com_vy"][-1]) < 0.02


@pytest.mark.parametrize("policy", ["warn", "release"])
def test_a_foot_that_would_be_pulled_is_a_warning_or_leaves_the_ground_if_that_is_asked_for(policy):
    """Lifted at its trunk with more than its weight, it stands no longer."""
    lifted = {"steps": 0, "push_z": 1.2 * WEIGHT, "on_slip": "warn", "on_roll": "warn", "on_tip": "warn"}
    run = run_of(1.07, 0.002, on_lift=policy, **lifted)
    assert run.status.ok
    if policy == "warn":
        assert np.min(run["fz1"]) < 0.0
    else:
        assert run["fz1"][-1] == run["fz2"][-1] == 0.0
        assert run["com_vz"][-1] > 0.0
    stopped = run_of(1.07, **(lifted | {"on_lift": "stop"}))
    assert "would have to pull" in stopped.message


@pytest.mark.exhaustive  # walks in which feet slip are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(
    "parameters",
    [{}, {"feet": "hinged"}, FASTER, {"preview": "kajita"}],
)
def test_a_walk_in_which_feet_can_leave_and_slip_is_the_same_if_none_does(parameters):
    """An impact may pull at a foot for a moment: it stays if it would not get clear of the ground."""
    policies = {"on_lift": "release", "on_slip": "slip"}
    held, free = (run_of(6.0, steps=3, **parameters, **given) for given in ({}, policies))
    assert held.status.ok
    assert free.status.ok
    assert min(held["impulse1_z"].min(), held["impulse2_z"].min()) < 0.0
    np.testing.assert_array_equal(free.x, held.x)


@pytest.mark.parametrize(
    "parameters", [{"start_height": 1.2}, {"start_step": 1.5}], ids=lambda given: next(iter(given))
)
def test_a_posture_that_cannot_be_is_refused(parameters):
    with pytest.raises(hybridsim.ConfigError, match="no such posture"):
        run_of(1.0, **parameters)


def test_a_smaller_body_needs_a_lower_walk():
    with pytest.raises(hybridsim.ConfigError, match="walk_height is above"):
        run_of(1.0, stature=1.6, mass=60.0, start_height=0.887)
    assert run_of(1.0, stature=1.6, mass=60.0, start_height=0.887, walk_height=0.887).status.ok


def test_a_push_of_no_force_is_none():
    run = run_of(1.3, steps=0)
    assert {name for event in run.events for name in event.boundaries} == {"sample"}


@pytest.mark.parametrize("name", ["mass", "stature", "g", "start_height"])
def test_masses_and_lengths_are_positive(name):
    with pytest.raises(hybridsim.ConfigError, match=name):
        run_of(1.0, **{name: -1.0})
