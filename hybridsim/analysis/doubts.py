"""What the numbers of an orbit do not say: sentences for its summary and its file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hybridsim.analysis.newton import null_directions
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, growth_of, sizes_of
from hybridsim.analysis.stride import Stride
from hybridsim.derivatives.sensitivity import grazing_events
from hybridsim.results.events import named_events
from hybridsim.typing import FloatArray

SAME_BEGINNING = 1e-6
"""Distance between the beginnings of two strides, in sizes of the states, below which they are the same stride."""

STEEP_TIME = 100.0
"""Change of an event's time, in durations of its stride, for changes of the states by their sizes, from which on it is
seen whether the event grazes: below, it does not."""


CRITICAL = (
    "a multiplier is of size 1, and no family of orbits says why: the orbit is at a bifurcation, or deviations keep "
    "their size; whether they die out is not decided by the linearisation"
)
"""What is said of an orbit whose multipliers do not decide about it."""


UNDECIDED_DISTANCE = 1e-7
"""Distance from the unit circle within which a multiplier decides nothing: of a fold, rounding leaves its root."""


def verdict(
    problem: Problem, found: Return, multipliers: FloatArray, family: int
) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether the multipliers make an orbit stable, and what has to be said where they do not decide it."""
    null = null_directions(problem.equations(found).jacobian)
    growth, critical = growth_of(multipliers, null), null > family
    unstable = growth > 1.0 + UNDECIDED_DISTANCE
    critical |= not unstable and growth >= 1.0 - UNDECIDED_DISTANCE
    return False if unstable else None if critical else True, (CRITICAL,) if critical else ()


def doubts_of(problem: Problem, found: Return) -> tuple[str, ...]:
    """Return what has to be said of an orbit, beside what `ties_of` and `verdict` say."""
    return (*_fewer_strides(problem, found), *_grazing(problem, found))


def _fewer_strides(problem: Problem, found: Return) -> Iterator[str]:
    """Say that a period is several periods of an orbit of fewer strides."""
    free, n = problem.free.free, len(found.strides)
    sizes = np.maximum(sizes_of(found)[free], problem.sizes)
    for fewer in (k for k in range(1, n) if n % k == 0):
        begin = found.strides[fewer].rows
        miss = np.abs(problem.miss(found.x0, begin.x[0])[free])
        if begin.chart[0] == found.chart0 and (miss <= SAME_BEGINNING * sizes).all():
            strides, times = "1 stride" if fewer == 1 else f"{fewer} strides", n // fewer
            yield (
                f"this is an orbit of {strides}, found {'twice' if times == 2 else f'{times} times'} in a row: its own "
                f"period is 1/{times} of this one, and the multipliers are its own to the power {times}"
            )
            return


def _grazing(problem: Problem, found: Return) -> Iterator[str]:
    """Say at which events the derivative grows without limit."""
    model, sizes, begin = problem.return_map.stride_map.model, sizes_of(found), 0.0
    for stride in found.strides:
        if _is_steep(stride, sizes) and stride.events is not None:
            events = named_events(stride.events, model.boundary_records.names, model.states.names)
            for index in grazing_events(problem.return_map.stride_map.functions, stride.rows, events, stride.rates):
                yield (
                    f"at t = {begin + events.t[index] - stride.rows.t[0]:.9g} from the section "
                    f"{' and '.join(events[index].boundaries)} is met at a grazing angle: the derivative of the time "
                    "is very large, and multipliers hold only for deviations that are very small"
                )
        begin += stride.duration


def _is_steep(stride: Stride, sizes: FloatArray) -> bool:
    """Return whether the time of an event depends so much on the state that it may graze."""
    return not (np.abs(stride.event_times[:, : len(sizes)]) @ sizes <= STEEP_TIME * stride.duration).all()
