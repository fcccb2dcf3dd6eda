"""Outputs of a run between its rows, by the functions of its model along the run's own interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.columns import StepTable
from hybridsim.engine.entry import connect
from hybridsim.engine.log import make_log
from hybridsim.engine.memory import NOWHERE, UNDECIDED
from hybridsim.errors import ConfigError
from hybridsim.results.input_history import InputHistory
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.evaluation import outputs_at, weights_at
from hybridsim.simulation.packing import Packed, lay_out
from hybridsim.simulation.rebuild import change_notes, config_of
from hybridsim.simulation.reduction import outputs_to_record, places_of
from hybridsim.typing import FloatArray, IntArray

Evaluator = Callable[[StepTable], FloatArray]

_known: WeakKeyDictionary[Trajectory, Evaluator] = WeakKeyDictionary()
"""Runs of this process, and what evaluates their recorded outputs."""


def remember(
    run: Trajectory, config: RunConfig, packed: Packed, history: InputHistory, machine: Any = None
) -> Trajectory:
    """Evaluate the outputs of a run with what has computed it; `machine` is kept alive."""
    chosen = places_of(outputs_to_record(config), config.model.columns)

    def evaluate(rows: StepTable, _kept: Any = machine) -> FloatArray:
        values: FloatArray = outputs_at(packed, rows, weights_at(packed, rows, history), history)[:, chosen]
        return values

    _known[run] = evaluate
    return run


def outputs_between(run: Trajectory, rows: IntArray, t: FloatArray) -> FloatArray:
    """Evaluate the recorded outputs of a run between its rows.

    Parameters
    ----------
    run : Trajectory
        The run; if it comes from a file, its model is loaded as `view` loads it.
    rows : (m,) array of int
        The row before each time.
    t : (m,) array
        The times [s].

    Returns
    -------
    (m, n_outputs) array
        The outputs [their units].

    Raises
    ------
    ConfigError
        If the model is not there, or is not that of the run any more.
    """
    if run not in _known:
        _rebuild(run)
    before = {name: getattr(run, name)[rows] for name in ("j", "chart", "adjacent_chart", "surface")}
    none = {"certificate": np.full(len(t), UNDECIDED), "extension": np.zeros((len(t), 0, len(run.states)))}
    step = np.zeros(len(t)) if run.step is None else run.step[rows]
    return _known[run](StepTable(t=t, x=run.at(t), step=step, **before, **none))


def _rebuild(run: Trajectory) -> None:
    """Load the model of a run again."""
    config = config_of(run, use="view")
    changes = change_notes(run, config.model.sources, "view")
    if changes:
        raise ConfigError(changes)
    packed, machine = lay_out(config), None
    if (run.adjacent_chart != NOWHERE).any():  # without the engine's routines the weights of slides are not found
        log = make_log(0, 1, len(config.model.states), len(config.model.boundary_records), 0)
        packed.state["step"] = run.t[-1] - run.t[0] or 1.0
        machine = connect(packed.problem, packed.state, packed.workspace, log)
    remember(run, config, packed, run.inputs, machine)
