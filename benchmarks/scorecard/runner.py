"""A runner whose flights rise over the height of touchdown for less than a step: models/slip, stated as formulas."""

from __future__ import annotations

import math
from dataclasses import replace

from scipy.integrate import solve_ivp

from scorecard.case import Case, Chart, Guard, Timed, function, guard_function

MASS, STIFFNESS, G, ANGLE = 80.0, 23_713.0, 9.81, math.radians(22.0)
HEIGHT, AHEAD = math.cos(ANGLE), math.sin(ANGLE)  # of the body at touchdown; of the foot, ahead of the body
LEG = "((x - f)*(x - f) + y*y)"
PUSH = f"{STIFFNESS / MASS}*(1.0/sqrt{LEG} - 1.0)"
FLIGHT = ("u", "v", "0.0", f"-{G}", "0.0")
STANCE = ("u", "v", f"{PUSH}*(x - f)", f"{PUSH}*y - {G}", "0.0")
DOWN, STRETCHED = f"y - {HEIGHT!r}", f"1.0 - {LEG}"

TOUCHDOWN = Guard("touchdown", DOWN, to="stance", reset={"f": f"x + {AHEAD!r}"}, degree=1, waits=True)
LIFTOFF = Guard("liftoff", STRETCHED, to="flight", degree=2)
TURN = Guard("turn", "u", to="thrown", degree=1)
THROWN_OFF = Guard("thrown_off", STRETCHED, to="backward", degree=2)
FALL = Guard("fall", DOWN, to="fallen", degree=1, waits=True)


def runner() -> Case:
    """Seyfarth et al. (2002): 80 kg, a leg of 1 m at 68 degrees from the ground; here with a spring of 23,713 N/m.

    Its 23rd stance throws it back, and it comes down a 24th time. Errors grow some thousandfold on the way, for which
    the tolerance allows: the number of strides is what counts.
    """
    charts = {
        "flight": Chart(FLIGHT, (TOUCHDOWN,)),
        "stance": Chart(STANCE, (LIFTOFF, TURN)),
        "thrown": Chart(STANCE, (THROWN_OFF,)),
        "backward": Chart(FLIGHT, (FALL,)),
        "fallen": Chart(("0.0",) * 5),
    }
    states = {"x": 0.0, "y": 1.0, "u": 5.0, "v": 0.0, "f": 0.0}
    case = Case("R", "a runner, 24 touchdowns", states, charts, span=(0.0, 20.0), events=[], tolerance=0.05)
    events, place = strides(case)
    return replace(case, events=events, final={"x": place})


def strides(case: Case) -> tuple[list[Timed], float]:
    """The events, and where the last is [m]: flights are parabolas, stances are integrated."""
    stance = function(case, STANCE)
    stretched, forward = guard_function(case, LIFTOFF), guard_function(case, TURN)
    stretched.terminal, stretched.direction = True, -1.0
    events: list[Timed] = []
    t, (x, y, u, v, foot) = 0.0, case.states.values()
    while True:
        fall = (v + math.sqrt(v * v + 2.0 * G * (y - HEIGHT))) / G
        t, x, y, v, foot = t + fall, x + u * fall, HEIGHT, v - G * fall, x + u * fall + AHEAD
        if u < 0.0:
            return [*events, (t, "fall")], float(x)
        events.append((t, "touchdown"))
        precise = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}
        flow = solve_ivp(stance, (t, t + 2.0), [x, y, u, v, foot], events=[stretched, forward], **precise)
        (t,), turns = flow.t_events
        events += [(turn, "turn") for turn in turns]
        events.append((t, "thrown_off" if len(turns) else "liftoff"))
        x, y, u, v, foot = flow.y[:, -1]


CASES = [runner()]
