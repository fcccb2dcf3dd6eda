"""The derivatives of every bundled model, in every chart that the run of its config visits."""

import numpy as np
import pytest
from derivatives.bundled_runs import CONFIG_NAMES, LIGHT, differentiate, n_results, points_of, run_of

from hybridsim.duals.functions import _interpreted_entry
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.engine.compiler.dual_lanes import FIRST_LANE, duals
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, SIGNATURES, for_python
from hybridsim.simulation import ModelFunctions
from hybridsim.simulation.row_functions import RowFunctions

FUNCTIONS = ("vector_field", "boundaries", "outputs")
VARIABLES = "xpt"
FEW, ALL = (16, 17, 18), range(8, 40)
"""Steps of the differences, as powers of 1/2 of the variable."""


def plain(model, name, length):
    """Return the compiled function of a plug-in, as a function of t, x, p and the chart."""
    if not JIT:
        return in_plain_python(model.functions[name], length)
    compiled = compile_functions(model.name, {name: model.functions[name]})
    call = for_python(SIGNATURES[name], compiled.addresses[FUNCTION_INDEX[name]])

    def evaluate(t, x, p, chart):
        y = np.zeros(length)
        x, p = np.ascontiguousarray(x), np.ascontiguousarray(p)
        call(y, t, x, p, chart)
        return y

    evaluate.compiled = compiled  # which owns the machine code

    return evaluate


def in_plain_python(function, length):
    def evaluate(t, x, p, chart):
        y = np.zeros(length)
        function(y, t, x, p, chart)
        return y

    return evaluate


def differences(evaluate, point, which, index, exponents):
    """Return extrapolated central differences along one variable, over shorter and shorter steps: (n_steps, n)."""
    value = point.t if which == "t" else (point.x if which == "x" else point.p)[index]

    def at(shift):
        x, p = point.x.copy(), point.p.copy()
        t = point.t + (shift if which == "t" else 0.0)
        if which != "t":
            (x if which == "x" else p)[index] += shift
        return evaluate(t, x, p, point.chart)

    steps = [2.0**-k * max(abs(value), 0.1) for k in exponents]
    central = np.array([(at(h) - at(-h)) / (2.0 * h) for h in steps])
    return (4.0 * central[1:] - central[:-1]) / 3.0


def interpreted(model, name, length, point, direction_x, direction_p):
    """Return the values and the derivatives along one direction with the class DualNumber."""
    y, t, x, p = duals(length), duals(1), duals(len(point.x)), duals(len(point.p))
    t[0, 0], x[:, 0], p[:, 0] = point.t, point.x, point.p
    x[:, FIRST_LANE], p[:, FIRST_LANE] = direction_x, direction_p
    _interpreted_entry(model.functions[name])(y, t, x, p, point.chart)
    return y[:, FIRST_LANE]


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_derivatives_agree_with_differences_and_with_plain_python(config):
    model, *_ = run_of(config)
    points = points_of(config)
    for name in (name for name in FUNCTIONS if name in model.functions):
        length = n_results(model, name)
        evaluate = plain(model, name, length)
        for point in points:
            found = {which: differentiate(model, name, point, which) for which in VARIABLES}
            for which, matrix in found.items():
                assert np.isfinite(matrix.values).all()
                for column, variable in enumerate(matrix.columns):
                    index = {"x": column, "t": 0}.get(which, model.p_indices.get(variable))
                    # A kink may be a nanometre away, and rounding spoils the shortest steps: one of them must do.
                    for exponents in FEW, ALL:
                        found_here = differences(evaluate, point, which, index, exponents)
                        error = np.abs(found_here - matrix.values[:, column]).min(axis=0)
                        wrong = error > 1e-6 * (1.0 + np.abs(matrix.values[:, column]))
                        if not wrong.any():
                            break
                    assert not wrong.any(), (name, variable, point.chart, matrix.values[wrong, column])
            compare_with_plain_python(model, name, length, point, found)


@pytest.mark.members(4)
@pytest.mark.parametrize("config", LIGHT)
def test_rows_in_all_charts_are_the_bits_of_single_points_and_of_the_engine(config):
    model, run, p = run_of(config)
    f, rows = ModelFunctions(RowFunctions(model, p)), np.unique(np.linspace(0, len(run.t) - 1, 40).astype(int))
    rows = rows[run.adjacent_chart[rows] < 0][::-1]
    if not len(run.inputs):
        outputs = [model.columns.names.index(name) for name in run.outputs.names]
        assert np.array_equal(f.outputs(run.t[rows], run.x[rows], run.chart[rows])[:, outputs], run.y[rows])
    for name in (name for name in FUNCTIONS if name in model.functions):
        found = f.jacobian(name, run.t[rows], run.x[rows], run.chart[rows], wrt="x")
        for row, matrix in zip(rows, found, strict=True):
            one = f.jacobian(name, run.t[row], run.x[row], run.chart[row], wrt="x")
            assert np.array_equal(matrix, one, equal_nan=True)


def compare_with_plain_python(model, name, length, point, found):
    dice = np.random.default_rng(1)
    direction_x, direction_p = dice.normal(size=len(point.x)), np.zeros(len(point.p))
    columns = [model.p_indices[parameter] for parameter in found["p"].columns]
    direction_p[columns] = dice.normal(size=len(columns))
    expected = found["x"].values @ direction_x + found["p"].values @ direction_p[columns]
    derivative = interpreted(model, name, length, point, direction_x, direction_p)
    assert derivative == pytest.approx(expected, rel=1e-9, abs=1e-9 * max(1.0, np.abs(expected).max(initial=0.0)))
