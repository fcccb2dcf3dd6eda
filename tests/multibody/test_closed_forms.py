"""Motions with a closed form: pendulums, a top, wheels that roll, a four-bar linkage."""

import math

import numpy as np
import pytest
from multibody.constraints import RowsOf, completed, rolling, wheel_of
from multibody.trees import assert_close

from hybridsim import ModelError
from hybridsim.multibody import Body, Mechanism, Planar, Point, Prismatic, Revolute, Spherical, Vector, rows

G, ZERO = 9.81, Vector(0.0, 0.0, 0.0)
TILT, SWING = 0.7, 1.9  # [rad, rad/s]


def test_a_spherical_pendulum_of_two_revolute_joints():
    """M = m l^2 diag(sin^2, 1), with the azimuth first, and its Christoffel symbols."""
    mass, length = 1.4, 0.8
    bob = Body("bob", Revolute("tilt", "y"), "column", mass, (0.0, 0.0, -length))
    pendulum = Mechanism(Body("column", Revolute("azimuth", "z")), bob)
    s, c, turning = math.sin(TILT), math.cos(TILT), 1.3
    q, u, scale = [0.4, TILT], [turning, SWING], mass * length**2
    assert_close(pendulum.mass_matrix(q), scale * np.diag([s * s, 1.0]), 1e-15)
    forces = [2.0 * scale * s * c * turning * SWING, -scale * s * c * turning**2 + mass * G * length * s]
    assert_close(pendulum.inertia_forces(q, u), forces, 1e-15)
    assert pendulum.kinetic_energy(q, u) == pytest.approx(0.5 * scale * (SWING**2 + (s * turning) ** 2), rel=1e-15)


def test_a_conical_pendulum_on_a_spherical_joint():
    """It turns about the vertical as a rigid whole, (A - C) W^2 cos = m g l, so its own components stay constant."""
    mass, length, along = 1.4, 0.8, 0.1
    across = mass * length**2 + 0.3  # about the joint
    pendulum = Mechanism(Body("bob", Spherical("s"), "world", mass, (0.0, 0.0, -length), (0.3, 0.3, along)))
    turning = math.sqrt(mass * G * length / ((across - along) * math.cos(TILT)))
    q = [math.cos(0.5 * TILT), 0.0, math.sin(0.5 * TILT), 0.0]
    spin = pendulum.rotation(q, "bob").T @ [0.0, 0.0, turning]
    np.testing.assert_allclose(pendulum.forward_dynamics(q, spin), 0.0, atol=1e-14)
    assert np.abs(pendulum.forward_dynamics(q, 1.1 * spin)).max() > 0.5  # at another rate it tilts


@pytest.mark.parametrize("which", [-1.0, 1.0], ids=["slow", "fast"])
def test_a_heavy_symmetric_top_precesses_at_both_rates(which):
    """A cos W^2 - C n W + m g l = 0 for the precession W, with the spin n along the axis (Goldstein 2002, 5.7)."""
    mass, length, along, across, n = 0.5, 0.1, 0.002, 0.001, 60.0
    a, b, c = (across + mass * length**2) * math.cos(TILT), along * n, mass * G * length
    precession = (b + which * math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)
    top = Mechanism(
        Body("azimuth", Revolute("azimuth", "z")),
        Body("cradle", Revolute("tilt", "y"), "azimuth"),
        Body("top", Revolute("spin", "z"), "cradle", mass, (0.0, 0.0, length), (across, across, along)),
    )
    q, u = [0.3, TILT, 1.1], [precession, 0.0, n - precession * math.cos(TILT)]
    scale = abs(precession) * abs(u[2])
    np.testing.assert_allclose(top.forward_dynamics(q, u) / scale, 0.0, atol=1e-14)
    ball = Mechanism(Body("top", Spherical("s"), "world", mass, (0.0, 0.0, length), (across, across, along)))
    half = 0.5 * TILT
    q = [math.cos(half), 0.0, math.sin(half), 0.0]
    spin = np.array([-precession * math.sin(TILT), 0.0, n])
    rates = [0.0, precession * math.sin(TILT) * u[2], 0.0]  # the axes of the body turn against the tilted plane
    np.testing.assert_allclose((ball.forward_dynamics(q, spin) - rates) / scale, 0.0, atol=1e-14)


def wheel_on_a_plane(mass=2.0, across=0.11, along=0.17, gravity=(0.0, 0.0, -G)):
    """A wheel by its centre, yaw, tilt and turn; the axis of the wheel is the last z."""
    return Mechanism(
        Body("ahead", Prismatic("x", "x")),
        Body("aside", Prismatic("y", "y"), "ahead"),
        Body("above", Prismatic("z", "z"), "aside"),
        Body("yaw", Revolute("yaw", "z"), "above"),
        Body("tilt", Revolute("tilt", "x"), "yaw"),
        Body("wheel", Revolute("turn", "z"), "tilt", mass, (0.0, 0.0, 0.0), (across, across, along)),
        gravity=gravity,
    )


CENTRE = ("xdot", "ydot", "zdot")
WHEELS = {"thin disk": (0.5, 0.0), "torus": (0.4, 0.15), "flat torus": (0.1, 0.3), "sphere": (0.0, 0.3)}


@pytest.mark.parametrize(("radius", "tube"), WHEELS.values(), ids=WHEELS)
def test_a_wheel_rolls_in_a_circle(radius, tube):
    """Newton and Euler with the axes e1 along the track, e2 up the wheel and e3 along its axis, which is tilted.

    The centre's speed is -V e1, V = R w + r sin (w - W cos), for the spin w along the axis and the precession W. Its
    acceleration V W is towards the axis of the circle, and the moment of the contact force about the centre is
    C w W sin - A W^2 sin cos, which is linear in w.
    """
    mass, across, along, precession, tilt = 2.0, 0.11, 0.17, 1.7, 0.9
    wheel = wheel_on_a_plane(mass, across, along)
    s, c = math.sin(tilt), math.cos(tilt)
    moment_of_speed = -mass * precession * (radius * s + tube)  # of the force, a unit of V
    moment_of_weight = -radius * mass * G * c
    speed_of_spin, speed_of_precession = radius + tube * s, -tube * s * c * precession
    known = moment_of_weight + moment_of_speed * speed_of_precession + across * precession**2 * s * c
    spin = known / (along * precession * s - moment_of_speed * speed_of_spin)
    q = np.array([0.3, -0.4, radius * s + tube, 0.6, tilt, 2.0])
    u = np.array([0.0, 0.0, 0.0, precession, 0.0, spin - precession * c])

    def constraints(q, u):
        return rolling(wheel, q, u, wheel_of(wheel, "wheel", radius, tube))

    u = completed(wheel, q, u, constraints, CENTRE)
    speed = speed_of_spin * spin + speed_of_precession
    track = np.array([math.cos(0.6), math.sin(0.6), 0.0])
    np.testing.assert_allclose(u[:3], -speed * track, atol=1e-14)
    found = constraints(q, u)
    rates, reactions = wheel.constrained_dynamics(q, u, (), found, wheel.partition(found, dependent=CENTRE))
    np.testing.assert_allclose(rates[3:], 0.0, atol=1e-12)
    up = np.array([0.0, 0.0, 1.0])
    inwards = -speed * precession * np.cross(up, track)
    np.testing.assert_allclose(reactions, mass * (inwards + G * up), atol=1e-12)


@pytest.mark.parametrize(("radius", "tube"), WHEELS.values(), ids=WHEELS)
def test_an_upright_wheel_rolls_down_a_slope(radius, tube):
    """It accelerates with g sin / (1 + J / (m r^2)); the plane is level, and gravity leans."""
    mass, along, slope, reach = 2.0, 0.17, 0.2, radius + tube
    gravity = (G * math.sin(slope), 0.0, -G * math.cos(slope))
    wheel = wheel_on_a_plane(mass, along=along, gravity=gravity)
    q = [0.0, 0.0, reach, 0.0, 0.5 * math.pi, 0.0]
    u = np.array([1.2 * reach, 0.0, 0.0, 0.0, 0.0, -1.2])  # the axis points to -y
    found = rolling(wheel, q, u, wheel_of(wheel, "wheel", radius, tube))
    np.testing.assert_allclose(found[:, :-1] @ u, 0.0, atol=1e-15)
    rates, _ = wheel.constrained_dynamics(q, u, (), found, wheel.partition(found, dependent=CENTRE))
    expected = G * math.sin(slope) / (1.0 + along / (mass * reach**2))
    np.testing.assert_allclose(rates, [expected, 0.0, 0.0, 0.0, 0.0, -expected / reach], atol=1e-13)


@pytest.mark.parametrize(("radius", "tube"), WHEELS.values(), ids=WHEELS)
@pytest.mark.parametrize("seed", range(3))
def test_rolling_rows_are_the_velocity_of_the_point_of_contact(radius, tube, seed):
    """The contact is C - R e - r n; the drift is the slope of the rows' velocity along the motion."""
    rng = np.random.default_rng(seed)
    ball = Mechanism(Body("post", Planar("p", "z")), Body("wheel", Spherical("s", place=(0.1, 0.2, 0.3)), "post"))
    q, u = rng.normal(size=ball.tree.n_coordinates), rng.normal(size=ball.tree.n_speeds)
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    wheel = wheel_of(ball, "wheel", radius, tube)._replace(centre=Vector(0.05, -0.02, 0.04))

    def velocity(time):
        """Where the coordinates have moved on for a short time, at the same speeds."""
        moved = q + time * rates
        axis = ball.rotation(moved, "wheel")[:, 2]
        e = normal - (normal @ axis) * axis
        arm = -radius * e / np.linalg.norm(e) - tube * normal
        velocity_of_centre = ball.point_rows(moved, "wheel", wheel.centre)[:, :-1] @ u
        spin = ball.rotation(moved, "wheel") @ u[3:] + [0.0, 0.0, u[2]]
        return velocity_of_centre + np.cross(spin, arm)

    step, rates = 1e-3, ball.coordinate_rates(q, u)
    found = rolling(ball, q, u, wheel, Vector(*normal))
    np.testing.assert_allclose(found[:, :-1] @ u, velocity(0.0), atol=1e-14)
    slope = (8.0 * (velocity(step) - velocity(-step)) - velocity(2.0 * step) + velocity(-2.0 * step)) / (12.0 * step)
    np.testing.assert_allclose(found[:, -1], slope, atol=1e-9 * max(1.0, np.abs(slope).max()))  # step^4 / 30


CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.9, 0.6, 0.8


def four_bar(crank=CRANK, coupler=COUPLER, rocker=ROCKER, ground=GROUND):
    """Crank and coupler in a chain, the rocker on the ground; the coupler's end and the rocker's are joined."""
    bar = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    return Mechanism(
        Body("crank", Revolute("crank", "z"), **bar),
        Body("coupler", Revolute("coupler", "z", place=(crank, 0.0, 0.0)), "crank", **bar),
        Body("rocker", Revolute("rocker", "z", place=(ground, 0.0, 0.0)), **bar),
    )


def loop(linkage, q, u=(), coupler=COUPLER, rocker=ROCKER):
    """Return the two rows in the plane that close the loop."""
    found, frames = RowsOf(linkage, q, u), linkage.frames
    ends = Point(frames.coupler, Vector(coupler, 0.0, 0.0)), Point(frames.rocker, Vector(rocker, 0.0, 0.0))
    found.add(3, rows.joining_rows, *ends)
    assert not found.array[2].any()  # nothing moves across the plane
    return found.array[:2]


def assembled(crank):
    """Return the angles of crank, coupler (relative to the crank) and rocker that close the loop, one of two ways."""
    end = CRANK * complex(math.cos(crank), math.sin(crank))
    diagonal = GROUND - end
    length = abs(diagonal)
    aside = math.acos((COUPLER**2 + length**2 - ROCKER**2) / (2.0 * COUPLER * length))
    coupler = math.atan2(diagonal.imag, diagonal.real) + aside
    tip = end + COUPLER * complex(math.cos(coupler), math.sin(coupler)) - GROUND
    return np.array([crank, coupler - crank, math.atan2(tip.imag, tip.real)])


@pytest.mark.parametrize("crank", [0.4, 1.5, 2.9, 4.4])
def test_a_four_bar_linkage_has_the_velocity_ratios_of_the_textbook(crank):
    """The rocker turns a sin(2 - 3) / (c sin(4 - 3)) times as fast as the crank (Norton 2012, 6.7), links 2 to 4."""
    linkage, q = four_bar(), assembled(crank)
    second, third, fourth = q[0], q[0] + q[1], q[2]
    coupler = CRANK * math.sin(fourth - second) / (COUPLER * math.sin(third - fourth))
    rocker = CRANK * math.sin(second - third) / (ROCKER * math.sin(fourth - third))
    matrix = loop(linkage, q)[:, :-1]
    np.testing.assert_allclose(matrix @ [1.0, coupler - 1.0, rocker], 0.0, atol=1e-14)
    # With the drift the loop stays closed: q(crank) has these rates, where the crank turns once a second.
    step, speeds = 1e-3, np.array([1.0, coupler - 1.0, rocker])
    constraints = loop(linkage, q, speeds)
    partition = linkage.partition(constraints, ["x", "y"], dependent=["couplerdot", "rockerdot"])
    rates = linkage.constrained_dynamics(q, speeds, (), constraints, partition).x
    ahead, behind = (assembled(crank + h) for h in (step, -step))
    curvature = (ahead - 2.0 * q + behind) / step**2
    np.testing.assert_allclose(rates, curvature + rates[0] * speeds, rtol=1e-4)


def test_a_dead_point_is_refused():
    """Crank and coupler in one line: the rocker, at the end of its way, does not determine the crank."""
    linkage, stretched = four_bar(), CRANK + COUPLER
    crank = math.acos((stretched**2 + GROUND**2 - ROCKER**2) / (2.0 * stretched * GROUND))
    tip = stretched * complex(math.cos(crank), math.sin(crank)) - GROUND
    q = [crank, 0.0, math.atan2(tip.imag, tip.real)]
    constraints = loop(linkage, q)
    with pytest.raises(ModelError, match="do not determine the speeds crankdot, couplerdot in this position"):
        linkage.partition(constraints, ["x", "y"], dependent=["crankdot", "couplerdot"])
    assert linkage.u.rockerdot in linkage.partition(constraints, ["x", "y"]).dependent


def test_rows_that_lose_rank_are_named():
    """A parallelogram that lies flat: all links point along x, and the loop restrains nothing along x."""
    linkage = four_bar(0.3, 0.8, 0.3, 0.8)
    constraints = loop(linkage, [0.0, 0.0, 0.0], coupler=0.8, rocker=0.3)
    with pytest.raises(ModelError, match="constraint rows along are zero or follow from the others"):
        linkage.partition(constraints, ["along", "across"])
    repeated = np.vstack((constraints[1], 2.0 * constraints[1]))
    with pytest.raises(ModelError, match=r"constraint rows (once|again) are zero or follow from the others"):
        linkage.partition(repeated, ["once", "again"])


def test_a_pendulum_on_a_rod():
    """A bob that slides freely, at a constant distance: the tension is m (g cos + l w^2), the rest swings."""
    mass, length = 1.4, 0.8
    sliding = {"ahead": ("x", "world", 0.0), "bob": ("z", "ahead", mass)}
    bob = Mechanism(*(Body(n, Prismatic(axis, axis), parent, m) for n, (axis, parent, m) in sliding.items()))
    s, c = math.sin(TILT), math.cos(TILT)
    q, u = [0.2 + length * s, 1.0 - length * c], [length * SWING * c, length * SWING * s]
    found = RowsOf(bob, q, u)
    ends = Point(bob.frames.bob, ZERO), Point(0, Vector(0.2, 0.0, 1.0))
    assert found.add(1, rows.distance_row, *ends) == pytest.approx(length, rel=1e-15)
    rates, reactions = bob.constrained_dynamics(q, u, (), found.array, bob.partition(found.array))
    swing = -G / length * s
    expected = length * np.array([swing * c - SWING**2 * s, swing * s + SWING**2 * c])
    np.testing.assert_allclose(rates, expected, atol=1e-13)
    np.testing.assert_allclose(reactions, [-mass * (G * c + length * SWING**2)], rtol=1e-14)
