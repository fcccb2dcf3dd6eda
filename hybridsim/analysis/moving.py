"""An orbit at other values of parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from hybridsim.analysis.branch import continue_orbit
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import key_of, refuse_parameter, value_of
from hybridsim.config.run_config import with_values
from hybridsim.errors import explains_keywords
from hybridsim.typing import FloatArray

MAX_WAY_HALVINGS = 7
"""How often the way to other parameters is halved before it is given up."""

LARGEST_STATE_CHANGE = 0.2
"""Most by which the states may change from one orbit to the next, in units of the largest state: on a longer way the
solution may belong to another family, and the way is halved."""

Found = TypeVar("Found")


def in_parts(
    step: Callable[[Found, FloatArray], Found],
    orbit: Found,
    here: FloatArray,
    to: FloatArray,
    halvings: int = MAX_WAY_HALVINGS,
) -> Found:
    """Go from an orbit to that at other values of the parameters, in parts if need be.

    Parameters
    ----------
    step : callable
        Finds the orbit at other values from one nearby, or raises a NoOrbitError.
    orbit : object
        The orbit.
    here, to : (k,) array
        Its values, and those to go to.
    halvings : int
        How often the way that is left is halved before it is given up; after each part, parts may be longer again.

    Returns
    -------
    object
        The orbit there.

    Raises
    ------
    NoOrbitError
        If the orbit is lost on the way.
    """
    share, shortest = 1.0, 0.5**halvings
    while not np.array_equal(here, to):
        there = to if share >= 1.0 else here + share * (to - here)
        try:
            orbit, here = step(orbit, there), there
            share = min(2.0 * share, 1.0)
        except NoOrbitError:
            share *= 0.5
            if share < shortest:
                raise
    return orbit


def neighbour(orbit: Orbit, values: Mapping[str, float]) -> Orbit:
    """Find the orbit at other values of parameters, or of states that are kept, from one nearby.

    Raises
    ------
    NoOrbitError
        If there is none, or it is so far away that it may belong to another family.
    """
    found = find_orbit_of(with_values(orbit.config, {key_of(orbit, name): value for name, value in values.items()}))
    names = [name for name in orbit.free if name not in values]
    before, after = (np.array([each.x[name] for name in names]) for each in (orbit, found))
    if np.abs(after - before).max(initial=0.0) > LARGEST_STATE_CHANGE * np.abs(before).max(initial=0.0):
        raise NoOrbitError("too far", "the orbit found belongs to another family")
    return found


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
