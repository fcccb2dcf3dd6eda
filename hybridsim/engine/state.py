"""The scalars of a run that change as it advances, one row each: `STATE` is the numpy record made of them.

A run can stop after any step and go on later with the same bits, because everything it needs is here, in `Workspace`
and in `Problem`. Writers and readers are modules of the engine; `simulation` stands for the package of that name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STARTING, ENTERING, FLOWING, RESUMING = range(4)
"""What the loop does next, `STATE.phase`: begin the first chart; begin the next chart; flow; or go on in the same chart
after a change of inputs."""


class Slot(NamedTuple):
    """One scalar of the engine's memory."""

    name: str
    dtype: str  # "f8" or "i8": all slots are words of eight bytes
    unit: str
    written_by: str
    read_by: str
    meaning: str


MANY_READERS = "many"
"""In place of the readers of a slot that more than five modules read."""

# fmt: off
# ruff: noqa: E501
STATE_SLOTS = (
    # Time and the step.
    Slot("t", "f8", "s", "accumulation, flow, input_changes, validity", "many", "Time of `Workspace.x`: the run has been computed up to here."),
    Slot("t_start", "f8", "s", "accumulation, runge_kutta", "many", "Start of the last step."),
    Slot("t_new", "f8", "s", "accumulation, runge_kutta", "many", "End of the last step, before an event cuts it."),
    Slot("step", "f8", "s", "accumulation, runge_kutta", "many", "Length of the last step, t_new - t_start."),
    Slot("t_look", "f8", "s", "simulation", "flow, input_changes, simulation", "Time asked for: the loop pauses after the step that passes it."),
    Slot("t_target", "f8", "s", "entering, latching, transitions", "latching, runge_kutta, transitions", "No step goes beyond: the final time, or the next time boundary."),
    Slot("t_event", "f8", "s", "crossings, entering", "crossing_depth, crossings, flow, validity", "Time of the crossing that was found."),
    Slot("t_jump", "f8", "s", "accumulation, landing", "landing", "Time of the last jump; jumps at one instant are counted from it."),
    # The event that is logged next.
    Slot("value", "f8", "boundary", "accumulation, crossing_depth, input_changes, touches, transitions", "log, slide_entry, transitions", "Value of the boundary at the event."),
    Slot("depth", "f8", "boundary", "accumulation, crossing_depth, input_changes, touches, transitions", "crossing_depth, log", "How far below zero the boundary goes on within the step."),
    Slot("error", "f8", "boundary", "accumulation, crossing_depth, input_changes, touches, transitions", "log", "Error estimate of the step in the unit of the boundary."),
    # Slides.
    Slot("probe", "f8", "s", "slide_entry, sliding", "flow, slide_entry, sliding", "Length of the differences that give rates along the two flows."),
    Slot("pull", "f8", "1/s", "flow, slide_entry", "sliding", "Rate at which a slide is drawn back to its surface."),
    Slot("drift", "f8", "boundary", "entering, input_changes, transitions", "at_zero", "How far off its surface a slide may have ended."),
    # Accumulations.
    Slot("accumulation_time", "f8", "s", "accumulation", "accumulation, simulation", "Time of the last accumulation (Zeno), nan before one."),
    Slot("accumulation_error", "f8", "s", "accumulation", "simulation", "Error estimate of that time."),
    # Addresses of the tables of pointers, by which routines find the arrays.
    Slot("problem_table", "i8", "", "entry", "routines", "Address of the table of `Problem`."),
    Slot("workspace_table", "i8", "", "entry", "routines", "Address of the table of `Workspace`."),
    Slot("record_table", "i8", "", "entry", "routines", "Address of the table of `Log`."),
    # Where the run is.
    Slot("chart", "i8", "", "batch, entry, input_changes, landing, metrics, transitions", "many", "Chart of `Workspace.x`; in a slide, the chart that the state came from."),
    Slot("chart_start", "i8", "", "accumulation, runge_kutta", "input_changes, log, simulation", "Chart of the last step."),
    Slot("j", "i8", "", "input_changes, landing", "accumulation, input_changes, landing, log, runge_kutta, simulation", "Number of jumps so far."),
    Slot("j_start", "i8", "", "accumulation, runge_kutta", "input_changes, simulation", "Number of jumps before the last step."),
    Slot("phase", "i8", "", "entering, input_changes, landing, transitions", "entering, execution, input_changes", "What the loop does next: STARTING, ENTERING, FLOWING or RESUMING."),
    Slot("cascade", "i8", "", "landing", "landing, zeno", "Jumps at the present instant, after the first."),
    Slot("certificate", "i8", "", "at_zero, crossings, input_changes, latching, touches", "at_zero, crossings, latching, log", "Certificate of the event that is logged next."),
    # The step size proposed last, and counters of work: a change of inputs keeps these, from h to time_steps.
    Slot("h", "f8", "s", "entering, input_changes, runge_kutta, simulation", "many", "Proposed length of the next step."),
    Slot("steps", "i8", "", "runge_kutta", "entering, execution, runge_kutta, simulation", "Accepted steps."),
    Slot("rejected", "i8", "", "runge_kutta", "runge_kutta, simulation", "Attempted steps that were rejected."),
    Slot("calls", "i8", "", "runge_kutta, sliding", "runge_kutta, sliding, simulation", "Calls of the vector field."),
    Slot("boundary_calls", "i8", "", "activation, boundary_values, slide_entry, sliding", "activation, boundary_values, slide_entry, sliding, simulation", "Calls of the boundary function."),
    Slot("refinements", "i8", "", "crossings", "crossings, simulation", "Iterations of the root finder."),
    Slot("exact_steps", "i8", "", "crossings", "crossings, simulation", "Steps searched with the certificate `exact`."),
    Slot("bounded_steps", "i8", "", "crossings", "crossings, simulation", "Steps searched with the certificate `bounded`."),
    Slot("sampled_steps", "i8", "", "crossings", "crossings, simulation", "Steps searched with the certificate `sampled`."),
    Slot("unresolved_steps", "i8", "", "crossings", "crossings, simulation", "Steps too long to see what a sampled boundary does in them."),
    Slot("halvings", "i8", "", "flow", "crossings, flow", "How often the step has been halved to resolve a sampled boundary."),
    Slot("time_steps", "i8", "", "crossings", "crossings, simulation", "Steps that only time boundaries could end."),
    Slot("transitions", "i8", "", "landing", "landing, transitions, simulation", "Transitions made; declined ones do not count."),
    # Slides: which charts, along which boundary.
    Slot("inputs_changed", "i8", "", "entering, input_changes", "at_zero", "1 while the epoch after a change of inputs is entered."),
    Slot("adjacent_chart", "i8", "", "entry, input_changes, metrics, slide_entry, transitions", "many", "Second chart of a slide, NOWHERE outside slides."),
    Slot("adjacent_chart_start", "i8", "", "accumulation, runge_kutta", "input_changes, log, simulation", "Second chart of the last step."),
    Slot("surface", "i8", "", "entry, input_changes, metrics, slide_entry, transitions", "many", "Boundary of `chart` along which the state slides, or slid last."),
    Slot("surface_back", "i8", "", "slide_entry", "activation, slide_entry, transitions", "Boundary of `adjacent_chart` that leads back to `chart`."),
    Slot("surface_start", "i8", "", "runge_kutta", "input_changes, log, simulation", "`surface` during the last step."),
    Slot("resting", "i8", "", "entering, transitions", "at_zero, latching", "Boundary on whose zero the state is after a slide, else NOWHERE."),
    Slot("resets", "i8", "", "landing", "landing", "Jumps at this instant that changed the state."),
    Slot("surfaces", "i8", "", "landing", "landing", "Jumps at this instant that began a slide or crossed several boundaries."),
    # The boundaries of the chart, and the search of a step.
    Slot("n_active", "i8", "", "activation", "many", "Active boundaries, stops and slide ends: entries of `Workspace.active`."),
    Slot("n_sampled", "i8", "", "activation", "activation, crossings, entering, transitions", "Active ones with the certificate SAMPLED."),
    Slot("n_bounded", "i8", "", "activation", "activation, crossings", "Active ones with the certificate BOUNDED."),
    Slot("active_degrees", "i8", "", "activation", "activation, crossings", "Bit d is set if one with degree d is active (0: not exact)."),
    Slot("step_certificate", "i8", "", "accumulation, activation", "activation, log", "Weakest certificate of the active ones: that of a step."),
    Slot("touch_found", "i8", "", "crossings", "crossings", "1 if the step has a touch to report."),
    Slot("falls_throughout", "i8", "", "crossings, exact_search", "crossings", "1 if the boundary falls along the whole step: it has no minimum."),
    Slot("march_unproved", "i8", "", "bounded_search, crossings", "crossings", "1 if the march made a step that its bound does not prove."),
    Slot("step_unproved", "i8", "", "crossings", "crossings, log", "1 if that happened in the search for crossings of this step."),
    Slot("fault", "i8", "", "bounded_search, crossings, exact_search, sampled_search", "crossings, exact_search", "What is wrong with a boundary in the step: a code of `fall`."),
    Slot("extended", "i8", "", "accumulation, runge_kutta", "runge_kutta", "1 if `Workspace.q` is the extension of the last step."),
    # What a Status is about.
    Slot("end_boundary", "i8", "", "accumulation, at_zero, crossings, latching, transitions", "simulation", "Boundary or stop that ended the run."),
    Slot("end_state", "i8", "", "batch, entering, flow, landing", "simulation", "Index of the state that is not finite."),
    Slot("end_chart", "i8", "", "batch, landing", "simulation", "Number returned by the transition that is no chart."),
    Slot("end_message", "i8", "", "validity", "simulation", "Number returned last by `validate`, other than 0."),
    # The chunk.
    Slot("rows", "i8", "", "input_changes, log, metrics, simulation", "input_changes, log, metrics, simulation", "Rows in the log."),
    Slot("events", "i8", "", "input_changes, log, metrics, simulation", "input_changes, log, metrics, simulation", "Events in the log."),
    Slot("budget", "i8", "", "accumulation, execution, flow, touches, transitions", "accumulation, flow, touches, transitions", "Steps and events left before the loop pauses."),
)
# fmt: on

STATE = np.dtype([(slot.name, slot.dtype) for slot in STATE_SLOTS], align=True)
