"""Laws that every run with contacts keeps: random mechanisms, mirrored, shifted and in other units."""

import numpy as np
import pytest
from contacts.cases import STANDING, TIGHT, on_right_corner, robot, standing_block
from contacts.random_mechanisms import breaches_of, random_drop, random_model

from hybridsim import Status, simulate, verify

TOLERANCE = 1e-8


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(8))
def test_a_random_mechanism_keeps_the_laws_of_contacts(seed):
    """No contact pulls, friction is in its cone, no gap is negative, and no event adds energy; `verify` agrees."""
    rng = np.random.default_rng(100 + seed)
    model = random_model(rng, n_bodies=1 + seed % 3, restitution=(0.0, 0.5, 0.0, 0.8)[seed % 4])
    settings = {"rtol": TOLERANCE, "atol": 0.01 * TOLERANCE, "record": True}
    run = simulate(model, initial=random_drop(rng, model), final_time=3.0, **settings)
    assert run.status == Status.FINAL_TIME
    pull, cone, gap = breaches_of(run)
    assert pull < 1e-10
    assert cone < 1e-10
    assert gap < 2e-9
    energy = run["energy"]
    assert np.diff(energy).max() < 100.0 * TOLERANCE * np.abs(energy).max()
    assert len(run.events.t) > 0
    assert verify(run, model=model).ok


def test_what_is_down_has_no_gap_and_what_is_open_no_force():
    rng = np.random.default_rng(7)
    model = random_model(rng, n_bodies=2, restitution=0.0)
    run = simulate(model, initial=random_drop(rng, model), final_time=3.0, rtol=1e-9, atol=1e-11, record=True)
    for name in (each.removesuffix("_gap") for each in run.outputs.names if each.endswith("_gap")):
        np.testing.assert_allclose(run[f"{name}_gap"] * run[f"{name}_force"], 0.0, atol=1e-7)


def test_a_mirrored_robot_has_the_mirrored_run_to_the_bit():
    tilted = {"trunk_xdot": 0.5, "trunk_z": STANDING["trunk_z"] + 0.1}
    joints = {key: value for key, value in STANDING.items() if key != "trunk_z"}
    runs = []
    for sign in (1.0, -1.0):
        initial = {key: sign * value for key, value in joints.items()}
        initial |= {"trunk_z": tilted["trunk_z"], "trunk_xdot": sign * tilted["trunk_xdot"]}
        runs.append(simulate(robot(sign=sign, name="mirrored"), initial=initial, final_time=0.6, **TIGHT, record=True))
    assert len(runs[0].events.t) > 1
    np.testing.assert_array_equal(runs[0].t, runs[1].t)
    np.testing.assert_array_equal(runs[0]["trunk_x"], -runs[1]["trunk_x"])
    np.testing.assert_array_equal(runs[0]["left_tangential"], -runs[1]["left_tangential"])
    np.testing.assert_array_equal(runs[0]["left_normal"], runs[1]["left_normal"])


def impacts(model, **settings):
    return simulate(model, **TIGHT, **settings).events.t


def test_a_block_rocks_the_same_at_another_time_and_place():
    initial, model = on_right_corner(0.15), standing_block(friction=10.0)
    here = impacts(model, initial=initial, final_time=3.0)
    late = impacts(model, initial=initial, initial_time=1e6, final_time=1e6 + 3.0)
    np.testing.assert_allclose(late - 1e6, here, rtol=0.0, atol=1e-8)  # a spacing of t is 1e-10 s
    there = {**initial, "box_x": initial["box_x"] + 1e4, "box_z": initial["box_z"] + 1e4}
    far = impacts(model, initial=there, final_time=3.0, parameters={"ground_z": 1e4})
    np.testing.assert_allclose(far, here, rtol=0.0, atol=1e-7)


@pytest.mark.exhaustive  # at another time and place it does so in the ordinary run
def test_a_block_rocks_the_same_in_millimetres():
    initial = on_right_corner(0.15)
    here = impacts(standing_block(friction=10.0), initial=initial, final_time=3.0)
    small = {key: value if "angle" in key else 1e3 * value for key, value in initial.items()}
    model = standing_block(unit=1e-3, friction=10.0)
    np.testing.assert_allclose(
        impacts(model, initial=small, final_time=3.0, parameters={"rest_speed": 1e-3}), here, rtol=0.0, atol=1e-9
    )
