"""A period from all states of a box: leg after leg, each with the signs of its boundaries and branches proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hybridsim.proofs.balls import REALS, Ball, ball, digits, hull, matrix, middle, times
from hybridsim.proofs.chart_flow import Accuracy, Ensemble, Step, System
from hybridsim.proofs.crossing import TARGET, Bracket, cross, crossing_time, refuse_constants, transition
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.refusals import TooWideError
from hybridsim.proofs.watching import Piece, Sign, first_sign, watch_step

MAX_STEPS = 2000
"""Steps of a leg."""


class StepRecord(NamedTuple):
    """What a checker needs of a step: length, radius of convergence, discs, and what is proven of its pieces."""

    length: Ball
    rho: Ball
    discs: list[Ball]
    pieces: list[list[Piece]]


@dataclass(slots=True)
class LegRecord:
    """The steps of a leg, and its crossing."""

    steps: list[StepRecord] = field(default_factory=list)
    bracket: Any = None
    of_centre: Any = None


@dataclass(frozen=True, slots=True)
class Box:
    """Where a period begins: free states centre + tilt (q - q_c) + deviations, the parameter q, and all other states.

    Attributes
    ----------
    x : list of Ball
        The centre of all variables, exact numbers.
    free : tuple of int
        The indices of the free states.
    reach : list of Ball
        The sizes of the deviations of the free states, and of the parameter.
    tilt : list of Ball
        The slopes of the free states by the parameter; empty without one.
    """

    x: list[Ball]
    free: tuple[int, ...]
    reach: list[Ball]
    tilt: list[Ball]

    def ensemble(self) -> Ensemble:
        """Return the states of the box, with their derivatives by its coordinates."""
        n, m = len(self.x), len(self.reach)
        rows = [[ball(0)] * m for _ in range(n)]
        for j, i in enumerate(self.free):
            rows[i][j] = ball(1)
            if self.tilt:
                rows[i][-1] = self.tilt[j]
        if self.tilt:
            rows[n - 1][-1] = ball(1)
        v = matrix(rows)
        x = [c + d for c, d in zip(self.x, times(v, self.deviations), strict=True)]
        return Ensemble(list(self.x), v, x)

    @property
    def deviations(self) -> list[Ball]:
        """The coordinates, each from minus its size to its size."""
        return [ball(0, reach) for reach in self.reach]


@dataclass(frozen=True, slots=True)
class Period:
    """What a period makes of a box.

    Attributes
    ----------
    end : Ensemble
        The states at its end.
    duration : Ball
        The time that it takes, for all of them [s].
    durations : list of Ball
        The same of each leg.
    records : list of LegRecord
        What a checker needs.
    """

    end: Ensemble
    duration: Ball
    durations: list[Ball]
    records: list[LegRecord]


def period(chain: Chain, box: Box, accuracy: Accuracy) -> Period:
    """Follow all states of a box over a period, and prove that they have the orbit's chain of events.

    Raises
    ------
    TooWideError
        If a step of the proof fails, with the leg and the time.
    """
    system = System(chain, accuracy, box.deviations)
    state, total, durations, records = box.ensemble(), ball(0), [], []
    for leg in chain.legs:
        refuse_constants(system, leg)
        record = LegRecord()
        try:
            state, duration = _leg(system, leg, state, record)
        except TooWideError as problem:
            where = chain.model.chart_name(leg.event.chart)
            at = sum((step.length for step in record.steps), total)
            raise TooWideError(f"in {where}, {digits(at, 8)} s after the section: {problem}") from None
        total += duration
        durations.append(duration)
        records.append(record)
    return Period(state, total, durations, records)


def _leg(system: System, leg: Leg, state: Ensemble, record: LegRecord) -> tuple[Ensemble, Ball]:
    """Follow states from the beginning of a leg over the transition at its end."""
    values = system.run(leg.watched, state.x, REALS)
    signs = [first_sign(watch, value) for watch, value in zip(leg.watches, values, strict=False)]
    passed, guess, left = ball(0), ball(leg.event.duration), ball(leg.event.duration)
    for _ in range(MAX_STEPS):
        step = system.step(leg, state, guess)
        guess = step.rho
        length = middle(step.rho * system.accuracy.share)
        left = leg.event.duration - passed
        if 0.8 * length > left:
            at = crossing_time(step, middle(left))
            state, everywhere, of_centre = _last(step, at, length)
            signs = _watch(step, signs, everywhere, record)
            record.bracket, record.of_centre = everywhere, of_centre
            return transition(system, leg, state), passed + hull(everywhere.begin, everywhere.end)
        length = middle(left * 0.6) if length > 0.7 * left else length
        signs = _watch_step(step, signs, length, record)
        state, passed = step.ensemble(length), passed + length
    raise TooWideError(f"the leg needs more than {MAX_STEPS} steps")


def _last(step: Step, at: Ball, length: Ball) -> tuple[Ensemble, Bracket, Bracket]:
    state, everywhere, of_centre = cross(step, at)
    if not everywhere.end <= length:
        raise TooWideError(f"{step.leg.watches[TARGET].name} is crossed by some solutions after the last step")
    return state, everywhere, of_centre


def _watch(step: Step, signs: Sequence[Sign], found: Bracket, record: LegRecord) -> list[Sign]:
    """Prove that the boundary at the end is positive until the bracket, and all else until its end."""
    ends = [found.begin, *[found.end] * (len(signs) - 1)]
    proven = [watch_step(step, k, sign, end) for k, (sign, end) in enumerate(zip(signs, ends, strict=True))]
    if proven[TARGET][0] is not Sign.POSITIVE:
        raise TooWideError(f"{step.leg.watches[TARGET].name} has not been positive before it is crossed")
    record.steps.append(StepRecord(found.end, step.rho, step.discs, [pieces for _, pieces in proven]))
    return [sign for sign, _ in proven]


def _watch_step(step: Step, signs: Sequence[Sign], length: Ball, record: LegRecord) -> list[Sign]:
    proven = [watch_step(step, k, sign, length) for k, sign in enumerate(signs)]
    record.steps.append(StepRecord(length, step.rho, step.discs, [pieces for _, pieces in proven]))
    return [sign for sign, _ in proven]
