"""Detection: is every zero of a guard found, once, in order, wherever it lies in a step?"""

from __future__ import annotations

import math
import sys

from scorecard.case import Case, Chart, Clock, Guard

EPS = sys.float_info.epsilon


def throw(delta: float) -> Case:
    """A throw that passes the level (1 - delta) of its apex twice, at (v0 -+ sqrt(v0^2 - 2 g h)) / g."""
    v0, g = 10.0, 9.81
    level, slow = (1.0 - delta) * v0**2 / (2.0 * g), v0 * math.sqrt(delta)
    return Case(
        name=f"A {delta:g}",
        title=f"a throw passes (1 - {delta:g}) of its apex twice",
        states={"y": 0.0, "v": v0},
        charts={"flight": Chart(("v", f"-{g}"), (Guard("level", f"y - {level!r}", observed=True, degree=1),))},
        span=(0.0, 2.0),
        events=[((v0 - slow) / g, "level"), ((v0 + slow) / g, "level")],
    )


def watch_time(name: str, title: str, values: dict[str, str], span: tuple[float, float], **more: object) -> Case:
    """Guards that depend on time alone, on a state that nothing happens to: x' = 1."""
    guards = tuple(Guard(guard, value, observed=True) for guard, value in values.items())
    return Case(name, title, {"x": span[0]}, {"flow": Chart(("1.0",), guards)}, span, **more)  # type: ignore[arg-type]


TINY = {"first": 1e-8, "second": 2e-8, "third": 2e-7}
THRESHOLDS = {f"threshold_{k}": k * EPS for k in (50, 60, 70, 80, 90)}

CASES = [
    *(throw(delta) for delta in (1e-3, 1e-6, 1e-9)),
    Case(
        name="B",
        title="y' = 3t^2 + 12t - 4 from y(-8) = -120: three roots",
        states={"y": -120.0},
        charts={"flow": Chart(("3.0*t*t + 12.0*t - 4.0",), (Guard("zero", "y", observed=True, degree=1),))},
        span=(-8.0, 3.0),
        events=[(-6.0, "zero"), (-2.0, "zero"), (2.0, "zero")],
    ),
    Case(
        name="C parabola",
        title="y = (t - 1)^2 touches zero",
        states={"y": 1.0},
        charts={"flow": Chart(("2.0*(t - 1.0)",), (Guard("touch", "y", observed=True, degree=1),))},
        span=(0.0, 2.0),
        events=[(1.0, "touch")],
        tolerance=0.02,
        touch=True,
    ),
    Case(
        name="C sine",
        title="sin t touches 1",
        states={"s": 0.0, "c": 1.0},
        charts={"flow": Chart(("c", "-s"), (Guard("touch", "1.0 - s", observed=True, degree=1),))},
        span=(0.0, 3.0),
        events=[(math.pi / 2.0, "touch")],
        tolerance=0.02,
        touch=True,
    ),
    watch_time(
        "D",
        "steps of 1/4, a root where one ends",
        {"one": "t - 1.0"},
        (0.0, 2.0),
        events=[(1.0, "one")],
        step=0.25,
        max_step=0.25,
    ),
    watch_time(
        "G",
        "(t - 0.1)(t - 0.4)(t - 0.8) in one step",
        {"cubic": "(t - 0.1)*(t - 0.4)*(t - 0.8)"},
        (0.0, 1.0),
        events=[(0.1, "cubic"), (0.4, "cubic"), (0.8, "cubic")],
        step=1.0,
    ),
    watch_time(
        "G mirrored",
        "(t + 0.1)(t + 0.4)(t + 0.8) in one step",
        {"cubic": "(t + 0.1)*(t + 0.4)*(t + 0.8)"},
        (-1.0, 0.0),
        events=[(-0.8, "cubic"), (-0.4, "cubic"), (-0.1, "cubic")],
        step=1.0,
    ),
    watch_time(
        "H",
        "t - 1 and t - 1/2 in one step",
        {"late": "t - 1.0", "early": "t - 0.5"},
        (0.0, 2.0),
        events=[(0.5, "early"), (1.0, "late")],
        step=2.0,
    ),
    watch_time(
        "T5",
        "guards at 1e-8, 2e-8 and 2e-7 in one step of 2",
        {name: f"t - {value!r}" for name, value in TINY.items()},
        (0.0, 2.0),
        events=[(t, name) for name, t in TINY.items()],
        step=2.0,
        tolerance=1e-9,
    ),
    Case(
        name="T6",
        title="u' = u past e^(k eps), k = 50, 60 .. 90, in steps of 4.7 eps",
        states={"u": 1.0},
        charts={
            "flow": Chart(
                ("u",),
                tuple(Guard(n, f"u - {math.exp(t)!r}", observed=True, degree=1) for n, t in THRESHOLDS.items()),
            )
        },
        span=(0.0, 100.0 * EPS),
        events=[(t, name) for name, t in THRESHOLDS.items()],
        step=4.7 * EPS,
        max_step=4.7 * EPS,
        tolerance=8.0 * EPS,  # each of the twenty steps rounds u
    ),
    Case(
        name="T8",
        title="a thousand ticks, at k * 0.1",
        states={"x": 0.0},
        charts={"flow": Chart(("1.0",))},
        span=(0.0, 100.05),
        events=[(k * 0.1, "tick") for k in range(1, 1001)],
        clock=Clock("tick", 0.1),
    ),
]
