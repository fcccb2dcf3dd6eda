"""The forces of the ground that the hexapod reports, against the rates of its momentum and angular momentum."""

import numpy as np
import pytest

from hybridsim import simulate

from .hexapod_robots import random_robot, thrown_robot
from .hexapod_runs import COULOMB, CREEP, HILLS, LEGS, ON_A_HILL, SETTINGS, WEAK, defaults, drive
from .hexapod_samples import Sampled

VARIANTS = {
    "creep": CREEP,
    "coulomb": COULOMB,
    "weak dampers": CREEP | WEAK,
    "massless toes": CREEP | {"leg_mass": 0.0},
    "heavy toes": CREEP | {"leg_mass": 0.1},
    "hardly any lag": CREEP | {"slip_lag": 5e-5},
    "legs in flight load the body": CREEP | {"flight_reaction": 1},
}


def sampled(seconds, robot=({}, {}, {}), **changes):
    """Rows of a run of parameters, inputs and initial state, each step of which is recorded."""
    parameters, inputs, initial = robot
    run = simulate(
        "hexapod",
        final_time=seconds,
        rtol=1e-8,
        max_transitions=10**5,
        parameters=parameters | changes,
        inputs=inputs,
        initial=initial,
    )
    assert run.status.ok, run.message
    return Sampled(run)


def momentum_rates(instant, p, inputs):
    """Rates of momentum, and of angular momentum about the origin of W, less what weight and push do."""
    r, omega = instant.vector("r_{}"), instant.vector("omega_{}")
    inertia = instant.rotation @ np.diag([p["J_11"], p["J_22"], p["J_33"]]) @ instant.rotation.T
    about_centre = inertia @ instant.slope("omega_{}") + np.cross(omega, inertia @ omega)
    push = np.array([inputs.get(f"force_{a}", 0.0) for a in "xyz"])
    force = p["body_mass"] * (instant.slope("v_{}") + np.array([0.0, 0.0, p["g"]])) - push
    moment = about_centre + np.cross(r, force)
    if p["flight_reaction"]:
        for leg in LEGS:
            if not instant[f"stance{leg}"]:
                of_toe = p["leg_mass"] * instant.slope(f"fdot{leg}_{{}}")
                force, moment = force + of_toe, moment + np.cross(instant.vector(f"f{leg}_{{}}"), of_toe)
    return force, moment


def check_laws(samples, p, inputs):
    """Compare; return the largest force that the inertia of a toe takes."""
    largest = 0.0
    for instant in samples:
        force, moment = momentum_rates(instant, p, inputs)
        on_body = {leg: instant.vector(f"ground{leg}_{{}}") for leg in LEGS}
        found = sum(on_body.values()) + instant.vector("body_ground_{}")
        size = 1.0 + np.linalg.norm(found)
        np.testing.assert_allclose(found, force, rtol=0, atol=3e-5 * size, err_msg=f"t = {instant['time']}")
        if not instant.vector("body_ground_{}").any():
            turning = sum(np.cross(instant.vector(f"f{leg}_{{}}"), on_body[leg]) for leg in LEGS)
            np.testing.assert_allclose(turning, moment, rtol=0, atol=3e-5 * size)
        for leg in LEGS:
            largest = max(largest, np.linalg.norm(instant.vector(f"inertia{leg}_{{}}")))
    return largest


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("name", "setting"),
    [(name, str(i % 4)) for i, name in enumerate(VARIANTS)],
    ids=lambda value: value.replace(" ", "-"),
)
def test_the_ground_gives_the_rate_of_momentum_while_toes_slip(name, setting):
    t_c, duty, phi_s, phi_o, _ = SETTINGS[setting]
    inputs = drive(t_c, duty, phi_s, phi_o) | {"force_x": 2.0, "force_y": -3.0, "force_z": 4.0}
    p = defaults(**VARIANTS[name], **HILLS)
    samples = sampled(0.6, ({}, inputs, ON_A_HILL), **VARIANTS[name], **HILLS)
    assert any(instant[f"slipping{leg}"] for instant in samples for leg in LEGS)
    largest = check_laws(samples, p, inputs)
    assert largest > 0.1  # [N]; without the toe's own inertia the law would be off by that


@pytest.mark.parametrize("family", [random_robot, thrown_robot])
@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(4, 12))])
def test_so_it_does_under_random_robots(family, seed):
    robot = family(seed)
    check_laws(sampled(0.5, robot), defaults(**robot[0]), robot[1])


def test_ground_and_inertia_together_are_push_and_friction_on_the_toe():
    """The friction of the ground is against the velocity of the toe, and of the size `drag`."""
    for instant in sampled(0.5, **CREEP):
        for leg in LEGS:
            on_toe = instant.vector(f"ground{leg}_{{}}") + instant.vector(f"inertia{leg}_{{}}")
            assert on_toe[2] == pytest.approx(instant[f"push{leg}"], abs=1e-9)
            velocity = instant.slope(f"f{leg}_{{}}")[:2]
            if instant[f"slipping{leg}"] and np.linalg.norm(velocity) > 1e-3:
                along = velocity / np.linalg.norm(velocity)
                np.testing.assert_allclose(on_toe[:2], -instant[f"drag{leg}"] * along, rtol=0, atol=1e-4 * on_toe[2])
            else:
                assert not instant.vector(f"inertia{leg}_{{}}").any() or instant[f"slipping{leg}"]


@pytest.mark.parametrize("first", [0.0, 1e9])
def test_in_the_slowest_setting_the_impulse_of_the_ground_is_the_momentum_that_the_body_gains(first):
    t_c, duty, phi_s, phi_o, _ = SETTINGS["0"]
    run = simulate(
        "hexapod",
        initial_time=first,
        final_time=first + 2.0,
        rtol=1e-7,
        max_transitions=10**5,
        parameters={**CREEP},
        inputs=drive(t_c, duty, phi_s, phi_o),
    )
    assert run.status.ok, run.message
    gained = 7.0 * (run["v_y"][-1] - run["v_y"][0])
    assert gained > 1.0
    impulse = sum(np.trapezoid(run[f"ground{leg}_y"], run.t) for leg in LEGS)
    friction = impulse + sum(np.trapezoid(run[f"inertia{leg}_y"], run.t) for leg in LEGS)
    assert impulse == pytest.approx(gained, abs=5e-3)
    assert abs(friction - gained) > 0.2
