"""Which helpers become a part of the functions that call them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Any

from llvmlite.binding import Linkage

LONG = 2000
"""Instructions from which on a helper that is called from several places stays a function, of those of plug-ins.

A helper of this length contains most of a mechanism's dynamics. A jump of the biped would contain ten copies, which
take longer to compile, and fit in no cache of the processor; to call one takes some nanoseconds.
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long helpers may be.

    Attributes
    ----------
    forced : float
        Most instructions of a helper that becomes a part of its callers; of longer ones the optimiser decides.
    repeated : float
        Most instructions, with all that it contains, of one that does so in several places.
    """

    forced: float
    repeated: float


def mark_helpers(module: Any, limits: Limits) -> None:
    """Mark the helpers in a module of LLVM that become a part of their callers, and those that must not."""
    functions = {each.name: each for each in module.functions if not each.is_declaration}
    bodies = {name: _length_and_calls(function, functions) for name, function in functions.items()}
    sites = Counter(chain.from_iterable(called for _, called in bodies.values()))
    whole: dict[str, int] = {}
    for name in _called_before_callers(bodies):
        length, called = bodies[name]
        whole[name] = length + sum(whole[each] for each in called)
        if functions[name].linkage != Linkage.linkonce_odr or "alwaysinline" in _attributes(functions[name]):
            continue  # it is called from outside, or marked already
        if sites[name] > 1 and whole[name] > limits.repeated:
            functions[name].add_function_attribute("noinline")
            whole[name] = 1
        elif length <= limits.forced:
            functions[name].add_function_attribute("alwaysinline")


def _attributes(function: Any) -> str:
    return b" ".join(function.attributes).decode()


def _length_and_calls(function: Any, known: Any) -> tuple[int, list[str]]:
    """Return how many instructions a function has, and the known functions that it calls, once for each call."""
    instructions = [instruction for block in function.blocks for instruction in block.instructions]
    called = (list(each.operands)[-1].name for each in instructions if each.opcode == "call")
    return len(instructions), [name for name in called if name in known]


def _called_before_callers(bodies: dict[str, tuple[int, list[str]]]) -> list[str]:
    """Return the names in an order in which each comes after those that it calls; no helper calls itself."""
    ordered: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in ordered:
            for each in bodies[name][1]:
                visit(each)
            ordered[name] = None

    for name in bodies:
        visit(name)
    return list(ordered)
