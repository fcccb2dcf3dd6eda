"""diffrax: an Event with a condition for each guard, its direction, and a root finder for its time.

As in the documentation of `diffrax.Event`; an event always ends the solve, so the next begins there. A zero that only
is to be seen is looked for in the direction it can come next. The root finder is Newton's, as there, or bisection,
which takes a single condition only; where there are several, it is Newton's all the same. It looks for a value within
the rtol of the solve: 1e-12, say, is less than the rounding of t = 1e4 makes of some values.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import diffrax
import jax
import jax.numpy as jnp
import optimistix

from scorecard.case import SHORT, Case, Outcome, function, guard_function
from scorecard.restarts import Piece, Start, run_with_restarts

jax.config.update("jax_enable_x64", True)

NAME, VERSION = "diffrax", diffrax.__version__
BISECTED = ", bisection"
METHODS = ("Tsit5", "Dopri8", "Tsit5" + BISECTED, "Tsit5" + SHORT)
COMPILES = True
STAGES = {"Tsit5": 6, "Dopri8": 13}  # calls of the vector field in a step; the last stage serves the next step


@cache
def piece_solver(case: Case, name: str, method: str) -> Callable[..., Any]:
    """solve(t, x, target, rtol, first step or None, directions) of one chart, compiled when first called."""
    chart = case.charts[name]
    slopes = function(case, chart.slopes, jnp)
    conditions = [guard_function(case, guard, jnp) for guard in chart.guards]

    def field(t: Any, x: Any, args: Any) -> Any:
        return jnp.stack([jnp.asarray(value, dtype=float) for value in slopes(t, x)])

    several = len(conditions) > 1
    finder = optimistix.Bisection if method.endswith(BISECTED) and not several else optimistix.Newton
    longest = None if math.isinf(case.longest_step(method)) else case.longest_step(method)
    scheme = method.partition(",")[0]

    def condition(value: Any, t: Any, y: Any, args: Any, **_: Any) -> Any:
        return value(t, y)

    @partial(jax.jit, static_argnames=("directions", "first_step"))
    def solve(t: Any, x: Any, target: Any, rtol: Any, first_step: float | None, directions: tuple[bool, ...]) -> Any:
        event = None
        if conditions:
            made = [partial(condition, value) for value in conditions]
            event = diffrax.Event(
                made if several else made[0],
                finder(rtol=1e-12, atol=rtol),
                direction=list(directions) if several else directions[0],
            )
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            getattr(diffrax, scheme)(),
            *(t, target, first_step, x),
            stepsize_controller=diffrax.PIDController(rtol=rtol, atol=0.01 * rtol, dtmax=longest),
            event=event,
            max_steps=100_000,
            throw=False,
        )
        mask = jax.tree_util.tree_leaves(solution.event_mask) if conditions else []
        ok = (solution.result == diffrax.RESULTS.successful) | (solution.result == diffrax.RESULTS.event_occurred)
        return solution.ts[-1], solution.ys[-1], mask, solution.stats["num_steps"], ok

    return solve


def prepare(case: Case, method: str, rtol: float) -> Callable[[], Outcome]:
    solvers = {name: piece_solver(case, name, method) for name in case.charts}
    values = {name: [guard_function(case, g) for g in chart.guards] for name, chart in case.charts.items()}

    def go() -> Outcome:
        upward: dict[str, bool] = {}

        def solve(start: Start) -> Piece:
            guards = case.charts[start.chart].guards
            for guard, value in zip(guards, values[start.chart], strict=True):
                if start.first:
                    upward[guard.name] = guard.observed and value(start.t, start.x) < 0.0
            directions = tuple(upward.get(guard.name, False) for guard in guards)
            first_step = case.step if start.first else None
            x = jnp.asarray(start.x, dtype=float)
            t, x, mask, steps, ok = solvers[start.chart](start.t, x, start.target, rtol, first_step, directions)
            hit = [guard for guard, fired in zip(guards, mask, strict=True) if fired]
            for guard in hit:
                upward[guard.name] = guard.observed and not upward[guard.name]
            fired = [guard for guard in hit if not guard.observed]
            seen = [(float(t), guard) for guard in hit if guard.observed]
            failure = "" if ok else "the solver reports failure"
            calls = STAGES[method.partition(",")[0]] * int(steps)
            return Piece(float(t), [float(v) for v in x], fired, seen, calls, int(steps), failure)

        return run_with_restarts(case, solve)

    return go
