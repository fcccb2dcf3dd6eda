"""The compiled derivatives of the bundled models against the complex step, in every chart that a run visits.

The hexapod is left out, because as plain Python it takes five minutes; the derivative by its rest angle `theta2_r0`
differs there by 7e-13 of itself, which is more than the tolerance. `test_bundled_models` compares it with differences.
"""

import numpy as np
import pytest
from derivatives.bundled_runs import LIGHT, differentiate, jumps_of, n_results, points_of, run_of
from derivatives.complex_step import complex_step

from hybridsim.simulation.row_arguments import variables_of

TOLERANCE, EPSILON = 1e-13, np.finfo(float).eps
FUNCTIONS = ("vector_field", "boundaries", "outputs", "transition")


@pytest.mark.members(4)
@pytest.mark.parametrize("config", LIGHT)
def test_derivatives_agree_with_the_complex_step(config):
    model, *_ = run_of(config)
    for name in (name for name in FUNCTIONS if name in model.functions):
        for point in jumps_of(config) if name == "transition" else points_of(config):
            for which in "xpt":
                found = differentiate(model, name, point, which)
                for column, index in enumerate(variables_of(model, point.p, which)[2]):
                    expected = complex_step(model, name, point, which, index, n_results(model, name))
                    error = np.abs(found.values[:, column] - expected)
                    allowed = TOLERANCE * np.abs(expected) + 4.0 * EPSILON * np.abs(expected).max(initial=0.0)
                    if not (error <= allowed).all():
                        allowed = allowed + by_rounding(model, name, point, which, index, expected)
                    assert (error <= allowed).all(), (name, point.chart, found.columns[column], error, allowed)


def by_rounding(model, name, point, which, index, derivatives):
    """Return how far derivatives move where rounding moves the states and parameters: terms may all but cancel.

    It is twice what eight random changes make, as these are not the worst.
    """
    dice, changes = np.random.default_rng(1), []
    is_real = np.zeros(len(point.p))
    is_real[variables_of(model, point.p, "p")[2]] = 1.0
    for _ in range(8):
        signs_x, signs_p = dice.choice([-1.0, 1.0], len(point.x)), dice.choice([-1.0, 1.0], len(point.p)) * is_real
        nearby = point._replace(x=point.x * (1.0 + EPSILON * signs_x), p=point.p * (1.0 + EPSILON * signs_p))
        changes.append(complex_step(model, name, nearby, which, index, len(derivatives)) - derivatives)
    return 2.0 * np.abs(changes).max(axis=0)
