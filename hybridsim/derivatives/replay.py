"""The derivative of a run: its recorded steps and jumps, replayed on dual numbers.

What is differentiated is the map that the engine has computed, with its steps held fixed: the derivatives have no noise
from the control of the step size, and equal those of the exact flow as far as the run equals it.
"""

from __future__ import annotations

from hybridsim.derivatives.replay_events import keep, replay_jump, resume
from hybridsim.derivatives.replay_memory import SUCCESS
from hybridsim.derivatives.replay_steps import replay_step
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_SIZE
from hybridsim.engine.compiler.routines import loaded
from hybridsim.engine.memory import NOWHERE, ZENO


@kernel
def set_values(c, row):
    """Set the values of x_now to the recorded ones, so that every comparison in the model decides as in the run."""
    for m in range(c.sizes.n_states):
        c.x_now[m * DUAL_SIZE] = c.x[row * c.sizes.n_states + m]


@kernel
def hold(c, row):
    """Set the inputs that hold at a row."""
    n = c.input_indices[0]
    for i in range(n):
        index, value = c.input_indices[1 + i] * DUAL_SIZE, c.held[c.which[row] * n + i]
        c.p[index], c.constants[index] = value, value


@kernel
def leads_to_limit(c, row):
    """Return whether the step from this row is the straight piece that leads to the limit of jumps."""
    return c.jump[row + 1] != NOWHERE and c.kind[c.jump[row + 1]] == ZENO


def replay_rows(replay):
    """Replay the recorded rows one after the other."""
    c = loaded(replay)
    flows, after_jump = False, False
    for row in range(c.sizes.n_rows - 1):
        set_values(c, row)
        hold(c, row)
        if c.jump[row] != NOWHERE:
            keep(c, c.at_row, row)
            outcome = replay_jump(c, row, flows)
            flows, after_jump = False, True
            if outcome != SUCCESS:
                c.answer[0], c.answer[1] = outcome, c.jump[row]
                return
        else:
            if after_jump:
                resume(c, row)
                after_jump = False
            keep(c, c.at_row, row)
            if not leads_to_limit(c, row):
                replay_step(c, row)
            flows = True
    last = c.sizes.n_rows - 1
    set_values(c, last)
    if after_jump:
        resume(c, last)
    keep(c, c.at_row, last)
