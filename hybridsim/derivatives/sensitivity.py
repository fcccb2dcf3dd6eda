"""`sensitivity`: how a run varies with its initial state, its parameters and its inputs, by names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from hybridsim.derivatives.matrix import LabelledMatrix
from hybridsim.derivatives.variations import RecordedRows, Variations, jumps_of, vary
from hybridsim.duals.functions import REPLAYED, dual_functions
from hybridsim.engine.memory import NOWHERE
from hybridsim.errors import ConfigError, SimulationError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.events import Events
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.evaluation import inputs_in, p_holding
from hybridsim.simulation.packing import Packed, lay_out
from hybridsim.simulation.rebuild import config_of
from hybridsim.simulation.row_arguments import Given, variables_of
from hybridsim.simulation.row_functions import RowFunctions
from hybridsim.simulation.row_loops import STATE, TIME
from hybridsim.typing import FloatArray

Pairs = list[tuple[int, int]]

GRAZING_RATIO = 1e-4
"""A boundary is met at a grazing angle if it falls so much slower than the states have moved on the way to it."""

BESIDE = 1e-9
"""Distance, in sizes of the states, at which runs beside a run begin."""

ZERO_SHARE = 1e-12
"""Value of a boundary, relative to the size of its terms, that is zero but for rounding."""

TIE_TOLERANCE = 1e-9
"""Largest difference between the derivatives of the times of boundaries that cross together, relative to their size,
that is taken for rounding."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sensitivity:
    """The derivatives of a run with respect to n variables; `str` shows those of the final state, and the warnings.

    `s["y", "k"]` is the column (n_rows,) of the derivatives of a state with respect to a variable.

    Parameters
    ----------
    states : tuple of str
        Names of the states.
    variables : tuple of str
        Names of the variables.
    t : (n_rows,) array
        Times of the rows of the run [s].
    state : (n_rows, n_states, n) array
        Derivatives of the state at each row, at its fixed time [state unit / unit of the variable]. At rows between two
        jumps at one instant they are those at the time of the jumps.
    event_time : (n_events, n) array
        Derivatives of the times of the events [s / unit of the variable]; nan for events that have changed nothing
        (declined crossings, reported touches).
    before, after : (n_events, n_states, n) array
        Derivatives of the states before and after each event, at its own time; nan for events that have changed
        nothing.
    warnings : tuple of str
        Events at which the derivative is that of one side only, or grows without limit.
    """

    states: tuple[str, ...]
    variables: tuple[str, ...]
    t: FloatArray
    state: FloatArray
    event_time: FloatArray
    before: FloatArray
    after: FloatArray
    warnings: tuple[str, ...] = ()

    @property
    def final(self) -> LabelledMatrix:
        """The derivatives of the last state at its fixed time, states by variables."""
        return self.at_row(-1)

    def at_row(self, row: int) -> LabelledMatrix:
        """Return the derivatives of the state at one row of the run.

        Parameters
        ----------
        row : int
            Index of the row.

        Returns
        -------
        LabelledMatrix
            States by variables.
        """
        return LabelledMatrix(self.state[row], self.states, self.variables)

    def __getitem__(self, key: tuple[str, str]) -> FloatArray:
        labels = LabelledMatrix(np.empty((len(self.states), len(self.variables))), self.states, self.variables)
        row, column = labels.position(*key)
        return self.state[:, row, column]

    def __repr__(self) -> str:
        heading = f"derivatives of the state at t = {self.t[-1]:g} s"
        return "\n".join([heading, repr(self.final), *(f"warning: {text}" for text in self.warnings)])


@explains_keywords()
def sensitivity(
    run: Trajectory, wrt: str | Sequence[str] = "x", *, model: Model | str | os.PathLike[str] | None = None
) -> Sensitivity:
    """Differentiate a run with respect to its initial state, its parameters and its inputs.

    The recorded steps and jumps are replayed on dual numbers: what is differentiated is the map that the engine has
    computed, with its steps held fixed. See docs/derivatives.md for what happens at each kind of event.

    Parameters
    ----------
    run : Trajectory
        A run with every step recorded.
    wrt : str or sequence of str
        "x" for all initial states, "p" for all real parameters, "u" for all inputs, or names of some. An initial state
        is that of the config, before the model's `initial_chart`. An input varies by the same amount at all times, also
        where it changes.
    model : Model, str or path, optional
        The model; by default the one that the run's config names, if its files are as the run has recorded them.

    Returns
    -------
    Sensitivity
        The derivatives of the state at every row, of the times of the events, and of the states before and after them.

    Raises
    ------
    ConfigError
        If a name is wrong, or the model of the run cannot be found.
    ModelError
        If the model uses a function that has no derivative, with `file:line`.
    SimulationError
        If not every step was recorded, or the record cannot be replayed.
    """
    if run.step is None:
        raise SimulationError(
            "sensitivity: the run has not recorded every step; simulate it with record: true (in Python: record=True)"
        )
    if run.events_left_out:
        raise SimulationError("sensitivity: the run has not recorded all events; simulate it with record.events: all")
    config = config_of(run, model, use="differentiate")
    packed = lay_out(config)
    p = p_holding(packed, run.inputs.initial)
    names, kind, index = variables_of(packed.model, p, wrt)
    if (kind == TIME).any():
        raise ConfigError("sensitivity: wrt: time is no variable of a run; give states, parameters or inputs")
    start = _derivatives_of_start(packed, p, config.initial_time, names)
    inputs = inputs_in(packed.model, run.inputs, run.j)
    duals = dual_functions(packed.model, REPLAYED)
    functions, pairs = RowFunctions(packed.model, p, packed.compiled), [*pairwise((-1, *jumps_of(run.events).tolist()))]
    by_chance = np.array([_comes_by_chance(functions, run, *pair) for pair in pairs], bool)
    replay = partial(vary, packed.model, duals, packed.method, p, run, run.events, (kind, index))
    found = replay(inputs=inputs, start=start, by_chance=by_chance)
    chances = [pair for pair, chance in zip(pairs, by_chance.tolist(), strict=True) if chance]
    return _label(run, names, found, tuple(_doubts(functions, run, found, chances)))


def _derivatives_of_start(packed: Packed, p: FloatArray, t: float, names: tuple[str, ...]) -> FloatArray:
    """Return the derivatives of the first row, the result of `initial_chart`, (n_states, n)."""
    n = len(packed.model.states)
    if "initial_chart" not in packed.model.functions:
        _, kind, index = variables_of(packed.model, p, names)
        return 1.0 * ((kind == STATE) & (index == np.arange(n)[:, None]))
    given = Given(None, {"t": t, "x": packed.workspace.x[:n]})
    return RowFunctions(packed.model, p, packed.compiled).derivatives("initial_chart", given, names)[1]


def _label(run: Trajectory, names: tuple[str, ...], found: Variations, warnings: tuple[str, ...]) -> Sensitivity:
    n_events, n_states, jumps = len(run.events), len(run.states), jumps_of(run.events)

    def at_events(values: FloatArray, *shape: int) -> FloatArray:
        spread = np.full((n_events, *shape, len(names)), np.nan)
        spread[jumps] = values
        return spread

    return Sensitivity(
        states=run.states.names,
        variables=names,
        t=run.t,
        state=found.at_row,
        event_time=at_events(found.time),
        before=at_events(found.before, n_states),
        after=at_events(found.after, n_states),
        warnings=warnings,
    )


def _doubts(
    functions: RowFunctions, run: Trajectory, found: Variations, chances: list[tuple[int, int]]
) -> Iterator[str]:
    """Say where the derivatives are those of one side only, or of none."""
    yield from _beginning(functions, run)
    yield from _ties(run, found)
    yield from _coincidences(run, chances)
    for event in grazing_events(functions, run, run.events, found.rate):
        names = " and ".join(run.events[event].boundaries)
        yield (
            f"at t = {run.events.t[event]:.9g} s {names} is met at a grazing angle: the derivative of the time is very "
            "large, and does not exist where the flow is tangent"
        )


def _beginning(functions: RowFunctions, run: Trajectory) -> Iterator[str]:
    """Say that beside the state where a run begins, runs begin in another chart."""
    if "initial_chart" not in functions.model.functions:
        return
    t, sizes = float(run.t[0]), np.abs(run.x).max(axis=0)
    for state, distance in zip(run.states, BESIDE * sizes * np.eye(len(sizes)), strict=True):
        beside = (Given(None, {"t": t, "x": run.x[0] + sign * distance}) for sign in (1.0, -1.0))
        if len({int(functions.values("initial_chart", given)[1]) for given in beside}) > 1:
            yield (
                f"the run begins between two charts: with more or less {state.name} it begins in another one, and the "
                "derivative is that of one side only"
            )


def _comes_by_chance(functions: RowFunctions, run: Trajectory, first: int, second: int) -> bool:
    """Return whether an event follows the event before at once only because its boundary was zero already."""
    events = run.events
    if first < 0 or events.t[first] != events.t[second] or events.kind[second] != "crossing":
        return False
    new = np.asarray(events.crossed[second], bool) & ~np.asarray(events.crossed[first], bool)
    before = {"t": float(events.t[first]), "x": events.x_before[first], "chart": int(events.chart_before[first])}
    values, gradients = functions.derivatives("boundaries", Given(None, before), "x")
    zero = np.abs(values) <= ZERO_SHARE * (np.abs(gradients) @ np.abs(run.x).max(axis=0))
    return bool((new & gradients.any(axis=1) & zero).any())


def _coincidences(run: Trajectory, chances: Pairs) -> Iterator[str]:
    for first, second in chances:
        names = (" and ".join(run.events[event].boundaries) for event in (second, first))
        yield (
            f"at t = {run.events.t[first]:.9g} s {' follows '.join(names)} at once, as it was zero already: in runs "
            "nearby it comes later or not at all, and the derivative is that of those in which it comes later"
        )


def _ties(run: Trajectory, found: Variations) -> Iterator[str]:
    for jump, event in enumerate(jumps_of(run.events)):
        if not found.tie[jump] <= TIE_TOLERANCE * (1.0 + np.abs(found.time[jump]).max(initial=0.0)):
            names = " and ".join(run.events[int(event)].boundaries)
            yield (
                f"at t = {run.events.t[event]:.9g} s {names} cross together, but not in runs nearby: "
                "where their order matters, the derivative is that of neither side"
            )


def grazing_events(functions: RowFunctions, rows: RecordedRows, events: Events, rates: FloatArray) -> Iterator[int]:
    """Yield the indices of the events that are met at a grazing angle; `rates` are those of `Variations`."""
    for rate, event in zip(rates.tolist(), jumps_of(events).tolist(), strict=True):
        if np.isnan(rate):
            continue
        if events.kind[event] not in ("crossing", "entry"):
            grazes = rate == 0.0
        else:
            grazes = not abs(rate) > GRAZING_RATIO * _size_of_rate(functions, rows, events, event)
        if grazes:
            yield event


def _size_of_rate(functions: RowFunctions, run: RecordedRows, events: Events, event: int) -> float:
    """Return how fast the boundary that crosses first could fall, from the mean speeds since the jump before.

    If that was at the same instant, from the speeds there.
    """
    boundary = int(np.flatnonzero(events.crossed[event])[0])
    t, x, sizes = float(events.t[event]), events.x_before[event], []
    epoch = run.j == events.j[event]
    if np.ptp(run.t[epoch]) > 0.0:
        speed = np.ptp(run.x[epoch], axis=0) / np.ptp(run.t[epoch])
    else:
        given = Given(None, {"t": t, "x": x, "chart": int(events.chart_before[event])})
        speed = np.abs(functions.values("vector_field", given)[0])
    for chart in {int(events.chart_before[event]), int(events.adjacent_chart[event])} - {NOWHERE}:
        given = Given(None, {"t": t, "x": x, "chart": chart})
        by_state, by_time = (functions.derivatives("boundaries", given, wrt)[1][boundary] for wrt in "xt")
        sizes.append(float(np.abs(by_state) @ speed + np.abs(by_time[0])))
    return max(sizes)
