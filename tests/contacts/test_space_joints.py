"""Contacts in space together with loops, stops, dry friction and motors; and derivatives of runs in space."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT
from contacts.test_space import ball, box, friction

from hybridsim import Status, linearize, sensitivity, simulate, verify
from hybridsim.contacts import Patch, Plane, Rod, contact_model
from hybridsim.multibody import Body, Mechanism, Prismatic, Revolute


def hopper(heading, rod=False):
    """A carriage with an arm that hangs on it, in the vertical plane with this heading, on a slope that rises there."""
    c, s = math.cos(heading), math.sin(heading)
    bodies = Mechanism(
        Body("side", Prismatic("x", (c, s, 0.0))),
        Body("carriage", Prismatic("z", "z"), "side", mass=1.0),
        Body("arm", Revolute("arm", (-s, c, 0.0)), "carriage", mass=0.6, centre=(0, 0, -0.2), inertia=(0.01,) * 3),
        Body("shin", Revolute("shin", (-s, c, 0.0), place=(0, 0, -0.4)), "arm", mass=0.4, inertia=(0.004,) * 3),
    )
    hill = Plane(slope=0.1, heading=heading)
    foot = Patch("foot", "shin", [(0, 0, -0.3)], friction=0.4, restitution=0.3, plane=hill)
    loops = [Rod("rod", "carriage", 0.9, to=(0.5 * c, 0.5 * s, 1.4))] if rod else []
    return contact_model(
        "hopper",
        bodies,
        [foot],
        loops=loops,
        stops={"shin": {"lower": -0.5, "upper": 0.9, "restitution": 0.4}},
        dry_friction={"x": 0.5, "arm": {"static": 0.3, "kinetic": 0.2}},
        motors={"arm": {"stiffness": 12.0, "damping": 0.4, "target": 0.5}},
    )


@pytest.mark.members(1)
@pytest.mark.parametrize("rod", [False, True])
def test_joints_and_loops_in_a_turned_plane_move_as_in_the_plane(rod):
    """The carriage with the rod begins at a distance of 0.9 m from its other end."""
    height = 1.4 - math.sqrt(0.9**2 - 0.5**2) if rod else 0.75
    initial = {"z": height, "arm": 0.2, "shin": 0.3, "xdot": 0.0 if rod else 0.8, "shindot": 4.0}
    ends = []
    for heading in (0.0, 0.9):
        model = hopper(heading, rod)
        settings = {"parameters": {"begin_speed": 1e-7}} if heading else {}
        run = simulate(model, initial=initial, final_time=1.2, record=True, **settings, **TIGHT)
        assert run.status == Status.FINAL_TIME, run.message
        assert verify(run, model=model).ok
        kinds = {name for event in run.events for name in event.boundaries}
        assert {"foot_gap", "shin_upper_gap"} & kinds
        ends.append([run[name][-1] for name in ("x", "z", "arm", "shin", "xdot", "armdot", "energy", "foot_normal")])
        if heading:
            assert np.abs(run["foot_lateral"]).max() < 1e-5
    np.testing.assert_allclose(ends[1], ends[0], atol=2e-6)


def difference(model, name, output, step, settings):
    """The derivative of the last value of an output with respect to a parameter or an initial state, by differences."""
    key = "initial" if name in settings["initial"] else "parameters"
    ends = []
    for sign in (1.0, -1.0):
        changed = {**settings[key], name: settings[key][name] + sign * step}
        ends.append(simulate(model, **{**settings, key: changed})[output][-1])
    return (ends[0] - ends[1]) / (2.0 * step)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("height", "boundary"), [(0.3, "rim_gap"), (0.1 / math.cos(0.2), "rim_pace")])
def test_derivatives_of_a_ball_go_through_its_impacts_and_the_end_of_its_slip(height, boundary):
    settings = {
        "initial": {"ball_z": height, "ball_xdot": 1.0, "ball_ydot": -0.4, "ball_wx": 8.0, "ball_wz": 3.0},
        "parameters": {"rim_restitution": 0.5, "ground_slope": 0.2, "ground_heading": 0.6}
        | {"rim_kinetic": 0.2, "rim_static": 0.201},
        "final_time": 0.8,
        "record": True,
        **TIGHT,
    }
    model = ball()
    run = simulate(model, **settings)
    assert boundary in {name for event in run.events for name in event.boundaries}
    for name in ("ball_xdot", "ball_wx", "rim_restitution", "rim_kinetic", "ground_heading"):
        found = sensitivity(run, name, model=model)
        for output in ("ball_y", "ball_xdot", "ball_wz"):
            expected = difference(model, name, output, 1e-4, settings)
            assert found[output, name][-1] == pytest.approx(expected, rel=1e-4, abs=1e-5), (name, output)


def test_derivatives_of_a_box_go_through_its_landing_on_a_corner_and_its_slips():
    settings = {
        "initial": {"box_z": 0.6, "box_qx": 0.06, "box_qy": 0.04, "box_xdot": 0.5, "box_ydot": 0.3, "box_wz": 1.0},
        "parameters": friction(0.3) | {"sole_static": 0.301},
        "final_time": 0.7,
        "record": True,
        **TIGHT,
    }
    model = box()
    run = simulate(model, **settings)
    assert len(run.events.t) > 1
    for name in ("box_qx", "box_xdot", "box_wz", "sole_kinetic"):
        found = sensitivity(run, name, model=model)
        for output in ("box_x", "box_y", "box_wz"):
            expected = difference(model, name, output, 1e-6, settings)
            assert found[output, name][-1] == pytest.approx(expected, rel=2e-4, abs=2e-5), (name, output)


@pytest.mark.exhaustive
def test_a_ball_that_slips_is_linearised():
    """Its acceleration is -mu g v / |v|, of a ball that does not turn: across v it changes by -mu g / |v|."""
    found = linearize(ball(), x={"ball_xdot": 2.0}, chart=3)
    assert found.A["ball_ydot", "ball_ydot"] == pytest.approx(-0.2 * 9.81 / 2.0, rel=1e-9)
    assert found.A["ball_xdot", "ball_xdot"] == pytest.approx(0.0, abs=1e-9)
