"""What makes an identification impossible: functions that are not finite, and phases that do not follow each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.identification.problem import Path, Problem
from hybridsim.model import Model
from hybridsim.typing import FloatArray


def refuse_impossible(problem: Problem) -> None:
    """Raise a ConfigError if slopes are not finite at the guess, or a boundary is not active where a phase ends."""
    if found := [text for path in problem.paths for text in _impossible(problem, path)]:
        raise ConfigError(dict.fromkeys(found))


def _impossible(problem: Problem, path: Path) -> Iterator[str]:
    model, parameters = problem.config.model, problem.z[problem.parameters]
    phases = zip(path.nodes(problem.z), path.crossed, strict=True)
    for number, ((grid, t, x, inputs), crossed) in enumerate(phases):
        rows = np.column_stack([x, inputs, np.tile(parameters, (len(t), 1))])
        slopes, by = grid.field("vector_field", t, rows, grid.chart)
        wrong = np.argwhere(~(np.isfinite(slopes) & np.isfinite(by).all(axis=2)))
        for node, state in wrong[:1].tolist():
            yield (
                f"guess: the slope of {model.states.names[state]} is not finite, or its derivatives are not, at node "
                f"{node} of phase {number}, t = {t[node]:g} s; give guesses at which the model is defined"
            )
        if crossed is None or len(wrong):
            continue
        if not np.isfinite(grid.field("boundaries", t[-1:], rows[-1:], grid.chart)[0][0, crossed]):
            yield (
                f"phases.{number}.until: {model.boundary_records.names[crossed]} is not active in chart "
                f"{_name(model, grid.chart)}, so that the phase cannot end there; name a boundary that is"
            )


def wrong_transition(problem: Problem, z: FloatArray) -> str:
    """Return a sentence on a transition that leads to another chart than that of the next phase; "" if none does."""
    model = problem.config.model
    parameters = problem.parameters_at(z)
    for path in problem.paths:
        for number, ((before, t, x, inputs), (after, *_)) in enumerate(pairwise(path.nodes(z))):
            crossed = np.zeros(len(model.boundary_records), np.int64)
            crossed[path.crossed[number]] = 1
            given = dict(zip(problem.config.inputs, inputs[-1].tolist(), strict=True))
            chart = before.field.functions.transition(
                t[-1], x[-1], before.chart, crossed=crossed, parameters=parameters, inputs=given
            )[1]
            if chart != after.chart:
                where = "declines" if chart < 0 else f"leads to chart {_name(model, int(chart))}"
                return (
                    f"phases: the transition at the end of phase {number} {where}, and phase {number + 1} is in "
                    f"chart {_name(model, after.chart)}"
                )
    return ""


def _name(model: Model, chart: int) -> str:
    return model.charts.names[chart] if chart < len(model.charts.names) else str(chart)
