"""`continue_orbit`: a family of orbits through a parameter, with its bifurcations and the branches that leave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.bifurcations import find_bifurcations
from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint, follow
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.problem import Problem, sizes_of
from hybridsim.analysis.return_map import ReturnMap
from hybridsim.analysis.stride import StrideMap
from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.typing import FloatArray

FIRST_STEP, SHORTEST_STEP, LONGEST_STEP = 0.02, 1e-7, 0.05
"""Steps along a curve, in units of the range of the parameter and of the sizes of the states."""

OFFSETS = (4e-3, 1e-3, 2.5e-4, 6e-5)
"""How far from a bifurcation the first point of a new branch is looked for, one after the other."""

MAX_POINTS = 2000
"""Most points of one curve."""


@dataclass(frozen=True, slots=True, eq=False)
class Bifurcation:
    """A value of the parameter at which orbits appear, vanish, or change their stability.

    Attributes
    ----------
    kind : str
        "fold", "flip", "torus", "branch" or "grazing".
    value : float
        Value of the parameter [its unit].
    orbit : Orbit
        The orbit there; for a grazing, the last one before it.
    curve : int
        The curve that it is on, as in `Branch.points`.
    """

    kind: str
    value: float
    orbit: Orbit
    curve: int

    def __repr__(self) -> str:
        return f"<{self.kind} at {self.value:.12g} on curve {self.curve} ({self.orbit.strides} stride(s))>"


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """A table of orbits, one in each row: `points["slope"]` is a column (n,).

    Parameters
    ----------
    columns : mapping of str to (n,) array
        The columns by name.
    """

    columns: Mapping[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise ConfigError(f"there is no column {name!r}{nearest(name, tuple(self.columns))}")
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_frame(self) -> Any:
        """Make a pandas DataFrame; pandas must be installed.

        Returns
        -------
        DataFrame
            The same columns.
        """
        import pandas as pd  # noqa: PLC0415 - an extra that need not be there

        return pd.DataFrame(dict(self.columns))


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """Orbits through a parameter.

    Attributes
    ----------
    parameter : str
        Name of the parameter.
    points : Points
        The orbits in the order in which they were found: columns `curve`, the parameter, `strides`, `period`,
        `stable`, every state, and the multipliers by their sizes, `multiplier_0` (complex) the largest.
    bifurcations : tuple of Bifurcation
        In the order in which they were found.
    complete : bool
        False if it was interrupted.
    """

    parameter: str
    points: Points
    bifurcations: tuple[Bifurcation, ...]
    complete: bool = True


def continue_orbit(
    orbit: Orbit,
    parameter: str,
    *,
    to: float,
    max_period: int | None = None,
    progress: Callable[[float, int], None] | None = None,
) -> Branch:
    """Follow a periodic motion through a parameter, and the branches that leave it where the period doubles.

    The curve is followed round its turning points, until the parameter leaves the range from its present value to `to`.

    Parameters
    ----------
    orbit : Orbit
        The first orbit.
    parameter : str
        Name of a real parameter of the model, or of a state that the strides leave as it is (`Orbit.kept`).
    to : float
        Value at which the branch ends.
    max_period : int, optional
        Branches of doubled period are followed up to this number of strides; by default none.
    progress : callable, optional
        Called with the value of the parameter and the number of strides at every point.

    Returns
    -------
    Branch
        The orbits and bifurcations. Ctrl-C keeps those found so far.

    Raises
    ------
    ConfigError
        If the parameter does not exist, or is no real number.
    """
    _refuse_parameter(orbit, parameter)
    value = orbit.parameters[parameter] if parameter in orbit.parameters else orbit.x[parameter]
    search = _Search(parameter, (float(value), float(to)), max_period or orbit.strides, progress)
    complete = True
    try:
        search.follow_all(orbit)
    except KeyboardInterrupt:
        complete = False
    return Branch(parameter, search.table(), tuple(search.bifurcations), complete)


def _refuse_parameter(orbit: Orbit, parameter: str) -> None:
    names = orbit.model.parameters.names
    if parameter in orbit.kept:
        return
    if parameter not in names:
        raise ConfigError(
            f"{orbit.model.name} has no parameter {parameter!r}{nearest(parameter, (*names, *orbit.kept))}; "
            f"it has {', '.join((*names, *orbit.kept))}"
        )
    record = orbit.model.parameters[names.index(parameter)]
    if record.choices or record.is_array or record.integer:
        raise ConfigError(f"{orbit.model.name}: {parameter} is no real number, so orbits cannot be followed through it")


class _Search:
    """The curves that are followed one after the other, and what was found on them."""

    def __init__(
        self,
        parameter: str,
        limits: tuple[float, float],
        max_period: int,
        progress: Callable[[float, int], None] | None,
    ) -> None:
        self.parameter, self.limits, self.max_period, self.progress = parameter, limits, max_period, progress
        self.bifurcations: list[Bifurcation] = []
        self.rows: list[tuple[int, Curve, CurvePoint]] = []
        self.n_curves = 0

    def follow_all(self, orbit: Orbit) -> None:
        """Follow the curve of an orbit, then those that branch off where the period doubles."""
        curve, point, direction = _first_curve(orbit, self.parameter, self.limits)
        pending = [(curve, curve.correct(point, direction), direction)]
        while pending:
            curve, first, direction = pending.pop(0)
            pending += self._follow(curve, first)

    def _follow(self, curve: Curve, first: CurvePoint) -> list[tuple[Curve, CurvePoint, FloatArray]]:
        """Follow one curve; returns the beginnings of those that branch off."""
        number = self.n_curves
        self.n_curves += 1
        begun: list[tuple[Curve, CurvePoint, FloatArray]] = []
        self.rows.append((number, curve, first))
        last = first

        def goes_on(point: CurvePoint) -> bool:
            nonlocal last
            for kind, where in find_bifurcations(curve, last, point):
                self._note(number, kind, curve, where)
                if kind == "flip" and 2 * curve.problem.return_map.period <= self.max_period:
                    begun.extend(_doubled(curve, where))
                if kind == "branch":
                    begun.extend(_crossing(curve, where))
            last = point
            self.rows.append((number, curve, point))
            if self.progress is not None:
                self.progress(curve.value(point.z), curve.problem.return_map.period)
            low, high = sorted(self.limits)
            return low <= curve.value(point.z) <= high and len(self.rows) < MAX_POINTS

        follow(curve, first, (FIRST_STEP, SHORTEST_STEP, LONGEST_STEP), goes_on)
        return begun

    def _note(self, number: int, kind: str, curve: Curve, point: CurvePoint) -> None:
        value = curve.value(point.z)
        low, high = sorted(self.limits)
        if low <= value <= high:
            self.bifurcations.append(Bifurcation(kind, value, _orbit_at(curve, point), number))

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
            row |= {"period": point.found.duration, "stable": is_stable(point)}
            for i in range(n_multipliers):
                row[f"multiplier_{i}"] = point.multipliers[i] if i < len(point.multipliers) else np.nan
            for name, values in columns.items():
                values.append(row[name])
        return Points({name: np.array(values) for name, values in columns.items()})


def is_stable(point: CurvePoint) -> bool:
    """Return whether all multipliers of an orbit, without those of a family, are less than 1 in size."""
    distances = np.argsort(np.abs(point.multipliers - 1.0))
    return bool((np.abs(point.multipliers[distances[point.family :]]) < 1.0).all())


def _first_curve(orbit: Orbit, parameter: str, limits: tuple[float, float]) -> tuple[Curve, FloatArray, FloatArray]:
    """Return the curve of an orbit, the orbit's point on it, and the direction towards the end of the range."""
    stride_map = StrideMap(orbit.config, orbit.section, () if parameter in orbit.kept else (parameter,))
    return_map = ReturnMap(stride_map, orbit.symmetry, orbit.strides)
    x = orbit.found.x0
    free = orbit.free_states
    sizes, size = sizes_of(return_map(x, orbit.chart))[free.free], abs(limits[1] - limits[0])
    problem = Problem(return_map, orbit.fixed, free, x.copy(), orbit.chart, sizes)
    z = np.append(x[free.free] / sizes, limits[0] / size)
    direction = np.zeros(len(z))
    direction[-1] = np.sign(limits[1] - limits[0])
    return Curve(problem, parameter, size, orbit.family), z, direction


def _doubled(curve: Curve, point: CurvePoint) -> list[tuple[Curve, CurvePoint, FloatArray]]:
    """Return the beginning of the curve of doubled period at a flip: along the eigenvector of the multiplier -1."""
    free = curve.problem.free.free
    values, vectors = np.linalg.eig(point.found.by_state[np.ix_(free, free)])
    vector = vectors[:, np.argmin(np.abs(values + 1.0))].real
    direction = np.append(vector / curve.problem.sizes, 0.0)
    direction /= np.linalg.norm(direction)
    return _begun(curve.of_period(2 * curve.problem.return_map.period), point, direction)


def _crossing(curve: Curve, point: CurvePoint) -> list[tuple[Curve, CurvePoint, FloatArray]]:
    """Return the beginnings of the two halves of a curve that crosses this one."""
    direction = curve.crossing(point)
    return _begun(curve, point, direction) + _begun(curve, point, -direction)


def _begun(curve: Curve, point: CurvePoint, direction: FloatArray) -> list[tuple[Curve, CurvePoint, FloatArray]]:
    """Return the first point of a curve in a direction from a bifurcation; nothing if none is found."""
    for offset in OFFSETS:
        try:
            return [(curve, curve.correct(point.z + offset * direction, direction), direction)]
        except CorrectionError:
            continue
    return []


def _orbit_at(curve: Curve, point: CurvePoint) -> Orbit:
    curve.set_value(curve.value(point.z))
    return orbit_of(curve.problem, point.found, point.family)
