"""Soft stops of joints, and soft contacts on terrain: closed forms, energy, and hard ones as their limit."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT, point_mass
from scipy.optimize import brentq
from scipy.special import ellipk

from hybridsim import ConfigError, ModelError, Simulation, load_config, simulate, verify
from hybridsim.contacts import Disk, HeightMap, Patch, Plane, Sphere, Stop, Terrain, Waves, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic, Revolute
from hybridsim.testing import check_model

G, K, C, SPEED = 9.81, 500.0, 5.0, 2.0


def slider(unit=1.0, **stop):
    """A mass of 1 kg that slides along x, without gravity; lengths are in this unit [m]."""
    body = Body("block", Prismatic("x", "x"), mass=1.0, inertia=(0.1, 0.1, 0.1))
    return contact_model("slider", Mechanism(body, gravity=(0, 0, 0)), stops={"x": {"lower": -0.1 / unit, **stop}})


@pytest.mark.members(1)
@pytest.mark.parametrize(("begin", "unit"), [(0.0, 1.0), (1e6, 1.0), (0.0, 1e-3)])
def test_a_mass_meets_a_soft_stop_and_leaves_it_where_it_would_pull(begin, unit):
    """x'' = -k x - c x' from x = 0 at the speed -v, until k x + c x' = 0: it leaves there, and then is clear."""
    model = slider(unit, upper=0.2 / unit, stiffness=K, damping=C)
    start = {"x": 0.0, "xdot": -SPEED / unit}
    run = simulate(model, initial=start, initial_time=begin, final_time=begin + 0.3, record=True, **TIGHT)
    decay, rate = C / 2.0, math.sqrt(K - C**2 / 4.0)

    def depth(t):
        return SPEED / rate * math.exp(-decay * t) * math.sin(rate * t)

    def speed(t):
        return SPEED / rate * math.exp(-decay * t) * (rate * math.cos(rate * t) - decay * math.sin(rate * t))

    touches = 0.1 / SPEED
    lasts = brentq(lambda t: K * depth(t) + C * speed(t), 0.5 * math.pi / rate, math.pi / rate, xtol=1e-15)
    clear = lasts - depth(lasts) / speed(lasts)
    expected = [touches, touches + lasts, touches + clear, touches + clear - 0.3 / speed(lasts)]
    assert [each.boundaries for each in run.events][:4] == [
        ("x_lower_gap",),
        ("x_lower_force",),
        ("x_lower_clear",),
        ("x_upper_gap",),
    ][: len(run.events)]
    assert len(run.events) >= 3
    np.testing.assert_allclose(run.events.t - begin, expected[: len(run.events)], atol=1e-9 if begin else 1e-10)
    assert run["x_lower_force"].min() > -1e-9 / unit
    assert run["xdot"][-1] == pytest.approx(-speed(lasts) / unit, rel=1e-8) or len(run.events) > 3
    assert verify(run, model=model).ok


@pytest.mark.exhaustive  # the bowl keeps the energy, and the mass meets its stop
def test_a_pendulum_swings_between_stops_without_damping_and_keeps_its_energy():
    arm = Body("arm", Revolute("hip", "y"), mass=1.0, centre=(0.0, 0.0, -0.5), inertia=(0.1, 0.1, 0.1))
    model = contact_model("arm", Mechanism(arm), stops={"hip": Stop(lower=-0.3, upper=0.4, stiffness=200.0)})
    run = simulate(model, initial={"hipdot": 3.0}, final_time=3.0, record=True, **TIGHT)
    assert {each for event in run.events for each in event.boundaries} >= {"hip_lower_gap", "hip_upper_gap"}
    assert run["hip"].max() > 0.45
    assert np.ptp(run["energy"]) < 1e-8
    assert model.parameters.names.count("hip_stop_stiffness") == 1
    assert verify(run, model=model).ok


@pytest.mark.exhaustive
def test_a_stiff_stop_tends_to_a_hard_one():
    """Its damping such that it leaves with 0.4 of its speed: ln of it is -2 z / sqrt(1 - z^2) acos(z), z the ratio."""
    ratio = brentq(lambda z: 2.0 * z / math.sqrt(1.0 - z * z) * math.acos(z) + math.log(0.4), 0.01, 0.9)
    start, ends = {"x": 0.0, "xdot": -SPEED}, []
    for stiffness in (1e6, 1e8):
        model = slider(stiffness=stiffness, damping=2.0 * ratio * math.sqrt(stiffness))
        ends.append(simulate(model, initial=start, final_time=0.2, **TIGHT))
    hard = simulate(slider(restitution=0.4), initial=start, final_time=0.2, **TIGHT)
    assert hard["xdot"][-1] == pytest.approx(0.4 * SPEED, rel=1e-12)
    for run in ends:
        assert run["xdot"][-1] == pytest.approx(0.4 * SPEED, rel=1e-8)
    assert abs(ends[1]["x"][-1] - hard["x"][-1]) < 0.2 * abs(ends[0]["x"][-1] - hard["x"][-1]) < 1e-2


@pytest.mark.exhaustive  # `test_soft` has them in one model with loops and motors
def test_hard_and_soft_stops_and_pads_are_in_one_model():
    """A mass on a pad slides to a soft stop at one side and a hard one at the other."""
    sides = Body("side", Prismatic("x", "x"))
    body = Body("body", Prismatic("z", "z"), parent="side", mass=1.0)
    stops = {"x": {"upper": 0.2, "stiffness": 300.0, "damping": 2.0}, "z": {"upper": 0.1}}
    foot = Patch("foot", "body", stiffness=2e3, damping=10.0)
    model = contact_model("both", Mechanism(sides, body), [foot], stops=stops)
    run = simulate(model, initial={"z": 0.0, "xdot": 1.0, "zdot": 2.0}, final_time=1.0, record=True, **TIGHT)
    crossed = {name for event in run.events for name in event.boundaries}
    assert {"x_upper_gap", "x_upper_force", "z_upper_gap", "foot_gap", "foot_force"} <= crossed
    assert np.diff(run["energy"]).max() < 1e-9
    assert verify(run, model=model).ok
    assert ": fine" in check_model(model)


def test_what_is_wrong_with_a_soft_stop_is_said(tmp_path):
    for match, keys in (
        ("damping is that of a soft one; give its stiffness", {"damping": 1.0}),
        ("damping instead of restitution", {"stiffness": 1.0, "restitution": 0.5}),
        ("stiffness must be greater than 0", {"stiffness": 0.0}),
        ("damping must not be less than 0", {"stiffness": 1.0, "damping": -1.0}),
    ):
        with pytest.raises(ModelError, match=match):
            Stop(lower=0.0, **keys)
    (tmp_path / "m.py").write_text(
        "from hybridsim.multibody import Body, Mechanism, Revolute\n"
        "M = Mechanism(Body('arm', Revolute('knee', 'y'), mass=1.0, centre=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1)))\n"
    )
    text = "model:\n  mechanism: m.py:M\n  stops: {knee: {lower: 0, stiffness: 500, KEY: 5}}\n"
    text += "initial: {knee: 0.5}\nfinal_time: 1\n"
    (tmp_path / "m.yaml").write_text(text.replace("KEY", "damping"))
    run = Simulation.from_config(load_config(tmp_path / "m.yaml")).run()
    assert run["knee"].min() < -1e-3
    assert run["knee_lower_force"].max() > 1.0
    (tmp_path / "m.yaml").write_text(text.replace("KEY", "dampin"))
    with pytest.raises(ConfigError, match=r"m.yaml:3:\d+: model.stops.knee.dampin: .*did you mean .damping"):
        load_config(tmp_path / "m.yaml")


def bowl(h, x, y, p):
    """The lower part of a sphere of radius 2 m."""
    z = math.sqrt(4.0 - x * x - y * y)
    h[0], h[1], h[2] = 2.0 - z, x / z, y / z
    h[3], h[4], h[5] = 1.0 / z + x * x / z**3, x * y / z**3, 1.0 / z + y * y / z**3


@pytest.mark.exhaustive  # the mass in a bowl below is compared with Newton's equations
@pytest.mark.parametrize("kind", ["point", pytest.param("ball", marks=pytest.mark.exhaustive)])
def test_what_bounces_on_a_soft_bowl_without_loss_keeps_its_energy(kind):
    """The depth is that to the nearest point of the ground, whose gradient is the normal: no energy from the slope."""
    ground, start = Terrain(shape=bowl), {"z": 0.9, "x": 0.3}
    model = point_mass("soft", plane=ground, stiffness=400.0)
    if kind == "ball":
        body = Body("ball", Free("ball"), mass=1.0, inertia=(0.1, 0.1, 0.1))
        model = contact_model("soft", Mechanism(body), [Sphere("foot", "ball", 0.3, plane=ground, stiffness=400.0)])
        start = {"ball_z": 1.2, "ball_x": 0.3, "ball_y": 0.1}
    run = simulate(model, initial=start, final_time=2.0, record=True, **TIGHT)
    assert run["foot_gap"].min() < -0.1
    assert len(run.events.t) >= 4
    assert np.ptp(run["energy"]) < 1e-8
    assert verify(run, model=model).ok


def test_a_soft_mass_in_a_bowl_is_as_deep_as_the_distance_to_the_sphere_says():
    """Without friction it swings along a sphere of its own: gap = r - 2, T - R sin^2 ... from Newton's equations."""
    model = point_mass("soft", plane=Terrain(shape=bowl), stiffness=400.0)
    run = simulate(model, initial={"z": 0.02, "x": 0.8, "zdot": -1.0}, final_time=1.0, record=True, **TIGHT)
    distance = 2.0 - np.hypot(run["x"], 2.0 - run["z"])
    below = distance < 0.0
    assert below.sum() > 20
    np.testing.assert_allclose(run["foot_gap"][below], distance[below], atol=1e-12)
    np.testing.assert_allclose(run["foot_normal"][below], -400.0 * distance[below], atol=1e-9)


PAD = {"stiffness": 1e4, "damping": 200.0, "tangential": {"stiffness": 1e4, "damping": 200.0}}
SOFT = {"stiffness": 1e6, "damping": 500.0, "tangential": {"stiffness": 1e6, "damping": 500.0}}


@pytest.mark.exhaustive
def test_a_stiff_disk_rolls_in_a_valley_as_the_hard_one_does():
    body = Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=(0.05, 0.1, 0.05))
    rim = Disk("rim", "wheel", 0.5, plane=Terrain(shape=bowl), friction=2.0, **SOFT)
    angle, length = 0.6, 1.5
    period = 4.0 * math.sqrt(length * (1.0 + 0.1 / 0.25) / G) * ellipk(math.sin(angle / 2.0) ** 2)
    start = {"wheel_x": -length * math.sin(angle), "wheel_z": 2.0 - length * math.cos(angle)}
    model = contact_model("wheel", Mechanism(body), [rim])
    run = simulate(model, initial=start, final_time=period / 2.0, rtol=1e-8, atol=1e-10)
    assert run["wheel_x"][-1] == pytest.approx(-start["wheel_x"], abs=2e-4)  # m g / k is 1e-5 m


@pytest.mark.exhaustive
def test_a_soft_sole_on_a_flat_map_is_one_on_a_plane():
    body = Body("box", Planar("box", normal="y"), mass=1.0, inertia=(0.05, 0.1, 0.05))
    soft = {"stiffness": 2e3, "damping": 20.0, "tangential": {"stiffness": 1e3, "damping": 10.0}, "friction": 0.5}
    runs = []
    for ground in (HeightMap(heights=[[0.0, 0.0], [0.0, 0.0]], slope=0.1), Plane(slope=0.1)):
        sole = Patch("sole", "box", [(-0.1, 0, -0.2), (0.1, 0, -0.2)], plane=ground, **soft)
        model = contact_model("box", Mechanism(body), [sole])
        runs.append(simulate(model, initial={"box_z": 0.4, "box_xdot": 0.5}, final_time=1.0, **TIGHT))
    assert len(runs[0].events.t) == len(runs[1].events.t) > 3
    for name in ("box_x", "box_z", "box_angle", "sole0_spring", "sole1_normal"):
        assert runs[0][name][-1] == pytest.approx(runs[1][name][-1], abs=1e-8)


@pytest.mark.exhaustive
def test_a_soft_point_says_where_the_ground_is_too_tight():
    body = Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=(0.05, 0.1, 0.05))
    rim = Disk("rim", "wheel", 0.5, plane=Waves(height=0.1, wave_x=5.0), friction=1.0, **PAD)
    start = {"wheel_x": 0.25, "wheel_z": 0.6, "wheel_xdot": 1.0}
    run = simulate(contact_model("wheel", Mechanism(body), [rim]), initial=start, final_time=2.0)
    assert "the ground is curved more tightly than the radius of contact rim" in str(run.message)
