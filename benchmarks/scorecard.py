"""Which events does each tool find, miss and invent? Cases with exact answers, stated to each in its own idiom.

    python benchmarks/scorecard.py [--tools hybridsim scipy ...] [--cases A T9 ...] [--write]

Tools that are not installed are columns that say so. Each tool runs in a process of its own, which is stopped and
started again when a case takes too long. `--write` renews the tables of docs/scorecard.md, where they are explained,
and benchmarks/results/scorecard.json. The cases, and one file per tool, stand in benchmarks/scorecard/.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import select
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scorecard import frames, probes, resets, runner, switching, table
from scorecard.case import Case, judge

FOLDER = Path(__file__).parent
DATA = FOLDER / "results" / "scorecard.json"
TOOLS = {
    "hybridsim": "hybridsim",
    "scipy": "scipy",
    "sundae": "CVODE",
    "diffrax": "diffrax",
    "drake": "Drake",
    "pathsim": "PathSim",
}
TOLERANCES = (1e-6, 1e-10)
CASES = {case.name: case for case in [*probes.CASES, *resets.CASES, *frames.CASES, *switching.CASES, *runner.CASES]}

PATIENCE = 60.0
"""A run that takes longer [s] is stopped, compiling included."""

QUICK = 0.5
"""A run that takes less [s] is timed three times."""


# In the tool's own process: a line of JSON for each run.


def work(tool: str, jobs: Sequence[Sequence[Any]]) -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a tool prints is no answer
    warnings.simplefilter("ignore")
    try:
        adapter = importlib.import_module(f"scorecard.with_{tool}")
    except ImportError as problem:
        print(json.dumps({"missing": str(problem)}), file=answers, flush=True)
        return
    about = {"name": adapter.NAME, "version": adapter.VERSION, "methods": adapter.METHODS, "machine": table.machine()}
    print(json.dumps(about), file=answers, flush=True)
    for name, method, rtol in jobs:
        print(json.dumps(run(adapter, CASES[name], method, rtol)), file=answers, flush=True)


def run(adapter: Any, case: Case, method: str, rtol: float) -> dict[str, Any]:
    """One run judged: what was found, what it took, or why there is nothing."""
    try:
        if adapter.COMPILES:
            adapter.prepare(case, method, rtol)()
        seconds = math.inf
        for _ in range(3):
            go = adapter.prepare(case, method, rtol)
            began = time.perf_counter()
            outcome = go()
            seconds = min(seconds, time.perf_counter() - began)
            if seconds > QUICK:
                break
    except Exception as problem:
        return {"crash": f"{type(problem).__name__}: {problem}"[:300]}
    verdict = judge(case, outcome, rtol)
    return asdict(verdict) | {
        "error": float(f"{verdict.error:.3g}"),
        "right": verdict.right,
        "calls": outcome.calls,
        "steps": outcome.steps,
        "seconds": float(f"{seconds:.3g}"),
        "note": outcome.note,
    }


# Here.


class Worker:
    """A tool's process, and the patience with it."""

    def __init__(self, tool: str, jobs: Sequence[Sequence[Any]]) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--worker", tool]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(jobs).encode())
        self.process.stdin.close()
        self.answers = self.process.stdout

    def answer(self, patience: float) -> dict[str, Any]:
        """The next answer; one that says `hang` or `crash` when there is none."""
        ready, _, _ = select.select([self.answers], [], [], patience)
        if not ready:
            self.stop()
            return {"hang": f"stopped after {patience:g} s"}
        line = self.answers.readline()
        if not line:
            return {"crash": f"the process ended with code {self.process.wait()}"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def ask(tool: str, names: Sequence[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Who the tool is, and its answer to every case with every method and tolerance."""
    worker = Worker(tool, [])
    about = worker.answer(10 * PATIENCE)
    worker.stop()
    if "name" not in about:
        return {"name": TOOLS[tool], "version": "not installed", "methods": [], **about}, []
    jobs = [(name, method, rtol) for name in names for method in about["methods"] for rtol in TOLERANCES]
    results = []
    for job, answer in zip(jobs, answers(tool, jobs), strict=True):
        results.append({"tool": tool, "case": job[0], "method": job[1], "rtol": job[2], **answer})
        print(f"\r{about['name']:24} {len(results):5} of {len(jobs)}  {job[0]:14}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return about, results


def answers(tool: str, jobs: Sequence[Any]) -> Iterator[dict[str, Any]]:
    done = 0
    while done < len(jobs):
        worker = Worker(tool, jobs[done:])
        worker.answer(10 * PATIENCE)
        while done < len(jobs):
            answer = worker.answer(5 * PATIENCE if tool == "diffrax" else PATIENCE)
            done += 1
            yield answer
            if "hang" in answer or answer.get("crash", "").startswith("the process ended"):
                break
        worker.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", nargs="+", default=list(TOOLS), choices=TOOLS)
    parser.add_argument("--cases", nargs="+", default=[""], help="beginnings of their names")
    parser.add_argument("--write", action="store_true", help="renew the files; columns of tools not asked stay")
    parser.add_argument("--worker", choices=TOOLS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker, json.load(sys.stdin))
        return
    if options.write and options.cases != [""]:
        parser.error("--write needs all cases")
    names = [name for name in CASES if name.startswith(tuple(options.cases))]
    tools, results = {}, []
    for tool in options.tools:
        tools[tool], of_tool = ask(tool, names)
        results += of_tool
    cases = [CASES[name] for name in names]
    card = {"tolerances": TOLERANCES, "tools": tools, "results": results}
    if options.write:
        card = table.with_earlier(card, list(TOOLS), DATA)
        table.write(card, cases, DATA, FOLDER.parent / "docs" / "scorecard.md")
    print(table.markdown(card, cases))


if __name__ == "__main__":
    main()
