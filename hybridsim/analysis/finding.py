"""`find_orbit`: a periodic motion near a guess."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.problem import first_problem
from hybridsim.analysis.return_map import ReturnMap
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.solving import solve_orbit
from hybridsim.analysis.starts import Sample, search
from hybridsim.analysis.stride import StrideMap
from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.config.orbit_settings import OrbitSettings
from hybridsim.engine.methods import Tableau
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model, nearest
from hybridsim.typing import Method


@explains_keywords(
    guess="initial", x0="initial", at="initial", period="strides", max_period="max_time", tol="tolerance"
)
def find_orbit(
    model: str | os.PathLike[str] | Model,
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    section: str | Section,
    initial: Mapping[str, Any] | None = None,
    initial_time: float = 0.0,
    initial_chart: int | str | None = None,
    strides: int = 1,
    symmetry: Symmetry | None = None,
    fixed: Mapping[str, float] | None = None,
    translated: Sequence[Sequence[str] | Mapping[str, float]] = (),
    turned: Mapping[str, Sequence[Any]] | None = None,
    starts: int = 1,
    method: Method | Tableau = "dop853",
    rtol: float = 1e-12,
    atol: float = 1e-13,
    tolerance: float = 1e-10,
    max_time: float = 100.0,
) -> Orbit:
    """Find a periodic motion near a guess, stable or not.

    Newton's method looks for a state on the section that returns to itself. The derivatives of the strides are exact
    (`hybridsim.sensitivity`). States that need not return are found automatically: those that are only translated, as
    a distance walked, alone or together, as a body and its feet; those that a stride leaves as they are; those that
    follow from the others. A counter of ticks with which a model keeps its time returns but for the ticks of a period.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.
    section : str or Section
        Where a stride begins and ends; a name stands for the state after this boundary's transition.
    initial : mapping of str, optional
        A state near the motion, on the section or not; states that are not given have their defaults.
    initial_time : float
        Time at which the guess is a state, of a model that depends on time [s].
    initial_chart : int or str, optional
        The chart of the guess; by default the model decides.
    strides : int
        Strides in a period.
    symmetry : Symmetry, optional
        The image in which a stride ends.
    fixed : mapping of str to float, optional
        Values of states or outputs on the section, to choose one of a family of orbits: {"energy": 1784.8}.
    translated : sequence of sequences of str, or of mappings of str to float
        States that are moved together without a change, as a body and its feet in the world: [("x", "foot_x")], or
        {"x": 1.0, "foot_x": 1000.0} with the foot in millimetres; ("t", "ticks") are time and a counter of a clock.
        They are found where none are given.
    turned : mapping of str to sequence, optional
        States in the plane that are turned together without a change, as of a robot that walks round a bend:
        {"angles": ["heading"], "positions": [("x", "y"), ("foot_x", "foot_y")], "vectors": [("vx", "vy")]}. The first
        angle tells the turn, and points are turned round the first of them.
    starts : int
        Number of states round the guess, within 40 % of the states' sizes, from which strides are made. If there are
        several, Newton's method begins where these return best and not at the guess, so that a stable motion is found
        from far away.
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
        solution, too exact, equilibrium.

    Examples
    --------
    >>> orbit = hybridsim.find_orbit("simplest_walker", parameters={"slope": 0.009}, section="heelstrike")
    >>> orbit.x["theta"], orbit.period, orbit.multipliers
    """
    config = config_from_keywords(
        model,
        initial_time=initial_time,
        method=method,
        rtol=rtol,
        atol=atol,
        **given_ones(parameters=parameters, inputs=inputs, initial=initial, initial_chart=initial_chart),
    )
    others = {"translated": tuple(translated), "turned": turned, "strides": strides, "starts": starts}
    orbit = settings_of(section, symmetry, fixed, max_time, tolerance, **others)
    return find_orbit_of(dataclasses.replace(config, orbit=orbit))


def given_ones(**values: Any) -> dict[str, Any]:
    """Return the keywords that are not None."""
    return {key: value for key, value in values.items() if value is not None}


def find_orbit_of(config: RunConfig) -> Orbit:
    """Find the periodic motion that a config describes in its section `orbit`; for the errors see `find_orbit`.

    Parameters
    ----------
    config : RunConfig
        The config, whose initial state is the guess.

    Returns
    -------
    Orbit
        The periodic motion.
    """
    assert config.orbit is not None
    return_map, starts, tolerance = return_map_of(config), config.orbit.starts, config.orbit.tolerance
    if starts > 1:
        return search(Sample(return_map, config), starts, lambda problem: solve_orbit(problem, tolerance))
    return solve_orbit(first_problem(return_map, config.orbit.fixed), tolerance)


def return_map_of(config: RunConfig, varied: tuple[str, ...] = ()) -> ReturnMap:
    """Make the return map of a period, as a config describes it in its section `orbit`.

    It differentiates with respect to parameters that are varied.

    Raises
    ------
    ConfigError
        If the model has no such section, state or chart.
    """
    orbit = config.orbit
    assert orbit is not None
    config = dataclasses.replace(config, final_time=config.initial_time + orbit.max_time)
    section = Section(**orbit.section.model_dump())
    section.check(config.model)
    _refuse_unknown_fixed(config.model, orbit.fixed)
    return ReturnMap(StrideMap(config, section, varied), Symmetry(**orbit.symmetry.model_dump()), orbit.strides)


def _refuse_unknown_fixed(model: Model, fixed: Mapping[str, float]) -> None:
    known = (*model.states.names, *model.output_records.names)
    for name in fixed:
        if name not in known:
            raise ConfigError(f"fixed: {model.name} has no state or output {name!r}{nearest(name, known)}")


def settings_of(
    section: str | Section,
    symmetry: Symmetry | None,
    fixed: Mapping[str, float] | None,
    max_time: float,
    tolerance: float,
    **others: Any,
) -> OrbitSettings:
    """Return the section of a config that describes an orbit; raise a ConfigError if a value is wrong."""
    section = Section(section) if isinstance(section, str) else section
    symmetry = symmetry or Symmetry()
    for name, value, kind in (("section", section, Section), ("symmetry", symmetry, Symmetry)):
        if not isinstance(value, kind):
            raise ConfigError(f"{name}: expected a hybridsim.{kind.__name__}, found {type(value).__name__}")
    values = {
        "section": dataclasses.asdict(section),
        "symmetry": dataclasses.asdict(symmetry),
        "fixed": {name: float(value) for name, value in (fixed or {}).items()},
        "max_time": float(max_time),
        "tolerance": float(tolerance),
    }
    try:
        return OrbitSettings.model_validate({**values, **others})
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        raise ConfigError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}, found {first['input']!r}") from None
