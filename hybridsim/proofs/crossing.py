"""Where all solutions of a leg cross its boundary, and what the transition makes of them.

In a bracket of time the boundary is proven to be positive at the beginning, negative at the end, and to fall in
between: each solution crosses once, within the bracket. The states there depend on the state where the period begins by

    S = (1 - f g_x / (g_x f)) V

as the time of the crossing varies, too. Each round of S on the states that the one before has left makes them fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hybridsim.graph import Guard
from hybridsim.proofs.balls import (
    REALS,
    Ball,
    Matrix,
    ball,
    contains_zero,
    digits,
    hull,
    is_finite,
    matrix,
    middle,
    rows_of,
    upper,
)
from hybridsim.proofs.chart_flow import Ensemble, Step, around, with_noise
from hybridsim.proofs.legs import Leg
from hybridsim.proofs.refusals import NotProvenError, TooWideError
from hybridsim.proofs.second_order import Second, bilinear, combined, crossing, sharper, symmetric
from hybridsim.proofs.system import System

ROUNDS = 3
"""How often the states at a crossing are made fewer."""

WIDENINGS = 40
"""How often a bracket is doubled."""

TARGET = 0
"""The place of the boundary at the end of a leg among what is watched."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Where solutions cross: from `begin` to `end`, exact numbers, seconds into the step; `rate` is the slope there."""

    begin: Ball
    end: Ball
    rate: Ball


def crossing_time(step: Step, guess: Ball) -> Ball:
    """Return where the solution from the centre crosses the boundary, about, an exact number, by Newton's method."""
    t, index = guess, TARGET
    for _ in range(6):
        value, rate = _value_and_rate(step, step.centre(t), index)
        if not is_finite(value, rate) or contains_zero(rate):
            break
        t = middle(t - middle(value) / middle(rate))
        if not (t < step.rho and -t < step.rho):
            raise TooWideError(
                f"{step.leg.watches[index].name} is not crossed near where the computed orbit crosses it"
            )
    return t


def _value_and_rate(step: Step, x: Sequence[Ball], index: int) -> tuple[Ball, Ball]:
    """Return value and slope of what is watched on a box of states."""
    leg, n, run = step.leg, len(x), step.system.run
    gradient = run(leg.gradients, x, REALS)[n * index : n * index + n]
    slopes = run(leg.field, x, REALS)[:n]
    return run(leg.watched, x, REALS)[index], sum((a * b for a, b in zip(gradient, slopes, strict=True)), ball(0))


def bracket(step: Step, at: Ball, of_centre: bool = False) -> Bracket:
    """Prove where all solutions cross, or the one from the centre.

    Raises
    ------
    TooWideError
        If the bracket is not within the step, or the boundary does not fall everywhere in it.
    """

    def states(t: Ball) -> Any:
        return step.centre(t) if of_centre else step.ensemble(t).x

    name = step.leg.watches[TARGET].name
    value, rate = _value_and_rate(step, states(at), TARGET)
    if not (is_finite(value, rate) and rate < 0):
        raise TooWideError(f"{name} does not fall at its crossing: its slope is {digits(rate, 6)}")
    away = middle(upper(value) / upper(rate) * 1.05) + step.rho * ball(2) ** (4 - step.system.accuracy.bits)
    for _ in range(WIDENINGS):
        begin, end = middle(at - away), middle(at + away)
        if not begin >= 0:
            raise TooWideError(f"{name} is crossed by some solutions before the last step begins")
        if _value_and_rate(step, states(begin), TARGET)[0] > 0 > _value_and_rate(step, states(end), TARGET)[0]:
            rate = _value_and_rate(step, states(hull(begin, end)), TARGET)[1]
            if not rate < 0:
                raise TooWideError(f"{name} is not known to fall while it is crossed: its slope is {digits(rate, 6)}")
            return Bracket(begin, end, rate)
        away = middle(away * 1.5)
    raise TooWideError(f"{name} is not known to be crossed")


def width(step: Step, at: Ball) -> Ball:
    """Return by how much the times of crossings spread, about."""
    value, rate = _value_and_rate(step, step.ensemble(at).x, TARGET)
    rounding = step.rho * ball(2) ** (8 - step.system.accuracy.bits)
    return upper(value) / upper(rate) + rounding if is_finite(value, rate) and not contains_zero(rate) else rounding


def crossed(step: Step, everywhere: Bracket, of_centre: Bracket) -> Ensemble:
    """Return the states where solutions cross, given the brackets of all of them and of the one from the centre."""
    arriving = step.ensemble(hull(everywhere.begin, everywhere.end))
    centre, noise, v_near = _centre_crossed(step, hull(of_centre.begin, of_centre.end))
    x, v, near, second = arriving.x, arriving.v, around(centre, noise), None
    for _ in range(ROUNDS):
        projected, late = _projected(step, x, v)
        if arriving.second is not None:
            second = _second_crossed(step, x, arriving.second, projected, late)
            projected = sharper(projected, v_near, second, step.system.deviations)
        x = step.system.sharpened(x, near, projected)
    return Ensemble(centre, noise, near, projected, x, v_near, second)


def _centre_crossed(step: Step, moment: Ball) -> tuple[list[Ball], list[Matrix], Matrix]:
    """Return the state where the solution from the centre crosses, its noise, and its derivatives, if they are used.

    What is without noise is g / g' late.
    """
    near, at = step.centre(moment), step.point(middle(moment))
    slopes = step.system.run(step.leg.field, near, REALS)[: len(near)]
    late = _value_and_rate(step, at, TARGET)[0] / _value_and_rate(step, near, TARGET)[1]
    crossed, flow = [a - f * late for a, f in zip(at, slopes, strict=True)], step.flow_near(moment)
    v_near = None if step.start.second is None else _projected(step, near, flow * step.start.v_near)[0]
    return *with_noise(crossed, step.start.noise, _projected(step, near, flow)[0]), v_near


def _projected(step: Step, x: Sequence[Ball], v: Matrix) -> tuple[Matrix, list[Ball]]:
    """Return S for states x at the crossing, and the derivatives of its time."""
    leg, n, run = step.leg, len(x), step.system.run
    slopes = run(leg.field, x, REALS)[:n]
    gradient = run(leg.gradients, x, REALS)[n * TARGET : n * TARGET + n]
    rate = sum((a * b for a, b in zip(gradient, slopes, strict=True)), ball(0))
    late = [
        -sum((a * b for a, b in zip(gradient, column, strict=True)), ball(0)) / rate
        for column in rows_of(v.transpose())
    ]
    return matrix(
        [
            [a + slope * tau for a, tau in zip(row, late, strict=True)]
            for row, slope in zip(rows_of(v), slopes, strict=True)
        ]
    ), late


def _second_crossed(step: Step, x: Sequence[Ball], w: Second, s: Matrix, late: Sequence[Ball]) -> Second:
    """Return the second derivatives of the states at the crossing."""
    leg, n, run = step.leg, len(x), step.system.run
    slopes, a = run(leg.field, x, REALS)[:n], run(leg.slopes, x, REALS)
    gradient = run(leg.gradients, x, REALS)[n * TARGET : n * TARGET + n]
    (bends,) = symmetric(run(step.system.chain.bends(leg)[1], x, REALS), n)
    return crossing(matrix([a[n * i : n * i + n] for i in range(n)]), slopes, gradient, bends, w, s, late)


def pass_through(system: System, leg: Leg, x: Sequence[Ball]) -> list[Ball]:
    """Return the states after the transition, whose branches have to be those of the orbit for all states.

    Raises
    ------
    TooWideError
        If a branch of the transition is not the same for all states.
    """
    for guard, value in zip(leg.reset_guards, system.run(leg.conditions, x, REALS), strict=True):
        if not holds(guard, value):
            raise TooWideError(
                f"{guard.where}: the branch of the transition is not the same for all states ({digits(value, 6)})"
            )
    after = system.run(leg.reset, x, REALS)
    if not is_finite(*after):
        raise TooWideError(f"the transition at {leg.watches[TARGET].name} is not defined for all states")
    return after[: len(x)]


def transition(system: System, leg: Leg, arriving: Ensemble) -> Ensemble:
    """Return the ensemble after the transition.

    Raises
    ------
    TooWideError
        If a branch of the transition is not the same for all states.
    """
    x, n, run = arriving.x, len(arriving.x), system.run
    after, slopes = pass_through(system, leg, x), run(leg.reset_slopes, x, REALS)
    if not is_finite(*slopes):
        raise TooWideError(f"the transition at {leg.watches[TARGET].name} has no slope for all states")
    by_state = matrix([slopes[n * i : n * i + n] for i in range(n)])
    of_centre = run(leg.reset_slopes, arriving.near, REALS)
    slopes_there = matrix([of_centre[n * i : n * i + n] for i in range(n)])
    centre, noise = with_noise(run(leg.reset, arriving.centre, REALS)[:n], arriving.noise, slopes_there)
    near, v, v_near, second = around(centre, noise), by_state * arriving.v, None, None
    if arriving.second is not None:
        bent = bilinear(symmetric(run(system.chain.bends(leg)[2], x, REALS), n), arriving.v)
        second = [a + b for a, b in zip(combined(by_state, arriving.second), bent, strict=True)]
        v_near = slopes_there * arriving.v_near
        v = sharper(v, v_near, second, system.deviations)
    return Ensemble(centre, noise, near, v, system.sharpened(after, near, v), v_near, second)


def holds(guard: Guard, value: Ball) -> bool:
    """Return whether a guard is proven to hold."""
    proven = {"positive": value > 0, "nonnegative": value >= 0, "zero": value.is_zero()}
    return bool(proven[guard.kind])


def refuse_constants(system: System, leg: Leg) -> None:
    """See that branches on parameters alone are those of the computed orbit; refuse others."""
    n = len(system.chain.variables)
    x, run = [ball(0)] * n, system.run
    for guard, value in zip(leg.constant_guards, run(leg.constants, x, REALS), strict=True):
        if not holds(guard, value):
            raise NotProvenError(f"{guard.where}: the branch on parameters is not decided: {digits(value, 6)}")
