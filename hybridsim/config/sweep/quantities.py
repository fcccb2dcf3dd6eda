"""Formulas of states, outputs and parameters inside a metric, `max(abs(y))`: an extra output is generated for each."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hybridsim.config.formulas import CONSTANTS, FUNCTIONS, advice_on_call, fold, unit_of
from hybridsim.config.source import show
from hybridsim.config.values import entry_of
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.errors import ConfigError
from hybridsim.model import Model, Records, list_names, nearest
from hybridsim.model.codegen import load_generated
from hybridsim.typing import Function


class Quantities:
    """What metrics may be of, and the functions of those that are formulas.

    Parameters
    ----------
    model : Model
        The model.
    extra_outputs : mapping or None
        The extra outputs by name; None if they could not be loaded.

    Attributes
    ----------
    functions : dict
        Functions `f(t, x, p, chart) -> float` by the texts of formulas.
    """

    def __init__(self, model: Model, extra_outputs: Mapping[str, Function] | None) -> None:
        self._model, self._extra_outputs = model, extra_outputs
        self.functions: dict[str, Function] = {}
        outputs, states = model.output_records, model.states
        self._units = {"t": "s", **dict.fromkeys(extra_outputs or (), "")}
        self._tables = states, outputs  # the outputs win where both have a name
        self._units |= {each.name: each.unit for table in self._tables for each in table.blocks if not each.n_entries}
        numbers = (each for each in model.parameters if not (each.choices or each.is_array))
        self._fixed = {each.name: each.unit for each in numbers} | {each.name: each.unit for each in model.inputs}

    def read(self, tree: ast.expr) -> tuple[str, str]:
        """Return the name or the text of a quantity, and its unit; a formula gets a function.

        Raises
        ------
        ConfigError
            If there is no such name or function.
        KeyError
            If it may be an extra output of a file that could not be loaded.
        """
        text = ast.unparse(tree)
        if isinstance(tree, ast.Name):
            return text, self._unit(text, self._units)
        unit = unit_of(tree, lambda leaf: self._unit(leaf, self._units | self._fixed | dict.fromkeys(CONSTANTS, "")))
        self.functions.setdefault(text, self._function(tree, text))
        return text, unit

    def _unit(self, name: str, known: Mapping[str, str]) -> str:
        if name in known:
            return known[name]
        if (table := self._table_of_entry(name)) is not None:
            return str(table[name].unit)
        if (called := name.partition("(")[0]) != name:
            known_ones = ", ".join(filter(str.isidentifier, FUNCTIONS))
            hint = advice_on_call(called) or f"; the functions are {known_ones}"
            raise ConfigError(f"{show(name)} is no function of quantities{hint}")
        if self._extra_outputs is None:
            raise KeyError(name)
        text = f"the model {self._model.name} has no state or output {name!r}, nor is it an extra output"
        names = tuple(dict.fromkeys(("t", *self._model.states.names, *self._model.output_records.names, *known)))
        raise ConfigError(f"{text}{nearest(name, names) or f'; choose from: {list_names(names, name)}'}")

    def _table_of_entry(self, name: str) -> Records[Any] | None:
        """Return the table that has this entry of a block."""
        return next((table for table in self._tables if entry_of(table, name) is not None), None)

    def _function(self, tree: ast.expr, text: str) -> Function:
        """Generate `f(t, x, p, chart) -> float`."""
        model, more = self._model, self._extra_outputs or {}
        sources = {name: repr(value) for name, value in CONSTANTS.items()}
        sources |= {name: f"p[{model.p_indices[name]}]" for name in self._fixed}
        sources |= {"t": "t", **{name: f"extra_{name}(t, x, p, chart)" for name in more}}
        tables: dict[str, Records[Any]] = {"y": model.output_records, "x": model.states}
        for letter, table in tables.items():
            sources |= {each.name: f"{letter}[{table.index(each.name)}]" for each in table.blocks}

        def leaf(what: float | str) -> str:
            if not isinstance(what, str):
                return repr(what)
            entries = self._table_of_entry(what)
            if what in sources or entries is None:
                return sources[what]
            return f"{'x' if entries is model.states else 'y'}[{entries.index(what)}]"

        value = fold(tree, leaf, lambda name, arguments: FUNCTIONS[name].source.format(*arguments))
        n = len(model.output_records)
        lines = [f'"""The quantity {text} of a metric. Written by hybridsim."""', "", ""]
        lines += ["def quantity(t, x, p, chart):"]
        if "y[" in value:
            lines += [f"    y = scratch({n})", f"    for i in range({n}):", "        y[i] = 0.0"]
            lines += ["    outputs(y, t, x, p, chart)"]
        used: dict[str, Any] = {"math": math, "np": np, "scratch": scratch, "outputs": model.functions.get("outputs")}
        used |= {f"extra_{name}": function for name, function in more.items()}
        module = load_generated(f"{model.name}_quantity", "\n".join([*lines, f"    return {value}"]), used)
        function: Function = vars(module)["quantity"]
        return function
