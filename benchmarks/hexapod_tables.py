"""The tables of hexapod.py: calls of the vector field, runs, and MuJoCo for scale."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """What a call of the vector field costs at some states of a run [s]; `ratio` : ours over C's, median of the rounds.

    `apart` : the largest difference between ours and C's, each slope's over the largest of that state.
    """

    toes: str
    states: int
    charts: int
    apart: float
    ours: float
    c: float
    ratio: float


@dataclass(frozen=True)
class Result:
    """Of one law of friction: calls; a run's computing time [s], bare and with every step recorded; where it goes.

    `counts` : per simulated second.
    """

    friction: str
    calls: list[Call]
    seconds: float
    recorded: float
    in_field: float
    in_boundaries: float
    counts: dict[str, float]


@dataclass(frozen=True)
class Scale:
    """MuJoCo: step [s]; seconds per simulated second, in `mj_step` and with the motors in Python; speed [m/s]."""

    step: float
    stepping: float
    whole: float
    speed: float


def print_calls(results: list[Result]) -> None:
    print("\nA call of the vector field, at the states of a run\n")
    print(f"{'':24}{'toes':12}{'states':>8}{'charts':>8}{'apart':>10}{'ns':>8}{'C, ns':>8}{'/ C':>8}{'calls/s':>10}")
    for result in results:
        for call in result.calls:
            name = result.friction if call.toes == "all" else ""
            print(
                f"{name:24}{call.toes:12}{call.states:8}{call.charts:8}{call.apart:10.1e}{1e9 * call.ours:8.0f}"
                f"{1e9 * call.c:8.0f}{call.ratio:8.2f}{1e-6 / call.ours:8.2f} M"
            )


def print_runs(results: list[Result], seconds: float, title: str) -> None:
    head = (
        "x clock",
        "steps",
        "rejected",
        "fields",
        "boundaries",
        "events",
        "in fields",
        "in boundaries",
        "else",
        "recording",
    )
    print(f"\n{title}; counts per simulated second\n")
    print(f"{'':24}" + "".join(f"{name:>{len(name) + 2}}" for name in head))
    for result in results:
        cells = (
            f"{seconds / result.seconds:.1f}",
            *(f"{count:.0f}" for count in result.counts.values()),
            *(
                f"{share:.0%}"
                for share in (result.in_field, result.in_boundaries, 1.0 - result.in_field - result.in_boundaries)
            ),
            f"+{result.recorded / result.seconds - 1.0:.0%}",
        )
        print(
            f"{result.friction:24}"
            + "".join(f"{cell:>{len(name) + 2}}" for name, cell in zip(head, cells, strict=True))
        )


def print_scale(ours: float, scales: list[Scale]) -> None:
    print("\nFor scale, MuJoCo: milliseconds per simulated second, and how fast the robot runs\n")
    print(f"{'step':>8}{'mj_step':>10}{'x clock':>10}{'/ ours':>9}{'with Python motors':>21}{'speed m/s':>12}")
    for scale in scales:
        print(
            f"{1e3 * scale.step:5.2f} ms{1e3 * scale.stepping:10.1f}{1.0 / scale.stepping:10.0f}"
            f"{scale.stepping / ours:9.2f}{1e3 * scale.whole:21.1f}{scale.speed:12.3f}"
        )
