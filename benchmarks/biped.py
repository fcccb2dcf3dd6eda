"""How fast the controlled biped walks: times real time, and evaluations of its equations per second.

    python benchmarks/biped.py

Each walk of configs/biped is computed several times without recording, on one core; the shortest time counts. The
vector field is the whole one: bodies from stature and mass, Kane's equations, reactions, torques that are held, and
powers. `benchmarks/mechanisms.py` compares the equations alone with pinocchio's. The limit is 5 times real time.
"""

import sys
import time
from pathlib import Path

import numpy as np

import hybridsim
from hybridsim import Simulation, load_config

CONFIGS = Path(__file__).parents[1] / "configs" / "biped"
WALKS = ("walk", "walk-faster", "hinged")
RUNS, CALLS = 5, 10_000
LEAST_REAL_TIME_FACTOR = 5.0


def seconds_of_run(config):
    """Return the shortest of the times that a run takes [s], and the run."""
    taken, run = [], None
    for _ in range(RUNS):
        simulation = Simulation.from_config(config)
        start = time.process_time()
        run = simulation.run()
        taken.append(time.process_time() - start)
    return min(taken), run


def seconds_of_field(config, run):
    """Return the time of one evaluation of the vector field [s], at the end of a run."""
    functions = hybridsim.functions(config.model, parameters=config.parameters, inputs=config.inputs)
    x = np.tile(run.x[-1], (CALLS, 1))
    slopes, taken = np.empty_like(x), []
    for _ in range(RUNS):
        start = time.perf_counter()
        functions.vector_field(run.t[-1], x, run.chart[-1], out=slopes)
        taken.append((time.perf_counter() - start) / CALLS)
    return min(taken)


def main():
    slow = []
    for name in WALKS:
        config = load_config(CONFIGS / f"{name}.yaml", ["record=false"])
        seconds, run = seconds_of_run(config)
        field = seconds_of_field(config, run)
        factor = run.t[-1] / seconds
        print(
            f"{name:12} {factor:5.1f} times real time; vector field {1e6 * field:.2f} us, {1.0 / field:,.0f} per second"
        )
        slow += [name] if factor < LEAST_REAL_TIME_FACTOR else []
    if slow:
        sys.exit(f"slower than {LEAST_REAL_TIME_FACTOR} times real time: {', '.join(slow)}")


if __name__ == "__main__":
    main()
