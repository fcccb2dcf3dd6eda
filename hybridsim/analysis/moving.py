"""An orbit, followed to other values of parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.branch import continue_orbit
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import key_of, problem_of, refuse_parameter, value_of
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, shrinks_to_equilibrium
from hybridsim.analysis.solving import find_return, solve_orbit
from hybridsim.config.run_config import with_values
from hybridsim.errors import explains_keywords
from hybridsim.typing import FloatArray

MAX_HALVINGS = 10
"""How often the way that is left is halved before it is given up; after each part, parts may be longer again."""

MAX_ITERATIONS = 12
"""Most iterations of Newton's method from the place foreseen; where it needs more, the way is halved."""

LARGEST_DEVIATION = 0.1
"""Most by which the change of the states on a part of the way may differ from that by the mean of the tangents at its
ends, relative to the larger of both: else the orbit found there may belong to another family."""

SHORT_STEP = 1e-3
"""Change of the states, in their sizes, that is taken as it is: orbits have corners, where events change places."""

ROUNDING = 1e-12
"""Least size of a singular value: a smaller one is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """An orbit on the way.

    Attributes
    ----------
    values : (k,) array
        Values of the parameters.
    found : Return
        The strides of a period.
    tangent : (n_free, k) array
        Derivatives of the free states, in their sizes, by the parameters.
    least : float
        The least singular value, as a part of the largest, of what the tangent is solved from: 0 at a turning point.
    """

    values: FloatArray
    found: Return
    tangent: FloatArray
    least: float


class Follower:
    """Follows an orbit to other values of parameters, or of states that are kept.

    From an orbit the next one is foreseen along its tangent, and found by Newton's method. On a smooth family its
    change is that by the mean of both tangents but for terms of third order; where it is not, the orbit may belong to
    another family, and the way is halved.

    Parameters
    ----------
    problem : Problem
        What has to hold; its stride map differentiates with respect to the parameters.
    names : sequence of str
        The parameters, and the states that are kept.
    tolerance : float
        By how much the motion may miss itself.
    family : int
        Dimension of the families of orbits that there are at all values of the parameters.
    """

    def __init__(self, problem: Problem, names: Sequence[str], tolerance: float, family: int) -> None:
        self.problem, self._names, self._tolerance, self._family = problem, names, tolerance, family

    @classmethod
    def of(cls, orbit: Orbit, names: Sequence[str]) -> Follower:
        """Return what follows an orbit."""
        assert orbit.config.orbit is not None
        return cls(problem_of(orbit, names), names, orbit.config.orbit.tolerance, orbit.family)

    def begin(self, values: FloatArray, x: FloatArray) -> Place:
        """Return the place of an orbit that is known."""
        problem = self._problem_with(values, x)
        return self._place(values, problem.make_strides(x[problem.free.free] / problem.sizes))

    def reach(self, place: Place, values: FloatArray) -> Place:
        """Follow an orbit to other values, in parts if need be.

        Raises
        ------
        NoOrbitError
            If the orbit is lost on the way.
        """
        share = 1.0
        while not np.array_equal(place.values, values):
            there = values if share >= 1.0 else place.values + share * (values - place.values)
            try:
                place = self._step(place, there)
                share = min(2.0 * share, 1.0)
            except NoOrbitError:
                share *= 0.5
                if share < 0.5**MAX_HALVINGS:
                    raise
        return place

    def leads_on(self, place: Place) -> bool:
        """Return whether orbits can be followed from a place: a turning point is known to the tolerance's root."""
        return place.least > math.sqrt(self._tolerance)

    def orbit(self, place: Place) -> Orbit:
        """Return the orbit at a place."""
        return solve_orbit(self.problem_at(place), self._tolerance)

    def problem_at(self, place: Place) -> Problem:
        """Return what has to hold there."""
        return self._problem_with(place.values, place.found.x0)

    def _step(self, near: Place, values: FloatArray) -> Place:
        """Find the orbit at other values from one nearby, by Newton's method."""
        free, sizes, change = self.problem.free.free, self.problem.sizes, values - near.values
        foreseen = near.found.x0.copy()
        foreseen[free] += sizes * (near.tangent @ change)
        problem = self._problem_with(values, foreseen)
        found, _ = find_return(problem, self._tolerance, MAX_ITERATIONS)
        if found.duration <= 0.0 or shrinks_to_equilibrium(found, problem.sizes_along(found)):
            raise NoOrbitError("equilibrium", "the motion stands still there: it is an equilibrium")
        there = self._place(values, found)
        moved = (found.x0 - near.found.x0)[free] / sizes
        begin, end = near.tangent @ change, there.tangent @ change
        largest = max(float(np.abs(each).max(initial=0.0)) for each in (moved, begin, end))
        deviation = float(np.abs(moved - 0.5 * (begin + end)).max(initial=0.0))
        if deviation > LARGEST_DEVIATION * largest and largest > SHORT_STEP:
            raise NoOrbitError("too far", "the orbit found may belong to another family")
        return there

    def _place(self, values: FloatArray, found: Return) -> Place:
        problem = self.problem
        by_parameters = np.column_stack([problem.by_parameter(found, name) for name in self._names])
        by_parameters[~np.isfinite(by_parameters)] = 0.0  # next to a grazing: only short steps agree with it
        n = len(problem.free.free) - self._family
        left, sizes, right = np.linalg.svd(problem.equations(found).jacobian, full_matrices=False)
        left, sizes, right = left[:, :n], np.maximum(sizes[:n], ROUNDING), right[:n]
        tangent = -right.T @ ((left.T @ by_parameters) / sizes[:, None])
        return Place(values, found, tangent, float((sizes / sizes.max(initial=1.0)).min(initial=1.0)))

    def _problem_with(self, values: FloatArray, x: FloatArray) -> Problem:
        """Return what has to hold at other values, with a state as the guess."""
        self.problem.x[:] = x
        for name, value in zip(self._names, values.tolist(), strict=True):
            self.problem.set_value(name, value)
        return self.problem


@explains_keywords(to="value")
def orbit_at(orbit: Orbit, parameter: str, value: float) -> Orbit:
    """Follow an orbit to another value of a parameter, and find it there.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    parameter : str
        Name of the parameter, as of `continue_orbit`.
    value : float
        The other value.

    Returns
    -------
    Orbit
        The orbit there; the same one if it has this value.

    Raises
    ------
    ConfigError
        If orbits cannot be followed through the parameter.
    NoOrbitError
        If the curve of orbits does not reach this value; or Ctrl-C came before.
    """
    refuse_parameter(orbit, parameter)
    begin = value_of(orbit, parameter)
    if begin == value:
        return orbit
    branch = continue_orbit(orbit, parameter, to=value)
    if not branch.complete:
        raise KeyboardInterrupt
    values = branch.points[parameter]
    beyond = np.flatnonzero((values - value) * np.sign(value - begin) >= 0.0)
    if not len(beyond) or beyond[0] == 0:
        furthest = float(values[np.argmin(np.abs(values - value))])
        raise NoOrbitError(
            "no solution",
            f"the orbits at {parameter} = {begin:.6g} do not reach {value:.6g}: they go to {furthest:.6g}; "
            f"choose a range up to there, or begin with another orbit",
        )
    rows = np.array([beyond[0] - 1, beyond[0]])
    share = (value - values[rows[0]]) / (values[rows[1]] - values[rows[0]])
    names = orbit.model.states.names
    table = {name: branch.points[name][rows] for name in names}
    guess = {name: float(ends[0] + share * (ends[1] - ends[0])) for name, ends in table.items()}
    there = {f"initial.{name}": number for name, number in guess.items()}
    return find_orbit_of(with_values(orbit.config, {**there, key_of(orbit, parameter): value}))
