"""Optimisation: parameters of a model, and choices, with which its runs do best, by aims in stages."""

from __future__ import annotations

from hybridsim.optimisation.api import optimize, run_optimization
from hybridsim.optimisation.optimizer import Optimizer
from hybridsim.optimisation.results import Optimization, load_optimization

__all__ = ["Optimization", "Optimizer", "load_optimization", "optimize", "run_optimization"]
