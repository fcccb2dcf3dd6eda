"""Arrays of a model besides its states and parameters: constants, and work space."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.errors import ModelError
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.table import refuse_invalid_texts


@explain_arguments
@dataclass(frozen=True, eq=False)
class Constant:
    """An array of a model that never changes: tables, and which quantities belong together.

    In p, an entry behind the inputs stands for it: with `P = (PARAMETERS + INPUTS + CONSTANTS).indices`, compiled
    functions read it as `integers(p, P.sources, N)`, or `reals(p, P.table, N)`. It is not compiled into them, and no
    config has it.

    Parameters
    ----------
    name : str
        An identifier, unique among the states, parameters, inputs and constants of a model.
    values : array
        Whole numbers, which are kept in 32 bits, or real ones; an array of any shape is one row after another.
    doc : str
        What it is, in a few words.

    Raises
    ------
    ModelError
        If the name is no identifier, or the values are no such numbers.
    """

    name: str
    values: Any
    doc: str = ""

    def __post_init__(self) -> None:
        refuse_invalid_texts("constant", self)
        given = np.asarray(self.values)
        if given.dtype.kind not in "biuf":
            raise ModelError(f"constant {self.name!r}: expected an array of numbers, found {given.dtype}")
        kept = np.array(given, np.float64 if given.dtype.kind == "f" else np.int32).ravel()
        if not np.array_equal(kept, given.ravel(), equal_nan=given.dtype.kind == "f"):
            raise ModelError(f"constant {self.name!r}: expected whole numbers of 32 bits, found {given.max()}")
        kept.setflags(write=False)
        object.__setattr__(self, "values", kept)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of its entries."""
        return (len(self.values),)

    @property
    def digest(self) -> bytes:
        """A hash of the values and their type."""
        return hashlib.sha256(f"{self.values.dtype}{len(self.values)}".encode() + self.values.tobytes()).digest()


@explain_arguments
class Buffer(Constant):
    """Work space of a model's functions, too large for `scratch`: memory that is reserved once for each run.

    It is declared among the constants of a model, and `buffer(p, P.pulls, N)` is the array, without initial values. All
    functions have the same memory, which keeps nothing from one call to the next.

    Parameters
    ----------
    name : str
        An identifier, as of a constant.
    size : int
        How many numbers there is room for.
    doc : str
        What it is for, in a few words.

    Raises
    ------
    ModelError
        If the name is no identifier, or the size is not above 0.
    """

    def __init__(self, name: str, size: int, doc: str = "") -> None:
        if type(size) is not int or size < 1:
            raise ModelError(f"buffer {name!r}: expected a number of entries above 0, found {size!r}")
        super().__init__(name, np.array([size]), doc)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of its entries."""
        return (self.size,)

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(self.values[0])
