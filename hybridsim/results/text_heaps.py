"""Checks of the blocks in which HDF5 keeps texts ("global heaps"), in which damage makes the HDF5 library loop forever.

The layout is that of the HDF5 file format specification, III.E: a signature, a size, and objects one after another.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

HEAP_SIGNATURE = b"GCOL\x01\x00\x00\x00"
HEAP_HEADER = 16
"""Length of the header of a block, and of that of each object in it [bytes]."""
HEAP_ALIGNMENT = 8


def find_damaged_heap(path: Path) -> int | None:
    """Return the position of a block whose objects do not fill it, None if there is none.

    Parameters
    ----------
    path : Path
        The HDF5 file.

    Returns
    -------
    int or None
        Position in the file [bytes].
    """
    if path.stat().st_size == 0:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        start = content.find(HEAP_SIGNATURE)
        while start >= 0:
            if start % HEAP_ALIGNMENT == 0 and not _is_whole(content, start):
                return start
            start = content.find(HEAP_SIGNATURE, start + 1)
    return None


def _is_whole(content: mmap.mmap, start: int) -> bool:
    if start + HEAP_HEADER > len(content):
        return False
    (size,) = struct.unpack_from("<Q", content, start + len(HEAP_SIGNATURE))
    place, end = start + HEAP_HEADER, start + size
    if end > len(content):
        return False
    while place + HEAP_HEADER <= end:
        index, length = struct.unpack_from("<H6xQ", content, place)
        # The object 0 is the free room at the end; its length includes its header.
        needed = length if index == 0 else HEAP_HEADER + -(-length // HEAP_ALIGNMENT) * HEAP_ALIGNMENT
        if not HEAP_HEADER <= needed <= end - place:
            return False
        place += needed
    return True
