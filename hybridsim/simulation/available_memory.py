"""How much more memory this process can have: what the machine has left, within the limits set for the process."""

from __future__ import annotations

import math
import os
from pathlib import Path

PROC_FOLDER = Path("/proc")
CONTROL_GROUP_FOLDER = Path("/sys/fs/cgroup")
"""Where Linux says how much memory there is, and how much containers and the jobs of a scheduler may have."""


def available_memory() -> float:
    """Return the memory that this process can still have [bytes]; inf on systems that do not tell."""
    return min(_memory_left_on_machine(), _memory_left_in_control_groups(), _address_space_left())


def _memory_left_on_machine() -> float:
    """Return what the machine has left without swapping."""
    try:
        lines = (PROC_FOLDER / "meminfo").read_text().splitlines()
        return 1024.0 * next(float(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return math.inf


def _memory_left_in_control_groups() -> float:
    """Return what the control groups of this process leave, the innermost one and those around it."""
    try:
        lines = (PROC_FOLDER / "self" / "cgroup").read_text().splitlines()
    except OSError:
        return math.inf
    own = next((CONTROL_GROUP_FOLDER / line[4:] for line in lines if line.startswith("0::/")), CONTROL_GROUP_FOLDER)
    return min(_memory_left_in(group) for group in (own, *own.parents) if group.is_relative_to(CONTROL_GROUP_FOLDER))


def _memory_left_in(group: Path) -> float:
    """Return what a control group leaves; what it keeps of files that have been read counts as free."""
    try:
        most = float((group / "memory.max").read_text().replace("max", "inf"))
        used = float((group / "memory.current").read_text())
        statistics = (line.split() for line in (group / "memory.stat").read_text().splitlines())
        return most - used + next(float(value) for name, value in statistics if name == "inactive_file")
    except (OSError, ValueError, StopIteration):
        return math.inf


def _address_space_left() -> float:
    """Return what `ulimit -v` leaves."""
    try:
        import resource  # noqa: PLC0415  (not on every system)

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        used = int((PROC_FOLDER / "self" / "statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, OSError, ValueError):
        return math.inf
    return math.inf if most == resource.RLIM_INFINITY else float(most - used)
