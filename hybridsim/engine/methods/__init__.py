"""Runge-Kutta and Rosenbrock methods as data: one method, one file.

To bundle a method, write a file with a function of the method's name that returns its `Tableau`, with the source of
every coefficient. Enter the function in `METHODS` and its name in `hybridsim.typing.Method`: signatures, the schema and
docs/configuration.md follow, or a test says what is missing. `tests/engine/methods/test_tableaus.py` checks the order
conditions of the method, of its error estimate and of its continuous extension; enter the orders of the latter two
there. A method of one's own needs no place here: `method=Tableau(...)`.
"""

from __future__ import annotations

from hybridsim.engine.methods.dop853 import dop853
from hybridsim.engine.methods.dp5 import dp5
from hybridsim.engine.methods.rk4 import rk4
from hybridsim.engine.methods.rk4_adaptive import rk4_adaptive
from hybridsim.engine.methods.rodas5p import rodas5p
from hybridsim.engine.methods.tableau import Tableau
from hybridsim.engine.methods.taylor import taylor
from hybridsim.engine.methods.tsit5 import tsit5

METHODS = {
    "dp5": dp5,
    "dop853": dop853,
    "tsit5": tsit5,
    "rodas5p": rodas5p,
    "taylor": taylor,
    "rk4": rk4,
    "rk4_adaptive": rk4_adaptive,
}
"""Functions that return the tableaus, by the name of the method."""

__all__ = ["METHODS", "Tableau"]
