"""`config_from_keywords`: the keywords of `simulate` and `Simulation` -> a RunConfig, checked like a file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from hybridsim.config.building import build
from hybridsim.config.run_config import RunConfig
from hybridsim.config.schema import EngineSettings, Settings
from hybridsim.config.slots import fill_slots
from hybridsim.config.source import Address, Diagnostics, Node, Place, shown
from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.model.registry import load_model

KEYWORDS: Mapping[str, Address] = {
    **{name: (name,) for name in Settings.model_fields if name not in ("model", "engine", "sweep", "metrics")},
    **{name: ("engine", name) for name in EngineSettings.model_fields},
}
"""Keyword -> the key of a config that it stands for."""


def config_from_keywords(model: str | os.PathLike[str] | Model, **keywords: Any) -> RunConfig:
    """The run that keywords describe: those of a config, with the keys of `engine` among them.

    Parameters
    ----------
    model :
        a name, the path of a plug-in file, or a Model.
    keywords :
        see `KEYWORDS`. `final_time` may be missing or None. In `stop`, a pair `("touchdown", 24)` stands for
        `{"boundary": "touchdown", "count": 24}`; `record` may be a number, the period [s]. numpy's numbers and arrays
        are welcome.

    Raises
    ------
    ModelError : no such model, or one that cannot be loaded.
    ConfigError : with everything that is wrong with the keywords, one problem a line.
    """
    diagnostics = Diagnostics()
    root, loaded = keyword_tree(model, keywords, diagnostics)
    return build(root, loaded, diagnostics, open_ended=True)


def keyword_tree(
    model: str | os.PathLike[str] | Model,
    keywords: Mapping[str, Any],
    diagnostics: Diagnostics,
    others: Sequence[str] = (),
) -> tuple[Node, Model | None]:
    """What the keywords say as a configuration, and the model; unknown keywords and parts become problems.


    `others` : what else the caller takes.

    Raises
    ------
    ModelError : no such model, or one that cannot be loaded. ConfigError : something else instead of a model.
    """
    loaded, name = _loaded(model)
    root = Node({}, Place("keyword"))
    root = root.with_value(("model",), Node(name, Place("keyword")))
    root = root.with_value(("final_time",), Node(None, Place("default")))
    for keyword, value in keywords.items():
        if keyword in KEYWORDS:
            node = _spelled_out(keyword, plain_node(value, Place("keyword")))
            root = root.with_value(KEYWORDS[keyword], Node(node.value, Place("keyword", name=keyword)))
        else:
            known = (*others, *KEYWORDS)
            hint = nearest(keyword, known) or f"; the keywords are {', '.join(known)}"
            diagnostics.problems.append(f"keyword: {keyword}: there is no such keyword{hint}")
    return fill_slots(root, loaded, diagnostics)


def _loaded(model: object) -> tuple[Model, str]:
    """The model, and what loads it again."""
    if isinstance(model, Model):
        return model, model.source or model.name
    if isinstance(model, str | os.PathLike):
        return load_model(model), os.fspath(model)
    raise ConfigError(
        f"keyword: model: expected a name, the path of a plug-in or a Model, found {shown(model)}; name one"
    )


def _spelled_out(keyword: str, node: Node) -> Node:
    """What a config would say where Python allows less: pairs in `stop`, a number as `record`."""
    if keyword == "stop" and isinstance(node.value, list):
        return Node([_stop(item) for item in node.value], node.place)
    if keyword == "record" and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return Node({"period": node}, node.place)
    return node


def _stop(item: Node) -> Node:
    if isinstance(item.value, list) and len(item.value) == 2:
        return Node(dict(zip(("boundary", "count"), item.value, strict=True)), item.place)
    return item


def plain_node(value: Any, place: Place) -> Node:
    """Python's containers, paths and numpy's numbers and arrays as nodes of one place."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, Mapping):
        value = {_name(key): plain_node(item, place) for key, item in value.items()}
    if isinstance(value, list | tuple):
        value = [plain_node(item, place) for item in value]
    return Node(value, place)


def _name(key: Any) -> str:
    """The key as text that can be printed: lone surrogates, which no name has, are escaped."""
    return str(key).encode("utf-8", "backslashreplace").decode()
