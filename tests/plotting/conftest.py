"""A made-up sweep over two axes."""

import numpy as np
import pytest

from .sweep_tables import ANGLE, MASS, axis, metric, table


@pytest.fixture
def grid():
    """Three masses times two angles, given in degrees; value = 10 mass + angle [deg]."""
    mass, angle = np.repeat(MASS, 2), np.tile(ANGLE, 3)
    return table(
        [(axis("mass", mass, 0, "kg"), mass), (axis("angle", angle, 1, "rad", degrees=True, section="initial"), angle)],
        [
            (metric("value", unit="m"), 10.0 * mass + np.degrees(angle)),
            (metric("count", "count"), np.arange(6)),
            (metric("end", "status"), ["STOPPED", "ZENO"] * 3),
        ],
    )
