"""Where compiled functions, and what is generated to be compiled, are kept between processes."""

from __future__ import annotations

import os
import platform
import tempfile
from functools import cache
from pathlib import Path


@cache
def cache_root() -> Path:
    """$HYBRIDSIM_CACHE_DIR, else the user's cache folder, else a temporary one if neither can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    if platform.system() == "Windows":
        home = os.environ.get("LOCALAPPDATA") or home
    root = Path(os.environ.get("HYBRIDSIM_CACHE_DIR") or Path(home) / "hybridsim")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.mkdtemp(prefix="hybridsim-cache-"))
