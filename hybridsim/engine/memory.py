"""The memory of a run as arrays: it can stop after any step and continue later with the same bits.

`Problem` holds what a run never changes, with its numbers in `settings`, and `Workspace` the vectors that change; the
scalars that change are in `state`, and what is recorded in `log`. Compiled code gets tables of
bare pointers in place of these tuples of arrays, and indexes them flat.

State vectors are padded to a multiple of `LANES` doubles, so that the compiled loops over states have no remainder.
`width` is the padded length of a state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, FIRST_LANE, duals
from hybridsim.engine.compiler.lanes import LANES
from hybridsim.engine.methods import Tableau
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim.typing import FloatArray, IntArray

TIME, SAMPLED, BOUNDED, EXACT = range(4)
"""Certificates: how the crossings of a boundary are decided, `Problem.certificate`, and those of an event or a step.

From the weakest to the strongest: sampled < bounded < exact < time. A step has the weakest of its active boundaries."""
CERTIFICATES = ("time", "sampled", "bounded", "exact")
UNDECIDED = -1
"""In place of a certificate where nothing is decided: no boundary is active, or no step begins."""

NOWHERE = -1
"""In place of the index of a chart or boundary where there is none."""

BY_TRANSITION, AT_LIMIT = -2, 2
"""In place of a rest chart: the transition is called at a limit of jumps. In `crossed`: this boundary's limit."""

CROSSING, TOUCH, ENTRY, EXIT, ZENO, INPUT = range(6)
"""Kinds of events: a crossing; a minimum just above zero; the beginning and the end of a slide; an accumulation of
jumps; a change of inputs."""
EVENT_KINDS = ("crossing", "touch", "entry", "exit", "zeno", "input")

IGNORE, REPORT, TRIGGER = range(3)
"""Policies for touches: `Problem.touch`, in the order of `model.TOUCH_POLICIES`."""

INACTIVE, ARMED, RESTING, WAITING = range(4)
"""Trigger states of a boundary: not active in this chart; fires at zero; rests on zero and fires when it falls below
its trigger level; silent until it has been positive."""


class Problem(NamedTuple):
    """The constants of a run: the model's functions and parameters, the settings and the method."""

    functions: IntArray  # addresses of the model's functions (`FUNCTION_INDEX`), then of the engine's routines
    p: FloatArray  # parameters and inputs
    continuous: FloatArray  # (n_states,) 1 for states under error control
    certificate: IntArray  # (n_watched,) TIME, SAMPLED, BOUNDED or EXACT: see `watched` for the order
    degree: IntArray  # (n_watched,) polynomial degree of an exact boundary, 0 if not exact, -1 for a time
    affine: IntArray  # (n_watched,) 1 for exact ones that are of degree 1 in t and the states
    second_derivative_bound: FloatArray  # (n_watched,) of bounded boundaries
    armed_when_positive: IntArray  # (n_watched,) 1 if a negative boundary waits where a chart begins
    touch: IntArray  # (n_watched,) IGNORE, REPORT or TRIGGER
    touch_threshold: FloatArray  # (n_watched,) a minimum between zero and this is a touch; 0 where touches are ignored
    rest: IntArray  # (n_boundaries,) chart in which a run continues after an accumulation, NOWHERE or BY_TRANSITION
    stop_count: IntArray  # (n_boundaries,) crossings that end the run, 0 = never
    stop_state: IntArray  # (n_stops,) states with a value that ends the run
    stop_value: FloatArray  # (n_stops,) that value
    severity: IntArray  # (n_messages + 2) of each number returned by `validate`: 0 none, 1 warning, 2 error
    a: FloatArray  # the tableau of the method: see `methods.Tableau`
    c: FloatArray
    e: FloatArray
    e_third: FloatArray
    extension: FloatArray
    coupling: FloatArray
    time_weights: FloatArray
    dual_functions: IntArray  # addresses of the model's functions on dual numbers, for methods with derivatives, or 0
    series_programs: IntArray  # the vector field and the boundaries of each chart as programs: see `series_programs`
    series_constants: FloatArray  # the constants of these
    generated: IntArray  # (n_charts) addresses of functions that do the same as the programs, or 0
    boundary_rows: IntArray  # (n_charts * n_boundaries) where on the tape the series of each boundary is, or 0
    nodes: FloatArray  # (N_DEGREES, n_nodes) theta at which the exact search evaluates boundaries, one row per degree
    node_weights: FloatArray  # (N_DEGREES, n_nodes, degree) weights of the extension's coefficients in the state there
    bernstein: FloatArray  # (N_DEGREES, n_nodes, n_nodes) Bernstein coefficients of the values at the nodes, a row each
    binomials: FloatArray  # (N_DEGREES, n_nodes) binomial coefficients of the degree in theta
    settings: Any


STATE_VECTORS = (
    *("x", "x_start", "x_new", "x_event", "x_stage", "x_search", "x_shifted", "x_perturbed"),
    *("slope", "slope_ahead", "error", "slide_x", "slide_slope", "slide_slope_adjacent"),
)
SERIES = "tape", "g_series", "powers"
WATCHED_VECTORS = (
    *("g_start", "g_middle", "g_end", "slope_start", "slope_middle", "slope_end"),
    *("g_search", "g_shifted", "g_event", "g_fired"),
    *("g_ahead", "g_behind", "deviation", "noise"),
    *("slide_g", "slide_g_ahead", "slide_g_adjacent"),
)


class Workspace(NamedTuple):
    """The vectors of the step, the boundaries and the search.

    State vectors are (width,), vectors of watched functions (n_watched,), unless a comment says otherwise. `x_shifted`,
    `x_perturbed` and `g_shifted` are read by the function that has just written them and hold nothing between calls.
    """

    x: FloatArray  # the state at state.t
    x_start: FloatArray  # the state where the last step began
    x_new: FloatArray  # the state where it ends
    x_event: FloatArray  # the state at an event, before its jump
    x_stage: FloatArray  # the state at a stage of the step
    x_search: FloatArray  # the state at a place within the step, on the continuous extension
    x_shifted: FloatArray  # a state moved along its slope
    x_perturbed: FloatArray  # a state moved by rounding, or by the error estimate of the step
    slope: FloatArray  # the derivative of the continuous extension
    slope_ahead: FloatArray  # the vector field a little after the beginning of a chart
    error: FloatArray  # the error estimate of the last step, as rates
    k: FloatArray  # (rows * width) the slopes at the stages
    q: FloatArray  # (degree * width) coefficients of the continuous extension of the last step
    g_start: FloatArray  # the boundaries where the step starts
    g_middle: FloatArray
    g_end: FloatArray
    slope_start: FloatArray  # their rates along the flow, for sampled boundaries
    slope_middle: FloatArray
    slope_end: FloatArray
    g_search: FloatArray  # the boundaries at x_search
    g_shifted: FloatArray  # the boundaries at x_shifted or x_perturbed, or at another time
    g_event: FloatArray  # the boundaries at the event
    g_fired: FloatArray  # the value with which each boundary last crossed; 0 after a touch or a change of inputs
    g_ahead: FloatArray  # the boundaries a little after the beginning of a chart, along a straight line
    g_behind: FloatArray  # and a little before
    deviation: FloatArray  # how far perturbations much larger than rounding move each boundary
    noise: FloatArray  # how far rounding moves each boundary where a chart begins
    g_nodes: FloatArray  # (N_DEGREES * n_nodes * n_watched) the boundaries at the nodes of the exact search
    sampled_values: FloatArray  # (N_SHARED_SAMPLES * n_watched) the boundaries at the eighths of the step
    sampled_rates: FloatArray  # (N_SHARED_SAMPLES * n_watched) their rates
    stack: FloatArray  # intervals that are still to be searched
    numbers: FloatArray  # what the program of the chart needs that is the same throughout it
    trigger_level: FloatArray  # value below which a resting boundary fires that has not been positive
    time_target: FloatArray  # when a time boundary fires
    crossed_at: FloatArray  # when each boundary last crossed
    root: FloatArray  # crossing times in this step, inf = none
    stop_side: FloatArray  # (n_stops) sign of the side from which a state approaches its stop
    history: FloatArray  # (n_boundaries * HISTORY_LENGTH) of each boundary's last jumps: see `events.zeno`
    x_jump: FloatArray  # (n_boundaries * width) the state after each boundary's last jump
    slide_x: FloatArray  # a state moved along one of the two flows of a slide
    slide_slope: FloatArray  # the vector field of state.chart in a slide
    slide_slope_adjacent: FloatArray  # the vector field of state.adjacent_chart
    slide_g: FloatArray  # the boundaries at slide_x, or at the state of the slide
    slide_g_adjacent: FloatArray  # the boundaries of the adjacent chart
    slide_g_ahead: FloatArray  # the same at t + state.probe, on a straight line along the adjacent chart's vector field
    jacobian: FloatArray  # (n_moving, moving) columns of the derivative of the slope by the states: see `jacobian`
    time_derivative: FloatArray  # (moving) its derivative by time
    matrix: FloatArray  # (n_moving, moving) columns of the matrix of a Rosenbrock step, factorised
    dual_x: FloatArray  # (width, DOUBLES) a state as dual numbers
    dual_xdot: FloatArray  # (width, DOUBLES) the vector field there
    dual_t: FloatArray  # (DOUBLES)
    dual_p: FloatArray  # (n_parameters, DOUBLES)
    tape: FloatArray  # (rows, ROW_SIZE) the series of time, of the states, and of all that the vector field computes
    g_series: FloatArray  # (n_watched, ROW_SIZE) the terms of the series of the watched functions over the step
    powers: FloatArray  # (ROW_SIZE) powers of its length
    missing: FloatArray  # how far a boundary is from its series over the step, as far as has been looked
    touched: IntArray  # 1 if the present dip below the touch threshold has been reported
    by_touch: IntArray  # 1 if it crosses only in the sense of a touch
    from_rest: IntArray  # 1 if it crosses below its trigger level, without having been positive since it came to rest
    decided: IntArray  # 1 if its series over the last step has told its root, or that it has none
    source: IntArray  # in a slide, the chart whose function gives it: 0 state.chart, 1 state.adjacent_chart
    alone: IntArray  # (n_boundaries) crossed flags for trying a transition
    fired_since_positive: IntArray  # 1 if it has crossed and has not been positive since
    trigger_state: IntArray  # INACTIVE, ARMED, RESTING or WAITING
    was_active: IntArray  # 1 if it was active before the jump with which this chart began
    active: IntArray  # indices of the watched functions that are active in this chart
    crossed: IntArray  # 1 if it crosses at the event
    crossing_count: IntArray  # (n_boundaries) crossings so far
    pivots: IntArray  # (n_moving) the row that changes places with each row of the matrix
    warning_count: IntArray  # (n_messages + 2) how often `validate` returned 1 to n_messages, then others; [0] unused


class Slides(NamedTuple):
    """n rows in slides, besides their `Columns`."""

    adjacent_chart: IntArray
    surface: IntArray
    step: FloatArray
    x_here: FloatArray  # (width,) scratch


class Columns(NamedTuple):
    """n rows at which a function of the model is evaluated, and its results, n rows of y."""

    functions: IntArray
    p: FloatArray
    t: FloatArray
    x: FloatArray  # (n, width)
    chart: IntArray
    y: FloatArray
    held: FloatArray  # (n_held, n_inputs) values of the inputs
    input_indices: IntArray  # the number of inputs, then the index of each in p
    which: IntArray  # (n,) the row of `held` that holds at each row


NO_INPUTS = np.zeros((1, 1)), np.zeros(1, np.int64)
"""`held` and `input_indices` where p is the same at all rows."""


def make_record(dtype: np.dtype[Any], **values: float) -> Any:
    """Return an array with one record, whose numbers the engine and `records.scalars` read as attributes."""
    assert dtype.names is not None
    assert values.keys() <= {*dtype.names}
    return np.array([tuple([values.get(name, 0) for name in dtype.names])], dtype)


def word_index(dtype: np.dtype[Any], name: str) -> int:
    """The index of a field of a record among its words of eight bytes."""
    assert dtype.fields is not None
    return int(dtype.fields[name][1]) // 8


WORDS_IN_LINE = 8
"""Numbers of eight bytes in a line of the cache."""


def pad_length(n: int) -> int:
    """The next multiple of LANES, at least LANES."""
    return -(-max(n, 1) // LANES) * LANES


N_DEGREES = 5
"""Degrees that a boundary can have, 0 to 4; 0 for those that are not exact. Each has a row in the tables of nodes."""

MAX_EXACT_DEGREE = 16
"""Largest degree in theta: beyond, Bernstein coefficients from samples are too inexact to decide a double root."""

NODES_SIZE = 2 * 3 * LANES
"""Length of a row in the tables of nodes: room for MAX_EXACT_DEGREE + 1 numbers in whole groups of three vectors."""

N_SHARED_SAMPLES = 9
"""Places in a step whose samples serve the searches of all boundaries: its eighths, both ends included."""

STACK_FRAMES = 64
"""Most intervals that a search can postpone at one time."""

HISTORY_LENGTH = 15
"""Numbers kept of the last jumps at each boundary: see `events.zeno`."""

N_SLIDE_ENDS = 2
"""Watched functions behind the boundaries and stops: the two ways in which a slide ends."""


def make_workspace(
    n_states: int,
    n_watched: int,
    n_boundaries: int,
    n_stops: int,
    method: Tableau,
    n_messages: int,
    n_moving: int,
    n_parameters: int,
    programs: tuple[int, int] = (0, 1),
) -> Workspace:
    """The workspace of a run that has not begun."""
    width, watched, boundaries = pad_length(n_states), max(n_watched, 1), max(n_boundaries, 1)
    rows, degree = method.extension.shape
    reals = {
        **dict.fromkeys(STATE_VECTORS, (width, 0.0)),
        **dict.fromkeys(WATCHED_VECTORS, (watched, 1.0)),
        "k": (rows * width, 0.0),
        "q": (degree * width, 0.0),
        "g_nodes": (N_DEGREES * NODES_SIZE * watched, 1.0),
        **dict.fromkeys(("sampled_values", "sampled_rates"), (N_SHARED_SAMPLES * watched, 0.0)),
        "stack": (STACK_FRAMES * (NODES_SIZE + 4), 0.0),
        "numbers": (programs[1], 0.0),
        **dict.fromkeys(("trigger_level", "missing"), (watched, 0.0)),
        "time_target": (watched, np.inf),
        "crossed_at": (watched, -np.inf),
        "root": (watched, np.inf),
        "stop_side": (max(n_stops, 1), 0.0),
        "history": (HISTORY_LENGTH * boundaries, 0.0),
        "x_jump": (boundaries * width, 0.0),
    }
    integers = {
        **dict.fromkeys(("touched", "by_touch", "from_rest", "decided", "source"), (watched, 0)),
        **dict.fromkeys(("fired_since_positive", "trigger_state", "was_active", "active", "crossed"), (watched, 0)),
        **dict.fromkeys(("alone", "crossing_count"), (boundaries, 0)),
        "warning_count": (n_messages + 2, 0),
    }
    linear = _of_linear_equations(n_states, n_moving, n_parameters) if method.gamma else _of_linear_equations(0, 0, 0)
    n_rows = programs[0] if method.series_order else 0
    series = _of_series(n_states, n_watched, n_rows) if n_rows else dict.fromkeys(SERIES, np.zeros(1))
    workspace = Workspace(**_carve(reals, np.float64), **_carve(integers, np.int64), **linear, **series)
    first = [-np.inf, np.inf, 0.0, 0.0, np.inf, 0.0, 0.0, 0.0, np.inf, *[0.0] * (HISTORY_LENGTH - 9)]
    workspace.history.reshape(boundaries, HISTORY_LENGTH)[:] = first
    return workspace


def _of_linear_equations(n_states: int, n_moving: int, n_parameters: int) -> dict[str, Any]:
    """Vectors of a Rosenbrock method, which hold nothing between two steps and so are no part of `blocks`.

    Only the directions in which dual numbers are differentiated first stay as they are here: a state each, then time.
    """
    height = pad_length(n_moving)
    dual_x, dual_t = duals(pad_length(n_states)), duals(1)
    for direction in range(min(n_moving, DUAL_LANES)):
        dual_x[direction, FIRST_LANE + direction] = 1.0
    if n_moving < DUAL_LANES:
        dual_t[0, FIRST_LANE + n_moving] = 1.0
    return {
        "jacobian": np.zeros(max(n_moving, 1) * height),
        "time_derivative": np.zeros(height),
        "matrix": np.zeros(max(n_moving, 1) * height),
        "pivots": np.zeros(max(n_moving, 1), np.int64),
        "dual_x": dual_x,
        "dual_xdot": duals(pad_length(n_states)),
        "dual_t": dual_t,
        "dual_p": duals(max(n_parameters, 1)),
    }


def _of_series(n_states: int, n_watched: int, n_rows: int) -> dict[str, Any]:
    """Vectors of Taylor's method, which hold nothing between two steps but the series of time, t + 1 dt."""
    tape = np.zeros((1 + n_states + n_rows, ROW_SIZE))
    tape[0, 1] = 1.0
    return {"tape": tape.reshape(-1), "g_series": np.zeros(max(n_watched, 1) * ROW_SIZE), "powers": np.zeros(ROW_SIZE)}


def _carve(vectors: Mapping[str, tuple[int, float]], dtype: type) -> dict[str, Any]:
    """Vectors of these sizes and values, all in one block of memory, which can be copied at once (see `blocks`).

    The block begins with a line of the cache, so that no four doubles that are loaded at once lie in two.
    """
    lengths = [pad_length(size) for size, _ in vectors.values()]
    room: NDArray[Any] = np.zeros(sum(lengths) + WORDS_IN_LINE, dtype)
    first = -(room.ctypes.data // room.itemsize) % WORDS_IN_LINE
    carved, at = {}, first
    for (name, (size, value)), length in zip(vectors.items(), lengths, strict=True):
        carved[name] = vector = room[at : at + size]
        if value:
            vector.fill(value)
        at += length
    return carved


def blocks(workspace: Workspace) -> tuple[FloatArray, IntArray]:
    """What the workspace holds between two steps as two arrays: its doubles and its integers."""
    reals, integers = workspace.x.base, workspace.trigger_state.base
    assert reals is not None
    assert integers is not None
    return reals, integers
