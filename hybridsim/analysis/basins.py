"""Basins of attraction: which initial states come to which orbit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import finite_numbers, problem_of
from hybridsim.analysis.return_map import sizes_of
from hybridsim.analysis.tables import TableOverTwo, refuse_other_than_two
from hybridsim.engine.methods import Tableau
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import nearest
from hybridsim.results.progress import Progress
from hybridsim.sweeps import sweep
from hybridsim.typing import FloatArray, IntArray, Method

FALL_LABEL, ELSEWHERE_LABEL = -1, -2
"""Labels of initial states from which a stride does not end on the section, and that come to none of the orbits."""

PERIODS_PER_STRIDE = 20.0
"""A run is given up when its strides take this many times as long as those of the orbit."""


INDEPENDENCE_TOLERANCE = 1e-6
"""Singular values below this are zero: two states that are tied on the section."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class Basin(TableOverTwo):
    """Which initial states come to which orbit.

    Parameters
    ----------
    axes : mapping of str to (n,) array
        The two states that vary, with their values [their units].
    labels : (n_first, n_second) int array
        The index of the orbit that is reached; -1 if a stride does not end on the section (a fall), -2 if the motion
        comes to none of the orbits.
    strides : int
        Strides that were made.
    """

    labels: IntArray
    strides: int

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        return {"orbit": self.labels}


@explains_keywords(threads="workers", period="strides")
def basin(
    orbits: Orbit | Sequence[Orbit],
    axes: Mapping[str, Sequence[float]],
    *,
    strides: int = 20,
    distance: float = 1e-2,
    method: Method | Tableau = "dp5",
    rtol: float = 1e-6,
    atol: float = 1e-8,
    workers: int | None = None,
    cluster: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress = None,
) -> Basin:
    """Find out which initial states on the section come to an orbit.

    The initial states lie on the plane that touches the section at the first orbit: two of its states take all pairs of
    values, and the others follow as nearly as the plane allows. The runs are those of a sweep: compiled, on all cores
    or a cluster, and resumable in a folder.

    Parameters
    ----------
    orbits : Orbit or sequence of Orbit
        Orbits of one model with the same parameters and section.
    axes : mapping of str to sequence of float
        Two free states, and their values: {"theta": numpy.linspace(0.1, 0.3, 200), "thetadot": ...}.
    strides : int
        Strides of each run.
    distance : float
        How near an orbit a run must end to belong to it, relative to the sizes of the states.
    method : {"dp5", "dop853", "tsit5"}
        Integration method.
    rtol, atol : float
        Error tolerances of a step.
    workers : int, optional
        Number of threads; by default one for each processor.
    cluster : str, optional
        Address of a Dask scheduler, used instead of threads.
    folder : str or path, optional
        Folder in which finished rows are kept, as those of a sweep.
    resume : bool
        Whether to continue with rows that are in the folder.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the number of finished rows and the counts of their statuses.

    Returns
    -------
    Basin
        A label for each pair of values.

    Raises
    ------
    ConfigError
        If a state is not free, or there are not two of them.
    """
    orbits = (orbits,) if isinstance(orbits, Orbit) else tuple(orbits)
    first = orbits[0]
    _refuse_axes(first, axes)
    names = first.model.states.names
    given = {name: finite_numbers("basin", name, some) for name, some in axes.items()}
    starts = _starts(first, given)
    table = sweep(
        first.model,
        zip={f"initial.{name}": starts[:, i].tolist() for i, name in enumerate(names)},
        metrics={"ended": "status", **{f"final_{name}": f"final({name})" for name in names}},
        parameters=dict(first.parameters),
        inputs=dict(first.config.inputs),
        stop=[(first.section.boundary, strides)],
        final_time=PERIODS_PER_STRIDE * strides * first.period / first.strides,
        method=method,
        rtol=rtol,
        atol=atol,
        workers=workers,
        cluster=cluster,
        folder=folder,
        resume=resume,
        progress=progress,
    )
    ends = np.column_stack([table.column(f"final_{name}").to_numpy() for name in names])
    stopped = np.array(table.column("ended").to_pylist()) == "STOPPED"
    labels = _labels(orbits, ends, stopped, distance)
    return Basin(given, labels.reshape([len(some) for some in given.values()]), strides)


def _refuse_axes(orbit: Orbit, axes: Mapping[str, Sequence[float]]) -> None:
    for name in axes:
        if name not in orbit.free:
            raise ConfigError(
                f"basin: {name!r} is not a free state{nearest(name, orbit.free)}: {', '.join(orbit.free)}"
            )
    refuse_other_than_two("basin", "states", axes)
    if orbit.section.boundary is None or orbit.symmetry.negate or orbit.symmetry.swap:
        raise ConfigError(
            "basin: expected an orbit with a section at a boundary and without a symmetry; find it with such a section"
        )


def _starts(orbit: Orbit, axes: Mapping[str, FloatArray]) -> FloatArray:
    """Return the initial states, (n, n_states): on the plane that touches the section at the orbit."""
    found, free = orbit.found, orbit.free_states.free
    sizes = sizes_of(found)[free]
    last = found.strides[-1].by_state[np.ix_(free, free)] * sizes / sizes[:, None]
    plane = np.linalg.svd(last)[0][:, : len(orbit.multipliers)]  # directions in which strides end
    chosen = [orbit.free.index(name) for name in axes]
    if np.linalg.matrix_rank(plane[chosen], tol=INDEPENDENCE_TOLERANCE) < len(chosen):
        raise ConfigError(f"basin: {' and '.join(axes)} do not vary independently on the section; choose other states")
    grid = np.stack(np.meshgrid(*axes.values(), indexing="ij"), axis=-1).reshape(-1, len(axes))
    x0 = found.x0
    offsets = (grid - x0[free[chosen]]) / sizes[chosen]
    moves = (plane @ np.linalg.pinv(plane[chosen]) @ offsets.T).T
    moves[:, chosen] = offsets
    starts = np.tile(x0, (len(grid), 1))
    starts[:, free] += moves * sizes
    return starts


def _labels(orbits: Sequence[Orbit], ends: FloatArray, stopped: Any, distance: float) -> IntArray:
    labels = np.where(stopped, ELSEWHERE_LABEL, FALL_LABEL)
    for number, orbit in enumerate(orbits):
        free, sizes = orbit.free_states.free, sizes_of(orbit.found)
        groups = problem_of(orbit, ()).return_map.groups
        for stride in orbit.found.strides:
            apart = ends - stride.x if groups is None else groups.across(ends - stride.x)
            miss = np.abs(apart[:, free]) / sizes[free]
            labels[stopped & (miss.max(axis=1) < distance)] = number
    return labels
