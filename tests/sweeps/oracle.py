"""A worker that runs each row through `hybridsim.Simulation` and reads its metrics off the recorded trajectory.

Slow and independent of the compiled batch: minima and maxima are taken over the recorded rows, means from a Gauss
quadrature of every step's continuous extension, extra outputs from their plain Python functions.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from hybridsim.config.schema import RecordSettings
from hybridsim.errors import ConfigError
from hybridsim.packing import pack, pack_parameters
from hybridsim.recording import one_row
from hybridsim.simulation import Simulation
from hybridsim.sweeps.batch import Cancelled
from hybridsim.sweeps.keeping import with_values
from hybridsim.wrapping import outputs_at

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
THETA, WEIGHT = 0.5 * (NODES + 1.0), 0.5 * WEIGHTS
WHOLE = ("count", "statistic")


class OracleWorker:
    """The same interface as `hybridsim.sweeps.batch.Worker`."""

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
    simulation = Simulation.__new__(Simulation)
    try:
        simulation._begin(run_config)
        run = simulation.run()
    except ConfigError:  # a start outside its patch: it has a status all the same
        run = simulation.result()
    return {metric.name: metric_of(metric, run, run_config, config.extra_outputs) for metric in config.metrics}


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def metric_of(metric, run, config, extra_outputs):
    if metric.kind == "status":
        return run.status.name
    if metric.kind == "statistic":
        return int(run.statistics[metric.of])
    if metric.kind in ("count", "time"):
        times = [event.t for event in run.events if metric.of in event.boundaries]
        if metric.kind == "count":
            return len(times)
        return times[metric.number - 1] if len(times) >= metric.number else math.nan
    quantity = Quantity(metric.of, config, extra_outputs)
    if metric.kind == "mean":
        return mean(quantity, run)
    at_rows = np.array([quantity(*row) for row in zip(run.t, run.x, run.chart, run.other, run.weight, strict=True)])
    return float({"final": at_rows[-1], "min": at_rows.min(), "max": at_rows.max()}[metric.kind])


class Quantity:
    """`t`, a state, an output or an extra output of a model, at any time of its run."""

    def __init__(self, name, config, extra_outputs):
        model = config.model
        self.kind, self.place = "t", 0
        self.packed = None
        if name in model.states.names:
            self.kind, self.place = "state", model.states.index(name)
        elif name in model.outputs.names:
            self.kind, self.place = "output", model.outputs.index(name)
            self.packed = pack(config)
        elif name in extra_outputs:
            self.kind, self.function = "extra", extra_outputs[name]
            self.p = pack_parameters(model, config.parameters)

    def __call__(self, t, x, chart, other, weight):
        value = self._in(t, x, chart)
        return value if other < 0 else weight * value + (1.0 - weight) * self._in(t, x, other)

    def _in(self, t, x, chart):
        if self.kind == "t":
            return t
        if self.kind == "state":
            return x[self.place]
        if self.kind == "extra":
            return self.function(t, np.append(x, 0.0), self.p, int(chart))
        return outputs_at(self.packed, one_row(t, 0, int(chart), -1, x, 0), np.ones(1))[0, self.place]


def mean(quantity, run):
    """The time integral over the run, divided by its duration; the value itself if it has none."""
    duration = run.t[-1] - run.t[0]
    if duration == 0.0:
        return float(quantity(run.t[0], run.x[0], run.chart[0], run.other[0], run.weight[0]))
    total = 0.0
    for i in np.flatnonzero(np.diff(run.t) > 0.0):
        length = run.t[i + 1] - run.t[i]
        for theta, weight in zip(THETA, WEIGHT, strict=True):
            t = run.t[i] + theta * length
            s = theta * length / run.step[i]
            x = run.x[i] + sum(run.extension[i, d] * s ** (d + 1) for d in range(run.extension.shape[1]))
            total += weight * length * quantity(t, x, run.chart[i], run.other[i], run.weight[i])
    return float(total / duration)
