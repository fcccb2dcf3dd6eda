"""What orbits and equilibria are followed through: parameters of the model, and states that keep their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.problem import Problem, turns_of
from hybridsim.analysis.return_map import ReturnMap, sizes_of
from hybridsim.analysis.rounding import resolved_sizes
from hybridsim.analysis.solving import repeats
from hybridsim.analysis.stride import StrideError, StrideMap
from hybridsim.errors import ConfigError
from hybridsim.model import list_names, nearest
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from hybridsim.analysis.equilibria import Equilibrium

Followed: TypeAlias = "Orbit | Equilibrium"
"""What has a model, its parameters, a state, and states that are kept."""


def key_of(orbit: Followed, parameter: str) -> str:
    """Return the key of a config, `parameters.k`, or `initial.touchdown_angle` for a state that is kept."""
    return f"{'initial' if parameter in orbit.kept else 'parameters'}.{parameter}"


def value_of(orbit: Followed, parameter: str) -> float:
    """Return the value of a parameter, or of a state that is kept, for an orbit."""
    return float(orbit.x[parameter] if parameter in orbit.kept else orbit.parameters[parameter])


def unit_of(orbit: Followed, parameter: str) -> str:
    """Return the unit of a parameter, or of a state that is kept."""
    records = orbit.model.states if parameter in orbit.kept else orbit.model.parameters
    return str(records[parameter].unit)


def refuse_parameter(orbit: Followed, parameter: str) -> None:
    """Raise a ConfigError if orbits cannot be followed through this parameter."""
    names = orbit.model.parameters.names
    if parameter in orbit.kept:
        return
    if parameter not in names:
        known = (*names, *orbit.kept)
        bare = parameter.partition(".")[2]
        hint = f"; it is called `{bare}` here" if bare in known else nearest(parameter, known)
        hint = hint or f"; it has {list_names(known, parameter)}"
        raise ConfigError(f"{orbit.model.name} has no parameter {parameter!r}{hint}")
    record = orbit.model.parameters[parameter]
    if record.choices or record.is_array or record.integer:
        raise ConfigError(f"{orbit.model.name}: {parameter} is no real number, so orbits cannot be followed through it")


def refuse_end(orbit: Followed, name: str, parameter: str, to: float) -> None:
    """Raise a ConfigError if a parameter cannot have a value; `name` is what the caller calls the value."""
    if parameter in orbit.model.parameters.names:
        record = orbit.model.parameters[parameter]
        if not record.lower <= to <= record.upper:
            raise ConfigError(
                f"{name}: {orbit.model.name}: {parameter} is between {record.lower:g} and {record.upper:g}, "
                f"found {to:g}"
            )


def limits_of(orbit: Followed, parameter: str, to: float, back_to: float | None) -> tuple[float, float]:
    """Return the range in which an orbit or an equilibrium is followed, the end that it goes to last.

    Raises
    ------
    ConfigError
        If the parameter cannot have these values, or there is nowhere to go.
    """
    value, word = value_of(orbit, parameter), type(orbit).__name__.lower()
    for name, end in (("to", to), ("back_to", back_to)):
        if end is None:
            continue
        if not isinstance(end, (int, float, np.number)) or not np.isfinite(end):
            raise ConfigError(f"{name}: expected a finite number, found {end!r}")
        refuse_end(orbit, name, parameter, float(end))
        if end == value:
            raise ConfigError(f"{name}: the {word} has {parameter} = {end:g} already; give another value to go to")
    if back_to is not None and (back_to - value) * (to - value) > 0.0:
        raise ConfigError(
            f"back_to: {parameter} = {back_to:g} and {to:g} are on the same side of the {word}'s {value:g}; "
            "give values on both sides"
        )
    return value if back_to is None else float(back_to), float(to)


def problem_of(orbit: Orbit, parameters: Sequence[str]) -> Problem:
    """Return what has to hold for an orbit, as some parameters, or states that are kept, vary."""
    stride_map = StrideMap(orbit.config, orbit.section, tuple(name for name in parameters if name not in orbit.kept))
    return_map, free = ReturnMap(stride_map, orbit.symmetry, orbit.strides), orbit.free_states
    stride_map.variables.leave_out(_known_derivatives(orbit))
    sizes = resolved_sizes(sizes_of(orbit.found), return_map.places, orbit.found.x0, orbit.found.chart0)[free.free]
    sizes[sizes < orbit.config.engine.atol] = 1.0  # of what stays 0 but for errors of steps
    return Problem(return_map, orbit.fixed, free, orbit.found.x0.copy(), orbit.chart, sizes, turns_of(orbit.found))


def _known_derivatives(orbit: Orbit) -> dict[int, float]:
    """Return the states that need not return, and change in each stride themselves alone, with by how many times as
    much: 1 or 0.
    """
    n, known = len(orbit.model.states), dict[int, float]()
    for i in {*range(n)} - {*orbit.free_states.free.tolist(), *orbit.free_states.kept.tolist()}:
        columns = np.array([np.append(each.by_state[:, i], each.duration_by_state[i]) for each in orbit.found.strides])
        for factor in (0.0, 1.0):
            if (columns == factor * np.eye(n + 1)[i]).all():
                known[i] = factor
    return known


def refuse_other_rhythm(orbit: Orbit, parameter: str, change: float) -> None:
    """Refuse to vary a parameter on which the period of a drive depends, if strides last a fixed time.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    parameter : str
        The parameter.
    change : float
        By how much it is varied to find out.

    Raises
    ------
    ConfigError
        If strides that begin one after the other are no longer the same then.
    """
    if orbit.section.time is None or parameter in orbit.kept:
        return
    problem = problem_of(orbit, (parameter,))
    problem.return_map.stride_map.set_parameter(parameter, value_of(orbit, parameter) + change)
    try:
        found = problem.return_map(orbit.found.x0, orbit.chart)
    except StrideError:
        return
    if not repeats(problem, found):
        raise ConfigError(
            f"{orbit.model.name}: the period of what drives it depends on {parameter}, and a stride always takes "
            f"{orbit.section.time:g} s here; make the drive's phase a state of the model, with a boundary where it is "
            "full, and give this boundary as the section"
        )


def finite_numbers(caller: str, name: str, values: Sequence[float]) -> FloatArray:
    """Return values as an array (n,); raise a ConfigError if they are not finite numbers."""
    try:
        numbers = np.asarray(values, float)
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
        raise ConfigError(f"{caller}: {name}: expected finite numbers; give a list of them")
    return numbers


def parameter_values(orbit: Orbit, caller: str, values: Mapping[str, Sequence[float]]) -> dict[str, FloatArray]:
    """Return the values of parameters as arrays; raise a ConfigError if an orbit cannot be followed through them."""
    found = {}
    for name, some in values.items():
        refuse_parameter(orbit, name)
        found[name] = finite_numbers(caller, name, some)
        for end in (found[name].min(), found[name].max()):
            refuse_end(orbit, caller, name, float(end))
        refuse_other_rhythm(orbit, name, float(np.ptp(found[name])))
    return found
