"""How fast are sweeps? The steps-to-fall map of a runner: the layer around the engine, threads, and C by hand.

    python benchmarks/sweep.py [--quick]

All in one run and interleaved, because machines are noisy; the smallest times count, and of ratios those within one
round. `--quick` takes the map of 10,000 runs only, without it that of a million follows, by the layer and by the bare
loop alone; the benchmark fails if the layer costs more than a tenth. docs/benchmarks.md explains the table.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import slip
from engine import c_library, processor
from numpy.typing import NDArray

from hybridsim.config.sweep import SweepConfig, load_sweep_config
from hybridsim.sweeps import load_sweep, run_sweep
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.plan import Plan

FOLDER = Path(__file__).parent
CONFIG = FOLDER.parent / "configs" / "sweeps" / "slip-steps-to-fall.yaml"
MILLION = ("sweep.axes.k=linspace(0, 50e3, 1000)", "sweep.axes.touchdown_angle=linspace(-50 deg, -10 deg, 1000)")
THREADS = len(os.sched_getaffinity(0))
MOST = 24
MOST_LAYER = 1.1
"""What a million runs may take with everything around the engine, in units of the engine alone."""

Timed = Callable[[], Any]


def bare_loop(config: SweepConfig, threads: int) -> Timed:
    """The compiled loop over the plan's blocks, and nothing else: no table, no files."""
    plan, stop = Plan(config), np.zeros(1, np.int64)
    workers = [BatchRunner(config) for _ in range(threads)]
    values = [plan.values(block.first, block.end) for block in plan]

    def work(worker: BatchRunner, mine: Iterator[Any]) -> None:
        for block in mine:
            worker.run(block, stop)

    def go() -> None:
        waiting = iter(values)  # a list's iterator is safe to share
        team = [threading.Thread(target=work, args=(worker, waiting)) for worker in workers]
        for thread in team:
            thread.start()
        for thread in team:
            thread.join()

    return go


def whole_layer(config: SweepConfig, threads: int) -> Timed:
    """What `hybridsim sweep` does once it has read its config."""

    def go() -> None:
        with tempfile.TemporaryDirectory() as folder:
            run_sweep(config, Path(folder) / "map", workers=threads)

    return go


def in_c(config: SweepConfig) -> Callable[[], NDArray[np.int64]]:
    """The same map by slip.c, events at step ends, on one thread: touchdowns of every run."""
    plan = Plan(config)
    values = plan.values(0, plan.n_rows)
    p = np.tile([slip.MASS, slip.LENGTH, slip.GRAVITY, 0.0, 0.0], (plan.n_rows, 1))
    p[:, 3], p[:, 4] = values["parameters.k"], values["initial.touchdown_angle"]
    touchdowns = np.zeros(plan.n_rows, np.int64)
    start, engine = (ctypes.c_double * 4)(*slip.START), config.run.engine
    library, number = c_library(False), ctypes.c_double

    def go() -> NDArray[np.int64]:
        library.map(
            p.ctypes.data_as(ctypes.c_void_p), plan.n_rows, ctypes.c_long(MOST), number(engine.rtol),
            number(engine.atol), start, touchdowns.ctypes.data_as(ctypes.c_void_p),
        )  # fmt: skip
        return touchdowns

    return go


def in_turn(contenders: dict[str, Timed], rounds: int) -> dict[str, NDArray[np.float64]]:
    """The times of each [s], (rounds,); every other round goes backwards, so that none always comes first."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(rounds):
        for name in [*contenders][:: -1 if turn % 2 else 1]:
            began = time.perf_counter()
            contenders[name]()
            times[name].append(time.perf_counter() - began)
    return {name: np.array(seconds) for name, seconds in times.items()}


def compare(config: SweepConfig, rounds: int) -> dict[str, float]:
    """The smallest time of every contender [s]."""
    contenders = {
        "bare": bare_loop(config, THREADS),
        "layer": whole_layer(config, THREADS),
        "bare, one thread": bare_loop(config, 1),
        "layer, one thread": whole_layer(config, 1),
        "C, one thread": in_c(config),
    }
    times = smallest(config, in_turn(contenders, rounds))
    print(f"\nlayer / bare: {times['layer'] / times['bare']:.3f}")
    print(f"one thread / {THREADS} threads: {times['layer, one thread'] / times['layer']:.2f}")
    print(f"hybridsim / C, both on one thread: {times['bare, one thread'] / times['C, one thread']:.2f}")
    return times


def compare_the_layer(config: SweepConfig, rounds: int) -> dict[str, float]:
    """The smallest times of the layer and of the bare loop [s], and what the one costs in units of the other.

    The ratio is taken within each round, whose two halves find the machine in much the same state; the median counts.
    """
    each = in_turn({"bare": bare_loop(config, THREADS), "layer": whole_layer(config, THREADS)}, rounds)
    times = smallest(config, each)
    ratio = float(np.median(each["layer"] / each["bare"]))
    print(f"\nlayer / bare, the median of {rounds} rounds: {ratio:.3f} (at most {MOST_LAYER})")
    return {**times, "layer / bare": ratio}


def smallest(config: SweepConfig, times: dict[str, NDArray[np.float64]]) -> dict[str, float]:
    """Print the table of the smallest times, and return them."""
    n, best = Plan(config).n_rows, {name: float(seconds.min()) for name, seconds in times.items()}
    print(f"\n{n:,} runs, {THREADS} threads, best of {len(times['bare'])}\n")
    for name, seconds in best.items():
        print(f"{name:20}{seconds:9.3f} s{1e6 * seconds / n:9.2f} us/run")
    return best


def check_against_c(config: SweepConfig) -> float:
    """The share of runs in which hybridsim and C count other steps: chaos may make another of a last digit."""
    with tempfile.TemporaryDirectory() as folder:
        run_sweep(config, Path(folder) / "map")
        ours = load_sweep(Path(folder) / "map").table["steps"].to_numpy()
    share = float(np.mean(ours != in_c(config)()))
    assert share < 1e-3, f"hybridsim and C disagree in {share:.1%} of the runs"
    return share


def whole_command(*overrides: str) -> tuple[float, float]:
    """Seconds of `hybridsim sweep` from start to end, and the largest memory of any such process so far [MB]."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hybridsim", "sweep", str(CONFIG), f"output.folder={folder}/map", *overrides]
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="10,000 runs only")
    quick = parser.parse_args().quick
    config = load_sweep_config(CONFIG)
    results: dict[str, Any] = {"processor": processor(), "threads": THREADS}
    results["10,000 runs"] = compare(config, rounds=10)
    results["disagree with C"] = check_against_c(config)
    results["whole command [s]"] = min(whole_command()[0] for _ in range(5))
    print(f"share of runs in which C counts other steps: {results['disagree with C']:.2%}")
    print(f"the whole command, start-up included: {results['whole command [s]']:.2f} s (meant to be at most 3)")
    if not quick:
        results["1,000,000 runs"] = compare_the_layer(load_sweep_config(CONFIG, MILLION), rounds=5)
        seconds, memory = whole_command(*MILLION)
        results["whole command, a million [s]"], results["memory [MB]"] = seconds, memory
        print(f"the whole command: {seconds:.1f} s, {memory:.0f} MB (meant to be less than 1000)")
    (FOLDER / "results").mkdir(exist_ok=True)
    (FOLDER / "results" / "sweep.json").write_text(json.dumps(results, indent=2) + "\n")
    if not quick:
        ratio = results["1,000,000 runs"]["layer / bare"]
        assert ratio <= MOST_LAYER, f"the layer takes {ratio:.3f} times as long as the bare loop"


if __name__ == "__main__":
    main()
