"""The exact runs that work_precision.py and taylor.py measure errors with, and the jets of taylor.py."""

import sys
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from numba import njit

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import exact
import gait
import jets
import slip

import hybridsim
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


def test_the_exact_compass_gait_is_where_the_engine_puts_it():
    run = hybridsim.simulate(
        "compass_gait", final_time=gait.end(STRIDES), record=False, method="dop853", rtol=1e-13, atol=1e-15
    )
    np.testing.assert_allclose(run.x[-1], exact.walked(STRIDES), rtol=0.0, atol=1e-11)


def test_the_exact_runner_keeps_its_energy():
    def energy(state):
        _, y, xdot, ydot = state
        return 0.5 * slip.MASS * (xdot * xdot + ydot * ydot) + slip.MASS * slip.GRAVITY * y

    # The states are rounded to doubles, and nothing else is.
    assert energy(exact.touchdown(STRIDES)) == pytest.approx(energy(slip.START), rel=1e-14, abs=0.0)


def test_jets_have_the_coefficients_of_the_exact_series():
    order = 12
    field = jets.with_callees(slip_model.vector_field, **jets.OPTIONS)
    rows_memory, tape_memory = jets.memory(7 * jets.ROW), jets.memory(64 * jets.ROW)
    states_of, slopes_of, tape_end = jets.states_of, jets.slopes_of, jets.tape_end

    @njit(error_model="numpy")
    def coefficients(x, p, chart, out):
        rows, tape, end = rows_memory(), tape_memory(), tape_end()
        for i in range(7):
            for k in range(order + 1):
                rows[i * jets.ROW + k] = x[i] if k == 0 else 0.0
        for m in range(order):
            end[0] = tape
            field(slopes_of(rows, m, end), 0.0, states_of(rows, m, end), p, chart)
        for i in range(4):
            for k in range(order + 1):
                out[i, k] = rows[i * jets.ROW + k]

    x = exact.touchdown(2)
    footx = x[0] + slip.AHEAD
    found = np.zeros((4, order + 1))
    p = np.array([parameter.default for parameter in slip_model.PARAMETERS], float)
    coefficients(np.array([*x, footx, 0.0, 0.0]), p, slip_model.C.compression, found)
    with localcontext() as context:
        context.prec = exact.DIGITS
        series, _ = exact.runner(1, Decimal(footx), [Decimal(value) for value in x])
        expected = [[float(each[k]) for k in range(order + 1)] for each in series]
    scale = np.abs(expected).max(axis=0)  # of each order
    np.testing.assert_allclose(found / scale, expected / scale, rtol=0.0, atol=1e-12)
