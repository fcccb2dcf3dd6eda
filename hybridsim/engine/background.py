"""Code that another process compiles in the background, and that a run uses as soon as it is there.

Nothing waits for it: a run goes on with what there is. What has been compiled is kept in the cache for all later runs.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import numpy as np

from hybridsim.engine.compiler.cache_folder import existing_root, writable_root
from hybridsim.engine.compiler.object_file import LoadedFunction, load, path_in_cache, read_object
from hybridsim.engine.compiler.options import numba_setting
from hybridsim.engine.compiler.processes import can_start
from hybridsim.engine.compiler.target import OPTIMISATION_SETTINGS
from hybridsim.typing import IntArray

SPECIALISE_VARIABLE = "HYBRIDSIM_SPECIALISE"
"""The environment variable that, if it is 0, keeps anything from being compiled in the background."""

CLAIM_DURATION = 300.0
"""Time after which another process may compile what one has claimed and not finished [s]."""

EXIT_CODE_OF_BUSY = 75
"""Exit code of the process that compiles if another one is at it."""

POLL_INTERVAL_OF_CLAIM = 0.1
"""Time between two looks at what another process compiles [s]."""

NICENESS = 10
"""By how much the process that compiles stands back for others."""


class BackgroundCode:
    """Functions that are compiled in the background.

    Parameters
    ----------
    keys : tuple of str
        A name for each.

    Attributes
    ----------
    addresses : (n,) int array or None
        The addresses of the functions, in their order; None as long as they are not compiled.
    """

    seconds_before = 0.0
    """Computing time of what would be faster, of all threads together, after which they are compiled [s]."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self.addresses: IntArray | None = None
        self._keys = keys
        self._seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._parent, self._lock = os.getpid(), Lock()
        self._loaded: list[LoadedFunction] = []
        self._may_be_compiled = _is_wanted()
        if self._may_be_compiled and existing_root():
            self._load()

    def file(self, key: str) -> Path:
        """Return the file of a function, as a path within a folder of compiled functions."""
        raise NotImplementedError

    def begin(self) -> subprocess.Popen[bytes] | None:
        """Start the process that compiles; None if none can be started."""
        raise NotImplementedError

    def count(self, seconds: float) -> None:
        """Count computing time [s]; let the functions be compiled, or load them, if due."""
        if self.addresses is not None or not self._may_be_compiled or not self._lock.acquire(blocking=False):
            return
        try:
            self._seconds += seconds
            if self._process is None:
                if self._seconds > self.seconds_before:
                    self._start()
            elif os.getpid() != self._parent:  # a fork cannot wait for it
                self._process, self._seconds = None, 0.0
            elif self._process.poll() is not None:
                self._finish(self._process.returncode)
        finally:
            self._lock.release()

    def wait(self, timeout: float) -> bool:
        """Compile the functions, if they are not, and wait until they are; returns whether they are. For benchmarks.

        Parameters
        ----------
        timeout : float
            Time after which to give up [s].
        """
        end = time.monotonic() + timeout
        while self.addresses is None and self._may_be_compiled and time.monotonic() < end:
            self.count(self.seconds_before + 1.0)
            process = self._process
            if process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(end - time.monotonic(), 0.0))
            self.count(0.0)
            if self.addresses is None and self._may_be_compiled:
                time.sleep(POLL_INTERVAL_OF_CLAIM)  # another process compiles them
        return self.addresses is not None

    def _start(self) -> None:
        """Start the process, if no other one has compiled the functions meanwhile."""
        self._load()
        if self.addresses is not None:
            return
        self._process = self.begin() if writable_root() else None
        if self._process is None:  # it goes on as before
            self._may_be_compiled = False
            return
        self._parent = os.getpid()
        atexit.register(_let_go, self._process)

    def _finish(self, exit_code: int) -> None:
        self._load()
        self._process, self._seconds = None, 0.0
        self._may_be_compiled = exit_code == EXIT_CODE_OF_BUSY  # later, when the other one may have finished
        self.seconds_before *= 2.0

    def _load(self) -> None:
        """Load the functions from the cache, if all are there."""
        loaded: dict[str, LoadedFunction] = {}
        for key in dict.fromkeys(self._keys):
            code = read_object(path_in_cache(self.file(key)))
            function = None if code is None else load(code)
            if function is None:
                return
            loaded[key] = function
        self._loaded = [*loaded.values()]
        self.addresses = np.array([loaded[key].address for key in self._keys], np.int64)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Let a process outlive this one without Python's warning that nobody waits for it."""
    if process.poll() is None:
        process.returncode = 0


def _is_wanted() -> bool:
    """Return whether code may be compiled here: by a Python that is no other program, and as it was compiled."""
    as_usual = all(numba_setting(name) is None for name in OPTIMISATION_SETTINGS)
    return os.environ.get(SPECIALISE_VARIABLE) != "0" and can_start() and as_usual


@contextlib.contextmanager
def claimed(file: Path) -> Iterator[None]:
    """Keep other processes from compiling what is in a file; end with EXIT_CODE_OF_BUSY if one is at it."""
    claim = path_in_cache(file).with_suffix(".claim")
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


def stand_back() -> None:
    """Let other processes go first."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
