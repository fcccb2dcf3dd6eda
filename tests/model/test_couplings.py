"""Coupling functions and sensors: what a plant and its parts give each other, and the order of their records."""

import math

import pytest

from hybridsim import (
    Boundary,
    Input,
    Parameter,
    Part,
    Plant,
    Slot,
    State,
    compose,
    simulate,
    verify,
)

from gallery import flow_in, push, tank


def test_a_part_needs_nothing_but_its_coupling_functions():
    run = simulate(tank(), final_time=2.0)
    assert run["level"][-1] == pytest.approx(2.0, rel=1e-12)


def test_inputs_lie_behind_the_parameters_of_their_piece():
    def filling(t, x, p, chart, level):
        return p[0] * p[1]

    part = Part(
        "filling",
        couplings={"push": filling},
        parameters=[Parameter("gain", 3.0)],
        inputs=[Input("valve", 0.5)],
    )
    model = compose(tank(parameters=[Parameter("size", 1.0)], inputs=[Input("leak")]), {"slot0": part})
    assert model.p_indices == {
        "size": 0,
        "leak": 1,
        "gain": 2,
        "valve": 3,
        "slot0": 4,
    }
    run = simulate(model, parameters={"gain": 4.0}, inputs={"valve": 0.25}, final_time=3.0)
    assert run["level"][-1] == pytest.approx(3.0, rel=1e-12)


def test_each_slot_has_its_part():
    def both(xdot, t, x, p, chart, push, pull):
        xdot[0] = push(t, x[0]) - pull(t, x[0])

    def pull(t, x, p, chart, level):
        return p[0] * level

    slots = (
        Slot("source", couplings=("push",), choices={"steady": Part("steady", couplings=(push,))}, default="steady"),
        Slot(
            "drain",
            couplings=("pull",),
            choices={"leak": Part("leak", couplings=(pull,), parameters=[Parameter("rate", 2.0)])},
            default="leak",
        ),
    )
    run = simulate(Plant("tank", [State("level")], vector_field=both, slots=slots), final_time=3.0)
    # level' = 1 - 2 level from 0
    assert run["level"][-1] == pytest.approx(0.5 * (1.0 - math.exp(-6.0)), rel=1e-6)


def test_a_part_begins_after_the_plant_and_reads_its_sensors():
    def begin_low(x_new, t, x, p):
        x_new[0] = 3.0
        return 1

    def begin(x_new, t, x, p, seen):
        x_new[0] = seen(t)
        return 2

    def seen(t, x, p, chart):
        return x[0] + 10.0 * chart

    slot = Slot(
        "slot0",
        couplings=("push",),
        choices={"steady": Part("steady", couplings=(push,))},
        default="steady",
        sensors=(seen,),
    )
    made = Plant(
        "tank",
        [State("level")],
        vector_field=flow_in,
        initial_chart=begin_low,
        chart_fields={"side": 1},
        slots=(slot,),
    )
    part = Part(
        "memory",
        [State("noted", continuous=False)],
        couplings=(push,),
        initial_chart=begin,
        chart_fields={"step": 2},
    )
    run = simulate(compose(made, {"slot0": part}), final_time=1.0)
    assert (run["level"][0], run["noted"][0]) == (3.0, 13.0)
    assert run.charts == {0b101: "side=1 step=2"}


def test_a_coupling_function_may_use_sensors_with_both_charts_as_they_are():
    """The plant opens its valve at t = 1, the part its own at 0.5; the flow is (1 + 2 plant's) (1 + part's)."""

    def note(xdot, t, x, p, chart, push):
        xdot[0] = push(t, x[0])

    def opens(x_new, t, x, p, chart, crossed, push):
        x_new[1] = push(t, x_new[0])
        return 1 if crossed[0] else chart

    def closed_until(g, t, x, p, chart):
        g[0] = 1.0 - t if chart == 0 else 9.0 - t

    def valve(t, x, p, chart, weight):
        return weight * chart

    def flow(t, x, p, chart, level, valve):
        return (1.0 + valve(t, 2.0)) * (1.0 + chart)

    def half(g, t, x, p, chart):
        g[0] = 0.5 - t if chart == 0 else 9.0 - t

    def halfway(x_new, t, x, p, chart, crossed):
        return 1

    slot = Slot(
        "slot0",
        couplings=("push",),
        choices={"steady": Part("steady", couplings=(push,))},
        default="steady",
        sensors=(valve,),
    )
    made = Plant(
        "tank",
        [State("level"), State("noted", continuous=False)],
        vector_field=note,
        boundaries=closed_until,
        transition=opens,
        boundary_records=[Boundary("opens", time=True)],
        chart_fields={"open": 1},
        slots=(slot,),
    )
    part = Part(
        "two",
        couplings={"push": flow},
        boundaries=half,
        transition=halfway,
        boundary_records=[Boundary("halfway", time=True)],
        chart_fields={"step": 1},
    )
    model = compose(made, {"slot0": part})
    run = simulate(model, final_time=2.0)
    assert run["level"][-1] == pytest.approx(0.5 * 1.0 + 0.5 * 2.0 + 1.0 * 6.0, rel=1e-12)
    # The plant's transition follows that of the part and reads its new chart; the plant's chart is still the old one.
    assert [event.x_after[1] for event in run.events] == [2.0, 2.0]
    assert verify(run, model).ok
