"""The loop that a user writes around a solver whose events can only end a solve: jump, and solve again from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scorecard.case import Automaton, Case, Guard, Outcome


@dataclass
class Piece:
    """What one solve made: where it ended, the guards that ended it, and the zeros it saw on its way."""

    t: float
    x: Sequence[float]
    fired: Sequence[Guard] = ()
    seen: Sequence[tuple[float, Guard]] = ()
    calls: int = 0
    steps: int = 0
    failure: str = ""


@dataclass
class Start:
    """Where a solve begins and how far it may go; `first` is true for the first solve of a run."""

    chart: str
    t: float
    x: Sequence[float]
    target: float
    first: bool = field(default=True)


def run_with_restarts(case: Case, solve: Callable[[Start], Piece]) -> Outcome:
    automaton = Automaton(case)
    start = Start(automaton.chart, case.span[0], list(case.states.values()), 0.0)
    outcome = Outcome(automaton.events, start.t, start.x, 0, 0)
    while start.t < case.span[1]:
        start.target = min(case.span[1], automaton.next_tick)
        piece = solve(start)
        for t, guard in piece.seen:
            automaton.record(t, guard)
        x = automaton.jump(piece.t, piece.x, piece.fired) if piece.fired else piece.x
        if not piece.fired and start.target == automaton.next_tick < case.span[1]:
            automaton.tick()
        start = Start(automaton.chart, piece.t, x, 0.0, first=False)
        outcome = Outcome(
            automaton.events, piece.t, x, (outcome.calls or 0) + piece.calls, (outcome.steps or 0) + piece.steps
        )
        if piece.failure or automaton.too_many:
            outcome.note, outcome.stuck = piece.failure, automaton.too_many
            break
    return outcome
