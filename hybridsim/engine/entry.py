"""The engine's entry points: the functions that Python calls, compiled once for all models and cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from hybridsim.engine.background import BackgroundCode
from hybridsim.engine.compiler.entries import Entry, load_routines, routine_keys
from hybridsim.engine.compiler.object_file import LoadedFunction
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.compiler.routines import ROUTINES, TABLE_ARGUMENTS, caller_of_routines, table_of
from hybridsim.engine.compiler.shape import shape_of
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, integer, pointers
from hybridsim.engine.events.touches import MAX_TOUCHES
from hybridsim.engine.generation import generated_code
from hybridsim.engine.landing import MAX_CASCADE
from hybridsim.engine.log import Log
from hybridsim.engine.memory import Problem, Workspace
from hybridsim.engine.specialisation import engine_for_shape
from hybridsim.engine.state import STATE_DTYPE
from hybridsim.typing import IntArray

SPARE_LOG_ROWS = 64
"""Rows and events of the log beyond those of a chunk's steps, jumps and touches: for the ends of a run and of slides,
accumulations and changes of inputs."""


def log_capacity(budget: int) -> int:
    """The rows, and the events, that the log must hold for chunks of at most `budget` steps and events."""
    return budget + MAX_CASCADE + MAX_TOUCHES + SPARE_LOG_ROWS  # no chunk ends between the jumps of one instant


@dataclass(eq=False)
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
    call : callable
        Calls a routine: `call(address, state_address, number)`.
    tables : tuple of (n,) arrays
        Arrays that hold the addresses of the arrays in `problem`, `workspace` and `record`; they must live as long as
        the run.
    awaited : dict of BackgroundCode to callable
        What may be compiled in the background: the engine for this run's shape, and code for its series; and what uses
        its addresses, once they are there.
    """

    problem: Problem
    state: Any
    workspace: Workspace
    record: Log
    address: int
    state_address: int
    cut_address: int
    resume_address: int
    call: Callable[[int, int, int], int]
    tables: tuple[Any, ...]
    awaited: dict[BackgroundCode, Callable[[IntArray], None]] = field(default_factory=dict)

    def use_routines(self, addresses: IntArray) -> None:
        """Let the run go on with the routines at these addresses."""
        self.problem.functions[len(FUNCTION_INDEX) :] = addresses
        named = (int(addresses[ROUTINES.index(name)]) for name in ("advance", "cut", "resume"))
        self.address, self.cut_address, self.resume_address = named

    def use_series(self, charts: list[int], addresses: IntArray) -> None:
        """Let the series of these charts be computed by the functions at these addresses."""
        self.problem.generated[charts] = addresses

    def await_code(self) -> None:
        """Look for the code that other processes may compile for this run."""
        problem = self.problem
        self.awaited[engine_for_shape(shape_of(problem.settings), _keys[0])] = self.use_routines
        if problem.series_programs.any():
            order = int(problem.settings["series_order"][0])
            code = generated_code(problem.series_programs, len(problem.generated), order)
            self.awaited[code] = partial(self.use_series, code.charts)


MODULES_OF_ROUTINES = ("hybridsim.engine.execution", "hybridsim.engine.events.input_changes")
"""With what they import, these modules contain all routines."""

_loaded_routines: list[tuple[LoadedFunction, ...]] = []
"""The engine's routines for all shapes, after the first call of `connect`."""

_keys: list[tuple[str, ...]] = []
"""The names of their files."""


def connect(problem: Problem, state: Any, workspace: Workspace, record: Log) -> Machine:
    """Write the addresses by which the engine's routines find each other and the arrays."""
    if not JIT:
        machine = Machine(problem, state, workspace, record, *(0, id(state), 1, 2), _call_interpreted, ())
        _interpreted_machines[machine.state_address] = machine
        return machine
    memory = problem, state, workspace, record
    if not _loaded_routines:  # they have the same types in every run
        _loaded_routines.append(load_routines(MODULES_OF_ROUTINES, memory))
        _keys.append(routine_keys(MODULES_OF_ROUTINES, memory))
    tables = table_of(problem), table_of(workspace), table_of(record)
    for name, table in zip(TABLE_ARGUMENTS, tables, strict=True):
        state[f"{name}_table"] = table.ctypes.data
    call = call_routine.c_function(0, 0, 0)
    machine = Machine(problem, state, workspace, record, 0, state.ctypes.data, 0, 0, call, tables)
    machine.use_routines(np.array([routine.address for routine in _loaded_routines[0]], np.int64))
    machine.await_code()
    count_time(machine, 0.0)
    return machine


def replace_log(machine: Machine, record: Log) -> None:
    """Let a run log to these buffers from now on; the caller keeps both these and those before alive meanwhile."""
    if JIT:
        machine.tables[TABLE_ARGUMENTS.index("record")][:] = table_of(record)
    machine.record = record


def count_time(machine: Machine, seconds: float) -> None:
    """Count computing time [s] of a run; from some time on it goes on with code that has been compiled for it."""
    for code, use in [*machine.awaited.items()]:
        code.count(seconds)
        if code.addresses is not None:
            use(code.addresses)
            del machine.awaited[code]


def run(machine: Machine, budget: int) -> int:
    """Advance a run by at most `budget` steps and events; returns GO_ON or the code of a Status."""
    return machine.call(machine.address, machine.state_address, int(budget))  # ctypes takes no numpy integers


def cut_record(machine: Machine) -> int:
    """Cut the log at state.t_look, where inputs change; see `input_changes.cut`."""
    return machine.call(machine.cut_address, machine.state_address, 0)


def resume_run(machine: Machine, first: int) -> None:
    """Go to where the log has been cut; see `input_changes.resume`."""
    machine.call(machine.resume_address, machine.state_address, first)


def _call_interpreted(address: int, state_address: int, number: int) -> int:
    from hybridsim.engine.events.input_changes import cut, resume
    from hybridsim.engine.execution import advance

    machine = _interpreted_machines[state_address]
    arrays = pointers(machine.problem), scalars(machine.state), pointers(machine.workspace), pointers(machine.record)
    with np.errstate(all="ignore"):  # infinities and nan without warnings, as in compiled code
        code: int = (advance, cut, resume)[address](*arrays, number)
    return code


_interpreted_machines: WeakValueDictionary[int, Machine] = WeakValueDictionary()

call_machine = caller_of_routines(STATE_DTYPE) if JIT else _call_interpreted
"""`call_machine(address, state_address, number)` calls a routine in compiled code."""

call_routine = Entry("hybridsim.engine.evaluations:run", integer)
evaluate_weights = Entry("hybridsim.engine.evaluations:evaluate_weights")
