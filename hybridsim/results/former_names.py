"""Former names of statuses, replaced when a file is read, and of attributes, for which errors give the present name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

C = TypeVar("C", bound=type)

RENAMED_STATUSES: Mapping[str, str] = {"OUTSIDE_PATCH": "OUTSIDE_CHART"}
"""Former name of a status -> its present name."""


def present_status(name: str) -> str:
    """Return the present name of a status in a file."""
    return RENAMED_STATUSES.get(name, name)


def explain_former_attributes(**present: str) -> Callable[[C], C]:
    """Return a decorator of classes: the AttributeError for a former attribute gives its present name.

    Parameters
    ----------
    **present : str
        Former attribute -> what to write instead.

    Returns
    -------
    callable
        The decorator of the class.
    """

    def explain(cls: C) -> C:
        def refuse_missing(self: Any, name: str) -> Any:
            hint = f"; write `{present[name]}` instead" if name in present else ""
            raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

        cls.__getattr__ = refuse_missing  # type: ignore[attr-defined]
        return cls

    return explain
