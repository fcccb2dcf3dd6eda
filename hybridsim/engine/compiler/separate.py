"""Functions that are compiled on their own, and called through their addresses by the functions that name them.

Others become a part of their callers. A part of a model that the user edits is called from everywhere in the plant, and
as a part of it each edit would compile the whole model again.

The machine code of a caller contains a symbol for such a function, which is given an address when the code is loaded
(`object_file.load`). It is made of the function's name and the types with which it is called, so that the function can
be compiled without a look at its callers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from hybridsim.engine.compiler.object_file import SEPARATE_PREFIX
from hybridsim.engine.compiler.signatures import CType, Signature, dual, dual_pointer, integer, integers, pointer, real
from hybridsim.typing import Function

SEPARATE_ATTRIBUTE = "returns_separately"
"""The attribute of a function that is compiled on its own: the type of what it returns."""

LETTER_OF_TYPE = {real: "d", integer: "l", pointer: "p", integers: "q", dual: "D", dual_pointer: "P"}
"""A letter for each type of an argument."""

TYPE_OF_LETTER = {letter: c_type for c_type, letter in LETTER_OF_TYPE.items()}


def separate(returns: CType) -> Callable[[Function], Function]:
    """Mark a function that is compiled on its own. Its arguments are numbers and pointers.

    Parameters
    ----------
    returns : CType
        The type of what it returns.
    """

    def mark(function: Function) -> Function:
        vars(function)[SEPARATE_ATTRIBUTE] = returns
        return function

    return mark


def returns_of(value: Any) -> CType | None:
    """Return the type of what a function returns that has been marked by `separate`; None for anything else."""
    found: CType | None = getattr(value, SEPARATE_ATTRIBUTE, None)
    return found


def symbol_of(function: Function, arguments: Sequence[CType]) -> str:
    """Return the symbol of a function that is called with arguments of these types."""
    return f"{SEPARATE_PREFIX}{function.__name__}.{''.join(LETTER_OF_TYPE[argument] for argument in arguments)}"


def function_of(symbol: str, caller: Function, number: CType = real) -> tuple[Function, Signature]:
    """Return the function with this symbol among those that a caller names, or that these name; and its C types.

    `number` is the type of what it returns if that is `real`.
    """
    _, name, letters = symbol.split(".")
    met = [caller]
    for function in met:  # it grows
        known = function.__globals__
        if (returns := returns_of(known.get(name))) is not None:
            returned = number if returns == real else returns
            return known[name], returned(*(TYPE_OF_LETTER[letter] for letter in letters))
        named = (known.get(each) for each in function.__code__.co_names)
        met += [each for each in named if isinstance(each, FunctionType) and each not in met]
    raise KeyError(symbol)


def leads_to_own_kernels(function: Function, met: dict[Function, bool]) -> bool:
    """Return whether a function is, or calls, one of this package that is compiled on its own; `met` remembers it."""
    if function not in met:
        met[function] = returns_of(function) is not None and function.__module__.startswith("hybridsim.")
        called = (function.__globals__.get(name) for name in function.__code__.co_names)
        met[function] |= any(leads_to_own_kernels(each, met) for each in called if isinstance(each, FunctionType))
    return met[function]
