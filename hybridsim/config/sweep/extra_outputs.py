"""Extra outputs of a sweep: functions of a plug-in file that metrics may name like outputs of the model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path

from hybridsim.config.source import Diagnostics, Node
from hybridsim.config.sweep.axis_values import path_of
from hybridsim.config.sweep_settings import SweepSettings
from hybridsim.engine.compiler.rules import refuse_forbidden_statements
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.plugin_file import load_functions
from hybridsim.typing import Function

ARGUMENTS = ("t", "x", "p", "chart")


def read_extra_outputs(root: Node, model: Model, diagnostics: Diagnostics) -> tuple[Mapping[str, Function], str] | None:
    """Load the functions of the file that `sweep.extra_outputs` names.

    Parameters
    ----------
    root : Node
        The configuration.
    model : Model
        The model.
    diagnostics : Diagnostics
        Gets errors for a file that cannot be loaded, and for functions that cannot be used.

    Returns
    -------
    tuple of dict and str, or None
        The functions by name and the absolute path of the file, ({}, "") if the configuration names none; None after
        an error, including those that the schema reports.
    """
    section = root.section("sweep")
    node = section.get("extra_outputs")
    if node is None or node.value is None:
        misspelt = any(name not in SweepSettings.model_fields for name in section)
        return None if misspelt else ({}, "")  # the schema reports the misspelt key, which may mean this one
    if not isinstance(node.value, str):
        return None  # the schema reports it
    path = path_of(node)
    try:
        functions = load_functions(path)
        problems = list(_problems(path, functions, model))
    except (ModelError, OSError) as failure:
        problems = [str(failure)]
    for problem in problems:
        diagnostics.error(root, ("sweep", "extra_outputs"), problem)
    return None if problems else (functions, str(path))


def _problems(path: Path, functions: Mapping[str, Function], model: Model) -> Iterator[str]:
    if not functions:
        yield f"{path}: it defines no public function; write `def NAME(t, x, p, chart):` that returns a number"
    for name, function in functions.items():
        where = f"{path}:{inspect.unwrap(function).__code__.co_firstlineno}: `{name}`"
        taken = tuple(inspect.signature(function).parameters)
        if len(taken) != len(ARGUMENTS):
            yield (
                f"{where} takes ({', '.join(taken)}); expected {name}({', '.join(ARGUMENTS)}); "
                f"correct its arguments, or call it _{name} if it is no output"
            )
        elif name in (*model.states.names, *model.output_records.names, "t"):
            yield f"{where} has the name of a state or output of the model {model.name}; choose another name"
        else:
            try:
                refuse_forbidden_statements(function)
            except ModelError as failure:
                yield str(failure)
