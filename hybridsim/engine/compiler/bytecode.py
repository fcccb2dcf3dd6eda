"""What the bytecode of a function contains: its instructions, and the names of what it uses from outside."""

from __future__ import annotations

import dis
import hashlib
import inspect
import types as python_types
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple


class Reference(NamedTuple):
    """A global or a variable of the enclosing function, as the bytecode of a function names it.

    Attributes
    ----------
    name : str
        Name of the variable.
    path : tuple of str
        Attributes that are read from it one after the other: ("random", "rand") in `np.random.rand`.
    """

    name: str
    path: tuple[str, ...]


class Code(NamedTuple):
    """The contents of a code object.

    Attributes
    ----------
    digest : str
        Hash of the instructions with their constants.
    references : tuple of Reference
        Variables from outside, in a fixed order.
    names : tuple of str
        All names of globals and attributes, sorted.
    """

    digest: str
    references: tuple[Reference, ...]
    names: tuple[str, ...]


@lru_cache(maxsize=4096)
def read_code(code: python_types.CodeType) -> Code:
    """Hash the instructions of a code object and list its references; nested functions included.

    A docstring is a constant that no instruction loads, so that it does not count.
    """
    variadic = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    pieces = [repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, variadic))]
    pieces += [repr(code.co_varnames), repr(code.co_freevars), repr(code.co_cellvars), repr(code.co_exceptiontable)]
    references, names = set(), set(code.co_names)
    instructions = list(dis.get_instructions(code))
    for position, instruction in enumerate(instructions):
        constant = instruction.opcode in dis.hasconst
        pieces += [instruction.opname, _constant(instruction.argval) if constant else _argument(instruction)]
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            references.add(Reference(instruction.argval, tuple(_attributes(instructions[position + 1 :]))))
        if constant and isinstance(instruction.argval, python_types.CodeType):
            inner = read_code(instruction.argval)
            references |= {*inner.references}
            names |= {*inner.names}
    return Code(digest(*pieces), tuple(sorted(references)), tuple(sorted(names)))


def _attributes(instructions: list[dis.Instruction]) -> Iterator[str]:
    """The attributes that the first instructions read one from the other."""
    for instruction in instructions:
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield str(instruction.argval)
        else:
            return


def _argument(instruction: dis.Instruction) -> str:
    jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
    return repr(instruction.argval) if jumps else instruction.argrepr


def _constant(value: Any) -> str:
    """Hash a constant of a code object."""
    if isinstance(value, python_types.CodeType):
        return read_code(value).digest
    if isinstance(value, tuple):
        return digest("tuple", *map(_constant, value))
    if isinstance(value, frozenset):
        return digest("frozenset", *sorted(map(_constant, value)))
    return digest(type(value).__name__, repr(value))


def digest(*pieces: str | bytes) -> str:
    """Hash some pieces; their lengths keep them apart."""
    encoded = [piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece for piece in pieces]
    return hashlib.sha256(b"".join(b"%d:%b" % (len(piece), piece) for piece in encoded)).hexdigest()[:32]
