"""Everything the engine remembers, as arrays: a run can stop after any step and go on later, to the same bits.

The compiled loop sees the same tuples with bare pointers in place of arrays (`signatures.pointers`), and indexes flat.

`Problem` holds what a run never changes, `NOW` the scalars that change, `Work` the vectors, `log.Log` what is recorded.
State vectors are padded to a multiple of `LANES` doubles, so that the compiled loops over states have no remainder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compiler.lanes import LANES
from hybridsim.engine.compiler.signatures import JIT
from hybridsim.engine.methods import Tableau
from hybridsim.typing import FloatArray, IntArray

TIME, SAMPLED, BOUNDED, EXACT = range(4)
"""How the crossings of a boundary are decided: `Problem.kind`; also the certificate of an event."""
CERTIFICATES = ("time", "sampled", "bounded", "exact")
UNDECIDED = -1
"""In place of a certificate where there was nothing to decide: no boundary is active, or no step begins."""

NOWHERE = -1
"""In place of the number of a chart: the other chart where nothing slides, the rest chart where there is none."""

CROSSING, TOUCH, ENTRY, EXIT, ZENO, INPUT = range(6)
"""What an event is: a crossing; a minimum just above zero; the beginning and the end of a slide; an accumulation; a
change of inputs from outside."""
EVENT_KINDS = ("crossing", "touch", "entry", "exit", "zeno", "input")

IGNORE, REPORT, TRIGGER = range(3)
"""What becomes of a touch: `Problem.touch`, in the order of `model.TOUCH_POLICIES`."""

INACTIVE, ARMED, RESTING, WAITING = range(4)
"""Latch of a boundary: not active in this chart; fires at zero; rests on zero, fires when it falls below where it
started; silent until it has been positive."""

SETTINGS = np.dtype(
    [
        *((name, "f8") for name in ("rtol", "atol", "first_step", "max_step", "min_step", "exponent")),
        *((name, "f8") for name in ("stop_precision", "zeno_precision")),
        *((name, "f8") for name in ("initial_time", "final_time")),
        *((name, "i8") for name in ("max_stop_iterations", "max_transitions", "max_steps", "n_charts", "record_steps")),
        *((name, "i8") for name in ("n_states", "n_moving", "n_continuous", "n_boundaries", "n_watched", "n_stops")),
        *((name, "i8") for name in ("width", "moving", "stages", "rows", "degree", "adaptive", "extra_error")),
        *((name, "i8") for name in ("n_nodes", "n_messages", "has_validate", "has_sliding_field")),
    ],
    align=True,
)

NOW = np.dtype(
    [
        *((name, "f8") for name in ("t", "t_start", "t_new", "step", "t_look", "t_target", "t_event", "t_jump")),
        *((name, "f8") for name in ("value", "depth", "error", "probe", "pull", "sliding_weight", "drift")),
        *((name, "f8") for name in ("accumulation_time", "accumulation_error")),
        *((name, "i8") for name in ("problem_table", "work_table", "log_table")),
        *(
            (name, "i8")
            for name in ("chart", "chart_start", "j", "j_start", "phase", "detail", "cascade", "certificate")
        ),
        ("h", "f8"),  # from here on to time_steps: what a change of inputs does not put back
        *((name, "i8") for name in ("steps", "rejected", "calls", "boundary_calls", "refinements")),
        *((name, "i8") for name in ("exact_steps", "bounded_steps", "sampled_steps", "time_steps")),
        ("transitions", "i8"),
        *(
            (name, "i8")
            for name in ("changed", "adjacent_chart", "adjacent_chart_start", "surface", "back", "surface_start")
        ),
        *((name, "i8") for name in ("resting", "resets", "surfaces")),
        *((name, "i8") for name in ("sampled", "bounded", "groups", "decided", "near", "falling", "crept", "unproved")),
        *((name, "i8") for name in ("rows", "events", "n_active", "extended", "fault", "budget")),
    ],
    align=True,
)


class Problem(NamedTuple):
    """What a run never changes: the model's functions, its numbers, the settings and the method."""

    functions: IntArray
    p: FloatArray
    continuous: FloatArray  # (n_states,) 1 for states under error control
    kind: IntArray  # (n_watched,) of boundaries, then of state stops
    degree: IntArray  # (n_watched,) polynomial degree of exact boundaries, 0 where there is none, -1 for time
    second_derivative_bound: FloatArray
    patient: IntArray  # armed="when_positive"
    touch: IntArray  # what becomes of a touch
    clearance: FloatArray  # a minimum between zero and this is a touch; 0 where touches are ignored
    rest: IntArray  # (n_boundaries,) chart in which a run goes on after an accumulation, -1 = none
    stop_count: IntArray  # (n_boundaries,) crossings that end the run, 0 = never
    stop_state: IntArray  # (n_stops,) states with a value that ends the run
    stop_value: FloatArray
    severity: IntArray  # (n_messages + 2) per number that `validate` returns: 0 no message, 1 warning, 2 error
    a: FloatArray
    c: FloatArray
    e: FloatArray
    e_third: FloatArray
    extension: FloatArray
    nodes: FloatArray  # (5, n_nodes): theta where a boundary is sampled, one row for each degree of a boundary
    node_weights: FloatArray  # (5, n_nodes, degree): the state there, from the coefficients of the extension
    bernstein: FloatArray  # (5, n_nodes, n_nodes): values at the nodes -> Bernstein coefficients
    settings: Any


STATE_VECTORS = (
    "x",
    "x_start",
    "x_new",
    "x_event",
    "x_stage",
    "x_trial",
    "slope",
    "error",
    "slide_x",
    "slide_a",
    "slide_b",
)
BOUNDARY_VECTORS = (
    *("g_start", "g_end", "g_trial", "g_shift", "g_middle", "slope_start", "slope_end", "slope_middle"),
    *("slide_g", "slide_preset"),
)


class Work(NamedTuple):
    """The vectors of the step, the boundaries and the search."""

    x: FloatArray  # the state at now.t
    x_start: FloatArray  # the state where the last step began
    x_new: FloatArray
    x_event: FloatArray
    x_stage: FloatArray
    x_trial: FloatArray
    slope: FloatArray
    error: FloatArray
    k: FloatArray  # (rows * width) stages
    q: FloatArray  # (degree * width) the continuous extension of the last step
    g_start: FloatArray
    g_end: FloatArray
    g_trial: FloatArray
    g_shift: FloatArray
    g_middle: FloatArray
    slope_start: FloatArray
    slope_end: FloatArray
    slope_middle: FloatArray
    g_nodes: FloatArray  # (n_nodes * n_watched) boundary values at the nodes of the exact search
    stack: FloatArray  # intervals that wait to be searched
    floor: FloatArray  # (n_watched) value at which a resting boundary fires
    time_target: FloatArray  # (n_watched) when a time boundary fires
    crossed_at: FloatArray  # (n_watched) when each boundary last crossed
    root: FloatArray  # (n_watched) crossing times in this step
    stop_side: FloatArray  # (n_stops) sign of the side a state stop is approached from
    history: FloatArray  # (n_boundaries * HISTORY) of each boundary's last jumps, see accumulation.py
    x_jump: FloatArray  # (n_boundaries * width) the state after each boundary's last jump
    slide_x: FloatArray
    slide_a: FloatArray  # slope in the chart that a slide came from
    slide_b: FloatArray  # slope in the other chart
    slide_g: FloatArray
    slide_preset: FloatArray
    touched: IntArray  # is the present dip below the clearance already reported?
    by_touch: IntArray  # did it cross only in the sense of a touch?
    source: IntArray  # (n_watched) the chart whose function gives it in a slide: 0 now.chart, 1 now.adjacent_chart
    alone: IntArray  # (n_boundaries) crossed flags to try a transition with
    spent: IntArray  # has it crossed, and not been seen positive since?
    latch: IntArray
    active: IntArray  # indices of the boundaries that are active in this chart
    crossed: IntArray
    crossing_count: IntArray
    warning_count: IntArray


class Bench(NamedTuple):
    """One state to work with."""

    x: FloatArray


class Columns(NamedTuple):
    """n rows at which a model's function is evaluated, and what it writes there (n rows of y)."""

    functions: IntArray
    p: FloatArray
    t: FloatArray
    x: FloatArray  # (n, width)
    chart: IntArray
    y: FloatArray
    held: FloatArray  # (n_held, n_inputs) values of the inputs
    places: IntArray  # how many inputs there are, then where in p each of them lies
    which: IntArray  # (n,) the values that are in force at a row: a row of `held`


NO_INPUTS = np.zeros((1, 1)), np.zeros(1, np.int64)
"""`held` and `places` where p is the same at all rows."""


def record(dtype: np.dtype[Any], **values: float) -> Any:
    """One record of scalars, as an array of length 1; attributes work on it compiled and interpreted."""
    one = np.zeros(1, dtype)
    for name, value in values.items():
        one[name] = value
    return one if JIT else one.view(np.recarray)


def scalars(one: Any) -> Any:
    """The record's scalars as attributes, for Python: reads and writes go to the engine's memory."""
    return one.view(np.recarray)[0]


def padded(n: int) -> int:
    return -(-max(n, 1) // LANES) * LANES


MAX_EXACT_DEGREE = 16
"""Beyond this degree in theta, Bernstein coefficients from samples lose too many digits to decide a double root."""


NODES = padded(MAX_EXACT_DEGREE + 1)

HISTORY = 7
"""Numbers kept of each boundary's last jumps, see accumulation.py."""

N_EXITS = 2
"""Rows of `n_watched` behind the boundaries and stops: the two ways in which a slide ends."""


@cache
def sampling(extension_degree: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where to sample a boundary of degree D on an extension of degree m, and how to get Bernstein coefficients.

    Row D of each table is for n = D m: n + 1 places theta in [0, 1], ends included; the weights of the extension's
    coefficients in the state to sample at; and a matrix from the values there to Bernstein coefficients of degree n.
    An affine boundary (D = 1) is sampled at the control points of the extension and needs no matrix, the others at
    Chebyshev points on it.
    """
    m = extension_degree
    nodes, weights, bernstein = np.zeros((5, NODES)), np.zeros((5, NODES, m)), np.zeros((5, NODES, NODES))
    nodes[1, : m + 1] = np.arange(m + 1) / m
    weights[1, : m + 1] = [[comb(i, d) / comb(m, d) for d in range(1, m + 1)] for i in range(m + 1)]
    for degree in range(2, min(len(nodes) - 1, MAX_EXACT_DEGREE // m) + 1):
        n = degree * m
        theta = 0.5 * (1.0 - np.cos(np.pi * np.arange(n + 1) / n))
        basis = np.array([comb(n, i) * theta**i * (1.0 - theta) ** (n - i) for i in range(n + 1)])
        nodes[degree, : n + 1] = theta
        weights[degree, : n + 1] = theta[:, None] ** np.arange(1, m + 1)
        bernstein[degree, : n + 1, : n + 1] = np.linalg.inv(basis).T
    return nodes, weights, bernstein


def make_work(n_states: int, n_watched: int, n_boundaries: int, n_stops: int, method: Tableau, n_messages: int) -> Work:
    """Work space in which nothing has happened yet."""
    width, watched, boundaries = padded(n_states), max(n_watched, 1), max(n_boundaries, 1)
    rows, degree = method.extension.shape
    reals = {
        **dict.fromkeys(STATE_VECTORS, (width, 0.0)),
        **dict.fromkeys(BOUNDARY_VECTORS, (watched, 1.0)),
        "k": (rows * width, 0.0),
        "q": (degree * width, 0.0),
        "g_nodes": (NODES * watched, 1.0),
        "stack": (64 * (NODES + 4), 0.0),
        "floor": (watched, 0.0),
        "time_target": (watched, np.inf),
        "crossed_at": (watched, -np.inf),
        "root": (watched, np.inf),
        "stop_side": (max(n_stops, 1), 0.0),
        "history": (HISTORY * boundaries, 0.0),
        "x_jump": (boundaries * width, 0.0),
    }
    integers = {
        **dict.fromkeys(("touched", "by_touch", "source", "spent", "latch", "active", "crossed"), (watched, 0)),
        **dict.fromkeys(("alone", "crossing_count"), (boundaries, 0)),
        "warning_count": (n_messages + 2, 0),
    }
    work = Work(**_carved(reals, np.float64), **_carved(integers, np.int64))
    work.history[:] = np.tile([-np.inf, np.inf, 0.0, 0.0, np.inf, 0.0, 0.0], boundaries)
    return work


def _carved(vectors: Mapping[str, tuple[int, float]], dtype: type) -> dict[str, Any]:
    """Vectors of these sizes and values, all in one block of memory: it is copied at once (see `blocks`)."""
    block: NDArray[Any] = np.zeros(sum(padded(size) for size, _ in vectors.values()), dtype)
    carved, at = {}, 0
    for name, (size, value) in vectors.items():
        carved[name] = block[at : at + size]
        carved[name][:] = value
        at += padded(size)
    return carved


def blocks(work: Work) -> tuple[FloatArray, IntArray]:
    """All of the work space: its doubles and its integers."""
    reals, integers = work.x.base, work.latch.base
    assert reals is not None
    assert integers is not None
    return reals, integers
