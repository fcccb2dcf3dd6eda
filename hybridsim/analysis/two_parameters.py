"""`continue_bifurcation`: curves of folds, branch points, flips and tori through two parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from hybridsim.analysis.bifurcation_curve import BifurcationCurve
from hybridsim.analysis.bifurcation_points import BifurcationPoints
from hybridsim.analysis.bifurcations import changed_boundaries, grazing_ahead
from hybridsim.analysis.curve import EQUILIBRIUM, EVERYWHERE, CorrectionError, CurvePoint, follow
from hybridsim.analysis.diagram import Bifurcation
from hybridsim.analysis.hopf import EquilibriumBifurcation, hopf_near
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.parameters import limits_of, problem_of, refuse_other_rhythm, refuse_parameter, value_of
from hybridsim.analysis.return_map import least_rate
from hybridsim.analysis.search import TANGENTIAL
from hybridsim.analysis.special_points import SpecialPoint, special_points, sum_of_pair
from hybridsim.analysis.switching import lies_on
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import BranchProgress, Progress, shown
from hybridsim.typing import FloatArray, SpecialKind

BIFURCATION_STEPS = 0.01, 1e-6, 0.1
"""The first, the shortest and the longest step along a curve, in the units of the curve."""

MAX_BIFURCATION_POINTS = 1000
"""Most points of a curve of bifurcations, each way."""

SMALL_SWING = 0.01
"""Part of the first orbit's size below which the terms that make a small orbit critical are not above rounding."""

FOLLOWED = ("fold", "branch", "flip", "torus")
"""Kinds of bifurcations that are followed."""


@explains_keywords(both="back_to")
def continue_bifurcation(
    bifurcation: Bifurcation,
    parameters: tuple[str, str],
    *,
    to: float,
    back_to: float | None = None,
    progress: Progress = None,
) -> BifurcationPoints:
    """Follow a fold, a branch point, a period doubling or a torus bifurcation through two parameters.

    The curve is followed round its turning points, until the second parameter leaves the range from its present value,
    or from `back_to`, to `to`, or the first one leaves its bounds.

    Parameters
    ----------
    bifurcation : Bifurcation
        Of the kind "fold", "branch", "flip" or "torus".
    parameters : (str, str)
        The parameter in which it was found, and the second one: real parameters of the model, or states that the
        strides leave as they are (`Orbit.kept`).
    to : float
        Value of the second parameter at which the curve ends.
    back_to : float, optional
        A value on the other side, at which it ends, too: the bifurcation is followed both ways.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the value of the second parameter and the number of strides at every point.

    Returns
    -------
    BifurcationPoints
        The table of the orbits, with the special points. Ctrl-C keeps those found so far.

    Raises
    ------
    ConfigError
        If the bifurcation is of another kind, or a parameter does not exist, is no real number,
        or cannot have the value.
    """
    curve, begin = _first_point(bifurcation, parameters, to, back_to)
    with shown(progress, lambda: BranchProgress(parameters[1], *curve.limits)) as report:
        walk = _Walk(curve, begin, report)
        border = curve.border
        walk.follow(begin)
        if back_to is not None and not walk.closed:
            ahead, walk.rows = walk.rows, []
            curve.border = border
            curve.set_values(begin.z)
            walk.follow(curve.point_at(begin.z, -begin.tangent))
            walk.rows = walk.rows[:0:-1] + ahead
    return _table(curve, walk, bifurcation.orbit)


def _first_point(
    bifurcation: Bifurcation, parameters: tuple[str, str], to: float, back_to: float | None
) -> tuple[BifurcationCurve, CurvePoint]:
    _refuse(bifurcation, parameters)
    orbit = bifurcation.orbit
    limits = limits_of(orbit, parameters[1], to, back_to)
    problem, bounds = problem_of(orbit, parameters), _bounds(orbit, parameters[0])
    values = np.array([value_of(orbit, name) for name in parameters])
    second = abs(limits[1] - limits[0])
    v = problem.x[problem.free.free] / problem.sizes
    direction = np.zeros(len(v) + 2)
    direction[-1] = np.sign(to - values[1])
    # The unit of the first parameter is its own size, or what changes the map, or its multipliers, by as much.
    trial = BifurcationCurve(problem, parameters, (1.0, second), (EVERYWHERE, limits), orbit.family, bifurcation.kind)
    z = np.concatenate([v, values / (1.0, second)])
    found, here = trial.orbit_equations(z)
    _, gradients = trial.tests(z, found, here.jacobian)
    effect = max(float(np.abs(part[:, -2]).max()) for part in (here.jacobian, gradients))
    size = max(abs(values[0]), 1.0 / effect if effect > 0.0 else 0.0) or 1.0
    for name, change in zip(parameters, (size, second), strict=True):
        refuse_other_rhythm(orbit, name, BIFURCATION_STEPS[0] * change)
    curve = BifurcationCurve(problem, parameters, (size, second), (bounds, limits), orbit.family, bifurcation.kind)
    return curve, curve.correct(np.concatenate([v, values / (size, second)]), direction)


def _refuse(bifurcation: Bifurcation, parameters: tuple[str, str]) -> None:
    """Raise a ConfigError if a bifurcation cannot be followed through two parameters."""
    if isinstance(parameters, str) or len(parameters) != 2:
        raise ConfigError(
            f"parameters: expected two names, the first that in which the bifurcation was found, found {parameters!r}; "
            'give for example ("slope", "m_H")'
        )
    if isinstance(bifurcation, EquilibriumBifurcation):
        raise ConfigError(
            f"bifurcation: a {bifurcation.kind} of equilibria, and only those of orbits are followed through two "
            "parameters; follow the equilibrium with another value of the second one, or, from a Hopf point, the orbit "
            "that begins there: continue_orbit"
        )
    if not isinstance(bifurcation, Bifurcation):
        raise ConfigError(
            f"bifurcation: expected one of those of a branch, branch.bifurcations[0], found a "
            f"{type(bifurcation).__name__}"
        )
    if bifurcation.kind not in FOLLOWED:
        way = "; from a Hopf point, continue_orbit follows the orbits that begin there" * (bifurcation.kind == "hopf")
        raise ConfigError(f"only folds, branch points, flips and tori can be followed, not a {bifurcation.kind}{way}")
    for name in parameters:
        refuse_parameter(bifurcation.orbit, name)
    if len({*parameters}) != 2:
        raise ConfigError(f"parameters: expected two different ones, found {' and '.join(parameters)}")
    if bifurcation.orbit.family and bifurcation.kind in ("fold", "branch"):
        raise ConfigError(
            f"the {bifurcation.kind} is that of a family of orbits; find the orbit with `fixed`, which chooses one of "
            "them, and continue that one"
        )


def _bounds(orbit: Orbit, parameter: str) -> tuple[float, float]:
    """Return the bounds of a parameter."""
    if parameter in orbit.kept:
        return EVERYWHERE
    record = orbit.model.parameters[parameter]
    return record.lower, record.upper


@dataclass(slots=True)
class _Walk:
    """A curve that is followed from its first point, and what was found on it."""

    curve: BifurcationCurve
    begin: CurvePoint
    report: Callable[[float, int], None] | None
    rows: list[tuple[str, CurvePoint]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    closed: bool = False

    def follow(self, before: CurvePoint) -> None:
        """Follow the curve from its first point, one way, to its end."""
        curve = self.curve
        self.rows.append((_kind_at(curve, before), before))
        try:
            for point, _ in follow(curve, before, *BIFURCATION_STEPS):
                if self._swing(point) < SMALL_SWING:
                    self._note_equilibrium(before)
                    return
                self.closed = len(self.rows) > 2 and lies_on(curve, self.begin.z, before.z, point.z)
                self._note_change(before, point)
                self.rows += [*special_points(curve, before, point), (_kind_at(curve, point), point)]
                curve.set_values(point.z)
                curve.renew(point)
                if self.report is not None:
                    self.report(curve.value(point.z), curve.problem.return_map.strides)
                if self._has_ended(point):
                    return
                before = point
        except CorrectionError as failure:
            if failure.cause == EQUILIBRIUM:
                self._note_equilibrium(before)
            else:
                self._note_end(before, failure)
        except KeyboardInterrupt:
            self.notes.append(f"interrupted at {self._place(before)}")

    def _has_ended(self, point: CurvePoint) -> bool:
        """Return whether a curve ends at a point; a note says why, if it is not at the end of its range."""
        curve, (value, second) = self.curve, self.curve.values(point.z)
        if self.closed:
            self.notes.append("the curve is closed: it has come back to its first orbit")
        elif value in curve.first.limits:
            self.notes.append(f"the curve ends at {curve.first.parameter} = {value:.9g}, the bound of this parameter")
        elif len(self.rows) > MAX_BIFURCATION_POINTS:
            self.notes.append(f"the curve is given up after {len(self.rows):,} orbits, at {self._place(point)}")
        elif second not in curve.limits:
            return False
        return True

    def _swing(self, point: CurvePoint) -> float:
        """Return how far the states go along an orbit, in how far they go along the first one."""
        free = self.curve.problem.free.free
        here, first = (
            np.max([np.ptp(stride.rows.x[:, free], axis=0) for stride in each.found.strides], axis=0)
            for each in (point, self.begin)
        )
        return float((here / np.where(first > 0.0, first, np.inf)).max(initial=0.0))

    def _note_equilibrium(self, last: CurvePoint) -> None:
        """Note that the orbits shrink to an equilibrium: where a fold of orbits does so, a Hopf point is degenerate."""
        curve, point = self.curve, ""
        curve.set_values(last.z)
        if curve.kind == "fold" and hopf_near(orbit_of(curve.problem, last.found, last.family), curve.first.parameter):
            point = ", at a generalised Hopf point (Bautin point)"
        self.notes.append(f"the curve ends near {self._place(last)}: there the orbit shrinks to an equilibrium{point}")

    def _note_end(self, last: CurvePoint, failure: CorrectionError) -> None:
        """Note why no orbit is found beyond the last one."""
        boundary = grazing_ahead(self.curve, last)
        if least_rate(last.found) < TANGENTIAL * least_rate(self.begin.found):
            section = self.curve.problem.return_map.stride_map.section
            why = f"there the section, {section}, is only touched; another section may lead beyond"
        elif boundary:
            why = f"beyond it the events of {boundary} are others"
        else:
            why = f"beyond it no orbit is found ({failure})"
        self.notes.append(f"the curve ends at {self._place(last)}: {why}")

    def _note_change(self, first: CurvePoint, second: CurvePoint) -> None:
        """Note that the events change between two points: the map may have a corner there."""
        boundary = changed_boundaries(self.curve, first.found, second.found)
        if boundary:
            places = " and ".join(self._place(point) for point in (first, second))
            self.notes.append(f"the events of {boundary} change between {places}")

    def _place(self, point: CurvePoint) -> str:
        names = self.curve.first.parameter, self.curve.parameter
        return ", ".join(f"{name} = {value:.9g}" for name, value in zip(names, self.curve.values(point.z), strict=True))


def _kind_at(curve: BifurcationCurve, point: CurvePoint) -> str:
    return "neutral saddle" if curve.kind == "torus" and abs(sum_of_pair(curve, point)) > 2.0 else curve.kind


def _table(curve: BifurcationCurve, walk: _Walk, orbit: Orbit) -> BifurcationPoints:
    names = curve.problem.return_map.stride_map.model.states.names
    kinds, points = zip(*walk.rows, strict=True)
    values = np.array([curve.values(point.z) for point in points])
    columns: dict[str, FloatArray] = {
        "kind": np.array(kinds),
        curve.first.parameter: values[:, 0],
        curve.parameter: values[:, 1],
        "period": np.array([point.found.duration for point in points]),
        **{name: np.array([point.found.x0[i] for point in points]) for i, name in enumerate(names)},
    }
    n = min(len(point.multipliers) for point in points)
    columns |= {f"multiplier_{i}": np.array([point.multipliers[i] for point in points]) for i in range(n)}
    special = [_special_point(curve, *row) for row in walk.rows if row[0] not in (curve.kind, "neutral saddle")]
    visits = np.zeros((len(points), 0, len(names)))
    parameters = curve.first.parameter, curve.parameter
    return BifurcationPoints(
        columns, visits, orbit=orbit, parameters=parameters, special=tuple(special), notes=tuple(walk.notes)
    )


def _special_point(curve: BifurcationCurve, kind: str, point: CurvePoint) -> SpecialPoint:
    curve.set_values(point.z)
    orbit = orbit_of(curve.problem, point.found, point.family)
    names = curve.first.parameter, curve.parameter
    return SpecialPoint(cast("SpecialKind", kind), dict(zip(names, curve.values(point.z), strict=True)), orbit)
