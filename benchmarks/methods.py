"""Which integration method is fastest for each bundled model, at equal errors: a work-precision diagram as a table.

A run's error is the largest error of a state at its end, in units of that state's largest size in the run. The
reference is dop853 at rtol 3e-14; errors are left out that it does not resolve. Each method gets tolerances from 1e-2
to 1e-12, three per decade; the work at a wanted error is interpolated between the runs whose errors are next to it.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hybridsim

CONFIGS = Path(__file__).parents[1] / "configs"
METHODS = ("dp5", "tsit5", "dop853", "rk4_adaptive")
ERRORS = (1e-3, 1e-5, 1e-7, 1e-9)
TOLERANCES = 10.0 ** -np.arange(2.0, 12.01, 1.0 / 3.0)
ATOL_SHARE = 1e-2
"""atol over rtol, as in the default settings."""
REFERENCE = {"engine.method": "dop853", "engine.rtol": 3e-14, "engine.atol": 3e-16}
FLOOR = 10.0
"""An error counts if it is this many times the difference of two references."""
REST = 1e-9
"""Largest size of a state that stays at zero but for rounding, and does not count."""

CASES = {
    "slip": ("slip.yaml", {"final_time": 3.0}),
    "bilinear oscillator": ("basics/bilinear_oscillator.yaml", {}),
    "impact oscillator": ("basics/impact_oscillator.yaml", {"final_time": 20.0}),
    "stick-slip": ("basics/stick_slip.yaml", {}),
    "two walls": ("basics/two_walls.yaml", {}),
    "simplest walker": ("walkers/simplest_walker.yaml", {"final_time": 10.0}),
    "compass gait": ("walkers/compass_gait.yaml", {"final_time": 5.0}),
    "kneed walker": ("walkers/kneed_walker.yaml", {"final_time": 5.0}),
    "disk feet": ("walkers/disk_feet.yaml", {"final_time": 3.0}),
    "double pendulum": ("multibody/double_pendulum.yaml", {"final_time": 3.0}),
    "four-bar linkage": ("multibody/four_bar.yaml", {"final_time": 3.0}),
    "rolling disk": ("multibody/rolling_disk.yaml", {"final_time": 3.0}),
    "hexapod": ("hexapod/speed-2.yaml", {"final_time": 1.0}),
    "hexapod, Coulomb": ("hexapod/coulomb.yaml", {"final_time": 0.5}),
    "biped, walk": ("biped/walk.yaml", {"final_time": 3.0}),
}
"""Name: config and changes; runs short enough that errors do not grow without bounds."""


@dataclass(frozen=True)
class Work:
    """A run: its error, its computing time [s] and its evaluations of the vector field."""

    error: float
    seconds: float
    calls: int


def run_of(case: str, rounds: int = 1, **engine: object) -> tuple[hybridsim.Trajectory, float]:
    """Return a run, and the least of its computing times [s]."""
    path, changes = CASES[case]
    values = changes | {"record": "false"} | {key.replace("__", "."): value for key, value in engine.items()}
    config = hybridsim.load_config(str(CONFIGS / path), [f"{key}={value}" for key, value in values.items()])
    runs = [hybridsim.Simulation.from_config(config).run() for _ in range(rounds)]
    return runs[0], min(float(run.statistics["wall_time"]) for run in runs)


def measure(case: str, method: str, reference: np.ndarray, scale: np.ndarray, rounds: int) -> list[Work]:
    """Run a case by one method at all tolerances."""
    works = []
    for rtol in TOLERANCES:
        engine = {"engine__method": method, "engine__rtol": rtol, "engine__atol": ATOL_SHARE * rtol}
        run, seconds = run_of(case, rounds, **engine)
        error = float(np.max(abs(run.x[-1] - reference) / scale)) if run.status.ok else math.inf
        works.append(Work(error, seconds, int(run.statistics["vector_field_calls"])))
    return works


def at_error(works: list[Work], error: float, name: str) -> float:
    """Return the work at an error, between the last run above it and the first from which on all are below; or nan."""
    above = [k for k, work in enumerate(works) if not work.error <= error]
    first = max(above, default=-1) + 1
    if first >= len(works):
        return math.nan
    after = works[first]
    if first == 0 or not math.isfinite(works[first - 1].error):
        return float(getattr(after, name))
    before = works[first - 1]
    share = math.log(before.error / error) / math.log(before.error / max(after.error, 1e-300))
    return float(getattr(before, name) ** (1.0 - share) * getattr(after, name) ** share)


def compare(case: str, rounds: int) -> dict[str, dict[float, tuple[float, float]]]:
    """Return the seconds and the field calls of each method at each error that the references allow."""
    best = {key.replace(".", "__"): value for key, value in REFERENCE.items()}
    run, _ = run_of(case, **best)
    other, _ = run_of(case, **(best | {"engine__rtol": 1e-13, "engine__atol": 1e-15}))
    scale = np.max(abs(run.x), axis=0)
    scale[scale < REST] = np.inf
    floor = FLOOR * float(np.max(abs(run.x[-1] - other.x[-1]) / scale))
    found: dict[str, dict[float, tuple[float, float]]] = {}
    for method in METHODS:
        works = measure(case, method, run.x[-1], scale, rounds)
        found[method] = {
            error: (at_error(works, error, "seconds"), at_error(works, error, "calls"))
            for error in ERRORS
            if error > floor
        }
    return found


def print_table(results: dict[str, dict[str, dict[float, tuple[float, float]]]], kind: int, title: str) -> None:
    """Print, for each case and error, the work of each method over that of dp5; and the geometric means."""
    print(f"\n{title}, over that of dp5\n\n{'':22}{'error':>8}" + "".join(f"{method:>14}" for method in METHODS[1:]))
    logs: dict[tuple[float, str], list[float]] = {}
    for case, found in results.items():
        for error in found["dp5"]:
            ratios = [found[method][error][kind] / found["dp5"][error][kind] for method in METHODS[1:]]
            print(f"{case:22}{error:8.0e}" + "".join(f"{ratio:14.2f}" for ratio in ratios))
            for method, ratio in zip(METHODS[1:], ratios, strict=True):
                if math.isfinite(ratio):
                    logs.setdefault((error, method), []).append(math.log(ratio))
    for error in ERRORS:
        means = [math.exp(float(np.mean(logs.get((error, method), [math.nan])))) for method in METHODS[1:]]
        print(f"{'geometric mean':22}{error:8.0e}" + "".join(f"{mean:14.2f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", default=list(CASES), help=f"by default all of: {', '.join(CASES)}")
    parser.add_argument("--quick", action="store_true", help="one round instead of five")
    given = parser.parse_args()
    results = {}
    for case in given.cases:
        results[case] = compare(case, 1 if given.quick else 5)
        print(f"{case} done", flush=True)
    print_table(results, 1, "Evaluations of the vector field")
    print_table(results, 0, "Computing time")


if __name__ == "__main__":
    main()
