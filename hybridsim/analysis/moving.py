"""An orbit at another value of a parameter."""

from __future__ import annotations

import numpy as np

from hybridsim.analysis.branch import continue_orbit, value_of
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.config.run_config import with_values


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
    NoOrbitError
        If the curve of orbits does not reach this value; or Ctrl-C came before.
    """
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
    section = "initial" if parameter in names else "parameters"
    return find_orbit_of(with_values(orbit.config, {**there, f"{section}.{parameter}": value}))
