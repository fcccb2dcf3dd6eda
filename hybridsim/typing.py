"""Types of arrays and of functions, and the closed sets of words: each stands here once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""An array of 64-bit floating-point numbers."""

IntArray = NDArray[np.int64]
"""An array of 64-bit integers."""

Function = Callable[..., Any]
"""A function with any arguments."""

Method = Literal["dp5", "dop853", "tsit5", "rodas5p", "series", "rk4", "rk4_adaptive"]
"""The bundled integration methods."""

Between = Literal["linear", "hold", "cubic"]
"""What an input does between the samples of a table: straight lines, steps, or a cubic spline."""

Scheme = Literal["euler", "midpoint", "trapezoid", "hermite-simpson", "radau"]
"""Schemes of direct collocation."""

SearchMethod = Literal["pso", "mmpso", "cma", "random"]
"""How `optimize` searches."""

Take = Literal["worst", "median"]
"""The run by which a setting with repeated runs is judged."""

Format = Literal["simsect", "hdf5", "csv"]
"""Formats of the files of a run."""

TimeUnit = Literal["s", "min", "h", "d"]
"""Units of the time axes of pictures."""

Base = Literal["fixed", "planar", "floating"]
"""How the root of a robot's file moves."""

Armed = Literal["always", "when_positive"]
"""When a boundary may fire."""

Touch = Literal["ignore", "report", "trigger"]
"""What happens where a boundary has a minimum near zero."""

Severity = Literal["error", "warning"]
"""What a message of a model means."""

BodyKind = Literal["body", "force", "cone", "contact", "joint", "frame", "inertia"]
"""What a body of a scene stands for."""

EventKind = Literal["crossing", "touch", "entry", "exit", "zeno", "input"]
"""What happens at an event."""

Certificate = Literal["time", "sampled", "bounded", "exact"]
"""How an event was found."""

Side = Literal["after", "before"]
"""Which state at the time of a jump."""

Jumps = Literal["both", "before", "after"]
"""Which rows of a jump a table has."""

Direction = Literal["rising", "falling"]
"""How a state passes a value."""

Differentiable = Literal["vector_field", "boundaries", "transition", "outputs", "initial_chart", "sliding_field"]
"""Functions of the contract that have derivatives."""

VariableGroup = Literal["x", "p", "u", "t"]
"""All states, parameters or inputs, or the time, as variables of a derivative."""

BifurcationKind = Literal["fold", "flip", "torus", "branch", "grazing", "hopf", "boundary"]
"""What happens to an orbit, or an equilibrium, where a family of them changes."""

BifurcationType = Literal[
    "",
    "supercritical",
    "subcritical",
    "degenerate",
    "transcritical",
    "pitchfork",
    "square root",
    "corner",
    "kink",
    "jump",
]
"""What kind of flip, torus, branch point or grazing it is."""

SpecialKind = Literal[
    "cusp",
    "1:1",
    "1:2",
    "1:3",
    "1:4",
    "generalised flip",
    "Chenciner",
    "fold-flip",
    "fold-torus",
    "flip-torus",
    "torus-torus",
]
"""What happens at a point of a curve of bifurcations, which needs two parameters."""

MetricKind = Literal[
    "status",
    "cause",
    "count",
    "time",
    "at",
    "after",
    "last",
    "last_after",
    "final",
    "min",
    "max",
    "mean",
    "integral",
    "std",
    "statistic",
    "formula",
    "orbit",
]
"""What a metric of a sweep computes."""

Camera = Literal["follow", "side", "top", "free"]
"""Cameras of the viewer."""

Layout = Literal["ghosts", "side-by-side"]
"""How the viewer shows several runs."""

Purpose = Literal["verify", "view", "differentiate", "continue"]
"""What the config of a recorded run is rebuilt for."""
