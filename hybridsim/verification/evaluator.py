"""A run together with its compiled model, evaluated at many points at once, also where the run slides."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import RunConfig
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.model.records import REST_BY_TRANSITION
from hybridsim.results.events import Events
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.packing import Packed, pack
from hybridsim.simulation.rebuild import config_of
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.model_functions import LARGEST_CODE, EpochFunctions, ModelSizes, as_integers
from hybridsim.verification.points import Points, concatenate_points

SLIDE = -2
"""Chart code of the first slide; the code of each further slide is one less."""

PROBE_SHARE = 2.0**-10
"""Rates along a vector field are differences over this fraction of the size of the state."""

WEIGHT_ERROR = 1e-7
"""Error of the sliding weights, which follow from these differences."""

SHORTEST_PROBE = 2.0**10
"""Least time of these differences, in spacings of t."""

SIDES = (-2.0, -1.0, 1.0, 2.0)
"""Places at which a function is evaluated for a difference of fourth order."""

Function = Callable[[Points], FloatArray]
SlideFunction = Callable[[Points, "SlidingMode"], FloatArray]


@dataclass(frozen=True, slots=True)
class SlidingMode:
    """The two charts that a solution slides between, as codes, and the index of the first one's boundary there."""

    chart: int
    adjacent_chart: int
    surface: int


@dataclass(frozen=True, eq=False)
class Evaluator(ModelSizes):
    """Evaluates the model of a run at any points, with the inputs and the slides of that run.

    The chart of a point is given as a code: that of a chart and its inputs (see `EpochFunctions`), or `SLIDE - k` for
    the slide `slides[k]`.

    Attributes
    ----------
    run : Trajectory
        The run that is verified.
    config : RunConfig
        The config that the run names, read again.
    packed : Packed
        Its model, compiled, with its parameters.
    """

    run: Trajectory
    config: RunConfig
    packed: Packed

    @cached_property
    def functions(self) -> EpochFunctions:
        return EpochFunctions(self.packed, self.run.inputs)

    @property
    def boundary_certificates(self) -> IntArray:
        """The certificate that each boundary declares, (n_boundaries,), as an index into `CERTIFICATES`."""
        return np.asarray(self.packed.problem.certificate[: self.n_boundaries])

    @property
    def is_continuous(self) -> FloatArray:
        """1.0 for each state that is under error control, else 0.0: (n_states,)."""
        return np.asarray(self.packed.problem.continuous[: self.n_states])

    @cached_property
    def rests_by_transition(self) -> NDArray[np.bool_]:
        """Whether each event is an accumulation after which the model's transition is called, (m,)."""
        asks = [boundary.rest == REST_BY_TRANSITION for boundary in self.model.boundary_records]
        events = self.run.events
        return np.asarray(has_kind(events, "zeno") & (events.crossed & np.array(asks, bool)).any(axis=1))

    @property
    def every_step(self) -> bool:
        """Whether the run records every step and its continuous extension."""
        return self.config.record.steps and self.config.record.period is None

    @cached_property
    def slides(self) -> list[SlidingMode]:
        """The different slides of the run, in order of their charts and surfaces."""
        entries = np.flatnonzero(has_kind(self.run.events, "entry"))
        found = {self.slide_of(event) for event in entries.tolist()}
        return sorted(found, key=lambda slide: (slide.chart, slide.adjacent_chart, slide.surface))

    def slide_of(self, event: int) -> SlidingMode:
        """Return the slide that the event with this index begins."""
        events = self.run.events
        charts = np.array([events.chart_after[event], events.adjacent_chart[event]])
        first, second = self.functions.code(charts, events.j[event] + 1).tolist()
        return SlidingMode(first, second, int(events.crossed[event].argmax()))

    @cached_property
    def chart(self) -> IntArray:
        """The chart code of each row; while the run slides, that of the slide which the last event has begun."""
        run, events = self.run, self.run.events
        chart = self.functions.code(run.chart, run.j)
        for event in np.flatnonzero(has_kind(events, "entry")).tolist():
            slide = self.slide_of(event)
            first, last = (np.searchsorted(run.j, events.j[event] + 1, side) for side in ("left", "right"))
            chart[first:last] = SLIDE - self.slides.index(slide)
        return chart

    def chart_at(self, j: IntArray) -> IntArray:
        """Return the chart codes of the epochs with these j."""
        return np.asarray(self.chart[np.minimum(np.searchsorted(self.run.j, j), len(self.chart) - 1)])

    def first_chart(self, chart: IntArray) -> IntArray:
        """Return the chart codes, with each slide replaced by its first chart."""
        chart = as_integers(chart).copy()
        for k, slide in enumerate(self.slides):
            chart[chart == SLIDE - k] = slide.chart
        return chart

    @cached_property
    def extrapolated(self) -> NDArray[np.bool_]:
        """Whether each row belongs to an epoch that leads straight to an accumulation, not along the flow."""
        return np.isin(self.run.j, self.run.events.j[has_kind(self.run.events, "zeno")])

    @cached_property
    def x(self) -> FloatArray:
        """The states at the rows, padded: (n, width)."""
        return self.padded(self.run.x)

    @property
    def step(self) -> FloatArray:
        """Lengths of the steps from the rows of a run with every step, (n,) [s]."""
        assert self.run.step is not None
        return self.run.step

    @property
    def extension(self) -> FloatArray:
        """Coefficients of the continuous extensions of these steps, (n, degree, n_states)."""
        assert self.run.extension is not None
        return self.run.extension

    def rows(self, which: Any = slice(None)) -> Points:
        """Return the rows of the run."""
        return Points(self.run.t[which], self.x[which], self.chart[which])

    def before_events(self, which: Any = slice(None)) -> Points:
        """Return the states before the events, each in the chart of its epoch."""
        events = self.run.events
        return Points(events.t[which], self.padded(events.x_before[which]), self.chart_at(events.j[which]))

    def slopes(self, points: Points) -> FloatArray:
        """Return the vector field, (n, width); of a slide, Filippov's combination or the model's `sliding_field`."""
        return self._evaluate(self.functions.slopes, self._sliding_slopes, points)

    def exact_derivatives(self, points: Points) -> FloatArray:
        """Return the derivatives of the slopes by states and time, on dual numbers; nan on slides.

        They are (n, width, width + 1).
        """
        derivatives = np.full((len(points), self.width, self.width + 1), np.nan)
        in_chart = as_integers(points.chart) > SLIDE
        found = self.functions.derivatives(points[in_chart])
        derivatives[in_chart] = 0.0
        derivatives[in_chart, : self.n_states, : self.n_states] = found[:, :, :-1]
        derivatives[in_chart, : self.n_states, -1] = found[:, :, -1]
        return derivatives

    def outputs(self, points: Points) -> FloatArray:
        """Return all outputs of the model, (n, n_outputs); the states if it has no outputs."""
        return self._evaluate(self.functions.outputs, partial(self._combined, self.functions.outputs), points)

    def boundaries(self, points: Points) -> FloatArray:
        """Return all boundaries, (n, n_boundaries); infinite where a boundary is not active."""
        return self._evaluate(self.functions.boundaries, self._boundaries_of_slide, points)

    def has_error(self, points: Points) -> NDArray[np.bool_]:
        """Return whether `validate` reports an error at each point, (n,)."""
        return self.functions.has_error(Points(points.t, points.x, self.first_chart(points.chart)))

    def _evaluate(self, function: Function, on_slide: SlideFunction, points: Points) -> FloatArray:
        """Evaluate one function in the charts, and its counterpart on each slide."""
        chart = as_integers(points.chart)
        values = function(Points(points.t, points.x, np.maximum(chart, 0)))
        for k, slide in enumerate(self.slides):
            rows = np.flatnonzero(chart == SLIDE - k)
            if len(rows):
                values[rows] = on_slide(points[rows], slide)
        return values

    def sliding_weights(self, points: Points, slide: SlidingMode) -> FloatArray:
        """Return the weight of the first chart's vector field that makes the slide tangent to its surface: (n,)."""
        first, second = self.rates(points, slide)
        with np.errstate(all="ignore"):
            return np.asarray(second / (second - first))

    def rates(self, points: Points, slide: SlidingMode) -> tuple[FloatArray, FloatArray]:
        """Return the rates of the surface's boundary along both vector fields, (n,): fourth-order differences.

        All points, and then all their neighbours, are evaluated at once: a call takes longer than what it evaluates.
        """
        both = concatenate_points([points.in_chart(chart) for chart in (slide.chart, slide.adjacent_chart)])
        f = self.functions.slopes(both)
        with np.errstate(all="ignore"):
            delta = PROBE_SHARE * (1.0 + abs(both.x).max(axis=1)) / (1.0 + abs(f).max(axis=1))
            delta = next_power(np.maximum(delta, SHORTEST_PROBE * np.spacing(abs(both.t))))
            around = concatenate_points([both.moved(side * delta, side * delta[:, None] * f) for side in SIDES])
            rates = fourth_order(self.surface(around, slide).reshape(len(SIDES), -1), delta)
        return rates[: len(points)], rates[len(points) :]

    def surface(self, points: Points, slide: SlidingMode) -> FloatArray:
        """Return the boundary whose zero set is the surface of the slide: (n,)."""
        return self.functions.boundaries(points.in_chart(slide.chart))[:, slide.surface]

    def difference(self, function: Function, points: Points) -> FloatArray:
        """Return by how much a function of `functions` differs between both charts of a slide; 0 off the slides."""
        total = np.zeros_like(function(points.in_chart(0)))
        for k, slide in enumerate(self.slides):
            rows = points.chart == SLIDE - k
            first, second = (function(points[rows].in_chart(chart)) for chart in (slide.chart, slide.adjacent_chart))
            total[rows] = abs(second - first)
        return total

    def pulled(self, points: Points) -> FloatArray:
        """Return how far a step of a slide can pull each state back to the surface, (n, width); 0 off the slides.

        The slope of a slide has a part along the difference of both vector fields, which brings the state back within
        one step at the fastest. The times of a step's stages are rounded, which moves the surface itself.
        """
        time = np.zeros(len(points))
        for k, slide in enumerate(self.slides):
            rows = points.chart == SLIDE - k
            rate, adjacent_rate = self.rates(points[rows], slide)
            with np.errstate(all="ignore"):
                time[rows] = abs(self.surface(points[rows], slide) / (adjacent_rate - rate))
            time[rows] += np.spacing(abs(points.t[rows]))
        return time[:, None] * self.difference(self.functions.slopes, points)

    def return_boundary(self, points: Points, slide: SlidingMode) -> int | None:
        """Return the index of the boundary that leads from the adjacent chart to the first, or None.

        Among several, it is the one that is nearest to zero at the points of the slide.
        """
        adjacent = points.in_chart(slide.adjacent_chart)
        distance = abs(self.functions.boundaries(adjacent)).max(axis=0)
        order: list[int] = np.argsort(distance).tolist()
        for k in order:
            if np.isinf(distance[k]):
                continue
            after, chart = self.functions.transitions(adjacent[:1], np.arange(self.n_boundaries)[None] == k)
            if chart[0] == self.functions.number(slide.chart) and (after == adjacent.x[:1]).all():
                return k
        return None

    def _sliding_slopes(self, points: Points, slide: SlidingMode) -> FloatArray:
        if "sliding_field" not in self.model.functions:
            return self._combined(self.functions.slopes, points, slide)
        return self.functions.sliding_slopes(points.in_chart(slide.chart), slide.adjacent_chart)

    def _combined(self, function: Function, points: Points, slide: SlidingMode) -> FloatArray:
        """Filippov's combination of a function of both charts."""
        weight = self.sliding_weights(points, slide)[:, None]
        first, second = (function(points.in_chart(chart)) for chart in (slide.chart, slide.adjacent_chart))
        return np.asarray(weight * first + (1.0 - weight) * second)

    def _boundaries_of_slide(self, points: Points, slide: SlidingMode) -> FloatArray:
        """Return the boundaries of both charts, except those that lead from one of the two into the other."""
        charts = (slide.chart, slide.adjacent_chart)
        first, second = (self.functions.boundaries(points.in_chart(chart)) for chart in charts)
        g = np.where(np.isinf(first), second, first)
        g[:, slide.surface] = np.inf
        back = self.return_boundary(points, slide) if len(points) else None
        if back is not None and np.isinf(first[:, back]).all():
            g[:, back] = np.inf
        return g


def fourth_order(values: Sequence[FloatArray] | FloatArray, delta: FloatArray) -> FloatArray:
    """Return the derivatives that follow from values at the SIDES times `delta`: a difference of fourth order."""
    far_behind, behind, ahead, far_ahead = values
    return np.asarray((8.0 * (ahead - behind) - (far_ahead - far_behind)) / (12.0 * delta))


def next_power(length: FloatArray) -> FloatArray:
    """Return the powers of two from these lengths on: added to a number that is not small, they round nothing."""
    return np.asarray(2.0 ** np.ceil(np.log2(length)))


def has_kind(events: Events, *kinds: str) -> NDArray[np.bool_]:
    """Return which events are of one of these kinds: (m,)."""
    return np.array([kind in kinds for kind in events.kind], bool)


def make_evaluator(
    run: Trajectory, model: Model | str | os.PathLike[str] | None, file: Path | None = None
) -> Evaluator:
    """Compile the model and read the values that the run's config names.

    Parameters
    ----------
    run : Trajectory
        The run to verify.
    model : Model, str or path, optional
        The model to use in place of the one that the config names.
    file : path, optional
        The file that the run was read from, for messages.

    Raises
    ------
    ConfigError
        If the run has no config, the model cannot be found, or the config's values do not fit it.
    """
    config = config_of(run, model, file)
    n_charts, n_held = config.model.n_charts, len(run.inputs.begins)
    if n_charts * n_held > LARGEST_CODE:
        raise ConfigError(
            f"{file or run.model_name}: {n_charts:,} charts times {n_held:,} sets of inputs are more than can be "
            "numbered; verify a shorter run"
        )
    return Evaluator(run, config, pack(config))
