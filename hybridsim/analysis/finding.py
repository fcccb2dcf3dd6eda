"""`find_orbit`: a periodic motion near a guess."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from hybridsim.analysis.newton import MAX_STEP_HALVINGS, Equations, NoOrbitError, norm, solve
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.problem import Problem, first_problem
from hybridsim.analysis.return_map import FreeStates, Return, ReturnMap, shrinks_to_equilibrium, sizes_of
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.starts import Sample, search
from hybridsim.analysis.stride import StrideError, StrideMap
from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.config.orbit_settings import OrbitSettings
from hybridsim.engine.methods import Tableau
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model, nearest
from hybridsim.model.contract import may_read_time
from hybridsim.typing import FloatArray, Method

SHORTEST_DURATION = 1e-9
"""Part of the duration of the guess that is none: what rounding leaves where legs strike at once, again and again."""
REPEAT_TOLERANCE = 1e-6
"""By how much the next period may differ from the one found, relative to the sizes of the states."""


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
    a distance walked; those that a stride leaves as they are; those that follow from the others.

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
    orbit = settings_of(section, symmetry, fixed, max_time, tolerance, strides=strides, starts=starts)
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


def return_map_of(config: RunConfig) -> ReturnMap:
    """Make the return map of a period, as a config describes it in its section `orbit`.

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
    return ReturnMap(StrideMap(config, section), Symmetry(**orbit.symmetry.model_dump()), orbit.strides)


def _refuse_unknown_fixed(model: Model, fixed: Mapping[str, float]) -> None:
    known = (*model.states.names, *model.output_records.names)
    for name in fixed:
        if name not in known:
            raise ConfigError(f"fixed: {model.name} has no state or output {name!r}{nearest(name, known)}")


def solve_orbit(problem: Problem, tolerance: float, **limits: int) -> Orbit:
    """Solve for an orbit, beginning at the state of the problem; `limits` are those of `find_return`."""
    try:
        found, family = find_return(problem, tolerance, **limits)
    except NoOrbitError as failure:
        _blame_fixed(problem, tolerance)
        raise failure from None
    _refuse_equilibrium(problem, found)
    _refuse_drift(problem, found)
    return orbit_of(problem, problem.settle(found), family)


def find_return(
    problem: Problem, tolerance: float, max_iterations: int = 50, max_halvings: int = MAX_STEP_HALVINGS
) -> tuple[Return, int]:
    """Find strides that return, beginning at the state of the problem.

    Parameters
    ----------
    problem : Problem
        What has to hold.
    tolerance : float
        Largest residual.
    max_iterations, max_halvings : int
        Most iterations of Newton's method, and of halvings of one of its steps.

    Returns
    -------
    Return
        The strides.
    int
        Dimension of the family of solutions.
    """
    best, guessed = Best(np.empty(0), np.inf, None), 0.0

    def equations(u: FloatArray) -> Equations:
        nonlocal best, guessed
        found = problem.make_strides(u)
        guessed = guessed or found.duration
        here = problem.equations(found)
        if norm(here.residual) <= best.miss or best.found is None:
            best = Best(u, norm(here.residual), found)
        return here

    try:
        solution = solve(
            equations, problem.x[problem.free.free] / problem.sizes, tolerance, max_iterations, max_halvings
        )
    except NoOrbitError as failure:
        if failure.cause == "too exact" and best.found is not None:
            _refuse_equilibrium(problem, best.found)
        raise
    same = best.found is not None and np.array_equal(best.u, solution.u)
    found = best.found if best.found is not None and same else problem.make_strides(solution.u)
    if found.duration <= SHORTEST_DURATION * guessed:
        raise NoOrbitError(
            "too far", "the guess leads to a stride that takes no time; start nearer to a periodic motion"
        )
    return found, solution.family


class Best(NamedTuple):
    """The strides that miss their beginning least, so far, and the unknowns with which they begin."""

    u: FloatArray
    miss: float
    found: Return | None


def _blame_fixed(problem: Problem, tolerance: float) -> None:
    """Raise a NoOrbitError if there is an orbit near the guess, but with other values of the fixed quantities."""
    if not problem.fixed:
        return
    try:
        orbit = solve_orbit(dataclasses.replace(problem, fixed={}), tolerance)
    except NoOrbitError:
        return
    lacking, _ = problem.conditions(orbit.found.x0)
    there = ", ".join(
        f"{name} = {value + miss:.6g}" for (name, value), miss in zip(problem.fixed.items(), lacking, strict=True)
    )
    asked = ", ".join(f"{name} = {value:.6g}" for name, value in problem.fixed.items())
    raise NoOrbitError(
        "no solution",
        f"near the guess there is an orbit with {there}, and from it none with {asked} is reached; fix a value nearer "
        "to it, or start from a guess with about this value",
    )


def _refuse_equilibrium(problem: Problem, found: Return) -> None:
    """Raise a NoOrbitError if nothing moves in what was found."""
    sizes = sizes_of(found)
    sizes[problem.free.free] = np.maximum(sizes[problem.free.free], problem.sizes)
    if shrinks_to_equilibrium(found, sizes):
        there = zip(problem.return_map.stride_map.model.states.names, found.x0, strict=True)
        raise NoOrbitError(
            "equilibrium",
            f"what returns hardly moves, near {', '.join(f'{name} = {value:.6g}' for name, value in there)}: it is an "
            "equilibrium, an orbit too small to be told from one, or a place where the motion touches the section; "
            "start further away from it, or with another section",
        )


def _refuse_drift(problem: Problem, found: Return) -> None:
    """Raise a NoOrbitError if the next period is another one: the model depends on time, and in another rhythm."""
    if not repeats(problem.return_map, found, problem.free):
        raise NoOrbitError(
            "no solution",
            f"the motion returns after {found.duration:.9g} s, but the next period is another one, because the model "
            "depends on time; use Section(time=...) with the period of what drives it, or make its phase a state",
        )


def repeats(return_map: ReturnMap, found: Return, free: FreeStates) -> bool:
    """Return whether strides from the same state, begun when those found have ended, end in the same state.

    States that need not return are where those found have left them: a counter of beats goes with the time.
    """
    begin = found.x.copy()
    begin[free.free] = found.x0[free.free]
    stride_map, first = return_map.stride_map, return_map.stride_map.config.initial_time
    if np.array_equal(begin, found.x0) and not may_read_time(stride_map.model.functions):
        return True  # it would make the same strides
    stride_map.begin_at(first + found.duration)
    try:
        again = return_map(begin, found.chart0)
    except StrideError:
        return False
    finally:
        stride_map.begin_at(first)
    same = np.abs(again.x - found.x)[free.free] <= REPEAT_TOLERANCE * sizes_of(found)[free.free]
    return bool(same.all()) and abs(again.duration - found.duration) <= REPEAT_TOLERANCE * found.duration


def settings_of(
    section: str | Section,
    symmetry: Symmetry | None,
    fixed: Mapping[str, float] | None,
    max_time: float,
    tolerance: float,
    **others: int,
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
