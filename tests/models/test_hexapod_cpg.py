"""The hexapod's pattern generator: its map of the circle, its lags, gaits that change while it walks, and load."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

import hybridsim
from hybridsim import Slot, State
from hybridsim_models.hexapod import cpg

SETTING = {"t_c": 0.53, "t_s": 0.329978, "phi_s": 0.6981, "phi_o": -0.175}
STEADY = {"t_c": 0.9, "t_s": 0.65, "phi_s": 0.7, "phi_o": 0.0}
GAITS = Path(__file__).parents[2] / "configs" / "hexapod" / "gaits.py"


@pytest.fixture
def p():
    """The numbers that the functions of the generator receive."""
    numbers = np.zeros(len(cpg.NETWORK.parameters) + len(cpg.NETWORK.inputs))
    for name, value in SETTING.items():
        numbers[getattr(cpg.P, name)] = value
    return numbers


def walk(footfall=0.0, final_time=8.0, load_feedback=0.0, **numbers):
    parameters = {"control_type": "cpg", "load_feedback": load_feedback}
    inputs = {**SETTING, **numbers, "footfall": footfall}
    return hybridsim.simulate(
        "hexapod", parameters=parameters, inputs=inputs, final_time=final_time, rtol=1e-6, record=0.01
    )


def lags_at_end(run):
    """How far each leg is behind leg 0 at the end of a run [turns]."""
    phases = run["cpg.phase"][-1]
    return np.mod((phases[0] - phases) / (2.0 * math.pi) + 1e-9, 1.0)


def speed(run):
    middle = np.searchsorted(run.t, 0.5 * run.t[-1])
    return (run["r_y"][-1] - run["r_y"][middle]) / (run.t[-1] - run.t[middle])


def test_the_slow_swing_has_its_angle_in_its_time(p):
    half = math.pi * SETTING["t_s"] / SETTING["t_c"]
    assert cpg.reference(-half, p) - cpg.reference(half, p) == pytest.approx(SETTING["phi_s"], abs=1e-14)
    assert cpg.reference(0.0, p) == SETTING["phi_o"]
    turn = cpg.reference(-math.pi + 1e-12, p) - cpg.reference(math.pi - 1e-12, p)
    assert turn == pytest.approx(2.0 * math.pi, abs=1e-9)


def test_the_rate_of_the_hip_is_the_derivative_of_its_angle(p):
    for phase in np.linspace(-3.0, 3.0, 25):
        h = 1e-5
        slope = (cpg.reference(phase + h, p) - cpg.reference(phase - h, p)) / (2.0 * h)
        rate = 2.0 * math.pi / SETTING["t_c"]
        assert cpg.reference_rate(phase, p) == pytest.approx(rate * slope, rel=1e-7)


def turn_hips(xdot, t, x, p, chart, torque):
    for leg in range(6):
        xdot[leg] = torque(t, leg, x[leg], 0.0)


def on_ground(t, x, p, chart, leg):
    return 1


def hips(final_time=8.0, load_feedback=0.0, coupling=10.0, **numbers):
    """Turn six hips without a robot, each against a damper of 1 N m s/rad; all legs bear load all the time."""
    slot = Slot(
        "control_type",
        couplings=("torque", "hip_angle"),
        choices={"cpg": cpg.PART},
        default="cpg",
        sensors=(on_ground,),
    )
    plant = hybridsim.Plant(
        "hexapod", [State(f"phi{leg}", 0.0, "rad") for leg in range(6)], vector_field=turn_hips, slots=(slot,)
    )
    return hybridsim.simulate(
        plant,
        parameters={"load_feedback": load_feedback, "coupling": coupling},
        inputs={**SETTING, **numbers},
        final_time=final_time,
        rtol=1e-9,
        record=True,
    )


@pytest.mark.parametrize(("number", "name"), [*enumerate(cpg.FOOTFALLS)])
def test_hips_without_a_robot_settle_at_the_lags_of_each_gait(number, name):
    np.testing.assert_allclose(lags_at_end(hips(footfall=number, **STEADY)), cpg.FOOTFALLS[name], atol=1e-5)


def test_a_leg_that_bears_load_turns_as_slowly_as_the_integral_of_its_rate_says():
    """Without coupling, phase' = 2 pi / t_c (1 - f max(cos(phase - stance), 0)^8): five whole turns."""
    share, turns = 0.6, 5
    slowed, _ = quad(lambda angle: 1.0 / (1.0 - share * max(math.cos(angle), 0.0) ** 8), -math.pi, math.pi)
    run = hips(final_time=turns * STEADY["t_c"] * slowed / (2.0 * math.pi), load_feedback=share, coupling=0.0, **STEADY)
    np.testing.assert_allclose(np.diff(run["cpg.phase"][[0, -1]], axis=0), 2.0 * math.pi * turns, atol=1e-6)


@pytest.mark.exhaustive  # it compiles the hexapod with another controller; the hips above settle
@pytest.mark.members(1)
@pytest.mark.parametrize(("number", "name"), [*enumerate(cpg.FOOTFALLS)])
def test_the_legs_settle_at_the_lags_of_each_gait(number, name):
    run = walk(number, **STEADY)
    assert run.status.name == "FINAL_TIME"
    np.testing.assert_allclose(lags_at_end(run), cpg.FOOTFALLS[name], atol=1e-5)


@pytest.mark.exhaustive  # as above
@pytest.mark.slow
def test_a_gait_changes_while_the_robot_walks():
    spec = importlib.util.spec_from_file_location("gaits", GAITS)
    gaits = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gaits)
    run = gaits.walk()
    assert run.status.name == "FINAL_TIME"
    names = [*cpg.FOOTFALLS]
    ends = [*(begin for begin, _, _ in gaits.PROGRAM[1:]), gaits.END]
    for end, (_, footfall, _) in zip(ends, gaits.PROGRAM, strict=True):
        phases = run.at(end - 0.01)[[run.states.index(f"cpg.phase[{leg}]") for leg in range(6)]]
        behind = np.mod((phases[0] - phases) / (2.0 * math.pi) + 0.01, 1.0) - 0.01
        np.testing.assert_allclose(behind, cpg.FOOTFALLS[names[int(footfall)]], atol=5e-3)
    assert np.abs(run["body_roll"]).max() < math.radians(6.5)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_its_tripod_is_as_fast_as_that_of_the_clock():
    clock = hybridsim.simulate("hexapod", inputs=SETTING, final_time=10.6, rtol=1e-6, record=0.01)
    assert speed(walk(final_time=10.6)) == pytest.approx(speed(clock), rel=0.1)


@pytest.mark.parametrize("runs", [hips, pytest.param(walk, marks=pytest.mark.exhaustive)])
def test_a_swing_longer_than_the_period_is_refused(runs):
    with pytest.raises(hybridsim.ConfigError, match="t_s must lie between 0 and t_c"):
        runs(t_s=0.6, final_time=1.0)


@pytest.mark.exhaustive  # as above: load slows the hips alone
def test_load_slows_the_phases():
    free, loaded = walk(**STEADY), walk(load_feedback=0.6, **STEADY)
    turns = [np.diff(run["cpg.phase"][[0, -1], 0])[0] / (2.0 * math.pi) for run in (free, loaded)]
    assert turns[0] == pytest.approx(8.0 / STEADY["t_c"], rel=1e-6)
    assert turns[1] < 0.97 * turns[0]


@pytest.mark.exhaustive  # as above
@pytest.mark.slow
def test_its_run_is_a_solution():
    run = hybridsim.simulate(
        "hexapod", parameters={"control_type": "cpg", "load_feedback": 0.6}, inputs=SETTING, final_time=1.5
    )
    report = hybridsim.verify(run)
    assert report.ok, str(report)
