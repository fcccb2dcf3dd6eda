"""What the numbers of a sweep depend on besides its configuration: versions, sources, the compiler's target."""

from __future__ import annotations

import dataclasses
import hashlib
import platform
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import llvmlite
import numba
import numpy as np
import pyarrow as pa
from numba.core.codegen import get_host_cpu_features

from hybridsim._version import __version__
from hybridsim.config.run_config import leaves
from hybridsim.config.source import dotted
from hybridsim.config.sweep.sweeping import SweepConfig
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.signatures import numba_settings
from hybridsim.engine.compiler.target import ENGINE
from hybridsim.model import Model

TARGET_VARIABLES = "NUMBA_CPU_NAME and NUMBA_CPU_FEATURES"
"""The environment variables that choose the compiler's target."""

WITHOUT_INFLUENCE = ("versions.pyarrow",)
"""What is written down and may yet change between one session and the next: it touches no number."""


def provenance(config: SweepConfig) -> dict[str, Any]:
    """Everything besides the configuration that a result depends on, as plain data."""
    return {
        "versions": {
            "hybridsim": __version__,
            "numpy": np.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "pyarrow": pa.__version__,
            "python": platform.python_version(),
            "libm": " ".join(platform.libc_ver()).strip(),  # sin, exp and pow are the system's
            "svml": str(bool(getattr(numba_settings, "USING_SVML", False))),  # or Intel's
        },
        "engine": engine_hash(),
        "target": target(),
        "plugin": model_hash(config.run.model),
        "extra_outputs": functions_hash(config.extra_outputs),
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
    others = ("model/parameters.py", "simulation/packing.py", "sweeps/batch.py")
    sources = [*sorted(ENGINE.rglob("*.py")), *(ENGINE.parent / other for other in others)]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def model_hash(model: Model) -> str:
    """A hash of what a model computes, wherever its files lie: its functions, and its records without their texts."""
    records = (
        model.states,
        model.parameters,
        model.charts,
        model.boundary_records,
        model.output_records,
        model.messages,
    )
    said = [[_without_doc(record) for record in table] for table in records]
    return _hash([*_hashes(model.functions), repr((said, model.chart_fields))])


def functions_hash(functions: Mapping[str, Callable[..., Any]]) -> str:
    """A hash of what some functions compute, and of their names; "" for none."""
    return _hash(_hashes(functions)) if functions else ""


def _hashes(functions: Mapping[str, Callable[..., Any]]) -> list[str]:
    return [f"{name} {_content(functions[name])}" for name in sorted(functions) if name != "poses"]


def _content(function: Callable[..., Any]) -> str:
    """A hash of what a function computes; never the same one twice where that cannot be determined.

    Results of two sessions are thus not mixed unless the functions are known to be equal.
    """
    return content_hash(function) or uuid.uuid4().hex


def _without_doc(record: Any) -> list[tuple[str, Any]]:
    names = (field.name for field in dataclasses.fields(record))
    return [(name, getattr(record, name)) for name in names if name not in ("doc", "text")]


def _hash(pieces: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(pieces).encode()).hexdigest()[:16]


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
