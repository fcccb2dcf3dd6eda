"""Branches as tables: the orbits on their curves, and the bifurcations."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.orbit import Orbit, record_of
from hybridsim.derivatives.matrix import in_columns
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import nearest
from hybridsim.results.tables import data_frame
from hybridsim.simulation.unpacking import provenance_of
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hybridsim.results.branches import BranchRecord


@explains_keywords()
@dataclass(frozen=True, eq=False, repr=False)
class Bifurcation:
    """A value of the parameter at which orbits appear, vanish, or change their stability.

    Parameters
    ----------
    kind : str
        "fold", "flip", "torus", "branch", "grazing" or "hopf".
    value : float
        Value of the parameter [its unit].
    curve : int
        The curve that it is on, as in `Branch.points`.
    strides : int
        Strides of the orbit there; for a grazing, of the last one before it; for a Hopf point, of the smallest one.
    family : int
        Dimension of its family.
    x : (n_states,) array
        Where its strides begin.
    boundary : str
        At a grazing, the boundary that is touched.
    type : str
        Of a flip or torus, "supercritical" if what is born is stable, as far as this bifurcation decides, or
        "subcritical"; of a branch point, "pitchfork" or "transcritical"; of a grazing, what the return map has there:
        "square root", "corner", "kink" or "jump". "" if that is not known; a note of the branch says why.
    side : int
        1 if what is born, or meets, exists for larger values of the parameter, -1 for smaller ones, 0 if not known.
    coefficient : complex
        Coefficient of the normal form, in the sizes of the states; nan if there is none.
    make : callable
        Returns the orbit. That of a branch from a file is computed again, when it is first asked for.
    """

    kind: BifurcationKind
    value: float
    curve: int
    strides: int
    family: int
    x: FloatArray
    boundary: str
    type: BifurcationType
    side: int
    coefficient: complex
    make: Callable[[], Orbit]

    @cached_property
    def orbit(self) -> Orbit:
        """The orbit there; for a grazing, the last one before it."""
        return self.make()

    @property
    def coefficient_parts(self) -> tuple[float, float]:
        """The real and imaginary parts of the coefficient."""
        return self.coefficient.real, self.coefficient.imag

    def __repr__(self) -> str:
        what = " ".join(filter(None, [self.type, self.kind, f"of {self.boundary}" if self.boundary else ""]))
        return f"<{what} at {self.value:.12g} on curve {self.curve} ({self.strides} stride(s))>"


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Points:
    """A table of orbits, one in each row: `points["slope"]` is a column (n,).

    Parameters
    ----------
    columns : mapping of str to (n,) array
        The columns by name.
    visits : (n, most_strides, n_states) array
        The states where the strides of each orbit begin; nan for orbits of fewer strides.
    what : str
        What is in the rows.
    """

    columns: Mapping[str, NDArray[Any]]
    visits: FloatArray = field(default_factory=lambda: np.zeros((0, 0, 0)))
    what: str = "orbits"

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise ConfigError(f"there is no column {name!r}{nearest(name, tuple(self.columns))}")
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        n, half = len(self), ROWS_SHOWN // 2
        rows = range(n) if n <= ROWS_SHOWN else (*range(half), None, *range(n - half, n))
        columns = self.columns.values()
        complex_ones = [np.abs(column).max(initial=0.0) for column in columns if np.iscomplexobj(column)]
        noise = ROUNDING * max(complex_ones, default=0.0)
        lines = (["..." if row is None else _shown(column[row], noise) for column in columns] for row in rows)
        return f"<Points: {n:,} {self.what}>\n{in_columns([[*self.columns], *lines])}"

    def to_frame(self) -> Any:
        """Make a pandas DataFrame.

        Returns
        -------
        DataFrame
            The same columns.

        Raises
        ------
        HybridsimError
            If pandas is not installed.
        """
        return data_frame(self.columns)


ROWS_SHOWN = 10
"""Most rows of a table that are printed."""

ROUNDING = 1e-14
"""Part of the largest multiplier or eigenvalue that is printed as 0."""


def _shown(value: Any, noise: float) -> str:
    """Return a number or a word as a short text, "-" for what is not decided; of complex numbers without noise."""
    if value is np.ma.masked:
        return "-"
    if isinstance(value, str):
        return value
    if np.iscomplexobj(value):
        value = complex(*(0.0 if abs(part) <= noise else part for part in (value.real, value.imag)))
    if isinstance(value, np.bool_ | np.integer):
        return str(value)
    return f"{value.real:.6g}" if not value.imag else f"{value.real:.4g}{value.imag:+.4g}j"


def join(first: Points, second: Points) -> Points:
    """Return two tables as one; multipliers that one of them does not have are nan."""
    names = dict.fromkeys((*first.columns, *second.columns))
    parts = {
        name: [table.columns.get(name, np.full(len(table), np.nan, complex)) for table in (first, second)]
        for name in names
    }
    most = max(first.visits.shape[1], second.visits.shape[1])
    visits = [
        np.pad(table.visits, ((0, 0), (0, most - table.visits.shape[1]), (0, 0)), constant_values=np.nan)
        for table in (first, second)
    ]
    return Points({name: np.concatenate(columns) for name, columns in parts.items()}, np.concatenate(visits))


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """Where a curve is to be followed on.

    Attributes
    ----------
    curve : int
        Its number in the table; -1 if it has no point there yet.
    strides : int
        Strides in a period.
    length : float
        Length of the next step.
    z, tangent : (n + 1,) array
        The point and the direction, in the units of the curves.
    origin : (n + 1,) array
        The bifurcation at which the curve begins; nan if it begins at none.
    """

    curve: int
    strides: int
    length: float
    z: FloatArray
    tangent: FloatArray
    origin: FloatArray


@explains_keywords(max_period="max_strides")
@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """Orbits through a parameter.

    Parameters
    ----------
    parameter : str
        Name of the parameter.
    points : Points
        The orbits in the order in which they were found: columns `curve`, the parameter, `strides`, `period`,
        `stable`, every state, and the multipliers by their sizes, `multiplier_0` (complex) the largest.
    bifurcations : tuple of Bifurcation
        In the order in which they were found.
    orbit : Orbit
        The first orbit.
    to : float
        Value of the parameter at which the branch ends.
    max_strides : int
        Most strides of an orbit.
    pending : tuple of Beginning
        Curves that have not been followed to their ends, as Ctrl-C came before; `resume_branch` goes on there.
    notes : tuple of str
        Where and why curves end within the range, other than at a grazing.
    back_to : float, optional
        Value of the parameter at which the branch ends on the other side, if the orbit was followed both ways.
    """

    parameter: str
    points: Points
    bifurcations: tuple[Bifurcation, ...]
    orbit: Orbit
    to: float
    max_strides: int
    pending: tuple[Beginning, ...] = ()
    notes: tuple[str, ...] = ()
    back_to: float | None = None

    @property
    def complete(self) -> bool:
        """Whether all curves have been followed to their ends."""
        return not self.pending

    def __repr__(self) -> str:
        kinds = Counter(bifurcation.kind for bifurcation in self.bifurcations)
        found = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no bifurcations"
        values = self.points[self.parameter]
        unfinished = "" if self.complete else ", interrupted"
        return (
            f"<Branch of {self.orbit.model.name}: {len(self.points)} orbits, {self.parameter} from {values.min():.9g} "
            f"to {values.max():.9g}, {found}{unfinished}>"
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the branch into a file.

        Parameters
        ----------
        path : path
            The .h5 file; `hybridsim.load_branch` reads it.

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

        path = Path(path)
        write_branch(path, _record_of(self))
        return path

    def plot(self, path: str | os.PathLike[str] | None = None, *names: str, ax: Any = None) -> Figure:
        """Draw columns over the parameter: solid where stable, dashed where not, with the bifurcations.

        Parameters
        ----------
        path : path, optional
            The file of the picture; its suffix (.png, .pdf, .svg) decides the format.
        *names : str
            States, "period", or other columns; by default the first state that varies.
        ax : Axes, or sequence of Axes, optional
            Where to draw, a panel for each name; by default a new figure.

        Returns
        -------
        Figure
            The figure, of matplotlib; notebooks show it.

        Raises
        ------
        ConfigError
            If there is no such column, or the picture cannot be written.
        """
        from hybridsim.plotting import plot_branch  # noqa: PLC0415  (what is not drawn does not load matplotlib)

        return plot_branch(_record_of(self), names, path, ax=ax)


def _record_of(branch: Branch) -> BranchRecord:
    """Return what the file of a branch contains."""
    from hybridsim.results.branches import BIFURCATIONS, PENDING, columns_of  # noqa: PLC0415

    return record_of_points(
        branch.orbit,
        branch.points,
        parameter=branch.parameter,
        to=branch.to,
        back_to=branch.back_to,
        notes=branch.notes,
        max_strides=branch.max_strides,
        bifurcations=columns_of(branch.bifurcations, BIFURCATIONS, len(branch.orbit.x)),
        pending=columns_of(branch.pending, PENDING, len(branch.orbit.free) + 1),
    )


def record_of_points(orbit: Orbit, points: Points, **about: Any) -> BranchRecord:
    """Return what the file of a table of orbits contains, of which one is given; `about` is the rest of the record."""
    from hybridsim.results.branches import BranchRecord  # noqa: PLC0415

    sizes = [name for name in points.columns if name.startswith("multiplier_")]
    return BranchRecord(
        **about,
        model_name=orbit.model.name,
        points={name: values for name, values in points.columns.items() if name not in sizes},
        multipliers=np.array([points[name] for name in sizes], complex).reshape(len(sizes), len(points)).T,
        visits=points.visits,
        states=orbit.model.states.names,
        units=_units(orbit),
        provenance={**provenance_of(orbit.config), "orbit": record_of(orbit)},
    )


def _units(orbit: Orbit) -> dict[str, str]:
    records = (orbit.model.parameters, orbit.model.states)
    return {"period": orbit.characteristics.unit("period")} | {
        each.name: each.unit for some in records for each in some
    }
