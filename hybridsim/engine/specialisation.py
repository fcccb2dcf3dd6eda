"""The engine compiled again for the shape of a run, in the background, and used as soon as it is.

The engine is compiled once for all models. In a small model it spends a sixth of its time on sizes that are not known
when it is compiled. So another process compiles the routines with the sizes as constants (`compiler.shape`), when runs
of one shape have taken some time, and keeps them in the cache for all later runs. Their results are the same to the
last bit, as tests check and a comparison of all configs has found, so that a run can change from one engine to the
other between two calls.

    python -m hybridsim.engine.specialisation SHAPE KEY...     # that process
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from threading import Lock

from hybridsim.engine.background import BackgroundCode, claimed, stand_back
from hybridsim.engine.compiler.object_file import bitcode_of, file_of, path_in_cache, read_object, write_object
from hybridsim.engine.compiler.processes import start
from hybridsim.engine.compiler.shape import constant_functions
from hybridsim.engine.settings import SETTINGS_DTYPE

CACHE_SUBFOLDER = "specialised"
"""The folder of the cache with the routines that are compiled for single shapes."""


class SpecialisedEngine(BackgroundCode):
    """The engine's routines for one shape.

    Parameters
    ----------
    shape : bytes
        The settings of the shape: `shape_of`.
    keys : tuple of str
        The names of the files of the routines for all shapes.
    """

    seconds_before = 2.0

    def __init__(self, shape: bytes, keys: tuple[str, ...]) -> None:
        self._shape = shape
        super().__init__(keys)

    def file(self, key: str) -> Path:
        """Return the file of a routine for this shape."""
        return _file(key, self._shape)

    def begin(self) -> subprocess.Popen[bytes] | None:
        """Start the process that compiles, if there is something to compile."""
        has_bitcode = bitcode_of(self._keys[0]) is not None
        return start(__name__, self._shape.hex(), *self._keys) if has_bitcode else None


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


def main() -> None:
    """Compile the routines that the command line names, as quietly as possible."""
    assert SETTINGS_DTYPE.names  # their declaration is what tells the shape
    stand_back()
    shape, keys = bytes.fromhex(sys.argv[1]), tuple(sys.argv[2:])
    with claimed(_file(keys[0], shape)):
        compile_routines(shape, keys)


if __name__ == "__main__":
    main()
