"""The functions of the package in a plug-in: compiled, in plain Python, and on dual numbers."""

import numpy as np
import pytest
from derivatives.test_bundled_models import plain
from multibody.whole_package import FIRST, LENGTHS, MODEL, START

import hybridsim

TOTAL = sum(LENGTHS.values())
ORDER = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
WEIGHTS = np.array([-1.0, 9.0, -45.0, 45.0, -9.0, 1.0]) / 60.0
"""Central differences of order six."""

STEP = 2e-3


def of(name, values):
    """Return the entries of one quantity."""
    return values[FIRST[name] : FIRST[name] + LENGTHS[name]]


@pytest.fixture(scope="module")
def compiled():
    """The outputs, compiled, as a function of the state."""
    evaluate = plain(MODEL, "outputs", TOTAL)
    return lambda x: evaluate(0.0, x, np.zeros(1), 0)


@pytest.fixture(scope="module")
def derivatives():
    """The Jacobian of the outputs by dual numbers."""
    return hybridsim.jacobian(MODEL, "outputs").values


@pytest.mark.parametrize("name", LENGTHS)
def test_plain_python_finds_the_same(name, compiled):
    found = np.zeros(TOTAL)
    MODEL.functions["outputs"](found, 0.0, START, np.zeros(1), 0)
    scale = np.abs(of(name, found)).max()
    assert scale > 0.0
    np.testing.assert_allclose(of(name, compiled(START)), of(name, found), rtol=0.0, atol=1e-12 * scale)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", LENGTHS)
def test_dual_numbers_find_the_derivatives(name, compiled, derivatives):
    slopes = np.zeros((TOTAL, len(START)))
    for i, unit in enumerate(np.eye(len(START))):
        points = [compiled(START + STEP * shift * unit) for shift in ORDER]
        slopes[:, i] = WEIGHTS @ points / STEP
    expected, scale = of(name, slopes), np.abs(of(name, slopes)).max()
    assert scale > 0.0
    np.testing.assert_allclose(of(name, derivatives), expected, rtol=0.0, atol=1e-8 * scale)
