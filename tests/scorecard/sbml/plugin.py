"""The hybridsim model of an SBML model: it lies in the folder of the `equations.py` that was written for it.

The truth of every tracked relation is a bookkeeping state, and the difference of its sides, turned so that it is
positive as long as the truth value stays, is a boundary. A crossing flips the truth value; nothing compares the sides
again until an event moves them, so that rounding at the crossing decides nothing.

Executions that wait for their time stand in a queue of bookkeeping states, and a time boundary fires when the first is
due; it also fires at the start, where events may happen, too. All that happens at one instant is worked off in one
transition, as SBML has it (Level 3 Version 2, section 4.11): triggers that have become true put an execution into
the queue, triggers that have become false take those of events that are not persistent out of it; of the due ones, that
of the highest priority, or one drawn from those of equal priority, is executed, and the triggers are looked at again.
"""

import math

from hybridsim import Boundary, Message, Model, Output, Records, State, scratch

from .equations import (
    DEGREES,
    FROM_TRIGGER_TIME,
    INITIAL_TRIGGERS,
    N_DELAYED,
    N_EVENTS,
    N_RELATIONS,
    N_SYMBOLS,
    OUTPUTS,
    PERSISTENT,
    STRICT,
    SYMBOLS,
    TRUTH,
    WIDTH,
    assign,
    delay,
    differences,
    evaluate,
    priority,
    settle,
    slopes,
    trigger,
)
from .equations import outputs as symbols

IDLE, WAITING = range(2)
"""Charts: is there an execution that waits for its time?"""
EMPTY = -1.0
KEPT = 2 * N_DELAYED + 6 if N_DELAYED else 0
"""Executions that can wait between two instants."""
SLOTS = KEPT + N_EVENTS + 64
"""Executions that can wait within one."""
VALUES = SLOTS * WIDTH
MAX_EXECUTIONS = 100_000
"""At one instant; more are a cascade without end."""

HELD = TRUTH + N_RELATIONS  # was the trigger true?
WHO = HELD + N_EVENTS  # of each kept execution: its event,
WHEN = WHO + KEPT  # its time,
WHAT = WHEN + KEPT  # and its values
NEXT = WHAT + KEPT * WIDTH
STARTED, SEED, FAULT = NEXT + 1, NEXT + 2, NEXT + 3
N_STATES = NEXT + 4
DUE = N_RELATIONS
LEHMER, MODULUS = 48271.0, 2147483647.0  # Park, Miller and Stockmeyer (1993); exact in doubles

STATES = Records(
    *(State(f"symbol_{name}", start, continuous=moves) for name, (start, moves) in SYMBOLS.items()),
    *(State(f"truth_{k}", continuous=False) for k in range(N_RELATIONS)),
    *(State(f"held_{e}", INITIAL_TRIGGERS[e], continuous=False) for e in range(N_EVENTS)),
    *(State(f"who_{s}", EMPTY, continuous=False) for s in range(KEPT)),
    *(State(f"when_{s}", 0.0, "s", continuous=False) for s in range(KEPT)),
    *(State(f"what_{v}", continuous=False) for v in range(KEPT * WIDTH)),
    State("next_due", 0.0, "s", "when the time boundary fires; at first at the start", continuous=False),
    State("started", continuous=False),
    State("seed", 1.0, "", "of the draws between equal priorities", continuous=False),
    State("fault", continuous=False),
)
BOUNDARIES = Records(
    *(Boundary(f"{'above' if STRICT[k] else 'from'}_{k}", degree=DEGREES[k]) for k in range(N_RELATIONS)),
    Boundary("due", "an execution is due", "s", time=True),
)
MESSAGES = (Message("more executions wait than there are places for"), Message("events trigger each other for ever"))


def vector_field(xdot, t, x, p, chart):
    slopes(xdot, t, x)


def outputs(y, t, x, p, chart):
    symbols(y, t, x)


def boundaries(g, t, x, p, chart):
    differences(g, t, x)
    for k in range(N_RELATIONS):
        if x[TRUTH + k] == 0.0:
            g[k] = -g[k]
    if chart == WAITING:
        g[DUE] = x[NEXT] - t


def initial_chart(x_new, t, x, p):
    settle(x_new, x_new, t, True)
    x_new[NEXT] = t
    return WAITING


def validate(t, x, p, chart):
    return int(x[FAULT])


def transition(x_new, t, x, p, chart, crossed):
    old, who, when, what = scratch(N_STATES), scratch(SLOTS), scratch(SLOTS), scratch(VALUES)
    take_queue(x, who, when, what)
    now = max(t, x[NEXT]) if crossed[DUE] else t  # rounding may put t before it
    if x[STARTED] == 0.0:
        x_new[STARTED] = 1.0
    else:
        for k in range(N_RELATIONS):
            if crossed[k]:
                x_new[TRUTH + k] = 1.0 - x[TRUTH + k]
    remember(old, x)
    for executed in range(MAX_EXECUTIONS + 1):
        settle(x_new, old, t, False)
        if not look_at_triggers(x_new, t, now, who, when, what):
            x_new[FAULT] = 1.0
        chosen = choose(x_new, t, now, who, when)
        if chosen < 0:
            break
        event = int(who[chosen])
        who[chosen] = EMPTY
        remember(old, x_new)
        if not FROM_TRIGGER_TIME[event]:
            evaluate(event, what, chosen * WIDTH, t, x_new)
        assign(event, what, chosen * WIDTH, t, x_new)
        if executed == MAX_EXECUTIONS:
            x_new[FAULT] = 2.0
    return keep_queue(x_new, who, when, what)


def remember(old, x):
    for i in range(N_SYMBOLS + N_RELATIONS):
        old[i] = x[i]


def look_at_triggers(x, t, now, who, when, what):
    """Queue the events whose trigger has become true, cancel those it has become false for; was there room?"""
    room = True
    for event in range(N_EVENTS):
        holds = trigger(event, t, x)
        if holds and x[HELD + event] == 0.0:
            room = queue(event, t, now, x, who, when, what) and room
        if not holds and not PERSISTENT[event]:
            for slot in range(SLOTS):
                if who[slot] == event:
                    who[slot] = EMPTY
        x[HELD + event] = 1.0 if holds else 0.0
    return room


def queue(event, t, now, x, who, when, what):
    """Put an execution into the first free slot; False if there is none."""
    for slot in range(SLOTS):
        if who[slot] == EMPTY:
            who[slot] = event
            when[slot] = now + delay(event, t, x)
            if FROM_TRIGGER_TIME[event]:
                evaluate(event, what, slot * WIDTH, t, x)
            return True
    return False


def choose(x, t, now, who, when):
    """The slot of the due execution of the highest priority, one at random of equal ones; -1 if none is due."""
    chosen, highest, equal = -1, -math.inf, 0.0
    for slot in range(SLOTS):
        if who[slot] == EMPTY or when[slot] > now:
            continue
        rank = priority(int(who[slot]), t, x)
        if chosen < 0 or rank > highest:
            chosen, highest, equal = slot, rank, 1.0
        elif rank == highest and rank > -math.inf:
            equal += 1.0
            x[SEED] = LEHMER * x[SEED] % MODULUS
            if equal * x[SEED] < MODULUS:
                chosen = slot
    return chosen


def take_queue(x, who, when, what):
    for slot in range(SLOTS):
        who[slot] = EMPTY
    for slot in range(KEPT):
        who[slot], when[slot] = x[WHO + slot], x[WHEN + slot]
        for value in range(WIDTH):
            what[slot * WIDTH + value] = x[WHAT + slot * WIDTH + value]


def keep_queue(x, who, when, what):
    """What is not due yet goes back into the state; returns the chart."""
    kept = 0
    x[NEXT] = math.inf
    for slot in range(KEPT):
        x[WHO + slot] = EMPTY
    for slot in range(SLOTS):
        if who[slot] == EMPTY:
            continue
        if kept >= KEPT:
            x[FAULT] = 1.0
            continue
        x[WHO + kept], x[WHEN + kept] = who[slot], when[slot]
        x[NEXT] = min(x[NEXT], when[slot])
        for value in range(WIDTH):
            x[WHAT + kept * WIDTH + value] = what[slot * WIDTH + value]
        kept += 1
    if kept == 0:
        x[NEXT] = 0.0
        return IDLE
    return WAITING


MODEL = Model(
    "sbml",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    validate=validate,
    charts=("idle", "waiting"),
    boundary_records=BOUNDARIES,
    output_records=Records(*(Output(f"column_{name}") for name in OUTPUTS)),
    messages=MESSAGES,
)
