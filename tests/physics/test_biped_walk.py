"""A few steps of the biped: energy, forces, contacts at every row, and what must not change the gait."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import hybridsim
from hybridsim.multibody import external_wrench
from hybridsim_models.biped.anthropometry import FOOT, SOLE_WIDTH
from hybridsim_models.biped.body import COORDINATE_NAMES, ORIGIN, TREE, N
from hybridsim_models.biped.contacts import FZ
from hybridsim_models.biped.control.records import PARAMETERS as WALKING
from hybridsim_models.biped.records import FLAT, HEEL, PARAMETERS, TOE, foot1_of, foot2_of

from .biped_states import Moving, accelerate, equations_of, parameters, solved

SECONDS, SIZE = 4.0, (0.5, 0.3)
"""Of a run: from rest through two steps and a half. Factors of length and mass of another biped."""
LENGTHS = (
    *("stature", "g", "start_height", "start_cop", "start_width", "twist_radius", "edge", "step_length", "walk_height"),
    *("bounce", "cop_first", "foot_lines", "margin", "clearance", "landing_speed", "most_shift_x", "most_shift_y"),
)
"""Parameters that have a length in their unit."""
BETWEEN = np.arange(0.005, SECONDS, 0.01)
"""Times between samples and between rows: where no event can hide a difference."""


def walked(first=0.0, initial=None, **changes):
    return hybridsim.simulate(
        "biped",
        parameters=changes,
        initial=initial or {},
        initial_time=first,
        final_time=first + SECONDS,
        record=0.01,
        method="tsit5",
        rtol=1e-8,
    )


@pytest.fixture(scope="module")
def walk():
    run = walked()
    assert run.status == hybridsim.Status.FINAL_TIME, run.message
    assert {2, 3} <= {*run["walk_phase"]}  # steps have been made
    return run


def moving_at(run, row):
    """Return the biped at a row, with the torques that the controller holds."""
    x, chart = run.x[row], int(run.chart[row])
    mode, asked = chart & 1, run.states.index("asked_ankle_x_right")
    legs, torques = x[asked : asked + 12].reshape(2, 6), np.zeros(12)
    torques[:6], torques[6:] = legs[mode], (legs[1 - mode] * [1, -1, 1, -1, 1, -1])[::-1]
    soles = x[asked + 12 : asked + 14]
    return Moving(run.t[row], x, parameters(), chart, torques, (soles[mode], soles[1 - mode]))


def test_energy_is_accounted_for_and_what_the_ground_holds_is_at_rest(walk):
    assert np.ptp(walk["energy_balance"]) < 1e-7  # J, of 700
    assert walk["impact_loss"][-1] > 0.0
    assert np.ptp(walk["motor_work"]) > 1.0
    assert walk["drift_speed"].max() < 1e-9


def test_the_ground_bears_the_weight_and_the_inertia_of_the_whole_body(walk):
    fz, weight = walk["fz_right"] + walk["fz_left"], 73.0 * 9.81
    assert fz[0] == pytest.approx(weight, rel=1e-9)  # it begins at rest
    assert np.ptp(fz) > 0.05 * weight
    for row in range(0, len(walk.t), 97):
        udot, _, motion = accelerate(moving_at(walk, row))
        force, _ = external_wrench(motion, TREE, udot, ORIGIN)  # the rate of momentum, less the weights
        assert fz[row] == pytest.approx(force.z, rel=1e-9)


def test_reactions_are_the_multipliers_at_instants_of_the_walk(walk):
    apart = []
    for row in range(0, len(walk.t), 101):
        moving = moving_at(walk, row)
        mass, bias, applied, rows, drifts, efforts = equations_of(moving)
        system = np.block([[mass, -efforts.T], [rows, np.zeros((len(rows), len(rows)))]])
        solution = solved(system, np.concatenate([applied - bias, -drifts]))
        udot, forces, _ = accelerate(moving)
        np.testing.assert_allclose(udot, solution[:N], rtol=0, atol=1e-11 * max(np.abs(solution[:N]).max(), 1.0))
        assert forces[FZ] == pytest.approx(solution[N + FZ], rel=1e-11)
        of_nature = accelerate(moving._replace(p=parameters(held="ideal")))[0]
        apart.append(np.abs(of_nature - udot).max() / max(np.abs(udot).max(), 1.0))
    assert 1e-4 < max(apart) < 0.1  # what joints hold and what nature holds are different motions


def test_no_one_sided_condition_is_violated_at_any_row(walk):
    foot1, foot2 = foot1_of(walk.chart), foot2_of(walk.chart)
    assert {(FLAT, FLAT), (FLAT, 0), (TOE, HEEL), (TOE, FLAT)} <= set(zip(foot1.tolist(), foot2.tolist(), strict=True))
    assert (walk["fz1"][foot1 > 0] > 5.0).all()
    assert (walk["fz2"][foot2 > 0] > 5.0).all()
    assert (walk["fz2"][foot2 == 0] == 0.0).all()
    assert walk["friction_used"].max() < 0.2
    assert walk["sole_margin"].min() > 0.01
    assert np.abs(walk["tz1"]).max() < 0.6 * 0.07 * 73.0 * 9.81
    assert not walk["warned"].any()


def test_the_centre_of_pressure_is_inside_the_convex_hull_of_both_feet(walk):
    both = np.flatnonzero((walk["fz1"] > 0.0) & (walk["fz2"] > 0.0))
    assert len(both) > 100
    for row in both[:: len(both) // 100]:
        hull = ConvexHull(contact_points(walk, row))
        outside = hull.equations @ [walk["cop_x"][row], walk["cop_y"][row], 1.0]
        assert outside.max() < -0.001


def contact_points(run, row):
    """Return the corners of what of the soles is on the ground, (n, 2)."""
    corners, sides, mode = [], ("right", "left"), int(run.chart[row]) & 1
    for side, contact in ((sides[mode], foot1_of(run.chart[row])), (sides[1 - mode], foot2_of(run.chart[row]))):
        heel, toe = ([run[f"{point}_{side}_{axis}"][row] for axis in "xy"] for point in ("heel", "toe"))
        ends = {TOE: [toe[0]], HEEL: [heel[0]], FLAT: [heel[0], heel[0] + 1.75 * FOOT.length]}[contact]
        corners += [(x, toe[1] + part * SOLE_WIDTH * 1.75) for x in ends for part in (-0.5, 0.5)]
    return corners


def test_no_point_of_a_foot_is_below_the_ground(walk):
    lowest = min(walk[f"{point}_{side}_z"].min() for point in ("heel", "toe") for side in ("right", "left"))
    assert lowest > -1e-8


def test_the_left_mode_is_the_mirror_image(walk):
    """States are those of the biped's own frame, the same in both modes but for the plan, which is in the world."""
    mirrored = walked(start_mode="left")
    np.testing.assert_allclose(mirrored.t, walk.t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(mirrored.x[:, : 2 * N], walk.x[:, : 2 * N], rtol=0, atol=1e-9)
    for name in ("com_x", "com_vz", "kinetic", "motor_power"):
        np.testing.assert_allclose(mirrored[name], walk[name], rtol=0, atol=1e-9)
    for name in ("com_y", "com_vy", "cop_y", "tz1", "trunk_roll", "trunk_yaw"):
        np.testing.assert_allclose(mirrored[name], -walk[name], rtol=0, atol=1e-9)
    for name in ("fz", "knee", "heel", "toe"):
        after = "_x" if name in ("heel", "toe") else ""
        np.testing.assert_allclose(mirrored[f"{name}_left{after}"], walk[f"{name}_right{after}"], rtol=0, atol=1e-9)


def assert_same_gait(run, walk, first=0.0, atol=1e-8, factors=1.0):
    found = run.at(first + BETWEEN)[:, :N] * factors
    np.testing.assert_allclose(found, walk.at(BETWEEN)[:, :N], rtol=0, atol=atol)


@pytest.mark.exhaustive  # a million seconds later is in the ordinary run
def test_a_kilometre_ahead_it_walks_alike(walk):
    there = dict(zip(walk.states.names[: 2 * N], walk.x[0, : 2 * N].tolist(), strict=True))
    run = walked(initial=there | {"toe_x": there["toe_x"] + 1000.0, "posed": 1.0})
    away = np.array([1000.0 * (name == "toe_x") for name in COORDINATE_NAMES])
    np.testing.assert_allclose(run.at(BETWEEN)[:, :N] - away, walk.at(BETWEEN)[:, :N], rtol=0, atol=1e-9)


def test_a_million_seconds_later_it_walks_alike(walk):
    """Time is then known to 1e-10 s."""
    assert_same_gait(walked(first=1e6), walk, first=1e6)


@pytest.mark.exhaustive  # a million seconds later it walks alike in the ordinary run
def test_half_as_tall_under_half_the_gravity_it_walks_at_the_same_times(walk):
    length, mass = SIZE
    defaults = {each.name: each.default for each in (*PARAMETERS, *WALKING)}
    run = walked(mass=mass * defaults["mass"], **{name: length * defaults[name] for name in LENGTHS})
    factors = np.array([1.0 / length if name.startswith("toe_") else 1.0 for name in COORDINATE_NAMES])
    assert_same_gait(run, walk, factors=factors)
    assert run["fz1"][0] == pytest.approx(length * mass * walk["fz1"][0], rel=1e-9)
