"""What exact derivatives cost: Jacobians in units of the field itself and of C by hand, replays, compile times.

    python benchmarks/jacobians.py            # times of Jacobians and replays
    python benchmarks/jacobians.py --compile  # and compile times, each in a process with an empty cache (minutes)

Jacobians are those of `hybridsim.functions` at rows of a run. The limits: SLIP's in 5 fields, the hexapod's in 50; at
1,000 rows at most 3 times as long as C by hand on dual numbers; compiled in at most 3 times the time of the field.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import hybridsim
from hybridsim.config import load_config
from hybridsim.derivatives.variations import vary
from hybridsim.duals.functions import REPLAYED, dual_functions
from hybridsim.simulation import Simulation
from hybridsim.simulation.packing import lay_out
from hybridsim.simulation.row_loops import STATE

FOLDER = Path(__file__).parent
CONFIGS = FOLDER.parent / "configs"
MODELS = {"slip": (CONFIGS / "slip.yaml", 1000, 5.0), "hexapod": (CONFIGS / "hexapod" / "speed-1.yaml", 20, 50.0)}
"""Config, rows that are evaluated in one call, and limit of a full Jacobian in fields."""

LARGEST_RATIO_OF_COMPILE_TIMES = 3.0
LARGEST_RATIO_TO_C = 3.0
MEASUREMENTS = 500

OF_C = ("body_mass", "q_0", "k", "g_stance", "g_flight")
"""The parameters of jacobians.c, in their order."""


def shortest(*functions):
    """Return the shortest time of a call of each function [s]; they are called in turns."""

    def timed(function):
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return np.min([[timed(function) for function in functions] for _ in range(MEASUREMENTS)], axis=0)


def rows_of(file, n):
    """Return the functions of a config's model, and n rows of its run: times, states and charts."""
    config = load_config(file, ["record=true"])
    run = Simulation.from_config(config).run()
    functions = hybridsim.functions(config.model, parameters=config.parameters, inputs=config.inputs)
    rows = np.linspace(0, len(run.t) - 1, n).astype(int)
    return functions, run.t[rows], run.x[rows], run.chart[rows]


def measure(name, file, n, limit):
    functions, t, x, chart = rows_of(file, n)
    slopes, jacobian = np.empty_like(x), np.empty((*x.shape, x.shape[1]))
    point = float(t[0]), x[0], int(chart[0])
    of_field, full, one = shortest(
        lambda: functions.vector_field(t, x, chart, out=slopes),
        lambda: functions.jacobian("vector_field", t, x, chart, out=jacobian),
        lambda: functions.jacobian("vector_field", *point),
    )
    print(
        f"{name}: at {n} rows the field takes {of_field / n * 1e9:.1f} ns each, its full Jacobian "
        f"{full / n * 1e9:.0f} ns = {full / of_field:.1f} fields (limit {limit:g}); "
        f"a call for one point {one * 1e6:.1f} us"
    )
    assert full <= limit * of_field


def measure_c():
    """Compare SLIP's Jacobians with those that jacobians.c computes."""
    functions, t, x, chart = rows_of(*MODELS["slip"][:2])
    n, jacobian, by_c = len(t), np.empty((len(t), 7, 7)), np.empty((len(t), 7, 7))
    p = np.array([functions.p[functions.model.p_indices[name]] for name in OF_C])
    target = Path(tempfile.mkdtemp()) / "jacobians.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", str(target), str(FOLDER / "jacobians.c"), "-lm"], check=True)
    library, pointers = ctypes.CDLL(str(target)), [ctypes.c_void_p(array.ctypes.data) for array in (x, chart, p, by_c)]
    own, duals, by_hand = shortest(
        lambda: functions.jacobian("vector_field", t, x, chart, out=jacobian),
        lambda: library.by_duals(ctypes.c_int64(n), *pointers),
        lambda: library.by_hand(ctypes.c_int64(n), *pointers),
    )
    for function in library.by_duals, library.by_hand:
        function(ctypes.c_int64(n), *pointers)
        assert np.allclose(by_c, jacobian, rtol=1e-12, atol=1e-9)
    print(
        f"slip: a Jacobian takes {own / n * 1e9:.0f} ns at {n} rows, by C on dual numbers {duals / n * 1e9:.0f} ns: "
        f"{own / duals:.2f} times as long (limit {LARGEST_RATIO_TO_C:g}); by C with the derivatives written "
        f"out {by_hand / n * 1e9:.0f} ns: {own / by_hand:.1f} times"
    )
    assert own <= LARGEST_RATIO_TO_C * duals


def measure_replay():
    config = load_config(CONFIGS / "walkers" / "simplest_walker.yaml")
    run, packed = Simulation.from_config(config).run(), lay_out(config)
    n = len(packed.model.states)
    model, duals, variables = packed.model, dual_functions(packed.model, REPLAYED), (np.full(n, STATE), np.arange(n))
    arguments = model, duals, packed.method, packed.problem.p, run, run.events, variables

    (replay,) = shortest(lambda: vary(*arguments))
    print(f"simplest walker: {len(run.t)} rows replayed for {n} variables in {replay * 1e6:.0f} us")


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
    for model, (path, count, most) in MODELS.items():
        measure(model, path, count, most)
    measure_c()
    measure_replay()
    for model, (path, *_) in MODELS.items() if "--compile" in sys.argv else ():
        measure_compilation(model, path)
