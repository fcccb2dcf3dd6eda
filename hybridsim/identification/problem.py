"""The nonlinear program of an identification: unknowns, misfits and costs, equations of motion, ends of phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.config.identification_config import Free, IdentificationConfig, Trial
from hybridsim.identification.ends import Crossings, Transitions
from hybridsim.identification.field import Field, Quantities, Tracking
from hybridsim.identification.guess import Motion, functions_of, measured_states
from hybridsim.identification.intervals import Boundaries, Cost, Defects, Grid, Limits
from hybridsim.identification.program import Constraint, Objective, Program
from hybridsim.identification.samples import samples_of
from hybridsim.identification.schedules import parts_of
from hybridsim.identification.schemes import RULES
from hybridsim.identification.terms import Sums
from hybridsim.typing import FloatArray, IntArray

GREATEST_GAIN = 0.2
"""Pull towards the data with which a homotopy begins, per spacing of the samples."""

SMALL = 1e-3
"""Part of its size that an unknown is at least, for differences."""

ROUNDED = 1.0 / 6.0
"""Power of late times, over durations, with which steps of times grow: less than functions of rounded times ask for,
as samples ask for steps far smaller than intervals.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A trial as unknowns: its phases.

    Attributes
    ----------
    trial : Trial
        The trial.
    grids : tuple of Grid
        Its phases.
    crossed : tuple of (int or None)
        The boundary at the end of each.
    """

    trial: Trial
    grids: tuple[Grid, ...]
    crossed: tuple[int | None, ...]

    @property
    def begin(self) -> float:
        """When it begins [s]."""
        return self.trial.run.initial_time

    def times(self, z: FloatArray) -> list[tuple[float, float]]:
        """Return beginning and duration of each phase [s]."""
        if not self.grids[0].field.timed:
            return [(grid.begin, grid.duration) for grid in self.grids]
        return [(self.begin + float(z[grid.times[0]]), float(z[grid.times[1]])) for grid in self.grids]

    def nodes(self, z: FloatArray) -> Iterator[tuple[Grid, FloatArray, FloatArray, FloatArray]]:
        """Yield of each phase its grid, the times of its nodes [s], their states, and their free inputs."""
        for grid, (begin, duration) in zip(self.grids, self.times(z), strict=True):
            values, n = z[grid.nodes], grid.field.n_states
            yield grid, begin + duration * grid.places, values[:, :n], values[:, n:]


@dataclass(eq=False)
class Problem:
    """What is to be solved.

    Attributes
    ----------
    config : IdentificationConfig
        What was asked.
    paths : tuple of Path
        The trials.
    parameters : (n,) array
        The unknowns that are free parameters.
    z : (n_unknowns,) array
        The guess.
    lower, upper : (n_unknowns,) array
        Bounds.
    """

    config: IdentificationConfig
    paths: tuple[Path, ...]
    parameters: IntArray
    z: FloatArray
    lower: FloatArray
    upper: FloatArray

    def program(self, z: FloatArray) -> Program:
        """Return the program, with samples in the phases in which they are at z."""
        objectives = [*self._misfits(z), *self._costs()]
        constraints = [*self._motion(z), *self._ends(), *self._limits(), *self._inside(z)]
        return Program(self.lower, self.upper, objectives, constraints, *self.sizes(self.z))

    def sizes(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how large the unknowns are: states and inputs along their trials, parameters as guessed or bounded.

        The second array is what they are at least for differences; times are more, where these are rounded more.
        """
        sizes = np.abs(z)
        for path in self.paths:
            nodes = np.concatenate([grid.nodes for grid in path.grids])
            sizes[nodes] = np.abs(z[nodes]).max(axis=0)
        bounds = np.abs(np.nan_to_num(np.array([self.lower, self.upper]), posinf=0.0, neginf=0.0)).max(axis=0)
        sizes = np.where(sizes > 0.0, sizes, bounds)
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        least = SMALL * sizes
        for path in self.paths if self.paths[0].grids[0].field.timed else ():
            begins, durations = np.array([grid.times for grid in path.grids]).T
            total = z[durations].sum()
            rounded = max(abs(path.begin) / total, 1.0) ** ROUNDED
            least[begins], least[durations] = rounded * total, rounded * z[durations]
        return sizes, least

    def assigned(self, z: FloatArray) -> list[list[IntArray]]:
        """Return, for each trial and phase, which samples are in it."""
        found = []
        for path, data in zip(self.paths, self.config.settings.data, strict=False):
            t, starts = path.trial.t, np.array([begin for begin, _ in path.times(z)])
            number = np.maximum(np.searchsorted(starts, t, side="right") - 1, 0)
            near = (np.abs(t[:, None] - starts[1:]) < data.guard).any(axis=1)
            found.append([np.flatnonzero((number == phase) & ~near) for phase in range(len(starts))])
        return found or [[np.zeros(0, np.int64)] * len(path.grids) for path in self.paths]

    @property
    def spacing(self) -> float:
        """The mean spacing of all samples [s]: one for all trials, as a sample counts by its noise alone."""
        times = [path.trial.t for path in self.paths]
        return float(sum(t[-1] - t[0] for t in times) / sum(len(t) - 1 for t in times))

    def _misfits(self, z: FloatArray) -> Iterator[Objective]:
        config = self.config
        if not config.measured:
            return
        for path, assigned in zip(self.paths, self.assigned(z), strict=True):
            trial = path.trial
            scale = np.sqrt(self.spacing) / trial.noise
            for grid, chosen, times in zip(path.grids, assigned, path.times(z), strict=True):
                if len(chosen):
                    data, quantities = trial.data[chosen], Quantities(grid.field, config.measured)
                    scales = np.tile(scale, (len(chosen), 1))
                    yield Objective(samples_of(grid, quantities, trial.t[chosen], data, scales, times), squares=True)

    def _costs(self) -> Iterator[Objective]:
        minimize = self.config.settings.minimize
        if minimize is None:
            return
        for path in self.paths:
            for weights, power in ((minimize.integrals, 1), (minimize.squares, 2)):
                for grid in path.grids if weights else ():
                    quantities = Quantities(grid.field, tuple(weights))
                    yield Objective(Cost(grid, quantities, np.array([*weights.values()]), power), squares=False)
            if minimize.time:
                index = np.array([grid.times[1] for grid in path.grids])[:, None]
                yield Objective(Sums(index, np.full(index.shape, minimize.time)), squares=False)

    def _motion(self, z: FloatArray) -> Iterator[Constraint]:
        for path in self.paths:
            for grid in path.grids:
                for part, chosen in parts_of(grid, z):
                    defects = Defects(part, chosen)
                    yield Constraint(defects, np.zeros(defects.n_rows), np.zeros(defects.n_rows))

    def _ends(self) -> Iterator[Constraint]:
        """Yield what joins phases, and what closes a motion that repeats itself."""
        zero = np.zeros(1)
        for path in self.paths:
            n = path.grids[0].field.n_states
            for grid, crossed in zip(path.grids, path.crossed, strict=True):
                if crossed is not None:
                    yield Constraint(Crossings(grid, crossed), zero, zero)
            for (grid, crossed), following in zip(
                zip(path.grids, path.crossed, strict=True), path.grids[1:], strict=False
            ):
                assert crossed is not None
                terms = Transitions(grid, crossed, np.arange(n), following.nodes[0, :n])
                yield Constraint(terms, np.zeros(n), np.zeros(n))
                joined = np.array([[following.times[0], *grid.times]])
                yield Constraint(Sums(joined, np.array([[1.0, -1.0, -1.0]])), zero, zero)
            yield from self._total(path)
            if self.config.settings.cyclic:
                yield self._cycle(path)

    def _total(self, path: Path) -> Iterator[Constraint]:
        """Yield the equation for the duration of a motion of several phases, if it is known."""
        duration = self.config.duration
        if len(path.grids) == 1:
            return
        lower, upper = (duration.lower, duration.upper) if duration else (0.0, np.inf)
        if len(path.trial.t):
            lower = upper = float(path.trial.t[-1] - path.begin)
        index = np.array([[grid.times[1] for grid in path.grids]])
        yield Constraint(Sums(index, np.ones(index.shape)), np.array([lower]), np.array([upper]))

    def _cycle(self, path: Path) -> Constraint:
        names = self.config.model.states.names
        pairs = self.config.settings.cyclic or {}
        first = path.grids[0].nodes[0, [names.index(name) for name in pairs]]
        states = np.array([names.index(name) for name in pairs.values()])
        if path.crossed[-1] is None:
            index = np.column_stack([path.grids[-1].nodes[-1, states], first])
            return Constraint(Sums(index, np.tile([1.0, -1.0], (len(index), 1))), np.zeros(1), np.zeros(1))
        terms = Transitions(path.grids[-1], path.crossed[-1], states, first)
        return Constraint(terms, np.zeros(len(states)), np.zeros(len(states)))

    def _limits(self) -> Iterator[Constraint]:
        """Yield the limits of outputs; those of states and inputs are bounds of unknowns."""
        outputs = self.config.model.output_records.names
        limits = {name: each for name, each in self.config.limits.items() if name in outputs and name not in self._own}
        if not limits:
            return
        lower, upper = (np.array([getattr(each, side) for each in limits.values()]) for side in ("lower", "upper"))
        for path in self.paths:
            for grid in path.grids:
                for last in (False, True):
                    yield Constraint(Limits(grid, Quantities(grid.field, tuple(limits)), last=last), lower, upper)

    def _inside(self, z: FloatArray) -> Iterator[Constraint]:
        """Yield that boundaries are not negative, if that is asked for."""
        asked = self.config.settings.collocation.inside and self.config.model.boundary_records
        for path in self.paths if asked else ():
            for grid, t, x, inputs in path.nodes(z):
                rows = np.concatenate([x[:1], inputs[:1], z[grid.parameters][None]], axis=1)
                value, _ = grid.field("boundaries", t[:1], rows, grid.chart)
                active = np.flatnonzero(np.isfinite(value[0]))
                yield Constraint(Boundaries(grid, active), np.zeros(len(active)), np.full(len(active), np.inf))

    @property
    def _own(self) -> tuple[str, ...]:
        return (*self.config.model.states.names, *self.config.inputs)

    def pull(self, part: float) -> None:
        """Let the motions be pulled towards the data with this part of the greatest gain."""
        for path in self.paths:
            tracking = path.grids[0].field.tracking
            if tracking is not None:
                tracking.gain = part * GREATEST_GAIN / float(np.diff(path.trial.t).mean())

    def fill_first_inputs(self, z: FloatArray) -> None:
        """Write the inputs at the beginnings of phases, which some rules never read: on the line of the next two."""
        for grid in (grid for path in self.paths for grid in path.grids if grid.rule.skips_first):
            inputs = grid.nodes[:3, grid.field.n_states :]
            if len(inputs) == 3 and inputs.size:
                begin, first, second = grid.places[:3]
                slope = (z[inputs[2]] - z[inputs[1]]) / (second - first)
                line = z[inputs[1]] + (begin - first) * slope
                z[inputs[0]] = np.clip(line, self.lower[inputs[0]], self.upper[inputs[0]])

    def parameters_at(self, z: FloatArray) -> dict[str, float]:
        """Return the free parameters by name."""
        return dict(zip(self.config.free, z[self.parameters].tolist(), strict=True))


def problem_of(config: IdentificationConfig, motions: Sequence[Motion]) -> Problem:
    """Return the problem of a config, with guesses of the motions of its trials."""
    makers = [_Maker(config, trial, motion) for trial, motion in zip(config.trials, motions, strict=True)]
    first = 0
    for maker in makers:
        first = maker.place(first)
    parameters = first + np.arange(len(config.free))
    z = np.zeros(first + len(parameters))
    lower, upper = np.full(len(z), -np.inf), np.full(len(z), np.inf)
    paths = []
    for maker in makers:
        paths.append(maker.path(parameters))
        maker.fill(z, lower, upper)
    for place, free in zip(parameters, config.free.values(), strict=True):
        z[place], lower[place], upper[place] = free.guess, free.lower, free.upper
    return Problem(config, tuple(paths), parameters, z, lower, upper)


class _Maker:
    """Gives places among the unknowns to a trial, and guesses and bounds to them."""

    def __init__(self, config: IdentificationConfig, trial: Trial, motion: Motion) -> None:
        self.config, self.trial, self.motion = config, trial, motion
        self.rule = RULES[config.settings.collocation.scheme]
        self.n = len(config.model.states) + len(config.inputs)
        free_duration = config.duration is not None and not config.duration.is_fixed
        self.timed = len(motion.phases) > 1 or (not len(trial.t) and free_duration)
        self.places = [self._places(phase.places) for phase in motion.phases]

    def _places(self, ends: FloatArray) -> FloatArray:
        """Return the nodes of a phase from the ends of its intervals, 0 to 1."""
        lengths = np.diff(ends)[:, None]
        return np.append((ends[:-1, None] + lengths * self.rule.places[:-1]).ravel(), ends[-1])

    def place(self, first: int) -> int:
        """Take places from `first` on; return the next one that is free."""
        self.nodes, self.times = [], []
        for places in self.places:
            self.nodes.append(first + np.arange(len(places) * self.n).reshape(-1, self.n))
            first += self.nodes[-1].size
            self.times.append(first + np.arange(2))
            first += 2 if self.timed else 0
        return first

    def path(self, parameters: IntArray) -> Path:
        """Return the phases."""
        run, config = self.trial.run, self.config
        field = Field(functions_of(run), tuple(config.inputs), tuple(config.free), self.timed, self._tracking())
        grids = tuple(
            Grid(field, self.rule, phase.chart, places, nodes, parameters, times, run.initial_time, phase.duration)
            for phase, places, nodes, times in zip(self.motion.phases, self.places, self.nodes, self.times, strict=True)
        )
        return Path(self.trial, grids, tuple(phase.crossed for phase in self.motion.phases))

    def _tracking(self) -> Tracking | None:
        """Return the pull of a homotopy towards the states that were measured."""
        if not self.config.settings.solver.homotopy or not len(self.trial.t):
            return None
        known = measured_states(self.config, self.trial, self.trial.t)
        return Tracking(np.array([*known], np.int64), self.trial.t, np.column_stack([*known.values()]))

    def fill(self, z: FloatArray, lower: FloatArray, upper: FloatArray) -> None:
        """Write guesses and bounds."""
        config, model = self.config, self.config.model
        states = {name: Free(0.0, model.states[name].lower, model.states[name].upper) for name in model.states.names}
        along = {**states, **config.inputs}
        for phase, places, nodes, times in zip(self.motion.phases, self.places, self.nodes, self.times, strict=True):
            values = phase.values(places)
            for column, (name, free) in enumerate(along.items()):
                limit = config.limits.get(name, free)
                lower[nodes[:, column]] = max(limit.lower, free.lower)
                upper[nodes[:, column]] = min(limit.upper, free.upper)
                z[nodes[:, column]] = values[:, column] if column < values.shape[1] else free.guess
            if self.timed:
                z[times] = phase.begin - self.trial.run.initial_time, phase.duration
                lower[times], upper[times] = (-np.inf, phase.shortest), (np.inf, phase.longest)
        if self.timed:
            first = self.times[0][0]
            lower[first] = upper[first] = 0.0
        for end, given in ((self.nodes[0][0], config.initial), (self.nodes[-1][-1], config.final)):
            for name, free in given.items():
                column = end[model.states.names.index(name)]
                lower[column], upper[column] = free.lower, free.upper
                z[column] = np.clip(free.guess if free.is_fixed else z[column], free.lower, free.upper)
