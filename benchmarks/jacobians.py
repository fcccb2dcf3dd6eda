"""What exact derivatives cost: full Jacobians in units of the field itself, replay of a run, and compile times.

    python benchmarks/jacobians.py            # times of Jacobians and replays
    python benchmarks/jacobians.py --compile  # and compile times, each in a process with an empty cache (minutes)

The limits: SLIP's Jacobian in 4 fields, the hexapod's in 35; compiled in at most 3 times the time of the field.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

from hybridsim.config import load_config
from hybridsim.derivatives.passes import STATE, Point, differentiate_all, make_passes, seed
from hybridsim.derivatives.variations import vary
from hybridsim.duals.functions import dual_functions
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, call_vector_field, pointers
from hybridsim.simulation import Simulation
from hybridsim.simulation.packing import lay_out

CONFIGS = Path(__file__).parents[1] / "configs"
MODELS = {
    "slip": (CONFIGS / "slip.yaml", 4.0, 200_000),
    "hexapod": (CONFIGS / "hexapod" / "speed-1.yaml", 35.0, 2_000),
}
"""Config, limit of a full Jacobian in fields, and repetitions of the field."""

LARGEST_RATIO_OF_COMPILE_TIMES = 3.0
MEASUREMENTS = 25


class Field(NamedTuple):
    """The arrays of a vector field."""

    xdot: Any
    x: Any
    p: Any


@numba.njit
def repeat_field(arrays, address, t, chart, n):
    c = pointers(arrays)
    for _ in range(n):
        call_vector_field(address, c.xdot, 0, t, c.x, 0, c.p, chart)


@numba.njit
def repeat_jacobian(arrays, address, n):
    c = pointers(arrays)
    seed(c, 0, True)
    for _ in range(n):
        differentiate_all(c, address, VECTOR_FIELD)


def shortest(function, n):
    """Return the shortest of some times of one of n repetitions [s]."""
    function(1)
    times = []
    for _ in range(MEASUREMENTS):
        start = time.perf_counter()
        function(n)
        times.append((time.perf_counter() - start) / n)
    return min(times)


def measure(name, file, limit, repetitions):
    config = load_config(file)
    run, packed = Simulation.from_config(config).run(), lay_out(config)
    row = int(np.searchsorted(run.t, 0.5 * (run.t[0] + run.t[-1])))
    p, width = packed.problem.p, len(packed.workspace.x)
    arrays = Field(np.zeros(width), np.append(run.x[row], np.zeros(width - run.x.shape[1])), p)
    field = int(packed.compiled.addresses[VECTOR_FIELD])
    of_field = shortest(lambda n: repeat_field(arrays, field, run.t[row], int(run.chart[row]), n), repetitions)
    address = int(dual_functions(packed.model, ("vector_field",)).addresses[VECTOR_FIELD])
    n = run.x.shape[1]
    point = Point(run.t[row], run.x[row], p, int(run.chart[row]))
    dual_arrays = make_passes(n, point, np.full(n, STATE), np.arange(n))
    full = shortest(lambda n: repeat_jacobian(dual_arrays, address, n), max(repetitions // 20, 20))
    verdict = "" if full <= limit * of_field else ": TOO SLOW"
    print(
        f"{name}: field {of_field * 1e9:.1f} ns, its full Jacobian {full * 1e9:.0f} ns = {full / of_field:.1f} fields "
        f"(limit {limit:g}){verdict}"
    )


def measure_replay():
    config = load_config(CONFIGS / "walkers" / "simplest_walker.yaml")
    run, packed = Simulation.from_config(config).run(), lay_out(config)
    n = len(packed.model.states)
    arguments = packed.model, packed.method, packed.problem.p, run, run.events, (np.full(n, STATE), np.arange(n))

    def replay(times):
        for _ in range(times):
            vary(*arguments)

    print(f"simplest walker: {len(run.t)} rows replayed for {n} variables in {shortest(replay, 50) * 1e6:.0f} us")


COMPILE = """
import os, sys, time
from hybridsim.config import load_config
from hybridsim.duals.functions import dual_arithmetic
from hybridsim.engine.compiler.compilation import DOUBLES, compile_functions
arithmetic = dual_arithmetic() if sys.argv[2] == "dual" else DOUBLES
model = load_config(sys.argv[1]).model
warm = compile_functions("warm", {"vector_field": lambda xdot, t, x, p, chart: None}, arithmetic)
start = time.process_time()
compile_functions(model.name, {"vector_field": model.functions["vector_field"]}, arithmetic)
print(time.process_time() - start)
"""


def compile_time(file, numbers):
    """Return the CPU time in which a fresh process compiles the vector field [s]."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", COMPILE, str(file), numbers]
        environment = {**os.environ, "HYBRIDSIM_CACHE_DIR": folder}
        return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def measure_compilation(name, file):
    plain, dual = (compile_time(file, numbers) for numbers in ("plain", "dual"))
    verdict = "" if dual <= LARGEST_RATIO_OF_COMPILE_TIMES * plain else ": TOO SLOW"
    print(f"{name}: field compiled in {plain:.2f} s, on duals in {dual:.2f} s of CPU = {dual / plain:.1f} x{verdict}")


if __name__ == "__main__":
    for model, (path, most, count) in MODELS.items():
        measure(model, path, most, count)
    measure_replay()
    for model, (path, _, _) in MODELS.items() if "--compile" in sys.argv else ():
        measure_compilation(model, path)
