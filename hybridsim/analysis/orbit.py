"""`find_orbit`: a periodic motion of a model, its multipliers and what happens along it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.analysis.newton import Equations, solve, too_far
from hybridsim.analysis.return_map import (
    FreeStates,
    Return,
    ReturnMap,
    free_states,
    multipliers_of,
    refuse_nothing_free,
    sizes_of,
)
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.stride import StrideError, StrideMap
from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.derivatives.jacobian import differentiate
from hybridsim.derivatives.passes import Point
from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.typing import FloatArray

NEARBY = 1e-3
"""Distance between the two places at which the structure of a return map is looked at, in sizes of the states."""

NEUTRAL = 1e-6
"""Multipliers of a family are this near 1."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Orbit:
    """A periodic motion of a hybrid system.

    Attributes
    ----------
    x : mapping of str to float
        The state on the section, by names [their units].
    period : float
        Time that one period takes [s].
    strides : int
        Strides in a period.
    multipliers : (n,) complex array
        Eigenvalues of the derivative of the return map, largest first: by how much a small deviation in the section
        grows in one period. Those of the section itself, and of states that need not return, are left out.
    eigenvectors : (n_free, n) complex array
        The deviations that grow by these factors, in the states `free`.
    stable : bool
        Whether all multipliers are less than 1 in size; those of a family of orbits do not count.
    free : tuple of str
        States in which the motion has to return.
    kept : tuple of str
        States that the strides leave as they are: parameters of the motion.
    family : int
        Dimension of the family of orbits that this one belongs to; 0 if it is isolated.
    events : tuple of (float, str)
        Times since the section [s] and names of the boundaries that cross.
    displacement : mapping of str to float
        By how much a period moves the states that are translated, as a distance walked.
    config : RunConfig
        The model with its parameters, and how it is integrated.
    section : Section
        Where it was looked for.
    symmetry : Symmetry
        The image in which a stride ends.
    chart : int
        The chart on the section.
    fixed : mapping of str to float
        Values of states and outputs on the section that were asked for.
    found : Return
        The strides of a period, with their record and derivatives.
    """

    x: Mapping[str, float]
    period: float
    strides: int
    multipliers: FloatArray
    eigenvectors: FloatArray
    stable: bool
    free: tuple[str, ...]
    kept: tuple[str, ...]
    family: int
    events: tuple[tuple[float, str], ...]
    displacement: Mapping[str, float]
    config: RunConfig
    section: Section
    symmetry: Symmetry
    chart: int
    fixed: Mapping[str, float]
    found: Return

    @property
    def free_states(self) -> FreeStates:
        """The indices of the states that have to return, and of the others."""
        names = self.model.states.names
        groups = self.free, tuple(self.displacement), self.kept
        others = [name for name in names if not any(name in group for group in groups)]
        return FreeStates(*(np.array([names.index(name) for name in group], np.int64) for group in (*groups, others)))

    @property
    def model(self) -> Model:
        """The model."""
        return self.config.model

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Values of the parameters by name."""
        return self.config.parameters

    def __repr__(self) -> str:
        word = "stable" if self.stable else "unstable"
        return (
            f"<Orbit of {self.model.name}: {word}, period {self.period:.9g} s in {self.strides} stride(s), "
            f"multipliers {np.array2string(self.multipliers, precision=6)}>"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What has to hold for an orbit: it returns in its free states, and quantities keep the values asked for.

    Attributes
    ----------
    return_map : ReturnMap
        The strides.
    fixed : mapping of str to float
        Values of states and outputs on the section.
    free : FreeStates
        The states that have to return.
    x : (n_states,) array
        The state whose entries other than the free ones are used.
    chart : int
        The chart on the section.
    sizes : (n_free,) array
        Units of the free states: how large each becomes along the motion. In these, no equation depends on the units
        of the model.
    """

    return_map: ReturnMap
    fixed: Mapping[str, float]
    free: FreeStates
    x: FloatArray
    chart: int
    sizes: FloatArray

    def strides(self, v: FloatArray) -> Return:
        """Make the strides of a period; the free states are v, in their units."""
        x = self.x.copy()
        x[self.free.free] = v * self.sizes
        return self.return_map(x, self.chart)

    def equations(self, found: Return) -> Equations:
        """Return the residuals and their derivatives by the free states, all in their units."""
        free = self.free.free
        values, gradients = self.conditions(found.x0)
        by_state = found.by_state[np.ix_(free, free)] * self.sizes / self.sizes[:, None]
        scale = np.abs(gradients * self.sizes).max(axis=1, initial=1e-300)
        return Equations(
            np.concatenate([(found.x - found.x0)[free] / self.sizes, values / scale]),
            np.vstack([by_state - np.eye(len(free)), gradients * self.sizes / scale[:, None]]),
        )

    def by_parameter(self, found: Return, parameter: str) -> FloatArray:
        """Return the derivatives of the same residuals by a parameter, or by a state that is kept."""
        model, free = self.return_map.stride_map.model, self.free.free
        _, gradients = self.conditions(found.x0)
        scale = np.abs(gradients * self.sizes).max(axis=1, initial=1e-300)
        derivatives = np.zeros(len(self.fixed))
        for row, name in enumerate(self.fixed):
            if name in model.output_records.names:
                derivatives[row] = differentiate(model, "outputs", self._point(found.x0), parameter)[name, parameter]
        varied = self.return_map.stride_map.varied
        names = model.states.names
        of_map = (
            found.by_parameter[:, varied.index(parameter)]
            if parameter in varied
            else found.by_state[:, names.index(parameter)]
        )
        return np.concatenate([of_map[free] / self.sizes, derivatives / scale])

    def conditions(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what the fixed quantities lack, (k,), and their gradients by the free states, (k, n_free)."""
        model, free = self.return_map.stride_map.model, self.free.free
        values, gradients = np.zeros(len(self.fixed)), np.zeros((len(self.fixed), len(free)))
        for row, (name, wanted) in enumerate(self.fixed.items()):
            value, gradient = self._quantity(model, name, x)
            values[row], gradients[row] = value - wanted, gradient[free]
        return values, gradients

    def _point(self, x: FloatArray) -> Point:
        stride_map = self.return_map.stride_map
        return Point(stride_map.config.initial_time, x, stride_map.parameters, self.chart)

    def _quantity(self, model: Model, name: str, x: FloatArray) -> tuple[float, FloatArray]:
        if name in model.states.names:
            index = model.states.names.index(name)
            return float(x[index]), np.eye(len(x))[index]
        values, matrix = differentiate_with_values(model, self._point(x))
        index = model.output_records.names.index(name)
        return float(values[index]), matrix[index]


def differentiate_with_values(model: Model, point: Point) -> tuple[FloatArray, FloatArray]:
    """Return the outputs at a point and their derivatives by the states."""
    y = np.zeros(len(model.output_records))
    assert model.outputs is not None
    model.outputs(y, point.t, point.x, point.p, point.chart)
    return y, differentiate(model, "outputs", point, "x").values


def find_orbit(
    model: str | os.PathLike[str] | Model,
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    section: str | Section,
    guess: Mapping[str, Any] | None = None,
    period: int = 1,
    symmetry: Symmetry | None = None,
    fixed: Mapping[str, float] | None = None,
    method: str = "dop853",
    rtol: float = 1e-12,
    atol: float = 1e-13,
    tolerance: float = 1e-10,
    max_time: float = 100.0,
) -> Orbit:
    """Find a periodic motion near a guess, stable or not.

    Newton's method looks for a state on the section that returns to itself. The derivatives of the strides are exact
    (`hybridsim.sensitivity`). States that need not return are found automatically: those that are only translated, as
    a distance walked; those that a stride leaves as they are; those that follow from the others.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.
    section : str or Section
        Where a stride begins and ends; a name stands for the state after this boundary's transition.
    guess : mapping of str, optional
        A state near the motion, on the section or not; states that are not given have their defaults.
    period : int
        Strides in a period.
    symmetry : Symmetry, optional
        The image in which a stride ends.
    fixed : mapping of str to float, optional
        Values of states or outputs on the section, to choose one of a family of orbits: {"energy": 1784.8}.
    method : {"dp5", "dop853", "tsit5", "rk4", "rk4_adaptive"}
        Integration method.
    rtol, atol : float
        Error tolerances of a step.
    tolerance : float
        By how much the motion may miss itself, relative to the size of each state along it.
    max_time : float
        Time after which a stride is given up [s].

    Returns
    -------
    Orbit
        The periodic motion.

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded, or has no derivatives.
    NoOrbitError
        If there is none near the guess; the message says which of the causes it is: too far, turning point, no
        solution.

    Examples
    --------
    >>> orbit = hybridsim.find_orbit("simplest_walker", parameters={"slope": 0.009}, section="heelstrike")
    >>> orbit.x["theta"], orbit.period, orbit.multipliers
    """
    section = Section(section) if isinstance(section, str) else section
    given: dict[str, Any] = {"parameters": parameters, "inputs": inputs, "initial": guess}
    config = config_from_keywords(
        model,
        method=method,
        rtol=rtol,
        atol=atol,
        final_time=max_time,
        **{key: value for key, value in given.items() if value is not None},
    )
    section.check(config.model)
    if period < 1:
        raise ConfigError(f"period: expected a number of strides from 1 on, found {period}")
    _refuse_unknown_fixed(config.model, fixed or {})
    return_map = ReturnMap(StrideMap(config, section), symmetry or Symmetry(), period)
    return solve_orbit(first_problem(return_map, fixed or {}), tolerance)


def _refuse_unknown_fixed(model: Model, fixed: Mapping[str, float]) -> None:
    known = (*model.states.names, *model.output_records.names)
    for name in fixed:
        if name not in known:
            raise ConfigError(f"fixed: {model.name} has no state or output {name!r}{nearest(name, known)}")


def first_problem(return_map: ReturnMap, fixed: Mapping[str, float]) -> Problem:
    """Make the problem of a guess: a stride from it tells the chart on the section, and which states are free."""
    stride_map = return_map.stride_map
    x, chart = stride_map.first_state, stride_map.first_chart
    try:
        found = return_map(x, chart)
    except StrideError as problem:
        raise too_far(problem) from None
    if found.chart != chart:  # the guess is not on the section: its image is
        x, chart = found.x, found.chart
        found = return_map(x, chart)
    free = free_states(found.by_state, *_derivatives_nearby(return_map, found))
    refuse_nothing_free(stride_map.model.name, free)
    return Problem(return_map, fixed, free, x, chart, sizes_of(found)[free.free])


def _derivatives_nearby(return_map: ReturnMap, found: Return) -> list[FloatArray]:
    """Return the derivative of the map at a place near the beginning of the strides, none if it makes no stride."""
    n = len(found.x0)
    offsets = NEARBY * sizes_of(found) * (1.0 + np.sqrt(2.0) * np.arange(n) % 1.0)  # no two states move alike
    for factor in (1.0, -1.0, 0.1, -0.1):
        try:
            return [return_map(found.x0 + factor * offsets, found.chart0).by_state]
        except StrideError:
            continue
    return []


def solve_orbit(problem: Problem, tolerance: float) -> Orbit:
    """Solve for an orbit, beginning at the state of the problem."""
    last: dict[bytes, Return] = {}

    def equations(u: FloatArray) -> Equations:
        last.clear()
        last[u.tobytes()] = problem.strides(u)
        return problem.equations(last[u.tobytes()])

    solution = solve(equations, problem.x[problem.free.free] / problem.sizes, tolerance)
    found = last.get(solution.u.tobytes()) or problem.strides(solution.u)
    return orbit_of(problem, found, solution.family)


def orbit_of(problem: Problem, found: Return, family: int) -> Orbit:
    """Make the orbit of strides that return."""
    stride_map, free = problem.return_map.stride_map, problem.free
    names = stride_map.model.states.names
    _, gradients = problem.conditions(found.x0)
    multipliers = multipliers_of(found, free, gradients)
    counted = np.abs(multipliers)[np.abs(multipliers - 1.0) > NEUTRAL] if family else np.abs(multipliers)
    before = problem.return_map.stride_map.section.when == "before"
    x = found.strides[-1].x_before if before else found.x0
    matrix = found.by_state[np.ix_(free.free, free.free)]
    return Orbit(
        x=dict(zip(names, x.tolist(), strict=True)),
        period=found.duration,
        strides=problem.return_map.period,
        multipliers=multipliers,
        eigenvectors=np.linalg.eig(matrix)[1],
        stable=bool((counted < 1.0).all()),
        free=tuple(names[i] for i in free.free),
        kept=tuple(names[i] for i in free.kept),
        family=family,
        events=_events_of(problem, found),
        displacement={names[i]: float(found.x[i] - found.x0[i]) for i in free.translations},
        config=stride_map.config_now(),
        section=stride_map.section,
        symmetry=problem.return_map.symmetry,
        chart=found.chart0,
        fixed=problem.fixed,
        found=found,
    )


def _events_of(problem: Problem, found: Return) -> tuple[tuple[float, str], ...]:
    names = problem.return_map.stride_map.model.boundary_records.names
    listed, start = [], 0.0
    for stride in found.strides:
        if stride.events is not None:
            for t, crossed in zip(stride.events.t, stride.events.crossed, strict=True):
                word = "+".join(name for name, flag in zip(names, crossed, strict=False) if flag)
                listed.append((start + float(t - stride.rows.t[0]), word))
        start += stride.duration
    return tuple(listed)
