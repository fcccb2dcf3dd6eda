"""The configs in `configs/identification`: each is solved and confirmed, and finds what the data were made with."""

import importlib.util

import numpy as np
import pytest

from hybridsim import identify
from hybridsim.cli.check import check

from .trials import CONFIGS, GAINS

STEMS = sorted(path.stem for path in CONFIGS.glob("*.yaml"))
SLOW = ("driven_leg", "two_links", "one_link", "standing", "duffing")
TRUE = {
    "pendulum": [10],
    "one_link": GAINS[1],
    "two_links": GAINS[2],
    "standing": [950, 175, 185, 50, 45, 290, 60, 26],
    "bouncing_ball": [9.81, 0.8],
    "dc_motor": [1.2, 0.0015, 0.002],
    "duffing": [0.2, 1, 1],
}


@pytest.fixture(scope="module")
def found():
    """What is identified of each config, once."""
    known = {}

    def of(stem):
        if stem not in known:
            known[stem] = identify(CONFIGS / f"{stem}.yaml")
        return known[stem]

    return of


@pytest.mark.members(1)
@pytest.mark.parametrize("stem", [pytest.param(stem, marks=pytest.mark.slow if stem in SLOW else ()) for stem in STEMS])
def test_a_config_that_ships_is_solved_and_confirmed(found, stem):
    assert found(stem).confirmed, found(stem).why_not


@pytest.mark.members(5)
@pytest.mark.parametrize("stem", STEMS)
def test_a_config_that_ships_is_fine_for_check(stem, capsys):
    check(str(CONFIGS / f"{stem}.yaml"))
    assert f"{stem}.yaml: fine, " in capsys.readouterr().out


@pytest.mark.members(3)
@pytest.mark.slow
@pytest.mark.parametrize("stem", TRUE)
def test_a_config_that_ships_finds_what_its_data_were_made_with(found, stem):
    each = found(stem)
    errors = np.array([*each.parameters.values()]) - TRUE[stem]
    assert (np.abs(errors) < 4 * np.array([*each.standard_errors.values()])).all()


def test_hares_and_lynxes_have_the_rates_that_others_find(found):
    # Least squares by shooting with ode45 and lsqcurvefit: 0.4807, 0.0248, 0.9272, 0.0276 and a sum of squares of
    # 594.94 (Howard 2009, Modeling with ODE).
    each = found("predator_prey")
    assert [*each.parameters.values()] == pytest.approx([0.4807, 0.0248, 0.9272, 0.0276], rel=3e-3)
    assert each.objective == pytest.approx(594.9, rel=1e-3)


def test_a_block_from_rest_to_rest_costs_twelve_and_its_force_falls_on_a_straight_line(found):
    each = found("block")
    assert each.objective == pytest.approx(12.0, rel=1e-9)
    (motion,) = each.motions
    np.testing.assert_allclose(motion.inputs[:, 0], 6 - 12 * motion.t, atol=1e-7)


def test_a_pole_is_swung_up_with_all_force_but_at_few_instants(found):
    each = found("swing_up")
    (motion,) = each.motions
    force = np.abs(motion.inputs[:, 0])
    assert force.max() <= 20 * (1 + 1e-7)
    assert np.count_nonzero(force < 19.99) <= 30  # of 101 nodes: around those where it changes its sign
    np.testing.assert_allclose(motion.x[-1], [1, np.pi, 0, 0], atol=1e-9)
    run = each.confirmation.run
    np.testing.assert_allclose(run.x[-1], [1, np.pi, 0, 0], atol=1e-3)


@pytest.mark.exhaustive  # slow: its config is searched
def test_the_motor_of_a_leg_does_the_work_that_the_damper_takes(found):
    # Over a stride the energy of body and spring comes back to what it was: the integral of the power of the motor is
    # that of damping (rate - d rho / dt)^2, with rho the length of the leg, here by the trapezoidal rule in the run.
    run = found("driven_leg").confirmation.run
    stance = (run.chart == 1) & (run.t >= run.events.t[0]) & (run.t <= run.events.t[1])
    t, x = run.t[stance], run.x[stance]
    fine = np.linspace(t[0] + 1e-9, t[-1] - 1e-9, 20001)
    x, y, xdot, ydot, rest, foot = np.asarray(run.at(fine)).T
    length = np.hypot(x - foot, y)
    speed = ((x - foot) * xdot + y * ydot) / length
    rate = np.interp(fine, found("driven_leg").motions[0].t, found("driven_leg").motions[0].inputs[:, 0])
    force = 20000 * (rest - length) + 100 * (rate - speed)
    assert np.trapezoid(force * rate, fine) == pytest.approx(np.trapezoid(100 * (rate - speed) ** 2, fine), rel=2e-3)
    np.testing.assert_allclose(run.x[-1, 1:5], run.x[0, 1:5], atol=1e-3)


@pytest.mark.parametrize("stem", ["pendulum", "bouncing_ball", "duffing"])
def test_the_data_are_those_that_make_data_writes(stem, tmp_path):
    spec = importlib.util.spec_from_file_location("make_data", CONFIGS / "make_data.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    made.write(tmp_path / "again.csv", made.columns_of(made.EXPERIMENTS[stem]))
    assert (tmp_path / "again.csv").read_text() == (CONFIGS / f"{stem}.csv").read_text()


def test_every_table_is_made_or_published():
    spec = importlib.util.spec_from_file_location("make_data", CONFIGS / "make_data.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert {path.stem for path in CONFIGS.glob("*.csv")} == {*made.EXPERIMENTS, "predator_prey", "gait"}
