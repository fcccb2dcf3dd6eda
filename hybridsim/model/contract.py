"""The functions that a model may supply."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterable, Mapping
from functools import lru_cache

from hybridsim.errors import ModelError
from hybridsim.typing import Function

CONTRACT: Mapping[str, tuple[str, ...]] = {
    "vector_field": ("xdot", "t", "x", "p", "chart"),
    "boundaries": ("g", "t", "x", "p", "chart"),
    "transition": ("x_new", "t", "x", "p", "chart", "crossed"),
    "outputs": ("y", "t", "x", "p", "chart"),
    "initial_chart": ("x_new", "t", "x", "p"),
    "validate": ("t", "x", "p", "chart"),
    "sliding_field": ("xdot", "t", "x", "p", "chart", "adjacent_chart"),
    "slopes_and_boundaries": ("xdot", "g", "t", "x", "p", "chart"),
    "poses": ("T", "t", "x", "p", "chart"),
}
"""The functions that a model may supply, with their arguments. Only `vector_field` is required.

* `vector_field` writes the slopes xdot [state unit/s] of the states that change in this chart; slopes that it does not
  write are 0.
* `boundaries` writes the values of the boundaries that are active in this chart, positive inside the chart. Which
  boundaries are active may depend on the chart only.
* `transition` receives a copy of x in x_new, and a nonzero `crossed[i]` for each boundary i that crosses at this
  instant. It writes the state after the event into x_new and returns the next chart, or returns `DECLINED`.
* `outputs` writes the recorded quantities.
* `initial_chart` completes the initial state and returns its chart. Called with its own result, it changes nothing.
* `validate` returns 0 for a valid state, otherwise k for the k-th of the model's messages.
* `sliding_field` writes the slopes where a solution slides along the common boundary of `chart`, from which it came,
  and `adjacent_chart`. Without this function, Filippov's convex combination is used.
* `slopes_and_boundaries` writes at once what `vector_field` and `boundaries` write, if both solve the same equations; a
  run calls it where it needs both, so that they are solved once. The two are needed, too.
* `poses` writes the poses of the bodies for the viewer. It may take the outputs `y` after `chart`, so that nothing is
  computed twice.

All functions but `poses` are compiled: they write into what comes before `t` alone, index arrays by single integers,
keep no memory between calls and allocate nothing (`scratch(n)` gives temporary arrays).
"""

PLANT_ONLY = ("poses", "sliding_field", "slopes_and_boundaries")
"""Functions that a whole model may supply, but not a part of one."""


@lru_cache(maxsize=256)
def arguments_of(name: str, function: Function | None) -> tuple[str, ...]:
    """Return the arguments of a contract function: for `poses`, the outputs y besides if this one takes them."""
    more = ("y",) if name == "poses" and function and "y" in inspect.signature(function).parameters else ()
    return (*CONTRACT[name], *more)


def written_by(name: str) -> tuple[str, ...]:
    """Return the arguments into which a contract function writes: those before the time."""
    return CONTRACT[name][: CONTRACT[name].index("t")]


def signature(name: str) -> str:
    """Return the name of a contract function with its arguments, `validate(t, x, p, chart)`."""
    return f"{name}({', '.join(CONTRACT[name])})"


MOVING = ("vector_field", "boundaries", "transition", "validate", "sliding_field")
"""Functions that decide how a run goes on."""


def may_read_time(functions: Mapping[str, Function]) -> bool:
    """Return whether the motion may depend on time: a function mentions its argument t, if only to pass it on."""
    return any(_mentions(function, CONTRACT[name].index("t")) for name, function in functions.items() if name in MOVING)


@lru_cache(maxsize=256)
def _mentions(function: Function, argument: int) -> bool:
    code = getattr(function, "__code__", None)
    if code is None:
        return True
    name = code.co_varnames[argument]
    words = (instruction.argval for instruction in dis.get_instructions(code))
    return any(name == word or (isinstance(word, tuple) and name in word) for word in words)


def functions_of(owner: object) -> dict[str, Function]:
    """Return the contract functions that a model or a part supplies, by name."""
    given = {name: getattr(owner, name, None) for name in CONTRACT}
    return {name: function for name, function in given.items() if function is not None}


def by_name(functions: Mapping[str, Function] | Iterable[Function]) -> dict[str, Function]:
    """Return functions by their names, given a mapping or the functions alone."""
    return dict(functions) if isinstance(functions, Mapping) else {f.__name__: f for f in functions}


def refuse_uncallable(where: str, functions: Mapping[str, object]) -> None:
    """Raise a ModelError for a value that is not a function; records are the likeliest."""
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
    if "slopes_and_boundaries" in functions and not boundaries:
        raise ModelError(f"{where}: it has a function `slopes_and_boundaries` but no boundaries; leave it out")
    if boundaries and "transition" not in functions:
        raise ModelError(f"{where}: it has boundaries but no function `transition` for the events")
