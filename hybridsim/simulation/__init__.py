"""Runs: names become arrays, the engine is driven, arrays become names again."""

from __future__ import annotations

from hybridsim.simulation.model_functions import ModelFunctions, functions
from hybridsim.simulation.simulation import Simulation, simulate

__all__ = ["ModelFunctions", "Simulation", "functions", "simulate"]
