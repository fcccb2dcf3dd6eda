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

import slip

FOLDER = Path(__file__).parent / "cpp"
RUNNER = (slip.MASS, slip.LENGTH, slip.GRAVITY, slip.STIFFNESS, slip.TOUCHDOWN_HEIGHT, slip.AHEAD)

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
    compiled.run_runner.restype = ctypes.c_long
    return compiled


def runner(driver: Any, *settings: Any, strides: int) -> Callable[[], slip.State]:
    """Prepare a run to a touchdown, with settings that a driver has of its own."""
    return partial(_run, driver, settings, strides)


def _run(driver: Any, settings: tuple[Any, ...], strides: int) -> slip.State:
    x, p = (ctypes.c_double * 4)(*slip.START), (ctypes.c_double * len(RUNNER))(*RUNNER)
    if driver.run_runner(p, *settings, ctypes.c_long(strides), ctypes.c_double(10.0 * strides), x) != 0:
        raise ArithmeticError("the engine stopped before the last touchdown")
    return x[0], x[1], x[2], x[3]
