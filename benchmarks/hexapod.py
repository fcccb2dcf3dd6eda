"""How fast is the compliant hexapod? Its vector field against the same by hand in C, and a run against the clock.

    python benchmarks/hexapod.py [--quick]

Three tables. A call: the vector field of models/hexapod, plant and open-loop clock, and that of hexapod.c, at all states
recorded in a run, called from the same compiled loop, interleaved; the smallest times count. First they must agree. A
run: simulated time over computing time on one core, and where the computing time goes. For scale: the same robot in
MuJoCo, if it is installed. docs/benchmarks.md explains the tables. `--quick` takes fewer rounds.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import math
import platform
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from engine import processor

import hybridsim
from hybridsim.engine.compilation import compile_functions
from hybridsim.packing import pack_parameters

FOLDER = Path(__file__).parent
RTOL, ATOL, SECONDS = 1e-6, 1e-8, 10.0
AGREEMENT = 1e-11
"""Between two slopes of a state, over the largest one in the run. Slip velocities are sought to 1e-11 N m."""
MOST_OVER_C, LEAST_OVER_CLOCK = 1.3, 40.0

FIELDS = (
    "r_x",
    "q_w",
    "v_x",
    "omega_x",
    "f0_x",
    "fdot0_x",
    "charge",
    "motor_work",
    "phi_ref0",
    "used_t_c",
    "used_turn_right",
)
PLACES = (0, 3, 7, 10, 13, 31, 49, 50, 58, 64, 71)
"""States that hexapod.c finds by number."""

PARAMETERS = (
    *("body_mass", "leg_mass", "g", "friction_coeff", "friction", "creep_damping", "creep_push"),
    *("damping", "damping_depth", "flight_reaction", "q_rl", "stop_force", "stop_length"),
    *("max_torque", "max_speed", "gear", "torque_constant", "hip_damping"),
    *("battery_capacity", "battery_hours", "battery_exponent", "k_p", "k_d"),
    *(f"J_{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)),
    *(f"{kind}{leg}_{which}" for kind in ("rho", "theta") for which in ("k", "d", "r0") for leg in range(6)),
    *(f"attach{leg}_{axis}" for axis in "xyz" for leg in range(6)),
)
"""In the order of the struct in hexapod.c."""

RUNS: dict[str, dict[str, Any]] = {
    "Coulomb": {},
    "creep": {"parameters": {"friction": "creep"}},
    "Coulomb, Hunt-Crossley": {"parameters": {"damping": "hunt_crossley", "flight_reaction": 1}},
}

doubles, integers = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int64)


@dataclass(frozen=True)
class Call:
    """What a call costs at the states of a run [s]: ours, C's, that of our boundaries; and how far fields are apart."""

    run: str
    toes: str
    states: int
    charts: int
    apart: float
    ours: float
    c: float
    boundaries: float


@dataclass(frozen=True)
class Run:
    """Computing time of a run [s], and what it did per simulated second."""

    run: str
    seconds: float
    recorded: float
    counts: dict[str, float] = field(default_factory=dict)


# The fields.


@cache
def c_library() -> Any:
    """hexapod.c, compiled for this machine."""
    target = Path(tempfile.mkdtemp()) / "hexapod.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", str(target), str(FOLDER / "hexapod.c"), "-lm"], check=True)
    library = ctypes.CDLL(str(target))
    library.prepare.argtypes = [doubles]
    library.slopes.argtypes = [ctypes.c_void_p, doubles, integers, doubles, *[ctypes.c_long] * 2, doubles]
    library.time_calls.argtypes = [ctypes.c_void_p, doubles, integers, doubles, *[ctypes.c_long] * 3, doubles]
    library.time_calls.restype = ctypes.c_double
    return library


class Rivals:
    """Our compiled functions and C's, with the states of a run to call them at.

    Left out is where a chart ends: a boundary is zero there, and what rounding leaves of it decides.
    """

    def __init__(self, seconds: float, **keywords: Any) -> None:
        simulation = simulation_of(seconds, record=True, **keywords)
        run, model = simulation.run(), simulation.config.model
        assert tuple(map(model.states.index, FIELDS)) == PLACES, "the states have moved: adapt hexapod.c"
        inside = np.append(run.j[1:] == run.j[:-1], False)
        self.x, self.chart = np.ascontiguousarray(run.x[inside]), np.ascontiguousarray(run.chart[inside], np.int64)
        values = {**simulation.config.parameters, **simulation.config.inputs}
        self.p = pack_parameters(model, values)
        robot = np.array([self.p[model.places[name].at] for name in PARAMETERS])
        c_library().prepare(pointer(robot))
        functions = {name: model.functions[name] for name in ("vector_field", "boundaries")}
        self.compiled = compile_functions(model.name, functions)
        self.ours, self.boundaries = (int(address) for address in self.compiled.addresses[:2])
        self.c = ctypes.cast(c_library().field, ctypes.c_void_p).value

    def slopes(self, address: int) -> Any:
        """At all states, (n, n_states)."""
        xdot = np.zeros_like(self.x)
        c_library().slopes(address, *self.arguments(), *self.x.shape, pointer(xdot))
        return xdot

    def apart(self) -> float:
        """The largest difference between ours and C's, each state's over its largest slope."""
        ours, c = self.slopes(self.ours), self.slopes(self.c)
        largest = np.abs(ours).max(axis=0)
        return float((np.abs(ours - c) / np.where(largest > 0.0, largest, 1.0)).max())

    def per_call(self, address: int, repeats: int) -> float:
        """Seconds."""
        spare = np.zeros(1024)
        taken = c_library().time_calls(address, *self.arguments(), *self.x.shape, repeats, pointer(spare))
        return float(taken) / repeats / len(self.x)

    def arguments(self) -> tuple[Any, ...]:
        return pointer(self.x), self.chart.ctypes.data_as(integers), pointer(self.p)

    def keep(self, some: Any) -> None:
        self.x, self.chart = np.ascontiguousarray(self.x[some]), np.ascontiguousarray(self.chart[some])


def pointer(values: Any) -> Any:
    return values.ctypes.data_as(doubles)


def simulation_of(seconds: float, **keywords: Any) -> hybridsim.Simulation:
    """Speed setting 2 on flat ground, which are the model's defaults."""
    return hybridsim.Simulation("hexapod", final_time=seconds, rtol=RTOL, atol=ATOL, max_transitions=10**9, **keywords)


def time_calls(name: str, rounds: int) -> list[Call]:
    """All states of a run, then those in which no toe slips, and the others."""
    results = []
    for toes in ("any", "none slips", "some slip"):
        rivals = Rivals(0.5 * SECONDS, **RUNS[name])
        apart = rivals.apart()
        slips = (rivals.chart >> 6 & 63) != 0
        if toes != "any":
            rivals.keep(slips if toes == "some slip" else ~slips)
        contenders = (rivals.ours, rivals.c, rivals.boundaries)
        times = [[rivals.per_call(address, 5) for address in contenders] for _ in range(rounds)]
        results.append(
            Call(name, toes, len(rivals.x), len(np.unique(rivals.chart)), apart, *np.min(times, axis=0).tolist())
        )
    return results


# Runs.


def time_run(name: str, rounds: int) -> Run:
    """`advance` without recording, and `run` with every step recorded, down to its Trajectory."""
    bare, recorded = [], []
    for _ in range(rounds):
        simulation = simulation_of(SECONDS, record=False, **RUNS[name])
        began = time.perf_counter()
        simulation.advance(SECONDS)
        bare.append(time.perf_counter() - began)
        simulation = simulation_of(SECONDS, record=True, **RUNS[name])
        began = time.perf_counter()
        run = simulation.run()
        recorded.append(time.perf_counter() - began)
    names = ("steps", "rejected", "vector_field_calls", "boundary_calls", "events")
    return Run(name, min(bare), min(recorded), {key: run.statistics[key] / SECONDS for key in names})


@dataclass(frozen=True)
class Scale:
    """MuJoCo: its step [s], computing time per simulated second [s], in `mj_step` and with the motors in Python; speed [m/s]."""

    step: float
    stepping: float
    whole: float
    speed: float


def time_mujoco(rounds: int) -> list[Scale]:
    """The same robot, setting and ground, at steps one would take."""
    rival = importlib.import_module("hexapod_mujoco")
    results = []
    for step in (1e-3, 5e-4):
        walks = [rival.walk(rival.SETTINGS[2], 0.5, step, SECONDS) for _ in range(rounds)]
        best = min(walks, key=lambda walk: walk.stepping)
        whole = min(walk.whole for walk in walks)
        results.append(Scale(step, best.stepping / SECONDS, whole / SECONDS, best.speed))
    return results


# What a person sees.


def print_calls(calls: list[Call]) -> None:
    print("\nA call of the vector field, at every state of a run\n")
    print(
        f"{'friction':24}{'toes':12}{'states':>8}{'charts':>8}{'apart':>10}{'ns':>8}{'C, ns':>8}{'/ C':>8}{'calls/s':>10}"
    )
    for call in calls:
        print(
            f"{call.run:24}{call.toes:12}{call.states:8}{call.charts:8}{call.apart:10.1e}{1e9 * call.ours:8.0f}"
            f"{1e9 * call.c:8.0f}{call.ours / call.c:8.2f}{1e-6 / call.ours:9.2f}M"
        )


def print_runs(runs: list[Run], calls: list[Call]) -> None:
    cost = {call.run: call for call in calls if call.toes == "any"}
    print(f"\nA run of {SECONDS:g} s at rtol {RTOL:g}, atol {ATOL:g}; counts per simulated second\n")
    head = (
        "x clock",
        "steps",
        "rejected",
        "fields",
        "boundaries",
        "events",
        "in field",
        "in boundaries",
        "else",
        "recording",
    )
    print(f"{'friction':24}" + "".join(f"{name:>{max(len(name) + 2, 8)}}" for name in head))
    for run in runs:
        in_field = run.counts["vector_field_calls"] * SECONDS * cost[run.run].ours / run.seconds
        in_boundaries = run.counts["boundary_calls"] * SECONDS * cost[run.run].boundaries / run.seconds
        cells = (
            f"{SECONDS / run.seconds:.1f}",
            *(f"{count:.0f}" for count in run.counts.values()),
            *(f"{100.0 * share:.0f} %" for share in (in_field, in_boundaries, 1.0 - in_field - in_boundaries)),
            f"+{100.0 * (run.recorded / run.seconds - 1.0):.0f} %",
        )
        print(
            f"{run.run:24}"
            + "".join(f"{cell:>{max(len(name) + 2, 8)}}" for name, cell in zip(head, cells, strict=True))
        )


def print_scale(ours: float, scales: list[Scale]) -> None:
    print("\nFor scale, MuJoCo: milliseconds per simulated second, and how fast the robot runs\n")
    print(f"{'step':>8}{'mj_step':>10}{'x clock':>10}{'/ ours':>9}{'with Python motors':>21}{'speed m/s':>12}")
    for scale in scales:
        print(
            f"{1e3 * scale.step:5.2f} ms{1e3 * scale.stepping:10.1f}{1.0 / scale.stepping:10.0f}"
            f"{scale.stepping / ours:9.2f}{1e3 * scale.whole:21.1f}{scale.speed:12.3f}"
        )


def write(target: Path, **results: Any) -> None:
    machine = {"processor": processor(), "system": platform.platform(), "python": platform.python_version()}
    target.parent.mkdir(exist_ok=True)
    tables = {name: [asdict(row) for row in rows] for name, rows in results.items()}
    target.write_text(json.dumps({"machine": machine, **tables}, indent=2) + "\n")
    print(f"\nwritten to {target}")


def check(calls: list[Call], runs: list[Run]) -> list[str]:
    """What misses its target, and by how much."""
    misses = [
        f"{call.run}, {call.toes}: {call.ours / call.c:.2f} times C (at most {MOST_OVER_C})"
        for call in calls
        if call.ours > MOST_OVER_C * call.c
    ]
    misses += [
        f"{run.run}: {SECONDS / run.seconds:.1f} times real time (at least {LEAST_OVER_CLOCK:g})"
        for run in runs
        if SECONDS < LEAST_OVER_CLOCK * run.seconds
    ]
    return misses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    rounds = 3 if parser.parse_args().quick else 12
    calls = [call for name in RUNS for call in time_calls(name, 3 * rounds)]
    for call in calls:
        assert call.apart <= AGREEMENT, f"{call.run}: hexapod.c computes something else, apart by {call.apart:.1e}"
    runs = [time_run(name, rounds) for name in RUNS]
    print_calls(calls)
    print_runs(runs, calls)
    scales: list[Scale] = []
    try:
        scales = time_mujoco(rounds)
        print_scale(runs[0].seconds / SECONDS, scales)
    except ImportError as problem:
        print(f"\nnot compared: MuJoCo ({problem}); `make benchmark` installs what it needs")
    write(FOLDER / "results" / "hexapod.json", calls=calls, runs=runs, scales=scales)
    misses = check(calls, runs)
    print("\n" + ("\n".join(f"misses its target: {miss}" for miss in misses) or "all targets are met"))
    if misses:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
