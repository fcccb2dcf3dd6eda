"""An axis of a sweep: one key of a run, and the values it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A key that varies in a sweep.

    Attributes
    ----------
    key : str
        `parameters.k`, `initial.y`, `engine.rtol`, `initial_time` or `final_time`.
    name : str
        Its column in the results, the last part of the key.
    unit : str
        Unit of the values; "" for words and plain numbers.
    values : (n,) array
        Values in the unit of the model: float64, int64 for a key of whole numbers, or words.
    degrees : bool
        Whether all values were given in degrees although the unit is rad; pictures then show degrees.
    """

    key: str
    name: str
    unit: str
    values: NDArray[Any]
    degrees: bool = False


Factor = tuple[Axis, ...]
"""Axes of one length that vary together; the rows of a sweep are the product of its factors."""
