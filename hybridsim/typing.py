"""Types of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""An array of 64-bit floating-point numbers."""

IntArray = NDArray[np.int64]
"""An array of 64-bit integers."""
