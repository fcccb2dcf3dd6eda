"""The same motions in other frames: begun at a late time, on a floor that is high, on one that moves.

Only rounding differs. Clocks that count seconds since 1970 say 1.7e9, where floats are 2.4e-7 apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scorecard.case import Case, Chart, Guard
from scorecard.resets import bounce

G = 9.81


@dataclass(frozen=True)
class Frame:
    """When a run begins [s], and the floor: at y = height + speed t [m, m/s]."""

    name: str
    begin: float = 0.0
    height: float = 0.0
    speed: float = 0.0


LATE = [Frame(f"from t = {t:g}", begin=t) for t in (0.0, 1e3, 1e6, 1.7e9)]
FLOORS = [Frame(f"floor at {height:g} m", height=height) for height in (100.0, 1e4)]
FLOORS += [Frame(f"floor at {speed:g} m/s", speed=speed) for speed in (1.0, 300.0)]


def ball(letter: str, frame: Frame, e: float, count: int, duration: float, **more: object) -> Case:
    """A ball dropped from rest, 1 m above the floor; a bounce puts it on the floor."""
    rest = {"rest": "rest"} if "accumulation" in more else {}
    surface = f"{frame.height} + {frame.speed}*t"
    bounced = {"y": surface, "v": f"{(1.0 + e) * frame.speed!r} - {e}*v"}
    charts = {"flight": Chart(("v", f"-{G}"), (Guard("floor", f"y - ({surface})", reset=bounced, degree=1, **rest),))}
    charts |= {"rest": Chart((f"{frame.speed}", "0.0"))} if rest else {}
    return Case(
        name=f"{letter} {frame.name}",
        states={"y": frame.height + frame.speed * frame.begin + 1.0, "v": frame.speed},
        charts=charts,
        span=(frame.begin, frame.begin + duration),
        events=[(frame.begin + bounce(n, G, e), "floor") for n in range(1, count + 1)],
        **more,  # type: ignore[arg-type]
    )


def six_bounces(frame: Frame) -> Case:
    """A method's rtol is relative to the height, and that of a floor may be large: a millisecond counts as found."""
    e, count = 0.9, 6
    middle = (bounce(count, G, e) + bounce(count + 1, G, e)) / 2.0
    tolerance = 1e-3 if frame in FLOORS else None
    return ball("I", frame, e, count, middle, title="a ball, 6 bounces", tolerance=tolerance)


def to_rest(frame: Frame) -> Case:
    """Where y is rounded by d, hops shorter than sqrt(8 d / g), 1e-6 s at 1e4 m, cannot be told apart."""
    e = 0.5
    return ball(
        "J",
        frame,
        e,
        count=12,
        duration=3.0,
        title=f"a ball (e = {e:g}) bounces to rest, infinitely often",
        accumulation=math.sqrt(2.0 / G) * (1.0 + e) / (1.0 - e),
        final={"v": frame.speed},
        tolerance=1e-4,
    )


def sine(frame: Frame) -> Case:
    """A guard that swings while nothing else happens: x' = 1, so no error ever limits a step."""
    start, duration = 0.3, 100.0
    count = math.floor(2.0 * (start + duration) / math.pi)
    return Case(
        name=f"K {frame.name}",
        title=f"x' = 1, zeros of sin 2x in {duration:g} s",
        states={"x": start},
        charts={"flow": Chart(("1.0",), (Guard("zero", "sin(2.0*x)", observed=True),))},
        span=(frame.begin, frame.begin + duration),
        events=[(frame.begin + k * math.pi / 2.0 - start, "zero") for k in range(1, count + 1)],
    )


CASES = [
    *(six_bounces(frame) for frame in [*LATE, *FLOORS]),
    *(to_rest(frame) for frame in FLOORS),
    *(sine(frame) for frame in LATE),
]
