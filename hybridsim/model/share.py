"""What one piece of a composed model, the plant or a part, has of its arrays, and how sources name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hybridsim.model.contract import CONTRACT
from hybridsim.typing import Function

Span = tuple[int, int]
"""First index and number of entries."""

DIVIDED_TABLES = ("states", "p", "boundary_records", "output_records", "messages", "bits")
"""Arrays and tables in which every piece of a composed model has a span."""

TABLE_OF_ARGUMENT = {
    "xdot": "states",
    "x": "states",
    "x_new": "states",
    "p": "p",
    "g": "boundary_records",
    "y": "output_records",
}
"""The table that describes the entries of an array argument."""

FUNCTIONS_OF_SEPARATE_PART = ("vector_field", "boundaries", "outputs", "transition", "validate")
"""The contract functions that are compiled separately from those of the plant, if the part is."""

OF_SEPARATE_PLANT = (*FUNCTIONS_OF_SEPARATE_PART, "initial_chart", "slopes_and_boundaries")
"""Those of a plant with such a part: compiled once, whatever states, boundaries and functions the part has."""


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one piece, the plant or the part in a slot, in the arrays and in the chart of a composed model.

    Attributes
    ----------
    prefix : str
        "plant", or the name of the slot.
    functions : mapping of str to function
        Its contract functions and couplings.
    trailing : mapping of str to tuple of str
        By function, the names of the couplings or sensors that it takes as its last arguments.
    spans : mapping of str to Span
        Its spans in the DIVIDED_TABLES. That of p extends to the end, where the numbers of arrays lie.
    has_whole_chart : bool
        Whether the chart number is its own as a whole, because its charts have names and the other pieces have none.
    errors : tuple of int
        For each of its messages, 1 for an error and 0 for a warning.
    is_separate : bool
        Whether it is compiled separately: a part that does not come with the plant, and is edited; and its plant.
    """

    prefix: str
    functions: Mapping[str, Function]
    trailing: Mapping[str, tuple[str, ...]]
    spans: Mapping[str, Span]
    has_whole_chart: bool
    errors: tuple[int, ...]
    is_separate: bool

    def has(self, function: str) -> bool:
        """Return whether the piece has this function."""
        return function in self.functions

    @property
    def whole(self) -> list[str]:
        """The names of its functions that get a version for whole arrays and chart numbers.

        They are those that are compiled separately, and the couplings that take sensors.
        """
        couplings = [name for name in self.functions if name not in CONTRACT]
        if self.is_separate:
            return [
                *couplings,
                *filter(self.has, OF_SEPARATE_PLANT if self.prefix == "plant" else FUNCTIONS_OF_SEPARATE_PART),
            ]
        return [name for name in couplings if self.trailing[name]]

    def slice(self, array: str) -> str:
        """Return the source of its slice of an array argument, `subarray(x, 13, 6)`."""
        first, n = self.spans["boundary_records" if array == "crossed" else TABLE_OF_ARGUMENT[array]]
        if array == "p" and not first:
            return "p"  # its length counts the parameters of all parts
        return f"subarray({array}, {first}, {n})"

    def chart(self, number: str = "chart") -> str:
        """Return the source of its bits of a chart number, `chart >> 6 & 4095`."""
        first, n = self.spans["bits"]
        if self.has_whole_chart:
            return number
        if not n:
            return "0"
        return f"{number} & {(1 << n) - 1}" if not first else f"{number} >> {first} & {(1 << n) - 1}"
