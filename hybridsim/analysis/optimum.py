"""`optimize_orbit`: the member of a family of orbits with the least or the largest value of a characteristic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult, minimize, minimize_scalar

from hybridsim.analysis.characteristics import Measure
from hybridsim.analysis.moving import Follower, Place
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import refuse_end, refuse_parameter, value_of
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import Progress, RowProgress, shown
from hybridsim.typing import FloatArray

END_SHARE = 0.01
"""Share of a range within which its end is tried, too."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """The best orbit that was found.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    value : float
        The objective there.
    parameters : mapping of str to float
        The parameters that were varied, with their values there.
    evaluations : int
        Number of orbits that were tried.
    failures : int
        How many of them do not exist.
    message : str
        Why the search ended.
    """

    orbit: Orbit
    value: float
    parameters: Mapping[str, float]
    evaluations: int
    failures: int
    message: str

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value:.6g}" for name, value in self.parameters.items())
        return (
            f"<Optimum {self.value:.6g} at {values}, {self.evaluations} orbits tried, {self.failures} without success>"
        )


@explains_keywords()
def optimize_orbit(
    orbit: Orbit,
    objective: Measure,
    parameters: Mapping[str, tuple[float, float]],
    *,
    maximize: bool = False,
    tolerance: float = 1e-8,
    max_evaluations: int = 500,
    progress: Progress = None,
) -> Optimum:
    """Vary parameters until a characteristic of the orbit is least or largest.

    The orbit is solved anew for each choice of the parameters, beginning at the nearest one known. One parameter is
    searched by Brent's method, several by that of Nelder and Mead, both within the ranges (`scipy.optimize`).

    Parameters
    ----------
    orbit : Orbit
        A member of the family.
    objective : str or callable
        Name of a characteristic, or a function of the orbit; see `Orbit.measure`.
    parameters : mapping of str to (float, float)
        The parameters to vary, or states that the strides leave as they are (`Orbit.kept`), with their ranges [their
        units].
    maximize : bool
        Look for the largest value instead of the least.
    tolerance : float
        How exact the parameters are to be, relative to their ranges.
    max_evaluations : int
        Most orbits to try.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the number of orbits that were tried, and how many of them were found and not.

    Returns
    -------
    Optimum
        The best orbit.

    Raises
    ------
    ConfigError
        If a parameter does not exist or has no range, or the objective is wrong.
    NoOrbitError
        If there is no such orbit anywhere in the ranges.
    """
    limits = _read_limits(orbit, parameters)
    with shown(progress, lambda: RowProgress(max_evaluations, "orbits")) as report:
        family = _Family(orbit, objective, limits, -1.0 if maximize else 1.0, report)
        result = _search(family, len(limits), tolerance, max_evaluations)
        _try_ends(family, np.atleast_1d(result.x))
        return family.optimum(result)


def _search(family: _Family, n: int, tolerance: float, max_evaluations: int) -> OptimizeResult:
    """Look for the best of n parameters within their ranges."""
    if n == 1:
        options = {"xatol": tolerance, "maxiter": max_evaluations}
        return minimize_scalar(lambda u: family(np.array([u])), bounds=(0.0, 1.0), method="bounded", options=options)
    options = {"xatol": tolerance, "fatol": np.inf, "maxfev": max_evaluations}
    return minimize(family, family.start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * n, options=options)


def _try_ends(family: _Family, u: FloatArray) -> None:
    """Try the ends of ranges that are near: Brent's method comes close to them and never there."""
    at_ends = np.where(u < END_SHARE, 0.0, np.where(u > 1.0 - END_SHARE, 1.0, u))
    if not np.array_equal(at_ends, u):
        family(at_ends)


def _read_limits(orbit: Orbit, parameters: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    if not parameters or not isinstance(parameters, Mapping):
        raise ConfigError('parameters: expected at least one with its range, {"slope": (0.005, 0.015)}')
    for name, limits in parameters.items():
        refuse_parameter(orbit, name)
        ends = np.array(limits, dtype=object)
        if (
            ends.shape != (2,)
            or not all(isinstance(end, (int, float, np.number)) for end in ends)
            or not ends[0] < ends[1]
        ):
            raise ConfigError(
                f"parameters: {name}: expected a range of two numbers, (low, high), found {limits!r}; give for example "
                f"{{{name!r}: (0.005, 0.015)}}"
            )
        for end in limits:
            refuse_end(orbit, "parameters", name, float(end))
    return {name: (float(low), float(high)) for name, (low, high) in parameters.items()}


class _Family:
    """Orbits at parameters u, which go from 0 to 1 within their ranges, and what is known of them."""

    def __init__(
        self,
        orbit: Orbit,
        objective: Measure,
        limits: Mapping[str, tuple[float, float]],
        sign: float,
        report: Callable[[int, Mapping[str, int]], None] | None,
    ) -> None:
        self._limits, self._objective, self._sign, self._report = limits, objective, sign, report
        pairs = [((value_of(orbit, name) - low) / (high - low)) for name, (low, high) in limits.items()]
        self.start = np.clip(pairs, 0.0, 1.0)
        self._follower = Follower.of(orbit, tuple(limits))
        here = self._follower.begin(self._values(np.array(pairs)), orbit.found.x0)
        self._known: list[tuple[FloatArray, Place]] = [(np.array(pairs), here)]
        self._best: tuple[float, FloatArray, Orbit] | None = None
        self._worst = sign * orbit.measure({"objective": objective})["objective"]
        self.evaluations, self.failures = 0, 0

    def __call__(self, u: FloatArray) -> float:
        """Return sign times the objective; where there is no orbit, more than anywhere else so far."""
        self.evaluations += 1
        orbit = self._orbit_at(np.asarray(u, float))
        self.failures += orbit is None
        if self._report is not None:
            self._report(self.evaluations, {"found": self.evaluations - self.failures, "none": self.failures})
        if orbit is None:
            return self._worst + abs(self._worst) + 1.0
        value = orbit.measure({"objective": self._objective})["objective"]
        self._worst = max(self._worst, self._sign * value)
        if self._best is None or self._sign * value < self._best[0]:
            self._best = self._sign * value, np.array(u, float), orbit
        return self._sign * value

    def _values(self, u: FloatArray) -> FloatArray:
        """Return the values of the parameters at u."""
        low, high = np.array([*self._limits.values()]).T
        return np.asarray(low + u * (high - low))

    def _orbit_at(self, u: FloatArray) -> Orbit | None:
        """Go to u from the nearest orbit known, in parts if need be."""
        _, near = min(self._known, key=lambda pair: float(np.abs(pair[0] - u).max()))
        try:
            place = self._follower.reach(near, self._values(u))
            orbit = self._follower.orbit(place)
        except NoOrbitError:
            return None
        self._known.append((u.copy(), place))
        return orbit

    def optimum(self, result: OptimizeResult) -> Optimum:
        """Return the best orbit of all that were tried."""
        if self._best is None:
            raise NoOrbitError("no solution", "there is no such orbit in the ranges of the parameters; choose others")
        value, u, orbit = self._best
        return Optimum(
            orbit,
            self._sign * value,
            dict(zip(self._limits, self._values(u).tolist(), strict=True)),
            self.evaluations,
            self.failures,
            str(result.message).strip(),
        )
