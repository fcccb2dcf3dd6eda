"""Inputs: a change is an event at the present time, and nothing but the change changes a bit."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import hybridsim
from hybridsim import (
    DECLINED,
    Boundary,
    ConfigError,
    Input,
    Message,
    Model,
    ModelError,
    Output,
    Parameter,
    Records,
    Simulation,
    SimulationError,
    State,
    Status,
    simulate,
    verify,
)
from hybridsim.config import config_from_keywords

RATE = 2.0  # of the oscillator [rad/s]


def swing(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[0] * x[0] + p[1]


def push(y, t, x, p, chart):
    y[0] = p[1] - p[0] * x[0]


OSCILLATOR = Model(
    "oscillator",
    [State("x", 1.0, "m"), State("v", 0.0, "m/s")],
    vector_field=swing,
    outputs=push,
    parameters=[Parameter("k", RATE**2, "1/s^2")],
    output_records=[Output("force", "N/kg")],
    inputs=[Input("push", 0.0, "N/kg", "from outside", lower=-50.0, upper=50.0)],
)


def moved(x, v, push, dt):
    """The oscillator's state after dt under a constant push: a turn about x = push / k."""
    centre = push / RATE**2
    a, b = x - centre, v / RATE
    c, s = math.cos(RATE * dt), math.sin(RATE * dt)
    return centre + a * c + b * s, RATE * (b * c - a * s)


def drive(simulation, pushes, period):
    for k, value in enumerate(pushes):
        simulation.inputs["push"] = value
        simulation.advance((k + 1) * period)
    return simulation


def same_bits(first, second):
    for name in ("t", "j", "chart", "x", "y", "extension", "step"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert first.events[:].__len__() == second.events[:].__len__()


# What a change does.


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5", "rk4_adaptive"])
def test_a_push_held_from_call_to_call_moves_the_oscillator_as_the_closed_form_says(method):
    pushes = np.random.default_rng(1).uniform(-20.0, 20.0, 40)
    simulation = drive(Simulation(OSCILLATOR, method=method, rtol=1e-10, atol=1e-12), pushes, 0.05)
    x, v = 1.0, 0.0
    for value in pushes:
        x, v = moved(x, v, value, 0.05)
    np.testing.assert_allclose(simulation.x, [x, v], rtol=1e-7)


def test_fixed_steps_are_cut_at_a_change_and_go_on_from_there():
    pushes = np.random.default_rng(1).uniform(-20.0, 20.0, 40)
    simulation = drive(Simulation(OSCILLATOR, method="rk4", max_step=1e-3), pushes, 0.0507)
    x, v = 1.0, 0.0
    for value in pushes:
        x, v = moved(x, v, value, 0.0507)
    np.testing.assert_allclose(simulation.x, [x, v], rtol=1e-9)


def test_advancing_without_a_change_leaves_every_bit_as_it_was():
    whole = simulate(OSCILLATOR, final_time=5.0)
    times = np.sort(np.random.default_rng(2).uniform(0.0, 5.0, 300))
    simulation = Simulation(OSCILLATOR, final_time=5.0)
    for t in times:
        simulation.advance(t)
        simulation.inputs["push"] = 0.0  # what it is already
        np.testing.assert_allclose(simulation.x, whole.at(t), rtol=1e-12, atol=1e-14)
    same_bits(simulation.run(), whole)


def test_with_a_budget_it_goes_a_few_steps_at_a_time_and_the_same_way():
    whole = drive(Simulation(OSCILLATOR), [3.0, -1.0], 2.0).result()
    simulation = Simulation(OSCILLATOR)
    for k, value in enumerate([3.0, -1.0]):
        simulation.inputs["push"] = value
        simulation.advance(2.0 * (k + 1), budget=1)
        assert 2.0 * k < simulation.t < 2.0 * (k + 1)
        while simulation.t < 2.0 * (k + 1):
            simulation.advance(2.0 * (k + 1), budget=1)
    same_bits(simulation.result(), whole)


def test_while_a_run_is_watched_inputs_stay():
    simulation = Simulation.from_config(config_from_keywords(OSCILLATOR, final_time=1.0), watched=True)
    with pytest.raises(SimulationError, match="inputs do not change in a watched run"):
        simulation.inputs["push"] = 1.0
    same_bits(simulation.run(), simulate(OSCILLATOR, final_time=1.0))


def test_steps_that_a_change_may_take_back_are_not_handed_out():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(1.0)
    with pytest.raises(SimulationError, match="the inputs of this run may change"):
        simulation.chunks()


def test_it_does_not_matter_how_one_comes_to_the_time_of_a_change():
    """Step by step, in one go, or by many looks: the same bits."""
    ways = ([7.3], [*np.linspace(0.1, 7.3, 400)], [2.0, 7.29999, 7.3])
    runs = []
    for way in ways:
        simulation = Simulation(OSCILLATOR, final_time=9.0)
        for t in way:
            simulation.advance(t)
        simulation.inputs["push"] = 3.0
        runs.append(simulation.run())
    same_bits(runs[0], runs[1])
    same_bits(runs[0], runs[2])


def test_a_change_is_an_event_that_leaves_the_state_as_it_is():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(0.7)
    before = simulation.x
    simulation.inputs["push"] = 4.0
    np.testing.assert_array_equal(simulation.x, before)
    assert (simulation.t, simulation.j, simulation["push"]) == (0.7, 1, 4.0)
    simulation.advance(1.0)
    (event,) = simulation.result().events
    assert (event.kind, event.t, event.j, event.boundaries, event.declined) == ("input", 0.7, 0, (), False)
    np.testing.assert_array_equal(event.x_before, event.x_after)


def test_several_inputs_and_several_values_at_one_time_are_one_event():
    def turn(xdot, t, x, p, chart):
        xdot[0] = p[0] - p[1]

    model = Model("tank", [State("level")], vector_field=turn, inputs=[Input("flow"), Input("leak")])
    simulation = Simulation(model)
    simulation.advance(1.0)
    simulation.inputs["flow"], simulation.inputs["leak"], simulation.inputs["flow"] = 9.0, 1.0, 3.0
    simulation.advance(2.0)
    run = simulation.result()
    assert len(run.events) == 1
    assert run["level"][-1] == pytest.approx(2.0, rel=1e-12)
    assert run.inputs.value.tolist() == [9.0, 1.0, 3.0]
    assert run["flow"].tolist() == [0.0 if j == 0 else 3.0 for j in run.j]
    assert run["leak"].tolist() == [0.0 if j == 0 else 1.0 for j in run.j]


def test_outputs_at_past_times_use_the_values_held_then():
    pushes = [5.0, -3.0, 8.0, 8.0, 1.0]
    for record in (True, False, 0.03):
        run = drive(Simulation(OSCILLATOR, record=record), pushes, 0.2).result()
        np.testing.assert_allclose(run["force"], run["push"] - RATE**2 * run["x"], rtol=1e-14, atol=1e-14)
        assert run["push"][0] == 0.0
        at = np.array([0.0, *(0.2 * k for k in range(1, 5))])
        inside = ~np.isin(run.t, at)
        place = np.searchsorted(at, run.t[inside]) - 1
        np.testing.assert_array_equal(run["push"][inside], np.array(pushes)[place])


def test_what_is_read_at_one_time_is_that_of_the_inputs_now():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(0.3)
    x = simulation["x"]
    for push in (0.0, 5.0, -7.0):
        simulation.inputs["push"] = push
        assert simulation["force"] == pytest.approx(push - RATE**2 * x, rel=1e-12)
        assert simulation["x"] == x
    simulation.advance(0.4)
    assert simulation["x"] == pytest.approx(moved(x, -RATE * math.sin(RATE * 0.3), -7.0, 0.1)[0], rel=1e-6)


def test_the_step_size_survives_a_change():
    """Without it, each of a thousand changes would cost a search for a first step, and small steps after it."""
    quiet = simulate(OSCILLATOR, final_time=1.0, max_step=1e-3).statistics
    pushes = 1e-3 * np.random.default_rng(3).uniform(-1.0, 1.0, 1000)
    changing = drive(Simulation(OSCILLATOR, max_step=1e-3), pushes, 1e-3).result().statistics
    assert changing["steps"] <= quiet["steps"] + 1000
    assert changing["rejected"] <= 10


def test_a_change_at_the_very_start_comes_before_the_first_step():
    simulation = Simulation(OSCILLATOR)
    simulation.inputs["push"] = 7.0
    simulation.advance(0.5)
    np.testing.assert_allclose(simulation.x, moved(1.0, 0.0, 7.0, 0.5), rtol=1e-7)
    assert simulation.result().events.t.tolist() == [0.0]


# Events beyond the change never happened.


def fall(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[0]


def floor(g, t, x, p, chart):
    g[0] = x[0]


def bounce(x_new, t, x, p, chart, crossed):
    x_new[1] = -0.5 * x[1]
    x_new[2] = x[2] + 1.0
    return chart


BALL = Model(
    "ball",
    [State("y", 1.0), State("v"), State("bounces", continuous=False)],
    vector_field=fall,
    boundaries=floor,
    transition=bounce,
    boundary_records=[Boundary("floor", degree=1)],
    inputs=[Input("gravity", 8.0)],
)


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


def warm(xdot, t, x, p, chart):
    xdot[0] = (8.0 if chart == 1 else 0.0) - 0.5 * (x[0] - 5.0)


def limits(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] - p[0] + 1.0
    else:
        g[1] = p[0] + 1.0 - x[0]


def switch(x_new, t, x, p, chart, crossed):
    return 1 - chart


THERMOSTAT = Model(
    "thermostat",
    [State("temperature", 18.0, "degC")],
    vector_field=warm,
    boundaries=limits,
    transition=switch,
    charts=("off", "on"),
    boundary_records=[Boundary("cold", degree=1), Boundary("warm", degree=1)],
    inputs=[Input("target", 15.0, "degC")],
)


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
    def declines(x_new, t, x, p, chart, crossed):
        return DECLINED

    model = Model(
        "ball",
        [State("y", 1.0), State("v")],
        vector_field=fall,
        boundaries=floor,
        transition=declines,
        boundary_records=[Boundary("floor", degree=1)],
        inputs=[Input("gravity", 8.0)],
    )
    simulation = Simulation(model)
    simulation.advance(0.75)  # below the floor since 0.5 s
    simulation.inputs["gravity"] = -64.0
    simulation.advance(2.0)
    events = simulation.result().events
    assert [(e.kind, e.declined) for e in events] == [("crossing", True), ("input", False)]
    assert verify(simulation.result(), model).ok


def test_a_time_that_depends_on_an_input_moves_with_it():
    def rest(xdot, t, x, p, chart):
        pass

    def alarm(g, t, x, p, chart):
        if chart == 0:
            g[0] = p[0] - t

    def ring(x_new, t, x, p, chart, crossed):
        x_new[0] = t
        return 1

    model = Model(
        "alarm",
        [State("rang", -1.0, continuous=False)],
        vector_field=rest,
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


def slip(xdot, t, x, p, chart):
    xdot[0] = p[0] + (1.0 if chart == 0 else -1.0)


def standstill(g, t, x, p, chart):
    if chart == 0:
        g[0] = -x[0]
    else:
        g[1] = x[0]


def change_side(x_new, t, x, p, chart, crossed):
    return 1 - chart


def begin_forward(x_new, t, x, p):
    return 1


BLOCK = Model(
    "block",
    [State("v", 1.0)],
    vector_field=slip,
    boundaries=standstill,
    transition=change_side,
    initial_chart=begin_forward,
    charts=("backward", "forward"),
    boundary_records=[Boundary("rises", degree=1), Boundary("falls", degree=1)],
    inputs=[Input("force", 0.5)],
)


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


def test_a_change_during_an_accumulation_comes_when_it_is_over():
    table = Model(
        "table",
        BALL.states,
        vector_field=resting,
        boundaries=unless_resting,
        transition=BALL.transition,
        charts=("flight", "rest"),
        boundary_records=[Boundary("floor", degree=1, rest="rest")],
        inputs=[Input("gravity", 8.0)],
    )
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
    model = Model(
        "ball",
        BALL.states,
        vector_field=BALL.vector_field,
        boundaries=BALL.boundaries,
        transition=bounce_fully,
        boundary_records=BALL.boundary_records,
        inputs=BALL.inputs,
    )
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


# What comes in.


def test_names_bounds_and_values_are_checked_before_anything_happens():
    simulation = Simulation(OSCILLATOR)
    simulation.advance(0.1)
    for name, value, message in (
        ("pusch", 1.0, "no input 'pusch'; did you mean `push`"),
        ("push", 51.0, r"expected a finite number from -50 to 50 \[N/kg\]; give one"),
        ("push", math.nan, "expected a finite number"),
        ("push", "strong", "expected a finite number"),
        ("push", None, "expected a finite number"),
    ):
        with pytest.raises(SimulationError, match=message):
            simulation.inputs[name] = value
    with pytest.raises(SimulationError, match="cannot be removed"):
        del simulation.inputs["push"]
    assert dict(simulation.inputs) == {"push": 0.0}
    assert len(simulation.result().events) == 0


def test_an_input_without_bounds_takes_no_infinity():
    simulation = Simulation(BALL)
    with pytest.raises(SimulationError, match="expected a finite number"):
        simulation.inputs["gravity"] = math.inf


def test_inputs_cannot_change_after_the_end_nor_while_the_run_goes_on():
    simulation = Simulation(OSCILLATOR, final_time=1.0)
    simulation.advance(2.0)
    with pytest.raises(SimulationError, match=r"cannot change any more: the run has ended \(reached the final time"):
        simulation.inputs["push"] = 1.0

    def meddle(_):
        running.inputs["push"] = 1.0

    running = Simulation(OSCILLATOR, final_time=1.0)
    with pytest.raises(SimulationError, match="inputs change between calls"):
        running.run(meddle)


def test_inputs_are_a_mapping_of_their_names():
    inputs = Simulation(OSCILLATOR).inputs
    assert ("push" in inputs, "pull" in inputs, inputs.get("pull"), dict(inputs)) == (True, False, None, {"push": 0.0})


def test_a_model_without_inputs_says_so():
    with pytest.raises(SimulationError, match="the model has no input 'push'; it has none"):
        Simulation("slip").inputs["push"] = 1.0


def test_the_config_gives_the_values_at_the_start():
    run = simulate(OSCILLATOR, inputs={"push": 8.0}, final_time=1.0)
    assert run.x[-1] == pytest.approx(moved(1.0, 0.0, 8.0, 1.0), rel=1e-7)
    assert run["push"].tolist() == [8.0] * len(run.t)
    with pytest.raises(ConfigError, match=r"inputs\.push: expected a number from -50 to 50"):
        simulate(OSCILLATOR, inputs={"push": 80.0}, final_time=1.0)
    with pytest.raises(ConfigError, match=r"inputs\.k: the model has no such input; did you mean `parameters\.k`"):
        simulate(OSCILLATOR, inputs={"k": 1.0}, final_time=1.0)
    with pytest.raises(
        ConfigError, match=r"parameters\.push: the model has no such parameter; did you mean `inputs\.push`"
    ):
        simulate(OSCILLATOR, parameters={"push": 1.0}, final_time=1.0)


def test_inputs_vary_in_a_sweep():
    pushes = [-8.0, 0.0, 8.0]
    table = hybridsim.sweep(OSCILLATOR, {"inputs.push": pushes}, ["final(x)"], final_time=1.0)
    expected = [moved(1.0, 0.0, push, 1.0)[0] for push in pushes]
    assert table["final(x)"].to_pylist() == pytest.approx(expected, rel=1e-7)


def test_a_name_is_a_state_a_parameter_or_an_input_and_only_one_of_them():
    for records in ({"parameters": [Parameter("x")]}, {"inputs": [Input("x")]}):
        with pytest.raises(ModelError, match="'x' names a state and a"):
            Model("m", [State("x")], vector_field=swing, **records)
    with pytest.raises(ModelError, match="'k' names a parameter and a input"):
        Model("m", [State("x")], vector_field=swing, parameters=[Parameter("k")], inputs=[Input("k")])
    with pytest.raises(ModelError, match="outside its bounds"):
        Input("u", 3.0, upper=2.0)


def test_inputs_lie_behind_the_parameters_and_before_the_arrays():
    def field(xdot, t, x, p, chart):
        xdot[0] = p[2] * p[int(p[1]) + 1]

    model = Model(
        "m",
        [State("x")],
        vector_field=field,
        parameters=[Parameter("k"), Parameter("a", (1.0, 3.0))],
        inputs=[Input("u", 2.0)],
    )
    assert simulate(model, final_time=1.0)["x"][-1] == pytest.approx(6.0, rel=1e-12)


# What comes out.


def test_a_run_with_changes_comes_back_from_its_file_and_is_still_a_solution(tmp_path):
    run = drive(Simulation(OSCILLATOR), [3.0, 1.0, -2.0], 0.3).result()
    run.save(tmp_path)
    loaded = hybridsim.load_run(tmp_path / "oscillator.h5")
    assert loaded.inputs == run.inputs
    np.testing.assert_array_equal(loaded["push"], run["push"])
    assert verify(loaded, OSCILLATOR).ok
    assert "push = 0.0;" in (tmp_path / "oscillator.param").read_text()


def test_many_changes_overflow_no_buffer():
    simulation = Simulation(OSCILLATOR)
    pushes = np.random.default_rng(6).uniform(-5.0, 5.0, 20_000)
    run = drive(simulation, pushes, 1e-3).result()
    assert run.statistics["input_changes"] == 20_000
    assert (np.diff(run.t) >= 0.0).all()
    x, v = 1.0, 0.0
    for value in pushes:
        x, v = moved(x, v, value, 1e-3)
    np.testing.assert_allclose(run.x[-1], [x, v], rtol=1e-5, atol=1e-7)


def test_records_are_what_the_history_tells():
    run = drive(Simulation(OSCILLATOR), [3.0, 3.0, -2.0], 0.3).result()
    assert run.inputs.t.tolist() == [0.0, 0.6]
    assert run.inputs.held.tolist() == [[0.0], [3.0], [-2.0]]
    assert run.inputs.records == Records(OSCILLATOR.inputs["push"])
    assert "2 changes" in repr(run.inputs)
