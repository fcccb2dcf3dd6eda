"""Newton's method for a state that returns to itself, and what it means when there is none.

Four things can go wrong (M. Garcia, thesis, Cornell University 1999, section 2.8): the guess is too far away; two
solutions have met and vanished at a turning point; there is no solution; or there is a family of them. The last is no
failure here: each step is the shortest one that solves the linear equations, so the iteration goes to a near member.

A derivative that has lost a rank is that of a family, or that of an isolated root at a bifurcation: a turning point, or
a place where curves cross. They are told from each other beside the root, where a family has roots, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.stride import StrideError
from hybridsim.errors import SimulationError
from hybridsim.typing import FloatArray

MAX_STEP_HALVINGS = 12
"""How often a step is halved before it is given up."""

FAMILY_RANK_TOLERANCE = 1e-8
"""Singular values below this fraction of the largest, and of 1, belong to a family of solutions."""

FAMILY_DISTANCES = (0.1, 0.03, 0.01, 0.003)
"""How far along null vectors there has to be another root; the first at which there are residuals on both sides."""

PROBE = 1e-3
"""Distance at which null vectors of a family are told from those of a bifurcation."""

LARGEST_NEWTON_STEP = 0.5
"""Longest step: the unknowns are in units of their own sizes."""


ROUNDING_RESIDUAL = 1e-8
"""A residual below this that becomes no smaller is rounding, or the error of the steps."""


NOT_FINITE = (
    "the derivatives of the stride are not finite at the section: does it coincide with an event, or does the motion "
    "touch it only? give that boundary as the section, or the other direction"
)
"""What to say of strides without derivatives."""


class NoOrbitError(SimulationError):
    """There is no periodic orbit, or no equilibrium, to be found from here.

    Parameters
    ----------
    cause : str
        "too far", "turning point", "no solution", "too exact" or "equilibrium".
    message : str
        What happened, and what to do.
    """

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(f"{cause}: {message}")
        self.cause = cause


def too_far(problem: StrideError) -> NoOrbitError:
    """Make the error for a guess from which no stride comes back to the section."""
    return NoOrbitError(
        "too far",
        f"the guess makes no stride: {problem}; start nearer to a periodic motion, or search from many states (starts)",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Equations:
    """Residuals r(u) at one u, with their Jacobian.

    Attributes
    ----------
    residual : (m,) array
        The residuals.
    jacobian : (m, n) array
        Their derivatives.
    """

    residual: FloatArray
    jacobian: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A root of the equations.

    Attributes
    ----------
    u : (n,) array
        The root.
    family : int
        Dimension of the family of roots that it belongs to, 0 for an isolated root.
    """

    u: FloatArray
    family: int


def solve(
    equations: Callable[[FloatArray], Equations],
    u: FloatArray,
    tolerance: float,
    max_iterations: int = 50,
    max_halvings: int = MAX_STEP_HALVINGS,
    negligible: float = 0.0,
) -> Solution:
    """Find a root by Newton's method with a line search.

    Parameters
    ----------
    equations : callable
        Evaluates the residuals at u; raises a StrideError where they do not exist.
    u : (n,) array
        The guess.
    tolerance : float
        Largest residual.
    max_iterations : int
        Most iterations.
    max_halvings : int
        How often a step is halved before it is given up.
    negligible : float
        A step is not made that changes no unknown by more than this part of it, where the residual is small enough.

    Returns
    -------
    Solution
        The root, improved until rounding stops it.

    Raises
    ------
    NoOrbitError
        If none is found, with the cause.
    """
    try:
        here = equations(u)
    except StrideError as problem:
        raise too_far(problem) from None
    if not is_finite(here):
        raise NoOrbitError("too far", NOT_FINITE)
    best = np.inf
    for iteration in range(max_iterations):
        size = norm(here.residual)
        if size == 0.0 or (size <= tolerance and size >= 0.5 * best):  # rounding: it does not become smaller
            break
        best = min(best, size)
        step = shortest_step(here)
        if size <= tolerance and (np.abs(step) <= negligible * np.abs(u)).all():
            break
        halvings = 0 if size <= tolerance else max_halvings  # of what rounding leaves, there is no better half
        found = _search_line(equations, u, step, size, halvings)
        if found is None:
            if size <= tolerance:
                break
            raise _failure(here, size, tolerance, iteration)
        u, here = found
    size = norm(here.residual)
    if size <= tolerance:
        return Solution(u, _family_at(equations, u, here, tolerance))
    raise NoOrbitError(
        "too far", f"after {max_iterations} iterations a stride still misses by {size:.3g}; start from a nearer guess"
    )


def is_finite(here: Equations) -> bool:
    """Return whether the residuals and their derivatives are numbers."""
    return bool(np.isfinite(here.residual).all() and np.isfinite(here.jacobian).all())


def norm(residual: FloatArray) -> float:
    """Return the largest residual."""
    return float(np.abs(residual).max()) if len(residual) else 0.0


def shortest_step(here: Equations, rank: float | None = None) -> FloatArray:
    """Return the shortest step that solves the linear equations best, as those of a matrix of this rank."""
    left, values, right = np.linalg.svd(here.jacobian, full_matrices=False)
    counted = np.arange(len(values)) < (rank_of(values) if rank is None else rank)
    inverse = np.divide(1.0, values, where=counted, out=np.zeros_like(values))
    return np.asarray(-(right.T @ (inverse[:, None] * left.T)) @ here.residual)


def rank_of(values: FloatArray) -> int:
    """Return the rank of a derivative with these singular values.

    It is that of the motion, of size 1, less the identity: it may be rounding as a whole.
    """
    return int(np.sum(values > FAMILY_RANK_TOLERANCE * values.max(initial=1.0)))


def null_directions(jacobian: FloatArray) -> int:
    """Return how many directions solve the linear equations: those of a family, and one or more at a bifurcation."""
    return int(jacobian.shape[1] - rank_of(np.linalg.svd(jacobian)[1]))


def _family_at(equations: Callable[[FloatArray], Equations], u: FloatArray, here: Equations, tolerance: float) -> int:
    """Return the dimension of the family that a root belongs to: there are roots beside it along its null vectors."""
    left, values, right = np.linalg.svd(here.jacobian)
    rank = rank_of(values)
    null, across = right[rank:], left[:, rank:].T
    while len(null):
        way = (1.0 + np.sqrt(2.0) * np.arange(len(null)) % 1.0) @ null
        if _is_family(equations, u, way / np.linalg.norm(way), rank, len(null), tolerance):
            return len(null)
        try:  # at a bifurcation in a family, the derivative changes along the vectors that are not the family's
            beside = [across @ equations(u + by * way).jacobian @ null.T for by in (PROBE, -PROBE)]
        except StrideError:
            return 0
        null = np.linalg.svd(np.vstack(beside))[2][1:] @ null
    return 0


def _is_family(equations: Callable[[FloatArray], Equations], u: FloatArray, way: FloatArray, *wanted: float) -> bool:
    """Return whether there are roots beside a root, this way; for what is wanted of them see `_has_root`."""
    for distance in FAMILY_DISTANCES:
        seen = [_has_root(equations, u + sign * distance * way, *wanted) for sign in (1.0, -1.0)]
        if any(seen) or None not in seen:
            return any(seen)
    return False


def _has_root(
    equations: Callable[[FloatArray], Equations], u: FloatArray, rank: float, family: float, tolerance: float
) -> bool | None:
    """Return whether there is a root near u, of a family of this dimension at least, by steps of this rank."""
    try:
        for _ in range(MAX_FAMILY_STEPS):
            here = equations(u)
            if norm(here.residual) <= tolerance:
                return null_directions(here.jacobian) >= family
            u = u + shortest_step(here, rank)
    except (StrideError, np.linalg.LinAlgError):  # no stride, or one without derivatives
        return None
    return False


MAX_FAMILY_STEPS = 6
"""Most steps to a root beside another one."""


def _search_line(
    equations: Callable[[FloatArray], Equations], u: FloatArray, step: FloatArray, size: float, halvings: int
) -> tuple[FloatArray, Equations] | None:
    """Return the first point on the step, halved as often as needed, at which the residual is smaller."""
    fraction = min(1.0, LARGEST_NEWTON_STEP / max(np.abs(step).max(), 1e-300))
    for _ in range(halvings + 1):
        trial = u + fraction * step
        try:
            there = equations(trial)
        except StrideError:
            fraction *= 0.5
            continue
        if is_finite(there) and norm(there.residual) < (1.0 - 1e-4 * fraction) * size:
            return trial, there
        fraction *= 0.5
    return None


def _failure(here: Equations, size: float, tolerance: float, iteration: int) -> NoOrbitError:
    """Return why no step makes the residual smaller."""
    if size < ROUNDING_RESIDUAL:
        return NoOrbitError(
            "too exact",
            f"after {iteration} iterations a stride misses by {size:.2g}, and no step makes it smaller: the tolerance "
            f"of {tolerance:.2g} is below rounding, or below the error of the steps; give a larger one, or smaller "
            "rtol and atol of the engine",
        )
    values = np.linalg.svd(here.jacobian, compute_uv=False)
    if values[-1] < 1e-3 * values[0]:
        return NoOrbitError(
            "turning point",
            f"after {iteration} iterations a stride misses by {size:.3g} at the least, and the derivative is singular: "
            "two solutions may have met and vanished near here, or the guess is on the wrong side of such a place; "
            "change a parameter, start from another guess, or follow a known orbit with continue_orbit",
        )
    return NoOrbitError(
        "no solution",
        f"after {iteration} iterations no step makes the miss of {size:.3g} smaller; start from another guess, "
        "or with other parameters",
    )
