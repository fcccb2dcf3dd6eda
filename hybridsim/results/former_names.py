"""Former names of public attributes: scripts that still use one get its new name in the error."""

from __future__ import annotations

from typing import Any, TypeVar

FORMER_ATTRIBUTES = {
    "other": "adjacent_chart",
    "weight": "sliding_weight",
    "stays": "chart_intervals",
    "fields": "chart_fields",
}
"""Former name -> present name."""

C = TypeVar("C", bound=type)


def explain_former_attributes(cls: C) -> C:
    """Make a class name the present attribute in the AttributeError for a former one."""

    def refuse_missing(self: Any, name: str) -> Any:
        present = FORMER_ATTRIBUTES.get(name)
        hint = f"; it is now called `{present}`" if present is not None and hasattr(self, present) else ""
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    cls.__getattr__ = refuse_missing  # type: ignore[attr-defined]
    return cls
