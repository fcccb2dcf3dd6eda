"""Wheels in space, which lean: steady circles, wobbles, slips, terrain, planes that move; and what is refused."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

from hybridsim import ConfigError, ModelError, Status, simulate, verify
from hybridsim.contacts import Disk, HeightMap, Plane, Sphere, Terrain, Waves, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic, Revolute
from hybridsim.testing import check_model

G, RADIUS, ACROSS, ALONG = 9.81, 0.3, 0.0225, 0.045
"""A uniform disk of 1 kg: moments of inertia about its diameter and about its axis."""

COIN = Body("coin", Free("coin"), mass=1.0, inertia=(ACROSS, ALONG, ACROSS))


def coin(plane=None, tyre=0.0, others=(), on="world", **contact):
    rim = Disk("rim", "coin", RADIUS, plane=plane or Plane(), on=on, tyre=tyre, **{"friction": 5.0, **contact})
    return contact_model("coin", Mechanism(*others, COIN), [rim], initial={"coin_z": RADIUS})


def leaning(lean, rate, spin, tyre=0.0, centre=0.0):
    """A coin that leans to the centre of its circle, at x = centre, turns about z, and spins; it is ahead along y."""
    sine, cosine, rim = math.sin(lean), math.cos(lean), RADIUS - tyre
    up, axis, ahead = np.array([-sine, 0.0, cosine]), -np.array([cosine, 0.0, sine]), np.array([0.0, 1.0, 0.0])
    frame = np.stack([np.cross(axis, up), axis, up], axis=1)
    turn = np.array([0.0, 0.0, rate]) + spin * axis
    low = -rim * up - np.array([0.0, 0.0, tyre])
    x, y, z, w = Rotation.from_matrix(frame).as_quat()
    start = {"coin_x": centre, "coin_z": rim * cosine + tyre, "coin_qw": w, "coin_qx": x, "coin_qy": y, "coin_qz": z}
    start |= {f"coin_{axis}dot": each for axis, each in zip("xyz", -np.cross(turn, low), strict=True)}
    start |= {f"coin_w{axis}": each for axis, each in zip("xyz", frame.T @ turn, strict=True)}
    assert abs(-np.cross(turn, low) @ ahead) == pytest.approx(np.linalg.norm(np.cross(turn, low)), rel=1e-12)
    return start


def end_of(run):
    """The last coordinates and speeds, of a wheel that touches."""
    names = list(run.states.names)
    assert run["rim_gap"][-1] < 1e-9
    return {name: run[name][-1] for name in names[: names.index("cause")]}


@pytest.mark.exhaustive  # other wheels roll without slip in the ordinary run
@pytest.mark.parametrize("tyre", [0.0, pytest.param(0.05, marks=pytest.mark.exhaustive)])
def test_a_coin_that_leans_rolls_on_a_circle_as_it_is_known_to(tyre):
    """Steady motion (Routh 1905): rates of angular momentum about its centre, with forces of the circular motion.

    With w the whole spin about its axis and v the speed of the centre,
    rim (m g sin - m v W cos) - tyre m v W = (A W sin + C w) W cos; v = rim w + tyre (w + W sin) cos.
    """
    lean, rate, rim = 0.3, 2.0, RADIUS - tyre
    s, c = math.sin(lean), math.cos(lean)
    # linear in w
    by_w = ALONG * rate * c + (rim * c + tyre) * rate * (rim + tyre * c)
    rest = rim * G * s - ACROSS * rate**2 * s * c - (rim * c + tyre) * rate * tyre * rate * s * c
    w = rest / by_w
    speed = rim * w + tyre * (w + rate * s) * c
    start = leaning(lean, rate, w + rate * s, tyre, speed / rate)
    assert start["coin_ydot"] == pytest.approx(speed, rel=1e-12)
    run = simulate(coin(tyre=tyre), initial=start, final_time=2.0 * math.pi / rate, record=True, **TIGHT)
    assert len(run.events.t) == 0
    np.testing.assert_allclose(np.hypot(run["coin_x"], run["coin_y"]), speed / rate, atol=1e-9)
    np.testing.assert_allclose(run["coin_z"], rim * c + tyre, atol=1e-9)
    np.testing.assert_allclose([run["coin_x"][-1], run["coin_y"][-1]], [speed / rate, 0.0], atol=1e-9)
    across = np.hypot(run["rim_tangential"], run["rim_lateral"])
    np.testing.assert_allclose(across, speed * rate, atol=1e-8)  # the force to the centre
    np.testing.assert_allclose(run["rim_normal"], G, atol=1e-8)
    assert verify(run, model=coin(tyre=tyre)).ok  # also where accelerations of some 1e-9 cancel to 1e-13


@pytest.mark.exhaustive  # the coin on a circle has a closed form, too
def test_a_coin_that_rolls_fast_enough_wobbles_with_the_known_frequency_and_falls_otherwise():
    """About upright rolling, (A + m r^2) lean'' + (C (C + m r^2) w^2 / A - m g r) lean is constant: v^2 > g r / 3."""
    heavy, lean = ALONG + RADIUS**2, 1e-5
    spin = 8.0
    stiffness = (ALONG * heavy * spin**2 / ACROSS - G * RADIUS) / (ACROSS + RADIUS**2)
    assert (stiffness > 0.0) == ((spin * RADIUS) ** 2 > G * RADIUS / 3.0)
    mean = lean * ALONG * heavy * spin**2 / ACROSS / (stiffness * (ACROSS + RADIUS**2))
    run = simulate(coin(), initial=leaning(lean, 0.0, spin), final_time=2.0, record=True, rtol=1e-11, atol=1e-14)
    found = -2.0 * (run["coin_qy"] * run["coin_qz"] + run["coin_qw"] * run["coin_qx"])  # what the axis falls
    expected = mean + (lean - mean) * np.cos(math.sqrt(stiffness) * run.t)
    np.testing.assert_allclose(found, expected, atol=2e-10)
    assert verify(run, model=coin()).ok
    slow = simulate(coin(), initial=leaning(lean, 0.0, 0.5), final_time=3.0, rtol=1e-8)
    assert slow["coin_z"].min() < 0.9 * RADIUS


@pytest.mark.parametrize(
    ("plane", "tyre"),
    [
        (Waves(height=0.05, wave_x=2.0, wave_y=1.5), 0.05),
        pytest.param(Plane(slope=0.2, heading=0.5), 0.0, marks=pytest.mark.exhaustive),
    ],
)
def test_a_wheel_that_rolls_on_the_ground_neither_slips_nor_sinks_nor_loses_energy(plane, tyre):
    """Without stabilisation: the drift of its rows alone keeps the gap, and what touches at rest."""
    start = leaning(0.25, 1.0, 9.0, tyre) | {"coin_z": 1.0}
    model = coin(plane, tyre)
    drop = simulate(model, initial=start, final_time=0.8, record=True, **TIGHT)
    run = simulate(model, initial=end_of(drop), final_time=1.0, parameters={"stabilise": 0.0}, record=True, **TIGHT)
    assert run.status == Status.FINAL_TIME
    assert len(run.events.t) == 0
    assert np.abs(run["rim_gap"]).max() < 1e-9
    assert np.ptp(run["energy"]) < 1e-8
    assert verify(run, model=model).ok


def bowl(h, x, y, p):
    """The lower part of a sphere of radius 2 m."""
    z = math.sqrt(4.0 - x * x - y * y)
    h[0], h[1], h[2] = 2.0 - z, x / z, y / z
    h[3], h[4], h[5] = 1.0 / z + x * x / z**3, x * y / z**3, 1.0 / z + y * y / z**3


@pytest.mark.exhaustive  # `test_terrain` has the ball
def test_an_upright_wheel_rolls_in_a_bowl_as_a_pendulum():
    angle, length = 0.6, 2.0 - RADIUS
    period = 4.0 * math.sqrt(length * (1.0 + ALONG / RADIUS**2) / G) * ellipk(math.sin(angle / 2.0) ** 2)
    start = {"coin_x": -length * math.sin(angle), "coin_z": 2.0 - length * math.cos(angle)}
    run = simulate(coin(Terrain(shape=bowl)), initial=start, final_time=period / 2.0, **TIGHT)
    assert run["coin_x"][-1] == pytest.approx(-start["coin_x"], abs=1e-8)
    assert abs(run["coin_y"]).max() < 1e-9


@pytest.mark.exhaustive  # `test_terrain` has the point on such a map
def test_a_flat_map_is_a_plane_for_a_wheel():
    start = leaning(0.3, 1.0, 6.0) | {"coin_z": 0.5, "coin_xdot": 0.7}
    grounds = HeightMap(heights=[[0.0, 0.0], [0.0, 0.0]], slope=0.1, heading=0.4), Plane(slope=0.1, heading=0.4)
    runs = [simulate(coin(each, 0.02, friction=0.1), initial=start, final_time=1.0, **TIGHT) for each in grounds]
    assert len(runs[0].events.t) == len(runs[1].events.t) > 1
    for name in ("coin_x", "coin_y", "coin_z", "coin_wy", "rim_normal", "rim_lateral"):
        assert runs[0][name][-1] == pytest.approx(runs[1][name][-1], abs=1e-8)


TABLE = Body("table", Revolute("turn", "z"), mass=1.0, inertia=(0.2, 0.2, 0.3))
TILTED = (
    Body("slide", Prismatic("slide", "x"), mass=0.5, inertia=(0.1, 0.1, 0.1)),
    Body("table", Revolute("turn", (0.3, 0.2, 0.9), place=(0.1, 0.0, 0.0)), "slide", mass=3.0, inertia=(0.2, 0.3, 0.4)),
)


@pytest.mark.parametrize("others", [(TABLE,), pytest.param(TILTED, marks=pytest.mark.exhaustive)])
def test_a_wheel_on_a_table_that_turns_neither_slips_nor_sinks(others):
    """Both move freely: energy, and of the table about z the angular momentum with the wheel's, are kept."""
    model = coin(Plane("top", z=0.0), 0.03, others, "table")
    start = leaning(0.1, 0.0, 6.0, 0.03) | {"coin_z": 0.4}
    drop = simulate(model, initial={**start, "turndot": 1.0}, final_time=0.6, record=True, **TIGHT)
    run = simulate(model, initial=end_of(drop), final_time=0.5, parameters={"stabilise": 0.0}, record=True, **TIGHT)
    assert len(run.events.t) == 0
    assert np.abs(run["rim_gap"]).max() < 1e-9
    assert np.ptp(run["energy"]) < 1e-8
    assert verify(run, model=model).ok


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(6))
def test_wheels_that_are_thrown_keep_the_laws_of_contacts(seed):
    rng = np.random.default_rng(seed)
    plane = Plane(slope=0.2, heading=1.0) if seed % 2 else Waves(height=0.05, wave_x=3.0, wave_y=2.0)
    model = coin(plane, 0.04, friction={"static": 0.6, "kinetic": 0.4}, restitution=0.3 * (seed % 3))
    turn = Rotation.random(random_state=seed).as_quat()
    start = {"coin_z": 0.8, **{f"coin_q{axis}": each for axis, each in zip("xyzw", turn, strict=True)}}
    start |= {f"coin_{axis}dot": each for axis, each in zip("xy", rng.uniform(-1.0, 1.0, 2), strict=True)}
    start |= {f"coin_w{axis}": each for axis, each in zip("xyz", rng.uniform(-5.0, 5.0, 3), strict=True)}
    run = simulate(model, initial=start, final_time=1.0, record=True, rtol=1e-8, atol=1e-10)
    friction = np.hypot(run["rim_tangential"], run["rim_lateral"])
    assert (friction - 0.6 * run["rim_normal"]).max() < 1e-8
    assert run["rim_normal"].min() > -1e-8
    assert run["rim_gap"].min() > -2e-7
    assert np.diff(run["energy"]).max() < 1e-7 * np.abs(run["energy"]).max()
    assert len(run.events.t) > 0
    assert verify(run, model=model).ok


def test_a_wheel_that_lies_on_its_side_is_named():
    run = simulate(coin(friction=0.0), initial=leaning(0.5, 0.0, 0.0), final_time=2.0)
    assert "contact rim lies flat on its side, where a wheel has no lowest point" in str(run.message)
    assert run.t[-1] < 1.0


def test_tyres_are_thinner_than_wheels_and_balls_have_none():
    with pytest.raises(ModelError, match="rim': tyre must be between 0 and the radius"):
        Disk("rim", "coin", 0.3, tyre=0.5)
    with pytest.raises(ModelError, match="rim': axis must be a direction"):
        Disk("rim", "coin", 0.3, axis=(0, 0, 0))
    with pytest.raises(ModelError, match="a ball has no axis and no tyre"):
        Sphere("rim", "coin", 0.3, tyre=0.1)
    flat = Body("coin", Planar("coin", normal="y"), mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match="disks are across it; leave out the axis"):
        contact_model("m", Mechanism(flat), [Disk("rim", "coin", 0.3, axis=(0, 0, 1))])
    with pytest.raises(ConfigError, match=r"rim_radius = 0\.3 must not be less than rim_tyre = 0\.4"):
        simulate(coin(tyre=0.1), final_time=0.1, parameters={"rim_tyre": 0.4})


@pytest.mark.exhaustive  # balls are tested by themselves
def test_a_wheel_whose_tyre_is_as_thick_as_itself_is_a_ball():
    kinds = Disk("rim", "coin", 0.3, tyre=0.3, friction=0.3), Sphere("rim", "coin", 0.3, friction=0.3)
    body = Body("coin", Free("coin"), mass=1.0, inertia=(0.03, 0.03, 0.03))
    models = [contact_model("coin", Mechanism(body), [each]) for each in kinds]
    start = {"coin_z": 0.4, "coin_xdot": 1.0, "coin_wx": 3.0, "coin_wz": 2.0}
    runs = [simulate(model, initial=start, final_time=1.0, **TIGHT) for model in models]
    for name in ("coin_x", "coin_y", "coin_wx", "rim_lateral"):
        assert runs[0][name][-1] == pytest.approx(runs[1][name][-1], abs=1e-10)


@pytest.mark.exhaustive  # bundled configs have wheels
@pytest.mark.members(1)
@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_a_model_with_a_wheel_keeps_the_contract(kind):
    soft = {"stiffness": 1e4, "damping": 20.0, "tangential": {"stiffness": 1e4, "damping": 20.0}}
    model = coin(tyre=0.02, **(soft if kind == "soft" else {}))
    assert ": fine" in check_model(model)
