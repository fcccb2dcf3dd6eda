"""Runs: names become arrays, the engine is driven, arrays become names again."""

from __future__ import annotations

from hybridsim.simulation.api import simulate
from hybridsim.simulation.simulation import Simulation

__all__ = ["Simulation", "simulate"]
