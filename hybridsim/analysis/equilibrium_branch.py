"""`continue_equilibrium`: equilibria of a chart through a parameter, and their bifurcations.

| kind | what happens | function that changes sign |
|---|---|---|
| fold | two equilibria meet and vanish; an eigenvalue is 0 | the parameter's entry in the tangent t, not det [J; t] |
| branch | another curve of equilibria crosses; an eigenvalue is 0 | det [J; t], J the derivatives of the equations |
| hopf | an orbit is born; a pair of eigenvalues is imaginary | product of the sums of two eigenvalues |
| boundary | the equilibrium reaches a boundary of its chart | the boundary |

(Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, chapter 10.)
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from hybridsim.analysis.bifurcations import SAME_PLACE, Located, crossing_between, fold_test, locate
from hybridsim.analysis.crossings import type_of
from hybridsim.analysis.curve import CorrectionError, CurvePoint, follow
from hybridsim.analysis.diagram import Points
from hybridsim.analysis.equilibria import Equilibrium, EquilibriumCurve, boundaries_at
from hybridsim.analysis.hopf import critical_pair, hopf_form
from hybridsim.analysis.newton import norm
from hybridsim.analysis.normal_forms import fold_form
from hybridsim.analysis.parameters import limits_of, refuse_parameter, unit_of, value_of
from hybridsim.analysis.stride import StrideError
from hybridsim.analysis.switching import begin_crossing, lies_on
from hybridsim.errors import explains_keywords
from hybridsim.results.branches import BranchRecord
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

FIRST_STEP, SHORTEST_STEP, LONGEST_STEP = 0.01, 1e-10, 0.1
"""Steps along a curve, in units of the range of the parameter and of the sizes of the states."""

MAX_POINTS = 2000
"""Most points of one curve."""

LARGEST_GROWTH, MAX_RESTARTS = 10.0, 12
"""How large states may become, in their units: beyond it everything begins anew with larger units, but not for ever."""

CERTAIN = 1e-10
"""Least product of the sums of eigenvalues, relative to their sizes, that is no rounding: where all pairs are imaginary
along a whole curve, as without friction, none is a Hopf point."""

AXIS_TOLERANCE = 1e-4
"""How near the imaginary axis a pair must be at a Hopf point, relative to its size."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EquilibriumBifurcation:
    """A value of the parameter at which equilibria appear, vanish, change their stability or leave their chart.

    Parameters
    ----------
    kind : str
        "fold", "branch", "hopf" or "boundary".
    value : float
        Value of the parameter [its unit].
    curve : int
        The curve that it is on, as in `EquilibriumBranch.points`.
    equilibrium : Equilibrium
        The equilibrium there.
    boundary : str
        The boundary that is reached.
    type : str
        Of a Hopf point, "supercritical" if the orbit born there is stable, as far as this pair decides, or
        "subcritical"; of a branch point, "pitchfork" or "transcritical".
    side : int
        1 if what is born, or meets, exists for larger values of the parameter, -1 for smaller ones, 0 if not known.
    coefficient : float
        The first Lyapunov coefficient of a Hopf point, for an eigenvector of length 1 in the units of the model.
    omega : float
        The frequency of the orbit born there [rad/s].
    slope : float
        Derivative of the real part of its eigenvalues by the parameter.
    """

    kind: BifurcationKind
    value: float
    curve: int
    equilibrium: Equilibrium
    boundary: str = ""
    type: BifurcationType = ""
    side: int = 0
    coefficient: float = np.nan
    omega: float = np.nan
    slope: float = np.nan

    def __repr__(self) -> str:
        what = " ".join(filter(None, [self.type, self.kind, self.boundary]))
        return f"<{what} at {self.value:.12g} on curve {self.curve}>"


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EquilibriumBranch:
    """Equilibria through a parameter.

    Parameters
    ----------
    parameter : str
        Name of the parameter.
    points : Points
        The equilibria in the order in which they were found: columns `curve`, the parameter, `stable`, `admissible`,
        every state, and the eigenvalues, `eigenvalue_0` (complex) that with the largest real part.
    bifurcations : tuple of EquilibriumBifurcation
        In the order in which they were found.
    equilibrium : Equilibrium
        The first equilibrium.
    to : float
        Value of the parameter at which the branch ends.
    back_to : float, optional
        Value at which it ends on the other side, if the equilibrium was followed both ways.
    notes : tuple of str
        Where and why curves end within the range, and what is not decided.
    """

    parameter: str
    points: Points
    bifurcations: tuple[EquilibriumBifurcation, ...]
    equilibrium: Equilibrium
    to: float
    back_to: float | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        kinds = Counter(each.kind for each in self.bifurcations)
        found = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no bifurcations"
        values = self.points[self.parameter]
        return (
            f"<EquilibriumBranch of {self.equilibrium.model.name}: {len(self.points)} equilibria, {self.parameter} "
            f"from {values.min():.9g} to {values.max():.9g}, {found}>"
        )

    def plot(self, path: str | os.PathLike[str], *names: str) -> None:
        """Draw states over the parameter: solid where stable, dashed where not, with the bifurcations.

        Parameters
        ----------
        path : path
            The picture; its suffix (.png, .pdf, .svg) decides the format.
        *names : str
            States; by default the first one that varies.

        Raises
        ------
        ConfigError
            If there is no such state, or the picture cannot be written.
        """
        from hybridsim.plotting import plot_branch  # noqa: PLC0415  (what is not drawn does not load matplotlib)

        plot_branch(self._record(), names, path)

    def _record(self) -> BranchRecord:
        """Return what a picture is made of."""
        model, columns = self.equilibrium.model, self.points.columns
        n, found = len(self.points), self.bifurcations
        rows = {name: np.array([getattr(each, name) for each in found]) for name in ("kind", "type", "value", "curve")}
        x = np.array([[*each.equilibrium.x.values()] for each in found], float)
        return BranchRecord(
            model_name=model.name,
            parameter=self.parameter,
            to=self.to,
            max_strides=1,
            back_to=self.back_to,
            notes=self.notes,
            points={name: column for name, column in columns.items() if not np.iscomplexobj(column)}
            | {"strides": np.ones(n, int)},
            multipliers=np.zeros((n, 0), complex),
            visits=np.array([columns[name] for name in model.states.names]).T[:, None],
            states=model.states.names,
            units={state.name: state.unit for state in model.states}
            | {self.parameter: unit_of(self.equilibrium, self.parameter)},
            bifurcations={**rows, "x": x},
            pending={},
            provenance={},
            what="equilibria",
        )


@explains_keywords()
def continue_equilibrium(
    equilibrium: Equilibrium, parameter: str, *, to: float, back_to: float | None = None
) -> EquilibriumBranch:
    """Follow an equilibrium through a parameter, round its turning points, and the curves that cross its own.

    An equilibrium is followed beyond the boundaries of its chart, too, as a virtual one: it may come back.

    Parameters
    ----------
    equilibrium : Equilibrium
        The first equilibrium.
    parameter : str
        Name of a real parameter of the model, or of a state that is kept (`Equilibrium.kept`).
    to : float
        Value at which the branch ends.
    back_to : float, optional
        A value on the other side, at which it ends, too: the equilibrium is followed both ways.

    Returns
    -------
    EquilibriumBranch
        The equilibria and bifurcations. From a Hopf point, `continue_orbit` follows the orbits that begin there.

    Raises
    ------
    ConfigError
        If the parameter does not exist, or is no real number.

    Examples
    --------
    >>> branch = hybridsim.continue_equilibrium(rest, "r", to=30.0)
    >>> hopf = branch.bifurcations[-1]
    >>> orbits = hybridsim.continue_orbit(hopf, "r", to=20.0)
    """
    refuse_parameter(equilibrium, parameter)
    limits = limits_of(equilibrium, parameter, to, back_to)
    field, value = equilibrium.field, value_of(equilibrium, parameter)
    ways = [np.sign(to - value)] if back_to is None else [np.sign(to - value), np.sign(back_to - value)]
    for _ in range(MAX_RESTARTS):
        curve = EquilibriumCurve(field, parameter, abs(limits[1] - limits[0]), equilibrium.family, limits)
        z = np.append(equilibrium.field.x[field.free] / field.sizes, value / curve.size)
        search = _Search(curve)
        grown = search.follow_all([curve.correct(z, way * np.eye(len(z))[-1]) for way in ways])
        if grown is None:
            break
        field = field.at(grown)
    return EquilibriumBranch(
        parameter, search.table(), tuple(search.bifurcations), equilibrium, float(to), back_to, tuple(search.notes)
    )


class _Search:
    """The curves that are followed one after the other, and what is found on them."""

    def __init__(self, curve: EquilibriumCurve) -> None:
        self.curve = curve
        self.pending: list[CurvePoint] = []
        self.rows: list[tuple[int, CurvePoint, Equilibrium]] = []
        self.found: list[Located] = []
        self.bifurcations: list[EquilibriumBifurcation] = []
        self.notes: list[str] = []

    def follow_all(self, begins: list[CurvePoint]) -> FloatArray | None:
        """Follow curves from their first points, and those that cross them.

        Returns
        -------
        (n_states,) array or None
            A state that has outgrown its unit, where the search is given up.
        """
        for i, begin in enumerate(self._beginnings(begins)):
            for point in self._follow(i, begin):
                if norm(point.z[:-1]) > LARGEST_GROWTH:
                    return point.found.x0
        return None

    def _beginnings(self, begins: list[CurvePoint]) -> Iterator[CurvePoint]:
        yield from begins
        while self.pending:
            begin = self.pending.pop(0)
            if not self._is_known(begin):
                yield begin

    def _follow(self, number: int, point: CurvePoint) -> Iterator[CurvePoint]:
        """Follow a curve from its first point to its end, a point at a time; those that cross it are pending then."""
        curve = self.curve
        self._add(number, point)
        try:
            for count, (there, _) in enumerate(follow(curve, point, FIRST_STEP, SHORTEST_STEP, LONGEST_STEP), 2):
                self._note_between(number, point, there)
                value = curve.value(there.z)
                if not curve.limits[0] <= value <= curve.limits[1]:
                    return
                self._add(number, there)
                if value in curve.limits:
                    return
                if count >= MAX_POINTS:
                    where = f"after {count:,} equilibria, at {curve.parameter} = {value:.6g}"
                    self.notes.append(f"curve {number} is given up {where}")
                    return
                yield there
                point = there
        except CorrectionError:
            where = f"curve {number} ends at {curve.parameter} = {curve.value(point.z):.9g}"
            self.notes.append(f"{where}: beyond it no equilibrium is found")

    def _add(self, number: int, point: CurvePoint) -> None:
        self.rows.append((number, point, self.curve.equilibrium(point)))

    def _note_between(self, number: int, before: CurvePoint, point: CurvePoint) -> None:
        """Note what happens between two points of a curve."""
        curve = self.curve
        found = find_between(curve, before, point)
        span = f"{curve.parameter} = {curve.value(before.z):.9g} and {curve.value(point.z):.9g}"
        changes = abs(_growing(before) - _growing(point))
        if changes > sum({"hopf": 2, "boundary": 0}.get(each.kind, 1) for each in found):
            self.notes.append(
                f"curve {number}: {changes} eigenvalues change sign between {span}, and no bifurcation is found there"
            )
        for each in found:
            known = any(
                (each.kind, each.boundary) == (other.kind, other.boundary)
                and norm(each.point.z - other.point.z) < SAME_PLACE
                for other in self.found
            )
            if known or not curve.limits[0] <= curve.value(each.point.z) <= curve.limits[1]:
                continue
            self.found.append(each)
            self.bifurcations.append(bifurcation_at(curve, number, each))
            self._add(number, each.point)
            if each.kind == "branch":
                self.pending += [first for _, first in begin_crossing(curve, each)]

    def _is_known(self, point: CurvePoint) -> bool:
        """Return whether a point lies on a curve that has been followed."""
        return any(
            a == b and lies_on(self.curve, point.z, first.z, second.z)
            for (a, first, _), (b, second, _) in pairwise(self.rows)
        )

    def table(self) -> Points:
        """Make the table of all points."""
        columns: dict[str, Any] = {"curve": np.array([number for number, _, _ in self.rows])}
        columns[self.curve.parameter] = np.array([self.curve.value(point.z) for _, point, _ in self.rows])
        equilibria = [each for _, _, each in self.rows]
        for name in ("stable", "admissible"):
            columns[name] = np.array([getattr(each, name) for each in equilibria])
        for name in equilibria[0].x:
            columns[name] = np.array([each.x[name] for each in equilibria])
        for i in range(len(equilibria[0].eigenvalues)):
            columns[f"eigenvalue_{i}"] = np.array([each.eigenvalues[i] for each in equilibria])
        return Points(columns, what="equilibria")


def _growing(point: CurvePoint) -> int:
    """Return how many eigenvalues have positive real parts."""
    return int(np.sum(point.multipliers.real > CERTAIN * np.abs(point.multipliers).max(initial=0.0)))


def hopf_test(point: CurvePoint) -> float:
    """Return the product of the sums of two eigenvalues, each relative to their sizes."""
    values = point.multipliers[np.argsort(np.abs(point.multipliers))[point.family :]]
    return float(np.prod([(a + b) / (abs(a) + abs(b) or 1.0) for a, b in combinations(values, 2)]).real)


def find_between(curve: EquilibriumCurve, first: CurvePoint, second: CurvePoint) -> list[Located]:
    """Find and locate the bifurcations between two neighbouring points of a curve, in their order."""
    found = []
    crossing = crossing_between(curve, first, second)
    if crossing is not None:
        word = type_of(crossing.point.tangent, crossing.across)
        found.append(Located("branch", crossing.point, crossing.across, type=word))
    if fold_test(first) * fold_test(second) < 0.0:
        point = locate(curve, first, second, fold_test)
        if point is not None and (crossing is None or norm(point.z - crossing.point.z) > SAME_PLACE):
            found.append(Located("fold", point))
    ends = hopf_test(first), hopf_test(second)
    if ends[0] * ends[1] < 0.0 and min(map(abs, ends)) > CERTAIN:
        point = locate(curve, first, second, hopf_test)
        pair = None if point is None else critical_pair(point.multipliers)
        if point is not None and pair is not None and abs(pair.real) < AXIS_TOLERANCE * abs(pair):
            found.append(Located("hopf", point))
    found += _boundaries_between(curve, first, second)
    return sorted(found, key=lambda each: float(np.linalg.norm(each.point.z - first.z)))


def _boundaries_between(curve: EquilibriumCurve, first: CurvePoint, second: CurvePoint) -> list[Located]:
    """Find where boundaries are reached between two points."""
    here, there = _boundaries(curve, first), _boundaries(curve, second)
    found = []
    for name in [name for name in here if here[name] * there.get(name, 0.0) < 0.0]:

        def test(point: CurvePoint, name: str = name) -> float:
            return _boundaries(curve, point).get(name, np.nan)

        point = locate(curve, first, second, test)
        if point is not None:
            found.append(Located("boundary", point, boundary=name))
    return found


def _boundaries(curve: EquilibriumCurve, point: CurvePoint) -> dict[str, float]:
    return boundaries_at(curve.field_at(point.z), point.found.x0)


def bifurcation_at(curve: EquilibriumCurve, number: int, located: Located) -> EquilibriumBifurcation:
    """Make a bifurcation, with its normal form."""
    point, value = located.point, curve.value(located.point.z)
    common = located.kind, value, number, curve.equilibrium(point), located.boundary
    try:
        if located.kind == "fold":
            return EquilibriumBifurcation(*common, side=fold_form(curve, point).side)
        if located.kind == "hopf":
            form = hopf_form(curve, point)
            return EquilibriumBifurcation(*common, form.type, form.side, form.coefficient, form.omega, form.slope)
    except (StrideError, np.linalg.LinAlgError):
        pass
    return EquilibriumBifurcation(*common, located.type)
