"""A checked sweep: a base run, the axes that vary, and what is reported of each run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.building import Checked, assemble, check, named_model
from hybridsim.config.keywords import keyword_tree, plain_node
from hybridsim.config.run_config import RunConfig, resolved
from hybridsim.config.slots import fill_slots
from hybridsim.config.source import Diagnostics, Node, Place, dotted
from hybridsim.config.sweep.axes import Axis, Factor
from hybridsim.config.sweep.axis_values import node_of
from hybridsim.config.sweep.combinations import refused_combinations
from hybridsim.config.sweep.extra_outputs import read_extra_outputs
from hybridsim.config.sweep.factors import Reading, read_factors
from hybridsim.config.sweep.metrics import Metric, read_metrics
from hybridsim.model import Model

__all__ = [
    "Axis",
    "Factor",
    "Metric",
    "SweepConfig",
    "sweep_data",
    "sweep_files",
    "sweep_from_data",
    "sweep_from_keywords",
]

LONG = 1000
"""From more values than this on, a list is better kept in a file of its own."""

OWN_KEYWORDS = (
    *("axes", "metrics", "zip", "random", "latin_hypercube", "rows", "extra_outputs", "block"),
    *("folder", "resume", "threads", "cluster", "keep_runs", "progress"),
)
"""Keywords that `sweep` has besides those of `simulate`."""

_EXAMPLE = "sweep: {axes: {KEY: linspace(0, 1, 11)}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepConfig:
    """What `load_sweep` makes of a config file, and `sweep` of its keywords.

    Attributes
    ----------
    run : the base run, with every axis at its base value.
    factors : the plan is their product; the last one varies fastest, the axes within one vary together.
    metrics : the columns behind those of the axes.
    extra_outputs : plain functions `f(t, x, p, chart) -> float` by name.
    extra_outputs_file : the absolute path of the file they are from, "" if there are none.
    block : rows per part file; None to choose it from the number of rows.
    data : `{"sweep": ..., "metrics": ...}` as plain data, paths absolute; see `sweep_data`.
    """

    run: RunConfig
    factors: tuple[Factor, ...]
    metrics: tuple[Metric, ...]
    extra_outputs: Mapping[str, Callable[..., Any]]
    extra_outputs_file: str
    block: int | None
    data: Mapping[str, Any]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All axes, factor by factor."""
        return tuple(axis for factor in self.factors for axis in factor)


def build_sweep(
    root: Node, model: Model | None, diagnostics: Diagnostics, *, source: Path | None = None
) -> SweepConfig:
    """The checked sweep; arguments are those of `build`.

    Raises
    ------
    ConfigError : with all the problems in `diagnostics` and those found here.
    """
    of_sweep = Diagnostics()
    sweep = root.value.get("sweep")
    reading = None
    if model is not None and sweep is not None and isinstance(sweep.value, dict):
        reading = read_factors(root, model, of_sweep)
        _note_unused(root, reading, diagnostics)
        root = _with_an_end(root, reading)
    checked = check(root, model, diagnostics)
    if sweep is None or sweep.value is None:
        diagnostics.error(root, ("sweep",), f"this key is required for a sweep; write for example {_EXAMPLE}")
    if model is None:
        diagnostics.raise_if_any()
    assert model is not None
    _refuse_wall_time(root, diagnostics)
    diagnostics.problems += of_sweep.problems
    functions = read_extra_outputs(root, model, diagnostics)
    metrics = read_metrics(root, model, functions and functions[0], diagnostics)
    if reading is not None:
        _refuse_bad_combinations(reading, checked, diagnostics)
        _refuse_equal_columns(reading, [metric.name for metric, _ in metrics], diagnostics)
    diagnostics.raise_if_any()
    assert reading is not None
    assert functions is not None
    assert checked.settings is not None
    assert checked.settings.sweep is not None
    block = checked.settings.sweep.block
    groups = {**reading.data, "extra_outputs": functions[1] or None, "block": block}
    extra = ("sweep", "extra_outputs")
    run = assemble(root, model, checked, diagnostics, source=source)
    return SweepConfig(
        run=replace(run, origins={**run.origins, dotted(extra): root.name_of(extra)}),
        factors=tuple(reading.factors),
        metrics=tuple(metric for metric, _ in metrics),
        extra_outputs=functions[0],
        extra_outputs_file=functions[1],
        block=block,
        data={
            "sweep": {name: group for name, group in groups.items() if group is not None},
            "metrics": {metric.name: text for metric, text in metrics},
        },
    )


def _with_an_end(root: Node, reading: Reading) -> Node:
    """Where final_time varies and is not given, the base run ends with the first value of the axis."""
    key = "final_time"
    given = root.value.get(key)
    if key not in reading.places or (given is not None and given.value is not None):
        return root
    axes = [axis.values for factor in reading.factors for axis in factor if axis.key == key]
    end = axes[0][:1].tolist()[0] if axes else sys.float_info.max  # of an axis that is refused, any will do
    node, _ = root.at(reading.places[key])
    return root.with_value((key,), Node(end, node.place))


def _note_unused(root: Node, reading: Reading, diagnostics: Diagnostics) -> None:
    """A value in the file is that of `hybridsim run`; one on the command line is meant for the sweep, and of no use."""
    for key, address in reading.places.items():
        node, depth = root.at(steps := tuple(key.split(".")))
        if depth == len(steps) and node.place.origin == "command line":
            diagnostics.notes.append(
                f"command line: {key}: varies in {dotted(address)}; the value given here is not used"
            )


def _refuse_wall_time(root: Node, diagnostics: Diagnostics) -> None:
    address = ("engine", "max_wall_time")
    node, depth = root.at(address)
    if depth == len(address) and node.value is not None:
        diagnostics.error(
            root, address, "results of a sweep would depend on the machine; remove it, or set max_transitions instead"
        )


def _refuse_bad_combinations(reading: Reading, checked: Checked, diagnostics: Diagnostics) -> None:
    for key, problem in refused_combinations(checked.settings, reading.factors) if checked.settings else ():
        diagnostics.error(reading.root, reading.places[key], problem)


def _refuse_equal_columns(reading: Reading, metrics: list[str], diagnostics: Diagnostics) -> None:
    """`row` is the first column of the results."""
    taken = {"row": "the number of the run"}
    for axis in (axis for factor in reading.factors for axis in factor):
        if axis.name in taken:
            text = f"its column {axis.name!r} would be that of {taken[axis.name]}; rename it in the model"
            diagnostics.error(reading.root, reading.places[axis.key], text)
        taken[axis.name] = f"the axis {axis.key}"
    for name in metrics:
        if name in taken:
            text = f"two columns would be called {name!r}, one of them {taken[name]}; write the metrics as NAME: METRIC"
            diagnostics.error(reading.root, ("metrics",), text)
        taken[name] = "a metric"


def sweep_from_keywords(
    model: str | os.PathLike[str] | Model,
    axes: Mapping[str, Any] | None = None,
    metrics: Any = None,
    *,
    zip: Mapping[str, Any] | None = None,
    random: Mapping[str, Any] | None = None,
    latin_hypercube: Mapping[str, Any] | None = None,
    rows: Any = None,
    extra_outputs: str | os.PathLike[str] | None = None,
    block: int | None = None,
    **keywords: Any,
) -> SweepConfig:
    """The sweep that keywords describe: those of the section `sweep`, `metrics`, and those of `simulate`.

    Parameters
    ----------
    model :
        a name, the path of a plug-in file, or a Model.
    axes, zip :
        values by key: a list, a numpy array, or an expression such as `linspace(0, 1, 11)`; None for no such axes.
    metrics :
        a list of metrics, or a mapping of columns to metrics.
    random, latin_hypercube :
        `{"samples": 100, "seed": 1, "axes": {"k": "uniform(1e4, 2e4)"}}`.
    rows :
        the path of a CSV or Parquet file, a mapping of columns, or a table of pandas or pyarrow.
    extra_outputs :
        the path of a plug-in file.
    block :
        runs per part file.
    **keywords :
        as of `simulate`.

    Raises
    ------
    ModelError : no such model, or one that cannot be loaded.
    ConfigError : with everything that is wrong with the keywords, one problem a line.
    """
    diagnostics = Diagnostics()
    root, loaded = keyword_tree(model, keywords, diagnostics, OWN_KEYWORDS)
    groups = {
        "axes": axes,
        "zip": zip,
        "random": random,
        "latin_hypercube": latin_hypercube,
        "rows": rows,
        "extra_outputs": extra_outputs,
        "block": block,
    }
    given = {name: value for name, value in groups.items() if value is not None}
    inside = {name: node_of(value, _keyword, name) for name, value in given.items()}
    root = root.with_value(("sweep",), Node(inside, _keyword("axes")))
    if keywords.get("final_time") is None:
        root = root.with_value(("final_time",), Node(None, _keyword("final_time")))
    root = root.with_value(("metrics",), node_of(metrics, _keyword, "metrics"))
    return build_sweep(root, loaded, diagnostics)


def _keyword(name: str) -> Place:
    return Place("keyword", name=name)


def sweep_from_data(data: Mapping[str, Any]) -> SweepConfig:
    """The sweep that `sweep_data` wrote down.

    Raises
    ------
    ConfigError : with everything that is wrong with it, one problem a line.
    """
    diagnostics = Diagnostics()
    place = Place("sweep data")
    root = plain_node({name: value for name, value in data.items() if name != "sweep"}, place)
    root = root.with_value(("sweep",), node_of(data.get("sweep"), lambda _: place, "sweep"))
    return build_sweep(*fill_slots(root, named_model(root, diagnostics), diagnostics), diagnostics)


def sweep_data(config: SweepConfig) -> dict[str, Any]:
    """The whole sweep as plain data, defaults filled in; `write_yaml` of it is a config of the same sweep."""
    return resolved(config.run) | dict(config.data)


def sweep_files(config: SweepConfig) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """`sweep_data` for a file: long lists of numbers as the names of NPY files beside it, and what these hold.

    YAML takes half a minute to write a million numbers, and as long to read them.
    """
    data = sweep_data(config)
    files: dict[str, NDArray[Any]] = {}

    def apart(key: str, values: Any) -> Any:
        if not (isinstance(values, list) and len(values) > LONG and all(isinstance(v, int | float) for v in values)):
            return values
        name = f"_{key.partition(' ')[0]}.npy"
        files[name] = np.array(values)
        return name

    sweep = {
        group: {key: apart(key, values) for key, values in axes.items()} if isinstance(axes, dict) else axes
        for group, axes in data["sweep"].items()
    }
    return {**data, "sweep": sweep}, files
