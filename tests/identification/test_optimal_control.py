"""Motions of least cost whose costs are known."""

import numpy as np
import pytest

from hybridsim.errors import ConfigError

from .trials import CONFIGS, found_in, write

BLOCK = f"""
model: {CONFIGS / "block.py"}
inputs:
  u: {{free: true, guess: 0}}
initial: {{x: 0, v: 0}}
final: {{x: 1, v: 0}}
"""


@pytest.mark.parametrize("scheme", ["hermite-simpson", "radau"])
def test_from_rest_to_rest_takes_the_square_of_twelve(tmp_path, scheme):
    text = BLOCK + f"duration: 1\nminimize: {{squares: {{u: 1}}}}\ncollocation: {{nodes: 11, scheme: {scheme}}}\n"
    found = found_in(tmp_path, text)
    assert found.objective == pytest.approx(12.0, rel=1e-9)
    np.testing.assert_allclose(found.motions[0].inputs[:, 0], 6 - 12 * found.motions[0].t, atol=1e-6)
    np.testing.assert_allclose(found.confirmation.run.x[-1], [1.0, 0.0], atol=1e-6)
    assert found.confirmed


def test_the_trapezoidal_rule_finds_the_least_sum_of_squares_of_its_equations(tmp_path):
    # With w the weights of the rule, v(1) = w u, and x(1) = w (V u) with V u the speeds. The least w u^2 with both
    # given is c (A W^-1 A^T)^-1 c.
    text = BLOCK + "duration: 1\nminimize: {squares: {u: 1}}\ncollocation: {nodes: 11, scheme: trapezoid}\n"
    found = found_in(tmp_path, text)
    steps = 0.05 * (np.eye(10, 11) + np.eye(10, 11, 1))
    speeds = np.vstack([np.zeros(11), np.cumsum(steps, axis=0)])
    w = steps.sum(axis=0)
    a = np.vstack([speeds[-1], w @ speeds])
    c = np.array([0.0, 1.0])
    assert found.objective == pytest.approx(c @ np.linalg.solve(a / w @ a.T, c), rel=1e-9)


def test_the_shortest_time_is_that_of_full_force_forwards_and_then_back(tmp_path):
    # With |u| <= 1 it is 2 s; a force on straight lines is allowed, so that it takes a little longer.
    text = BLOCK.replace("guess: 0", "guess: 0, lower: -1, upper: 1")
    text += "duration: {guess: 3, lower: 0.1, upper: 9}\nminimize: {time: 1}\ncollocation: {nodes: 101}\n"
    found = found_in(tmp_path, text)
    assert found.confirmed
    assert 2.0 <= found.objective + 1e-8 < 2.0 * (1 + 2e-3)
    limited = found_in(tmp_path, text + "limits: {v: {upper: 0.5}}\n")
    assert 2.5 <= limited.objective + 1e-8 < 2.5 * (1 + 5e-3)  # d / v + v / a
    assert limited.motions[0].x[:, 1].max() <= 0.5 + 1e-7


def test_a_limit_of_a_state_costs_what_it_must(tmp_path):
    # With v <= V the force falls linearly to 0 within t1 = 3 (V - 1) / (2 V), and the cost is 8 V^2 / (3 t1).
    text = BLOCK + "duration: 1\nminimize: {squares: {u: 1}}\ncollocation: {nodes: 41}\nlimits: {v: {upper: 1.2}}\n"
    found = found_in(tmp_path, text)
    assert found.confirmed
    assert found.objective == pytest.approx(8 * 1.2**2 / (3 * 0.25), rel=1e-3)


POWERED = """
from hybridsim import Input, Model, Output, Records, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[0]

def outputs(y, t, x, p, chart):
    y[0] = 2 * x[1]
    y[1] = p[0] * x[1]

MODEL = Model(
    "powered",
    [State("x", 0.0), State("v", 0.0)],
    vector_field=vector_field,
    outputs=outputs,
    inputs=Records(Input("u", 0.0)),
    output_records=[Output("twice"), Output("power")],
)
"""


BOUNDED = (
    POWERED.replace("State\n", "State, Boundary\n")
    .replace(
        "def outputs",
        """def boundaries(g, t, x, p, chart):
    g[0] = 1.2 - x[1]

def transition(x_new, t, x, p, chart, crossed):
    return -1

def outputs""",
    )
    .replace("    outputs=outputs,", "    outputs=outputs, boundaries=boundaries, transition=transition,")
    .replace("    inputs=", '    boundary_records=[Boundary("fast", "m/s")],\n    inputs=')
)


def test_a_motion_stays_inside_its_boundaries_where_that_is_asked_for(tmp_path):
    (tmp_path / "bounded.py").write_text(BOUNDED)
    text = BLOCK.replace(str(CONFIGS / "block.py"), "./bounded.py")
    text += "duration: 1\nminimize: {squares: {u: 1}}\ncollocation: {nodes: 41, inside: INSIDE}\n"
    inside = found_in(tmp_path, text.replace("INSIDE", "true"))
    assert inside.objective == pytest.approx(8 * 1.2**2 / (3 * 0.25), rel=1e-3)
    assert found_in(tmp_path, text.replace("INSIDE", "false")).objective == pytest.approx(12.0, rel=1e-9)


def test_a_limit_of_an_output_is_one_of_what_it_is(tmp_path):
    (tmp_path / "powered.py").write_text(POWERED)
    text = BLOCK.replace(str(CONFIGS / "block.py"), "./powered.py")
    text += "duration: 1\nminimize: {squares: {u: 1}}\ncollocation: {nodes: 41}\nlimits: {twice: {upper: 2.4}}\n"
    assert found_in(tmp_path, text).objective == pytest.approx(8 * 1.2**2 / (3 * 0.25), rel=1e-3)


def test_the_integral_of_power_is_the_energy_at_the_end(tmp_path):
    (tmp_path / "powered.py").write_text(POWERED)
    text = (
        BLOCK.replace(str(CONFIGS / "block.py"), "./powered.py")
        .replace("v: 0}\n", "v: 3}\n")
        .replace("initial: {x: 0, v: 3}", "initial: {x: 0, v: 0}")
    )
    text += "duration: 1\nminimize: {integrals: {power: 1}, squares: {u: 1e-3}}\ncollocation: {nodes: 21}\n"
    found = found_in(tmp_path, text)
    assert found.confirmed
    u = found.motions[0].inputs[:, 0]
    # x(1) = 1 and v(1) = 3 by u = a + b t: a / 2 + b / 6 = 1, a + b / 2 = 3
    squares = 12 * (1 - 3 / 2) ** 2 + 9
    assert found.objective == pytest.approx(9 / 2 + 1e-3 * squares, rel=1e-8)
    assert u[-1] - u[0] == pytest.approx(6.0, rel=1e-3)


def test_a_free_end_within_bounds_is_chosen(tmp_path):
    text = BLOCK.replace("final: {x: 1, v: 0}", "final: {x: {guess: 1.5, lower: 1, upper: 2}}")
    found = found_in(tmp_path, text + "duration: 1\nminimize: {squares: {u: 1}}\ncollocation: {nodes: 21}\n")
    assert found.objective == pytest.approx(3.0, rel=1e-7)  # to 1 m, and v is free: u = 3 (1 - t)


def test_a_run_of_infinitely_many_impacts_gives_no_phases(tmp_path):
    t = np.linspace(0.0, 2.0, 51)
    write(tmp_path / "trial.csv", t=t, y=np.exp(-t))
    with pytest.raises(ConfigError, match="infinitely many impacts"):
        found_in(
            tmp_path,
            "model: bouncing_ball\ndata: {file: trial.csv}\nmeasured: {y: y}\nfree: {gravity: 9}\nphases: simulate\n",
        )
