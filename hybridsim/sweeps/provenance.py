"""What the numbers of a sweep depend on besides its configuration: versions, sources, the compiler's target."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
import pyarrow as pa
from numba.core.codegen import get_host_cpu_features

import hybridsim
from hybridsim.config.run_config import leaves
from hybridsim.config.source import dotted
from hybridsim.config.sweeping import SweepConfig
from hybridsim.engine import compilation
from hybridsim.engine.signatures import numba_settings

TARGET_VARIABLES = "NUMBA_CPU_NAME and NUMBA_CPU_FEATURES"
"""The environment variables that choose the compiler's target."""

WITHOUT_INFLUENCE = ("versions.pyarrow",)
"""What is written down and may yet change between one session and the next: it touches no number."""


def provenance(config: SweepConfig) -> dict[str, Any]:
    """Everything besides the configuration that a result depends on, as plain data."""
    return {
        "versions": {
            "hybridsim": hybridsim.__version__,
            "numpy": np.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "pyarrow": pa.__version__,
            "python": platform.python_version(),
        },
        "engine": engine_hash(),
        "target": target(),
        "plugin": functions_hash(config.run.model.functions, config.run.model.source),
        "extra_outputs": functions_hash(config.extra_outputs, config.extra_outputs_file),
    }


def target() -> dict[str, str]:
    """What the compiler compiles for: the CPU's name, and a hash of its features."""
    detect: Any = get_host_cpu_features
    features = detect() if numba_settings.CPU_FEATURES is None else numba_settings.CPU_FEATURES
    name = numba_settings.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    return {"cpu": str(name), "features": hashlib.sha256(str(features).encode()).hexdigest()[:16]}


@cache
def engine_hash() -> str:
    """A hash of the sources that turn a row's values into its metrics."""
    package = Path(compilation.__file__).parents[1]
    sources = [*sorted((package / "engine").glob("*.py")), package / "packing.py", package / "sweeps" / "batch.py"]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def functions_hash(functions: Mapping[str, Callable[..., Any]], file: str) -> str:
    """A hash of a file, wherever it lies, of functions, and of the functions and constants they use; "" for nothing."""
    if not functions and not file:
        return ""
    digest = hashlib.sha256(Path(file).read_bytes() if file and Path(file).is_file() else b"")
    for name in sorted(functions):
        digest.update(name.encode())
        for piece in _content(functions[name], set()):
            digest.update(piece)
    return digest.hexdigest()[:16]


def _content(function: Any, seen: set[int]) -> Iterator[bytes]:
    """What decides the values of a function: its code, its constants, and the same of the functions it calls."""
    seen.add(id(function))
    yield from _code(function.__code__)
    yield repr((function.__defaults__, function.__kwdefaults__)).encode()
    used = {name: function.__globals__.get(name) for name in _names(function.__code__)}
    enclosed = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    used |= {name: cell.cell_contents for name, cell in enclosed}
    for name in sorted(used):
        value = used[name]
        if isinstance(value, FunctionType) and id(value) not in seen:
            yield from _content(value, seen)
        elif isinstance(value, np.ndarray):
            yield value.tobytes()
        elif isinstance(value, int | float | str | tuple):
            yield repr(value).encode()


def _code(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr((code.co_names, code.co_varnames)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(constant).encode()


def _names(code: CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def first_difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, Any, Any] | None:
    """The first key at which two trees of plain data differ: (dotted key, old value, new value), or None.

    A key that only one of them has stands for None in the other.
    """
    old, new = ({dotted(address): value for address, value in leaves(data)} for data in (before, now))
    for key in [*old, *(key for key in new if key not in old)]:
        if key not in WITHOUT_INFLUENCE and not _same(old.get(key), new.get(key)):
            return key, old.get(key), new.get(key)
    return None


def _same(old: Any, new: Any) -> bool:
    """Equal, also where one of the two has been through a file: tuples are lists there."""
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    return bool(old == new)
