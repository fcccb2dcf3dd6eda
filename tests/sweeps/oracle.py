"""A worker that runs each row through `hybridsim.Simulation` and reads its metrics off the recorded trajectory.

Slow and independent of the compiled batch: minima and maxima are taken over the recorded rows and a fine grid in every
step, of which scipy refines the best places; means from a Gauss quadrature of every step's continuous extension, extra
outputs from their plain Python functions. What two charts of a slide share is weighted anew at every place. The model's
plain `initial_chart` shows whether a run can begin.
"""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import minimize_scalar

from hybridsim.config.schema import RecordSettings
from hybridsim.engine.columns import StepTable, join_tables
from hybridsim.engine.memory import NOWHERE, UNDECIDED
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError
from hybridsim.results.events import Event
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.simulation.evaluation import outputs_at, weights_at
from hybridsim.simulation.packing import Packed, lay_out
from hybridsim.sweeps.batch import BatchRunner, Cancelled
from hybridsim.sweeps.kept_runs import with_values
from hybridsim.sweeps.plan import Plan

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
THETA, WEIGHT = 0.5 * (NODES + 1.0), 0.5 * WEIGHTS
WHOLE = ("count", "statistic")
GRID = np.linspace(0.0, 1.0, 34)[1:-1]
BEST_STEPS = 4
"""In how many steps the best place of the grid is refined."""


class OracleRunner:
    """The same interface as `hybridsim.sweeps.batch.BatchRunner`."""

    def __init__(self, config):
        self.config = config

    def run(self, values, stop):
        n = len(next(iter(values.values())))
        rows = []
        for row in range(n):
            if stop[0]:
                raise Cancelled
            rows.append(metrics_of(self.config, {key: column[row] for key, column in values.items()}))
        return {metric.name: _column(metric, [row[metric.name] for row in rows]) for metric in self.config.metrics}


def _column(metric, values):
    if metric.kind == "status":
        return np.array(values, object)
    return np.array(values, np.int64 if metric.kind in WHOLE else np.float64)


def metrics_of(config, values):
    """The metrics of one row by name."""
    run_config = with_values(config.run, {key: _plain(value) for key, value in values.items()})
    run_config = dataclasses.replace(run_config, record=RecordSettings())
    duration = run_config.final_time - run_config.initial_time
    begin = max(config.begin.time, run_config.initial_time + config.begin.fraction * duration)
    seen = observed(run_config, begin)
    return {metric.name: metric_of(metric, seen, config.extra_outputs) for metric in config.metrics}


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


@dataclasses.dataclass(frozen=True, eq=False)
class Places:
    """Places of a run, and the weight of the first chart at each, (n,)."""

    rows: StepTable
    weight: np.ndarray


@dataclasses.dataclass(frozen=True, eq=False)
class Observed:
    """How a run ended, its rows, and the nodes of the quadrature between rows.

    Events and nodes are those from `begin` on; `counted` are such rows, and `begin` itself.
    `share` : (n_nodes,) of the integral over the run [s].
    `steps` : the rows where steps begin, how long after them what counts begins, and how long it lasts, (n,) each.
    """

    status: str
    statistics: Mapping[str, float]
    events: Sequence[Event]
    packed: Packed
    rows: Places
    nodes: Places
    share: np.ndarray
    counted: Places
    begin: float
    run: Trajectory | None = None
    steps: tuple[np.ndarray, np.ndarray, np.ndarray] = ()


def observed(config, begin):
    """One run, a start outside its chart included; it has a status all the same."""
    simulation = Simulation.__new__(Simulation)
    try:
        simulation._begin(config)
        run = simulation.run()
    except ConfigError:
        if not hasattr(simulation, "_packed"):
            return not_begun(config)
        run = simulation.result()
    packed = simulation._packed
    rows = places(run.t, run.j, run.chart, run.adjacent_chart, run.surface, run.x)
    events = [event for event in run.events if event.t >= begin]
    steps = steps_of(run, begin)
    nodes, share = nodes_of(run, *steps)
    later = rows[rows.t >= begin]
    inside = np.flatnonzero((run.t[:-1] < begin) & (run.t[1:] > begin) & (run.step[:-1] > 0.0))
    counted = join_tables([inside_steps(run, inside, begin - run.t[inside]), later])
    return Observed(
        run.status.name,
        run.statistics,
        events,
        packed,
        Places(rows, run.sliding_weight),
        weighted(nodes, packed),
        share,
        weighted(counted, packed),
        begin,
        run,
        steps,
    )


def not_begun(config):
    """What there is of a run whose `initial_chart` finds no chart or no finite state: where it was to begin."""
    packed = lay_out(config)
    x = np.array([config.initial[name] for name in config.model.states.names])
    start = x.copy()
    chart = config.model.functions["initial_chart"](start, config.initial_time, x, packed.problem.p)
    known = 0 <= chart < config.model.n_charts
    there = places([config.initial_time], [0], [chart if known else 0], [NOWHERE], [NOWHERE], [start])
    status = Status.NON_FINITE_STATE if known else Status.UNKNOWN_CHART
    nothing = Places(there[:0], np.ones(0))
    none = collections.defaultdict(int)
    rows = Places(there, np.ones(1))
    return Observed(status.name, none, (), packed, rows, nothing, np.zeros(0), rows, config.initial_time)


def places(t, j, chart, adjacent_chart, surface, x):
    """Rows that no step begins from."""
    n, x = len(t), np.asarray(x, float)
    whole = (np.asarray(column, np.int64) for column in (j, chart, adjacent_chart, surface))
    nothing = np.zeros(n), np.zeros((n, 0, x.shape[1]))
    return StepTable(np.asarray(t, float), *whole, np.full(n, UNDECIDED), x, *nothing)


def place_of(event):
    """Where an event finds the state; a slide that begins there has not begun."""
    slide = (NOWHERE, NOWHERE) if event.kind == "entry" else (event.adjacent_chart, event.surface)
    charts = [event.chart_before], *([number] for number in slide)
    return places([event.t], [event.j], *charts, [event.x_before])


def place_after(event):
    """Where an event leaves the state, in a slide if one begins there or goes on."""
    stays = event.kind in ("entry", "input") or event.declined
    slide = (event.adjacent_chart, event.surface) if stays else (NOWHERE, NOWHERE)
    charts = [event.chart_after], *([number] for number in slide)
    return places([event.t], [event.j], *charts, [event.x_after])


def steps_of(run, begin):
    """The steps of which some part is from `begin` on: their rows, where this part begins, and its length [s]."""
    offset = np.clip(begin - run.t[:-1], 0.0, None)
    i = np.flatnonzero((np.diff(run.t) > offset) & (run.step[:-1] > 0.0))
    return i, offset[i], run.t[i + 1] - run.t[i] - offset[i]


def nodes_of(run, i, offset, length):
    """The nodes of the quadrature in these steps, and what each contributes to the time [s]."""
    return across(run, i, offset, length, THETA), np.outer(length, WEIGHT).ravel()


def across(run, i, offset, length, theta):
    """Places all over these steps, at the same parts of each."""
    at, part = np.repeat(np.arange(len(i)), len(theta)), np.tile(theta, len(i))
    return inside_steps(run, i[at], offset[at] + part * length[at])


def inside_steps(run, i, after):
    """Places in the steps that begin at rows i, some time after them."""
    s = after / run.step[i]
    x = run.x[i] + sum(run.extension[i, d] * s[:, None] ** (d + 1) for d in range(run.extension.shape[1]))
    return places(run.t[i] + after, run.j[i], run.chart[i], run.adjacent_chart[i], run.surface[i], x)


def weighted(rows, packed):
    """Places with their weights."""
    return Places(rows, weights_at(packed, rows))


def metric_of(metric, seen, extra_outputs):
    if metric.kind == "status":
        return seen.status
    if metric.kind == "statistic":
        return int(seen.statistics[metric.of])
    if metric.kind == "formula":  # of measured metrics, by Python
        text, names = metric.of, {}
        for place, operand in enumerate(metric.operands):
            text = text.replace(operand.name, f"operand_{place}")
            names[f"operand_{place}"] = np.float64(metric_of(operand, seen, extra_outputs))
        with np.errstate(all="ignore"):
            return float(eval(text, names))
    if metric.kind in ("count", "time", "at", "after", "last", "last_after"):
        return metric_of_events(metric, seen, extra_outputs)

    def values(places):
        return quantity(metric.of, places, seen.packed, extra_outputs)

    last = values(seen.rows)[-1]
    if metric.kind == "final":
        return last
    if seen.rows.rows.t[-1] < seen.begin:
        return math.nan
    if metric.kind in ("mean", "integral", "std"):
        return metric_over_time(metric.kind, seen, values(seen.nodes), last)
    sign = 1.0 if metric.kind == "min" else -1.0
    lowest = np.min(sign * values(seen.counted))
    return sign * (lowest if not seen.run else np.min([lowest, *lowest_in_steps(values, sign, seen)]))


def lowest_in_steps(values, sign, seen):
    """The lowest values on a grid in every step, each made lower by a search between its neighbours."""
    i, offset, length = seen.steps

    def function(theta, step):
        one = slice(step, step + 1)
        return sign * values(weighted(across(seen.run, i[one], offset[one], length[one], [theta]), seen.packed))[0]

    found = sign * values(weighted(across(seen.run, i, offset, length, GRID), seen.packed)).reshape(len(i), len(GRID))
    best = found.argmin(axis=1)
    rows, before, after = np.arange(len(i)), np.maximum(best - 1, 0), np.minimum(best + 1, len(GRID) - 1)
    at_best = found[rows, best]
    # The difference from its neighbours is about as much as a place can still be improved.
    hoped_for = 2.0 * at_best - np.maximum(found[rows, before], found[rows, after])
    for step in np.argsort(hoped_for)[:BEST_STEPS]:
        around = GRID[best[step]] - GRID[0], GRID[best[step]] + GRID[0]
        options = {"xatol": 1e-9}
        refined = minimize_scalar(function, bounds=around, args=(step,), method="bounded", options=options)
        yield min(refined.fun, at_best[step])


def metric_of_events(metric, seen, extra_outputs):
    events = [event for event in seen.events if metric.of in event.boundaries]
    if metric.kind == "count":
        return len(events)
    if metric.kind in ("last", "last_after"):
        side = place_of if metric.kind == "last" else place_after
        values = [value_at(side(event), metric, seen, extra_outputs) for event in events[-metric.number :]]
        return [math.nan] * (metric.number - len(values)) + values
    if len(events) < metric.number:
        return math.nan
    event = events[metric.number - 1]
    if metric.kind == "time":
        return event.t
    return value_at((place_of if metric.kind == "at" else place_after)(event), metric, seen, extra_outputs)


def value_at(place, metric, seen, extra_outputs):
    return quantity(metric.quantity, weighted(place, seen.packed), seen.packed, extra_outputs)[0]


def metric_over_time(kind, seen, at_nodes, last):
    duration = seen.rows.rows.t[-1] - seen.begin
    if kind == "integral":
        return seen.share @ at_nodes
    if duration == 0.0:
        return last if kind == "mean" else 0.0
    mean = seen.share @ at_nodes / duration
    return mean if kind == "mean" else math.sqrt(seen.share @ (at_nodes - mean) ** 2 / duration)


def quantity(name, places, packed, extra_outputs):
    """A state, an output, an extra output or `t`, looked up in this order, at n places: (n,)."""
    model, rows = packed.model, places.rows
    if name in model.states.names:
        return rows.x[:, model.states.index(name)]
    if name in model.output_records.names:
        return outputs_at(packed, rows, places.weight)[:, model.output_records.index(name)]
    if name not in extra_outputs:
        return rows.t

    def at(charts):
        given = zip(rows.t, rows.x, charts, strict=True)
        return np.array([extra_outputs[name](t, x, packed.problem.p, int(chart)) for t, x, chart in given])

    adjacent = np.where(rows.adjacent_chart >= 0, rows.adjacent_chart, rows.chart)
    return places.weight * at(rows.chart) + (1.0 - places.weight) * at(adjacent)


def both(config):
    plan = Plan(config)
    values, stop = plan.values(0, plan.n_rows), np.zeros(1, np.int64)
    return BatchRunner(config).run(values, stop), OracleRunner(config).run(values, stop)


def assert_same(config, mean=1e-6, outputs=0.0, extremes=1e-9, noise=0.0):
    """The same bits, but for means and extremes: the oracle finds them in another way.

    `mean`, `outputs`, `extremes` : how far means may be off, final values of outputs and extra outputs, and extremes.
    `noise` : how far means and extremes may be off near zero.
    """
    compiled, one_by_one = both(config)
    assert list(compiled) == [metric.name for metric in config.metrics]
    for metric in config.metrics:
        ours, theirs = compiled[metric.name], one_by_one[metric.name]
        assert ours.dtype.kind in ("OU" if metric.kind == "status" else theirs.dtype.kind)
        is_known = metric.quantity in ("", *config.run.model.states.names, "t")
        over_time = any(each.kind in ("mean", "integral", "std") for each in metric.operands or (metric,))
        tolerance = mean if over_time else 0.0 if is_known else outputs
        tolerance = max(tolerance, extremes * (metric.kind in ("min", "max")))
        if tolerance > 0.0:
            np.testing.assert_allclose(
                ours, theirs, rtol=tolerance, atol=max(1e-3 * tolerance, noise), err_msg=metric.name
            )
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=metric.name)
    return compiled
