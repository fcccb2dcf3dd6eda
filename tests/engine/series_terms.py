"""Expressions, and models made of them, for tests of power series."""

from pathlib import Path

import pytest

TIGHT = {"method": "series", "rtol": 1e-12, "atol": 1e-13}

FUNCTIONS = {
    "sum": "(x + c) + (x - c) + (c - x) * 2.0 + (x - 3.0 * x)",
    "product": "x * (x + c) * (c * x) * x",
    "square": "(x + c) ** 2 + x * x",
    "powers": "x**3 + x**7 + (c + x) ** -2 + c**5 * x",
    "quotient": "x / (1.0 + x * x) + c / (x + 2.0) + x / c - (x + 1.0) / c**-3",
    "negative": "-(x * x) - (-x) / (-(x + 2.0))",
    "root": "sqrt(x + c) / sqrt(c)",
    "exponential": "exp(x) + exp(c) * x",
    "logarithm": "log(x + c) + log(c) * x",
    "sine": "sin(x) * cos(c)",
    "cosine": "cos(x + c) + sin(c) * x",
    "sine and cosine": "sin(x) * cos(x)",
    "tangent": "tan(x) + tan(c) * x",
    "sinh": "sinh(x) * cosh(x) + sinh(c) * cosh(c) * x",
    "tanh": "tanh(x) + tanh(c) * x",
    "arcsine": "asin(x / 2.0)",
    "arccosine": "acos(x / 2.0)",
    "arctangent": "atan(x * c)",
    "composite": "exp(-x * x) * sin(c / (x + 2.0)) / sqrt(1.0 + cos(x) ** 2)",
}
"""What is computed of a state and a parameter."""

MODELS = ["slip", "compass_gait"] + [
    pytest.param(name, marks=pytest.mark.exhaustive)
    for name in ("simplest_walker", "rimless_wheel", "impact_oscillator", "vibrating_table", "stick_slip", "relay",
                 "bouncing_ball", "two_walls", Path(__file__).with_name("van_der_pol.py"), "table_ball")
]  # fmt: skip
"""Bundled models whose charts have programs."""


def term(expression, folder, rate=1.0):
    """A plug-in with x' = rate and y' = an expression in x and a parameter."""
    file = folder / "term.py"
    file.write_text(
        "from math import acos, asin, atan, cos, cosh, exp, log, sin, sinh, sqrt, tan, tanh\n"
        "from hybridsim import Model, Parameter, Records, State\n"
        f"def field(xdot, t, x, p, chart):\n    xdot[0] = {rate}\n    xdot[1] = of(x[0], p[0])\n"
        f"def of(x, c):\n    return {expression}\n"
        'PARAMETERS = Records(Parameter("c", 0.75))\n'
        'STATES = Records(State("x", 0.5), State("y", 0.0))\n'
        'MODEL = Model("term", STATES, vector_field=field, parameters=PARAMETERS)\n'
    )
    return file
