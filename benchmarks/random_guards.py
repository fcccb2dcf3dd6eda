"""Search random guards with known roots, a million by default, and count what is lost and what is invented.

    python benchmarks/random_guards.py [N]

Every kind of guard, declared in each way that holds for it, begins at t = 0, 1e3, 1e6 and 1.7e9 s. Nothing may be lost
or invented, and each time must be right to one spacing of t (that of a leg also to the rounding of its length). Only
clusters (three to six roots within a tenth of a step, of a boundary of which nothing is declared) may lose roots; how
many is printed. The exit code is 1 otherwise.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import random_guards_model as guards

BEGINNINGS = (0.0, 1e3, 1e6, 1.7e9)
DECLARED = {
    "sampled": (guards.EIGHTHS, guards.FEW, guards.DIP, guards.LEG, guards.TONE, guards.CLUSTER),
    "exact": (guards.EIGHTHS, guards.DIP),
    "bounded": (guards.EIGHTHS, guards.DIP, guards.LEG, guards.TONE),
    "loose": (guards.EIGHTHS, guards.DIP, guards.LEG, guards.TONE),
}
NAMES = {
    guards.EIGHTHS: "roots at eighths",
    guards.FEW: "up to three roots",
    guards.DIP: "dips",
    guards.LEG: "leg lengths",
    guards.TONE: "tones",
    guards.CLUSTER: "clusters",
}


def main() -> int:
    n_guards = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    searches = [(chart, kind, begin) for chart, kinds in DECLARED.items() for kind in kinds for begin in BEGINNINGS]
    wrong = 0
    print("declared  kind                  begin    guards     roots   lost  invented  error in spacings of t   time")
    for seed, (chart, kind, begin) in enumerate(searches, start=1):
        started, n = time.perf_counter(), n_guards // len(searches)
        roots, lost, invented, error = guards.search(chart, kind, n, begin, seed)
        spacings, seconds = error / np.spacing(begin + n), time.perf_counter() - started
        print(
            f"{chart:8}  {NAMES[kind]:18} {begin:9g} {n:9,} {roots:9,} {lost:6,} {invented:9,} {spacings:10.2f}"
            f" {seconds:20.1f} s"
        )
        if kind != guards.CLUSTER:
            wrong += lost + invented + (error > guards.largest_error(kind, begin + n))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
