"""A run beside its model: the model's functions, compiled, at any number of rows at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config import RunConfig
from hybridsim.engine.entry import (
    apply_transitions,
    evaluate_boundaries,
    evaluate_outputs,
    evaluate_slopes,
    evaluate_validity,
    jumps,
)
from hybridsim.engine.memory import NO_INPUTS, Columns
from hybridsim.engine.validity import ERROR
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.results.events import Events
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.evaluation import input_places, p_holding
from hybridsim.simulation.packing import Packed, pack
from hybridsim.simulation.rebuild import config_of
from hybridsim.typing import FloatArray, IntArray

EPSILON = 2.0**-52
ROUNDINGS = 16.0
"""How many roundings of the state, at the worst moment, an honest value may be off by."""


LARGEST_CODE = 2**63 - 1

SLIDE = -2
"""The code of the first slide, in place of a chart; that of the next is one less."""

PROBE = 2.0**-10
"""Rates along a field are differences over this part of the size of the state."""


@dataclass(frozen=True, slots=True)
class Slide:
    """Two charts (as codes, see Replay), and the boundary of the first that a solution slides along."""

    chart: int
    adjacent_chart: int
    surface: int


@dataclass(frozen=True, eq=False)
class Replay:
    """What there is to evaluate. States are (n, width): the model's, then zeros up to a whole vector of the engine.

    Wherever a chart is asked for, there stands a code, which says what inputs are held as well: the number of the chart
    plus `n_charts` times the row of the history's `held`; or the code of a slide, `SLIDE - k` for the k-th of `slides`.

    Attributes
    ----------
    run : the run to verify. config : the run it says it is, read again. packed : its model, compiled, and its numbers.
    """

    run: Trajectory
    config: RunConfig
    packed: Packed

    @property
    def model(self) -> Model:
        return self.config.model

    @property
    def n_states(self) -> int:
        return len(self.model.states)

    @property
    def n_boundaries(self) -> int:
        return len(self.model.boundary_records)

    @property
    def width(self) -> int:
        return len(self.packed.workspace.x)

    @property
    def every_step(self) -> bool:
        """Does the run have all its steps with their extensions?"""
        return self.config.record.steps and self.config.record.period is None

    @property
    def duration(self) -> float:
        """How long the run lasts [s]; 1 where it lasts no time."""
        return float(self.run.t[-1] - self.run.t[0]) or 1.0

    @cached_property
    def slides(self) -> list[Slide]:
        """The different pairs of charts, with their surfaces, between which the run slides."""
        events = self.run.events
        begin = kind_of(events, "entry")
        found = {self.slide_of(event) for event in np.flatnonzero(begin).tolist()}
        return sorted(found, key=lambda slide: (slide.chart, slide.adjacent_chart, slide.surface))

    def slide_of(self, event: int) -> Slide:
        """The slide that an event begins."""
        events = self.run.events
        charts = np.array([events.chart_after[event], events.adjacent_chart[event]])
        first, second = self.coded(charts, events.j[event] + 1).tolist()
        return Slide(first, second, int(events.crossed[event].argmax()))

    def coded(self, chart: Any, j: Any) -> IntArray:
        """The codes of charts in the epochs with these j."""
        return _integers(chart) + self.model.n_charts * self.run.inputs.which(j)

    def number(self, code: Any) -> Any:
        """The number of a chart, from its code."""
        return code % self.model.n_charts

    @cached_property
    def chart(self) -> IntArray:
        """The chart of each row, or the code of its slide: the one that the event before it has begun."""
        run, events = self.run, self.run.events
        chart = self.coded(run.chart, run.j)
        for event in np.flatnonzero(kind_of(events, "entry")).tolist():
            after = self.slide_of(event)
            first, last = (np.searchsorted(run.j, events.j[event] + 1, side) for side in ("left", "right"))
            chart[first:last] = SLIDE - self.slides.index(after)
        return chart

    @cached_property
    def straight(self) -> NDArray[np.bool_]:
        """Rows of the epochs that lead to an accumulation: not along the flow but straight on."""
        ends = self.run.events.j[kind_of(self.run.events, "zeno")]
        return np.isin(self.run.j, ends)

    def chart_at(self, j: IntArray) -> IntArray:
        """The chart, or the code of the slide, of the epochs with these j."""
        return np.asarray(self.chart[np.minimum(np.searchsorted(self.run.j, j), len(self.chart) - 1)])

    @cached_property
    def x(self) -> FloatArray:
        """The states at the rows, padded."""
        return self.padded(self.run.x)

    def padded(self, x: FloatArray) -> FloatArray:
        state = np.zeros((len(x), self.width))
        state[:, : self.n_states] = x
        return state

    def slopes(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        """The vector field at n rows, (n, width); of a slide, Filippov's combination or the model's own field."""
        return self._in_charts(self._plain_slopes, self._sliding_slopes, t, x, chart)

    def outputs(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        """All outputs of the model, (n, n_outputs); its states where it has none."""
        return self._in_charts(self._plain_outputs, self._combined_outputs, t, x, chart)

    def boundaries(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        """All boundaries, (n, n_boundaries); infinite where one is not active, which is far inside."""
        return self._in_charts(self._plain_boundaries, self._boundaries_of_slide, t, x, chart)

    def weights(self, t: FloatArray, x: FloatArray, slide: Slide) -> FloatArray:
        """The share of the first chart's field that makes the slide tangent to its surface: (n,)."""
        first, second = self.rates(t, x, slide)
        with np.errstate(all="ignore"):
            return np.asarray(second / (second - first))

    def rates(self, t: FloatArray, x: FloatArray, slide: Slide) -> tuple[FloatArray, FloatArray]:
        """The rates of the surface's function along both fields, (n,): a fourth-order difference along each."""
        rates = []
        for chart in (slide.chart, slide.adjacent_chart):
            f = self._plain_slopes(t, x, np.full(len(t), chart))
            with np.errstate(all="ignore"):
                delta = PROBE * (1.0 + abs(x).max(axis=1)) / (1.0 + abs(f).max(axis=1))

            def value(steps: float, f: FloatArray = f, delta: FloatArray = delta) -> FloatArray:
                return self.surface(t + steps * delta, x + (steps * delta)[:, None] * f, slide)

            rates.append((8.0 * (value(1.0) - value(-1.0)) - (value(2.0) - value(-2.0))) / (12.0 * delta))
        return rates[0], rates[1]

    def surface(self, t: FloatArray, x: FloatArray, slide: Slide) -> FloatArray:
        """The function whose zero set is slid along: (n,)."""
        return self._plain_boundaries(t, x, np.full(len(t), slide.chart))[:, slide.surface]

    def _in_charts(self, plain: Any, sliding: Any, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        """A function of the model where nothing slides, and what stands for it in each slide."""
        chart = _integers(chart)
        values: FloatArray = plain(t, x, np.maximum(chart, 0))
        for code in np.unique(chart[chart <= SLIDE]):
            some = chart == code
            values[some] = sliding(t[some], x[some], self.slides[SLIDE - code])
        return values

    def _plain_slopes(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        xdot = np.zeros_like(x)
        evaluate_slopes(self._columns(t, x, chart, xdot), len(t), self.width)
        return xdot

    def _sliding_slopes(self, t: FloatArray, x: FloatArray, slide: Slide) -> FloatArray:
        field = self.model.functions.get("sliding_field")
        if field is not None:
            xdot, charts = np.zeros_like(x), (self.number(slide.chart), self.number(slide.adjacent_chart))
            p = p_holding(self.packed, self.run.inputs.held[slide.chart // self.model.n_charts])
            for row in range(len(t)):
                field(xdot[row], float(t[row]), x[row], p, *charts)
            return xdot
        return self._combined(self._plain_slopes, t, x, slide)

    def _combined_outputs(self, t: FloatArray, x: FloatArray, slide: Slide) -> FloatArray:
        return self._combined(self._plain_outputs, t, x, slide)

    def _combined(self, plain: Any, t: FloatArray, x: FloatArray, slide: Slide) -> FloatArray:
        weight = self.weights(t, x, slide)[:, None]
        first, second = (plain(t, x, np.full(len(t), chart)) for chart in (slide.chart, slide.adjacent_chart))
        return np.asarray(weight * first + (1.0 - weight) * second)

    def _plain_outputs(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        if not self.model.output_records:
            return x[:, : self.n_states].copy()
        y = np.zeros((len(t), len(self.model.output_records)))
        evaluate_outputs(self._columns(t, x, chart, y), len(t), self.width, y.shape[1])
        return y

    def _plain_boundaries(self, t: FloatArray, x: FloatArray, chart: IntArray) -> FloatArray:
        g = np.full((len(t), self.n_boundaries), np.inf)
        if g.size:
            evaluate_boundaries(self._columns(t, x, chart, g), len(t), self.width, g.shape[1])
        return g

    def _boundaries_of_slide(self, t: FloatArray, x: FloatArray, slide: Slide) -> FloatArray:
        """Of both charts, without those that they would cross into each other by."""
        first, second = (self._plain_boundaries(t, x, np.full(len(t), c)) for c in (slide.chart, slide.adjacent_chart))
        g = np.where(np.isinf(first), second, first)
        g[:, slide.surface] = np.inf
        back = self.way_back(t[:1], x[:1], slide) if len(t) else None
        if back is not None and np.isinf(first[:, back]).all():
            g[:, back] = np.inf
        return g

    def way_back(self, t: FloatArray, x: FloatArray, slide: Slide) -> int | None:
        """The boundary of the slide's other chart that leads back to the first; t (1,), x (1, width)."""
        for k in range(self.n_boundaries):
            crossed = (np.arange(self.n_boundaries) == k)[None].astype(np.int64)
            other = np.array([slide.adjacent_chart])
            if np.isinf(self._plain_boundaries(t, x, other)[0, k]):
                continue
            after, chart = self.transitions(t, x, other, crossed)
            if chart[0] == self.number(slide.chart) and (after == x).all():
                return k
        return None

    def transitions(
        self, t: FloatArray, x: FloatArray, chart: IntArray, crossed: IntArray
    ) -> tuple[FloatArray, IntArray]:
        """The states after the jumps, (n, width), and the charts' numbers, negative where a transition declines."""
        crossed = _integers(crossed)
        rows = jumps(self._columns(t, x, chart, np.zeros(1)), crossed)
        apply_transitions(rows, len(t), self.width, crossed.shape[1])
        return rows.x_new, rows.answer

    def first_chart(self, chart: IntArray) -> IntArray:
        """The codes of the charts, and of slides that of the first one."""
        chart = _integers(chart).copy()
        for k, slide in enumerate(self.slides):
            chart[chart == SLIDE - k] = slide.chart
        return chart

    def errors(self, t: FloatArray, x: FloatArray, chart: IntArray) -> NDArray[np.bool_]:
        """At which rows `validate` reports an error."""
        if "validate" not in self.model.functions:
            return np.zeros(len(t), bool)
        nothing = np.zeros((len(t), 0), np.int64)
        rows = jumps(self._columns(t, x, self.first_chart(chart), np.zeros(1)), nothing)
        evaluate_validity(rows, len(t), self.width)
        known = (rows.answer > 0) & (rows.answer <= len(self.model.messages))
        return np.asarray(known & (self.packed.problem.severity[np.where(known, rows.answer, 0)] == ERROR))

    def _columns(self, t: FloatArray, x: FloatArray, chart: IntArray, y: FloatArray) -> Columns:
        problem = self.packed.problem
        t, x = np.ascontiguousarray(t), np.ascontiguousarray(x)
        which, number = np.divmod(_integers(chart), self.model.n_charts)
        inputs = self.run.inputs
        if not len(inputs):
            return Columns(problem.functions, problem.p, t, x, number, y, *NO_INPUTS, which)
        places = np.array([len(inputs.initial), *input_places(self.model)])
        return Columns(problem.functions, self._own_p, t, x, number, y, inputs.held, places, which)

    @cached_property
    def _own_p(self) -> FloatArray:
        """P to put held inputs into."""
        return self.packed.problem.p.copy()


def kind_of(events: Events, *kinds: str) -> NDArray[np.bool_]:
    """Which events are of one of these kinds: (m,)."""
    return np.array([kind in kinds for kind in events.kind], bool)


def _integers(values: Any) -> IntArray:
    return np.ascontiguousarray(values, dtype=np.int64)


def rounding(function: Any, t: FloatArray, x: FloatArray, *others: Any) -> FloatArray:
    """By how much the rounding of t and x can change a function of them, in each of its values.

    The function is called at states moved by a few spacings, up and down in turn. Where it cancels, that is far more
    than the spacing of its value.
    """
    value = function(t, x, *others)
    total = EPSILON * abs(value)
    signs = np.where(np.arange(x.shape[1]) % 2, 1.0, -1.0)
    for sign in (signs, np.ones_like(signs)):
        with np.errstate(invalid="ignore"):
            total = total + abs(function(t, x * (1.0 + EPSILON * sign), *others) - value)
    return np.asarray(ROUNDINGS * np.where(np.isfinite(total), total, 0.0))


def make_replay(run: Trajectory, model: Model | str | os.PathLike[str] | None, file: Path | None = None) -> Replay:
    """The run, from this file if from any, and the model and values that its config names.

    Raises
    ------
    ConfigError : a run without a config, a model that is not there, or values that do not fit it.
    """
    config = config_of(run, model, file)
    n_charts, n_held = config.model.n_charts, len(run.inputs.begins)
    if n_charts * n_held > LARGEST_CODE:
        raise ConfigError(
            f"{file or run.model_name}: {n_charts:,} charts with {n_held:,} sets of inputs cannot be told apart; "
            "verify a shorter run"
        )
    return Replay(run, config, pack(config))
