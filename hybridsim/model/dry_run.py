"""Calling a model's functions in plain Python, on arrays that behave as compiled code has them.

A mistake shows here with its line; compiled, it would read foreign memory or be swallowed.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compiler.rules import check_function
from hybridsim.engine.compiler.signatures import PLACE
from hybridsim.errors import ModelError
from hybridsim.model.contract import CONTRACT
from hybridsim.model.model import Model, default_values
from hybridsim.model.parameters import pack_parameters
from hybridsim.model.source_location import line_of, where
from hybridsim.typing import FloatArray

N_RANDOM_STATES = 5
FIRST_CHARTS = 16
"""Charts that are tried before every run; `check_model` tries more."""

NARROW, N_RANDOM_VALUES = 6, 32
"""Bits of a field of which every value is tried, and how many values of a wider one are drawn by chance."""

DOMAIN_ERRORS = (ValueError, ZeroDivisionError, OverflowError)
"""What `math` raises in Python and compiled code does not: there it is nan or inf."""


class Watched:
    """An array as compiled code has it: scalar indices from 0 to n - 1 and no more; remembers where it was written."""

    def __init__(self, name: str, values: NDArray[Any], writable: bool) -> None:
        self._name, self._writable = name, writable
        self._first, self._all = 0, self
        self.values, self.written = values, set[int]()

    def part(self, first: int, n: int) -> Watched:
        """The n entries from `first` on, for the functions of a part; what they write is written here."""
        own = Watched(self._name, self.values[first : first + n], self._writable)
        own._first, own._all = self._first + first, self._all
        return own

    def __getitem__(self, index: Any) -> Any:
        return self.values[self._checked(index)].item()

    def __setitem__(self, index: Any, value: float) -> None:
        if not self._writable:
            raise TypeError(f"it writes into `{self._name}`; write into the first argument alone")
        self.values[self._checked(index)] = value
        self._all.written.add(self._first + int(index))

    def __len__(self) -> int:
        raise TypeError(f"`len({self._name})`: a pointer has no length; use that of the records, `N = len(STATES)`")

    def _checked(self, index: Any) -> int:
        if not isinstance(index, int | np.integer):
            raise TypeError(
                f"`{self._name}[{index!r}]`: expected one whole number; use an index constant of the records"
            )
        if not 0 <= index < len(self.values):
            raise IndexError(
                f"`{self._name}[{index}]` lies outside the array; its indices go from 0 to {len(self.values) - 1}"
            )
        return int(index)


@dataclass(frozen=True, slots=True)
class Call:
    """What a call left in its first argument, where it wrote there, and what it returned."""

    values: FloatArray
    written: frozenset[int]
    returned: Any

    def bits(self) -> tuple[bytes, Any]:
        return self.values.tobytes(), self.returned


@dataclass(frozen=True, slots=True)
class Trials:
    """A model with arguments to call it with: the default state first, then random ones around it."""

    model: Model
    p: FloatArray
    states: tuple[FloatArray, ...]
    charts: tuple[int, ...]
    known: dict[tuple[Any, ...], Call | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Those that are compiled, in the engine's order; `poses` stays plain Python."""
        return {name: self.model.functions[name] for name in PLACE if name in self.model.functions}

    def cases(self, name: str) -> Iterator[tuple[FloatArray, int, int]]:
        """The arguments to try a function with, as (x, chart, crossed boundary)."""
        for chart, x in self.everywhere() if "chart" in CONTRACT[name] else ((0, x) for x in self.states):
            for crossed in self.active(x, chart) if name == "transition" else (0,):
                yield x, chart, crossed

    def everywhere(self) -> Iterator[tuple[int, FloatArray]]:
        """Every chart with its states."""
        return ((chart, x) for chart in self.charts for x in self.states_in(chart))

    def states_in(self, chart: int) -> tuple[FloatArray, ...]:
        """The states to try in a chart: all in the first charts, then the default one and one that is random."""
        place = self.charts.index(chart)
        if place < FIRST_CHARTS or len(self.states) <= 2:
            return self.states
        return self.states[0], self.states[1 + place % (len(self.states) - 1)]

    def active(self, x: FloatArray, chart: int) -> list[int]:
        """The boundaries that are written there."""
        call = self.call("boundaries", x, chart) if "boundaries" in self.model.functions else None
        return sorted(call.written) if call else []

    def arguments(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> dict[str, Any]:
        """What to call a function with, by the names of the contract; the first one is there to be written."""
        sizes = {"g": len(self.model.boundary_records), "y": len(self.model.output_records), "xdot": len(x)}
        first = CONTRACT[name][0]
        flags = np.zeros(len(self.model.boundary_records), np.int64)
        flags[crossed : crossed + 1] = 1
        given: dict[str, Any] = {"x": x.copy(), "p": self.p.copy(), "chart": chart, "crossed": flags, "t": 0.0}
        given["adjacent_chart"] = next((other for other in self.charts if other != chart), chart)
        if first != "t":
            given[first] = x.copy() if first == "x_new" else np.zeros(sizes[first])
        return {argument: given[argument] for argument in CONTRACT[name]}

    def call(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> Call | None:
        """What a function did when it was first called so, in plain Python; None outside a domain of `math`."""
        key = name, x.tobytes(), chart, crossed
        if key not in self.known:
            self.known[key] = self.call_again(name, x, chart, crossed)
        return self.known[key]

    def call_again(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> Call | None:
        """The same, called now."""
        try:
            return self.attempt(name, x, chart, crossed)
        except DOMAIN_ERRORS:
            return None

    def attempt(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> Call:
        """Call a function, with whatever it raises."""
        given = self.arguments(name, x, chart, crossed)
        watched = {
            argument: Watched(argument, value, writable=place == 0) if isinstance(value, np.ndarray) else value
            for place, (argument, value) in enumerate(given.items())
        }
        returned = self.model.functions[name](*watched.values())
        first = next(value for value in watched.values() if isinstance(value, Watched))
        return Call(first.values, frozenset(first.written), returned)


def trials(model: Model, n_random: int = N_RANDOM_STATES, n_charts: int | None = None) -> Trials:
    """A model where it begins and at `n_random` states around, in its first `n_charts` charts (None: all).

    Bookkeeping states stay at their defaults, as charts and places are often kept in them.
    """
    p = pack_parameters(model, default_values(model))
    begun, chart = _begun(model, p)
    lower, upper = (np.array([getattr(state, end) for state in model.states]) for end in ("lower", "upper"))
    spread = 0.1 * (1.0 + np.abs(begun)) * [state.continuous for state in model.states]
    chance = np.random.default_rng(0)
    around = (begun + spread * chance.standard_normal(len(begun)) for _ in range(n_random))
    states = (begun, *(np.clip(x, lower, upper) for x in around))
    charts = dict.fromkeys((chart, *_charts_to_try(model)))
    return Trials(model, p, states, tuple(charts)[:n_charts])


def _begun(model: Model, p: FloatArray) -> tuple[FloatArray, int]:
    """The state and the chart in which the model begins at its defaults; as they are if `initial_chart` fails there."""
    default = np.array([state.default for state in model.states], float)
    x = default.copy()
    try:
        chart = model.functions["initial_chart"](x, 0.0, default.copy(), p.copy())
    except Exception:  # missing, or tried again and reported with its line
        return default, 0
    usable = isinstance(chart, int) and 0 <= chart < model.n_charts and bool(np.isfinite(x).all())
    return (x, chart) if usable else (default, 0)


def _charts_to_try(model: Model) -> list[int]:
    """Every named chart; of bit fields the values of each field with the others 0, never their product."""
    if not model.chart_fields:
        return [*range(model.n_charts)]
    charts, shift = {0}, 0
    for width in model.chart_fields.values():
        charts |= {value << shift for value in _values_to_try(width)}
        shift += width
    return sorted(charts)


def _values_to_try(width: int) -> Iterable[int]:
    """Every value of a narrow bit field; of a wide one each bit alone, each bit missing, and some by chance."""
    whole = (1 << width) - 1
    if width <= NARROW:
        return range(whole + 1)
    bits = [1 << place for place in range(width)]
    chance = np.random.default_rng(0).integers(whole, size=N_RANDOM_VALUES, endpoint=True)
    return [whole, *bits, *(whole - bit for bit in bits), *chance.tolist()]


_fine: deque[Model] = deque(maxlen=64)
"""Models that have been tried: a second run of the same one need not wait for it."""


def refuse_broken(model: Model) -> None:
    """Read every function, and call it once in each of the first charts, before it is compiled.

    Raises
    ------
    ModelError : with `file:line` for every function that fails, where compiled code would go on with garbage.
    """
    if any(model is other for other in _fine):
        return
    tried = trials(model, n_random=0, n_charts=FIRST_CHARTS)
    for function in tried.functions().values():
        check_function(function)
    problems = [*dry_run(tried)]
    if problems:
        raise ModelError("\n".join(f"model {model.name!r}: {problem}" for problem in problems))
    _fine.append(model)


def refuse_broken_extra_outputs(model: Model, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Read every function `f(t, x, p, chart) -> float`, and call it once in each of the first charts.

    Raises
    ------
    ModelError : with `file:line` for every function that fails, or that returns something else than a number.
    """
    tried = trials(model, n_random=0, n_charts=FIRST_CHARTS)
    for function in functions.values():
        check_function(function)
    problems = [problem for function in functions.values() for problem in _failures_of_extra(function, tried)]
    if problems:
        raise ModelError("\n".join(dict.fromkeys(problems)))


def _failures_of_extra(function: Callable[..., Any], tried: Trials) -> Iterator[str]:
    for chart, x in tried.everywhere():
        arrays = (Watched("x", x.copy(), writable=False), Watched("p", tried.p.copy(), writable=False))
        try:
            returned = function(0.0, *arrays, chart)
        except DOMAIN_ERRORS:
            continue
        except Exception as problem:
            yield f"{line_of(problem, function)}: in `{function.__name__}`: {type(problem).__name__}: {problem}"
            return
        if not isinstance(returned, int | float | np.number):
            yield f"{where(function)} returns {returned!r}; expected a number in every chart"


def dry_run(tried: Trials) -> Iterator[str]:
    """Does every function take its arguments, run, index inside its arrays and write into the first alone?

    And do bookkeeping states stay, and does `validate` return numbers of messages? Yields one message `file:line: ...`
    per violation; those of calls only if all arguments are right, those of results only if all calls go through.
    """
    wrong = [*_wrong_arguments(tried)] or [*_failing_calls(tried)]
    yield from wrong or dict.fromkeys((*_moving_bookkeeping(tried), *_unknown_messages(tried)))


def _wrong_arguments(tried: Trials) -> Iterator[str]:
    for name, function in tried.functions().items():
        taken = [*inspect.signature(function).parameters]
        if len(taken) != len(CONTRACT[name]):
            expected = f"{name}({', '.join(CONTRACT[name])})"
            yield f"{where(function)} takes ({', '.join(taken)}); expected {expected}; mend its arguments"


def _failing_calls(tried: Trials) -> Iterator[str]:
    """The first failure of each function; a transition is only tried at boundaries that could be told."""
    for name, function in tried.functions().items():
        try:
            for case in tried.cases(name):
                tried.call(name, *case)
        except Exception as problem:
            yield f"{line_of(problem, function)}: in `{name}`: {type(problem).__name__}: {problem}"
            if name == "boundaries":
                return


def _moving_bookkeeping(tried: Trials) -> Iterator[str]:
    function = tried.functions()["vector_field"]
    calls = (tried.call("vector_field", *case) for case in tried.cases("vector_field"))
    for call in calls:
        for place in sorted(call.written) if call else ():
            state, rate = tried.model.states[place], float(call.values[place]) if call else 0.0
            if rate != 0.0 and not state.continuous:
                yield (
                    f"{where(function)} gives {rate!r} for {state.name} as its slope; "
                    "a bookkeeping state changes at transitions only; leave its slope alone"
                )


def _unknown_messages(tried: Trials) -> Iterator[str]:
    last = len(tried.model.messages)
    for case in tried.cases("validate") if "validate" in tried.functions() else ():
        call = tried.call("validate", *case)
        if call is not None and not (isinstance(call.returned, int) and 0 <= call.returned <= last):
            yield (
                f"{where(tried.functions()['validate'])} returns {call.returned!r}; "
                f"expected 0, or the number of one of the model's messages, 1 to {last}"
            )
