"""First and second derivatives of programs, against differences: every kind of terms, with every scheme."""

import re
from typing import get_args

import numpy as np
import pytest

from hybridsim.config.identification import load_identification_config
from hybridsim.identification.ends import Transitions
from hybridsim.identification.guess import motion_of
from hybridsim.identification.intervals import Defects
from hybridsim.identification.problem import problem_of
from hybridsim.typing import Scheme

from .trials import CONFIGS, write, written

MODEL = """
import math

from hybridsim import Boundary, Chart, Input, Model, Output, Parameter, Records, State

def vector_field(xdot, t, x, p, chart):
    k = int(p[1])
    xdot[0] = x[1] + 0.1 * math.sin(t)
    xdot[1] = p[2] - p[0] * math.sin(x[0]) - p[k + 1] * x[1] - (chart + 1) * p[k] * x[1] ** 2

def boundaries(g, t, x, p, chart):
    g[0] = x[0] * x[0] + 0.1 * t - p[0]
    g[1] = x[1] + p[0] * t

def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = x[0] + 0.1 * math.sin(t)
    x_new[1] = -p[0] * x[1] * x[0] if crossed[0] else x[1] ** 2
    return 1 - chart

def outputs(y, t, x, p, chart):
    y[0] = p[0] * x[0] ** 2 + p[2] * x[1] + t
    y[1] = x[0] * x[1] * (chart + 1)

MODEL = Model(
    "everything",
    [State("a", 0.3), State("b", 0.5)],
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=[Parameter("k", 1.2), Parameter("drag", (0.3, 0.2, 0.1))],
    inputs=Records(Input("u", 0.4)),
    charts=Records(Chart("first"), Chart("second")),
    boundary_records=Records(Boundary("circle"), Boundary("line")),
    output_records=Records(Output("c"), Output("d")),
)
"""
PHASES = """
model: ./everything.py
phases:
  - {chart: first, until: circle, nodes: 4, duration: 0.4}
  - {chart: second, until: line, nodes: 3, duration: 0.3}
"""
MEASURED = "data: {file: trial.csv, noise: {a: 0.1, c: 0.2}}\nmeasured: {a: a, c: c}\n"
COSTS = "minimize: {squares: {u: 2, d: 1, a: 0.3}, integrals: {c: 0.5, b: 1}, time: 0.7}\nlimits: {d: {upper: 3}}\n"
FREE = "free: {k: 1, 'drag[0]': 0.2, 'drag[2]': 0.1}\n"
PROGRAMS = {
    "samples": "model: ./everything.py\n" + MEASURED + FREE,
    "samples beside nodes": "model: ./everything.py\ncollocation: {nodes: 5}\n" + MEASURED + FREE,
    "phases of data": PHASES + MEASURED + FREE,
    "costs": "model: ./everything.py\ncollocation: {nodes: 4}\nduration: {guess: 1}\ninputs: {u: {free: true}}\n"
    + COSTS + FREE,
    "a cycle": PHASES + "cyclic: {a: b, b: a}\ninputs: {u: {free: true}}\n" + COSTS + FREE,
    "data, costs and inputs": PHASES + MEASURED + FREE + "inputs: {u: {free: true}}\nminimize: {squares: {u: 1}}\n",
}  # fmt: skip


def problem_at(folder, text, scheme, model=MODEL, *, begin=0.0, unit=1.0, pull=0.0):
    """Return a problem, and a point at random; its states are in a unit."""
    (folder / "everything.py").write_text(model)
    rng = np.random.default_rng(3)
    t = np.array([0.0, 0.11, 0.2, 0.38, 0.5, 0.63, 0.8])
    gaps = np.where(np.arange(7) == 3, np.nan, rng.normal(size=7))
    write(folder / "trial.csv", t=begin + t, a=unit * rng.normal(size=7), c=gaps)
    config = load_identification_config(written(folder, text), [f"collocation.scheme={scheme}"])
    problem = problem_of(config, [motion_of(config, trial) for trial in config.trials])
    problem.pull(pull)
    units = np.ones(len(problem.z))
    for grid in problem.paths[0].grids:
        units[grid.nodes[:, :2]] = unit
    return problem, problem.z + 0.02 * rng.normal(size=len(problem.z)) * units, units


def program_of(folder, text, scheme, **more):
    """Return a program, and a point at random."""
    problem, z, _ = problem_at(folder, text, scheme, **more)
    return problem.program(z), z, np.random.default_rng(4)


CASES = [
    pytest.param(name, scheme, marks=() if (i + j) % 3 == 0 else pytest.mark.exhaustive)
    for i, name in enumerate(PROGRAMS)
    for j, scheme in enumerate(get_args(Scheme))
]


@pytest.mark.members(1)
@pytest.mark.parametrize(("name", "scheme"), CASES)
def test_derivatives_of_programs_are_those_of_differences(tmp_path, name, scheme):
    check_derivatives(*program_of(tmp_path, PROGRAMS[name], scheme))


def test_a_homotopy_has_the_derivatives_of_its_pull_by_times_that_are_free(tmp_path):
    text = PROGRAMS["phases of data"] + "solver: {homotopy: 1}\n"
    check_derivatives(*program_of(tmp_path, text, "hermite-simpson", pull=1.0))


def check_derivatives(program, z, rng):
    d = 1e-5
    sides = [(z + d * e, z - d * e) for e in np.eye(len(z))]
    jacobian = np.column_stack([(program.rows(right) - program.rows(left)) / (2 * d) for right, left in sides])
    np.testing.assert_allclose(program.jacobian_matrix(z).toarray(), jacobian, rtol=1e-6, atol=1e-7)
    gradient = [(program.objective(right) - program.objective(left)) / (2 * d) for right, left in sides]
    np.testing.assert_allclose(program.gradient(z), gradient, rtol=1e-6, atol=1e-7)
    multipliers = rng.normal(size=len(program.rows(z)))

    def slope(z):
        return 0.8 * program.gradient(z) + program.jacobian_matrix(z).T @ multipliers

    second = np.column_stack([(slope(right) - slope(left)) / (2 * d) for right, left in sides])
    found = program.curvature(exact=True).matrix(z, 0.8, multipliers).toarray()
    np.testing.assert_allclose(found, second, rtol=1e-4, atol=1e-6 * np.abs(second).max())


@pytest.mark.parametrize("name", ["samples", "samples beside nodes", "phases of data"])
def test_the_curvature_of_gauss_and_newton_is_that_of_squares_of_linear_functions(tmp_path, name):
    # J = |r|^2 has 2 R^T R + 2 sum r_i r_i''; the first part is what remains where all r_i are 0.
    program, z, _ = program_of(tmp_path, PROGRAMS[name], "hermite-simpson")
    found = program.curvature(exact=False).matrix(z, 1.0, np.zeros(0)).toarray()
    expected = np.zeros_like(found)
    for each in program.objectives:
        for index, by in zip(each.terms.index, each.terms.evaluate(z[each.terms.index])[1], strict=True):
            dense = np.zeros((len(by), len(z)))
            np.add.at(dense, (slice(None), index), by)
            expected += 2 * dense.T @ dense
    np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


@pytest.mark.exhaustive  # that of a homotopy is in the ordinary run
def test_the_jacobian_of_a_gait_is_that_of_differences():
    config = load_identification_config(CONFIGS / "driven_leg.yaml")
    problem = problem_of(config, [motion_of(config, trial) for trial in config.trials])
    z = problem.z + 1e-3 * np.random.default_rng(1).normal(size=len(problem.z))
    program, d = problem.program(z), 1e-6
    jacobian = np.column_stack([(program.rows(z + d * e) - program.rows(z - d * e)) / (2 * d) for e in np.eye(len(z))])
    np.testing.assert_allclose(program.jacobian_matrix(z).toarray(), jacobian, rtol=1e-6, atol=1e-6)


def second_derivatives_of(problem, z, unit=1.0):
    """Return second derivatives with multipliers of equations, of which those of states are in a unit."""
    program, rng = problem.program(z), np.random.default_rng(4)
    multipliers = [
        rng.normal(size=len(each.terms.index) * each.terms.n_rows)
        / (unit if isinstance(each.terms, Defects | Transitions) else 1.0)
        for each in program.constraints
    ]
    return program.curvature(exact=True).matrix(z, 0.8, np.concatenate(multipliers)).toarray()


@pytest.mark.members(1)
@pytest.mark.parametrize("name", ["costs", "a cycle", "phases of data"])
def test_second_derivatives_are_the_same_at_late_times(tmp_path, name):
    # Numbers near 1e9 are 1.2e-7 apart, and so are times. A difference over 1e-4 errs by a thousandth.
    late = MODEL.replace("sin(t)", "sin(t - 1e9)").replace("* t", "* (t - 1e9)").replace("+ t\n", "+ (t - 1e9)\n")
    problem, z, _ = problem_at(tmp_path, PROGRAMS[name], "hermite-simpson")
    expected = second_derivatives_of(problem, z)
    text = PROGRAMS[name] + ("" if "data" in name else "initial_time: 1.0e+9\n")
    problem, z_late, _ = problem_at(tmp_path, text, "hermite-simpson", late, begin=1e9)
    np.testing.assert_allclose(z_late, z, rtol=1e-4)
    np.testing.assert_allclose(second_derivatives_of(problem, z), expected, atol=1e-3 * np.abs(expected).max())


@pytest.mark.members(1)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
@pytest.mark.parametrize("name", ["phases", "one chart"])
def test_second_derivatives_do_not_depend_on_the_unit_of_states(tmp_path, name, unit):
    # The same model with states in another unit: x[0] / unit is read, and unit times what it was is written.
    source = re.sub(r"(x\[\d\])", rf"(\1 / {unit!r})", MODEL)
    source = re.sub(r"(xdot|x_new)\[(\d)\] = (.*)", rf"\1[\2] = {unit!r} * (\3)", source)
    source = source.replace('"a", 0.3', f'"a", {0.3 * unit!r}').replace('"b", 0.5', f'"b", {0.5 * unit!r}')
    costs = "inputs: {u: {free: true}}\nminimize: {squares: {u: 2, d: 1}, integrals: {c: 0.5}, time: 0.7}\n" + FREE
    text = (PHASES if name == "phases" else "model: ./everything.py\nduration: {guess: 1}\n") + costs
    problem, z, _ = problem_at(tmp_path, text, "hermite-simpson")
    expected = second_derivatives_of(problem, z)
    problem, z, units = problem_at(tmp_path, text, "hermite-simpson", source, unit=unit)
    found = second_derivatives_of(problem, z, unit) * np.outer(units, units)
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
