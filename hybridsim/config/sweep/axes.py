"""What an axis of a sweep is: one key of a run, and the values it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A key that varies in a sweep.

    Attributes
    ----------
    key : `parameters.k`, `initial.y`, `engine.rtol`, `initial_time` or `final_time`.
    name : its column in the results, the last part of the key.
    unit : of the values; "" for words and plain numbers.
    values : (n,) float64, int64 where only whole numbers are taken, or words; in the unit of the model.
    degrees : given in degrees though the unit is rad; pictures show it in degrees.
    """

    key: str
    name: str
    unit: str
    values: NDArray[Any]
    degrees: bool = False


Factor = tuple[Axis, ...]
"""Axes that vary together, all of one length; a plan is the product of its factors."""
