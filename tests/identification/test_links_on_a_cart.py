"""The example with n links, for n up to ten: its equations, against energy, and its gains."""

import numpy as np
import pytest

from hybridsim import functions, load_model

from .trials import CONFIGS, GAINS

SOURCE = """
from cart import cart

MODEL = cart({n})
"""


def links(folder, n):
    (folder / "cart.py").write_text((CONFIGS / "cart.py").read_text())
    (folder / f"links_{n}.py").write_text(SOURCE.format(n=n))
    return load_model(folder / f"links_{n}.py")


@pytest.mark.members(1)
@pytest.mark.parametrize("n", [1, 2, 5, pytest.param(10, marks=pytest.mark.exhaustive)])
def test_power_is_the_rate_of_energy(tmp_path, n):
    # Without torques the energy T + V of the masses at x_j = q_0 - sum sin q_i, y_j = sum cos q_i and of the spring
    # changes by the power of the force less that of the damper.
    f = functions(links(tmp_path, n))
    x = np.random.default_rng(n).normal(size=2 * (n + 1))

    def energy(x):
        q, u = x[: n + 1], x[n + 1 :]
        xdot = u[0] - np.concatenate([[0], np.cumsum(np.cos(q[1:]) * u[1:])])
        ydot = -np.concatenate([[0], np.cumsum(np.sin(q[1:]) * u[1:])])
        height = np.cumsum(np.cos(q[1:])).sum()
        return 0.5 * (xdot @ xdot + ydot @ ydot) + 9.81 * height + 5.0 * q[0] ** 2

    slope = f.vector_field(0.0, x, inputs={"force": 3.0})
    d = 1e-6
    rate = (energy(x + d * slope) - energy(x - d * slope)) / (2 * d)
    assert rate == pytest.approx(3.0 * x[n + 1] - 5.0 * x[n + 1] ** 2, rel=1e-6, abs=1e-6)


@pytest.mark.members(1)
@pytest.mark.parametrize("n", [1, 2])
def test_the_gains_give_the_eigenvalues_of_the_regulator(tmp_path, n):
    f = functions(links(tmp_path, n), parameters={"gains": GAINS[n].tolist()})
    eigenvalues = np.linalg.eigvals(f.jacobian("vector_field", 0.0, np.zeros(2 * (n + 1))))
    assert eigenvalues.real.max() < 0
    if n == 1:
        expected = [
            -6.329070307604,
            -3.243486234290,
            -1.437859032247 - 1.654117756366j,
            -1.437859032247 + 1.654117756366j,
        ]
        np.testing.assert_allclose(np.sort_complex(eigenvalues), np.sort_complex(expected), rtol=1e-9)
