"""The recursive scheme of walking research for chains of links (Craig 1989; Luh, Walker and Paul 1980), link by link.

Outwards go the motions of the links, inwards the forces and torques that they take, each in the frame of its link.
"""

import numpy as np
import pytest
from multibody.trees import assert_close, random_inertia

from hybridsim.multibody import Body, Mechanism, Revolute, Vector, body_angular_momentum

GRAVITY = np.array([1.0, -9.7, 0.4])
Z = np.array([0.0, 0.0, 1.0])


class Chain:
    """Links that turn about their z axes; `skew` tilts each axis against the one before."""

    def __init__(self, seed, count, skew):
        rng = np.random.default_rng(seed)
        self.count, self.places = count, rng.normal(size=(count, 3))
        self.masses, self.centres = rng.uniform(0.2, 2.0, count), rng.normal(size=(count, 3))
        self.inertias = [random_inertia(rng, mass) for mass in self.masses]
        self.turns = [about_x(skew * rng.normal()) for _ in range(count)]
        self.q, self.u = rng.uniform(-2.0, 2.0, count), rng.normal(size=count)

    def mechanism(self):
        joints = (
            Revolute(f"q{i}", "z", place=place, turn=turn)
            for i, (place, turn) in enumerate(zip(self.places, self.turns, strict=True))
        )
        bodies = (
            Body(f"link{i}", joint, f"link{i - 1}" if i else "world", self.masses[i], self.centres[i], self.inertias[i])
            for i, joint in enumerate(joints)
        )
        return Mechanism(*bodies, gravity=GRAVITY)

    def torques(self, u, rates, gravity):
        """Return the torques about the hinges that these rates of the speeds take."""
        turns = [turn @ about_z(angle) for turn, angle in zip(self.turns, self.q, strict=True)]
        spin, spin_rate, push, forces, moments = np.zeros(3), np.zeros(3), -gravity, [], []
        for i, turn in enumerate(turns):
            push = turn.T @ (push + np.cross(spin_rate, self.places[i]) + cross_twice(spin, self.places[i]))
            spin_rate = turn.T @ spin_rate + np.cross(turn.T @ spin, u[i] * Z) + rates[i] * Z
            spin = turn.T @ spin + u[i] * Z
            of_centre = np.cross(spin_rate, self.centres[i]) + cross_twice(spin, self.centres[i]) + push
            forces.append(self.masses[i] * of_centre)
            moments.append(self.inertias[i] @ spin_rate + np.cross(spin, self.inertias[i] @ spin))
        force, moment, torques = np.zeros(3), np.zeros(3), np.zeros(self.count)
        for i in reversed(range(self.count)):
            outer = (turns[i + 1], self.places[i + 1]) if i + 1 < self.count else (np.eye(3), np.zeros(3))
            moment = moments[i] + outer[0] @ moment + np.cross(self.centres[i], forces[i])
            moment += np.cross(outer[1], outer[0] @ force)
            force = outer[0] @ force + forces[i]
            torques[i] = moment[2]
        return torques


def about_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def cross_twice(spin, arm):
    return np.cross(spin, np.cross(spin, arm))


@pytest.mark.parametrize("skew", [0.0, 1.0], ids=["planar", "in space"])
@pytest.mark.parametrize("seed", range(4))
def test_a_chain_has_the_torques_of_the_recursive_scheme(seed, skew):
    chain = Chain(seed, 2 + 2 * seed, skew)
    mechanism, still, none = chain.mechanism(), np.zeros(chain.count), np.zeros(3)
    columns = [chain.torques(still, unit, none) for unit in np.eye(chain.count)]
    assert_close(mechanism.mass_matrix(chain.q), np.transpose(columns))
    assert_close(mechanism.inertia_forces(chain.q, chain.u), chain.torques(chain.u, still, GRAVITY))


@pytest.mark.parametrize("skew", [0.0, 1.0], ids=["planar", "in space"])
def test_the_momenta_are_those_of_the_outer_links_about_their_hinges(skew):
    """M u: the last entry is the angular momentum of the last link about its hinge, the first that of the whole."""
    chain = Chain(7, 5, skew)
    mechanism, q, u = chain.mechanism(), chain.q, chain.u
    motion, momenta = mechanism.motion(q, u), []
    for i in range(chain.count):
        hinge, axis = mechanism.position(q, f"link{i}"), mechanism.rotation(q, f"link{i}")[:, 2]
        outer = (mechanism.frames._asdict()[f"link{k}"] for k in range(i, chain.count))
        total = sum(
            np.array(body_angular_momentum(motion, mechanism.data, frame, as_vector(mechanism, q, frame, hinge)))
            for frame in outer
        )
        momenta.append(axis @ total)
    assert_close(mechanism.mass_matrix(q) @ u, np.array(momenta))
    assert momenta[0] == pytest.approx(
        mechanism.rotation(q, "link0")[:, 2] @ mechanism.angular_momentum(q, u, chain.places[0]), rel=1e-12
    )


def as_vector(mechanism, q, frame, hinge):
    """Return the vector from a hinge to the origin of a body."""
    return Vector(*(mechanism.position(q, mechanism.frames._fields[frame]) - hinge))
