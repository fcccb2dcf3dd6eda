"""Messages for the errors that the schema finds: what was expected, what was found, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from hybridsim.config.field_types import ConfigSection
from hybridsim.config.key_table import KEYS_ELSEWHERE
from hybridsim.config.schema import Settings, section_at
from hybridsim.config.source import Address, join_address, show
from hybridsim.config.values import section_names
from hybridsim.model import Model, nearest

_EXPECTED: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "float_type": lambda _: "a number",
    "int_type": lambda _: "a whole number",
    "finite_number": lambda _: "a finite number",
    "bool_type": lambda _: "true or false (1 or 0 in an rc file)",
    "string_type": lambda _: "a text",
    "string_unicode": lambda _: "a text in valid Unicode",
    "string_too_short": lambda _: "a text that is not empty",
    "string_pattern_mismatch": lambda _: "a name without control characters, and for `base` without folders",
    "tuple_type": lambda _: "a list",
    "dict_type": lambda _: "a mapping of `name: value` entries",
    "model_type": lambda _: "a mapping of `key: value` entries",
    "greater_than": lambda limit: f"a number above {limit['gt']:g}",
    "greater_than_equal": lambda limit: f"a number of at least {limit['ge']:g}",
    "less_than_equal": lambda limit: f"a number of at most {limit['le']:g}",
    "literal_error": lambda choice: f"one of {choice['expected']}",
}
"""pydantic's type of an error, of those that this schema can produce -> what was expected."""

METHODS_ELSEWHERE = {
    **dict.fromkeys(("rk45", "ode45", "dopri5", "dopri", "dormand_prince", "rkdp"), "dp5"),
    **dict.fromkeys(("dop", "dopri853", "dop8", "rk853", "dp8"), "dop853"),
    **dict.fromkeys(("tsit", "tsitouras", "tsit54"), "tsit5"),
    **dict.fromkeys(("rodas", "rodas5", "rosenbrock", "stiff", "radau", "bdf", "lsoda", "ode15s", "ode23s"), "rodas5p"),
    **dict.fromkeys(("heyoka", "jets", "taylor_series", "taylor_adaptive"), "series"),
    **dict.fromkeys(("rk", "runge_kutta", "rungekutta", "classical"), "rk4"),
}
"""What other programs call a method, in lower case -> the method."""


def explain(error: ErrorDetails, model: Model | None, root: type[ConfigSection] = Settings) -> str:
    """Return the message, without its origin, for one error that pydantic found.

    Parameters
    ----------
    error : ErrorDetails
        The error, with its address in `Settings`.
    model : Model or None
        The model, if it could be loaded; its names make better advice.
    root : type of ConfigSection
        The keys at the top.

    Returns
    -------
    str
        The message; of a method with several mistakes, a line for each.
    """
    address = error["loc"]
    if error["type"] == "extra_forbidden":
        return _unknown(address, model, root)
    if address[0] == "stop" and isinstance(error["input"], str) and "model" in error["type"]:
        example = f"{{boundary: {error['input']}}}, or {{state: NAME, value: NUMBER}}"
        return f"expected a mapping, found {error['input']!r}; write {example}"
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    advice = _advice(address, root)
    if error["type"] == "missing":
        return f"this key is required{advice or '; add it'}"
    expected = _EXPECTED[error["type"]](error.get("ctx", {}))
    if error["type"] == "literal_error":
        given = str(error["input"])
        known = METHODS_ELSEWHERE.get(given.lower(), given) if address[-1] == "method" else given
        advice = nearest(known, re.findall(r"'(\w+)'", expected)) or advice
    return f"expected {expected}, found {show(error['input'])}{advice or '; correct or remove it'}"


def _advice(address: Address, root: type[ConfigSection]) -> str:
    field = section_at(address, root).model_fields.get(str(address[-1]))
    if field is None or (field.is_required() and not field.examples):
        return ""
    example = field.examples[0] if field.examples else field.get_default(call_default_factory=True)
    written = _write_example(example)
    return f"; give for example {written}" if written.strip("[]{}") else ""


def _write_example(example: Any) -> str:
    """Return how an example is written in YAML, on one line."""
    if isinstance(example, ConfigSection):
        example = example.model_dump(exclude_none=True)
        example = dict([next(iter(example.items()))])
    if isinstance(example, dict):
        return f"{{{', '.join(f'{key}: {_write_example(value)}' for key, value in example.items())}}}"
    if isinstance(example, list | tuple):
        return f"[{', '.join(map(_write_example, example))}]"
    return example if isinstance(example, str) else show(example) if isinstance(example, bool) else repr(example)


def find_key(name: str) -> str:
    """Return the dotted key with this name, `engine.rtol` for `rtol`; "" if there is none outside the model.

    A name with a dot is one already, and so is an option of the command line.
    """
    return (
        name
        if "." in name or name.startswith("--") or name in section_at((name,)).model_fields
        else _sections_of_names(None).get(name, "")
    )


def _unknown(address: Address, model: Model | None, root: type[ConfigSection]) -> str:
    name = str(address[-1])
    home = _sections_of_names(model).get(name) if len(address) == 1 and root is Settings else None
    known = tuple(section_at(address, root).model_fields)
    here = "" if home else find_key(KEYS_ELSEWHERE.get(join_address(address).lower(), ""))
    if here:
        return f"there is no such key; it is called `{here}` here"
    hint = f"; did you mean `{home}`?" if home else nearest(name, known)
    return f"there is no such key{hint}" if hint else f"there is no such key; the keys here are {', '.join(known)}"


def _sections_of_names(model: Model | None) -> dict[str, str]:
    """Return the mapping from names inside a section to dotted keys: `rtol` -> `engine.rtol`."""
    sections = {name: tuple(section_at((name, "")).model_fields) for name in ("engine", "record", "output", "sweep")}
    if model is not None:
        sections |= section_names(model)
    return {name: f"{section}.{name}" for section, names in sections.items() for name in names}
