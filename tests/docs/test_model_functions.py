"""The collocation of docs/model-functions.md: the parameters it finds, its order, and the motion."""

import re
from pathlib import Path

import numpy as np
import pytest

import hybridsim

PAGE = Path(__file__).parents[2] / "docs" / "model-functions.md"
SHAPES, COLLOCATION = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
TRUE = (10.0, 0.1)


def names_after(code):
    names = {}
    exec(code, names)
    return names


def test_the_shapes_are_those_that_the_page_says():
    names = names_after(SHAPES)
    assert names["slopes"].shape == (1000, 7)
    assert names["A"].shape == (1000, 7, 7)
    assert (names["value"].shape, names["J"].shape) == ((1000, 9), (1000, 9, 2))


def test_the_collocation_is_short_finds_the_parameters_and_is_of_fourth_order():
    assert len(COLLOCATION.splitlines()) <= 80
    names = names_after(COLLOCATION)
    assert names["p"] == pytest.approx(TRUE, rel=1e-5)
    assert names["iterations"] <= 5
    fine = np.array([names["run"].at(k * 0.025)[0] for k in range(401)])
    _, p, _ = names["fit"](fine, 0.025, [5.0, 0.5])
    assert (names["p"][0] - TRUE[0]) / (p[0] - TRUE[0]) == pytest.approx(16.0, rel=0.2)


def test_the_collocated_motion_is_that_of_the_engine_with_the_parameters_that_were_found():
    names = names_after(COLLOCATION)
    x, h, p = names["x"], names["h"], names["p"]
    motion = hybridsim.simulate(
        names["PENDULUM"],
        initial=dict(zip(("angle", "rate"), x[0], strict=True)),
        parameters=dict(zip(names["FREE"], p, strict=True)),
        final_time=10.0,
        rtol=1e-12,
        atol=1e-12,
    )
    engine = np.array([motion.at(k * h) for k in range(len(x))])
    assert x == pytest.approx(engine, abs=20.0 * h**4)  # the fourth order; 20 is the size of the fifth derivative
