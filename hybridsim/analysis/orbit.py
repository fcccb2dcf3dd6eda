"""`find_orbit`: a periodic motion of a model, its multipliers and what happens along it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.analysis.characteristics import Characteristics, Measure, measured
from hybridsim.analysis.newton import Equations, solve
from hybridsim.analysis.problem import Problem, first_problem
from hybridsim.analysis.recording import run_orbit, save_orbit
from hybridsim.analysis.return_map import FreeStates, Return, ReturnMap, multipliers_of
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.settings import section_of, settings_of, symmetry_of
from hybridsim.analysis.stride import StrideMap
from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray

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
        The model with its parameters, and how it is integrated; it begins on the orbit.
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

    @property
    def characteristics(self) -> Characteristics:
        """Numbers that describe the orbit, by name; each is computed when it is first asked for.

        `period` [s], `strides`, `growth` (the size of the largest multiplier); for every state and output q, over the
        period, `q.min`, `q.max`, `q.mean` and `q.integral`, and `q.min(c)` and so on in chart c; for every boundary b
        that crosses, `b.count`, `q.before(b)` and `q.after(b)` at its last event, and `q.jump(b)`, by how much its
        events change q in all; for states that are translated, `q.displacement` and `q.speed`.
        """
        return Characteristics(self)

    def measure(self, wanted: Mapping[str, Measure] | Sequence[str]) -> dict[str, float]:
        """Compute some characteristics, or functions of the orbit.

        Parameters
        ----------
        wanted : sequence of str, or mapping of str to (str or callable)
            Names of `characteristics`, or new names with characteristics or functions of the orbit:
            {"lowest": "clearance.min", "speed": lambda orbit: orbit.characteristics["foot_x.before(heelstrike)"] /
            orbit.period}.

        Returns
        -------
        dict of str to float
            The values.

        Raises
        ------
        ConfigError
            If there is no such characteristic, or a function does not return a number.
        """
        return measured(self, wanted)

    def run(self, strides: int = 3) -> Trajectory:
        """Run the model along the orbit, from its state on the section.

        Parameters
        ----------
        strides : int
            Number of strides.

        Returns
        -------
        Trajectory
            The run, with every step. Of an unstable orbit it leaves the orbit in the end, as rounding grows.

        Raises
        ------
        ConfigError
            If `strides` is no positive whole number.
        """
        return run_orbit(self, strides)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the orbit as the file of a run of one period, which `hybridsim view`, `plot` and `verify` take, too.

        Parameters
        ----------
        path : path
            The .h5 file; `hybridsim.load_orbit` reads it.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        save_orbit(self, Path(path))

    def __repr__(self) -> str:
        word = "stable" if self.stable else "unstable"
        return (
            f"<Orbit of {self.model.name}: {word}, period {self.period:.9g} s in {self.strides} stride(s), "
            f"multipliers {np.array2string(self.multipliers, precision=6)}>"
        )


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
        **{key: value for key, value in given.items() if value is not None},
    )
    orbit = settings_of(section, symmetry or Symmetry(), period, fixed or {}, max_time=max_time, tolerance=tolerance)
    return find_orbit_of(dataclasses.replace(config, orbit=orbit))


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
    return solve_orbit(first_problem(return_map_of(config), config.orbit.fixed), config.orbit.tolerance)


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
    section = section_of(orbit)
    section.check(config.model)
    _refuse_unknown_fixed(config.model, orbit.fixed)
    return ReturnMap(StrideMap(config, section), symmetry_of(orbit), orbit.period)


def _refuse_unknown_fixed(model: Model, fixed: Mapping[str, float]) -> None:
    known = (*model.states.names, *model.output_records.names)
    for name in fixed:
        if name not in known:
            raise ConfigError(f"fixed: {model.name} has no state or output {name!r}{nearest(name, known)}")


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
    config, period = stride_map.config_now(), problem.return_map.period
    assert config.orbit is not None
    begin = dict(zip(names, found.x0.tolist(), strict=True))
    settings = config.orbit.model_copy(update={"period": period})
    return Orbit(
        x=dict(zip(names, x.tolist(), strict=True)),
        period=found.duration,
        strides=period,
        multipliers=multipliers,
        eigenvectors=np.linalg.eig(matrix)[1],
        stable=bool((counted < 1.0).all()),
        free=tuple(names[i] for i in free.free),
        kept=tuple(names[i] for i in free.kept),
        family=family,
        events=_events_of(problem, found),
        displacement={names[i]: float(found.x[i] - found.x0[i]) for i in free.translations},
        config=dataclasses.replace(config, initial=begin, initial_chart=found.chart0, orbit=settings),
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
