"""Appending `.initial` and `.param` to the rc file repeats the run, bit for bit."""

from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config

CONFIGS = Path(__file__).parents[2] / "configs"

# Everything a start can hold: a choice, an array, a bookkeeping state, and a state that `initial_chart` finalises.
PLUGIN = """
from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("angle", 7.0), State("rate", 0.1), State("turns", 0.0, continuous=False))
PARAMETERS = Records(
    Parameter("spring", "soft", choices=("soft", "hard")),
    Parameter("stiffness", (1.0, 2.0)),
    Parameter("limit", 1.0),
)
BOUNDARIES = Records(Boundary("limit_reached", degree=1))
ANGLE, RATE, TURNS = 0, 1, 2
SPRING, STIFFNESS, LIMIT = 0, 1, 2
TURN = 6.283185307179586


def vector_field(xdot, t, x, p, chart):
    xdot[ANGLE] = x[RATE]
    xdot[RATE] = -p[int(p[STIFFNESS]) + int(p[SPRING])] * x[ANGLE]


def boundaries(g, t, x, p, chart):
    g[0] = p[LIMIT] - x[ANGLE]


def transition(x_new, t, x, p, chart, crossed):
    x_new[RATE] = -x[RATE] / 3.0
    x_new[TURNS] = x[TURNS] + 1.0
    return 0


def initial_chart(x_new, t, x, p):
    while x_new[ANGLE] > 0.5 * TURN:
        x_new[ANGLE] = x_new[ANGLE] - TURN
        x_new[TURNS] = x_new[TURNS] + 1.0
    return 0


MODEL = Model(
    "pendulum",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
)
"""
PENDULUM = """
systemName = "./pendulum.py"; finalTime = 20.3; spring = "hard";
stiffness = { 0.1 1.2345678901234567 }; limit = 0.98765432109876543; rate = 2.1;
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pendulum.py").write_text(PLUGIN)
    (tmp_path / "pendulum.rc").write_text(PENDULUM)
    (tmp_path / "slip.rc").write_text((CONFIGS / "slip-simsect.rc").read_text() + "k = 1234.5678901234567; y = 0.91;")
    return tmp_path


@pytest.mark.parametrize("name", ["pendulum", "slip"])
def test_the_files_of_a_run_repeat_it_bit_for_bit(folder, name):
    config = folder / f"{name}.rc"
    first = Simulation.from_config(load_config(config)).run()
    first.save(folder / "first")

    appended = [folder / "first.initial", folder / "first.param"]
    config.write_text("\n".join(path.read_text() for path in [config, *appended]))
    second = Simulation.from_config(load_config(config)).run()
    second.save(folder / "second")

    assert len(first.events) > 2
    np.testing.assert_array_equal(second.x, first.x)
    for ending in (".data", ".initial", ".param"):
        assert (folder / f"second{ending}").read_text() == (folder / f"first{ending}").read_text()
