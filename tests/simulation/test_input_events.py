"""Events of a run whose inputs change: those beyond a change never happened, and boundaries may depend on inputs."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hybridsim import (
    Boundary,
    Input,
    Message,
    Model,
    Simulation,
    State,
    Status,
    verify,
)

from gallery import BALL, BLOCK, THERMOSTAT, clock, decline, no_slopes

# Events beyond the change never happened.


def test_a_bounce_that_was_computed_beyond_the_change_is_dropped():
    """The first step leads to the floor at t = 1/2 s. Gravity ends at 1/4 s: the ball falls on at 2 m/s from 3/4 m."""
    simulation = Simulation(BALL)
    simulation.advance(0.25)
    assert simulation._drive.engine_state.t >= 0.5  # the engine has been there already
    simulation.inputs["gravity"] = 0.0
    simulation.advance(2.0)
    run = simulation.result()
    assert [(e.kind, e.boundaries) for e in run.events] == [("input", ()), ("crossing", ("floor",))]
    assert run.events.t.tolist() == pytest.approx([0.25, 0.625], rel=1e-14)
    assert simulation["bounces"] == 1.0
    assert run.statistics["transitions"] == 1
    assert simulation.x[:2] == pytest.approx([1.375, 1.0], rel=1e-12)
    assert verify(run, BALL).ok


def test_the_end_of_a_run_beyond_the_change_is_dropped_too():
    simulation = Simulation(BALL, final_time=0.4)
    simulation.advance(0.3)
    assert simulation._drive.engine_state.t == 0.4
    simulation.inputs["gravity"] = 1.0
    simulation.advance(0.35)
    assert simulation.status is Status.UNFINISHED
    assert simulation.run().status is Status.FINAL_TIME


def test_counts_of_a_stop_go_back_with_the_events():
    simulation = Simulation(BALL, stop=[("floor", 1)], final_time=9.0)
    simulation.advance(0.25)
    simulation.inputs["gravity"] = 0.0
    run = simulation.run()
    assert run.status is Status.STOPPED
    assert run.t[-1] == pytest.approx(0.625, rel=1e-14)


# Boundaries that depend on inputs.


def test_a_boundary_that_a_change_makes_negative_fires_at_once():
    simulation = Simulation(THERMOSTAT)
    simulation.advance(0.1)
    simulation.inputs["target"] = 20.0
    simulation.advance(0.2)
    run = simulation.result()
    assert [(e.kind, e.boundaries, e.t, e.j) for e in run.events] == [
        ("input", (), 0.1, 0),
        ("crossing", ("cold",), 0.1, 1),
    ]
    expected = 21.0 + (5.0 + 13.0 * math.exp(-0.05) - 21.0) * math.exp(-0.05)  # towards 5, then towards 21
    assert simulation["temperature"] == pytest.approx(expected, rel=1e-7)
    assert verify(run, THERMOSTAT).ok


def colder(t, x, p, chart):
    return 1 if (chart == 0 and x[0] < p[0] - 1.0) or p[0] > 90.0 else 0


def above_the_floor(g, t, x, p, chart):
    g[0] = x[0] - p[0]


def test_a_boundary_that_a_change_makes_negative_must_not_be_so_after_its_jump():
    """The flow leads up: taken for zero, the boundary would rest far below it, unseen."""
    model = clock(above_the_floor, Boundary("floor"), inputs=[Input("floor", -1.0)])
    simulation = Simulation(model, final_time=9.0)
    simulation.advance(0.5)
    simulation.inputs["floor"] = 2.5
    run = simulation.run()
    assert [event.kind for event in run.events] == ["input", "crossing"]
    assert run.status is Status.OUTSIDE_CHART


def test_a_change_that_makes_something_cross_is_judged_after_the_transition():
    guarded = dataclasses.replace(THERMOSTAT, validate=colder, messages=(Message("too cold"),))
    simulation = Simulation(guarded, final_time=1.0)
    simulation.advance(0.1)
    simulation.inputs["target"] = 20.0
    run = simulation.run()
    assert run.status is Status.FINAL_TIME
    assert [event.kind for event in run.events[:2]] == ["input", "crossing"]
    assert verify(run, guarded).ok
    simulation = Simulation(guarded, final_time=1.0, initial={"temperature": 200.0})
    simulation.advance(0.1)
    simulation.inputs["target"] = 95.0  # nothing crosses, and it is invalid
    run = simulation.run()
    assert (run.status, run.t[-1]) == (Status.LEFT_CHART, 0.1)


def test_a_change_that_keeps_a_boundary_positive_moves_its_crossing():
    simulation = Simulation(THERMOSTAT)
    simulation.inputs["target"] = 18.5
    simulation.advance(5.0)
    first = simulation.result().events[1]
    assert first.t == pytest.approx(-2.0 * math.log((17.5 - 5.0) / 13.0), rel=1e-7)


def test_what_waits_or_was_declined_goes_on_to_wait():
    model = dataclasses.replace(BALL, transition=decline)
    simulation = Simulation(model)
    simulation.advance(0.75)  # below the floor since 0.5 s
    simulation.inputs["gravity"] = -64.0
    simulation.advance(2.0)
    events = simulation.result().events
    assert [(e.kind, e.declined) for e in events] == [("crossing", True), ("input", False)]
    assert verify(simulation.result(), model).ok


def test_a_time_that_depends_on_an_input_moves_with_it():
    def alarm(g, t, x, p, chart):
        if chart == 0:
            g[0] = p[0] - t

    def ring(x_new, t, x, p, chart, crossed):
        x_new[0] = t
        return 1

    model = Model(
        "alarm",
        [State("rang", -1.0, continuous=False)],
        vector_field=no_slopes,
        boundaries=alarm,
        transition=ring,
        charts=("set", "over"),
        boundary_records=[Boundary("alarm", time=True)],
        inputs=[Input("when", 5.0)],
    )
    simulation = Simulation(model)
    simulation.advance(1.0)
    simulation.inputs["when"] = 3.25
    simulation.advance(4.0)
    assert simulation["rang"] == 3.25


# Slides, accumulations, touches.


@pytest.mark.members(1)
@pytest.mark.parametrize("record", [True, False, 0.1])
def test_dry_friction_sticks_and_slips_with_the_force_on_it(record):
    """A block on a table, |friction| <= 1: it sticks under 1/2 and -1/4, and 3 drives it at 2 m/s^2."""
    simulation = Simulation(BLOCK, record=record)
    simulation.advance(4.0)
    assert (simulation.adjacent_chart >= 0, simulation.x[0]) == (True, pytest.approx(0.0, abs=1e-9))
    simulation.inputs["force"] = -0.25
    simulation.advance(5.0)
    assert (simulation.adjacent_chart >= 0, simulation.x[0]) == (True, pytest.approx(0.0, abs=1e-9))
    simulation.inputs["force"] = 3.0
    simulation.advance(6.0)
    assert simulation.x[0] == pytest.approx(2.0, rel=1e-7)
    run = simulation.result()
    assert run.events.t[0] == pytest.approx(2.0, rel=1e-12)
    assert run.events.kind[:4] == ("entry", "input", "entry", "input")
    report = verify(run, BLOCK)
    assert report.ok, str(report)


def standstill_or_limit(g, t, x, p, chart):
    if chart < 2:
        g[chart] = x[0] if chart == 1 else -x[0]
        g[2] = p[1] - x[0]


def halt_at_limit(x_new, t, x, p, chart, crossed):
    return 2 if crossed[2] else 1 - chart


def stay_at_limit(x_new, t, x, p, chart, crossed):
    return chart if crossed[2] else 1 - chart


@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6])
def test_a_boundary_that_a_change_makes_negative_fires_in_a_slide_as_elsewhere(begin):
    """The block stands still from 2 s on. At 4 s its speed is above a limit that is negative from then on."""
    model = dataclasses.replace(
        BLOCK,
        boundaries=standstill_or_limit,
        transition=halt_at_limit,
        charts=("backward", "forward", "halted"),
        boundary_records=[*BLOCK.boundary_records, Boundary("limit", degree=1)],
        inputs=[*BLOCK.inputs, Input("limit", 9.0)],
    )
    for transition, end in ((halt_at_limit, Status.FINAL_TIME), (stay_at_limit, Status.OUTSIDE_CHART)):
        model = dataclasses.replace(model, transition=transition)
        simulation = Simulation(model, initial_time=begin, final_time=begin + 9.0)
        simulation.advance(begin + 4.0)
        assert simulation.adjacent_chart >= 0
        simulation.inputs["limit"] = -1.0
        run = simulation.run()
        assert run.status is end, run.message
        assert run.events.kind == ("entry", "input", "crossing")
        assert run.events.t[2] == begin + 4.0
        assert "limit" in run.events[2].boundaries
        if end is Status.FINAL_TIME:
            assert simulation.x[0] == pytest.approx(5.0 * (0.5 - 1.0), rel=1e-9)
            assert verify(run, model).ok


def test_a_change_during_an_accumulation_comes_when_it_is_over():
    rests = {"charts": ("flight", "rest"), "boundary_records": [Boundary("floor", degree=1, rest="rest")]}
    table = dataclasses.replace(BALL, vector_field=resting, boundaries=unless_resting, **rests)
    simulation = Simulation(table)
    over = 0.5 + 2 * 0.5  # fall, and bounces that take 1/2, 1/4, ... s: t = 1/2 + 2 * (1/2)
    simulation.advance(over - 1e-10)
    simulation.inputs["gravity"] = 4.0
    assert simulation.t == pytest.approx(over, abs=1e-8)
    simulation.advance(3.0)
    run = simulation.result()
    assert run.events.kind[-2:] == ("zeno", "input")
    assert verify(run, table).ok


def resting(xdot, t, x, p, chart):
    if chart == 0:
        xdot[0], xdot[1] = x[1], -p[0]


def unless_resting(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0]


# Against an independent integration.


def test_a_run_with_many_changes_and_events_is_that_of_another_integrator():
    rng = np.random.default_rng(5)
    changes = [
        (float(t), float(g))
        for t, g in zip(np.cumsum(rng.exponential(0.1, 60)), rng.uniform(4.0, 20.0, 60), strict=True)
    ]
    model = dataclasses.replace(BALL, transition=bounce_fully)
    simulation = Simulation(model, rtol=1e-11, atol=1e-12)
    y, v, t, gravity = 1.0, 0.0, 0.0, 8.0
    for when, value in changes:
        simulation.advance(when)
        simulation.inputs["gravity"] = value
        while t < when:
            hit = solve_ivp(lambda _, x, g=gravity: [x[1], -g], (t, when), [y, v], rtol=1e-12, atol=1e-13,
                            events=[strike], max_step=0.02)  # fmt: skip
            t, (y, v) = float(hit.t[-1]), hit.y[:, -1]
            if hit.t_events[0].size:
                v = -v
        np.testing.assert_allclose(simulation.x[:2], [y, v], rtol=1e-6, atol=1e-7)
        gravity = value
    run = simulation.result()
    assert run.events.kind.count("crossing") > 5
    assert verify(run, model).ok


def bounce_fully(x_new, t, x, p, chart, crossed):
    x_new[1] = -x[1]
    return chart


def strike(t, x):
    return x[0] if x[1] < 0.0 else 1.0


strike.terminal, strike.direction = True, -1


def test_a_touch_before_a_change_is_not_reported_again_after_it():
    """The engine has been to the end of the dip, whose minimum of 1e-3 is at 1 s; the change comes inside the dip."""

    def dip(g, t, x, p, chart):
        g[0] = (x[0] - 1.0) ** 2 + 1e-3

    model = clock(dip, Boundary("dip", degree=2), inputs=[Input("unused")])
    simulation = Simulation(model, final_time=2.0, first_step=2.0, touch_precision=1e-2)
    simulation.advance(1.05)
    assert simulation._drive.engine_state.t == 2.0
    simulation.inputs["unused"] = 1.0
    run = simulation.run()
    assert run.events.kind == ("touch", "input")
    np.testing.assert_allclose(run.events.t, [1.0, 1.05], atol=1e-8)
