"""The exact runs that work_precision.py measures errors with, and the power series of the engine beside theirs."""

import sys
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import exact
import gait
import slip

import hybridsim
from hybridsim.engine.methods.series import ORDER
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim_models.slip import model as slip_model

STRIDES = 6


def test_the_exact_runner_is_where_the_engine_puts_it():
    run = hybridsim.simulate(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        stop=[("touchdown", STRIDES)],
        final_time=1e3,
        record=False,
        method="dop853",
        rtol=1e-13,
        atol=1e-15,
    )
    np.testing.assert_allclose(run.x[-1][:4], exact.touchdown(STRIDES), rtol=0.0, atol=1e-11)


@pytest.mark.exhaustive  # the runner is in the ordinary run
def test_the_exact_compass_gait_is_where_the_engine_puts_it():
    run = hybridsim.simulate(
        "compass_gait", final_time=gait.end(STRIDES), record=False, method="dop853", rtol=1e-13, atol=1e-15
    )
    np.testing.assert_allclose(run.x[-1][:4], exact.walked(STRIDES), rtol=0.0, atol=1e-11)


def test_the_exact_runner_keeps_its_energy():
    def energy(state):
        _, y, xdot, ydot = state
        return 0.5 * slip.MASS * (xdot * xdot + ydot * ydot) + slip.MASS * slip.GRAVITY * y

    # The states are rounded to doubles, and nothing else is.
    assert energy(exact.touchdown(STRIDES)) == pytest.approx(energy(slip.START), rel=1e-14, abs=0.0)


def test_power_series_have_the_coefficients_of_the_exact_ones():
    x = exact.touchdown(2)
    footx = x[0] + slip.AHEAD
    names = slip_model.MODEL.states.names
    initial = dict(zip(names, [*x, footx, *[0.0] * (len(names) - 5)], strict=True))
    sim = hybridsim.Simulation(
        slip_model.MODEL, initial=initial, initial_chart="compression", method="series", rtol=1e-12, atol=1e-14,
        final_time=1e-6, first_step=1e-6,
    )  # fmt: skip
    sim.run()
    found = sim._packed.workspace.tape.reshape(-1, ROW_SIZE)[1:5, : ORDER + 1]
    with localcontext() as context:
        context.prec = exact.DIGITS
        series, _ = exact.runner(1, Decimal(footx), [Decimal(value) for value in x])
        expected = [[float(each[k]) for k in range(ORDER + 1)] for each in series]
    scale = np.abs(expected).max(axis=0)  # of each order
    np.testing.assert_allclose(found / scale, expected / scale, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("rtol", [1e-10, 1e-12, 1e-14])
def test_series_keep_to_small_tolerances(rtol):
    """After six strides the errors of some seventy steps have added up, and those of rounding, of an x of 8 m."""
    settings = {"method": "series", "rtol": rtol, "atol": 0.01 * rtol, "record": False}
    stops = {"stop": [("touchdown", STRIDES)], "final_time": 1e3}
    runner = hybridsim.simulate("slip", parameters={"hold_touchdown_angle": 1}, **stops, **settings)
    walker = hybridsim.simulate("compass_gait", final_time=gait.end(STRIDES), **settings)
    allowed = 100.0 * rtol + 1e-13
    np.testing.assert_allclose(runner.x[-1][:4], exact.touchdown(STRIDES), rtol=0.0, atol=allowed)
    np.testing.assert_allclose(walker.x[-1][:4], exact.walked(STRIDES), rtol=0.0, atol=allowed)
