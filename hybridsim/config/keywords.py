"""`config_from_keywords`: the keywords of `simulate` and `Simulation` as a RunConfig, checked like a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from hybridsim.config.building import build, fill_slots
from hybridsim.config.driven_inputs import follows_time, with_driven_inputs
from hybridsim.config.key_table import KEYS_ELSEWHERE
from hybridsim.config.run_config import RunConfig
from hybridsim.config.schema import Settings
from hybridsim.config.source import Address, Diagnostics, Node, Origin, show
from hybridsim.engine.methods import Tableau
from hybridsim.errors import ConfigError, unknown_keyword
from hybridsim.model import Model
from hybridsim.model.registry import load_model
from hybridsim.typing import Method


class CommonKeywords(TypedDict, total=False):
    """What runs, sweeps and evaluators take as keywords. The schema has their meanings; `shows_keywords` shows them."""

    parameters: Mapping[str, Any] | None
    inputs: Mapping[str, Any] | None
    initial: Mapping[str, Any] | None
    initial_chart: int | str | None
    initial_time: float
    final_time: float | None
    stop: Sequence[Any]
    method: Method | Tableau
    rtol: float
    atol: float
    first_step: float | None
    max_step: float
    min_step: float
    power: float
    stop_precision: float
    touch_precision: float | None
    zeno_precision: float
    max_stop_iterations: int
    max_transitions: int
    max_steps: int | None


class RunKeywords(CommonKeywords, total=False):
    """The keywords of `simulate` and `Simulation`."""

    max_wall_time: float | None
    record: bool | float | Mapping[str, Any]


ONLY_IN_FILES: Mapping[str, str] = {
    "output": "only a config has it; write run.save(path), or for a sweep folder=...",
    "progress_period": "only a config has it; run(progress=function) of a Simulation tells how far it is",
    "view": "only a config has it; `hybridsim run MODEL --view` shows a run",
    "engine": "its keys are keywords of their own; write method=..., rtol=...",
}
"""Key of a config that is no keyword -> what to do instead."""

KEYWORDS: Mapping[str, Address] = {
    name: (name,) if name in Settings.model_fields else ("engine", name) for name in RunKeywords.__annotations__
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
    known: Iterable[str] = tuple(KEYWORDS),
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
    known : iterable of str
        All keywords of the caller, for messages.

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
    loaded, name = _load(model)
    root = Node({}, Origin("keyword"))
    root = root.with_value(("model",), Node(name, Origin("keyword")))
    root = root.with_value(("final_time",), Node(None, Origin("default")))
    for keyword, value in keywords.items():
        if keyword not in KEYWORDS:
            other = ONLY_IN_FILES.get(keyword)
            problem = f"there is no such keyword: {other}" if other else unknown_keyword(keyword, known, KEYS_ELSEWHERE)
            diagnostics.problems.append(f"keyword: {keyword}: {problem}")
        else:
            node = _write_out(keyword, plain_node(value, Origin("keyword")))
            root = root.with_value(KEYWORDS[keyword], Node(node.value, Origin("keyword", name=keyword)))
    if any(map(follows_time, root.section("inputs").values())):
        root, loaded = _with_driven_inputs(root, model, loaded, diagnostics)
    return fill_slots(root, loaded, diagnostics)


def _with_driven_inputs(root: Node, model: object, loaded: Model, diagnostics: Diagnostics) -> tuple[Node, Model]:
    """Return values and the model whose inputs follow time; it has to come from a file."""
    if isinstance(model, Model) and not (model.source and load_model(model.source) is model):
        text = f"inputs of {model.name}, which was made in a session, cannot follow time; write it into a plug-in file"
        diagnostics.error(root, ("inputs",), text)
        return root, loaded
    root = with_driven_inputs(root, diagnostics)
    return root, load_model(root.value["model"].value)


def _load(model: object) -> tuple[Model, str]:
    """Return the model, and the name or path that loads it again."""
    if isinstance(model, Model):
        return model, model.source or model.name
    if isinstance(model, str | os.PathLike):
        return load_model(model), os.fspath(model)
    raise ConfigError(
        f"keyword: model: expected a name, the path of a plug-in or a Model, found {show(model)}; name one"
    )


def _write_out(keyword: str, node: Node) -> Node:
    """Return a value as a config has it; Python also allows pairs in `stop`, or one."""
    if keyword == "stop" and isinstance(node.value, list):
        stops = [node] if _is_pair(node) else node.value
        return Node([_stop(item) for item in stops], node.origin)
    if keyword in ("parameters", "inputs", "initial") and node.value is None:
        return Node({}, node.origin)
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
