"""Records of numbers as Python objects: attributes that read and write the words of an array."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

WORD_BYTES = 8
"""Length of a number in a record [bytes]."""


def scalars(one: Any) -> Any:
    """Return the numbers of an array of one record as attributes; reads and writes go to the array's memory.

    numpy's own records look their fields up by name each time, which takes ten times longer.
    """
    return _class_of(one.dtype)(one)


@cache
def _class_of(dtype: np.dtype[Any]) -> type:
    assert dtype.fields is not None
    places = {name: (field.kind, place // WORD_BYTES) for name, (field, place, *_) in dtype.fields.items()}

    def __init__(self: Any, one: Any) -> None:  # noqa: N807
        words = one.reshape(-1)
        self.f, self.i = words.view(np.float64), words.view(np.int64)

    members: dict[str, Any] = {name: _number(kind, index) for name, (kind, index) in places.items()}
    return type("Scalars", (), {"__slots__": ("f", "i"), "__init__": __init__, **members})


def _number(kind: str, index: int) -> property:
    """Return the property of the word at an index, a number of kind "f" or "i"."""
    if kind == "f":
        return property(lambda self: self.f[index], lambda self, value: self.f.__setitem__(index, value))
    return property(lambda self: self.i[index], lambda self, value: self.i.__setitem__(index, value))
