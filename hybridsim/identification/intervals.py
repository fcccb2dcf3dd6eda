"""Terms of the intervals of a phase: defects of the equations of motion, costs, limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsim.identification.field import Field, Quantities
from hybridsim.identification.schemes import Rule
from hybridsim.identification.terms import Terms, Values
from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The nodes of a phase, and the unknowns at them.

    Attributes
    ----------
    field : Field
        The model.
    rule : Rule
        The rule that joins nodes.
    chart : int
        The chart of the phase.
    places : (n_nodes,) array
        Where the nodes are, from 0 to 1.
    nodes : (n_nodes, n_states + n_inputs) array
        The unknowns that are states and inputs at each node.
    parameters : (n_parameters,) array
        The unknowns that are parameters.
    times : (2,) array
        The unknowns that are the beginning of the phase, from that of the motion on, and its duration, read where times
        are free.
    begin : float
        The beginning of the motion [s].
    duration : float
        Of the phase [s], where times are not free: there is one phase alone.
    """

    field: Field
    rule: Rule
    chart: int
    places: FloatArray
    nodes: IntArray
    parameters: IntArray
    times: IntArray
    begin: float
    duration: float

    @property
    def n_intervals(self) -> int:
        """The number of intervals."""
        return (len(self.places) - 1) // self.rule.n_more

    def of_intervals(self, chosen: IntArray) -> IntArray:
        """Return the nodes of some intervals, (n, k + 1)."""
        return chosen[:, None] * self.rule.n_more + np.arange(self.rule.n_more + 1)


Weights = tuple[FloatArray, FloatArray]
"""Weights of states and of slopes."""

Slopes = list[tuple[FloatArray, FloatArray]]
"""Slopes at nodes, and their derivatives by what is read; empty where they are not needed."""


class OnGrid(Terms):
    """Terms that read whole intervals of a grid: states and inputs at their nodes, parameters, and times if free.

    Parameters
    ----------
    grid : Grid
        The grid.
    chosen : (n,) array
        The intervals, one for each of the functions; they may be there twice.
    """

    of_functions: tuple[str, ...] = ("places",)

    def __init__(self, grid: Grid, chosen: IntArray) -> None:
        at = grid.of_intervals(chosen)
        self.grid, self.places = grid, grid.places[at]
        shared = np.concatenate([grid.parameters, grid.times if grid.field.timed else grid.times[:0]])
        own = grid.nodes[at].reshape(len(chosen), -1)
        self.index = np.concatenate([own, np.tile(shared, (len(chosen), 1))], axis=1)
        n = grid.nodes.shape[1]
        self._own = np.arange(own.shape[1]).reshape(-1, n)
        self._parameters = own.shape[1] + np.arange(len(grid.parameters))

    @property
    def lengths(self) -> FloatArray:
        """The parts of the phase that the intervals are, (n, 1)."""
        return self.places[:, -1:] - self.places[:, :1]

    def phase_times(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the beginning of the phase, from that of the motion on, and its duration, (n, 1) each."""
        if self.grid.field.timed:
            return values[:, -2:-1], values[:, -1:]
        return np.zeros((len(values), 1)), np.full((len(values), 1), self.grid.duration)

    def at_node(self, values: FloatArray, node: int) -> tuple[FloatArray, FloatArray]:
        """Return times and variables at one node of each interval."""
        begin, duration = self.phase_times(values)
        rows = np.concatenate([values[:, self._own[node]], values[:, self._parameters]], axis=1)
        return (self.grid.begin + (begin + duration * self.places[:, node, None]))[:, 0], rows

    def spread(self, by: FloatArray, node: int) -> FloatArray:
        """Return derivatives by the variables at one node, (n, k, n_variables), as those by all that is read."""
        found, own = np.zeros((*by.shape[:2], self.index.shape[1])), self._own[node]
        n = len(own)
        found[..., own[0] : own[-1] + 1] = by[..., :n]
        found[..., self._parameters] = by[..., n : n + len(self._parameters)]
        if self.grid.field.timed:
            found[..., -2] = by[..., -1]
            found[..., -1] = by[..., -1] * self.places[:, node, None]
        return found

    def slopes(self, values: FloatArray, *, all_nodes: bool = False) -> Slopes:
        """Return the slopes at the nodes where the rule reads them, with their derivatives by what is read."""
        rule, found = self.grid.rule, list[tuple[FloatArray, FloatArray]]()
        for node in range(rule.n_more + 1):
            if all_nodes or rule.weights[:, node].any() or rule.of_slope.any():
                slope, by = self.grid.field("vector_field", *self.at_node(values, node), self.grid.chart)
                found.append((slope, self.spread(by, node)))
            else:
                found.append((np.empty(0), np.empty(0)))
        return found

    def between(
        self, values: FloatArray, place: FloatArray, weights: Weights, slopes: Slopes
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return times, variables and their derivatives by what is read, at places (n,) of the intervals, 0 to 1.

        The states are sums of those at the nodes, with weights (n, k + 1), and of slopes times the length of the
        interval, with weights likewise; inputs are on straight lines, or on the polynomial of the states.
        """
        grid, n = self.grid, self.grid.field.n_states
        (of_state, of_slope), (begin, duration) = weights, self.phase_times(values)
        h = duration * self.lengths
        rows = np.zeros((len(values), grid.nodes.shape[1] + len(self._parameters)))
        by = np.zeros((len(values), len(grid.field.variables), values.shape[1]))
        for node, own in enumerate(self._own):
            share = of_state[:, node] if grid.rule.n_more > 1 else (1.0 - place if node == 0 else place)
            for columns, factor in ((slice(0, n), of_state[:, node]), (slice(n, len(own)), share)):
                rows[:, columns] += factor[:, None] * values[:, own[columns]]
                by[:, np.arange(len(own))[columns], own[columns]] += factor[:, None]
            if of_slope[:, node].any():
                slope, by_slope = slopes[node]
                rows[:, :n] += of_slope[:, node, None] * h * slope
                by[:, :n] += of_slope[:, node, None, None] * h[..., None] * by_slope
                if grid.field.timed:
                    by[:, :n, -1] += of_slope[:, node, None] * self.lengths * slope
        at, first = self.places[:, :1] + self.lengths * place[:, None], grid.nodes.shape[1]
        rows[:, first:] = values[:, self._parameters]
        by[:, first + np.arange(len(self._parameters)), self._parameters] = 1.0
        if grid.field.timed:
            by[:, -1, -2], by[:, -1, -1] = 1.0, at[:, 0]
        return (grid.begin + (begin + duration * at))[:, 0], rows, by

    def middle(self, values: FloatArray, slopes: Slopes) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return times, variables and derivatives in the middle of each interval, as the rule has it."""
        rule, ones = self.grid.rule, np.ones((len(values), 1))
        return self.between(values, 0.5 * ones[:, 0], (ones * rule.of_state, ones * rule.of_slope), slopes)


class Defects(OnGrid):
    """By how much the states at the nodes of intervals miss the rule."""

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """One for each state at each further node."""
        return self.grid.rule.n_more * self.grid.field.n_states

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        rule, n_states = self.grid.rule, self.grid.field.n_states
        slopes = self.slopes(values)
        missed = np.zeros((len(values), rule.n_more, n_states))
        jacobian = np.zeros((*missed.shape, values.shape[1]))
        for j, weights in enumerate(rule.weights):
            for sign, node in ((1.0, j + 1), (-1.0, 0)):
                own = self._own[node, :n_states]
                missed[:, j] += sign * values[:, own]
                jacobian[:, j, np.arange(n_states), own] += sign
            for i in np.flatnonzero(weights).tolist():
                self._subtract(values, missed[:, j], jacobian[:, j], weights[i], *slopes[i])
        if rule.middle:
            t, rows, by = self.middle(values, slopes)
            slope, by_variables = self.grid.field("vector_field", t, rows, self.grid.chart)
            self._subtract(values, missed[:, 0], jacobian[:, 0], rule.middle, slope, by_variables @ by)
        return missed.reshape(len(values), -1), jacobian.reshape(len(values), -1, values.shape[1])

    def _subtract(
        self,
        values: FloatArray,
        missed: FloatArray,
        jacobian: FloatArray,
        weight: float,
        slope: FloatArray,
        by: FloatArray,
    ) -> None:
        """Subtract the length of the interval times the weight times a slope, with derivatives."""
        h = self.phase_times(values)[1] * self.lengths
        missed -= weight * h * slope
        jacobian -= weight * h[..., None] * by
        if self.grid.field.timed:
            jacobian[..., -1] -= weight * self.lengths * slope


class Cost(OnGrid):
    """What an integral over each interval costs: quantities, or their squares, times weights, by the rule.

    Parameters
    ----------
    grid : Grid
        The grid.
    quantities : Quantities
        What is integrated.
    weights : (n_quantities,) array
        Their weights.
    power : int
        1, or 2 for squares.
    """

    n_rows = 1

    def __init__(self, grid: Grid, quantities: Quantities, weights: FloatArray, power: int) -> None:
        super().__init__(grid, np.arange(grid.n_intervals))
        self.quantities, self.weights, self.power = quantities, weights, power

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        rule, lengths = self.grid.rule, self.lengths
        h = self.phase_times(values)[1] * lengths
        total, by = np.zeros((len(values), 1)), np.zeros((len(values), 1, values.shape[1]))
        places = []
        for node, weight in enumerate(rule.weights[-1]):
            if weight:
                value, by_variables = self._integrand(*self.at_node(values, node))
                places.append((weight, value, self.spread(by_variables, node)))
        if rule.middle:
            *place, by_place = self.middle(values, self.slopes(values))
            value, by_variables = self._integrand(*place)
            places.append((rule.middle, value, by_variables @ by_place))
        for weight, here, by_here in places:
            total += weight * h * here
            by += weight * h[..., None] * by_here
            if self.grid.field.timed:
                by[..., -1] += weight * lengths * here
        return total, by

    def _integrand(self, t: FloatArray, rows: FloatArray) -> Values:
        value, by_variables = self.quantities(t, rows, self.grid.chart)
        slope = self.weights * (np.ones_like(value) if self.power == 1 else 2.0 * value)
        return (value**self.power @ self.weights)[:, None], slope[:, None] @ by_variables


class Limits(OnGrid):
    """Quantities at the ends of intervals, which are to stay within limits."""

    def __init__(self, grid: Grid, quantities: Quantities, *, last: bool) -> None:
        super().__init__(grid, np.array([grid.n_intervals - 1]) if last else np.arange(grid.n_intervals))
        self.quantities, self.n_rows, self._node = quantities, len(quantities.names), -1 if last else 0

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        node = self.places.shape[1] - 1 if self._node else 0
        found, by_variables = self.quantities(*self.at_node(values, node), self.grid.chart)
        return found, self.spread(by_variables, node)


class Boundaries(OnGrid):
    """The boundaries that are active in the chart of a phase, at the beginning of each interval.

    Parameters
    ----------
    grid : Grid
        The phase.
    active : (n_rows,) array
        The boundaries.
    """

    def __init__(self, grid: Grid, active: IntArray) -> None:
        super().__init__(grid, np.arange(grid.n_intervals))
        self.active, self.n_rows = active, len(active)

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        found, by = self.grid.field("boundaries", *self.at_node(values, 0), self.grid.chart)
        return found[:, self.active], self.spread(by[:, self.active], 0)
