"""The bundled models at states that the runs of their configs visit."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hybridsim.config import load_config
from hybridsim.derivatives.matrix import LabelledMatrix
from hybridsim.simulation import ModelFunctions, Simulation
from hybridsim.simulation.packing import lay_out
from hybridsim.simulation.row_functions import RowFunctions

CONFIGS = Path(__file__).parents[2] / "configs"
FOLDERS = ("basics", "walkers")
SMALL = sorted(str(f.relative_to(CONFIGS)) for f in CONFIGS.glob("*/*.yaml") if f.parent.name in FOLDERS)
HEAVY = ("walkers/disk_feet.yaml", "walkers/kneed_walker.yaml", "walkers/straight_legs.yaml")
LIGHT = [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in HEAVY)) for name in ("slip.yaml", *SMALL)]
HEXAPOD = "hexapod/speed-1.yaml"
CONFIG_NAMES = [*LIGHT, pytest.param(HEXAPOD, marks=[pytest.mark.slow, pytest.mark.exhaustive])]
"""Configs; the derivatives of the hexapod are compiled for a minute, and those of the heavy walkers for half of it."""


class Point(NamedTuple):
    """Time, state, packed parameters, chart, and for a transition which boundaries cross."""

    t: float
    x: np.ndarray
    p: np.ndarray
    chart: int
    crossed: np.ndarray | None = None


def differentiate(model, function, point, wrt):
    """Return the derivatives of a function at a point, by names."""
    f = ModelFunctions(RowFunctions(model, point.p))
    crossed = None if point.crossed is None else point.crossed[: len(model.boundary_records)]
    values = f.jacobian(function, point.t, point.x, point.chart, wrt=wrt, crossed=crossed)
    return LabelledMatrix(values, f.names(function), f.variables(wrt))


@lru_cache(maxsize=1)
def run_of(config):
    """Return the model of a config, its run and its packed parameters."""
    # The hexapod's resistance per distance is infinite at rest, and no difference finds its slope close to that. Within
    # 2 s it visits all of its charts.
    moving = ["initial.v_y=0.1", "final_time=3"] if config.startswith("hexapod") else []
    settings = load_config(CONFIGS / config, ["record=true", *moving])
    return settings.model, Simulation.from_config(settings).run(), lay_out(settings).problem.p


def points_of(config):
    """Return a point within the last step in each chart that the run visits: at its start a model may be singular."""
    _, run, p = run_of(config)
    points = {}
    for row in np.flatnonzero(run.step > 0.0):
        middle = 0.5 * (run.t[row] + run.t[row + 1])
        points[int(run.chart[row])] = Point(middle, run.at(middle), p, int(run.chart[row]))
    assert len(points) == len(set(run.chart[run.step > 0.0]))
    return list(points.values())


def jumps_of(config):
    """Return a point just before the last transition of each kind: from which chart, at which boundaries."""
    model, run, p = run_of(config)
    jumps = {}
    for event in run.events:
        if event.kind == "crossing" and not event.declined:
            flags = np.array([*(int(name in event.boundaries) for name in model.boundary_records.names), 0], np.int64)
            jumps[event.chart_before, event.boundaries] = Point(
                event.t, event.x_before, p, event.chart_before, crossed=flags
            )
    return list(jumps.values())


def n_results(model, name):
    """Return the length of the array that a function writes."""
    return len({"boundaries": model.boundary_records, "outputs": model.output_records}.get(name, model.states))
