"""Inputs that follow time: `inputs: {force: 8*sin(3*t)}`, or `{force: {file: trial.csv, column: F, between: linear}}`.

Like a described model, the model with such inputs becomes a plug-in file in the cache, which run files name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast, get_args

import numpy as np

from hybridsim.config.formulas import CONSTANTS, FUNCTIONS, advice_on_call, fold, read_formula
from hybridsim.config.identification_data import read_columns
from hybridsim.config.source import Diagnostics, Node, show
from hybridsim.config.values import is_angle
from hybridsim.errors import ConfigError, ModelError, nearest
from hybridsim.model import Model
from hybridsim.model.codegen import write_generated
from hybridsim.model.parts import Plant
from hybridsim.model.registry import load_model
from hybridsim.typing import Between, FloatArray

PLUGIN = '''"""{name}, whose inputs {inputs} follow time as a config says."""

from hybridsim.model.driven import drive
from hybridsim.model.registry import load_model

MODEL = drive(
    load_model({model!r}),
    {formulas!r},
    {tables!r},
)
'''

KEYS = ("file", "column", "time", "between")


def with_driven_inputs(root: Node, diagnostics: Diagnostics) -> Node:
    """Return values in which a model with inputs that follow time is the path of a plug-in, and these are held no more.

    Parameters
    ----------
    root : Node
        The values.
    diagnostics : Diagnostics
        Gets what is wrong with the inputs.
    """
    given = {name: node for name, node in root.section("inputs").items() if follows_time(node)}
    named = root.value.get("model")
    if not given or named is None or not isinstance(named.value, str):
        return root
    try:
        model = load_model(named.value, named.origin.folder)
    except (ModelError, OSError, RuntimeError, ValueError):
        return root  # whoever loads the model says so
    if isinstance(model, Plant):
        diagnostics.error(
            root, ("inputs", next(iter(given))), f"inputs of {model.name}, which has slots, cannot follow time"
        )
        return root
    formulas, tables = dict[str, str](), dict[str, list[float]]()
    for name, node in given.items():
        try:
            if name not in model.inputs.names:
                continue  # whoever reads the inputs says so
            if isinstance(node.value, str):
                formulas[name] = source_of(node.value, model)
            else:
                tables[name] = pieces_of(*_samples(node, model.inputs[name].unit), _between(node)).ravel().tolist()
        except ConfigError as failure:
            for problem in failure.problems:
                diagnostics.error(root, ("inputs", name), problem)
    held = {key: node for key, node in root.section("inputs").items() if key not in {*given} & {*model.inputs.names}}
    values = {**root.value, "inputs": Node(held, root.value["inputs"].origin)}
    if formulas or tables:
        source = named.value if named.value.isidentifier() else model.source
        values["model"] = Node(driven_file(source, formulas, tables), named.origin)
    return Node(values, root.origin)


def follows_time(node: Node) -> bool:
    """Return whether an input is given as a formula, or as a mapping that names a table."""
    return isinstance(node.value, dict) or (isinstance(node.value, str) and not is_angle(node.value))


def driven_file(source: str, formulas: Mapping[str, str], tables: Mapping[str, list[float]]) -> str:
    """Write the plug-in of a model whose inputs follow time, and return its path.

    Parameters
    ----------
    source : str
        Name or path of the model.
    formulas, tables : mapping
        As of `hybridsim.model.driven.drive`.
    """
    name, followed = Path(source).stem, ", ".join([*formulas, *tables])
    text = PLUGIN.format(name=name, inputs=followed, model=source, formulas=dict(formulas), tables=dict(tables))
    return str(write_generated(f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}.py", text))


def source_of(text: str, model: Model) -> str:
    """Return a formula of t and the parameters of a model in Python.

    Raises
    ------
    ConfigError
        If it is none.
    """
    indices = model.p_indices
    scalars = [each.name for each in model.parameters if not each.choices and not each.is_array]

    def leaf(what: float | str) -> str:
        if not isinstance(what, str):
            return repr(what)
        if what in CONSTANTS:
            return repr(CONSTANTS[what])
        if what != "t" and what not in scalars:
            name = what.partition("(")[0]
            hint = advice_on_call(name) if "(" in what else nearest(what, ["t", *scalars])
            raise ConfigError(
                f"expected a number, or a formula of t and parameters, found {show(what)} in {show(text)}"
                f"{hint or '; write for example 2*sin(3*t)'}"
            )
        return "t" if what == "t" else f"p[{indices[what]}]"

    tree = read_formula(text, "a formula of t and parameters")
    return fold(tree, leaf, lambda name, arguments: FUNCTIONS[name].source.format(*arguments))


def _between(node: Node) -> Between:
    given = node.value.get("between")
    word = "linear" if given is None else given.value
    if word not in get_args(Between):
        raise ConfigError(f"between: expected one of {', '.join(get_args(Between))}, found {show(word)}; choose one")
    return cast("Between", word)


def _samples(node: Node, unit: str) -> tuple[FloatArray, FloatArray]:
    """Return times [s] and values [unit] of the samples that an input names."""
    for key in node.value:
        if key not in KEYS:
            raise ConfigError(f"there is no key {key!r}{_nearest(key, KEYS)}")
    for key in ("file", "column"):
        if key not in node.value or not isinstance(node.value[key].value, str):
            raise ConfigError(f"{key}: expected a text; write {{file: trial.csv, column: F}}")
    path = node.value["file"].origin.folder / Path(node.value["file"].value).expanduser()
    time = node.value["time"].value if "time" in node.value else "t"
    column = node.value["column"].value
    table = read_columns(path, time, [column], gaps=False)
    for name, expected in ((time, "s"), (column, unit)):
        if expected and table.units.get(name, expected) != expected:
            raise ConfigError(f"{path}: expected {name} in {expected}, found [{table.units[name]}]; convert it")
    return table.t, table.values[:, 0]


def pieces_of(t: FloatArray, values: FloatArray, between: Between) -> FloatArray:
    """Return a table as pieces of polynomials, (n, 5): where each begins, and its coefficients from 1 to s^3."""
    if len(t) == 1 or between == "hold":
        return np.column_stack([t, values, np.zeros((len(t), 3))])
    pieces = np.zeros((len(t) - 1, 5))
    pieces[:, 0], pieces[:, 1] = t[:-1], values[:-1]
    if between == "linear":
        pieces[:, 2] = np.diff(values) / np.diff(t)
    else:
        from scipy.interpolate import CubicSpline  # noqa: PLC0415  (only this case needs it)

        pieces[:, 1:] = CubicSpline(t, values).c[::-1].T
    return pieces


def _nearest(name: str, known: Sequence[str]) -> str:
    return nearest(name, known) or f"; it has {', '.join(known)}"
