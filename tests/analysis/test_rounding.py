"""States and outputs that are nothing but rounding: they need no size, and change nothing."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim.analysis.rounding import exact_values
from hybridsim.errors import ConfigError
from hybridsim.simulation.row_arguments import Given

TICKING = """
import math

from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(State("x", 1.5), State("ticks", 0.0), State("rounded", 0.0))
PARAMETERS = Records(Parameter("T", 0.7, "s"))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[2] - x[0]


def boundaries(g, t, x, p, chart):
    g[0] = (x[1] + 1.0) * p[0] - t


def transition(x_new, t, x, p, chart, crossed):
    x_new[0], x_new[1] = x[0] + 1.0, x[1] + 1.0
    a, b, rounded = x[0], t - x[1] * p[0], 0.0
    for k in range(1, 30):
        rounded += math.sin(a + k * b) - (math.sin(a) * math.cos(k * b) + math.cos(a) * math.sin(k * b))
    x_new[2] = SCALE * rounded + ADDED
    return chart


MODEL = Model("ticking", STATES, vector_field=vector_field, boundaries=boundaries, transition=transition,
              parameters=PARAMETERS, boundary_records=Records(Boundary("tick", time=True)))
"""


def ticking(folder, scale="1.0", added="0.0"):
    file = folder / "ticking.py"
    file.write_text(TICKING.replace("SCALE", scale).replace("ADDED", added))
    return file


SET = """
import math

from hybridsim import Boundary, Model, Records, State

STATES = Records(State("phase"), State("u"), State("v", 0.3), State("floor"), State("level"))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[0]


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = x[0] - 1.0
    x_new[1] = 0.7 * math.sin(x[1]) + 0.3 * x[2] + 0.9 * math.cos(x[3]) + 0.1
    x_new[2] = 0.3 * x[1] * x[1] - 0.2 * x[3]
    x_new[3] = x[4]
    return chart


MODEL = Model("set", STATES, vector_field=vector_field, boundaries=boundaries, transition=transition,
              boundary_records=Records(Boundary("tick", degree=1)))
"""


@pytest.mark.members(2)
@pytest.mark.parametrize("u", [0.2, 0.31, 0.4, 0.5, 0.7])
def test_a_state_that_is_set_to_a_level_that_is_kept_is_there_to_the_bit(u, tmp_path):
    """Newton's method changes it by rounding, which would be its size when the orbit is read again."""
    (tmp_path / "set.py").write_text(SET)
    orbit = hybridsim.find_orbit(tmp_path / "set.py", section="tick", initial={"u": u})
    assert orbit.kept == ("level",)
    assert orbit.x["floor"] == orbit.x["level"] == 0.0
    assert hybridsim.load_orbit(orbit.save(tmp_path / "orbit.h5")).period == orbit.period


@pytest.mark.members(1)
@pytest.mark.parametrize("translated", [(), [("t", "ticks")]], ids=["found", "declared"])
@pytest.mark.parametrize("scale", ["1.0", "1e3"])
def test_a_state_that_is_rounding_needs_not_return_in_its_own_size(scale, translated, tmp_path):
    """x decays and grows by 1 at each tick: x = 1 / (1 - exp(-T)), and deviations shrink by exp(-T)."""
    orbit = hybridsim.find_orbit(ticking(tmp_path, scale), section="tick", translated=translated)
    assert orbit.x["x"] == pytest.approx(1.0 / (1.0 - math.exp(-0.7)), rel=1e-12 * float(scale))
    assert abs(orbit.multipliers[0]) == pytest.approx(math.exp(-0.7), rel=1e-10)
    assert np.abs(orbit.multipliers[1:]).max(initial=0.0) < 1e-9
    assert hybridsim.load_orbit(orbit.save(tmp_path / "orbit.h5")).period == orbit.period


@pytest.mark.parametrize("guess", [0.3, 0.123456789, -1.7])
def test_a_state_that_strides_set_is_what_they_set_it_to(guess, tmp_path):
    """Not the rounding of Newton's steps to it, in which a period that is loaded again would miss its beginning."""
    model = ticking(tmp_path, scale="0.0")
    orbit = hybridsim.find_orbit(
        model, section="tick", translated=[("t", "ticks")], initial={"x": 1.0 + guess, "rounded": guess}
    )
    assert orbit.x["rounded"] == 0.0
    assert hybridsim.load_orbit(orbit.save(tmp_path / "orbit.h5")).period == orbit.period


def test_what_is_small_and_reads_time_is_no_rounding(tmp_path):
    """1e-12 of time in a state: then a tick later is another model."""
    with pytest.raises((ConfigError, hybridsim.NoOrbitError), match=r"moved together change|next period is another"):
        hybridsim.find_orbit(ticking(tmp_path, added="1e-12 * t"), section="tick", translated=[("t", "ticks")])


def test_values_that_last_bits_change_by_more_than_a_tenth_are_rounding():
    t = np.linspace(0.1, 2.0, 7)

    def evaluate(given):
        a, t = given.arrays["x"][:, 0], given.arrays["t"]
        rounded = np.sin(a + t) - (np.sin(a) * np.cos(t) + np.cos(a) * np.sin(t))
        return np.stack([rounded, 1e-30 * t, np.where(t > 1.0, t, -t), np.full_like(t, np.inf)], axis=1)

    places = Given(len(t), {"t": t, "x": np.sqrt(t)[:, None]})
    values, exact = exact_values(evaluate, places)
    np.testing.assert_array_equal(values, evaluate(places))
    np.testing.assert_array_equal(exact, np.tile([False, True, True, False], (len(t), 1)))
