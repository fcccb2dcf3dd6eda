"""Feet: where they touch the ground, by geometry."""

import math

import numpy as np
import pytest

from hybridsim import ModelError, simulate
from hybridsim.contacts import FlatFoot, PointFoot, RoundFoot, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar

LENGTH, RADIUS, HEEL, TOE = 0.5, 0.1, 0.04, 0.09
END = (0.02, 0.0, -LENGTH)
LEG = {"mass": 2.0, "centre": (0.0, 0.0, -0.2), "inertia": (0.05, 0.05, 0.01)}
IN_PLANE = Mechanism(Body("leg", Planar("leg", normal="y"), **LEG))
IN_SPACE = Mechanism(Body("leg", Free("leg"), **LEG))


def gaps(mechanism, foot, **initial):
    """How high the points of a foot are."""
    model = contact_model("leg", mechanism, [foot], initial={"leg_z": 1.0, **initial})
    run = simulate(model, final_time=1e-3)
    return [run[name][0] for name in model.output_records.names if name.endswith("_gap")]


def below(place, angle):
    """How far a point of the leg is below the origin of a leg that is turned from z towards x."""
    x, _, z = place
    return x * math.sin(angle) - z * math.cos(angle)


@pytest.mark.exhaustive  # the sole with a width is in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("angle", [0.0, 0.4, -0.7])
def test_a_point_is_where_the_leg_ends_and_a_round_foot_touches_below_its_centre(angle):
    (point,) = gaps(IN_PLANE, PointFoot("foot", "leg", END), leg_angle=angle)
    assert point == pytest.approx(1.0 - below(END, angle), abs=1e-15)
    (ball,) = gaps(IN_PLANE, RoundFoot("foot", "leg", END, RADIUS), leg_angle=angle)
    assert ball == pytest.approx(1.0 - below((0.02, 0.0, RADIUS - LENGTH), angle) - RADIUS, abs=1e-15)
    if angle == 0.0:
        assert ball == pytest.approx(point, abs=1e-15)


@pytest.mark.exhaustive  # the sole with a width is in the ordinary run
def test_a_sole_in_the_plane_is_its_heel_and_its_toe():
    sole = FlatFoot("foot", "leg", END, heel=HEEL, toe=TOE)
    expected = [1.0 - below((0.02 + x, 0.0, -LENGTH), 0.3) for x in (-HEEL, TOE)]
    np.testing.assert_allclose(gaps(IN_PLANE, sole, leg_angle=0.3), expected, atol=1e-15)


def test_a_sole_with_a_width_stands_in_space_and_its_pressures_balance_the_weight():
    """The centre of mass is above the ankle, and not in the middle of the sole: toes carry HEEL / (HEEL + TOE)."""
    sole = FlatFoot("foot", "leg", (0.0, 0.0, -LENGTH), heel=HEEL, toe=TOE, width=0.06, friction=0.5)
    model = contact_model("leg", IN_SPACE, [sole], initial={"leg_z": LENGTH})
    run = simulate(model, final_time=0.5)
    assert len(run.events) == 0
    assert run["foot_normal"][-1] == pytest.approx(2.0 * 9.81, rel=1e-9)
    # a force is that of the two corners opposite the edge which begins at its point: of the heels 1, of the toes 3
    heels, toes = run["foot1_force"][-1], run["foot3_force"][-1]
    assert sole.points[1][0] == sole.points[2][0] == TOE
    assert sole.points[3][0] == sole.points[0][0] == -HEEL
    assert toes == pytest.approx(2.0 * 9.81 * HEEL / (HEEL + TOE), rel=1e-9)
    assert heels == pytest.approx(2.0 * 9.81 * TOE / (HEEL + TOE), rel=1e-9)
    corners = {point[:2] for point in sole.points}
    assert corners == {(x, y) for x in (-HEEL, TOE) for y in (-0.03, 0.03)}
    assert run["leg_z"][-1] == pytest.approx(LENGTH, abs=1e-12)


def test_what_a_foot_does_not_have_is_refused():
    with pytest.raises(ModelError, match="radius must be greater than 0"):
        RoundFoot("foot", "leg", END, -0.1)
    with pytest.raises(ModelError, match="end: expected three finite numbers"):
        FlatFoot("foot", "leg", (0.0, 0.0), heel=HEEL, toe=TOE)
    with pytest.raises(ModelError, match=r"heel \+ toe must be greater than 0, not 0.1 \+ -0.1; make the sole longer"):
        FlatFoot("foot", "leg", END, heel=0.1, toe=-0.1)
    with pytest.raises(ModelError, match=r"width must be 0 or greater, not -0\.1; give 0"):
        FlatFoot("foot", "leg", END, heel=HEEL, toe=TOE, width=-0.1)
    with pytest.raises(TypeError, match="fricton"):
        PointFoot("foot", "leg", END, fricton=0.3)
