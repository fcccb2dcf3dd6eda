"""Work space for a plug-in's functions: an array in Python, stack memory once compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def scratch(n: int) -> NDArray[np.float64]:
    """N uninitialised doubles to compute with, gone when the function returns; n must be a constant."""
    return np.empty(n)
