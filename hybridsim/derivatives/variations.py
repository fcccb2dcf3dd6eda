"""How a run varies with its initial state, its parameters and its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.derivatives.replay_memory import (
    REPLAY_SIZES_DTYPE,
    SUCCESS,
    ReplayArguments,
    results_of,
    scratch_of,
)
from hybridsim.engine.columns import EventTable, StepTable
from hybridsim.engine.compiler.compilation import CompiledFunctions
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, FIRST_LANE
from hybridsim.engine.compiler.dual_lanes import duals as duals_of
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.routines import table_of
from hybridsim.engine.memory import AT_LIMIT, EVENT_KINDS, NO_INPUTS, NOWHERE, ZENO, make_record
from hybridsim.engine.methods import Tableau
from hybridsim.errors import SimulationError
from hybridsim.model import Model
from hybridsim.model.records import REST_BY_TRANSITION
from hybridsim.results.events import Events
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.row_loops import PARAMETER
from hybridsim.typing import FloatArray, IntArray

replay_record = Entry("hybridsim.derivatives.replay:replay_rows")

Kept = tuple[ReplayArguments, Callable[[], Any]]
KeptMemory = dict[tuple[int, ...], Kept]
"""Memory of replays and their calls, by how many rows and jumps it has room for."""

RecordedRows = Trajectory | StepTable
RecordedEvents = Events | EventTable
"""The rows of a run with every step, and its events."""


@dataclass(frozen=True, slots=True)
class Variations:
    """Derivatives of a run with respect to n variables.

    Attributes
    ----------
    at_row : (n_rows, n_states, n) array
        Of the state at each row, at its fixed time.
    time : (n_jumps, n) array
        Of the time of each jump [s].
    before, after : (n_jumps, n_states, n) array
        Of the state before and after each jump, at the jump's own time.
    rate : (n_jumps,) array
        Rate, along the flow, of what is zero at the event: of the boundary that crosses [boundary unit/s], or of the
        rate of a boundary where it touches or a slide ends [boundary unit/s^2]. Near zero the event grazes, and its
        derivatives grow without limit. nan for jumps that follow at the same instant, and for those without a boundary.
    tie : (n_jumps,) array
        Largest difference between the derivatives of the times of boundaries that cross together [s]: where it is not
        zero, they cross one after the other nearby, and the derivative is that of the first.

    At the rows between two jumps at one instant the derivatives are those at the time of these jumps.
    """

    at_row: FloatArray
    time: FloatArray
    before: FloatArray
    after: FloatArray
    rate: FloatArray
    tie: FloatArray


def vary(
    model: Model,
    duals: CompiledFunctions,
    method: Tableau,
    p: FloatArray,
    rows: RecordedRows,
    events: RecordedEvents,
    variables: tuple[IntArray, IntArray],
    *,
    inputs: Mapping[str, Any] | None = None,
    start: FloatArray | None = None,
    by_chance: NDArray[np.bool_] | None = None,
    kept: KeptMemory | None = None,
) -> Variations:
    """Replay a run on dual numbers.

    Parameters
    ----------
    model : Model
        The model.
    duals : CompiledFunctions
        Its functions `REPLAYED` on dual numbers.
    method : Tableau
        The method of the run.
    p : (n,) array
        Packed parameters.
    rows, events : Trajectory or tables
        The record, with every step.
    variables : pair of (n,) int arrays
        Kinds, STATE or PARAMETER, and indices in x or p of the variables.
    inputs : mapping of str, optional
        The inputs, if they change during the run: entries of `ReplayArguments`, see `evaluation.inputs_in`.
    start : (n_states, n) array, optional
        Derivatives of the state at the first row; by default 1 for each variable that is a state, else 0.
    by_chance : (n_jumps,) array, optional
        Jumps that are at the instant of the one before, but do not follow from it; by default none.
    kept : dict, optional
        Memory of former replays of the same model, method and inputs, which is used again; it may be empty at first.

    Returns
    -------
    Variations
        The derivatives.

    Raises
    ------
    SimulationError
        If the method or the record cannot be replayed.
    """
    refuse_method(method)
    replay, call = _memory(model, duals, method, p, rows, events, inputs, kept={} if kept is None else kept)
    (kind, index), jumps, parts = variables, np.count_nonzero(np.asarray(events.declined) == 0), []
    replay.by_chance[:jumps] = False if by_chance is None else by_chance
    n = len(kind)
    results = [getattr(replay, name)[: len(rows.t) if name == "at_row" else jumps] for name in DERIVATIVE_ARRAYS]
    for first in range(0, max(n, 1), DUAL_LANES):
        lanes = slice(first, first + DUAL_LANES)
        _seed(replay, rows, kind[lanes], index[lanes], None if start is None else start[:, lanes])
        call()
        _refuse_outcome(replay, events)
        parts.append([values[..., : n - first].copy() for values in results])
    at_row, time, before, after = (
        each[0] if len(parts) == 1 else np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)
    )
    return Variations(at_row, time, before, after, replay.rate[:jumps].copy(), replay.tie[:jumps].copy())


def refuse_method(method: Tableau) -> None:
    """Raise a SimulationError if the steps of a method cannot be replayed on dual numbers.

    Those of a Rosenbrock method contain derivatives already; replayed, they would need one more of each.
    """
    if method.gamma:
        raise SimulationError(
            f"derivatives of a run: the steps of {method.name} cannot be replayed on dual numbers; "
            "make the run with an explicit method, for instance engine.method: dop853"
        )


DERIVATIVE_ARRAYS = ("at_row", "time_of", "before", "after")
"""The arrays of `ReplayArguments` in which each pass leaves derivatives."""


def jumps_of(events: RecordedEvents) -> IntArray:
    """Return the indices of the events that have changed something."""
    return (np.asarray(events.declined) == 0).nonzero()[0]


def _kinds(events: RecordedEvents) -> IntArray:
    """Return the kinds of the events as numbers; a Trajectory has them as words."""
    kinds = np.asarray(events.kind)
    numbers = [EVENT_KINDS.index(kind) for kind in kinds] if kinds.dtype.kind == "U" else kinds
    return np.array(numbers, np.int64)  # also of none


def _memory(
    model: Model,
    duals: CompiledFunctions,
    method: Tableau,
    p: FloatArray,
    rows: RecordedRows,
    events: RecordedEvents,
    inputs: Mapping[str, Any] | None,
    *,
    kept: KeptMemory,
) -> Kept:
    """Return the memory of a replay with the record in it, and its call."""
    n_rows, n_boundaries, jumps = len(rows.t), len(model.boundary_records), jumps_of(events)
    capacity = tuple(2 ** max(int(n).bit_length(), least) for n, least in ((n_rows, 6), (len(jumps), 3)))
    if capacity not in kept:
        kept[capacity] = _new_memory(model, duals, method, len(p), inputs, capacity)
    replay, call = kept[capacity]
    replay.sizes["n_rows"] = n_rows
    for name in REPLAYED_COLUMNS:
        getattr(replay, name)[:n_rows] = getattr(rows, name)
    replay.jump[:n_rows] = NOWHERE
    replay.jump[: n_rows - 1][rows.j[1:] != rows.j[:-1]] = np.arange(len(jumps))
    replay.kind[: len(jumps)] = kinds = _kinds(events)[jumps]
    replay.crossed[: len(jumps), :n_boundaries] = crossed = np.asarray(events.crossed)[jumps]
    asks = [boundary.rest == REST_BY_TRANSITION for boundary in model.boundary_records]
    if any(asks):
        at_limit = (kinds == ZENO)[:, None] & np.array(asks)
        replay.crossed[: len(jumps), :n_boundaries] = np.where(crossed & at_limit, AT_LIMIT, crossed)
    replay.rate[:], replay.tie[:], replay.answer[:], replay.last_step[:], replay.pull[:] = np.nan, 0.0, 0, 1.0, 0.0
    replay.p[:, 0], replay.constants[:, 0] = p, p
    return replay, call


def _new_memory(
    model: Model,
    duals: CompiledFunctions,
    method: Tableau,
    n_parameters: int,
    inputs: Mapping[str, Any] | None,
    capacity: tuple[int, ...],
) -> Kept:
    """Make the memory of replays of so many rows and jumps, at most."""
    (n_rows, n_jumps), n_states, n_boundaries = capacity, len(model.states), len(model.boundary_records)
    stages, degree = method.extension.shape
    continuous = [index for index, state in enumerate(model.states) if state.continuous]
    no_inputs = {"held": NO_INPUTS[0], "input_indices": NO_INPUTS[1], "which": np.zeros(n_rows, np.int64)}
    sizes = make_record(
        REPLAY_SIZES_DTYPE,
        n_states=n_states,
        n_moving=continuous[-1] + 1 if continuous else 0,
        n_boundaries=n_boundaries,
        stages=method.stages,
        rows=stages,
        degree=degree,
        pieces=max(method.series_order // ORDERS_OF_PIECE, 1),
        has_sliding_field="sliding_field" in model.functions,
    )
    arrays: dict[str, Any] = {
        **{name: np.zeros(n_rows) for name in ("t", "step")},
        "x": np.zeros((n_rows, n_states)),
        **{name: np.zeros(n_rows, np.int64) for name in ("chart", "adjacent_chart", "surface", "jump")},
        **{name: np.zeros(n_jumps + 1, np.int64) for name in ("kind", "by_chance")},
        "crossed": np.zeros((n_jumps, max(n_boundaries, 1)), np.int64),
        **scratch_of(n_states, n_boundaries, stages),
        **results_of(n_rows, n_jumps, n_states),
    }
    replay = ReplayArguments(
        sizes=sizes,
        functions=duals.addresses,
        a=method.a,
        c=method.c,
        extension=np.ascontiguousarray(method.extension.T),
        **(inputs or no_inputs),
        p=duals_of(n_parameters),
        constants=duals_of(n_parameters),
        continuous=np.array([state.continuous for state in model.states], np.int64),
        **arrays,
    )
    if not JIT:
        return replay, partial(replay_record, replay)
    table, function = table_of(replay), replay_record.c_function(replay)
    return replay, lambda address=int(table.ctypes.data), _alive=table: function(address)


ORDERS_OF_PIECE = 2
"""A step along a series is replayed in steps of DOP853, at first one for so many orders of the series."""

REPLAYED_COLUMNS = ("t", "step", "chart", "adjacent_chart", "surface", "x")
"""The columns of the record that a replay reads."""


def _seed(
    replay: ReplayArguments, rows: RecordedRows, kind: IntArray, index: IntArray, start: FloatArray | None
) -> None:
    """Give the variables of a pass their derivative 1, each in a lane of its own."""
    replay.x_now[:], replay.moment[:], replay.time[:] = 0.0, 0.0, 0.0
    replay.p[:, FIRST_LANE:] = 0.0
    replay.x_now[:, 0] = rows.x[0]
    for lane, (which, i) in enumerate(zip(kind, index, strict=True)):
        if which == PARAMETER:
            replay.p[i, FIRST_LANE + lane] = 1.0
        elif start is None:
            replay.x_now[i, FIRST_LANE + lane] = 1.0
    if start is not None:
        replay.x_now[:, FIRST_LANE : FIRST_LANE + len(kind)] = start


def _refuse_outcome(replay: ReplayArguments, events: RecordedEvents) -> None:
    outcome, jump = replay.answer.tolist()
    if outcome == SUCCESS:
        return
    t = float(events.t[jumps_of(events)[jump]])
    raise SimulationError(
        f"sensitivity: replayed on dual numbers, the transition at t = {t:.9g} s leads to another chart than recorded; "
        "it must decide by values only"
    )
