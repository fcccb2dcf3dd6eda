"""Runs of a model made of bodies."""

import numpy as np
import pytest
from multibody.rolling_disk import MODEL

from hybridsim import Status, simulate

TOLERANCE = 1e-10


@pytest.mark.exhaustive  # `tests/models` runs the rolling disk of the config, `test_wheels` others
@pytest.mark.members(1)
@pytest.mark.parametrize("drag", [0.0, 0.05])
def test_a_disk_rolls_for_a_while(drag):
    """Power balances, the disk does not slip, and it stays on the plane, which no state holds it to."""
    settings = {"method": "dop853", "rtol": TOLERANCE, "atol": 0.01 * TOLERANCE, "record": True}
    run = simulate(MODEL, final_time=4.0, parameters={"drag": drag}, **settings)
    assert run.status == Status.FINAL_TIME
    assert len(run.t) > 30
    length = sum(run[f"d_q{i}"] ** 2 for i in "wxyz")
    assert np.ptp((run["d_qx"] ** 2 + run["d_qy"] ** 2) / length) > 0.02  # it sways
    for slip in ("slip_x", "slip_y", "slip_z"):
        assert np.abs(run[slip]).max() < 1e-14
    balance = run["energy"] - run["work"]
    np.testing.assert_allclose(balance, balance[0], rtol=0.0, atol=100.0 * TOLERANCE * run["energy"][0])
    np.testing.assert_allclose(run["gap"], 0.0, atol=100.0 * TOLERANCE)
    assert (run["energy"][-1] < 0.99 * run["energy"][0]) == (drag > 0.0)
