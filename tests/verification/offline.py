"""What `verify` accepts: honest runs of whole families, and runs of which a single number is changed.

    python tests/verification/offline.py honest slide 40     # rejected runs among 40 slides
    python tests/verification/offline.py changes 300         # accepted changes, of 300 single numbers of small runs

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


def changes(wanted=300, minutes=8.0, seed=1):
    """Change single numbers, each of an array of a run chosen at random, and print each change that is accepted.

    Changes smaller than what counts as zero are counted apart. It ends after `minutes`, if that comes first.
    """
    rng, accepted, tried = np.random.default_rng(seed), Counter(), Counter()
    runs = [(what, *make_run(what)) for what in RUNS]
    evaluators = [(what, make_evaluator(run, model)) for what, model, run in runs]
    began = said = time.monotonic()
    while sum(tried.values()) < wanted and time.monotonic() - began < 60.0 * minutes:
        what, evaluator = evaluators[rng.integers(len(evaluators))]
        known = {
            name: values for name, values in arrays(evaluator.run).items() if values.dtype.kind != "U" and values.size
        }
        name = sorted(known)[rng.integers(len(known))]
        place = sample(rng, known[name], 1)[0]
        ways = changed_numbers(known[name], place)
        way, changed = ways[rng.integers(len(ways))]
        verdict = judge(evaluator, name, known[name], place, changed)
        tried[name, way] += 1
        accepted[name, way, verdict] += verdict != "rejected"
        if verdict == "accepted":
            print(f"{what}: {name}{list(map(int, place))}, {way}: {known[name][place]!s} -> {changed!s}", flush=True)
        if time.monotonic() - said > 30.0:
            said = time.monotonic()
            print(f"... {sum(tried.values())} of {wanted}, {said - began:.0f} s", flush=True)
    count = Counter(verdict for _, _, verdict in accepted.elements())
    print(f"{sum(tried.values())} changes in {time.monotonic() - began:.0f} s: {dict(count)}")
    for (name, way, verdict), n in sorted(accepted.items()):
        if verdict == "accepted":
            print(f"    {name}, {way}: {n} of {tried[name, way]}")


def judge(evaluator, name, values, place, changed):
    """What becomes of a run with one number changed."""
    altered = values.copy()
    altered[place] = changed
    report = Report(evaluator.run.model_name, 0, 0)
    check_all(dataclasses.replace(evaluator, run=with_array(evaluator.run, name, altered)), report)
    if not report.ok:
        return "rejected"
    return "small" if abs(changed - values[place]) <= evaluator.config.engine.stop_precision else "accepted"


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
