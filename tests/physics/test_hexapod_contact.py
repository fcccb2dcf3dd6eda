"""Toes of the hexapod on the ground: push, the cone of friction, slip, creep, and dampers."""

import numpy as np
import pytest

from hybridsim import compose, load_model, simulate

from .hexapod_runs import LEGS, defaults, packed, walk


def test_the_ground_pushes_and_holds_within_the_cone_of_friction(gait):
    assert gait.status.ok, gait.message
    for leg in LEGS:
        assert gait[f"push{leg}"].min() > -1e-9
        assert np.all(gait[f"drag{leg}"] <= 0.5 * gait[f"push{leg}"] + 1e-9)
        slips = (gait[f"slipping{leg}"] > 0) & (gait[f"push{leg}"] > 1.0)
        assert slips.any()
        np.testing.assert_allclose(gait[f"drag{leg}"][slips], 0.5 * gait[f"push{leg}"][slips], atol=1e-8)


def slipping_rows(run, leg, least_push=1.0):
    return np.flatnonzero((run[f"slipping{leg}"] > 0) & (run[f"push{leg}"] > least_push))


def slip_velocity(run, row, leg, **changed):
    """Of the toe in this row [m/s], in W."""
    model = load_model("hexapod")
    rates = np.zeros(run.x.shape[1])
    model.functions["vector_field"](rates, run.t[row], run.x[row], packed(defaults(**changed)), int(run.chart[row]))
    toe = model.states.index(f"f{leg}_x")
    return rates[toe : toe + 3]


def test_a_slipping_toe_is_held_back(gait):
    for leg in LEGS:
        row = int(slipping_rows(gait, leg)[0])
        velocity = slip_velocity(gait, row, leg, friction="coulomb")
        on_toe = [gait[f"ground{leg}_{a}"][row] + gait[f"inertia{leg}_{a}"][row] for a in "xyz"]
        power = velocity @ on_toe
        assert power == pytest.approx(-np.linalg.norm(velocity) * gait[f"drag{leg}"][row], rel=1e-9)


@pytest.mark.slow
def test_the_excess_over_the_cone_is_what_drives_the_creep():
    run = walk(1.5, friction="creep")
    law = defaults()
    for leg in LEGS:
        rows = slipping_rows(run, leg)[::10]
        assert len(rows) > 3
        for row in rows:
            push = run[f"push{leg}"][row]
            creep = law["creep_damping"] * np.linalg.norm(slip_velocity(run, row, leg))
            excess = creep / (1 + creep / (law["creep_limit"] * law["friction_coeff"] * push))
            assert run[f"excess{leg}"][row] == pytest.approx(excess, abs=1e-8)
            assert run[f"drag{leg}"][row] == pytest.approx(0.5 * push + excess, abs=1e-8)
        stuck = (run[f"stance{leg}"] > 0) & (run[f"slipping{leg}"] == 0)
        assert run[f"excess{leg}"][stuck].max() < 1e-9


@pytest.mark.parametrize("law", ["creep", "coulomb"])
def test_on_ice_it_stays_where_it_is(law):
    run = walk(5.0, friction=law, friction_coeff=0.0)
    assert run.status.ok, run.message
    assert np.hypot(np.ptp(run["r_x"]), np.ptp(run["r_y"])) < 1e-3


@pytest.mark.parametrize("law", ["creep", "coulomb"])
def test_it_starts_no_faster_than_friction_allows(law):
    coefficient, time = 0.01, 2.0
    run = walk(time, friction=law, friction_coeff=coefficient)
    hold = coefficient * (1.0 + (defaults()["creep_limit"] if law == "creep" else 0.0))
    pushed = np.trapezoid(run["ground_force"], run.t) / 7.0  # [m/s]: 7 kg
    assert 0.0 < run["v_y"][-1] < 1.02 * hold * pushed


def test_strong_friction_sticks_and_slips_without_chatter_where_dampers_are_weak():
    run = walk(2.2, friction="coulomb", friction_coeff=2.0, damping="hunt_crossley")
    assert run.status.ok, run.message
    for leg in LEGS:
        assert (run[f"drag{leg}"] - 2.0 * run[f"push{leg}"]).max() < 1e-8
        slips = [event.t for event in run.events if f"slip{leg}" in event.boundaries]
        assert np.diff(slips).min(initial=1.0) > 1e-6


def test_hunt_and_crossleys_damper_takes_no_force_where_the_leg_is_not_deflected():
    changes = {f"theta{i}_r0": 0.0 for i in LEGS} | {"damping": "hunt_crossley"}
    model = compose(load_model("hexapod").plant, {"control_type": "held"})
    run = simulate(model, final_time=0.05, initial={"r_z": 0.1700001, "v_z": -0.5}, parameters=changes)
    landed = np.flatnonzero(run["stance0"] > 0)[0]
    deflection = 0.17 - run["rho0"][landed]
    assert 0.0 < deflection < 2e-4
    # With the linear damper it would be 12 N s/m 0.5 m/s = 6 N and the spring's.
    push = deflection * (1200.0 + 12.0 / 0.01 * 0.5)
    assert run["push0"][landed] == pytest.approx(push, rel=1e-2)


def test_a_toe_that_leaves_the_ground_takes_its_velocity_along():
    """And one that begins to slip, or sticks, has none: its velocity jumps at none of these events."""
    run = simulate("hexapod", final_time=1.0, rtol=1e-6, inputs={"phi_o": 0.15}, parameters={"gait": "backward"})
    n_left, n_stopped = 0, 0
    for k, name in crossings(run):
        leg, (before, after) = int(name[-1]), velocities_of_toes(run, k)
        if name.startswith("liftoff"):
            assert np.linalg.norm(after[leg] - before[leg]) < 1e-9
            n_left += np.linalg.norm(before[leg]) > 0.1
        elif name.startswith(("slip", "stick")):
            assert np.linalg.norm(before[leg]) < 1e-9
            assert np.linalg.norm(after[leg]) < 1e-4  # LEAST_RELEASE of that of free sliding
            n_stopped += 1
    assert n_left > 3
    assert n_stopped > 10


def velocities_of_toes(run, k):
    """Of each toe along the ground, before and after event k, in W [m/s]: (2, 6, 2)."""
    model, row = load_model("hexapod"), int(np.searchsorted(run.j, run.events.j[k], side="right")) - 1
    p, slopes = packed(run.parameters), np.zeros((2, run.x.shape[1]))
    for side, xdot in enumerate(slopes):
        model.vector_field(xdot, run.t[row], run.x[row + side], p, int(run.chart[row + side]))
    return slopes[:, [[run.states.index(f"f{i}_{axis}") for axis in "xy"] for i in LEGS]]


def crossings(run):
    """The boundaries that cross, with the index of their event."""
    names = np.array(run.events.names)
    return [(k, str(name)) for k, crossed in enumerate(run.events.crossed) for name in names[crossed]]
