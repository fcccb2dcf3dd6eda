"""The functions that a model may supply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hybridsim.errors import ModelError

Function = Callable[..., Any]

CONTRACT: Mapping[str, tuple[str, ...]] = {
    "vector_field": ("xdot", "t", "x", "p", "chart"),
    "boundaries": ("g", "t", "x", "p", "chart"),
    "transition": ("x_new", "t", "x", "p", "chart", "crossed"),
    "outputs": ("y", "t", "x", "p", "chart"),
    "initial_chart": ("x_new", "t", "x", "p"),
    "validate": ("t", "x", "p", "chart"),
    "sliding_field": ("xdot", "t", "x", "p", "chart", "adjacent_chart"),
    "poses": ("T", "t", "x", "p", "chart"),
}
"""The functions that a model may supply, with their arguments. Only `vector_field` is required.

`vector_field` writes the slopes xdot [state unit/s] of the states that move in this chart; the others stay 0, and
those states are constant. `boundaries` writes every boundary that is active in this chart (which ones depends on the
chart alone), positive inside the chart. `transition` receives a copy of x in x_new and a nonzero `crossed[i]` for each
boundary that crosses at this instant; it returns the next chart or `DECLINED`. `outputs` writes the recorded
quantities. `initial_chart` completes the initial state and returns its chart; applied to its own result it changes
nothing. `validate` returns 0, or k for the k-th of the model's messages. `sliding_field` replaces Filippov's convex
combination where a solution slides along the common boundary of two charts: `chart`, from which the solution came, and
`adjacent_chart`. `poses` is plain Python for the viewer.

All but `poses` are compiled: they write into their first argument, index arrays by single integers, keep no memory
between calls and allocate nothing (for temporary arrays: `scratch(n)`).
"""

PLANT_ONLY = ("poses", "sliding_field")
"""Functions of the contract that a part cannot have."""


def signature(name: str) -> str:
    """Return a contract function with its arguments, `validate(t, x, p, chart)`."""
    return f"{name}({', '.join(CONTRACT[name])})"


def functions_of(owner: object) -> dict[str, Function]:
    """Return the contract functions that a model or a part supplies, by name."""
    given = {name: getattr(owner, name, None) for name in CONTRACT}
    return {name: function for name, function in given.items() if function is not None}


def by_name(functions: Mapping[str, Function] | Iterable[Function]) -> dict[str, Function]:
    """Return functions by their names, given a mapping or the functions alone."""
    return dict(functions) if isinstance(functions, Mapping) else {f.__name__: f for f in functions}


def refuse_uncallable(where: str, functions: Mapping[str, object]) -> None:
    """Raise a ModelError for anything but a function; older plug-ins have records in these places."""
    for name, given in functions.items():
        if not callable(given):
            records = {"boundaries": "boundary_records", "outputs": "output_records"}.get(name)
            remedy = f"; give the records as `{records}`" if records else ""
            expected = f"the function `{signature(name)}`" if name in CONTRACT else "a function"
            raise ModelError(f"{where}: {name}: expected {expected}, found {type(given).__name__}{remedy}")


def refuse_unpaired(where: str, functions: Mapping[str, Function], boundaries: object, outputs: object) -> None:
    """Raise a ModelError for boundary or output records without their function, and for the reverse."""
    for function, argument, records in (
        ("boundaries", "boundary_records", boundaries),
        ("outputs", "output_records", outputs),
    ):
        if records and function not in functions:
            raise ModelError(f"{where}: it declares {function} but has no function `{function}`")
        if function in functions and not records:
            raise ModelError(
                f"{where}: it has a function `{function}` but declares no {function}; give `{argument}=Records(...)`"
            )
    if boundaries and "transition" not in functions:
        raise ModelError(f"{where}: it has boundaries but no function `transition` to say what happens there")
