"""The engine's routines, compiled by several processes at once.

Each process that lacks routines takes one after the other that no other process compiles; a lock on a file, which the
system releases when its holder ends, says which. The first one starts helpers. What they have compiled is in the cache.
A helper ends with the process that has started it: it waits for the end of its standard input.

    python -m hybridsim.engine.compiler.together     # a helper; its standard input says what to compile
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from hybridsim.engine.compiler.cache_folder import writable_root
from hybridsim.engine.compiler.keys import contents_of_routines, machine_key
from hybridsim.engine.compiler.object_file import ObjectCode, file_of, keep_bitcode, path_in_cache, write_object
from hybridsim.engine.compiler.processes import can_start, n_processors, start
from hybridsim.engine.compiler.routines import ROUTINES

LONGEST = (
    *("advance", "first_root", "jump", "enter", "next_fall", "report_touches", "look_for_touch"),
    *("accepted_rosenbrock_step", "series_step"),
)
"""The routines that take longest to compile, which are compiled first."""

MAX_HELPERS = 3
"""Most processes that help: the longest routine takes a fifth of the time of all."""

HELPERS = Path("engine", "helpers.lock")
"""The file in the cache that the process with helpers has locked."""

PATIENCE = 120.0
"""Time for which a routine is left to another process that compiles it [s]; it takes eight seconds at most."""


def compile_together(modules: tuple[str, ...], memory: tuple[Any, ...], keys: Mapping[str, str]) -> None:
    """Compile routines into the cache, with helpers if there is more than one.

    Parameters
    ----------
    modules, memory : tuple
        As of `entries.load_routines`.
    keys : mapping of str to str
        The names of the files of routines that are missing, by their names.
    """
    if writable_root() is None or len(keys) < 2:
        return
    with _helpers(modules, memory, keys):
        for patience in (0.0, PATIENCE):  # first what nobody compiles, then what nobody has finished
            _compile_in_turn(modules, memory, keys, patience)


def compile_routine(modules: tuple[str, ...], memory: tuple[Any, ...], name: str, key: str) -> ObjectCode:
    """Compile a routine, and keep its bitcode in the cache."""
    from hybridsim.engine.compiler.backend import engine_functions

    for module in modules:
        import_module(module)
    code = engine_functions.routine(name, memory)
    keep_bitcode(key, code)
    return code


def _compile_in_turn(
    modules: tuple[str, ...], memory: tuple[Any, ...], keys: Mapping[str, str], patience: float
) -> None:
    for name in sorted(keys, key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST)):
        path = path_in_cache(file_of(keys[name], "engine"))
        with _locked(path.with_suffix(".lock"), patience) as is_ours:
            if is_ours and not path.exists():
                code = compile_routine(modules, memory, name, keys[name])
                if code.is_lasting:
                    write_object(path, code)


@contextmanager
def _locked(path: Path, patience: float) -> Iterator[bool]:
    """Lock a file, if no other process holds it for this time [s]; where files cannot be locked, nobody does."""
    lock = FileLock(path, timeout=patience, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    except (OSError, NotImplementedError):
        yield True
        return
    try:
        yield True
    finally:
        lock.release()
        with suppress(OSError):  # who has opened it meanwhile compiles what another one may compile, too
            path.unlink()


@contextmanager
def _helpers(modules: tuple[str, ...], memory: tuple[Any, ...], keys: Mapping[str, str]) -> Iterator[None]:
    """Let helpers compile in this block, unless another process has some."""
    with _locked(path_in_cache(HELPERS), 0.0) as is_first:
        n = min(n_processors() - 1, MAX_HELPERS, len(keys) - 1) if is_first and can_start() else 0
        processes = [each for each in (start(__name__, stdin=subprocess.PIPE) for _ in range(n)) if each]
        try:
            job = pickle.dumps((modules, tuple(map(_of_same_type, memory)), dict(keys), _sources(modules)))
            for process in processes:
                assert process.stdin is not None
                with suppress(OSError):  # it has ended already
                    process.stdin.write(job)
                    process.stdin.flush()
            yield
        finally:
            for process in processes:
                process.kill()
                with suppress(OSError):
                    process.communicate()


def _of_same_type(arrays: Any) -> Any:
    """An array of one number, or a named tuple of such, with the types of these."""
    if isinstance(arrays, tuple):
        return type(arrays)(*(np.zeros(1, array.dtype) for array in arrays))
    return np.zeros(1, arrays.dtype)


def main() -> None:
    """Help to compile, as long as the process lives that asks for it."""
    modules, memory, keys, sources = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_input, daemon=True).start()
    if _sources(modules) == sources:  # they have not been edited since the other process has read them
        _compile_in_turn(modules, memory, keys, 0.0)


def _sources(modules: tuple[str, ...]) -> Any:
    """What the keys of routines are made of."""
    return machine_key(), contents_of_routines(modules, ROUTINES)


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1):  # not by `sys.stdin`, which Python could not close when this process ends
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
