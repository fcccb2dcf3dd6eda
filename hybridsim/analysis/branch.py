"""`continue_orbit`: a family of orbits through a parameter, with its bifurcations and the branches that leave it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.analysis.bifurcations import changed_boundaries, find_bifurcations, grazing_ahead
from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint, follow
from hybridsim.analysis.diagram import Beginning, Bifurcation, Branch, Points, join
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.parameters import problem_of, refuse_end, refuse_other_rhythm, refuse_parameter, value_of
from hybridsim.analysis.return_map import is_stable, sizes_of
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import BranchProgress, Progress, shown
from hybridsim.typing import BifurcationKind, FloatArray

FIRST_BRANCH_STEP, SHORTEST_BRANCH_STEP, LONGEST_BRANCH_STEP = 0.02, 1e-10, 0.05
"""Steps along a curve, in units of the range of the parameter and of the sizes of the states; the first and the longest
are divided by the number of strides, as cascades of doubled periods become finer and finer."""

SHRUNK_SIZE = 1e-3
"""Size of an orbit, in units of the first one, below which it is a point but for rounding: what the model says about
the parameter is in the nonlinear terms, and their third power is no longer above the tolerances of the steps."""

MAX_BRANCH_POINTS = 2000
"""Most points of one curve."""


FIRST_OFFSETS = (4e-3, 1e-3, 2.5e-4, 6e-5)
"""How far from a bifurcation the first point of a new branch is looked for, one after the other; divided by the
number of strides."""


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
        search = _Search(parameter, limits, max_strides or orbit.strides, report)
        curve, z, direction = _first_curve(orbit, parameter, limits)
        directions = [direction] if back_to is None else [direction, -direction]
        search.pending = [_Unfinished(None, curve, curve.correct(z, each)) for each in directions]
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
        search = _Search(parameter, (low, branch.to), branch.max_strides, report)
        _resume(search, branch)
    points = join(branch.points, search.table()) if search.rows else branch.points
    bifurcations, notes = (*branch.bifurcations, *search.bifurcations), tuple(search.notes)
    return Branch(parameter, points, bifurcations, orbit, *search.ends(), notes, branch.back_to)


def _resume(search: _Search, branch: Branch) -> None:
    """Follow the curves of a branch to their ends."""
    search.notes += branch.notes
    search.n_curves = int(branch.points["curve"].max()) + 1
    first, _, _ = _first_curve(branch.orbit, branch.parameter, search.limits)
    for begin in branch.pending:
        curve = first.with_strides(begin.strides)
        number = None if begin.curve < 0 else begin.curve
        search.pending.append(_Unfinished(number, curve, curve.correct(begin.z, begin.tangent)))
    search.follow_all()


@dataclass(slots=True)
class _Unfinished:
    """A curve that is to be followed from a point; its number is None until it has one."""

    number: int | None
    curve: Curve
    point: CurvePoint


@dataclass(slots=True)
class _Search:
    """The curves that are followed one after the other, and what was found on them."""

    parameter: str
    limits: tuple[float, float]
    max_strides: int
    progress: Callable[[float, int], None] | None
    bifurcations: list[Bifurcation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rows: list[tuple[int, Curve, CurvePoint]] = field(default_factory=list)
    pending: list[_Unfinished] = field(default_factory=list)
    n_curves: int = 0

    def follow_all(self) -> None:
        """Follow all curves, and those that branch off them, until Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            while self.pending:
                self._follow(self.pending[0])
                self.pending.pop(0)

    def ends(self) -> tuple[float, int, tuple[Beginning, ...]]:
        """Return where the branch ends, the most strides, and what has not been followed to its end."""
        left = (
            Beginning(
                -1 if unfinished.number is None else unfinished.number,
                unfinished.curve.problem.return_map.strides,
                unfinished.point.z,
                unfinished.point.tangent,
            )
            for unfinished in self.pending
        )
        return self.limits[1], self.max_strides, tuple(left)

    def _follow(self, unfinished: _Unfinished) -> None:
        """Follow one curve; those that branch off are pending then."""
        curve = unfinished.curve
        if unfinished.number is None:
            unfinished.number, self.n_curves = self.n_curves, self.n_curves + 1
            self.rows.append((unfinished.number, curve, unfinished.point))
        number, shrunk = unfinished.number, [False, False]

        def goes_on(point: CurvePoint) -> bool:
            found = [*find_bifurcations(curve, unfinished.point, point)]
            found.sort(key=lambda pair: float(np.linalg.norm(pair[1].z - unfinished.point.z)))
            changed = changed_boundaries(curve, unfinished.point.found, point.found)
            noted = [self._bifurcation_at(number, kind, curve, where, changed) for kind, where in found]
            pairs = [pair for kind, where in found for pair in self._branches_from(curve, kind, where)]
            begun = [_Unfinished(None, *pair) for pair in pairs]
            # All at once, so that Ctrl-C leaves nothing half noted.
            self.bifurcations += [each for each in noted if each is not None]
            self.pending += begun
            self.rows += [(number, curve, where) for kind, where in found if kind != "grazing"]
            self.rows.append((number, curve, point))
            shrunk[:] = shrunk[1], _size_of(curve, point) < SHRUNK_SIZE  # two in a row: it does not just pass zero
            unfinished.point = point
            if self.progress is not None:
                self.progress(curve.value(point.z), curve.problem.return_map.strides)
            return self._is_within(curve, point) and len(self.rows) < MAX_BRANCH_POINTS and not all(shrunk)

        strides = curve.problem.return_map.strides
        lengths = FIRST_BRANCH_STEP / strides, SHORTEST_BRANCH_STEP, LONGEST_BRANCH_STEP / strides
        points, reason = follow(curve, unfinished.point, lengths, goes_on)
        if reason:
            self._end(number, curve, points[-1], reason)
        elif all(shrunk):
            where = f"{self.parameter} = {curve.value(points[-1].z):.3g}"
            self.notes.append(f"curve {number} ends at {where}: there the orbit has shrunk to a point but for rounding")
        elif self._is_within(curve, points[-1]):
            self.notes.append(f"curve {number} is given up after {MAX_BRANCH_POINTS:,} orbits of the branch")

    def _end(self, number: int, curve: Curve, last: CurvePoint, reason: str) -> None:
        """Note that a curve ends within the range: at a grazing, or why no orbit is found beyond."""
        boundary = grazing_ahead(curve, last)
        noted = self._bifurcation_at(number, "grazing", curve, last, boundary) if boundary else None
        if noted is not None:
            self.bifurcations.append(noted)
            return
        where = f"{self.parameter} = {curve.value(last.z):.9g}"
        self.notes.append(f"curve {number} ends at {where}: beyond it no orbit is found ({reason})")

    def _is_within(self, curve: Curve, point: CurvePoint) -> bool:
        low, high = sorted(self.limits)
        return low <= curve.value(point.z) <= high

    def _branches_from(self, curve: Curve, kind: BifurcationKind, where: CurvePoint) -> list[tuple[Curve, CurvePoint]]:
        """Return the first points of the curves that branch off at a bifurcation."""
        if kind == "flip" and 2 * curve.problem.return_map.strides <= self.max_strides:
            return _begin_doubled(curve, where)
        return _begin_crossing(curve, where) if kind == "branch" else []

    def _bifurcation_at(
        self, number: int, kind: BifurcationKind, curve: Curve, point: CurvePoint, boundary: str = ""
    ) -> Bifurcation | None:
        if not self._is_within(curve, point):
            return None
        orbit = _orbit_at(curve, point)
        numbers = number, orbit.strides, orbit.family
        return Bifurcation(kind, curve.value(point.z), *numbers, orbit.found.x0, boundary, lambda: orbit)

    def table(self) -> Points:
        """Make the table of all points."""
        names = self.rows[0][1].problem.return_map.stride_map.model.states.names if self.rows else ()
        fixed_columns = ("curve", self.parameter, "strides", "period", "stable", *names)
        columns: dict[str, list[Any]] = {name: [] for name in fixed_columns}
        n_multipliers = max((len(point.multipliers) for _, _, point in self.rows), default=0)
        columns |= {f"multiplier_{i}": [] for i in range(n_multipliers)}
        for number, curve, point in self.rows:
            row = dict(zip(names, point.found.x0, strict=True))
            row |= {"curve": number, self.parameter: curve.value(point.z), "strides": len(point.found.strides)}
            row |= {"period": point.found.duration, "stable": is_stable(point.multipliers, point.family)}
            for i in range(n_multipliers):
                row[f"multiplier_{i}"] = point.multipliers[i] if i < len(point.multipliers) else np.nan
            for name, values in columns.items():
                values.append(row[name])
        visits = np.full((len(self.rows), max(map(int, columns["strides"]), default=0), len(names)), np.nan)
        for visit, (_, _, point) in zip(visits, self.rows, strict=True):
            visit[: len(point.found.strides)] = [stride.rows.x[0] for stride in point.found.strides]
        return Points({name: np.array(values) for name, values in columns.items()}, visits)


def _first_curve(orbit: Orbit, parameter: str, limits: tuple[float, float]) -> tuple[Curve, FloatArray, FloatArray]:
    """Return the curve of an orbit, the orbit's point on it, and the direction towards the end of the range."""
    problem, value, size = problem_of(orbit, (parameter,)), value_of(orbit, parameter), abs(limits[1] - limits[0])
    z = np.append(problem.x[problem.free.free] / problem.sizes, value / size)
    direction = np.zeros(len(z))
    direction[-1] = np.sign(limits[1] - value)
    return Curve(problem, parameter, size, orbit.family), z, direction


def _size_of(curve: Curve, point: CurvePoint) -> float:
    """Return how large the largest of the free states becomes along an orbit, in the units of the curve."""
    return float((sizes_of(point.found)[curve.problem.free.free] / curve.problem.sizes).max(initial=0.0))


def _orbit_at(curve: Curve, point: CurvePoint) -> Orbit:
    curve.set_value(curve.value(point.z))
    return orbit_of(curve.problem, point.found, point.family)


def _begin_doubled(curve: Curve, point: CurvePoint) -> list[tuple[Curve, CurvePoint]]:
    """Return the beginning of the curve of doubled period at a flip: along the eigenvector of the multiplier -1."""
    free = curve.problem.free.free
    values, vectors = np.linalg.eig(point.found.by_state[np.ix_(free, free)])
    vector = vectors[:, np.argmin(np.abs(values + 1.0))].real
    direction = np.append(vector / curve.problem.sizes, 0.0)
    direction -= (direction @ point.tangent) * point.tangent  # or the plane across it meets this curve again
    direction /= np.linalg.norm(direction)
    return _first_points(curve.with_strides(2 * curve.problem.return_map.strides), point, direction)


def _begin_crossing(curve: Curve, point: CurvePoint) -> list[tuple[Curve, CurvePoint]]:
    """Return the beginnings of the two halves of a curve that crosses this one."""
    direction = curve.direction_across(point)
    return _first_points(curve, point, direction) + _first_points(curve, point, -direction)


def _first_points(curve: Curve, point: CurvePoint, direction: FloatArray) -> list[tuple[Curve, CurvePoint]]:
    """Return the first point of a curve in a direction from a bifurcation; nothing if none is found."""
    strides = curve.problem.return_map.strides
    twice = strides == 2 * len(point.found.strides)
    for offset in FIRST_OFFSETS:
        try:
            first = curve.correct(point.z + offset / strides * direction, direction)
        except CorrectionError:
            continue
        if not twice or _half_way(curve, first) > 0.1 * offset / strides:
            return [(curve, first)]
    return []


def _half_way(curve: Curve, point: CurvePoint) -> float:
    """Return how far an orbit is from its beginning after half of its strides, in the sizes of the states."""
    strides, free = point.found.strides, curve.problem.free.free
    moved = strides[len(strides) // 2].rows.x[0] - strides[0].rows.x[0]
    return float(np.abs(moved[free] / curve.problem.sizes).max())
