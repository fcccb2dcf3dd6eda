"""Terms of a nonlinear program: batches of functions of a few unknowns each, with exact first derivatives.

Everything that a problem asks for is such a batch: defects of the intervals, samples that are measured, transitions
between phases, costs. Its second derivatives are differences of the first ones, one direction at a time for the whole
batch, as the functions of a batch depend on unknowns of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hybridsim.identification.schemes import Rule
from hybridsim.simulation.model_functions import ModelFunctions
from hybridsim.typing import Differentiable, FloatArray, IntArray

Values = tuple[FloatArray, FloatArray]
"""What functions are, (n, n_rows), and their derivatives, (n, n_rows, n_read)."""


class Terms(ABC):
    """n functions of unknowns, alike in form.

    Attributes
    ----------
    index : (n, n_read) array
        The unknowns that each function reads.
    n_rows : int
        How many numbers each function has.
    """

    index: IntArray
    n_rows: int

    @abstractmethod
    def evaluate(self, values: FloatArray) -> Values:
        """Return the functions and their derivatives by what they read, for values (n, n_read) of it."""


@dataclass(slots=True, eq=False)
class Tracking:
    """A pull towards what was measured, added to the slopes of states: a homotopy lets go of it step by step.

    Attributes
    ----------
    states : (n,) array
        The states.
    t : (m,) array
        Times [s].
    data : (m, n) array
        What they are to follow, on straight lines in between.
    gain : float
        How strongly [1/s].
    """

    states: IntArray
    t: FloatArray
    data: FloatArray
    gain: float = 0.0

    def add(self, slopes: FloatArray, by: FloatArray, t: FloatArray, x: FloatArray) -> None:
        """Add the pull to slopes, and its derivatives by the states to theirs."""
        for state, column in zip(self.states.tolist(), self.data.T, strict=True):
            slopes[:, state] += self.gain * (np.interp(t, self.t, column) - x[:, state])
            by[:, state, state] -= self.gain


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The functions of a model by what a problem leaves free.

    Attributes
    ----------
    functions : ModelFunctions
        The functions.
    inputs : tuple of str
        Inputs that are free.
    parameters : tuple of str
        Parameters that are free, entries of arrays as `gains[2]`.
    timed : bool
        Whether times are free, too.
    tracking : Tracking or None
        A pull towards what was measured.
    """

    functions: ModelFunctions
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    timed: bool
    tracking: Tracking | None = None

    @property
    def n_states(self) -> int:
        """The number of states."""
        return len(self.functions.model.states)

    @property
    def variables(self) -> list[str]:
        """What functions are differentiated by: states, free inputs, free parameters, time."""
        names = self.functions.model.states.names
        return [*names, *self.inputs, *self.parameters, *(["t"] if self.timed else [])]

    @property
    def slices(self) -> tuple[slice, slice, slice, slice]:
        """The places of states, inputs, parameters and time among the variables."""
        ends = np.cumsum([0, self.n_states, len(self.inputs), len(self.parameters), int(self.timed)]).tolist()
        first, second, third, fourth = (slice(*pair) for pair in pairwise(ends))
        return first, second, third, fourth

    def __call__(
        self, function: Differentiable, t: Any, variables: FloatArray, chart: int, **more: Any
    ) -> tuple[FloatArray, FloatArray]:
        """Return a function at n rows of the variables, t apart, and its derivatives by variables."""
        states, inputs, parameters, _ = self.slices
        given = dict(zip(self.inputs, variables[:, inputs].T, strict=True))
        values = dict(zip(self.parameters, variables[:, parameters].T, strict=True))
        found = self.functions.value_and_jacobian(
            function, t, variables[:, states], chart, wrt=self.variables, inputs=given, parameters=values, **more
        )
        if function == "vector_field" and self.tracking is not None and self.tracking.gain:
            self.tracking.add(*found, t, variables[:, states])
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Quantities:
    """States, inputs and outputs of a model, at rows of the variables of a field.

    Attributes
    ----------
    field : Field
        The model.
    names : tuple of str
        The quantities.
    """

    field: Field
    names: tuple[str, ...]

    def __call__(self, t: Any, variables: FloatArray, chart: int) -> tuple[FloatArray, FloatArray]:
        """Return the quantities, (n, n_names), and their derivatives by the variables."""
        known = self.field.variables
        value = np.zeros((len(variables), len(self.names)))
        by = np.zeros((*value.shape, len(known)))
        outputs = None
        for i, name in enumerate(self.names):
            if name in known:
                value[:, i], by[:, i, known.index(name)] = variables[:, known.index(name)], 1.0
                continue
            if outputs is None:
                outputs = self.field("outputs", t, variables, chart)
            number = self.field.functions.names("outputs").index(name)
            value[:, i], by[:, i] = outputs[0][:, number], outputs[1][:, number]
        return value, by


NONE = np.zeros(0, np.int64)


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
        The unknowns that are the beginning of the phase and its duration, read where times are free.
    begin, duration : float
        Of the phase [s], where times are not free.
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
        """Return the beginning of the phase and its duration, (n, 1) each."""
        if self.grid.field.timed:
            return values[:, -2:-1], values[:, -1:]
        return np.full((len(values), 1), self.grid.begin), np.full((len(values), 1), self.grid.duration)

    def at_node(self, values: FloatArray, node: int) -> tuple[FloatArray, FloatArray]:
        """Return times and variables at one node of each interval."""
        begin, duration = self.phase_times(values)
        rows = np.concatenate([values[:, self._own[node]], values[:, self._parameters]], axis=1)
        return (begin + duration * self.places[:, node, None])[:, 0], rows

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
        return (begin + duration * at)[:, 0], rows, by

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
        h = duration * self.lengths
        part = (((self.t[:, None] - begin) / duration - self.places[:, :1]) / self.lengths)[:, 0]
        slopes = self.slopes(values, all_nodes=self.grid.rule.n_more == 1)
        states, rates = interpolation(self.grid.rule, part, self.places)
        t, rows, by = self.between(values, part, states, slopes)
        if self.grid.field.timed:  # a sample keeps its time, and moves in its interval as the phase begins later
            _, moving, _ = self.between(values, part, rates, slopes)
            n, k = self.grid.field.n_states, self.grid.nodes.shape[1]
            if self.grid.rule.n_more == 1:  # inputs are on straight lines
                moving[:, n:k] = values[:, self._own[1, n:]] - values[:, self._own[0, n:]]
            by[:, :k, -2] -= moving[:, :k] / h
            by[:, :k, -1] -= moving[:, :k] / h * (self.t[:, None] - begin) / duration
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


class AtEnd(Terms):
    """What reads the last node of a phase, parameters, and times if free; and states at the beginning of what follows.

    Parameters
    ----------
    grid : Grid
        The phase.
    crossed : int
        The boundary at the end.
    states, following : (n,) array
        States after the transition, and the unknowns that they are at the beginning of what follows.
    """

    def __init__(self, grid: Grid, crossed: int, states: IntArray = NONE, following: IntArray = NONE) -> None:
        times = grid.times if grid.field.timed else grid.times[:0]
        self.grid, self.crossed, self.states = grid, crossed, states
        self.index = np.concatenate([grid.nodes[-1], grid.parameters, times, following])[None]

    def _call(self, function: Differentiable, values: FloatArray, **more: Any) -> tuple[FloatArray, FloatArray]:
        """Return a function at the last node, and its derivatives by what is read."""
        grid, n = self.grid, len(self.grid.nodes[-1]) + len(self.grid.parameters)
        timed = grid.field.timed
        t = values[:, n] + values[:, n + 1] if timed else np.full(len(values), grid.begin + grid.duration)
        value, by = grid.field(function, t, values[:, :n], grid.chart, **more)
        found = np.zeros((*by.shape[:2], values.shape[1]))
        found[..., :n] = by[..., :n]
        if timed:
            found[..., n : n + 2] = by[..., -1:]
        return value, found


class Crossings(AtEnd):
    """The value of the boundary at the end of a phase, which is to be zero."""

    n_rows = 1

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        value, by = self._call("boundaries", values)
        return value[:, self.crossed, None], by[:, self.crossed, None]


class Transitions(AtEnd):
    """By how much states at the beginning of what follows differ from what the transition makes of the last ones."""

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """One for each state that goes on."""
        return len(self.states)

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        crossed = np.zeros(len(self.grid.field.functions.model.boundary_records), np.int64)
        crossed[self.crossed] = 1
        value, by = self._call("transition", values, crossed=crossed)
        n = len(self.states)
        by = by[:, self.states]
        by[:, np.arange(n), values.shape[1] - n + np.arange(n)] -= 1.0
        return value[:, self.states] - values[:, -n:], by


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


class Sums(Terms):
    """Sums of unknowns with constant factors, one row of coefficients for each.

    Parameters
    ----------
    index, coefficients : (n, n_read) array
        The unknowns, and their factors.
    """

    n_rows = 1

    def __init__(self, index: IntArray, coefficients: FloatArray) -> None:
        self.index, self.coefficients = index, coefficients

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        return (values * self.coefficients).sum(axis=1)[:, None], self.coefficients[:, None, :]
