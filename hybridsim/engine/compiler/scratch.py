"""Temporary arrays for the functions of plug-ins: numpy arrays in Python, memory on the stack in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def scratch(n: int) -> NDArray[np.float64]:
    """Create a temporary array within a function of a model.

    Parameters
    ----------
    n : int
        Its length; in compiled functions a constant.

    Returns
    -------
    (n,) array
        Numbers that are undefined until they are written. The array must not be used after the function returns.
    """
    return np.empty(n)
