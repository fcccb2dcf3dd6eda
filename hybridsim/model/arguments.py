"""Clear messages for arguments that `Model`, `Plant` and `Part` do not take, older forms of plug-ins among them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from hybridsim.errors import ModelError
from hybridsim.model.contract import PLANT_ONLY, signature
from hybridsim.model.table import nearest

FORMER_KEYWORDS = {
    "functions": "each function is given by its own keyword, `vector_field=vector_field`",
    "fields": "the bit fields of a chart are given as `chart_fields`",
    "bits": "the names of bits are given as `bit_names`",
    "coupling": "the coupling functions are given as `couplings`",
}
"""Former keyword, which older plug-ins use -> how to write the argument now."""

C = TypeVar("C", bound=type)


def explain_arguments(cls: C) -> C:
    """Make a class report arguments that its constructor does not take as a ModelError with a remedy."""
    construct = cls.__init__  # type: ignore[misc]
    parameters = [name for name in inspect.signature(construct).parameters if name != "self"]
    positional = [
        name
        for name, parameter in inspect.signature(construct).parameters.items()
        if name != "self" and parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]

    @functools.wraps(construct)
    def construct_or_explain(self: Any, *given: Any, **named: Any) -> None:
        what = f"{cls.__name__.lower()} {given[0] if given else named.get('name', '')!r}"
        problem = _problem(cls.__name__, given, named, positional, parameters)
        if problem:
            raise ModelError(f"{what}: {problem}")
        construct(self, *given, **named)

    cls.__init__ = construct_or_explain  # type: ignore[misc]
    return cls


def _problem(
    kind: str, given: Sequence[Any], named: Mapping[str, Any], positional: Sequence[str], parameters: Sequence[str]
) -> str:
    """Return what is wrong with these arguments and how to write them, or ""."""
    if len(given) > len(positional):
        return (
            f"{kind} takes its {' and '.join(positional)} by position, and everything else by keyword; write "
            f'`{kind}("name", STATES, vector_field=vector_field, boundaries=boundaries, boundary_records=BOUNDARIES)`'
        )
    for name in named:
        if name in FORMER_KEYWORDS:
            return f"`{name}` is no argument of {kind}: {FORMER_KEYWORDS[name]}"
        if name in PLANT_ONLY and name not in parameters:
            return f"`{name}` belongs to the plant alone; a part cannot have it, so remove it"
        if name not in parameters:
            listed = f"; it takes {', '.join(parameters)}"
            return f"{kind} has no argument `{name}`{nearest(name, parameters) or listed}"
    if named.get("vector_field") is None and kind not in ("Part", "Slot"):
        return (
            f"the function `{signature('vector_field')}` is missing; write it, and give it as "
            "`vector_field=vector_field`"
        )
    return ""
