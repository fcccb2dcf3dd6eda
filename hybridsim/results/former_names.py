"""Former names of public attributes: scripts that still use one get what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def explain_former_attributes(**present: str) -> Callable[[C], C]:
    """Make a class say, in the AttributeError for a former attribute, what to write instead.

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
