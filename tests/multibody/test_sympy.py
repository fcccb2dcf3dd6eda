"""Planar chains against the equations that sympy's KanesMethod derives."""

from typing import NamedTuple

import numpy as np
import pytest
from multibody.trees import assert_close
from sympy.physics import mechanics

from hybridsim.multibody import Body, Mechanism, Prismatic, Revolute

GRAVITY = 9.81


class Link(NamedTuple):
    """One link of a planar chain, in the plane of x and z.

    It turns about y or slides along x; `place` [m] on its parent, mass [kg], inertia about y [kg m^2], centre of mass
    at x, z [m]; stiffness, rest and damping of the joint.
    """

    kind: str
    place: tuple[float, float]
    mass: float
    inertia: float
    centre: tuple[float, float]
    spring: tuple[float, float, float] = (0.0, 0.0, 0.0)


CHAINS = {
    "double pendulum with springs": [
        Link("turn", (0.0, 0.0), 1.3, 0.05, (0.0, -0.4), (3.0, 0.2, 0.1)),
        Link("turn", (0.0, -0.8), 0.7, 0.02, (0.03, -0.3), (1.5, -0.4, 0.3)),
    ],
    "slider with a pendulum": [
        Link("slide", (0.1, 0.0), 2.0, 0.0, (0.0, 0.0), (7.0, 0.3, 0.5)),
        Link("turn", (0.0, 0.2), 0.6, 0.03, (0.02, -0.5)),
    ],
    "three links": [
        Link("turn", (0.0, 0.1), 1.0, 0.04, (0.1, -0.3)),
        Link("turn", (0.0, -0.7), 0.8, 0.03, (-0.05, -0.25)),
        Link("turn", (0.1, -0.5), 0.4, 0.01, (0.0, -0.2)),
    ],
}


def by_sympy(links, q_values, u_values):
    """Return M, and the forces of gravity, springs and dampers less those of inertia."""
    q, u = (mechanics.dynamicsymbols(f"{name}:{len(links)}") for name in "qu")
    frame, point = mechanics.ReferenceFrame("N"), mechanics.Point("O")
    world = frame
    point.set_vel(world, 0)
    bodies, loads = [], []
    for i, link in enumerate(links):
        joint = point.locatenew(f"J{i}", link.place[0] * frame.x + link.place[1] * frame.z)
        stiffness, rest, damping = link.spring
        push = -stiffness * (q[i] - rest) - damping * u[i]
        if link.kind == "turn":
            outer = frame.orientnew(f"A{i}", "Axis", (q[i], frame.y))
            outer.set_ang_vel(frame, u[i] * frame.y)
            joint.v2pt_theory(point, world, frame)
            loads += [(outer, push * frame.y), (frame, -push * frame.y)]
        else:
            outer = frame
            joint = joint.locatenew(f"S{i}", q[i] * frame.x)
            joint.set_vel(world, u[i] * frame.x)
            loads.append((joint, push * frame.x))
        centre = joint.locatenew(f"C{i}", link.centre[0] * outer.x + link.centre[1] * outer.z)
        centre.v2pt_theory(joint, world, outer)
        inertia = mechanics.inertia(outer, 0, link.inertia, 0)
        bodies.append(mechanics.RigidBody(f"B{i}", centre, outer, link.mass, (inertia, centre)))
        loads.append((centre, -link.mass * GRAVITY * world.z))
        frame, point = outer, joint
    rates = [each.diff(mechanics.dynamicsymbols._t) - speed for each, speed in zip(q, u, strict=True)]
    method = mechanics.KanesMethod(world, q, u, rates)
    method.kanes_equations(bodies, loads)
    values = dict(zip([*q, *u], [*q_values, *u_values], strict=True))
    mass, forcing = (np.array(each.subs(values), float) for each in (method.mass_matrix, method.forcing))
    return mass, forcing.ravel()


def mechanism_of(links):
    bodies = []
    for i, link in enumerate(links):
        stiffness, rest, damping = link.spring
        kind, axis = (Revolute, "y") if link.kind == "turn" else (Prismatic, "x")
        place = (link.place[0], 0.0, link.place[1])
        joint = kind(f"q{i}", axis, place=place, stiffness=stiffness, rest=rest, damping=damping)
        centre, inertia = (link.centre[0], 0.0, link.centre[1]), (link.inertia, link.inertia, link.inertia)
        bodies.append(Body(f"b{i}", joint, f"b{i - 1}" if i else "world", link.mass, centre, inertia))
    return Mechanism(*bodies)


@pytest.mark.members(1)
@pytest.mark.parametrize("name", CHAINS)
def test_planar_chains_have_the_equations_that_sympy_derives(name):
    links = CHAINS[name]
    mechanism, n = mechanism_of(links), len(links)
    q, u = 0.9 * np.cos(np.arange(1.0, n + 1.0)), 1.4 * np.sin(np.arange(2.0, n + 2.0))
    mass, forcing = by_sympy(links, q, u)
    assert_close(mechanism.mass_matrix(q), mass)
    assert_close(mechanism.joint_forces(q, u) - mechanism.inertia_forces(q, u), forcing)
    assert_close(mechanism.forward_dynamics(q, u), np.linalg.solve(mass, forcing), 1e-11)


def test_springs_hold_the_energy_that_they_take():
    """Their forces are the slopes of the potential energy, that of the weights taken away."""
    mechanism, step = mechanism_of(CHAINS["double pendulum with springs"]), 1e-6
    q = np.array([0.5, -0.8])
    forces = mechanism.joint_forces(q) - mechanism.inertia_forces(q)
    for i, unit in enumerate(np.eye(2)):
        slope = mechanism.potential_energy(q + step * unit) - mechanism.potential_energy(q - step * unit)
        assert forces[i] == pytest.approx(-slope / (2.0 * step), abs=1e-7)
