"""Extremes, integrals, means and deviations over time: closed forms, whatever the method, tolerance and frame."""

import math
from pathlib import Path

import numpy as np
import pytest
from oracle import assert_same

from hybridsim import Boundary, Model, Output, Parameter, Records, State
from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.plan import Plan

METHODS = ("dp5", "tsit5", "dop853", "rk4_adaptive", "rodas5p", "series")
FRAMES = [(0.0, 0.0), (1e6, 0.0), (0.0, 1e9), (-1e6, -1e9)]
"""Where the middle of a motion is [m], and when it begins [s]."""

GRAVITY, RISE = 9.81, 4.0
PERIOD = 2.0 * np.pi


def metrics_of(config):
    plan = Plan(config)
    return BatchRunner(config).run(plan.values(0, plan.n_rows), np.zeros(1, np.int64))


def ball():
    """A ball that is thrown up, and bounces without loss."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -9.81

    def boundaries(g, t, x, p, chart):
        g[0] = x[0] - p[0]

    def transition(x_new, t, x, p, chart, crossed):
        x_new[1] = -x[1]
        return 0

    def outputs(y, t, x, p, chart):
        y[0] = 0.5 * x[1] * x[1] + 9.81 * (x[0] - p[0])
        y[1] = 0.5 * x[1] * x[1]
        y[2] = x[0] - p[0]

    return Model(
        "ball",
        Records(State("y"), State("v", RISE)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        outputs=outputs,
        parameters=Records(Parameter("ground", 0.0)),
        boundary_records=Records(Boundary("ground_hit", degree=1)),
        output_records=Records(Output("energy"), Output("kinetic"), Output("height")),
    )


def oscillator():
    """x = middle + sin t, with a phase that is t, and a state that rests."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = p[0] - x[0]
        xdot[2] = p[1]
        xdot[3] = 0.0

    def outputs(y, t, x, p, chart):
        y[0] = (x[0] - p[0]) * x[1]
        y[1] = math.sin(x[2]) ** 2
        y[2] = x[0] + 3.0
        y[3] = 0.1
        y[4] = math.sin(x[2]) / x[2]

    return Model(
        "oscillator",
        Records(State("x"), State("v", 1.0), State("phase"), State("rest", 0.1)),
        vector_field=vector_field,
        outputs=outputs,
        parameters=Records(Parameter("middle", 0.0), Parameter("rate", 1.0)),
        output_records=Records(
            Output("power"), Output("square"), Output("shifted"), Output("constant"), Output("quotient")
        ),
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("frame", FRAMES)
def test_the_apex_of_a_throw_is_exact_with_every_method(method, frame):
    """y0 + v^2 / 2 g, and the kinetic energy, 0 there, whose square root has a corner."""
    ground, begin = frame
    height = RISE**2 / (2.0 * GRAVITY)
    config = sweep_from_keywords(
        ball(),
        axes={"ground": [ground], "y": [ground + 0.5], "rtol": [1e-3, 1e-6, 1e-9]},
        metrics=["max(y)", "min(y)", "max(height)", "min(kinetic)", "max(v)", "min(v)", "max(kinetic)", "std(energy)"],
        initial_time=begin,
        final_time=begin + 2.0,
        method=method,
    )
    found = metrics_of(config)
    rounding = 8.0 * np.spacing(max(abs(ground), 1.0))
    np.testing.assert_allclose(found["max(y)"] - ground, 0.5 + height, atol=rounding)
    np.testing.assert_allclose(found["max(height)"], 0.5 + height, atol=rounding + 1e-8)
    np.testing.assert_allclose(found["min(kinetic)"], 0.0, atol=1e-8)
    np.testing.assert_allclose(found["min(y)"] - ground, 0.0, atol=1e-6)  # a time at 1e9 is known to 1e-7
    fastest = np.sqrt(RISE**2 + GRAVITY)
    np.testing.assert_allclose(found["max(v)"], fastest, atol=2e-6)
    np.testing.assert_allclose(found["min(v)"], -fastest, atol=2e-6)
    np.testing.assert_allclose(found["max(kinetic)"], 0.5 * fastest**2, atol=2e-5)
    np.testing.assert_allclose(found["std(energy)"], 0.0, atol=1e-5)


@pytest.mark.members
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_sine_has_its_amplitude_mean_and_deviation_over_whole_and_partial_periods(method, frame):
    middle, begin = frame
    rtol = np.array([1e-6, 1e-10])
    for end in begin + np.array([PERIOD, 5.0 * PERIOD, 7.3]):
        duration = end - begin
        config = sweep_from_keywords(
            oscillator(),
            axes={"middle": [middle], "x": [middle], "rtol": rtol},
            metrics=[
                "max(x)",
                "min(shifted)",
                "mean(x)",
                "std(x)",
                "std(shifted)",
                "mean(power)",
                "max(power)",
                "std(t)",
            ],
            initial_time=begin,
            final_time=end,
            atol=1e-10,
            method=method,
        )
        found = metrics_of(config)
        error = 300.0 * duration * rtol * max(abs(middle), 1.0) + 1e-8
        mean = (1.0 - np.cos(duration)) / duration
        deviation = np.sqrt(0.5 - 0.25 * np.sin(2.0 * duration) / duration - mean**2)
        expected = {
            "max(x)": middle + 1.0,
            "min(shifted)": middle + 2.0,
            "mean(x)": middle + mean,
            "std(x)": deviation,
            "std(shifted)": deviation,
            "mean(power)": 0.5 * np.sin(duration) ** 2 / duration,
            "max(power)": 0.5,
            "std(t)": duration / np.sqrt(12.0),
        }
        for name, value in expected.items():
            assert (np.abs(found[name] - value) <= error).all(), (name, found[name], value, error)


@pytest.mark.parametrize("method", [*METHODS, "rk4"])
def test_a_constant_is_its_own_mean_and_deviates_by_exactly_nothing(method):
    config = sweep_from_keywords(
        oscillator(),
        axes={"rest": [0.1, 1e6, 1e-300, -1e200]},
        metrics=["mean(rest)", "std(rest)", "min(rest)", "max(rest)", "mean(constant)", "std(constant)", "std(x)"],
        final_time=50.0,
        method=method,
        first_step=0.05,
    )
    found = metrics_of(config)
    for kind in ("mean", "min", "max"):
        assert found[f"{kind}(rest)"].tolist() == [0.1, 1e6, 1e-300, -1e200]
    assert found["mean(constant)"].tolist() == [0.1] * 4
    assert found["std(rest)"].tolist() == found["std(constant)"].tolist() == [0.0] * 4


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rate", [1.0, 6.0, 2.0 * np.pi])
def test_outputs_that_oscillate_within_a_step_are_resolved(method, rate):
    """A phase of constant rate makes steps that are as long as the run; its squared sine has a mean of 0.5 or so."""
    config = sweep_from_keywords(
        oscillator(),
        axes={"rate": [rate], "x": [0.0, 1e-3]},
        metrics=["mean(square)", "std(square)", "max(square)", "min(square)", "integral(square)"],
        initial={"v": 0.0, "rest": 1e9},
        final_time=70.0,
        method=method,
        rtol=1e-9,
    )
    found = metrics_of(config)
    mean = 0.5 - 0.25 * np.sin(140.0 * rate) / (70.0 * rate)
    fourth = 0.375 - 0.25 * np.sin(140.0 * rate) / (70.0 * rate) + np.sin(280.0 * rate) / (32.0 * 70.0 * rate)
    np.testing.assert_allclose(found["mean(square)"], mean, rtol=1e-7)
    np.testing.assert_allclose(found["integral(square)"], 70.0 * mean, rtol=1e-7)
    np.testing.assert_allclose(found["std(square)"], np.sqrt(fourth - mean**2), rtol=1e-7)
    np.testing.assert_allclose(found["max(square)"], 1.0, rtol=1e-7)
    np.testing.assert_allclose(found["min(square)"], 0.0, atol=1e-7)


def test_a_value_that_is_undefined_where_a_run_begins_spoils_no_integral():
    """sin(t) / t, whose integral to pi is 1.851937051982466 (Wilbraham 1848), is nan at zero; its extremes are nan."""
    config = sweep_from_keywords(
        oscillator(),
        axes={"rtol": [1e-6, 1e-10]},
        metrics=["integral(quotient)", "mean(quotient)", "std(quotient)", "max(quotient)"],
        final_time=np.pi,
    )
    found = metrics_of(config)
    np.testing.assert_allclose(found["integral(quotient)"], 1.851937051982466, rtol=1e-8)
    np.testing.assert_allclose(found["mean(quotient)"], 1.851937051982466 / np.pi, rtol=1e-8)
    assert (found["std(quotient)"] > 0.3).all()
    assert np.isnan(found["max(quotient)"]).all()


@pytest.mark.exhaustive  # outputs that oscillate have their integrals
@pytest.mark.members(1)
@pytest.mark.parametrize("begin", [0.0, 1e9])
def test_powers_of_time_have_their_integrals(tmp_path, begin):
    """Of s^k for the time s since the beginning, and of one with a kink, which no rule resolves at once."""
    powers = range(1, 13)
    file = Path(tmp_path, "powers.py")
    lines = [f"def power{k}(t, x, p, chart):\n    return (t - {begin!r}) ** {k}\n" for k in powers]
    file.write_text("\n".join([*lines, f"def kink(t, x, p, chart):\n    return abs(t - {begin!r} - 1.0)\n"]))
    config = sweep_from_keywords(
        oscillator(),
        axes={"rtol": [1e-6, 1e-9]},
        metrics=[*(f"integral(power{k})" for k in powers), "integral(kink)", "min(kink)", "max(kink)"],
        initial={"v": 0.0},
        initial_time=begin,
        final_time=begin + 3.0,
        extra_outputs=file,
    )
    found = metrics_of(config)
    for k in powers:
        np.testing.assert_allclose(found[f"integral(power{k})"], 3.0 ** (k + 1) / (k + 1), rtol=1e-7)
    assert (np.abs(found["integral(kink)"] - 2.5) <= 10.0 * np.array([1e-6, 1e-9])).all()
    np.testing.assert_allclose(found["min(kink)"], 0.0, atol=2.0**-14)  # no polynomial has a corner
    np.testing.assert_array_equal(found["max(kink)"], 2.0)


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["dp5", "dop853", "series"])
@pytest.mark.parametrize("begin", [0.7, 2.0, "half"])
def test_what_counts_may_begin_within_a_step(method, begin):
    config = sweep_from_keywords(
        oscillator(),
        axes={"rtol": [1e-4, 1e-9], "rate": [1.0, 3.0]},
        metrics=[
            *(f"{kind}({name})" for kind in ("min", "max", "mean", "std") for name in ("x", "power", "square", "t")),
            *("integral(v)", "max(shifted)", "integral(square)"),
        ],
        final_time=5.0,
        max_step=1.0,
        method=method,
        from_=begin,
    )
    assert_same(config, mean=1e-4)


@pytest.mark.members(1)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", ["slip", "bouncing_ball"])
def test_extremes_and_means_are_those_of_a_dense_evaluation(model, method):
    quantities = {"slip": ("y", "ydot", "leg_force", "energy"), "bouncing_ball": ("y", "v", "t")}[model]
    axes = {"slip": {"k": [1.5e4, 2e4]}, "bouncing_ball": {"restitution": [0.5, 0.9]}}[model]
    config = sweep_from_keywords(
        model,
        axes={**axes, "rtol": [1e-4, 1e-8]},
        metrics=[f"{kind}({name})" for kind in ("min", "max", "mean", "integral", "std") for name in quantities],
        final_time=1.3,
        method=method,
    )
    assert_same(config, mean=1e-4)


def test_rows_have_the_same_bits_one_by_one_in_any_order_and_by_another_runner():
    config = sweep_from_keywords(
        "slip",
        axes={"k": np.linspace(1e4, 3e4, 40)},
        metrics=[f"{kind}({name})" for kind in ("min", "max", "mean", "std") for name in ("y", "leg_force", "energy")],
        final_time=5.0,
    )
    plan, stop = Plan(config), np.zeros(1, np.int64)
    first, second = BatchRunner(config), BatchRunner(config)
    whole = first.run(plan.values(0, plan.n_rows), stop)
    for row in reversed(range(plan.n_rows)):
        alone = second.run(plan.values(row, row + 1), stop)
        for name, column in whole.items():
            assert alone[name].tobytes() == column[row : row + 1].tobytes(), (name, row)
