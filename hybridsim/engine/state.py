"""The scalars of a run that change as it advances, one row each: `STATE_DTYPE` is the numpy record made of them.

A run can stop after any step and continue later with the same bits, because everything it needs is here, in `Workspace`
and in `Problem`. Writers and readers are modules of the engine; `simulation` stands for the package of that name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STARTING, ENTERING, FLOWING, RESUMING = range(4)
"""What the loop does next, the scalar `phase`: begin the first chart; begin the next chart; flow; or continue in the same
chart after a change of inputs."""


class StateSlot(NamedTuple):
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
    StateSlot("t", "f8", "s", "accumulation, flow, input_changes, validity", MANY_READERS, "Time of `Workspace.x`: the run has been computed up to here."),
    StateSlot("t_start", "f8", "s", "accumulation, runge_kutta", MANY_READERS, "Start of the last step."),
    StateSlot("t_new", "f8", "s", "accumulation, runge_kutta", MANY_READERS, "End of the last step, before an event cuts it."),
    StateSlot("step", "f8", "s", "accumulation, runge_kutta", MANY_READERS, "Length of the last step, t_new - t_start."),
    StateSlot("t_look", "f8", "s", "simulation", "flow, input_changes, simulation", "Time asked for: the loop pauses after the step that passes it."),
    StateSlot("t_target", "f8", "s", "entering, latching, transitions", "latching, runge_kutta, transitions", "No step goes beyond: the final time, or the next time boundary."),
    StateSlot("t_event", "f8", "s", "crossings, entering", "crossing_depth, crossings, flow, validity, zeno", "Time of the crossing that was found."),
    StateSlot("t_jump", "f8", "s", "accumulation, landing", "landing", "Time of the last jump; jumps at one instant are counted from it."),
    # The event that is logged next.
    StateSlot("value", "f8", "boundary", "accumulation, crossing_depth, input_changes, touches, transitions", "crossing_depth, log, slide_entry, touches, transitions", "Value of the boundary at the event."),
    StateSlot("depth", "f8", "boundary", "accumulation, crossing_depth, input_changes, touches, transitions", "crossing_depth, crossings, log", "How far below zero the boundary falls within the step."),
    StateSlot("error", "f8", "boundary", "accumulation, crossing_depth, input_changes, touches, transitions", "log, touches, zeno", "Error estimate of the step and its extension in the unit of the boundary."),
    StateSlot("step_error", "f8", "boundary", "crossing_depth", "crossing_depth, crossings", "What of it the end of the step has, without that of the continuous extension."),
    # Slides.
    StateSlot("probe", "f8", "s", "slide_entry, sliding", "flow, slide_entry, sliding", "Finite-difference length of the rates along the two flows."),
    StateSlot("pull", "f8", "1/s", "flow, slide_entry", "sliding", "Rate at which a slide is drawn back to its surface."),
    StateSlot("drift", "f8", "boundary", "entering, input_changes, transitions", "at_zero", "How far off its surface a slide may have ended."),
    # Accumulations.
    StateSlot("accumulation_time", "f8", "s", "accumulation", "simulation", "Time of the last accumulation (Zeno), nan before one."),
    StateSlot("accumulation_error", "f8", "s", "accumulation", "simulation", "Error estimate of that time."),
    # Addresses of the tables of pointers, by which routines find the arrays.
    StateSlot("problem_table", "i8", "", "entry", "tables", "Address of the table of `Problem`."),
    StateSlot("workspace_table", "i8", "", "entry", "tables", "Address of the table of `Workspace`."),
    StateSlot("record_table", "i8", "", "entry", "tables", "Address of the table of `Log`."),
    # Where the run is.
    StateSlot("chart", "i8", "", "evaluations, input_changes, landing, quantities, transitions, zeno", MANY_READERS, "Chart of `Workspace.x`; in a slide, the chart that the state came from."),
    StateSlot("chart_start", "i8", "", "accumulation, runge_kutta", "input_changes, log, zeno, simulation", "Chart of the last step."),
    StateSlot("j", "i8", "", "input_changes, landing", "accumulation, input_changes, landing, log, runge_kutta, simulation", "Number of jumps so far."),
    StateSlot("j_start", "i8", "", "accumulation, runge_kutta", "input_changes, simulation", "Number of jumps before the last step."),
    StateSlot("phase", "i8", "", "entering, input_changes, landing, transitions", "at_zero, entering, execution, input_changes, runge_kutta", "What the loop does next: STARTING, ENTERING, FLOWING or RESUMING."),
    StateSlot("cascade", "i8", "", "landing", "landing", "Jumps at the present instant, after the first."),
    StateSlot("certificate", "i8", "", "at_zero, crossings, input_changes, latching, touches", "at_zero, crossings, latching, log", "Certificate of the event that is logged next."),
    # The step size proposed last, and counters of work: a change of inputs keeps these, from h to time_steps.
    StateSlot("h", "f8", "s", "entering, flow, input_changes, runge_kutta, simulation", MANY_READERS, "Proposed length of the next step."),
    StateSlot("steps", "i8", "", "flow, runge_kutta", "entering, execution, flow, runge_kutta, zeno, simulation", "Accepted steps."),
    StateSlot("rejected", "i8", "", "flow, runge_kutta", "flow, runge_kutta, simulation", "Attempted steps that were rejected."),
    StateSlot("series_steps", "i8", "", "flow, runge_kutta", "flow, runge_kutta, simulation", "Accepted steps along a power series."),
    StateSlot("calls", "i8", "", "jacobian, series_programs, sliding, stages", "jacobian, series_programs, sliding, stages, simulation", "Calls of the vector field, also of that on dual numbers or series."),
    StateSlot("boundary_calls", "i8", "", "activation, boundary_values, slide_entry, sliding", "activation, boundary_values, slide_entry, sliding, simulation", "Calls of the boundary function."),
    StateSlot("refinements", "i8", "", "crossings, series_search", "crossings, series_search, simulation", "Iterations of the root finder."),
    StateSlot("exact_steps", "i8", "", "crossings", "crossings, simulation", "Steps searched with the certificate `exact`."),
    StateSlot("bounded_steps", "i8", "", "crossings", "crossings, simulation", "Steps searched with the certificate `bounded`."),
    StateSlot("sampled_steps", "i8", "", "crossings", "crossings, simulation", "Steps searched with the certificate `sampled`."),
    StateSlot("unresolved_steps", "i8", "", "crossings, series_samples", "crossings, series_samples, simulation", "Steps too long to see what a sampled boundary does in them."),
    StateSlot("halvings", "i8", "", "flow", "flow, sampled_search", "How often the step has been halved to resolve a boundary."),
    StateSlot("crosses_stiffly", "i8", "", "crossing_depth", "crossings", "1 if the step is stiff at its crossing, and its extension less exact than its end."),
    StateSlot("shortenings", "i8", "", "flow", "crossings, flow", "How often the step has been made again to end at a crossing."),
    StateSlot("h_kept", "f8", "s", "flow", "flow", "The proposed length that such a step leaves as it is."),
    StateSlot("time_steps", "i8", "", "crossings", "crossings, simulation", "Steps that only time boundaries could end."),
    StateSlot("transitions", "i8", "", "landing", "landing, transitions, simulation", "Transitions made; declined ones do not count."),
    # Slides: which charts, along which boundary.
    StateSlot("inputs_changed", "i8", "", "entering, input_changes", "at_zero, entering", "1 while the epoch after a change of inputs is entered."),
    StateSlot("adjacent_chart", "i8", "", "evaluations, input_changes, quantities, slide_entry, transitions, zeno", MANY_READERS, "Second chart of a slide, NOWHERE outside slides."),
    StateSlot("adjacent_chart_start", "i8", "", "accumulation, runge_kutta", "input_changes, log, zeno, simulation", "Second chart of the last step."),
    StateSlot("surface", "i8", "", "evaluations, input_changes, quantities, slide_entry, transitions", MANY_READERS, "Boundary of `chart` along which the state slides, or slid last."),
    StateSlot("surface_back", "i8", "", "slide_entry", "activation, slide_entry, transitions", "Boundary of `adjacent_chart` that leads back to `chart`."),
    StateSlot("surface_start", "i8", "", "runge_kutta", "input_changes, log, simulation", "`surface` during the last step."),
    StateSlot("resting", "i8", "", "entering, transitions", "at_zero, latching", "Boundary on whose zero the state is after a slide, else NOWHERE."),
    StateSlot("resets", "i8", "", "landing", "landing", "Jumps at this instant that changed the state."),
    StateSlot("surfaces", "i8", "", "landing", "landing", "Jumps at this instant that began a slide or crossed several boundaries."),
    # The boundaries of the chart, and the search of a step.
    StateSlot("n_active", "i8", "", "activation", MANY_READERS, "Active boundaries, stops and slide ends: entries of `Workspace.active`."),
    StateSlot("n_sampled", "i8", "", "activation", "activation, crossings, entering, sampled_search, shared_samples, transitions", "Active ones with the certificate SAMPLED."),
    StateSlot("n_bounded", "i8", "", "activation", "activation, crossings", "Active ones with the certificate BOUNDED."),
    StateSlot("active_degrees", "i8", "", "activation", "activation, crossings", "Bit d is set if one with degree d is active (0: not exact)."),
    StateSlot("step_certificate", "i8", "", "accumulation, activation", "activation, log", "Weakest certificate of the active ones: that of a step."),
    StateSlot("theta_guess", "f8", "1", "exact_search, isolation, sampled_search", "crossings", "Where in the step the boundary that is searched is expected to fall, nan if unknown."),
    StateSlot("samples", "i8", "", "runge_kutta, shared_samples", "shared_samples", "Bit k is set if the boundaries are known at k eighths of the step."),
    StateSlot("touch_found", "i8", "", "crossings", "crossings", "1 if the step has a touch to report."),
    StateSlot("falls_throughout", "i8", "", "crossings, exact_search", "crossings", "1 if the boundary falls along the whole step: it has no minimum."),
    StateSlot("step_unproved", "i8", "", "bounded_search, crossings", "crossings, log", "1 if a declared bound does not prove the search of this step."),
    StateSlot("fault", "i8", "", "bounded_search, crossings, exact_search, sampled_search, series_samples", "crossings, exact_search", "What is wrong with a boundary in the step: a code of `fall`."),
    StateSlot("along_series", "i8", "", "runge_kutta", "entering, flow, runge_kutta", "1 if the last step is one of Taylor's method."),
    StateSlot("program", "i8", "", "entering, series_programs", "series_programs, simulation", "Whether the chart has a program whose branches hold: UNPREPARED, READY or UNFIT."),
    StateSlot("extended", "i8", "", "accumulation, runge_kutta", "at_zero, runge_kutta", "1 if `Workspace.q` is the extension of the last step."),
    # What a Status is about.
    StateSlot("end_boundary", "i8", "", "accumulation, at_zero, crossings, latching, transitions", "simulation", "Boundary or stop that ended the run."),
    StateSlot("end_state", "i8", "", "entering, flow, jacobian, landing", "simulation", "Index of the state that is not finite."),
    StateSlot("end_chart", "i8", "", "landing", "simulation", "Number returned by the transition that is no chart."),
    StateSlot("end_message", "i8", "", "validity", "simulation", "Number returned last by `validate`, other than 0."),
    # The chunk.
    StateSlot("rows", "i8", "", "input_changes, log, metrics, simulation", "input_changes, log, metrics, simulation", "Rows in the log."),
    StateSlot("events", "i8", "", "input_changes, log, metrics, simulation", "input_changes, log, metrics, simulation", "Events in the log."),
    StateSlot("budget", "i8", "", "accumulation, execution, flow, touches, transitions", "accumulation, flow, touches, transitions", "Steps and events left before the loop pauses."),
)
# fmt: on

STATE_DTYPE = np.dtype([(slot.name, slot.dtype) for slot in STATE_SLOTS], align=True)
