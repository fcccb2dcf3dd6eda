"""LSODA as a C++ program uses it: the translation in numbalsoda's source distribution, which pip downloads."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from rivals import drivers
from slip import Contender, State

VERSION = "0.3.4"


def sources() -> Path:
    """Download the sources, once for each process."""
    folder = Path(tempfile.mkdtemp())
    wanted = [f"numbalsoda=={VERSION}", "--no-deps", "--no-binary", "numbalsoda", "--dest", str(folder)]
    try:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *wanted], check=True)
    except subprocess.CalledProcessError as problem:
        raise ImportError(f"pip could not download numbalsoda {VERSION}") from problem
    with tarfile.open(next(folder.glob("numbalsoda*"))) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.glob("numbalsoda*/src"))


SOURCES = sources()


@cache
def driver() -> Any:
    return drivers.driver("lsoda.cpp", f"-I{SOURCES}", str(SOURCES / "LSODA.cpp"))


def prepare(model: Callable[..., Any], tolerance: float, strides: int) -> Callable[[], State]:
    return model(driver(), ctypes.c_double(tolerance), ctypes.c_double(0.01 * tolerance), strides=strides)


CONTENDERS, WALKERS = (
    [Contender("LSODA, C++", partial(prepare, model), strides=500, version=f"numbalsoda {VERSION}")]
    for model in (drivers.runner, drivers.walker)
)
