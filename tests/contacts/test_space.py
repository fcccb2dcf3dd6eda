"""Contacts of bodies that move in space: balls, points and soles on planes, with friction in all directions."""

import math

import numpy as np
import pytest
from contacts.cases import TIGHT
from scipy.integrate import solve_ivp

from hybridsim import Parameter, Status, simulate, verify
from hybridsim.contacts import Patch, Plane, Sphere, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic

G, RADIUS, MU = 9.81, 0.1, 0.2


def ball(plane=None, kind=Free, **contact):
    """A solid ball of 1 kg on a plane."""
    joint = Free("ball") if kind is Free else Planar("ball", normal="y")
    body = Body("ball", joint, mass=1.0, inertia=(0.4 * RADIUS**2,) * 3)
    rim = Sphere("rim", "ball", RADIUS, plane=plane or Plane(), **{"friction": MU, **contact})
    return contact_model("ball", Mechanism(body), [rim], initial={"ball_z": RADIUS})


def mass(plane=None, forces=None, parameters=(), **contact):
    """A point of 1 kg on a plane."""
    bodies = [Body("a", Prismatic("x", "x")), Body("b", Prismatic("y", "y"), "a")]
    bodies.append(Body("c", Prismatic("z", "z"), "b", mass=1.0))
    foot = Patch("foot", "c", plane=plane or Plane(), **{"friction": 0.3, **contact})
    return contact_model("mass", Mechanism(*bodies), [foot], forces=forces, parameters=parameters)


def run_of(model, **settings):
    """A run to its final time that `verify` accepts, in which friction is in its cone and no event adds energy."""
    run = simulate(model, **{**TIGHT, "record": True, **settings})
    assert run.status == Status.FINAL_TIME
    assert verify(run, model=model).ok
    for name in (each.removesuffix("_lateral") for each in run.outputs.names if each.endswith("_lateral")):
        size = np.hypot(run[f"{name}_tangential"], run[f"{name}_lateral"])
        assert (size - run.parameters[f"{name}_static"] * run[f"{name}_normal"]).max() < 1e-9
        assert run[f"{name}_normal"].min() > -1e-9
    return run


@pytest.mark.exhaustive  # the billiard ball does so on a parabola
@pytest.mark.members(1)
@pytest.mark.parametrize("angle", [0.0, 0.7, 4.0])
def test_a_ball_slips_until_it_rolls_with_five_sevenths_of_its_speed(angle):
    c, s = math.cos(angle), math.sin(angle)
    run = run_of(ball(), initial={"ball_xdot": c, "ball_ydot": s}, final_time=0.5)
    assert run.events.t[-1] == pytest.approx(2.0 / (7.0 * MU * G), abs=1e-12)
    assert (run["ball_xdot"][-1], run["ball_ydot"][-1]) == pytest.approx((5 / 7 * c, 5 / 7 * s), abs=1e-12)
    assert np.diff(run["energy"]).max() < 1e-12


def test_a_billiard_ball_with_side_spin_follows_a_parabola_until_it_rolls():
    """Its slip keeps its direction (Euler): the centre has a constant acceleration -mu g d until |slip| is 0."""
    v, spin = np.array([1.0, 0.0]), np.array([8.0, 3.0])  # about x and y
    slip = v + RADIUS * np.array([-spin[1], spin[0]])
    d, end = slip / np.linalg.norm(slip), 2.0 * np.linalg.norm(slip) / (7.0 * MU * G)
    initial = {"ball_xdot": v[0], "ball_wx": spin[0], "ball_wy": spin[1], "ball_wz": 5.0}
    run = run_of(ball(), initial=initial, final_time=1.0)
    assert run.events.t[-1] == pytest.approx(end, abs=1e-10)
    rolling = v - MU * G * end * d
    place = v * end - 0.5 * MU * G * end**2 * d + rolling * (1.0 - end)
    np.testing.assert_allclose([run["ball_x"][-1], run["ball_y"][-1]], place, atol=1e-9)
    np.testing.assert_allclose([run["ball_xdot"][-1], run["ball_ydot"][-1]], rolling, atol=1e-9)


def test_a_ball_rolls_across_a_slope_on_a_parabola():
    """Rolling, its acceleration is 5/7 g sin(slope), along the direction in which the plane falls."""
    slope, heading = 0.2, 0.9
    plane, normal = Plane(slope=slope, heading=heading), math.cos(slope)
    up = np.array([math.cos(heading), math.sin(heading)])
    across = np.array([-up[1], up[0]])
    v = 0.5 * across
    z = RADIUS / normal  # above the plane's point, where the ball would touch vertically below its centre
    spin = np.cross([-math.sin(slope) * up[0], -math.sin(slope) * up[1], normal], [*v, 0.0]) / RADIUS
    initial = {"ball_z": z, "ball_xdot": v[0], "ball_ydot": v[1]}
    initial |= {f"ball_w{axis}": each for axis, each in zip("xyz", spin, strict=True)}
    run = run_of(ball(plane), initial=initial, final_time=1.0)
    fallen = -0.5 * 5 / 7 * G * math.sin(slope) * normal * up
    np.testing.assert_allclose([run["ball_x"][-1], run["ball_y"][-1]], v + fallen, atol=1e-9)
    assert len(run.events.t) == 0


def test_a_thrown_point_slides_along_a_straight_line_to_its_end():
    run = run_of(mass(), initial={"xdot": 0.6, "ydot": -0.8}, final_time=1.0)
    way = 1.0 / (2 * 0.3 * G)
    assert (run["x"][-1], run["y"][-1]) == pytest.approx((0.6 * way, -0.8 * way), abs=1e-12)
    assert run.events.t[-1] == pytest.approx(1.0 / (0.3 * G), abs=1e-12)


@pytest.mark.exhaustive  # `test_space_joints` compares space with the plane
def test_a_ball_in_space_whose_motion_is_planar_moves_as_in_the_plane():
    plane, settings = Plane(slope=0.5), {"restitution": 0.5}
    initial = {"ball_z": 0.4, "ball_xdot": 0.3}
    flat = run_of(ball(plane, kind=Planar, **settings), initial=initial, final_time=1.5)
    space = run_of(ball(plane, **settings), initial=initial, final_time=1.5)
    for name in ("ball_x", "ball_z", "ball_xdot", "ball_zdot", "rim_normal", "rim_tangential"):
        assert space[name][-1] == pytest.approx(flat[name][-1], rel=1e-9, abs=1e-9)
    pace = [int("rim_pace" in str(each)) for each in space.events]
    assert len(space.events.t) >= len(flat.events.t) > 2, pace
    assert np.abs(space["ball_y"]).max() < 1e-12


def sideways(force, t, x, p):
    """A force along y that grows."""
    force[1] += p[0] * t


@pytest.mark.exhaustive  # the box slides where friction is exhausted
def test_a_mass_on_a_slope_that_is_pushed_sideways_slips_where_friction_is_exhausted():
    slope, rate, mu = 0.2, 1.0, 0.3
    weight, most = G * math.sin(slope), mu * G * math.cos(slope)
    model = mass(Plane(slope=slope), sideways, (Parameter("rate", rate, "N/s"),), friction=mu)
    run = run_of(model, final_time=4.0, parameters={"begin_speed": 1e-6})
    begins = math.sqrt(most**2 - weight**2) / rate
    assert run.events.t[0] == pytest.approx(begins, abs=1e-9)

    def slide(t, y, slow=1e-7):
        v = y[2:] + slow * np.array([-weight, begins * rate]) / most
        return [y[2], y[3], *(np.array([-weight, rate * t]) - most * v / np.linalg.norm(v))]

    exact = solve_ivp(slide, (begins, 4.0), np.zeros(4), method="LSODA", rtol=1e-10, atol=1e-13).y[:, -1]
    here = [run["x"][-1] / math.cos(slope), run["y"][-1], run["xdot"][-1] / math.cos(slope), run["ydot"][-1]]
    np.testing.assert_allclose(here, exact, atol=1e-6)


def falls(force, t, x, p):
    """A force along x, and one along y that falls until it is constant."""
    force[0] += p[0]
    force[1] += p[1] - p[2] * min(t, p[3])


@pytest.mark.exhaustive  # a matter of one sequence of events
def test_a_slip_that_turns_round_as_the_force_falls_to_what_friction_holds_ends_there():
    """Its inertia is not the same along x and y, so that it stops and begins anew, infinitely often before that.

    The slip begins with z along e where F = mu N e + M z, and |F| is mu N at the instant `held`.
    """
    e, most, held, z = np.array([1.0, 1.0]) / math.sqrt(2.0), 0.5 * G, 2e-3, 0.01 * 0.5 * G
    bodies = [Body("a", Prismatic("x", "x"), mass=9.0), Body("b", Prismatic("y", "y"), "a")]
    bodies.append(Body("c", Prismatic("z", "z"), "b", mass=1.0))
    names = (("along", "N"), ("across", "N"), ("rate", "N/s"), ("until", "s"))
    settings = {"forces": falls, "parameters": [Parameter(name, 0.0, unit) for name, unit in names]}
    model = contact_model("sledge", Mechanism(*bodies), [Patch("foot", "c", friction=0.5)], **settings)
    along, across = most * e + z * np.array([10.0, 1.0]) * e
    rate = (across - math.sqrt(most**2 - along**2)) / held
    numbers = {"along": along, "across": across, "rate": rate, "until": 1.5 * held, "begin_speed": 0.1}
    run = run_of(model, parameters=numbers, final_time=60 * held)
    assert (run.chart[0], run.chart[-1]) == (0b101, 0b001)  # its slip begins; it holds
    assert held < run.events.t[-1] < 60 * held
    assert (run["xdot"][-1], run["ydot"][-1]) == pytest.approx((0.0, 0.0), abs=1e-15)
    assert run["foot_tangential"][-1] == pytest.approx(-along, rel=1e-12)
    assert run["foot_lateral"][-1] == pytest.approx(1.5 * rate * held - across, rel=1e-12)
    assert 0.0 < run["y"].max() < z * held * 60 * held


def rod(heading=0.0, restitution=0.0):
    """A rod whose lower end meets a slope that rises along this heading."""
    inertia = (1 / 12, 1 / 12, 1e-3)
    body = Body("rod", Free("rod"), mass=1.0, inertia=inertia)
    ends = [
        Patch(
            name,
            "rod",
            ((0.0, 0.0, z),),
            friction=0.4,
            restitution=restitution,
            plane=Plane(slope=0.1, heading=heading),
        )
        for name, z in (("low", -0.5), ("high", 0.5))
    ]
    return contact_model("rod", Mechanism(body), ends)


@pytest.mark.members(1)
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_run_that_is_turned_about_the_vertical_is_the_turned_run(restitution):
    turned = 1.1
    ends = []
    for heading in (0.0, turned):
        c, s = math.cos(heading), math.sin(heading)
        half = math.cos(heading / 2), math.sin(heading / 2)
        tilt = math.cos(0.3), math.sin(0.3)  # first about x, by 0.6 rad
        q = (half[0] * tilt[0], half[0] * tilt[1], half[1] * tilt[1], half[1] * tilt[0])
        v = (0.5 * c - 0.2 * s, 0.5 * s + 0.2 * c)
        initial = {"rod_z": 0.8, "rod_xdot": v[0], "rod_ydot": v[1], "rod_wy": 1.0, "rod_wz": 2.0}
        initial |= {f"rod_q{axis}": each for axis, each in zip("wxyz", q, strict=True)}
        run = run_of(rod(heading, restitution), initial=initial, final_time=0.8)
        assert len(run.events.t) > 1
        x, y = run["rod_x"][-1], run["rod_y"][-1]
        ends.append([c * x + s * y, c * y - s * x, run["rod_z"][-1], run["energy"][-1], run["low_normal"][-1]])
        assert np.diff(run["energy"]).max() < 1e-8
    np.testing.assert_allclose(ends[1], ends[0], atol=2e-7)


WIDTH, DEPTH, HEIGHT = 0.2, 0.3, 0.8
SOLE = [(x * WIDTH / 2, y * DEPTH / 2, -HEIGHT / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def push(force, t, x, p):
    """Forces along x and y and a torque about z that grow."""
    force[0] += p[0] * t
    force[1] += p[1] * t
    force[5] += p[2] * t


def box(points=tuple(SOLE), **contact):
    """A box of 1 kg on its four lower corners."""
    inertia = [(a**2 + b**2) / 12 for a, b in ((DEPTH, HEIGHT), (WIDTH, HEIGHT), (WIDTH, DEPTH))]
    body = Body("box", Free("box"), mass=1.0, inertia=inertia)
    rates = Parameter("x", 0.0, "N/s"), Parameter("y", 0.0, "N/s"), Parameter("turn", 0.0, "N m/s")
    sole = Patch("sole", "box", points, **{"friction": 0.6, **contact})
    return contact_model("soled", Mechanism(body), [sole], forces=push, parameters=rates, initial={"box_z": HEIGHT / 2})


def friction(mu):
    return {"sole_static": mu, "sole_kinetic": mu}


def test_a_box_that_lands_on_its_four_corners_stands():
    run = run_of(box(), initial={"box_z": 0.5}, final_time=0.5)
    assert run.events.t == pytest.approx([math.sqrt(0.2 / G)], abs=1e-12)
    assert [run[f"sole{i}_force"][-1] for i in range(4)] == pytest.approx([G / 2] * 4, rel=1e-9)  # those at each edge
    assert np.abs(run["box_zdot"][-1]) < 1e-12


@pytest.mark.exhaustive  # the box lands on its corners in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("pushed", "force", "opens"),
    [({"x": 1.0}, G * WIDTH / HEIGHT, 9), ({"y": 1.0}, G * DEPTH / HEIGHT, 3), ({"y": -1.0}, G * DEPTH / HEIGHT, 12)],
)
def test_a_box_that_is_pushed_tips_over_its_edge(pushed, force, opens):
    """The centre of pressure is at the edge where the force times half the height is the weight times half the side."""
    run = run_of(box(friction=0.9), parameters=pushed, final_time=force + 0.1)
    assert run.events.t == pytest.approx([force], abs=1e-9)
    assert run.chart[-1] & 15 == 15 - opens


@pytest.mark.exhaustive  # a sole slides and spins in the ordinary run
def test_a_box_slides_and_turns_where_friction_is_exhausted():
    run = run_of(box(), parameters={"y": 1.0, **friction(0.1)}, final_time=1.2)
    assert run.events.t[0] == pytest.approx(0.1 * G, abs=1e-9)
    assert run["box_y"][-1] == pytest.approx((1.2 - 0.1 * G) ** 3 / 6, abs=1e-9)
    run = run_of(box(lever=0.05), parameters={"turn": 1.0}, final_time=1.5)
    most = 0.6 * G * math.hypot(WIDTH / 2, DEPTH / 2, 0.05)  # at each corner, which turns on its own, too
    assert run.events.t[0] == pytest.approx(most, abs=1e-9)
    assert run["box_wz"][-1] == pytest.approx((1.5 - most) ** 2 / 2 / ((WIDTH**2 + DEPTH**2) / 12), abs=1e-9)


def test_a_sole_that_slides_and_spins_stops_both_together():
    """Its friction is at its mass centre's height, a quarter of it at each corner, against the velocity there."""
    flat = [(x, y, 0.0) for x, y, _ in SOLE]
    lever, inertia, start = 0.06, (WIDTH**2 + DEPTH**2) / 12, {"xdot": 0.5, "ydot": -0.2, "wz": 6.0}
    model = box(flat, lever=lever)
    run = run_of(model, initial={"box_z": 0.0} | {f"box_{key}": each for key, each in start.items()}, final_time=0.5)

    def slide(t, s):
        c, w = math.cos(s[0]), math.sin(s[0])
        found = np.zeros(4)
        found[0] = s[3]
        for x, y, _ in flat:
            arm = np.array([c * x - w * y, w * x + c * y])
            d = np.array([s[1] - s[3] * arm[1], s[2] + s[3] * arm[0], lever * s[3]])
            d *= -0.6 * G / 4 / np.linalg.norm(d)
            found[1:] += d[0], d[1], (arm[0] * d[1] - arm[1] * d[0] + lever * d[2]) / inertia
        return found

    def stops(t, s):
        return np.linalg.norm(s[1:]) - 1e-6

    stops.terminal = True
    begin = [0.0, *start.values()]
    exact = solve_ivp(slide, (0.0, 1.0), begin, events=stops, rtol=1e-11, atol=1e-13, method="LSODA")
    assert run.events.t[-1] == pytest.approx(exact.t[-1], abs=1e-5)
    middle = np.searchsorted(run.t, 0.05)
    there = solve_ivp(slide, (0.0, run.t[middle]), begin, rtol=1e-11, atol=1e-13).y[1:, -1]
    here = [run[f"box_{key}"][middle] for key in start]
    np.testing.assert_allclose(here, there, atol=1e-8)
    assert max(abs(run[f"box_{each}"][-1]) for each in ("xdot", "ydot", "wz")) < 1e-12


@pytest.mark.exhaustive  # the block in the plane rocks in the ordinary run
def test_a_box_on_four_corners_rocks_as_the_block_in_the_plane():
    """Housner (1963), and its rest: both corners of an edge land and leave at once."""
    angle = 0.15
    x = -(math.cos(angle) * WIDTH / 2 - math.sin(angle) * HEIGHT / 2)
    z = math.sin(angle) * WIDTH / 2 + math.cos(angle) * HEIGHT / 2
    initial = {"box_x": x, "box_z": z, "box_qw": math.cos(angle / 2), "box_qy": math.sin(angle / 2)}
    run = run_of(box(), initial=initial, parameters=friction(10.0), final_time=6.0)
    exact = [0.379432744186407542, 0.95995022510643974, 1.44052224208270378]
    assert run.events.t[:3] == pytest.approx(exact, abs=3e-10)
    assert run.events.t[-1] == pytest.approx(5.4965301915715, abs=2e-8)
    assert np.abs(run["box_y"]).max() < 1e-10


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(6))
def test_a_box_that_is_thrown_keeps_the_laws_of_contacts(seed):
    rng = np.random.default_rng(seed)
    axis, angle = rng.normal(size=3), rng.uniform(0.0, 0.2)
    axis *= math.sin(angle / 2) / np.linalg.norm(axis)
    initial = {"box_z": 0.6, "box_qw": math.cos(angle / 2), "box_xdot": 0.3 * rng.normal(), "box_ydot": 0.3}
    initial |= {f"box_q{each}": value for each, value in zip("xyz", axis, strict=True)}
    initial |= {f"box_w{each}": 0.5 * rng.normal() for each in "xyz"}
    settings = {"parameters": {**friction((0.1, 0.3, 0.6)[seed % 3]), "rest_speed": 1.0}, "zeno_precision": 0.0}
    run = run_of(box(), initial=initial, final_time=1.0, rtol=1e-8, **settings)
    assert len(run.events.t) > 1
    assert np.diff(run["energy"]).max() < 1e-6
    assert min(run[f"sole{i}_gap"].min() for i in range(4)) > -1e-8
    assert min(run[f"sole{i}_force"].min() for i in range(4)) > -1e-7
