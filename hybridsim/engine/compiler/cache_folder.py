"""The folder in which compiled functions, and modules generated for compilation, are kept between processes."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import platformdirs


@cache
def cache_root() -> Path:
    """The cache folder, which exists and can be written.

    Returns
    -------
    Path
        $HYBRIDSIM_CACHE_DIR; without it the user's cache folder; a temporary folder if that one cannot be written.
    """
    chosen = os.environ.get("HYBRIDSIM_CACHE_DIR")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("hybridsim", appauthor=False)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.mkdtemp(prefix="hybridsim-cache-"))
