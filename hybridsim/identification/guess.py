"""Where a search begins: the phases of each trial, and guesses of the states along them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsim.config.identification_config import IdentificationConfig, Trial
from hybridsim.config.run_config import RunConfig
from hybridsim.errors import ConfigError
from hybridsim.identification.smoothing import smooth
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import functions
from hybridsim.simulation.model_functions import ModelFunctions
from hybridsim.simulation.packing import initial_state
from hybridsim.simulation.simulation import Simulation
from hybridsim.typing import FloatArray

FEWEST_NODES = 5
"""Nodes of a phase in which there are fewer samples."""

GAP = 1.5
"""Times the usual spacing of samples, beyond which nothing is smoothed across."""


@dataclass(frozen=True, slots=True, eq=False)
class PhaseGuess:
    """A phase, and states along it.

    Attributes
    ----------
    chart : int
        The chart.
    crossed : int or None
        The boundary at its end.
    begin, duration : float
        Guesses [s].
    shortest, longest : float
        Bounds of the duration [s].
    places : (n,) array
        The ends of the intervals, from 0 to 1.
    at, states : (m,) array and (m, n_states) array
        Places from 0 to 1, and states there; straight lines in between.
    """

    chart: int
    crossed: int | None
    begin: float
    duration: float
    shortest: float
    longest: float
    places: FloatArray
    at: FloatArray
    states: FloatArray

    def values(self, places: FloatArray) -> FloatArray:
        """Return states at places, (n, n_states)."""
        return np.column_stack([np.interp(places, self.at, column) for column in self.states.T])


class Span(NamedTuple):
    """A phase: chart, boundary at the end, beginning, duration with its bounds, and number of nodes."""

    chart: int
    crossed: int | None
    begin: float
    duration: float
    bounds: tuple[float, float]
    nodes: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The phases of a trial."""

    phases: tuple[PhaseGuess, ...]


def whole_arrays(run: RunConfig, free: dict[str, float]) -> dict[str, Any]:
    """Return values of parameters, entries of arrays put into them."""
    found = dict[str, Any]()
    for name, value in free.items():
        array, bracket, entry = name.partition("[")
        if not bracket:
            found[name] = value
            continue
        entries = list(found.get(array, run.parameters[array]))
        entries[int(entry.rstrip("]"))] = value
        found[array] = tuple(entries)
    return found


def motion_of(config: IdentificationConfig, trial: Trial, *, simulated: bool = False) -> Motion:
    """Return the guess of a trial's motion; it may be simulated whatever the config says.

    Raises
    ------
    ConfigError
        If the run that is to give it cannot be read, slides, or does not fit.
    """
    run, settings = _run_of(config, trial, simulated=simulated), config.settings
    jumps = simulated and run is not None and run.j[-1] > run.j[0]
    if settings.phases == "simulate" or (simulated and len(config.phases)) or jumps:
        assert run is not None
        return Motion(tuple(_phases_of(config, run, all_rows=simulated)))
    phases = []
    for chart, crossed, begin, duration, bounds, nodes in _spans(config, trial, run):
        places = _places(config, trial, begin, duration, nodes)
        states = _states(config, trial, run, chart, begin + duration * places)
        phases.append(PhaseGuess(chart, crossed, begin, duration, *bounds, places, places, states))
    return Motion(tuple(phases))


def _run_of(config: IdentificationConfig, trial: Trial, *, simulated: bool) -> Trajectory | None:
    """Return the run that gives guesses, simulated or of a file; None if there is none."""
    words = config.settings.guess.states
    if simulated or words == "simulate" or config.settings.phases == "simulate":
        guesses = {name: free.guess for name, free in config.free.items()}
        parameters = {**trial.run.parameters, **whole_arrays(trial.run, guesses)}
        return Simulation.from_config(dataclasses.replace(trial.run, parameters=parameters)).run()
    if words in ("data", "zero"):
        return None
    return load_run((config.source.parent if config.source else Path()) / words)


def _spans(config: IdentificationConfig, trial: Trial, run: Trajectory | None) -> Iterator[Span]:
    """Yield the phases of a config; without any, one in the chart in which the run begins."""
    begin = trial.run.initial_time
    if not config.phases:
        chart = int(run.chart[0]) if run is not None else _first_chart(trial)
        end = float(trial.t[-1]) if len(trial.t) else float(trial.run.final_time or 0.0)
        free = config.duration
        yield Span(chart, None, begin, end - begin, (free.lower, free.upper) if free else (0.0, np.inf), None)
    for (chart, crossed, nodes, free), duration in zip(config.phases, _durations(config, trial), strict=True):
        yield Span(chart, crossed, begin, duration, (free.lower, free.upper) if free else (1e-6, np.inf), nodes)
        begin += duration


def functions_of(run: RunConfig) -> ModelFunctions:
    """Return the functions of a run's model; only parameters that are no defaults are given, as tables are long."""
    model = run.model
    changed = {
        name: value
        for name, value in run.parameters.items()
        if name not in model.parameters.names or value != model.parameters[name].default
    }
    return functions(model, parameters=changed, inputs=run.inputs)


def _first_chart(trial: Trial) -> int:
    run = trial.run
    if run.initial_chart is not None:
        return run.initial_chart
    f = functions_of(run)
    if "initial_chart" not in run.model.functions:
        return 0
    x = initial_state(run)
    return int(f.initial_chart(run.initial_time, x)[1])


def _durations(config: IdentificationConfig, trial: Trial) -> list[float]:
    """Return guesses of the durations of the phases; those that are not given share what is left."""
    given = [free.guess if free else None for *_, free in config.phases]
    total = (
        float(trial.t[-1] - trial.run.initial_time)
        if len(trial.t)
        else (config.duration.guess if config.duration else float(len(given)))
    )
    left = total - sum(each for each in given if each is not None)
    missing = given.count(None)
    return [each if each is not None else max(left / missing, 1e-3 * total) for each in given]


def _places(
    config: IdentificationConfig, trial: Trial, begin: float, duration: float, number: int | None
) -> FloatArray:
    """Return the ends of the intervals of a phase, from 0 to 1."""
    nodes = number or config.settings.collocation.nodes
    if nodes != "data":
        return np.linspace(0.0, 1.0, int(nodes))
    places = (trial.t - begin) / duration
    if len(config.phases) == 0 and len(trial.t):
        return places
    inside = int(((places >= 0.0) & (places <= 1.0)).sum())
    return np.linspace(0.0, 1.0, max(inside, FEWEST_NODES if len(trial.t) else DEFAULT_NODES))


DEFAULT_NODES = 51
"""Nodes of a phase without data."""


def _states(
    config: IdentificationConfig, trial: Trial, run: Trajectory | None, chart: int, t: FloatArray
) -> FloatArray:
    """Return guesses of the states at some times, (n, n_states)."""
    if run is not None:
        return np.asarray(run.at(np.clip(t, run.t[0], run.t[-1])))
    model = config.model
    x = np.tile(initial_state(trial.run), (len(t), 1))
    if config.settings.guess.states == "zero":
        return np.zeros_like(x)
    if not len(trial.t):
        for column, name in enumerate(model.states.names):
            if name in config.final:
                x[:, column] = np.linspace(x[0, column], config.final[name].guess, len(t))
        return x
    known = measured_states(config, trial, t)
    for column, values in known.items():
        x[:, column] = values
    for column, rate in _rates(trial, chart).items():
        if column in known and rate not in known:
            x[:, rate] = np.gradient(known[column], t)
    return x


def measured_states(config: IdentificationConfig, trial: Trial, t: FloatArray) -> dict[int, FloatArray]:
    """Return what was measured of states at some times, without its noise, with straight lines over gaps."""
    names, known = config.model.states.names, dict[int, FloatArray]()
    for column, name in enumerate(config.measured):
        measured = np.isfinite(trial.data[:, column])
        if name in names and measured.any():
            times, samples = trial.t[measured], trial.data[measured, column]
            along = np.flatnonzero((times >= t[0]) & (times <= t[-1]))
            steps = np.diff(times[along])
            for piece in np.split(along, np.flatnonzero(steps > GAP * np.median(steps)) + 1 if len(steps) else []):
                samples[piece] = smooth(samples[piece])
            known[names.index(name)] = np.interp(t, times, samples)
    return known


def _rates(trial: Trial, chart: int) -> dict[int, int]:
    """Return states whose slope is another state: coordinates, and their rates."""
    run = trial.run
    f = functions_of(run)
    x = initial_state(run)
    by = np.nan_to_num(f.jacobian("vector_field", run.initial_time, x + 0.01, chart))
    is_one = (by == 1.0).sum(axis=1) == 1
    alone = is_one & ((by != 0.0).sum(axis=1) == 1)
    return {int(row): int(np.argmax(by[row])) for row in np.flatnonzero(alone)}


def _phases_of(config: IdentificationConfig, run: Trajectory, *, all_rows: bool) -> Sequence[PhaseGuess]:
    """Return the phases of a run: charts between events that changed something; its rows may all become nodes."""
    kinds = {event.kind for event in run.events}
    if unfit := kinds & {"entry", "exit", "zeno"}:
        what = "comes to the limit of infinitely many impacts" if "zeno" in unfit else "slides along a boundary"
        raise ConfigError(f"phases: the run with the guesses {what}, which identification cannot represent")
    jumps = np.flatnonzero(run.j[1:] != run.j[:-1])
    starts, ends = np.concatenate([[0], jumps + 1]), np.concatenate([jumps, [len(run.t) - 1]])
    names = config.model.boundary_records.names
    events = [event for event in run.events if event.boundaries and not event.declined]
    phases = []
    for number, (first, last) in enumerate(zip(starts, ends, strict=True)):
        begin, duration = float(run.t[first]), float(run.t[last] - run.t[first])
        if duration <= 0.0:
            continue
        rows = slice(first, last + 1)
        crossed = names.index(events[number].boundaries[0]) if number < len(jumps) else None
        t = run.t[rows]
        at = (t - begin) / duration
        nodes = config.settings.collocation.nodes
        count = int(nodes) if nodes != "data" else max(FEWEST_NODES, len(t))
        phases.append(
            PhaseGuess(
                int(run.chart[first]), crossed, begin, duration, 1e-6, np.inf,
                np.unique(at) if all_rows else np.linspace(0.0, 1.0, count), at, run.x[rows],
            )
        )  # fmt: skip
    return phases
