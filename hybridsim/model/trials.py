"""Calls of a model's functions in plain Python, on arrays that allow only what compiled code can do.

A mistake shows here with its line; compiled, it would access memory that belongs to something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compiler.compilation import with_own_kernels
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX
from hybridsim.model.contract import CONTRACT, written_by
from hybridsim.model.model import Model, default_values
from hybridsim.model.parameters import pack_parameters
from hybridsim.typing import FloatArray, Function

N_RANDOM_STATES = 5
"""Random states tried in addition to the default one."""

FAR_STATE_DISTANCES = (1e1, 1e2, 1e3, 1e4)
"""Distances of far states from the default one, as multiples of those of the other random states."""

N_CHARTS_BEFORE_RUN = 16
"""Charts that are tried before every run; `check_model` tries more."""

N_BOUNDARIES_TRIED_FULLY = 6
"""Most active boundaries of a chart of which each is crossed at every state."""

SEARCHING = frozenset({"transition", "initial_chart"})
"""Functions whose kernels would search for minutes in plain Python."""

MANY_CHARTS, N_CROSSINGS_OF_MANY = 1 << 32, 8
"""Charts of a model beyond which the first crossings alone are tried, so many times the number of states in all:
contacts search for their mode at each."""

MAX_BITS_TRIED_FULLY = 6
"""Most bits of a chart field of which every value is tried."""

N_RANDOM_FIELD_VALUES = 32
"""Random values tried of a chart field with more bits."""

Case = tuple[FloatArray, int, int]
"""The arguments with which a function is tried: x, chart, index of the crossed boundary."""

DOMAIN_ERRORS = (ValueError, ZeroDivisionError, OverflowError)
"""Exceptions of `math` in Python where compiled code gives nan or inf."""


class CheckedArray:
    """An array that allows what compiled code can do, single indices from 0 to n - 1, and records written indices."""

    def __init__(self, name: str, values: NDArray[Any], writable: bool) -> None:
        self._name, self._writable = name, writable
        self._first, self._whole = 0, self
        self.values, self.written = values, set[int]()
        self._entries, self._n = values.data, len(values)  # entries of a buffer are read faster than those of an array

    def subarray(self, first: int, n: int) -> CheckedArray:
        """Return a view of n entries from `first` on, for the functions of a part."""
        view = CheckedArray(self._name, self.values[first : first + n], self._writable)
        view._first, view._whole = self._first + first, self._whole
        return view

    def constant(self, values: NDArray[Any]) -> CheckedArray:
        """Return what a function reads of a constant of the model."""
        return CheckedArray("constant", values, writable=False)

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and 0 <= index < self._n:
            return self._entries[index]
        return self._entries[self._check(index)]

    def __setitem__(self, index: Any, value: float) -> None:
        if not self._writable:
            raise TypeError(f"it writes into `{self._name}`; write into the first argument alone")
        position = self._check(index)
        self.values[position] = value
        self._whole.written.add(self._first + position)

    def __getattr__(self, name: str) -> Any:
        array = self.__dict__.get("_name", "x")
        raise AttributeError(
            f"`{array}.{name}`: an array has no names; write `{array}[S.{name}]`, `S = STATES.indices`"
        )

    def __len__(self) -> int:
        raise TypeError(f"`len({self._name})`: a pointer has no length; use that of the records, `N = len(STATES)`")

    def _check(self, index: Any) -> int:
        if not isinstance(index, (int, np.integer)):
            raise TypeError(
                f"`{self._name}[{index!r}]`: expected one whole number; use a named index, `S = STATES.indices`"
            )
        if not 0 <= index < self._n:
            raise IndexError(f"`{self._name}[{index}]` lies outside the array; its indices go from 0 to {self._n - 1}")
        return int(index)


@dataclass(frozen=True, slots=True)
class Call:
    """The result of a call.

    Attributes
    ----------
    values : array
        The array that is written, after the call; where there are two, both, one after the other.
    written : frozenset of int
        The indices at which it was written.
    returned : object
        The returned value.
    """

    values: FloatArray
    written: frozenset[int]
    returned: Any

    def bits(self) -> tuple[bytes, Any]:
        """Return the result in a form that compares bit by bit."""
        return self.values.tobytes(), self.returned


@dataclass(frozen=True, slots=True)
class Trials:
    """A model, and the arguments with which its functions are tried.

    Attributes
    ----------
    model : Model
        The model.
    p : array
        Its parameters and inputs at their defaults.
    states : tuple of arrays
        The default state, then random ones around it.
    charts : tuple of int
        The chart in which the model begins, then others.
    far_states : tuple of arrays
        Random states at growing distances from the default one.
    known : dict
        The results of earlier calls.
    """

    model: Model
    p: FloatArray
    states: tuple[FloatArray, ...]
    charts: tuple[int, ...]
    far_states: tuple[FloatArray, ...] = ()
    known: dict[tuple[Any, ...], Call | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def functions(self) -> dict[str, Function]:
        """Return the functions that are compiled, in the engine's order; `poses` is not among them."""
        return {name: self.model.functions[name] for name in FUNCTION_INDEX if name in self.model.functions}

    def cases(self, name: str) -> Iterator[Case]:
        """Yield the arguments with which a function is tried."""
        if name == "transition":
            yield from self._crossings()
            return
        for chart, x in self.everywhere() if "chart" in CONTRACT[name] else ((0, x) for x in self.states):
            yield x, chart, 0

    def _crossings(self) -> Iterator[Case]:
        """Yield each active boundary at the first state and at the others; at a third of these if many are active.

        Of a model with very many charts, the first ones alone.
        """
        few = N_CROSSINGS_OF_MANY * len(self.states) if self.model.n_charts > MANY_CHARTS else None
        yield from islice(self._all_crossings(), few)

    def _all_crossings(self) -> Iterator[Case]:
        """Yield them chart by chart."""
        for chart in self.charts:
            for number, x in enumerate(self.states_in(chart)):
                active = self.active(x, chart)
                some = active if number == 0 or len(active) <= N_BOUNDARIES_TRIED_FULLY else active[number % 3 :: 3]
                yield from ((x, chart, crossed) for crossed in some)

    def everywhere(self) -> Iterator[tuple[int, FloatArray]]:
        """Return every chart with each of its states."""
        return ((chart, x) for chart in self.charts for x in self.states_in(chart))

    def states_in(self, chart: int) -> tuple[FloatArray, ...]:
        """Return the states that are tried in a chart: all in the first charts, two in each of the others."""
        position = self.charts.index(chart)
        if position < N_CHARTS_BEFORE_RUN or len(self.states) <= 2:
            return self.states
        return self.states[0], self.states[1 + position % (len(self.states) - 1)]

    def active(self, x: FloatArray, chart: int) -> list[int]:
        """Return the indices of the boundaries that are active in a chart."""
        call = self.call("boundaries", x, chart) if "boundaries" in self.model.functions else None
        return sorted(call.written) if call else []

    def arguments(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> dict[str, Any]:
        """Return the arguments of a call by their names in the contract; the first array is written by the function."""
        sizes = {"g": len(self.model.boundary_records), "y": len(self.model.output_records), "xdot": len(x)}
        flags = np.zeros(len(self.model.boundary_records), np.int64)
        flags[crossed : crossed + 1] = 1
        given: dict[str, Any] = {"x": x.copy(), "p": self.p.copy(), "chart": chart, "crossed": flags, "t": 0.0}
        given["adjacent_chart"] = next((tried for tried in self.charts if tried != chart), chart)
        for written in written_by(name):
            given[written] = x.copy() if written == "x_new" else np.zeros(sizes[written])
        return {argument: given[argument] for argument in CONTRACT[name]}

    def call(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> Call | None:
        """Return the result of the first such call in plain Python; None outside the domain of a function of `math`."""
        key = name, x.tobytes(), chart, crossed
        if key not in self.known:
            self.known[key] = self.call_again(name, x, chart, crossed)
        return self.known[key]

    def call_again(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> Call | None:
        """Return the result of another such call; None outside the domain of a function of `math`."""
        try:
            return self.attempt(name, x, chart, crossed)
        except DOMAIN_ERRORS:
            return None

    def attempt(self, name: str, x: FloatArray, chart: int, crossed: int = 0) -> Call:
        """Call a function in plain Python; its exceptions are not caught."""
        given, arrays = self.arguments(name, x, chart, crossed), written_by(name)
        checked = {
            argument: CheckedArray(argument, value, argument in arrays) if isinstance(value, np.ndarray) else value
            for argument, value in given.items()
        }
        with np.errstate(all="ignore"):  # as in compiled code, which divides by zero without a word
            returned = _in_plain_python(self.model, name)(*checked.values())
        values, written = list[float](), set[int]()
        for array in (checked[each] for each in arrays or ("x",)):
            written |= {len(values) + index for index in array.written}
            values += array.values.tolist()
        return Call(np.array(values), frozenset(written), returned)


def trials(model: Model, n_random: int = N_RANDOM_STATES, n_charts: int | None = None, n_far: int = 0) -> Trials:
    """Prepare the trials of a model: its initial state and random ones around it, in some of its charts.

    Bookkeeping states stay at their defaults, as they often hold numbers of charts and counts.

    Parameters
    ----------
    model : Model
        The model.
    n_random : int
        The number of random states.
    n_charts : int, optional
        The number of charts, by default all; of wide chart fields some values are chosen.
    n_far : int
        The number of random states at each of `FAR_STATE_DISTANCES`.

    Returns
    -------
    Trials
        The model with these arguments.
    """
    p = pack_parameters(model, default_values(model))
    start, chart = _start(model, p)
    lower, upper = model.states.column("lower"), model.states.column("upper")
    spread = 0.1 * (1.0 + np.abs(start)) * model.states.column("continuous")

    def around(scale: float, n: int) -> list[FloatArray]:
        if not n:  # numpy's random numbers take 13 ms to import
            return []
        steps = np.random.default_rng(0).standard_normal((n, len(start)))
        return [*np.clip(start + scale * spread * steps, lower, upper)]

    far = [x for distance in FAR_STATE_DISTANCES for x in around(distance, n_far)]
    charts = dict.fromkeys((chart, *_charts_to_try(model)))
    return Trials(model, p, (start, *around(1.0, n_random)), tuple(charts)[:n_charts], tuple(far))


def _in_plain_python(model: Model, name: str) -> Function:
    """Return a function to be called; kernels that search where a transition leads are machine code."""
    return with_own_kernels(model.name, model.functions[name]) if name in SEARCHING else model.functions[name]


def _start(model: Model, p: FloatArray) -> tuple[FloatArray, int]:
    """Return the initial state and chart at the defaults; the default state in chart 0 if `initial_chart` fails."""
    default = model.states.column("default").astype(float)
    x = default.copy()
    try:
        chart = _in_plain_python(model, "initial_chart")(x, 0.0, default.copy(), p.copy())
    except (Exception, SystemExit):  # it is missing, or its error is found and reported by the dry run
        return default, 0
    usable = isinstance(chart, int) and 0 <= chart < model.n_charts and bool(np.isfinite(x).all())
    return (x, chart) if usable else (default, 0)


def _charts_to_try(model: Model) -> list[int]:
    """Return every named chart; with bit fields, values of each field while the others are 0."""
    if not model.chart_fields:
        return [*range(model.n_charts)]
    charts, shift = {0}, 0
    for width in model.chart_fields.values():
        charts |= {value << shift for value in _values_to_try(width)}
        shift += width
    return sorted(charts)


def _values_to_try(width: int) -> Iterable[int]:
    """Return every value of a narrow bit field; of a wide one each bit alone, all but each bit, and random values."""
    whole = (1 << width) - 1
    if width <= MAX_BITS_TRIED_FULLY:
        return range(whole + 1)
    bits = [1 << position for position in range(width)]
    values = np.random.default_rng(0).integers(whole, size=N_RANDOM_FIELD_VALUES, endpoint=True)
    return [whole, *bits, *(whole - bit for bit in bits), *values.tolist()]
