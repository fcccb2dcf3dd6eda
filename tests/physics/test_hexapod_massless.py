"""Toes without mass: in flight their legs rest on springs and dampers; the limit of light toes."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hybridsim import ConfigError, Status, simulate

from .hexapod_robots import most_events, random_robot, run_of, thrown_robot
from .hexapod_runs import COULOMB, CREEP, LEGS, SETTINGS, WEAK, defaults, drive, walk

START = np.array([0.0, 0.0, 1.0])
STRETCH, BEND, AHEAD = -0.01, 0.08, 0.2  # of all legs at the start, from rest and from the reference [m, rad, rad]


def toes_off_rest(turn):
    """The initial toes of a body at START with the attitude `turn`."""
    values, toes = defaults(), {}
    for i in LEGS:
        rho, theta = values[f"rho{i}_r0"] + STRETCH, values[f"theta{i}_r0"] + BEND
        phi = reference_of(i)[0] - AHEAD
        leg = (math.sin(theta), math.cos(theta) * math.sin(phi), -math.cos(theta) * math.cos(phi))
        arm = np.array([values[f"attach{i}_{a}"] for a in "xyz"]) + rho * np.array(leg)
        toes |= dict(zip((f"f{i}_{a}" for a in "xyz"), turn.apply(arm) + START, strict=True))
    return toes


def reference_of(leg):
    """phi_ref and its rate, at the start of setting 2: tripod {0, 2, 4} swings slowly, the other fast."""
    t_c, duty, phi_s, phi_o = SETTINGS["2"][:4]
    if leg % 2 == 0:
        return phi_o, -phi_s / (duty * t_c)
    return phi_o - math.pi, -(2 * math.pi - phi_s) / ((1.0 - duty) * t_c)


@pytest.mark.parametrize("t0", [0.0, 1e6])
def test_legs_in_flight_relax_as_springs_and_dampers_do_whatever_the_body_does(t0):
    values, turn = defaults(), Rotation.from_rotvec([0.3, -0.5, 1.0])
    start = {f"q_{a}": q for a, q in zip("xyzw", turn.as_quat(), strict=True)}
    start |= {"r_y": 0.0, "r_z": 1.0, "v_x": 0.7, "omega_x": 2.0, "omega_z": 3.0, "posed": 1.0}
    run = simulate(
        "hexapod",
        initial_time=t0,
        final_time=t0 + 0.08,
        rtol=1e-9,
        record={"period": 0.005},
        parameters={"leg_mass": 0.0, "g": 0.0, "max_torque": 100.0, "max_speed": 1e6},
        inputs=drive(*SETTINGS["2"][:4]),
        initial=start | toes_off_rest(turn),
    )
    assert run.status.ok, run.message
    assert not len(run.events)
    t = run.t - t0
    for i in LEGS:
        length = STRETCH * np.exp(-values[f"rho{i}_k"] / values[f"rho{i}_d"] * t)
        np.testing.assert_allclose(run[f"rho{i}"] - values[f"rho{i}_r0"], length, atol=3e-8)
        bend = BEND * np.exp(-values[f"theta{i}_k"] / values[f"theta{i}_d"] * t)
        np.testing.assert_allclose(run[f"theta{i}"] - values[f"theta{i}_r0"], bend, atol=3e-7)
        # k_p (ref - phi) + k_d (refdot - phidot) = hip_damping phidot
        (ref, rate), damping = reference_of(i), 0.6727 + values["hip_damping"]
        behind = values["hip_damping"] * rate / 24.03
        lag = behind + (AHEAD - behind) * np.exp(-24.03 / damping * t)
        off = run[f"phi{i}"] - (ref + rate * t - lag)
        np.testing.assert_allclose((off + math.pi) % (2 * math.pi) - math.pi, 0.0, atol=1e-6)


@pytest.mark.members(1)
@pytest.mark.parametrize("law", [CREEP, COULOMB], ids=str)
def test_light_toes_tend_to_massless_ones(law):
    body = {
        mass: walk(0.5, rtol=1e-7, inputs=drive(*SETTINGS["2"][:4]), leg_mass=mass, **law).x[-1][:13]
        for mass in (1e-3, 1e-4, 0.0)
    }
    apart = [np.abs(body[mass] - body[0.0]).max() for mass in (1e-3, 1e-4)]
    assert apart[0] / apart[1] == pytest.approx(10.0, rel=0.25)


@pytest.mark.parametrize("law", [CREEP, COULOMB], ids=str)
def test_massless_toes_are_pushed_only_and_stay_within_the_cone(law):
    run = walk(2.0, inputs=drive(*SETTINGS["2"][:4]), leg_mass=0.0, **law)
    assert run.status.ok, run.message
    assert not run["toe_energy"].any()
    assert not run["impact_loss"].any()
    for i in LEGS:
        assert run[f"push{i}"].min() > -1e-6
        flies = run[f"stance{i}"] == 0
        assert flies.any()
        np.testing.assert_array_equal(run[f"push{i}"][flies], 0.0)
        assert np.abs(run[f"torque{i}"][flies] - defaults()["hip_damping"] * run[f"phidot{i}"][flies]).max() < 1e-10
        if law is COULOMB:
            assert np.all(run[f"drag{i}"] <= 0.5 * run[f"push{i}"] + 1e-6)


@pytest.mark.parametrize("damping", [0.0, 0.001, 0.05])
def test_a_fast_reference_is_followed_no_faster_than_the_motor_turns(damping):
    no_load, stall = defaults()["max_speed"] * 2 * math.pi / 60 / defaults()["gear"], defaults()["max_torque"]
    fastest = stall / (stall / no_load + damping)  # stall (1 - phidot / no_load) = damping phidot
    clock = drive(0.2, 0.6, 0.6, -0.15)
    assert (2 * math.pi - 0.6) / (0.4 * 0.2) > no_load
    run = walk(0.05, leg_mass=0.0, g=0.0, initial={"r_z": 1.0}, inputs=clock, hip_damping=damping)
    assert np.abs(run["phidot1"]).max() == pytest.approx(fastest, rel=1e-9)


def test_dampers_that_vanish_at_rest_length_are_refused():
    with pytest.raises(ConfigError, match="leg_mass=0 needs damping=linear"):
        walk(0.1, leg_mass=0.0, **WEAK)


def test_toes_that_are_nearly_massless_are_refused():
    with pytest.raises(ConfigError, match="leg_mass is so small that steps would be of microseconds; write 0, or"):
        walk(0.1, leg_mass=1e-6)


@pytest.mark.parametrize("family", [random_robot, thrown_robot])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.exhaustive) for k in range(2, 30))])
def test_massless_toes_do_not_squeal(seed, family):
    run = run_of(family(seed), 3.0, leg_mass=0.0, damping="linear")
    assert run.status is Status.FINAL_TIME, run.message
    assert most_events(run) <= 30
