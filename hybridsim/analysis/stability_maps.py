"""Stability maps: the largest multiplier of an orbit over two parameters."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hybridsim.analysis.branch import refuse_end, refuse_parameter
from hybridsim.analysis.finding import refuse_other_rhythm
from hybridsim.analysis.map_rows import (
    LARGEST,
    PERIOD,
    STABLE,
    STATE,
    UNSTABLE,
    Cell,
    Followed,
    MakeRows,
    MapRows,
    metrics_of,
    starts_of,
)
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.return_map import AT_BIFURCATION, growth_of
from hybridsim.config.sweep import Axis, SweepConfig
from hybridsim.errors import ConfigError
from hybridsim.results.files import replacing
from hybridsim.results.progress import Progress
from hybridsim.sweeps.api import compute_rows
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class StabilityMap:
    """The orbits over two parameters.

    Parameters
    ----------
    axes : mapping of str to (n,) array
        The two parameters, with their values [their units].
    largest : (n_first, n_second) array
        Size of the largest multiplier, without those of a family; nan where no orbit was found.
    period : (n_first, n_second) array
        Period [s].
    x : (n_first, n_second, n_states) array
        State on the section.
    """

    axes: Mapping[str, FloatArray]
    largest: FloatArray
    period: FloatArray
    x: FloatArray

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Where there is an orbit and it is stable: its largest multiplier is below 1, and not at a bifurcation."""
        return self.largest < 1.0 - AT_BIFURCATION

    def __repr__(self) -> str:
        spans = [f"{name} = {v.min():.6g} to {v.max():.6g} ({len(v)} values)" for name, v in self.axes.items()]
        return (
            f"<StabilityMap over {' and '.join(spans)}: {np.isfinite(self.largest).sum():,} of {self.largest.size:,} "
            f"orbits found, {self.stable.sum():,} of them stable>"
        )

    def save(self, path: str | os.PathLike[str], states: Sequence[str]) -> Path:
        """Write the map as a Parquet file: a row for each pair of values.

        Parameters
        ----------
        path : str or path
            The file.
        states : sequence of str
            Names of the states, for the columns.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        path = Path(path)
        first, second = np.meshgrid(*self.axes.values(), indexing="ij")
        columns = dict(zip(self.axes, (first.ravel(), second.ravel()), strict=True))
        columns |= {LARGEST: self.largest.ravel(), PERIOD: self.period.ravel()}
        columns |= {STATE + name: self.x[:, :, i].ravel() for i, name in enumerate(states)}
        with replacing(path, remedy="make room, or choose another file") as temporary:
            pq.write_table(pa.table(columns), temporary)
        return path


def stability_map(
    orbit: Orbit,
    axes: Mapping[str, Sequence[float]],
    *,
    tolerance: float = 1e-10,
    workers: int | None = None,
    cluster: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress = None,
) -> StabilityMap:
    """Follow an orbit over a grid of two parameters, and tell how stable it is.

    The orbit is followed along the second parameter first; from there each row, the values of the first parameter at
    one value of the second, is followed for itself, until the orbit is lost. So the rows are computed as those of a
    sweep: by several processes or a cluster, with the same results, and resumable in a folder.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    axes : mapping of str to sequence of float
        Two real parameters, and their values [their units].
    tolerance : float
        As in `find_orbit`.
    workers : int, optional
        Number of processes; by default one for each processor, and only this one for a model that has no file.
    cluster : str, optional
        Address of a Dask scheduler, used instead of processes.
    folder : str or path, optional
        Folder in which finished rows are kept, as those of a sweep.
    resume : bool
        Whether to continue with rows that are in the folder.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the number of finished pairs of values and the counts of their statuses.

    Returns
    -------
    StabilityMap
        The largest multiplier, the period and the state.

    Raises
    ------
    ConfigError
        If there are not two parameters, or one does not exist or cannot have such a value.
    KeyboardInterrupt
        If Ctrl-C ended the computation; rows in the folder are kept.
    """
    names, values = _checked(orbit, axes)
    config = _table_of(orbit, names, values, tolerance)
    followed = Followed.of(orbit, names)
    here = np.array([float(orbit.parameters[name]) for name in names])
    first = Cell(here, orbit.found.x0, orbit.period, growth_of(orbit.multipliers, orbit.family), _status(orbit))
    starts = starts_of(MapRows(config, followed), first, values)
    table = compute_rows(
        config, MakeRows(followed, starts), folder=folder, resume=resume, workers=workers, cluster=cluster,
        progress=progress,
    )  # fmt: skip

    def over_both(name: str) -> FloatArray:
        column: FloatArray = table.column(name).to_numpy()
        return column.reshape(len(values[1]), len(values[0])).T

    x = np.stack([over_both(STATE + name) for name in orbit.model.states.names], axis=-1)
    return StabilityMap(dict(zip(names, values, strict=True)), over_both(LARGEST), over_both(PERIOD), x)


def _status(orbit: Orbit) -> str:
    return STABLE if orbit.stable else UNSTABLE


def _checked(orbit: Orbit, axes: Mapping[str, Sequence[float]]) -> tuple[tuple[str, str], list[FloatArray]]:
    names, values = tuple(axes), [np.asarray(value, float) for value in axes.values()]
    if len(names) != 2 or not all(name in orbit.model.parameters.names for name in names):
        raise ConfigError(f"stability_map: expected two parameters of {orbit.model.name}, found {', '.join(names)}")
    for name, some in zip(names, values, strict=True):
        refuse_parameter(orbit, name)
        if some.ndim != 1 or not len(some) or not np.isfinite(some).all():
            raise ConfigError(f"stability_map: {name}: expected finite numbers; give a list of them")
        refuse_other_rhythm(orbit, name, float(np.ptp(some)))
        for end in (some.min(), some.max()):
            refuse_end(orbit, "stability_map", name, float(end))
    return (names[0], names[1]), values


def _table_of(orbit: Orbit, names: tuple[str, str], values: Sequence[FloatArray], tolerance: float) -> SweepConfig:
    """Return the table of a map as that of a sweep over both parameters; the second one has the rows."""
    units = {parameter.name: parameter.unit for parameter in orbit.model.parameters}
    pairs = list(zip(names, values, strict=True))[::-1]
    run, settings = orbit.config, orbit.config.orbit
    assert settings is not None
    changed = settings.model_copy(update={"tolerance": tolerance})
    return SweepConfig(
        run=dataclasses.replace(run, stop=(), final_time=run.initial_time + settings.max_time, orbit=changed),
        factors=tuple((Axis(f"parameters.{name}", name, units[name], some),) for name, some in pairs),
        metrics=metrics_of(orbit.model),
        extra_outputs={},
        extra_outputs_file="",
        block=len(values[0]),
        data={
            "sweep": {"axes": {f"parameters.{name}": some.tolist() for name, some in pairs}},
            "metrics": ["status"],
        },
    )
