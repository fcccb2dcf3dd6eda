"""`continue_orbit`: a family of orbits through a parameter, with its bifurcations and the branches that leave it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable

import numpy as np

from hybridsim.analysis.curve import Curve
from hybridsim.analysis.diagram import Bifurcation, Branch, join
from hybridsim.analysis.hopf import EquilibriumBifurcation, orbit_born_at
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import limits_of, problem_of, refuse_other_rhythm, refuse_parameter, value_of
from hybridsim.analysis.return_map import least_rate
from hybridsim.analysis.search import FIRST_BRANCH_STEP, Search, begin_at
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import BranchProgress, Progress, shown
from hybridsim.typing import FloatArray


@explains_keywords(max_period="max_strides")
def continue_orbit(
    orbit: Orbit | Bifurcation | EquilibriumBifurcation,
    parameter: str,
    *,
    to: float,
    back_to: float | None = None,
    max_strides: int | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Branch:
    """Follow a periodic motion through a parameter, and the branches that leave it where the period doubles.

    The curve is followed round its turning points, until the parameter leaves the range from its present value, or from
    `back_to`, to `to`.

    Parameters
    ----------
    orbit : Orbit, Bifurcation or EquilibriumBifurcation
        The first orbit; or a Hopf point, of a curve of equilibria or of orbits, at which the first orbit is born.
    parameter : str
        Name of a real parameter of the model, or of a state that the strides leave as it is (`Orbit.kept`).
    to : float
        Value at which the branch ends.
    back_to : float, optional
        A value on the other side, at which it ends, too: the orbit is followed both ways.
    max_strides : int, optional
        Branches of doubled period are followed up to this number of strides; by default none.
    file : path, optional
        A .h5 file in which the unfinished branch is saved about once a second, so that no accident loses more.
        `load_branch` reads it and `resume_branch` goes on, to the same bits.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the value of the parameter and the number of strides at every point.

    Returns
    -------
    Branch
        The orbits and bifurcations. Ctrl-C keeps those found so far.

    Raises
    ------
    ConfigError
        If the parameter does not exist, is no real number, or sets the period of what drives the model.
    """
    if not isinstance(orbit, Orbit):
        orbit = orbit_born_at(orbit, parameter, to if back_to is None else math.nan)
    refuse_parameter(orbit, parameter)
    if max_strides is not None and max_strides < 1:
        raise ConfigError(f"max_strides: expected a positive whole number, found {max_strides}")
    limits = limits_of(orbit, parameter, to, back_to)
    refuse_other_rhythm(orbit, parameter, FIRST_BRANCH_STEP * (limits[1] - limits[0]))
    curve, z, direction = first_curve(orbit, parameter, limits)
    directions = [direction] if back_to is None else [direction, -direction]

    def branch_so_far(search: Search) -> Branch:
        ends, found = search.ends(), tuple(search.bifurcations)
        return Branch(parameter, search.table(), found, orbit, *ends, tuple(search.notes), back_to)

    with shown(progress, lambda: BranchProgress(parameter, *limits)) as report:
        search = Search(parameter, limits, max_strides or orbit.strides, least_rate(orbit.found), report)
        search.pending = [begin_at(curve, curve.correct(z, each)) for each in directions]
        search.follow_all(saving(file, branch_so_far))
    return branch_so_far(search)


def saving(file: str | os.PathLike[str] | None, branch_so_far: Callable[[Search], Branch]) -> Callable[[Search], None]:
    """Return what saves an unfinished branch in a file, if there is one."""

    def save(search: Search) -> None:
        if file is not None:
            branch_so_far(search).save(file)

    return save


@explains_keywords()
def resume_branch(branch: Branch, *, file: str | os.PathLike[str] | None = None, progress: Progress = None) -> Branch:
    """Follow the curves of an interrupted branch to their ends.

    Parameters
    ----------
    branch : Branch
        The branch.
    file : path, optional
        A .h5 file in which the unfinished branch is saved about once a second, so that no accident loses more.
        `load_branch` reads it and `resume_branch` goes on, to the same bits.
    progress : bool or callable, optional
        As of `continue_orbit`.

    Returns
    -------
    Branch
        The whole branch, to the same bits as if it had not been interrupted; the same one if it is complete.
    """
    if branch.complete:
        return branch
    parameter, orbit = branch.parameter, branch.orbit
    low = value_of(orbit, parameter) if branch.back_to is None else branch.back_to

    def branch_so_far(search: Search) -> Branch:
        points = join(branch.points, search.table()) if search.rows else branch.points
        found = (*branch.bifurcations, *search.bifurcations)
        return Branch(parameter, points, found, orbit, *search.ends(), tuple(search.notes), branch.back_to)

    with shown(progress, lambda: BranchProgress(parameter, low, branch.to)) as report:
        search = Search(parameter, (low, branch.to), branch.max_strides, least_rate(orbit.found), report)
        _recall(search, branch)
        search.follow_all(saving(file, branch_so_far))
    return branch_so_far(search)


def _recall(search: Search, branch: Branch) -> None:
    """Let a search know what has been found on a branch, and where its curves go on."""
    points = branch.points
    first, _, _ = first_curve(branch.orbit, branch.parameter, search.limits)
    free, sizes = first.problem.free.free, first.problem.sizes
    values = points[branch.parameter] / first.size

    def places(x: FloatArray, value: FloatArray | float) -> FloatArray:
        return np.column_stack([x[:, free] / sizes, np.broadcast_to(value, len(x))])

    search.notes += branch.notes
    search.n_curves = int(points["curve"].max()) + 1
    at_begin = places(points.visits[:, 0], values)
    search.known = [(int(a), int(b), z) for a, b, z in zip(points["curve"], points["strides"], at_begin, strict=True)]
    for each in branch.bifurcations:
        search.places.append((each.kind, each.strides, places(each.x[None], each.value / first.size)[0]))
    for begin in branch.pending:
        curve = first.with_strides(begin.strides)
        unfinished = begin_at(curve, curve.point_at(begin.z, begin.tangent))
        unfinished.length = begin.length
        unfinished.origin = begin.origin if np.isfinite(begin.origin).all() else None
        if begin.curve >= 0:
            row = int(np.flatnonzero(points["curve"] == begin.curve)[0])
            unfinished.number = begin.curve
            unfinished.places = places(points.visits[row, : begin.strides], values[row])
        search.pending.append(unfinished)


def first_curve(orbit: Orbit, parameter: str, limits: tuple[float, float]) -> tuple[Curve, FloatArray, FloatArray]:
    """Return the curve of an orbit, the orbit's point on it, and the direction towards the end of the range."""
    problem, value, size = problem_of(orbit, (parameter,)), value_of(orbit, parameter), abs(limits[1] - limits[0])
    z = np.append(problem.x[problem.free.free] / problem.sizes, value / size)
    direction = np.zeros(len(z))
    direction[-1] = np.sign(limits[1] - value)
    return Curve(problem, parameter, size, orbit.family, limits), z, direction
