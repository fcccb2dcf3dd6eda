"""Events, charts and messages of a composed model: which piece makes the transition, and in which order."""

import pytest

import hybridsim
from hybridsim import (
    DECLINED,
    Boundary,
    Message,
    ModelError,
    Part,
    Plant,
    Slot,
    State,
    compose,
    simulate,
)

from gallery import flow_in, push, tank


def at_one(g, t, x, p, chart):
    g[0] = 1.0 - t


def ticks(g, t, x, p, chart):
    g[0] = (x[0] + 1.0) - t


def test_of_boundaries_that_cross_together_each_piece_makes_the_transition_of_its_own():
    """At t = 1 both boundaries fall to zero. The plant writes something, and declines; the part goes on."""

    def declines(x_new, t, x, p, chart, crossed):
        x_new[0] = 77.0
        return DECLINED

    def counts(x_new, t, x, p, chart, crossed):
        x_new[0] = x[0] + 1.0
        return 1 - chart

    made = tank(
        {"vector_field": flow_in, "boundaries": at_one, "transition": declines},
        boundary_records=[Boundary("one", time=True)],
    )
    part = Part(
        "clock",
        [State("count", continuous=False)],
        couplings=(push,),
        boundaries=ticks,
        transition=counts,
        boundary_records=[Boundary("tick", time=True)],
        chart_fields={"odd": 1},
    )
    run = simulate(compose(made, {"slot0": part}), final_time=1.5)
    together = run.events[0]
    assert together.boundaries == ("one", "tick")
    assert together.x_after.tolist() == pytest.approx([1.0, 1.0])
    assert run["level"][-1] == pytest.approx(1.5, rel=1e-12)
    assert run["count"][-1] == 1.0
    assert run.events.declined.tolist() == [False, True]


@pytest.mark.exhaustive  # of boundaries that cross together each piece makes its own
def test_the_transition_of_a_plant_that_takes_couplings_follows_those_of_its_parts():
    """The drive reverses in its transition; the plant's transition at the same instant reads the new direction."""

    def pushes(t, x, p, chart, level):
        return 1.0 - 2.0 * chart

    def turns(x_new, t, x, p, chart, crossed):
        x_new[0] = x[0] + 1.0
        return 1 - chart

    def starts(x_new, t, x, p, push):
        x_new[1] = push(t, x[0])
        return 0

    def sees(x_new, t, x, p, chart, crossed, push):
        x_new[1] = push(t, x[0])
        return chart

    def never(g, t, x, p, chart):
        g[0] = 99.0 - t

    slot = Slot("drive", couplings=("push",), choices={"steady": Part("steady", couplings=(push,))}, default="steady")
    made = Plant(
        "tank",
        [State("level"), State("seen", continuous=False)],
        vector_field=flow_in,
        boundaries=never,
        transition=sees,
        initial_chart=starts,
        boundary_records=[Boundary("end", time=True)],
        chart_fields={"side": 1},
        slots=(slot,),
    )
    part = Part(
        "turning",
        [State("turns", continuous=False)],
        couplings={"push": pushes},
        boundaries=ticks,
        transition=turns,
        boundary_records=[Boundary("tick", time=True)],
        chart_fields={"backward": 1},
    )
    run = simulate(compose(made, {"drive": part}), final_time=2.5)
    assert run["seen"][0] == 1.0
    assert [event.x_after[1] for event in run.events] == [-1.0, 1.0]


def test_a_chart_that_does_not_fit_into_the_piece_ends_the_run_and_leaves_other_bits_alone():
    def too_far(x_new, t, x, p, chart, crossed):
        return 2

    made = tank(
        {"vector_field": flow_in, "boundaries": at_one, "transition": too_far},
        boundary_records=[Boundary("one", time=True)],
        chart_fields={"side": 1},
    )
    run = simulate(compose(made, {"slot0": Part("two", couplings=(push,), chart_fields={"phase": 1})}), final_time=2.0)
    assert run.status is hybridsim.Status.UNKNOWN_CHART


def test_the_first_error_of_all_pieces_counts_before_any_warning():
    def warns(t, x, p, chart):
        return 1

    def fails_late(t, x, p, chart):
        return 2 if t > 1.0 else 1

    made = tank({"vector_field": flow_in, "validate": warns}, messages=(Message("half full", "warning"),))
    part = Part(
        "strict",
        couplings=(push,),
        validate=fails_late,
        messages=(Message("hm", "warning"), Message("too late")),
    )
    run = simulate(compose(made, {"slot0": part}), final_time=2.0, max_step=0.25)
    assert "too late" in run.message
    assert run.t[-1] == pytest.approx(1.0)
    assert run.statistics["warning: half full"] > 0


def test_a_plant_with_named_charts_takes_parts_without_charts():
    model = compose(tank(charts=("filling", "full")), {"slot0": "steady"})
    assert model.charts.names == ("filling", "full")
    with pytest.raises(ModelError, match="give the plant fields too"):
        compose(tank(charts=("filling", "full")), {"slot0": Part("two", couplings=(push,), chart_fields={"phase": 1})})
