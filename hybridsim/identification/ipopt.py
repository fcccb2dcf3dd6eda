"""The solver, behind one function: Ipopt (Waechter and Biegler 2006), by way of ipyopt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.identification.program import Program
from hybridsim.typing import FloatArray

SOLVED = (0, 1)
"""What Ipopt returns for a solution, also for one to an acceptable tolerance."""

STOPPED = 5
"""What it returns when the user stops it."""

REASONS = {
    0: "solved",
    1: "solved to a tolerance that is acceptable",
    2: "the constraints cannot be fulfilled near the guess",
    3: "steps became too small",
    4: "the unknowns grow without limit",
    STOPPED: "stopped by the user",
    -1: "the greatest number of iterations is reached",
    -2: "a search for a feasible point failed",
    -3: "a linear system could not be solved",
    -13: "a function is not finite at a point that was tried",
}
"""What Ipopt's answers mean."""

INFINITE = 2e19
"""What Ipopt takes for infinite."""

OPTIONS = {
    "print_level": 0,
    "sb": "yes",  # no banner
    "mu_strategy": "adaptive",
    "fixed_variable_treatment": "make_parameter",
    "mumps_permuting_scaling": 0,  # the unknowns are in units of their sizes
    "check_derivatives_for_naninf": "yes",  # of which the linear solver dies
}
"""Ipopt's options."""

Report = Callable[[int, float, float], bool]
"""Gets iteration, objective and infeasibility; returns whether to go on."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What the solver found.

    Attributes
    ----------
    z : (n,) array
        The unknowns.
    status : int
        See `REASONS`.
    iterations : int
        How many it took.
    """

    z: FloatArray
    status: int
    iterations: int

    @property
    def solved(self) -> bool:
        """Whether the solver was content."""
        return self.status in SOLVED

    @property
    def reason(self) -> str:
        """What the status means."""
        return REASONS.get(self.status, f"Ipopt stopped with status {self.status}")


def require_ipopt() -> Any:
    """Return the module; raise a ConfigError that says how to install it."""
    try:
        import ipyopt  # noqa: PLC0415  (an extra)
    except ImportError:
        raise ConfigError(
            "identification needs the solver Ipopt, which is not installed; run: pip install 'hybridsim[identify]'"
        ) from None
    return ipyopt


def solve(
    program: Program, z: FloatArray, *, exact: bool, tolerance: float, max_iterations: int, report: Report
) -> Answer:
    """Solve a program from a guess, with its unknowns in units of their sizes.

    Parameters
    ----------
    program : Program
        The program.
    z : (n,) array
        The guess.
    exact : bool
        Whether to use all second derivatives, or those of Gauss and Newton.
    tolerance : float
        Ipopt's tolerance.
    max_iterations : int
        Most iterations.
    report : callable
        Is told of each iteration.
    """
    curvature, sizes, seen = program.curvature(exact=exact), program.sizes, [0]
    (row, column), of_jacobian = curvature.places, sizes[program.jacobian_places[1]]

    def put(function: Callable[[FloatArray], FloatArray], units: FloatArray) -> Callable[..., None]:
        def call(y: FloatArray, out: FloatArray) -> None:
            out[()] = units * function(sizes * y)

        return call

    def second(y: FloatArray, multipliers: FloatArray, factor: float, out: FloatArray) -> None:
        out[()] = sizes[row] * sizes[column] * curvature.entries(sizes * y, factor, multipliers)

    def each(_mode: int, iteration: int, objective: float, infeasibility: float, *_: float) -> bool:
        seen[0] = iteration
        return report(iteration, objective, infeasibility)

    ends = program.lower / sizes, program.upper / sizes
    limits = [np.clip(side, -INFINITE, INFINITE) for side in (*ends, *program.limits)]
    problem = require_ipopt().Problem(
        program.n,
        *limits[:2],
        len(limits[2]),
        *limits[2:],
        *(tuple(side.tolist() for side in each) for each in (program.jacobian_places, curvature.places)),  # faster
        lambda y: program.objective(sizes * y),
        put(program.gradient, sizes),
        put(program.rows, np.ones(1)),
        put(program.jacobian, of_jacobian),
        second,
        intermediate_callback=each,
        ipopt_options={**OPTIONS, "tol": tolerance, "max_iter": max_iterations},
    )
    begin = np.clip(z / sizes, *ends)
    with np.errstate(all="ignore"):  # Ipopt steps back where something is not finite
        found, _, status = problem.solve(begin)
    return Answer(np.clip(sizes * found, program.lower, program.upper), int(status), seen[0])
