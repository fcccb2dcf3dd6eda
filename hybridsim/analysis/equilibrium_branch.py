"""`continue_equilibrium`: equilibria of a chart through a parameter, and their bifurcations."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.analysis.bifurcations import SAME_PLACE, Located, is_vertical
from hybridsim.analysis.chart_field import refuse_time
from hybridsim.analysis.curve import CorrectionError, CurvePoint, follow
from hybridsim.analysis.diagram import Points
from hybridsim.analysis.equilibria import Equilibrium, equilibrium_columns, record_of_equilibria
from hybridsim.analysis.equilibrium_bifurcations import (
    equilibrium_bifurcation_at,
    find_between,
    growing,
)
from hybridsim.analysis.equilibrium_curve import EquilibriumCurve
from hybridsim.analysis.hopf import EquilibriumBifurcation
from hybridsim.analysis.newton import norm
from hybridsim.analysis.parameters import limits_of, refuse_parameter, value_of
from hybridsim.analysis.switching import begin_crossing, lies_on
from hybridsim.errors import explains_keywords
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hybridsim.results.branches import BranchRecord

FIRST_STEP, SHORTEST_STEP, LONGEST_STEP = 0.01, 1e-10, 0.1
"""Steps along a curve, in units of the range of the parameter and of the sizes of the states."""

MAX_POINTS = 2000
"""Most points of one curve."""

LARGEST_GROWTH, MAX_RESTARTS = 10.0, 12
"""How large states may become, in their units: beyond it everything begins anew with larger units, but not for ever."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EquilibriumBranch:
    """Equilibria through a parameter.

    Parameters
    ----------
    parameter : str
        Name of the parameter.
    points : Points
        The equilibria in the order in which they were found: columns `curve`, the parameter, `stable` (masked where
        that is not decided), `admissible`, every state, and the eigenvalues, `eigenvalue_0` (complex) that with the
        largest real part.
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

    def plot(self, path: str | os.PathLike[str] | None = None, *names: str, ax: Any = None) -> Figure:
        """Draw states over the parameter: solid where stable, dashed where not, with the bifurcations.

        Parameters
        ----------
        path : path, optional
            The file of the picture; its suffix (.png, .pdf, .svg) decides the format.
        *names : str
            States; by default the first one that varies.
        ax : Axes, or sequence of Axes, optional
            Where to draw, a panel for each name; by default a new figure.

        Returns
        -------
        Figure
            The figure, of matplotlib; notebooks show it.

        Raises
        ------
        ConfigError
            If there is no such state, or the picture cannot be written.
        """
        from hybridsim.plotting import plot_branch  # noqa: PLC0415  (what is not drawn does not load matplotlib)

        return plot_branch(self._record(), names, path, ax=ax)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the branch into a file, which `hybridsim plot` draws.

        Parameters
        ----------
        path : path
            The .h5 file; `hybridsim.load_equilibria` reads it.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        from hybridsim.results.branches import write_branch  # noqa: PLC0415  (what is not saved does not load h5py)

        write_branch(Path(path), self._record())
        return Path(path)

    def _record(self) -> BranchRecord:
        about = {"to": self.to, "back_to": self.back_to, "notes": self.notes}
        return record_of_equilibria(self.equilibrium, self.points.columns, self.parameter, self.bifurcations, **about)


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
    if parameter not in equilibrium.kept:
        for end in limits:
            refuse_time(field.config, field.functions, field.x, field.chart, {**field.values, parameter: end})
    ways = [np.sign(to - value)] if back_to is None else [np.sign(to - value), np.sign(back_to - value)]
    for _ in range(MAX_RESTARTS):
        curve = EquilibriumCurve(field, parameter, abs(limits[1] - limits[0]), equilibrium.family, limits)
        z = np.append(equilibrium.field.x[field.free] / field.sizes, value / curve.size)
        search = _Search(curve)
        grown = search.follow_all([curve.correct(z, way * np.eye(len(z))[-1]) for way in ways])
        if grown is None:
            break
        field = field.at(grown)
    else:
        search.notes.append(f"given up where the states have grown {MAX_RESTARTS} times to many times their size")
    search.notes += equilibrium.warnings
    undecided = sum(each.stable is None for _, _, each in search.rows)
    if undecided > len(search.bifurcations):  # at each of them it is so
        search.notes.append(f"of {undecided} equilibria the linear part does not decide whether they are stable")
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
                value, vertical = curve.value(there.z), is_vertical(point, there)
                if not vertical:
                    self._note_between(number, point, there)
                if not curve.limits[0] <= value <= curve.limits[1]:
                    return
                self._add(number, there)
                if value in curve.limits:
                    return
                if vertical:
                    where = f"from here on, all its equilibria have {curve.parameter} = {value:.9g}"
                    self.notes.append(f"curve {number} ends in a family: {where}")
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
        changes = abs(growing(before) - growing(point))
        if changes > sum({"hopf": 2, "boundary": 0}.get(each.kind, 1) for each in found):
            self.notes.append(
                f"curve {number}: {changes} eigenvalues change sign between {span}, and no bifurcation is found there"
            )
        earlier = tuple(self.found)  # two of them between two points are not the same one, however near
        for each in found:
            known = any(
                (each.kind, each.boundary) == (other.kind, other.boundary)
                and norm(each.point.z - other.point.z) < SAME_PLACE
                for other in earlier
            )
            if known or not curve.limits[0] <= curve.value(each.point.z) <= curve.limits[1]:
                continue
            self.found.append(each)
            self.bifurcations.append(equilibrium_bifurcation_at(curve, number, each))
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
        columns |= equilibrium_columns(equilibria)
        return Points(columns, what="equilibria")
