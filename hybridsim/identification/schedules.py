"""Parameters that matter at some times only, as the values of a schedule do: intervals read those that act in them.

Whether a parameter acts is seen from derivatives: at states drawn at random, they vanish at the same times.
A parameter whose times depend on the states is read everywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hybridsim.identification.intervals import Grid
from hybridsim.typing import FloatArray, IntArray

MANY_PARAMETERS = 20
"""With fewer parameters all are read everywhere."""

DRAWS = 3
"""How many times states are drawn for each node."""


def parts_of(grid: Grid, z: FloatArray) -> Iterator[tuple[Grid, IntArray]]:
    """Yield grids that read fewer parameters, each with the intervals for which these are all that act."""
    everywhere = np.arange(grid.n_intervals)
    if len(grid.parameters) < MANY_PARAMETERS or grid.field.timed:
        yield grid, everywhere
        return
    patterns, which = np.unique(_active(grid, z), axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        names = tuple(name for name, acts in zip(grid.field.parameters, pattern, strict=True) if acts)
        field = dataclasses.replace(grid.field, parameters=names)
        part = dataclasses.replace(grid, field=field, parameters=grid.parameters[pattern])
        yield part, everywhere[which.ravel() == number]


def _active(grid: Grid, z: FloatArray) -> NDArray[np.bool_]:
    """Return which parameters act in each interval, (n_intervals, n_parameters)."""
    rng, k = np.random.default_rng(0), grid.rule.n_more
    places = np.concatenate([grid.places, 0.5 * (grid.places[:-1:k] + grid.places[k::k])])
    states, found = z[grid.nodes], []
    sizes = np.abs(states).max(axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    shared = np.tile(z[grid.parameters], (len(places), 1))
    for _ in range(DRAWS):
        drawn = states[rng.integers(len(states), size=len(places))] + 0.1 * sizes * rng.normal(
            size=(len(places), states.shape[1])
        )
        rows = np.concatenate([drawn, shared], axis=1)
        _, by = grid.field("vector_field", grid.begin + grid.duration * places, rows, grid.chart)
        found.append((by[:, :, grid.field.slices[2]] != 0.0).any(axis=1))
    acts = np.logical_or.reduce(found)
    acts[:, ~(np.array(found) == acts).all(axis=(0, 1))] = True  # not by time alone
    nodes, middles = acts[: len(grid.places)], acts[len(grid.places) :]
    at = grid.of_intervals(np.arange(grid.n_intervals))
    return np.asarray(nodes[at].any(axis=1) | middles)
