"""Expressions as straight-line programs, which numbers of any kind can be put through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from hybridsim.graph.elementary import Operations
from hybridsim.graph.nodes import Graph

Instruction = tuple[Any, ...]
"""As a node, with the places of the results of earlier instructions."""

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
"""Operations that numbers of every kind do by Python's operators."""


class Program:
    """The instructions that compute some expressions.

    Parameters
    ----------
    graph : Graph
        Their graph.
    roots : sequence of int
        The expressions.
    variables : collection of str, optional
        The arguments that vary from call to call; what does not depend on them can be computed once, by `prepare`. By
        default all of them.

    Attributes
    ----------
    instructions : list of tuple
        The instructions in order; result k is that of instruction k.
    results : list of int
        The places of the expressions among the results.
    """

    def __init__(self, graph: Graph, roots: Sequence[int], variables: Collection[str] | None = None) -> None:
        nodes = graph.reachable(roots)
        place = {a: k for k, a in enumerate(nodes)}
        self.instructions: list[Instruction] = []
        self._varies: list[bool] = []
        for a in nodes:
            operation, *others = graph.nodes[a]
            if operation in ("input", "const"):
                self.instructions.append((operation, others[0]))
                self._varies.append(operation == "input" and (variables is None or others[0] in variables))
                continue
            n = 1 if operation == "power" else len(others)
            self.instructions.append((operation, *(place[b] for b in others[:n]), *others[n:]))
            self._varies.append(any(self._varies[place[b]] for b in others[:n]))
        self.results = [place[root] for root in roots]

    @cached_property
    def _parts(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Return what computes the instructions that do not vary, and the others: Python functions made of lines."""
        fixed: list[str] = []
        varying: list[str] = []
        for k, (operation, first, *others) in enumerate(self.instructions):
            if operation in ("input", "const"):
                line = f"x[{first!r}]" if operation == "input" else f"f['const']({first!r})"
            elif operation in SIGNS:
                line = f"v{first} {SIGNS[operation]} v{others[0]}"
            elif operation == "neg":
                line = f"-v{first}"
            elif operation == "power":
                line = f"f['power'](v{first}, {others[0]})"
            else:
                line = f"f[{operation!r}](v{first})"
            (varying if self._varies[k] else fixed).append(f"    v{k} = {line}")
        kept = [f"v{k}" for k in self._kept]
        results = ", ".join(f"v{k}" for k in self.results)
        text = ["def prepare(x, f):", *fixed, f"    return [{', '.join(kept)}]", "def finish(x, f, kept):"]
        text += [*([f"    [{', '.join(kept)}] = kept"] if kept else []), *varying, f"    return [{results}]"]
        made: dict[str, Any] = {}
        exec(compile("\n".join(text), "<program>", "exec"), made)
        return made["prepare"], made["finish"]

    @property
    def _kept(self) -> list[int]:
        """The places of what does not vary and is needed by what does, or is a result."""
        needed = {k for k in self.results if not self._varies[k]}
        for k, (operation, *others) in enumerate(self.instructions):
            if self._varies[k] and operation != "input":
                taken = others[:1] if operation == "power" else others
                needed |= {a for a in taken if not self._varies[a]}
        return sorted(needed)

    def prepare(self, inputs: Mapping[str, Any], operations: Operations) -> list[Any]:
        """Compute what does not depend on the variables; for the arguments see `__call__`."""
        found: list[Any] = self._parts[0](inputs, operations)
        return found

    def __call__(
        self, inputs: Mapping[str, Any], operations: Operations, prepared: list[Any] | None = None
    ) -> list[Any]:
        """Compute the expressions.

        Parameters
        ----------
        inputs : mapping of str to number
            The arguments by name.
        operations : mapping of str to callable
            How numbers of this kind do each operation.
        prepared : list, optional
            What `prepare` has computed.

        Returns
        -------
        list
            Their values.
        """
        found: list[Any] = self._parts[1](
            inputs, operations, self.prepare(inputs, operations) if prepared is None else prepared
        )
        return found
