"""Pushes of the swinging leg: a horizontal force at its ankle in each cycle, drawn at random, the same for each seed.

Size, length and onset are functions of seed, leg and number of the cycle alone (a hash of these), so that a run can
begin anywhere and none of it is a state. A foot that has landed early is pushed on, and held by friction.
"""

import math

from hybridsim import Boundary, Parameter, Part, Records, State

LEGS = ("left", "right")
PARAMETERS = Records(
    Parameter("push_size", 80.0, "N", "mean of the force, forward"),
    Parameter("push_size_spread", 5.0, "N", "its standard deviation", lower=0.0),
    Parameter("push_time", 0.15, "s", "mean of its duration", lower=0.0),
    Parameter("push_time_spread", 0.05, "s", "its standard deviation", lower=0.0),
    Parameter("push_seed", 1.0, "", "of the random numbers", lower=0.0, upper=2147483647.0),
    Parameter("push_from", 0.0, "s", "pushes begin later than this"),
)
STATES = Records(*(State(f"{leg}_push_cycle", 0.0, "", "of its next push", continuous=False) for leg in LEGS))
BOUNDARIES = Records(*(Boundary(f"{leg}_push_changes", "a push begins or ends", "s", time=True) for leg in LEGS))
P = PARAMETERS.indices
SIZE, LENGTH, ONSET = 0, 2, 4
"""The numbers of what is drawn for a push; normal ones take two."""

MASK = 0xFFFFFFFF


def uniform(seed, leg, cycle, draw):
    """Return a number between 0 and 1 that follows from four whole ones (the mixer `lowbias32` of C. Wellons)."""
    mixed = (seed * 0x9E3779B1 + leg * 0x85EBCA77 + cycle * 0xC2B2AE3D + draw * 0x27D4EB2F) & MASK
    mixed = ((mixed ^ (mixed >> 16)) * 0x7FEB352D) & MASK
    mixed = ((mixed ^ (mixed >> 15)) * 0x846CA68B) & MASK
    return (float(mixed ^ (mixed >> 16)) + 0.5) / 4294967296.0


def normal(p, leg, cycle, draw, mean, spread):
    """Return a normally distributed number (Box and Muller)."""
    seed = int(p[P.push_seed])
    radius = math.sqrt(-2.0 * math.log(uniform(seed, leg, cycle, draw)))
    return mean + spread * radius * math.cos(2.0 * math.pi * uniform(seed, leg, cycle, draw + 1))


def length_of(p, leg, cycle, half):
    """Return how long a push lasts, at most the half cycle [s]."""
    return min(max(normal(p, leg, cycle, LENGTH, p[P.push_time], p[P.push_time_spread]), 0.0), half)


def onset_of(t, p, leg, cycle, instant):
    """Return when a push begins: anywhere in the leg's second half cycle where it has room [s]."""
    begin = instant(t, leg, cycle + 0.5)
    half = instant(t, leg, cycle + 1.0) - begin
    room = half - length_of(p, leg, int(cycle), half)
    return begin + room * uniform(int(p[P.push_seed]), leg, int(cycle), ONSET)


def boundaries(g, t, x, p, chart, instant):
    for leg in range(2):
        g[leg] = onset_of(t, p, leg, x[leg], instant) - t
        if chart >> leg & 1:
            half = instant(t, leg, 0.5) - instant(t, leg, 0.0)
            g[leg] += length_of(p, leg, int(x[leg]), half)


def transition(x_new, t, x, p, chart, crossed):
    new = chart
    for leg in range(2):
        if crossed[leg]:
            x_new[leg] = x[leg] + (chart >> leg & 1)
            new ^= 1 << leg
    return new


def initial_chart(x_new, t, x, p, instant, turns):
    for leg in range(2):
        cycle = max(math.floor(turns(t, leg)), 0.0)
        while onset_of(t, p, leg, cycle, instant) < max(t, p[P.push_from]):
            cycle += 1.0
        x_new[leg] = max(cycle, x[leg])
    return 0


def push(t, x, p, chart, leg):
    if not chart >> leg & 1:
        return 0.0
    return normal(p, leg, int(x[leg]), SIZE, p[P.push_size], p[P.push_size_spread])


SWING = Part(
    "swing",
    STATES,
    couplings=(push,),
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    chart_fields={"pushed": 2},
    doc="a random push of each leg in each of its cycles",
)


def no_push(t, x, p, chart, leg):
    return 0.0


NONE = Part("none", couplings={"push": no_push}, doc="none")
