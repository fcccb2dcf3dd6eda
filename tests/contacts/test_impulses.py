"""Impulses of the last impact, which the state keeps: they change the momentum, and a scale says what the guard did."""

import math

import numpy as np
import pytest
from contacts.cases import falling_rod

from hybridsim import simulate
from hybridsim.contacts import Patch, Plane, Rows, Sphere, contact_model
from hybridsim.contacts.description import Equations
from hybridsim.contacts.impacts import JAMMED
from hybridsim.model.model import default_values
from hybridsim.model.parameters import pack_parameters
from hybridsim.multibody import Body, Free, Mechanism, Planar, Prismatic, Revolute

SLOPE, HEADING = 0.12, 0.8
WIDTH, DEPTH, HEIGHT, RADIUS, MASS = 0.3, 0.4, 0.2, 0.06, 2.0


def jumps(model, run, speeds):
    """By how much events change these speeds, and the states behind the events."""
    names = model.states.names
    at = [names.index(each) for each in speeds]
    for event in run.events:
        yield event.x_after[at] - event.x_before[at], dict(zip(names, event.x_after, strict=True))


def test_impulses_in_the_plane_are_the_change_of_momentum_along_the_plane():
    block = Mechanism(Body("block", Planar("block", normal="y"), mass=MASS, inertia=(0.1, 0.12, 0.02)))
    corners = ((-0.1, 0.0, -0.4), (0.1, 0.0, -0.4))
    patch = Patch("base", "block", corners, friction=0.6, restitution=0.3, plane=Plane(slope=0.1))
    model = contact_model("block", block, [patch], initial={"block_z": 0.6, "block_angle": 0.2, "block_xdot": 0.5})
    run = simulate(model, final_time=0.8)
    normal, tangent = np.array([-math.sin(0.1), math.cos(0.1)]), np.array([math.cos(0.1), math.sin(0.1)])
    hits = 0
    for change, state in jumps(model, run, ("block_xdot", "block_zdot")):
        if np.abs(change).max() > 1e-6:
            hits += 1
            assert state["base_impulse_normal"] == pytest.approx(MASS * change @ normal, abs=1e-9)
            assert state["base_impulse_tangential"] == pytest.approx(MASS * change @ tangent, abs=1e-9)
            assert state["restitution_scale"] == 1.0
    assert hits > 3
    assert run["base_impulse_normal"][0] == 0.0
    assert run["base_impulse_normal"][-1] > 0.0


@pytest.mark.exhaustive  # those in the plane are in the ordinary run
def test_impulses_in_space_are_the_change_of_momentum_along_three_directions():
    slope = Plane(slope=SLOPE, heading=HEADING)
    corners = [(x * WIDTH / 2, y * DEPTH / 2, -HEIGHT / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    inertia = [MASS * (a**2 + b**2) / 12 for a, b in ((DEPTH, HEIGHT), (WIDTH, HEIGHT), (WIDTH, DEPTH))]
    model = contact_model(
        "thrown",
        Mechanism(Body("box", Free("box"), mass=MASS, inertia=inertia)),
        [
            Patch("sole", "box", corners, friction=0.4, restitution=0.3, plane=slope),
            Sphere("ball", "box", RADIUS, (WIDTH / 2 + RADIUS, 0.0, 0.0), friction=0.2, restitution=0.5, plane=slope),
        ],
        initial={"box_z": 0.7, "box_qw": 0.8, "box_qx": 0.1, "box_qy": 0.6, "box_xdot": 0.8, "box_wz": 3.0},
    )
    run = simulate(model, final_time=1.2)
    up = np.array([math.cos(HEADING), math.sin(HEADING), 0.0])
    level = np.array([-math.sin(HEADING), math.cos(HEADING), 0.0])
    axes = {
        "normal": math.cos(SLOPE) * np.array([0.0, 0.0, 1.0]) - math.sin(SLOPE) * up,
        "tangential": math.cos(SLOPE) * up + math.sin(SLOPE) * np.array([0.0, 0.0, 1.0]),
        "lateral": level,
    }
    hits = {"sole": 0, "ball": 0}
    for change, state in jumps(model, run, ("box_xdot", "box_ydot", "box_zdot")):
        if np.abs(change).max() > 1e-6:
            for each in hits:
                hits[each] += state[f"{each}_impulse_normal"] > 1e-9
            for axis, along in axes.items():
                both = sum(state[f"{each}_impulse_{axis}"] for each in hits)
                assert both == pytest.approx(MASS * change @ along, abs=1e-8)
    assert min(hits.values()) > 0


@pytest.mark.exhaustive  # `test_models` has the double pendulum in the ordinary run
def test_where_the_guard_scales_restitutions_its_factor_is_kept():
    """The double pendulum of Kane and Levinson: the speed after / before along the normal is the scaled restitution."""
    rod = {"mass": 1.0, "centre": (0.0, 0.0, -0.5), "inertia": (1 / 12, 1 / 12, 0.0)}
    end = (0.0, 0.0, -1.0)
    mechanism = Mechanism(
        Body("upper", Revolute("upper", "y"), **rod), Body("lower", Revolute("lower", "y", place=end), "upper", **rod)
    )
    model = contact_model("struck", mechanism, [Patch("tip", "lower", [end], friction=0.5, restitution=0.9)])
    names = ("upper", "lower", "upperdot", "lowerdot")
    rng, scales = np.random.default_rng(1), []
    for _ in range(40):
        q, u = rng.uniform(-1.0, 1.0, 2), 3.0 * rng.normal(size=2)
        row = mechanism.point_rows(q, "lower", end)[2, :2]
        ground = {"ground_z": -float(np.cos(q[0]) + np.cos(q[0] + q[1]))}
        run = simulate(model, initial=dict(zip(names, [*q, *u], strict=True)), parameters=ground, final_time=1e-6)
        if row @ u < -1e-3:
            after = np.array([run["upperdot"][0], run["lowerdot"][0]])
            scales.append(run["restitution_scale"][0])
            assert row @ after == pytest.approx(-0.9 * scales[-1] * (row @ u), abs=1e-9)
            assert run["tip_impulse_normal"][0] > 0.0
    assert min(scales) < 0.9
    assert max(scales) == 1.0


def test_the_impulses_of_an_impact_stay_where_one_without_collision_follows(monkeypatch):
    """As if no mode were found after the impact: what is tried then adds its impulses to those before."""
    joints = Body("side", Prismatic("x", "x")), Body("body", Prismatic("z", "z"), parent="side", mass=MASS)
    model = contact_model("mass", Mechanism(*joints), [Patch("foot", "body", friction=0.3)])
    x, names = np.zeros(len(model.states)), model.states.names
    x[names.index("zdot")], crossed = -1.5, np.zeros(len(model.boundary_records), np.int64)
    crossed[model.boundary_records.names.index("foot_gap")] = 1
    transition, x_new = model.functions["transition"], x.copy()
    monkeypatch.setitem(transition.__globals__, "go_on", lambda *_: JAMMED)
    transition(x_new, 0.0, x, pack_parameters(model, default_values(model)), 0, crossed)
    assert x_new[names.index("zdot")] == pytest.approx(0.0, abs=1e-12)
    assert x_new[names.index("foot_impulse_normal")] == pytest.approx(1.5 * MASS, abs=1e-12)


@pytest.mark.members(1)
@pytest.mark.parametrize("speed", [1.0, 1e-3, 1e-7, 1e-9])
def test_a_slip_that_jams_is_stopped_by_an_impulse_however_slow(speed):
    """A rod 0.46 rad from the vertical: with friction 2, no force keeps its foot on the ground (Painleve).

    The foot is at (-s, 0, -c) / 2 from a centre of mass 1 and inertia 1 / 12: impulses (n, t) change its velocity by G.
    """
    angle = 0.46
    s, c = math.sin(angle), math.cos(angle)
    delassus = np.array([[1.0 + 3.0 * s**2, -3.0 * s * c], [-3.0 * s * c, 1.0 + 3.0 * c**2]])
    assert delassus[0, 0] + 2.0 * delassus[0, 1] < 0.0  # backward
    normal, along = np.linalg.solve(delassus, [0.0, speed])
    assert 0.0 < along < 2.0 * normal
    settings = {"final_time": 1e-3, "rtol": 1e-10, "atol": 1e-14, "record": True}
    initial = {"box_x": 0.5 * s, "box_z": 0.5 * c, "box_angle": angle}
    run = simulate(falling_rod(2.0), initial={**initial, "box_xdot": -speed}, **settings)
    assert run["foot_impulse_normal"][0] == pytest.approx(normal, rel=1e-9)
    assert run["foot_impulse_tangential"][0] == pytest.approx(along, rel=1e-9)
    assert run["foot_slip"].tolist() == [0.0] * len(run.t)
    run = simulate(falling_rod(2.0), initial={**initial, "box_xdot": speed}, **settings)  # slips on
    assert run["foot_slip"][0] == pytest.approx(speed, rel=1e-9)
    assert run["foot_impulse_normal"][0] == 0.0


def cradle_terms(mass, force, rows, gaps, t, x, p):
    """Three balls of 1 kg in a row."""
    for i in range(9):
        mass[i] = 1.0 if i % 4 == 0 else 0.0
    for i in range(3):
        force[i] = 0.0
    for i in range(16):
        rows[i] = 0.0
    rows[0], rows[1] = -1.0, 1.0
    rows[9], rows[10] = -1.0, 1.0
    gaps[0], gaps[1] = x[1] - x[0], x[2] - x[1]


@pytest.mark.exhaustive  # `test_joints` has balls that collide in turn
def test_impulses_of_impacts_in_turn_add_up():
    """Newton's cradle: the first ball gives all its momentum to the second, and this to the third."""
    contacts = [Rows("first", restitution=1.0), Rows("second", restitution=1.0)]
    model = contact_model("cradle", Equations(("a", "b", "c"), cradle_terms), contacts, impacts="in_turn")
    run = simulate(model, initial={"a": -0.5, "adot": 1.0}, final_time=1.0)
    assert run["first_impulse_normal"][-1] == pytest.approx(1.0, abs=1e-12)
    assert run["second_impulse_normal"][-1] == pytest.approx(1.0, abs=1e-12)
