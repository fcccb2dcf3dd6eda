"""Checks of models and parts for the tests of plug-ins; `hybridsim check` runs them, too."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.engine.compiler.compilation import CompiledFunctions, compile_functions
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.rules import refuse_forbidden_statements
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, SIGNATURES, for_python
from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model import Model, Records
from hybridsim.model.composition import ComposedModel, compose
from hybridsim.model.contract import arguments_of, written_by
from hybridsim.model.dry_run import MAX_REPEATED_CALLS, dry_run, unknown_charts
from hybridsim.model.parts import Part, Plant
from hybridsim.model.poses import identity_poses
from hybridsim.model.registry import load_model, load_part
from hybridsim.model.scene import Scene, check_poses, refuse_undefined_ground
from hybridsim.model.source_location import describe, line_of, where
from hybridsim.model.trials import DOMAIN_ERRORS, Trials, trials
from hybridsim.typing import FloatArray

__all__ = ["check_model", "check_part"]

RELATIVE_TOLERANCE = 1e-9
"""Accepted difference between compiled and interpreted results, relative to the largest number among them.

Compiled code uses fused multiply-adds, and cancellation in a sum of large terms magnifies the difference.
"""


N_FAR_STATES = 8
"""Random states tried at each distance from the default one, to find boundaries that are active only there."""


@explains_keywords()
def check_model(model: Model | str | os.PathLike[str]) -> str:
    """Check that a model keeps the contract of `hybridsim.model.CONTRACT`.

    Every function is called in plain Python in each chart (with bit fields: for the values of each field, of a wide
    field for some), at the default state and at random states around it. Checked are:

    * Functions take the arguments of the contract, access entries inside their arrays only, write into the
      arguments before `t` only, and give the same result for the same arguments in any order of calls.
    * The chart alone decides which boundaries are active; transitions return charts that exist; `initial_chart` leaves
      its own result unchanged.
    * At the default initial state, everything is finite, and no boundary is negative.
    * Slopes of bookkeeping states are 0.
    * Differences of boundaries along straight lines, and along solutions, contradict no declared degree and no bound.
    * Compiled functions agree with interpreted ones.
    * `poses` turns, moves and stretches every body along its own axes, or hides it; terrain has a finite height
      everywhere around the origin.

    Parameters
    ----------
    model : Model, str or path
        A model, the name of an installed one, or the path of a plug-in file.

    Returns
    -------
    str
        One line that says what was checked, and what no chart writes: slopes of states, and boundaries.

    Raises
    ------
    ModelError
        If the model cannot be loaded or breaks the contract; with every violation that the first failing check finds.
    """
    model = model if isinstance(model, Model) else load_model(model)
    model = compose(model) if isinstance(model, Plant) else model
    tried = trials(model, n_far=N_FAR_STATES)
    for check in (
        _forbidden_statements,
        partial(dry_run, n_repeated=MAX_REPEATED_CALLS),
        _failing_everywhere,
        unknown_charts,
        _starts_that_change,
        _undecided_boundaries,
        _wrong_initial_values,
        _wrong_poses,
        _undefined_ground,
        _wrong_compiled_functions,
    ):
        problems = dict.fromkeys(check(tried))
        if problems:
            raise ModelError("\n".join(f"model {model.name!r}: {problem}" for problem in problems))
    charts = "1 chart" if len(tried.charts) == 1 else f"{len(tried.charts)} charts"
    functions = [*tried.functions(), *(["poses"] if model.scene else [])]
    notes = [f"tried {', '.join(functions)} in {charts} at {len(tried.states)} states"]
    slopes = [name for name in _unwritten(tried, "vector_field", model.states) if model.states[name].continuous]
    if slopes:
        notes.append(f"no chart writes the slope of {', '.join(slopes)}: it stays 0 (`vector_field`)")
    boundaries = _unwritten(tried, "boundaries", model.boundary_records)
    if boundaries:
        notes.append(f"no chart writes {', '.join(boundaries)}: never crossed (`boundaries`)")
    return f"{model.name}: fine; {'; '.join(notes)}"


@explains_keywords()
def check_part(part: Part | str | os.PathLike[str]) -> str:
    """Check a part in the slot for which it is made, together with the default parts of the other slots.

    Parameters
    ----------
    part : Part, str or path
        A part with a `slot`, `"hexapod.control_type"`, or the path of its plug-in file. In the slot, the plant's name
        may be the path of a plug-in file, relative to the folder of the part's file.

    Returns
    -------
    str
        One line that says what was checked; see `check_model`.

    Raises
    ------
    ModelError
        If the part names no slot, or breaks the contract in it.
    """
    part = part if isinstance(part, Part) else load_part(part)
    where = part.source or f"part {part.name!r}"
    plant, _, slot = part.slot.rpartition(".")
    if not plant:
        raise ModelError(
            f'{where}: it does not say which slot it is for; write Part(..., slot="PLANT.SLOT"), '
            "or check a config that uses it"
        )
    model = load_model(plant, Path(part.source).parent if part.source else None)
    if not isinstance(model, ComposedModel):
        raise ModelError(f'{where}: slot: {plant!r} is no plant; name a plant and its slot, slot="PLANT.SLOT"')
    report = check_model(model.with_parts({slot: part}))
    return f"{part.name} as {part.slot}: {report.removeprefix(f'{model.name}: ')}"


def _forbidden_statements(tried: Trials) -> Iterator[str]:
    """Find statements that compiled code would execute wrongly, as a run does before it begins."""
    for function in tried.functions().values():
        try:
            refuse_forbidden_statements(function)
        except ModelError as problem:
            yield str(problem)


def _failing_everywhere(tried: Trials) -> Iterator[str]:
    """Find functions that raise a `math` error in every case tried; compiled, they would return nan or inf there."""
    for name, function in tried.functions().items():
        cases = list(tried.cases(name))
        if cases and all(tried.call(name, *case) is None for case in cases):
            try:
                tried.attempt(name, *cases[0])
            except DOMAIN_ERRORS as problem:
                why = f"{describe(problem)}; give states and parameters defaults at which it does"
                yield f"{line_of(problem, function)}: `{name}` never comes to its end: {why}"


def _unwritten(tried: Trials, name: str, records: Records[Any]) -> list[str]:
    """Return the records that a function writes in no chart, perhaps by mistake; none if charts were left out."""
    if len(tried.charts) < tried.model.n_charts or name not in tried.functions():
        return []
    calls = [tried.call(name, *case) for case in tried.cases(name)]
    written = frozenset[int]().union(*(call.written for call in calls if call is not None))
    return [record.name for index, record in enumerate(records) if index not in written]


def _starts_that_change(tried: Trials) -> Iterator[str]:
    """Find an `initial_chart` that changes its own result."""
    for case in tried.cases("initial_chart") if "initial_chart" in tried.functions() else ():
        call = tried.call("initial_chart", *case)
        again = None if call is None else tried.call("initial_chart", call.values, 0)
        if call is not None and again is not None and again.bits() != call.bits():
            yield (
                f"{where(tried.functions()['initial_chart'])} changes its own result when applied to it; "
                "make it leave a finished state alone"
            )


def _undecided_boundaries(tried: Trials) -> Iterator[str]:
    """Find boundaries that are active at some states of a chart and not at others, near the default or far off."""
    model = tried.model
    for chart in tried.charts if model.boundary_records else ():
        calls = [tried.call("boundaries", x, chart) for x in (*tried.states_in(chart), *tried.far_states)]
        written = [call.written for call in calls if call is not None]
        undecided = frozenset().union(*written).difference(*(frozenset.intersection(*written),) if written else ())
        for index in sorted(undecided):
            yield (
                f"{where(model.functions['boundaries'])} writes {model.boundary_records[index].name} at some states of "
                f"chart {model.chart_name(chart)} and not at others; let the chart alone decide"
            )


def _wrong_initial_values(tried: Trials) -> Iterator[str]:
    """Find values at the default initial state that are not finite, and boundaries that are negative there."""
    model, x, chart = tried.model, tried.states[0], 0
    started = tried.call("initial_chart", x, 0) if "initial_chart" in tried.functions() else None
    if started is not None:
        x, chart = started.values, started.returned
    written: dict[str, Records[Any]] = {
        "vector_field": model.states,
        "boundaries": model.boundary_records,
        "outputs": model.output_records,
    }
    for name, records in written.items():
        if name not in tried.functions():
            continue
        call = tried.call(name, x, chart)
        values = [math.nan] * len(records) if call is None else call.values.tolist()
        for record, value in zip(records, values, strict=True):
            fault = _fault(name, record, value)
            if fault:
                given = f"gives {value!r} for {record.name} at the default initial state"
                yield f"{where(tried.functions()[name])} {given}; {fault}, or change the defaults"


def _wrong_poses(tried: Trials) -> Iterator[str]:
    """Find poses that are no transforms of a body, in each chart at each state."""
    scene = tried.model.scene
    if scene is None:
        return
    function = tried.model.functions["poses"]
    taken, expected = [*inspect.signature(function).parameters], arguments_of("poses", function)
    if len(taken) != len(expected):
        yield f"{where(function)} takes ({', '.join(taken)}); expected poses({', '.join(expected)}); mend its arguments"
        return
    for chart, x in tried.everywhere():
        yield from _wrong_poses_at(tried, scene, x, chart)


def _wrong_poses_at(tried: Trials, scene: Scene, x: FloatArray, chart: int) -> Iterator[str]:
    function, here = tried.model.functions["poses"], f"in chart {tried.model.chart_name(chart)}"
    poses, again = identity_poses(len(scene.bodies)), identity_poses(len(scene.bodies))
    state, p, y = x.copy(), tried.p.copy(), np.zeros(len(tried.model.columns))
    try:
        with np.errstate(all="ignore"):  # as in the other trials: what is wrong is a pose that is not finite
            if "outputs" in tried.functions():
                tried.model.functions["outputs"](y, 0.0, x.copy(), p.copy(), chart)
            more = (y,) if "y" in arguments_of("poses", function) else ()
            returned = function(poses, 0.0, state, p, chart, *more)
            function(again, 0.0, state, p, chart, *more)
    except (Exception, SystemExit) as problem:
        yield f"{line_of(problem, function)}: in `poses`, {here}: {describe(problem)}"
        return
    if returned is not None:
        yield f"{where(function)} returns {type(returned).__name__}; expected nothing: it writes into T"
    for name, now, before in (("x", state, x), ("p", p, tried.p)):
        if (now != before).any():
            yield f"{where(function)} writes into `{name}`; write into T alone"
    if poses.tobytes() != again.tobytes():
        yield f"{where(function)} gives other poses when it is called again; a function keeps no memory"
    yield from (f"{where(function)}, {here}: {fault}" for fault in check_poses(scene, poses))


def _undefined_ground(tried: Trials) -> Iterator[str]:
    """Find places around the origin where the ground has no height."""
    if tried.model.scene is not None:
        try:
            refuse_undefined_ground(tried.model.scene, tried.p)
        except ModelError as problem:
            yield str(problem)


def _fault(name: str, record: Any, value: float) -> str:
    if not math.isfinite(value):
        return "expected a finite number; mend it"
    if name == "boundaries" and value < -RELATIVE_TOLERANCE and record.armed == "always":
        return "a boundary is positive inside its chart; mend its sign"
    return ""


def _wrong_compiled_functions(tried: Trials) -> Iterator[str]:
    """Find compiled functions that disagree with the interpreted ones."""
    compiled = compile_functions(tried.model.name, tried.model.functions)
    for name, function in tried.functions().items() if JIT else ():
        for case in tried.cases(name):
            plain = tried.call(name, *case)
            if plain is None:
                continue
            values, returned = _call_compiled(tried, compiled, name, *case)
            largest = max(1.0, *np.abs(plain.values[np.isfinite(plain.values)]), 0.0)
            close = np.allclose(values, plain.values, RELATIVE_TOLERANCE, RELATIVE_TOLERANCE * largest, equal_nan=True)
            if returned != plain.returned or not close:
                yield (
                    f"{where(function)} gives {values.tolist()}, {returned} compiled and {plain.values.tolist()}, "
                    f"{plain.returned} in plain Python; use numbers alone, and set every variable on every path"
                )
                break


def _call_compiled(
    tried: Trials, compiled: CompiledFunctions, name: str, x: FloatArray, chart: int, crossed: int
) -> tuple[FloatArray, Any]:
    given = tried.arguments(name, x, chart, crossed)
    returned = for_python(SIGNATURES[name], int(compiled.addresses[FUNCTION_INDEX[name]]))(*given.values())
    return np.concatenate([given[each] for each in written_by(name) or ("x",)]), returned
