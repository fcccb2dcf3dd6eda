"""Loops, stops, dry friction, motors, disks, and contacts between bodies: motions that are known, and laws."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT
from contacts.linkages import (
    INERTIA,
    chain,
    cradle,
    four_bar,
    on_a_swing,
    pantograph,
    parallelogram,
    parallelogram_of_rods,
    rolling_disk,
    slider,
)

from hybridsim import ConfigError, ModelError, Status, sensitivity, simulate, verify
from hybridsim.contacts import Disk, Patch, Pin, Plane, Rod, Stop, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Revolute

G = 9.81


def run_of(model, **settings):
    """A run to its final time that `verify` accepts."""
    run = simulate(model, **{**TIGHT, "record": True, **settings})
    assert run.status == Status.FINAL_TIME
    assert verify(run, model=model).ok
    return run


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("amplitude", "period"), [(math.radians(36), 1.87774887531348840805), (1e-4, 1.83150885049715658971)]
)
def test_a_four_bar_swings_with_its_period(amplitude, period):
    """4 sqrt(I / 2 g) K(sin(amplitude / 2)), which tends to 2 pi sqrt(I / 2 g)."""
    run = run_of(four_bar(), initial=parallelogram(amplitude), final_time=period)
    assert run["q0"][-1] == pytest.approx(amplitude, abs=2e-9 * amplitude + 1e-12)
    assert run["q0dot"][-1] == pytest.approx(0.0, abs=2e-9 * amplitude + 1e-11)
    assert run["loop_error"].max() < 1e-14
    assert np.ptp(run["energy"]) < 1e-8 * INERTIA


def test_the_pin_of_a_four_bar_carries_what_newton_says():
    """At rest, level, with the arms straight down: half of coupler and arm hang on each of the fixed pins."""
    run = run_of(four_bar(), initial=parallelogram(0.0), final_time=0.1)
    assert run["tip_force_z"][-1] == pytest.approx(1.5 * G, rel=1e-9)
    assert run["tip_force_x"][-1] == pytest.approx(0.0, abs=1e-9)


def test_a_four_bar_keeps_its_loop_and_its_energy_through_dead_centres():
    lengths = {"q0": -0.2, "q1": 0.3, "q2": 1.0}
    run = run_of(four_bar(to=(-0.59, 0.0, -0.81)), initial=lengths, final_time=30.0, rtol=1e-9, atol=1e-11)
    assert run["loop_error"].max() < 1e-8
    assert np.ptp(run["energy"]) < 1e-5


@pytest.mark.exhaustive  # `test_space_joints` turns such models in the ordinary run
def test_a_four_bar_about_another_axis_is_the_same():
    """About x, turned by a right angle: the pin holds along y and z."""
    initial = parallelogram(0.5)
    here = run_of(four_bar(), initial=initial, final_time=1.0)
    there = run_of(four_bar("turned", "x", to=(0.0, 1.0, 0.0)), initial=initial, final_time=1.0)
    assert there["q0"][-1] == pytest.approx(here["q0"][-1], abs=1e-9)
    assert there["tip_force_y"][-1] == pytest.approx(-here["tip_force_x"][-1], abs=1e-8)


def test_a_posture_is_closed_where_a_run_begins_or_the_gap_is_named():
    model = four_bar()
    run = simulate(model, initial={**parallelogram(0.3), "q1": 1.0, "q0dot": 0.4}, final_time=0.1, record=True)
    assert run["loop_error"].max() < 1e-14
    closed = dict(zip(model.states.names, run.x[0], strict=True))
    again = simulate(model, initial=closed, final_time=0.1, record=True)
    np.testing.assert_array_equal(again.x[0], run.x[0])
    with pytest.raises(ConfigError, match="loop tip: it is 4 m open where the run begins, and no posture"):
        simulate(four_bar(), initial=parallelogram(0.3), parameters={"tip_x": -5.0}, final_time=0.1)


@pytest.mark.exhaustive  # the four-bar has such a loop
def test_a_rod_between_two_pendulums_makes_them_one():
    """Equal arms swing alike, and the rod carries nothing; the same as one of them alone."""
    run = run_of(parallelogram_of_rods(), initial={"a": 0.8, "b": 0.8}, final_time=2.0)
    alone = run_of(contact_model("arm", chain(1), motors={"q0": {}}), initial={"q0": 0.8}, final_time=2.0)
    assert run["a"][-1] == pytest.approx(alone["q0"][-1], abs=1e-9)
    np.testing.assert_allclose(run["rod_force"], 0.0, atol=1e-8)
    assert run["loop_error"].max() < 1e-13


@pytest.mark.exhaustive  # `tests/models` runs the pantograph of the config
def test_a_pantograph_loses_energy_and_keeps_its_loop():
    run = run_of(pantograph(), final_time=10.0, rtol=1e-8, atol=1e-10)
    assert run["loop_error"].max() < 1e-9
    assert np.diff(run["energy"]).max() < 1e-9


@pytest.mark.exhaustive  # another is held at its stop in the ordinary run
def test_a_pendulum_bounces_off_its_stop():
    """It comes to the vertical with omega^2 = m g (1 - cos(angle)) / I, and leaves with half of it."""
    model = contact_model("stopped", chain(1), stops={"q0": {"lower": 0.0, "restitution": 0.5}})
    run = run_of(model, initial={"q0": 1.0}, final_time=3.0)
    speed = math.sqrt(G * (1 - math.cos(1.0)) / (1.0025 / 12 + 0.25))
    for i, event in enumerate(list(run.events)[:3]):
        assert event.boundaries == ("q0_lower_gap",)
        assert event.x_after[1] == pytest.approx(speed * 0.5 ** (i + 1), rel=1e-8)
    assert run["q0"].min() > -1e-11


def test_a_pendulum_is_held_at_its_stop_until_a_motor_lifts_it():
    """The motor pulls with 20 (target - q): at the stop it must exceed the weight's torque g / 2 sin(0.5)."""
    settings = {"stops": {"q0": Stop(lower=0.5, upper=1.5)}, "motors": {"q0": {"stiffness": 20.0, "damping": 1.0}}}
    model = contact_model("held", chain(1), **settings)
    weight = 0.5 * G * math.sin(0.5)
    run = run_of(model, initial={"q0": 0.5}, final_time=1.0)
    assert run["q0_lower_force"][-1] == pytest.approx(weight + 10.0, rel=1e-9)
    assert run["q0_motor"][-1] == pytest.approx(-10.0, rel=1e-9)
    lifted = run_of(model, initial={"q0": 0.5}, parameters={"q0_target": 3.0}, final_time=8.0)
    assert lifted["q0"][-1] == pytest.approx(1.5, abs=1e-9)
    assert lifted["q0_upper_force"][-1] == pytest.approx(20.0 * 1.5 - 0.5 * G * math.sin(1.5), rel=1e-6)


def test_dry_friction_takes_the_same_from_each_swing():
    """Each half period pi sqrt(m / k), the amplitude falls by 2 F / k, until static friction holds it."""
    model = slider(dry_friction={"s": {"static": 5.0, "kinetic": 4.0}}, motors={"s": {"stiffness": 100.0}})
    run = run_of(model, initial={"s": 1.0}, final_time=6.0)
    half = math.pi * math.sqrt(2.0 / 100.0)
    np.testing.assert_allclose(run.events.t, half * np.arange(1, 13), rtol=0.0, atol=1e-9)
    swings = [abs(event.x_before[0]) for event in run.events]
    np.testing.assert_allclose(swings, 1.0 - 0.08 * np.arange(1, 13), rtol=0.0, atol=1e-8)
    assert run.chart[-1] == 0
    assert run["s_dry"][-1] == pytest.approx(4.0, abs=1e-6)


@pytest.mark.exhaustive  # `test_soft` has a model with all of them
def test_dry_friction_and_a_stop_act_together_with_a_loop():
    """The four-bar's crank is stopped and braked: energy only falls, and it ends at rest."""
    model = four_bar(
        "braked",
        dry_friction={"q0": 0.4},
        stops={"q0": {"lower": -0.2, "restitution": 0.4}},
        impacts="in_turn",
    )
    run = run_of(model, initial=parallelogram(0.8), final_time=12.0)
    assert np.diff(run["energy"]).max() < 1e-9
    assert run["loop_error"].max() < 1e-8
    assert np.abs(run["q0_dry"]).max() < 0.4 + 1e-11
    assert abs(run["q0dot"][-1]) < 1e-8
    assert any("q0_lower_gap" in event.boundaries for event in run.events)


def test_the_order_of_declaration_changes_nothing_but_rounding():
    joints = {"q0": {"lower": -0.2}, "q1": {"upper": 1.0, "restitution": 0.3}}
    dry = {"q0": 0.4, "q1": 0.2}
    ends = []
    for step in (1, -1):
        stops, friction = (dict(list(each.items())[::step]) for each in (joints, dry))
        model = contact_model("ordered", chain(2), stops=stops, dry_friction=friction)
        ends.append(run_of(model, initial={"q0": 1.0, "q1": -0.5}, final_time=2.0))
    instants = [np.unique(np.round(end.events.t, 6)) for end in ends]  # rounding splits one instant into two events
    np.testing.assert_allclose(*instants, rtol=0.0, atol=1.1e-6)
    np.testing.assert_allclose(ends[0].x[-1, :4], ends[1].x[-1, :4], rtol=0.0, atol=1e-7)
    assert len(instants[0]) > 2


@pytest.mark.exhaustive  # slow to compile; `test_models` has derivatives through impacts and rest
def test_derivatives_go_through_stops_and_dry_friction_and_loops():
    model = four_bar("slope", dry_friction={"q0": 0.4}, stops={"q0": {"lower": -0.2, "restitution": 0.4}})
    settings = {"initial": parallelogram(0.8), "final_time": 1.5, "record": True, **TIGHT}
    run = simulate(model, **settings)
    assert len(run.events.t) > 0
    for name, value in (("q0_restitution", 0.4), ("q0_dry_kinetic", 0.4), ("q0_lower", -0.2)):
        found = sensitivity(run, name, model=model)
        step = 1e-5
        both = {"q0_dry_static": 0.5}
        ends = [simulate(model, **settings, parameters={**both, name: value + d})["q0"][-1] for d in (step, -step)]
        assert found["q0", name][-1] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5)


@pytest.mark.exhaustive  # `test_space` has balls that do so
def test_a_disk_slips_until_it_rolls():
    """At v / (3 mu g), with two thirds of its speed: its inertia is m r^2 / 2."""
    run = run_of(rolling_disk(), initial={"disk_xdot": 1.0}, final_time=1.0)
    assert run.events.t.tolist() == pytest.approx([0.169894665307509324], abs=1e-14)
    assert run["disk_xdot"][-1] == pytest.approx(2 / 3, abs=1e-14)
    assert run["disk_angledot"][-1] == pytest.approx(4 / 3, abs=1e-13)
    wide = run_of(
        rolling_disk(), initial={"disk_xdot": 1.0, "disk_z": 0.6}, parameters={"rim_radius": 0.6}, final_time=1.0
    )
    assert wide["disk_xdot"][-1] == pytest.approx(1 / (1 + 0.125 / 0.36), abs=1e-10)


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("impacts", "n", "speeds"),
    [
        ("together", 3, (-1 / 3, 2 / 3, 2 / 3)),
        ("together", 5, (-0.6, 0.4, 0.4, 0.4, 0.4)),
        ("in_turn", 3, (0.0, 0.0, 1.0)),
        ("in_turn", 5, (0.0, 0.0, 0.0, 0.0, 1.0)),
    ],
)
def test_balls_that_touch_collide_together_or_in_turn(impacts, n, speeds):
    """Together: Moreau (1988); in turn: Newton's cradle."""
    run = run_of(cradle(n, impacts), initial={"x0dot": 1.0}, final_time=1.0)
    assert run.events.t[0] == pytest.approx(0.5, abs=1e-12)
    assert [run[f"x{i}dot"][-1] for i in range(n)] == pytest.approx(speeds, abs=1e-13)


@pytest.mark.exhaustive  # the wheel on a table that turns keeps its energy
@pytest.mark.members(1)
@pytest.mark.parametrize("disk", [False, True])
def test_energy_only_falls_on_a_plank_that_swings(disk):
    """The plane turns and moves: its gap stays closed, and friction takes energy, where the rider slips."""
    run = run_of(on_a_swing(disk), initial={"swing": 0.0, "swingdot": 0.6}, final_time=0.8)
    contact = "rim" if disk else "sole"
    assert np.diff(run["energy"]).max() < 1e-9
    normal, tangential, slip = (run[f"{contact}_{key}"] for key in ("normal", "tangential", "slip"))
    assert normal[-1] > 1.0
    assert (np.abs(tangential) - (0.6 if disk else 0.1) * normal).max() < 1e-10
    down = run["rim_gap" if disk else "sole0_gap"][run.t > run.events.t[-1]]
    assert np.abs(down).max() < 1e-9
    power = np.trapezoid(tangential * slip, run.t)
    assert power <= 0.0


def test_what_is_wrong_with_joints_and_loops_is_named():
    with pytest.raises(ModelError, match=r"no joint 'q' with one coordinate; did you mean `?'?q0"):
        contact_model("m", chain(1), stops={"q": {"lower": 0.0}})
    with pytest.raises(ModelError, match="q0: stop: give `lower`, `upper` or both, lower < upper"):
        contact_model("m", chain(1), stops={"q0": {"lower": 1.0, "upper": 0.0}})
    with pytest.raises(ModelError, match="q0: stop: restitution must be"):
        contact_model("m", chain(1), stops={"q0": {"lower": 1.0, "restitution": 2.0}})
    with pytest.raises(ModelError, match="dry friction must be 0 <= kinetic <= static"):
        contact_model("m", chain(1), dry_friction={"q0": {"static": 1.0, "kinetic": 2.0}})
    with pytest.raises(ModelError, match="stops: q0: expected a Stop or a mapping, not 3"):
        contact_model("m", chain(1), stops={"q0": 3})
    with pytest.raises(ModelError, match=r"tip: body 'lnk0' is unknown; did you mean `?'?link0"):
        contact_model("m", chain(1), loops=[Pin("tip", "lnk0")])
    with pytest.raises(ModelError, match="length must be greater than 0"):
        Rod("rod", "link0", 0.0)
    with pytest.raises(ModelError, match="radius must be greater than 0"):
        Disk("rim", "link0", -1.0)
    with pytest.raises(ModelError, match="impacts are 'together' or 'in_turn'"):
        contact_model("m", chain(1), motors={"q0": {}}, impacts="both")
    with pytest.raises(ModelError, match="at least one contact, loop, stop, dry friction or motor"):
        contact_model("m", chain(1))
    with pytest.raises(ModelError, match="need names of their own"):
        contact_model("m", chain(2), [Patch("a", "link1"), Patch("b", "link1", on="link0")])
    rubbing = contact_model("m", chain(1), dry_friction={"q0": 1.0})
    for settings in ({}, {"initial_chart": 0}):
        with pytest.raises(ConfigError, match=r"q0_dry_static = 0\.4 must not be less than q0_dry_kinetic = 1"):
            simulate(rubbing, parameters={"q0_dry_static": 0.4}, final_time=1.0, **settings)
    with pytest.raises(ConfigError, match=r"joint q0 is beyond its lower stop where the run begins, by 0\.1 rad"):
        simulate(contact_model("m", chain(1), stops={"q0": {"lower": 0.1}}), final_time=1.0)


def test_too_many_bits_are_counted_before_the_run():
    joints = [Revolute(f"q{i}", "y") for i in range(31)]
    bodies = [Body(f"b{i}", joint, parent=f"b{i - 1}" if i else "world", mass=1.0) for i, joint in enumerate(joints)]
    stops = {f"q{i}": {"lower": -1.0, "upper": 1.0} for i in range(31)}
    contact_model("fits", Mechanism(*bodies), stops=stops)
    with pytest.raises(ModelError, match=r"64 bits are needed, 62 are there: q0_dry 2, q0_stop 2, .*; leave out stops"):
        contact_model("m", Mechanism(*bodies), stops=stops, dry_friction={"q0": 1.0})


@pytest.mark.exhaustive  # the balls of this file have planes of other bodies
def test_a_block_between_two_planes_of_other_names_lands_on_both():
    body = Body("box", Planar("box", normal="y"), mass=1.0, inertia=(0.1, 0.1, 0.1))
    contacts = [
        Patch("left", "box", ((-0.1, 0.0, 0.0),), friction=0.5),
        Disk("right", "box", 0.1, (0.1, 0.0, 0.1), plane=Plane("step", z=0.0)),
    ]
    run = run_of(contact_model("both", Mechanism(body), contacts), initial={"box_z": 0.1}, final_time=1.0)
    assert run["left_normal"][-1] + run["right_normal"][-1] == pytest.approx(G, rel=1e-9)
