"""The runner's functions, called as plain Python."""

import math

import numpy as np
import pytest

from hybridsim import DECLINED, load_model
from hybridsim_models.slip import model as slip
from hybridsim_models.slip.spring import force, potential

STANCE = {"x": 0.1, "y": 0.9, "xdot": 2.0, "ydot": 0.5, "footx": 0.0, "footy": 0.0, "touchdown_angle": -0.2}
EXPONENTS = [(2, 1), (1, -2), (1, 2), (2, -1), (3, 1), (3, 2), (-1, 1), (-2, -2)]


def state(**values: float) -> np.ndarray:
    return np.array([values.get(s.name, s.default) for s in slip.STATES])


def parameters(**values: float) -> np.ndarray:
    return np.array([float(values.get(p.name, p.default)) for p in slip.PARAMETERS])


def transition(x: np.ndarray, p: np.ndarray, chart: int) -> tuple[np.ndarray, int]:
    x_new = x.copy()
    return x_new, slip.transition(x_new, 0.0, x, p, chart, np.ones(4))


def initial_chart(x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, int]:
    x_new = x.copy()
    return x_new, slip.initial_chart(x_new, 0.0, x, p)


def outputs(x: np.ndarray, p: np.ndarray, chart: int) -> dict[str, float]:
    y = np.empty(len(slip.OUTPUTS))
    slip.outputs(y, 0.0, x, p, chart)
    return dict(zip(slip.OUTPUTS.names, y, strict=True))


def test_names_and_numbers_are_those_of_simsect():
    model = load_model("slip")
    assert model.states.names == ("x", "y", "xdot", "ydot", "footx", "footy", "touchdown_angle")
    assert [s.name for s in model.states if not s.continuous] == ["footx", "footy", "touchdown_angle"]
    simsect = ("body_mass", "q_rt", "q_rl", "g_stance", "g_flight", "framerate", "q_0", "spri", "sprj", "k")
    assert model.parameters.names == (*simsect, "hold_touchdown_angle")
    assert model.charts.names == ("ascent", "descent", "compression", "decompression")
    assert model.boundary_records.names == ("apex", "touchdown", "bottom", "liftoff")
    expected = ("time", "x", "y", "xdot", "ydot", "leg_length", "leg_angle", "leg_force", "energy")
    assert model.output_records.names == expected


@pytest.mark.parametrize(("i", "j"), EXPONENTS)
def test_the_force_is_minus_the_slope_of_the_potential(i, j):
    q, h = 0.8, 1e-5
    slope = (potential(q + h, 1.1, i, j, 500.0) - potential(q - h, 1.1, i, j, 500.0)) / (2 * h)
    assert force(q, 1.1, i, j, 500.0) == pytest.approx(-slope, rel=1e-7)  # h^2 U'''/6


def test_exponents_2_and_1_are_hookes_spring_and_1_and_minus_2_the_air_spring():
    q, q_0, k = 0.7, 0.9, 1000.0
    assert force(q, q_0, 2.0, 1.0, k) == k * (q_0 - q)
    assert potential(q, q_0, 2.0, 1.0, k) == pytest.approx(k / 2 * (q_0 - q) ** 2, rel=1e-14)
    assert force(q, q_0, 1.0, -2.0, k) == pytest.approx(k / q**3, rel=1e-14)
    assert potential(q, q_0, 1.0, -2.0, k) == pytest.approx(k / 2 * (q**-2 - q_0**-2), rel=1e-14)


def test_in_stance_the_spring_pushes_along_the_leg_and_gravity_pulls_down():
    x, p = state(**STANCE), parameters(g_stance=3.0)
    xdot = np.zeros(7)
    slip.vector_field(xdot, 0.0, x, p, slip.C.compression)
    push = 20000.0 * (1.0 - math.hypot(0.1, 0.9)) / 80.0
    direction = np.array([0.1, 0.9]) / math.hypot(0.1, 0.9)
    np.testing.assert_allclose(xdot, [2.0, 0.5, *(push * direction - [0, 3.0]), 0, 0, 0], rtol=1e-13)


def test_in_flight_only_gravity_acts():
    xdot = np.zeros(7)
    slip.vector_field(xdot, 0.0, state(xdot=2.0, ydot=0.5), parameters(g_flight=4.0), slip.C.ascent)
    assert xdot.tolist() == [2.0, 0.5, 0.0, -4.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("chart", range(4))
def test_each_chart_has_the_one_boundary_that_leads_on(chart):
    g = np.full(4, np.nan)
    slip.boundaries(g, 0.0, state(**STANCE), parameters(), chart)
    assert np.flatnonzero(~np.isnan(g)).tolist() == [chart]


def test_boundaries_vanish_with_the_quantities_they_stand_for():
    p = parameters(q_rl=math.hypot(0.1, 0.9))
    x = state(**STANCE)
    x[slip.S.xdot], x[slip.S.ydot] = 0.9, -0.1  # across the leg
    g = np.full(4, np.nan)
    for chart in (slip.C.compression, slip.C.decompression):
        slip.boundaries(g, 0.0, x, p, chart)
    np.testing.assert_allclose(g[2:], 0.0, atol=1e-15)
    slip.boundaries(g, 0.0, state(y=math.cos(0.2), touchdown_angle=-0.2), p, slip.C.descent)
    assert g[slip.B.touchdown] == pytest.approx(0.0, abs=1e-15)


def test_touchdown_puts_the_foot_ahead_of_the_body_on_the_ground():
    x_new, chart = transition(state(x=3.0, y=math.cos(0.3), xdot=5.0, ydot=-1.0, touchdown_angle=-0.3), parameters(), 1)
    assert chart == slip.C.compression
    assert x_new[slip.S.footx] == pytest.approx(3.0 + math.sin(0.3), rel=1e-15)
    assert x_new[slip.S.footy] == pytest.approx(0.0, abs=1e-15)


def test_touchdown_on_a_lengthening_leg_goes_to_decompression():
    falling_over = state(y=math.cos(0.4), xdot=5.0, ydot=-1.0, touchdown_angle=0.4)
    assert transition(falling_over, parameters(), slip.C.descent)[1] == slip.C.decompression


def test_touchdown_on_a_leg_that_lengthens_beyond_its_liftoff_length_is_declined():
    falling_over = state(y=math.cos(0.4), xdot=5.0, ydot=-1.0, touchdown_angle=0.4)
    x_new, chart = transition(falling_over, parameters(q_rl=0.9), slip.C.descent)
    assert (chart, x_new.tolist()) == (DECLINED, falling_over.tolist())


def test_liftoff_mirrors_the_angle_or_holds_it_and_enters_flight_by_the_vertical_speed():
    x = state(**STANCE)
    rising, chart = transition(x, parameters(), slip.C.decompression)
    assert (chart, rising[slip.S.touchdown_angle]) == (slip.C.ascent, -math.atan2(0.1, 0.9))
    held, _ = transition(x, parameters(hold_touchdown_angle=1), slip.C.decompression)
    assert held[slip.S.touchdown_angle] == -0.2
    x[slip.S.ydot] = 0.0
    assert transition(x, parameters(), slip.C.decompression)[1] == slip.C.descent


def test_bottom_goes_to_decompression_unless_the_leg_is_longer_than_at_liftoff():
    x = state(**STANCE)
    assert transition(x, parameters(), slip.C.compression)[1] == slip.C.decompression
    assert transition(x, parameters(q_rl=0.8), slip.C.compression)[1] == slip.C.ascent


@pytest.mark.parametrize(
    ("start", "chart"),
    [
        ({}, slip.C.descent),
        ({"ydot": 0.1}, slip.C.ascent),
        ({"y": 0.9}, slip.C.compression),
        ({"y": 0.9, "ydot": 3.0}, slip.C.decompression),
        ({"x": 0.0, "y": 0.9, "xdot": 1.0, "touchdown_angle": 0.0}, slip.C.decompression),  # SimSect's default
    ],
)
def test_a_run_starts_in_stance_if_the_leg_reaches_into_the_ground(start, chart):
    x_new, found = initial_chart(state(**start), parameters())
    assert found == chart
    again, found_again = initial_chart(x_new, parameters())
    assert (found_again, again.tolist()) == (found, x_new.tolist())


def test_a_start_in_stance_puts_the_foot_along_the_touchdown_angle():
    x_new, _ = initial_chart(state(x=2.0, y=0.9, touchdown_angle=-0.2, footy=5.0), parameters())
    assert slip.leg_angle(x_new) == pytest.approx(-0.2, rel=1e-14)
    assert x_new[slip.S.footy] == 0.0


def test_the_start_in_stance_takes_the_leg_speed_about_the_foot_and_not_about_the_origin():
    far_from_the_origin = state(x=-100.0, y=0.9, xdot=5.0, ydot=0.0)
    assert initial_chart(far_from_the_origin, parameters())[1] == slip.C.compression
    assert initial_chart(state(x=100.0, y=0.9, xdot=5.0, ydot=0.0), parameters())[1] == slip.C.compression


def test_a_body_on_the_ground_has_toppled_over():
    messages = load_model("slip").messages
    assert messages[slip.validate(0.0, state(y=0.0), parameters(), 0) - 1].text == "body toppled over"
    assert messages[slip.validate(0.0, state(), parameters(spri=0), 0) - 1].severity == "error"
    assert slip.validate(0.0, state(), parameters(), 0) == 0


def test_in_flight_the_outputs_show_the_leg_as_it_will_be_put_down():
    values = outputs(state(y=1.2), parameters(q_rt=0.95), slip.C.ascent)
    assert (values["leg_length"], values["leg_force"]) == (0.95, 0.0)
    assert values["leg_angle"] == math.radians(-22.0)
    assert values["energy"] == pytest.approx(80 * (0.5 * 25 + 9.81 * 1.2), rel=1e-15)


@pytest.mark.parametrize(("i", "j"), EXPONENTS)
def test_energy_is_continuous_at_liftoff_whatever_the_spring(i, j):
    p = parameters(q_rl=0.9, q_rt=0.9, q_0=1.0, spri=i, sprj=j, k=3.0)
    x = state(x=0.0, y=0.9, ydot=1.0)
    stance, flight = (outputs(x, p, chart)["energy"] for chart in (slip.C.decompression, slip.C.ascent))
    assert stance == pytest.approx(flight, rel=1e-14)


def test_energy_steps_at_touchdown_by_the_work_of_resetting_the_leg():
    p = parameters(q_rt=0.8, q_rl=0.9)
    x = state(x=0.0, y=0.8, ydot=-1.0)
    stance, flight = (outputs(x, p, chart)["energy"] for chart in (slip.C.compression, slip.C.descent))
    assert stance - flight == pytest.approx(20000 / 2 * (0.2**2 - 0.1**2), rel=1e-12)
