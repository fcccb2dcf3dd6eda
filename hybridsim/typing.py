"""Types of arrays and of functions, and the closed sets of words: each stands here once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""An array of 64-bit floating-point numbers."""

IntArray = NDArray[np.int64]
"""An array of 64-bit integers."""

Function = Callable[..., Any]
"""A function with any arguments."""

Method = Literal["dp5", "dop853", "tsit5", "rodas5p", "taylor", "rk4", "rk4_adaptive"]
"""A bundled integration method."""

Format = Literal["simsect", "hdf5", "csv"]
"""Formats of the files of a run."""
