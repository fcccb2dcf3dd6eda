"""Memory of the test process: what the tests import lives to the end, and what a file's tests leave is given back."""

import ctypes
import gc
import sys

import pytest


def pytest_collection_finish():
    """Leave out of garbage collection what has been imported: looking through it takes half a second each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _give_memory_back():
    """Return to the system what the tests of a file have used, which the allocator keeps: a gigabyte after a while."""
    yield
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
        if trim is not None:
            trim(0)
