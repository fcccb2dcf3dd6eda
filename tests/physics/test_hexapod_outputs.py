"""The outputs of the hexapod that its users compare with sensors, against differences of the recorded flow."""

import numpy as np
import pytest

from hybridsim import simulate

from .hexapod_runs import HILLS, LEGS, ON_A_HILL, defaults
from .hexapod_samples import Sampled


@pytest.fixture(scope="module", params=[0, 1], ids=["standing legs load the body", "all legs do"])
def sampled(request):
    """Half a second of the default gait uphill, every step recorded, and whether legs in flight load the body."""
    run = simulate(
        "hexapod",
        final_time=0.5,
        rtol=1e-8,
        initial=ON_A_HILL,
        parameters={**HILLS, "flight_reaction": request.param},
    )
    assert run.status.ok
    return Sampled(run)


def test_the_accelerometer_and_the_gyroscope_read_what_the_body_does(sampled):
    gravity = np.array([0.0, 0.0, 9.81])
    read = [instant.vector("accelerometer_{}") for instant in sampled]
    felt = [instant.rotation.T @ (instant.slope("v_{}") + gravity) for instant in sampled]
    assert np.ptp(np.linalg.norm(felt, axis=1)) > 5.0
    np.testing.assert_allclose(read, felt, atol=1e-4)
    turning = [instant.rotation.T @ instant.vector("omega_{}") for instant in sampled]
    np.testing.assert_allclose([instant.vector("gyro_{}") for instant in sampled], turning, atol=1e-12)


@pytest.mark.members(1)
def test_the_rates_of_legs_are_those_of_their_coordinates(sampled):
    for instant in sampled:
        for leg in LEGS:
            toe = instant.slope(f"f{leg}_{{}}")
            arm = instant.vector(f"f{leg}_{{}}") - instant.vector("r_{}")
            rate = toe - instant.vector("v_{}") - np.cross(instant.vector("omega_{}"), arm)
            rho, theta, phi = (instant[f"{name}{leg}"] for name in ("rho", "theta", "phi"))
            # Unit vectors of the polar coordinates, in B; the axis of theta is that of rising theta.
            e_rho = [np.sin(theta), np.cos(theta) * np.sin(phi), -np.cos(theta) * np.cos(phi)]
            e_theta = [np.cos(theta), -np.sin(theta) * np.sin(phi), np.sin(theta) * np.cos(phi)]
            e_phi = [0.0, np.cos(phi), np.sin(phi)]
            seen = np.array([e_rho, e_theta, e_phi]) @ instant.rotation.T @ rate
            exact = seen / np.array([1.0, rho, rho * np.cos(theta)])
            found = [instant[f"{name}{leg}"] for name in ("rhodot", "thetadot", "phidot")]
            np.testing.assert_allclose(found, exact, atol=2e-3, err_msg=f"leg {leg} at t = {instant['time']}")


def test_forces_of_the_ground_are_the_same_in_both_frames(sampled):
    for instant in sampled:
        for leg in LEGS:
            in_world, in_body = instant.vector(f"ground{leg}_{{}}"), instant.vector(f"contact{leg}_{{}}")
            np.testing.assert_allclose(in_body, instant.rotation.T @ in_world, atol=1e-11)


def test_what_motors_draw_is_what_they_do_and_what_heats_them(sampled):
    p = defaults()
    # U I = R I^2 + e I, and of e I the share torque_constant speed_constant is power at the leg.
    conversion = p["torque_constant"] * p["speed_constant"]
    drawn = 0.0
    for leg in LEGS:
        amperes, volts = (sampled.run[f"{name}{leg}"] for name in ("current", "terminal_voltage"))
        emf = sampled.run[f"back_emf{leg}"]
        np.testing.assert_allclose(volts - emf, p["armature_resistance"] * amperes, atol=1e-12)
        np.testing.assert_allclose(emf, p["gear"] * sampled.run[f"phidot{leg}"] / p["speed_constant"], atol=1e-12)
        heat_and_work = p["armature_resistance"] * amperes**2 + sampled.run[f"power{leg}"] / conversion
        np.testing.assert_allclose(sampled.run[f"electrical_power{leg}"], heat_and_work, rtol=1e-12, atol=1e-12)
        drawn = drawn + np.maximum(heat_and_work, 0.0)
    np.testing.assert_allclose(sampled.run["electrical_power"], drawn, rtol=1e-12)
    effort = p["body_mass"] * p["g"] * np.maximum(np.abs(sampled.run["speed"]), 1e-3)
    np.testing.assert_allclose(sampled.run["electrical_resistance"] * effort, drawn, rtol=1e-12)


def test_the_range_is_the_way_on_the_charge_that_is_left(sampled):
    for instant in sampled:
        speed = np.hypot(instant["v_x"], instant["v_y"])
        assert instant["ground_speed"] == pytest.approx(speed, rel=1e-15)
        assert 1e3 * instant["range"] * -instant.slopes["charge"] == pytest.approx(instant["charge"] * speed, rel=1e-2)
