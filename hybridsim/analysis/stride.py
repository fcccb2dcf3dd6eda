"""One stride: a run from a state on a section to the section's next event, with its derivatives."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.analysis.section import SECTION_BOUNDARY, Section, events_of_model, with_state_section
from hybridsim.analysis.variables import Variables
from hybridsim.config import RunConfig
from hybridsim.config.run_config import with_values
from hybridsim.config.schema import Stop
from hybridsim.derivatives.variations import KeptMemory, Variations, refuse_method, vary
from hybridsim.duals.functions import REPLAYED, dual_functions
from hybridsim.engine.columns import AnyTable, EventTable, StepTable, join_tables, zeros
from hybridsim.engine.status import Status
from hybridsim.errors import HybridsimError
from hybridsim.model.dry_run import refuse_broken
from hybridsim.results.rows import slopes
from hybridsim.simulation.drive import Drive
from hybridsim.simulation.messages import explain
from hybridsim.simulation.packing import pack
from hybridsim.simulation.rollback import Snapshot
from hybridsim.simulation.row_functions import RowFunctions
from hybridsim.typing import FloatArray

SECTION_TOLERANCE = 1e-6
"""A state whose distance from the value of its section is below this is on the section; the unit is how far the motion
goes away from the value."""

FIXED_PLACE = 1e-9
"""Derivative, by any state, of the value at which a state is set back, that is rounding."""

STRIDES_KEPT = 2
"""The last strides, which are not made again: Newton's method begins with one by which the free states were found."""


class StrideError(HybridsimError):
    """A stride did not come back to its section."""


@dataclass(frozen=True, slots=True, eq=False)
class Stride:
    """One stride with its derivatives with respect to the state where it begins, and to parameters.

    Attributes
    ----------
    x : (n_states,) array
        The state at the end, after the section's transition.
    x_before : (n_states,) array
        The same before it.
    chart : int
        The chart at the end.
    duration : float
        Time that it takes [s].
    by_state : (n_states, n_states) array
        Derivatives of x.
    duration_by_state : (n_states,) array
        Derivatives of the duration; all are exactly 0 where time ends the stride.
    by_parameter : (n_states, n_parameters) array
        Derivatives of x.
    duration_by_parameter : (n_parameters,) array
        Derivatives of the duration.
    rate : float
        Rate at which the section is passed at the end [its unit/s]; nan for a section after a time.
    rows, events : StepTable, EventTable or None
        The record.
    event_times, rates : (n_jumps, n_states + n_parameters), (n_jumps,) array
        Derivatives of the times of the jumps, and the rates at which their boundaries are passed, see `Variations`.
    wraps : tuple of (int, float)
        Cyclic states that were set back by a full turn, such as a phase, and this turn [their unit].
    """

    x: FloatArray
    x_before: FloatArray
    chart: int
    duration: float
    by_state: FloatArray
    duration_by_state: FloatArray
    by_parameter: FloatArray
    duration_by_parameter: FloatArray
    rate: float
    rows: StepTable
    events: EventTable | None
    event_times: FloatArray
    rates: FloatArray
    wraps: tuple[tuple[int, float], ...] = ()


class StrideMap:
    """Makes strides of one model from any state, with any values of its parameters.

    Parameters
    ----------
    config : RunConfig
        The model, its parameters, the method and its tolerances. `final_time` is when a stride is given up.
    section : Section
        Where strides begin and end.
    varied : tuple of str
        Parameters with respect to which derivatives are computed.

    Attributes
    ----------
    config, section, varied
        As given; `config` with the section as its stop.
    functions : RowFunctions
        The functions of the model, with the parameters that strides are made with.
    variables : Variables
        By what strides are differentiated.
    """

    def __init__(self, config: RunConfig, section: Section, varied: tuple[str, ...] = ()) -> None:
        refuse_broken(config.model)
        refuse_method(config.engine.tableau)
        self.section, self.varied = section, varied
        if section.time is not None:
            config = dataclasses.replace(config, stop=(), final_time=config.initial_time + section.time)
        elif section.boundary is not None:
            config = dataclasses.replace(config, stop=(Stop(boundary=section.boundary),))
        self.config, self.model, self._begins = config, config.model, config.initial_time
        if section.state is not None:
            config = dataclasses.replace(
                config, model=with_state_section(config.model, section), stop=(Stop(boundary=SECTION_BOUNDARY),)
            )
        self._duals = dual_functions(config.model, REPLAYED)
        self._packed, self._run_config = pack(config), config
        self.functions = self._packed.functions
        if self._run_config.model is not self.model:
            self.functions = RowFunctions(self.model, self._packed.problem.p)
        self.first_chart = int(self._packed.state["chart"][0])
        self.first_state = self._packed.workspace.x[: len(self.model.states)].copy()
        self._excursion: float | None = None
        self._kept: KeptMemory = {}
        self._made: dict[tuple[Any, ...], Stride] = {}
        self._drive = Drive(self._packed, every_step=True, max_wall_time=None)
        self._snapshot = Snapshot(self._drive.machine)
        n, p_indices = len(self.model.states), self.model.p_indices
        self.variables = Variables(n, [p_indices[name] for name in varied])
        self.end_at(section)

    def end_at(self, section: Section) -> None:
        """Let strides end on another section than where they begin: on its image by a symmetry."""
        stop_count, names = self._packed.problem.stop_count, self.model.boundary_records.names
        if section.boundary is not None:
            stop_count[:] = 0
            stop_count[names.index(section.boundary)] = 1
        self._end = section
        self._section_chart = None if section.chart is None else self.model.charts.names.index(section.chart)

    def begin_at(self, t: float) -> None:
        """Let strides begin at another time [s], from now on; their longest duration stays the same."""
        settings = self._packed.problem.settings
        settings["final_time"] += t - self._begins
        settings["initial_time"] = self._begins = t

    def translate(self, groups: Sequence[Mapping[str, float]]) -> None:
        """Let the config say which other states are moved together, too."""
        assert self.config.orbit is not None
        orbit = self.config.orbit.model_copy(update={"translated": (*self.config.orbit.translated, *groups)})
        self.config = dataclasses.replace(self.config, orbit=orbit)

    def set_parameter(self, name: str, value: float) -> None:
        """Give a parameter another value, for all strides from now on."""
        self._packed.problem.p[self.model.p_indices[name]] = value

    def config_now(self) -> RunConfig:
        """Return the configuration with the values of the parameters that strides are made with."""
        p, indices = self._packed.problem.p, self.model.p_indices
        values = {f"parameters.{name}": float(p[indices[name]]) for name in self.varied}
        return with_values(self.config, values)

    def stride(self, x: FloatArray, chart: int) -> Stride:
        """Make one stride.

        Parameters
        ----------
        x : (n_states,) array
            The state where it begins.
        chart : int
            The chart.

        Returns
        -------
        Stride
            The stride.

        Raises
        ------
        StrideError
            If the run does not come to the section.
        """
        p = self._packed.problem.p
        asked = x.tobytes(), chart, self._begins, p.tobytes(), self._end
        if asked not in self._made:
            made = self._new_stride(x, chart, p)
            self._made = dict([*self._made.items()][1 - STRIDES_KEPT :]) | {asked: made}
        return self._made[asked]

    def plain(self, x: FloatArray, chart: int) -> Stride:
        """Make one stride without derivatives, whose arrays are empty; for the arguments and errors see `stride`."""
        return self._without_derivatives(*self._run(self._on_value(x, chart)[0], chart))

    def _without_derivatives(self, rows: StepTable, events: EventTable) -> Stride:
        events = events if self.section.state is None else events_of_model(events)
        x, x_before = rows.x[-1], rows.x[-1 if self.section.boundary is None else -2]
        duration, none = float(rows.t[-1] - rows.t[0]), (np.empty((len(x), 0)), np.empty(0))
        return Stride(x, x_before, int(rows.chart[-1]), duration, *none, *none, np.nan, rows, events, none[1], none[1])

    def rows(self, x: FloatArray, chart: int) -> StepTable:
        """Make one stride without derivatives, and return its rows; for the arguments and errors see `stride`."""
        return self._run(self._on_value(x, chart)[0], chart)[0]

    def _new_stride(self, x: FloatArray, chart: int, p: FloatArray) -> Stride:
        x, begins_on_value = self._on_value(x, chart)
        rows, events = self._run(x, chart)
        model, variables = self._run_config.model, self.variables.computed
        found = vary(model, self._duals, self._packed.method, p, rows, events, variables, kept=self._kept)
        n, at_event = len(self.model.states), self.section.boundary is not None
        last = found.after[-1] if at_event else found.at_row[-1]
        moment = found.time[-1] if at_event else np.zeros(len(last[0]))
        last, moment = self.variables.complete(last, itself=True), self.variables.complete(moment[None])[0]
        rate = float(found.rate[-1]) if at_event else np.nan
        if self.section.state is not None:
            rate = float(slopes(rows)[-1, self.model.states.names.index(self.section.state)])
            last, moment = self._at_value(rows, last)
            if begins_on_value is not None:
                last[:, begins_on_value], moment[begins_on_value] = 0.0, 0.0
        return dataclasses.replace(
            self._without_derivatives(rows, events),
            by_state=last[:, :n],
            duration_by_state=moment[:n],
            by_parameter=last[:, n:],
            duration_by_parameter=moment[n:],
            rate=rate,
            event_times=self.variables.complete(found.time),
            rates=found.rate,
            wraps=tuple(_wraps(rows, found)),
        )

    def _on_value(self, x: FloatArray, chart: int) -> tuple[FloatArray, int | None]:
        """Return a state that is on the section but for rounding as if it were exactly there, and the section's state.

        A state that is a little short of the section would come to it at once. The index is None for other states, and
        other sections.
        """
        section = self.section
        if section.state is None or section.value is None:
            return x, None
        index = self.model.states.names.index(section.state)
        if self._excursion is None:
            self._excursion = self._excursion_of(index, x, chart)
        if abs(x[index] - section.value) > SECTION_TOLERANCE * self._excursion:
            return x, None
        return np.where(np.arange(len(x)) == index, section.value, x), index

    def _excursion_of(self, index: int, x: FloatArray, chart: int) -> float:
        """Return how far a state goes away from the section's value, until it has passed it twice: the first time may
        be at the very beginning.
        """
        self._begin(x, chart)
        self._advance()
        if self._drive.outcome is Status.STOPPED:
            self._go_on()
        parts = [part.x[:, index] for part, _ in self._drive.logged.chunks() if part is not None]
        passed = np.concatenate([*parts, self._drive.row(float(self._drive.engine_state.t)).x[:, index]])
        return float(np.abs(passed - (self.section.value or 0.0)).max())

    def _at_value(self, rows: StepTable, at_end: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives of the state where it passes the section's value, and of the time then, from those of
        the state at the fixed time when the run ended there; nan if the state stands still there.
        """
        slope, state = slopes(rows)[-1], self.model.states.names.index(self.section.state or "")
        moment = -at_end[state] / (slope[state] if abs(slope[state]) > np.finfo(float).tiny else np.nan)
        return np.asarray(at_end + np.outer(slope, moment)), moment

    def _run(self, x: FloatArray, chart: int) -> tuple[StepTable, EventTable]:
        """Run from a state until the section's event; returns the rows and the events."""
        drive = self._drive
        self._begin(x, chart)
        self._advance()
        while drive.outcome is Status.STOPPED and not self._is_on_section():
            self._go_on()  # this event does not count
        t, wanted = float(drive.engine_state.t), Status.STOPPED if self.section.time is None else Status.FINAL_TIME
        if drive.outcome is not wanted:
            why = explain(drive.outcome, drive.row(t), self._run_config, self._packed, drive.logged.last_events())
            raise StrideError(self._why_not(drive.outcome, why, t))
        drive.logged.finish(drive.row(t))
        chunks = drive.logged.chunks()
        rows, events = ([part for part in parts if part is not None] for parts in zip(*chunks, strict=True))
        return _joined(rows) or drive.row(t), _joined(events) or self._no_events()

    def _begin(self, x: FloatArray, chart: int) -> None:
        self._drive.begin_again(self._snapshot)
        self._packed.workspace.x[: len(x)] = x
        self._drive.engine_state.chart, self._drive.engine_state.t = chart, self._begins

    def _go_on(self) -> None:
        """Run on from an event of the section to the next one."""
        self._packed.workspace.crossing_count[:] = 0
        self._drive.outcome = Status.UNFINISHED
        self._advance()

    def _advance(self) -> None:
        """Run until the run ends."""
        while self._drive.outcome is Status.UNFINISHED:
            self._drive.advance()

    def _no_events(self) -> EventTable:
        model = self._run_config.model
        sizes = {"n_states": len(model.states), "n_boundaries": max(len(model.boundary_records), 1)}
        return zeros(EventTable, 0, sizes)

    def _is_on_section(self) -> bool:
        """Return whether the event at which the run has stopped is one of the section."""
        if self.section.state is not None and self._drive.engine_state.t == self._begins:
            return False  # the stride begins on the section
        if self._section_chart is None:
            return True
        events = self._drive.logged.last_events()
        return events is not None and int(events.chart_before[-1]) == self._section_chart

    def _why_not(self, outcome: Status, why: str, t: float) -> str:
        if outcome is Status.FINAL_TIME:
            return f"the section, {self._end}, is not reached within {t - self._begins:g} s"
        return f"{t - self._begins:.6g} s into a stride: {why}"


def _joined(tables: list[AnyTable]) -> AnyTable | None:
    return tables[0] if len(tables) == 1 else join_tables(tables) if tables else None


def _wraps(rows: StepTable, found: Variations) -> Iterator[tuple[int, float]]:
    """Find the jumps that set back one state by a constant, from a value that is always the same, and do no more.

    The motion goes on as before: a state that is reset, as the voltage of a neuron that fires, is none of these.
    """
    slope = None
    for jump, row in enumerate((rows.j[1:] != rows.j[:-1]).nonzero()[0]):
        before, after = rows.x[row], rows.x[row + 1]
        changed = np.flatnonzero(before != after)
        if len(changed) == 1 and rows.chart[row] == rows.chart[row + 1]:
            i, slope = int(changed[0]), slopes(rows) if slope is None else slope
            same = np.array_equal(found.before[jump], found.after[jump])
            same &= np.allclose(slope[row], slope[row + 1], rtol=FIXED_PLACE, atol=FIXED_PLACE * np.abs(slope).max())
            if same and np.abs(found.before[jump, i]).max(initial=0.0) <= FIXED_PLACE:
                yield i, float(after[i] - before[i])
