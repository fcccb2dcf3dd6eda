"""Equilibria from their files: the model is loaded again, and the equilibrium is seen to be one of this model."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np

from hybridsim.analysis.diagram import Points
from hybridsim.analysis.equilibria import Equilibrium, equilibrium_of, find_equilibrium_of
from hybridsim.analysis.equilibrium_branch import EquilibriumBranch
from hybridsim.analysis.hopf import EquilibriumBifurcation
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.branches import BranchRecord, read_branch
from hybridsim.simulation.packing import initial_state
from hybridsim.simulation.rebuild import config_of

SAME_PLACE = 1e-6
"""Most by which a stored equilibrium may be away from that of the model, in the sizes of the states."""


@explains_keywords()
def load_equilibrium(path: str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None) -> Equilibrium:
    """Read an equilibrium, or the first one of a branch, from its file.

    Parameters
    ----------
    path : path
        The .h5 file that `Equilibrium.save`, `EquilibriumBranch.save` or `hybridsim equilibrium` has written.
    model : Model, str or path, optional
        As of `load_orbit`.

    Returns
    -------
    Equilibrium
        The equilibrium.

    Raises
    ------
    ConfigError
        If there is no such file, it is not that of equilibria or is damaged, or the model has this one no longer.
    UnrecordedFileError
        If a file of the model has changed. Nothing of it has been executed.
    """
    return _first(read_branch(Path(path), "equilibria"), Path(path), model)


@explains_keywords()
def load_equilibria(
    path: str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None
) -> EquilibriumBranch:
    """Read a branch of equilibria from the file that `EquilibriumBranch.save` or `hybridsim equilibrium` has written.

    Parameters
    ----------
    path : path
        The .h5 file.
    model : Model, str or path, optional
        As of `load_orbit`.

    Returns
    -------
    EquilibriumBranch
        The branch.

    Raises
    ------
    ConfigError
        As of `load_equilibrium`.
    UnrecordedFileError
        As of `load_equilibrium`.
    """
    record = read_branch(Path(path), "equilibria")
    if not record.parameter:
        raise ConfigError(f"{path}: expected a branch of equilibria, found one equilibrium; use load_equilibrium")
    first = _first(record, Path(path), model)
    columns = record.columns("curve", record.parameter, "stable", "admissible", *first.x)
    columns["admissible"] = np.asarray(columns["admissible"])
    columns |= {f"eigenvalue_{i}": column for i, column in enumerate(record.multipliers.T)}
    found = []
    for row in zip(*record.bifurcations.values(), strict=True):
        values = dict(zip(record.bifurcations, row, strict=True))
        there = {} if record.parameter in first.kept else {record.parameter: float(values["value"])}
        field = dataclasses.replace(first.field, values=there)
        equilibrium = equilibrium_of(field, values.pop("x"), first.family)
        found.append(EquilibriumBifurcation(**values, equilibrium=equilibrium))
    points = Points(columns, what="equilibria")
    return EquilibriumBranch(record.parameter, points, tuple(found), first, record.to, record.back_to, record.notes)


def _first(record: BranchRecord, path: Path, model: Model | str | os.PathLike[str] | None) -> Equilibrium:
    config = config_of(record, model, path, "continue")
    x = initial_state(config)
    try:
        found = find_equilibrium_of(config)
    except (ConfigError, NoOrbitError) as failure:
        raise ConfigError(f"{path}: {config.model.name} has this equilibrium no longer ({failure})") from None
    field = found.field
    apart = np.abs((found.field.x - x)[field.free]) / np.maximum(field.sizes, np.abs(x[field.free]))
    if not (apart <= SAME_PLACE).all():
        raise ConfigError(
            f"{path}: {config.model.name} has this equilibrium no longer: the nearest one is {apart.max():.3g} of the "
            "states' sizes away; find it again"
        )
    return equilibrium_of(field, x, found.family)
