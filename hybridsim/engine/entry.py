"""The engine's entry points: the functions that Python calls, compiled once for all models and cached on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numba
import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compiler.engine_cache import compile_entry, compile_routines
from hybridsim.engine.compiler.linking import kernel
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.routines import ROUTINES, TABLES, caller_of_routines, table_of, table_type
from hybridsim.engine.compiler.signatures import (
    BOUNDARIES,
    FUNCTION_INDEX,
    INITIAL_CHART,
    OUTPUTS,
    TRANSITION,
    VALIDATE,
    VECTOR_FIELD,
    call_initial_chart,
    call_outputs,
    call_transition,
    call_validate,
    call_vector_field,
    pointers,
)
from hybridsim.engine.events.input_changes import cut, resume
from hybridsim.engine.events.touches import MAX_TOUCHES
from hybridsim.engine.execution import advance
from hybridsim.engine.landing import MAX_CASCADE
from hybridsim.engine.log import Log
from hybridsim.engine.memory import Columns, Problem, Workspace
from hybridsim.engine.sliding import weight_at
from hybridsim.engine.state import STATE_DTYPE
from hybridsim.typing import IntArray

SPARE_ROWS = 64
"""Rows and events of the log beyond those of a chunk's steps, jumps and touches: for the ends of a run and of slides,
accumulations and changes of inputs."""


def log_capacity(budget: int) -> int:
    """The rows, and the events, that the log must hold for chunks of at most `budget` steps and events."""
    return budget + MAX_CASCADE + MAX_TOUCHES + SPARE_ROWS  # no chunk ends between the jumps of one instant


class Jumps(NamedTuple):
    """n rows at which a model's transition or `validate` is called, and one row of scratch."""

    functions: IntArray
    p: NDArray[np.float64]
    t: NDArray[np.float64]
    x: NDArray[np.float64]  # (n, width)
    chart: IntArray
    crossed: IntArray  # (n, n_boundaries)
    x_new: NDArray[np.float64]  # (n, width)
    answer: IntArray  # (n,) the chart or number returned
    x_here: NDArray[np.float64]  # (width,)
    x_there: NDArray[np.float64]
    crossed_here: IntArray  # (n_boundaries,)
    held: NDArray[np.float64]  # as in Columns
    input_indices: IntArray
    which: IntArray


def jumps(rows: Columns, crossed: IntArray) -> Jumps:
    """The same rows, with the crossed boundaries, (n, n_boundaries), and arrays for the results."""
    n, width = rows.x.shape
    given: dict[str, Any] = {name: value for name, value in rows._asdict().items() if name != "y"}
    room: dict[str, Any] = {"x_new": np.zeros_like(rows.x), "answer": np.zeros(n, np.int64)}
    room |= {"x_here": np.zeros(width), "x_there": np.zeros(width)}
    return Jumps(crossed=crossed, crossed_here=np.zeros(max(crossed.shape[1], 1), np.int64), **given, **room)


@dataclass(frozen=True, eq=False)
class Machine:
    """The arrays of a run, connected with the engine's routines, so that `run` can advance them.

    Attributes
    ----------
    problem, workspace, record : named tuples of arrays
        The memory of the run.
    state : (1,) array of STATE_DTYPE
        Its scalars.
    address, cut_address, resume_address : int
        Addresses of the routines `advance`, `cut` and `resume`.
    state_address : int
        Address of the record `state`, in which compiled code finds the tables.
    tables : tuple of (n,) arrays
        Arrays that hold the addresses of the arrays in `problem`, `workspace` and `record`; they must live as long as
        the run.
    """

    problem: Problem
    state: Any
    workspace: Workspace
    record: Log
    address: int
    state_address: int
    cut_address: int
    resume_address: int
    tables: tuple[Any, ...]


_addresses: list[tuple[int, ...]] = []
"""Addresses of the engine's routines, after the first call of `connect`."""


def connect(problem: Problem, state: Any, workspace: Workspace, record: Log) -> Machine:
    """Write the addresses by which the engine's routines find each other and the arrays."""
    if not JIT:
        machine = Machine(problem, state, workspace, record, *(0, id(state), 1, 2), ())
        _interpreted_machines[machine.state_address] = machine
        return machine
    if not _addresses:  # they have the same types in every run
        kinds = table_type(problem), numba.typeof(state).dtype, table_type(workspace), table_type(record)
        _addresses.append(compile_routines(*kinds))
    problem.functions[len(FUNCTION_INDEX) :] = _addresses[0]
    tables = table_of(problem), table_of(workspace), table_of(record)
    for name, table in zip(TABLES, tables, strict=True):
        state[f"{name}_table"] = table.ctypes.data
    main, first, second = (_addresses[0][ROUTINES.index(name)] for name in ("advance", "cut", "resume"))
    return Machine(problem, state, workspace, record, main, state.ctypes.data, first, second, tables)


def run(machine: Machine, budget: int) -> int:
    """Advance a run by at most `budget` steps and events; returns GO_ON or the code of a Status."""
    code: int = _run(machine.address, machine.state_address, budget)
    return code


def cut_record(machine: Machine) -> int:
    """Cut the log at state.t_look, where inputs change; see `input_changes.cut`."""
    code: int = _run(machine.cut_address, machine.state_address, 0)
    return code


def resume_run(machine: Machine, first: int) -> None:
    """Go to where the log has been cut; see `input_changes.resume`."""
    _run(machine.resume_address, machine.state_address, first)


def _call_interpreted(address: int, state_address: int, number: int) -> int:
    machine = _interpreted_machines[state_address]
    arrays = pointers(machine.problem), machine.state[0], pointers(machine.workspace), pointers(machine.record)
    code: int = (advance, cut, resume)[address](*arrays, number)
    return code


_interpreted_machines: WeakValueDictionary[int, Machine] = WeakValueDictionary()

call_machine = caller_of_routines(STATE_DTYPE) if JIT else _call_interpreted


def _run(address, state_address, number):
    return call_machine(address, state_address, number)


@kernel
def hold(c, row):
    """Write the inputs held at a row to p."""
    n = c.input_indices[0]
    for i in range(n):
        c.p[c.input_indices[1 + i]] = c.held[c.which[row] * n + i]


def _evaluate_outputs(columns, n, width, n_outputs):
    """Set y[row] = outputs(t[row], x[row], chart[row])."""
    c = pointers(columns)
    for row in range(n):
        hold(c, row)
        call_outputs(c.functions[OUTPUTS], c.y, row * n_outputs, c.t[row], c.x, row * width, c.p, c.chart[row])


def _evaluate_slopes(columns, n, width):
    """Set y[row] = vector_field(t[row], x[row], chart[row])."""
    c = pointers(columns)
    for row in range(n):
        at = row * width
        hold(c, row)
        call_vector_field(c.functions[VECTOR_FIELD], c.y, at, c.t[row], c.x, at, c.p, c.chart[row])


def _evaluate_weights(problem, states, workspace, rows, adjacent_chart, surface, step, x, n, width):
    """Set y[row] to the weight of chart[row] in a slide between it and adjacent_chart[row] along surface[row].

    `states` is a copy of the run's scalars, and x is scratch: evaluating a run must not change it.
    """
    c, here, state = pointers(rows), pointers(x), states[0]
    problem, workspace = pointers(problem), pointers(workspace)
    for row in range(n):
        state.chart, state.adjacent_chart, state.surface = c.chart[row], adjacent_chart[row], surface[row]
        for m in range(width):
            here.x[m] = c.x[row * width + m]
        c.y[row] = weight_at(problem, state, workspace, c.t[row], here.x, step[row])


def _evaluate_boundaries(columns, n, width, n_boundaries):
    """Set y[row] = boundaries(t[row], x[row], chart[row]); inactive boundaries leave y as it is."""
    c = pointers(columns)
    for row in range(n):
        hold(c, row)
        call_outputs(c.functions[BOUNDARIES], c.y, row * n_boundaries, c.t[row], c.x, row * width, c.p, c.chart[row])


def _apply_transitions(rows, n, width, n_boundaries):
    """Set x_new[row] and answer[row] = transition(t[row], x[row], chart[row], crossed[row])."""
    c = pointers(rows)
    for row in range(n):
        hold(c, row)
        for m in range(width):
            c.x_here[m] = c.x[row * width + m]
            c.x_there[m] = c.x_here[m]
        for i in range(n_boundaries):
            c.crossed_here[i] = c.crossed[row * n_boundaries + i]
        c.answer[row] = call_transition(
            c.functions[TRANSITION], c.x_there, c.t[row], c.x_here, c.p, c.chart[row], c.crossed_here
        )
        for m in range(width):
            c.x_new[row * width + m] = c.x_there[m]


def _evaluate_validity(rows, n, width):
    """Set answer[row] = validate(t[row], x[row], chart[row])."""
    c = pointers(rows)
    for row in range(n):
        for m in range(width):
            c.x_here[m] = c.x[row * width + m]
        hold(c, row)
        c.answer[row] = call_validate(c.functions[VALIDATE], c.t[row], c.x_here, c.p, c.chart[row])


def _find_initial_chart(columns):
    """Let the model finalise the state y, which begins as a copy of x; returns its chart."""
    c = pointers(columns)
    return call_initial_chart(c.functions[INITIAL_CHART], c.y, c.t[0], c.x, c.p)


_run = compile_entry(_run)
evaluate_outputs = compile_entry(_evaluate_outputs)
evaluate_weights = compile_entry(_evaluate_weights)
evaluate_slopes = compile_entry(_evaluate_slopes)
evaluate_boundaries = compile_entry(_evaluate_boundaries)
evaluate_validity = compile_entry(_evaluate_validity)
apply_transitions = compile_entry(_apply_transitions)
find_initial_chart = compile_entry(_find_initial_chart)
