"""What the loop does next and why a run ended: codes for the compiled engine, and sentences for messages."""

from __future__ import annotations

from enum import Enum

GO_ON, CROSSED, ENOUGH = 0, -1, -2
"""What the iterators return besides the code of a Status: continue; a boundary was crossed; the chunk is used up."""

DECLINED = -1
"""Returned by a transition that leaves state and chart as they are: the crossing has no effect."""


class Status(Enum):
    """How a run ended. `str(status)` is the sentence; `Trajectory.message` adds the names and numbers of this run."""

    def __new__(cls, code: int, sentence: str) -> Status:
        member = object.__new__(cls)
        member._value_ = code
        member.sentence = sentence  # type: ignore[attr-defined]
        return member

    FINAL_TIME = (1, "reached the final time")
    STOPPED = (2, "reached a stop that was asked for")
    LEFT_CHART = (3, "the state left its chart: the model's own check failed")
    TOO_MANY_TRANSITIONS = (4, "made as many transitions as max_transitions allows; raise it, or look for chattering")
    CASCADE = (5, "transitions follow one another endlessly at one instant; to observe a crossing, return DECLINED")
    STEP_TOO_SMALL = (6, "the step size fell below the smallest allowed; the flow may be stiff or blow up here")
    NON_FINITE_STATE = (7, "a state became infinite or not a number")
    NON_FINITE_BOUNDARY = (8, "a boundary function became infinite or not a number")
    DISCONTINUOUS_BOUNDARY = (9, "a boundary function jumps where it should cross zero; make it continuous")
    STOP_ITERATIONS = (10, "a crossing was not located within max_stop_iterations; its boundary may be discontinuous")
    OUTSIDE_CHART = (11, "a transition led outside the next chart: a boundary is negative there")
    UNKNOWN_CHART = (12, "a transition returned a chart that does not exist")
    WALL_TIME = (13, "used up max_wall_time")
    INTERRUPTED = (14, "interrupted by the user")
    UNFINISHED = (15, "has not ended; it can be advanced further")
    ZENO = (16, "made infinitely many transitions in finite time; give the boundary a rest chart to go on")
    SLIDING_INTERSECTION = (17, "two surfaces to slide along intersect here, and neither can be followed alone")
    TOO_MANY_STEPS = (18, "made as many steps as max_steps allows; raise it, or loosen rtol and atol")
    OUT_OF_MEMORY = (19, "has filled the memory; record less: record.period, or steps: false for the events alone")
    NON_FINITE_DERIVATIVE = (20, "a derivative that the method needs became infinite; choose an explicit method")

    def __str__(self) -> str:
        return self.sentence  # type: ignore[attr-defined]

    @property
    def ok(self) -> bool:
        """True if the run ended where it was meant to: at the final time or at a stop."""
        return self in (Status.FINAL_TIME, Status.STOPPED)


FINAL_TIME = Status.FINAL_TIME.value
STOPPED = Status.STOPPED.value
LEFT_CHART = Status.LEFT_CHART.value
TOO_MANY_TRANSITIONS = Status.TOO_MANY_TRANSITIONS.value
CASCADE = Status.CASCADE.value
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.value
NON_FINITE_STATE = Status.NON_FINITE_STATE.value
NON_FINITE_DERIVATIVE = Status.NON_FINITE_DERIVATIVE.value
NON_FINITE_BOUNDARY = Status.NON_FINITE_BOUNDARY.value
DISCONTINUOUS_BOUNDARY = Status.DISCONTINUOUS_BOUNDARY.value
STOP_ITERATIONS = Status.STOP_ITERATIONS.value
OUTSIDE_CHART = Status.OUTSIDE_CHART.value
UNKNOWN_CHART = Status.UNKNOWN_CHART.value
SLIDING_INTERSECTION = Status.SLIDING_INTERSECTION.value
TOO_MANY_STEPS = Status.TOO_MANY_STEPS.value
ACCUMULATED = Status.ZENO.value
"""Codes that compiled code returns, as plain integers."""
