"""Engines as C++ programs use them: the drivers of the folder cpp, compiled against what Python packages bring.

The libraries in wheels come without headers; the drivers declare what they call. Python calls a driver once for all
strides.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.metadata import files
from pathlib import Path
from typing import Any

import gait
import slip

FOLDER = Path(__file__).parent / "cpp"
RUNNER = (slip.MASS, slip.LENGTH, slip.GRAVITY, slip.STIFFNESS, slip.TOUCHDOWN_HEIGHT, slip.AHEAD)
ENDLESS = 1 << 40

if shutil.which("g++") is None:
    raise ImportError("g++ is needed")


def library(package: str, name: str) -> Path:
    """Find a shared library in a wheel."""
    found = next(file for file in files(package) or () if file.name.startswith(f"lib{name}-"))
    return Path(str(found.locate()))


def driver(source: str, *options: str, libraries: tuple[Path, ...] = ()) -> Any:
    """Compile a driver for this machine."""
    target = Path(tempfile.mkdtemp()) / "driver.so"
    flags = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", *options]
    linked = [*map(str, libraries), *(f"-Wl,-rpath,{folder}" for folder in {path.parent for path in libraries})]
    subprocess.run(["g++", *flags, "-o", str(target), str(FOLDER / source), *linked], check=True)
    compiled = ctypes.CDLL(str(target))
    compiled.run_runner.restype = compiled.run_compass_gait.restype = ctypes.c_long
    return compiled


def runner(driver: Any, *settings: Any, strides: int) -> Callable[[], slip.State]:
    """Prepare a run to a touchdown, with settings that a driver has of its own."""
    return partial(_run, driver.run_runner, RUNNER, settings, slip.START, strides, 10.0 * strides)


def walker(driver: Any, *settings: Any, strides: int) -> Callable[[], slip.State]:
    """Prepare some strides of the compass gait."""
    return partial(_run, driver.run_compass_gait, gait.PARAMETERS, settings, gait.START, ENDLESS, gait.end(strides))


def _run(
    run: Any, parameters: tuple[float, ...], settings: tuple[Any, ...], start: slip.State, events: int, end: float
) -> slip.State:
    x, p = (ctypes.c_double * 4)(*start), (ctypes.c_double * len(parameters))(*parameters)
    left = run(p, *settings, ctypes.c_long(events), ctypes.c_double(end), x)
    if left < 0 or 0 < left < ENDLESS // 2:
        raise ArithmeticError("the engine stopped before the end")
    return x[0], x[1], x[2], x[3]
