"""Characteristics of an orbit: numbers that describe it, by name."""
from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from hybridsim.analysis.orbit import Orbit
Measure = "str | Callable[[Orbit], float]"
def characteristics_of(orbit): return {}
def measured(orbit, wanted): return {}
