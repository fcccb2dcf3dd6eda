"""Runge-Kutta and Rosenbrock methods as data: one method, one file.

To bundle a method, write a file with a function of the method's name that returns its `Tableau`, with the source of
every coefficient, and enter the name in `hybridsim.typing.Method`. `tests/engine/methods/test_tableaus.py` checks the
order conditions of the method, of its error estimate and of its continuous extension; enter the orders of the latter
two there. A method of one's own needs no place here: `method=Tableau(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import get_args

from hybridsim.engine.methods.tableau import Tableau
from hybridsim.typing import Method


def _method_of(name: str) -> Callable[[], Tableau]:
    """Return the function of a method, which imports its file when it is called."""

    def method() -> Tableau:
        tableau: Tableau = getattr(import_module(f"{__name__}.{name}"), name)()
        return tableau

    return method


METHODS: Mapping[str, Callable[[], Tableau]] = {name: _method_of(name) for name in get_args(Method)}
"""Functions that return the tableaus, by the name of the method."""

__all__ = ["METHODS", "Tableau"]
