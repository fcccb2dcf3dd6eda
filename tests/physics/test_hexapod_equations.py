"""The hexapod's equations against independent ones, conservation laws, and the limits of its motors."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hybridsim import Simulation, load_model

from .hexapod_reference import Reference
from .hexapod_runs import (
    COULOMB,
    CREEP,
    HILLS,
    LEGS,
    ON_A_HILL,
    WEAK,
    defaults,
    free_fall,
    walk,
)


@pytest.mark.members(1)
@pytest.mark.parametrize("reaction", [0, 1])
def test_a_fall_onto_the_legs_agrees_with_independent_equations_and_scipy(reaction):
    # Legs stand from the start, so the chart does not change while they are compressed.
    start = {"r_z": 0.16, "v_z": -0.2, "v_y": 0.1, "omega_x": 0.5, "omega_z": -0.3, "roll": 0.02}
    changes = {"flight_reaction": reaction, "friction_coeff": 50.0, **{f"theta{i}_r0": 0.0 for i in LEGS}}
    run = free_fall(0.03, initial=start, **changes, posture4=2.5, rtol=1e-10)
    stance = [run["stance" + str(i)][0] > 0 for i in LEGS]
    assert stance == [True] * 4 + [False, True]
    assert not len(run.events)
    first = [run[name][0] for name in load_model("hexapod").states.names[:49]]
    reference = Reference(defaults(**changes), lambda leg, phi, phidot: 0.0)
    solution = solve_ivp(reference.derivative, (0, 0.03), first, "DOP853", args=(stance,), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(run.x[-1][:49], solution.y[:, -1], atol=2e-8)


def test_body_momentum_is_conserved_when_it_floats():
    run = walk(1.0, g=0.0, initial={"v_x": 0.3, "v_z": 0.1, "omega_x": 1.0, "omega_y": 0.4, "r_z": 1.0})
    inertia = np.diag([0.09917, 0.02917, 0.11700])
    for row in (0, -1):
        q = [run[f"q_{a}"][row] for a in "wxyz"]
        rotation = Reference({}, None).rotation(q)
        omega = np.array([run[f"omega_{a}"][row] for a in "xyz"])
        turning = rotation @ inertia @ rotation.T @ omega
        if row == 0:
            first = turning
    np.testing.assert_allclose(turning, first, atol=2e-6)
    np.testing.assert_allclose([run[f"momentum_{a}"][-1] for a in "xyz"], [2.1, 0.0, 0.7], atol=1e-12)


def test_total_momentum_is_conserved_in_flight_when_swinging_legs_react():
    run = walk(0.9, rtol=1e-9, g=0.0, flight_reaction=1, initial={"v_x": 0.3, "r_z": 1.0})
    assert np.ptp(run["v_y"]) > 1e-3  # the body is shaken by its legs
    for axis in "xyz":
        assert np.ptp(run[f"momentum_{axis}"]) < 1e-8


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        CREEP | {"leg_mass": 0.0},
        COULOMB | {"terrain": "sloped", "terrain_arg2": -0.1},
        WEAK | HILLS,
        *(
            pytest.param(each, marks=pytest.mark.exhaustive)
            for each in (
                CREEP,
                COULOMB,
                COULOMB | WEAK,
                {"terrain": "sloped", "terrain_arg1": 0.05, "terrain_arg2": 0.1},
            )
        ),
    ],
    ids=str,
)
def test_the_work_of_the_motors_is_the_change_of_energy_and_the_losses(changes):
    run = walk(3.0, rtol=1e-9, flight_reaction=1, initial=ON_A_HILL, **changes)
    assert run.status.ok, run.message
    assert run["friction_loss"][-1] > 1.0
    spent = run["energy"] + sum(run[f"{kind}_loss"] for kind in ("damper", "friction", "impact"))
    closure = spent - run["motor_work"]
    assert np.ptp(closure) < 1e-6 * run["motor_work"][-1]


def test_a_push_gives_the_body_its_impulse_and_its_work():
    pushed = {"force_x": 8.0, "force_y": -11.0, "force_z": 40.0}
    simulation = Simulation(
        "hexapod", parameters={"g": 0.0, "flight_reaction": 1}, initial={"v_x": 0.3, "r_z": 1.0}, rtol=1e-9
    )
    simulation.advance(0.2)
    simulation.inputs.update(pushed)
    simulation.advance(0.5)
    simulation.inputs.update(dict.fromkeys(pushed, 0.0))
    simulation.advance(0.6)
    run = simulation.result()
    for axis in "xyz":
        assert np.ptp(run[f"momentum_{axis}"]) == pytest.approx(abs(pushed[f"force_{axis}"]) * 0.3, rel=1e-6)
    closure = run["energy"] + run["damper_loss"] + run["impact_loss"] - run["motor_work"]
    assert np.ptp(closure) < 1e-6 * np.ptp(run["energy"])


def test_motors_stay_within_their_line_of_torque_over_speed(gait):
    no_load = 10000 * 2 * math.pi / 60 / 33.0625
    for leg in LEGS:
        torque, power = gait[f"torque{leg}"], gait[f"power{leg}"]
        assert np.abs(torque).max() <= 4.0
        drives = power > 1e-6
        speed = np.abs(power[drives] / torque[drives])
        assert np.all(np.abs(torque[drives]) <= 4.0 * (1 - speed / no_load) + 1e-9)


def test_an_empty_battery_stops_the_motors():
    run = walk(1.0, battery_capacity=1e-3)
    assert run.events.count("battery_empty") == 1
    empty = run["charge"] == 0.0
    assert empty.any()
    assert np.abs(run["torque0"][empty]).max() < 1e-12  # friction of the gear has been added and subtracted


def test_it_stands_as_high_as_its_springs_balance_its_weight():
    upright = {f"theta{i}_r0": 0.0 for i in LEGS}
    run = free_fall(1.5, initial={"r_z": 0.165}, rtol=1e-8, **upright)
    stiffness = 4 * 1200.0 + 2 * 1600.0
    assert run["r_z"][-1] == pytest.approx(0.17 - 7.0 * 9.81 / stiffness, abs=1e-5)
    assert run["ground_force"][-1] == pytest.approx(7.0 * 9.81, rel=1e-3)


def test_event_times_converge_with_the_tolerance():
    def times(rtol):
        return walk(0.5, rtol=rtol).events.t[:20]

    exact = times(1e-11)
    errors = [np.abs(times(rtol) - exact).max() for rtol in (1e-5, 1e-7, 1e-9)]
    assert errors[0] > 3 * errors[1] > 9 * errors[2]
    assert errors[2] < 1e-7
