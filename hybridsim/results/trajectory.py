"""A whole solution on hybrid time (t, j): its rows, its events, and the states between the rows."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.extension import rise_at
from hybridsim.errors import SimulationError, explains_keywords, refuse_other_word
from hybridsim.model import list_names, nearest
from hybridsim.results.run_data import RunData
from hybridsim.results.saving import save_run
from hybridsim.results.tables import data_frame, dataset
from hybridsim.typing import FloatArray, Format, IntArray, Jumps, Side


@explains_keywords()
class Trajectory(RunData):
    """A run: n rows in order of (t, j), its events, and how it ended.

    `run[name]` is the column (n,) of a state, output or input; of a block with N entries (n, N), `run["phi"]`, and
    `run["phi[3]"]` is one of them.

    Parameters
    ----------
    model_name : str
        Name of the model.
    states, outputs : Records
        Names, units and documentation of the columns of `x` and `y`.
    boundaries : tuple of str
        Names of the model's boundaries.
    charts : mapping of int to str
        Numbers and names of the charts that occur.
    parameters : mapping of str
        Values used, by name.
    t : (n,) array
        Times [s]; a jump has two rows at one time, before and after.
    j : (n,) array of int
        Numbers of jumps so far.
    chart : (n,) array of int
        Numbers of the charts.
    adjacent_chart, surface : (n,) array of int
        While the state slides along the common boundary of two charts, the number of the second chart and the index
        of that boundary; -1 elsewhere.
    sliding_weight : (n,) array
        While the state slides, the weight of the first chart's vector field and outputs; 1.0 elsewhere.
    certificate : (n,) array of int or None
        How the step that begins at a row was searched for crossings: 0 time, 1 sampled, 2 bounded, 3 exact, -1 if
        there was nothing to search; None unless every step was recorded.
    x : (n, n_states) array
        States.
    y : (n, n_outputs) array
        Recorded outputs.
    xdot : (n, n_states) array or None
        Slopes at the rows [state unit/s], for Hermite interpolation; None if there is an `extension`.
    extension : (n, degree, n_states) array or None
        From row i on, x(t) = x[i] + sum_d extension[i, d] theta^(d+1) with theta = (t - t[i]) / step[i]. Zero in rows
        from which no step begins: the last, and those before a jump. None unless every step was recorded.
    step : (n,) array or None
        Lengths of the steps [s], 0 where none begins; None unless every step was recorded.
    events : Events
        The events in order; those that `record.events` asks for.
    status : Status
        Why the run ended.
    message : str
        The same with the names and numbers of this run.
    statistics : mapping of str to float
        Counts of steps, rejected steps, calls and events, by how they were found; `wall_time` [s].
    provenance : mapping of str
        What determined the run: the resolved config, versions, and the hashes of the plug-in and of its files.
    inputs : InputHistory
        Values of the inputs, and their changes.
    chart_fields : mapping of str to tuple of str
        For charts that are bit fields, the names of the bits of each field, lowest first; {} for other charts.
    plots : tuple of str
        What `hybridsim plot` draws by default; () for the first outputs.
    """

    __slots__ = ()

    def chart_intervals(self, name: str = "chart") -> dict[str, FloatArray]:
        """Find when the run was in each chart, or when each bit of a chart field was set.

        Parameters
        ----------
        name : str
            "chart", or one of `chart_fields`.

        Returns
        -------
        dict of str to (k, 2) array
            Beginnings and ends [s] in order, by the name of a chart (`a|b` for a slide between two) or of a bit.
            Charts come in the order of their numbers, without those that last no time; of a field all bits come, the
            lowest first. While a run slides, the bits are those of the chart that it came from.

        Raises
        ------
        SimulationError
            If `name` is neither "chart" nor a chart field.
        """
        if name == "chart":
            return self._intervals_of_charts()
        if name not in self.chart_fields:
            known = ["chart", *self.chart_fields]
            raise SimulationError(
                f"the run has no chart field {name!r}{nearest(name, known)}; it has {list_names(known, name)}"
            )
        fields = [*self.chart_fields]
        first = sum(len(self.chart_fields[field]) for field in fields[: fields.index(name)])
        return {
            bit: _intervals(self.t, (self.chart >> (first + place) & 1) == 1)
            for place, bit in enumerate(self.chart_fields[name])
        }

    def _intervals_of_charts(self) -> dict[str, FloatArray]:
        found = {}
        self._refuse_unknown(np.flatnonzero(np.diff(self.t) > 0.0))
        for pair in np.unique(np.stack([self.chart, self.adjacent_chart], axis=1), axis=0).tolist():
            name = "|".join(self.charts[number] for number in pair if number >= 0)
            intervals = _intervals(self.t, (self.chart == pair[0]) & (self.adjacent_chart == pair[1]))
            if len(intervals):
                found[name] = intervals
        return found

    def _refuse_unknown(self, rows: IntArray) -> None:
        """Refuse what happens between these rows and the next ones if jumps between them have been left out."""
        gaps = rows[self.j[rows + 1] > self.j[rows]]
        if len(gaps):
            begin, end = (float(self.t[gaps[0] + more]) for more in (0, 1))
            raise SimulationError(
                f"the run is not known between t = {begin!r} and {end!r}: `record.events` has left out events there; "
                "record every step (`record: true`), or all events"
            )

    def at(self, t: float | Sequence[float] | FloatArray, side: Side = "after") -> FloatArray:
        """Evaluate the state at any time.

        If every step was recorded, the state is that of the engine's own continuous extension, otherwise that of the
        cubic Hermite polynomial between rows.

        Parameters
        ----------
        t : float or (m,) array
            Times [s].
        side : {"after", "before"}
            Which state to take at the time of a jump.

        Returns
        -------
        (n_states,) or (m, n_states) array
            The state, or one for each time.

        Raises
        ------
        SimulationError
            If a time is outside the run, or `side` is unknown.
        """
        times = np.asarray(t, dtype=float)
        rows = self.row_at(times, side)
        x = self._interpolate(np.atleast_1d(rows), np.atleast_1d(times))
        return x[0] if times.ndim == 0 else x

    def save(self, path: str | os.PathLike[str], formats: Collection[Format] | None = None) -> list[Path]:
        """Write the run: into one file, or into the files that the command line writes.

        Parameters
        ----------
        path : path
            A name that ends in .h5, which `hybridsim.load_run` reads, or in .csv: this file is written. Without an
            ending: what the names of several files begin with. Folders that do not exist are made.
        formats : collection of {"simsect", "hdf5", "csv"}, optional
            For a name without an ending, the kinds of files: `simsect` (.data, .initial, .param), `hdf5` (.h5) and
            `csv` (.csv); the first two by default.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        ConfigError
            If the ending or a format is unknown, or a file cannot be written.
        """
        return save_run(self, path, formats)

    def html(self, path: str | os.PathLike[str], **options: Any) -> Path:
        """Write one file that plays the run in a browser, without a server or a network.

        Parameters
        ----------
        path : path
            A file ending in .html.
        **options : object
            Options of `hybridsim.viewer.ViewOptions`, such as `speed=0.25`.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file does not end in .html, an option is not allowed, or the model has no scene.
        """
        viewer = import_module("hybridsim.viewer")  # by its name: it stands above, and knows this class
        written: Path = viewer.write_html(self, path, viewer.ViewOptions(**options))
        return written

    def to_pandas(self, jumps: Jumps = "both") -> Any:
        """Make a pandas DataFrame of the rows: t, j, chart, and all states, outputs and inputs.

        Parameters
        ----------
        jumps : {"both", "before", "after"}
            Which rows to take where several have one time: all, the first, or the last.

        Returns
        -------
        DataFrame
            One row per row of the run; `attrs["units"]` has the units.

        Raises
        ------
        SimulationError
            If `jumps` is unknown.
        HybridsimError
            If pandas is not installed.
        """
        return data_frame(self.table(jumps), units=_units(self))

    def to_xarray(self, jumps: Jumps = "both") -> Any:
        """Make an xarray Dataset of the rows, with units and documentation as attributes.

        Parameters
        ----------
        jumps : {"both", "before", "after"}
            As of `to_pandas`.

        Returns
        -------
        Dataset
            States, outputs and inputs along the dimension `row`, whose coordinates are t, j and chart.

        Raises
        ------
        SimulationError
            If `jumps` is unknown.
        HybridsimError
            If xarray is not installed.
        """
        units, docs = _units(self), {record.name: record.doc for record in self.records()}
        table = self.table(jumps)
        about: dict[str, dict[str, Any]] = {
            name: {"units": units.get(name, ""), "long_name": docs.get(name, name)} for name in table
        }
        about["chart"]["names"] = [f"{number}: {name}" for number, name in self.charts.items()]
        described = {"model": self.model_name, "status": self.status.name, **self.parameters}
        return dataset("row", table, about, described)

    def row_at(self, t: float | Sequence[float] | FloatArray, side: Side = "after") -> IntArray:
        """Find the row at or before each time, with the chart and j of that time.

        Parameters
        ----------
        t : float or (m,) array
            Times [s].
        side : {"after", "before"}
            Of several rows at one time, take the last or the first.

        Returns
        -------
        int or (m,) array of int
            Indices of rows.

        Raises
        ------
        SimulationError
            If a time is outside the run, or `side` is unknown.
        """
        refuse_other_word("side", side, Side, SimulationError)
        times = np.asarray(t, dtype=float)
        outside = ~((times >= self.t[0]) & (times <= self.t[-1]))
        if outside.any():
            raise SimulationError(
                f"t = {float(times[outside].flat[0])!r} lies outside the run, "
                f"which goes from {float(self.t[0])!r} to {float(self.t[-1])!r}"
            )
        if side == "after":
            return np.asarray(np.searchsorted(self.t, times, side="right") - 1)
        first = np.searchsorted(self.t, times, side="left")
        return np.where(self.t[first] == times, first, first - 1)

    def _interpolate(self, rows: IntArray, times: FloatArray) -> FloatArray:
        x = self.x[rows].copy()
        inside = times > self.t[rows]
        i, t = rows[inside], times[inside]
        self._refuse_unknown(i)
        if self.extension is not None and self.step is not None:
            x[inside] += rise_at(self.extension[i], (t - self.t[i]) / self.step[i])
        elif self.xdot is None and inside.any():
            raise SimulationError("the run has no states between its rows; record them with record.states: true")
        elif self.xdot is not None:
            x[inside] = hermite(self.t, self.x, self.xdot, i, t)
        return x


def _units(run: RunData) -> dict[str, str]:
    """Return the units of the columns of a table, by name."""
    return {"t": "s"} | {record.name: record.unit for record in reversed(run.records())}


def _intervals(t: FloatArray, held: NDArray[np.bool_]) -> FloatArray:
    """Return the intervals (k, 2) [s] on which `held` (n,) is true; row i is valid until row i + 1."""
    edges = np.diff(held.astype(np.int8), prepend=0, append=0)
    begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    intervals: FloatArray = np.stack([t[begins], t[np.minimum(ends, len(t) - 1)]], axis=1)
    return intervals[intervals[:, 1] > intervals[:, 0]]


def hermite(t: FloatArray, x: FloatArray, xdot: FloatArray, i: IntArray, times: FloatArray) -> FloatArray:
    """Evaluate the cubic Hermite polynomials through x[i] and x[i+1] with their slopes, at times between them."""
    width = (t[i + 1] - t[i])[:, None]
    s = (times - t[i])[:, None] / width
    rise = x[i + 1] - x[i]
    bend_0, bend_1 = width * xdot[i] - rise, width * xdot[i + 1] - rise
    result: FloatArray = x[i] + s * (rise + (1.0 - s) * ((1.0 - s) * bend_0 - s * bend_1))
    return result
