"""`config_from_keywords`: the keywords of `simulate` and `Simulation` as a RunConfig, checked like a file."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Mapping, Sequence
from typing import Any

from hybridsim.config.building import build
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.key_table import KEYS_ELSEWHERE
from hybridsim.config.run_config import RunConfig
from hybridsim.config.schema import Settings
from hybridsim.config.slots import fill_slots
from hybridsim.config.source import Address, Diagnostics, Node, Origin, shown
from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.model.registry import load_model
from hybridsim.typing import Function

KEYWORDS: Mapping[str, Address] = {
    **{name: (name,) for name in Settings.model_fields if name not in ("model", "engine", "orbit", "sweep", "metrics")},
    **{name: ("engine", name) for name in EngineSettings.model_fields},
}
"""Keyword of `simulate` -> the key of a config that it stands for."""


def config_from_keywords(model: str | os.PathLike[str] | Model, **keywords: Any) -> RunConfig:
    """Return the run that keywords describe: the keys of a config, those of its section `engine` among them.

    Parameters
    ----------
    model : str, path-like or Model
        Name of an installed model, path of a plug-in file, or a Model.
    **keywords
        See `KEYWORDS`. A missing final_time, or None, leaves the end open. In `stop`, or in its place, a pair
        `("touchdown", 24)` stands for `{"boundary": "touchdown", "count": 24}`; `record` may be a number, the period
        [s]. Numbers and arrays of numpy are accepted.

    Returns
    -------
    RunConfig
        The checked configuration.

    Raises
    ------
    ModelError
        If there is no such model, or it cannot be loaded.
    ConfigError
        If the keywords are invalid, with all problems, one a line.
    """
    diagnostics = Diagnostics()
    root, loaded = keyword_tree(model, keywords, diagnostics)
    return build(root, loaded, diagnostics, open_ended=True)


def keyword_tree(
    model: str | os.PathLike[str] | Model,
    keywords: Mapping[str, Any],
    diagnostics: Diagnostics,
    other_keywords: Sequence[str] = (),
) -> tuple[Node, Model | None]:
    """Return keywords in the form of a configuration, and the model.

    Parameters
    ----------
    model : str, path-like or Model
        As in `config_from_keywords`.
    keywords : mapping
        The keywords with their values.
    diagnostics : Diagnostics
        Gets errors for unknown keywords and parts.
    other_keywords : sequence of str
        Further keywords of the caller, for the messages.

    Returns
    -------
    Node
        The configuration, unchecked.
    Model or None
        The model with its parts; None if one of them is wrong.

    Raises
    ------
    ModelError
        If there is no such model, or it cannot be loaded.
    ConfigError
        If `model` has the wrong type.
    """
    loaded, name = _loaded(model)
    root = Node({}, Origin("keyword"))
    root = root.with_value(("model",), Node(name, Origin("keyword")))
    root = root.with_value(("final_time",), Node(None, Origin("default")))
    for keyword, value in keywords.items():
        if keyword not in KEYWORDS:
            diagnostics.problems.append(f"keyword: {keyword}: {_unknown(keyword, (*other_keywords, *KEYWORDS))}")
        else:
            node = _written_out(keyword, plain_node(value, Origin("keyword")))
            root = root.with_value(KEYWORDS[keyword], Node(node.value, Origin("keyword", name=keyword)))
    return fill_slots(root, loaded, diagnostics)


def given_keywords(function: Function, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords that a call gives.

    Parameters
    ----------
    function : callable
        The function or class, whose keyword-only parameters have the defaults of the schema.
    arguments : mapping
        Its arguments by name, with the mapping `unknown` of other keywords.

    Returns
    -------
    dict
        The keywords whose value is another object than the default, and the unknown keywords.
    """
    given = {name: arguments[name] for name, default in _defaults(function).items() if arguments[name] is not default}
    return {**given, **arguments["unknown"]}


@functools.cache
def _defaults(function: Function) -> dict[str, Any]:
    """Return the defaults of a function's keyword-only parameters; inspecting it takes a tenth of a short run."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}


def _unknown(keyword: str, known: Sequence[str]) -> str:
    here = KEYS_ELSEWHERE.get(keyword.lower())
    if here in known:
        return f"there is no such keyword; it is called `{here}` here"
    hint = nearest(keyword, known) or f"; the keywords are {', '.join(known)}"
    return f"there is no such keyword{hint}"


def _loaded(model: object) -> tuple[Model, str]:
    """Return the model, and the name or path that loads it again."""
    if isinstance(model, Model):
        return model, model.source or model.name
    if isinstance(model, str | os.PathLike):
        return load_model(model), os.fspath(model)
    raise ConfigError(
        f"keyword: model: expected a name, the path of a plug-in or a Model, found {shown(model)}; name one"
    )


def _written_out(keyword: str, node: Node) -> Node:
    """Return a value in the form of a config; Python also allows pairs in `stop`, or one, and a number as `record`."""
    if keyword == "stop" and isinstance(node.value, list):
        stops = [node] if _is_pair(node) else node.value
        return Node([_stop(item) for item in stops], node.origin)
    if keyword == "record" and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return Node({"period": node}, node.origin)
    return node


def _is_pair(node: Node) -> bool:
    """Return whether a list is not one of stops but one stop, `("touchdown", 24)`."""
    values = [item.value for item in node.value]
    return len(values) == 2 and isinstance(values[0], str) and isinstance(values[1], int | float)


def _stop(item: Node) -> Node:
    if isinstance(item.value, list) and len(item.value) == 2:
        return Node(dict(zip(("boundary", "count"), item.value, strict=True)), item.origin)
    return item


def plain_node(value: Any, origin: Origin) -> Node:
    """Return Python's containers and paths, and numpy's numbers and arrays, as nodes of one origin."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, Mapping):
        value = {printable_name(key): plain_node(item, origin) for key, item in value.items()}
    if isinstance(value, list | tuple):
        value = [plain_node(item, origin) for item in value]
    return Node(value, origin)


def printable_name(key: Any) -> str:
    """Return a key as text that can be printed; lone surrogates, which no valid name has, are escaped."""
    return str(key).encode("utf-8", "backslashreplace").decode()
