"""Strides, orbits, bifurcation diagrams and basins: how long they take, beside Drake and scipy in the same run.

    python benchmarks/orbits.py [--quick]

The stride is that of the compass gait on 3 degrees (Goswami et al. 1996), from its gait: in Drake it is Drake's own
model in C++, for scipy it is written in Python with `solve_ivp` and an event. That of the kneed walker is the one of
Garcia's thesis after its last modification; there `solve_ivp` calls the same compiled functions as hybridsim, which may
take 200 us for a stride at rtol 1e-6. Each tool walks some strides, at several tolerances; the error is that of the
state after a third of another stride, after equally many strides, against hybridsim at rtol 1e-13.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import importlib
import time
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from gait import PARAMETERS, PERIOD, SLOPE, START
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import hybridsim
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX
from hybridsim_models.walkers import compass_gait, kneed_walker

KNEED_PERIOD = 0.757317831971  # [s]
Walk = Callable[[float, float], np.ndarray]
Tools = Mapping[str, tuple[Walk, int, tuple[float, ...]]]


def walk_hybridsim(rtol: float, end: float) -> np.ndarray:
    run = hybridsim.simulate(
        "compass_gait", initial=dict(zip(compass_gait.STATES.names, START, strict=False)), final_time=end, record=False,
        method="dop853", rtol=rtol, atol=0.1 * rtol,
    )  # fmt: skip
    return run.x[-1, :4]  # without what it has walked


def walk_scipy(rtol: float, end: float) -> np.ndarray:
    """solve_ivp from heelstrike to heelstrike, with the functions of the plug-in."""

    def flow(t: float, x: np.ndarray) -> np.ndarray:
        xdot = np.zeros(4)
        compass_gait.vector_field(xdot, t, x, PARAMETERS, 0)
        return xdot

    def strike(t: float, x: np.ndarray) -> float:
        return x[0] + x[1] if x[0] > x[1] else -1.0  # the foot counts only ahead of the other

    strike.terminal, strike.direction = True, 1.0  # type: ignore[attr-defined]
    t, x = 0.0, np.array(START)
    while True:
        solution = solve_ivp(flow, (t, end), x, method="DOP853", rtol=rtol, atol=0.1 * rtol, events=strike)
        t, x = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            return x
        after = x.copy()
        compass_gait.strike(after, x, PARAMETERS)
        x = after


def find_scipy(guess: np.ndarray) -> np.ndarray:
    """The gait by `fsolve`, from heelstrike to heelstrike by `solve_ivp`, as accurate as hybridsim's default."""

    def flow(t: float, x: np.ndarray) -> np.ndarray:
        xdot = np.zeros(4)
        compass_gait.vector_field(xdot, t, x, PARAMETERS, 0)
        return xdot

    def strike(t: float, x: np.ndarray) -> float:
        return x[0] + x[1] if x[0] > x[1] else -1.0

    def miss(x: np.ndarray) -> np.ndarray:
        solution = solve_ivp(flow, (0.0, 3.0), x, method="DOP853", rtol=1e-12, atol=1e-13, events=strike)
        after = solution.y[:, -1].copy()
        compass_gait.strike(after, solution.y[:, -1], PARAMETERS)
        return after - x

    strike.terminal, strike.direction = True, 1.0  # type: ignore[attr-defined]
    return fsolve(miss, guess, xtol=1e-10)


def walk_kneed(rtol: float, end: float, method: str = "dop853") -> np.ndarray:
    run = hybridsim.simulate("kneed_walker", final_time=end, record=False, method=method, rtol=rtol, atol=0.1 * rtol)
    return run.x[-1, :6]


class KneedWalkerOfScipy:
    """The kneed walker for `solve_ivp`, with the compiled functions of the plug-in; `lowest` is left out."""

    def __init__(self) -> None:
        functions = kneed_walker.MODEL.functions
        self._compiled = compile_functions("kneed_walker", functions)
        pointer, real, integer = ctypes.c_void_p, ctypes.c_double, ctypes.c_int64
        addresses = self._compiled.addresses
        field = ctypes.CFUNCTYPE(None, pointer, real, pointer, pointer, integer)
        jump = ctypes.CFUNCTYPE(integer, pointer, real, pointer, pointer, integer, pointer)
        self._field = field(int(addresses[FUNCTION_INDEX["vector_field"]]))
        self._jump = jump(int(addresses[FUNCTION_INDEX["transition"]]))
        self._p = np.array([parameter.default for parameter in kneed_walker.PARAMETERS])
        self._chart = kneed_walker.C.free_knee

        def kneestrike(_: float, x: np.ndarray) -> float:
            return x[2] - x[1]

        def heelstrike(_: float, x: np.ndarray) -> float:
            return -(x[0] + x[1])

        for strike in (kneestrike, heelstrike):
            strike.terminal, strike.direction = True, -1.0  # type: ignore[attr-defined]
        self._strikes = {0: (kneestrike, kneed_walker.B.kneestrike), 1: (heelstrike, kneed_walker.B.heelstrike)}

    def _flow(self, t: float, x: np.ndarray) -> np.ndarray:
        xdot, x = np.zeros(len(x)), np.ascontiguousarray(x)
        self._field(xdot.ctypes.data, t, x.ctypes.data, self._p.ctypes.data, self._chart)
        return xdot

    def walk(self, rtol: float, end: float) -> np.ndarray:
        t, x = 0.0, np.array([state.default for state in kneed_walker.STATES])
        self._chart = kneed_walker.C.free_knee
        while True:
            event, number = self._strikes[self._chart]
            solution = solve_ivp(self._flow, (t, end), x, method="DOP853", rtol=rtol, atol=0.1 * rtol, events=event)
            t, x = solution.t[-1], np.ascontiguousarray(solution.y[:, -1])
            if solution.status != 1:
                return x[:6]
            after, crossed = x.copy(), np.zeros(3, np.int64)
            crossed[number] = 1
            self._chart = self._jump(
                after.ctypes.data, t, x.ctypes.data, self._p.ctypes.data, self._chart, crossed.ctypes.data
            )
            x = after


def walk_drake(rtol: float, end: float) -> np.ndarray:
    examples, analysis = map(importlib.import_module, ("pydrake.examples", "pydrake.systems.analysis"))
    simulator = analysis.Simulator(examples.CompassGait())
    analysis.ResetIntegratorFromFlags(simulator, "runge_kutta5", 0.1)
    simulator.get_mutable_integrator().set_target_accuracy(rtol)
    context = simulator.get_mutable_context()
    context.SetAccuracy(rtol)
    context.get_mutable_numeric_parameter(0).SetFromVector([10.0, 5.0, 1.0, 0.5, 9.81, SLOPE])
    walker_state = context.get_mutable_continuous_state_vector()
    walker_state.SetFromVector([START[0] + SLOPE, START[1] + SLOPE, START[2], START[3]])
    simulator.Initialize()
    simulator.AdvanceTo(end)
    return walker_state.CopyToVector() - [SLOPE, SLOPE, 0.0, 0.0]


def best_of(function: Callable[[], object], rounds: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest time of several rounds [s]."""
    times = []
    for _ in range(rounds):
        began = clock()
        function()
        times.append(clock() - began)
    return min(times)


def compass_strides(rounds: int) -> Iterator[str]:
    # So many strides that the beginning of a run does not count.
    tools = {
        "hybridsim": (walk_hybridsim, 5000, (1e-6, 1e-9, 1e-12)),
        "Drake, its own model in C++": (walk_drake, 500, (1e-4, 1e-7, 1e-10)),
        "solve_ivp, DOP853": (walk_scipy, 50, (1e-6, 1e-9, 1e-12)),
    }
    return strides("a stride of the compass gait", tools, PERIOD, rounds)


def kneed_strides(rounds: int) -> Iterator[str]:
    tools = {
        "hybridsim": (walk_kneed, 3000, (1e-6, 1e-9, 1e-12)),
        "hybridsim, tsit5": (functools.partial(walk_kneed, method="tsit5"), 3000, (1e-6,)),
        "solve_ivp, DOP853": (KneedWalkerOfScipy().walk, 20, (1e-6, 1e-9, 1e-12)),
    }
    return strides("a stride of the kneed walker", tools, KNEED_PERIOD, rounds)


def strides(title: str, tools: Tools, period: float, rounds: int) -> Iterator[str]:
    ours: float | None = None
    yield f"{title:34}{'rtol':>8}{'error':>10}{'us':>10}{'/ hybridsim':>13}"
    compared = (min(count for _, count, _ in tools.values()) + 1.0 / 3.0) * period
    exact = tools["hybridsim"][0](1e-13, compared)
    for name, (walk, count, tolerances) in tools.items():
        end = count * period
        for rtol in tolerances:
            try:
                error = float(np.abs(walk(rtol, compared) - exact).max())
            except ImportError:
                yield f"{name:34}  not installed"
                break
            call = functools.partial(walk, rtol, end)
            seconds = best_of(call, rounds, time.thread_time) / count  # all tools run in one thread
            ours = ours or seconds
            yield f"{name:34}{rtol:8.0e}{error:10.1e}{1e6 * seconds:10.1f}{seconds / ours:13.1f}"
    yield ""


def analysis(rounds: int) -> Iterator[str]:
    rough = {"theta_st": -0.25, "theta_sw": 0.25, "thetadot_st": 1.0, "thetadot_sw": 0.5}

    def find() -> hybridsim.Orbit:
        return hybridsim.find_orbit("compass_gait", section="heelstrike", initial=rough)

    gait, walker = find(), hybridsim.find_orbit("simplest_walker", section="heelstrike")
    grid = {"theta_st": np.linspace(-0.45, -0.1, 200), "thetadot_st": np.linspace(0.5, 2.0, 200)}
    hybridsim.basin(gait, {name: values[::50] for name, values in grid.items()})
    rough_state = np.array([*rough.values()])
    error = float(np.abs(find_scipy(rough_state) - [gait.x[name] for name in rough]).max())
    ours = best_of(find, 3 * rounds, time.thread_time)
    theirs = best_of(lambda: find_scipy(rough_state), rounds, time.thread_time)
    yield f"{'the compass gait from a rough guess':60}{1e3 * ours:8.1f} ms"
    yield f"{f'   by solve_ivp and fsolve (without multipliers, {error:.0e})':60}{1e3 * theirs:8.1f} ms"
    yield f"{'   so many times as long':60}{theirs / ours:8.1f}"
    diagram = best_of(lambda: hybridsim.continue_orbit(walker, "slope", to=0.019, max_strides=8), max(rounds // 3, 1))
    yield f"{'the simplest walker from 0.009 to 0.019, up to period 8':60}{diagram:8.2f} s"
    basin = best_of(lambda: hybridsim.basin(gait, grid), max(rounds // 3, 1))
    yield f"{'a basin of 200 x 200 of the compass gait, 20 strides':60}{basin:8.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 3 if parser.parse_args().quick else 10
    for line in (*compass_strides(rounds), *kneed_strides(rounds), *analysis(rounds)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
