"""Iterator 4: from chart to chart.

Begin in a chart; flow until a boundary, a stop or the end; if a boundary, make its transition and repeat; if stopped,
return why.
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import iterator
from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import integer
from hybridsim.engine.entering import enter
from hybridsim.engine.flow import flow
from hybridsim.engine.state import FLOWING
from hybridsim.engine.status import CROSSED, GO_ON, TOO_MANY_STEPS
from hybridsim.engine.transitions import jump


@routine(integer, integer)
def advance(problem, state, workspace, record, budget):
    """Make at most `budget` steps and events; returns GO_ON if there is more to do, else the code of a Status."""
    problem, workspace, record = loaded(problem), loaded(workspace), loaded(record)
    max_steps = problem.settings.max_steps
    state.budget = min(budget, max_steps - state.steps)
    # ENOUGH is less than GO_ON: a chunk that is used up has not ended the run. The codes of a Status are greater.
    outcome = max(run_chunk(problem, state, workspace, record), GO_ON)
    return TOO_MANY_STEPS if outcome == GO_ON and state.steps >= max_steps else outcome


@iterator
def run_chunk(problem, state, workspace, record):
    """Go from chart to chart until the chunk is used up (ENOUGH) or the run ends (the code of a Status)."""
    while True:
        outcome = (
            flow(problem, state, workspace, record) if state.phase == FLOWING else enter(problem, state, workspace)
        )
        if outcome == CROSSED:
            outcome = jump(problem, state, workspace, record)
        if outcome != GO_ON:
            return outcome
