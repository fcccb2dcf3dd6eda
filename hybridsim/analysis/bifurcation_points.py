"""A curve of bifurcations over two parameters, as a table that can be kept and drawn."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybridsim.analysis.diagram import Points, record_of_points
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.special_points import SpecialPoint
from hybridsim.errors import explains_keywords

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hybridsim.results.branches import BranchRecord


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class BifurcationPoints(Points):
    """A table of orbits at a bifurcation, over two parameters.

    Parameters
    ----------
    columns : mapping of str to (n,) array
        The columns by name: `kind`, which is that of the bifurcation or of a special point, both parameters, `period`,
        the states, and `multiplier_0`, ... by their sizes. On a curve of tori, `kind` is "neutral saddle" where the two
        multipliers whose product is 1 are real: no bifurcation.
    visits : (n, most_strides, n_states) array
        Empty.
    what : str
        What is in the rows.
    orbit : Orbit
        The orbit from which the curve was followed.
    parameters : (str, str)
        The two parameters.
    special : tuple of SpecialPoint
        The special points, in the order of the table.
    notes : tuple of str
        Where and why the curve ends, other than at the ends of its range.
    """

    orbit: Orbit
    parameters: tuple[str, str]
    special: tuple[SpecialPoint, ...] = ()
    notes: tuple[str, ...] = ()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the curve into a file, which `hybridsim plot` draws.

        Parameters
        ----------
        path : path
            The .h5 file; `hybridsim.load_bifurcations` reads it.

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

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Figure:
        """Draw the curve in the plane of both parameters, with its special points.

        Parameters
        ----------
        path : path, optional
            The file of the picture; its suffix (.png, .pdf, .svg) decides the format.
        ax : Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        Figure
            The figure, of matplotlib; notebooks show it.

        Raises
        ------
        ConfigError
            If the picture cannot be written.
        """
        from hybridsim.plotting import plot_bifurcations  # noqa: PLC0415  (what is not drawn does not load matplotlib)

        return plot_bifurcations(self._record(), path, ax=ax)

    def _record(self) -> BranchRecord:
        first, second = self.parameters
        about = {"parameter": second, "first_parameter": first, "to": float(self[second][-1]), "notes": self.notes}
        return record_of_points(
            self.orbit, self, back_to=None, max_strides=1, bifurcations={}, pending={}, what="bifurcations", **about
        )

    def __repr__(self) -> str:
        kinds = Counter(point.kind for point in self.special)
        found = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no special points"
        return f"{Points.__repr__(self)}\n{found}"
