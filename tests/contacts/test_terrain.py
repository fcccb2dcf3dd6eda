"""Ground whose height is a function: motions that are known by formulas, in the plane and in space."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT, point_mass
from contacts.random_mechanisms import breaches_of, random_drop, random_model
from scipy.integrate import quad
from scipy.special import ellipk

from hybridsim import ConfigError, ModelError, Simulation, load_config, simulate, verify
from hybridsim.contacts import Disk, HeightMap, Patch, Plane, Sphere, Terrain, Waves, contact_model
from hybridsim.contacts.terrain import SHAPES, heights_at
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic

G = 9.81


def cycloid(h, x, y, p):
    """The curve of x = f + sin f, z = 1 - cos f."""
    f = 0.5 * x
    for _ in range(60):
        f -= (f + math.sin(f) - x) / (1.0 + math.cos(f))
    h[0], h[1], h[3] = 1.0 - math.cos(f), math.tan(0.5 * f), 1.0 / (1.0 + math.cos(f)) ** 2


def bowl(h, x, y, p):
    """The lower part of a sphere of radius 2 m."""
    z = math.sqrt(4.0 - x * x - y * y)
    h[0], h[1], h[2] = 2.0 - z, x / z, y / z
    h[3], h[4], h[5] = 1.0 / z + x * x / z**3, x * y / z**3, 1.0 / z + y * y / z**3


@pytest.mark.exhaustive  # the disk on waves has a closed form
@pytest.mark.members(1)
@pytest.mark.parametrize("f", [-0.3, -2.0])
def test_a_mass_slides_down_a_cycloid_in_the_same_time_from_everywhere(f):
    model = point_mass("tautochrone", plane=Terrain(shape=cycloid))
    start = {"x": f + math.sin(f), "z": 1.0 - math.cos(f)}
    run = simulate(model, initial=start, final_time=math.pi / math.sqrt(G), **TIGHT)
    assert abs(run["x"][-1]) < 1e-10
    assert abs(run["foot_gap"]).max() < 1e-11
    assert np.ptp(run["energy"]) < 1e-9
    assert verify(run, model=model).ok


def wheel(ground, radius=0.5, inertia=0.1, **contact):
    body = Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=(inertia / 2, inertia, inertia / 2))
    return contact_model("wheel", Mechanism(body), [Disk("rim", "wheel", radius, plane=ground, **contact)])


@pytest.mark.exhaustive  # the ball in a bowl is such a pendulum
def test_a_disk_rolls_in_a_circular_valley_as_a_pendulum():
    model, angle, length = wheel(Terrain(shape=bowl), friction=2.0), 0.6, 1.5
    period = 4.0 * math.sqrt(length * (1.0 + 0.1 / 0.25) / G) * ellipk(math.sin(angle / 2.0) ** 2)
    start = {"wheel_x": -length * math.sin(angle), "wheel_z": 2.0 - length * math.cos(angle)}
    run = simulate(model, initial=start, final_time=period, **TIGHT)
    assert run["wheel_x"][-1] == pytest.approx(start["wheel_x"], abs=1e-9)
    assert run["wheel_angle"][-1] == pytest.approx(0.0, abs=1e-9)
    half = simulate(model, initial=start, final_time=period / 2.0, **TIGHT)
    assert half["wheel_x"][-1] == pytest.approx(-start["wheel_x"], abs=1e-9)


@pytest.mark.exhaustive  # the ball in a bowl is a pendulum in the ordinary run
def test_a_disk_rolls_over_waves_in_the_time_that_its_energy_says():
    """The centre is on the curve at the distance R, which is longer above the crests, shorter above the hollows."""
    height, wave, radius, inertia = 0.1, 3.0, 0.3, 0.05
    model = wheel(Waves(height=height, wave_x=wave), radius, inertia, friction=3.0)

    def slope(x):
        return height * wave * math.cos(wave * x)

    def lift(x):
        return height * math.sin(wave * x) + radius / math.sqrt(1.0 + slope(x) ** 2)

    def slowness(x):
        tilt = math.sqrt(1.0 + slope(x) ** 2)
        curvature = -height * wave * wave * math.sin(wave * x) / tilt**3
        speed = math.sqrt(9.0 - 2.0 * G * (lift(x) - lift(0.0)) / (1.0 + inertia / radius**2))
        return (1.0 - radius * curvature) * tilt / speed

    end = 2.0 * math.pi / wave
    time = quad(slowness, 0.0, end, epsabs=1e-13, epsrel=1e-13)[0]
    tilt = math.sqrt(1.0 + slope(0.0) ** 2)
    cosine, sine = 1.0 / tilt, slope(0.0) / tilt
    start = {"wheel_x": -radius * sine, "wheel_z": radius * cosine, "wheel_xdot": 3.0 * cosine}
    start |= {"wheel_zdot": 3.0 * sine, "wheel_angledot": 3.0 / radius}
    run = simulate(model, initial=start, final_time=time, **TIGHT)
    assert [run["wheel_x"][-1], run["wheel_z"][-1]] == pytest.approx([end - radius * sine, radius * cosine], abs=1e-9)
    assert run["rim_normal"].min() > 0.0
    assert verify(run, model=model).ok


def test_a_flat_map_is_a_plane():
    flat = HeightMap(heights=[[0.0, 0.0], [0.0, 0.0]], slope=0.1, z=0.2)
    start = {"wheel_z": 0.9, "wheel_xdot": 2.0}
    runs = [
        simulate(wheel(ground, friction=0.2, restitution=0.5), initial=start, final_time=2.0, **TIGHT)
        for ground in (flat, Plane(slope=0.1, z=0.2))
    ]
    charts = [run.events.chart_after.tolist() for run in runs]
    assert charts[0][:20] == charts[1][:20]  # rounding decides which bounce is the last
    assert charts[0][-1] == charts[1][-1] == 1
    for name in ("wheel_x", "wheel_z", "wheel_angledot"):
        assert runs[0][name][-1] == pytest.approx(runs[1][name][-1], abs=1e-10)


def test_a_map_of_a_parabola_is_one():
    """The polynomials between nodes are exact for parabolas: it is the curve z = x^2 / 2."""
    nodes = np.arange(-8, 9) * 0.25
    model = point_mass("parabola", plane=HeightMap(heights=[(nodes**2 / 2.0).tolist()], step=0.25, map_x=-2.0))
    run = simulate(model, initial={"x": -1.0, "z": 0.5}, final_time=3.0, **TIGHT)
    assert abs(run["z"] - run["x"] ** 2 / 2.0).max() < 1e-11
    assert abs(run["energy"] - 0.5 * G).max() < 1e-9
    time = quad(lambda f: math.sqrt((1.0 + math.sin(f) ** 2) / G), -math.pi / 2.0, 0.0)[0]
    bottom = simulate(model, initial={"x": -1.0, "z": 0.5}, final_time=time, **TIGHT)
    assert abs(bottom["x"][-1]) < 1e-10


def numbers_of(terrain):
    """The parameters of a terrain, as they lie in p."""
    own = [each.default for each in terrain.parameters()]
    return np.array([*own[:-1], len(own), *own[-1]] if isinstance(terrain, HeightMap) else own, float)


@pytest.mark.parametrize(
    "terrain", [Waves(height=0.2, wave_x=2.0, wave_y=3.0), HeightMap(height=0.1, step=0.3, seed=5)]
)
def test_slopes_and_curvatures_are_those_of_the_heights(terrain):
    p, step = numbers_of(terrain), 1e-5
    for x, y in np.random.default_rng(1).uniform(-3.0, 3.0, (20, 2)):
        h, right, left, above, below = np.zeros((5, 6))
        around = ((right, x + step, y), (left, x - step, y), (above, x, y + step), (below, x, y - step))
        for values, *place in ((h, x, y), *around):
            SHAPES[type(terrain)](values, *place, p, 0)
        assert h[[1, 3, 4]] == pytest.approx((right - left)[[0, 1, 2]] / (2.0 * step), abs=1e-7)
        assert h[[2, 4, 5]] == pytest.approx((above - below)[[0, 1, 2]] / (2.0 * step), abs=1e-7)


def test_curvatures_of_rough_ground_do_not_jump_at_nodes():
    p = numbers_of(HeightMap(height=0.1, step=0.5, seed=2))
    sides = np.zeros((2, 6))
    for values, x in zip(sides, (1.0 - 1e-12, 1.0 + 1e-12), strict=True):
        SHAPES[HeightMap](values, x, 0.2, p, 0)
    assert sides[0] == pytest.approx(sides[1], abs=1e-9)


def ball(ground, **contact):
    body = Body("ball", Free("ball"), mass=1.0, inertia=(0.1, 0.1, 0.1))
    return contact_model("ball", Mechanism(body), [Sphere("rim", "ball", 0.5, plane=ground, **contact)])


@pytest.mark.members(1)
@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_a_ball_rolls_in_a_bowl_as_a_pendulum_in_every_direction(heading):
    model, angle, length = ball(Terrain(shape=bowl), friction=2.0), 0.6, 1.5
    period = 4.0 * math.sqrt(length * (1.0 + 0.1 / 0.25) / G) * ellipk(math.sin(angle / 2.0) ** 2)
    away = length * math.sin(angle) * np.array([math.cos(heading), math.sin(heading)])
    start = {"ball_x": away[0], "ball_y": away[1], "ball_z": 2.0 - length * math.cos(angle)}
    run = simulate(model, initial=start, final_time=period / 2.0, **TIGHT)
    assert [run["ball_x"][-1], run["ball_y"][-1]] == pytest.approx((-away).tolist(), abs=1e-8)


@pytest.mark.exhaustive  # so does the ball in a bowl
def test_a_mass_without_friction_keeps_its_energy_and_its_swing_in_a_bowl():
    slides = [Body("x", Prismatic("x", "x")), Body("y", Prismatic("y", "y"), "x")]
    mass = Body("mass", Prismatic("z", "z"), "y", mass=1.0)
    model = contact_model("skater", Mechanism(*slides, mass), [Patch("foot", "mass", plane=Terrain(shape=bowl))])
    start = {"x": 1.0, "z": 2.0 - math.sqrt(3.0), "ydot": 2.0}
    run = simulate(model, initial=start, final_time=5.0, **TIGHT)
    assert np.ptp(run["energy"]) < 1e-8
    assert run["x"] * run["ydot"] - run["y"] * run["xdot"] == pytest.approx(np.full(len(run.t), 2.0), abs=1e-8)
    assert abs(run["x"] ** 2 + run["y"] ** 2 + (2.0 - run["z"]) ** 2 - 4.0).max() < 1e-10


def test_a_thrown_mass_lands_on_waves_where_its_parabola_meets_them():
    model = point_mass("thrown", plane=Waves(height=0.3, wave_x=2.0), restitution=0.5)
    run = simulate(model, initial={"z": 1.0, "xdot": 2.0}, final_time=1.0, **TIGHT)
    t = run.events[0].t
    assert 1.0 - 0.5 * G * t * t == pytest.approx(0.3 * math.sin(4.0 * t), abs=1e-11)
    before, after = (each[2:4] for each in (run.events.x_before[0], run.events.x_after[0]))
    slope = 0.6 * math.cos(4.0 * t)
    tangent, normal = np.array([1.0, slope]), np.array([-slope, 1.0])
    assert after @ tangent == pytest.approx(before @ tangent, abs=1e-12)
    assert after @ normal == pytest.approx(-0.5 * (before @ normal), abs=1e-12)


@pytest.mark.exhaustive  # a matter of one sentence
def test_a_run_ends_where_a_hollow_is_too_tight_for_a_disk():
    model = wheel(Waves(height=0.1, wave_x=5.0), friction=1.0)
    start = {"wheel_x": 0.25, "wheel_z": 0.7, "wheel_xdot": 1.0}
    run = simulate(model, initial=start, final_time=2.0)
    assert "the ground is curved more tightly than the radius of contact rim" in str(run.message)


def test_contacts_on_terrain_have_one_point():
    body = Body("box", Planar("box", normal="y"), mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match="a contact has one point: give each point as a contact"):
        contact_model("m", Mechanism(body), [Patch("sole", "box", [(0, 0, 0), (1, 0, 0)], plane=Waves())])


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", [0, 2, 3, 4, 6, 7])
def test_random_mechanisms_keep_the_laws_of_contacts_on_bumps(seed):
    rng = np.random.default_rng(300 + seed)
    model = random_model(rng, 1 + seed % 3, restitution=(0.0, 0.5, 0.0, 0.8)[seed % 4], bumps=seed + 1)
    start, settings = random_drop(rng, model), {"rtol": 1e-8, "atol": 1e-10, "record": True}
    run = simulate(model, initial=start, final_time=3.0, **settings)
    pull, cone, gap = breaches_of(run)
    assert max(pull, cone) < 1e-10
    assert gap < 2e-7
    assert np.diff(run["energy"]).max() < 1e-7 * np.abs(run["energy"]).max()
    assert len(run.events.t) > 0
    assert verify(run, model=model).ok


CONFIG = """
model:
  mechanism: mass.py:MASS
  contacts: {foot: {body: body, points: [[0, 0, 0]]}}
  planes: {ground: {terrain: GROUND}}
initial: {z: touching, x: 0.75}
final_time: 0.3
"""
MASS = """
from hybridsim.multibody import Body, Mechanism, Prismatic
MASS = Mechanism(Body("side", Prismatic("x", "x")), Body("body", Prismatic("z", "z"), "side", mass=1.0))
"""


def config_on(folder, ground):
    (folder / "mass.py").write_text(MASS)
    path = folder / "mass.yaml"
    path.write_text(CONFIG.replace("GROUND", ground))
    return load_config(path)


def test_a_config_names_the_file_of_a_map(tmp_path):
    np.save(tmp_path / "hills.npy", np.array([[0.0, 1.0, 4.0, 9.0, 16.0]]))
    run = Simulation.from_config(config_on(tmp_path, "hills.npy, height: 0.1, step: 0.5, map_x: -0.25")).run()
    assert run["x"][0] == 0.75
    assert run["z"][0] == pytest.approx(0.4 * (0.75 + 0.25) ** 2, abs=1e-14)
    assert run["z"] == pytest.approx(0.4 * (run["x"] + 0.25) ** 2, abs=1e-9)


@pytest.mark.parametrize(
    ("ground", "message"),
    [
        ("stairs", "stairs: it has edges, where contacts have no normal"),
        ("sloped", "write slope: 0.1"),
        ("ruogh", "there is no terrain 'ruogh'; did you mean .rough"),
        ("rough, hight: 0.1", "did you mean .height"),
        ("none.npy", "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_terrain_in_a_config_is_said(tmp_path, ground, message):
    with pytest.raises(ConfigError, match=message):
        config_on(tmp_path, ground)


@pytest.mark.parametrize(
    "terrain", [HeightMap(height=0.1, step=0.3, seed=5), HeightMap(heights=[[0, 1], [3, 2]], step=0.7)]
)
def test_pictures_show_the_heights_that_contacts_meet(terrain):
    p = numbers_of(terrain)
    x, y = np.random.default_rng(2).uniform(-1.0, 1.0, (2, 10))
    h = np.zeros((10, 6))
    for values, *place in zip(h, x, y, strict=True):
        SHAPES[type(terrain)](values, *place, p, 0)
    assert heights_at(terrain, x, y, p, 0) == pytest.approx(h[:, 0], abs=1e-14)
