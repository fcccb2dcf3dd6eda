"""Networks of oscillators: the generated field beside one written by hand, and whole runs.

The field by hand is what one would write for numba and for these oscillators alone, with the same sines: states and
parameters by name, edges sorted by target, two passes. With `--rivals PYTHON`, Brian2 and JiTCODE run in another
environment.

Run it with: python benchmarks/networks.py
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

import hybridsim
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.engine.compiler.options import OPTIONS, PLUGIN_OPTIONS
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, SIGNATURES, for_python
from hybridsim.engine.compiler.sines import sines
from hybridsim.model.model import default_values
from hybridsim.model.parameters import pack_parameters
from hybridsim.networks import Edges, Nodes, Pattern, chain, network, random_pairs, ring
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES

RIVALS = Path(__file__).with_name("rivals") / "networks_rivals.py"
CHAIN_TIME = 10.0
CHAIN_PHASES = (63.162254992313, 58.093491697974, 65.565043495239, 66.753525839568, 61.684949333885)
"""Phases of the chain at this time, from two integrators that agree."""

MAX_RATIO, MAX_MILLISECONDS, MIN_SPEED = 1.2, 10.0, 10_000.0
MAX_LOADING, MAX_RUNNING = 2.0, 15.0

many_sines = numba.njit(**OPTIONS)(sines)


@numba.njit(**PLUGIN_OPTIONS)
def field_by_hand(xdot, x, sources, targets, starts, angles, f, mu, gamma, weight, bias):
    """Write the slopes of Hopf oscillators, x = (phases, amplitudes), with phase edges."""
    n, n_edges = len(x) // 2, len(sources)
    for e in range(n_edges):
        angles[e] = x[sources[e]] - x[targets[e]] - bias
    many_sines(angles, n_edges, 0.0)
    for i in range(n):
        total = 0.0
        for e in range(starts[i], starts[i + 1]):
            total += weight * x[n + sources[e]] * angles[e]
        xdot[i] = 2.0 * math.pi * f + total
        xdot[n + i] = gamma * (mu - x[n + i] * x[n + i]) * x[n + i]


def hopf(pattern: Pattern, n: int) -> Any:
    """Return the model of n Hopf oscillators at random phases."""
    phases = np.random.default_rng(1).uniform(-math.pi, math.pi, n)
    nodes = {"h": Nodes(NODES["hopf"], n, phi=phases, r=1.0)}
    return network("net", nodes, [Edges(EDGES["phase"], "h", "h", pattern, bias=0.3)])


def generated_field(model: Any) -> Callable[[Any, Any], None]:
    """Return the compiled field of a model as a function of slopes and state."""
    compiled = compile_functions(model.name, {"vector_field": model.vector_field})
    function = for_python(SIGNATURES["vector_field"], int(compiled.addresses[FUNCTION_INDEX["vector_field"]]))
    p = pack_parameters(model, default_values(model))

    def evaluate(xdot: Any, x: Any, kept: Any = (model, compiled)) -> None:
        function(xdot, 0.0, x, p, 0)

    return evaluate


def least(functions: list[Callable[[], None]], seconds: float) -> list[float]:
    """Return the least time of each, which take turns for so many seconds."""
    best, end = [math.inf] * len(functions), time.perf_counter() + seconds
    while time.perf_counter() < end:
        for k, function in enumerate(functions):
            began = time.perf_counter()
            function()
            best[k] = min(best[k], time.perf_counter() - began)
    return best


def compare_fields(name: str, pattern: Pattern, n: int, seconds: float) -> dict[str, float]:
    """Time both fields on a network, and see that they agree."""
    model = hopf(pattern, n)
    x = model.states.column("default").astype(float)
    group = model.groups[0]
    sources, targets, starts = group.pattern.sources, group.pattern.targets, group.starts
    ours, by_hand, angles = np.empty_like(x), np.empty_like(x), np.empty(len(sources))
    field = generated_field(model)
    field_by_hand(by_hand, x, sources, targets, starts, angles, 1.0, 1.0, 5.0, 1.0, 0.3)
    field(ours, x)
    np.testing.assert_allclose(ours, by_hand, rtol=1e-13, atol=1e-12)
    small = hopf(ring(2), 2)  # the time of a call from Python
    call = generated_field(small)
    little = small.states.column("default").astype(float)
    slopes = np.empty_like(little)
    *times, by_call = least(
        [
            lambda: field(ours, x),
            lambda: field_by_hand(by_hand, x, sources, targets, starts, angles, 1.0, 1.0, 5.0, 1.0, 0.3),
            lambda: call(slopes, little),
        ],
        seconds,
    )
    times[0] -= by_call
    found = {"ms": 1e3 * times[0], "ns an edge": 1e9 * times[0] / len(sources), "ratio": times[0] / times[1]}
    print(f"{name:24} {n:9,} {len(sources):9,} {found['ms']:9.4f} {found['ns an edge']:9.2f} {found['ratio']:9.2f}")
    return found


def coupled_fully(n: int, seconds: float) -> float:
    """Return how much faster than its time a run of oscillators is of which each is coupled with every other one."""
    omega = 2.0 * math.pi * np.random.default_rng(2).normal(1.0, 0.1, n)
    phases = np.random.default_rng(3).uniform(-math.pi, math.pi, n)
    nodes = {"o": Nodes(NODES["phase"], n, omega=omega, phi=phases)}
    model = network("full", nodes, [Edges(EDGES["sine"], "o", "o", "all", weight=2.0 / n)])
    runs = [hybridsim.simulate(model, final_time=seconds, record={"period": 0.1}) for _ in range(5)]
    speed = seconds / min(run.statistics["wall_time"] for run in runs)
    print(f"{n} oscillators, all with all, {seconds:g} s: {speed:,.0f} x real time, {len(runs[0].t)} rows")
    return speed


def large_ring(n: int) -> None:
    """Load and run a ring, and see that it takes neither long nor much memory once its functions are compiled."""
    hybridsim.Simulation(hopf(ring(n), n), final_time=1.0)
    began = time.process_time()
    settings = {"final_time": 10.0, "record": {"period": 1.0, "outputs": ["h.order"]}}
    simulation = hybridsim.Simulation(hopf(ring(n), n), **settings)
    loaded = time.process_time()
    run = simulation.run()
    took = time.process_time() - loaded
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    steps = int(run.statistics["steps"])
    print(f"ring of {n:,}, 10 s: loaded in {loaded - began:.2f} s, {took:.2f} s for {steps} steps, {memory:.2f} GB")
    assert loaded - began < MAX_LOADING
    assert took < MAX_RUNNING
    assert memory < 1.0


def chain_of_five() -> list[tuple[str, float, float, Any]]:
    """Run the chain of the rivals: names, CPU times, times to build and phases."""
    nodes = {"h": Nodes(NODES["hopf"], 5, phi=(0.1, -2.0, 2.5, 1.2, -0.7))}
    both = [
        Edges(EDGES["phase"], "h", "h", chain(5), bias=-0.4 * math.pi),
        Edges(EDGES["phase"], "h", "h", chain(5).T, bias=0.4 * math.pi),
    ]
    rows = []
    for method, rtol in (("dp5", 1e-6), ("dp5", 1e-9), ("dop853", 1e-12)):
        began = time.process_time()
        model = network("chain_of_five", nodes, both)
        simulation = hybridsim.Simulation(model, final_time=CHAIN_TIME, method=method, rtol=rtol, atol=rtol)
        built = time.process_time() - began
        best, run = math.inf, None
        for _ in range(20):
            simulation = hybridsim.Simulation(model, final_time=CHAIN_TIME, method=method, rtol=rtol, atol=rtol)
            began = time.process_time()
            run = simulation.run()
            best = min(best, time.process_time() - began)
        rows.append((f"hybridsim {method} {rtol:g}", best, built, run.at(CHAIN_TIME)[:5]))
    return rows


def compare_with_rivals(python: str) -> None:
    """Print the chain of five oscillators until t = 10 in each tool: time and error."""
    command = [python, str(RIVALS.absolute()), str(CHAIN_TIME)]
    with tempfile.TemporaryDirectory() as folder:  # JiTCODE builds its C with the pyproject.toml of the folder
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
    rows = [*chain_of_five(), *json.loads(said.splitlines()[-1])]
    print(f"\n{'chain of five, 10 s':24} {'ms CPU':>9} {'build, s':>9} {'error':>9}")
    for name, cpu, built, phases in rows:
        error = float(np.abs(np.subtract(phases, CHAIN_PHASES)).max())
        print(f"{name:24} {1e3 * cpu:9.3f} {built:9.2f} {error:9.1e}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small networks alone")
    parser.add_argument("--rivals", metavar="PYTHON", help="the interpreter of an environment with Brian2 and JiTCODE")
    arguments = parser.parse_args()
    sizes = (1_000, 10_000) if arguments.quick else (1_000, 10_000, 100_000)
    print(f"{'network':24} {'nodes':>9} {'edges':>9} {'ms':>9} {'ns/edge':>9} {'by hand':>9}")
    found = []
    for n in sizes:
        for name, pattern in (("ring", ring(n)), ("random, 10 to each", random_pairs(n, 10, 1))):
            found.append(compare_fields(name, pattern, n, 0.5 if arguments.quick else 3.0))
    if not arguments.quick:
        large_ring(100_000)
    speed = coupled_fully(50, 100.0)
    if arguments.rivals:
        compare_with_rivals(arguments.rivals)
    assert max(each["ratio"] for each in found) < MAX_RATIO, "the generated field is slower than the one by hand"
    assert found[-1]["ms"] < MAX_MILLISECONDS, "a million random edges take too long"
    assert speed > MIN_SPEED, "fifty oscillators are too slow"


if __name__ == "__main__":
    main()
