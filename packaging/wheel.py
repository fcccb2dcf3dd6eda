"""Build the wheel: the package with the compiled functions of the engine and of the bundled models.

    .venv/bin/python packaging/wheel.py                # ten minutes; `make wheel` does it

Functions are compiled by the commands that use them, with an empty cache; the files in it become the folder
`hybridsim/precompiled` of the wheel. Each file is named by a hash of all that its machine code depends on, so that none
is used for another function. At last the commands run again, now from the wheel, and must find every function in it.
The wheel is for one version of Python, since these hashes contain bytecode, and for the system and the kind of
processor on which it is built.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIGS = ROOT / "configs"
HYBRIDSIM = (sys.executable, "-m", "hybridsim")
SOURCES = ("hybridsim", "models", "configs", "pyproject.toml", "README.md", "LICENSE")
KINDS = ("engine", "bitcode", "functions", "keys")
"""The folders of the cache with object files, with the routines before they are optimised (`specialisation`), and with
what has been found in the sources. Left out are `dispatchers`, which numba reads, and `specialised`, which has the
routines for the sizes of single models."""

RUNS = (
    *("slip.yaml", "basics/*.yaml", "walkers/*.yaml", "wearable/stride.yaml"),
    *("hexapod/speed-2.yaml", "hexapod/held.yaml", "hexapod/steering.yaml"),
    *("biped/walk.yaml", "biped/stiff.yaml", "humanoid/walk-*.yaml", "humanoid/pushed.yaml"),
    "human3d/stand.yaml",
)
"""Configs of all bundled models with all bundled controllers, and with controllers in files, as users have them."""

SHORT_RUNS = ("stiff/*.yaml",)
"""Configs that are run to their own end, which comes soon."""

OTHERS = (
    "verify slip.h5",
    "verify relay.h5",  # it slides
    "sweep {configs}/sweeps/slip-steps-to-fall.yaml output.folder=sweep",
    *(f"linearize {{configs}}/{name}.yaml" for name in ("slip", "walkers/disk_feet", "walkers/kneed_walker")),
    "orbit find {configs}/walkers/orbits/compass_gait.yaml -o orbit.h5",
    "orbit find {configs}/walkers/orbits/simplest_walker.yaml -o orbit.h5",
)
"""Further commands, in the folder with the files of the runs."""

LINUX = "manylinux_2_28"
"""The tag of wheels for Linux. There is no shared library in one: LLVM looks up the functions that the compiled ones
call (`sin`, `pow`, `memcpy` ...) by their names, without versions, in the process that loads them, and they are older
than any glibc in use. So the oldest one is that of the wheels of numpy, llvmlite, h5py and pyarrow: 2.27 or 2.28."""


def configs() -> dict[Path, list[str]]:
    """Return every config that is run, with what makes its run shorter."""
    shorter = {RUNS: ["final_time=1"], SHORT_RUNS: []}
    return {
        config: overrides
        for patterns, overrides in shorter.items()
        for pattern in patterns
        for config in sorted(CONFIGS.glob(pattern))
    }


def run_commands(folder: Path, **environment: str) -> list[Path]:
    """Run all commands with an empty cache in this folder; returns the files of the functions that they compiled."""
    cache, runs = folder / "cache", folder / "runs"
    runs.mkdir(parents=True)
    commands = [["run", str(config), "output.folder=.", "--no-view", *shorter] for config, shorter in configs().items()]
    commands += [command.format(configs=CONFIGS).split() for command in OTHERS]
    given = os.environ | environment | {"HYBRIDSIM_CACHE_DIR": str(cache)}
    for command in commands:
        print("hybridsim", *command, flush=True)
        ended = subprocess.run(
            [*HYBRIDSIM, *command], cwd=runs, env=given, check=False, stdout=subprocess.DEVNULL, timeout=1800
        )
        if ended.returncode:
            sys.exit(f"hybridsim {' '.join(command)}: it must end with 0, and ended with {ended.returncode}")
    return sorted(file for kind in KINDS for file in cache.glob(f"*/{kind}/*.bin"))


def build(files: list[Path], source: Path, destination: Path) -> Path:
    """Build the wheel with these files in a copy of the sources, `source`; returns its path."""
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    for file in files:
        kept = source / "hybridsim" / "precompiled" / file.parent.name / file.name
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, kept)
    manual = source / "build" / "man" / "hybridsim.1"
    subprocess.run([sys.executable, ROOT / "docs" / "site" / "commands.py", manual], check=True, timeout=600)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_").replace("linux", LINUX, 1)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    options = f"--build-option=--plat-name={platform} --python-tag={python}"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
    ]
    made = source / "dist"
    subprocess.run(
        [*pip, "--wheel-dir", str(made), "--config-settings", options, "."], cwd=source, check=True, timeout=600
    )
    (wheel,) = made.glob("*.whl")
    destination.mkdir(exist_ok=True)
    return Path(shutil.copy(wheel, destination))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="where the wheel is written")
    destination = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as made:
        (source := Path(made) / "source").mkdir()
        wheel = build(run_commands(Path(made) / "compiling"), source, destination)
        zipfile.ZipFile(wheel).extractall(Path(made) / "installed")
        missing = run_commands(Path(made) / "checking", PYTHONPATH=str(Path(made) / "installed"))
    if missing:
        wheel.unlink()
        sys.exit(f"{wheel}: it would compile {len(missing)} functions again; were the sources edited meanwhile?")
    sizes = [info.file_size for info in zipfile.ZipFile(wheel).infolist() if "/precompiled/" in info.filename]
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")
    print(f"{len(sizes)} compiled functions in it, {sum(sizes) / 1e6:.1f} MB unpacked")


if __name__ == "__main__":
    main()
