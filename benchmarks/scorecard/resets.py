"""Jumps: bounces, collisions and spikes, up to infinitely many of them."""

from __future__ import annotations

import math
from random import Random

from scorecard.case import Case, Chart, Guard, Timed

Pair = tuple[float, float]
LN2, LN10 = math.log(2.0), math.log(10.0)


def bounce(n: int, g: float, e: float, height: float = 1.0) -> float:
    """When a ball dropped from rest bounces for the n-th time: t_1 (1 + e - 2 e^n) / (1 - e)."""
    first = math.sqrt(2.0 * height / g)
    return first * (1.0 + e - 2.0 * e**n) / (1.0 - e) if e < 1.0 else first * (2 * n - 1)


def ball(name: str, title: str, g: float, e: float, end: float, count: int, **more: object) -> Case:
    """A ball dropped from 1 m. A bounce puts its height on the floor, as tools recommend, unless `snap` is False."""
    snap = {"y": "0.0"} if more.pop("snap", True) else {}
    height = float(more.pop("height", 1.0))  # type: ignore[arg-type]
    rest = {"rest": "rest"} if "accumulation" in more else {}
    floor = Guard("floor", "y", reset={**snap, "v": f"-{e}*v"}, degree=1, **rest)  # type: ignore[arg-type]
    return Case(
        name=name,
        title=title,
        states={"y": height, "v": 0.0},
        charts={"flight": Chart(("v", f"-{g}"), (floor,)), **({"rest": Chart(("0.0", "0.0"))} if rest else {})},
        span=(0.0, end),
        events=[(bounce(n, g, e, height), "floor") for n in range(1, count + 1)],
        **more,  # type: ignore[arg-type]
    )


def zeno_ball(g: float, e: float, end: float, count: int) -> Case:
    """At rest from t_1 (1 + e) / (1 - e) on."""
    limit = math.sqrt(2.0 / g) * (1.0 + e) / (1.0 - e)
    title = f"a ball (e = {e:g}) bounces to rest, infinitely often"
    return ball(f"F {e:g}", title, g, e, end, count, accumulation=limit, final={"y": 0.0, "v": 0.0})


def after_one_bounce(g: float, e: float) -> Case:
    root = math.sqrt(2.0 * g)
    final = {"y": (1.0 + e) * root - 2.0 * e - g / 2.0 - 1.0, "v": (1.0 + e) * root - g}
    return ball("T27", "a ball's state 1 s after it was dropped", g, e, 1.0, 1, final=final)


def long_bouncing(g: float, height: float, end: float) -> Case:
    """Elastic: it keeps its height, and the state at the end follows from the time since the last bounce."""
    fall = math.sqrt(2.0 * height / g)
    count = math.floor((end / fall + 1.0) / 2.0)
    since = end - (2 * count - 1) * fall
    final = {"y": g * fall * since - g * since**2 / 2.0, "v": g * fall - g * since}
    return ball("T10", f"{count:,} elastic bounces", g, 1.0, end, count, height=height, final=final)


def two_walls() -> Case:
    e, g, across, along = 0.9, 9.8, 10.0, 2.0
    walls: list[Timed] = [(across / along, "right"), (across / along + across / (e * along), "left")]
    return Case(
        name="T11",
        title="a ball between two walls: 3 floor hits, 2 wall hits",
        states={"x": 0.0, "y": 50.0, "u": along, "v": 0.0},
        charts={
            "flight": Chart(
                ("u", "v", "0.0", f"-{g}"),
                (
                    Guard("floor", "y", reset={"y": "0.0", "v": f"-{e}*v"}, degree=1),
                    Guard("left", "x", reset={"x": "0.0", "u": f"-{e}*u"}, degree=1),
                    Guard("right", f"{across} - x", reset={"x": f"{across}", "u": f"-{e}*u"}, degree=1),
                ),
            )
        },
        span=(0.0, 15.0),
        events=sorted([*((bounce(n, g, e, 50.0), "floor") for n in (1, 2, 3)), *walls]),
    )


def corner() -> Case:
    return Case(
        name="T12",
        title="into a corner: both walls at once, and back",
        states={"x": 1.0, "y": 1.0, "u": -1.0, "v": -1.0},
        charts={
            "flight": Chart(
                ("u", "v", "0.0", "0.0"),
                (
                    Guard("wall", "x", reset={"x": "0.0", "u": "-u"}, degree=1),
                    Guard("floor", "y", reset={"y": "0.0", "v": "-v"}, degree=1),
                ),
            )
        },
        span=(0.0, 2.0),
        events=[(1.0, "wall"), (1.0, "floor")],
        final={"x": 1.0, "y": 1.0},
    )


def galperin(k: int) -> Case:
    """Block M = 100^k meets block 1 at a wall (Galperin 2003): ceil(pi / theta) - 1 collisions, tan(theta) = 10^-k.

    In coordinates scaled by the roots of the masses the motion unfolds to a straight line across rays at the angles
    n theta: from (2 sqrt(M), 1) with velocity (-sqrt(M), 0) it meets the n-th at 2 - cot(n theta) / sqrt(M).
    """
    mass = 100.0**k
    theta = math.atan(10.0**-k)
    count = math.ceil(math.pi / theta) - 1
    times = [2.0 - 1.0 / (math.tan(n * theta) * 10.0**k) for n in range(1, count + 1)]
    return Case(
        name=f"T13 {count}",
        title=f"two blocks and a wall, masses 1 and {mass:,.0f}: {count:,} collisions",
        states={"x": 1.0, "X": 2.0, "v": 0.0, "V": -1.0},
        charts={
            "flow": Chart(
                ("v", "V", "0.0", "0.0"),
                (
                    Guard("wall", "x", reset={"x": "0.0", "v": "-v"}, degree=1),
                    Guard(
                        "blocks",
                        "X - x",
                        reset={
                            "X": "x",
                            "v": f"((1.0 - {mass})*v + 2.0*{mass}*V)/(1.0 + {mass})",
                            "V": f"(({mass} - 1.0)*V + 2.0*v)/(1.0 + {mass})",
                        },
                        degree=1,
                    ),
                ),
            )
        },
        span=(0.0, times[-1] + 1.0),
        events=[(t, "blocks" if n % 2 == 0 else "wall") for n, t in enumerate(times)],
    )


def cradle(gap: float) -> Case:
    """Three equal balls, the first moving at 1: its speed is handed on, ball by ball."""
    swap = {"first": {"u": "v", "v": "u"}, "second": {"v": "w", "w": "v"}}
    return Case(
        name=f"T14 gap {gap:g}",
        title="Newton's cradle, three balls, the last two " + (f"{gap:g} apart" if gap else "touching"),
        states={"x": 0.0, "y": 1.0, "z": 1.0 + gap, "u": 1.0, "v": 0.0, "w": 0.0},
        charts={
            "flow": Chart(
                ("u", "v", "w", "0.0", "0.0", "0.0"),
                (
                    Guard("first", "y - x", reset=swap["first"], degree=1),
                    Guard("second", "z - y", reset=swap["second"], degree=1),
                ),
            )
        },
        span=(0.0, 4.0),
        events=[(1.0, "first"), (1.0 + gap, "second")],
        final={"u": 0.0, "v": 0.0, "w": 1.0, "z": 4.0},  # the gap is crossed by the second ball, at the same speed
    )


def two_tanks(x: Pair, v: Pair, w: float) -> Case:
    """Two tanks hold x and drain at v; the inflow w fills one until the other is empty, then the other.

    Each round of two switches takes q = (w - v1) (w - v2) / (v1 v2) of the time of the one before. At
    (x1 + x2) / (v1 + v2 - w) both are empty, and nothing can go on. Events are listed until 1e-3 of that time is left.
    """
    limit = (x[0] + x[1]) / (v[0] + v[1] - w)
    events, t, levels, filled = list[Timed](), 0.0, list(x), 0
    while True:
        watched = 1 - filled
        dt = levels[watched] / v[watched]
        t += dt
        if limit - t < 1e-3 * limit:
            break
        events.append((t, f"empty_{watched + 1}"))
        levels[filled] += (w - v[filled]) * dt
        levels[watched] = 0.0
        filled = watched
    fills_1 = Chart((f"{w - v[0]!r}", f"-{v[1]!r}"), (Guard("empty_2", "x2", to="fills_2", degree=1),))
    fills_2 = Chart((f"-{v[0]!r}", f"{w - v[1]!r}"), (Guard("empty_1", "x1", to="fills_1", degree=1),))
    return Case(
        name=f"T15 {(w - v[0]) * (w - v[1]) / (v[0] * v[1]):.2g}",
        title="two tanks, one inflow: infinitely many switches until both are empty",
        states={"x1": x[0], "x2": x[1]},
        charts={"fills_1": fills_1, "fills_2": fills_2},
        span=(0.0, 2.0 * limit),
        events=events,
        final={"x1": 0.0, "x2": 0.0},
        accumulation=limit,
    )


def random_tanks(q: float) -> Case:
    """Tanks whose inflow follows from (w - v1) (w - v2) = q v1 v2."""
    draw = Random(f"tanks {q}").uniform
    v, x = (draw(0.3, 0.9), draw(0.3, 0.9)), (draw(0.5, 3.0), draw(0.5, 3.0))
    w = 0.5 * (v[0] + v[1] + math.sqrt((v[0] + v[1]) ** 2 - 4.0 * v[0] * v[1] * (1.0 - q)))
    return two_tanks(x, v, w)


def neurons(count: int) -> Case:
    """Leaky integrate-and-fire, identical: v' = 2 - v, at 1 back to 0, every ln 2, all together."""
    names = [f"v{i}" for i in range(count)]
    guards = tuple(Guard(f"spike_{name}", f"1.0 - {name}", reset={name: "0.0"}, degree=1) for name in names)
    return Case(
        name="T16",
        title=f"{count} identical neurons spike together, three times",
        states=dict.fromkeys(names, 0.0),
        charts={"flow": Chart(tuple(f"2.0 - {name}" for name in names), guards)},
        span=(0.0, 3.5 * LN2),
        events=[(k * LN2, guard.name) for k in (1, 2, 3) for guard in guards],
    )


CASES = [
    ball("T9", "a ball, 30 bounces", 9.81, 0.9, (bounce(30, 9.81, 0.9) + bounce(31, 9.81, 0.9)) / 2.0, 30),
    ball(
        "E",
        "the same, its height not put on the floor",
        9.81,
        0.9,
        (bounce(30, 9.81, 0.9) + bounce(31, 9.81, 0.9)) / 2.0,
        30,
        snap=False,
    ),
    zeno_ball(9.8, 0.5, 3.0, 12),
    zeno_ball(9.81, 0.9, 10.0, 60),
    long_bouncing(9.8, 50.0, 1e3),
    two_walls(),
    corner(),
    galperin(1),
    galperin(2),
    galperin(3),
    cradle(1.0),
    cradle(0.0),
    two_tanks(x=(1.0, 1.0), v=(0.5, 0.5), w=0.75),
    two_tanks(
        x=(2.951314486444087, 0.014614320833708897), v=(0.5734200237560877, 0.571091254655428), w=0.6242103901279149
    ),
    *(random_tanks(q) for q in (0.001, 0.01, 0.1, 0.9)),
    neurons(100),
    Case(
        name="T17",
        title="S' = -S, below 0.1 back to 1",
        states={"S": 1.0},
        charts={"flow": Chart(("-S",), (Guard("low", "S - 0.1", reset={"S": "1.0"}, degree=1),))},
        span=(0.0, 10.0),
        events=[(k * LN10, "low") for k in range(1, 5)],
    ),
    after_one_bounce(9.81, 0.9),
]
