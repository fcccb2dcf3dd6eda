"""A period from all states of a box: leg after leg, each with the signs of its boundaries and branches proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hybridsim.proofs.balls import REALS, Ball, ball, contains_zero, digits, hull, matrix, middle, times
from hybridsim.proofs.chart_flow import Ensemble, Step
from hybridsim.proofs.crossing import (
    TARGET,
    Bracket,
    bracket,
    crossed,
    crossing_time,
    pass_through,
    refuse_constants,
    transition,
    width,
)
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.levels import Level
from hybridsim.proofs.refusals import TooWideError
from hybridsim.proofs.system import System
from hybridsim.proofs.watching import Piece, Sign, first_sign, watch_step

MAX_STEPS = 2000
"""Steps of a leg."""

NEARNESS = 8
"""The last step of a leg begins so many times the spread of the crossings before them: series are sharp near 0."""


class StepRecord(NamedTuple):
    """What a checker needs of a step: length, radius of convergence, rings, and what is proven of its pieces."""

    length: Ball
    rho: Ball
    rings: list[list[Ball]]
    pieces: list[list[Piece]]


@dataclass(slots=True)
class LegRecord:
    """The steps of a leg, its crossing, and what is proven there of the next leg, if nothing changes but the chart."""

    steps: list[StepRecord] = field(default_factory=list)
    bracket: Any = None
    of_centre: Any = None
    pieces_behind: list[list[Piece]] = field(default_factory=list)


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

    def ensemble(self, with_second: bool = False) -> Ensemble:
        """Return the states of the box, with their derivatives by its coordinates, and the second ones."""
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
        second = [matrix([[ball(0)] * m] * m) for _ in range(n)] if with_second else None
        return Ensemble(list(self.x), [], list(self.x), v, x, v, second)

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
    moments : list of Ball
        The times of its events, for all of them, from its beginning [s]; the last is the period.
    records : list of LegRecord
        What a checker needs.
    level : (Ball, list of Ball), optional
        By how much the centre misses the level of a kept quantity, and the derivatives of that by the free states.
    """

    end: Ensemble
    moments: list[Ball]
    records: list[LegRecord]
    level: tuple[Ball, list[Ball]] | None = None


def is_transparent(leg: Leg, following: Leg) -> bool:
    """Return whether nothing changes at the end of a leg but the chart: the state stays, and the field.

    States need then not be followed to their crossings: they are kept at one time, behind all of these.
    """
    program, other = leg.field, following.field
    is_same = program.instructions == other.instructions and program.results == other.results
    inputs = [a[1] if a[0] == "input" else "" for a in (leg.reset.instructions[k] for k in leg.reset.results)]
    return is_same and tuple(inputs) == leg.variables


def period(chain: Chain, box: Box, accuracy: Accuracy, is_proven: bool = True) -> Period:
    """Follow all states of a box over a period, and prove that they have the orbit's chain of events.

    Or follow one, roughly, to learn where it gets: then what series leave out is neglected, and no sign is watched.

    Raises
    ------
    TooWideError
        If a step of the proof fails, with the leg and the time.
    """
    system = System(chain, accuracy, box.deviations, is_proven)
    walk, following = _Walk(system, box.ensemble(accuracy.second > 0)), [*chain.legs[1:], None]
    for leg, after in zip(chain.legs, following, strict=True):
        refuse_constants(system, leg)
        try:
            walk.follow(leg, after if after is not None and is_transparent(leg, after) else None)
        except TooWideError as problem:
            where = chain.model.chart_name(leg.event.chart)
            at = digits(walk.begun + walk.passed, 8)
            raise TooWideError(f"in {where}, {at} s after the section: {problem}") from None
    level = None if chain.level is None else _on_level(system, chain.level, box, walk.state)
    return Period(walk.state, walk.moments, walk.records, level)


def _on_level(system: System, level: Level, box: Box, end: Ensemble) -> tuple[Ball, list[Ball]]:
    """Return by how much a quantity misses its level, and its slopes; it has to determine the state it replaces."""
    x, k = box.ensemble().x, box.free[level.replaced]
    everywhere = system.run(level.gradient, [hull(a, b) for a, b in zip(x, end.x, strict=True)], REALS)
    if contains_zero(everywhere[k]):
        raise TooWideError(f"{level.name} does not determine {system.chain.variables[k]}")
    gradient = system.run(level.gradient, x, REALS)
    return system.run(level.quantities[0], box.x, REALS)[0] - ball(level.value), [gradient[i] for i in box.free]


class _Walk:
    """States on their way over a period, and the signs of what is watched, if a leg has begun already."""

    def __init__(self, system: System, state: Ensemble) -> None:
        self.system, self.state = system, state
        self.signs: list[Sign] | None = None
        self.begun, self.passed, self.late = ball(0), ball(0), ball(0)
        self.moments: list[Ball] = []
        self.records: list[LegRecord] = []

    def follow(self, leg: Leg, following: Leg | None) -> None:
        """Follow states over a leg and the event at its end; `following` is the next leg if that is transparent."""
        system, signs, record = self.system, self.signs, LegRecord()
        if signs is None and not system.is_proven:
            signs = []
        if signs is None:
            values = system.run(leg.watched, self.state.x, REALS)
            signs = [first_sign(watch, value) for watch, value in zip(leg.watches, values, strict=False)]
        self.passed, guess = ball(0), ball(leg.event.duration)
        for _ in range(MAX_STEPS):
            step = system.step(leg, self.state, guess)
            guess = step.rho
            length = middle(step.rho * system.accuracy.share)
            left = leg.event.duration - self.late - self.passed
            if 0.8 * length > left:
                at = crossing_time(step, middle(left))
                length = middle(at - NEARNESS * width(step, at))
                if not (length > 0 and (length * 8 > step.rho * system.accuracy.share)):
                    self._end(step, at, signs, record, following)
                    return
            elif length > 0.7 * left:
                length = middle(left * 0.6)
            signs = _watch_step(step, signs, length, record)
            self.state, self.passed = step.ensemble(length), self.passed + length
        raise TooWideError(f"the leg needs more than {MAX_STEPS} steps")

    def _end(self, step: Step, at: Ball, signs: Sequence[Sign], record: LegRecord, following: Leg | None) -> None:
        """Prove that all states cross, and take them over the transition."""
        leg, everywhere, of_centre = step.leg, bracket(step, at), bracket(step, at, of_centre=True)
        if not everywhere.end < step.rho * 0.5:
            raise TooWideError(f"{leg.watches[TARGET].name} is crossed by some solutions after the last step")
        _watch(step, signs, everywhere, record)
        record.bracket, record.of_centre = everywhere, of_centre
        moment = hull(everywhere.begin, everywhere.end)
        self.moments.append(self.begun + self.passed + moment)
        self.records.append(record)
        if following is None:
            self.state = transition(self.system, leg, crossed(step, everywhere, of_centre))
            self.begun, self.late, self.signs = self.begun + self.passed + moment, ball(0), None
            return
        pass_through(self.system, leg, step.ensemble(moment).x)
        seen = step.seen_by(following)
        watches = following.watches if self.system.is_proven else ()
        signs = [first_sign(watch, seen.value(k, moment)) for k, watch in enumerate(watches)]
        proven = [watch_step(seen, k, sign, everywhere.end, everywhere.begin) for k, sign in enumerate(signs)]
        self.signs, record.pieces_behind = [sign for sign, _ in proven], [pieces for _, pieces in proven]
        self.begun, self.late = self.begun + self.passed + everywhere.end, middle(everywhere.end - at)
        self.state = step.ensemble(everywhere.end)


def _watch(step: Step, signs: Sequence[Sign], found: Bracket, record: LegRecord) -> None:
    """Prove that the boundary at the end is positive until the bracket, and all else until its end."""
    if not step.system.is_proven:
        return
    ends = [found.begin, *[found.end] * (len(signs) - 1)]
    proven = [watch_step(step, k, sign, end) for k, (sign, end) in enumerate(zip(signs, ends, strict=True))]
    if proven[TARGET][0] is not Sign.POSITIVE:
        raise TooWideError(f"{step.leg.watches[TARGET].name} has not been positive before it is crossed")
    record.steps.append(StepRecord(found.end, step.rho, step.rings, [pieces for _, pieces in proven]))


def _watch_step(step: Step, signs: Sequence[Sign], length: Ball, record: LegRecord) -> list[Sign]:
    if not step.system.is_proven:
        return list(signs)
    proven = [watch_step(step, k, sign, length) for k, sign in enumerate(signs)]
    record.steps.append(StepRecord(length, step.rho, step.rings, [pieces for _, pieces in proven]))
    return [sign for sign, _ in proven]
