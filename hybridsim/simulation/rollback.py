"""Return to a time within the last step, for an input to change there.

Looking at a run between its steps only evaluates the step's continuous extension. A change of inputs needs the engine
as it was before that step. Its memory is copied before each step that may go beyond the time asked for; the steps
beyond it are dropped, and without a change the engine would make the same steps again.
"""

from __future__ import annotations

from ctypes import memmove

import numpy as np

from hybridsim.engine.entry import Machine, cut_record, resume_run, run
from hybridsim.engine.events.input_changes import CUT
from hybridsim.engine.memory import blocks, word_index
from hybridsim.engine.series_programs import UNPREPARED
from hybridsim.engine.settings import UNLIMITED_STEPS
from hybridsim.engine.state import STATE_DTYPE

STEPS_MADE_SINGLY = 4.0
"""The engine makes one step per call within this many steps of the requested time."""


WORDS_NOT_RESTORED = slice(word_index(STATE_DTYPE, "h"), word_index(STATE_DTYPE, "time_steps") + 1)
"""The words of the record `state` that are not restored: the counts of work done, and the step size proposed last."""

T, T_START, T_LOOK, H, J, ROWS, EVENTS = (
    word_index(STATE_DTYPE, name) for name in ("t", "t_start", "t_look", "h", "j", "rows", "events")
)
"""Indices of scalars among the words of the record `state`."""


class Snapshot:
    """A copy of the engine's memory: its work space and the record `state`.

    Parameters
    ----------
    machine : Machine
        The engine's arrays.
    """

    def __init__(self, machine: Machine) -> None:
        self._state = machine.state
        memory = (*blocks(machine.workspace), machine.state.view(np.int64))
        self._copies = tuple(block.copy() for block in memory)
        # Addresses: a copy of an array by its name costs three times as much.
        self._blocks = [(c.ctypes.data, m.ctypes.data, m.nbytes) for c, m in zip(self._copies, memory, strict=True)]

    def save(self) -> None:
        """Copy the engine's memory; the engine must be in a chart, before a step."""
        for copy, block, size in self._blocks:
            memmove(copy, block, size)

    def restore(self) -> None:
        """Put the copy back."""
        for copy, block, size in self._blocks:
            memmove(block, copy, size)
        self._state["program"] = UNPREPARED  # the tape of series, which is no part of the copy, may be another chart's


class Rollback:
    """Returns a run to a time within its last steps.

    Parameters
    ----------
    machine : Machine
        The engine's arrays.

    Attributes
    ----------
    snapshot : Snapshot
        The engine's memory before the last steps.
    numbers, words : array
        The record `state` as doubles and as integers; access by index is much faster than by name.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.snapshot = Snapshot(machine)
        self.numbers, self.words = machine.state.view(np.float64), machine.state.view(np.int64)

    def look_ahead(self, t: float, most: int) -> int:
        """Set how far the engine may advance towards time t [s]; returns how many steps to make, one if t is near."""
        state = self.numbers
        left, step = t - state[T], state[H]
        far = left > STEPS_MADE_SINGLY * step
        state[T_LOOK] = t - 0.5 * STEPS_MADE_SINGLY * step if far else t
        return most if far else 1

    def change_at(self, t: float) -> bool:
        """Cut the record at time t [s] and put the engine there; False if the run cannot be divided at this time."""
        state, words = self.numbers, self.words
        state[T_LOOK] = t
        ahead, start = state[T] > t, state[T_START]
        if cut_record(self._machine) != CUT:
            return False
        first = int(words[EVENTS]) - 1
        if ahead:
            kept, rows, events = words[WORDS_NOT_RESTORED].copy(), words[ROWS], words[EVENTS]
            self.snapshot.restore()
            first = int(words[EVENTS])
            if state[T] < start:  # several steps were made at once: make them again, up to the last
                state[T_LOOK] = start
                run(self._machine, UNLIMITED_STEPS)
            words[WORDS_NOT_RESTORED], words[ROWS], words[EVENTS] = kept, rows, events
        resume_run(self._machine, first)
        return True
