"""Going back to a time within the last step, where an input changes.

Looking at a run between its steps needs nothing: the step's continuous extension is there. A change of inputs needs
the engine as it was before that step. All it remembers is copied before each step that may go beyond the time asked
for; what was computed beyond is dropped, and the same steps would be made again if there were no change.
"""

from __future__ import annotations

from ctypes import memmove

import numpy as np

from hybridsim.engine.entry import Machine, cut_record, resume_run, run
from hybridsim.engine.events.input_changes import CUT
from hybridsim.engine.memory import blocks
from hybridsim.engine.state import STATE

UNLIMITED = 2**62

NEAR = 4.0
"""Within so many steps of the time asked for, they are made one by one."""


def _word(name: str) -> int:
    assert STATE.fields is not None
    return int(STATE.fields[name][1]) // 8


KEPT = slice(_word("h"), _word("time_steps") + 1)
"""The words of the record `state` that tell of work done, and the step size proposed last."""

T, T_START, T_LOOK, H = (_word(name) for name in ("t", "t_start", "t_look", "h"))
J, ROWS, EVENTS = _word("j"), _word("rows"), _word("events")


class Rewinder:
    """The memory of a run, and what it was before the last steps.

    Attributes
    ----------
    numbers, words : the record `state` as doubles and as integers, word by word: much faster than by name.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.numbers, self.words = machine.state.view(np.float64), machine.state.view(np.int64)
        memory = (*blocks(machine.workspace), self.words)
        self._before = tuple(block.copy() for block in memory)
        # Addresses: a copy of an array by its name costs three times as much.
        self._copies = [(b.ctypes.data, m.ctypes.data, m.nbytes) for b, m in zip(self._before, memory, strict=True)]

    def remember(self) -> None:
        """Keep what the engine remembers now: it stands in a chart, before a step."""
        for before, block, size in self._copies:
            memmove(before, block, size)

    def look_ahead(self, t: float, most: int) -> int:
        """Set how far to go on the way to time t, and return the steps to make: one by one near it."""
        state = self.numbers
        left, step = t - state[T], state[H]
        far = left > NEAR * step
        state[T_LOOK] = t - 0.5 * NEAR * step if far else t
        return most if far else 1

    def change_at(self, t: float) -> bool:
        """Cut the record at time t, and stand there; False if the run cannot be divided at this time."""
        state, words = self.numbers, self.words
        state[T_LOOK] = t
        ahead, start = state[T] > t, state[T_START]
        if cut_record(self._machine) != CUT:
            return False
        first = int(words[EVENTS]) - 1
        if ahead:
            kept, rows, events = words[KEPT].copy(), words[ROWS], words[EVENTS]
            for before, block, size in self._copies:
                memmove(block, before, size)
            first = int(words[EVENTS])
            if state[T] < start:  # several steps were made at once: once more, up to the last
                state[T_LOOK] = start
                run(self._machine, UNLIMITED)
            words[KEPT], words[ROWS], words[EVENTS] = kept, rows, events
        resume_run(self._machine, first)
        return True
