"""Round on round in the plane: cylinders that roll off one another, in drums and between them; and a cradle."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT
from scipy.integrate import quad
from scipy.special import ellipk

from hybridsim import ConfigError, ModelError, Simulation, load_config, simulate, verify
from hybridsim.contacts import Circle, Disk, Patch, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic, Revolute

G = 9.81
LOG, R, BIG = 0.5, 0.1, 0.4
"""Factor of a solid cylinder's inertia; radii of the one that rolls and of the one below."""


def cylinder(name="log", radius=R, mass=1.0, joint=None):
    across = LOG * mass * radius**2
    return Body(name, joint or Planar(name, normal="y"), mass=mass, inertia=(across / 2, across, across / 2))


def on_circle(friction, circle=None, **contact):
    circle = circle or Circle("drum", radius=BIG)
    return contact_model(
        "log", Mechanism(cylinder()), [Disk("rim", "log", R, plane=circle, friction=friction, **contact)]
    )


def beside(angle, distance=BIG + R):
    return {"log_x": distance * math.sin(angle), "log_z": distance * math.cos(angle)}


@pytest.mark.exhaustive  # a cylinder leaves another one at the known height
def test_a_cylinder_rolls_off_another_one_slips_and_leaves_where_it_is_known_to():
    """Rolling from rest at a, N = m g (7 cos - 4 cos a) / 3 and T = m g sin / 3; so it slips before cos = 4/7 cos a."""
    start, mu = 0.1, 0.5
    run = simulate(on_circle(mu), initial=beside(start), final_time=2.0, record=True, **TIGHT)
    assert [each.boundaries for each in run.events][:2] == [("rim_hold_forward",), ("rim_force",)]
    slips, leaves = (math.atan2(each.x_before[0], each.x_before[1]) for each in run.events[:2])
    assert mu * (7.0 * math.cos(slips) - 4.0 * math.cos(start)) == pytest.approx(math.sin(slips), abs=1e-9)
    assert 4.0 / 7.0 < math.cos(leaves) / math.cos(start) < 2.0 / 3.0  # slipping, it is faster than a log that rolls
    assert np.abs(run["rim_gap"][run["rim_normal"] > 0.0]).max() < 1e-11
    distance, rise = BIG + R, math.cos(start)

    def slowness(angle):
        return 1.0 / math.sqrt(4.0 / 3.0 * G * (rise - math.cos(angle)) / distance)

    time = quad(lambda root: slowness(start + root**2) * 2.0 * root, 1e-9, math.sqrt(slips - start), epsabs=1e-12)[0]
    assert run.events[0].t == pytest.approx(time, abs=1e-8)
    assert verify(run, model=on_circle(mu)).ok


@pytest.mark.members(1)
@pytest.mark.parametrize(("friction", "cosine"), [(0.0, 2.0 / 3.0), (1e4, 4.0 / 7.0)])
def test_a_cylinder_leaves_another_one_at_the_known_height(friction, cosine):
    """At 2/3 of its first height where it slides, at 4/7 where it rolls, with so much friction."""
    run = simulate(on_circle(friction), initial=beside(0.1), final_time=2.0, **TIGHT)
    (leaves,) = (each for each in run.events if "rim_force" in each.boundaries)
    assert leaves.x_before[1] / (BIG + R) == pytest.approx(
        cosine * math.cos(0.1), abs=1e-9 if friction == 0.0 else 2e-6
    )


def test_a_cylinder_rolls_in_a_drum_as_a_pendulum():
    drum, angle, length = Circle("drum", x=0.3, z=1.0, radius=BIG, hollow=True), 1.2, BIG - R
    period = 4.0 * math.sqrt(length * (1.0 + LOG) / G) * ellipk(math.sin(angle / 2.0) ** 2)
    start = {"log_x": 0.3 - length * math.sin(angle), "log_z": 1.0 - length * math.cos(angle)}
    run = simulate(on_circle(3.0, drum), initial=start, final_time=period / 2.0, record=True, **TIGHT)
    assert run["log_x"][-1] == pytest.approx(0.3 + length * math.sin(angle), abs=1e-9)
    assert np.ptp(run["energy"]) < 1e-9
    assert verify(run, model=on_circle(3.0, drum)).ok


@pytest.mark.exhaustive  # the cylinder that rolls off another one slips, too
def test_a_wheel_that_is_pressed_on_another_one_slips_until_both_roll():
    """With N and mu, I1 w1' = -mu N r1 and I2 w2' = -mu N r2 until r1 w1 + r2 w2 = 0 (both turn about fixed axes)."""
    radii, press, mu = (0.1, 0.25), 20.0, 0.3
    slide = Body("slide", Prismatic("slide", "z"), mass=0.5, inertia=(0.1, 0.1, 0.1))
    upper = cylinder("upper", radii[0], 1.0, Revolute("upper", "y"))
    upper = Body("upper", Revolute("upper", "y"), "slide", mass=1.0, inertia=upper.inertia)
    lower = cylinder("lower", radii[1], 2.0, Revolute("lower", "y"))
    rim = Disk("rim", "upper", radii[0], plane=Circle("wheel", radius=radii[1]), on="lower", friction=mu)
    model = contact_model("gears", Mechanism(slide, upper, lower, gravity=(0.0, 0.0, -press / 1.5)), [rim])
    inertias = LOG * 1.0 * radii[0] ** 2, LOG * 2.0 * radii[1] ** 2
    begin, torque = 30.0, mu * press
    run = simulate(model, initial={"slide": sum(radii), "upperdot": begin}, final_time=1.0, record=True, **TIGHT)
    rolls = radii[0] * begin / (torque * sum(r * r / i for r, i in zip(radii, inertias, strict=True)))
    assert run.events.t == pytest.approx([rolls], abs=1e-10)
    last = begin - torque * radii[0] / inertias[0] * rolls
    assert [run["upperdot"][-1], run["lowerdot"][-1]] == pytest.approx([last, -last * radii[0] / radii[1]], abs=1e-9)


@pytest.mark.exhaustive  # the cylinder in a drum keeps its energy
def test_two_free_cylinders_that_roll_on_each_other_keep_their_momenta_and_their_energy():
    """Without gravity, pressed by a spring between their axes: no stabilisation, so that drifts alone keep them."""
    first, second = cylinder("a", 0.1, 1.0), cylinder("b", 0.25, 2.0)
    rim = Disk("rim", "a", 0.1, plane=Circle("wheel", radius=0.25), on="b", friction=5.0)

    def attract(force, t, x, p):
        dx, dz = x[3] - x[0], x[4] - x[1]
        force[0] += 50.0 * dx
        force[1] += 50.0 * dz
        force[3] -= 50.0 * dx
        force[4] -= 50.0 * dz

    model = contact_model("pair", Mechanism(first, second, gravity=(0.0, 0.0, 0.0)), [rim], forces=attract)
    start = {"a_z": 0.35, "a_xdot": 1.0, "a_angledot": 4.0, "b_angledot": -1.0, "b_xdot": 0.2}
    slip = 1.0 - 0.1 * 4.0 - (0.2 + 0.25 * -1.0)
    start["a_xdot"] -= slip  # it rolls
    run = simulate(model, initial=start, final_time=2.0, parameters={"stabilise": 0.0}, record=True, **TIGHT)
    assert len(run.events.t) == 0
    assert np.abs(run["rim_gap"]).max() < 1e-9
    assert np.ptp(run["kinetic"]) < 1e-8
    spin = run["a_z"] * run["a_xdot"] - run["a_x"] * run["a_zdot"] + 0.005 * run["a_angledot"]
    spin += 2.0 * (run["b_z"] * run["b_xdot"] - run["b_x"] * run["b_zdot"]) + 0.0625 * run["b_angledot"]
    assert np.ptp(spin) < 1e-8
    assert np.ptp(run["a_xdot"] + 2.0 * run["b_xdot"]) < 1e-9


@pytest.mark.exhaustive  # `test_joints` has such a cradle of balls
@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("impacts", "speeds"), [("in_turn", (0.0, 0.0, 1.0)), ("together", (-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0))]
)
def test_a_cradle_of_disks_swings_as_newtons_or_as_moreaus(impacts, speeds):
    """Three disks in a row that touch, but for the first: it flies to them, and they collide without loss."""
    disks = [cylinder(name, R, 1.0, Prismatic(name, "x")) for name in "abc"]
    rims = [
        Disk(f"r{one}", one, R, plane=Circle(f"{two}_rim", radius=R), on=two, restitution=1.0)
        for one, two in (("a", "b"), ("b", "c"))
    ]
    model = contact_model("cradle", Mechanism(*disks), rims, impacts=impacts)
    start = {"a": -4.0 * R - 0.5, "b": -2.0 * R, "adot": 1.0}
    run = simulate(model, initial=start, final_time=0.6, **TIGHT)
    assert run.events.t[0] == pytest.approx(0.5, abs=1e-12)
    assert [run[f"{name}dot"][-1] for name in "abc"] == pytest.approx(speeds, abs=1e-12)


@pytest.mark.exhaustive
def test_a_soft_disk_bounces_on_a_circle_without_loss():
    model = on_circle(0.0, stiffness=3e3)
    run = simulate(model, initial={"log_x": 0.05, "log_z": 0.6}, final_time=1.0, record=True, **TIGHT)
    assert len(run.events.t) >= 2
    assert run["rim_gap"].min() < -0.01
    assert np.ptp(run["energy"]) < 1e-8


CONFIG = """
model:
  mechanism: log.py:LOG
  contacts: {rim: {body: log, radius: 0.1, friction: 0.5, plane: drum}}
  planes: {drum: {radius: 0.4, z: -0.2, HOLLOW}}
initial: {log_z: touching, log_x: 0.03}
final_time: 0.01
"""
MODULE = """
from hybridsim.multibody import Body, Mechanism, Planar
LOG = Mechanism(Body("log", Planar("log", normal="y"), mass=1.0, inertia=(0.0025, 0.005, 0.0025)))
"""


def config_of(folder, text):
    (folder / "log.py").write_text(MODULE)
    (folder / "log.yaml").write_text(text)
    return load_config(folder / "log.yaml")


@pytest.mark.members(1)
@pytest.mark.parametrize(("hollow", "side"), [("hollow: false", 1.0), ("hollow: true", -1.0)])
def test_a_config_has_circles_that_are_touched_at_the_known_height(tmp_path, hollow, side):
    run = Simulation.from_config(config_of(tmp_path, CONFIG.replace("HOLLOW", hollow))).run()
    assert run["log_z"][0] == pytest.approx(-0.2 + side * math.sqrt((0.4 + side * 0.1) ** 2 - 0.03**2), abs=1e-12)
    assert run["rim_normal"][0] > 0.0


def test_what_is_wrong_with_a_circle_is_said(tmp_path):
    with pytest.raises(ConfigError, match=r"model.planes.drum.holow: .*did you mean .hollow"):
        config_of(tmp_path, CONFIG.replace("HOLLOW", "holow: true"))
    with pytest.raises(ConfigError, match="hollow is true or false, not 3"):
        config_of(tmp_path, CONFIG.replace("HOLLOW", "hollow: 3"))
    with pytest.raises(ModelError, match="radius must be greater than 0"):
        Circle("drum")
    with pytest.raises(ModelError, match="leave out slope and heading"):
        Circle("drum", radius=1.0, slope=0.1)
    flat = Mechanism(cylinder())
    with pytest.raises(ModelError, match="on a terrain or circle, a contact has one point"):
        contact_model("m", flat, [Patch("p", "log", [(0, 0, 0), (1, 0, 0)], plane=Circle(radius=1.0))])
    free = Body("log", Free("log"), mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match="circles are those of mechanisms in the x-z plane"):
        contact_model("m", Mechanism(free), [Disk("rim", "log", 0.1, plane=Circle(radius=1.0))])
