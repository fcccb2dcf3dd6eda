"""How fast is the hexapod? Its vector field against the same by hand in C, a run against the clock, and MuJoCo.

    python benchmarks/hexapod.py [--quick]

Three tables. A call: the vector field of models/hexapod, plant and open-loop clock, and that of hexapod.c, which must
agree, at the states of a run. A run: simulated time over computing time on one core, and where that goes. For scale:
the same robot in MuJoCo, if it is installed. Times are those of the thread, and all of a table is timed in turn, round
after round, because machines are noisy. Fails if a call takes more than 1.3 times as long as C's, or if a run is slower
than 40 times real time. docs/benchmarks.md explains the tables.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import platform
import subprocess
import tempfile
import time
from copy import copy
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from engine import processor
from hexapod_tables import Call, Result, Scale, print_calls, print_runs, print_scale

import hybridsim
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.model.parameters import pack_parameters

FOLDER = Path(__file__).parent
RTOL, ATOL, SECONDS = 1e-6, 1e-8, 10.0
AGREEMENT = {"all": 1e-10, "none slips": 1e-11, "some slip": 1e-10}
"""Between two slopes of a state, over the largest one in the run. Forces on a toe in flight
nearly cancel, which leaves rounding. The velocity of a toe that slips is known to 1e-11 N m of hip torque."""
MOST_OVER_C, LEAST_OVER_CLOCK = 1.3, 40.0

FIELDS = (
    "r_x",
    "q_w",
    "v_x",
    "omega_x",
    "f0_x",
    "fdot0_x",
    "release0",
    "charge",
    "motor_work",
    "phi_ref0",
    "used_t_c",
    "used_turn_right",
)
PLACES = (0, 3, 7, 10, 13, 31, 49, 55, 56, 64, 70, 77)
"""States that hexapod.c finds by number."""

PARAMETERS = (
    *("body_mass", "leg_mass", "g", "friction_coeff", "friction", "creep_damping", "creep_limit", "slip_lag"),
    *("damping", "damping_depth", "flight_reaction", "q_rl", "stop_force", "stop_length"),
    *("max_torque", "max_speed", "gear", "torque_constant", "hip_damping"),
    *("battery_capacity", "battery_hours", "battery_exponent", "k_p", "k_d"),
    *(f"J_{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)),
    *(f"{kind}{leg}_{which}" for kind in ("rho", "theta") for which in ("k", "d", "r0") for leg in range(6)),
    *(f"attach{leg}_{axis}" for axis in "xyz" for leg in range(6)),
)
"""In the order of the struct in hexapod.c."""

RUNS: dict[str, dict[str, Any]] = {
    "Coulomb": {"parameters": {"friction": "coulomb"}},
    "creep": {"parameters": {"friction": "creep"}},
    "Coulomb, Hunt-Crossley": {"parameters": {"friction": "coulomb", "damping": "hunt_crossley", "flight_reaction": 1}},
}

doubles, integers = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int64)


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
        robot = np.array([self.p[model.p_indices[name]] for name in PARAMETERS])
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

    def counts(self) -> tuple[int, int]:
        """Of states, and of the charts they are in."""
        return len(self.x), len(np.unique(self.chart))

    def per_call(self, address: int, repeats: int = 2) -> float:
        """Seconds."""
        spare = np.zeros(1024)
        taken = c_library().time_calls(address, *self.arguments(), *self.x.shape, repeats, pointer(spare))
        return float(taken) / repeats / len(self.x)

    def arguments(self) -> tuple[Any, ...]:
        return pointer(self.x), self.chart.ctypes.data_as(integers), pointer(self.p)

    def only(self, some: Any) -> Rivals:
        """At some of the states."""
        fewer = copy(self)
        fewer.x, fewer.chart = np.ascontiguousarray(self.x[some]), np.ascontiguousarray(self.chart[some])
        return fewer


def pointer(values: Any) -> Any:
    return values.ctypes.data_as(doubles)


def simulation_of(seconds: float, **keywords: Any) -> hybridsim.Simulation:
    """Speed setting 2 on flat ground, which are the model's defaults."""
    return hybridsim.Simulation("hexapod", final_time=seconds, rtol=RTOL, atol=ATOL, max_transitions=10**9, **keywords)


def measure(friction: str, rounds: int) -> Result:
    """Calls and runs in turn, round after round: the smallest times count, and of ratios the median of the rounds."""
    rivals = Rivals(0.5 * SECONDS, **RUNS[friction])
    slips = (rivals.chart >> 6 & 63) != 0
    some = {"all": rivals, "none slips": rivals.only(~slips), "some slip": rivals.only(slips)}
    apart = {toes: those.apart() for toes, those in some.items()}
    for toes, most in AGREEMENT.items():
        assert apart[toes] <= most, f"{friction}: hexapod.c computes something else, apart by {apart[toes]:.1e}"
    calls = {toes: np.empty((rounds, 2)) for toes in some}
    shares, runs = np.empty((rounds, 2)), np.empty((rounds, 2))
    for k in range(rounds):
        for toes, those in some.items():
            calls[toes][k] = those.per_call(those.ours), those.per_call(those.c)
        in_boundaries = rivals.per_call(rivals.boundaries)
        runs[k], counts = time_run(friction)
        costs = calls["all"][k, 0] * counts["vector_field_calls"], in_boundaries * counts["boundary_calls"]
        shares[k] = np.array(costs) * SECONDS / runs[k, 0]
    rows = [
        Call(toes, *those.counts(), apart[toes], *best(calls[toes]), *middle(calls[toes][:, :1] / calls[toes][:, 1:]))
        for toes, those in some.items()
    ]
    return Result(friction, rows, *best(runs), *middle(shares), counts)


def best(times: Any) -> list[float]:
    return [float(value) for value in times.min(axis=0)]


def middle(ratios: Any) -> list[float]:
    return [float(value) for value in np.median(ratios, axis=0)]


def time_run(friction: str) -> tuple[tuple[float, float], dict[str, float]]:
    """Seconds of `advance` without recording, and of `run` with every step recorded, down to its Trajectory."""
    simulation = simulation_of(SECONDS, record=False, **RUNS[friction])
    began = time.thread_time()
    simulation.advance(SECONDS)
    bare = time.thread_time() - began
    simulation = simulation_of(SECONDS, record=True, **RUNS[friction])
    began = time.thread_time()
    run = simulation.run()
    recorded = time.thread_time() - began
    names = ("steps", "rejected", "vector_field_calls", "boundary_calls", "events")
    return (bare, recorded), {name: run.statistics[name] / SECONDS for name in names}


def time_mujoco(rounds: int) -> list[Scale]:
    """The same robot, setting and ground, at steps one would take."""
    rival = importlib.import_module("hexapod_mujoco")
    results = []
    for step in (1e-3, 5e-4):
        walks = [rival.walk(rival.SETTINGS[2], 0.5, step, SECONDS, rival.Contact(2.0 * step)) for _ in range(rounds)]
        best = min(walks, key=lambda walk: walk.stepping)
        whole = min(walk.whole for walk in walks)
        results.append(Scale(step, best.stepping / SECONDS, whole / SECONDS, best.speed))
    return results


def write(results: list[Result], scales: list[Scale], target: Path) -> None:
    machine = {"processor": processor(), "system": platform.platform(), "python": platform.python_version()}
    target.parent.mkdir(exist_ok=True)
    tables = {"results": [asdict(row) for row in results], "mujoco": [asdict(row) for row in scales]}
    target.write_text(json.dumps({"machine": machine, **tables}, indent=2) + "\n")
    print(f"\nwritten to {target}")


def misses(results: list[Result]) -> list[str]:
    """What does not reach its target, and by how much."""
    slow_calls = [
        f"{result.friction}: a call takes {result.calls[0].ratio:.2f} times as long as C's (at most {MOST_OVER_C})"
        for result in results
        if result.calls[0].ratio > MOST_OVER_C
    ]
    slow_runs = [
        f"{result.friction}: {SECONDS / result.seconds:.1f} times real time (at least {LEAST_OVER_CLOCK:g})"
        for result in results
        if result.seconds * LEAST_OVER_CLOCK > SECONDS
    ]
    return slow_calls + slow_runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    rounds = 5 if parser.parse_args().quick else 25
    results, scales = [measure(friction, rounds) for friction in RUNS], list[Scale]()
    print_calls(results)
    print_runs(results, SECONDS, f"A run of {SECONDS:g} s at rtol {RTOL:g} and atol {ATOL:g}")
    try:
        scales = time_mujoco(rounds // 4 + 1)
        print_scale(results[0].seconds / SECONDS, scales)
    except ImportError as problem:
        print(f"\nnot compared: MuJoCo ({problem}); `make benchmark` installs what it needs")
    write(results, scales, FOLDER / "results" / "hexapod.json")
    missed = misses(results)
    print("\n" + ("\n".join(missed) or "all targets are met"))
    if missed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
