"""Soft contacts: closed forms, other integrations, laws that every run keeps, and hard contacts as their limit."""

import math
import runpy

import numpy as np
import pytest
from contacts import linkages
from contacts.cases import ROOT, STANDING, TIGHT, point_mass, robot
from contacts.random_mechanisms import WEIGHT, random_drop, random_model
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from hybridsim import ModelError, Parameter, Status, find_orbit, sensitivity, simulate, verify
from hybridsim.contacts import Disk, Equations, Patch, Pin, Plane, Rows, Sphere, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic
from hybridsim.testing import check_model

G, K, C, SIDE_K, SIDE_C = 9.81, 2000.0, 15.0, 800.0, 12.0
SOFT = {"stiffness": K, "damping": C, "tangential": {"stiffness": SIDE_K, "damping": SIDE_C}}


def soft_mass(**contact):
    return point_mass("soft_mass", **{**SOFT, "friction": 0.5, **contact})


RESTING = {"z": -G / K}


@pytest.mark.exhaustive  # the ball in space slips along its spring in the ordinary run
def test_a_thrown_mass_slips_and_then_swings_on_its_spring():
    """It slips on a pad that yields, 1 - exp(-k t / c), until spring and damper pull with mu N; then it swings."""
    speed, mu = 3.0, 0.3
    model = soft_mass(friction={"static": 0.5, "kinetic": mu})
    run = simulate(model, initial={**RESTING, "xdot": speed}, final_time=6.0, record=True, **TIGHT)
    most = mu * G

    def pull_beyond(t):
        return SIDE_C * (speed - most * t) - most * math.exp(-SIDE_K / SIDE_C * t)

    holds = brentq(pull_beyond, 1e-3, speed / most, xtol=1e-15)
    stretch = most / SIDE_K * (1.0 - math.exp(-SIDE_K / SIDE_C * holds))
    assert run.events.t == pytest.approx([holds], abs=1e-9)
    assert run["x"][-1] == pytest.approx(speed * holds - 0.5 * most * holds**2 - stretch, abs=1e-9)
    decay, height = 0.5 * SIDE_C, stretch
    rate = math.sqrt(SIDE_K - decay**2)
    b = (speed - most * holds + decay * height) / rate
    t = run.t[run.t >= holds]
    after = t - holds
    swing = np.exp(-decay * after) * (height * np.cos(rate * after) + b * np.sin(rate * after))
    np.testing.assert_allclose(run["foot_spring"][run.t >= holds], swing, atol=1e-9)


PUSH = (Parameter("strength", 9.0, "N"), Parameter("rate", 7.0, "rad/s"), Parameter("lift", 4.0, "N"))


def shake(force, t, x, p):
    """To and fro, and up and down, so that the limit of friction changes."""
    force[0] += p[0] * math.sin(p[1] * t)
    force[1] += p[2] * math.sin(1.7 * p[1] * t)


@pytest.mark.exhaustive  # the ball in space does so by another integration
def test_a_shaken_mass_sticks_and_slips_as_another_integration_says():
    """With one coefficient the law is continuous, T = F within +-mu N, and needs no events there."""
    model = soft_mass(forces=shake, parameters=PUSH)
    run = simulate(model, initial=RESTING, final_time=4.0, **TIGHT)
    assert {e.boundaries[0] for e in run.events} == {"foot_hold", "foot_stop"}
    assert {(e.chart_before, e.chart_after) for e in run.events} == {(1, 2), (2, 1), (1, 3), (3, 1)}

    def rates(t, y):
        _, z, v, w, stretch = y
        normal, pull = -K * z - C * w, SIDE_K * stretch + SIDE_C * v
        friction = max(-0.5 * normal, min(0.5 * normal, pull))
        side, up = 9.0 * math.sin(7.0 * t), 4.0 * math.sin(1.7 * 7.0 * t)
        return [v, w, side - friction, up - G + normal, (friction - SIDE_K * stretch) / SIDE_C]

    start, settings = [0.0, -G / K, 0.0, 0.0, 0.0], {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13}
    expected = solve_ivp(rates, (0.0, 4.0), start, max_step=2e-3, **settings).y[:, -1]
    found = [run[key][-1] for key in ("x", "z", "xdot", "zdot", "foot_spring")]
    assert found == pytest.approx(expected, abs=1e-8)


def ball(**contact):
    body = Body("ball", Free("ball"), mass=1.0, inertia=(0.004, 0.004, 0.004))
    return contact_model("soft_ball", Mechanism(body), [Sphere("rim", "ball", 0.1, **{**SOFT, **contact})])


def test_a_ball_in_space_slips_along_its_spring_as_another_integration_says():
    """Thrown sideways, with a spin about an axis between: direction of the slip and of the spring turn."""
    mu, radius, inertia = 0.2, 0.1, 0.004
    thrown = {"ball_z": radius - G / K, "ball_xdot": 0.8, "ball_ydot": -0.3, "ball_wx": 6.0, "ball_wy": 10.0}
    run = simulate(ball(friction=mu), initial=thrown, final_time=0.6, **TIGHT)
    assert [e.boundaries for e in run.events][:1] == [("rim_stop",)]

    def rates(t, y):
        v, spin, stretch = y[:2], y[2:4], y[4:6]
        contact = v + radius * np.array([-spin[1], spin[0]])
        pull = SIDE_K * stretch + SIDE_C * contact
        friction = pull * min(1.0, mu * G / max(np.linalg.norm(pull), 1e-30))
        turn = radius / inertia * np.array([-friction[1], friction[0]])
        return np.concatenate([-friction, turn, (friction - SIDE_K * stretch) / SIDE_C])

    start = [0.8, -0.3, 6.0, 10.0, 0.0, 0.0]
    expected = solve_ivp(rates, (0.0, 0.6), start, rtol=1e-11, atol=1e-13, max_step=2e-3).y[:, -1]
    found = [run[key][-1] for key in ("ball_xdot", "ball_ydot", "rim_spring", "rim_lateral_spring")]
    assert found == pytest.approx(expected[[0, 1, 4, 5]], abs=1e-8)


def softened(model_contacts, n_hard):
    """Contacts with springs in place of restitution, but for the first ones."""
    return [
        each if i < n_hard else Patch(each.name, each.body, each.points, each.plane, friction=each.friction, **SOFT)
        for i, each in enumerate(model_contacts)
    ]


def soft_breaches(run, model):
    """The largest breaches of the laws of soft contacts: force that pulls, friction beyond the cone."""
    points = [name.removesuffix("_slip") for name in run.outputs.names if name.endswith("_slip")]
    points = [each for each in points if f"{each}_spring" in model.states.names]
    pull = max(-run[f"{point}_normal"].min() for point in points)
    cone = max(
        np.max(np.abs(run[f"{each}_tangential"]) - run.parameters[f"{each[:5]}_static"] * run[f"{each}_normal"])
        for each in points
    )
    return pull / WEIGHT, cone / WEIGHT


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(6))
def test_a_random_mechanism_keeps_the_laws_of_soft_and_hard_contacts(seed, monkeypatch):
    """No contact pulls, friction is in its cone, energy with that of springs never rises; `verify` agrees."""
    rng = np.random.default_rng(200 + seed)
    n_bodies = 1 + seed % 3

    def mixed(name, mechanism, contacts):
        return contact_model(name, mechanism, softened(contacts, n_hard=n_bodies // 2))

    monkeypatch.setattr("contacts.random_mechanisms.contact_model", mixed)
    model = random_model(rng, n_bodies, restitution=0.3)
    settings = {"rtol": 1e-8, "atol": 1e-10, "record": True}
    drop = {key: value for key, value in random_drop(rng, model).items() if "spring" not in key}
    run = simulate(model, initial=drop, final_time=3.0, **settings)
    assert run.status == Status.FINAL_TIME
    assert len(run.events.t) > 5
    assert max(soft_breaches(run, model)) < 1e-9
    assert np.diff(run["energy"]).max() < 1e-6 * np.abs(run["energy"]).max()
    assert verify(run, model=model).ok


def test_an_impact_of_a_hard_contact_is_felt_by_the_soft_ones():
    """A bar lands on a soft end and then on a hard one: the spring goes on, and the weight is shared at last."""
    body = Body("bar", Planar("bar", normal="y"), mass=1.0, inertia=(0.0, 1 / 12, 1 / 12))
    contacts = [
        Patch("hard", "bar", [(0.5, 0.0, 0.0)], friction=0.4),
        Patch("soft", "bar", [(-0.5, 0.0, 0.0)], friction=0.4, **SOFT),
    ]
    model = contact_model("bar_on_both", Mechanism(body), contacts)
    run = simulate(model, initial={"bar_z": 0.3, "bar_angle": -0.1}, final_time=6.0, record=True, **TIGHT)
    assert run["hard_normal"][-1] == pytest.approx(G / 2, abs=1e-3)
    assert run["soft_normal"][-1] == pytest.approx(G / 2, abs=1e-3)
    assert run["soft_gap"][-1] == pytest.approx(-G / 2 / K, abs=1e-6)
    assert np.diff(run["energy"]).max() < 1e-9
    assert verify(run, model=model).ok
    assert check_model(model).startswith("bar_on_both: fine")


def test_loops_stops_dry_friction_motors_and_soft_contacts_are_in_one_model():
    """A linkage falls on a pad and on its stop until it rests; energy, with that of the motor, never rises."""
    mechanism = linkages.chain(3)
    settings = {
        "loops": [Pin("tip", "link2", (0.0, 0.0, -1.0), to=(-1.0, 0.0, 0.0))],
        "stops": {"q0": {"lower": 0.4, "restitution": 0.3}},
        "dry_friction": {"q2": 0.3},
        "motors": {"q0": {"stiffness": 2.0}},
    }
    pad = Patch("pad", "link0", [(0.0, 0.0, -1.0)], Plane("floor", z=-0.9), friction=0.5, **SOFT)
    model = contact_model("all_in_one", mechanism, [pad], **settings)
    run = simulate(model, initial={"q0": 0.8, "q1": 0.77, "q2": 1.57}, final_time=8.0, record=True, **TIGHT)
    assert run.status == Status.FINAL_TIME
    crossed = {name for event in run.events for name in event.boundaries}
    assert {"pad_gap", "pad_stop", "q0_lower_gap", "q2_dry_stop"} <= crossed
    assert np.diff(run["energy"] + 0.5 * 2.0 * run["q0"] ** 2).max() < 1e-9
    assert run["loop_error"].max() < 1e-9
    assert verify(run, model=model).ok


@pytest.mark.exhaustive
def test_a_mirrored_robot_on_pads_has_the_mirrored_run_to_the_bit(monkeypatch):
    monkeypatch.setattr("contacts.cases.contact_model", lambda name, m, c: contact_model(name, m, softened(c, 0)))
    runs = []
    for sign in (1.0, -1.0):
        initial = {key: sign * value for key, value in STANDING.items() if key != "trunk_z"}
        initial |= {"trunk_z": STANDING["trunk_z"] + 0.1, "trunk_xdot": sign * 0.5}
        runs.append(simulate(robot(sign=sign, name="pads"), initial=initial, final_time=0.6, record=True, **TIGHT))
    assert len(runs[0].events.t) > 5
    np.testing.assert_array_equal(runs[0].t, runs[1].t)
    np.testing.assert_array_equal(runs[0]["trunk_x"], -runs[1]["trunk_x"])
    np.testing.assert_array_equal(runs[0]["left1_tangential"], -runs[1]["left1_tangential"])


DROP = {"z": 0.3, "xdot": 1.5}


@pytest.mark.exhaustive  # so does a block on hard contacts in the ordinary run
def test_a_mass_bounces_the_same_at_another_time_and_place_and_in_millimetres():
    model, final_time = soft_mass(), 1.5
    here = simulate(model, initial=DROP, final_time=final_time, **TIGHT).events.t
    assert len(here) > 8
    late = simulate(model, initial=DROP, initial_time=1e6, final_time=1e6 + final_time, **TIGHT).events.t
    np.testing.assert_allclose(late - 1e6, here, rtol=0.0, atol=1e-8)  # a spacing of t is 1e-10 s
    far = {"x": 1e4, "z": DROP["z"] + 1e4, "xdot": DROP["xdot"]}
    there = simulate(model, initial=far, parameters={"ground_z": 1e4}, final_time=final_time, **TIGHT)
    np.testing.assert_allclose(there.events.t, here, rtol=0.0, atol=1e-7)
    side = Body("side", Prismatic("x", "x"))
    body = Body("body", Prismatic("z", "z"), parent="side", mass=1.0)
    mechanism = Mechanism(side, body, gravity=(0.0, 0.0, -1e3 * G))
    small = contact_model("small", mechanism, [Patch("foot", "body", friction=0.5, **SOFT)])  # [mm], forces [mN]
    run = simulate(small, initial={key: 1e3 * value for key, value in DROP.items()}, final_time=final_time, **TIGHT)
    np.testing.assert_allclose(run.events.t, here, rtol=0.0, atol=1e-9)


@pytest.mark.exhaustive
@pytest.mark.parametrize("parameter", ["foot_stiffness", "foot_damping", "foot_tangential_damping", "foot_kinetic"])
def test_derivatives_go_through_touching_slipping_and_leaving(parameter):
    model = soft_mass(friction={"static": 0.5, "kinetic": 0.4})
    settings = {"initial": DROP, "final_time": 1.5, "record": True, **TIGHT}
    run = simulate(model, **settings)
    found = sensitivity(run, parameter, model=model)
    step = 1e-6 * run.parameters[parameter]
    both = [run.parameters[parameter] + each for each in (step, -step)]
    ends = [simulate(model, parameters={parameter: each}, **settings) for each in both]
    for state in ("x", "z", "foot_spring"):
        difference = (ends[0][state][-1] - ends[1][state][-1]) / (2 * step)
        assert found[state, parameter][-1] == pytest.approx(difference, rel=2e-5, abs=1e-9)


@pytest.mark.exhaustive  # derivatives of springs are compiled for long; `test_models` has some of hard contacts
def test_the_orbit_of_a_mass_on_a_spring_has_the_period_of_the_closed_form():
    """Without damping every height has an orbit: a flight, 2 v / g, and a part of a swing on the spring."""
    model, height = point_mass("pogo_stick", stiffness=K), 0.3
    orbit = find_orbit(model, section="foot_gap", initial={"z": height}, fixed={"energy": G * height})
    speed, rate = math.sqrt(2.0 * G * height), math.sqrt(K)
    stay = 2.0 / rate * (math.pi - math.atan(speed * rate / G))
    assert orbit.period == pytest.approx(2.0 * speed / G + stay, abs=1e-10)


@pytest.mark.exhaustive
def test_a_quadruped_trots_on_pads_about_as_far_as_on_hard_feet():
    """It begins with its feet on the ground to rounding, where some rise and others sink."""
    hard = runpy.run_path(str(ROOT / "configs/multibody/quadruped.py"))
    soft = {"stiffness": 2e4, "damping": 100.0, "tangential": {"stiffness": 2e4, "damping": 100.0}, "friction": 1.0}
    feet = [Disk(foot.name, foot.body, foot.radius, foot.centre, **soft) for foot in hard["FEET"]]
    driven = {"forces": hard["motors"], "parameters": hard["PARAMETERS"]}
    initial = {**hard["POSTURE"], "base_z": hard["HEIGHT"]}
    model = contact_model("soft_quadruped", hard["ROBOT"], feet, initial=initial, **driven)
    runs = [simulate(each, final_time=4.0, rtol=1e-6, atol=1e-8, record=True) for each in (hard["MODEL"], model)]
    assert runs[1]["base_x"][-1] == pytest.approx(runs[0]["base_x"][-1], rel=0.1)
    steady = runs[1].t > 1.2  # three strides, and a whole number of them is left
    load = sum(runs[1][f"{foot.name}_normal"][steady] for foot in feet)
    weight = G * sum(body.mass for body in hard["ROBOT"].bodies)
    assert np.trapezoid(load, runs[1].t[steady]) / np.ptp(runs[1].t[steady]) == pytest.approx(weight, rel=0.03)
    assert verify(runs[1], model=model).ok


RATIO = 0.3
"""Damping as a fraction of the critical one."""


def restitution_of(ratio):
    """Speed after / before of a mass on a spring and a damper that do not pull, without weight (closed form)."""
    wide = math.sqrt(1.0 - ratio**2)
    stay = math.pi - math.atan2(2.0 * ratio * wide, 1.0 - 2.0 * ratio**2)
    return math.exp(-ratio / wide * stay)


@pytest.mark.exhaustive  # slow; springs have other closed forms
def test_a_stiff_contact_tends_to_a_hard_one():
    """Instants of the third impact, the slip of a falling rod and the stop of a mass come nearer with the stiffness."""
    errors = []
    for stiffness in (1e4, 1e6, 1e8):
        damping = 2.0 * RATIO * math.sqrt(stiffness)
        model = point_mass("stiff", stiffness=stiffness, damping=damping)
        run = simulate(model, initial={"z": 0.3}, final_time=0.9, **TIGHT)
        touches = [e.t for e in run.events if e.chart_before == 0]
        e = restitution_of(RATIO)
        third = math.sqrt(0.6 / G) * (1.0 + 2.0 * e + 2.0 * e**2)
        errors.append(abs(touches[2] - third))
    assert errors[0] < 0.1
    assert errors[2] < 0.02 * errors[0]


def test_no_friction_of_a_pad_needs_no_friction_of_its_own():
    """A soft contact may have none, or one that a parameter sets to 0: both slip freely, and energy is kept."""
    settings = {"initial": {"z": 0.3, "xdot": 1.0}, "final_time": 1.0, "record": True, **TIGHT}
    without = simulate(point_mass("smooth", stiffness=K), **settings)
    with_one = simulate(soft_mass(friction=0.5), parameters={"foot_static": 0.0, "foot_kinetic": 0.0}, **settings)
    for run in (without, with_one):
        assert run["xdot"][-1] == pytest.approx(1.0, abs=1e-12)
    assert np.ptp(without["energy"]) < 1e-8
    assert without["foot_slip"].max() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.exhaustive  # slow: the contract in many charts; runs with soft contacts are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("kind", ["plane", "space"])
def test_a_soft_model_keeps_the_contract(kind):
    model = soft_mass() if kind == "plane" else ball(friction=0.3)
    assert ": fine" in check_model(model)


def test_what_is_wrong_with_a_soft_contact_is_named():
    def refused(match, **keywords):
        with pytest.raises(ModelError, match=match):
            Patch("pad", "toe", **keywords)

    refused("pad': damping is that of a soft one; give its stiffness, too", damping=1.0)
    refused("friction of a soft contact needs tangential", stiffness=1e4, friction=0.5)
    refused("damping instead of restitution", stiffness=1e4, restitution=0.5)
    refused("stiffness must be greater than 0, not -1", stiffness=-1.0)
    refused("tangential: damping must be greater than 0", stiffness=1.0, tangential={"stiffness": 1.0, "damping": 0})
    refused("expected a mapping of stiffness and damping", stiffness=1.0, tangential={"stiffness": 1.0})
    with pytest.raises(ModelError, match="soft contacts and stops are those of a mechanism"):
        contact_model("m", Equations(("q",), shake), [Rows("c", stiffness=1.0)])
