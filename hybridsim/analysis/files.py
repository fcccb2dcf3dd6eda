"""Orbits and branches from their files: the model is loaded again, and the orbit is seen to be one of this model."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from hybridsim.analysis.bifurcation_points import BifurcationPoints
from hybridsim.analysis.diagram import Beginning, Bifurcation, Branch, Points
from hybridsim.analysis.finding import return_map_of
from hybridsim.analysis.newton import norm
from hybridsim.analysis.orbit import Orbit, orbit_of, run_config
from hybridsim.analysis.problem import Problem, turns_of
from hybridsim.analysis.return_map import named_states, sizes_of
from hybridsim.analysis.rounding import resolved_sizes
from hybridsim.analysis.special_points import SpecialPoint
from hybridsim.analysis.stride import StrideError
from hybridsim.config import RunConfig
from hybridsim.config.run_config import with_values
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.branches import BranchRecord, is_branch, read_branch
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.rebuild import config_of
from hybridsim.typing import BifurcationKind, BifurcationType, SpecialKind

SAME_ORBIT_TOLERANCE = 1e-6
"""Most by which a stored orbit may miss itself, in the sizes of the states; another machine rounds otherwise."""

STRIDES_KEY, DEFAULT_STRIDES = "strides", 10
"""What the command line calls the number of strides of a run along an orbit, and their number by default."""


@explains_keywords()
def load_orbit(path: str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None) -> Orbit:
    """Read an orbit from the file that `Orbit.save` or `hybridsim orbit find` has written.

    Parameters
    ----------
    path : path
        The .h5 file.
    model : Model, str or path, optional
        A model, a name, or the path of a plug-in file; by default the model that the file names. A plug-in file is then
        executed only if it is unchanged.

    Returns
    -------
    Orbit
        The orbit.

    Raises
    ------
    ConfigError
        If there is no such file, it is not that of an orbit or is damaged, or the model has this orbit no longer.
    UnrecordedFileError
        If a file of the model has changed. Nothing of it has been executed.
    """
    path = Path(path)
    run = _orbit_run(path)
    config = config_of(run, model, path, "continue")
    return _orbit_at(config, run.provenance["orbit"], path)


def _orbit_run(path: Path) -> Trajectory:
    run = load_run(path)
    if "orbit" not in run.provenance:
        raise ConfigError(f"{path}: the file of a run, not of an orbit; give one that `hybridsim orbit find` wrote")
    return run


def load_config_of_orbit(
    path: Path, overrides: Sequence[str] = (), model: Model | str | os.PathLike[str] | None = None
) -> RunConfig:
    """Read the config in the file of an orbit: it begins on the orbit, and looks for it.

    Of a branch, it is the orbit nearest to the value of the parameter that the overrides give.

    Parameters
    ----------
    path : Path
        The file.
    overrides : sequence of str
        Values `key=value` to use instead of the recorded ones.
    model : Model, str or path, optional
        As of `load_orbit`.

    Returns
    -------
    RunConfig
        The config, of a run of one period.

    Raises
    ------
    ConfigError
        As of `load_orbit`, or if an override is wrong.
    """
    if is_branch(path):
        return _config_on_branch(path, overrides, model)
    return config_of(_orbit_run(path), model, path, "continue", overrides)


def _config_on_branch(path: Path, overrides: Sequence[str], model: Model | str | os.PathLike[str] | None) -> RunConfig:
    """Return the config of the orbit of a branch that is nearest to a value of its parameter."""
    record = read_branch(path)
    keys = [word.partition("=")[0].strip() for word in overrides]
    key = f"{'initial' if record.parameter in record.states else 'parameters'}.{record.parameter}"
    if key not in keys:
        raise ConfigError(f"{path}: a branch of orbits over {record.parameter}; say which of them: {key}=VALUE")
    config = config_of(record, model, path, "continue", overrides)
    assert config.orbit is not None
    value = {**config.parameters, **config.initial}[record.parameter]
    rows = np.flatnonzero(record.points["strides"] == config.orbit.strides)
    if not len(rows):
        there = ", ".join(map(str, np.unique(record.points["strides"])))
        raise ConfigError(
            f"{path}: orbit.strides={config.orbit.strides}: the branch has orbits of {there} strides only"
        )
    values = record.points[record.parameter][rows]
    if not values.min() <= value <= values.max():
        span = f"from {values.min():.9g} to {values.max():.9g}"
        raise ConfigError(f"{path}: {key}={value:g}: its orbits have {record.parameter} {span}; follow them further")
    row = rows[np.argmin(np.abs(values - value))]
    names = [name for name in config.model.states.names if f"initial.{name}" not in keys and name in record.points]
    return with_values(config, {f"initial.{name}": float(record.points[name][row]) for name in names})


def load_strides(path: Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Make the config of a run of some strides along the orbit in a file.

    Parameters
    ----------
    path : Path
        The file.
    overrides : sequence of str
        Values `key=value` to use instead of the recorded ones, and `strides=N`, by default 10. `stop` and `final_time`
        replace the number of strides.

    Returns
    -------
    RunConfig
        The config, whose files are named after the orbit's.

    Raises
    ------
    ConfigError
        As of `load_orbit`, or if an override is wrong.
    """
    counts = [word.partition("=")[2] for word in overrides if word.partition("=")[0].strip() == STRIDES_KEY]
    overrides = [word for word in overrides if word.partition("=")[0].strip() != STRIDES_KEY]
    if not all(count.strip().isdecimal() for count in counts):
        raise ConfigError(
            f"command line: {STRIDES_KEY}: expected a whole number, found {counts[-1]!r}; give for example 30"
        )
    planned = run_config(load_orbit(path), int(counts[-1]) if counts else DEFAULT_STRIDES)
    config = load_config_of_orbit(path, overrides)
    keys = [word.partition("=")[0].strip() for word in overrides]
    changed: dict[str, Any] = {}
    if "final_time" not in keys:
        changed["final_time"] = planned.final_time
    if not any(key.startswith("stop") for key in keys):
        changed["stop"] = planned.stop if "final_time" in changed else ()
    if "output.base" not in keys:
        changed["output"] = config.output.model_copy(update={"base": f"{path.stem}-strides"})
    return dataclasses.replace(config, source=path, **changed)


@explains_keywords()
def load_branch(path: str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None) -> Branch:
    """Read a branch from the file that `Branch.save` or `hybridsim orbit continue` has written.

    Parameters
    ----------
    path : path
        The .h5 file.
    model : Model, str or path, optional
        As of `load_orbit`.

    Returns
    -------
    Branch
        The branch; if it is not complete, `resume_branch` goes on. The orbits at its bifurcations are computed again
        when they are asked for.

    Raises
    ------
    ConfigError
        As of `load_orbit`.
    UnrecordedFileError
        As of `load_orbit`.
    """
    path = Path(path)
    record = read_branch(path)
    if "orbit" not in record.provenance:
        raise ConfigError(f"{path}: the file is damaged: /orbit missing in the file; continue the orbit again")
    config = config_of(record, model, path, "continue")
    columns = {f"multiplier_{i}": column for i, column in enumerate(record.multipliers.T)}
    names = ("curve", record.parameter, "strides", "period", "stable")
    columns_of_pending = ("curve", "strides", "length", "z", "tangent", "origin")
    pending = zip(*(record.pending[name] for name in columns_of_pending), strict=True)
    return Branch(
        record.parameter,
        Points({**record.columns(*names, *config.model.states.names), **columns}, record.visits),
        tuple(_bifurcations(record, config, path)),
        _orbit_at(config, record.provenance["orbit"], path),
        record.to,
        record.max_strides,
        tuple(
            Beginning(int(curve), int(strides), float(length), *places) for curve, strides, length, *places in pending
        ),
        record.notes,
        record.back_to,
    )


@explains_keywords()
def load_bifurcations(
    path: str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None
) -> BifurcationPoints:
    """Read a curve of bifurcations over two parameters from its file.

    Parameters
    ----------
    path : path
        The .h5 file that `BifurcationPoints.save` or `hybridsim orbit bifurcation` has written.
    model : Model, str or path, optional
        As of `load_orbit`.

    Returns
    -------
    BifurcationPoints
        The curve; the orbits at its special points are computed again.

    Raises
    ------
    ConfigError
        As of `load_orbit`.
    UnrecordedFileError
        As of `load_orbit`.
    """
    path = Path(path)
    record = read_branch(path, "bifurcations")
    if "orbit" not in record.provenance:
        raise ConfigError(f"{path}: the file is damaged: /orbit missing in the file; follow the bifurcation again")
    config, parameters = config_of(record, model, path, "continue"), (record.first_parameter, record.parameter)
    names = config.model.states.names
    columns = record.columns("kind", *parameters, "period", *names)
    about, special = record.provenance["orbit"], []
    for row in np.flatnonzero(np.isin(columns["kind"].astype(str), get_args(SpecialKind))):
        values = {f"initial.{name}": float(columns[name][row]) for name in names}
        values |= {f"parameters.{name}": float(columns[name][row]) for name in parameters if name not in names}
        orbit = _orbit_at(with_values(config, values), about, path)
        there = {name: float(columns[name][row]) for name in parameters}
        special.append(SpecialPoint(cast("SpecialKind", columns["kind"][row]), there, orbit))
    columns |= {f"multiplier_{i}": column for i, column in enumerate(record.multipliers.T)}
    return BifurcationPoints(
        columns | {"kind": columns["kind"].astype(str)},
        record.visits,
        orbit=_orbit_at(config, about, path),
        parameters=parameters,
        special=tuple(special),
        notes=record.notes,
    )


def _bifurcations(record: BranchRecord, config: RunConfig, path: Path) -> list[Bifurcation]:
    columns = ("kind", "value", "curve", "strides", "family", "x", "boundary", "type", "side", "coefficient_parts")
    rows = zip(*(record.bifurcations[name] for name in columns), strict=True)
    names, found = config.model.states.names, []
    for kind, value, curve, strides, family, x, boundary, word, side, parts in rows:
        assert config.orbit is not None
        initial = dict(zip(names, x.tolist(), strict=True))
        there = dataclasses.replace(
            config, initial=initial, orbit=config.orbit.model_copy(update={"strides": int(strides)})
        )
        if record.parameter in config.parameters:
            there = with_values(there, {f"parameters.{record.parameter}": float(value)})
        about = {**record.provenance["orbit"], "family": int(family)}
        make = partial(_orbit_at, there, about, path)
        numbers = int(curve), int(strides), int(family)
        form = cast("BifurcationType", str(word)), int(side), complex(*parts)
        found.append(
            Bifurcation(cast("BifurcationKind", str(kind)), float(value), *numbers, x, str(boundary), *form, make)
        )
    return found


def _orbit_at(config: RunConfig, about: dict[str, Any], path: Path) -> Orbit:
    """Make the orbit that begins where a config does; `about` is what its file says of it."""
    if config.orbit is None:
        raise ConfigError(f"{path}: /config: has no section `orbit`; find the orbit again")
    names = config.model.states.names
    groups = [about[name] for name in ("free", "translated", "kept")]
    if unknown := {name for group in groups for name in group} - {*names}:
        raise ConfigError(f"{path}: /orbit: {config.model.name} has no state {min(unknown)!r}; find the orbit again")
    free = named_states(names, groups)
    try:
        return_map = return_map_of(config)
        x, chart = return_map.stride_map.first_state, return_map.stride_map.first_chart
        found = return_map(x, chart)
    except StrideError as failure:
        raise ConfigError(f"{path}: {config.model.name} has this orbit no longer ({failure}); find it again") from None
    fixed = {name: value for name, value in config.orbit.fixed.items() if name not in about["kept"]}
    sizes = resolved_sizes(sizes_of(found), return_map.places, found.x0, found.chart0)[free.free]
    problem = Problem(return_map, fixed, free, x, chart, sizes, turns_of(found))
    miss = norm(problem.equations(found).residual)
    if not miss <= SAME_ORBIT_TOLERANCE:
        raise ConfigError(
            f"{path}: {config.model.name} has this orbit no longer: a period misses its beginning by {miss:.3g}; "
            "find it again"
        )
    return orbit_of(problem, found, int(about["family"]))
