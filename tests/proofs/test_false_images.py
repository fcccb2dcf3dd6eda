"""Models in which the image of a motion is no motion, though it looks like one along the motion that is proven."""

import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State, Symmetry

pytest.importorskip("flint")

ALTERNATING = Symmetry(
    swap=[("a", "b")],
    charts={"first": "second", "second": "first"},
    boundaries={"first_full": "second_full", "second_full": "first_full"},
)


def alternating(field, transition):
    """Two charges of which one grows to 0.6 while the other fades, by turns."""
    return Model(
        "alternating",
        Records(State("a", 0.4), State("b", 0.6)),
        vector_field=field,
        boundaries=full,
        transition=transition,
        parameters=Records(Parameter("h", 0.6), Parameter("goal", 1.0)),
        charts=Records(Chart("first"), Chart("second")),
        boundary_records=Records(Boundary("first_full"), Boundary("second_full")),
    )


def full(g, t, x, p, chart):
    g[chart] = p[0] - x[chart]


def charging(xdot, t, x, p, chart):
    xdot[0], xdot[1] = -x[0], -x[1]
    xdot[chart] = (p[1] if chart else 1.0) - x[chart]


def in_turn(x_new, t, x, p, chart, crossed):
    return 1 - chart


def test_with_a_varied_goal_of_one_chart_the_image_is_no_motion():
    guess = {"a": 0.39, "b": 0.6}
    orbit = hybridsim.find_orbit(
        alternating(charging, in_turn), section="second_full", initial=guess, symmetry=ALTERNATING
    )
    assert hybridsim.prove(orbit).closes_after == 2
    found = hybridsim.prove(orbit, parameters={"goal": (0.9999, 1.0001)})
    assert found.closes_after == 0


def falling_behind(xdot, t, x, p, chart):
    """The second charge grows from 0.45 on only: below it fades for ever, as nothing in the first chart does."""
    xdot[0], xdot[1] = -x[0], -x[1]
    xdot[chart] = 1.0 - x[chart]
    if chart == 1 and not x[1] > 0.45:
        xdot[1] = -1.0 - x[1]


def above(x_new, t, x, p, chart, crossed):
    return 1 - chart if x[chart] > 0.45 else chart


def test_a_branch_of_the_transition_tells_nothing_of_the_way_to_it():
    guess = {"a": 0.39, "b": 0.6}
    orbit = hybridsim.find_orbit(
        alternating(falling_behind, above), section="second_full", initial=guess, symmetry=ALTERNATING
    )
    assert hybridsim.prove(orbit).closes_after == 0


def filling(xdot, t, x, p, chart):
    """To 1 in the first two charts, in the third one to -1: there it never fills."""
    xdot[0] = (-1.0 if chart == 2 else 1.0) - x[0]


def at_height(g, t, x, p, chart):
    g[0] = p[0] - x[0]


def back_by_one(x_new, t, x, p, chart, crossed):
    x_new[0] = 0.1 + 0.3 * (x[0] - 0.6)
    return (chart + 2) % 3


def test_an_image_of_third_order_leads_to_charts_that_nothing_is_known_of():
    model = Model(
        "circle",
        Records(State("y", 0.1)),
        vector_field=filling,
        boundaries=at_height,
        transition=back_by_one,
        parameters=Records(Parameter("h", 0.6)),
        charts=Records(Chart("a"), Chart("b"), Chart("c")),
        boundary_records=Records(Boundary("full")),
    )
    circle = Symmetry(charts={"a": "b", "b": "c", "c": "a"})
    orbit = hybridsim.find_orbit(model, section="full", initial={"y": 0.1}, symmetry=circle)
    assert hybridsim.prove(orbit).closes_after == 0
