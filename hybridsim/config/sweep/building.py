"""`build_sweep`: check values with their origins; return a SweepConfig, or raise a ConfigError with every problem."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from hybridsim.config.building import CheckedRun, assemble_run, check_run
from hybridsim.config.field_types import WHOLE_RUN, Begin
from hybridsim.config.run_config import RunConfig
from hybridsim.config.source import Diagnostics, Node, join_address
from hybridsim.config.sweep.axis_values import path_of
from hybridsim.config.sweep.combinations import invalid_combinations
from hybridsim.config.sweep.factors import FactorReader, read_factors
from hybridsim.config.sweep.metrics import Metric, MetricReader, read_metrics
from hybridsim.config.sweep.quantities import Quantities
from hybridsim.config.sweep.sweep_config import SweepConfig
from hybridsim.config.sweep_settings import SweepSettings
from hybridsim.engine.compiler.rules import refuse_forbidden_statements
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.plugin_file import load_functions
from hybridsim.typing import Function

_EXAMPLE = "sweep: {axes: {KEY: 'linspace(0, 1, 11)'}}"


def build_sweep(
    root: Node, model: Model | None, diagnostics: Diagnostics, *, source: Path | None = None, open_ended: bool = False
) -> SweepConfig:
    """Return the checked configuration of a sweep.

    Parameters
    ----------
    root : Node
        The values of all sources, merged.
    model : Model or None
        The model; None if it could not be loaded, which `diagnostics` then has as an error.
    diagnostics : Diagnostics
        Errors and notes of the sources; those found here are added.
    source : Path, optional
        The config file.
    open_ended : bool
        Whether final_time may be None.

    Returns
    -------
    SweepConfig
        The configuration.

    Raises
    ------
    ConfigError
        If there are errors, with all of them.
    """
    sweep_diagnostics = Diagnostics()  # its errors come after those of the run
    sweep = root.value.get("sweep")
    reader = None
    if model is not None and sweep is not None and isinstance(sweep.value, dict):
        reader = read_factors(root, model, sweep_diagnostics)
        _note_unused_overrides(root, reader, diagnostics)
        root = _with_final_time(root, reader)
    checked = check_run(root, model, diagnostics, open_ended=open_ended)
    if sweep is None or sweep.value is None:
        diagnostics.error(root, ("sweep",), f"this key is required for a sweep; write for example {_EXAMPLE}")
    if model is None:
        diagnostics.raise_if_any()
    assert model is not None
    limit = root.section("engine").get("max_wall_time")
    if limit is not None and limit.value is not None:
        text = "results of a sweep would depend on the machine; remove it, or set max_transitions instead"
        diagnostics.error(root, ("engine", "max_wall_time"), text)
    diagnostics.problems += sweep_diagnostics.problems
    functions = read_extra_outputs(root, model, diagnostics)
    quantities = Quantities(model, functions and functions[0])
    axes = {} if reader is None else reader.addresses
    metrics = read_metrics(root, MetricReader(model, quantities, axes), diagnostics)
    if reader is not None:
        for key, problem in invalid_combinations(checked.settings, reader.factors) if checked.settings else ():
            diagnostics.error(root, reader.addresses[key], problem)
        _check_begin(reader, checked, diagnostics)
        _check_column_names(reader, [metric.name for metric, _ in metrics], diagnostics)
    diagnostics.raise_if_any()
    assert reader is not None
    assert functions is not None
    assert checked.settings is not None
    assert checked.settings.sweep is not None
    run = assemble_run(root, model, checked, diagnostics, source=source)
    of_file, file = functions
    return _assemble(run, checked.settings.sweep, reader, metrics, ({**of_file, **quantities.functions}, file))


def _assemble(
    run: RunConfig,
    settings: SweepSettings,
    reader: FactorReader,
    metrics: list[tuple[Metric, str]],
    extra_outputs: tuple[Mapping[str, Function], str],
) -> SweepConfig:
    (functions, file), block, results = extra_outputs, settings.block, settings.results
    begin, address = getattr(settings, "from"), ("sweep", "extra_outputs")
    others = {"from": _plain_begin(begin), "extra_outputs": file or None, "results": [*results] or None, "block": block}
    groups = {**reader.data, **others}
    return SweepConfig(
        run=replace(run, origins={**run.origins, join_address(address): reader.root.name_of(address)}),
        factors=tuple(reader.factors),
        metrics=tuple(metric for metric, _ in metrics),
        extra_outputs=functions,
        extra_outputs_file=file,
        results=results,
        begin=begin or WHOLE_RUN,
        block=block,
        data={
            "sweep": {name: group for name, group in groups.items() if group is not None},
            "metrics": {metric.name: text for metric, text in metrics},
        },
    )


def _plain_begin(begin: Begin | None) -> float | str | None:
    """Return when metrics begin to count as it is written in a config."""
    if begin is None or not math.isinf(begin.time):
        return begin and begin.time
    return f"{100.0 * begin.fraction!r} %"


def _check_begin(reader: FactorReader, checked: CheckedRun, diagnostics: Diagnostics) -> None:
    """Record an error for metrics that begin to count when the runs are over."""
    settings = checked.settings
    if settings is None or settings.sweep is None or "final_time" in reader.addresses:
        return
    begin, end = getattr(settings.sweep, "from"), settings.final_time
    if begin is not None and end is not None and begin.time >= end:
        text = f"expected a time before final_time = {end!r}, found {begin.time!r}; begin earlier"
        diagnostics.error(reader.root, ("sweep", "from"), text)


def _with_final_time(root: Node, reader: FactorReader) -> Node:
    """Return the base run; if final_time varies and is not given, set it to the first value of the axis."""
    key = "final_time"
    given = root.value.get(key)
    if key not in reader.addresses or (given is not None and given.value is not None):
        return root
    axes = [axis.values for factor in reader.factors for axis in factor if axis.key == key]
    end = axes[0][:1].tolist()[0] if axes else sys.float_info.max  # if the axis has errors, any value serves
    node, _ = root.at(reader.addresses[key])
    return root.with_value((key,), Node(end, node.origin))


def _note_unused_overrides(root: Node, reader: FactorReader, diagnostics: Diagnostics) -> None:
    """Add a note for each value on the command line that an axis replaces.

    A value in the file gets no note, because `hybridsim run` uses it.
    """
    for key, address in reader.addresses.items():
        node, depth = root.at(steps := tuple(key.split(".")))
        if depth == len(steps) and node.origin.text == "command line":
            diagnostics.notes.append(
                f"command line: {key}: varies in {join_address(address)}; the value given here is not used"
            )


def _check_column_names(reader: FactorReader, metrics: list[str], diagnostics: Diagnostics) -> None:
    """Record an error for each name that two columns share; some columns are those of all tables."""
    taken = {"row": "the number of the run", **dict.fromkeys(("boundary", "event"), "the table of events")}
    for axis in (axis for factor in reader.factors for axis in factor):
        if axis.name in taken:
            text = f"its column {axis.name!r} would be that of {taken[axis.name]}; rename it in the model"
            diagnostics.error(reader.root, reader.addresses[axis.key], text)
        taken[axis.name] = f"the axis {axis.key}"
    for name in metrics:
        if name in taken:
            text = f"two columns would be called {name!r}, one of them {taken[name]}; write the metrics as NAME: METRIC"
            diagnostics.error(reader.root, ("metrics",), text)
        taken[name] = "a metric"


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
