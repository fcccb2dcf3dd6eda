"""Runge-Kutta methods as data: one method, one file."""

from __future__ import annotations

from hybridsim.engine.methods.dop853 import dop853
from hybridsim.engine.methods.dp5 import dp5
from hybridsim.engine.methods.rk4 import rk4
from hybridsim.engine.methods.rk4_adaptive import rk4_adaptive
from hybridsim.engine.methods.tableau import Tableau
from hybridsim.engine.methods.tsit5 import tsit5

METHODS = {"dp5": dp5, "dop853": dop853, "tsit5": tsit5, "rk4": rk4, "rk4_adaptive": rk4_adaptive}

__all__ = ["METHODS", "Tableau"]
