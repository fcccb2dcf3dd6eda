"""Other processes: how many processors there are for them, and how Python is started apart from this terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

APART: dict[str, Any] = (
    {"creationflags": sum(getattr(subprocess, f"CREATE_{name}") for name in ("NEW_PROCESS_GROUP", "NO_WINDOW"))}
    if os.name == "nt"
    else {"start_new_session": True}
)
"""Options of `Popen` by which a Ctrl-C on the terminal reaches this process, and not the one that it starts."""


def n_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "process_cpu_count"):  # from Python 3.13 on
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_start() -> bool:
    """Return whether this process is executed by a Python that is no other program."""
    return Path(sys.executable or "").stem.startswith(("python", "pypy"))


def start(module: str, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes] | None:
    """Start `python -m module` with some arguments; None if no further process is allowed.

    Parameters
    ----------
    module : str
        A module of this package.
    *arguments : str
        Its arguments.
    stdin : int, optional
        Its standard input, as of `Popen`.
    """
    # -P: a file in the current folder named as one of our modules must not be executed.
    command = [sys.executable, "-P", "-m", module, *arguments]
    paths = [str(Path(__file__).parents[3]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment, none = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}, subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=stdin, stdout=none, stderr=none, env=environment, **APART)
    except OSError:
        return None
