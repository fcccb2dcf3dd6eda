"""Clear messages for arguments that models, parts and records do not take."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from hybridsim.errors import ModelError, unknown_keyword
from hybridsim.model.contract import PLANT_ONLY, signature

C = TypeVar("C", bound=type)


def explain_arguments(cls: C) -> C:
    """Make a class report arguments that its constructor does not take as a ModelError with a remedy."""
    construct = cls.__init__  # type: ignore[misc]
    parameters = {name: taken for name, taken in inspect.signature(construct).parameters.items() if name != "self"}

    @functools.wraps(construct)
    def construct_or_explain(self: Any, *given: Any, **named: Any) -> None:
        problem = _problem(cls.__name__, given, named, parameters)
        if problem:
            what = f"{cls.__name__.lower()} {given[0] if given else named.get('name', '')!r}"
            raise ModelError(f"{what}: {problem}")
        construct(self, *given, **named)

    cls.__init__ = construct_or_explain  # type: ignore[misc]
    return cls


def _problem(
    kind: str, given: Sequence[Any], named: Mapping[str, Any], parameters: Mapping[str, inspect.Parameter]
) -> str:
    """Return what is wrong with these arguments and how to write them, or ""."""
    positional = [name for name, taken in parameters.items() if taken.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if len(given) > len(positional):
        return _too_many(kind, len(given), positional, "vector_field" in parameters)
    for name in named:
        if name not in parameters:
            return _unknown(name, parameters)
        if name in positional[: len(given)]:
            return f"{kind} is given `{name}` twice, by position and by keyword; remove one of them"
    supplied = {*positional[: len(given)], *(name for name, value in named.items() if value is not None)}
    return _missing(kind, supplied, parameters)


def _too_many(kind: str, n_given: int, positional: Sequence[str], has_functions: bool) -> str:
    if not has_functions:
        return f"{kind} takes {', '.join(positional)}, found {n_given} values; remove some"
    return (
        f"{kind} takes its {' and '.join(positional)} by position, and everything else by keyword; write "
        f'`{kind}("name", STATES, vector_field=vector_field, boundaries=boundaries, boundary_records=BOUNDARIES)`'
    )


def _unknown(name: str, parameters: Collection[str]) -> str:
    if name in PLANT_ONLY:
        return f"`{name}` belongs to the plant alone; a part cannot have it, so remove it"
    return f"{name}: {unknown_keyword(name, parameters, {})}"


def _missing(kind: str, given: Collection[str], parameters: Mapping[str, inspect.Parameter]) -> str:
    """Return which required argument is missing and how to give it, or ""."""
    for name, taken in parameters.items():
        if taken.default is inspect.Parameter.empty and name not in given:
            if name != "vector_field":
                return f"{kind} needs an argument `{name}`; add it"
            return f"the function `{signature(name)}` is missing; write it, and give it as `vector_field=vector_field`"
    return ""
