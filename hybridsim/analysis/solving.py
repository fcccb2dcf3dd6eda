"""Solving for the orbit of a problem, and why what Newton's method finds may be none."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from hybridsim.analysis.newton import MAX_STEP_HALVINGS, ROUNDING_RESIDUAL, Equations, NoOrbitError, norm, solve
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.problem import Problem, shifted_nearby
from hybridsim.analysis.return_map import Return, shrinks_to_equilibrium, sizes_of
from hybridsim.analysis.stride import StrideError
from hybridsim.model.contract import may_read_time
from hybridsim.typing import FloatArray

NEGLIGIBLE_STEP = 1e-14
"""Part of each state by which a step changes it that only changes its last bits."""

SHORTEST_DURATION = 1e-9
"""Part of the duration of the guess that is none: what rounding leaves where legs strike at once, again and again."""
REPEAT_TOLERANCE = 1e-6
"""By how much the next period may differ from the one found, relative to the sizes of the states."""


def solve_orbit(problem: Problem, tolerance: float, **limits: int) -> Orbit:
    """Solve for an orbit, beginning at the state of the problem; `limits` are those of `find_return`."""
    try:
        found, family = find_return(problem, tolerance, **limits)
    except NoOrbitError as failure:
        if failure.cause not in ("too far", "equilibrium"):
            _blame_place(problem)
        if failure.cause == "turning point":
            _blame_translation(problem)
        _blame_fixed(problem, tolerance)
        raise failure from None
    _refuse_equilibrium(problem, found)
    _refuse_drift(problem, found)
    return orbit_of(problem, problem.settle(found), family)


def find_return(
    problem: Problem, tolerance: float, max_iterations: int = 50, max_halvings: int = MAX_STEP_HALVINGS
) -> tuple[Return, int]:
    """Find strides that return, beginning at the state of the problem.

    Parameters
    ----------
    problem : Problem
        What has to hold.
    tolerance : float
        Largest residual.
    max_iterations, max_halvings : int
        Most iterations of Newton's method, and of halvings of one of its steps.

    Returns
    -------
    Return
        The strides.
    int
        Dimension of the family of solutions.
    """
    best, guessed = Best(np.empty(0), np.inf, None), 0.0

    def equations(u: FloatArray) -> Equations:
        nonlocal best, guessed
        found = problem.make_strides(u)
        guessed = guessed or found.duration
        here = problem.equations(found)
        miss = norm(here.residual)
        if miss <= best.miss or best.found is None:
            best = Best(u, miss, found)
        return here

    try:
        solution = solve(
            equations,
            problem.x[problem.free.free] / problem.sizes,
            tolerance,
            max_iterations,
            max_halvings,
            NEGLIGIBLE_STEP,
        )
    except NoOrbitError as failure:
        if failure.cause == "too exact" and best.found is not None:
            _refuse_equilibrium(problem, best.found)
        raise
    same = best.found is not None and np.array_equal(best.u, solution.u)
    found = best.found if best.found is not None and same else problem.make_strides(solution.u)
    if found.duration <= SHORTEST_DURATION * guessed:
        raise NoOrbitError(
            "too far",
            "from the guess, strides become ever shorter, as those of a ball that comes to rest: perhaps there is no "
            "periodic motion; if there is, start nearer to it, or search from many states (starts)",
        )
    return found, solution.family


class Best(NamedTuple):
    """The strides that miss their beginning least, so far, and the unknowns with which they begin."""

    u: FloatArray
    miss: float
    found: Return | None


def _blame_fixed(problem: Problem, tolerance: float) -> None:
    """Raise a NoOrbitError if there is an orbit near the guess, but with other values of the fixed quantities."""
    if not problem.fixed:
        return
    try:
        orbit = solve_orbit(dataclasses.replace(problem, fixed={}), tolerance)
    except NoOrbitError:
        return
    lacking, _ = problem.conditions(orbit.found.x0)
    there = ", ".join(
        f"{name} = {value + miss:.6g}" for (name, value), miss in zip(problem.fixed.items(), lacking, strict=True)
    )
    asked = ", ".join(f"{name} = {value:.6g}" for name, value in problem.fixed.items())
    if not orbit.family:
        raise NoOrbitError(
            "no solution",
            f"near the guess there is an orbit with {there}; it belongs to no family, so that nothing of it can be "
            f"fixed at {asked}: leave out `fixed`, or vary a parameter until it has this value",
        )
    raise NoOrbitError(
        "no solution",
        f"near the guess there is an orbit with {there}, and from it none with {asked} is reached; fix a value nearer "
        "to it, or start from a guess with about this value",
    )


def _blame_place(problem: Problem) -> None:
    """Raise a NoOrbitError if states that are moved together are so far away that steps there are not exact enough."""
    found = problem.make_strides(problem.x[problem.free.free] / problem.sizes)
    sizes, stride_map = sizes_of(found), problem.return_map.stride_map
    for pivot, shift in found.shifts.items():
        error = stride_map.config.engine.rtol * abs(found.x0[pivot])
        if error > ROUNDING_RESIDUAL * float((sizes[shift != 0.0] / np.abs(shift[shift != 0.0])).min()):
            name = stride_map.model.states.names[pivot]
            raise NoOrbitError(
                "too exact",
                f"the guess begins at {name} = {found.x0[pivot]:.6g}, where rtol lets {name} have an error of "
                f"{error:.2g}; begin nearer to {name} = 0, as the motion is the same there, or give a larger tolerance",
            )


def _blame_translation(problem: Problem) -> None:
    """Raise a NoOrbitError if the derivative is singular since some states are moved together, wherever it is."""
    groups = shifted_nearby(problem)
    if groups:
        names = " and ".join(groups[0])
        raise NoOrbitError(
            "no solution",
            f"{names} moved together by a little change nothing, and the strides move them, so that the derivative is "
            f"singular everywhere; if they may be moved by what a period moves them, say so: translated: "
            f"[[{', '.join(groups[0])}]]",
        )


def _refuse_equilibrium(problem: Problem, found: Return) -> None:
    """Raise a NoOrbitError if nothing moves in what was found."""
    sizes = sizes_of(found)
    sizes[problem.free.free] = np.maximum(sizes[problem.free.free], problem.sizes)
    if shrinks_to_equilibrium(found, sizes):
        there = zip(problem.return_map.stride_map.model.states.names, found.x0, strict=True)
        raise NoOrbitError(
            "equilibrium",
            f"what returns hardly moves, near {', '.join(f'{name} = {value:.6g}' for name, value in there)}: it is an "
            "equilibrium, an orbit too small to be told from one, or a place where the motion touches the section; "
            "start further away from it, or with another section",
        )


def _refuse_drift(problem: Problem, found: Return) -> None:
    """Raise a NoOrbitError if the next period is another one: the model depends on time, and in another rhythm."""
    if repeats(problem, found):
        return
    names, kept = problem.return_map.stride_map.model.states.names, problem.free.kept
    changes = [f"{names[i]} by {found.x[i] - found.x0[i]:.6g}" for i in kept if found.x[i] != found.x0[i]]
    if problem.return_map.pivots or changes:
        moved = ", ".join(changes) or f"{problem.return_map.groups}, which move together"
        raise NoOrbitError(
            "no solution",
            f"the motion returns but for {moved}, and from there the next period is another one: the model is not the "
            "same there; if the motion as a whole is moved or turned, let states be relative to the one that tells so",
        )
    raise NoOrbitError(
        "no solution",
        f"the motion returns after {found.duration:.9g} s, but the next period is another one, because the model "
        "depends on time; use Section(time=...) with the period of what drives it, or make its phase a state",
    )


def repeats(problem: Problem, found: Return) -> bool:
    """Return whether strides from the same state, begun when those found have ended, end in the same state.

    States that need not return are where those found have left them: a counter of beats goes with the time.
    """
    free, return_map, begin = problem.free.free, problem.return_map, found.x.copy()
    begin[free] = found.x0[free]
    begin = return_map.in_world(begin, found)
    stride_map, first = return_map.stride_map, return_map.stride_map.config.initial_time
    if np.array_equal(begin, found.x0) and not may_read_time(stride_map.model.functions):
        return True  # it would make the same strides
    stride_map.begin_at(first + found.duration)
    try:
        again = return_map(begin, found.chart0)
    except StrideError:
        return False
    finally:
        stride_map.begin_at(first)
    sizes = np.maximum(sizes_of(found)[free], problem.sizes)  # one of them stays zero but for rounding
    same = np.abs(again.x - found.x - found.moved)[free] <= REPEAT_TOLERANCE * sizes
    return bool(same.all()) and abs(again.duration - found.duration) <= REPEAT_TOLERANCE * found.duration
