"""The integration method of a config: a word, coefficients, or the plug-in file that has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticKnownError

from hybridsim.config.source import Diagnostics, Node
from hybridsim.engine.methods import METHODS, Tableau
from hybridsim.engine.methods.series import order_for, series
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model.registry import is_path, load_tableau
from hybridsim.typing import Method

OTHER_NAMES = {"taylor": "series"}
"""Names that a method has had: that of the first method of power series is now another one of the second."""


def _method(value: Any) -> str | Tableau:
    """Return a word of `Method`, or a method made of coefficients; one that is bundled is its word."""
    if isinstance(value, Mapping):
        try:
            value = Tableau(**value)
        except (ConfigError, TypeError) as problem:
            raise ValueError(_as_method(problem)) from None
    if isinstance(value, Tableau):
        if value.name not in METHODS:
            return value
        if value.name == "series":
            raise ValueError("the order of `series` follows from rtol: give the word 'series'")
        if value is METHODS[value.name]():
            return value.name
        raise ValueError(f"{value.name} is the name of a bundled method; give this one a name of its own")
    if isinstance(value, str) and value in OTHER_NAMES:
        return OTHER_NAMES[value]
    if not isinstance(value, str) or value not in get_args(Method):
        words = [repr(word) for word in get_args(Method)]
        raise PydanticKnownError("literal_error", {"expected": f"{', '.join(words[:-1])} or {words[-1]}"})
    return value


def _as_method(problem: Exception) -> str:
    """Return what is wrong with coefficients; Python's message about a missing one begins with its own name of it."""
    return str(problem).removeprefix("Tableau.__init__() ")


MethodEntry = Annotated[
    Method | Tableau,
    PlainValidator(_method),
    PlainSerializer(lambda method: method.keywords() if isinstance(method, Tableau) else method),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(get_args(Method)), "type": "string"},
                {"pattern": r"\.py$", "type": "string"},
                {"required": ["name", "a", "b", "order"], "type": "object"},
            ]
        }
    ),
]
"""The type of the key `engine.method`."""


def tableau_of(method: str | Tableau, rtol: float = 0.0) -> Tableau:
    """Return the coefficients of a method, whose order may depend on the tolerance."""
    if method in ("series", *OTHER_NAMES):
        return series(order_for(rtol))
    return method if isinstance(method, Tableau) else METHODS[method]()


def with_coefficients(root: Node, diagnostics: Diagnostics) -> Node:
    """Return the configuration with the coefficients in place of the plug-in file that `engine.method` names.

    So the run, and whatever is written about it, has the coefficients, and nothing needs the file again.
    """
    node = root.section("engine").get("method")
    if node is None or not isinstance(node.value, str) or not is_path(node.value):
        return root
    try:
        method = load_tableau(node.value, node.origin.folder)
    except (ModelError, OSError, ValueError) as problem:
        diagnostics.error(root, ("engine", "method"), str(problem))
        method = METHODS["dp5"]()
    return root.with_value(("engine", "method"), Node(method, node.origin))
