"""Random trees of bodies against pinocchio."""

import numpy as np
import pinocchio as pin
import pytest
from multibody.trees import Units, assert_close, of_pinocchio, random_motion, random_twin, speed_order

from hybridsim.multibody import (
    Body,
    Free,
    Mechanism,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Vector,
    point_of,
    positions,
)
from hybridsim.multibody.tree import PRISMATIC

TREES = [(seed, 1 + seed * 29 // 23) for seed in range(24)]
"""Seeds, and 1 to 30 bodies."""

AHEAD = Vector(0.3, -0.7, 0.5)
AXES_OF_WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


@pytest.fixture(scope="module", params=TREES, ids=lambda tree: f"{tree[1]} bodies")
def moving(request):
    """A tree twice, its coordinates and speeds, and those of pinocchio."""
    twin = random_twin(*request.param)
    q, u = random_motion(twin, request.param[0])
    return twin, q, u, *of_pinocchio(twin, q, u)


def mass_matrix_by_columns(model, q):
    """Return M by inverse dynamics without gravity; `crba` fills one triangle only."""
    still, weightless = np.zeros(model.nv), pin.Model(model)
    weightless.gravity.linear = np.zeros(3)
    data = weightless.createData()
    return np.array([pin.rnea(weightless, data, q, still, unit) for unit in np.eye(model.nv)]).T


def test_both_sides_of_the_equations_of_motion(moving):
    twin, q, u, theirs_q, theirs_u = moving
    order, data = speed_order(twin), twin.model.createData()
    mass = twin.mechanism.mass_matrix(q)
    assert np.array_equal(mass, mass.T)
    assert_close(mass[np.ix_(order, order)], mass_matrix_by_columns(twin.model, theirs_q))
    forces = twin.mechanism.inertia_forces(q, u)
    assert_close(forces[order], pin.rnea(twin.model, data, theirs_q, theirs_u, np.zeros(twin.model.nv)))


def test_forward_and_inverse_dynamics(moving):
    twin, q, u, theirs_q, theirs_u = moving
    order, data, applied = speed_order(twin), twin.model.createData(), np.cos(np.arange(len(u)))
    rates = twin.mechanism.forward_dynamics(q, u, applied)
    assert_close(rates[order], pin.aba(twin.model, data, theirs_q, theirs_u, applied[order]))
    assert_close(twin.mechanism.inverse_dynamics(q, u, rates), applied, 1e-10)  # what M udot and h leave of each other


def test_energies_momenta_and_the_centre_of_mass(moving):
    twin, q, u, theirs_q, theirs_u = moving
    ours, model, data = twin.mechanism, twin.model, twin.model.createData()
    assert ours.kinetic_energy(q, u) == pytest.approx(pin.computeKineticEnergy(model, data, theirs_q, theirs_u), 1e-12)
    weights = pin.computePotentialEnergy(model, data, theirs_q)
    mass = pin.computeTotalMass(model)
    assert ours.potential_energy(q) == pytest.approx(weights, rel=1e-12, abs=1e-13 * 9.81 * mass)
    centre = pin.centerOfMass(model, data, theirs_q)
    assert_close(ours.centre_of_mass(q), centre)
    jacobian = pin.jacobianCenterOfMass(model, data, theirs_q).reshape(3, -1)
    assert_close(ours.centre_of_mass_jacobian(q)[:, speed_order(twin)], jacobian)
    momenta = pin.computeCentroidalMomentum(model, data, theirs_q, theirs_u)
    assert_close(ours.momentum(q, u), momenta.linear)
    about = np.array([0.3, -2.0, 1.0])
    assert_close(ours.angular_momentum(q, u, about), momenta.angular + np.cross(centre - about, momenta.linear))


def test_positions_alone_are_those_of_the_whole_motion(moving):
    ours, q, u, *_ = moving
    mechanism, n = ours.mechanism, ours.mechanism.tree.n_frames
    alone, whole = np.zeros(mechanism.motion_size), mechanism.motion(q, u)
    positions(alone, mechanism.tree, mechanism.data, q)
    for frame in range(n):
        assert point_of(alone, frame, AHEAD) == pytest.approx(point_of(whole, frame, AHEAD), rel=1e-12, abs=1e-12)


def test_positions_rows_and_drifts_of_points(moving):
    twin, q, u, theirs_q, theirs_u = moving
    model, data, order = twin.model, twin.model.createData(), speed_order(twin)
    pin.computeJointJacobians(model, data, theirs_q)
    pin.forwardKinematics(model, data, theirs_q, theirs_u, np.zeros(model.nv))
    pin.updateFramePlacements(model, data)
    for name, point in twin.points.items():
        frame = model.getFrameId(name, pin.FrameType.OP_FRAME)
        assert_close(twin.mechanism.position(q, name, point), data.oMf[frame].translation)
        assert_close(twin.mechanism.rotation(q, name), data.oMf[frame].rotation)
        rows = twin.mechanism.point_rows(q, name, point, u)
        jacobian = pin.getFrameJacobian(model, data, frame, AXES_OF_WORLD)
        assert_close(rows[:, order], jacobian.reshape(6, -1)[:3])
        acceleration = pin.getFrameClassicalAcceleration(model, data, frame, AXES_OF_WORLD)
        assert_close(rows[:, -1], acceleration.linear)


@pytest.mark.members(2)
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_far_from_the_origin(seed):
    """Pinocchio's own matrices keep their digits there, because its frames are those of the bodies."""
    near, far = random_twin(seed, 12), random_twin(seed, 12, base=(1e6, -2e6, 3e6))
    q, u = random_motion(near, seed)
    assert_close(far.mechanism.mass_matrix(q), near.mechanism.mass_matrix(q))
    assert_close(far.mechanism.inertia_forces(q, u), near.mechanism.inertia_forces(q, u))


@pytest.mark.parametrize("units", [Units(length=1e3), Units(mass=1e3), Units(1e3, 1e3), Units(1e-3, 1e-6)])
def test_other_units_scale_every_entry(units):
    plain, scaled = random_twin(5, 15), random_twin(5, 15, units)
    (q, u), (scaled_q, scaled_u) = random_motion(plain, 5), random_motion(scaled, 5, units)
    tree = plain.mechanism.tree
    slides = np.zeros(tree.n_speeds)
    slides[tree.speed[tree.kind == PRISMATIC]] = 1.0
    arms = units.length ** (1.0 - slides)
    mass, forces = plain.mechanism.mass_matrix(q), plain.mechanism.inertia_forces(q, u)
    assert_close(scaled.mechanism.mass_matrix(scaled_q) / (units.mass * np.outer(arms, arms)), mass)
    found = scaled.mechanism.inertia_forces(scaled_q, scaled_u) / (units.mass * units.length * arms)
    assert_close(found, forces)


PLACED = {"place": (0.3, -0.2, 0.5), "turn": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])}
SOLID = {"mass": 1.7, "centre": (0.1, 0.2, -0.3), "inertia": (0.2, 0.3, 0.25, 0.01, -0.02, 0.03)}


def free(carried=()):
    return Mechanism(Body("trunk", Free("t", **PLACED), **SOLID), *carried)


def test_a_free_joint_is_that_of_pinocchio_with_velocities_along_the_axes_of_the_parent():
    """Pinocchio's free flyer has them along the axes of the body."""
    leg = Body("leg", Revolute("hip", "x", place=(0.0, 0.1, -0.2)), "trunk", **SOLID)
    ours, model = free([leg]), pin.Model()
    inertia = pin.Inertia(SOLID["mass"], np.array(SOLID["centre"]), leg.inertia_matrix())
    trunk = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3(PLACED["turn"], np.array(PLACED["place"])), "trunk")
    hip = model.addJoint(trunk, pin.JointModelRX(), pin.SE3(np.eye(3), np.array([0.0, 0.1, -0.2])), "leg")
    for joint in (trunk, hip):
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    q = np.array([0.4, -1.0, 0.7, 0.5, 0.5, -0.5, 0.5, 0.9])
    u = np.array([0.3, 1.1, -0.4, 0.8, -0.6, 0.2, 1.3])
    theirs_q = q[[0, 1, 2, 4, 5, 6, 3, 7]]
    to_body = np.eye(7)
    to_body[:3, :3] = (PLACED["turn"].T @ ours.rotation(q, "trunk")).T
    data = model.createData()
    assert_close(ours.mass_matrix(q), to_body.T @ mass_matrix_by_columns(model, theirs_q) @ to_body)
    # The rates of the body's components, where ours are constant: -spin x velocity.
    rates = np.zeros(7)
    rates[:3] = -np.cross(u[3:6], to_body[:3, :3] @ u[:3])
    assert_close(ours.inertia_forces(q, u), to_body.T @ pin.rnea(model, data, theirs_q, to_body @ u, rates))


@pytest.mark.parametrize(
    ("joint", "parts"),
    [
        (
            Free("t", **PLACED),
            [Prismatic("t_x", "x", **PLACED), Prismatic("t_y", "y"), Prismatic("t_z", "z"), Spherical("t")],
        ),
        (Planar("t", **PLACED), [Prismatic("t_x", "x", **PLACED), Prismatic("t_z", "z"), Revolute("t_angle", "y")]),
        (Planar("t", "z"), [Prismatic("t_x", "x"), Prismatic("t_y", "y"), Revolute("t_angle", "z")]),
    ],
)
def test_free_and_planar_joints_are_their_parts(joint, parts):
    whole = Mechanism(Body("trunk", joint, **SOLID))
    massless = [Body(f"m{i}", part, f"m{i - 1}" if i else "world") for i, part in enumerate(parts[:-1])]
    taken_apart = Mechanism(*massless, Body("trunk", parts[-1], massless[-1].name, **SOLID))
    assert whole.coordinates == taken_apart.coordinates
    assert whole.speeds == taken_apart.speeds
    q, u = (np.sin(np.arange(1.0, 1.0 + n)) for n in (whole.tree.n_coordinates, whole.tree.n_speeds))
    assert np.array_equal(whole.mass_matrix(q), taken_apart.mass_matrix(q))
    assert np.array_equal(whole.inertia_forces(q, u), taken_apart.inertia_forces(q, u))


def test_the_rates_of_a_quaternion_turn_the_body_with_its_angular_velocity():
    mechanism, step = free(), 1e-6
    q = np.array([0.4, -1.0, 0.7, 1.0, 0.6, -0.8, 1.4])  # a quaternion of length 2
    u = np.array([0.3, 1.1, -0.4, 0.8, -0.6, 0.2])
    rates = mechanism.coordinate_rates(q, u)
    assert np.array_equal(rates[:3], u[:3])
    assert q[3:] @ rates[3:] == pytest.approx(0.0, abs=1e-15)  # its length stays
    after, before = (mechanism.rotation(q + h * rates, "trunk") for h in (step, -step))
    turning = mechanism.rotation(q, "trunk").T @ (after - before) / (2.0 * step)
    np.testing.assert_allclose(turning, np.cross(u[3:], np.eye(3)).T, atol=1e-9)
