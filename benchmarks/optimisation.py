"""Searches: what an evaluation costs, and what stands around it, beside pymoo and cma with `solve_ivp`.

The runner of `configs/optimisation/slip-longest.yaml`, 40 settings x 100 generations of one search, on one thread: CPU
time of everything, confirmation included. The others get the same runner, written with `solve_ivp` and its events at
the same tolerances; they evaluate fewer settings, and their time is given for each. What a search costs besides its
runs is measured with an evaluation that takes no time.

    python benchmarks/optimisation.py [--quick]
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

from hybridsim.config.optimization import load_optimization_config
from hybridsim.optimisation import run_optimization
from hybridsim.optimisation.optimizer import Search

CONFIG = Path(__file__).parents[1] / "configs" / "optimisation" / "slip-longest.yaml"
G, MASS, LENGTH, RTOL = 9.81, 80.0, 1.0, 1e-6
LOW, HIGH = np.array([15e3, math.radians(-28.0)]), np.array([25e3, math.radians(-18.0)])


def distance(k: float, angle: float) -> float:
    """Return how far the runner gets in 24 steps, or until it falls, with `solve_ivp`."""
    x, s = 0.0, [1.0, 5.0, 0.0]  # height, forward speed, upward speed
    for _ in range(24):
        height, xdot, ydot = s
        landing = LENGTH * math.cos(angle)
        if height + ydot**2 / (2.0 * G) < landing or xdot <= 0.0:
            return x
        fall = math.sqrt(ydot**2 + 2.0 * G * (height - landing))
        x += xdot * (ydot + fall) / G
        found = stance(k, [LENGTH * math.sin(angle), landing, xdot, -fall])
        if found is None:
            return x
        x += found[0] - LENGTH * math.sin(angle)
        s = [found[1], found[2], found[3]]
    return x


def stance(k: float, begin: list[float]) -> np.ndarray | None:
    """Return the state at liftoff, from the foot; None after a fall."""

    def flow(_: float, s: np.ndarray) -> list[float]:
        length = math.hypot(s[0], s[1])
        pull = k * (LENGTH - length) / (MASS * length)
        return [s[2], s[3], pull * s[0], pull * s[1] - G]

    def lifted(_: float, s: np.ndarray) -> float:
        return math.hypot(s[0], s[1]) - LENGTH

    def fallen(_: float, s: np.ndarray) -> float:
        return s[1]

    lifted.terminal, lifted.direction, fallen.terminal = True, 1.0, True  # type: ignore[attr-defined]
    found = solve_ivp(flow, (0.0, 5.0), begin, rtol=RTOL, atol=RTOL, events=(lifted, fallen))
    return found.y[:, -1] if len(found.t_events[0]) else None


def ours(generations: int, folder: str | None) -> tuple[float, float]:
    """Return CPU time of a search, and what it found."""
    changes = [f"optimize.method.generations={generations}", "optimize.runs=1"]
    config = load_optimization_config(CONFIG, [*changes, f"engine.rtol={RTOL}", f"engine.atol={RTOL}"])
    began = time.process_time()
    found = run_optimization(config, folder, workers=1)
    return time.process_time() - began, found.best.value


def beside(runs: int) -> float:
    """Return the CPU time that a search takes for each run besides the run itself [us]."""
    config = load_optimization_config(CONFIG, [f"optimize.runs={runs}"])
    search, n = Search(config), config.n_rows
    fixed = {"status": np.full(n, "STOPPED", object), "steps": np.full(n, 24)}
    search.tell(search.ask(), {**fixed, "distance": np.zeros(n)})  # imports
    began, generations = time.process_time(), 90
    for _ in range(generations):
        generation = search.ask()
        search.tell(generation, {**fixed, "distance": generation.values["parameters.k"]})
    return 1e6 * (time.process_time() - began) / (generations * n)


def by_pymoo(evaluations: int) -> float:
    """Return the CPU time of an evaluation by pymoo's particle swarm [s]."""
    from pymoo.algorithms.soo.nonconvex.pso import PSO  # noqa: PLC0415
    from pymoo.core.problem import ElementwiseProblem  # noqa: PLC0415
    from pymoo.optimize import minimize  # noqa: PLC0415

    class Runner(ElementwiseProblem):
        def __init__(self) -> None:
            super().__init__(n_var=2, n_obj=1, xl=LOW, xu=HIGH)

        def _evaluate(self, x: np.ndarray, out: dict[str, float]) -> None:
            out["F"] = -distance(*x.tolist())

    began = time.process_time()
    minimize(Runner(), PSO(pop_size=20), ("n_eval", evaluations), seed=1)
    return (time.process_time() - began) / evaluations


def by_cma(evaluations: int) -> float:
    """Return the CPU time of an evaluation by cma [s]."""
    import cma  # noqa: PLC0415

    began, done = time.process_time(), 0
    search = cma.CMAEvolutionStrategy([0.5, 0.5], 0.3, {"bounds": [0.0, 1.0], "verbose": -9, "seed": 1, "popsize": 20})
    while done < evaluations:
        asked = search.ask()
        search.tell(asked, [-distance(*(LOW + (HIGH - LOW) * np.asarray(u)).tolist()) for u in asked])
        done += len(asked)
    return (time.process_time() - began) / done


RIVALS: dict[str, Callable[[int], float]] = {"pymoo": by_pymoo, "cma": by_cma}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer settings")
    quick = parser.parse_args().quick
    generations, evaluations = (10, 40) if quick else (100, 200)
    ours(2, None)  # compiles, and imports
    spent, value = min(ours(generations, None) for _ in range(1 if quick else 3))
    folder = tempfile.mkdtemp()
    with_folder, _ = ours(generations, f"{folder}/search")
    shutil.rmtree(folder)
    n = 40 * generations
    print(f"hybridsim, {n:,} settings        {spent:6.3f} s, {1e6 * spent / n:8.1f} us each, {value:.4f} m")
    print(f"the same, with its folder     {with_folder:6.3f} s, {1e6 * with_folder / n:8.1f} us each")
    for runs in (1, 10):
        print(f"besides runs, {runs:2} searches of 40         {beside(runs):8.1f} us each")
    for name, evaluate in RIVALS.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name} and solve_ivp              is not installed")
            continue
        each = evaluate(evaluations)
        ratio = each * n / spent
        print(f"{name:5} and solve_ivp, {evaluations} settings    {1e6 * each:10.0f} us each, {ratio:6.0f} times ours")


if __name__ == "__main__":
    main()
