"""The engine compiled again for the shape of a run, in the background, and used as soon as it is.

The engine is compiled once for all models. What it takes a quarter of its time for, in a small model, is not knowing
their sizes. So another process compiles the routines with the sizes as constants (`compiler.shape`) when runs of one
shape have taken some time, and keeps them in the cache for all later runs. Their results are the same to the last bit,
so that a run can change from one engine to the other between two calls.

    python -m hybridsim.engine.specialisation SHAPE KEY...     # that process
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import RLock

import numpy as np

from hybridsim.engine.compiler.cache_folder import cache_root, is_temporary
from hybridsim.engine.compiler.object_file import (
    LoadedFunction,
    bitcode_of,
    cached_path,
    file_of,
    load,
    read_object,
    write_object,
)
from hybridsim.engine.compiler.options import numba_setting
from hybridsim.engine.compiler.shape import constant_functions
from hybridsim.engine.compiler.target import OPTIMISATION
from hybridsim.engine.settings import SETTINGS_DTYPE
from hybridsim.typing import IntArray

VARIABLE = "HYBRIDSIM_SPECIALISE"
"""The environment variable that, if it is 0, keeps the engine from being compiled in the background."""

PATIENCE = 2.0
"""Computing time of runs of one shape after which the engine is compiled for it [s]: as long as that takes."""

KIND = "specialised"
"""The folder of the cache with the routines of all shapes."""

NICENESS = 10
"""By how much the process that compiles stands back for others."""


class SpecialisedEngine:
    """The engine's routines for one shape.

    Parameters
    ----------
    shape : bytes
        The settings of the shape: `shape_of`.
    keys : tuple of str
        The names of the files of the routines for all shapes.

    Attributes
    ----------
    addresses : (n,) int array or None
        The addresses of the routines, in their order; None as long as they are not compiled.
    """

    def __init__(self, shape: bytes, keys: tuple[str, ...]) -> None:
        self.addresses: IntArray | None = None
        self._shape, self._keys = shape, keys
        self._seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = RLock()
        self._loaded: list[LoadedFunction] = []
        self._may_be_compiled = _is_wanted()
        if self._may_be_compiled:
            self._load()

    def count(self, seconds: float) -> None:
        """Count computing time [s] of the engine for all shapes; let the routines be compiled, or load them, if due."""
        if self.addresses is not None or not self._may_be_compiled:
            return
        with self._lock:
            self._seconds += seconds
            if self._process is not None:
                if self._process.poll() is not None:
                    self._load()
                    self._may_be_compiled, self._process = False, None
            elif self._seconds > PATIENCE:
                self._start()

    def wait(self, timeout: float) -> bool:
        """Compile the routines, if they are not, and wait until they are; returns whether they are.

        Parameters
        ----------
        timeout : float
            Time after which to give up [s].
        """
        self.count(PATIENCE + 1.0)
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout)
        self.count(0.0)
        return self.addresses is not None

    def _start(self) -> None:
        # -P: a file in the current folder named as one of our modules must not be executed.
        command = [sys.executable, "-P", "-m", __name__, self._shape.hex(), *self._keys]
        none = subprocess.DEVNULL
        try:
            # In a session of its own, so that Ctrl-C, which is meant for the run, leaves it alone.
            self._process = subprocess.Popen(command, stdin=none, stdout=none, stderr=none, start_new_session=True)
            atexit.register(_let_go, self._process)
        except OSError:  # no further process is allowed: the engine for all shapes goes on
            self._may_be_compiled = False

    def _load(self) -> None:
        """Load the routines from the cache, if all are there."""
        loaded = []
        for key in self._keys:
            code = read_object(cached_path(_file(key, self._shape)))
            function = None if code is None else load(code)
            if function is None:
                return
            loaded.append(function)
        self._loaded = loaded
        self.addresses = np.array([function.address for function in loaded], np.int64)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Let a process outlive this one without Python's warning that nobody waits for it."""
    if process.poll() is None:
        process.returncode = 0


@cache
def specialised_engine(shape: bytes, keys: tuple[str, ...]) -> SpecialisedEngine:
    """Return the engine for a shape, one and the same in a process; for the parameters see `SpecialisedEngine`."""
    return SpecialisedEngine(shape, keys)


def compile_routines(shape: bytes, keys: tuple[str, ...]) -> None:
    """Compile the routines with these names for a shape, into the cache.

    Raises
    ------
    LookupError
        If there is no bitcode of a routine.
    RuntimeError
        If this version of LLVM does not understand it.
    """
    from hybridsim.engine.compiler.optimisation import compiled

    constants = constant_functions(shape)
    for key in keys:
        found = bitcode_of(key)
        if found is None:
            raise LookupError(key)
        symbol, bitcode = found
        write_object(cached_path(_file(key, shape)), compiled(symbol, bitcode, constants))


def _file(key: str, shape: bytes) -> Path:
    return file_of(f"{key}-{hashlib.sha256(shape).hexdigest()[:16]}", KIND)


def _is_wanted() -> bool:
    """Return whether the engine may be compiled here.

    By a Python that is no other program, for a cache that outlives this process, and as the engine was compiled.
    """
    is_python = Path(sys.executable or "").stem.startswith(("python", "pypy"))
    as_usual = all(numba_setting(name) is None for name in OPTIMISATION)
    return os.environ.get(VARIABLE) != "0" and is_python and as_usual and not is_temporary(cache_root())


def main() -> None:
    """Compile the routines that the command line names, as quietly as possible."""
    assert SETTINGS_DTYPE.names  # their declaration is what tells the shape
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    compile_routines(bytes.fromhex(sys.argv[1]), tuple(sys.argv[2:]))


if __name__ == "__main__":
    main()
