"""Linear equations solved in compiled code; a module of a name that an `Entry` can have."""

from typing import Any, NamedTuple

from hybridsim.engine.compiler.routines import loaded
from hybridsim.engine.linear_equations import factorise, solve


class Equations(NamedTuple):
    matrix: Any  # (n, height) columns
    b: Any  # (height,)
    pivots: Any  # (n,)
    is_regular: Any  # (1,)


def solve_all(equations, n, height):
    c = loaded(equations)
    c.is_regular[0] = factorise(c.matrix, n, height, c.pivots)
    if c.is_regular[0]:
        solve(c.matrix, n, height, c.pivots, c.b, 0)
