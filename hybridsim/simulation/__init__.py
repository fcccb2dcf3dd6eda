"""A run: names become arrays, the engine is driven, arrays become names again."""

from __future__ import annotations

from hybridsim.simulation.simulation import Simulation, simulate

__all__ = ["Simulation", "simulate"]
