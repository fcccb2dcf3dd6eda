"""Which models have passed the checks before a run, kept in the cache: those of a large model take seconds.

A verdict holds for everything that the checks depend on: the contents of the functions, the numbers that they are tried
with, what the checks compare with, and the sources of the checks. The file of a verdict is empty, its name is a hash.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.keys import machine_key
from hybridsim.engine.compiler.object_file import path_in_cache, read_verified, write_verified
from hybridsim.model.trials import Trials

VERDICT_FOLDER = "trials"
"""The folder of the verdicts, beside those of compiled functions."""


def key_of(tried: Trials) -> str | None:
    """Hash what decides whether a model passes; None if one of its functions uses a value that cannot be hashed."""
    model = tried.model
    contents = {name: content_hash(function) for name, function in tried.functions().items()}
    if None in contents.values():
        return None
    records = model.boundary_records, model.output_records, model.messages
    sizes = [model.n_charts, *(len(each) for each in records)]
    continuous = [state.continuous for state in model.states]
    numbers = [array.tobytes() for array in (tried.p, *tried.states)]
    decisive = machine_key(), _version(), contents, sizes, continuous, numbers, tried.charts
    return hashlib.sha256(repr(decisive).encode()).hexdigest()[:32]


def has_passed(key: str) -> bool:
    """Return whether the cache has the verdict that a model with this key passes."""
    return read_verified(path_in_cache(Path(VERDICT_FOLDER, key))) is not None


def keep(key: str) -> None:
    """Write the verdict that a model with this key passes."""
    write_verified(path_in_cache(Path(VERDICT_FOLDER, key)), b"")


@cache
def _version() -> str:
    """Return a hash of all sources of this package."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
