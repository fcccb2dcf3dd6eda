"""RHexLib's symbols of walking in an rc file: lists by speed, `walk_...`, and ranges, `walkexp_..._range`.

RHexLib (2001) interpolates the lists linearly between the numbers in `walk_speeds`; `walk_speed` chooses one, by
default the largest, which is full speed ahead. A range `{ n from to }` is n values, evenly spaced; an experiment makes
a run for each combination, the first range varying fastest. Its runs are a sweep, one row each.
"""

from __future__ import annotations

import difflib
import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.config.rc_source import Assignment
from hybridsim.config.source import Diagnostics, Node, Origin
from hybridsim.model import Model, nearest

SPEEDS, SPEED = "walk_speeds", "walk_speed"
DUTY_FACTOR = "duty factor"
LISTS_BY_SPEED: Mapping[str, str] = {
    "walk_cpg_period": "t_c",
    "walk_sweep_angle": "phi_s",
    "walk_duty_factor": DUTY_FACTOR,
    "walk_leg_offset_forward": "phi_o",
    "walk_leg_offset_backward": "phi_o",
    "walk_smooth_factor": "smooth",
}
"""Lists by speed -> what their numbers are in the model; t_s is the duty factor times t_c."""
LISTS_OF_GAINS: Mapping[str, str] = {"walk_kp": "k_p", "walk_kd": "k_d"}
"""Lists by leg -> the parameter that all legs share."""
RANGES: Mapping[str, str] = {
    "walkexp_cpgperiod_range": "t_c",
    "walkexp_sweepangle_range": "phi_s",
    "walkexp_dutyfactor_range": DUTY_FACTOR,
    "walkexp_legoffset_range": "phi_o",
    "walkexp_smooth_range": "smooth",
    "walkexp_kp_range": "k_p",
    "walkexp_kd_range": "k_d",
}
"""Ranges of an experiment, in RHexLib's order. Those of turning have no effect, as an experiment goes straight."""
RHEXLIB_DEFAULTS: Mapping[str, float] = {"t_c": 0.53, DUTY_FACTOR: 0.6226}
"""RHexLib's values, for the product of the two where one of them is not given."""
NEEDED_NAMES = ("t_c", "t_s", "phi_s", "phi_o", "smooth", "k_p", "k_d")
"""The inputs and parameters of a model that these symbols set."""
MAX_RUNS = 10**6
"""Most runs of an experiment."""
SYMBOLS = (SPEEDS, SPEED, *LISTS_BY_SPEED, *LISTS_OF_GAINS, *RANGES)
"""All symbols that are read."""
MIN_SIMILARITY = 0.92
"""Least similarity, as `difflib` measures it, of a name that is taken for a mistyped symbol."""


@dataclass(frozen=True, slots=True)
class Walking:
    """What RHexLib's symbols set.

    Attributes
    ----------
    used : set of str
        The symbols that have been read.
    assignments : list of Assignment
        The values of the model's own names.
    rows : Node or None
        The columns of a sweep's rows, if there are ranges.
    """

    used: set[str] = field(default_factory=set)
    assignments: list[Assignment] = field(default_factory=list)
    rows: Node | None = None


def read_walking(assignments: Iterable[Assignment], model: Model | None, diagnostics: Diagnostics) -> Walking:
    """Read RHexLib's symbols among the assignments of an rc file.

    Parameters
    ----------
    assignments : iterable of Assignment
        Those of the file, and of the command line.
    model : Model or None
        The model; without all names in `NEEDED_NAMES` it does not walk like RHexLib, and nothing is read.
    diagnostics : Diagnostics
        Gets the errors.

    Returns
    -------
    Walking
        The values, and the rows of a sweep.
    """
    given = {assignment.name: assignment for assignment in assignments}
    symbols = [name for name in SYMBOLS if name in given]
    if not symbols or model is None or not _walks(model):
        return Walking()
    reader = _Reader(given, diagnostics)
    values = reader.at_speed() | reader.gains()
    ranges = reader.ranges()
    values |= {name: numbers[0] for name, numbers in ranges.items() if len(numbers) == 1}
    set_now = [Assignment(name, Node(value, reader.origin(name))) for name, value in _with_slow_swing(values).items()]
    return Walking(set(symbols), set_now, reader.rows(ranges, values) if ranges else None)


def suggest(name: str, model: Model) -> str:
    """Return "; did you mean `walk_kp`?" for a name much like one that is read, or "".

    RHexLib has many more symbols alike, `walkexp_turnoffset_range` for one: they are no mistakes.
    """
    close = difflib.get_close_matches(name, SYMBOLS, n=1, cutoff=MIN_SIMILARITY) if _walks(model) else []
    return nearest(name, close)


def _walks(model: Model) -> bool:
    return {*NEEDED_NAMES} <= {*model.inputs.names, *model.parameters.names}


def _with_slow_swing(values: Mapping[str, float]) -> dict[str, float]:
    """Return the model's own values: t_s instead of the duty factor."""
    own = {name: value for name, value in values.items() if name != DUTY_FACTOR}
    if DUTY_FACTOR in values or "t_c" in values:
        both = {**RHEXLIB_DEFAULTS, **values}
        own["t_c"], own["t_s"] = both["t_c"], both[DUTY_FACTOR] * both["t_c"]
    return own


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the symbols in `given`, and records what is wrong with them."""

    given: Mapping[str, Assignment]
    diagnostics: Diagnostics

    def at_speed(self) -> dict[str, float]:
        """Return the values of the lists at the speed that is chosen."""
        lists = {name: self._numbers(name) for name in LISTS_BY_SPEED if name in self.given}
        speeds = self._numbers(SPEEDS) if SPEEDS in self.given else []
        if not lists:
            return {}
        if not speeds or sorted(set(speeds)) != speeds:
            self._error(SPEEDS if speeds else next(iter(lists)), "expected rising numbers in `walk_speeds`; write them")
            return {}
        speed = self._speed(speeds)
        backward = "gait" in self.given and self.given["gait"].node.value == "backward"
        away = "forward" if backward else "backward"
        values = {}
        for name, numbers in lists.items():
            if len(numbers) != len(speeds):
                self._error(name, f"expected {len(speeds)} numbers, as many as in {SPEEDS}, found {len(numbers)}")
            elif not name.endswith(away):
                values[LISTS_BY_SPEED[name]] = float(np.interp(speed, speeds, numbers))
            if LISTS_BY_SPEED[name] == DUTY_FACTOR:
                self._check_duty(name, numbers)
        return values

    def gains(self) -> dict[str, float]:
        """Return the gains, which all legs share."""
        values = {}
        for name in (name for name in LISTS_OF_GAINS if name in self.given):
            numbers = self._numbers(name)
            if len(set(numbers)) == 1:
                values[LISTS_OF_GAINS[name]] = numbers[0]
            elif numbers:
                self._error(name, "expected the same number for each leg, as its motors have one controller; use one")
        return values

    def ranges(self) -> dict[str, list[float]]:
        """Return the values of each range."""
        found = {}
        for name, target in RANGES.items():
            numbers = self._numbers(name) if name in self.given else []
            if not numbers:
                continue
            n = numbers[0] if len(numbers) == 3 else 0.0
            if not 1.0 <= n <= MAX_RUNS or n != math.floor(n):
                expected = f"expected {{ number-of-values from to }}, 1 to {MAX_RUNS:,} values"
                self._error(name, f"{expected}; write for example {{ 3 0.5 0.8 }}, as an override [3, 0.5, 0.8]")
            else:
                found[target] = [float(value) for value in np.linspace(numbers[1], numbers[2], int(n))]
                if target == DUTY_FACTOR:
                    self._check_duty(name, numbers[1:])
        return found

    def rows(self, ranges: Mapping[str, list[float]], values: Mapping[str, float]) -> Node | None:
        """Return the columns of all combinations of the ranges, the first varying fastest.

        There is one for each name that differs between the rows or from `values`, which are those of a single run.
        """
        first = next(name for name in RANGES if name in self.given)
        origin = self.given[first].node.origin
        if math.prod(map(len, ranges.values())) > MAX_RUNS:
            self._error(first, f"expected at most {MAX_RUNS:,} combinations of all ranges; give fewer values")
            return None
        names = [*ranges][::-1]
        combinations = itertools.product(*(ranges[name] for name in names))
        rows = [_with_slow_swing(dict(values) | dict(zip(names, row, strict=True))) for row in combinations]
        usual = _with_slow_swing(values)
        varied = [name for name in NEEDED_NAMES if {row.get(name) for row in rows} != {usual.get(name)}]
        varied = varied or [next(iter(rows[0]))]
        for name in (f"{section}{name}" for name in varied for section in ("", "inputs.", "parameters.")):
            if name in self.given:
                place = self.given[name].node.origin.text
                self.diagnostics.notes.append(f"{place}: {name}: in a sweep the ranges of the experiment replace it")
        columns = {name: Node([Node(row[name], origin) for row in rows], origin) for name in varied}
        return Node(columns, Origin(origin.text, origin.folder))

    def origin(self, own: str) -> Origin:
        """Return where the value of a name of the model is written: by the last symbol that gives it."""
        target = DUTY_FACTOR if own == "t_s" else own
        symbols = [
            name for table in (LISTS_BY_SPEED, LISTS_OF_GAINS, RANGES) for name, of in table.items() if of == target
        ]
        written = [self.given[name].node.origin for name in symbols if name in self.given]
        return written[-1] if written else Origin("RHexLib default")

    def _speed(self, speeds: list[float]) -> float:
        if SPEED not in self.given:
            return speeds[-1]
        speed = self.given[SPEED].node.value
        if isinstance(speed, int | float) and not isinstance(speed, bool) and speeds[0] <= speed <= speeds[-1]:
            return float(speed)
        self._error(SPEED, f"expected a number from {speeds[0]:g} to {speeds[-1]:g}, as in {SPEEDS}, found {speed!r}")
        return speeds[-1]

    def _numbers(self, name: str) -> list[float]:
        value: Any = self.given[name].node.plain()
        numbers = value if isinstance(value, list) else [value]
        if not numbers or not all(isinstance(number, int | float) and math.isfinite(number) for number in numbers):
            self._error(name, "expected a list of numbers; write `{ 3 0.5 0.8 }`, as an override `[3, 0.5, 0.8]`")
            return []
        return [float(number) for number in numbers]

    def _check_duty(self, name: str, factors: Iterable[float]) -> None:
        wrong = [factor for factor in factors if not 0.0 < factor < 1.0]
        if wrong:
            text = "expected duty factors between 0 and 1, the part of a period in which a leg is to stand"
            self._error(name, f"{text}; found {wrong[0]:g}")

    def _error(self, name: str, text: str) -> None:
        self.diagnostics.problems.append(f"{self.given[name].node.origin.text}: {name}: {text}")
