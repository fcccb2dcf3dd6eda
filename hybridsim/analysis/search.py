"""The curves of a branch, followed one after the other, and what is found on them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import compress, pairwise
from time import monotonic
from typing import Any

import numpy as np

from hybridsim.analysis.bifurcations import (
    AT_BIFURCATION,
    Located,
    find_bifurcations,
    grazing_ahead,
    grazing_at,
    least_distance,
    met_at_section,
    stays_critical,
    unexplained,
    why_given_up,
)
from hybridsim.analysis.corners import corner_ahead
from hybridsim.analysis.curve import EQUILIBRIUM, CorrectionError, Curve, CurvePoint, follow
from hybridsim.analysis.diagram import Beginning, Bifurcation, Points
from hybridsim.analysis.newton import norm
from hybridsim.analysis.normal_forms import why_undecided
from hybridsim.analysis.return_map import is_stable, least_rate
from hybridsim.analysis.switching import (
    Begun,
    begin_crossing,
    begin_doubled,
    bifurcation_at,
    flip_behind,
    lies_on,
    returns_to,
    single_between,
)
from hybridsim.analysis.ties import Ties, ties_of
from hybridsim.typing import BifurcationKind, FloatArray

FIRST_BRANCH_STEP, SHORTEST_BRANCH_STEP, LONGEST_BRANCH_STEP = 0.02, 1e-10, 0.05
"""Steps along a curve, in units of the range of the parameter and of the sizes of the states. The first is divided by
the strides, the longest by how often they are those of the first orbit: cascades of doubled periods become finer."""

SHRUNK_SIZE = 1e-3
"""Size of an orbit, in units of the first one, below which it is a point but for rounding: the nonlinear terms, which
decide about the parameter, are no longer above the tolerances of the steps."""

TANGENTIAL = 1e-3
"""Part of the rate with which a curve's first orbit passes the section, below which it is passed no longer."""

SAME_BIFURCATION = 1e-5
"""Distance, in the units of a curve, below which two bifurcations are the same."""

SECONDS_BETWEEN_SAVES = 1.0
"""An unfinished branch is saved about as often [s]."""


@dataclass(slots=True)
class Unfinished:
    """A curve that is to be followed from a point; its number is None until it has one.

    One that begins at a bifurcation, its origin, may have been followed before, from its other end. `places` are those
    of its first orbit, one for each stride, and `length` is that of the next step.
    """

    number: int | None
    curve: Curve
    point: CurvePoint
    length: float
    places: FloatArray
    origin: FloatArray | None = None


def begin_at(curve: Curve, point: CurvePoint, origin: FloatArray | None = None) -> Unfinished:
    """Return a curve that is to be followed from its first point."""
    free, sizes = curve.problem.free.free, curve.problem.sizes
    places = [np.append(stride.rows.x[0][free] / sizes, point.z[-1]) for stride in point.found.strides]
    return Unfinished(None, curve, point, FIRST_BRANCH_STEP / len(places), np.array(places), origin)


@dataclass(slots=True)
class Search:
    """The curves that are followed one after the other, and what was found on them.

    `known` are the orbits of an unfinished branch: the numbers of their curves, their strides and places.
    """

    parameter: str
    limits: tuple[float, float]
    max_strides: int
    least_rate: float
    progress: Callable[[float, int], None] | None
    bifurcations: list[Bifurcation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rows: list[tuple[int, Curve, CurvePoint, bool]] = field(default_factory=list)
    pending: list[Unfinished] = field(default_factory=list)
    places: list[tuple[str, int, FloatArray]] = field(default_factory=list)
    known: list[tuple[int, int, FloatArray]] = field(default_factory=list)
    n_curves: int = 0

    def follow_all(self, save: Callable[[Search], None]) -> None:
        """Follow all curves, and those that branch off them, until Ctrl-C; now and then, what is found is saved."""
        saved_at = monotonic()
        with contextlib.suppress(KeyboardInterrupt):
            while self.pending:
                for _ in self._follow(self.pending[0]):
                    if monotonic() > saved_at + SECONDS_BETWEEN_SAVES:
                        save(self)
                        saved_at = monotonic()
                self.pending.pop(0)

    def ends(self) -> tuple[float, int, tuple[Beginning, ...]]:
        """Return where the branch ends, the most strides, and what has not been followed to its end."""
        left = (
            Beginning(
                -1 if unfinished.number is None else unfinished.number,
                unfinished.curve.problem.return_map.strides,
                unfinished.length,
                unfinished.point.z,
                unfinished.point.tangent,
                np.full_like(unfinished.point.z, np.nan) if unfinished.origin is None else unfinished.origin,
            )
            for unfinished in self.pending
        )
        return self.limits[1], self.max_strides, tuple(left)

    def _follow(self, unfinished: Unfinished) -> Iterator[None]:
        """Follow one curve, a point at a time; those that branch off are pending then."""
        curve = unfinished.curve
        if unfinished.number is None:
            if unfinished.origin is not None and self._is_known(curve, unfinished.point):
                return
            unfinished.number, self.n_curves = self.n_curves, self.n_curves + 1
            curve.set_value(curve.value(unfinished.point.z))
            ties = ties_of(curve.problem, unfinished.point.found)
            self.rows.append(self._row(unfinished.number, curve, unfinished.point, ties))
            if unfinished.origin is None and least_distance(unfinished.point) < AT_BIFURCATION:
                self._note(f"curve {unfinished.number} begins with a multiplier of size 1: what happens is not decided")
        number, rows = unfinished.number, self._all_rows()
        longest = LONGEST_BRANCH_STEP * rows[0][1] / curve.problem.return_map.strides
        count = sum(row[0] == number for row in rows)
        if count > 1 and self._end_at(unfinished, unfinished.point, count) == OUTSIDE:  # Ctrl-C came at the very end
            return
        try:
            for point, length in follow(curve, unfinished.point, unfinished.length, SHORTEST_BRANCH_STEP, longest):
                if self.progress is not None:
                    self.progress(curve.value(point.z), curve.problem.return_map.strides)
                before, count = unfinished.point, count + 1
                ended = self._end_between(unfinished, point)
                if not ended:
                    ended = self._note_all(unfinished, point, length) or self._end_at(unfinished, before, count)
                if ended:
                    self._note("" if ended == OUTSIDE else f"curve {number} {ended}")
                    return
                yield
        except CorrectionError as failure:
            self._end(unfinished, failure)

    def _all_rows(self) -> list[tuple[int, int, FloatArray]]:
        """Return the numbers of the curves of all orbits, their strides and places."""
        return self.known + [
            (number, curve.problem.return_map.strides, point.z) for number, curve, point, _ in self.rows
        ]

    def _note_all(self, unfinished: Unfinished, point: CurvePoint, length: float) -> str:
        """Note the next point of a curve, and what happens before it; returns OUTSIDE if the curve ends on the way."""
        number, curve, before = unfinished.number, unfinished.curve, unfinished.point
        assert number is not None
        found = [each for each in find_bifurcations(curve, before, point) if self._is_within(curve, each.point)]
        curve.set_value(curve.value(point.z))
        ties = ties_of(curve.problem, point.found)
        if ties is not None:  # the multipliers are those of one order of events only
            found = [each for each in found if each.kind in ("fold", "grazing")]
        touched = least_rate(point.found) < TANGENTIAL * self.least_rate  # there every curve turns round
        found = [each for each in found if not (touched and each.kind == "fold")]
        new = [each for each in found if not self._is_noted(curve, each)]
        doubt = "" if ties is not None or touched else unexplained(before, point, found)
        rows = [self._row(number, curve, each.point, ties) for each in found if each.kind != "grazing"]
        rows.append(self._row(number, curve, point, ties))
        if stays_critical(before, point) and curve.size_of(point) > SHRUNK_SIZE:
            self._note(f"curve {number}: multipliers stay on the unit circle, and do not decide whether it is stable")
        if doubt:
            span = f"{self.parameter} = {curve.value(before.z):.9g} and {curve.value(point.z):.9g}"
            self._note(f"curve {number}: {doubt} between {span}, and no bifurcation is found there")
        begun = self._add(number, curve, new)
        followed = not new or any(other.curve.strides == curve.strides for other in begun)
        ended = followed and any(each.ends for each in found)
        self.rows += rows[:-1] if ended else rows  # the last one is on the curve that has begun
        unfinished.point, unfinished.length = point, length
        return OUTSIDE if ended else ""

    def _add(self, number: int, curve: Curve, new: list[Located]) -> list[Unfinished]:
        """Note bifurcations, and return the curves that begin there."""
        noted = [bifurcation_at(curve, number, each) for each in new]
        begun = [begin_at(*pair, each.point.z) for each in new for pair in self._branches_from(curve, each)]
        # All at once, so that Ctrl-C leaves nothing half noted.
        self.places += [self._place(curve, each) for each in new]
        self.bifurcations += noted
        self.pending += begun
        for each, of in zip(new, noted, strict=True):
            where = f"{self.parameter} = {of.value:.9g} on curve {number}"
            why, said = why_undecided(of.kind, of.coefficient, each.point), each.says(self.parameter, curve.strides)
            self._note(why and f"the {of.kind} at {where} has no normal form: {why}")
            self._note(said and f"at the {each.type} at {where} {said}")
        return begun

    def _row(
        self, number: int, curve: Curve, point: CurvePoint, ties: Ties | None
    ) -> tuple[int, Curve, CurvePoint, bool]:
        """Return a row of the table; what its numbers do not say becomes a note."""
        if ties is None:
            return number, curve, point, is_stable(point.multipliers, point.family)
        self._note(f"curve {number}: {ties.warning}")
        return number, curve, point, bool(ties.stable)

    def _end_between(self, unfinished: Unfinished, point: CurvePoint) -> str:
        """Return why a curve ends between two points: it has been here before; "" if it does not."""
        curve = unfinished.curve
        where = single_between(curve, unfinished.point, point)
        if where is not None:
            return self._end_in_flip(unfinished, where)
        if returns_to(curve, unfinished.places, unfinished.point, point):
            return "is closed: it has come back to its first orbit"
        return ""

    def _end_in_flip(self, unfinished: Unfinished, where: FloatArray) -> str:
        """Note the flip in which a curve of doubled period ends; nothing begins there any more."""
        curve = unfinished.curve
        flip = flip_behind(curve, where)
        if flip is None:
            return f"ends near {self.parameter} = {curve.value(where):.6g}, where its period is halved"
        single, point = flip
        located = Located("flip", point)
        if self._is_noted(single, located):
            others = (each.origin is None or norm(each.origin - point.z) > SAME_BIFURCATION for each in self.pending)
            self.pending = list(compress(self.pending, [*others]))
        else:
            self.places.append(self._place(single, located))
            self.bifurcations.append(bifurcation_at(single, unfinished.number or 0, located))
            ways = (single.point_at(point.z, sign * point.tangent) for sign in (1.0, -1.0))
            self.pending += [begin_at(single, way) for way in ways]
        return f"ends in the flip at {self.parameter} = {single.value(point.z):.9g}"

    def _end_at(self, unfinished: Unfinished, before: CurvePoint, count: int) -> str:
        """Return why a curve ends at its last point, the n-th of them; "" if it does not."""
        curve, point = unfinished.curve, unfinished.point
        value = curve.value(point.z)
        if value in curve.limits or not self._is_within(curve, point):
            return OUTSIDE
        if max(curve.size_of(point), curve.size_of(before)) < SHRUNK_SIZE:  # two in a row: it does not just pass 0
            return self._end_in_point(unfinished)
        return why_given_up(before, point, count, f"{self.parameter} = {value:.9g}")

    def _end_in_point(self, unfinished: Unfinished) -> str:
        """Note the Hopf point at which an orbit around zero vanishes; else return that it is a point."""
        curve, located = unfinished.curve, Located("hopf", unfinished.point)
        if np.isnan(bifurcation_at(curve, 0, located).coefficient):
            value = curve.value(unfinished.point.z)
            return f"ends at {self.parameter} = {value:.3g}: there the orbit has shrunk to a point but for rounding"
        if not self._is_noted(curve, located):
            self._add(unfinished.number or 0, curve, [located])
        return OUTSIDE

    def _end(self, unfinished: Unfinished, failure: CorrectionError) -> None:
        """Note that a curve ends within the range: at an equilibrium, at a grazing, or why no orbit is found beyond."""
        curve, last, number = unfinished.curve, unfinished.point, unfinished.number
        assert number is not None
        where = f"curve {number} ends at {self.parameter} = {curve.value(last.z):.9g}"
        if failure.cause != EQUILIBRIUM and least_rate(last.found) < TANGENTIAL * self.least_rate:
            section = curve.problem.return_map.stride_map.section
            self._note(f"{where}: there the section, {section}, is only touched; another section may lead beyond")
            return
        boundary = grazing_ahead(curve, last)
        kind: BifurcationKind | None = "hopf" if failure.cause == EQUILIBRIUM else "grazing" if boundary else None
        if kind is None:
            slipped = self._is_noted(curve, Located("grazing", last))  # just across it, by rounding
            met = met_at_section(curve, last.found)
            why = f"there {met} happens at the section; another section may lead beyond" if met else ""
            self._note("" if slipped else f"{where}: {why or f'beyond it no orbit is found ({failure})'}")
        elif self._is_within(curve, last):
            located = Located("hopf", last)
            if kind == "grazing":
                located = grazing_at(curve, last, None, boundary, corner_ahead(curve, last))
            if not self._is_noted(curve, located):
                self._add(number, curve, [located])

    def _note(self, text: str) -> None:
        if text and text not in self.notes:
            self.notes.append(text)

    def _is_within(self, curve: Curve, point: CurvePoint) -> bool:
        low, high = sorted(self.limits)
        return low <= curve.value(point.z) <= high

    def _is_known(self, curve: Curve, begin: CurvePoint) -> bool:
        """Return whether the first orbit of a curve lies on a curve that has been followed."""
        strides = curve.problem.return_map.strides
        alike = [(number, z) for number, of, z in self._all_rows() if of == strides]
        return any(a == b and lies_on(curve, begin.z, first, second) for (a, first), (b, second) in pairwise(alike))

    def _place(self, curve: Curve, located: Located) -> tuple[str, int, FloatArray]:
        return located.kind, curve.problem.return_map.strides, located.point.z

    def _is_noted(self, curve: Curve, located: Located) -> bool:
        """Return whether a bifurcation has been found before, from another curve or on the way back."""
        kind, strides, z = self._place(curve, located)
        alike = [known[2] for known in self.places if known[:2] == (kind, strides)]
        return any(norm(z - known) < SAME_BIFURCATION for known in alike)

    def _branches_from(self, curve: Curve, located: Located) -> Begun:
        """Return the first points of the curves that branch off at a bifurcation."""
        if located.kind == "flip" and 2 * curve.problem.return_map.strides <= self.max_strides:
            doubled = begin_doubled(curve, located.point)
            where = f"{self.parameter} = {curve.value(located.point.z):.9g}"
            self._note("" if doubled else f"at the flip at {where} no orbit of doubled period is found")
            return doubled
        if located.kind == "branch":
            return begin_crossing(curve, located)
        longest = self.max_strides // curve.strides
        begun = (cycle.begin(curve) for cycle in located.begun(longest))
        return [pair for pair in begun if pair is not None]

    def table(self) -> Points:
        """Make the table of all points."""
        names = self.rows[0][1].problem.return_map.stride_map.model.states.names if self.rows else ()
        fixed_columns = ("curve", self.parameter, "strides", "period", "stable", *names)
        columns: dict[str, list[Any]] = {name: [] for name in fixed_columns}
        n_multipliers = max((len(point.multipliers) for _, _, point, _ in self.rows), default=0)
        columns |= {f"multiplier_{i}": [] for i in range(n_multipliers)}
        for number, curve, point, stable in self.rows:
            row = dict(zip(names, point.found.x0, strict=True))
            row |= {"curve": number, self.parameter: curve.value(point.z), "strides": len(point.found.strides)}
            row |= {"period": point.found.duration, "stable": stable}
            for i in range(n_multipliers):
                row[f"multiplier_{i}"] = point.multipliers[i] if i < len(point.multipliers) else np.nan
            for name, values in columns.items():
                values.append(row[name])
        visits = np.full((len(self.rows), max(map(int, columns["strides"]), default=0), len(names)), np.nan)
        for visit, (_, _, point, _) in zip(visits, self.rows, strict=True):
            visit[: len(point.found.strides)] = [stride.rows.x[0] for stride in point.found.strides]
        return Points({name: np.array(values) for name, values in columns.items()}, visits)


OUTSIDE = "outside"
"""A curve has left the range of the parameter."""
