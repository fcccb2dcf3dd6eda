"""A periodic motion of a model, its multipliers and what happens along it."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.analysis.characteristics import Characteristics, Measure
from hybridsim.analysis.doubts import doubts_of, verdict
from hybridsim.analysis.groups import displacement_of, of_states, pivots_of, translated_in
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import FreeStates, Return, named_states
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.ties import ties_of
from hybridsim.config import RunConfig
from hybridsim.config.schema import RecordSettings, Stop
from hybridsim.engine.columns import join_tables
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.events import Events, named_events
from hybridsim.results.files import refuse_unusable
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.typing import FloatArray

MAX_RUN_STRIDES = 10**12
"""Most strides of a run: those of a thousand years."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Orbit:
    """A periodic motion of a hybrid system.

    Parameters
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
    stable : bool or None
        Whether all multipliers are less than 1 in size; those of a family of orbits do not count. Where events
        coincide, whether deviations die out in any order of these events. None if that is not decided, as at a
        bifurcation, where a multiplier is of size 1.
    free : tuple of str
        States in which the motion has to return.
    kept : tuple of str
        States that the strides leave as they are: parameters of the motion.
    family : int
        Dimension of the family of orbits that this one belongs to; 0 if it is isolated.
    displacement : mapping of str to float
        By how much a period moves translated states, as a distance walked: "x", or "x + foot_x" together.
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
    orders : tuple of (n_free, n_free) array
        Where events coincide and their order matters, the derivatives of the return map by the states `free`, one for
        each order; the multipliers are those of the order that the run itself has.
    warnings : tuple of str
        What the numbers do not say.
    """

    x: Mapping[str, float]
    period: float
    strides: int
    multipliers: FloatArray
    stable: bool | None
    free: tuple[str, ...]
    kept: tuple[str, ...]
    family: int
    displacement: Mapping[str, float]
    config: RunConfig
    section: Section
    symmetry: Symmetry
    chart: int
    fixed: Mapping[str, float]
    found: Return
    orders: tuple[FloatArray, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def free_states(self) -> FreeStates:
        """The indices of the states that have to return, and of the others."""
        return named_states(self.model.states.names, (self.free, pivots_of(self.displacement), self.kept))

    @property
    def eigenvectors(self) -> FloatArray:
        """The deviations that grow by the multipliers, in the states `free`, (n_free, n), complex."""
        free = self.free_states.free
        return np.asarray(np.linalg.eig(self.found.by_state[free[:, None], free])[1])

    @property
    def model(self) -> Model:
        """The model."""
        return self.config.model

    @property
    def events(self) -> Events:
        """The events of a period, as of a run; times count from the section [s]. A symmetry acts after each stride."""
        tables, t, j = [], 0.0, 0
        for stride in self.found.strides:
            rows, events = stride.rows, stride.events
            assert events is not None
            tables.append(dataclasses.replace(events, t=t + events.t - rows.t[0], j=j + events.j - rows.j[0]))
            t, j = t + stride.duration, j + int(rows.j[-1] - rows.j[0])
        return named_events(join_tables(tables), self.model.boundary_records.names, self.model.states.names)

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
        displacement = of_states(self.displacement, translated_in(self.config))
        return Characteristics(self.config, self.found, self.multipliers, displacement)

    def measure(self, wanted: Mapping[str, Measure] | Sequence[str] | str) -> dict[str, float]:
        """Compute some characteristics, or functions of the orbit.

        Parameters
        ----------
        wanted : str, sequence of str, or mapping of str to (str or callable)
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
        if not isinstance(wanted, Mapping):
            wanted = {name: name for name in ((wanted,) if isinstance(wanted, str) else wanted)}
        known = self.characteristics
        return {
            name: known[what] if isinstance(what, str) else self._number(name, what) for name, what in wanted.items()
        }

    def _number(self, name: str, function: Measure) -> float:
        """Return the value of a function of the orbit."""
        if not callable(function):
            raise ConfigError(
                f"{name}: expected the name of a characteristic or a function of the orbit, found {function!r}"
            )
        value = function(self)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ConfigError(f"{name}: its function has to return a number, and returned {value!r}") from None
        if math.isnan(number):
            raise ConfigError(f"{name}: its function returned nan; it has to return a number")
        return number

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
        return Simulation.from_config(run_config(self, strides)).run()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the orbit as the file of a run of one period, which `hybridsim view`, `plot` and `verify` take, too.

        Parameters
        ----------
        path : path
            The .h5 file; `hybridsim.load_orbit` reads it.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        from hybridsim.results.hdf5 import write_run  # noqa: PLC0415  (what is not saved does not load h5py)

        path = Path(path)
        refuse_unusable(path)
        run = self.run(self.strides)
        write_run(path, dataclasses.replace(run, provenance={**run.provenance, "orbit": record_of(self)}))
        return path

    def __repr__(self) -> str:
        word = STABILITY[self.stable]
        return (
            f"<Orbit of {self.model.name}: {word}, period {self.period:.9g} s in {self.strides} stride(s), "
            f"multipliers {np.array2string(self.multipliers, precision=6)}>"
        )


STABILITY: Mapping[bool | None, str] = {True: "stable", False: "unstable", None: "stability not decided"}
"""What is said of an orbit."""


def orbit_of(problem: Problem, found: Return, family: int) -> Orbit:
    """Make the orbit of strides that return."""
    stride_map, free = problem.return_map.stride_map, problem.free
    names, multipliers = stride_map.model.states.names, problem.multipliers(found)
    x = found.strides[-1].x_before if stride_map.section.when == "before" else found.x0
    config = stride_map.config_now()
    assert config.orbit is not None
    begin, moved = dict(zip(names, found.x0.tolist(), strict=True)), found.x - found.x0 + found.moved
    settings = config.orbit.model_copy(update={"strides": len(found.strides), "starts": 1})
    ties, (stable, critical) = ties_of(problem, found), verdict(problem, found, multipliers, family)
    return Orbit(
        x=dict(zip(names, x.tolist(), strict=True)),
        period=found.duration,
        strides=len(found.strides),
        multipliers=multipliers,
        stable=stable if ties is None else ties.stable,
        free=tuple(names[i] for i in free.free),
        kept=tuple(names[i] for i in free.kept),
        family=family,
        displacement=displacement_of(names, translated_in(config), moved, free.translations),
        config=dataclasses.replace(config, initial=begin, initial_chart=found.chart0, orbit=settings),
        section=stride_map.section,
        symmetry=problem.return_map.symmetry,
        chart=found.chart0,
        fixed=problem.fixed,
        found=found,
        orders=() if ties is None else ties.orders,
        warnings=(*critical, *(() if ties is None else (ties.warning,)), *doubts_of(problem, found)),
    )


def run_config(orbit: Orbit, strides: int) -> RunConfig:
    """Return the config of a run along an orbit.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    strides : int
        Number of strides after which the run ends.

    Raises
    ------
    ConfigError
        If `strides` is no whole number, or out of range.
    """
    if isinstance(strides, bool) or not isinstance(strides, int) or not 1 <= strides <= MAX_RUN_STRIDES:
        raise ConfigError(f"strides: expected a whole number from 1 to {MAX_RUN_STRIDES:,}, found {strides!r}")
    config, settings = orbit.config, orbit.config.orbit
    assert settings is not None
    at_event = orbit.section.boundary is not None
    length = strides * settings.max_time if at_event else _duration(orbit, strides)
    return dataclasses.replace(
        config,
        stop=(_last_event(orbit, strides),) if at_event else (),
        final_time=config.initial_time + length,
        record=RecordSettings(),
    )


def _duration(orbit: Orbit, strides: int) -> float:
    """Return how long so many strides take [s]."""
    periods, rest = divmod(strides, orbit.strides)
    return periods * orbit.period + sum(stride.duration for stride in orbit.found.strides[:rest])


def _last_event(orbit: Orbit, strides: int) -> Stop:
    """Return the stop of a run of so many strides: the boundary at its end, and how many events of it there are.

    A run has no images: where a symmetry exchanges boundaries, each stride ends at the image of the one before it, and
    what the orbit records of stride n as a boundary is its n-th image.
    """
    names = orbit.model.boundary_records.names
    image, here = orbit.symmetry.boundaries, list(names)
    counts: list[dict[str, int]] = []
    places = [here]
    while len(counts) < strides:
        events = orbit.found.strides[len(counts) % orbit.strides].events
        assert events is not None
        crossed = (events.crossed.astype(bool) & (events.declined == 0)[:, None]).sum(axis=0)
        counts.append(dict(zip(here, crossed.tolist(), strict=False)))
        here = [image.get(name, name) for name in here]
        places.append(here)
        if here == [*names] and len(counts) % orbit.strides == 0:
            break  # from here on everything repeats itself
    cycles, rest = divmod(strides, len(counts))
    last = (places[rest] if rest else here)[names.index(orbit.section.boundary or "")]
    in_cycle, in_rest = (sum(each[last] for each in some) for some in (counts, counts[:rest]))
    return Stop(boundary=last, count=cycles * in_cycle + in_rest)


def record_of(orbit: Orbit) -> dict[str, Any]:
    """Return what the file of an orbit says about it in its group `/orbit`."""
    return {
        "strides": orbit.strides,
        "period": orbit.period,
        "stable": orbit.stable,
        "family": orbit.family,
        "warnings": orbit.warnings,
        "multipliers": np.asarray(orbit.multipliers, complex),
        "free": orbit.free,
        "translated": pivots_of(orbit.displacement),
        "kept": orbit.kept,
    }
