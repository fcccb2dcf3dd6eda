"""Everything except the configuration on which the results of a sweep depend: versions, sources, compiler target."""

from __future__ import annotations

import dataclasses
import hashlib
import platform
import uuid
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from llvmlite import __version__ as llvmlite_version

from hybridsim import __version__
from hybridsim.config.run_config import leaves
from hybridsim.config.source import join_address
from hybridsim.config.sweep import SweepConfig
from hybridsim.engine.compiler import target
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.keys import ENGINE
from hybridsim.model import Model
from hybridsim.typing import Function

TARGET_VARIABLES = "NUMBA_CPU_NAME and NUMBA_CPU_FEATURES"
"""Environment variables that set the CPU for which numba compiles, as text for messages."""

KEYS_THAT_MAY_DIFFER = ("versions.pyarrow",)
"""Keys of a recorded provenance that may differ when a sweep is resumed, because no result depends on them."""


def provenance(config: SweepConfig) -> dict[str, Any]:
    """Return, as plain data, everything except the configuration on which the results depend."""
    return {
        "versions": {
            "hybridsim": __version__,
            "numpy": np.__version__,
            "numba": target.numba_version(),
            "llvmlite": llvmlite_version,
            "pyarrow": pa.__version__,
            "python": platform.python_version(),
            "libm": " ".join(platform.libc_ver()).strip(),  # sin, exp and pow are the system's
            "svml": str(target.uses_svml()),  # or Intel's
        },
        "engine": engine_hash(),
        "target": compiler_target(),
        "plugin": model_hash(config.run.model),
        "extra_outputs": functions_hash(config.extra_outputs),
    }


def compiler_target() -> dict[str, str]:
    """Return the CPU for which the compiler produces code: its name, and a hash of its features."""
    cpu, features = target.compiler_target()
    return {"cpu": cpu, "features": hashlib.sha256(features.encode()).hexdigest()[:16]}


@cache
def engine_hash() -> str:
    """Return a hash of the sources that compute the metrics of a row from its values."""
    others = ("model/model.py", "simulation/packing.py", "sweeps/batch.py", "config/formulas.py")
    sources = [*sorted(ENGINE.rglob("*.py")), *(ENGINE.parent / other for other in others)]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def model_hash(model: Model) -> str:
    """Return a hash of a model's functions and of its records without their texts; the folder does not matter."""
    records = (
        model.states,
        model.parameters,
        model.charts,
        model.boundary_records,
        model.output_records,
        model.messages,
    )
    declared = [[_without_doc(record) for record in table] for table in records]
    return _hash([*_hashes(model.functions), repr((declared, model.chart_fields))])


def functions_hash(functions: Mapping[str, Function]) -> str:
    """Return a hash of functions and their names, "" if there are none."""
    return _hash(_hashes(functions)) if functions else ""


def _hashes(functions: Mapping[str, Function]) -> list[str]:
    """Return a hash of what each function computes; if that cannot be determined, a new value for each call.

    Results of two sessions are thus not mixed unless the functions are known to be equal.
    """
    names = sorted(name for name in functions if name != "poses")
    return [f"{name} {content_hash(functions[name]) or uuid.uuid4().hex}" for name in names]


def _without_doc(record: Any) -> list[tuple[str, Any]]:
    names = (field.name for field in dataclasses.fields(record))
    return [(name, getattr(record, name)) for name in names if name not in ("doc", "text")]


def _hash(pieces: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(pieces).encode()).hexdigest()[:16]


def first_difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, Any, Any] | None:
    """Return the first key at which two trees of plain data differ.

    Parameters
    ----------
    before, now : mapping
        The trees; a key that one of them lacks has the value None there.

    Returns
    -------
    tuple or None
        Dotted key, old value and new value; None if the trees are equal.
    """
    old, new = ({join_address(address): value for address, value in leaves(data)} for data in (before, now))
    for key in [*old, *(key for key in new if key not in old)]:
        if key not in KEYS_THAT_MAY_DIFFER and not _same(old.get(key), new.get(key)):
            return key, old.get(key), new.get(key)
    return None


def _same(old: Any, new: Any) -> bool:
    """Return whether two values are equal, with tuples equal to lists, because a file has lists only."""
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_same(old[key], new[key]) for key in old)
    return bool(old == new)
