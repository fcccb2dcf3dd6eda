"""The walker in three dimensions: its gaits of docs/walkers.md, its planar limit, and what its collision keeps."""

import math
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Symmetry, find_orbit, load_config, simulate
from hybridsim.analysis.finding import find_orbit_of
from hybridsim_models.walkers import disk_feet

from .gait_tables import multipliers_of, tables

CONFIG = Path(__file__).parents[2] / "configs" / "walkers" / "disk_feet.yaml"
NAMES = ("heading", "lean", "theta_right", "headingdot", "leandot", "thetadot_right", "thetadot_left")
HEADING = "Disks for feet, in three dimensions"
GAITS, MULTIPLIERS = tables(HEADING)
MULTIPLIERS = {row["axle"].removeprefix("W = "): multipliers_of(row[[*row][1]]) for row in MULTIPLIERS}
MIRROR = Symmetry(
    negate=["heading", "lean", "headingdot", "leandot"],
    swap=[("theta_left", "theta_right"), ("thetadot_left", "thetadot_right")],
    charts={"right_leg_behind": "left_leg_behind", "right_leg_ahead": "left_leg_ahead"},
)
S, P, B, C = disk_feet.S, disk_feet.P, disk_feet.B, disk_feet.C


def orbit_near(width, state):
    return find_orbit("disk_feet", parameters={"W": width}, section="heelstrike", symmetry=MIRROR, initial=state)


@pytest.mark.parametrize("row", GAITS, ids=lambda row: f"W = {row['W']}")
def test_a_step_from_the_state_of_a_gait_ends_in_its_mirror_image(row):
    """Of its twelve digits the first multiplier, 25, leaves ten."""
    state = {name: float(row[name]) for name in NAMES}
    left = math.acos(math.cos(state["theta_right"]) + float(row["W"]) * math.tan(state["lean"]) / 0.7)
    begin, parameters = state | {"theta_left": left}, {"W": float(row["W"])}
    run = simulate("disk_feet", parameters=parameters, initial=begin, final_time=3.0, rtol=1e-12, atol=1e-14)
    (strike,) = (event for event in run.events if "heelstrike" in event.boundaries)
    after = dict(zip(run.states.names, strike.x_after, strict=True))
    other = {"theta_left": "theta_right", "thetadot_left": "thetadot_right"}
    other |= {right: left for left, right in other.items()}
    mirrored = [after[other[name]] if name in other else -after[name] for name in begin]
    np.testing.assert_allclose(mirrored, [*begin.values()], rtol=0, atol=1e-10)
    assert strike.t == pytest.approx(float(row["time"]), abs=1e-10)


@pytest.mark.exhaustive  # its derivatives are compiled for half a minute; the test above has the gaits
@pytest.mark.parametrize("row", GAITS, ids=lambda row: f"W = {row['W']}")
def test_it_has_its_gaits(row):
    state = {name: float(row[name]) for name in NAMES}
    orbit = orbit_near(
        float(row["W"]), {name: round(value, 4) for name, value in state.items()} | {"theta_left": 0.307}
    )
    np.testing.assert_allclose([orbit.x[name] for name in NAMES], [*state.values()], rtol=0, atol=1e-9)
    assert orbit.period == pytest.approx(float(row["time"]), abs=1e-9)
    if row["W"] in MULTIPLIERS:
        np.testing.assert_allclose(np.sort_complex(orbit.multipliers), MULTIPLIERS[row["W"]], rtol=0, atol=1e-7)


@pytest.mark.exhaustive  # as above
def test_without_an_axle_it_has_the_planar_gait_with_its_multipliers():
    """The planar motion does not tell the step control of the fast motions across the plane: `max_step` does."""
    planar = find_orbit("straight_legs", section="heelstrike")
    legs = {"theta_right": planar.x["theta_st"], "theta_left": planar.x["theta_sw"]}
    rates = {"thetadot_right": planar.x["thetadot_st"], "thetadot_left": planar.x["thetadot_sw"]}
    state = legs | rates | dict.fromkeys(("heading", "lean", "headingdot", "leandot"), 0.0)
    initial = [f"initial.{name}={round(value, 4)}" for name, value in state.items()]
    orbit = find_orbit_of(load_config(CONFIG, ["parameters.W=0", "engine.max_step=0.01", *initial]))
    np.testing.assert_allclose([orbit.x[name] for name in state], [*state.values()], rtol=0, atol=1e-9)
    assert orbit.period == pytest.approx(planar.period, abs=1e-9)
    np.testing.assert_allclose(np.sort_complex(orbit.multipliers), MULTIPLIERS["0"], rtol=0, atol=1e-7)
    for multiplier in planar.multipliers:
        assert np.abs(orbit.multipliers - multiplier).min() < 1e-7


@pytest.mark.exhaustive  # as above
@pytest.mark.parametrize("w", [0.01, 0.02])
def test_with_masses_behind_its_legs_it_has_the_gait_of_planar_legs_with_such_masses(w):
    """`straight_legs` says the same of other equations."""
    planar = find_orbit("straight_legs", section="heelstrike", parameters={"w": w})
    legs = {"theta_right": planar.x["theta_st"], "theta_left": planar.x["theta_sw"]}
    rates = {"thetadot_right": planar.x["thetadot_st"], "thetadot_left": planar.x["thetadot_sw"]}
    state = legs | rates | dict.fromkeys(("heading", "lean", "headingdot", "leandot"), 0.0)
    initial = [f"initial.{name}={round(value, 4)}" for name, value in state.items()]
    orbit = find_orbit_of(
        load_config(CONFIG, ["parameters.W=0", f"parameters.w={w}", "engine.max_step=0.01", *initial])
    )
    np.testing.assert_allclose([orbit.x[name] for name in state], [*state.values()], rtol=0, atol=1e-9)
    assert orbit.period == pytest.approx(planar.period, abs=1e-9)
    assert abs(planar.x["theta_st"] + 0.30843544038069) > 1e-3  # it is another gait than without
    for multiplier in planar.multipliers:
        assert np.abs(orbit.multipliers - multiplier).min() < 1e-7


def test_its_energy_is_kept_while_it_falls_sideways():
    sizes = {"W": 0.1, "w": 0.03, "w_out": 0.05}
    run = simulate("disk_feet", parameters=sizes, initial={"lean": 0.02}, final_time=1.0, rtol=1e-11, atol=1e-13)
    assert np.abs(run["lean"]).max() > 0.03  # it does fall
    assert np.ptp(run["energy"]) < 1e-10


def angular_momentum(motion_of, point, bodies):
    """Of bodies with these masses, centres, velocities, inertias and spins about a point."""
    return sum(
        np.cross(motion_of[body]["centre"] - point, motion_of[body]["mass"] * motion_of[body]["velocity"])
        + motion_of[body]["inertia"] @ motion_of[body]["spin"]
        for body in bodies
    )


def moving(q, u, p):
    """Mass, centre, its velocity, inertia and spin of both legs, by differences of their positions."""
    mechanism, step = disk_feet.MECHANISM, 1e-6
    found = {}
    for side, sign in (("left", 0.5), ("right", -0.5)):
        values = [np.array(q) + along * np.array(u) for along in (-step, step, 0.0)]
        turns = [mechanism.rotation(each, f"{side}_leg") for each in values]
        hips = [mechanism.position(each, "axle", (0.0, sign * p[P.W], 0.0)) for each in values]
        offset = np.array([-p[P.w], 2.0 * sign * p[P.w_out], -p[P.c]])
        before, after, centre = (hip + turn @ offset for hip, turn in zip(hips, turns, strict=True))
        turn_before, turn_after, turn = turns
        rate = (turn_after - turn_before) / (2.0 * step) @ turn.T
        found[side] = {
            "mass": p[P.m],
            "centre": centre,
            "velocity": (after - before) / (2.0 * step),
            "inertia": turn @ np.diag([p[P.I_forward], p[P.I_axle], p[P.I_leg]]) @ turn.T,
            "spin": np.array([rate[2, 1], rate[0, 2], rate[1, 0]]),
        }
    return found


def speeds(x, p, left):
    """All coordinates and speeds while a foot rolls, by the condition that its point of contact is at rest."""
    mechanism, q, u = disk_feet.MECHANISM, np.zeros(disk_feet.N), np.zeros(disk_feet.N)
    disk_feet.place(q, u, x, p, left)
    side, sign = ("left", 0.5) if left else ("right", -0.5)
    turn, axle = mechanism.rotation(q, f"{side}_leg"), mechanism.rotation(q, "axle")
    up = np.array([0.0, 0.0, 1.0])
    e = up - up @ axle[:, 1] * axle[:, 1]
    contact = np.array(q[:3]) + axle @ [0.0, sign * p[P.W], 0.0] - p[P.l] * turn[:, 2] - p[P.R] * e / np.linalg.norm(e)
    forward = np.array([math.cos(x[S.heading]), math.sin(x[S.heading]), 0.0])
    rate = x[S.thetadot_left if left else S.thetadot_right]
    axle_spin = x[S.headingdot] * up + x[S.leandot] * forward
    hip = axle @ [0.0, sign * p[P.W], 0.0]
    u[:3] = -np.cross(axle_spin, hip) - np.cross(axle_spin + rate * axle[:, 1], contact - q[:3] - hip)
    return q, u, contact, axle[:, 1], np.array(q[:3]) - hip


@pytest.mark.parametrize("seed", range(5))
def test_a_heelstrike_keeps_the_angular_momenta_about_the_new_contact_and_of_the_old_leg_about_the_axle(seed):
    rng = np.random.default_rng(seed)
    p = np.array([each.default for each in disk_feet.PARAMETERS])
    p[P.W], p[P.w], p[P.w_out] = 0.2, 0.03, 0.05
    x = np.array([each.default for each in disk_feet.STATES]) + np.append(rng.uniform(-0.2, 0.2, 10), 0.0)
    crossed, after = np.zeros(3, np.int64), x.copy()
    crossed[B.heelstrike] = 1
    assert disk_feet.transition(after, 0.0, x, p, C.left_leg_ahead, crossed) == C.right_leg_behind
    # The left foot rolls now; the height of the axle is that of the right foot's, which is on the slope, too.
    q, u, *_ = speeds(x, p, left=False)
    _, u_after, contact, axle, _ = speeds(after, p, left=True)
    contact = contact + np.array([0.0, 0.0, q[2] - speeds(after, p, left=True)[0][2]])
    old, new = moving(q, u, p), moving(q, u_after, p)
    about_contact = [angular_momentum(each, contact, ("left", "right")) for each in (old, new)]
    hip = disk_feet.MECHANISM.position(q, "axle", (0.0, -0.5 * p[P.W], 0.0))
    about_axle = [angular_momentum(each, hip, ("right",)) @ axle for each in (old, new)]
    np.testing.assert_allclose(about_contact[1], about_contact[0], rtol=0, atol=1e-9)
    assert about_axle[1] == pytest.approx(about_axle[0], abs=1e-9)
