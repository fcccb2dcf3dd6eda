"""The code of docs/model-functions.md: its shapes, and the derivatives of its collocation."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "model-functions.md"
SHAPES, COLLOCATION = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def names_after(code):
    names = {}
    exec(code, names)
    return names


def test_the_shapes_are_those_that_the_page_says():
    names = names_after(SHAPES)
    assert names["slopes"].shape == (1000, 7)
    assert names["A"].shape == (1000, 7, 7)
    assert (names["value"].shape, names["J"].shape) == ((1000, 9), (1000, 9, 2))


def test_the_derivatives_of_the_collocation_are_those_of_its_defects():
    names = names_after(SHAPES + COLLOCATION)
    x, h, chart, p = names["x"][:3], 0.01, "compression", np.array([20e3])
    missed, by_start, by_end, by_p = names["defects"](h, x, p, chart)
    for column in range(x.shape[1]):
        for row, by in ((0, by_start), (1, by_end)):
            changed = x.copy()
            changed[row, column] += 1e-6
            difference = (names["defects"](h, changed, p, chart)[0][0] - missed[0]) / 1e-6
            assert by[0, :, column] == pytest.approx(difference, rel=1e-4, abs=1e-4)
    difference = (names["defects"](h, x, p + 1.0, chart)[0] - missed) / 1.0
    assert by_p[..., 0] == pytest.approx(difference, rel=1e-6, abs=1e-9)
