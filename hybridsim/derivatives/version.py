"""The version of the compiled loops of this package, a part of their keys in the cache."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def version() -> str:
    """Return a hash of all sources of this package."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
