"""Stability maps: the largest multiplier of an orbit over two parameters."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.map_rows import (
    LARGEST_COLUMN,
    PERIOD_COLUMN,
    STABLE_CELL,
    STATE_COLUMN,
    UNSTABLE_CELL,
    Cell,
    Followed,
    MapRows,
    metrics_of,
    starts_of,
)
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import key_of, parameter_values, unit_of, value_of
from hybridsim.analysis.return_map import BIFURCATION_DISTANCE, growth_of
from hybridsim.analysis.tables import TableOverTwo, refuse_other_than_two
from hybridsim.config.sweep import Axis, SweepConfig
from hybridsim.errors import explains_keywords
from hybridsim.results.progress import Progress
from hybridsim.sweeps.api import compute_rows
from hybridsim.typing import FloatArray


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class StabilityMap(TableOverTwo):
    """The orbits over two parameters.

    Parameters
    ----------
    axes : mapping of str to (n,) array
        The two parameters, or states that strides leave as they are, with their values [their units].
    largest : (n_first, n_second) array
        Size of the largest multiplier, without those of a family; nan where no orbit was found.
    period : (n_first, n_second) array
        Period [s].
    x : (n_first, n_second, n_states) array
        State on the section.
    states : tuple of str
        Names of the states.
    """

    largest: FloatArray
    period: FloatArray
    x: FloatArray
    states: tuple[str, ...]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Where there is an orbit and it is stable: its largest multiplier is below 1, and not at a bifurcation."""
        return self.largest < 1.0 - BIFURCATION_DISTANCE

    def __repr__(self) -> str:
        spans = [f"{name} = {v.min():.6g} to {v.max():.6g} ({len(v)} values)" for name, v in self.axes.items()]
        return (
            f"<StabilityMap over {' and '.join(spans)}: {np.isfinite(self.largest).sum():,} of {self.largest.size:,} "
            f"orbits found, {self.stable.sum():,} of them stable>"
        )

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        x = {STATE_COLUMN + name: self.x[:, :, i] for i, name in enumerate(self.states)}
        return {LARGEST_COLUMN: self.largest, PERIOD_COLUMN: self.period, **x}


@explains_keywords(threads="workers")
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
        Two real parameters, or states that the strides leave as they are (`Orbit.kept`), and their values [their
        units].
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
    refuse_other_than_two("stability_map", "parameters", axes)
    given = parameter_values(orbit, "stability_map", axes)
    names, values = (*given,), (*given.values(),)
    config = _table_of(orbit, given, tolerance)
    followed = Followed.of(orbit, names)
    here = np.array([value_of(orbit, name) for name in names])
    status = STABLE_CELL if orbit.stable else UNSTABLE_CELL
    first = Cell(here, orbit.found.x0, orbit.period, growth_of(orbit.multipliers, orbit.family), status)
    starts = starts_of(MapRows(config, followed), first, values)
    make = partial(MapRows, followed=followed, starts=starts)
    table = compute_rows(
        config, make, folder=folder, resume=resume, workers=workers, cluster=cluster, progress=progress
    )

    def over_both(name: str) -> FloatArray:
        column: FloatArray = table.column(name).to_numpy()
        return column.reshape(len(values[1]), len(values[0])).T

    x = np.stack([over_both(STATE_COLUMN + name) for name in orbit.model.states.names], axis=-1)
    return StabilityMap(given, over_both(LARGEST_COLUMN), over_both(PERIOD_COLUMN), x, orbit.model.states.names)


def _table_of(orbit: Orbit, axes: Mapping[str, FloatArray], tolerance: float) -> SweepConfig:
    """Return the table of a map as that of a sweep over both parameters; the second one has the rows."""
    factors = [(Axis(key_of(orbit, name), name, unit_of(orbit, name), some),) for name, some in axes.items()][::-1]
    run, settings = orbit.config, orbit.config.orbit
    assert settings is not None
    changed = settings.model_copy(update={"tolerance": tolerance})
    return SweepConfig(
        run=dataclasses.replace(run, stop=(), final_time=run.initial_time + settings.max_time, orbit=changed),
        factors=tuple(factors),
        metrics=metrics_of(orbit.model),
        extra_outputs={},
        extra_outputs_file="",
        block=len(factors[1][0].values),
        data={
            "sweep": {"axes": {axis.key: axis.values.tolist() for (axis,) in factors}},
            "metrics": ["status"],
        },
    )
