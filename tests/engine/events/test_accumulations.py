"""Jumps that accumulate, and jumps that only seem to: the time of the limit is a geometric series."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State, Status
from hybridsim.engine.entry import log_capacity
from hybridsim.simulation import run_log

from gallery import floor

GRAVITY = 10.0
HEIGHT = 1.0
FIRST_BOUNCE = np.sqrt(2.0 * HEIGHT / GRAVITY)
IMPACT_SPEED = np.sqrt(2.0 * GRAVITY * HEIGHT)


def accumulation_time(restitution):
    """t1 + 2 v / g (e + e^2 + ...)."""
    return FIRST_BOUNCE + 2.0 * IMPACT_SPEED / GRAVITY * restitution / (1.0 - restitution)


def bounce_time(restitution, n):
    """When the ball is on the floor for the n-th time, from 1 on."""
    return FIRST_BOUNCE + 2.0 * IMPACT_SPEED / GRAVITY * sum(restitution**k for k in range(1, n))


def ball_model(rest):
    def vector_field(xdot, t, x, p, chart):
        if chart == 0:
            xdot[0] = x[1]
            xdot[1] = -10.0

    def transition(xn, t, x, p, chart, crossed):
        xn[1] = -p[0] * x[1]
        return 0

    return Model(
        "ball",
        Records(State("y", HEIGHT), State("v")),
        vector_field=vector_field,
        boundaries=floor,
        transition=transition,
        parameters=Records(Parameter("e", 0.5)),
        boundary_records=Records(Boundary("floor", degree=1, rest=rest)),
        charts=Records(Chart("flight"), Chart("rest")),
    )


@pytest.mark.parametrize("rest", [None, "rest"])
@pytest.mark.parametrize("place", [1, 2])
def test_a_stop_at_a_late_bounce_comes_before_the_accumulation(rest, place):
    model = ball_model(rest)
    bounces = hybridsim.simulate(model, final_time=10.0).events.kind.count("crossing")
    n = bounces - (2 - place)
    run = hybridsim.simulate(model, final_time=10.0, stop=[("floor", n)])
    assert run.status is Status.STOPPED
    assert run.events.kind == ("crossing",) * n
    assert run.t[-1] == pytest.approx(bounce_time(0.5, n), abs=1e-12)


def test_a_stop_after_the_last_bounce_is_not_reached():
    model = ball_model(None)
    bounces = hybridsim.simulate(model, final_time=10.0).events.kind.count("crossing")
    run = hybridsim.simulate(model, final_time=10.0, stop=[("floor", bounces + 1)])
    assert run.status is Status.ZENO
    assert run.events.kind == ("crossing",) * bounces + ("zeno",)
    assert run.t[-1] == pytest.approx(accumulation_time(0.5), abs=1e-12)


def test_a_rest_chart_that_is_the_present_one_ends_the_run():
    run = hybridsim.simulate(ball_model("flight"), final_time=10.0)
    assert run.status is Status.ZENO
    assert run.events.kind.count("zeno") == 1
    assert run.events.kind[-1] == "zeno"
    assert run.t[-1] == pytest.approx(accumulation_time(0.5), abs=1e-12)
    np.testing.assert_allclose(run.x[-1], 0.0, atol=1e-12)


@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("relative", [-1e-9, -1e-12, -1e-14, 0.0, 1e-14, 1e-12, 1e-9])
def test_a_final_time_close_to_the_accumulation_is_kept(restitution, relative):
    final_time = accumulation_time(restitution) * (1.0 + relative)
    resting = hybridsim.simulate(ball_model("rest"), parameters={"e": restitution}, final_time=final_time)
    assert resting.status is Status.FINAL_TIME
    assert resting.t[-1] == final_time
    ending = hybridsim.simulate(ball_model(None), parameters={"e": restitution}, final_time=final_time)
    assert ending.status in (Status.FINAL_TIME, Status.ZENO)
    assert ending.t[-1] <= final_time
    np.testing.assert_allclose(resting.x[-1], 0.0, atol=1e-4)


@pytest.mark.parametrize("restitution", [0.1, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("start", [1e3, 1e6, 1e9])
def test_late_in_a_long_run_four_bounces_that_rounding_hides_are_the_last(restitution, start):
    run = hybridsim.simulate(
        ball_model(None), parameters={"e": restitution}, initial_time=start, final_time=start + 100.0
    )
    limit = start + accumulation_time(restitution)
    intervals = 2.0 * IMPACT_SPEED / GRAVITY * restitution ** np.arange(1, 200)
    longer_than_rounding = 1 + np.count_nonzero(intervals > np.spacing(limit))
    assert run.status is Status.ZENO
    assert len(run.events) <= longer_than_rounding + 4 + 1
    assert abs(run.t[-1] - limit) <= 16.0 * np.spacing(limit)


def clock_model():
    """Ticks of two jumps each, 1 s, 0.98 s, 0.96 s apart and so on down to 0.8 s, and 0.8 s apart from there on."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = -1.0

    def transition(xn, t, x, p, chart, crossed):
        if x[1] == 0.0:
            xn[1] = 1.0
        else:
            xn[1] = 0.0
            xn[2] = x[2] + 1.0
            xn[0] = max(1.0 - 0.02 * (x[2] + 1.0), 0.8)
        return 0

    return Model(
        "clock",
        Records(State("left", 1.0), State("again", continuous=False), State("ticks", continuous=False)),
        vector_field=vector_field,
        boundaries=floor,
        transition=transition,
        boundary_records=Records(Boundary("tick", degree=1)),
    )


def test_shrinking_intervals_that_cease_to_shrink_are_no_accumulation():
    run = hybridsim.simulate(clock_model(), final_time=100.0)
    intervals = np.maximum(1.0 - 0.02 * np.arange(200), 0.8)
    ticks = np.cumsum(intervals)
    ticks = ticks[ticks < 100.0]
    assert run.status is Status.FINAL_TIME
    assert set(run.events.kind) == {"crossing"}
    np.testing.assert_allclose(run.events.t, np.repeat(ticks, 2), atol=1e-11)
    assert run.x[-1, 2] == len(ticks)


def bursts_model():
    """Jumps 1 s apart and then ever closer, by the factor p[1] each time, p[0] intervals over and over.

    From jump to jump `swing` moves farther, to and fro, if p[2] is not 0: then the state does not converge.
    """

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = -1.0

    def transition(xn, t, x, p, chart, crossed):
        xn[1] = x[1] + 1.0 if x[1] + 1.0 < p[0] else 0.0
        xn[0] = p[1] ** xn[1]
        xn[2] = p[2] * xn[1] * (1.0 if xn[1] % 2.0 == 0.0 else -1.0)
        return 0

    return Model(
        "bursts",
        Records(State("left", 1.0), State("place", continuous=False), State("swing")),
        vector_field=vector_field,
        boundaries=floor,
        transition=transition,
        parameters=Records(Parameter("length", 3), Parameter("ratio", 0.1), Parameter("to_and_fro")),
        boundary_records=Records(Boundary("jump", degree=1)),
    )


@pytest.mark.parametrize(("length", "to_and_fro"), [(2, 0.0), (3, 0.0), (4, 0.0), (5, 0.0), (6, 0.0), (12, 1e-4)])
@pytest.mark.parametrize("last", [1e-6, 1e-10, 1e-13])
def test_a_few_intervals_that_shrink_or_a_state_that_does_not_converge_are_no_accumulation(length, to_and_fro, last):
    ratio = last ** (1.0 / (length - 1))
    run = hybridsim.simulate(
        bursts_model(),
        parameters={"length": length, "ratio": ratio, "to_and_fro": to_and_fro},
        stop=[("jump", 10 * length)],
        final_time=100.0,
    )
    intervals = ratio ** np.arange(length)
    assert run.status is Status.STOPPED
    assert set(run.events.kind) == {"crossing"}
    np.testing.assert_allclose(run.events.t, np.cumsum(np.tile(intervals, 10)), rtol=0.0, atol=1e-11)


def two_jumps_model():
    """A ball whose every impact is two jumps at one instant: v -> 0.99 v, and then v -> -0.95 v."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -10.0

    def transition(xn, t, x, p, chart, crossed):
        if x[2] == 0.0:
            xn[2] = 1.0
            xn[1] = 0.99 * x[1]
        else:
            xn[2] = 0.0
            xn[1] = -0.95 * x[1]
        return 0

    return Model(
        "two_jumps",
        Records(State("y", HEIGHT), State("v"), State("half", continuous=False)),
        vector_field=vector_field,
        boundaries=floor,
        transition=transition,
        boundary_records=Records(Boundary("floor", degree=1)),
    )


def test_impacts_of_two_jumps_each_accumulate_where_their_instants_do():
    run = hybridsim.simulate(two_jumps_model(), final_time=100.0)
    assert run.status is Status.ZENO
    restitution = 0.99 * 0.95
    expected = accumulation_time(restitution)
    assert abs(run.t[-1] - expected) <= 1e-9 * expected
    assert run.statistics["accumulation_time"] == run.t[-1] == run.events[-1].t
    instants = run.events.t[:40:2]
    np.testing.assert_array_equal(instants, run.events.t[1:40:2])
    np.testing.assert_allclose(instants, [bounce_time(restitution, n) for n in range(1, 21)], rtol=1e-10)


def prelude_model():
    """Each slow impact is 990 jumps at one instant before the bounce itself; so is the beginning of the rest."""

    def initial_chart(xn, t, x, p):
        return 2

    def vector_field(xdot, t, x, p, chart):
        if chart < 3:
            xdot[0] = x[1]
            xdot[1] = -10.0
        if chart == 3:
            xdot[2] = -1.0

    def boundaries(g, t, x, p, chart):
        if chart == 2:
            g[0] = x[0]
        elif chart == 3:
            g[2] = x[2]
        elif chart < 2:
            g[1] = x[0]

    return Model(
        "prelude",
        Records(State("y", HEIGHT), State("v"), State("s"), State("jumps", continuous=False)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=prelude_transition,
        initial_chart=initial_chart,
        parameters=Records(Parameter("slow", 0.0)),
        boundary_records=Records(
            Boundary("floor", degree=1, rest="rest"), Boundary("before", degree=1), Boundary("after", degree=1)
        ),
        charts=Records(*(Chart(name) for name in ("flight", "prelude", "bounce", "rest", "done"))),
    )


def prelude_transition(xn, t, x, p, chart, crossed):
    if chart == 0:
        xn[3] = 1.0
        return 1
    if chart == 1:
        xn[3] = x[3] + 1.0
        return 2 if x[3] >= 990.0 else 1
    if chart == 2:
        xn[1] = -0.5 * x[1]
        return 0 if xn[1] < p[0] else 2
    xn[3] = x[3] + 1.0
    return 3 if x[3] < 2.0 * 990.0 else 4


@pytest.mark.parametrize("budget", [28, 30, 33, 99])
def test_all_jumps_of_one_instant_fit_behind_a_full_record(budget, monkeypatch):
    monkeypatch.setattr(run_log, "FIRST_STEPS", budget)
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", budget)
    monkeypatch.setattr(run_log, "LARGE_LOG", 0)
    slow = IMPACT_SPEED * 0.5**30 * 1.4
    simulation = hybridsim.Simulation(
        prelude_model(), parameters={"slow": slow}, final_time=20.0, max_transitions=10**7
    )
    engine = simulation._drive
    most = 0
    while engine.outcome is Status.UNFINISHED and engine.engine_state.t < accumulation_time(0.5):
        engine.advance(budget)
        logged, room = max(engine.engine_state.rows, engine.engine_state.events), len(engine.logged._log.t)
        assert logged <= room
        most = max(most, logged - (room - log_capacity(0)))
    assert most > 900


def test_an_accumulation_is_one_of_a_single_boundary_although_two_cross_together():
    def two_floors(g, t, x, p, chart):
        g[0], g[1] = x[0], 2.0 * x[0]

    def vector_field(xdot, t, x, p, chart):
        xdot[0], xdot[1] = x[1], -GRAVITY

    def bounce(xn, t, x, p, chart, crossed):
        xn[1] = -0.5 * x[1]
        return chart

    model = Model(
        "two_floors",
        Records(State("y", HEIGHT), State("v")),
        vector_field=vector_field,
        boundaries=two_floors,
        transition=bounce,
        boundary_records=Records(Boundary("floor", degree=1), Boundary("same_floor", degree=1)),
    )
    run = hybridsim.simulate(model, final_time=10.0)
    assert run.status is Status.ZENO
    assert run.events[0].boundaries == ("floor", "same_floor")
    (limit,) = (event for event in run.events if event.kind == "zeno")
    assert len(limit.boundaries) == 1
    assert limit.boundaries[0] in run.message


@pytest.mark.parametrize("precision", [1e-3, 1e-4])
def test_a_limit_that_the_jumps_have_passed_is_none(precision):
    """The floor becomes more elastic at the seventh bounce: the limit that all jumps before suggest is too early."""

    def transition(xn, t, x, p, chart, crossed):
        xn[2] = x[2] + 1.0
        xn[1] = -(0.3 if x[2] < 6.0 else 0.9) * x[1]
        return 0

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -10.0

    model = Model(
        "ball",
        Records(State("y", HEIGHT), State("v"), State("bounces", continuous=False)),
        vector_field=vector_field,
        boundaries=floor,
        transition=transition,
        boundary_records=Records(Boundary("floor", degree=1)),
    )
    run = hybridsim.simulate(model, final_time=10.0, zeno_precision=precision, record=True)
    seventh = 2.0 * IMPACT_SPEED / GRAVITY * 0.3**6
    limit = bounce_time(0.3, 7) + seventh * 0.9 / 0.3 / (1.0 - 0.9) * 0.3
    assert run.status is Status.ZENO
    assert run.t[-1] == pytest.approx(limit, abs=precision)
    assert len(run.events) > 20
    assert hybridsim.verify(run, model=model).ok
