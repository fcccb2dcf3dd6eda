"""The numbers that a run never changes, one row each: `SETTINGS_DTYPE` is the numpy record made of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hybridsim.engine.compiler.shape import with_shape


class Setting(NamedTuple):
    """One number that holds for a whole run."""

    name: str
    dtype: str  # "f8" or "i8", both of eight bytes
    unit: str
    meaning: str


UNLIMITED_STEPS = 2**62
"""`max_steps` of a run without a limit, and the budget of a call that makes all steps up to a time."""

SAFETY, SMALLEST_FACTOR, LARGEST_FACTOR = 0.9, 0.2, 10.0
"""A step is SAFETY times as long as its error estimate allows, but of the one before at least and at most these parts."""

# fmt: off
# ruff: noqa: E501
USER_SETTINGS = (
    # Step size control.
    Setting("rtol", "f8", "1", "Relative tolerance of a step."),
    Setting("atol", "f8", "state", "Absolute tolerance of a step."),
    Setting("first_step", "f8", "s", "Length of the first step, 0 = chosen; of every step with a fixed step size."),
    Setting("max_step", "f8", "s", "Largest step."),
    Setting("min_step", "f8", "s", "Smallest step."),
    Setting("exponent", "f8", "1", "Power of the error estimate in the step size control, negative."),
    Setting("negligible_error", "f8", "1", "Estimate up to which the next step is LARGEST_FACTOR longer: `negligible_error`."),
    # Events and the end.
    Setting("stop_precision", "f8", "boundary", "Distance from zero that counts as zero, besides rounding."),
    Setting("zeno_precision", "f8", "1", "Precision of an accumulation, relative to the duration of its sequence; 0 = none is looked for."),
    Setting("initial_time", "f8", "s", "Time at which the run begins."),
    Setting("final_time", "f8", "s", "Time at which the run ends, inf if it is open."),
    Setting("max_stop_iterations", "i8", "", "Most iterations of the root finder for one crossing."),
    Setting("max_transitions", "i8", "", "Most transitions of a run."),
    Setting("max_steps", "i8", "", "Most steps of a run."),
    Setting("record_steps", "i8", "", "1 if every step is logged."),
)
"""What a user chooses for a run."""

SHAPE_SETTINGS = (
    # Sizes of the model.
    Setting("n_charts", "i8", "", "Charts of the model."),
    Setting("n_states", "i8", "", "States of the model."),
    Setting("n_moving", "i8", "", "States up to the last continuous one: only these have slopes."),
    Setting("n_continuous", "i8", "", "Continuous states: those under error control."),
    Setting("n_parameters", "i8", "", "Parameters and inputs: numbers in p."),
    Setting("n_boundaries", "i8", "", "Boundaries of the model."),
    Setting("n_watched", "i8", "", "Functions watched for zeros: see `watched`."),
    Setting("n_stops", "i8", "", "States with a value that ends the run."),
    # The method, and the layout of the arrays.
    Setting("width", "i8", "", "Length of a state vector: n_states, padded to whole lanes."),
    Setting("moving", "i8", "", "n_moving, padded to whole lanes."),
    Setting("stages", "i8", "", "Stages of a step; the slope at its end is one more."),
    Setting("rows", "i8", "", "Slopes that the continuous extension combines."),
    Setting("degree", "i8", "", "Degree of the continuous extension."),
    Setting("adaptive", "i8", "", "1 if the step size is controlled, 0 if it is fixed."),
    Setting("gamma", "f8", "1", "Diagonal coefficient of a Rosenbrock method, 0 for an explicit one."),
    Setting("series_order", "i8", "", "Order of Taylor's method, 0 for one with stages."),
    Setting("has_programs", "i8", "", "1 if some charts have programs on power series (`series_programs`)."),
    Setting("extra_error", "i8", "", "1 if the method combines two error estimates (DOP853)."),
    Setting("n_nodes", "i8", "", "Length of a row in the tables of nodes."),
    # Optional functions of the model.
    Setting("n_messages", "i8", "", "Messages of `validate`."),
    Setting("has_validate", "i8", "", "1 if the model checks its states."),
    Setting("has_sliding_field", "i8", "", "1 if the model has its own vector field for slides."),
    Setting("has_both_at_once", "i8", "", "1 if the model has a function that writes slopes and boundaries."),
)
"""What is the same in all runs of a model by one method: the engine is compiled again with these as constants."""
# fmt: on

SETTINGS_SLOTS = USER_SETTINGS + SHAPE_SETTINGS
SETTINGS_DTYPE = with_shape(
    np.dtype([(setting.name, setting.dtype) for setting in SETTINGS_SLOTS], align=True),
    tuple(setting.name for setting in SHAPE_SETTINGS),
)


def negligible_error(exponent: float) -> float:
    """Return an error estimate that certainly allows a step LARGEST_FACTOR longer: the power need not be computed."""
    return 0.5 * float((LARGEST_FACTOR / SAFETY) ** (1.0 / exponent))
