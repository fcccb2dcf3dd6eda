"""What commands cost besides computing: processor time of whole processes, warm and with an empty cache.

    .venv/bin/python benchmarks/start.py            # two minutes, most of it the empty cache; --quick: without it
    .venv/bin/python benchmarks/start.py --wheel dist/hybridsim-*.whl    # first runs of what the wheel installs

The processes run in turn, round after round; the lower quartile is printed, since other programs only add to it.
"""

import argparse
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

CONFIGS = Path(__file__).parents[1] / "configs"
ROUNDS = 12
HYBRIDSIM = (sys.executable, "-m", "hybridsim")
COMMANDS = {
    "python": (sys.executable, "-c", "pass"),
    "numpy": (sys.executable, "-c", "import numpy"),
    "packages": (sys.executable, "-c", "import numpy, pydantic, yaml, typer, rich.console, h5py, llvmlite.binding"),
    "hybridsim --help": (*HYBRIDSIM, "--help"),
    "hybridsim run slip.yaml": (*HYBRIDSIM, "run", CONFIGS / "slip.yaml", "output.folder=runs"),
    "hybridsim sweep, 10,000 runs": (*HYBRIDSIM, "sweep", CONFIGS / "sweeps" / "slip-steps-to-fall.yaml"),
}


def seconds(command, folder, cache):
    """Processor time of a process and its threads [s]; byte code is kept, as it is on a user's machine."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for old in (folder / "slip-steps-to-fall").glob("*"):
        old.unlink()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment["HYBRIDSIM_CACHE_DIR"] = str(cache)
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


FIRST_RUNS = ("slip.yaml", "hexapod/speed-2.yaml", "hexapod/steering.yaml", "biped/walk.yaml")


def install(wheel, folder):
    """Install a wheel into a new environment, which borrows all other packages from this one."""
    venv.create(folder, with_pip=False)
    python = folder / Path(sys.executable).relative_to(sys.prefix)
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel], check=True)
    (packages,) = folder.rglob("site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return python.with_name("hybridsim")


def first_runs(wheel):
    """Print the processor time of runs with an empty cache, byte code compiled, and of the next one of each."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        hybridsim = install(wheel.resolve(), folder / "environment")
        seconds((hybridsim, "check", CONFIGS / "slip.yaml"), folder, folder / "cache")
        for number, config in enumerate(FIRST_RUNS):
            command = (hybridsim, "run", CONFIGS / config, "output.folder=runs", "--no-view")
            first, second = (seconds(command, folder, folder / f"cache{number}") for _ in range(2))
            print(f"{config:32} first {first:.2f} s, second {second:.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--wheel", type=Path, help="the wheel that `make wheel` has built")
    given = parser.parse_args()
    if given.wheel:
        first_runs(given.wheel)
    else:
        commands(given.quick)


def commands(quick):
    """Print the processor time of each command, and before that of the first run with an empty cache."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        kept = os.environ.get("HYBRIDSIM_CACHE_DIR", Path.home() / ".cache" / "hybridsim")
        cache = Path(kept) if quick else folder / "cache"
        if not quick:
            first = seconds(COMMANDS["hybridsim run slip.yaml"], folder, cache)
            print(f"{'the first run, empty cache':32} {first:.1f} s")
        times = {name: [] for name in COMMANDS}
        for _ in range(ROUNDS + 1):
            for name, command in COMMANDS.items():
                times[name].append(seconds(command, folder, cache))
    for name, taken in times.items():
        print(f"{name:32} {sorted(taken[1:])[ROUNDS // 4]:.3f} s")  # the first round compiles what is missing


if __name__ == "__main__":
    main()
