"""`hybridsim.prove_branch`: a branch of orbits, proven piece by piece."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from hybridsim.analysis.diagram import Branch
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.analysis.map_rows import Followed
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import key_of, unit_of
from hybridsim.analysis.proven_parts import STATUS_COLUMN, TEXT_COLUMN, Part, PieceRows
from hybridsim.config.sweep import Axis, Metric, SweepConfig
from hybridsim.config.sweep.metrics import CAUSE_KIND, STATUS_KIND
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.proofs.api import (
    chain_of,
    prove_bifurcation,
    record_of,
    refuse_orbit,
    refuse_time_and_image,
    words_of,
)
from hybridsim.proofs.bifurcation_theorem import BifurcationTheorem
from hybridsim.proofs.branch_theorem import FORMAT, BranchTheorem, Gap, Tube, shared
from hybridsim.proofs.refusals import NotProvenError
from hybridsim.results.progress import Progress, RowProgress, shown
from hybridsim.sweeps.api import compute_rows
from hybridsim.typing import IntArray

PIECES, PARTS = 8, 500
"""About how many pieces a part has, which is kept when it is finished; and most parts between two orbits."""

NARROWEST = 1e-5
"""Width below which a piece is given up by default, as a part of the whole range."""

JOINT = 1e-9
"""Half the width of a piece that joins two others, as a part of the narrower one."""


@explains_keywords(threads="workers")
def prove_branch(
    branch: Branch,
    *,
    interval: tuple[float, float] | None = None,
    curve: int = 0,
    narrowest: float | None = None,
    workers: int | None = 1,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress = None,
) -> BranchTheorem:
    """Prove a branch of orbits: for each value of the parameter there is one orbit in a box that moves along.

    The branch is proven in pieces, each for all of its values at once, as wide as can be proven; neighbours are shown
    to have the same orbit where they meet. So the orbits depend smoothly on the parameter.

    Parameters
    ----------
    branch : Branch
        The branch.
    interval : (float, float), optional
        The values of the parameter; by default those of the curve.
    curve : int
        The curve of the branch, by its number in `branch.points`.
    narrowest : float, optional
        The width below which a piece is given up; by default 1e-5 of the interval.
    workers : int, optional
        Number of processes.
    folder : str or path, optional
        Folder in which finished parts are kept.
    resume : bool
        Whether to continue with parts that are in the folder.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook.

    Returns
    -------
    BranchTheorem
        What has been proven, and what has not, and why.

    Raises
    ------
    ConfigError
        If an argument is wrong, or python-flint is not installed.
    NotProvenError
        If no theorem is about orbits of this kind.
    KeyboardInterrupt
        If Ctrl-C ended the proof; what is in the folder is kept.
    """
    orbit = _first_orbit(branch, curve)
    refuse_orbit(orbit)
    refuse_time_and_image(orbit)
    parts = _parts(branch, curve, interval)
    ends = [end for part in parts for end in (part.begin, part.end)]
    least = NARROWEST * (max(ends) - min(ends)) if narrowest is None else float(narrowest)
    followed = Followed.of(orbit, (branch.parameter,))
    first = PieceRows(_table_of(orbit, branch.parameter, parts), followed, {}, least)
    parts = _split(parts, PIECES * first.width_at(parts[len(parts) // 2]))
    config, known = _table_of(orbit, branch.parameter, parts), {_key(part): part for part in parts}
    make = partial(PieceRows, followed=followed, parts=known, least=least)
    with shown(progress, lambda: RowProgress(len(parts), "parts")) as report:
        table = compute_rows(config, make, folder=folder, resume=resume, workers=workers, progress=report or False)
    found = [json.loads(text) for text in table.column(TEXT_COLUMN).to_pylist()]
    tubes, gaps = _joined(parts, found, make(config))
    special = _bifurcations(branch, curve, parts, gaps)
    return _theorem(orbit, branch.parameter, found, tubes, (special, gaps))


def _bifurcations(branch: Branch, curve: int, parts: list[Part], gaps: list[Gap]) -> list[BifurcationTheorem]:
    """Prove the period doublings and folds that a branch has recorded on a curve; those that are refused are gaps."""
    found = []
    for each in branch.bifurcations:
        here = any(min(part.begin, part.end) <= each.value <= max(part.begin, part.end) for part in parts)
        if each.kind in ("flip", "fold") and each.curve == curve and here:
            try:
                found.append(prove_bifurcation(each, branch.parameter))
            except NotProvenError as problem:
                gaps.append((each.value, each.value, f"the {each.kind} is not proven: {problem}"))
    return found


def _first_orbit(branch: Branch, curve: int) -> Orbit:
    """Return an orbit of a curve."""
    rows = np.flatnonzero(branch.points["curve"] == curve)
    if branch.parameter not in branch.orbit.parameters:
        raise NotProvenError(
            f"{branch.parameter} is a state that strides leave as it is; follow the orbit through a parameter"
        )
    if not len(rows):
        known = ", ".join(map(str, np.unique(branch.points["curve"])))
        raise ConfigError(f"curve: the branch has no curve {curve!r}; it has {known}")
    first, row, names = branch.orbit, rows[0], branch.orbit.model.states.names
    settings = first.config.orbit
    assert settings is not None
    config = dataclasses.replace(
        first.config,
        initial={name: float(branch.points[name][row]) for name in names},
        parameters={**first.config.parameters, branch.parameter: float(branch.points[branch.parameter][row])},
        orbit=settings.model_copy(update={"strides": int(branch.points["strides"][row])}),
    )
    return find_orbit_of(config)


def _parts(branch: Branch, curve: int, interval: tuple[float, float] | None) -> list[Part]:
    """Return the parts of a curve along its way, each between two of its orbits."""
    rows = _rows(branch, curve)
    values, names = branch.points[branch.parameter], branch.orbit.model.states.names
    low, high = sorted(interval or (float(values[rows].min()), float(values[rows].max())))
    parts: list[Part] = []
    if not low < high:
        raise ConfigError(f"interval: {branch.parameter}: expected two values, found {low!r} and {high!r}")
    if not values[rows].min() <= low < high <= values[rows].max():
        raise ConfigError(
            f"interval: {branch.parameter}: the curve has values from {values[rows].min():.9g} to "
            f"{values[rows].max():.9g}, and not all from {low:.9g} to {high:.9g}; follow it further"
        )
    known = [(float(values[row]), tuple(float(branch.points[name][row]) for name in names)) for row in rows]
    for first, second in pairwise(known):
        begin, end = (float(np.clip(value, low, high)) for value, _ in (first, second))
        if begin != end:
            parts.append(Part(begin, end, (first, second)))
    return parts


def _rows(branch: Branch, curve: int) -> IntArray:
    """Return the rows of a curve along its way, before them those of one that goes the other way from its first."""
    points, columns = branch.points, [branch.parameter, "strides", *branch.orbit.model.states.names]
    first, *rest = np.flatnonzero(points["curve"] == curve)
    for other in np.unique(points["curve"]):
        begin, *others = np.flatnonzero(points["curve"] == other)
        if other != curve and all(points[name][begin] == points[name][first] for name in columns):
            return np.array([*others[::-1], first, *rest])
    return np.array([first, *rest])


def _split(parts: list[Part], width: float) -> list[Part]:
    """Return the same parts, none of them wider than this."""
    found = []
    for part in parts:
        ends = np.linspace(part.begin, part.end, 1 + min(int(np.ceil(abs(part.end - part.begin) / width)), PARTS))
        found += [dataclasses.replace(part, begin=begin, end=end) for begin, end in pairwise(ends.tolist())]
    return found


def _key(part: Part) -> float:
    return 0.5 * (part.begin + part.end)


def _table_of(orbit: Orbit, parameter: str, parts: list[Part]) -> SweepConfig:
    """Return the table of the parts as that of a sweep, a row for each."""
    axis = Axis(
        key_of(orbit, parameter), parameter, unit_of(orbit, parameter), np.array([_key(part) for part in parts])
    )
    settings, run = orbit.config.orbit, orbit.config
    assert settings is not None
    metrics = (Metric(STATUS_COLUMN, STATUS_KIND, "", 0, ""), Metric(TEXT_COLUMN, CAUSE_KIND, "", 0, ""))
    return SweepConfig(
        run=dataclasses.replace(run, stop=(), final_time=run.initial_time + settings.max_time),
        factors=((axis,),),
        metrics=metrics,
        extra_outputs={},
        extra_outputs_file="",
        block=1,
        data={"sweep": {"axes": {axis.key: axis.values.tolist()}}, "metrics": ["status"]},
    )


def _theorem(
    orbit: Orbit,
    parameter: str,
    found: list[dict[str, Any]],
    tubes: list[list[dict[str, Any]]],
    others: tuple[list[BifurcationTheorem], list[Gap]],
) -> BranchTheorem:

    chain, (special, gaps) = chain_of(orbit, parameter), others
    record, words = record_of(orbit, chain, parameter, ()), words_of(orbit, chain)
    models = {key: model for each in found for key, model in each["models"].items()}
    header = {name: record[name] for name in ("hybridsim", "model", "sources", "parameters", "varied", "fixed")}
    header |= {
        "models": models,
        "tubes": tubes,
        "bifurcations": [each.certificate for each in special],
        "not_proven": gaps,
    }
    return BranchTheorem(
        words["model"],
        words["sources"],
        {name: value for name, value in words["parameters"].items() if name != parameter},
        parameter,
        tuple(Tube.of(tube, models[tube[0]["chain"]]) for tube in tubes),
        tuple(sorted(gaps)),
        tuple(special),
        certificate={"format": FORMAT, **header},
    )


def _joined(
    parts: list[Part], found: list[dict[str, Any]], rows: PieceRows
) -> tuple[list[list[dict[str, Any]]], list[Gap]]:
    """Put the pieces together: a tube has pieces that follow one another, each joined to the one before."""
    tubes: list[list[dict[str, Any]]] = []
    gaps: list[Gap] = [(low, high, why) for each in found for low, high, why in each["gaps"]]
    for part, piece in _along(parts, found):
        before = tubes[-1][-1] if tubes else None
        at = None if before is None else shared(before, piece)
        if before is None or at is None:
            tubes.append([piece])
        elif (between := _between(rows, part, before, piece, at)) is not None:
            tubes[-1] += [*between, piece]
        else:
            gaps.append((at, at, "the pieces on both sides are not known to have the same orbit there"))
            tubes.append([piece])
    return tubes, gaps


def _between(
    rows: PieceRows, part: Part, first: dict[str, Any], second: dict[str, Any], at: float
) -> list[dict[str, Any]] | None:
    """Return what joins two pieces: nothing, or a narrow piece, whose orbit has to be in both of their boxes."""
    from hybridsim.proofs.pieces import is_joined  # noqa: PLC0415  (needs python-flint)

    if is_joined(first, second, at):
        return []
    widths = [float.fromhex(piece["interval"][1]) - float.fromhex(piece["interval"][0]) for piece in (first, second)]
    narrow = rows.joint(part, at, JOINT * min(widths))
    if narrow is None or not (is_joined(first, narrow, at) and is_joined(narrow, second, at)):
        return None
    return [narrow]


def _along(parts: list[Part], found: list[dict[str, Any]]) -> Iterator[tuple[Part, dict[str, Any]]]:
    """Yield the pieces in their order along the curve, which turns round at folds, with their parts."""
    for part, each in zip(parts, found, strict=True):
        for piece in each["pieces"]:
            yield part, piece
