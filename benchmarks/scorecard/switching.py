"""Charts with different flows: relays, springs, friction, sliding, and legs."""

from __future__ import annotations

import math

from scipy.integrate import quad
from scipy.special import lambertw

from scorecard.case import Case, Chart, Clock, Guard, Timed

LN2 = math.log(2.0)


def two_rates() -> Case:
    return Case(
        name="T18",
        title="y' = y up to 2, y' = -y/2 down to 1",
        states={"y": 1.0},
        charts={
            "grows": Chart(("y",), (Guard("high", "2.0 - y", to="decays", degree=1),)),
            "decays": Chart(("-0.5*y",), (Guard("low", "y - 1.0", to="grows", degree=1),)),
        },
        span=(0.0, 10.0),
        events=[(k * LN2, "high" if k % 3 == 1 else "low") for k in (1, 3, 4, 6, 7, 9, 10, 12, 13)],
    )


def relay(eps: float) -> Case:
    """y' = -y +- 1 with hysteresis eps: first after ln(1 / (1 - eps)), then every ln((1 + eps) / (1 - eps))."""
    first, half = math.log(1.0 / (1.0 - eps)), math.log((1.0 + eps) / (1.0 - eps))
    count = 1 + math.floor((4.0 - first) / half)
    return Case(
        name="T19 relay",
        title="a relay with hysteresis",
        states={"y": 0.0},
        charts={
            "on": Chart(("1.0 - y",), (Guard("high", f"{eps} - y", to="off", degree=1),)),
            "off": Chart(("-1.0 - y",), (Guard("low", f"y + {eps}", to="on", degree=1),)),
        },
        span=(0.0, 4.0),
        events=[(first + n * half, "low" if n % 2 else "high") for n in range(count)],
    )


def oscillator(name: str, title: str, right: str, left: str, span: float, events: list[Timed]) -> Case:
    """x'' = right for x > 0, left for x < 0, from x = 1 at rest."""
    charts = {
        "right": Chart(("v", right), (Guard("leftward", "x", to="left", degree=1),)),
        "left": Chart(("v", left), (Guard("rightward", "-x", to="right", degree=1),)),
    }
    return Case(name, title, {"x": 1.0, "v": 0.0}, charts, (0.0, span), events)


def sign_oscillator() -> Case:
    times = [math.sqrt(2.0) * n for n in range(1, 22, 2)]
    events = [(t, "rightward" if n % 2 else "leftward") for n, t in enumerate(times)]
    return oscillator("T19 sign", "x'' = -sgn x", "-1.0", "1.0", 30.0, events)


def bilinear() -> Case:
    """Springs 1 and 4: half a turn takes pi on the right and pi / 2 on the left."""
    period = 1.5 * math.pi
    turns = [[(n * period + math.pi / 2.0, "leftward"), (n * period + math.pi, "rightward")] for n in range(5)]
    events = [event for turn in turns for event in turn if event[0] < 20.0]
    return oscillator("T20", "a spring, four times as stiff on one side", "-x", "-4.0*x", 20.0, events)


def stick_slip() -> Case:
    """m = k = belt speed = kinetic friction = 1, static friction 2. A slip starts on the boundary that ends it."""
    stick, slip = 2.0, 2.0 * (math.pi - math.atan(1.0))
    times = [stick, stick + slip, 2 * stick + slip, 2 * (stick + slip), 3 * stick + 2 * slip]
    return Case(
        name="T21",
        title="stick and slip on a belt",
        states={"x": 0.0, "v": 1.0},
        charts={
            "sticks": Chart(("1.0", "0.0"), (Guard("breaks", "2.0 - x", to="slips", degree=1),)),
            "slips": Chart(("v", "1.0 - x"), (Guard("catches", "1.0 - v", to="sticks", reset={"v": "1.0"}, degree=1),)),
        },
        span=(0.0, 20.0),
        events=[(t, "catches" if n % 2 else "breaks") for n, t in enumerate(times)],
    )


def sliding(
    name: str, title: str, states: dict[str, float], surface: str, above: tuple[str, ...], **more: object
) -> Case:
    """Two flows across the surface; where both point at it, the solution slides along it (Filippov 1988)."""
    below = more.pop("below")
    charts = {
        "above": Chart(above, (Guard("falls", surface, to="below", degree=1),)),
        "below": Chart(below, (Guard("rises", f"-({surface})", to="above", degree=1),)),  # type: ignore[arg-type]
    }
    return Case(name, title, states, charts, **more)  # type: ignore[arg-type]


def square_wave() -> Case:
    a = math.exp(-0.5)
    return Case(
        name="T23",
        title="x' = -x + a square wave",
        states={"x": 0.0},
        charts={"up": Chart(("1.0 - x",)), "down": Chart(("-1.0 - x",))},
        span=(0.0, 3.0),
        events=[(k * 0.5, "edge") for k in range(1, 6)],  # that of the end changes nothing
        final={"x": -(1.0 - a) * (1.0 - a**6) / (1.0 + a)},
        clock=Clock("edge", 0.5, {"up": "down", "down": "up"}),
    )


def hop() -> Case:
    """A vertical spring-mass hopper: stance starts, and starts to deepen, on the boundary that ends it."""
    g, stiffness, drop = 9.81, 1000.0, 0.3
    omega, speed = math.sqrt(stiffness), math.sqrt(2.0 * g * drop)
    stance = 2.0 / omega * (math.pi - math.atan(speed * omega / g))
    period, first = stance + 2.0 * speed / g, speed / g
    touchdowns = [(first + n * period, "touchdown") for n in range(5)]
    liftoffs = [(first + n * period + stance, "liftoff") for n in range(5)]
    return Case(
        name="T24",
        title="a vertical hopper: liftoff is zero at touchdown",
        states={"y": 1.0 + drop, "v": 0.0},
        charts={
            "flight": Chart(("v", f"-{g}"), (Guard("touchdown", "y - 1.0", to="stance", degree=1),)),
            "stance": Chart(
                ("v", f"{stiffness}*(1.0 - y) - {g}"), (Guard("liftoff", "1.0 - y", to="flight", degree=1),)
            ),
        },
        span=(0.0, 5 * period),
        events=sorted([*touchdowns, *liftoffs]),
    )


def rimless_wheel(count: int) -> Case:
    """Eight spokes down a slope: a step takes the integral of 1 / omega over the angle, an impact keeps cos 2 alpha."""
    alpha, slope, g, omega = math.pi / 8.0, 0.08, 9.81, 5.0
    start, end = slope - alpha, slope + alpha
    times, t = [], 0.0
    for _ in range(count):
        t += quad(
            lambda a, w=omega: (w**2 + 2.0 * g * (math.cos(start) - math.cos(a))) ** -0.5, start, end, epsabs=1e-14
        )[0]
        times.append(t)
        omega = math.cos(2.0 * alpha) * math.sqrt(omega**2 + 2.0 * g * (math.cos(start) - math.cos(end)))
    impact = Guard("impact", f"{end!r} - a", reset={"a": f"{start!r}", "w": f"{math.cos(2.0 * alpha)!r}*w"}, degree=1)
    return Case(
        name="T25",
        title=f"a rimless wheel, {count} steps",
        states={"a": start, "w": 5.0},
        charts={"rolls": Chart(("w", f"{g}*sin(a)"), (impact,))},
        span=(0.0, times[-1] + 0.1),
        events=[(t, "impact") for t in times],
    )


def wave_entry() -> float:
    """x = 3/4 - t - exp(-t) / 2 is zero where (t - 3/4) exp(t - 3/4) = -exp(-3/4) / 2."""
    return 0.75 + float(lambertw(-math.exp(-0.75) / 2.0).real)


CASES = [
    two_rates(),
    relay(0.1),
    sign_oscillator(),
    bilinear(),
    stick_slip(),
    sliding(
        "T22 rest",
        "x' = -2 sgn x slides at 0",
        {"x": 1.0},
        "x",
        ("-2.0",),
        below=("2.0",),
        span=(0.0, 1.0),
        events=[(0.5, "falls")],
        final={"x": 0.0},
    ),
    sliding(
        "T22 wave",
        "x' = -sgn x + z, z' = -z slides at 0",
        {"x": 0.25, "z": 0.5},
        "x",
        ("-1.0 + z", "-z"),
        below=("1.0 + z", "-z"),
        span=(0.0, 2.0),
        events=[(wave_entry(), "falls")],
        final={"x": 0.0, "z": 0.5 * math.exp(-2.0)},
    ),
    sliding(
        "T22 plane",
        "two flows meet at x = y and slide on along it",
        {"x": 1.5, "y": 1.0},
        "x - y",
        ("-2.0", "1.5"),
        below=("2.0", "-3.0"),
        span=(0.0, 1.0),
        events=[(1.0 / 7.0, "falls")],
        final={"x": 31.0 / 34.0, "y": 31.0 / 34.0},
    ),
    sliding(
        "T22 exit",
        "s' = t - sgn s slides at 0, and leaves at t = 1",
        {"s": 0.25},
        "s",
        ("t - 1.0",),
        below=("t + 1.0",),
        span=(0.0, 2.0),
        events=[(1.0 - 1.0 / math.sqrt(2.0), "falls"), (1.0, "leaves")],
        final={"s": 0.5},
    ),
    square_wave(),
    hop(),
    rimless_wheel(8),
]
