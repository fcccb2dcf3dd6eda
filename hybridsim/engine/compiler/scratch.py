"""Work space for a plug-in's functions: an array in Python, memory on the stack once compiled."""

from __future__ import annotations

import numpy as np

from hybridsim.typing import FloatArray


def scratch(n: int) -> FloatArray:
    """Reserve work space for n numbers that is valid until the calling function returns.

    Parameters
    ----------
    n : int
        Number of entries; a constant.

    Returns
    -------
    (n,) array
        Numbers without initial values.
    """
    return np.empty(n)
