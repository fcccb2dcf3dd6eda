"""The engine compiled again for the shape of a run, in the background, and used as soon as it is.

The engine is compiled once for all models. In a small model it spends a sixth of its time on sizes that are not known
when it is compiled. So another process compiles the routines with the sizes as constants (`compiler.shape`), when runs
of one shape have taken some time, and keeps them in the cache for all later runs. Their results are the same to the
last bit, as tests check and a comparison of all configs has found, so that a run can change from one engine to the
other between two calls.

    python -m hybridsim.engine.specialisation SHAPE KEY...     # that process
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import numpy as np

from hybridsim.engine.compiler.cache_folder import existing_root, writable_root
from hybridsim.engine.compiler.object_file import (
    LoadedFunction,
    bitcode_of,
    file_of,
    load,
    path_in_cache,
    read_object,
    write_object,
)
from hybridsim.engine.compiler.options import numba_setting
from hybridsim.engine.compiler.processes import can_start, start
from hybridsim.engine.compiler.shape import constant_functions
from hybridsim.engine.compiler.target import OPTIMISATION_SETTINGS
from hybridsim.engine.settings import SETTINGS_DTYPE
from hybridsim.typing import IntArray

SPECIALISE_VARIABLE = "HYBRIDSIM_SPECIALISE"
"""The environment variable that, if it is 0, keeps the engine from being compiled in the background."""

TIME_BEFORE_SPECIALISATION = 2.0
"""Computing time of runs of one shape, of all threads together, after which the engine is compiled for it [s]."""

CACHE_SUBFOLDER = "specialised"
"""The folder of the cache with the routines that are compiled for single shapes."""

CLAIM_DURATION = 300.0
"""Time after which another process may compile for a shape that one has claimed and not finished [s]."""

EXIT_CODE_OF_BUSY = 75
"""Exit code of the process that compiles if another one is at it."""

POLL_INTERVAL_OF_CLAIM = 0.1
"""Time between two looks at what another process compiles [s]."""

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
        self._parent, self._lock = os.getpid(), Lock()
        self._loaded: list[LoadedFunction] = []
        self._may_be_compiled = _is_wanted()
        if self._may_be_compiled and existing_root():
            self._load()

    def count(self, seconds: float) -> None:
        """Count computing time [s] of the engine for all shapes; let the routines be compiled, or load them, if due."""
        if self.addresses is not None or not self._may_be_compiled or not self._lock.acquire(blocking=False):
            return
        try:
            self._seconds += seconds
            if self._process is None:
                if self._seconds > TIME_BEFORE_SPECIALISATION:
                    self._start()
            elif os.getpid() != self._parent:  # a fork cannot wait for it
                self._process, self._seconds = None, 0.0
            elif self._process.poll() is not None:
                self._finish(self._process.returncode)
        finally:
            self._lock.release()

    def wait(self, timeout: float) -> bool:
        """Compile the routines, if they are not, and wait until they are; returns whether they are. For benchmarks.

        Parameters
        ----------
        timeout : float
            Time after which to give up [s].
        """
        end = time.monotonic() + timeout
        while self.addresses is None and self._may_be_compiled and time.monotonic() < end:
            self.count(TIME_BEFORE_SPECIALISATION + 1.0)
            process = self._process
            if process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(end - time.monotonic(), 0.0))
            self.count(0.0)
            if self.addresses is None and self._may_be_compiled:
                time.sleep(POLL_INTERVAL_OF_CLAIM)  # another process compiles them
        return self.addresses is not None

    def _start(self) -> None:
        """Start the process, if no other one has compiled the routines meanwhile."""
        self._load()
        if self.addresses is not None:
            return
        if not writable_root() or bitcode_of(self._keys[0]) is None:
            self._may_be_compiled = False
            return
        self._process = start(__name__, self._shape.hex(), *self._keys)
        if self._process is None:  # the engine for all shapes goes on
            self._may_be_compiled = False
            return
        self._parent = os.getpid()
        atexit.register(_let_go, self._process)

    def _finish(self, exit_code: int) -> None:
        self._load()
        self._process, self._seconds = None, 0.0
        self._may_be_compiled = exit_code == EXIT_CODE_OF_BUSY  # later, when the other one may have finished

    def _load(self) -> None:
        """Load the routines from the cache, if all are there."""
        loaded = []
        for key in self._keys:
            code = read_object(path_in_cache(_file(key, self._shape)))
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


_engines: dict[tuple[bytes, tuple[str, ...]], SpecialisedEngine] = {}
_looking = Lock()


def engine_for_shape(shape: bytes, keys: tuple[str, ...]) -> SpecialisedEngine:
    """Return the engine for a shape, one and the same in a process; for the parameters see `SpecialisedEngine`."""
    with _looking:
        if (shape, keys) not in _engines:
            _engines[shape, keys] = SpecialisedEngine(shape, keys)
        return _engines[shape, keys]


def forget_engines() -> None:
    """Let engines be looked up in the cache again."""
    with _looking:
        _engines.clear()


def compile_routines(shape: bytes, keys: tuple[str, ...]) -> None:
    """Compile the routines with these names for a shape, into the cache.

    Raises
    ------
    LookupError
        If there is no bitcode of a routine.
    RuntimeError
        If this version of LLVM does not understand it.
    """
    from hybridsim.engine.compiler.optimisation import compile_bitcode

    constants = constant_functions(shape)
    for key in keys:
        if read_object(path_in_cache(_file(key, shape))) is not None:
            continue
        found = bitcode_of(key)
        if found is None:
            raise LookupError(key)
        symbol, bitcode = found
        write_object(path_in_cache(_file(key, shape)), compile_bitcode(symbol, bitcode, constants))


def _file(key: str, shape: bytes) -> Path:
    return file_of(f"{key}-{hashlib.sha256(shape).hexdigest()[:16]}", CACHE_SUBFOLDER)


def _is_wanted() -> bool:
    """Return whether the engine may be compiled here: by a Python that is no other program, and as it was compiled."""
    as_usual = all(numba_setting(name) is None for name in OPTIMISATION_SETTINGS)
    return os.environ.get(SPECIALISE_VARIABLE) != "0" and can_start() and as_usual


@contextlib.contextmanager
def _claim(shape: bytes, keys: tuple[str, ...]) -> Iterator[None]:
    """Keep other processes from compiling for this shape; end with the exit code EXIT_CODE_OF_BUSY if one is at it."""
    claim = path_in_cache(_file(keys[0], shape)).with_suffix(".claim")
    with contextlib.suppress(OSError):
        if time.time() - claim.stat().st_mtime > CLAIM_DURATION:
            claim.unlink()
    try:
        claim.open("x").close()
    except FileExistsError:
        sys.exit(EXIT_CODE_OF_BUSY)
    try:
        yield
    finally:
        claim.unlink(missing_ok=True)


def main() -> None:
    """Compile the routines that the command line names, as quietly as possible."""
    assert SETTINGS_DTYPE.names  # their declaration is what tells the shape
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    shape, keys = bytes.fromhex(sys.argv[1]), tuple(sys.argv[2:])
    with _claim(shape, keys):
        compile_routines(shape, keys)


if __name__ == "__main__":
    main()
