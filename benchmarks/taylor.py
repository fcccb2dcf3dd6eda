"""Would Taylor's method pay? Series of the unmodified plug-in's flow, beside dop853 with all its numbers constant.

    python benchmarks/taylor.py

The flows of a stride without their events: the runner's stance and flight, and the swing of the compass gait. Each
contender gets for each error the largest tolerance, out of four per decade, or the lowest order, with which no state is
off by more at the end of a flow; the exact states are those of exact.py. All are loops of their own, and nothing of the
engine: dop853 has no loop over its stages, and Taylor's method its order once as a number and once as a constant. Its
steps are those of Jorba and Zou (2005): their length follows from the last two coefficients, and none is rejected.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import partial
from typing import Any

import exact
import gait
import jets
import numpy as np
from numba import njit

from hybridsim.engine.methods.dop853 import dop853
from hybridsim_models.slip import model as slip
from hybridsim_models.walkers import compass_gait

ERRORS = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14)
TOLERANCES = [10.0 ** (-n / 4) for n in range(20, 61)]
ORDERS = range(8, 21)
MOVING, STATES = 4, 7
"""Continuous states of either model; all states of the runner."""

ROUNDS, SECONDS = 15, 0.005
_OPTIONS = {"error_model": "numpy", "fastmath": {"contract"}}
Bench = Callable[..., None]


@dataclass(frozen=True)
class Flow:
    """A flow from a state, for a time [s], and where it ends."""

    chart: int
    start: np.ndarray
    time: float
    end: tuple[float, ...]


@dataclass(frozen=True)
class Problem:
    name: str
    field: Any
    p: np.ndarray
    flows: tuple[Flow, ...]


def flow(chart: int, solution: exact.Solution, x: list[Decimal], held: tuple[float, ...]) -> tuple[Flow, list[Decimal]]:
    """Follow a flow to its event, and again for that time, as a double, without the event."""
    after, seconds, _ = exact.chart_end(solution, x)
    start, time_as_double = [float(value) for value in x], float(seconds)
    without = exact.chart_end(
        lambda x: (solution(x)[0], exact.series(Decimal(1))), [Decimal(v) for v in start], Decimal(time_as_double)
    )[0]
    padded = np.array([*start, *held, *[0.0] * STATES][:STATES])
    return Flow(chart, padded, time_as_double, tuple(float(value) for value in without)), after


def problems() -> tuple[Problem, ...]:
    with localcontext() as context:
        context.prec = exact.DIGITS
        x = [Decimal(value) for value in exact.touchdown(4)]
        footx = x[0] + exact.AHEAD
        runner_flows = []
        # Stance to the liftoff and flight to the touchdown: the bottom and the apex change nothing in the flow.
        for chart, boundary in ((slip.C.compression, 2), (slip.C.ascent, 0)):
            stance = chart == slip.C.compression

            def solution(x: list[Decimal], boundary: int = boundary) -> tuple[list[exact.Series], exact.Series]:
                return exact.runner(boundary, footx, x)

            found, x = flow(chart, solution, x, (float(footx), 0.0) if stance else ())
            runner_flows.append(found)
        swing, _ = flow(0, partial(exact.walker, 1), [Decimal(value) for value in gait.START], ())
    p = np.array([parameter.default for parameter in slip.PARAMETERS], float)
    return (
        Problem("the runner, stance and flight", slip.vector_field, p, tuple(runner_flows)),
        Problem("the compass gait, a swing", compass_gait.vector_field, np.array(gait.PARAMETERS), (swing,)),
    )


# dop853 as the source of a function for one method and four states.


def weighted(weights: Any, m: int) -> str:
    return " + ".join(f"{float(weight)!r} * k[{j}, {m}]" for j, weight in enumerate(weights) if weight != 0.0)


def stage(i: int, target: str) -> list[str]:
    lines = [f"{target}[{m}] = x[{m}] + h * ({weighted(dop853().a[i, :i], m)})" for m in range(MOVING)]
    return [*lines, f"field(k[{i}], t, {target}, p, chart)"]


def source_of_dop853() -> str:
    """Initial step, steps and controller as in the engine; with the continuous extension, which events need."""
    method, moving = dop853(), range(MOVING)
    extension = np.asarray(method.extension)
    step = [line for i in range(1, 12) for line in stage(i, "s")] + stage(12, "x_new")
    for m in moving:
        step += [
            f"scale = 1.0 / (atol + rtol * max(abs(x[{m}]), abs(x_new[{m}])))",
            f"fifth += (scale * ({weighted(method.e, m)})) ** 2",
            f"third += (scale * ({weighted(method.e_third, m)})) ** 2",
        ]
    extend = [line for i in range(13, 16) for line in stage(i, "s")]
    extend += [f"q[{d}, {m}] = h * ({weighted(extension[:, d], m)})" for m in moving for d in range(7)]
    extend += [f"x[{m}] = x_new[{m}]; k[0, {m}] = k[12, {m}]" for m in moving]
    indent = "\n            "
    return f"""
def follow(x, time, p, chart, rtol, k, q, s, x_new):
    t, atol, rejected = 0.0, 0.01 * rtol, False
    s[:], x_new[:] = x, x
    field(k[0], t, x, p, chart)
    h = initial_step(x, k, s, p, chart, rtol, atol)
    while t < time:
        h, fifth, third = min(h, time - t), 0.0, 0.0
        {indent.join(step).replace(indent, chr(10) + "        ")}
        error = 0.0 if fifth == 0.0 else h * fifth / math.sqrt((fifth + 0.01 * third) * {MOVING})
        if error < 1.0:
            {indent.join(extend)}
            t += h
            factor = 10.0 if error == 0.0 else min(10.0, 0.9 * error ** -0.125)
            h, rejected = h * (min(1.0, factor) if rejected else factor), False
        else:
            h, rejected = h * max(0.2, 0.9 * error ** -0.125), True
"""


def compiled_dop853(model_field: Any) -> Bench:
    field = jets.with_callees(model_field, **jets.OPTIONS)

    @njit(**_OPTIONS)  # type: ignore[untyped-decorator]
    def initial_step(x, k, s, p, chart, rtol, atol):
        d0 = d1 = d2 = 0.0
        for m in range(MOVING):
            d0 += (x[m] / (atol + rtol * abs(x[m]))) ** 2
            d1 += (k[0, m] / (atol + rtol * abs(x[m]))) ** 2
        d0, d1 = math.sqrt(d0 / MOVING), math.sqrt(d1 / MOVING)
        h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        for m in range(MOVING):
            s[m] = x[m] + h0 * k[0, m]
        field(k[1], 0.0, s, p, chart)
        for m in range(MOVING):
            d2 += ((k[1, m] - k[0, m]) / (atol + rtol * abs(x[m]))) ** 2
        d2 = math.sqrt(d2 / MOVING) / h0
        h1 = max(1e-6, 1e-3 * h0) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** 0.125
        return min(100.0 * h0, h1)

    namespace: dict[str, Any] = {"field": field, "initial_step": initial_step, "math": math}
    exec(source_of_dop853(), namespace)
    follow = njit(**_OPTIONS)(namespace["follow"])

    @njit(**_OPTIONS)  # type: ignore[untyped-decorator]
    def bench(x, start, time, p, chart, rtol, repeats):
        k, q, s, x_new = np.zeros((16, STATES)), np.zeros((7, MOVING)), np.zeros(STATES), np.zeros(STATES)
        for _ in range(repeats):
            x[:] = start
            follow(x, time, p, chart, rtol, k, q, s, x_new)

    return bench


# Taylor's method.


@njit(**jets.OPTIONS)  # type: ignore[untyped-decorator]
def set_states(rows, x, order):
    for i in range(STATES):
        rows[i * jets.ROW] = x[i]
        for k in range(1, order + 1):
            rows[i * jets.ROW + k] = 0.0


@njit(**jets.OPTIONS)  # type: ignore[untyped-decorator]
def step_size(rows, order, longest):
    size, last, last_but_one = 1.0, 0.0, 0.0
    for i in range(MOVING):
        size = max(size, abs(rows[i * jets.ROW]))
        last = max(last, abs(rows[i * jets.ROW + order]))
        last_but_one = max(last_but_one, abs(rows[i * jets.ROW + order - 1]))
    h, safety = longest, math.exp(-2.0 - 0.7 / (order - 1))
    if last > 0.0:
        h = min(h, safety * (size / last) ** (1.0 / order))
    if last_but_one > 0.0:
        h = min(h, safety * (size / last_but_one) ** (1.0 / (order - 1)))
    return h


@njit(**jets.OPTIONS)  # type: ignore[untyped-decorator]
def take_step(rows, order, h):
    for i in range(MOVING):
        value = rows[i * jets.ROW + order]
        for k in range(order - 1, -1, -1):
            value = value * h + rows[i * jets.ROW + k]
        rows[i * jets.ROW] = value


def compiled_coefficients(model_field: Any, constant_order: int) -> Any:
    """Compile the computation of all coefficients of a step, as a loop over orders, or unrolled to a constant one."""
    call = "end[0] = tape; field(slopes_of(rows, {m}, end), t, states_of(rows, {m}, end), p, chart)"
    lines = [call.format(m=m) for m in range(constant_order)] or ["for m in range(order):", "    " + call.format(m="m")]
    field = jets.with_callees(model_field, **jets.OPTIONS)
    namespace = {"field": field, "slopes_of": jets.slopes_of, "states_of": jets.states_of}
    exec("\n    ".join(["def coefficients(rows, tape, end, t, p, chart, order):", *lines]), namespace)
    return njit(**jets.OPTIONS)(namespace["coefficients"])


def compiled_taylor(model_field: Any, constant_order: int = 0) -> Bench:
    """Compile the method, for an order at run time, in place of the tolerance; or for one with all loops unrolled."""
    coefficients = compiled_coefficients(model_field, constant_order)
    rows_memory, tape_memory, tape_end = jets.memory(STATES * jets.ROW), jets.memory(64 * jets.ROW), jets.tape_end

    @njit(**_OPTIONS)  # type: ignore[untyped-decorator]
    def follow(x, time, p, chart, run_time_order):
        order = constant_order or run_time_order
        rows, tape, end = rows_memory(), tape_memory(), tape_end()
        set_states(rows, x, order)
        t = 0.0
        while t < time:
            coefficients(rows, tape, end, t, p, chart, order)
            h = step_size(rows, order, time - t)
            take_step(rows, order, h)
            t += h
        for i in range(MOVING):
            x[i] = rows[i * jets.ROW]

    @njit(**_OPTIONS)  # type: ignore[untyped-decorator]
    def bench(x, start, time, p, chart, order, repeats):
        for _ in range(repeats):
            x[:] = start
            follow(x, time, p, chart, int(order))

    return bench


# The race.


def error_of(problem: Problem, bench: Bench, tolerance: float) -> float:
    largest = 0.0
    for f in problem.flows:
        x = np.zeros(STATES)
        bench(x, f.start, f.time, problem.p, f.chart, tolerance, 1)
        largest = max(largest, *(abs(a - b) for a, b in zip(x, f.end, strict=False)))
    return largest


def seconds(problem: Problem, bench: Bench, tolerance: float) -> float:
    """Return the smallest CPU time of the flows of a problem, one after the other."""
    x, total = np.zeros(STATES), 0.0
    for f in problem.flows:
        run = partial(bench, x, f.start, f.time, problem.p, f.chart, tolerance)
        began = time.process_time()
        run(100)
        repeats = max(100, int(100 * SECONDS / (time.process_time() - began)))
        times = []
        for _ in range(ROUNDS):
            began = time.process_time()
            run(repeats)
            times.append((time.process_time() - began) / repeats)
        total += min(times)
    return total


def chosen(problem: Problem, bench: Bench, settings: Iterable[float]) -> dict[float, float]:
    """Return the first of some tolerances or orders that is accurate enough for each error."""
    found: dict[float, float] = {}
    for setting in settings:
        error = error_of(problem, bench, setting)
        found |= {wanted: setting for wanted in ERRORS if error <= wanted and wanted not in found}
    return found


def table(problem: Problem) -> Iterator[str]:
    def row(name: str, settings: dict[float, float], bench_for: Callable[[float], Bench]) -> str:
        times = {setting: 1e6 * seconds(problem, bench_for(setting), setting) for setting in set(settings.values())}
        return f"{name:44}" + "".join(f"{times[settings[e]]:9.2f}" if e in settings else f"{'-':>9}" for e in ERRORS)

    yield f"\n{problem.name + ', us at an error of':44}" + "".join(f"{wanted:9.0e}" for wanted in ERRORS)
    runge_kutta, general = compiled_dop853(problem.field), compiled_taylor(problem.field)
    yield row("dop853 and its extension", chosen(problem, runge_kutta, TOLERANCES), lambda _: runge_kutta)
    orders = chosen(problem, general, ORDERS)
    yield f"{'the order of Taylor':44}" + "".join(f"{orders.get(wanted, 0):9}" for wanted in ERRORS)
    yield row("Taylor, order a number", orders, lambda _: general)
    yield row("Taylor, order constant", orders, lambda order: compiled_taylor(problem.field, int(order)))


def main() -> None:
    for problem in problems():
        for line in table(problem):
            print(line, flush=True)


if __name__ == "__main__":
    main()
