"""The clock of the hexapod's gaits: the lags of its legs, rounded corners, and legs that wait for their toe."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from hybridsim import Simulation, simulate
from hybridsim.errors import ConfigError

from .hexapod_runs import LEGS, walk

T_C, T_S, PHI_S, PHI_O = 0.5, 0.3, 0.7, -0.2
DRIVE = {"t_c": T_C, "t_s": T_S, "phi_s": PHI_S, "phi_o": PHI_O}
WAVE = [i / 6 for i in range(6)]


def float_in_air(final_time, *, inputs=DRIVE, **parameters):
    """Legs that turn in the air: without gravity no toe touches the ground."""
    return simulate(
        "hexapod",
        final_time=final_time,
        max_transitions=10**5,
        record={"period": 0.003},
        initial={"r_z": 2.0},
        inputs=inputs,
        parameters={"g": 0.0, **parameters},
    )


def ticks(run, leg):
    """Times at which the clock of a leg begins a phase [s]."""
    return run.events.t[run.events.crossed[:, run.boundaries.index(f"tick{leg}")] == 1]


def reference(turns, smooth=0.0):
    """phi_ref of a leg whose slow swing is half done at turns = 0, wrapped; corners by splines, as RHexLib has them."""
    duty, blend = T_S / T_C, max(smooth, 1e-9)
    slow, fast = -PHI_S / duty, -(2.0 * math.pi - PHI_S) / (1.0 - duty)  # per turn
    turns = np.mod(turns + 0.5, 1.0) - 0.5  # from the middle of a fast swing to the next
    angle = np.where(np.abs(turns) < duty / 2, slow * turns, 0.0)
    late, early = turns >= duty / 2, turns <= -duty / 2
    angle = np.where(late, slow * duty / 2 + fast * (turns - duty / 2), angle)
    angle = np.where(early, -slow * duty / 2 + fast * (turns + duty / 2), angle)
    for corner, before, behind in ((duty / 2, slow, fast), (-duty / 2, fast, slow)):
        ends = corner + 0.5 * blend * np.array([-1.0, 1.0])
        middle = math.copysign(1.0, corner) * slow * duty / 2
        spline = CubicHermiteSpline(ends, [middle - before * blend / 2, middle + behind * blend / 2], [before, behind])
        angle = np.where(np.abs(turns - corner) < blend / 2, spline(turns), angle)
    return PHI_O + angle


def same_angle(angle, other, atol):
    """Compare angles, whatever the whole turns between them."""
    np.testing.assert_allclose(np.mod(angle - other + math.pi, 2.0 * math.pi) - math.pi, 0.0, atol=atol)


def test_lags_that_make_a_tripod_of_a_pronk_give_the_bits_of_the_tripod():
    tripod = walk(1.0)
    other = walk(1.0, footfall="pronk", lag1=0.5, lag3=0.5, lag5=0.5)
    np.testing.assert_array_equal(tripod.t, other.t)
    np.testing.assert_array_equal(tripod.x, other.x)


@pytest.mark.members(2)
@pytest.mark.parametrize(
    ("footfall", "lags"),
    [
        ("tripod", [0, 1 / 2, 0, 1 / 2, 0, 1 / 2]),
        ("wave", WAVE),
        ("pronk", [0] * 6),
        ("bound", [0, 1 / 3, 1 / 2, 0, 1 / 3, 1 / 2]),
    ],
)
def test_each_leg_is_behind_by_its_lag(footfall, lags):
    run = float_in_air(1.07, footfall=footfall)
    for leg, lag in enumerate(lags):
        phases = np.add.outer(np.arange(-2, 3), [0.0, T_S / T_C / 2, 0.5, 1.0 - T_S / T_C / 2]).ravel()
        expected = (phases + lag) * T_C
        expected = expected[(expected > 1e-9) & (expected < 1.07)]
        np.testing.assert_allclose(ticks(run, leg), expected, atol=1e-9)


@pytest.mark.members(2)
@pytest.mark.parametrize("smooth", [0.0, 0.2])
@pytest.mark.parametrize("lag", [0.0, 0.23, 0.7, -0.31])
def test_the_reference_is_that_of_rhexlib(smooth, lag):
    run = float_in_air(1.2, inputs=DRIVE | {"smooth": smooth}, footfall="pronk", lag4=lag)
    same_angle(run["phi_ref4"], reference(run.t / T_C - lag, smooth), atol=1e-6)


def test_legs_of_lags_half_a_turn_apart_tick_at_one_instant():
    run = float_in_air(1.0, footfall="pronk", lag1=1 / 3, lag2=5 / 6)
    half_turns = (np.arange(-1, 4) / 2 + 1 / 3) * T_C
    for t in half_turns[(half_turns > 0.0) & (half_turns < 1.0)]:
        (event,) = np.flatnonzero(np.abs(run.events.t - t) < 1e-9)
        assert {"tick1", "tick2"} <= set(run.events[event].boundaries)


def test_a_change_of_the_period_keeps_the_part_of_a_turn_that_each_leg_has_done():
    simulation = Simulation(
        "hexapod", parameters={"g": 0.0, "footfall": "wave"}, inputs=DRIVE, initial={"r_z": 2.0}, max_transitions=10**5
    )
    simulation.advance(0.3)
    simulation.inputs["t_c"], simulation.inputs["t_s"] = 0.8, 0.5
    simulation.advance(2.0)
    run = simulation.result()
    change = 0.5  # leg 0 begins its next half turn
    for leg, lag in enumerate(WAVE):
        phases = np.add.outer(np.arange(-1, 4), [0.0, 0.5 / 0.8 / 2, 0.5, 1.0 - 0.5 / 0.8 / 2]).ravel()
        expected = change + (phases + lag) * 0.8
        found = ticks(run, leg)
        late = expected[(expected > change + 1e-9) & (expected < 2.0)]
        np.testing.assert_allclose(found[found > change + 1e-9], late, atol=1e-9)


def drop(max_wait):
    """A body that falls on six toes, which have come to the angle of their touchdown at 0.05 s."""
    lags = {f"lag{leg}": 0.5 * T_S / T_C + 0.1 for leg in LEGS}
    return walk(0.4, inputs=DRIVE, initial={"r_z": 0.25}, footfall="pronk", max_wait=max_wait, **lags)


def test_a_leg_waits_for_its_toe():
    run = drop(1.0)
    for leg in LEGS:
        lands, touchdown = (run.boundaries.index(f"{name}{leg}") for name in ("lands", "touchdown"))
        (landing,) = np.flatnonzero(run.events.crossed[:, lands])
        assert run.events.crossed[landing, touchdown]
        t = run.events.t[landing]
        assert t > 0.1
        waiting = (run.t > 0.051) & (run.t < t)
        same_angle(run[f"phi_ref{leg}"][waiting], PHI_O + 0.5 * PHI_S, atol=1e-12)
        assert (run[f"waits{leg}"][waiting] == 1.0).all()
        np.testing.assert_allclose(ticks(run, leg), [0.05, t + 0.5 * T_S], rtol=1e-9)  # the slow swing is half done


def test_a_leg_does_not_wait_longer_than_it_may():
    run = drop(0.03)
    for leg in LEGS:
        assert not run.events.crossed[:, run.boundaries.index(f"lands{leg}")].any()
        np.testing.assert_allclose(ticks(run, leg)[:3], [0.05, 0.08, 0.08 + 0.5 * T_S], rtol=1e-9)


def test_a_leg_whose_toe_stands_does_not_wait():
    run, other = (walk(1.0, max_wait=wait) for wait in (0.0, 0.2))
    np.testing.assert_array_equal(run["r_y"], other["r_y"])  # in the tripod's walk toes land early


def test_corners_that_overlap_are_refused():
    with pytest.raises(ConfigError, match="corners overlap"):
        float_in_air(0.1, inputs=DRIVE | {"smooth": 0.45})
