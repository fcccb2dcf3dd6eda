"""What a case is: a hybrid automaton written as formulas, the exact times of its events, and the judgement of a run.

Formulas are strings in t, the states, and sin, cos and sqrt, so that one statement serves plain Python, jax and the
compiled engine alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SHORT = ", short steps"
"""Ends the names of methods whose steps are at most a thousandth of the run: the usual remedy for missed events."""

Timed = tuple[float, str]
"""An event: when, and the name of its guard."""


@dataclass(frozen=True)
class Guard:
    """Its fall from positive to zero is the event: `reset` (state -> formula) is applied, and chart `to` entered.

    `observed`: the value's zeros count in both directions and change nothing. `degree`: of the polynomial in t and the
    states, where it is one. `rest`: the chart a solution goes on in after infinitely many of these events. `waits`: the
    value may be negative where the chart begins, and then has to become positive first.
    """

    name: str
    value: str
    to: str = ""
    reset: Mapping[str, str] = field(default_factory=dict)
    observed: bool = False
    degree: int | None = None
    rest: str = ""
    waits: bool = False


@dataclass(frozen=True)
class Clock:
    """Events at k * period, k = 1, 2, ..., known beforehand; `to` says which chart follows which."""

    name: str
    period: float
    to: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chart:
    slopes: tuple[str, ...]
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True, eq=False)
class Case:
    """One line of the scorecard.

    Parameters
    ----------
    states : name -> initial value; the first of `charts` is the initial one.
    span : initial and final time.
    events : the exact ones, in order.
    final : what some states are at the end, exactly; at the accumulation too, where a run may end there.
    step : the size of the first step, where the case is about it; `max_step` the largest, likewise.
    tolerance : how far off an event may be and count as found; by default 1e-6 of the span's length, or 100 rtol of it,
        and ten spacings of floats at its end.
    accumulation : where infinitely many events accumulate. Those after the last of `events` need not be found; a run
        may end there, or go on as `final` says.
    touch : the events are minima that touch zero. To report one, as a touch or as a close pair, or not to is a policy.
    """

    name: str
    title: str
    states: Mapping[str, float]
    charts: Mapping[str, Chart]
    span: tuple[float, float]
    events: Sequence[Timed]
    final: Mapping[str, float] = field(default_factory=dict)
    clock: Clock | None = None
    step: float | None = None
    max_step: float | None = None
    tolerance: float | None = None
    accumulation: float | None = None
    touch: bool = False

    @property
    def most_events(self) -> int:
        """A run with more events than this is given up."""
        return 2 * len(self.events) + 1000

    def longest_step(self, method: str, otherwise: float = math.inf) -> float:
        """The largest step; a case about the size of steps has its own."""
        if self.max_step is None and self.step is None and method.endswith(SHORT):
            return 1e-3 * (self.span[1] - self.span[0])
        return self.max_step or otherwise

    def allowance(self, rtol: float) -> float:
        """How far off an event, or a final state, may be that was integrated with this rtol."""
        if self.tolerance is not None:
            return self.tolerance
        begin, end = self.span
        return max(1e-6, 100.0 * rtol) * (end - begin) + 10.0 * math.ulp(max(-begin, end))


@dataclass
class Outcome:
    """What a tool made of a case: its events, where it ended, and what that took (None: it does not say)."""

    events: list[Timed]
    t: float
    x: Sequence[float]
    calls: int | None = None
    steps: int | None = None
    note: str = ""
    stuck: bool = False
    """It was stopped from outside: too many events."""


@dataclass(frozen=True)
class Verdict:
    """Events found, missed and invented, the largest error of those found [s], and whether the end is right."""

    found: int
    missed: int
    invented: int
    error: float
    end: str = ""
    """What is wrong with the end of the run, or nothing."""

    @property
    def right(self) -> bool:
        return not (self.missed or self.invented or self.end)


def judge(case: Case, outcome: Outcome, rtol: float) -> Verdict:
    """Match the events of each guard in order of time; what matches nothing is missed or invented."""
    allowed = case.allowance(rtol)
    if case.touch:
        return _judge_touch(case, outcome, allowed)
    found = missed = invented = 0
    error = 0.0
    for name in {name for _, name in [*case.events, *outcome.events]}:
        exact = [t for t, other in case.events if other == name]
        seen = sorted(t for t, other in outcome.events if other == name)
        pairs, lost, extra = match(exact, seen, allowed)
        found += len(pairs)
        missed += lost
        invented += sum(not _may_be(case, t, allowed) for t in extra)
        error = max([error, *(abs(a - b) for a, b in pairs)])
    return Verdict(found, missed, invented, error, _wrong_end(case, outcome, allowed))


def match(exact: Sequence[float], seen: Sequence[float], allowed: float) -> tuple[list[Timed], int, list[float]]:
    """Pairs (exact, seen) within `allowed` of each other, how many are missed, and which seen ones are left over."""
    pairs: list[Any] = []
    extra: list[float] = []
    i = j = 0
    while i < len(exact) and j < len(seen):
        if abs(exact[i] - seen[j]) <= allowed:
            pairs.append((exact[i], seen[j]))
            i, j = i + 1, j + 1
        elif seen[j] < exact[i]:
            extra.append(seen[j])
            j += 1
        else:
            i += 1
    return pairs, len(exact) - len(pairs), [*extra, *seen[j:]]


def _may_be(case: Case, t: float, allowed: float) -> bool:
    """Events that need not be found: those close to an accumulation, and a tick at the very end."""
    if case.accumulation is None:
        return case.clock is not None and t == case.span[1]
    return case.events[-1][0] < t <= case.accumulation + allowed


def _judge_touch(case: Case, outcome: Outcome, allowed: float) -> Verdict:
    near = [min(abs(t - exact) for exact, _ in case.events) for t, _ in outcome.events]
    errors = [distance for distance in near if distance <= allowed]
    reported = min(len(errors), len(case.events))
    return Verdict(reported, len(case.events) - reported, len(near) - len(errors), max(errors, default=0.0))


def _wrong_end(case: Case, outcome: Outcome, allowed: float) -> str:
    if outcome.stuck:
        return f"stuck at {outcome.t:.6g}"
    ends = [case.span[1]] if case.accumulation is None else [case.accumulation, case.span[1]]
    if all(abs(outcome.t - end) > allowed for end in ends):
        return f"ends at {outcome.t:.6g}"
    end = dict(zip(case.states, outcome.x, strict=False))
    off = {name: abs(end[name] - value) for name, value in case.final.items()}
    return "; ".join(f"{name} off by {distance:.1e}" for name, distance in off.items() if not distance <= allowed)


# Formulas into functions.


def function(case: Case, formulas: Sequence[str], mathematics: Any = math) -> Callable[[Any, Any], list[Any]]:
    """f(t, x) -> the values of the formulas, with sin, cos and sqrt of `mathematics` (math, jax.numpy)."""
    names = {name: getattr(mathematics, name) for name in ("sin", "cos", "sqrt")}
    source = f"def f(t, x):\n    {', '.join(case.states)}, = x\n    return [{', '.join(formulas)}]\n"
    exec(compile(source, f"<{case.name}>", "exec"), names)  # the formulas are ours
    made: Callable[[Any, Any], list[Any]] = names["f"]
    return made


def guard_function(case: Case, guard: Guard, mathematics: Any = math) -> Callable[[Any, Any], Any]:
    value = function(case, [guard.value], mathematics)
    return lambda t, x: value(t, x)[0]


def reset_function(case: Case, guard: Guard) -> Callable[[float, Sequence[float]], list[float]]:
    return function(case, [guard.reset.get(name, name) for name in case.states])


class Automaton:
    """A case on plain Python numbers, as a user of a general tool has to write it: where it is, and what comes next."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.chart = next(iter(case.charts))
        self.slopes = {name: function(case, chart.slopes) for name, chart in case.charts.items()}
        self.guards = {
            name: [(g, guard_function(case, g)) for g in chart.guards] for name, chart in case.charts.items()
        }
        self._resets = {g.name: reset_function(case, g) for chart in case.charts.values() for g in chart.guards}
        self.events: list[Timed] = []
        self.ticks = 0

    def record(self, t: float, guard: Guard) -> None:
        self.events.append((float(t), guard.name))

    def jump(self, t: float, x: Sequence[float], guards: Sequence[Guard]) -> list[float]:
        """The state after these guards have fired together; records them and moves to the next chart."""
        new = [float(value) for value in x]
        for guard in guards:
            self.record(t, guard)
            new = [float(value) for value in self._resets[guard.name](t, new)]
            self.chart = guard.to or self.chart
        return new

    @property
    def next_tick(self) -> float:
        """The next instant that is known beforehand, or infinity."""
        return math.inf if self.case.clock is None else (self.ticks + 1) * self.case.clock.period

    def tick(self) -> None:
        clock = self.case.clock
        assert clock is not None
        self.events.append((self.next_tick, clock.name))
        self.ticks += 1
        self.chart = clock.to.get(self.chart, self.chart)

    @property
    def too_many(self) -> bool:
        return len(self.events) > self.case.most_events
