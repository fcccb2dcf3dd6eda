"""For all tests: nothing is compiled in the background; files lie in memory; memory that a file uses is given back."""

import ctypes
import gc
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from members import mark_others

from hybridsim.model import dry_run

os.environ.setdefault("HYBRIDSIM_SPECIALISE", "0")  # the tests of it ask for it

IN_MEMORY, ROOM = "/dev/shm", 4e9
"""Where Linux keeps files in memory, and the room [bytes] that there must be. The tests write and remove thousands of
small files, and on a disk they wait for a minute."""

if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", IN_MEMORY)  # where pytest makes the folders of `tmp_path`

MEMORY_LIMIT = 2e9
"""What a process may hold after the tests of a file [bytes]. It is 0.8e9, and more where it has compiled much."""

MMAP_THRESHOLD = -3  # of glibc's mallopt


def glibc(name, *arguments):
    """Call a function of the C library where it is glibc."""
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*arguments)


def pytest_configure():
    """Let the memory of arrays beyond a megabyte go back to the system as soon as they are gone.

    Until all tests are collected, nothing looks for garbage: what is imported stays, and looking through it takes a
    quarter of the time. And no random test fails because the machine has other work.
    """
    glibc("mallopt", MMAP_THRESHOLD, 2**20)
    gc.disable()
    settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy machine")


@pytest.hookimpl(tryfirst=True)  # before the members that are left out are deselected
def pytest_collection_modifyitems(items):
    """Let the ordinary run have some members of the families that are marked so."""
    mark_others(items)


def pytest_collection_finish():
    """Leave out of garbage collection what has been imported: looking through it takes half a second each time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="module")
def _give_memory_back():
    """Return to the system what the tests of a file have used, which the allocator would keep; refuse what is left.

    What is still in use by then is the modules and caches of later tests: the next search leaves it out.
    """
    yield
    gc.collect()
    gc.freeze()
    glibc("malloc_trim", 0)
    if sys.platform == "linux":
        held = 1024 * int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0])
        assert held < MEMORY_LIMIT, f"this process holds {held / 1e9:.1f} GB: which test keeps a run or a window?"


@pytest.fixture
def trusted_declarations(monkeypatch):
    """What a boundary declares is not tried before the run: for tests of what the engine makes of a wrong one."""
    monkeypatch.setattr(dry_run, "refuted_declarations", lambda tried: ())
