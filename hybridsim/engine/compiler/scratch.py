"""Memory for a plug-in's functions besides their arguments: work space, and the constants of the model.

In Python it is an array. Compiled, `scratch` is memory on the stack; the others are pointers, from the addresses that
the entries of p hold: a double is exact for these.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, finalize

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compiler.dual_lanes import duals
from hybridsim.typing import FloatArray

_arrays: WeakValueDictionary[int, NDArray[Any]] = WeakValueDictionary()
"""The arrays of all models by their addresses, as long as these live."""

_rooms: WeakKeyDictionary[Any, dict[int, list[NDArray[Any]]]] = WeakKeyDictionary()
"""Work space of each model by its size that no run uses at present; it is kept, as others may know its address."""


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


def integers(p: Any, index: int, n: int) -> Any:
    """Read a constant of the model with whole numbers.

    Parameters
    ----------
    p : array
        Parameters.
    index : int
        Index of the constant in p, `P.sources`.
    n : int
        Number of entries.

    Returns
    -------
    (n,) array of int32
        Its values.
    """
    return _constant(p, index, n, np.int32)


def reals(p: Any, index: int, n: int) -> Any:
    """Read a constant of the model with real numbers.

    Parameters
    ----------
    p : array
        Parameters.
    index : int
        Index of the constant in p, `P.weights`.
    n : int
        Number of entries.

    Returns
    -------
    (n,) array
        Its values.
    """
    return _constant(p, index, n, np.float64)


def buffer(p: Any, index: int, n: int) -> Any:
    """Take the work space of a model that is too large for `scratch`; what is there does not last between calls.

    Parameters
    ----------
    p : array
        Parameters.
    index : int
        Index of the buffer in p, `P.pulls`.
    n : int
        Number of entries.

    Returns
    -------
    (n,) array
        Numbers without initial values.
    """
    return np.empty(n)


def _constant(p: Any, index: int, n: int, dtype: Any) -> Any:
    array = _arrays[int(p[index])]
    if array.dtype != dtype or n > len(array):
        raise IndexError(
            f"the constant in p[{index}] has {len(array)} numbers of the type {array.dtype}, "
            f"not {n} of the type {np.dtype(dtype)}"
        )
    read = getattr(p, "constant", None)
    return array if read is None else read(array)


def address_of(array: NDArray[Any]) -> float:
    """Return the entry of p that stands for an array, which lives as long as it is used."""
    _arrays[array.ctypes.data] = array
    return float(array.ctypes.data)


def lend(model: Any, size: int, p: FloatArray) -> float:
    """Return the entry of p that stands for work space of so many numbers, plain or dual, as long as p lives."""
    unused = _rooms.setdefault(model, defaultdict(list))[size]
    array = unused.pop() if unused else duals(size).reshape(-1)
    finalize(p, unused.append, array).atexit = False
    return address_of(array)
