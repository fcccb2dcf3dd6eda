"""Misfits: by how much measured quantities differ from the data."""

from __future__ import annotations

import numpy as np

from hybridsim.identification.field import Quantities
from hybridsim.identification.intervals import Grid, OnGrid, Weights
from hybridsim.identification.schemes import Rule
from hybridsim.identification.terms import Terms, Values
from hybridsim.typing import FloatArray, IntArray


class Samples(OnGrid):
    """By how much measured quantities differ from the data, in units of what the data are worth.

    Parameters
    ----------
    grid : Grid
        The grid.
    quantities : Quantities
        What is measured.
    t : (n,) array
        When [s].
    data, scale : (n, n_quantities) array
        What was measured, not a number where nothing was; and by what differences are multiplied.
    at : tuple of float
        Beginning and duration of the phase now, which say in which interval a sample is.
    """

    of_functions = ("places", "t", "data", "scale")

    def __init__(
        self,
        grid: Grid,
        quantities: Quantities,
        t: FloatArray,
        data: FloatArray,
        scale: FloatArray,
        at: tuple[float, float],
    ) -> None:
        place = (t - at[0]) / at[1]
        starts = grid.places[:: grid.rule.n_more]
        inside = np.clip(np.searchsorted(starts, place, side="right") - 1, 0, grid.n_intervals - 1)
        super().__init__(grid, inside)
        self.quantities, self.t, self.n_rows = quantities, t, len(quantities.names)
        measured = np.isfinite(data)
        self.data, self.scale = np.where(measured, data, 0.0), np.where(measured, scale, 0.0)

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        t, rows, by = self._inside(values)
        found, by_variables = self.quantities(t, rows, self.grid.chart)
        return self.scale * (found - self.data), (self.scale[..., None] * by_variables) @ by

    def _inside(self, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return times, variables and derivatives where the samples are in their intervals."""
        begin, duration = self.phase_times(values)
        h, after = duration * self.lengths, self.t[:, None] - self.grid.begin - begin
        part = ((after / duration - self.places[:, :1]) / self.lengths)[:, 0]
        slopes = self.slopes(values, all_nodes=self.grid.rule.n_more == 1)
        states, rates = interpolation(self.grid.rule, part, self.places)
        t, rows, by = self.between(values, part, states, slopes)
        if self.grid.field.timed:  # a sample keeps its time, and moves in its interval as the phase begins later
            _, moving, _ = self.between(values, part, rates, slopes)
            n, k = self.grid.field.n_states, self.grid.nodes.shape[1]
            if self.grid.rule.n_more == 1:  # inputs are on straight lines
                moving[:, n:k] = values[:, self._own[1, n:]] - values[:, self._own[0, n:]]
            by[:, :k, -2] -= moving[:, :k] / h
            by[:, :k, -1] -= moving[:, :k] / h * after / duration
            by[:, -1] = 0.0
        return t, rows, by


class SamplesAtNodes(Terms):
    """Samples that are at nodes: each reads one node, and parameters where outputs are measured.

    Parameters
    ----------
    grid, quantities, t, data, scale
        As of `Samples`.
    nodes : (n,) array
        The nodes.
    """

    of_functions = ("t", "data", "scale")

    def __init__(
        self, grid: Grid, quantities: Quantities, t: FloatArray, data: FloatArray, scale: FloatArray, nodes: IntArray
    ) -> None:
        self.grid, self.quantities, self.t, self.n_rows = grid, quantities, t, len(quantities.names)
        self._n = grid.nodes.shape[1]
        self._with_outputs = not {*quantities.names} <= {*grid.field.variables[: self._n]}
        shared = np.tile(grid.parameters, (len(t), 1))
        self.index = np.concatenate([grid.nodes[nodes], shared], axis=1) if self._with_outputs else grid.nodes[nodes]
        measured = np.isfinite(data)
        self.data, self.scale = np.where(measured, data, 0.0), np.where(measured, scale, 0.0)

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        rows = values
        if not self._with_outputs:
            rows = np.concatenate([values, np.zeros((len(values), len(self.grid.parameters)))], axis=1)
        found, by = self.quantities(self.t, rows, self.grid.chart)
        return self.scale * (found - self.data), self.scale[..., None] * by[..., : values.shape[1]]


def samples_of(
    grid: Grid, quantities: Quantities, t: FloatArray, data: FloatArray, scale: FloatArray, at: tuple[float, float]
) -> Samples | SamplesAtNodes:
    """Return the misfits of samples in a phase; for the arguments see `Samples`."""
    if not grid.field.timed:
        place, spacing = (t - at[0]) / at[1], float(np.diff(grid.places).min())
        nodes = np.clip(np.searchsorted(grid.places, place - 0.5 * spacing), 0, len(grid.places) - 1)
        if (np.abs(grid.places[nodes] - place) <= NODE_TOLERANCE * spacing).all():
            return SamplesAtNodes(grid, quantities, t, data, scale, nodes)
    return Samples(grid, quantities, t, data, scale, at)


NODE_TOLERANCE = 1e-9
"""Distance from a node, in intervals, of a sample that is there."""


def interpolation(rule: Rule, part: FloatArray, places: FloatArray) -> tuple[Weights, Weights]:
    """Return weights of states and slopes at parts of intervals, and of their derivatives by the part.

    Between two nodes these are Hermite's cubic; of more, Lagrange's polynomial through all.
    """
    s, zero = part, np.zeros((len(part), rule.n_more + 1))
    if rule.n_more == 1:
        states = np.column_stack([(1 + 2 * s) * (1 - s) ** 2, s**2 * (3 - 2 * s)])
        slopes = np.column_stack([s * (1 - s) ** 2, s**2 * (s - 1)])
        rates = np.column_stack([6 * s * (s - 1), 6 * s * (1 - s)])
        of_slopes = np.column_stack([(1 - s) * (1 - 3 * s), s * (3 * s - 2)])
        return (states, slopes), (rates, of_slopes)
    nodes = (places[0] - places[0, 0]) / (places[0, -1] - places[0, 0])
    basis = [np.polynomial.Polynomial.fromroots(np.delete(nodes, i)) for i in range(len(nodes))]
    basis = [each / each(node) for each, node in zip(basis, nodes, strict=True)]
    states = np.column_stack([each(s) for each in basis])
    return (states, zero), (np.column_stack([each.deriv()(s) for each in basis]), zero)
