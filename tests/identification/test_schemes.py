"""The schemes: what each makes of exponentials, and the powers with which their errors fall."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq

from hybridsim import identify

from .trials import CONFIGS, cart, found_in, motion, write

EXPONENTIAL = """
from hybridsim import Model, Parameter, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = p[0] * x[0]

MODEL = Model("exponential", [State("x", 1.0)], vector_field=vector_field, parameters=[Parameter("rate", -1.0)])
"""
CONFIG = """
model: ./exponential.py
data: {file: trial.csv}
measured: {x: x}
free: {rate: -1}
"""

STABILITY = {
    "euler": lambda z: 1 / (1 - z),
    "midpoint": lambda z: (1 + z / 2) / (1 - z / 2),
    "trapezoid": lambda z: (1 + z / 2) / (1 - z / 2),
    "hermite-simpson": lambda z: (1 + z / 2 + z**2 / 12) / (1 - z / 2 + z**2 / 12),
    "radau": lambda z: (1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60),
}
"""The factor R(lambda h) of a step on x' = lambda x (Hairer and Wanner 1996, IV.3)."""


@pytest.mark.parametrize("scheme", STABILITY)
def test_the_rate_of_an_exponential_is_the_one_whose_step_is_exact(tmp_path, scheme):
    # Data e^(lambda t) fulfil the scheme exactly with the rate r for which R(r h) = e^(lambda h).
    rate, h = -1.5, 0.1
    (tmp_path / "exponential.py").write_text(EXPONENTIAL)
    t = h * np.arange(21)
    write(tmp_path / "trial.csv", t=t, x=2.0 * np.exp(rate * t))
    found = found_in(tmp_path, CONFIG, f"collocation.scheme={scheme}")
    expected = brentq(lambda r: STABILITY[scheme](r * h) - np.exp(rate * h), -2.0, -1.0, xtol=1e-15, rtol=1e-15)
    closed = {
        "euler": (1 - np.exp(-rate * h)) / h,
        "midpoint": 2 / h * np.tanh(rate * h / 2),
        "trapezoid": 2 / h * np.tanh(rate * h / 2),
    }
    assert expected == pytest.approx(closed.get(scheme, expected), rel=1e-13)
    assert found.parameters["rate"] == pytest.approx(expected, rel=1e-9)
    assert found.objective < 1e-20


@pytest.fixture(scope="module")
def one_link(tmp_path_factory):
    return cart(1, tmp_path_factory.mktemp("orders"), 10)


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "steps", "order"),
    [("euler", [1, 2], 1), ("midpoint", [1, 2, 4], 2), ("hermite-simpson", [2, 4], 4)],
)
def test_errors_of_the_gains_fall_with_the_order_of_the_scheme(one_link, scheme, steps, order):
    found = [identify(one_link.config(step=step), [f"collocation.scheme={scheme}"]) for step in steps]
    errors = [one_link.error(each) for each in found]
    for fine, coarse in pairwise(errors):
        assert coarse / fine == pytest.approx(2.0**order, rel=0.2)


@pytest.mark.parametrize(("scheme", "order"), [("trapezoid", 2), ("radau", 5)])
def test_errors_of_a_stiffness_fall_with_the_order_of_the_scheme(tmp_path, scheme, order):
    errors = []
    for n in (21, 41):
        t, x = motion(CONFIGS / "pendulum.py", "initial.theta=60 deg", duration=4, n=n)
        write(tmp_path / "trial.csv", t=t, theta=x[:, 0], omega=x[:, 1])
        text = (
            f"model: {CONFIGS / 'pendulum.py'}\ndata: {{file: trial.csv}}\nmeasured: {{theta: theta, omega: omega}}\n"
        )
        found = found_in(tmp_path, text + f"free: {{stiffness: 9}}\ncollocation: {{scheme: {scheme}}}\n")
        errors.append(abs(found.parameters["stiffness"] - 10.0))
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.25)
