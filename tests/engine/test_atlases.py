"""Random piecewise-linear atlases: the engine never fails, and what it returns solves the model.

Everything is checked against the plug-in's functions in plain Python, as a solution on hybrid time must be: contiguous
epochs, boundaries positive within them, events on the zero set, jumps equal to the transition.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hybridsim
from hybridsim import Status, simulate
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.methods import METHODS
from hybridsim.model.parameters import pack_parameters

MODEL = hybridsim.load_model(Path(__file__).parent / "atlas.py")
N, CHARTS, GUARDS = 3, 3, 4
ALWAYS = (0, 1)  # the boundaries that may not be negative where a chart begins
FINAL_TIME, MAX_TRANSITIONS, STOP_PRECISION = 8.0, 200, 1e-10
EPS = np.finfo(float).eps


class Atlas:
    """Random coefficients; with a grain they are its multiples, so that zeros, ties and tangencies are common."""

    def __init__(self, seed, grain):
        self.rng, self.grain = np.random.default_rng(seed), grain
        self.field = self.numbers(2.0, CHARTS, N, N + 1)
        self.guard = self.numbers(2.0, CHARTS, GUARDS, N + 1)
        self.guard[..., N] = 0.5 * abs(self.guard[..., N])  # the origin lies inside
        self.reset = self.numbers(0.6, CHARTS, GUARDS, N, N + 1)
        self.active = self.rng.integers(0, 2, (CHARTS, GUARDS))
        self.next = self.rng.integers(-1, CHARTS, (CHARTS, GUARDS))
        self.start = int(self.rng.integers(CHARTS))
        self.x = self.numbers(0.5, N)
        self.p = pack_parameters(MODEL, self.parameters())

    def numbers(self, size, *shape):
        values = self.rng.uniform(-size, size, shape)
        return np.round(values / self.grain) * self.grain if self.grain else values

    def parameters(self):
        arrays = {name: getattr(self, name).ravel().tolist() for name in ("field", "guard", "reset", "active", "next")}
        return {"start": self.start, **arrays}

    def run(self, **keywords):
        """A run, or None from a start outside its chart."""
        values, _ = self.boundaries(self.start, self.x[None])
        if (values[0, ALWAYS] < -STOP_PRECISION).any():
            return None
        return simulate(
            MODEL,
            parameters=self.parameters(),
            initial=dict(zip(MODEL.states.names, self.x.tolist(), strict=True)),
            final_time=FINAL_TIME,
            max_transitions=MAX_TRANSITIONS,
            stop_precision=STOP_PRECISION,
            max_steps=10**7,
            **keywords,
        )

    def boundaries(self, chart, x):
        """g at states x (m, N), as (m, GUARDS), and how far rounding may move it; nan where not active."""
        values = np.full((len(x), GUARDS), np.nan)
        for row, state in enumerate(x):
            MODEL.functions["boundaries"](values[row], 0.0, state, self.p, chart)
        coefficients = abs(self.guard[chart])
        noise = 8 * EPS * (abs(x) @ coefficients[:, :N].T + coefficients[:, N])
        return values, noise

    def rates(self, chart, x):
        """How fast each boundary and each state can change at the state x."""
        xdot = np.zeros(N)
        MODEL.functions["vector_field"](xdot, 0.0, x, self.p, chart)
        return abs(self.guard[chart][:, :N] @ xdot)

    def transition(self, chart, x, crossed):
        x_new = x.copy()
        chart = MODEL.functions["transition"](x_new, 0.0, x, self.p, chart, crossed)
        return chart, x_new


def check_rows(run, atlas):
    """Epochs follow one another without a gap, in one chart each."""
    assert run.t[0] == 0.0
    assert run.x[0].tolist() == atlas.x.tolist()
    assert (np.diff(run.t) >= 0.0).all()
    assert set(np.diff(run.j)) <= {0, 1}
    same_epoch = np.diff(run.j) == 0
    assert (run.chart[1:] == run.chart[:-1])[same_epoch].all()
    assert (np.diff(run.t)[same_epoch] > 0.0).all()
    assert (np.diff(run.t)[~same_epoch] == 0.0).all()
    ends = np.flatnonzero(same_epoch)  # a step's extension leads to the next row
    theta = (run.t[ends + 1] - run.t[ends]) / run.step[ends]
    rounding = 4 * EPS * run.t[ends + 1] / run.step[ends]  # of t, in units of the step
    assert (theta <= 1.0 + rounding).all()
    powers = theta[:, None] ** np.arange(1, run.extension.shape[1] + 1)
    reached = run.x[ends] + np.einsum("nd,ndm->nm", powers, run.extension[ends])
    size = abs(run.x[ends]) + abs(run.extension[ends]).sum(axis=1)
    largest_weight = abs(METHODS[run.provenance["config"]["engine"]["method"]]().extension).max()
    assert (abs(reached - run.x[ends + 1]) <= (16 * EPS * largest_weight + rounding)[:, None] * size).all()


def check_events(run, atlas):
    """Events lie on the zero set of what crosses, and jumps are the transition."""
    jumps = [event for event in run.events if not event.declined]
    assert [event.j for event in jumps] == list(range(len(jumps)))
    before = np.flatnonzero(np.diff(run.j))
    np.testing.assert_array_equal(run.t[before], [event.t for event in jumps])
    np.testing.assert_array_equal(run.x[before], np.reshape([event.x_before for event in jumps], (-1, N)))
    np.testing.assert_array_equal(run.x[before + 1], np.reshape([event.x_after for event in jumps], (-1, N)))
    for event in run.events:
        values, noise = atlas.boundaries(event.chart_before, event.x_before[None])
        crossed = np.array([name in event.boundaries for name in run.boundaries])
        assert crossed.any()
        low = STOP_PRECISION + 8 * atlas.rates(event.chart_before, event.x_before) * np.spacing(event.t) + noise[0]
        # The event is at the float of t nearest to the crossing: at most one spacing before it.
        high = atlas.rates(event.chart_before, event.x_before) * np.spacing(event.t) + noise[0]
        assert (values[0] <= high)[crossed].all(), event
        assert (values[0] >= -low)[crossed].all(), event
        chart, x_new = atlas.transition(event.chart_before, event.x_before, crossed)
        assert event.declined == (chart == hybridsim.DECLINED)
        assert event.chart_after == (event.chart_before if event.declined else chart)
        expected = event.x_before if event.declined else x_new
        np.testing.assert_allclose(event.x_after, expected, rtol=0, atol=64 * EPS * (1.0 + abs(event.x_before).max()))


def check_boundaries(run, atlas):
    """Between two events no boundary goes from positive to negative, and none that is always armed is negative."""
    limits = [(0.0, None), *((event.t, event) for event in run.events), (run.t[-1], None)]
    for (begin, event), (end, _) in pairwise(limits):
        if end <= begin:
            continue
        inner = run.t[(run.t > begin) & (run.t < end)]
        times = np.unique(np.concatenate([[begin], inner, [end], np.linspace(begin, end, 60)]))[1:-1]
        if len(times) == 0:
            continue
        chart = run.chart[np.searchsorted(run.t, times[0], side="right") - 1]
        x = run.at(times)
        values, noise = atlas.boundaries(chart, x)
        noise += 2 * STOP_PRECISION + 16 * EPS * (1.0 + abs(x).max())
        has_been_positive = np.maximum.accumulate(values > noise, axis=0)
        assert not (has_been_positive & (values < -noise)).any(), (begin, end)
        if event is None or not event.declined:
            assert not (values[:, ALWAYS] < -noise[:, ALWAYS]).any(), (begin, end)


def check_status(run, atlas):
    """The run ended as its status says."""
    transitions = run.j[-1]
    assert transitions <= MAX_TRANSITIONS
    if run.status is Status.FINAL_TIME:
        assert run.t[-1] == FINAL_TIME
    elif run.status is Status.TOO_MANY_TRANSITIONS:
        assert transitions == MAX_TRANSITIONS
    elif run.status is Status.OUTSIDE_CHART:
        values, _ = atlas.boundaries(run.chart[-1], run.x[-1:])
        assert (values[0, ALWAYS] < 0.0).any()
    else:
        raise AssertionError(run.message)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([None, 0.5, 0.25]),
    st.sampled_from(["dp5", "dop853", "tsit5", "rk4_adaptive"]),
)
@example(112, 0.5, "dp5")  # begins on a boundary, whose crossing is declined
@settings(max_examples=200 if JIT else 20, deadline=None, derandomize=True)
def test_a_run_of_a_random_atlas_ends_with_a_status_and_solves_the_model(seed, grain, method):
    atlas = Atlas(seed, grain)
    run = atlas.run(method=method)
    if run is not None:
        check_rows(run, atlas)
        check_events(run, atlas)
        check_boundaries(run, atlas)
        check_status(run, atlas)


@pytest.mark.exhaustive  # `tests/simulation/test_same_bits.py` records in every way
@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 0.5]))
@settings(max_examples=40 if JIT else 5, deadline=None, derandomize=True)
def test_recording_changes_no_bit_of_a_random_atlas(seed, grain):
    runs = [Atlas(seed, grain).run(record=record) for record in (True, False, 0.1)]
    ends = [run and (run.t[-1], run.j[-1], run.x[-1].tolist(), run.status, run.events.t.tolist()) for run in runs]
    assert ends[0] == ends[1] == ends[2]
