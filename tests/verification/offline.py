"""What `verify` accepts: honest runs of whole families, and runs of which a single number is changed.

    python tests/verification/offline.py honest slide 40     # rejected runs among 40 slides
    python tests/verification/offline.py changes 20          # accepted changes, 20 numbers of each array of each run

Too long for `make test`, which does the same for a few runs.
"""

import dataclasses
import sys
import time
from collections import Counter

import numpy as np
from alterations import arrays, with_array
from families import members
from small_runs import RUNS, make_run

from hybridsim.verification import Report, verify
from hybridsim.verification.api import check_all
from hybridsim.verification.evaluator import make_evaluator


def honest(family, n, seed=1):
    """Print each run that is rejected."""
    rejected, began = 0, time.process_time()
    for what, model, run in members(family, np.random.default_rng(seed), n):
        report = verify(run, model)
        if not report.ok:
            rejected += 1
            print(what, run.status.name, *report.lines(4), sep="\n    ", flush=True)
    print(f"{family}: {rejected} of {n} rejected, {time.process_time() - began:.0f} s of CPU time")


def changes(numbers, seed=1):
    """Print each change of a single number that is accepted, unless it is smaller than what counts as zero."""
    rng, accepted, tried, small = np.random.default_rng(seed), Counter(), Counter(), 0
    runs = [(what, *make_run(what)) for what in RUNS]
    for what, model, run in [*runs, *members("hexapod", np.random.default_rng(seed), 1)]:
        evaluator = make_evaluator(run, model)
        for name, values in arrays(run).items():
            if values.dtype.kind == "U" or not values.size:
                continue
            for place in sample(rng, values, numbers):
                for way, changed in changed_numbers(values, place):
                    altered = values.copy()
                    altered[place] = changed
                    tried[name, way] += 1
                    report = Report(run.model_name, 0, 0)
                    check_all(dataclasses.replace(evaluator, run=with_array(run, name, altered)), report)
                    if report.ok and abs(changed - values[place]) <= evaluator.config.engine.stop_precision:
                        small += 1
                    elif report.ok:
                        accepted[name, way] += 1
                        print(
                            f"{what}: {name}{list(map(int, place))}, {way}: {values[place]!s} -> {changed!s}",
                            flush=True,
                        )
    print(f"{sum(tried.values())} changes: {small} within stop_precision accepted, and {sum(accepted.values())} others")
    for key, n in sorted(accepted.items()):
        print(f"    {key[0]}, {key[1]}: {n} of {tried[key]}")


def sample(rng, values, n):
    """n places in an array, those of numbers other than 0 first."""
    places = np.argwhere(np.ones(values.shape, bool))
    order = rng.permutation(len(places))
    order = order[np.argsort([values[tuple(places[k])] == 0 for k in order], kind="stable")]
    return [tuple(places[k]) for k in order[:n]]


def changed_numbers(values, place):
    """A number changed in several ways: (way, number)."""
    value = values[place]
    if values.dtype.kind == "b":
        return [("the other answer", not value)]
    if values.dtype.kind != "f":
        return [("one more", value + 1), ("one less", value - 1), *neighbour(values, place)]
    size = np.nanmax(abs(values)) if np.isfinite(values).any() else 1.0
    ways = [
        ("by 1e-3", value * 1.001),
        ("turned round", -value),
        ("zero", 0.0),
        ("off by 1e-3 of all", value + 1e-3 * size),
    ]
    ways = [(way, changed) for way, changed in [*ways, *neighbour(values, place)] if not same(value, changed)]
    return [*ways, ("not a number", np.nan)] if np.isfinite(value) else [("a number", 1e-3 * size)]


def neighbour(values, place):
    """The number of the next row."""
    row = place[0] + 1 if values.ndim and place[0] + 1 < len(values) else None
    if row is None or same(values[row, *place[1:]], values[place]):
        return []
    return [("the next one's", values[row, *place[1:]])]


def same(a, b):
    """Whether two numbers are equal but for their last digits."""
    return bool(a == b or abs(a - b) <= 1e-15 * abs(a) or (np.isnan(a) and np.isnan(b)))


if __name__ == "__main__":
    if sys.argv[1] == "honest":
        honest(sys.argv[2], *map(int, sys.argv[3:]))
    else:
        changes(*map(int, sys.argv[2:]))
