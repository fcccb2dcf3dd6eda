"""`continue_orbit`: a family of orbits through a parameter, with its bifurcations and the branches that leave it."""

from __future__ import annotations

import numpy as np

from hybridsim.analysis.curve import Curve
from hybridsim.analysis.diagram import Branch, join
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import problem_of, refuse_end, refuse_other_rhythm, refuse_parameter, value_of
from hybridsim.analysis.search import FIRST_BRANCH_STEP, Search, Unfinished
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import BranchProgress, Progress, shown
from hybridsim.typing import FloatArray


@explains_keywords(max_period="max_strides")
def continue_orbit(
    orbit: Orbit,
    parameter: str,
    *,
    to: float,
    back_to: float | None = None,
    max_strides: int | None = None,
    progress: Progress = None,
) -> Branch:
    """Follow a periodic motion through a parameter, and the branches that leave it where the period doubles.

    The curve is followed round its turning points, until the parameter leaves the range from its present value, or from
    `back_to`, to `to`.

    Parameters
    ----------
    orbit : Orbit
        The first orbit.
    parameter : str
        Name of a real parameter of the model, or of a state that the strides leave as it is (`Orbit.kept`).
    to : float
        Value at which the branch ends.
    back_to : float, optional
        A value on the other side, at which it ends, too: the orbit is followed both ways.
    max_strides : int, optional
        Branches of doubled period are followed up to this number of strides; by default none.
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
    refuse_parameter(orbit, parameter)
    limits = _limits(orbit, parameter, to, back_to)
    refuse_other_rhythm(orbit, parameter, FIRST_BRANCH_STEP * (limits[1] - limits[0]))
    with shown(progress, lambda: BranchProgress(parameter, *limits)) as report:
        search = Search(parameter, limits, max_strides or orbit.strides, report)
        curve, z, direction = _first_curve(orbit, parameter, limits)
        directions = [direction] if back_to is None else [direction, -direction]
        search.pending = [Unfinished(None, curve, curve.correct(z, each)) for each in directions]
        search.follow_all()
    return Branch(
        parameter, search.table(), tuple(search.bifurcations), orbit, *search.ends(), tuple(search.notes), back_to
    )


def _limits(orbit: Orbit, parameter: str, to: float, back_to: float | None) -> tuple[float, float]:
    """Return the range of a branch; raise a ConfigError if the orbit cannot be followed in it."""
    value = value_of(orbit, parameter)
    for name, end in (("to", to), ("back_to", back_to)):
        if end is None:
            continue
        refuse_end(orbit, name, parameter, float(end))
        if end == value:
            raise ConfigError(f"{name}: the orbit has {parameter} = {end:g} already; give another value to go to")
    if back_to is not None and (back_to - value) * (to - value) > 0.0:
        raise ConfigError(
            f"back_to: {parameter} = {back_to:g} and {to:g} are on the same side of the orbit's {value:g}; "
            "give values on both sides"
        )
    return value if back_to is None else float(back_to), float(to)


@explains_keywords()
def resume_branch(branch: Branch, *, progress: Progress = None) -> Branch:
    """Follow the curves of an interrupted branch to their ends.

    Parameters
    ----------
    branch : Branch
        The branch.
    progress : bool or callable, optional
        As of `continue_orbit`.

    Returns
    -------
    Branch
        The whole branch; the same one if it is complete.
    """
    if branch.complete:
        return branch
    parameter, orbit = branch.parameter, branch.orbit
    low = value_of(orbit, parameter) if branch.back_to is None else branch.back_to
    with shown(progress, lambda: BranchProgress(parameter, low, branch.to)) as report:
        search = Search(parameter, (low, branch.to), branch.max_strides, report)
        _resume(search, branch)
    points = join(branch.points, search.table()) if search.rows else branch.points
    bifurcations, notes = (*branch.bifurcations, *search.bifurcations), tuple(search.notes)
    return Branch(parameter, points, bifurcations, orbit, *search.ends(), notes, branch.back_to)


def _resume(search: Search, branch: Branch) -> None:
    """Follow the curves of a branch to their ends."""
    search.notes += branch.notes
    search.n_curves = int(branch.points["curve"].max()) + 1
    first, _, _ = _first_curve(branch.orbit, branch.parameter, search.limits)
    for begin in branch.pending:
        curve = first.with_strides(begin.strides)
        number = None if begin.curve < 0 else begin.curve
        search.pending.append(Unfinished(number, curve, curve.correct(begin.z, begin.tangent)))
    search.follow_all()


def _first_curve(orbit: Orbit, parameter: str, limits: tuple[float, float]) -> tuple[Curve, FloatArray, FloatArray]:
    """Return the curve of an orbit, the orbit's point on it, and the direction towards the end of the range."""
    problem, value, size = problem_of(orbit, (parameter,)), value_of(orbit, parameter), abs(limits[1] - limits[0])
    z = np.append(problem.x[problem.free.free] / problem.sizes, value / size)
    direction = np.zeros(len(z))
    direction[-1] = np.sign(limits[1] - value)
    return Curve(problem, parameter, size, orbit.family, limits), z, direction
