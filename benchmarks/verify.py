"""What `verify` costs beside the run that it checks: CPU time of both, and the most memory.

Run it with: python benchmarks/verify.py [CONFIG ...] [KEY=VALUE ...]

The configs are those of `configs` that are recorded by period, unless some are given. Each has processes of its own; a
first pass compiles. `allowed` is ten times the computing time of the run and a second.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hybridsim import Simulation, load_config, verify

ROOT = Path(__file__).parents[1]


def run(config: str, folder: str, *overrides: str) -> None:
    """Print the CPU time of a run [s], the better of two, and write its file."""
    seconds = []
    for _ in range(2):
        simulation = Simulation.from_config(load_config(config, list(overrides)))
        began = time.process_time()
        trajectory = simulation.run()
        seconds.append(time.process_time() - began)
    trajectory.save(Path(folder, "run.h5"))
    print(min(seconds))


def check(file: str) -> None:
    """Print the CPU time of `verify` [s], when it is compiled, the most memory [MB] and whether the run is accepted."""
    verify(file)
    began = time.process_time()
    report = verify(file)
    print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, report.ok)


def in_process(*arguments: str) -> list[str]:
    """What this script prints in a process of its own."""
    command = [sys.executable, __file__, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def main(arguments: list[str]) -> None:
    """Print a line for each config."""
    overrides = [argument for argument in arguments if "=" in argument]
    configs = [argument for argument in arguments if "=" not in argument]
    configs = configs or [str(path) for path in sorted(ROOT.glob("configs/*/*.yaml")) if "{period:" in path.read_text()]
    print(f"{'config':26} {'run, s':>8} {'verify, s':>10} {'of allowed':>11} {'MB':>6}")
    for config in configs:
        with tempfile.TemporaryDirectory() as folder:
            took = float(in_process("run", config, folder, *overrides)[0])
            seconds, memory, ok = in_process("check", f"{folder}/run.h5")
        share = float(seconds) / (10.0 * took + 1.0)
        verdict = "" if ok == "True" else "  rejected"
        print(f"{Path(config).stem:26} {took:8.2f} {float(seconds):10.2f} {share:11.2f} {float(memory):6.0f}{verdict}")


if __name__ == "__main__":
    if sys.argv[1:2] in (["run"], ["check"]):
        globals()[sys.argv[1]](*sys.argv[2:])
    else:
        main(sys.argv[1:])
