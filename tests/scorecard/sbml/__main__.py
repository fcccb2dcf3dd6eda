"""`python -m tests.scorecard.sbml FOLDER [CASE ...]`: a line per case, and a summary."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .running import Outcome, cases, try_case

SHORT = 0.5
"""Cases that are computed within this time [s] are not worth compiling."""


def run_all(folders: list[Path]) -> Iterator[Outcome]:
    """The outcomes as they come, on all cores.

    To compile a model takes far longer than to run most of them, so all are tried with the compiler off (the same
    source, interpreted), and only those that take long are compiled.
    """
    slow = []
    for folder, outcome in zip(folders, in_processes(folders, compiled=False), strict=True):
        if outcome.verdict == "slow":
            slow.append(folder)
        else:
            yield outcome
    yield from in_processes(slow, compiled=True)


def in_processes(folders: list[Path], *, compiled: bool) -> Iterator[Outcome]:
    """The outcomes in order; each process reads the environment when it starts."""
    os.environ["NUMBA_DISABLE_JIT"] = str(int(not compiled))
    limits = [None if compiled else SHORT] * len(folders)
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(try_case, folders, limits)


def summary(outcomes: list[Outcome]) -> str:
    """`251 cases: 200 pass, 0 fail, 51 refused`, and the refused features, the most frequent first."""
    verdicts = Counter(outcome.verdict for outcome in outcomes)
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("pass", "fail", "refused"))
    features = Counter(outcome.reason for outcome in outcomes if outcome.verdict == "refused")
    return "\n".join([f"{len(outcomes)} cases: {counts}", *(f"{n:5} {name}" for name, n in features.most_common())])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scorecard.sbml", description=__doc__)
    parser.add_argument("folder", type=Path, help="one folder per case, such as semantic/ of the suite")
    parser.add_argument("case", nargs="*", help="only these")
    arguments = parser.parse_args()
    folders = [folder for folder in cases(arguments.folder) if not arguments.case or folder.name in arguments.case]
    outcomes = []
    for outcome in run_all(folders):
        outcomes.append(outcome)
        print(f"{outcome.case} {outcome.verdict}{': ' * bool(outcome.reason)}{outcome.reason}", flush=True)  # noqa: T201
    print(summary(outcomes))  # noqa: T201
    return 1 if any(outcome.verdict == "fail" for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
